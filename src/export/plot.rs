//! The space-time diagram in places of a page, shared by the formats that draw it.
//!
//! Lengths only: columns, lanes and the ends of lines, in points; a step takes [`STEP`] where there is room. How they
//! are inked, and in which language, is a format's business.

/// From one step to the next.
pub const STEP: f64 = 76.0;

/// A place on the page; y grows downwards.
pub type Point = (f64, f64);

/// What a dot looks like: told apart by shape alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The node acted by itself: a filled circle.
    Act,
    /// A message was received: an open circle.
    Receipt,
    /// The node entered: a diamond.
    Entered,
    /// Something was lost: a cross.
    Lost,
    /// The node crashed: a dagger.
    Crash,
}

/// One step at a lane.
#[derive(Clone, Debug)]
pub struct Dot {
    /// The step.
    pub step: u32,
    /// Where.
    pub at: Point,
    /// Which form.
    pub shape: Shape,
    /// What stands above it: the clock.
    pub above: Option<String>,
    /// What stands below it: that a request was answered with silence.
    pub below: String,
}

/// How a message's line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tip {
    /// With an arrow head: it was received.
    Received,
    /// With a cross: it was lost.
    Lost,
    /// In the open: it is on its way.
    Open,
}

/// A message's line.
#[derive(Clone, Debug)]
pub struct Link {
    /// The step that sent it; 0: before the run.
    pub sent_at: u32,
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Whether it is dashed.
    pub dashed: bool,
    /// How it ends.
    pub tip: Tip,
    /// What is written along it.
    pub label: String,
    /// How much of the way from its beginning the label's middle lies.
    pub label_at: f64,
}

impl Link {
    /// The middle of the label, and the angle of the line in degrees, never upside down.
    #[must_use]
    pub fn label_place(&self) -> (Point, f64) {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let middle = (self.from.0 + dx * self.label_at, self.from.1 + dy * self.label_at);
        (middle, dy.atan2(dx).to_degrees())
    }
}

/// A stretch of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The step that begins it; 0: before the run.
    pub since: u32,
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// Its lane's height.
    pub y: f64,
}

/// What a sign of the picture looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sample {
    /// A message's line; whether it is dashed.
    Line(bool),
    /// A dot.
    Dot(Shape),
    /// A stretch of a lane.
    Inside,
}

/// One sign of the legend.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The left end of the sample, in the middle of its height.
    pub at: Point,
    /// What it looks like.
    pub sample: Sample,
    /// What it means.
    pub text: &'static str,
}

/// How far behind the left end of a sample its text begins.
pub const SAMPLE: f64 = 28.0;

/// The whole picture.
#[derive(Clone, Debug)]
pub struct Plot {
    /// How much smaller than its lengths it is drawn, texts included.
    pub scale: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Where lanes begin and end.
    pub lane_ends: (f64, f64),
    /// The lanes: each node's name and height.
    pub lanes: Vec<(String, f64)>,
    /// The steps: number and column.
    pub columns: Vec<(u32, f64)>,
    /// The dots.
    pub dots: Vec<Dot>,
    /// The messages.
    pub links: Vec<Link>,
    /// Stays in the critical section.
    pub inside: Vec<Stretch>,
    /// Times of being crashed.
    pub crashed: Vec<Stretch>,
    /// What the signs that occur mean.
    pub legend: Vec<Key>,
}
