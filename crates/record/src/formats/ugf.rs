//! UGF, the records of `PandaNet`: sections with `Name=Value` lines, and one line a move.
//!
//! `[Header]` has the facts, `[Data]` lines such as `QD,B1,1,0`: point, colour, number, seconds. Points are two
//! letters from `A`; with `CoordinateType=IGS` rows count from the bottom, else from the top. A point off the board
//! (`YA`) is a pass; Black's stones with number 0 are the handicap. `.Text,N` to `.EndText` in `[Figure]` is a
//! comment to move N. Source: files of the server and public descriptions of them.
//!
//! A review (`.ugi`) has its nodes in `[ReviewNode]` and their comments in `[ReviewComment]`. Source: Sabaki's
//! `test/ugf/review.ugi`.

use std::collections::HashMap;
use std::fmt::Write as _;

use honinbo_rules::{BoardSize, Color};

use super::line::{LineBuilder, set};
use super::write::{LeftOut, Line, WriteRecordError, Writer, only, plain};
use super::{FileKind, OtherFormat, RecordFormat, contains};
use crate::charset::Charset;
use crate::date::GameDate;
use crate::diagnostic::Diagnostic;
use crate::info::{komi_to_write, topology_to_write};
use crate::result::GameResult;
use crate::tree::{GameTree, NodeId};

/// This format among the others.
pub(super) const FORMAT: OtherFormat = OtherFormat {
    format: RecordFormat::Ugf,
    kind: FileKind { name: "UGF", extensions: &["ugf", "ugi"], mime_type: "application/x-go-ugf", packed: false },
    looks_like,
    charset,
    read,
    write: Some(Writer { comments: true, write }),
};

fn looks_like(head: &[u8]) -> bool {
    let is_header = contains(head, b"[Header]");
    is_header && [b"PlayerB=" as &[u8], b"[Data]", b"Hdcp="].iter().any(|word| contains(head, word))
}

/// `Lang`, which is a character set (`SJIS`) or a language (`JPN`).
fn charset(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.split(|&byte| byte == b'\n').take(200);
    let named = lines.find_map(|line| line.trim_ascii().strip_prefix(b"Lang="))?;
    let label = std::str::from_utf8(named).ok()?;
    Charset::for_label(label).map(|_| label.to_owned())
}

fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<GameTree> {
    let mut facts: HashMap<String, &str> = HashMap::new();
    let mut section = "";
    for line in text.lines().map(str::trim).take(200) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if section.eq_ignore_ascii_case("header")
            && let Some((name, value)) = line.split_once('=')
        {
            facts.entry(name.trim().to_ascii_lowercase()).or_insert(value.trim());
        }
    }
    let fact = |name: &str| facts.get(name).copied().unwrap_or_default();
    let size = fact("size").parse::<usize>().ok().and_then(|side| BoardSize::square(side).ok());
    let size = size.unwrap_or(BoardSize::NINETEEN);
    let mut tree = GameTree::with_board(size);
    for (name, player, rank) in [("playerb", "PB", "BR"), ("playerw", "PW", "WR")] {
        let mut parts = fact(name).split(',');
        set(&mut tree, player, parts.next().unwrap_or_default());
        set(&mut tree, rank, parts.next().unwrap_or_default());
    }
    set(&mut tree, "EV", fact("title"));
    set(&mut tree, "PC", fact("place"));
    set(&mut tree, "RU", fact("rule"));
    if let Some(date) = GameDate::parse(fact("date")) {
        set(&mut tree, "DT", &date.to_string());
    }
    let mut handicap = fact("hdcp").split(',');
    let stones = handicap.next().and_then(|word| word.trim().parse::<usize>().ok()).filter(|stones| *stones <= 100);
    if let Some(stones) = stones.filter(|stones| *stones > 0) {
        set(&mut tree, "HA", &stones.to_string());
    }
    set(&mut tree, "KM", handicap.next().unwrap_or_default());
    set(&mut tree, "RE", &result(fact("winner")));
    let from_bottom = fact("coordinatetype").eq_ignore_ascii_case("IGS");
    let found = moves(text, &mut tree, size, from_bottom, diagnostics);
    (found || !facts.is_empty()).then_some(tree)
}

/// `B,R` (resigned), `W,T` (time), `B,3.5`.
fn result(winner: &str) -> String {
    let (color, how) = winner.split_once(',').unwrap_or((winner, ""));
    let how = how.trim().trim_end_matches(".");
    match color.trim() {
        "B" | "W" => format!("{}+{}", color.trim(), if how == "C" { "" } else { how }),
        "D" => "0".into(),
        _ => String::new(),
    }
}

fn moves(
    text: &str,
    tree: &mut GameTree,
    size: BoardSize,
    from_bottom: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut builder = LineBuilder { tree, node: NodeId::ROOT, width: size.width(), height: size.height() };
    let mut section = String::new();
    let mut nodes = vec![NodeId::ROOT];
    let mut handicap = Vec::new();
    let mut comment: Option<(usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if let Some((at, mut so_far)) = comment.take() {
            if line.starts_with(END_OF_TEXT) {
                if let Some(&node) = nodes.get(at) {
                    builder.tree.set_comment(node, so_far.trim());
                }
            } else {
                so_far.push_str(line);
                so_far.push('\n');
                comment = Some((at, so_far));
            }
            continue;
        }
        if let Some(name) = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_ascii_lowercase();
        } else if section == "figure" {
            if let Some(at) = line.strip_prefix(".Text,") {
                comment = Some((at.trim().parse().unwrap_or(0), String::new()));
            }
        } else if section == "data" {
            let mut parts = line.split(',');
            let (Some(point), Some(color), order) = (parts.next(), parts.next(), parts.next()) else { continue };
            let black = match color.as_bytes().first() {
                Some(b'B') => true,
                Some(b'W') => false,
                _ => continue,
            };
            let &[x, y] = point.trim().as_bytes() else {
                diagnostics.push(builder.bad_point(number, line));
                continue;
            };
            let index = |byte: u8| usize::from(byte.to_ascii_uppercase().wrapping_sub(b'A'));
            let (x, y) = (index(x), index(y));
            let on_board = builder.holds(x, y);
            let y = if from_bottom && on_board { builder.height - 1 - y } else { y };
            if black && order.map(str::trim) == Some("0") && nodes.len() == 1 && on_board {
                handicap.push(builder.letters(x, y));
            } else {
                builder.play(black, on_board.then_some((x, y)));
                nodes.push(builder.node);
            }
        }
        if builder.is_full() || diagnostics.len() > 100 {
            break;
        }
    }
    let found = nodes.len() > 1 || !handicap.is_empty();
    if !handicap.is_empty() {
        builder.tree.set_raw(NodeId::ROOT, "AB", handicap);
    }
    review(text, &mut builder, &nodes, from_bottom);
    found
}

