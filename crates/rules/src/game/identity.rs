//! What makes two positions the same: the one list of what play and score depend on.
//!
//! The structs are taken apart without `..`, so that a new field of a game, a set-up or a ruleset does not compile
//! until it is said here whether it is a part of the position.

use super::{Game, Phase, PointSet};
use crate::random::splitmix;
use crate::zobrist::nth_key;
use crate::{Color, Komi, Outcome, Ruleset, Setup};

/// A hash of everything that decides how play can go on from a position and what it is worth, but for the moves that
/// led to it: stones, surface, player, phase, bans, passes, rules, and all that is added to the points on the board.
///
/// 128 bits, so that no two positions meet by chance. A turned board is another position; see
/// [`crate::canonical`] for what is the same game however it is turned. Not a form to store: it may change with the
/// rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionIdentity(pub u128);

/// What a position is judged by beside its stones, in a form that is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The rules in KataGo's compact words, with komi 0, and whether a button is taken.
    pub rules: String,
    /// What White is given beside the board: the komi, the bonus for handicap stones and, where territory is counted,
    /// the prisoners.
    pub komi: Komi,
}

/// Kinds of facts, so that no two share a key.
mod kind {
    pub(super) const SURFACE_AND_RULES: u64 = 1;
    pub(super) const WHITE_POINTS: u64 = 2;
    pub(super) const KO: u64 = 3;
    pub(super) const SUPERKO: u64 = 0x1_00;
    pub(super) const RECAPTURE: u64 = 0x2_00;
}

impl Game {
    /// What the present position is, however it came about.
    #[must_use]
    pub fn identity(&self) -> PositionIdentity {
        let Game {
            setup,
            recent,
            to_play,
            phase,
            consecutive_passes,
            superko,
            recapture_blocked,
            clean_up2_start,
            button,
            past_end,
            outcome,
            declared,
            // Counted in points, in `white_points_half`.
            charged_moves: _,
            handicap_bonus: _,
            button_half: _,
            clean_up2_captures: _,
            // How it came about. What of that forbids moves, or lets a pass end the phase, is asked for below.
            initial: _,
            turns: _,
            ko_history: _,
            ko_history_start: _,
            pass_keys: _,
            ever_occupied: _,
            recapture_hash: _,
            once_only: _,
            white_has_moved: _,
            valid_turns: _,
            resumed: _,
            // The engine's choice, not the position's.
            prevent_clean_up: _,
        } = self;
        let Setup {
            size,
            topology,
            ruleset,
            pass_alive_under_suicide: _, // With the ruleset's suicide: `suicide_for_pass_alive`.
            komi: _,                     // In `white_points_half`.
            // How it began.
            stones: _,
            first_player: _,
            captured_by: _,
            phase: _,
            handicap: _,
        } = &**setup;
        let Ruleset {
            ko,
            scoring,
            tax,
            multi_stone_suicide,
            button: has_button,
            white_handicap_bonus: _, // Counted in points.
            friendly_pass,
        } = *ruleset;
        let board = &*recent[0];

        let mut facts = Packed::default();
        facts.push(size.width() as u64, 6);
        facts.push(size.height() as u64, 6);
        facts.push(*topology as u64, 2);
        facts.push(to_play.index() as u64, 1);
        facts.push(phase.number() as u64, 2);
        facts.push(ko as u64, 2);
        facts.push(scoring as u64, 1);
        facts.push(tax as u64, 2);
        facts.push((*consecutive_passes).min(15).into(), 4);
        for fact in [
            multi_stone_suicide,
            self.suicide_for_pass_alive(),
            friendly_pass,
            has_button,
            *button,
            self.pass_would_end_phase(*to_play),
            *past_end,
            declared.or(*outcome).is_some(),
            declared.or(*outcome) == Some(Outcome::NoResult),
        ] {
            facts.push(fact.into(), 1);
        }

        let mut hash = board.hash ^ key(kind::SURFACE_AND_RULES, facts.bits);
        hash ^= key(kind::WHITE_POINTS, self.white_points_half() as u64);
        if let Some(point) = board.ko_point() {
            hash ^= key(kind::KO, point.index(*size) as u64);
        }
        hash ^= set_key(kind::SUPERKO, superko) ^ set_key(kind::RECAPTURE, recapture_blocked);
        if let (Phase::CleanUp2, Some(start)) = (phase, clean_up2_start) {
            // Another series than that of the stones that stand now.
            hash ^= u128::from(splitmix(start.hash as u64)) << 64 | u128::from(splitmix((start.hash >> 64) as u64));
        }
        PositionIdentity(hash)
    }

