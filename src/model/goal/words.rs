//! Goals in words: what a screen, a line and a verdict say in place of the formula.

use super::{Compare, Count, Goal, Overtaking, Property, Test, When, WriteFate};
use crate::input::count;
use crate::model::{Names, NodeId};

impl Goal {
    /// The parts that have to hold together, each a goal of its own: what stands between `and` at the top.
    /// What `never` and `eventually` ask of a whole run is one part.
    #[must_use]
    pub fn parts(&self) -> Vec<Self> {
        let whole = || vec![self.clone()];
        let part = |test: &Test| Self { when: self.when, test: test.clone() }.parts();
        match (&self.test, self.when) {
            (Test::And(a, b), When::Now) => [part(a), part(b)].concat(),
            _ => whole(),
        }
    }

    /// The goal as a clause: `P1 is inside and P2 waits`.
    #[must_use]
    pub fn said(&self, names: &Names) -> String {
        let test = self.test.said(names, true);
        match self.when {
            When::Now => test,
            When::Never => format!("at no time: {test}"),
            When::Eventually => format!("at some time: {test}"),
        }
    }
}

impl Compare {
    /// The comparison that holds exactly where this one does not.
    fn opposite(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Ge => Self::Lt,
            Self::Gt => Self::Le,
            Self::Le => Self::Gt,
        }
    }

    fn if_holds(self, holds: bool) -> Self {
        if holds { self } else { self.opposite() }
    }

    /// Before a number that is counted: `at least 2 entries`.
    fn of_many(self) -> &'static str {
        match self {
            Self::Eq => "exactly ",
            Self::Ne => "not exactly ",
            Self::Lt => "fewer than ",
            Self::Le => "at most ",
            Self::Gt => "more than ",
            Self::Ge => "at least ",
        }
    }

    /// Between what has a value and the value.
    fn verb(self) -> &'static str {
        match self {
            Self::Eq => "is",
            Self::Ne => "is not",
            Self::Lt => "is less than",
            Self::Le => "is at most",
            Self::Gt => "is greater than",
            Self::Ge => "is at least",
        }
    }
}

impl Test {
    /// The test as a clause, or the clause that says that it does not hold.
    fn said(&self, names: &Names, holds: bool) -> String {
        let node = |node: NodeId, yes: &str, no: &str| {
            format!("{} {}", names.get(node), if holds { yes } else { no })
        };
        match self {
            Self::InCs(n) => node(*n, "is inside", "is not inside"),
            Self::Waiting(n) => node(*n, "waits", "does not wait"),
            Self::Idle(n) => node(*n, "is idle", "is not idle"),
            Self::Entered(n) => node(*n, "has entered", "has not entered"),
            Self::Exited(n) => node(*n, "has left", "has not left"),
            Self::Crashed(n) => node(*n, "has crashed", "has not crashed"),
            Self::Holds(n) => node(*n, "holds the token", "does not hold the token"),
            Self::Violated(property) => property.said(holds).to_owned(),
            Self::Stuck if holds => "somebody is stuck".to_owned(),
            Self::Stuck => "nobody is stuck".to_owned(),
            Self::Number(number, how, wanted) => number.said(how.if_holds(holds), *wanted, names),
            Self::Some(number) => number.said(Compare::Gt.if_holds(holds), 0, names),
            Self::Field(n, name, how, wanted) => {
                let (how, wanted) = (how.if_holds(holds).verb(), wanted.literal(names));
                format!("{name} of {} {how} {wanted}", names.get(*n))
            }
            Self::Not(test) => test.said(names, !holds),
            Self::And(a, b) if holds => both(a, b, names, true),
            Self::Or(a, b) if !holds => both(a, b, names, false),
            Self::And(a, b) | Self::Or(a, b) => {
                let or = if a.is_compound() || b.is_compound() { ", or" } else { " or" };
                format!("{}{or} {}", a.said(names, holds), b.said(names, holds))
            }
        }
    }

    fn is_compound(&self) -> bool {
        match self {
            Self::Not(test) => test.is_compound(),
            Self::And(..) | Self::Or(..) => true,
            _ => false,
        }
    }

    /// Whether its clause, or the clause of its opposite, has an `or`.
    fn is_choice(&self, holds: bool) -> bool {
        match self {
            Self::Not(test) => test.is_choice(!holds),
            Self::Or(..) => holds,
            Self::And(..) => !holds,
            _ => false,
        }
    }
}

fn both(a: &Test, b: &Test, names: &Names, holds: bool) -> String {
    let one = |test: &Test| {
        let either = if test.is_choice(holds) { "either " } else { "" };
        format!("{either}{}", test.said(names, holds))
    };
    format!("{} and {}", one(a), one(b))
}

