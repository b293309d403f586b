//! From a node of a record to the game at that point.

use honinbo_rules::{Board, Color, Game, HandicapCount, IllegalMove, Komi, Move, Point, Ruleset, Setup, SetupError};

use crate::diagnostic::Problem;
use crate::info::GameInfo;
use crate::node::SetupStones;
use crate::tree::{GameTree, NodeId};

/// Problems kept for one replay.
const MAX_PROBLEMS: usize = 100;

/// Rules to replay by, where they are not those of the record.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReplayOptions {
    /// Instead of `RU`.
    pub ruleset: Option<Ruleset>,
    /// Instead of `KM`.
    pub komi: Option<Komi>,
}

/// A game taken from a record.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The game after the moves up to the node. A node that sets up stones in mid-game starts it anew from there.
    pub game: Game,
    /// What the record says about the game.
    pub info: GameInfo,
    /// What was not as it should be, and at which node.
    pub problems: Vec<(NodeId, Problem)>,
}

/// Replays the line from the root to `node` with the record's own rules and komi, or the likely ones.
///
/// Every record gives a game: moves that cannot be played are reported and left out, moves of the wrong colour and
/// moves that break a ko are played as written.
///
/// ```
/// use honinbo_record::{read_sgf, replay};
/// let tree = &read_sgf(b"(;SZ[9]KM[5.5]RU[Japanese]AB[ee];W[ef];B[ee];W[tt])").games[0].tree;
/// let last = tree.line_from(tree.root()).last().unwrap();
/// let replayed = replay(tree, last);
/// assert_eq!(replayed.game.turns().len(), 2);
/// assert_eq!(replayed.problems[0].1.to_string(), "move 2 is not legal: E5 is already occupied");
/// ```
#[must_use]
pub fn replay(tree: &GameTree, node: NodeId) -> Replay {
    replay_with(tree, node, ReplayOptions::default())
}

/// Replays the line from the root to `node`.
#[must_use]
pub fn replay_with(tree: &GameTree, node: NodeId, options: ReplayOptions) -> Replay {
    replay_each(tree, node, options, &mut |_, _| {})
}

/// As [`replay_with`], showing the game at each node on the way, the root first and `node` last.
pub fn replay_each(
    tree: &GameTree,
    node: NodeId,
    options: ReplayOptions,
    visit: &mut dyn FnMut(NodeId, &Game),
) -> Replay {
    let info = GameInfo::of(tree);
    let path = tree.path(node);
    let ruleset = options.ruleset.unwrap_or_else(|| info.ruleset_or_guess());
    let komi = options.komi.unwrap_or_else(|| info.komi_or_guess());
    let mut setup = Setup::new(info.size, info.topology, ruleset, komi);
    let mut problems: Vec<(NodeId, Problem)> = info.problems.iter().map(|p| (NodeId::ROOT, p.clone())).collect();
    add_missing_handicap(tree, &path, &info, &mut setup, &mut problems);
    let mut replayer = Replayer { game: start(setup, NodeId::ROOT, &mut problems), problems, number: 0, full: false };
    for (at, &id) in path.iter().enumerate() {
        let stones = tree.setup_at(id, info.size);
        for (ident, value) in &stones.invalid {
            replayer.report(id, Problem::BadPoint { ident: ident.clone(), value: value.clone() });
        }
        if !stones.is_empty() {
            // After handicap stones White moves, but not again whenever a stone is set later.
            let after_handicap = (replayer.number == 0 && info.handicap > 1).then_some(Color::White);
            replayer.set_up(id, &stones, next_mover(tree, &path[at..], &info).or(after_handicap));
        }
        if let Some(found) = tree.move_at(id, info.size) {
            replayer.number += 1;
            match found.played {
                Ok(played) => replayer.play(id, found.color, played, info.handicap),
                Err(value) => {
                    let ident = found.color.letter().to_string();
                    replayer.report(id, Problem::BadPoint { ident, value });
                }
            }
        }
        visit(id, &replayer.game);
    }
    let Replayer { game, problems, .. } = replayer;
    Replay { game, info, problems }
}

struct Replayer {
    game: Game,
    problems: Vec<(NodeId, Problem)>,
    number: u32,
    full: bool,
}

