//! Clocks of games that are played.

use super::table::{Flow, State, Table};
use super::{lost, side};
use crate::play::PlayRoom;
use crate::{ApiError, ClockKind, ClockLeft, ClockSettings, Clocks, Event, PausePlay, PlayNews, PlayView};
use honinbo_players::{GameClock, TimeControl};
use honinbo_rules::{Color, WinBy};
use honinbo_search::TimeSystem;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The longest that a clock may be set to, in seconds.
const MAX_SECONDS: f64 = 100.0 * 3600.0;

/// The time control that was asked for.
pub(super) fn control(wanted: &ClockSettings) -> Result<TimeControl, ApiError> {
    let ClockSettings { kind, main_seconds, period_seconds, stones, periods } = *wanted;
    let (main, period) = (main_seconds.get(), period_seconds.get());
    let invalid = |message: String| Err(ApiError::InvalidRequest { message });
    for (name, seconds) in [("main time", main), ("period", period)] {
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return invalid(format!("a {name} of {seconds} seconds is not between 0 and {MAX_SECONDS}"));
        }
    }
    let overtime = |stones, periods| TimeSystem::Overtime { period, stones, periods };
    let system = match kind {
        ClockKind::Absolute => TimeSystem::Fischer { increment: 0.0, stored_at_most: None },
        ClockKind::Fischer => TimeSystem::Fischer { increment: period, stored_at_most: None },
        ClockKind::ByoYomi if (1..=1000).contains(&periods) => overtime(1, periods),
        ClockKind::Canadian if (1..=1000).contains(&stones) => overtime(stones, 1),
        ClockKind::ByoYomi => return invalid(format!("{periods} periods are not between 1 and 1000")),
        ClockKind::Canadian => return invalid(format!("{stones} stones are not between 1 and 1000")),
    };
    let needs_period = matches!(kind, ClockKind::ByoYomi | ClockKind::Canadian);
    if needs_period && period <= 0.0 || !needs_period && main <= 0.0 {
        return invalid("the clock gives no time at all".into());
    }
    Ok(TimeControl { main, system })
}

/// The settings that give this time control.
pub(super) fn settings(control: TimeControl) -> ClockSettings {
    let (kind, period, stones, periods) = match control.system {
        TimeSystem::Fischer { increment: 0.0, .. } => (ClockKind::Absolute, 0.0, 0, 0),
        TimeSystem::Fischer { increment, .. } => (ClockKind::Fischer, increment, 0, 0),
        TimeSystem::Overtime { period, stones: 1, periods } => (ClockKind::ByoYomi, period, 0, periods),
        TimeSystem::Overtime { period, stones, .. } => (ClockKind::Canadian, period, stones, 0),
    };
    ClockSettings { kind, main_seconds: control.main.into(), period_seconds: period.into(), stones, periods }
}

/// The clocks as they stand at an instant.
pub(super) fn view(clock: &GameClock, now: Duration) -> Clocks {
    let kind = settings(clock.control()).kind;
    let one = |color: Color| {
        let left = clock.left(color, now);
        ClockLeft {
            main_seconds: left.main.into(),
            period_seconds: left.period.map(Into::into),
            periods: if kind == ClockKind::ByoYomi { left.periods } else { 0 },
            stones: if kind == ClockKind::Canadian { left.stones } else { 0 },
        }
    };
    Clocks { black: one(Color::Black), white: one(Color::White), running: clock.running().map(side) }
}

impl PlayRoom {
    /// Ends the game if the running clock has run out.
    pub(super) fn look_at_clock(&self, state: &mut State) -> Option<crate::GameUpdate> {
        let now = self.host.monotonic();
        let late = state.clock.as_mut().filter(|_| state.over.is_none())?.check(now)?;
        self.finish(state, lost(late, WinBy::Time)).ok().flatten()
    }

    /// The clock of whoever is to move runs from now on.
    pub(super) fn start_clock(&self, state: &mut State) {
        let (now, to_play) = (self.host.monotonic(), state.game.to_play());
        if let Some(clock) = &mut state.clock {
            clock.start(to_play, now);
        }
    }

