//! Reading ladders to the end.

use crate::board::{Board, EMPTY};
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
const NODE_LIMIT: u32 = 25_000;

/// Reads ladders and keeps its scratch boards from one position to the next.
///
/// Source: KataGo `cpp/game/board.cpp`, `searchIsLadderCaptured`, v1.17.2. One difference: when a chain in atari may
/// also escape by capturing, the move that is judged for its liberties is always the chain's own liberty, where KataGo
/// takes the last of its list, which depends on how the chain was built. It matters in about 1 position of 100,000.
#[derive(Debug, Default)]
pub struct LadderReader {
    /// One board for each depth of the search.
    boards: Vec<Board>,
    moves: Vec<Index>,
    played: u32,
    gave_up: bool,
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
        for head in board.heads() {
            let liberties = liberties_of(board, head);
            let caught = match liberties.count {
                1 => self.is_captured(board, head).then(Vec::new),
                2 => Some(self.working_moves(board, head, liberties)).filter(|moves| !moves.is_empty()),
                _ => None,
            };
            if let (Some(moves), Some(color)) = (caught, board.stone(head)) {
                found.push(Laddered {
                    color,
                    stones: board.chain_indices(head).map(|at| board.geometry.point(at)).collect(),
                    working_moves: moves.into_iter().map(|at| board.geometry.point(at)).collect(),
                });
            }
        }
        found
    }

    /// Whether the chain at a point is captured in a ladder although its owner moves first. False for a chain with
    /// more than one liberty and where there is no stone.
    #[must_use]
    pub fn captured_if_owner_moves(&mut self, board: &Board, point: Point) -> bool {
        board.chain_at(point).is_some_and(|_| {
            let head = board.head(point.index(board.size()) as Index);
            board.atari_liberty(head).is_some() && self.is_captured(board, head)
        })
    }

    /// Whether the chain at a point can be captured in a ladder by its opponent moving first. False for a chain with
    /// more than two liberties and where there is no stone.
    #[must_use]
    pub fn captured_if_attacker_moves(&mut self, board: &Board, point: Point) -> bool {
        let Some(color) = board.get(point) else { return false };
        let head = board.head(point.index(board.size()) as Index);
        self.start(board);
        self.attacker_catches(head, color, 0)
    }

    fn working_moves(&mut self, board: &Board, head: Index, liberties: Liberties) -> Vec<Index> {
        let Some(owner) = board.stone(head) else { return Vec::new() };
        let attacker = owner.opponent();
        let mut works = Vec::new();
        for at in [liberties.first, liberties.second] {
            if !board.is_legal_index(attacker, at, false) {
                continue;
            }
            self.start(board);
            self.boards[0].place(attacker, at);
            // Putting the attacking stone may have taken stones and with them lengthened the chain's life.
            let head = self.boards[0].head(head);
            self.boards[0].clear_ko();
            if liberties_of(&self.boards[0], head).count <= 1 && self.owner_is_caught(head, owner, 0) && !self.gave_up {
                works.push(at);
            }
        }
        works
    }

    fn is_captured(&mut self, board: &Board, head: Index) -> bool {
        let Some(owner) = board.stone(head) else { return false };
        self.start(board);
        // The owner of a chain in atari may always retake: a ko point would else save nothing.
        self.boards[0].clear_ko();
        self.owner_is_caught(head, owner, 0) && !self.gave_up
    }

    fn start(&mut self, board: &Board) {
        self.moves.clear();
        self.played = 0;
        self.gave_up = false;
        self.set_board(0, board);
    }

    fn set_board(&mut self, depth: usize, board: &Board) {
        match self.boards.get_mut(depth) {
            Some(scratch) => scratch.clone_from(board),
            None => self.boards.push(board.clone()),
        }
    }

    /// Plays on a copy one level deeper; false when the move is not allowed.
    fn try_move(&mut self, depth: usize, color: Color, at: Index) -> bool {
        if !self.boards[depth].is_legal_index(color, at, false) {
            return false;
        }
        if self.boards.len() == depth + 1 {
            let copy = self.boards[depth].clone();
            self.boards.push(copy);
        } else {
            let (upper, lower) = self.boards.split_at_mut(depth + 1);
            lower[0].clone_from(&upper[depth]);
        }
        self.boards[depth + 1].place(color, at);
        self.played += 1;
        self.gave_up |= self.played >= NODE_LIMIT;
        true
    }

    fn is_too_deep(&self, depth: usize) -> bool {
        depth >= 3 * self.boards[0].size().area() / 2
    }

    /// The attacker to move: whether the chain is caught.
    fn attacker_catches(&mut self, head: Index, owner: Color, depth: usize) -> bool {
        if self.gave_up {
            return false;
        }
        if self.is_too_deep(depth) {
            return true;
        }
        let attacker = owner.opponent();
        let (first, second) = {
            let board = &self.boards[depth];
            let liberties = liberties_of(board, head);
            match liberties.count {
                0 | 1 => return true,
                2 => {}
                _ => return false,
            }
            match attacking_moves(board, head, owner, liberties) {
                Attack::Caught => return true,
                Attack::Free => return false,
                Attack::Try(first, second) => (first, second),
            }
        };
        for at in [Some(first), second].into_iter().flatten() {
            if self.try_move(depth, attacker, at) {
                let head = self.boards[depth + 1].head(head);
                if self.owner_is_caught(head, owner, depth + 1) {
                    return true;
                }
            }
        }
        false
    }

    /// The owner to move: whether the chain is caught.
    fn owner_is_caught(&mut self, head: Index, owner: Color, depth: usize) -> bool {
        if self.gave_up {
            return false;
        }
        if self.is_too_deep(depth) {
            return true;
        }
        let attacker = owner.opponent();
        let first = self.moves.len();
        let own_liberty = {
            let board = &self.boards[depth];
            let Some(own_liberty) = board.atari_liberty(head) else { return false };
            if board.ko != board.geometry.area {
                return false;
            }
            capturing_moves(board, head, attacker, &mut self.moves, first);
            if !self.moves[first..].contains(&own_liberty) {
                self.moves.push(own_liberty);
            }
            match judge_escape(board, owner, own_liberty, self.moves.len() - first) {
                Some(caught) => {
                    self.moves.truncate(first);
                    return caught;
                }
                None => own_liberty,
            }
        };
        debug_assert!(self.moves[first..].contains(&own_liberty));
        let mut caught = true;
        for nth in first..self.moves.len() {
            let at = self.moves[nth];
            if self.try_move(depth, owner, at) {
                let head = self.boards[depth + 1].head(head);
                if !self.attacker_catches(head, owner, depth + 1) {
                    caught = false;
                    break;
                }
            }
        }
        self.moves.truncate(first);
        caught
    }
}

