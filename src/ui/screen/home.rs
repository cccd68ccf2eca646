//! Home: the course, free play, and what else there is. One list, one key each.

use crate::catalog;
use crate::ui::course::{Course, Standing};
use crate::ui::keymap::Key;
use crate::ui::list::{Digit, List, TypedNumber};
use crate::ui::panel::text::{clip, pad, width, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::HashSet;

/// The columns of the kinds' names.
const KINDS: u16 = 10;
/// So many rows has what is not the course at least.
const OTHERS: usize = 6;

/// What the program is about, as long as there is room for.
const TAGS: [&str; 2] = [
    "distributed mutual exclusion, one message at a time",
    "mutual exclusion, one message at a time",
];

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 6] = [
    ("↑ ↓ Tab", "choose a row; PageUp, PageDown, Home and End go further"),
    ("Enter → Space", "open the row"),
    ("0-9", "open the lesson with that number; where a longer one begins so, Enter ends it"),
    ("a-z A-Z", "open the row with that letter"),
    ("+", "take a lesson once more that is done; what was recorded stays as it is"),
    ("q", "leave the program"),
];

/// What a row of the list opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A lesson, by its place in the catalogue.
    Lesson(usize),
    /// The choice of a drill.
    Drill,
    /// What entries cost, algorithm by algorithm.
    Compare,
    /// Two algorithms side by side.
    Beside,
    /// Every schedule of a cluster.
    Check,
    /// The last run of free play, where it was left.
    Continue,
    /// Free play with an algorithm, by its place in the catalog.
    Play(usize),
}

/// The screen's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    items: Vec<Item>,
    /// The numbers of the lessons.
    numbers: Vec<usize>,
    typed: TypedNumber,
    list: List,
    /// Told until the next key.
    pub notice: Option<String>,
}

/// What a key came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Stay here.
    Stay,
    /// Open this.
    Open(Item),
    /// Take this lesson once more.
    Again(usize),
    /// Show the help.
    Help,
    /// Leave the program.
    Quit,
}

/// What a row says.
fn text_of(item: &Item, lessons: &Course) -> String {
    match item {
        Item::Lesson(n) => lessons.title(*n),
        Item::Compare => "What an entry costs in messages".to_owned(),
        Item::Beside => "Two algorithms side by side".to_owned(),
        Item::Continue => format!("Continue: {}", lessons.last_run().unwrap_or_default()),
        Item::Play(n) => catalog::all()[*n].info.title.to_owned(),
        Item::Drill => "Predictions on random runs".to_owned(),
        Item::Check => "Every schedule of a small cluster".to_owned(),
    }
}

/// The kind of a row.
fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::Lesson(_) => "Course",
        Item::Compare | Item::Beside => "Compare",
        Item::Check => "Check",
        Item::Continue | Item::Play(_) => "Free play",
        Item::Drill => "Drill",
    }
}

impl Home {
    /// The list over the lessons that there are.
    #[must_use]
    pub fn new(course: &Course) -> Self {
        let (numbers, items) = (course.numbers(), Self::items(course));
        let (typed, list) = (TypedNumber::default(), List::default());
        let mut home = Self { items, numbers, typed, list, notice: None };
        home.stand_on_lesson(course.to_go_on_with().unwrap_or(0));
        home
    }

    fn items(lessons: &Course) -> Vec<Item> {
        let left = lessons.last_run().map(|_| Item::Continue);
        let lessons = (0..lessons.len()).map(Item::Lesson);
        let play = catalog::all().iter().enumerate().map(|(i, _)| Item::Play(i));
        let others = [Item::Drill, Item::Check, Item::Compare, Item::Beside];
        lessons.chain(others).chain(left).chain(play).collect()
    }

    /// Makes the list anew, after something was left; the same row stays chosen.
    pub fn renew(&mut self, lessons: &Course) {
        let chosen = self.items.get(self.list.chosen).cloned();
        self.items = Self::items(lessons);
        let place = chosen.and_then(|item| self.items.iter().position(|other| *other == item));
        let chosen = place.unwrap_or(self.list.chosen).min(self.items.len().saturating_sub(1));
        self.list = List::at(chosen);
    }

    /// Goes to the row of a lesson, by its place in the catalogue.
    pub fn stand_on_lesson(&mut self, place: usize) {
        let row = self.items.iter().position(|item| *item == Item::Lesson(place));
        self.list.chosen = row.unwrap_or(self.list.chosen);
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, lessons: &Course) -> Chosen {
        self.notice = None;
        let moves = if key == Key::Tab { Key::Down } else { key };
        let text = |place: usize| text_of(&self.items[place], lessons);
        if self.list.key(moves, self.items.len(), text) {
            self.typed.forget();
            return Chosen::Stay;
        }
        if let Key::Char(c @ '0'..='9') = key {
            return self.digit(c);
        }
        self.typed.forget();
        match key {
            Key::Enter | Key::Right | Key::Char(' ') => return self.open(self.list.chosen),
            Key::Char(c) if self.place_of(c).is_some() => {
                return self.open(self.place_of(c).unwrap_or(0));
            }
            Key::Char('+') => match self.done_lesson(lessons) {
                Some(place) => return Chosen::Again(place),
                None => self.notice = Some("+ takes a lesson once more that is done".to_owned()),
            },
            Key::Char('?') | Key::F(1) => return Chosen::Help,
            Key::Char('q') => return Chosen::Quit,
            Key::Char(c) => self.notice = Some(format!("no row has the key {c}")),
            _ => {}
        }
        Chosen::Stay
    }

