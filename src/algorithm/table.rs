//! What an algorithm tells of itself as tables of text, read while the program is compiled.

use crate::model::Shape;
use crate::model::setup::{FieldInfo, Rule, When};

/// Rules as a table, one a line: its number, what sets it off (`ask`, `leave`, `get`, `timer`, `any`), the
/// same in words, what it does, and the words for what may have happened then; behind a `+` those words of
/// other rules for something that it does as well.
pub(super) const fn rules<const N: usize>(table: &'static str) -> [Rule; N] {
    let mut all =
        [Rule { id: "", when: When::Anything, on: "", text: "", outcomes: "", also: "" }; N];
    let (_, mut rest) = table.split_at(1);
    let mut i = 0;
    while i < N {
        let (line, more) = cut(rest, b'\n');
        rest = more;
        let (id, line) = cut(line, b'|');
        let (when, line) = cut(line, b'|');
        let (on, line) = cut(line, b'|');
        let (text, words) = cut(line, b'|');
        let (outcomes, also) = cut(words, b'+');
        let when = match trim(when).as_bytes() {
            b"ask" => When::Asking,
            b"leave" => When::Leaving,
            b"get" => When::Receipt,
            b"timer" => When::Timer,
            b"any" => When::Anything,
            _ => panic!("a rule is set off by ask, leave, get, timer or any"),
        };
        let (id, on, text) = (trim(id), trim(on), trim(text));
        all[i] = Rule { id, when, on, text, outcomes: trim(outcomes), also: trim(also) };
        i += 1;
    }
    assert!(rest.is_empty(), "the table has more rules than it says");
    all
}

/// Variables as a table, one a line: the name, what it can hold, and what it holds. `stamp?` may be nothing,
/// `stamps` is a queue, `each a number` has one for each of some nodes.
pub(super) const fn fields<const N: usize>(table: &'static str) -> [FieldInfo; N] {
    fields_with(Shape::Set, table)
}

/// The same, with what `own` stands for in it.
pub(super) const fn fields_with<const N: usize>(own: Shape, table: &'static str) -> [FieldInfo; N] {
    let mut all = [FieldInfo::of("", own, ""); N];
    let (_, mut rest) = table.split_at(1);
    let mut i = 0;
    while i < N {
        let (line, more) = cut(rest, b'\n');
        rest = more;
        let (name, line) = cut(line, b'|');
        let (shape, about) = cut(line, b'|');
        let shape = match trim(shape).as_bytes() {
            b"own" => own,
            b"truth" => Shape::Truth,
            b"set" => Shape::Set,
            b"number" => Shape::Number,
            b"number?" => Shape::Maybe(&Shape::Number),
            b"node" => Shape::Node,
            b"node?" => Shape::Maybe(&Shape::Node),
            b"nodes" => Shape::Queue(&Shape::Node),
            b"nodes?" => Shape::Maybe(&Shape::Queue(&Shape::Node)),
            b"stamp?" => Shape::Maybe(&Shape::Stamp),
            b"stamps" => Shape::Queue(&Shape::Stamp),
            b"each a number" => Shape::Each(&Shape::Number),
            b"each a number?" => Shape::Maybe(&Shape::Each(&Shape::Number)),
            _ => panic!("no variable holds that"),
        };
        all[i] = FieldInfo::of(trim(name), shape, trim(about));
        i += 1;
    }
    assert!(rest.is_empty(), "the table has more variables than it says");
    all
}

/// What stands before a mark, and what stands after it.
const fn cut(text: &'static str, mark: u8) -> (&'static str, &'static str) {
    let mut i = 0;
    while i < text.len() {
        if text.as_bytes()[i] == mark {
            let (before, after) = text.split_at(i);
            return (before, after.split_at(1).1);
        }
        i += 1;
    }
    (text, "")
}

const fn trim(text: &'static str) -> &'static str {
    let bytes = text.as_bytes().trim_ascii();
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a text without its blanks is a text"),
    }
}
