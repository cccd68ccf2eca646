//! The picture, compared with runs whose picture is known.

use super::{ArrowEnd, Diagram, Mark, Span, Window};
use crate::lab::Lab;
use crate::model::{Config, MsgId, NodeId};

const P1: NodeId = NodeId(0);
const P2: NodeId = NodeId(1);
const WIDE: Window = Window { columns: 50, undone: 10, scrolled_back: 0 };

fn lab(algorithm: &str, n: usize, run: &str) -> Lab {
    let mut lab = Lab::new(Config::new(algorithm, n)).expect("default settings");
    lab.play_schedule(run).expect("every event is enabled where it stands");
    lab
}

fn picture(lab: &Lab) -> Diagram {
    Diagram::of(lab.history(), WIDE)
}

/// `P1>P2#1` with the steps of its ends: `3`, `lost 3`, `-` on its way.
fn arrows(lab: &Lab, diagram: &Diagram) -> Vec<String> {
    let names = &lab.setup().names;
    let one = |id: MsgId, sent: u32, end: ArrowEnd, undone: bool| {
        let end = match end {
            ArrowEnd::Received(step) => step.to_string(),
            ArrowEnd::Lost(step) => format!("lost {step}"),
            ArrowEnd::OnItsWay => "-".to_owned(),
        };
        format!("{} {sent}..{end}{}", id.show(names), if undone { " undone" } else { "" })
    };
    diagram.arrows.iter().map(|a| one(a.id, a.sent_at, a.end, a.undone)).collect()
}

fn marks(diagram: &Diagram) -> Vec<(Option<NodeId>, Mark)> {
    diagram.columns.iter().map(|c| (c.lane, c.mark)).collect()
}

#[test]
fn requests_that_cross_have_crossing_lines() {
    let lab = lab("ricart-agrawala", 2, "request P1; request P2; deliver P1>P2; deliver P2>P1");
    let diagram = picture(&lab);
    // The stamps are equal, so P1's request goes before P2's: P2 replies, P1 defers.
    assert_eq!(arrows(&lab, &diagram), ["P1>P2#1 1..3", "P2>P1#1 2..4", "P2>P1#2 3..-"]);
    let (a, b) = (&diagram.arrows[0], &diagram.arrows[1]);
    assert_eq!((a.id.from, a.id.to), (b.id.to, b.id.from));
    // Each leaves before the other arrives, so on two lanes the lines cross.
    let end = |end: ArrowEnd| match end {
        ArrowEnd::Received(step) => step,
        other => panic!("received, not {other:?}"),
    };
    assert!(a.sent_at < end(b.end) && b.sent_at < end(a.end));
    assert_eq!(diagram.lanes, [P1, P2]);
    assert_eq!((diagram.now, diagram.scrolled), (4, false));
}

#[test]
fn no_line_runs_backwards_in_time() {
    let lab = lab(
        "lamport",
        3,
        "request P1; deliver P1>P2; request P3; deliver P1>P3; deliver P3>P1; deliver P3>P1",
    );
    for arrow in picture(&lab).arrows {
        match arrow.end {
            ArrowEnd::Received(step) | ArrowEnd::Lost(step) => assert!(arrow.sent_at < step),
            ArrowEnd::OnItsWay => assert!(arrow.sent_at <= 6),
        }
    }
}

#[test]
fn a_dropped_message_ends_in_the_network_and_one_to_a_crashed_node_at_its_lane() {
    let run = "request P1; drop P1>P2; request P2; crash P1; deliver P2>P1; recover P1";
    let lab = lab("ricart-agrawala", 2, run);
    let diagram = picture(&lab);
    assert_eq!(arrows(&lab, &diagram), ["P1>P2#1 1..lost 2", "P2>P1#1 3..lost 5"]);
    assert_eq!(
        marks(&diagram),
        [
            (Some(P1), Mark::Own),
            (None, Mark::Network),
            (Some(P2), Mark::Own),
            (Some(P1), Mark::Crash),
            (Some(P1), Mark::Lost),
            (Some(P1), Mark::Recover),
        ]
    );
    assert_eq!(diagram.crashed, [Span { lane: P1, from: Some(4), to: Some(6) }]);
}

