//! A search that somebody steers: its bounds, how far it is, what it has found.
//!
//! What a search needs is the catalog's business and what it finds the checker's; screen and lines show
//! both and change the bounds here.

use super::Lab;
use crate::catalog::{self, ConfigError, Elsewhere};
use crate::check::{
    Asked, FAULTS, FAULTS_COUNT, Faults, Progress, Report, Requests, Search, SearchOptions,
    first_events,
};
use crate::model::{Config, Event, Schedule, Setup};
use crate::sim;

/// The most memory that a search takes which somebody waits for, in bytes.
const MEMORY: usize = 2 << 30;

/// A bound that somebody may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// How often each node asks.
    Requests,
    /// How often a fault happens, by its place in the list of faults.
    Fault(usize),
    /// How often a client writes, and reads, during one visit.
    Writes,
    /// The question in place of whether the algorithm is right.
    Goal,
    /// Whether the catalog's events are played before the search begins.
    First,
    /// The most states that are kept.
    States,
}

impl Bound {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Fault(place) => FAULTS[place],
            Self::Writes => "writes",
            Self::Goal => "goal",
            Self::First => "first",
            Self::States => "states",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Requests => "how often each node asks: 2, or one number for each: 2,1,1",
            Self::Fault(place) => FAULTS_COUNT[place],
            Self::Writes => "writes, and reads, during each visit to the critical section",
            Self::Goal => "can this be reached? empty: is the algorithm right?",
            Self::First => "whether the variant's own events are played first",
            Self::States => "the search stops when it has found so many",
        }
    }
}

/// A search that somebody steers.
pub struct Checking {
    config: Config,
    setup: Setup,
    title: String,
    played: Schedule,
    /// What the catalog says that this cluster needs.
    needs: SearchOptions,
    options: SearchOptions,
    /// `None`: a bound has been changed since.
    search: Option<Box<dyn Search>>,
    progress: Progress,
}

