//! Two faces of one session: the same is done with keys on the screen and with words in the dialogue of
//! lines, over every lesson, and leaves the same session and the same progress file, byte for byte.

use crate::screen::{Seen, plain_look};
use lockstep::lesson::progress::Store;
use lockstep::lesson::question::Way;
use lockstep::lesson::{Learner, Lesson, Library, QuestionState, QuestionView};
use lockstep::model::Event;
use lockstep::session::{AnswerDraft, Session, Where};
use lockstep::ui::app::App;
use lockstep::ui::course::Course;
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;
use lockstep::ui::screen::branches::Branches;
use lockstep::ui::screen::stepper::Stepper;
use std::fs;
use std::sync::Arc;

/// What somebody does, whatever the face.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Deed {
    Next,
    Back,
    /// An event, as text.
    Event(String),
    Deliver(usize),
    Hold(usize),
    Run,
    Until(&'static str),
    GoTo(u32),
    Seed(u64),
    ToLesson,
    Hint,
    Solution,
    /// An answer in its canonical form, handed in.
    Answer(String),
    /// The beginning of one, put aside.
    Begin(String),
}

trait Face {
    fn session(&self) -> &Session;
    fn does(&mut self, deed: &Deed);
    fn leave(&mut self);
}

struct Lines(Dialogue);

impl Lines {
    fn say(&mut self, line: &str) -> String {
        self.0.take(line).text
    }

    /// The lines of an answer that is given in the cluster, from its beginning.
    fn write(&mut self, lines: &str, between: &str) {
        self.say("answer");
        let said = said_before(self.session());
        if said == 0 {
            while self.say("-").starts_with("Taken back") {}
        }
        for line in lines.split(between).skip(said) {
            let said = self.say(line);
            assert!(!said.starts_with("Not added"), "{line}: {said}");
        }
    }
}

impl Face for Lines {
    fn session(&self) -> &Session {
        self.0.session().expect("a lesson is open")
    }

    fn does(&mut self, deed: &Deed) {
        let way = self.session().question().map(|q| q.way);
        let line = match (deed, way) {
            (Deed::Next, _) => "next".to_owned(),
            (Deed::Back, _) => "back".to_owned(),
            (Deed::Event(event), _) => event.clone(),
            (Deed::Deliver(n), _) => format!("deliver {n}"),
            (Deed::Hold(n), _) => format!("hold {n}"),
            (Deed::Run, _) => "run".to_owned(),
            (Deed::Until(goal), _) => format!("until {goal}"),
            (Deed::GoTo(n), _) => format!("goto {n}"),
            (Deed::Seed(n), _) => format!("seed {n}"),
            (Deed::ToLesson, _) => "lesson".to_owned(),
            (Deed::Hint, _) => "hint".to_owned(),
            (Deed::Solution, _) => {
                self.say("solution");
                "solution".to_owned()
            }
            (Deed::Answer(raw), Some(Way::Play(_))) if raw == "impossible" => {
                "answer impossible".to_owned()
            }
            (Deed::Answer(raw), Some(Way::Play(_))) => {
                self.write(raw, "; ");
                String::new()
            }
            (Deed::Answer(raw), Some(Way::Decide(_))) => return self.write(raw, ", "),
            (Deed::Answer(raw), _) => format!("answer {raw}"),
            (Deed::Begin(raw), Some(Way::Play(_))) => {
                self.write(raw, "; ");
                "lesson".to_owned()
            }
            (Deed::Begin(raw), Some(Way::Decide(_))) => {
                self.write(raw, ", ");
                "lesson".to_owned()
            }
            (Deed::Begin(raw), Some(Way::Cells(_))) => raw.clone(),
            (Deed::Begin(raw), _) => {
                self.say("answer");
                raw.clone()
            }
        };
        self.say(&line);
        if self.session().answer().is_some() {
            self.say("lesson");
        }
    }

    fn leave(&mut self) {
        assert_eq!(self.0.leave(), None);
    }
}

/// How many decisions of a node were taken before.
fn said_before(session: &Session) -> usize {
    match session.answer() {
        Some(AnswerDraft::Decided(decide)) => decide.next().map_or(0, |(n, ..)| n - 1),
        _ => 0,
    }
}

struct Screen(Seen);