#[test]
fn a_copy_has_a_line_of_its_own_from_where_the_original_was_sent() {
    let start = "request P1; duplicate P1>P2";
    let both = lab("ricart-agrawala", 2, start);
    let diagram = picture(&both);
    assert_eq!(arrows(&both, &diagram), ["P1>P2#1 1..-", "P1>P2#1b 1..-"]);
    assert_eq!(marks(&diagram)[1], (None, Mark::Network));
    let one = lab("ricart-agrawala", 2, &format!("{start}; deliver P1>P2"));
    let shown = arrows(&one, &picture(&one));
    assert_eq!(shown, ["P1>P2#1 1..3", "P1>P2#1b 1..-", "P2>P1#1 3..-"]);
}

#[test]
fn what_is_inside_or_crashed_at_the_edge_of_the_window_is_open_there() {
    let run = "request P1; exit P1; request P1; crash P2; local P1; local P1; local P1";
    let lab = lab("suzuki-kasami", 2, run);
    let all = picture(&lab);
    assert_eq!(
        all.inside,
        [Span { lane: P1, from: Some(1), to: Some(2) }, Span { lane: P1, from: Some(3), to: None },]
    );
    assert_eq!(all.crashed, [Span { lane: P2, from: Some(4), to: None }]);
    let late = Diagram::of(lab.history(), Window { columns: 2, undone: 0, scrolled_back: 0 });
    assert_eq!(late.columns.iter().map(|c| c.step).collect::<Vec<_>>(), [6, 7]);
    assert_eq!(late.inside, [Span { lane: P1, from: None, to: None }]);
    assert_eq!(late.crashed, [Span { lane: P2, from: None, to: None }]);
    let early = Diagram::of(lab.history(), Window { columns: 1, undone: 0, scrolled_back: 5 });
    assert_eq!(early.columns[0].left, Some(P1));
    assert_eq!(early.inside, [Span { lane: P1, from: None, to: Some(2) }]);
}

#[test]
fn undone_steps_stand_after_now_with_their_lines() {
    let mut lab = lab("ricart-agrawala", 2, "request P1; deliver P1>P2; deliver P2>P1; exit P1");
    for _ in 0..3 {
        lab.history_mut().back();
    }
    let diagram = picture(&lab);
    assert_eq!(diagram.now, 1);
    assert_eq!(
        diagram.columns.iter().map(|c| c.undone).collect::<Vec<_>>(),
        [false, true, true, true]
    );
    assert_eq!(arrows(&lab, &diagram), ["P1>P2#1 1..2 undone", "P2>P1#1 2..3 undone"]);
    let one = Diagram::of(lab.history(), Window { columns: 50, undone: 1, scrolled_back: 0 });
    assert_eq!((one.columns.len(), one.now), (2, 1));
    let none = Diagram::of(lab.history(), Window { columns: 50, undone: 0, scrolled_back: 0 });
    assert_eq!(arrows(&lab, &none), ["P1>P2#1 1..-"]);
    // Undone steps never take the whole window: the current step stays in sight.
    let narrow = Diagram::of(lab.history(), Window { columns: 2, undone: 10, scrolled_back: 0 });
    assert_eq!(
        narrow.columns.iter().map(|c| (c.step, c.undone)).collect::<Vec<_>>(),
        [(1, false), (2, true)]
    );
}

#[test]
fn a_branch_that_was_left_is_not_in_the_picture() {
    let mut lab = lab("ricart-agrawala", 2, "request P1; request P2");
    lab.history_mut().back();
    lab.play_schedule("deliver P1>P2").expect("another branch");
    let diagram = picture(&lab);
    assert_eq!(arrows(&lab, &diagram), ["P1>P2#1 1..2", "P2>P1#1 2..-"]);
    assert_eq!(diagram.columns.len(), 2);
}

