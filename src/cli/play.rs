//! `lockstep play`: a cluster on the screen, to be stepped by hand.
//!
//! It only sets the cluster up; everything that follows is the screen's.

use super::cluster::{self, ClusterArgs};
use super::{Answer, Failure, GlobalArgs, Opening, open};
use clap::Args;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep play lamport                              three nodes, clocks 0
  lockstep play ricart-agrawala --clocks 4,2         P1's clock has run ahead
  lockstep play lamport -n 2 --channels any-order    what FIFO is good for
  lockstep play ricart-agrawala --variant tie-replies";

/// Step a cluster by hand
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    /// The algorithm; `lockstep algorithms` lists them
    algorithm: String,
    /// Seed of the random steps
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl Play {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        _out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let lab = self.cluster.lab(cluster::find(&self.algorithm)?)?;
        open(Opening::Play(Box::new(lab), self.seed), global)
    }
}
