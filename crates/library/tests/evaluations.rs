//! The evaluation store and the explorer that joins it with games.

use std::ops::ControlFlow;
use std::time::Duration;

use honinbo_library::{EvaluationContext, GameFilter, Library, LibraryOptions};
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{Board, BoardSize, Color, Game, Komi, Move, Point, Preset, Setup, Symmetry, Topology};

const NOW: i64 = 1_790_000_000_000;
const DAY: i64 = 86_400_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(folder.path().join("library.sqlite")).expect("a library");
    (folder, library)
}

fn context(komi: i32) -> EvaluationContext {
    EvaluationContext { network: "b10".into(), rules: "chinese".into(), komi: Komi::from_half_points(komi) }
}

fn place(x: usize, y: usize) -> Move {
    Move::Place(Point::new(x, y))
}

fn board(stones: &[(usize, usize, Color)]) -> Board {
    let stones = stones.iter().map(|&(x, y, color)| (Point::new(x, y), color));
    Board::with_stones(BoardSize::NINE, Topology::Plane, stones).expect("a position")
}

fn evaluation(visits: u32) -> PositionEvaluation {
    let mut black_ownership = vec![0.0; 81];
    (black_ownership[2], black_ownership[80]) = (1.0, -0.5);
    PositionEvaluation {
        visits,
        black_win_prob: 0.625,
        black_lead: Some(3.25),
        candidates: vec![
            CandidateEvaluation {
                played: place(2, 6),
                visits: 300,
                black_win_prob: 0.64,
                black_lead: Some(3.5),
                prior: 0.3,
                line: vec![place(2, 6), place(6, 6), Move::Pass],
            },
            CandidateEvaluation {
                played: Move::Pass,
                visits: 1,
                black_win_prob: 0.1,
                black_lead: Some(-9.0),
                prior: 0.001,
                line: vec![],
            },
        ],
        black_ownership,
        engine: None,
    }
}

fn assert_close(found: &PositionEvaluation, expected: &PositionEvaluation) {
    let close = |a: f64, b: f64, tolerance: f64| assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    assert_eq!(found.visits, expected.visits);
    close(found.black_win_prob, expected.black_win_prob, 1e-4);
    let lead = |lead: Option<f64>| lead.expect("none is kept without a lead");
    close(lead(found.black_lead), lead(expected.black_lead), 1.0 / 32.0);
    assert_eq!(found.candidates.len(), expected.candidates.len());
    for (a, b) in found.candidates.iter().zip(&expected.candidates) {
        assert_eq!((a.played, a.visits, &a.line), (b.played, b.visits, &b.line));
        close(a.black_win_prob, b.black_win_prob, 1e-4);
        close(lead(a.black_lead), lead(b.black_lead), 1.0 / 32.0);
        close(a.prior, b.prior, 1e-4);
    }
    assert_eq!(found.black_ownership.len(), expected.black_ownership.len());
    for (&a, &b) in found.black_ownership.iter().zip(&expected.black_ownership) {
        close(a.into(), b.into(), 0.005);
    }
}

#[test]
fn an_evaluation_comes_back_also_turned_and_after_a_restart() {
    let (_folder, library) = library();
    let position = board(&[(2, 2, Color::Black), (6, 3, Color::White), (1, 7, Color::Black)]);
    let stored = evaluation(500);
    assert!(library.store_evaluation(&position, Color::White, &context(13), &stored, NOW).unwrap());
    let path = library.path().to_owned();
    drop(library);
    let library = Library::open(path).unwrap();
    let found = library.evaluation(&position, Color::White, &context(13)).unwrap().unwrap();
    assert_close(&found, &stored);
    let size = BoardSize::NINE;
    for symmetry in Symmetry::ALL {
        let turned = |played: &Move| match played {
            Move::Place(point) => Move::Place(symmetry.apply(*point, size)),
            other => *other,
        };
        let mut expected = stored.clone();
        for candidate in &mut expected.candidates {
            candidate.played = turned(&candidate.played);
            candidate.line = candidate.line.iter().map(turned).collect();
        }
        for point in Point::all(size) {
            expected.black_ownership[symmetry.apply(point, size).index(size)] =
                stored.black_ownership[point.index(size)];
        }
        let found = library.evaluation(&position.transformed(symmetry), Color::White, &context(13)).unwrap().unwrap();
        assert_close(&found, &expected);
    }
}

