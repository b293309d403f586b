//! Lessons: who may do what, what everybody sees, what stays.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use honinbo_rooms::{
    Body, Lesson, LessonEvent, LessonMessage, LessonStartError, LessonState, MAX_COMMENT_CHARS, MAX_LESSON_PEOPLE,
    MAX_LESSON_RECORD_BYTES, Now, Opinion, Refusal, Role, Terms,
};
use honinbo_rules::Color;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

fn nine() -> Terms {
    Terms { width: 9, height: 9, ..Terms::default() }
}

/// Tomo teaches Anna; Ben listens.
fn class() -> Lesson {
    let mut lesson = Lesson::on_board("12345678", "Corners", ["t", "Tomo"], &nine()).unwrap();
    for (id, name) in [("t", "Tomo"), ("a", "Anna"), ("b", "Ben")] {
        assert!(lesson.connected(id, name));
    }
    ask(&mut lesson, "t", &json!({ "type": "role", "name": "Ben", "role": "audience" })).unwrap();
    lesson.take_letters();
    lesson
}

fn ask(lesson: &mut Lesson, person: &str, message: &Value) -> Result<(), Refusal> {
    let message = LessonMessage::parse(&message.to_string()).unwrap();
    lesson.handle(person, &message, Now::at(Duration::from_secs(1)))
}

fn play(lesson: &mut Lesson, x: u8, y: u8) {
    ask(lesson, "t", &json!({ "type": "play", "x": x, "y": y })).unwrap();
}

fn try_at(lesson: &mut Lesson, person: &str, x: u8, y: u8) {
    ask(lesson, person, &json!({ "type": "try", "x": x, "y": y })).unwrap();
}

/// What was told last to this person alone.
fn own_board(lesson: &mut Lesson, person: &str) -> Option<(u8, u32)> {
    let letters = lesson.take_letters();
    let told = letters.iter().rev().find(|letter| letter.to.as_deref() == Some(person)).expect("nothing was told");
    let Body::OwnBoard { own } = &told.message.body else { panic!("{told:?}") };
    own.as_ref().map(|own| (own.board[0][0], own.moves))
}

fn stones(state: &LessonState) -> usize {
    state.board.iter().flatten().filter(|stone| **stone != 0).count()
}

#[test]
fn what_the_teacher_plays_everybody_sees_and_nobody_else_plays_there() {
    let mut lesson = class();
    play(&mut lesson, 2, 2);
    let letters = lesson.take_letters();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    let Body::LessonState(update) = &letter.message.body else { panic!("{letter:?}") };
    assert_eq!((letter.to.as_deref(), update.state.board[2][2], update.state.turn), (None, 1, Color::White.into()));
    for person in ["a", "b"] {
        let before = lesson.state();
        for message in [
            json!({ "type": "play", "x": 4, "y": 4 }),
            json!({ "type": "step", "by": -1 }),
            json!({ "type": "remove" }),
            json!({ "type": "point", "x": 1, "y": 1 }),
            json!({ "type": "mark", "x": 1, "y": 1, "shape": "circle" }),
            json!({ "type": "comment", "text": "mine" }),
            json!({ "type": "engine", "on": true }),
            json!({ "type": "role", "name": "Anna", "role": "audience" }),
            json!({ "type": "newcomers", "role": "audience" }),
            json!({ "type": "show_offer", "name": "Anna" }),
            json!({ "type": "chat_switch", "on": false }),
            json!({ "type": "finish" }),
        ] {
            assert_eq!(ask(&mut lesson, person, &message), Err(Refusal::OnlyTheTeacher), "{message}");
        }
        assert_eq!(lesson.state(), before);
        assert!(lesson.take_letters().is_empty());
    }
    assert_eq!(ask(&mut lesson, "x", &json!({ "type": "try" })), Err(Refusal::NotAPlayer));
    assert_eq!(ask(&mut lesson, "t", &json!({ "type": "play", "x": 2, "y": 2 })).unwrap_err().kind(), "occupied");
}

