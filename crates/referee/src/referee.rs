//! Questions about a group, each asked of the regions around it until something is proved.

use crate::fate::{Fate, Reason, Role, Ruling, Verdict};
use crate::goal::Goal;
use crate::order::{ByShape, Costs, MoveOrder};
use crate::position::{ATTACKER, DEFENDER, Ground, Position, UNLIMITED};
use crate::proof::{Found, Proof};
use crate::region::{Level, followed, levels};
use honinbo_rules::{Board, Color, Move, Point, Topology};
use std::collections::{HashMap, HashSet};

/// Moves of a line that are told.
const MAX_LINE: usize = 40;
/// Positions that one search is granted in each round.
const ROUNDS: [u64; 8] = [500, 2_000, 8_000, 32_000, 128_000, 512_000, 2_048_000, u64::MAX];
/// How much less is granted in a search for death in regions that do not follow the group.
const PLANNED: u64 = 4;
/// How much less is granted in regions that are wider than one which has been left unfinished.
const WIDER: u64 = 8;
/// Regions around a group at most.
const MAX_REGIONS: usize = 20;
/// A way out is followed where it is at most so many times as rare as the most frequent one.
const RARE: u32 = 4;
/// Positions that are granted to each search for the kind of a life that is proved.
const ROUNDS_OF_LIFE: [u64; 3] = [500, 5_000, 20_000];

/// What a question may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Positions that are looked at for one question: one group, one player to move.
    pub positions: u64,
    /// Empty points of the widest region.
    pub empty_points: usize,
    /// Ko threats that are tried.
    pub threats: u8,
    /// Positions that one search remembers, each of about 80 bytes.
    pub remembered: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { positions: 400_000, empty_points: 26, threats: 3, remembered: 200_000 }
    }
}

/// One search among several about the same group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    level: usize,
    goal: Goal,
    threats: [u8; 2],
}

/// A question in a round.
struct Asking<'m> {
    first: Color,
    moves: &'m [Move],
    /// Positions that one search is granted.
    nodes: u64,
    any_unfinished: bool,
}

/// A group on a board, and what has been found out about it. Questions after different moves share what they find.
///
/// ```
/// use honinbo_referee::{Fate, Limits, Referee};
/// use honinbo_rules::{Board, Point, Topology};
/// // Three points in a row: who plays the middle one decides.
/// let board = Board::from_diagram(
///     ". O X . .
///      . O X . .
///      . O X . .
///      O O X . .
///      X X X . .", Topology::Plane).unwrap();
/// let mut referee = Referee::new(&board, &[Point::new(1, 0)], Limits::default());
/// let verdict = referee.verdict();
/// assert_eq!(verdict.attacker_first.fate, Fate::Dead);
/// assert_eq!(verdict.defender_first.fate, Fate::Alive);
/// assert_eq!(verdict.attacker_first.line.first().unwrap().point(), Some(Point::new(0, 1)));
/// ```
pub struct Referee<'a> {
    board: Board,
    defender: Color,
    group: Vec<Point>,
    limits: Limits,
    order: &'a dyn MoveOrder,
    stop: &'a dyn Fn() -> bool,
    levels: Result<Vec<Level>, Reason>,
    /// The levels from which another one has been made.
    followed: HashSet<usize>,
    proofs: HashMap<Key, Proof<'a>>,
    costs: HashMap<(usize, bool), Costs>,
    positions: u64,
}

impl<'a> Referee<'a> {
    /// Whose life is asked: the chains of these points, of one colour.
    #[must_use]
    pub fn new(board: &Board, group: &[Point], limits: Limits) -> Self {
        Self::with(board, group, limits, &ByShape, &|| false)
    }

    /// As [`Referee::new`], with somebody who knows likely moves, and a way to stop it. Which clock that looks at is the
    /// caller's business.
    #[must_use]
    pub fn with(
        board: &Board,
        group: &[Point],
        limits: Limits,
        order: &'a dyn MoveOrder,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let color = group.first().and_then(|&point| board.get(point));
        let mut stones: Vec<Point> = group
            .iter()
            .filter(|&&point| color.is_some() && board.get(point) == color)
            .filter_map(|&point| board.chain_at(point))
            .flat_map(|chain| chain.stones().collect::<Vec<_>>())
            .collect();
        stones.sort_unstable();
        stones.dedup();
        let levels = match (color, board.topology()) {
            (None, _) => Err(Reason::NoGroup),
            (_, Topology::Torus | Topology::Cylinder) => Err(Reason::JoinedEdges),
            _ => levels(board, &stones, limits.empty_points).map_err(|_| Reason::Open),
        };
        Self {
            board: board.clone(),
            defender: color.unwrap_or(Color::Black),
            group: stones,
            limits,
            order,
            stop,
            levels,
            followed: HashSet::new(),
            proofs: HashMap::new(),
            costs: HashMap::new(),
            positions: 0,
        }
    }

