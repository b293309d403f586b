//! A whole game: turns, history, phases, and what the ruleset makes of them.

mod apply;
mod history;
mod identity;
mod ko_history;
mod legality;
mod point_set;
mod query;

pub use identity::{PositionIdentity, Terms};

use ko_history::KoHistory;
use point_set::PointSet;

use std::sync::Arc;

use crate::board::Board;
use crate::geometry::Index;
use crate::{Color, Komi, Move, Outcome, Point, Ruleset, Setup, SetupError};

/// The part of a game. Area scoring has only `Main`; territory scoring plays disputes out in two clean-up phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Phase {
    /// Ordinary play.
    #[default]
    Main,
    /// First clean-up: players prove what is dead; moves are paid for.
    CleanUp1,
    /// Second clean-up: what stood at its start and is not taken, counts.
    CleanUp2,
}

impl Phase {
    /// 0, 1 or 2.
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// Whether it is one of the clean-up phases.
    #[must_use]
    pub const fn is_clean_up(self) -> bool {
        !matches!(self, Phase::Main)
    }
}

/// One turn that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Who.
    pub color: Color,
    /// What: a stone or a pass.
    pub played: Move,
    /// Whether passes were kept from starting a clean-up phase.
    pub(crate) prevents_clean_up: bool,
}

/// A capture in a clean-up phase that may not be repeated in the same arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OnceOnly {
    before: u128,
    point: Index,
    color: Color,
}

/// Number of positions kept beside the current one.
const RECENT: usize = 6;

/// Largest number of turns of a game: far above any real one, and low enough that no file makes a game slow.
pub const MAX_TURNS: usize = 20_000;

/// A game from its set-up to its result, with the history semantics of KataGo's `BoardHistory`.
///
/// Cloning shares the boards and copies the lists of moves and position keys: about a microsecond for a long game.
/// Playing on a clone never changes the original.
///
/// ```
/// use honinbo_rules::{Color, Game, Move, Point, Preset, Setup};
/// let mut game = Game::new(Setup::preset(Preset::Honinbo)).unwrap();
/// game.play(Color::Black, Move::Place(Point::new(3, 3))).unwrap();
/// assert_eq!(game.to_play(), Color::White);
/// assert!(game.play(Color::White, Move::Place(Point::new(3, 3))).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    setup: Arc<Setup>,
    initial: Arc<Board>,
    /// The current board and those before it, newest first; before enough turns the initial board.
    recent: [Arc<Board>; RECENT],
    turns: Vec<Turn>,
    to_play: Color,
    phase: Phase,
    /// Keys of the positions since the last turn that made repetition harmless, the current one last.
    ko_history: KoHistory,
    /// Number of turns before the first key of `ko_history`.
    ko_history_start: usize,
    /// Keys from which Black and White have passed.
    pass_keys: [Vec<u128>; 2],
    consecutive_passes: u32,
    superko: PointSet,
    ever_occupied: PointSet,
    recapture_blocked: PointSet,
    recapture_hash: u128,
    once_only: Vec<OnceOnly>,
    clean_up2_start: Option<Arc<Board>>,
    /// Prisoners of Black and White when the second clean-up began.
    clean_up2_captures: [u32; 2],
    /// Under territory scoring, the moves that Black and White pay a point for: set-up and captured stones included.
    charged_moves: [u32; 2],
    handicap_bonus: u32,
    /// What the button gave White, in half points.
    button_half: i32,
    button: bool,
    white_has_moved: bool,
    valid_turns: usize,
    past_end: bool,
    /// What play itself led to.
    outcome: Option<Outcome>,
    /// What was declared: resignation, loss on time, agreement.
    declared: Option<Outcome>,
    prevent_clean_up: bool,
    /// Numbers of turns after which play was resumed, and who moved next.
    resumed: Vec<(usize, Color)>,
}

