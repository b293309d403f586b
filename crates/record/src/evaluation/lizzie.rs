//! Lizzie's `LZ`, and LizzieYzy's `LZOP`, `LZ2` and `LZOP2`.

use std::fmt::Write as _;

use honinbo_rules::{BoardSize, Color, Move};

use super::{CandidateEvaluation, MAX_CANDIDATES, MAX_LINE, PositionEvaluation, chance, lead, line_of, percent};

pub(super) fn read(text: &str, size: BoardSize, to_play: Color) -> Option<PositionEvaluation> {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text.trim_start(), ""));
    let words: Vec<&str> = first.split_whitespace().collect();
    // Some programs write the moves alone.
    let (summary, moves) =
        if matches!(words.first(), Some(&"info" | &"move")) { (None, text) } else { (Some(words), rest) };
    let (moves, owners) = moves.split_once(" ownership ").unwrap_or((moves, ""));
    let black_ownership = ownership(owners, size, to_play);
    let candidates: Vec<CandidateEvaluation> =
        moves.split("info ").filter_map(|found| candidate(found, size, to_play)).take(MAX_CANDIDATES).collect();
    let for_black = |value: f64, color: Color| if color == Color::Black { value } else { 1.0 - value };
    let lead_for_black = |value: f64| if to_play == Color::Black { value } else { -value };
    let total = candidates.iter().fold(0u32, |total, candidate| total.saturating_add(candidate.visits));
    let Some(words) = summary else {
        let best = candidates.first()?;
        return Some(PositionEvaluation {
            visits: total.max(1),
            black_win_prob: best.black_win_prob,
            black_lead: best.black_lead,
            candidates,
            black_ownership,
            engine: None,
        });
    };
    // A name may have blanks: the win rate is the first word behind it that is a number.
    let at = words.iter().skip(1).position(|word| share(word).is_some())? + 1;
    let playouts = count(words.get(at + 1)?)?;
    // Lizzie writes 50 for a node that it has not looked at.
    if playouts == 0 && candidates.is_empty() {
        return None;
    }
    let said = words.get(at + 2).and_then(|word| word.parse().ok()).and_then(lead).map(lead_for_black);
    Some(PositionEvaluation {
        visits: playouts.max(total).max(1),
        black_win_prob: for_black(share(words[at])?, to_play.opponent()),
        black_lead: said.or_else(|| mean_lead(&candidates)),
        candidates,
        black_ownership,
        engine: Some(words[..at].join(" ")),
    })
}

/// One value a point, for the player to move; nothing unless there is one for each.
fn ownership(text: &str, size: BoardSize, to_play: Color) -> Vec<f32> {
    let sign: f32 = if to_play == Color::Black { 1.0 } else { -1.0 };
    let owner = |word: &str| word.parse::<f32>().ok().filter(|owner| owner.is_finite());
    let owners = text.split_whitespace().take(size.area() + 1).map(owner);
    let owners: Option<Vec<f32>> = owners.map(|owner| Some(sign * owner?.clamp(-1.0, 1.0))).collect();
    owners.filter(|owners| owners.len() == size.area()).unwrap_or_default()
}

/// A win rate in percent; Lizzie 0.7.4 writes the decimal sign of the person's language.
fn share(word: &str) -> Option<f64> {
    percent(&word.replace(',', "."))
}

/// The leads of the candidates by their visits: Lizzie says none of the position itself.
fn mean_lead(candidates: &[CandidateEvaluation]) -> Option<f64> {
    let leads = || candidates.iter().filter_map(|one| Some((one.black_lead?, f64::from(one.visits.max(1)))));
    let weight: f64 = leads().map(|(_, weight)| weight).sum();
    (weight > 0.0).then(|| leads().map(|(lead, weight)| lead * weight).sum::<f64>() / weight)
}

/// One move of the second line, up to the next `info`.
fn candidate(text: &str, size: BoardSize, to_play: Color) -> Option<CandidateEvaluation> {
    let mut words = text.split_whitespace();
    let (mut played, mut visits, mut win_prob, mut points, mut prior, mut line) =
        (None, 0, None, None, 0.0, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "move" => played = Move::from_gtp(words.next()?, size).filter(|played| *played != Move::Resign),
            "visits" => visits = count(words.next()?)?,
            "winrate" => win_prob = chance(words.next()?.parse::<f64>().ok()? / 10_000.0),
            "scoreMean" | "scoreLead" => points = words.next()?.parse().ok().and_then(lead),
            "prior" => {
                prior = words.next()?.parse::<f64>().ok().and_then(|value| chance(value / 10_000.0)).unwrap_or(0.0)
            }
            "pv" => {
                let rest: Vec<&str> = words.by_ref().collect();
                line = line_of(rest.into_iter(), size);
            }
            _ => {}
        }
    }
    let (played, win_prob) = (played?, win_prob?);
    let black = to_play == Color::Black;
    Some(CandidateEvaluation {
        played,
        visits,
        black_win_prob: if black { win_prob } else { 1.0 - win_prob },
        black_lead: points.map(|points: f64| if black { points } else { -points }),
        prior,
        line,
    })
}

/// `812`, `1.2k` or `3m`.
fn count(word: &str) -> Option<u32> {
    let (digits, unit) = match word.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => word.strip_suffix(['m', 'M']).map_or((word, 1.0), |digits| (digits, 1e6)),
    };
    let value = digits.parse::<f64>().ok()? * unit;
    (0.0..=4e9).contains(&value).then_some(value as u32)
}

pub(super) fn write(evaluation: &PositionEvaluation, size: BoardSize, to_play: Color) -> String {
    let black = to_play == Color::Black;
    let for_mover = |value: f64| if black { value } else { 1.0 - value };
    let lead_for_mover = |value: f64| if black { value } else { -value };
    // The win rate counts for who has just moved, the lead for who is to move: so the programs that read it have it.
    let name: String = evaluation.engine.as_deref().unwrap_or("Honinbo").split_whitespace().collect();
    let mut text = format!(
        "{name} {:.2} {} {:.2} 0.0\n",
        100.0 - 100.0 * for_mover(evaluation.black_win_prob),
        evaluation.visits,
        lead_for_mover(evaluation.black_lead.unwrap_or(0.0)),
    );
    for (order, candidate) in evaluation.candidates.iter().take(MAX_CANDIDATES).enumerate() {
        let line: Vec<String> = candidate.line.iter().take(MAX_LINE).map(|played| played.to_gtp(size)).collect();
        let line = if line.is_empty() { candidate.played.to_gtp(size) } else { line.join(" ") };
        // Writing into memory cannot fail.
        let _ = write!(
            text,
            "{}move {} visits {} winrate {:.0} prior {:.0} scoreMean {:.2} order {order} pv {line}",
            if order == 0 { "" } else { " info " },
            candidate.played.to_gtp(size),
            candidate.visits,
            10_000.0 * for_mover(candidate.black_win_prob),
            10_000.0 * candidate.prior,
            lead_for_mover(candidate.black_lead.or(evaluation.black_lead).unwrap_or(0.0)),
        );
    }
    text
}
