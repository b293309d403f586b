//! The clocks of a room, kept by the server: what the network takes is not the player's time.

use honinbo_players::{GameClock, TimeControl, TimeLeft};
use honinbo_rules::Color;
use std::time::Duration;

/// Most of a connection's delay that is given back for one move.
pub const MAX_FORGIVEN_LAG: Duration = Duration::from_secs(1);

/// Two clocks that run behind the server's by all the delay that was given back so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RoomClock {
    clock: GameClock,
    given_back: Duration,
    turn_began: Duration,
    /// What may be given back to the player to move.
    lag: Duration,
}

impl RoomClock {
    pub(crate) fn new(control: TimeControl) -> Self {
        Self::around(GameClock::new(control))
    }

    pub(crate) fn standing(control: TimeControl, left: [TimeLeft; 2]) -> Self {
        Self::around(GameClock::standing(control, left))
    }

    fn around(clock: GameClock) -> Self {
        Self { clock, given_back: Duration::ZERO, turn_began: Duration::ZERO, lag: Duration::ZERO }
    }

    fn behind(&self, now: Duration) -> Duration {
        now.saturating_sub(self.given_back)
    }

    pub(crate) fn start(&mut self, color: Color, now: Duration) {
        self.turn_began = now;
        self.clock.start(color, self.behind(now));
    }

    pub(crate) fn stop(&mut self, now: Duration) {
        self.clock.stop(self.behind(now));
    }

    /// How long a message takes from the player to move and back, as it was measured last.
    pub(crate) fn set_lag(&mut self, lag: Duration) {
        self.lag = lag.min(MAX_FORGIVEN_LAG);
    }

    /// The player to move has moved. Answers who has lost on time, where the move came too late.
    pub(crate) fn press(&mut self, now: Duration) -> Option<Color> {
        self.give_back(now);
        let late = self.clock.press(self.behind(now));
        self.turn_began = now;
        late
    }

    /// Who has lost on time by now: a move that is on its way still counts.
    pub(crate) fn check(&mut self, now: Duration) -> Option<Color> {
        let on_its_way = self.lag.min(now.saturating_sub(self.turn_began));
        self.clock.check(self.behind(now).saturating_sub(on_its_way))
    }

    /// When [`RoomClock::check`] will find that the running clock has run out.
    pub(crate) fn runs_out_at(&self) -> Option<Duration> {
        Some(self.clock.runs_out_at()? + self.given_back + self.lag)
    }

    pub(crate) fn left(&self, color: Color, now: Duration) -> TimeLeft {
        self.clock.left(color, self.behind(now))
    }

    pub(crate) fn running(&self) -> Option<Color> {
        self.clock.running()
    }

    /// The clocks as an engine sees them, at an instant of theirs.
    pub(crate) fn for_engine(&self, now: Duration) -> (GameClock, Duration) {
        (self.clock.clone(), self.behind(now))
    }

    fn give_back(&mut self, now: Duration) {
        self.given_back += self.lag.min(now.saturating_sub(self.turn_began));
        self.lag = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_search::TimeSystem;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn ten_seconds() -> RoomClock {
        let system = TimeSystem::Fischer { increment: 0.0, stored_at_most: None };
        let mut clock = RoomClock::new(TimeControl { main: 10.0, system });
        clock.start(Color::Black, at(100.0));
        clock
    }

    #[test]
    fn what_the_network_took_is_given_back_and_not_taken_from_the_other() {
        let mut clock = ten_seconds();
        clock.set_lag(at(0.5));
        assert_eq!(clock.press(at(104.0)), None);
        assert_eq!(clock.left(Color::Black, at(104.0)).main, 6.5);
        assert_eq!(clock.left(Color::White, at(104.0)).main, 10.0);
        assert_eq!(clock.left(Color::White, at(105.0)).main, 9.0);
        assert_eq!(clock.press(at(105.0)), None, "White's own delay is not known: nothing is given back");
        assert_eq!(clock.left(Color::White, at(105.0)).main, 9.0);
    }

    #[test]
    fn no_more_is_given_back_than_the_limit_or_the_turn() {
        let mut clock = ten_seconds();
        clock.set_lag(at(60.0));
        clock.press(at(105.0));
        assert_eq!(clock.left(Color::Black, at(105.0)).main, 6.0);
        clock.set_lag(at(1.0));
        clock.press(at(105.25));
        assert_eq!(clock.left(Color::White, at(105.25)).main, 10.0, "a turn never brings time");
    }

    #[test]
    fn a_move_that_is_on_its_way_when_time_runs_out_counts() {
        let mut clock = ten_seconds();
        clock.set_lag(at(0.5));
        assert_eq!(clock.runs_out_at(), Some(at(110.5)));
        assert_eq!(clock.check(at(110.4)), None);
        let mut moved = clock.clone();
        assert_eq!(moved.press(at(110.4)), None);
        assert_eq!(clock.check(at(110.5)), Some(Color::Black));
        assert_eq!(moved.check(at(111.0)), None);
    }
}