    /// The chosen row, where it is a lesson that is done.
    fn done_lesson(&self, lessons: &Course) -> Option<usize> {
        match self.items.get(self.list.chosen)? {
            Item::Lesson(place) if lessons.is_done(*place) => Some(*place),
            _ => None,
        }
    }

    fn open(&self, place: usize) -> Chosen {
        self.items.get(place).cloned().map_or(Chosen::Stay, Chosen::Open)
    }

    /// One more digit of the number of a lesson. It is opened as soon as no longer number begins so.
    fn digit(&mut self, digit: char) -> Chosen {
        self.notice = Some(match self.typed.digit(digit, self.numbers.iter().copied()) {
            Digit::Whole(place) => {
                self.stand_on_lesson(place);
                return self.open(self.list.chosen);
            }
            Digit::Begun(typed, Some(place)) => {
                self.stand_on_lesson(place);
                format!("{typed}: Enter opens it, another digit goes on")
            }
            Digit::Begun(typed, None) => format!("{typed}: another digit goes on"),
            Digit::Unknown(typed) => format!("no lesson has the number {typed}"),
        });
        Chosen::Stay
    }

    /// The key of a row: the number of a lesson, else a letter that means nothing else here.
    fn key_of(&self, place: usize) -> String {
        let letters = "abcdefghijklnoprstuvwxyzABCDEFGHIJKLNOPRSTUVWXYZ";
        match place.checked_sub(self.numbers.len()) {
            None => self.numbers[place].to_string(),
            Some(place) => letters.chars().nth(place).map_or(String::new(), String::from),
        }
    }

    fn place_of(&self, key: char) -> Option<usize> {
        (0..self.items.len()).find(|i| self.key_of(*i).chars().eq([key]))
    }

