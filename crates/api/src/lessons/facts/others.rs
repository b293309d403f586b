//! What others play in the position of a card: somebody of a rank, and the games of the library.

use super::Found;
use crate::lessons::ranks::{Human, shares};
use crate::lessons::{Asked, LessonsRoom};
use crate::{ApiError, Fact};
use honinbo_evaluator::StopFlag;
use honinbo_library::Continuation;
use honinbo_players::Rank;
use honinbo_record::Rank as RecordedRank;
use honinbo_rules::{Color, Game, Move, Point, PositionHash, canonical_hash};

/// Games with the position from which they are told of.
const MIN_GAMES: u32 = 3;

impl LessonsRoom {
    /// How many of a rank play each of two moves: the rank that somebody chose, or that of the player in the record.
    pub(super) fn by_rank(
        &self,
        asked: &Asked,
        moves: [Move; 2],
        rank: Option<Rank>,
        human: &dyn Fn() -> Human,
        stop: &StopFlag,
    ) -> Result<Option<Found>, ApiError> {
        let recorded = || RecordedRank::parse(&asked.rank).and_then(|rank| rank.to_string().parse().ok());
        let Some(rank) = rank.or_else(recorded) else { return Ok(None) };
        let (Some(played), Some(better)) = (moves[0].point(), moves[1].point()) else { return Ok(None) };
        let Some(human) = human() else { return Ok(None) };
        let found = shares(&human, &asked.game, rank, moves, stop)?;
        Ok(found.map(|[share, good]| Found {
            fact: Fact::ByRank { rank: rank.to_string(), played: share.into(), better: good.into() },
            line: vec![moves[0]],
            points: vec![played, better],
        }))
    }

    /// How other games of the library went on.
    pub(super) fn in_library(&self, asked: &Asked, played: Move, stop: &StopFlag) -> Result<Option<Found>, ApiError> {
        let (game, turn) = (&asked.game, asked.turn);
        let found = self.library.went_on(game, asked.record.as_deref(), stop)?;
        let moves: Vec<&Continuation> = found.moves.iter().map(|line| &line.continuation).collect();
        let Some((&most, at)) = moves.first().and_then(|most| Some((most, point_of(most)?))) else { return Ok(None) };
        if found.games.found < MIN_GAMES {
            return Ok(None);
        }
        let own = after(game, played);
        let is_own = |found: &&&Continuation| own.is_some() && after(game, move_of(found)) == own;
        let own = moves.iter().find(is_own);
        // Of equivalent points the library names any.
        let at = if own.is_some_and(|own| own.point == most.point) { played.point().unwrap_or(at) } else { at };
        let mut wins = [most.black_wins, most.white_wins];
        if turn.color(Color::Black) == Color::White {
            wins.swap(0, 1);
        }
        let [black_wins, white_wins] = wins;
        let size = game.board().size();
        let fact = Fact::InLibrary {
            games: found.games.found,
            most: turn.vertex(Move::Place(at), size),
            count: most.games,
            black_wins,
            white_wins,
            played: own.map_or(0, |own| own.games),
        };
        Ok(Some(Found { fact, line: vec![Move::Place(at)], points: vec![at] }))
    }
}

fn point_of(found: &Continuation) -> Option<Point> {
    found.point.map(|(x, y)| Point::new(x as usize, y as usize))
}

fn move_of(found: &Continuation) -> Move {
    point_of(found).map_or(Move::Pass, Move::Place)
}

/// The position after a move, the same for equivalent ones; the search for positions knows no ko either.
fn after(game: &Game, played: Move) -> Option<PositionHash> {
    let mover = game.to_play();
    let mut board = game.board().clone();
    board.clear_ko();
    if let Move::Place(point) = played {
        board.play(mover, point).ok()?;
    }
    board.clear_ko();
    Some(canonical_hash(&board, mover.opponent()))
}
