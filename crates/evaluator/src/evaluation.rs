//! One question about a position, and its answer.

use honinbo_rules::{Game, Symmetry};

use crate::profile::PlayerProfile;

/// How one position is shown to the network.
///
/// The defaults are those of a raw network query: no symmetry, no optimism, all history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvalParams {
    /// The board is turned by this symmetry before the network sees it; answers come back in the board's own
    /// orientation. Where the board is not square, or a cylinder, the transposing half of the symmetries acts like the
    /// other half.
    pub symmetry: Symmetry,
    /// Whether an answer under any other symmetry is as good, so that a remembered one will do: what a search wants,
    /// which draws a symmetry for each position that it meets.
    pub any_symmetry: bool,
    /// 0 ..= 1: how far the policy leans to the "optimistic" head of networks that have one. A search uses about 0.2 at
    /// its root and 1 below. Forced to 0 for networks with a player profile.
    pub policy_optimism: f32,
    /// Divides the policy logits; 1 leaves them alone. Must be positive.
    pub policy_temperature: f32,
    /// At the root, behave as if a pass did not end the game.
    pub conservative_pass_root: bool,
    /// What a search wants: a losing pass that would end the game is hidden, and pass gets at most 95 % of the policy.
    pub passing_hacks: bool,
    /// 0 ..= 1: the worth of a drawn game for White, in wins.
    pub draw_equivalent_wins_for_white: f64,
    /// Doublings of playouts that the player to move has over the other, about -3 ..= 3.
    pub playout_doubling_advantage: f64,
    /// At most this many earlier turns are shown; 0 hides all history.
    pub max_history: u32,
    /// Whether pass-alive areas are found as if suicide were legal. `None`: as the network's header and the ruleset ask.
    pub pass_alive_under_suicide: Option<bool>,
    /// Whether points beside a chain of their owner in atari are shown as nobody's territory. `None`: as the network's
    /// header asks.
    pub exclude_beside_atari: Option<bool>,
    /// Whether [`Evaluation::white_ownership`] is wanted.
    pub include_ownership: bool,
    /// Who plays, for human-style networks, which cannot do without; ignored by the others.
    pub profile: Option<PlayerProfile>,
}

impl Default for EvalParams {
    fn default() -> Self {
        Self {
            symmetry: Symmetry::IDENTITY,
            any_symmetry: false,
            policy_optimism: 0.0,
            policy_temperature: 1.0,
            conservative_pass_root: false,
            passing_hacks: false,
            draw_equivalent_wins_for_white: 0.5,
            playout_doubling_advantage: 0.0,
            max_history: u32::MAX,
            pass_alive_under_suicide: None,
            exclude_beside_atari: None,
            include_ownership: false,
            profile: None,
        }
    }
}

/// One question: the position at the end of `game`, for the player to move there.
#[derive(Debug, Clone, Copy)]
pub struct EvalRequest<'a> {
    /// The game with its history; the player to move is the game's own.
    pub game: &'a Game,
    /// How it is shown.
    pub params: EvalParams,
}

/// What the network says of one position, after post-processing. Everything is from White's side, as in KataGo.
///
/// Source: KataGo v1.17.2, `nneval.cpp`; the order of operations is written down in the post-processing module.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Probability that White wins, 0 ..= 1.
    pub white_win: f32,
    /// Probability that White loses, 0 ..= 1.
    pub white_loss: f32,
    /// Probability that the game ends without result (a long cycle); exactly 0 where the rules exclude it.
    pub no_result: f32,
    /// Expected final score in points, komi included.
    pub white_score_mean: f32,
    /// Second raw moment of the final score, points squared.
    pub white_score_mean_sq: f32,
    /// Points that would have to be taken from White to make the game even.
    pub white_lead: f32,
    /// Expected time until the outcome is decided, in turns; -1 where the network does not say.
    pub var_time_left: f32,
    /// Expected error of the win-loss value after a short search; -1 where the network does not say.
    pub shortterm_winloss_error: f32,
    /// Expected error of the score after a short search, in points; -1 where the network does not say.
    pub shortterm_score_error: f32,
    /// Area + 1 probabilities, row by row from the top, pass last; -1 marks an illegal move.
    pub policy: Box<[f32]>,
    /// Area values row by row from the top, +1 White's, -1 Black's. `Some` where it was asked for.
    pub white_ownership: Option<Box<[f32]>>,
}

impl Evaluation {
    /// The answer of somebody who has no opinion: even chances, and all moves of the policy alike.
    #[must_use]
    pub fn even(moves: usize) -> Self {
        Self {
            white_win: 0.5,
            white_loss: 0.5,
            no_result: 0.0,
            white_score_mean: 0.0,
            white_score_mean_sq: 0.0,
            white_lead: 0.0,
            var_time_left: -1.0,
            shortterm_winloss_error: -1.0,
            shortterm_score_error: -1.0,
            policy: vec![1.0 / moves as f32; moves].into(),
            white_ownership: None,
        }
    }

    /// The arithmetic mean of several answers for one position, `first` and `others`, such as those under several
    /// symmetries. Illegal moves stay -1. Ownership is there where every answer has it.
    ///
    /// Source: KataGo v1.17.2, `nneval.cpp`, which averages finished answers, not what leaves the network.
    #[must_use]
    pub fn mean(first: Self, others: &[Self]) -> Self {
        let share = 1.0 / (others.len() + 1) as f32;
        let number = |of: fn(&Self) -> f32| others.iter().fold(of(&first), |sum, other| sum + of(other)) * share;
        let array = |of: &dyn Fn(&Self) -> &[f32]| -> Box<[f32]> {
            let mut sums: Box<[f32]> = of(&first).into();
            for other in others {
                sums.iter_mut().zip(of(other)).for_each(|(sum, value)| *sum += value);
            }
            sums.iter_mut().for_each(|sum| *sum *= share);
            sums
        };
        let has_ownership = first.white_ownership.is_some() && others.iter().all(|e| e.white_ownership.is_some());
        Self {
            white_win: number(|e| e.white_win),
            white_loss: number(|e| e.white_loss),
            no_result: number(|e| e.no_result),
            white_score_mean: number(|e| e.white_score_mean),
            white_score_mean_sq: number(|e| e.white_score_mean_sq),
            white_lead: number(|e| e.white_lead),
            var_time_left: number(|e| e.var_time_left),
            shortterm_winloss_error: number(|e| e.shortterm_winloss_error),
            shortterm_score_error: number(|e| e.shortterm_score_error),
            policy: array(&|e| &e.policy),
            white_ownership: has_ownership.then(|| array(&|e| e.white_ownership.as_deref().unwrap_or_default())),
        }
    }
}
