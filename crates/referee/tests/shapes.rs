//! Shapes whose fate every book tells.

#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_referee::{Fate, Limits, Referee, Role, Ruling};
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Symmetry, Topology};

/// The largest white chain of a diagram, with every white chain of two stones and more.
fn group(board: &Board) -> Vec<Point> {
    let chains = board.chains().filter(|chain| chain.color() == Color::White && chain.len() > 1);
    chains.flat_map(|chain| chain.stones().collect::<Vec<_>>()).collect()
}

fn board(diagram: &str) -> Board {
    Board::from_diagram(diagram, Topology::Plane).unwrap()
}

/// White around an eye space, Black around White, on a board of eleven lines; the eye space begins at a point.
fn around(eye: &[(usize, usize)], outside_liberties: usize) -> Board {
    around_on(BoardSize::square(11).unwrap(), eye, outside_liberties)
}

fn around_on(size: BoardSize, eye: &[(usize, usize)], outside_liberties: usize) -> Board {
    let near = |&(x, y): &(usize, usize), &(a, b): &(usize, usize)| x.abs_diff(a) <= 1 && y.abs_diff(b) <= 1;
    let all: Vec<(usize, usize)> = (0..size.width()).flat_map(|x| (0..size.height()).map(move |y| (x, y))).collect();
    let white: Vec<_> = all.iter().filter(|at| !eye.contains(at) && eye.iter().any(|e| near(at, e))).copied().collect();
    let beside = |&(x, y): &(usize, usize)| white.iter().any(|&(a, b)| x.abs_diff(a) + y.abs_diff(b) == 1);
    let black: Vec<_> = all
        .iter()
        .filter(|at| !eye.contains(at) && !white.contains(at) && white.iter().any(|w| near(at, w)))
        .copied()
        .collect();
    // Liberties outside are holes in Black's wall, closed by one more stone each.
    let holes: Vec<_> = black.iter().filter(|at| beside(at)).step_by(2).take(outside_liberties).copied().collect();
    let mut stones = Vec::new();
    for at in &all {
        let point = Point::new(at.0, at.1);
        if white.contains(at) {
            stones.push((point, Color::White));
        } else if black.contains(at) && !holes.contains(at)
            || holes.iter().any(|hole| near(at, hole)) && !eye.contains(at) && !holes.contains(at)
        {
            stones.push((point, Color::Black));
        }
    }
    Board::with_stones(size, Topology::Plane, stones).unwrap()
}

/// The fate with the attacker and with the owner first.
fn fates(board: &Board) -> [Fate; 2] {
    let verdict = Referee::new(board, &group(board), Limits::default()).verdict();
    [verdict.attacker_first.fate, verdict.defender_first.fate]
}

const DEAD: [Fate; 2] = [Fate::Dead, Fate::Dead];
const ALIVE: [Fate; 2] = [Fate::Alive, Fate::Alive];
const OPEN: [Fate; 2] = [Fate::Dead, Fate::Alive];

/// An eye space drawn with `*`, its upper left corner at a point.
fn eye(drawn: &[&str], (left, top): (usize, usize)) -> Vec<(usize, usize)> {
    let row = |(y, line): (usize, &&str)| {
        line.chars().enumerate().filter(|(_, c)| *c == '*').map(|(x, _)| (left + x, top + y)).collect::<Vec<_>>()
    };
    drawn.iter().enumerate().flat_map(row).collect()
}

#[test]
fn eye_spaces_in_the_middle() {
    for (name, drawn, wanted) in [
        ("one point", &["*"][..], DEAD),
        ("two points", &["**"], DEAD),
        ("straight three", &["***"], OPEN),
        ("bent three", &["**", "*."], OPEN),
        ("square four", &["**", "**"], DEAD),
        ("straight four", &["****"], ALIVE),
        ("bent four", &["***", "*.."], ALIVE),
        ("twisted four", &["**.", ".**"], ALIVE),
        ("pyramid four", &["***", ".*."], OPEN),
        ("crossed five", &[".*.", "***", ".*."], OPEN),
        ("bulky five", &["**.", "***"], OPEN),
        ("straight five", &["*****"], ALIVE),
        ("rabbity six", &["**.", "***", ".*."], OPEN),
        ("rectangular six", &["***", "***"], ALIVE),
    ] {
        assert_eq!(fates(&around(&eye(drawn, (4, 4)), 0)), wanted, "{name}");
    }
}

