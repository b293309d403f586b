//! What reviews found, by class of move: sums, positions, openings, trainings; and how fast ten thousand games are read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use honinbo_library::{
    GameId, JudgedDepth, JudgedMove, JudgedOpening, Judgement, Library, LibraryError, MoveClass, NewCard, Training,
};
use honinbo_rules::{Board, BoardSize, Color, Point, Topology};
use std::time::Instant;

const DAY: i64 = 86_400_000;

/// A position with two stones, another one for each number.
fn board(number: usize) -> Board {
    let mut board = Board::new(BoardSize::NINETEEN, Topology::Plane);
    let at = number % 361;
    let other = (at + 1 + number / 361 % 360) % 361;
    board.play(Color::Black, Point::from_index(at, BoardSize::NINETEEN)).unwrap();
    board.play(Color::White, Point::from_index(other, BoardSize::NINETEEN)).unwrap();
    board
}

fn game(library: &Library, name: &str, day: u32, at: usize) -> GameId {
    let date = format!("{:04}-{:02}-{:02}", day / 10000, day / 100 % 100, day % 100);
    let letter = |at: usize| char::from(b'a' + (at % 19) as u8);
    let moves = format!(";B[{}{}];W[{}{}]", letter(at), letter(at / 19), letter(at + 7), letter(at / 361));
    let sgf = format!("(;SZ[19]PB[{name}]PW[Ben{at}]DT[{date}]RE[B+R]{moves})");
    library.save_record(&sgf, 1).unwrap().id
}

fn keep(library: &Library, id: &GameId, moves: &[JudgedMove], openings: &[JudgedOpening], visits: u32) -> bool {
    let sgf = library.game(id).unwrap().sgf;
    keep_of(library, id, &sgf, moves, openings, (visits, "b10"))
}

fn keep_of(
    library: &Library,
    id: &GameId,
    sgf: &str,
    moves: &[JudgedMove],
    openings: &[JudgedOpening],
    (visits, network): (u32, &str),
) -> bool {
    let tree = &honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0).tree;
    let depth = &JudgedDepth { visits, network: network.into() };
    library.keep_judgement(id, &Judgement { tree, depth, moves, openings }, 10).unwrap()
}

fn judged(number: u32, mistake: bool, kind: Option<MoveClass>, at: usize) -> JudgedMove {
    let mut classes = vec![MoveClass::Opening, MoveClass::Corner, MoveClass::Even];
    classes.extend(kind);
    JudgedMove {
        number,
        color: Color::Black,
        lost: if mistake { 3.0 } else { 0.5 },
        before: board(at),
        classes,
        mistake,
    }
}

fn sum_of(library: &Library, class: MoveClass) -> (f64, f64) {
    let sums = library.player_sums("Aya").unwrap().sums;
    sums.iter()
        .filter(|sum| sum.class == class)
        .fold((0.0, 0.0), |so_far, sum| (so_far.0 + sum.moves, so_far.1 + sum.mistakes))
}

#[test]
fn moves_are_counted_by_class_and_a_game_that_is_judged_anew_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let id = game(&library, "Aya", 20_260_301, 5);
    assert_eq!(library.unjudged_games("Aya", 9).unwrap(), std::slice::from_ref(&id));
    let moves = [
        judged(1, true, Some(MoveClass::Joseki), 1),
        judged(3, false, None, 2),
        judged(5, true, Some(MoveClass::Ko), 3),
    ];
    let opening = JudgedOpening { color: Color::Black, corner: true, line: "odd".into(), number: 5, lost: 2.0 };
    for _ in 0..2 {
        assert!(keep(&library, &id, &moves, std::slice::from_ref(&opening), 50));
    }
    assert!(library.judged_depth(&id).unwrap().is_some() && library.unjudged_games("Aya", 9).unwrap().is_empty());
    assert_eq!(sum_of(&library, MoveClass::All), (3.0, 2.0));
    assert_eq!(sum_of(&library, MoveClass::Opening), (3.0, 2.0));
    assert_eq!(sum_of(&library, MoveClass::Ko), (3.0, 1.0), "a kind is a share of all moves");
    assert_eq!(sum_of(&library, MoveClass::Hurried), (0.0, 0.0));
    let at: Vec<u32> =
        library.player_mistakes_of("Aya", MoveClass::Ko, 9).unwrap().iter().map(|found| found.number).collect();
    assert_eq!(at, [5]);
    assert_eq!(library.player_mistakes_of("Aya", MoveClass::All, 9).unwrap().len(), 2);
    let openings = library.player_openings("Aya").unwrap();
    assert_eq!((openings.len(), openings[0].games, openings[0].wins, openings[0].corner), (1, 1, 1, true));
    assert!(matches!(library.player_sums("Nobody"), Err(LibraryError::UnknownPlayer { .. })));
}

