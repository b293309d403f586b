//! What a review found: as sentences, and as JSON.

use super::Reviewed;
use crate::records::harmless;
use crate::words::{CLOSE, edges_suffix, lead, points, rules_of};
use honinbo_api::{Finite, GameReview, PhasesLost, PlayerReview, ReviewedMove};
use honinbo_players::{RankEstimate, rank_from_losses};
use honinbo_rules::Color;
use serde_json::{Value, json};

/// Board, rules, and what looked at the game with how much care.
pub(super) fn conditions(done: &Reviewed) -> String {
    let review = &done.review;
    let (game, moves) = (&review.start, review.moves.len());
    let engine = if review.device.is_empty() { String::new() } else { format!(" on {}", review.device) };
    let known = match review.known {
        0 => String::new(),
        known => format!(", {known} of {} positions known before", review.positions),
    };
    format!(
        "{moves} moves on {}{}, {} rules, komi {}; {} visits a position by {}{engine}{known}",
        game.board().size(),
        edges_suffix(game.board()),
        rules_of(game),
        game.komi(),
        done.visits,
        review.network
    )
}

/// The course of the game in two or three sentences.
pub(super) fn story(review: &GameReview) -> Vec<String> {
    let Some(last) = review.moves.last() else { return vec!["Nobody has moved.".into()] };
    let mut said = Vec::new();
    match review.turning_points.as_slice() {
        [] if review.moves.iter().all(|found| found.lead.abs() < 2.0 * CLOSE) => {
            said.push("The game was close from beginning to end.".to_owned());
        }
        [] => said.push("The lead never changed hands.".to_owned()),
        [.., turn] => {
            let times = match review.turning_points.len() {
                1 => "once".to_owned(),
                2 => "twice".to_owned(),
                times => format!("{times} times"),
            };
            let turn = &review.moves[*turn];
            let last = if times == "once" { "" } else { ", the last time" };
            let gone = if turn.lost >= CLOSE { format!(", which lost {}", points(turn.lost)) } else { String::new() };
            said.push(format!("The lead changed hands {times}{last} with {}{gone}.", name(turn)));
        }
    }
    if let Some(&worst) = review.mistakes.first() {
        let worst = &review.moves[worst];
        said.push(format!("The move that lost most was {}: {}.", name(worst), points(worst.lost)));
    }
    said.push(format!("After the last move {}.", lead(last.lead)));
    said
}

/// `move 127 (White K7)`.
pub(super) fn name(found: &ReviewedMove) -> String {
    format!("move {} ({} {})", found.number, side(found.color), played(found))
}

pub(super) fn side(color: Color) -> &'static str {
    if color == Color::Black { "Black" } else { "White" }
}

/// Moves that turned out otherwise than the engine had thought before them.
pub(super) fn changes(review: &GameReview) -> impl Iterator<Item = String> {
    review.moves.iter().filter_map(|found| {
        let changed = found.changed?;
        let than = if changed > 0.0 {
            "better than all it had seen before"
        } else {
            "worse than it had thought of its choice"
        };
        let mut name = name(found);
        name.replace_range(..1, "M");
        Some(format!("{name} is {} {than}.", points(changed.abs())))
    })
}

/// The point as on the board's edge, or `pass`.
pub(super) fn played(found: &ReviewedMove) -> String {
    found.played.to_gtp(found.before.size())
}

/// What would have been better, and what it would have brought; `None` where nothing is known to be.
pub(super) fn better(found: &ReviewedMove) -> Option<String> {
    let better = found.better.as_ref()?;
    let size = found.before.size();
    let line: Vec<String> = better.line.iter().skip(1).take(5).map(|mv| mv.to_gtp(size)).collect();
    let line = if line.is_empty() { String::new() } else { format!(" (then {})", line.join(" ")) };
    let after = lead(better.black_lead?);
    Some(format!("Better was {}{line}: {after}, instead of: {}.", better.played.to_gtp(size), lead(found.lead)))
}

