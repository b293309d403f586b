//! The clocks of both players.

use honinbo_rules::Color;
use honinbo_search::{Clock, TimeSystem};

use super::Reply;

/// What `kata-time_settings` knows.
pub(crate) const KINDS: &str = "none absolute byoyomi canadian fischer fischer-capped";

/// Clocks as the controller set and reported them.
#[derive(Debug, Clone)]
pub(crate) struct Clocks {
    /// `None`: no limit of time.
    settings: Option<Settings>,
    left: [Option<Left>; 2],
    pub(crate) lag_buffer: f64,
}

#[derive(Debug, Clone, Copy)]
struct Settings {
    system: TimeSystem,
    main: f64,
    per_move: Option<f64>,
    /// The controller reports periods left where others report stones left.
    reports_periods: bool,
}

/// What the controller said last: seconds, and stones or periods.
#[derive(Debug, Clone, Copy)]
struct Left {
    seconds: f64,
    count: u32,
}

impl Clocks {
    pub(crate) fn new(lag_buffer: f64) -> Self {
        Self { settings: None, left: [None; 2], lag_buffer }
    }

    /// `time_settings MAIN BYO STONES`.
    pub(crate) fn set_standard(&mut self, arguments: &[String]) -> Reply {
        let [main, period, stones] = numbers(arguments)?;
        if period > 0.0 && stones == 0.0 {
            // The protocol's way of saying "no limit".
            self.settings = None;
        } else {
            let system = if period == 0.0 { absolute() } else { overtime(period, stones, 1.0)? };
            self.settings = Some(Settings { system, main, per_move: None, reports_periods: false });
        }
        self.left = [None; 2];
        Ok(String::new())
    }

    /// `kgs-time_settings` and `kata-time_settings`: a kind and its numbers.
    pub(crate) fn set_kind(&mut self, arguments: &[String]) -> Reply {
        let (kind, rest) = arguments.split_first().ok_or("expected a kind of time settings")?;
        let fischer = |increment, stored_at_most| TimeSystem::Fischer { increment, stored_at_most };
        let limit = |value: f64| (value >= 0.0).then_some(value);
        let settings = match kind.to_lowercase().as_str() {
            "none" => None,
            "absolute" => {
                let [main] = numbers(rest)?;
                Some(Settings { system: absolute(), main, per_move: None, reports_periods: false })
            }
            "canadian" => {
                let [main, period, stones] = numbers(rest)?;
                Some(Settings { system: overtime(period, stones, 1.0)?, main, per_move: None, reports_periods: false })
            }
            "byoyomi" | "byo-yomi" => {
                let [main, period, periods] = numbers(rest)?;
                Some(Settings { system: overtime(period, 1.0, periods)?, main, per_move: None, reports_periods: true })
            }
            "fischer" => {
                let [main, increment] = numbers(rest)?;
                Some(Settings { system: fischer(increment, None), main, per_move: None, reports_periods: false })
            }
            "fischer-capped" => {
                let [main, increment] = numbers(rest.get(..2).unwrap_or(rest))?;
                let caps: Vec<f64> = rest[2..].iter().filter_map(|text| text.parse().ok()).collect();
                let [stored, per_move] = caps[..] else { return Err("expected four numbers".into()) };
                let system = fischer(increment, limit(stored));
                Some(Settings { system, main, per_move: limit(per_move), reports_periods: false })
            }
            other => return Err(format!("unknown kind of time settings '{other}'")),
        };
        self.settings = settings;
        self.left = [None; 2];
        Ok(String::new())
    }

    /// `time_left COLOR SECONDS STONES`.
    pub(crate) fn set_left(&mut self, arguments: &[String]) -> Reply {
        let [color, seconds, count] = arguments else { return Err("expected color, time and stones".into()) };
        let color = Color::parse(color).ok_or_else(|| format!("could not parse color '{color}'"))?;
        let seconds: f64 = seconds.parse().map_err(|_| format!("could not parse time '{seconds}'"))?;
        let count: u32 = count.parse().map_err(|_| format!("could not parse stones '{count}'"))?;
        if !seconds.is_finite() || seconds.abs() > 1e10 {
            return Err("time is out of range".into());
        }
        self.left[color.index()] = Some(Left { seconds, count });
        Ok(String::new())
    }

    /// Takes the time of a move off a clock, for controllers that do not report it, or not before each move.
    pub(crate) fn spend(&mut self, color: Color, seconds: f64) {
        let Some(settings) = self.settings else { return };
        let left = &mut self.left[color.index()];
        let main = Left { seconds: settings.main, count: 0 };
        match settings.system {
            TimeSystem::Fischer { increment, stored_at_most } => {
                let left = left.get_or_insert(main);
                left.seconds = (left.seconds + increment - seconds).min(stored_at_most.unwrap_or(f64::INFINITY));
            }
            TimeSystem::Overtime { period, stones, periods } => {
                let begun = Left { seconds: period, count: if settings.reports_periods { periods } else { stones } };
                let left = left.get_or_insert(if settings.main > 0.0 { main } else { begun });
                left.seconds -= seconds;
                if left.count == 0 {
                    if left.seconds <= 0.0 {
                        *left = begun;
                    }
                } else if settings.reports_periods {
                    // A period is there again after each move, unless it ran out; the last one ends the game.
                    let gone = u32::from(left.seconds < 0.0).min(left.count - 1);
                    *left = Left { seconds: period, count: left.count - gone };
                } else if left.count == 1 {
                    *left = begun;
                } else {
                    left.count -= 1;
                }
            }
        }
    }

