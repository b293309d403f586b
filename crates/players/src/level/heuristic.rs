//! Players that need neither a network nor a search: a child's first opponents.

use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Board, Color, Game, Move, Point, Random};

use crate::{Player, PlayerError};

/// Plays any legal point that is no eye of its own, and passes when there is none.
///
/// Filling one's own eyes would be legal too, but then no game would ever end.
pub struct RandomPlayer {
    name: String,
    random: Random,
}

impl RandomPlayer {
    /// The same seed plays the same game.
    #[must_use]
    pub fn new(name: impl Into<String>, seed: u64) -> RandomPlayer {
        RandomPlayer { name: name.into(), random: Random::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        let points = sensible(game);
        let point = points.get(self.random.below(points.len().max(1)));
        Ok(point.map_or(Move::Pass, |&point| Move::Place(point)))
    }
}

/// What a [`HeuristicPlayer`] likes, each with the weight 1 for as much as it usually counts and 0 for not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeuristicWeights {
    /// Nearness to the centre: 20 minus the straight distance.
    pub center: f64,
    /// 3 for each adjacent stone of its own.
    pub connectivity: f64,
    /// 1 for each empty point within two steps that touches no opposing stone, and 2 for each stone it captures.
    pub territory: f64,
    /// 1 for each point within four steps that comes under its influence: stones radiate, half as much with each step.
    pub influence: f64,
}

impl HeuristicWeights {
    /// Those of `medium`: centre and connection alone.
    pub const MEDIUM: HeuristicWeights =
        HeuristicWeights { center: 1.0, connectivity: 1.0, territory: 0.0, influence: 0.0 };
}

/// Scores each legal point and plays one of the best.
pub struct HeuristicPlayer {
    name: String,
    weights: HeuristicWeights,
    /// How often one of the best three is played instead of the best, 0 to 1.
    randomness: f64,
    random: Random,
}

/// How far stones radiate, in steps.
const REACH: usize = 4;

impl HeuristicPlayer {
    /// `randomness`: how often, 0 to 1, one of the best three is played instead of the best.
    #[must_use]
    pub fn new(name: impl Into<String>, weights: HeuristicWeights, randomness: f64, seed: u64) -> HeuristicPlayer {
        HeuristicPlayer { name: name.into(), weights, randomness, random: Random::new(seed) }
    }

    /// The level `medium`: four times in five the best point, otherwise one of the best three.
    #[must_use]
    pub fn medium(name: impl Into<String>, seed: u64) -> HeuristicPlayer {
        HeuristicPlayer::new(name, HeuristicWeights::MEDIUM, 0.2, seed)
    }

    /// The turn it takes in this game.
    pub fn turn(&mut self, game: &Game) -> Move {
        let mut points = sensible(game);
        // Equal points are taken in any order, not always from the top.
        for last in (1..points.len()).rev() {
            points.swap(last, self.random.below(last + 1));
        }
        let score = Scorer::new(game, self.weights);
        let mut scored: Vec<(f64, Point)> = points.into_iter().map(|point| (score.of(point), point)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let chance = self.random.unit();
        let among = if chance < self.randomness { scored.len().min(3) } else { 1 };
        let chosen = scored.get(self.random.below(among.max(1)));
        chosen.map_or(Move::Pass, |&(_, point)| Move::Place(point))
    }
}

impl Player for HeuristicPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.turn(game))
    }
}

/// Legal points that are no eyes of the mover's own.
pub(super) fn sensible(game: &Game) -> Vec<Point> {
    let (board, color) = (game.board(), game.to_play());
    game.legal_points().filter(|&point| board.get(point).is_none() && !board.is_simple_eye(color, point)).collect()
}

struct Scorer<'a> {
    board: &'a Board,
    color: Color,
    weights: HeuristicWeights,
    /// What stones radiate to each point, the mover's counted above zero. Empty where it does not matter.
    field: Vec<f64>,
}

