//! The program on a buffer: presses keys by name and looks at what is drawn.

use lockstep::lab::Lab;
use lockstep::lesson::question::Way;
use lockstep::lesson::{Library, QuestionState};
use lockstep::model::Config;
use lockstep::session::AnswerDraft;
use lockstep::ui::app::App;
use lockstep::ui::course::Course;
use lockstep::ui::panel::Look;
use lockstep::ui::screen::stepper::Stepper;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use lockstep::ui::{Application, Flow, Input, Key};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::time::Duration;

/// What a terminal sends for a key.
#[allow(dead_code)]
pub fn bytes(name: &str) -> &str {
    match name {
        "Enter" => "\r",
        "Esc" => "\x1b",
        "Tab" => "\t",
        "Space" => " ",
        "Backspace" => "\x7f",
        "Up" => "\x1b[A",
        "Down" => "\x1b[B",
        "Right" => "\x1b[C",
        "Left" => "\x1b[D",
        "Home" => "\x1b[H",
        "End" => "\x1b[F",
        "BackTab" => "\x1b[Z",
        "Delete" => "\x1b[3~",
        one => {
            assert_eq!(one.chars().count(), 1, "{one} has no bytes here");
            one
        }
    }
}

/// No colour, Unicode.
pub fn plain_look() -> Look {
    Look { theme: Theme::new(ThemeName::None, ColorUse::Off, None), glyphs: Glyphs::UNICODE }
}

pub struct Seen {
    app: App,
    /// Every key that was pressed, by name.
    pub pressed: Vec<String>,
}

fn key(name: &str) -> Key {
    match name {
        "Enter" => Key::Enter,
        "Esc" => Key::Esc,
        "Tab" => Key::Tab,
        "BackTab" => Key::BackTab,
        "Backspace" => Key::Backspace,
        "Delete" => Key::Delete,
        "Up" => Key::Up,
        "Down" => Key::Down,
        "Left" => Key::Left,
        "Right" => Key::Right,
        "Home" => Key::Home,
        "End" => Key::End,
        "PageUp" => Key::PageUp,
        "PageDown" => Key::PageDown,
        "Space" => Key::Char(' '),
        "F1" => Key::F(1),
        "F2" => Key::F(2),
        one => Key::Char(one.chars().next().expect("a key has a name")),
    }
}

#[allow(dead_code)]
impl Seen {
    pub fn lessons() -> usize {
        Library::embedded().shelved().len()
    }

    /// Home, then these keys.
    pub fn after(keys: &str) -> Self {
        let course = Course::of(&Library::embedded());
        let mut seen = Self { app: App::new(course, plain_look(), false), pressed: Vec::new() };
        seen.press(keys);
        seen
    }

    pub fn in_lesson(place: usize) -> Self {
        Self::after(&format!("{}Enter", "Down ".repeat(place)))
    }

    pub fn free_play(algorithm: &str, n: usize) -> Self {
        Self::lab(Config::new(algorithm, n))
    }

    pub fn free_play_with(algorithm: &str, n: usize, variant: &str) -> Self {
        let mut config = Config::new(algorithm, n);
        config.variant = Some(variant.to_owned());
        Self::lab(config)
    }

    pub fn lab(config: Config) -> Self {
        Self::of_lab(Lab::new(config).expect("the settings fit"))
    }

    /// Free play with what was played already.
    pub fn of_lab(lab: Lab) -> Self {
        let mut seen = Self::after("");
        seen.app.open(Stepper::free_play(lab));
        seen
    }

    /// A lesson that is given as text, on its first page.
    pub fn lesson_text(text: &str) -> Self {
        let source = lockstep::input::Source::from_text("asked.yaml", text, "lesson");
        let lesson = lockstep::lesson::load::checked(source.expect("a text"));
        let lesson = lesson.unwrap_or_else(|bad| panic!("{bad}"));
        let (learner, lab) = lockstep::lesson::Learner::new(lesson).expect("a cluster");
        let mut seen = Self::after("");
        seen.app.open(Stepper::lesson(learner, lab));
        seen
    }

    /// A program that is set up already.
    pub fn of(app: App) -> Self {
        Self { app, pressed: Vec::new() }
    }

    pub fn app(&mut self) -> &mut App {
        &mut self.app
    }

    /// Control and a letter.
    pub fn ctrl(&mut self, letter: char) {
        self.input(Input::Key(Key::Ctrl(letter)));
    }

    pub fn look(&mut self, look: Look) {
        self.app.set_look(look);
    }

    /// Presses keys by name; `@word` goes to the row of Home that has this word.
    pub fn press(&mut self, keys: &str) {
        for name in keys.split_whitespace() {
            if let Some(row) = name.strip_prefix('@') {
                self.choose(row);
                continue;
            }
            self.pressed.push(name.to_owned());
            self.input(Input::Key(key(name)));
        }
    }

