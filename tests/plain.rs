//! The dialogue of lines: what it says to what is typed, in memory, through pipes and in a terminal.
//!
//! `plain/*.txt` are whole dialogues: the first line says how the program is opened, lines that begin
//! with `> ` are typed, everything else is said. `PLAIN=write` writes them anew.

mod sharing;

use crate::program;
use lockstep::catalog;
use lockstep::lab::Lab;
use lockstep::lesson::{Learner, Library, QuestionState};
use lockstep::model::{Config, Event, NodeId, StorageRule};
use lockstep::sim::SplitMix64;
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::{Dialogue, Typing, run};
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::Path;
use std::process::{Output, Stdio};

/// A lesson that does not change with the course.
const RACE: &str = "learn tests/plain/race.yaml";

/// A dialogue, opened as a line says: `home`, `learn 9` (or a file) or `play lamport 3 4,2`.
fn opened(how: &str, glyphs: Glyphs) -> Dialogue {
    let library = Library::embedded();
    let (verb, rest) = how.split_once(' ').unwrap_or((how, ""));
    let lesson =
        (verb == "learn").then(|| library.open(rest).expect("the lesson is in the course"));
    let mut dialogue = Dialogue::new(library, glyphs);
    if let Some(lesson) = lesson {
        let (learner, lab) = Learner::new(lesson).expect("a checked lesson has a cluster");
        dialogue.open_lesson(learner, lab);
    }
    if verb == "play" {
        let mut words = rest.split(' ');
        let algorithm = words.next().expect("an algorithm is named");
        let n = words.next().and_then(|n| n.parse().ok()).expect("a number of nodes");
        let clocks = words.next().map_or(Vec::new(), |c| {
            c.split(',').map(|n| n.parse().expect("a clock value")).collect()
        });
        let config = Config { clocks, ..Config::new(algorithm, n) };
        dialogue.open_play(Lab::new(config).expect("the settings fit"), None);
    }
    dialogue
}

/// Everything that is said when these lines are typed.
fn told(how: &str, typed: &str) -> String {
    let mut said = Vec::new();
    let mut dialogue = opened(how, Glyphs::UNICODE);
    run(&mut dialogue, &mut typed.as_bytes(), &mut said, Typing::Repeated).expect("memory is fine");
    String::from_utf8(said).expect("the dialogue is text")
}

/// What is said to the last of these lines.
fn last(how: &str, typed: &[&str]) -> String {
    let mut dialogue = opened(how, Glyphs::UNICODE);
    dialogue.greet();
    let replies = typed.iter().map(|line| dialogue.take(line).text);
    replies.last().expect("something is typed")
}

#[test]
fn dialogues_read_as_they_are_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plain");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("the dialogues are there") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|e| e != "txt") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a dialogue is text");
        let (how, wanted) = text.split_once('\n').expect("the first line opens the program");
        let typed: Vec<&str> = wanted.lines().filter_map(|l| l.strip_prefix('>')).collect();
        let said = told(how.trim_start_matches("$ "), &(typed.join("\n") + "\n"));
        if std::env::var("PLAIN").is_ok_and(|v| v == "write") {
            fs::write(&path, format!("{how}\n{said}")).expect("the dialogue can be written");
        } else {
            for (n, (is, should)) in said.lines().zip(wanted.lines()).enumerate() {
                assert_eq!(is, should, "{}, line {}", path.display(), n + 2);
            }
            assert_eq!(said.lines().count(), wanted.lines().count(), "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} dialogues");
}

/// The place of the right one among the open question's picks.
fn right_place(dialogue: &Dialogue) -> Option<usize> {
    let (learner, lab) = (dialogue.learner()?, dialogue.lab()?);
    let question = learner.question().filter(|q| !q.state.closed())?;
    let asked = learner.step().question.as_ref().expect("the page has a question");
    let right = asked.reference(lab.history().state_at(learner.moment().rev)).0;
    question.picks.iter().position(|p| p.id == right)
}

/// A right answer to the open question, as somebody would type it.
fn right_answer(dialogue: &Dialogue) -> Option<Vec<String>> {
    let (learner, lab) = (dialogue.learner()?, dialogue.lab()?);
    let question = learner.question().filter(|q| !q.state.closed())?;
    let asked = learner.step().question.as_ref().expect("the page has a question");
    let right = asked.reference(lab.history().state_at(learner.moment().rev)).0;
    let place = question.picks.iter().position(|p| p.id == right);
    Some(match place {
        Some(place) => vec![char::from(b'a' + u8::try_from(place).expect("few options")).into()],
        None if right.contains('\n') => {
            let lines = right.lines().map(str::to_owned);
            std::iter::once("answer".to_owned()).chain(lines).chain([String::new()]).collect()
        }
        None => vec![format!("answer {right}")],
    })
}

