//! Colours and weights by role, so that no screen names a colour.
//!
//! It draws nothing and reads no environment by itself. Its rules, each held by a test:
//! - the terminal's own foreground and background stay the terminal's: no white, black or grey on
//!   the default background, and a fixed background always comes with a fixed foreground;
//! - a colour never says anything alone: roles that matter differ in weight or shape as well;
//! - without colour (`NO_COLOR`, `--color never`) a cell holds none at all, because the terminal
//!   library then writes a colour change as a reset, which would undo the selection's reverse.
//!
//! Colours are the terminal's sixteen, which its user has chosen to be legible. Blue or cyan
//! against yellow or red tells good from bad, as most colour-blind people can tell these apart.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};

pub use super::color::{Background, ColorChoice, ColorEnv, ColorUse, UnknownName};
use super::color::{name_of, named};
pub use super::glyphs::Glyphs;

/// Defines the roles once, for the type and for the list.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)+) => {
        /// What a piece of the screen means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $($(#[$doc])* $role,)+
        }

        impl Role {
            /// Every role.
            pub const ALL: &'static [Self] = &[$(Self::$role,)+];
        }
    };
}

roles! {
    /// Ordinary text.
    Text,
    /// The title of a screen.
    Title,
    /// The heading of a panel.
    Heading,
    /// A word that is emphasised in running text.
    Strong,
    /// The same where all around it is bold.
    Stressed,
    /// What matters less.
    Dim,
    /// What to look at.
    Accent,
    /// The row that the next key acts on.
    Selected,
    /// What the last step changed.
    Changed,
    /// Right, safe, met.
    Ok,
    /// Wrong, violated, stuck.
    Bad,
    /// Careful: not wrong yet, or not known.
    Warn,
    /// A request in flight.
    Request,
    /// A reply in flight.
    Reply,
    /// A token in flight, or where it lies.
    Token,
    /// A message that was lost.
    Lost,
    /// The critical section: the bar on a lane, and the word.
    Cs,
    /// A node that waits.
    Waiting,
    /// A node's lane in the diagram.
    Lane,
    /// A node that has crashed, its lane included.
    Crashed,
    /// The line of the diagram that marks the present.
    Now,
    /// A step that was taken back.
    Undone,
    /// A rule of the algorithm that has just fired.
    RuleLit,
    /// A question to the learner.
    Question,
    /// The learner has left the lesson's run.
    Exploring,
    /// The name of a key.
    Key,
    /// The border of a panel.
    Border,
    /// The border of the panel that has the focus.
    BorderFocus,
}

impl Role {
    /// Weight and shape, which every theme keeps.
    const fn modifier(self) -> Modifier {
        match self {
            Self::Text | Self::Request | Self::Reply | Self::Lane => Modifier::empty(),
            Self::Dim | Self::Lost | Self::Crashed | Self::Undone | Self::Border => Modifier::DIM,
            Self::Title
            | Self::Heading
            | Self::Strong
            | Self::Accent
            | Self::Ok
            | Self::Token
            | Self::Cs
            | Self::Waiting
            | Self::Now
            | Self::Question
            | Self::Key
            | Self::BorderFocus
            | Self::Changed => Modifier::BOLD,
            Self::Warn => Modifier::UNDERLINED,
            Self::Bad | Self::RuleLit | Self::Stressed => {
                Modifier::BOLD.union(Modifier::UNDERLINED)
            }
            Self::Selected | Self::Exploring => Modifier::BOLD.union(Modifier::REVERSED),
        }
    }

    const fn hue(self) -> Hue {
        match self {
            Self::Ok | Self::Reply | Self::Accent | Self::Key | Self::BorderFocus => Hue::Calm,
            Self::Changed | Self::Warn | Self::Request | Self::Waiting | Self::RuleLit => Hue::Warm,
            Self::Bad => Hue::Alarm,
            Self::Cs | Self::Token | Self::Question | Self::Exploring => Hue::Special,
            Self::Text
            | Self::Title
            | Self::Heading
            | Self::Strong
            | Self::Stressed
            | Self::Dim
            | Self::Selected
            | Self::Lost
            | Self::Lane
            | Self::Crashed
            | Self::Now
            | Self::Undone
            | Self::Border => Hue::None,
        }
    }
}

