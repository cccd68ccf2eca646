//! How the value of a setting is read: from one text, or from the lists and maps of a file.
//!
//! Node names are judged where the nodes are known; nothing here knows an algorithm.

use crate::input::{OrderedMap, Path, Raw, Text, folded, not_among, numbers};
use crate::model::config::{Config, QuorumChoice};
use crate::model::node::{MAX_CLIENTS, Names};

/// Something in the value of a setting that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit {
    /// Where, below the value.
    pub path: Path,
    /// Whether the key there is meant and not its value.
    pub on_key: bool,
    /// What is wrong and what was expected.
    pub message: String,
}

type Read<T> = Result<T, Vec<Unfit>>;

fn unfit(path: Path, message: impl Into<String>) -> Unfit {
    Unfit { path, on_key: false, message: message.into() }
}

/// The whole value does not fit.
fn whole<T>(message: impl Into<String>) -> Read<T> {
    Err(vec![unfit(Path::root(), message)])
}

/// The value, or all that is wrong in it.
fn all<T>(value: T, wrong: Vec<Unfit>) -> Read<T> {
    if wrong.is_empty() { Ok(value) } else { Err(wrong) }
}

/// What was found, in words.
fn found(raw: &Raw) -> String {
    match raw {
        Raw::Nothing => "nothing".to_owned(),
        Raw::Text(text) => format!("`{}`", text.as_str()),
        Raw::List(_) => "a list".to_owned(),
        Raw::Map(_) => "keys with values".to_owned(),
    }
}

fn expected<T>(what: &str, raw: &Raw) -> Read<T> {
    whole(format!("expected {what}, found {}", found(raw)))
}

/// A name.
pub(super) fn name(raw: &Raw) -> Read<String> {
    raw.as_text().map_or_else(|| expected("text", raw), |text| Ok(folded(text)))
}

/// One of a few words, whatever the case of its letters.
pub(super) fn word<T: Copy>(raw: &Raw, words: &[(&str, T)]) -> Read<T> {
    let text = name(raw)?;
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text));
    let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
    found.map_or_else(|| whole(not_among(&text, &known())), |(_, what)| Ok(*what))
}

/// Texts: the items of a list, or a text cut at some signs. A sign at the end ends the last one.
pub(super) fn items(raw: &Raw, signs: &[char]) -> Read<Vec<String>> {
    let Raw::List(list) = raw else {
        let Some(text) = raw.as_text() else { return expected("a list", raw) };
        let text = folded(text);
        let text = text.strip_suffix(signs).filter(|rest| !rest.is_empty()).unwrap_or(&text);
        return Ok(text.split(signs).map(|item| item.trim().to_owned()).collect());
    };
    let mut wrong = Vec::new();
    let mut one = |(i, raw): (usize, &Raw)| {
        let text = raw.as_text().map(str::to_owned);
        if text.is_none() {
            wrong
                .push(unfit(Path::root().index(i), format!("expected text, found {}", found(raw))));
        }
        text.unwrap_or_default()
    };
    let texts = list.iter().enumerate().map(&mut one).collect();
    all(texts, wrong)
}

/// How many nodes there are, or their names.
pub(super) fn nodes(config: &mut Config, raw: &Raw) -> Read<()> {
    let count = raw.as_text().map(folded).filter(|text| is_number(text));
    config.nodes = match count {
        Some(text) => match text.parse() {
            Ok(n @ 1..=MAX_CLIENTS) => Names::numbered(n),
            Ok(_) | Err(_) => {
                return whole(format!("a cluster has 1 to {MAX_CLIENTS} nodes, not {text}"));
            }
        },
        None => items(raw, &[','])?,
    };
    Ok(())
}

/// Whether a text is meant as a number, of which kind ever.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// First clock values: in the order of the nodes, or by node.
pub(super) fn clocks(config: &mut Config, raw: &Raw) -> Read<()> {
    config.clocks = match raw {
        Raw::Text(text) => numbers(&folded(text), "clock value").or_else(whole)?,
        Raw::Map(each) if each.is_empty() => Vec::new(),
        Raw::Map(each) => {
            let mut wrong = Vec::new();
            let values = of_nodes(&config.nodes, each, &mut wrong, |raw, at, wrong| {
                number(raw, at, wrong).unwrap_or(0)
            });
            all(values.into_iter().map(Option::unwrap_or_default).collect(), wrong)?
        }
        Raw::Nothing | Raw::List(_) => number_list(raw)?,
    };
    Ok(())
}