    /// What the present position is judged by beside its stones; `None` where the position alone does not say what it
    /// is worth: after a pass, in the phases that settle a game, at its end, and where superko forbids moves.
    #[must_use]
    pub fn terms(&self) -> Option<Terms> {
        let plain = !self.is_over()
            && self.phase == Phase::Main
            && self.turns.last().is_none_or(|turn| turn.played.point().is_some())
            && self.superko.is_empty();
        if !plain {
            return None;
        }
        let mut rules = self.setup.ruleset.to_compact(Komi::ZERO);
        if self.setup.ruleset.button && !self.button {
            rules.push_str("taken");
        }
        let mut halves = self.white_points_half();
        if self.is_territory() {
            // Moves cost a point each there. Against the stones on the board that leaves prisoners and what was set up.
            let stones = |color| self.board().count(color) as i32;
            halves -= 2 * (stones(Color::Black) - stones(Color::White));
        }
        Some(Terms { rules, komi: Komi::from_half_points(halves) })
    }

    /// Half points for White beside the board: the komi, what moves cost, the button, the bonus for handicap stones.
    fn white_points_half(&self) -> i32 {
        let [black, white] = self.charged_moves.map(|moves| i32::try_from(moves).unwrap_or(i32::MAX / 8));
        let bonus = i32::try_from(self.handicap_bonus).unwrap_or(0);
        self.setup.komi.half_points() + 2 * (black - white) + self.button_half + 2 * bonus
    }
}

/// Small facts side by side.
#[derive(Default)]
struct Packed {
    bits: u64,
    used: u32,
}

impl Packed {
    fn push(&mut self, value: u64, width: u32) {
        debug_assert!(value < 1 << width && self.used + width <= 64, "a fact does not fit");
        self.bits |= value << self.used;
        self.used += width;
    }
}

fn key(kind: u64, value: u64) -> u128 {
    nth_key(splitmix(kind.wrapping_add(0x1d_0000)) ^ splitmix(value))
}

