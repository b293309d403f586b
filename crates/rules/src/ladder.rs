//! Reading ladders to the end.

use crate::board::{Board, EMPTY, Journal};
use crate::geometry::Index;
use crate::{Color, Point};

/// A chain that is caught in a ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laddered {
    /// Whose chain it is.
    pub color: Color,
    /// Its stones.
    pub stones: Vec<Point>,
    /// The attacker's moves that catch a chain with two liberties, even if its owner plays first afterwards. Empty
    /// for a chain in atari, which is caught although its owner moves first.
    pub working_moves: Vec<Point>,
}

/// Every laddered chain of both colours, whoever is to move: a chain in atari that cannot escape even if its owner
/// moves, and a chain of two liberties that the attacker can catch by moving first. The board's simple ko point
/// restricts the attacker's first move.
///
/// Reading is complete up to a depth of 1.5 times the area and 25,000 moves a try; see [`LadderReader`].
///
/// ```
/// use honinbo_rules::{Board, Topology, ladders};
/// let board = Board::from_diagram(
///     ". . . . . .
///      . . . . . .
///      . . X . . .
///      . X O . . .
///      . . . X . .
///      . . . . . .", Topology::Plane).unwrap();
/// let found = ladders(&board);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].working_moves.len(), 2);
/// ```
#[must_use]
pub fn ladders(board: &Board) -> Vec<Laddered> {
    LadderReader::new().read(board)
}

/// Moves of one try before it is given up as no capture.
const MAX_NODES: u32 = 25_000;

/// Reads ladders and keeps its scratch board from one position to the next.
///
/// Source: KataGo `cpp/game/board.cpp`, `searchIsLadderCaptured`, v1.17.2. One difference: when a chain in atari may
/// also escape by capturing, the move that is judged for its liberties is always the chain's own liberty, where KataGo
/// takes the last of its list, which depends on how the chain was built. It matters in about 1 position of 100,000.
/// And moves that obviously fail or help are counted without being played, and the better ones are looked for in
/// another order, which could matter only to a try that reaches the limit.
#[derive(Debug, Default)]
pub struct LadderReader {
    /// The position being read, with the moves tried so far.
    board: Option<Board>,
    /// Those moves.
    journal: Journal,
    /// The owner's choices at every depth of the search.
    moves: Vec<Index>,
}

impl LadderReader {
    /// A reader with nothing kept yet.
    #[must_use]
    pub fn new() -> LadderReader {
        LadderReader::default()
    }

    /// Every laddered chain of a board: see [`ladders`].
    #[must_use]
    pub fn read(&mut self, board: &Board) -> Vec<Laddered> {
        let mut found = Vec::new();
        let mut search = self.start(board);
        for head in board.heads() {
            let Some(owner) = board.stone(head) else { continue };
            let chain = Chain { stone: head, owner };
            // A point has four neighbours, so a chain with more pairs than that for each of two liberties has a third.
            if board.cells[head as usize].pseudo_liberties() > 8 {
                continue;
            }
            let liberties = liberties_of(board, head);
            let (first, second) = (liberties.first, liberties.second);
            let caught = match liberties.count {
                1 => search.is_captured(chain, first, None).then(Vec::new),
                2 => Some(search.working_moves(chain, first, second)).filter(|moves| !moves.is_empty()),
                _ => None,
            };
            if let Some(moves) = caught {
                found.push(Laddered {
                    color: owner,
                    stones: board.chain_indices(head).map(|at| board.geometry.point(at)).collect(),
                    working_moves: moves,
                });
            }
        }
        found
    }

    /// Whether the chain at a point is captured in a ladder although its owner moves first. False for a chain with
    /// more than one liberty and where there is no stone.
    #[must_use]
    pub fn captured_if_owner_moves(&mut self, board: &Board, point: Point) -> bool {
        let Some(owner) = board.get(point) else { return false };
        let chain = Chain { stone: point.index(board.size()) as Index, owner };
        let liberty = board.atari_liberty(chain.head(board));
        liberty.is_some_and(|liberty| self.start(board).is_captured(chain, liberty, None))
    }

