//! Depth-first proof-number search.
//!
//! What it proves is that the prover reaches the goal in a finite number of moves, whatever the opponent does. A
//! repetition of the position counts as a failure of the prover, so a proof has none in it and holds by whichever way its
//! first position was reached. A refutation may depend on the way, and is kept with it then (A. Kishimoto and M. Müller,
//! "A general solution to the graph history interaction problem", 2004); nobody believes one outside of the search.
//!
//! Source of the search: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002. Numbers of
//! the opponent's moves are added up weakly (the largest, and one for each other), since most moves transpose.

use crate::goal::Goal;
use crate::order::{Costs, move_cost};
use crate::position::{DEFENDER, Ground, Position, numbers};
use crate::table::{FREE, INFINITE, Mixer, Numbers, Table};
use honinbo_rules::Point;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault};

/// Moves of a line; beyond, it counts as a failure of the prover.
const MAX_DEPTH: usize = 150;
/// How often it is asked whether to stop, in positions.
const STOP_EVERY: u64 = 256;

/// How much harder than the opponent's best move a pass may be to hold against the prover, and still be looked at first.
const PATIENCE: u32 = 8;

type Positions = HashSet<Position, BuildHasherDefault<Mixer>>;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The prover forces it.
    Proved,
    /// No proof exists within the region.
    None,
    /// The positions that were granted are used up, or somebody stopped it.
    Unfinished,
}

/// A question with what was found out so far; it goes on where it stopped.
pub(crate) struct Proof<'a> {
    ground: Ground,
    goal: Goal,
    costs: Costs,
    table: Table,
    /// The positions on the way, with their depths.
    path: HashMap<Position, u16, BuildHasherDefault<Mixer>>,
    /// All of them in one number.
    way: u64,
    /// Roots that were searched through without a proof.
    without: Positions,
    /// Positions that were looked at.
    pub(crate) nodes: u64,
    until: u64,
    stopped: bool,
    /// In how many positions nothing stopped the group from leaving the region by each point.
    escapes: Vec<u32>,
    stop: &'a dyn Fn() -> bool,
}

/// A move and what is known of the position after it.
struct Child {
    position: Position,
    /// The point; `None` for a pass.
    at: Option<usize>,
    /// It is decided there.
    is_end: bool,
    numbers: Numbers,
}

