//! Counting a game, with the arithmetic that leads to the result.

use crate::area::{AreaMap, area_map};
use crate::life::{Keep, independent_life_with};
use crate::{Board, Color, Game, Outcome, Phase, Point, Scoring, Tax};

/// The parts of one player's score. Under area scoring `dead_stones`, `prisoners` and `clean_up` are zero: dead
/// stones are then part of `territory`, as their points are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SideScore {
    /// Own stones on the board that count (area scoring).
    pub stones: u32,
    /// Surrounded points, those under dead opposing stones included.
    pub territory: u32,
    /// Opposing stones that are dead where they stand (territory scoring).
    pub dead_stones: u32,
    /// Opposing stones taken during the game (territory scoring).
    pub prisoners: u32,
    /// Correction for what was played and taken in the second clean-up phase, which costs nothing.
    pub clean_up: i32,
    /// Points paid for living groups, 2 each, under a tax on all groups.
    pub group_tax: u32,
    /// Komi, in half points. Negative komi is White's too.
    pub komi_half: i32,
    /// White's points for Black's handicap stones.
    pub handicap_bonus: u32,
    /// What the button brought, in half points.
    pub button_half: i32,
}

impl SideScore {
    /// The sum, in half points.
    #[must_use]
    pub const fn total_half(&self) -> i32 {
        let points = self.stones as i32
            + self.territory as i32
            + self.dead_stones as i32
            + self.prisoners as i32
            + self.clean_up
            - self.group_tax as i32
            + self.handicap_bonus as i32;
        2 * points + self.komi_half + self.button_half
    }

    /// The sum, in points.
    #[must_use]
    pub fn total(&self) -> f64 {
        f64::from(self.total_half()) / 2.0
    }
}

/// A counted position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// Black's parts and White's.
    pub sides: [SideScore; 2],
    /// Whose each point is, in the sense of what counts: stones under area scoring and under territory scoring
    /// alike.
    pub map: AreaMap,
    /// How it was counted.
    pub scoring: Scoring,
}

impl Score {
    /// One player's parts.
    #[must_use]
    pub fn side(&self, color: Color) -> &SideScore {
        &self.sides[color.index()]
    }

    /// White's total minus Black's, in half points.
    #[must_use]
    pub fn white_minus_black_half(&self) -> i32 {
        self.sides[1].total_half() - self.sides[0].total_half()
    }

    /// Black's lead in points; negative when White leads.
    #[must_use]
    pub fn black_lead(&self) -> f64 {
        f64::from(-self.white_minus_black_half()) / 2.0
    }

    /// What the result would be.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::from_white_minus_black(self.white_minus_black_half())
    }
}

impl Game {
    /// The score if the game ended now with every stone standing as it does.
    ///
    /// Source: KataGo `cpp/game/boardhistory.cpp`, `countAreaScoreWhiteMinusBlack` and
    /// `countTerritoryAreaScoreWhiteMinusBlack`, v1.17.2.
    #[must_use]
    pub fn score(&self) -> Score {
        self.tally(self.board(), None, [0; 2])
    }

    /// The score with these stones taken off as dead. Points without a stone do not matter.
    ///
    /// Whole chains are taken off, whichever of their stones is named. Players stop before the last neutral points are
    /// filled: where either can fill one in safety, it does not make its neighbours a seki, as it would in
    /// [`Game::score`], and neither does a living stone that is in atari. A point on which a protecting move becomes
    /// necessary by the filling is nobody's, and so is what nobody surrounds without the filling: on an open board
    /// nothing is decided.
    #[must_use]
    pub fn score_without(&self, dead: &[Point]) -> Score {
        let (board, removed) = self.board().without_chains(dead);
        let seki_matters = self.ruleset().scoring == Scoring::Territory || self.ruleset().tax != Tax::None;
        if seki_matters {
            let filled = board.with_dame_filled(self.suicide_for_pass_alive());
            self.tally(&board, Some(&filled), removed)
        } else {
            self.tally(&board, None, removed)
        }
    }