impl Screen {
    /// Puts an answer together in the question that is open.
    fn put_together(&mut self, q: &QuestionView, raw: &str) {
        let place = |id: &str| q.picks.iter().position(|pick| pick.id == id).expect("a pick");
        match &q.way {
            Way::PickOne => self.0.press(&(place(raw) + 1).to_string()),
            Way::PickMany => {
                // What was marked before is marked no longer.
                let before = q.answer.as_deref().into_iter().flat_map(|a| a.split(", "));
                for id in before.chain(raw.split(", ")).filter(|id| !id.is_empty()) {
                    self.0.press(&(place(id) + 1).to_string());
                }
            }
            Way::Arrange => {
                let used: Vec<&str> = raw.split(", ").collect();
                used.iter().for_each(|id| self.0.press(&(place(id) + 1).to_string()));
                let in_order = |screen: &Self| match screen.session().answer() {
                    Some(AnswerDraft::Order(cards)) => cards.used(),
                    _ => 0,
                };
                while in_order(self) > used.len() {
                    self.0.press(&"Up ".repeat(q.picks.len()));
                    self.0.press(&"Down ".repeat(used.len()));
                    self.0.press("x");
                }
            }
            Way::Write => {
                self.0.ctrl('u');
                self.0.type_in(raw);
            }
            Way::Cells(labels) => {
                let cells: Vec<_> = raw.split("; ").filter_map(|c| c.split_once('=')).collect();
                for label in labels {
                    if let Some((_, value)) = cells.iter().find(|(known, _)| known == label) {
                        self.0.ctrl('u');
                        self.0.type_in(value);
                    }
                    self.0.press("Tab");
                }
            }
            Way::Play(_) if raw == "impossible" => {}
            Way::Play(_) => {
                self.0.press("Home");
                self.0.command(raw);
            }
            Way::Decide(words) => {
                for said in raw.split(", ").skip(said_before(self.session())) {
                    let place = words.iter().position(|word| word == said).expect("a word");
                    self.0.press(&format!("{} Enter", place + 1));
                }
            }
        }
    }

    fn press_here(&mut self, typed: bool, letter: char) {
        match typed {
            true => self.0.ctrl(letter),
            false => self.0.press(&letter.to_string()),
        }
    }
}

impl Face for Screen {
    fn session(&self) -> &Session {
        self.0.stepper().session()
    }

    fn does(&mut self, deed: &Deed) {
        let question = self.session().question();
        let typed = question.as_ref().is_some_and(|q| matches!(q.way, Way::Write | Way::Cells(_)));
        match deed {
            Deed::Next => self.0.press("Right"),
            Deed::Back => self.0.press("Left"),
            Deed::Event(event) => self.0.command(event),
            Deed::Deliver(n) => self.0.press(&n.to_string()),
            Deed::Hold(n) => self.0.press(&format!("{}k Esc", "Down ".repeat(*n))),
            Deed::Run => self.0.command("run"),
            Deed::Until(goal) => self.0.command(&format!("until {goal}")),
            Deed::GoTo(n) => self.0.command(&format!("goto {n}")),
            Deed::Seed(n) => self.0.command(&format!("seed {n}")),
            Deed::ToLesson => self.0.press("Esc"),
            Deed::Hint => self.0.press("h"),
            Deed::Solution => {
                self.0.press("Enter");
                (0..2).for_each(|_| self.press_here(typed, if typed { 's' } else { 'S' }));
            }
            Deed::Answer(raw) => {
                let question = question.expect("a question is asked");
                self.0.press("Enter");
                self.put_together(&question, raw);
                if raw == "impossible" {
                    self.0.press("i");
                } else if matches!(question.way, Way::Play(_)) {
                    self.0.press("s");
                } else if !matches!(question.way, Way::Decide(_)) {
                    self.0.press("Enter");
                }
                if self.session().answer().is_some() {
                    self.0.press("Esc");
                }
            }
            Deed::Begin(raw) => {
                let question = question.expect("a question is asked");
                self.0.press("Enter");
                self.put_together(&question, raw);
                self.0.press("Esc");
            }
        }
    }

    fn leave(&mut self) {
        assert_eq!(self.0.app().leave(), None);
    }
}

/// Everything that a session is, as far as somebody could tell.
fn seen_of(session: &Session) -> String {
    let (lab, learner) = (session.lab(), session.learner().expect("a lesson"));
    let branches: Vec<String> =
        Branches::of(lab).stretches().map(|s| s.words().to_owned()).collect();
    format!(
        "{:?} {:?}\nplayed: {}\nahead: {:?}\nbranches: {branches:#?}\nkept back: {:?}\nseed: {:?}\n\
         question: {:#?}\nscore: {:?}",
        session.place(),
        learner.moment(),
        lab.schedule_text(),
        session.bench().ahead(),
        session.kept(),
        session.seed(),
        learner.question(),
        learner.score(),
    )
}

