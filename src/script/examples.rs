//! Scripts that come with the program: one to begin with, and each algorithm as one.

use include_dir::{Dir, include_dir};

static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/scripts");

/// A commented script to begin with.
pub const TEMPLATE: &str = include_str!("../../assets/script.template.rhai");

/// An algorithm of the catalog as a script, if there is one of it.
#[must_use]
pub fn of(slug: &str) -> Option<&'static str> {
    SCRIPTS.get_file(format!("{slug}.rhai"))?.contents_utf8()
}

/// The slugs of the algorithms that there are as scripts.
pub fn slugs() -> impl Iterator<Item = &'static str> {
    SCRIPTS.files().filter_map(|file| file.path().file_stem()?.to_str())
}
