//! An evaluator that judges as stones shine on their surroundings: no strength, but values that follow the position.

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Board, Color, Game, Point};
use std::time::Duration;

/// How often influence is handed on to the neighbours.
const ROUNDS: usize = 6;
/// What of a point's influence its neighbours hand on; the rest is lost on the way.
const HANDED_ON: f32 = 0.9;
/// Points of lead that make a win about three times as likely as a loss.
const POINTS_PER_LOGIT: f32 = 5.0;
/// About how far the score is from certain, in points.
const SCORE_DEVIATION: f32 = 6.0;
/// What every batch takes: a search without a limit leaves the machine to the tests.
const BATCH_TIME: Duration = Duration::from_millis(1);

/// Gives each point to whose stones are nearer and more, and thinks of moves on the third and fourth lines near the
/// last one first. A chain in atari belongs to the other side.
///
/// Always the same answer to the same question; a move in the corner is worth less than one in the middle, so that
/// there are good and bad moves to tell apart.
#[derive(Debug, Clone, Copy, Default)]
pub struct InfluenceEvaluator;

impl Evaluator for InfluenceEvaluator {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        std::thread::sleep(BATCH_TIME);
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        Ok(requests.iter().map(evaluation).collect())
    }
}

fn evaluation(request: &EvalRequest<'_>) -> Evaluation {
    let game = request.game;
    let ownership = white_ownership(game.board());
    let lead = ownership.iter().sum::<f32>() + game.komi().points() as f32;
    let white_win = 1.0 / (1.0 + (-lead / POINTS_PER_LOGIT).exp());
    Evaluation {
        white_win,
        white_loss: 1.0 - white_win,
        no_result: 0.0,
        white_score_mean: lead,
        white_score_mean_sq: lead * lead + SCORE_DEVIATION * SCORE_DEVIATION,
        white_lead: lead,
        var_time_left: -1.0,
        shortterm_winloss_error: -1.0,
        shortterm_score_error: -1.0,
        policy: policy(game).into(),
        white_ownership: request.params.include_ownership.then(|| ownership.into()),
    }
}

/// +1 White's, -1 Black's, row by row from the top.
fn white_ownership(board: &Board) -> Vec<f32> {
    let size = board.size();
    let mut sources = vec![0.0; size.area()];
    for chain in board.chains() {
        let own = if chain.color() == Color::White { 1.0 } else { -1.0 };
        for stone in chain.stones() {
            sources[stone.index(size)] = if chain.is_in_atari() { -0.6 * own } else { own };
        }
    }
    let near: Vec<Vec<usize>> =
        Point::all(size).map(|point| board.neighbors(point).map(|neighbor| neighbor.index(size)).collect()).collect();
    let mut field = sources.clone();
    for _ in 0..ROUNDS {
        let spread = |point: usize| {
            let mean = near[point].iter().map(|&other| field[other]).sum::<f32>() / near[point].len() as f32;
            match sources[point] {
                0.0 => (HANDED_ON * mean).clamp(-1.0, 1.0),
                stone => 0.8 * stone + 0.2 * mean,
            }
        };
        field = (0..field.len()).map(spread).collect();
    }
    field
}

/// Probabilities, pass last; -1 where a move is not allowed.
fn policy(game: &Game) -> Vec<f32> {
    let board = game.board();
    let size = board.size();
    let mut policy = vec![-1.0; size.area() + 1];
    for point in game.legal_points() {
        policy[point.index(size)] = liking(game, point).exp();
    }
    // A pass is thought of when the board is full, and when the other side has passed.
    let open = board.empty_points().count() as f32 / size.area() as f32;
    policy[size.area()] = if game.consecutive_passes() > 0 { 2.0 } else { 0.01 } + (4.0 - 40.0 * open).exp();
    let sum: f32 = policy.iter().filter(|&&chance| chance > 0.0).sum();
    policy.iter_mut().filter(|chance| **chance > 0.0).for_each(|chance| *chance /= sum);
    policy
}

fn liking(game: &Game, point: Point) -> f32 {
    let board = game.board();
    let size = board.size();
    let edge = point.x().min(point.y()).min(size.width() - 1 - point.x()).min(size.height() - 1 - point.y());
    let line = match edge {
        0 => -3.0,
        1 => -1.0,
        2 | 3 => 1.5,
        _ => 0.5,
    };
    let last = game.turns().last().and_then(|turn| turn.played.point());
    let near = last.map_or(0.0, |last| {
        let distance = last.x().abs_diff(point.x()) + last.y().abs_diff(point.y());
        (5.0 - distance as f32).max(0.0) * 0.5
    });
    let taken = board.neighbors(point).filter(|&neighbor| board.get(neighbor).is_some()).count();
    let crowd = if taken > 2 { -2.0 } else { 0.0 };
    // No two points alike, so that an order is an order.
    let mixed = (point.index(size) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    line + near + crowd + mixed as f32 / (1_u64 << 24) as f32 * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_evaluator::EvalParams;
    use honinbo_rules::{BoardSize, Move, Preset, Setup, Topology};

    fn after(moves: &[(usize, usize)]) -> Evaluation {
        let usual = Setup::preset(Preset::Chinese);
        let size = BoardSize::square(9).unwrap();
        let mut game = Game::new(Setup::new(size, Topology::Plane, usual.ruleset, usual.komi)).unwrap();
        for &(x, y) in moves {
            game.play(game.to_play(), Move::Place(Point::new(x, y))).unwrap();
        }
        let params = EvalParams { include_ownership: true, ..EvalParams::default() };
        let answers = InfluenceEvaluator.evaluate(&[EvalRequest { game: &game, params }], &StopFlag::new());
        answers.unwrap().remove(0)
    }

    #[test]
    fn a_move_in_the_middle_is_worth_more_than_one_in_the_corner() {
        let (middle, corner) = (after(&[(4, 4)]), after(&[(0, 0)]));
        assert!(corner.white_lead - middle.white_lead > 1.0, "{} {}", corner.white_lead, middle.white_lead);
        assert!(middle.white_loss > corner.white_loss);
    }

    #[test]
    fn a_chain_in_atari_belongs_to_the_other_side() {
        // White's stone in the corner has one liberty.
        let answer = after(&[(0, 1), (0, 0)]);
        assert!(answer.white_ownership.as_ref().unwrap()[0] < 0.0);
        assert_eq!(answer.policy[9], -1.0, "there is a stone");
        let sum: f32 = answer.policy.iter().filter(|&&chance| chance > 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}
