//! What the search asks of a game: keys of positions, final values, moves by number.
//!
//! Source of the keys: KataGo v1.17.2, `graphhash.cpp`, `boardhistory.cpp`, `subtreevaluebiastable.cpp`.

use honinbo_rules::{Board, BoardSize, Color, Game, Move, Outcome, Point, WinBy, mix};

use crate::node::LeafValue;
use crate::params::SearchParams;
use crate::score_value::final_score_mean_sq;

/// The move of a point index; the area stands for a pass.
pub(crate) fn move_of(index: u16, size: BoardSize) -> Move {
    if usize::from(index) == size.area() {
        Move::Pass
    } else {
        Move::Place(Point::from_index(usize::from(index), size))
    }
}

/// The point index of a move; a resignation counts as a pass, which callers exclude beforehand.
pub(crate) fn index_of(mv: Move, size: BoardSize) -> u16 {
    match mv {
        Move::Place(point) => point.index(size) as u16,
        Move::Pass | Move::Resign => size.area() as u16,
    }
}

/// Whether the player to move may play this now, the end of the game aside.
pub(crate) fn may_play(game: &Game, mv: u16) -> bool {
    match move_of(mv, game.board().size()) {
        Move::Place(point) => game.is_legal_point(point),
        Move::Pass | Move::Resign => true,
    }
}

/// Plays a move that [`may_play`] allows, also after the end of the game.
pub(crate) fn play(game: &mut Game, mv: u16) {
    let played = game.play_tolerant(game.to_play(), move_of(mv, game.board().size()));
    debug_assert!(played.is_ok(), "a move that was legal is refused: {played:?}");
}

/// Whether a pass now would end the phase.
pub(crate) fn pass_would_end_phase(game: &Game) -> bool {
    game.pass_would_end_phase(game.to_play())
}

/// Whether the rules want the search to go on after the pass that would end the game.
pub(crate) fn friendly_pass_suppressed(game: &Game) -> bool {
    game.friendly_pass_suppresses_end(game.to_play())
}

/// Indices of the neighbours of a point.
pub(crate) fn neighbors(game: &Game, index: usize) -> Vec<usize> {
    let board = game.board();
    let size = board.size();
    board.neighbors(Point::from_index(index, size)).map(|point| point.index(size)).collect()
}

/// How many of these moves can be played one after the other. A variation ends with the move that ends a phase of
/// a game whose clean-up is not played, or before it.
pub(crate) fn playable_length(game: &Game, moves: &[Move], phase_end: bool) -> usize {
    let mut game = game.clone();
    let size = game.board().size();
    for (played, mv) in moves.iter().enumerate() {
        let index = index_of(*mv, size);
        if !may_play(&game, index) {
            return played;
        }
        let phase = game.phase();
        play(&mut game, index);
        if game.phase() != phase {
            return played + usize::from(phase_end);
        }
    }
    moves.len()
}

/// What a finished game is worth.
pub(crate) fn final_value(game: &Game, params: &SearchParams) -> LeafValue {
    let draw = params.draw_equivalent_wins_for_white;
    let (win_loss, score) = match game.outcome() {
        None | Some(Outcome::NoResult) => return LeafValue { no_result: 1.0, ..LeafValue::default() },
        Some(Outcome::Draw) => (2.0 * draw - 1.0, 0.0),
        Some(Outcome::Win { winner, by }) => {
            let sign = if winner == Color::White { 1.0 } else { -1.0 };
            let points = match by {
                WinBy::Score(half_points) => f64::from(half_points) / 2.0,
                WinBy::Resignation | WinBy::Time | WinBy::Forfeit => 0.0,
            };
            (sign, sign * points)
        }
    };
    let adjusted = score + if game.score_will_be_integer() { draw - 0.5 } else { 0.0 };
    LeafValue {
        win_loss,
        no_result: 0.0,
        score_mean: adjusted,
        score_mean_sq: final_score_mean_sq(score, draw),
        lead: adjusted,
    }
}