/// The rank that a player's moves speak of; `None` on other boards than 19x19 and after too few moves.
pub(super) fn rank(review: &GameReview, color: Color) -> Option<RankEstimate> {
    if review.start.board().size().area() != 361 {
        return None;
    }
    let mut black_chance = 0.5;
    let moves = review.moves.iter().filter_map(|found| {
        let before = std::mem::replace(&mut black_chance, found.win_prob);
        let chance = if color == Color::Black { before } else { 1.0 - before };
        (found.color == color).then_some((found.lost, chance))
    });
    rank_from_losses(moves)
}

/// `Black played like 9k here (90% range: 16k to 3k).`
pub(super) fn rank_words(review: &GameReview, color: Color) -> Option<String> {
    let RankEstimate { middle, low, high, .. } = rank(review, color)?;
    Some(format!("{} played like {middle} here (90% range: {low} to {high}).", side(color)))
}

fn rank_json(review: &GameReview, color: Color) -> Value {
    rank(review, color).map_or(Value::Null, |found| {
        json!({
            "middle": found.middle.to_string(),
            "low": found.low.to_string(),
            "high": found.high.to_string(),
            "moves": found.moves,
        })
    })
}

/// A game as JSON.
pub(super) fn of_game(done: &Reviewed) -> Value {
    let (review, game) = (&done.review, &done.review.start);
    let info = &review.info;
    let size = game.board().size();
    json!({
        "file": done.source,
        "black": harmless(&info.black.name),
        "white": harmless(&info.white.name),
        "date": harmless(&info.date_text),
        "event": harmless(&info.event),
        "result": harmless(&info.result_text),
        "width": size.width(),
        "height": size.height(),
        "topology": game.board().topology().name(),
        "rules": rules_of(game),
        "komi": game.komi().points(),
        "network": review.network,
        "device": review.device,
        "visits": done.visits,
        "positions": review.positions,
        "known": review.known,
        "story": story(review).join(" "),
        "blackReview": of_player(&review.black),
        "whiteReview": of_player(&review.white),
        "blackRank": rank_json(review, Color::Black),
        "whiteRank": rank_json(review, Color::White),
        "turningPoints": review.turning_points.iter().map(|&place| review.moves[place].number).collect::<Vec<_>>(),
        "mistakes": done.mistakes().map(|found| found.number).collect::<Vec<_>>(),
        "moves": review.moves.iter().map(of_move).collect::<Vec<_>>(),
        "written": done.written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    })
}

fn of_player(player: &PlayerReview) -> Value {
    let PhasesLost { opening, middle, endgame } = player.phases;
    let rounded = |points: Finite| rounded(points.get());
    json!({
        "moves": player.moves,
        "accuracy": player.accuracy.map(rounded),
        "lost": rounded(player.lost),
        "mean": rounded(player.mean),
        "opening": rounded(opening),
        "middle": rounded(middle),
        "endgame": rounded(endgame),
        "mistakes": player.mistakes,
        "sizes": player.sizes,
        "best": player.best,
        "amongTop": player.among_top,
    })
}

/// Shares of the moves that were the engine's first choice and among its first five, and mistakes by their size.
pub(super) fn choices(player: &PlayerReview) -> [String; 5] {
    let share = |count: u32| match player.moves {
        0 => "–".to_owned(),
        moves => format!("{:.1}%", 100.0 * f64::from(count) / f64::from(moves)),
    };
    let [small, large, largest] = player.sizes.map(|count| count.to_string());
    [share(player.best), share(player.among_top), small, large, largest]
}

fn of_move(found: &ReviewedMove) -> Value {
    let size = found.before.size();
    let better = found.better.as_ref().map(|better| {
        json!({
            "move": better.played.to_gtp(size),
            "blackLead": better.black_lead.map(rounded),
            "line": better.line.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<_>>(),
        })
    });
    json!({
        "number": found.number,
        "color": if found.color == Color::Black { "black" } else { "white" },
        "move": played(found),
        "lost": rounded(found.lost),
        "changedMindBy": found.changed.map(rounded),
        "blackLead": rounded(found.lead),
        "blackWinProb": rounded(found.win_prob),
        "visits": found.visits,
        "better": better,
    })
}

/// Decimals enough for points and chances.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