/// The variations and comments of a review. `NODE,3,2,4,17` is node 3, a move of White (1 Black, 0 no move) in column 4 and
/// row 17 from 1, a pass off the board; it follows the node before it. What stands between `VARIATION` and `VARIATIONEND`
/// follows the node before that. `.Comment,3` is about node 3, up to the next one.
fn review(text: &str, builder: &mut LineBuilder<'_>, played: &[NodeId], from_bottom: bool) {
    let mut section = String::new();
    let mut nodes: HashMap<usize, NodeId> = HashMap::new();
    let mut forks = Vec::new();
    let mut comments: Vec<(Option<NodeId>, String)> = Vec::new();
    builder.node = NodeId::ROOT;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_ascii_lowercase();
        } else if section == "reviewcomment" {
            if let Some(id) = line.strip_prefix(".Comment,") {
                let id: Option<usize> = id.trim().parse().ok();
                // Without nodes the numbers are those of the moves, the root 1.
                let move_node = |id: usize| played.get(id.checked_sub(1)?).copied();
                let node = id.and_then(|id| nodes.get(&id).copied().or_else(|| move_node(id)));
                comments.push((node, String::new()));
            } else if let Some((_, comment)) = comments.last_mut() {
                comment.push_str(line);
                comment.push('\n');
            }
        } else if section == "reviewnode" {
            let mut words = line.split(',');
            match words.next() {
                Some("VARIATION") => forks.push(builder.node),
                Some("VARIATIONEND") => builder.node = forks.pop().unwrap_or(builder.node),
                Some("NODE") => {
                    let numbers: Vec<usize> = words.filter_map(|word| word.trim().parse().ok()).collect();
                    let [id, color, x, y] = numbers[..] else { continue };
                    if color != 0 {
                        review_move(builder, color == 1, (x.wrapping_sub(1), y.wrapping_sub(1)), from_bottom);
                    }
                    nodes.insert(id, builder.node);
                }
                _ => {}
            }
        }
        if builder.is_full() {
            break;
        }
    }
    for (node, comment) in comments {
        if let Some(node) = node.filter(|_| !comment.trim().is_empty()) {
            builder.tree.set_comment(node, comment.trim());
        }
    }
}

/// Follows a move that is there already, or adds it; the handicap is set up.
fn review_move(builder: &mut LineBuilder<'_>, black: bool, (x, y): (usize, usize), from_bottom: bool) {
    let on_board = builder.holds(x, y);
    let point = on_board.then(|| (x, if from_bottom { builder.height - 1 - y } else { y }));
    let value = point.map(|(x, y)| builder.letters(x, y)).unwrap_or_default();
    let is_set_up = |ident| {
        let stones = builder.tree.property(builder.node, ident);
        stones.is_some_and(|stones| stones.raw_values().any(|stone| stone == value))
    };
    if black && is_set_up("AB") {
        return;
    }
    let ident = if black { "B" } else { "W" };
    let is_it = |&child: &NodeId| builder.tree.raw_value(child, ident) == Some(value.as_str());
    let known = builder.tree.children(builder.node).find(is_it);
    match known {
        Some(known) => builder.node = known,
        None => builder.play(black, point),
    }
}

/// The line after a comment.
const END_OF_TEXT: &str = ".EndText";

fn write(line: &Line, _: &mut Vec<LeftOut>) -> Result<String, WriteRecordError> {
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
    // Rules that join the edges, unless a record says otherwise, are left out where this format cannot say it.
    let rules = match topology_to_write(line.info.topology, line.info.rules) {
        None => plain(&line.info.rules_text),
        Some(_) => String::new(),
    };
    let date =
        line.info.date.map_or_else(String::new, |date| format!("{:04}/{:02}/{:02}", date.year, date.month, date.day));
    let mut text = format!(
        "[Header]\r\nLang=UTF-8\r\nCoordinateType=JPN\r\nSize={}\r\nHdcp={},{}\r\nTitle={}\r\nPlace={}\r\nDate={date}\r\n\
         Rule={rules}\r\nPlayerB={}\r\nPlayerW={}\r\nWinner={winner}\r\n[Data]\r\n",
        size.width(),
        line.black.len(),
        komi_to_write(line.komi()),
        plain(&line.info.event),
        plain(&line.info.place),
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
        let _ = write!(text, ".Text,{number}\r\n");
        for line in comment.trim().lines() {
            // Such a line would end the text.
            let guard = if line.starts_with(END_OF_TEXT) { " " } else { "" };
            let _ = write!(text, "{guard}{line}\r\n");
        }
        let _ = write!(text, "{END_OF_TEXT}\r\n");
    }
    text.push_str("[EOF]\r\n");
    Ok(text)
}
