//! A game that is played, as it is kept for the next start of the program.

use super::table::{Flow, State, Table};
use super::watched;
use crate::games::played::{KeptClock, KeptPlay, PlayedNow};
use crate::play::PlayRoom;
use crate::{NodeId, OpenGameId};
use honinbo_players::{GameClock, Rank, TimeLeft};
use honinbo_rules::Color;
use honinbo_search::TimeSystem;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an opponent that is told to end may take while the program ends.
const LAST_TURN: Duration = Duration::from_secs(3);

impl PlayRoom {
    /// The games that are being played. One that is over is a record like any other.
    pub(crate) fn played_now(&self) -> HashMap<OpenGameId, PlayedNow> {
        let tables: Vec<Arc<Table>> = self.tables.lock().values().cloned().collect();
        let now = self.host.monotonic();
        let playing = |table: Arc<Table>| {
            let state = table.state.lock();
            state.over.is_none().then(|| (table.id.clone(), snapshot(&state, now)))
        };
        tables.into_iter().filter_map(playing).collect()
    }

    /// Nobody moves any more and the clocks stand: the program is about to end. The games can still be kept.
    pub(crate) fn halt_play(&self) {
        let now = self.host.monotonic();
        let tables: Vec<Arc<Table>> = self.tables.lock().values().cloned().collect();
        for table in &tables {
            if table.state.lock().over.is_some() {
                self.conclude_rated(table);
            }
            if let Some(clock) = &mut table.state.lock().clock {
                clock.stop(now);
            }
            self.keep_rest(table);
            table.close();
        }
        // A program at its turn is ended by the thread that waits for it, which ends with this program.
        let until = Instant::now() + LAST_TURN;
        tables.iter().for_each(|table| table.wait_for_threads(until));
    }

    /// Nobody plays a game any more whose window is being closed; what is needed to go on with it, unless it is over.
    pub(crate) fn leave_table(&self, id: &str) -> Option<PlayedNow> {
        let table = self.table(id).ok()?;
        let now = self.host.monotonic();
        if let Some(clock) = &mut table.state.lock().clock {
            clock.stop(now);
        }
        table.close();
        let state = table.state.lock();
        state.over.is_none().then(|| snapshot(&state, now))
    }

    /// Goes on with a game that was being played when the program ended. `tip` is its last node.
    ///
    /// A clock stands until the person's next move; it runs at once where it is the opponent's turn. A game of two
    /// opponents stands until somebody lets it go on. What cannot go on (an engine that was taken out of `engines.yaml`, a
    /// record that was changed by hand) stays open as a record; the log says why.
    pub(crate) fn resume_play(&self, id: &str, tip: NodeId, kept: KeptPlay) {
        let gone = |why: &dyn std::fmt::Display| tracing::warn!(game = id, %why, "a game is not played on");
        let line = self.games.with_game(id, |session| Ok(session.played_to(tip, kept.given)));
        let Ok(Some((game, begin, nodes))) = line else { return gone(&"its moves are not those that were played") };
        let seats = match self.seated(kept.seats) {
            Ok(seats) => seats,
            Err(error) => return gone(&error),
        };
        let Ok(pace) = watched::pace(Some(kept.pace.into()), self.host.capabilities()) else {
            return gone(&"its pace is out of range");
        };
        let rated = match kept.rated.as_deref().map(str::parse::<Rank>).transpose() {
            Ok(rated) => rated,
            Err(error) => return gone(&error),
        };
        let Ok(clock) = kept.clock.map(KeptClock::standing).transpose() else {
            return gone(&"its clock is out of range");
        };
        let table = Arc::new(Table::new(id.to_owned(), game, seats, clock, kept.teaching));
        {
            let mut state = table.state.lock();
            (state.begin, state.given, state.nodes) = (begin, kept.given, nodes);
            (state.rated, state.is_rated) = (rated, rated.is_some());
            state.counting = state.game.is_over();
            state.pace = pace;
            if state.is_watched() {
                state.flow = Flow::Stands;
            }
        }
        self.tables.lock().insert(id.to_owned(), Arc::clone(&table));
        self.go_on(&table);
        self.watch_clock(&table);
    }
}

fn snapshot(state: &State, now: Duration) -> PlayedNow {
    let clock = state.clock.as_ref().map(|clock| KeptClock {
        control: clock.control(),
        black: clock.left(Color::Black, now),
        white: clock.left(Color::White, now),
    });
    PlayedNow {
        generation: state.generation,
        tip: state.tip(),
        play: KeptPlay {
            seats: state.seats(),
            pace: state.pace.as_secs_f64(),
            teaching: state.teaching,
            given: state.given,
            rated: state.rated.map(|rank| rank.to_string()),
            clock,
        },
    }
}

impl KeptClock {
    /// The clocks as they were; an error if no clock could have come to this.
    fn standing(self) -> Result<GameClock, ()> {
        let usual = |seconds: f64| (0.0..=1e9).contains(&seconds);
        let possible = |left: TimeLeft| usual(left.main) && left.period.is_none_or(usual) && left.periods <= 1000;
        let given = match self.control.system {
            TimeSystem::Fischer { increment, stored_at_most } => usual(increment) && stored_at_most.is_none_or(usual),
            TimeSystem::Overtime { period, stones, periods } => usual(period) && stones <= 1000 && periods <= 1000,
        };
        if !given || !usual(self.control.main) || !possible(self.black) || !possible(self.white) {
            return Err(());
        }
        Ok(GameClock::standing(self.control, [self.black, self.white]))
    }
}
