//! What kind of mistake a move is: read on the board, with whose the points are after it and after the better move.

use crate::lessons::facts::parted;
use honinbo_library::MoveClass;
use honinbo_rules::{Board, Color, Game, Move, Point, ladders};
use std::collections::HashMap;

/// Stones of one chain, or of several that share its fate, whose loss makes a kind.
const MIN_STONES: usize = 2;
/// Stones whose capture is a matter of reading.
const MIN_CAUGHT: usize = 2;
/// Mean ownership of stones that live; those that are lost are more likely the other side's.
const SURE: f64 = 0.5;
/// Ownership that the empty points of a ninth of the board lose together: points, of each one two at most.
const MIN_POINTS: f64 = 4.0;
/// Lines within which a stone of one's own makes a move part of a fight.
const CLOSE: usize = 2;
/// Liberties of chains that race.
const RACE_LIBERTIES: usize = 7;
/// Lines from the better move to the move from which it is another part of the board.
const FAR: usize = 6;
/// Lines within which a stone of one's own makes a move no invasion, and within which stones of the other are looked for.
const ALONE: usize = 2;
const AMONG: usize = 4;
/// Stones of the other side among which a move invades.
const MIN_AMONG: usize = 2;

/// A mistake, and the position before it.
pub(super) struct Mistaken<'a> {
    pub(super) before: &'a Game,
    pub(super) played: Move,
    pub(super) better: Option<Move>,
    /// 0 opening, 1 middle game, 2 endgame.
    pub(super) phase: usize,
    /// The move before.
    pub(super) last: Option<Point>,
    /// Whose each point is, from Black's side, after the move and after the better one.
    pub(super) owners: Option<[&'a [f32]; 2]>,
}

/// The first kind that fits: what is certain before what is likely.
pub(super) fn kind(mistake: &Mistaken<'_>) -> MoveClass {
    let after = |played: Move| {
        let mut after = mistake.before.clone();
        after.play(mistake.before.to_play(), played).ok().map(|()| after)
    };
    let after_played = after(mistake.played);
    let after_better = mistake.better.and_then(after);
    let [played, better] = [&after_played, &after_better].map(|after| after.as_ref().map(Game::board));
    if is_ko(mistake, [played, better]) {
        return MoveClass::Ko;
    }
    if let (Some(played), Some(better)) = (played, better) {
        if is_race(mistake, played, better) {
            return MoveClass::Race;
        }
        if is_caught(mistake, played, better) || leaves_stones(mistake, played, better) {
            return MoveClass::Reading;
        }
        let own = mistake.before.to_play();
        let turned = |color: Color, lives: usize| {
            flipped(mistake, color, lives, [played, better]).iter().map(Vec::len).sum::<usize>() >= MIN_STONES
        };
        if turned(own, 1) || turned(own.opponent(), 0) {
            return MoveClass::LifeAndDeath;
        }
    }
    let points = (mistake.played.point(), mistake.better.and_then(Move::point));
    if mistake.phase == 2 {
        return MoveClass::Endgame;
    }
    let (Some(at), Some(instead)) = points else { return MoveClass::Other };
    if mistake.phase == 0 && is_in_one_corner(mistake, at, instead) {
        return MoveClass::Joseki;
    }
    let reply = after_played.as_ref().and_then(|after| parted(after, instead));
    if reply.or_else(|| parted(mistake.before, instead)).is_some() {
        return MoveClass::Cut;
    }
    if invades(mistake.before, at) || invades(mistake.before, instead) {
        return MoveClass::Invasion;
    }
    if distance(at, instead) >= FAR {
        MoveClass::Direction
    } else if fights(mistake.before, at, instead) {
        MoveClass::Fight
    } else if points_lost(mistake, [played, better]) >= MIN_POINTS {
        MoveClass::Territory
    } else {
        MoveClass::Other
    }
}

fn distance(one: Point, other: Point) -> usize {
    one.x().abs_diff(other.x()).max(one.y().abs_diff(other.y()))
}

/// A ko is on the board, or one of the moves takes one.
fn is_ko(mistake: &Mistaken<'_>, after: [Option<&Board>; 2]) -> bool {
    mistake.before.board().ko_point().is_some() || after.into_iter().flatten().any(|board| board.ko_point().is_some())
}

