//! What a number names, what `/` finds, and that no key is offered for what cannot happen.

use super::at_80x24;
use crate::screen::Seen;
use lockstep::catalog;
use lockstep::model::{Config, Event, NodeId};

/// Everybody asks in a cluster of five: twenty messages are in flight.
fn twenty() -> Seen {
    let mut seen = Seen::free_play("ricart-agrawala", 5);
    seen.press("r Tab r Tab r Tab r Tab r");
    assert_eq!(in_flight(&seen).len(), 20);
    seen
}

fn in_flight(seen: &Seen) -> Vec<String> {
    let lab = seen.stepper().lab();
    let names = &lab.setup().names;
    lab.state().view().in_flight.iter().map(|flight| flight.id.show(names)).collect()
}

fn last_event(seen: &Seen) -> String {
    let lab = seen.stepper().lab();
    let record = lab.history().last_record();
    let event = record.map(|record| record.event.show(&lab.setup().names)).unwrap_or_default();
    // On FIFO channels an event names no number: it is the oldest.
    event.trim_start_matches("deliver ").to_owned() + "#1"
}

#[test]
fn each_message_is_delivered_by_typing_its_number_however_many_digits_it_has() {
    let messages = in_flight(&twenty());
    for (i, message) in messages.iter().enumerate() {
        let mut seen = twenty();
        let number = (i + 1).to_string();
        let keys: Vec<String> = number.chars().map(String::from).collect();
        seen.press(&keys.join(" "));
        let waits = messages.len() >= (i + 1) * 10;
        if waits {
            let text = at_80x24(&mut seen);
            assert!(text.contains(&format!("{number}: Enter delivers it")), "{text}");
            assert_eq!(seen.steps(), 5, "{number} waits");
            seen.press("Enter");
        }
        assert_eq!(last_event(&seen), *message, "{number}");
    }
    for (keys, said) in [("2 5", "only 20 messages are"), ("0", "0 does nothing here")] {
        let mut seen = twenty();
        seen.press(keys);
        assert_eq!(seen.steps(), 5);
        assert!(at_80x24(&mut seen).contains(said), "{keys}\n{}", at_80x24(&mut seen));
    }
    let mut seen = twenty();
    seen.press("1 Tab 3");
    assert_eq!(last_event(&seen), messages[2], "Tab begins a new number");
}

#[test]
fn with_fewer_than_ten_messages_a_digit_acts_at_once_and_the_screen_says_how_many_there_are() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r 1");
    assert_eq!(seen.steps(), 2);
    let mut seen = twenty();
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let text = seen.at(width, height).text();
        assert!(text.contains("1-20"), "{text}");
        let keys = text.lines().last().unwrap_or_default().to_owned();
        assert!(keys.contains("1-20 deliver"), "{keys}");
    }
}

#[test]
fn the_number_of_a_message_stands_at_its_channel_and_never_beside_the_number_of_a_token() {
    let mut config = Config::new("token-ring", 3);
    config.options = vec!["numbers".to_owned()];
    for config in [config, Config::new("lease", 2), Config::new("suzuki-kasami", 3)] {
        let mut seen = Seen::lab(config);
        for key in ["r", "D", "Tab", "r", "1", "1"] {
            seen.press(key);
            let names = seen.stepper().lab().setup().names.clone();
            for (width, height) in [(80, 24), (100, 30), (160, 45)] {
                let drawn = seen.at(width, height).text();
                let rows = drawn.lines().filter(|row| row.contains('→') && row.contains('#'));
                for row in rows.filter(|row| !row.contains("token #")) {
                    let numbers = row.matches('#').count();
                    let at_nodes =
                        names.iter().map(|name| row.matches(&format!("{name}#")).count());
                    let others = row.matches("TOKEN #").count() + row.matches("behind #").count();
                    assert_eq!(at_nodes.sum::<usize>() + others, numbers, "{row}\n{drawn}");
                }
            }
        }
    }
}

