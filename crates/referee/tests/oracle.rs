//! The referee against an exhaustive solution of small positions.
//!
//! The other side plays on the real board by its own code: every position that can be reached is listed, and whoever forces
//! the goal in a finite number of moves is found backwards from the ends. It knows no unconditional life, no regions, no
//! order of moves and no table.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise, and says what it counted"
)]

use honinbo_referee::{Fate, Limits, Reason, Referee, Role};
use honinbo_rules::{Board, BoardSize, Color, Point, Random, Topology, pass_alive};
use honinbo_testkit::fixtures;
use std::collections::{BTreeMap, HashMap};

const UNLIMITED: u8 = u8::MAX;
/// A number of threats that suffices for whatever is tried, but ends.
const ENOUGH: u8 = UNLIMITED - 1;
/// Larger state spaces are left out.
const MAX_STATES: usize = 150_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Take,
    Keep,
    Survive,
    Eyes,
    NoEyes,
}

#[derive(Clone)]
struct State {
    board: Board,
    group: Vec<Point>,
    /// What has just taken the last of the group.
    taker: Vec<Point>,
    mover: Color,
    passes: u8,
    threats: [u8; 2],
}

type Key = (Vec<Option<Color>>, [Vec<Point>; 2], Option<Point>, Color, u8, [u8; 2]);

struct Oracle {
    points: Vec<Point>,
    defender: Color,
    goal: Goal,
}

impl Oracle {
    fn prover(&self) -> Color {
        match self.goal {
            Goal::Take | Goal::NoEyes => self.defender.opponent(),
            _ => self.defender,
        }
    }

    fn key(&self, state: &State) -> Key {
        let stones = self.points.iter().map(|&point| state.board.get(point)).collect();
        let chains = [state.group.clone(), state.taker.clone()];
        (stones, chains, state.board.ko_point(), state.mover, state.passes, state.threats)
    }

    fn threats(&self, state: &State, color: Color) -> u8 {
        state.threats[usize::from(color == self.defender)]
    }

    fn decided(&self, state: &State) -> Option<bool> {
        let for_defender = |is_his: bool| Some((self.prover() == self.defender) == is_his);
        if state.group.is_empty() {
            let comes_back = |&at: &Point| self.place(state, at).is_some_and(|(next, _)| !next.group.is_empty());
            let may = state.mover == self.defender && self.points.iter().any(comes_back);
            return if may { None } else { for_defender(false) };
        }
        let alive = pass_alive(&state.board, false);
        let eyes = state.group.iter().all(|point| alive[point.index(state.board.size())] == Some(self.defender));
        match self.goal {
            Goal::Eyes | Goal::NoEyes if eyes => for_defender(true),
            Goal::Eyes | Goal::NoEyes if state.passes >= 2 => for_defender(false),
            _ if state.passes >= 2 => for_defender(true),
            _ => None,
        }
    }

    /// The board after a stone, and what it took.
    fn place(&self, state: &State, at: Point) -> Option<(State, Vec<Point>)> {
        let mut next = state.clone();
        let side = usize::from(state.mover == self.defender);
        if next.board.ko_point() == Some(at) {
            if next.threats[side] != ENOUGH {
                next.threats[side] = next.threats[side].checked_sub(1)?;
            }
            next.board.clear_ko();
        }
        if !next.board.is_legal(state.mover, at, false) {
            return None;
        }
        let before = next.board.clone();
        next.board.play(state.mover, at).ok()?;
        let other = state.mover.opponent();
        let taken: Vec<Point> = before
            .stones()
            .filter(|&(point, color)| color == other && next.board.get(point).is_none())
            .map(|(p, _)| p)
            .collect();
        if self.threats(&next, other) == UNLIMITED {
            next.board.clear_ko();
        }
        next.mover = other;
        next.passes = 0;
        let chain = || {
            let mut stones: Vec<Point> = next.board.chain_at(at)?.stones().collect();
            stones.sort_unstable();
            Some(stones)
        };
        next.group.retain(|point| !taken.contains(point));
        next.taker.clear();
        if state.taker.iter().any(|point| taken.contains(point)) {
            next.group = chain()?;
        } else if next.group.is_empty() && !state.group.is_empty() {
            next.taker = chain()?;
        }
        Some((next, taken))
    }

