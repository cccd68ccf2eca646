//! The table that is filled in: its cells, and how the texts of cells are read.
//!
//! A cell is read by what its column holds; whether it is right is not known here.

use crate::lesson::question::{Answer, FormHint};
use crate::model::shape::{Place, Shape};
use crate::model::{Names, NodeId, Value};
use crate::sim::{Simulation, columns};

/// The engine's own columns.
pub(super) const STATE: &str = "state";
pub(super) const CLOCK: &str = "clock";

/// The cells that are asked for.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) names: Names,
    fields: Vec<String>,
    pub(super) cells: Vec<Cell>,
}

/// A cell that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) node: NodeId,
    pub(super) field: String,
    shape: Shape,
    /// The nodes for each of which it holds something, where it does.
    each: Vec<NodeId>,
}

impl Table {
    pub(super) fn label(&self, place: usize) -> String {
        let cell = &self.cells[place];
        format!("{} {}", self.names.get(cell.node), cell.field)
    }

    pub(super) fn labels(&self) -> Vec<String> {
        (0..self.cells.len()).map(|place| self.label(place)).collect()
    }

    fn find(&self, node: NodeId, field: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.node == node && cell.field == field)
    }

    fn at(&self, place: usize) -> Place<'_> {
        let cell = &self.cells[place];
        Place { names: &self.names, own: cell.node, each: &cell.each }
    }

    /// What a text means in a cell; `None`: it cannot be read there.
    fn read(&self, place: usize, text: &str) -> Option<Value> {
        self.cells[place].shape.read(text, self.at(place))
    }

    /// Whether a cell holds something for each of several nodes, like `P2:4 P3:–`.
    fn has_pairs(&self) -> bool {
        let pairs = |shape: Shape| match shape {
            Shape::Maybe(inner) => matches!(inner, Shape::Each(_)),
            shape => matches!(shape, Shape::Each(_)),
        };
        self.cells.iter().any(|cell| pairs(cell.shape))
    }

    /// Cells with their values, as one text that reads as them again.
    pub(super) fn written(&self, values: &Filled) -> Answer {
        let one = |(place, value): &(usize, Value)| {
            format!("{}={}", self.label(*place), value.show(&self.names, "", ""))
        };
        Answer(values.iter().map(one).collect::<Vec<_>>().join("; "))
    }

    /// What the cells hold in a state.
    pub(super) fn filled_by(&self, sim: &dyn Simulation) -> Filled {
        let of = |cell: &Cell| value(sim, cell.node, &cell.field).unwrap_or(Value::None);
        self.cells.iter().map(of).enumerate().collect()
    }
}

/// What a node holds under a column's name.
pub(super) fn value(sim: &dyn Simulation, node: NodeId, field: &str) -> Option<Value> {
    let view = sim.view();
    let node = view.nodes.get(node.index())?;
    match field {
        // A helper neither waits nor is inside.
        STATE => (node.client || node.crashed).then(|| Value::Word(node.word())),
        CLOCK => node.clock.map(|clock| Value::Num(i64::from(clock))),
        name => node.fields.get(name).cloned(),
    }
}

/// What was written into each cell, by the cells' places.
pub(super) type Filled = Vec<(usize, Value)>;

impl Table {
    /// The cells of these nodes (of none: of all) and fields, as they are after a run from `at`.
    pub(super) fn of(
        nodes: &[String],
        fields: &[String],
        at: &dyn Simulation,
        after: &dyn Simulation,
    ) -> Option<Self> {
        let names = at.setup().names.clone();
        let wanted = |node: &NodeId| {
            let called = |name: &String| names.find(name) == Some(*node);
            nodes.is_empty() || nodes.iter().any(called)
        };
        let known = columns(at);
        let mut cells = Vec::new();
        for node in at.setup().all_ids().filter(wanted) {
            for field in fields {
                let Some(key) = value(after, node, field) else { continue };
                let shape = match field.as_str() {
                    STATE => Shape::Standing,
                    CLOCK => Shape::Number,
                    name => known.iter().find(|column| column.name == name)?.shape,
                };
                let each = match key.plain() {
                    Value::PerNode(items) => items.iter().map(|(node, ..)| *node).collect(),
                    // Of what is not there nobody knows for whom it would be.
                    _ => at.setup().client_ids().collect(),
                };
                cells.push(Cell { node, field: field.clone(), shape, each });
            }
        }
        Some(Self { names, fields: fields.to_vec(), cells })
    }

