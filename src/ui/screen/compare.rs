//! What entries cost, algorithm by algorithm: a table, bars, and how the cost grows with the cluster.
//!
//! Everything is measured by the lab, piece by piece between inputs; nothing is counted here.

use crate::catalog;
use crate::export::comparison::{crashes, range};
use crate::lab::compare::{Growth, Point, Row, SIZES, Survey, compared};
use crate::ui::keymap::Key;
use crate::ui::list::List;
use crate::ui::panel::canvas::{Canvas, Stroke};
use crate::ui::panel::text::{clip, pad, width, wrap};
use crate::ui::panel::{Look, footer};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeMap;

/// Pieces that are measured between two looks at the keyboard.
const SLICE: usize = 4;
/// How many nodes are compared first: as many as the exercise of the course has.
const FIRST: usize = 10;

/// The column in which the curves begin.
const LEFT: u16 = 10;
/// The columns for the names at their ends.
const NAMES: u16 = 26;

/// The keys of this screen, for the help.
pub const KEYS: [(&str, &str); 5] = [
    ("← → + -", "fewer or more nodes"),
    ("↑ ↓", "another algorithm"),
    ("Tab", "what the bars show, then curves"),
    ("Enter", "set the algorithm beside another one"),
    ("Esc q", "back to Home"),
];

/// What the bars show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bars {
    /// Messages of one entry, least and most.
    OneEntry,
    /// Messages when everybody asks at once.
    AllAsk,
    /// First entries that succeed after an idle node has crashed.
    Crash,
    /// In place of the table, how one entry's messages grow with the cluster.
    Growth,
    /// The same when everybody asks at once.
    GrowthAll,
}

impl Bars {
    fn title(self) -> &'static str {
        match self {
            Self::OneEntry => "least",
            Self::AllAsk => "all ask at once",
            Self::Crash => "first later",
            Self::Growth | Self::GrowthAll => "",
        }
    }

    fn next(self) -> Self {
        match self {
            Self::OneEntry => Self::AllAsk,
            Self::AllAsk => Self::Crash,
            Self::Crash => Self::Growth,
            Self::Growth => Self::GrowthAll,
            Self::GrowthAll => Self::OneEntry,
        }
    }

    /// The full and the light part of a row's bar.
    fn parts(self, row: &Row) -> (u32, u32) {
        match self {
            Self::OneEntry => (row.least, row.most),
            Self::AllAsk => (row.contended, row.contended),
            Self::Crash => (row.crash.idle.0, row.crash.idle.1),
            Self::Growth | Self::GrowthAll => (0, 0),
        }
    }
}

/// The screen's state.
#[derive(Debug)]
pub struct Compare {
    n: usize,
    list: List,
    bars: Bars,
    surveys: BTreeMap<usize, Survey>,
    /// How the cost of each grows, in the table's order.
    growths: Vec<Growth>,
    error: Option<String>,
}

/// What a key came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Stay here.
    Stay,
    /// Close the screen.
    Close,
    /// Show the help.
    Help,
    /// Set this algorithm, by its slug, beside another one, with so many nodes.
    Beside(&'static str, usize),
}

impl Default for Compare {
    fn default() -> Self {
        let mut new = Self {
            n: FIRST,
            list: List::default(),
            bars: Bars::OneEntry,
            surveys: BTreeMap::new(),
            growths: compared().map(Growth::new).collect(),
            error: None,
        };
        new.begin();
        new
    }
}

impl Compare {
    /// Makes sure that what is shown is being measured.
    fn begin(&mut self) {
        if !self.surveys.contains_key(&self.n) {
            match Survey::new(self.n) {
                Ok(survey) => {
                    self.surveys.insert(self.n, survey);
                }
                Err(message) => self.error = Some(message),
            }
        }
    }

    /// Whether there is still something to measure for what is shown.
    #[must_use]
    pub fn works(&self) -> bool {
        self.surveys.get(&self.n).is_some_and(Survey::works)
            || self.growths.iter().any(Growth::works)
    }