    /// Positions after a state, each with whether one of enough threats was used, or decided ends.
    fn after(&self, state: &State) -> Vec<Result<(State, bool), bool>> {
        let mut found = Vec::new();
        for &at in &self.points {
            let Some((next, taken)) = self.place(state, at) else { continue };
            let by_threat = state.board.ko_point() == Some(at) && self.threats(state, state.mover) == ENOUGH;
            let lost = self.goal == Goal::Keep && taken.iter().any(|point| state.group.contains(point));
            found.push(match self.decided(&next) {
                _ if lost => Err(false),
                Some(is_proved) => Err(is_proved),
                None => Ok((next, by_threat)),
            });
        }
        let mut next = state.clone();
        next.passes = if state.board.ko_point().is_some() { 0 } else { state.passes + 1 };
        next.board.clear_ko();
        next.mover = state.mover.opponent();
        found.push(self.decided(&next).map_or(Ok((next, false)), Err));
        found
    }

    /// Whether the prover forces the goal; `None` where there are too many positions.
    fn solve(&self, root: State) -> Option<bool> {
        if let Some(is_proved) = self.decided(&root) {
            return Some(is_proved);
        }
        let mut numbers = HashMap::from([(self.key(&root), 0usize)]);
        let mut states = vec![root];
        // Who may come from where and whether by a threat, how many ways are not won at once, and what is.
        let mut before: Vec<Vec<(usize, bool)>> = vec![Vec::new()];
        let mut ways: Vec<usize> = Vec::new();
        let mut ended: Vec<bool> = Vec::new();
        while ways.len() < states.len() {
            let from = ways.len();
            let state = states[from].clone();
            let by_prover = state.mover == self.prover();
            let (mut open, mut wins) = (0, false);
            for after in self.after(&state) {
                match after {
                    Err(true) => wins |= by_prover,
                    Err(false) => open += 1,
                    Ok((after, by_threat)) => {
                        let number = *numbers.entry(self.key(&after)).or_insert_with(|| {
                            states.push(after);
                            before.push(Vec::new());
                            states.len() - 1
                        });
                        before[number].push((from, by_threat));
                        open += 1;
                    }
                }
            }
            ended.push(wins || (!by_prover && open == 0));
            ways.push(open);
            if states.len() > MAX_STATES {
                return None;
            }
        }
        // Won is what is won at last if what is reached by a threat is: the largest such set, from all of them down.
        let mut hoped = vec![true; states.len()];
        loop {
            let mut is_won = ended.clone();
            let mut open = ways.clone();
            let mut won: Vec<usize> = (0..states.len()).filter(|&number| ended[number]).collect();
            let mut reach = |earlier: usize, is_won: &mut Vec<bool>, won: &mut Vec<usize>| {
                if !is_won[earlier] {
                    open[earlier] -= 1;
                    if states[earlier].mover == self.prover() || open[earlier] == 0 {
                        is_won[earlier] = true;
                        won.push(earlier);
                    }
                }
            };
            for number in (0..states.len()).filter(|&number| hoped[number]) {
                for &(earlier, _) in before[number].iter().filter(|(_, by_threat)| *by_threat) {
                    reach(earlier, &mut is_won, &mut won);
                }
            }
            while let Some(number) = won.pop() {
                for &(earlier, _) in before[number].iter().filter(|(_, by_threat)| !by_threat) {
                    reach(earlier, &mut is_won, &mut won);
                }
            }
            if is_won == hoped {
                return Some(is_won[0]);
            }
            hoped = is_won;
        }
    }
}

/// A corner of this size behind a wall of black, with random stones in it.
fn corner(
    random: &mut Random,
    width: usize,
    height: usize,
    most_empty: usize,
) -> Option<(Board, Vec<Point>, Vec<Point>)> {
    let size = BoardSize::square(9).unwrap();
    let wall = |x: usize, y: usize| (x == width && y <= height) || (y == height && x <= width);
    let mut stones: Vec<(Point, Color)> =
        Point::all(size).filter(|point| wall(point.x(), point.y())).map(|point| (point, Color::Black)).collect();
    let points: Vec<Point> = Point::all(size).filter(|point| point.x() < width && point.y() < height).collect();
    let share = 25 + random.below(40);
    for &point in &points {
        let edge = point.x() + 1 == width || point.y() + 1 == height;
        match random.below(100) {
            n if n < if edge { 80 } else { share } => stones.push((point, Color::White)),
            n if n > 85 => stones.push((point, Color::Black)),
            _ => {}
        }
    }
    let board = Board::with_stones(size, Topology::Plane, stones).ok()?;
    if points.iter().filter(|&&point| board.get(point).is_none()).count() > most_empty {
        return None;
    }
    let largest = board.chains().filter(|chain| chain.color() == Color::White).max_by_key(|chain| chain.len())?;
    let mut group: Vec<Point> = largest.stones().collect();
    group.sort_unstable();
    (group.len() >= 3).then(|| (board.clone(), points, group))
}

