//! Games that are open in a window.

use crate::{Finite, RecordProblem};
use honinbo_rules::Topology;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A point's index, row by row from the top left: `y * width + x`, both from 0. `None` (null) is a pass.
pub type Vertex = Option<u16>;

/// Names an open game for as long as it is open.
pub type OpenGameId = String;

/// Names a node of an open game's tree for as long as the game is open; 0 is the root.
pub type NodeId = u32;

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

/// How the edges of the board meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BoardTopology {
    /// The ordinary board.
    #[default]
    Plane,
    /// The left and right edges meet.
    Cylinder,
    /// Both axes wrap.
    Torus,
}

impl From<Topology> for BoardTopology {
    fn from(topology: Topology) -> Self {
        match topology {
            Topology::Plane => Self::Plane,
            Topology::Cylinder => Self::Cylinder,
            Topology::Torus => Self::Torus,
        }
    }
}

impl From<BoardTopology> for Topology {
    fn from(topology: BoardTopology) -> Self {
        match topology {
            BoardTopology::Plane => Self::Plane,
            BoardTopology::Cylinder => Self::Cylinder,
            BoardTopology::Torus => Self::Torus,
        }
    }
}

/// A new, empty game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    /// Columns, 2 to 52.
    pub width: u8,
    /// Rows, 2 to 52.
    pub height: u8,
    /// How the edges meet.
    #[serde(default)]
    pub topology: BoardTopology,
    /// A ruleset's name, such as `chinese` or `japanese`.
    pub rules: String,
    /// Points for White.
    pub komi: Finite,
    /// Handicap stones, 0 or 2 to 9, on the usual points.
    pub handicap: u8,
    /// Black's name, may be empty.
    pub black: String,
    /// White's name, may be empty.
    pub white: String,
    /// Minutes that the person's clock is ahead of UTC, for the day that the record gets; null leaves the day out.
    #[serde(default)]
    pub minutes_ahead: Option<i16>,
}

/// A record given as its content, as when a file is dropped on a browser or pasted.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenContent {
    /// The file's name, for messages; may be empty.
    pub name: String,
    /// The file's bytes in base64: the back end finds out the character set.
    pub base64: String,
}

/// A file on the disk of the machine where the back end runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FilePath {
    /// The path, or its `file://` address where it is no Unicode.
    pub path: String,
}

/// Which open game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameRef {
    /// The game.
    pub game_id: OpenGameId,
}

/// A node of an open game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NodeRef {
    /// The game.
    pub game_id: OpenGameId,
    /// The node.
    pub node_id: NodeId,
}

/// A move at the current node: follows the variation that has it, or begins one.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayMove {
    /// The game.
    pub game_id: OpenGameId,
    /// The point, or null for a pass. The colour is the one to move.
    pub vertex: Vertex,
}

/// A step through the tree.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// To the root.
    First,
    /// To the end of the current variation.
    Last,
    /// One move on, along the variation last visited.
    Next,
    /// One move back.
    Previous,
    /// Ten moves on.
    TenNext,
    /// Ten moves back.
    TenPrevious,
    /// To the next sibling.
    NextVariation,
    /// To the previous sibling.
    PreviousVariation,
    /// Back to the main line.
    MainLine,
}

/// A step from the current node.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Navigate {
    /// The game.
    pub game_id: OpenGameId,
    /// Where to.
    pub step: Step,
}

/// What becomes of moves that are tried out.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TrialStep {
    /// They begin at the current node; where they did already, they go on.
    Begin,
    /// They are dropped, and one stands where they began.
    Drop,
    /// They stay as variations.
    Keep,
}

/// Trying out moves that the record is not to have.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TryOut {
    /// The game.
    pub game_id: OpenGameId,
    /// What to do.
    pub step: TrialStep,
}

/// A node's comment.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetComment {
    /// The game.
    pub game_id: OpenGameId,
    /// The node.
    pub node_id: NodeId,
    /// The new text; empty removes it.
    pub text: String,
}

/// A node's name.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetNodeName {
    /// The game.
    pub game_id: OpenGameId,
    /// The node.
    pub node_id: NodeId,
    /// The new name; empty removes it.
    pub name: String,
}

/// A node's annotations, in place of those that it had.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAnnotations {
    /// The game.
    pub game_id: OpenGameId,
    /// The node.
    pub node_id: NodeId,
    /// All its annotations.
    pub annotations: NodeAnnotations,
}

/// What is drawn on the board at a node, in place of what was drawn there before.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetMarks {
    /// The game.
    pub game_id: OpenGameId,
    /// The node.
    pub node_id: NodeId,
    /// All its marks.
    pub marks: Vec<MarkView>,
    /// All its lines and arrows.
    pub links: Vec<LinkView>,
}

