//! Lesson files with faults, each made from the small lesson by changing lines.

/// A small lesson without faults, which the tests change.
pub const BASE: &str = include_str!("base.yaml");

/// Old lines, and what they are replaced by.
pub type Change<'a> = (Vec<&'a str>, Vec<&'a str>);

/// The base lesson with some of its lines replaced.
pub fn changed(changes: &[Change<'_>]) -> String {
    changed_from(BASE, changes)
}

/// A lesson with some of its lines replaced.
pub fn changed_from(base: &str, changes: &[Change<'_>]) -> String {
    let mut text = base.to_owned();
    for (old, new) in changes {
        let old = format!("{}\n", old.join("\n"));
        let new: String = new.iter().map(|l| format!("{l}\n")).collect();
        assert!(text.contains(&old), "the lesson has no\n{old}");
        text = text.replacen(&old, &new, 1);
    }
    text
}

/// What is wrong, and what is said about it.
pub struct Case<'a> {
    /// In words.
    pub name: &'a str,
    /// How the base lesson is changed.
    pub changes: Vec<Change<'a>>,
    /// What is said, one finding a line, without the name of the file.
    pub said: Vec<&'a str>,
}

/// The cases of a text.
pub fn cases(text: &'static str) -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let mut ended = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            cases.push(Case { name, changes: Vec::new(), said: Vec::new() });
        }
        let Some(case) = cases.last_mut() else { continue };
        if line == "+" {
            ended = true;
        } else if let Some(old) = line.strip_prefix("- ") {
            match case.changes.last_mut() {
                Some((before, after)) if after.is_empty() && !ended => before.push(old),
                _ => case.changes.push((vec![old], Vec::new())),
            }
            ended = false;
        } else if let Some(new) = line.strip_prefix("+ ") {
            case.changes.last_mut().expect("`-` comes before `+`").1.push(new);
        } else if let Some(said) = line.strip_prefix("= ") {
            case.said.push(said);
        }
    }
    cases
}
