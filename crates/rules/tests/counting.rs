//! Counts that can be checked against the literature and against a slow, obvious implementation of the rules.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

use std::collections::HashSet;

use honinbo_rules::{Board, BoardSize, Color, Game, KoRule, Komi, Move, Point, Ruleset, Setup, Topology};

/// The rules by Tromp and Taylor, written down as they are said: arrays, flood fill, a set of positions seen.
#[derive(Clone)]
struct Reference {
    width: usize,
    height: usize,
    topology: Topology,
    stones: Vec<u8>,
    seen: HashSet<(Vec<u8>, u8)>,
    situational: bool,
    suicide: bool,
}

impl Reference {
    fn new(size: BoardSize, topology: Topology, situational: bool, suicide: bool) -> Reference {
        let stones = vec![0; size.area()];
        let mut game = Reference {
            width: size.width(),
            height: size.height(),
            topology,
            stones,
            seen: HashSet::new(),
            situational,
            suicide,
        };
        game.remember(1);
        game
    }

    fn remember(&mut self, to_play: u8) {
        let mover = if self.situational { to_play } else { 0 };
        self.seen.insert((self.stones.clone(), mover));
    }

    fn neighbors(&self, at: usize) -> Vec<usize> {
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        let (w, h) = (self.width as i32, self.height as i32);
        let mut found = Vec::new();
        for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
            let (mut nx, mut ny) = (x + dx, y + dy);
            if self.topology != Topology::Plane {
                nx = nx.rem_euclid(w);
            }
            if self.topology == Topology::Torus {
                ny = ny.rem_euclid(h);
            }
            if (0..w).contains(&nx) && (0..h).contains(&ny) {
                let q = (ny * w + nx) as usize;
                if !found.contains(&q) {
                    found.push(q);
                }
            }
        }
        found
    }

    /// The chain at a point, if it has no liberty.
    fn breathless(&self, at: usize) -> Option<Vec<usize>> {
        let mut chain = vec![at];
        let mut next = 0;
        while next < chain.len() {
            for q in self.neighbors(chain[next]) {
                if self.stones[q] == 0 {
                    return None;
                }
                if self.stones[q] == self.stones[at] && !chain.contains(&q) {
                    chain.push(q);
                }
            }
            next += 1;
        }
        Some(chain)
    }

    /// The game after a stone, or `None` when it is not allowed.
    fn play(&self, at: usize, color: u8) -> Option<Reference> {
        if self.stones[at] != 0 {
            return None;
        }
        let mut after = self.clone();
        after.stones[at] = color;
        for q in self.neighbors(at) {
            if after.stones[q] == 3 - color
                && let Some(dead) = after.breathless(q)
            {
                dead.into_iter().for_each(|stone| after.stones[stone] = 0);
            }
        }
        if let Some(own) = after.breathless(at) {
            if !self.suicide || own.len() == 1 {
                return None;
            }
            own.into_iter().for_each(|stone| after.stones[stone] = 0);
        }
        let mover = if self.situational { 3 - color } else { 0 };
        if self.seen.contains(&(after.stones.clone(), mover)) {
            return None;
        }
        after.remember(3 - color);
        Some(after)
    }
}

fn ruleset(situational: bool, suicide: bool) -> Ruleset {
    let ko = if situational { KoRule::Situational } else { KoRule::Positional };
    Ruleset { ko, multi_stone_suicide: suicide, ..Ruleset::TROMP_TAYLOR }
}

/// Number of games of exactly `depth` stones, no passes.
fn games(game: &Game, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let points: Vec<Point> = game.legal_points().collect();
    if depth == 1 {
        return points.len() as u64;
    }
    points
        .into_iter()
        .map(|point| {
            let mut next = game.clone();
            next.play(game.to_play(), Move::Place(point)).unwrap();
            games(&next, depth - 1)
        })
        .sum()
}

fn reference_games(game: &Reference, color: u8, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    (0..game.stones.len())
        .filter_map(|at| game.play(at, color))
        .map(|next| reference_games(&next, 3 - color, depth - 1))
        .sum()
}

fn start(size: BoardSize, topology: Topology, situational: bool, suicide: bool) -> Game {
    Game::new(Setup::new(size, topology, ruleset(situational, suicide), Komi::ZERO)).unwrap()
}

