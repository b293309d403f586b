//! What engines and encoders ask of a game.

use super::{Game, PointSet};
use crate::{Color, Point, Scoring};

impl Game {
    /// Points that the player to move may not play because of superko, or in a clean-up phase because that ko was
    /// taken there before. The simple ko point is not among them: see [`crate::Board::ko_point`].
    pub fn superko_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points_of(&self.superko)
    }

    /// Stones that may not be retaken in this clean-up phase.
    pub fn recapture_blocked(&self) -> impl Iterator<Item = Point> + '_ {
        self.points_of(&self.recapture_blocked)
    }

    /// The stone that was on a point when the second clean-up phase began; `None` before that.
    #[must_use]
    pub fn second_clean_up_stone(&self, point: Point) -> Option<Color> {
        self.clean_up2_start.as_ref().and_then(|board| board.get(point))
    }

    /// Whether the half point for the first pass is still to be had.
    #[must_use]
    pub fn button_available(&self) -> bool {
        self.button
    }

    /// Number of latest turns that may be shown to a network as history: turns of this phase, and after the game's
    /// end at most one.
    #[must_use]
    pub fn valid_turns(&self) -> usize {
        self.valid_turns
    }

    /// Passes in a row that count towards the end of the phase.
    #[must_use]
    pub fn consecutive_passes(&self) -> u32 {
        self.consecutive_passes
    }

    /// Whether suicide of several stones counts as possible when life is judged.
    #[must_use]
    pub fn suicide_for_pass_alive(&self) -> bool {
        self.setup.ruleset.multi_stone_suicide || self.setup.pass_alive_under_suicide
    }

    /// Points for White besides komi and the board: what moves cost under territory scoring, and the button.
    #[must_use]
    pub fn white_bonus(&self) -> f32 {
        let [black, white] = self.charged_moves.map(|moves| moves as i32);
        (black - white) as f32 + self.button_half as f32 / 2.0
    }

    /// Points for White for Black's handicap stones.
    #[must_use]
    pub fn white_handicap_bonus(&self) -> u32 {
        self.handicap_bonus
    }

    /// Whether the final score, komi included, is sure to be a whole number, so that the game can be drawn.
    #[must_use]
    pub fn score_will_be_integer(&self) -> bool {
        self.setup.komi.is_integer() != self.setup.ruleset.button
    }

    /// Everything that is added to a player's points on the board, in points: komi and bonuses, with their sign for
    /// that player.
    ///
    /// `white_wins_per_draw`: what a draw is worth to White, 0.5 normally; the komi is moved by the difference when
    /// the game can be drawn.
    #[must_use]
    pub fn self_komi(&self, color: Color, white_wins_per_draw: f64) -> f32 {
        let for_draw = if self.score_will_be_integer() { (white_wins_per_draw - 0.5) as f32 } else { 0.0 };
        let white = self.white_bonus() + self.handicap_bonus as f32 + self.setup.komi.points() as f32 + for_draw;
        if color == Color::White { white } else { -white }
    }

    /// Whether the next score will be by territory.
    #[must_use]
    pub fn is_territory(&self) -> bool {
        self.setup.ruleset.scoring == Scoring::Territory
    }

    fn points_of<'a>(&'a self, set: &'a PointSet) -> impl Iterator<Item = Point> + 'a {
        let geometry = self.board().geometry;
        (0..geometry.area).filter(move |&index| set.contains(index)).map(move |index| geometry.point(index))
    }
}

impl Game {
    pub(crate) fn charged_moves(&self) -> [u32; 2] {
        self.charged_moves
    }

    pub(crate) fn button_half(&self) -> i32 {
        self.button_half
    }

    /// Stones that a player took while moves were charged for.
    pub(crate) fn prisoners_of(&self, color: Color) -> u32 {
        if self.phase == super::Phase::CleanUp2 {
            self.clean_up2_captures[color.index()]
        } else {
            self.board().captured_by(color)
        }
    }
}