#[test]
fn games_with_a_clock_are_counted_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let mut moves = [judged(1, true, None, 1), judged(3, false, None, 2)];
    assert!(keep(&library, &game(&library, "Aya", 20_260_301, 5), &moves, &[], 50));
    for (made, class) in moves.iter_mut().zip([MoveClass::Unhurried, MoveClass::Hurried]) {
        made.classes.push(class);
    }
    assert!(keep(&library, &game(&library, "Aya", 20_260_302, 6), &moves, &[], 50));
    let known = library.player_sums("Aya").unwrap();
    assert_eq!((known.games, known.judged, known.timed), (2, 2, 1));
}

#[test]
fn the_deeper_review_counts_and_another_network_has_its_own_opinion() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let id = game(&library, "Aya", 20_260_301, 5);
    let (one, two) = ([judged(1, true, None, 1)], [judged(1, true, None, 1), judged(3, false, None, 2)]);
    assert!(keep(&library, &id, &two, &[], 100) && keep(&library, &id, &one, &[], 50));
    assert_eq!(sum_of(&library, MoveClass::All), (2.0, 1.0), "the shallower one came later");
    assert!(keep(&library, &id, &one, &[], 100));
    assert_eq!(sum_of(&library, MoveClass::All), (1.0, 1.0), "one as deep is newer");
    let sgf = library.game(&id).unwrap().sgf;
    assert!(keep_of(&library, &id, &sgf, &two, &[], (50, "b18")));
    assert_eq!(sum_of(&library, MoveClass::All), (2.0, 1.0));
    let depth = JudgedDepth { visits: 50, network: "b18".into() };
    assert_eq!(library.judged_depth(&id).unwrap(), Some(depth));
    assert_eq!(library.player_sums("Aya").unwrap().judged, 1);
}

#[test]
fn a_review_counts_for_the_moves_that_it_saw_and_for_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let before = "(;SZ[19]PB[Aya]PW[Ben];B[dd];W[pp])";
    let id = library.save_record(before, 1).unwrap().id;
    let moves = [judged(1, true, None, 1)];
    let edit = |sgf: &str| {
        let tree = honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0).tree;
        library.update_record(&id, &tree, 20).unwrap();
    };
    let counts = || library.player_sums("Aya").unwrap().judged;
    assert!(keep(&library, &id, &moves, &[], 50));
    edit("(;SZ[19]PB[Aya]PW[Benjamin]C[so it went];B[dd](;W[pp])(;W[qq];B[cc]))");
    assert_eq!(counts(), 1, "a name, a comment and a variation are no moves of the game");
    edit("(;SZ[19]PB[Aya]PW[Ben];B[dd];W[pp];B[cc])");
    assert_eq!(counts(), 0, "the game went on");
    // A review that was under way meanwhile has seen another game.
    assert!(!keep_of(&library, &id, before, &moves, &[], (400, "b10")));
    assert_eq!(counts(), 0);
    assert!(keep(&library, &id, &moves, &[], 50));
    library.undo().unwrap();
    assert_eq!(counts(), 0, "the change was taken back");
    assert!(keep_of(&library, &id, before, &moves, &[], (50, "b10")));
    assert_eq!(counts(), 1);
}