    /// The clock of one player; `None` where there is no limit.
    pub(crate) fn of(&self, color: Color) -> Option<Clock> {
        let settings = self.settings?;
        let clock = |system, main_left, overtime| Clock {
            system,
            main_left,
            overtime,
            per_move_at_most: settings.per_move,
            lag_buffer: self.lag_buffer,
        };
        let Some(left) = self.left[color.index()] else {
            let in_overtime = match settings.system {
                TimeSystem::Overtime { period, stones, .. } if settings.main <= 0.0 => Some((period, stones)),
                _ => None,
            };
            return Some(clock(settings.system, settings.main, in_overtime));
        };
        match settings.system {
            TimeSystem::Overtime { period, stones, .. } if left.count > 0 => {
                let (system, stones_left) = if settings.reports_periods {
                    (TimeSystem::Overtime { period, stones, periods: left.count }, stones)
                } else {
                    (settings.system, left.count)
                };
                Some(clock(system, 0.0, Some((left.seconds, stones_left))))
            }
            system => Some(clock(system, left.seconds, None)),
        }
    }
}

fn absolute() -> TimeSystem {
    TimeSystem::Fischer { increment: 0.0, stored_at_most: None }
}

fn overtime(period: f64, stones: f64, periods: f64) -> Result<TimeSystem, String> {
    let whole = |count: f64| {
        (count.fract() == 0.0 && (1.0..=100_000.0).contains(&count))
            .then_some(count as u32)
            .ok_or("expected a whole number above 0")
    };
    Ok(TimeSystem::Overtime { period, stones: whole(stones)?, periods: whole(periods)? })
}

fn numbers<const N: usize>(arguments: &[String]) -> Result<[f64; N], String> {
    let numbers: Vec<f64> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
    let numbers: [f64; N] =
        numbers.try_into().map_err(|_| format!("expected {N} numbers but got '{}'", arguments.join(" ")))?;
    if numbers.iter().all(|number| (0.0..=1e10).contains(number)) {
        Ok(numbers)
    } else {
        Err("a number is out of range".into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    /// What is left of the main time, and of the overtime, after moves that took so long.
    fn after(kind: &str, moves: &[f64]) -> (f64, Option<(f64, u32)>) {
        let mut clocks = Clocks::new(0.0);
        clocks.set_kind(&kind.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap();
        moves.iter().for_each(|&seconds| clocks.spend(Color::Black, seconds));
        let clock = clocks.of(Color::Black).unwrap();
        (clock.main_left, clock.overtime)
    }

    #[test]
    fn time_runs_out_where_nobody_reports_it() {
        assert_eq!(after("absolute 60", &[20.0, 15.0]), (25.0, None));
        assert_eq!(after("fischer 60 5", &[20.0, 15.0]), (35.0, None));
        assert_eq!(after("fischer-capped 60 5 62 -1", &[1.0, 1.0]), (62.0, None));
        assert_eq!(after("canadian 60 30 3", &[20.0]), (40.0, None));
        assert_eq!(after("canadian 60 30 3", &[70.0]), (0.0, Some((30.0, 3))));
        assert_eq!(after("canadian 60 30 3", &[70.0, 12.0]), (0.0, Some((18.0, 2))));
        assert_eq!(after("canadian 60 30 3", &[70.0, 12.0, 1.0, 1.0]), (0.0, Some((30.0, 3))), "the next ones");
        assert_eq!(after("byoyomi 0 30 3", &[29.0, 29.0]), (0.0, Some((30.0, 1))));
    }

    #[test]
    fn a_period_that_ran_out_is_gone_and_what_is_reported_counts() {
        let mut clocks = Clocks::new(0.0);
        clocks.set_kind(&["byoyomi", "0", "30", "3"].map(str::to_owned)).unwrap();
        clocks.spend(Color::Black, 31.0);
        let periods = |clocks: &Clocks| match clocks.of(Color::Black).unwrap().system {
            TimeSystem::Overtime { periods, .. } => periods,
            TimeSystem::Fischer { .. } => 0,
        };
        assert_eq!(periods(&clocks), 2);
        clocks.spend(Color::Black, 31.0);
        clocks.spend(Color::Black, 31.0);
        assert_eq!(periods(&clocks), 1, "the last one stays: whether the game is lost says the controller");
        clocks.set_left(&["b", "12", "2"].map(str::to_owned)).unwrap();
        let clock = clocks.of(Color::Black).unwrap();
        assert_eq!((periods(&clocks), clock.overtime), (2, Some((12.0, 1))));
    }
}
