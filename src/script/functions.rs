//! The interpreter with our types and functions, and without anything that could reach outside a script.

use super::call;
use super::grammar;
use super::statements;
use super::value::{Each, Val, compare, number};
use crate::model::{NodeId, NodeSet, Stamp};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage,
    LanguageCorePackage, LogicPackage, Package as _,
};
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, OptimizationLevel};
use std::cmp::Ordering;

/// The most operations of one call.
pub(super) const MOST_OPERATIONS: u64 = 20_000;
/// The most that library functions may cost in one call, in items looked at.
const MOST_WORK: usize = 100_000;

type Answer<T = Dynamic> = Result<T, Box<EvalAltResult>>;

/// The functions that a script may call besides its own.
pub(super) const FUNCTIONS: [&str; 43] = [
    "tick",
    "stamp",
    "each",
    "nodes",
    "add",
    "remove",
    "len",
    "is_empty",
    "contains",
    "clear",
    "sort",
    "push",
    "pop",
    "shift",
    "insert",
    "drain",
    "retain",
    "filter",
    "map",
    "some",
    "all",
    "index_of",
    "reverse",
    "append",
    "truncate",
    "extract",
    "find",
    "reduce",
    "keys",
    "values",
    "min",
    "max",
    "abs",
    "range",
    "to_string",
    "todo",
    "after",
    "clone",
    "get",
    "set",
    "is_odd",
    "is_even",
    "sign",
];

fn fail<T>(message: impl Into<String>) -> Answer<T> {
    Err(message.into().into())
}

fn compared(sign: &'static str, a: &Dynamic, b: &Dynamic) -> Answer<Ordering> {
    compare(a, b).or_else(|(a, b)| fail(format!("`{sign}` cannot compare {a} with {b}")))
}

/// Counts what a library function costs.
fn work(items: usize) -> Answer<()> {
    let so_far = call::with(|call| {
        call.work += items;
        call.work
    });
    if so_far > MOST_WORK {
        fail("this does not end: library functions have looked at too many items")
    } else {
        Ok(())
    }
}

/// The clock may move, and a stamp may be taken, only where something happens.
fn stamp(ticks: u32) -> Answer<Stamp> {
    call::with(|call| {
        if !call.asked.acts() && ticks > 0 {
            return fail("tick() moves the clock: it stands in `on` and `step` alone");
        }
        call.clock = call.clock.saturating_add(ticks);
        Ok(Stamp::new(call.clock, call.me))
    })
}

fn place(node: NodeId, len: usize) -> Answer<usize> {
    let place = node.index();
    if place < len { Ok(place) } else { fail("there is no value for that node") }
}

/// An interpreter that knows the language.
pub(super) fn engine() -> Engine {
    // Two processes hash alike, so that nothing differs from run to run.
    let _set_before = rhai::config::hashing::set_hashing_seed(Some([16, 9, 78, 81]));
    let mut engine = Engine::new_raw();
    LanguageCorePackage::new().register_into_engine(&mut engine);
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_operations(MOST_OPERATIONS);
    engine.set_max_call_levels(16);
    engine.set_max_expr_depths(48, 32);
    engine.set_max_string_size(2000);
    engine.set_max_array_size(200);
    engine.set_max_map_size(200);
    engine.set_max_functions(64);
    engine.set_max_variables(256);
    for word in [
        "eval", "import", "export", "Fn", "call", "curry", "print", "debug", "this", "throw", "try",
    ] {
        engine.disable_symbol(word);
    }
    engine.set_fast_operators(false);
    types(&mut engine);
    comparisons(&mut engine);
    sets(&mut engine);
    lists(&mut engine);
    grammar::register(&mut engine, statements::does);
    engine
}

