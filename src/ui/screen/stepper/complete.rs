//! What Tab can put behind the cursor of the command line: commands, events, nodes, messages, goals.
//!
//! It proposes words and changes nothing; what the words mean is `command`'s business.

use crate::export::EXPORTERS;
use crate::input::nearest;
use crate::lab::Lab;
use crate::model::event::VERBS;
use crate::model::goal::{ATOMS, Property};
use crate::session::words::on_the_command_line;
use crate::ui::panel::text::clip;

/// The words of the command line, each with what follows it.
fn commands() -> impl Iterator<Item = (&'static str, &'static str)> {
    on_the_command_line().map(|spec| (spec.names[0], spec.takes))
}

/// What may stand behind a place of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Completion {
    /// Where the word begins that is completed, in bytes.
    pub(super) from: usize,
    /// Each possibility: the word, and what is typed behind it as well.
    pub(super) words: Vec<(String, &'static str)>,
}

impl Completion {
    /// The possibilities that go on with what is typed, whatever its case.
    fn of(before: &str, from: usize, words: Vec<(String, &'static str)>) -> Self {
        let typed = before[from..].to_lowercase();
        let fits = |(word, _): &(String, &str)| word.to_lowercase().starts_with(&typed);
        Self { from, words: words.into_iter().filter(fits).collect() }
    }

    /// What takes the place of the word: the only possibility, or the beginning that all share.
    pub(super) fn text(&self) -> Option<String> {
        let (first, behind) = self.words.first()?;
        if self.words.len() == 1 {
            return Some(format!("{first}{behind}"));
        }
        let shared = |text: String, (word, _): &(String, &str)| {
            let same = text.chars().zip(word.chars()).take_while(|(a, b)| a == b);
            same.map(|(a, _)| a).collect()
        };
        Some(self.words.iter().fold(first.clone(), shared))
    }

    /// The possibilities as a list.
    pub(super) fn listed(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|(word, _)| word.as_str()).collect();
        words.join(", ")
    }
}

/// The possibilities behind a text, in the words of a cluster.
pub(super) fn complete(before: &str, lab: &Lab) -> Completion {
    let piece = before.rfind(';').map_or(0, |i| i + 1);
    let start = before.len() - before[piece..].trim_start().len();
    let Some(space) = before[start..].find(char::is_whitespace) else {
        return Completion::of(before, start, first_words(piece == 0));
    };
    let word = before[start..start + space].to_lowercase();
    let rest = before.len() - before[start + space..].trim_start().len();
    match word.as_str() {
        "until" => goal(before, rest, lab),
        "deliver" | "drop" | "duplicate" => Completion::of(before, rest, in_flight(lab)),
        "export" => {
            let names = EXPORTERS.iter().map(|format| (format.name().to_owned(), " "));
            Completion::of(before, rest, names.collect())
        }
        "tell" => match before[rest..].find('>') {
            Some(arrow) => Completion::of(before, rest + arrow + 1, nodes(lab, "")),
            None => Completion::of(before, rest, nodes(lab, ">")),
        },
        word if VERBS.iter().any(|(verb, _)| *verb == word) => {
            Completion::of(before, rest, nodes(lab, ""))
        }
        _ => Completion { from: before.len(), words: Vec::new() },
    }
}

/// What to say of a first word that is neither a command nor an event: the nearest of both, else all.
pub(super) fn unknown(word: &str) -> String {
    let all = commands().chain(VERBS).map(|(word, _)| word);
    if let Some(close) = nearest(word, all) {
        return format!("`{word}` is not known; did you mean `{close}`?");
    }
    let word = clip(word, 20, "…");
    let commands: Vec<&str> = commands().map(|(word, _)| word).collect();
    format!("no `{word}` here: {}, or an event: Tab lists all", commands.join(", "))
}

/// Every command and every event; behind a `;` only events.
fn first_words(with_commands: bool) -> Vec<(String, &'static str)> {
    let behind = |takes: &str| if takes.is_empty() { "" } else { " " };
    let commands = commands().filter(|_| with_commands);
    commands.chain(VERBS).map(|(word, takes)| (word.to_owned(), behind(takes))).collect()
}

fn nodes(lab: &Lab, behind: &'static str) -> Vec<(String, &'static str)> {
    lab.setup().names.iter().map(|name| (name.to_owned(), behind)).collect()
}

