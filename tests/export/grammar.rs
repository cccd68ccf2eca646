//! What may stand in the formats that have a language of their own: strict readers of what we write.

use serde_json::Value;
use std::collections::BTreeMap;

/// Rows of a sequence diagram, as Mermaid's grammar has them.
pub fn is_mermaid(line: &str, nodes: usize) -> bool {
    let place = |text: &str| {
        let number = text.strip_prefix('n').and_then(|n| n.parse::<usize>().ok());
        number.is_some_and(|n| (1..=nodes).contains(&n))
    };
    if let Some(rest) = line.strip_prefix("participant ") {
        return rest.split_once(" as ").is_some_and(|(id, name)| place(id) && is_safe(name));
    }
    let Some((head, text)) = line.split_once(": ") else { return false };
    let places = match head.strip_prefix("Note over ") {
        Some(over) => over.split(',').collect::<Vec<_>>(),
        None => {
            let arrow = ["--)", "--x", "-)", "-x"].into_iter().find(|a| head.contains(a));
            let Some(arrow) = arrow else { return false };
            head.split(arrow).collect()
        }
    };
    places.iter().all(|p| place(p)) && is_safe(text)
}

/// Whatever stands behind a colon ends at a bare ; or begins an entity with #.
fn is_safe(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['#', ';']) {
        let entity = rest[at..].strip_prefix('#').and_then(|r| r.split_once(';'));
        let Some((code, after)) = entity else { return false };
        if code.is_empty() || !code.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        rest = after;
    }
    true
}

/// Braces pair, and no special character of TeX stands bare outside our own commands.
pub fn is_tex(text: &str) -> bool {
    let (mut open, mut escaped) = (0_i32, false);
    // The one definition of ours has parameters.
    let own = |line: &&str| {
        !line.starts_with('%') && !line.starts_with("\\def") && !line.starts_with("  \\else")
    };
    for line in text.lines().filter(own) {
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => open += 1,
                '}' => open -= 1,
                '#' | '$' | '&' | '_' | '^' | '~' | '%' => return false,
                _ => {}
            }
            if open < 0 {
                return false;
            }
        }
        escaped = false;
    }
    let pairs = |what: &str| {
        let count = |word: &str| text.matches(&format!("\\{word}{{{what}}}")).count();
        count("begin") == count("end")
    };
    open == 0 && pairs("tikzpicture") && pairs("document")
}

/// One event of a log with vector clocks.
#[derive(Clone, Debug)]
pub struct Logged {
    pub host: String,
    pub clock: BTreeMap<String, u64>,
    pub event: String,
}

/// A log read by the documented pattern `(?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)`, as the viewer
/// applies it: again and again from where the last match ended. Nothing may be left between.
pub fn log(text: &str) -> Vec<Logged> {
    let mut rest = text;
    let mut events = Vec::new();
    while !rest.is_empty() {
        let (first, after) = rest.split_once('\n').expect("a clock's line has an end");
        let (host, clock) = first.split_once(' ').expect("a host, a space, a clock");
        assert!(!host.is_empty() && !host.contains(char::is_whitespace), "{host:?}");
        assert!(clock.starts_with('{') && clock.ends_with('}'), "{clock:?}");
        let (event, after) = after.split_once('\n').expect("an event's line has an end");
        let clock: BTreeMap<String, Value> = serde_json::from_str(clock).expect("JSON");
        let count = |value: &Value| value.as_u64().filter(|n| *n > 0).expect("a count from 1");
        let clock = clock.iter().map(|(host, value)| (host.clone(), count(value))).collect();
        events.push(Logged { host: host.to_owned(), clock, event: event.to_owned() });
        rest = after;
    }
    events
}

/// What the viewer demands of the clocks: a host counts its own events one by one; it never forgets
/// what it knew; and what it learns in an event is all that one event of another host knew, that event
/// counted: the sending that the receipt is joined to.
pub fn check_clocks(events: &[Logged]) {
    let mut last: BTreeMap<&str, &Logged> = BTreeMap::new();
    for (i, event) in events.iter().enumerate() {
        let before = last.get(event.host.as_str()).map(|e| &e.clock);
        let known = |host: &str| before.and_then(|c| c.get(host)).copied().unwrap_or(0);
        assert_eq!(event.clock.get(&event.host), Some(&(known(&event.host) + 1)), "{event:?}");
        for host in before.into_iter().flat_map(BTreeMap::keys) {
            let now = event.clock.get(host).copied().unwrap_or(0);
            assert!(now >= known(host), "{event:?} forgets {host}");
        }
        let news = |host: &&String| **host != event.host && event.clock[*host] > known(host);
        if event.clock.keys().any(|host| news(&host)) {
            let merged = |sender: &Logged| {
                let of = |host: &String| sender.clock.get(host).copied().unwrap_or(0);
                let others = event.clock.keys().filter(|host| **host != event.host);
                sender.host != event.host
                    && sender.clock.keys().all(|host| event.clock.contains_key(host))
                    && others.into_iter().all(|host| event.clock[host] == known(host).max(of(host)))
            };
            assert!(events[..i].iter().any(merged), "{event:?} merges no event before it");
        }
        last.insert(&event.host, event);
    }
}
