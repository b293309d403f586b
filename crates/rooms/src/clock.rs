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
    /// Until when everybody was told of the periods that began.
    told: Duration,
    /// What may be given back to each player.
    lag: [Duration; 2],
}

impl RoomClock {
    pub(crate) fn new(control: TimeControl) -> Self {
        Self::around(GameClock::new(control))
    }

    pub(crate) fn standing(control: TimeControl, left: [TimeLeft; 2]) -> Self {
        Self::around(GameClock::standing(control, left))
    }

    fn around(clock: GameClock) -> Self {
        Self {
            clock,
            given_back: Duration::ZERO,
            turn_began: Duration::ZERO,
            told: Duration::ZERO,
            lag: [Duration::ZERO; 2],
        }
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

    /// Moves of these players are taken back: both clocks stand.
    pub(crate) fn take_back(&mut self, movers: &[Color], now: Duration) {
        self.clock.take_back(movers, self.behind(now));
    }

    /// Takes back time in which nobody could move.
    pub(crate) fn forgive(&mut self, time: Duration) {
        self.given_back += time;
        self.turn_began += time;
        self.told += time;
    }

    /// How long a message takes from a player and back, as it was measured last.
    pub(crate) fn set_lag(&mut self, color: Color, lag: Duration) {
        self.lag[color.index()] = lag.min(MAX_FORGIVEN_LAG);
    }

    /// The player to move has moved. Answers who has lost on time, where the move came too late.
    pub(crate) fn press(&mut self, now: Duration) -> Option<Color> {
        self.given_back += self.forgiven(now);
        let late = self.clock.press(self.behind(now));
        self.turn_began = now;
        late
    }

    /// Who has lost on time by now: a move that is on its way still counts.
    pub(crate) fn check(&mut self, now: Duration) -> Option<Color> {
        self.clock.check(self.behind(now).saturating_sub(self.forgiven(now)))
    }

    /// When [`RoomClock::check`] will find that the running clock has run out.
    pub(crate) fn runs_out_at(&self) -> Option<Duration> {
        Some(self.clock.runs_out_at()? + self.given_back + self.running_lag())
    }

    /// When the running clock goes into a period that nobody was told of yet.
    pub(crate) fn next_period_at(&self) -> Option<Duration> {
        Some(self.clock.next_period_at(self.behind(self.told))? + self.given_back)
    }

    /// Whether it has gone into one; everybody is told of it then.
    pub(crate) fn began_period(&mut self, now: Duration) -> bool {
        let began = self.next_period_at().is_some_and(|at| at <= now);
        self.told = now;
        began
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

    fn running_lag(&self) -> Duration {
        self.running().map_or(Duration::ZERO, |color| self.lag[color.index()])
    }

    /// What is given back for a move at `now`: no more than the turn took.
    fn forgiven(&self, now: Duration) -> Duration {
        self.running_lag().min(now.saturating_sub(self.turn_began))
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
        clock.set_lag(Color::Black, at(0.5));
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
        clock.set_lag(Color::Black, at(60.0));
        clock.press(at(105.0));
        assert_eq!(clock.left(Color::Black, at(105.0)).main, 6.0);
        clock.set_lag(Color::White, at(1.0));
        clock.press(at(105.25));
        assert_eq!(clock.left(Color::White, at(105.25)).main, 10.0, "a turn never brings time");
    }

    #[test]
    fn a_move_that_is_on_its_way_when_time_runs_out_counts() {
        let mut clock = ten_seconds();
        clock.set_lag(Color::Black, at(0.5));
        assert_eq!(clock.runs_out_at(), Some(at(110.5)));
        assert_eq!(clock.check(at(110.4)), None);
        let mut moved = clock.clone();
        assert_eq!(moved.press(at(110.4)), None);
        assert_eq!(clock.check(at(110.5)), Some(Color::Black));
        assert_eq!(moved.check(at(111.0)), None);
    }

    #[test]
    fn what_was_measured_of_a_player_holds_for_the_turns_after_it() {
        let mut clock = ten_seconds();
        clock.set_lag(Color::Black, at(0.5));
        clock.press(at(104.0));
        assert_eq!(clock.runs_out_at(), Some(at(114.0)), "nothing is known of White");
        clock.press(at(105.0));
        assert_eq!(clock.runs_out_at(), Some(at(112.0)), "6.5 s, and a move that is on its way");
        assert_eq!(clock.check(at(111.9)), None);
        assert_eq!(clock.press(at(111.9)), None);
        assert!((clock.left(Color::Black, at(111.9)).main - 0.1).abs() < 1e-9);
    }
}