/// Key of a position, its history aside.
pub(crate) fn state_hash(game: &Game, params: &SearchParams) -> u128 {
    // What a draw is worth moves the komi of a game that can be drawn.
    game.identity().0 ^ key(1, params.draw_equivalent_wins_for_white.to_bits())
}

/// Key of the node that a move leads to: of the position alone where the move cannot be part of a short repetition,
/// otherwise of the path, too.
pub(crate) fn graph_key(game: &Game, before: u128, mv: u16, params: &SearchParams) -> u128 {
    let state = state_hash(game, params);
    let size = game.board().size();
    let resets = match move_of(mv, size) {
        Move::Place(point) => exceeds_repetition_bound(game.board(), point, params.graph_search_rep_bound as usize),
        Move::Pass | Move::Resign => false,
    };
    if resets { state } else { advance_key(before, state) }
}

/// Key of the node that a move leads to, where no other path shares it. Not of the parent's slot in memory, which is used
/// again while children of the node that had it before live on.
pub(crate) fn path_key(before: u128, mv: u16) -> u128 {
    advance_key(before, key(40, u64::from(mv)))
}

/// Key of a root, from the whole game before it.
pub(crate) fn root_graph_key(game: &Game, params: &SearchParams) -> u128 {
    let Ok(mut replay) = Game::new(game.setup().clone()) else {
        return state_hash(game, params);
    };
    let size = game.board().size();
    let mut key = state_hash(&replay, params);
    for turn in game.turns() {
        if replay.play_tolerant(turn.color, turn.played).is_err() {
            return state_hash(game, params);
        }
        key = graph_key(&replay, key, index_of(turn.played, size), params);
    }
    key
}

