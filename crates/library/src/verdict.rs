//! What a move lost, by one rule for whoever judges moves: the window, a review in the terminal, a player's page, the
//! explorer.

use crate::evaluations::kept_lead;
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{Color, Move};

/// Visits from which a position is known well enough to judge the move before it and those after it. Of the points that
/// one visit on each position takes for lost, a fifth was lost by moves that the engine plays itself with a hundred
/// visits, and two of its five worst moves are not among the worst; see docs/experiments/ui-stories.md.
pub const ENOUGH_VISITS: u32 = 50;

/// Points lost from which a move is a mistake.
pub const MISTAKE_FROM: f64 = 2.0;

/// Points lost from which a mistake is a blunder.
pub const BLUNDER_FROM: f64 = 6.0;

/// What a search found of a position.
#[derive(Debug, Clone, Copy)]
pub struct Searched<'a> {
    /// Visits of the position.
    pub visits: u32,
    /// Points that Black leads by; `None` where points are not counted.
    pub black_lead: Option<f64>,
    /// Moves that were looked at, best first; empty where points are not counted.
    pub candidates: &'a [CandidateEvaluation],
}

impl<'a> From<&'a PositionEvaluation> for Searched<'a> {
    fn from(found: &'a PositionEvaluation) -> Self {
        Self { visits: found.visits, black_lead: found.black_lead, candidates: &found.candidates }
    }
}

/// Points that a move lost its player against the best one, 0 or more: the best candidate of the position before it
/// against the move, each as it was searched. The engine's own choice loses nothing, so that what two searches differ by
/// is not counted as anybody's mistake. `None` where fewer than `enough` visits stand behind one of the two. Leads count as
/// they are kept, in 32nds of a point: a review under way and all that is read later find the same mistakes.
#[must_use]
pub fn points_lost(mover: Color, played: Move, before: Searched<'_>, after: Searched<'_>, enough: u32) -> Option<f64> {
    let lead_before = before.black_lead?;
    if before.visits < enough {
        return None;
    }
    let best = before.candidates.first();
    if best.is_some_and(|best| best.played == played) {
        return Some(0.0);
    }
    // The move's own search, unless the one before looked at it more closely.
    let lead = match before.candidates.iter().find(|candidate| candidate.played == played) {
        Some(own) if own.visits >= after.visits.max(enough) => own.black_lead?,
        _ if after.visits >= enough => after.black_lead?,
        _ => return None,
    };
    let sign = if mover == Color::Black { 1.0 } else { -1.0 };
    let best_lead = best.and_then(|best| best.black_lead).unwrap_or(lead_before);
    Some((sign * (kept_lead(best_lead) - kept_lead(lead))).max(0.0))
}

/// Points by which a move turned out better for its player than everything that was known before it, or, where it was the
/// engine's own choice, worse (less than 0): the position after it has shown what the search of the position before did not
/// see. `None` where that is less than a mistake, or where fewer than `enough` visits stand behind one of the two.
#[must_use]
pub fn change_of_mind(
    mover: Color,
    played: Move,
    before: Searched<'_>,
    after: Searched<'_>,
    enough: u32,
) -> Option<f64> {
    if before.visits < enough || after.visits < enough {
        return None;
    }
    let sign = if mover == Color::Black { 1.0 } else { -1.0 };
    let best = before.candidates.first()?;
    let gained = sign * (after.black_lead? - best.black_lead.or(before.black_lead)?);
    let shown = gained >= MISTAKE_FROM || best.played == played && gained <= -MISTAKE_FROM;
    shown.then_some(gained)
}

