//! How long to think: absolute, Fischer, byo-yomi and Canadian time, as pure functions of the clock's state.
//!
//! All times are seconds. Source: KataGo v1.17.2, `timecontrols.cpp`.

use serde::{Deserialize, Serialize};

/// How a clock gives time beyond the main time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TimeSystem {
    /// Main time and, for each move, an increment; 0 is absolute time.
    Fischer {
        /// Seconds added after each move.
        increment: f64,
        /// Most that can be saved up, where there is a limit.
        stored_at_most: Option<f64>,
    },
    /// After the main time, periods in which so many stones must be played. One stone a period is byo-yomi, one period
    /// that begins again is Canadian time.
    Overtime {
        /// Seconds of a period.
        period: f64,
        /// Stones to be played in one.
        stones: u32,
        /// Periods that are left, the running one included.
        periods: u32,
    },
}

/// The state of one player's clock at the start of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// What comes after the main time.
    pub system: TimeSystem,
    /// Main time left; not above zero where overtime has begun.
    pub main_left: f64,
    /// In overtime: time left of the period, and stones left to play in it. `None` while there is main time.
    pub overtime: Option<(f64, u32)>,
    /// Most that one move may take, where there is a limit.
    pub per_move_at_most: Option<f64>,
    /// Seconds that get lost on the way to whoever keeps the clock.
    pub lag_buffer: f64,
}

/// What a move may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThinkingTime {
    /// Less would waste time that cannot be kept.
    pub min: f64,
    /// A good share.
    pub recommended: f64,
    /// More would endanger the game.
    pub max: f64,
}

impl Clock {
    /// Time for the next move on a board of `area` points with `stones` on it.
    #[must_use]
    pub fn thinking_time(&self, area: usize, stones: usize) -> ThinkingTime {
        let turns = TurnsLeft::new(area as f64, stones as f64);
        let mut lag_buffer = self.lag_buffer;
        let mut time = match self.system {
            TimeSystem::Fischer { increment, stored_at_most } => self.with_increment(increment, stored_at_most, &turns),
            TimeSystem::Overtime { period, stones, periods } => {
                self.with_overtime(period, stones.max(1), periods.max(1), &turns, &mut lag_buffer)
            }
        };
        if let Some(most) = self.per_move_at_most {
            time.max = time.max.min(most);
        }
        let max = after_lag(time.max, lag_buffer).max(0.0);
        let fit = |seconds: f64| after_lag(seconds, lag_buffer).clamp(0.0, max);
        ThinkingTime { min: fit(time.min), recommended: fit(time.recommended), max }
    }

    /// The recommended time, lengthened by what would be lost anyway at the end of a period.
    #[must_use]
    pub fn planned(&self, area: usize, stones: usize) -> f64 {
        self.planned_times(area, stones, 1.0)
    }

    /// The same for `factor` times the recommended time, as far as that endangers nothing.
    #[must_use]
    pub fn planned_times(&self, area: usize, stones: usize, factor: f64) -> f64 {
        let time = self.thinking_time(area, stones);
        let recommended = (factor * time.recommended).min(time.max);
        let rounded = self.round_up(recommended).unwrap_or(recommended).max(recommended);
        rounded.min(time.max).max(time.min)
    }

    fn with_increment(&self, increment: f64, stored_at_most: Option<f64>, turns: &TurnsLeft) -> ThinkingTime {
        let left = self.main_left;
        let (recommended, max) = if left <= increment {
            (after_lag(left, self.lag_buffer), left)
        } else {
            let excess = after_lag(left - increment, self.lag_buffer);
            let share = if excess <= 0.0 {
                excess
            } else {
                (excess / turns.with_increment).min(excess / turns.absolute + 2.0 * increment)
            };
            (increment + share, left.min(increment + excess / 5.0))
        };
        let min = match stored_at_most {
            Some(cap) => (left / 2.0).max(0.0).min((left + increment - cap).max(0.0)),
            None => 0.0,
        };
        ThinkingTime { min, recommended, max }
    }