#[test]
fn every_lesson_has_an_end_for_those_who_answer_wrongly_first() {
    for shelved in Library::embedded().shelved() {
        let mut dialogue = opened(&format!("learn {}", shelved.id), Glyphs::UNICODE);
        let mut said = dialogue.greet();
        let mut tried = Vec::new();
        for _ in 0..500 {
            let learner = dialogue.learner().expect("a lesson is open");
            let id = learner.question().map(|q| q.id);
            if learner.finished() {
                break;
            }
            let wrong = right_place(&dialogue).filter(|_| !tried.contains(&id));
            if let Some(right) = wrong {
                tried.push(id);
                let reply = dialogue.take(if right == 0 { "b" } else { "a" }).text;
                assert!(
                    reply.starts_with("Not yet") || reply.starts_with("Not so, and now closed"),
                    "{}: {reply}",
                    shelved.id
                );
                said += &reply;
                continue;
            }
            for line in right_answer(&dialogue).unwrap_or_else(|| vec![String::new()]) {
                said += &dialogue.take(&line).text;
            }
        }
        assert!(dialogue.learner().is_some_and(Learner::finished), "{}: {said}", shelved.id);
        assert!(said.contains("The lesson is finished."), "{}", shelved.id);
        assert_clean(&said);
    }
}

/// Takes a lesson to its end. Gives everything that was said.
fn finish(dialogue: &mut Dialogue) -> String {
    let mut said = dialogue.greet();
    for _ in 0..500 {
        let learner = dialogue.learner().expect("a lesson is open");
        if learner.finished() {
            return said;
        }
        let id = learner.question().map(|q| q.id);
        match right_answer(dialogue) {
            Some(lines) => {
                let replies: Vec<String> =
                    lines.iter().map(|line| dialogue.take(line).text).collect();
                let reply = replies.concat();
                let first = reply.lines().next().unwrap_or_default();
                // Free text is not judged; a model answer is shown beside it.
                let first_words = ["Correct", "Compare your answer"];
                let told = first_words.iter().any(|words| first.contains(words));
                assert!(told, "{lines:?}: {reply}");
                let learner = dialogue.learner().expect("the lesson is still open");
                let id = id.expect("a question was open");
                assert_eq!(learner.state_of(&id), Some(QuestionState::Right), "{reply}");
                said += &reply;
            }
            None => said += &dialogue.take("").text,
        }
    }
    panic!("the lesson has no end: {said}");
}

#[test]
fn every_lesson_is_done_to_its_end_by_typing() {
    for shelved in Library::embedded().shelved() {
        let mut dialogue = opened(&format!("learn {}", shelved.id), Glyphs::UNICODE);
        let said = finish(&mut dialogue);
        let learner = dialogue.learner().expect("the lesson stays open");
        let (got, of) = learner.score();
        assert_eq!(got, of, "{}", shelved.id);
        assert!(said.contains(&format!("Score: {got} of {of} points.")), "{said}");
        // Every page is read, whatever its Markdown, and every reason is given.
        for step in learner.lesson().steps() {
            for text in
                [step.say.as_deref(), step.question.as_ref().and_then(|q| q.common().explain)]
            {
                let signs = |c: char| c == '*' || c == '`';
                let words = text.unwrap_or_default().split_whitespace();
                let plain = |w: &str| w.chars().all(|c| c.is_alphanumeric() || ".,:".contains(c));
                for word in words.filter(|w| plain(w.trim_matches(signs))) {
                    assert!(said.contains(word.trim_matches(signs)), "{word} of {text:?}");
                }
            }
        }
        assert_clean(&said);
    }
}

/// No control character but line ends, no sign of Markdown, no box, no drawing.
fn assert_clean(said: &str) {
    let odd = |c: char| {
        c.is_control() && c != '\n'
            || c == '`'
            || ('\u{2500}'..'\u{25a0}').contains(&c)
            || ('\u{2800}'..'\u{2900}').contains(&c)
    };
    assert!(!said.contains(odd), "{said:?}");
    assert!(!said.contains("**"), "{said}");
}

