//! What the dialogue says to a remark: in words, with the commands that could come next.
//!
//! What there is to say is the session's business.

use super::lines::Lines;
use super::panels;
use super::play::Play;
use crate::export::phrases;
use crate::input::{count, verb};
use crate::lab::Ended;
use crate::session::{AnswerDraft, Checked, Command, NoQuestion, NoRun, Quiet, Remark, Where};
use crate::sim::RevId;
use crate::trace::narrate;

/// So many sentences of a run that goes on by itself are told; of a longer one the first and the last.
const TOLD: usize = 40;

impl Play {
    /// Says what there is to say of a command.
    pub(super) fn tell(&mut self, command: &Command, remark: &Remark, lines: &mut Lines) {
        let writing = self.session.place() == Where::AnsweringInCluster;
        if let Some(why) = self.why_not(remark) {
            return lines.say(match writing {
                true => format!("Not added: {why}."),
                false => format!("No: {why}."),
            });
        }
        match remark {
            Remark::OnTheWay { turned } => {
                if *turned {
                    self.page_number(lines);
                }
                self.tell_step(lines);
                self.question(lines);
                self.tell_end(lines);
            }
            Remark::Turned => {
                self.turned(lines);
                self.tell_end(lines);
            }
            Remark::Played if writing => {
                let record = self.lab().history().last_record();
                let said = record.map(|r| narrate::sentence(r, &self.lab().setup().names));
                lines.say(said.unwrap_or_default());
                if let Some(AnswerDraft::Played(play)) = self.session.answer() {
                    let parts = play.parts(self.lab());
                    let missing = parts.iter().filter(|(holds, _)| !holds).map(|(_, said)| said);
                    let missing: Vec<&str> = missing.map(String::as_str).collect();
                    // The goal as a whole was said before.
                    if parts.len() > 1 && !missing.is_empty() {
                        lines.say(format!("Missing yet: {}.", missing.join("; ")));
                    }
                }
            }
            Remark::Played => self.tell_step(lines),
            Remark::Back { turned, at_lesson } => {
                lines.say(panels::place(self.lab()));
                panels::sentence(self.lab(), self.session.bench().here(), lines);
                if *turned {
                    self.page(lines);
                }
                if *at_lesson {
                    lines.say("You stand at the lesson's point again.");
                }
            }
            Remark::Went | Remark::EndOfRun => {
                panels::sentence(self.lab(), self.session.bench().here(), lines);
                panels::state(self.lab(), lines);
            }
            Remark::Ran { from, ended, goal, quiet } => {
                self.tell_since(*from, lines);
                lines.say(self.ran(*ended, goal.as_deref(), quiet.as_ref()));
            }
            Remark::AnswerFirst => self.blocked(lines),
            Remark::AtLesson { returned } => {
                if *returned {
                    lines.say("Back at the lesson's point.");
                    lines.say(panels::place(self.lab()));
                }
                self.page(lines);
            }
            Remark::Form(how) => self.form(command, how, lines),
            Remark::Verdict(checked) | Remark::Solution(checked) => self.checked(checked, lines),
            Remark::Hint(hint, n, of) => super::lesson::tell_hint(*n, *of, hint, lines),
            Remark::LookingAtWrong(what) => {
                lines.say("This is the answer that you gave before.");
                panels::state(self.lab(), lines);
                lines.say(format!(
                    "The next step decides {what}: `next` plays it, `lesson` goes back to the question."
                ));
            }
            Remark::NoQuestion(NoQuestion::NoLesson) => lines.say(no_lesson(command)),
            Remark::NoQuestion(NoQuestion::Exploring) => lines.say(match command {
                Command::Hint => "Hints are for the lesson's question: `lesson` goes back to it.",
                _ => "The question waits where you left the lesson: `lesson` goes back.",
            }),
            other => lines.say(self.sentence(other)),
        }
    }

    /// Why something was not done that could have been an event or a goal.
    fn why_not(&self, remark: &Remark) -> Option<String> {
        Some(match remark {
            Remark::Refused(reason) => reason.clone(),
            Remark::NoEvent(_)
            | Remark::RefusedAt(..)
            | Remark::BadGoal(_)
            | Remark::NotAllowed(_) => remark.said(&self.lab().setup().names)?,
            Remark::AtMost(most) => {
                let (most, are) = (count(*most, "event"), verb(*most, "is", "are"));
                format!("{most} {are} all that may be played")
            }
            Remark::SayFirst(_) | Remark::NoSuchWord => match self.words_to_say() {
                [] => "nothing is to be said of events here".to_owned(),
                words => {
                    let words = words.join("`, or `=> ");
                    format!("say behind it what will come of it: `=> {words}`")
                }
            },
            _ => return None,
        })
    }

