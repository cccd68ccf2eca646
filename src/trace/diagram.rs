//! The space-time diagram in abstract coordinates: lanes are nodes, columns are steps.
//!
//! Only the window that is asked for is looked at, so that a picture costs the same however long the
//! run is. How a lane or a line is drawn is the business of screens and exports.

use crate::algorithm::{Info, Label, Line};
use crate::model::{Event, MsgId, NodeId, Phase};
use crate::sim::{ClusterView, Fate, History, Moved, RevId, StepRecord};

/// Which steps to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// At most this many columns, undone steps included.
    pub columns: usize,
    /// How many of them may show steps that were undone.
    pub undone: usize,
    /// How many steps the window's right end lies before the current step.
    pub scrolled_back: usize,
}

/// What a column's dot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The node acted by itself.
    Own,
    /// A message arrived.
    Receipt,
    /// A message arrived at a node that had crashed.
    Lost,
    /// The node stopped.
    Crash,
    /// The node came back.
    Recover,
    /// Something happened in the network, at no node.
    Network,
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The step's number, from 1.
    pub step: u32,
    /// Its point in the tree of runs.
    pub rev: RevId,
    /// The lane on which it happened.
    pub lane: Option<NodeId>,
    /// What its dot is.
    pub mark: Mark,
    /// Who entered.
    pub entered: Option<NodeId>,
    /// Who left.
    pub left: Option<NodeId>,
    /// The clock of the lane's node after the step, where clocks mean something.
    pub clock: Option<u32>,
    /// The algorithm's word for what happened, where no line shows it.
    pub silent: Vec<&'static str>,
    /// Whether the step was undone: it lies after the current one.
    pub undone: bool,
}

/// Where a message's line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowEnd {
    /// It was received in this step.
    Received(u32),
    /// It was lost in this step.
    Lost(u32),
    /// It is on its way at the window's right end.
    OnItsWay,
}

/// A message's line.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrow {
    /// The message.
    pub id: MsgId,
    /// How it reads.
    pub label: Label,
    /// How it is drawn.
    pub line: Line,
    /// The step at which it was sent; 0: before the run began.
    pub sent_at: u32,
    /// Where it ends.
    pub end: ArrowEnd,
    /// Whether it ends in a step that was undone.
    pub undone: bool,
}

/// A stretch of a lane, from one step to another; `None`: beyond the window's edge on that side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The lane.
    pub lane: NodeId,
    /// The step that began it.
    pub from: Option<u32>,
    /// The step that ended it.
    pub to: Option<u32>,
}

/// The picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagram {
    /// The lanes, in the cluster's order.
    pub lanes: Vec<NodeId>,
    /// The steps shown, in order.
    pub columns: Vec<Column>,
    /// How many of the columns lie at or before the current step; "now" is after them.
    pub now: usize,
    /// Whether the window ends before the current step.
    pub scrolled: bool,
    /// The messages.
    pub arrows: Vec<Arrow>,
    /// Stays in the critical section.
    pub inside: Vec<Span>,
    /// Times of being crashed.
    pub crashed: Vec<Span>,
}

impl Diagram {
    /// The picture of the run around the point where one stands.
    #[must_use]
    pub fn of(history: &History, window: Window) -> Self {
        Self::at(history, history.cursor(), window)
    }

    /// The picture of the run around another point, as if one stood there.
    #[must_use]
    pub fn at(history: &History, here: RevId, window: Window) -> Self {
        let (past, undone) = steps_in_window(history, here, window);
        let start = || window_start(history, here, window);
        let last = past.last().copied().unwrap_or_else(start);
        let first_parent = match past.first().or(undone.first()) {
            Some(first) => history.parent(*first).unwrap_or(RevId::ROOT),
            None => last,
        };
        let now = past.len();
        let mut columns = Vec::with_capacity(now + undone.len());
        for (i, rev) in past.iter().chain(&undone).enumerate() {
            let record = history.record(*rev).expect("every point but the beginning has a record");
            columns.push(column(history, *rev, record, i >= now));
        }
        let end_view = history.state_at(last).view();
        let mut arrows = arrows_of(history, &past, false);
        arrows.extend(arrows_of(history, &undone, true));
        for flight in &end_view.in_flight {
            // A message that an undone step receives already has its line.
            if !arrows.iter().any(|a| a.undone && a.id == flight.id) {
                arrows.push(Arrow {
                    id: flight.id,
                    label: flight.label.clone(),
                    line: flight.line,
                    sent_at: flight.sent_at,
                    end: ArrowEnd::OnItsWay,
                    undone: false,
                });
            }
        }
        let start_view = history.state_at(first_parent).view();
        let records: Vec<&StepRecord> = past.iter().filter_map(|r| history.record(*r)).collect();
        Self {
            lanes: start_view.nodes.iter().map(|n| n.id).collect(),
            columns,
            now,
            scrolled: last != here,
            arrows,
            inside: inside_spans(&start_view, &records),
            crashed: crashed_spans(&start_view, &records),
        }
    }

    /// The place of a step's column; `None` outside the window.
    #[must_use]
    pub fn place(&self, step: u32) -> Option<usize> {
        let first = self.columns.first()?.step;
        let place = step.checked_sub(first)? as usize;
        (place < self.columns.len()).then_some(place)
    }
}