#[test]
fn ascii_says_everything_in_ascii() {
    for shelved in Library::embedded().shelved() {
        let mut dialogue = opened(&format!("learn {}", shelved.id), Glyphs::ASCII);
        let said = finish(&mut dialogue);
        // Letters of names stay as they are.
        let odd = |c: char| !c.is_ascii() && !c.is_alphabetic();
        assert!(!said.contains(odd), "{}: {:?}", shelved.id, said.chars().find(|c| odd(*c)));
        for line in ["all", "rules", "log", "help", "words", "branches", "home", "about 9"] {
            let said = dialogue.take(line).text;
            assert!(!said.contains(odd), "{line}: {said}");
        }
    }
}

/// A dialogue whose open question is answered by playing, and may be impossible.
fn at_a_drive() -> Dialogue {
    let mut dialogue = opened("learn tests/answering/types.yaml", Glyphs::UNICODE);
    dialogue.greet();
    let kind = |dialogue: &Dialogue| {
        let question = dialogue.learner().and_then(|l| l.step().question.as_ref());
        question.map_or("", |question| question.kind())
    };
    while kind(&dialogue) != "drive" || right_answer(&dialogue).is_none() {
        for line in right_answer(&dialogue).unwrap_or_else(|| vec![String::new()]) {
            dialogue.take(&line);
        }
    }
    dialogue
}

#[test]
fn an_answer_that_is_played_is_written_with_open_eyes() {
    let mut dialogue = at_a_drive();
    let opening = squeeze(&dialogue.take("answer").text);
    assert!(opening.contains("P1: waiting") || opening.contains("P1 waits"), "{opening}");
    assert!(opening.contains("REQUEST"), "what is in flight is told:\n{opening}");
    assert!(opening.contains("A dash alone takes the last line back"), "{opening}");
    let told = dialogue.take("deliver P2>P1").text;
    assert!(told.contains("P1 gets REQUEST"), "{told}");
    for (word, wanted) in [
        ("state", "P2"),
        ("flight", "REPLY"),
        ("why P2", "REPLY from P1"),
        ("rules", "RA-2"),
        ("log", "deliver P2>P1"),
        ("hint", "both REPLYs"),
        ("help", "an empty line hands it in"),
    ] {
        let said = squeeze(&dialogue.take(word).text);
        assert!(said.contains(wanted) && !said.contains("Not added"), "{word}: {said}");
    }
    let number = squeeze(&dialogue.take("1").text);
    assert!(number.contains("gets REQUEST"), "the number of a message is its delivery: {number}");
    let aside = squeeze(&dialogue.take("lesson").text);
    assert!(aside.contains("Put aside; what you wrote is kept"), "{aside}");
    let again = squeeze(&dialogue.take("answer").text);
    assert!(again.contains("1. deliver P2>P1") && again.contains("2. deliver"), "{again}");
}

#[test]
fn impossible_is_said_after_lines_too_and_taken_back_like_one() {
    let mut dialogue = at_a_drive();
    dialogue.take("answer");
    dialogue.take("deliver P2>P1");
    for word in ["impossible", "answer impossible"] {
        assert!(dialogue.take(word).text.contains("An empty line hands it in"), "{word}");
        assert!(dialogue.take("deliver P2>P3").text.contains("a dash alone takes it back"));
        assert!(dialogue.take("-").text.contains("Taken back: impossible"), "{word}");
    }
    dialogue.take("deliver P2>P3");
    dialogue.take("impossible");
    let said = dialogue.take("").text;
    assert!(said.starts_with("Not yet"), "it can be done: {said}");
}

#[test]
fn a_wrong_answer_may_be_corrected_and_a_prediction_is_locked() {
    let mut dialogue = opened(RACE, Glyphs::UNICODE);
    dialogue.greet();
    while right_answer(&dialogue).is_none() {
        dialogue.take("");
    }
    let wrong = dialogue.take("a").text;
    assert!(wrong.starts_with("Not yet. "), "{wrong}");
    assert!(wrong.contains("Try again"), "{wrong}");
    assert!(
        dialogue.take("P2").text.starts_with("Correct. "),
        "the text of an option is an answer"
    );
    let closed = dialogue.take("answer a").text;
    assert_eq!(closed, "This question is answered.\n");
    while right_answer(&dialogue).is_none() {
        dialogue.take("next");
    }
    let wrong = dialogue.take("defers").text;
    assert!(
        squeeze(&wrong).starts_with("Not so, and now closed. You said: defer. It did: reply."),
        "{wrong}"
    );
    assert!(wrong.contains("It has really happened, as step 3."), "{wrong}");
    assert!(dialogue.take("reply").text.starts_with("Nothing is called 'reply' here"));
}

