//! The tree of runs: every branch that was played, with a preview of where it leads.

use crate::lab::Lab;
use crate::model::Names;
use crate::sim::{History, RevId};
use crate::trace::{Changes, narrate};
use crate::ui::keymap::Key;
use crate::ui::list::List;
use crate::ui::panel::text::{clip, width};
use crate::ui::panel::{Look, footer, nodes};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 3] = [
    ("↑ ↓ Home End", "choose a branch; below it stands how it ends"),
    ("Enter", "go to its end"),
    ("Esc b q", "back to where one stands, which has the sign *"),
];

/// A stretch of steps without a fork: from just after one fork to the next or to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stretch {
    depth: usize,
    first: RevId,
    last: RevId,
    words: String,
}

impl Stretch {
    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> RevId {
        self.last
    }

    /// Where it begins and how far it goes.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// The screen's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branches {
    stretches: Vec<Stretch>,
    list: List,
    /// Where one stands: the stretch and the step.
    here: (usize, u32),
    /// Whether they are still there after the cluster was left.
    stay: bool,
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

/// Where a stretch begins and how far it goes.
fn words(history: &History, names: &Names, first: RevId, last: RevId) -> String {
    let (from, to) = (history.depth(first), history.depth(last));
    let event = history.record(first).map(|record| record.event.show(names));
    let event = event.unwrap_or_else(|| "the beginning".to_owned());
    let more = match to - from {
        0 => String::new(),
        n => format!(" and {n} more, to step {to}"),
    };
    format!("step {from}: {event}{more}")
}

fn stretches(history: &History, names: &Names) -> Vec<Stretch> {
    let mut all = Vec::new();
    let mut todo: Vec<(RevId, usize)> = vec![(RevId::ROOT, 0)];
    while let Some((first, depth)) = todo.pop() {
        let mut last = first;
        let mut children: Vec<RevId> = history.children(last).collect();
        while let [only] = children.as_slice() {
            last = *only;
            children = history.children(last).collect();
        }
        all.push(Stretch { depth, first, last, words: words(history, names, first, last) });
        todo.extend(children.into_iter().rev().map(|c| (c, depth + 1)));
    }
    all
}

impl Branches {
    /// The tree of a lab's history; where one stands is chosen.
    #[must_use]
    pub fn of(lab: &Lab) -> Self {
        let history = lab.history();
        let stretches = stretches(history, &lab.setup().names);
        let here = history.depth(history.cursor());
        let on_way: Vec<RevId> = history.ancestors(history.cursor()).collect();
        let holds = |s: &Stretch| {
            on_way.contains(&s.first)
                && history.depth(s.first) <= here
                && here <= history.depth(s.last)
        };
        let chosen = stretches.iter().rposition(holds).unwrap_or(0);
        Self { stretches, list: List::at(chosen), here: (chosen, here), stay: true }
    }

    /// The same of a cluster that is not kept when it is left.
    #[must_use]
    pub fn for_now(self) -> Self {
        Self { stay: false, ..self }
    }

    /// All stretches, each after the one from which it forks.
    pub fn stretches(&self) -> impl Iterator<Item = &Stretch> {
        self.stretches.iter()
    }

    /// The place of the chosen one.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.list.chosen
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        let text = |place: usize| self.stretches[place].words.clone();
        if self.list.key(key, self.stretches.len(), text) {
            return Chosen::Stay;
        }
        match key {
            Key::Enter => return Chosen::Go(self.stretches[self.list.chosen].last),
            Key::Esc | Key::Char('b' | 'q') => return Chosen::Close,
            Key::Char('?') | Key::F(1) => return Chosen::Help,
            _ => {}
        }
        Chosen::Stay
    }

    /// A row: a sign where one stands, how the stretch forks off, what it holds.
    fn text(&self, i: usize, columns: usize, look: &Look) -> String {
        let s = &self.stretches[i];
        let (sign, here) = match self.here {
            (at, step) if at == i => ("* ", format!("; you are at step {step}")),
            _ => ("  ", String::new()),
        };
        let fork = if s.depth == 0 { "" } else { look.glyphs.tree_fork };
        let indent = "  ".repeat(s.depth.min(12));
        let gap = if fork.is_empty() { "" } else { " " };
        let what = format!("{sign}{indent}{fork}{gap}{}", s.words);
        // Where one stands is never cut.
        clip(&what, columns.saturating_sub(width(&here)), look.glyphs.ellipsis) + here.as_str()
    }

    /// Whether letters are typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.list.search.typing()
    }

    /// Draws the tree and a preview of the chosen branch's end.
    pub fn draw(&self, lab: &Lab, look: &Look, area: Rect, buf: &mut Buffer) {
        let title = match self.stay {
            true => "Branches: nothing that was played is lost",
            false => "Branches: all that was played, until you leave this cluster",
        };
        look.put(buf, area, 1, 0, title, Role::Title);
        let view = lab.history().state_at(self.stretches[self.list.chosen].last).view();
        let preview = (view.nodes.len() as u16 + 4).min(area.height / 2);
        let rows = usize::from(area.height.saturating_sub(preview + 2));
        let first = (self.list.chosen + 1).saturating_sub(rows);
        for (y, i) in (first..self.stretches.len()).take(rows).enumerate() {
            let y = y as u16 + 1;
            let text = self.text(i, usize::from(area.width).saturating_sub(2), look);
            look.put(buf, area, 1, y, &text, Role::Text);
            if i == self.list.chosen {
                look.select_row(buf, area, y);
            }
        }
        let place = Rect { y: area.bottom().saturating_sub(preview + 1), height: preview, ..area };
        self.preview(lab, &view, look, place, buf);
        let hints = [
            ("↑ ↓", "choose"),
            ("Enter", "go there"),
            ("/", "search"),
            ("?", "keys"),
            ("Esc", "back"),
        ];
        footer::line(self.list.search.line().as_deref(), &hints, look, area, buf);
    }

    fn preview(
        &self,
        lab: &Lab,
        view: &crate::sim::ClusterView,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let stretch = &self.stretches[self.list.chosen];
        let names = &lab.setup().names;
        let title = format!("At step {}", lab.history().depth(stretch.last));
        let inner = super::frame(&title, false, look, area, buf);
        let table = nodes::Table {
            view,
            changes: &Changes::default(),
            names,
            selected: Some(crate::model::NodeId(0)),
        };
        let rows = inner.height.saturating_sub(1);
        table.draw(look, Rect { height: rows, ..inner }, buf);
        if let Some(record) = lab.history().record(stretch.last) {
            let below = Rect { y: inner.y + rows, height: inner.height - rows, ..inner };
            footer::sentence("", &narrate::sentence(record, names), Role::Dim, look, below, buf);
        }
    }
}
