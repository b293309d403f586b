//! What a review says of a game's moves, by class: kept for the player's page of weaknesses.

use super::kinds::{Mistaken, kind};
use crate::analysis::AnalysisRoom;
use crate::analysis::review::{GameReview, ReviewError, ReviewedMove};
use crate::library::LibraryRoom;
use honinbo_evaluator::{EvalParams, EvalRequest, StopFlag};
use honinbo_library::{
    GameId, JudgedDepth, JudgedMove, JudgedOpening, Judgement, MISTAKE_FROM, MoveClass, part_of_game,
};
use honinbo_record::GameTree;
use honinbo_rules::{Color, Game, Move, Point};
use std::collections::{BTreeMap, HashMap};

/// Chance to win from which a player is clearly ahead, and up to which clearly behind.
const AHEAD: f64 = 0.7;
const BEHIND: f64 = 0.3;
/// Seconds left from which there is little time.
const LITTLE_S: f64 = 30.0;
/// Moves of an opening of the whole board, and of a corner.
const BOARD_MOVES: usize = 8;
const CORNER_MOVES: usize = 4;
/// Mistakes whose positions are held at once, each with its moves.
const MISTAKES_AT_ONCE: usize = 64;
/// Lines and columns of a corner, and the last move that belongs to a corner's opening.
const CORNER: usize = 9;
const LAST_OPENING: u32 = 60;

/// Sorts the moves of a game that was reviewed, and keeps that. False where the game has other moves by now.
pub(crate) fn judge_game(
    analysis: &AnalysisRoom,
    library: &LibraryRoom,
    id: &GameId,
    review: &GameReview,
    stop: &StopFlag,
) -> Result<bool, ReviewError> {
    let hurried = hurried_moves(&review.tree, review);
    let owners = owners(analysis, review, stop)?;
    let area = review.start.board().size().area();
    let mut moves = Vec::with_capacity(review.moves.len());
    let (mut last, mut walk) = (None, review.line.walk());
    for (at, made) in review.moves.iter().enumerate() {
        let mistake = made.lost >= MISTAKE_FROM;
        let before_black = if at == 0 { 0.5 } else { review.moves[at - 1].win_prob };
        let chance = if made.color == Color::Black { before_black } else { 1.0 - before_black };
        let phase = part_of_game(made.number, area);
        let mut classes = vec![
            [MoveClass::Opening, MoveClass::MiddleGame, MoveClass::LatePhase][phase],
            region(made),
            standing(chance),
        ];
        if let Some(&little) = hurried.get(&made.number) {
            classes.push(if little { MoveClass::Hurried } else { MoveClass::Unhurried });
        }
        if mistake {
            let better = made.better.as_ref().map(|better| better.played);
            let owners = owners.get(&at).map(|[played, best]| [&played[..], &best[..]]);
            let before = walk.to(made.position_before);
            let mistaken = Mistaken { before, played: made.played, better, phase, last, owners };
            classes.push(kind(&mistaken));
        }
        let before = made.before.clone();
        moves.push(JudgedMove { number: made.number, color: made.color, lost: made.lost, before, classes, mistake });
        last = made.played.point();
    }
    let depth = &JudgedDepth { visits: review.visits, network: review.network.clone() };
    let openings = openings(review);
    Ok(library.keep_judgement(id, &Judgement { tree: &review.tree, depth, moves: &moves, openings: &openings })?)
}

fn standing(chance: f64) -> MoveClass {
    if chance >= AHEAD {
        MoveClass::Ahead
    } else if chance <= BEHIND {
        MoveClass::Behind
    } else {
        MoveClass::Even
    }
}

/// Corner, side or centre, by thirds of the board.
fn region(made: &ReviewedMove) -> MoveClass {
    let size = made.before.size();
    let Some(point) = made.played.point() else { return MoveClass::Centre };
    let middle = |at: usize, side: usize| at * 3 / side == 1;
    match (middle(point.x(), size.width()), middle(point.y(), size.height())) {
        (true, true) => MoveClass::Centre,
        (false, false) => MoveClass::Corner,
        _ => MoveClass::SideRegion,
    }
}