/// How often nodes ask: one number for all, or one for each.
pub(super) fn requests(raw: &Raw) -> Read<Vec<u32>> {
    match raw {
        Raw::Text(text) => numbers(&folded(text), "number of requests").or_else(whole),
        Raw::Nothing | Raw::List(_) | Raw::Map(_) => number_list(raw),
    }
}

fn number_list(raw: &Raw) -> Read<Vec<u32>> {
    let list = match raw {
        Raw::Nothing => return Ok(Vec::new()),
        Raw::List(list) => list,
        Raw::Text(_) | Raw::Map(_) => return expected("a list", raw),
    };
    let mut wrong = Vec::new();
    let one = |(i, raw)| number(raw, Path::root().index(i), &mut wrong).unwrap_or(0);
    let values = list.iter().enumerate().map(one).collect();
    all(values, wrong)
}

fn number(raw: &Raw, at: Path, wrong: &mut Vec<Unfit>) -> Option<u32> {
    let digits = raw.as_text().filter(|t| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()));
    let message = match digits.map(str::parse) {
        Some(Ok(number)) => return Some(number),
        Some(Err(_)) => format!("the number {} is too large", found(raw)),
        None => format!("expected a whole number, found {}", found(raw)),
    };
    wrong.push(unfit(at, message));
    None
}

/// The value of each node, read from a map by node; a name that no node has is noted, and one that comes
/// twice.
fn of_nodes<T>(
    nodes: &[String],
    each: &OrderedMap<Text, Raw>,
    wrong: &mut Vec<Unfit>,
    mut read: impl FnMut(&Raw, Path, &mut Vec<Unfit>) -> T,
) -> Vec<Option<T>> {
    let mut values: Vec<Option<T>> = nodes.iter().map(|_| None).collect();
    for (name, raw) in each.iter() {
        let at = Path::root().key(name.as_str());
        let value = read(raw, at.clone(), wrong);
        match place(nodes, name) {
            Some(i) if values[i].is_none() => values[i] = Some(value),
            Some(_) => wrong.push(Unfit {
                path: at,
                on_key: true,
                message: format!("`{}` is given twice", name.as_str()),
            }),
            None => wrong.push(Unfit { path: at, on_key: true, message: nobody(name, nodes) }),
        }
    }
    values
}

fn place(nodes: &[String], name: &str) -> Option<usize> {
    nodes.iter().position(|n| n.eq_ignore_ascii_case(name))
}

fn nobody(name: &str, nodes: &[String]) -> String {
    format!("no node `{name}`; this cluster has {}", nodes.join(", "))
}

/// Notes a name that no node has, where the nodes are known.
fn need_node(name: &str, nodes: &[String], path: Path, wrong: &mut Vec<Unfit>) {
    if !nodes.is_empty() && place(nodes, name).is_none() {
        wrong.push(unfit(path, nobody(name, nodes)));
    }
}

/// A tree: its shape, or each node's neighbour towards the first.
pub(super) fn tree(config: &mut Config, raw: &Raw) -> Read<()> {
    let nodes = &config.nodes;
    let towards = |parent: fn(usize) -> usize| {
        let edge = |i: usize| (nodes[i].clone(), nodes[parent(i)].clone());
        Some((1..nodes.len()).map(edge).collect())
    };
    let mut wrong = Vec::new();
    let tree = match raw {
        Raw::Map(each) => {
            let mut edges = Vec::new();
            of_nodes(nodes, each, &mut wrong, |raw, at, wrong| match raw.as_text() {
                Some(parent) => need_node(parent, nodes, at, wrong),
                None => wrong.push(unfit(at, format!("expected text, found {}", found(raw)))),
            });
            for (child, parent) in each.iter() {
                edges.push((child.to_string(), parent.as_text().unwrap_or_default().to_owned()));
            }
            Some(edges)
        }
        Raw::Nothing | Raw::List(_) | Raw::Text(_) => {
            match name(raw)?.to_ascii_lowercase().as_str() {
                "star" => None,
                "line" => towards(|i| i - 1),
                "heap" => towards(|i| i.div_ceil(2) - 1),
                "" => Some(Vec::new()),
                _ => {
                    let edges = items(raw, &[','])?.iter().map(|edge| self::edge(edge)).collect();
                    let edges: Vec<(String, String)> = Result::or_else(edges, whole)?;
                    for name in edges.iter().flat_map(|(child, parent)| [child, parent]) {
                        need_node(name, nodes, Path::root(), &mut wrong);
                    }
                    Some(edges)
                }
            }
        }
    };
    config.tree = all(tree, wrong)?;
    Ok(())
}

