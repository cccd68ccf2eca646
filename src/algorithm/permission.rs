//! What the algorithms in which a reply is a permission have in common: who keeps a reply back, by the
//! papers, and the sentences for it.

use super::Cx;
use crate::model::{Phase, Stamp};

/// Whether a request that has come is deferred, by the papers: inside, or by an older request.
pub(super) fn defers<D>(cx: &Cx<'_, D>, own: Option<Stamp>, theirs: Stamp) -> bool {
    match cx.phase {
        Phase::InCs => true,
        Phase::Waiting => own.is_some_and(|own| own < theirs),
        Phase::Idle => false,
    }
}

/// Why a node defers a request or replies to it, with the two stamps that it compared.
pub(super) fn reason<D>(cx: &Cx<'_, D>, own: Option<Stamp>, theirs: Stamp, defers: bool) -> String {
    let (me, asker, shown) = (cx.my_name(), cx.name(theirs.node), cx.show(theirs));
    let does = if defers { "defers" } else { "replies to" };
    match (own, cx.phase) {
        (_, Phase::InCs) if defers => format!("{me} is inside, so it defers {asker}."),
        (_, Phase::InCs) => format!("{me} is inside and replies to {asker} all the same."),
        (Some(own), Phase::Waiting) => match (defers, own < theirs, cx.show(own)) {
            (true, true, own) => {
                format!("{me} waits with the older {own} < {shown}, so it defers {asker}.")
            }
            (false, false, own) => {
                format!("{me} waits with {own}, but {shown} is older, so it replies.")
            }
            (_, _, own) => format!("{me} waits with {own}, sees {shown} and {does} {asker}."),
        },
        (_, Phase::Idle) | (None, Phase::Waiting) => {
            format!("{me} does not want the lock, so it replies at once.")
        }
    }
}