/// Puts stones on points of the current position, or takes them off, outside of play.
///
/// At a node with a move a new node is made for it, so that the move stays a move.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetStones {
    /// The game.
    pub game_id: OpenGameId,
    /// The points.
    pub points: Vec<u16>,
    /// The stone that is put there; null empties them.
    pub stone: Option<Side>,
}

/// Says who is to move at the current node.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetToMove {
    /// The game.
    pub game_id: OpenGameId,
    /// Whose turn it is.
    pub side: Side,
}

/// Hangs what was copied below a node, behind the variations that are there.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PasteVariation {
    /// The game.
    pub game_id: OpenGameId,
    /// The node that it follows.
    pub node_id: NodeId,
    /// A record: its root if that has a move, otherwise all that follows its root.
    pub sgf: String,
}

/// Hangs a line of moves below a node, behind the variations that are there.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AddLine {
    /// The game.
    pub game_id: OpenGameId,
    /// The node that it follows.
    pub node_id: NodeId,
    /// The moves, whose colours alternate.
    pub moves: Vec<Vertex>,
}

/// Looks for words in an open game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FindPlaces {
    /// The game.
    pub game_id: OpenGameId,
    /// Words that a place has to have, all of them; none to be told every place that says something.
    pub words: String,
}

/// The places where a game has some words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundPlaces {
    /// The first of them, in the order of the record.
    pub places: Vec<FoundPlace>,
    /// How many there are.
    pub total: u32,
}

/// A node of a game that has some words in its name or its comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundPlace {
    /// The node.
    pub node_id: NodeId,
    /// How many moves lead there.
    pub move_number: u32,
    /// What the node is called; may be empty.
    pub name: String,
    /// The comment in one line, or a part of it with a word that was looked for; may be empty.
    pub comment: String,
}

/// Goes on after inserted moves with what followed before.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContinueGame {
    /// The game.
    pub game_id: OpenGameId,
    /// The last of the inserted moves.
    pub node_id: NodeId,
    /// The node that it goes on with, with all that follows it; it stays where it is, and a copy is made.
    pub following: NodeId,
}

/// A game that goes on after inserted moves.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContinuedGame {
    /// The game with what follows now.
    pub update: GameUpdate,
    /// Moves that follow, those of variations included.
    pub moves: u32,
    /// Moves that were left out because they are not possible any more, in their order, those of variations included.
    pub left_out: Vec<LeftOutMove>,
}

/// A move that could not be played any more.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutMove {
    /// The node where it was played before.
    pub node_id: NodeId,
    /// Its point; null where it is none of this board.
    pub vertex: Vertex,
}

/// Moves a variation among those of the same move.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MoveVariation {
    /// The game.
    pub game_id: OpenGameId,
    /// Its first node.
    pub node_id: NodeId,
    /// One place up, otherwise one down.
    pub up: bool,
}

/// What a game says about itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameInfo {
    /// Black's name.
    pub black: String,
    /// Black's rank, as written in the record.
    pub black_rank: String,
    /// White's name.
    pub white: String,
    /// White's rank, as written in the record.
    pub white_rank: String,
    /// The game's own name.
    pub title: String,
    /// The event.
    pub event: String,
    /// The place.
    pub place: String,
    /// The date, as written in the record.
    pub date: String,
    /// The result, as written in the record (`B+R`, `W+3.5` ...).
    pub result: String,
    /// The ruleset's name, as understood.
    pub rules: String,
    /// Points for White.
    pub komi: Finite,
    /// Handicap stones.
    pub handicap: u8,
    /// The comment on the whole game.
    pub comment: String,
}

/// A change of what a game says about itself.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetGameInfo {
    /// The game.
    pub game_id: OpenGameId,
    /// The new values, all of them.
    pub info: GameInfo,
}

/// A way to read the texts of a game, with what they are then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TextReading {
    /// The character set that they were read in.
    pub taken: String,
    /// The one that they are read in instead; the same in the reading that is in force.
    pub meant: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// Event.
    pub event: String,
    /// A line of a comment that is not plain ASCII; empty if there is none.
    pub comment: String,
}

/// Another way to read the texts of a game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadTexts {
    /// The game.
    pub game_id: OpenGameId,
    /// The character set that they were read in.
    pub taken: String,
    /// The one that they are in.
    pub meant: String,
}

