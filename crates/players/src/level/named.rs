//! Players of limited strength by name: `rank_5k`, `preaz_2d+territorial`, `rank_10k+adaptive`, `pupil_2`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use honinbo_evaluator::{PlayerProfile, StopFlag};
use honinbo_rules::{Game, Move, Random};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams, TimeLimit};

use super::{OtherNetwork, PUPILS, Rank, RankLimits, ReadyNetwork, Style, limited};
use crate::PlayerError;

/// A player of limited strength: a rank, a time, a style.
///
/// With a network of human style it plays what that network expects of somebody of its profile; with another one it
/// sees and reads as little as its rank's [`RankLimits`] say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limited {
    /// How strong.
    pub rank: Rank,
    /// Who, for networks of human style.
    pub profile: PlayerProfile,
    /// What it likes; `None` for nothing in particular.
    pub style: Option<Style>,
    /// Its strength follows the score, so that the game stays open.
    pub adaptive: bool,
    /// What it sees and reads instead of what its rank does.
    pub limits: Option<RankLimits>,
    /// A pupil from 1, instead of a rank: the higher, the longer its network has learnt. It plays what that expects.
    pub pupil: Option<u8>,
}

/// As a network expects it.
const AS_EXPECTED: RankLimits = RankLimits { visits: 1, temperature: 1.0, whim: 0.0, blindness: 0.0 };

/// How closely each pupil follows its network's odds, as powers of them. People follow half of them: what they play is most
/// likely by powers of 0.35 to 0.5, beside what draws their eyes; higher ones make the upper pupils stronger. See
/// docs/experiments/self-play.md.
const PUPIL_POWERS: [f64; PUPILS.len()] = [0.5, 0.55, 0.6, 0.7, 0.8];

fn of_pupil(step: u8) -> RankLimits {
    let power = PUPIL_POWERS.get(usize::from(step).wrapping_sub(1)).copied().unwrap_or(1.0);
    RankLimits { temperature: 1.0 / power, ..AS_EXPECTED }
}

/// Points of lead from which a player that adapts becomes weaker, or stronger when it is behind.
const EVEN: f64 = 4.0;
/// Ranks by which it changes at most.
const MAX_SHIFT: i32 = 12;
/// Doublings of playouts that a style for handicap games believes to have over the other player while it is behind.
const HANDICAP_DOUBLINGS: f64 = 1.5;

impl Limited {
    /// A player of a rank in our time.
    #[must_use]
    pub fn of(rank: Rank) -> Option<Limited> {
        Limited::parse(&format!("rank_{rank}"))
    }

    /// Reads a name: `rank_20k` to `rank_9d`, `preaz_20k` to `preaz_9d` (before 2017), `proyear_1800` to
    /// `proyear_2023`; then a style and `adaptive`, each after a `+`. [`PUPILS`] stand alone. `None` where it is none.
    #[must_use]
    pub fn parse(name: &str) -> Option<Limited> {
        if let Some(place) = PUPILS.iter().position(|pupil| *pupil == name) {
            return Some(Limited { pupil: Some(place as u8 + 1), ..Limited::of(Rank::WEAKEST)? });
        }
        let mut parts = name.split('+');
        let who = parts.next()?;
        let profile = who.parse().ok()?;
        let rank = match who.split_once('_')? {
            ("rank" | "preaz", rank) => rank.parse().ok()?,
            _ => Rank::STRONGEST,
        };
        let mut found = Limited { rank, profile, style: None, adaptive: false, limits: None, pupil: None };
        for part in parts {
            match part {
                "adaptive" if !found.adaptive => found.adaptive = true,
                style if found.style.is_none() => found.style = Some(style.parse().ok()?),
                _ => return None,
            }
        }
        Some(found)
    }

    /// From 0 for the strongest rank to 1 for the weakest; `None` for pupils, who play every game to its end.
    pub(super) fn weakness(&self) -> Option<f64> {
        let strength = f64::from(self.rank.above_weakest()) / f64::from(Rank::STRONGEST.above_weakest());
        self.pupil.is_none().then_some(1.0 - strength)
    }

