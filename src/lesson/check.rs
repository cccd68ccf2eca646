//! From a file to a lesson: everything that has to hold before anybody may open it.
//!
//! All that is wrong with a file is found at once, in its form and in what it says, each with its place.
//! What would merely be better is for `lint`.

use super::file::{LessonFile, Misfit, NEEDED, StepFile, VERSION};
use super::keyless::Redacted;
use super::question::{KINDS, Question, Scene, common_misfits, is_id, not_an_id};
use super::vary::{Drawn, Draws};
use super::walk::Run;
use super::{Lesson, Step};
use crate::catalog::{self, ConfigError};
use crate::input::{self, Document, Path, Problem, Problems, Source, nearest};
use crate::model::{Config, Event, Names};
use crate::sim::Simulation;
use std::sync::Arc;

/// Reads and checks a lesson, drawn for somebody if it is one that is drawn.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text.
pub fn lesson(source: &Source, who: &str) -> Result<Lesson, Problems> {
    whole(source, examine(source, Draw::For(who)))
}

/// The same lesson drawn for somebody else. What can be drawn is known from the first time.
///
/// # Errors
/// What is wrong with that draw.
pub fn again(lesson: &Lesson, who: &str) -> Result<Lesson, Problems> {
    let source = lesson.document().source();
    let Some(draws) = &lesson.draws else { return self::lesson(source, who) };
    let drawn = draws.for_who(who);
    let mut lesson = whole(source, examine(source, Draw::This(drawn, draws)))?;
    who.trim().clone_into(&mut lesson.who);
    Ok(lesson)
}

fn whole(source: &Source, examined: Examined) -> Result<Lesson, Problems> {
    let Examined { lesson, problems } = examined;
    match (Problems::of(problems), lesson) {
        (None, Some(lesson)) => Ok(lesson),
        (Some(problems), _) => Err(problems),
        (None, None) => {
            Err(Problem::new(source.name(), input::Pos::START, "cannot be read").into())
        }
    }
}

/// What is drawn for a lesson that is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Draw<'d> {
    /// What belongs to a name.
    For(&'d str),
    /// This, of all these.
    This(&'d Drawn, &'d Arc<Draws>),
}

/// As much of a lesson as there is, and all that is wrong with it.
#[derive(Debug)]
pub struct Examined {
    /// The lesson; whole if there are no problems.
    pub lesson: Option<Lesson>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Reads and checks a lesson as far as that is possible.
#[must_use]
pub fn examine(source: &Source, draw: Draw<'_>) -> Examined {
    let (document, mut problems) = input::parse_text(source);
    let Some(document) = document else { return Examined { lesson: None, problems } };
    let place = |misfit: Misfit| match misfit.key {
        true => document.key_problem(misfit.path, misfit.message),
        false => document.problem(misfit.path, misfit.message),
    };
    let (draws, drawn) = match draw {
        Draw::This(drawn, draws) => (Some(Arc::clone(draws)), Some(drawn.clone())),
        Draw::For(who) => match Draws::of(&document) {
            Some(Ok(draws)) => {
                let drawn = draws.for_who(who).clone();
                (Some(Arc::new(draws)), Some(drawn))
            }
            Some(Err(misfits)) => {
                problems.extend(misfits.into_iter().map(place));
                (None, None)
            }
            None => (None, None),
        },
    };
    let filled = drawn.as_ref().map(|drawn| drawn.fill(&document));
    let (document, unknown) = filled.unwrap_or((document, Vec::new()));
    let no_names = |u: super::vary::Unknown| Problem::new(source.name(), u.pos, u.message);
    problems.extend(unknown.into_iter().map(no_names));
    let mut fitting = document.read_what_fits::<LessonFile>();
    // Of a key that comes twice only the first value is known.
    fitting.left_out.extend(problems.iter().filter_map(Problem::path).map(Path::from));
    problems.extend(fitting.problems);
    let Some(file) = fitting.value else { return Examined { lesson: None, problems } };
    let checker = Checker { document: &document, left_out: &fitting.left_out, problems };
    let (steps, config, problems) = checker.whole(&file);
    let lesson = Lesson {
        id: file.id,
        title: file.title,
        about: file.about.trim().to_owned(),
        source: file.source,
        minutes: file.minutes,
        needs: file.needs,
        objectives: file.objectives.into_iter().collect(),
        stripped: file.stripped,
        drill: false,
        who: match draw {
            Draw::For(who) => who.trim().to_owned(),
            Draw::This(..) => String::new(),
        },
        drawn: drawn.map(|drawn| drawn.to_string()),
        draws,
        config,
        requests: file.cluster.settings.requests(),
        steps,
        document,
    };
    Examined { lesson: Some(lesson), problems }
}

struct Checker<'d> {
    document: &'d Document,
    /// Places at which something does not even have the right form. What follows from that is not told.
    left_out: &'d [Path],
    problems: Vec<Problem>,
}

