//! The choice of a player who sees and reads less than the network could.

use honinbo_rules::{Color, Game, Move, Point, Random};
use honinbo_search::{Candidate, SearchReport};

use super::eyes::drawn_to;
use super::heuristic::{around, sensible};
use super::{Limited, RankLimits, Style};

/// How near a point must be to one of the last moves to be seen by everybody, in steps.
const NEAR: usize = 3;
/// The last moves that draw somebody's eyes.
const LAST: usize = 2;

/// A move from what a search reports from the mover's side, every legal move among its candidates; `None` where it
/// reports none.
pub(super) fn choose(
    game: &Game,
    report: &SearchReport,
    limits: RankLimits,
    player: &Limited,
    random: &mut Random,
) -> Option<Move> {
    let style = player.style;
    // That eyes are not filled is what a network learns last; children are told.
    let spared = player.pupil.map(|_| sensible(game));
    // Its network learns late when a game is over; whoever passes again would be kept waiting until the board is full.
    if spared.as_ref().is_some_and(Vec::is_empty) || player.pupil.is_some() && passes_again(game) {
        return Some(Move::Pass);
    }
    let considered = |candidate: &&Candidate| match (&spared, candidate.mv.point()) {
        (Some(points), Some(point)) => points.contains(&point),
        _ => true,
    };
    // One visit is the network's alone: then its policy stands in for visits.
    let searched = report.candidates.iter().any(|candidate| candidate.play_selection_value > 0.0);
    let weight = |candidate: &Candidate| {
        if searched { candidate.play_selection_value } else { candidate.prior }
    };
    // A pass must be better than any other move, not only as good.
    let goodness = |candidate: &Candidate| (weight(candidate), candidate.mv.point().is_some());
    let best = report.candidates.iter().filter(considered).max_by(|a, b| {
        let (a, b) = (goodness(a), goodness(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    })?;
    // Nobody passes by accident, and nobody goes on for no reason once a pass is best.
    if best.mv.point().is_none() {
        return Some(best.mv);
    }
    if random.unit() < limits.whim
        && let Some(point) = on_a_whim(game, random)
    {
        return Some(Move::Place(point));
    }
    let most = weight(best);
    let near = near_last_moves(game);
    let weighed: Vec<(f64, Point)> = report
        .candidates
        .iter()
        .filter(considered)
        .filter_map(|candidate| {
            let point = candidate.mv.point()?;
            // Drawn for every candidate, so that what one player overlooks does not depend on another's style.
            let overlooked = random.unit() < limits.blindness && !near.contains(&point);
            if overlooked || weight(candidate) <= 0.0 {
                return None;
            }
            let mut weighed = flattened(weight(candidate) / most, limits.temperature);
            if let Some(style) = style {
                let lead = (candidate.edge_visits > 0).then_some(candidate.score_lead);
                weighed *= style.likes(game, point, lead.or(known_lead(style, report)));
            }
            if player.pupil.is_some() {
                weighed *= drawn_to(game, point);
            }
            (weighed > 0.0).then_some((weighed, point))
        })
        .collect();
    let drawn = draw(&weighed, random);
    Some(drawn.map_or(best.mv, Move::Place))
}

/// What a style that looks at the score goes by for a move nobody looked at: how the game stands.
fn known_lead(style: Style, report: &SearchReport) -> Option<f64> {
    (style == Style::Handicap).then_some(report.root.score_lead)
}

/// A weight relative to the best one's, under a temperature; at 0 the best alone is left.
fn flattened(share: f64, temperature: f64) -> f64 {
    if temperature <= 1e-3 { if share >= 1.0 { 1.0 } else { 0.0 } } else { share.powf(1.0 / temperature) }
}

fn draw(weighed: &[(f64, Point)], random: &mut Random) -> Option<Point> {
    let sum: f64 = weighed.iter().map(|(weight, _)| weight).sum();
    let mut left = random.unit() * sum;
    for &(weight, point) in weighed {
        left -= weight;
        if left < 0.0 {
            return Some(point);
        }
    }
    weighed.last().map(|&(_, point)| point)
}

fn last_points(game: &Game) -> impl Iterator<Item = Point> {
    game.turns().iter().rev().take(LAST).filter_map(|turn| turn.played.point())
}

/// Whether the other player passed, and had passed at the turn before.
fn passes_again(game: &Game) -> bool {
    let turns = game.turns();
    let passed = |back: usize| turns.len().checked_sub(back).is_some_and(|at| turns[at].played == Move::Pass);
    passed(1) && passed(3)
}

fn near_last_moves(game: &Game) -> Vec<Point> {
    last_points(game).flat_map(|last| around(game.board(), last, NEAR).map(|(point, _)| point)).collect()
}

/// What somebody plays who has only just learnt the rules: near the last moves, or near any stone, seldom on the edge.
fn on_a_whim(game: &Game, random: &mut Random) -> Option<Point> {
    let board = game.board();
    let near = near_last_moves(game);
    let touches = |point: Point, color: Color| board.neighbors(point).any(|other| board.get(other) == Some(color));
    let weighed: Vec<(f64, Point)> = sensible(game)
        .into_iter()
        .map(|point| {
            let has_edge = board.neighbors(point).count() < 4;
            let met = touches(point, Color::Black) || touches(point, Color::White);
            let weight = match (near.contains(&point), met) {
                (true, true) => 6.0,
                (true, false) => 4.0,
                (false, true) => 1.5,
                (false, false) => 1.0,
            };
            (if has_edge && !met { 0.2 * weight } else { weight }, point)
        })
        .collect();
    draw(&weighed, random)
}
