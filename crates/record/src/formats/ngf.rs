//! NGF, the records of wBaduk: a fixed list of lines, then one line a move.
//!
//! Lines from 0: kind of game, board size, White's name and rank, Black's name and rank, server, handicap, unused,
//! komi, date, minutes, result, number of moves. A move is `PM`, two letters of its number, `B` or `W`, then column
//! and row as letters with `B` for 1; `A` stands for 0, a pass. Source: files of the server and public descriptions.
//!
//! A Chinese variant begins every line before the moves with `GI`: event, Black's name and rank, White's, two unused,
//! date, board size, handicap, unused, komi, number of moves. Source: `test/ngf/gb2312.ngf` of Sabaki; which of the
//! players is named first is taken from Chinese usage.

use std::fmt::Write as _;

use honinbo_rules::{BoardSize, Color, Komi, Preset, handicap_points};

use super::line::{LineBuilder, name_and_rank, set};
use super::write::{LeftOut, Line, WriteRecordError, Writer, only, plain};
use super::{FileKind, OtherFormat, RecordFormat};
use crate::date::GameDate;
use crate::diagnostic::Diagnostic;
use crate::info::points_to_write;
use crate::node::move_value;
use crate::result::GameResult;
use crate::tree::GameTree;

/// This format among the others.
pub(super) const FORMAT: OtherFormat = OtherFormat {
    format: RecordFormat::Ngf,
    kind: FileKind { name: "NGF", extensions: &["ngf"], mime_type: "application/x-go-ngf", packed: false },
    looks_like,
    charset: |_| None,
    read,
    write: Some(Writer { comments: false, write }),
};

/// A board size in the second line and a line that begins as moves do, or a number of moves in the twelfth line.
fn looks_like(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let size = lines.nth(1).and_then(|line| std::str::from_utf8(line).ok()).and_then(|line| line.parse::<u8>().ok());
    let is_move = |line: &[u8]| line.len() >= 7 && line.starts_with(b"PM") && matches!(line[4], b'B' | b'W');
    let is_usual = matches!(size, Some(2..=52)) && lines.skip(9).take(4).any(is_move);
    is_usual || has_gi(head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii))
}

/// Lines that begin with `GI`, a board size in the seventh.
fn has_gi<'t>(lines: impl Iterator<Item = &'t [u8]>) -> bool {
    let mut first = lines.take(7);
    let (mut count, mut size) = (0, None);
    while let Some(line) = first.next().and_then(|line| line.strip_prefix(b"GI")) {
        count += 1;
        size = std::str::from_utf8(line).ok().and_then(|line| line.parse::<u8>().ok());
    }
    count == 7 && matches!(size, Some(2..=52))
}

/// The lines of the `GI` variant where the usual ones are.
fn in_usual_places<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let fact = |at: usize| lines.get(at).copied().and_then(|line| line.strip_prefix("GI")).unwrap_or_default().trim();
    let facts = [fact(0), fact(6), fact(2), fact(1), "", fact(7), "", fact(9), fact(5), "", ""];
    facts.into_iter().chain(lines.iter().copied().skip(11)).collect()
}

fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<GameTree> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).take(25_000).collect();
    let is_variant = has_gi(lines.iter().map(|line| line.as_bytes()));
    if is_variant {
        lines = in_usual_places(&lines);
    }
    let side: usize = lines.get(1)?.parse().ok()?;
    let size = BoardSize::square(side).ok()?;
    let mut tree = GameTree::with_board(size);
    let line = |at: usize| lines.get(at).copied().unwrap_or_default();
    if is_variant {
        set(&mut tree, "EV", line(0));
    }
    for (at, name_ident, rank_ident) in [(2, "PW", "WR"), (3, "PB", "BR")] {
        let (name, rank) = name_and_rank(line(at));
        set(&mut tree, name_ident, &name);
        set(&mut tree, rank_ident, &rank);
    }
    set(&mut tree, "PC", line(4));
    let handicap: usize = line(5).parse().unwrap_or(0);
    let root = tree.root();
    if let Ok(points) = handicap_points(size, handicap) {
        let values: Vec<_> = points.iter().map(|&point| move_value(point.into())).collect();
        tree.set_raw(root, "HA", [handicap.to_string()]);
        tree.set_raw(root, "AB", values);
        tree.set_raw(root, "PL", ["W"]);
    }
    // The half point that decides an even game is not written.
    let komi = line(7).parse::<f64>().ok().filter(|komi| komi.is_finite());
    if let Some(komi) = komi {
        let half = if handicap == 0 && komi.fract() == 0.0 && komi != 0.0 { 0.5 } else { 0.0 };
        set(&mut tree, "KM", &points_to_write(komi + half));
    }
    set(&mut tree, "RU", "Korean");
    // Eight digits and the time, or a date with dashes.
    let day = line(8).split_whitespace().next().unwrap_or_default();
    if let Some(date) = GameDate::parse(day) {
        set(&mut tree, "DT", &date.to_string());
    }
    let result = crate::GameResult::parse(line(10));
    if result != crate::GameResult::Unknown {
        set(&mut tree, "RE", &result.to_string());
    }
    let mut builder = LineBuilder { tree: &mut tree, node: root, width: side, height: side };
    for (number, line) in lines.iter().enumerate().skip(11) {
        let bytes = line.as_bytes();
        if bytes.len() < 7 || !line.starts_with("PM") || !matches!(bytes[4], b'B' | b'W') {
            continue;
        }
        let coordinate = |byte: u8| usize::from(byte.to_ascii_uppercase().wrapping_sub(b'B'));
        let (x, y) = (coordinate(bytes[5]), coordinate(bytes[6]));
        let pass = bytes[5].eq_ignore_ascii_case(&b'A') && bytes[6].eq_ignore_ascii_case(&b'A');
        if pass || builder.holds(x, y) {
            builder.play(bytes[4] == b'B', (!pass).then_some((x, y)));
        } else {
            diagnostics.push(builder.bad_point(number, line));
        }
        if builder.is_full() || diagnostics.len() > 100 {
            break;
        }
    }
    Some(tree)
}

fn write(line: &Line, left_out: &mut Vec<LeftOut>) -> Result<String, WriteRecordError> {
    let size = line.info.size;
    only("NGF", size, size.is_square() && size.width() <= 25)?;
    let handicap = line.usual_handicap("NGF")?;
    let (komi, points) = (line.komi(), line.komi().points());
    // Of an even game the half point is not written: who reads it adds it to every whole komi but none.
    let is_added = handicap == 0 && !komi.is_integer() && komi != Komi::from_half_points(1);
    let written = if is_added { points - 0.5 } else { points };
    if handicap == 0 && komi != Komi::ZERO && komi.is_integer() {
        left_out.push(LeftOut::Komi);
    }
    if line.names_rules() && !line.rules_are(Preset::Korean) {
        left_out.push(LeftOut::Rules);
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

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