impl<'a> Proof<'a> {
    pub(crate) fn new(ground: &Ground, goal: Goal, costs: &Costs, entries: usize, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            ground: ground.clone(),
            goal,
            costs: costs.clone(),
            table: Table::new(entries),
            path: HashMap::default(),
            way: 0,
            without: Positions::default(),
            nodes: 0,
            until: 0,
            stopped: false,
            escapes: vec![0; 128],
            stop,
        }
    }

    /// Looks for a proof from this position on, with so many positions more.
    pub(crate) fn search(&mut self, root: &Position, nodes: u64) -> Found {
        if let Some(is_proved) = self.goal.decided(&self.ground, root) {
            return if is_proved { Found::Proved } else { Found::None };
        }
        if self.without.contains(root) {
            return Found::None;
        }
        self.until = self.nodes + nodes;
        self.stopped = false;
        let found = self.visit(root, INFINITE, INFINITE);
        self.path.clear();
        self.way = 0;
        if found.proof == 0 {
            return Found::Proved;
        }
        if self.stopped || found.refutation != 0 {
            return Found::Unfinished;
        }
        self.without.insert(*root);
        Found::None
    }

    /// Looks for a proof that holds whatever finite number of ko threats the opponent has, who has one in this position.
    ///
    /// It is an induction: the position is proved, and so is, with a threat left, each one that the opponent reaches in
    /// that proof by using the threat, and so on until no new one comes. With `n` threats the prover follows such a
    /// proof until one is used, and goes on with that of the position reached, where `n - 1` are left. A ko that the
    /// opponent may retake for ever but never wins is lost so.
    pub(crate) fn search_for_any_threats(&mut self, root: &Position, nodes: u64) -> Found {
        let until = self.nodes + nodes;
        let mut reached = Positions::from_iter([*root]);
        let mut open = vec![*root];
        let mut checked = Positions::default();
        while let Some(position) = open.pop() {
            match self.search(&position, until.saturating_sub(self.nodes)) {
                Found::Proved => {}
                found => return found,
            }
            let mut targets = Vec::new();
            if !self.is_checked(&position, until, &mut Positions::default(), &mut checked, &mut targets) {
                return Found::Unfinished;
            }
            for target in targets {
                let again = target.with_threats(root.threats);
                if reached.insert(again) {
                    open.push(again);
                }
            }
        }
        Found::Proved
    }

    /// Goes through a proof, and names the positions that the opponent reaches by using a threat. What is told is of one
    /// finite proof: the positions on the way are not met again. False where it is not found whole in time.
    fn is_checked(
        &mut self,
        position: &Position,
        until: u64,
        way: &mut Positions,
        checked: &mut Positions,
        targets: &mut Vec<Position>,
    ) -> bool {
        if let Some(is_proved) = self.goal.decided(&self.ground, position) {
            return is_proved;
        }
        if checked.contains(position) {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= until || way.len() >= MAX_DEPTH || !way.insert(*position) {
            return false;
        }
        let by_prover = position.mover() == self.goal.prover();
        let mut children = self.children(position);
        let is_whole = |children: &[Child]| {
            let mut proved = children.iter().map(|child| child.numbers.proof == 0);
            if by_prover { proved.any(|is_proved| is_proved) } else { proved.all(|is_proved| is_proved) }
        };
        // What was proved may have been dropped from the table.
        if !is_whole(&children) && self.search(position, until.saturating_sub(self.nodes)) == Found::Proved {
            children = self.children(position);
        }
        let mut check = |child: &Child| {
            child.numbers.proof == 0 && (child.is_end || self.is_checked(&child.position, until, way, checked, targets))
        };
        let is_checked = if by_prover {
            children.sort_by_key(|child| !child.is_end);
            children.iter().any(&mut check)
        } else {
            let side = position.mover();
            let mut reached = Vec::new();
            let all = children.iter().all(|child| {
                let by_threat = child.position.threats[side] < position.threats[side];
                if by_threat && !child.is_end && child.numbers.proof == 0 {
                    reached.push(child.position);
                    return true;
                }
                check(child)
            });
            targets.extend(reached);
            all
        };
        way.remove(position);
        if is_checked {
            checked.insert(*position);
        }
        is_checked
    }

    fn visit(&mut self, position: &Position, most_proof: u32, most_refutation: u32) -> Numbers {
        self.nodes += 1;
        if self.nodes >= self.until || (self.nodes.is_multiple_of(STOP_EVERY) && (self.stop)()) {
            self.stopped = true;
            return Numbers::open(1, 1);
        }
        if self.path.len() >= MAX_DEPTH {
            return Numbers::repeated(0);
        }
        let depth = self.path.len() as u16;
        let mark = self.path.hasher().hash_one(position);
        let before = self.way;
        self.path.insert(*position, depth);
        self.way ^= mark;
        let mut children = self.children(position);
        let by_prover = position.mover() == self.goal.prover();
        let mut result = loop {
            let numbers = combined(&children, by_prover);
            if numbers.proof == 0
                || numbers.refutation == 0
                || numbers.proof >= most_proof
                || numbers.refutation >= most_refutation
            {
                break numbers;
            }
            let (mut best, mut second) = best_two(&children, by_prover);
            // A pass has to be answered too, and its proof answers much of what changes nothing.
            if !by_prover
                && let Some(pass) = children.len().checked_sub(1)
                && children[pass].at.is_none()
                && children[pass].numbers.proof != 0
            {
                let patience = children[best].numbers.refutation.saturating_mul(PATIENCE);
                if children[pass].numbers.refutation <= patience {
                    (best, second) = (pass, patience);
                }
            }
            let child = &children[best].numbers;
            // A quarter more than the next best, so that the search does not jump to and fro.
            let beyond = |next: u32| next.saturating_add(next / 4).saturating_add(1);
            let (proof, refutation) = if by_prover {
                let others = numbers.refutation - child.refutation.min(numbers.refutation);
                (most_proof.min(beyond(second)), most_refutation.saturating_sub(others).min(INFINITE))
            } else {
                let others = numbers.proof - child.proof.min(numbers.proof);
                (most_proof.saturating_sub(others).min(INFINITE), most_refutation.min(beyond(second)))
            };
            let next = children[best].position;
            let found = self.visit(&next, proof.max(child.proof + 1), refutation.max(child.refutation + 1));
            if self.stopped {
                self.path.remove(position);
                self.way = before;
                return numbers;
            }
            children[best].numbers = found;
        };
        self.path.remove(position);
        self.way = before;
        if result.depends >= depth {
            // All that repeats is behind this position, and would be by any way.
            result.depends = FREE;
        }
        self.table.put(position, before, result);
        result
    }

    /// The moves, each with what is known of it.
    fn children(&mut self, position: &Position) -> Vec<Child> {
        let mut escapes = 0;
        let ground = &self.ground;
        let by_prover = position.mover() == self.goal.prover();
        let mut children = Vec::with_capacity(24);
        let gone = position.group == 0;
        let taker = position.taker(ground);
        let by_defender = position.mover() == DEFENDER;
        for at in numbers(position.empty(ground)) {
            let Some(mut made) = position.played(ground, at) else { continue };
            if gone && made.taken & taker == 0 {
                continue;
            }
            let played = made;
            if !by_defender {
                made.after = made.after.reduced(ground);
            }
            let after = &made.after;
            let ways = if by_defender { 0 } else { after.ways_out(ground) };
            if ways != 0 {
                escapes |= after.exits_of(ground, ways);
                children.push(Child { position: *after, at: Some(at), is_end: true, numbers: Numbers::REFUTED });
                continue;
            }
            if by_defender && self.is_taken_next(after) {
                children.push(Child { position: *after, at: Some(at), is_end: false, numbers: Numbers::PROVED });
                continue;
            }
            // What is known is not decided; but what takes the group may be taken, which changes the position.
            let known = if gone { None } else { self.known(&made.after) };
            let (is_end, numbers) = match known {
                Some(numbers) => (false, numbers),
                None => match self.goal.after(ground, &mut made, position, 1 << at) {
                    Some(is_proved) => (true, Numbers::decided(is_proved)),
                    None => {
                        let cost = || move_cost(ground, position, at, &played, &self.costs);
                        let known = if gone { self.known(&made.after) } else { None };
                        (false, known.unwrap_or_else(|| first(by_prover, cost())))
                    }
                },
            };
            children.push(Child { position: made.after, at: Some(at), is_end, numbers });
        }
        // Who attacks gains nothing by a pass but the right to retake.
        let passes = !by_prover || position.is_banned() || self.goal.gains_by_passing();
        if passes {
            let after = position.passed();
            let mut end = self.goal.decided(ground, &after).map(Numbers::decided);
            let ways = if by_defender || end.is_some() { 0 } else { after.ways_out(ground) };
            if ways != 0 {
                escapes |= after.exits_of(ground, ways);
                end = Some(Numbers::REFUTED);
            }
            let known = || self.known(&after).unwrap_or_else(|| first(by_prover, if by_prover { 3 } else { 0 }));
            let numbers = end.unwrap_or_else(known);
            children.push(Child { position: after, at: None, is_end: end.is_some(), numbers });
        }
        // Only where nothing stops the group: a way out that can be closed is none.
        if children.iter().all(|child| child.numbers.refutation == 0) {
            for number in numbers(escapes) {
                self.escapes[number] += 1;
            }
        }
        children
    }

    /// Whether the attacker, who is to move, takes the whole group at once and for good.
    fn is_taken_next(&self, position: &Position) -> bool {
        self.goal == Goal::Take
            && position.group != 0
            && position.last_liberty(&self.ground).is_some_and(|at| {
                position
                    .played(&self.ground, at)
                    .is_some_and(|mut made| self.goal.after(&self.ground, &mut made, position, 1 << at) == Some(true))
            })
    }

    /// The points by which the group left the region, the most frequent first: those that are at most so many times as rare.
    pub(crate) fn ways_out(&self, share: u32) -> Vec<Point> {
        let most = self.escapes.iter().copied().max().unwrap_or_default().max(1);
        let mut ways: Vec<(u32, usize)> = self.escapes.iter().copied().zip(0..).collect();
        ways.retain(|&(count, _)| count.saturating_mul(share) >= most);
        ways.sort_by_key(|&(count, number)| (Reverse(count), number));
        ways.into_iter().map(|(_, number)| self.ground.point(number)).collect()
    }

    /// What was found out about a position, where it is not decided.
    fn known(&self, after: &Position) -> Option<Numbers> {
        let on_the_way = self.path.get(after).map(|&depth| Numbers::repeated(depth));
        on_the_way.or_else(|| self.table.get(after, self.way))
    }

    /// The prover's proved move and the opponent's most stubborn ones, by turns, from a proved position on.
    pub(crate) fn line(&mut self, root: &Position, longest: usize, nodes: u64) -> Vec<Option<usize>> {
        let mut line = Vec::new();
        let mut position = *root;
        while line.len() < longest && self.goal.decided(&self.ground, &position).is_none() {
            let by_prover = position.mover() == self.goal.prover();
            let mut children = self.children(&position);
            if by_prover && children.iter().all(|child| child.numbers.proof != 0) {
                // What was proved was dropped from the table.
                if self.search(&position, nodes) != Found::Proved {
                    break;
                }
                children = self.children(&position);
            }
            let mut stubborn = |child: &Child| {
                let settled = child.at.is_none_or(|_| self.goal.decided(&self.ground, &child.position).is_some());
                (settled, self.depth(&child.position, 4))
            };
            let next = if by_prover {
                let proved = children.into_iter().filter(|child| child.numbers.proof == 0);
                proved.min_by_key(|child| self.depth(&child.position, 4))
            } else {
                let mut best: Option<(Child, (bool, usize))> = None;
                for child in children {
                    let (settled, depth) = stubborn(&child);
                    let is_better = best.as_ref().is_none_or(|(_, kept)| (!settled, depth) > *kept);
                    if is_better {
                        best = Some((child, (!settled, depth)));
                    }
                }
                best.map(|(child, _)| child)
            };
            let Some(next) = next else { break };
            // A last pass says nothing to anybody.
            if next.at.is_none() && !by_prover && line.len() + 1 >= longest {
                break;
            }
            line.push(next.at);
            position = next.position;
        }
        while line.last() == Some(&None) {
            line.pop();
        }
        line
    }

    /// How many moves the prover's proof takes from here, counted to a few.
    fn depth(&mut self, position: &Position, limit: usize) -> usize {
        if limit == 0 || self.goal.decided(&self.ground, position).is_some() {
            return 0;
        }
        let children = self.children(position);
        let by_prover = position.mover() == self.goal.prover();
        let depths = children
            .iter()
            .filter(|child| !by_prover || child.numbers.proof == 0)
            .take(6)
            .map(|child| 1 + self.depth(&child.position, limit - 1));
        if by_prover { depths.min().unwrap_or(0) } else { depths.max().unwrap_or(0) }
    }
}

