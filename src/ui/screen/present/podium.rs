//! The presenter's notes in a terminal of their own: the note, what the hall sees, what comes, the time.
//!
//! It shows what it is told and steers nothing.

use crate::ui::keymap::{Input, Key};
use crate::ui::panel::text::{width, wrap};
use crate::ui::panel::{Look, prose};
use crate::ui::present_link::{Guest, Heard, Line};
use crate::ui::screen::frame;
use crate::ui::session::{Flow, Screenful};
use crate::ui::theme::Role;
use crate::ui::{Waker, present_link};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The notes while they are open.
#[derive(Debug)]
pub struct Podium {
    guest: Guest,
    look: Look,
    /// How the lesson is called on the command line.
    lesson: String,
}

impl Podium {
    /// Notes that follow a presentation.
    #[must_use]
    pub fn new(guest: Guest, look: Look, lesson: String) -> Self {
        Self { guest, look, lesson }
    }
}

impl Screenful for Podium {
    fn input(&mut self, input: Input) -> Flow {
        match input {
            Input::Key(Key::Char('q')) => Flow::Quit,
            Input::Background(background) => {
                self.look = Look { theme: self.look.theme.on(background), ..self.look };
                Flow::Changed
            }
            Input::Tick | Input::Woken | Input::Resize(..) => Flow::Changed,
            _ => Flow::Unchanged,
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let heard = self.guest.heard();
        let now = present_link::seconds();
        draw(&heard, &self.lesson, now, &self.look, area, frame.buffer_mut());
    }

    /// The time goes on.
    fn tick_every(&self) -> Option<Duration> {
        Some(Duration::from_secs(1))
    }

    fn wake_with(&mut self, waker: Waker) {
        self.guest.follow(waker);
    }
}

/// Minutes and seconds, with hours once there are some.
fn clock(seconds: u64) -> String {
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m:02}:{s:02}") }
}

/// Draws the notes; `now` is the time, in seconds since 1970.
pub fn draw(heard: &Heard, lesson: &str, now: u64, look: &Look, area: Rect, buf: &mut Buffer) {
    if area.height < 2 || area.width < 20 {
        return;
    }
    let Some(line) = &heard.last else {
        waiting(heard, lesson, look, area, buf);
        return;
    };
    header(line, now, look, area, buf);
    let mut y = area.y + 1;
    if !heard.connected {
        let text = format!(
            "The presenter is gone. Waiting: {}",
            heard.trouble.clone().unwrap_or_else(|| how_to_start(lesson))
        );
        for row in wrap(&look.text(&text), usize::from(area.width.saturating_sub(2))) {
            look.put(buf, area, 1, y - area.y, &row, Role::Warn);
            y += 1;
        }
    }
    let bottom = Rect { y: area.bottom() - 1, height: 1, ..area };
    look.put(buf, bottom, 1, 0, "q closes the notes; the presentation goes on", Role::Dim);
    let rest = Rect { y, height: (area.bottom() - 1).saturating_sub(y), ..area };
    body(line, look, rest, buf);
}

fn how_to_start(lesson: &str) -> String {
    format!("lockstep present {lesson}")
}

/// Before anything was heard.
fn waiting(heard: &Heard, lesson: &str, look: &Look, area: Rect, buf: &mut Buffer) {
    look.put(buf, area, 1, 0, "Notes", Role::Title);
    let text = match &heard.trouble {
        Some(trouble) => trouble.clone(),
        None => {
            format!("Waiting for the presentation. In another terminal: {}", how_to_start(lesson))
        }
    };
    for (y, row) in
        wrap(&look.text(&text), usize::from(area.width.saturating_sub(2))).iter().enumerate()
    {
        look.put(buf, area, 1, y as u16 + 2, row, Role::Text);
    }
    look.put(buf, area, 1, area.height - 1, "q closes the notes", Role::Dim);
}

