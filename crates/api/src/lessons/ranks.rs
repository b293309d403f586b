//! How strong the players of an open game were, and what somebody of a rank would have found.

use super::LessonsRoom;
use super::judge::ACCEPTED_LOSS;
use crate::games::session::LineMove;
use crate::{ApiError, FoundAt, LineReview, Mistake, OpenGameId, RankReview, RankReviewOf, RankSpan, Side};
use honinbo_evaluator::{EvalParams, EvalRequest, Evaluation, Evaluator, PlayerProfile, StopFlag};
use honinbo_library::ENOUGH_VISITS;
use honinbo_players::{Rank, RankEstimate, chance_to_find, rank_from_likelihoods, rank_from_losses};
use honinbo_rules::{Game, Move, Symmetry};
use std::collections::HashMap;
use std::sync::Arc;

/// Moves of a player that a network of human style is asked about, spread over the game.
const MAX_ASKED: usize = 40;
/// Every so many ranks it is asked for.
const RANK_STEP: usize = 4;
/// Share of a player's moves that have to be judged: a review that looked at the worst alone says nothing of the rest.
const JUDGED_SHARE: f64 = 0.9;
/// How far the shares are apart at most, of the position as it is and mirrored, to be told.
const SAME_SHARE: f64 = 0.1;

/// A network of human style, where one is installed.
pub(crate) type Human = Option<Arc<dyn Evaluator>>;

impl LessonsRoom {
    /// How strong the players were, and how likely somebody of the rank avoids each mistake.
    pub(crate) fn rank_review(
        &self,
        wanted: &RankReviewOf,
        human: &Human,
        stop: &StopFlag,
    ) -> Result<RankReview, ApiError> {
        let id = &wanted.game_id;
        let (line, area) =
            self.games.with_game(id, |session| Ok((session.line_moves(), session.game().board().size().area())))?;
        let review = self.analysis.engine.line_review(id, &line, area);
        let found = match &wanted.rank {
            None => Vec::new(),
            Some(rank) => {
                let chances = self.chances(id, &review.mistakes, rank, human, stop)?;
                let at = |mistake: &Mistake| Some((mistake.node_id, *chances.get(&mistake.node_id)?));
                let chances = review.mistakes.iter().filter_map(at);
                chances.map(|(node_id, chance)| FoundAt { node_id, chance: chance.into() }).collect()
            }
        };
        let span = |side| self.span(id, &line, (&review, area), side, human, stop);
        Ok(RankReview { black: span(Side::Black)?, white: span(Side::White)?, human: human.is_some(), found })
    }

    /// How likely somebody of a rank plays a good move in place of each mistake, where its position is known.
    pub(super) fn chances(
        &self,
        id: &OpenGameId,
        mistakes: &[Mistake],
        rank: &str,
        human: &Human,
        stop: &StopFlag,
    ) -> Result<HashMap<crate::NodeId, f64>, ApiError> {
        let rank = rank_of(rank)?;
        let mut chances = HashMap::new();
        for mistake in mistakes {
            let Some(known) = self.analysis.engine.evaluation_of(id, mistake.before) else { continue };
            if known.visits < ENOUGH_VISITS {
                continue;
            }
            let sign = if mistake.side == Side::Black { 1.0 } else { -1.0 };
            let lead = |at: Option<f64>| at.map(|lead| sign * lead);
            let best = lead(known.candidates.first().and_then(|best| best.black_lead));
            let good = |at: Option<f64>| lead(at).zip(best).is_some_and(|(lead, best)| best - lead <= ACCEPTED_LOSS);
            let chance = match human {
                None => {
                    let candidates = known.candidates.iter();
                    let moves: Vec<(f64, bool)> =
                        candidates.map(|candidate| (candidate.prior, good(candidate.black_lead))).collect();
                    chance_to_find(rank, &moves)
                }
                Some(human) => {
                    let game = self.games.with_game(id, |session| session.game_at(mistake.before))?;
                    let Some(policy) = asked(human, &[as_it_lies(&game)], rank, stop)?.pop() else { continue };
                    let candidates = known.candidates.iter().filter(|candidate| good(candidate.black_lead));
                    candidates.map(|candidate| odds(&policy, &game, candidate.played)).sum::<f64>().min(1.0)
                }
            };
            chances.insert(mistake.node_id, chance);
        }
        Ok(chances)
    }

