//! TikZ: the space-time diagram for LaTeX, on slides and in papers.
//!
//! The file compiles by itself with the package tikz and nothing else; a document of one's own takes the
//! part from `\begin{tikzpicture}` to `\end{tikzpicture}`. Everything is black: shapes and lines tell.

use super::plot::{Dot, Link, Plot, Shape, Stretch, Tip};
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

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(document(run).as_bytes())
    }
}

/// The page is as large as the picture: no class is needed beyond those of every installation.
fn document(run: &Run<'_>) -> String {
    let plot = Plot::of(run);
    let (w, h) = (number(plot.width + 20.0), number(plot.height + 20.0));
    let mut tex = format!(
        "\\documentclass{{article}}\n\\usepackage{{tikz}}\n\
         \\paperwidth={w}bp \\paperheight={h}bp\n\
         \\ifdefined\\pdfpagewidth \\pdfpagewidth=\\paperwidth \\pdfpageheight=\\paperheight \\fi\n\
         \\ifdefined\\pagewidth \\pagewidth=\\paperwidth \\pageheight=\\paperheight \\fi\n\
         \\hoffset=-1in \\voffset=-1in \\oddsidemargin=10bp \\topmargin=0pt \\headheight=0pt\n\
         \\headsep=10bp \\textwidth={}bp \\textheight={}bp \\parindent=0pt\n\
         \\pagestyle{{empty}}\n\\begin{{document}}\n",
        number(plot.width),
        number(plot.height),
    );
    let _ = writeln!(tex, "% {}", comment(run.info().title));
    tex.push_str(
        "\\begin{tikzpicture}[x=1bp,y=-1bp,font=\\footnotesize\\sffamily,\n  \
         lane/.style={thin},inside/.style={line width=5pt},\n  \
         crashed/.style={line width=2pt,white,dash pattern=on 4pt off 6pt},\n  \
         request/.style={semithick},reply/.style={semithick,dashed},\n  \
         arrives/.style={->,shorten >=6bp},\n  \
         lane name/.style={left,font=\\bfseries\\sffamily},\n  \
         message/.style={sloped,above,inner sep=1pt,font=\\scriptsize\\sffamily}]\n",
    );
    lanes(&plot, &mut tex);
    for link in &plot.links {
        line(link, &mut tex);
    }
    for dot in &plot.dots {
        mark(dot, &mut tex);
    }
    tex.push_str("\\end{tikzpicture}\n\\end{document}\n");
    tex
}

fn place((x, y): (f64, f64)) -> String {
    format!("({},{})", number(x), number(y))
}

fn lanes(plot: &Plot, tex: &mut String) {
    let (left, right) = plot.lane_ends;
    for (name, y) in &plot.lanes {
        let (from, to) = (place((left, *y)), place((right, *y)));
        let _ = writeln!(tex, "\\draw[lane] {from} node[lane name] {{{}}} -- {to};", escape(name));
    }
    for (step, x) in &plot.columns {
        let _ = writeln!(tex, "\\node at {} {{\\scriptsize {step}}};", place((*x, 12.0)));
    }
    for (class, stretches) in [("inside", &plot.inside), ("crashed", &plot.crashed)] {
        for Stretch { from, to, y, .. } in stretches {
            let (from, to) = (place((*from, *y)), place((*to, *y)));
            let _ = writeln!(tex, "\\draw[{class}] {from} -- {to};");
        }
    }
}

fn line(link: &Link, tex: &mut String) {
    let class = if link.dashed { "reply" } else { "request" };
    let arrives = if link.tip == Tip::Received { ",arrives" } else { "" };
    let _ = writeln!(
        tex,
        "\\draw[{class}{arrives}] {} -- node[message,pos={:.2}] {{{}}} {};",
        place(link.from),
        link.label_at,
        escape(&link.label),
        place(link.to)
    );
    if link.tip == Tip::Lost {
        cross(link.to, tex);
    }
}

fn cross(at: (f64, f64), tex: &mut String) {
    let _ =
        writeln!(tex, "\\draw[thick] {0} +(-5,-5) -- +(5,5) {0} +(-5,5) -- +(5,-5);", place(at));
}

fn mark(dot: &Dot, tex: &mut String) {
    let at = place(dot.at);
    match dot.shape {
        Shape::Act => {
            let _ = writeln!(tex, "\\fill {at} circle[radius=5];");
        }
        Shape::Receipt => {
            let _ = writeln!(tex, "\\draw[semithick,fill=white] {at} circle[radius=5];");
        }
        Shape::Entered => {
            let _ = writeln!(tex, "\\fill {at} +(0,-8) -- +(8,0) -- +(0,8) -- +(-8,0) -- cycle;");
        }
        Shape::Lost => cross(dot.at, tex),
        Shape::Crash => {
            let _ = writeln!(
                tex,
                "\\draw[very thick] {at} +(0,-10) -- +(0,12) {at} +(-6,-4) -- +(6,-4);"
            );
        }
    }
    let (x, y) = dot.at;
    let beside = [(dot.above.as_deref().unwrap_or_default(), -15.0), (dot.below.as_str(), 18.0)];
    for (text, dy) in beside.into_iter().filter(|(text, _)| !text.is_empty()) {
        let _ =
            writeln!(tex, "\\node at {} {{\\scriptsize {}}};", place((x, y + dy)), escape(text));
    }
}

/// Text in which TeX takes no character for a command.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '–' => out.push_str("--"),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text for the rest of a line behind a percent sign.
fn comment(text: &str) -> String {
    text.replace('\n', " ")
}