fn below(part: &Path, rest: &Path) -> Path {
    part.segs().iter().chain(rest.segs()).cloned().collect()
}

/// Whether one of two places lies in the other.
fn nested(a: &Path, b: &Path) -> bool {
    a.segs().iter().zip(b.segs()).all(|(a, b)| a == b)
}

impl Checker<'_> {
    fn whole(mut self, file: &LessonFile) -> (Vec<Step>, Config, Vec<Problem>) {
        self.head(file);
        let (config, fits) = self.cluster(file);
        let beginning = if fits { self.beginning(&config) } else { None };
        let steps = self.steps(file, &config, beginning);
        (steps, config, self.problems)
    }

    /// Whether something in a place, or around it, was left out.
    fn damaged(&self, path: &Path) -> bool {
        self.left_out.iter().any(|out| nested(out, path))
    }

    fn value(&mut self, path: Path, message: impl AsRef<str>) {
        if !self.damaged(&path) {
            self.problems.push(self.document.problem(path, message));
        }
    }

    fn key(&mut self, path: Path, message: impl AsRef<str>) {
        if !self.damaged(&path) {
            self.problems.push(self.document.key_problem(path, message));
        }
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

    /// The keys that have to be there. One that is misspelt is told as that.
    fn needed(&mut self) -> Vec<&'static str> {
        let there = self.document.keys(&Path::root());
        let lost: Vec<&'static str> = NEEDED.into_iter().filter(|k| !there.contains(k)).collect();
        for key in &lost {
            let meant = |out: &Path| match out.segs() {
                [input::Seg::Key(word)] => nearest(word, [*key]).is_some(),
                _ => false,
            };
            if !self.left_out.iter().any(meant) {
                let message = format!("the key `{key}` is missing");
                self.problems.push(self.document.problem(Path::root(), message));
            }
        }
        lost
    }

    fn head(&mut self, file: &LessonFile) {
        let lost = self.needed();
        let at = |key: &str| Path::root().key(key);
        if file.lesson != VERSION && !lost.contains(&"lesson") {
            let message = format!(
                "this is version {} of the lesson format; this program reads version {VERSION}",
                file.lesson
            );
            self.value(at("lesson"), message);
        }
        if !is_id(&file.id) && !lost.contains(&"id") {
            self.value(at("id"), not_an_id(&file.id));
        }
        for (key, text) in [("title", &file.title), ("about", &file.about)] {
            if text.trim().is_empty() && !lost.contains(&key) {
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

    /// The settings of the cluster, and whether they have the right form.
    fn cluster(&mut self, file: &LessonFile) -> (Config, bool) {
        let part = Path::root().key("cluster");
        let (config, misfits) = file.cluster.config();
        let fits = misfits.is_empty();
        self.misfits(&part, misfits);
        (config, fits)
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
    fn steps(
        &mut self,
        file: &LessonFile,
        config: &Config,
        beginning: Option<Box<dyn Simulation>>,
    ) -> Vec<Step> {
        let mut run = Run::from(beginning.as_ref().map(|sim| sim.fork()));
        let mut asked = Asked {
            objectives: file.objectives.keys().map(String::as_str).collect(),
            ids: Vec::new(),
            some_lost: false,
            stripped: file.stripped,
        };
        let mut steps = Vec::new();
        let all = Path::root().key("steps");
        // An item that was left out leaves its place to nobody.
        let there = |n: &usize| !self.left_out.contains(&all.clone().index(*n));
        let places: Vec<usize> = (0..).filter(there).take(file.steps.len()).collect();
        for (n, step) in places.into_iter().zip(&file.steps) {
            let part = all.clone().index(n);
            let names = beginning.as_ref().map(|sim| &sim.setup().names);
            let events = self.run(step, &part, names, &mut run);
            let scene = run.state().zip(beginning.as_deref());
            let scene = scene.map(|(at, beginning)| Scene { at, beginning, config });
            let question = self.questions(step, &part, n, scene, &mut asked);
            if let Some(question) = question.as_deref() {
                let _played = run.close(question);
            }
            if self.damaged(&part) {
                if self.lost_events(&part) {
                    run.lose();
                }
                asked.some_lost = true;
            }
            if step.say.is_none() && step.run.is_empty() && question.is_none() {
                self.value(part, "the step has nothing to read, to play or to answer");
            }
            let (say, note) = (step.say.clone(), step.note.clone());
            steps.push(Step { say, note, run: events, question });
        }
        steps
    }

    /// Whether an event may be among what was left out of a step, so that nobody knows what follows.
    fn lost_events(&self, part: &Path) -> bool {
        let lost = |out: &Path| match out.segs().get(part.segs().len()) {
            Some(input::Seg::Key(key)) => {
                !(KINDS.contains(&key.as_str()) || matches!(key.as_str(), "say" | "note"))
            }
            Some(input::Seg::Index(_)) | None => true,
        };
        let plays = self.document.has(part.clone().key("predict").key("then"));
        plays || self.left_out.iter().any(|out| nested(out, part) && lost(out))
    }

    /// Checks the questions of a step, of which there is one at most.
    fn questions(
        &mut self,
        step: &StepFile,
        part: &Path,
        n: usize,
        scene: Option<Scene<'_>>,
        asked: &mut Asked<'_>,
    ) -> Option<Box<dyn Question>> {
        let mut questions = step.questions();
        self.one_question(&questions, part);
        if asked.stripped {
            let keyless = |(key, whole)| (key, Box::new(Redacted(whole)) as Box<dyn Question>);
            questions = questions.into_iter().map(keyless).collect();
        }
        for (key, question) in &mut questions {
            if let Some(scene) = scene {
                question.prepare(scene);
            }
            let part = part.clone().key(*key);
            let misfits = asked.misfits(question.as_ref(), scene.map(|s| s.at));
            self.misfits(&part, misfits);
            let line = self.document.value(part.key("id")).line;
            asked.ids.push((question.common().id.to_owned(), n, line));
        }
        questions.into_iter().next().map(|(_, q)| q)
    }

    /// The cluster at its beginning, if it can be built.
    fn beginning(&mut self, config: &Config) -> Option<Box<dyn Simulation>> {
        match catalog::start(config) {
            Ok(sim) => Some(sim).filter(|_| !self.damaged(&Path::root().key("cluster"))),
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
        run: &mut Run,
    ) -> Vec<Event> {
        let Some(names) = names else { return Vec::new() };
        let mut events = Vec::new();
        for (i, text) in step.run.iter().enumerate() {
            let at = part.clone().key("run").index(i);
            let event = match Event::parse(text, names) {
                Ok(event) => event,
                Err(error) => {
                    self.value(at, error.message);
                    run.lose();
                    continue;
                }
            };
            events.push(event);
            if let Err(refused) = run.play(event) {
                self.value(at, format!("`{text}` cannot happen here: {}", refused.reason));
            }
        }
        events
    }

    fn one_question(&mut self, questions: &[(&'static str, Box<dyn Question>)], part: &Path) {
        for (key, _) in questions.iter().skip(1) {
            let first = questions[0].0;
            let message = format!("the step asks a `{first}` question already; a step has one");
            self.key(part.clone().key(*key), message);
        }
    }
}

/// What was asked before.
struct Asked<'f> {
    objectives: Vec<&'f str>,
    /// Names of questions, with their steps and lines.
    ids: Vec<(String, usize, usize)>,
    /// Whether there may have been others, whose names are not known.
    some_lost: bool,
    stripped: bool,
}

impl Asked<'_> {
    fn misfits(&self, question: &dyn Question, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let common = question.common();
        let before: Vec<&str> = self.ids.iter().map(|(id, ..)| id.as_str()).collect();
        let mut misfits = common_misfits(&common, &self.objectives, &before);
        if self.some_lost {
            let after = Path::root().key("after");
            misfits.retain(|m| m.path.segs().first() != after.segs().first());
        }
        misfits.extend(question.misfits(at));
        if let Some((id, step, line)) = self.ids.iter().find(|(id, ..)| id == common.id) {
            let message =
                format!("step {} has a question `{id}` already, on line {line}", step + 1);
            misfits.push(Misfit::value(Path::root().key("id"), message));
        }
        misfits
    }
}
