//! Evaluation of goals over the facts of one state.

use super::{Compare, Count, Facts, Property, Test};
use crate::model::node::Phase;
use crate::model::value::Value;
use std::cmp::Ordering;

impl Compare {
    fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Lt => order.is_lt(),
            Self::Le => order.is_le(),
            Self::Gt => order.is_gt(),
            Self::Ge => order.is_ge(),
        }
    }
}

impl Count {
    /// The number, in a state.
    #[must_use]
    pub fn read(&self, facts: &dyn Facts) -> i64 {
        let n = match self {
            Self::Entries(Some(node)) => facts.entries(*node),
            Self::Exits(Some(node)) => facts.exits(*node),
            Self::Entries(None) => everybody(|n| facts.entries(n)),
            Self::Exits(None) => everybody(|n| facts.exits(n)),
            Self::Messages(kind) => facts.messages(kind.as_deref()),
            Self::InFlight(channel) => facts.in_flight(*channel),
            Self::Tokens => facts.tokens().unwrap_or(0),
            Self::Clock(node) => facts.clock(*node),
            Self::Overtaken(node, by) => facts.overtaken(*node, *by),
            Self::Writes(node, fate) => facts.writes(*node, *fate),
        };
        i64::from(n)
    }
}

fn everybody(count: impl Fn(crate::model::NodeId) -> u32) -> u32 {
    (0..crate::model::node::MAX_CLIENTS).map(|i| count(crate::model::NodeId::at(i))).sum()
}

/// How the value of a variable compares with another of its shape; `None`: they differ, and have no order.
fn against(value: &Value, wanted: &Value) -> Option<Ordering> {
    match (value.bare(), wanted.bare()) {
        (Value::Num(a), Value::Num(b)) => Some(a.cmp(&b)),
        (Value::Stamp(a), Value::Stamp(b)) => Some(a.cmp(&b)),
        (a, b) => (a == b).then_some(Ordering::Equal),
    }
}

impl Test {
    /// Whether it holds in a state.
    #[must_use]
    pub fn holds(&self, facts: &dyn Facts) -> bool {
        match self {
            Self::InCs(n) => facts.phase(*n) == Phase::InCs,
            Self::Waiting(n) => facts.phase(*n) == Phase::Waiting,
            Self::Idle(n) => facts.phase(*n) == Phase::Idle,
            Self::Entered(n) => facts.entries(*n) > 0,
            Self::Exited(n) => facts.exits(*n) > 0,
            Self::Crashed(n) => facts.crashed(*n),
            Self::Holds(n) => facts.holds_token(*n),
            Self::Violated(Property::Mutex) => facts.mutex_violated(),
            Self::Violated(Property::Token) => facts.tokens().is_some_and(|t| t != 1),
            Self::Violated(Property::Order) => facts.order_broken(),
            Self::Violated(Property::Fence) => facts.fence_violated(),
            Self::Stuck => facts.stuck(),
            Self::Number(count, how, wanted) => how.accepts(count.read(facts).cmp(wanted)),
            Self::Some(count) => count.read(facts) > 0,
            Self::Field(node, name, how, wanted) => {
                let order = facts.field(*node, name).and_then(|value| against(&value, wanted));
                match order {
                    Some(order) => how.accepts(order),
                    None => *how == Compare::Ne,
                }
            }
            Self::Not(a) => !a.holds(facts),
            Self::And(a, b) => a.holds(facts) && b.holds(facts),
            Self::Or(a, b) => a.holds(facts) || b.holds(facts),
        }
    }

    /// Whether one of the tests of which it is made is such a one.
    pub fn any(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::Not(a) => a.any(is),
            Self::And(a, b) | Self::Or(a, b) => a.any(is) || b.any(is),
            one => is(one),
        }
    }

    /// Whether it asks about the past of a run.
    #[must_use]
    pub fn asks_about_the_past(&self) -> bool {
        self.any(&|test| match test {
            Self::Entered(_) | Self::Exited(_) => true,
            Self::Violated(p) => !matches!(p, Property::Token),
            Self::Number(count, ..) | Self::Some(count) => {
                !matches!(count, Count::InFlight(_) | Count::Tokens | Count::Clock(_))
            }
            _ => false,
        })
    }
}
