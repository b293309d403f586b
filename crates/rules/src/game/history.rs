//! Keys of positions, and what passing would do.

use super::{Game, KoHistory, Phase, PointSet};
use crate::board::Board;
use crate::setup::HandicapCount;
use crate::zobrist::{mover_key, nth_key};
use crate::{Color, KoRule, Komi, Move, Ruleset, Scoring, Setup};
use std::sync::Arc;

impl Game {
    pub(super) fn start(setup: Arc<Setup>, initial: Arc<Board>) -> Game {
        let none = PointSet::empty(setup.size.area());
        let mut ever_occupied = none.clone();
        for (point, _) in initial.stones() {
            ever_occupied.insert(point.index(setup.size) as u16);
        }
        let mut game = Game {
            recent: std::array::from_fn(|_| Arc::clone(&initial)),
            turns: Vec::new(),
            to_play: setup.first_player,
            phase: setup.phase,
            ko_history: KoHistory::new(),
            ko_history_start: 0,
            pass_keys: [Vec::new(), Vec::new()],
            consecutive_passes: 0,
            superko: none.clone(),
            ever_occupied,
            recapture_blocked: none,
            recapture_hash: 0,
            once_only: Vec::new(),
            clean_up2_start: (setup.phase == Phase::CleanUp2).then(|| Arc::clone(&initial)),
            clean_up2_captures: [initial.captured_by(Color::Black), initial.captured_by(Color::White)],
            charged_moves: [0; 2],
            handicap_bonus: 0,
            button_half: 0,
            button: setup.ruleset.button && setup.phase == Phase::Main,
            white_has_moved: false,
            valid_turns: 0,
            past_end: false,
            outcome: None,
            declared: None,
            prevent_clean_up: true,
            resumed: Vec::new(),
            setup,
            initial,
        };
        if game.ruleset().scoring == Scoring::Territory {
            // A point is taken back for each move; stones on the board and captured ones stand for moves.
            game.charged_moves =
                Color::ALL.map(|color| game.initial.count(color) as u32 + game.initial.captured_by(color.opponent()));
        }
        game.handicap_bonus = game.count_handicap_bonus();
        game.ko_history.push(game.ko_key(game.to_play));
        game
    }

    /// Changes rules and komi in mid-game, by playing the turns so far under them. A declared result stays.
    pub fn set_ruleset_and_komi(&mut self, ruleset: Ruleset, komi: Komi) {
        if self.setup.ruleset == ruleset && self.setup.komi == komi {
            return;
        }
        let mut setup = Setup::clone(&self.setup);
        setup.ruleset = ruleset;
        setup.komi = komi;
        if ruleset.scoring == Scoring::Area {
            setup.phase = Phase::Main;
        }
        let declared = self.declared;
        *self = self.replayed(Arc::new(setup), self.turns.len());
        self.declared = declared;
    }

    /// The first `turns` turns of this game, from this set-up on the same stones.
    pub(super) fn replayed(&self, setup: Arc<Setup>, turns: usize) -> Game {
        let mut game = Game::start(setup, Arc::clone(&self.initial));
        let mut resumed = self.resumed.iter().peekable();
        for (at, turn) in self.turns[..turns].iter().enumerate() {
            while let Some(&(_, color)) = resumed.next_if(|&&(when, _)| when <= at) {
                game.resume(color);
            }
            game.prevent_clean_up = turn.prevents_clean_up;
            game.apply(turn.color, turn.played);
        }
        // Taken up again behind the last of these turns.
        while let Some(&(_, color)) = resumed.next_if(|&&(when, _)| when <= turns) {
            game.resume(color);
        }
        game.prevent_clean_up = self.prevent_clean_up;
        game
    }

    /// The key under which the position counts as repeated when `to_play` is to move.
    pub(super) fn ko_key(&self, to_play: Color) -> u128 {
        self.ko_key_of(self.board().hash, to_play)
    }

    pub(super) fn ko_key_of(&self, stones: u128, to_play: Color) -> u128 {
        let by_mover =
            self.phase.is_clean_up() || matches!(self.setup.ruleset.ko, KoRule::Simple | KoRule::Situational);
        let mover = if by_mover { mover_key(to_play) } else { 0 };
        stones ^ mover ^ self.recapture_hash
    }

