//! SVG: the space-time diagram, for pages, slides and print.
//!
//! Everything is told by shape and line, nothing by colour alone; on a dark page it turns light.

use super::plot::{Dot, Key, Link, Plot, Point, SAMPLE, Sample, Shape, Stretch, Tip};
use super::{Exporter, Run, phrases};
use crate::trace::narrate;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Many programs refuse a picture that is wider, in pixels: the largest side of Cairo's surfaces.
const WIDEST: f64 = 32_767.0;

/// The format.
#[derive(Debug)]
pub struct Svg;

impl Exporter for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "the space-time diagram as a picture, for pages, slides and print"
    }

    fn caution(&self, text: &str) -> Option<String> {
        let (_, behind) = text.split_once("width=\"")?;
        let width: f64 = behind.split('"').next()?.parse().ok()?;
        (width > WIDEST).then(|| {
            format!("the picture is {width} pixels wide, and many programs refuse more than {WIDEST}: --at ends the run earlier")
        })
    }

    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        Plot::fits(run).err()
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(picture(run).as_bytes())
    }
}

/// How everything looks. A viewer that knows no dark pages shows ink on paper.
const STYLE: &str = "\
.lockstep{--ink:#111;--paper:#fff;background:var(--paper);font:13px system-ui,sans-serif}
.lockstep text{fill:#111;fill:var(--ink)}
.lockstep .name{font-weight:bold;font-size:15px}
.lockstep .small{font-size:11px}
.lockstep .now{font-weight:bold;text-decoration:underline}
.lockstep .halo{stroke:#fff;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.lockstep path{stroke:#111;stroke:var(--ink);fill:none;stroke-width:1.5}
.lockstep .lane{stroke-width:1}
.lockstep .bold{stroke-width:2.5}
.lockstep .inside{stroke-width:9}
.lockstep .crashed{stroke:#fff;stroke:var(--paper);stroke-width:3;stroke-dasharray:4 6}
.lockstep .reply{stroke-dasharray:7 4}
.lockstep .full{fill:#111;fill:var(--ink)}
.lockstep .open{fill:#fff;fill:var(--paper)}
@media (prefers-color-scheme:dark){.lockstep{--ink:#eee;--paper:#17181c}}
@media print{.lockstep{--ink:#000;--paper:#fff}}
@media (forced-colors:active){.lockstep{--ink:CanvasText;--paper:Canvas;forced-color-adjust:none}}
";

/// The whole document.
#[must_use]
pub fn picture(run: &Run<'_>) -> String {
    let plot = Plot::of(run);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lockstep\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" aria-labelledby=\"lockstep-title lockstep-desc\">\n",
        number(plot.width * plot.scale),
        number(plot.height * plot.scale),
        w = number(plot.width),
        h = number(plot.height),
    );
    let _ = writeln!(svg, "<title id=\"lockstep-title\">{}</title>", escape(&title(run)));
    let _ = writeln!(svg, "<desc id=\"lockstep-desc\">{}</desc>", escape(&description(run)));
    let _ = writeln!(svg, "<style>\n{STYLE}</style>");
    let _ = writeln!(svg, "<rect class=\"open\" width=\"100%\" height=\"100%\"/>");
    lanes(&plot, &mut svg);
    past(&plot, &mut svg);
    // Names of messages lie above every line.
    for link in plot.links.iter().filter(|link| !link.label.is_empty()) {
        label(link, &mut svg);
    }
    for dot in &plot.dots {
        mark(dot, &mut svg);
    }
    names(&plot, &mut svg);
    legend(&plot, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn title(run: &Run<'_>) -> String {
    let about: Vec<String> =
        run.about().iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!("{}, {}", run.info().title, about.join("; "))
}

/// What happens, in sentences: what a screen reader reads in place of the picture.
fn description(run: &Run<'_>) -> String {
    let step = |n: u32, text: String| format!("{n}. {text}");
    let mut all: Vec<String> = run
        .steps()
        .map(|(record, _)| step(record.n, narrate::sentence(record, run.names())))
        .collect();
    let view = run.end().view();
    all.extend(phrases::properties(run.end(), &view).iter().map(|(n, s)| format!("{n}: {s}.")));
    all.join(" ")
}

fn lanes(plot: &Plot, svg: &mut String) {
    let (left, right) = plot.lane_ends;
    for (_, y) in &plot.lanes {
        let (left, y, right) = (number(left), number(*y), number(right));
        let _ = writeln!(svg, "<path class=\"lane\" d=\"M{left} {y}H{right}\"/>");
    }
    for (step, x) in &plot.columns {
        let _ = writeln!(
            svg,
            "<text class=\"small\" data-from=\"{step}\" data-column=\"{step}\" x=\"{}\" y=\"16\" \
             text-anchor=\"middle\">{step}</text>",
            number(*x)
        );
    }
}

/// The names of the lanes, which a page may move along.
fn names(plot: &Plot, svg: &mut String) {
    svg.push_str("<g class=\"names\">\n");
    for (name, y) in &plot.lanes {
        let _ = writeln!(
            svg,
            "<text class=\"name halo\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            number(plot.lane_ends.0 - 10.0),
            number(y + 5.0),
            escape(name)
        );
    }
    svg.push_str("</g>\n");
}

/// What the signs mean.
fn legend(plot: &Plot, svg: &mut String) {
    svg.push_str("<g class=\"legend\">\n");
    for Key { at: (x, y), sample, text } in &plot.legend {
        let (from, to) = (number(*x), number(x + SAMPLE - 6.0));
        match sample {
            Sample::Line(dashed) => {
                let class = if *dashed { "reply" } else { "request" };
                let _ =
                    writeln!(svg, "<path class=\"{class}\" d=\"M{from} {}H{to}\"/>", number(*y));
            }
            Sample::Inside => {
                let _ = writeln!(svg, "<path class=\"inside\" d=\"M{from} {}H{to}\"/>", number(*y));
            }
            Sample::Dot(shape) => sign((x + SAMPLE - 17.0, *y), *shape, svg),
        }
        let (x, y) = (number(x + SAMPLE), number(y + 4.0));
        let _ = writeln!(svg, "<text class=\"small\" x=\"{x}\" y=\"{y}\">{text}</text>");
    }
    svg.push_str("</g>\n");
}

/// What reaches over several steps. A page that shows the run step by step makes the window narrower.
fn past(plot: &Plot, svg: &mut String) {
    let (w, h) = (number(plot.width), number(plot.height));
    let _ = writeln!(
        svg,
        "<clipPath id=\"lockstep-now\"><rect width=\"{w}\" height=\"{h}\"/></clipPath>\n\
         <g clip-path=\"url(#lockstep-now)\">"
    );
    for (class, stretches) in [("inside", &plot.inside), ("crashed", &plot.crashed)] {
        for Stretch { since, from, to, y } in stretches {
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" data-from=\"{since}\" d=\"M{} {y}H{}\"/>",
                number(*from),
                number(*to)
            );
        }
    }
    for link in &plot.links {
        line(link, svg);
    }
    svg.push_str("</g>\n");
}

/// A message's line with its end.
fn line(link: &Link, svg: &mut String) {
    let class = if link.dashed { "reply" } else { "request" };
    let _ = writeln!(svg, "<g data-from=\"{}\">", link.sent_at);
    let (from, to) = (link.from, link.to);
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
        number(from.0),
        number(from.1),
        number(to.0),
        number(to.1)
    );
    match link.tip {
        Tip::Received => head(from, to, svg),
        Tip::Lost => cross(to, svg),
        Tip::Open => {}
    }
    svg.push_str("</g>\n");
}

/// An arrow head whose point lies at the edge of the receiver's dot.
fn head(from: (f64, f64), to: (f64, f64), svg: &mut String) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let tip = (to.0 - ux * 6.0, to.1 - uy * 6.0);
    let back = (tip.0 - ux * 11.0, tip.1 - uy * 11.0);
    let _ = writeln!(
        svg,
        "<path class=\"full\" d=\"M{} {}L{} {}L{} {}Z\"/>",
        number(tip.0),
        number(tip.1),
        number(back.0 - uy * 4.0),
        number(back.1 + ux * 4.0),
        number(back.0 + uy * 4.0),
        number(back.1 - ux * 4.0)
    );
}

fn cross((x, y): (f64, f64), svg: &mut String) {
    let (x, y) = (number(x), number(y));
    let _ = writeln!(svg, "<path class=\"bold\" d=\"M{x} {y}m-6 -6l12 12m0 -12l-12 12\"/>");
}

fn label(link: &Link, svg: &mut String) {
    let ((x, y), angle) = link.label_place();
    let (x, y) = (number(x), number(y));
    let _ = writeln!(
        svg,
        "<text class=\"small halo\" data-from=\"{}\" text-anchor=\"middle\" \
         transform=\"translate({x} {y}) rotate({})\" dy=\"-4\">{}</text>",
        link.sent_at,
        number(angle),
        escape(&link.label)
    );
}

fn mark(dot: &Dot, svg: &mut String) {
    let (x, y) = dot.at;
    let _ = writeln!(svg, "<g data-from=\"{}\">", dot.step);
    sign(dot.at, dot.shape, svg);
    let sx = number(x);
    let beside = [(dot.above.as_deref().unwrap_or_default(), -13.0), (dot.below.as_str(), 22.0)];
    for (text, dy) in beside.into_iter().filter(|(text, _)| !text.is_empty()) {
        let _ = writeln!(
            svg,
            "<text class=\"small halo\" x=\"{sx}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            number(y + dy),
            escape(text)
        );
    }
    svg.push_str("</g>\n");
}

/// The form of a dot.
fn sign(at: Point, shape: Shape, svg: &mut String) {
    let (x, y) = (number(at.0), number(at.1));
    let _ = match shape {
        Shape::Act => writeln!(svg, "<path class=\"full\" d=\"{}\"/>", circle(at.0, at.1)),
        Shape::Receipt => writeln!(svg, "<path class=\"open\" d=\"{}\"/>", circle(at.0, at.1)),
        Shape::Entered => {
            writeln!(svg, "<path class=\"full\" d=\"M{x} {y}m0 -9l9 9l-9 9l-9 -9Z\"/>")
        }
        Shape::Lost => return cross(at, svg),
        Shape::Crash => writeln!(svg, "<path class=\"bold\" d=\"M{x} {y}m0 -11v24m-7 -16h14\"/>"),
    };
}

fn circle(x: f64, y: f64) -> String {
    format!("M{} {}a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z", number(x - 5.5), number(y))
}

/// A length with at most one digit after the point, the same on every machine.
#[must_use]
pub fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text that may stand inside an element or an attribute of XML or HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // XML 1.0 has no way to write these.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => out.push(c),
        }
    }
    out
}
