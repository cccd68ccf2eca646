//! What one cell of the nodes table holds, as people write it: `(5,P1)`, `P1 P3`, `{P1, P3}`, `3`,
//! `P2:4`, `waiting`, `–`.
//!
//! Sets are the same in any order, queues are not. Marks of conditions never count.

use crate::model::{Names, NodeId, Value};

/// A part of a cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item {
    Nothing,
    Number(i64),
    Node(NodeId),
    Stamp(i64, NodeId),
    /// `P2:3`.
    For(NodeId, Box<Item>),
    Word(String),
}

/// The words for nothing.
const NOTHING: [&str; 6] = ["none", "nobody", "nothing", "empty", "null", "–"];

/// The words for the node whose cell it is, as the rules write it.
const SELF: [&str; 2] = ["self", "itself"];

/// A cell that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell(Vec<Item>);

impl Cell {
    /// Reads a cell; `None`: it cannot be read.
    #[must_use]
    pub fn read(text: &str, names: &Names) -> Option<Self> {
        let mut reader = Reader { rest: text, names };
        let mut items = Vec::new();
        while let Some(item) = reader.item()? {
            if item != Item::Nothing {
                items.push(item);
            }
        }
        Some(Self(items))
    }

    /// Whether it says what a variable holds. `own` is the node whose cell it is: `self` means that one.
    #[must_use]
    pub fn is(&self, value: &Value, own: NodeId, names: &Names) -> bool {
        let wanted = items(value);
        let any_order = matches!(value.plain(), Value::Set(_) | Value::PerNode(_));
        let mut given = meant(&self.0, &wanted, own, names);
        if !any_order {
            return given == wanted;
        }
        let mut wanted = wanted;
        for list in [&mut given, &mut wanted] {
            list.retain(|item| !matches!(item, Item::For(_, of) if **of == Item::Nothing));
            list.sort();
            list.dedup();
        }
        given == wanted
    }
}

/// What a variable holds, in parts.
fn items(value: &Value) -> Vec<Item> {
    match value {
        Value::None => Vec::new(),
        Value::Num(n) => vec![Item::Number(*n)],
        Value::Bool(b) => vec![Item::Word(if *b { "yes" } else { "no" }.to_owned())],
        Value::Word(w) => vec![Item::Word(folded(w))],
        Value::Node(n) => vec![Item::Node(*n)],
        Value::Stamp(s) => vec![Item::Stamp(i64::from(s.clock), s.node)],
        Value::Set(set) => set.iter().map(Item::Node).collect(),
        Value::List(list) => list.iter().flat_map(items).collect(),
        Value::PerNode(list) => list
            .iter()
            .map(|(n, v, _)| {
                Item::For(*n, Box::new(items(v).into_iter().next().unwrap_or(Item::Nothing)))
            })
            .collect(),
        Value::Marked(inner, _) => items(inner),
    }
}

/// What was meant, where it is known what kind of thing is asked for: `1 2` are P1 and P2 where nodes
/// are, and `5,P1` is a stamp.
fn meant(given: &[Item], wanted: &[Item], own: NodeId, names: &Names) -> Vec<Item> {
    // Numbers alone, as many as there are nodes: one for each, in the cluster's order.
    let number = |item: &Item| matches!(item, Item::Number(_));
    let of = |item: &Item| match item {
        Item::For(node, of) if number(of) => Some(*node),
        _ => None,
    };
    let each: Option<Vec<NodeId>> = wanted.iter().map(of).collect();
    if let Some(each) = each
        && given.len() == each.len()
        && given.iter().all(number)
    {
        let one = |(node, item): (&NodeId, &Item)| Item::For(*node, Box::new(item.clone()));
        return each.iter().zip(given).map(one).collect();
    }
    let nodes = matches!(wanted.first(), Some(Item::Node(_)));
    let stamps = matches!(wanted.first(), Some(Item::Stamp(..)));
    let mut meant: Vec<Item> = Vec::new();
    for item in given {
        let next = match (item, meant.last()) {
            (Item::Number(n), _) if nodes => {
                names.find(&format!("P{n}")).map_or_else(|| item.clone(), Item::Node)
            }
            (Item::Word(word), _) if nodes && SELF.contains(&word.as_str()) => Item::Node(own),
            (Item::Node(node), Some(Item::Number(clock))) if stamps => {
                let stamp = Item::Stamp(*clock, *node);
                meant.pop();
                stamp
            }
            // `IN CS`, as the screen writes it.
            (Item::Word(word), Some(Item::Word(before))) if word == "incs" && before == "in" => {
                meant.pop();
                item.clone()
            }
            _ => item.clone(),
        };
        meant.push(next);
    }
    meant
}

/// A word of the engine or an algorithm, in one of its forms.
fn folded(word: &str) -> String {
    let letters: String = word
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    let word = match letters.as_str() {
        "true" => "yes",
        "false" => "no",
        "inside" | "cs" => "incs",
        "wait" | "waits" => "waiting",
        other => other,
    };
    word.to_owned()
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a Names,
}