/// A kind of colour, before a theme chooses the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hue {
    None,
    Calm,
    Warm,
    Alarm,
    Special,
}

/// The name of a theme, as on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ThemeName {
    /// Follows `COLORFGBG`, or the terminal's answer when it is asked; without either, what is legible on
    /// light and dark alike.
    #[default]
    Auto,
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// Strong contrast: fixed pairs of colours, nothing dim.
    HighContrast,
    /// No colour: weight, underline and reverse alone.
    None,
}

/// The style of every role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme(Palette);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Palette {
    AnyBackground,
    Dark,
    Light,
    HighContrast,
    Colourless,
}

impl Default for Theme {
    /// Legible on any background.
    fn default() -> Self {
        Self(Palette::AnyBackground)
    }
}

impl Theme {
    /// A theme by name; `colorfgbg` is the environment variable `COLORFGBG`, by which some
    /// terminals tell their background.
    pub fn new(name: ThemeName, color: ColorUse, colorfgbg: Option<&str>) -> Self {
        if color == ColorUse::Off {
            return Self(Palette::Colourless);
        }
        Self(match name {
            ThemeName::Auto => colorfgbg.map_or(Palette::AnyBackground, background),
            ThemeName::Dark => Palette::Dark,
            ThemeName::Light => Palette::Light,
            ThemeName::HighContrast => Palette::HighContrast,
            ThemeName::None => Palette::Colourless,
        })
    }

    /// Whether it would be another one if the terminal's background were known.
    pub fn wants_background(self) -> bool {
        self.0 == Palette::AnyBackground
    }

    /// The theme for a background that has become known; a theme that was chosen stays.
    #[must_use]
    pub fn on(self, background: Background) -> Self {
        match (self.0, background) {
            (Palette::AnyBackground, Background::Dark) => Self(Palette::Dark),
            (Palette::AnyBackground, Background::Light) => Self(Palette::Light),
            (Palette::Dark | Palette::Light | Palette::HighContrast | Palette::Colourless, _) => {
                self
            }
        }
    }

    /// The style of a role.
    pub fn style(self, role: Role) -> Style {
        let style = Style::new().add_modifier(role.modifier());
        match self.0.hues() {
            Hues::None => style,
            Hues::Pairs => high_contrast(role),
            Hues::OnBackground { calm, warm, alarm, special } => match role.hue() {
                Hue::None => style,
                Hue::Calm => style.fg(calm),
                Hue::Warm => style.fg(warm),
                Hue::Alarm => style.fg(alarm),
                Hue::Special => style.fg(special),
            },
        }
    }

    /// Whether it uses colours at all.
    pub fn has_colours(self) -> bool {
        self.0 != Palette::Colourless
    }
}

/// The colours of a palette.
enum Hues {
    None,
    /// Foregrounds for the terminal's own background.
    OnBackground {
        calm: Color,
        warm: Color,
        alarm: Color,
        special: Color,
    },
    /// Foreground and background together.
    Pairs,
}

impl Palette {
    const fn hues(self) -> Hues {
        match self {
            Self::Colourless => Hues::None,
            Self::HighContrast => Hues::Pairs,
            // The few of the sixteen that are legible on white and on black.
            Self::AnyBackground => Hues::OnBackground {
                calm: Color::LightBlue,
                warm: Color::Magenta,
                alarm: Color::LightRed,
                special: Color::Magenta,
            },
            Self::Dark => Hues::OnBackground {
                calm: Color::LightCyan,
                warm: Color::LightYellow,
                alarm: Color::LightRed,
                special: Color::LightMagenta,
            },
            Self::Light => Hues::OnBackground {
                calm: Color::Blue,
                warm: Color::Magenta,
                alarm: Color::Red,
                special: Color::Magenta,
            },
        }
    }
}

