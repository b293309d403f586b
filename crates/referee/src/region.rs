//! How far a fight reaches: regions around a group, from the narrowest to the widest, each seen twice.
//!
//! In the attacker's view all that lies outside of a region is the attacker's and cannot be taken: what lives there lives
//! anywhere. In the defender's view whoever of the defender's gets out has escaped, and a chain of the attacker stands only
//! where it lives by itself or has two liberties where nothing else of the defender's is near; one that does not brings
//! all its liberties into the region. What dies there dies anywhere. So a proof in either view holds on the whole board,
//! and where a region is too narrow to see what decides, nothing is proved in it.

use crate::position::{Bits, Ground};
use honinbo_rules::{Board, Color, Point, pass_alive};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Liberties outside with which a surrounding chain is taken to stand.
const SAFE_LIBERTIES: usize = 2;
/// Regions that are tried.
const MAX_LEVELS: usize = 6;
/// What it costs to go through a stone of the attacker: in a chain with one liberty, with two, with more.
const THROUGH: [u32; 3] = [1, 3, 8];
/// What it costs to go on behind the attacker's stones.
const BEYOND: u32 = 2;
const FAR: u32 = u32::MAX / 4;

/// A region in both views.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    /// The attacker's view: for proofs that the group lives; `None` where something of the defender's has no liberty then.
    pub(crate) closed: Option<Ground>,
    /// The defender's view: for proofs that it dies; `None` where the defender has reached the outside already.
    pub(crate) open: Option<Ground>,
    /// Empty points.
    pub(crate) empty: usize,
    /// The points that it was made of, by their index: none of the attacker's stones.
    inside: Vec<bool>,
}

/// Why there is no region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRegion {
    /// The narrowest one has too many points.
    TooLarge,
}

/// The regions around a group of one player, the narrowest first, with at most so many empty points.
pub(crate) fn levels(board: &Board, group: &[Point], most_empty: usize) -> Result<Vec<Level>, NoRegion> {
    let Some(defender) = group.first().and_then(|&point| board.get(point)) else { return Ok(Vec::new()) };
    let reach = reach(board, group, defender);
    let alive = pass_alive(board, false);
    let size = board.size();
    let mut values: Vec<u32> = reach.iter().copied().filter(|&cost| cost < FAR).collect();
    values.sort_unstable();
    values.dedup();
    // Thresholds with one more empty point each, at most so many of them.
    let count = |value: u32| board.empty_points().filter(|point| reach[point.index(size)] <= value).count();
    let mut steps: Vec<(usize, u32)> = values.into_iter().map(|value| (count(value), value)).collect();
    steps.retain(|&(empty, _)| (1..=most_empty).contains(&empty));
    steps.dedup_by_key(|(empty, _)| *empty);
    let many = steps.len().saturating_sub(1).max(1);
    let chosen = (0..steps.len()).filter(|number| {
        let place = |number: usize| number * (MAX_LEVELS - 1) / many;
        *number == 0 || steps.len() <= MAX_LEVELS || place(*number) > place(number - 1)
    });
    let mut found: Vec<Level> = Vec::new();
    for (empty, value) in chosen.map(|number| steps[number]) {
        let is_in = |point: Point| reach[point.index(size)] <= value && board.get(point) != Some(defender.opponent());
        let inside: Vec<bool> = Point::all(size).map(is_in).collect();
        let Some(closed) = ground(board, defender, &inside, &alive, true) else { break };
        let number = |point: Point| closed.number(point).filter(|&number| closed.mask >> number & 1 == 1);
        let breathes = board
            .chains()
            .filter(|chain| chain.color() == defender && number(chain.head_point()).is_some())
            .all(|chain| chain.liberties().any(|point| number(point).is_some()));
        let closed = Some(closed).filter(|_| breathes);
        let open = open(board, group, defender, &inside, &alive);
        found.push(Level { closed, open, empty, inside });
    }
    if found.is_empty() { Err(NoRegion::TooLarge) } else { Ok(found) }
}

/// The defender's view of a region, where the group is not out of it yet.
fn open(board: &Board, group: &[Point], defender: Color, inside: &[bool], alive: &[Option<Color>]) -> Option<Ground> {
    ground(board, defender, inside, alive, false).filter(|ground| {
        // Who is out is not asked about.
        let chains = group.iter().filter_map(|&point| board.chain_at(point));
        let mut stones = chains.flat_map(|chain| chain.stones().collect::<Vec<_>>());
        stones.all(|point| ground.number(point).is_some_and(|number| ground.exits >> number & 1 == 0))
    })
}

/// The region with what is beside some of its exits, in the defender's view; `None` where that has too many empty points.
pub(crate) fn followed(
    board: &Board,
    group: &[Point],
    level: &Level,
    exits: &[Point],
    most_empty: usize,
) -> Option<Level> {
    let defender = group.first().and_then(|&point| board.get(point))?;
    let size = board.size();
    let mut inside = level.inside.clone();
    for beside in exits.iter().flat_map(|&point| board.neighbors(point)) {
        if board.get(beside) != Some(defender.opponent()) {
            inside[beside.index(size)] = true;
        }
    }
    let open = open(board, group, defender, &inside, &pass_alive(board, false))?;
    let is_in = |point: &Point| open.number(*point).is_some_and(|number| open.mask >> number & 1 == 1);
    let empty = board.empty_points().filter(is_in).count();
    (empty <= most_empty).then_some(Level { closed: None, open: Some(open), empty, inside })
}