impl Property {
    fn said(self, violated: bool) -> &'static str {
        match (self, violated) {
            (Self::Mutex, true) => "two nodes have been inside at once",
            (Self::Mutex, false) => "no two nodes have been inside at once",
            (Self::Token, true) => "there is not exactly 1 token",
            (Self::Token, false) => "there is exactly 1 token",
            (Self::Order, true) => "entries have broken the promised order",
            (Self::Order, false) => "entries have kept the promised order",
            (Self::Fence, true) => "a lower fence was accepted after a higher one",
            (Self::Fence, false) => "no lower fence was accepted after a higher one",
        }
    }
}

impl Count {
    fn said(&self, how: Compare, wanted: i64, names: &Names) -> String {
        let times = || format!("{}{}", how.of_many(), count(wanted, "time"));
        let many = |what: &str| match (how, wanted) {
            (Compare::Eq, 0) | (Compare::Lt, 1) | (Compare::Le, 0) => format!("no {what}"),
            (Compare::Gt, 0) | (Compare::Ge, 1) => format!("at least 1 {what}"),
            _ => format!("{}{}", how.of_many(), count(wanted, what)),
        };
        let there = |what: String, then: &str| {
            let are = if what.ends_with('s') { "are" } else { "is" };
            format!("there {are} {what}{then}")
        };
        match self {
            Self::Entries(Some(n)) => format!("{} has entered {}", names.get(*n), times()),
            Self::Exits(Some(n)) => format!("{} has left {}", names.get(*n), times()),
            Self::Entries(None) => format!("nodes have entered {}", times()),
            Self::Exits(None) => format!("nodes have left {}", times()),
            Self::Messages(kind) => {
                let kind =
                    kind.as_ref().map_or("message".to_owned(), |kind| format!("{kind} message"));
                let sent = many(&kind);
                let have = if sent.ends_with('s') { "have" } else { "has" };
                format!("{sent} {have} been sent")
            }
            Self::InFlight(None) => there(many("message"), " in flight"),
            Self::InFlight(Some((from, to))) => {
                let channel = format!(" in flight from {} to {}", names.get(*from), names.get(*to));
                there(many("message"), &channel)
            }
            Self::Overtaken(n, by) => {
                let later = match by {
                    Overtaking::Any => "",
                    Overtaking::Later => " by requests after its own",
                };
                format!("{} has been overtaken {}{later}", names.get(*n), times())
            }
            Self::Tokens => there(many("token"), ""),
            Self::Clock(n) => format!("clock of {} {} {wanted}", names.get(*n), how.verb()),
            Self::Writes(n, fate) => {
                let name = names.get(*n);
                match fate {
                    WriteFate::Accepted => {
                        there(many("write"), &format!(" of {name} that was accepted"))
                    }
                    WriteFate::Refused => {
                        there(many("write"), &format!(" of {name} that was refused"))
                    }
                    WriteFate::Lost => {
                        there(many("write"), &format!(" of {name} that lost an update"))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, Vocabulary};
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let names = Names::new(Names::numbered(3));
        let kinds = vec!["REQUEST"];
        let columns: Vec<Column> = Vec::new();
        let words = Vocabulary { names: &names, kinds, columns, token: true, storage: true };
        let goal = Goal::parse(text, &words).unwrap_or_else(|bad| panic!("{text}: {bad}"));
        goal.parts().iter().map(|part| part.said(&names)).collect()
    }

    #[test]
    fn a_goal_is_taken_apart_at_its_top_level_and_alone() {
        assert_eq!(said("in_cs(P2) and waiting(P1) and stuck()").len(), 3);
        assert_eq!(said("in_cs(P2) or waiting(P1) and stuck()").len(), 1);
        assert_eq!(said("not (in_cs(P2) and waiting(P1))").len(), 1);
        assert_eq!(said("never in_cs(P2) and waiting(P1)").len(), 1);
    }

    #[test]
    fn parts_read_as_clauses() {
        for (goal, words) in [
            ("violated(mutex)", "two nodes have been inside at once"),
            ("not crashed(P1)", "P1 has not crashed"),
            ("entries(P3) == 2", "P3 has entered exactly 2 times"),
            ("not entries(P3) >= 2", "P3 has entered fewer than 2 times"),
            ("in_flight() == 0", "there is no message in flight"),
            ("in_flight(P1>P2)", "there is at least 1 message in flight from P1 to P2"),
            ("messages(REQUEST) > 2", "more than 2 REQUEST messages have been sent"),
            ("tokens() == 1", "there is exactly 1 token"),
            ("writes(P1, lost) >= 1", "there is at least 1 write of P1 that lost an update"),
            ("clock(P1) < 5", "clock of P1 is less than 5"),
            ("not (in_cs(P1) and idle(P2))", "P1 is not inside or P2 is not idle"),
            ("not (in_cs(P1) or idle(P2))", "P1 is not inside and P2 is not idle"),
            ("never in_cs(P2)", "at no time: P2 is inside"),
        ] {
            assert_eq!(said(goal), [words], "{goal}");
        }
        let either = "(in_cs(P1) and (idle(P2) or idle(P3))) or stuck()";
        let words = "P1 is inside and either P2 is idle or P3 is idle, or somebody is stuck";
        assert_eq!(said(either), [words]);
    }
}
