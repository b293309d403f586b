//! Taking a turn.

use super::{Game, MAX_TURNS, OnceOnly, Phase, PointSet, Turn};
use crate::board::{Board, EMPTY};
use crate::geometry::Index;
use crate::{Color, IllegalMove, KoRule, Move, Outcome, Scoring, WinBy};
use std::sync::Arc;

impl Game {
    /// Takes a turn under the rules.
    ///
    /// # Errors
    /// The reason why the ruleset refuses it; the game is untouched then.
    pub fn play(&mut self, color: Color, played: Move) -> Result<(), IllegalMove> {
        self.legality(color, played)?;
        self.apply(color, played);
        Ok(())
    }

    /// Takes a turn as records in the wild take them: by either player at any time, after the end, retaking a ko,
    /// repeating positions, and by suicide of several stones whatever the ruleset says.
    ///
    /// # Errors
    /// Only what cannot be put on a board: outside, occupied, suicide of a single stone, or too many turns.
    pub fn play_tolerant(&mut self, color: Color, played: Move) -> Result<(), IllegalMove> {
        self.tolerant_legality(color, played)?;
        self.apply(color, played);
        Ok(())
    }

    /// Whether [`Game::play_tolerant`] would take this turn.
    ///
    /// # Errors
    /// The reason why not.
    pub fn tolerant_legality(&self, color: Color, played: Move) -> Result<(), IllegalMove> {
        if self.turns.len() >= MAX_TURNS {
            return Err(IllegalMove::TooLong { limit: MAX_TURNS });
        }
        let Move::Place(point) = played else { return Ok(()) };
        let board = self.board();
        let index = board.geometry.index(point).ok_or(IllegalMove::Outside { point, size: board.size() })?;
        if self.is_pass_for_ko_index(color, index) { Ok(()) } else { board.legality_ignoring_ko(color, index, true) }
    }

    /// Declares that a player resigned, lost on time or forfeited. Does nothing when the game has a result.
    pub fn declare_loss(&mut self, loser: Color, by: WinBy) {
        if !self.is_finished() {
            self.declared = Some(Outcome::Win { winner: loser.opponent(), by });
        }
    }

    /// Takes the game up again after its end, with this player to move: when the players disagree about dead stones.
    /// Earlier passes no longer count.
    pub fn resume(&mut self, to_play: Color) {
        if !self.is_over() {
            return;
        }
        self.outcome = None;
        self.declared = None;
        self.past_end = false;
        self.to_play = to_play;
        self.consecutive_passes = 0;
        self.pass_keys.iter_mut().for_each(Vec::clear);
        self.ko_history.clear();
        self.ko_history.push(self.ko_key(to_play));
        self.ko_history_start = self.turns.len();
        self.valid_turns = 0;
        self.superko.clear();
        self.resumed.push((self.turns.len(), to_play));
    }

    /// Applies a turn that is known to fit the board. Resigning only sets the result.
    ///
    /// Source: KataGo `cpp/game/boardhistory.cpp`, `makeBoardMoveAssumeLegal`, v1.17.2.
    pub(super) fn apply(&mut self, color: Color, played: Move) {
        if played == Move::Resign {
            self.declare_loss(color, WinBy::Resignation);
            return;
        }
        if self.is_over() {
            self.valid_turns = self.valid_turns.min(1);
        }
        self.outcome = None;
        self.declared = None;
        self.past_end = false;
        let ends_by_repetition = self.count_pass(color, played);
        let index = played.point().and_then(|point| self.index(point));
        let passes_for_ko = self.put_on_board(color, index);

        self.to_play = color.opponent();
        let newest = self.ko_key(self.to_play);
        let was_there = self.ko_history.push(newest);
        self.turns.push(Turn { color, played, prevents_clean_up: self.prevent_clean_up });
        self.valid_turns += 1;
        if let Some(index) = index {
            self.ever_occupied.insert(index);
        }
        self.find_superko();
        if self.setup.ruleset.scoring == Scoring::Territory
            && self.phase != Phase::CleanUp2
            && index.is_some()
            && !passes_for_ko
        {
            self.charged_moves[color.index()] += 1;
        }
        self.white_has_moved |= color == Color::White && index.is_some();
        if color == Color::Black && !self.white_has_moved {
            self.handicap_bonus = self.count_handicap_bonus();
        }
        if self.consecutive_passes >= 2 || ends_by_repetition {
            self.end_phase();
        }
        // A long cycle without superko: the third time the position is there, nobody wins.
        let may_cycle = self.phase.is_clean_up() || self.setup.ruleset.ko == KoRule::Simple;
        if index.is_some() && may_cycle && was_there && self.ko_history.count(newest) >= 3 {
            self.outcome = Some(Outcome::NoResult);
        }
    }

    /// Counts passes and answers whether this is a pass from a position that the player passed from before.
    fn count_pass(&mut self, color: Color, played: Move) -> bool {
        if played != Move::Pass {
            self.consecutive_passes = 0;
            return false;
        }
        if self.button {
            self.button = false;
            let gain = if color == Color::White { 1 } else { -1 };
            self.button_half += gain;
            self.consecutive_passes = 0;
            self.pass_keys.iter_mut().for_each(Vec::clear);
            self.forget_positions();
            return false;
        }
        if self.passes_clear_history() {
            self.forget_positions();
        }
        let repeated = self.is_repeated_pass(color);
        self.consecutive_passes = self.consecutive_passes_after_pass();
        let key = self.ko_key(color);
        self.pass_keys[color.index()].push(key);
        repeated
    }

