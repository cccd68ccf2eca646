//! The one door from the command line to the screen.
//!
//! Lessons and clusters are read before the terminal is touched, so that every error is told in the
//! plain shell.

use super::{Answer, Failure, GlobalArgs};
use crate::lab::Lab;
use crate::lesson::drill::{Drill, NoDrill};
use crate::lesson::progress::Store;
use crate::lesson::watch::Watched;
use crate::lesson::{Learner, Lesson, Library, NotOpened};
use crate::ui::app::App;
use crate::ui::color::{ColorEnv, ColorUse};
use crate::ui::course::Course;
use crate::ui::panel::Look;
use crate::ui::plain::{self, Dialogue, Typing};
use crate::ui::screen::stepper::Stepper;
use crate::ui::theme::{Glyphs, Theme};
use crate::ui::{self, Ending, TerminalOptions, UiError};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

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
    /// A run, which is looked at from its end.
    Run(Box<Lab>),
    /// A lesson that came with the command.
    Given(Arc<Lesson>),
}

/// Where keys, or lines, come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// The standard input.
    Stdin,
    /// The terminal itself: the standard input held something else.
    Terminal,
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
        NotOpened::Bad(bad) => Failure::Lesson(bad.render(100)),
        none => Failure::BadUse(none.to_string()),
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
        keys_from_terminal: false,
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
        Opening::Home
        | Opening::Lesson(_)
        | Opening::Play(..)
        | Opening::Run(_)
        | Opening::Given(_) => (seed_of_now(), false),
    }
}

/// Opens the screen, or the dialogue of lines, and stays until the person leaves.
///
/// # Errors
/// There is no terminal, or it cannot be used, or a lesson does not open.
pub fn open(opening: Opening, global: &GlobalArgs) -> Result<Answer, Failure> {
    open_with(opening, Keys::Stdin, global)
}

/// The same, with keys from elsewhere.
///
/// # Errors
/// As [`open`].
pub fn open_with(opening: Opening, keys: Keys, global: &GlobalArgs) -> Result<Answer, Failure> {
    let library = own_library(global)?;
    if global.plain {
        return open_plain(opening, library, keys, global);
    }
    let mut course = Course::of(&library).kept_in(Store::of_user());
    let (drill_seed, at_drills) = drills(&opening);
    let stepper = stepper(opening, &library, &mut course)?;
    let mut app = App::new(course, look(global).0, global.mouse);
    app.use_drill_seed(drill_seed);
    if at_drills {
        app.open_drills();
    }
    if let Some(stepper) = stepper {
        app.open(stepper);
    }
    show(app, keys, global)
}

/// Opens the screen on a lesson file, and loads it again whenever it is saved.
///
/// # Errors
/// There is no such lesson, or no terminal.
pub fn preview(file: &Path, global: &GlobalArgs) -> Result<Answer, Failure> {
    let shown = file.display();
    if global.plain {
        let message = format!(
            "a preview is a screen; without one, `lockstep lesson lint {shown}` tells what is wrong, \
             and `lockstep --plain learn {shown}` plays it"
        );
        return Err(Failure::BadUse(message));
    }
    if !file.exists() || file.is_dir() {
        return Err(Failure::BadUse(format!("there is no lesson file `{shown}`")));
    }
    let library = own_library(global)?;
    let (watched, lesson) =
        Watched::open(file, library.who()).map_err(|bad| not_opened(NotOpened::Bad(bad)))?;
    let app = App::preview(watched, lesson, look(global).0, global.mouse);
    show(app.map_err(|e| Failure::Lesson(e.to_string()))?, Keys::Stdin, global)
}

