//! Draws a problem with its line and a caret.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::clean::is_hidden;
use super::problem::{Problem, Problems, Severity};
use super::source::Source;

impl Problem {
    /// Draws the problem with its line and a caret, in plain ASCII, `width` columns wide.
    ///
    /// ```text
    /// error: unknown key `node`; allowed here: `nodes` or `algorithm`
    ///  --> race.yaml:4:3
    ///   |
    /// 4 |   node: 3
    ///   |   ^
    ///   |
    ///   = help: did you mean `nodes`?
    /// ```
    #[must_use]
    pub fn render(&self, source: &Source, width: usize) -> String {
        let line: String = source
            .line(self.line())
            .chars()
            .map(|c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c })
            .collect();
        let start = line
            .char_indices()
            .nth(self.column().saturating_sub(1))
            .map_or(line.len(), |(at, _)| at);
        let end = line[start..].chars().next().map_or(start, |c| start + c.len_utf8());
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Advice => Level::INFO.with_name(Severity::Advice.word()),
        };
        let snippet = Snippet::source(line.as_str())
            .line_start(self.line())
            .path(self.file())
            .annotation(AnnotationKind::Primary.span(start..end));
        let mut group = level.primary_title(self.title()).element(snippet);
        if let Some(help) = self.help() {
            group = group.element(Level::HELP.message(help));
        }
        Renderer::plain().term_width(width).render(&[group])
    }
}

impl Problems {
    /// Draws every problem as [`Problem::render`] does, with a blank line between two.
    #[must_use]
    pub fn render(&self, source: &Source, width: usize) -> String {
        let drawn: Vec<String> = self.iter().map(|p| p.render(source, width)).collect();
        drawn.join("\n\n")
    }
}
