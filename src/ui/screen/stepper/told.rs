//! What the stepper says to a remark: with keys, in a line above the footer.
//!
//! What there is to say is the session's business; what the panels show anyway is not said again.

use crate::input::{count, verb};
use crate::lab::Ended;
use crate::model::{Event, Names, NodeId};
use crate::session::{AnswerDraft, NoQuestion, Quiet, Remark, Session, Where};
use crate::trace::narrate;

const GOAL_HOLDS: &str = "the goal holds here: s hands in what you played";

/// What a step on says where the learner's own choice is the answer.
pub(super) const CHOOSE_A_MESSAGE: &str = "choose a message: ↑ ↓ Enter, or its number; s hands in";

/// Where one stands while something is said.
#[derive(Clone, Copy)]
pub(super) struct Teller<'s> {
    pub(super) session: &'s Session,
    /// The node that is selected.
    pub(super) selected: NodeId,
    /// Whether letters are typed now, so that commands have other keys.
    pub(super) typing: bool,
}

impl Teller<'_> {
    fn names(&self) -> &Names {
        &self.session.lab().setup().names
    }

    /// The notice of a remark; `None`: what one sees says it.
    pub(super) fn notice(&self, remark: &Remark) -> Option<String> {
        let names = self.names();
        Some(match remark {
            Remark::Refused(reason) => format!("no: {reason}"),
            Remark::Quiet(quiet) => self.quiet(quiet),
            Remark::NoMessage(_, n) => {
                let way = verb(*n, "is on its way", "are on their way");
                format!("only {} {way}", count(*n, "message"))
            }
            Remark::Ran { ended, goal, quiet, .. } => {
                self.ran(*ended, goal.as_deref(), quiet.as_ref())
            }
            Remark::Seeded(seed) => format!("run, until and a now draw from seed {seed}"),
            Remark::Held { flight, kept, .. } => {
                let how = match kept {
                    true => "is kept back: only its number delivers it; k lets it go",
                    false => "is let go",
                };
                format!("{} {how}", flight.id.show(names))
            }
            Remark::AtMost(most) => {
                let most = count(*most, "event");
                format!("at most {most}: ← takes one back, s hands them in")
            }
            Remark::BeforeWrong(what) => {
                format!("before {what}: → plays it again, any other event takes its place")
            }
            Remark::LookingAtWrong(what) => {
                format!("the next step decides {what}: → plays it, Esc goes back to the question")
            }
            Remark::Form(how) | Remark::Closed(how) | Remark::NotShown(how) => how.clone(),
            Remark::ConfirmReveal => {
                let key = match self.session.answer() {
                    _ if self.typing => "Ctrl-S",
                    Some(AnswerDraft::Played(_)) => "S",
                    _ => "s",
                };
                format!(
                    "{key} again shows the solution; the question then counts as shown, not as answered"
                )
            }
            other => return other.said(names).or_else(|| fixed(other).map(str::to_owned)),
        })
    }

    fn ran(&self, ended: Ended, goal: Option<&str>, quiet: Option<&Quiet>) -> String {
        match (ended, goal, quiet) {
            (Ended::Goal, goal, _) => format!("`{}` holds here", goal.unwrap_or_default()),
            (Ended::Limit, None, _) => "stopped at the limit of steps".to_owned(),
            (Ended::Limit, Some(goal), _) => {
                format!("stopped at the limit of steps; `{goal}` does not hold")
            }
            (Ended::Quiet, None, Some(Quiet::KeptBack(_))) => {
                format!("{}: k lets the chosen message go", self.kept_back())
            }
            (Ended::Quiet, Some(goal), Some(Quiet::KeptBack(_))) => {
                format!("{}, and `{goal}` does not hold: k lets it go", self.kept_back())
            }
            (Ended::Quiet, None, quiet) => {
                quiet.map_or_else(String::new, |quiet| self.quiet(quiet))
            }
            (Ended::Quiet, Some(goal), _) => {
                format!("nothing more happens by itself, and `{goal}` does not hold")
            }
        }
    }

    /// The messages that a run leaves in flight, by name.
    fn kept_back(&self) -> String {
        let names = self.names();
        let held = self.session.bench().held();
        let which = match held.as_slice() {
            [] => String::new(),
            [one] => one.show(names),
            [one, other] => format!("{} and {}", one.show(names), other.show(names)),
            [one, rest @ ..] => format!("{} and {} more", one.show(names), rest.len()),
        };
        format!("what is still on its way, {which}, is kept back")
    }

    /// Why nothing happens by itself, and which key would do something.
    fn quiet(&self, quiet: &Quiet) -> String {
        let names = self.names();
        let by_key = |nodes: &[NodeId], now: &str, then: &str| match nodes {
            nodes if nodes.contains(&self.selected) => {
                format!("nothing is on its way: {now} {}", names.get(self.selected))
            }
            [first, ..] => {
                format!("nothing is on its way: Tab to {}, then {then}", names.get(*first))
            }
            [] => "nothing is on its way".to_owned(),
        };
        match quiet {
            Quiet::KeptBack(_) => {
                "what is still on its way is kept back: k lets the chosen message go, \
                                   its number delivers it"
                    .to_owned()
            }
            Quiet::GoalHolds => GOAL_HOLDS.to_owned(),
            Quiet::Stuck(waits, cycle) => {
                let first = waits.first();
                let first =
                    first.map_or(String::new(), |w| format!("{} {}", names.get(w.node), w.text));
                let ring: Vec<&str> = cycle.iter().map(|n| names.get(*n)).collect();
                let ring = if ring.is_empty() {
                    String::new()
                } else {
                    format!(" (a cycle: {})", ring.join(" "))
                };
                format!("stuck: {first}{ring}; ← goes back, Home restarts")
            }
            Quiet::Inside(nodes) => match nodes.contains(&self.selected) {
                true => format!("nothing is on its way: x lets {} leave", names.get(self.selected)),
                false => by_key(nodes, "x", "x lets it leave"),
            },
            Quiet::Crashed(nodes) => by_key(nodes, "c recovers", "c recovers it"),
            Quiet::CanAsk(nodes) => match nodes.contains(&self.selected) {
                true => format!("nothing is on its way: r lets {} ask", names.get(self.selected)),
                false => by_key(nodes, "r", "r lets it ask"),
            },
            Quiet::Nothing(true) => "nothing is on its way; s hands in".to_owned(),
            Quiet::Nothing(false) => {
                "nothing is on its way; : takes other events, Tab lists them".to_owned()
            }
        }
    }

    /// What the line above the footer says: the last step in words, or how to begin.
    pub(super) fn sentence(&self) -> String {
        let names = self.names();
        let lesson = self.session.place() == Where::Lesson;
        match self.session.lab().history().last_record() {
            Some(record) => narrate::sentence(record, names),
            None if lesson && self.session.open_question().is_some() => {
                "Nothing has happened yet: Enter opens the question.".to_owned()
            }
            None if lesson || self.session.exploring() => {
                "Nothing has happened yet: → goes on with the lesson.".to_owned()
            }
            None if !self.session.can(Event::Request(self.selected)) => {
                "Nothing has happened yet: : takes events, such as local P1 or tell P1>P2."
                    .to_owned()
            }
            None => format!(
                "Nothing has happened yet: r lets {} ask for the lock, Tab selects another node.",
                names.get(self.selected)
            ),
        }
    }
}