    fn span(
        &self,
        id: &OpenGameId,
        line: &[LineMove],
        (review, area): (&LineReview, usize),
        side: Side,
        human: &Human,
        stop: &StopFlag,
    ) -> Result<Option<RankSpan>, ApiError> {
        let own: Vec<&LineMove> = line.iter().filter(|made| made.side == side).collect();
        let judged = if side == Side::Black { review.black.moves } else { review.white.moves };
        // Both were only ever compared with games on 19x19.
        if area != 361 {
            return Ok(None);
        }
        if let Some(human) = human {
            return Ok(self.by_human(id, &own, human, stop)?.map(span_of));
        }
        if f64::from(judged) < JUDGED_SHARE * own.len() as f64 {
            return Ok(None);
        }
        let value = |node| self.analysis.engine.value_of(id, node);
        let moves = own.iter().filter_map(|made| {
            let lost = value(made.node)?.judged?.points_lost.get();
            let black = value(made.before)?.black_win_prob.get();
            Some((lost, if side == Side::Black { black } else { 1.0 - black }))
        });
        Ok(rank_from_losses(moves).map(span_of))
    }

    /// The rank in whose eyes a player's moves are the most usual ones.
    fn by_human(
        &self,
        id: &OpenGameId,
        own: &[&LineMove],
        human: &Arc<dyn Evaluator>,
        stop: &StopFlag,
    ) -> Result<Option<RankEstimate>, ApiError> {
        let step = own.len().div_ceil(MAX_ASKED).max(1);
        let positions = self.games.with_game(id, |session| {
            let asked = own.iter().step_by(step);
            asked.map(|made| Ok((session.game_at(made.before)?, session.move_before(made.node)?.1.2))).collect()
        });
        let positions: Vec<(Game, Move)> = positions?;
        let views: Vec<View<'_>> = positions.iter().map(|(game, _)| as_it_lies(game)).collect();
        let mut ranks = Vec::new();
        for rank in Rank::all().step_by(RANK_STEP) {
            let answers = asked(human, &views, rank, stop)?;
            let logs = answers.iter().zip(&positions);
            // A move that nobody plays says no more than one that few do.
            let log: f64 = logs.map(|(answer, (game, played))| odds(answer, game, *played).max(1e-4).ln()).sum();
            ranks.push((rank, log));
        }
        Ok(rank_from_likelihoods(&ranks, u32::try_from(positions.len()).unwrap_or(u32::MAX)))
    }
}

/// The rank of a name.
pub(super) fn rank_of(name: &str) -> Result<Rank, ApiError> {
    name.parse().map_err(|error: honinbo_players::RankError| ApiError::InvalidRequest { message: error.to_string() })
}

/// How many of a rank play each of these moves, 0 to 1, as a network of human style expects: the mean over all views of
/// the position; `None` where it says another thing of the position mirrored.
pub(super) fn shares(
    human: &Arc<dyn Evaluator>,
    game: &Game,
    rank: Rank,
    moves: [Move; 2],
    stop: &StopFlag,
) -> Result<Option<[f64; 2]>, ApiError> {
    let board = game.board();
    // Where sides are not exchanged, a network is shown the same views twice.
    let exchanges = board.size().is_square() && board.topology().wraps_x() == board.topology().wraps_y();
    let symmetries: Vec<Symmetry> =
        Symmetry::ALL.into_iter().filter(|symmetry| exchanges || !symmetry.transposes()).collect();
    let views: Vec<View<'_>> = symmetries.iter().map(|&symmetry| (game, symmetry)).collect();
    let mut sums = [[0.0; 2]; 2];
    for (answer, symmetry) in asked(human, &views, rank, stop)?.iter().zip(&symmetries) {
        let is_mirrored = symmetry.number().count_ones() % 2;
        let sums = &mut sums[is_mirrored as usize];
        sums.iter_mut().zip(moves).for_each(|(sum, played)| *sum += odds(answer, game, played));
    }
    let half = symmetries.len() as f64 / 2.0;
    let [one, other] = sums.map(|sums: [f64; 2]| sums.map(|sum| sum / half));
    let agree = one.iter().zip(&other).all(|(one, other)| (one - other).abs() <= SAME_SHARE);
    Ok(agree.then(|| [0, 1].map(|at| f64::midpoint(one[at], other[at]))))
}