/// The step, the time since the beginning and on this step.
fn header(line: &Line, now: u64, look: &Look, area: Rect, buf: &mut Buffer) {
    let told = &line.now;
    let step = format!("step {}/{}", told.step, told.steps);
    let click = format!("click {}/{}", told.click, told.clicks);
    let planned = told.minutes.map_or(String::new(), |minutes| format!(" of {minutes} min"));
    let whole = format!("{}{planned}", clock(now.saturating_sub(line.began)));
    let here = format!("this step {}", clock(now.saturating_sub(line.since)));
    let right =
        [(step, Role::Accent), (click, Role::Text), (whole, Role::Title), (here, Role::Text)];
    let used: usize = right.iter().map(|(t, _)| width(t) + 2).sum();
    let room = usize::from(area.width).saturating_sub(used + 2);
    let title = crate::ui::panel::text::clip(&look.text(&told.title), room, look.glyphs.ellipsis);
    look.put(buf, area, 1, 0, &title, Role::Dim);
    let mut x = area.width.saturating_sub(used as u16);
    for (text, role) in right {
        x = look.put(buf, area, x, 0, &text, role) + 2;
    }
}

type Part = (&'static str, Vec<Vec<(String, Role)>>);

/// The parts below each other. Where there is no room for all, what the hall sees anyway is cut.
fn body(line: &Line, look: &Look, area: Rect, buf: &mut Buffer) {
    let columns = usize::from(area.width.saturating_sub(2));
    let mut parts = parts(line, columns, look);
    let rows = |parts: &[Part]| parts.iter().map(|(_, lines)| lines.len() + 1).sum::<usize>();
    while rows(&parts) > usize::from(area.height) {
        let Some(longest) = parts.iter_mut().max_by_key(|(_, lines)| lines.len()) else { return };
        if longest.1.len() <= 1 {
            break;
        }
        longest.1.pop();
        if let Some(last) = longest.1.last_mut() {
            last.push((format!(" {}", look.glyphs.ellipsis), Role::Dim));
        }
    }
    let mut y = area.y;
    for (title, lines) in &parts {
        if y >= area.bottom() {
            return;
        }
        let place = Rect { y, height: area.bottom() - y, ..area };
        let inner = frame(title, false, look, place, buf);
        let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
        y = inner.y + prose::draw(lines, 0, look, inner, buf);
    }
}

fn parts(line: &Line, columns: usize, look: &Look) -> Vec<Part> {
    let told = &line.now;
    let wrapped = |text: &str, role: Role| -> Vec<Vec<(String, Role)>> {
        let lines = wrap(&look.text(text), columns);
        lines.into_iter().map(|l| vec![(l, role)]).collect()
    };
    let mut hall = Vec::new();
    if !told.hall.is_empty() {
        hall.extend(wrapped(&told.hall, Role::Warn));
    }
    hall.extend(wrapped(told.event.as_ref().unwrap_or(&told.says), Role::Text));
    if let Some(asks) = told.asks.as_ref().filter(|_| told.asked) {
        hall.extend(wrapped(&format!("? {asks}"), Role::Question));
    }
    let mut next = wrapped(&told.next, Role::Accent);
    if let Some(answer) = told.answer.as_ref().filter(|_| !told.answers_next) {
        next.extend(wrapped(&format!("Answer of this step: {answer}"), Role::Dim));
    }
    let note = match &told.note {
        Some(note) => prose::lay_out(&look.text(note), columns),
        None => wrapped("no note on this step", Role::Dim),
    };
    let mut parts = vec![("Note", note)];
    if let Some(aside) = &told.aside {
        parts.push(("For you", wrapped(aside, Role::Warn)));
    }
    parts.push(("In the hall", hall));
    parts.push(("Revealed", wrapped(&told.revealed, Role::Text)));
    parts.push(("Next click", next));
    if let Some(step) = &told.next_step {
        parts.push((
            "Next step",
            wrapped(&format!("{}: {step}", told.step.saturating_add(1)), Role::Text),
        ));
    }
    parts
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ui::color::ColorUse;
    use crate::ui::present_link::{Now, VERSION};
    use crate::ui::theme::{Glyphs, Theme, ThemeName};

    fn told() -> Heard {
        let now = Now {
            title: "The race".to_owned(),
            minutes: Some(25),
            step: 3,
            steps: 19,
            click: 2,
            clicks: 4,
            note: Some("Ask for a show of **hands** first.".to_owned()),
            says: "Both wait.".to_owned(),
            asks: Some("Who enters first?".to_owned()),
            asked: true,
            revealed: "2 of 3 options are shown".to_owned(),
            answer: Some("b) P2".to_owned()),
            next: "option c: whichever arrives first".to_owned(),
            next_step: Some("Now the messages.".to_owned()),
            ..Now::default()
        };
        let line = Line { lockstep_present: VERSION, began: 1_000, since: 1_100, now };
        Heard { last: Some(line), connected: true, trouble: None }
    }

    /// A text with each of its numbers, one after the other, at the ends of what a number can be.
    pub(in crate::ui::screen::present) fn every_number_at_its_end(
        text: &str,
    ) -> impl Iterator<Item = String> + '_ {
        let digit = |c: char| c.is_ascii_digit();
        let begins = text.match_indices(digit).map(|(at, _)| at);
        let begins = begins.filter(move |at| !text[..*at].ends_with(digit));
        begins.flat_map(move |at| {
            let rest = text[at..].trim_start_matches(digit);
            let ends = [
                "0",
                "1",
                "255",
                "4294967295",
                "4294967296",
                "9223372036854775807",
                "18446744073709551615",
                "18446744073709551616",
                "-1",
                "1e300",
            ];
            ends.into_iter().map(move |n| format!("{}{n}{rest}", &text[..at]))
        })
    }

    fn drawn(heard: &Heard, columns: u16, rows: u16) -> String {
        let theme = Theme::new(ThemeName::None, ColorUse::Off, None);
        let look = Look { theme, glyphs: Glyphs::UNICODE };
        let area = Rect::new(0, 0, columns, rows);
        let mut buf = Buffer::empty(area);
        draw(heard, "9", 1_125, &look, area, &mut buf);
        let row = |y| (0..columns).map(|x| buf[(x, y)].symbol().to_owned()).collect::<String>();
        (0..rows).map(|y| row(y).trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn the_notes_show_the_note_what_the_hall_sees_what_comes_and_the_time() {
        let text = drawn(&told(), 80, 24);
        for part in [
            "Ask for a show of hands first.",
            "Both wait.",
            "? Who enters first?",
            "2 of 3 options are shown",
            "option c: whichever arrives first",
            "Answer of this step: b) P2",
            "4: Now the messages.",
            "step 3/19",
            "click 2/4",
            "02:05 of 25 min",
            "this step 00:25",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        assert!(!text.contains("Waiting"), "{text}");
    }

    #[test]
    fn a_presenter_who_is_gone_leaves_the_last_state_and_the_way_back() {
        let text = drawn(&Heard { connected: false, ..told() }, 80, 24);
        assert!(
            text.contains("The presenter is gone") && text.contains("lockstep present 9"),
            "{text}"
        );
        assert!(text.contains("option c"), "{text}");
        let trouble = Some("another version".to_owned());
        let text = drawn(&Heard { trouble, ..Heard::default() }, 80, 24);
        assert!(text.contains("another version"), "{text}");
    }

    #[test]
    fn a_long_note_leaves_room_for_what_comes() {
        let mut heard = told();
        if let Some(line) = &mut heard.last {
            line.now.note = Some("word ".repeat(900));
        }
        let text = drawn(&heard, 80, 24);
        assert!(text.contains("option c") && text.contains("4: Now the messages."), "{text}");
    }

    #[test]
    fn the_notes_can_be_drawn_at_every_size() {
        for columns in [1, 19, 20, 33, 60, 200] {
            for rows in [1, 2, 3, 7, 18, 60] {
                for heard in [Heard::default(), told(), Heard { connected: false, ..told() }] {
                    drawn(&heard, columns, rows);
                }
            }
        }
    }

    #[test]
    fn notes_with_any_numbers_are_drawn() {
        let text = include_str!("../../../../tests/inputs/notes-overflow.bin");
        let texts = every_number_at_its_end(text).chain([text.to_owned()]);
        let mut read = 0;
        for line in texts.filter_map(|text| Line::read(&text).ok()) {
            read += 1;
            let heard = Heard { last: Some(line), connected: true, trouble: None };
            for (columns, rows) in [(80, 24), (20, 2), (200, 60), (33, 7)] {
                drawn(&heard, columns, rows);
            }
        }
        assert!(read > 10, "{read}");
    }

    #[test]
    fn hours_show_once_there_are_some() {
        assert_eq!(clock(0), "00:00");
        assert_eq!(clock(75), "01:15");
        assert_eq!(clock(3 * 3600 + 61), "3:01:01");
    }
}