    fn with_overtime(
        &self,
        period: f64,
        stones: u32,
        periods: u32,
        turns: &TurnsLeft,
        lag_buffer: &mut f64,
    ) -> ThinkingTime {
        // Periods beyond the last few are nothing but main time.
        const KEPT: u32 = 5;
        let stones_of_period = f64::from(stones);
        if let Some((mut left, stones_left)) = self.overtime {
            let stones_left = f64::from(stones_left.max(1));
            let mut periods = periods;
            while left < 0.0 && periods > 1 && period > 0.0 {
                left += period;
                periods -= 1;
            }
            if periods > KEPT && stones == 1 {
                let main = left + f64::from(periods - KEPT - 1) * period;
                return main_time(main, period, stones_of_period, turns);
            }
            let spare = f64::from(periods - 1) / 4.0;
            if periods > 1 && after_lag(left, *lag_buffer) < after_lag(period / 2.0, *lag_buffer) * spare {
                periods -= 1;
                left += period;
            }
            if periods <= 1 && stones_left <= 1.0 {
                *lag_buffer *= 2.0;
            }
            return ThinkingTime {
                min: if stones_left <= 1.0 { left } else { 0.0 },
                recommended: left / stones_left,
                max: left / (0.75 * stones_left + 0.25),
            };
        }
        let extra = f64::from(periods.saturating_sub(KEPT)) * period;
        main_time(self.main_left + extra, period, stones_of_period, turns)
    }

    /// Until when the time would be lost anyway, if the recommended time ends close to the end of a period.
    fn round_up(&self, used: f64) -> Option<f64> {
        let TimeSystem::Overtime { period, stones, .. } = self.system else { return None };
        if period <= 0.0 {
            return None;
        }
        let per_stone = period / f64::from(stones.max(1));
        let stone_after_lag = after_lag(per_stone, self.lag_buffer);
        let bit = self.lag_buffer.max(0.01 * stone_after_lag).min(stone_after_lag);
        let target = match self.overtime {
            None => {
                let left = self.main_left - used;
                if left >= per_stone / 2.0 {
                    return None;
                }
                self.main_left + if stones <= 1 { stone_after_lag } else { bit }
            }
            Some((left, 0 | 1)) if left > used => after_lag(left, self.lag_buffer),
            Some(_) => return None,
        };
        (target >= used).then_some(target)
    }
}

/// Turns that a player can still expect, by how precious time is.
struct TurnsLeft {
    absolute: f64,
    with_increment: f64,
    with_overtime: f64,
}

impl TurnsLeft {
    fn new(area: f64, stones: f64) -> Self {
        Self {
            absolute: 0.5 * (0.95 * area + 20.0 - stones).max(0.15 * area + 30.0),
            with_increment: 0.5 * (0.75 * area + 15.0 - stones).max(0.10 * area + 20.0),
            with_overtime: 0.5 * (0.50 * area + 10.0 - stones).max(0.02 * area + 4.0),
        }
    }
}

/// Time for a move while there is main time and overtime after it.
fn main_time(left: f64, period: f64, stones: f64, turns: &TurnsLeft) -> ThinkingTime {
    let per_stone = period / stones;
    if per_stone <= 0.0 {
        return ThinkingTime { min: 0.0, recommended: left / turns.absolute, max: left / 5.0 };
    }
    // Dividing the main time so that each move gets e times what overtime gives uses it best while the game is open.
    let best = left / per_stone / std::f64::consts::E;
    let turns_left = if turns.with_overtime > best { turns.with_overtime.min(1.75 * best) } else { best };
    let turns_left = turns_left.min(turns.absolute).max(1.0);
    let mut recommended = (left / turns_left).min(left / turns.absolute + 3.0 * per_stone).max(per_stone);
    if recommended < 1.5 * per_stone && left < 1.5 * per_stone {
        recommended = left + per_stone;
    }
    let first_of_period = period / (0.75 * stones + 0.25);
    let mut max = first_of_period + (1.75 * first_of_period).min(left).max(left / 5.0);
    if left < max && max < left + first_of_period {
        max = left + first_of_period;
    }
    ThinkingTime { min: 0.0, recommended, max }
}