impl Goal {
    /// Whether the prover may want to leave everything as it is.
    fn gains_by_passing(self) -> bool {
        self != Goal::Take
    }
}

/// What a position that nobody has looked at starts with: the player's moves that are put back wait.
fn first(by_prover: bool, cost: u32) -> Numbers {
    if by_prover { Numbers::open(1 + cost, 1) } else { Numbers::open(1, 1 + cost) }
}

/// What follows from the moves for the position before them.
fn combined(children: &[Child], by_prover: bool) -> Numbers {
    let mut least = INFINITE;
    let mut most = 0;
    let mut others = 0;
    // All moves of the prover have to fail, but one of the opponent's is enough to refute.
    let mut all_depend = FREE;
    let mut best_depends = 0;
    for child in children {
        let Numbers { proof, refutation, depends } = child.numbers;
        let (own, other) = if by_prover { (proof, refutation) } else { (refutation, proof) };
        least = least.min(own);
        if other > 0 {
            most = most.max(other);
            others += 1;
        }
        if refutation == 0 {
            all_depend = all_depend.min(depends);
            best_depends = best_depends.max(depends);
        }
    }
    let sum = if most >= INFINITE { INFINITE } else { (most + u32::max(others, 1) - 1).min(INFINITE - 1) };
    let (proof, refutation) = if by_prover { (least, sum) } else { (sum, least) };
    match (proof, refutation) {
        (0, _) => Numbers::PROVED,
        (_, 0) => Numbers { depends: if by_prover { all_depend } else { best_depends }, ..Numbers::REFUTED },
        (proof, refutation) => Numbers::open(proof, refutation),
    }
}

/// The move to look at, and the number of the next best.
fn best_two(children: &[Child], by_prover: bool) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (number, child) in children.iter().enumerate() {
        let own = if by_prover { child.numbers.proof } else { child.numbers.refutation };
        if own < least {
            second = least.min(INFINITE);
            (best, least) = (number, own);
        } else if own < second {
            second = own;
        }
    }
    (best, second)
}
