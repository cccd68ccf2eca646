//! A run as one line of text: `lamport; nodes=P1,P2,P3; clocks=4,2,0; request P1; deliver P1>P2`.
//!
//! First the algorithm, then the settings that are not the usual ones, then the events; line ends
//! separate as `;` does, and a line that begins with `#` is a comment. It reads and writes text alone;
//! whether settings fit and events can happen is the catalog's and the engine's to say.

use super::Lab;
use super::pasted::{LineEnd, Pasted, Reading};
use crate::catalog;
use crate::input::clean;
use crate::model::settings::{self, Settings};
use crate::model::{Config, Event};
use crate::sim::RevId;
use std::fmt;

/// Why a text is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRun {
    message: String,
    /// Line and column, from 1; the line only where there are several.
    place: Option<(Option<usize>, usize)>,
    at: usize,
}

impl NoRun {
    /// The fault at a byte of a text without control characters.
    fn at(text: &str, at: usize, message: impl Into<String>) -> Self {
        let at = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line = text.trim_end().contains('\n').then(|| text[..at].matches('\n').count() + 1);
        let place = Some((line, text[start..at].chars().count() + 1));
        Self { message: message.into(), place, at }
    }

    /// Where the fault is, in bytes of the cleaned text; `None`: nothing stands there at all.
    #[must_use]
    pub fn place(&self) -> Option<usize> {
        self.place.map(|_| self.at)
    }
}

/// `line 2, column 7: no node ...`.
impl fmt::Display for NoRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            None => f.write_str(&self.message),
            Some((None, column)) => write!(f, "column {column}: {}", self.message),
            Some((Some(line), column)) => {
                write!(f, "line {line}, column {column}: {}", self.message)
            }
        }
    }
}

impl std::error::Error for NoRun {}

impl Lab {
    /// The run to where one stands, as one line that [`Lab::of_line`] reads back.
    #[must_use]
    pub fn line(&self) -> String {
        self.line_to(self.history.cursor())
    }

    /// The run to a point, as one line.
    #[must_use]
    pub fn line_to(&self, point: RevId) -> String {
        let mut pieces = vec![self.state().info().slug.to_owned()];
        pieces.extend(pairs(&self.config));
        let schedule = self.history.schedule(point).show(&self.setup().names);
        pieces.extend((!schedule.is_empty()).then_some(schedule));
        pieces.join("; ")
    }

    /// Adds a run of the same cluster as a branch, and stays where one stands.
    ///
    /// # Errors
    /// The text is no run, or one of another cluster.
    pub fn graft(&mut self, line: &str) -> Result<(), NoRun> {
        let other = Self::of_line(line)?;
        if other.line_to(RevId::ROOT) != self.line_to(RevId::ROOT) {
            let message = "it is a run of another cluster".to_owned();
            return Err(NoRun { message, place: None, at: 0 });
        }
        self.history.graft(&other.history.schedule(other.history.cursor()).0);
        Ok(())
    }

    /// Reads a run and plays it to its end. Quotation marks, signs of quotation and code around it, and
    /// lines that were wrapped or cut on the way, do no harm.
    ///
    /// # Errors
    /// The first piece that is no setting or no event, that does not fit, or that is refused.
    pub fn of_line(text: &str) -> Result<Self, NoRun> {
        let text = clean(text);
        let pasted = Pasted::of(&text);
        let mut furthest: Option<NoRun> = None;
        // What a line end means shows in what can be read so; one that separates is what we write.
        let ends = if pasted.is_one_line() { &LineEnd::ALL[..1] } else { &LineEnd::ALL };
        for end in ends {
            match read(&text, &pasted.reading(*end)) {
                Ok(lab) => return Ok(lab),
                Err(error) if furthest.as_ref().is_none_or(|known| error.at > known.at) => {
                    furthest = Some(error);
                }
                Err(_) => {}
            }
        }
        Err(furthest.expect("each reading that failed has left its error"))
    }
}

