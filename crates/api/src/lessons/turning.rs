//! The turning points of an open game.

use super::ranks::Human;
use super::turn::Turn;
use super::{Asked, LessonsRoom, PlaceInGame};
use crate::analysis::turning::turning_points;
use crate::{ApiError, CardRef, CardView, Mistake, NodeId, OpenGameId, TurningPoints, TurningPointsOf};
use honinbo_evaluator::StopFlag;
use honinbo_rules::Color;

impl LessonsRoom {
    /// The mistakes of the variation on the board that cost most, in the order of the game.
    pub(crate) fn turning_points(
        &self,
        wanted: &TurningPointsOf,
        human: &Human,
        stop: &StopFlag,
    ) -> Result<TurningPoints, ApiError> {
        let id = &wanted.game_id;
        let (line, area, info) = self.games.with_game(id, |session| {
            Ok((session.line_moves(), session.game().board().size().area(), session.info()))
        })?;
        let review = self.analysis.engine.line_review(id, &line, area);
        let chances = match &wanted.helps {
            Some(helps) => Some(self.chances(id, &review.mistakes, &helps.rank, human, stop)?),
            None => None,
        };
        let least = wanted.helps.as_ref().map_or(0.0, |helps| helps.least.get());
        let chance = |mistake: &Mistake| {
            chances.as_ref().map_or(1.0, |known| known.get(&mistake.node_id).copied().unwrap_or_default())
        };
        let of_side = |mistake: &&Mistake| wanted.side.is_none_or(|side| side == mistake.side);
        let own = review.mistakes.iter().filter(of_side).filter(|mistake| chance(mistake) >= least);
        let mut cards = Vec::new();
        // What such a player finds more easily counts for more.
        for mistake in turning_points(own, &chance) {
            let Asked { game, played, .. } = self.asked_in_game(id, mistake.node_id)?;
            // A move out of turn is no answer to anything.
            if played.is_none() {
                continue;
            }
            cards.push(CardView {
                card: CardRef::Turn { game_id: id.clone(), node_id: mistake.node_id },
                number: mistake.number,
                black: info.black.clone(),
                white: info.white.clone(),
                kept: self.library.card_of(game.board(), game.to_play()).ok().flatten().is_some(),
                answers: 0,
                lapses: 0,
                recorded: false,
                board: Turn::NONE.board(&game),
            });
        }
        Ok(TurningPoints { judged: review.black.moves + review.white.moves, moves: review.moves, cards })
    }

    /// The position before a move of an open game.
    pub(super) fn asked_in_game(&self, game_id: &OpenGameId, node_id: NodeId) -> Result<Asked, ApiError> {
        let (game, (_, color, played), place, info, record) = self.games.with_game(game_id, |session| {
            let (before, made) = session.move_before(node_id)?;
            let place = PlaceInGame {
                game_id: game_id.clone(),
                begun: self.analysis.engine.era_of(&session.id),
                before: (before, session.move_into(before)?),
                after: (node_id, session.move_into(node_id)?),
            };
            Ok((session.game_at(before)?, made, place, session.info(), session.record_id.clone()))
        })?;
        let played = Some((played, self.lost_in(&place))).filter(|_| color == game.to_play());
        let rank = if color == Color::Black { info.black_rank } else { info.white_rank };
        Ok(Asked { game, turn: Turn::NONE, recorded: Vec::new(), played, card: None, rank, record, place: Some(place) })
    }

    /// Points that the move of the game lost, as its review has it now; 0 where it was not judged.
    pub(super) fn lost_in(&self, place: &PlaceInGame) -> f64 {
        let value = self.analysis.engine.value_of(&place.game_id, place.after.0);
        value.and_then(|value| value.judged).map_or(0.0, |judged| judged.points_lost.get())
    }
}