/// What is always said to a remark in the same words.
fn fixed(remark: &Remark) -> Option<&'static str> {
    Some(match remark {
        Remark::AnswerFirst => "answer first (Enter opens the question), or explore with 1-9, r, x",
        Remark::Finished => "the lesson is finished: explore freely, or q goes home",
        Remark::Exploring { .. } => "exploring: Esc goes back to the lesson",
        Remark::NewBranch => "a new branch: b shows them all",
        Remark::GoalHolds => GOAL_HOLDS,
        Remark::StartOfQuestion => "this is where the question begins; Esc puts it aside",
        Remark::ChooseMessage => CHOOSE_A_MESSAGE,
        Remark::EndOfRun => "this is the end of what was played",
        Remark::Marked => "recording from here on: play, then record my.yaml makes a lesson of it",
        Remark::NoSuchWord => "this is none of the words of this question",
        Remark::NotPlayed => "not played",
        Remark::OtherRun => "this is another run than the question's: Home goes back to its start",
        Remark::NothingPlayed => "nothing is played yet; h is a hint",
        Remark::SaidBefore => "this is the answer that you gave before: change it, or h is a hint",
        Remark::PlayedBefore => "this you have handed in: play on, or ← takes a step back",
        Remark::ImpossibleBefore => "this you have said: there is a way; h is a hint",
        Remark::Verdict(checked) if checked.copy => {
            "the lesson goes on from its own point: your run was a copy"
        }
        Remark::Aside { kept: true, cluster: true } => {
            "back at the lesson's point; what you did is kept: Enter goes on with it"
        }
        Remark::Aside { kept: false, cluster: true } => {
            "back at the lesson's point; the question waits: Enter opens it"
        }
        Remark::Aside { kept: true, cluster: false } => {
            "your answer is kept as it is: Enter goes on with it"
        }
        Remark::AtLesson { .. } | Remark::CameBack => "back at the lesson's point",
        Remark::NoQuestion(NoQuestion::NoLesson) => "hints are for lessons; ? explains the keys",
        Remark::NoQuestion(NoQuestion::Exploring) => {
            "hints are for the lesson's question: Esc goes back to it"
        }
        Remark::NoMoreHints => {
            "no more hints; the solution can be shown while the question is open"
        }
        _ => return None,
    })
}
