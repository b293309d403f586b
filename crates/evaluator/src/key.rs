//! What makes two questions the same.

use std::hash::{Hash, Hasher};

use crate::evaluation::{EvalParams, EvalRequest};

/// Identifies everything an answer depends on, but for two things that are left out on purpose, as in KataGo: the moves
/// that led to the position, so that answers to the same position reached in another order are shared, and the symmetry
/// under which the network looks, where the question leaves it open.
///
/// 128 bits, so that no two questions of a session meet by chance. Valid within one process only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionKey(u128);

impl PositionKey {
    /// The key of a request.
    #[must_use]
    pub fn of(request: &EvalRequest<'_>) -> Self {
        let mut low = std::hash::DefaultHasher::new();
        let mut high = std::hash::DefaultHasher::new();
        0x9e37_79b9_u32.hash(&mut high);
        feed(request, &mut low);
        feed(request, &mut high);
        Self(u128::from(high.finish()) << 64 | u128::from(low.finish()))
    }
}

fn feed(request: &EvalRequest<'_>, state: &mut impl Hasher) {
    let EvalRequest { game, params } = request;
    let EvalParams {
        symmetry,
        any_symmetry,
        policy_optimism,
        policy_temperature,
        conservative_pass_root,
        passing_hacks,
        draw_equivalent_wins_for_white,
        playout_doubling_advantage,
        max_history,
        pass_alive_under_suicide,
        exclude_beside_atari,
        include_ownership: _, // An answer that has it serves those who do not want it.
        profile,
    } = params;
    game.identity().hash(state);
    let player = game.to_play();
    if game.pass_would_end_game(player) {
        (conservative_pass_root, game.friendly_pass_suppresses_end(player)).hash(state);
    }
    // Which of the earlier turns are shown is left out with them; that none is, is not.
    (*max_history == 0, pass_alive_under_suicide, exclude_beside_atari, passing_hacks, profile).hash(state);
    (policy_temperature.to_bits(), policy_optimism.to_bits()).hash(state);
    // An advantage of none is 0 for the one player and -0 for the other, and the same question.
    ((playout_doubling_advantage + 0.0).to_bits(), draw_equivalent_wins_for_white.to_bits()).hash(state);
    (!any_symmetry).then_some(symmetry.number()).hash(state);
}
