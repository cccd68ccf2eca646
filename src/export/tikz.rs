//! TikZ: the space-time diagram for LaTeX, on slides and in papers.
//!
//! The file compiles by itself with the package tikz and nothing else; a document of one's own takes the
//! part from `\begin{tikzpicture}` to `\end{tikzpicture}`. Everything is black: shapes and lines tell.

use super::plot::{Dot, Key, Link, Plot, Point, SAMPLE, Sample, Shape, Stretch, Tip};
use super::svg::number;
use super::{Exporter, Run};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The format.
#[derive(Debug)]
pub struct Tikz;

impl Exporter for Tikz {
    fn name(&self) -> &'static str {
        "tikz"
    }

    fn about(&self) -> &'static str {
        "the space-time diagram for LaTeX; compiles by itself"
    }

    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        Plot::fits(run).err()
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(document(run).as_bytes())
    }
}

/// The longest picture that TeX can measure, in big points.
const LONGEST: f64 = 15_000.0;

/// Shows a character, given by its number and as itself: where the font or the encoding has no such
/// letter, its number stands for it. A file that has only plain letters does without.
const LETTER: &str = "\\def\\letter#1#2{\\ifdefined\\Umathcode\\iffontchar\\font\"#1 #2\\else U+#1\\fi\n  \
     \\else\\ifcsname u8:\\detokenize{#2}\\endcsname{\\def\\TextSymbolUnavailable##1{U+#1}#2}%\n  \
     \\else U+#1\\fi\\fi}\n";

/// The page is as large as the picture, as TeX has measured it: no class is needed beyond those of every
/// installation.
fn document(run: &Run<'_>) -> String {
    let mut tex = "\\documentclass{article}\n\\usepackage{tikz}\n\\newsavebox\\lockstep\n\
                   \\begin{document}\n"
        .to_owned();
    let _ = writeln!(tex, "% {}", comment(run.info().title));
    tex.push_str("\\begin{lrbox}\\lockstep\n");
    picture(&Plot::of(run), &mut tex);
    tex.push_str(
        "\\end{lrbox}\n% The page is as large as the picture with a margin around it.\n\
         \\paperwidth=\\dimexpr\\wd\\lockstep+20bp\\relax\n\
         \\paperheight=\\dimexpr\\ht\\lockstep+\\dp\\lockstep+20bp\\relax\n\
         \\ifdefined\\pdfpagewidth \\pdfpagewidth=\\paperwidth \\pdfpageheight=\\paperheight \\fi\n\
         \\ifdefined\\pagewidth \\pagewidth=\\paperwidth \\pageheight=\\paperheight \\fi\n\
         \\hoffset=-1in \\voffset=-1in\n\
         \\shipout\\vbox{\\kern10bp\\hbox{\\kern10bp\\box\\lockstep}}\n\\end{document}\n",
    );
    tex
}

/// The environment that a document of one's own takes.
fn picture(plot: &Plot, tex: &mut String) {
    let narrower = (LONGEST / plot.width).min(1.0);
    let mut drawn = String::new();
    let ink = Ink { narrower };
    ink.lanes(plot, &mut drawn);
    plot.links.iter().for_each(|link| ink.line(link, &mut drawn));
    // Names of messages lie above every line.
    let named = plot.links.iter().filter(|link| !link.label.is_empty());
    named.for_each(|link| ink.name(link, &mut drawn));
    plot.dots.iter().for_each(|dot| ink.mark(dot, &mut drawn));
    plot.legend.iter().for_each(|key| ink.key(key, &mut drawn));
    // Texts keep their size where nothing is scaled; else they have seven points.
    let scale = if plot.scale < 1.0 { format!("{:.3}", plot.scale) } else { "1".to_owned() };
    let (text, small, name) = match plot.scale < 1.0 {
        true => (
            r"\fontsize{7}{8.4}\selectfont",
            r"\fontsize{7}{8.4}\selectfont",
            r"\fontsize{8}{9.6}\selectfont",
        ),
        false => (r"\footnotesize", r"\scriptsize", ""),
    };
    let _ = write!(
        tex,
        "\\begin{{tikzpicture}}[x={scale}bp,y=-{scale}bp,font={text}\\sffamily,>=latex,\n  \
         lane/.style={{thin}},inside/.style={{line width=5pt}},\n  \
         crashed/.style={{line width=2pt,white,dash pattern=on 4pt off 6pt}},\n  \
         request/.style={{semithick}},reply/.style={{semithick,dashed}},\n  \
         arrives/.style={{->,shorten >=6bp}},\n  \
         lane name/.style={{left,font={name}\\bfseries\\sffamily}},\n  \
         small/.style={{fill=white,inner sep=.7pt,font={small}\\sffamily}},\n  \
         message/.style={{small,sloped,above=1.5pt}}]\n",
    );
    if drawn.contains("\\letter{") {
        tex.push_str(LETTER);
    }
    tex.push_str(&drawn);
    tex.push_str("\\end{tikzpicture}\n");
}

/// How places are written.
struct Ink {
    /// A very long run is pressed together: TeX can measure five metres and a half.
    narrower: f64,
}

