//! Where people look who have not played for long.

use honinbo_rules::{Board, Game, Point};

/// Sides from which on the second line was measured; on smaller boards it is no line that one stays away from.
const MEASURED_SIDE: usize = 9;

/// How much a point draws the eyes of such people: a factor of its weight, 1 for a point away from the last move, from the
/// edge and from all stones.
///
/// Near what fits the play of people of 30 to 1 kyu in 157 games on 9x9, see docs/experiments/self-play.md: they answer
/// where the last stone was put, and leave the first two lines alone until there are stones.
pub(super) fn drawn_to(game: &Game, point: Point) -> f64 {
    let board = game.board();
    let last = game.turns().last().and_then(|turn| turn.played.point());
    let near = last.map_or(1.0, |last| match (last.x().abs_diff(point.x()), last.y().abs_diff(point.y())) {
        (0, 1) | (1, 0) => 14.0,
        (1, 1) => 9.0,
        (across, down) if across.max(down) == 2 => 5.2,
        (across, down) if across.max(down) == 3 => 2.2,
        _ => 1.0,
    });
    let touches = board.neighbors(point).any(|other| board.get(other).is_some());
    near * match (line(board, point), touches) {
        (1, false) => 0.03,
        (2, false) if board.size().width().min(board.size().height()) >= MEASURED_SIDE => 0.1,
        (_, true) => 0.8,
        _ => 1.0,
    }
}

/// 1 at the edge.
fn line(board: &Board, point: Point) -> usize {
    let from_edge = |at: usize, side: usize| at.min(side - 1 - at) + 1;
    from_edge(point.x(), board.size().width()).min(from_edge(point.y(), board.size().height()))
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Move, Ruleset, Setup, Topology};

    use super::*;

    fn game(side: usize, moves: &[&str]) -> Game {
        let size = BoardSize::square(side).unwrap();
        let setup = Setup::new(size, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(14));
        let mut game = Game::new(setup).unwrap();
        for text in moves {
            let played = Move::from_gtp(text, size).unwrap();
            game.play(game.to_play(), played).unwrap();
        }
        game
    }

    fn drawn(game: &Game, text: &str) -> f64 {
        drawn_to(game, Point::from_gtp(text, game.board().size()).unwrap())
    }

    #[test]
    fn eyes_go_to_the_last_move_first() {
        let game = game(9, &["G3", "C7"]);
        // Beside it, across a corner, two and three away, then the rest of the board.
        let found = ["C6", "D6", "C5", "F7", "G5"].map(|at| drawn(&game, at));
        assert!(found.is_sorted_by(|nearer, farther| nearer > farther), "{found:?}");
        // The stone before the last one draws nobody.
        assert_eq!(drawn(&game, "G4"), 0.8);
    }

    #[test]
    fn the_edge_is_left_alone_until_there_are_stones() {
        let empty = game(9, &[]);
        assert!(drawn(&empty, "A5") < drawn(&empty, "B5") && drawn(&empty, "B5") < drawn(&empty, "C5"));
        assert_eq!(drawn(&empty, "E5"), 1.0);
        let met = game(9, &["A4", "pass"]);
        assert!(drawn(&met, "A5") > 10.0 * drawn(&met, "A8"));
        // On a small board everything but the centre is near an edge.
        let small = game(5, &[]);
        assert_eq!((drawn(&small, "B3"), drawn(&small, "C3")), (1.0, 1.0));
    }

    #[test]
    fn a_pass_draws_nobody() {
        let game = game(9, &["E5", "pass"]);
        assert_eq!(drawn(&game, "G3"), 1.0);
    }
}