impl<'a> Scorer<'a> {
    fn new(game: &'a Game, weights: HeuristicWeights) -> Scorer<'a> {
        let (board, color) = (game.board(), game.to_play());
        let mut field = Vec::new();
        if weights.influence != 0.0 {
            field = vec![0.0; board.size().area()];
            for (stone, owner) in board.stones() {
                let sign = if owner == color { 1.0 } else { -1.0 };
                for (point, steps) in around(board, stone, REACH) {
                    field[point.index(board.size())] += sign * radiated(steps);
                }
            }
        }
        Scorer { board, color, weights, field }
    }

    fn of(&self, point: Point) -> f64 {
        let HeuristicWeights { center, connectivity, territory, influence } = self.weights;
        let mut score =
            center * (20.0 - distance_to_center(self.board, point)) + connectivity * 3.0 * self.own_beside(point);
        if territory != 0.0 {
            score += territory * self.territory(point);
        }
        if influence != 0.0 {
            score += influence * self.influence(point);
        }
        score
    }

    fn own_beside(&self, point: Point) -> f64 {
        self.board.neighbors(point).filter(|&near| self.board.get(near) == Some(self.color)).count() as f64
    }

    fn territory(&self, point: Point) -> f64 {
        let opponent = self.color.opponent();
        let touches_opponent =
            |near: Point| self.board.neighbors(near).any(|other| self.board.get(other) == Some(opponent));
        let room =
            around(self.board, point, 2).filter(|&(near, _)| self.board.get(near).is_none() && !touches_opponent(near));
        let captured: usize = self
            .board
            .chains()
            .filter(|chain| {
                chain.color() == opponent && chain.is_in_atari() && chain.liberties().any(|last| last == point)
            })
            .map(|chain| chain.len())
            .sum();
        room.count() as f64 + 2.0 * captured as f64
    }

    fn influence(&self, point: Point) -> f64 {
        let size = self.board.size();
        around(self.board, point, REACH)
            .filter(|&(near, steps)| {
                let before = self.field[near.index(size)];
                before <= 0.0 && before + radiated(steps) > 0.0
            })
            .count() as f64
    }
}

fn radiated(steps: usize) -> f64 {
    0.5f64.powi(steps as i32)
}

/// Euclidean distance to the middle of the board, which on even sides lies between two lines. On a torus the middle is
/// that of the board as it is drawn.
fn distance_to_center(board: &Board, point: Point) -> f64 {
    let offset = |at: usize, side: usize| at as f64 - (side as f64 - 1.0) / 2.0;
    offset(point.x(), board.size().width()).hypot(offset(point.y(), board.size().height()))
}

/// The points within so many steps along the lines, itself included, with their distance. Edges that are joined are
/// stepped over; on a small torus no point is given twice.
pub(super) fn around(board: &Board, point: Point, reach: usize) -> impl Iterator<Item = (Point, usize)> + use<> {
    let (size, topology) = (board.size(), board.topology());
    let offsets = |at: usize, side: usize, wraps: bool| -> Vec<(usize, usize)> {
        (0..side)
            .filter_map(|other| {
                let straight = at.abs_diff(other);
                let steps = if wraps { straight.min(side - straight) } else { straight };
                (steps <= reach).then_some((other, steps))
            })
            .collect()
    };
    let columns = offsets(point.x(), size.width(), topology.wraps_x());
    let rows = offsets(point.y(), size.height(), topology.wraps_y());
    rows.into_iter().flat_map(move |(y, down)| {
        let near: Vec<(Point, usize)> = columns
            .iter()
            .filter(|&&(_, across)| across + down <= reach)
            .map(|&(x, across)| (Point::new(x, y), across + down))
            .collect();
        near
    })
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Topology};

    use super::*;

    fn game(side: usize, topology: Topology) -> Game {
        let size = BoardSize::square(side).unwrap();
        Game::new(Setup::new(size, topology, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15))).unwrap()
    }

    #[test]
    fn medium_begins_in_the_middle_and_stays_connected() {
        let mut player = HeuristicPlayer::new("m", HeuristicWeights::MEDIUM, 0.0, 1);
        let mut game = game(9, Topology::Plane);
        assert_eq!(player.turn(&game), Move::Place(Point::new(4, 4)));
        game.play(Color::Black, Move::Place(Point::new(4, 4))).unwrap();
        game.play(Color::White, Move::Place(Point::new(0, 0))).unwrap();
        // 20 - 1 + 3 beside its own stone; nothing else is worth as much.
        let Move::Place(next) = player.turn(&game) else { panic!("it passed") };
        assert!(game.board().neighbors(Point::new(4, 4)).any(|near| near == next), "{next:?}");
    }

    #[test]
    fn medium_measures_the_straight_distance_to_the_centre() {
        let game = game(9, Topology::Plane);
        let scorer = Scorer::new(&game, HeuristicWeights::MEDIUM);
        assert_eq!(scorer.of(Point::new(4, 4)), 20.0);
        assert_eq!(scorer.of(Point::new(1, 0)), 15.0, "three columns and four rows are five apart");
        // Along the lines D8 would be as far from the centre as E9 is.
        assert!(scorer.of(Point::new(3, 1)) > scorer.of(Point::new(4, 0)));
    }

    #[test]
    fn one_turn_in_five_is_not_surely_the_best() {
        let mut player = HeuristicPlayer::medium("m", 7);
        let game = game(9, Topology::Plane);
        let best = (0..1000).filter(|_| player.turn(&game) == Move::Place(Point::new(4, 4))).count();
        // 80 % and a third of the rest.
        assert!((820..=915).contains(&best), "{best}");
    }

    #[test]
    fn distances_go_over_joined_edges() {
        let board = |topology| Board::new(BoardSize::NINE, topology);
        let count = |topology, reach| around(&board(topology), Point::new(0, 0), reach).count();
        assert_eq!((count(Topology::Plane, 2), count(Topology::Torus, 2)), (6, 13));
        let small = Board::new(BoardSize::square(3).unwrap(), Topology::Torus);
        assert_eq!(around(&small, Point::new(0, 0), 4).count(), 9);
    }

    #[test]
    fn territory_likes_captures_and_influence_open_sides() {
        let mut game = game(9, Topology::Plane);
        for (color, x, y) in [(Color::Black, 1, 0), (Color::White, 0, 0), (Color::Black, 7, 7), (Color::White, 6, 1)] {
            game.play(color, Move::Place(Point::new(x, y))).unwrap();
        }
        let weights = HeuristicWeights { center: 0.0, connectivity: 0.0, territory: 1.0, influence: 0.0 };
        let scorer = Scorer::new(&game, weights);
        // Five empty points within two steps that White does not touch, and a stone captured.
        assert_eq!(scorer.of(Point::new(0, 1)), 5.0 + 2.0);
        let weights = HeuristicWeights { territory: 0.0, influence: 1.0, ..weights };
        let scorer = Scorer::new(&game, weights);
        assert!(
            scorer.of(Point::new(3, 5)) > scorer.of(Point::new(8, 8)),
            "the open side brings more than the corner of one's own"
        );
    }
}