/// Nothing dim, and what counts on a background of its own.
fn high_contrast(role: Role) -> Style {
    let style = Style::new().add_modifier(role.modifier().difference(Modifier::DIM));
    let pair = |fg, bg| style.remove_modifier(Modifier::REVERSED).fg(fg).bg(bg);
    match role {
        Role::Selected => pair(Color::Black, Color::LightYellow),
        Role::Ok => pair(Color::White, Color::Blue),
        Role::Bad => pair(Color::White, Color::Red),
        Role::Cs | Role::Token | Role::Changed => pair(Color::Black, Color::LightCyan),
        Role::RuleLit | Role::Warn | Role::Exploring => pair(Color::Black, Color::LightGreen),
        Role::Text
        | Role::Title
        | Role::Heading
        | Role::Strong
        | Role::Stressed
        | Role::Dim
        | Role::Accent
        | Role::Request
        | Role::Reply
        | Role::Lost
        | Role::Waiting
        | Role::Lane
        | Role::Crashed
        | Role::Now
        | Role::Undone
        | Role::Question
        | Role::Key
        | Role::Border
        | Role::BorderFocus => style,
    }
}

/// The palette for what `COLORFGBG` says: `foreground;background`, sometimes with a third field
/// between, as numbers of the sixteen colours.
fn background(colorfgbg: &str) -> Palette {
    let background = colorfgbg.rsplit(';').next().and_then(|field| field.trim().parse::<u8>().ok());
    match background {
        Some(0..=6 | 8) => Palette::Dark,
        Some(7 | 9..=15) => Palette::Light,
        Some(16..) | None => Palette::AnyBackground,
    }
}

/// The names of the themes, as typed.
const THEMES: &[(&str, ThemeName)] = &[
    ("auto", ThemeName::Auto),
    ("dark", ThemeName::Dark),
    ("light", ThemeName::Light),
    ("high-contrast", ThemeName::HighContrast),
    ("none", ThemeName::None),
];

impl ThemeName {
    /// Every theme with its name.
    pub const fn all() -> &'static [(&'static str, Self)] {
        THEMES
    }
}

impl FromStr for ThemeName {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named(THEMES, name)
    }
}