/// Own stones that can be taken at once or in a ladder after the move, and could not after the better one.
fn is_caught(mistake: &Mistaken<'_>, played: &Board, better: &Board) -> bool {
    let own = mistake.before.to_play();
    let caught = |board: &Board| -> Vec<Vec<Point>> {
        let atari = board.chains().filter(|chain| chain.color() == own && chain.liberties_up_to(2) == 1);
        let atari: Vec<Vec<Point>> = atari.map(|chain| chain.stones().collect()).collect();
        let ladders = ladders(board).into_iter().filter(|found| found.color == own && !found.working_moves.is_empty());
        atari.into_iter().chain(ladders.map(|found| found.stones)).filter(|stones| stones.len() >= MIN_CAUGHT).collect()
    };
    let still: Vec<Point> = caught(better).concat();
    caught(played).iter().any(|stones| {
        // A chain that the move itself began is no loss of the move left out.
        let before = stones.iter().filter(|&&stone| mistake.before.board().get(stone) == Some(own)).count();
        before >= MIN_CAUGHT && stones.iter().all(|stone| !still.contains(stone))
    })
}

/// The better move takes stones that the move leaves.
fn leaves_stones(mistake: &Mistaken<'_>, played: &Board, better: &Board) -> bool {
    let other = mistake.before.to_play().opponent();
    let taken = |board: &Board| {
        let stones = mistake.before.board().stones().filter(|&(_, color)| color == other);
        stones.filter(|&(point, _)| board.get(point).is_none()).count()
    };
    taken(better) >= taken(played) + MIN_CAUGHT
}

/// Chains of the position before that stand and live after one of the moves (0 the move, 1 the better one) and not after
/// the other.
fn flipped(mistake: &Mistaken<'_>, color: Color, lives: usize, after: [&Board; 2]) -> Vec<Vec<Point>> {
    let Some(owners) = mistake.owners else { return Vec::new() };
    let board = mistake.before.board();
    let size = board.size();
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let mean = |stones: &[Point], which: usize| {
        let of = |stone: &Point| {
            // A stone that is gone is nobody's of its colour.
            let there = after[which].get(*stone) == Some(color);
            if there {
                sign * f64::from(owners[which].get(stone.index(size)).copied().unwrap_or_default())
            } else {
                -1.0
            }
        };
        stones.iter().map(of).sum::<f64>() / stones.len() as f64
    };
    let chains = board.chains().filter(|chain| chain.color() == color);
    let chains = chains.map(|chain| chain.stones().collect::<Vec<Point>>());
    chains.filter(|stones| mean(stones, lives) >= SURE && mean(stones, 1 - lives) <= 0.0).collect()
}

/// Own stones die where stones of the other side beside them would have died, both with few liberties.
fn is_race(mistake: &Mistaken<'_>, played: &Board, better: &Board) -> bool {
    let own = mistake.before.to_play();
    let board = mistake.before.board();
    let after = [played, better];
    let short = |stones: &Vec<Point>| {
        stones.len() >= MIN_STONES
            && board
                .chain_at(stones[0])
                .is_some_and(|chain| chain.liberties_up_to(RACE_LIBERTIES + 1) <= RACE_LIBERTIES)
    };
    let beside = |one: &[Point], other: &[Point]| {
        one.iter().any(|&stone| board.neighbors(stone).any(|near| other.contains(&near)))
    };
    let ours = flipped(mistake, own, 1, after);
    let theirs = flipped(mistake, own.opponent(), 0, after);
    ours.iter()
        .filter(|stones| short(stones))
        .any(|one| theirs.iter().filter(|stones| short(stones)).any(|other| beside(one, other)))
}

/// Both moves and the one before are in the same corner, a third of the board wide.
fn is_in_one_corner(mistake: &Mistaken<'_>, at: Point, instead: Point) -> bool {
    let size = mistake.before.board().size();
    let corner = |point: Point| {
        let third = |at: usize, side: usize| at * 5 / side;
        let part = |at: usize, side: usize| match third(at, side) {
            0 | 1 => Some(false),
            3 | 4 => Some(true),
            _ => None,
        };
        part(point.x(), size.width()).zip(part(point.y(), size.height()))
    };
    corner(at).is_some() && corner(at) == corner(instead) && mistake.last.is_some_and(|last| corner(last) == corner(at))
}

