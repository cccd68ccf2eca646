//! The one door from the command line to the screen.
//!
//! Lessons and clusters are read before the terminal is touched, so that every error is told in the
//! plain shell.

use super::drill::{no_drill, seed_of_now};
use super::{Answer, Failure, GlobalArgs};
use crate::lab::Lab;
use crate::lesson::drill::Drill;
use crate::lesson::progress::Store;
use crate::lesson::{Learner, Library, NotOpened};
use crate::ui::app::App;
use crate::ui::color::{ColorEnv, ColorUse};
use crate::ui::course::Course;
use crate::ui::panel::Look;
use crate::ui::plain::{self, Dialogue, Typing};
use crate::ui::screen::stepper::Stepper;
use crate::ui::theme::{Glyphs, Theme};
use crate::ui::{self, Ending, TerminalOptions, UiError};
use std::io::{self, BufWriter, IsTerminal as _, Write as _};

/// What the screen begins with.
#[derive(Debug)]
pub enum Opening {
    /// The menu.
    Home,
    /// A lesson, as the command line names it; `None`: the one that was open last, or else the menu.
    Lesson(Option<String>),
    /// The choice of a drill, and the seed of the first one.
    Drill(u64),
    /// A drill.
    Drilled(Drill),
    /// A cluster to step by hand, and the seed of its random steps.
    Play(Box<Lab>, Option<u64>),
}

/// The lessons that the options name: a folder's, or those that the program carries.
///
/// # Errors
/// The folder cannot be read.
pub fn library(global: &GlobalArgs) -> Result<Library, Failure> {
    let all = match &global.lessons {
        None => Library::embedded(),
        Some(folder) => {
            Library::folder(folder).map_err(|none| Failure::BadUse(none.to_string()))?
        }
    };
    Ok(match &global.who {
        Some(who) => all.for_who(who),
        None => all,
    })
}

/// The same for whoever sits here: without a name on the command line, for the one that was used last.
///
/// # Errors
/// The folder cannot be read.
pub fn own_library(global: &GlobalArgs) -> Result<Library, Failure> {
    let all = library(global)?;
    // What is wrong with the progress is told by whoever goes on with it.
    let kept = Store::of_user().ok().and_then(|store| store.load().ok());
    Ok(match kept.and_then(|kept| kept.who).filter(|_| global.who.is_none()) {
        Some(who) => all.for_who(&who),
        None => all,
    })
}

/// What a lesson that was not opened means for the exit status.
#[must_use]
pub fn not_opened(error: NotOpened) -> Failure {
    match error {
        NotOpened::Unknown(message) => Failure::BadUse(message),
        NotOpened::Bad(bad) => Failure::Lesson(bad.render(100)),
    }
}

/// How everything looks, and how colours are written.
pub(super) fn look(global: &GlobalArgs) -> (Look, ColorUse) {
    let get = |name: &str| std::env::var(name).ok();
    let colour = global.color.resolve(&ColorEnv::from_vars(get, io::stdout().is_terminal()));
    let theme = Theme::new(global.theme, colour, get("COLORFGBG").as_deref());
    (Look { theme, glyphs: Glyphs::new(global.ascii) }, colour)
}

/// What to ask of the terminal.
pub(super) fn options(mouse: bool, look: &Look, colour: ColorUse) -> TerminalOptions {
    TerminalOptions {
        mouse,
        focus: false,
        ask_background: look.theme.wants_background(),
        force_color: colour == ColorUse::Forced,
    }
}

/// How a screen that has ended is answered for.
pub(super) fn ended(ended: Result<Ending, UiError>) -> Result<Answer, Failure> {
    match ended {
        Ok(ending) if ending.status() == 0 => Ok(Answer::Yes),
        Ok(ending) => Ok(Answer::Left(ending.status())),
        Err(error) => Err(Failure::BadUse(error.to_string())),
    }
}

/// The seed of the next drill, and whether the choice of one is what is opened.
fn drills(opening: &Opening) -> (u64, bool) {
    match opening {
        Opening::Drill(seed) => (*seed, true),
        Opening::Drilled(drill) => (drill.seed.wrapping_add(1), false),
        Opening::Home | Opening::Lesson(_) | Opening::Play(..) => (seed_of_now(), false),
    }
}

