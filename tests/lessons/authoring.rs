//! What authors get: a lesson to begin with, the learners' copy, the worksheet.

use super::checked;
use lockstep::input::{Source, parse_text};
use lockstep::lesson::answers::{self, Answers, Filled};
use lockstep::lesson::grade::{Grader, Wanted};
use lockstep::lesson::{Learner, Lesson, Library, Next, author, lint, strip};
use lockstep::lesson::{QuestionState, load};
use std::sync::Arc;

pub fn shipped() -> Vec<Arc<Lesson>> {
    let library = Library::embedded();
    library.shelved().iter().map(|s| s.lesson().unwrap_or_else(|b| panic!("{b}"))).collect()
}

fn copy_of(lesson: &Lesson) -> (String, Arc<Lesson>) {
    let text = strip::strip(lesson);
    let copy = checked(&text).unwrap_or_else(|bad| panic!("{bad}\n{text}"));
    (text, copy)
}

/// A right answer to every question.
pub fn keys(lesson: &Arc<Lesson>) -> Filled {
    let wanted = Wanted { solutions: true, ..Wanted::default() };
    let blank = answers::blank(lesson);
    let blank = Answers::read("a.yaml", blank.as_bytes()).expect("a blank file reads");
    let grader = Grader::new(Arc::clone(lesson)).expect("a cluster");
    let report = grader.grade(&blank, &wanted).expect("it is graded");
    let one = |t: &lockstep::lesson::grade::Graded| {
        (t.id.clone(), t.solution.as_ref().expect("asked for").expected.clone())
    };
    Filled { answers: report.tests.iter().map(one).collect(), shown: Vec::new() }
}

#[test]
fn the_lesson_to_begin_with_has_no_findings_and_its_name() {
    let text = author::template("two-asks").expect("an id");
    let source = Source::from_text("two-asks.yaml", &text, "lesson").expect("a text");
    let found: Vec<String> =
        lint::of_source(&source, Some(&[])).iter().map(ToString::to_string).collect();
    assert_eq!(found, Vec::<String>::new());
    let lesson = load::checked(source).expect("it opens");
    assert_eq!((lesson.id.as_str(), lesson.title.as_str()), ("two-asks", "Two asks"));
    assert!(text.lines().all(|l| l.len() <= 170), "comments stay readable");
    assert!(author::template("Two asks").is_err());
}

#[test]
fn the_learners_copy_holds_no_key_reason_or_note() {
    for lesson in shipped() {
        let (text, copy) = copy_of(&lesson);
        assert!(copy.stripped);
        for step in lesson.steps() {
            if let Some(note) = &step.note {
                assert!(!text.contains(note.trim()), "{}: {note}", lesson.id);
            }
        }
        for key in ["right:", "say: \"", "explain: ", "feedback:", "solution:", "note:", ", }"] {
            let of_options = text.lines().filter(|l| l.contains("text:") || !l.contains("- say"));
            let found = of_options.filter(|l| !l.trim_start().starts_with("say:")).find(|l| {
                // `explain:` four columns in is a question of that type.
                let is_question = l.starts_with("    explain:");
                let l = l.trim_start();
                if key == ", }" { l.ends_with(key) } else { l.starts_with(key) && !is_question }
            });
            assert_eq!(found, None, "{}", lesson.id);
        }
        for question in lesson.questions() {
            if let Some(explain) = question.common().explain {
                assert!(!text.contains(explain.trim()), "{}: {explain}", lesson.id);
            }
        }
        let (document, problems) = parse_text(copy.document().source());
        assert!(document.is_some() && problems.is_empty());
    }
}

#[test]
fn comments_stay_in_the_learners_copy() {
    let text = author::template("two-asks").expect("an id");
    let (copy, _) = copy_of(&checked(&text).expect("it opens"));
    for comment in
        ["# lockstep algorithms", "# A step is a page", "# a broken one", "# Other questions"]
    {
        assert!(text.contains(comment) && copy.contains(comment), "{comment}\n{copy}");
    }
    assert!(copy.lines().position(|l| l.starts_with("stripped: true")).is_some_and(|n| n > 5));
}

