//! Which moves may be played, and why not.

use super::{Game, MAX_TURNS, Phase};
use crate::geometry::Index;
use crate::{Color, IllegalMove, Move, Point};

impl Game {
    /// Whether the ruleset allows this turn now.
    ///
    /// # Errors
    /// The reason why not. Passing and resigning are allowed whenever the game is not over and it is one's turn;
    /// resigning also when it is not.
    pub fn legality(&self, color: Color, played: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if self.turns.len() >= MAX_TURNS {
            return Err(IllegalMove::TooLong { limit: MAX_TURNS });
        }
        match played {
            Move::Resign => Ok(()),
            _ if color != self.to_play => Err(IllegalMove::WrongTurn { to_play: self.to_play }),
            Move::Pass => Ok(()),
            Move::Place(point) => self.point_legality(point),
        }
    }

    /// Whether the ruleset allows the player to move to place a stone on a point, whether or not the game is over.
    /// This is what a network's policy is masked with.
    ///
    /// In a clean-up phase an occupied point can be allowed: see [`Game::is_pass_for_ko`].
    ///
    /// # Errors
    /// The reason why not.
    pub fn point_legality(&self, point: Point) -> Result<(), IllegalMove> {
        let board = self.board();
        let index = board.geometry.index(point).ok_or(IllegalMove::Outside { point, size: board.size() })?;
        let color = self.to_play;
        if self.phase.is_clean_up() {
            if self.is_pass_for_ko_index(color, index) {
                return Ok(());
            }
        } else if board.ko == index {
            return Err(IllegalMove::Ko { point });
        }
        board.legality_ignoring_ko(color, index, self.setup.ruleset.multi_stone_suicide)?;
        if !self.superko.contains(index) {
            Ok(())
        } else if self.phase.is_clean_up() {
            Err(IllegalMove::KoTakenBefore { point })
        } else {
            Err(IllegalMove::Superko { point, first_seen: self.first_seen(color, index) })
        }
    }

    /// Whether [`Game::point_legality`] has no objection.
    #[must_use]
    pub fn is_legal_point(&self, point: Point) -> bool {
        self.index(point).is_some_and(|index| self.is_legal_index(index))
    }

    pub(super) fn is_legal_index(&self, index: Index) -> bool {
        let board = self.board();
        let color = self.to_play;
        if self.phase.is_clean_up() {
            if self.is_pass_for_ko_index(color, index) {
                return true;
            }
        } else if board.ko == index {
            return false;
        }
        board.cells[index as usize].stone() == crate::board::EMPTY
            && !self.superko.contains(index)
            && !board.is_illegal_suicide(color, index, self.setup.ruleset.multi_stone_suicide)
    }

    /// Every point where the player to move may place a stone, row by row from the top; passing is always allowed
    /// besides. Asked of a finished game it answers as if the game went on.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.board().geometry.area)
            .filter(|&index| self.is_legal_index(index))
            .map(|index| self.board().geometry.point(index))
    }

    /// Every turn that the player to move may take: the legal points, then the pass. None once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.is_over() || self.turns.len() >= MAX_TURNS {
            return Vec::new();
        }
        self.legal_points().map(Move::Place).chain([Move::Pass]).collect()
    }

    /// Whether placing a stone here, in a clean-up phase, means to lift the ban on retaking a ko instead: the point
    /// holds a lone opposing stone in atari that may not be retaken, or would capture such a stone as a ko.
    #[must_use]
    pub fn is_pass_for_ko(&self, color: Color, point: Point) -> bool {
        self.index(point).is_some_and(|index| self.is_pass_for_ko_index(color, index))
    }

    pub(super) fn is_pass_for_ko_index(&self, color: Color, index: Index) -> bool {
        if self.phase == Phase::Main {
            return false;
        }
        let board = self.board();
        let opponent = color.opponent();
        if board.stone(index) == Some(opponent) {
            return self.recapture_blocked.contains(index)
                && board.is_single(board.head(index))
                && board.atari_liberty(board.head(index)).is_some();
        }
        board.ko_capture(color, index).is_some_and(|stone| self.recapture_blocked.contains(stone))
    }

    /// The number of turns after which the position that this stone would bring about was there first.
    fn first_seen(&self, color: Color, index: Index) -> u32 {
        let key = self.ko_key_of(self.board().hash_after(color, index), color.opponent());
        let nth = self.ko_history.position(key).unwrap_or(0);
        (self.ko_history_start + nth) as u32
    }
}