/// What a line is a run of, without playing it; `None`: its algorithm is unknown.
#[must_use]
pub fn title(line: &str) -> Option<String> {
    let (_, slug) = pieces(line).next()?;
    catalog::find(slug).ok().map(|entry| entry.info.title.to_owned())
}

/// The pieces between `;`, each with its place in the mended text.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let placed = text.split(';').map(move |piece| {
        let start = at + (piece.len() - piece.trim_start().len());
        at += piece.len() + 1;
        (start, piece.trim())
    });
    placed.filter(|(_, piece)| !piece.is_empty())
}

/// Reads one reading of a text.
fn read(text: &str, reading: &Reading) -> Result<Lab, NoRun> {
    let wrong = |at: usize, message: String| {
        let behind = reading.text.get(at..).unwrap_or_default();
        let blanks = behind.len() - behind.trim_start().len();
        NoRun::at(text, reading.place(at + blanks), message)
    };
    let mut pieces = pieces(&reading.text).peekable();
    let Some((at, slug)) = pieces.next() else {
        let message = "there is no run in it; it begins with an algorithm, like lamport".to_owned();
        return Err(NoRun { message, place: None, at: 0 });
    };
    let entry = catalog::named(slug).map_err(|e| wrong(at, e.message))?;
    let mut given = Settings::default();
    let mut given_at: Vec<(&str, usize)> = Vec::new();
    while let Some((at, (key, value))) =
        pieces.peek().and_then(|(at, piece)| Some((*at, piece.split_once('=')?)))
    {
        let setting = settings::find(key.trim()).map_err(|message| wrong(at, message))?;
        let fits = given.give(setting, value.trim());
        fits.map_err(|message| wrong(at, format!("{}: {message}", setting.key)))?;
        given_at.push((setting.key, at));
        pieces.next();
    }
    let config = catalog::config(&entry, &given);
    let mut lab = config.and_then(Lab::new).map_err(|e| {
        let at = given_at.iter().find(|(key, _)| *key == e.key).map_or(at, |(_, at)| *at);
        wrong(at, format!("{}: {}", e.key, e.message))
    })?;
    let names = lab.setup().names.clone();
    let mut events = Vec::new();
    for (at, piece) in pieces {
        let event =
            Event::parse(piece, &names).map_err(|error| wrong(at + error.at, error.message))?;
        events.push((at, event));
    }
    for (n, (at, event)) in events.into_iter().enumerate() {
        lab.play(event).map_err(|refused| {
            let event = event.show(&names);
            wrong(at, format!("event {}, `{event}`, is refused: {}", n + 1, refused.reason))
        })?;
    }
    Ok(lab)
}

