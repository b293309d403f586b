//! Writing a game in another format than SGF: the facts that the format has, the handicap and the main line.

use std::fmt::Write as _;

use honinbo_rules::{BoardSize, Color, Komi, Move, Point, handicap_points};

use super::RecordFormat;
use crate::info::GameInfo;
use crate::result::GameResult;
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
    /// It begins with stones that are no handicap on the usual points.
    #[error("{0} has no place for stones that were set up")]
    Stones(&'static str),
    /// A node of the main line sets up stones, or has a move that is none.
    #[error("the main line has something after its beginning that is no move")]
    Moves,
}

/// What all formats are written from.
struct Line {
    info: GameInfo,
    black: Vec<Point>,
    white: Vec<Point>,
    moves: Vec<(Color, Move)>,
    comments: Vec<(usize, String)>,
}

impl Line {
    fn of(tree: &GameTree) -> Result<Self, WriteRecordError> {
        let info = GameInfo::of(tree);
        let size = info.size;
        let (mut moves, mut comments) = (Vec::new(), Vec::new());
        let root = tree.root();
        for node in tree.line_from(root) {
            if node != root && !tree.setup_at(node, size).is_empty() {
                return Err(WriteRecordError::Moves);
            }
            if let Some(found) = tree.move_at(node, size) {
                moves.push((found.color, found.played.map_err(|_| WriteRecordError::Moves)?));
            }
            if let Some(comment) = tree.comment(node).filter(|comment| !comment.trim().is_empty()) {
                comments.push((moves.len(), comment));
            }
        }
        let setup = tree.setup_at(root, size);
        Ok(Self { info, black: setup.black, white: setup.white, moves, comments })
    }

    /// The number of handicap stones, where they stand on the usual points.
    fn usual_handicap(&self, format: &'static str) -> Result<usize, WriteRecordError> {
        if self.black.is_empty() && self.white.is_empty() {
            return Ok(0);
        }
        let usual = handicap_points(self.info.size, self.black.len()).unwrap_or_default();
        let same = usual.len() == self.black.len() && self.black.iter().all(|point| usual.contains(point));
        if same && self.white.is_empty() { Ok(usual.len()) } else { Err(WriteRecordError::Stones(format)) }
    }

    fn player(&self, color: Color) -> String {
        let player = self.info.player(color);
        let name = plain(&player.name);
        if player.rank.is_empty() { name } else { format!("{name} ({})", plain(&player.rank).to_uppercase()) }
    }

    fn komi(&self) -> Komi {
        self.info.komi_or_guess()
    }
}

/// A text that stays on its line.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>().trim().to_owned()
}

/// Writes the main line of a game. SGF holds everything, and is written by the tree itself.
///
/// # Errors
/// When the format has no such board, no such beginning, or the line is none of moves.
pub fn write_record(tree: &GameTree, format: RecordFormat) -> Result<WrittenRecord, WriteRecordError> {
    if format == RecordFormat::Sgf {
        return Ok(WrittenRecord { text: tree.to_sgf(), left_out: Vec::new() });
    }
    let line = Line::of(tree)?;
    let mut left_out = Vec::new();
    if tree.node_count() > tree.line_from(tree.root()).count() {
        left_out.push(LeftOut::Variations);
    }
    if format != RecordFormat::Ugf && !line.comments.is_empty() {
        left_out.push(LeftOut::Comments);
    }
    let is_mark = |node: NodeId| MARKS.iter().any(|ident| tree.property(node, ident).is_some());
    if tree.line_from(tree.root()).any(is_mark) {
        left_out.push(LeftOut::Marks);
    }
    let text = match format {
        RecordFormat::Sgf => tree.to_sgf(),
        RecordFormat::Gib => gib(&line)?,
        RecordFormat::Ngf => ngf(&line, &mut left_out)?,
        RecordFormat::Ugf => ugf(&line)?,
    };
    Ok(WrittenRecord { text, left_out })
}

/// Properties that draw on the board.
const MARKS: [&str; 10] = ["AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "TB"];

fn only(format: &'static str, size: BoardSize, fits: bool) -> Result<(), WriteRecordError> {
    if fits { Ok(()) } else { Err(WriteRecordError::Board { format, size }) }
}

fn gib(line: &Line) -> Result<String, WriteRecordError> {
    only("GIB", line.info.size, line.info.size == BoardSize::NINETEEN)?;
    let handicap = line.usual_handicap("GIB")?;
    let (code, margin) = match line.info.result {
        GameResult::Score { winner, margin } => (winner.index() as i32, (f64::from(margin) * 10.0).round() as i64),
        GameResult::Resignation(winner) => (3 + winner.index() as i32, 0),
        GameResult::Time(winner) => (7 + winner.index() as i32, 0),
        GameResult::Win(winner) | GameResult::Forfeit(winner) => (winner.index() as i32, 0),
        GameResult::Draw | GameResult::Void | GameResult::Unknown => (9, 0),
    };
    let komi = (line.komi().points() * 10.0).round() as i64;
    let mut text = String::from("\\HS\r\n");
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = write!(text, "\\[{name}={value}\\]\r\n");
        }
    };
    fact("GAMENAME", &plain(&line.info.event));
    fact("GAMEDATE", &plain(&line.info.date_text));
    fact("GAMEPLACE", &plain(&line.info.place));
    fact("GAMEBLACKNAME", &line.player(Color::Black));
    fact("GAMEWHITENAME", &line.player(Color::White));
    fact("GAMEINFOMAIN", &format!("GBKIND:0,GTYPE:0,GRLT:{code},ZIPSU:{margin},DUM:0,GONGJE:{komi},TCNT:3,AUSZ:3"));
    let _ = write!(text, "\\HE\r\n\\GS\r\n2 1 0\r\n{} &4\r\nINI 0 1 {handicap} &4\r\n", line.moves.len() + 1);
    for (number, (color, played)) in line.moves.iter().enumerate() {
        let _ = match played.point() {
            Some(point) => {
                write!(text, "STO 0 {} {} {} {} \r\n", number + 2, color.index() + 1, point.x(), point.y())
            }
            None => write!(text, "SKI 0 {}\r\n", number + 2),
        };
    }
    text.push_str("\\GE\r\n");
    Ok(text)
}