    /// Whether letters are typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.list.search.typing()
    }

    /// Draws the list, and beside or below it what the chosen row is about.
    pub fn draw(&self, lessons: &Course, look: &Look, area: Rect, buf: &mut Buffer) {
        look.put(buf, area, 1, 0, "Lockstep", Role::Title);
        let tag = TAGS.iter().find(|tag| 11 + width(tag) <= usize::from(area.width));
        look.put(buf, area, 11, 0, tag.unwrap_or(&""), Role::Dim);
        let next = clip(&lessons.what_next(), usize::from(area.width), look.glyphs.ellipsis);
        look.put(buf, area, 1, 1, &next, Role::Accent);
        let about = 4.min(area.height / 5);
        let room = area.height.saturating_sub(about + 4);
        let list = Rect { y: area.y + 2, height: room, ..area };
        self.lists(lessons, look, list, buf);
        let below = Rect { y: list.bottom(), height: about + 1, ..area };
        self.about(lessons, look, below, buf);
        let again = self.done_lesson(lessons).map(|_| ("+", "once more"));
        let mut hints = vec![("Enter", "opens")];
        hints.extend(again);
        hints.extend([("↑ ↓", "choose"), ("/", "search"), ("?", "keys"), ("q", "quit")]);
        let told = self.notice.clone().or_else(|| self.list.search.line());
        footer::line(told.as_deref(), &hints, look, area, buf);
    }

    /// The course and what else there is. Where there is no room for all, each has rows of its own to scroll,
    /// so that both are seen.
    fn lists(&self, lessons: &Course, look: &Look, area: Rect, buf: &mut Buffer) {
        let first_other = self.items.iter().position(|item| !matches!(item, Item::Lesson(_)));
        let (course, others) = self.items.split_at(first_other.unwrap_or(self.items.len()));
        let headings = |items: &[Item]| {
            let kinds: HashSet<&str> = items.iter().map(kind_of).collect();
            items.len() + 2 * kinds.len()
        };
        let room = usize::from(area.height);
        if headings(course) + headings(others) - 1 <= room {
            return self.list((0, &self.items), true, lessons, look, area, buf);
        }
        // Beside the kinds stand their names; a row above each part says how many there are more.
        let low = others.len().min((room * 9 / 20).max(OTHERS)) as u16;
        let upper = Rect { height: area.height.saturating_sub(low + 1), ..area };
        let lower = Rect { y: upper.bottom() + 1, height: low, ..area };
        self.list((0, course), false, lessons, look, upper, buf);
        self.list((course.len(), others), false, lessons, look, lower, buf);
    }

    /// Rows of items, of which the first has this place; between the kinds stand headings, or their names
    /// beside them.
    fn list(
        &self,
        (from, items): (usize, &[Item]),
        headed: bool,
        lessons: &Course,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let mut rows: Vec<(Option<usize>, &str)> = Vec::new();
        let mut last = "";
        for (i, item) in items.iter().enumerate() {
            let kind = kind_of(item);
            if headed && kind != last {
                rows.extend((!last.is_empty()).then_some((None, "")));
                rows.push((None, kind));
            }
            rows.push((Some(i + from), if kind == last { "" } else { kind }));
            last = kind;
        }
        let at = rows.iter().position(|(i, _)| *i == Some(self.list.chosen));
        let room = usize::from(area.height);
        let first = at.map_or(0, |at| (at + 2).saturating_sub(room));
        let first = first.min(rows.len().saturating_sub(room));
        let below = rows.iter().skip(first + room).filter(|(item, _)| item.is_some()).count();
        if below > 0 {
            let more = format!("{} {below} more", look.glyphs.more_down);
            let line = Rect { height: area.height + 1, ..area };
            look.put(buf, line, 1, area.height, &more, Role::Dim);
        }
        for (y, (item, kind)) in rows.iter().skip(first).take(room).enumerate() {
            let y = y as u16;
            match item {
                None => {
                    look.put(buf, area, 1, y, kind, Role::Heading);
                }
                Some(i) => {
                    // The first row that is seen says its kind as well.
                    let kind = if y == 0 { kind_of(&self.items[*i]) } else { kind };
                    let area = Rect { y: area.y + y, height: 1, ..area };
                    self.row((*i, (!headed).then_some(kind)), lessons, look, area, buf);
                }
            }
        }
    }

    /// Draws one row into its place.
    fn row(
        &self,
        (i, kind): (usize, Option<&str>),
        lessons: &Course,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let left = if let Some(kind) = kind {
            look.put(buf, area, 2, 0, kind, Role::Heading);
            KINDS
        } else {
            0
        };
        let (sign, word) = self.standing(i, lessons, look);
        look.put(buf, area, left + 2, 0, &format!("{:>2}", self.key_of(i)), Role::Key);
        look.put(buf, area, left + 5, 0, sign, Role::Accent);
        let columns = usize::from(area.width).saturating_sub(usize::from(left) + 9 + width(word));
        let text = look.text(&text_of(&self.items[i], lessons)).into_owned();
        let text = pad(&clip(&text, columns, look.glyphs.ellipsis), columns);
        let x = look.put(buf, area, left + 7, 0, &text, Role::Text);
        look.put(buf, area, x + 1, 0, word, Role::Dim);
        if i == self.list.chosen {
            look.put(buf, area, 1, 0, look.glyphs.cursor, Role::Accent);
            look.select_row(buf, area, 0);
        }
    }

    fn standing(&self, i: usize, lessons: &Course, look: &Look) -> (&'static str, &'static str) {
        match self.items[i] {
            Item::Play(_) | Item::Continue | Item::Compare | Item::Beside => (" ", ""),
            Item::Drill | Item::Check => (" ", ""),
            Item::Lesson(n) => match lessons.standing(n) {
                Standing::New => (look.glyphs.lesson_new, "new"),
                Standing::Started => (look.glyphs.lesson_begun, "started"),
                Standing::Done => (look.glyphs.lesson_done, "done"),
                Standing::Shown => (look.glyphs.lesson_done, "shown"),
            },
        }
    }

    fn about(&self, lessons: &Course, look: &Look, area: Rect, buf: &mut Buffer) {
        let text = match self.items.get(self.list.chosen) {
            Some(Item::Lesson(n)) => lessons.about(*n),
            Some(Item::Compare) => {
                "Messages for one entry and for all at once, measured beside the formulas, for 2 to 16 nodes."
                    .to_owned()
            }
            Some(Item::Beside) => {
                "The same requests in two clusters, stepped together, messages counted.".to_owned()
            }
            Some(Item::Continue) => {
                "The run of free play that you left last, with all its branches.".to_owned()
            }
            Some(Item::Play(n)) => catalog::all()[*n].info.idea.to_owned(),
            Some(Item::Drill) => super::drill::ABOUT.to_owned(),
            Some(Item::Check) => {
                "Plays all orders of events of a cluster and shows the shortest way to a failure."
                    .to_owned()
            }
            None => String::new(),
        };
        let columns = usize::from(area.width.saturating_sub(2));
        let lines = wrap(&look.text(&text), columns);
        for (y, line) in lines.iter().take(usize::from(area.height.saturating_sub(1))).enumerate() {
            look.put(buf, area, 1, y as u16 + 1, line, Role::Dim);
        }
    }
}
