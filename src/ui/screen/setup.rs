//! Free play's form: the algorithm, and every setting that means something for it.
//!
//! What settings there are, how they are read and what they mean stands in the table of settings; whether
//! they fit, the catalog says.

use crate::algorithm::Info;
use crate::catalog::{self, ConfigError};
use crate::input::{Raw, Text};
use crate::lab::Lab;
use crate::model::node::MAX_CLIENTS;
use crate::model::settings::{self, Needs, Shape};
use crate::model::{Config, Setting, Settings};
use crate::ui::keymap::Key;
use crate::ui::panel::text::{clip, pad, width, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 5] = [
    ("↑ ↓ Tab", "choose what to set up"),
    ("← → Space", "change it, where there is something to choose from"),
    (
        "a-z 0-9 …",
        "type a value; Backspace takes a letter away, and with the last one it is the usual again",
    ),
    ("Enter", "play with the cluster, or check every schedule of it"),
    ("Esc q", "back to Home; while a value is typed q is a letter"),
];

/// The rows that are kept for what is said below the form.
const SAID: u16 = 4;

/// The form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// The algorithm's place in the catalog.
    algorithm: usize,
    given: Settings,
    row: usize,
    /// Whether every schedule of the cluster is to be checked.
    checks: bool,
    /// Whether the value of the row is being typed.
    typing: bool,
    /// What does not fit, and in which setting.
    error: Option<(&'static str, String)>,
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
    /// Check every schedule of this lab.
    Check(Box<Lab>),
}

impl Form {
    /// The form for an algorithm, by its place in the catalog.
    #[must_use]
    pub fn new(algorithm: usize) -> Self {
        let given = Settings::default();
        Self { algorithm, given, row: 0, checks: false, typing: false, error: None }
    }

    /// The form for a cluster of which every schedule is checked: at first Ricart and Agrawala's algorithm.
    #[must_use]
    pub fn to_check() -> Self {
        let first = catalog::all().iter().position(|e| e.info.slug == "ricart-agrawala");
        Self { checks: true, ..Self::new(first.unwrap_or(0)) }
    }

