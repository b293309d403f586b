//! What can be read on the board without a search: captures, ladders, cuts.

use super::owners::{after, gone};
use super::{Compared, Found};
use crate::Fact;
use honinbo_rules::{Board, Game, Move, Point, ladder_line, ladders};

/// Stones whose capture is worth a sentence.
const MIN_TAKEN: usize = 2;
/// Stones of each of two chains whose cut is worth a sentence.
const MIN_CUT: usize = 2;
/// Moves of a ladder that are shown; the last one is the attacker's.
const MAX_LADDER: usize = 13;

/// A good reply to the move of the game takes stones that it could not take after the better move.
pub(super) fn taken(compared: &Compared<'_>) -> Option<Found> {
    let own = compared.mover;
    let takes = |position: &Game, reply| {
        after(position, Move::Place(reply)).map(|replied| gone(position, &replied, own)).unwrap_or_default()
    };
    let replies = compared.good_replies().map(|reply| (reply, takes(&compared.after_played.game, reply)));
    let (reply, stones) = replies.max_by_key(|(_, stones)| stones.len())?;
    if stones.len() < MIN_TAKEN || !takes(&compared.after_best.game, reply).is_empty() {
        return None;
    }
    let at = *stones.iter().min()?;
    let fact = Fact::Taken {
        side: compared.side(own),
        stones: u16::try_from(stones.len()).unwrap_or(u16::MAX),
        at: compared.vertex(at),
        by: compared.vertex(reply),
    };
    Some(Found { fact, line: compared.after_played(&[Move::Place(reply)]), points: stones })
}

/// A chain of the player that is caught in a ladder after the move of the game, and not after the better one.
pub(super) fn ladder(compared: &Compared<'_>) -> Option<Found> {
    let own = compared.mover;
    let position = &compared.after_played.game;
    let safe = |stones: &[Point]| {
        let better = compared.after_best.game.board();
        stones.iter().all(|&stone| better.get(stone) == Some(own))
            && !ladders(better).iter().any(|caught| caught.stones.contains(&stones[0]))
    };
    // One stone is given up easily, and a chain that was played just now stands nowhere after the other move.
    let caught = ladders(position.board()).into_iter().find(|caught| {
        caught.color == own
            && caught.stones.len() >= MIN_TAKEN
            && !caught.working_moves.is_empty()
            && safe(&caught.stones)
    })?;
    let stone = *caught.stones.iter().min()?;
    let by = *caught.working_moves.iter().find(|&&by| position.is_legal_point(by))?;
    let line = shown_ladder(position, stone, by)?;
    let fact = Fact::Ladder { side: compared.side(own), at: compared.vertex(stone), by: compared.vertex(by) };
    Some(Found { fact, line: compared.after_played(&line), points: caught.stones })
}

/// The first moves of a ladder against a stone, the attacker's first; `None` where they cannot be played.
fn shown_ladder(position: &Game, stone: Point, by: Point) -> Option<Vec<Move>> {
    let mut line = ladder_line(position.board(), stone, Some(by)).filter(|line| line.works)?.moves_in_turn();
    line.truncate(MAX_LADDER);
    // Superko and the like may forbid what the board allows.
    line.iter().try_fold(position.clone(), |game, &made| after(&game, made))?;
    Some(line)
}

/// The best reply to the move of the game parts two chains that the player would have joined there.
pub(super) fn cut(compared: &Compared<'_>) -> Option<Found> {
    let reply = compared.reply()?;
    let own = compared.mover;
    let [one, other] = parted(&compared.after_played.game, reply)?;
    let fact = Fact::Cut {
        side: compared.side(own),
        by: compared.vertex(reply),
        one: compared.vertex(one[0]),
        other: compared.vertex(other[0]),
    };
    Some(Found { fact, line: compared.after_played(&[Move::Place(reply)]), points: [one, other].concat() })
}