impl Game {
    /// Starts a game.
    ///
    /// Two passes end the main phase for good, also under territory scoring, unless
    /// [`Game::set_prevent_clean_up`] says otherwise.
    ///
    /// # Errors
    /// When the set-up is no position, or starts in a clean-up phase without territory scoring.
    pub fn new(setup: Setup) -> Result<Game, SetupError> {
        let board = Arc::new(setup.board()?);
        if setup.phase.is_clean_up() && setup.ruleset.scoring != crate::Scoring::Territory {
            return Err(SetupError::PhaseNeedsTerritory);
        }
        Ok(Game::start(Arc::new(setup), board))
    }

    /// Takes back the last turn, or the resignation, loss on time or agreement that ended the game.
    ///
    /// Returns the turn taken back; `None` when a result was taken back or there was nothing to take back.
    /// Costs as much as playing the game again to that point.
    pub fn undo(&mut self) -> Option<Turn> {
        if self.declared.take().is_some() {
            return None;
        }
        let last = *self.turns.last()?;
        self.rewind(self.turns.len() - 1);
        Some(last)
    }

    /// Takes back all turns after the first `turns`; does nothing when there are not so many.
    pub fn rewind(&mut self, turns: usize) {
        if turns >= self.turns.len() {
            return;
        }
        let setup = Arc::clone(&self.setup);
        *self = self.replayed(setup, turns);
    }

    /// The game as it is for this player to move: where it is the other's turn, the position with its prisoners, without
    /// the moves that led to it.
    ///
    /// ```
    /// use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Setup, Topology};
    /// let (size, rules) = (BoardSize::square(5).unwrap(), Preset::Chinese);
    /// let mut game = Game::new(Setup::new(size, Topology::Plane, rules.ruleset(), rules.komi())).unwrap();
    /// game.play(Color::Black, Move::Place(Point::new(2, 2))).unwrap();
    /// assert_eq!(game.for_player(Color::White), Ok(game.clone()));
    /// let again = game.for_player(Color::Black).unwrap();
    /// assert_eq!((again.to_play(), again.turns().len(), again.board()), (Color::Black, 0, game.board()));
    /// ```
    ///
    /// # Errors
    /// When the set-up that this takes is none.
    pub fn for_player(&self, color: Color) -> Result<Game, SetupError> {
        if self.to_play == color {
            return Ok(self.clone());
        }
        let board = self.board();
        let mut turned = Game::new(Setup {
            stones: board.stones().collect(),
            first_player: color,
            captured_by: Color::ALL.map(|color| board.captured_by(color)),
            handicap: self.handicap_from_here(),
            ..self.setup().clone()
        })?;
        turned.set_prevent_clean_up(self.prevents_clean_up());
        Ok(turned)
    }

    /// The set-up the game started from.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rules in force.
    #[must_use]
    pub fn ruleset(&self) -> &Ruleset {
        &self.setup.ruleset
    }

    /// The komi in force.
    #[must_use]
    pub fn komi(&self) -> Komi {
        self.setup.komi
    }

    /// The stones now.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.recent[0]
    }

    /// The board `turns` turns ago, at most 5; the initial board when there were not so many turns.
    #[must_use]
    pub fn recent_board(&self, turns: usize) -> &Board {
        &self.recent[turns.min(RECENT - 1)]
    }

    /// Turns taken so far.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Whose turn it is.
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// The phase now.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the game has a result.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.outcome().is_some()
    }

    /// Whether two passes ended the main phase of a territory game whose clean-up phases are not played: the game
    /// waits to be scored by agreement.
    #[must_use]
    pub fn is_past_end(&self) -> bool {
        self.past_end
    }

    /// Whether no more turn can be taken without resuming.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.past_end || self.outcome().is_some()
    }

    /// The result, once there is one.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.declared.or(self.outcome)
    }

    /// Whether two passes leave a territory game waiting for agreement instead of starting a clean-up phase; true
    /// at first.
    ///
    /// Searches set it to false, to let clean-up be played out as the networks have learnt it.
    pub fn set_prevent_clean_up(&mut self, prevent: bool) {
        self.prevent_clean_up = prevent;
    }

    /// Whether clean-up phases are prevented.
    #[must_use]
    pub fn prevents_clean_up(&self) -> bool {
        self.prevent_clean_up
    }

    pub(crate) fn index(&self, point: Point) -> Option<Index> {
        self.board().geometry.index(point)
    }
}
