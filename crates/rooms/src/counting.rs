//! After two passes: which stones are dead.

use honinbo_rules::{Board, Color, DeadStones, Point};

/// Marks and who agrees to them.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    dead: DeadStones,
    pub(crate) revision: u32,
    pub(crate) agreed: [bool; 2],
    /// What the engine takes to be dead, once it has said so.
    proposal: Option<Vec<Point>>,
}

impl Marks {
    pub(crate) fn none() -> Self {
        Self { dead: DeadStones::new(), revision: 0, agreed: [false; 2], proposal: None }
    }

    pub(crate) fn dead(&self) -> Vec<Point> {
        self.dead.to_vec()
    }

    pub(crate) fn is_proposed(&self) -> bool {
        self.proposal.is_some()
    }

    /// Marks a chain, or takes its mark away: nobody has agreed to that yet.
    pub(crate) fn toggle(&mut self, board: &Board, point: Point) {
        self.dead.toggle(board, point);
        self.revision += 1;
        self.agreed = [false; 2];
    }

    /// The engine's opinion. It becomes the marks where nobody has marked anything yet; true then.
    pub(crate) fn propose(&mut self, board: &Board, dead: &[Point]) -> bool {
        let mut proposed = DeadStones::new();
        for &point in dead {
            if board.get(point).is_some() && !proposed.contains(point) {
                proposed.toggle(board, point);
            }
        }
        let taken = self.revision == 0 && proposed.to_vec() != self.dead.to_vec();
        self.proposal = Some(proposed.to_vec());
        if taken {
            self.dead = proposed;
            self.revision += 1;
            self.agreed = [false; 2];
        }
        taken
    }

    /// Whether the marks are as the engine proposes them.
    pub(crate) fn are_as_proposed(&self) -> bool {
        self.proposal.as_ref().is_some_and(|proposal| *proposal == self.dead.to_vec())
    }

    /// An engine at the board agrees to what it proposed itself, and to nothing else.
    pub(crate) fn agree_as_engine(&mut self, color: Color) {
        self.agreed[color.index()] = self.are_as_proposed();
    }
}