impl std::fmt::Debug for Checking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checking").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Checking {
    /// A search over every schedule from where a lab stands, within the bounds that its cluster needs.
    /// `requests`: how often each node asks, where a lesson says so.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn of(lab: &Lab, requests: &[u32]) -> Result<Self, ConfigError> {
        let history = lab.history();
        let played = history.schedule(history.cursor());
        let mut needs = catalog::search_for(lab.config(), &played)?;
        if !requests.is_empty() {
            needs.requests = requests.to_vec();
        }
        Self::within(lab.config().clone(), lab.title(), played, needs)
    }

    fn within(
        config: Config,
        title: String,
        played: Schedule,
        needs: SearchOptions,
    ) -> Result<Self, ConfigError> {
        let setup = catalog::setup(&config)?;
        let needs = SearchOptions { max_bytes: Some(MEMORY), ..needs };
        let (options, progress) = (needs.clone(), Progress::default());
        let mut all = Self { config, setup, title, played, needs, options, search: None, progress };
        all.start()?;
        Ok(all)
    }

    /// Begins the search within the bounds as they are now.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn start(&mut self) -> Result<(), ConfigError> {
        self.search = Some(catalog::search(&self.config, &self.options)?);
        self.progress = Progress::default();
        Ok(())
    }

    /// What is searched: the algorithm, and the variant.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// From where it is searched and what its bounds count: `from step 3 on`.
    #[must_use]
    pub fn place(&self) -> String {
        match (self.played.0.len(), self.options.from.0.len()) {
            (0, 0) => "from the beginning".to_owned(),
            (step, first) if step == first => format!("from step {step} on"),
            (_, first) => format!("after {}", first_events(first)),
        }
    }

    /// The cluster that is searched.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The cluster that is searched, checked.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The bounds as they are now, in words.
    #[must_use]
    pub fn bounds(&self) -> String {
        let n = self.setup.clients;
        let requests: Vec<u32> = (0..n).map(|i| self.options.requests_of(i)).collect();
        crate::check::bounds(n, &requests, self.setup.channels.word(), &self.options)
    }

    /// The bounds that may be changed in this cluster, in the order in which they are listed.
    pub fn changeable(&self) -> impl Iterator<Item = Bound> + use<> {
        let writes = self.setup.storage.map(|_| Bound::Writes);
        let first = (self.needs.from != self.played).then_some(Bound::First);
        let faults = (0..FAULTS.len()).map(Bound::Fault);
        let before = std::iter::once(Bound::Requests).chain(faults);
        before.chain(writes).chain(first).chain([Bound::Goal])
    }

    /// A bound as it is written.
    #[must_use]
    pub fn value(&self, bound: Bound) -> String {
        let o = &self.options;
        match bound {
            Bound::Requests => {
                let all: Vec<u32> = (0..self.setup.clients).map(|i| o.requests_of(i)).collect();
                match all.iter().all(|r| *r == all[0]) {
                    true => all[0].to_string(),
                    false => all.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
                }
            }
            Bound::Fault(place) => o.faults.listed()[place].1.to_string(),
            Bound::Writes => o.writes.to_string(),
            Bound::Goal => o.goal.as_ref().map_or(String::new(), |asked| asked.text.clone()),
            Bound::First => if o.from == self.played { "no" } else { "yes" }.to_owned(),
            Bound::States => o.max_states.map_or(String::new(), |most| most.to_string()),
        }
    }

    /// Sets a bound to what is written. The search that was under way ends.
    ///
    /// # Errors
    /// Why the text is no such bound; nothing has changed then.
    pub fn set(&mut self, bound: Bound, text: &str) -> Result<(), String> {
        let text = text.trim();
        let number = || {
            let no = |_| format!("`{text}` is no number from 0 to 255");
            text.parse::<u8>().map_err(no)
        };
        let mut options = self.options.clone();
        match bound {
            Bound::Requests => {
                options.requests = Requests::parse(text)?.for_each(self.setup.clients)?;
            }
            Bound::Fault(place) => {
                let mut faults = options.faults;
                *faults.slots()[place] = number()?;
                options = self.with_faults(faults);
            }
            Bound::Writes => options.writes = number()?,
            Bound::Goal => options.goal = self.asked(text)?,
            Bound::First => match text {
                "yes" => options.from = self.needs.from.clone(),
                "no" => options.from = self.played.clone(),
                _ => return Err(format!("`{text}`: write yes or no")),
            },
            Bound::States => {
                let no = |_| format!("`{text}` is no number of states; write 1000000");
                options.max_states = Some(text.parse().map_err(no)?);
            }
        }
        self.change(options);
        Ok(())
    }

    /// One more or one less of a bound that is a number, or the other of two.
    pub fn turn(&mut self, bound: Bound, up: bool) {
        let by = |n: u32| if up { n.saturating_add(1) } else { n.saturating_sub(1) };
        let small = |n: u8| u8::try_from(by(n.into())).unwrap_or(n);
        let mut options = self.options.clone();
        match bound {
            Bound::Requests => {
                options.requests =
                    (0..self.setup.clients).map(|i| by(options.requests_of(i))).collect();
            }
            Bound::Fault(place) => {
                let mut faults = options.faults;
                let number = &mut *faults.slots()[place];
                *number = small(*number);
                options = self.with_faults(faults);
            }
            Bound::Writes => options.writes = small(options.writes),
            Bound::First if options.from == self.played => options.from = self.needs.from.clone(),
            Bound::First => options.from = self.played.clone(),
            Bound::Goal | Bound::States => return,
        }
        self.change(options);
    }

    /// Ends the search: something else is to be searched that is not known yet.
    pub fn stop(&mut self) {
        self.search = None;
    }

    fn change(&mut self, options: SearchOptions) {
        if options != self.options {
            self.options = options;
            self.search = None;
        }
    }

    fn with_faults(&self, faults: Faults) -> SearchOptions {
        let mutex_only = self.needs.clone().with_faults(faults).mutex_only;
        SearchOptions { faults, mutex_only, ..self.options.clone() }
    }

    /// The question that a text is; the catalog's own stays what it is.
    fn asked(&self, text: &str) -> Result<Option<Asked>, String> {
        if let Some(known) = self.needs.goal.as_ref().filter(|asked| asked.text == text) {
            return Ok(Some(known.clone()));
        }
        if text.is_empty() {
            return Ok(None);
        }
        let start = catalog::start(&self.config).map_err(|error| error.to_string())?;
        let goal = sim::goal(text, start.as_ref()).map_err(|error| error.to_string())?;
        Ok(Some(Asked::by_hand(text, goal)))
    }

    /// Whether there is work to do.
    #[must_use]
    pub fn works(&self) -> bool {
        self.search.is_some() && !self.progress.finished
    }

    /// Whether the bounds have been changed since the search.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.search.is_none()
    }

    /// Goes on for about so many states.
    pub fn advance(&mut self, states: usize) {
        if let Some(search) = self.search.as_mut().filter(|_| !self.progress.finished) {
            self.progress = search.advance(states);
        }
    }

    /// How far the search has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What was found within the bounds as they are now.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.search.as_ref().and_then(|search| search.report())
    }

    /// Where the variant fails, if this search has not come to it.
    #[must_use]
    pub fn elsewhere(&self) -> Option<Elsewhere> {
        catalog::fails_elsewhere(&self.config, &self.options, self.report()?)
    }

    /// Searches where the variant is known to fail, in place of here.
    ///
    /// # Errors
    /// Never for a variant of the catalog.
    pub fn go_elsewhere(&mut self) -> Result<(), ConfigError> {
        if let Some(there) = self.elsewhere() {
            let title = self.title.clone();
            *self = Self::within(there.config, title, Schedule::default(), there.options)?;
        }
        Ok(())
    }

    /// The verdict in a sentence without a capital and a full stop.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        let report = self.report()?;
        Some(report.sentence(&self.setup.names, self.elsewhere().is_some()))
    }

    /// A shortest schedule that shows what was found, from the beginning of a run of `config`.
    #[must_use]
    pub fn found(&self) -> Option<&[Event]> {
        self.report()?.counterexample.as_ref().map(|schedule| schedule.0.as_slice())
    }

    /// The schedule that was found, as text, and what can be played after it again and again.
    #[must_use]
    pub fn found_in_words(&self) -> Option<(String, Option<String>)> {
        let (report, names) = (self.report()?, &self.setup.names);
        let found = report.counterexample.as_ref()?.show(names);
        Some((found, report.repeats.as_ref().map(|again| again.show(names))))
    }

    /// A lab of this cluster, at its beginning.
    ///
    /// # Errors
    /// Never for a cluster that was searched.
    pub fn lab(&self) -> Result<Lab, ConfigError> {
        Lab::new(self.config.clone())
    }
}