    /// Measures a slice.
    pub fn work(&mut self) {
        let survey = self.surveys.get_mut(&self.n).filter(|s| s.works());
        if let Some(survey) = survey {
            for _ in 0..SLICE {
                survey.advance();
            }
        } else {
            // The shortest curve first, so that all of them grow together.
            let shortest = self.growths.iter_mut().min_by_key(|g| g.points().len());
            shortest.map(Growth::advance);
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Chosen {
        let ends = matches!(key, Key::Home | Key::End);
        let title = |place| compared().nth(place).map_or("", |info| info.title).to_owned();
        if !ends && self.list.key(key, compared().count(), title) {
            return Chosen::Stay;
        }
        match key {
            Key::Left | Key::Char('-') => self.n = (self.n - 1).max(*SIZES.start()),
            Key::Right | Key::Char('+' | '=') => self.n = (self.n + 1).min(*SIZES.end()),
            Key::Home => self.n = *SIZES.start(),
            Key::End => self.n = *SIZES.end(),
            Key::Tab | Key::Char(' ') => self.bars = self.bars.next(),
            Key::Enter => {
                let slug = compared().nth(self.list.chosen).map(|info| info.slug);
                return slug.map_or(Chosen::Stay, |slug| Chosen::Beside(slug, self.n));
            }
            Key::Esc | Key::Char('q') => return Chosen::Close,
            Key::Char('?') | Key::F(1) => return Chosen::Help,
            _ => return Chosen::Stay,
        }
        self.begin();
        Chosen::Stay
    }

    fn rows(&self) -> &[Row] {
        self.surveys.get(&self.n).map_or(&[], Survey::rows)
    }

    /// Whether letters are typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.list.search.typing()
    }

    /// Draws the screen.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let title = format!("Compare: what an entry costs in messages, {} nodes", self.n);
        look.put(buf, area, 1, 0, &title, Role::Title);
        let legend = format!("{} as the formula says", look.glyphs.yes);
        let x = area.width.saturating_sub(width(&legend) as u16 + 1);
        if x > 1 + width(&title) as u16 {
            look.put(buf, area, x, 0, &legend, Role::Dim);
        }
        if let Some(error) = &self.error {
            look.put(buf, area, 1, 2, error, Role::Bad);
        }
        let count = compared().count() as u16;
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        if matches!(self.bars, Bars::Growth | Bars::GrowthAll) {
            let rest = Rect { y: area.y + 1, height: last.y.saturating_sub(area.y + 1), ..area };
            self.growth(look, rest, buf);
        } else {
            self.measured(count, look, area, buf);
        }
        let hints = [
            ("← →", "nodes"),
            ("↑ ↓", "algorithm"),
            ("Tab", "bars, curves"),
            ("Enter", "side by side"),
            ("/", "search"),
            ("?", "keys"),
            ("Esc", "back"),
        ];
        footer::line(self.list.search.line().as_deref(), &hints, look, area, buf);
    }

    /// The table with its bars, what is known of the chosen one, and curves where there is room.
    fn measured(&self, count: u16, look: &Look, area: Rect, buf: &mut Buffer) {
        let roomy = area.height >= 24;
        let table = Rect { y: area.y + 1 + u16::from(roomy), height: count + 1, ..area };
        self.table(look, table, buf);
        let below = table.bottom() + u16::from(roomy);
        let last = area.bottom().saturating_sub(1);
        let rest = Rect { y: below, height: last.saturating_sub(below), ..area };
        let used = self.about(look, rest, buf);
        let rest = Rect { y: rest.y + used, height: rest.height.saturating_sub(used), ..rest };
        self.growth(look, rest, buf);
    }

    fn table(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let columns = Columns::of(area.width);
        columns.head(self.bars, look, area, buf);
        let rows = self.rows();
        let most = rows.iter().map(|r| self.bars.parts(r).1).max().unwrap_or(0).max(1);
        for (i, info) in compared().enumerate() {
            let y = i as u16 + 1;
            let name = pad(&clip(info.title, columns.name, look.glyphs.ellipsis), columns.name);
            let x = look.put(buf, area, 3, y, &name, Role::Text);
            match rows.iter().find(|row| row.slug == info.slug) {
                Some(row) => {
                    columns.cells(row, look, area, y, buf);
                    columns.bar(self.bars.parts(row), most, look, area, y, buf);
                }
                None => {
                    look.put(buf, area, x + 1, y, "measuring …", Role::Dim);
                }
            }
            if i == self.list.chosen {
                look.put(buf, area, 1, y, look.glyphs.cursor, Role::Accent);
                // The bars keep their shape.
                look.select_row(buf, Rect { width: columns.bar.min(area.width), ..area }, y);
            }
        }
    }

