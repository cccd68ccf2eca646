//! The algorithm that does what a script says.

use super::call::{self, Asked, Call, Needed, View};
use super::compile::Compiled;
use super::value::Val;
use super::{compiled, told};
use crate::algorithm::{Algorithm, Condition, Cx, Guard, Label, Missing, Outbox, quorum, raymond};
use crate::model::{Config, Fields, Names, NodeId, NodeSet, Phase, Setup};
use rhai::{Array, Dynamic, Scope};
use std::rc::Rc;
use std::sync::Arc;

/// So often may a node send to itself within one event.
const MOST_TO_SELF: u32 = 100;

/// The algorithm of a script.
#[derive(Debug)]
pub struct Scripted;

/// A message of a script.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Msg {
    kind: &'static super::Declared,
    values: Box<[Val]>,
}

/// The variables of one node, and what went wrong there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    vars: Box<[Val]>,
    fault: Option<Arc<str>>,
}

/// Runs the script once.
fn run(
    compiled: &Compiled,
    cx: &Cx<'_>,
    clock: u32,
    explain: bool,
    asked: Asked,
    vars: &[Val],
) -> Result<(Call, Vec<Val>), String> {
    let acts = asked.acts();
    let setup = cx.setup;
    let call = Call {
        asked,
        explain,
        me: cx.me,
        helper: compiled.helper.and(setup.coordinator),
        clients: setup.clients,
        names: names(setup),
        kinds: Rc::clone(&compiled.kinds),
        steps: Rc::clone(&compiled.steps),
        at_helper: Rc::clone(&compiled.at_helper),
        before: vars.to_vec(),
        clock,
        ..Call::default()
    };
    call::with(|place| *place = call);
    let mut scope = constants(compiled, cx);
    let done = compiled.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &compiled.ast);
    let call = call::with(std::mem::take);
    if let Err(error) = done {
        let (message, at) = told::running(&error);
        return Err(format!(
            "{}:{}:{}: {message}",
            compiled.script.name,
            at.line().unwrap_or(1),
            at.position().unwrap_or(1)
        ));
    }
    if !acts {
        return Ok((call, Vec::new()));
    }
    let mut after = Vec::with_capacity(compiled.vars.len());
    for (name, _) in &compiled.vars {
        let value = scope.get(name).map_or(Ok(Val::None), Val::of);
        after
            .push(value.map_err(|why| {
                format!("{}: the variable `{name}`: {why}", compiled.script.name)
            })?);
    }
    Ok((call, after))
}

thread_local! {
    static NAMES: std::cell::RefCell<Rc<Names>> = std::cell::RefCell::default();
}

/// The names of the cluster's nodes, kept from call to call.
fn names(setup: &Setup) -> Rc<Names> {
    NAMES.with_borrow_mut(|kept| {
        if **kept != setup.names {
            *kept = Rc::new(setup.names.clone());
        }
        Rc::clone(kept)
    })
}

