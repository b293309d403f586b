//! GIB, the records of Tygem.
//!
//! `\[NAME=VALUE\]` lines between `\HS` and `\HE`, then between `\GS` and `\GE` one line a move:
//! `STO 0 <number> <1 black, 2 white> <x> <y>` with x and y from 0 at the top left, `SKI` for a pass, and
//! `INI 0 1 <handicap>`. Komi and margin are in tenths, the rules Korean unless `GIBOKIND` is `China`. Source: files of
//! the server and public descriptions of them.

use std::fmt::Write as _;

use honinbo_rules::{BoardSize, Color, Preset, handicap_points};

use super::line::{LineBuilder, name_and_rank, set};
use super::write::{LeftOut, Line, WriteRecordError, Writer, only, plain};
use super::{FileKind, OtherFormat, RecordFormat, contains};
use crate::date::GameDate;
use crate::diagnostic::Diagnostic;
use crate::info::points_to_write;
use crate::node::move_value;
use crate::result::GameResult;
use crate::tree::GameTree;

/// This format among the others.
pub(super) const FORMAT: OtherFormat = OtherFormat {
    format: RecordFormat::Gib,
    kind: FileKind { name: "GIB", extensions: &["gib"], mime_type: "application/x-go-gib", packed: false },
    looks_like,
    charset: |_| None,
    read,
    write: Some(Writer { comments: false, write }),
};

/// Says that a game is of the Chinese server.
const CHINESE: &str = "\\[GIBOKIND=China\\]";

fn looks_like(head: &[u8]) -> bool {
    contains(head, b"\\HS") || contains(head, b"\\[GAME")
}

fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<GameTree> {
    let mut tree = GameTree::with_board(BoardSize::NINETEEN);
    header(text, &mut tree);
    set(&mut tree, "RU", if text.contains(CHINESE) { "Chinese" } else { "Korean" });
    let root = tree.root();
    let mut line_builder = LineBuilder { tree: &mut tree, node: root, width: 19, height: 19 };
    let mut found = text.contains("\\GS");
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("INI") => {
                found = true;
                let handicap: usize = words.nth(2).and_then(|word| word.parse().ok()).unwrap_or(0);
                if let Ok(points) = handicap_points(BoardSize::NINETEEN, handicap) {
                    let values: Vec<_> = points.iter().map(|&point| move_value(point.into())).collect();
                    line_builder.tree.set_raw(root, "HA", [handicap.to_string()]);
                    line_builder.tree.set_raw(root, "AB", values);
                    line_builder.tree.set_raw(root, "PL", ["W"]);
                }
            }
            Some("STO") => {
                found = true;
                let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
                match numbers[..] {
                    [_, _, color @ (1 | 2), x, y, ..] if line_builder.holds(x, y) => {
                        line_builder.play(color == 1, Some((x, y)));
                    }
                    _ => diagnostics.push(line_builder.bad_point(number, line)),
                }
            }
            Some("SKI") => {
                // Of whoever did not move before; White begins where Black has a handicap.
                let is_whites =
                    ["B", "PL"].iter().any(|ident| line_builder.tree.property(line_builder.node, ident).is_some());
                line_builder.play(!is_whites, None);
            }
            _ => {}
        }
        if line_builder.is_full() || diagnostics.len() > 100 {
            break;
        }
    }
    found.then_some(tree)
}

fn header(text: &str, tree: &mut GameTree) {
    for line in text.lines().map(str::trim) {
        let Some(field) = line.strip_prefix("\\[").and_then(|rest| rest.strip_suffix("\\]")) else { continue };
        let Some((name, value)) = field.split_once('=') else { continue };
        match name {
            "GAMEBLACKNAME" => player(tree, value, "PB", "BR"),
            "GAMEWHITENAME" => player(tree, value, "PW", "WR"),
            "GAMENAME" => set(tree, "EV", value),
            "GAMEPLACE" => set(tree, "PC", value),
            "GAMEDATE" => {
                let date = GameDate::parse(value).map(|date| date.to_string());
                set(tree, "DT", date.as_deref().unwrap_or(value));
            }
            "GAMEINFOMAIN" => {
                if let Some(komi) = number(value, "GONGJE:") {
                    set(tree, "KM", &points_to_write(komi as f64 / 10.0));
                }
                if let Some(result) = number(value, "GRLT:") {
                    let margin = number(value, "ZIPSU:").unwrap_or(0);
                    set(tree, "RE", &result_text(result, margin));
                }
            }
            "GAMETAG" => {
                if tree.property(tree.root(), "KM").is_none()
                    && let Some(komi) = number(value, ",G")
                {
                    set(tree, "KM", &points_to_write(komi as f64 / 10.0));
                }
            }
            _ => {}
        }
    }
}

fn player(tree: &mut GameTree, value: &str, name_ident: &str, rank_ident: &str) {
    let (name, rank) = name_and_rank(value);
    set(tree, name_ident, &name);
    set(tree, rank_ident, &rank);
}

fn number(value: &str, label: &str) -> Option<i64> {
    let start = value.find(label)? + label.len();
    let digits: String = value[start..].chars().take_while(|c| c.is_ascii_digit() || *c == '-').take(9).collect();
    digits.parse().ok()
}

fn tenths(number: i64) -> String {
    format!("{}", number as f64 / 10.0)
}

fn result_text(code: i64, margin: i64) -> String {
    match code {
        0 | 1 if margin > 0 => format!("{}+{}", if code == 0 { "B" } else { "W" }, tenths(margin)),
        0 => "B+".into(),
        1 => "W+".into(),
        3 => "B+R".into(),
        4 => "W+R".into(),
        7 => "B+T".into(),
        8 => "W+T".into(),
        _ => String::new(),
    }
}

fn write(line: &Line, left_out: &mut Vec<LeftOut>) -> Result<String, WriteRecordError> {
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
    if line.rules_are(Preset::Chinese) {
        let _ = write!(text, "{CHINESE}\r\n");
    } else if line.names_rules() && !line.rules_are(Preset::Korean) {
        left_out.push(LeftOut::Rules);
    }
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
