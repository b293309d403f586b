//! What the engine says.

use crate::{ApiError, Finite, NodeId, OpenGameId, ScoreView, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Turns live analysis of a game on or off. While it is on, the engine follows the game's current node.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAnalysis {
    /// The game.
    pub game_id: OpenGameId,
    /// On or off.
    pub running: bool,
    /// Where to stop on one position; 0 goes on until the next command.
    pub visits: u32,
    /// Moves that alone are looked at, as points; empty looks at all.
    #[serde(default)]
    pub allow: Vec<u16>,
    /// Moves that are not looked at, as points.
    #[serde(default)]
    pub avoid: Vec<u16>,
    /// The best candidates carry the ownership that is expected after each.
    #[serde(default)]
    pub candidate_ownership: bool,
    /// Compares moves on equal terms; ends when another position is on the board.
    #[serde(default)]
    pub equal: Option<EqualVisits>,
    /// Looks more closely at some moves, in the same search; ends when another position is on the board.
    #[serde(default)]
    pub closer: Option<CloserLook>,
}

/// Moves that get half of the playouts of the search that is running, whatever it thinks of them. What they find is
/// kept; values and order of the other moves stay the engine's opinion.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CloserLook {
    /// The node that it is about; where another one is shown already nothing is looked at more closely.
    pub node_id: NodeId,
    /// The moves, as points.
    pub points: Vec<u16>,
}

/// Moves that get the same number of visits, and nothing else does; then the search rests.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EqualVisits {
    /// The node that it is about; where another one is shown already nothing is compared.
    pub node_id: NodeId,
    /// The moves; empty: every move that may be played, of those that are looked at.
    pub moves: Vec<Vertex>,
    /// What each gets at least, 1 to 100,000; what it has already counts.
    pub visits: u32,
}

/// Plays on from a position with the engine's moves, until both passed.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayOut {
    /// The game.
    pub game_id: OpenGameId,
    /// The node to go on from.
    pub node_id: NodeId,
    /// Visits on each move, 1 to 100,000; 1 plays what the network thinks of first.
    pub visits: u32,
}

/// How far a game is played out, about ten times a second.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayOutProgress {
    /// The game.
    pub game_id: OpenGameId,
    /// Moves played so far.
    pub moves: u32,
    /// Points that Black leads by.
    pub black_score_lead: Finite,
}

/// A game that was played out.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayedOut {
    /// Moves that were played. Whoever stood at the node stands at the end of them now.
    pub moves: u32,
    /// The score, without the stones that the network holds for dead; null where it was ended early.
    pub score: Option<ScoreView>,
}

/// Evaluates every move of the current variation.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SweepGame {
    /// The game.
    pub game_id: OpenGameId,
    /// Visits on each position, one number for each pass through the game; 1 asks the network alone. Passes after the
    /// first begin with the moves that seem to have lost most.
    pub passes: Vec<u32>,
    /// Passes after the first spend as much as two positions for each of so many moves take, where it is open which move
    /// of each player lost most, and end when that is settled; null looks at all.
    #[serde(default)]
    pub worst: Option<u32>,
    /// Seconds after which such a pass looks at nothing more, so that a slow machine has an answer too; null lets it take
    /// as long as it takes.
    #[serde(default)]
    pub seconds: Option<u32>,
    /// Every position gets half of the last pass's visits, where those are many; the others go where the verdict on a
    /// move is open, the mean being the same.
    #[serde(default)]
    pub by_need: bool,
    /// Nobody asked for it: one that is under way, for whichever window, goes on in its place.
    #[serde(default)]
    pub unasked: bool,
}

/// A sweep that has begun, or the one that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SweepStarted {
    /// Its number: what `SweepProgress::serial` says of it.
    pub serial: u32,
}

/// How far a sweep is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SweepProgress {
    /// Counts sweeps: what one with a lower number still reports is of the past.
    pub serial: u32,
    /// Whether it goes on, or how it ended.
    pub state: SweepState,
    /// Visits that this pass gives each position.
    pub visits: u32,
    /// Which pass it is, from 1.
    pub pass: u32,
    /// How many there will be.
    pub passes: u32,
    /// Positions evaluated so far in this pass.
    pub done: u32,
    /// Positions that this pass looks at.
    pub total: u32,
    /// Whether its time was over before it was settled which moves lost most.
    pub unsettled: bool,
}

