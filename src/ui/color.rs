//! Whether to write colours: the command line, the environment and the kind of output together.
//!
//! It names no colour and writes none; the themes do the one, the terminal the other.

use std::fmt;
use std::str::FromStr;

/// How much colour to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorUse {
    /// None.
    Off,
    /// The theme's.
    On,
    /// The theme's, even if the environment says no: the terminal library has to be told so.
    Forced,
}

/// `--color`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// As the environment says.
    #[default]
    Auto,
    /// Whatever the environment says.
    Always,
    /// Not at all.
    Never,
}

/// Every choice with its name.
pub const CHOICES: &[(&str, ColorChoice)] =
    &[("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];

impl FromStr for ColorChoice {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named(CHOICES, name)
    }
}

impl fmt::Display for ColorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(CHOICES, self))
    }
}

/// What the environment says about colour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColorEnv {
    /// `NO_COLOR`: no colour if it is set and not empty.
    pub no_color: Option<String>,
    /// `CLICOLOR`: no colour if it is 0.
    pub clicolor: Option<String>,
    /// `CLICOLOR_FORCE`: colour even without a terminal if it is set and not 0.
    pub clicolor_force: Option<String>,
    /// `TERM`: no colour if it is `dumb`.
    pub term: Option<String>,
    /// Whether the output goes to a terminal.
    pub terminal: bool,
}

impl ColorEnv {
    /// Takes the variables by name from `get`, which is `|name| std::env::var(name).ok()`.
    pub fn from_vars(get: impl Fn(&str) -> Option<String>, terminal: bool) -> Self {
        Self {
            no_color: get("NO_COLOR"),
            clicolor: get("CLICOLOR"),
            clicolor_force: get("CLICOLOR_FORCE"),
            term: get("TERM"),
            terminal,
        }
    }
}

impl ColorChoice {
    /// How much colour to write: the command line decides, then `NO_COLOR`, then
    /// `CLICOLOR_FORCE`, then whether the output is a terminal that can.
    pub fn resolve(self, env: &ColorEnv) -> ColorUse {
        let set = |variable: &Option<String>, no: &str| {
            variable.as_deref().is_some_and(|value| !value.is_empty() && value != no)
        };
        match self {
            Self::Always => ColorUse::Forced,
            Self::Never => ColorUse::Off,
            Self::Auto if set(&env.no_color, "") => ColorUse::Off,
            Self::Auto if set(&env.clicolor_force, "0") => ColorUse::Forced,
            Self::Auto if env.term.as_deref() == Some("dumb") => ColorUse::Off,
            Self::Auto if env.clicolor.as_deref() == Some("0") => ColorUse::Off,
            Self::Auto if env.terminal => ColorUse::On,
            Self::Auto => ColorUse::Off,
        }
    }
}

/// A name that means nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not one of {expected}")]
pub struct UnknownName {
    found: String,
    expected: String,
}

/// The value that a table has for a name.
pub(super) fn named<T: Copy>(table: &[(&str, T)], found: &str) -> Result<T, UnknownName> {
    table.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(|(name, _)| *name).collect();
        UnknownName { found: found.to_owned(), expected: names.join(", ") }
    })
}

/// The name of a value in a table that holds all of them.
pub(super) fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, known)| known == value).map_or("?", |(name, _)| name)
}

/// What a terminal writes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Dark: light text is legible.
    Dark,
    /// Light: dark text is legible.
    Light,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_outweighs_the_environment() {
        let no_color = Some("1".to_owned());
        let env = ColorEnv { no_color, terminal: true, ..ColorEnv::default() };
        assert_eq!(ColorChoice::Auto.resolve(&env), ColorUse::Off);
        assert_eq!(ColorChoice::Always.resolve(&env), ColorUse::Forced);
        assert_eq!(ColorChoice::Never.resolve(&ColorEnv::default()), ColorUse::Off);
    }

    #[test]
    fn the_environment_decides_where_the_command_line_is_silent() {
        let resolve = |vars: &[(&str, &str)], terminal| {
            let get = |name: &str| {
                vars.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            ColorChoice::Auto.resolve(&ColorEnv::from_vars(get, terminal))
        };
        assert_eq!(resolve(&[], true), ColorUse::On);
        assert_eq!(resolve(&[], false), ColorUse::Off);
        assert_eq!(resolve(&[("NO_COLOR", "")], true), ColorUse::On, "empty counts as unset");
        assert_eq!(resolve(&[("NO_COLOR", "0")], true), ColorUse::Off, "any value counts");
        assert_eq!(resolve(&[("CLICOLOR", "0")], true), ColorUse::Off);
        assert_eq!(resolve(&[("CLICOLOR_FORCE", "1")], false), ColorUse::Forced);
        assert_eq!(resolve(&[("CLICOLOR_FORCE", "0")], false), ColorUse::Off);
        assert_eq!(resolve(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true), ColorUse::Off);
        assert_eq!(resolve(&[("TERM", "dumb")], true), ColorUse::Off);
    }

    #[test]
    fn choices_are_read_as_they_are_written() {
        for (name, choice) in CHOICES.iter().copied() {
            assert_eq!(name.parse(), Ok(choice));
            assert_eq!(choice.to_string(), name);
        }
        let error = "yes".parse::<ColorChoice>().expect_err("no choice is called so");
        assert_eq!(error.to_string(), "`yes` is not one of auto, always, never");
    }
}
