//! Comparison with searches that KataGo's analysis engine made and that were recorded.
//!
//! A record is one JSON object: `size`, `rules`, `komi`, `moves`, `max_visits`, and what KataGo answered: `root`,
//! `moves_info`, `ownership`, from Black's side. It was made with one thread and without randomness, as
//! [`SearchParams::deterministic_analysis`] searches.

use std::sync::Arc;

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Preset, Setup, Topology};
use serde::{Deserialize, Serialize};

use crate::{Perspective, ReportOptions, Search, SearchError, SearchLimits, SearchParams, SearchReport};

/// Largest difference of win rates, utilities, lower bounds, priors and ownership, and of weights by their share.
/// Nine times the largest that was measured; see docs/experiments/search.md.
pub const VALUE_TOLERANCE: f64 = 1e-4;
/// Largest difference of leads, scores and their spreads, in points. Six times the largest that was measured.
pub const POINTS_TOLERANCE: f64 = 1e-3;

/// Why a recorded search could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The line is no record.
    #[error("line {line} is not a recorded search")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// The position cannot be set up.
    #[error("line {line}: {problem}")]
    Position {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The search failed.
    #[error("line {line}: the search failed")]
    Search {
        /// Number of the line, from 1.
        line: usize,
        /// How.
        #[source]
        source: SearchError,
    },
}

/// How far the searches with one network agree.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// Searches compared.
    pub searches: usize,
    /// Searches in which every root move has KataGo's visits.
    pub same_visits: usize,
    /// Largest differences over the searches with the same visits.
    pub largest: Differences,
    /// The searches that differ.
    pub different: Vec<DifferentSearch>,
    /// Variations that differ in searches with the same visits.
    pub different_variations: Vec<DifferentSearch>,
}

impl CheckReport {
    /// Share of the searches with the same visits, 0 ..= 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.searches == 0 { 0.0 } else { self.same_visits as f64 / self.searches as f64 }
    }

    /// Whether there was a search, all of them have the recorded visits, and their values are within the tolerances.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.searches > 0 && self.same_visits == self.searches && self.largest.are_within_tolerances()
    }
}

/// Largest absolute differences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// Win rates of root and moves.
    pub win_rate: f64,
    /// Leads, scores and their spreads, in points.
    pub score: f64,
    /// Utilities.
    pub utility: f64,
    /// Lower bounds of win rate and utility.
    pub lcb: f64,
    /// Priors.
    pub prior: f64,
    /// Weights, relative.
    pub weight: f64,
    /// Ownership of the root.
    pub ownership: f64,
    /// Moves whose variation or order differs.
    pub variations: usize,
    /// Moves compared.
    pub moves: usize,
}

impl Differences {
    /// Whether all values are within [`VALUE_TOLERANCE`] and [`POINTS_TOLERANCE`] and no variation differs.
    #[must_use]
    pub fn are_within_tolerances(&self) -> bool {
        let values = [self.win_rate, self.utility, self.lcb, self.prior, self.weight, self.ownership];
        values.iter().all(|value| *value <= VALUE_TOLERANCE) && self.score <= POINTS_TOLERANCE && self.variations == 0
    }

    fn take_in(&mut self, other: &Differences) {
        raise(&mut self.win_rate, other.win_rate);
        raise(&mut self.score, other.score);
        raise(&mut self.utility, other.utility);
        raise(&mut self.lcb, other.lcb);
        raise(&mut self.prior, other.prior);
        raise(&mut self.weight, other.weight);
        raise(&mut self.ownership, other.ownership);
        self.variations += other.variations;
        self.moves += other.moves;
    }
}

/// Takes over a larger difference, and keeps one that is not a number: that is no agreement.
fn raise(slot: &mut f64, difference: f64) {
    if difference.is_nan() || difference > *slot {
        *slot = difference;
    }
}

/// A search whose visits differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DifferentSearch {
    /// Number of the line, from 1.
    pub line: usize,
    /// Board, rules and length, as a person would name them.
    pub what: String,
    /// Visits by KataGo, best first.
    pub expected: String,
    /// Visits here, best first.
    pub found: String,
}

