//! Whatever people send to a lesson, in whatever order they come and go: a refusal changes nothing that anybody sees, only
//! the teacher moves, numbers only grow, and a lesson that was kept is the same one when it comes back.
//!
//! The first line is the record it is about, or terms of an empty board. Each line after it begins with who it comes from
//! (`t` teaches, `s` and `w` come) and is a message; alone, the letter breaks that connection and opens it again. `-` and a
//! letter has that account gone, `?` is an answer of the engine, `!` ends the server and starts it again.
#![cfg_attr(fuzzing, no_main)]

use std::time::Duration;

use honinbo_rooms::{Body, Lesson, LessonMessage, Now, Opinion, Role, ServerMessage, Terms};
use serde_json::Value;

/// Messages of one input.
const MAX_LINES: usize = 200;

/// What goes over the wire, as a client reads it.
fn wire(message: &ServerMessage) -> Value {
    serde_json::from_str(&message.to_json()).expect("a message is JSON")
}

/// Takes the lesson's letters, whose numbers never fall.
fn told(lesson: &mut Lesson, seq: &mut u64) {
    for letter in lesson.take_letters() {
        let read = wire(&letter.message);
        assert_eq!(read["room"], "1");
        let number = read["seq"].as_u64().expect("a number");
        assert!(number >= *seq, "{number} after {seq}");
        *seq = number;
    }
}

fn connect(lesson: &mut Lesson) {
    for person in ["t", "s", "w"] {
        lesson.connected(person, person);
    }
}

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let teacher = ["t", "t"];
    let begun = match serde_json::from_str::<Terms>(first) {
        Ok(terms) => Lesson::on_board("1", "Shape", teacher, &terms),
        Err(_) => Lesson::on_record("1", "Shape", teacher, first),
    };
    let Ok(mut lesson) = begun else { return };
    let now = Now { at: Duration::from_secs(1), lag: Duration::ZERO };
    let mut seq = 0;
    connect(&mut lesson);
    told(&mut lesson, &mut seq);
    for line in lines.take(MAX_LINES) {
        let Some((first, rest)) = line.split_at_checked(1) else { continue };
        match first {
            "!" => {
                let kept = lesson.to_kept();
                assert!(Lesson::is_kept(&kept));
                if lesson.is_over() {
                    break;
                }
                let back = Lesson::from_kept(&kept).expect("the server wrote it");
                let (now, then) = (back.state(), lesson.state());
                assert_eq!((now.board, now.turn, now.move_number), (then.board, then.turn, then.move_number));
                assert_eq!((now.comment, now.marks, now.offers), (then.comment, then.marks, then.offers));
                assert_eq!((now.variation, now.moves_ahead), (then.variation, then.moves_ahead));
                lesson = back;
                connect(&mut lesson);
            }
            "-" => lesson.forget(rest),
            "?" => {
                let asked = lesson.wants_opinion().map(|(position, _)| position);
                let position = rest.trim().parse().ok().or(asked).unwrap_or(0);
                let opinion = Opinion { black_win_prob: 0.5, black_lead: 0.0, visits: 1, candidates: Vec::new() };
                lesson.opinion_found(position, opinion);
            }
            "t" | "s" | "w" if rest.is_empty() => {
                lesson.disconnected(first);
                lesson.connected(first, first);
                for message in lesson.catch_up(first, None) {
                    wire(&message);
                }
            }
            "t" | "s" | "w" => {
                let before = lesson.state();
                let role = lesson.role_of(first);
                let done = LessonMessage::parse(rest).and_then(|said| lesson.handle(first, &said, now));
                let after = lesson.state();
                match done {
                    Err(refusal) => {
                        assert_eq!(after, before, "{refusal}");
                        assert_eq!(wire(&lesson.message(Body::refused(&refusal, Some(1))))["kind"], refusal.kind());
                    }
                    Ok(()) if role != Some(Role::Teacher) => {
                        assert_eq!(
                            (after.board, after.comment, after.marks),
                            (before.board, before.comment, before.marks)
                        );
                    }
                    Ok(()) => {}
                }
            }
            _ => {}
        }
        told(&mut lesson, &mut seq);
    }
    let state = lesson.state();
    assert!(state.people.iter().filter(|person| person.role == Role::Teacher).count() == 1);
    assert!(lesson.record(1_700_000_000).node_count() > 0);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