#[test]
fn exchanged_colours_with_the_komi_turned_round_are_the_same_position() {
    let (_folder, library) = library();
    let position = board(&[(2, 2, Color::Black), (6, 3, Color::White)]);
    library.store_evaluation(&position, Color::Black, &context(13), &evaluation(10), NOW).unwrap();
    let swapped = position.colors_swapped();
    assert_eq!(library.evaluation(&swapped, Color::White, &context(13)).unwrap(), None);
    let found = library.evaluation(&swapped, Color::White, &context(-13)).unwrap().unwrap();
    assert!((found.black_win_prob - 0.375).abs() < 1e-4);
    assert!((found.black_lead.unwrap() + 3.25).abs() < 0.05);
    assert!((found.black_ownership[2] + 1.0).abs() < 0.01);
    // Another player to move, network, rules or komi: another question.
    assert_eq!(library.evaluation(&position, Color::White, &context(13)).unwrap(), None);
    assert_eq!(library.evaluation(&position, Color::Black, &context(15)).unwrap(), None);
    let other = EvaluationContext { network: "b18".into(), ..context(13) };
    assert_eq!(library.evaluation(&position, Color::Black, &other).unwrap(), None);
}

#[test]
fn a_better_evaluation_replaces_a_worse_one_and_not_the_other_way_round() {
    let (_folder, library) = library();
    let position = board(&[(4, 4, Color::Black)]);
    let store = |visits| {
        let stored = PositionEvaluation { black_ownership: Vec::new(), ..evaluation(visits) };
        library.store_evaluation(&position, Color::White, &context(13), &stored, NOW).unwrap()
    };
    let visits = || library.evaluation(&position, Color::White, &context(13)).unwrap().unwrap().visits;
    assert!(store(1));
    assert!(store(100));
    assert!(!store(50));
    assert!(!store(100));
    assert_eq!(visits(), 100);
    assert!(library.store_evaluation(&position, Color::White, &context(13), &evaluation(100), NOW).unwrap());
    assert_eq!(library.evaluation_count().unwrap().0, 1);
}

#[test]
fn shrinking_keeps_what_is_used_and_what_was_dear() {
    let (folder, library) = library();
    let positions: Vec<Board> = (0..40).map(|n| board(&[(n % 9, n / 9, Color::Black), (8, 8, Color::White)])).collect();
    let store = |n: usize, visits, at| {
        library.store_evaluation(&positions[n], Color::Black, &context(13), &evaluation(visits), at).unwrap()
    };
    let mut stored = 0;
    for n in 0..40 {
        // The first ones are dear, the others are the network alone and old.
        stored += usize::from(store(n, if n < 5 { 10_000 } else { 1 }, NOW - 100 * DAY));
    }
    let there = |n: usize| library.evaluation(&positions[n], Color::Black, &context(13)).unwrap().is_some();
    library.touch_evaluation(&positions[30], Color::Black, &context(13), NOW).unwrap();
    let removed = library.shrink_evaluations(2).unwrap();
    assert!(removed > 0 && (removed as usize) < stored);
    let (count, kib) = library.evaluation_count().unwrap();
    assert!(kib <= 2 && count > 0, "{count} evaluations in {kib} KiB");
    assert!((0..5).all(there) && there(30), "what is useful went first");
    assert_eq!(library.shrink_evaluations(2).unwrap(), 0);
    let file = rusqlite::Connection::open(folder.path().join("library.sqlite")).unwrap();
    let sum = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    let bytes = file.query_row("SELECT sum(length(data) + 28) FROM evaluations", [], sum).unwrap();
    assert!(bytes <= 2048 * 95 / 100, "there is room for others: {bytes}");
}

#[test]
fn a_store_that_has_room_is_not_written_to_be_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let options = LibraryOptions { busy_timeout: Duration::from_millis(1), ..LibraryOptions::default() };
    let library = Library::open_with(&path, options).unwrap();
    let positions: Vec<Board> = (0..3).map(|n| board(&[(n, 0, Color::Black), (8, 8, Color::White)])).collect();
    let store = |n: usize, visits| {
        library.store_evaluation(&positions[n], Color::Black, &context(13), &evaluation(visits), NOW).unwrap()
    };
    assert!(store(0, 5) && store(1, 7));
    let another = rusqlite::Connection::open(&path).unwrap();
    another.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(library.shrink_evaluations(100).unwrap(), 0, "nobody waits for the other program");
    assert!(library.shrink_evaluations(0).is_err());
    another.execute_batch("ROLLBACK").unwrap();
    assert_eq!(library.shrink_evaluations(0).unwrap(), 2);
    // What is stored after it was counted is seen, and so is what is stored after all was forgotten.
    assert!(store(2, 5));
    assert_eq!(library.shrink_evaluations(0).unwrap(), 1);
    assert!(store(2, 5));
    library.clear_evaluations().unwrap();
    assert!(store(0, 5));
    assert_eq!(library.shrink_evaluations(0).unwrap(), 1);
}

#[test]
fn values_that_are_no_numbers_never_come_out() {
    let (_folder, library) = library();
    let position = board(&[(4, 4, Color::Black)]);
    let broken = PositionEvaluation {
        black_win_prob: f64::NAN,
        black_lead: Some(f64::INFINITY),
        black_ownership: vec![f32::NAN; 81],
        ..evaluation(7)
    };
    library.store_evaluation(&position, Color::White, &context(13), &broken, NOW).unwrap();
    let found = library.evaluation(&position, Color::White, &context(13)).unwrap().unwrap();
    assert!(found.black_win_prob.is_finite() && found.black_lead.is_some_and(f64::is_finite));
    assert!(found.black_ownership.iter().all(|owner| owner.is_finite()));
}

