//! Playing: opponents, games against them, clocks, hints.

use crate::{Finite, GameRef, GameUpdate, GameView, NewGame, NodeRef, OpenGameId, Side, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Who can be played against.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Opponents {
    /// Levels, weakest first, then ranks from 20 kyu to 9 dan, pupils, installed networks, and the engines of `engines.yaml`.
    pub opponents: Vec<Opponent>,
    /// Styles that a rank can be given: `rank_5k+territorial`. `+adaptive` has its strength follow the score.
    pub styles: Vec<String>,
    /// What is wrong with `engines.yaml`, with line and column; the levels are as usual then.
    pub problem: Option<String>,
    /// Where `engines.yaml` lies; its name alone where no paths of the machine are seen.
    pub file: String,
    /// Whether engines can be added, changed and removed from here; otherwise only in the file.
    pub may_change: bool,
}

/// Somebody to play against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Opponent {
    /// What `start_play` is given: `easy`, `medium`, `hard`, `expert`, `custom`, a rank such as `rank_5k`,
    /// `network:` with a file, or an engine's name.
    pub id: String,
    /// What it is.
    pub kind: OpponentKind,
    /// It answers with a network: where none is at hand, `medium` plays for it.
    pub needs_network: bool,
    /// How an engine is started; empty for levels.
    pub command: String,
}

/// What an opponent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OpponentKind {
    /// One of the named levels; the window has words for it.
    Level,
    /// Somebody of a rank, `rank_20k` to `rank_9d`.
    Rank,
    /// Somebody who has just learnt the rules, `pupil_1` to `pupil_5`, on the boards of the offer alone.
    Pupil,
    /// An installed network, `network:` and the name of its file.
    Network,
    /// Another program.
    Engine,
}

/// A program to be tried out as an engine.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineCommand {
    /// Its command line.
    pub command: String,
}

/// An engine of others that is installed on this machine, and how it would be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InstalledEngineView {
    /// What it is called: `KataGo`, `GNU Go`.
    pub name: String,
    /// The command line that starts it as an engine.
    pub command: String,
    /// Whether it wants a configuration file and none was found.
    pub lacks_config: bool,
}

/// A program that was tried out, and speaks GTP or the JSON of KataGo's analysis engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineFound {
    /// What it calls itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its answer to `genmove` on an empty 9x9 board.
    pub first_move: String,
}

/// A program to be kept as an opponent.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AddEngine {
    /// A name for it.
    pub name: String,
    /// Its command line.
    pub command: String,
}

/// An engine to be changed.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeEngine {
    /// Its name now.
    pub engine: String,
    /// Its name from then on.
    pub name: String,
    /// Its command line from then on.
    pub command: String,
}

/// Names an engine.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineName {
    /// Its name.
    pub name: String,
}

/// A game to be played.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StartPlay {
    /// Board, rules, komi, handicap, names.
    pub game: NewGame,
    /// The position of an open game that is played on in a new one; null begins on an empty board. Of `game` only names
    /// and the day count then. That game stays as it is.
    #[serde(default)]
    pub from: Option<NodeRef>,
    /// Who plays: two persons at one board, a person and an opponent, or two opponents. `rated` beside a person is a game
    /// that counts for the person's rating, against a rank near it.
    pub seats: Seats,
    /// Seconds that two opponents rest between two moves, 0 to 60; null is 0.
    #[serde(default)]
    pub pace: Option<Finite>,
    /// The clocks; null plays without.
    pub clock: Option<ClockSettings>,
    /// Asks before a move stands that loses at least so many points; null does not.
    pub teaching: Option<Finite>,
}

/// Who has each colour: an opponent's id, or null for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Seats {
    /// Black.
    pub black: Option<String>,
    /// White.
    pub white: Option<String>,
}

/// How time is given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClockSettings {
    /// The system.
    pub kind: ClockKind,
    /// Seconds of main time.
    pub main_seconds: Finite,
    /// Seconds of a period, or that each move adds under Fischer's system.
    pub period_seconds: Finite,
    /// Stones of a period under Canadian time.
    pub stones: u32,
    /// Periods of byo-yomi.
    pub periods: u32,
}

/// A system of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ClockKind {
    /// Main time alone.
    Absolute,
    /// After the main time periods of one stone each; a period that is not used up begins again.
    ByoYomi,
    /// After the main time a period for several stones, again and again.
    Canadian,
    /// Each move adds time.
    Fischer,
}