/// Whether a sweep goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SweepState {
    /// It goes on.
    Running,
    /// Every position that the last pass was to look at has its visits.
    Finished,
    /// Somebody ended it, or another sweep took its place.
    Stopped,
    /// It could not go on.
    Failed {
        /// Why.
        error: ApiError,
    },
}

/// The state of the search on one position. Sent about ten times a second while it changes, and once when it ends.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisUpdate {
    /// The game.
    pub game_id: OpenGameId,
    /// The node whose position it is.
    pub node_id: NodeId,
    /// Grows with every update of the same game.
    pub sequence: u32,
    /// Names what is looked at: 0 for all moves. Only updates of one focus can be measured against each other.
    pub focus: u32,
    /// Visits of the root.
    pub visits: u32,
    /// Visits a second since this position was taken up.
    pub visits_per_second: Finite,
    /// Black's chance to win, 0 to 1.
    pub black_win_prob: Finite,
    /// Points that Black leads by; null where another program looks that counts none.
    pub black_score_lead: Option<Finite>,
    /// Its spread in points.
    pub score_stdev: Finite,
    /// Best first.
    pub candidates: Vec<CandidateView>,
    /// Whose each point will be, row by row: 1 black's, -1 white's, in hundredths (-100 to 100).
    pub black_ownership: Vec<i8>,
    /// The network's first thought of each point, row by row, in thousandths; -1 where no move is possible.
    pub policy: Vec<i16>,
    /// More will come.
    pub running: bool,
}

/// A move that the engine looks at.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CandidateView {
    /// The point, or null for a pass.
    pub vertex: Vertex,
    /// Its visits.
    pub visits: u32,
    /// Black's chance to win after it, 0 to 1.
    pub black_win_prob: Finite,
    /// Points that Black leads by after it; null where another program looks that counts none.
    pub black_score_lead: Option<Finite>,
    /// Its spread in points.
    pub score_stdev: Finite,
    /// The network's first thought, 0 to 1.
    pub prior: Finite,
    /// Lower bound of the mover's chance to win, 0 to 1.
    pub lcb_for_mover: Finite,
    /// Points that the mover loses against the best move, 0 or more; null where the lead is.
    pub points_lost: Option<Finite>,
    /// Where it stands, 0 the best.
    pub order: u32,
    /// The line that the engine expects, this move first.
    pub pv: Vec<Vertex>,
    /// Whose each point will be after this move, as in `AnalysisUpdate`; empty unless it was asked for.
    pub black_ownership: Vec<i8>,
}

/// Asks two networks about the position on a game's board.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompareNetworks {
    /// The game.
    pub game_id: OpenGameId,
    /// The network beside the one in use: a file name of `Startup::networks`.
    pub network: String,
    /// Visits of each, 1 to 100,000; 1 asks for the first thought alone.
    pub visits: u32,
    /// Whose moves a network of human style is asked for, such as `rank_5k`; empty for the strongest.
    #[serde(default)]
    pub profile: String,
}

/// What two networks say of one position.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkComparison {
    /// The node whose position it is.
    pub node_id: NodeId,
    /// The network in use.
    pub first: NetworkOpinion,
    /// The other one.
    pub second: NetworkOpinion,
}

/// What one network says of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkOpinion {
    /// Its own name.
    pub network: String,
    /// It is of human style: its first thoughts are what such a player would do.
    pub human_style: bool,
    /// Visits of the root.
    pub visits: u32,
    /// Black's chance to win, 0 to 1.
    pub black_win_prob: Finite,
    /// Points that Black leads by.
    pub black_score_lead: Finite,
    /// Best first, a dozen at most; without visits where only the first thought was asked for.
    pub candidates: Vec<CandidateView>,
}

/// Values for the graph of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GraphUpdate {
    /// The game.
    pub game_id: OpenGameId,
    /// New or better values only.
    pub values: Vec<GraphValue>,
    /// News of the sweep that found them; null where live analysis did.
    pub sweep: Option<SweepProgress>,
}