/// What is left of a span of time after the way to whoever keeps the clock.
fn after_lag(seconds: f64, lag_buffer: f64) -> f64 {
    if seconds < 0.0 {
        seconds
    } else if seconds < 2.0 * lag_buffer {
        seconds / 2.0
    } else {
        seconds - lag_buffer
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AREA: usize = 361;

    fn clock(system: TimeSystem, main_left: f64, overtime: Option<(f64, u32)>) -> Clock {
        Clock { system, main_left, overtime, per_move_at_most: None, lag_buffer: 1.0 }
    }

    fn fischer(increment: f64) -> TimeSystem {
        TimeSystem::Fischer { increment, stored_at_most: None }
    }

    fn overtime(period: f64, stones: u32, periods: u32) -> TimeSystem {
        TimeSystem::Overtime { period, stones, periods }
    }

    #[test]
    fn times_are_those_of_katago() {
        let capped = Clock {
            per_move_at_most: Some(60.0),
            ..clock(TimeSystem::Fischer { increment: 10.0, stored_at_most: Some(320.0) }, 300.0, None)
        };
        for (name, clock, [min, recommended, max]) in [
            ("absolute", clock(fischer(0.0), 600.0, None), [0.0, 2.30073, 118.8]),
            ("Fischer", clock(fischer(10.0), 300.0, None), [0.0, 11.0227, 66.8]),
            ("Fischer, short", clock(fischer(10.0), 7.0, None), [0.0, 5.0, 6.0]),
            ("byo-yomi", clock(overtime(30.0, 1, 5), 600.0, None), [0.0, 45.5991, 149.0]),
            ("byo-yomi, many periods", clock(overtime(30.0, 1, 8), 600.0, None), [0.0, 45.5991, 167.0]),
            ("byo-yomi, main time ends", clock(overtime(30.0, 1, 5), 20.0, None), [0.0, 49.0, 49.0]),
            ("period", clock(overtime(30.0, 1, 3), 0.0, Some((22.0, 1))), [21.0; 3]),
            ("short period", clock(overtime(30.0, 1, 3), 0.0, Some((8.0, 1))), [7.0; 3]),
            ("last period", clock(overtime(30.0, 1, 1), 0.0, Some((29.0, 1))), [27.0; 3]),
            ("Canadian", clock(overtime(180.0, 10, 1), 300.0, None), [0.0, 26.9595, 82.2258]),
            ("Canadian overtime", clock(overtime(180.0, 10, 1), 0.0, Some((100.0, 6))), [0.0, 15.6667, 20.0526]),
            ("capped", capped, [0.0, 11.0227, 59.0]),
        ] {
            let time = clock.thinking_time(AREA, 0);
            for (found, expected) in [(time.min, min), (time.recommended, recommended), (time.max, max)] {
                assert!((found - expected).abs() < 1e-4, "{name}: {time:?}, expected {min} {recommended} {max}");
            }
        }
    }

    #[test]
    fn time_that_would_be_lost_is_used() {
        // 40 s of main time, then byo-yomi: what is recommended ends short of the first period's end.
        let clock = clock(overtime(30.0, 1, 5), 40.0, None);
        assert!(clock.planned(AREA, 0) >= clock.thinking_time(AREA, 0).recommended);
        let in_period = Clock { overtime: Some((22.0, 1)), main_left: 0.0, ..clock };
        assert!((in_period.planned(AREA, 0) - 21.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn no_move_takes_more_than_there_is(
            main in 0.0f64..5000.0, period in 0.0f64..100.0, stones in 1u32..30, periods in 1u32..12,
            left in 0.0f64..1.0, placed in 0usize..361, lag in 0.0f64..3.0,
        ) {
            let in_overtime = (main < 500.0).then_some((left * period, stones));
            let main_left = if in_overtime.is_some() { 0.0 } else { main };
            let clock = Clock {
                system: overtime(period, stones, periods), main_left, overtime: in_overtime,
                per_move_at_most: None, lag_buffer: lag,
            };
            let time = clock.thinking_time(AREA, placed);
            prop_assert!(0.0 <= time.min && time.min <= time.max);
            prop_assert!(time.recommended <= time.max && clock.planned(AREA, placed) <= time.max);
            let everything = main_left + in_overtime.map_or(0.0, |(left, _)| left) + period * f64::from(periods);
            prop_assert!(time.max <= everything, "{} of {}", time.max, everything);
            let fischer = Clock { system: fischer(period), main_left: main, overtime: None, ..clock };
            prop_assert!(fischer.thinking_time(AREA, placed).max <= main);
        }
    }
}