    /// Has the clock of the person to move stand until the next move, or run on. Who thinks meanwhile has an advantage,
    /// so no clock of a rated game stands, nor that of an opponent. A game
    /// of two opponents stands as a whole, with or without clocks.
    pub(crate) fn pause_play(&self, wanted: &PausePlay) -> Result<PlayView, ApiError> {
        let table = self.table(&wanted.game_id)?;
        self.end_if_late(&table);
        if table.state.lock().is_watched() {
            return self.let_flow(&table, if wanted.paused { Flow::Stands } else { Flow::Runs });
        }
        let invalid = |message: &str| Err(ApiError::InvalidRequest { message: message.to_owned() });
        let view = {
            let mut state = table.state.lock();
            state.may_move()?;
            if state.is_rated {
                return invalid("the clocks of a rated game do not stop");
            }
            let now = self.host.monotonic();
            match &mut state.clock {
                None => return invalid("this game is played without clocks"),
                Some(clock) if wanted.paused => clock.stop(now),
                Some(_) => self.start_clock(&mut state),
            }
            self.view_of(&state)
        };
        table.clock_changed.notify_all();
        Ok(view)
    }

    /// The clocks stand from now on, as somebody has moved and what is done with the move is not their time. Answers
    /// whether one ran; one that had run out ends the game.
    pub(super) fn hold_clock(&self, table: &Table, generation: u32) -> Result<bool, ApiError> {
        let ran = {
            let mut state = table.state.lock();
            state.is_still(generation)?;
            let now = self.host.monotonic();
            state.clock.as_mut().is_some_and(|clock| {
                let ran = clock.running().is_some();
                clock.stop(now);
                ran
            })
        };
        self.end_if_late(table);
        Ok(ran)
    }

    /// The clock stands while an opponent is started, of which the windows are told. Answers the count of changes that
    /// this is for, and whether a clock ran; `None` where it is not the opponent's turn any more.
    pub(super) fn hold_for_opponent(&self, table: &Table) -> Option<(u32, bool)> {
        let generation = {
            let state = table.state.lock();
            state.is_opponents_turn().then_some(state.generation)
        }?;
        let ran = self.hold_clock(table, generation).ok()?;
        {
            let mut state = table.state.lock();
            state.is_still(generation).ok()?;
            state.starting = true;
        }
        table.clock_changed.notify_all();
        self.emit(table, None, None);
        Some((generation, ran))
    }

    /// The opponent has been started: its time begins where a clock ran, unless the game went on.
    pub(super) fn opponent_started(&self, table: &Table, (generation, ran): (u32, bool)) {
        {
            let mut state = table.state.lock();
            state.starting = false;
            if state.is_still(generation).is_err() {
                return;
            }
            if ran && state.is_opponents_turn() {
                self.start_clock(&mut state);
            }
        }
        table.clock_changed.notify_all();
        self.emit(table, None, None);
    }

    /// As [`PlayRoom::look_at_clock`]; the end is kept and emitted.
    pub(super) fn end_if_late(&self, table: &Table) {
        let update = {
            let mut state = table.state.lock();
            let was_over = state.over.is_some();
            let update = self.look_at_clock(&mut state);
            if was_over || state.over.is_none() {
                return;
            }
            update
        };
        self.keep(table);
        self.emit(table, update, None);
    }

    /// Whether the machine slept since the watch looked last; then nobody has lost the time in between. On some systems a
    /// clock that never goes back runs on in sleep.
    fn forgive_sleep(&self, table: &Table, looked: Duration, now: Duration) -> bool {
        let slept = now.saturating_sub(looked);
        let mut state = table.state.lock();
        if slept < SLEPT || state.over.is_some() {
            return false;
        }
        tracing::info!(seconds = slept.as_secs(), "the machine slept: the clock of the game stood meanwhile");
        let Some(clock) = &mut state.clock else { return false };
        clock.forgive(slept);
        true
    }

