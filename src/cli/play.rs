//! `lockstep play`: a cluster on the screen, to be stepped by hand.
//!
//! It only sets the cluster up; everything that follows is the screen's.

use super::cluster::{self, ClusterArgs, Given};
use super::screen::{Keys, open_with};
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
    /// The algorithm; `lockstep algorithms` lists them. Or a run, by its .run file, as its line, or - on
    /// the standard input
    #[arg(value_name = "ALGORITHM|RUN")]
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
        match cluster::given(&self.algorithm)? {
            None => {}
            Some(Given::Lesson(_)) => {
                let message = "that is a lesson: lockstep learn opens it".to_owned();
                return Err(Failure::BadUse(message));
            }
            Some(Given::Run(lab)) => {
                if let Some(option) = self.cluster.given() {
                    let message = format!("--{option}: a run brings its own cluster");
                    return Err(Failure::BadUse(message));
                }
                let keys = if self.algorithm == "-" { Keys::Terminal } else { Keys::Stdin };
                return open_with(Opening::Run(lab), keys, global);
            }
        }
        let lab = self.cluster.lab(&cluster::find(&self.algorithm)?)?;
        open(Opening::Play(Box::new(lab), self.seed), global)
    }
}
