//! What can be typed: the one table of words, which the dialogue of lines, the command line of the stepper
//! and the help read.
//!
//! It turns a line into commands and does none of them.

use super::command::{Command, MessageVerb, To};
use crate::input::nearest;
use crate::model::event::VERBS;
use crate::model::{Event, Names, NodeId};

/// What a word of the table asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// One step on.
    Next,
    /// One step back.
    Back,
    /// A message arrives.
    Deliver,
    /// A node asks.
    Ask,
    /// A node leaves.
    Leave,
    /// On, until a goal holds.
    Until,
    /// On, until nothing happens by itself.
    Run,
    /// Runs are drawn from a seed.
    Seed,
    /// To a step.
    GoTo,
    /// Why nodes wait.
    Why,
    /// All nodes.
    State,
    /// The messages in flight.
    Flight,
    /// The rules.
    Rules,
    /// The properties.
    Lamps,
    /// What happened.
    Log,
    /// A message is kept back.
    Hold,
    /// The run as a line.
    Copy,
    /// The run in a file.
    Save,
    /// A run from a file.
    Load,
    /// The run in a format.
    Export,
    /// The run as a lesson.
    Record,
    /// State, flight, why and properties.
    All,
    /// What can happen now.
    Moves,
    /// Every schedule is checked.
    Check,
    /// All branches.
    Branches,
    /// To a branch.
    Branch,
    /// To the lesson's point.
    Lesson,
    /// An answer.
    Answer,
    /// A hint.
    Hint,
    /// The solution.
    Solution,
    /// What words mean.
    Words,
    /// The help.
    Help,
    /// The list.
    Home,
    /// Out.
    Quit,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it asks for.
    pub word: Word,
    /// The full word first, then its short forms.
    pub names: &'static [&'static str],
    /// What follows the word.
    pub takes: &'static str,
    /// What it does, for the help.
    pub about: &'static str,
}

const fn spec(
    word: Word,
    names: &'static [&'static str],
    takes: &'static str,
    about: &'static str,
) -> Spec {
    Spec { word, names, takes, about }
}

/// Every word, in the order of the help.
pub const COMMANDS: &[Spec] = &[
    spec(
        Word::Next,
        &["next", "n"],
        "",
        "go on (Enter alone does too): along this branch, else the lesson's next event or page, \
         else the oldest message",
    ),
    spec(Word::Back, &["back", "b"], "", "one step back; nothing that was played is lost"),
    spec(
        Word::Deliver,
        &["deliver", "d"],
        "2",
        "deliver message 2 of the list; 2 alone does too, unless a question is open",
    ),
    spec(Word::Ask, &["ask", "r"], "P1", "P1 asks for the lock"),
    spec(Word::Leave, &["leave", "x"], "P1", "P1 leaves the critical section"),
    spec(Word::State, &["state", "s"], "", "all nodes with their variables, and who is inside"),
    spec(Word::Flight, &["flight", "f"], "", "the messages in flight, numbered"),
    spec(Word::Why, &["why", "w"], "P2", "why P2 waits; without a node: everybody who waits"),
    spec(Word::Rules, &["rules"], "", "the algorithm's rules, and which fired in the last step"),
    spec(Word::Lamps, &["lamps"], "", "the properties: mutual exclusion, progress and the like"),
    spec(
        Word::Log,
        &["log", "l"],
        "reply",
        "every step so far that has this word, or these words, in it; without: every step, with its \
         event, its sentence, the messages sent",
    ),
    spec(Word::All, &["all"], "", "state, flight, why and lamps in one"),
    spec(Word::Moves, &["moves", "m"], "", "every event that can happen now"),
    spec(
        Word::Check,
        &["check", "v"],
        "requests=2 crash=1 goal=in_cs(P1)",
        "check every schedule from here; bounds that are not named are what the cluster needs: \
         requests, timeout, drop, duplicate, crash, recover, writes, states, and goal last. Then \
         `check play` plays the schedule that was found, `check there` searches where the variant is \
         known to fail",
    ),
    spec(Word::Until, &["until", "u"], "in_cs(P2)", "play on until that holds"),
    spec(Word::Run, &["run"], "", "play on until nothing happens by itself"),
    spec(Word::Seed, &["seed"], "7", "run and until choose at random from now on, by this seed"),
    spec(Word::GoTo, &["goto", "g"], "3", "go to step 3 of this branch; start and end do too"),
    spec(
        Word::Hold,
        &["hold"],
        "2",
        "keep message 2 of the list back: next, run and until leave it; again: let it go",
    ),
    spec(Word::Copy, &["copy"], "", "the run to here as one line, to be copied"),
    spec(Word::Save, &["save"], "my.run", "write that line to a new file"),
    spec(
        Word::Load,
        &["load"],
        "my.run",
        "open a run that was saved; `home` closes it again. A script, my.rhai, is read with what was played \
         here, and `load` alone reads this run's script again",
    ),
    spec(Word::Export, &["export"], "svg my.svg", "write the run to a new file in a format"),
    spec(
        Word::Record,
        &["record"],
        "my.yaml",
        "make a lesson of the run: its events, and two questions that they answer; `record` alone: of \
         what is played from here on; `record steps`: show its steps",
    ),
    spec(Word::Branches, &["branches"], "", "everything that was played, numbered"),
    spec(Word::Branch, &["branch"], "2", "go to the end of branch 2 of that list"),
    spec(
        Word::Lesson,
        &["lesson"],
        "",
        "back to the lesson's point; the page and its question again",
    ),
    spec(
        Word::Answer,
        &["answer", "a"],
        "b",
        "answer the open question; the letter, number or text alone does too. Where events are the \
         answer: `answer` alone begins to write them, `answer played` hands in what was played since \
         the lesson's point, `answer impossible` says that it cannot be done",
    ),
    spec(Word::Hint, &["hint", "h"], "", "the next hint"),
    spec(Word::Solution, &["solution"], "", "the solution; asks once more before it is shown"),
    spec(Word::Words, &["words"], "", "what the variables and the words of the field mean"),
    spec(Word::Help, &["help", "?"], "", "this list"),
    spec(Word::Home, &["home"], "", "the list of lessons and algorithms"),
    spec(Word::Quit, &["quit", "q"], "", "leave the program"),
];