    /// Whose group it is.
    #[must_use]
    pub fn defender(&self) -> Color {
        self.defender
    }

    /// The stones that are asked about.
    #[must_use]
    pub fn group(&self) -> &[Point] {
        &self.group
    }

    /// Empty points of the regions, the narrowest first, then of those that follow the group out of one.
    #[must_use]
    pub fn regions(&self) -> Vec<usize> {
        self.levels.as_ref().map(|levels| levels.iter().map(|level| level.empty).collect()).unwrap_or_default()
    }

    /// What the group is, whoever moves first.
    pub fn verdict(&mut self) -> Verdict {
        let firsts = [self.defender.opponent(), self.defender];
        // By turns, so that neither question takes the time of the other one.
        let [attacker_first, defender_first] = self.rule_each(firsts.map(|first| (first, &[][..])));
        Verdict { attacker_first, defender_first }
    }

    /// The moves of a player that lead to a fate, and to what each other move leads: a pass, and each point of the region
    /// that decided. The player's best are those whose fate nobody of them beats.
    pub fn moves(&mut self, to_play: Color) -> Vec<(Move, Ruling)> {
        let mut moves: Vec<Move> = self.points().into_iter().map(Move::Place).chain([Move::Pass]).collect();
        let mut board = self.board.clone();
        if self.banned(to_play).is_none() {
            board.clear_ko();
        }
        moves.retain(|played| played.point().is_none_or(|point| board.is_legal(to_play, point, false)));
        moves.into_iter().map(|played| (played, self.rule(to_play, &[played]))).collect()
    }