#[derive(Debug, Deserialize)]
struct Record {
    size: usize,
    rules: String,
    komi: f64,
    moves: Vec<(String, String)>,
    max_visits: u64,
    root: RecordedRoot,
    moves_info: Vec<RecordedMove>,
    ownership: Vec<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedRoot {
    visits: u64,
    winrate: f64,
    score_lead: f64,
    score_selfplay: f64,
    score_stdev: f64,
    utility: f64,
    weight: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedMove {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    edge_visits: u64,
    winrate: f64,
    score_lead: f64,
    score_selfplay: f64,
    score_stdev: f64,
    prior: f64,
    lcb: f64,
    utility: f64,
    utility_lcb: f64,
    weight: f64,
    pv: Vec<String>,
    pv_visits: Vec<u64>,
}

/// Searches every recorded position with the network that `evaluator` stands for, and compares.
///
/// `progress` is called after each search with the number of searches so far.
///
/// # Errors
/// When a line is no record, or a search fails.
pub fn check_recorded_searches<'a>(
    evaluator: &Arc<dyn Evaluator>,
    lines: impl Iterator<Item = &'a str>,
    stop: &StopFlag,
    mut progress: impl FnMut(usize),
) -> Result<CheckReport, CheckError> {
    let mut report = CheckReport::default();
    for (index, text) in lines.enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let line = index + 1;
        let record: Record = serde_json::from_str(text).map_err(|source| CheckError::Line { line, source })?;
        let game = game_of(&record).map_err(|problem| CheckError::Position { line, problem })?;
        let found =
            search(evaluator, game, record.max_visits, stop).map_err(|source| CheckError::Search { line, source })?;
        report.searches += 1;
        let expected = visits_of(record.moves_info.iter().map(|mv| (mv.mv.clone(), mv.edge_visits, mv.visits)));
        let size = BoardSize::square(record.size).unwrap_or(BoardSize::NINETEEN);
        let seen = visits_of(found.candidates.iter().map(|mv| (mv.mv.to_gtp(size), mv.edge_visits, mv.visits)));
        let what = format!("{0}x{0} {1}, {2} visits", record.size, record.rules, record.max_visits);
        if sorted(&expected) == sorted(&seen) && found.root.visits == record.root.visits {
            report.same_visits += 1;
            report.largest.take_in(&compare(&record, &found, size));
            for (expected, found) in different_variations(&record, &found, size) {
                report.largest.variations += 1;
                report.different_variations.push(DifferentSearch { line, what: what.clone(), expected, found });
            }
        } else {
            report.different.push(DifferentSearch { line, what, expected: named(&expected), found: named(&seen) });
        }
        progress(report.searches);
    }
    Ok(report)
}

fn search(
    evaluator: &Arc<dyn Evaluator>,
    game: Game,
    max_visits: u64,
    stop: &StopFlag,
) -> Result<SearchReport, SearchError> {
    let search = Search::new(Arc::clone(evaluator), game, SearchParams::deterministic_analysis(), 0)?;
    search.run(&SearchLimits { max_visits, ..SearchLimits::default() }, stop)?;
    // The variations were recorded with eight moves after the first.
    let options = ReportOptions {
        perspective: Perspective::Black,
        pv_len: 8,
        phase_end: false,
        ownership: true,
        symmetric_images: false,
        ..ReportOptions::default()
    };
    search.report(&options).ok_or(SearchError::WorkerLost)
}

