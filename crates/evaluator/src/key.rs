//! What makes two questions the same.

use std::hash::{Hash, Hasher};

use honinbo_rules::Point;

use crate::evaluation::EvalRequest;

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
    let player = game.to_play();
    let board = game.board();
    let rules = game.ruleset();
    board.hash().0.hash(state);
    board.topology().name().hash(state);
    (board.size().width(), board.size().height(), player, game.phase().number()).hash(state);
    board.ko_point().hash(state);
    for point in game.superko_points() {
        (1u8, point).hash(state);
    }
    for point in game.recapture_blocked() {
        (2u8, point).hash(state);
    }
    if game.phase().number() == 2 {
        for point in Point::all(board.size()) {
            game.second_clean_up_stone(point).hash(state);
        }
    }
    let komi = game.self_komi(player, params.draw_equivalent_wins_for_white);
    ((komi * 256.0).round() as i32).hash(state);
    (rules.ko, rules.scoring, rules.tax, rules.multi_stone_suicide, game.button_available()).hash(state);
    let ends_phase = game.pass_would_end_phase(player);
    (ends_phase, game.is_over(), params.max_history == 0, params.pass_alive_under_suicide).hash(state);
    if game.pass_would_end_game(player) {
        let friendly = game.friendly_pass_suppresses_end(player);
        (params.conservative_pass_root, friendly).hash(state);
    }
    params.passing_hacks.hash(state);
    params.policy_temperature.to_bits().hash(state);
    params.policy_optimism.to_bits().hash(state);
    params.playout_doubling_advantage.to_bits().hash(state);
    params.draw_equivalent_wins_for_white.to_bits().hash(state);
    params.profile.hash(state);
    (!params.any_symmetry).then_some(params.symmetry.number()).hash(state);
}