/// What is known everywhere.
fn constants(compiled: &Compiled, cx: &Cx<'_>) -> Scope<'static> {
    let (setup, me) = (cx.setup, cx.me);
    let all = NodeSet::first(setup.clients);
    let mut others = all;
    others.remove(me);
    let behind = |step: usize| NodeId::at((me.index() + step) % setup.clients.max(1));
    let around: Array = match setup.is_client(me) {
        true => (1..setup.clients).map(|step| Dynamic::from(behind(step))).collect(),
        false => all.iter().map(Dynamic::from).collect(),
    };
    let or_none = |node: Option<Dynamic>| node.unwrap_or(Dynamic::UNIT);
    let mut scope = Scope::with_capacity(32);
    let known: [(&str, Dynamic); 13] = [
        ("me", Dynamic::from(me)),
        ("n", super::value::number(setup.clients).into()),
        ("first", Dynamic::from(NodeId(0))),
        ("next", Dynamic::from(behind(1))),
        ("all", Dynamic::from(all)),
        ("others", Dynamic::from(others)),
        ("none", Dynamic::UNIT),
        ("idle", (cx.phase == Phase::Idle).into()),
        ("waiting", (cx.phase == Phase::Waiting).into()),
        ("inside", (cx.phase == Phase::InCs).into()),
        ("quorum", or_none(setup.quorums.get(me.index()).copied().map(Dynamic::from))),
        ("neighbour", or_none(setup.tree.get(me.index()).copied().map(Dynamic::from))),
        ("around", around.into()),
    ];
    for (name, value) in known {
        scope.push_constant_dynamic(name, value);
    }
    if let (Some(name), Some(node)) = (compiled.helper, setup.coordinator) {
        scope.push_constant_dynamic(name, Dynamic::from(node));
    }
    scope
}

/// The script of a cluster, ready to run.
fn script(setup: &Setup) -> Rc<Compiled> {
    let script = setup.script.as_ref().expect("a scripted cluster has its script");
    compiled(script).expect("the catalog has read it")
}

/// Something happens at a node.
fn act(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>, asked: Asked) {
    if state.fault.is_some() {
        return;
    }
    let receipt = matches!(asked, Asked::Receipt { .. });
    let name = asked.name();
    let compiled = script(cx.setup);
    match run(&compiled, cx, out.clock(), out.explains(), asked, &state.vars) {
        Ok((call, _)) if receipt && !call.handled => {
            let text = format!(
                "{}: nothing says what {} does with {name}",
                compiled.script.name,
                cx.my_name()
            );
            state.fault = Some(text.into());
        }
        Ok((call, vars)) => {
            state.vars = vars.into();
            leave(cx, call, out);
        }
        Err(fault) => state.fault = Some(fault.into()),
    }
}

/// Hands over what a call has left.
fn leave(cx: &Cx<'_>, call: Call, out: &mut Outbox<Msg>) {
    while out.clock() < call.clock {
        out.tick();
    }
    for (to, kind, values) in call.sends {
        out.send(cx, to, Msg { kind, values: values.into() });
    }
    for fired in call.fired {
        let text = fired.text;
        match fired.word {
            Some(word) => {
                out.rule_if(true, fired.id, || text);
                out.did(word);
            }
            None => out.rule_if(true, fired.id, || text),
        }
    }
}

/// What there is to see, kept for the state that was looked at last.
fn view(cx: &Cx<'_>, state: &State) -> Result<Rc<View>, String> {
    type Seen = (State, NodeId, Phase, Arc<crate::model::Script>, Rc<View>);
    thread_local! {
        static LAST: std::cell::RefCell<Option<Seen>> = const { std::cell::RefCell::new(None) };
    }
    let compiled = script(cx.setup);
    if compiled.views.is_empty() {
        return Ok(Rc::default());
    }
    let known = LAST.with_borrow(|last| {
        let (seen, me, phase, script, view) = last.as_ref()?;
        let same = (seen, *me, *phase) == (state, cx.me, cx.phase)
            && Arc::ptr_eq(script, &compiled.script);
        same.then(|| Rc::clone(view))
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let (call, _) = run(&compiled, cx, 0, false, Asked::View, &state.vars)?;
    let view = Rc::new(call.view);
    let seen = (state.clone(), cx.me, cx.phase, Arc::clone(&compiled.script), Rc::clone(&view));
    LAST.set(Some(seen));
    Ok(view)
}

fn seen(cx: &Cx<'_>, state: &State) -> Rc<View> {
    match state.fault {
        None => view(cx, state).unwrap_or_default(),
        Some(_) => Rc::default(),
    }
}

fn condition(needed: Needed) -> Condition {
    let missing = Missing {
        from: needed.from,
        kinds: needed.kinds,
        later_than: needed.later_than,
        once_it_left: needed.leaving,
    };
    let missing =
        (!needed.met && (needed.from.is_some() || !needed.kinds.is_empty())).then_some(missing);
    Condition { text: needed.text, met: needed.met, missing }
}

impl Algorithm for Scripted {
    type Decisions = ();
    type Msg = Msg;
    type State = State;

    fn decisions(_setup: &Setup) -> &'static () {
        &()
    }

    fn prepare(setup: &mut Setup, config: &Config) -> Result<(), String> {
        if setup.info.voting_sets {
            setup.quorums =
                quorum::voting_sets(&config.quorums, &setup.names, setup.clients, true)?;
        }
        if setup.info.tree {
            setup.tree = raymond::chosen_tree(setup, config)?;
        }
        Ok(())
    }

    fn init(cx: &Cx<'_>, out: &mut Outbox<Msg>) -> State {
        let compiled = script(cx.setup);
        match run(&compiled, cx, out.clock(), false, Asked::Start, &[]) {
            Ok((call, vars)) => {
                leave(cx, call, out);
                State { vars: vars.into(), fault: None }
            }
            Err(fault) => State { vars: Box::default(), fault: Some(fault.into()) },
        }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        act(cx, state, out, Asked::Event("request"));
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        thread_local! {
            static TO_SELF: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
        }
        TO_SELF.set(if from == cx.me { TO_SELF.get() + 1 } else { 0 });
        if TO_SELF.get() > MOST_TO_SELF {
            let name = &script(cx.setup).script.name;
            let text = format!(
                "{name}: {} sends to itself again and again: more than {MOST_TO_SELF} times in one event",
                cx.my_name()
            );
            state.fault = Some(text.into());
            TO_SELF.set(0);
        }
        let values = msg.values.iter().map(Val::to_dynamic).collect();
        act(cx, state, out, Asked::Receipt { kind: msg.kind.name, from, values });
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        act(cx, state, out, Asked::Event("exit"));
    }

    fn on_timeout(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        act(cx, state, out, Asked::Event("timeout"));
    }

    fn timer(cx: &Cx<'_>, state: &State) -> Option<&'static str> {
        if script(cx.setup).views.contains("timer") { seen(cx, state).timer } else { None }
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        if let Some(fault) = &state.fault {
            return guard.condition(Condition {
                text: format!("the script goes on: {fault}"),
                met: false,
                missing: None,
            });
        }
        let compiled = script(cx.setup);
        match run(&compiled, cx, 0, guard.explains(), Asked::Entry, &state.vars) {
            Ok((call, _)) => {
                call.needs.into_iter().for_each(|needed| guard.condition(condition(needed)))
            }
            Err(fault) => guard.fail(fault),
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        let compiled = script(cx.setup);
        for ((name, shown), value) in compiled.vars.iter().zip(&state.vars) {
            if *shown {
                fields.add(name, value.shown());
            }
        }
        for (name, value) in &seen(cx, state).shown {
            fields.add(name, value.shown());
        }
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        seen(cx, state).owes.contains(to).then(|| format!("kept back by {}", cx.my_name()))
    }

    fn request_stamp(cx: &Cx<'_>, state: &State) -> Option<u32> {
        if !script(cx.setup).views.contains("ordered") {
            return None;
        }
        seen(cx, state).stamp.map(|stamp| stamp.clock)
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        let mut label = Label::bare(msg.kind.name);
        for (name, value) in msg.kind.values.iter().zip(&msg.values) {
            match value {
                Val::Stamp(stamp) if msg.kind.stamped && label.stamp.is_none() => {
                    label.stamp = Some(*stamp);
                }
                Val::Node(node) if label.node.is_none() => label.node = Some(*node),
                Val::Int(n) if label.detail.is_none() => label.detail = Some(n.to_string()),
                other => label.carries.push((*name, other.shown())),
            }
        }
        label
    }

    fn fence(cx: &Cx<'_>, state: &State) -> Option<u64> {
        seen(cx, state).fence
    }

    fn tokens_held(cx: &Cx<'_>, state: &State) -> u32 {
        if script(cx.setup).views.contains("holds") { seen(cx, state).tokens } else { 0 }
    }

    fn carries_token(msg: &Msg) -> bool {
        msg.kind.token
    }

    fn fault(cx: &Cx<'_>, state: &State) -> Option<String> {
        match &state.fault {
            Some(fault) => Some(fault.to_string()),
            None => view(cx, state).err(),
        }
    }

    fn poison(state: &mut State, fault: String) {
        state.fault = Some(fault.into());
    }

    fn heap(state: &State) -> usize {
        let all = state.vars.iter().map(|v| size_of::<Val>() + v.heap()).sum::<usize>();
        all + state.fault.as_ref().map_or(0, |fault| fault.len())
    }
}