    fn info(&self) -> &'static Info {
        catalog::all()[self.algorithm].info
    }

    /// The settings that mean something for the algorithm; the algorithm's own row is above them.
    fn settings(&self) -> Vec<&'static Setting> {
        let stored = || self.completed().is_some_and(|config| config.storage.is_some());
        let means = |setting: &&Setting| {
            catalog::has_meaning(self.info(), setting)
                && (setting.needs != Needs::Storage || self.given.is_given(setting) || stored())
        };
        settings::of_clusters().filter(means).collect()
    }

    /// The setting of the chosen row; `None`: the algorithm.
    fn setting(&self) -> Option<&'static Setting> {
        self.row.checked_sub(1).and_then(|row| self.settings().get(row).copied())
    }

    fn config(&self) -> Result<Config, (&'static str, String)> {
        let of = |error: ConfigError| (error.key, error.message);
        let config = catalog::config(&catalog::all()[self.algorithm], &self.given).map_err(of)?;
        match catalog::given_for_nothing(&config, &self.given) {
            Some((setting, why)) => Err((setting.key, format!("it has no meaning here: {why}"))),
            None => Ok(config),
        }
    }

    fn completed(&self) -> Option<Config> {
        self.config().ok().and_then(|config| catalog::completed(&config).ok())
    }

    /// Whether letters may belong to a value.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.setting().is_some_and(is_typed)
    }

    /// Takes a text that was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Some(setting) = self.setting().filter(|setting| is_typed(setting)) {
            let typed = if self.typing { self.given.text(setting).unwrap_or_default() } else { "" };
            self.put(setting, &format!("{typed}{text}"));
            self.typing = true;
        }
    }

    /// Gives a setting a value; none: the usual one.
    fn put(&mut self, setting: &Setting, value: &str) {
        let raw = if value.is_empty() { Raw::Nothing } else { Raw::Text(Text::new(value)) };
        self.given.set(setting, raw);
        self.error = None;
    }

    /// What there is to choose from; the first is what is not given.
    fn choices(&self, setting: &Setting) -> Vec<String> {
        let info = self.info();
        let words = || setting.words.iter().map(|(word, _)| (*word).to_owned());
        let names = match setting.needs {
            Needs::Variants => info.variants.iter().map(|v| v.slug.to_owned()).collect(),
            Needs::Options => info.options.iter().map(|o| o.name.to_owned()).collect(),
            Needs::Coordinator => self.config().map_or(Vec::new(), |config| config.nodes),
            Needs::Nothing | Needs::VotingSets | Needs::Tree | Needs::Storage => Vec::new(),
        };
        match setting.shape {
            Shape::Names => (1..=MAX_CLIENTS).map(|n| n.to_string()).collect(),
            Shape::Numbers => Vec::new(),
            _ if setting.words.is_empty() && names.is_empty() => Vec::new(),
            // Where one of the words is the usual one, there is always one.
            _ if !setting.usual.is_empty() => words().collect(),
            _ => std::iter::once(String::new()).chain(words()).chain(names).collect(),
        }
    }

    fn turn(&mut self, by: isize) {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        self.typing = false;
        let Some(setting) = self.setting() else {
            self.algorithm = turned(self.algorithm, catalog::all().len());
            let info = self.info();
            let own = |setting: &Setting| matches!(setting.needs, Needs::Variants | Needs::Options);
            for setting in settings::of_clusters() {
                if own(setting) || !catalog::has_meaning(info, setting) {
                    self.put(setting, "");
                }
            }
            return;
        };
        let choices = self.choices(setting);
        if choices.is_empty() {
            self.error = Some((setting.key, format!("type it, like {}", setting.form)));
            return;
        }
        let now = self.value(setting);
        let at = choices.iter().position(|choice| *choice == now).unwrap_or(0);
        self.put(setting, &choices[turned(at, choices.len())]);
    }

    /// The value of a setting as it counts, given or not; empty: none.
    fn value(&self, setting: &'static Setting) -> String {
        if let Some(text) = self.given.text(setting) {
            return text.to_owned();
        }
        let config = self.completed();
        let text = config.as_ref().and_then(|config| setting.text(config));
        match (setting.shape, config, text) {
            (Shape::Names, Some(config), _) => config.nodes.len().to_string(),
            (_, _, Some(text)) => text,
            (_, _, None) => setting.usual.to_owned(),
        }
    }

    /// Goes to another row; what was typed is looked at.
    fn go(&mut self, row: usize) {
        self.row = row.min(self.settings().len());
        self.error = self
            .config()
            .and_then(|config| Lab::new(config).map_err(|error| (error.key, error.message)))
            .err();
        self.typing = false;
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Filled {
        let typed = self.setting().filter(|setting| is_typed(setting));
        match (key, typed) {
            (Key::Up | Key::BackTab, _) => self.go(self.row.saturating_sub(1)),
            (Key::Down | Key::Tab, _) => self.go(self.row + 1),
            (Key::Home, _) => self.go(0),
            (Key::End, _) => self.go(usize::MAX),
            (Key::Left, _) => self.turn(-1),
            (Key::Right, _) => self.turn(1),
            (Key::Char(' '), None) => self.turn(1),
            (Key::Char(' '), Some(_)) if !self.typing => self.turn(1),
            (Key::Char('?') | Key::F(1), _) => return Filled::Help,
            (Key::Char('q'), _) if !self.typing => return Filled::Close,
            (Key::Esc, _) => return Filled::Close,
            (Key::Char(c), Some(_)) => self.paste(c.encode_utf8(&mut [0; 4])),
            (Key::Backspace, Some(setting)) => {
                let mut text = self.given.text(setting).unwrap_or_default().to_owned();
                text.pop();
                self.put(setting, &text);
                self.typing = true;
            }
            (Key::Enter, _) => {
                let lab = self.config().and_then(|config| {
                    Lab::new(config).map_err(|error| (error.key, error.message))
                });
                match lab {
                    Ok(lab) if self.checks => return Filled::Check(Box::new(lab)),
                    Ok(lab) => return Filled::Play(Box::new(lab)),
                    Err((key, message)) => {
                        let row = self.settings().iter().position(|setting| setting.key == key);
                        self.row = row.map_or(0, |row| row + 1);
                        self.error = Some((key, message));
                    }
                }
            }
            _ => {}
        }
        Filled::Stay
    }

    /// The value of a setting for people.
    fn shown(&self, setting: &'static Setting) -> String {
        let value = self.value(setting);
        let word = setting.words.iter().find(|(word, _)| *word == value);
        match (word, value.as_str(), setting.shape) {
            (Some((word, means)), _, _) => format!("{word}: {means}"),
            (None, "", Shape::Numbers) => "all begin at 0".to_owned(),
            (None, "", _) if setting.needs == Needs::Variants => {
                format!("none: the right rules ({} broken ones to try)", self.info().variants.len())
            }
            (None, "", _) => "none".to_owned(),
            (None, value, _) => value.to_owned(),
        }
    }

    /// What the chosen row is about.
    fn about(&self) -> String {
        let info = self.info();
        let Some(setting) = self.setting() else { return format!("{} {}", info.idea, info.paper) };
        let value = self.value(setting);
        let variant = Some(setting).filter(|s| s.needs == Needs::Variants);
        if let Some(variant) = variant.and_then(|_| info.variant(&value)) {
            return variant.said();
        }
        let options = info.options.iter().filter(|_| setting.needs == Needs::Options);
        let options: Vec<String> = options
            .filter(|option| {
                value.is_empty() || value.split(',').any(|one| one.trim() == option.name)
            })
            .map(|option| format!("{}: {}", option.name, option.about))
            .collect();
        if options.is_empty() { format!("{}.", setting.about) } else { options.join(" ") }
    }

    /// Draws the form.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let title = if self.checks { "Check" } else { "Free play" };
        look.put(buf, area, 1, 0, &format!("{title}: set up a cluster"), Role::Title);
        let settings = self.settings();
        let names: Vec<&str> =
            std::iter::once("algorithm").chain(settings.iter().map(|s| s.key)).collect();
        let room = usize::from(area.height.saturating_sub(SAID + 3)).max(1);
        let first = (self.row + 1).saturating_sub(room);
        for (y, (i, name)) in (2..).zip(names.iter().enumerate().skip(first).take(room)) {
            let wrong = self.error.as_ref().is_some_and(|(key, _)| key == name);
            let value = match i.checked_sub(1) {
                None => self.info().title.to_owned(),
                Some(i) => self.shown(settings[i]),
            };
            let x = look.put(buf, area, 3, y, &pad(name, 13), Role::Dim);
            let columns = usize::from(area.width).saturating_sub(usize::from(x) + 5);
            let value = clip(&look.text(&value), columns, look.glyphs.ellipsis);
            let chosen = i == self.row;
            let turns = i.checked_sub(1).is_none_or(|i| !self.choices(settings[i]).is_empty());
            let value = match (chosen && self.typing, turns) {
                (true, _) => format!("  {value}_"),
                (false, true) => format!("{} {value} {}", look.glyphs.left, look.glyphs.right),
                (false, false) => format!("  {value}"),
            };
            look.put(buf, area, x, y, &value, if wrong { Role::Bad } else { Role::Text });
            if chosen {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                look.select_row(buf, area, y);
            }
        }
        let below = Rect { y: area.y + 3 + names.len().min(room) as u16, ..area };
        self.say(look, Rect { height: area.bottom().saturating_sub(below.y + 1), ..below }, buf);
        let hints = [
            ("Enter", if self.checks { "check every schedule" } else { "play" }),
            ("↑ ↓", "choose"),
            ("← →", "change"),
            ("a-z 0-9", "type"),
            ("?", "keys"),
            ("Esc", "back"),
        ];
        let typed = self.setting().is_some_and(is_typed);
        let hints: Vec<_> =
            hints.into_iter().filter(|(_, does)| typed || *does != "type").collect();
        footer::line(None, &hints, look, area, buf);
    }

    /// What does not fit, else what the chosen row is about.
    fn say(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let (text, role) = match &self.error {
            Some((key, message)) => (format!("{key}: {message}."), Role::Bad),
            None => (self.about(), Role::Dim),
        };
        let columns = usize::from(area.width.saturating_sub(4));
        let lines = wrap(&look.text(&text), columns);
        for (y, line) in (0..area.height).zip(&lines) {
            let cut = y + 1 == area.height && lines.len() > usize::from(area.height);
            let end = if cut { look.glyphs.ellipsis } else { "" };
            let line = clip(line, columns.saturating_sub(width(end)), "");
            look.put(buf, area, 3, y, &format!("{line}{end}"), role);
        }
    }
}

/// Whether the value of a setting can be typed.
fn is_typed(setting: &Setting) -> bool {
    setting.shape != Shape::Word
}
