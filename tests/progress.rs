//! Progress: the file is whole at every moment, nothing that was answered is lost, and a lesson goes on
//! exactly where it was left.

use crate::program;
use crate::support::{self, Setup};
use lockstep::lab::Lab;
use lockstep::lesson::answers::Answers;
use lockstep::lesson::grade::{Grader, Status, Wanted};
use lockstep::lesson::progress::{NotKept, Store};
use lockstep::lesson::resume::StudySession;
use lockstep::lesson::saved::{Progress, Saved};
use lockstep::lesson::{Answered, Learner, Lesson, Library, Next, QuestionState, Step};
use lockstep::ui::app::App;
use lockstep::ui::course::{Course, Standing};
use lockstep::ui::panel::Look;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use lockstep::ui::{Application as _, Input, Key};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

fn lessons() -> Vec<Arc<Lesson>> {
    let library = Library::embedded();
    let one =
        |s: &lockstep::lesson::load::LessonEntry| s.lesson().unwrap_or_else(|b| panic!("{b}"));
    library.shelved().iter().map(one).collect()
}

fn race() -> Arc<Lesson> {
    Library::embedded().open("ricart-agrawala-race").expect("it is shipped")
}

fn scratch() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let store = Store::at(folder.path().join("state").join("progress.yaml"));
    (folder, store)
}

fn answered(progress: &mut Progress, lesson: &str, question: &str, answer: &str) {
    let base = Saved::default();
    let mut now = Saved::default();
    let tried = lockstep::lesson::saved::Attempt {
        answers: vec![answer.to_owned()],
        attempts: 1,
        ..Default::default()
    };
    now.questions = [(question.to_owned(), tried)].into_iter().collect();
    progress.lesson_mut(lesson).merge(&base, &now);
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|e| e.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

// --- a lesson goes on where it was left ---------------------------------------------------------

/// Everything that can be seen where the lesson stands, and everything that was done.
fn seen(learner: &Learner, lab: &Lab) -> String {
    let ids = learner.lesson().questions().map(|q| q.common().id);
    let states: Vec<_> = ids.map(|id| (learner.state_of(id), learner.answer_to(id))).collect();
    let view = lab.state().view();
    format!(
        "{:?} {:?} {view:?} {:?} {:?} {states:?} {:?} {:?}",
        learner.page(),
        learner.moment().played,
        learner.say(),
        learner.question(),
        learner.score(),
        learner.finished(),
    )
}

/// One thing that a learner may do, drawn from a number.
fn something(learner: &mut Learner, lab: &mut Lab, draw: u64) {
    let open = learner.question().filter(|q| !q.state.closed());
    match (open, draw % 10) {
        (_, 0) => {
            learner.back(lab);
        }
        (Some(_), 1 | 2) => {
            learner.hint();
        }
        (Some(_), 3) => {
            // It may be refused.
            let _said = learner.show_solution(lab);
        }
        (Some(q), n) if !q.picks.is_empty() => {
            let pick = &q.picks[(draw / 10 + n) as usize % q.picks.len()];
            learner.answer(lab, &pick.id);
        }
        (Some(_), _) => {
            let solution = learner.show_solution(lab);
            solution.expect("it can be seen");
        }
        (None, _) => {
            learner.next(lab);
        }
    }
}

/// A plain generator; the tests are the same in every run.
fn draws(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    })
}

#[test]
fn a_lesson_goes_on_exactly_where_it_was_left() {
    for lesson in lessons() {
        for seed in 1..=12 {
            let (_folder, store) = scratch();
            let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
            let mut study = StudySession::begin(&learner, &Saved::default());
            for (n, draw) in draws(seed).take(60).enumerate() {
                something(&mut learner, &mut lab, draw);
                study.note(&learner, true);
                if n % 7 != 0 {
                    continue;
                }
                let change = |p: &mut Progress| study.add_to(p.lesson_mut(&lesson.id));
                let (progress, aside) = store.update(change).expect("it can be written");
                assert_eq!(aside, None);
                assert_eq!(store.load().expect("it reads back"), progress);
                let saved = progress.lessons.get(lesson.id.as_str()).expect("it is there").clone();
                let again = Learner::resume(Arc::clone(&lesson), &saved).expect("a cluster");
                assert_eq!(seen(&again.0, &again.1), seen(&learner, &lab), "{} {seed}", lesson.id);
                // From here on it is the resumed learner's turn.
                (learner, lab) = again;
                study = StudySession::begin(&learner, &saved);
            }
        }
    }
}

