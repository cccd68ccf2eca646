//! `state`: fill in what the nodes hold after some events, cell by cell.
//!
//! The key is a snapshot of the run, played on a copy of where the lesson stands. Each cell that is
//! right earns its part.

use super::{Answer, FormHint, Question, Scene, Verdict, Way, WrongAt};
use crate::input::{Path, folded, nearest};
use crate::lesson::file::Misfit;
use crate::model::shape::{Place, Shape};
use crate::model::{Names, NodeId, Value};
use crate::sim::{Simulation, columns};

/// The most cells that are asked for at once.
const MOST_CELLS: usize = 24;
/// How many wrong cells are named.
const NAMED: usize = 3;
/// The engine's own columns.
const STATE: &str = "state";
const CLOCK: &str = "clock";

question! {
    /// Fill in what the nodes hold.
    pub struct State {
        /// The events after which it is asked, played on a copy.
        pub run: Vec<String>,
        /// The nodes that are asked for; left away: all that have one of the fields.
        #[serde(default)]
        pub nodes: Vec<String>,
        /// The columns of the table: `state`, `clock`, and the algorithm's variables.
        pub fields: Vec<String>,
        /// The cells, once they are known.
        #[serde(skip)]
        pub table: Option<Table>,
    }
}

/// The cells that are asked for.
#[derive(Clone, Debug)]
pub struct Table {
    names: Names,
    cells: Vec<Cell>,
}

/// A cell that is asked for.
#[derive(Clone, Debug)]
struct Cell {
    node: NodeId,
    field: String,
    shape: Shape,
    /// The nodes for each of which it holds something, where it does.
    each: Vec<NodeId>,
}

impl Table {
    fn label(&self, place: usize) -> String {
        let cell = &self.cells[place];
        format!("{} {}", self.names.get(cell.node), cell.field)
    }

