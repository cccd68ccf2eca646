//! Drawing of the stepper: the panels in their places.

use super::keys;
use super::line::halves;
use super::page::Page;
use super::state::{Stepper, Zoom};
use crate::model::{Event, MsgId, NodeId};
use crate::sim::{ClusterView, NodeView, StepRecord};
use crate::trace::{Changes, Diagram, Window};
use crate::ui::action::{self, Action};
use crate::ui::layout::{self, Need, Places};
use crate::ui::panel::text::{width, wrap};
use crate::ui::panel::{Look, flights, footer, header, nodes, rules, spacetime, why};
use crate::ui::screen::{frame, is_too_small, too_small};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Everything that the panels show, gathered once a frame.
struct Scene<'a> {
    stepper: &'a Stepper,
    view: ClusterView,
    changes: Changes,
    record: Option<&'a StepRecord>,
    reasons: Reasons,
    look: &'a Look,
}

/// What the selected node waits for, or what it holds, under its title.
type Reasons = (String, Vec<(Option<bool>, String)>);

/// Draws the stepper into an area.
pub fn draw(stepper: &Stepper, look: &Look, area: Rect, buf: &mut Buffer) {
    if is_too_small(area) {
        too_small(look, area, buf);
        return;
    }
    let lab = stepper.lab();
    let history = lab.history();
    let view = history.state().view();
    let before = history.parent(history.cursor()).map(|p| history.state_at(p).view());
    let changes = Changes::between(before.as_ref(), &view);
    let record = history.last_record();
    let reasons = reasons(stepper, &view);
    let scene = Scene { stepper, view, changes, record, reasons, look };
    let places = layout::places(area, scene.need(area));
    scene.header(places.header, buf);
    let rules = if stepper.learner().is_some() { places.rules } else { places.lesson };
    stepper.drawn.rules.set(!rules.is_empty());
    // What the last frame showed and this one does not cannot be clicked.
    stepper.drawn.forget();
    match stepper.view.zoom {
        None => scene.panels(&places, buf),
        Some(zoom) => scene.zoomed(zoom, &places, area, buf),
    }
    scene.sentence(places.sentence, buf);
    scene.footer(places.footer, buf);
    if let Some(over) = &stepper.over {
        let node = lab.setup().names.get(stepper.selected);
        over.draw(lab, node, look, area, buf);
    }
    if stepper.view.legend {
        crate::ui::screen::help::legend_over(look, area, buf);
    }
}

/// The selected node, or the last one.
fn selected<'v>(stepper: &Stepper, view: &'v ClusterView) -> &'v NodeView {
    view.node(NodeId::at(stepper.selected.index().min(view.nodes.len() - 1)))
}

fn reasons(stepper: &Stepper, view: &ClusterView) -> Reasons {
    let (lab, node) = (stepper.lab(), selected(stepper, view));
    if let Some(storage) = view.storage.as_ref().filter(|s| s.node == node.id) {
        let names = &lab.setup().names;
        return (nodes::storage::title(node), nodes::storage::lines(storage, names));
    }
    let can = |event| stepper.session.can(event);
    (why::title(node), why::lines(node, &lab.state().why(node.id), lab.variant(), can))
}