#[test]
fn a_review_counts_for_the_komi_rules_and_handicap_that_it_judged_by_and_for_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let game = |facts: &str| format!("(;SZ[19]PB[Aya]PW[Ben]{facts};B[dd];W[pp])");
    let before = game("RU[Chinese]KM[7.5]");
    let id = library.save_record(&before, 1).unwrap().id;
    let moves = [judged(1, true, None, 1)];
    let edit = |sgf: &str| {
        let tree = honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0).tree;
        library.update_record(&id, &tree, 20).unwrap();
    };
    let counts = || library.player_sums("Aya").unwrap().judged;
    for facts in [
        "RU[Chinese]KM[0.5]",
        "RU[Japanese]KM[7.5]",
        "RU[Chinese]KM[7.5]AB[qd]",
        "RU[Chinese]KM[7.5]HA[3]AB[pd][dp][qq]",
    ] {
        edit(&before);
        assert!(keep(&library, &id, &moves, &[], 50) && counts() == 1);
        edit(&game(facts));
        assert_eq!(counts(), 0, "{facts}");
        // A review of what it was that was under way meanwhile.
        assert!(!keep_of(&library, &id, &before, &moves, &[], (50, "b10")), "{facts}");
        library.undo().unwrap();
        assert!(keep_of(&library, &id, &before, &moves, &[], (50, "b10")));
    }
    // A result, a date and another way to write the same rules change no judgement.
    edit(&game("RU[chinese]KM[7.50]RE[W+R]DT[2026-03-01]EV[Club]"));
    assert_eq!(counts(), 1);
    let letter = |at: usize| char::from(b'a' + (at % 19) as u8);
    // Another version of a game that comes in, by somebody who noted another komi.
    let line = |moves: usize| -> String {
        (0..moves).map(|at| format!(";{}[{}{}]", ["B", "W"][at % 2], letter(at), letter(at / 19))).collect()
    };
    let id = library.save_record(&format!("(;SZ[19]PB[Eve]PW[Flo]KM[6.5]{})", line(24)), 1).unwrap().id;
    assert!(keep(&library, &id, &moves, &[], 50));
    let noted = format!("(;SZ[19]PB[Eve]PW[Flo]KM[0.5]C[as I remember it]{})", line(24));
    assert_eq!(library.save_record(&noted, 2).unwrap().duplicate_of, Some(id.clone()));
    let judged_by_its_text = library.game(&id).unwrap().sgf.contains("KM[6.5]");
    assert_eq!(library.judged_depth(&id).unwrap().is_some(), judged_by_its_text);
}

#[test]
fn a_game_is_known_again_by_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let letter = |at: usize| char::from(b'a' + (at % 19) as u8);
    let line: String =
        (0..24).map(|at| format!(";{}[{}{}]", ["B", "W"][at % 2], letter(at), letter(3 + at / 19))).collect();
    let id = library.save_record(&format!("(;SZ[19]PB[Aya]PW[Ben]{line})"), 1).unwrap().id;
    let same = |sgf: &str| library.version_of(&honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0).tree).unwrap();
    assert_eq!(same(&format!("(;SZ[19]PB[Aya]PW[Ben]C[from a file]{line})")), Some(id));
    assert_eq!(same("(;SZ[19]PB[Aya]PW[Ben];B[pd];W[dd])"), None);
}

