//! Values as people write them, read by the shape of what is asked: `(5,P1)`, `P1 P3`, `{P1, P3}`, `3`,
//! `P2:4`, `waiting`, `–`.
//!
//! Generous where the shape leaves one meaning; what does not have the shape is no value at all. The text
//! is folded before (`input::folded`).

use super::{Place, STANDINGS, Shape};
use crate::model::node::{NodeId, NodeSet};
use crate::model::stamp::Stamp;
use crate::model::value::Value;

/// The words for nothing.
const NOTHING: [&str; 12] = [
    "none",
    "nobody",
    "nothing",
    "empty",
    "null",
    "nil",
    "no one",
    "noone",
    "∅",
    "ø",
    "empty set",
    "empty queue",
];

/// Several stamps.
const STAMPS: Shape = Shape::Queue(&Shape::Stamp);

/// The words for the node whose variable it is, as the rules write it.
const SELF: [&str; 4] = ["self", "itself", "own", "myself"];

/// Other words for where a node stands; the second is ours.
const ALSO: [(&str, usize); 28] = [
    ("out", 0),
    ("outside", 0),
    ("notincs", 0),
    ("ncs", 0),
    ("released", 0),
    ("wait", 1),
    ("waits", 1),
    ("wants", 1),
    ("wanted", 1),
    ("wanting", 1),
    ("requesting", 1),
    ("requested", 1),
    ("asking", 1),
    ("in", 2),
    ("inside", 2),
    ("cs", 2),
    ("incs", 2),
    ("inthecs", 2),
    ("insidecs", 2),
    ("insidethecs", 2),
    ("incriticalsection", 2),
    ("inthecriticalsection", 2),
    ("insidethecriticalsection", 2),
    ("criticalsection", 2),
    ("critical", 2),
    ("held", 2),
    ("down", 3),
    ("crash", 3),
];

impl Shape {
    /// The value that a folded text means for a variable of this shape; `None`: it has not this shape.
    #[must_use]
    pub fn read(&self, text: &str, at: Place<'_>) -> Option<Value> {
        let text = text.trim();
        match self {
            // A node that is called so goes before; empty brackets are an empty queue.
            Self::Maybe(inner) if nothing(text, at) && !text.starts_with(['[', '{']) => {
                (!text.is_empty()).then_some(Value::None).or_else(|| inner.read(text, at))
            }
            Self::Maybe(inner) => {
                inner.read(text, at).or_else(|| nothing(text, at).then_some(Value::None))
            }
            Self::Any if nothing(text, at) => Some(Value::None),
            Self::Any => {
                const EITHER: [Shape; 6] =
                    [Shape::Number, Shape::Truth, Shape::Node, Shape::Stamp, Shape::Set, STAMPS];
                EITHER.iter().find_map(|shape| shape.read(text, at))
            }
            Self::Number => whole(text).map(Value::Num),
            Self::Truth => truth(text).map(Value::Bool),
            Self::Word(words) => {
                let same = |word: &&&str| letters(word) == letters(text);
                words.iter().find(same).copied().map(Value::Word)
            }
            Self::Standing => {
                let typed = letters(text);
                let own = STANDINGS.iter().position(|word| letters(word) == typed);
                let also = || ALSO.iter().find(|(word, _)| *word == typed).map(|(_, i)| *i);
                own.or_else(also).map(|i| Value::Word(STANDINGS[i]))
            }
            Self::Node => node(unwrapped(text), at).map(Value::Node),
            Self::Stamp => match parts(unlisted(text), at)?.as_slice() {
                [one] => stamp(one, at),
                [clock, node] => stamp(&format!("({clock},{node})"), at),
                _ => None,
            }
            .map(Value::Stamp),
            Self::Set => {
                let members =
                    if nothing(text, at) { Vec::new() } else { parts(unwrapped(text), at)? };
                let set: Option<NodeSet> = members.iter().map(|part| node(part, at)).collect();
                set.map(Value::Set)
            }
            Self::Queue(_) if nothing(text, at) => Some(Value::List(Vec::new())),
            Self::Queue(Self::Stamp) => stamps(&parts(unlisted(text), at)?, at).map(Value::List),
            Self::Queue(inner) => {
                let items = parts(unwrapped(text), at)?;
                let values: Option<Vec<Value>> =
                    items.iter().map(|item| inner.read(item, at)).collect();
                values.map(Value::List)
            }
            Self::Each(inner) if nothing(text, at) => inner.each(&[], at),
            Self::Each(inner) => inner.each(&parts(&glued(unwrapped(text)), at)?, at),
            Self::Option(_, on, off) => on.read(text, at).or_else(|| off.read(text, at)),
        }
    }

