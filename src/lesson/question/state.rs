//! `state`: fill in what the nodes hold after some events, cell by cell.
//!
//! The key is a snapshot of the run, played on a copy of where the lesson stands. Each cell that is
//! right earns its part.

mod cell;

use super::{Answer, Common, FormHint, Pick, Question, Scene, Verdict, Way, WrongAt};
use crate::input::{Path, nearest};
use crate::lesson::file::Misfit;
use crate::model::{Names, NodeId, Value};
use crate::sim::Simulation;
use cell::Cell;

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
    cells: Vec<(NodeId, String)>,
    /// Whether a cell holds something for each of several nodes, like `P2:4 P3:–`.
    per_node: bool,
}

impl Table {
    fn label(&self, place: usize) -> String {
        let (node, field) = &self.cells[place];
        format!("{} {field}", self.names.get(*node))
    }

    fn labels(&self) -> Vec<String> {
        (0..self.cells.len()).map(|place| self.label(place)).collect()
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
type Filled = Vec<(usize, String)>;

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
        let nodes: Vec<NodeId> = at.setup().all_ids().filter(wanted).collect();
        let all = nodes.iter().flat_map(|n| self.fields.iter().map(|f| (*n, f.clone())));
        let cells: Vec<_> = all.filter(|(n, f)| value(sim.as_ref(), *n, f).is_some()).collect();
        let per_node = |(n, f): &(NodeId, String)| {
            let value = value(sim.as_ref(), *n, f);
            value.is_some_and(|v| matches!(v.plain(), Value::PerNode(_)))
        };
        let per_node = cells.iter().any(per_node);
        Some(Table { names, cells, per_node })
    }

    fn table(&self) -> Result<&Table, FormHint> {
        self.table.as_ref().ok_or_else(|| FormHint("There is no table to fill in here.".to_owned()))
    }

    /// The table as one text.
    fn written(table: &Table, sim: &dyn Simulation) -> Answer {
        let one = |(place, (node, field)): (usize, &(NodeId, String))| {
            let shown = value(sim, *node, field).map(|v| v.show(&table.names, "", ""));
            format!("{}={}", table.label(place), shown.unwrap_or_default())
        };
        Answer(table.cells.iter().enumerate().map(one).collect::<Vec<_>>().join("; "))
    }

    /// Reads the cells of a text: `P1 request=(5,P1) deferred=P2; P2 …`.
    fn filled(&self, raw: &str) -> Result<Filled, FormHint> {
        let table = self.table()?;
        let mut filled: Filled = Vec::new();
        let lines = raw.split(['\n', ';']).flat_map(|line| self.rows(table, line));
        for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
            for (place, text) in self.line(table, line)? {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if text.is_empty() {
                    continue;
                }
                if Cell::read(&text, &table.names).is_none() {
                    return Err(FormHint(format!(
                        "{}: `{text}` cannot be read; write (5,P1), P1 P3, 3, or none.",
                        table.label(place)
                    )));
                }
                if filled.iter().any(|(other, _)| *other == place) {
                    return Err(FormHint(format!("{} stands there twice.", table.label(place))));
                }
                filled.push((place, text));
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
        if self.fields.len() != 1 || table.per_node {
            return vec![line];
        }
        let nodes: Vec<String> = table.names.iter().map(str::to_owned).collect();
        let starts = marks(line, &nodes).into_iter().map(|(start, ..)| start);
        let ends: Vec<usize> =
            starts.filter(|start| *start > 0).chain([line.len()]).collect();
        let mut from = 0;
        let row = |end: &usize| {
            let row = line[from..*end].trim_end().trim_end_matches(',');
            from = *end;
            row
        };
        ends.iter().map(row).collect()
    }

    /// The cells of one line: a node, then its fields.
    fn line<'l>(&self, table: &Table, line: &'l str) -> Result<Vec<(usize, &'l str)>, FormHint> {
        let name = |c: char| c.is_whitespace() || matches!(c, ':' | '.' | '=');
        let (word, rest) = line.split_at(line.find(name).unwrap_or(line.len()));
        let node = table.names.find(word).ok_or_else(|| {
            let known: Vec<&str> = self.asked_nodes(table);
            FormHint(format!("`{word}` is no node here: begin a line with {}.", known.join(", ")))
        })?;
        let rest = rest.trim_start_matches([':', '.']).trim_start();
        let found = marks(rest, &self.fields);
        if found.is_empty() {
            let only = (self.fields.len() == 1).then(|| rest.trim_start_matches('='));
            let only = only.filter(|_| !rest.contains('=') || rest.starts_with('='));
            return match (only, table.cells.iter().position(|(n, _)| *n == node)) {
                (Some(text), Some(place)) => Ok(vec![(place, text)]),
                _ => Err(self.how(table)),
            };
        }
        if found[0].0 > 0 {
            return Err(self.how(table));
        }
        let ends = found.iter().skip(1).map(|(start, ..)| *start).chain([rest.len()]);
        let cells = found.iter().zip(ends).map(|((_, from, field), end)| {
            let cell = table.cells.iter().position(|(n, f)| *n == node && f == field);
            let place =
                cell.ok_or_else(|| FormHint(format!("{word} has no `{field}` to fill in.")))?;
            Ok((place, &rest[*from..end]))
        });
        cells.collect()
    }

