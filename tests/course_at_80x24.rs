//! Every lesson as a student sees it in the smallest usual window: 80 by 24, in ASCII, without colour.

use crate::screen::{Seen, plain_look};
use lockstep::lesson::Library;
use lockstep::lesson::question::Way;
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::panel::Look;
use lockstep::ui::panel::prose::one_line;

fn opened(place: usize) -> Seen {
    let mut seen = Seen::in_lesson(place);
    seen.look(Look { glyphs: Glyphs::ASCII, ..plain_look() });
    seen
}

/// The rows of the lesson's panel, the title first.
fn panel(drawn: &str) -> Vec<String> {
    let lines: Vec<&str> = drawn.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("- Page "));
    let first = first.unwrap_or_else(|| panic!("no lesson is seen:\n{drawn}"));
    let rows = &lines[first..lines.len() - 3];
    rows.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// The whole panel: the lesson alone, in a window as high as it takes.
fn whole(seen: &mut Seen) -> Vec<String> {
    let alone = |seen: &mut Seen| seen.at(80, 24).row(1).starts_with("- Page ");
    for _ in 0..5 {
        seen.press("z");
        if alone(seen) {
            break;
        }
    }
    let drawn = seen.at(80, 300).text();
    seen.press("Esc");
    panel(&drawn)
}

/// A text as words with one space between.
fn words<S: AsRef<str>>(lines: &[S]) -> String {
    let words = lines.iter().flat_map(|l| l.as_ref().split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the words stand in this order, whatever else stands between them.
fn in_order(text: &str, of: &str) -> Result<(), String> {
    let mut there = text.split_whitespace();
    match of.split_whitespace().find(|word| !there.any(|w| w == *word)) {
        Some(missing) => Err(format!("`{missing}` is missing or cut")),
        None => Ok(()),
    }
}

/// What is wrong with the panel as it stands.
fn fault(seen: &mut Seen) -> Option<String> {
    let drawn = seen.at(80, 24).text();
    let shown = panel(&drawn);
    let whole = whole(seen);
    let ascii = |text: &str| Glyphs::ASCII.text(&one_line(text)).into_owned();
    let learner = seen.stepper().learner().expect("a lesson is open");
    let said = words(&whole[1..]);
    let mut texts = vec![ascii(learner.say().unwrap_or(""))];
    if let Some(q) = learner.question() {
        texts.push(ascii(&q.prompt));
        if q.state.closed() {
            texts.extend(q.explanation.as_deref().map(ascii));
        } else {
            texts.extend(q.hints.iter().map(|h| ascii(h)));
        }
        texts.extend(q.said.iter().map(|line| ascii(line)));
    }
    for text in texts {
        if let Err(missing) = in_order(&said, &text) {
            return Some(format!("{missing}: {text}\nin\n{}", whole.join("\n")));
        }
    }
    let mark = Glyphs::ASCII.ellipsis;
    // A text is cut at the end of a sentence, and marked.
    let ends = |l: &str| {
        l.strip_suffix(mark)
            .is_some_and(|l| l.trim_end().trim_end_matches(')').ends_with(['.', '?', '!']))
    };
    let part = |l: &str| whole.iter().any(|w| w.starts_with(l.trim_end_matches(mark).trim_end()));
    let cut = shown[1..].iter().find(|l| !(whole.contains(l) || ends(l) && part(l)));
    if let Some(cut) = cut {
        return Some(format!("a line is cut: {cut}\n{drawn}"));
    }
    let gone = whole[1..].iter().find(|l| !l.is_empty() && !shown.contains(l));
    let told = [" more line", ": more above"].iter().any(|words| shown[0].contains(words));
    gone.filter(|_| !told).map(|gone| format!("not shown, and not said so: {gone}\n{drawn}"))
}

pub fn waiting(seen: &Seen) -> bool {
    let question = seen.stepper().learner().and_then(|l| l.question());
    question.is_some_and(|q| !q.state.closed())
}

/// Answers the waiting question with its nth wrong option. Says whether it has one.
pub fn answer_wrongly(seen: &mut Seen, nth: usize) -> bool {
    let learner = seen.stepper().learner().expect("a lesson is open");
    let question = learner.question().expect("a question waits");
    let asked = learner.step().question.as_ref().expect("the page has a question");
    let at = seen.stepper().lab().history().state_at(learner.moment().rev);
    let right = asked.reference(at).0;
    let mut wrong = (0..question.picks.len()).filter(|i| question.picks[*i].id != right);
    let Some(place) = wrong.nth(nth).filter(|_| question.way == Way::PickOne) else { return false };
    seen.press(&format!("Enter {}", place + 1));
    if waiting(seen) {
        seen.press("Enter");
    }
    true
}

#[test]
fn no_text_of_any_lesson_is_cut_or_goes_missing_without_a_word() {
    let mut faults = Vec::new();
    for place in 0..Seen::lessons() {
        for nth in 0..4 {
            let mut seen = opened(place);
            let mut tried = Vec::new();
            let mut any = false;
            for moment in 0..500 {
                let found = fault(&mut seen);
                faults.extend(found.map(|f| format!("lesson {}, {moment}: {f}", place + 1)));
                let id = seen.stepper().learner().and_then(|l| l.question()).map(|q| q.id);
                if waiting(&seen) && !tried.contains(&id) {
                    tried.push(id);
                    any |= answer_wrongly(&mut seen, nth);
                } else if !seen.go_on() {
                    break;
                }
            }
            assert!(seen.stepper().learner().is_some_and(|l| l.finished()), "{}", place + 1);
            if !any {
                break;
            }
        }
    }
    let count = faults.len();
    assert!(count == 0, "{count} faults, the first ones:\n{}", faults[..count.min(8)].join("\n"));
}

#[test]
fn every_lesson_is_done_by_keys_in_ascii_without_colour() {
    for place in 0..Seen::lessons() {
        let mut seen = opened(place);
        while seen.go_on() {
            let drawn = seen.at(80, 24);
            let text = drawn.text();
            assert!(text.is_ascii(), "lesson {}:\n{text}", place + 1);
            let plain = |c: ratatui::style::Color| c == ratatui::style::Color::Reset;
            assert!(drawn.cells().all(|c| plain(c.fg) && plain(c.bg)), "lesson {}", place + 1);
        }
        let (got, of) = seen.stepper().learner().map(|l| l.score()).expect("a lesson is open");
        assert_eq!(got, of, "lesson {}", place + 1);
        let told = words(&panel(&seen.at(80, 24).text()));
        assert!(told.contains("The lesson is finished."), "lesson {}: {told}", place + 1);
        seen.press("q");
        // High enough for the row of every lesson, whichever one is chosen.
        let home = seen.at(80, 60).text();
        let number = Library::embedded().shelved()[place].order.unwrap_or(0);
        let begins = [format!("{number} "), format!("Course     {number} ")].into_iter();
        let own =
            |l: &&str| begins.clone().any(|b| l.trim_start_matches([' ', '>']).starts_with(&b));
        let row = home.lines().find(own).unwrap_or_default();
        assert!(row.trim_end().ends_with("done"), "lesson {}: {row}\n{home}", place + 1);
    }
}