    fn labels(&self) -> Vec<String> {
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
    fn written(&self, values: &Filled) -> Answer {
        let one = |(place, value): &(usize, Value)| {
            format!("{}={}", self.label(*place), value.show(&self.names, "", ""))
        };
        Answer(values.iter().map(one).collect::<Vec<_>>().join("; "))
    }

    /// What the cells hold in a state.
    fn filled_by(&self, sim: &dyn Simulation) -> Filled {
        let of = |cell: &Cell| value(sim, cell.node, &cell.field).unwrap_or(Value::None);
        self.cells.iter().map(of).enumerate().collect()
    }
}

/// What a node holds under a column's name.
fn value(sim: &dyn Simulation, node: NodeId, field: &str) -> Option<Value> {
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
type Filled = Vec<(usize, Value)>;

impl State {
    /// The state after the run, on a copy.
    fn after(&self, at: &dyn Simulation) -> Result<Box<dyn Simulation>, Misfit> {
        let mut sim = at.fork();
        super::play_texts(sim.as_mut(), &self.run, "run")?;
        Ok(sim)
    }

    fn tabled(&self, at: &dyn Simulation) -> Option<Table> {
        let sim = self.after(at).ok()?;
        let names = at.setup().names.clone();
        let wanted = |node: &NodeId| {
            let called = |name: &String| names.find(name) == Some(*node);
            self.nodes.is_empty() || self.nodes.iter().any(called)
        };
        let known = columns(at);
        let mut cells = Vec::new();
        for node in at.setup().all_ids().filter(wanted) {
            for field in &self.fields {
                let Some(key) = value(sim.as_ref(), node, field) else { continue };
                let shape = match field.as_str() {
                    STATE => Shape::Standing,
                    CLOCK => Shape::Number,
                    name => known.iter().find(|column| column.name == name)?.shape,
                };
                let each = match key.plain() {
                    Value::PerNode(items) => items.iter().map(|(node, ..)| *node).collect(),
                    _ => Vec::new(),
                };
                cells.push(Cell { node, field: field.clone(), shape, each });
            }
        }
        Some(Table { names, cells })
    }

    fn table(&self) -> Result<&Table, FormHint> {
        self.table.as_ref().ok_or_else(|| FormHint("There is no table to fill in here.".to_owned()))
    }

    /// Reads the cells of a text: `P1 request=(5,P1) deferred=P2; P2 …`.
    fn filled(&self, raw: &str) -> Result<Filled, FormHint> {
        let table = self.table()?;
        let mut filled: Filled = Vec::new();
        let lines = raw.split(['\n', ';']).flat_map(|line| self.rows(table, line));
        for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
            for (place, value) in self.line(table, line)? {
                if filled.iter().any(|(other, _)| *other == place) {
                    return Err(FormHint(format!("{} stands there twice.", table.label(place))));
                }
                filled.push((place, value));
            }
        }
        if filled.is_empty() {
            return Err(self.how(table));
        }
        filled.sort_by_key(|(place, _)| *place);
        Ok(filled)
    }

    fn how(&self, table: &Table) -> FormHint {
        let first = table.labels().first().cloned().unwrap_or_default();
        FormHint(format!("Fill in the cells, like `{first}=…`, one a line or with ; between them."))
    }

    /// The rows of one line: where each has one cell, which nodes do not share, a line may hold several
    /// (`P1: 5, P3: 3`).
    fn rows<'l>(&self, table: &Table, line: &'l str) -> Vec<&'l str> {
        if self.fields.len() != 1 || table.has_pairs() {
            return vec![line];
        }
        let nodes: Vec<String> = table.names.iter().map(str::to_owned).collect();
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
    fn line(&self, table: &Table, line: &str) -> Result<Filled, FormHint> {
        let (mut node, rest) = Self::row_head(table, line)?;
        let found = marks(rest, &self.fields);
        if found.is_empty() {
            let only = (self.fields.len() == 1).then(|| rest.trim_start_matches('='));
            let only = only.filter(|_| !rest.contains('=') || rest.starts_with('='));
            let cell = table.cells.iter().position(|cell| cell.node == node);
            let (Some(text), Some(place)) = (only, cell) else { return Err(self.how(table)) };
            return Ok(Self::cell(table, place, text)?.into_iter().collect());
        }
        if found[0].0 > 0 {
            return Err(self.how(table));
        }
        let ends = found.iter().skip(1).map(|(start, ..)| *start).chain([rest.len()]);
        let mut cells = Vec::new();
        for ((_, from, field), end) in found.iter().zip(ends) {
            let missing = || {
                let name = table.names.get(node);
                FormHint(format!("{name} has no `{field}` to fill in."))
            };
            let place = table.find(node, field).ok_or_else(missing)?;
            let text = rest[*from..end].trim();
            // `P1 clock=5, P3 clock=3`: what would be no value with it begins the next row.
            let next = text.rsplit_once([' ', ',']).filter(|_| table.read(place, text).is_none());
            let next = next.and_then(|(value, name)| Some((value, table.names.find(name)?)));
            match next.filter(|_| end < rest.len()) {
                Some((value, name)) => {
                    cells.extend(Self::cell(table, place, value)?);
                    node = name;
                }
                None => cells.extend(Self::cell(table, place, text)?),
            }
        }
        Ok(cells)
    }

