//! Texts in which it says that they are still to be written.
//!
//! Only what learners read is looked at: an author's own comments and keys are the author's.

use super::TODO;
use crate::input::{Document, Path};

/// The keys below a question that hold texts, and the maps and lists of such.
const TEXTS: [&str; 2] = ["prompt", "explain"];

/// The places of all texts of a lesson with so many steps that are still to be written.
pub(super) fn places(document: &Document, steps: usize, kinds: &[&str]) -> Vec<Path> {
    let root = Path::root();
    let mut places: Vec<Path> = ["title", "about"].map(|key| root.clone().key(key)).to_vec();
    let objectives = root.clone().key("objectives");
    for name in document.keys(&objectives) {
        places.push(objectives.clone().key(name));
    }
    for n in 0..steps {
        let step = root.clone().key("steps").index(n);
        places.push(step.clone().key("say"));
        for question in kinds.iter().map(|kind| step.clone().key(*kind)) {
            places.extend(TEXTS.map(|key| question.clone().key(key)));
            places.extend((0..=super::RUNGS).map(|i| question.clone().key("hints").index(i)));
            let feedback = question.clone().key("feedback");
            for answer in document.keys(&feedback) {
                places.push(feedback.clone().key(answer));
            }
            for list in ["options", "cards"].map(|key| question.clone().key(key)) {
                for pick in document.keys(&list) {
                    places.extend(["text", "say"].map(|key| list.clone().key(pick).key(key)));
                }
            }
        }
    }
    let unwritten = |path: &Path| document.text_at(path).is_some_and(|text| text.contains(TODO));
    places.retain(unwritten);
    places
}