fn check(cases: usize, seed: u64, most_empty: usize) -> BTreeMap<&'static str, usize> {
    let mut random = Random::new(seed);
    let mut counted: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut done = 0;
    while done < cases {
        let (width, height) = (2 + random.below(3), 2 + random.below(3));
        let Some((board, points, group)) = corner(&mut random, width, height, most_empty) else { continue };
        done += 1;
        let mut referee = Referee::new(&board, &group, Limits::default());
        for first in Color::ALL {
            let truth = |goal, threats| {
                let oracle = Oracle { points: points.clone(), defender: Color::White, goal };
                let (board, group) = (board.clone(), group.clone());
                let state = State { board, group, taker: Vec::new(), mover: first, passes: 0, threats };
                oracle.solve(state)
            };
            let dead = [0, ENOUGH];
            let lives = [ENOUGH, 0];
            let free = [UNLIMITED, 0];
            let ruling = referee.rule(first, &[]);
            let survives = |threats| Some(truth(Goal::Keep, threats)? || truth(Goal::Survive, threats)?);
            let (name, agreed) = match ruling.fate {
                Fate::Dead => ("dead", truth(Goal::Take, dead)),
                Fate::Alive => ("alive", truth(Goal::Eyes, free)),
                Fate::Seki => {
                    ("seki", truth(Goal::Keep, free).zip(truth(Goal::NoEyes, [0, UNLIMITED])).map(|(a, b)| a && b))
                }
                Fate::Lives { whole: true } => ("lives", truth(Goal::Keep, free)),
                Fate::Lives { whole: false } => ("lives in part", truth(Goal::Survive, lives)),
                Fate::Ko { first: Role::Attacker, threats } => (
                    "ko for the attacker",
                    truth(Goal::Take, [0, 0])
                        .zip(survives([0, threats]))
                        .zip(truth(Goal::Take, dead))
                        .map(|((a, b), c)| a && b && !c),
                ),
                Fate::Ko { first: Role::Defender, threats } => (
                    "ko for the defender",
                    survives([0, 0])
                        .zip(truth(Goal::Take, [threats, 0]))
                        .zip(survives(lives))
                        .map(|((a, b), c)| a && b && !c),
                ),
                Fate::NotProved(Reason::Undecided | Reason::Positions) => {
                    let missed = truth(Goal::Take, dead).zip(survives(lives)).map(|(a, b)| a || b);
                    ("not proved", missed.map(|missed| !missed))
                }
                Fate::NotProved(_) => ("given up", Some(true)),
            };
            match agreed {
                None => *counted.entry("too large").or_default() += 1,
                Some(true) => *counted.entry(name).or_default() += 1,
                Some(false) if name == "not proved" => {
                    if counted.get("missed").is_none_or(|missed| *missed < 3) {
                        let regions = referee.regions();
                        eprintln!(
                            "missed, {first:?} first, dead {:?}, regions {regions:?}:\n{board}",
                            truth(Goal::Take, dead)
                        );
                    }
                    *counted.entry("missed").or_default() += 1;
                }
                Some(false) => {
                    panic!("{first:?} first, {:?} is wrong (case {done} of seed {seed}):\n{board}\n{group:?}", ruling)
                }
            }
        }
    }
    counted
}

#[test]
fn what_is_proved_of_small_corners_is_so() {
    let counted = check(150, 1, 6);
    let of = |name| counted.get(name).copied().unwrap_or_default();
    assert!(
        of("dead") > 30 && of("alive") > 30 && of("ko for the attacker") + of("ko for the defender") > 0,
        "{counted:?}"
    );
    assert!(of("missed") + of("given up") == 0, "{counted:?}");
}

#[test]
fn what_is_proved_of_a_thousand_small_corners_is_so() {
    if !fixtures::slow_tests() {
        return;
    }
    let counted = check(1_000, 2, 7);
    eprintln!("{counted:?}");
}
