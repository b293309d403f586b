//! Whatever people send to a room, in whatever order they come and go: a refusal changes nothing, a message plays one move
//! at most, numbers only grow, and a room that was kept is the same game when it comes back.
//!
//! The first line is the room's terms. Each line after it begins with who it comes from (`a` and `b` have the seats, `w`
//! watches) and is a message; alone, the letter breaks that connection and opens it again. `+` lets the seconds that
//! follow pass, `!` ends the server and starts it again.
#![cfg_attr(fuzzing, no_main)]

use std::time::Duration;

use honinbo_rooms::{Body, ClientMessage, Now, Room, Seat, ServerMessage, Terms};
use serde_json::Value;

/// Messages of one input.
const MAX_LINES: usize = 200;

fn now(at: Duration) -> Now {
    Now { at, lag: Duration::from_millis(50) }
}

/// What goes over the wire, as a client reads it.
fn wire(message: &ServerMessage) -> Value {
    serde_json::from_str(&message.to_json()).expect("a message is JSON")
}

/// Takes the room's messages, whose numbers only grow; one that tells of no event has the number of the last one.
fn told(room: &mut Room, seq: &mut u64) {
    for message in room.take_messages() {
        let read = wire(&message);
        let eventless = read["events"].as_array().is_some_and(Vec::is_empty);
        assert!(message.seq > *seq || eventless && message.seq == *seq, "{} after {seq}", message.seq);
        *seq = message.seq;
        assert_eq!((&read["seq"], &read["room"]), (&message.seq.into(), &"1".into()));
    }
    assert!(room.seq() >= *seq);
}

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let terms: Terms = lines.next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let seats = ["a", "b"].map(|person| Some(Seat::person(person, person)));
    let Ok(mut room) = Room::new("1", terms, seats) else { return };
    let (mut at, mut seq) = (Duration::from_secs(1), 0);
    for person in ["a", "b", "w"] {
        room.connected(person, now(at));
    }
    told(&mut room, &mut seq);
    for line in lines.take(MAX_LINES) {
        let Some((first, rest)) = line.split_at_checked(1) else { continue };
        match first {
            "+" => {
                at += Duration::from_secs(rest.trim().parse().unwrap_or(1).min(1 << 20));
                room.tick(at);
            }
            "!" => {
                let kept = room.to_kept(at);
                let back = Room::from_kept(&kept, Duration::ZERO, at).expect("the server wrote it");
                assert_eq!(back.game(), room.game());
                assert_eq!((back.stage(), back.outcome(), back.terms()), (room.stage(), room.outcome(), room.terms()));
                assert!(back.seq() > room.seq());
                room = back;
                seq = room.seq();
                for person in ["a", "b", "w"] {
                    room.connected(person, now(at));
                }
            }
            "a" | "b" | "w" if rest.is_empty() => {
                room.disconnected(first, first != "w", now(at));
                room.connected(first, now(at));
                let missed = wire(&room.catch_up(Some(seq / 2), now(at)));
                assert_eq!(missed["seq"], room.seq());
            }
            "a" | "b" | "w" => {
                let before = (room.game().clone(), room.seq(), room.stage(), room.outcome());
                let turns = before.0.turns().len();
                let done = ClientMessage::parse(rest).and_then(|said| room.handle(first, first, &said, now(at)));
                if let Err(refusal) = done {
                    assert_eq!((room.game().clone(), room.seq(), room.stage(), room.outcome()), before, "{refusal}");
                    assert_eq!(wire(&room.message(Body::refused(&refusal, Some(1))))["kind"], refusal.kind());
                }
                assert!(room.game().turns().len() <= turns + 1);
            }
            _ => {}
        }
        told(&mut room, &mut seq);
    }
    let state = wire(&room.catch_up(None, now(at)));
    let size = room.game().board().size();
    let board = state["state"]["board"].as_array().expect("a board");
    assert_eq!(board.len(), size.height());
    assert!(board.iter().all(|row| row.as_array().is_some_and(|row| row.len() == size.width())));
    assert_eq!(room.outcome().is_some(), room.stage() == honinbo_rooms::Stage::Over);
    let record = room.record(1_700_000_000);
    assert!(record.node_count() > 0);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
