//! `lockstep export`: a run as a picture, a page, a table or data.
//!
//! It plays what `run` plays and hands it to a format; no format is at home here.

use super::cluster::ClusterArgs;
use super::run::{Played, Plays};
use super::{Answer, Failure, GlobalArgs, files};
use crate::export;
use crate::ui::color::{ColorChoice, ColorUse};
use crate::ui::layout;
use crate::ui::panel::Look;
use crate::ui::picture::Paper;
use crate::ui::shot::{self, Camera};
use crate::ui::theme::{Glyphs, Theme, ThemeName};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::io::{self, Write};

const ABOUT: &str = "\
Write a run as a picture, a page, a table or data

The run is the one that `lockstep run` plays with the same options: the events of a schedule, of a \
lesson's pages or of a saved run, or everybody's request to the end. --at ends it after that step.

A run is written whatever it shows, a violation too; `lockstep run` is the command that judges it.";

const EXAMPLES: &str = "\
Examples:
  lockstep export 9 -f svg -o race.svg             # lesson 9, for a slide
  lockstep export 9 -f html -o race.html           # a page to step through
  lockstep export 9 -f tikz --at 6 -o race.tex     # pdflatex race.tex
  lockstep export 9 -f tikz --from 7 --at 12 --width 400 -o slide.tex
  lockstep export lamport --clocks 0,0,2 --schedule \"request P1\" -f mermaid
  lockstep export lamport --seed 7 -f yaml -o run.yaml
  lockstep run run.yaml                            # plays it again
  lockstep export my.run -f svg                    # a run that was saved in the stepper

Exit status:
  0  written
  1  written, but the goal of --until was not reached
  2  bad use, or an event of the schedule is refused";

/// Write a run as a picture, a page, a table or data
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Export {
    #[command(flatten)]
    plays: Plays,
    /// How to write the run
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    format: String,
    /// End the run after this step
    #[arg(long, value_name = "STEP")]
    at: Option<u32>,
    /// Begin what is written with this step; the run is played from its beginning
    #[arg(long, value_name = "STEP")]
    from: Option<u32>,
    /// Draw svg and tikz this wide, in points, and at most 9/16 as high: 400 fits a 16:9 slide of beamer.
    /// Texts keep their size
    #[arg(long, value_name = "POINTS")]
    width: Option<u32>,
    /// Columns and rows of the formats `screen` and `cast`
    #[arg(long, value_name = "100x30", default_value = "100x30", value_parser = size)]
    size: (u16, u16),
    #[command(flatten)]
    output: files::Output,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Every format: those of runs, and those of screens.
fn formats() -> PossibleValuesParser {
    let of_runs = export::EXPORTERS.iter().map(|e| (e.name(), e.about()));
    let all = of_runs.chain([shot::SCREEN, shot::CAST]);
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}

/// Reads `100x30`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let (w, h) = layout::SMALLEST;
    let wrong = || format!("`{text}` is no size; write columns x rows, from {w}x{h} to 500x200");
    let (columns, rows) = text.split_once('x').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong());
    let (columns, rows) = (number(columns)?, number(rows)?);
    let fits = (w..=500).contains(&columns) && (h..=200).contains(&rows);
    if fits { Ok((columns, rows)) } else { Err(wrong()) }
}

/// What screens are drawn with: colours as on a dark terminal, unless the options say otherwise.
fn camera(size: (u16, u16), global: &GlobalArgs) -> Camera {
    let colour = if global.color == ColorChoice::Never { ColorUse::Off } else { ColorUse::On };
    let (theme, paper) = match global.theme {
        ThemeName::Auto => (ThemeName::Dark, Paper::Dark),
        ThemeName::Light | ThemeName::None => (global.theme, Paper::Light),
        ThemeName::Dark | ThemeName::HighContrast => (global.theme, Paper::Dark),
    };
    let look = Look { theme: Theme::new(theme, colour, None), glyphs: Glyphs::new(global.ascii) };
    Camera { size, look, paper }
}

impl Export {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        self.output.check()?;
        let mut played = self.plays.play(&self.cluster, global)?;
        if let Some(at) = self.at {
            let steps = played.lab.state().steps();
            if at > steps {
                let message = format!(
                    "--at: there is no step {at}; the run has {}",
                    crate::input::count(steps, "step")
                );
                return Err(Failure::BadUse(message));
            }
            (at..steps).for_each(|_| {
                played.lab.history_mut().back();
            });
        }
        let reason = self.plays.cut_short(&played);
        let text = self.written(played, global)?;
        self.output.write(&text, out)?;
        if let Some(caution) = export::find(&self.format).and_then(|e| e.caution(&text)) {
            // The text itself may go on through a pipe.
            let _ = writeln!(io::stderr(), "note: {caution}");
        }
        Ok(reason.map_or(Answer::Yes, |reason| Answer::No(Some(reason))))
    }

    fn written(&self, played: Played, global: &GlobalArgs) -> Result<String, Failure> {
        let Some(exporter) = export::find(&self.format) else {
            let asked = [(self.from.is_some(), "--from"), (self.width.is_some(), "--width")];
            if let Some((_, option)) = asked.into_iter().find(|(asked, _)| *asked) {
                let format = &self.format;
                return Err(Failure::BadUse(format!("{option} is not for {format}; --size is")));
            }
            let camera = camera(self.size, global);
            let recorded = self.format == shot::CAST.0;
            let lab = played.lab;
            return Ok(if recorded { camera.cast(lab) } else { camera.screen(lab) });
        };
        let mut run = played.trace(global);
        run.width = self.width;
        if let Some(from) = self.from {
            let steps = played.lab.state().steps();
            if !(1..=steps).contains(&from) {
                return Err(Failure::BadUse(format!(
                    "--from: there is no step {from}; the steps are 1 to {steps}"
                )));
            }
            run = run.from_step(from);
        }
        if let Some(why) = exporter.refuses(&run) {
            return Err(Failure::BadUse(why));
        }
        let mut bytes = Vec::new();
        exporter.export(&run, &mut bytes)?;
        Ok(String::from_utf8(bytes).expect("every format is text"))
    }
}