#[test]
fn the_question_owns_letters_and_numbers_and_exploring_gives_them_back() {
    let mut dialogue = opened(RACE, Glyphs::UNICODE);
    dialogue.greet();
    while right_answer(&dialogue).is_none() {
        dialogue.take("");
    }
    assert!(dialogue.take("").text.contains("Answer first"), "Enter does not pass a question");
    let form = dialogue.take("4").text;
    assert!(form.contains("one of the letters a to c"), "{form}");
    assert!(form.contains("'deliver 4' would deliver message 4."), "{form}");
    assert!(dialogue.take("deliver 1").text.contains("exploring now"));
    assert!(dialogue.take("1").text.starts_with("Step 4."), "a number delivers again");
    assert!(dialogue.take("answer b").text.contains("'lesson' goes back"));
    assert!(dialogue.take("hint").text.contains("'lesson' goes back"));
    let back = dialogue.take("lesson").text;
    assert!(back.contains("After step 2"), "{back}");
    assert!(back.contains("Question: P1 has asked with (5,P1)"), "{back}");
    assert!(dialogue.take("b").text.starts_with("Correct"), "a letter answers again");
}

#[test]
fn hints_come_one_by_one_and_the_solution_asks_once_more() {
    let mut dialogue = opened(RACE, Glyphs::UNICODE);
    dialogue.greet();
    assert_eq!(dialogue.take("hint").text, "There is no question here yet.\n");
    while right_answer(&dialogue).is_none() {
        dialogue.take("");
    }
    assert_eq!(dialogue.take("hint").text, "Hint 1 of 3: Look at the column request.\n");
    assert!(dialogue.take("h").text.starts_with("Hint 2 of 3: "));
    assert!(dialogue.take("h").text.starts_with("Hint 3 of 3: "));
    assert!(dialogue.take("h").text.starts_with("There are no more hints"));
    assert!(dialogue.take("solution").text.contains("once more"));
    dialogue.take("state");
    assert!(dialogue.take("solution").text.contains("once more"), "something came between");
    assert!(dialogue.take("solution").text.starts_with("The answer: P2"));
    let learner = dialogue.learner().expect("a lesson is open");
    assert_eq!(learner.state_of("who-first"), Some(QuestionState::Shown));
}

#[test]
fn an_event_played_by_hand_that_comes_next_anyway_is_the_lessons() {
    let mut dialogue = opened(RACE, Glyphs::UNICODE);
    dialogue.greet();
    while dialogue.lab().is_some_and(|lab| lab.state().steps() == 0) {
        dialogue.take("");
    }
    let said = dialogue.take("ask P2").text;
    assert!(!said.contains("exploring"), "{said}");
    assert!(dialogue.take("ask P3").text.contains("exploring now"));
}