    /// The node with which a line begins, and the rest.
    fn row_head<'l>(table: &Table, line: &'l str) -> Result<(NodeId, &'l str), FormHint> {
        let upto = |ends: &[char]| {
            let end = line.find(|c: char| c.is_whitespace() || ends.contains(&c));
            let (word, rest) = line.split_at(end.unwrap_or(line.len()));
            table
                .names
                .find(word)
                .map(|node| (node, rest.trim_start_matches([':', '.']).trim_start()))
        };
        upto(&[':', '=']).or_else(|| upto(&[':', '=', '.'])).ok_or_else(|| {
            let word = line.split([' ', ':', '=', '.']).next().unwrap_or_default();
            let known = Self::asked_nodes(table).join(", ");
            FormHint(format!("`{word}` is no node here: begin a line with {known}."))
        })
    }

    /// The value of one cell; `None`: it was left blank.
    fn cell(table: &Table, place: usize, text: &str) -> Result<Option<(usize, Value)>, FormHint> {
        let text = text.trim().trim_end_matches(',').trim();
        if text.is_empty() {
            return Ok(None);
        }
        let value = table.read(place, text).ok_or_else(|| {
            FormHint(format!(
                "{}: `{text}` cannot be read; write {}.",
                table.label(place),
                table.cells[place].shape.form(table.at(place))
            ))
        })?;
        Ok(Some((place, value)))
    }

    fn asked_nodes(table: &Table) -> Vec<&str> {
        let mut names: Vec<&str> = table.cells.iter().map(|c| table.names.get(c.node)).collect();
        names.dedup();
        names
    }

    fn right_cells(&self, table: &Table, filled: &Filled, key: &dyn Simulation) -> Vec<bool> {
        let given = |place: usize| filled.iter().find(|(p, _)| *p == place).map(|(_, value)| value);
        let right = |(place, key): &(usize, Value)| given(*place).is_some_and(|v| v.reads_as(key));
        table.filled_by(key).iter().map(right).collect()
    }

    /// What is said about the cells that are not right.
    fn remarks(&self, table: &Table, filled: &Filled, right: &[bool]) -> Vec<String> {
        let wrong: Vec<usize> = (0..right.len()).filter(|place| !right[*place]).collect();
        let given = |place: &usize| filled.iter().find(|(p, _)| p == place).map(|(_, value)| value);
        let one = |place: &usize| match given(place) {
            Some(value) => {
                let shown = value.show(&table.names, "", "");
                format!("{}: it does not hold {shown} then.", table.label(*place))
            }
            None => format!("{}: left blank.", table.label(*place)),
        };
        let mut lines: Vec<String> = wrong.iter().take(NAMED).map(one).collect();
        if wrong.len() > NAMED {
            lines.push(format!("And {} cells more.", wrong.len() - NAMED));
        }
        let same =
            |(p, value): &(usize, Value)| given(p).is_some_and(|given| given.reads_as(value));
        let known = self
            .feedback
            .iter()
            .filter(|(said, _)| self.filled(&folded(said)).is_ok_and(|said| said.iter().all(same)));
        lines.extend(known.map(|(_, meaning)| meaning.clone()));
        lines
    }
}

/// Where fields are named in a line, with `=` or `:` behind them: start, where the value begins, and which
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

impl Question for State {
    fn prepare(&mut self, scene: Scene<'_>) {
        self.table = self.tabled(scene.at);
    }

    fn way(&self) -> Way {
        Way::Cells(self.table.as_ref().map_or_else(Vec::new, Table::labels))
    }

    fn reads(&self, typed: &str) -> Result<Answer, FormHint> {
        let filled = self.filled(typed)?;
        Ok(self.table()?.written(&filled))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let expected = self.reference(at);
        let (Ok(key), Ok(table), Ok(filled)) =
            (self.after(at), self.table(), self.filled(&folded(&answer.0)))
        else {
            return Verdict::new(false, Vec::new(), expected, answer);
        };
        let cells = self.right_cells(table, &filled, key.as_ref());
        let good = cells.iter().filter(|right| **right).count();
        let right = good == cells.len();
        let lines = if right {
            vec![format!("The run gives the same in all {good} cells.")]
        } else {
            self.remarks(table, &filled, &cells)
        };
        Verdict::new(right, lines, expected, answer).partly(good, cells.len())
    }

    /// The point before the step that gave the first wrong cell its value.
    fn wrong_at(&self, answer: &Answer, at: &dyn Simulation) -> Option<WrongAt> {
        let (table, filled) = (self.table.as_ref()?, self.filled(&folded(&answer.0)).ok()?);
        let mut sim = at.fork();
        let records = super::play_texts(sim.as_mut(), &self.run, "run").ok()?;
        let right = self.right_cells(table, &filled, sim.as_ref());
        let place = right.iter().position(|right| !right)?;
        let Cell { node, field, .. } = &table.cells[place];
        let mut sim = at.fork();
        let mut point = 0;
        for (i, record) in records.iter().enumerate() {
            let before = value(sim.as_ref(), *node, field);
            sim.step(record.event).ok()?;
            if value(sim.as_ref(), *node, field) != before {
                point = i;
            }
        }
        let events = records.iter().map(|record| record.event).collect();
        Some(WrongAt { events, point, what: table.label(place) })
    }

