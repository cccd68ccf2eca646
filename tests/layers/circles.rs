//! No circle of files inside one module: who is told of whom, read from the `use` lines.

use super::{Source, assert_none, planted, sources};
use std::collections::{BTreeMap, BTreeSet};

/// A path as its names, `crate` left off.
type Names = Vec<String>;

/// The module that a file is: `sim/why.rs` and `sim/mod.rs` are `sim::why` and `sim`.
fn module_of(path: &str) -> Names {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").or(path.strip_suffix("lib")).unwrap_or(path);
    path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The paths of a `use` tree: `a::{b, c::D}` is `a::b` and `a::c::D`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut open, mut parts) = (0, vec![String::new()]);
    for c in group.chars() {
        match c {
            ',' if open == 0 => parts.push(String::new()),
            c => {
                open += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().expect("there is one").push(c);
            }
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| paths(part)).map(|path| format!("{head}{path}")).collect()
}

/// What a file's `use` lines name, those of `pub use` apart, as paths from the crate's root.
fn named(source: &Source) -> (Vec<Names>, Vec<Names>) {
    let own = module_of(&source.path);
    let (mut imported, mut exported) = (Vec::new(), Vec::new());
    for item in source.code.split(';') {
        let begins = |at: &usize| *at == 0 || item[..*at].ends_with(char::is_whitespace);
        let Some(at) = item.rfind("use ").filter(begins) else { continue };
        let public = item[..at].trim_end().ends_with("pub");
        for path in paths(&item[at + 4..]) {
            let mut names: Vec<&str> = path.split("::").map(str::trim).collect();
            let mut full = match names[0] {
                "crate" => Vec::new(),
                // What is no module of ours leads back to the file itself.
                _ => own.clone(),
            };
            while names.first() == Some(&"super") {
                full.pop();
                names.remove(0);
            }
            names.retain(|name| !["crate", "self"].contains(name));
            full.extend(names.iter().map(|name| (*name).to_owned()));
            (if public { &mut exported } else { &mut imported }).push(full);
        }
    }
    (imported, exported)
}

/// The files that lie on circles inside one module.
fn circles(sources: &[Source]) -> Vec<String> {
    let all: BTreeMap<Names, &Source> = sources.iter().map(|s| (module_of(&s.path), s)).collect();
    let exports: BTreeMap<&Names, Vec<Names>> =
        all.iter().map(|(module, source)| (module, named(source).1)).collect();
    // The file in which a name stands, through re-exports.
    fn home(
        path: &[String],
        all: &BTreeMap<Names, &Source>,
        exports: &BTreeMap<&Names, Vec<Names>>,
        depth: u8,
    ) -> Option<Names> {
        let module =
            (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|m| all.contains_key(m))?;
        let again = exports.get(&module).filter(|_| depth < 8).and_then(|exported| {
            let name = path.get(module.len())?;
            let through = exported.iter().find(|export| export.last() == Some(name))?;
            home(through, all, exports, depth + 1)
        });
        Some(again.unwrap_or(module))
    }
    let mut edges: BTreeMap<&Names, BTreeSet<Names>> = BTreeMap::new();
    for (module, source) in &all {
        let homes = named(source).0.into_iter().filter_map(|path| home(&path, &all, &exports, 0));
        let inside = homes.filter(|to| to != module && to.first() == module.first());
        edges.insert(module, inside.collect());
    }
    let reached = |from: &Names| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(at) = left.pop() {
            for to in edges.get(&at).into_iter().flatten() {
                if seen.insert(to.clone()) {
                    left.push(to.clone());
                }
            }
        }
        seen
    };
    let on_circle = |module: &&Names| reached(module).contains(*module);
    all.keys()
        .filter(on_circle)
        .map(|module| format!("{} lies on a circle", module.join("::")))
        .collect()
}

#[test]
fn no_circle_of_files_lies_inside_a_module() {
    assert_none(&circles(&sources()));
}

#[test]
fn a_planted_circle_is_found_however_its_files_name_each_other() {
    let file = |path: &str, text: &str| planted(path, text).remove(0);
    let found = |a: &str, b: &str, root: &str| {
        circles(&[file("sim/mod.rs", root), file("sim/a.rs", a), file("sim/b.rs", b)]).len()
    };
    assert_eq!(found("use super::b::B;", "use crate::sim::a::{self, A};", ""), 2);
    assert_eq!(found("use super::{B, other};", "use super::a;", "pub use b::B;"), 2);
    assert_eq!(found("use super::b::B;", "use super::Root;", "use self::a::A;"), 3);
    assert_eq!(found("use super::b::B;", "use std::fmt;", "use self::a::A;"), 0);
}