    fn forget_positions(&mut self) {
        self.ko_history.clear();
        self.ko_history_start = self.turns.len() + 1;
    }

    /// Makes the next board the newest of the recent ones; answers whether the turn was a pass for ko.
    fn put_on_board(&mut self, color: Color, index: Option<Index>) -> bool {
        let lifts_ban = index.and_then(|index| self.blocked_stone(color, index));
        let changes = index.is_some() || self.board().ko != self.board().geometry.area;
        self.recent.rotate_right(1);
        if !changes {
            self.recent[0] = Arc::clone(&self.recent[1]);
            return false;
        }
        let (oldest, newer) = self.recent.split_at_mut(1);
        match Arc::get_mut(&mut oldest[0]) {
            Some(board) => board.clone_from(&newer[0]),
            None => oldest[0] = Arc::new(Board::clone(&newer[0])),
        }
        let before = newer[0].hash;
        let Some(board) = Arc::get_mut(&mut oldest[0]) else { return false };
        board.clear_ko();
        let Some(index) = index else { return false };
        if let Some(stone) = lifts_ban {
            toggle_blocked(&mut self.recapture_blocked, &mut self.recapture_hash, stone);
            return true;
        }
        board.place(color, index);
        if self.phase.is_clean_up() {
            if board.ko != board.geometry.area {
                board.clear_ko();
                if !self.recapture_blocked.contains(index) {
                    toggle_blocked(&mut self.recapture_blocked, &mut self.recapture_hash, index);
                }
                self.once_only.push(OnceOnly { before, point: index, color });
            }
            if self.recapture_hash != 0 {
                for at in 0..board.geometry.area {
                    if board.cells[at as usize].stone() == EMPTY && self.recapture_blocked.contains(at) {
                        toggle_blocked(&mut self.recapture_blocked, &mut self.recapture_hash, at);
                    }
                }
            }
        }
        false
    }

    /// The stone whose ban this turn lifts instead of playing, in a clean-up phase.
    fn blocked_stone(&self, color: Color, index: Index) -> Option<Index> {
        if self.phase == Phase::Main {
            return None;
        }
        let board = self.board();
        let stone =
            if board.stone(index) == Some(color.opponent()) { Some(index) } else { board.ko_capture(color, index) };
        stone.filter(|&stone| self.recapture_blocked.contains(stone))
    }

    /// Marks the points that the next player may not play because of the whole game's history.
    fn find_superko(&mut self) {
        if self.phase.is_clean_up() {
            self.superko.clear();
            for entry in &self.once_only {
                if entry.before == self.recent[0].hash && entry.color == self.to_play {
                    self.superko.insert(entry.point);
                }
            }
            return;
        }
        if self.setup.ruleset.ko == KoRule::Simple {
            return;
        }
        let board = self.board();
        let mut banned = PointSet::empty(board.size().area());
        let color = self.to_play;
        for (word, &empty) in board.empty[..board.words()].iter().enumerate() {
            // A stone where none ever stood makes a new position, unless it is suicide and vanishes at once, which
            // leaves a position that was there before: only the mover may differ.
            let mut candidates = empty;
            while candidates != 0 {
                let index = (word * 64) as Index + candidates.trailing_zeros() as Index;
                candidates &= candidates - 1;
                let known = self.ever_occupied.contains(index);
                if index == board.ko || (!known && !board.is_suicide(color, index)) {
                    continue;
                }
                if board.is_illegal_suicide(color, index, self.setup.ruleset.multi_stone_suicide) {
                    continue;
                }
                let key = self.ko_key_of(board.hash_after(color, index), color.opponent());
                if self.ko_history.contains(key) {
                    banned.insert(index);
                }
            }
        }
        self.superko = banned;
    }

    /// The phase is over: on to the next, or to the score.
    fn end_phase(&mut self) {
        if self.is_final_phase() {
            self.finish_with_score();
            return;
        }
        if self.prevent_clean_up {
            self.past_end = true;
            self.valid_turns = self.valid_turns.min(1);
            return;
        }
        if self.phase == Phase::Main {
            self.phase = Phase::CleanUp1;
        } else {
            self.phase = Phase::CleanUp2;
            self.clean_up2_start = Some(Arc::clone(&self.recent[0]));
            self.clean_up2_captures = [self.board().captured_by(Color::Black), self.board().captured_by(Color::White)];
        }
        self.valid_turns = 0;
        self.consecutive_passes = 0;
        self.superko.clear();
        self.pass_keys.iter_mut().for_each(Vec::clear);
        self.recapture_blocked.clear();
        self.recapture_hash = 0;
        self.once_only.clear();
        self.ko_history.clear();
        self.ko_history.push(self.ko_key(self.to_play));
        self.ko_history_start = self.turns.len();
    }

    fn finish_with_score(&mut self) {
        if self.button {
            self.button = false;
            let gain = if self.to_play == Color::White { 1 } else { -1 };
            self.button_half += gain;
        }
        self.outcome = Some(Outcome::from_white_minus_black(self.score().white_minus_black_half()));
    }
}

fn toggle_blocked(set: &mut PointSet, hash: &mut u128, index: Index) {
    set.toggle(index);
    *hash ^= Game::recapture_key(index);
}