#[test]
fn all_options_of_the_learners_copy_look_alike() {
    let text = "lesson: 1\nid: a\ntitle: A\nabout: A.\ncluster: {algorithm: central}\nsteps:\n  \
                - choice:\n      id: q\n      prompt: Which?\n      options:\n        \
                a: {text: A, say: no, x-todo: is right}\n        \
                b: {say: yes, text: B, right: true}\n        \
                c:\n          say: |\n            no\n            # of the text\n          text: C\n";
    let (copy, _) = copy_of(&checked(text).expect("it opens"));
    let options = &copy[copy.find("options:").expect("it asks")..];
    assert_eq!(
        options,
        "options:\n        a: {text: A}\n        b: {text: B}\n        c:\n          text: C\n"
    );
}

#[test]
fn cards_of_the_learners_copy_lie_as_they_are_shown() {
    let text = "lesson: 1\nid: a\ntitle: A\nabout: A.\ncluster: {algorithm: central}\nsteps:\n  \
                - order:\n      id: q\n      prompt: Which?\n      before: [one < two < three < four]\n      \
                cards:\n        one: {text: first}\n        two: {text: second}\n        \
                three: {text: third}\n        four: {text: fourth}\n        \
                five: {text: never, distractor: true}\n";
    let whole = checked(text).expect("it opens");
    let (copy, stripped) = copy_of(&whole);
    assert!(!copy.contains("before") && !copy.contains("distractor"), "{copy}");
    let shown = |l: &Lesson| l.questions().next().expect("it asks").picks();
    assert_eq!(shown(&whole), shown(&stripped), "a letter names the same card in both");
    assert_ne!(shown(&whole)[0].id, "one", "the order of the file would tell");
}

#[test]
fn the_whole_lesson_grades_the_answers_to_the_learners_copy() {
    for lesson in shipped() {
        let (_, copy) = copy_of(&lesson);
        let ids = |l: &Lesson| {
            let all = l.questions().map(|q| (q.common().id.to_owned(), q.kind()));
            all.collect::<Vec<_>>()
        };
        assert_eq!(ids(&lesson), ids(&copy));
        let file = answers::filled(&copy, &keys(&lesson));
        let read = Answers::read("a.yaml", file.as_bytes()).unwrap_or_else(|p| panic!("{p}"));
        let grader = Grader::new(Arc::clone(&lesson)).expect("a cluster");
        let report = grader.grade(&read, &Wanted::default()).expect("it is graded");
        assert!(report.passed(), "{}: {:?}", lesson.id, report.tests);
    }
}

#[test]
fn the_learners_copy_is_played_to_its_end_and_judges_nothing() {
    for lesson in shipped() {
        let (_, copy) = copy_of(&lesson);
        let right = keys(&lesson);
        let (mut learner, mut lab) = Learner::new(copy).expect("a cluster");
        loop {
            match learner.next(&mut lab) {
                Next::Finished => break,
                Next::Blocked => {
                    let asked = learner.question().expect("a question stops it");
                    assert!(learner.show_solution(&mut lab).is_err(), "{}", asked.id);
                    let answer = right.answers.get(asked.id.as_str()).expect("every key is known");
                    let _noted = learner.answer(&mut lab, answer);
                    let asked = learner.question().expect("still there");
                    assert_eq!(asked.state, QuestionState::Right, "{}: {answer}", asked.id);
                    let said = asked.said.join(" ");
                    assert!(said.starts_with("Noted.") && asked.explanation.is_none(), "{said}");
                }
                Next::Played(_) | Next::Turned | Next::Returned => {}
            }
        }
    }
}

#[test]
fn a_worksheet_has_blank_tables_and_keys_only_when_asked() {
    for lesson in shipped() {
        let (blank, solved) =
            (crate::lessons::paper(&lesson, false), crate::lessons::paper(&lesson, true));
        for question in lesson.questions() {
            let common = question.common();
            if let Some(explain) = common.explain {
                assert!(!blank.contains(explain.trim()), "{}: {explain}", lesson.id);
                assert!(solved.contains(explain.trim()), "{}: {explain}", lesson.id);
            }
            if question.kind() == "state" {
                let sheet = question.sheet();
                assert!(sheet.contains("|---|") && blank.contains(&sheet), "{}", common.id);
                let empty = |l: &str| l.split('|').skip(2).all(|c| matches!(c.trim(), "" | "×"));
                assert!(sheet.lines().skip(2).all(empty), "{sheet}");
            }
        }
        assert!(!blank.contains("\nAnswer:"), "{}", lesson.id);
    }
}