/// Both faces of one lesson, each with a progress file of its own.
struct Pair {
    folder: tempfile::TempDir,
    lesson: Arc<Lesson>,
    faces: [Box<dyn Face>; 2],
    done: Vec<Deed>,
}

impl Pair {
    fn of(lesson: Arc<Lesson>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let faces = Self::open(&folder, &lesson, ["screen.yaml", "lines.yaml"]);
        Self { folder, lesson, faces, done: Vec::new() }
    }

    /// The screen on the first file, the dialogue on the second one.
    fn open(
        folder: &tempfile::TempDir,
        lesson: &Arc<Lesson>,
        files: [&str; 2],
    ) -> [Box<dyn Face>; 2] {
        let library = Library::embedded();
        let store = |name: &str| Ok(Store::at(folder.path().join(name)));
        let mut course = Course::of(&library).kept_in(store(files[0]));
        let (learner, lab) = course.resume(Arc::clone(lesson)).expect("a checked lesson");
        let mut app = App::new(course, plain_look(), false);
        app.open(Stepper::lesson(learner, lab));
        let mut dialogue = Dialogue::new(library, Glyphs::UNICODE).kept_in(store(files[1]));
        dialogue.resume(Arc::clone(lesson)).expect("a checked lesson");
        dialogue.greet();
        [Box::new(Screen(Seen::of(app))), Box::new(Lines(dialogue))]
    }

    fn learner(&self) -> &Learner {
        self.faces[0].session().learner().expect("a lesson is open")
    }

    /// Does the same in both, and demands the same.
    fn does(&mut self, deed: Deed) {
        self.faces.iter_mut().for_each(|face| face.does(&deed));
        self.done.push(deed);
        self.compare();
    }

    fn compare(&self) {
        let [screen, lines] = [0, 1].map(|i| seen_of(self.faces[i].session()));
        let last = &self.done[self.done.len().saturating_sub(4)..];
        assert_eq!(screen, lines, "{} after {last:?}", self.lesson.id);
        let [screen, lines] = self.files();
        assert_eq!(screen, lines, "{} after {last:?}", self.lesson.id);
    }

    fn files(&self) -> [Option<String>; 2] {
        ["screen.yaml", "lines.yaml"]
            .map(|name| fs::read_to_string(self.folder.path().join(name)).ok())
    }

    /// Both leave, and each goes on with what the other one has kept.
    fn change_places(&mut self) {
        self.faces.iter_mut().for_each(|face| face.leave());
        let [screen, lines] = self.files();
        assert_eq!(screen, lines, "{} when it is left", self.lesson.id);
        assert!(screen.is_some(), "something is kept");
        self.faces = Self::open(&self.folder, &self.lesson, ["lines.yaml", "screen.yaml"]);
        self.compare();
    }

    /// Leaves the lesson's run, looks around, and comes back.
    fn explore(&mut self) {
        let lab = self.faces[0].session().lab();
        let (names, enabled) = (lab.setup().names.clone(), lab.state().enabled());
        let Some(ask) = enabled.iter().find(|event| !matches!(event, Event::Tell(..))) else {
            return;
        };
        let last = enabled.last().expect("one is enabled").show(&names);
        let (first, step) = (ask.show(&names), lab.state().steps());
        // The lesson's own next event would go on with it, and a question belongs to its page.
        let page = self.learner().page();
        self.does(Deed::Event(last));
        if self.learner().page() != page || self.faces[0].session().place() != Where::Exploring {
            return;
        }
        if self.faces[0].session().lab().state().check(*ask).is_ok() {
            self.does(Deed::Event(first));
        }
        for deed in [
            Deed::Hold(1),
            Deed::Deliver(1),
            Deed::Hold(1),
            Deed::Next,
            Deed::Run,
            Deed::Back,
            Deed::Seed(7),
            Deed::Until("stuck()"),
            Deed::GoTo(step + 1),
            Deed::Next,
            Deed::Hint,
            Deed::ToLesson,
        ] {
            let in_flight = self.faces[0].session().lab().state().view().in_flight.len();
            let needs = matches!(deed, Deed::Hold(_) | Deed::Deliver(_));
            if !needs || in_flight > 0 {
                self.does(deed);
            }
        }
    }
}

/// The right answer to the open question, in its canonical form.
fn right(face: &dyn Face) -> String {
    let learner = face.session().learner().expect("a lesson");
    let question = learner.step().question.as_ref().expect("the page has a question");
    question.reference(face.session().lab().history().state_at(learner.moment().rev)).0
}

