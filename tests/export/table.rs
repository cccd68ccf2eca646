//! The table of the steps, read by a real reader of Markdown.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

/// The rows of the one table of a document, the heads of its columns first. Whatever is no plain text in
/// a cell would be a sign that got through.
fn rows(markdown: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Table(_)) => {
                assert!(rows.is_empty(), "there is one table");
                inside = true;
            }
            Event::End(TagEnd::Table) => inside = false,
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                rows.last_mut().expect("a cell is in a row").push(String::new());
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell) => {}
            Event::Text(text) if inside => {
                let cell = rows.last_mut().and_then(|row| row.last_mut());
                cell.expect("text is in a cell").push_str(&text);
            }
            other if inside => panic!("{other:?} in a cell of\n{markdown}"),
            Event::Html(_) | Event::InlineHtml(_) => panic!("HTML in\n{markdown}"),
            _ => {}
        }
    }
    rows
}

/// Compares the table with the same run in JSON.
pub fn check(markdown: &str, run: &Value) {
    let rows = rows(markdown);
    let steps = run["steps"].as_array().expect("a list of steps");
    assert_eq!(rows.len(), steps.len() + 1);
    // A row with fewer cells is filled up by the reader, and one with more is cut: compare the texts.
    let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    assert!(lines.iter().all(|line| bars(line) == rows[0].len() + 1), "{markdown}");
    let clocks = rows[0].iter().position(|title| title == "clocks");
    for (row, step) in rows[1..].iter().zip(steps) {
        assert_eq!(row[0], step["n"].to_string());
        assert_eq!(Some(row[1].as_str()), step["event"].as_str());
        assert_eq!(Some(row[2].as_str()), step["text"].as_str().map(str::trim));
        if let Some(column) = clocks {
            let nodes = step["nodes"].as_object().expect("nodes by their names");
            let mut shown: Vec<&str> = row[column].split(' ').collect();
            let clock =
                |node: &Value| node["clock"].as_u64().map_or("–".into(), |n| n.to_string());
            let mut kept: Vec<String> = nodes.values().map(clock).collect();
            // The reader of JSON sorts nodes by their names.
            shown.sort_unstable();
            kept.sort_unstable();
            assert_eq!(shown, kept);
        }
    }
}