#[test]
fn what_cannot_be_done_says_why() {
    let cases: &[(&[&str], &str)] = &[
        (&["leave P1"], "No: P1 has not asked.\n"),
        (&["ask P1", "ask P1"], "No: P1 has already asked.\n"),
        (&["deliver P1>P2"], "No: nothing is in flight on P1>P2.\n"),
        (&["timeout P1"], "No: no timer is running at P1.\n"),
        (&["write P1"], "No: this cluster has no storage node.\n"),
        (&["recover P1"], "No: P1 has not crashed.\n"),
        (&["crash P1", "ask P1"], "No: P1 has crashed.\n"),
        (&["1"], "Nothing is in flight; 'ask P1' lets P1 ask for the lock.\n"),
        (&["ask P1", "7"], "There is no message 7: 2 are in flight.\n"),
        (&["ask P1", "0"], "There is no message 0: 2 are in flight.\n"),
        (&["ask P1", "deliver P1>P2#4"], "No: #4 has not been sent on P1>P2 yet.\n"),
        (&["back"], "This is the beginning of the run.\n"),
        (&["goto 3"], "There is no step 3 on this branch.\n"),
        (&["branch 2"], "There is only branch 1.\n"),
        (&[""], "Nothing is in flight; 'ask P1' lets P1 ask for the lock.\n"),
        (&["hint"], "Hints are for lessons; 'help' lists what can be typed.\n"),
        (&["answer a"], "Answers are for lessons; 'home' lists them.\n"),
        (&["solution"], "Solutions are for lessons; 'home' lists them.\n"),
        (&["lesson"], "No lesson is open; 'home' lists them.\n"),
        (&["until in_cs(P9)"], "No: "),
        (&["until never in_cs(P1)"], "No: 'never' and 'eventually' speak of whole runs"),
        (&["delver P1>P2"], "Nothing is called 'delver' here; did you mean 'deliver'?"),
        (&["ask P1; foo"], "Nothing is called 'foo' here."),
    ];
    for (typed, wanted) in cases {
        let said = last("play ricart-agrawala 3", typed);
        assert!(said.starts_with(wanted), "{typed:?}: {said}");
    }
    let said = last("play ricart-agrawala 3", &["xyzzy"]);
    assert!(said.contains("What can be typed: Enter goes on, 'ask P1' lets"), "{said}");
    let said = last("play ricart-agrawala 3", &["ask P1; crash P9", "state"]);
    assert!(said.contains("The beginning of the run"), "a line with a fault does nothing: {said}");
    let said = last("play ricart-agrawala 3", &["ask P1; ask P1; ask P2"]);
    assert!(said.ends_with("What follows on the line was not done.\n"), "{said}");
}

/// The words without the breaks between lines.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A cluster after some random events, faults and messages outside the algorithm among them.
fn any_run(config: Config, seed: u64) -> Lab {
    let mut lab = Lab::new(config).expect("the settings fit");
    let mut rng = SplitMix64::new(seed);
    for _ in 0..25 {
        let events = lab.state().enabled();
        let usual =
            |e: &Event| !matches!(e, Event::Drop(_) | Event::Duplicate(_) | Event::Crash(_));
        let mut events: Vec<Event> =
            events.into_iter().filter(|e| usual(e) || rng.below(12) == 0).collect();
        let (a, b) = (NodeId::at(rng.below(4)), NodeId::at(rng.below(4)));
        let outside = if a == b { Event::Local(a) } else { Event::Tell(a, b) };
        events.extend(lab.state().check(outside));
        lab.play(events[rng.below(events.len())]).expect("only enabled events are chosen");
    }
    lab
}

#[test]
fn everything_that_a_panel_shows_is_said() {
    for entry in catalog::all() {
        for seed in 0..6 {
            let lab = any_run(Config::new(entry.info.slug, 4), seed);
            let schedule = lab.schedule_text();
            let names = lab.setup().names.clone();
            let (view, state) = (lab.state().view(), lab.state().fork());
            let last = lab.history().last_record().cloned();
            let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
            dialogue.open_play(lab, None);
            let mut ask = |line: &str| squeeze(&dialogue.take(line).text);
            let has = |said: &str, what: &str| {
                assert!(
                    said.contains(what),
                    "{} {schedule}: no {what:?} in {said}",
                    entry.info.slug
                )
            };
            let table = ask("state");
            for node in &view.nodes {
                has(&table, &format!("{}: ", node.name));
                for (name, value) in &node.fields.0 {
                    let shown = value.show(&names, " (met)", " (not met)");
                    let shown =
                        if shown == "–" { "none".into() } else { shown.replace(":–", ":none") };
                    has(&table, &squeeze(&format!("{name} {shown}")));
                }
                if let Some(clock) = node.clock {
                    has(&table, &format!("clock {clock}"));
                }
                if let Some(timer) = node.timer {
                    has(&table, timer);
                }
                for line in state.why(node.id) {
                    let why = ask(&format!("why {}", node.name));
                    has(&why, &squeeze(&line.text));
                    has(&why, &squeeze(&line.whereabouts.unwrap_or_default()));
                    has(&ask("why"), &squeeze(&line.text));
                }
            }
            let flight = ask("flight");
            for (i, message) in view.in_flight.iter().enumerate() {
                has(&flight, &format!("{}. {}", i + 1, squeeze(&message.label.show(&names))));
                if let Some(before) = message.behind {
                    has(&flight, &format!("{} is ahead of it", before.no));
                }
            }
            let rules = ask("rules");
            for rule in entry.info.rules {
                has(&rules, &squeeze(rule.text));
            }
            let last = last.expect("something was played");
            for (id, _) in &last.rules {
                has(&rules, &format!("{id} fired in the last step"));
            }
            for line in ["state", "lamps", "all"] {
                for holder in &view.holders {
                    has(&ask(line), names.get(*holder));
                }
            }
            let lamps = ask("lamps");
            for word in ["Mutex: ", "Progress: ", "Order: ", "Channels: ", "Messages sent: "] {
                has(&lamps, word);
            }
            let log = ask("log");
            for event in schedule.split("; ") {
                has(&log, event);
            }
            for line in ["all", "moves", "words", "branches", "help"] {
                assert_clean(&dialogue.take(line).text);
            }
        }
    }
}

