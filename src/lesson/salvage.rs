//! Reads an answers file. One that is not in order is read answer by answer: what can be read is kept,
//! what cannot is told with its line.
//!
//! Nothing is guessed that could make a wrong answer right: an answer that stands there twice is none,
//! and what was shown is counted as shown whatever its form.

use super::answers::{Answers, LIMITS, as_text};
use super::kinds::{self, Kind};
use super::question::is_id;
use crate::input::{self, OrderedMap, Pos, Problem, Problems, Raw, Source, Text};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// More answers than any lesson asks for.
const MOST_BLOCKS: usize = 500;
/// What begins a value that is more than the words on its line.
const SPECIAL: &[char] = &['|', '>', '[', '{', '"', '\'', '&', '!', '*', '%', '@', '`', '-', '?'];

impl Answers {
    /// Reads an answers file that the caller has opened; `name` is how messages call it. One that is not
    /// in order is read answer by answer.
    ///
    /// # Errors
    /// Everything that is wrong with its form, where no answer can be read.
    pub fn read(name: &str, from: impl Read) -> Result<Self, Problems> {
        let mut bytes = Vec::new();
        let at_most = LIMITS.bytes as u64 + 1;
        let unread = |e| Problem::new(name, Pos::START, format!("cannot be read: {e}"));
        from.take(at_most).read_to_end(&mut bytes).map_err(unread)?;
        let whole = Source::from_bytes(name, &bytes, "answers", LIMITS).and_then(|source| {
            kinds::wanted(&source, Kind::Answers(None))?;
            let answers: Self = input::parse(&source)?;
            answers.misplaced().map_or(Ok(()), |why| Err(Problem::new(name, Pos::START, why)))?;
            Ok(answers)
        });
        whole.or_else(|problems| salvaged(name, &bytes, &problems).ok_or(problems))
    }

    /// An answer that stands within another one, as a space too many makes it.
    fn misplaced(&self) -> Option<String> {
        let within = |(id, raw): (&Text, &Raw)| match raw {
            Raw::Map(map) => {
                let lost =
                    |key: &&Text| self.seen.contains_key(*key) && !self.answers.contains_key(*key);
                let inner = map.keys().find(lost)?;
                Some(format!("`{inner}` stands within `{id}`: start it in the same column"))
            }
            _ => None,
        };
        self.answers.iter().find_map(within)
    }
}

/// A key with everything up to the next one.
struct Block<'t> {
    line: usize,
    indent: usize,
    key: &'t str,
    /// What stands behind the colon.
    value: &'t str,
    /// The lines below it.
    more: Vec<&'t str>,
}

/// Reads what can be read of a file with these problems; `None`: no question of it can.
fn salvaged(name: &str, bytes: &[u8], problems: &Problems) -> Option<Answers> {
    let source = Source::from_bytes(name, text_of(bytes).as_bytes(), "answers", LIMITS).ok()?;
    kinds::wanted(&source, Kind::Answers(None)).ok()?;
    let blocks = blocks(source.text());
    let first = blocks.iter().position(|b| b.key == "answers" && b.indent == 0)?;
    let (late, below): (Vec<_>, Vec<_>) = blocks[first..].iter().partition(|b| b.is_head());
    let head: Vec<_> = blocks[..first].iter().chain(late.iter().copied()).collect();
    let braces = match blocks[first].has_value() {
        true if !blocks[first].value.starts_with('{') => return None,
        true => in_braces(source.text(), blocks[first].line, late.get(1).map(|next| next.line)),
        false => Vec::new(),
    };
    let entries: Vec<&Block<'_>> =
        if blocks[first].has_value() { braces.iter().collect() } else { below };
    let again = late.iter().skip(1).any(|b| b.key == "answers" && b.has_value());
    if blocks.len() + entries.len() > MOST_BLOCKS || again {
        return None;
    }
    let mut found = Answers::default();
    for block in head {
        let slot = match block.key {
            "lesson" => &mut found.lesson,
            "who" => &mut found.who,
            "drawn" => &mut found.drawn,
            "shown" => {
                found.shown.extend(block.ids().map(Text::from));
                continue;
            }
            "seen" => {
                if let Ok(Raw::Map(seen)) = block.read(name) {
                    let seen = seen.iter().map(|(id, looks)| (id.clone(), as_text(looks)));
                    found.seen = seen.map(|(id, looks)| (id, Text::from(looks.as_str()))).collect();
                }
                continue;
            }
            _ => continue,
        };
        // Whose answers they are, and to what, is not chosen among two.
        if slot.replace(Text::from(as_text(&block.read(name).ok()?).as_str())).is_some() {
            return None;
        }
    }
    for block in &entries {
        let twice = entries.iter().filter(|other| other.key == block.key).count() > 1;
        let read = match (twice, block.is_text()) {
            (true, _) => Err(block.told(name, "this question is answered more than once")),
            (_, false) => Err(block.told(name, "not UTF-8: save the file as UTF-8")),
            (false, true) => block.read(name),
        };
        // A key that is there twice has been told already.
        match read {
            Ok(raw) => drop(found.answers.insert(block.key.into(), raw)),
            Err(why) => drop(found.unread.insert(block.key.to_owned(), why)),
        }
    }
    let slip = problems.first();
    found.remarks = vec![format!("not in order, so each answer was read by itself: {slip}")];
    (!found.answers.is_empty()).then_some(found)
}

