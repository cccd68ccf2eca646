//! The statements of the language: one table of their forms, and how the interpreter is told of them.
//!
//! What a statement does stands in `statements`; here is only how it is written.

use rhai::{Dynamic, Engine, EvalAltResult, EvalContext, Expression, ImmutableString};
use std::sync::LazyLock;

/// The forms. `$…$:x` is a part that is read with its letter, `[ … ]` may be left out, `{ … }` may come
/// again and again: both begin with what tells that they are there, and `[!x` is there unless `x` comes.
const FORMS: [(&str, &str); 19] = [
    ("algorithm", "$string$:t"),
    ("channels", "fifo"),
    ("circulates", ""),
    ("message", "$ident$:k [ ( $ident$:a { , $ident$:a } ) ] { stamped|asks|token }"),
    ("var", "$ident$:v = $expr$:e [ hidden ]"),
    ("on", ON),
    (
        "at",
        "$ident$:h on [ request|exit|timeout|start|recover ] [!{ $ident$:k [ ( $ident$:a { , $ident$:a } ) ] from $ident$:j ] $block$:b",
    ),
    ("step", "$ident$:n $block$:b"),
    ("do", "$ident$:n"),
    ("send", "$ident$:k [ ( $expr$:a { , $expr$:a } ) ] to $expr$:j"),
    ("enter", "when $block$:b"),
    (
        "need",
        "$expr$:c [ from $expr$:j ] [ by $ident$:k { , $ident$:k } ] [ later than $expr$:s ] [ leaving ] [ : $expr$:t ]",
    ),
    ("rule", "$string$:i [!: $ident$:w ] : $expr$:t"),
    ("owes", "$expr$:e"),
    ("ordered", "by $expr$:e"),
    ("holds", "$ident$:k [ when $expr$:e ]"),
    ("timer", "$string$:t when $expr$:e"),
    ("show", "$ident$:v = $expr$:e"),
    ("fence", "$expr$:e"),
];

const ON: &str = "[ request|exit|timeout|start|recover ] [!{ $ident$:k [ ( $ident$:a { , $ident$:a } ) ] from $ident$:j ] $block$:b";

/// The form of the statement for a helper node, whose name is one of two.
const HELPER: (&str, &str) = ("helper", "$ident$:h");

/// All forms, with their steps.
static PROGRAMS: LazyLock<Vec<(&str, Vec<Step>)>> = LazyLock::new(|| {
    FORMS.iter().chain([&HELPER]).map(|(key, form)| (*key, steps(form))).collect()
});

/// One step of reading a statement.
enum Step {
    /// One of these words or signs comes.
    Take(Vec<&'static str>),
    /// A part comes, known by its letter.
    Part(&'static str, char),
    /// Goes on elsewhere if what comes is (or is not) one of these.
    Skip { words: Vec<&'static str>, unless: bool, to: usize },
    /// Goes on elsewhere.
    Jump(usize),
}

/// What was read of a statement: which letters its parts have, and which words stand in it.
#[derive(Clone, Default, Debug)]
pub(super) struct Read {
    place: usize,
    /// The letters of the parts, in the order of the parts.
    pub(super) letters: Vec<char>,
    /// The words and signs.
    pub(super) words: Vec<&'static str>,
}

fn steps(form: &'static str) -> Vec<Step> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut tokens = form.split(' ').filter(|t| !t.is_empty());
    let alternatives = |token: &'static str| token.split('|').collect::<Vec<_>>();
    while let Some(token) = tokens.next() {
        match token {
            "[" | "{" => {
                let words = alternatives(tokens.next().unwrap_or_default());
                open.push((all.len(), token == "{"));
                all.push(Step::Skip { words: words.clone(), unless: true, to: 0 });
                all.push(Step::Take(words));
            }
            "]" | "}" if !open.is_empty() => {
                let (start, again) = open.pop().unwrap_or_default();
                if again {
                    all.push(Step::Jump(start));
                }
                let end = all.len();
                if let Step::Skip { to, .. } = &mut all[start] {
                    *to = end;
                }
            }
            _ if token.starts_with("[!") => {
                open.push((all.len(), false));
                all.push(Step::Skip { words: vec![&token[2..]], unless: false, to: 0 });
            }
            _ => match token.rsplit_once(':') {
                Some((part, letter)) if part.starts_with('$') => {
                    all.push(Step::Part(part, letter.chars().next().unwrap_or('?')));
                }
                _ => all.push(Step::Take(alternatives(token))),
            },
        }
    }
    all
}

/// What the statement wants next; `None`: it is complete.
fn next(program: &[Step], coming: &str, read: &mut Read) -> Option<ImmutableString> {
    loop {
        match program.get(read.place)? {
            Step::Take(words) => {
                read.place += 1;
                let word = words.iter().find(|w| **w == coming).unwrap_or(&words[0]);
                read.words.push(word);
                return Some((*word).into());
            }
            Step::Part(part, letter) => {
                read.place += 1;
                read.letters.push(*letter);
                return Some((*part).into());
            }
            Step::Skip { words, unless, to } => {
                let comes = words.contains(&coming);
                read.place = if comes == *unless { read.place + 1 } else { *to };
            }
            Step::Jump(to) => read.place = *to,
        }
    }
}

/// The words with which statements begin: none of them can be a name.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|(key, _)| *key)
}

/// Where a statement runs.
pub(super) type Context<'a, 'b, 'c, 'd, 'e, 'f> = EvalContext<'a, 'b, 'c, 'd, 'e, 'f>;

/// What a statement does.
pub(super) type Does =
    fn(&mut Context<'_, '_, '_, '_, '_, '_>, &Parts<'_>) -> Result<(), Box<EvalAltResult>>;

/// Tells the interpreter how all statements are written and what they do.
pub(super) fn register(engine: &mut Engine, does: fn(&str) -> Does) {
    engine.disable_symbol("do");
    for (key, program) in PROGRAMS.iter() {
        let act = does(key);
        engine.register_custom_syntax_with_state_raw(
            *key,
            move |_, coming, state| {
                if state.is_unit() {
                    *state = Dynamic::from(Read::default());
                }
                let mut read = state.write_lock::<Read>().expect("it was put there");
                Ok(next(program, coming, &mut read))
            },
            *key == "var",
            move |context, inputs, state| {
                let read = state.read_lock::<Read>().expect("it was put there");
                act(context, &Parts { inputs, read: &read }).map(|()| Dynamic::UNIT)
            },
        );
    }
}

/// The parts of a statement.
pub(super) struct Parts<'a> {
    inputs: &'a [Expression<'a>],
    read: &'a Read,
}

impl<'a> Parts<'a> {
    /// All parts with a letter.
    pub(super) fn all(&self, letter: char) -> impl Iterator<Item = &'a Expression<'a>> {
        let (inputs, read) = (self.inputs, self.read);
        read.letters.iter().zip(inputs).filter(move |(l, _)| **l == letter).map(|(_, input)| input)
    }

    /// The part with a letter.
    pub(super) fn one(&self, letter: char) -> Option<&'a Expression<'a>> {
        self.all(letter).next()
    }

    /// The name that is the part with a letter.
    pub(super) fn name(&self, letter: char) -> &'a str {
        self.one(letter).and_then(Expression::get_string_value).unwrap_or_default()
    }

    /// Whether a word stands in it.
    pub(super) fn says(&self, word: &str) -> bool {
        self.read.words.contains(&word)
    }

    /// The line of its first part.
    pub(super) fn line(&self) -> usize {
        self.inputs.first().and_then(|input| input.position().line()).unwrap_or(0)
    }
}
