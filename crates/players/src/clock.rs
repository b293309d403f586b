//! The clock of a game: a state machine that is told what time it is.

use std::time::Duration;

use honinbo_rules::Color;
use honinbo_search::{Clock, TimeSystem};
use serde::{Deserialize, Serialize};

/// Main time and what comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeControl {
    /// Seconds of main time; may be 0 where overtime begins at once.
    pub main: f64,
    /// What comes beside or after it.
    pub system: TimeSystem,
}

/// What one player has left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeLeft {
    /// Seconds of main time.
    pub main: f64,
    /// In overtime: seconds of the running period.
    pub period: Option<f64>,
    /// Periods that are left, the running one included; 0 where there is no overtime.
    pub periods: u32,
    /// Stones to be played in the running period; 0 where there is no overtime.
    pub stones: u32,
}

/// Seconds that taking a move back leaves at least, where there were as many: nobody loses by it.
const MIN_LEFT: f64 = 1.0;

/// The two clocks of a game. Instants are times since any fixed moment; they are passed in.
///
/// A player whose time is used up to the last instant has lost.
#[derive(Debug, Clone, PartialEq)]
pub struct GameClock {
    control: TimeControl,
    left: [TimeLeft; 2],
    running: Option<(Color, Duration)>,
    /// Who has lost on time, and what that player had when the clock began to run for the last time.
    lost: Option<(Color, TimeLeft)>,
}

impl GameClock {
    /// Two clocks that do not run yet.
    #[must_use]
    pub fn new(control: TimeControl) -> GameClock {
        let left = match control.system {
            TimeSystem::Fischer { .. } => TimeLeft { main: control.main, period: None, periods: 0, stones: 0 },
            TimeSystem::Overtime { period, stones, periods } => TimeLeft {
                main: control.main,
                period: (control.main <= 0.0).then_some(period),
                periods: periods.max(1),
                stones: stones.max(1),
            },
        };
        GameClock { control, left: [left; 2], running: None, lost: None }
    }

    /// Two clocks that do not run, with what Black and White have left of a game that was interrupted.
    #[must_use]
    pub fn standing(control: TimeControl, left: [TimeLeft; 2]) -> GameClock {
        GameClock { control, left, running: None, lost: None }
    }

    /// How the time is given.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The clock of `color` runs from `now` on; the other stands.
    pub fn start(&mut self, color: Color, now: Duration) {
        self.stop(now);
        if self.lost.is_none() {
            self.running = Some((color, now));
        }
    }

    /// Takes a loss on time back: the loser has what there was before the turn that took too long. The clock stands.
    pub fn reopen(&mut self) {
        if let Some((color, left)) = self.lost.take() {
            self.left[color.index()] = left;
        }
    }

    /// Takes back time in which nobody could move, such as that of a machine that slept.
    pub fn forgive(&mut self, time: Duration) {
        if let Some((_, since)) = &mut self.running {
            *since += time;
        }
    }

    /// Both clocks stand.
    pub fn stop(&mut self, now: Duration) {
        if self.check(now).is_some() {
            return;
        }
        if let Some((color, _)) = self.running {
            self.left[color.index()] = self.left(color, now);
            self.running = None;
        }
    }

    /// Moves of these players are taken back: both clocks stand, and what the moves brought is gone again. Time that was used
    /// stays used, but where every move has a period of its own, one that has begun begins anew: whoever agreed would be left
    /// with the rest of it for the next move.
    pub fn take_back(&mut self, movers: &[Color], now: Duration) {
        self.stop(now);
        if self.lost.is_some() {
            return;
        }
        for left in &mut self.left {
            if let TimeSystem::Overtime { period, stones: 0 | 1, .. } = self.control.system {
                left.period = left.period.map(|_| period);
            }
        }
        for mover in movers {
            let left = &mut self.left[mover.index()];
            match self.control.system {
                TimeSystem::Fischer { increment, .. } => {
                    left.main = (left.main - increment).max(left.main.min(MIN_LEFT));
                }
                // A stone that was played before the period began is none of it.
                TimeSystem::Overtime { stones, .. } => left.stones = (left.stones + 1).min(stones.max(1)),
            }
        }
    }