/// The text, of UTF-16 too; what is no text is marked as such.
fn text_of(bytes: &[u8]) -> String {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return String::from_utf8_lossy(bytes).into_owned(),
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    String::from_utf16_lossy(&units.collect::<Vec<u16>>())
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    // The names of the questions stand under `seen:` once more; a key that stands elsewhere but once is no
    // part of another answer.
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for block in text.lines().filter_map(|line| block(0, line)) {
        *times.entry(block.key).or_default() += 1;
    }
    let seen = text.lines().skip_while(|line| !line.starts_with("seen:")).skip(1);
    let seen = seen.filter_map(|line| Some(block(0, line)?.key));
    let seen: BTreeSet<&str> = seen.filter(|key| times.get(key) == Some(&2)).collect();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    // How far the first answer is from the edge.
    let mut base = None;
    for (n, line) in text.lines().enumerate() {
        let line = if line.trim().is_empty() { "" } else { line };
        let begun = block(n + 1, line).filter(|new| match blocks.last() {
            Some(last) if last.is_head() && last.key == "seen" => new.indent == 0,
            Some(last) if new.indent > base.unwrap_or(0) => {
                let open = !last.has_value() && seen.contains(new.key);
                last.is_head() || last.is_whole() || open
            }
            _ => true,
        });
        match (begun, blocks.last_mut()) {
            (Some(new), _) => {
                if blocks.last().is_some_and(|b| b.key == "answers") && base.is_none() {
                    base = Some(new.indent);
                }
                blocks.push(new);
            }
            (None, Some(last)) => last.more.push(line),
            (None, None) => {}
        }
    }
    blocks
}

/// The answers of `answers: {…}` from this line on, up to the line of what comes after them.
fn in_braces(text: &str, line: usize, next: Option<usize>) -> Vec<Block<'_>> {
    let start_of = |line: usize| text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let end = next.map_or(text.len(), start_of);
    let mut rest = &text[start_of(line)..end];
    rest = rest.split_once('{').map_or("", |(_, inner)| inner);
    let mut found = Vec::new();
    loop {
        let (entry, after) = first_entry(rest);
        let begun = &text[..end - rest.len()];
        let answer = uncommented(entry);
        let begun = &text[..begun.len() + entry.len() - answer.len()];
        let column = begun.chars().rev().take_while(|c| *c != '\n').count();
        if let Some(mut block) = block(begun.matches('\n').count() + 1, answer.trim_end()) {
            let mut lines = block.value.lines();
            block.value = lines.next().unwrap_or_default().trim_end();
            block.more = lines.collect();
            block.indent = if block.more.is_empty() { column } else { 0 };
            found.push(block);
        }
        match after {
            Some(after) => rest = after,
            None => return found,
        }
    }
}

/// A text without the empty lines and comments with which it begins.
fn uncommented(text: &str) -> &str {
    let text = text.trim_start();
    let comment = text.starts_with('#').then(|| text.split_once('\n'));
    comment.map_or(text, |lines| lines.map_or("", |(_, rest)| uncommented(rest)))
}

/// The first of some answers with commas between them, and what comes after its comma. A bracket or a
/// quote that nothing closes ends where the next answer begins.
fn first_entry(text: &str) -> (&str, Option<&str>) {
    let mut open = Vec::new();
    let mut last = ',';
    let mut comment = false;
    for (at, c) in text.char_indices() {
        comment = c != '\n' && (comment || c == '#' && text[..at].ends_with(char::is_whitespace));
        if comment {
            continue;
        }
        let quoted = open.last().is_some_and(|end| ['"', '\''].contains(end));
        match c {
            _ if open.last() == Some(&c) => drop(open.pop()),
            _ if quoted => {}
            '[' => open.push(']'),
            '{' => open.push('}'),
            '"' | '\'' if ",:[{".contains(last) => open.push(c),
            ',' if open.is_empty() => return (&text[..at], Some(&text[at + 1..])),
            '}' if open.is_empty() => return (&text[..at], None),
            ']' | '}' => {
                open.push(c);
                break;
            }
            _ => {}
        }
        last = if c.is_whitespace() { last } else { c };
    }
    let next = text.match_indices(',').find(|(at, _)| {
        let after = text[at + 1..].trim_start();
        after.split_once([':', ':']).is_some_and(|(key, _)| is_id(key.trim()))
    });
    match next {
        Some((at, _)) if !open.is_empty() => (&text[..at], Some(&text[at + 1..])),
        _ => (text.trim_end().trim_end_matches('}'), None),
    }
}

