//! From a text to a script that can run, or to all that is wrong with it.
//!
//! Nothing of the script runs here.

use super::functions::{self, FUNCTIONS};
use super::grammar::{self, Read};
use super::told;
use super::words;
use super::words::Declared;
use crate::algorithm::{Helper, Kind, Rule, When};
use crate::input::{Pos, Problem, Problems, nearest};
use crate::model::setup::{Cost, FieldInfo, Info, OrderPromise, PLAIN};
use crate::model::{ChannelOrder, Script, Shape};
use rhai::{AST, ASTNode, Engine, Expr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// What is known everywhere.
pub(super) const CONSTANTS: [&str; 13] = [
    "me",
    "n",
    "first",
    "next",
    "all",
    "others",
    "none",
    "idle",
    "waiting",
    "inside",
    "quorum",
    "neighbour",
    "around",
];

/// The statements that stand inside of others, and in which.
const INNER: [(&str, &[&str]); 4] = [
    ("send", &["on", "at", "step"]),
    ("rule", &["on", "at", "step"]),
    ("do", &["on", "at", "step"]),
    ("need", &["enter"]),
];

/// The events that `on` knows besides messages.
const EVENTS: [&str; 5] = ["request", "exit", "timeout", "start", "recover"];

/// A script that can run.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) script: Arc<Script>,
    pub(super) engine: Engine,
    pub(super) ast: AST,
    pub(super) kinds: Rc<Vec<&'static Declared>>,
    pub(super) steps: Rc<BTreeMap<String, Expr>>,
    pub(super) at_helper: Rc<Vec<String>>,
    /// The variables in the order of the text, and whether each has a column.
    pub(super) vars: Vec<(&'static str, bool)>,
    pub(super) helper: Option<&'static str>,
    /// The statements that tell what there is to see.
    pub(super) views: BTreeSet<String>,
    pub(super) info: &'static Info,
}

/// A statement at the top of the text.
struct Top<'a> {
    key: String,
    read: Read,
    inputs: &'a [Expr],
    at: Position,
}

impl Top<'_> {
    fn names(&self, letter: char) -> Vec<(&str, Position)> {
        let parts = self.read.letters.iter().zip(self.inputs).filter(|(l, _)| **l == letter);
        parts.filter_map(|(_, part)| Some((name_of(part)?, part.position()))).collect()
    }

    fn name(&self, letter: char) -> &str {
        self.names(letter).first().map_or("", |(name, _)| name)
    }

    fn place(&self, letter: char) -> Position {
        self.names(letter).first().map_or(self.at, |(_, at)| *at)
    }

    fn part(&self, letter: char) -> Option<&Expr> {
        let at = self.read.letters.iter().position(|l| *l == letter)?;
        self.inputs.get(at)
    }

    /// The event of `on` and `at`.
    fn event(&self) -> &str {
        let word = EVENTS.iter().find(|word| self.read.words.contains(*word));
        word.copied().unwrap_or_else(|| self.name('k'))
    }
}

fn name_of(part: &Expr) -> Option<&str> {
    match part {
        Expr::Variable(x, ..) => Some(&x.1),
        Expr::StringConstant(x, ..) => Some(x),
        _ => None,
    }
}

/// What was found wrong so far.
struct Wrong<'a> {
    script: &'a Script,
    all: Vec<Problem>,
}

impl Wrong<'_> {
    fn say(&mut self, at: Position, message: impl AsRef<str>) {
        let pos = Pos { line: at.line().unwrap_or(1), column: at.position().unwrap_or(1) };
        self.all.push(Problem::new(&self.script.name, pos, message));
    }

    /// A name that is not among those that there are.
    fn unknown<'a>(
        &mut self,
        at: Position,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        self.say(
            at,
            match nearest(name, known) {
                Some(close) => format!("{what} `{name}`; did you mean `{close}`?"),
                None => format!("{what} `{name}`"),
            },
        );
    }
}

