//! The log: every step of the run in words, and what each could know of the others.
//!
//! It shows one run from its beginning to its end, also what was taken back; it plays nothing.

use crate::lab::Lab;
use crate::sim::RevId;
use crate::trace::causality::Causality;
use crate::trace::{Diagram, Window, narrate};
use crate::ui::keymap::Key;
use crate::ui::list::moved;
use crate::ui::panel::spacetime::{self, Relation};
use crate::ui::panel::text::{clip, pad};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 4] = [
    ("↑ ↓", "choose a step; PageUp, PageDown, Home and End go further"),
    ("Enter", "go to that step"),
    ("any letter", "filters: only steps that have every word stay; Backspace takes one back"),
    ("Esc", "take the filter away; again: back"),
];

/// A step of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    rev: RevId,
    event: String,
    sentence: String,
}

/// The screen's state.
#[derive(Clone, Debug)]
pub struct Log {
    steps: Vec<Step>,
    causality: Causality,
    /// Where the run stands; `None`: before its first step.
    here: Option<usize>,
    filter: String,
    /// The steps that the filter lets through.
    shown: Vec<usize>,
    /// How many of those have its words.
    found: usize,
    /// Which of those is chosen.
    chosen: usize,
}

/// What a key came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Stay here.
    Stay,
    /// Close the screen.
    Close,
    /// Show the help.
    Help,
    /// Go to this point.
    Go(RevId),
}

impl Log {
    /// The run on which a lab stands; its current step is chosen.
    #[must_use]
    pub fn of(lab: &Lab) -> Self {
        let history = lab.history();
        let mut way: Vec<RevId> = history.ancestors(history.cursor()).collect();
        way.reverse();
        way.extend(history.redo_path(history.cursor()));
        let end = way.last().copied().unwrap_or(RevId::ROOT);
        let names = &lab.setup().names;
        let step = |rev: &RevId| {
            let record = history.record(*rev)?;
            let (event, sentence) = (record.event.show(names), narrate::sentence(record, names));
            Some(Step { rev: *rev, event, sentence })
        };
        let steps: Vec<Step> = way.iter().filter_map(step).collect();
        let here = steps.iter().position(|step| step.rev == history.cursor());
        let shown: Vec<usize> = (0..steps.len()).collect();
        let found = shown.len();
        let causality = Causality::of(&history.records(end));
        let chosen = here.unwrap_or(0);
        Self { steps, causality, here, filter: String::new(), shown, found, chosen }
    }

    /// Takes a key. Whatever can be typed goes into the filter.
    pub fn key(&mut self, key: Key) -> Chosen {
        if let Some(row) = moved(self.chosen, self.shown.len(), key) {
            self.chosen = row;
            return Chosen::Stay;
        }
        match key {
            // What is looked for is typed at once.
            Key::Char('/') if self.filter.is_empty() => {}
            Key::Enter => {
                let step = self.step().map(|i| self.steps[i].rev);
                return step.map_or(Chosen::Close, Chosen::Go);
            }
            Key::Esc if self.filter.is_empty() => return Chosen::Close,
            Key::Esc => self.filter_by(String::new()),
            Key::Backspace => {
                let mut filter = self.filter.clone();
                filter.pop();
                self.filter_by(filter);
            }
            Key::F(1) => return Chosen::Help,
            Key::Char(c) => self.filter_by(format!("{}{c}", self.filter)),
            _ => {}
        }
        Chosen::Stay
    }

    /// Adds a pasted text to the filter.
    pub fn paste(&mut self, text: &str) {
        self.filter_by(format!("{}{text}", self.filter));
    }

    /// The step that is chosen.
    fn step(&self) -> Option<usize> {
        self.shown.get(self.chosen).copied()
    }