/// A game that began.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayStarted {
    /// The game, opened.
    pub game: GameView,
    /// How it stands.
    pub play: PlayView,
}

/// How a game that is played stands.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayView {
    /// The game.
    pub game_id: OpenGameId,
    /// Who plays.
    pub seats: Seats,
    /// Who is to move; null while the game is counted, and once it is over.
    pub to_move: Option<Side>,
    /// An opponent is waited for: it is thinking, or the game of two of them rests between moves or is counted. False for
    /// such a game while it stands.
    pub thinking: bool,
    /// It is a program that has to be started before it thinks; the clocks stand meanwhile.
    pub starting: bool,
    /// The node where playing began. Moves before it are of the game that is played on from there, and not taken back.
    pub begin: crate::NodeId,
    /// The last node of the game as it was played: where moves are taken.
    pub tip: crate::NodeId,
    /// Counts the changes of the game as it is played. An opponent may be told of before the answer to the person's own
    /// move arrives: of two views the one with the larger number is the later.
    pub generation: u32,
    /// The clocks, as they stand while this is sent.
    pub clocks: Option<Clocks>,
    /// Points from which a loss is asked about.
    pub teaching: Option<Finite>,
    /// The game is a rated one: there is no help and no taking back until it is over.
    pub rated: bool,
    /// A rated game that does not count for the person's rating, as somebody else moved for the opponent.
    pub uncounted: bool,
    /// The result as records write it, once the game is over.
    pub result: Option<String>,
    /// Both passed: dead stones are agreed on with `settle_play`, which ends the game, or `continue_play` goes on. A game of
    /// two opponents is counted without anybody.
    pub counting: bool,
}

/// Both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Clocks {
    /// Black's.
    pub black: ClockLeft,
    /// White's.
    pub white: ClockLeft,
    /// Whose runs.
    pub running: Option<Side>,
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClockLeft {
    /// Seconds of main time.
    pub main_seconds: Finite,
    /// In overtime, seconds of the running period.
    pub period_seconds: Option<Finite>,
    /// Periods of byo-yomi left, the running one included; 0 under another system.
    pub periods: u32,
    /// Stones left to play in a period of Canadian time; 0 under another system.
    pub stones: u32,
}

/// The person's move in a game that is played.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayTurn {
    /// The game.
    pub game_id: OpenGameId,
    /// Where; null passes.
    pub vertex: Vertex,
    /// The person was asked about it and wants it all the same.
    pub insist: bool,
}

/// What became of something that the person did in a game that is played.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayAnswer {
    /// The board, where it changed.
    pub update: Option<GameUpdate>,
    /// How the game stands.
    pub play: PlayView,
    /// The move was not played: it loses, and the person is asked whether it should stand.
    pub warning: Option<MoveWarning>,
}

/// A move that loses.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MoveWarning {
    /// The move; null is a pass.
    pub vertex: Vertex,
    /// About how many points it loses.
    pub points: Finite,
}

/// Has the clock of the person to move stand, or run on; a game of two opponents as a whole.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PausePlay {
    /// The game.
    pub game_id: OpenGameId,
    /// It stands.
    pub paused: bool,
}

/// A person plays on in an opponent's place.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TakeSeat {
    /// The game.
    pub game_id: OpenGameId,
    /// The opponent's colour.
    pub side: Side,
}

/// Dead stones that the players agreed on.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SettlePlay {
    /// The game.
    pub game: GameRef,
    /// One stone of each dead chain.
    pub dead: Vec<u16>,
}

/// Asks for the same game once more.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Rematch {
    /// The game that is over.
    pub game_id: OpenGameId,
    /// The players change colours.
    pub other_color: bool,
    /// As in `NewGame`.
    #[serde(default)]
    pub minutes_ahead: Option<i16>,
}

/// News of a game that is played: the opponent moved, a clock ran out, somebody answered for somebody else.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayNews {
    /// The board, where it changed.
    pub update: Option<GameUpdate>,
    /// How the game stands.
    pub play: PlayView,
    /// Why `medium` played this turn instead of the opponent, in a sentence with what to do. For a game of two
    /// opponents, why it stands: nobody takes their place.
    pub notice: Option<String>,
}

/// A game that is played was written into the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameKept {
    /// The game.
    pub game_id: OpenGameId,
    /// The record that has it.
    pub record_id: String,
    /// The state that was written: that of this count of changes, or a later one.
    pub generation: u32,
    /// Nothing of that state is unsaved: the game belongs to no file, which would not have its last moves.
    pub saved: bool,
}
