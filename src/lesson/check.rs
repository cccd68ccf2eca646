//! From a file to a lesson: everything that has to hold before anybody may open it.
//!
//! All that is wrong with a file is found at once, each with its place. What would merely be better
//! is for `lint`.

use super::file::{LessonFile, Misfit, StepFile, VERSION};
use super::question::{Scene, common_misfits, is_id, not_an_id};
use super::{Lesson, Step};
use crate::catalog::{self, ConfigError};
use crate::input::{self, Document, Path, Problem, Problems, Source};
use crate::model::{Config, Event, Names};
use crate::sim::Simulation;

/// Reads and checks a lesson.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text.
pub fn lesson(source: &Source) -> Result<Lesson, Problems> {
    let (file, document) = input::parse_with_places::<LessonFile>(source)?;
    let mut checker = Checker { document: &document, problems: Vec::new() };
    checker.head(&file);
    let config = checker.cluster(&file);
    let steps = checker.steps(&file, &config);
    if let Some(problems) = Problems::of(checker.problems) {
        return Err(problems);
    }
    let objectives = file.objectives.into_iter().collect();
    Ok(Lesson {
        id: file.id,
        title: file.title,
        about: file.about.trim().to_owned(),
        source: file.source,
        minutes: file.minutes,
        needs: file.needs,
        objectives,
        config,
        requests: file.cluster.requests,
        steps,
        document,
    })
}

struct Checker<'d> {
    document: &'d Document,
    problems: Vec<Problem>,
}

fn below(part: &Path, rest: &Path) -> Path {
    part.segs().iter().chain(rest.segs()).cloned().collect()
}

impl Checker<'_> {
    fn value(&mut self, path: Path, message: impl AsRef<str>) {
        self.problems.push(self.document.problem(path, message));
    }

    fn key(&mut self, path: Path, message: impl AsRef<str>) {
        self.problems.push(self.document.key_problem(path, message));
    }

    fn misfits(&mut self, part: &Path, misfits: Vec<Misfit>) {
        for misfit in misfits {
            let path = below(part, &misfit.path);
            if misfit.key {
                self.key(path, misfit.message);
            } else {
                self.value(path, misfit.message);
            }
        }
    }

    fn head(&mut self, file: &LessonFile) {
        let at = |key: &str| Path::root().key(key);
        if file.lesson != VERSION {
            let message = format!(
                "this is version {} of the lesson format; this program reads version {VERSION}",
                file.lesson
            );
            self.value(at("lesson"), message);
        }
        if !is_id(&file.id) {
            self.value(at("id"), not_an_id(&file.id));
        }
        for (key, text) in [("title", &file.title), ("about", &file.about)] {
            if text.trim().is_empty() {
                self.value(at(key), format!("the lesson needs a text for `{key}`"));
            }
        }
        if file.title.trim().contains('\n') {
            self.value(at("title"), "a title is one line");
        }
        for (i, id) in file.needs.iter().enumerate() {
            if *id == file.id {
                self.value(at("needs").index(i), "the lesson needs itself");
            } else if !is_id(id) {
                self.value(at("needs").index(i), not_an_id(id));
            }
        }
        if file.steps.is_empty() {
            self.key(at("steps"), "a lesson has at least one step");
        }
    }

    fn cluster(&mut self, file: &LessonFile) -> Config {
        let part = Path::root().key("cluster");
        let (config, misfits) = file.cluster.config();
        self.misfits(&part, misfits);
        config
    }

    fn config_error(&mut self, error: &ConfigError) {
        let mut path = Path::root().key("cluster").key(error.key);
        if let Some(item) = error.item {
            path = path.index(item);
        }
        self.value(path, &error.message);
    }

    /// Checks the steps along their run. Where the cluster cannot be built or an event is refused, what
    /// comes after is checked without a state.
    fn steps(&mut self, file: &LessonFile, config: &Config) -> Vec<Step> {
        let (names, mut run) = match self.beginning(config) {
            Some(sim) => (Some(sim.setup().names.clone()), Some(sim)),
            None => (None, None),
        };
        let beginning = run.as_ref().map(|sim| sim.fork());
        let objectives: Vec<&str> = file.objectives.keys().map(String::as_str).collect();
        let mut ids: Vec<(String, usize)> = Vec::new();
        let mut steps = Vec::new();
        for (n, step) in file.steps.iter().enumerate() {
            let part = Path::root().key("steps").index(n);
            let events = self.run(step, &part, names.as_ref(), &mut run);
            let mut questions = step.questions();
            self.one_question(&questions, &part);
            if let (Some(at), Some(beginning)) = (run.as_deref(), beginning.as_deref()) {
                let scene = Scene { at, beginning };
                questions.iter_mut().for_each(|(_, question)| question.prepare(scene));
            }
            for (key, question) in &questions {
                let part = part.clone().key(*key);
                let before: Vec<&str> = ids.iter().map(|(id, _)| id.as_str()).collect();
                let common = question.common();
                let mut misfits = common_misfits(&common, &objectives, &before);
                misfits.extend(question.misfits(run.as_deref()));
                let first = ids.iter().find(|(id, _)| id == common.id).map(|(_, step)| step + 1);
                if let Some(first) = first {
                    let message = format!("step {first} has a question `{}` already", common.id);
                    misfits.push(Misfit::value(Path::root().key("id"), message));
                }
                self.misfits(&part, misfits);
                ids.push((common.id.to_owned(), n));
            }
            let question = questions.into_iter().next().map(|(_, q)| q);
            // Only an event that `misfits` has found to be enabled is played.
            let plays = question.as_ref().zip(run.as_mut()).and_then(|(q, r)| q.plays(r.as_ref()));
            if let (Some(event), Some(sim)) = (plays, run.as_mut())
                && sim.step(event).is_err()
            {
                run = None;
            }
            if step.say.is_none() && step.run.is_empty() && question.is_none() {
                self.value(part, "the step has nothing to read, to play or to answer");
            }
            let (say, note) = (step.say.clone(), step.note.clone());
            steps.push(Step { say, note, run: events, question });
        }
        steps
    }

    /// The cluster at its beginning, if it can be built.
    fn beginning(&mut self, config: &Config) -> Option<Box<dyn Simulation>> {
        match catalog::start(config) {
            Ok(sim) => Some(sim),
            Err(error) => {
                self.config_error(&error);
                None
            }
        }
    }

    /// The events of a step, each of them played on.
    fn run(
        &mut self,
        step: &StepFile,
        part: &Path,
        names: Option<&Names>,
        run: &mut Option<Box<dyn Simulation>>,
    ) -> Vec<Event> {
        let Some(names) = names else { return Vec::new() };
        let mut events = Vec::new();
        for (i, text) in step.run.iter().enumerate() {
            let at = part.clone().key("run").index(i);
            let event = match Event::parse(text, names) {
                Ok(event) => event,
                Err(error) => {
                    self.value(at, error.message);
                    *run = None;
                    continue;
                }
            };
            events.push(event);
            let refused = run.as_mut().and_then(|sim| sim.step(event).err());
            if let Some(refused) = refused {
                self.value(at, format!("`{text}` cannot happen here: {}", refused.reason));
                *run = None;
            }
        }
        events
    }

    fn one_question(
        &mut self,
        questions: &[(&'static str, Box<dyn super::Question>)],
        part: &Path,
    ) {
        for (key, _) in questions.iter().skip(1) {
            let first = questions[0].0;
            let message = format!("the step asks a `{first}` question already; a step has one");
            self.key(part.clone().key(*key), message);
        }
    }
}
