//! Sentences that several algorithms have in common.

use crate::model::{Names, Stamp};

/// Why a waiting node defers a request or replies to it, where it compares stamps.
pub(super) fn compared(names: &Names, (own, theirs): (Stamp, Stamp), defers: bool) -> String {
    let (me, asker) = (names.get(own.node), names.get(theirs.node));
    let (mine, shown) = (own.show(names), theirs.show(names));
    match (defers, own < theirs) {
        (true, true) => {
            format!("{me} waits with the older {mine} < {shown}, so it defers {asker}.")
        }
        (false, false) => format!("{me} waits with {mine}, but {shown} is older, so it replies."),
        (true, false) => format!("{me} waits with {mine}, sees {shown} and defers {asker}."),
        (false, true) => format!("{me} waits with {mine}, sees {shown} and replies to {asker}."),
    }
}
