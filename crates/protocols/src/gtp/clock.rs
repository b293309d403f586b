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

    /// Takes the time of a move off a clock that its controller does not report.
    pub(crate) fn spend(&mut self, color: Color, seconds: f64) {
        if let Some(left) = &mut self.left[color.index()] {
            left.seconds -= seconds;
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