impl fmt::Display for ThemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(THEMES, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PALETTES: [Palette; 5] = [
        Palette::AnyBackground,
        Palette::Dark,
        Palette::Light,
        Palette::HighContrast,
        Palette::Colourless,
    ];

    fn styles() -> impl Iterator<Item = (Palette, Role, Style)> {
        let roles = |palette| Role::ALL.iter().map(move |role| (palette, *role));
        PALETTES.into_iter().flat_map(roles).map(|(p, r)| (p, r, Theme(p).style(r)))
    }

    #[test]
    fn the_terminals_own_background_never_gets_white_black_or_grey() {
        let grey = [Color::White, Color::Black, Color::Gray, Color::DarkGray];
        for (palette, role, style) in styles() {
            let case = format!("{palette:?} {role:?} {style:?}");
            let own_background = style.bg.is_none_or(|bg| bg == Color::Reset);
            if own_background {
                assert!(!style.fg.is_some_and(|fg| grey.contains(&fg)), "{case}");
            } else {
                assert!(style.fg.is_some_and(|fg| fg != Color::Reset), "{case}");
            }
        }
    }

    /// The sixteen colours as xterm ships them.
    fn rgb(color: Color) -> [u8; 3] {
        match color {
            Color::Black => [0, 0, 0],
            Color::Red => [205, 0, 0],
            Color::Blue => [0, 0, 238],
            Color::Magenta => [205, 0, 205],
            Color::LightRed => [255, 0, 0],
            Color::LightGreen => [0, 255, 0],
            Color::LightYellow => [255, 255, 0],
            Color::LightBlue => [92, 92, 255],
            Color::LightMagenta => [255, 0, 255],
            Color::LightCyan => [0, 255, 255],
            Color::White => [255, 255, 255],
            other => panic!("no theme should use {other:?}"),
        }
    }

    /// Contrast ratio as the Web Content Accessibility Guidelines 2 define it.
    fn contrast(a: Color, b: Color) -> f64 {
        let luminance = |color| {
            let linear = |channel: u8| {
                let c = f64::from(channel) / 255.0;
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            let [r, g, b] = rgb(color).map(linear);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_colour_is_legible_on_every_background_that_it_may_meet() {
        for (palette, role, style) in styles() {
            let Some(fg) = style.fg else { continue };
            let (backgrounds, least): (&[Color], f64) = match (style.bg, palette) {
                (Some(bg), _) => (&[bg], 4.5),
                (None, Palette::Dark) => (&[Color::Black], 3.0),
                (None, Palette::Light) => (&[Color::White], 3.0),
                (None, _) => (&[Color::Black, Color::White], 3.0),
            };
            for &bg in backgrounds {
                let ratio = contrast(fg, bg);
                assert!(ratio >= least, "{palette:?} {role:?}: {fg:?} on {bg:?} is {ratio:.1}");
            }
        }
    }

    #[test]
    fn without_colour_no_cell_holds_one() {
        for name in [ThemeName::Auto, ThemeName::Dark, ThemeName::Light, ThemeName::HighContrast] {
            let theme = Theme::new(name, ColorUse::Off, Some("15;0"));
            assert!(!theme.has_colours());
            for &role in Role::ALL {
                let style = theme.style(role);
                assert_eq!((style.fg, style.bg), (None, None), "{name} {role:?}");
                assert_eq!(style.underline_color, None, "{name} {role:?}");
            }
        }
        let none = Theme::new(ThemeName::None, ColorUse::Forced, None);
        assert!(!none.has_colours());
    }

    #[test]
    fn the_selection_is_visible_in_every_theme() {
        for palette in PALETTES {
            let style = Theme(palette).style(Role::Selected);
            let reversed = style.add_modifier.contains(Modifier::REVERSED);
            assert!(reversed || style.bg.is_some(), "{palette:?}");
        }
    }

    #[test]
    fn what_must_be_told_apart_differs_without_any_colour() {
        let pairs = [
            (Role::Selected, Role::Text),
            (Role::Changed, Role::Text),
            (Role::RuleLit, Role::Text),
            (Role::Bad, Role::Ok),
            (Role::Warn, Role::Ok),
            (Role::Crashed, Role::Text),
            (Role::Undone, Role::Text),
            (Role::BorderFocus, Role::Border),
            (Role::Exploring, Role::Title),
        ];
        let theme = Theme(Palette::Colourless);
        for (a, b) in pairs {
            assert_ne!(theme.style(a), theme.style(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn high_contrast_dims_nothing() {
        for &role in Role::ALL {
            let style = Theme(Palette::HighContrast).style(role);
            assert!(!style.add_modifier.contains(Modifier::DIM), "{role:?}");
        }
    }

    #[test]
    fn the_terminals_hint_chooses_between_dark_and_light() {
        let auto = |hint| Theme::new(ThemeName::Auto, ColorUse::On, hint).0;
        assert_eq!(auto(Some("15;0")), Palette::Dark);
        assert_eq!(auto(Some("7;8")), Palette::Dark);
        assert_eq!(auto(Some("0;15")), Palette::Light);
        assert_eq!(auto(Some("0;default;7")), Palette::Light);
        for unclear in [None, Some(""), Some("15;default"), Some("0;231"), Some("x")] {
            assert_eq!(auto(unclear), Palette::AnyBackground, "{unclear:?}");
        }
        let dark = Theme::new(ThemeName::Dark, ColorUse::On, Some("0;15")).0;
        assert_eq!(dark, Palette::Dark, "the user's word outweighs the hint");
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for (name, theme) in THEMES.iter().copied() {
            assert_eq!(name.parse(), Ok(theme));
            assert_eq!(theme.to_string(), name);
        }
        let error = "Drak".parse::<ThemeName>().expect_err("no theme is called so");
        let told = "`Drak` is not one of auto, dark, light, high-contrast, none";
        assert_eq!(error.to_string(), told);
    }
}