    /// `P2:4 P3:–`, or a value for each node in the cluster's order.
    fn each(&self, items: &[String], at: Place<'_>) -> Option<Value> {
        let one = |text: &str| match is_nothing(text) {
            true => Some(Value::None),
            false => self.read(text, at),
        };
        let named: Option<Vec<(NodeId, Value)>> = items
            .iter()
            .map(|item| {
                let (name, value) = item.split_once([':', '='])?;
                Some((node(name, at)?, one(value)?))
            })
            .collect();
        let mut pairs = match named {
            Some(pairs) => pairs,
            None if items.len() != at.each.len() => return None,
            None => {
                let values: Option<Vec<Value>> = items.iter().map(|item| one(item)).collect();
                at.each.iter().copied().zip(values?).collect()
            }
        };
        pairs.sort();
        pairs.dedup();
        let twice = pairs.windows(2).any(|two| two[0].0 == two[1].0);
        let items = pairs.into_iter().map(|(node, value)| (node, value, None)).collect();
        (!twice).then_some(Value::PerNode(items))
    }
}

/// A text in small letters, without what stands between words.
fn letters(text: &str) -> String {
    let text = bare(text);
    let between = |c: &char| !matches!(c, '-' | '_' | ' ');
    text.chars().filter(between).flat_map(char::to_lowercase).collect()
}

/// A text without quotation marks, marks of conditions and a full stop around it.
fn bare(text: &str) -> &str {
    let outer = |c: char| matches!(c, '"' | '\'' | '`' | '✓' | '✗' | '*' | ' ');
    let text = text.trim_matches(outer);
    text.strip_suffix('.').map_or(text, |rest| rest.trim_end_matches(outer))
}

/// Whether a text says that there is nothing.
fn is_nothing(text: &str) -> bool {
    let text = bare(text).to_lowercase();
    let inner = text.strip_prefix("the ").or_else(|| text.strip_prefix("an ")).unwrap_or(&text);
    let dashes = !inner.is_empty() && inner.bytes().all(|b| b == b'-');
    let empty = inner.chars().all(|c| matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ' ' | '∅'));
    dashes || (empty && !inner.is_empty()) || NOTHING.contains(&inner)
}

/// The same where nodes may be meant: a node of that name goes before.
fn nothing(text: &str, at: Place<'_>) -> bool {
    (is_nothing(text) || bare(text).is_empty()) && at.names.find(bare(text)).is_none()
}