    /// A remark that is one sentence.
    fn sentence(&self, remark: &Remark) -> String {
        match remark {
            Remark::Finished => {
                "The lesson is finished. Explore freely, `home` goes to the list, `quit` leaves."
            }
            Remark::Exploring { begins: true } => {
                "You are exploring now; `lesson` goes back to the lesson."
            }
            Remark::NewBranch => "This is a new branch; `branches` lists them all.",
            Remark::GoalHolds => "The goal holds here: an empty line hands it in.",
            Remark::GoalOfQuestion => {
                "The goal of the question holds here: `answer played` hands in what was played."
            }
            Remark::Quiet(quiet) => return self.quiet(quiet),
            Remark::NoMessage(number, 1) => {
                return format!("There is no message {number}: only one is in flight.");
            }
            Remark::NoMessage(number, n) => {
                return format!("There is no message {number}: {n} are in flight.");
            }
            Remark::TookBack(line) => return format!("Taken back: {line}"),
            Remark::ChooseMessage => "Which message arrives is your answer: write deliver and its number.",
            Remark::StartOfQuestion => "There is no line to take back.",
            Remark::Seeded(seed) => {
                return format!("`run` and `until` draw from seed {seed} from now on.");
            }
            Remark::Held { flight, number, kept } => {
                let names = &self.lab().setup().names;
                let id = flight.id;
                let text = format!(
                    "{} from {} to {}, {},",
                    flight.label.full(names),
                    names.get(id.from),
                    names.get(id.to),
                    id.show(names)
                );
                return match kept {
                    true => format!(
                        "{text} is kept back: Enter, `run` and `until` leave it, its number delivers \
                         it. `hold {number}` again lets it go."
                    ),
                    false => format!("{text} is let go."),
                };
            }
            Remark::Marked => {
                "Recording from here on: play, then `record my.yaml` makes a lesson of it, and \
                 `record steps` shows its steps."
            }
            Remark::CameBack => "Back at the lesson's point.",
            Remark::OtherRun => {
                "This is another run than the question's: `goto start` goes back to its beginning."
            }
            Remark::SaidBefore => {
                "This is the answer that you gave before: change it; `hint` helps."
            }
            Remark::PlayedBefore => {
                "This you have handed in: write on, or take a line back with a dash."
            }
            Remark::ImpossibleBefore => "This you have said: there is a way; `hint` helps.",
            Remark::BeforeWrong(what) => {
                return format!(
                    "This you have handed in. You stand before {what}: write it again, or another \
                     line in its place."
                );
            }
            Remark::Closed(why) | Remark::NotShown(why) => return why.clone(),
            Remark::ConfirmReveal => {
                "Type `solution` once more to see it; the question then counts as shown, not as answered."
            }
            Remark::NoRunToHandIn(why) => match why {
                NoRun::NoLesson => "Answers are for lessons.",
                NoRun::NotPlayed => "This question is not answered by playing.",
                NoRun::OwnCluster => "This question has a cluster of its own: write its events.",
                NoRun::Elsewhere => {
                    "What you played does not go on from where the question begins: `lesson` goes back."
                }
                NoRun::Empty => "Nothing was played since the question's point.",
            },
            Remark::NoMoreHints => "There are no more hints; `solution` shows the answer.",
            _ => return remark.said(&self.lab().setup().names).map_or_else(String::new, |said| phrases::sentence(&said)),
        }
        .to_owned()
    }

    /// The step that led here, and what it changed.
    fn tell_step(&self, lines: &mut Lines) {
        panels::sentence(self.lab(), self.session.bench().here(), lines);
        panels::changes(self.lab(), lines);
    }