#[test]
fn eye_spaces_in_the_corner() {
    for (name, drawn, outside, wanted) in [
        ("three along the edge", &["***"][..], 0, OPEN),
        ("square four", &["**", "**"], 0, DEAD),
        ("four along the edge", &["****"], 0, ALIVE),
        ("six without liberties outside", &["***", "***"], 0, OPEN),
        ("six with two liberties outside", &["***", "***"], 2, ALIVE),
    ] {
        assert_eq!(fates(&around(&eye(drawn, (0, 0)), outside)), wanted, "{name}");
    }
}

#[test]
fn six_in_the_corner_with_a_liberty_outside_is_a_ko() {
    let [attacker, defender] = fates(&around(&eye(&["***", "***"], (0, 0)), 1));
    assert!(matches!(attacker, Fate::Ko { .. }), "{attacker:?}");
    assert_eq!(defender, Fate::Alive);
}

#[test]
fn a_square_of_nine_in_the_corner_lives_when_its_owner_is_first() {
    let board = around(&eye(&["***", "***", "***"], (0, 0)), 1);
    assert_eq!(Referee::new(&board, &group(&board), Limits::default()).rule(Color::White, &[]).fate, Fate::Alive);
}

#[test]
fn four_points_in_the_corner_are_dead_and_six_are_not() {
    let l = board(
        ". . O X . . . . .
         . . O X . . . . .
         O O O X . . . . .
         X X X X . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    assert_eq!(fates(&l), DEAD, "square four in the corner");
    let l = board(
        ". . . . X . . . .
         . . O O X . . . .
         O O O X X . . . .
         X X X X . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let [_, defender] = fates(&l);
    assert_eq!(defender, Fate::Alive);
}

#[test]
fn neither_plays_in_a_seki() {
    // Six in a row, four of them Black's: who plays at an end is taken.
    let row = eye(&["******"], (3, 4));
    let inside: Vec<_> = row[1..5].iter().map(|&(x, y)| (Point::new(x, y), Color::Black)).collect();
    let size = BoardSize::new(13, 9).unwrap();
    let outside = around_on(size, &row, 0);
    let seki = Board::with_stones(size, Topology::Plane, outside.stones().chain(inside)).unwrap();
    assert_eq!(fates(&seki), [Fate::Seki, Fate::Seki]);
    // Three in a row of five: White has no liberty to take them with.
    let row = eye(&["*****"], (3, 4));
    let inside: Vec<_> = row[1..4].iter().map(|&(x, y)| (Point::new(x, y), Color::Black)).collect();
    let three = Board::with_stones(size, Topology::Plane, around_on(size, &row, 0).stones().chain(inside)).unwrap();
    assert_eq!(fates(&three), [Fate::Seki, Fate::Seki]);
}

#[test]
fn a_direct_ko_belongs_to_who_takes_first() {
    let board = around(&eye(&["***", "***"], (0, 0)), 1);
    assert_eq!(fates(&board)[0], Fate::Ko { first: Role::Attacker, threats: 1 });
    // One eye, and one that Black may break by taking a stone, which White cannot mend: threats put it off, and no number
    // of them suffices.
    let ko = crate::board(
        ". O . O X . .
         O O O X X . .
         X X X X . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!(fates(&ko), DEAD);
}

#[test]
fn a_stone_taken_elsewhere_brings_no_group_back() {
    let board = board(
        ". O . X O X X X .
         O O O O O . O O X
         X X X X X X X X .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    // Black takes two stones for good; then White may take one of Black's that has nothing to do with them.
    let verdict = Referee::new(&board, &[Point::new(6, 1)], Limits::default()).verdict();
    assert_eq!(verdict.attacker_first.fate, Fate::Dead);
    assert_eq!(verdict.attacker_first.line, [Move::Place(Point::new(5, 1))]);
    assert_eq!(verdict.defender_first.fate, Fate::Alive);
}

#[test]
fn a_ko_binds_only_whose_stone_was_taken() {
    let mut taken = board(
        ". O O X . X . . .
         O O X O X X . . .
         X X X O O O X . .
         . . X O . O X . .
         . . X O O O X . .
         . . X X X X X . .
         . . . . . . . . .",
    );
    taken.play(Color::White, Point::new(4, 0)).unwrap();
    let ko = Point::new(3, 0);
    assert_eq!(taken.ko_point(), Some(ko));
    // White connects two halves with an eye each there, and Black needs a threat to retake.
    let mut referee = Referee::new(&taken, &group(&taken), Limits { empty_points: 8, ..Limits::default() });
    let verdict = referee.verdict();
    assert_eq!(verdict.defender_first.fate, Fate::Alive);
    assert_eq!(verdict.attacker_first.fate, Fate::Ko { first: Role::Defender, threats: 1 });
    let fate_at_ko = |moves: Vec<(Move, Ruling)>| {
        moves.into_iter().find(|(played, _)| *played == Move::Place(ko)).map(|(_, ruling)| ruling.fate)
    };
    assert_eq!(fate_at_ko(referee.moves(Color::White)), Some(Fate::Alive));
    assert_eq!(fate_at_ko(referee.moves(Color::Black)), None);
}

#[test]
fn neither_plays_where_four_stones_share_two_liberties() {
    let bent = board(
        ". X O . O X . . .
         X X O O O X . . .
         X O O X X X . . .
         . O X X . . . . .
         O O X . . . . . .
         X X X . . . . . .
         . . . . . . . . .",
    );
    assert_eq!(fates(&bent), [Fate::Seki, Fate::Seki]);
}

#[test]
fn a_verdict_is_the_same_turned_and_with_exchanged_colours() {
    let boards = [
        around(&eye(&["***"], (0, 0)), 0),
        around(&eye(&["**.", "***"], (4, 4)), 1),
        around(&eye(&["***", "***"], (0, 0)), 1),
    ];
    for board in boards {
        let wanted = fates(&board);
        for symmetry in Symmetry::ALL {
            let turned = board.transformed(symmetry);
            assert_eq!(fates(&turned), wanted, "{symmetry:?}\n{turned}");
            let size = board.size();
            let stones: Vec<Point> = group(&board).into_iter().map(|point| symmetry.apply(point, size)).collect();
            let verdict = Referee::new(&turned.colors_swapped(), &stones, Limits::default()).verdict();
            assert_eq!([verdict.attacker_first.fate, verdict.defender_first.fate], wanted);
        }
    }
}

#[test]
fn a_line_shows_how_it_is_taken_and_every_wrong_move_is_refuted() {
    let board = around(&eye(&["***"], (0, 0)), 0);
    let mut referee = Referee::new(&board, &group(&board), Limits::default());
    let middle = Move::Place(Point::new(1, 0));
    let moves = referee.moves(Color::Black);
    let winning: Vec<&Ruling> = moves.iter().filter(|(_, ruling)| ruling.fate == Fate::Dead).map(|(_, r)| r).collect();
    assert_eq!(winning.len(), 1);
    for (played, ruling) in &moves {
        assert_eq!(ruling.fate, if *played == middle { Fate::Dead } else { Fate::Alive }, "{played}");
        if *played != middle {
            assert_eq!(ruling.line.first(), Some(&middle), "White's answer to {played}");
        }
    }
    assert_eq!(referee.rule(Color::Black, &[]).line.first(), Some(&middle));
}

#[test]
fn what_surrounds_is_taken_from_a_point_that_the_group_does_not_touch() {
    let board = board(
        "O O O X . . . . .
         X O O X . . . . .
         . X O X . . . . .
         X O . X . . . . .
         X X X X . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    // White takes two stones on the left edge, and has an eye and one that is held by ko threats alone.
    let ruling = Referee::new(&board, &group(&board), Limits::default()).rule(Color::White, &[]);
    assert_eq!(ruling.fate, Fate::Dead);
    let first: Vec<_> = ruling.line.iter().take(2).map(|played| played.point().unwrap()).collect();
    assert_eq!(first, [Point::new(0, 2), Point::new(2, 3)], "{ruling:?}");
}

#[test]
fn an_open_position_is_not_judged() {
    let board = board(
        ". . . . . . . . .
         . . . . . . . . .
         . . O O . . . . .
         . . . . . X . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let fate = Referee::new(&board, &group(&board), Limits::default()).rule(Color::Black, &[]).fate;
    assert!(!fate.is_proved(), "{fate:?}");
    assert!(
        matches!(Fate::Ko { first: Role::Attacker, threats: 1 }.rank(), Some(rank) if rank > Fate::Alive.rank().unwrap())
    );
}