    /// Whether the chain at a point can be captured in a ladder by its opponent moving first. False for a chain with
    /// more than two liberties and where there is no stone.
    #[must_use]
    pub fn captured_if_attacker_moves(&mut self, board: &Board, point: Point) -> bool {
        let Some(owner) = board.get(point) else { return false };
        let chain = Chain { stone: point.index(board.size()) as Index, owner };
        let liberties = liberties_of(board, chain.head(board));
        self.start(board).attacker_catches(chain, liberties, 0)
    }

    /// A search on a copy of the board.
    fn start(&mut self, board: &Board) -> Search<'_> {
        let copy = match &mut self.board {
            Some(copy) => {
                copy.clone_from(board);
                copy
            }
            none => none.insert(board.clone()),
        };
        self.journal.clear();
        self.moves.clear();
        let deepest = 3 * board.size().area() / 2;
        Search { board: copy, journal: &mut self.journal, moves: &mut self.moves, played: 0, gave_up: false, deepest }
    }
}

/// Reading on one board, on which moves are played and taken back.
struct Search<'a> {
    board: &'a mut Board,
    journal: &'a mut Journal,
    moves: &'a mut Vec<Index>,
    /// Moves of this try.
    played: u32,
    gave_up: bool,
    /// Where a line ends as a capture.
    deepest: usize,
}

impl Search<'_> {
    /// The attacker's moves that catch a chain with these two liberties.
    fn working_moves(&mut self, chain: Chain, first: Index, second: Index) -> Vec<Point> {
        let mut works = Vec::new();
        for (at, stays) in [(first, second), (second, first)] {
            let after = liberties_after(self.board, chain, stays, at);
            if after.count >= 3 || !self.board.is_legal_index(chain.owner.opponent(), at, false) {
                continue;
            }
            let takes = self.play(chain.owner.opponent(), at);
            if self.is_captured(chain, stays, (!takes).then_some(after)) {
                works.push(self.board.geometry.point(at));
            }
            self.board.take_back(self.journal);
        }
        works
    }

    /// Whether a chain with this only liberty is caught although its owner moves: a try of its own.
    fn is_captured(&mut self, chain: Chain, liberty: Index, after: Option<Few>) -> bool {
        self.played = 0;
        self.gave_up = false;
        // The owner of a chain in atari may always retake: a ko point would else save nothing.
        let ko = std::mem::replace(&mut self.board.ko, self.board.geometry.area);
        let caught = self.owner_is_caught(chain, liberty, after, 0) && !self.gave_up;
        self.board.ko = ko;
        caught
    }

    /// The attacker to move: whether a chain with these liberties is caught.
    fn attacker_catches(&mut self, chain: Chain, liberties: Few, depth: usize) -> bool {
        if self.gave_up {
            return false;
        }
        if depth >= self.deepest || liberties.count <= 1 {
            return true;
        }
        if liberties.count > 2 {
            return false;
        }
        let (first, second) = (liberties.first, liberties.second);
        if is_caught_between_kos(self.board, chain, first, second) {
            return true;
        }
        let attacker = chain.owner.opponent();
        // What the chain gets on the liberty that the attacker leaves. The attacker prefers to leave it less.
        let tries = [
            (first, second, liberties_after(self.board, chain, second, first)),
            (second, first, liberties_after(self.board, chain, first, second)),
        ];
        let swap = usize::from(tries[1].2.count < tries[0].2.count);
        for (at, stays, after) in [tries[swap], tries[1 - swap]] {
            if !self.board.is_legal_index(attacker, at, false) {
                continue;
            }
            self.count_move();
            if after.count >= 3 && depth + 2 < self.deepest {
                continue;
            }
            let takes = self.play(attacker, at);
            let caught = self.owner_is_caught(chain, stays, (!takes).then_some(after), depth + 1);
            self.board.take_back(self.journal);
            if caught {
                return true;
            }
        }
        false
    }

    /// The owner of a chain with this only liberty to move: whether the chain is caught. `after`: the liberties that
    /// the owner gets by playing there, as far as they are known.
    fn owner_is_caught(&mut self, chain: Chain, liberty: Index, after: Option<Few>, depth: usize) -> bool {
        if self.gave_up {
            return false;
        }
        if depth >= self.deepest {
            return true;
        }
        if self.board.ko != self.board.geometry.area {
            return false;
        }
        let takes = takes_something(self.board, chain.owner, liberty);
        let after = match after {
            _ if takes => None,
            None => Some(liberties_after(self.board, chain, liberty, liberty)),
            known => known,
        };
        if after.is_some_and(|after| after.count >= 3) && depth + 1 < self.deepest {
            self.count_move();
            return false;
        }
        let first = self.moves.len();
        capturing_moves(self.board, chain, self.moves, first);
        if !self.moves[first..].contains(&liberty) {
            self.moves.push(liberty);
        }
        let choices = self.moves.len() - first;
        let judged = if takes { judge_escape(self.board, chain.owner, liberty, choices) } else { None };
        let caught = judged.unwrap_or_else(|| {
            let mut caught = true;
            for nth in first..first + choices {
                let at = self.moves[nth];
                caught = caught && self.move_fails(chain, at, after.filter(|_| at == liberty), depth);
            }
            caught
        });
        self.moves.truncate(first);
        caught
    }

    /// Whether the chain is caught after a move of its owner, or the move is not allowed. `after`: its liberties then,
    /// when they are known.
    fn move_fails(&mut self, chain: Chain, at: Index, after: Option<Few>, depth: usize) -> bool {
        if !self.board.is_legal_index(chain.owner, at, false) {
            return true;
        }
        self.count_move();
        if after.is_some_and(|after| after.count <= 1) {
            return true;
        }
        self.play(chain.owner, at);
        let liberties = after.unwrap_or_else(|| liberties_of(self.board, chain.head(self.board)));
        let caught = self.attacker_catches(chain, liberties, depth + 1);
        self.board.take_back(self.journal);
        caught
    }

    /// Plays a stone; whether it took something.
    fn play(&mut self, color: Color, at: Index) -> bool {
        self.board.place_noted(color, at, self.journal).captured > 0
    }

    fn count_move(&mut self) {
        self.played += 1;
        self.gave_up |= self.played >= MAX_NODES;
    }
}

