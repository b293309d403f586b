//! Unconditional life within a region.

use crate::position::{Bits, DEFENDER, Ground, Position};

/// The defender's stones that live even if the defender always passes (D. B. Benson, "Life in the game of Go", 1976).
///
/// A part that touches what lies outside the region is no eye.
pub(crate) fn living(ground: &Ground, position: &Position) -> Bits {
    let own = position.stones[DEFENDER];
    let empty = position.empty(ground);
    let mut eyes: Vec<(Bits, Bits)> = Vec::new();
    for part in ground.parts(ground.mask & !own) {
        // An eye whose empty points do not all touch one chain is vital to none.
        if part & ground.border == 0 && (part & empty) & !ground.beside(own) == 0 {
            eyes.push((part, ground.beside(part) & own));
        }
    }
    if eyes.len() < 2 {
        return 0;
    }
    let mut chains: Vec<Bits> = ground.parts(own).collect();
    loop {
        let living = chains.iter().fold(0, |all, chain| all | chain);
        eyes.retain(|(_, around)| around & !living == 0);
        let before = chains.len();
        chains.retain(|&chain| {
            let beside = ground.beside(chain);
            let is_vital = |&&(part, _): &&(Bits, Bits)| part & empty & !beside == 0 && part & beside != 0;
            eyes.iter().filter(is_vital).nth(1).is_some()
        });
        if chains.len() == before {
            return chains.iter().fold(0, |all, chain| all | chain);
        }
    }
}