#[test]
fn a_storage_node_tells_every_write_and_what_became_of_it() {
    let start = "request P1; deliver P1>L; deliver L>P1; timeout L; request P2; deliver P2>L; \
                 deliver L>P2";
    let config = Config {
        storage: Some(StorageRule::Plain),
        start: start.split("; ").map(str::to_owned).collect(),
        ..Config::new("lease", 2)
    };
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_play(Lab::new(config).expect("the settings fit"), None);
    assert!(
        dialogue.greet().contains("Storage S: plain, looks at no fence.\nNothing was written.")
    );
    let mut said = |line: &str| squeeze(&dialogue.take(line).text);
    said("write P2; deliver P2>S; write P1");
    assert!(
        said("deliver P1>S").contains("Changed: S: w2 of P1 with fence 1: accepted; LOST UPDATE")
    );
    let state = said("state");
    assert!(state.contains("step 2: w1 of P2 with fence 2: accepted"), "{state}");
    let lost = "step 4: w2 of P1 with fence 1: accepted; LOST UPDATE: it overwrites w1 of P2, which P1 had not seen";
    assert!(state.contains(lost), "{state}");
}

#[test]
fn each_step_is_told_with_what_it_changed() {
    let step = last("play ricart-agrawala 3 4,2", &["ask P1", "ask P2", "deliver P1>P2"]);
    let wanted = [
        "Step 3. P2 gets REQUEST (5,P1) from P1.",
        "Changed: P2: clock 5, deferred P1.",
        "Rules: ",
    ];
    for part in wanted {
        assert!(step.contains(part), "{part}: {step}");
    }
    let entry = last("play ricart-agrawala 2", &["ask P1", "next", "next"]);
    assert!(squeeze(&entry).contains("P1 is inside."), "{entry}");
    let stuck = last("play central 2", &["crash C", "ask P1", "1"]);
    assert!(stuck.contains("Progress: STUCK"), "{stuck}");
}

#[test]
fn help_names_every_command_and_every_event() {
    let help = last("play lamport 3", &["help"]);
    let words = [
        "next",
        "back",
        "ask P1",
        "leave P1",
        "until in_cs(P2)",
        "run",
        "seed 7",
        "goto 3",
        "why P2",
        "state",
        "flight",
        "rules",
        "lamps",
        "log",
        "branches",
        "branch 2",
        "lesson",
        "answer b",
        "hint",
        "solution",
        "home",
        "quit",
    ];
    for word in words {
        assert!(help.contains(&format!("\n  {word}")), "{word}: {help}");
    }
    for (verb, _) in lockstep::model::event::VERBS {
        assert!(help.contains(verb), "{verb}");
    }
}

#[test]
fn a_long_run_is_told_in_part_and_logged_whole() {
    let said = last("play token-ring 3", &["ask P1; ask P2; ask P3; seed 7; run"]);
    assert!(said.contains("draw from seed 7"), "{said}");
    let same = last("play token-ring 3", &["ask P1; ask P2; ask P3; seed 7; run"]);
    assert_eq!(said, same, "a seed gives the same run");
    let mut dialogue = opened("play ricart-agrawala 6", Glyphs::UNICODE);
    let all: Vec<String> = (1..=6).map(|i| format!("ask P{i}")).collect();
    dialogue.take(&all.join("; "));
    let said = dialogue.take("run").text;
    assert!(said.contains("more steps; 'log' tells them all."), "{said}");
    let steps = dialogue.lab().expect("a cluster is open").state().steps();
    let log = dialogue.take("log").text;
    assert!((1..=steps).all(|n| log.contains(&format!("\n{n:>3}. ")) || n == 1), "{log}");
    let until = last("play lamport 2", &["ask P1", "until in_cs(P1)"]);
    assert!(until.contains("'in_cs(P1)' holds here."), "{until}");
}