/// A position, and how it is shown to a network.
type View<'g> = (&'g Game, Symmetry);

fn as_it_lies(game: &Game) -> View<'_> {
    (game, Symmetry::IDENTITY)
}

/// What a network of human style expects of somebody of a rank.
fn asked(
    human: &Arc<dyn Evaluator>,
    views: &[View<'_>],
    rank: Rank,
    stop: &StopFlag,
) -> Result<Vec<Evaluation>, ApiError> {
    let profile: Option<PlayerProfile> = format!("rank_{rank}").parse().ok();
    let params = |symmetry| EvalParams { profile, symmetry, ..EvalParams::default() };
    let requests: Vec<EvalRequest<'_>> =
        views.iter().map(|&(game, symmetry)| EvalRequest { game, params: params(symmetry) }).collect();
    human.evaluate(&requests, stop).map_err(|error| match error {
        honinbo_evaluator::EvalError::Cancelled => ApiError::Cancelled,
        other => ApiError::EngineUnavailable { message: other.to_string(), hint: "try again".into() },
    })
}

fn odds(answer: &Evaluation, game: &Game, played: Move) -> f64 {
    let size = game.board().size();
    let at = played.point().map_or(size.area(), |point| point.index(size));
    f64::from(answer.policy.get(at).copied().unwrap_or_default().max(0.0))
}

fn span_of(found: RankEstimate) -> RankSpan {
    let RankEstimate { middle, low, high, moves } = found;
    RankSpan { middle: middle.to_string(), low: low.to_string(), high: high.to_string(), moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_evaluator::{BatchLimits, EvalError};
    use honinbo_rules::{BoardSize, Point, Preset, Setup};

    /// Gives the upper left corner one share as the board lies and another one as it is mirrored, and 5 kyu alone any.
    struct Shares([f32; 2]);

    impl Evaluator for Shares {
        fn limits(&self) -> BatchLimits {
            BatchLimits { preferred: 1, max: 1 }
        }

        fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
            let answer = |request: &EvalRequest<'_>| {
                let size = request.game.board().size();
                let mut answer = Evaluation::even(size.area() + 1);
                answer.policy.fill(-1.0);
                if request.params.profile == "rank_5k".parse().ok() {
                    // As networks do: a board that is not square keeps its axes.
                    let number = request.params.symmetry.number() & if size.is_square() { 7 } else { 3 };
                    answer.policy[0] = self.0[number.count_ones() as usize % 2];
                }
                answer
            };
            Ok(requests.iter().map(answer).collect())
        }
    }

    #[test]
    fn a_share_is_said_where_the_mirrored_position_gives_about_the_same() {
        let square = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let wide = Game::new(Setup { size: BoardSize::new(13, 9).unwrap(), ..Setup::preset(Preset::Chinese) }).unwrap();
        let moves = [Move::Place(Point::new(0, 0)), Move::Place(Point::new(3, 3))];
        let on = |game: &Game, shares: [f32; 2], rank: &str| {
            let human: Arc<dyn Evaluator> = Arc::new(Shares(shares));
            super::shares(&human, game, rank_of(rank).unwrap(), moves, &StopFlag::new()).unwrap()
        };
        let of = |shares: [f32; 2], rank: &str| on(&square, shares, rank);
        let [played, better] = of([0.25, 0.3125], "5k").unwrap();
        assert!((played - 0.28125).abs() < 1e-6 && better == 0.0, "{played} {better}");
        assert_eq!(of([0.25, 0.375], "5k"), None);
        assert_eq!(of([0.25, 0.3125], "4k"), Some([0.0, 0.0]));
        assert_eq!((on(&wide, [0.25, 0.375], "5k"), on(&wide, [0.25, 0.25], "5k")), (None, Some([0.25, 0.0])));
    }
}