    /// The player to move has moved: what the move brings is added, and the other clock runs. Answers who has lost
    /// on time, where the move came too late.
    pub fn press(&mut self, now: Duration) -> Option<Color> {
        let (color, _) = self.running?;
        self.stop(now);
        if let Some((late, _)) = self.lost {
            return Some(late);
        }
        let left = &mut self.left[color.index()];
        match self.control.system {
            TimeSystem::Fischer { increment, stored_at_most } => {
                let cap = stored_at_most.map_or(f64::INFINITY, |cap| cap.max(left.main));
                left.main = (left.main + increment).min(cap);
            }
            TimeSystem::Overtime { period, stones, .. } => {
                if left.period.is_some() {
                    left.stones = left.stones.saturating_sub(1);
                    if left.stones == 0 {
                        left.stones = stones.max(1);
                        left.period = Some(period);
                    }
                }
            }
        }
        self.start(color.opponent(), now);
        None
    }

    /// Who has lost on time by now.
    pub fn check(&mut self, now: Duration) -> Option<Color> {
        if let Some((color, _)) = self.running
            && self.left_at(color, now).is_none()
        {
            let left = std::mem::replace(&mut self.left[color.index()], EMPTY);
            self.lost = Some((color, left));
            self.running = None;
        }
        self.lost.map(|(color, _)| color)
    }

    /// When the running clock will have run out, if nothing happens before.
    #[must_use]
    pub fn runs_out_at(&self) -> Option<Duration> {
        let (color, since) = self.running?;
        let left = self.left[color.index()];
        let later = match (self.control.system, left.period) {
            (TimeSystem::Fischer { .. }, _) => 0.0,
            (TimeSystem::Overtime { period, .. }, None) => period * f64::from(left.periods),
            (TimeSystem::Overtime { period, .. }, Some(running)) => {
                running + period * f64::from(left.periods.saturating_sub(1))
            }
        };
        Some(since + Duration::from_secs_f64((left.main.max(0.0) + later).clamp(0.0, 1e9)))
    }

    /// When the running clock, seen from `now`, goes into its next period if nothing happens before; `None` where no other
    /// follows.
    #[must_use]
    pub fn next_period_at(&self, now: Duration) -> Option<Duration> {
        let (color, since) = self.running?;
        let now = now.max(since);
        let left = self.left_at(color, now)?;
        let follows = left.periods > u32::from(left.period.is_some());
        let seconds = left.period.unwrap_or(left.main).clamp(0.0, 1e9);
        follows.then(|| now + Duration::from_secs_f64(seconds))
    }

    /// What a player has left.
    #[must_use]
    pub fn left(&self, color: Color, now: Duration) -> TimeLeft {
        self.left_at(color, now).unwrap_or(EMPTY)
    }

    /// Whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// A player's clock as the search wants to see it, to share its time out.
    #[must_use]
    pub fn for_search(&self, color: Color, now: Duration) -> Clock {
        let left = self.left(color, now);
        let system = match self.control.system {
            TimeSystem::Overtime { period, stones, .. } => {
                TimeSystem::Overtime { period, stones, periods: left.periods.max(1) }
            }
            fischer @ TimeSystem::Fischer { .. } => fischer,
        };
        Clock {
            system,
            main_left: left.main,
            overtime: left.period.map(|seconds| (seconds, left.stones)),
            per_move_at_most: None,
            lag_buffer: 0.3,
        }
    }

    /// `None` when nothing is left.
    fn left_at(&self, color: Color, now: Duration) -> Option<TimeLeft> {
        let mut left = self.left[color.index()];
        let Some((running, since)) = self.running else {
            return self.lost.is_none_or(|(late, _)| late != color).then_some(left);
        };
        if running != color {
            return Some(left);
        }
        let mut spent = now.saturating_sub(since).as_secs_f64();
        if left.period.is_none() {
            left.main -= spent;
            if left.main > 0.0 {
                return Some(left);
            }
            let TimeSystem::Overtime { period, .. } = self.control.system else { return None };
            spent = -left.main;
            left.main = 0.0;
            left.period = Some(period);
        }
        let TimeSystem::Overtime { period, .. } = self.control.system else { return None };
        let mut running = left.period.unwrap_or(0.0) - spent;
        while running <= 0.0 {
            if left.periods <= 1 || period <= 0.0 {
                return None;
            }
            left.periods -= 1;
            running += period;
        }
        left.period = Some(running);
        Some(left)
    }
}