/// Reads a text.
///
/// # Errors
/// All that is wrong with it.
pub(super) fn compile(script: &Arc<Script>) -> Result<Compiled, Problems> {
    let engine = functions::engine();
    let mut wrong = Wrong { script, all: Vec::new() };
    let ast = match engine.compile(&script.text) {
        Ok(ast) => ast,
        Err(error) => {
            wrong.say(error.1, told::parsing(&error.0));
            return Err(Problems::of(wrong.all).expect("there is one"));
        }
    };
    let tops: Vec<Top<'_>> = ast.statements().iter().filter_map(top).collect();
    let kinds = kinds(&tops, &mut wrong);
    let vars = vars(&tops, script, &mut wrong);
    check_handlers(&tops, &kinds, &mut wrong);
    let found = look(&ast, &tops, &kinds, &vars, &mut wrong);
    if let Some(problems) = Problems::of(wrong.all) {
        return Err(problems);
    }
    let of = |key: &str| tops.iter().filter(|t| t.key == key).collect::<Vec<_>>();
    let steps =
        of("step").into_iter().filter_map(|t| Some((t.name('n').to_owned(), t.part('b')?.clone())));
    let steps = steps.collect();
    let helper = of("helper").first().map(|t| words::word(t.name('h')));
    let info = info(script, &tops, &kinds, &vars, found);
    let views = ["owes", "ordered", "holds", "timer", "show", "fence"];
    let views = views.iter().filter(|key| tops.iter().any(|t| t.key == **key));
    Ok(Compiled {
        script: Arc::clone(script),
        kinds: Rc::new(kinds.iter().map(words::declared).collect()),
        steps: Rc::new(steps),
        at_helper: Rc::new(of("at").iter().map(|t| t.event().to_owned()).collect()),
        vars: vars.into_iter().map(|var| (var.name, var.shown)).collect(),
        helper,
        views: views.map(|key| (*key).to_owned()).collect(),
        info,
        ast: ast.clone(),
        engine,
    })
}

fn top(statement: &Stmt) -> Option<Top<'_>> {
    let Stmt::Expr(expr) = statement else { return None };
    let Expr::Custom(custom, at) = &**expr else { return None };
    let read = custom.state.read_lock::<Read>()?.clone();
    let key = custom.tokens.first()?.to_string();
    Some(Top { key, read, inputs: &custom.inputs, at: *at })
}

/// Says what is wrong with a name that somebody gives.
fn check_name(name: &str, at: Position, wrong: &mut Wrong<'_>) {
    if grammar::keywords().chain(CONSTANTS).any(|word| word == name) {
        wrong.say(at, format!("`{name}` is a word of the language: take another name"));
    } else if name.len() > 24 {
        wrong.say(at, "a name has at most 24 letters");
    }
}

