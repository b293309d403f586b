//! Games of two opponents, which somebody watches: they rest between moves, stand, go on by one move, and can be taken
//! over.

use super::color;
use super::table::{Flow, State, Table, refused};
use crate::play::PlayRoom;
use crate::{ApiError, Capabilities, Finite, PlayView, TakeSeat};
use std::sync::Arc;
use std::time::Duration;

/// Seconds that two opponents may rest between two moves.
const PACE: std::ops::RangeInclusive<f64> = 0.0..=60.0;

/// The least in a browser: opponents that need no network have no other limit on a server that many share.
const MIN_PACE_OF_BROWSERS: Duration = Duration::from_millis(200);

/// The rest between two moves that was asked for.
pub(super) fn pace(wanted: Option<Finite>, host: Capabilities) -> Result<Duration, ApiError> {
    let seconds = wanted.map_or(0.0, Finite::get);
    if !PACE.contains(&seconds) {
        return Err(refused(&format!("a rest of {seconds} seconds between moves is not between 0 and 60")));
    }
    let pace = Duration::from_secs_f64(seconds);
    Ok(if host.paths { pace } else { pace.max(MIN_PACE_OF_BROWSERS) })
}

impl PlayRoom {
    /// One move of a game of two opponents, which stands after it.
    pub(crate) fn step_play(&self, id: &str) -> Result<PlayView, ApiError> {
        self.let_flow(&self.table(id)?, Flow::OneMove)
    }

    /// Has a game of two opponents stand or go on. What one of them is thinking about when it is to stand is not waited
    /// for.
    pub(super) fn let_flow(&self, table: &Arc<Table>, flow: Flow) -> Result<PlayView, ApiError> {
        let view = {
            let mut state = table.state.lock();
            state.is_going_on()?;
            if !state.is_watched() {
                return Err(refused("a person plays this game"));
            }
            state.flow = flow;
            if flow == Flow::Stands {
                self.stand(&mut state);
            }
            self.view_of(&state)
        };
        self.go_on(table);
        Ok(view)
    }

    /// The game stands where it is: nobody thinks, and no clock runs.
    pub(super) fn stand(&self, state: &mut State) {
        state.flow = Flow::Stands;
        state.stop.set();
        if let Some(clock) = &mut state.clock {
            clock.stop(self.host.monotonic());
        }
    }

    /// A person plays on in the place of one of two opponents, whose player is ended whatever it is at. The record keeps
    /// the names under which the game began.
    pub(crate) fn take_seat(&self, wanted: &TakeSeat) -> Result<PlayView, ApiError> {
        let table = self.table(&wanted.game_id)?;
        self.end_if_late(&table);
        let color = color(wanted.side);
        let (view, left) = {
            let mut state = table.state.lock();
            state.is_going_on()?;
            if !state.is_played() {
                return Err(refused("the game is being counted"));
            }
            if !state.is_watched() {
                return Err(refused("a person plays this game already"));
            }
            let left = state.seats[color.index()].take();
            if let Some(opponent) = &left {
                opponent.abandoned.set();
            }
            if state.game.to_play() == color {
                state.stop.set();
            }
            state.flow = Flow::Runs;
            (self.view_of(&state), left)
        };
        // A program may take a moment to end.
        drop(left);
        self.go_on(&table);
        Ok(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_never_has_moves_without_a_rest() {
        let pace = |seconds: f64, paths| {
            pace(Some(seconds.into()), Capabilities { paths, native_dialogs: false, menu_bar: false }).ok()
        };
        assert_eq!(pace(0.0, true), Some(Duration::ZERO));
        assert_eq!(pace(0.0, false), Some(MIN_PACE_OF_BROWSERS));
        assert_eq!(pace(5.0, false), Some(Duration::from_secs(5)));
        assert_eq!([pace(-1.0, true), pace(61.0, true)], [None, None]);
    }
}
