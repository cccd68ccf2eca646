//! Checking every schedule from where one stands: the bounds, progress, the verdict, and a way into what
//! was found.
//!
//! The work is done in slices between inputs; what is played and judged is the checker's business.

use crate::catalog::ConfigError;
use crate::check::{Report, Verdict};
use crate::export::phrases;
use crate::lab::Lab;
use crate::lab::checking::{Bound, Checking};
use crate::model::{Config, Event};
use crate::trace::{Diagram, Window};
use crate::ui::keymap::Key;
use crate::ui::panel::text::{self, clip, wrap};
use crate::ui::panel::{Look, footer, spacetime};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// States that are worked on between two looks at the keyboard.
const SLICE: usize = 20_000;
/// The column in which the values of the bounds begin.
const VALUES: u16 = 14;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 6] = [
    ("↑ ↓ Tab", "choose a bound"),
    ("+ - ← →", "one more or one less of it; the search ends then"),
    ("any digit, letter", "write it anew; Backspace takes one back"),
    (
        "Enter",
        "search within the bounds that were changed; else play the schedule that was found; else search \
         where the variant is known to fail",
    ),
    (
        "Esc",
        "back; a search that goes on is given up. Also q and v, but not while a goal is written",
    ),
    ("? F1", "this help; while a goal is written F1 alone"),
];

/// The screen's state.
#[derive(Debug)]
pub struct Check {
    checking: Checking,
    /// Where the lab below stands: what is found there is played in it.
    here: Config,
    row: usize,
    /// What is written in the chosen row, as long as it is not the bound's own text.
    typed: Option<String>,
    /// Why what is written is no bound.
    error: Option<String>,
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
    /// Play this run, from the beginning.
    Play(Vec<Event>),
    /// Play it in a cluster of its own.
    Open(Box<Lab>, Vec<Event>),
}

/// What Enter does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Enter {
    Search,
    Play,
    Elsewhere,
    Nothing,
}

