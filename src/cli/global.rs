//! Options that every command takes.
//!
//! They say how things look and where lessons come from, never what a run does.

use super::words::one_of;
use crate::ui::color::{CHOICES, ColorChoice};
use crate::ui::theme::ThemeName;
use clap::Args;
use std::path::PathBuf;

/// Options that every command takes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = one_of(CHOICES))]
    pub color: ColorChoice,
    /// Colours of the screen; `none` does with weight and underlines alone
    #[arg(long, global = true, value_name = "NAME", default_value = "auto",
          value_parser = one_of(ThemeName::all()))]
    pub theme: ThemeName,
    /// Draw and write with ASCII characters alone
    #[arg(long, global = true)]
    pub ascii: bool,
    /// A dialogue of lines in place of the screen, for screen readers and pipes
    #[arg(long, global = true)]
    pub plain: bool,
    /// Let the screen take the mouse: click a message to deliver it
    #[arg(long, global = true)]
    pub mouse: bool,
    /// Your name: lessons that are drawn anew for everybody are drawn for it, and answers carry it
    #[arg(long, global = true, value_name = "NAME", env = "LOCKSTEP_WHO", hide_env_values = true)]
    pub who: Option<String>,
    /// Read the lessons of this folder in place of the built-in ones
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "LOCKSTEP_LESSONS",
        hide_env_values = true
    )]
    pub lessons: Option<PathBuf>,
}
