//! The engine's best opinion of each node of each open game, and of the moves between them.

use crate::analysis::accuracy::{self, Made};
use crate::analysis::turning::turning_points;
use crate::analysis::views::graph_value;
use crate::games::session::{LastMove, LineMove, vertex};
use crate::{ChangeOfMind, Finite, GraphValue, JudgedMove, LineReview, Mistake, NodeId, OpenGameId, Side};
use honinbo_library::{ENOUGH_VISITS, MISTAKE_FROM, Searched, change_of_mind, points_lost};
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use parking_lot::Mutex;
use std::collections::HashMap;

/// What is known of one node.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) value: GraphValue,
    /// Moves that were looked at, best first; empty where points are not counted.
    pub(crate) candidates: Vec<CandidateEvaluation>,
    /// The move that led here.
    pub(crate) last_move: Option<LastMove>,
}

impl Found {
    pub(crate) fn of(node: NodeId, last_move: Option<LastMove>, found: PositionEvaluation) -> Self {
        Self { value: graph_value(node, &found), candidates: found.candidates, last_move }
    }

    fn searched(&self) -> Searched<'_> {
        let GraphValue { visits, black_score_lead, .. } = &self.value;
        Searched { visits: *visits, black_lead: black_score_lead.map(Finite::get), candidates: &self.candidates }
    }
}

/// When something was begun, counted in what had been forgotten by then: what it finds is of use as long as that was not
/// forgotten since.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Era(u64);

/// The engine's best opinion of each node of each open game.
#[derive(Debug, Default)]
pub(crate) struct GraphStore {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    now: Era,
    /// When all was forgotten last.
    cleared: Era,
    /// When a node was forgotten last.
    forgotten: HashMap<OpenGameId, HashMap<NodeId, Era>>,
    /// The games of which something was begun since all was forgotten, until they are closed: what is still found of
    /// others is not wanted.
    games: HashMap<OpenGameId, HashMap<NodeId, Found>>,
}

impl GraphStore {
    /// Whoever begins something of a game now finds what is of use until that is forgotten. The game must be open, and may
    /// not be closed before this returns: it would be known for good.
    pub(crate) fn era_of(&self, game: &str) -> Era {
        let mut kept = self.kept.lock();
        kept.games.entry(game.to_owned()).or_default();
        kept.now
    }

    /// Whether what was begun then still holds for a node.
    pub(crate) fn holds(&self, game: &str, node: NodeId, begun: Era) -> bool {
        self.kept.lock().holds(game, node, begun)
    }

    /// Whether what was begun then is still of use for a node: it holds, and the game is open.
    pub(crate) fn wants(&self, game: &str, node: NodeId, begun: Era) -> bool {
        self.kept.lock().wants(game, node, begun)
    }

    /// Keeps a value unless a better one, with more visits, is there, or it was forgotten or its game closed since its
    /// search was `begun`. Returns what has to be emitted: the value, and those of other nodes whose move is judged
    /// otherwise now.
    pub(crate) fn keep(&self, game: &str, begun: Era, found: Found) -> Vec<GraphValue> {
        let mut kept = self.kept.lock();
        let node = found.value.node_id;
        if !kept.wants(game, node, begun) {
            return Vec::new();
        }
        let nodes = kept.games.entry(game.to_owned()).or_default();
        if nodes.get(&node).is_some_and(|known| known.value.visits >= found.value.visits) {
            return Vec::new();
        }
        nodes.insert(node, found);
        let after = nodes.iter().filter(|(_, known)| known.last_move.is_some_and(|last| last.parent == node));
        let mut touched: Vec<NodeId> = after.map(|(&child, _)| child).collect();
        touched.sort_unstable();
        let mut reported = Vec::new();
        for id in std::iter::once(node).chain(touched) {
            let Some(known) = nodes.get(&id) else { continue };
            let judged = judge(nodes, known);
            let changed = judged != known.value.judged;
            if let Some(known) = nodes.get_mut(&id)
                && (changed || id == node)
            {
                known.value.judged = judged;
                reported.push(known.value.clone());
            }
        }
        reported
    }

    /// What is known of a node.
    pub(crate) fn get(&self, game: &str, node: NodeId) -> Option<GraphValue> {
        Some(self.kept.lock().games.get(game)?.get(&node)?.value.clone())
    }

    /// All that is known of a node.
    pub(crate) fn evaluation(&self, game: &str, node: NodeId) -> Option<PositionEvaluation> {
        let kept = self.kept.lock();
        let Found { value, candidates, .. } = kept.games.get(game)?.get(&node)?;
        Some(PositionEvaluation {
            visits: value.visits,
            black_win_prob: value.black_win_prob.get(),
            black_lead: Some(value.black_score_lead?.get()),
            candidates: candidates.clone(),
            ..PositionEvaluation::default()
        })
    }

