//! The storage node: its row in the nodes table, and what it was asked to write.
//!
//! An accepted write, a refused one and one that loses an update differ in their signs and in their
//! words, not only in colour. What is accepted is decided by the engine.

use crate::export::phrases;
use crate::model::{Names, StorageRule};
use crate::sim::NodeView;
use crate::sim::view::{StorageView, WriteView};
use crate::ui::panel::Look;
use crate::ui::panel::text::width;
use crate::ui::theme::Role;

/// The title of the list of writes.
#[must_use]
pub fn title(node: &NodeView) -> String {
    let crashed = if node.crashed { ", has crashed" } else { "" };
    format!("{}, the storage{crashed}", node.name)
}

/// What it looks at, then every write that has reached it, the newest first; the mark says whether it
/// was accepted.
#[must_use]
pub fn lines(storage: &StorageView, names: &Names) -> Vec<(Option<bool>, String)> {
    let mut lines = vec![(None, phrases::storage(storage))];
    lines.extend(storage.writes.iter().rev().map(|w| {
        let client = names.get(w.client);
        let fence = w.fence.map_or("no fence".to_owned(), |f| format!("fence {f}"));
        let (what, then) = match (w.accepted, w.overwrites) {
            (None, _) => (client.to_owned(), ": refused".to_owned()),
            (Some(number), None) => (format!("w{number} of {client}"), String::new()),
            (Some(number), Some(lost)) => {
                (format!("w{number} of {client}"), format!(": w{lost} is a LOST UPDATE"))
            }
        };
        (Some(w.accepted.is_some()), format!("step {}: {what}, {fence}{then}", w.step))
    }));
    if storage.writes.is_empty() {
        lines.push((None, "nothing was written yet".to_owned()));
    }
    lines
}

/// What the signs of the row mean.
pub(super) fn legend(look: &Look) -> Vec<(String, &'static str)> {
    vec![
        (
            format!("{} w1 P2 34", look.glyphs.yes),
            "at the storage: the first accepted write, by P2 with the fence 34",
        ),
        (format!("{} P1 33", look.glyphs.no), "at the storage: a refused write"),
        (
            "! w2 P1 33 loses w1".to_owned(),
            "at the storage: a lost update; w2 overwrites w1, which P1 had not seen",
        ),
    ]
}

/// A piece of the row: text in a role.
pub(super) type Piece = (String, Role);

/// `✓ w1 P2 33`, `✗ P1 33`, `! w2 P1 33 loses w1`: the fence last, where there is one.
fn piece(write: &WriteView, names: &Names, look: &Look) -> Piece {
    let client = names.get(write.client);
    let fence = write.fence.map_or(String::new(), |f| format!(" {f}"));
    match (write.accepted, write.overwrites) {
        (None, _) => (format!("{} {client}{fence}", look.glyphs.no), Role::Bad),
        (Some(number), None) => {
            (format!("{} w{number} {client}{fence}", look.glyphs.yes), Role::Ok)
        }
        (Some(number), Some(lost)) => {
            (format!("! w{number} {client}{fence} loses w{lost}"), Role::Warn)
        }
    }
}

/// What the row says beside name and state, in so many columns: the highest fence, and as many of the
/// last writes as there is room for, in their order.
pub(super) fn row(storage: &StorageView, names: &Names, look: &Look, columns: usize) -> Vec<Piece> {
    let head = match (storage.rule, storage.highest) {
        (StorageRule::Plain, _) => "no fence looked at".to_owned(),
        (StorageRule::Fenced, None) => "no fence seen".to_owned(),
        (StorageRule::Fenced, Some(highest)) => format!("highest {highest}"),
    };
    let gap = (format!(" {} ", look.glyphs.separator), Role::Dim);
    let more = (look.glyphs.ellipsis.to_owned(), Role::Dim);
    let mut left = columns.saturating_sub(width(&head));
    let mut writes: Vec<Piece> = Vec::new();
    for (i, write) in storage.writes.iter().enumerate().rev() {
        let shown = piece(write, names, look);
        // What is left out before it needs its sign.
        let spare = if i == 0 { 0 } else { width(&gap.0) + width(&more.0) };
        if width(&gap.0) + width(&shown.0) + spare > left {
            writes.insert(0, more.clone());
            break;
        }
        left -= width(&gap.0) + width(&shown.0);
        writes.insert(0, shown);
    }
    let mut row = vec![(head, Role::Text)];
    for write in writes {
        row.extend([gap.clone(), write]);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Lab;
    use crate::model::Config;
    use crate::ui::color::ColorUse;
    use crate::ui::theme::{Glyphs, Theme, ThemeName};

    const STORY: &str = "request P1; deliver P1>L; deliver L>P1; timeout L; request P2; deliver P2>L; \
                         deliver L>P2; write P2; deliver P2>S; write P1; deliver P1>S";

    fn shown(rule: StorageRule, columns: usize) -> String {
        let config = Config {
            storage: Some(rule),
            options: vec!["from-33".to_owned()],
            ..Config::new("lease", 2)
        };
        let mut lab = Lab::new(config).expect("default settings");
        lab.play_schedule(STORY).expect("every event is enabled where it stands");
        let theme = Theme::new(ThemeName::Dark, ColorUse::Off, None);
        let look = Look { theme, glyphs: Glyphs::ASCII };
        let storage = lab.state().view().storage.expect("a storage node");
        row(&storage, &lab.setup().names, &look, columns).into_iter().map(|(t, _)| t).collect()
    }

    #[test]
    fn accepted_refused_and_lost_writes_differ_in_their_signs() {
        assert_eq!(shown(StorageRule::Fenced, 60), "highest 34 | + w1 P2 34 | x P1 33");
        assert_eq!(
            shown(StorageRule::Plain, 60),
            "no fence looked at | + w1 P2 34 | ! w2 P1 33 loses w1"
        );
    }

    #[test]
    fn the_oldest_writes_give_way_where_there_is_no_room() {
        for columns in 14..40 {
            let text = shown(StorageRule::Fenced, columns);
            assert!(width(&text) <= columns, "{columns}: {text}");
        }
        assert_eq!(shown(StorageRule::Fenced, 25), "highest 34 | ~ | x P1 33");
    }
}
