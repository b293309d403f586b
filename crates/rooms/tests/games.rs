//! Whole games, and everything that is refused.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_rooms::{
    AWAY_GRACE, Body, CLAIMED_AFTER, ClientMessage, ColorNumber, Event, INVITED_FOR, MAX_LOGGED_EVENTS, Now, Room,
    SETTLED_AFTER, Seat, Stage, Terms, TimeTerms,
};
use honinbo_rules::{Color, Move, Point};
use std::time::Duration;

fn now(seconds: u64) -> Now {
    Now::at(Duration::from_secs(seconds))
}

fn seats() -> [Option<Seat>; 2] {
    [Some(Seat::person("a", "Anna")), Some(Seat::person("b", "Ben"))]
}

fn begun(terms: Terms) -> Room {
    let mut room = Room::new("1", terms, seats()).unwrap();
    room.connected("a", now(0));
    assert_eq!(room.stage(), Stage::Waiting, "it begins when both are here");
    room.connected("b", now(0));
    assert_eq!(room.stage(), Stage::Playing);
    room
}

fn nine() -> Terms {
    Terms { width: 9, height: 9, ..Terms::default() }
}

/// What a message did: nothing, or the kind of the refusal; a refusal changes nothing.
fn send_at(room: &mut Room, who: &str, text: &str, at: Now) -> &'static str {
    let message = ClientMessage::parse(text).unwrap();
    room.tick(at.at);
    let before = (room.to_kept(at.at), room.seq());
    match room.handle(who, who, &message, at) {
        Ok(()) => "",
        Err(refusal) => {
            assert_eq!((room.to_kept(at.at), room.seq()), before, "{refusal} changed the room");
            refusal.kind()
        }
    }
}

fn send(room: &mut Room, who: &str, text: &str) -> &'static str {
    send_at(room, who, text, now(1))
}