impl Reader<'_> {
    fn skip(&mut self) {
        let between = |c: char| {
            c.is_whitespace()
                || matches!(c, ',' | '{' | '}' | '[' | ']' | '✓' | '✗' | '*' | '+' | '<')
        };
        self.rest = self.rest.trim_start_matches(between);
    }

    /// The next part: `None`: it cannot be read; `Some(None)`: there is none.
    fn item(&mut self) -> Option<Option<Item>> {
        self.skip();
        let Some(c) = self.rest.chars().next() else { return Some(None) };
        if c == '(' {
            return self.stamp().map(Some);
        }
        let negative = c == '-' && self.rest[1..].starts_with(|d: char| d.is_ascii_digit());
        if matches!(c, '–' | '-' | '∅' | '—') && !negative {
            self.rest = &self.rest[c.len_utf8()..];
            return Some(Some(Item::Nothing));
        }
        let word = self.word(negative)?;
        let after = self.rest.trim_start();
        match (self.names.find(&word), after.strip_prefix(':')) {
            (Some(node), Some(rest)) => {
                self.rest = rest;
                let of = self.item()??;
                Some(Some(Item::For(node, Box::new(of))))
            }
            (_, Some(_)) => None,
            (Some(node), None) => Some(Some(Item::Node(node))),
            (None, None) => Some(Some(self.plain(&word))),
        }
    }

    fn plain(&self, word: &str) -> Item {
        // `5.0` is 5.
        let whole = word.split_once('.').filter(|(_, zeros)| zeros.bytes().all(|b| b == b'0'));
        match whole.map_or(word, |(whole, _)| whole).parse() {
            Ok(number) => Item::Number(number),
            Err(_) if NOTHING.contains(&word.to_lowercase().as_str()) => Item::Nothing,
            Err(_) => Item::Word(folded(word)),
        }
    }

    fn word(&mut self, negative: bool) -> Option<String> {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let from = usize::from(negative);
        let end = self.rest[from..].find(|c| !part(c)).map_or(self.rest.len(), |end| end + from);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// `(5,P1)`.
    fn stamp(&mut self) -> Option<Item> {
        let (inside, rest) = self.rest[1..].split_once(')')?;
        self.rest = rest;
        let (clock, node) = inside.split_once(',')?;
        let node = node.trim();
        let named = self.names.find(node).or_else(|| self.names.find(&format!("P{node}")))?;
        Some(Item::Stamp(clock.trim().parse().ok()?, named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{NodeSet, Stamp};
    use proptest::prelude::*;

    fn names() -> Names {
        Names::new(Names::numbered(3))
    }

    fn is(text: &str, value: &Value) -> bool {
        Cell::read(text, &names()).is_some_and(|cell| cell.is(value, NodeId(2), &names()))
    }

    fn stamp(clock: u32, node: u8) -> Value {
        Value::Stamp(Stamp::new(clock, NodeId(node)))
    }

    #[test]
    fn a_cell_is_read_as_the_table_shows_it_and_as_people_write_it() {
        let set = Value::Set([NodeId(0), NodeId(2)].into_iter().collect());
        let queue = Value::List(vec![stamp(3, 1), stamp(5, 0)]);
        let nodes = Value::List(vec![Value::Node(NodeId(1)), Value::Node(NodeId(0))]);
        let heard = Value::PerNode(vec![
            (NodeId(1), Value::Num(4), Some(true)),
            (NodeId(2), Value::None, Some(false)),
        ]);
        let counts = Value::PerNode(vec![
            (NodeId(0), Value::Num(1), None),
            (NodeId(1), Value::Num(2), None),
            (NodeId(2), Value::Num(0), None),
        ]);
        let cases: [(&Value, &[&str], &[&str]); 9] = [
            (
                &counts,
                &["P1:1 P2:2 P3:0", "1 2 0", "[1, 2, 0]", "P3:0 P1:1 P2:2"],
                &["1 2", "2 1 0", "P1:1 P2:2", "1 2 0 0"],
            ),
            (
                &set,
                &["P1 P3", "{P3, P1}", "p1,p3", "1 3", "P1 P3 P1"],
                &["P1", "P1 P2 P3", "–", "13"],
            ),
            (
                &queue,
                &["(3,P2) (5,P1)", "[(3,P2), (5,P1)]", "3,P2 5,P1", "(3,2) (5,1)"],
                &["(5,P1) (3,P2)"],
            ),
            (&nodes, &["P2 P1", "2, 1", "P2 < P1"], &["P1 P2", "P2"]),
            (&heard, &["P2:4 P3:–", "P2: 4", "P3:- P2:4✓"], &["P2:3", "P2:4 P3:1", "4"]),
            (&stamp(5, 0), &["(5,P1)", "( 5 , p1 )", "5,P1"], &["(5,P2)", "(4,P1)", "5", "–"]),
            (&Value::None, &["–", "-", "none", "nobody", "{}", "[]", "∅"], &["P1", "0"]),
            (&Value::Bool(true), &["yes", "YES", "true"], &["no", "–"]),
            (&Value::Word("in-cs"), &["in-cs", "IN CS", "inside", "in_cs"], &["waiting", "idle"]),
        ];
        for (value, right, wrong) in cases {
            for text in right {
                assert!(is(text, value), "{text} is {value:?}");
            }
            for text in wrong {
                assert!(!is(text, value), "{text} is not {value:?}");
            }
            assert!(is(&value.show(&names(), "✓", "✗"), value), "{value:?}");
        }
        assert!(is("", &Value::Set(NodeSet::EMPTY)));
        assert!(is("-3", &Value::Num(-3)) && is("03", &Value::Num(3)));
        assert!(is("5.0", &Value::Num(5)) && is("5.", &Value::Num(5)) && !is("5.5", &Value::Num(5)));
        let own = Value::Node(NodeId(2));
        assert!(is("self", &own) && is("Itself", &own) && !is("self", &Value::Node(NodeId(1))));
        assert!(is("P1 self", &set) && !is("self", &set));
    }

    #[test]
    fn what_is_no_cell_is_none() {
        for text in ["(5", "(5,P9)", "(P1,5)", "P9:3", "§", "P1:", "(5;P1)"] {
            assert_eq!(Cell::read(text, &names()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}", signs in "[P1-3(),:{} ✓–-]{0,20}") {
            for text in [text, signs] {
                let _read = Cell::read(&text, &names()).map(|cell| cell.is(&Value::None, NodeId(0), &names()));
            }
        }
    }
}