impl Ink {
    fn place(&self, (x, y): (f64, f64)) -> String {
        format!("({},{})", number(x * self.narrower), number(y))
    }

    fn lanes(&self, plot: &Plot, tex: &mut String) {
        let (left, right) = plot.lane_ends;
        for (name, y) in &plot.lanes {
            let (from, to) = (self.place((left, *y)), self.place((right, *y)));
            let _ =
                writeln!(tex, "\\draw[lane] {from} node[lane name] {{{}}} -- {to};", escape(name));
        }
        for (step, x) in &plot.columns {
            let _ = writeln!(tex, "\\node[small] at {} {{{step}}};", self.place((*x, 12.0)));
        }
        for (class, stretches) in [("inside", &plot.inside), ("crashed", &plot.crashed)] {
            for Stretch { from, to, y, .. } in stretches {
                let (from, to) = (self.place((*from, *y)), self.place((*to, *y)));
                let _ = writeln!(tex, "\\draw[{class}] {from} -- {to};");
            }
        }
    }

    fn line(&self, link: &Link, tex: &mut String) {
        let class = if link.dashed { "reply" } else { "request" };
        let arrives = if link.tip == Tip::Received { ",arrives" } else { "" };
        let (from, to) = (self.place(link.from), self.place(link.to));
        let _ = writeln!(tex, "\\draw[{class}{arrives}] {from} -- {to};");
        if link.tip == Tip::Lost {
            self.cross(link.to, tex);
        }
    }

    fn name(&self, link: &Link, tex: &mut String) {
        let _ = writeln!(
            tex,
            "\\path {} -- node[message,pos={:.2}] {{{}}} {};",
            self.place(link.from),
            link.label_at,
            escape(&link.label),
            self.place(link.to)
        );
    }

    fn cross(&self, at: (f64, f64), tex: &mut String) {
        let at = self.place(at);
        let _ = writeln!(tex, "\\draw[thick] {at} +(-5,-5) -- +(5,5) {at} +(-5,5) -- +(5,-5);");
    }

    /// One sign of the legend.
    fn key(&self, key: &Key, tex: &mut String) {
        let (x, y) = key.at;
        let (from, to) = (self.place((x, y)), self.place((x + SAMPLE - 6.0, y)));
        let _ = match key.sample {
            Sample::Line(true) => writeln!(tex, "\\draw[reply] {from} -- {to};"),
            Sample::Line(false) => writeln!(tex, "\\draw[request] {from} -- {to};"),
            Sample::Inside => writeln!(tex, "\\draw[inside] {from} -- {to};"),
            Sample::Dot(shape) => {
                self.sign((x + SAMPLE - 17.0, y), shape, tex);
                Ok(())
            }
        };
        let at = self.place((x + SAMPLE - 4.0, y));
        let _ = writeln!(tex, "\\node[small,right] at {at} {{{}}};", escape(key.text));
    }

    fn mark(&self, dot: &Dot, tex: &mut String) {
        self.sign(dot.at, dot.shape, tex);
        let (x, y) = dot.at;
        let beside =
            [(dot.above.as_deref().unwrap_or_default(), -16.0), (dot.below.as_str(), 17.0)];
        for (text, dy) in beside.into_iter().filter(|(text, _)| !text.is_empty()) {
            let _ =
                writeln!(tex, "\\node[small] at {} {{{}}};", self.place((x, y + dy)), escape(text));
        }
    }

    /// The form of a dot.
    fn sign(&self, point: Point, shape: Shape, tex: &mut String) {
        let at = self.place(point);
        match shape {
            Shape::Act => {
                let _ = writeln!(tex, "\\fill {at} circle[radius=5];");
            }
            Shape::Receipt => {
                let _ = writeln!(tex, "\\draw[semithick,fill=white] {at} circle[radius=5];");
            }
            Shape::Entered => {
                let _ =
                    writeln!(tex, "\\fill {at} +(0,-8) -- +(8,0) -- +(0,8) -- +(-8,0) -- cycle;");
            }
            Shape::Lost => self.cross(point, tex),
            Shape::Crash => {
                let _ = writeln!(
                    tex,
                    "\\draw[very thick] {at} +(0,-10) -- +(0,12) {at} +(-6,-4) -- +(6,-4);"
                );
            }
        }
    }
}

/// Text in which TeX takes no character for a command.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\ensuremath{\\backslash}"),
            '{' => out.push_str("\\ensuremath{\\{}"),
            '}' => out.push_str("\\ensuremath{\\}}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\ensuremath{<}"),
            '>' => out.push_str("\\ensuremath{>}"),
            '|' => out.push_str("\\ensuremath{|}"),
            '–' => out.push_str("--"),
            '\n' => out.push(' '),
            c if c.is_ascii() => out.push(c),
            c => {
                let _ = write!(out, "\\letter{{{:04X}}}{{{c}}}", u32::from(c));
            }
        }
    }
    out
}

/// Text for the rest of a line behind a percent sign.
fn comment(text: &str) -> String {
    text.replace('\n', " ")
}