fn kinds(tops: &[Top<'_>], wrong: &mut Wrong<'_>) -> Vec<Declared> {
    let mut kinds: Vec<Declared> = Vec::new();
    for top in tops.iter().filter(|t| t.key == "message") {
        let (name, at) = (top.name('k'), top.place('k'));
        check_name(name, at, wrong);
        if kinds.iter().any(|kind| kind.name == name) {
            wrong.say(at, format!("two messages are called `{name}`"));
        }
        let values: Vec<&'static str> =
            top.names('a').iter().map(|(v, _)| words::word(v)).collect();
        let says = |word: &str| top.read.words.contains(&word);
        if says("stamped") && values.is_empty() {
            wrong.say(
                at,
                format!("{name} is stamped, so it carries a stamp: message {name}(t) stamped;"),
            );
        }
        kinds.push(Declared {
            name: words::word(name),
            values: words::list(&values),
            stamped: says("stamped"),
            asks: says("asks"),
            token: says("token"),
        });
    }
    kinds
}

struct Var {
    name: &'static str,
    shown: bool,
    shape: Shape,
    about: &'static str,
}

fn vars(tops: &[Top<'_>], script: &Script, wrong: &mut Wrong<'_>) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for top in tops.iter().filter(|t| matches!(&*t.key, "var" | "show")) {
        let (name, at) = (top.name('v'), top.place('v'));
        check_name(name, at, wrong);
        if vars.iter().any(|var| var.name == name) {
            wrong.say(at, format!("two variables are called `{name}`"));
        }
        let line = script.text.lines().nth(at.line().unwrap_or(1) - 1).unwrap_or_default();
        let about =
            line.split_once("//").map_or("a variable of the script", |(_, about)| about.trim());
        let shown = !top.read.words.contains(&"hidden");
        let shape = top.part('e').map_or(Shape::Any, |e| shape(e, top.key == "show"));
        if top.key == "var" {
            vars.push(Var { name: words::word(name), shown, shape, about: words::word(about) });
        }
    }
    vars
}

/// What a variable with this first value can hold, as far as that can be told.
fn shape(first: &Expr, computed: bool) -> Shape {
    match first {
        _ if computed => Shape::Any,
        Expr::IntegerConstant(..) => Shape::Number,
        Expr::BoolConstant(..) => Shape::Truth,
        Expr::FnCall(call, _) if call.name == "nodes" => Shape::Set,
        Expr::FnCall(call, _) if call.name == "each" => match call.args.first() {
            Some(Expr::IntegerConstant(..)) => Shape::Each(&Shape::Number),
            _ => Shape::Each(&Shape::Any),
        },
        Expr::Array(..) => Shape::Queue(&Shape::Any),
        _ => Shape::Any,
    }
}

fn check_handlers(tops: &[Top<'_>], kinds: &[Declared], wrong: &mut Wrong<'_>) {
    let mut seen = BTreeSet::new();
    for top in tops.iter().filter(|t| matches!(&*t.key, "on" | "at")) {
        let (event, at) = (top.event(), top.place('k'));
        if !seen.insert((top.key.clone(), event.to_owned())) {
            wrong.say(at, format!("two places say what happens `on {event}`"));
        }
        if EVENTS.contains(&event) {
            continue;
        }
        match kinds.iter().find(|kind| kind.name == event) {
            Some(kind) if kind.values.len() != top.names('a').len() => {
                wrong.say(
                    at,
                    format!(
                        "{event} carries {}, here it has {}",
                        values(kind.values.len()),
                        top.names('a').len()
                    ),
                );
            }
            Some(_) => {}
            None => wrong.unknown(
                at,
                "no message is called",
                event,
                kinds.iter().map(|k| k.name).chain(EVENTS),
            ),
        }
        for (name, at) in top.names('a').into_iter().chain(top.names('j')) {
            check_name(name, at, wrong);
        }
    }
    for (key, missing) in [
        ("request", "nothing says what happens when a node asks: write on request { … }"),
        ("enter", "nothing says when a node enters: write enter when { need …; }"),
        ("algorithm", "it has no name: begin with algorithm \"…\";"),
    ] {
        let there = tops.iter().any(|t| t.key == key || t.key == "on" && t.event() == key);
        if !there {
            wrong.say(Position::NONE, missing);
        }
    }
    if let Some(top) = tops.iter().find(|t| t.key == "helper" && !matches!(t.name('h'), "C" | "L"))
    {
        wrong.say(top.place('h'), "a helper is called C, a coordinator, or L, a lock service");
    }
}

fn values(n: usize) -> String {
    crate::input::count(n, "value")
}

/// What the text uses and which rules it names.
#[derive(Default)]
struct Found {
    quorum: bool,
    tree: bool,
    rules: Vec<(String, String, String, usize)>,
}

/// Looks at every name in the text.
fn look(
    ast: &AST,
    tops: &[Top<'_>],
    kinds: &[Declared],
    vars: &[Var],
    wrong: &mut Wrong<'_>,
) -> Found {
    let mut found = Found::default();
    let own: Vec<String> = ast.iter_functions().map(|f| f.name.to_owned()).collect();
    let steps: Vec<&str> = tops.iter().filter(|t| t.key == "step").map(|t| t.name('n')).collect();
    let helper: Vec<&str> =
        tops.iter().filter(|t| t.key == "helper").map(|t| t.name('h')).collect();
    let global: Vec<&str> = vars.iter().map(|v| v.name).chain(CONSTANTS).chain(helper).collect();
    let locals = locals(ast);
    let sent: BTreeSet<String> = tops.iter().map(|t| t.event().to_owned()).collect();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let Some(node) = path.last() else { return true };
        let root = path.first().and_then(|node| match node {
            ASTNode::Stmt(statement) => top(statement),
            _ => None,
        });
        match node {
            ASTNode::Expr(Expr::Variable(x, _, at)) => {
                let name: &str = &x.1;
                found.quorum |= name == "quorum";
                found.tree |= name == "neighbour";
                let part = is_name_part(path);
                if !part && !global.contains(&name) && !locals.contains(name) {
                    wrong.unknown(
                        *at,
                        "there is no variable",
                        name,
                        global.iter().copied().chain(locals.iter().map(String::as_str)),
                    );
                }
            }
            ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))
            | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
                let name: &str = &call.name;
                let operator = call.op_token.is_some()
                    || name.starts_with(|c: char| !c.is_alphabetic() && c != '_');
                if !operator
                    && !own.iter().any(|f| f == name)
                    && !FUNCTIONS.contains(&name)
                    && !matches!(name, "curry")
                    && !name.starts_with("anon$")
                {
                    wrong.unknown(
                        *at,
                        "there is no function",
                        name,
                        FUNCTIONS.into_iter().chain(own.iter().map(String::as_str)),
                    );
                }
            }
            ASTNode::Stmt(Stmt::Assignment(assigned)) => {
                if let Some(name) = name_of(&assigned.1.lhs).filter(|name| CONSTANTS.contains(name))
                {
                    wrong.say(
                        assigned.1.lhs.position(),
                        format!("`{name}` is given: it cannot be changed"),
                    );
                }
            }
            ASTNode::Expr(Expr::Custom(custom, at)) => {
                let Some(read) = custom.state.read_lock::<Read>().map(|read| read.clone()) else {
                    return true;
                };
                let key = custom.tokens.first().map_or(String::new(), ToString::to_string);
                let here = Top { key, read, inputs: &custom.inputs, at: *at };
                let outer = root.as_ref().filter(|_| path.len() > 2);
                check_statement(&here, outer, kinds, &steps, &sent, wrong);
                if here.key == "rule"
                    && let Some(root) = &root
                {
                    let (event, line) =
                        (format!("{} {}", root.key, root.event()), at.line().unwrap_or(1));
                    found.rules.push((
                        here.name('i').to_owned(),
                        here.name('w').to_owned(),
                        event,
                        line,
                    ));
                }
            }
            _ => {}
        }
        true
    });
    found
}