/// The settings that are not the usual ones, and the nodes.
fn pairs(config: &Config) -> impl Iterator<Item = String> {
    let pair = |setting: &'static settings::Setting| {
        Some(format!("{}={}", setting.key, setting.text(config)?))
    };
    settings::of_clusters().filter_map(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelOrder, ClockRule};
    use crate::sim::SplitMix64;
    use proptest::prelude::*;

    fn read(text: &str) -> Lab {
        Lab::of_line(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_run_with_its_faults_reads_back_as_the_same_run(
            which in 0..catalog::all().len(), n in 1..5_usize, any_order: bool, tick: bool,
            seed: u64, steps in 0..60_usize,
        ) {
            let mut config = Config::new(catalog::all()[which].info.slug, n);
            config.channels = any_order.then_some(ChannelOrder::AnyOrder);
            config.clock = if tick { ClockRule::Tick } else { ClockRule::Merge };
            config.clocks = vec![3];
            let mut lab = Lab::new(config).expect("the settings fit");
            let mut rng = SplitMix64::new(seed);
            for _ in 0..steps {
                let events = lab.state().enabled();
                if events.is_empty() {
                    break;
                }
                lab.play(events[rng.below(events.len())]).expect("it is enabled");
            }
            let line = lab.line();
            prop_assert!(!line.contains('\n'));
            let again = Lab::of_line(&line).expect("a line reads back");
            prop_assert_eq!(again.config(), lab.config());
            prop_assert_eq!(again.line(), line.clone());
            prop_assert_eq!(again.state().view(), lab.state().view());
            let lines = Lab::of_line(&format!("# a run\n{}\n", line.replace("; ", "\n")));
            prop_assert_eq!(lines.expect("line ends separate too").line(), line);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(lamport|lease)?[;=,>a-zP1-3 #\n]{0,60}") {
            let _ = Lab::of_line(&text);
        }
    }

    #[test]
    fn every_setting_is_written_and_read_back() {
        let lines = [
            "maekawa; nodes=A,B,C; quorums=A B,B C,A C; request A",
            "raymond; nodes=P1,P2,P3; tree=P2>P1,P3>P2; request P3; deliver P3>P2",
            "central; nodes=P1,P2; clocks=1,2; clock=tick; coordinator=P1; request P2",
            "lease; nodes=P1,P2; storage=fenced; fence=both; start=request P1,deliver P1>L",
            "lamport; nodes=P1,P2; variant=no-acknowledge; channels=any-order",
            "clocks; nodes=256,",
            "suzuki-kasami; nodes=1,; request 1",
        ];
        for line in lines {
            let text = match Lab::of_line(line) {
                Ok(lab) => lab.line(),
                Err(error) => error.to_string(),
            };
            assert_eq!(text, line);
        }
    }

    #[test]
    fn a_line_that_was_wrapped_or_cut_on_its_way_is_the_same_run() {
        let line = "lamport; nodes=P1,P2,P3; clocks=0,0,12; request P1; deliver P1>P2; \
                    deliver P1>P3; request P3; deliver P3>P1#1; deliver P3>P1#2";
        let wanted = read(line).line();
        for (at, _) in line.char_indices() {
            for ends in ["\n", "\r\n", "\n> "] {
                let cut = format!("{}{ends}{}", &line[..at], &line[at..]);
                let text = if ends.contains('>') { format!("> {cut}") } else { cut };
                assert_eq!(read(&text).line(), wanted, "{text}");
            }
        }
        let wrapped = line.replace(' ', "\n");
        assert_eq!(read(&wrapped).line(), wanted, "{wrapped}");
        assert_eq!(read(&format!("```\n{wrapped}\n```\n")).line(), wanted);
        assert_eq!(read(&line.replace('>', "–>")).line(), wanted);
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        let cases = [
            ("", "there is no run in it; it begins with an algorithm, like lamport"),
            ("lamprt", "column 1: no algorithm is called `lamprt`; did you mean `lamport`?"),
            ("lamport; nodes=17", "column 10: nodes: a cluster has 1 to 16 nodes, not 17"),
            ("lamport; nodes=0", "column 10: nodes: a cluster has 1 to 16 nodes, not 0"),
            ("lamport; nodes=3.5", "column 10: nodes: a cluster has 1 to 16 nodes, not 3.5"),
            ("lamport; node=3", "column 10: no setting is called `node`; did you mean `nodes`?"),
            (
                "lamport; clock=up",
                "column 10: clock: `up` is not known here; expected `merge` or `tick`",
            ),
            (
                "lamport; clocks=x",
                "column 10: clocks: `x` is no clock value; write numbers like 4,2",
            ),
            ("lamport; coordinator=P9", "column 10: coordinator: "),
            (
                "lamport; request P1; delver P1>P2",
                "column 22: no event is called `delver`; did you mean `deliver`?",
            ),
            ("`lamport; deliver P1>P9`", "column 22: no node `P9`; this cluster has P1, P2, P3"),
            (
                "lamport\nrequest P1\nexit P1\n",
                "line 3, column 1: event 2, `exit P1`, is refused: P1 ",
            ),
            ("> lamport; request P1;\n> deliver P1>\n> P9", "line 3, column 3: no node `P9`"),
            ("lamport; exit P1", "column 10: event 1, `exit P1`, is refused: P1 has not asked"),
        ];
        for (text, wanted) in cases {
            let error = Lab::of_line(text).expect_err(text).to_string();
            assert!(error.starts_with(wanted), "{text}: {error}");
        }
        assert_eq!(read("Lamport; nodes=2").line(), "lamport; nodes=P1,P2");
    }
}