/// For moves after whose predecessor the record tells the clock of their player: whether little time was left.
fn hurried_moves(tree: &GameTree, review: &GameReview) -> HashMap<u32, bool> {
    let size = review.start.board().size();
    let (mut left, mut found, mut number) = (HashMap::<Color, bool>::new(), HashMap::new(), 0);
    for node in tree.line_from(tree.root()) {
        let Some(made) = tree.move_at(node, size) else { continue };
        number += 1;
        // The clock that a move began with is the one after the player's move before.
        if let Some(&little) = left.get(&made.color) {
            found.insert(number, little);
        }
        let [time, stones] = if made.color == Color::Black { ["BL", "OB"] } else { ["WL", "OW"] };
        let seconds = tree.text_value(node, time).and_then(|text| text.trim().parse::<f64>().ok());
        match seconds {
            // Overtime is little time, however much of it there is.
            Some(seconds) => left.insert(made.color, seconds <= LITTLE_S || tree.property(node, stones).is_some()),
            None => left.remove(&made.color),
        };
    }
    found
}

/// Whose each point is, from Black's side, after the move of each mistake and after the better one.
fn owners(
    analysis: &AnalysisRoom,
    review: &GameReview,
    stop: &StopFlag,
) -> Result<HashMap<usize, [Vec<f32>; 2]>, ReviewError> {
    let mistakes = review.moves.iter().enumerate().filter(|(_, made)| made.lost >= MISTAKE_FROM);
    let mistakes: Vec<_> = mistakes.filter_map(|(at, made)| Some((at, made, made.better.as_ref()?.played))).collect();
    let params = EvalParams { include_ownership: true, ..EvalParams::default() };
    let black = |answer: &honinbo_evaluator::Evaluation| -> Option<Vec<f32>> {
        answer.white_ownership.as_ref().map(|owners| owners.iter().map(|owner| -owner).collect())
    };
    let (mut owners, mut walk, mut evaluator) = (HashMap::new(), review.line.walk(), None);
    for some in mistakes.chunks(MISTAKES_AT_ONCE) {
        let mut games: Vec<(usize, [Game; 2])> = Vec::new();
        for &(at, made, better) in some {
            let before = walk.to(made.position_before);
            let after = |played: Move| {
                let mut after = before.clone();
                (after.play(made.color, played).is_ok() && !after.is_over()).then_some(after)
            };
            games.extend(after(made.played).zip(after(better)).map(|(played, best)| (at, [played, best])));
        }
        if games.is_empty() {
            continue;
        }
        let evaluator = match &evaluator {
            Some(evaluator) => evaluator,
            None => &*evaluator.insert(analysis.engine.load()?.background()),
        };
        let requests: Vec<EvalRequest<'_>> =
            games.iter().flat_map(|(_, games)| games.iter().map(|game| EvalRequest { game, params })).collect();
        let answers = evaluator.evaluate(&requests, stop).map_err(|error| ReviewError::of_evaluation(&error))?;
        let pairs = games.iter().zip(answers.chunks_exact(2));
        owners.extend(pairs.filter_map(|((at, _), pair)| Some((*at, [black(&pair[0])?, black(&pair[1])?]))));
    }
    Ok(owners)
}

/// The opening of the whole board and of each corner, for both players, on a board of 19x19 that began empty.
fn openings(review: &GameReview) -> Vec<JudgedOpening> {
    let start = review.start.board();
    if start.size().area() != 361 || start.stones().next().is_some() {
        return Vec::new();
    }
    let mut lines: Vec<(bool, Vec<&ReviewedMove>)> = vec![(false, review.moves.iter().take(BOARD_MOVES).collect())];
    let mut corners: BTreeMap<(bool, bool), Vec<&ReviewedMove>> = BTreeMap::new();
    for made in review.moves.iter().take_while(|made| made.number <= LAST_OPENING) {
        let Some(point) = made.played.point() else { continue };
        let edge = |at: usize| !(CORNER..19 - CORNER).contains(&at);
        if edge(point.x()) && edge(point.y()) {
            corners.entry((point.x() > 9, point.y() > 9)).or_default().push(made);
        }
    }
    lines.extend(corners.into_values().map(|moves| (true, moves.into_iter().take(CORNER_MOVES).collect())));
    let mut found = Vec::new();
    for (corner, moves) in lines {
        let wanted = if corner { CORNER_MOVES } else { BOARD_MOVES };
        let Some(last) = moves.last().filter(|_| moves.len() == wanted) else { continue };
        for color in [Color::Black, Color::White] {
            let lost = moves.iter().filter(|made| made.color == color).map(|made| made.lost).sum();
            found.push(JudgedOpening { color, corner, line: line(&moves, color), number: last.number, lost });
        }
    }
    found
}

