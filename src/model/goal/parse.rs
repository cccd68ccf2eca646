//! The parser of the goal language: a hand-written descent, because each error must say its place.

use super::{Column, Compare, Count, Goal, GoalError, Overtaking, Property};
use super::{Test, Vocabulary, When, WriteFate};
use crate::model::node::NodeId;
use crate::model::shape::Place;
use crate::model::value::Value;

/// Goals are short; the limit keeps the descent from running out of stack.
const MAX_LEN: usize = 2_000;
const MAX_DEPTH: usize = 60;

/// Every atom with its form, for messages and for help.
pub const ATOMS: [(&str, &str); 20] = [
    ("in_cs", "in_cs(P1)"),
    ("waiting", "waiting(P1)"),
    ("idle", "idle(P1)"),
    ("entered", "entered(P1)"),
    ("exited", "exited(P1)"),
    ("crashed", "crashed(P3)"),
    ("holds", "holds(token, P2)"),
    ("violated", "violated(mutex)"),
    ("stuck", "stuck()"),
    ("entries", "entries(P1) == 2"),
    ("exits", "exits(P1) == 1"),
    ("messages", "messages(REQUEST) == 2"),
    ("in_flight", "in_flight(P1>P2)"),
    ("tokens", "tokens() == 2"),
    ("clock", "clock(P1) == 5"),
    ("overtaken", "overtaken(P1) >= 2"),
    ("overtaken_later", "overtaken_later(P1) >= 1"),
    ("writes", "writes(P1, refused) == 1"),
    ("field", "field(P2, deferred) == {P1}"),
    ("not", "not in_cs(P1)"),
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    words: &'a Vocabulary<'a>,
}

type Parsed<T> = Result<T, GoalError>;

/// Reads a whole goal.
pub(super) fn goal(text: &str, words: &Vocabulary<'_>) -> Parsed<Goal> {
    let mut p = Parser { text, at: 0, depth: 0, words };
    if text.len() > MAX_LEN {
        return Err(p.error(format!("a goal has at most {MAX_LEN} characters")));
    }
    p.space();
    let always = p.word_is("always");
    let when = if always || p.word_is("never") {
        When::Never
    } else if p.word_is("eventually") {
        When::Eventually
    } else {
        When::Now
    };
    let test = p.or()?;
    p.space();
    if p.at < text.len() {
        return Err(p.error("expected `and`, `or` or the end of the goal".to_owned()));
    }
    // What always holds is what never fails to.
    let test = if always { Test::Not(Box::new(test)) } else { test };
    Ok(Goal { when, test })
}

impl<'a> Parser<'a> {
    fn error(&self, message: String) -> GoalError {
        GoalError { at: self.at, message }
    }

