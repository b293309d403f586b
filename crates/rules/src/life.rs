//! Independent life: areas that are no seki, for taxes and territory.

use crate::Color;
use crate::area::{AreaMap, area_map};
use crate::board::{Board, EMPTY};
use crate::geometry::Index;

/// What of a seki is counted all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keep {
    /// Points that differ from the stone on them: eyes and dead stones.
    pub territory: bool,
    /// Stones.
    pub stones: bool,
    /// Of that territory, also the points beside a chain of its owner in atari: where it is connected in the end, the
    /// point is filled. Networks with the header flag "exclude territory adjacent to atari" were trained without them.
    pub beside_atari: bool,
}

/// Areas that live on their own, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndependentLife {
    /// Whose point each is.
    pub map: AreaMap,
    /// White's living groups minus Black's; each is a connected part of the area map.
    pub white_minus_black_groups: i32,
    /// Living groups of Black and of White.
    pub groups: [u32; 2],
}

/// Removes from the area map every connected part that touches a neutral point or holds a chain of its owner in
/// atari, as such groups live in seki.
///
/// Source: KataGo `cpp/game/board.cpp`, `calculateIndependentLifeArea`, v1.17.2; [`Keep::beside_atari`] as v1.18.1
/// answers.
#[must_use]
pub fn independent_life(board: &Board, keep: Keep, suicide: bool) -> IndependentLife {
    independent_life_with(board, keep, suicide, true)
}

/// `atari_is_seki`: false where the players have said which stones live, so that a stone in atari, at the last ko for
/// instance, is one that its owner connects in time.
pub(crate) fn independent_life_with(board: &Board, keep: Keep, suicide: bool, atari_is_seki: bool) -> IndependentLife {
    let basic = area_map(board, suicide);
    let geometry = board.geometry;
    let mut in_seki = vec![false; basic.len()];
    let mut stack: Vec<Index> = Vec::new();
    for start in 0..geometry.area {
        let Some(owner) = basic[start as usize] else { continue };
        if in_seki[start as usize] {
            continue;
        }
        let cell = board.cells[start as usize];
        let own_atari =
            atari_is_seki && board.stone(start) == Some(owner) && board.atari_liberty(cell.head()).is_some();
        let touches_dame =
            || geometry.around(start).any(|q| board.cells[q as usize].stone() == EMPTY && basic[q as usize].is_none());
        if own_atari || touches_dame() {
            in_seki[start as usize] = true;
            stack.push(start);
            while let Some(at) = stack.pop() {
                for q in geometry.around(at) {
                    if basic[q as usize] == Some(owner) && !in_seki[q as usize] {
                        in_seki[q as usize] = true;
                        stack.push(q);
                    }
                }
            }
        }
    }

    let mut map: AreaMap = vec![None; basic.len()];
    let mut groups = [0u32; 2];
    for start in 0..geometry.area {
        let Some(owner) = basic[start as usize] else { continue };
        if in_seki[start as usize] || map[start as usize].is_some() {
            continue;
        }
        groups[owner.index()] += 1;
        map[start as usize] = Some(owner);
        stack.push(start);
        while let Some(at) = stack.pop() {
            for q in geometry.around(at) {
                if basic[q as usize] == Some(owner) && map[q as usize].is_none() {
                    map[q as usize] = Some(owner);
                    stack.push(q);
                }
            }
        }
    }

    for (index, stone) in board.points().enumerate() {
        let Some(owner) = basic[index] else { continue };
        let is_kept = if stone == Some(owner) {
            keep.stones
        } else {
            keep.territory && (keep.beside_atari || !touches_atari(board, index as Index, owner))
        };
        if is_kept {
            map[index] = Some(owner);
        }
    }
    IndependentLife { map, white_minus_black_groups: groups[1] as i32 - groups[0] as i32, groups }
}

/// Whether the point touches a chain of this colour that has one liberty left.
fn touches_atari(board: &Board, at: Index, color: Color) -> bool {
    board.geometry.around(at).any(|q| board.stone(q) == Some(color) && board.atari_liberty(board.head(q)).is_some())
}