/// How dearly each point is reached from a group: nothing within what it encloses, more the nearer the attacker is.
fn reach(board: &Board, group: &[Point], defender: Color) -> Vec<u32> {
    let size = board.size();
    let attacker = defender.opponent();
    let is_strong = |point: Point| board.chain_at(point).is_some_and(|chain| chain.liberties_up_to(3) >= 3);
    // Moves of either player from a point's nearest stones, through empty points and own stones.
    let moves = |sources: &mut dyn Iterator<Item = Point>, own: Color| {
        let step = |point: Point| match board.get(point) {
            None => Some(1),
            Some(color) if color == own => Some(0),
            Some(_) => None,
        };
        spread(board, sources, &step)
    };
    let by_defender = moves(&mut group.iter().copied(), defender);
    let strong = board.stones().filter(|&(point, color)| color == attacker && is_strong(point));
    let by_attacker = moves(&mut strong.map(|(point, _)| point), attacker);
    let alive = pass_alive(board, false);
    let step = |point: Point| {
        let index = point.index(size);
        match board.get(point) {
            // Where the defender gets only by taking something, step by step.
            None if by_defender[index] >= FAR => Some(BEYOND),
            None => Some((by_defender[index] + 1).saturating_sub(by_attacker[index])),
            Some(color) if color == defender => Some(0),
            Some(_) if alive[index] == Some(attacker) => None,
            Some(_) => board.chain_at(point).map(|chain| THROUGH[chain.liberties_up_to(3).clamp(1, 3) - 1]),
        }
    };
    spread(board, &mut group.iter().copied(), &step)
}

/// The cheapest way to each point.
fn spread(board: &Board, sources: &mut dyn Iterator<Item = Point>, step: &dyn Fn(Point) -> Option<u32>) -> Vec<u32> {
    let size = board.size();
    let mut costs = vec![FAR; size.area()];
    let mut open: BinaryHeap<Reverse<(u32, Point)>> = sources.map(|point| Reverse((0, point))).collect();
    for Reverse((cost, point)) in &open {
        costs[point.index(size)] = *cost;
    }
    while let Some(Reverse((cost, point))) = open.pop() {
        if cost > costs[point.index(size)] {
            continue;
        }
        for next in board.neighbors(point) {
            let Some(more) = step(next) else { continue };
            let there = &mut costs[next.index(size)];
            if cost + more < *there {
                *there = cost + more;
                open.push(Reverse((*there, next)));
            }
        }
    }
    costs
}

/// The points outside of a region from which nothing of the defender's is reached but what is in the region: around
/// such liberties the attacker is alone.
fn quiet(board: &Board, defender: Color, inside: &[bool]) -> Vec<bool> {
    let size = board.size();
    let mut is_quiet = vec![false; size.area()];
    let mut seen = inside.to_vec();
    for start in Point::all(size) {
        if seen[start.index(size)] || board.get(start) == Some(defender) {
            continue;
        }
        let (mut part, mut next, mut alone) = (vec![start], 0, true);
        seen[start.index(size)] = true;
        while let Some(&point) = part.get(next) {
            next += 1;
            for beside in board.neighbors(point) {
                let index = beside.index(size);
                if board.get(beside) == Some(defender) {
                    alone &= inside[index];
                } else if !seen[index] {
                    seen[index] = true;
                    part.push(beside);
                }
            }
        }
        for point in part {
            is_quiet[point.index(size)] = alone;
        }
    }
    is_quiet
}

/// A region in one view; `None` where its rectangle is too large.
fn ground(board: &Board, defender: Color, region: &[bool], alive: &[Option<Color>], closed: bool) -> Option<Ground> {
    let size = board.size();
    let attacker = defender.opponent();
    let mut was_in = region.to_vec();
    let mut stands = vec![false; size.area()];
    let inside = loop {
        let mut inside = was_in.clone();
        let mut more = Vec::new();
        let is_quiet = quiet(board, defender, &was_in);
        for chain in board.chains().filter(|chain| chain.color() == attacker) {
            let is_touched = chain.stones().any(|point| board.neighbors(point).any(|next| was_in[next.index(size)]));
            let is_loose = |point: Point| !was_in[point.index(size)] && (closed || is_quiet[point.index(size)]);
            let outside = chain.liberties().filter(|&point| is_loose(point)).count();
            let is_safe = alive[chain.head_point().index(size)] == Some(attacker)
                || outside >= if closed { 1 } else { SAFE_LIBERTIES }
                || (closed && !is_touched);
            for point in chain.stones() {
                let index = point.index(size);
                stands[index] = is_safe;
                inside[index] = is_touched && !is_safe;
            }
            // What may be taken may be taken from outside.
            if is_touched && !is_safe {
                more.extend(chain.liberties().filter(|point| !was_in[point.index(size)]));
            }
        }
        if more.is_empty() {
            break inside;
        }
        for point in more {
            was_in[point.index(size)] = true;
        }
    };
    let points = || Point::all(size).filter(|point| inside[point.index(size)]);
    let (left, right) = (points().map(Point::x).min()?, points().map(Point::x).max()?);
    let (top, bottom) = (points().map(Point::y).min()?, points().map(Point::y).max()?);
    let stride = right - left + 2;
    if stride * (bottom - top + 1) > 127 {
        return None;
    }
    let mut ground = Ground { corner: (left, top), stride, mask: 0, anchor: 0, exits: 0, border: 0 };
    for point in points() {
        let bit: Bits = 1 << ground.number(point)?;
        ground.mask |= bit;
        for next in board.neighbors(point).filter(|next| !inside[next.index(size)]) {
            ground.border |= bit;
            let is_anchor = stands[next.index(size)];
            if is_anchor || closed {
                ground.anchor |= bit;
            }
            if !is_anchor && !closed {
                ground.exits |= bit;
            }
        }
    }
    Some(ground)
}