/// Opens the screen, or the dialogue of lines, and stays until the person leaves.
///
/// # Errors
/// There is no terminal, or it cannot be used, or a lesson does not open.
pub fn open(opening: Opening, global: &GlobalArgs) -> Result<Answer, Failure> {
    let library = own_library(global)?;
    if global.plain {
        return open_plain(opening, library, global);
    }
    let mut course = Course::of(&library).kept_in(Store::of_user());
    let (drill_seed, at_drills) = drills(&opening);
    let stepper = match opening {
        Opening::Home => None,
        Opening::Lesson(word) => {
            let lesson = match word {
                Some(word) => Some(library.open(&word).map_err(not_opened)?),
                // A lesson that is gone or has faults by now is no reason not to open the menu.
                None => course.last().and_then(|last| library.open_kept(last)),
            };
            let opened = lesson.map(|lesson| course.resume(lesson)).transpose();
            let opened = opened.map_err(|e| Failure::Lesson(e.to_string()))?;
            opened.map(|(learner, lab)| Stepper::lesson(learner, lab))
        }
        Opening::Drill(_) => None,
        Opening::Drilled(drill) => {
            let lesson = drill.lesson().map_err(no_drill)?;
            let (learner, lab) =
                Learner::new(lesson).map_err(|e| Failure::Lesson(e.to_string()))?;
            Some(Stepper::lesson(learner, lab))
        }
        Opening::Play(lab, seed) => {
            let mut stepper = Stepper::free_play(*lab);
            if let Some(seed) = seed {
                stepper.use_seed(seed);
            }
            Some(stepper)
        }
    };
    let (look, colour) = look(global);
    let mut app = App::new(course, look, global.mouse);
    app.use_drill_seed(drill_seed);
    if at_drills {
        app.open_drills();
    }
    if let Some(stepper) = stepper {
        app.open(stepper);
    }
    let left = ui::run(&mut app, options(global.mouse, &look, colour));
    let warning = match &left {
        // A lesson that nobody has seen was not begun.
        Err(UiError::NoTerminal(_)) => None,
        Ok(_) | Err(_) => app.leave(),
    };
    if let Some(warning) = warning {
        // The screen is gone, and nobody is left to hear that this did not work.
        let _ = writeln!(io::stderr(), "lockstep: {warning}");
    }
    ended(left)
}

/// The dialogue of lines, on whatever the process is connected to.
fn open_plain(opening: Opening, library: Library, global: &GlobalArgs) -> Result<Answer, Failure> {
    let lesson = match &opening {
        Opening::Lesson(Some(word)) => Some(library.open(word).map_err(not_opened)?),
        Opening::Home
        | Opening::Lesson(None)
        | Opening::Play(..)
        | Opening::Drill(_)
        | Opening::Drilled(_) => None,
    };
    let (drill_seed, at_drills) = drills(&opening);
    let dialogue = Dialogue::new(library, Glyphs::new(global.ascii));
    let mut dialogue = dialogue.kept_in(Store::of_user());
    let opened = match (opening, lesson) {
        (_, Some(lesson)) => dialogue.resume(lesson),
        (Opening::Lesson(_), None) => dialogue.resume_last(),
        (Opening::Play(lab, seed), None) => {
            dialogue.open_play(*lab, seed);
            Ok(())
        }
        (Opening::Drilled(drill), None) => dialogue.resume(drill.lesson().map_err(no_drill)?),
        (Opening::Home | Opening::Drill(_), None) => Ok(()),
    };
    opened.map_err(|e| Failure::Lesson(e.to_string()))?;
    dialogue.use_drill_seed(drill_seed, at_drills);
    let stdin = io::stdin();
    let typing = if stdin.is_terminal() { Typing::Shown } else { Typing::Repeated };
    let mut output = BufWriter::new(io::stdout().lock());
    let ended = plain::run(&mut dialogue, &mut stdin.lock(), &mut output, typing);
    // What could not be written is not tried again on the way out.
    drop(output.into_parts());
    if let Some(warning) = dialogue.leave() {
        // Nobody may be left to hear that this did not work.
        let _ = writeln!(io::stderr(), "lockstep: {warning}");
    }
    ended?;
    Ok(Answer::Yes)
}