#[test]
fn going_back_and_choosing_differently_loses_nothing() {
    let mut dialogue = opened("play ricart-agrawala 3", Glyphs::UNICODE);
    for line in ["ask P1", "1", "1", "back", "back"] {
        dialogue.take(line);
    }
    let said = dialogue.take("2").text;
    assert!(said.contains("This is a new branch"), "{said}");
    let branches = dialogue.take("branches").text;
    assert!(branches.contains("  3. step 2: deliver P1>P3 (you are here)"), "{branches}");
    let there = dialogue.take("branch 2").text;
    assert!(there.contains("After step 3."), "{there}");
    assert!(dialogue.take("goto 1").text.contains("After step 1; 2 more steps were taken back."));
    assert!(dialogue.take("next").text.starts_with("Step 2. "), "along the branch that was left");
    assert!(dialogue.take("goto end").text.contains("After step 3."));
    assert!(dialogue.take("goto start").text.contains("The beginning of the run"));
}

#[test]
fn home_opens_lessons_and_free_play_by_number_and_by_name() {
    let mut dialogue = opened("home", Glyphs::UNICODE);
    let list = dialogue.greet();
    for entry in catalog::all() {
        assert!(list.contains(&format!("play {}", entry.info.slug)), "{list}");
    }
    assert!(dialogue.take("about 9").text.contains("Two nodes"), "what lesson 9 is about");
    assert!(dialogue.take("9").text.contains("Page 1 of"));
    assert!(dialogue.take("home").text.contains("started"));
    assert!(
        dialogue.take("lesson ricart-agrawala-r").text.contains("Page 1 of"),
        "by its beginning"
    );
    dialogue.take("home");
    assert!(dialogue.take("play lamport 5").text.contains("P5: idle"));
    dialogue.take("home");
    assert!(dialogue.take("lamport").text.contains("Free play: "));
    dialogue.take("home");
    let last = list.lines().rfind(|l| l.contains(": play ")).expect("there is free play");
    let number = last.split('.').next().expect("it is numbered").trim();
    assert!(dialogue.take(number).text.contains("Free play: "), "{last}");
    dialogue.take("home");
    for (typed, wanted) in [
        ("99", "There is no 99 in the list"),
        ("lampart", "Nothing is called 'lampart' here."),
        ("play lampart", "No: no algorithm is called 'lampart'; did you mean 'lamport'?"),
        ("lesson 77", "No: no lesson is called '77'"),
        ("about", "About what?"),
        ("play lamport 99", "No: "),
    ] {
        let said = dialogue.take(typed).text;
        assert!(said.starts_with(wanted), "{typed}: {said}");
    }
    let end = dialogue.take("quit");
    assert!(end.ends && end.text == "Goodbye.\n");
}

#[test]
fn every_lesson_that_is_done_is_marked_at_home() {
    for shelved in Library::embedded().shelved() {
        for glyphs in [Glyphs::UNICODE, Glyphs::ASCII] {
            let mut dialogue = opened(&format!("learn {}", shelved.id), glyphs);
            finish(&mut dialogue);
            let list = dialogue.take("home").text;
            let number = format!("{}. ", shelved.order.expect("it has a number"));
            let line = list.lines().find(|l| l.trim_start().starts_with(&number));
            assert!(line.is_some_and(|l| l.ends_with("done")), "{}: {line:?}", shelved.id);
        }
    }
}

#[test]
fn hostile_input_reaches_no_terminal() {
    let typed = "\u{1b}[31mask P1\u{7}\n\u{9b}2J\nfoo\u{202e}\tbar\n\0\n\u{1b}]0;x\u{7}state\n";
    assert_clean(&told("play lamport 3", typed));
    assert_clean(&told("home", typed));
    let mut said = Vec::new();
    let mut dialogue = opened(RACE, Glyphs::UNICODE);
    let bytes: Vec<u8> = (0..=255).chain(*b"\nstate\n").collect();
    run(&mut dialogue, &mut &bytes[..], &mut said, Typing::Repeated).expect("memory is fine");
    let said = String::from_utf8(said).expect("the dialogue is text whatever was typed");
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    assert!(said.contains("Page 1 of"), "{said}");
}