    /// At Home, goes to the row that has this word.
    fn choose(&mut self, word: &str) {
        self.press("Home");
        for _ in 0..100 {
            let drawn = self.at(80, 24);
            let chosen = (0..24).map(|y| drawn.row(y)).find(|row| row.starts_with(" ▸"));
            if chosen.is_some_and(|row| row.contains(word)) {
                return;
            }
            self.press("Down");
        }
        panic!("no row at Home has {word}");
    }

    pub fn input(&mut self, input: Input) -> Flow {
        self.app.input(input)
    }

    /// Types a text, character by character.
    pub fn type_in(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                ' ' => self.press("Space"),
                c => self.press(&c.to_string()),
            }
        }
    }

    pub fn command(&mut self, text: &str) {
        self.press(":");
        self.type_in(text);
        self.press("Enter");
    }

    pub fn quits_on_q(&mut self) -> bool {
        (0..5).any(|_| self.input(Input::Key(Key::Char('q'))) == Flow::Quit)
    }

    /// Whether this key, pressed once, leaves the program.
    pub fn leaves_on(&mut self, name: &str) -> bool {
        self.input(Input::Key(key(name))) == Flow::Quit
    }

    pub fn steps(&self) -> u32 {
        self.app.stepper().map_or(0, |s| s.lab().state().steps())
    }

    pub fn stepper(&self) -> &Stepper {
        self.app.stepper().expect("a stepper is open")
    }

    pub fn tick_every(&self) -> Option<Duration> {
        self.app.tick_every()
    }

    /// One thing more of a lesson: answers its question rightly, or goes to the next moment. Says
    /// whether there was one.
    pub fn go_on(&mut self) -> bool {
        let learner = self.stepper().learner().expect("a lesson is open");
        if learner.finished() {
            return false;
        }
        match learner.question() {
            Some(q) if !q.state.closed() => {
                let question = learner.step().question.as_ref().expect("the page has a question");
                let at = self.stepper().lab().history().state_at(learner.moment().rev);
                let right = question.reference(at).0;
                let place = q.picks.iter().position(|p| p.id == right);
                self.press("Enter");
                self.clear();
                let places = |right: &str| -> Vec<usize> {
                    let ids = right.split(", ");
                    ids.filter_map(|id| q.picks.iter().position(|p| p.id == id)).collect()
                };
                match (&q.way, place) {
                    (_, Some(place)) => self.press(&format!("{}", place + 1)),
                    (Way::PickMany, None) => {
                        places(&right)
                            .iter()
                            .for_each(|place| self.press(&(place + 1).to_string()));
                    }
                    (Way::Arrange, None) => {
                        let used = places(&right);
                        used.iter().for_each(|place| self.press(&(place + 1).to_string()));
                        for _ in used.len()..q.picks.len() {
                            self.press(&"Up ".repeat(q.picks.len()));
                            self.press(&"Down ".repeat(used.len()));
                            self.press("x");
                        }
                    }
                    (Way::Cells(_), None) => {
                        for cell in right.split("; ") {
                            let (_, value) = cell.split_once('=').expect("a label and a value");
                            self.clear();
                            self.type_in(value);
                            self.press("Tab");
                        }
                    }
                    (Way::Play(_), None) if right == "impossible" => self.press("i"),
                    (Way::Play(_), None) => self.command(&right),
                    (Way::Decide(words), None) => {
                        for said in right.split(", ") {
                            let place = words.iter().position(|w| w == said).expect("a word");
                            self.press(&format!("{}", place + 1));
                            self.press("Enter");
                        }
                    }
                    (Way::PickOne | Way::Write, None) => self.type_in(&right),
                }
                let open = |seen: &Self| {
                    let learner = seen.stepper().learner();
                    learner.and_then(|l| l.question()).is_some_and(|q| !q.state.closed())
                };
                if open(self) {
                    self.press(if matches!(q.way, Way::Play(_)) { "s" } else { "Enter" });
                }
                let state = self.stepper().learner().and_then(|l| l.question()).map(|q| q.state);
                assert_eq!(state, Some(QuestionState::Right), "{}", q.prompt);
            }
            _ => self.press("Right"),
        }
        true
    }

    /// Takes back what is left of a wrong answer.
    fn clear(&mut self) {
        match self.stepper().session().answer() {
            Some(AnswerDraft::Line(_) | AnswerDraft::Cells(_)) => self.ctrl('u'),
            Some(AnswerDraft::Marks(marks)) => {
                let marked: Vec<usize> = (0..marks.len()).filter(|place| marks[*place]).collect();
                marked.iter().for_each(|place| self.press(&(place + 1).to_string()));
            }
            Some(AnswerDraft::Played(_)) => self.press("Home"),
            Some(AnswerDraft::Pick(_) | AnswerDraft::Order(_) | AnswerDraft::Decided(_)) | None => {
            }
        }
    }

    /// Answers the question of a lesson that waits wrongly, whatever its type, and leaves it as it then is.
    /// Returns whether the answer was taken.
    pub fn answer_wrongly(&mut self) -> bool {
        let learner = self.stepper().learner().expect("a lesson is open");
        let q = learner.question().expect("a question waits");
        let question = learner.step().question.as_ref().expect("the page has a question");
        let lab = self.stepper().session().lesson_lab();
        let at = lab.history().state_at(learner.moment().rev);
        let right = question.reference(at).0;
        let before = q.state;
        if self.stepper().session().answer().is_none() {
            self.press("Enter");
        }
        match &q.way {
            Way::PickOne => {
                let wrong = q.picks.iter().position(|pick| pick.id != right);
                self.press(&format!("{} Enter", wrong.expect("not all are right") + 1));
            }
            Way::PickMany => {
                let only = usize::from(q.picks[0].id == right);
                self.press(&format!("{} Enter", only + 1));
            }
            Way::Arrange => {
                let ids: Vec<&str> = q.picks.iter().map(|pick| pick.id.as_str()).collect();
                let last = if ids.join(", ") == right { "2 1" } else { "1 2" };
                self.press(&format!("{last} Enter"));
            }
            Way::Write => {
                let digits = right.bytes().all(|b| b.is_ascii_digit());
                let formula = right.contains(['n', 'N']) && right.len() < 12;
                self.type_in(if digits {
                    "987"
                } else if formula {
                    "97n"
                } else {
                    "no idea"
                });
                self.press("Enter");
            }
            Way::Cells(_) => {
                for (i, cell) in right.split("; ").enumerate() {
                    let (_, value) = cell.split_once('=').expect("a label and a value");
                    let other = value.parse::<u32>().map(|n| (n + 1).to_string());
                    let value = if i < 2 {
                        other.unwrap_or_else(|_| "none".to_owned())
                    } else {
                        value.to_owned()
                    };
                    self.type_in(&value);
                    self.press("Tab");
                }
                self.press("Enter");
            }
            Way::Play(_) if right == "impossible" => self.press("r Tab r Tab 1 s"),
            Way::Play(how) if how.impossible => self.press("i"),
            Way::Play(how) if how.annotate.is_empty() => self.press("1 s"),
            Way::Play(_) => self.press("1 a s"),
            Way::Decide(words) => {
                for said in right.split(", ") {
                    let wrong = words.iter().position(|word| word != said).expect("a wrong word");
                    self.press(&format!("{} Enter", wrong + 1));
                }
            }
        }
        let state = self.stepper().learner().and_then(|l| l.question()).map(|q| q.state);
        state.is_some_and(|state| state != before)
    }

    pub fn at(&mut self, width: u16, height: u16) -> Drawn {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        self.app.draw_into(area, &mut buffer);
        Drawn(buffer)
    }
}

