//! Whatever stands on a board: an answer comes, and no answer contradicts another one.

#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_referee::{ByShape, Fate, Limits, Referee, Role, appraise};
use honinbo_rules::{Board, BoardSize, Color, Point, Random, Symmetry, Topology};

/// A board of random stones; chains without liberties are left out.
fn random_board(random: &mut Random) -> Board {
    let mut number = |below: usize| random.below(below);
    let size = BoardSize::new(2 + number(8), 2 + number(8)).unwrap();
    let topology = [Topology::Plane, Topology::Plane, Topology::Plane, Topology::Cylinder, Topology::Torus][number(5)];
    let density = 20 + number(75);
    let mut stones: Vec<(Point, Color)> = Vec::new();
    for point in (0..size.area()).map(|index| Point::from_index(index, size)) {
        if number(100) < density {
            stones.push((point, if number(2) == 0 { Color::Black } else { Color::White }));
        }
    }
    loop {
        match Board::with_stones(size, topology, stones.iter().copied()) {
            Ok(board) => return board,
            // Room for whoever has none.
            Err(_) => drop(stones.swap_remove(number(stones.len()))),
        }
    }
}

/// Dead, alive, or who wins the ko where nobody has threats.
fn outcome(fate: Fate) -> Option<i8> {
    match fate {
        Fate::Dead => Some(2),
        Fate::Ko { first: Role::Attacker, .. } => Some(1),
        Fate::Ko { first: Role::Defender, .. } => Some(-1),
        Fate::Seki | Fate::Lives { .. } | Fate::Alive => Some(-2),
        Fate::NotProved(_) => None,
    }
}

#[test]
fn any_board_is_judged_or_not_and_never_both_ways() {
    let mut random = Random::new(20);
    let limits = Limits { positions: 400, empty_points: 14, ..Limits::default() };
    let (mut proved, mut compared) = (0, 0);
    for _ in 0..400 {
        let board = random_board(&mut random);
        let size = board.size();
        let Some(first) = appraise(&board, limits, &ByShape, &|| false) else { continue };
        let outcomes = [first.defender.opponent(), first.defender].map(|color| outcome(first.fate(color)));
        proved += outcomes.iter().flatten().count();
        // To move is never worse than to wait.
        if let [Some(attacker_first), Some(defender_first)] = outcomes {
            assert!(attacker_first >= defender_first, "{first:?}\n{board}");
        }
        for symmetry in
            Symmetry::ALL.into_iter().filter(|&symmetry| board.topology() == Topology::Plane || !symmetry.transposes())
        {
            let turned = board.transformed(symmetry).colors_swapped();
            let group: Vec<Point> = first.group.iter().map(|&point| symmetry.apply(point, size)).collect();
            let mut referee = Referee::with(&turned, &group, limits, &ByShape, &|| false);
            let verdict = referee.verdict();
            for (one, other) in outcomes.into_iter().zip([verdict.attacker_first.fate, verdict.defender_first.fate]) {
                if let (Some(one), Some(other)) = (one, outcome(other)) {
                    assert_eq!(one, other, "{symmetry:?}, {group:?}\n{turned}");
                    compared += 1;
                }
            }
        }
    }
    assert!(proved > 50 && compared > 300, "{proved} fates proved, {compared} compared");
}
