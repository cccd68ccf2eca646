//! What each statement does when a script runs.
//!
//! A script runs from top to bottom for each question; a statement that has nothing to do with the
//! question does nothing.

use super::call::{self, Asked, Fired, Needed};
use super::grammar::{Context, Does, Parts};
use super::value::{Val, called};
use super::words;
use crate::model::{NodeId, NodeSet, Stamp};
use rhai::{Array, Dynamic, EvalAltResult, Expression, Position};

/// The most messages that one event may send.
const MOST_SENDS: usize = 1000;
/// How deep steps may do steps.
const DEEPEST: usize = 16;

type Done<T = ()> = Result<T, Box<EvalAltResult>>;

/// What the statement with a key does.
pub(super) fn does(key: &str) -> Does {
    match key {
        "var" => var,
        "on" | "at" => on,
        "do" => perform,
        "send" => send,
        "enter" => enter,
        "need" => need,
        "rule" => rule,
        "owes" => owes,
        "ordered" => ordered,
        "holds" => holds,
        "timer" => timer,
        "show" => show,
        "fence" => fence,
        // These declare, and were read when the text was.
        _ => |_, _| Ok(()),
    }
}

/// A failure at a place, in our own words.
fn fail<T>(at: Position, message: impl Into<String>) -> Done<T> {
    Err(EvalAltResult::ErrorRuntime(message.into().into(), at).into())
}

fn value(context: &mut Context<'_, '_, '_, '_, '_, '_>, part: &Expression<'_>) -> Done<Dynamic> {
    Ok(context.eval_expression_tree(part)?.flatten())
}

fn val(context: &mut Context<'_, '_, '_, '_, '_, '_>, part: &Expression<'_>) -> Done<Val> {
    let value = value(context, part)?;
    Val::of(&value).or_else(|why| fail(part.position(), why))
}

fn truth(context: &mut Context<'_, '_, '_, '_, '_, '_>, part: &Expression<'_>) -> Done<bool> {
    let value = value(context, part)?;
    let told = || format!("here stands a yes or no, not {}", called(value.type_name()));
    value.as_bool().or_else(|_| fail(part.position(), told()))
}

fn text(context: &mut Context<'_, '_, '_, '_, '_, '_>, part: &Expression<'_>) -> Done<String> {
    let said = val(context, part)?;
    Ok(call::with(|call| said.say(&call.names)))
}

/// The nodes that a value names, in its order; oneself among them only if it is named alone.
fn nodes(value: &Dynamic, at: Position) -> Done<Vec<NodeId>> {
    let me = call::with(|call| call.me);
    if let Some(one) = value.read_lock::<NodeId>() {
        return Ok(vec![*one]);
    }
    if let Some(set) = value.read_lock::<NodeSet>() {
        return Ok(set.iter().filter(|node| *node != me).collect());
    }
    if let Some(list) = value.read_lock::<Array>() {
        let all: Option<Vec<NodeId>> =
            list.iter().map(Dynamic::clone).map(Dynamic::try_cast).collect();
        if let Some(all) = all {
            return Ok(all.into_iter().filter(|node| *node != me).collect());
        }
    }
    fail(at, format!("here stands a node or a set of nodes, not {}", called(value.type_name())))
}

fn note_line(parts: &Parts<'_>) {
    let line = u32::try_from(parts.line()).unwrap_or(0);
    call::with(|call| call.lines.push(line));
}

fn var(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let stored = call::with(|call| {
        call.placed += 1;
        match call.asked {
            Asked::Start => None,
            _ => call.before.get(call.placed - 1).map(Val::to_dynamic),
        }
    });
    let first = match (stored, parts.one('e')) {
        (Some(stored), _) => stored,
        (None, Some(part)) => val(context, part)?.to_dynamic(),
        (None, None) => Dynamic::UNIT,
    };
    context.scope_mut().push_dynamic(parts.name('v'), first);
    Ok(())
}

/// `on …` and `at L on …`.
fn on(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let wanted = match parts.one('k') {
        Some(_) => parts.name('k'),
        None => ["request", "exit", "timeout", "start", "recover"]
            .into_iter()
            .find(|word| parts.says(word))
            .unwrap_or_default(),
    };
    let here = parts.one('h').is_some();
    let asked = call::with(|call| {
        let at_helper = call.helper == Some(call.me);
        let own = call.at_helper.iter().any(|name| name == wanted);
        let concerns = match here {
            true => at_helper,
            false => !(at_helper && own),
        };
        let for_it = call.asked.acts() && call.asked.name() == wanted && concerns;
        call.handled |= for_it;
        for_it.then(|| call.asked.clone())
    });
    let (Some(asked), Some(block)) = (asked, parts.one('b')) else { return Ok(()) };
    let depth = context.scope().len();
    if let Asked::Receipt { from, values, .. } = asked {
        for (name, value) in parts.all('a').zip(values) {
            let name = name.get_string_value().unwrap_or_default();
            context.scope_mut().push_dynamic(name, value);
        }
        context.scope_mut().push_dynamic(parts.name('j'), Dynamic::from(from));
    }
    note_line(parts);
    let done = context.eval_expression_tree(block);
    context.scope_mut().rewind(depth);
    done.map(|_| ())
}

fn perform(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let name = parts.name('n');
    let at = parts.one('n').map_or(Position::NONE, Expression::position);
    let (block, depth) = call::with(|call| {
        call.depth += 1;
        (call.steps.get(name).cloned(), call.depth)
    });
    if depth > DEEPEST {
        return fail(at, format!("the step `{name}` does itself again and again"));
    }
    if let Some(block) = block {
        note_line(parts);
        let _nothing = value(context, &Expression::from(&block))?;
    }
    call::with(|call| call.depth -= 1);
    Ok(())
}