#[test]
fn a_training_parts_the_games_and_leaves_out_positions_that_are_practised() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let day = |number: i64| 1_767_225_600_000 + number * DAY; // 2026-01-01
    for (at, date) in [20_260_105, 20_260_205, 20_260_305].into_iter().enumerate() {
        let id = game(&library, "Aya", date, at * 3);
        let moves = [
            judged(1, true, Some(MoveClass::Ko), 10 + at),
            judged(3, true, Some(MoveClass::Ko), 99),
            judged(5, false, None, 20),
        ];
        keep(&library, &id, &moves, &[], 50);
    }
    library.begin_training(MoveClass::Ko, day(30)).unwrap();
    library.begin_training(MoveClass::Ko, day(33)).unwrap();
    let going = Training { class: MoveClass::Ko, began: day(30), ended: None };
    assert_eq!(library.trainings().unwrap(), [going]);
    let parts = |training| -> Vec<(u32, f64, f64)> {
        let mut sums: Vec<_> = library
            .training_sums("Aya", training, 0)
            .unwrap()
            .iter()
            .map(|sum| (sum.when, sum.moves, sum.mistakes))
            .collect();
        sums.sort_by_key(|sum| sum.0);
        sums
    };
    assert_eq!(parts(going), [(0, 3.0, 2.0), (1, 6.0, 4.0)]);
    let card = NewCard { sgf: "(;SZ[19])".into(), played: None, lost: 3.0, recorded: Vec::new() };
    library.add_card(&board(99), Color::Black, &card, day(30)).unwrap();
    assert_eq!(parts(going), [(0, 2.0, 1.0), (1, 4.0, 2.0)]);
    library.end_training(MoveClass::Ko, day(50)).unwrap();
    let over = library.trainings().unwrap()[0];
    assert_eq!(parts(over), [(0, 2.0, 1.0), (1, 2.0, 1.0), (2, 2.0, 1.0)]);
}

#[test]
fn days_of_a_training_are_those_of_the_persons_clock() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let midnight = 1_767_225_600_000 + 31 * DAY; // 2026-02-01 in UTC
    let half_an_hour = 1_800_000;
    // The record says no day: it is the one on which it came in.
    let sgf = "(;SZ[19]PB[Aya]PW[Ben]RE[B+R];B[aa];W[bb];B[cc])";
    let id = library.save_record(sgf, midnight - half_an_hour).unwrap().id;
    assert!(keep(&library, &id, &[judged(1, true, Some(MoveClass::Ko), 10)], &[], 50));
    let training = Training { class: MoveClass::Ko, began: midnight + half_an_hour, ended: None };
    let parts = |minutes_ahead| -> Vec<u32> {
        library.training_sums("Aya", training, minutes_ahead).unwrap().iter().map(|sum| sum.when).collect()
    };
    assert_eq!((parts(0), parts(60)), (vec![0], vec![1]), "before it in UTC, on its first day an hour further east");
}

/// Ten thousand games with a hundred mistakes each; prints how long the page, its positions and openings take.
#[test]
fn ten_thousand_games_with_a_hundred_mistakes_each_are_read_at_once() {
    if !honinbo_testkit::fixtures::slow_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let kinds: Vec<MoveClass> = MoveClass::ALL.iter().copied().filter(|class| class.is_kind()).collect();
    for at in 0..10_000_usize {
        let id = game(&library, "Aya", 20_200_101 + (at as u32 % 6) * 10_000 + (at as u32 % 12) * 100, at);
        let moves: Vec<JudgedMove> = (0..100)
            .map(|number| judged(number as u32 + 1, true, Some(kinds[number % 9]), at * 100 + number))
            .collect();
        let line = format!("line {}", at % 50);
        let opening = JudgedOpening { color: Color::Black, corner: false, line, number: 8, lost: 2.0 };
        keep(&library, &id, &moves, &[opening], 50);
    }
    library.begin_training(MoveClass::Ko, 1_700_000_000_000).unwrap();
    let training = library.trainings().unwrap()[0];
    for round in 0..3 {
        let start = Instant::now();
        let sums = library.player_sums("Aya").unwrap();
        let page = start.elapsed();
        let start = Instant::now();
        let positions = library.player_mistakes_of("Aya", MoveClass::Ko, 60).unwrap();
        let list = start.elapsed();
        let start = Instant::now();
        let openings = library.player_openings("Aya").unwrap();
        let opened = start.elapsed();
        let start = Instant::now();
        let trained = library.training_sums("Aya", training, 0).unwrap();
        println!(
            "round {round}: sums {page:?}, positions {list:?}, openings {opened:?}, training {:?}",
            start.elapsed()
        );
        assert_eq!((sums.judged, positions.len(), openings.len()), (10_000, 60, 30));
        assert!(!trained.is_empty());
    }
}
