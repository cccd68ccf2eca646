//! `lockstep algorithms`: what there is to run, with rules, variables and broken variants.
//!
//! Everything comes from the catalog; nothing is known here about a particular algorithm.

use super::words::one_of;
use super::{Answer, Failure, GlobalArgs, cluster};
use crate::algorithm::{Failure as Fails, Info};
use crate::catalog;
use crate::export::ascii::to_ascii;
use crate::export::columns::{table, wrap};
use crate::model::ChannelOrder;
use clap::Args;
use serde::Serialize;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep algorithms                  a line or two for each
  lockstep algorithms lamport          its rules, variables and broken variants
  lockstep algorithms --format json    everything, for programs";

const WIDTH: usize = 80;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

const FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

/// List the algorithms with their rules and broken variants
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Algorithms {
    /// Only this one, in full
    algorithm: Option<String>,
    /// How to write the list
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
    format: Format,
}

impl Algorithms {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let one = self.algorithm.as_deref().map(cluster::find).transpose()?;
        let infos: Vec<&Info> = match &one {
            Some(entry) => vec![entry.info],
            None => catalog::all().iter().map(|e| e.info).collect(),
        };
        let text = match (self.format, one) {
            (Format::Json, _) => {
                let all: Vec<AlgorithmJson<'_>> =
                    infos.iter().map(|i| AlgorithmJson::of(i)).collect();
                serde_json::to_string_pretty(&all).expect("strings and lists are always JSON")
                    + "\n"
            }
            (Format::Text, Some(entry)) => in_full(entry.info),
            (Format::Text, None) => {
                infos.iter().map(|i| in_short(i)).collect::<Vec<_>>().join("\n")
            }
        };
        let ascii = global.ascii && self.format == Format::Text;
        out.write_all(if ascii { to_ascii(&text) } else { text }.as_bytes())?;
        Ok(Answer::Yes)
    }
}

fn channels(info: &Info) -> &'static str {
    match info.needs {
        ChannelOrder::Fifo => "needs FIFO channels",
        ChannelOrder::AnyOrder => "works with channels of either order",
    }
}

fn in_short(info: &Info) -> String {
    let facts = format!("{}; {}.", cost(info), channels(info));
    let named = |harmless: bool| {
        let those =
            info.variants.iter().filter(move |v| (v.failure == Fails::Harmless) == harmless);
        those.map(|v| v.slug).collect::<Vec<_>>()
    };
    let (slugs, harmless) = (named(false), named(true));
    let mut text = format!("{}\n", info.slug);
    text += &wrap(&format!("{}. {} {facts}", info.title, info.idea), "  ", WIDTH);
    if !slugs.is_empty() {
        text += &wrap(&slugs.join(", "), "  broken variants: ", WIDTH);
    }
    if !harmless.is_empty() {
        text += &wrap(&harmless.join(", "), "  changed without harm: ", WIDTH);
    }
    text
}

/// What one entry costs when nobody competes.
fn cost(info: &Info) -> String {
    format!("messages for an entry without competition: {}", info.cost.formula)
}

fn in_full(info: &Info) -> String {
    let mut text = format!("{} ({})\n", info.title, info.slug);
    text += &wrap(info.idea, "  ", WIDTH);
    text += &wrap(info.good_for, "  good for: ", WIDTH);
    text += &wrap(&format!("{}.", info.paper), "  ", WIDTH);
    text += &wrap(&format!("{}; {}.", cost(info), channels(info)), "  ", WIDTH);
    let kinds: Vec<&str> = info.kinds.iter().map(|k| k.name).collect();
    text += &wrap(&kinds.join(", "), "  messages: ", WIDTH);
    text += "\nRules\n";
    let own = |s: &str| s.to_owned();
    let outcome = |r: &crate::algorithm::Rule| match r.outcomes {
        "" => String::new(),
        words => format!("[{words}]"),
    };
    let rules = info.rules.iter().map(|r| vec![own(r.id), own(r.on), own(r.text), outcome(r)]);
    text += &table(&rules.collect::<Vec<_>>(), "  ");
    text += "\nVariables\n";
    text += &definitions(info.fields.iter().map(|f| (f.name, f.about)));
    if !info.options.is_empty() {
        text += "\nOptions\n";
        text += &definitions(info.options.iter().map(|o| (o.name, o.about)));
    }
    if !info.variants.is_empty() {
        text += "\nVariants\n";
        for variant in info.variants {
            text += &format!("  {} ({})\n", variant.slug, variant.id);
            text += &wrap(variant.about, "      ", WIDTH);
        }
    }
    text
}

/// A name and what it means, the meanings in one column.
fn definitions(items: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let items: Vec<_> = items.collect();
    let longest = items.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    items.iter().map(|(name, about)| wrap(about, &format!("  {name:<longest$}  "), WIDTH)).collect()
}

#[derive(Serialize)]
struct AlgorithmJson<'a> {
    slug: &'a str,
    title: &'a str,
    paper: &'a str,
    idea: &'a str,
    good_for: &'a str,
    channels: &'a str,
    formula: &'a str,
    variants: Vec<VariantJson<'a>>,
    options: Vec<NamedJson<'a>>,
    fields: Vec<NamedJson<'a>>,
    kinds: Vec<&'a str>,
    rules: Vec<RuleJson<'a>>,
}

#[derive(Serialize)]
struct VariantJson<'a> {
    slug: &'a str,
    id: &'a str,
    about: &'a str,
    harmless: bool,
}

#[derive(Serialize)]
struct NamedJson<'a> {
    name: &'a str,
    about: &'a str,
}

#[derive(Serialize)]
struct RuleJson<'a> {
    id: &'a str,
    on: &'a str,
    text: &'a str,
}

impl<'a> AlgorithmJson<'a> {
    fn of(info: &'a Info) -> Self {
        let variant = |v: &'a crate::algorithm::Variant| VariantJson {
            slug: v.slug,
            id: v.id,
            about: v.about,
            harmless: v.failure == Fails::Harmless,
        };
        Self {
            slug: info.slug,
            title: info.title,
            paper: info.paper,
            idea: info.idea,
            good_for: info.good_for,
            channels: info.needs.word(),
            formula: info.cost.formula,
            variants: info.variants.iter().map(variant).collect(),
            options: info
                .options
                .iter()
                .map(|o| NamedJson { name: o.name, about: o.about })
                .collect(),
            fields: info
                .fields
                .iter()
                .map(|f| NamedJson { name: f.name, about: f.about })
                .collect(),
            kinds: info.kinds.iter().map(|k| k.name).collect(),
            rules: info
                .rules
                .iter()
                .map(|r| RuleJson { id: r.id, on: r.on, text: r.text })
                .collect(),
        }
    }
}
