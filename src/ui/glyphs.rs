//! The characters that screens draw with, in Unicode and as ASCII stand-ins.
//!
//! It holds no texts. Every glyph is exactly one cell wide in both sets, so that `--ascii` moves
//! nothing on the screen; what may change its width is text, and [`Glyphs::text`] converts that.

use crate::export::ascii::to_ascii;
use std::borrow::Cow;

use ratatui::symbols::border;

/// Defines the two sets side by side, so that neither can lack a glyph of the other.
macro_rules! glyphs {
    ($($(#[$doc:meta])* $name:ident: $unicode:literal, $ascii:literal;)+) => {
        /// One set of characters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Glyphs {
            /// Whether the set is Unicode: then slanted lines may be drawn in Braille cells.
            pub unicode: bool,
            $($(#[$doc])* pub $name: &'static str,)+
        }

        impl Glyphs {
            /// The Unicode set.
            pub const UNICODE: Self = Self { unicode: true, $($name: $unicode,)+ };
            /// The ASCII set.
            pub const ASCII: Self = Self { unicode: false, $($name: $ascii,)+ };

            #[cfg(test)]
            const PAIRS: &'static [(&'static str, &'static str, &'static str)] =
                &[$((stringify!($name), $unicode, $ascii),)+];
        }
    };
}

glyphs! {
    /// A node acted by itself.
    act: "●", "*";
    /// A node received a message.
    receipt: "○", "o";
    /// A node entered the critical section.
    entered: "◆", "#";
    /// A message was lost.
    lost: "×", "x";
    /// A node crashed.
    crash: "†", "X";
    /// The row that the next key acts on.
    cursor: "▸", ">";
    /// Met, right.
    yes: "✓", "+";
    /// Not met, wrong.
    no: "✗", "x";
    /// The line at the present.
    now: "┆", ":";
    /// A node's lane.
    lane: "─", "-";
    /// A node's lane while it has crashed.
    lane_crashed: "┄", "_";
    /// The critical section on a lane.
    cs: "━", "=";
    /// A node's lane while the node waits.
    lane_waiting: "╌", "~";
    /// To the right: next, and from sender to receiver.
    right: "→", ">";
    /// To the left: back.
    left: "←", "<";
    /// Up.
    up: "↑", "^";
    /// Down.
    down: "↓", "v";
    /// More to the left of what is shown.
    more_left: "◂", "<";
    /// More to the right of what is shown.
    more_right: "▸", ">";
    /// More above what is shown.
    more_up: "▴", "^";
    /// More below what is shown.
    more_down: "▾", "v";
    /// A text goes on where there is no room for it.
    ellipsis: "…", "~";
    /// An item of a list.
    bullet: "•", "*";
    /// Between two parts of a line.
    separator: "·", "|";
    /// Between the levels of a path.
    path: "›", "/";
    /// Nothing to show in a cell of a table.
    nothing: "–", "-";
    /// A bar of a chart, and what is done of a progress bar.
    bar: "█", "#";
    /// The half of a bar's last cell.
    bar_half: "▌", "-";
    /// What is left of a progress bar.
    bar_rest: "░", ".";
    /// An open box to tick.
    box_open: "□", "_";
    /// A ticked box.
    box_ticked: "■", "X";
    /// Lesson not begun.
    lesson_new: "○", ".";
    /// Lesson begun.
    lesson_begun: "◐", "o";
    /// Lesson done.
    lesson_done: "●", "*";
    /// A branch goes on below, in a tree.
    tree_fork: "├", "|";
    /// The last branch, in a tree.
    tree_last: "└", "`";
    /// A vertical line.
    vertical: "│", "|";
    /// A horizontal line.
    horizontal: "─", "-";
    /// Upper left corner.
    top_left: "┌", "+";
    /// Upper right corner.
    top_right: "┐", "+";
    /// Lower left corner.
    bottom_left: "└", "+";
    /// Lower right corner.
    bottom_right: "┘", "+";
    /// A horizontal line that meets one from below.
    tee_down: "┬", "+";
    /// A horizontal line that meets one from above.
    tee_up: "┴", "+";
    /// A vertical line that meets one from the right.
    tee_right: "├", "+";
    /// A vertical line that meets one from the left.
    tee_left: "┤", "+";
    /// Two lines cross.
    cross: "┼", "+";
}

impl Glyphs {
    /// The set that `--ascii` asks for, or the other one.
    pub const fn new(ascii: bool) -> Self {
        if ascii { Self::ASCII } else { Self::UNICODE }
    }

    /// The border of a panel.
    pub const fn border(&self) -> border::Set<'static> {
        border::Set {
            top_left: self.top_left,
            top_right: self.top_right,
            bottom_left: self.bottom_left,
            bottom_right: self.bottom_right,
            vertical_left: self.vertical,
            vertical_right: self.vertical,
            horizontal_top: self.horizontal,
            horizontal_bottom: self.horizontal,
        }
    }

    /// A text in this set: in ASCII, signs that the program itself writes are replaced, before
    /// anything is measured. Other characters, such as names in another script, stay.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(to_ascii(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn every_glyph_is_one_cell_in_both_sets() {
        for (name, unicode, ascii) in Glyphs::PAIRS {
            assert_eq!(unicode.width(), 1, "{name}");
            assert_eq!(ascii.width(), 1, "{name}");
            assert!(ascii.is_ascii(), "{name}");
        }
    }

    #[test]
    fn what_is_drawn_on_a_lane_differs_in_ascii_too() {
        for glyphs in [Glyphs::UNICODE, Glyphs::ASCII] {
            let marks = [
                glyphs.act,
                glyphs.receipt,
                glyphs.entered,
                glyphs.lost,
                glyphs.crash,
                glyphs.now,
                glyphs.lane,
                glyphs.lane_crashed,
                glyphs.lane_waiting,
                glyphs.cs,
            ];
            let mut distinct = marks.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), marks.len(), "{marks:?}");
        }
        assert_ne!(Glyphs::ASCII.yes, Glyphs::ASCII.no);
        assert_ne!(Glyphs::ASCII.bar, Glyphs::ASCII.bar_rest);
    }

    #[test]
    fn text_in_ascii_says_the_same() {
        let rule = "P1 → P2: clock ← max(clock, t) … it’s ‘≤’ – or ✗";
        assert_eq!(
            Glyphs::ASCII.text(rule),
            "P1 -> P2: clock <- max(clock, t) ... it's '<=' - or -"
        );
        assert_eq!(Glyphs::UNICODE.text(rule), rule);
        assert_eq!(Glyphs::ASCII.text("Zoë 中"), "Zoë 中", "names stay");
    }

    #[test]
    fn a_border_is_made_of_the_set() {
        let border = Glyphs::ASCII.border();
        assert_eq!((border.top_left, border.vertical_left), ("+", "|"));
        assert_eq!(Glyphs::UNICODE.border(), border::PLAIN);
    }
}
