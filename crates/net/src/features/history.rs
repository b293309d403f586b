//! How much of the game's past the network is shown.

use honinbo_rules::{Color, Game, Move, Outcome, WinBy};

use super::area::AreaPlanes;
use honinbo_evaluator::EvalParams;

/// Turns shown at most.
const MAX_MOVES: usize = 5;

/// What of the past is shown.
pub(super) struct Shown {
    /// The latest turns, newest first.
    pub(super) turns: Vec<Move>,
    /// Whether the network is not told that a pass would end the phase.
    pub(super) hides_end: bool,
}

impl Shown {
    pub(super) fn new(game: &Game, params: &EvalParams, area: Option<&AreaPlanes>) -> Self {
        let player = game.to_play();
        let losing = || area.is_some_and(|area| area.lead(game, player, params.draw_equivalent_wins_for_white) <= 0.0);
        let hides_end = game.pass_would_end_game(player)
            && (params.conservative_pass_root
                || game.friendly_pass_suppresses_end(player)
                || (params.passing_hacks && losing()));
        let most = if hides_end {
            0
        } else if ended_by_play(game) {
            1
        } else {
            MAX_MOVES
        };
        let most = most.min(params.max_history as usize).min(game.valid_turns());
        let mut turns = Vec::with_capacity(most);
        let mut mover: Color = player.opponent();
        for turn in game.turns().iter().rev().take(most) {
            if turn.color != mover {
                break;
            }
            turns.push(turn.played);
            mover = mover.opponent();
        }
        Self { turns, hides_end }
    }
}

/// Whether passes or a repetition have ended the game. A game that somebody resigned goes on where it stands.
fn ended_by_play(game: &Game) -> bool {
    let by_score = |outcome| match outcome {
        Outcome::Win { by, .. } => matches!(by, WinBy::Score(_)),
        Outcome::Draw | Outcome::NoResult => true,
    };
    game.is_past_end() || game.outcome().is_some_and(by_score)
}