#[test]
fn what_a_new_edition_of_a_lesson_does_not_know_is_left_out_and_kept() {
    let lesson = race();
    let mut progress = Progress::default();
    answered(&mut progress, &lesson.id, "gone", "x");
    answered(&mut progress, &lesson.id, "who-first", "no longer an option");
    let saved = progress.lesson_mut(&lesson.id);
    saved.reached = Some(lockstep::lesson::saved::Place { page: 999, played: 9 });
    let saved = saved.clone();
    let (learner, _) = Learner::resume(lesson, &saved).expect("a cluster");
    let question = learner.question().expect("it stands before the first question");
    assert_eq!((question.id.as_str(), question.attempts), ("who-first", 0));
    let mut study = StudySession::begin(&learner, &saved);
    study.note(&learner, true);
    let mut kept = saved.clone();
    study.add_to(&mut kept);
    assert_eq!(kept.questions, saved.questions, "nothing is thrown away");
}

// --- the file ------------------------------------------------------------------------------------

/// Lesson 9 and lesson 14 asked these two in words, and pick now.
#[test]
fn old_answers_in_words_to_what_is_picked_now_cost_nothing_and_are_no_mark() {
    for (id, question, old, still) in [
        ("ricart-agrawala-race", "when-second", "the deferred REPLY from P2", "P2's reply"),
        ("fencing", "fates", "fences 1, 2, 2", "1,2,2"),
    ] {
        let lesson = Library::embedded().open(id).expect("it is shipped");
        let mut progress = Progress::default();
        answered(&mut progress, id, question, old);
        let saved = progress.lesson_mut(id).clone();
        let (mut learner, mut lab) =
            Learner::resume(Arc::clone(&lesson), &saved).expect("a cluster");
        let asks = |step: &Step| step.question.as_ref().is_some_and(|q| q.common().id == question);
        let step = lesson.steps().iter().position(asks).expect("it is asked");
        learner.skip_to(&mut lab, step, true);
        let told = learner.answer(&mut lab, old);
        let form = "Answer with one of the letters a to d, or its number.";
        assert_eq!(told, Answered::Form(form.to_owned()), "{id}");
        let asked = learner.question().expect("it is still asked");
        assert_eq!((asked.state, asked.attempts), (QuestionState::Open, 0), "{id}");
        let grader = Grader::new(lesson).expect("a cluster");
        for (answer, status, said) in [
            (old, Status::Failed, "The answer cannot be read. Answer with one of the letters"),
            (still, Status::Passed, "Correct."),
        ] {
            let text = format!("lesson: {id}\nanswers: {{{question}: \"{answer}\"}}\n");
            let answers = Answers::read("a.yaml", text.as_bytes()).expect("it reads");
            let report = grader.grade(&answers, &Wanted::default()).expect("it is graded");
            let test = report.tests.iter().find(|test| test.id == question).expect("it is asked");
            // A lesson's chain of questions may skip it; that is no mark either.
            if !matches!(test.status(), Status::Skipped) {
                assert_eq!(test.status(), status, "{answer}: {}", test.message());
                assert!(test.message().starts_with(said), "{}", test.message());
            }
        }
    }
}

#[test]
fn there_is_no_file_before_something_is_kept() {
    let (folder, store) = scratch();
    assert_eq!(store.load().expect("that is no fault"), Progress::default());
    assert!(files(folder.path()).is_empty());
    store.update(|p| answered(p, "x", "q", "a")).expect("it can be written");
    assert_eq!(files(&folder.path().join("state")), ["progress.lock", "progress.yaml"]);
    let text = fs::read_to_string(store.path()).expect("it is text");
    assert!(text.contains("progress: 1\n") && text.contains("answers:"), "{text}");
}

