//! Evaluations that analysis programs leave in the nodes of a record.
//!
//! | property | written by | what it holds |
//! | --- | --- | --- |
//! | `KT`, `KTV` at the root | KaTrain (`game_node.py`, `analysis_dumps`) | three values, each gzip in base64: ownership and policy as half floats, and JSON with `root` and `moves` by GTP vertex; from Black's side |
//! | `KA` | Kaya | JSON: `w`, `s`, `v` of the position, `m` its moves (`m`, `p`, `w`, `s`, `v`), `o` ownership with a sign a point; from Black's side |
//! | `LZ` | Lizzie and LizzieYzy (`SGFParser.java`, `formatNodeData`) | a line with name, win rate in percent of the player who has just moved, playouts, lead and spread; a line of `move … visits … winrate … pv …` in hundredths of a percent for the player to move, parted by `info` |
//! | `LZOP` at the root, `LZ2`, `LZOP2` | LizzieYzy | as `LZ`: for the root, and of its second engine; behind the moves `ownership` and a value a point for the player to move |
//! | `SBKV`, `SBKS` | Sabaki (`sabaki.js`) | Black's win rate in percent, Black's lead in points |
//! | `SBKV`, `OGSC` | Ogatak (`node.js`) | the same two |
//!
//! Whatever cannot be read is as good as absent; it stays in the record as it is.

mod katrain;
mod kaya;
mod lizzie;

use honinbo_rules::{BoardSize, Color, Move};

use crate::tree::{GameTree, NodeId, Property};

/// Candidates read or written of one node.
const MAX_CANDIDATES: usize = 64;
/// Moves read or written of a line.
const MAX_LINE: usize = 64;

/// The leads beside `SBKV`, Sabaki's own and Ogatak's.
const SABAKI_LEADS: [&str; 2] = ["SBKS", "OGSC"];

/// What is known of a position, from Black's side: found by a search, left in a record, or kept in a library.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PositionEvaluation {
    /// Visits of the search; 1 for a network alone, and where a record does not say.
    pub visits: u32,
    /// From 0 to 1.
    pub black_win_prob: f64,
    /// In points; `None` where nobody says, or points are not counted.
    pub black_lead: Option<f64>,
    /// Moves that were looked at, best first.
    pub candidates: Vec<CandidateEvaluation>,
    /// Row by row from the top left: 1 Black's, -1 White's. Empty where it was not asked for.
    pub black_ownership: Vec<f32>,
    /// Who evaluated, where it is said.
    pub engine: Option<String>,
}

/// A move of an evaluation, from Black's side.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateEvaluation {
    /// The move of the player to move.
    pub played: Move,
    /// Visits of it.
    pub visits: u32,
    /// After it, from 0 to 1.
    pub black_win_prob: f64,
    /// After it, in points; `None` where nobody says.
    pub black_lead: Option<f64>,
    /// The network's own choice, from 0 to 1.
    pub prior: f64,
    /// The expected line, this move first.
    pub line: Vec<Move>,
}

/// What a node says about its position with this player to move: of several programs' the one with most visits.
///
/// ```
/// use honinbo_record::{evaluation_at, read_sgf};
/// use honinbo_rules::{BoardSize, Color};
/// let tree = &read_sgf(b"(;SZ[9];B[ee]SBKV[61.5])").games[0].tree;
/// let node = tree.first_child(tree.root()).unwrap();
/// let found = evaluation_at(tree, node, BoardSize::NINE, Color::White).unwrap();
/// assert_eq!((found.visits, found.black_win_prob), (1, 0.615));
/// ```
#[must_use]
pub fn evaluation_at(tree: &GameTree, node: NodeId, size: BoardSize, to_play: Color) -> Option<PositionEvaluation> {
    let rank = |found: &PositionEvaluation| (found.visits, found.black_lead.is_some(), found.candidates.len());
    let all = tree.properties(node).filter_map(|one| {
        let found = read(&one, size, to_play)?;
        let lead_beside = || SABAKI_LEADS.into_iter().find_map(|ident| lead_at(tree, node, ident));
        let black_lead = if one.ident() == "SBKV" { lead_beside() } else { found.black_lead };
        Some(PositionEvaluation { black_lead, ..found })
    });
    let all: Vec<PositionEvaluation> = all.collect();
    // Of equal ones the first.
    let best = all.iter().rev().max_by_key(|found| rank(found))?;
    // Only one of the programs says who evaluated; what has as many visits is the same evaluation.
    let named = all.iter().filter(|found| found.visits == best.visits).find_map(|found| found.engine.clone());
    Some(PositionEvaluation { engine: named, ..best.clone() })
}

