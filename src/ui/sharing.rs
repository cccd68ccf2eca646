//! What becomes of a run outside the program: its line, a file, an export, a lesson. The same for the
//! screen and for the dialogue of lines.
//!
//! It says what was done and does not show it; files are opened by the terminal's own file.

use super::{read_file, write_new_file};
use crate::catalog;
use crate::export::{self, EXPORTERS, Run};
use crate::input::count;
use crate::lab::Lab;
use crate::lesson::author::file_and_id;
use crate::lesson::kinds::{self, Kind};
use crate::lesson::lint::TODO;
use crate::lesson::record::{Form, record as written_as};
use crate::model::{Config, Script};
use crate::session::Session;
use crate::sim::StepRecord;
use crate::trace::narrate::sentence;

/// Asks `record` for steps alone.
const STEPS: &str = "steps";

/// A run as its line, or in a format.
fn written(lab: &Lab, format: Option<&str>, seed: Option<u64>) -> Result<String, String> {
    let Some(name) = format else { return Ok(lab.line() + "\n") };
    let Some(format) = export::find(name) else {
        let names: Vec<&str> = EXPORTERS.iter().map(|f| f.name()).collect();
        return Err(format!("no format is called `{name}`; there are {}", names.join(", ")));
    };
    let mut bytes = Vec::new();
    let mut run = Run::of(lab);
    run.seed = seed;
    format.export(&run, &mut bytes).expect("a vector can be written");
    Ok(String::from_utf8(bytes).expect("every format is text"))
}

/// Writes the run to a new file, and says so.
///
/// # Errors
/// Why it was not written.
pub(super) fn save(
    lab: &Lab,
    path: &str,
    format: Option<&str>,
    seed: Option<u64>,
) -> Result<String, String> {
    if path.is_empty() {
        return Err("into which file? Write save my.run, or export text my.txt".to_owned());
    }
    write_new_file(path, &written(lab, format, seed)?)?;
    Ok(format!("the run is in `{path}`"))
}

/// Reads a run, or a script with what was played here. Says what it was.
///
/// # Errors
/// Why there is none.
pub(super) fn load(path: &str, here: &Lab) -> Result<(Lab, String), String> {
    let own = here.config().script.as_ref().map(|script| script.name.as_str());
    let path = own.filter(|_| path.is_empty()).unwrap_or(path);
    if path.is_empty() {
        return Err("which file? Write load my.run".to_owned());
    }
    if Script::is_named(path) {
        return load_script(path, here);
    }
    let text = read_file(path)?;
    match kinds::of(&text) {
        Some(Kind::Run) | None => {}
        Some(other) => return Err(format!("`{path}`: {}", kinds::instead(&other, &Kind::Run))),
    }
    let lab = Lab::of_line(&text).map_err(|error| format!("`{path}` is no run: {error}"))?;
    let told = format!("loaded `{path}`: {}", count(lab.state().steps(), "step"));
    Ok((lab, told))
}

/// Reads a script, perhaps one that has changed since, and plays with it what was played, as far as it goes.
fn load_script(path: &str, here: &Lab) -> Result<(Lab, String), String> {
    let entry = catalog::named(path).map_err(|error| error.message)?;
    let config = Config {
        algorithm: entry.info.slug.to_owned(),
        script: entry.script,
        ..here.config().clone()
    };
    let mut lab = Lab::new(config).map_err(|error| error.to_string())?;
    let history = here.history();
    let mut before: Vec<&StepRecord> =
        history.ancestors(history.cursor()).filter_map(|rev| history.record(rev)).collect();
    before.reverse();
    let (mut parts, names) = (None, lab.setup().names.clone());
    for old in &before {
        match lab.play(old.event) {
            Ok(new) if new.sent == old.sent && new.entered == old.entered => {}
            Ok(new) => {
                _ = parts.get_or_insert_with(|| {
                    format!("step {} goes another way: {}", old.n, sentence(new, &names))
                })
            }
            Err(refused) => {
                let event = old.event.show(&names);
                let why = refused.to_string();
                parts.get_or_insert_with(|| {
                    format!("step {}, `{event}`, cannot happen: {why}", old.n)
                });
                break;
            }
        }
    }
    let steps = count(lab.state().steps(), "step");
    let told = match parts {
        None => format!("read `{path}`: {steps} as before"),
        Some(parts) => format!("read `{path}`: {steps}; {parts}"),
    };
    Ok((lab, told))
}

/// What came of recording.
pub(super) enum Record {
    /// From here on; nothing was written.
    Mark,
    /// The text of steps, which stands in no file.
    Text(String),
    /// It is in a file; what there is to say about it, one paragraph a line.
    Told(Vec<String>),
}

/// Does what `record …` asks for: the run since a point as a lesson, or as steps, in a new file.
///
/// # Errors
/// Why nothing was written.
pub(super) fn record(session: &Session, asked: &str) -> Result<Record, String> {
    if asked.is_empty() {
        return Ok(Record::Mark);
    }
    let (lab, from) = (session.lab(), session.recorded_from()?);
    let (first, rest) = asked.split_once(char::is_whitespace).unwrap_or((asked, ""));
    let (name, steps) = if first == STEPS { (rest.trim(), true) } else { (asked, false) };
    if name.is_empty() {
        return Ok(Record::Text(written_as(lab, from, Form::Steps)?.text));
    }
    let (path, id) = file_and_id(name);
    let form = if steps { Form::Steps } else { Form::Lesson(&id) };
    let recorded = written_as(lab, from, form)?;
    write_new_file(&path, &recorded.text)?;
    let what = if steps { "steps for a lesson" } else { "a lesson" };
    let mut told = vec![
        format!("The run is in `{path}`, as {what} that asks for {}.", recorded.goal),
        format!("Still to be written, wherever it says {TODO}:"),
    ];
    told.extend(recorded.missing.iter().map(|line| format!("- {line}")));
    if !steps {
        told.push(format!("lockstep lesson lint {path} names each place."));
        told.push(format!("lockstep lesson preview {path} shows it while you write."));
    }
    Ok(Record::Told(told))
}