#[test]
fn everybody_tries_moves_for_themselves_and_students_offer_theirs() {
    let mut lesson = class();
    play(&mut lesson, 2, 2);
    lesson.take_letters();
    try_at(&mut lesson, "a", 0, 0);
    assert_eq!(own_board(&mut lesson, "a"), Some((2, 1)));
    try_at(&mut lesson, "b", 5, 5);
    assert_eq!(own_board(&mut lesson, "b"), Some((0, 1)));
    assert_eq!(stones(&lesson.state()), 1, "what is tried is nobody else's business");
    // The teacher goes on; what was tried stays where it began.
    play(&mut lesson, 6, 6);
    lesson.take_letters();
    try_at(&mut lesson, "a", 1, 1);
    assert_eq!(own_board(&mut lesson, "a"), Some((2, 2)));

    assert_eq!(ask(&mut lesson, "b", &json!({ "type": "offer" })), Err(Refusal::Audience));
    assert_eq!(ask(&mut lesson, "b", &json!({ "type": "chat", "text": "me too" })), Err(Refusal::Audience));
    ask(&mut lesson, "a", &json!({ "type": "offer" })).unwrap();
    let offers = lesson.state().offers;
    assert_eq!((offers[0].name.as_str(), offers[0].after_move, offers[0].moves), ("Anna", 1, 2));
    ask(&mut lesson, "t", &json!({ "type": "show_offer", "name": "Anna" })).unwrap();
    let state = lesson.state();
    assert_eq!((state.move_number, state.board[0][0], state.board[1][1], state.board[6][6]), (3, 2, 1, 0));
    assert!(state.offers.is_empty());
    assert_eq!(own_board(&mut lesson, "a"), None, "she looks at what all see, which is hers");
    let sgf = lesson.record(0).to_sgf();
    assert!(sgf.contains("W[aa]N[Anna]") && sgf.contains(";W[gg]"), "{sgf}");
    // Back and into the other variation.
    ask(&mut lesson, "t", &json!({ "type": "step", "by": -1 })).unwrap();
    assert_eq!(lesson.state().variation, [1, 2]);
    ask(&mut lesson, "t", &json!({ "type": "sibling", "by": -1 })).unwrap();
    assert_eq!(lesson.state().board[6][6], 2);
    assert_eq!(ask(&mut lesson, "t", &json!({ "type": "sibling", "by": -1 })), Err(Refusal::NoSuchMove));
}

#[test]
fn what_begins_at_a_move_that_is_taken_away_goes_with_it() {
    let mut lesson = class();
    play(&mut lesson, 2, 2);
    try_at(&mut lesson, "a", 0, 0);
    ask(&mut lesson, "a", &json!({ "type": "offer" })).unwrap();
    ask(&mut lesson, "t", &json!({ "type": "remove" })).unwrap();
    assert_eq!(own_board(&mut lesson, "a"), None);
    let state = lesson.state();
    assert_eq!((stones(&state), state.offers.len(), state.move_number, state.continuations.len()), (0, 0, 0, 0));
    assert_eq!(ask(&mut lesson, "t", &json!({ "type": "remove" })), Err(Refusal::NoSuchMove));
}

#[test]
fn a_pointer_is_told_and_not_kept_and_drawings_and_words_are() {
    let mut lesson = class();
    ask(&mut lesson, "t", &json!({ "type": "point", "x": 3, "y": 4 })).unwrap();
    let letters = lesson.take_letters();
    assert_eq!(letters[0].message.body, Body::LessonPointer { point: Some([3, 4]) });
    for (person, wrong) in [("t", "point"), ("t", "mark"), ("t", "play"), ("a", "try")] {
        let refusal = ask(&mut lesson, person, &json!({ "type": wrong, "x": -1, "y": 4 })).unwrap_err();
        assert_eq!((refusal.kind(), refusal.to_string().as_str()), ("outside", "(-1, 4) is outside the 9x9 board"));
    }
    for message in [
        json!({ "type": "mark", "x": 1, "y": 1, "shape": "circle" }),
        json!({ "type": "mark", "x": 1, "y": 1, "shape": "triangle" }),
        json!({ "type": "mark", "x": 2, "y": 1, "shape": "cross" }),
        json!({ "type": "mark", "x": 2, "y": 1, "shape": "cross" }),
        json!({ "type": "comment", "text": " Look here.\n\u{7}Then there. " }),
    ] {
        ask(&mut lesson, "t", &message).unwrap();
    }
    let state = lesson.state();
    assert_eq!(serde_json::to_value(&state.marks).unwrap(), json!([{ "x": 1, "y": 1, "shape": "triangle" }]));
    assert_eq!((state.comment.as_str(), state.pointer), ("Look here.\nThen there.", Some([3, 4])));
    let back = Lesson::from_kept(&lesson.to_kept()).unwrap().state();
    assert_eq!((back.comment.as_str(), back.pointer, back.marks), ("Look here.\nThen there.", None, state.marks));
}

