//! A position as a problem: which group it is about, and what the player to move can do.

use crate::fate::{Fate, Verdict};
use crate::group::{LIKELY_STONES, groups};
use crate::order::MoveOrder;
use crate::referee::{Limits, Referee};
use honinbo_rules::{Board, Color, Point};

/// Groups that are looked at.
const MAX_GROUPS: usize = 3;

/// What a position asks of the player to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appraisal {
    /// Whose group it is.
    pub defender: Color,
    /// Its stones.
    pub group: Vec<Point>,
    /// What becomes of it.
    pub verdict: Verdict,
}

impl Appraisal {
    /// The fate where this player moves first.
    #[must_use]
    pub fn fate(&self, first: Color) -> Fate {
        let ruling = if first == self.defender { &self.verdict.defender_first } else { &self.verdict.attacker_first };
        ruling.fate
    }

    /// Both fates are proved, and it matters who moves first.
    #[must_use]
    pub fn is_decided_by_first_move(&self) -> bool {
        let rank = |color| self.fate(color).rank();
        rank(self.defender.opponent()).zip(rank(self.defender)).is_some_and(|(attacker, defender)| attacker > defender)
    }
}

/// Finds the group that a position is about: the first one for which it matters who moves first, or else of which most is
/// proved, but no lost stone or two where something larger is surrounded. `None` where nothing is surrounded.
///
/// `stop` is asked as in [`Referee::with`].
#[must_use]
pub fn appraise(board: &Board, limits: Limits, order: &dyn MoveOrder, stop: &dyn Fn() -> bool) -> Option<Appraisal> {
    let mut best: Option<Appraisal> = None;
    for found in groups(board, limits.empty_points).into_iter().take(MAX_GROUPS) {
        let verdict = Referee::with(board, &found.stones, limits, order, stop).verdict();
        let appraisal = Appraisal { defender: found.color, group: found.stones, verdict };
        if appraisal.is_decided_by_first_move() {
            return Some(appraisal);
        }
        let proved =
            |appraisal: &Appraisal| Color::ALL.iter().filter(|&&first| appraisal.fate(first).is_proved()).count();
        let likely = appraisal.group.len() >= LIKELY_STONES;
        if best.as_ref().is_none_or(|best| likely && proved(&appraisal) > proved(best)) {
            best = Some(appraisal);
        }
        if stop() {
            break;
        }
    }
    best
}