/// A wrong answer that can be read, where one is made easily.
fn wrong(q: &QuestionView, right: &str) -> Option<String> {
    let parts = |between: &str| right.split(between).map(str::to_owned).collect::<Vec<_>>();
    Some(match &q.way {
        Way::PickOne => q.picks.iter().find(|pick| pick.id != right)?.id.clone(),
        Way::PickMany => match parts(", ") {
            all if all.len() > 1 => all[1..].join(", "),
            _ => q.picks.iter().map(|pick| pick.id.clone()).collect::<Vec<_>>().join(", "),
        },
        Way::Arrange => {
            let mut cards = parts(", ");
            cards.reverse();
            Some(cards.join(", ")).filter(|reversed| reversed != right)?
        }
        Way::Write if q.kind == "number" => "99999".to_owned(),
        Way::Write => return None,
        Way::Cells(_) => {
            let mut cells = parts("; ");
            let cell = cells.iter_mut().find(|cell| {
                cell.split_once('=').is_some_and(|(_, value)| value.parse::<u32>().is_ok())
            })?;
            cell.push('9');
            cells.join("; ")
        }
        Way::Play(_) => {
            let lines = parts("; ");
            Some(lines[..lines.len() - 1].join("; ")).filter(|short| !short.is_empty())?
        }
        Way::Decide(words) => {
            let mut said = parts(", ");
            said[0] = words.iter().find(|word| **word != said[0])?.clone();
            said.join(", ")
        }
    })
}

/// A part of an answer, where the dialogue can put a part aside as well.
fn part(q: &QuestionView, right: &str) -> Option<String> {
    let first = |between: &str| right.split_once(between).map(|(first, _)| first.to_owned());
    match &q.way {
        Way::PickOne | Way::PickMany | Way::Arrange | Way::Write => None,
        Way::Cells(_) | Way::Play(_) => first("; "),
        Way::Decide(_) => first(", "),
    }
}

/// How somebody does a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Every answer is right.
    Straight,
    /// With excursions, hints, what is begun and put aside, wrong answers twice.
    Winding,
    /// Every solution is looked at, and the faces change places half-way.
    Shown,
}

fn through(lesson: &Arc<Lesson>, manner: Manner) -> usize {
    let mut pair = Pair::of(Arc::clone(lesson));
    let (mut asked, mut explored) = (0, false);
    for _ in 0..500 {
        if pair.learner().finished() {
            break;
        }
        let Some(q) = pair.faces[0].session().open_question() else {
            if manner == Manner::Winding && !explored {
                explored = true;
                pair.explore();
            }
            pair.does(Deed::Next);
            continue;
        };
        asked += 1;
        let right = right(pair.faces[0].as_ref());
        if manner == Manner::Winding {
            pair.explore();
            pair.does(Deed::Hint);
            if let Some(part) = part(&q, &right) {
                pair.does(Deed::Begin(part));
                pair.change_places();
            }
            if let Some(wrong) = wrong(&q, &right) {
                pair.does(Deed::Answer(wrong.clone()));
                // The same once more costs nothing.
                if pair.faces[0].session().open_question().is_some() {
                    pair.does(Deed::Answer(wrong));
                    if pair.faces[0].session().place() == Where::LookingAtWrong {
                        pair.does(Deed::Next);
                        pair.does(Deed::ToLesson);
                    }
                }
            }
        }
        if manner == Manner::Shown && asked % 2 == 1 {
            pair.does(Deed::Solution);
            pair.change_places();
        } else if pair.faces[0].session().open_question().is_some() {
            pair.does(Deed::Answer(right));
        }
        assert!(pair.faces[0].session().open_question().is_none(), "{}: {}", lesson.id, q.prompt);
    }
    assert!(pair.learner().finished(), "{} has an end", lesson.id);
    pair.does(Deed::Back);
    pair.change_places();
    asked
}

fn all_lessons(manner: Manner) {
    let library = Library::embedded();
    let (mut lessons, mut asked) = (0, 0);
    for shelved in library.shelved() {
        let lesson = library.open(&shelved.id).expect("the lesson is in the course");
        asked += through(&lesson, manner);
        lessons += 1;
    }
    assert!(lessons >= 20 && asked >= 80, "{lessons} lessons with {asked} questions");
}

#[test]
fn right_answers_leave_the_same_session_and_the_same_file() {
    all_lessons(Manner::Straight);
}

#[test]
fn excursions_hints_and_wrong_answers_leave_the_same_session_and_the_same_file() {
    all_lessons(Manner::Winding);
}

#[test]
fn solutions_leave_the_same_session_and_the_same_file() {
    all_lessons(Manner::Shown);
}

