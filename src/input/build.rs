//! Builds a [`Document`] out of the events of the YAML parser, each of which tells its place.
//!
//! This file must not know the types that files are decoded into.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput};

use super::clean::{clean, is_hidden, quoted};
use super::document::{Document, Entry, Kind, Node, NodeId, ROOT};
use super::path::Seg;
use super::problem::{MOST_PROBLEMS, Pos, Problem, Problems};
use super::source::Source;
use super::syntax;

/// Names longer than this are no keys; it also bounds the cost of messages.
const LONGEST_KEY: usize = 128;

/// Parses a source. The document is there whenever the text is YAML at all, even if there are
/// problems with it such as repeated keys.
pub(super) fn build(source: &Source) -> (Option<Document>, Vec<Problem>) {
    let mut builder = Builder {
        parser: Parser::new_from_str(source.text()),
        document: Document { source: source.clone(), nodes: Vec::new() },
        problems: Vec::new(),
        cursor: (Pos::START, 0),
        read_to: 0,
        brackets: 0,
    };
    let stopped = builder.read().err();
    let whole = stopped.is_none();
    let Builder { document, mut problems, .. } = builder;
    problems.extend(stopped);
    (whole.then_some(document), problems)
}

impl Document {
    /// Parses a file.
    ///
    /// # Errors
    /// The text is not YAML, repeats a key, uses anchors or tags, holds a second document, or
    /// asks for more than the limits of the source.
    pub fn of(source: &Source) -> Result<Document, Problems> {
        let (document, problems) = build(source);
        match (document, Problems::of(problems)) {
            (_, Some(problems)) => Err(problems),
            (Some(document), None) => Ok(document),
            (None, None) => Err(source.empty().into()),
        }
    }
}

/// Where a node starts, and where it hangs.
struct Place {
    pos: Pos,
    offset: usize,
    parent: Option<NodeId>,
    seg: Option<Seg>,
    depth: usize,
}

/// Whatever stops the pass is a problem.
type Read<T> = Result<T, Problem>;

struct Builder<'s> {
    parser: Parser<'s, StrInput<'s>>,
    document: Document,
    problems: Vec<Problem>,
    /// A place and its byte in the text, from which the next ones are counted.
    cursor: (Pos, usize),
    /// The byte behind what was read last.
    read_to: usize,
    /// How many brackets are open.
    brackets: usize,
}

impl<'s> Builder<'s> {
    fn source(&self) -> &Source {
        &self.document.source
    }

    fn read(&mut self) -> Read<()> {
        self.next()?;
        let (Event::DocumentStart(_), span) = self.next()? else {
            return Err(self.source().empty());
        };
        self.read_to = self.offset(place(span.end));
        let (event, span) = self.next()?;
        self.node(event, span, None, None, 0)?;
        // Whatever stands here does not belong to the document any more.
        for _ in 0..2 {
            match self.parser.next_event() {
                Some(Ok((Event::DocumentStart(_), span))) => {
                    return Err(syntax::second_document(self.source(), place(span.start)));
                }
                Some(Err(error)) => {
                    return Err(syntax::second_document(self.source(), place(*error.marker())));
                }
                Some(Ok(_)) | None => {}
            }
        }
        if self.is_nothing(ROOT) { Err(self.source().empty()) } else { Ok(()) }
    }

