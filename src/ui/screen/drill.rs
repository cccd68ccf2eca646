//! The choice of a drill: which algorithm, how many right so far.
//!
//! The questions are made by `lesson::drill` and asked by the stepper, like those of any lesson.

use crate::lab::Lab;
use crate::lesson::Learner;
use crate::lesson::drill::{self, Drill, Score, USUAL_COUNT};
use crate::ui::keymap::Key;
use crate::ui::list::List;
use crate::ui::panel::text::{clip, pad, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What a drill is.
pub const ABOUT: &str = "A random run, event by event: say what the next one will do, then see it. \
                         Right and wrong are counted for as long as the program is open.";

const TITLE: &str = "Drill: say what the next event will do";
const RULES_TITLE: &str = "Drill: say which rule is missing";
const RULES_ABOUT: &str = "A run of a cluster that follows the paper or a variant of it, and does not say \
                           which: name what is missing or changed, then make it fail.";

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 5] = [
    ("↑ ↓ Tab", "choose an algorithm"),
    ("Enter Space", "begin; so does the key of a row at once"),
    ("← →", "another seed: other questions"),
    ("r", "which rule is missing, or predictions"),
    ("Esc q", "back to Home"),
];

/// The screen's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drills {
    list: List,
    seed: u64,
    /// Whether the rules are asked for, and not what events do.
    rules: bool,
    score: Score,
    notice: Option<String>,
}

/// What a key came to.
#[derive(Debug)]
pub enum Chosen {
    /// Stay here.
    Stay,
    /// Close the screen.
    Close,
    /// Show the help.
    Help,
    /// Ask these questions.
    Go(Box<(Learner, Lab)>),
}

impl Drills {
    /// The choice; the first drill has that seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { list: List::default(), seed, rules: false, score: Score::default(), notice: None }
    }

    /// Gives the next drill a seed.
    pub fn use_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Counts what a learner has answered.
    pub fn count(&mut self, learner: &Learner) {
        self.score.add(learner);
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        self.notice = None;
        let count = drill::algorithms().count();
        let title = |place| drill::algorithms().nth(place).map_or("", |e| e.info.title).to_owned();
        if self.list.key(if key == Key::Tab { Key::Down } else { key }, count, title) {
            return Chosen::Stay;
        }
        match key {
            Key::Left => self.seed = self.seed.wrapping_sub(1),
            Key::Right => self.seed = self.seed.wrapping_add(1),
            Key::Char('r') => self.rules = !self.rules,
            Key::Char(c) if place_of(c).is_some_and(|place| place < count) => {
                self.list.chosen = place_of(c).unwrap_or(0);
                return self.go();
            }
            Key::Enter | Key::Char(' ') => return self.go(),
            Key::Esc | Key::Char('q') => return Chosen::Close,
            Key::Char('?') | Key::F(1) => return Chosen::Help,
            Key::Char(c) => self.notice = Some(format!("no row has the key {c}")),
            _ => {}
        }
        Chosen::Stay
    }

    fn go(&mut self) -> Chosen {
        let Some(entry) = drill::algorithms().nth(self.list.chosen) else { return Chosen::Stay };
        let drill = match self.rules {
            true => Drill::of_rules(entry.info.slug, self.seed),
            false => Drill::new(entry.info.slug, self.seed, USUAL_COUNT),
        };
        let lesson = drill.and_then(|drill| drill.lesson()).map_err(|none| none.to_string());
        match lesson.and_then(|lesson| Learner::new(lesson).map_err(|e| e.to_string())) {
            Ok(opened) => {
                self.seed = self.seed.wrapping_add(1);
                Chosen::Go(Box::new(opened))
            }
            Err(message) => {
                self.notice = Some(message);
                Chosen::Stay
            }
        }
    }

    /// Whether letters are typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.list.search.typing()
    }

    /// Draws the list.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let (title, about) = if self.rules { (RULES_TITLE, RULES_ABOUT) } else { (TITLE, ABOUT) };
        look.put(buf, area, 1, 0, title, Role::Title);
        let asked =
            if self.rules { "one run".to_owned() } else { format!("{USUAL_COUNT} questions") };
        let score = match self.score.answered {
            0 => format!("{asked}, seed {}", self.seed),
            _ => format!("so far {}; next: {asked}, seed {}", self.score, self.seed),
        };
        look.put(buf, area, 1, 1, &score, Role::Heading);
        let room = usize::from(area.height.saturating_sub(7));
        let first = (self.list.chosen + 1).saturating_sub(room);
        let columns = usize::from(area.width).saturating_sub(7);
        for (y, (place, entry)) in
            drill::algorithms().enumerate().skip(first).take(room).enumerate()
        {
            let y = 3 + y as u16;
            let key = key_of(place).map_or(String::new(), |c| c.to_string());
            look.put(buf, area, 3, y, &key, Role::Key);
            let text = pad(&clip(entry.info.title, columns, look.glyphs.ellipsis), columns);
            look.put(buf, area, 5, y, &text, Role::Text);
            if place == self.list.chosen {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                look.select_row(buf, area, y);
            }
        }
        let below = Rect { y: area.bottom().saturating_sub(4), height: 3, ..area };
        let (text, role) = match &self.notice {
            Some(notice) => (notice.as_str(), Role::Warn),
            None => (about, Role::Dim),
        };
        let width = usize::from(area.width.saturating_sub(2));
        for (y, line) in wrap(&look.text(text), width).iter().take(3).enumerate() {
            look.put(buf, below, 1, y as u16, line, role);
        }
        let hints = [
            ("Enter", "begins"),
            ("↑ ↓", "choose"),
            ("← →", "another seed"),
            ("/", "search"),
            ("r", if self.rules { "predictions" } else { "which rule is missing?" }),
            ("?", "keys"),
            ("Esc", "back"),
        ];
        footer::line(self.list.search.line().as_deref(), &hints, look, area, buf);
    }
}

/// The key of a row: digits first, then letters.
fn key_of(place: usize) -> Option<char> {
    "123456789abcdefghijkl".chars().nth(place)
}

fn place_of(key: char) -> Option<usize> {
    "123456789abcdefghijkl".chars().position(|c| c == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_drill_has_another_seed_and_every_algorithm_one() {
        let mut drills = Drills::new(7);
        for place in 0..drill::algorithms().count() {
            let key = key_of(place).expect("every row has a key");
            let Chosen::Go(opened) = drills.key(Key::Char(key)) else {
                panic!("{place}: {:?}", drills.notice)
            };
            let seed = 7 + place as u64;
            assert!(opened.0.lesson().id.contains(&format!("-{seed}-")));
        }
    }
}
