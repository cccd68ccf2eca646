//! Placeholder until the parser lands.
/// nearest
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.is_empty() {
        return None;
    }
    candidates.into_iter().find(|c| {
        c.len() == word.len() || c.starts_with(word) || c.chars().next() == word.chars().next()
    })
}
