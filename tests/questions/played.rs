//! Questions that are answered by playing: trace and drive.

use super::{Asked, RACE, faults, faults_of, lesson_with, survives};
use lockstep::lesson::lint;
use lockstep::lesson::question::{Playing, Way};
use lockstep::model::Event;
use lockstep::sim::{Simulation, StepRecord};
use proptest::prelude::*;

/// Exercise 2: carried on until both have been inside.
const RACED: &str = "goal: exited(P1) and exited(P2)
annotate: [reply, defer]";

/// Every order of deliveries and exits to its end, with the words that are to be said.
fn every_order(
    sim: &dyn Simulation,
    run: &mut Vec<StepRecord>,
    seen: &mut impl FnMut(&[StepRecord]),
) {
    let goes_on = |e: &Event| matches!(e, Event::Deliver(_) | Event::Exit(_));
    let events: Vec<Event> = sim.enabled().into_iter().filter(goes_on).collect();
    if events.is_empty() {
        seen(run);
    }
    for event in events {
        let mut next = sim.fork();
        run.push(next.step(event).expect("an enabled event"));
        every_order(next.as_ref(), run, seen);
        run.pop();
    }
}

fn line(record: &StepRecord, asked: &Asked) -> String {
    let word = ["reply", "defer"].into_iter().find(|w| record.outcomes.contains(w));
    let word = word.map_or(String::new(), |w| format!(" => {w}"));
    format!("{}{word}", record.event.show(&asked.at().setup().names))
}

fn every_answer(asked: &Asked) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    every_order(asked.at(), &mut Vec::new(), &mut |run| {
        all.push(run.iter().map(|r| line(r, asked)).collect());
    });
    all
}

#[test]
fn every_legal_order_of_the_race_is_right() {
    let asked = Asked::in_the_race("trace", RACED);
    asked.sound();
    let all = every_answer(&asked);
    assert_eq!(all.len(), 720);
    for lines in &all {
        let verdict = asked.answer(&lines.join("\n"));
        assert!(verdict.right, "{lines:?}: {:?}", verdict.lines);
        assert_eq!(verdict.lines, ["All 10 events can happen in this order, and the goal holds."]);
    }
}