fn types(engine: &mut Engine) {
    engine.register_type_with_name::<NodeId>("node");
    engine.register_type_with_name::<Stamp>("stamp");
    engine.register_type_with_name::<NodeSet>("set of nodes");
    engine.register_type_with_name::<Each>("value for each node");
    engine.register_fn("tick", || stamp(1));
    engine.register_fn("stamp", || stamp(0));
    engine.register_fn("todo", || fail::<()>("here something is still to be written"));
    engine.register_get("node", |s: &mut Stamp| s.node);
    engine.register_get("clock", |s: &mut Stamp| INT::from(s.clock));
    engine.register_get("number", |n: &mut NodeId| number(n.index() + 1));
    engine.register_fn("after", |n: NodeId| {
        call::with(|call| NodeId::at((n.index() + 1) % call.clients.max(1)))
    });
    engine.register_fn("each", |value: Dynamic| Each(vec![value; call::with(|call| call.clients)]));
    engine.register_indexer_get(|each: &mut Each, node: NodeId| {
        place(node, each.0.len()).map(|at| each.0[at].clone())
    });
    engine.register_indexer_set(|each: &mut Each, node: NodeId, value: Dynamic| {
        place(node, each.0.len()).map(|at| each.0[at] = value)
    });
    fn said<T: Clone + 'static>(value: &mut T) -> String {
        let said = Val::of(&Dynamic::from(value.clone()));
        said.map_or_else(|why| why, |said| call::with(|call| said.say(&call.names)))
    }
    engine.register_fn("to_string", said::<NodeId>);
    engine.register_fn("to_string", said::<Stamp>);
    engine.register_fn("to_string", said::<NodeSet>);
    engine.register_fn("to_string", said::<Each>);
    engine.register_fn("to_string", said::<Array>);
    engine.register_fn("to_string", |()| "none".to_owned());
    engine.register_fn("+", |a: &str, b: Dynamic| {
        let said = Val::of(&b).map_err(Box::<EvalAltResult>::from)?;
        Ok::<_, Box<EvalAltResult>>(format!("{a}{}", call::with(|call| said.say(&call.names))))
    });
}

fn comparisons(engine: &mut Engine) {
    macro_rules! sign {
        ($sign:literal, $is:ident) => {
            engine.register_fn($sign, |a: Dynamic, b: Dynamic| {
                compared($sign, &a, &b).map(Ordering::$is)
            });
        };
    }
    sign!("==", is_eq);
    sign!("!=", is_ne);
    sign!("<", is_lt);
    sign!("<=", is_le);
    sign!(">", is_gt);
    sign!(">=", is_ge);
    let larger = |sign: &'static str, wanted: Ordering| {
        move |a: Dynamic, b: Dynamic| {
            Ok::<_, Box<EvalAltResult>>(if compared(sign, &a, &b)? == wanted { a } else { b })
        }
    };
    engine.register_fn("max", larger("max", Ordering::Greater));
    engine.register_fn("min", larger("min", Ordering::Less));
}

fn sets(engine: &mut Engine) {
    engine.register_iterator::<NodeSet>();
    engine.register_fn("nodes", || NodeSet::EMPTY);
    engine.register_fn("nodes", |one: NodeId| NodeSet::from_iter([one]));
    engine.register_fn("nodes", |list: Array| -> Answer<NodeSet> {
        let one = |node: Dynamic| node.try_cast::<NodeId>();
        let all: Option<NodeSet> = list.into_iter().map(one).collect();
        all.map_or_else(|| fail("nodes() makes a set of a list of nodes"), Ok)
    });
    engine.register_fn("add", |set: &mut NodeSet, node: NodeId| _ = set.insert(node));
    engine.register_fn("remove", |set: &mut NodeSet, node: NodeId| _ = set.remove(node));
    engine.register_fn("clear", |set: &mut NodeSet| *set = NodeSet::EMPTY);
    engine.register_fn("contains", |set: &mut NodeSet, node: NodeId| set.contains(node));
    engine.register_fn("len", |set: &mut NodeSet| number(set.len()));
    engine.register_fn("is_empty", |set: &mut NodeSet| set.is_empty());
    engine.register_fn("+", |a: NodeSet, b: NodeSet| NodeSet(a.0 | b.0));
    engine.register_fn("-", |a: NodeSet, b: NodeSet| NodeSet(a.0 & !b.0));
    engine.register_fn("+", |mut a: NodeSet, b: NodeId| {
        a.insert(b);
        a
    });
    engine.register_fn("-", |mut a: NodeSet, b: NodeId| {
        a.remove(b);
        a
    });
}

fn lists(engine: &mut Engine) {
    engine.register_fn("sort", |list: &mut Array| -> Answer<()> {
        work(list.len() * 8)?;
        let mut all: Vec<(Val, Dynamic)> = Vec::with_capacity(list.len());
        for item in list.iter() {
            all.push((Val::of(item).map_err(Box::<EvalAltResult>::from)?, item.clone()));
        }
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        *list = all.into_iter().map(|(_, item)| item).collect();
        Ok(())
    });
    engine.register_fn("contains", |list: &mut Array, wanted: Dynamic| -> Answer<bool> {
        work(list.len())?;
        let same = |item: &Dynamic| compare(item, &wanted).is_ok_and(Ordering::is_eq);
        Ok(list.iter().any(same))
    });
    engine.register_fn("index_of", |list: &mut Array, wanted: Dynamic| -> Answer<INT> {
        work(list.len())?;
        let same = |item: &Dynamic| compare(item, &wanted).is_ok_and(Ordering::is_eq);
        Ok(list.iter().position(same).map_or(-1, number))
    });
}