fn place(room: &mut Room, who: &str, x: u8, y: u8) -> &'static str {
    send(room, who, &format!(r#"{{"type":"move","x":{x},"y":{y}}}"#))
}

const PASS: &str = r#"{"type":"pass"}"#;

#[test]
fn what_the_rules_or_the_turn_forbid_is_refused_with_a_reason() {
    let mut room = begun(nine());
    assert_eq!(place(&mut room, "b", 2, 2), "not_your_turn");
    assert_eq!(send(&mut room, "a", r#"{"type":"move","x":2,"y":2,"color":2}"#), "not_your_color");
    assert_eq!(place(&mut room, "stranger", 2, 2), "not_a_player");
    assert_eq!(send(&mut room, "a", r#"{"type":"move","x":9,"y":0}"#), "outside");
    assert_eq!(send(&mut room, "a", r#"{"type":"move","x":-1,"y":99999999999}"#), "outside");
    let message = ClientMessage::parse(r#"{"type":"move","x":-1,"y":3}"#).unwrap();
    let refusal = room.handle("a", "a", &message, now(1)).unwrap_err();
    assert_eq!(refusal.to_string(), "(-1, 3) is outside the 9x9 board", "what was sent");
    assert_eq!(send(&mut room, "a", r#"{"type":"move","x":2,"y":2,"color":1}"#), "");
    assert_eq!(place(&mut room, "b", 2, 2), "occupied");
    assert_eq!(send(&mut room, "b", r#"{"type":"pass","number":3}"#), "other_move");
    for wrong in [r#"{"type":"mark","x":2,"y":2}"#, r#"{"type":"agree","revision":0}"#, r#"{"type":"resume_play"}"#] {
        assert_eq!(send(&mut room, "a", wrong), "not_being_counted", "{wrong}");
    }
    assert_eq!(send(&mut room, "b", r#"{"type":"undo"}"#), "nothing_to_take_back");
    assert_eq!(send(&mut room, "b", r#"{"type":"undo_answer","granted":true}"#), "nothing_asked");
    assert_eq!(send(&mut room, "b", r#"{"type":"adjourn_answer","granted":true}"#), "nothing_asked");
    assert_eq!(send(&mut room, "b", r#"{"type":"continue"}"#), "not_adjourned");
    assert_eq!(send(&mut room, "b", r#"{"type":"resign"}"#), "");
    let state = room.state(now(1));
    assert_eq!(
        (state.winner, state.result.as_deref(), state.final_score),
        (Some(Color::Black.into()), Some("B+R"), None)
    );
    for anything in [PASS, r#"{"type":"resign"}"#, r#"{"type":"undo"}"#, r#"{"type":"adjourn"}"#] {
        assert_eq!(send(&mut room, "a", anything), "game_over", "{anything}");
    }
}

#[test]
fn nothing_is_played_before_both_are_here() {
    let mut room = Room::new("1", nine(), [Some(Seat::person("a", "Anna")), None]).unwrap();
    room.connected("a", now(0));
    assert_eq!(place(&mut room, "a", 2, 2), "not_started");
    assert_eq!(send(&mut room, "a", r#"{"type":"resign"}"#), "not_started");
    assert!(room.has_seat_for("b"));
    assert!(room.reserve("c", now(0)));
    assert!(!room.has_seat_for("b"), "the seat is kept for somebody else");
    assert!(room.sit("b", "Ben", now(0)).is_none());
    assert!(room.sit("c", "Cho", now(0)).is_some());
    room.connected("c", now(0));
    assert_eq!(room.stage(), Stage::Playing);
}

fn alone() -> Room {
    let mut room = Room::new("1", nine(), [Some(Seat::person("a", "Anna")), None]).unwrap();
    room.connected("a", now(0));
    room
}

#[test]
fn of_several_who_are_invited_whoever_comes_first_sits_down() {
    let mut room = alone();
    assert!(room.reserve("b", now(0)) && room.reserve("c", now(10)));
    assert!(room.has_seat_for("b") && room.has_seat_for("c") && !room.has_seat_for("d") && !room.has_open_seat());
    assert!(room.decline("c", "Cho", now(20)) && !room.has_seat_for("c"), "it is still kept for Ben");
    assert!(room.reserve("c", now(30)));
    assert!(room.sit("c", "Cho", now(40)).is_some() && room.sit("b", "Ben", now(40)).is_none());
    let mut crowded = alone();
    let invited = (0..100).take_while(|nth| crowded.reserve(&nth.to_string(), now(0))).count();
    assert!((2..100).contains(&invited), "{invited}");
}

#[test]
fn a_seat_is_anybodys_again_when_the_last_invitation_has_expired() {
    let mut room = alone();
    assert!(room.reserve("b", now(0)) && room.reserve("c", now(10)));
    assert_eq!(room.next_deadline(), Some(INVITED_FOR));
    room.tick(INVITED_FOR);
    assert!(!room.has_seat_for("b") && room.has_seat_for("c"));
    room.take_changed();
    room.tick(now(10).at + INVITED_FOR);
    assert!(room.has_open_seat() && room.take_changed());
    assert_eq!(room.next_deadline(), None);
}

#[test]
fn who_is_invited_and_who_may_see_a_room_outlive_the_server() {
    let mut room = alone().listed();
    assert!(room.reserve("b", now(0)) && room.reserve("c", now(0)));
    let kept = room.to_kept(now(1).at);
    let mut back = Room::from_kept(&kept, Duration::ZERO, now(5000).at).unwrap();
    assert!(back.is_listed() && back.has_seat_for("b") && back.has_seat_for("c") && !back.has_seat_for("d"));
    back.tick(now(5000).at + INVITED_FOR);
    assert!(back.has_seat_for("d"));
    // Of an earlier version.
    let before = kept.replace(r#""reserved":[[],["b","c"]]"#, r#""reserved":[null,"b"]"#);
    assert_ne!(before, kept);
    let back = Room::from_kept(&before, Duration::ZERO, now(0).at).unwrap();
    assert!(back.has_seat_for("b") && !back.has_seat_for("c"));
    let hidden = Room::from_kept(&alone().to_kept(now(1).at), Duration::ZERO, now(0).at).unwrap();
    assert!(!hidden.is_listed() && hidden.has_open_seat());
}

#[test]
fn a_game_is_counted_by_agreement() {
    // Black has the left, White the right, and a lone black stone on White's side is dead.
    let mut room = begun(Terms { rules: "chinese".into(), ..nine() });
    for y in 0..9 {
        assert_eq!(place(&mut room, "a", 3, y), "");
        assert_eq!(place(&mut room, "b", 4, y), "");
    }
    assert_eq!(place(&mut room, "a", 7, 4), "");
    assert_eq!(send(&mut room, "b", PASS), "");
    assert_eq!(send(&mut room, "a", PASS), "");
    assert_eq!(room.stage(), Stage::Counting);
    assert_eq!(place(&mut room, "b", 0, 0), "being_counted");
    assert_eq!(send(&mut room, "a", r#"{"type":"undo"}"#), "being_counted");

    let position = room.wants_proposal().unwrap();
    room.propose_dead(position.turns().len(), &[Point::new(7, 4), Point::new(0, 0)], now(1));
    assert!(room.wants_proposal().is_none());
    let counting = room.state(now(1)).counting.unwrap();
    assert_eq!(counting.dead, [[7, 4]], "an empty point is no dead stone");
    assert_eq!(send(&mut room, "a", r#"{"type":"mark","x":0,"y":0}"#), "no_stone");
    assert_eq!(send(&mut room, "a", r#"{"type":"agree","revision":0}"#), "other_marks");
    let agree = format!(r#"{{"type":"agree","revision":{}}}"#, counting.revision);
    assert_eq!(send(&mut room, "b", &agree), "");
    assert_eq!(send(&mut room, "a", r#"{"type":"mark","x":7,"y":4}"#), "");
    assert!(room.state(now(1)).counting.unwrap().agreed.is_empty(), "other marks, no agreement");
    assert_eq!(send(&mut room, "a", r#"{"type":"mark","x":7,"y":4}"#), "");
    let revision = room.state(now(1)).counting.unwrap().revision;
    for who in ["a", "b"] {
        assert_eq!(send(&mut room, who, &format!(r#"{{"type":"agree","revision":{revision}}}"#)), "");
    }
    let state = room.state(now(1));
    // 36 points against 45 and 7.5 komi.
    let score = state.final_score.unwrap();
    assert_eq!((state.result.as_deref(), score.black, score.white), (Some("W+16.5"), 36.0, 52.5));
    let sgf = room.record(1_795_521_600).to_sgf();
    for part in ["PB[Anna]", "PW[Ben]", "RE[W+16.5]", "DT[2026-11-24]", "SZ[9]", ";B[he]"] {
        assert!(sgf.contains(part), "{part} is not in {sgf}");
    }
}

#[test]
fn a_triple_ko_ends_without_a_result_and_is_not_counted() {
    let mut room = begun(Terms { width: 5, height: 11, rules: "japanese".into(), rated: true, ..Terms::default() });
    // Three kos one below the other, as in the tests of the rules; one black stone more, so that it is Black's turn.
    let rows = [".XO.", "XO.O", ".XO.", "....", ".XO.", "X.XO", ".XO.", "....", ".XO.", "XO.O", ".XO."];
    let stones = |which: char| {
        let all = rows.iter().enumerate().flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)));
        all.filter(|(.., c)| *c == which).map(|(x, y, _)| (x as u8, y as u8)).collect::<Vec<_>>()
    };
    let (mut black, white) = (stones('X'), stones('O'));
    black.push((4, 3));
    assert_eq!((black.len(), white.len()), (11, 11));
    for (one, other) in black.into_iter().zip(white) {
        assert_eq!(place(&mut room, "a", one.0, one.1), "");
        assert_eq!(place(&mut room, "b", other.0, other.1), "");
    }
    let round = [(2, 1), (1, 5), (2, 9), (1, 1), (2, 5), (1, 9)];
    let turns = round.into_iter().cycle().zip(["a", "b"].into_iter().cycle());
    let refused = turns.take(12).map(|((x, y), who)| place(&mut room, who, x, y)).find(|refused| !refused.is_empty());
    assert_eq!(refused, None);
    let state = room.state(now(1));
    assert_eq!((room.stage(), state.result.as_deref(), state.winner), (Stage::Over, Some("Void"), None));
    assert!(state.counting.is_none() && state.final_score.is_none() && room.wants_proposal().is_none());
    assert_eq!(place(&mut room, "a", 4, 4), "game_over");
    assert!(room.record(0).to_sgf().contains("RE[Void]"));
}

#[test]
fn who_does_not_agree_plays_on() {
    let mut room = begun(nine());
    place(&mut room, "a", 4, 4);
    send(&mut room, "b", PASS);
    send(&mut room, "a", PASS);
    assert_eq!(send(&mut room, "a", r#"{"type":"resume_play"}"#), "");
    assert_eq!(place(&mut room, "a", 5, 5), "not_your_turn", "who passed first moves first");
    assert_eq!(place(&mut room, "b", 5, 5), "");
    assert_eq!(room.state(now(1)).current_move_number, 4);
}

#[test]
fn a_move_is_taken_back_when_the_other_grants_it() {
    let mut room = begun(nine());
    place(&mut room, "a", 4, 4);
    place(&mut room, "b", 2, 2);
    assert_eq!(send(&mut room, "a", r#"{"type":"undo"}"#), "");
    assert_eq!(send(&mut room, "b", r#"{"type":"undo"}"#), "asked_already");
    assert_eq!(send(&mut room, "a", r#"{"type":"undo_answer","granted":true}"#), "nothing_asked", "not by oneself");
    assert_eq!(send(&mut room, "b", r#"{"type":"undo_answer","granted":false}"#), "");
    assert_eq!(room.game().turns().len(), 2);
    send(&mut room, "a", r#"{"type":"undo"}"#);
    assert_eq!(send(&mut room, "b", r#"{"type":"undo_answer","granted":true}"#), "");
    assert_eq!(room.game().turns().len(), 0, "Black's last move and the answer to it");
    place(&mut room, "a", 4, 4);
    send(&mut room, "a", r#"{"type":"undo"}"#);
    place(&mut room, "b", 2, 2);
    assert_eq!(
        send(&mut room, "b", r#"{"type":"undo_answer","granted":true}"#),
        "nothing_asked",
        "a move is an answer too"
    );
}

#[test]
fn who_grants_a_move_back_keeps_the_time_and_has_a_whole_period_for_the_next_one() {
    const ASK: &str = r#"{"type":"undo"}"#;
    const GRANT: &str = r#"{"type":"undo_answer","granted":true}"#;
    let mut room = begun(Terms { time: Some(TimeTerms::Absolute { main_seconds: 60.0 }), ..nine() });
    assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":4,"y":4}"#, now(10)), "");
    assert_eq!(send_at(&mut room, "a", ASK, now(12)), "");
    assert_eq!(send_at(&mut room, "b", GRANT, now(15)), "");
    let clock = room.state(now(20)).clock.unwrap();
    assert_eq!(
        (clock.running, clock.black.main_seconds, clock.white.main_seconds),
        (Some(Color::Black.into()), 45.0, 55.0)
    );

    let time = Some(TimeTerms::ByoYomi { main_seconds: 0.0, period_seconds: 30.0, periods: 3 });
    let mut room = begun(Terms { time, ..nine() });
    assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":4,"y":4}"#, now(10)), "");
    assert_eq!(send_at(&mut room, "a", ASK, now(12)), "");
    assert_eq!(send_at(&mut room, "b", GRANT, now(39)), "");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":2,"y":2}"#, now(45)), "");
    let clock = room.state(now(50)).clock.unwrap();
    assert_eq!(
        (clock.running, clock.white.period_seconds, clock.white.periods),
        (Some(Color::White.into()), Some(25.0), 3)
    );
}

#[test]
fn moves_that_are_taken_back_bring_neither_time_nor_stones() {
    const ASK: &str = r#"{"type":"undo"}"#;
    const GRANT: &str = r#"{"type":"undo_answer","granted":true}"#;
    let fischer = TimeTerms::Fischer { main_seconds: 10.0, increment_seconds: 10.0 };
    let canadian = TimeTerms::Canadian { main_seconds: 0.0, period_seconds: 300.0, stones: 25 };
    for time in [fischer, canadian] {
        let mut room = begun(Terms { time: Some(time), ..nine() });
        for second in 1..5 {
            assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":4,"y":4}"#, now(second)), "");
            assert_eq!(send_at(&mut room, "a", ASK, now(second)), "");
            assert_eq!(send_at(&mut room, "b", GRANT, now(second)), "");
        }
        let clock = room.state(now(4)).clock.unwrap();
        match time {
            TimeTerms::Fischer { .. } => assert_eq!((clock.black.main_seconds, clock.white.main_seconds), (6.0, 10.0)),
            _ => {
                assert_eq!((clock.black.stones, clock.black.period_seconds, clock.white.stones), (25, Some(296.0), 25))
            }
        }
    }
}

#[test]
fn an_adjourned_game_stands_until_both_are_ready() {
    let time = Some(TimeTerms::Absolute { main_seconds: 60.0 });
    let mut room = begun(Terms { time, ..nine() });
    assert_eq!(send_at(&mut room, "a", r#"{"type":"adjourn"}"#, now(10)), "");
    assert_eq!(send_at(&mut room, "b", r#"{"type":"adjourn_answer","granted":true}"#, now(10)), "");
    assert_eq!(room.stage(), Stage::Adjourned);
    assert_eq!(send_at(&mut room, "a", PASS, now(1000)), "adjourned");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"continue"}"#, now(1000)), "");
    assert_eq!(send_at(&mut room, "b", r#"{"type":"continue"}"#, now(1000)), "");
    let clock = room.state(now(1005)).clock.unwrap();
    assert_eq!((clock.black.main_seconds, clock.running), (45.0, Some(Color::Black.into())));
}

#[test]
fn who_goes_away_is_not_ready_any_more() {
    let time = Some(TimeTerms::Absolute { main_seconds: 60.0 });
    let mut room = begun(Terms { time, ..nine() });
    send(&mut room, "a", r#"{"type":"adjourn"}"#);
    send(&mut room, "b", r#"{"type":"adjourn_answer","granted":true}"#);
    room.connected("a", now(2));
    assert_eq!(send(&mut room, "a", r#"{"type":"continue"}"#), "");
    room.disconnected("a", true, now(3));
    assert_eq!(room.state(now(3)).ready, [ColorNumber::from(Color::Black)], "another window is open");
    room.take_messages();
    room.disconnected("a", true, now(4));
    let told = room.take_messages();
    let [message] = told.as_slice() else { panic!("{told:?}") };
    let Body::StateUpdate(update) = &message.body else { panic!("{message:?}") };
    assert!(update.state.ready.is_empty());
    assert_eq!(send_at(&mut room, "b", r#"{"type":"continue"}"#, now(5)), "");
    assert_eq!((room.stage(), room.next_deadline()), (Stage::Adjourned, None));
    room.connected("a", now(1000));
    assert_eq!(send_at(&mut room, "a", r#"{"type":"continue"}"#, now(1000)), "");
    assert_eq!(room.stage(), Stage::Playing);
}

#[test]
fn the_server_keeps_time() {
    let time = Some(TimeTerms::ByoYomi { main_seconds: 30.0, period_seconds: 10.0, periods: 2 });
    let mut room = begun(Terms { time, ..nine() });
    assert_eq!(room.next_deadline(), Some(Duration::from_secs(30)));
    let late = Now { at: Duration::from_secs(20), lag: Duration::from_millis(500) };
    send_at(&mut room, "a", PASS, late);
    assert_eq!(room.state(late).clock.unwrap().black.main_seconds, 10.5, "the delay is given back");
    room.tick(Duration::from_secs(69));
    assert_eq!(room.stage(), Stage::Playing);
    assert_eq!(send_at(&mut room, "b", PASS, now(71)), "game_over", "too late");
    assert_eq!(room.state(now(80)).result.as_deref(), Some("B+T"));
}

#[test]
fn everybody_hears_of_a_period_that_begins_although_nobody_moves() {
    let time = Some(TimeTerms::ByoYomi { main_seconds: 30.0, period_seconds: 10.0, periods: 2 });
    let mut room = begun(Terms { time, ..nine() });
    room.take_messages();
    room.tick(Duration::from_secs(29));
    assert!(room.take_messages().is_empty());
    let seq = room.seq();
    for (second, periods, next) in [(30, 2, 40), (40, 1, 50)] {
        room.tick(Duration::from_secs(second));
        let told = room.take_messages();
        let [message] = told.as_slice() else { panic!("{second} s: {told:?}") };
        let Body::StateUpdate(update) = &message.body else { panic!("{second} s: {message:?}") };
        assert_eq!((update.events.is_empty(), message.seq), (true, seq), "nobody did anything");
        let black = update.state.clock.as_ref().unwrap().black;
        assert_eq!((black.main_seconds, black.period_seconds, black.periods), (0.0, Some(10.0), periods));
        assert_eq!(room.next_deadline(), Some(Duration::from_secs(next)));
        room.tick(Duration::from_secs(second + 1));
        assert!(room.take_messages().is_empty(), "once");
    }
    room.tick(Duration::from_secs(50));
    assert_eq!(room.state(now(50)).result.as_deref(), Some("W+T"));
    // Nor does anybody move where a clock that was held for somebody runs again.
    let kept = begun(Terms { time, ..nine() }).to_kept(now(0).at);
    let mut back = Room::from_kept(&kept, Duration::ZERO, now(100).at).unwrap();
    back.take_messages();
    back.tick(now(100).at + AWAY_GRACE);
    let told = back.take_messages();
    let [message] = told.as_slice() else { panic!("{told:?}") };
    let Body::StateUpdate(update) = &message.body else { panic!("{message:?}") };
    assert_eq!(update.state.clock.as_ref().unwrap().running, Some(Color::Black.into()));
}

#[test]
fn time_in_which_the_server_could_not_go_on_is_nobodys() {
    let mut room = begun(Terms { time: Some(TimeTerms::Absolute { main_seconds: 10.0 }), ..nine() });
    assert_eq!(send_at(&mut room, "a", PASS, now(4)), "");
    room.take_messages();
    room.forgive(Duration::from_secs(30), now(34).at);
    let told = room.take_messages();
    let [message] = told.as_slice() else { panic!("{told:?}") };
    let Body::StateUpdate(update) = &message.body else { panic!("{message:?}") };
    let clock = update.state.clock.as_ref().unwrap();
    assert_eq!(
        (clock.black.main_seconds, clock.white.main_seconds, clock.running),
        (6.0, 10.0, Some(Color::White.into()))
    );
    room.tick(now(43).at);
    assert_eq!((room.stage(), room.next_deadline()), (Stage::Playing, Some(now(44).at)));
    assert_eq!(send_at(&mut room, "b", PASS, now(43)), "");
    // Where no clock runs, nobody is told anything.
    room.take_messages();
    room.forgive(Duration::from_secs(30), now(100).at);
    assert_eq!((room.stage(), room.take_messages().len()), (Stage::Counting, 0));
}

#[test]
fn a_clock_that_stands_for_somebody_stands_longer_where_nobody_could_come_back() {
    let time = Some(TimeTerms::Absolute { main_seconds: 60.0 });
    let kept = begun(Terms { time, ..nine() }).to_kept(now(0).at);
    let mut back = Room::from_kept(&kept, Duration::ZERO, now(100).at).unwrap();
    back.forgive(Duration::from_secs(30), now(130).at);
    assert_eq!(back.next_deadline(), Some(now(130).at + AWAY_GRACE));
}

#[test]
fn a_move_that_was_made_before_the_flag_counts_whenever_the_delay_was_measured() {
    let time = Some(TimeTerms::Absolute { main_seconds: 10.0 });
    let game = || begun(Terms { time, ..nine() });
    let slow = |millis: u64| Now { at: Duration::from_millis(millis), lag: Duration::from_millis(400) };
    let pass = ClientMessage::parse(PASS).unwrap();
    // The message itself says it first.
    let mut room = game();
    room.handle("a", "Anna", &pass, slow(10_200)).unwrap();
    assert_eq!((room.stage(), room.game().turns().len()), (Stage::Playing, 1));
    // It was measured while the other was to move, or some moves ago; the server looks at the clock by itself meanwhile.
    let mut room = game();
    room.measured_lag("b", Duration::from_millis(400));
    room.handle("a", "Anna", &pass, slow(1_000)).unwrap();
    assert_eq!(room.next_deadline(), Some(Duration::from_millis(11_400)));
    room.handle("b", "Ben", &pass, Now::at(Duration::from_millis(1_000))).unwrap();
    assert_eq!(send_at(&mut room, "a", r#"{"type":"resume_play"}"#, now(2)), "");
    // Black has 9.4 s.
    assert_eq!(room.next_deadline(), Some(Duration::from_millis(11_800)));
    room.tick(Duration::from_millis(11_700));
    room.handle("a", "Anna", &pass, Now::at(Duration::from_millis(11_700))).unwrap();
    assert_eq!((room.stage(), room.game().turns().len()), (Stage::Playing, 3));
}

#[test]
fn who_stays_away_from_a_game_without_clocks_finds_it_adjourned() {
    let mut room = begun(nine());
    room.connected("a", now(1));
    room.disconnected("a", true, now(2));
    assert!(room.is_online(Color::Black), "another window is open");
    room.disconnected("a", true, now(3));
    room.tick(now(3).at + AWAY_GRACE - Duration::from_secs(1));
    assert_eq!(room.stage(), Stage::Playing);
    assert_eq!(room.next_deadline(), Some(now(3).at + AWAY_GRACE));
    room.tick(now(3).at + AWAY_GRACE);
    assert_eq!(room.stage(), Stage::Adjourned);
}

#[test]
fn a_message_that_comes_twice_is_done_once() {
    let mut room = begun(nine());
    let first = r#"{"type":"move","x":4,"y":4,"id":1}"#;
    assert_eq!(send(&mut room, "a", first), "");
    assert_eq!(send(&mut room, "a", first), "", "no error, and nothing done");
    place(&mut room, "b", 2, 2);
    assert_eq!(send(&mut room, "a", first), "");
    assert_eq!(room.game().turns().len(), 2);
}

#[test]
fn what_somebody_missed_is_told_or_everything() {
    let mut room = begun(nine());
    place(&mut room, "a", 4, 4);
    let known = room.seq();
    place(&mut room, "b", 2, 2);
    send(&mut room, "b", r#"{"type":"chat","text":"hello"}"#);
    room.take_messages();
    let Body::StateUpdate(update) = room.catch_up(Some(known), now(1)).body else { panic!("no update") };
    assert_eq!(update.events.len(), 2);
    assert!(matches!(update.events[1], Event::Chat(_)) && update.moves.is_none());
    for unknown in [None, Some(u64::MAX), Some(room.seq() + 1)] {
        let message = room.catch_up(unknown, now(1));
        let Body::GameStart(update) = &message.body else { panic!("{unknown:?}: {message:?}") };
        assert_eq!((update.moves.as_ref().unwrap().len(), update.chat.as_ref().unwrap().len()), (2, 1));
    }
    for _ in 0..MAX_LOGGED_EVENTS {
        send(&mut room, "a", r#"{"type":"chat_switch","on":false}"#);
        send(&mut room, "a", r#"{"type":"chat_switch","on":true}"#);
    }
    assert!(matches!(room.catch_up(Some(known), now(1)).body, Body::GameStart(_)), "too long ago");
}

#[test]
fn a_room_comes_back_with_its_clocks() {
    let time = Some(TimeTerms::Fischer { main_seconds: 60.0, increment_seconds: 5.0 });
    let mut room = begun(Terms { time, handicap: 2, ..nine() });
    send_at(&mut room, "b", r#"{"type":"move","x":0,"y":0,"id":9}"#, now(10));
    send_at(&mut room, "b", r#"{"type":"chat","text":"明日また"}"#, now(10));
    let kept = room.to_kept(now(10).at);

    // The server ran on for 7 seconds, and somebody started it again much later.
    let mut back = Room::from_kept(&kept, Duration::from_secs(7), now(5000).at).unwrap();
    let (old, new) = (room.state(now(10)), back.state(now(5060)));
    assert_eq!((&new.board, new.turn), (&old.board, old.turn));
    let torus = begun(Terms { topology: "torus".into(), ..nine() }).to_kept(now(10).at);
    let torus = Room::from_kept(&torus, Duration::ZERO, now(10).at).unwrap();
    assert_eq!(torus.state(now(10)).topology, "torus");
    let clock = new.clock.unwrap();
    assert_eq!((clock.white.main_seconds, clock.black.main_seconds, clock.running), (55.0, 53.0, None));
    assert!(back.seq() > room.seq(), "no number is used twice");
    assert_eq!(send_at(&mut back, "b", r#"{"type":"move","x":1,"y":1,"id":9}"#, now(5060)), "", "it was done before");
    assert_eq!(back.game().turns().len(), 1);
    back.connected("a", now(5070));
    assert_eq!(back.state(now(5071)).clock.unwrap().black.main_seconds, 52.0, "it runs again for who is back");
    let Body::GameStart(update) = back.catch_up(None, now(5071)).body else { panic!("no game") };
    assert_eq!(update.chat.unwrap()[0].text, "明日また");

    let mut alone = Room::from_kept(&kept, Duration::ZERO, now(0).at).unwrap();
    alone.tick(AWAY_GRACE + Duration::from_secs(61));
    assert_eq!(alone.stage(), Stage::Playing);
    alone.tick(AWAY_GRACE + Duration::from_secs(61 + 60));
    assert_eq!(alone.state(now(999)).result.as_deref(), Some("W+T"), "who does not come back loses on time at last");
    let lost = Room::from_kept(&kept, Duration::from_secs(61), now(0).at).unwrap();
    assert_eq!(lost.state(now(0)).result.as_deref(), Some("W+T"));
    assert!(!lost.came_back_over(), "nobody has heard of this end yet");
    let again = Room::from_kept(&lost.to_kept(now(1).at), Duration::ZERO, now(2).at).unwrap();
    assert!(again.came_back_over());
}

#[test]
fn the_record_has_the_clocks_also_of_moves_from_before_the_server_was_started_again() {
    let time = Some(TimeTerms::ByoYomi { main_seconds: 4.0, period_seconds: 5.0, periods: 3 });
    let mut room = begun(Terms { time, ..nine() });
    assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":4,"y":4}"#, now(1)), "");
    assert_eq!(send_at(&mut room, "b", r#"{"type":"move","x":2,"y":2}"#, now(7)), "");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"move","x":6,"y":6}"#, now(8)), "");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"undo"}"#, now(8)), "");
    assert_eq!(send_at(&mut room, "b", r#"{"type":"undo_answer","granted":true}"#, now(8)), "");
    let kept = room.to_kept(now(8).at);
    let record = |kept: &str| {
        let mut back = Room::from_kept(kept, Duration::ZERO, now(100).at).unwrap();
        assert_eq!(send_at(&mut back, "a", PASS, now(110)), "");
        back.record(0).to_sgf()
    };
    let sgf = record(&kept);
    for part in ["TM[4]", "OT[3x5 byo-yomi]", ";B[ee]BL[3];W[cc]WL[5]OW[3];B[]BL[2]"] {
        assert!(sgf.contains(part), "{part} is not in {sgf}");
    }
    // Of an earlier version.
    let before = kept.replace(r#""time_left":[[3000,null],[5000,3]],"#, "");
    assert_ne!(before, kept);
    let sgf = record(&before);
    assert!(sgf.contains(";B[ee];W[cc];B[]BL[2]"), "{sgf}");
    assert!(!begun(nine()).to_kept(now(1).at).contains("time_left"));
}

#[test]
fn a_clock_that_is_held_when_the_server_is_started_again_runs_later_all_the_same() {
    let time = Some(TimeTerms::Absolute { main_seconds: 60.0 });
    let kept = begun(Terms { time, ..nine() }).to_kept(now(10).at);
    // Started again twice, and both come back only then: the hour in which the clock was held costs nothing.
    let first = Room::from_kept(&kept, Duration::ZERO, now(100).at).unwrap();
    let again = || Room::from_kept(&first.to_kept(now(110).at), Duration::from_secs(3600), now(200).at).unwrap();
    let mut back = again();
    back.connected("a", now(210));
    let clock = back.state(now(215)).clock.unwrap();
    assert_eq!((clock.running, clock.black.main_seconds), (Some(Color::Black.into()), 45.0));
    // A move does it too, and so does the end of the patience.
    let mut back = again();
    assert_eq!(send_at(&mut back, "a", PASS, now(210)), "");
    assert_eq!(back.state(now(215)).clock.unwrap().running, Some(Color::White.into()));
    let mut deserted = again();
    deserted.tick(now(200).at + AWAY_GRACE);
    assert_eq!(deserted.next_deadline(), Some(now(250).at + AWAY_GRACE));
}

#[test]
fn every_stage_comes_back_as_it_was() {
    let mut room = begun(nine());
    let check = |room: &Room| {
        let back = Room::from_kept(&room.to_kept(now(1).at), Duration::ZERO, now(1).at).unwrap();
        let comparable = |room: &Room| {
            let mut state = room.state(now(1));
            for player in state.players.iter_mut().flatten() {
                player.online = false;
            }
            state.undo_asked = None;
            if let Some(counting) = &mut state.counting {
                counting.agreed.clear();
                counting.revision = 0;
            }
            state
        };
        assert_eq!(comparable(&back), comparable(room));
    };
    check(&room);
    place(&mut room, "a", 4, 4);
    send(&mut room, "b", PASS);
    send(&mut room, "a", PASS);
    send(&mut room, "a", r#"{"type":"mark","x":4,"y":4}"#);
    check(&room);
    send(&mut room, "a", r#"{"type":"resume_play"}"#);
    check(&room);
    send(&mut room, "b", PASS);
    send(&mut room, "a", PASS);
    for who in ["a", "b"] {
        send(&mut room, who, r#"{"type":"agree","revision":0}"#);
    }
    assert_eq!(room.stage(), Stage::Over);
    check(&room);
    for wrong in ["", "{}", "[]", &room.to_kept(now(1).at).replace("ee", "zz")] {
        assert!(Room::from_kept(wrong, Duration::ZERO, Duration::ZERO).is_err(), "{wrong}");
    }
}

#[test]
fn an_engine_plays_grants_and_counts() {
    let seats = [Some(Seat::person("a", "Anna")), Some(Seat::engine("hard"))];
    let mut room = Room::new("ai", nine(), seats).unwrap();
    room.connected("a", now(0));
    assert_eq!(room.stage(), Stage::Playing);
    assert!(room.engine_to_move().is_none());
    place(&mut room, "a", 4, 4);
    let (level, _, number) = room.engine_to_move().unwrap();
    assert_eq!((level, number), ("hard", 2));
    room.engine_moved(1, Move::Place(Point::new(0, 0)), false, now(1));
    assert_eq!(room.game().turns().len(), 1, "an answer to an earlier position");
    room.engine_moved(2, Move::Place(Point::new(4, 4)), false, now(1));
    assert_eq!(room.game().turns()[1].played, Move::Pass, "it wanted what the rules refuse");
    assert_eq!(send(&mut room, "a", r#"{"type":"undo"}"#), "");
    assert_eq!(room.game().turns().len(), 0, "granted at once");

    place(&mut room, "a", 4, 4);
    room.engine_moved(2, Move::Pass, true, now(1));
    send(&mut room, "a", PASS);
    assert_eq!(send(&mut room, "a", r#"{"type":"mark","x":4,"y":4}"#), "");
    room.propose_dead(3, &[], now(1));
    let counting = room.state(now(1)).counting.unwrap();
    assert!(counting.agreed.is_empty(), "the engine does not agree to that");
    send(&mut room, "a", r#"{"type":"mark","x":4,"y":4}"#);
    let counting = room.state(now(1)).counting.unwrap();
    assert_eq!(counting.agreed, [ColorNumber::from(Color::White)]);
    send(&mut room, "a", &format!(r#"{{"type":"agree","revision":{}}}"#, counting.revision));
    assert_eq!(room.state(now(1)).result.as_deref(), Some("B+73.5"));
    let state = room.state(now(1));
    assert_eq!(
        (state.ai_enabled, state.ai_color, state.ai_difficulty.as_deref()),
        (true, Some(Color::White.into()), Some("hard"))
    );
}

#[test]
fn an_engine_loses_no_time_while_it_waits_for_others() {
    let time = Some(TimeTerms::Absolute { main_seconds: 10.0 });
    let seats = [Some(Seat::person("a", "Anna")), Some(Seat::engine("hard"))];
    let mut room = Room::new("ai", Terms { time, ..nine() }, seats).unwrap();
    room.connected("a", now(0));
    send_at(&mut room, "a", PASS, now(1));
    room.take_messages();
    room.engine_is_busy(now(2));
    let told = room.take_messages();
    let [message] = told.as_slice() else { panic!("{told:?}") };
    let Body::StateUpdate(update) = &message.body else { panic!("{message:?}") };
    assert_eq!(
        (update.events.as_slice(), update.state.clock.as_ref().unwrap().running),
        (&[Event::EngineBusy][..], None)
    );
    room.tick(now(1000).at);
    assert_eq!((room.stage(), room.next_deadline()), (Stage::Playing, None));
    room.engine_begins(now(1000));
    let told = room.take_messages();
    let [message] = told.as_slice() else { panic!("{told:?}") };
    let Body::StateUpdate(update) = &message.body else { panic!("{message:?}") };
    let clock = update.state.clock.as_ref().unwrap();
    assert_eq!((clock.running, clock.white.main_seconds), (Some(Color::White.into()), 9.0));
    room.engine_begins(now(1004));
    assert!(room.take_messages().is_empty(), "it has begun");
    room.engine_moved(2, Move::Place(Point::new(2, 2)), false, now(1005));
    let clock = room.state(now(1006)).clock.unwrap();
    assert_eq!(
        (clock.running, clock.white.main_seconds, clock.black.main_seconds),
        (Some(Color::Black.into()), 4.0, 8.0)
    );
}

#[test]
fn whose_account_is_gone_has_lost_or_leaves_the_seat() {
    let mut room = begun(nine());
    room.forfeit("b", now(1));
    assert_eq!(room.state(now(1)).result.as_deref(), Some("B+F"));
    let mut waiting = Room::new("1", nine(), [Some(Seat::person("a", "Anna")), None]).unwrap();
    waiting.connected("a", now(0));
    waiting.connected("w", now(0));
    waiting.forfeit("a", now(1));
    assert_eq!((waiting.seats()[0].is_none(), waiting.stage()), (true, Stage::Waiting));
    waiting.disconnected("a", false, now(2));
    assert_eq!(waiting.spectators(), 1, "the other still watches");
}

#[test]
fn whoever_sits_where_an_account_is_gone_is_heard_from_their_first_message_on() {
    let mut room = Room::new("1", nine(), [Some(Seat::person("a", "Anna")), None]).unwrap();
    room.connected("a", now(0));
    let number = |text: &str, id: u64| text.replace('{', &format!(r#"{{"id":{id},"#));
    send(&mut room, "a", &number(r#"{"type":"chat","text":"hello"}"#, 40));
    room.forfeit("a", now(1));
    assert!(room.sit("c", "Carl", now(1)).is_some());
    assert!(room.sit("b", "Ben", now(1)).is_some());
    for person in ["c", "b"] {
        room.connected(person, now(1));
    }
    assert_eq!(room.stage(), Stage::Playing);
    assert_eq!(send(&mut room, "c", &number(r#"{"type":"move","x":2,"y":2}"#, 1)), "");
    assert_eq!(room.game().turns().len(), 1, "the first move has the number 1");
}

#[test]
fn the_messages_have_the_form_that_is_documented() {
    let mut room = begun(Terms { width: 2, height: 2, ..Terms::default() });
    let start = room.take_messages().pop().unwrap();
    assert_eq!(
        start.to_json(),
        r#"{"version":1,"room":"1","seq":3,"type":"game_start","events":[{"kind":"presence","color":2,"online":true},{"kind":"started"}],"state":{"board":[[0,0],[0,0]],"turn":1,"game_over":false,"winner":null,"final_score":null,"black_captured":0,"white_captured":0,"current_move_number":0,"ai_enabled":false,"ai_color":null,"ai_difficulty":null,"stage":"playing","result":null,"topology":"plane","rules":"chinese","komi":7.5,"handicap":0,"time":null,"rated":false,"delay_seconds":0,"last_move":null,"players":[{"name":"Anna","engine":false,"online":true},{"name":"Ben","engine":false,"online":true}],"clock":null,"may_cancel":true,"undo_asked":null,"adjourn_asked":null,"ready":[],"claimable_in_seconds":null,"counting":null,"chat_on":true,"spectators":0},"moves":[],"chat":[]}"#
    );
    let refusal =
        room.handle("b", "Ben", &ClientMessage::parse(r#"{"type":"pass","id":4}"#).unwrap(), now(1)).unwrap_err();
    assert_eq!(
        room.message(Body::refused(&refusal, Some(4))).to_json(),
        r#"{"version":1,"room":"1","seq":3,"type":"error","kind":"not_your_turn","message":"it is the other player's turn","id":4}"#
    );
    assert_eq!(room.message(Body::Ack { id: 5 }).to_json(), r#"{"version":1,"room":"1","seq":3,"type":"ack","id":5}"#);
    send(&mut room, "a", r#"{"type":"chat","text":"よろしく"}"#);
    assert_eq!(
        room.take_messages()[0].to_json(),
        r#"{"version":1,"room":"1","seq":4,"type":"chat","events":[{"kind":"chat","name":"a","text":"よろしく"}]}"#
    );
}

#[test]
fn the_examples_of_the_document_are_understood_and_it_names_every_field_of_a_state() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocol.md")).unwrap();
    let times = page.lines().filter(|line| line.starts_with(r#"{"kind":""#));
    let times: Vec<TimeTerms> = times.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(times.len(), 4, "{times:?}");
    let sent = page.lines().filter_map(|line| line.strip_prefix("> ")).filter(|line| line.starts_with(r#"{"type":"#));
    let sent: Vec<ClientMessage> = sent.map(|line| ClientMessage::parse(line).unwrap()).collect();
    assert!(!sent.is_empty());
    let state = serde_json::to_value(begun(nine()).state(now(1))).unwrap();
    let untold: Vec<&String> =
        state.as_object().unwrap().keys().filter(|field| !page.contains(&format!("`{field}`"))).collect();
    assert!(untold.is_empty(), "{untold:?}");
}

#[test]
fn a_seat_can_be_given_up_before_the_game_and_not_after() {
    const LEAVE: &str = r#"{"type":"leave"}"#;
    let mut room = Room::new("1", nine(), [Some(Seat::person("a", "Anna")), None]).unwrap();
    room.connected("a", now(0));
    assert!(room.reserve("b", now(0)));
    assert!(!room.has_seat_for("c"));
    assert!(room.decline("b", "Ben", now(0)) && !room.decline("b", "Ben", now(0)), "it was kept once");
    assert!(room.has_seat_for("c"));
    room.take_messages();
    assert_eq!(send(&mut room, "a", LEAVE), "");
    let told = room.take_messages();
    assert!(
        matches!(&told[0].body, Body::StateUpdate(update) if update.events == [Event::Left { color: Color::Black.into() }])
    );
    assert!(!room.has_people() && room.state(now(1)).spectators == 1, "who gave the seat up watches");
    room.disconnected("a", false, now(2));
    assert_eq!(room.spectators(), 0);

    let mut room = begun(nine());
    assert_eq!(send(&mut room, "a", LEAVE), "already_started");
    assert_eq!(send(&mut room, "w", LEAVE), "not_a_player");
    assert_eq!(send(&mut room, "a", r#"{"type":"resign"}"#), "");
    assert_eq!(send(&mut room, "a", LEAVE), "game_over");
}

#[test]
fn before_each_has_moved_either_ends_the_game_without_a_result() {
    const CANCEL: &str = r#"{"type":"cancel"}"#;
    for moves in 0..2 {
        for who in ["a", "b"] {
            let mut room = begun(Terms { rated: true, ..nine() });
            if moves == 1 {
                assert_eq!(place(&mut room, "a", 2, 2), "");
            }
            assert!(room.state(now(1)).may_cancel);
            assert_eq!(send(&mut room, "c", CANCEL), "not_a_player");
            assert_eq!(send(&mut room, who, CANCEL), "");
            assert_eq!((room.stage(), room.state(now(1)).result.as_deref()), (Stage::Over, Some("Void")));
            assert!(!room.state(now(1)).may_cancel);
            assert_eq!(send(&mut room, who, CANCEL), "game_over");
        }
    }
    let mut room = begun(nine());
    assert_eq!((place(&mut room, "a", 2, 2), place(&mut room, "b", 3, 3)), ("", ""));
    assert!(!room.state(now(1)).may_cancel);
    assert_eq!(send(&mut room, "a", CANCEL), "each_has_moved");
    let mut waiting = Room::new("1", nine(), seats()).unwrap();
    waiting.connected("a", now(0));
    assert_eq!(send(&mut waiting, "a", CANCEL), "not_started");
}

/// Both have passed, and the engine has proposed what is dead; the stone at (2, 2) is Black's.
fn counted(terms: Terms) -> Room {
    let mut room = begun(terms);
    assert_eq!(place(&mut room, "a", 2, 2), "");
    assert_eq!((send(&mut room, "b", PASS), send(&mut room, "a", PASS)), ("", ""));
    room.propose_dead(3, &[], now(1));
    room
}

#[test]
fn who_leaves_the_count_has_it_settled_by_the_engines_proposal_that_the_other_agrees_to() {
    const AGREE: &str = r#"{"type":"agree","revision":0}"#;
    let settled_in = |room: &Room, at| room.state(now(at)).counting.unwrap().settled_in_seconds;
    let mut room = counted(Terms { rated: true, ..nine() });
    assert!(room.state(now(1)).counting.unwrap().proposed);
    assert_eq!(send_at(&mut room, "a", AGREE, now(10)), "");
    assert_eq!((settled_in(&room, 10), room.next_deadline()), (None, None), "both are here");
    room.disconnected("b", true, now(100));
    let at = now(100).at + SETTLED_AFTER;
    assert_eq!((settled_in(&room, 150), room.next_deadline()), (Some(250.0), Some(at)));
    let mut back = room.clone();
    back.connected("b", now(399));
    back.tick(at);
    assert_eq!((back.stage(), settled_in(&back, 400)), (Stage::Counting, None), "who comes back is asked");
    room.tick(at - Duration::from_secs(1));
    assert_eq!(room.stage(), Stage::Counting);
    room.tick(at);
    assert_eq!(room.state(now(400)).result.as_deref(), Some("B+73.5"));

    // Neither without the other's agreement, nor by marks of one's own.
    let mut room = counted(nine());
    room.disconnected("b", true, now(2));
    room.tick(at);
    assert_eq!((room.stage(), settled_in(&room, 400)), (Stage::Counting, None));
    assert_eq!(send_at(&mut room, "a", r#"{"type":"mark","x":2,"y":2}"#, now(401)), "");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"agree","revision":1}"#, now(402)), "");
    let counting = room.state(now(402)).counting.unwrap();
    assert_eq!((counting.proposed, counting.settled_in_seconds), (false, None));
    room.tick(now(2000).at);
    assert_eq!(room.stage(), Stage::Counting);
    // Back to the proposal: whoever was away for so long already is not waited for again.
    assert_eq!(send_at(&mut room, "a", r#"{"type":"mark","x":2,"y":2}"#, now(2001)), "");
    assert_eq!(send_at(&mut room, "a", r#"{"type":"agree","revision":2}"#, now(2002)), "");
    room.tick(now(2003).at);
    assert_eq!(room.stage(), Stage::Over);
}

#[test]
fn who_went_away_before_the_count_has_its_whole_time() {
    let time = Some(TimeTerms::Absolute { main_seconds: 10_000.0 });
    let mut room = begun(Terms { time, ..nine() });
    assert_eq!(place(&mut room, "a", 2, 2), "");
    assert_eq!(send(&mut room, "b", PASS), "");
    room.disconnected("b", true, now(2));
    assert_eq!(send_at(&mut room, "a", PASS, now(3000)), "");
    room.propose_dead(3, &[], now(3000));
    assert_eq!(send_at(&mut room, "a", r#"{"type":"agree","revision":0}"#, now(3001)), "");
    assert_eq!(room.next_deadline(), Some(now(3000).at + SETTLED_AFTER));
}

#[test]
fn an_adjourned_game_without_clocks_is_claimed_from_who_stays_away_for_a_week() {
    const CLAIM: &str = r#"{"type":"claim"}"#;
    let mut room = begun(nine());
    assert_eq!(send(&mut room, "a", CLAIM), "not_claimable");
    room.disconnected("b", true, now(10));
    room.tick(now(10).at + AWAY_GRACE);
    let claimable = |room: &Room, at: u64| room.state(now(at)).claimable_in_seconds;
    assert_eq!((room.stage(), claimable(&room, 110)), (Stage::Adjourned, Some(CLAIMED_AFTER.as_secs_f64() - 100.0)));
    // The server is started again: the days before are not forgotten, and those in which it did not run do not count.
    let half = CLAIMED_AFTER / 2;
    let kept = room.to_kept(now(10).at + AWAY_GRACE);
    let mut back = Room::from_kept(&kept, half, now(1000).at).unwrap();
    assert_eq!(claimable(&back, 1000), None, "nobody is here");
    back.connected("a", now(1000));
    let left = (half - AWAY_GRACE).as_secs();
    assert_eq!(claimable(&back, 1000), Some(left as f64));
    assert_eq!(send_at(&mut back, "a", CLAIM, now(1000 + left - 1)), "not_claimable");
    let mut returned = back.clone();
    returned.connected("b", now(1000 + left));
    assert_eq!(send_at(&mut returned, "a", CLAIM, now(1000 + left)), "not_claimable", "who is back is back");
    assert_eq!(claimable(&back, 1000 + left), Some(0.0));
    assert_eq!(send_at(&mut back, "b", CLAIM, now(1000 + left)), "not_claimable", "one claims from the other");
    assert_eq!(send_at(&mut back, "a", CLAIM, now(1000 + left)), "");
    assert_eq!(back.state(now(9999)).result.as_deref(), Some("B+F"));

    // With clocks it stands as long as both want.
    let mut room = begun(Terms { time: Some(TimeTerms::Absolute { main_seconds: 60.0 }), ..nine() });
    send(&mut room, "a", r#"{"type":"adjourn"}"#);
    send(&mut room, "b", r#"{"type":"adjourn_answer","granted":true}"#);
    room.disconnected("b", true, now(2));
    assert_eq!(claimable(&room, 10), None);
    assert_eq!(send_at(&mut room, "a", CLAIM, now(10)), "not_claimable");
}