/// The messages in flight, as events name them.
fn in_flight(lab: &Lab) -> Vec<(String, &'static str)> {
    let names = &lab.setup().names;
    let view = lab.state().view();
    view.in_flight.iter().map(|flight| (flight.id.show(names), "")).collect()
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<(String, &'static str)> {
    words.into_iter().map(|word| (word.to_owned(), ")")).collect()
}

/// The possibilities in a goal that begins at `rest`.
fn goal(before: &str, rest: usize, lab: &Lab) -> Completion {
    let part = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let from = before[rest..]
        .rfind(part)
        .map_or(rest, |i| rest + i + before[rest + i..].chars().next().map_or(0, char::len_utf8));
    let open = before[rest..].rfind('(').filter(|open| !before[rest + open..].contains(')'));
    let atom = open.map(|open| {
        let name = before[rest..rest + open].trim_end();
        (name.rsplit(part).next().unwrap_or_default(), &before[rest + open + 1..])
    });
    let known = atom.filter(|(name, _)| ATOMS.iter().any(|(atom, _)| atom == name));
    let words = match known {
        None => atoms(),
        Some((name, given)) => arguments(name, given, lab),
    };
    Completion::of(before, from, words)
}

/// Every atom, and the words that join them.
fn atoms() -> Vec<(String, &'static str)> {
    let form = |(atom, form): &(&str, &'static str)| {
        let behind = match form.get(atom.len()..) {
            Some(rest) if rest.starts_with("()") => "()",
            Some(rest) if rest.starts_with('(') => "(",
            _ => " ",
        };
        ((*atom).to_owned(), behind)
    };
    let joins = ["and", "or"].map(|word| (word.to_owned(), " "));
    ATOMS.iter().map(form).chain(joins).collect()
}

/// What may stand in the brackets of an atom, behind what is given already.
fn arguments(atom: &str, given: &str, lab: &Lab) -> Vec<(String, &'static str)> {
    let info = lab.state().info();
    let second = given.contains(',');
    match atom {
        "violated" => words(Property::ALL.iter().map(|(word, _)| *word)),
        "messages" => words(info.kinds.iter().map(|kind| kind.name)),
        "stuck" | "tokens" => Vec::new(),
        "in_flight" if !given.contains('>') => nodes(lab, ">"),
        "holds" if !second => vec![("token".to_owned(), ", ")],
        "field" if second => words(info.fields.iter().map(|field| field.name)),
        "field" => nodes(lab, ", "),
        "writes" if second => words(["accepted", "refused", "lost"]),
        _ => nodes(lab, ")"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Config;

    fn after(before: &str) -> (String, String) {
        let mut lab = Lab::new(Config::new("ricart-agrawala", 3)).expect("the settings fit");
        lab.play_schedule("request P1").expect("everybody is idle");
        let found = complete(before, &lab);
        let text =
            found.text().map_or_else(String::new, |t| before[..found.from].to_owned() + t.as_str());
        (text, found.listed())
    }

    #[test]
    fn one_possibility_is_written_whole_with_what_follows_it() {
        let cases = [
            ("u", "until "),
            ("run", "run"),
            ("rea", "read "),
            ("request p2", "request P2"),
            ("request P1; cr", "request P1; crash "),
            ("deliver p1>p3", "deliver P1>P3#1"),
            ("tell P1>p3", "tell P1>P3"),
            ("export js", "export json "),
            ("until in_c", "until in_cs("),
            ("until in_cs(p2", "until in_cs(P2)"),
            ("until stu", "until stuck()"),
            ("until not in_cs(P1) and violated(mu", "until not in_cs(P1) and violated(mutex)"),
            ("until messages(REQ", "until messages(REQUEST)"),
            ("until (in_cs(P1) or wai", "until (in_cs(P1) or waiting("),
            ("until in_flight(P1>p2", "until in_flight(P1>P2)"),
            ("until holds(to", "until holds(token, "),
            ("until field(P2, defer", "until field(P2, deferred)"),
        ];
        for (before, wanted) in cases {
            assert_eq!(after(before).0, wanted, "{before}");
        }
    }

    #[test]
    fn several_possibilities_share_their_beginning_and_are_listed() {
        let both = |text: &str, list: &str| (text.to_owned(), list.to_owned());
        assert_eq!(after("re"), both("re", "record, request, recover, read"));
        assert_eq!(after("crash "), both("crash P", "P1, P2, P3"));
        assert_eq!(after("deliver "), both("deliver P1>P", "P1>P2#1, P1>P3#1"));
        assert_eq!(after("until in"), both("until in_", "in_cs, in_flight"));
        assert_eq!(after("drop x"), both("", ""));
        assert_eq!(after("goto "), both("", ""));
        assert_eq!(after("request P1; unt"), both("", ""), "behind an event only events come");
    }

    #[test]
    fn no_text_makes_the_completion_panic() {
        let lab = Lab::new(Config::new("lease", 2)).expect("the settings fit");
        for text in ["until é(ü", "until ((((", "tell >é", ";; ;", "until field(,,", "é é é"]
        {
            for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let found = complete(&text[..end], &lab);
                assert!(found.from <= end);
            }
        }
    }
}