    /// The same player some ranks stronger; what somebody chose for it stays.
    pub(super) fn shifted(self, ranks: i32) -> Limited {
        if ranks == 0 {
            return self;
        }
        let rank = self.rank.stronger_by(ranks);
        let profile = format!("{}_{rank}", time_of(self.profile)).parse().unwrap_or(self.profile);
        Limited { rank, profile, limits: self.limits.map(|own| own.moved(self.rank, rank)), ..self }
    }

    /// The shift after a turn that left the player so many points ahead, among the ranks that there are: what goes beyond
    /// would have to be taken back, turn by turn, before it is seen.
    pub(super) fn shift_after(&self, shift: i32, lead: f64) -> i32 {
        let step = match lead {
            _ if !self.adaptive => return 0,
            lead if lead > EVEN => -1,
            lead if lead < -EVEN => 1,
            _ => 0,
        };
        let below = i32::from(self.rank.above_weakest());
        let above = i32::from(Rank::STRONGEST.above_weakest()) - below;
        (shift + step).clamp(-MAX_SHIFT.min(below), MAX_SHIFT.min(above))
    }

    /// Its move, the search behind it, and the lead in points that it believes to have.
    pub(super) fn choose(
        &self,
        ready: &ReadyNetwork,
        game: &Game,
        time: Duration,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<(Move, Search, f64), PlayerError> {
        let other = |wanted| ready.others.as_ref().and_then(|find| find(wanted));
        let human = match self.pupil {
            Some(_) => None,
            None if ready.human_style => Some(Arc::clone(&ready.evaluator)),
            None => other(OtherNetwork::Human),
        };
        let of_rank = self.limits.unwrap_or_else(|| self.rank.limits());
        let (evaluator, profile, mut limits) = match (self.pupil, human) {
            (Some(step), _) => {
                let missing =
                    || PlayerError::NoNetwork { message: format!("the one of pupil_{step} is not installed") };
                (other(OtherNetwork::Pupil(step)).ok_or_else(missing)?, None, of_pupil(step))
            }
            // What it expects of such a player is how such a player plays: mistakes are in it already.
            (None, Some(human)) => (human, Some(self.profile), AS_EXPECTED),
            (None, None) => (Arc::clone(&ready.evaluator), None, of_rank),
        };
        if let Some(style) = self.style {
            limits.visits = limits.visits.max(style.least_visits());
        }
        let gave_stones = self.style == Some(Style::Handicap) && !game.setup().stones.is_empty();
        let params = SearchParams {
            profile,
            playout_doubling_advantage: if gave_stones { HANDICAP_DOUBLINGS } else { 0.0 },
            // Drawn from are all moves, mirror images too.
            root_symmetry_pruning: false,
            playout_doubling_advantage_player: gave_stones.then_some(honinbo_rules::Color::White),
            ..SearchParams::play()
        };
        // The same player in the same position plays the same, whatever was taken back in between.
        let seed = seed ^ game.board().hash().low().rotate_left(17) ^ game.turns().len() as u64;
        let search = Search::new(evaluator, game.clone(), params, seed)?;
        let began = Instant::now();
        let search_limits = SearchLimits {
            max_visits: limits.visits,
            time: Some(TimeLimit { stopwatch: Arc::new(move || began.elapsed()), max: time }),
            // Threads make hardly any difference for so few visits, and a single one plays the same game twice.
            threads: 1,
            leaves_per_thread: Some(1),
            include_ownership: false,
            ..SearchLimits::default()
        };
        search.run(&search_limits, stop)?;
        let options = ReportOptions {
            perspective: Perspective::Mover,
            pv_len: 0,
            min_candidates: game.board().size().area() + 1,
            ..ReportOptions::default()
        };
        let report = search.report(&options).ok_or(PlayerError::NoMove)?;
        let mut random = Random::new(seed);
        let chosen = limited::choose(game, &report, limits, self, &mut random).ok_or(PlayerError::NoMove)?;
        Ok((chosen, search, report.root.score_lead))
    }
}

/// What profiles of ranks at the time of this one begin with.
fn time_of(profile: PlayerProfile) -> &'static str {
    let name = profile.to_string();
    let is_early = match name.split_once('_') {
        Some(("preaz", _)) => true,
        // Professionals have a year and no rank; whoever is weaker has one.
        Some(("proyear", year)) => year.parse::<u32>().is_ok_and(|year| year < 2017),
        _ => false,
    };
    if is_early { "preaz" } else { "rank" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_rank_time_and_style() {
        let read = |name: &str| Limited::parse(name).unwrap();
        let plain = read("rank_5k");
        assert_eq!((plain.rank.to_string().as_str(), plain.style, plain.adaptive), ("5k", None, false));
        let both = read("preaz_2d+jigo-seeking+adaptive");
        assert_eq!((both.rank.to_string().as_str(), both.style, both.adaptive), ("2d", Some(Style::JigoSeeking), true));
        assert_eq!(read("rank_2d+adaptive+local").style, Some(Style::Local));
        assert_eq!(read("proyear_1900").rank, Rank::STRONGEST);
        assert_eq!(PUPILS.map(|name| read(name).pupil), [1, 2, 3, 4, 5].map(Some));
        for rank in Rank::all() {
            assert_eq!(Limited::of(rank).unwrap().rank, rank);
        }
        for wrong in [
            "",
            "rank_",
            "rank_3d_1k",
            "rank_5k+",
            "rank_5k+wild",
            "rank_5k+local+local",
            "rank_5k+adaptive+adaptive",
            "hard+local",
            "rank_5k +local",
            "pupil_0",
            "pupil_6",
            "pupil_1+local",
        ] {
            assert_eq!(Limited::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn who_adapts_follows_the_score() {
        let adaptive = Limited::parse("rank_5k+adaptive").unwrap();
        let mut shift = 0;
        for _ in 0..5 {
            shift = adaptive.shift_after(shift, 10.0);
        }
        assert_eq!(shift, -5, "ahead it becomes weaker");
        for _ in 0..100 {
            shift = adaptive.shift_after(shift, -10.0);
        }
        assert_eq!(shift, MAX_SHIFT, "behind stronger, within limits");
        assert_eq!(adaptive.shift_after(shift, 1.0), shift, "and stays as it is in an even game");
        assert_eq!(adaptive.shifted(-3).rank.to_string(), "8k");
        assert_eq!(Limited::parse("rank_5k").unwrap().shift_after(0, -50.0), 0);
    }

    #[test]
    fn who_adapts_turns_round_at_the_last_rank_at_once() {
        for (name, lead, back) in [("rank_20k+adaptive", 10.0, "19k"), ("rank_8d+adaptive", -10.0, "8d")] {
            let adaptive = Limited::parse(name).unwrap();
            let shift = (0..50).fold(0, |shift, _| adaptive.shift_after(shift, lead));
            assert_eq!(adaptive.shifted(adaptive.shift_after(shift, -lead)).rank.to_string(), back);
        }
    }

    #[test]
    fn who_adapts_stays_in_its_time() {
        let shifted = |name: &str| Limited::parse(name).unwrap().shifted(-3).profile.to_string();
        assert_eq!(shifted("preaz_2d+adaptive"), "preaz_2k");
        assert_eq!(shifted("rank_2d+adaptive"), "rank_2k");
        assert_eq!([shifted("proyear_1900+adaptive"), shifted("proyear_2020+adaptive")], ["preaz_6d", "rank_6d"]);
    }

    #[test]
    fn who_adapts_keeps_what_somebody_chose() {
        let adaptive = Limited::parse("rank_5k+adaptive").unwrap();
        let of_file = RankLimits { visits: 50, ..adaptive.rank.limits() };
        let weaker = Limited { limits: Some(of_file), ..adaptive }.shifted(-3);
        assert_eq!(weaker.rank.to_string(), "8k");
        assert_eq!(weaker.limits, Some(RankLimits { visits: 50, ..weaker.rank.limits() }));
        let all = RankLimits { visits: 9, temperature: 3.0, whim: 0.5, blindness: 0.25 };
        assert_eq!(Limited { limits: Some(all), ..adaptive }.shifted(5).limits, Some(all));
        assert_eq!(adaptive.shifted(5).limits, None);
    }
}