fn ngf(line: &Line, left_out: &mut Vec<LeftOut>) -> Result<String, WriteRecordError> {
    let size = line.info.size;
    only("NGF", size, size.is_square() && size.width() <= 25)?;
    let handicap = line.usual_handicap("NGF")?;
    let komi = line.komi().points();
    // Of an even game the half point is not written.
    let written = if handicap == 0 { komi.trunc() } else { komi };
    if handicap == 0 && komi != 0.0 && komi.fract().abs() != 0.5 {
        left_out.push(LeftOut::Komi);
    }
    let date =
        line.info.date.map_or_else(String::new, |date| format!("{:04}{:02}{:02}", date.year, date.month, date.day));
    let result = match line.info.result {
        GameResult::Score { winner, margin } => format!("{} wins by {margin} points", name(winner)),
        GameResult::Resignation(winner) => format!("{} wins by resign", name(winner)),
        GameResult::Time(winner) => format!("{} wins by time", name(winner)),
        GameResult::Forfeit(winner) | GameResult::Win(winner) => format!("{} wins", name(winner)),
        GameResult::Draw => "draw".into(),
        GameResult::Void | GameResult::Unknown => String::new(),
    };
    let mut text = format!(
        "{}\r\n{}\r\n{}\r\n{}\r\n{}\r\n{handicap}\r\n0\r\n{written}\r\n{date}\r\n0\r\n{result}\r\n{}\r\n",
        plain(&line.info.event),
        size.width(),
        line.player(Color::White),
        line.player(Color::Black),
        plain(&line.info.place),
        line.moves.len(),
    );
    for (number, (color, played)) in line.moves.iter().enumerate() {
        let letter = |n: usize| char::from(b'A' + (n % 26) as u8);
        let number = number + 1;
        let coordinate = |n: usize| char::from(b'B' + n as u8);
        let (x, y) = played.point().map_or(('A', 'A'), |point| (coordinate(point.x()), coordinate(point.y())));
        let _ = write!(text, "PM{}{}{}{x}{y}{x}{y}\r\n", letter(number / 26), letter(number), color.letter());
    }
    Ok(text)
}

fn ugf(line: &Line) -> Result<String, WriteRecordError> {
    let size = line.info.size;
    // A pass is written as the 25th column.
    only("UGF", size, size.is_square() && size.width() <= 24)?;
    if !line.white.is_empty() {
        return Err(WriteRecordError::Stones("UGF"));
    }
    let winner = match line.info.result {
        GameResult::Score { winner, margin } => format!("{},{margin}", winner.letter()),
        GameResult::Resignation(winner) => format!("{},R", winner.letter()),
        GameResult::Time(winner) => format!("{},T", winner.letter()),
        GameResult::Forfeit(winner) | GameResult::Win(winner) => format!("{},C", winner.letter()),
        GameResult::Draw => "D".into(),
        GameResult::Void | GameResult::Unknown => String::new(),
    };
    let player = |color| {
        let player = line.info.player(color);
        // A comma ends the name.
        format!("{},{}", plain(&player.name).replace(',', " "), plain(&player.rank))
    };
    let date =
        line.info.date.map_or_else(String::new, |date| format!("{:04}/{:02}/{:02}", date.year, date.month, date.day));
    let mut text = format!(
        "[Header]\r\nLang=UTF-8\r\nCoordinateType=JPN\r\nSize={}\r\nHdcp={},{}\r\nTitle={}\r\nPlace={}\r\nDate={date}\r\n\
         Rule={}\r\nPlayerB={}\r\nPlayerW={}\r\nWinner={winner}\r\n[Data]\r\n",
        size.width(),
        line.black.len(),
        line.komi().points(),
        plain(&line.info.event),
        plain(&line.info.place),
        plain(&line.info.rules_text),
        player(Color::Black),
        player(Color::White),
    );
    let letter = |n: usize| char::from(b'A' + n as u8);
    for point in &line.black {
        let _ = write!(text, "{}{},B0,0,0\r\n", letter(point.x()), letter(point.y()));
    }
    for (number, (color, played)) in line.moves.iter().enumerate() {
        let (x, y) = played.point().map_or(('Y', 'A'), |point| (letter(point.x()), letter(point.y())));
        let number = number + 1;
        let _ = write!(text, "{x}{y},{}{number},{number},0\r\n", color.letter());
    }
    text.push_str("[Figure]\r\n");
    for (number, comment) in &line.comments {
        let _ = write!(text, ".Text,{number}\r\n{}\r\n.EndText\r\n", comment.trim().replace('\n', "\r\n"));
    }
    text.push_str("[EOF]\r\n");
    Ok(text)
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