impl Check {
    /// A search over every schedule from where the lab stands. `requests`: how often each node asks,
    /// where a lesson says so.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn of(lab: &Lab, requests: &[u32]) -> Result<Self, ConfigError> {
        let checking = Checking::of(lab, requests)?;
        let here = lab.config().clone();
        Ok(Self { checking, here, row: 0, typed: None, error: None })
    }

    /// Whether there is still work to do.
    #[must_use]
    pub fn works(&self) -> bool {
        self.checking.works()
    }

    /// Does a slice of the work.
    pub fn work(&mut self) {
        self.checking.advance(SLICE);
    }

    fn bound(&self) -> Bound {
        self.checking.changeable().nth(self.row).unwrap_or(Bound::Requests)
    }

    /// Whether letters are a part of what is written.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.bound() == Bound::Goal
    }

    fn enter(&self) -> Enter {
        match self.checking.report() {
            _ if self.checking.is_changed() => Enter::Search,
            Some(report) if report.counterexample.is_some() => Enter::Play,
            Some(_) if self.checking.elsewhere().is_some() => Enter::Elsewhere,
            _ => Enter::Nothing,
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        let typing = self.typing();
        match key {
            Key::Esc => return Chosen::Close,
            Key::Char('q' | 'v') if !typing => return Chosen::Close,
            Key::Char('?') if !typing => return Chosen::Help,
            Key::F(1) => return Chosen::Help,
            Key::Enter => return self.go(),
            Key::Up => self.choose(self.row.saturating_sub(1)),
            Key::Down | Key::Tab => self.choose(self.row + 1),
            Key::BackTab => self.choose(self.row.saturating_sub(1)),
            Key::Right => self.turn(true),
            Key::Left => self.turn(false),
            Key::Char('+' | ' ') if !typing => self.turn(true),
            Key::Char('-') if !typing => self.turn(false),
            Key::Backspace => {
                let mut text = self.text();
                text.pop();
                self.write(text);
            }
            Key::Char(c) if typing => self.write(self.text() + c.to_string().as_str()),
            Key::Char(c) if c.is_ascii_alphanumeric() || c == ',' => {
                // The first digit writes the number anew.
                let begun = self.typed.clone().unwrap_or_default();
                self.write(begun + c.to_string().as_str());
            }
            _ => {}
        }
        Chosen::Stay
    }

    /// Adds a pasted text to what is written.
    pub fn paste(&mut self, text: &str) {
        let begun =
            if self.typing() { self.text() } else { self.typed.clone().unwrap_or_default() };
        self.write(begun + text);
    }

    fn go(&mut self) -> Chosen {
        if self.error.is_some() {
            return Chosen::Stay;
        }
        let told = match self.enter() {
            Enter::Nothing => Ok(()),
            Enter::Search => self.checking.start(),
            Enter::Elsewhere => self.checking.go_elsewhere(),
            Enter::Play => return self.play(),
        };
        self.choose(self.row);
        self.error = told.err().map(|error| error.to_string());
        Chosen::Stay
    }

    fn play(&self) -> Chosen {
        let events = self.checking.found().unwrap_or_default().to_vec();
        if *self.checking.config() == self.here {
            return Chosen::Play(events);
        }
        self.checking.lab().map_or(Chosen::Stay, |lab| Chosen::Open(Box::new(lab), events))
    }

    fn choose(&mut self, row: usize) {
        self.row = row.min(self.checking.changeable().count() - 1);
        (self.typed, self.error) = (None, None);
    }

    fn turn(&mut self, up: bool) {
        (self.typed, self.error) = (None, None);
        self.checking.turn(self.bound(), up);
    }

    /// What stands in the chosen row.
    fn text(&self) -> String {
        self.typed.clone().unwrap_or_else(|| self.checking.value(self.bound()))
    }

    fn write(&mut self, text: String) {
        self.error = self.checking.set(self.bound(), &text).err();
        if self.error.is_some() {
            // What cannot be read is not searched either: neither is what stood there before.
            self.checking.stop();
        }
        self.typed = Some(text);
    }

    fn role(&self, verdict: Verdict) -> Role {
        let good = self.checking.report().is_some_and(Report::is_good);
        match verdict {
            Verdict::Limit => Role::Warn,
            Verdict::Safe if self.checking.elsewhere().is_some() => Role::Warn,
            Verdict::GoalUnreachable => Role::Warn,
            _ if good => Role::Ok,
            _ => Role::Bad,
        }
    }

    /// The bounds, one a row. Returns the row after them.
    fn draw_bounds(&self, look: &Look, area: Rect, buf: &mut Buffer) -> u16 {
        let mut y = 2;
        for (row, bound) in self.checking.changeable().enumerate() {
            let chosen = row == self.row;
            let value = if chosen { self.text() } else { self.checking.value(bound) };
            look.put(buf, area, 3, y, bound.word(), Role::Dim);
            let mut x = look.put(buf, area, VALUES, y, &value, Role::Text);
            if chosen && (self.typing() || self.typed.is_some()) {
                x = look.put(buf, area, x, y, "_", Role::Accent);
            }
            let about = x.max(VALUES + 4) + 2;
            let room = usize::from(area.width.saturating_sub(about + 1));
            if chosen || value.is_empty() {
                let text = clip(&look.text(bound.about()), room, look.glyphs.ellipsis);
                look.put(buf, area, about, y, &text, Role::Dim);
            }
            if chosen {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                look.select_row(buf, area, y);
            }
            y += 1;
        }
        y
    }

    /// What is said of the search, one line of text after the other.
    fn told(&self) -> Vec<(String, Role)> {
        let mut all = Vec::new();
        match self.checking.report() {
            _ if self.error.is_some() => {
                all.push((self.error.clone().unwrap_or_default(), Role::Bad));
            }
            _ if self.checking.is_changed() => {
                let text = "Nothing was searched within these bounds yet: Enter begins.";
                all.push((text.to_owned(), Role::Accent));
            }
            None => all.push(("Searching, breadth first …".to_owned(), Role::Accent)),
            Some(report) => {
                let verdict = self.checking.verdict().unwrap_or_default();
                all.push((phrases::sentence(&verdict), self.role(report.verdict)));
                if let Some(there) = self.checking.elsewhere() {
                    let text = format!("{}: Enter searches there.", there.told);
                    all.push((text, Role::Warn));
                }
            }
        }
        all.push((format!("Within: {}.", self.checking.bounds()), Role::Text));
        if !self.checking.is_changed() {
            all.push((self.progress(), Role::Dim));
        }
        if let Some((schedule, again)) = self.checking.found_in_words() {
            let events = self.checking.found().map_or(0, <[Event]>::len);
            all.push((String::new(), Role::Text));
            all.push((format!("A shortest schedule, events: {events}"), Role::Heading));
            all.push((schedule, Role::Text));
            all.extend(
                again.map(|again| (format!("and then again and again: {again}"), Role::Text)),
            );
        }
        all
    }

    fn progress(&self) -> String {
        let p = self.checking.progress();
        let mebibytes = p.bytes as f64 / f64::from(1 << 20);
        let rest =
            if p.reduced { "; states that cannot change the verdict are omitted" } else { "" };
        format!(
            "states {}, not looked at yet {}, depth {}, memory {mebibytes:.1} MiB{rest}",
            p.states, p.frontier, p.depth
        )
    }

    /// The keys that are worth showing now.
    fn hints(&self) -> Vec<(String, String)> {
        let enter = match self.enter() {
            _ if self.error.is_some() => None,
            Enter::Search => Some("search"),
            Enter::Play => Some("play it"),
            Enter::Elsewhere => Some("search there"),
            Enter::Nothing => None,
        };
        let esc = if self.works() { "cancels" } else { "back" };
        let change = if self.typing() { ("a-z", "write it") } else { ("+ -", "change it") };
        let keys = if self.typing() { "F1" } else { "?" };
        let rest = [("↑ ↓", "choose a bound"), change, ("Esc", esc), (keys, "keys")];
        let hints = enter.map(|does| ("Enter", does)).into_iter().chain(rest);
        hints.map(|(key, does)| (key.to_owned(), does.to_owned())).collect()
    }

    /// The failure as a picture, where there is room for it: its last step is the one that breaks something.
    fn picture(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let Some((mut lab, events)) = self.checking.lab().ok().zip(self.checking.found()) else {
            return;
        };
        let lanes = lab.state().view().nodes.len();
        let rows = spacetime::rows_with_messages(lanes);
        if events.is_empty() || area.height < rows || area.width < 40 {
            return;
        }
        if events.iter().any(|event| lab.play(*event).is_err()) {
            return;
        }
        let columns = spacetime::capacity(area.width, &lab.setup().names);
        let window = Window { columns, undone: 0, scrolled_back: 0 };
        let diagram = Diagram::of(lab.history(), window);
        let breaks = Some(lab.state().steps());
        let manner = spacetime::Manner { breaks, ..Default::default() };
        // Lanes far apart are read no better.
        let area = Rect { height: area.height.min(rows + 4 * lanes as u16), ..area };
        spacetime::draw(&diagram, &lab.setup().names, manner, look, area, buf);
    }

    /// Draws the screen.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let line =
            |text: &str, columns: usize| clip(&look.text(text), columns, look.glyphs.ellipsis);
        let room = usize::from(area.width).saturating_sub(2);
        let title = format!("Check every schedule: {}", self.checking.title());
        look.put(buf, area, 1, 0, &line(&title, room), Role::Title);
        let heading = format!("Bounds of what may happen {}:", self.checking.place());
        look.put(buf, area, 1, 1, &line(&heading, room), Role::Heading);
        let top = self.draw_bounds(look, area, buf) + 1;
        let told = self.told();
        let wrapped = |(text, role): &(String, Role)| {
            let parts = wrap(&look.text(text), room.saturating_sub(2)).into_iter();
            parts.map(|part| (part, *role)).collect::<Vec<_>>()
        };
        let mut lines: Vec<(String, Role)> = told.iter().flat_map(wrapped).collect();
        let rows = usize::from(area.height.saturating_sub(top + 1));
        if lines.len() > rows {
            lines.truncate(rows);
            if let Some((last, _)) = lines.last_mut() {
                *last = clip(last, text::width(last).min(room - 4), "");
                last.push_str(look.glyphs.ellipsis);
            }
        }
        for (y, (text, role)) in (top..).zip(&lines) {
            look.put(buf, area, 2, y, text, *role);
        }
        let below = top + lines.len() as u16 + 1;
        let height = area.height.saturating_sub(below + 1);
        let picture = Rect { y: area.y + below, height, x: area.x + 1, width: area.width - 2 };
        self.picture(look, picture, buf);
        let keys = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        footer::keys(&self.hints(), look, keys, buf);
    }
}
