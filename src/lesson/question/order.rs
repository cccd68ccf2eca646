//! `order`: put cards in an order that their happened-before allows.
//!
//! What comes before what is read off a run that is played on a copy, or given as chains. Every
//! order that keeps it is right; cards that belong nowhere are to be left out.

mod relation;

use super::choice::MOST_OPTIONS;
use super::forms;
use super::{Answer, Defined as _, FormHint, Pick, Question, Scene, Verdict, Way};
use crate::input::{OrderedMap, Path};
use crate::lesson::file::Misfit;
use crate::model::{Event, NodeId};
use crate::sim::{Simulation, SplitMix64, StepRecord};
use crate::trace::causality::Causality;
use relation::{can_stay, close, first_misplaced};
use schemars::JsonSchema;
use serde::Deserialize;

question! {
    /// Put cards in order.
    pub struct Order {
        /// The cards, by id. They are shown in another order.
        pub cards: OrderedMap<String, Card>,
        /// The run in which the cards happen, played on a copy of where the lesson stands.
        #[serde(default)]
        pub run: Vec<String>,
        /// What comes before what besides: `ask < enter < leave`.
        #[serde(default)]
        pub before: Vec<String>,
        /// The relation among the cards, once it is known.
        #[serde(skip)]
        pub relation: Option<Relation>,
    }
}

/// A card.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// How it reads.
    pub text: String,
    /// The event of the run that it stands for; of equal events each card takes the next one.
    #[serde(default)]
    pub event: Option<String>,
    /// The node whose entry it stands for.
    #[serde(default)]
    pub enters: Option<String>,
    /// Whether it has no place in the order.
    #[serde(default)]
    pub distractor: bool,
}

/// Which card comes before which, by their places in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    before: Vec<Vec<bool>>,
    /// The order in which the cards are shown.
    shown: Vec<usize>,
}

/// A point of a run: a step, or the entry at its end.
type Point = (usize, bool);

impl Order {
    fn id(&self, place: usize) -> &str {
        self.cards.keys().nth(place).map_or("", String::as_str)
    }

    fn card(&self, place: usize) -> Option<&Card> {
        self.cards.values().nth(place)
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.cards.keys().position(|k| k == id)
    }

    fn belongs(&self, place: usize) -> bool {
        self.card(place).is_some_and(|c| !c.distractor)
    }

    fn answer(&self, places: &[usize]) -> Answer {
        let ids: Vec<&str> = places.iter().map(|p| self.id(*p)).collect();
        Answer(ids.join(", "))
    }

    /// The run's records, played on a copy.
    fn played(&self, at: &dyn Simulation) -> Result<Vec<StepRecord>, Misfit> {
        let mut sim = at.fork();
        sim.begin_here();
        super::play_texts(sim.as_mut(), &self.run, "run")
    }

    /// The point of the run for which each card stands.
    fn points(
        &self,
        at: &dyn Simulation,
        records: &[StepRecord],
        misfits: &mut Vec<Misfit>,
    ) -> Vec<Option<Point>> {
        let names = &at.setup().names;
        let mut points: Vec<Option<Point>> = Vec::new();
        for (id, card) in self.cards.iter() {
            let path = |key: &str| Path::root().key("cards").key(id).key(key);
            let wanted = match (&card.event, &card.enters) {
                (Some(_), Some(_)) => {
                    let message = "a card stands for an event or for an entry, not for both";
                    misfits.push(Misfit::key(path("enters"), message));
                    None
                }
                (Some(text), None) => match Event::parse(text, names) {
                    Ok(event) => Some((path("event"), wanted_event(&self.run, event, names))),
                    Err(error) => {
                        misfits.push(Misfit::value(path("event"), error.message));
                        None
                    }
                },
                (None, Some(name)) => match names.find(name) {
                    Some(node) => Some((path("enters"), entries(records, node))),
                    None => {
                        let message =
                            format!("no node `{name}`; this cluster has {}", names.listed());
                        misfits.push(Misfit::value(path("enters"), message));
                        None
                    }
                },
                (None, None) => None,
            };
            let found = wanted.and_then(|(path, candidates)| {
                let free = candidates.into_iter().find(|point| !points.contains(&Some(*point)));
                if free.is_none() {
                    misfits
                        .push(Misfit::value(path, "this does not happen in the run (once more)"));
                }
                free
            });
            points.push(found);
        }
        points
    }