#[test]
fn a_record_grows_to_its_limit_and_what_makes_it_shorter_is_always_possible() {
    let mut lesson = class();
    let words = json!({ "type": "comment", "text": "長".repeat(MAX_COMMENT_CHARS) });
    let refused = (0..80).find_map(|nth| {
        play(&mut lesson, nth % 9, nth / 9);
        ask(&mut lesson, "t", &words).err()
    });
    assert_eq!(refused, Some(Refusal::RecordFull));
    assert!(lesson.to_kept().len() < 3 * MAX_LESSON_RECORD_BYTES);
    ask(&mut lesson, "t", &json!({ "type": "step", "by": -1 })).unwrap();
    for said in ["", "short"] {
        ask(&mut lesson, "t", &json!({ "type": "comment", "text": said })).unwrap();
        assert_eq!(lesson.state().comment, said);
    }
    ask(&mut lesson, "t", &words).unwrap();
}

#[test]
fn the_same_words_again_and_no_drawing_where_none_is_change_nothing() {
    let mut lesson = class();
    let words = json!({ "type": "comment", "text": "Look here." });
    ask(&mut lesson, "t", &words).unwrap();
    ask(&mut lesson, "t", &json!({ "type": "mark", "x": 1, "y": 1, "shape": "circle" })).unwrap();
    assert!(lesson.take_changed());
    lesson.take_letters();
    ask(&mut lesson, "t", &words).unwrap();
    ask(&mut lesson, "t", &json!({ "type": "mark", "x": 2, "y": 2 })).unwrap();
    assert!(!lesson.take_changed() && lesson.take_letters().is_empty());
    ask(&mut lesson, "t", &json!({ "type": "mark", "x": 1, "y": 1 })).unwrap();
    assert!(lesson.take_changed() && lesson.state().marks.is_empty());
}

#[test]
fn words_come_to_the_move_that_they_were_typed_for() {
    let mut lesson = class();
    play(&mut lesson, 2, 2);
    let first = lesson.state().node;
    play(&mut lesson, 6, 6);
    let second = lesson.state().node;
    ask(&mut lesson, "t", &json!({ "type": "comment", "text": "a corner", "node": first })).unwrap();
    // A client that names no move means the one that all see.
    ask(&mut lesson, "t", &json!({ "type": "comment", "text": "the other one" })).unwrap();
    assert_eq!(lesson.state().comment, "the other one");
    ask(&mut lesson, "t", &json!({ "type": "remove" })).unwrap();
    assert_eq!((lesson.state().node, lesson.state().comment.as_str()), (first, "a corner"));
    // A move that was taken away has no words any more, nor has one of before the server was started again.
    for node in [second, second + 1, u64::MAX] {
        let said = json!({ "type": "comment", "text": "late", "node": node });
        assert_eq!(ask(&mut lesson, "t", &said), Err(Refusal::NoSuchMove), "{node}");
    }
    let mut back = Lesson::from_kept(&lesson.to_kept()).unwrap();
    let late = json!({ "type": "comment", "text": "late", "node": first });
    assert_eq!(ask(&mut back, "t", &late), Err(Refusal::NoSuchMove));
    assert_eq!(back.state().comment, "a corner");
    let here = json!({ "type": "comment", "text": "here", "node": back.state().node });
    ask(&mut back, "t", &here).unwrap();
    assert_eq!(back.state().comment, "here");
}

