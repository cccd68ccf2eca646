//! Who goes next when nobody chooses: the oldest message, or a draw from a seed.
//!
//! It chooses among enabled events and plays none.

use super::kept_back::KeptBack;
use super::simulation::Simulation;
use crate::model::Event;

/// A small generator whose draws never change with a dependency (Steele, Lea and Flood 2014,
/// "Fast Splittable Pseudorandom Number Generators", the function `SplitMix64`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next draw.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A draw below `n`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of a product: fair to within n/2^64.
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }
}

/// How the next event is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The oldest message that can be delivered, else exits in node order.
    Oldest,
    /// A uniform choice among deliveries and exits.
    Seeded(SplitMix64),
}

impl Policy {
    /// The next delivery or exit; `None` when there is none.
    pub fn choose(&mut self, sim: &dyn Simulation) -> Option<Event> {
        self.choose_but(sim, &KeptBack::default())
    }

    /// The same, without the messages that are kept back.
    pub fn choose_but(&mut self, sim: &dyn Simulation, kept: &KeptBack) -> Option<Event> {
        let enabled = sim.enabled();
        let mut able = enabled
            .into_iter()
            .filter(|e| matches!(e, Event::Deliver(_) | Event::Exit(_)) && !kept.leaves(sim, *e));
        match self {
            // Deliveries stand first in the list, by age.
            Self::Oldest => able.next(),
            Self::Seeded(rng) => {
                let all: Vec<Event> = able.collect();
                (!all.is_empty()).then(|| all[rng.below(all.len())])
            }
        }
    }
}

/// Says when a run that nobody steers has come to its end: nothing can happen by itself any more, or a
/// token that nobody wants has made one whole idle round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndOfRun {
    idle_deliveries: usize,
}

impl EndOfRun {
    /// Whether the run ends at this state. To be asked once before each step.
    pub fn reached(&mut self, sim: &dyn Simulation) -> bool {
        if !sim.at_rest() {
            self.idle_deliveries = 0;
            return false;
        }
        if !sim.info().circulates {
            return false;
        }
        self.idle_deliveries += 1;
        self.idle_deliveries > sim.setup().clients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_its_published_first_draws() {
        // The first outputs for seed 1234567, as published with the reference code.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.draw(), 6_457_827_717_110_365_317);
        assert_eq!(rng.draw(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_draw_below_n_stays_below_n_and_reaches_every_value() {
        let mut rng = SplitMix64::new(7);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[rng.below(5)] = true;
        }
        assert_eq!(seen, [true; 5]);
    }
}