#[test]
fn every_type_of_question_leaves_the_same_session_and_the_same_file() {
    let library = Library::embedded();
    let lesson = library.open("tests/answering/types.yaml").expect("the lesson of all types");
    for manner in [Manner::Straight, Manner::Winding, Manner::Shown] {
        assert!(through(&lesson, manner) >= 8, "{manner:?}");
    }
}

/// A dialogue and a screen on the same run.
fn on(config: lockstep::model::Config, run: &str) -> (Seen, Dialogue) {
    let lab = || {
        let mut lab = lockstep::lab::Lab::new(config.clone()).expect("the settings fit");
        lab.play_schedule(run).expect("a run");
        lab
    };
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_play(lab(), None);
    (Seen::of_lab(lab()), dialogue)
}

#[test]
fn what_could_be_done_next_is_what_the_engine_allows() {
    use lockstep::model::Config;
    let central = || Config::new("central", 2);
    for (config, run, keys, line) in [
        // Who is inside and has crashed cannot leave; who has crashed cannot ask.
        (central(), "request P1; deliver P1>C; deliver C>P1; crash P1", "c recovers", "recover P1"),
        (central(), "crash P1", "Tab to P2, then r lets it ask", "ask P2"),
        (central(), "crash P1; crash P2", ": takes other events", "moves"),
        (Config::new("clocks", 2), "local P1", ": takes other events", "moves"),
    ] {
        let (mut seen, mut dialogue) = on(config, run);
        seen.press("Right");
        let drawn = seen.at(80, 24).text();
        assert!(drawn.contains(keys), "{run}, {keys}:\n{drawn}");
        for wrong in ["x lets P1 leave", "r lets P1 ask", "then x lets it leave"] {
            assert!(!drawn.contains(wrong), "{run}, {wrong}:\n{drawn}");
        }
        let said = dialogue.take("next").text;
        assert!(said.contains(&format!("'{line}'")), "{run}, {line}: {said}");
        let why = dialogue.take("why P1").text;
        let proposed = ["'ask P1'", "'leave P1'"].into_iter().find(|event| why.contains(event));
        assert_eq!(proposed, None, "{run}: {why}");
    }
}

#[test]
fn a_hold_ends_with_its_message_wherever_that_arrives() {
    use lockstep::model::Config;
    let (mut seen, mut dialogue) = on(Config::new("ricart-agrawala", 2), "request P1");
    // Held, delivered by name among others, taken back: it is held no longer in either.
    seen.press("k");
    dialogue.take("hold 1");
    for typed in ["deliver P1>P2; deliver P2>P1", "goto 1"] {
        seen.command(typed);
        dialogue.take(typed);
    }
    let of = |session: &Session| (session.kept().clone(), session.bench().held().len());
    assert_eq!(of(seen.stepper().session()), (Default::default(), 0));
    assert_eq!(dialogue.session().map(of), Some((Default::default(), 0)));
}

/// A question that is answered in a cluster of its own.
const ELSEWHERE: &str = "\
lesson: 1
id: elsewhere
title: Elsewhere
about: A cluster of its own.
cluster: {algorithm: ricart-agrawala, nodes: [P1, P2]}
steps:
  - say: P1 asks.
    run: [request P1]
  - drive:
      id: there
      prompt: Let A and B be inside together.
      cluster: {algorithm: lamport, variant: no-acknowledge, nodes: [A, B]}
      goal: violated(mutex)
      solution: [request A, request B]
";

#[test]
fn the_same_wrong_run_given_whole_once_more_is_opened_before_its_wrong_line() {
    let lesson = lockstep::lesson::load::reader("elsewhere.yaml", ELSEWHERE.as_bytes());
    let (learner, lab) =
        Learner::new(lesson.unwrap_or_else(|bad| panic!("{bad}"))).expect("a cluster");
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_lesson(learner, lab);
    for line in ["", "", "answer request A; crash B", "answer request A; crash B"] {
        dialogue.take(line);
    }
    let session = dialogue.session().expect("a lesson is open");
    let question = session.learner().and_then(Learner::question).expect("it is asked");
    assert_eq!((question.attempts, session.place()), (1, Where::AnsweringInCluster));
    assert_eq!(session.lab().schedule_text(), "request A", "before the line that is not allowed");
    for line in ["request B", ""] {
        dialogue.take(line);
    }
    let learner = dialogue.learner().expect("a lesson is open");
    assert_eq!(learner.state_of("there"), Some(QuestionState::Right));
    assert_eq!(learner.score(), (1.0, 1.0));
}