/// Runs the screen until the person leaves.
fn show(mut app: App, keys: Keys, global: &GlobalArgs) -> Result<Answer, Failure> {
    let (look, colour) = look(global);
    let options = TerminalOptions {
        keys_from_terminal: keys == Keys::Terminal,
        ..options(global.mouse, &look, colour)
    };
    let left = ui::run(&mut app, options);
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

/// What is open when the screen begins; `None`: the menu.
fn stepper(
    opening: Opening,
    library: &Library,
    course: &mut Course,
) -> Result<Option<Stepper>, Failure> {
    let lesson = match opening {
        Opening::Home | Opening::Drill(_) => None,
        Opening::Lesson(Some(word)) => Some(library.open(&word).map_err(not_opened)?),
        // A lesson that is gone or has faults by now is no reason not to open the menu.
        Opening::Lesson(None) => course.last().and_then(|last| library.open_kept(last)),
        Opening::Given(lesson) => Some(lesson),
        Opening::Drilled(drill) => {
            let lesson = drill.lesson().map_err(no_drill)?;
            let (learner, lab) =
                Learner::new(lesson).map_err(|e| Failure::Lesson(e.to_string()))?;
            return Ok(Some(Stepper::lesson(learner, lab)));
        }
        Opening::Play(lab, seed) => {
            let mut stepper = Stepper::free_play(*lab);
            if let Some(seed) = seed {
                stepper.use_seed(seed);
            }
            return Ok(Some(stepper));
        }
        Opening::Run(lab) => return Ok(Some(Stepper::at_end(*lab))),
    };
    let opened = lesson.map(|lesson| course.resume(lesson)).transpose();
    let opened = opened.map_err(|e| Failure::Lesson(e.to_string()))?;
    Ok(opened.map(|(learner, lab)| Stepper::lesson(learner, lab)))
}

/// The terminal itself, for lines.
fn terminal() -> Result<File, Failure> {
    File::open("/dev/tty").map_err(|error| {
        let what = "the standard input held what is to be shown, and there is no terminal to take lines from";
        Failure::BadUse(format!("{what} ({error}): use `lockstep run -` to replay it"))
    })
}

/// The dialogue of lines, on whatever the process is connected to.
fn open_plain(
    opening: Opening,
    library: Library,
    keys: Keys,
    global: &GlobalArgs,
) -> Result<Answer, Failure> {
    let lesson = match &opening {
        Opening::Lesson(Some(word)) => Some(library.open(word).map_err(not_opened)?),
        Opening::Given(lesson) => Some(Arc::clone(lesson)),
        Opening::Home
        | Opening::Lesson(None)
        | Opening::Play(..)
        | Opening::Run(_)
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
        (Opening::Run(lab), None) => {
            dialogue.open_play(*lab, None);
            Ok(())
        }
        (Opening::Drilled(drill), None) => dialogue.resume(drill.lesson().map_err(no_drill)?),
        (Opening::Home | Opening::Drill(_) | Opening::Given(_), None) => Ok(()),
    };
    opened.map_err(|e| Failure::Lesson(e.to_string()))?;
    dialogue.use_drill_seed(drill_seed, at_drills);
    let stdin = io::stdin();
    let (mut input, typing): (Box<dyn BufRead>, _) = match keys {
        Keys::Terminal => (Box::new(BufReader::new(terminal()?)), Typing::Shown),
        Keys::Stdin if stdin.is_terminal() => (Box::new(stdin.lock()), Typing::Shown),
        Keys::Stdin => (Box::new(stdin.lock()), Typing::Repeated),
    };
    let mut output = BufWriter::new(io::stdout().lock());
    let ended = plain::run(&mut dialogue, &mut *input, &mut output, typing);
    // What could not be written is not tried again on the way out.
    drop(output.into_parts());
    if let Some(warning) = dialogue.leave() {
        // Nobody may be left to hear that this did not work.
        let _ = writeln!(io::stderr(), "lockstep: {warning}");
    }
    ended?;
    Ok(Answer::Yes)
}

/// A seed that is another one each time; small enough to be read out.
pub(super) fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros()) ^ (now.as_secs() % 100_000)
}

pub(super) fn no_drill(none: NoDrill) -> Failure {
    Failure::BadUse(none.to_string())
}