    /// The living stones that live in seki once these stones are taken off as dead: their groups touch a neutral point
    /// that neither player can fill.
    #[must_use]
    pub fn seki_stones(&self, dead: &[Point]) -> Vec<Point> {
        let (board, _) = self.board().without_chains(dead);
        let suicide = self.suicide_for_pass_alive();
        let filled = board.with_dame_filled(suicide);
        let life = independent_life_with(
            &filled,
            Keep { territory: false, stones: false, beside_atari: true },
            suicide,
            false,
        );
        let size = board.size();
        board.stones().map(|(point, _)| point).filter(|point| life.map[point.index(size)].is_none()).collect()
    }

    /// `agreed`: the board with its neutral points filled, by which seki is judged once the dead stones are known.
    fn tally(&self, board: &Board, agreed: Option<&Board>, removed: [u32; 2]) -> Score {
        let ruleset = self.ruleset();
        let suicide = self.suicide_for_pass_alive();
        let mut groups = [0; 2];
        let mut map = match (ruleset.scoring, ruleset.tax) {
            (Scoring::Area, Tax::None) => area_map(board, suicide),
            (scoring, tax) => {
                let territory = scoring == Scoring::Territory && tax == Tax::None;
                let keep = Keep { territory, stones: scoring == Scoring::Area, beside_atari: true };
                let life = independent_life_with(agreed.unwrap_or(board), keep, suicide, agreed.is_none());
                if tax == Tax::All {
                    groups = life.groups;
                }
                life.map
            }
        };
        if let Some(agreed) = agreed {
            for ((entry, stone), added) in map.iter_mut().zip(board.points()).zip(agreed.points()) {
                if stone.is_none() && added.is_some() {
                    *entry = None;
                }
            }
            drop_undecided(&mut map, board, suicide);
        }
        let before_second = self.phase() != Phase::CleanUp2;
        if ruleset.scoring == Scoring::Territory {
            for (point, color) in board.stones() {
                let entry = &mut map[point.index(board.size())];
                if entry.is_none() && (before_second || self.second_clean_up_stone(point) == Some(color)) {
                    *entry = Some(color);
                }
            }
        }

        let mut sides = [SideScore::default(); 2];
        for (&owner, stone) in map.iter().zip(board.points()) {
            let Some(owner) = owner else { continue };
            let side = &mut sides[owner.index()];
            if stone == Some(owner) {
                side.stones += 1;
            } else {
                side.territory += 1;
                side.dead_stones += u32::from(stone.is_some());
            }
        }
        for color in Color::ALL {
            sides[color.index()].group_tax = 2 * groups[color.index()];
        }
        if ruleset.scoring == Scoring::Territory {
            let counted = [sides[0].stones, sides[1].stones];
            for color in Color::ALL {
                let opponent = color.opponent().index();
                let side = &mut sides[color.index()];
                side.prisoners = self.prisoners_of(color);
                side.dead_stones += removed[opponent];
                // Each opposing move that left no counted stone is worth a point. Prisoners and dead stones are
                // those moves, unless stones were played or taken free of charge in the second clean-up.
                let lost_moves = self.charged_moves()[opponent] as i32 - counted[opponent] as i32;
                side.clean_up = lost_moves - side.prisoners as i32 - side.dead_stones as i32;
                side.stones = 0;
            }
        } else {
            sides.iter_mut().for_each(|side| side.dead_stones = 0);
        }
        let white = &mut sides[1];
        white.komi_half = self.komi().half_points();
        white.handicap_bonus = self.white_handicap_bonus();
        let button = self.button_half();
        sides[usize::from(button > 0)].button_half = button.abs();
        Score { sides, map, scoring: ruleset.scoring }
    }
}

/// What only the filling of neutral points gave to somebody is nobody's: as long as nobody surrounds it, whoever fills
/// first would have it. Stones that were not called dead stay their owner's.
fn drop_undecided(map: &mut [Option<Color>], board: &Board, suicide: bool) {
    for ((entry, before), stone) in map.iter_mut().zip(area_map(board, suicide)).zip(board.points()) {
        if entry.is_some() && *entry != before {
            *entry = stone;
        }
    }
}
