//! Help: all keys from the table that binds them, the legend of the diagram, the words.

use super::{branches, check, compare, compare_pair, drill, home, log, present, setup};
use crate::algorithm::Info;
use crate::ui::action::STEPPER;
use crate::ui::keymap::Key;
use crate::ui::list::{SEARCH, Scroll};
use crate::ui::panel::spacetime;
use crate::ui::panel::text::{pad, width, wrap};
use crate::ui::panel::{Look, nodes};
use crate::ui::screen::stepper::QUESTION_KEYS;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};

/// The words of the field that the program uses.
pub const WORDS: [(&str, &str); 12] = [
    (
        "critical section",
        "the code that at most one node may run at a time; IN CS. With a lease: the client believes so",
    ),
    ("request", "asking for the lock; it stays outstanding until the node has left"),
    ("stamp", "a clock value and its node, (4,P1); smaller first, ties to the node listed first"),
    (
        "clock",
        "a logical clock: a number that never falls along happened-before; it measures no time",
    ),
    ("message", "what one node sends to another; it takes as long as you let it"),
    ("channel", "the way from one node to another; FIFO: messages arrive in the order sent"),
    (
        "step",
        "one event: a node asks, leaves, writes or tells, a message arrives, a timer fires, or a fault happens",
    ),
    ("schedule", "a list of events; with the same settings it gives the same run"),
    ("branch", "another way to go on from the same point; going back keeps it"),
    ("defer", "to keep a reply back until one has left"),
    ("crash", "a node stops; what reaches it while it is down is lost"),
    ("MUTEX", "the lamp of mutual exclusion: never two nodes inside"),
];

/// What the signs of the diagram mean.
fn legend(look: &Look) -> Vec<(String, &'static str)> {
    let g = &look.glyphs;
    vec![
        (g.act.to_owned(), "a node acts by itself: it asks or leaves"),
        (g.receipt.to_owned(), "a message arrives"),
        (g.entered.to_owned(), "the node enters with this step"),
        (g.cs.repeat(3), "the node is in the critical section"),
        (g.lost.to_owned(), "a message is lost, or a node crashes"),
        (g.lane_crashed.repeat(3), "the node has crashed"),
        ("4".to_owned(), "beside an event: the clock after it"),
        (spacetime::delivery(3), "on its way: the key that delivers it"),
        ("s4".to_owned(), "below the lanes: the number of a step"),
        ("solid".to_owned(), "a line that asks: a request"),
        ("dashed".to_owned(), "a line that answers or frees"),
        (g.now.to_owned(), "now; lines that end here are still on their way"),
        ("dim".to_owned(), "right of now: steps that were taken back"),
        ("*".to_owned(), "in the table: changed by the last step"),
        (format!("{} {}", g.yes, g.no), "a condition that is met, or not"),
    ]
}

/// The keys that every screen has.
const EVERYWHERE: [(&str, &str); 4] = [
    SEARCH,
    ("m", "the mouse on or off: a click delivers a message, or goes to a step of the diagram"),
    ("Ctrl-C", "out at once, from everywhere"),
    ("Ctrl-Z", "suspend; fg comes back here"),
];

/// The screens that have keys of their own, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The stepper.
    Stepper,
    /// A question that is open in it.
    Questions,
    /// Home.
    Home,
    /// The form of free play.
    Form,
    /// The choice of a drill.
    Drill,
    /// The tree of runs.
    Branches,
    /// What happened.
    Log,
    /// The search over every schedule.
    Check,
    /// What entries cost.
    Compare,
    /// Two algorithms side by side.
    Beside,
}

