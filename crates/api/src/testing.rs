//! A back end for tests that look behind the commands.

use crate::{App, Capabilities, EngineSource, Event, Host};
use honinbo_evaluator::Evaluator;
use honinbo_testkit::{Gate, GatedEvaluator, UniformEvaluator};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Networks that can be chosen one after the other.
pub(crate) const TWO_NETWORKS: [&str; 2] = ["one", "another"];

/// A data folder, and nobody who hears of anything.
struct Folder(tempfile::TempDir);

impl Host for Folder {
    fn data_dir(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn unix_seconds(&self) -> u64 {
        1_700_000_000
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: true, native_dialogs: false, menu_bar: false }
    }

    fn emit(&self, _: Event) {}
}

/// A back end in whose engine this answers.
pub(crate) fn answered_by(evaluator: Arc<dyn Evaluator>) -> Arc<App> {
    let host = Arc::new(Folder(tempfile::tempdir().unwrap()));
    App::with_engine(host, EngineSource::Given { evaluator, network: "uniform".into() })
}

/// A back end whose networks are files in its data folder.
pub(crate) fn of_files() -> Arc<App> {
    App::new(Arc::new(Folder(tempfile::tempdir().unwrap())))
}

/// A back end that shares the engine of another one.
pub(crate) fn sharing(owner: &App) -> Arc<App> {
    App::with_engine(Arc::new(Folder(tempfile::tempdir().unwrap())), owner.shared_engine())
}

/// A back end whose engine answers as far as the gate lets it.
pub(crate) fn gated() -> (Arc<App>, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let app = answered_by(Arc::new(GatedEvaluator::new(UniformEvaluator::default(), Arc::clone(&gate))));
    (app, gate)
}

/// Has another network answer from now on.
pub(crate) fn choose_network(app: &App, name: &str) {
    app.override_engine(Some(name.to_owned()), None, None);
}
