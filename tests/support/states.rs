//! Every state that a screen or a pop-up can be in, for sweeps over sizes and looks.

use super::screen::Seen;
use lockstep::lab::Lab;
use lockstep::lesson::Library;
use lockstep::model::Config;
use lockstep::sim::Policy;
use lockstep::ui::Input;

/// Ways from Home: a name and the keys.
const KEYS: [(&str, &str); 32] = [
    ("home", ""),
    ("free play form", "@Lease Enter"),
    ("start", "@Lease Enter Enter"),
    ("running", "@Lease Enter Enter r Tab r 1 2"),
    ("inside", "@Lease Enter Enter r 1 1 1 1"),
    ("lost and copied", "@Lease Enter Enter r Down D Down d"),
    ("crashed and stuck", "@Lease Enter Enter r Tab c 1 1 1 1"),
    ("undone", "@Lease Enter Enter r 1 1 Left Left"),
    ("scrolled", "@Lease Enter Enter r 1 1 1 1 x 1 1 1 ["),
    ("help", "@Lease Enter Enter ?"),
    ("help at Home", "?"),
    ("the end of the help", "@costs Enter ? End"),
    ("a name is proposed", "@Lease Enter Enter r e 2"),
    ("the mouse is on", "@Lease Enter Enter r m"),
    ("legend", "@Lease Enter Enter l"),
    ("branches", "@Lease Enter Enter r 1 1 Left 2 b"),
    ("command line", "@Lease Enter Enter : u n t i l"),
    ("everything that can be done", "@Lease Enter Enter r F2 Down"),
    ("its end", "@Lease Enter Enter r F2 End"),
    ("menu", "@Lease Enter Enter r e Down"),
    ("run as one line", "@Lease Enter Enter r 1 1 e 1"),
    ("message kept back", "@Lease Enter Enter r Down k"),
    ("log", "@Lease Enter Enter r 1 1 Left o"),
    ("log, filtered", "@Lease Enter Enter r 1 1 o Up P"),
    ("zoomed", "@Lease Enter Enter r z"),
    ("drills", "@Predictions Enter"),
    ("drill", "@Predictions Enter 3 Right Right Right Enter"),
    ("drill left", "@Predictions Enter 3 Right Right Right Enter 1 q"),
    ("comparing costs", "@costs Enter Home Down Tab"),
    ("side by side, the form", "@algorithms Enter Down"),
    ("side by side", "@algorithms Enter Enter e Right Right"),
    ("side by side, done", "@algorithms Enter Enter Tab r End"),
];

/// Ways in lesson 9, after its first question has come up.
const ASKED: [(&str, &str); 10] = [
    ("a question waits", ""),
    ("a question is open", "Enter"),
    ("help while asked", "Enter ?"),
    ("answered wrongly", "Enter 1 Enter"),
    ("answered rightly", "Enter 2 Enter"),
    ("hinted", "Enter h h h"),
    ("the solution is offered", "Enter s"),
    ("the solution is shown", "Enter s s"),
    ("exploring", "1 1"),
    ("the lesson alone", "z z z z z"),
];

/// Every state, each with its name.
pub fn all() -> Vec<(String, Seen)> {
    let mut all: Vec<(String, Seen)> =
        KEYS.iter().map(|(name, keys)| ((*name).to_owned(), Seen::after(keys))).collect();
    all.extend(ASKED.iter().map(|(name, keys)| {
        let mut seen = in_lesson("ricart-agrawala-race");
        while seen.stepper().learner().and_then(|l| l.question()).is_none() {
            assert!(seen.go_on(), "the lesson asks something");
        }
        seen.press(keys);
        ((*name).to_owned(), seen)
    }));
    let others: [(&str, Seen); 12] = [
        ("violated", played("lamport", "no-acknowledge", 2, "r Tab r")),
        ("violated before", played("lamport", "no-acknowledge", 2, "r Tab r x")),
        ("stuck", played("ricart-agrawala", "", 2, "Tab c Tab r 1 Right")),
        ("searching", played("lamport", "no-fifo", 2, "v")),
        ("searched: violated", worked(played("lamport", "no-fifo", 2, "v"))),
        ("searched: safe", worked(played("ricart-agrawala", "", 2, "v"))),
        ("searched: stuck", worked(played("ricart-agrawala", "", 2, "Tab c v"))),
        (
            "what was found is played",
            then(worked(played("lamport", "no-fifo", 2, "v")), "Enter End"),
        ),
        ("costs compared", worked(Seen::after("@costs Enter Home Down Down"))),
        ("a lesson is finished", finished_lesson()),
        ("many nodes", played("ricart-agrawala", "", 16, "r Tab r 1 2 3 4")),
        ("a storage node that refuses", played("lease", "", 2, "r 1 1 1 Tab Tab")),
    ];
    all.extend(others.map(|(name, seen)| (name.to_owned(), seen)));
    all
}

/// A lesson by its id, on its first page.
pub fn in_lesson(id: &str) -> Seen {
    let library = Library::embedded();
    let place = library.shelved().iter().position(|s| s.id == id);
    Seen::in_lesson(place.expect("the lesson is in the course"))
}

fn played(algorithm: &str, variant: &str, n: usize, keys: &str) -> Seen {
    let mut config = Config::new(algorithm, n);
    config.variant = Some(variant.to_owned()).filter(|v| !v.is_empty());
    then(Seen::lab(config), keys)
}

fn then(mut seen: Seen, keys: &str) -> Seen {
    seen.press(keys);
    seen
}

/// Lets what works in the background come to its end.
fn worked(mut seen: Seen) -> Seen {
    while seen.tick_every().is_some() {
        seen.input(Input::Tick);
    }
    seen
}

fn finished_lesson() -> Seen {
    let mut seen = in_lesson("why-not-a-semaphore");
    while seen.go_on() {}
    seen
}

/// A cluster that has been used for 10 000 steps; the diagram is scrolled back.
#[allow(dead_code)]
pub fn long_run() -> Seen {
    let mut lab = Lab::new(Config::new("central", 3)).expect("the settings fit");
    let mut policy = Policy::Oldest;
    while lab.state().steps() < 10_000 {
        let before = lab.state().steps();
        lab.run_on_asking(&mut policy, &mut [10, 10, 10], None);
        assert!(lab.state().steps() > before, "nodes that ask go on");
    }
    then(Seen::of_lab(lab), "[ [ [")
}