    /// Shows the steps that hold every word of the filter, and always the current one.
    fn filter_by(&mut self, filter: String) {
        let stood = self.step();
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let holds = |i: &usize| {
            let step = &self.steps[*i];
            let text = format!("{} {} {}", i + 1, step.event, step.sentence).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let all = 0..self.steps.len();
        self.found = all.clone().filter(holds).count();
        self.shown = all.filter(|i| self.here == Some(*i) || holds(i)).collect();
        let still = self.shown.iter().position(|i| Some(*i) >= stood);
        self.chosen = still.unwrap_or(self.shown.len().saturating_sub(1));
        self.filter = filter;
    }

    /// Draws the diagram around the chosen step, its sentence, and the list.
    pub fn draw(&self, lab: &Lab, look: &Look, area: Rect, buf: &mut Buffer) {
        let title = match self.filter.as_str() {
            "" => "What happened: type to filter".to_owned(),
            filter => {
                let (found, all) = (self.found, self.steps.len());
                format!(
                    "What happened, with: {filter}_ ({found} of {})",
                    crate::input::count(all, "step")
                )
            }
        };
        look.put(buf, area, 1, 0, &title, Role::Title);
        let Some(chosen) = self.step() else {
            look.put(buf, area, 1, 2, "Nothing has happened yet.", Role::Text);
            return self.footer(look, area, buf);
        };
        let (causes, effects) = (self.causality.causes(chosen), self.causality.effects(chosen));
        let relation = |step: usize| match step {
            same if same == chosen => Relation::Chosen,
            before if causes.binary_search(&before).is_ok() => Relation::Cause,
            after if effects.binary_search(&after).is_ok() => Relation::Effect,
            _ => Relation::None,
        };
        let lanes = lab.setup().total() as u16;
        let picture = (lanes * 2 + 2).min(area.height / 2);
        let place = Rect { y: area.y + 1, height: picture, ..area };
        self.diagram(lab, chosen, &relation, look, place, buf);
        let said = Rect { y: place.bottom(), height: 2, ..area };
        let about = format!("step {}:", chosen + 1);
        footer::sentence(&about, &self.steps[chosen].sentence, Role::Text, look, said, buf);
        let rest = area.bottom().saturating_sub(said.bottom() + 1);
        let list = Rect { y: said.bottom(), height: rest, ..area };
        self.list(&relation, look, list, buf);
        self.footer(look, area, buf);
    }

    fn diagram(
        &self,
        lab: &Lab,
        chosen: usize,
        relation: &dyn Fn(usize) -> Relation,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let names = &lab.setup().names;
        let columns = spacetime::capacity(area.width, names);
        let end = (chosen + columns / 2).max(columns - 1).min(self.steps.len() - 1);
        let window = Window { columns, undone: 0, scrolled_back: 0 };
        let diagram = Diagram::at(lab.history(), self.steps[end].rev, window);
        let lit = |step: u32| relation((step as usize).wrapping_sub(1));
        let manner = spacetime::Manner { lit: Some(&lit), ..Default::default() };
        spacetime::draw(&diagram, names, manner, look, area, buf);
    }

    /// A row a step: how it stands to the chosen one, its number, what happened.
    fn list(
        &self,
        relation: &dyn Fn(usize) -> Relation,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let rows = usize::from(area.height).saturating_sub(1);
        let signs = "< a cause, > an effect, else concurrent; * now";
        let inner = super::frame(signs, false, look, area, buf);
        let first = (self.chosen + 1).saturating_sub(rows.div_ceil(2));
        let first = first.min(self.shown.len().saturating_sub(rows));
        for (y, at) in (first..self.shown.len()).take(rows).enumerate() {
            let i = self.shown[at];
            let relation = relation(i);
            let now = if self.here == Some(i) { "*" } else { " " };
            let lead = format!("{}{now}{} ", relation.sign(), pad(&(i + 1).to_string(), 4));
            let role = if relation == Relation::None { Role::Dim } else { Role::Text };
            let x = look.put(buf, inner, 1, y as u16, &lead, Role::Key);
            let room = usize::from(inner.width.saturating_sub(x));
            let text = look.text(&self.steps[i].sentence).into_owned();
            look.put(buf, inner, x, y as u16, &clip(&text, room, look.glyphs.ellipsis), role);
            if at == self.chosen {
                look.select_row(buf, inner, y as u16);
            }
        }
    }

    fn footer(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let esc = if self.filter.is_empty() { "back" } else { "no filter" };
        let hints = [("↑ ↓", "choose"), ("Enter", "go there"), ("F1", "keys"), ("Esc", esc)];
        footer::line(None, &hints, look, area, buf);
    }
}
