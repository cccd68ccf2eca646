//! Changes single entries of a file and leaves the rest of its text, comments and all, as it stands.
//!
//! This file must not know what the entries mean; it takes away or replaces what it is told to.

use super::document::{Document, Entry, Kind, NodeId};
use super::path::Path;
use std::ops::Range;

/// What becomes of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// It goes, with the comments in it.
    Remove,
    /// It gets another value, written as YAML in one line.
    Replace(String),
}

/// A range of the text and what takes its place.
type Change = (Range<usize>, String);

impl Document {
    /// The text of the file with some entries of its maps changed. A path at which no entry stands is
    /// passed over.
    ///
    /// The text is edited and not understood: whoever needs to be sure reads the result again.
    ///
    /// ```
    /// use lockstep::input::{Document, Edit, Path, Source};
    /// let text = "# kept\na: 1\nb: {c: x, d: y} # kept\n";
    /// let document = Document::of(&Source::from_text("a.yaml", text, "file")?)?;
    /// let edits = [(Path::from("a"), Edit::Remove), (Path::from("b.d"), Edit::Replace("z".into()))];
    /// assert_eq!(document.edited(&edits), "# kept\nb: {c: x, d: z} # kept\n");
    /// # Ok::<(), lockstep::input::Problems>(())
    /// ```
    #[must_use]
    pub fn edited(&self, edits: &[(Path, Edit)]) -> String {
        let gone: Vec<NodeId> = edits
            .iter()
            .filter(|(_, edit)| *edit == Edit::Remove)
            .filter_map(|(path, _)| self.node_at(path))
            .collect();
        let mut changes: Vec<Change> =
            edits.iter().filter_map(|(path, edit)| self.change(path, edit, &gone)).collect();
        changes.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let text = self.source.text();
        let (mut new, mut done) = (String::new(), 0);
        for (range, instead) in changes {
            if range.end <= done {
                continue;
            }
            if range.start > done {
                new.push_str(&text[done..range.start]);
            }
            new.push_str(&instead);
            done = range.end;
        }
        new.push_str(&text[done..]);
        new
    }

    fn change(&self, path: &Path, edit: &Edit, gone: &[NodeId]) -> Option<Change> {
        let value = self.node_at(path)?;
        let map = self.nodes[value].parent?;
        let entries = self.entries(map)?;
        let place = entries.iter().position(|entry| entry.value == value)?;
        let flow = self.is_flow(map);
        Some(match (flow, edit) {
            (true, Edit::Remove) => (self.flow_entry(entries, place, gone), String::new()),
            (true, Edit::Replace(with)) => {
                let at = self.nodes[value].offset;
                (at..self.end_of_flow(at), with.clone())
            }
            (false, Edit::Remove) => self.without_block_entry(entries, place),
            (false, Edit::Replace(with)) => {
                let key = self.nodes[entries[place].key].offset;
                let name = &self.source.text()[key..self.end_of_flow(key)];
                (key..self.end_of_block(entries[place]), format!("{name}: {with}\n"))
            }
        })
    }

    /// True if a map stands in braces.
    fn is_flow(&self, map: NodeId) -> bool {
        self.first_char(map) == Some('{')
    }

    /// An entry between braces, with the comma behind it; where nothing stays behind it, with all from the
    /// last entry that stays, so that no comma tells that there was more.
    fn flow_entry(&self, entries: &[Entry], place: usize, gone: &[NodeId]) -> Range<usize> {
        let start = |entry: &Entry| self.nodes[entry.key].offset;
        let end = |entry: &Entry| {
            let at = self.nodes[entry.value].offset;
            self.end_of_flow(at)
        };
        let stays = |entry: &&Entry| !gone.contains(&entry.value);
        if entries[place..].iter().any(|entry| stays(&entry)) {
            return start(&entries[place])..start(&entries[place + 1]);
        }
        match entries[..place].iter().rfind(stays) {
            Some(last) => end(last)..end(&entries[place]),
            None => start(&entries[0])..end(&entries[place]),
        }
    }

    /// Lines of an entry; where it begins behind the `- ` of a list, the next entry takes its place.
    fn without_block_entry(&self, entries: &[Entry], place: usize) -> Change {
        let text = self.source.text();
        let start = self.nodes[entries[place].key].offset;
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if text[line..start].trim().is_empty() {
            return (line..self.end_of_block(entries[place]), String::new());
        }
        match entries.get(place + 1) {
            Some(next) => (start..self.nodes[next.key].offset, String::new()),
            None => (start..self.end_of_block(entries[place]), "{}\n".to_owned()),
        }
    }

    /// The start of the first line behind an entry that stands on lines of its own. Comments that are no
    /// deeper than its key belong to what follows.
    fn end_of_block(&self, entry: Entry) -> usize {
        let text = self.source.text();
        let start = self.nodes[entry.key].offset;
        let behind = self.nodes.iter().enumerate();
        let behind = behind.filter(|(id, node)| node.offset > start && !self.is_in(*id, entry));
        let next = behind.map(|(_, node)| node.offset).min();
        let end = next.map_or(text.len(), |at| text[..at].rfind('\n').map_or(0, |at| at + 1));
        let column = self.nodes[entry.key].pos.column;
        let first = text[start..end].find('\n').map_or(end, |at| start + at + 1);
        let mut kept = end;
        for line in text[first..end].split_inclusive('\n').rev() {
            let indent = line.chars().take_while(|c| *c == ' ').count();
            let rest = line.trim();
            if !(rest.is_empty() || rest.starts_with('#') && indent < column) {
                break;
            }
            kept -= line.len();
        }
        kept
    }