#[test]
fn any_answer_survives_the_file() {
    let (_folder, store) = scratch();
    let answers =
        ["no", "08", "null", "~", "a: b", "- x", "two\nlines\n", " spaces ", "#", "'", "日本", "{"];
    for (n, answer) in answers.iter().enumerate() {
        store.update(|p| answered(p, "x", &format!("q{n}"), answer)).expect("it can be written");
    }
    let mut progress = store.load().expect("it reads back");
    let saved = progress.lesson_mut("x");
    for (n, answer) in answers.iter().enumerate() {
        let kept = saved.questions.get(format!("q{n}").as_str()).expect("it is there");
        assert_eq!(kept.answers, [*answer]);
    }
}

#[test]
fn a_damaged_or_newer_file_is_kept_aside_and_never_overwritten() {
    let cases: [(&[u8], &str, &str); 5] = [
        (b"progress: 1\nlessons: [", "progress.damaged-1.yaml", "your progress cannot be read"),
        (b"\xff\xfe\x00", "progress.damaged-2.yaml", "your progress cannot be read"),
        (b"", "progress.damaged-3.yaml", "the file is empty"),
        (b"progress: 2\nlessons: 5\nnew: x\n", "progress.newer-1.yaml", "of version 2"),
        (b"hello: 1\n", "progress.damaged-4.yaml", "unknown key"),
    ];
    let (_folder, store) = scratch();
    let folder = store.path().parent().expect("it has one");
    fs::create_dir_all(folder).expect("a folder");
    for (bytes, name, says) in cases {
        fs::write(store.path(), bytes).expect("a file for the test");
        let error = store.load().expect_err("it cannot be understood").to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(fs::read(store.path()).expect("looking changes nothing"), bytes);
        let (progress, aside) = store.update(|p| answered(p, "x", "q", "a")).expect("it goes on");
        let aside = aside.expect("it is told").to_string();
        assert!(aside.contains(says) && aside.contains(name), "{aside}");
        assert_eq!(fs::read(folder.join(name)).expect("it is kept"), bytes);
        assert_eq!(store.load().expect("a new one"), progress);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_the_file_stays_a_link() {
    let (folder, store) = scratch();
    let real = folder.path().join("elsewhere.yaml");
    fs::create_dir_all(store.path().parent().expect("it has one")).expect("a folder");
    fs::write(&real, "progress: 1\n").expect("a file for the test");
    std::os::unix::fs::symlink(&real, store.path()).expect("a link");
    store.update(|p| answered(p, "x", "q", "a")).expect("it can be written");
    assert!(fs::symlink_metadata(store.path()).expect("it is there").is_symlink());
    assert!(fs::read_to_string(&real).expect("it is text").contains("x:"));
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file for the test");
    let store = Store::at(file.join("progress.yaml"));
    let error = store.update(|p| answered(p, "x", "q", "a")).expect_err("a file is no folder");
    assert!(matches!(error, NotKept::System { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("cannot make the folder `"), "{text}");
}

// --- killed at any moment, and two at once --------------------------------------------------------

/// Not a test by itself: the process that the tests below start. It saves one answer after the other and
/// says each when it is kept.
#[test]
#[ignore = "started by the tests that kill it"]
fn a_process_that_saves() {
    let Ok(path) = std::env::var("LOCKSTEP_TEST_STORE") else { return };
    let (who, count) = (get("LOCKSTEP_TEST_WHO"), get("LOCKSTEP_TEST_COUNT"));
    let count: usize = count.parse().expect("a number");
    let store = Store::at(path);
    let mut out = std::io::stdout().lock();
    for n in 0..count {
        let saved = store.update(|p| answered(p, &who, &format!("q{n}"), "a"));
        saved.unwrap_or_else(|error| panic!("{who} {n}: {error}"));
        // Whoever listens may have gone.
        if writeln!(out, "kept {n}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn get(name: &str) -> String {
    std::env::var(name).expect("the tests set it")
}

fn saving(store: &Store, who: &str, count: usize) -> Child {
    Command::new(std::env::current_exe().expect("this very program"))
        .args([
            "--exact",
            "progress::a_process_that_saves",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("LOCKSTEP_TEST_STORE", store.path())
        .env("LOCKSTEP_TEST_WHO", who)
        .env("LOCKSTEP_TEST_COUNT", count.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// The number of the last answer that a process said to be kept, up to `most` of them.
fn listen(child: &mut Child, most: usize) -> Option<usize> {
    let lines = BufReader::new(child.stdout.as_mut().expect("it is piped")).lines();
    let mut kept = None;
    for line in lines.map_while(Result::ok) {
        // The test program writes its own words around it.
        let number = line.rsplit_once("kept ").and_then(|(_, n)| n.trim().parse().ok());
        kept = number.or(kept);
        if kept.is_some_and(|n| n + 1 >= most) {
            break;
        }
    }
    kept
}

#[test]
fn killed_at_any_moment_it_leaves_a_whole_file_and_loses_nothing() {
    let (_folder, store) = scratch();
    let mut drawn = draws(7);
    let mut known: Vec<(String, usize)> = Vec::new();
    for round in 0..200 {
        let draw = drawn.next().expect("it never ends");
        let who = format!("who-{round}");
        let mut child = saving(&store, &who, usize::MAX);
        let kept = listen(&mut child, draw as usize % 3 + 1).expect("it keeps something");
        // Somewhere in the middle of what it does next; the test holds wherever that is.
        let spins = drawn.next().expect("it never ends") % 200_000;
        for n in 0..spins {
            let _busy = std::hint::black_box(n);
        }
        child.kill().expect("it runs until then");
        child.wait().expect("it has ended");
        known.push((who, kept));
        let progress = store.load().unwrap_or_else(|e| panic!("round {round}: {e}"));
        for (who, kept) in &known {
            let saved = progress.lessons.get(who.as_str()).expect("it was kept");
            for n in 0..=*kept {
                assert!(saved.questions.contains_key(format!("q{n}").as_str()), "{who} {n}");
            }
        }
        // As a learner would whose lessons are few.
        if round % 20 == 19 {
            store.update(|p| *p = Progress::default()).expect("it can be written");
            known.clear();
        }
    }
    let left = files(store.path().parent().expect("it has one"));
    assert_eq!(left, ["progress.lock", "progress.yaml"], "nothing is left lying about");
}

#[test]
fn two_processes_that_save_at_once_lose_nothing() {
    let (_folder, store) = scratch();
    let count = 40;
    let children: Vec<Child> = ["one", "two", "one"].map(|who| saving(&store, who, count)).into();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let progress = store.load().expect("it is whole");
    for (who, times) in [("one", 2), ("two", 1)] {
        let saved = progress.lessons.get(who).expect("it was kept");
        assert_eq!(saved.questions.len(), count);
        assert!(
            saved
                .questions
                .values()
                .all(|q| q.answers.len() == times && q.attempts == times as u32)
        );
    }
}

// --- the screen ------------------------------------------------------------------------------------

fn app(store: &Store) -> App {
    let theme = Theme::new(ThemeName::None, ColorUse::Off, None);
    let course = Course::of(&Library::embedded()).kept_in(Ok(store.clone()));
    App::new(course, Look { theme, glyphs: Glyphs::UNICODE }, false)
}

fn press(app: &mut App, keys: &[Key]) {
    for key in keys {
        app.input(Input::Key(*key));
    }
}

fn shown(app: &mut App) -> String {
    let area = Rect::new(0, 0, 100, 30);
    let mut buffer = Buffer::empty(area);
    app.draw_into(area, &mut buffer);
    let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>() + "\n";
    (0..area.height).map(row).collect()
}

/// Opens a lesson of Home and goes on to its first question.
fn to_question(app: &mut App, place: usize) {
    press(app, &vec![Key::Down; place]);
    press(app, &[Key::Enter]);
    for _ in 0..40 {
        let learner = app.stepper().and_then(|s| s.learner()).expect("a lesson is open");
        if learner.question().is_some_and(|q| !q.state.closed()) {
            return;
        }
        press(app, &[Key::Right]);
    }
    panic!("every lesson asks something");
}

#[test]
fn an_answer_on_the_screen_is_kept_at_once() {
    let (_folder, store) = scratch();
    let mut first = app(&store);
    to_question(&mut first, 0);
    press(&mut first, &[Key::Enter, Key::Char('h'), Key::Char('1'), Key::Enter]);
    let learner = first.stepper().and_then(|s| s.learner()).expect("a lesson is open");
    let (id, question) =
        (learner.lesson().id.clone(), learner.question().expect("it was answered"));
    assert_eq!((question.attempts, question.hints.len()), (1, 1));
    let progress = store.load().expect("it is whole");
    let saved = progress.lessons.get(id.as_str()).expect("it is there");
    let tried = saved.questions.get(question.id.as_str()).expect("it is there");
    assert_eq!((tried.attempts, tried.hints, tried.shown), (1, 1, false));
    assert_eq!(Some(&tried.answers[0]), question.answer.as_ref());
}

#[test]
fn the_screen_opens_a_lesson_where_it_was_left() {
    let (_folder, store) = scratch();
    let mut first = app(&store);
    to_question(&mut first, 2);
    press(&mut first, &[Key::Enter, Key::Char('h'), Key::Char('s'), Key::Char('s')]);
    press(&mut first, &[Key::Right, Key::Right]);
    let before = shown(&mut first);
    assert_eq!(first.leave(), None);
    let mut second = app(&store);
    assert!(shown(&mut second).contains("started"), "{}", shown(&mut second));
    // Home stands on the lesson to go on with.
    press(&mut second, &[Key::Enter]);
    // Where the run stands, the page and the rules; the node that is looked at and the footer's passing
    // words may differ.
    let body = |text: &str| {
        let lines = text.lines().take(28).enumerate();
        let right = lines.map(|(i, l)| l.chars().skip(if i == 0 { 0 } else { 58 }).collect());
        right.collect::<Vec<String>>()
    };
    assert_eq!(body(&shown(&mut second)), body(&before));
}

/// Case H50.
#[test]
fn home_tells_new_started_done_and_shown() {
    let (_folder, store) = scratch();
    let lessons = lessons();
    let finish = |lesson: &Arc<Lesson>, shown: bool| {
        let (mut learner, mut lab) = Learner::new(Arc::clone(lesson)).expect("a cluster");
        let mut study = StudySession::begin(&learner, &Saved::default());
        loop {
            match learner.next(&mut lab) {
                Next::Finished => break,
                Next::Blocked if shown => {
                    learner.show_solution(&mut lab).expect("it can be seen");
                }
                Next::Blocked => {
                    let at = lab.history().state_at(learner.moment().rev);
                    let question = learner.step().question.as_ref().expect("it blocks");
                    let right = question.reference(at).0;
                    learner.answer(&mut lab, &right);
                }
                _ => {}
            }
            study.note(&learner, true);
        }
        store.update(|p| study.add_to(p.lesson_mut(&lesson.id))).expect("it can be written");
    };
    let course = || Course::of(&Library::embedded()).kept_in(Ok(store.clone()));
    assert_eq!(course().what_next(), "Begin with lesson 1.");
    finish(&lessons[0], false);
    assert_eq!(
        course().what_next(),
        format!("Next: lesson 2. 1 of {} lessons done.", lessons.len())
    );
    finish(&lessons[1], true);
    let mut opened = course();
    let standings: Vec<Standing> = (0..3).map(|n| opened.standing(n)).collect();
    assert_eq!(standings, [Standing::Done, Standing::Shown, Standing::New]);
    let (learner, _) = opened.open(2).expect("it opens");
    opened.leave(&learner);
    assert_eq!(opened.standing(2), Standing::Started);
    assert_eq!(course().standing(2), Standing::Started);
    assert_eq!(
        course().what_next(),
        format!("Continue: lesson 3, page 1. 2 of {} lessons done.", lessons.len())
    );
    assert_eq!(course().last(), Some(lessons[2].id.as_str()));
}

#[test]
fn where_nothing_can_be_saved_the_footer_says_so_and_the_lesson_goes_on() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file for the test");
    let mut app = app(&Store::at(file.join("lockstep").join("progress.yaml")));
    to_question(&mut app, 0);
    press(&mut app, &[Key::Enter, Key::Char('1'), Key::Enter]);
    let text = shown(&mut app);
    assert!(text.lines().last().is_some_and(|l| l.contains("not saved: cannot")), "{text}");
    press(&mut app, &[Key::Down]);
    assert!(!shown(&mut app).contains("not saved"), "it is told once");
    press(&mut app, &[Key::Char('q'), Key::Char('q')]);
    assert!(shown(&mut app).contains("started"), "the session itself remembers");
}

#[test]
fn a_damaged_file_is_told_at_home() {
    let (_folder, store) = scratch();
    fs::create_dir_all(store.path().parent().expect("it has one")).expect("a folder");
    fs::write(store.path(), "progress: [").expect("a file for the test");
    let mut app = app(&store);
    let text = shown(&mut app);
    assert!(text.contains("your progress cannot be read"), "{text}");
}

// --- the program -------------------------------------------------------------------------------------

fn lockstep(state: &Path, args: &[&str], input: &str) -> Output {
    let mut program = program::lockstep(args);
    program.env("XDG_STATE_HOME", state);
    program.feed(input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// A state folder in which the first question of the race was answered rightly at the second try.
fn some_progress() -> tempfile::TempDir {
    let state = tempfile::tempdir().expect("a folder for the test");
    let lesson = race();
    let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
    let mut study = StudySession::begin(&learner, &Saved::default());
    while learner.next(&mut lab) != Next::Blocked {}
    for answer in ["p1", "p2"] {
        study.note(&learner, true);
        learner.answer(&mut lab, answer);
    }
    study.note(&learner, true);
    while learner.next(&mut lab) != Next::Blocked {}
    learner.hint();
    study.note(&learner, true);
    learner.show_solution(&mut lab).expect("it can be seen");
    study.note(&learner, true);
    let store = Store::at(state.path().join("lockstep").join("progress.yaml"));
    store.update(|p| study.add_to(p.lesson_mut(&lesson.id))).expect("it can be written");
    state
}

fn questions_of_the_race() -> usize {
    race().questions().count()
}

#[test]
fn show_tells_a_line_a_lesson() {
    let state = tempfile::tempdir().expect("a folder for the test");
    let run = lockstep(state.path(), &["progress", "show"], "");
    assert_eq!(
        (run.status.code(), text(&run.stdout)),
        (Some(0), "nothing yet: lockstep opens the menu of lessons\n")
    );
    let state = some_progress();
    let run = lockstep(state.path(), &["progress", "show"], "");
    let all = questions_of_the_race();
    let line =
        format!("ricart-agrawala-race  started  1 of {all} right, 2 answers, 1 hint, 1 shown\n");
    assert_eq!(text(&run.stdout), line);
    let run = lockstep(state.path(), &["progress", "show", "-f", "json"], "");
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!((&json["version"], &json["lessons"][0]["right"]), (&1.into(), &1.into()));
}

#[test]
fn answers_of_the_screen_become_a_file_that_grades_the_same() {
    let state = some_progress();
    let path = state.path().join("answers.yaml");
    let shown = path.display().to_string();
    let run = lockstep(state.path(), &["progress", "export", "9", "-o", &shown], "");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let run = lockstep(state.path(), &["grade", &shown], "");
    let out = text(&run.stdout);
    let total = format!("1 of {} correct", questions_of_the_race());
    assert!(out.contains("ok       who-first") && out.contains(&total), "{out}");
    assert!(out.contains("p3-replies      The solution was shown"), "{out}");
}

#[test]
fn export_import_and_reset_carry_everything_along() {
    let (from, to) = (some_progress(), tempfile::tempdir().expect("a folder for the test"));
    let exported = lockstep(from.path(), &["progress", "export"], "");
    for _ in 0..2 {
        let run = lockstep(to.path(), &["progress", "import", "-"], text(&exported.stdout));
        assert_eq!(text(&run.stdout), "1 lesson added from standard input\n");
        let again = lockstep(to.path(), &["progress", "export"], "");
        assert_eq!(text(&again.stdout), text(&exported.stdout));
    }
    let bad = lockstep(to.path(), &["progress", "import", "-"], "progress: 1\nlessons: 3\n");
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("standard input:2:10"), "{}", text(&bad.stderr));
    let unasked = lockstep(to.path(), &["progress", "reset"], "y\n");
    assert_eq!(unasked.status.code(), Some(2), "nobody at a terminal has agreed");
    assert!(text(&unasked.stderr).contains("--yes"));
    let unknown = lockstep(to.path(), &["progress", "reset", "ricart-agrawala-rase", "--yes"], "");
    assert!(text(&unknown.stderr).contains("did you mean `ricart-agrawala-race`?"));
    let run = lockstep(to.path(), &["progress", "reset", "9", "--yes"], "");
    assert_eq!(text(&run.stdout), "forgotten: what you have done in ricart-agrawala-race\n");
    let run = lockstep(to.path(), &["progress", "show"], "");
    assert!(text(&run.stdout).starts_with("nothing yet"));
}

#[test]
fn reset_asks_whoever_sits_at_the_terminal() {
    for (answer, forgotten) in [("n\r", false), ("\r", false), ("y\r", true)] {
        let state = some_progress();
        let path = state.path().display().to_string();
        let mut tui = Setup::lockstep(&["progress", "reset"]).env("XDG_STATE_HOME", &path).start();
        support::wait_until("the question", || tui.now().contents().contains("[y/N]"));
        tui.send(answer);
        let words = if forgotten { "forgotten: everything" } else { "nothing is forgotten" };
        support::wait_until(words, || tui.now().contents().contains(words));
        let run = lockstep(state.path(), &["progress", "show"], "");
        assert_eq!(text(&run.stdout).starts_with("nothing yet"), forgotten, "{answer:?}");
    }
}

#[test]
fn the_dialogue_of_lines_keeps_and_resumes_too() {
    let state = tempfile::tempdir().expect("a folder for the test");
    let first = lockstep(state.path(), &["learn", "9", "--plain"], "next\nnext\nnext\nb\nnext\n");
    let page = "The lesson is not finished: page 3 of";
    assert!(text(&first.stdout).contains(page), "{}", text(&first.stdout));
    let store = Store::at(state.path().join("lockstep").join("progress.yaml"));
    let progress = store.load().expect("it is whole");
    let saved = progress.lessons.get("ricart-agrawala-race").expect("it was kept");
    assert!(saved.questions.contains_key("who-first"), "{saved:?}");
    let second = lockstep(state.path(), &["learn", "9", "--plain"], "");
    assert!(text(&second.stdout).contains(page), "{}", text(&second.stdout));
}

#[test]
fn a_lesson_that_nobody_has_seen_was_not_begun() {
    let state = tempfile::tempdir().expect("a folder for the test");
    let run = lockstep(state.path(), &["learn", "9"], "");
    assert_eq!(run.status.code(), Some(2), "there is no terminal");
    assert!(!state.path().join("lockstep").exists());
}

#[test]
fn the_program_keeps_where_it_was_left_whichever_way() {
    for (way, status) in [("q q", 0), ("\x03", 0), ("TERM", 143), ("HUP", 129)] {
        let mut tui = Setup::lockstep(&["learn", "lamport-lock"]).start();
        let first = tui.first_frame();
        tui.send("\x1b[C");
        tui.wait_for_change(&first);
        match way {
            "TERM" | "HUP" => tui.signal(way),
            keys => keys.split(' ').for_each(|key| tui.send(key)),
        }
        let store = Store::at(tui.home().join("lockstep").join("progress.yaml"));
        let load = || store.load().expect("it is whole at every moment");
        support::wait_until("the file", || load().lessons.contains_key("lamport-lock"));
        let progress = load();
        assert_eq!(progress.last.as_deref(), Some("lamport-lock"), "{way}");
        let saved = progress.lessons.get("lamport-lock").expect("it is there");
        assert!(saved.reached.is_some(), "{way}");
        assert_eq!(tui.end().status, status, "{way}");
    }
}