    /// The news of a clock that went into its next period since the watch looked last: nobody moved, so nothing else says
    /// it.
    fn news_of_period(&self, table: &Table, looked: Duration, now: Duration) -> Option<PlayNews> {
        let state = table.state.lock();
        let clock = state.clock.as_ref().filter(|_| state.is_live())?;
        // Seen under the same lock: a moment later it could be the position after a move that nobody was told of.
        (clock.next_period_at(looked)? <= now).then(|| PlayNews {
            update: None,
            play: self.view_of(&state),
            notice: None,
        })
    }

    /// Watches the clock of a game for as long as it is played.
    pub(super) fn watch_clock(&self, table: &Arc<Table>) {
        if table.state.lock().clock.is_none() {
            return;
        }
        let (room, table) = (Weak::clone(&self.this), Arc::clone(table));
        let now = self.host.monotonic();
        let began = std::thread::Builder::new().name("game-clock".into()).spawn(move || watch(&room, &table, now));
        if let Err(error) = began {
            tracing::error!(%error, "no thread for the clock");
        }
    }
}

fn watch(room: &Weak<PlayRoom>, table: &Table, mut looked: Duration) {
    loop {
        let wait = {
            // Taken before the state and let go of after it: the last to let go of the room ends its games.
            let Some(room) = room.upgrade() else { return };
            let now = room.host.monotonic();
            if room.forgive_sleep(table, looked, now) {
                room.emit(table, None, None);
            }
            room.end_if_late(table);
            if let Some(news) = room.news_of_period(table, looked, now) {
                room.host.emit(Event::Play(Box::new(news)));
            }
            looked = now;
            let state = table.state.lock();
            if state.closed {
                return;
            }
            let clock = state.clock.as_ref().filter(|_| state.over.is_none());
            let next = clock.and_then(|clock| clock.next_period_at(now).or_else(|| clock.runs_out_at()));
            next.map_or(IDLE, |next| next.saturating_sub(room.host.monotonic()).clamp(MIN_WAIT, IDLE))
        };
        let mut state = table.state.lock();
        if state.closed {
            return;
        }
        table.clock_changed.wait_until(&mut state, Instant::now() + wait);
    }
}

/// The watch looks far more often than this: a longer gap is one in which the machine slept.
const SLEPT: Duration = Duration::from_secs(15);
/// How long the watch sleeps at most: a clock may be set between two looks.
const IDLE: Duration = Duration::from_millis(200);
/// How long it sleeps at least.
const MIN_WAIT: Duration = Duration::from_millis(2);

/// The share of its time that an opponent may take for a turn.
pub(super) fn time_for_a_turn(state: &State, now: Duration) -> Duration {
    let Some(clock) = &state.clock else { return MAX_TURN };
    let board = state.game.board();
    let stones = board.count(Color::Black) + board.count(Color::White);
    let max = clock.for_search(state.game.to_play(), now).thinking_time(board.size().area(), stones).max;
    Duration::from_secs_f64(max.clamp(0.05, MAX_TURN.as_secs_f64()))
}

/// What an opponent may take for a turn without a clock. Opponents have limits of their own below this.
const MAX_TURN: Duration = Duration::from_secs(3600);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finite;

    #[test]
    fn clocks_that_mean_nothing_are_refused() {
        let usual = ClockSettings {
            kind: ClockKind::ByoYomi,
            main_seconds: Finite::new(600.0),
            period_seconds: Finite::new(30.0),
            stones: 0,
            periods: 5,
        };
        assert_eq!(
            control(&usual).unwrap(),
            TimeControl { main: 600.0, system: TimeSystem::Overtime { period: 30.0, stones: 1, periods: 5 } }
        );
        for wrong in [
            ClockSettings { main_seconds: Finite::new(-1.0), ..usual },
            ClockSettings { main_seconds: Finite::new(1e12), ..usual },
            ClockSettings { periods: 0, ..usual },
            ClockSettings { period_seconds: Finite::new(0.0), ..usual },
            ClockSettings { kind: ClockKind::Canadian, ..usual },
            ClockSettings { kind: ClockKind::Absolute, main_seconds: Finite::new(0.0), ..usual },
        ] {
            assert!(matches!(control(&wrong), Err(ApiError::InvalidRequest { .. })), "{wrong:?}");
        }
    }
}