/// A move among stones of the other side, with none of one's own near.
fn invades(before: &Game, at: Point) -> bool {
    let (board, own) = (before.board(), before.to_play());
    let near = |color: Color, reach: usize| {
        board.stones().filter(|&(stone, found)| found == color && distance(stone, at) <= reach).count()
    };
    near(own, ALONE) == 0 && near(own.opponent(), AMONG) >= MIN_AMONG && near(own, AMONG) < near(own.opponent(), AMONG)
}

/// Two moves beside own stones of which one at least touches a stone of the other side.
fn fights(before: &Game, at: Point, instead: Point) -> bool {
    let (board, own) = (before.board(), before.to_play());
    let touches = |point: Point| board.neighbors(point).any(|near| board.get(near) == Some(own.opponent()));
    let is_close = |point: Point| board.stones().any(|(stone, color)| color == own && distance(stone, point) <= CLOSE);
    at != instead && (touches(at) || touches(instead)) && is_close(at) && is_close(instead)
}

/// What the empty points of the ninth of the board that changes most lose to the other side by the move.
fn points_lost(mistake: &Mistaken<'_>, after: [Option<&Board>; 2]) -> f64 {
    let ([Some(played), Some(better)], Some(owners)) = (after, mistake.owners) else { return 0.0 };
    let board = mistake.before.board();
    let size = board.size();
    let sign = if mistake.before.to_play() == Color::Black { 1.0 } else { -1.0 };
    let mut lost: HashMap<(usize, usize), f64> = HashMap::new();
    for point in board.empty_points().filter(|&point| played.get(point).is_none() && better.get(point).is_none()) {
        let [after_played, after_better] =
            owners.map(|owners| f64::from(owners.get(point.index(size)).copied().unwrap_or_default()));
        let ninth = (point.x() * 3 / size.width(), point.y() * 3 / size.height());
        *lost.entry(ninth).or_default() += sign * (after_better - after_played);
    }
    lost.into_values().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Preset, Setup, Topology};

    fn game(diagram: &str) -> Game {
        let board = Board::from_diagram(diagram, Topology::Plane).unwrap();
        let setup = Setup { size: board.size(), ..Setup::preset(Preset::Chinese) };
        Game::new(Setup { stones: board.stones().collect(), first_player: Color::Black, ..setup }).unwrap()
    }

    fn at(x: usize, y: usize) -> Move {
        Move::Place(Point::new(x, y))
    }

    fn mistaken<'a>(before: &'a Game, played: Move, better: Move, phase: usize) -> Mistaken<'a> {
        Mistaken { before, played, better: Some(better), phase, last: None, owners: None }
    }

    const NINE: &str = ". . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .
                        . . . . . . . . .";

    #[test]
    fn who_does_not_take_the_ko_errs_in_a_ko() {
        let before = game(
            ". X O . . . .
             X O . O . . .
             . X O . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_eq!(kind(&mistaken(&before, at(6, 6), at(2, 1), 1)), MoveClass::Ko);
    }

    #[test]
    fn stones_left_in_atari_are_a_matter_of_reading() {
        let before = game(
            ". . . . . . .
             . O O O . . .
             O X X X . . .
             . O O O . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_eq!(kind(&mistaken(&before, at(0, 6), at(4, 2), 1)), MoveClass::Reading);
        // The other side's are not.
        let other = game(
            ". . . . . . .
             . X X X . . .
             X O O O . . .
             . X X X . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_ne!(kind(&mistaken(&other, at(0, 6), at(6, 0), 1)), MoveClass::Reading);
    }

    /// Three black stones in the corner that E7 makes live.
    const CORNER: &str = "X X X . . . .
                          . . . . O . .
                          O O O O O . .
                          . . . . . . .
                          . . . . . . .
                          . . . . . . .
                          . . . . . . .";

    #[test]
    fn stones_that_die_by_the_move_are_life_and_death() {
        let before = game(CORNER);
        let dead: Vec<f32> = vec![-0.9; 49];
        let mut alive = dead.clone();
        alive[..3].fill(0.9);
        let mistake = Mistaken { owners: Some([&dead, &alive]), ..mistaken(&before, at(6, 6), at(3, 0), 1) };
        assert_eq!(kind(&mistake), MoveClass::LifeAndDeath);
        // As do those of the other side that the better move would have killed.
        let before = game(&CORNER.replace('X', "o").replace('O', "X").replace('o', "O"));
        let mut killed: Vec<f32> = vec![0.9; 49];
        let all = killed.clone();
        killed[..3].fill(-0.9);
        let mistake = Mistaken { owners: Some([&killed, &all]), ..mistaken(&before, at(6, 6), at(3, 0), 1) };
        assert_eq!(kind(&mistake), MoveClass::LifeAndDeath);
    }

    #[test]
    fn stones_that_die_in_place_of_their_neighbours_are_a_race() {
        let before = game(
            ". . . . . . .
             O O O O O O .
             X X X X X O .
             O O O O X O .
             X X X O X O .
             . . X O X O .
             . . X . . . .",
        );
        let size = before.board().size();
        let black_dies: Vec<f32> = Point::all(size).map(|_| -0.9).collect();
        let white_dies: Vec<f32> =
            Point::all(size).map(|point| if point.y() >= 2 && point.x() < 5 { 0.9 } else { -0.9 }).collect();
        let mistake = Mistaken { owners: Some([&black_dies, &white_dies]), ..mistaken(&before, at(0, 0), at(3, 6), 1) };
        assert_eq!(kind(&mistake), MoveClass::Race);
    }

    #[test]
    fn an_opening_move_beside_the_better_one_after_a_move_in_that_corner_is_joseki() {
        let before = game(NINE);
        let mistake = Mistaken { last: Some(Point::new(2, 2)), ..mistaken(&before, at(1, 1), at(2, 3), 0) };
        assert_eq!(kind(&mistake), MoveClass::Joseki);
        let elsewhere = Mistaken { last: Some(Point::new(7, 7)), ..mistaken(&before, at(1, 1), at(2, 3), 0) };
        assert_eq!(kind(&elsewhere), MoveClass::Other);
        let later = Mistaken { last: Some(Point::new(2, 2)), ..mistaken(&before, at(1, 1), at(2, 3), 1) };
        assert_eq!(kind(&later), MoveClass::Other);
    }

    #[test]
    fn a_move_in_the_wrong_part_of_the_board_is_direction() {
        let before = game(NINE);
        assert_eq!(kind(&mistaken(&before, at(1, 1), at(7, 6), 0)), MoveClass::Direction);
        assert_eq!(kind(&mistaken(&before, at(1, 1), at(6, 6), 1)), MoveClass::Other, "five lines away");
    }

    #[test]
    fn a_move_alone_among_the_others_stones_is_an_invasion() {
        let before = game(
            ". . . . . . . . .
             . . . . . . . . .
             . . O . . . O . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . X . . . X . .
             . . . . . . . . .
             . . . . . . . . .",
        );
        assert_eq!(kind(&mistaken(&before, at(4, 1), at(4, 6), 1)), MoveClass::Invasion, "too early");
        assert_eq!(kind(&mistaken(&before, at(4, 7), at(4, 1), 1)), MoveClass::Invasion, "left out");
        assert_eq!(kind(&mistaken(&before, at(4, 7), at(4, 6), 1)), MoveClass::Other);
    }

    #[test]
    fn two_stones_that_are_in_doubt_after_the_move_are_life_and_death() {
        let diagram = CORNER.replacen("X X X", "X . X", 1);
        let before = game(&diagram);
        let doubtful: Vec<f32> = vec![-0.1; 49];
        let mut alive = doubtful.clone();
        alive[..3].fill(0.6);
        let of = |played: &[f32], better: &[f32]| {
            kind(&Mistaken { owners: Some([played, better]), ..mistaken(&before, at(6, 6), at(6, 5), 2) })
        };
        assert_eq!(of(&doubtful, &alive), MoveClass::LifeAndDeath, "two chains of one stone");
        let mut one = doubtful.clone();
        one[0] = 0.6;
        assert_eq!(of(&doubtful, &one), MoveClass::Endgame, "one stone is given up easily");
        let unsettled: Vec<f32> = vec![0.1; 49];
        assert_eq!(of(&unsettled, &alive), MoveClass::Endgame, "more likely alive than not");
    }

    #[test]
    fn stones_that_the_better_move_takes_are_a_matter_of_reading() {
        let before = game(
            ". X X . . . .
             X O O . . . .
             . X X . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_eq!(kind(&mistaken(&before, at(6, 6), at(3, 1), 2)), MoveClass::Reading);
        let single = game(
            ". X . . . . .
             X O . . . . .
             . X . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_eq!(kind(&mistaken(&single, at(6, 6), at(2, 1), 2)), MoveClass::Endgame);
    }

    /// A single common point of two chains at the top of the board, and nothing else that joins them.
    const PARTED: &str = ". . . . . . .
                          . X X . X X .
                          . . . . . . .
                          . O O . O O .
                          . . . . . . .
                          . . . . . . .
                          . . . . . . .";

    #[test]
    fn the_only_point_that_joins_two_chains_is_a_cut() {
        assert_eq!(kind(&mistaken(&game(PARTED), at(3, 5), at(3, 1), 1)), MoveClass::Cut, "left unjoined");
        let others = PARTED.replace('X', "o").replace('O', "X").replace('o', "O");
        assert_eq!(kind(&mistaken(&game(&others), at(3, 5), at(3, 1), 1)), MoveClass::Cut, "left uncut");
        // A bamboo joint is no cut.
        let bamboo = PARTED.replacen(". . . . . . .", ". X X . X X .", 1);
        assert_ne!(kind(&mistaken(&game(&bamboo), at(3, 5), at(3, 1), 1)), MoveClass::Cut);
    }

    /// A black stone against a white one.
    const CONTACT: &str = ". . . . . . . . .
                           . . . . . . . . .
                           . . X O . . . . .
                           . . . . . . . . .
                           . . . . . . . . .
                           . . . . . . . . .
                           . . . . . . . . .
                           . . . . . . . . .
                           . . . . . . . . .";

    #[test]
    fn moves_in_contact_beside_own_stones_are_a_fight() {
        let before = game(CONTACT);
        assert_eq!(kind(&mistaken(&before, at(1, 3), at(3, 3), 1)), MoveClass::Fight, "the hane is left out");
        assert_eq!(kind(&mistaken(&before, at(3, 1), at(2, 4), 1)), MoveClass::Fight, "the wrong one");
        assert_eq!(kind(&mistaken(&before, at(1, 3), at(2, 4), 1)), MoveClass::Other, "neither touches");
        assert_eq!(kind(&mistaken(&before, at(7, 3), at(3, 3), 1)), MoveClass::Other, "away from own stones");
    }

    #[test]
    fn empty_points_that_change_hands_are_territory() {
        let before = game(NINE);
        let of = |lost: f32, mover: [usize; 2]| {
            // The upper left ninth: nine points, two of which are the moves themselves.
            let mut owners = [vec![0.0; 81], vec![0.0; 81]];
            for point in (0..3).flat_map(|y| (0..3).map(move |x| y * 9 + x)) {
                owners[mover[0]][point] = lost / 2.0;
                owners[mover[1]][point] = -lost / 2.0;
            }
            let mistake =
                Mistaken { owners: Some([&owners[0], &owners[1]]), ..mistaken(&before, at(1, 1), at(2, 2), 1) };
            kind(&mistake)
        };
        assert_eq!(of(0.6, [1, 0]), MoveClass::Territory);
        assert_eq!(of(0.5, [1, 0]), MoveClass::Other, "three points and a half");
        assert_eq!(of(0.6, [0, 1]), MoveClass::Other, "they are won");
    }

    #[test]
    fn what_is_left_at_the_end_is_the_endgame_and_a_pass_is_nothing_else() {
        let before = game(NINE);
        assert_eq!(kind(&mistaken(&before, at(1, 1), at(2, 1), 2)), MoveClass::Endgame);
        assert_eq!(kind(&mistaken(&before, Move::Pass, at(2, 1), 2)), MoveClass::Endgame);
        assert_eq!(kind(&mistaken(&before, Move::Pass, at(2, 1), 1)), MoveClass::Other);
    }
}
