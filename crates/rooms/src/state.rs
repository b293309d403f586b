//! How a room stands, as every client sees it.

use crate::terms::TimeTerms;
use crate::wire::{ColorNumber, TopologyName};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Where a game is between its beginning and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "RoomStage", rename_all = "snake_case")]
pub enum Stage {
    /// A seat is empty, or a player has not come yet.
    Waiting,
    /// Somebody is to move.
    Playing,
    /// Both passed.
    Counting,
    /// It stands until both are ready.
    Adjourned,
    /// It has ended.
    Over,
}

/// How a room stands. Points count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RoomState {
    /// Rows from the top: 0 empty, 1 black, 2 white.
    pub board: Vec<Vec<u8>>,
    /// Who is to move.
    pub turn: ColorNumber,
    /// Whether the game has ended.
    pub game_over: bool,
    /// Who won; `None` before the end, and where nobody did.
    pub winner: Option<ColorNumber>,
    /// Black's and White's points, where the game was counted.
    pub final_score: Option<FinalScore>,
    /// White stones that Black has taken.
    pub black_captured: u32,
    /// Black stones that White has taken.
    pub white_captured: u32,
    /// Moves so far, passes included.
    pub current_move_number: u32,
    /// Whether an engine plays.
    pub ai_enabled: bool,
    /// Its colour.
    pub ai_color: Option<ColorNumber>,
    /// Its level.
    pub ai_difficulty: Option<String>,
    /// Where the game is.
    pub stage: Stage,
    /// As SGF's `RE` writes it; `None` before the end.
    pub result: Option<String>,
    /// As [`Terms::topology`](crate::Terms::topology).
    #[specta(type = TopologyName)]
    pub topology: String,
    /// The ruleset's name.
    pub rules: String,
    /// Points for White.
    pub komi: f64,
    /// Black stones at the start.
    pub handicap: u32,
    /// How time is given; `None` without clocks.
    pub time: Option<TimeTerms>,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// Seconds by which those who watch see it later.
    pub delay_seconds: u32,
    /// The point of the last move, if it was a stone.
    pub last_move: Option<[u8; 2]>,
    /// Black's and White's seat; `None` is free.
    pub players: [Option<PlayerState>; 2],
    /// The clocks; `None` without.
    pub clock: Option<ClockState>,
    /// Whether either player may still end the game without a result.
    pub may_cancel: bool,
    /// Who asks to take back.
    pub undo_asked: Option<ColorNumber>,
    /// Who asks to adjourn.
    pub adjourn_asked: Option<ColorNumber>,
    /// Players who are ready to go on with an adjourned game.
    pub ready: Vec<ColorNumber>,
    /// Seconds until the player who is here may claim an adjourned game without clocks, as the other one is away.
    pub claimable_in_seconds: Option<f64>,
    /// What is agreed on while the game is counted.
    pub counting: Option<Counting>,
    /// Whether people may talk.
    pub chat_on: bool,
    /// People who watch.
    pub spectators: u32,
}

/// A seat that is taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "RoomPlayer")]
pub struct PlayerState {
    /// Who.
    pub name: String,
    /// Whether that is an engine.
    pub engine: bool,
    /// Whether the player is here now.
    pub online: bool,
}

/// What each side has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
pub struct FinalScore {
    /// Black's points.
    pub black: f64,
    /// White's points, komi included.
    pub white: f64,
}

/// The clocks at the moment of the message.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomClock")]
pub struct ClockState {
    /// Black's.
    pub black: TimeLeftState,
    /// White's.
    pub white: TimeLeftState,
    /// Whose clock runs.
    pub running: Option<ColorNumber>,
}

/// What a player has left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename = "RoomTimeLeft")]
pub struct TimeLeftState {
    /// Seconds of main time.
    pub main_seconds: f64,
    /// In overtime: seconds of the running period.
    pub period_seconds: Option<f64>,
    /// Periods that are left, the running one included.
    pub periods: u32,
    /// Stones to be played in the running period.
    pub stones: u32,
}

/// What the players are about to agree on.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomCounting")]
pub struct Counting {
    /// Stones that are marked as dead.
    pub dead: Vec<[u8; 2]>,
    /// The number of this marking; agreeing names it.
    pub revision: u32,
    /// Whether it is as the engine proposes it.
    pub proposed: bool,
    /// Who has agreed to it.
    pub agreed: Vec<ColorNumber>,
    /// Seconds until the game is settled by it, where it is as the engine proposes it, one player agrees, and the other one
    /// stays away.
    pub settled_in_seconds: Option<f64>,
    /// What the score is with them taken off.
    pub score: FinalScore,
}