type Counts = (usize, usize, Topology, &'static [u64]);

/// Games of 1, 2, 3 … stones without a pass, under positional superko with suicide.
const GAMES: [Counts; 9] = [
    (2, 2, Topology::Plane, &[4, 12, 24, 16, 32, 32, 16, 48, 80, 32, 64, 32, 32, 96, 160, 64, 128, 64, 64]),
    (2, 3, Topology::Plane, &[6, 30, 120, 344, 728, 1184, 2424, 3824, 3768, 9248, 24328, 47936, 92920, 169328]),
    (3, 3, Topology::Plane, &[9, 72, 504, 2976, 14720, 57040, 177904]),
    (3, 4, Topology::Plane, &[12, 132, 1320, 11808, 93992, 646704]),
    (2, 2, Topology::Torus, &[4, 12, 24, 16, 32, 32, 16, 48, 80, 32, 64, 32, 32, 96, 160, 64, 128, 64, 64]),
    (2, 3, Topology::Torus, &[6, 30, 120, 360, 720, 792, 2232, 3456, 3024, 9936, 28296, 51024, 69816, 98352]),
    (3, 3, Topology::Torus, &[9, 72, 504, 3024, 15120, 60480, 181440]),
    (3, 3, Topology::Cylinder, &[9, 72, 504, 3024, 15120, 59976, 183600]),
    (4, 4, Topology::Torus, &[16, 240, 3360, 43680, 524160]),
];

#[test]
fn the_number_of_games_is_as_recorded_and_as_counted_slowly() {
    for (width, height, topology, counts) in GAMES {
        let size = BoardSize::new(width, height).unwrap();
        let game = start(size, topology, false, true);
        let reference = Reference::new(size, topology, false, true);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(games(&game, depth), count, "{size} {topology}, {depth} stones");
            if count < 30_000 {
                assert_eq!(reference_games(&reference, 1, depth), count, "{size} {topology} counted slowly");
            }
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_rules() {
    let mut random = honinbo_rules::Random::new(5);
    let (mut moves, mut refused) = (0, 0);
    for nth in 0..240usize {
        let size = BoardSize::new(2 + random.below(4), 2 + random.below(4)).unwrap();
        let topology = Topology::ALL[nth % 3];
        let (situational, suicide) = (nth / 3 % 2 == 0, nth / 6 % 2 == 0);
        let mut game = start(size, topology, situational, suicide);
        let mut reference = Reference::new(size, topology, situational, suicide);
        for _ in 0..60 {
            let color = game.to_play();
            let code = color.index() as u8 + 1;
            let allowed: Vec<usize> = (0..size.area()).filter(|&at| reference.play(at, code).is_some()).collect();
            let listed: Vec<usize> = game.legal_points().map(|point| point.index(size)).collect();
            // The simple ko point is listed apart from superko; both forbid.
            assert_eq!(listed, allowed, "{color} on\n{}\n{topology} {:?}", game.board(), game.ruleset());
            refused += game.board().empty_points().count() - allowed.len();
            if allowed.is_empty() {
                break;
            }
            let at = allowed[random.below(allowed.len())];
            game.play(color, Move::Place(Point::from_index(at, size))).unwrap();
            reference = reference.play(at, code).unwrap();
            let stones: Vec<u8> = game.board().points().map(|stone| stone.map_or(0, |c| c.index() as u8 + 1)).collect();
            assert_eq!(stones, reference.stones);
            moves += 1;
        }
    }
    assert!(moves > 5_000 && refused > 500, "{moves} moves, {refused} refused");
}

/// Legal positions, every point of the board empty, black or white and every chain with a liberty.
fn legal_positions(size: BoardSize, topology: Topology) -> u64 {
    let area = size.area();
    let mut legal = 0;
    let mut stones: Vec<(Point, Color)> = Vec::with_capacity(area);
    for code in 0..3u64.pow(area as u32) {
        stones.clear();
        let mut rest = code;
        for point in Point::all(size) {
            match rest % 3 {
                1 => stones.push((point, Color::Black)),
                2 => stones.push((point, Color::White)),
                _ => {}
            }
            rest /= 3;
        }
        legal += u64::from(Board::with_stones(size, topology, stones.iter().copied()).is_ok());
    }
    legal
}

/// J. Tromp and G. Farnebäck, "Combinatorics of Go" (2007), table of legal positions.
#[test]
fn legal_positions_are_as_published() {
    legal_positions_of(&[(2, 2, 57), (2, 3, 489), (3, 2, 489), (2, 4, 4_125), (3, 3, 12_675), (2, 5, 35_117)]);
}

#[test]
fn legal_positions_of_larger_boards_are_as_published() {
    if honinbo_testkit::fixtures::slow_tests() {
        legal_positions_of(&[(2, 6, 299_681), (3, 4, 321_689), (4, 3, 321_689), (4, 4, 24_318_165)]);
    }
}

fn legal_positions_of(table: &[(usize, usize, u64)]) {
    for &(width, height, count) in table {
        let size = BoardSize::new(width, height).unwrap();
        assert_eq!(legal_positions(size, Topology::Plane), count, "{size}");
    }
}
