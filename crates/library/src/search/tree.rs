//! The tree of how games went on from a pattern: joseki from a corner, fuseki from the whole board.

use std::collections::HashMap;

use honinbo_rules::Symmetry;

use super::pattern::{NextPoint, Step};
use super::tally::{Continuation, Line, Tally};
use super::variant::turn;
use crate::pattern_query::PatternQuery;

/// Moves that a tree has at most; the rarest are left out.
const MAX_MOVES: usize = 5_000;

/// A move of the tree of continuations.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeMove {
    /// Place in the list of the move that it follows; `None`: it follows the pattern itself.
    pub parent: Option<u32>,
    /// The move, and what became of the games.
    #[serde(flatten)]
    pub continuation: Continuation,
}

/// A move while the tree is made.
struct Growing {
    parent: Option<usize>,
    step: Step,
    tally: Tally,
}

pub(super) fn tree(query: &PatternQuery, own_symmetries: &[Symmetry], lines: &[Line]) -> Vec<TreeMove> {
    let mut nodes: Vec<Growing> = Vec::new();
    let mut known: HashMap<(Option<usize>, Step), usize> = HashMap::new();
    for line in lines {
        let mut at = None;
        for step in first_image(&line.steps, own_symmetries, query.width, query.height) {
            let next = *known.entry((at, step)).or_insert_with(|| {
                nodes.push(Growing { parent: at, step, tally: Tally::default() });
                nodes.len() - 1
            });
            nodes[next].tally.add(&line.tally);
            at = Some(next);
        }
    }
    // A move is never more frequent than the one it follows, so the most frequent ones are a tree by themselves.
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&number| (std::cmp::Reverse(nodes[number].tally.games), number));
    order.truncate(MAX_MOVES);
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for number in order {
        children.entry(nodes[number].parent).or_default().push(number);
    }
    let mut tree = Vec::new();
    let mut open: Vec<(usize, Option<u32>)> = Vec::new();
    let push = |open: &mut Vec<(usize, Option<u32>)>, of: Option<usize>, parent: Option<u32>| {
        open.extend(children.get(&of).into_iter().flatten().rev().map(|&child| (child, parent)));
    };
    push(&mut open, None, None);
    while let Some((number, parent)) = open.pop() {
        let place = u32::try_from(tree.len()).unwrap_or(u32::MAX);
        let (color, point) = nodes[number].step;
        tree.push(TreeMove { parent, continuation: nodes[number].tally.of(color, point) });
        push(&mut open, Some(number), Some(place));
    }
    tree
}

/// Of the lines that the pattern's own symmetries make equal, the first one; its beginning is the first one of theirs.
fn first_image(line: &[Step], symmetries: &[Symmetry], width: usize, height: usize) -> Vec<Step> {
    let image = |symmetry: Symmetry| -> Vec<Step> {
        line.iter()
            .map(|&(color, point)| match point {
                NextPoint::At(x, y) => {
                    let (x, y) = turn(symmetry, x.into(), y.into(), width, height);
                    (color, NextPoint::At(x as u16, y as u16))
                }
                NextPoint::Pass => (color, NextPoint::Pass),
            })
            .collect()
    };
    let by_rows = |line: &Vec<Step>| -> Vec<Option<(u16, u16)>> {
        let place = |(_, point): &Step| match point {
            NextPoint::At(x, y) => Some((*y, *x)),
            NextPoint::Pass => None,
        };
        line.iter().map(place).collect()
    };
    symmetries.iter().map(|&symmetry| image(symmetry)).min_by_key(by_rows).unwrap_or_else(|| line.to_vec())
}