    fn next(&mut self) -> Read<(Event<'s>, Span)> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let pos = place(*error.marker());
                Err(syntax::explain(&self.document.source, pos, error.info()))
            }
            None => Err(self.source().empty()),
        }
    }

    /// Takes a node with all that is in it.
    fn node(
        &mut self,
        event: Event<'s>,
        span: Span,
        parent: Option<NodeId>,
        seg: Option<Seg>,
        depth: usize,
    ) -> Read<NodeId> {
        let pos = place(span.start);
        let mut place = Place { pos, offset: self.offset(pos), parent, seg, depth };
        if let Event::SequenceStart(anchor, tag)
        | Event::MappingStart(anchor, tag)
        | Event::Scalar(_, _, anchor, tag) = &event
        {
            self.refuse_name(&place, *anchor > 0, tag.is_some())?;
        }
        let is_block = span.start.index() == span.end.index();
        match event {
            Event::Scalar(text, style, ..) => {
                if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
                    self.go_to_mark(&mut place, &['|', '>']);
                }
                // A value that was omitted comes as a sign for nothing that nobody has written.
                let absent = is_block && style == ScalarStyle::Plain;
                let text = if absent { "" } else { &*text };
                let colon = self.source().text()[place.offset..].starts_with(':');
                if absent && colon && place.seg.is_some() {
                    (place.offset, place.pos.column) = (place.offset + 1, place.pos.column + 1);
                }
                self.admit(&place, false)?;
                self.check_unseen(place.pos, text)?;
                let plain = style == ScalarStyle::Plain;
                let kind = Kind::Scalar { text: clean(text).into_owned(), plain };
                self.read_to = self.offset(self::place(span.end));
                Ok(self.push(&place, kind))
            }
            Event::SequenceStart(..) => {
                if is_block {
                    self.go_to_mark(&mut place, &['-']);
                }
                self.admit(&place, true)?;
                self.list(&place, is_block)
            }
            Event::MappingStart(..) => {
                self.admit(&place, true)?;
                self.map(&place, is_block)
            }
            _ => Err(syntax::explain(self.source(), pos, "this cannot be used here")),
        }
    }

    /// The start of a block as people see it: its mark. The parser tells where what follows begins.
    fn go_to_mark(&mut self, place: &mut Place, marks: &[char]) {
        if let Some(offset) = self.mark(marks) {
            (place.offset, place.pos) = (offset, self.source().pos_at(offset));
        }
    }

    /// The next of some marks behind what was read last, comments aside.
    fn mark(&self, marks: &[char]) -> Option<usize> {
        let text = &self.source().text()[self.read_to..];
        let mut is_comment = false;
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            is_comment = (is_comment || c == '#' && before.is_whitespace()) && c != '\n';
            if !is_comment && marks.contains(&c) {
                return Some(self.read_to + at);
            }
            before = c;
        }
        None
    }

    fn list(&mut self, place: &Place, is_block: bool) -> Read<NodeId> {
        let id = self.push(place, Kind::List(Vec::new()));
        self.brackets += usize::from(!is_block);
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                self.close(span, is_block);
                break;
            }
            if is_block && let Some(dash) = self.mark(&['-']) {
                self.read_to = dash + 1;
            }
            let seg = Some(Seg::Index(items.len()));
            items.push(self.node(event, span, Some(id), seg, place.depth + 1)?);
        }
        self.document.nodes[id].kind = Kind::List(items);
        Ok(id)
    }

    fn map(&mut self, place: &Place, is_block: bool) -> Read<NodeId> {
        let id = self.push(place, Kind::Map(Vec::new()));
        self.brackets += usize::from(!is_block);
        let mut entries = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                self.close(span, is_block);
                break;
            }
            let (key, name) = self.key(event, span, id)?;
            let (event, span) = self.next()?;
            let seg = Some(Seg::Key(name.clone()));
            let value = self.node(event, span, Some(id), seg, place.depth + 1)?;
            let pos = self.document.nodes[key].pos;
            match lines.get(&name) {
                None => {
                    lines.insert(name, pos.line);
                    entries.push(Entry { key, value });
                }
                Some(first) => {
                    let message = format!(
                        "the key {} is repeated: on line {first} and line {}",
                        quoted(&name),
                        pos.line
                    );
                    let path = self.document.path_of(id).key(name);
                    self.note(self.source().problem(pos, message).with_path(&path))?;
                }
            }
        }
        self.document.nodes[id].kind = Kind::Map(entries);
        Ok(id)
    }

    /// Takes a key, and refuses what is no name.
    fn key(&mut self, event: Event<'s>, span: Span, map: NodeId) -> Read<(NodeId, String)> {
        if !matches!(event, Event::Scalar(..)) {
            let message = "a key must be a single word or text";
            return Err(self.source().problem(place(span.start), message));
        }
        let key = self.node(event, span, Some(map), None, 0)?;
        let name = self.document.text_of(key).unwrap_or_default().to_owned();
        let message = if name.is_empty() {
            "a key is missing before the `:`".to_owned()
        } else if name.chars().count() > LONGEST_KEY {
            format!("the key {} is too long", quoted(&name))
        } else {
            self.document.nodes[key].seg = Some(Seg::Key(name.clone()));
            return Ok((key, name));
        };
        Err(self.source().problem(self.document.nodes[key].pos, message))
    }

    /// A list or a map ends: one in brackets where its bracket does.
    fn close(&mut self, span: Span, is_block: bool) {
        if !is_block {
            self.brackets = self.brackets.saturating_sub(1);
            self.read_to = self.offset(place(span.end)).max(self.read_to);
        }
    }

    /// Refuses anchors and tags: no file of ours needs them.
    fn refuse_name(&self, place: &Place, is_anchor: bool, is_tag: bool) -> Read<()> {
        if !is_anchor && !is_tag {
            return Ok(());
        }
        let first = self.source().text()[place.offset..].chars().next();
        let sign = first.filter(|c| matches!(c, '&' | '!'));
        Err(syntax::unsupported(self.source(), place.pos, sign.unwrap_or('!')))
    }

    /// Refuses what is indented by a tab, stands too deep, or is too much.
    fn admit(&self, place: &Place, is_container: bool) -> Read<()> {
        let (source, limits) = (self.source(), self.source().limits());
        let line = source.line_start(place.pos.line);
        let before = &source.text()[line..place.offset];
        if self.brackets == 0
            && before.contains('\t')
            && before.trim_start_matches([' ', '-', '?']).trim().is_empty()
            && let Some(tab) = syntax::tab_in_indent(source, place.pos.line)
        {
            return Err(tab);
        }
        if is_container && place.depth >= limits.depth {
            return Err(source.too_deep(place.pos));
        }
        if self.document.nodes.len() >= limits.nodes {
            let message = format!("too much: at most {} values are read", limits.nodes);
            return Err(source.problem(place.pos, message));
        }
        Ok(())
    }

    /// Notes a problem after which the pass goes on, up to a reasonable number.
    fn note(&mut self, problem: Problem) -> Read<()> {
        let pos = problem.pos();
        self.problems.push(problem);
        if self.problems.len() < MOST_PROBLEMS {
            return Ok(());
        }
        let message = format!("{MOST_PROBLEMS} problems so far; the rest of the file was not read");
        Err(self.source().problem(pos, message))
    }

    /// Where they are not left out quietly, notes control characters. What merely takes no room is left
    /// out everywhere.
    fn check_unseen(&mut self, pos: Pos, text: &str) -> Read<()> {
        let unseen = text.chars().find(|c| is_hidden(*c) && c.is_control());
        match unseen.filter(|_| !self.source().limits().unseen) {
            None => Ok(()),
            Some(c) => {
                let message =
                    format!("the text holds a character that nobody sees, U+{:04X}", u32::from(c));
                self.note(self.source().problem(pos, message))
            }
        }
    }

    /// The byte at which a place stands. Places mostly come in order, so the count goes on from
    /// the one before.
    fn offset(&mut self, pos: Pos) -> usize {
        let source = &self.document.source;
        let (from, mut offset) = self.cursor;
        let mut column = from.column;
        if from.line != pos.line || from.column > pos.column {
            offset = source.line_start(pos.line);
            column = 1;
        }
        let ahead = source.text()[offset..].char_indices();
        let mut line = ahead.take_while(|(_, c)| *c != '\n');
        let within = match line.nth(pos.column - column) {
            Some((at, _)) => at,
            None => source.line_end(pos.line).saturating_sub(offset),
        };
        self.cursor = (pos, offset + within);
        offset + within
    }

    fn push(&mut self, place: &Place, kind: Kind) -> NodeId {
        let Place { pos, offset, parent, ref seg, .. } = *place;
        self.document.nodes.push(Node { pos, offset, parent, seg: seg.clone(), kind });
        self.document.nodes.len() - 1
    }

    fn is_nothing(&self, id: NodeId) -> bool {
        match &self.document.nodes[id].kind {
            Kind::Scalar { text, plain } => *plain && matches!(text.as_str(), "" | "~" | "null"),
            Kind::List(_) | Kind::Map(_) => false,
        }
    }
}

/// A place as we count: lines and columns from 1.
fn place(marker: Marker) -> Pos {
    Pos { line: marker.line(), column: marker.col() + 1 }
}