/// Nodes of a game at which stones were set up, somebody else is to move, or komi or rules were changed, and all below them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PositionsChanged {
    /// The game.
    pub game_id: OpenGameId,
    /// The nodes; what the engine finds of them from now on is of the new positions.
    pub nodes: Vec<NodeId>,
}

/// The engine's opinion of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GraphValue {
    /// The node.
    pub node_id: NodeId,
    /// Black's chance to win, 0 to 1.
    pub black_win_prob: Finite,
    /// Points that Black leads by; `None` where a record says who is likely to win and nothing of the score.
    pub black_score_lead: Option<Finite>,
    /// Visits behind it.
    pub visits: u32,
    /// What the move to here is worth; null where none leads here, or before both positions are known well enough to
    /// say so.
    pub judged: Option<JudgedMove>,
}

/// A move that was played, beside the one that the engine would have played.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JudgedMove {
    /// Points that it lost its player, 0 or more.
    pub points_lost: Finite,
    /// The engine's first choice; the move itself where nothing better is known.
    pub best: Vertex,
    /// It lost so much that it is called a mistake.
    pub mistake: bool,
}

/// What the engine is and how it does.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineStatus {
    /// Loading, ready, or why not.
    pub state: EngineState,
    /// Counts the networks and programs that were chosen so far: with another number, what windows know is the opinion of
    /// one before.
    pub serial: u32,
    /// The own name of the network that answers on the board that is analysed, empty until one is read. On a board with
    /// joined edges it may be another one than elsewhere.
    pub network: String,
    /// The device that really computes, such as `cpu`; empty until it does.
    pub device: String,
    /// That device as the system names it; empty where that is not known.
    pub device_name: String,
    /// Why another device is not used, or was given up: sentences; empty when all is as it should be.
    pub device_note: String,
    /// Evaluations a second, measured while working; 0 before.
    pub evaluations_per_second: Finite,
    /// The game under analysis, if any.
    pub analysing: Option<OpenGameId>,
}

/// What can compute on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Devices {
    /// The version of ONNX Runtime.
    pub runtime: String,
    /// Processor cores in use.
    pub cores: u32,
    /// The kind that is usually fastest first, the processor last.
    pub devices: Vec<DeviceView>,
}

/// A device, and what is known of it with the network in use.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeviceView {
    /// Its kind, such as `webgpu`: what it is asked for by.
    pub device: String,
    /// As the system names it.
    pub name: String,
    /// Whether it is a graphics card in name only, computed by the processor.
    pub is_software: bool,
    /// Whether it computes now.
    pub in_use: bool,
    /// Evaluations a second of 19x19, in large batches; 0 where it was not measured.
    pub evaluations_per_second: Finite,
    /// Bits of each number that those were made with: 32, 16 or 8; 0 where nothing was measured.
    pub bits: u32,
    /// Parts of the network that it computes itself; 0 where that is not known.
    pub nodes_on_device: u32,
    /// Parts of the network that it leaves to the processor.
    pub nodes_on_processor: u32,
    /// Why it is not used; empty when it answers rightly or was not checked.
    pub refused: String,
    /// It answers rightly, but slower than the processor, and is used only by name.
    pub is_slower: bool,
    /// Which kernels compute there; null where there is one kind, or nothing was measured.
    pub kernels: Option<DeviceKernels>,
}

/// What was measured of the kernels that can compute a network on a processor, in evaluations a second of 19x19, one
/// position for each core.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeviceKernels {
    /// Whether the project's own compute, and not those of ONNX Runtime.
    pub own: bool,
    /// The project's own.
    pub own_per_second: Finite,
    /// Those of ONNX Runtime.
    pub library_per_second: Finite,
}

/// Whether the engine can answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EngineState {
    /// Nothing asked for yet.
    Idle,
    /// Reading the network.
    Loading,
    /// Ready or working.
    Ready,
    /// It cannot.
    Failed {
        /// What failed.
        message: String,
        /// What to do about it.
        hint: String,
    },
}

/// A network that is at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkFile {
    /// The file's name: what `Settings::network` holds.
    pub file_name: String,
    /// Its size in bytes, in KiB.
    pub size_kib: u32,
    /// It came with the program.
    pub bundled: bool,
}