/// Whether a name is a part of a statement, such as a kind, and no variable.
fn is_name_part(path: &[ASTNode<'_>]) -> bool {
    let [.., ASTNode::Expr(Expr::Custom(custom, _)), ASTNode::Expr(here)] = path else {
        return false;
    };
    let Some(read) = custom.state.read_lock::<Read>() else { return false };
    let at = custom.inputs.iter().position(|input| std::ptr::eq(input, *here));
    let letter = at.and_then(|at| read.letters.get(at)).copied().unwrap_or(' ');
    let key: &str = custom.tokens.first().map_or("", |t| t);
    match key {
        "on" | "at" | "message" => matches!(letter, 'k' | 'a' | 'j' | 'h'),
        _ => matches!(letter, 'k' | 'v' | 'n' | 'h' | 'w' | 'i'),
    }
}

/// The names that hold only somewhere: parameters, what `let` and `for` bring.
fn locals(ast: &AST) -> BTreeSet<String> {
    let mut locals = BTreeSet::new();
    for function in ast.iter_functions() {
        locals.extend(function.params.iter().map(ToString::to_string));
    }
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(var, ..))) => _ = locals.insert(var.0.name.to_string()),
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                locals.insert(parts.0.name.to_string());
                locals.extend(parts.1.iter().map(|ident| ident.name.to_string()));
            }
            Some(ASTNode::Expr(Expr::Custom(custom, at))) => {
                if let Some(read) = custom.state.read_lock::<Read>().map(|read| read.clone()) {
                    let key = custom.tokens.first().map_or(String::new(), ToString::to_string);
                    let top = Top { key, read, inputs: &custom.inputs, at: *at };
                    if matches!(&*top.key, "on" | "at") {
                        let names = top.names('a').into_iter().chain(top.names('j'));
                        locals.extend(names.map(|(name, _)| name.to_owned()));
                    }
                }
            }
            _ => {}
        }
        true
    });
    locals
}

fn check_statement(
    here: &Top<'_>,
    outer: Option<&Top<'_>>,
    kinds: &[Declared],
    steps: &[&str],
    received: &BTreeSet<String>,
    wrong: &mut Wrong<'_>,
) {
    let inner = INNER.iter().find(|(key, _)| *key == here.key);
    match (inner, outer) {
        (Some((key, places)), None) => {
            wrong.say(here.at, format!("`{key}` stands inside of {}", either(places)));
        }
        (Some((key, places)), Some(outer)) if !places.contains(&&*outer.key) => {
            wrong.say(here.at, format!("`{key}` stands inside of {}", either(places)));
        }
        (None, Some(_)) => {
            wrong.say(here.at, format!("`{}` stands at the top, in no block", here.key));
        }
        _ => {}
    }
    if matches!(&*here.key, "send" | "need" | "holds") {
        for (name, at) in here.names('k') {
            if !kinds.iter().any(|kind| kind.name == name) {
                wrong.unknown(at, "no message is called", name, kinds.iter().map(|k| k.name));
            }
        }
    }
    if here.key == "send"
        && let Some(kind) = kinds.iter().find(|kind| kind.name == here.name('k'))
    {
        let given = here.read.letters.iter().filter(|l| **l == 'a').count();
        if given != kind.values.len() {
            let message = format!(
                "{} carries {}, here it is sent with {given}",
                kind.name,
                values(kind.values.len())
            );
            wrong.say(here.place('k'), message);
        }
        if !received.contains(kind.name) {
            let form = if kind.values.is_empty() {
                String::new()
            } else {
                format!("({})", kind.values.join(", "))
            };
            let message = format!(
                "nothing says what a node does with it: write on {}{form} from j {{ … }}",
                kind.name
            );
            wrong.say(here.place('k'), message);
        }
    }
    if here.key == "do" && !steps.contains(&here.name('n')) {
        wrong.unknown(here.place('n'), "no step is called", here.name('n'), steps.iter().copied());
    }
}

