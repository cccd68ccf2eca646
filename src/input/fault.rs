//! The error of decoding: what did not fit, and at which node.
//!
//! This file must not know the text of the file; `typed` turns a fault into a problem.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::clean::{one_line, quoted};
use super::count::count;
use super::document::NodeId;
use super::words::{did_you_mean, one_of, plain_expected, plain_found};

/// Something that did not fit the type that a file is decoded into.
#[derive(Debug)]
pub(super) struct Fault {
    /// The node it is about; set by the innermost decoder that knows one.
    pub node: Option<NodeId>,
    pub message: String,
    pub help: Option<String>,
    /// The key that is missing, if that is the fault.
    pub missing: Option<&'static str>,
    /// Whether the fault is a key that nobody knows.
    pub unknown: bool,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { node: None, message: message.into(), help: None, missing: None, unknown: false }
    }

    pub fn with_help(mut self, help: Option<impl Into<String>>) -> Fault {
        self.help = help.map(Into::into);
        self
    }

    /// Says which node it is about, unless one further in has said so already.
    pub fn at(mut self, node: NodeId) -> Fault {
        self.node.get_or_insert(node);
        self
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Fault {
        Fault::new(one_line(&message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        let expected = plain_expected(&expected.to_string());
        Fault::new(format!("expected {expected}, found {}", plain_found(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault::invalid_type(found, expected)
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> Fault {
        let expected = plain_expected(&expected.to_string());
        Fault::new(format!("expected {expected}, found {}", count(found, "item")))
    }

    fn unknown_variant(name: &str, allowed: &'static [&'static str]) -> Fault {
        let message = format!("{} is not known here; expected {}", quoted(name), one_of(allowed));
        Fault::new(message).with_help(did_you_mean(name, allowed.iter().copied()))
    }

    fn unknown_field(name: &str, allowed: &'static [&'static str]) -> Fault {
        let message = format!("unknown key {}; allowed here: {}", quoted(name), one_of(allowed));
        let fault = Fault { unknown: true, ..Fault::new(message) };
        fault.with_help(did_you_mean(name, allowed.iter().copied()))
    }

    fn missing_field(name: &'static str) -> Fault {
        let mut fault = Fault::new(format!("the key `{name}` is missing"));
        fault.missing = Some(name);
        fault
    }

    fn duplicate_field(name: &'static str) -> Fault {
        Fault::new(format!("the key `{name}` is repeated"))
    }
}
