//! `state`: fill in what the nodes hold after some events, cell by cell.
//!
//! The key is a snapshot of the run, played on a copy of where the lesson stands. Each cell that is
//! right earns its part.

mod table;

use super::{Answer, Defined as _, FormHint, Question, Scene, Verdict, Way, WrongAt};
use crate::input::{Path, folded, nearest};
use crate::lesson::file::Misfit;
use crate::model::Value;
use crate::sim::Simulation;
use table::{CLOCK, Cell, Filled, STATE, Table, value};

/// The most cells that are asked for at once.
const MOST_CELLS: usize = 24;
/// How many wrong cells are named.
const NAMED: usize = 3;
question! {
    /// Fill in what the nodes hold.
    pub struct State {
        /// The events after which it is asked, played on a copy.
        pub run: Vec<String>,
        /// The nodes that are asked for; omitted: all that have one of the fields.
        #[serde(default)]
        pub nodes: Vec<String>,
        /// The columns of the table: `state`, `clock`, and the algorithm's variables.
        pub fields: Vec<String>,
        /// The cells, once they are known.
        #[serde(skip)]
        pub table: Option<Table>,
    }
}

impl State {
    /// The state after the run, on a copy.
    fn after(&self, at: &dyn Simulation) -> Result<Box<dyn Simulation>, Misfit> {
        let mut sim = at.fork();
        super::play_texts(sim.as_mut(), &self.run, "run")?;
        Ok(sim)
    }

    /// Reads the cells of a text as an author or an answer has them.
    fn filled(&self, text: &str) -> Result<Filled, FormHint> {
        self.table()?.filled(&folded(text))
    }

    fn table(&self) -> Result<&Table, FormHint> {
        self.table.as_ref().ok_or_else(|| FormHint("There is no table to fill in here.".to_owned()))
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
            .filter(|(said, _)| self.filled(said).is_ok_and(|said| said.iter().all(same)));
        lines.extend(known.map(|(_, meaning)| meaning.clone()));
        lines
    }
}

impl Question for State {
    fn prepare(&mut self, scene: Scene<'_>) {
        let after = self.after(scene.at).ok();
        self.table =
            after.and_then(|after| Table::of(&self.nodes, &self.fields, scene.at, after.as_ref()));
    }

    fn way(&self) -> Way {
        Way::Cells(self.table.as_ref().map_or_else(Vec::new, Table::labels))
    }

    fn reads(&self, typed: &str) -> Result<Answer, FormHint> {
        let filled = self.table()?.filled(typed)?;
        Ok(self.table()?.written(&filled))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let expected = self.reference(at);
        let (Ok(key), Ok(table), Ok(filled)) =
            (self.after(at), self.table(), self.filled(&answer.0))
        else {
            return Verdict::new(false, Vec::new(), expected, answer);
        };
        let cells = table.right_cells(&filled, key.as_ref());
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
        let right = table.right_cells(&filled, sim.as_ref());
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
        for node in table.asked_nodes() {
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
        misfits.extend(self.unfit_feedback(&|said| match self.filled(said) {
            Err(hint) => Some(hint.0),
            Ok(filled) => {
                let right = table.right_cells(&filled, key);
                let same = filled.iter().all(|(place, _)| right[*place]);
                same.then(|| format!("`{said}` is what the run gives"))
            }
        }));
        misfits
    }
}