/// A whole open game: sent when it is opened and when its tree changed in more than one place.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    /// The game.
    pub game_id: OpenGameId,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How the edges meet.
    pub topology: BoardTopology,
    /// What the game says about itself.
    pub info: GameInfo,
    /// The whole tree.
    pub tree: TreeView,
    /// The current node.
    pub position: PositionView,
    /// What was found wrong, or mended, while reading the record.
    pub diagnostics: Vec<RecordDiagnostic>,
    /// The library's record of this game, if it has been saved there or was opened from it.
    pub record_id: Option<String>,
    /// Something was changed since it was opened or saved.
    pub modified: bool,
    /// A change can be taken back.
    pub can_undo: bool,
    /// A change that was taken back can be made once more.
    pub can_redo: bool,
    /// The node at which moves began to be tried out, while they are: what was changed since is not in the record.
    pub trial: Option<NodeId>,
    /// The file that it came from, if any: its name, not its path.
    pub file_name: Option<String>,
    /// Counts what a window sees of it: of two views the one with the higher number is the newer one.
    pub version: u32,
}

/// An open game is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameChanged {
    /// The game.
    pub game_id: OpenGameId,
    /// Its version now; null once it is closed.
    pub version: Option<u32>,
}

/// What changed in an open game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameUpdate {
    /// The game.
    pub game_id: OpenGameId,
    /// The current node.
    pub position: PositionView,
    /// The tree, if more of it changed than a branch that came or went.
    pub tree: Option<TreeView>,
    /// The branch that was added, if nothing else of the tree changed.
    pub grown: Option<GrownBranch>,
    /// The branch that was cut off, if nothing else of the tree changed.
    pub cut: Option<CutBranch>,
    /// The tree's revision now: a window that knows another one has missed a change.
    pub tree_revision: u32,
    /// What the game says about itself, if anything was changed.
    pub info: Option<GameInfo>,
    /// Something was changed since it was opened or saved.
    pub modified: bool,
    /// A change can be taken back.
    pub can_undo: bool,
    /// A change that was taken back can be made once more.
    pub can_redo: bool,
    /// As in `GameView`.
    pub trial: Option<NodeId>,
    /// As in `GameView`.
    pub version: u32,
}

/// A branch that was added to a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GrownBranch {
    /// The node that it hangs from, as its last child.
    pub parent: NodeId,
    /// The branch; its first node's parent is `parent`, and its revision the whole tree's, one more than before.
    pub branch: TreeView,
}

/// A branch that was cut off a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CutBranch {
    /// Its first node, which went with all that follows it.
    pub node_id: NodeId,
    /// The tree's revision, one more than before.
    pub revision: u32,
}

/// A tree of moves as parallel lists, so that tens of thousands of nodes stay light. Entry `i` of each list belongs
/// to the same node; parents stand before their children, siblings in their order, the main line first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TreeView {
    /// Counts its changes.
    pub revision: u32,
    /// The nodes' names.
    pub ids: Vec<NodeId>,
    /// Position of the parent in these lists; the root's is its own, 0.
    pub parents: Vec<u32>,
    /// The moves: a point's index, -1 for a pass, -2 for a node without a move.
    pub moves: Vec<i32>,
    /// Who moved: 1 black, -1 white, 0 for a node without a move.
    pub colors: Vec<i8>,
    /// 1 where the node has a comment.
    pub comments: Vec<u8>,
    /// The nodes that have annotations, in the order of the lists.
    pub annotated: Vec<AnnotatedNode>,
}

/// A node of a tree that has annotations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnnotatedNode {
    /// The node.
    pub node_id: NodeId,
    /// They are not empty.
    pub annotations: NodeAnnotations,
}

/// What a node says of its move and its position without words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NodeAnnotations {
    /// How its move was; only a node with a move has one.
    pub on_move: Option<MoveAnnotation>,
    /// Whom its position favours.
    pub on_position: Option<PositionAnnotation>,
    /// That it is worth a look.
    pub hotspot: Option<Hotspot>,
}

/// How a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MoveAnnotation {
    /// `TE[1]`
    Good,
    /// `TE[2]`
    VeryGood,
    /// `IT`
    Interesting,
    /// `DO`
    Doubtful,
    /// `BM[1]`
    Bad,
    /// `BM[2]`
    VeryBad,
}

/// Whom a position favours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PositionAnnotation {
    /// `GB[1]`
    GoodForBlack,
    /// `GB[2]`
    VeryGoodForBlack,
    /// `GW[1]`
    GoodForWhite,
    /// `GW[2]`
    VeryGoodForWhite,
    /// `DM[1]`
    Even,
    /// `DM[2]`
    VeryEven,
    /// `UC[1]`
    Unclear,
    /// `UC[2]`
    VeryUnclear,
}

/// That a node is worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Hotspot {
    /// `HO[1]`
    Normal,
    /// `HO[2]`
    Major,
}

