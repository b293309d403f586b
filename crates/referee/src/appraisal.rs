//! A position as a problem: which group it is about, and what the player to move can do.

use crate::fate::{Fate, Ruling, Verdict};
use crate::group::{LIKELY_STONES, groups};
use crate::order::MoveOrder;
use crate::referee::{Limits, Referee};
use honinbo_rules::{Board, Color, Move, Point};

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

    /// Whether a fate is as good for a player as what they get by moving first. Life is life, with eyes or in seki.
    #[must_use]
    pub fn is_as_good(&self, fate: Fate, player: Color) -> bool {
        let best = self.fate(player);
        if fate.is_life() && best.is_life() {
            return true;
        }
        let worth = |fate: Fate| fate.rank().map(|rank| if player == self.defender { u8::MAX - rank } else { rank });
        worth(fate).zip(worth(best)).is_some_and(|(fate, best)| fate >= best)
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

/// What a position is about, by moves of the player to move that somebody holds right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The group.
    pub appraisal: Appraisal,
    /// What each of the moves leads to.
    pub right: Vec<Ruling>,
    /// What the moves are for this group.
    pub held: Held,
}

/// What moves that somebody holds right are for a group. Ordered: a group of a greater one is likelier the one in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// It is proved that it does not matter who moves first: they are about something else.
    NoMatter,
    /// One of them is proved to be worse than another move.
    Differs,
    /// Something that would be needed was not proved.
    NotProved,
    /// All of them are proved to be among the best.
    Agrees,
}

/// Finds the group that moves are about which somebody holds right: the first one for which all of them are proved to be
/// among the best, where it matters who moves first. Where no group is such, the answer is about the one that may still be
/// it. `None` where nothing is surrounded.
///
/// `stop` is asked as in [`Referee::with`].
#[must_use]
pub fn appraise_answers(
    board: &Board,
    solver: Color,
    right: &[Move],
    limits: Limits,
    order: &dyn MoveOrder,
    stop: &dyn Fn() -> bool,
) -> Option<Answered> {
    let mut best: Option<Answered> = None;
    for found in groups(board, limits.empty_points).into_iter().take(MAX_GROUPS) {
        let mut referee = Referee::with(board, &found.stones, limits, order, stop);
        let verdict = referee.verdict();
        let appraisal = Appraisal { defender: found.color, group: found.stones, verdict };
        let is_decided = appraisal.is_decided_by_first_move();
        let rulings: Vec<Ruling> =
            if is_decided { right.iter().map(|&played| referee.rule(solver, &[played])).collect() } else { Vec::new() };
        let is_worse = |ruling: &Ruling| ruling.fate.is_proved() && !appraisal.is_as_good(ruling.fate, solver);
        let held = if !Color::ALL.iter().all(|&first| appraisal.fate(first).is_proved()) {
            Held::NotProved
        } else if !is_decided {
            Held::NoMatter
        } else if rulings.iter().any(is_worse) {
            Held::Differs
        } else if rulings.iter().all(|ruling| ruling.fate.is_proved()) {
            Held::Agrees
        } else {
            Held::NotProved
        };
        let answered = Answered { appraisal, right: rulings, held };
        if held == Held::Agrees {
            return Some(answered);
        }
        if best.as_ref().is_none_or(|best| held > best.held) {
            best = Some(answered);
        }
        if stop() {
            break;
        }
    }
    best
}