    /// The empty points that a first move may be worth: those of the widest region.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        let Some(level) = self.levels.as_ref().ok().and_then(|levels| levels.last()) else { return Vec::new() };
        let Some(ground) = level.open.as_ref().or(level.closed.as_ref()) else { return Vec::new() };
        self.board
            .empty_points()
            .filter(|&point| ground.number(point).is_some_and(|number| ground.mask >> number & 1 == 1))
            .collect()
    }

    /// The fate of the group after some moves that `first` begins.
    pub fn rule(&mut self, first: Color, moves: &[Move]) -> Ruling {
        let [ruling] = self.rule_each([(first, moves)]);
        ruling
    }

    /// Questions by turns, each round with more positions.
    fn rule_each<const N: usize>(&mut self, questions: [(Color, &[Move]); N]) -> [Ruling; N] {
        let open = |fate| Ruling { fate, positions: 0, line: Vec::new() };
        if let Err(reason) = self.levels {
            return questions.map(|_| open(Fate::NotProved(reason)));
        }
        let mut rulings = questions.map(|_| open(Fate::NotProved(Reason::Positions)));
        for round in ROUNDS {
            for ((first, moves), ruling) in questions.iter().zip(&mut rulings) {
                if ruling.fate == Fate::NotProved(Reason::Positions) {
                    *ruling = self.rule_round(*first, moves, round, ruling.positions);
                }
            }
        }
        rulings
    }

    /// One round of a question. `before` is what the question has cost already.
    fn rule_round(&mut self, first: Color, moves: &[Move], round: u64, before: u64) -> Ruling {
        self.positions = before;
        let mut asking = Asking { first, moves, nodes: round, any_unfinished: false };
        if !self.is_used_up()
            && let Some((fate, key)) = self.fate_in(&mut asking)
        {
            return match fate {
                Fate::Lives { .. } => self.kind_of_life(key, first, moves),
                fate => self.ruling(fate, key, first, moves),
            };
        }
        let reason = if (self.stop)() {
            Reason::Stopped
        } else if asking.any_unfinished || self.is_used_up() {
            Reason::Positions
        } else {
            Reason::Undecided
        };
        Ruling { fate: Fate::NotProved(reason), positions: self.positions, line: Vec::new() }
    }

    fn is_used_up(&self) -> bool {
        self.positions >= self.limits.positions || (self.stop)()
    }

    /// What is proved in some regions, with the search that is told of.
    ///
    /// Who wins where nobody has ko threats comes first: it is the easier question, and it leaves one half of the others
    /// out. Whoever has to prove something then loses every ko.
    fn fate_in(&mut self, asking: &mut Asking<'_>) -> Option<(Fate, Key)> {
        let mut level = 0;
        // What wider regions are granted in a search for life.
        let mut nodes = asking.nodes;
        let (won, role) = loop {
            if level >= self.levels.as_ref().map_or(0, Vec::len) {
                return None;
            }
            let key = Key { level, goal: Goal::Take, threats: [0, 0] };
            let granted = if self.follows(level) { asking.nodes } else { asking.nodes / PLANNED };
            match self.search(key, asking, granted, false) {
                Found::Proved => break (key, Role::Attacker),
                Found::None => self.follow(key),
                Found::Unfinished => asking.any_unfinished = true,
            }
            let key = Key { goal: Goal::Survive, ..key };
            match self.search(key, asking, nodes, false) {
                Found::Proved => break (key, Role::Defender),
                Found::None => {}
                Found::Unfinished => {
                    asking.any_unfinished = true;
                    nodes = asking.nodes / WIDER;
                }
            }
            level += 1;
        };
        if role == Role::Defender {
            // Most lives need no ko at all, and then more is found out about them.
            let key = Key { threats: [UNLIMITED, 0], ..won };
            if let Some(key) = self.proved(key, asking, false) {
                return Some((Fate::Lives { whole: false }, key));
            }
        }
        let (fate, threats) = match role {
            Role::Attacker => (Fate::Dead, [0, 1]),
            Role::Defender => (Fate::Lives { whole: false }, [1, 0]),
        };
        if let Some(key) = self.proved(Key { threats, ..won }, asking, true) {
            return Some((fate, key));
        }
        let turned = |threats| match role {
            Role::Attacker => Key { goal: Goal::Survive, threats: [0, threats], ..won },
            Role::Defender => Key { goal: Goal::Take, threats: [threats, 0], ..won },
        };
        // Where the most do not suffice, less do not.
        let most = self.limits.threats;
        if most == 0 || self.proved(turned(most), asking, false).is_none() {
            return None;
        }
        let least = (1..most).find(|&threats| self.proved(turned(threats), asking, false).is_some());
        Some((Fate::Ko { first: role, threats: least.unwrap_or(most) }, won))
    }

    /// The first region in which something is proved, with the key's own first: it is the likeliest. Those behind one that
    /// is left unfinished are granted less.
    fn proved(&mut self, key: Key, asking: &mut Asking<'_>, any_threats: bool) -> Option<Key> {
        let count = self.levels.as_ref().map_or(0, Vec::len);
        let mut nodes = asking.nodes;
        for level in (key.level..count).chain(0..key.level) {
            let key = Key { level, ..key };
            match self.search(key, asking, nodes, any_threats) {
                Found::Proved => return Some(key),
                Found::None => {}
                Found::Unfinished => {
                    asking.any_unfinished = true;
                    nodes = asking.nodes / WIDER;
                }
            }
        }
        None
    }

    /// Whether a region is the narrowest from which the group may get out, or follows it from there.
    fn follows(&self, number: usize) -> bool {
        let Ok(levels) = &self.levels else { return false };
        levels[number].closed.is_none() || levels[..number].iter().all(|narrower| narrower.open.is_none())
    }

    /// Where the group gets out of such a region, adds the one that goes on beyond these ways out, until the attacker
    /// closes them. Other wide regions have points where nobody gets.
    fn follow(&mut self, key: Key) {
        if !self.follows(key.level) {
            return;
        }
        let Ok(levels) = &mut self.levels else { return };
        let (Some(proof), Some(level)) = (self.proofs.get(&key), levels.get(key.level)) else { return };
        if levels.len() >= MAX_REGIONS || !self.followed.insert(key.level) {
            return;
        }
        let mut exits = proof.ways_out(RARE);
        while !exits.is_empty() {
            if let Some(next) = followed(&self.board, &self.group, level, &exits, self.limits.empty_points) {
                if levels.iter().all(|other| other.open != next.open) {
                    levels.push(next);
                }
                return;
            }
            exits.pop();
        }
    }

    /// What kind of life it is that is proved: two eyes, none, or neither where that is not found out soon.
    fn kind_of_life(&mut self, survives: Key, first: Color, moves: &[Move]) -> Ruling {
        let mut best = survives;
        for nodes in ROUNDS_OF_LIFE {
            let mut ask = |goal: Goal, threats: [u8; 2]| {
                let key = Key { goal, threats, ..survives };
                (key, self.search(key, &Asking { first, moves, nodes, any_unfinished: false }, nodes, false))
            };
            let (eyes, found) = ask(Goal::Eyes, [UNLIMITED, 0]);
            if found == Found::Proved {
                return self.ruling(Fate::Alive, eyes, first, moves);
            }
            let (key, kept) = ask(Goal::Keep, [UNLIMITED, 0]);
            if kept == Found::Proved {
                best = key;
                if found == Found::None && ask(Goal::NoEyes, [0, UNLIMITED]).1 == Found::Proved {
                    return self.ruling(Fate::Seki, best, first, moves);
                }
            }
            if found == Found::None && kept == Found::None {
                break;
            }
        }
        self.ruling(Fate::Lives { whole: best.goal == Goal::Keep }, best, first, moves)
    }

    fn ruling(&mut self, fate: Fate, key: Key, first: Color, moves: &[Move]) -> Ruling {
        let line = self.line(key, first, moves);
        Ruling { fate, positions: self.positions, line }
    }

    /// The ko point, where this player may not play there at once. The ban binds only whose stone was taken: all around the
    /// point are stones of who took it.
    fn banned(&self, player: Color) -> Option<Point> {
        let is_own = |point: Point| self.board.get(point) == Some(player);
        self.board.ko_point().filter(|&ko| !self.board.neighbors(ko).any(is_own))
    }

    fn ground(&self, key: Key) -> Option<&Ground> {
        let level = self.levels.as_ref().ok()?.get(key.level)?;
        if key.goal.prover() == ATTACKER { level.open.as_ref() } else { level.closed.as_ref() }
    }

    /// Searches with as many threats as the key says, or with any number where it says one.
    fn search(&mut self, key: Key, asking: &Asking<'_>, nodes: u64, any_threats: bool) -> Found {
        let Asking { first, moves, .. } = *asking;
        let Some(position) = self.position(key, first, moves) else { return Found::None };
        let Some(ground) = self.ground(key).cloned() else { return Found::None };
        let position = match position {
            Ok(position) => position,
            Err(is_proved) => return if is_proved { Found::Proved } else { Found::None },
        };
        let left = self.limits.positions.saturating_sub(self.positions);
        if left == 0 {
            return Found::Unfinished;
        }
        let closed = key.goal.prover() == DEFENDER;
        if !self.costs.contains_key(&(key.level, closed)) {
            let likely = self.order.likely(&self.board, first);
            self.costs.insert((key.level, closed), Costs::of(&ground, &likely));
        }
        let Some(costs) = self.costs.get(&(key.level, closed)) else { return Found::None };
        let (entries, stop) = (self.limits.remembered, self.stop);
        let proof = self.proofs.entry(key).or_insert_with(|| Proof::new(&ground, key.goal, costs, entries, stop));
        let before = proof.nodes;
        let nodes = nodes.min(left);
        let found =
            if any_threats { proof.search_for_any_threats(&position, nodes) } else { proof.search(&position, nodes) };
        self.positions += proof.nodes - before;
        found
    }

    /// The position after the moves in a region, or what they have decided; `None` where there is no such region. What is
    /// played outside of it is a pass there.
    fn position(&self, key: Key, first: Color, moves: &[Move]) -> Option<Result<Position, bool>> {
        let ground = self.ground(key)?;
        let mut stones = [0, 0];
        for (point, color) in self.board.stones() {
            if let Some(number) = ground.number(point).filter(|&number| ground.mask >> number & 1 == 1) {
                stones[usize::from(color == self.defender)] |= 1 << number;
            }
        }
        let group =
            self.group.iter().filter_map(|&point| ground.number(point)).fold(0, |all, number| all | 1 << number);
        let mover = usize::from(first == self.defender);
        let mut position = Position::new(stones, group, mover, key.threats);
        if let Some(number) = self.banned(first).and_then(|point| ground.number(point)) {
            position = position.with_ban(number);
        }
        for played in moves {
            let number = played.point().and_then(|point| ground.number(point));
            let Some(number) = number.filter(|&number| ground.mask >> number & 1 == 1) else {
                position = position.passed();
                position.passes = 0;
                continue;
            };
            let mut made = position.played(ground, number)?;
            let decided = key.goal.after(ground, &mut made, &position, 1 << number);
            if let Some(is_proved) = decided {
                return Some(Err(is_proved));
            }
            position = made.after;
        }
        Some(Ok(position.reduced(ground)))
    }

    fn line(&mut self, key: Key, first: Color, moves: &[Move]) -> Vec<Move> {
        let Some(Ok(position)) = self.position(key, first, moves) else { return Vec::new() };
        let Some(ground) = self.ground(key).cloned() else { return Vec::new() };
        let nodes = self.limits.positions / 4;
        let Some(proof) = self.proofs.get_mut(&key) else { return Vec::new() };
        let line = proof.line(&position, MAX_LINE, nodes);
        line.into_iter().map(|at| at.map_or(Move::Pass, |number| Move::Place(ground.point(number)))).collect()
    }
}