#[test]
fn the_engines_opinion_is_seen_where_the_teacher_shows_it_and_of_no_other_position() {
    let mut lesson = class();
    let opinion = Opinion { black_win_prob: 0.6, black_lead: 1.5, visits: 10, candidates: Vec::new() };
    assert!(lesson.wants_opinion().is_none());
    lesson.opinion_found(0, opinion.clone());
    assert_eq!(lesson.state().opinion, None, "nobody asked");
    ask(&mut lesson, "t", &json!({ "type": "engine", "on": true })).unwrap();
    let (first, _) = lesson.wants_opinion().unwrap();
    play(&mut lesson, 2, 2);
    lesson.opinion_found(first, opinion.clone());
    assert_eq!(lesson.state().opinion, None, "it is of the position before");
    let (second, game) = lesson.wants_opinion().unwrap();
    assert_eq!(game.turns().len(), 1);
    lesson.opinion_found(second, opinion.clone());
    assert_eq!(lesson.state().opinion, Some(opinion));
    assert!(lesson.wants_opinion().is_none());
    ask(&mut lesson, "t", &json!({ "type": "engine", "on": false })).unwrap();
    assert_eq!(lesson.state().opinion, None);
}

#[test]
fn a_lesson_is_about_a_record_and_its_end_is_the_end() {
    let sgf = "(;GM[1]SZ[9]PB[Shusaku]PW[Genan]KM[0]C[old];B[cc];W[gg](;B[cg])(;B[gc]))";
    let mut lesson = Lesson::on_record("1", " The ear\nreddening game ", ["t", "Tomo"], sgf).unwrap();
    lesson.connected("t", "Tomo");
    ask(&mut lesson, "t", &json!({ "type": "step", "by": 2 })).unwrap();
    let state = lesson.state();
    assert_eq!((state.title.as_str(), &state.players[0][..], state.komi), ("The ear reddening game", "Shusaku", 0.0));
    assert_eq!((state.move_number, state.moves_ahead, state.continuations.len()), (2, 1, 2));
    ask(&mut lesson, "t", &json!({ "type": "enter", "index": 1 })).unwrap();
    assert_eq!(lesson.state().last_move, Some([6, 2]));
    // A move that is there is followed, not written again.
    ask(&mut lesson, "t", &json!({ "type": "step", "by": -1 })).unwrap();
    play(&mut lesson, 2, 6);
    ask(&mut lesson, "t", &json!({ "type": "finish" })).unwrap();
    let record = lesson.record(1_700_000_000);
    let sgf = record.to_sgf();
    assert_eq!(record.node_count(), 5);
    assert!(sgf.contains("GN[The ear reddening game]") && sgf.contains("US[Tomo]") && sgf.contains("DT[2023-11-14]"));
    assert!(lesson.state().over);
    assert_eq!(ask(&mut lesson, "t", &json!({ "type": "play", "x": 0, "y": 0 })), Err(Refusal::LessonOver));

    let begin = |title: &str, sgf: &str| Lesson::on_record("1", title, ["t", "Tomo"], sgf).unwrap_err();
    assert_eq!(begin("x", "no record"), LessonStartError::NoRecord);
    assert_eq!(begin("x", "(;GM[2])"), LessonStartError::NoRecord);
    assert_eq!(begin(" \n", "(;GM[1])"), LessonStartError::Title);
    assert_eq!(begin("x", &format!("(;GM[1]{})", ";B[aa];W[bb]".repeat(2000))), LessonStartError::TooLong);
}

