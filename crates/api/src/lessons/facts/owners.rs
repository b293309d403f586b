//! What changes its owner with the move of the game: stones and empty points, as two searches see them.

use super::{Compared, Found, Seen};
use crate::{Fact, Region};
use honinbo_record::PositionEvaluation;
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Topology};
use std::collections::BTreeMap;

/// Mean ownership of stones that live, and of stones that are lost is as much of the other side.
const SURE: f64 = 0.55;
/// Stones of a chain that is worth a sentence.
const MIN_STONES: usize = 2;
/// Ownership of an empty point that is somebody's.
const OWNED: f64 = 0.5;
/// Empty points that are worth a sentence.
const MIN_POINTS: usize = 4;

/// Stones of the player that live after the better move alone.
pub(super) fn lost(compared: &Compared<'_>) -> Option<Found> {
    let (stones, at) = chains(compared, compared.mover, &compared.after_best, &compared.after_played)?;
    let side = compared.side(compared.mover);
    let fact = Fact::Lost { side, stones: count(stones.len()), at: compared.vertex(at) };
    Some(Found { fact, line: compared.after_played(&compared.after_played.line()), points: stones })
}

/// Stones of the opponent that live after the move of the game alone.
pub(super) fn spared(compared: &Compared<'_>) -> Option<Found> {
    let other = compared.mover.opponent();
    let (stones, at) = chains(compared, other, &compared.after_played, &compared.after_best)?;
    let fact = Fact::Spared { side: compared.side(other), stones: count(stones.len()), at: compared.vertex(at) };
    Some(Found { fact, line: compared.after_best(&compared.after_best.line()), points: stones })
}

/// The stones of a colour whose chains live in one position and are lost in the other, with one of the largest chain.
fn chains(compared: &Compared<'_>, color: Color, alive: &Seen, dead: &Seen) -> Option<(Vec<Point>, Point)> {
    let board = compared.asked.board();
    let mut found: Vec<Vec<Point>> = Vec::new();
    for chain in board.chains().filter(|chain| chain.color() == color && chain.len() >= MIN_STONES) {
        let stones: Vec<Point> = chain.stones().collect();
        let stand = |seen: &Seen| stones.iter().all(|&stone| seen.game.board().get(stone) == Some(color));
        let owned = |seen: &PositionEvaluation| mean(seen, &stones, color, board.size());
        let lives = stand(alive) && alive.both(|seen| owned(seen).is_some_and(|owned| owned >= SURE));
        // What was taken by the move itself is a matter of reading.
        let dies = stand(dead) && dead.both(|seen| owned(seen).is_some_and(|owned| owned <= -SURE));
        if lives && dies {
            found.push(stones);
        }
    }
    let at = *found.iter().max_by_key(|stones| stones.len())?.iter().min()?;
    Some((found.concat(), at))
}

fn mean(seen: &PositionEvaluation, stones: &[Point], color: Color, size: BoardSize) -> Option<f64> {
    let owners = stones.iter().map(|&stone| owned(seen, stone, color, size)).sum::<Option<f64>>()?;
    Some(owners / stones.len() as f64)
}

/// How surely a point is a colour's, -1 to 1.
fn owned(seen: &PositionEvaluation, point: Point, color: Color, size: BoardSize) -> Option<f64> {
    let black = f64::from(*seen.black_ownership.get(point.index(size))?);
    Some(if color == Color::Black { black } else { -black })
}

/// Empty points that are the player's after the better move and the opponent's after the one of the game.
pub(super) fn area(compared: &Compared<'_>) -> Option<Found> {
    let board = compared.asked.board();
    let size = board.size();
    if board.topology() != Topology::Plane {
        return None;
    }
    let (own, other) = (compared.mover, compared.mover.opponent());
    let holds = |seen: &Seen, point, color| {
        seen.game.board().get(point).is_none()
            && seen.both(|found| owned(found, point, color, size).is_some_and(|owned| owned >= OWNED))
    };
    let mut regions: BTreeMap<Region, Vec<Point>> = BTreeMap::new();
    for point in board.empty_points() {
        if holds(&compared.after_best, point, own) && holds(&compared.after_played, point, other) {
            regions.entry(region(compared, point)).or_default().push(point);
        }
    }
    let (region, points) = regions.into_iter().max_by_key(|(_, points)| points.len())?;
    if points.len() < MIN_POINTS {
        return None;
    }
    let fact = Fact::Area { to: compared.side(other), points: count(points.len()), region };
    Some(Found { fact, line: compared.after_played(&compared.after_played.line()), points })
}

/// The ninth of the board, as the card is turned, that a point is in.
fn region(compared: &Compared<'_>, point: Point) -> Region {
    use Region::{Centre, Left, Lower, LowerLeft, LowerRight, Right, Upper, UpperLeft, UpperRight};
    let seen = compared.turn.board_size(compared.asked.board().size());
    let index = compared.vertex(point).map_or(0, usize::from);
    let at = Point::from_index(index, seen);
    let third = |place: usize, places: usize| place * 3 / places;
    [[UpperLeft, Upper, UpperRight], [Left, Centre, Right], [LowerLeft, Lower, LowerRight]]
        [third(at.y(), seen.height())][third(at.x(), seen.width())]
}

fn count(items: usize) -> u16 {
    u16::try_from(items).unwrap_or(u16::MAX)
}

/// The stones of a colour that stand in one position and no longer in the other.
pub(super) fn gone(before: &Game, after: &Game, color: Color) -> Vec<Point> {
    before
        .board()
        .stones()
        .filter(|&(point, stone)| stone == color && after.board().get(point).is_none())
        .map(|(point, _)| point)
        .collect()
}

/// The position after a move, where it may be played.
pub(super) fn after(game: &Game, played: Move) -> Option<Game> {
    let mut next = game.clone();
    next.play(game.to_play(), played).ok().map(|()| next)
}
