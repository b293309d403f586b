//! What windows are told of the engine and of what it found.
//!
//! It is told in one order: once windows have heard that another network was chosen, nothing of the one before is told, and
//! nothing of a position once they have heard that it is another one.

use super::graph::Era;
use super::{Shared, State};
use crate::{AnalysisUpdate, EngineStatus, Event, GraphUpdate, GraphValue, OpenGameId, SweepProgress};
use parking_lot::MutexGuard;
use std::time::Duration;

impl State {
    /// The engine as windows see it.
    fn status(&self) -> EngineStatus {
        let analysing = self.target.as_ref().map(|target| target.game_id.clone());
        if let Some(other) = &self.other {
            return other.status(self.serial, analysing);
        }
        let loaded = self.loaded.as_ref();
        let board = self.target.as_ref().map(|target| target.game.board());
        EngineStatus {
            state: self.engine.clone(),
            serial: self.serial,
            network: loaded.map(|loaded| loaded.network_on(board).to_owned()).unwrap_or_default(),
            device: loaded.map(|loaded| loaded.computing.kind()).unwrap_or_default(),
            device_name: loaded.map(|loaded| loaded.computing.name().to_owned()).unwrap_or_default(),
            device_note: loaded.map(|loaded| loaded.computing.note()).unwrap_or_default(),
            evaluations_per_second: loaded.map_or(0.0, |loaded| loaded.evaluations_per_second()).into(),
            analysing,
        }
    }
}

impl Shared {
    pub(super) fn status(&self) -> EngineStatus {
        self.state.lock().status()
    }

    /// Emits the status if it changed.
    pub(super) fn emit_status(&self) {
        self.report_status(&self.reporting.lock());
    }

    /// As [`Shared::emit_status`], for whoever has the word already.
    pub(super) fn report_status(&self, _in_order: &MutexGuard<'_, ()>) {
        let now = self.host.monotonic();
        let mut state = self.state.lock();
        let status = state.status();
        if state.last_status.as_ref().is_some_and(|(_, reported)| *reported == status) {
            return;
        }
        state.last_status = Some((now, status.clone()));
        drop(state);
        self.host.emit(Event::Engine(status));
    }

    /// As [`Shared::emit_status`], at most once a second: for the speed while working.
    pub(super) fn emit_speed(&self) {
        let reported = self.state.lock().last_status.as_ref().map(|(when, _)| *when);
        if reported.is_none_or(|when| self.host.monotonic().saturating_sub(when) >= Duration::from_secs(1)) {
            self.emit_status();
        }
    }

    /// Tells what a search found that was `begun` then, unless that was forgotten since.
    pub(super) fn report_analysis(&self, begun: Era, update: AnalysisUpdate) {
        let _in_order = self.reporting.lock();
        if self.graph.holds(&update.game_id, update.node_id, begun) {
            self.host.emit(Event::Analysis(update));
        }
    }

    /// As [`Shared::report_analysis`], for values of the graph, with news of the sweep that found them.
    pub(super) fn report_values(
        &self,
        begun: Era,
        game_id: &OpenGameId,
        mut values: Vec<GraphValue>,
        sweep: Option<SweepProgress>,
    ) {
        let _in_order = self.reporting.lock();
        values.retain(|value| self.graph.holds(game_id, value.node_id, begun));
        if !values.is_empty() || sweep.is_some() {
            self.host.emit(Event::Graph(GraphUpdate { game_id: game_id.clone(), values, sweep }));
        }
    }
}