fn set_key(kind: u64, set: &PointSet) -> u128 {
    let marked = set.words().iter().enumerate().filter(|&(_, &word)| word != 0);
    marked.fold(0, |hash, (at, &word)| hash ^ key(kind + at as u64, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSize, HandicapBonus, HandicapCount, KoRule, Move, Point, Preset, Scoring, Tax, Topology};

    const BASE: Ruleset = Ruleset::TROMP_TAYLOR;

    fn setup(size: usize) -> Setup {
        Setup::new(BoardSize::square(size).unwrap(), Topology::Plane, BASE, Komi::from_half_points(15))
    }

    fn played(setup: Setup, moves: &str) -> Game {
        let size = setup.size;
        let mut game = Game::new(setup).unwrap();
        for word in moves.split_whitespace() {
            game.play(game.to_play(), Move::from_gtp(word, size).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn another_order_of_moves_leads_to_the_same_position() {
        let one = played(setup(9), "E5 C3 G7 D4");
        let other = played(setup(9), "G7 D4 E5 C3");
        assert_eq!(one.identity(), other.identity());
        assert_eq!(one.terms(), other.terms());
    }

    #[test]
    fn every_fact_makes_another_position() {
        let plain = || setup(9);
        let with = |change: &dyn Fn(&mut Ruleset)| {
            let mut setup = plain();
            change(&mut setup.ruleset);
            played(setup, "E5 C3")
        };
        // The rule of handicap points is none of them: it says something only where it gives points.
        let Ruleset {
            ko: _,
            scoring: _,
            tax: _,
            multi_stone_suicide: _,
            button: _,
            white_handicap_bonus: _,
            friendly_pass: _,
        } = BASE;
        let free = |bonus| {
            let ruleset = Ruleset { white_handicap_bonus: bonus, ..BASE };
            let handicap = HandicapCount::Exactly(3);
            played(Setup { ruleset, handicap, ..plain() }, "E5 C3")
        };
        let mut resigned = played(plain(), "E5 C3");
        resigned.play(Color::Black, Move::Resign).unwrap();
        let territory = Ruleset { scoring: Scoring::Territory, tax: Tax::Seki, ko: KoRule::Simple, ..BASE };
        let phase = |phase| played(Setup { ruleset: territory, phase, ..plain() }, "");
        let mut started_with = phase(Phase::CleanUp2);
        started_with.play(Color::Black, Move::Place(Point::new(2, 2))).unwrap();
        let stones = vec![(Point::new(2, 2), Color::Black)];
        let set_up =
            Setup { ruleset: territory, phase: Phase::CleanUp2, first_player: Color::White, stones, ..plain() };
        let games = [
            ("the game", played(plain(), "E5 C3")),
            ("a stone", played(plain(), "E5 C4")),
            ("the player", played(plain(), "E5 C3 pass")),
            ("ko rule", with(&|rules| rules.ko = KoRule::Situational)),
            ("scoring", with(&|rules| rules.scoring = Scoring::Territory)),
            ("tax", with(&|rules| rules.tax = Tax::Seki)),
            ("suicide", with(&|rules| rules.multi_stone_suicide = false)),
            ("button", with(&|rules| rules.button = true)),
            ("friendly pass", with(&|rules| rules.friendly_pass = true)),
            ("handicap points", free(HandicapBonus::N)),
            ("fewer handicap points", free(HandicapBonus::NMinusOne)),
            ("komi", played(Setup { komi: Komi::from_half_points(13), ..plain() }, "E5 C3")),
            ("topology", played(Setup { topology: Topology::Torus, ..plain() }, "E5 C3")),
            ("size", played(setup(11), "E5 C3")),
            ("resigned", resigned),
            ("passed twice", played(plain(), "E5 C3 pass pass")),
            (
                "life judged under suicide",
                played(
                    Setup {
                        pass_alive_under_suicide: true,
                        ruleset: Ruleset { multi_stone_suicide: false, ..BASE },
                        ..plain()
                    },
                    "E5 C3",
                ),
            ),
            ("main phase", phase(Phase::Main)),
            ("first clean-up", phase(Phase::CleanUp1)),
            ("second clean-up", phase(Phase::CleanUp2)),
            ("a stone that came later", started_with),
            ("a stone that was there", played(set_up, "")),
        ];
        for (at, (name, game)) in games.iter().enumerate() {
            for (other, earlier) in &games[..at] {
                assert_ne!(game.identity(), earlier.identity(), "{name} and {other}");
            }
        }
    }

    #[test]
    fn a_ban_makes_another_position() {
        let ko = "B1 C1 A2 D2 B3 C3 pass B2 C2";
        let set_up = |game: &Game| {
            let stones = game.board().stones().collect();
            Game::new(Setup { stones, first_player: game.to_play(), ..game.setup().clone() }).unwrap()
        };
        let simple = played(Setup { ruleset: Ruleset { ko: KoRule::Simple, ..BASE }, ..setup(5) }, ko);
        assert!(simple.board().ko_point().is_some());
        assert_ne!(simple.identity(), set_up(&simple).identity());
        // Black makes it two stones, White takes them: superko alone forbids to take the taker.
        let black = ["B5", "D5", "C4", "D4", "D3", "D2"].map(|word| (word, Color::Black));
        let white = ["A4", "B4", "B3", "C3", "C2"].map(|word| (word, Color::White));
        let at = |word| Move::from_gtp(word, BoardSize::square(5).unwrap()).unwrap().point().unwrap();
        let stones = black.into_iter().chain(white).map(|(word, color)| (at(word), color)).collect();
        let superko = played(Setup { stones, ..setup(5) }, "A5 C5");
        let fresh = set_up(&superko);
        assert_eq!(superko.superko_points().collect::<Vec<_>>(), [at("B5")]);
        assert_eq!((superko.board().ko_point(), superko.consecutive_passes()), (None, fresh.consecutive_passes()));
        assert_ne!(superko.identity(), fresh.identity());
    }

    #[test]
    fn terms_say_what_is_added_to_the_board() {
        let game = played(Setup::preset(Preset::Japanese), "Q16 D4");
        let terms = game.terms().unwrap();
        assert_eq!((terms.rules.as_str(), terms.komi), ("koSIMPLEscoreTERRITORYtaxSEKIsui0komi0", game.komi()));
        let button = played(Setup { ruleset: Ruleset { button: true, ..BASE }, ..setup(9) }, "pass E5");
        assert!(button.terms().unwrap().rules.ends_with("taken"));
        assert_eq!(played(setup(9), "E5 pass").terms(), None, "a pass is part of what comes next");
    }
}