    /// The sentences of all steps that lead from a point to where one stands.
    fn tell_since(&self, rev: RevId, lines: &mut Lines) {
        let history = self.lab().history();
        let new = history.ancestors(history.cursor()).take_while(|r| *r != rev);
        let mut new: Vec<RevId> = new.collect();
        new.reverse();
        let hidden = if new.len() > TOLD { TOLD / 2..new.len() - TOLD / 2 } else { 0..0 };
        for (i, rev) in new.iter().enumerate() {
            if i == hidden.start && !hidden.is_empty() {
                let more = count(hidden.len(), "more step");
                lines.say(format!("{more}; `log` tells them all."));
            }
            if !hidden.contains(&i) {
                panels::sentence(self.lab(), *rev, lines);
            }
        }
        if !new.is_empty() {
            panels::state(self.lab(), lines);
        }
    }

    fn ran(&self, ended: Ended, goal: Option<&str>, quiet: Option<&Quiet>) -> String {
        let quiet = quiet.map_or_else(String::new, |quiet| self.quiet(quiet));
        match (ended, goal) {
            (Ended::Limit, None) => "Stopped at the limit of steps.".to_owned(),
            (Ended::Quiet | Ended::Goal, None) => quiet,
            (Ended::Goal, Some(goal)) => format!("`{goal}` holds here."),
            (Ended::Quiet, Some(goal)) => {
                format!("`{goal}` does not hold, and nothing more happens. {quiet}")
            }
            (Ended::Limit, Some(goal)) => {
                format!("`{goal}` does not hold. Stopped at the limit of steps.")
            }
        }
    }

    /// Why nothing happens by itself, and what one could do.
    fn quiet(&self, quiet: &Quiet) -> String {
        let names = &self.lab().setup().names;
        match quiet {
            Quiet::KeptBack(_) => {
                "What is still in flight is kept back: `flight` lists it, its number \
                                   delivers it, `hold` and its number lets it go."
                    .to_owned()
            }
            Quiet::GoalHolds => "The goal holds here: an empty line hands it in.".to_owned(),
            Quiet::Stuck(waits, _) => {
                let all = waits.iter().map(|w| format!("{} {}", names.get(w.node), w.text));
                let all = all.collect::<Vec<_>>().join("; ");
                format!("Stuck: {all}. `back` takes steps back.")
            }
            Quiet::Inside(nodes) => {
                let name = names.get(nodes[0]);
                format!("Nothing is in flight. {name} is inside: `leave {name}` lets it leave.")
            }
            Quiet::Crashed(nodes) => {
                let name = names.get(nodes[0]);
                format!(
                    "Nothing is in flight. {name} is inside and has crashed: `recover {name}` \
                     recovers it."
                )
            }
            Quiet::CanAsk(nodes) => {
                let name = names.get(nodes[0]);
                format!("Nothing is in flight; `ask {name}` lets {name} ask for the lock.")
            }
            Quiet::Nothing(true) => "Nothing is in flight; an empty line hands it in.".to_owned(),
            Quiet::Nothing(false) => {
                "Nothing is in flight; `moves` lists what can happen.".to_owned()
            }
        }
    }

    /// How an answer has to look that could not be read.
    fn form(&self, command: &Command, how: &str, lines: &mut Lines) {
        lines.prose(how);
        let Command::Answer(raw) = command else { return };
        let number = raw.trim();
        let picked = self.session.open_question().is_some_and(|q| !q.picks.is_empty());
        if picked && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
            lines.say(format!("`deliver {number}` would deliver message {number}."));
        }
    }

    /// What there is to say once an answer was checked, or the solution shown.
    fn checked(&mut self, checked: &Checked, lines: &mut Lines) {
        checked.lines.iter().for_each(|line| lines.prose(line));
        let Some(learner) = self.learner() else { return };
        let Some(question) = learner.question() else { return };
        if let Some(why) = &question.explanation {
            lines.prose(why);
        }
        if checked.happened {
            let step = self.lab().state().steps();
            lines.say(format!("It has really happened, as step {step}."));
            panels::changes(self.lab(), lines);
        }
        if !question.state.closed() {
            lines.say("Try again; `hint` helps, and `solution` shows the answer.");
        } else if !learner.finished() {
            lines.say("Enter goes on.");
        }
        self.tell_end(lines);
    }
}

/// What a command says that is for lessons, where none is open.
fn no_lesson(command: &Command) -> &'static str {
    match command {
        Command::Hint => "Hints are for lessons; `help` lists what can be typed.",
        Command::Reveal => "Solutions are for lessons; `home` lists them.",
        Command::Return => "No lesson is open; `home` lists them.",
        _ => "Answers are for lessons; `home` lists them.",
    }
}