    /// What is known of the chosen algorithm, in sentences. Gives the rows that it took.
    fn about(&self, look: &Look, area: Rect, buf: &mut Buffer) -> u16 {
        let Some(info) = compared().nth(self.list.chosen) else { return 0 };
        let mut lines = vec![(format!("{}: {}", info.title, info.cost.formula), Role::Heading)];
        if let Some(row) = self.rows().iter().find(|r| r.slug == info.slug) {
            lines.extend(facts(row).into_iter().map(|text| (text, Role::Text)));
        }
        lines.push((info.good_for.to_owned(), Role::Dim));
        let mut y = 0;
        for (text, role) in lines {
            for line in wrap(&look.text(&text), usize::from(area.width).saturating_sub(2)) {
                if y < area.height {
                    look.put(buf, area, 1, y, &line, role);
                    y += 1;
                }
            }
        }
        y
    }

    /// How the costs grow: a curve for each algorithm, the chosen one whole and with its numbers below.
    fn growth(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let Some(chosen) = self.growths.get(self.list.chosen).filter(|_| area.height >= 4) else {
            return;
        };
        let all_ask = matches!(self.bars, Bars::AllAsk | Bars::GrowthAll);
        let value = |p: &Point| if all_ask { p.contended } else { p.most };
        let every = if area.width < 100 { 2 } else { 1 };
        let sizes = (SIZES.end() - SIZES.start()) / every + 1;
        let step = (area.width.saturating_sub(LEFT + NAMES) / sizes as u16).clamp(4, 8);
        let what = if all_ask { "all ask at once" } else { "one entry, most" };
        look.put(buf, area, 1, 1, &format!("As the cluster grows: {what}"), Role::Heading);
        let base = area.height.min(22) - 2;
        look.put(buf, area, 1, base, "nodes", Role::Dim);
        look.put(buf, area, 1, base + 1, "messages", Role::Dim);
        for (i, point) in chosen.points().iter().step_by(every).enumerate() {
            let x = LEFT + i as u16 * step;
            let here = if point.n == self.n { Role::Accent } else { Role::Text };
            look.put(buf, area, x, base, &format!("{:>3}", point.n), here);
            look.put(buf, area, x, base + 1, &format!("{:>3}", value(point)), here);
        }
        let cells = f64::from(step) / every as f64;
        let room = Rect { y: area.y + 2, height: base - 2, ..area };
        self.curves(&value, cells, look, room, buf);
    }

    /// A curve for each algorithm, `cells` from one size to the next, with its name at its end. The chosen
    /// one is solid and named first.
    fn curves(
        &self,
        value: &dyn Fn(&Point) -> u32,
        cells: f64,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let top = self.growths.iter().flat_map(Growth::points).map(value).max().unwrap_or(0).max(1);
        let lowest = f64::from(area.height) - 1.0;
        let dot = |point: &Point| {
            let x = f64::from(LEFT + 2) + (point.n - SIZES.start()) as f64 * cells;
            Canvas::middle(x, lowest * (1.0 - f64::from(value(point)) / f64::from(top)))
        };
        let mut canvas = Canvas::new(area.width, area.height, !look.glyphs.unicode);
        let mut order: Vec<usize> = (0..self.growths.len()).collect();
        order.sort_by_key(|i| *i == self.list.chosen);
        let of = |i: usize| match i == self.list.chosen {
            true => (Stroke::Solid, Role::Accent),
            false => (Stroke::Dashed, Role::Dim),
        };
        for i in &order {
            let (stroke, role) = of(*i);
            for pair in self.growths[*i].points().windows(2) {
                canvas.line(dot(&pair[0]), dot(&pair[1]), stroke, |_| look.style(role));
            }
        }
        canvas.paint(area, buf);
        let mut free: Vec<u16> = (0..area.height).collect();
        for (i, info) in order.iter().rev().map(|i| (*i, compared().nth(*i))) {
            let (Some(point), Some(info)) = (self.growths[i].points().last(), info) else {
                continue;
            };
            let (x, y) = dot(point);
            let row = (y / 4.0) as u16;
            let Some(place) = (0..free.len()).min_by_key(|place| free[*place].abs_diff(row)) else {
                return;
            };
            let name = clip(info.title, usize::from(NAMES) - 6, look.glyphs.ellipsis);
            look.put(buf, area, (x / 2.0) as u16 + 2, free.remove(place), &name, of(i).1);
        }
    }
}

