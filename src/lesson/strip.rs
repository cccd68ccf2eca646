//! The learners' copy of a lesson: the same file without keys, solutions and presenter notes.
//!
//! What the engine computes from the cluster itself is in every copy, since the cluster is; nothing that
//! an author has typed in as an answer or a reason stays. The whole file grades the answers to it.

use super::Lesson;
use super::question::Question;
use crate::input::{self, Document, Edit, OrderedMap, Path, Raw, Source, Text, raw_to_yaml};

/// The key of a file that says that its keys were taken out.
pub const MARK: &str = "stripped";

/// Keys of a question that go, by type of question; the first line is for every type.
const GONE: &[(&str, &[&str])] = &[
    ("", &["explain", "feedback", "reveal"]),
    ("number", &["answer", "measure", "run", "to_end", "cluster", "tolerance", "accept"]),
    ("drive", &["solution", "answer", "par"]),
    ("trace", &["solution"]),
    ("order", &["run", "before"]),
    ("formula", &["samples"]),
    ("invariant", &["implies"]),
];

/// Keys of a question that cannot go and are left empty.
const EMPTIED: &[(&str, &str, &str)] = &[
    ("formula", "answer", "\"\""),
    ("invariant", "answer", "\"\""),
    ("text", "accept", "[]"),
    ("explain", "model", "\"\""),
];

/// Keys of an option that go.
const OF_OPTIONS: &[&str] = &["right", "say"];

/// The text of the learners' copy. Comments stay where the text around them does.
#[must_use]
pub fn strip(lesson: &Lesson) -> String {
    // Of a lesson that is drawn the copy is drawn too: its text is what the author wrote.
    let source = lesson.document().source();
    let (written, _) = input::parse_text(source);
    let document = written.as_ref().unwrap_or(lesson.document());
    let edits = edits(lesson, document);
    let head = "stripped: true # the learners' copy: its keys were taken out\n";
    let text = marked(&document.edited(&edits), head);
    let wanted = whole(document).map(|raw| changed(&raw, &edits, &Path::root()));
    // Should a form of YAML be among the edits that was not thought of, the comments go instead.
    match wanted {
        Some(wanted) if read(document, &text).map(without_mark).as_ref() != Some(&wanted) => {
            marked(&raw_to_yaml(&wanted), head)
        }
        _ => text,
    }
}

/// Puts the mark behind the first comments of a file.
fn marked(text: &str, head: &str) -> String {
    let comments: usize = text
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        .map(str::len)
        .sum();
    format!("{}{head}{}", &text[..comments], &text[comments..])
}

fn edits(lesson: &Lesson, document: &Document) -> Vec<(Path, Edit)> {
    let mut edits = Vec::new();
    authors_keys(document, &Path::root(), &mut edits);
    authors_keys(document, &Path::root().key("cluster"), &mut edits);
    let steps = Path::root().key("steps");
    for (n, step) in lesson.steps().iter().enumerate() {
        let part = steps.clone().index(n);
        authors_keys(document, &part, &mut edits);
        edits.push((part.clone().key("note"), Edit::Remove));
        if let Some(question) = step.question.as_deref() {
            of_question(question, document, &part.key(question.kind()), &mut edits);
        }
    }
    edits.retain(|(path, _)| document.has(path));
    edits
}

/// Nobody knows what is in the author's own keys.
fn authors_keys(document: &Document, map: &Path, edits: &mut Vec<(Path, Edit)>) {
    let own = document.keys(map).into_iter().filter(|key| key.starts_with("x-"));
    edits.extend(own.map(|key| (map.clone().key(key), Edit::Remove)));
}

fn of_question(
    question: &dyn Question,
    document: &Document,
    part: &Path,
    edits: &mut Vec<(Path, Edit)>,
) {
    let kind = question.kind();
    authors_keys(document, part, edits);
    for (_, keys) in GONE.iter().filter(|(of, _)| of.is_empty() || *of == kind) {
        edits.extend(keys.iter().map(|key| (part.clone().key(*key), Edit::Remove)));
    }
    for (_, key, empty) in EMPTIED.iter().filter(|(of, ..)| *of == kind) {
        edits.push((part.clone().key(*key), Edit::Replace((*empty).to_owned())));
    }
    let options = part.clone().key("options");
    for option in document.keys(&options) {
        let option = options.clone().key(option);
        authors_keys(document, &option, edits);
        edits.extend(OF_OPTIONS.iter().map(|key| (option.clone().key(*key), Edit::Remove)));
    }
    if kind == "order" {
        let cards = cards(question, document, &part.clone().key("cards"));
        edits.push((part.clone().key("cards"), Edit::Replace(cards)));
    }
}

/// The cards as they are shown, and no more of them than what is shown.
fn cards(question: &dyn Question, document: &Document, part: &Path) -> String {
    let written = |id: &str| document.text_at(&part.clone().key(id).key("text"));
    let card = |text: String| [("text", text)].into_iter().collect::<OrderedMap<_, _>>();
    let cards: Vec<String> = question
        .picks()
        .into_iter()
        .map(|pick| {
            let text = written(&pick.id).map_or(pick.text, str::to_owned);
            let card: OrderedMap<String, _> = [(pick.id, card(text))].into_iter().collect();
            serde_json::to_string(&card).expect("texts have a JSON form")
        })
        .collect();
    let inner = cards.iter().map(|card| &card[1..card.len() - 1]).collect::<Vec<_>>().join(", ");
    format!("{{{inner}}}")
}

fn read(document: &Document, text: &str) -> Option<Raw> {
    let source = Source::from_text(document.source().name(), text, "lesson").ok()?;
    input::parse(&source).ok()
}

fn whole(document: &Document) -> Option<Raw> {
    document.read().ok()
}

fn without_mark(raw: Raw) -> Raw {
    match raw {
        Raw::Map(entries) => {
            Raw::Map(entries.into_iter().filter(|(key, _)| key.as_str() != MARK).collect())
        }
        other => other,
    }
}

/// The value with the edits made, whatever its text looks like.
fn changed(raw: &Raw, edits: &[(Path, Edit)], here: &Path) -> Raw {
    match raw {
        Raw::Nothing | Raw::Text(_) => raw.clone(),
        Raw::List(items) => {
            let one = |(i, item)| changed(item, edits, &here.clone().index(i));
            Raw::List(items.iter().enumerate().map(one).collect())
        }
        Raw::Map(entries) => {
            let one = |(key, value): (&Text, &Raw)| {
                let path = here.clone().key(key.as_str());
                let value = match edits.iter().find(|(at, _)| *at == path) {
                    Some((_, Edit::Remove)) => return None,
                    Some((_, Edit::Replace(with))) => replaced(with),
                    None => changed(value, edits, &path),
                };
                Some((key.clone(), value))
            };
            Raw::Map(entries.iter().filter_map(one).collect())
        }
    }
}

/// A value that is written in one line.
fn replaced(yaml: &str) -> Raw {
    let text = format!("value: {yaml}\n");
    let source = Source::from_text("value", &text, "value").ok();
    let map: Option<OrderedMap<Text, Raw>> = source.and_then(|s| input::parse(&s).ok());
    map.and_then(|map| map.into_iter().next()).map_or(Raw::Nothing, |(_, value)| value)
}