impl Part {
    const ALL: [Self; 10] = [
        Self::Stepper,
        Self::Questions,
        Self::Home,
        Self::Form,
        Self::Drill,
        Self::Branches,
        Self::Log,
        Self::Check,
        Self::Compare,
        Self::Beside,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Stepper => "Keys of the stepper",
            Self::Questions => "Questions of a lesson",
            Self::Home => "Home",
            Self::Form => "Free play: the form",
            Self::Drill => "Drill",
            Self::Branches => "Branches",
            Self::Log => "Log",
            Self::Check => "Check",
            Self::Compare => "Compare",
            Self::Beside => "Side by side",
        }
    }

    /// Its keys, from the tables of the screens.
    fn keys(self) -> Vec<(String, &'static str)> {
        let own: &[(&str, &'static str)] = match self {
            Self::Stepper => return STEPPER.iter().map(|b| (b.all_keys(), b.about)).collect(),
            Self::Questions => &QUESTION_KEYS,
            Self::Home => &home::KEYS,
            Self::Form => &setup::KEYS,
            Self::Drill => &drill::KEYS,
            Self::Branches => &branches::KEYS,
            Self::Log => &log::KEYS,
            Self::Check => &check::KEYS,
            Self::Compare => &compare::KEYS,
            Self::Beside => &compare_pair::KEYS,
        };
        own.iter().map(|(key, about)| ((*key).to_owned(), *about)).collect()
    }
}

/// The help's state: how far it is scrolled, and where it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help {
    scroll: Scroll,
    /// What comes first; `None`: the lecture hall, which has keys of its own.
    first: Option<Part>,
}

enum Row {
    Head(String),
    Pair(String, String),
    Gap,
}

/// The keys of one screen, then those that every screen has, then all the others.
fn rows(look: &Look, info: Option<&Info>, first: Part) -> Vec<Row> {
    let part = |part: Part| {
        let keys = part.keys().into_iter();
        let head = std::iter::once(Row::Head(part.title().to_owned()));
        head.chain(keys.map(|(key, about)| Row::Pair(key, about.to_owned())))
    };
    let mut rows: Vec<Row> = part(first).collect();
    rows.extend([Row::Gap, Row::Head("Everywhere".to_owned())]);
    rows.extend(EVERYWHERE.map(|(key, about)| Row::Pair(key.to_owned(), about.to_owned())));
    for other in Part::ALL.into_iter().filter(|part| *part != first) {
        rows.push(Row::Gap);
        rows.extend(part(other));
    }
    rows.extend(signs_and_words(look, info));
    rows
}

/// The keys of a presentation.
fn hall_keys() -> Vec<Row> {
    let mut rows = vec![Row::Head("Keys of the presentation".to_owned())];
    rows.extend(present::KEYS.iter().map(|b| Row::Pair(b.all_keys(), b.about.to_owned())));
    rows.extend([Row::Gap, Row::Head("While hands are counted".to_owned())]);
    let own = present::COUNTING_KEYS.iter().chain(&present::INDEX_KEYS);
    rows.extend(own.map(|(key, does)| Row::Pair((*key).to_owned(), (*does).to_owned())));
    rows.extend([Row::Gap, Row::Head("In the notes, where all else is as in the hall".to_owned())]);
    rows.extend(present::NOTES_KEYS.map(|(key, does)| Row::Pair(key.to_owned(), does.to_owned())));
    rows
}

/// What is seen in the pictures and in the words.
fn signs_and_words(look: &Look, info: Option<&Info>) -> Vec<Row> {
    let mut rows = vec![Row::Gap, Row::Head("The diagram".to_owned())];
    rows.extend(legend(look).into_iter().map(|(sign, what)| Row::Pair(sign, what.to_owned())));
    if let Some(info) = info {
        rows.extend([Row::Gap, Row::Head(format!("{}: the columns of the table", info.title))]);
        rows.extend(info.fields.iter().map(|f| Row::Pair(f.name.to_owned(), f.about.to_owned())));
    }
    rows.extend([Row::Gap, Row::Head("Signs in the table".to_owned())]);
    let signs = nodes::legend(look);
    rows.extend(signs.into_iter().map(|(sign, what)| Row::Pair(sign, what.to_owned())));
    rows.extend([Row::Gap, Row::Head("Words".to_owned())]);
    rows.extend(WORDS.iter().map(|(w, about)| Row::Pair((*w).to_owned(), (*about).to_owned())));
    rows
}