fn either(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.as_slice() {
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
        [] => String::new(),
    }
}

/// What the rest of the program is told of the algorithm.
fn info(
    script: &Script,
    tops: &[Top<'_>],
    kinds: &[Declared],
    vars: &[Var],
    found: Found,
) -> &'static Info {
    let has = |key: &str| tops.iter().any(|t| t.key == key);
    let title = tops.iter().find(|t| t.key == "algorithm").map_or("", |t| t.name('t'));
    let mut fields: Vec<FieldInfo> = vars
        .iter()
        .filter(|var| var.shown)
        .map(|var| FieldInfo::of(var.name, var.shape, var.about))
        .collect();
    for top in tops.iter().filter(|t| t.key == "show") {
        fields.push(FieldInfo::of(
            words::word(top.name('v')),
            Shape::Any,
            "what the script shows besides",
        ));
    }
    let mut rules: Vec<Rule> = Vec::new();
    for (id, word, event, line) in found.rules {
        let text = sentence_of(script.text.lines().nth(line - 1).unwrap_or_default().trim());
        let when = match &*event {
            "on request" => When::Asking,
            "on exit" => When::Leaving,
            "on timeout" => When::Timer,
            event if event.starts_with("step") => When::Anything,
            _ => When::Receipt,
        };
        match rules.iter_mut().find(|rule| rule.id == id) {
            Some(rule) if rule.words().any(|known| known == word) || word.is_empty() => {}
            Some(rule) => rule.outcomes = words::word(&format!("{}, {word}", rule.outcomes)),
            None => rules.push(Rule {
                id: words::word(&id),
                when,
                on: words::word(&event),
                text: words::word(text),
                outcomes: words::word(&word),
                also: "",
            }),
        }
    }
    let helper = tops.iter().find(|t| t.key == "helper").map(|t| match t.name('h') {
        "C" => Helper::Coordinator,
        _ => Helper::LockService,
    });
    let list: Vec<Kind> = kinds
        .iter()
        .map(|kind| if kind.asks { Kind::asks(kind.name) } else { Kind::gives(kind.name) })
        .collect();
    let stamped = kinds.iter().any(|kind| kind.stamped);
    let key = format!(
        "{} {title} {kinds:?} {fields:?} {rules:?} {} {} {} {} {helper:?} {} {} {}",
        script.name,
        has("channels"),
        has("ordered"),
        has("circulates"),
        has("fence"),
        stamped,
        found.quorum,
        found.tree
    );
    let (slug, title) = (words::word(&script.name), words::word(title));
    words::info(
        || Info {
            slug,
            title,
            paper: "written by hand",
            idea: "An algorithm from a file.",
            good_for: "Trying what one has thought of.",
            needs: if has("channels") { ChannelOrder::Fifo } else { ChannelOrder::AnyOrder },
            stamped,
            order: if has("ordered") { OrderPromise::Stamps } else { OrderPromise::NotPromised },
            token: kinds.iter().any(|kind| kind.token),
            circulates: has("circulates"),
            voting_sets: found.quorum,
            tree: found.tree,
            helper,
            kinds: list.leak(),
            fields: fields.leak(),
            rules: rules.leak(),
            cost: Cost { formula: "not stated", least: |_| 0, most: |_| 0, contended: None },
            fence: has("fence").then_some("a number"),
            ..PLAIN
        },
        key,
    )
}

/// The sentence of a line like ``rule "L-2" ack: `${me} acknowledges.`;``, or the line.
fn sentence_of(line: &str) -> &str {
    let behind = line.split_once("\":").or_else(|| line.split_once(": "));
    let Some((_, text)) = behind else { return line };
    let text = text.trim().trim_end_matches(';').trim_matches(['`', '"']);
    if text.is_empty() { line } else { text }
}
