//! What an answer is worth: by the search, never by heart.

use super::{Asked, LessonsRoom};
use crate::analysis::engine::Found;
use crate::analysis::question::Question;
use crate::{ApiError, CardSolution, GoodMove, KeptCard, PlayedMove, Vertex};
use honinbo_evaluator::StopFlag;
use honinbo_library::{ENOUGH_VISITS, MISTAKE_FROM, Searched, points_lost};
use honinbo_record::PositionEvaluation;
use honinbo_rules::{Game, Move};

/// Visits of the position that is asked.
pub(super) const CARD_VISITS: u32 = 200;
/// Visits of the position after an answer that this search did not look at closely enough.
const ANSWER_VISITS: u32 = 100;
/// Points up to which an answer is as good as any: half of what makes a mistake.
pub(super) const ACCEPTED_LOSS: f64 = MISTAKE_FROM / 2.0;

/// What a move is worth.
pub(super) struct Verdict {
    /// Points that it loses against the best, 0 or more.
    pub(super) lost: f64,
    /// It is the search's own choice.
    pub(super) is_best: bool,
    /// The move, and how the engine goes on.
    pub(super) line: Vec<Move>,
    /// What the search of the position found, and that of the position after the move, where there was one.
    pub(super) before: PositionEvaluation,
    pub(super) after: Option<PositionEvaluation>,
}

impl Verdict {
    pub(super) fn is_accepted(&self) -> bool {
        self.lost <= ACCEPTED_LOSS
    }
}

impl LessonsRoom {
    /// What is known of the position of a card.
    pub(super) fn searched(&self, game: &Game, stop: &StopFlag) -> Result<PositionEvaluation, ApiError> {
        self.analysis.evaluation(game, CARD_VISITS, stop)
    }

    /// The review of a card's game takes over what was found before and after the move of the game, so that its list and
    /// the board name the better move of the card.
    pub(super) fn report_review(&self, asked: &Asked, before: &PositionEvaluation, after: Option<&PositionEvaluation>) {
        let Some(place) = &asked.place else { return };
        for ((node, last_move), found) in [(place.before, Some(before)), (place.after, after)] {
            if let Some(found) = found {
                let found = Found::of(node, last_move, found.clone());
                self.analysis.engine.learn(&place.game_id, place.begun, found);
            }
        }
    }

    /// Moves that are known to be as good as any, without asking the engine.
    pub(super) fn known_good(&self, game: &Game) -> Vec<Move> {
        let network = self.analysis.engine.network_name(game.board());
        let known = network.and_then(|network| self.analysis.evaluations.recall(game, &network));
        let known = known.filter(|known| known.visits >= CARD_VISITS);
        known.map(|known| good_moves(game, &known).into_iter().map(|(good, _)| good).collect()).unwrap_or_default()
    }

    /// What a move is worth. One that the search of the position did not look at closely is searched itself before
    /// anything is said.
    pub(super) fn judge(&self, game: &Game, played: Move, stop: &StopFlag) -> Result<Verdict, ApiError> {
        self.analysis.by_one_network(|| self.compare_with_best(game, played, stop))
    }

    fn compare_with_best(&self, game: &Game, played: Move, stop: &StopFlag) -> Result<Verdict, ApiError> {
        let mover = game.to_play();
        let before = self.searched(game, stop)?;
        let nothing = Searched { visits: 0, black_lead: None, candidates: &[] };
        if let Some(lost) = points_lost(mover, played, (&before).into(), nothing, ENOUGH_VISITS) {
            return Ok(verdict(lost, before, played, None));
        }
        let mut after = game.clone();
        let size = game.board().size();
        after.play(mover, played).map_err(|error| ApiError::from_illegal_move(error, size))?;
        if after.is_over() {
            // Nothing is searched behind the end: the move is compared with the others at the root.
            let question = Question { about: Some((played, ENOUGH_VISITS)), ..Question::of_visits(CARD_VISITS.into()) };
            let compared = self.analysis.search(game, question, stop)?;
            let lost = points_lost(mover, played, (&compared).into(), nothing, ENOUGH_VISITS);
            // Visits that are given to one move say less of the position than those that the search shares out.
            return Ok(Verdict { before, ..verdict(lost.ok_or(ApiError::Cancelled)?, compared, played, None) });
        }
        let answer = self.analysis.evaluation(&after, ANSWER_VISITS, stop)?;
        let lost = points_lost(mover, played, (&before).into(), (&answer).into(), ENOUGH_VISITS);
        Ok(verdict(lost.ok_or(ApiError::Cancelled)?, before, played, Some(answer)))
    }

