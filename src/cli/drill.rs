//! `lockstep drill`: predictions on random runs, or which rules a cluster follows, on the screen or on paper.
//!
//! The questions are made by `lesson::drill` and graded like any answers.

use super::screen::{library, no_drill, seed_of_now};
use super::{Answer, Failure, GlobalArgs, Opening, files, open};
use crate::export::ascii::to_ascii;
use crate::lesson::answers;
use crate::lesson::batch::GradingBatch;
use crate::lesson::drill::{self as made, MOST_COUNT, NoDrill, USUAL_COUNT};
use crate::lesson::grade::Wanted;
use crate::lesson::report::{self, Standing, WRITERS};
use crate::lesson::worksheet::worksheet;
use crate::ui::shot::diagram;
use clap::Args;
use std::io::Write;
use std::path::Path;

const ABOUT: &str = "\
Predict what events do, on random runs

Each question shows the next event of a random run and asks what it will do; then it happens. The same \
algorithm, seed and number give the same questions. Right and wrong are counted for as long as the \
program is open.

--rules shows a run of a cluster that follows the paper or a variant, and does not say which: name what is \
missing or changed, then make it fail.

On paper: --print writes the questions, --blank an answers file to fill in, --answers grades it.";

const EXAMPLES: &str = "\
Examples:
  lockstep drill                                    choose an algorithm on the screen
  lockstep drill lamport                            ten questions
  lockstep drill lamport --rules                    which rule is missing?
  lockstep drill maekawa --seed 7 --print           the same ten on paper
  lockstep drill maekawa --seed 7 --blank > my.yaml
  lockstep drill --answers my.yaml                  which ones are right

Exit status of --answers: 0 every answer is right; 1 some are not; 2 they cannot be graded.";

/// Predict what events do, on random runs
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Drill {
    /// The algorithm; `lockstep algorithms` lists them
    #[arg(
        required_if_eq("print", "true"),
        required_if_eq("blank", "true"),
        required_if_eq("rules", "true")
    )]
    algorithm: Option<String>,
    /// Seed of the run; omitted: another one each time
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How many questions
    #[arg(long, value_name = "NUMBER", default_value_t = USUAL_COUNT)]
    count: usize,
    /// Ask which rule is missing, in a cluster that does not say which ones it follows
    #[arg(long, conflicts_with = "count")]
    rules: bool,
    /// Print the questions as a worksheet
    #[arg(long, conflicts_with_all = ["blank", "answers"])]
    print: bool,
    /// Print the answers and their reasons too
    #[arg(long)]
    solutions: bool,
    /// Print an answers file to fill in
    #[arg(long, conflicts_with = "answers")]
    blank: bool,
    /// Grade an answers file; - is the standard input
    #[arg(long, value_name = "FILE")]
    answers: Option<String>,
}

impl Drill {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let drill = self.algorithm.as_deref().map(|name| self.drill(name)).transpose()?;
        if let Some(path) = &self.answers {
            return self.grade(path, drill, global, out);
        }
        let Some(drill) = drill else { return open(Opening::Drill(self.seed_or_now()), global) };
        let lesson = drill.lesson().map_err(no_drill)?;
        if self.blank {
            out.write_all(answers::blank(&lesson).as_bytes())?;
        } else if self.print || self.solutions {
            out.write_all(
                worksheet(&lesson, self.solutions, &|lab| diagram(lab, global.ascii)).as_bytes(),
            )?;
        } else {
            return open(Opening::Drilled(drill), global);
        }
        Ok(Answer::Yes)
    }

    fn seed_or_now(&self) -> u64 {
        self.seed.unwrap_or_else(seed_of_now)
    }

    fn drill(&self, name: &str) -> Result<made::Drill, Failure> {
        if self.rules {
            return made::Drill::of_rules(name, self.seed_or_now()).map_err(no_drill);
        }
        if !(1..=MOST_COUNT).contains(&self.count) {
            return Err(no_drill(NoDrill::Count(self.count)));
        }
        made::Drill::new(name, self.seed_or_now(), self.count).map_err(no_drill)
    }

    /// Grades answers to a drill: to the one that the command line names, or the one that they name.
    fn grade(
        &self,
        path: &str,
        drill: Option<made::Drill>,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let wanted = Wanted { solutions: self.solutions, ..Wanted::default() };
        // Without a seed the command line names no drill.
        let named = drill.filter(|_| self.seed.is_some());
        let mut batch = match named {
            Some(drill) => GradingBatch::for_lesson(library(global)?, &drill.id(), wanted),
            None => GradingBatch::new(library(global)?, wanted),
        };
        let (name, input) = files::opened(Path::new(path));
        let graded = [batch.take(&name, input)];
        let mut text = WRITERS[0].write(&graded);
        if global.ascii {
            text = to_ascii(&text);
        }
        out.write_all(text.as_bytes())?;
        out.flush()?;
        let why = || match &graded[0].result {
            Err(refusal) => format!("not graded: {}", refusal.message),
            Ok(_) => String::new(),
        };
        match report::standing(&graded) {
            Standing::AllRight => Ok(Answer::Yes),
            Standing::SomeWrong => Ok(Answer::No(None)),
            Standing::Unreadable | Standing::BadLesson => Err(Failure::BadUse(why())),
        }
    }
}
