//! Free play in lines: how a cluster is set up by words, and which settings there are.
//!
//! What a setting is called and how it is read stands in the table of settings.

use super::lines::Lines;
use crate::algorithm::Info;
use crate::catalog::{self, ConfigError, Entry};
use crate::lab::Lab;
use crate::model::settings::{self, Needs, Setting, Settings, Shape};

/// What can be typed behind `play`.
pub(super) const TAKES: &str = "an algorithm, then in any order a number of nodes or their names, a \
    variant, fifo or any-order, first clocks like 4,2, or any setting by its name, like clock=tick; \
    `play` alone tells all of them, `play lamport ?` those of an algorithm";

/// `lamport 5 no-fifo any-order clock=tick`: a cluster, set up by words in any order after the
/// algorithm's name.
///
/// # Errors
/// What does not fit, in a sentence without its full stop.
pub(super) fn lab(line: &str) -> Result<Lab, String> {
    let words = split(line);
    let mut words = words.iter().map(String::as_str);
    let entry = catalog::named(words.next().unwrap_or_default()).map_err(|e| e.message)?;
    let mut given = Settings::default();
    while let Some(word) = words.next() {
        let name = word.trim_start_matches('-');
        let (setting, value) = match name.split_once('=') {
            Some((key, value)) => (settings::find(key)?, value),
            None if name.len() < word.len() => {
                let setting = settings::find(name)?;
                let wanting = || format!("{word} what? Write {word} {}", setting.form);
                (setting, words.next().ok_or_else(wanting)?)
            }
            None => (meant(word, &entry), word),
        };
        given.give(setting, value).map_err(|message| format!("{}: {message}", setting.key))?;
    }
    let said = |e: ConfigError| match settings::find(e.key) {
        Ok(setting) => format!("{}: {}", setting.key, e.message),
        Err(_) => e.message,
    };
    let config = catalog::config(&entry, &given).map_err(said)?;
    if let Some((setting, why)) = catalog::given_for_nothing(&config, &given) {
        return Err(format!("{} has no meaning here: {why}", setting.key));
    }
    Lab::new(config).map_err(said)
}

/// The words of a line; what stands in quotation marks is one word.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match (c, words.last_mut()) {
            ('"' | '\'' | '“' | '”', _) => quoted = !quoted,
            (c, _) if c.is_whitespace() && !quoted => words.push(String::new()),
            (c, Some(word)) => word.push(c),
            (_, None) => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The setting that a word alone is meant for.
fn meant(word: &str, entry: &Entry) -> &'static Setting {
    let is = |wanted: fn(&Setting) -> bool| settings::of_clusters().find(|setting| wanted(setting));
    let known =
        |setting: &&Setting| setting.words.iter().any(|(w, _)| w.eq_ignore_ascii_case(word));
    let digits = |c: char| c.is_ascii_digit();
    let found = if word.contains(',') && word.starts_with(digits) {
        is(|setting| setting.shape == Shape::Numbers)
    } else if word.contains('>') {
        is(|setting| setting.shape == Shape::Tree)
    } else if word.contains(',') || word.starts_with(digits) {
        is(|setting| setting.shape == Shape::Names)
    } else if entry.info.options.iter().any(|option| option.name == word) {
        is(|setting| setting.needs == Needs::Options)
    } else {
        settings::of_clusters().find(known)
    };
    let variant = || is(|setting| setting.needs == Needs::Variants);
    found.or_else(variant).expect("there are variants in the table")
}

/// Tells the settings: all, or those that mean something for an algorithm.
pub(super) fn tell(of: Option<&Entry>, lines: &mut Lines) {
    let head =
        of.map_or("Settings of a cluster".to_owned(), |e| format!("{}, settings", e.info.title));
    lines.say(format!("{head}; write them as NAME=VALUE, with quotation marks around blanks:"));
    let means = |setting: &&Setting| of.is_none_or(|e| catalog::has_meaning(e.info, setting));
    for setting in settings::of_clusters().filter(means) {
        let usual = match setting.usual {
            "" => String::new(),
            usual => format!(" Usual: {usual}."),
        };
        let own = of.map_or(String::new(), |entry| own_words(setting, entry.info));
        lines.item(
            "  ",
            format!("{}={}: {}.{usual}{own}", setting.key, setting.form, setting.about),
        );
    }
}

/// The words of an algorithm's own for a setting.
fn own_words(setting: &Setting, info: &Info) -> String {
    let words: Vec<String> = match setting.needs {
        Needs::Variants => info.variants.iter().map(|v| v.slug.to_owned()).collect(),
        Needs::Options => info.options.iter().map(|o| o.name.to_owned()).collect(),
        Needs::Nothing | Needs::VotingSets | Needs::Tree | Needs::Coordinator | Needs::Storage => {
            setting.words.iter().map(|(word, means)| format!("{word} ({means})")).collect()
        }
    };
    if words.is_empty() { String::new() } else { format!(" Values: {}.", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelOrder, Config};

    fn read(words: &str) -> Config {
        lab(words).unwrap_or_else(|error| panic!("{words}: {error}")).config().clone()
    }

    #[test]
    fn free_play_is_set_up_by_words_in_any_order() {
        let five = read("lamport 5 any-order");
        assert_eq!((five.nodes.len(), five.channels), (5, Some(ChannelOrder::AnyOrder)));
        assert_eq!(read("lamport --channels any-order -n 5"), five);
        assert_eq!(read("lamport channels=any-order nodes=5"), five);
        let tie = read("ricart-agrawala tie-replies 4,2");
        assert_eq!((tie.nodes.len(), tie.variant.as_deref()), (2, Some("tie-replies")));
        assert_eq!(tie.clocks, [4, 2]);
        assert_eq!(read("lamport A,B").nodes, ["A", "B"]);
        assert_eq!(read("token-ring regenerate numbers").options, ["regenerate", "numbers"]);
        let sets = read("maekawa quorums=\"P1 P2,P2 P3,P1 P3\"");
        assert_eq!(sets, read("maekawa --quorums 'P1 P2, P2 P3, P1 P3,'"));
    }

    #[test]
    fn what_does_not_fit_is_said_with_its_setting() {
        let cases = [
            ("lampert", "no algorithm is called `lampert`; did you mean `lamport`?"),
            ("lamport 99", "nodes: a cluster has 1 to 16 nodes, not 99"),
            ("lamport 99999999999", "nodes: a cluster has 1 to 16 nodes, not 99999999999"),
            ("lamport 4,x", "clocks: `x` is no clock value; write numbers like 4,2"),
            ("lamport clok=tick", "no setting is called `clok`; did you mean `clock`?"),
            ("lamport --clock", "--clock what? Write --clock RULE"),
            ("lamport 3 4", "nodes: it is given twice"),
            ("lamport tree=line", "tree has no meaning here: Lamport 1978 has no tree"),
            (
                "lamport fence=both",
                "fence has no meaning here: without a storage node nothing looks at fences",
            ),
        ];
        for (words, wanted) in cases {
            assert_eq!(lab(words).expect_err(words), wanted, "{words}");
        }
    }
}