/// The block that a line begins: a name and a colon, however wide, with or without a space behind it.
fn block(number: usize, line: &str) -> Option<Block<'_>> {
    let start = line.trim_start();
    let (key, value) = start.split_once([':', ':'])?;
    let key = key.trim().trim_matches(['"', '\'']);
    let indent = line.chars().count() - start.chars().count();
    let block = Block { line: number, indent, key, value: value.trim(), more: Vec::new() };
    is_id(key).then_some(block)
}

impl Block<'_> {
    /// Whether it is no answer but says whose answers they are, and to what.
    fn is_head(&self) -> bool {
        let head = ["lesson", "who", "drawn", "shown", "seen", "answers"];
        self.indent == 0 && head.contains(&self.key)
    }

    fn has_value(&self) -> bool {
        !self.value.is_empty() && !self.value.starts_with('#')
    }

    /// Whether the value stands wholly on its line, so that a key further right is another answer.
    fn is_whole(&self) -> bool {
        let quoted = |mark| self.value.starts_with(mark) && self.value.ends_with(mark);
        let plain = !self.value.starts_with(SPECIAL) || quoted('"') || quoted('\'');
        plain && self.is_alone()
    }

    /// Whether nothing belongs to it but its line.
    fn is_alone(&self) -> bool {
        let nothing = |line: &&str| line.is_empty() || line.trim_start().starts_with('#');
        self.has_value() && self.more.iter().all(nothing)
    }

    /// All names in it.
    fn ids(&self) -> impl Iterator<Item = &str> {
        let lines = std::iter::once(self.value).chain(self.more.iter().copied());
        let lines = lines.map(|line| line.split('#').next().unwrap_or_default());
        let apart = |c: char| !c.is_ascii_alphanumeric() && c != '-';
        lines.flat_map(move |line| line.split(apart)).filter(|word| is_id(word))
    }

    /// Its value; of one line that is in no order, the words on it.
    fn read(&self, name: &str) -> Result<Raw, String> {
        let lead = " ".repeat(self.indent) + self.key;
        let text = format!("{lead}: {}\n{}\n", self.value, self.more.join("\n"));
        let source = Source::from_bytes(name, text.as_bytes(), "answers", LIMITS);
        let parsed = source.and_then(|s| input::parse::<OrderedMap<Text, Raw>>(&s));
        match (parsed, self.words()) {
            (Ok(map), _) => Ok(map.get(self.key).cloned().unwrap_or_default()),
            (Err(_), Some(words)) => Ok(Raw::Text(words.into())),
            (Err(problems), None) => {
                let slip = problems.first().clone().below(self.line - 1);
                let here = slip.line() <= self.line + self.more.len();
                Err(if here { slip.to_string() } else { self.told(name, slip.message()) })
            }
        }
    }

    /// The words on its one line, where they are plainly words: with a colon or a quotation among them, or
    /// behind the mark for lines below.
    fn words(&self) -> Option<&str> {
        let value = self.value.split(" #").next().unwrap_or_default().trim();
        let value = value.strip_prefix("| ").or(value.strip_prefix("> ")).unwrap_or(value);
        let quotes = |mark: char| value.starts_with(mark) && value.matches(mark).count() > 1;
        (self.is_alone() && (!value.starts_with(SPECIAL) || quotes('"') || quotes('\'')))
            .then_some(value)
    }

    fn is_text(&self) -> bool {
        self.more.iter().chain([&self.value]).all(|line| !line.contains('\u{fffd}'))
    }

    fn told(&self, name: &str, what: &str) -> String {
        let pos = Pos { line: self.line, column: self.indent + 1 };
        Problem::new(name, pos, what).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_answers_has_few_keys() {
        let problems = Answers::read("a.yaml", &b"lesson: x\nanswer: {}\n"[..]);
        let problems = problems.expect_err("`answer` is no key").to_string();
        assert!(problems.contains("did you mean `answers`?"), "{problems}");
    }
}