impl Scene<'_> {
    /// What the panels need now.
    fn need(&self, area: Rect) -> Need {
        let (lab, lesson) = (self.stepper.lab(), self.stepper.learner().is_some());
        let wide = layout::is_wide(area);
        let inside = |width: u16| usize::from(width.saturating_sub(if wide { 4 } else { 2 }));
        let columns = inside(layout::lesson_width(area, lesson));
        let why = inside(layout::why_width(area, lesson));
        let options = &lab.setup().options;
        let fields = lab.state().info().fields.iter().map(|f| (f.name, f.shape.settled(options)));
        Need {
            nodes: self.view.nodes.len() as u16,
            table: self.table().columns_to_come(fields) as u16,
            flights: self.view.in_flight.len() as u16,
            why: why::rows(&self.reasons.1, why, self.look) as u16,
            lesson: self.page(columns, !wide).map(|page| page.wanted()),
            rules: rules::rows_needed(lab.state().info(), lab.variant(), columns + 2) as u16,
        }
    }

    fn page(&self, columns: usize, dense: bool) -> Option<Page> {
        let Stepper { session, entry, .. } = self.stepper;
        Page::of(session, entry.as_ref(), columns, dense, self.look)
    }

    fn header(&self, area: Rect, buf: &mut Buffer) {
        let history = self.stepper.lab().history();
        let here = history.depth(history.cursor());
        // Only as far as a header needs: long undone branches are not walked to their end.
        let ahead = history.redo_path(history.cursor()).take(9_999).count() as u32;
        let setup = self.stepper.lab().setup();
        header::Header {
            title: &self.stepper.title,
            step: (here, here + ahead),
            view: &self.view,
            names: &setup.names,
            channels: setup.channels,
            exploring: self.stepper.visit || self.stepper.session.exploring(),
        }
        .draw(self.look, area, buf);
    }

    fn panels(&self, p: &Places, buf: &mut Buffer) {
        self.stepper.drawn.more.set(None);
        self.nodes(p.nodes, p.boxed, buf);
        self.spacetime(p.spacetime, p.boxed, buf);
        let beside = match (p.spacetime.is_empty(), p.why.is_empty()) {
            (true, _) => ". z: diagram",
            (false, true) => ". z: why",
            (false, false) => "",
        };
        self.flights(p.flights, p.boxed, beside, buf);
        self.why(p.why, p.boxed, buf);
        if !p.boxed && p.flights.x > p.nodes.x {
            self.joints(p, buf);
        }
        if self.stepper.learner().is_some() && (!self.stepper.view.rules || !p.rules.is_empty()) {
            self.lesson(p.lesson, p.boxed, buf);
        } else {
            self.rules(p.lesson, p.boxed, buf);
        }
        if !p.rules.is_empty() {
            self.rules(p.rules, p.boxed, buf);
        }
    }

    /// `z` goes at once to the panel that says that there is more; of several to the page first.
    fn says_more(&self, panel: Zoom) {
        let more = &self.stepper.drawn.more;
        if self.stepper.view.zoom.is_none() && (more.get().is_none() || panel == Zoom::Lesson) {
            more.set(Some(panel));
        }
    }

    /// The line between the panels on the left and those beside them, where there are no boxes.
    fn joints(&self, p: &Places, buf: &mut Buffer) {
        let glyphs = &self.look.glyphs;
        let style = self.look.style(Role::Border);
        let x = p.flights.x;
        let ruled =
            |y: u16| [p.spacetime, p.why].iter().any(|r| r.x < x && r.y == y && y > p.flights.y);
        for y in p.flights.y..p.flights.bottom().max(p.why.bottom()) {
            let right = p.why.x == x && p.why.y == y;
            let glyph = match (y == p.flights.y, ruled(y), right) {
                (true, ..) => glyphs.tee_down,
                (_, true, true) => glyphs.cross,
                (_, true, false) => glyphs.tee_left,
                (_, false, true) => glyphs.tee_right,
                (_, false, false) => glyphs.vertical,
            };
            buf.set_string(x, y, glyph, style);
        }
        if p.lesson.height > 0 {
            buf.set_string(x, p.lesson.y, glyphs.tee_up, style);
        }
    }

    fn zoomed(&self, zoom: Zoom, p: &Places, area: Rect, buf: &mut Buffer) {
        let whole = Rect { y: area.y + 1, height: p.sentence.y.saturating_sub(area.y + 1), ..area };
        match zoom {
            Zoom::SpaceTime => self.spacetime(whole, p.boxed, buf),
            Zoom::Nodes => self.nodes(whole, p.boxed, buf),
            Zoom::Rules => self.rules(whole, p.boxed, buf),
            Zoom::Lesson => self.lesson(whole, p.boxed, buf),
            Zoom::Flights => {
                let above = whole.height / 2;
                self.flights(Rect { height: above, ..whole }, p.boxed, "", buf);
                let below = Rect { y: whole.y + above, height: whole.height - above, ..whole };
                self.why(below, p.boxed, buf);
            }
        }
    }

    fn table(&self) -> nodes::Table<'_> {
        nodes::Table {
            view: &self.view,
            changes: &self.changes,
            names: self.names(),
            selected: Some(self.stepper.selected),
        }
    }

    fn nodes(&self, area: Rect, boxed: bool, buf: &mut Buffer) {
        let table = self.table();
        if self.view.nodes.len() >= usize::from(area.height) - usize::from(boxed) * 2 {
            self.says_more(Zoom::Nodes);
        }
        if boxed {
            let cut = table.cuts_titles(self.look, usize::from(area.width.saturating_sub(2)));
            if cut {
                self.says_more(Zoom::Nodes);
            }
            let title = if cut { "Nodes: titles are cut, z" } else { "Nodes" };
            table.draw(self.look, frame(title, true, self.look, area, buf), buf);
        } else {
            table.draw_ruled(self.look, area, buf);
        }
    }

    fn names(&self) -> &crate::model::Names {
        &self.stepper.lab().setup().names
    }

    fn spacetime(&self, area: Rect, boxed: bool, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let names = self.names();
        let scrolled = self.stepper.view.scrolled;
        let rows = area.height.saturating_sub(if boxed { 2 } else { 1 });
        let node = names.get(self.stepper.selected);
        let lanes = self.view.nodes.len();
        let title = match scrolled {
            0 if spacetime::is_close(rows, lanes) && self.stepper.view.zoom.is_none() => {
                let last = if area.width >= 46 { " and the last step" } else { "" };
                format!("Space–time of {node}{last}. z: more")
            }
            0 if spacetime::is_close(rows, lanes) => {
                format!("Space–time of {node} and the last step: too low for all")
            }
            0 if area.width >= 46 => "Space–time: solid asks, dashed answers".to_owned(),
            0 => "Space–time".to_owned(),
            n => format!("Space–time, {n} steps back: ] goes on"),
        };
        let inner = frame(&title, boxed, self.look, area, buf);
        let columns = spacetime::capacity(inner.width, names);
        self.stepper.drawn.columns.set(columns);
        let window = Window { columns, undone: (columns / 3).max(1), scrolled_back: scrolled };
        let diagram = Diagram::of(self.stepper.lab().history(), window);
        let numbered: Vec<MsgId> = match scrolled {
            0 => self.view.in_flight.iter().take(20).map(|flight| flight.id).collect(),
            _ => Vec::new(),
        };
        let selected = Some(self.stepper.selected);
        let manner = spacetime::Manner { numbered: &numbered, selected, ..Default::default() };
        let points = spacetime::draw(&diagram, names, manner, self.look, inner, buf);
        self.stepper.drawn.points.replace(points);
    }

    /// The messages in flight. `beside`: which key shows what this panel has taken the place of.
    fn flights(&self, area: Rect, boxed: bool, beside: &str, buf: &mut Buffer) {
        let numbers = action::numbers(self.view.in_flight.len());
        let keys = match (self.view.in_flight.is_empty(), beside) {
            (true, _) => String::new(),
            (false, "") => format!(": {numbers} delivers"),
            (false, _) => format!(": {numbers}"),
        };
        let title = format!("In flight{keys}{beside}");
        let inner = self.beside(&title, area, boxed, buf);
        let names = self.names();
        let chosen = self.stepper.chosen;
        let shown = flights::draw(
            &self.view,
            names,
            chosen,
            self.stepper.session.kept(),
            self.look,
            inner,
            buf,
        );
        self.stepper.drawn.flights.set(shown);
        if shown.hidden {
            self.says_more(Zoom::Flights);
        }
    }

    fn why(&self, area: Rect, boxed: bool, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let (node, (title, lines)) = (selected(self.stepper, &self.view), &self.reasons);
        let inner = self.beside(title, area, boxed, buf);
        let hidden = why::draw(lines, self.look, inner, buf);
        if hidden > 0 {
            self.says_more(Zoom::Flights);
            let stores = self.view.storage.as_ref().is_some_and(|s| s.node == node.id);
            let title = match stores {
                true => format!("{title}: {hidden} more, z"),
                false => why::title_with_more(node, hidden),
            };
            self.beside(&title, area, boxed, buf);
        }
    }

    /// The frame of a panel beside the diagram: without boxes, a line separates it.
    fn beside(&self, title: &str, area: Rect, boxed: bool, buf: &mut Buffer) -> Rect {
        let inner = frame(title, boxed, self.look, area, buf);
        if boxed || self.stepper.view.zoom.is_some() || area.x == 0 {
            return inner;
        }
        Rect { x: inner.x + 2, width: inner.width.saturating_sub(2), ..inner }
    }

    fn rules(&self, area: Rect, boxed: bool, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let info = self.stepper.lab().state().info();
        let title = format!("Rules: {}", info.title);
        let inner = frame(&title, boxed, self.look, area, buf);
        let variant = self.stepper.lab().variant();
        rules::draw(info, variant, self.record, self.look, inner, buf);
    }

    fn lesson(&self, area: Rect, boxed: bool, buf: &mut Buffer) {
        let title = match self.stepper.learner() {
            Some(learner) => {
                let (page, of) = learner.page();
                format!("Page {page} of {of}")
            }
            None => return,
        };
        let inner = frame(&title, boxed, self.look, area, buf);
        let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
        if let Some(page) = self.page(usize::from(inner.width), !boxed) {
            if self.stepper.view.zoom == Some(Zoom::Lesson) {
                let most = page.draw_scrolled(self.stepper.view.read_to, self.look, inner, buf);
                self.stepper.drawn.read_most.set(most);
                if most > 0 {
                    let at = self.stepper.view.read_to.min(most);
                    let where_to = if at < most { "↓ goes on" } else { "↑ goes back" };
                    frame(&format!("{title}: {where_to}"), boxed, self.look, area, buf);
                }
                return;
            }
            let left_out = page.draw(self.look, inner, buf);
            let more = match left_out.lines {
                0 if left_out.before => "more above".to_owned(),
                0 => return,
                n => crate::input::count(n, "more line"),
            };
            self.says_more(Zoom::Lesson);
            // While something is typed, z is a letter.
            let key = if self.stepper.typing() { ", PgUp" } else { ", z" };
            frame(&format!("{title}: {more}{key}"), boxed, self.look, area, buf);
        }
    }

    fn sentence(&self, area: Rect, buf: &mut Buffer) {
        let text = self.stepper.teller().sentence();
        let about = self.record.map_or(String::new(), |r| format!("step {}:", r.n));
        let notice = self.notice(area.width).len();
        // What is typed has the footer's row; then all of the notice stands above it.
        let typing = self.stepper.line.field.is_some();
        let taken = if typing { notice } else { notice.saturating_sub(1) } as u16;
        let area = Rect { height: area.height.saturating_sub(taken), ..area };
        footer::sentence(&about, &text, Role::Text, self.look, area, buf);
    }

    fn footer(&self, area: Rect, buf: &mut Buffer) {
        let notice = self.notice(area.width);
        let typing = self.stepper.line.field.as_ref();
        if let Some(field) = typing {
            self.typed(field, area, buf);
        }
        if !notice.is_empty() {
            let above = notice.len() as u16 - u16::from(typing.is_none());
            let whole = Rect { y: area.y - above, height: area.height + above, ..area };
            for (y, line) in notice.iter().enumerate() {
                self.look.put(buf, whole, 1, y as u16, line, Role::Warn);
            }
            return;
        }
        if typing.is_none() {
            footer::keys(&self.hints(), self.look, area, buf);
        }
    }

    /// The command line with its cursor; of a long line, the part around the cursor.
    fn typed(&self, field: &tui_input::Input, area: Rect, buf: &mut Buffer) {
        let (before, behind) = halves(field);
        let room = usize::from(area.width).saturating_sub(4);
        let mut before = self.look.text(&before).into_owned();
        while width(&before) > room {
            before.remove(0);
        }
        let x = self.look.put(buf, area, 1, 0, &format!(":{before}"), Role::Accent);
        let mut behind = behind.chars();
        let x = match behind.next() {
            Some(c) => self.look.put(buf, area, x, 0, &c.to_string(), Role::Selected),
            None => self.look.put(buf, area, x, 0, "_", Role::Accent),
        };
        self.look.put(buf, area, x, 0, behind.as_str(), Role::Accent);
    }

    /// The lines of the notice. A long one takes a row from the sentence above.
    fn notice(&self, columns: u16) -> Vec<String> {
        let text = self.stepper.notice.as_deref().map(|text| self.look.text(text));
        let mut lines =
            text.map_or(Vec::new(), |t| wrap(&t, usize::from(columns.saturating_sub(2))));
        lines.truncate(2);
        lines
    }

    /// The keys that are worth showing now, the most useful first.
    fn hints(&self) -> Vec<(String, String)> {
        let Stepper { session, entry, .. } = self.stepper;
        if let Some(hints) = keys::hints(session, entry.as_ref()) {
            return hints;
        }
        let waits = session.open_question().is_some();
        let mut actions = match waits {
            true => vec![Action::Back],
            false => vec![Action::Next, Action::Back],
        };
        if !self.view.in_flight.is_empty() {
            actions.push(Action::Pick(1));
        }
        actions.push(Action::NextNode);
        let node = self.stepper.selected;
        let own = [(Event::Request(node), Action::Ask), (Event::Exit(node), Action::Leave)];
        actions.extend(own.into_iter().filter(|(event, _)| session.can(*event)).map(|(_, a)| a));
        actions.extend([Action::Help, Action::Quit, Action::Zoom, Action::Branches, Action::Rules]);
        actions.extend([Action::Log, Action::Export]);
        let mut hints: Vec<(String, String)> =
            actions.into_iter().filter_map(action::hint).collect();
        let delivers = action::hint(Action::Pick(1)).unwrap_or_default().1;
        if let Some((keys, _)) = hints.iter_mut().find(|(_, does)| *does == delivers) {
            *keys = action::numbers(self.view.in_flight.len());
        }
        if session.exploring() || self.stepper.visit {
            hints.insert(0, ("Esc".to_owned(), "back to the lesson".to_owned()));
        } else if waits {
            hints.insert(0, ("Enter".to_owned(), "answer".to_owned()));
        }
        if let Some(pace) = self.stepper.tick_every() {
            let pace = format!("stops; a step in {} s, + -", pace.as_secs_f64());
            hints.insert(0, ("a".to_owned(), pace));
        }
        hints
    }
}