    fn asked_nodes<'t>(&self, table: &'t Table) -> Vec<&'t str> {
        let mut names: Vec<&str> = table.cells.iter().map(|(n, _)| table.names.get(*n)).collect();
        names.dedup();
        names
    }

    fn right_cells(&self, table: &Table, filled: &Filled, key: &dyn Simulation) -> Vec<bool> {
        let right = |(place, (node, field)): (usize, &(NodeId, String))| {
            let text = filled.iter().find(|(p, _)| *p == place).map(|(_, text)| text.as_str());
            let cell = text.and_then(|text| Cell::read(text, &table.names));
            cell.zip(value(key, *node, field)).is_some_and(|(c, v)| c.is(&v, *node, &table.names))
        };
        table.cells.iter().enumerate().map(right).collect()
    }

    /// What is said about the cells that are not right.
    fn remarks(&self, table: &Table, filled: &Filled, right: &[bool]) -> Vec<String> {
        let wrong: Vec<usize> = (0..right.len()).filter(|place| !right[*place]).collect();
        let one = |place: &usize| {
            let text = filled.iter().find(|(p, _)| p == place).map(|(_, text)| text.as_str());
            match text {
                Some(text) => format!("{}: it does not hold {text} then.", table.label(*place)),
                None => format!("{}: left blank.", table.label(*place)),
            }
        };
        let mut lines: Vec<String> = wrong.iter().take(NAMED).map(one).collect();
        if wrong.len() > NAMED {
            lines.push(format!("And {} cells more.", wrong.len() - NAMED));
        }
        let known = self.feedback.iter().filter(|(said, _)| {
            self.filled(said).is_ok_and(|said| {
                said.iter().all(|(p, text)| {
                    let given = filled.iter().find(|(place, _)| place == p);
                    let same = |(_, given): &(usize, String)| {
                        Cell::read(given, &table.names) == Cell::read(text, &table.names)
                    };
                    given.is_some_and(same)
                })
            })
        });
        lines.extend(known.map(|(_, meaning)| meaning.clone()));
        lines
    }
}

/// Where fields are named in a line, with `=` or `:` behind them: start, where the value begins, and which
/// field.
fn marks(line: &str, fields: &[String]) -> Vec<(usize, usize, String)> {
    let mut marks = Vec::new();
    for (sign, _) in line.match_indices(['=', ':']) {
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
    fn kind(&self) -> &'static str {
        "state"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn prepare(&mut self, scene: Scene<'_>) {
        self.table = self.tabled(scene.at);
    }

    fn picks(&self) -> Vec<Pick> {
        Vec::new()
    }

    fn way(&self) -> Way {
        Way::Cells(self.table.as_ref().map_or_else(Vec::new, Table::labels))
    }

    fn read(&self, raw: &str) -> Result<Answer, FormHint> {
        let filled = self.filled(raw)?;
        let table = self.table()?;
        let one = |(place, text): &(usize, String)| format!("{}={text}", table.label(*place));
        Ok(Answer(filled.iter().map(one).collect::<Vec<_>>().join("; ")))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let expected = self.reference(at);
        let (Ok(key), Ok(table), Ok(filled)) =
            (self.after(at), self.table(), self.filled(&answer.0))
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
        let (table, filled) = (self.table.as_ref()?, self.filled(&answer.0).ok()?);
        let mut sim = at.fork();
        let records = super::play_texts(sim.as_mut(), &self.run, "run").ok()?;
        let right = self.right_cells(table, &filled, sim.as_ref());
        let place = right.iter().position(|right| !right)?;
        let (node, field) = &table.cells[place];
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
            (Ok(table), Ok(key)) => Self::written(table, key.as_ref()),
            _ => Answer(String::new()),
        }
    }

    fn shows(&self, answer: &Answer) -> String {
        answer.0.replace("; ", "\n")
    }

    fn untouched(&self, at: &dyn Simulation) -> Option<Answer> {
        self.table.as_ref().map(|table| Self::written(table, at))
    }

    fn sheet(&self) -> String {
        let Some(table) = &self.table else { return super::LINE.to_owned() };
        let titles = self.fields.join(" | ");
        let mut sheet = format!("| | {titles} |\n|---|{}\n", "---|".repeat(self.fields.len()));
        for node in self.asked_nodes(table) {
            let cell = |field: &String| {
                let asked =
                    table.cells.iter().any(|(n, f)| table.names.get(*n) == node && f == field);
                if asked { "   |" } else { " × |" }
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
        } else if Self::written(table, at) == Self::written(table, key) {
            let message = "the run changes none of these cells: the table shows the answer";
            misfits.push(Misfit::key(fields(), message));
        }
        for said in self.feedback.keys() {
            let path = Path::root().key("feedback").key(said);
            match self.filled(said) {
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