/// The chosen row in sentences.
fn facts(row: &Row) -> Vec<String> {
    let each = f64::from(row.contended) / row.n as f64;
    let [idle, waiting, inside, helper] = crashes(row).map(|share| share.replace(" of ", "/"));
    let helper = row.crash.helper.map_or(String::new(), |_| format!(", helper {helper}"));
    let said = row
        .contended_said
        .map_or_else(|| "no formula".to_owned(), |said| format!("formula {said}"));
    vec![
        format!(
            "One entry {}, formula {}. All {} at once {}, {said}: {each:.1} an entry.",
            range(row.least, row.most),
            range(row.said.0, row.said.1),
            row.n,
            row.contended,
        ),
        format!("First after a crash: idle {idle}, waiting {waiting}, inside {inside}{helper}."),
    ]
}

/// A value on a scale of so many cells; what is not nothing has one.
fn scaled(value: u32, most: u32, cells: u16) -> u16 {
    let exact = u64::from(value) * u64::from(cells) / u64::from(most.max(1));
    u16::try_from(exact).unwrap_or(cells).max(u16::from(value > 0)).min(cells)
}

/// Where the table's columns stand.
struct Columns {
    name: usize,
    /// Whether the formulas' numbers have columns of their own.
    said: bool,
    entry: u16,
    all: u16,
    bar: u16,
}

impl Columns {
    fn of(width: u16) -> Self {
        let said = width >= 76;
        let name: u16 = if said { 20 } else { 18 };
        let entry = 3 + name + 1;
        let all = entry + if said { 18 } else { 9 };
        let bar = all + if said { 16 } else { 8 };
        Self { name: usize::from(name), said, entry, all, bar }
    }

    fn head(&self, bars: Bars, look: &Look, area: Rect, buf: &mut Buffer) {
        let measured = if self.said { "one entry" } else { "entry" };
        look.put(buf, area, self.entry, 0, measured, Role::Heading);
        look.put(buf, area, self.all, 0, "all ask", Role::Heading);
        if self.said {
            look.put(buf, area, self.entry + 10, 0, "formula", Role::Dim);
            look.put(buf, area, self.all + 8, 0, "formula", Role::Dim);
        }
        let x = look.put(buf, area, self.bar, 0, look.glyphs.bar, Role::Accent);
        let x = look.put(buf, area, x + 1, 0, bars.title(), Role::Heading);
        if bars != Bars::AllAsk {
            let light = if bars == Bars::OneEntry { "most" } else { "all" };
            let x = look.put(buf, area, x + 1, 0, look.glyphs.bar_rest, Role::Dim);
            look.put(buf, area, x + 1, 0, light, Role::Heading);
        }
    }

    /// What was measured, with a sign whether it is what the formula says.
    fn cells(&self, row: &Row, look: &Look, area: Rect, y: u16, buf: &mut Buffer) {
        let entry = range(row.least, row.most);
        let says = range(row.said.0, row.said.1);
        self.pair(self.entry, 10, &entry, Some(says), look, area, y, buf);
        let says = row.contended_said.map(|said| said.to_string());
        self.pair(self.all, 8, &row.contended.to_string(), says, look, area, y, buf);
    }

    #[expect(clippy::too_many_arguments, reason = "a place, two texts and where to draw")]
    fn pair(
        &self,
        x: u16,
        wide: u16,
        measured: &str,
        said: Option<String>,
        look: &Look,
        area: Rect,
        y: u16,
        buf: &mut Buffer,
    ) {
        let after = look.put(buf, area, x, y, measured, Role::Text);
        let (sign, role) = match &said {
            None => (" ", Role::Text),
            Some(said) if said == measured => (look.glyphs.yes, Role::Ok),
            Some(_) => (look.glyphs.no, Role::Bad),
        };
        if self.said {
            let text = said.unwrap_or_else(|| look.glyphs.nothing.to_owned());
            let end = look.put(buf, area, x + wide, y, &text, Role::Dim);
            look.put(buf, area, end + 1, y, sign, role);
        } else {
            look.put(buf, area, after + 1, y, sign, role);
        }
    }

