//! `play`: be one node; say for each message that it gets what it does.
//!
//! The run is the engine's, played on a copy; each decision is compared with what the node really
//! does there.

use super::forms;
use super::game::said_of;
use super::{Answer, Decision, Defined as _, FormHint, Question, Scene, Verdict, Way};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::sim::{Simulation, StepRecord};
use crate::trace::narrate;

/// The answer of a node that does nothing of what may be said.
pub const NOTHING: &str = "nothing";
/// The most words to choose from, with `nothing`.
const MOST_WORDS: usize = 9;
/// How many wrong decisions are explained.
const EXPLAINED: usize = 2;

question! {
    /// Be one node.
    pub struct Play {
        /// Which node.
        pub node: String,
        /// The run, from where the lesson stands; only the deliveries to the node are asked for.
        pub run: Vec<String>,
        /// Words for what it may do; besides these it may do nothing.
        pub outcomes: Vec<String>,
        /// What has to be decided, once it is known.
        #[serde(skip)]
        pub decided: Vec<Decided>,
    }
}

/// A decision and what the node really does.
#[derive(Clone, Debug)]
pub struct Decided {
    decision: Decision,
    word: String,
    sentence: String,
}

impl Play {
    /// All that may be said.
    fn words(&self) -> Vec<String> {
        self.outcomes.iter().cloned().chain([NOTHING.to_owned()]).collect()
    }

    fn records(&self, at: &dyn Simulation) -> Result<Vec<StepRecord>, Misfit> {
        super::play_texts(at.fork().as_mut(), &self.run, "run")
    }

    fn decided(&self, at: &dyn Simulation) -> Vec<Decided> {
        let names = &at.setup().names;
        let me = names.find(&self.node);
        let Ok(records) = self.records(at) else { return Vec::new() };
        let mut before = Vec::new();
        let mut all = Vec::new();
        for record in records {
            let arrives = record.delivered().filter(|m| Some(m.message.id.to) == me);
            let Some(moved) = arrives else {
                before.push(record.event);
                continue;
            };
            let from = names.get(moved.message.id.from);
            let text = format!("{} from {from}", moved.message.label.show(names));
            let word = said_of(&self.outcomes, &record).unwrap_or(NOTHING).to_owned();
            let sentence = narrate::sentence(&record, names);
            let before = std::mem::take(&mut before);
            let decision = Decision { before, event: record.event, text };
            all.push(Decided { decision, word, sentence });
        }
        all
    }

    /// What the node really does.
    fn right(&self) -> Answer {
        let words: Vec<&str> = self.decided.iter().map(|one| one.word.as_str()).collect();
        Answer(words.join(", "))
    }

    fn hint(&self) -> FormHint {
        let words = self.words().join(", ");
        FormHint(match self.decided.len() {
            1 => format!("{} gets one message: answer with one of {words}.", self.node),
            n => format!(
                "{} gets {n} messages: answer with {n} words, with commas between them: {words}.",
                self.node
            ),
        })
    }
}

impl Question for Play {
    fn prepare(&mut self, scene: Scene<'_>) {
        self.decided = self.decided(scene.at);
    }