/// The chain that is to be caught, by one of its stones.
#[derive(Clone, Copy)]
struct Chain {
    stone: Index,
    owner: Color,
}

impl Chain {
    /// The head of the chain, which changes when it is joined with others.
    fn head(self, board: &Board) -> Index {
        board.head(self.stone)
    }
}

/// Up to three different points.
#[derive(Clone, Copy, Default)]
struct Few {
    count: u8,
    first: Index,
    second: Index,
}

impl Few {
    /// Adds a point, once; whether there are three now.
    #[inline]
    fn add(&mut self, at: Index) -> bool {
        match self.count {
            0 => (self.first, self.count) = (at, 1),
            1 if at != self.first => (self.second, self.count) = (at, 2),
            2 if at != self.first && at != self.second => self.count = 3,
            _ => {}
        }
        self.count == 3
    }

    /// Adds liberties of a chain, apart from two points, until there are three.
    #[inline]
    fn add_liberties(&mut self, board: &Board, head: Index, without: [Index; 2]) {
        // Stones far from the chain's last liberty need not be looked at.
        let mut pairs = board.cells[head as usize].pseudo_liberties();
        let mut at = head;
        while pairs > 0 {
            let cell = board.cells[at as usize];
            if cell.has_empty_neighbor() {
                pairs = pairs.saturating_sub(u32::from(cell.empty_neighbors()));
                for q in board.geometry.neighbors(at) {
                    if board.cells[q as usize].holds(EMPTY) && q != without[0] && q != without[1] && self.add(q) {
                        return;
                    }
                }
            }
            at = cell.next();
        }
    }
}

/// The first liberties of a chain, and how many there are, counted up to 3.
fn liberties_of(board: &Board, head: Index) -> Few {
    let mut found = Few::default();
    found.add_liberties(board, head, [board.geometry.area; 2]);
    found
}