/// Those that the command line of the stepper takes, too; for the others it has keys.
pub const ON_THE_COMMAND_LINE: [Word; 11] = [
    Word::Until,
    Word::Run,
    Word::Seed,
    Word::GoTo,
    Word::Copy,
    Word::Save,
    Word::Load,
    Word::Export,
    Word::Record,
    Word::Help,
    Word::Quit,
];

/// The lines of the table for the command line of the stepper.
pub fn on_the_command_line() -> impl Iterator<Item = &'static Spec> {
    COMMANDS.iter().filter(|spec| ON_THE_COMMAND_LINE.contains(&spec.word))
}

/// Whether a word says that an answer follows.
pub fn is_answer(word: &str) -> bool {
    COMMANDS.iter().any(|spec| spec.word == Word::Answer && spec.names.contains(&word))
}

/// A line of the dialogue, read whole.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// Something is done.
    Act(Command),
    /// A word of the table without anything to read in it.
    Word(Word),
    /// Why a node waits.
    Why(NodeId),
    /// To a branch of the list.
    Branch(usize),
    /// An answer, or the beginning of one.
    Answer(String),
    /// The steps with these words in them.
    Log(String),
    /// A check within these bounds.
    Check(String),
    /// What becomes of a run outside.
    Share(Share),
}

/// What becomes of a run outside the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Share {
    /// It is shown as one line.
    Copy,
    /// That line is written to a file.
    Save(String),
    /// One is read from a file.
    Load(String),
    /// The format and the file.
    Export(String, String),
    /// It becomes a lesson, or steps of one.
    Record(String),
}

/// The line of the table for a word: whole, a short form, or the beginning of one word alone.
fn find(typed: &str) -> Option<&'static Spec> {
    let typed = typed.to_lowercase();
    let exact = COMMANDS.iter().find(|s| s.names.contains(&typed.as_str()));
    let begins = |s: &&Spec| typed.len() > 1 && s.names[0].starts_with(&typed);
    let mut beginning = COMMANDS.iter().filter(begins);
    exact.or_else(|| match (beginning.next(), beginning.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    })
}

/// Whether a line begins with a whole word of ours; single letters do not count.
pub fn begins_with_word(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default().to_lowercase();
    let ours = COMMANDS.iter().flat_map(|s| s.names).any(|n| *n == first && n.len() > 1);
    ours || first == "?" || VERBS.iter().any(|(verb, _)| *verb == first)
}

