//! Turns what the terminal reports into the program's own [`Key`] and [`Input`].
//!
//! It knows nothing of screens and reads nothing itself: one event in, at most one input out.
//!
//! The rules that keep a course honest live here: only a *press* is a key, so that press and
//! release of one key never step a cluster twice; a held arrow is a [`Input::Repeat`], which
//! screens may use for scrolling and never for stepping; pasted text is one [`Input::Paste`].

use super::background::Piece;
use super::color::Background;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use serde::{Deserialize, Serialize};

/// A key, free of the terminal library's types and of keyboard layouts' accidents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Key {
    /// A character as typed: Shift is already in it, the space bar is `' '`.
    Char(char),
    /// Enter; also Ctrl-J, which is what some terminals and drivers send for it.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Backspace; also Ctrl-H, which is what some terminals send for it.
    Backspace,
    /// The up arrow.
    Up,
    /// The down arrow.
    Down,
    /// The left arrow.
    Left,
    /// The right arrow.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up, also the "back" key of most clickers.
    PageUp,
    /// Page down, also the "next" key of most clickers.
    PageDown,
    /// Delete.
    Delete,
    /// A function key, `F(1)` for F1.
    F(u8),
    /// Control and a character, always in lower case.
    Ctrl(char),
}

impl Key {
    /// Whether holding the key may scroll: arrows, pages, Home and End.
    const fn scrolls(self) -> bool {
        matches!(
            self,
            Self::Up
                | Self::Down
                | Self::Left
                | Self::Right
                | Self::Home
                | Self::End
                | Self::PageUp
                | Self::PageDown
        )
    }
}

/// Something that happened to a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed.
    Key(Key),
    /// A scrolling key is held down: it may scroll, it never steps and never submits.
    Repeat(Key),
    /// Text was pasted, already one line without control characters. It belongs to the text field
    /// that has the focus, and to nobody else.
    Paste(String),
    /// The left button went down on a cell, counted from the top left corner.
    Click {
        /// Column, from 0.
        col: u16,
        /// Row, from 0.
        row: u16,
    },
    /// The wheel turned by one notch over a cell.
    Scroll {
        /// Column, from 0.
        col: u16,
        /// Row, from 0.
        row: u16,
        /// Towards the end of the text.
        down: bool,
    },
    /// The terminal now has so many columns and rows. Layouts take the size from the frame; this
    /// tells that a redraw is due.
    Resize(u16, u16),
    /// The terminal's window got the keyboard focus (only if asked for).
    FocusGained,
    /// The terminal's window lost the keyboard focus (only if asked for).
    FocusLost,
    /// The terminal has told what it writes on.
    Background(Background),
    /// The time that the screen asked for has passed.
    Tick,
}

/// What an event could be of a terminal's answer.
pub(super) fn piece(event: &Event) -> Piece {
    let Event::Key(KeyEvent {
        code: KeyCode::Char(c), modifiers, kind: KeyEventKind::Press, ..
    }) = event
    else {
        return Piece::Other;
    };
    match (*c, modifiers.difference(KeyModifiers::SHIFT)) {
        (c, KeyModifiers::NONE) => Piece::Char(c),
        (c, KeyModifiers::ALT) => Piece::Escaped(c),
        ('g', KeyModifiers::CONTROL) => Piece::Bell,
        _ => Piece::Other,
    }
}

/// Translates one event of the terminal; `None` is an event that means nothing to us.
pub(super) fn translate(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) => translate_key(key),
        Event::Paste(text) => Some(Input::Paste(one_line(&text))),
        Event::Mouse(mouse) => translate_mouse(mouse),
        Event::Resize(columns, rows) => Some(Input::Resize(columns, rows)),
        Event::FocusGained => Some(Input::FocusGained),
        Event::FocusLost => Some(Input::FocusLost),
    }
}