/// The first liberties of a chain, and how many there are, counted up to 3.
#[derive(Clone, Copy)]
struct Liberties {
    count: u8,
    first: Index,
    second: Index,
}

fn liberties_of(board: &Board, head: Index) -> Liberties {
    let mut found = Liberties { count: 0, first: 0, second: 0 };
    board.for_each_liberty(head, |at| {
        match found.count {
            0 => found.first = at,
            1 => found.second = at,
            _ => {}
        }
        found.count += 1;
        found.count < 3
    });
    found
}

enum Attack {
    Caught,
    Free,
    Try(Index, Option<Index>),
}

/// Which of the two liberties the attacker should try, better one first.
fn attacking_moves(board: &Board, head: Index, owner: Color, liberties: Liberties) -> Attack {
    let attacker = owner.opponent();
    let (a, b) = (liberties.first, liberties.second);
    let empty_around = |at: Index| board.cells[at as usize].empty_neighbors();
    let (free_a, free_b) = (empty_around(a), empty_around(b));
    if free_a == 0
        && free_b == 0
        && board.ko_capture(attacker, a).is_some()
        && board.ko_capture(attacker, b).is_some()
        && owner_gets_at_most_two(board, owner, a)
        && owner_gets_at_most_two(board, owner, b)
        && !touches_attacker_in_atari(board, head, attacker)
    {
        return Attack::Caught;
    }
    if !board.geometry.neighbors(a).contains(&b) {
        match (free_a >= 3, free_b >= 3) {
            (true, true) => return Attack::Free,
            (true, false) => return Attack::Try(a, None),
            (false, true) => return Attack::Try(b, None),
            (false, false) => {}
        }
    }
    // The liberty where the owner would gain more is the better one to take.
    let gain = |at: Index| {
        let through_friends: usize = board
            .geometry
            .around(at)
            .filter(|&q| board.stone(q) == Some(owner))
            .map(|q| board.liberties_up_to(board.head(q), usize::MAX))
            .filter(|&liberties| liberties > 1)
            .map(|liberties| 2 * liberties - 3)
            .sum();
        2 * usize::from(empty_around(at)) + through_friends
    };
    if gain(b) > gain(a) { Attack::Try(b, Some(a)) } else { Attack::Try(a, Some(b)) }
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
fn capturing_moves(board: &Board, head: Index, attacker: Color, moves: &mut Vec<Index>, first: usize) {
    let own = attacker as u8 + 1;
    for stone in board.chain_indices(head) {
        if board.cells[stone as usize].near_count(own) == 0 {
            continue;
        }
        for q in board.geometry.neighbors(stone) {
            let cell = board.cells[q as usize];
            if cell.stone() == own
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