/// What comes of an answer stands on the next sheet, and each sheet shows how the cluster stands.
#[test]
fn a_sheet_of_paper_ends_with_its_question_and_shows_the_columns_that_it_speaks_of() {
    for lesson in shipped() {
        let text = crate::lessons::paper(&lesson, false);
        let sheets: Vec<&str> = text.split("*Answer before you turn over.*").collect();
        let asks = |sheet: &str| {
            let prompts = lesson.questions().map(|q| format!("`{}`)\n", q.common().id));
            prompts.filter(|id| sheet.contains(id)).count()
        };
        assert!(sheets.iter().all(|sheet| asks(sheet) <= 1), "{}", lesson.id);
        assert_eq!(sheets.iter().map(|s| asks(s)).sum::<usize>(), lesson.questions().count());
        let lab = lesson.lab().expect("a cluster");
        let fields: Vec<&str> = lab.state().info().fields.iter().map(|f| f.name).collect();
        for sheet in sheets {
            let table = sheet.lines().find(|line| line.starts_with("| node | state |"));
            for field in fields.iter().filter(|f| sheet.contains(&format!("column `{f}`"))) {
                let shown = table
                    .is_some_and(|t| t.split(" | ").any(|c| c.trim_matches(['|', ' ']) == *field));
                assert!(shown || asks(sheet) == 0, "{}: {field}\n{sheet}", lesson.id);
            }
        }
        let solved = crate::lessons::paper(&lesson, true);
        assert!(!solved.contains("You said") && !solved.contains("turn over"), "{}", lesson.id);
    }
    let drawn = include_str!("drawn.yaml");
    let whose = |who: &str| {
        let lesson = super::checked(drawn).expect("no fault");
        crate::lessons::paper(&lesson.for_who(who).expect("it is drawn"), false)
    };
    assert!(whose("Ada").contains("\n- drawn for: Ada\n"));
    assert!(whose("").contains("\n- drawn for: nobody in particular"));
}

#[test]
fn a_file_with_a_number_that_a_folder_would_refuse_is_refused_alone_as_well() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (name, wanted) in [("3-base.yaml", 0), ("3-other.yaml", 1), ("other.yaml", 0)] {
        let path = folder.path().join(name);
        std::fs::write(&path, crate::lessons::BASE).expect("a file for the test");
        let problems = author::lint_file(&path).problems;
        assert_eq!(problems.len(), wanted, "{name}: {problems:?}");
        let all = author::lint_library(&Library::folder(folder.path()).expect("a folder"));
        // What a lesson builds on is known only where there are others.
        let in_folder: Vec<_> = all
            .into_iter()
            .flat_map(|found| found.problems)
            .filter(|problem| problem.path() != Some("needs[0]"))
            .collect();
        assert_eq!(problems, in_folder, "{name}");
        std::fs::remove_file(path).expect("it is there");
    }
}

#[test]
fn keys_on_a_worksheet_are_named_as_they_are_printed() {
    let all = include_bytes!("all.yaml");
    let lesson = load::reader("all.yaml", &all[..]).unwrap_or_else(|bad| panic!("{bad}"));
    let sheet = crate::lessons::paper(&lesson, true);
    for question in lesson.questions().filter(|q| !q.picks().is_empty()) {
        let lab = lesson.lab().expect("a cluster");
        let right = question.reference(lab.state()).0;
        for id in
            right.split(", ").filter(|_| question.kind() != "predict" && question.kind() != "order")
        {
            let pick = question.picks().into_iter().find(|p| p.id == id).expect("it can be picked");
            let shown = format!(") {} (`{id}`)", pick.text);
            assert!(sheet.contains(&shown), "{shown}\n{sheet}");
        }
    }
    let printed = sheet.lines().filter(|line| line.starts_with("Answer: "));
    assert!(printed.clone().any(|line| line.contains(" → ")), "the order of cards\n{sheet}");
    assert!(printed.clone().any(|line| line.contains(") defer")), "a prediction\n{sheet}");
}

#[test]
fn the_blank_answers_file_lists_the_messages_at_which_a_node_decides() {
    let lesson = load::reader("all.yaml", &include_bytes!("all.yaml")[..]).expect("no fault");
    let blank = answers::blank(&lesson);
    let play = lesson.questions().find(|q| q.kind() == "play").expect("every type is there");
    let lab = lesson.lab().expect("a cluster");
    let decisions = play.decisions(lab.state());
    assert!(!decisions.is_empty());
    for (i, decision) in decisions.iter().enumerate() {
        let line = format!("  # {}. {}\n", i + 1, decision.text);
        assert!(blank.contains(&line), "{line}{blank}");
    }
    assert!(!blank.contains("____"), "{blank}");
}
