//! A review for a terminal.

use super::facts::{better, changes, choices, conditions, name, rank_words, side, story};
use super::{Reviewed, heading};
use crate::records::MARKS;
use crate::words::points;
use honinbo_api::{Finite, PhasesLost, PlayerReview};
use honinbo_rules::Color;

/// The report of a game, line by line.
pub(super) fn lines(done: &Reviewed) -> Vec<String> {
    let review = &done.review;
    let mut lines = vec![heading(done, MARKS), conditions(done), String::new()];
    lines.push("           moves  accuracy    lost  a move  opening  middle  endgame  mistakes".into());
    for (color, player) in [(Color::Black, &review.black), (Color::White, &review.white)] {
        lines.push(row(color, player));
    }
    lines.push(String::new());
    lines.push("           first choice  top five  lost 2 to 6  6 to 12  12 or more".into());
    for (color, player) in [(Color::Black, &review.black), (Color::White, &review.white)] {
        let (name, [first, five, small, large, largest]) = (name_of(color), choices(player));
        lines.push(format!("{name:<9}  {first:>12}  {five:>8}  {small:>11}  {large:>7}  {largest:>10}"));
    }
    lines.push(String::new());
    lines.extend([Color::Black, Color::White].into_iter().filter_map(|color| rank_words(review, color)));
    lines.extend(story(review));
    if !review.mistakes.is_empty() && done.shown > 0 {
        lines.push(String::new());
        lines.push("What lost most:".into());
    }
    for (place, found) in done.mistakes().enumerate() {
        let mut name = name(found);
        name.replace_range(..1, "M");
        lines.push(format!("{:>3}. {name} lost {}.", place + 1, points(found.lost)));
        lines.extend(better(found).map(|better| format!("     {better}")));
    }
    let changes: Vec<String> = changes(review).collect();
    if !changes.is_empty() {
        lines.push(String::new());
        lines.push("Where the engine changed its mind:".into());
        lines.extend(changes.into_iter().map(|words| format!("  {words}")));
    }
    if !done.written.is_empty() {
        lines.push(String::new());
        lines.extend(done.written.iter().map(|path| format!("written: {}", path.display())));
    }
    lines
}

fn name_of(color: Color) -> String {
    format!("{} ({})", side(color), if color == Color::Black { 'X' } else { 'O' })
}

fn row(color: Color, player: &PlayerReview) -> String {
    let accuracy = player.accuracy.map_or_else(|| "–".into(), |accuracy| format!("{:.1}%", accuracy.get()));
    let PhasesLost { opening, middle, endgame } = player.phases;
    let [lost, mean, opening, middle, endgame] = [player.lost, player.mean, opening, middle, endgame].map(Finite::get);
    let name = name_of(color);
    format!(
        "{name:<9}  {:>5}  {accuracy:>8}  {lost:>6.1}  {mean:>6.1}  {opening:>7.1}  {middle:>6.1}  {endgame:>7.1}  {:>8}",
        player.moves, player.mistakes
    )
}
