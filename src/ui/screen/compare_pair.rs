//! Two algorithms side by side on the same requests: what is set up, and the keys that step both.
//!
//! What happens is the lab's; the panes are drawn next door.

mod draw;

use super::compare::neighbour;
use crate::lab::compare::{SIZES, compared};
use crate::lab::pair::Pair;
use crate::model::NodeId;
use crate::ui::keymap::Key;
use crate::ui::panel::text::{pad, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The keys that step both, for the help.
pub const KEYS: [(&str, &str); 6] = [
    ("→ Space", "one event more in each"),
    ("← Backspace", "one step back in both"),
    ("Tab r", "the next node is chosen; the chosen node asks in both"),
    ("e", "everybody asks in both"),
    ("Home End", "to the beginning; on until both are done"),
    ("Esc q", "back to the form; again: back to where it was opened"),
];

const ROWS: [&str; 3] = ["left", "right", "nodes"];
/// More steps are not taken at once.
const MANY: usize = 20_000;

/// The screen's state.
#[derive(Debug)]
pub struct Beside {
    algorithms: [&'static str; 2],
    nodes: usize,
    row: usize,
    running: Option<Running>,
    /// Told until the next key.
    notice: Option<String>,
}

/// The two clusters, and the node that the next request is for.
#[derive(Debug)]
struct Running {
    pair: Pair,
    selected: NodeId,
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
}

impl Default for Beside {
    fn default() -> Self {
        Self::of("lamport", 3)
    }
}

impl Beside {
    /// The form, with this algorithm on the left and its neighbour in the list on the right.
    #[must_use]
    pub fn of(slug: &'static str, nodes: usize) -> Self {
        Self { algorithms: [slug, neighbour(slug)], nodes, row: 0, running: None, notice: None }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        self.notice = None;
        if matches!(key, Key::Char('?') | Key::F(1)) {
            return Chosen::Help;
        }
        if self.running.is_some() {
            self.step_key(key);
            return Chosen::Stay;
        }
        match key {
            Key::Up => self.row = self.row.saturating_sub(1),
            Key::Down | Key::Tab => self.row = (self.row + 1).min(ROWS.len() - 1),
            Key::Left => self.turn(-1),
            Key::Right | Key::Char(' ') => self.turn(1),
            Key::Enter => match Pair::new(self.algorithms, self.nodes) {
                Ok(pair) => self.running = Some(Running { pair, selected: NodeId(0) }),
                Err(message) => self.notice = Some(message),
            },
            Key::Esc | Key::Char('q') => return Chosen::Close,
            _ => {}
        }
        Chosen::Stay
    }

    fn turn(&mut self, by: isize) {
        let slugs: Vec<&'static str> = compared().map(|info| info.slug).collect();
        match self.algorithms.get_mut(self.row) {
            Some(slug) => {
                let at = slugs.iter().position(|s| s == slug).unwrap_or(0) as isize;
                *slug = slugs[(at + by).rem_euclid(slugs.len() as isize) as usize];
            }
            None => {
                let turned = self.nodes.saturating_add_signed(by);
                self.nodes = turned.clamp(*SIZES.start(), *SIZES.end());
            }
        }
    }

    fn step_key(&mut self, key: Key) {
        let Some(running) = &mut self.running else { return };
        let pair = &mut running.pair;
        let clients = pair.side(0).setup().clients;
        let turn = |by: usize| NodeId::at((running.selected.index() + by) % clients);
        match key {
            Key::Right | Key::Char(' ') | Key::PageDown => {
                let quiet = "nothing is left to do; r lets a node ask, e everybody";
                self.notice = (!pair.forward()).then(|| quiet.to_owned());
            }
            Key::Left | Key::Backspace | Key::PageUp => {
                let first = "this is the beginning of both runs";
                self.notice = (!pair.back()).then(|| first.to_owned());
            }
            Key::Home => while pair.back() {},
            Key::End => {
                for _ in 0..MANY {
                    if !pair.forward() {
                        break;
                    }
                }
            }
            Key::Tab | Key::Down => running.selected = turn(1),
            Key::BackTab | Key::Up => running.selected = turn(clients - 1),
            Key::Char('r') | Key::Enter => pair.ask(&[running.selected]),
            Key::Char('e') => {
                let all: Vec<NodeId> = pair.side(0).setup().client_ids().collect();
                pair.ask(&all);
            }
            Key::Esc | Key::Char('q') => self.running = None,
            Key::Char(c) => self.notice = Some(format!("{c} does nothing here; ? shows all keys")),
            _ => {}
        }
    }

    /// Draws the screen.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let hints: &[(&str, &str)] = match &self.running {
            Some(running) => {
                running.draw(look, Rect { height: area.height.saturating_sub(1), ..area }, buf);
                &[
                    ("→", "next"),
                    ("←", "back"),
                    ("r", "ask"),
                    ("e", "all ask"),
                    ("Esc", "leave"),
                    ("End", "run"),
                    ("Tab", "node"),
                    ("?", "keys"),
                ]
            }
            None => {
                self.form(look, area, buf);
                &[
                    ("Enter", "begin"),
                    ("↑ ↓", "choose"),
                    ("← →", "change"),
                    ("?", "keys"),
                    ("Esc", "back"),
                ]
            }
        };
        footer::line(self.notice.as_deref(), hints, look, area, buf);
    }

    fn form(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        look.put(buf, area, 1, 0, "Side by side: two algorithms, the same requests", Role::Title);
        let info = |side: usize| compared().find(|info| info.slug == self.algorithms[side]);
        for (i, title) in ROWS.iter().enumerate() {
            let y = 2 + i as u16;
            let x = look.put(buf, area, 3, y, &pad(title, 12), Role::Dim);
            let value = match i {
                2 => self.nodes.to_string(),
                side => info(side).map_or(String::new(), |info| info.title.to_owned()),
            };
            let value = format!("{} {value} {}", look.glyphs.left, look.glyphs.right);
            look.put(buf, area, x, y, &value, Role::Text);
            if i == self.row {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                look.select_row(buf, area, y);
            }
        }
        let room = usize::from(area.width.saturating_sub(4));
        let mut y = 6;
        let ideas = (0..2).filter_map(info).map(|info| format!("{}: {}", info.title, info.idea));
        for text in ideas {
            for line in wrap(&look.text(&text), room) {
                look.put(buf, area, 3, y, &line, Role::Dim);
                y += 1;
            }
            y += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running() -> Beside {
        let mut beside = Beside::of("lamport", 3);
        beside.key(Key::Enter);
        beside
    }

    fn messages(beside: &Beside) -> [u32; 2] {
        let pair = &beside.running.as_ref().expect("it runs").pair;
        [0, 1].map(|side| pair.side(side).state().messages(None))
    }

    #[test]
    fn the_form_chooses_two_algorithms_and_a_size() {
        let mut beside = Beside::default();
        assert_eq!(beside.algorithms, ["lamport", "ricart-agrawala"]);
        for key in [Key::Left, Key::Down, Key::Right, Key::Down, Key::Right, Key::Right] {
            beside.key(key);
        }
        assert_eq!((beside.algorithms, beside.nodes), (["central", "token-ring"], 5));
        for _ in 0..20 {
            beside.key(Key::Right);
        }
        assert_eq!(beside.nodes, 16);
        assert_eq!(beside.key(Key::Esc), Chosen::Close);
    }

    #[test]
    fn one_key_steps_both_and_the_counts_stand_beside_each_other() {
        let mut beside = running();
        for key in [Key::Char('e'), Key::End] {
            beside.key(key);
        }
        assert_eq!(messages(&beside), [18, 12]);
        beside.key(Key::Right);
        assert!(beside.notice.is_some_and(|n| n.contains("nothing is left to do")));
    }

    #[test]
    fn the_selected_node_asks_on_both_sides() {
        let mut beside = running();
        for key in [Key::Tab, Key::Char('r'), Key::End, Key::Left, Key::Right] {
            beside.key(key);
        }
        assert_eq!(messages(&beside), [6, 4]);
        beside.key(Key::Esc);
        assert!(beside.running.is_none(), "back to the form");
    }
}
