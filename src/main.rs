//! Lockstep: a list to move in, until the screens exist.
use lockstep::ui::{self, TerminalOptions, app::App, course::Course, panel::Look, theme::*};
fn main() {
    let look = Look {
        theme: Theme::new(
            ThemeName::Auto,
            if std::env::var("NO_COLOR").is_ok() { ColorUse::Off } else { ColorUse::On },
            None,
        ),
        glyphs: Glyphs::new(std::env::args().any(|a| a == "--ascii")),
    };
    let mut app = App::new(Course::of(&lockstep::lesson::Library::embedded()), look, false);
    let _ = ui::run(&mut app, TerminalOptions::default());
}