    fn bar(&self, parts: (u32, u32), most: u32, look: &Look, area: Rect, y: u16, buf: &mut Buffer) {
        let room = area.width.saturating_sub(self.bar + 1);
        let (full, whole) = (scaled(parts.0, most, room), scaled(parts.1, most, room));
        let x = look.put(
            buf,
            area,
            self.bar,
            y,
            &look.glyphs.bar.repeat(usize::from(full)),
            Role::Accent,
        );
        let rest = usize::from(whole.saturating_sub(full));
        look.put(buf, area, x, y, &look.glyphs.bar_rest.repeat(rest), Role::Dim);
    }
}

/// The slug of the algorithm that one would set beside this one: the next of the list.
#[must_use]
pub fn neighbour(slug: &str) -> &'static str {
    let all: Vec<&'static str> = compared().map(|info| info.slug).collect();
    let at = all.iter().position(|s| *s == slug).unwrap_or(0);
    all.get((at + 1) % all.len()).copied().unwrap_or(catalog::all()[0].info.slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};

    fn measured() -> Compare {
        let mut compare = Compare::default();
        compare.key(Key::Home);
        while compare.works() {
            compare.work();
        }
        compare
    }

    fn drawn(compare: &Compare, width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        let theme = Theme::new(ThemeName::None, ColorUse::Off, None);
        compare.draw(&Look { theme, glyphs: Glyphs::UNICODE }, area, &mut buf);
        let row = |y| (0..width).map(|x| buf[(x, y)].symbol()).collect::<String>();
        (0..height).map(row).collect()
    }

    #[test]
    fn nodes_stay_within_their_bounds_and_each_size_is_measured_once() {
        let mut compare = measured();
        assert_eq!((compare.n, compare.works()), (2, false));
        compare.key(Key::Left);
        assert_eq!((compare.n, compare.works()), (2, false));
        compare.key(Key::Right);
        assert_eq!((compare.n, compare.works()), (3, true));
        compare.key(Key::Left);
        assert!(!compare.works(), "what was measured is kept");
        compare.key(Key::End);
        compare.key(Key::Right);
        assert_eq!(compare.n, 16);
    }

    #[test]
    fn on_a_small_window_the_curves_take_the_place_of_the_table_and_all_of_them_are_named() {
        let mut compare = measured();
        for _ in 0..3 {
            compare.key(Key::Tab);
        }
        for _ in 0..2 {
            let rows = drawn(&compare, 80, 24);
            for info in compared() {
                let name = clip(info.title, usize::from(NAMES) - 6, "…");
                assert!(rows.iter().any(|row| row.contains(&name)), "{name}\n{}", rows.join("\n"));
            }
            let dots = |row: &&String| row.contains(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
            assert!(rows.iter().filter(dots).count() > 12, "{}", rows.join("\n"));
            compare.key(Key::Tab);
        }
        assert_eq!(compare.bars, Bars::OneEntry);
    }

    #[test]
    fn the_curves_part_and_each_has_its_name_at_its_end() {
        let rows = drawn(&measured(), 160, 45);
        let below = rows.iter().position(|r| r.contains("As the cluster grows")).expect("curves");
        let end = |name: &str| {
            let row = rows[below..].iter().position(|r| r.contains(name));
            row.unwrap_or_else(|| panic!("{name}:\n{}", rows.join("\n")))
        };
        let order = ["Lamport 1978", "Ricart–Agrawala 1981", "Maekawa 1985", "Raymond 1989"];
        assert!(order.map(end).is_sorted_by(|a, b| a < b), "{}", rows.join("\n"));
        for info in compared() {
            end(&clip(info.title, usize::from(NAMES) - 6, "…"));
        }
    }

    #[test]
    fn keys_are_taken_while_the_work_goes_on() {
        let mut compare = Compare::default();
        compare.work();
        assert!(compare.works());
        assert_eq!(compare.key(Key::Down), Chosen::Stay);
        assert_eq!(compare.key(Key::Enter), Chosen::Beside("lamport", FIRST));
        assert_eq!(compare.key(Key::Esc), Chosen::Close);
    }

    #[test]
    fn what_is_not_nothing_has_a_cell_and_the_most_has_all() {
        assert_eq!((scaled(0, 300, 20), scaled(1, 300, 20), scaled(300, 300, 20)), (0, 1, 20));
        assert_eq!(scaled(7, 0, 4), 4);
    }

    #[test]
    fn the_neighbour_is_another_algorithm() {
        for info in compared() {
            assert_ne!(neighbour(info.slug), info.slug);
        }
    }
}
