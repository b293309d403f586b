//! Positions of booklets, from what problems and cards say.

use crate::lessons::booklet::{of_position, players};
use crate::lessons::deck::RECORDED;
use honinbo_booklet::{Exercise, Try};
use honinbo_record::{GameInfo, GameTree, NodeId, Tsumego, replay};
use honinbo_rules::Move;

/// Moves behind each other that are taken from a file.
const MAX_DEPTH: usize = 100;

/// A problem with all that its file knows.
pub(super) fn of_problem(problem: &Tsumego) -> Exercise {
    Exercise {
        heading: problem.name(),
        text: problem.text(),
        board: problem.game().board().clone(),
        to_play: problem.solver(),
        tries: tries(problem, problem.start(), true, MAX_DEPTH),
        played: None,
    }
}

fn tries(problem: &Tsumego, at: NodeId, by_solver: bool, depth: usize) -> Vec<Try> {
    if depth == 0 || problem.is_end(at) {
        return Vec::new();
    }
    let color = if by_solver { problem.solver() } else { problem.solver().opponent() };
    let mut found: Vec<Try> = problem
        .moves(at, color)
        .map(|(node, played)| Try {
            played,
            right: problem.is_right(node),
            text: problem.comment(node),
            next: tries(problem, node, !by_solver, depth - 1),
        })
        .collect();
    if by_solver {
        return found;
    }
    match problem.reply(at, 0) {
        // The answer of the file comes first.
        Some((_, reply)) => found.sort_by_key(|tried| tried.played != reply),
        // A file that goes on with the solver's move has the opponent pass.
        None if problem.is_right(at) => {
            let next = tries(problem, at, true, depth - 1);
            found.insert(0, Try { next, ..Try::new(Move::Pass, true) });
        }
        None => {}
    }
    found
}

/// A record of a file: a problem, or a position whose next moves are marked as right and wrong.
pub(super) fn of_record(tree: GameTree) -> Option<Exercise> {
    let tree = tree.in_utf8();
    let info = GameInfo::of(&tree);
    let marked = marked_moves(&tree);
    if let Some((at, good, bad)) = marked {
        let game = replay(&tree, at).game;
        return Some(of_position(&game, players(&info), good, bad));
    }
    Tsumego::read(tree).map(|problem| of_problem(&problem))
}

/// Where a record's moves are marked as a deck marks them: the node before them, lines of good ones, the bad one.
fn marked_moves(tree: &GameTree) -> Option<(NodeId, Vec<Vec<Move>>, Option<Move>)> {
    let size = GameInfo::of(tree).size;
    let played = |node| tree.move_at(node, size).and_then(|made| made.played.ok());
    let has = |node, mark| tree.property(node, mark).is_some();
    let is_bad = |node: &NodeId| has(*node, "BM") && has(*node, "HBL");
    let is_asked = |&node: &NodeId| has(node, RECORDED) || tree.children(node).any(|child| is_bad(&child));
    let at = tree.line_from(tree.root()).find(is_asked)?;
    let good = tree.children(at).filter(|&child| has(child, "TE"));
    let good = good.filter_map(|child| Some(vec![played(child)?])).collect();
    Some((at, good, tree.children(at).find(is_bad).and_then(played)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf;
    use honinbo_rules::Point;

    /// The position of a booklet that a problem with these answers becomes.
    fn exercise(answers: &str) -> Exercise {
        let file = format!("(;SZ[9]AB[ee][ef]AW[fe][ff]{answers})");
        of_record(read_sgf(file.as_bytes()).games.remove(0).tree).unwrap()
    }

    #[test]
    fn a_solution_goes_on_behind_nodes_without_a_move_and_where_nobody_replies() {
        let [first, reply, last] = [(0, 0), (1, 1), (2, 2)].map(|(x, y)| Move::Place(Point::new(x, y)));
        let interrupted = exercise(";B[aa];C[Good];W[bb];B[cc]C[RIGHT Done.]");
        assert_eq!(interrupted.solution(), [first, reply, last]);
        assert_eq!(interrupted.tries[0].text, "Good");
        assert_eq!(interrupted.tries[0].next[0].next[0].text, "Done.");
        let alone = exercise(";B[aa];C[Once more];B[cc]C[RIGHT]");
        assert_eq!(alone.solution(), [first, Move::Pass, last]);
        // Only what is right goes on without a reply.
        let wrong = exercise("(;B[aa];W[bb];B[cc]C[RIGHT])(;B[ii]C[WRONG];B[hh])");
        assert_eq!(wrong.solution(), [first, reply, last]);
        assert!(wrong.tries[1].next.is_empty());
    }
}
