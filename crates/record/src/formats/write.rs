//! Writing a game in another format than SGF: the facts that the format has, the handicap and the main line.

use honinbo_rules::{BoardSize, Color, Komi, Move, Point, Preset, Topology, handicap_points};

use super::{OTHERS, RecordFormat};
use crate::info::GameInfo;
use crate::replay::missing_handicap;
use crate::tree::{GameTree, NodeId};

/// A game in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRecord {
    /// The file's text; UTF-8.
    pub text: String,
    /// What the format has no place for.
    pub left_out: Vec<LeftOut>,
}

/// Something of a game that a format cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// Lines beside the main one.
    #[error("variations")]
    Variations,
    /// What was written about moves.
    #[error("comments")]
    Comments,
    /// Signs and letters on the board.
    #[error("marks on the board")]
    Marks,
    /// The exact komi.
    #[error("the exact komi")]
    Komi,
    /// The rules.
    #[error("the rules")]
    Rules,
}

/// Why a game cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteRecordError {
    /// The format has boards of another shape only.
    #[error("{format} has no board of {size}")]
    Board {
        /// The format's name.
        format: &'static str,
        /// The game's board.
        size: BoardSize,
    },
    /// The format has boards with edges only.
    #[error("{format} has no board that is a {topology}")]
    Topology {
        /// The format's name.
        format: &'static str,
        /// How the edges of the game's board meet.
        topology: Topology,
    },
    /// It begins with stones that are no handicap on the usual points.
    #[error("{0} has no place for stones that were set up")]
    Stones(&'static str),
    /// Records in this format are read and not written.
    #[error("{0} is read and not written")]
    ReadOnly(&'static str),
    /// A node of the main line sets up stones, or has a move that is none.
    #[error("the main line has something after its beginning that is no move")]
    Moves,
}

/// What all formats are written from.
pub(super) struct Line {
    pub(super) info: GameInfo,
    /// Stones that stand there before the first move: those that were set up, or a handicap that is only counted.
    pub(super) black: Vec<Point>,
    pub(super) white: Vec<Point>,
    pub(super) moves: Vec<(Color, Move)>,
    /// With the number of the move before them.
    pub(super) comments: Vec<(usize, String)>,
}

/// How a format is written.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    /// Whether it has a place for comments.
    pub(super) comments: bool,
    /// Writes a file, and notes what is left out of it beside comments, marks and variations.
    pub(super) write: fn(&Line, &mut Vec<LeftOut>) -> Result<String, WriteRecordError>,
}

impl Line {
    fn of(tree: &GameTree) -> Result<Self, WriteRecordError> {
        let info = GameInfo::of(tree);
        let size = info.size;
        let mut moves = Vec::new();
        let mut comments: Vec<(usize, String)> = Vec::new();
        let root = tree.root();
        for node in tree.line_from(root) {
            if node != root && !tree.setup_at(node, size).is_empty() {
                return Err(WriteRecordError::Moves);
            }
            if let Some(found) = tree.move_at(node, size) {
                moves.push((found.color, found.played.map_err(|_| WriteRecordError::Moves)?));
            }
            if let Some(comment) = tree.comment(node).filter(|comment| !comment.trim().is_empty()) {
                match comments.last_mut() {
                    // Nodes without a move have no place of their own.
                    Some((number, before)) if *number == moves.len() => *before = format!("{before}\n\n{comment}"),
                    _ => comments.push((moves.len(), comment)),
                }
            }
        }
        let setup = tree.setup_at(root, size);
        let missing = missing_handicap(tree, &[root], &info).and_then(|stones| handicap_points(size, stones).ok());
        Ok(Self { info, black: missing.unwrap_or(setup.black), white: setup.white, moves, comments })
    }

    /// The number of handicap stones, where they stand on the usual points.
    pub(super) fn usual_handicap(&self, format: &'static str) -> Result<usize, WriteRecordError> {
        if self.black.is_empty() && self.white.is_empty() {
            return Ok(0);
        }
        let usual = handicap_points(self.info.size, self.black.len()).unwrap_or_default();
        let same = usual.len() == self.black.len() && self.black.iter().all(|point| usual.contains(point));
        if same && self.white.is_empty() { Ok(usual.len()) } else { Err(WriteRecordError::Stones(format)) }
    }

    pub(super) fn player(&self, color: Color) -> String {
        let player = self.info.player(color);
        let name = plain(&player.name);
        if player.rank.is_empty() { name } else { format!("{name} ({})", plain(&player.rank).to_uppercase()) }
    }

    /// Whether the record says by which rules it was played, known ones or not.
    pub(super) fn names_rules(&self) -> bool {
        !self.info.rules_text.is_empty()
    }

    /// Whether it says that it was played by these.
    pub(super) fn rules_are(&self, preset: Preset) -> bool {
        self.info.rules == Some(preset)
    }

    pub(super) fn komi(&self) -> Komi {
        self.info.komi_or_guess()
    }
}

/// A text that stays on its line.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>().trim().to_owned()
}

/// Writes the main line of a game. SGF holds everything, and is written by the tree itself.
///
/// # Errors
/// When the format has no such board, no such edges, no such beginning, or the line is none of moves.
pub fn write_record(tree: &GameTree, format: RecordFormat) -> Result<WrittenRecord, WriteRecordError> {
    let Some(other) = OTHERS.iter().find(|other| other.format == format) else {
        // A text has no other character set, whatever the record was read in.
        return Ok(WrittenRecord { text: tree.in_utf8().to_sgf(), left_out: Vec::new() });
    };
    let writer = other.write.ok_or(WriteRecordError::ReadOnly(other.kind.name))?;
    let line = Line::of(tree)?;
    // None of these formats has a word for edges that meet.
    if line.info.topology != Topology::Plane {
        return Err(WriteRecordError::Topology { format: other.kind.name, topology: line.info.topology });
    }
    let mut left_out = Vec::new();
    if tree.node_count() > tree.line_from(tree.root()).count() {
        left_out.push(LeftOut::Variations);
    }
    if !writer.comments && !line.comments.is_empty() {
        left_out.push(LeftOut::Comments);
    }
    let is_mark = |node: NodeId| MARKS.iter().any(|ident| tree.property(node, ident).is_some());
    if tree.line_from(tree.root()).any(is_mark) {
        left_out.push(LeftOut::Marks);
    }
    let text = (writer.write)(&line, &mut left_out)?;
    Ok(WrittenRecord { text, left_out })
}

/// Properties that draw on the board.
const MARKS: [&str; 10] = ["AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "TB"];

/// Refuses a board that a format does not have.
pub(super) fn only(format: &'static str, size: BoardSize, fits: bool) -> Result<(), WriteRecordError> {
    if fits { Ok(()) } else { Err(WriteRecordError::Board { format, size }) }
}