/// The commands of a line, separated by `;`.
///
/// # Errors
/// What is wrong with the first piece that is none, and what could be typed.
pub fn read(line: &str, names: &Names) -> Result<Vec<Said>, String> {
    // What follows `answer` belongs to the question, whatever it holds.
    let first = line.split_whitespace().next().unwrap_or_default();
    if find(first).is_some_and(|s| s.word == Word::Answer) {
        return Ok(vec![one(line, names)?]);
    }
    let mut pieces = line.split(';').map(str::trim).filter(|p| !p.is_empty()).peekable();
    if pieces.peek().is_none() {
        return Ok(vec![Said::Act(Command::Next)]);
    }
    pieces.map(|piece| one(piece, names)).collect()
}

fn one(piece: &str, names: &Names) -> Result<Said, String> {
    if let Some(number) = number(piece) {
        return Ok(Said::Act(Command::Message(MessageVerb::Deliver, number)));
    }
    let (first, rest) = piece.split_once(char::is_whitespace).unwrap_or((piece, ""));
    let rest = rest.trim();
    if let Some(verb) = message_verb(first)
        && let Some(number) = number(rest)
    {
        return Ok(Said::Act(Command::Message(verb, number)));
    }
    let lower = first.to_lowercase();
    let is_verb = VERBS.iter().any(|(verb, _)| *verb == lower);
    match find(first) {
        Some(spec) if spec.word != Word::Deliver && !is_verb => word(spec, rest, names),
        Some(spec) if spec.word == Word::Deliver => event(&format!("deliver {rest}"), names),
        _ if is_verb => event(piece, names),
        _ => Err(unknown(first)),
    }
}

fn number(text: &str) -> Option<usize> {
    let text = text.trim_end_matches('.');
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}

fn message_verb(word: &str) -> Option<MessageVerb> {
    match word.to_lowercase().as_str() {
        "deliver" | "d" => Some(MessageVerb::Deliver),
        "drop" => Some(MessageVerb::Drop),
        "duplicate" => Some(MessageVerb::Duplicate),
        _ => None,
    }
}

fn event(text: &str, names: &Names) -> Result<Said, String> {
    Event::parse(text, names)
        .map(|e| Said::Act(Command::Play(e)))
        .map_err(|e| format!("No: {}.", e.message))
}

fn node(text: &str, names: &Names) -> Result<NodeId, String> {
    names.find(text).ok_or_else(|| match text {
        "" => format!("Which node? This cluster has {}.", names.listed()),
        _ => format!("No: no node `{text}`; this cluster has {}.", names.listed()),
    })
}

/// A word of the table with what follows it.
fn word(spec: &Spec, rest: &str, names: &Names) -> Result<Said, String> {
    let example = || format!("Write `{} {}`.", spec.names[0], spec.takes);
    match spec.word {
        Word::Ask => node(rest, names).map(|n| Said::Act(Command::Play(Event::Request(n)))),
        Word::Leave => node(rest, names).map(|n| Said::Act(Command::Play(Event::Exit(n)))),
        Word::Why if !rest.is_empty() => node(rest, names).map(Said::Why),
        Word::Until if rest.is_empty() => Err(format!("Until what? {}", example())),
        Word::Until => Ok(Said::Act(Command::Until(rest.to_owned()))),
        Word::Seed => {
            let bad = |_| format!("`{rest}` is no seed. {}", example());
            rest.parse().map(|seed| Said::Act(Command::Seed(seed))).map_err(bad)
        }
        Word::GoTo => match rest.to_lowercase().as_str() {
            "start" | "begin" | "beginning" => Ok(Said::Act(Command::Go(To::Start))),
            "end" => Ok(Said::Act(Command::Go(To::End))),
            step => {
                let bad = |_| format!("`{rest}` is no step. {}", example());
                step.parse().map(|n| Said::Act(Command::Go(To::Step(n)))).map_err(bad)
            }
        },
        Word::Branch => {
            let bad = || format!("`{rest}` is no branch of the list. {}", example());
            number(rest).map(Said::Branch).ok_or_else(bad)
        }
        Word::Answer => Ok(Said::Answer(rest.to_owned())),
        Word::Log => Ok(Said::Log(rest.to_owned())),
        Word::Check => Ok(Said::Check(rest.to_owned())),
        Word::Hold => {
            let bad = || format!("`{rest}` is no message of the list. {}", example());
            number(rest).map(|n| Said::Act(Command::Hold(n))).ok_or_else(bad)
        }
        Word::Copy if rest.is_empty() => Ok(Said::Share(Share::Copy)),
        Word::Save => Ok(Said::Share(Share::Save(rest.to_owned()))),
        Word::Load => Ok(Said::Share(Share::Load(rest.to_owned()))),
        Word::Record => Ok(Said::Share(Share::Record(rest.to_owned()))),
        Word::Export => {
            let (format, path) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Ok(Said::Share(Share::Export(format.to_owned(), path.trim().to_owned())))
        }
        _ if !rest.is_empty() => {
            Err(format!("`{}` stands alone: what is `{rest}`?", spec.names[0]))
        }
        other => Ok(match command(other) {
            Some(command) => Said::Act(command),
            None => Said::Word(other),
        }),
    }
}