/// Opening (0), middle game (1) or endgame (2), for the number of a move from 1: on 19x19 the first ends after move 50 and
/// the second after move 150, on a board of fewer points so much earlier.
#[must_use]
pub fn part_of_game(number: u32, area: usize) -> usize {
    let moves = 361.0 * f64::from(number) / area as f64;
    usize::from(moves > 50.0) + usize::from(moves > 150.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::Point;

    const BEST: Move = Move::Place(Point::new(2, 2));
    const OTHER: Move = Move::Place(Point::new(6, 6));

    fn candidate(played: Move, visits: u32, black_lead: f64) -> CandidateEvaluation {
        CandidateEvaluation {
            played,
            visits,
            black_win_prob: 0.5,
            black_lead: Some(black_lead),
            prior: 0.1,
            line: Vec::new(),
        }
    }

    fn searched(visits: u32, black_lead: f64, candidates: &[CandidateEvaluation]) -> Searched<'_> {
        Searched { visits, black_lead: Some(black_lead), candidates }
    }

    #[test]
    fn a_move_is_measured_against_the_best_candidate_of_the_position_before() {
        let candidates = [candidate(BEST, 40, 3.0), candidate(OTHER, 10, 1.0)];
        let (before, after) = (searched(50, 2.0, &candidates), searched(50, -1.5, &[]));
        assert_eq!(points_lost(Color::Black, OTHER, before, after, 50), Some(4.5));
        assert_eq!(points_lost(Color::White, OTHER, before, after, 50), Some(0.0), "what is gained is not lost");
        assert_eq!(points_lost(Color::Black, Move::Pass, before, after, 50), Some(4.5), "one that nobody looked at");
    }

    #[test]
    fn a_loss_just_at_a_limit_is_the_same_before_and_after_it_was_kept() {
        let at_limit = |before: f64, after: f64| {
            let candidates = [candidate(BEST, 40, before)];
            let (before, after) = (searched(50, before, &candidates), searched(50, after, &[]));
            points_lost(Color::Black, OTHER, before, after, 50).unwrap()
        };
        for (before, after) in [(1.234, -0.77), (-3.456, -5.451), (2.0, 0.01)] {
            let kept = |lead: f64| (lead * 32.0).round() / 32.0;
            assert_eq!(at_limit(before, after), at_limit(kept(before), kept(after)));
        }
        assert_eq!(at_limit(2.0, 0.01), MISTAKE_FROM);
    }

    #[test]
    fn the_engines_own_choice_loses_nothing_whatever_the_next_search_says() {
        let candidates = [candidate(BEST, 40, 3.0)];
        let (before, after) = (searched(50, 2.0, &candidates), searched(1, -9.0, &[]));
        assert_eq!(points_lost(Color::Black, BEST, before, after, 50), Some(0.0));
    }

    #[test]
    fn nothing_is_said_before_both_positions_are_searched_enough() {
        let candidates = [candidate(BEST, 40, 3.0), candidate(OTHER, 10, 1.0)];
        let position = |visits| searched(visits, 2.0, &candidates);
        assert_eq!(points_lost(Color::Black, OTHER, position(49), position(500), 50), None);
        assert_eq!(points_lost(Color::Black, BEST, position(49), position(500), 50), None);
        assert_eq!(points_lost(Color::Black, OTHER, position(500), position(49), 50), None);
        assert!(points_lost(Color::Black, OTHER, position(50), position(50), 50).is_some());
    }

    #[test]
    fn the_search_that_looked_at_the_move_more_closely_says_what_it_is_worth() {
        let candidates = [candidate(BEST, 300, 3.0), candidate(OTHER, 80, 1.0)];
        let before = searched(400, 2.5, &candidates);
        let lost = |visits| points_lost(Color::Black, OTHER, before, searched(visits, 0.0, &[]), 50);
        assert_eq!(lost(10), Some(2.0));
        assert_eq!(lost(80), Some(2.0), "of equals the search that compared it with the best");
        assert_eq!(lost(81), Some(3.0));
    }

    #[test]
    fn without_candidates_the_leads_are_compared_and_without_leads_nothing() {
        let none = Searched { visits: 900, black_lead: None, candidates: &[] };
        assert_eq!(points_lost(Color::White, OTHER, searched(50, 2.0, &[]), searched(50, 3.5, &[]), 50), Some(1.5));
        assert_eq!(points_lost(Color::White, OTHER, none, searched(50, 3.5, &[]), 50), None);
        assert_eq!(points_lost(Color::White, OTHER, searched(50, 2.0, &[]), none, 50), None);
    }

    #[test]
    fn the_engine_changed_its_mind_where_a_move_was_better_than_all_it_knew_or_its_own_choice_worse() {
        let candidates = [candidate(BEST, 40, 3.0), candidate(OTHER, 10, 1.0)];
        let before = searched(50, 2.0, &candidates);
        let changed = |played, lead| change_of_mind(Color::Black, played, before, searched(50, lead, &[]), 50);
        assert_eq!(changed(OTHER, 6.0), Some(3.0), "a move that nobody thought of");
        assert_eq!(changed(BEST, 6.0), Some(3.0));
        assert_eq!(changed(BEST, 0.5), Some(-2.5), "its own choice");
        assert_eq!(changed(OTHER, 0.5), None, "that is a mistake, and no surprise");
        assert_eq!(changed(BEST, 4.5), None, "two searches differ by so much");
        let white = change_of_mind(Color::White, OTHER, before, searched(50, 0.5, &[]), 50);
        assert_eq!(white, Some(2.5), "what is less for Black is more for White");
        assert_eq!(change_of_mind(Color::Black, OTHER, before, searched(49, 9.0, &[]), 50), None);
        assert_eq!(change_of_mind(Color::Black, OTHER, searched(50, 2.0, &[]), searched(50, 9.0, &[]), 50), None);
    }

    #[test]
    fn parts_of_the_game_grow_with_the_board() {
        assert_eq!([50, 51, 150, 151].map(|number| part_of_game(number, 361)), [0, 1, 1, 2]);
        assert_eq!([11, 12, 33, 34].map(|number| part_of_game(number, 81)), [0, 1, 1, 2]);
    }
}