    /// How the players of a line of moves did, on a board of so many points.
    pub(crate) fn review(&self, game: &str, line: &[LineMove], area: usize) -> LineReview {
        let kept = self.kept.lock();
        let games = &kept.games;
        let judged = |node| games.get(game)?.get(node)?.value.judged.clone();
        let black_chance = |node| Some(games.get(game)?.get(&node)?.value.black_win_prob.get());
        let chance_lost = |made: &LineMove| {
            let lost = black_chance(made.before)? - black_chance(made.node)?;
            Some(if made.side == Side::Black { lost } else { -lost })
        };
        let costs: HashMap<NodeId, f64> =
            line.iter().filter_map(|made| Some((made.node, chance_lost(made)?))).collect();
        let changes = line.iter().filter_map(|made| {
            let points = changed(games.get(game)?, games.get(game)?.get(&made.node)?)?;
            Some(ChangeOfMind { node_id: made.node, number: made.number, side: made.side, points: points.into() })
        });
        let changes: Vec<ChangeOfMind> = changes.collect();
        let choice = |made: &LineMove| {
            let nodes = games.get(game)?;
            let played = nodes.get(&made.node)?.last_move?.played;
            nodes.get(&made.before)?.candidates.iter().position(|candidate| candidate.played == played)
        };
        let judged: Vec<_> = line.iter().filter_map(|made| Some((made, judged(&made.node)?, choice(made)))).collect();
        drop(kept);
        let player = |side| {
            let own = judged.iter().filter(|(made, ..)| made.side == side);
            let made = own.map(|(made, judged, choice)| Made {
                number: made.number,
                lost: judged.points_lost.get(),
                choice: *choice,
            });
            accuracy::of_player(made, area)
        };
        let mistakes = judged.iter().filter(|(_, judged, _)| judged.mistake);
        let mut mistakes: Vec<Mistake> = mistakes
            .map(|&(&LineMove { node, before, number, side }, ref judged, _)| Mistake {
                node_id: node,
                before,
                number,
                side,
                points_lost: judged.points_lost,
                chance_lost: costs.get(&node).copied().unwrap_or_default().into(),
                best: judged.best,
            })
            .collect();
        mistakes.sort_by(|a, b| b.points_lost.get().total_cmp(&a.points_lost.get()));
        LineReview {
            moves: u32::try_from(line.len()).unwrap_or(u32::MAX),
            black: player(Side::Black),
            white: player(Side::White),
            turning_points: turning_points(&mistakes, |_| 1.0).map(|mistake| mistake.node_id).collect(),
            mistakes,
            changes,
        }
    }

    /// Forgets a game that was closed, and what is still being looked for there.
    pub(crate) fn forget(&self, game: &str) {
        let mut kept = self.kept.lock();
        kept.games.remove(game);
        kept.forgotten.remove(game);
    }

    /// Forgets nodes of a game, and what is still being looked for there: their positions are others now.
    pub(crate) fn forget_nodes(&self, game: &str, nodes: &[NodeId]) {
        let mut kept = self.kept.lock();
        kept.now.0 += 1;
        let now = kept.now;
        // Otherwise nobody looks for anything there.
        let Some(known) = kept.games.get_mut(game) else { return };
        nodes.iter().for_each(|node| drop(known.remove(node)));
        kept.forgotten.entry(game.to_owned()).or_default().extend(nodes.iter().map(|&node| (node, now)));
    }

    /// Forgets all, and what is still being looked for: another network thinks otherwise.
    pub(crate) fn clear(&self) {
        let mut kept = self.kept.lock();
        kept.now.0 += 1;
        kept.cleared = kept.now;
        kept.forgotten.clear();
        kept.games.clear();
    }
}

impl Kept {
    fn holds(&self, game: &str, node: NodeId, begun: Era) -> bool {
        let forgotten = self.forgotten.get(game).and_then(|nodes| nodes.get(&node));
        begun >= self.cleared && forgotten.is_none_or(|&forgotten| begun >= forgotten)
    }

    fn wants(&self, game: &str, node: NodeId, begun: Era) -> bool {
        self.games.contains_key(game) && self.holds(game, node, begun)
    }
}

/// Points by which the move to a node turned out otherwise than was thought before it.
fn changed(nodes: &HashMap<NodeId, Found>, now: &Found) -> Option<f64> {
    let LastMove { parent, mover, played, .. } = now.last_move?;
    change_of_mind(mover, played, nodes.get(&parent)?.searched(), now.searched(), ENOUGH_VISITS)
}

/// What the move to a node lost, and what the engine would have played.
fn judge(nodes: &HashMap<NodeId, Found>, now: &Found) -> Option<JudgedMove> {
    let LastMove { parent, mover, played, size } = now.last_move?;
    let before = nodes.get(&parent)?;
    let lost = points_lost(mover, played, before.searched(), now.searched(), ENOUGH_VISITS)?;
    let best = before.candidates.first().map_or(played, |best| best.played);
    let best = best.point().map(|point| vertex(point, size));
    Some(JudgedMove { points_lost: lost.into(), best, mistake: lost >= MISTAKE_FROM })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(visits: u32) -> Found {
        Found::of(7, None, PositionEvaluation { visits, ..PositionEvaluation::default() })
    }

    #[test]
    fn what_is_found_of_a_game_after_it_was_closed_is_not_kept() {
        let graph = GraphStore::default();
        let begun = graph.era_of("g1");
        assert_eq!(graph.keep("g1", begun, found(10)).len(), 1);
        // Marks of its own do not survive it either.
        graph.forget_nodes("g1", &[7]);
        let again = graph.era_of("g1");
        graph.forget("g1");
        for begun in [begun, again] {
            assert!(graph.keep("g1", begun, found(20)).is_empty());
            assert!(!graph.wants("g1", 7, begun));
        }
        graph.forget_nodes("g1", &[7]);
        let kept = graph.kept.lock();
        assert!(kept.games.is_empty() && kept.forgotten.is_empty(), "nothing is noted of a closed game");
    }

    #[test]
    fn what_begins_after_all_was_forgotten_is_kept() {
        let graph = GraphStore::default();
        let before = graph.era_of("g1");
        graph.clear();
        assert!(graph.keep("g1", before, found(10)).is_empty());
        let after = graph.era_of("g1");
        assert!(graph.keep("g1", before, found(10)).is_empty());
        assert_eq!(graph.keep("g1", after, found(10)).len(), 1);
    }
}