/// What a word does that stands alone; `None`: it only reads, or leads elsewhere.
fn command(word: Word) -> Option<Command> {
    Some(match word {
        Word::Next => Command::Next,
        Word::Back => Command::Back,
        Word::Run => Command::Run,
        Word::Lesson => Command::Return,
        Word::Hint => Command::Hint,
        Word::Solution => Command::Reveal,
        _ => return None,
    })
}

fn unknown(typed: &str) -> String {
    let words = COMMANDS.iter().map(|s| s.names[0]);
    let verbs = VERBS.iter().map(|(verb, _)| *verb);
    match nearest(typed, words.chain(verbs)) {
        Some(close) => format!("Nothing is called `{typed}` here; did you mean `{close}`?"),
        None => format!("Nothing is called `{typed}` here."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(Names::numbered(3))
    }

    fn read_one(line: &str) -> Result<Said, String> {
        let mut all = read(line, &names())?;
        assert_eq!(all.len(), 1, "{line}");
        Ok(all.remove(0))
    }

    #[test]
    fn every_line_of_the_table_is_read_by_each_of_its_names_and_no_name_means_two() {
        let mut seen: Vec<&str> = Vec::new();
        for spec in COMMANDS {
            assert!(!spec.about.is_empty());
            for name in spec.names {
                assert!(!seen.contains(name), "{name}");
                seen.push(name);
                let line = format!("{name} {}", spec.takes);
                read_one(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
            }
        }
    }

    #[test]
    fn events_are_read_in_their_text_form() {
        for (verb, form) in VERBS {
            let text = format!("{verb} {}", form.split(" or ").next().unwrap_or_default());
            assert!(matches!(read_one(&text), Ok(Said::Act(Command::Play(_)))), "{text}");
        }
        assert_eq!(read_one("ask p2"), read_one("request P2"));
        assert_eq!(read_one("leave P2"), read_one("EXIT P2"));
        assert_eq!(read_one("d P1>P2"), read_one("deliver P1>P2"));
    }

    #[test]
    fn forms_are_forgiving() {
        assert_eq!(read_one(""), Ok(Said::Act(Command::Next)));
        assert_eq!(read_one(" STATE "), Ok(Said::Word(Word::State)));
        assert_eq!(read_one("sol"), Ok(Said::Act(Command::Reveal)), "a beginning is enough");
        assert_eq!(read_one("2."), Ok(Said::Act(Command::Message(MessageVerb::Deliver, 2))));
        assert_eq!(read_one("drop 2"), Ok(Said::Act(Command::Message(MessageVerb::Drop, 2))));
        assert_eq!(read_one("goto start"), Ok(Said::Act(Command::Go(To::Start))));
        assert_eq!(read("ask P1; 1; state", &names()).map(|all| all.len()), Ok(3));
        assert_eq!(read_one("answer a; b"), Ok(Said::Answer("a; b".to_owned())));
    }

    #[test]
    fn what_is_no_command_says_what_would_be() {
        let cases = [
            ("stat3", "Nothing is called `stat3` here; did you mean `state`?"),
            ("delver P1>P2", "Nothing is called `delver` here; did you mean `deliver`?"),
            ("xyzzy", "Nothing is called `xyzzy` here."),
            ("ask", "Which node? This cluster has P1, P2, P3."),
            ("why P9", "No: no node `P9`; this cluster has P1, P2, P3."),
            ("request P9", "No: no node `P9`; this cluster has P1, P2, P3."),
            ("exit", "No: `exit` what? Write `exit P1`."),
            ("seed x", "`x` is no seed. Write `seed 7`."),
            ("goto there", "`there` is no step. Write `goto 3`."),
            ("until", "Until what? Write `until in_cs(P2)`."),
            ("state P1", "`state` stands alone: what is `P1`?"),
            ("ask P1; foo", "Nothing is called `foo` here."),
        ];
        for (line, wanted) in cases {
            assert_eq!(read(line, &names()), Err(wanted.to_owned()), "{line}");
        }
    }
}