    /// The relation, or everything that is wrong with it.
    fn related(&self, at: &dyn Simulation) -> Result<Relation, Vec<Misfit>> {
        let n = self.cards.len();
        let mut misfits = Vec::new();
        let mut before = vec![vec![false; n]; n];
        match self.played(at) {
            Ok(records) => {
                let points = self.points(at, &records, &mut misfits);
                let refs: Vec<&StepRecord> = records.iter().collect();
                let causality = Causality::of(&refs);
                for (i, a) in points.iter().enumerate() {
                    for (k, b) in points.iter().enumerate() {
                        let (Some(a), Some(b)) = (a, b) else { continue };
                        let same = a.0 == b.0 && !a.1 && b.1;
                        before[i][k] = same || (a.0 != b.0 && causality.happened_before(a.0, b.0));
                    }
                }
            }
            Err(misfit) => misfits.push(misfit),
        }
        for (i, chain) in self.before.iter().enumerate() {
            if let Err(message) = self.chain(chain, &mut before) {
                misfits.push(Misfit::value(Path::root().key("before").index(i), message));
            }
        }
        close(&mut before);
        if (0..n).any(|i| before[i][i]) {
            let message = "the cards come before each other in a circle";
            misfits.push(Misfit::key(Path::root().key("before"), message));
        }
        if misfits.is_empty() {
            let shown = self.shuffled(&before);
            Ok(Relation { before, shown })
        } else {
            Err(misfits)
        }
    }

    /// Adds `a < b < c`.
    fn chain(&self, chain: &str, before: &mut [Vec<bool>]) -> Result<(), String> {
        let mut last: Option<usize> = None;
        for id in chain.split('<').map(str::trim) {
            let place = self.place(id).ok_or_else(|| {
                let close = crate::input::nearest(id, self.cards.keys().map(String::as_str));
                let close = close.map_or(String::new(), |c| format!("; did you mean `{c}`?"));
                format!("no card is called `{id}`{close}")
            })?;
            if let Some(last) = last {
                before[last][place] = true;
            }
            last = Some(place);
        }
        if chain.contains('<') {
            Ok(())
        } else {
            Err(format!("`{chain}` orders nothing; write a < b"))
        }
    }

    /// An order to begin with that is not right: always the same for the same question.
    fn shuffled(&self, before: &[Vec<bool>]) -> Vec<usize> {
        let seed = self.id.bytes().fold(7, |seed: u64, b| seed.wrapping_mul(31) ^ u64::from(b));
        let mut rng = SplitMix64::new(seed);
        let mut places: Vec<usize> = (0..self.cards.len()).collect();
        for _ in 0..50 {
            for i in (1..places.len()).rev() {
                places.swap(i, rng.below(i + 1));
            }
            if first_misplaced(&places, before).is_some() {
                break;
            }
        }
        places
    }

    fn relation(&self, at: &dyn Simulation) -> Option<Relation> {
        self.relation.clone().or_else(|| self.related(at).ok())
    }
}

/// The steps of the run whose event is that one.
fn wanted_event(run: &[String], event: Event, names: &crate::model::Names) -> Vec<Point> {
    let same = |text: &String| Event::parse(text, names) == Ok(event);
    run.iter().enumerate().filter(|(_, text)| same(text)).map(|(i, _)| (i, false)).collect()
}

/// The entries of a node.
fn entries(records: &[StepRecord], node: NodeId) -> Vec<Point> {
    let enters = |r: &StepRecord| r.entered == Some(node);
    records.iter().enumerate().filter(|(_, r)| enters(r)).map(|(i, _)| (i, true)).collect()
}

impl Question for Order {
    fn prepare(&mut self, scene: Scene<'_>) {
        if self.cards.len() <= MOST_OPTIONS {
            self.relation = self.related(scene.at).ok();
        }
    }

    fn picks(&self) -> Vec<Pick> {
        let one = |(id, c): (&String, &Card)| Pick { id: id.clone(), text: c.text.clone() };
        let all: Vec<Pick> = self.cards.iter().map(one).collect();
        match &self.relation {
            Some(relation) => relation.shown.iter().map(|p| all[*p].clone()).collect(),
            None => all,
        }
    }

    fn way(&self) -> Way {
        Way::Arrange
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let picks = self.picks();
        let last = forms::letter(picks.len().saturating_sub(1));
        let hint = || {
            FormHint(format!(
                "Answer with the letters (a to {last}) in order, with commas between them; leave \
                 out what does not belong there."
            ))
        };
        let places = forms::pick_several(&picks, raw).ok_or_else(hint)?;
        if let Some(i) = (1..places.len()).find(|i| places[..*i].contains(&places[*i])) {
            return Err(FormHint(format!("`{}` stands there twice.", picks[places[i]].text)));
        }
        let ids: Vec<&str> = places.iter().map(|p| picks[*p].id.as_str()).collect();
        Ok(Answer(ids.join(", ")))
    }