#[test]
fn a_slash_looks_for_words_on_every_screen_with_a_list_or_a_long_text() {
    // The screen, words that it has twice, and whether the line that is found is a chosen one.
    let cases = [
        ("", "token"),
        ("?", "happened"),
        ("@Predictions Enter", "token"),
        ("@costs Enter", "ricart-"),
        ("@Ricart Enter Enter r 1 Left 2 Left b", "deliver"),
        ("@Lease Enter Enter F2", "node"),
        ("@Lease Enter Enter e", "export"),
    ];
    for (keys, words) in cases {
        let mut seen = Seen::after(keys);
        let before = at_80x24(&mut seen);
        seen.press("/");
        seen.type_in(words);
        let text = at_80x24(&mut seen);
        assert!(text.contains(&format!("/{words}_")), "{keys}\n{text}");
        let found = |seen: &mut Seen| {
            let row = seen.at(80, 24).selected().to_lowercase().replace('–', "-");
            assert!(row.contains(words), "{keys}: {row}\n{}", at_80x24(seen));
            row
        };
        let first = found(&mut seen);
        seen.press("Enter");
        assert_eq!(found(&mut seen), first, "{keys}");
        assert!(at_80x24(&mut seen).contains("n the next place"), "{keys}");
        seen.press("n");
        let second = found(&mut seen);
        assert_ne!(second, first, "{keys}");
        seen.press("N");
        assert_eq!(found(&mut seen), first, "{keys}");
        seen.press("/");
        seen.type_in("xyzzy");
        assert!(at_80x24(&mut seen).contains("nowhere here"), "{keys}");
        // The mouse's key is a letter, and nothing is closed, opened or left by what is typed.
        seen.type_in("mq?1");
        assert!(at_80x24(&mut seen).contains("/xyzzymq?1_"), "{keys}");
        seen.press("Esc");
        let title = |text: &str| text.lines().next().map(str::to_owned);
        if !keys.ends_with('?') {
            assert_eq!(title(&at_80x24(&mut seen)), title(&before), "{keys}");
        }
    }
    let mut seen = Seen::after("?");
    seen.at(80, 24);
    seen.press("/ l o c k Enter Enter");
    assert!(seen.at(80, 24).selected().to_lowercase().contains("lock"), "Enter goes on, too");
    assert!(at_80x24(&mut seen).starts_with(" Help"));
    let mut seen = Seen::after("/ m a e k a w a Enter Enter");
    assert!(!seen.app().at_home(), "at Home Enter opens what was found");
}

/// What is offered by a key, with the event that it promises for a node.
fn promises(text: &str, names: &[String]) -> Vec<(String, Event)> {
    type Made = fn(NodeId) -> Event;
    let kinds = [
        (["r lets NAME ask", "Tab to NAME, then r"], Event::Request as Made),
        (["x lets NAME leave", "Tab to NAME, then x"], Event::Exit as Made),
    ];
    let mut all = Vec::new();
    for (forms, event) in kinds {
        for (i, name) in names.iter().enumerate() {
            for form in forms {
                let said = form.replace("NAME", name);
                if text.contains(&said) {
                    all.push((said, event(NodeId::at(i))));
                }
            }
        }
    }
    all
}

#[test]
fn no_key_is_offered_for_an_event_that_cannot_happen() {
    let keys =
        "r Tab c r Tab r 1 1 x Right c Right 1 1 1 c Tab x Right Right c Tab Right r Right x";
    for entry in catalog::all() {
        let mut seen = Seen::lab(Config::new(entry.info.slug, 3));
        for key in keys.split(' ').chain(std::iter::repeat_n("Right", 12)) {
            seen.press(key);
            let text = seen.at(160, 45).text();
            let session = seen.stepper().session();
            let names: Vec<String> =
                session.lab().setup().names.iter().map(str::to_owned).collect();
            for (said, event) in promises(&text, &names) {
                assert!(session.can(event), "{}, {key}: {said}\n{text}", entry.info.slug);
            }
            // The keys of the selected node stand in the footer where they do something.
            let footer = text.lines().last().unwrap_or_default().to_owned();
            let row = text.lines().find(|line| line.contains('▸')).unwrap_or_default();
            let node = names.iter().position(|name| row.contains(&format!("▸ {name} ")));
            let Some(node) = node.map(NodeId::at).filter(|_| footer.contains("? keys")) else {
                continue;
            };
            for (hint, event) in [("r ask", Event::Request(node)), ("x leave", Event::Exit(node))] {
                assert_eq!(
                    footer.contains(hint),
                    session.can(event),
                    "{}, {key}: {hint}\n{text}",
                    entry.info.slug
                );
            }
        }
    }
}