fn game_of(record: &Record) -> Result<Game, String> {
    let size = BoardSize::square(record.size).map_err(|error| error.to_string())?;
    let preset = Preset::parse(&record.rules).ok_or_else(|| format!("unknown rules {}", record.rules))?;
    let komi = Komi::from_points(record.komi).map_err(|error| error.to_string())?;
    let mut game =
        Game::new(Setup::new(size, Topology::Plane, preset.ruleset(), komi)).map_err(|error| error.to_string())?;
    for (color, vertex) in &record.moves {
        let color = Color::parse(color).ok_or_else(|| format!("unknown colour {color}"))?;
        let mv = Move::from_gtp(vertex, size).ok_or_else(|| format!("unknown point {vertex}"))?;
        game.play_tolerant(color, mv).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

type MoveVisits = (String, u64, u64);

/// Moves with a visit, as (move, edge visits, visits).
fn visits_of(moves: impl Iterator<Item = MoveVisits>) -> Vec<MoveVisits> {
    moves.filter(|(_, edge_visits, visits)| *edge_visits > 0 || *visits > 0).collect()
}

fn sorted(moves: &[MoveVisits]) -> Vec<MoveVisits> {
    let mut moves = moves.to_vec();
    moves.sort();
    moves
}

fn named(moves: &[MoveVisits]) -> String {
    let named: Vec<String> = moves.iter().map(|(mv, edge_visits, _)| format!("{mv} {edge_visits}")).collect();
    named.join(" ")
}

fn compare(record: &Record, found: &SearchReport, size: BoardSize) -> Differences {
    let mut largest = Differences::default();
    let differ = |slot: &mut f64, found: f64, expected: f64| raise(slot, (found - expected).abs());
    let differ_by_share =
        |slot: &mut f64, found: f64, expected: f64| raise(slot, (found - expected).abs() / expected.max(1.0));
    let root = &record.root;
    differ(&mut largest.win_rate, found.root.win_rate, root.winrate);
    differ(&mut largest.utility, found.root.utility, root.utility);
    differ(&mut largest.score, found.root.score_lead, root.score_lead);
    differ(&mut largest.score, found.root.score_selfplay, root.score_selfplay);
    differ(&mut largest.score, found.root.score_stdev, root.score_stdev);
    differ_by_share(&mut largest.weight, found.root.weight, root.weight);
    for expected in &record.moves_info {
        let Some(mv) = found.candidates.iter().find(|mv| mv.mv.to_gtp(size) == expected.mv) else { continue };
        largest.moves += 1;
        differ(&mut largest.win_rate, mv.win_rate, expected.winrate);
        differ(&mut largest.utility, mv.utility, expected.utility);
        differ(&mut largest.score, mv.score_lead, expected.score_lead);
        differ(&mut largest.score, mv.score_selfplay, expected.score_selfplay);
        differ(&mut largest.score, mv.score_stdev, expected.score_stdev);
        differ(&mut largest.prior, mv.prior, expected.prior);
        differ(&mut largest.lcb, mv.lcb, expected.lcb);
        differ(&mut largest.lcb, mv.utility_lcb, expected.utility_lcb);
        differ_by_share(&mut largest.weight, mv.weight, expected.weight);
    }
    let ownership = found.ownership.as_deref().unwrap_or(&[]);
    if ownership.len() == record.ownership.len() {
        for (found, expected) in ownership.iter().zip(&record.ownership) {
            differ(&mut largest.ownership, f64::from(*found), *expected);
        }
    } else {
        largest.ownership = f64::INFINITY;
    }
    largest
}

/// Variations that differ from the recorded ones, those first, as text. Moves in another order count, too, unless they
/// have the same visits.
fn different_variations(record: &Record, found: &SearchReport, size: BoardSize) -> Vec<(String, String)> {
    let line = |moves: &[String], visits: &[u64]| {
        let steps: Vec<String> = moves.iter().zip(visits).map(|(mv, visits)| format!("{mv} {visits}")).collect();
        steps.join(" ")
    };
    let mut different = Vec::new();
    for (place, expected) in record.moves_info.iter().enumerate() {
        let recorded = line(&expected.pv, &expected.pv_visits);
        let seen = found.candidates.iter().find(|mv| mv.mv.to_gtp(size) == expected.mv).map(|mv| {
            let moves: Vec<String> = mv.pv.iter().map(|mv| mv.to_gtp(size)).collect();
            line(&moves, &mv.pv_visits)
        });
        if seen.as_ref() != Some(&recorded) {
            different.push((recorded, seen.unwrap_or_else(|| "absent".into())));
            continue;
        }
        let at = found.candidates.get(place);
        if at.is_none_or(|at| at.edge_visits != expected.edge_visits) {
            let at = at.map_or_else(|| "nothing".into(), |at| at.mv.to_gtp(size));
            different.push((format!("{} at place {place}", expected.mv), format!("{at} at place {place}")));
        }
    }
    different
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreeing() -> CheckReport {
        CheckReport { searches: 100, same_visits: 100, ..CheckReport::default() }
    }

    #[test]
    fn every_search_must_have_the_recorded_visits() {
        assert!(agreeing().passes());
        assert!(!CheckReport { same_visits: 99, ..agreeing() }.passes());
        assert!(!CheckReport::default().passes(), "nothing compared is no agreement");
    }

    #[test]
    fn points_are_compared_as_points() {
        let score = |score| CheckReport { largest: Differences { score, ..Differences::default() }, ..agreeing() };
        assert!(score(POINTS_TOLERANCE).passes());
        assert!(!score(POINTS_TOLERANCE * 1.01).passes());
    }

    #[test]
    fn every_value_has_its_limit() {
        let sizes: [fn(&mut Differences) -> &mut f64; 7] = [
            |all| &mut all.win_rate,
            |all| &mut all.score,
            |all| &mut all.utility,
            |all| &mut all.lcb,
            |all| &mut all.prior,
            |all| &mut all.weight,
            |all| &mut all.ownership,
        ];
        for (index, size) in sizes.into_iter().enumerate() {
            for difference in [2e-3, f64::NAN, f64::INFINITY] {
                let mut one = Differences::default();
                *size(&mut one) = difference;
                let mut report = agreeing();
                report.largest.take_in(&one);
                report.largest.take_in(&Differences::default());
                assert!(!report.passes(), "value {index} differs by {difference}");
            }
        }
        let variation = Differences { variations: 1, ..Differences::default() };
        assert!(!CheckReport { largest: variation, ..agreeing() }.passes());
    }
}
