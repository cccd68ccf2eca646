//! Tells cargo what the binary embeds: a lesson that is added or taken away must rebuild it.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    writeln!(std::io::stdout(), "cargo::rerun-if-changed=lessons")
}