impl Help {
    fn rows(&self, look: &Look, info: Option<&Info>) -> Vec<Row> {
        let Some(first) = self.first else {
            let mut rows = hall_keys();
            rows.extend(signs_and_words(look, info));
            return rows;
        };
        rows(look, info, first)
    }

    /// The help, with the keys of one screen first.
    #[must_use]
    pub fn of(part: Part) -> Self {
        Self { scroll: Scroll::default(), first: Some(part) }
    }

    /// The help of a presentation.
    #[must_use]
    pub fn hall() -> Self {
        Self { scroll: Scroll::default(), first: None }
    }

    /// Scrolls. Says whether the key meant to close the help.
    pub fn key(&mut self, key: Key) -> bool {
        !self.scroll.key(key)
    }

    /// Whether letters are typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.scroll.search.typing()
    }

    /// Draws the help over a whole window.
    pub fn draw(&self, info: Option<&Info>, look: &Look, area: Rect, buf: &mut Buffer) {
        let lines = lay_out(&self.rows(look, info), usize::from(area.width), look);
        let room = usize::from(area.height.saturating_sub(2));
        let texts = lines.iter().map(|line| format!("{}{}", line.0, line.1)).collect();
        let top = self.scroll.top(texts, room);
        look.put(buf, area, 1, 0, "Help", Role::Title);
        for (y, line) in lines.iter().skip(top).take(room).enumerate() {
            let found = self.scroll.found() == Some(top + y);
            let y = y as u16 + 1;
            let x = look.put(buf, area, 1, y, &line.0, line.2);
            look.put(buf, area, x, y, &line.1, Role::Text);
            if found {
                look.select_row(buf, area, y);
            }
        }
        let more = if top + room < lines.len() { "↓ more · " } else { "" };
        let how = format!("{more}↑ ↓ Space Home End scroll · / search · Esc closes");
        let last = area.height.saturating_sub(1);
        match self.scroll.search.line() {
            Some(line) => look.put(buf, area, 1, last, &line, Role::Warn),
            None => look.put(buf, area, 1, last, &how, Role::Dim),
        };
    }
}

/// Lines with a first part, a second part, and the first part's role.
fn lay_out(rows: &[Row], columns: usize, look: &Look) -> Vec<(String, String, Role)> {
    let mut lines = Vec::new();
    let left = 20.min(columns / 3).max(8);
    for row in rows {
        match row {
            Row::Gap => lines.push((String::new(), String::new(), Role::Text)),
            Row::Head(text) => lines.push((text.clone(), String::new(), Role::Heading)),
            Row::Pair(a, b) => {
                let (a, b) = (look.text(a).into_owned(), look.text(b).into_owned());
                let parts = wrap(&b, columns.saturating_sub(left + 3));
                let many_keys = width(&a) > left;
                if many_keys {
                    lines.push((a.clone(), String::new(), Role::Key));
                }
                for (i, part) in parts.into_iter().enumerate() {
                    let first = if i == 0 && !many_keys { a.as_str() } else { "" };
                    lines.push((pad(first, left + 1), part, Role::Key));
                }
            }
        }
    }
    lines
}

/// The legend in a box over the middle of a window.
pub fn legend_over(look: &Look, area: Rect, buf: &mut Buffer) {
    let legend = legend(look);
    let width = 62.min(area.width);
    let height = (legend.len() as u16 + 2).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Clear.render(place, buf);
    let inner = super::frame("Legend: any key closes", true, look, place, buf);
    for (y, (sign, what)) in legend.iter().enumerate() {
        let x = look.put(buf, inner, 1, y as u16, &pad(&look.text(sign), 8), Role::Key);
        look.put(buf, inner, x, y as u16, what, Role::Text);
    }
}
