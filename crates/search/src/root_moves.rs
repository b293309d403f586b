//! What the root knows of its moves before any is searched: mirror images, useless moves, ending bonus.
//!
//! Source: KataGo v1.17.2, `searchhelpers.cpp`, `searchexplorehelpers.cpp` (`getEndingWhiteScoreBonus`).

use honinbo_rules::{Board, Color, Game, Move, Phase, Point, Scoring, Symmetry, Topology, pass_alive};

use crate::move_lists::MoveLists;
use crate::params::SearchParams;

/// Symmetries that leave the position as it is; only the identity where a ko makes points differ.
pub(crate) fn symmetries(game: &Game) -> Vec<Symmetry> {
    let board = game.board();
    let size = board.size();
    if board.ko_point().is_some() || game.superko_points().next().is_some() {
        return vec![Symmetry::IDENTITY];
    }
    let blocked: Vec<Point> = game.recapture_blocked().collect();
    let may_transpose = size.is_square() && board.topology() != Topology::Cylinder;
    Symmetry::ALL
        .into_iter()
        .filter(|symmetry| {
            (may_transpose || !symmetry.transposes())
                && Point::all(size).all(|point| {
                    let image = symmetry.apply(point, size);
                    board.get(point) == board.get(image)
                        && blocked.contains(&point) == blocked.contains(&image)
                        && game.second_clean_up_stone(point) == game.second_clean_up_stone(image)
                })
        })
        .collect()
}

/// Which root moves are not opened: mirror images of others, and moves into settled area against an opponent who
/// only passes.
pub(crate) fn forbidden(
    params: &SearchParams,
    game: &Game,
    symmetries: &[Symmetry],
    lists: Option<&MoveLists>,
) -> Vec<bool> {
    let size = game.board().size();
    let mut forbidden = vec![false; size.area() + 1];
    if params.root_prune_useless_moves && opponent_only_passes(game) {
        for (index, owner) in pass_alive(game.board(), game.suicide_for_pass_alive()).into_iter().enumerate() {
            forbidden[index] |= owner.is_some();
        }
    }
    if params.root_symmetry_pruning && symmetries.len() > 1 {
        let mut duplicate = vec![false; size.area()];
        for point in scan_order(game) {
            let index = point.index(size);
            let avoided = lists.is_some_and(|lists| lists.avoids(game.to_play(), 0, index as u16));
            if duplicate[index] || avoided {
                continue;
            }
            for symmetry in symmetries {
                let image = symmetry.apply(point, size).index(size);
                duplicate[image] |= image != index;
            }
        }
        for (forbidden, duplicate) in forbidden.iter_mut().zip(duplicate) {
            *forbidden |= duplicate;
        }
    }
    forbidden
}

/// Black prefers the upper right, White the lower left.
fn scan_order(game: &Game) -> Vec<Point> {
    let size = game.board().size();
    let (width, height) = (size.width(), size.height());
    let mut order = Vec::with_capacity(size.area());
    match game.to_play() {
        Color::Black => {
            for x in (0..width).rev() {
                order.extend((0..height).map(|y| Point::new(x, y)));
            }
        }
        Color::White => {
            for x in 0..width {
                order.extend((0..height).rev().map(|y| Point::new(x, y)));
            }
        }
    }
    order
}

fn opponent_only_passes(game: &Game) -> bool {
    let turns = game.turns();
    let opponent = game.to_play().opponent();
    turns.len() >= 7
        && [1, 3, 5, 7].iter().all(|back| {
            let turn = turns[turns.len() - back];
            turn.color == opponent && turn.played == Move::Pass
        })
}

/// Points, zero or below, by which each root move is held back for the player to move. `white_ownership` is the
/// network's view of the root.
pub(crate) fn ending_bonus(params: &SearchParams, game: &Game, white_ownership: &[f32]) -> Vec<f64> {
    const SETTLED: f64 = 0.95;
    let board = game.board();
    let size = board.size();
    let mover = game.to_play();
    let unit = params.root_ending_bonus_points;
    let mut bonus = vec![0.0; size.area() + 1];
    if unit == 0.0 || white_ownership.len() != size.area() {
        return bonus;
    }
    let sign = if mover == Color::White { 1.0 } else { -1.0 };
    let by_area = game.ruleset().scoring == Scoring::Area || game.phase() == Phase::CleanUp2;
    let safe = pass_alive(board, game.suicide_for_pass_alive());
    for (index, owned) in white_ownership.iter().enumerate() {
        let point = Point::from_index(index, size);
        if board.ko_point().is_some() || board.get(point).is_some() {
            continue;
        }
        let owned = sign * f64::from(*owned);
        let excess = if owned <= -SETTLED {
            if by_area && captures(board, mover, point) {
                continue;
            }
            -SETTLED - owned
        } else if owned >= SETTLED {
            let touches_opponent = board.neighbors(point).any(|near| board.get(near) == Some(mover.opponent()));
            if touches_opponent || connects_unsafe(board, mover, point, &safe) {
                continue;
            }
            owned - SETTLED
        } else {
            continue;
        };
        bonus[index] = -unit * excess / (1.0 - SETTLED);
    }
    bonus[size.area()] = if !by_area {
        -unit * 2.0 / 3.0
    } else if game.button_available() {
        -unit / 2.0
    } else {
        0.0
    };
    bonus
}

fn captures(board: &Board, mover: Color, point: Point) -> bool {
    board
        .neighbors(point)
        .any(|near| board.chain_at(near).is_some_and(|chain| chain.color() != mover && chain.is_in_atari()))
}

/// Whether a stone here would connect an own chain that is not surely alive with another own chain.
fn connects_unsafe(board: &Board, mover: Color, point: Point, safe: &[Option<Color>]) -> bool {
    let size = board.size();
    if safe[point.index(size)] == Some(mover) {
        return false;
    }
    let own = |near: &Point| board.get(*near) == Some(mover);
    let head = |near: Point| board.chain_at(near).map(|chain| chain.head_point());
    let Some(weak) = board.neighbors(point).filter(own).find(|near| safe[near.index(size)].is_none()) else {
        return false;
    };
    board.neighbors(point).filter(own).any(|near| head(near) != head(weak))
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Preset, Setup};

    use super::*;

    fn empty_game() -> Game {
        let preset = Preset::TrompTaylor;
        Game::new(Setup::new(BoardSize::NINE, Topology::Plane, preset.ruleset(), preset.komi())).unwrap()
    }

    #[test]
    fn an_empty_board_leaves_one_eighth() {
        let game = empty_game();
        let symmetries = symmetries(&game);
        assert_eq!(symmetries.len(), 8);
        let forbidden = forbidden(&SearchParams::analysis(), &game, &symmetries, None);
        let open: Vec<usize> = (0..81).filter(|&i| !forbidden[i]).collect();
        assert_eq!(open.len(), 15);
        // Black looks at the upper right: its corner is open, the other corners are not.
        assert!(!forbidden[8] && forbidden[0] && forbidden[72] && forbidden[80] && !forbidden[81]);
    }

    #[test]
    fn settled_points_are_held_back() {
        let game = empty_game();
        let mut ownership = vec![0.0f32; 81];
        ownership[0] = 1.0;
        ownership[1] = -0.975;
        let bonus = ending_bonus(&SearchParams::analysis(), &game, &ownership);
        assert!((bonus[0] + 0.5).abs() < 1e-5 && (bonus[1] + 0.25).abs() < 1e-4, "{:?}", &bonus[..3]);
        assert_eq!((bonus[2], bonus[81]), (0.0, 0.0));
    }
}