pub struct Drawn(pub Buffer);

#[allow(dead_code)]
impl Drawn {
    pub fn row(&self, y: usize) -> String {
        let width = self.0.area.width;
        (0..width).map(|x| self.0[(x, y as u16)].symbol()).collect()
    }

    pub fn text(&self) -> String {
        let rows = (0..self.0.area.height).map(|y| self.row(usize::from(y)));
        rows.map(|r| r.trim_end().to_owned() + "\n").collect()
    }

    /// What is selected: the text of the reversed cells.
    pub fn selected(&self) -> String {
        let reversed = |c: &&Cell| c.modifier.contains(Modifier::REVERSED);
        self.cells().filter(reversed).map(Cell::symbol).collect()
    }

    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.0.content.iter()
    }

    pub fn rows_starting_with<const N: usize>(&self, starts: [&str; N]) -> Vec<usize> {
        let find = |start: &&str| {
            let mut rows = 0..usize::from(self.0.area.height);
            rows.find(|y| self.row(*y).trim_start_matches(['│', ' ']).starts_with(start))
        };
        starts.iter().filter_map(find).collect()
    }

    /// Whether between two rows two slanted lines cross: reading the dots of each column, the upper
    /// line of the first columns is the lower one of the last.
    pub fn has_crossing(&self, from: usize, to: usize) -> bool {
        let width = self.0.area.width;
        let mut spread = Vec::new();
        for x in 0..width {
            let mut heights = Vec::new();
            for y in from..to {
                let c = self.0[(x, y as u16)].symbol().chars().next().unwrap_or(' ');
                let bits = (c as u32).wrapping_sub(0x2800);
                if bits < 0x100 {
                    for (bit, row) in
                        [(0, 0), (1, 1), (2, 2), (6, 3), (3, 0), (4, 1), (5, 2), (7, 3)]
                    {
                        if bits >> bit & 1 == 1 {
                            heights.push((y - from) * 4 + row);
                        }
                    }
                }
            }
            if let (Some(low), Some(high)) = (heights.iter().min(), heights.iter().max()) {
                spread.push(high - low);
            }
        }
        // Lines that cross are far apart, then together, then far apart again.
        let wide = |s: &usize| *s >= 6;
        let together = |i: &usize| spread[*i] <= 2;
        let apart_around = |i: usize| spread[..i].iter().any(wide) && spread[i..].iter().any(wide);
        (0..spread.len()).filter(together).any(apart_around)
    }
}