/// The position at a game's current node.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    /// The node.
    pub node_id: NodeId,
    /// Moves played to get here, passes included.
    pub move_number: u32,
    /// Nodes from the root to here and on along the variation last visited, root first.
    pub line: Vec<NodeId>,
    /// Where in `line` the node stands.
    pub line_index: u32,
    /// Stones row by row from the top left: 1 black, -1 white, 0 empty.
    pub stones: Vec<i8>,
    /// For each point the number of the move that put the stone there, 0 if none did.
    pub move_numbers: Vec<u16>,
    /// Who is to move.
    pub to_move: Side,
    /// The move that led here; null for a pass and where there is none (see `last_was_pass`).
    pub last_move: Vertex,
    /// The move that led here was a pass.
    pub last_was_pass: bool,
    /// The point that ko forbids now.
    pub ko: Option<u16>,
    /// Points where the player to move may play: 1, and 0 where not.
    pub legal: Vec<u8>,
    /// White stones taken by Black.
    pub captured_by_black: u16,
    /// Black stones taken by White.
    pub captured_by_white: u16,
    /// The moves of the variations that start here, in their order.
    pub children: Vec<ChildView>,
    /// The comment.
    pub comment: String,
    /// The node's name; empty where it has none.
    pub name: String,
    /// The node's annotations.
    pub annotations: NodeAnnotations,
    /// Triangles, squares, labels ... at this node.
    pub marks: Vec<MarkView>,
    /// Lines and arrows at this node.
    pub links: Vec<LinkView>,
    /// Two passes or a resignation ended the game here.
    pub game_over: bool,
}

/// A variation that starts at a node.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChildView {
    /// The node.
    pub node_id: NodeId,
    /// Its move; null for a pass or none.
    pub vertex: Vertex,
}

/// A line or an arrow between two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LinkView {
    /// Where it begins.
    pub from: u16,
    /// Where it ends.
    pub to: u16,
    /// It has a head at its end.
    pub arrow: bool,
}

/// A mark on a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MarkView {
    /// The point.
    pub point: u16,
    /// Its shape.
    pub shape: MarkShape,
    /// The text of a label, otherwise empty.
    pub label: String,
}

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MarkShape {
    /// `TR`
    Triangle,
    /// `SQ`
    Square,
    /// `CR`
    Circle,
    /// `MA`
    Cross,
    /// `LB`
    Label,
    /// `SL`
    Selected,
    /// `DD`: drawn pale.
    Dimmed,
    /// `TB`
    TerritoryBlack,
    /// `TW`
    TerritoryWhite,
}

/// Something found wrong, or mended, while reading a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordDiagnostic {
    /// Counted from 1; 0 where it belongs to no line.
    pub line: u32,
    /// Counted from 1; 0 where it belongs to no column.
    pub column: u32,
    /// Something was lost or refused, not only mended.
    pub serious: bool,
    /// What it was.
    pub problem: RecordProblem,
}

/// Asks for the score of the current position.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScoreRequest {
    /// The game.
    pub game_id: OpenGameId,
    /// Points of dead chains, any one stone of each; null lets the engine propose them.
    pub dead: Option<Vec<u16>>,
}

/// A score with its arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScoreView {
    /// All stones counted as dead.
    pub dead: Vec<u16>,
    /// Whose each point is: 1 black, -1 white, 0 nobody's.
    pub owner: Vec<i8>,
    /// Black's parts.
    pub black: ScoreParts,
    /// White's parts.
    pub white: ScoreParts,
    /// Black's total minus White's.
    pub black_lead: Finite,
    /// The result as records write it: `B+3.5`, `W+0.5`, `0`.
    pub result: String,
}

/// One player's part of a score, in points.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScoreParts {
    /// Empty points surrounded.
    pub territory: Finite,
    /// Stones on the board, where they count.
    pub stones: Finite,
    /// Prisoners and dead stones, where they count.
    pub prisoners: Finite,
    /// Komi, handicap compensation, button.
    pub bonus: Finite,
    /// The sum.
    pub total: Finite,
}

/// A record as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SgfText {
    /// A name to save it under.
    pub file_name: String,
    /// The record.
    pub sgf: String,
}

/// Where to write an open game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SaveFile {
    /// The game.
    pub game_id: OpenGameId,
    /// The path.
    pub path: String,
    /// With what the engine found, in the properties that other programs read.
    #[serde(default)]
    pub evaluations: bool,
}

/// Content to write to a file that the person chose: a picture, a report.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SaveContent {
    /// The path.
    pub path: String,
    /// The bytes in base64.
    pub base64: String,
}
