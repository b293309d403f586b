//! The turning points of an open game.

use super::turn::Turn;
use super::{Asked, LessonsRoom};
use crate::{ApiError, CardRef, CardView, Mistake, NodeId, OpenGameId, Side, TurningPoints, TurningPointsOf};

/// Turning points of a game.
const MAX_POINTS: usize = 5;

impl LessonsRoom {
    /// The mistakes of the variation on the board that cost most, in the order of the game.
    pub(crate) fn turning_points(&self, wanted: &TurningPointsOf) -> Result<TurningPoints, ApiError> {
        let id = &wanted.game_id;
        let (line, area, info) = self.games.with_game(id, |session| {
            Ok((session.line_moves(), session.game().board().size().area(), session.info()))
        })?;
        let review = self.analysis.engine.line_review(id, &line, area);
        let black_chance = |node| Some(self.analysis.engine.value_of(id, node)?.black_win_prob.get());
        let own = review.mistakes.iter().filter(|mistake| wanted.side.is_none_or(|side| side == mistake.side));
        let costs = own.map(|mistake| {
            let chances = black_chance(mistake.before).zip(black_chance(mistake.node_id));
            let lost = chances.map_or(0.0, |(before, after)| before - after);
            (mistake, if mistake.side == Side::Black { lost } else { -lost })
        });
        let mut cards = Vec::new();
        for mistake in dearest(costs.collect()) {
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
                board: Turn::NONE.board(&game),
            });
        }
        Ok(TurningPoints { judged: review.black.moves + review.white.moves, moves: review.moves, cards })
    }

    /// The position before a move of an open game.
    pub(super) fn asked_in_game(&self, game_id: &OpenGameId, node_id: NodeId) -> Result<Asked, ApiError> {
        let (game, (_, color, played)) = self.games.with_game(game_id, |session| {
            let (before, made) = session.move_before(node_id)?;
            Ok((session.game_at(before)?, made))
        })?;
        let judged = self.analysis.engine.value_of(game_id, node_id).and_then(|value| value.judged);
        let lost = judged.map_or(0.0, |judged| judged.points_lost.get());
        let played = Some((played, lost)).filter(|_| color == game.to_play());
        Ok(Asked { game, turn: Turn::NONE, played, card: None })
    }
}

/// The mistakes that cost most of the chance to win, of equal ones those that lost more points, in the order of the game.
fn dearest(mut costs: Vec<(&Mistake, f64)>) -> Vec<&Mistake> {
    costs.sort_by(|(a, a_cost), (b, b_cost)| {
        b_cost.total_cmp(a_cost).then(b.points_lost.get().total_cmp(&a.points_lost.get()))
    });
    let mut chosen: Vec<&Mistake> = costs.into_iter().take(MAX_POINTS).map(|(mistake, _)| mistake).collect();
    chosen.sort_by_key(|mistake| mistake.number);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cost_most_of_the_chance_comes_before_what_lost_most_points() {
        let mistake = |number, points: f64| Mistake {
            node_id: number,
            before: number - 1,
            number,
            side: Side::Black,
            points_lost: points.into(),
            best: None,
        };
        let mistakes = [(9, 30.0, 0.01), (1, 2.0, 0.3), (7, 4.0, 0.2), (3, 9.0, 0.1), (5, 3.0, 0.01), (6, 5.0, 0.01)];
        let all: Vec<(Mistake, f64)> =
            mistakes.iter().map(|&(number, points, cost)| (mistake(number, points), cost)).collect();
        let chosen = dearest(all.iter().map(|(mistake, cost)| (mistake, *cost)).collect());
        assert_eq!(chosen.iter().map(|mistake| mistake.number).collect::<Vec<_>>(), [1, 3, 6, 7, 9]);
    }
}