fn read(property: &Property<'_>, size: BoardSize, to_play: Color) -> Option<PositionEvaluation> {
    let mut texts = property.texts();
    match &*property.ident() {
        "KT" => katrain::read(&texts.collect::<Vec<_>>(), size),
        "KA" => kaya::read(&texts.next()?, size),
        "LZ" | "LZOP" | "LZ2" | "LZOP2" => lizzie::read(&texts.next()?, size, to_play),
        "SBKV" => Some(PositionEvaluation {
            visits: 1,
            black_win_prob: percent(&texts.next()?)?,
            ..PositionEvaluation::default()
        }),
        _ => None,
    }
}

/// Writes an evaluation into a node, in the properties of all the programs above, unless the node says as much already;
/// true if it was written. Properties of these names that cannot be read stay as they are.
pub fn set_evaluation(
    tree: &mut GameTree,
    node: NodeId,
    size: BoardSize,
    to_play: Color,
    evaluation: &PositionEvaluation,
) -> bool {
    let known = evaluation_at(tree, node, size, to_play);
    let fuller = |known: &PositionEvaluation| {
        (known.visits, known.candidates.len()) >= (evaluation.visits, evaluation.candidates.len())
    };
    if known.as_ref().is_some_and(fuller) {
        return false;
    }
    // What cannot be read was written by a program that is newer than this one, or for something else.
    let lizzie_ident = if node == tree.root() { "LZOP" } else { "LZ" };
    let free = ["KT", "KA", lizzie_ident, "SBKV"]
        .map(|ident| tree.property(node, ident).is_none_or(|property| read(&property, size, to_play).is_some()));
    let [katrain, kaya, lizzie, sabaki] = free;
    let root = tree.root();
    if katrain {
        if tree.property(root, "KTV").is_none() {
            tree.set_text(root, "KTV", katrain::VERSION);
        }
        tree.set_raw(node, "KT", katrain::write(evaluation, size));
    }
    if kaya {
        tree.set_text(node, "KA", &kaya::write(evaluation, size));
    }
    // LizzieYzy takes an LZ before the first move as a sign that all of them stand one node too early.
    let after_a_move =
        std::iter::successors(Some(node), |&at| tree.parent(at)).any(|at| tree.move_at(at, size).is_some());
    if !after_a_move && tree.property(node, "LZ").is_some_and(|property| read(&property, size, to_play).is_some()) {
        tree.remove_property(node, "LZ");
    }
    if lizzie && (after_a_move || node == root) {
        tree.set_text(node, lizzie_ident, &lizzie::write(evaluation, size, to_play));
    }
    if sabaki {
        tree.set_text(node, "SBKV", &format!("{:.2}", evaluation.black_win_prob * 100.0));
        for ident in SABAKI_LEADS {
            let is_there = tree.property(node, ident).is_some();
            if is_there && lead_at(tree, node, ident).is_none() {
                continue;
            }
            match evaluation.black_lead {
                // Ogatak's own is brought up to date, and not added for others.
                Some(points) if is_there || ident == "SBKS" => tree.set_text(node, ident, &format!("{points:.2}")),
                // That of another evaluation does not stay beside this win rate.
                _ => {
                    tree.remove_property(node, ident);
                }
            }
        }
    }
    true
}

fn lead_at(tree: &GameTree, node: NodeId, ident: &str) -> Option<f64> {
    lead(tree.text_value(node, ident)?.trim().parse().ok()?)
}

fn percent(text: &str) -> Option<f64> {
    chance(text.trim().parse::<f64>().ok()? / 100.0)
}

/// A probability; rounding may have taken it a little outside.
fn chance(value: f64) -> Option<f64> {
    (-0.001..=1.001).contains(&value).then(|| value.clamp(0.0, 1.0))
}

/// A lead in points that some board can have.
fn lead(value: f64) -> Option<f64> {
    (value.abs() <= 2000.0).then_some(value)
}

fn line_of<'a>(words: impl Iterator<Item = &'a str>, size: BoardSize) -> Vec<Move> {
    words.map_while(|word| Move::from_gtp(word, size)).take(MAX_LINE).collect()
}

/// Decimals enough for what they say.
fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    (value * scale).round() / scale
}