fn translate_key(event: KeyEvent) -> Option<Input> {
    let key = key_of(event.code, event.modifiers)?;
    match event.kind {
        KeyEventKind::Press => Some(Input::Key(key)),
        KeyEventKind::Repeat if key.scrolls() => Some(Input::Repeat(key)),
        KeyEventKind::Repeat | KeyEventKind::Release => None,
    }
}

/// The key of a code with modifiers. Combinations that no screen uses are `None` rather than the
/// bare key: a window manager's Alt-1 that slips through must not deliver message 1.
fn key_of(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    // Shift is in the character already, or makes no difference.
    let held = modifiers.difference(KeyModifiers::SHIFT);
    if let KeyCode::Char(c) = code {
        return char_key(c, held);
    }
    if !held.is_empty() {
        return None;
    }
    Some(match code {
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => Key::BackTab,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Delete => Key::Delete,
        KeyCode::F(n) => Key::F(n),
        KeyCode::Char(_)
        | KeyCode::Insert
        | KeyCode::Null
        | KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::KeypadBegin
        | KeyCode::Media(_)
        | KeyCode::Modifier(_) => return None,
    })
}

fn char_key(c: char, held: KeyModifiers) -> Option<Key> {
    const ALT_GR: KeyModifiers = KeyModifiers::CONTROL.union(KeyModifiers::ALT);
    if held.is_empty() {
        return (!c.is_control()).then_some(Key::Char(c));
    }
    if held == KeyModifiers::CONTROL {
        return Some(match c.to_ascii_lowercase() {
            'j' => Key::Enter,
            'h' => Key::Backspace,
            c => Key::Ctrl(c),
        });
    }
    // Some systems report AltGr as Ctrl and Alt together; brackets are typed so on many layouts.
    (held == ALT_GR && !c.is_ascii_alphanumeric() && !c.is_control()).then_some(Key::Char(c))
}

fn translate_mouse(event: MouseEvent) -> Option<Input> {
    let (col, row) = (event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Input::Click { col, row }),
        MouseEventKind::ScrollDown => Some(Input::Scroll { col, row, down: true }),
        MouseEventKind::ScrollUp => Some(Input::Scroll { col, row, down: false }),
        MouseEventKind::Down(MouseButton::Right | MouseButton::Middle)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}

/// Pasted text as one line: line breaks and tabs become a space, those at the end go away, and
/// characters that would steer a terminal or turn the writing direction are dropped.
fn one_line(text: &str) -> String {
    let text = text.trim_end_matches(['\r', '\n']).replace("\r\n", " ");
    text.chars().filter_map(harmless).collect()
}