/// The moves from a player's side, under the symmetry that writes them first.
fn line(moves: &[&ReviewedMove], own: Color) -> String {
    let turned = |point: Point, turn: usize| {
        let (x, y) = (point.x(), point.y());
        let x = if turn & 1 != 0 { 18 - x } else { x };
        let y = if turn & 2 != 0 { 18 - y } else { y };
        if turn & 4 != 0 { (y, x) } else { (x, y) }
    };
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap_or(25));
    let written = |turn: usize| {
        let mut text = String::new();
        for made in moves {
            text.push(if made.color == own { '+' } else { '-' });
            if let Some(point) = made.played.point() {
                let (x, y) = turned(point, turn);
                text.push(letter(x));
                text.push(letter(y));
            }
        }
        text
    };
    (0..8).map(written).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::LinePositions;
    use honinbo_record::{ReplayOptions, read_sgf};

    #[test]
    fn clocks_say_who_was_hurried() {
        let sgf = "(;SZ[9];B[cc]BL[100];W[gg]WL[20];B[cg]BL[25];W[gc]WL[300]OW[5];B[ee];W[aa]WL[9];B[bb])";
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let end = tree.line_from(tree.root()).last().unwrap();
        let start = honinbo_record::replay(&tree, tree.root()).game;
        let nobody = crate::analysis::accuracy::of_player(std::iter::empty(), 81);
        let review = GameReview {
            info: honinbo_record::GameInfo::of(&tree),
            start,
            start_lead: 0.0,
            moves: Vec::new(),
            black: nobody.clone(),
            white: nobody,
            mistakes: Vec::new(),
            turning_points: Vec::new(),
            network: String::new(),
            device: String::new(),
            positions: 0,
            known: 0,
            visits: 50,
            line: LinePositions::to(&tree, end, ReplayOptions::default(), &mut |_, _| {}).0,
            tree: tree.clone(),
        };
        let mut found: Vec<(u32, bool)> = hurried_moves(&tree, &review).into_iter().collect();
        found.sort_unstable();
        // Black had 100 seconds for move 3 and 25 for move 5; White 20 for move 4, and overtime for move 6.
        assert_eq!(found, [(3, false), (4, true), (5, true), (6, true)]);
        assert!(tree.move_at(end, honinbo_rules::BoardSize::NINE).is_some());
    }

    #[test]
    fn openings_are_the_same_however_the_board_lies_and_told_from_each_side() {
        let moves = |points: [(usize, usize); 4]| -> Vec<ReviewedMove> {
            let game = Game::new(honinbo_rules::Setup::preset(honinbo_rules::Preset::Chinese)).unwrap();
            let made = points.iter().zip(1..).map(|(&(x, y), number)| ReviewedMove {
                number,
                color: if number % 2 == 1 { Color::Black } else { Color::White },
                played: Move::Place(Point::new(x, y)),
                before: game.board().clone(),
                position_before: 0,
                lead_before: 0.0,
                lead: 0.0,
                win_prob: 0.5,
                lost: 0.0,
                changed: None,
                choice: None,
                better: None,
                visits: 50,
            });
            made.collect()
        };
        let [one, other] = [moves([(3, 3), (15, 3), (3, 15), (16, 15)]), moves([(15, 15), (15, 3), (3, 15), (2, 3)])];
        let refs = |moves: &'static [ReviewedMove]| moves.iter().collect::<Vec<_>>();
        let [one, other] = [refs(one.leak()), refs(other.leak())];
        assert_eq!(line(&one, Color::Black).len(), 12);
        assert_ne!(line(&one, Color::Black), line(&one, Color::White));
        assert!(!line(&other, Color::Black).is_empty());
        let mirrored = refs(moves([(15, 3), (3, 3), (15, 15), (2, 15)]).leak());
        assert_eq!(line(&one, Color::Black), line(&mirrored, Color::Black));
    }
}
