//! Free play's form: which algorithm, how many nodes, which channels, which variant.

use crate::algorithm::Info;
use crate::catalog;
use crate::lab::Lab;
use crate::model::node::MAX_CLIENTS;
use crate::model::{ChannelOrder, Config, Names};
use crate::ui::keymap::Key;
use crate::ui::panel::text::{pad, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const ROWS: [&str; 4] = ["algorithm", "nodes", "channels", "variant"];

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 4] = [
    ("↑ ↓ Tab", "choose what to set up"),
    ("← → Space", "change it; in the row of nodes 1-9 is their number"),
    ("Enter", "play with the cluster"),
    ("Esc q", "back to Home"),
];

/// The form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    algorithm: usize,
    nodes: usize,
    any_order: Option<bool>,
    /// 0: the right rules; else the variant at this place, from 1.
    variant: usize,
    row: usize,
    error: Option<String>,
}

/// What a key came to.
#[derive(Debug)]
pub enum Filled {
    /// Stay here.
    Stay,
    /// Close the form.
    Close,
    /// Show the help.
    Help,
    /// Play in this lab.
    Play(Box<Lab>),
}

impl Form {
    /// The form for an algorithm, by its place in the catalog.
    #[must_use]
    pub fn new(algorithm: usize) -> Self {
        Self {
            algorithm,
            nodes: catalog::least_nodes(None),
            any_order: None,
            variant: 0,
            row: 0,
            error: None,
        }
    }

    fn info(&self) -> &'static Info {
        catalog::all()[self.algorithm].info
    }

    fn config(&self) -> Config {
        let variant = self.variant.checked_sub(1).map(|i| &self.info().variants[i]);
        let mut config = catalog::cluster(self.info(), variant, Names::numbered(self.nodes));
        config.channels = self.any_order.map(|any| match any {
            true => ChannelOrder::AnyOrder,
            false => ChannelOrder::Fifo,
        });
        config
    }

    fn turn(&mut self, by: isize) {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        match self.row {
            0 => {
                self.algorithm = turned(self.algorithm, catalog::all().len());
                self.variant = 0;
                self.any_order = None;
            }
            1 => self.nodes = self.nodes.saturating_add_signed(by).clamp(1, MAX_CLIENTS),
            2 => self.any_order = Some(!self.any_order.unwrap_or(false)),
            _ => {
                self.variant = turned(self.variant, self.info().variants.len() + 1);
                if let Some(variant) = self.variant.checked_sub(1).map(|i| self.info().variants[i])
                {
                    self.nodes = self.nodes.max(variant.shows.n);
                    self.any_order = variant.shows.channels.map(|c| c == ChannelOrder::AnyOrder);
                }
            }
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Filled {
        self.error = None;
        match key {
            Key::Up => self.row = self.row.saturating_sub(1),
            Key::Down | Key::Tab => self.row = (self.row + 1).min(ROWS.len() - 1),
            Key::Left => self.turn(-1),
            Key::Right | Key::Char(' ') => self.turn(1),
            Key::Char(c @ '1'..='9') if self.row == 1 => self.nodes = usize::from(c as u8 - b'0'),
            Key::Esc | Key::Char('q') => return Filled::Close,
            Key::Char('?') | Key::F(1) => return Filled::Help,
            Key::Enter => match Lab::new(self.config()) {
                Ok(lab) => return Filled::Play(Box::new(lab)),
                Err(error) => self.error = Some(error.to_string()),
            },
            _ => {}
        }
        Filled::Stay
    }

    fn value(&self, row: usize) -> String {
        let info = self.info();
        match row {
            0 => info.title.to_owned(),
            1 => self.nodes.to_string(),
            2 => match self.any_order {
                Some(true) => "any order: any message may arrive next".to_owned(),
                Some(false) | None => "FIFO: in the order sent".to_owned(),
            },
            _ => match self.variant {
                0 => format!("none: the right rules ({} broken ones to try)", info.variants.len()),
                i => info.variants[i - 1].slug.to_owned(),
            },
        }
    }

    fn about(&self) -> String {
        let info = self.info();
        match self.variant {
            0 => format!("{} {}", info.idea, info.paper),
            i => info.variants[i - 1].said(),
        }
    }

    /// Draws the form.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        look.put(buf, area, 1, 0, "Free play: set up a cluster", Role::Title);
        for (i, title) in ROWS.iter().enumerate() {
            let y = 2 + i as u16;
            let x = look.put(buf, area, 3, y, &pad(title, 12), Role::Dim);
            let value = format!("{} {} {}", look.glyphs.left, self.value(i), look.glyphs.right);
            look.put(buf, area, x, y, &value, Role::Text);
            if i == self.row {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                look.select_row(buf, area, y);
            }
        }
        let room = usize::from(area.width.saturating_sub(4));
        let text = self.error.clone().unwrap_or_else(|| self.about());
        let role = if self.error.is_some() { Role::Bad } else { Role::Dim };
        for (y, line) in wrap(&look.text(&text), room).iter().enumerate() {
            look.put(buf, area, 3, 7 + y as u16, line, role);
        }
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let hints = [
            ("Enter", "play"),
            ("↑ ↓", "choose"),
            ("← →", "change"),
            ("?", "keys"),
            ("Esc", "back"),
        ];
        let hints: Vec<_> = hints.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect();
        footer::keys(&hints, look, last, buf);
    }
}