#[test]
fn a_line_without_end_is_passed_over() {
    let typed = format!("ask P1\n{}\nask P2\n", "x".repeat(200_000));
    let said = told("play lamport 3", &typed);
    assert!(said.contains("too long to be a command"), "no part of it is taken for a command");
    assert!(said.contains("Step 2."), "what follows it is read");
    assert_eq!(said.matches("too long").count(), 1);
}

/// Gives and takes one byte at a time.
struct Drip<T>(T);

impl Read for Drip<&[u8]> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let room = buf.len().min(1);
        self.0.read(&mut buf[..room])
    }
}

impl Write for Drip<Vec<u8>> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.write(&buf[..buf.len().min(1)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_slow_pipe_gets_the_same_dialogue() {
    let typed = "ask P1\n1\nstate\nlog";
    let mut input = BufReader::new(Drip(typed.as_bytes()));
    let mut output = Drip(Vec::new());
    let mut dialogue = opened("play lamport 3", Glyphs::UNICODE);
    run(&mut dialogue, &mut input, &mut output, Typing::Repeated).expect("memory is fine");
    let said = String::from_utf8(output.0).expect("the dialogue is text");
    assert_eq!(said, told("play lamport 3", typed));
    assert!(said.ends_with("The input has ended.\nGoodbye.\n"), "{said}");
}

fn lockstep(args: &[&str], input: &[u8]) -> Output {
    program::lockstep(args).feed(input)
}

#[test]
fn pipes_are_enough_and_the_end_of_the_input_is_no_failure() {
    let cases: [(&[&str], &str, &str); 5] = [
        (&["--plain"], "", "Lessons:"),
        (&["learn", "9", "--plain"], "", "The lesson is not finished: page 1 of"),
        (&["play", "lamport", "-n", "3", "--plain"], "ask P1\n1", "Step 2."),
        (&["play", "lamport", "--plain", "--ascii"], "ask P1\nquit\nask P2\n", "Goodbye."),
        (&["--plain", "--color", "always"], "play central\nask P1\n", "Step 1."),
    ];
    for (args, typed, wanted) in cases {
        let output = lockstep(args, typed.as_bytes());
        let said = String::from_utf8(output.stdout).expect("the dialogue is text");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        assert!(output.stderr.is_empty(), "{args:?}");
        assert!(said.contains(wanted), "{args:?}: {said}");
        assert!(said.ends_with("Goodbye.\n"), "{args:?}: {said}");
        assert_clean(&said);
    }
    let bad = lockstep(&["learn", "nothing-like-it", "--plain"], b"");
    assert_eq!(bad.status.code(), Some(2));
    assert!(bad.stdout.is_empty());
}

// H62
#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let mut program = program::lockstep(["play", "lamport", "--plain"]);
    let mut child = program.stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("its output is piped"));
    let mut first = String::new();
    out.read_line(&mut first).expect("it greets before anything is typed");
    assert!(first.starts_with("Free play: "), "{first}");
    drop(out);
    let mut input = child.stdin.take().expect("its input is piped");
    // It may have gone before all of this is written.
    let _ = input.write_all(b"help\nhelp\n");
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

// H61
#[test]
fn a_terminal_gets_no_escape_sequence_either() {
    let args = ["play", "lamport", "-n", "3", "--plain", "--color", "always"];
    let mut tui = crate::support::Setup::lockstep(&args).size(100, 40).start();
    tui.wait_for_text("> ");
    assert!(tui.is_cooked(), "the terminal keeps its own line editing");
    tui.send("ask P1\r");
    tui.wait_for_text("Step 1.");
    tui.send("quit\r");
    let ended = tui.end();
    ended.assert(0);
    assert!(!ended.log.contains(&0x1b), "{}", ended.log.escape_ascii());
    assert!(ended.text.contains("Goodbye."), "{}", ended.text);
}

#[test]
fn nodes_with_any_name_are_called_by_it() {
    let config = Config { nodes: vec!["Ann".into(), "Bob".into()], ..Config::new("lamport", 0) };
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_play(Lab::new(config).expect("the names fit"), Some(3));
    assert!(dialogue.take("").text.contains("'ask Ann'"));
    assert!(dialogue.take("ask bob").text.starts_with("Step 1."));
    assert!(dialogue.take("why Bob").text.contains("Bob waits"));
    let lab = dialogue.lab().expect("a cluster is open");
    assert_eq!(lab.setup().name(NodeId(1)), "Bob");
}