fn send(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let at = parts.one('k').map_or(Position::NONE, Expression::position);
    let name = parts.name('k');
    let Some(kind) = call::with(|call| call.kinds.iter().find(|k| k.name == name).copied()) else {
        return fail(at, format!("no message is called `{name}`"));
    };
    if !call::with(|call| call.asked.acts()) {
        return fail(at, "messages are sent where something happens: in `on` and `step`");
    }
    let values: Vec<Val> = parts.all('a').map(|part| val(context, part)).collect::<Done<_>>()?;
    if kind.stamped && !matches!(values.first(), Some(Val::Stamp(_))) {
        let found = values.first().map_or("nothing", Val::kind);
        let what =
            format!("{name} is stamped: its first value is a stamp, like tick(), not {found}");
        return fail(parts.one('a').map_or(at, Expression::position), what);
    }
    let Some(to) = parts.one('j') else { return Ok(()) };
    let receivers = nodes(&value(context, to)?, to.position())?;
    note_line(parts);
    let sent = call::with(|call| {
        call.sends.extend(receivers.into_iter().map(|to| (to, kind, values.clone())));
        call.sends.len()
    });
    if sent > MOST_SENDS {
        return fail(at, format!("one event sends more than {MOST_SENDS} messages"));
    }
    Ok(())
}

fn enter(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if !call::with(|call| matches!(call.asked, Asked::Entry)) {
        return Ok(());
    }
    parts.one('b').map_or(Ok(()), |block| context.eval_expression_tree(block).map(|_| ()))
}

fn need(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let Some(condition) = parts.one('c') else { return Ok(()) };
    let met = truth(context, condition)?;
    let mut needed = Needed {
        met,
        text: String::new(),
        from: None,
        kinds: &[],
        later_than: None,
        leaving: parts.says("leaving"),
    };
    if call::with(|call| call.explain) {
        needed.text = match parts.one('t') {
            Some(part) => text(context, part)?,
            None => "a condition of the script".to_owned(),
        };
        if let Some(from) = parts.one('j') {
            needed.from = nodes(&value(context, from)?, from.position())?.first().copied();
        }
        if let Some(part) = parts.one('s')
            && let Val::Stamp(stamp) = val(context, part)?
        {
            needed.later_than = Some(stamp);
        }
        let named: Vec<&'static str> =
            parts.all('k').filter_map(Expression::get_string_value).map(words::word).collect();
        let stamped = || {
            call::with(|call| {
                let stamped = call.kinds.iter().filter(|kind| kind.stamped);
                stamped.map(|kind| kind.name).collect::<Vec<_>>()
            })
        };
        needed.kinds = words::list(&if named.is_empty() { stamped() } else { named });
    }
    call::with(|call| call.needs.push(needed));
    Ok(())
}

fn rule(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let told = call::with(|call| call.explain && call.asked.acts());
    let Some(part) = parts.one('t').filter(|_| told) else { return Ok(()) };
    let text = text(context, part)?;
    let word = parts.one('w').map(|_| words::word(parts.name('w')));
    note_line(parts);
    call::with(|call| call.fired.push(Fired { id: words::word(parts.name('i')), text, word }));
    Ok(())
}

/// The value of a statement that tells what there is to see, where that is asked.
fn seen(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done<Option<Dynamic>> {
    let asked = call::with(|call| matches!(call.asked, Asked::View));
    parts.one('e').filter(|_| asked).map(|part| value(context, part)).transpose()
}

fn place(parts: &Parts<'_>) -> Position {
    parts.one('e').map_or(Position::NONE, Expression::position)
}

fn owes(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if let Some(to) = seen(context, parts)?.filter(|to| !to.is_unit()) {
        let all = nodes(&to, place(parts))?;
        call::with(|call| all.into_iter().for_each(|node| _ = call.view.owes.insert(node)));
    }
    Ok(())
}

fn ordered(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if let Some(by) = seen(context, parts)?.filter(|by| !by.is_unit()) {
        let Some(stamp) = by.clone().try_cast::<Stamp>() else {
            return fail(
                place(parts),
                "entries are ordered by a stamp, or by none while there is no request",
            );
        };
        call::with(|call| call.view.stamp = Some(stamp));
    }
    Ok(())
}

fn holds(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if call::with(|call| matches!(call.asked, Asked::View)) {
        let held = parts.one('e').map_or(Ok(true), |part| truth(context, part))?;
        call::with(|call| call.view.tokens += u32::from(held));
    }
    Ok(())
}

fn timer(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    let asked = call::with(|call| matches!(call.asked, Asked::View));
    let Some(part) = parts.one('e').filter(|_| asked) else { return Ok(()) };
    if truth(context, part)? {
        call::with(|call| call.view.timer = Some(words::word(parts.name('t'))));
    }
    Ok(())
}

fn show(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if let Some(shown) = seen(context, parts)? {
        let shown = Val::of(&shown).or_else(|why| fail(place(parts), why))?;
        call::with(|call| call.view.shown.push((words::word(parts.name('v')), shown)));
    }
    Ok(())
}

fn fence(context: &mut Context<'_, '_, '_, '_, '_, '_>, parts: &Parts<'_>) -> Done {
    if let Some(fence) = seen(context, parts)?.filter(|fence| !fence.is_unit()) {
        let number = fence.as_int().ok().and_then(|n| u64::try_from(n).ok());
        let Some(number) = number else {
            return fail(place(parts), "a fence is a number from 0, or none");
        };
        call::with(|call| call.view.fence = Some(number));
    }
    Ok(())
}
