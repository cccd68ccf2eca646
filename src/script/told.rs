//! The interpreter's complaints in our own words: they are read by people who know no interpreter.

use super::functions::MOST_OPERATIONS;
use super::value::called;
use rhai::{EvalAltResult, ParseErrorType, Position};

/// What is wrong with a text that cannot be read.
pub(super) fn parsing(error: &ParseErrorType) -> String {
    use ParseErrorType as E;
    match error {
        E::UnexpectedEOF => "the text ends too early: a `}`, a `)` or a `;` is missing".to_owned(),
        E::MissingToken(token, _) if token == ";" => "a `;` is missing before this".to_owned(),
        E::MissingToken(token, _) if token == "from" => {
            "here `from` is missing, as in `on REPLY from j`; the events are request, exit, timeout and start"
                .to_owned()
        }
        E::MissingToken(token, _) => format!("here `{token}` is missing"),
        E::Reserved(word) => format!("`{word}` is a word of the language: take another name"),
        E::VariableExpected => "here stands a name".to_owned(),
        E::ExprExpected(_) => "here stands a value".to_owned(),
        E::PropertyExpected => "behind the full stop stands a name".to_owned(),
        E::UnknownOperator(sign) => format!("there is no sign `{sign}`"),
        E::AssignmentToConstant(name) => format!("`{name}` is given: it cannot be changed"),
        E::AssignmentToInvalidLHS(_) => {
            "this cannot be changed; `==` compares, `=` changes".to_owned()
        }
        E::MismatchedType(_, _) => "here stands a yes or no".to_owned(),
        E::FnMissingParams(name) => format!("behind fn {name} stand its parameters, in brackets"),
        E::FnMissingName => "behind fn stands a name".to_owned(),
        E::FnDuplicatedDefinition(name, _) => format!("two functions are called `{name}`"),
        E::FnDuplicatedParam(_, name) => format!("two parameters are called `{name}`"),
        E::WrongFnDefinition => "fn stands at the top, in no block".to_owned(),
        E::ExprTooDeep => "this is nested too deeply".to_owned(),
        E::LoopBreak => "break and continue stand inside of a loop".to_owned(),
        E::BadInput(rhai::LexError::UnterminatedString) => {
            "this text has no end: a `\"` is missing".to_owned()
        }
        E::BadInput(rhai::LexError::UnexpectedInput(sign)) => {
            format!("`{sign}` means nothing here")
        }
        E::BadInput(rhai::LexError::MalformedNumber(text)) => {
            format!("`{text}` is no number; numbers are whole")
        }
        E::BadInput(rhai::LexError::ImproperSymbol(word, _)) => {
            format!("`{word}` cannot stand here")
        }
        other => format!("this cannot be read: {other}"),
    }
}

/// What went wrong while a script ran, and where.
pub(super) fn running(error: &EvalAltResult) -> (String, Position) {
    use EvalAltResult as E;
    let at = error.position();
    let message = match error {
        E::ErrorInFunctionCall(_, _, inner, at) => {
            let (message, inside) = running(inner);
            return (message, if inside.is_none() { *at } else { inside });
        }
        E::ErrorRuntime(said, _) => said.to_string(),
        E::ErrorVariableNotFound(name, _) => format!("there is no variable `{name}` here"),
        E::ErrorPropertyNotFound(name, _) => format!("it has no part called `{name}`"),
        E::ErrorFunctionNotFound(signature, _) => unfitting(signature),
        E::ErrorIndexNotFound(..) => "there is nothing at this place".to_owned(),
        E::ErrorIndexingType(..) => "this has no places in brackets for such a value".to_owned(),
        E::ErrorArrayBounds(0, ..) => "the list is empty".to_owned(),
        E::ErrorArrayBounds(n, i, _) => format!("the list has {n} items, and no place {i}"),
        E::ErrorMismatchDataType(wanted, found, _)
        | E::ErrorMismatchOutputType(wanted, found, _) => {
            format!("here stands {}, not {}", called(wanted), called(found))
        }
        E::ErrorFor(_) => "`for` goes through a list or a set".to_owned(),
        E::ErrorDataRace(..) => "a list is changed while it is gone through".to_owned(),
        E::ErrorAssignmentToConstant(name, _) | E::ErrorNonPureMethodCallOnConstant(name, _) => {
            format!("`{name}` is given: it cannot be changed")
        }
        E::ErrorDotExpr(..) => "nothing can be asked of this with a full stop".to_owned(),
        E::ErrorArithmetic(..) => "this number cannot be reckoned".to_owned(),
        E::ErrorTooManyOperations(_) => {
            format!("this does not end: stopped after {MOST_OPERATIONS} operations")
        }
        E::ErrorStackOverflow(_) => "functions call each other too deeply".to_owned(),
        E::ErrorDataTooLarge(..) => "this value grows too large".to_owned(),
        _ => "this cannot be done".to_owned(),
    };
    (message, at)
}

/// A function or a sign that does not take such values: `+ (stamp, i64)`.
fn unfitting(signature: &str) -> String {
    let (name, types) = signature.split_once(" (").unwrap_or((signature, ""));
    let types: Vec<&str> =
        types.trim_end_matches(')').split(", ").filter(|t| !t.is_empty()).map(called).collect();
    let sign = name.starts_with(|c: char| !c.is_alphabetic());
    match types.as_slice() {
        [a, b] if sign => format!("`{name}` cannot take {a} and {b}"),
        [] => format!("`{name}()` cannot stand without a value"),
        all => format!("`{name}` cannot be done with {}", all.join(" and ")),
    }
}
