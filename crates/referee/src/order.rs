//! Which moves are looked at first. It changes how long a proof takes, never what is proved.

use crate::position::{ATTACKER, Ground, Made, Position};
use honinbo_rules::{Board, Color, Point};

/// Somebody who knows which moves are likely: a network, for instance.
pub trait MoveOrder {
    /// Moves that are worth a look, from 0, never mind, to 1, this one. It is asked once for each question, about the
    /// position that is asked.
    fn likely(&self, board: &Board, to_play: Color) -> Vec<(Point, f32)>;
}

/// Liberties and eye space alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct ByShape;

impl MoveOrder for ByShape {
    fn likely(&self, _: &Board, _: Color) -> Vec<(Point, f32)> {
        Vec::new()
    }
}

/// The most that a move is put back.
const MAX_COST: u32 = 6;

/// How far points are put back, by their number in the region.
#[derive(Debug, Clone)]
pub(crate) struct Costs([u8; 128]);

impl Costs {
    pub(crate) fn of(ground: &Ground, likely: &[(Point, f32)]) -> Self {
        let mut costs = [if likely.is_empty() { 0 } else { 2 }; 128];
        for &(point, chance) in likely {
            if let Some(number) = ground.number(point) {
                costs[number] = if chance > 0.15 { 0 } else { 1 + u8::from(chance < 0.02) };
            }
        }
        Self(costs)
    }
}

/// How far a move is put back among the moves of its player.
pub(crate) fn move_cost(ground: &Ground, before: &Position, at: usize, made: &Made, costs: &Costs) -> u32 {
    let mover = before.mover();
    let point = 1 << at;
    let own = made.after.stones[mover];
    let other = before.stones[1 - mover];
    let mut cost = u32::from(costs.0[at]);
    if made.taken != 0 {
        return if made.taken & before.group != 0 { 0 } else { cost.min(1) };
    }
    let beside = ground.beside(point);
    let empty = made.after.empty(ground);
    let chain = ground.flood(point, own);
    let liberties = (ground.beside(chain) & empty).count_ones();
    let anchored = mover == ATTACKER && chain & ground.anchor != 0;
    if !anchored && liberties == 1 {
        // A stone that can be taken at once; one alone is a throw-in, many are a gift.
        cost += if chain.count_ones() <= 2 { 2 } else { 4 };
    }
    if beside & other == 0 && beside & before.stones[mover] == 0 {
        cost += if ground.beside(beside) & (other | before.stones[mover]) == 0 { 3 } else { 1 };
    }
    if beside & (empty | other) == 0 {
        // Its own eye, or a connection.
        cost += if mover == ATTACKER { 2 } else { 3 };
    }
    if before.group != 0 && ground.beside(ground.beside(before.group)) & point == 0 && beside & before.group == 0 {
        cost += 1;
    }
    cost.min(MAX_COST)
}