#[test]
fn the_explorer_joins_games_and_evaluations() {
    let (_folder, library) = library();
    for (n, (moves, result)) in
        [(";B[ee];W[gc]", "B+R"), (";B[ee];W[gg]", "W+R"), (";B[ee];W[ge]", "B+1.5"), (";B[cc];W[gg]", "W+2")]
            .iter()
            .enumerate()
    {
        library.save_record(&format!("(;SZ[9]PB[{n}]RE[{result}]DT[200{n}]{moves})",), NOW).unwrap();
    }
    let empty = Board::new(BoardSize::NINE, Topology::Plane);
    let mut centre = empty.clone();
    centre.play(Color::Black, Point::new(4, 4)).unwrap();
    let lead = |lead: f64| PositionEvaluation { black_lead: Some(lead), ..evaluation(64) };
    library.store_evaluation(&empty, Color::Black, &context(13), &lead(1.0), NOW).unwrap();
    library.store_evaluation(&centre, Color::White, &context(13), &lead(0.5), NOW).unwrap();
    let explore = |board: &Board, to_play, context: Option<&EvaluationContext>| {
        library.explore(board, to_play, context, &GameFilter::default(), &mut |_| ControlFlow::Continue(())).unwrap()
    };
    let found = explore(&empty, Color::Black, Some(&context(13)));
    assert_eq!((found.games.found, found.moves.len()), (4, 2));
    assert_eq!((found.moves[0].continuation.point, found.moves[0].continuation.games), (Some((4, 4)), 3));
    assert_eq!(found.moves[0].evaluation.map(|e| e.visits), Some(64));
    // Against the best candidate, not against what is thought of the position.
    assert!((found.moves[0].points_lost.unwrap() - 3.0).abs() < 0.05);
    assert_eq!((found.moves[1].evaluation, found.moves[1].points_lost), (None, None));
    // The two corners are the same by symmetry.
    let found = explore(&centre, Color::White, None);
    assert_eq!(found.moves.iter().map(|m| m.continuation.games).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(found.evaluation, None);
}

#[test]
fn what_the_network_was_told_beside_the_board_is_a_part_of_the_key() {
    let game = |preset: Preset, handicap: usize| {
        let setup = Setup::new(BoardSize::NINETEEN, Topology::Plane, preset.ruleset(), Komi::from_half_points(13));
        Game::new(if handicap > 0 { setup.with_fixed_handicap(handicap).unwrap() } else { setup }).unwrap()
    };
    let of = |game: &Game| EvaluationContext::of(game, "b10").map(|context| context.komi.half_points());
    let play = |game: &mut Game, moves: &[(usize, usize)]| {
        for &(x, y) in moves {
            game.play(game.to_play(), place(x, y)).unwrap();
        }
    };
    // Under area scoring neither moves nor prisoners count, handicap stones do.
    let mut chinese = game(Preset::Chinese, 0);
    play(&mut chinese, &[(1, 0), (0, 0), (0, 1)]);
    assert_eq!((chinese.board().count(Color::White), of(&chinese)), (0, Some(13)));
    assert_eq!(of(&game(Preset::Chinese, 2)), Some(13 + 4));
    // Where territory is counted, a white stone taken is a point for Black, and moves in turn are nothing.
    let mut japanese = game(Preset::Japanese, 0);
    play(&mut japanese, &[(1, 0), (0, 0)]);
    let before = japanese.clone();
    assert_eq!(of(&before), Some(13));
    play(&mut japanese, &[(0, 1)]);
    assert_eq!(of(&japanese), Some(13 - 2));
    let after = EvaluationContext::of(&before, "b10").unwrap().after(before.board(), japanese.board());
    assert_eq!(Some(after), EvaluationContext::of(&japanese, "b10"));
    // After a pass another pass would end the game, which the board does not show.
    japanese.play(Color::White, Move::Pass).unwrap();
    assert_eq!(of(&japanese), None);
    assert_eq!(EvaluationContext::of(&chinese, ""), None);
}

#[test]
fn everything_can_be_forgotten() {
    let (_folder, library) = library();
    let position = board(&[(4, 4, Color::Black)]);
    library.store_evaluation(&position, Color::White, &context(13), &evaluation(7), NOW).unwrap();
    assert_eq!(library.clear_evaluations().unwrap(), 1);
    assert_eq!(library.evaluation(&position, Color::White, &context(13)).unwrap(), None);
    library.store_evaluation(&position, Color::White, &context(13), &evaluation(5), NOW).unwrap();
    assert_eq!(library.evaluation_count().unwrap().0, 1);
}
