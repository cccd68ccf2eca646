//! Checking every schedule from where one stands: progress, the verdict, and a way into what was found.
//!
//! The work is done in slices between inputs; what is played and judged is the checker's business.

use crate::catalog;
use crate::check::{Progress, Report, Search, SearchOptions, Verdict};
use crate::input::{count, verb};
use crate::lab::Lab;
use crate::model::{Event, Names, NodeSet};
use crate::ui::keymap::Key;
use crate::ui::panel::text::wrap;
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// States that are worked on between two looks at the keyboard.
const SLICE: usize = 20_000;
/// The most memory that a check from the screen takes, in bytes.
const MEMORY: usize = 2 << 30;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 2] = [
    ("Enter", "play the schedule that was found, from its beginning"),
    ("Esc q v", "back; a search that goes on is given up"),
];

/// The screen's state.
pub struct Check {
    search: Box<dyn Search>,
    progress: Progress,
    report: Option<Report>,
    names: Names,
    title: String,
    from: u32,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Check").field("progress", &self.progress).finish_non_exhaustive()
    }
}

/// What a key came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Stay here.
    Stay,
    /// Close the screen.
    Close,
    /// Show the help.
    Help,
    /// Play this run, from the beginning.
    Play(Vec<Event>),
}

impl Check {
    /// A search over every schedule from where the lab stands; each node asks `requests` times more.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn of(lab: &Lab, requests: &[u32]) -> Result<Self, String> {
        let history = lab.history();
        let options = SearchOptions {
            requests: requests.to_vec(),
            from: history.schedule(history.cursor()),
            max_bytes: Some(MEMORY),
            ..SearchOptions::default()
        };
        let search = catalog::search(lab.config(), &options).map_err(|e| e.to_string())?;
        Ok(Self {
            search,
            progress: Progress::default(),
            report: None,
            names: lab.setup().names.clone(),
            title: lab.state().info().title.to_owned(),
            from: history.depth(history.cursor()),
        })
    }

    /// Whether there is still work to do.
    #[must_use]
    pub fn works(&self) -> bool {
        self.report.is_none()
    }

    /// Does a slice of the work.
    pub fn work(&mut self) {
        if self.works() {
            self.progress = self.search.advance(SLICE);
            if self.progress.finished {
                self.report = self.search.report().cloned();
            }
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        match key {
            Key::Esc | Key::Char('q' | 'v') => Chosen::Close,
            Key::Char('?') | Key::F(1) => Chosen::Help,
            Key::Enter => match self.report.as_ref().and_then(|r| r.counterexample.as_ref()) {
                Some(schedule) => Chosen::Play(schedule.0.clone()),
                None => Chosen::Stay,
            },
            _ => Chosen::Stay,
        }
    }

    fn verdict(&self, report: &Report) -> (String, Role) {
        let after = report.counterexample.as_ref().map_or(0, |s| s.0.len());
        let after = count(after, "event");
        let set: NodeSet = report.nodes.iter().copied().collect();
        let (who, wait) = (self.names.sentence(set), verb(set.len(), "waits", "wait"));
        match report.verdict {
            Verdict::Safe | Verdict::GoalUnreachable => {
                let states = count(report.states, "state");
                (format!("Every schedule explored: safe ({states})."), Role::Ok)
            }
            Verdict::Violated => {
                let what = report.property.unwrap_or("a property");
                (format!("Violated after {after}: {what}, {who}."), Role::Bad)
            }
            Verdict::NeverEnds => {
                (format!("Never ends: after {after} it can go round for ever."), Role::Bad)
            }
            Verdict::Stuck => {
                let text = format!(
                    "Stuck after {after}: {who} {wait}, and nothing comes by itself any more."
                );
                (text, Role::Bad)
            }
            Verdict::Limit => {
                let deep =
                    report.covered.map_or(String::new(), |d| format!(", complete up to depth {d}"));
                let text = format!(
                    "Limit reached at {}{deep}: nothing found so far.",
                    count(report.states, "state")
                );
                (text, Role::Warn)
            }
            Verdict::GoalReached => (format!("Reached after {after}."), Role::Ok),
        }
    }

    /// Draws the screen.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let from =
            if self.from == 0 { "the beginning".to_owned() } else { format!("step {}", self.from) };
        let title = format!("Check every schedule of {} from {from}", self.title);
        look.put(buf, area, 1, 0, &title, Role::Title);
        let p = &self.progress;
        let mut y = 2;
        let mut line = |text: &str, role: Role| {
            for part in wrap(&look.text(text), usize::from(area.width.saturating_sub(4))) {
                look.put(buf, area, 2, y, &part, role);
                y += 1;
            }
        };
        let mut hints = vec![("Esc", "back")];
        match &self.report {
            None => {
                line("Searching, breadth first …", Role::Accent);
                hints = vec![("Esc", "cancels")];
            }
            Some(report) => {
                let (text, role) = self.verdict(report);
                line(&text, role);
                line(&format!("Within these bounds: {}.", report.bounds), Role::Text);
                if let Some(schedule) = &report.counterexample {
                    line("", Role::Text);
                    line("A shortest schedule:", Role::Heading);
                    line(&schedule.show(&self.names), Role::Text);
                    hints.insert(0, ("Enter", "plays it"));
                }
            }
        }
        line("", Role::Text);
        line(&format!("states    {}", p.states), Role::Dim);
        line(&format!("waiting   {} to look at", p.frontier), Role::Dim);
        line(&format!("depth     {}", p.depth), Role::Dim);
        line(&format!("memory    {:.1} MiB", p.bytes as f64 / f64::from(1 << 20)), Role::Dim);
        if p.reduced {
            line("States that cannot change the verdict are left out.", Role::Dim);
        }
        hints.push(("?", "keys"));
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let hints: Vec<_> = hints.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect();
        footer::keys(&hints, look, last, buf);
    }
}