/// The two largest chains that a move parts: they were not joined elsewhere, and no single move joins them again or takes
/// the stone that cuts.
pub(in crate::lessons) fn parted(position: &Game, by: Point) -> Option<[Vec<Point>; 2]> {
    let (board, own) = (position.board(), position.to_play().opponent());
    let mut beside: Vec<Vec<Point>> = Vec::new();
    for neighbor in board.neighbors(by) {
        let Some(chain) = board.chain_at(neighbor).filter(|chain| chain.color() == own && chain.len() >= MIN_CUT)
        else {
            continue;
        };
        let mut stones: Vec<Point> = chain.stones().collect();
        stones.sort_unstable();
        if !beside.contains(&stones) {
            beside.push(stones);
        }
    }
    beside.sort_by_key(|stones| std::cmp::Reverse(stones.len()));
    beside.truncate(2);
    let [one, other]: [Vec<Point>; 2] = beside.try_into().ok()?;
    let parted = after(position, Move::Place(by))?;
    let joined = are_joined(board, one[0], other[0], Some(by)) || can_join(&parted, one[0], other[0]);
    let stand = [&one, &other].iter().all(|stones| parted.board().get(stones[0]).is_some());
    (stand && !joined).then_some([one, other])
}

/// Whether two chains of a colour belong together: over chains of which each two share two liberties, without a point.
fn are_joined(board: &Board, one: Point, other: Point, without: Option<Point>) -> bool {
    let Some(color) = board.get(one) else { return false };
    let liberties = |chain: &honinbo_rules::Chain<'_>| -> Vec<Point> {
        chain.liberties().filter(|&liberty| Some(liberty) != without).collect()
    };
    let chains: Vec<_> = board.chains().filter(|chain| chain.color() == color).collect();
    let place_of = |stone| {
        let head = board.chain_at(stone)?.head_point();
        chains.iter().position(|chain| chain.head_point() == head)
    };
    let (Some(from), Some(to)) = (place_of(one), place_of(other)) else { return false };
    let free: Vec<Vec<Point>> = chains.iter().map(liberties).collect();
    let (mut reached, mut waiting) = (vec![false; chains.len()], vec![from]);
    reached[from] = true;
    while let Some(at) = waiting.pop() {
        for next in 0..chains.len() {
            let shared = free[at].iter().filter(|liberty| free[next].contains(liberty)).count();
            if !reached[next] && shared >= 2 {
                reached[next] = true;
                waiting.push(next);
            }
        }
    }
    reached[to]
}

/// Whether the player to move can join two chains with one move, or take stones beside both.
fn can_join(game: &Game, one: Point, other: Point) -> bool {
    let Some(color) = game.board().get(one) else { return true };
    game.legal_points().any(|point| {
        let Some(next) = after(game, Move::Place(point)) else { return false };
        let board = next.board();
        let same = board.chain_at(one).zip(board.chain_at(other));
        same.is_some_and(|(one, other)| one.head_point() == other.head_point())
            || !gone(game, &next, color.opponent()).is_empty()
            || are_joined(board, one, other, None)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Color, Preset, Setup, Topology};

    fn game(diagram: &str, to_play: Color) -> Game {
        let board = Board::from_diagram(diagram, Topology::Plane).unwrap();
        let setup = Setup { size: board.size(), ..Setup::preset(Preset::Chinese) };
        let stones = board.stones().collect();
        Game::new(Setup { stones, first_player: to_play, ..setup }).unwrap()
    }

    #[test]
    fn a_ladder_is_played_to_the_last_stone_or_as_far_as_it_is_shown() {
        let position = game(
            ". . . . . .
             . . . . . .
             . . X . . .
             . X O . . .
             . . . X . .
             . . . . . .",
            Color::Black,
        );
        let stone = Point::new(2, 3);
        let found = ladders(position.board());
        for &by in &found[0].working_moves {
            let line = shown_ladder(&position, stone, by).unwrap();
            let mut played = position.clone();
            for &step in &line {
                played = after(&played, step).unwrap();
            }
            assert!(line.len() == MAX_LADDER || played.board().get(stone).is_none(), "{line:?}");
        }
    }

    #[test]
    fn chains_with_two_common_liberties_are_one_and_a_single_common_point_parts_them() {
        let position = game(
            ". . . . . . .
             . X X . X X .
             . . . . . . .
             . O O . O O .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
            Color::White,
        );
        let (one, other) = (Point::new(1, 1), Point::new(4, 1));
        assert!(!are_joined(position.board(), one, other, None), "one common liberty");
        let parted = after(&position, Move::Place(Point::new(3, 1))).unwrap();
        assert!(!can_join(&parted, one, other));
        let bamboo = game(
            ". . . . .
             . X . X .
             . X . X .
             . . . . .
             . . . . .",
            Color::White,
        );
        let (one, other) = (Point::new(1, 1), Point::new(3, 1));
        assert!(are_joined(bamboo.board(), one, other, None));
        assert!(can_join(&after(&bamboo, Move::Place(Point::new(2, 1))).unwrap(), one, other), "the other half");
    }
}