#[test]
fn the_continuation_that_is_named_is_entered_also_beside_nodes_without_a_move() {
    let sgf = "(;GM[1]SZ[9](;C[an arrangement]AB[aa])(;B[cc])(;C[words])(;B[gg]))";
    let mut lesson = Lesson::on_record("1", "Corners", ["t", "Tomo"], sgf).unwrap();
    lesson.connected("t", "Tomo");
    let told = serde_json::to_value(lesson.state().continuations).unwrap();
    assert_eq!(told, json!([{ "x": 2, "y": 2 }, { "x": 6, "y": 6 }]));
    for (index, point) in [(0, [2, 2]), (1, [6, 6])] {
        ask(&mut lesson, "t", &json!({ "type": "enter", "index": index })).unwrap();
        assert_eq!(lesson.state().last_move, Some(point));
        ask(&mut lesson, "t", &json!({ "type": "step", "by": -1 })).unwrap();
    }
    assert_eq!(ask(&mut lesson, "t", &json!({ "type": "enter", "index": 2 })), Err(Refusal::NoSuchMove));
}

#[test]
fn a_file_is_read_in_its_own_character_set_and_kept_in_utf_8() {
    let file = b"(;GM[1]CA[GB18030]SZ[9]PB[\xbf\xc2\xbd\xe0]C[\xba\xc3\xca\xd6];B[aa])";
    let lesson = Lesson::on_file("1", "A file", ["t", "Tomo"], file).unwrap();
    assert_eq!((lesson.state().players[0].as_str(), lesson.state().comment.as_str()), ("柯洁", "好手"));
    assert!(lesson.record(0).to_sgf().contains("CA[UTF-8]"));
    let begin = |bytes: &[u8]| Lesson::on_file("1", "A file", ["t", "Tomo"], bytes).unwrap_err();
    assert_eq!(begin(b"no record"), LessonStartError::NoRecord);
    assert_eq!(begin(" ".repeat(200_000).as_bytes()), LessonStartError::TooLong);
}

#[test]
fn a_lesson_has_the_komi_of_its_terms() {
    for komi in [6.5, 150.0] {
        let terms = Terms { komi: Some(komi), ..nine() };
        let lesson = Lesson::on_board("1", "Far ahead", ["t", "Tomo"], &terms).unwrap();
        assert_eq!(lesson.state().komi, komi);
    }
}

#[test]
fn people_come_and_go_and_are_no_more_than_there_is_room_for() {
    let mut lesson = class();
    assert!(lesson.connected("a", "Anna"), "a second window");
    assert!(lesson.take_letters().is_empty());
    lesson.disconnected("a");
    assert!(lesson.take_letters().is_empty());
    lesson.disconnected("a");
    let letters = lesson.take_letters();
    let Body::LessonState(update) = &letters[0].message.body else { panic!("{letters:?}") };
    assert_eq!(update.events, [LessonEvent::Went { name: "Anna".into() }]);
    assert!(!update.state.people[1].online);
    ask(&mut lesson, "t", &json!({ "type": "newcomers", "role": "audience" })).unwrap();
    for nth in 0..MAX_LESSON_PEOPLE - 3 {
        assert!(lesson.connected(&nth.to_string(), &nth.to_string()));
    }
    assert!(!lesson.connected("late", "Late") && lesson.connected("a", "Anna"));
    assert_eq!((lesson.role_of("a"), lesson.role_of("7")), (Some(Role::Student), Some(Role::Audience)));
    // Without its teacher a lesson ends.
    lesson.forget("a");
    assert!(!lesson.is_over() && lesson.role_of("a").is_none());
    lesson.forget("t");
    assert!(lesson.is_over());
}

#[test]
fn a_message_that_comes_twice_is_done_once() {
    let mut lesson = class();
    let message = json!({ "type": "pass", "id": 4 });
    ask(&mut lesson, "t", &message).unwrap();
    ask(&mut lesson, "t", &message).unwrap();
    assert_eq!(lesson.state().move_number, 1);
    let mut back = Lesson::from_kept(&lesson.to_kept()).unwrap();
    ask(&mut back, "t", &message).unwrap();
    assert_eq!(back.state().move_number, 1);
}