fn truth(text: &str) -> Option<bool> {
    if text == "✓" || text == "✗" {
        return Some(text == "✓");
    }
    match letters(text).as_str() {
        "yes" | "y" | "true" | "t" | "1" => Some(true),
        "no" | "n" | "false" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// `5`, `05`, `5.0`, `= 5`, `#5`, `-3`: figures alone.
fn whole(text: &str) -> Option<i64> {
    let text = bare(bare(text).trim_start_matches(['=', '#']));
    let (whole, zeros) = text.split_once('.').unwrap_or((text, ""));
    let figures = whole.trim_start_matches(['-', '+']);
    let fits = whole.len() - figures.len() <= 1 && (1..=18).contains(&figures.len());
    let plain = figures.bytes().all(|b| b.is_ascii_digit()) && zeros.bytes().all(|b| b == b'0');
    if fits && plain { whole.parse().ok() } else { None }
}

/// A text without one pair of brackets around it as a whole.
fn unwrapped(text: &str) -> &str {
    let text = bare(text);
    let pairs = [('{', '}'), ('[', ']'), ('(', ')'), ('<', '>')];
    let inner = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inner).map_or(text, str::trim)
}

/// A node: its name, `2` for P2 where nobody is called so, or the node itself.
fn node(text: &str, at: Place<'_>) -> Option<NodeId> {
    let text = bare(text);
    let numbered = || {
        let figures = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        at.names.find(&format!("P{text}")).filter(|_| figures)
    };
    let own = || SELF.contains(&text.to_lowercase().as_str()).then_some(at.own);
    at.names.find(text).or_else(numbered).or_else(own)
}

/// A list of stamps without brackets around all of it.
fn unlisted(text: &str) -> &str {
    let text = bare(text);
    if text.starts_with(['{', '[']) || text.starts_with("((") { unwrapped(text) } else { text }
}

/// The parts of a list: what stands in round brackets is one part. `None`: a bracket is left open, or
/// there is none.
fn parts(text: &str, at: Place<'_>) -> Option<Vec<String>> {
    let text = text.replace("->", " ").replace("=>", " ");
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut depth = 0_u32;
    for c in text.chars().chain([' ']) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            '[' | ']' | '{' | '}' => return None,
            _ => {}
        }
        if depth == 0 && matches!(c, ' ' | '\n' | ',' | ';' | '<' | '>' | '&' | '+' | '|') {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
            if c == ')' && depth == 0 {
                parts.push(std::mem::take(&mut part));
            }
        }
    }
    let joint = |part: &str| matches!(part, "and" | "then") && at.names.find(part).is_none();
    let says = |part: &str| !part.is_empty() && !joint(part);
    let parts = parts.iter().map(|part| bare(part)).filter(|part| says(part));
    let said: Vec<String> = parts.map(str::to_owned).collect();
    (depth == 0 && !said.is_empty()).then_some(said)
}

/// A text in which no blank stands beside a colon.
fn glued(text: &str) -> String {
    let mut glued = String::with_capacity(text.len());
    for word in text.replace('=', ":").split_inclusive(':') {
        let word = if glued.ends_with(':') { word.trim_start() } else { word };
        match word.strip_suffix(':') {
            Some(name) => glued.extend([name.trim_end(), ":"]),
            None => glued.push_str(word),
        }
    }
    glued
}

/// `(5,P1)`, `5.P1`.
fn stamp(text: &str, at: Place<'_>) -> Option<Stamp> {
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let (clock, name) = match inside {
        Some(inside) => inside.split_once([',', '.']).or_else(|| inside.trim().split_once(' '))?,
        None => text.split_once('.')?,
    };
    let clock = u32::try_from(whole(clock)?).ok()?;
    node(name, at).map(|node| Stamp::new(clock, node))
}

