//! What a question looked like when its answers file was made: the order of what can be picked, and a
//! number made from the texts. A letter means what stood there then.

use super::question::{Question, forms};
use crate::input::folded;

/// A number made from a text (FNV-1a, 64 bits), so that results tell which edition was graded.
pub(crate) fn digest(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("fnv1a:{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// How a question looks: `9f86d081`, or `9f86d081 arrival, stamps, told` where there is something to pick.
#[must_use]
pub fn looks(question: &dyn Question) -> String {
    let picks = question.picks();
    let texts = picks.iter().flat_map(|p| [p.id.as_str(), p.text.trim()]);
    let texts: Vec<&str> = [question.common().prompt.trim()].into_iter().chain(texts).collect();
    let number = digest(&texts.join("\n"));
    let ids: Vec<&str> = picks.iter().map(|p| p.id.as_str()).collect();
    format!("{} {}", &number[number.len() - 8..], ids.join(", ")).trim().to_owned()
}

/// An answer as it was meant by whoever saw the question so: letters become names.
///
/// # Errors
/// What was picked is not there any more.
pub fn meant(question: &dyn Question, seen: &str, given: &str) -> Result<String, String> {
    let ids = |looks: &str| looks.split_once(' ').map_or(String::new(), |(_, ids)| ids.to_owned());
    let then = ids(seen);
    let now = question.picks();
    if then.is_empty() || then == ids(&looks(question)) {
        return Ok(given.to_owned());
    }
    let find = |id: &str| now.iter().find(|pick| pick.id == id);
    let as_seen = |id: &str| {
        let text = find(id).map_or(id, |pick| &pick.text).to_owned();
        super::question::Pick { id: id.to_owned(), text }
    };
    let then: Vec<_> = then.split(", ").map(as_seen).collect();
    let Some(places) = forms::pick_several(&then, &folded(given)) else {
        return Ok(given.to_owned());
    };
    let picked: Vec<&str> = places.iter().map(|place| then[*place].id.as_str()).collect();
    match picked.iter().find(|id| find(id).is_none()) {
        Some(gone) => Err(format!("the question has changed, and has no `{gone}` any more")),
        None => Ok(picked.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_published_function() {
        assert_eq!(digest(""), "fnv1a:cbf29ce484222325");
        assert_eq!(digest("a"), "fnv1a:af63dc4c8601ec8c");
    }
}