fn edge(text: &str) -> Result<(String, String), String> {
    // An arrow with a shaft is one as well: no name ends in a hyphen.
    let shaft = |c: char| c == '-' || c == '=' || c.is_whitespace();
    let ends = text.split_once('>');
    let ends = ends.map(|(a, b)| (a.trim_end_matches(shaft).to_owned(), b.trim().to_owned()));
    ends.ok_or_else(|| {
        format!("`{text}` is no tree; write star, line, heap, or pairs like P2>P1,P3>P1")
    })
}

/// The forms of voting sets.
const SETS: &str =
    "write cyclic, grid, plane, tree, or each node with its list, like {P1: [P1, P2]}";

/// Voting sets: how they are made, or each node's.
pub(super) fn quorums(config: &mut Config, raw: &Raw) -> Read<()> {
    let nodes = &config.nodes;
    let mut wrong = Vec::new();
    let choice = match raw {
        Raw::Nothing => QuorumChoice::default(),
        Raw::List(_) => return whole(format!("a list makes no voting sets; {SETS}")),
        Raw::Text(text) => match folded(text).to_ascii_lowercase().as_str() {
            "cyclic" => QuorumChoice::Cyclic,
            "grid" => QuorumChoice::Grid,
            "plane" => QuorumChoice::Plane,
            "tree" => QuorumChoice::Tree,
            _ => QuorumChoice::Sets(sets_in_line(raw, nodes)?),
        },
        Raw::Map(each) => {
            let sets =
                of_nodes(nodes, each, &mut wrong, |raw, at, wrong| set(raw, nodes, &at, wrong));
            for (name, _) in nodes.iter().zip(&sets).filter(|(_, set)| set.is_none()) {
                wrong.push(unfit(Path::root(), format!("{name} has no voting set")));
            }
            QuorumChoice::Sets(sets.into_iter().map(Option::unwrap_or_default).collect())
        }
    };
    config.quorums = all(choice, wrong)?;
    Ok(())
}

/// `P1 P2,P2 P3,P1 P3`.
fn sets_in_line(raw: &Raw, nodes: &[String]) -> Read<Vec<Vec<String>>> {
    let members = |set: &String| set.split_whitespace().map(str::to_owned).collect();
    let sets: Vec<Vec<String>> = items(raw, &[','])?.iter().map(members).collect();
    let mut wrong = Vec::new();
    match sets.as_slice() {
        [set] if nodes.len() > 1 && set.iter().all(|name| place(nodes, name).is_none()) => {
            wrong.push(unfit(Path::root(), format!("{} makes no voting sets; {SETS}", found(raw))));
        }
        sets => {
            for name in sets.iter().flatten() {
                need_node(name, nodes, Path::root(), &mut wrong);
            }
        }
    }
    all(sets, wrong)
}

/// The members of one voting set.
fn set(raw: &Raw, nodes: &[String], at: &Path, wrong: &mut Vec<Unfit>) -> Vec<String> {
    let Raw::List(members) = raw else {
        wrong.push(unfit(at.clone(), "a voting set is a list of nodes, like [P1, P2]"));
        return Vec::new();
    };
    let names: Vec<String> =
        members.iter().map(|member| member.as_text().unwrap_or_default().to_owned()).collect();
    for (i, name) in names.iter().enumerate() {
        need_node(name, nodes, at.clone().index(i), wrong);
    }
    names
}
