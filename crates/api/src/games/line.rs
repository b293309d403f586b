//! The positions of a variation, without the history of each.

use honinbo_record::{GameTree, NodeId, Replay, ReplayOptions, replay_each};
use honinbo_rules::{Color, Game, Move};

/// The positions of a variation. A game has all its turns with it, so that a game for each position takes memory by the
/// square of the line's length; what leads from one to the next takes as much as the line.
#[derive(Debug, Clone)]
pub(crate) struct LinePositions {
    start: Game,
    /// What leads to each position but the first.
    steps: Vec<Step>,
}

/// What leads from a position to the next.
#[derive(Debug, Clone)]
enum Step {
    Turn(Color, Move),
    /// Stones are set up: the game begins anew.
    Begins(Box<Game>),
    /// A node that says something only, or a move that cannot be played.
    Stays,
}

impl LinePositions {
    /// The positions from the root to a node, one for each node; every one is shown on the way.
    pub(crate) fn to(
        tree: &GameTree,
        node: NodeId,
        options: ReplayOptions,
        visit: &mut dyn FnMut(NodeId, &Game),
    ) -> (Self, Replay) {
        let (mut start, mut steps, mut turns) = (None, Vec::new(), 0);
        let replay = replay_each(tree, node, options, &mut |node, game| {
            let before = std::mem::replace(&mut turns, game.turns().len());
            if start.is_none() {
                start = Some(game.clone());
            } else if !tree.setup_at(node, game.board().size()).is_empty() {
                steps.push(Step::Begins(Box::new(game.clone())));
            } else {
                let turn = game.turns().last().filter(|_| turns > before);
                steps.push(turn.map_or(Step::Stays, |turn| Step::Turn(turn.color, turn.played)));
            }
            visit(node, game);
        });
        (Self { start: start.unwrap_or_else(|| replay.game.clone()), steps }, replay)
    }

    /// The first position.
    pub(crate) fn start(&self) -> &Game {
        &self.start
    }

    /// Goes from position to position, beginning at the first.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { line: self, number: 0, game: self.start.clone() }
    }
}

/// A place on a line. Going ahead costs the turns on the way; going back, all turns from the start.
pub(crate) struct Walk<'a> {
    line: &'a LinePositions,
    number: usize,
    game: Game,
}

impl Walk<'_> {
    /// The first position.
    pub(crate) fn start(&self) -> &Game {
        &self.line.start
    }

    /// The position of this number, the first being 0; the last where there are not so many.
    pub(crate) fn to(&mut self, number: usize) -> &Game {
        if number < self.number {
            (self.number, self.game) = (0, self.line.start.clone());
        }
        for step in self.line.steps.iter().take(number).skip(self.number) {
            match step {
                // It was played here before.
                Step::Turn(color, played) => {
                    let _ = self.game.play_tolerant(*color, *played);
                }
                Step::Begins(game) => self.game.clone_from(game),
                Step::Stays => {}
            }
        }
        self.number = number;
        &self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf;

    fn line(sgf: &str) -> (LinePositions, Vec<Game>) {
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let end = tree.line_from(tree.root()).last().unwrap();
        let mut games = Vec::new();
        let keep = &mut |_: NodeId, game: &Game| games.push(game.clone());
        let (line, _) = LinePositions::to(&tree, end, ReplayOptions::default(), keep);
        (line, games)
    }

    #[test]
    fn a_walk_comes_to_the_positions_of_the_record_in_any_order() {
        let sgf = "(;SZ[9]RU[Chinese]AB[gg];B[aa]C[so far];W[ba];C[said];W[ba];B[ee];W[ab];AE[ee]AB[cc]PL[W];W[hh];\
                   B[];W[])";
        let (line, games) = line(sgf);
        assert_eq!((line.steps.len() + 1, games.len()), (11, 11));
        let mut walk = line.walk();
        for number in (0..11).chain((0..11).rev()).chain([3, 10, 0, 7, 8, 2]) {
            assert_eq!(walk.to(number), &games[number], "position {number}");
        }
        assert_eq!(walk.to(100), &games[10]);
        assert_eq!(walk.to(4), &games[4], "back from behind the end");
        assert_eq!(walk.start(), &games[0]);
    }

    #[test]
    fn the_longest_line_keeps_what_was_played_and_no_game_beside_its_first() {
        // A ko that is retaken without end.
        let sgf = format!("(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb]{})", ";B[cb];W[bb]".repeat(10_000));
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let end = tree.line_from(tree.root()).last().unwrap();
        let (line, replay) = LinePositions::to(&tree, end, ReplayOptions::default(), &mut |_, _| {});
        assert_eq!(line.steps.len(), 20_000);
        assert!(line.steps.iter().all(|step| matches!(step, Step::Turn(..))));
        assert!(size_of::<Step>() <= 16);
        assert_eq!(line.walk().to(20_000), &replay.game);
    }
}
