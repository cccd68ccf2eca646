//! What the algorithms whose token is asked for have in common.

use super::{Cx, Outbox};
use crate::model::Phase;

/// The token arrives at this node. The rule is lit where the node waits for it.
pub(super) fn arrives<M, D>(cx: &Cx<'_, D>, rule: &'static str, out: &mut Outbox<M>) {
    let waits = cx.phase == Phase::Waiting;
    out.rule_if(waits, rule, || {
        let unasked = if waits { "" } else { " and was not waiting for it" };
        format!("{} has the token{unasked}.", cx.my_name())
    });
}

/// A node asks: nobody while the token is `here`, by the first rule; otherwise everybody, by the second,
/// with the number of its request, which goes up by one.
pub(super) fn asks<M: Clone, D>(
    cx: &Cx<'_, D>,
    (here, rules): (bool, [&'static str; 2]),
    numbers: &mut [u32],
    request: fn(u32) -> M,
    out: &mut Outbox<M>,
) {
    let me = cx.my_name();
    if here {
        return out.rule(rules[0], || format!("{me} has the token, so it asks nobody."));
    }
    let number = &mut numbers[cx.me.index()];
    *number += 1;
    out.rule(rules[1], || {
        format!("{me} asks everybody for the token: its request number {number}.")
    });
    out.broadcast(cx, &request(*number));
}

/// Why the holder has not sent the token to a node of whose request it has `noted` something or nothing.
pub(super) fn kept_back<D>(cx: &Cx<'_, D>, noted: bool) -> String {
    let me = cx.my_name();
    match (cx.phase, noted) {
        (Phase::InCs, true) => format!("{me} is inside with the token and has noted the request"),
        (Phase::InCs, false) => format!("{me} is inside with the token and knows of no request"),
        (Phase::Idle | Phase::Waiting, _) => format!("{me} has the token and keeps it"),
    }
}