    fn shows(&self, answer: &Answer) -> String {
        let places = answer.0.split(", ").filter_map(|id| self.card(self.place(id)?));
        places.map(|c| c.text.as_str()).collect::<Vec<_>>().join(" → ")
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let given: Vec<usize> = answer.0.split(", ").filter_map(|id| self.place(id)).collect();
        let Some(relation) = self.relation(at) else {
            return Verdict::new(false, Vec::new(), Answer(String::new()), answer);
        };
        let own: Vec<usize> = given.iter().copied().filter(|p| self.belongs(*p)).collect();
        let all = (0..self.cards.len()).filter(|p| self.belongs(*p)).count();
        let foreign = given.iter().find(|p| !self.belongs(**p));
        let misplaced = first_misplaced(&own, &relation.before);
        let text = |place: usize| self.card(place).map_or("", |c| c.text.trim_end_matches('.'));
        let mut lines = Vec::new();
        if let Some(i) = misplaced {
            let line = "stands too early: something behind it has to happen first.";
            lines.push(format!("\"{}\" {line}", text(own[i])));
        }
        if let Some(place) = foreign {
            lines.push(format!("\"{}\" does not belong into this order.", text(*place)));
        }
        match all - own.len() {
            0 => {}
            1 => lines.push("One card more belongs into the order.".to_owned()),
            n => lines.push(format!("{n} cards more belong into the order.")),
        }
        let right = lines.is_empty();
        if right {
            lines.push(format!("{}.", self.shows(answer).trim_end_matches('.')));
        }
        let moves = (given.len() - own.len()) + (all - can_stay(&own, &relation.before));
        Verdict::new(right, lines, self.reference(at), answer)
            .partly(all.saturating_sub(moves), all)
    }

    /// The right order that comes first in the order of the file.
    fn reference(&self, at: &dyn Simulation) -> Answer {
        let Some(relation) = self.relation(at) else { return Answer(String::new()) };
        let mut left: Vec<usize> = (0..self.cards.len()).filter(|p| self.belongs(*p)).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let first = |p: &usize| left.iter().all(|other| !relation.before[*other][*p]);
            let i = left.iter().position(first).unwrap_or(0);
            order.push(left.remove(i));
        }
        self.answer(&order)
    }

    fn untouched(&self, _at: &dyn Simulation) -> Option<Answer> {
        self.relation.as_ref().map(|r| self.answer(&r.shown))
    }

    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        let n = self.cards.len();
        if !(2..=MOST_OPTIONS).contains(&n) {
            let message = format!("there are 2 to {MOST_OPTIONS} cards, not {n}");
            misfits.push(Misfit::key(path("cards"), message));
            return misfits;
        }
        misfits.extend(forms::ambiguous_misfits(&self.picks(), "cards", "card"));
        let message = "the first card that is misplaced is named; `order` needs no `feedback`";
        misfits.extend(self.no_feedback(message));
        match at.map(|at| self.related(at)) {
            Some(Err(wrong)) => misfits.extend(wrong),
            Some(Ok(relation)) => misfits.extend(self.orders_too_little(&relation)),
            None => {}
        }
        misfits
    }
}

impl Order {
    /// Cards that are in no order, and distractors that are in one.
    fn orders_too_little(&self, relation: &Relation) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        let ordered = |p: usize| {
            (0..self.cards.len()).any(|q| relation.before[p][q] || relation.before[q][p])
        };
        for (place, (id, card)) in self.cards.iter().enumerate() {
            let path = Path::root().key("cards").key(id);
            if card.distractor && ordered(place) {
                let message = "a distractor has no place in the order, but this one comes before or after another";
                misfits.push(Misfit::key(path.key("distractor"), message));
            } else if !card.distractor
                && card.event.is_none()
                && card.enters.is_none()
                && !ordered(place)
            {
                let message = "nothing says where this card belongs: give it an `event`, or name it in `before`";
                misfits.push(Misfit::key(path, message));
            }
        }
        if misfits.is_empty() && !(0..self.cards.len()).any(ordered) {
            let message = "no card comes before another: every order would be right";
            misfits.push(Misfit::key(Path::root().key("cards"), message));
        }
        misfits
    }
}