    fn error_at(&self, at: usize, message: String) -> GoalError {
        GoalError { at, message }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn need(&mut self, token: &str, after: &str) -> Parsed<()> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.error(format!("expected `{token}` {after}")))
        }
    }

    /// The word here, without taking it.
    fn peek_word(&mut self) -> &'a str {
        self.space();
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    fn word_is(&mut self, wanted: &str) -> bool {
        let found = self.peek_word().eq_ignore_ascii_case(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn or(&mut self) -> Parsed<Test> {
        let mut left = self.and()?;
        while self.word_is("or") {
            left = Test::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Test> {
        let mut left = self.not()?;
        while self.word_is("and") {
            left = Test::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed<Test> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("the goal is nested too deeply".to_owned()));
        }
        let test = if self.word_is("not") {
            Test::Not(Box::new(self.not()?))
        } else if self.eat("(") {
            let inner = self.or()?;
            self.need(")", "to close the bracket")?;
            inner
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Ok(test)
    }

    fn atom(&mut self) -> Parsed<Test> {
        self.space();
        let start = self.at;
        let word = self.word().to_ascii_lowercase();
        if !ATOMS.iter().any(|(name, _)| *name == word) {
            return Err(self.error_at(start, unknown_atom(&word)));
        }
        self.need("(", &format!("after `{word}`"))?;
        let test = self.arguments(&word)?;
        Ok(test)
    }

    /// What stands in the brackets of an atom, and the comparison behind them.
    fn arguments(&mut self, word: &str) -> Parsed<Test> {
        let simple: Option<fn(NodeId) -> Test> = match word {
            "in_cs" => Some(Test::InCs),
            "waiting" => Some(Test::Waiting),
            "idle" => Some(Test::Idle),
            "entered" => Some(Test::Entered),
            "exited" => Some(Test::Exited),
            "crashed" => Some(Test::Crashed),
            _ => None,
        };
        if let Some(make) = simple {
            let node = self.node()?;
            self.close()?;
            return Ok(make(node));
        }
        match word {
            "stuck" => {
                self.close()?;
                Ok(Test::Stuck)
            }
            "holds" => {
                self.space();
                let at = self.at;
                if !self.word_is("token") {
                    return Err(
                        self.error_at(at, "only a token can be held: holds(token, P2)".into())
                    );
                }
                self.has_token(at)?;
                self.need(",", "and a node: holds(token, P2)")?;
                let node = self.node()?;
                self.close()?;
                Ok(Test::Holds(node))
            }
            "violated" => {
                let at = self.at;
                let property = self.property()?;
                match property {
                    Property::Token => self.has_token(at)?,
                    Property::Fence => self.has_storage(at)?,
                    Property::Mutex | Property::Order => {}
                }
                self.close()?;
                Ok(Test::Violated(property))
            }
            "field" => self.field(),
            _ => self.count(word),
        }
    }

    fn close(&mut self) -> Parsed<()> {
        self.need(")", "to close the bracket")
    }

    fn node(&mut self) -> Parsed<NodeId> {
        self.space();
        let at = self.at;
        let name = self.word();
        self.words.names.find(name).ok_or_else(|| {
            let known = self.words.names.listed();
            let message = match name {
                "" => format!("expected a node; this cluster has {known}"),
                _ => format!("no node `{name}`; this cluster has {known}"),
            };
            self.error_at(at, message)
        })
    }

    fn property(&mut self) -> Parsed<Property> {
        self.space();
        let at = self.at;
        let word = self.word().to_ascii_lowercase();
        let known = Property::ALL.iter().find(|(name, _)| *name == word);
        known.map(|(_, p)| *p).ok_or_else(|| {
            let all: Vec<&str> = Property::ALL.iter().map(|(name, _)| *name).collect();
            self.error_at(at, format!("no property `{word}`; properties are {}", all.join(", ")))
        })
    }

    fn count(&mut self, word: &str) -> Parsed<Test> {
        let count = match word {
            "entries" => Count::Entries(self.optional_node()?),
            "exits" => Count::Exits(self.optional_node()?),
            "messages" => Count::Messages(self.kind()?),
            "in_flight" => Count::InFlight(self.channel()?),
            "tokens" => {
                self.has_token(self.at)?;
                Count::Tokens
            }
            "clock" => Count::Clock(self.node()?),
            word if let Some((_, by)) = Overtaking::ALL.iter().find(|(own, _)| *own == word) => {
                Count::Overtaken(self.node()?, *by)
            }
            _ => {
                self.has_storage(self.at)?;
                let node = self.node()?;
                let fate = if self.eat(",") { self.fate()? } else { WriteFate::Accepted };
                Count::Writes(node, fate)
            }
        };
        self.close()?;
        match self.comparison() {
            Some(how) => Ok(Test::Number(count, how, self.counted(word, how)?)),
            None if matches!(count, Count::InFlight(_)) => Ok(Test::Some(count)),
            None => Err(self.error(format!("compare the number: {word}(…) == 2"))),
        }
    }

    /// What asks for a token where there is none never holds.
    fn has_token(&self, at: usize) -> Parsed<()> {
        let none = || self.error_at(at, "there are no tokens in this algorithm".to_owned());
        if self.words.token { Ok(()) } else { Err(none()) }
    }

    /// What asks for writes where nothing is written never holds.
    fn has_storage(&self, at: usize) -> Parsed<()> {
        let none = || self.error_at(at, "this cluster has no storage node".to_owned());
        if self.words.storage { Ok(()) } else { Err(none()) }
    }

    fn optional_node(&mut self) -> Parsed<Option<NodeId>> {
        if self.peek_word().is_empty() { Ok(None) } else { self.node().map(Some) }
    }

    fn kind(&mut self) -> Parsed<Option<String>> {
        self.space();
        let at = self.at;
        let word = self.word().to_ascii_uppercase();
        if word.is_empty() {
            return Ok(None);
        }
        let engine = ["TELL", "WRITE", "READ"];
        if !self.words.kinds.contains(&word.as_str()) && !engine.contains(&word.as_str()) {
            let known = self.words.kinds.join(", ");
            return Err(
                self.error_at(at, format!("no message is called `{word}` here; kinds are {known}"))
            );
        }
        Ok(Some(word))
    }

    fn channel(&mut self) -> Parsed<Option<(NodeId, NodeId)>> {
        if self.peek_word().is_empty() {
            return Ok(None);
        }
        let from = self.node()?;
        self.need(">", "and the receiver: in_flight(P1>P2)")?;
        Ok(Some((from, self.node()?)))
    }

    fn fate(&mut self) -> Parsed<WriteFate> {
        self.space();
        let at = self.at;
        match self.word().to_ascii_lowercase().as_str() {
            "accepted" => Ok(WriteFate::Accepted),
            "refused" => Ok(WriteFate::Refused),
            "lost" => Ok(WriteFate::Lost),
            other => {
                let message = format!("a write is accepted, refused or lost, not `{other}`");
                Err(self.error_at(at, message))
            }
        }
    }

    fn comparison(&mut self) -> Option<Compare> {
        let all = [
            ("==", Compare::Eq),
            ("!=", Compare::Ne),
            ("<=", Compare::Le),
            (">=", Compare::Ge),
            ("<", Compare::Lt),
            (">", Compare::Gt),
            ("=", Compare::Eq),
        ];
        all.into_iter().find(|(token, _)| self.eat(token)).map(|(_, how)| how)
    }

    /// The number with which a count is compared: no count is ever below 0.
    fn counted(&mut self, word: &str, how: Compare) -> Parsed<i64> {
        self.space();
        let at = self.at;
        let text = self.value_text()?;
        let number: i64 = text.parse().map_err(|_| {
            let read = if text.is_empty() { String::new() } else { format!(", not `{text}`") };
            let message = format!("expected a whole number{read}: {word}(…) == 2");
            self.error_at(at, message)
        })?;
        let decided = match how {
            Compare::Eq | Compare::Le | Compare::Ne | Compare::Gt => number < 0,
            Compare::Lt | Compare::Ge => number <= 0,
        };
        if decided {
            let message = "a count is 0 or more, so that this says nothing".to_owned();
            return Err(self.error_at(at, message));
        }
        Ok(number)
    }

    fn field(&mut self) -> Parsed<Test> {
        let node = self.node()?;
        self.need(",", "and a variable: field(P2, deferred)")?;
        self.space();
        let at = self.at;
        let word = self.word();
        let words = self.words;
        let known = words.columns.iter().find(|column| column.name.eq_ignore_ascii_case(word));
        let Some(column) = known else {
            let known: Vec<&str> = words.columns.iter().map(|column| column.name).collect();
            let known = known.join(", ");
            return Err(
                self.error_at(at, format!("no variable `{word}` here; variables are {known}"))
            );
        };
        let Some((_, each)) = column.at.iter().find(|(has, _)| *has == node) else {
            return Err(self.error_at(at, self.not_there(node, column)));
        };
        self.close()?;
        self.space();
        let at = self.at;
        let place = Place { names: words.names, own: node, each };
        let form = |value: Value| value.literal(words.names);
        let Some(how) = self.comparison() else {
            let like = form(column.shape.sample(place));
            return Err(self.error(format!("compare the variable: field(…) == {like}")));
        };
        if !column.shape.is_ordered() && !matches!(how, Compare::Eq | Compare::Ne) {
            let message = format!(
                "`{}` holds {}: compare it with == or !=",
                column.name,
                column.shape.called()
            );
            return Err(self.error_at(at, message));
        }
        let value = self.value(column, place)?;
        Ok(Test::Field(node, column.name.to_owned(), how, value))
    }

    /// Why a node has no variable that others have.
    fn not_there(&self, node: NodeId, column: &Column) -> String {
        let name = |node: &NodeId| self.words.names.get(*node).to_owned();
        let has: Vec<String> = column.at.iter().map(|(node, _)| name(node)).collect();
        match has.as_slice() {
            [] => format!("no node has `{}` with these settings", column.name),
            has => format!("{} has no `{}`; {} has", name(&node), column.name, has.join(", ")),
        }
    }

    /// A value of a variable's shape.
    fn value(&mut self, column: &Column, place: Place<'_>) -> Parsed<Value> {
        self.space();
        let at = self.at;
        let text = self.value_text()?;
        let shape = column.shape;
        let read = shape.read(text, place);
        if let Some(value) = read.clone().filter(|value| is_written(text, value)) {
            return Ok(value);
        }
        // A number in place of a stamp is its clock value.
        let stamp = || shape.read(&format!("({text},{})", place.names.get(place.own)), place);
        let meant = read.or_else(stamp).unwrap_or_else(|| shape.sample(place));
        let wrong = match text {
            "" => String::new(),
            text => format!(", not `{text}`"),
        };
        let message = format!(
            "`{}` holds {}{wrong}: write {}",
            column.name,
            shape.called(),
            meant.literal(place.names)
        );
        Err(self.error_at(at, message))
    }

    /// The text of a value: one word, or what stands in brackets.
    fn value_text(&mut self) -> Parsed<&'a str> {
        if !self.rest().starts_with(['{', '[', '(']) {
            return Ok(self.word());
        }
        let (start, mut depth) = (self.at, 0_usize);
        for (i, c) in self.rest().char_indices() {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                self.at = start + i + c.len_utf8();
                return Ok(&self.text[start..self.at]);
            }
        }
        self.at = self.text.len();
        Err(self.error("a bracket is not closed".to_owned()))
    }
}

/// Whether a value is written as goals write it: a set in `{}`, a list in `[]`, a stamp in `()`.
fn is_written(text: &str, value: &Value) -> bool {
    let open = match value {
        Value::Set(_) => "{",
        Value::List(_) | Value::PerNode(_) => "[",
        Value::Stamp(_) => "(",
        _ => "",
    };
    let bare = !text.starts_with(['{', '[', '(']);
    if open.is_empty() || (bare && value.is_nothing()) { bare } else { text.starts_with(open) }
}

fn unknown_atom(word: &str) -> String {
    let all = ATOMS.map(|(name, _)| name);
    match crate::input::nearest(word, all) {
        Some(close) => {
            let form = ATOMS.iter().find(|(name, _)| *name == close).map_or("", |(_, form)| form);
            format!("nothing is called `{word}`; did you mean `{form}`?")
        }
        None if word.is_empty() => "expected a goal such as `in_cs(P1)`".to_owned(),
        None => format!("nothing is called `{word}`; a goal is made of {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Names, Shape};
    use proptest::prelude::*;

    /// A goal over three nodes that have sets under these names.
    fn in_words(text: &str, fields: &[&'static str]) -> Parsed<Goal> {
        let names = Names::new(Names::numbered(3));
        let at: Vec<_> = (0..3).map(|i| (NodeId(i), Vec::new())).collect();
        let column = |name: &&'static str| Column { name, shape: Shape::Set, at: at.clone() };
        let columns = fields.iter().map(column).collect();
        let kinds = vec!["REQUEST", "REPLY"];
        let words = Vocabulary { names: &names, kinds, columns, token: true, storage: true };
        goal(text, &words)
    }

    fn parse(text: &str) -> Parsed<Goal> {
        in_words(text, &["deferred"])
    }

    #[test]
    fn every_atom_of_the_table_parses_in_its_own_form() {
        for (_, form) in ATOMS {
            assert!(parse(form).is_ok(), "{form}: {:?}", parse(form));
        }
    }

    #[test]
    fn a_variable_is_found_however_its_name_is_written() {
        for text in ["field(P1, RN) == {P1}", "field(P1, rn) == {P1}"] {
            let parsed = in_words(text, &["RN", "queue"]).expect(text);
            assert!(matches!(parsed.test, Test::Field(_, name, ..) if name == "RN"), "{text}");
        }
    }

    #[test]
    fn and_binds_tighter_than_or() {
        let goal = parse("in_cs(P1) or in_cs(P2) and stuck()").expect("a goal");
        assert!(matches!(goal.test, Test::Or(_, _)));
    }

    #[test]
    fn never_and_eventually_stand_at_the_top_only() {
        assert_eq!(parse("never violated(mutex)").expect("a goal").when, When::Never);
        assert_eq!(parse("eventually stuck()").expect("a goal").when, When::Eventually);
        let always = parse("always idle(P1)").expect("a goal");
        assert_eq!(always, parse("never not idle(P1)").expect("the same goal"));
        assert!(parse("not never stuck()").is_err());
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let cases = [
            ("in_sc(P1)", 0, "did you mean `in_cs(P1)`?"),
            ("in_cs(P9)", 6, "no node `P9`; this cluster has P1, P2, P3"),
            ("in_cs(P1", 8, "expected `)`"),
            ("messages(REPLI) == 1", 9, "kinds are REQUEST, REPLY"),
            ("messages()", 10, "compare the number"),
            ("entries(P1) == many", 15, "expected a whole number"),
            ("field(P1, queue) == none", 10, "variables are deferred"),
            ("violated(luck)", 9, "properties are mutex, token, order, fence"),
            ("in_cs(P1) in_cs(P2)", 10, "expected `and`, `or` or the end"),
            ("", 0, "expected a goal"),
        ];
        for (text, at, part) in cases {
            let error = parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_not_a_crash() {
        assert!(parse(&format!("{}stuck()", "(".repeat(900))).is_err());
        assert!(parse(&"not ".repeat(2_000)).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,80}") {
            let _ = parse(&text);
        }
    }
}
