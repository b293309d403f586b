//! Moves that a search must not try, until some depth: regions, allowed and avoided moves.

use honinbo_rules::{BoardSize, Color, Move};

/// Which moves are not opened, by colour and by depth below the root.
///
/// "Until depth 1" concerns the move at the root alone, "until depth 3" the first three plies. Moves that are already
/// in the tree are not affected, which is why a change of the lists drops the tree, and a move of the root does, too,
/// while there are lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveLists {
    size: BoardSize,
    until: [Vec<u32>; 2],
}

impl MoveLists {
    /// Lists that forbid nothing.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        let zeros = vec![0; size.area() + 1];
        Self { size, until: [zeros.clone(), zeros] }
    }

    /// Forbids these moves to `color` until `depth`.
    pub fn avoid(&mut self, color: Color, moves: &[Move], depth: u32) {
        for index in moves.iter().filter_map(|mv| self.index(*mv)).collect::<Vec<_>>() {
            let until = &mut self.until[color.index()][index];
            *until = (*until).max(depth);
        }
    }

    /// Forbids everything but these moves to `color` until `depth`. A region is such a list of points.
    pub fn allow_only(&mut self, color: Color, moves: &[Move], depth: u32) {
        let allowed: Vec<usize> = moves.iter().filter_map(|mv| self.index(*mv)).collect();
        for (index, until) in self.until[color.index()].iter_mut().enumerate() {
            if !allowed.contains(&index) {
                *until = (*until).max(depth);
            }
        }
    }

    /// Whether nothing is forbidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.until.iter().flatten().all(|depth| *depth == 0)
    }

    /// The board that the lists are for.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    pub(crate) fn avoids(&self, mover: Color, depth: usize, mv: u16) -> bool {
        self.until[mover.index()].get(usize::from(mv)).is_some_and(|until| depth < *until as usize)
    }

    fn index(&self, mv: Move) -> Option<usize> {
        match mv {
            Move::Place(point) if point.is_on(self.size) => Some(point.index(self.size)),
            Move::Pass => Some(self.size.area()),
            Move::Place(_) | Move::Resign => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use honinbo_rules::Point;

    use super::*;

    #[test]
    fn a_region_forbids_the_rest_until_its_depth() {
        let mut lists = MoveLists::new(BoardSize::NINE);
        assert!(lists.is_empty());
        lists.allow_only(Color::Black, &[Move::Place(Point::new(2, 0)), Move::Pass], 2);
        assert!(lists.avoids(Color::Black, 0, 0) && lists.avoids(Color::Black, 1, 80));
        assert!(!lists.avoids(Color::Black, 2, 0) && !lists.avoids(Color::White, 0, 0));
        assert!(!lists.avoids(Color::Black, 0, 2) && !lists.avoids(Color::Black, 0, 81));
        lists.avoid(Color::White, &[Move::Pass, Move::Place(Point::new(40, 40)), Move::Resign], 1);
        assert!(lists.avoids(Color::White, 0, 81) && !lists.avoids(Color::White, 1, 81));
    }
}