fn harmless(c: char) -> Option<char> {
    match c {
        '\r' | '\n' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        c => (!c.is_control()).then_some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> Option<Input> {
        translate(Event::Key(KeyEvent::new_with_kind(code, modifiers, kind)))
    }

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<Input> {
        key(code, modifiers, KeyEventKind::Press)
    }

    #[test]
    fn press_and_release_are_one_key() {
        for code in [KeyCode::Char(' '), KeyCode::Right, KeyCode::Enter, KeyCode::F(1)] {
            let kinds = [KeyEventKind::Press, KeyEventKind::Release];
            let inputs = kinds.iter().filter_map(|&kind| key(code, KeyModifiers::NONE, kind));
            assert_eq!(inputs.count(), 1, "{code:?}");
        }
    }

    #[test]
    fn a_held_arrow_may_scroll_but_is_not_a_press() {
        let held = |code| key(code, KeyModifiers::NONE, KeyEventKind::Repeat);
        assert_eq!(held(KeyCode::Down), Some(Input::Repeat(Key::Down)));
        assert_eq!(held(KeyCode::PageUp), Some(Input::Repeat(Key::PageUp)));
        assert_eq!(held(KeyCode::Char(' ')), None);
        assert_eq!(held(KeyCode::Enter), None);
        assert_eq!(held(KeyCode::Backspace), None);
    }

    #[test]
    fn characters_arrive_as_typed_on_any_layout() {
        for c in ['a', 'Z', '?', ' ', 'ж', 'é', '1', '['] {
            assert_eq!(
                pressed(KeyCode::Char(c), KeyModifiers::NONE),
                Some(Input::Key(Key::Char(c)))
            );
        }
        assert_eq!(
            pressed(KeyCode::Char('Z'), KeyModifiers::SHIFT),
            Some(Input::Key(Key::Char('Z')))
        );
        assert_eq!(
            pressed(KeyCode::Char('['), KeyModifiers::CONTROL | KeyModifiers::ALT),
            Some(Input::Key(Key::Char('['))),
            "AltGr"
        );
    }

    #[test]
    fn control_characters_have_one_spelling() {
        let ctrl = |c| pressed(KeyCode::Char(c), KeyModifiers::CONTROL);
        assert_eq!(ctrl('c'), Some(Input::Key(Key::Ctrl('c'))));
        assert_eq!(
            pressed(KeyCode::Char('C'), KeyModifiers::CONTROL | KeyModifiers::SHIFT),
            Some(Input::Key(Key::Ctrl('c')))
        );
        assert_eq!(ctrl('j'), Some(Input::Key(Key::Enter)));
        assert_eq!(ctrl('h'), Some(Input::Key(Key::Backspace)));
    }

    #[test]
    fn shift_and_tab_go_back() {
        assert_eq!(
            pressed(KeyCode::Tab, KeyModifiers::SHIFT),
            Some(Input::Key(Key::BackTab)),
            "as the extended keyboard protocol says it"
        );
        assert_eq!(pressed(KeyCode::BackTab, KeyModifiers::SHIFT), Some(Input::Key(Key::BackTab)));
        assert_eq!(pressed(KeyCode::Tab, KeyModifiers::NONE), Some(Input::Key(Key::Tab)));
    }

    #[test]
    fn foreign_combinations_are_nothing_rather_than_the_bare_key() {
        assert_eq!(pressed(KeyCode::Char('1'), KeyModifiers::ALT), None);
        assert_eq!(pressed(KeyCode::Char('q'), KeyModifiers::SUPER), None);
        assert_eq!(pressed(KeyCode::Right, KeyModifiers::CONTROL), None);
        assert_eq!(pressed(KeyCode::Char('q'), KeyModifiers::CONTROL | KeyModifiers::ALT), None);
    }

    #[test]
    fn only_the_left_button_and_the_wheel_count() {
        let mouse = |kind| {
            let modifiers = KeyModifiers::NONE;
            translate(Event::Mouse(MouseEvent { kind, column: 7, row: 3, modifiers }))
        };
        let click = mouse(MouseEventKind::Down(MouseButton::Left));
        assert_eq!(click, Some(Input::Click { col: 7, row: 3 }));
        assert_eq!(
            mouse(MouseEventKind::ScrollDown),
            Some(Input::Scroll { col: 7, row: 3, down: true })
        );
        assert_eq!(mouse(MouseEventKind::Up(MouseButton::Left)), None);
        assert_eq!(mouse(MouseEventKind::Moved), None);
        assert_eq!(mouse(MouseEventKind::Drag(MouseButton::Left)), None);
    }

    #[test]
    fn a_paste_is_one_line_that_steers_nothing() {
        let paste = |text: &str| match translate(Event::Paste(text.to_owned())) {
            Some(Input::Paste(text)) => text,
            other => panic!("a paste became {other:?}"),
        };
        assert_eq!(paste("excellent\n"), "excellent");
        assert_eq!(paste("P1,\r\nP2\nP3\tP4\r"), "P1, P2 P3 P4");
        assert_eq!(paste("\u{1b}[31mred\u{7}\u{9b}1m"), "[31mred1m");
        assert_eq!(paste("a\u{202e}b\u{2066}c"), "abc");
        assert_eq!(paste("né 中文"), "né 中文");
    }
}