#[test]
fn a_scrolled_window_shows_the_run_as_it_was_there() {
    let lab = lab("ricart-agrawala", 2, "request P1; deliver P1>P2; deliver P2>P1; exit P1");
    let window = Window { columns: 2, undone: 5, scrolled_back: 2 };
    let diagram = Diagram::of(lab.history(), window);
    assert!(diagram.scrolled);
    assert_eq!(diagram.columns.iter().map(|c| c.step).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(arrows(&lab, &diagram), ["P1>P2#1 1..2", "P2>P1#1 2..-"]);
    assert_eq!((diagram.place(1), diagram.place(2), diagram.place(3)), (Some(0), Some(1), None));
    assert!(diagram.columns.iter().all(|c| !c.undone));
    let beyond = Diagram::of(lab.history(), Window { scrolled_back: 100, ..window });
    assert!(beyond.columns.is_empty() && beyond.arrows.is_empty() && beyond.scrolled);
}

#[test]
fn only_what_moves_a_clock_shows_one() {
    let clocks = |algorithm: &str, run: &str| -> Vec<Option<u32>> {
        picture(&lab(algorithm, 2, run)).columns.iter().map(|c| c.clock).collect()
    };
    let run = "request P1; deliver P1>P2; deliver P2>P1; local P2";
    assert_eq!(clocks("ricart-agrawala", run), [Some(1), Some(1), None, Some(2)]);
    assert_eq!(
        clocks("suzuki-kasami", "request P2; local P1; tell P1>P2"),
        [None, Some(1), Some(2)]
    );
}

/// One entry of the central coordinator: five steps after which everything is as before.
fn rounds(n: usize) -> Lab {
    let entry = "request P1; deliver P1>C; deliver C>P1; exit P1; deliver P1>C";
    lab("central", 2, &vec![entry; n].join("; "))
}

/// The picture without what grows with a run: steps count from the window's first, messages have no numbers.
fn without_numbers(lab: &Lab, window: Window) -> String {
    let diagram = Diagram::of(lab.history(), window);
    let first = diagram.columns[0].step;
    let from = |step: u32| i64::from(step) - i64::from(first);
    let columns: Vec<String> = diagram
        .columns
        .iter()
        .map(|c| format!("{} {:?} {:?} {:?} {:?}", from(c.step), c.lane, c.mark, c.entered, c.left))
        .collect();
    let arrows: Vec<String> = diagram
        .arrows
        .iter()
        .map(|a| {
            let end = match a.end {
                ArrowEnd::Received(step) => from(step).to_string(),
                ArrowEnd::Lost(step) => format!("lost {}", from(step)),
                ArrowEnd::OnItsWay => "-".to_owned(),
            };
            format!("{:?}>{:?} {} {}..{end}", a.id.from, a.id.to, a.label.kind, from(a.sent_at))
        })
        .collect();
    let inside: Vec<String> = diagram
        .inside
        .iter()
        .map(|s| format!("{:?} {:?} {:?}", s.lane, s.from.map(from), s.to.map(from)))
        .collect();
    format!("{columns:#?} {arrows:#?} {inside:#?} {} {}", diagram.now, diagram.scrolled)
}

#[test]
fn a_window_looks_the_same_however_long_the_run_is() {
    let (short, long) = (rounds(6), rounds(60));
    for scrolled_back in [0, 3] {
        let window = Window { columns: 20, undone: 0, scrolled_back };
        let shown = Diagram::of(long.history(), window);
        assert_eq!(shown.columns.len(), 20);
        // Each of the columns begins or ends at most two lines.
        assert!(shown.arrows.len() <= 20, "{} lines", shown.arrows.len());
        assert_eq!(without_numbers(&short, window), without_numbers(&long, window));
    }
}