fn window_start(history: &History, here: RevId, window: Window) -> RevId {
    history.ancestors(here).nth(window.scrolled_back).unwrap_or(RevId::ROOT)
}

/// The points shown: those up to the window's end, and those after the current one.
fn steps_in_window(history: &History, here: RevId, window: Window) -> (Vec<RevId>, Vec<RevId>) {
    let mut undone: Vec<RevId> = Vec::new();
    if window.scrolled_back == 0 {
        let room = window.undone.min(window.columns.saturating_sub(1));
        undone.extend(history.redo_path(here).take(room));
    }
    let room = window.columns - undone.len().min(window.columns);
    let from = window_start(history, here, window);
    let mut past: Vec<RevId> =
        history.ancestors(from).filter(|r| *r != RevId::ROOT).take(room).collect();
    past.reverse();
    (past, undone)
}

fn column(history: &History, rev: RevId, record: &StepRecord, undone: bool) -> Column {
    let clock = record.node.and_then(|n| {
        let state = history.state_at(rev);
        let stamped = state.info().stamped;
        let counts = record.moved.as_ref().is_none_or(|m| m.message.label.stamp.is_some());
        let told = matches!(record.event, Event::Tell(..) | Event::Local(_));
        ((stamped || told) && counts).then(|| state.clock(n))
    });
    Column {
        step: record.n,
        rev,
        lane: record.node,
        mark: mark(record),
        entered: record.entered,
        left: record.left,
        clock,
        silent: silent_words(record, history.state_at(rev).info()),
        undone,
    }
}

/// What a request that was answered with silence came to: `defer`, `queue`, `discard`, …
#[must_use]
pub fn silent_words(record: &StepRecord, info: &Info) -> Vec<&'static str> {
    let asked = record.delivered().is_some_and(|m| m.message.line == Line::Request);
    if !asked || !record.sent.is_empty() {
        return Vec::new();
    }
    let own = info.outcomes();
    record.outcomes.iter().copied().filter(|word| own.contains(word)).collect()
}

fn mark(record: &StepRecord) -> Mark {
    match record.event {
        Event::Request(_) | Event::Exit(_) | Event::Timeout(_) | Event::Local(_) => Mark::Own,
        Event::Read(_) | Event::Write(_) | Event::Tell(..) => Mark::Own,
        Event::Crash(_) => Mark::Crash,
        Event::Recover(_) => Mark::Recover,
        Event::Drop(_) | Event::Duplicate(_) => Mark::Network,
        Event::Deliver(_) => match record.moved.as_ref().map(|m| m.fate) {
            Some(Fate::LostAtCrashed) => Mark::Lost,
            _ => Mark::Receipt,
        },
    }
}

fn arrows_of(history: &History, revs: &[RevId], undone: bool) -> Vec<Arrow> {
    let moved = revs.iter().filter_map(|r| history.record(*r)).filter_map(|r| {
        let m = r.moved.as_ref()?;
        arrow_end(m, r.n).map(|end| (m, end))
    });
    moved
        .map(|(m, end)| Arrow {
            id: m.message.id,
            label: m.message.label.clone(),
            line: m.message.line,
            sent_at: m.sent_at,
            end,
            undone,
        })
        .collect()
}

fn arrow_end(moved: &Moved, step: u32) -> Option<ArrowEnd> {
    match moved.fate {
        Fate::Delivered => Some(ArrowEnd::Received(step)),
        Fate::LostAtCrashed | Fate::Dropped => Some(ArrowEnd::Lost(step)),
        Fate::Copied(_) => None,
    }
}

fn inside_spans(start: &ClusterView, records: &[&StepRecord]) -> Vec<Span> {
    let was = start.nodes.iter().filter(|n| n.phase == Phase::InCs).map(|n| n.id);
    spans(was, records.iter().map(|r| (r.n, r.entered, r.left)))
}

fn crashed_spans(start: &ClusterView, records: &[&StepRecord]) -> Vec<Span> {
    let was = start.nodes.iter().filter(|n| n.crashed).map(|n| n.id);
    let turns = records.iter().map(|r| match r.event {
        Event::Crash(n) => (r.n, Some(n), None),
        Event::Recover(n) => (r.n, None, Some(n)),
        _ => (r.n, None, None),
    });
    spans(was, turns)
}

fn spans(
    already: impl Iterator<Item = NodeId>,
    turns: impl Iterator<Item = (u32, Option<NodeId>, Option<NodeId>)>,
) -> Vec<Span> {
    let mut open: Vec<Span> = already.map(|lane| Span { lane, from: None, to: None }).collect();
    let mut closed = Vec::new();
    for (step, begins, ends) in turns {
        if let Some(lane) = ends
            && let Some(i) = open.iter().position(|s| s.lane == lane)
        {
            closed.push(Span { to: Some(step), ..open.remove(i) });
        }
        if let Some(lane) = begins {
            open.push(Span { lane, from: Some(step), to: None });
        }
    }
    closed.extend(open);
    closed
}

#[cfg(test)]
mod tests;