    fn way(&self) -> Way {
        Way::Decide(self.words())
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let all = self.words();
        let mut said = Vec::new();
        let list = forms::unwrapped(raw).replace("->", ",").replace("=>", ",");
        for part in list.split(['\n', ';', ',']) {
            for word in part.split_whitespace() {
                let word = if matches!(word, "-" | "none") { NOTHING } else { word };
                said.push(forms::word(&all, word).ok_or_else(|| self.hint())?.to_owned());
            }
        }
        if said.is_empty() || said.len() != self.decided.len() {
            return Err(self.hint());
        }
        Ok(Answer(said.join(", ")))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let said: Vec<&str> = answer.0.split(", ").collect();
        let all = self.decided.len();
        let same = |(one, said): &(&Decided, &&str)| one.word == **said;
        let pairs = || self.decided.iter().zip(&said);
        let good = pairs().filter(same).count();
        let (of, are) = (
            crate::input::count(all, "decision"),
            crate::input::verb(good, "is that", "are those"),
        );
        let mut lines = vec![format!("{good} of {of} {are} of {}.", self.node)];
        let wrong = pairs().enumerate().filter(|(_, pair)| !same(pair));
        lines.extend(wrong.take(EXPLAINED).map(|(i, (one, said))| {
            format!(
                "{}. {}: you said {said}, it did {}. {}",
                i + 1,
                one.decision.text,
                one.word,
                one.sentence
            )
        }));
        if let Some(meaning) =
            self.feedback.iter().find(|(known, _)| self.read(known).as_ref() == Ok(answer))
        {
            lines.push(meaning.1.clone());
        }
        let right = good == all && said.len() == all;
        Verdict::new(right, lines, self.reference(at), answer).partly(good, all)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        self.right()
    }

    /// Each decision is seen as soon as it is made.
    fn once(&self) -> bool {
        true
    }

    fn decisions(&self, _at: &dyn Simulation) -> Vec<Decision> {
        self.decided.iter().map(|one| one.decision.clone()).collect()
    }

    fn sheet(&self) -> String {
        let one =
            |(i, one): (usize, &Decided)| format!("{}. {}: ________\n", i + 1, one.decision.text);
        let list: String = self.decided.iter().enumerate().map(one).collect();
        format!(
            "{} gets these messages. What does it do: {}?\n\n{list}\n",
            self.node,
            self.words().join(", ")
        )
    }

    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        let n = self.outcomes.len();
        if !(1..MOST_WORDS).contains(&n) {
            let message = format!("there are 1 to {} words, not {n}", MOST_WORDS - 1);
            misfits.push(Misfit::key(path("outcomes"), message));
        }
        if let Some(i) = self.outcomes.iter().position(|word| word == NOTHING) {
            let message = "`nothing` may always be said: omit it";
            misfits.push(Misfit::value(path("outcomes").index(i), message));
        }
        misfits.extend(super::repeated_words(&self.outcomes, "outcomes"));
        let Some(at) = at.filter(|_| misfits.is_empty()) else { return misfits };
        misfits.extend(super::unknown_words(&self.outcomes, "outcomes", at));
        let names = &at.setup().names;
        if names.find(&self.node).is_none() {
            let message = format!("no node `{}`; this cluster has {}", self.node, names.listed());
            misfits.push(Misfit::value(path("node"), message));
        }
        match self.records(at) {
            Err(misfit) => misfits.push(misfit),
            Ok(records) if misfits.is_empty() => misfits.extend(self.unclear(&records)),
            Ok(_) => {}
        }
        misfits
    }
}

impl Play {
    /// Messages of which two words could be said, no messages at all, feedback that fits no answer.
    fn unclear(&self, records: &[StepRecord]) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        if self.decided.is_empty() {
            let message = format!("{} gets no message in this run", self.node);
            misfits.push(Misfit::key(path("run"), message));
            return misfits;
        }
        let asked = |r: &StepRecord| self.decided.iter().any(|one| one.decision.event == r.event);
        for (i, record) in records.iter().enumerate().filter(|(_, r)| asked(r)) {
            let did = super::game::all_said_of(&self.outcomes, record);
            if did.len() > 1 {
                let message =
                    format!("this does {}: keep one of them in `outcomes`", did.join(" and "));
                misfits.push(Misfit::value(path("run").index(i), message));
            }
        }
        misfits.extend(self.unfit_feedback(&|known| match self.read(known) {
            Err(hint) => Some(hint.0),
            Ok(answer) if answer == self.right() => {
                Some(format!("`{known}` is what {} does", self.node))
            }
            Ok(_) => None,
        }));
        misfits
    }
}