    fn reference(&self, at: &dyn Simulation) -> Answer {
        match (self.table(), self.after(at)) {
            (Ok(table), Ok(key)) => table.written(&table.filled_by(key.as_ref())),
            _ => Answer(String::new()),
        }
    }

    fn shows(&self, answer: &Answer) -> String {
        answer.0.replace("; ", "\n")
    }

    fn untouched(&self, at: &dyn Simulation) -> Option<Answer> {
        self.table.as_ref().map(|table| table.written(&table.filled_by(at)))
    }

    fn sheet(&self) -> String {
        let Some(table) = &self.table else { return super::LINE.to_owned() };
        let titles = self.fields.join(" | ");
        let mut sheet = format!("| | {titles} |\n|---|{}\n", "---|".repeat(self.fields.len()));
        for node in Self::asked_nodes(table) {
            let cell = |field: &String| {
                let asked = |c: &Cell| table.names.get(c.node) == node && c.field == *field;
                if table.cells.iter().any(asked) { "   |" } else { " × |" }
            };
            sheet.push_str(&format!(
                "| {node} |{}\n",
                self.fields.iter().map(cell).collect::<String>()
            ));
        }
        sheet
    }

    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        if self.run.is_empty() {
            let message =
                "what is now stands in the table: give the events after which it is asked";
            misfits.push(Misfit::key(path("run"), message));
        }
        if self.fields.is_empty() {
            misfits.push(Misfit::key(path("fields"), "no columns are asked for"));
        }
        let Some(at) = at else { return misfits };
        misfits.extend(self.unknown(at));
        match self.after(at) {
            Err(misfit) => misfits.push(misfit),
            Ok(key) if misfits.is_empty() => misfits.extend(self.asks_nothing(at, key.as_ref())),
            Ok(_) => {}
        }
        misfits
    }
}

impl State {
    /// Nodes and columns that do not exist.
    fn unknown(&self, at: &dyn Simulation) -> Vec<Misfit> {
        let names = &at.setup().names;
        let mut misfits = Vec::new();
        for (i, name) in self.nodes.iter().enumerate().filter(|(_, n)| names.find(n).is_none()) {
            let message = format!("no node `{name}`; this cluster has {}", names.listed());
            misfits.push(Misfit::value(Path::root().key("nodes").index(i), message));
        }
        let own = at.info().fields.iter().map(|f| f.name);
        let known: Vec<&str> = [STATE, CLOCK].into_iter().chain(own).collect();
        for (i, field) in self.fields.iter().enumerate() {
            let path = Path::root().key("fields").index(i);
            if self.fields[..i].contains(field) {
                misfits.push(Misfit::value(path, format!("`{field}` stands here twice")));
            } else if !known.contains(&field.as_str()) {
                let close = nearest(field, known.iter().copied());
                let message = match close {
                    Some(close) => {
                        format!("no column is called `{field}`; did you mean `{close}`?")
                    }
                    None => {
                        format!("no column is called `{field}`; there are {}", known.join(", "))
                    }
                };
                misfits.push(Misfit::value(path, message));
            }
        }
        misfits
    }

    /// Too many cells, none, or none that the run changes; feedback that fits no wrong answer.
    fn asks_nothing(&self, at: &dyn Simulation, key: &dyn Simulation) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        let Some(table) = &self.table else { return misfits };
        let n = table.cells.len();
        let fields = || Path::root().key("fields");
        if !(1..=MOST_CELLS).contains(&n) {
            let message = format!("{n} cells are asked for; 1 to {MOST_CELLS} can be");
            misfits.push(Misfit::key(fields(), message));
        } else if table.written(&table.filled_by(at)) == table.written(&table.filled_by(key)) {
            let message = "the run changes none of these cells: the table shows the answer";
            misfits.push(Misfit::key(fields(), message));
        }
        for said in self.feedback.keys() {
            let path = Path::root().key("feedback").key(said);
            match self.filled(&folded(said)) {
                Err(hint) => misfits.push(Misfit::key(path, hint.0)),
                Ok(filled) => {
                    let right = self.right_cells(table, &filled, key);
                    if filled.iter().all(|(place, _)| right[*place]) {
                        misfits.push(Misfit::key(path, format!("`{said}` is what the run gives")));
                    }
                }
            }
        }
        misfits
    }
}
