//! How our JSON stands on the page: one line for each key of the document, and one for each item of a
//! list of objects, so that people and `diff` can read it as well.
//!
//! It decides on white space alone.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Writes a document, with a line end behind it.
pub(super) fn write(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Layout::default());
    document.serialize(&mut serializer)?;
    writeln!(out)
}

#[derive(Default)]
struct Layout {
    /// How many objects and lists are open.
    depth: usize,
    /// Whether what is open at depth 2 is a list.
    list: bool,
    /// Whether that list has an object in it.
    items: bool,
}

impl Formatter for Layout {
    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.depth == 2 && self.list {
            self.items = true;
            out.write_all(b"\n    ")?;
        }
        self.depth += 1;
        if self.depth == 2 {
            self.list = false;
        }
        out.write_all(b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 0 { b"\n}" } else { b"}" })
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(match (self.depth, first) {
            (1, true) => b"\n  ",
            (1, false) => b",\n  ",
            (_, true) => b"",
            (_, false) => b", ",
        })
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.depth == 2 {
            self.list = true;
        }
        out.write_all(b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        let items = self.depth == 1 && std::mem::take(&mut self.items);
        out.write_all(if items { b"\n  ]" } else { b"]" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(document: &serde_json::Value) -> String {
        let mut bytes = Vec::new();
        write(document, &mut bytes).expect("a vector can be written");
        String::from_utf8(bytes).expect("JSON is text")
    }

    #[test]
    fn keys_and_items_have_a_line_each() {
        let document =
            json!({"a": [1, 2], "b": [{"x": {"y": []}, "z": 1}, {}], "c": {"d": {"e": 1}}});
        let wanted = "{\n  \"a\": [1,2],\n  \"b\": [\n    {\"x\": {\"y\": []}, \"z\": 1},\n    {}\n  ],\n  \
                      \"c\": {\"d\": {\"e\": 1}}\n}\n";
        assert_eq!(written(&document), wanted);
        assert_eq!(serde_json::from_str::<serde_json::Value>(wanted).expect("JSON"), document);
    }
}