    /// What was played, and what is better.
    pub(super) fn solve(&self, asked: &Asked, stop: &StopFlag) -> Result<CardSolution, ApiError> {
        let Asked { game, turn, played, .. } = asked;
        // Records have moves that break a rule; nothing goes on after those.
        let played = played.filter(|&(played, _)| game.legality(game.to_play(), played).is_ok());
        let (before, verdict) = self.analysis.by_one_network(|| {
            let before = self.searched(game, stop)?;
            let verdict = played.map(|(played, _)| self.judge(game, played, stop)).transpose()?;
            Ok((before, verdict))
        })?;
        self.report_review(asked, &before, verdict.as_ref().and_then(|verdict| verdict.after.as_ref()));
        let lost_now = asked.place.as_ref().map(|place| self.lost_in(place));
        let best = before.candidates.first().ok_or(ApiError::Cancelled)?;
        let size = game.board().size();
        let seen = |played: Move| -> Vertex { turn.vertex(played, size) };
        let played = played.zip(verdict).map(|((played, lost), Verdict { line, .. })| PlayedMove {
            vertex: seen(played),
            points_lost: lost_now.unwrap_or(lost).into(),
            line: turn.line(game, &line),
        });
        let good = good_moves(game, &before);
        let good = good.into_iter().map(|(good, lost)| GoodMove { vertex: seen(good), points_lost: lost.into() });
        Ok(CardSolution {
            played,
            best: seen(best.played),
            better: turn.line(game, &with_first(best.played, &best.line)),
            good: good.collect(),
            kept: KeptCard { kept: false, due: None },
        })
    }
}

/// Moves that a search holds to be as good as any, with what they lose, the best first.
fn good_moves(game: &Game, searched: &PositionEvaluation) -> Vec<(Move, f64)> {
    let nothing = Searched { visits: 0, black_lead: None, candidates: &[] };
    let good = searched.candidates.iter().filter_map(|candidate| {
        let lost = points_lost(game.to_play(), candidate.played, searched.into(), nothing, ENOUGH_VISITS)?;
        (lost <= ACCEPTED_LOSS).then_some((candidate.played, lost))
    });
    good.collect()
}

fn verdict(lost: f64, before: PositionEvaluation, played: Move, after: Option<PositionEvaluation>) -> Verdict {
    let own = before.candidates.iter().find(|candidate| candidate.played == played);
    let is_best = before.candidates.first().is_some_and(|best| best.played == played);
    let reply = after.as_ref().and_then(|after| after.candidates.first());
    let line = match (reply, own) {
        (Some(reply), _) => [&[played][..], &with_first(reply.played, &reply.line)].concat(),
        (None, Some(own)) => with_first(played, &own.line),
        (None, None) => vec![played],
    };
    Verdict { lost, is_best, line, before, after }
}

/// A candidate's line, which begins with the candidate.
pub(super) fn with_first(first: Move, line: &[Move]) -> Vec<Move> {
    if line.first() == Some(&first) { line.to_vec() } else { [&[first][..], line].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TWO_NETWORKS, choose_network, gated};
    use honinbo_record::{ReplayOptions, read_sgf, replay_each};
    use honinbo_rules::Point;

    #[test]
    fn a_move_is_judged_by_one_network_where_another_one_is_chosen_meanwhile() {
        let (app, gate) = gated();
        let tree = read_sgf(b"(;SZ[9]KM[7.5]RU[Chinese])").games.remove(0).tree;
        let mut positions = Vec::new();
        replay_each(&tree, tree.root(), ReplayOptions::default(), &mut |_, game| positions.push(game.clone()));
        let (asked, corner) = (&positions[0], Move::Place(Point::new(0, 0)));
        let [old, new] = TWO_NETWORKS;
        choose_network(&app, old);
        gate.allow(Some(3));
        std::thread::scope(|scope| {
            let judged = scope.spawn(|| app.lessons.judge(asked, corner, &StopFlag::new()).unwrap().lost);
            gate.wait_until_empty();
            choose_network(&app, new);
            gate.allow(None);
            assert!(judged.join().unwrap() >= 0.0);
        });
        // The position before the move is the new network's as well as the one after it.
        let known = app.analysis.evaluations.recall(asked, new);
        assert!(known.is_some_and(|known| known.visits >= CARD_VISITS));
    }
}