    /// Reads the cells of a text: `P1 request=(5,P1) deferred=P2; P2 …`.
    pub(super) fn filled(&self, raw: &str) -> Result<Filled, FormHint> {
        let mut filled: Filled = Vec::new();
        let lines = raw.split(['\n', ';']).flat_map(|line| self.rows(line));
        for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
            for (place, value) in self.line(line)? {
                if filled.iter().any(|(other, _)| *other == place) {
                    return Err(FormHint(format!("{} stands there twice.", self.label(place))));
                }
                filled.push((place, value));
            }
        }
        if filled.is_empty() {
            return Err(self.how());
        }
        filled.sort_by_key(|(place, _)| *place);
        Ok(filled)
    }

    fn how(&self) -> FormHint {
        let first = self.labels().first().cloned().unwrap_or_default();
        FormHint(format!("Fill in the cells, like `{first}=…`, one a line or with ; between them."))
    }

    /// The rows of one line: where each has one cell, which nodes do not share, a line may hold several
    /// (`P1: 5, P3: 3`).
    fn rows<'l>(&self, line: &'l str) -> Vec<&'l str> {
        if self.fields.len() != 1 || self.has_pairs() {
            return vec![line];
        }
        let nodes: Vec<String> = self.names.iter().map(str::to_owned).collect();
        let starts = marks(line, &nodes).into_iter().map(|(start, ..)| start);
        let ends: Vec<usize> = starts.filter(|start| *start > 0).chain([line.len()]).collect();
        let mut from = 0;
        let row = |end: &usize| {
            let row = line[from..*end].trim_end().trim_end_matches(',');
            from = *end;
            row
        };
        ends.iter().map(row).collect()
    }

    /// The cells of one line: a node, then its fields.
    fn line(&self, line: &str) -> Result<Filled, FormHint> {
        let (mut node, rest) = self.row_head(line)?;
        let found = marks(rest, &self.fields);
        if found.is_empty() {
            let only = (self.fields.len() == 1).then(|| rest.trim_start_matches('='));
            let only = only.filter(|_| !rest.contains('=') || rest.starts_with('='));
            let cell = self.cells.iter().position(|cell| cell.node == node);
            let (Some(text), Some(place)) = (only, cell) else { return Err(self.how()) };
            return Ok(self.cell(place, text)?.into_iter().collect());
        }
        if found[0].0 > 0 {
            return Err(self.how());
        }
        let ends = found.iter().skip(1).map(|(start, ..)| *start).chain([rest.len()]);
        let mut cells = Vec::new();
        for ((_, from, field), end) in found.iter().zip(ends) {
            let missing = || {
                let name = self.names.get(node);
                FormHint(format!("{name} has no `{field}` to fill in."))
            };
            let place = self.find(node, field).ok_or_else(missing)?;
            let text = rest[*from..end].trim();
            // `P1 clock=5, P3 clock=3`: what would be no value with it begins the next row.
            let next = text.rsplit_once([' ', ',']).filter(|_| self.read(place, text).is_none());
            let next = next.and_then(|(value, name)| Some((value, self.names.find(name)?)));
            match next.filter(|_| end < rest.len()) {
                Some((value, name)) => {
                    cells.extend(self.cell(place, value)?);
                    node = name;
                }
                None => cells.extend(self.cell(place, text)?),
            }
        }
        Ok(cells)
    }

    /// The node with which a line begins, and the rest.
    fn row_head<'l>(&self, line: &'l str) -> Result<(NodeId, &'l str), FormHint> {
        let upto = |ends: &[char]| {
            let end = line.find(|c: char| c.is_whitespace() || ends.contains(&c));
            let (word, rest) = line.split_at(end.unwrap_or(line.len()));
            self.names
                .find(word)
                .map(|node| (node, rest.trim_start_matches([':', '.']).trim_start()))
        };
        upto(&[':', '=']).or_else(|| upto(&[':', '=', '.'])).ok_or_else(|| {
            let word = line.split([' ', ':', '=', '.']).next().unwrap_or_default();
            let known = self.asked_nodes().join(", ");
            FormHint(format!("`{word}` is no node here: begin a line with {known}."))
        })
    }

    /// The value of one cell; `None`: it was left blank.
    fn cell(&self, place: usize, text: &str) -> Result<Option<(usize, Value)>, FormHint> {
        let text = text.trim();
        let value = text.trim_end_matches(',').trim_end();
        if value.is_empty() {
            return Ok(None);
        }
        let value = self.read(place, value).ok_or_else(|| {
            FormHint(format!(
                "{}: `{text}` cannot be read; write {}.",
                self.label(place),
                self.cells[place].shape.form(self.at(place))
            ))
        })?;
        Ok(Some((place, value)))
    }

    pub(super) fn asked_nodes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.cells.iter().map(|c| self.names.get(c.node)).collect();
        names.dedup();
        names
    }

    pub(super) fn right_cells(&self, filled: &Filled, key: &dyn Simulation) -> Vec<bool> {
        let given = |place: usize| filled.iter().find(|(p, _)| *p == place).map(|(_, value)| value);
        let right = |(place, key): &(usize, Value)| given(*place).is_some_and(|v| v.reads_as(key));
        self.filled_by(key).iter().map(right).collect()
    }
}

/// Where fields are named in a line, with `=` or `:` after them: start, where the value begins, and which
/// field.
fn marks(line: &str, fields: &[String]) -> Vec<(usize, usize, String)> {
    let mut marks = Vec::new();
    let signs = match line.contains('=') {
        // A colon may stand inside a cell then.
        true => &['='][..],
        false => &[':'],
    };
    for (sign, _) in line.match_indices(signs) {
        let before = line[..sign].trim_end();
        let start = before.rfind(|c: char| c.is_whitespace() || c == ',').map_or(0, |at| at + 1);
        // The byte after a blank or a comma begins a character, except after a wide blank.
        let word = before.get(start..).unwrap_or_default();
        if let Some(field) = fields.iter().find(|f| f.eq_ignore_ascii_case(word)) {
            marks.push((start, sign + 1, field.clone()));
        }
    }
    marks
}