    pub(super) fn recapture_key(index: u16) -> u128 {
        nth_key(0x5300_0000 + u64::from(index))
    }

    /// Passes clear the list of positions, and a pass from a position passed from before ends the phase.
    pub(super) fn passes_clear_history(&self) -> bool {
        self.phase.is_clean_up() || matches!(self.setup.ruleset.ko, KoRule::Simple | KoRule::Spight)
    }

    /// Passes in a row, counting one more now, as far as they end the phase.
    pub(super) fn consecutive_passes_after_pass(&self) -> u32 {
        if self.phase == Phase::Main && self.setup.ruleset.ko == KoRule::Spight {
            0
        } else {
            self.consecutive_passes + 1
        }
    }

    pub(super) fn is_repeated_pass(&self, color: Color) -> bool {
        self.passes_clear_history() && self.pass_keys[color.index()].contains(&self.ko_key(color))
    }

    /// Whether a pass by this player now would end the phase.
    #[must_use]
    pub fn pass_would_end_phase(&self, color: Color) -> bool {
        self.consecutive_passes_after_pass() >= 2 || self.is_repeated_pass(color)
    }

    /// Whether a pass by this player now would end the game with a score.
    #[must_use]
    pub fn pass_would_end_game(&self, color: Color) -> bool {
        self.pass_would_end_phase(color) && self.is_final_phase()
    }

    /// Whether an engine should search as if the game went on after this player's pass, because the ruleset expects
    /// friendly passes.
    #[must_use]
    pub fn friendly_pass_suppresses_end(&self, color: Color) -> bool {
        self.setup.ruleset.friendly_pass
            && self.setup.ruleset.scoring == Scoring::Area
            && self.consecutive_passes_after_pass() == 2
            && !self.is_repeated_pass(color)
    }

    /// Whether the end of this phase is the end of the game.
    #[must_use]
    pub fn is_final_phase(&self) -> bool {
        self.setup.ruleset.scoring == Scoring::Area || self.phase == Phase::CleanUp2
    }

    /// Handicap stones as White's bonus counts them: 0 in an even game.
    #[must_use]
    pub fn handicap_stones(&self) -> usize {
        let stones = self.initial.count(Color::Black);
        let counted = match self.setup.handicap {
            HandicapCount::Exactly(stones) => return usize::from(stones),
            _ if self.initial.count(Color::White) > 0 => return 0,
            HandicapCount::Stones => stones,
            HandicapCount::StonesAndOpeningMoves => stones + self.opening_black_moves(),
        };
        if counted <= 1 { 0 } else { counted }
    }

    /// How the handicap is counted where the game goes on from its position alone.
    pub(super) fn handicap_from_here(&self) -> HandicapCount {
        let counted = self.setup.handicap;
        let white_was_there = self.white_has_moved || self.initial.count(Color::White) > 0;
        if counted == HandicapCount::StonesAndOpeningMoves && !white_was_there {
            // Black may still be placing a handicap: the stones on the board count, and those that follow.
            return counted;
        }
        // White stones among those that are set up would say that there was none, and take White's bonus away.
        HandicapCount::Exactly(u16::try_from(self.handicap_stones()).unwrap_or(u16::MAX))
    }

    /// Black's moves before White's first, single passes of White between them skipped. Two turns of White in a row
    /// mean that the passes were something else.
    fn opening_black_moves(&self) -> usize {
        let mut moves = 0;
        for (at, turn) in self.turns.iter().enumerate() {
            if turn.color == Color::Black {
                moves += usize::from(turn.played != Move::Pass);
            } else if self.turns.get(at + 1).is_some_and(|next| next.color == Color::White) {
                return 0;
            } else if turn.played != Move::Pass {
                break;
            }
        }
        moves
    }

    pub(super) fn count_handicap_bonus(&self) -> u32 {
        self.setup.ruleset.white_handicap_bonus.points(self.handicap_stones()) as u32
    }
}