#[test]
fn every_single_wrong_word_is_refused_with_its_line_and_the_reason() {
    let asked = Asked::in_the_race("trace", RACED);
    let mut tried = 0;
    for lines in every_answer(&asked) {
        for (i, line) in lines.iter().enumerate() {
            let Some((event, word)) = line.split_once(" => ") else { continue };
            let other = if word == "reply" { "defer" } else { "reply" };
            for (wrong, why) in [
                (format!("{event} => {other}"), format!("it does not `{other}`.")),
                (event.to_owned(), "write what comes of it: reply or defer".to_owned()),
            ] {
                let mut changed = lines.clone();
                changed[i] = wrong;
                let said = asked.said(&changed.join("; "));
                let begin = format!("Line {}, `{event}`: {why}", i + 1);
                assert!(said.starts_with(&begin), "{said} begins with {begin}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 720 * 4 * 2, "four REQUESTs arrive in each order");
}

#[test]
fn every_single_illegal_line_is_refused_with_the_engines_reason() {
    let asked = Asked::in_the_race("trace", RACED);
    let names = asked.at().setup().names.clone();
    let nodes = ["P1", "P2", "P3"];
    let channels = nodes.iter().flat_map(|a| nodes.iter().map(move |b| format!("deliver {a}>{b}")));
    let others = nodes.iter().flat_map(|n| [format!("exit {n}"), format!("request {n}")]);
    let events: Vec<Event> =
        channels.chain(others).filter_map(|text| Event::parse(&text, &names).ok()).collect();
    let mut refused = 0;
    for lines in every_answer(&asked).iter().step_by(13) {
        let mut sim = asked.at().fork();
        for (i, text) in lines.iter().enumerate() {
            for event in &events {
                let Err(reason) = sim.check(*event) else { continue };
                let mut changed = lines.clone();
                changed[i] = event.show(&names);
                let verdict = asked.answer(&changed.join("\n"));
                let wanted =
                    format!("Line {}, `{}`: {}.", i + 1, event.show(&names), reason.reason);
                assert_eq!(verdict.lines, [wanted]);
                assert!(!verdict.right && verdict.score == 0.0);
                refused += 1;
            }
            let event = text.split(" => ").next().expect("a text has a beginning");
            sim.step(Event::parse(event, &names).expect("an event")).expect("a legal line");
        }
    }
    assert!(refused > 3_000, "{refused}");
}

#[test]
fn a_trace_that_stops_early_does_not_reach_its_goal() {
    let asked = Asked::in_the_race("trace", RACED);
    let lines = &every_answer(&asked)[0];
    for n in 1..lines.len() {
        let short = lines[..n].join("\n");
        if !short.contains("=>") {
            continue;
        }
        let said = asked.said(&short);
        let reached = !said.contains("at the end this does not hold: ");
        assert!(!reached, "{n}: {said}");
    }
}

#[test]
fn a_trace_is_read_in_all_its_forms_and_a_line_that_is_no_event_gets_a_hint() {
    let asked = Asked::in_the_race("trace", RACED);
    let lines = &every_answer(&asked)[5];
    let wanted = asked.read(&lines.join("\n"));
    let numbered: Vec<String> =
        lines.iter().enumerate().map(|(i, l)| format!("{}. {l}", i + 1)).collect();
    for form in [
        lines.join("; "),
        lines.join("\n\n") + "\n",
        numbered.join("\n"),
        lines.join("\n- ").to_uppercase(),
        lines.join("\n").replace("P1>P", "P1 -> P").replace("=> ", "=>"),
        lines.join("\n").replace("=> reply", "=> replies").replace("=> defer", "⇒ deferred"),
    ] {
        assert_eq!(asked.read(&form), wanted, "{form}");
    }
    for (form, said) in [
        (
            "",
            "Write one event a line, like `deliver P1>P2`, and what comes of it, like `=> reply`.",
        ),
        ("deliver P1>P2", "Write after the events what comes of them: `=> reply` or `=> defer`."),
        (
            "deliver P1>P2 => defer\ndelver P2>P1",
            "Line 2: no event is called `delver`; did you mean `deliver`?",
        ),
        ("deliver P1>P9 => reply", "Line 1: no node `P9`; this cluster has P1, P2, P3."),
        ("deliver P1>P2 => enter", "Line 1: `enter` is none of reply, defer."),
    ] {
        assert!(asked.hint(form).starts_with(said), "{form}: {}", asked.hint(form));
    }
}

#[test]
fn words_are_said_only_of_events_that_do_one_of_them() {
    let asked = Asked::in_the_race("trace", RACED);
    let said = asked.said("deliver P1>P3 => reply; deliver P3>P1 => reply");
    assert!(said.starts_with("Line 2, `deliver P3>P1`: there is no `reply` in it. "), "{said}");
    let crashed = asked.said("deliver P1>P3 => reply; crash P3");
    assert_eq!(crashed, "Line 2, `crash P3`: this may not be played here.");
}

#[test]
fn nothing_is_impossible_because_its_goal_compares_another_shape() {
    let cases = [
        (
            "field(P2, deferred) == P1",
            "`deferred` holds a set of nodes, not `P1`: write {P1} (column 24)",
        ),
        (
            "field(P2, request) == 1",
            "`request` holds a stamp or none, not `1`: write (1,P2) (column 23)",
        ),
        ("messages() < 0", "a count is 0 or more"),
        ("holds(token, P2)", "there are no tokens"),
        ("violated(token)", "there are no tokens"),
        ("violated(fence)", "this cluster has no storage node"),
    ];
    for (goal, said) in cases {
        for never in ["", "never: violated(mutex)\n"] {
            let found =
                faults("drive", &format!("goal: {goal}\n{never}at_most: 8\nanswer: impossible"));
            assert!(found.len() == 1 && found[0].contains(said), "{goal}: {found:?}");
        }
        let found = faults("trace", &format!("goal: in_cs(P2)\nnever: {goal}"));
        assert!(found.len() == 1 && found[0].starts_with("17:"), "{goal}: {found:?}");
    }
    let right = Asked::in_the_race(
        "drive",
        "goal: field(P2, deferred) == {P1}\nat_most: 8\nsolution: [deliver P1>P2]",
    );
    assert!(right.sound().right("deliver P1→P2") && !right.right("impossible"));
}

#[test]
fn a_trace_may_have_a_start_and_a_solution_of_its_own() {
    let text = "goal: in_cs(P3)
start: [request P3]
never: in_cs(P1)
at_most: 4
solution: [deliver P3>P1, deliver P3>P2, deliver P1>P3, deliver P2>P3]";
    let asked = Asked::in_the_race("trace", text);
    asked.sound();
    assert!(asked.right("deliver P3>P2; deliver P2>P3; deliver P3>P1; deliver P1>P3"));
    assert!(!asked.right("deliver P3>P2; deliver P2>P3; deliver P3>P1; request P1; deliver P1>P3"));
    let Way::Play(Playing { start: Some(start), .. }) = asked.question().way() else {
        panic!("it has a start")
    };
    assert_eq!(start.len(), 1);
}

#[test]
fn faults_of_traces_are_told_where_they_stand() {
    let cases = [
        ("goal: exitted(P1)", "16:13: item 2 of `steps`: nothing is called `exitted`"),
        ("goal: waiting(P1)", "16:13: item 2 of `steps`: this holds before anything is played"),
        ("goal: in_cs(P3)\nforbid: [request]", "16:13: item 2 of `steps`: no run was found"),
        (
            "goal: in_cs(P2)\nannotate: [defers]",
            "17:18: item 1 of `annotate`: no outcome is called `defers`",
        ),
        (
            "goal: in_cs(P2)\nstart: [exit P1]",
            "17:15: item 1 of `start`: `exit P1` cannot happen here",
        ),
        ("goal: in_cs(P2)\nallow: [crush]", "17:15: item 1 of `allow`: no event is called `crush`"),
        ("goal: in_cs(P2)\nnever: never stuck()", "17:14: item 2 of `steps`: what must never hold"),
        (
            "goal: in_cs(P2)\nsolution: [deliver P2>P1, exit P2]",
            "17:33: item 2 of `solution`: P2 is still waiting",
        ),
        (
            "goal: in_cs(P2)\nsolution: [deliver P2>P1]",
            "17:7: item 2 of `steps`: after these events the goal does not hold",
        ),
        ("goal: in_cs(P2)\nfeedback: {x: y}", "17:18: item 2 of `steps`: a line that is wrong"),
    ];
    for (question, said) in cases {
        let found = faults("trace", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
}

/// A broken variant in which an equal stamp gets a reply from both sides.
fn tied() -> String {
    RACE.replace("clocks: {P1: 4, P2: 2}", "variant: tie-replies")
}

const BREAK: &str = "goal: violated(mutex)
at_most: 8
par: 6
solution: [deliver P1>P2, deliver P2>P1, deliver P1>P3, deliver P2>P3, deliver P2>P1, deliver P3>P1, deliver P1>P2, deliver P3>P2]";

#[test]
fn drive_is_played_again_and_counted() {
    let asked = Asked::of(&lesson_with(&tied(), "drive", &BREAK.replace("par: 6", "par: 8")));
    asked.sound();
    let lines = asked.question().reference(asked.at()).0;
    assert_eq!(asked.said(&lines), "The goal holds after 8 events.");
    let longer = format!("{lines}; exit P1");
    assert!(!asked.right(&longer));
    assert_eq!(asked.said(&longer), "The goal holds, but after 9 events; 8 may be played.");
    assert!(
        asked.said("deliver P1>P2").contains("does not hold: two nodes have been inside at once")
    );
    assert_eq!(asked.said("deliver P1>P2; exit P1"), "Line 2, `exit P1`: P1 is still waiting.");
    assert_eq!(asked.said("crash P1"), "Line 1, `crash P1`: this may not be played here.");
    assert_eq!(asked.said("impossible"), "There is a way.");
}

#[test]
fn the_point_before_the_first_wrong_line_is_known() {
    let asked = Asked::in_the_race("trace", "goal: in_cs(P2)\nannotate: [reply, defer]");
    let wrong_at = |raw: &str| {
        let answer = asked.read(raw).expect(raw);
        asked.question().wrong_at(&answer, asked.at()).map(|wrong| (wrong.point, wrong.what))
    };
    let line = |n, what: &str| Some((n, what.to_owned()));
    assert_eq!(
        wrong_at("deliver P2>P1 => reply; deliver P1>P2 => reply"),
        line(1, "line 2, `deliver P1>P2`")
    );
    assert_eq!(wrong_at("exit P3 => reply"), line(0, "line 1, `exit P3`"));
    assert_eq!(wrong_at("deliver P2>P1 => reply"), None, "no line is wrong; more are missing");
}

#[test]
fn what_the_author_does_not_allow_may_not_be_played() {
    let asked = Asked::in_the_race(
        "drive",
        "goal: crashed(P2)\nallow: [crash P2]\nforbid: [request]\nsolution: [crash P2]",
    );
    let event = |text: &str| {
        lockstep::model::Event::parse(text, &asked.at().setup().names).expect("it is an event")
    };
    let allows = ["deliver P1>P2", "exit P1", "crash P2", "crash P1", "request P3", "drop P1>P2"]
        .map(|text| asked.question().allows(event(text)));
    assert_eq!(allows, [true, true, true, false, false, false]);
}

#[test]
fn drive_may_be_impossible_and_lint_proves_it() {
    let text = "goal: in_cs(P1) and in_cs(P2)\nat_most: 7\nforbid: [request]\nanswer: impossible";
    let asked = Asked::in_the_race("drive", text);
    asked.sound();
    assert_eq!(asked.said(" Impossible. "), "No way of at most 7 events leads there.");
    assert!(!asked.right("deliver P1>P2"));
    let wrong =
        Asked::of(&lesson_with(RACE, "drive", "goal: in_cs(P2)\nat_most: 5\nanswer: impossible"));
    let found: Vec<String> =
        lint::findings(&wrong.lesson, None).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 1);
    assert!(found[0].contains(":18:15: item 2 of `steps`: it is possible: deliver"), "{found:?}");
}

#[test]
fn lint_finds_a_par_that_can_be_beaten() {
    let text = "goal: in_cs(P2)
par: 6
solution: [deliver P2>P1, deliver P2>P3, deliver P1>P3, deliver P1>P2, deliver P1>P2, deliver P3>P2]";
    let asked = Asked::of(&lesson_with(RACE, "drive", text));
    let found: Vec<String> =
        lint::findings(&asked.lesson, None).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(":17:12: item 2 of `steps`: it can be done in "), "{found:?}");
}

#[test]
fn drive_may_have_a_cluster_of_its_own() {
    let text = "cluster: {algorithm: lamport, variant: no-tie-break, nodes: [A, B]}
goal: violated(mutex)
at_most: 4
solution: [request A, request B, deliver A>B, deliver B>A]";
    let asked = Asked::in_the_race("drive", text);
    asked.sound();
    let Way::Play(Playing { config: Some(config), .. }) = asked.question().way() else {
        panic!("it is played in a cluster of its own")
    };
    assert_eq!((config.algorithm.as_str(), config.nodes.len()), ("lamport", 2));
    assert!(asked.right("request B; request A; deliver A>B; deliver B>A"));
    assert_eq!(asked.said("request A; exit A"), "Line 2, `exit A`: A is still waiting.");
    assert!(asked.hint("request P1").contains("no node `P1`; this cluster has A, B"));
    let cases = [
        ("lamport", "lamprot", "16:28: item 2 of `steps`: no algorithm is called `lamprot`"),
        ("no-tie-break", "no-tie", "16:46: item 2 of `steps`: "),
        ("[request A, ", "[request P1, ", "19:18: item 1 of `solution`: no node `P1`"),
    ];
    for (old, new, said) in cases {
        let found = faults("drive", &text.replace(old, new));
        assert!(found.len() == 1 && found[0].starts_with(said), "{new}: {found:?}");
    }
}

#[test]
fn drive_has_its_own_bounds_and_permissions() {
    let crash = "goal: stuck()
allow: [crash P3]
forbid: [request P3, timeout]
at_most: 9
solution: [crash P3, deliver P1>P3, deliver P2>P3, deliver P1>P2, deliver P2>P1, deliver P1>P2]";
    let asked = Asked::in_the_race("drive", crash);
    asked.sound();
    assert_eq!(asked.said("crash P1"), "Line 1, `crash P1`: this may not be played here.");
    assert_eq!(asked.said("request P3"), "Line 1, `request P3`: this may not be played here.");
    let Way::Play(playing) = asked.question().way() else { panic!("it is played") };
    assert!(playing.impossible && playing.start.is_none());
}

#[test]
fn faults_of_drives_are_told_where_they_stand() {
    let cases = [
        ("goal: in_cs(P1)", "13:5: item 2 of `steps`: a `solution` is missing"),
        ("goal: in_cs(P1)\nanswer: impossible", "17:7: item 2 of `steps`: that it is impossible"),
        ("goal: in_cs(P1)\nanswer: maybe", "17:15: item 2 of `steps`: `maybe` is not known here"),
        (
            "goal: in_cs(P2)\npar: 1\nsolution: [deliver P2>P1, deliver P2>P3, deliver P1>P2, deliver P1>P2, deliver P3>P2]",
            "17:12: item 2 of `steps`: the solution takes 5 events",
        ),
        (
            "goal: in_cs(P2)\nsolution: [deliver P3>P1]",
            "17:18: item 1 of `solution`: nothing is in flight on P3>P1",
        ),
        (
            "goal: in_cs(P1)\nat_most: 3\nanswer: impossible\nsolution: [deliver P1>P2]",
            "19:7: item 2 of `steps`: what is impossible",
        ),
        (
            "goal: exits() == 0\nanswer: impossible\nat_most: 3",
            "16:13: item 2 of `steps`: this holds before",
        ),
    ];
    for (question, said) in cases {
        let found = faults("drive", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
    let broken = lesson_with(RACE, "trace", RACED).replace("[request P1, request P2]", "[exit P1]");
    assert_eq!(faults_of(&broken).len(), 1, "without a state only the event is told");
}

proptest! {
    #[test]
    fn no_text_makes_a_question_panic(
        raw in "\\PC{0,40}",
        events in "((deliver|request|exit|crash|drop) P[1-3](>P[1-3])?(#[1-3])?( => (reply|defer))?[;\\n]){0,8}",
    ) {
        for asked in [Asked::in_the_race("trace", RACED), Asked::of(&lesson_with(&tied(), "drive", &BREAK.replace("par: 6", "par: 8")))] {
            survives(&asked, &raw)?;
            survives(&asked, &events)?;
        }
    }
}
