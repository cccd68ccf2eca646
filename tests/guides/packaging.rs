//! The Debian package: everything that its metadata names is there, or is made by its script.

use super::{command, program, read, repository, text};
use std::fs;
use std::path::Path;

/// Where each file of the package comes from.
fn sources(manifest: &str) -> Vec<String> {
    let (_, rest) = manifest.split_once("\nassets = [\n").expect("the package has files");
    let (list, _) = rest.split_once("\n]\n").expect("the list ends");
    let source = |line: &str| line.split('"').nth(1).expect("a file has a source").to_owned();
    list.lines().map(source).collect()
}

/// Whether a file is there, or one whose name fits what stands around a star.
fn is_there(folder: &Path, source: &str) -> bool {
    let Some((head, tail)) = source.split_once('*') else { return folder.join(source).is_file() };
    let (inside, begins) = head.rsplit_once('/').unwrap_or((".", head));
    let tail = tail.trim_start_matches("*/").trim_start_matches('*');
    let names = fs::read_dir(folder.join(inside)).expect("a folder of the package");
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.into_iter().any(|name| name.starts_with(begins) && name.ends_with(tail))
}

#[test]
fn the_package_has_all_its_files_and_a_page_for_each_command() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let manifest = read("Cargo.toml");
    fs::create_dir(folder.path().join("packaging")).expect("a folder for the test");
    for name in ["Cargo.toml", "CHANGELOG.md", "packaging/deb"] {
        fs::copy(repository().join(name), folder.path().join(name)).expect("a file for the test");
    }
    let made = command("sh", folder.path())
        .args(["packaging/deb", "--parts"])
        .env("LOCKSTEP", program())
        .output()
        .expect("there is a shell");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let sources = sources(&manifest);
    assert!(sources.len() > 8);
    for source in sources.iter().filter(|s| !s.starts_with("target/release/")) {
        let made = source.starts_with("target/");
        assert!(is_there(if made { folder.path() } else { repository() }, source), "{source}");
    }
    let pages = folder.path().join("target/packaging/man");
    for name in ["lockstep", "lockstep-run", "lockstep-grade", "lockstep-lesson"] {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).expect("a manual page");
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
    }
    let log = fs::read_to_string(folder.path().join("target/packaging/changelog.Debian"));
    let log = log.expect("a log of the packaging");
    let version = env!("CARGO_PKG_VERSION");
    assert!(log.starts_with(&format!("lockstep ({version}-1) unstable;")), "{log}");
}
