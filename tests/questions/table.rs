//! Questions about a run that is not seen yet: order, state, play.

use super::{Asked, faults, survives};
use lockstep::lesson::question::Way;
use proptest::prelude::*;

/// The beginning of the race: P3 answers both, P2 defers P1.
const ORDER: &str = "run: [deliver P1>P3, deliver P2>P3, deliver P2>P1, deliver P3>P2, deliver P1>P2, deliver P1>P2, exit P2]
cards:
  enter: {text: P2 enters, enters: P2}
  asked: {text: P2's REQUEST reaches P1, event: deliver P2>P1}
  gone: {text: P2 leaves, event: exit P2}
  other: {text: P1's REQUEST reaches P3, event: deliver P1>P3}
  reply: {text: P1's REPLY reaches P2, event: deliver P1>P2}
  third: {text: P3's REPLY reaches P2, event: deliver P3>P2}
  vote: {text: P3 votes, distractor: true}";

fn order() -> Asked {
    // The first message on P1>P2 is the REQUEST, the second the REPLY.
    let text = ORDER.replace(
        "  reply: {text: P1's REPLY reaches P2, event: deliver P1>P2}",
        "  request: {text: P1's REQUEST reaches P2, event: deliver P1>P2}\n  reply: {text: P1's REPLY reaches P2, event: deliver P1>P2}",
    );
    Asked::in_the_race("order", &text)
}

/// Every order of some cards.
fn orders(cards: &[&'static str]) -> Vec<Vec<&'static str>> {
    let Some((last, rest)) = cards.split_last() else { return vec![Vec::new()] };
    let insert = |order: Vec<&'static str>| -> Vec<Vec<&'static str>> {
        (0..=order.len()).map(|i| [&order[..i], &[*last], &order[i..]].concat()).collect()
    };
    orders(rest).into_iter().flat_map(insert).collect()
}

#[test]
fn order_takes_exactly_the_orders_that_happened_before_allows() {
    let asked = order();
    asked.sound();
    let cards = ["asked", "third", "request", "reply", "enter", "gone", "other"];
    let before = [
        ("asked", "reply"),
        ("other", "third"),
        ("third", "request"),
        ("request", "reply"),
        ("reply", "enter"),
        ("enter", "gone"),
    ];
    let mut right = 0;
    for order in orders(&cards) {
        let place = |id: &str| order.iter().position(|c| *c == id).expect("a card");
        let kept = before.iter().all(|(a, b)| place(a) < place(b));
        assert_eq!(asked.right(&order.join(", ")), kept, "{order:?}");
        right += u32::from(kept);
    }
    // P3 got P1's REQUEST before it answered P2. Only P2's REQUEST to P1 is free: before the REPLY.
    assert_eq!(right, 4);
}

#[test]
fn order_names_the_first_misplaced_card_and_gives_a_part_for_least_moves() {
    let asked = order();
    let verdict = asked.answer("asked other third reply request enter gone");
    assert!(!verdict.right);
    assert_eq!(
        verdict.lines,
        ["\"P1's REPLY reaches P2\" stands too early: something behind it has to happen first."]
    );
    assert!((verdict.score - 6.0 / 7.0).abs() < 1e-9, "one move of seven cards");
    let verdict = asked.answer("other, asked, third, request, reply, enter, gone, vote");
    assert_eq!(verdict.lines, ["\"P3 votes\" does not belong into this order."]);
    assert!((verdict.score - 6.0 / 7.0).abs() < 1e-9);
    assert_eq!(asked.said("asked third"), "5 cards more belong into the order.");
    assert!((asked.score("asked third") - 2.0 / 7.0).abs() < 1e-9);
    assert_eq!(asked.score("gone"), asked.score("asked"));
}

#[test]
fn order_is_read_in_all_its_forms() {
    let asked = order();
    let letters: Vec<String> = asked.question().picks().iter().map(|p| p.id.clone()).collect();
    assert_eq!(letters.len(), 8);
    let two = asked.read("a b");
    for form in ["a, b", "1 2", " 1 , 2 ", "a < b", "a → b", "a\nb", "A;B"] {
        assert_eq!(asked.read(form), two, "{form}");
    }
    assert_ne!(asked.read("b a"), two, "for a sequence the order does matter");
    for form in ["", "ab", "12", "1;2;", "a,,b", "z"] {
        assert!(
            asked.hint(form).starts_with("Answer with the letters (a to h) in order"),
            "{form}"
        );
    }
    assert!(asked.hint("a b a").ends_with("stands there twice."));
    assert_eq!(asked.question().way(), Way::Arrange);
}

#[test]
fn order_may_be_given_as_chains() {
    let chains = "cards:
  xa: {text: one}
  xb: {text: two}
  xc: {text: three}
before: [xa < xb, xa < xc]";
    let asked = Asked::in_the_race("order", chains);
    asked.sound();
    assert!(asked.right("xa xb xc") && asked.right("xa xc xb") && !asked.right("xb xa xc"));
    let cases = [
        (
            "[xa < xb < xa, xc < xa]",
            "20:7: item 2 of `steps`: the cards come before each other in a circle",
        ),
        ("[xa < xq, xa < xc]", "20:16: item 1 of `before`: no card is called `xq`"),
        ("[xa < xb, xc]", "20:25: item 2 of `before`: `xc` orders nothing"),
        ("[xa < xb]", "19:9: item 2 of `steps`: nothing says where this card belongs"),
    ];
    for (chain, said) in cases {
        let found = faults("order", &chains.replace("[xa < xb, xa < xc]", chain));
        assert!(found.len() == 1 && found[0].starts_with(said), "{chain}: {found:?}");
    }
}

#[test]
fn faults_of_cards_are_told_where_they_stand() {
    let cases = [
        ("event: exit P2", "event: exit P3", "20:"),
        ("enters: P2", "enters: P9", "18:"),
        ("enters: P2", "enters: P3", "18:"),
        ("distractor: true", "distractor: true, event: deliver P2>P3", "24:"),
        ("deliver P2>P1, deliver P3>P2", "exit P1", "16:"),
    ];
    for (old, new, line) in cases {
        let text = ORDER.replacen(old, new, if old.starts_with("deliver") { 1 } else { 9 });
        let found = faults("order", &text);
        assert!(found[0].starts_with(line), "{old} → {new}: {found:?}");
    }
}

const STATE: &str = "run: [deliver P1>P3, deliver P2>P3, deliver P1>P2, deliver P3>P1]
nodes: [P1, P2]
fields: [state, clock, replies, deferred]
feedback: {\"P2 deferred=none\": P2 has the older request.}";

const KEY: &str = "P1 state=waiting clock=5 replies=P3 deferred=–; P2 state=waiting clock=5 replies=– deferred=P1";

#[test]
fn state_is_filled_in_as_the_table_shows_it() {
    let asked = Asked::in_the_race("state", STATE);
    asked.sound();
    for form in [
        KEY.to_owned(),
        KEY.replace("; ", "\n"),
        KEY.to_lowercase().replace('–', "-"),
        KEY.replace('=', ": "),
        KEY.replace("replies=P3", "replies = {P3}").replace("deferred=–", "deferred = none"),
        KEY.replace("P1 state", "P1: state").replace("=P3", "=3").replace("clock=5", "clock=05"),
        "P2 deferred=1 state=WAITING clock=5 replies={}; P1 clock=5; P1 state=wait; P1 deferred=∅; P1 replies=3".to_owned(),
    ] {
        assert!(asked.right(&form), "{form}: {:?}", asked.said(&form));
    }
    let Way::Cells(cells) = asked.question().way() else { panic!("it has cells") };
    assert_eq!((cells.len(), cells[3].as_str()), (8, "P1 deferred"));
}

#[test]
fn state_is_judged_cell_by_cell() {
    let asked = Asked::in_the_race("state", STATE);
    let verdict = asked
        .answer(&KEY.replace("replies=P3", "replies=P2").replace("clock=5 replies=–", "replies=–"));
    assert!(!verdict.right);
    assert_eq!(verdict.score, 0.75);
    assert_eq!(verdict.lines, ["P1 replies: it does not hold P2 then.", "P2 clock: left blank."]);
    let wrong = asked.answer(&KEY.replace("deferred=P1", "deferred=–"));
    assert_eq!(wrong.lines, ["P2 deferred: it does not hold – then.", "P2 has the older request."]);
    let one = asked.answer("P1 clock=5");
    assert_eq!((one.score, one.lines.len()), (0.125, 4));
    assert_eq!(one.lines[3], "And 4 cells more.");
}

#[test]
fn the_step_that_decides_the_first_wrong_cell_is_known() {
    let asked = Asked::in_the_race("state", STATE);
    // The run: P1 to P3, P2 to P3, P1 to P2, P3 to P1.
    for (old, new, point, what) in [
        ("replies=P3", "replies=P2", 3, "P1 replies"),
        ("deferred=P1", "deferred=none", 2, "P2 deferred"),
        ("P1 state=waiting", "P1 state=idle", 0, "P1 state"),
    ] {
        let answer = asked.read(&KEY.replace(old, new)).expect(new);
        let wrong = asked.question().wrong_at(&answer, asked.at()).expect("a cell is wrong");
        assert_eq!((wrong.point, wrong.what.as_str()), (point, what));
        assert_eq!(wrong.events.len(), 4);
    }
    let right = asked.read(KEY).expect("the key");
    assert_eq!(asked.question().wrong_at(&right, asked.at()), None);
}

#[test]
fn state_that_cannot_be_read_gets_a_hint() {
    let asked = Asked::in_the_race("state", STATE);
    for (form, said) in [
        ("", "Fill in the cells, like `P1 state=…`"),
        ("P1 state=; P2 clock=", "Fill in the cells"),
        ("P1", "Fill in the cells"),
        ("P3 clock=4", "P3 has no `clock` to fill in."),
        ("P9 clock=4", "`P9` is no node here: begin a line with P1, P2."),
        ("P1 clock=(5", "P1 clock: `(5` cannot be read"),
        ("P1 clock=5; P1 clock=6", "P1 clock stands there twice."),
    ] {
        assert!(asked.hint(form).starts_with(said), "{form}: {}", asked.hint(form));
    }
    let one = Asked::in_the_race("state", "run: [deliver P1>P2]\nnodes: [P2]\nfields: [deferred]");
    one.sound();
    for form in ["P2 P1", "P2: P1", "P2 = P1", "P2 deferred=P1", "P2 {1}"] {
        assert!(one.right(form), "{form}");
    }
    let column = "run: [deliver P1>P2, deliver P2>P1]\nnodes: [P1, P2]\nfields: [clock]";
    let column = Asked::in_the_race("state", column);
    column.sound();
    for form in
        ["P1: 5, P2: 5", "P1=5 P2=5", "P1: 5.0; P2: 5", "P2 = 5 , P1 = 5", "P1 clock=5\nP2: 5"]
    {
        assert!(column.right(form), "{form}: {:?}", column.said(form));
    }
    assert_eq!(column.said("P1: 5, P2: 4"), "P2 clock: it does not hold 4 then.");
}

#[test]
fn a_helper_has_no_state_to_fill_in() {
    let central =
        super::RACE.replace("ricart-agrawala", "central").replace("  clocks: {P1: 4, P2: 2}\n", "");
    let text = super::lesson_with(
        &central,
        "state",
        "run: [deliver P1>C, deliver C>P1]\nnodes: [P1, C]\nfields: [state, holder]",
    );
    let asked = Asked::of(&text);
    asked.sound();
    let Way::Cells(cells) = asked.question().way() else { panic!("it has cells") };
    assert_eq!(cells, ["P1 state", "C holder"]);
    for inside in ["in CS", "IN CS", "in-cs", "inside"] {
        assert!(asked.right(&format!("P1 state={inside}; C holder=P1")), "{inside}");
    }
}

#[test]
fn queues_have_an_order_and_sets_have_none() {
    let lamport = super::RACE.replace("ricart-agrawala", "lamport");
    let text = super::lesson_with(
        &lamport,
        "state",
        "run: [deliver P1>P3, deliver P2>P3]\nnodes: [P3]\nfields: [queue, heard]",
    );
    let asked = Asked::of(&text);
    asked.sound();
    assert!(asked.right("P3 queue=(3,P2) (5,P1) heard=P2:3 P1:5"));
    assert!(!asked.right("P3 queue=(5,P1) (3,P2) heard=P1:5 P2:3"));
}

#[test]
fn faults_of_states_are_told_where_they_stand() {
    let cases = [
        ("run: []\nfields: [clock]", "16:7: item 2 of `steps`: what is now stands in the table"),
        ("run: [deliver P1>P2]\nfields: []", "17:7: item 2 of `steps`: no columns"),
        (
            "run: [deliver P1>P2]\nfields: [defered]",
            "17:16: item 1 of `fields`: no column is called `defered`; did you mean `deferred`?",
        ),
        (
            "run: [deliver P1>P2]\nfields: [clock, clock]",
            "17:23: item 2 of `fields`: `clock` stands here twice",
        ),
        (
            "run: [deliver P1>P2]\nnodes: [P4]\nfields: [clock]",
            "17:15: item 1 of `nodes`: no node `P4`",
        ),
        (
            "run: [deliver P3>P2]\nfields: [clock]",
            "16:13: item 1 of `run`: `deliver P3>P2` cannot happen here",
        ),
        (
            "run: [deliver P1>P2]\nnodes: [P3]\nfields: [clock]",
            "18:7: item 2 of `steps`: the run changes none",
        ),
        (
            "run: [deliver P1>P2]\nfields: [deferred]\nfeedback: {\"P2 deferred=P1\": x}",
            "18:18: item 2 of `steps`: `P2 deferred=P1` is what the run gives",
        ),
        (
            "run: [deliver P1>P2]\nfields: [deferred]\nfeedback: {\"P8 x=1\": x}",
            "18:18: item 2 of `steps`: `P8` is no node here",
        ),
    ];
    for (question, said) in cases {
        let found = faults("state", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
}

const PLAY: &str = "node: P2
run: [deliver P1>P3, deliver P2>P3, deliver P2>P1, deliver P1>P2, deliver P3>P2, deliver P1>P2, exit P2]
outcomes: [reply, defer, enter]
feedback: {\"reply, nothing, enter\": Then both could be inside.}";

#[test]
fn play_is_judged_decision_by_decision() {
    let asked = Asked::in_the_race("play", PLAY);
    asked.sound();
    for form in
        ["defer, nothing, enter", "DEFER - enter", "defers\nnothing\nenters", "b d c", "2;4;3"]
    {
        assert!(asked.right(form), "{form}");
    }
    let wrong = asked.answer("reply, nothing, enter");
    assert!(!wrong.right && (wrong.score - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(
        wrong.lines,
        [
            "2 of 3 decisions are those of P2.",
            "1. REQUEST (5,P1) from P1: you said reply, it did defer. P2 gets REQUEST (5,P1) from P1. \
             P2 waits with the older (3,P2) < (5,P1), so it defers P1.",
            "Then both could be inside."
        ]
    );
    for form in ["", "defer", "defer, nothing, enter, enter", "defer, maybe, enter"] {
        let hint = "P2 gets 3 messages: answer with 3 words, with commas between them: reply, defer, enter, nothing.";
        assert_eq!(asked.hint(form), hint, "{form}");
    }
}

#[test]
fn play_shows_what_happens_between_the_decisions() {
    let asked = Asked::in_the_race("play", PLAY);
    let decisions = asked.question().decisions(asked.at());
    let texts: Vec<&str> = decisions.iter().map(|d| d.text.as_str()).collect();
    assert_eq!(texts, ["REQUEST (5,P1) from P1", "REPLY from P3", "REPLY from P1"]);
    assert_eq!(decisions.iter().map(|d| d.before.len()).collect::<Vec<_>>(), [3, 0, 0]);
    let mut sim = asked.at().fork();
    for event in decisions.iter().flat_map(|d| d.before.iter().chain([&d.event])) {
        sim.step(*event).expect("the decisions are those of a run");
    }
    let words = asked.question().way();
    assert_eq!(
        words,
        Way::Decide(["reply", "defer", "enter", "nothing"].map(str::to_owned).to_vec())
    );
}

#[test]
fn faults_of_plays_are_told_where_they_stand() {
    let cases = [
        ("node: P2", "node: P7", "16:13: item 2 of `steps`: no node `P7`"),
        ("[reply, defer, enter]", "[reply, enter, note]", "17:"),
        (
            "[reply, defer, enter]",
            "[replay]",
            "18:18: item 1 of `outcomes`: no outcome is called `replay`",
        ),
        (
            "[reply, defer, enter]",
            "[defer, nothing]",
            "18:25: item 2 of `outcomes`: `nothing` may always be said",
        ),
        (
            "run: [deliver P1>P3,",
            "run: [exit P1,",
            "17:13: item 1 of `run`: `exit P1` cannot happen here",
        ),
        (
            "\"reply, nothing, enter\"",
            "\"defer, nothing, enter\"",
            "19:18: item 2 of `steps`: `defer, nothing, enter` is what P2 does",
        ),
    ];
    for (old, new, said) in cases {
        let found = faults("play", &PLAY.replace(old, new));
        assert!(found[0].starts_with(said), "{new}: {found:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_question_panic(raw in "\\PC{0,40}", cells in "(P[1-3] (state|clock|replies|deferred) ?= ?[P1-3(), –-]{0,6}[;\\n ]){0,6}", words in "[a-h1-8, ;dbefrnothig]{0,16}") {
        let all = [order(), Asked::in_the_race("state", STATE), Asked::in_the_race("play", PLAY)];
        for asked in &all {
            for text in [&raw, &cells, &words] {
                survives(asked, text)?;
            }
        }
    }
}