const EMPTY: TimeLeft = TimeLeft { main: 0.0, period: Some(0.0), periods: 0, stones: 0 };

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(main: f64, system: TimeSystem) -> GameClock {
        let mut clock = GameClock::new(TimeControl { main, system });
        clock.start(Color::Black, at(100.0));
        clock
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock(10.0, TimeSystem::Fischer { increment: 0.0, stored_at_most: None });
        assert_eq!(clock.runs_out_at(), Some(at(110.0)));
        assert_eq!(clock.press(at(104.0)), None);
        assert_eq!((clock.left(Color::Black, at(200.0)).main, clock.running()), (6.0, Some(Color::White)));
        assert_eq!(clock.check(at(113.9)), None);
        assert_eq!(clock.check(at(114.0)), Some(Color::White));
        assert_eq!((clock.running(), clock.press(at(115.0))), (None, None));
        assert_eq!(clock.check(at(300.0)), Some(Color::White), "what is lost stays lost");
    }

    #[test]
    fn fischer_time_grows_up_to_its_limit() {
        let mut clock = clock(10.0, TimeSystem::Fischer { increment: 5.0, stored_at_most: Some(12.0) });
        clock.press(at(101.0));
        assert_eq!(clock.left(Color::Black, at(101.0)).main, 12.0);
        clock.press(at(108.0));
        assert_eq!(clock.left(Color::White, at(108.0)).main, 8.0);
    }

    #[test]
    fn byo_yomi_loses_periods_and_gives_them_back_by_moving() {
        let mut clock = clock(10.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 3 });
        assert_eq!(clock.runs_out_at(), Some(at(200.0)));
        // 10 s of main time, one period lost, 5 s of the second used.
        let left = clock.left(Color::Black, at(145.0));
        assert_eq!((left.main, left.period, left.periods), (0.0, Some(25.0), 2));
        assert_eq!(clock.press(at(145.0)), None);
        let left = clock.left(Color::Black, at(145.0));
        assert_eq!((left.period, left.periods), (Some(30.0), 2), "the period begins again, the lost one stays lost");
        clock.press(at(150.0));
        assert_eq!(clock.check(at(209.9)), None);
        assert_eq!(clock.press(at(210.0)), Some(Color::Black));
    }

    #[test]
    fn a_loss_on_time_is_taken_back_with_what_there_was_before_the_turn() {
        let mut absolute = clock(10.0, TimeSystem::Fischer { increment: 0.0, stored_at_most: None });
        absolute.press(at(104.0));
        absolute.press(at(105.0));
        assert_eq!(absolute.check(at(111.0)), Some(Color::Black));
        absolute.reopen();
        assert_eq!((absolute.check(at(111.0)), absolute.running()), (None, None));
        absolute.start(Color::Black, at(200.0));
        assert_eq!((absolute.runs_out_at(), absolute.left(Color::White, at(200.0)).main), (Some(at(206.0)), 9.0));

        let mut byo_yomi = clock(0.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 2 });
        // A period is lost, and gone for good; the last one is there again.
        byo_yomi.press(at(140.0));
        byo_yomi.press(at(141.0));
        assert_eq!(byo_yomi.check(at(171.0)), Some(Color::Black));
        byo_yomi.reopen();
        let left = byo_yomi.left(Color::Black, at(171.0));
        assert_eq!((left.period, left.periods), (Some(30.0), 1));
    }

    #[test]
    fn a_move_within_the_main_time_costs_main_time_alone() {
        for (stones, periods) in [(1, 3), (25, 1)] {
            let mut clock = clock(10.0, TimeSystem::Overtime { period: 30.0, stones, periods });
            assert_eq!(clock.press(at(104.0)), None);
            let left = clock.left(Color::Black, at(104.0));
            assert_eq!((left.main, left.period, left.periods, left.stones), (6.0, None, periods, stones));
            assert_eq!(clock.press(at(105.0)), None);
            let left = clock.left(Color::Black, at(107.0));
            assert_eq!((left.main, left.period), (4.0, None), "the main time goes on");
        }
    }

    #[test]
    fn the_next_period_is_known_before_it_begins() {
        let fischer = clock(10.0, TimeSystem::Fischer { increment: 5.0, stored_at_most: None });
        assert_eq!(fischer.next_period_at(at(104.0)), None);
        let mut clock = clock(10.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 2 });
        for (now, next) in [(0.0, 110.0), (104.0, 110.0), (110.0, 140.0), (139.0, 140.0)] {
            assert_eq!(clock.next_period_at(at(now)), Some(at(next)), "{now}");
        }
        assert_eq!(clock.next_period_at(at(140.0)), None, "it is the last one");
        assert_eq!(clock.next_period_at(at(170.0)), None, "nothing is left");
        clock.stop(at(104.0));
        assert_eq!(clock.next_period_at(at(104.0)), None, "it stands");
    }

    #[test]
    fn canadian_time_wants_its_stones() {
        let mut clock = clock(0.0, TimeSystem::Overtime { period: 60.0, stones: 3, periods: 1 });
        let mut now = 100.0;
        for left in [2, 1, 3] {
            now += 10.0;
            clock.press(at(now));
            let black = clock.left(Color::Black, at(now));
            assert_eq!(
                (black.stones, black.period),
                (left, Some(if left == 3 { 60.0 } else { 60.0 - 10.0 * f64::from(3 - left) }))
            );
            now += 1.0;
            clock.press(at(now));
        }
        assert_eq!(clock.runs_out_at(), Some(at(now + 60.0)));
        let search = clock.for_search(Color::Black, at(now));
        assert_eq!(search.overtime, Some((60.0, 3)));
        assert!(search.thinking_time(361, 0).max <= 60.0);
    }

    #[test]
    fn a_period_begins_anew_when_moves_are_taken_back_and_one_of_many_stones_goes_on() {
        let mut byo_yomi = clock(0.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 3 });
        byo_yomi.press(at(110.0));
        // White has lost one period, used 15 s of the second, and agrees.
        byo_yomi.take_back(&[Color::Black], at(155.0));
        let left = [Color::Black, Color::White].map(|color| byo_yomi.left(color, at(200.0)));
        assert_eq!(left.map(|left| (left.period, left.periods)), [(Some(30.0), 3), (Some(30.0), 2)]);
        assert_eq!(byo_yomi.running(), None);
        let mut canadian = clock(0.0, TimeSystem::Overtime { period: 60.0, stones: 3, periods: 1 });
        canadian.press(at(110.0));
        canadian.take_back(&[], at(125.0));
        let left = canadian.left(Color::White, at(200.0));
        assert_eq!((left.period, left.stones), (Some(45.0), 3));
        // Main time is not given back.
        let mut main = clock(60.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 3 });
        main.take_back(&[], at(110.0));
        let left = main.left(Color::Black, at(200.0));
        assert_eq!((left.main, left.period), (50.0, None));
    }

    #[test]
    fn a_move_that_is_taken_back_takes_its_increment_along_but_never_all_time() {
        let mut fischer = clock(10.0, TimeSystem::Fischer { increment: 10.0, stored_at_most: None });
        for nth in 0..4 {
            fischer.start(Color::Black, at(100.0));
            fischer.press(at(101.0));
            fischer.take_back(&[Color::Black], at(101.0));
            assert_eq!(fischer.left(Color::Black, at(101.0)).main, 9.0 - f64::from(nth));
        }
        assert_eq!(fischer.left(Color::White, at(101.0)).main, 10.0, "White has not moved");
        fischer.take_back(&Color::ALL, at(101.0));
        let left = Color::ALL.map(|color| fischer.left(color, at(101.0)).main);
        assert_eq!(left, [1.0, 1.0]);
    }

    #[test]
    fn stones_that_are_taken_back_are_to_be_played_in_the_period_again() {
        let mut canadian = clock(0.0, TimeSystem::Overtime { period: 60.0, stones: 25, periods: 1 });
        canadian.press(at(101.0));
        canadian.press(at(102.0));
        canadian.press(at(103.0));
        let stones = |clock: &GameClock| Color::ALL.map(|color| clock.left(color, at(110.0)).stones);
        assert_eq!(stones(&canadian), [23, 24]);
        canadian.take_back(&Color::ALL, at(110.0));
        assert_eq!(stones(&canadian), [24, 25]);
        canadian.take_back(&[Color::Black, Color::White, Color::Black], at(110.0));
        assert_eq!(stones(&canadian), [25, 25], "no more than a period has");
    }

    #[test]
    fn a_clock_that_stands_costs_nothing() {
        let mut clock = clock(10.0, TimeSystem::Fischer { increment: 0.0, stored_at_most: None });
        clock.stop(at(103.0));
        assert_eq!((clock.left(Color::Black, at(500.0)).main, clock.runs_out_at()), (7.0, None));
        clock.start(Color::Black, at(500.0));
        assert_eq!(clock.runs_out_at(), Some(at(507.0)));
    }
}
