//! What kind of mistake a move is: read on the board, with whose the points are after it and after the better move.

use honinbo_library::MoveClass;
use honinbo_rules::{Board, Color, Game, Move, Point, ladders};

/// Stones of a chain whose loss makes a kind.
const MIN_STONES: usize = 3;
/// Stones whose capture is a matter of reading.
const MIN_CAUGHT: usize = 2;
/// Mean ownership of stones that live; dead ones have as much of the other side.
const SURE: f64 = 0.5;
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
        if is_caught(mistake, played, better) {
            return MoveClass::Reading;
        }
        let own = mistake.before.to_play();
        let turned = |color: Color, lives: usize| !flipped(mistake, color, lives, [played, better]).is_empty();
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
    if invades(mistake.before, at) || invades(mistake.before, instead) {
        return MoveClass::Invasion;
    }
    if distance(at, instead) >= FAR { MoveClass::Direction } else { MoveClass::Other }
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
    let chains = board.chains().filter(|chain| chain.color() == color && chain.len() >= MIN_STONES);
    let chains = chains.map(|chain| chain.stones().collect::<Vec<Point>>());
    chains.filter(|stones| mean(stones, lives) >= SURE && mean(stones, 1 - lives) <= -SURE).collect()
}

/// Own stones die where stones of the other side beside them would have died, both with few liberties.
fn is_race(mistake: &Mistaken<'_>, played: &Board, better: &Board) -> bool {
    let own = mistake.before.to_play();
    let board = mistake.before.board();
    let after = [played, better];
    let short = |stones: &Vec<Point>| {
        board.chain_at(stones[0]).is_some_and(|chain| chain.liberties_up_to(RACE_LIBERTIES + 1) <= RACE_LIBERTIES)
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
    fn what_is_left_at_the_end_is_the_endgame_and_a_pass_is_nothing_else() {
        let before = game(NINE);
        assert_eq!(kind(&mistaken(&before, at(1, 1), at(2, 1), 2)), MoveClass::Endgame);
        assert_eq!(kind(&mistaken(&before, Move::Pass, at(2, 1), 2)), MoveClass::Endgame);
        assert_eq!(kind(&mistaken(&before, Move::Pass, at(2, 1), 1)), MoveClass::Other);
    }
}