fn advance_key(before: u128, state: u128) -> u128 {
    let (high, low) = ((before >> 64) as u64, before as u64);
    let mixed_high = mix(high ^ low.rotate_left(32).wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mixed_low = mix(low.wrapping_add(high.wrapping_mul(0xa076_1d64_78bd_642f)));
    (u128::from(mixed_high) << 64 | u128::from(mixed_low)).wrapping_add(state)
}

/// Whether a cycle through this stone must be longer than `bound`: its chain, and the empty regions that touch it,
/// are that large.
fn exceeds_repetition_bound(board: &Board, point: Point, bound: usize) -> bool {
    let mut found: Vec<Point> = Vec::with_capacity(bound + 8);
    match board.chain_at(point) {
        Some(chain) => {
            found.extend(chain.stones().take(bound + 1));
        }
        None => found.push(point),
    }
    let mut next = 0;
    while next < found.len() && found.len() <= bound {
        for neighbor in board.neighbors(found[next]) {
            if board.get(neighbor).is_none() && !found.contains(&neighbor) {
                found.push(neighbor);
            }
        }
        next += 1;
    }
    found.len() > bound
}

/// Key of the local situation in which a stone is played: the move before it and the surroundings. `None` for a pass
/// and for the first move of a game.
pub(crate) fn bias_key(game: &Game, mv: u16) -> Option<u128> {
    let board = game.board();
    let size = board.size();
    let Move::Place(center) = move_of(mv, size) else { return None };
    let last = game.turns().last()?;
    let mut hash = key(20, u64::from(index_of(last.played, size)))
        ^ key(21, u64::from(mv))
        ^ key(22, game.to_play().index() as u64);
    let (width, height) = (size.width() as i32, size.height() as i32);
    let (wraps_x, wraps_y) = (board.topology().wraps_x(), board.topology().wraps_y());
    for slot in 0..25 {
        let (dx, dy) = (slot % 5 - 2, slot / 5 - 2);
        let (mut x, mut y) = (center.x() as i32 + dx, center.y() as i32 + dy);
        if wraps_x {
            x = x.rem_euclid(width);
        }
        if wraps_y {
            y = y.rem_euclid(height);
        }
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        let content = if inside {
            match board.chain_at(Point::new(x as usize, y as usize)) {
                None => 1,
                Some(chain) => 2 + 2 * chain.color().index() as u64 + u64::from(chain.is_in_atari()),
            }
        } else {
            0
        };
        hash ^= key(23, slot as u64 * 8 + content);
    }
    if let Some(ko) = board.ko_point() {
        hash ^= key(24, ko.index(size) as u64);
    }
    Some(hash)
}

/// A random-looking number for one fact.
pub(crate) fn key(kind: u64, value: u64) -> u128 {
    let seed = mix(kind.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix(value.wrapping_add(0x1234_5678_9abc_def1)));
    u128::from(mix(seed ^ 0x5851_f42d_4c95_7f2d)) << 64 | u128::from(mix(seed.wrapping_add(0x1405_7b7e_f767_814f)))
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{Preset, Setup, Topology};

    use super::*;

    fn game(size: usize, moves: &[&str]) -> Game {
        let ruleset = Preset::TrompTaylor.ruleset();
        let size = BoardSize::square(size).unwrap();
        let setup = Setup::new(size, Topology::Plane, ruleset, Preset::TrompTaylor.komi());
        let mut game = Game::new(setup).unwrap();
        for mv in moves {
            game.play(game.to_play(), Move::from_gtp(mv, size).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_lone_stone_forgets_its_path() {
        let params = SearchParams::analysis();
        let one = game(9, &["E5", "C3", "G7"]);
        let other = game(9, &["G7", "C3", "E5"]);
        assert_eq!(root_graph_key(&one, &params), root_graph_key(&other, &params));
        assert_eq!(state_hash(&one, &params), state_hash(&other, &params));
    }

    #[test]
    fn a_stone_in_a_tight_place_remembers_its_path() {
        // A corner of two points behind a wall: the chain and its region stay far below the bound.
        let board = Board::with_stones(
            BoardSize::NINE,
            Topology::Plane,
            [(1, 0), (1, 1), (0, 2), (1, 2)].map(|(x, y)| (Point::new(x, y), Color::White)),
        )
        .unwrap();
        let mut tight = board.clone();
        tight.play(Color::Black, Point::new(0, 0)).unwrap();
        assert!(!exceeds_repetition_bound(&tight, Point::new(0, 0), 11));
        assert!(exceeds_repetition_bound(&tight, Point::new(1, 1), 11));
        let lone = Board::new(BoardSize::NINE, Topology::Plane);
        assert!(exceeds_repetition_bound(&lone, Point::new(4, 4), 11));
    }

    #[test]
    fn passes_and_movers_change_the_key() {
        let params = SearchParams::analysis();
        let before = game(9, &["E5"]);
        let after = game(9, &["E5", "pass"]);
        assert_ne!(state_hash(&before, &params), state_hash(&after, &params));
        assert_ne!(root_graph_key(&before, &params), root_graph_key(&after, &params));
    }

    #[test]
    fn local_situations_ignore_what_is_far() {
        let near = game(9, &["E5", "C3"]);
        let far = game(9, &["J9", "J1", "E5", "C3"]);
        let mv = index_of(Move::from_gtp("E4", BoardSize::NINE).unwrap(), BoardSize::NINE);
        assert_eq!(bias_key(&near, mv), bias_key(&far, mv));
        assert_ne!(bias_key(&near, mv), bias_key(&near, mv + 1));
        assert_eq!(bias_key(&near, 81), None);
        assert_eq!(bias_key(&game(9, &[]), mv), None);
    }

    #[test]
    fn finished_games_have_their_score() {
        let ended = game(9, &["E5", "pass", "pass"]);
        let value = final_value(&ended, &SearchParams::analysis());
        assert_eq!((value.win_loss, value.score_mean, value.score_mean_sq), (-1.0, -73.5, 73.5 * 73.5));
    }
}