/// Stamps in their order; without brackets a number and a name that follows belong together.
fn stamps(items: &[String], at: Place<'_>) -> Option<Vec<Value>> {
    let mut stamps = Vec::new();
    let mut items = items.iter().peekable();
    while let Some(item) = items.next() {
        let one = match stamp(item, at) {
            Some(one) => one,
            None => {
                let name = items.next().filter(|name| whole(name).is_none())?;
                stamp(&format!("({item},{name})"), at)?
            }
        };
        stamps.push(Value::Stamp(one));
    }
    Some(stamps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::folded;
    use crate::model::Names;
    use proptest::prelude::*;

    const NUMBERS: Shape = Shape::Each(&Shape::Number);
    const VOTES: Shape = Shape::Each(&Shape::Word(&["granted", "failed", "asked"]));
    const STAMPS: Shape = Shape::Queue(&Shape::Stamp);
    const NODES: Shape = Shape::Queue(&Shape::Node);
    const SOMEBODY: Shape = Shape::Maybe(&Shape::Node);

    /// How a text reads for a node's variable, as the table shows it; `None`: it cannot be read.
    fn read_as(shape: Shape, text: &str, names: &[&str], own: u8) -> Option<String> {
        let names = Names::new(names.iter().map(|name| (*name).to_owned()).collect());
        let each: Vec<NodeId> = (0..names.len()).map(NodeId::at).collect();
        let at = Place { names: &names, own: NodeId(own), each: &each };
        shape.read(&folded(text), at).map(|value| value.show(&names, "", ""))
    }

    fn all_are(shape: Shape, texts: &[&str], wanted: Option<&str>) {
        for text in texts {
            let read = read_as(shape, text, &["P1", "P2", "P3"], 2);
            assert_eq!(read.as_deref(), wanted, "{text} as {}", shape.called());
        }
    }

    #[test]
    fn each_shape_is_read_in_all_its_forms_and_nothing_else_is() {
        let cases: [(Shape, &str, &[&str], &[&str]); 12] = [
            (
                Shape::Number,
                "5",
                &["5", "05", "5.0", "5.", "= 5", "#5", "+5", "５", "“5”"],
                &["", "five", "0x5", "5.5", "P1", "(5,P1)", "none", "5 6", "1e3", "V"],
            ),
            (
                Shape::Truth,
                "yes",
                &["yes", "YES", "true", "y", "✓", "✔", "1"],
                &["", "–", "none", "P1", "2", "maybe", "here"],
            ),
            (
                Shape::Standing,
                "in-cs",
                &["in-cs", "IN CS", "inside", "in_cs", "cs", "in the critical section.", "held"],
                &["", "none", "P1", "3", "waiting inside"],
            ),
            (
                Shape::Standing,
                "idle",
                &["idle", "out", "Outside", "released", "“idle”"],
                &["nothing", "idle, waiting"],
            ),
            (
                Shape::Node,
                "P3",
                &["P3", "p3", "3", "self", "Itself", "{P3}", "P₃", "Ｐ３"],
                &["", "P1 P3", "P9", "none", "0", "(5,P3)"],
            ),
            (
                Shape::Stamp,
                "(5,P1)",
                &[
                    "(5,P1)",
                    "( 5 , p1 )",
                    "5,P1",
                    "5 P1",
                    "(5,1)",
                    "5,1",
                    "5.P1",
                    "⟨5,P1⟩",
                    "<5,P1>",
                    "[5,P1]",
                ],
                &["", "5", "P1", "(P1,5)", "(5,P9)", "(5", "none", "(5;P1", "5,P1,P2", "(-5,P1)"],
            ),
            (
                Shape::Set,
                "P1 P3",
                &[
                    "P1 P3",
                    "{P3, P1}",
                    "p1,p3",
                    "1 3",
                    "P1 P3 P1",
                    "P1 and P3",
                    "(P1, P3)",
                    "P1 self",
                    "P1，P3",
                ],
                &["13", "P1P3", "(5,P1)", "5", "P1 P9", "yes", "{P1} {P3}", "P1-P3"],
            ),
            (
                Shape::Set,
                "–",
                &["", "none", "nobody", "{}", "∅", "-", "—", "the empty set"],
                &["0"],
            ),
            (
                STAMPS,
                "(3,P2) (5,P1)",
                &[
                    "(3,P2) (5,P1)",
                    "[(3,P2), (5,P1)]",
                    "3,P2 5,P1",
                    "(3,2) (5,1)",
                    "(3,P2) -> (5,P1)",
                    "(3,P2) < (5,P1)",
                    "3.P2, 5.P1",
                    "<3,P2> <5,P1>",
                    "(3,P2)(5,P1)",
                ],
                &["P1, P2", "10, 15", "3, 1", "(3,P2) P1", "(3,P2), 5", "((3,P2)", "yes"],
            ),
            (
                NODES,
                "P2 P1",
                &["P2 P1", "2, 1", "P2 < P1", "P2 → P1", "[P2, P1]", "P2 then P1", "(P2, P1)"],
                &["(3,P2) (5,P1)", "P2 P9", "5", "P2P1"],
            ),
            (
                NUMBERS,
                "P1:1 P2:2 P3:0",
                &[
                    "P1:1 P2:2 P3:0",
                    "1 2 0",
                    "[1, 2, 0]",
                    "P3:0 P1:1 P2:2",
                    "P1: 1, P2: 2, P3: 0",
                    "P1=1 P2=2 P3=0",
                    "{P1: 1, P2: 2, P3: 0}",
                    "1:1 2:2 3:0",
                ],
                &["1 2", "1 2 0 0", "P1:1 P1:2", "P1:x", "P9:3", "4", "P1 P2", "P1:"],
            ),
            (SOMEBODY, "–", &["none", "-", "nobody", "∅"], &["", "0", "P9", "yes"]),
        ];
        for (shape, shown, right, not) in cases {
            all_are(shape, right, Some(shown));
            all_are(shape, not, None);
            all_are(shape, &[shown], Some(shown));
        }
        all_are(
            VOTES,
            &["P1:granted P2:asked", "P2: ASKED, P1: granted"],
            Some("P1:granted P2:asked"),
        );
        all_are(NUMBERS, &["P2:4 P3:–", "P2: 4, P3: none"], Some("P2:4 P3:–"));
    }

    #[test]
    fn nodes_may_be_called_by_numbers_and_by_words_of_ours() {
        let numbers = ["1", "2", "3"];
        for (shape, text, shown) in [
            (Shape::Number, "3", "3"),
            (Shape::Node, "3", "3"),
            (Shape::Set, "1 3", "1 3"),
            (Shape::Stamp, "(5,1)", "(5,1)"),
            (Shape::Stamp, "5,1", "(5,1)"),
            (STAMPS, "(3,2) (5,1)", "(3,2) (5,1)"),
            (NUMBERS, "1:5 2:3 3:0", "1:5 2:3 3:0"),
            (NUMBERS, "5 3 0", "1:5 2:3 3:0"),
            (Shape::Truth, "1", "yes"),
        ] {
            assert_eq!(read_as(shape, text, &numbers, 0).as_deref(), Some(shown), "{text}");
        }
        let words = ["nobody", "yes", "idle", "self", "head", "and", "empty"];
        for name in words {
            let of = |shape, text: &str| read_as(shape, text, &words, 0);
            assert_eq!(of(Shape::Node, name).as_deref(), Some(name));
            assert_eq!(of(SOMEBODY, name).as_deref(), Some(name));
            assert_eq!(of(Shape::Set, name).as_deref(), Some(name));
            assert_eq!(of(Shape::Stamp, &format!("(5,{name})")), Some(format!("(5,{name})")));
            assert_eq!(of(SOMEBODY, "none").as_deref(), Some("–"));
        }
        assert_eq!(read_as(Shape::Truth, "yes", &words, 0).as_deref(), Some("yes"));
        assert_eq!(read_as(Shape::Standing, "idle", &words, 0).as_deref(), Some("idle"));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}", signs in "[P1-3(),:{} ✓–<=.-]{0,20}") {
            let shapes = [NUMBERS, VOTES, STAMPS, NODES, SOMEBODY, Shape::Set, Shape::Stamp, Shape::Standing];
            for text in [text, signs] {
                for shape in shapes {
                    let read = read_as(shape, &text, &["P1", "P2", "P3"], 0);
                    if let Some(shown) = read {
                        prop_assert_eq!(read_as(shape, &shown, &["P1", "P2", "P3"], 0), Some(shown));
                    }
                }
            }
        }
    }
}