impl Replayer {
    fn report(&mut self, id: NodeId, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((id, problem));
        }
    }

    fn play(&mut self, id: NodeId, color: Color, played: Move, handicap: u32) {
        if self.full {
            return;
        }
        // Free handicap is recorded as moves of Black in a row.
        let places_handicap = color == Color::Black && self.number <= handicap;
        if color != self.game.to_play() && !places_handicap {
            let color = if color == Color::Black { "Black" } else { "White" };
            self.report(id, Problem::WrongTurn { number: self.number, color });
        }
        if let Err(reason) = self.game.play_tolerant(color, played) {
            self.full = matches!(reason, IllegalMove::TooLong { .. });
            let reason = reason.on_board(self.game.board().size());
            self.report(id, Problem::IllegalMove { number: self.number, reason });
        }
    }

    /// Starts the game anew from the current position with stones put on and taken off.
    fn set_up(&mut self, id: NodeId, stones: &SetupStones, next: Option<Color>) {
        let board = self.game.board();
        let mut points: Vec<Option<Color>> = board.points().collect();
        let size = board.size();
        let changes = [(&stones.empty, None), (&stones.black, Some(Color::Black)), (&stones.white, Some(Color::White))];
        for (list, content) in changes {
            for point in list {
                points[point.index(size)] = content;
            }
        }
        let mut setup = self.game.setup().clone();
        let untouched = self.game.turns().is_empty();
        setup.stones = points
            .iter()
            .enumerate()
            .filter_map(|(index, content)| Some((Point::from_index(index, size), (*content)?)))
            .collect();
        if !untouched {
            setup.captured_by = Color::ALL.map(|color| board.captured_by(color));
            let counted = u16::try_from(self.game.handicap_stones()).unwrap_or(0);
            setup.handicap = HandicapCount::Exactly(counted);
        }
        setup.first_player = stones.to_play.or(next).unwrap_or(self.game.to_play());
        self.game = start(setup, id, &mut self.problems);
    }
}

/// The game of a set-up; stones that cannot stand are taken off, since some records set up captured chains.
fn start(mut setup: Setup, id: NodeId, problems: &mut Vec<(NodeId, Problem)>) -> Game {
    let size = setup.size;
    loop {
        match Game::new(setup.clone()) {
            Ok(game) => return game,
            Err(SetupError::NoLiberty(point)) => {
                let chain = lifeless_chain(&setup, point);
                setup.stones.retain(|(stone, _)| !chain.contains(stone));
                if problems.len() < MAX_PROBLEMS {
                    problems.push((id, Problem::LifelessStones { point: point.to_gtp(size) }));
                }
            }
            Err(other) => {
                // Stones come from a board of the same size, so no other refusal exists; an empty board always stands.
                problems.push((id, Problem::LifelessStones { point: other.on_board(size) }));
                setup = Setup::new(setup.size, setup.topology, setup.ruleset, setup.komi);
            }
        }
    }
}

/// All stones connected with the one at `point`.
fn lifeless_chain(setup: &Setup, point: Point) -> Vec<Point> {
    let Some(&(_, color)) = setup.stones.iter().find(|(stone, _)| *stone == point) else { return vec![point] };
    let empty = Board::new(setup.size, setup.topology);
    let mut chain = vec![point];
    let mut at = 0;
    while let Some(&stone) = chain.get(at) {
        for neighbor in empty.neighbors(stone) {
            if setup.stones.contains(&(neighbor, color)) && !chain.contains(&neighbor) {
                chain.push(neighbor);
            }
        }
        at += 1;
    }
    chain
}

/// Who moves after a set-up: the colour of the line's next move.
fn next_mover(tree: &GameTree, rest: &[NodeId], info: &GameInfo) -> Option<Color> {
    let later = || std::iter::successors(rest.last().copied(), |&node| tree.first_child(node)).skip(1);
    let next = rest.iter().copied().chain(later()).take(1000).find_map(|node| tree.move_at(node, info.size));
    next.map(|found| found.color)
}

/// Handicap stones that a record counts and does not set up. Some servers write `HA` alone: when White moves first, that
/// many belong on the star points.
pub(crate) fn missing_handicap(tree: &GameTree, path: &[NodeId], info: &GameInfo) -> Option<usize> {
    let is_missing = info.handicap > 1
        && handicap_set_up(tree, info) == 0
        && next_mover(tree, path, info).is_none_or(|next| next == Color::White);
    is_missing.then_some(info.handicap as usize)
}

/// Black stones that the first nodes set up.
fn handicap_set_up(tree: &GameTree, info: &GameInfo) -> usize {
    tree.line_from(NodeId::ROOT).take(3).map(|id| tree.setup_at(id, info.size).black.len()).sum()
}