/// The liberties, counted up to 3, that a chain without other liberties than these two gets when its owner plays on
/// `at` after the attacker played on `taken`. What either of them captures is not counted.
fn liberties_after(board: &Board, chain: Chain, at: Index, taken: Index) -> Few {
    let head = chain.head(board);
    let mut found = Few::default();
    for q in board.geometry.neighbors(at) {
        let cell = board.cells[q as usize];
        if cell.holds(EMPTY) {
            if q != taken && found.add(q) {
                break;
            }
        } else if cell.holds(chain.owner as u8 + 1) && cell.head() != head {
            found.add_liberties(board, cell.head(), [at, taken]);
        }
    }
    found
}

/// Whether the owner of a chain takes stones by playing here.
fn takes_something(board: &Board, owner: Color, at: Index) -> bool {
    let attacker = owner.opponent() as u8 + 1;
    board.cells[at as usize].near_count(attacker) != 0
        && board.geometry.neighbors(at).into_iter().any(|q| {
            let cell = board.cells[q as usize];
            cell.holds(attacker) && board.atari_liberty(cell.head()).is_some()
        })
}

/// Whether the attacker may take a ko on both liberties of a chain that cannot get out of it.
fn is_caught_between_kos(board: &Board, chain: Chain, a: Index, b: Index) -> bool {
    let attacker = chain.owner.opponent();
    let surrounded = |at: Index| !board.cells[at as usize].has_empty_neighbor();
    surrounded(a)
        && surrounded(b)
        && board.ko_capture(attacker, a).is_some()
        && board.ko_capture(attacker, b).is_some()
        && owner_gets_at_most_two(board, chain.owner, a)
        && owner_gets_at_most_two(board, chain.owner, b)
        && !touches_attacker_in_atari(board, chain.head(board), attacker)
}

/// Whether a stone of the owner here would leave its chain with two liberties or fewer.
fn owner_gets_at_most_two(board: &Board, owner: Color, at: Index) -> bool {
    let mut copy = board.clone();
    if copy.is_suicide(owner, at) {
        return true;
    }
    copy.place(owner, at);
    copy.liberties_up_to(copy.head(at), 3) <= 2
}

fn touches_attacker_in_atari(board: &Board, head: Index, attacker: Color) -> bool {
    board.chain_indices(head).any(|stone| {
        board
            .geometry
            .around(stone)
            .any(|q| board.stone(q) == Some(attacker) && board.atari_liberty(board.head(q)).is_some())
    })
}

/// The liberties of attackers in atari around a chain, each once, in the order of the chain's stones.
fn capturing_moves(board: &Board, chain: Chain, moves: &mut Vec<Index>, first: usize) {
    let attacker = chain.owner.opponent() as u8 + 1;
    let mut before = board.geometry.area;
    for stone in board.chain_indices(chain.head(board)) {
        if board.cells[stone as usize].near_count(attacker) == 0 {
            continue;
        }
        for q in board.geometry.neighbors(stone) {
            let cell = board.cells[q as usize];
            // Neighbours often belong to the chain that was asked just before.
            if cell.holds(attacker)
                && std::mem::replace(&mut before, cell.head()) != cell.head()
                && let Some(liberty) = board.atari_liberty(cell.head())
                && !moves[first..].contains(&liberty)
            {
                moves.push(liberty);
            }
        }
    }
}

/// Judges a chain in atari by what its owner gains on its own liberty: `Some(false)` when that is enough to escape,
/// `Some(true)` when it is the only move and gains too little.
fn judge_escape(board: &Board, owner: Color, liberty: Index, choices: usize) -> Option<bool> {
    let (mut captures, mut captured_stones, mut joined, mut best_joined) = (0, 0, 0, 0);
    let immediate = usize::from(board.cells[liberty as usize].empty_neighbors());
    for q in board.geometry.around(liberty) {
        let cell = board.cells[q as usize];
        if cell.stone() == EMPTY {
            continue;
        }
        if cell.stone() == owner as u8 + 1 {
            // More than three change no answer.
            let gained = board.liberties_up_to(cell.head(), 5).saturating_sub(1);
            joined += gained;
            best_joined = best_joined.max(gained);
        } else if board.atari_liberty(cell.head()).is_some() {
            captures += 1;
            captured_stones += board.chain_indices(cell.head()).take(4).count();
        }
    }
    if captures + immediate.max(best_joined) >= 3 {
        return Some(false);
    }
    (choices == 1 && immediate + captured_stones + joined <= 1).then_some(true)
}