fn request() -> impl Strategy<Value = Value> {
    let (x, y) = (-1_i64..6, -1_i64..6);
    let name = prop_oneof![Just("Anna"), Just("Ben"), Just("Tomo"), Just("Nobody")];
    prop_oneof![
        6 => (x.clone(), y.clone()).prop_map(|(x, y)| json!({ "type": "play", "x": x, "y": y })),
        4 => (x.clone(), y.clone()).prop_map(|(x, y)| json!({ "type": "try", "x": x, "y": y })),
        1 => Just(json!({ "type": "pass" })),
        1 => Just(json!({ "type": "try" })),
        2 => (-4_i64..5).prop_map(|by| json!({ "type": "step", "by": by })),
        1 => (0_u32..3).prop_map(|index| json!({ "type": "enter", "index": index })),
        1 => (-1_i64..2).prop_map(|by| json!({ "type": "sibling", "by": by })),
        2 => Just(json!({ "type": "remove" })),
        1 => (x, y).prop_map(|(x, y)| json!({ "type": "mark", "x": x, "y": y, "shape": "square" })),
        1 => any::<String>().prop_map(|text| json!({ "type": "comment", "text": text })),
        1 => (0_u64..9).prop_map(|node| json!({ "type": "comment", "text": "there", "node": node })),
        1 => Just(json!({ "type": "try_back" })),
        1 => Just(json!({ "type": "follow" })),
        2 => Just(json!({ "type": "offer" })),
        1 => Just(json!({ "type": "withdraw" })),
        2 => name.clone().prop_map(|name| json!({ "type": "show_offer", "name": name })),
        1 => name.clone().prop_map(|name| json!({ "type": "dismiss_offer", "name": name })),
        1 => name.prop_map(|name| json!({ "type": "role", "name": name, "role": "audience" })),
        1 => any::<bool>().prop_map(|on| json!({ "type": "engine", "on": on })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whoever asks for whatever: a refusal changes nothing, those who heard everything know how things stand, and a
    /// lesson that was kept comes back as it was.
    #[test]
    fn a_lesson_comes_back_as_it_was(asked in proptest::collection::vec((0_usize..3, request()), 1..60)) {
        let mut lesson = Lesson::on_board("1", "Any", ["t", "Tomo"], &Terms { width: 5, height: 5, ..Terms::default() })
            .unwrap();
        for (id, name) in [("t", "Tomo"), ("a", "Anna"), ("b", "Ben")] {
            lesson.connected(id, name);
        }
        lesson.take_letters();
        let mut seen = lesson.state();
        let mut own = [None, None, None];
        for (who, message) in asked {
            // The teacher is asked most of the time, or little would happen.
            let person = ["t", "a", "b"][who];
            let before = lesson.state();
            let done = ask(&mut lesson, person, &message);
            if done.is_err() {
                prop_assert_eq!(&lesson.state(), &before);
            }
            for letter in lesson.take_letters() {
                match (letter.to.as_deref(), letter.message.body) {
                    (None, Body::LessonState(update)) => seen = update.state,
                    (Some(to), Body::OwnBoard { own: told }) => {
                        own[["t", "a", "b"].iter().position(|id| *id == to).unwrap()] = told;
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
        prop_assert_eq!(&seen, &lesson.state());
        let mut back = Lesson::from_kept(&lesson.to_kept()).unwrap();
        for (id, name) in [("t", "Tomo"), ("a", "Anna"), ("b", "Ben")] {
            back.connected(id, name);
        }
        // Its nodes have numbers of their own.
        prop_assert!(back.state().node > seen.node);
        prop_assert_eq!(&LessonState { node: seen.node, ..back.state() }, &seen);
        for (id, known) in ["t", "a", "b"].into_iter().zip(own) {
            prop_assert_eq!(&back.catch_up(id, None)[1].body, &Body::OwnBoard { own: known });
        }
        prop_assert_eq!(back.to_kept().replace(&format!("\"seq\":{}", back_seq(&back)), ""),
            lesson.to_kept().replace(&format!("\"seq\":{}", back_seq(&lesson)), ""));
    }
}

fn back_seq(lesson: &Lesson) -> u64 {
    lesson.catch_up("t", None)[0].seq
}