fn add_missing_handicap(
    tree: &GameTree,
    path: &[NodeId],
    info: &GameInfo,
    setup: &mut Setup,
    problems: &mut Vec<(NodeId, Problem)>,
) {
    if info.handicap < 2 {
        return;
    }
    let stones = handicap_set_up(tree, info);
    if stones > 0 {
        if stones != info.handicap as usize {
            let stones = u32::try_from(stones).unwrap_or(u32::MAX);
            problems.push((NodeId::ROOT, Problem::HandicapMismatch { declared: info.handicap, stones }));
        }
        return;
    }
    if let Some(missing) = missing_handicap(tree, path, info)
        && let Ok(placed) = setup.clone().with_fixed_handicap(missing)
    {
        *setup = placed;
        problems.push((NodeId::ROOT, Problem::MissingHandicap { declared: info.handicap }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sgf;

    fn end_of(sgf: &str) -> Replay {
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let last = tree.line_from(tree.root()).last().unwrap();
        replay(&tree, last)
    }

    fn problems(replay: &Replay) -> Vec<String> {
        replay.problems.iter().map(|(_, problem)| problem.to_string()).collect()
    }

    #[test]
    fn moves_of_the_wrong_colour_are_played_and_reported() {
        let replay = end_of("(;SZ[9];B[aa];B[bb];W[cc])");
        assert_eq!(replay.game.turns().len(), 3);
        assert_eq!(problems(&replay), ["move 2 is by Black, whose turn it was not"]);
    }

    #[test]
    fn a_ko_retaken_at_once_is_played_as_written() {
        let replay = end_of("(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])");
        assert_eq!(problems(&replay), Vec::<String>::new());
        assert_eq!(replay.game.board().get(Point::new(2, 1)), None);
    }

    #[test]
    fn illegal_moves_and_points_off_the_board_are_left_out() {
        let replay = end_of("(;SZ[9];B[aa];W[aa];B[zz];W[])");
        assert_eq!(replay.game.turns().len(), 2);
        assert_eq!(
            problems(&replay),
            ["move 2 is not legal: A9 is already occupied", "B[zz] is not a point of the board"]
        );
    }

    #[test]
    fn handicap_stones_come_from_the_record_or_from_the_star_points() {
        let given = end_of("(;SZ[19]HA[2]AB[dp][pd];W[qq])");
        assert_eq!((given.game.board().count(Color::Black), problems(&given).len()), (2, 0));
        let missing = end_of("(;SZ[19]HA[3];W[qq])");
        assert_eq!(missing.game.board().count(Color::Black), 3);
        assert_eq!(problems(&missing), ["handicap 3 without its stones"]);
        let free = end_of("(;SZ[19]HA[2]RU[Chinese];B[dp];B[pd];W[qq])");
        assert_eq!((free.game.handicap_stones(), problems(&free).len()), (2, 0));
        let fox = end_of("(;SZ[19]AP[foxwq]KM[375]HA[0]RU[Chinese];B[dp];B[pd];W[qq])");
        assert_eq!((fox.game.handicap_stones(), fox.game.komi().points()), (2, 0.0));
        assert_eq!(problems(&fox), ["komi `375` is in the unit of the server"]);
        let wrong = end_of("(;SZ[19]HA[4]AB[dp][pd];W[qq])");
        assert_eq!(problems(&wrong), ["handicap 4, but 2 stones are on the board"]);
    }

    #[test]
    fn stones_set_up_in_mid_game_start_it_anew() {
        let replay = end_of("(;SZ[9];B[aa];W[ba];B[ee];W[ab];AE[ee]AB[cc:dd]PL[W];W[hh])");
        assert_eq!(replay.game.board().count(Color::Black), 4);
        assert_eq!(replay.game.board().captured_by(Color::White), 1);
        assert_eq!(replay.game.turns().len(), 1);
        assert!(problems(&replay).is_empty());
    }

    #[test]
    fn a_stone_that_is_set_leaves_the_turn_where_it_was() {
        let handicap = "(;SZ[9]HA[2]AB[cg][gc]";
        for (rest, to_play) in [
            (")", Color::White),
            (";AW[ee])", Color::White),
            (";W[ee];AW[aa])", Color::Black),
            (";W[ee];AW[aa];AB[ba])", Color::Black),
            (";W[ee];B[ff];AW[aa])", Color::White),
        ] {
            assert_eq!(end_of(&format!("{handicap}{rest}")).game.to_play(), to_play, "{rest}");
        }
        assert_eq!(end_of("(;SZ[9]PL[W];AB[aa])").game.to_play(), Color::White);
        assert_eq!(end_of("(;SZ[9]HA[2])").game.board().count(Color::Black), 2);
    }

    #[test]
    fn rules_that_are_spelled_out_are_played_by() {
        let replay = end_of("(;SZ[9]RU[koPOSITIONALscoreTERRITORYtaxALLsui1whbN-1]KM[0])");
        let compact = replay.game.ruleset().to_compact(replay.game.komi());
        assert_eq!(compact, "koPOSITIONALscoreTERRITORYtaxALLsui1whbN-1komi0");
        assert!(problems(&replay).is_empty());
    }

    #[test]
    fn lifeless_stones_of_a_set_up_are_taken_off() {
        let replay = end_of("(;SZ[9]AB[ab][bb][ca]AW[aa][ba])");
        assert_eq!(replay.game.board().count(Color::White), 0);
        assert_eq!(problems(&replay), ["the stones at A9 have no liberty"]);
    }
}