    fn is_in(&self, id: NodeId, entry: Entry) -> bool {
        let mut at = Some(id);
        while let Some(node) = at {
            if node == entry.value || node == entry.key {
                return true;
            }
            at = self.nodes[node].parent;
        }
        false
    }

    /// The end of a value between brackets, or of a key: quotes and brackets come in pairs, and anything
    /// else ends where YAML ends it.
    fn end_of_flow(&self, start: usize) -> usize {
        let text = &self.source.text()[start..];
        let mut depth = 0_usize;
        let mut chars = text.char_indices().peekable();
        let mut end = 0;
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            match c {
                '"' | '\'' if depth > 0 || at == 0 => {
                    end = at + quoted_len(&text[at..]);
                    while chars.next_if(|(at, _)| *at < end).is_some() {}
                    if depth == 0 {
                        return start + end;
                    }
                    continue;
                }
                '[' | '{' if depth > 0 || at == 0 => depth += 1,
                ']' | '}' if depth > 1 => depth -= 1,
                ']' | '}' if depth == 1 => return start + at + c.len_utf8(),
                ',' | ']' | '}' if depth == 0 => break,
                ':' if depth == 0 && next.is_none_or(char::is_whitespace) => break,
                '#' if depth == 0 && text[..at].ends_with([' ', '\n']) => break,
                _ => {}
            }
            if !c.is_whitespace() {
                end = at + c.len_utf8();
            }
        }
        start + end
    }

    /// The node at a path, if there is one.
    fn node_at(&self, path: &Path) -> Option<NodeId> {
        let (id, steps) = self.nearest_node(path);
        (steps == path.segs().len()).then_some(id)
    }

    /// The keys of the map at a path, in order; empty where no map is.
    #[must_use]
    pub fn keys(&self, path: &Path) -> Vec<&str> {
        let map = self.node_at(path).map(|id| &self.nodes[id].kind);
        let Some(Kind::Map(entries)) = map else { return Vec::new() };
        entries.iter().filter_map(|entry| self.text_of(entry.key)).collect()
    }
}

/// The length of a quoted text, with both quotes.
fn quoted_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote)) = chars.next() else { return 0 };
    let mut chars = chars.peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => drop(chars.next()),
            c if c == quote => match chars.peek() {
                Some((_, '\'')) if quote == '\'' => drop(chars.next()),
                _ => return at + 1,
            },
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Source;

    fn edited(text: &str, edits: &[(&str, Edit)]) -> String {
        let source = Source::from_text("a.yaml", text, "file").expect("a text");
        let document = Document::of(&source).expect("YAML");
        let edits: Vec<(Path, Edit)> =
            edits.iter().map(|(path, edit)| (Path::from(*path), edit.clone())).collect();
        document.edited(&edits)
    }

    #[test]
    fn a_block_goes_with_its_lines_and_the_comments_of_others_stay() {
        let text = "a: |\n  one\n  # of the text\n\n# of b\nb: 2\nc:\n  - x: 1 # gone\n    y: 2\n  - z: 3\n";
        let cut = edited(text, &[("a", Edit::Remove), ("c[0].x", Edit::Remove)]);
        assert_eq!(cut, "\n# of b\nb: 2\nc:\n  - y: 2\n  - z: 3\n");
    }

    #[test]
    fn entries_between_braces_go_with_their_commas() {
        let text = "o: {a: 'it''s, {x}', b: \"}\\\"\", c: [1, {d: 2}], e: plain text}\n";
        let one = |path: &str| edited(text, &[(path, Edit::Remove)]);
        assert_eq!(one("o.a"), "o: {b: \"}\\\"\", c: [1, {d: 2}], e: plain text}\n");
        assert_eq!(one("o.b"), "o: {a: 'it''s, {x}', c: [1, {d: 2}], e: plain text}\n");
        assert_eq!(one("o.c"), "o: {a: 'it''s, {x}', b: \"}\\\"\", e: plain text}\n");
        assert_eq!(one("o.e"), "o: {a: 'it''s, {x}', b: \"}\\\"\", c: [1, {d: 2}]}\n");
        let both = [("o.c", Edit::Remove), ("o.e", Edit::Remove)];
        assert_eq!(edited(text, &both), "o: {a: 'it''s, {x}', b: \"}\\\"\"}\n");
    }

    #[test]
    fn a_value_is_replaced_whatever_its_form() {
        let text = "a: >\n  long\n  text\nb: [1,\n  2]\nc: {d: 1}\n";
        let with = || Edit::Replace("0".to_owned());
        let all = edited(text, &[("a", with()), ("b", with()), ("c.d", with())]);
        assert_eq!(all, "a: 0\nb: 0\nc: {d: 0}\n");
    }

    #[test]
    fn the_last_entry_ends_with_the_text() {
        assert_eq!(edited("a: 1\nb:\n  - 1\n  - 2", &[("b", Edit::Remove)]), "a: 1\n");
        assert_eq!(edited("a:\n  - b: 1", &[("a[0].b", Edit::Remove)]), "a:\n  - {}\n");
        assert_eq!(edited("a: 1\n", &[("x", Edit::Remove)]), "a: 1\n");
    }
}
