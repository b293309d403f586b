//! What the person chose, and what a command line asks for instead.

pub(crate) mod file;
pub(crate) mod handlers;
mod list;
pub(crate) mod types;

use crate::analysis::engine::{Engine, Wanted};
use crate::analysis::evaluations::Evaluations;
use crate::{ApiError, EnginePrecision, Event, Host, Settings, SettingsChange};
use file::SettingsFile;
use honinbo_remote::RemoteOptions;
use parking_lot::Mutex;
use std::sync::Arc;

/// What a command line asks of the engine instead of the settings; not kept.
#[derive(Debug, Default)]
pub(crate) struct EngineOverride {
    network: Option<String>,
    device: Option<String>,
    threads: Option<u32>,
    precision: Option<EnginePrecision>,
    inference: Option<RemoteOptions>,
}

impl EngineOverride {
    /// What is computed with where the settings ask for `usual`.
    fn over(&self, usual: Wanted) -> Wanted {
        Wanted {
            network: self.network.clone().unwrap_or(usual.network),
            device: self.device.clone().unwrap_or(usual.device),
            threads: self.threads.unwrap_or(usual.threads),
            memory_mib: usual.memory_mib,
            precision: self.precision.unwrap_or(usual.precision),
            inference: self.inference.clone().or(usual.inference),
        }
    }

    /// Gives way where the person chose something else.
    fn yield_to(&mut self, before: &Settings, now: &Settings) {
        if before.network != now.network {
            self.network = None;
        }
        if before.device != now.device {
            self.device = None;
        }
        if before.threads != now.threads {
            self.threads = None;
        }
        if before.precision != now.precision {
            self.precision = None;
        }
    }
}

/// What the person chose, and those who go by it.
pub(crate) struct SettingsRoom {
    host: Arc<dyn Host>,
    engine: Engine,
    evaluations: Arc<Evaluations>,
    file: SettingsFile,
    chosen: Mutex<EngineOverride>,
    /// What every window was told last.
    reported: Mutex<Settings>,
    /// What went wrong while the program started.
    pub(crate) notices: Vec<String>,
}

impl SettingsRoom {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        file: SettingsFile,
        engine: Engine,
        evaluations: Arc<Evaluations>,
        notices: Vec<String>,
    ) -> Self {
        let reported = Mutex::new(file.get());
        Self { host, engine, evaluations, file, chosen: Mutex::default(), reported, notices }
    }

    /// What the person chose.
    pub(crate) fn get(&self) -> Settings {
        self.file.get()
    }

    /// As [`crate::App::settings_notice`].
    pub(crate) fn notice(&self) -> Option<&str> {
        self.file.notice()
    }

    /// As [`crate::App::override_engine`].
    pub(crate) fn override_engine(&self, network: Option<String>, device: Option<String>, threads: Option<u32>) {
        let mut chosen = self.chosen.lock();
        (chosen.network, chosen.device, chosen.threads) = (network, device, threads);
        self.engine.want(chosen.over(self.wanted_by(&self.get())));
    }

    /// As [`crate::App::override_inference`].
    pub(crate) fn override_inference(&self, inference: Option<RemoteOptions>) {
        let mut chosen = self.chosen.lock();
        chosen.inference = inference;
        self.engine.want(chosen.over(self.wanted_by(&self.get())));
    }

    fn wanted_by(&self, settings: &Settings) -> Wanted {
        wanted_by(settings, self.file.inference())
    }

    /// As [`crate::App::override_precision`].
    pub(crate) fn override_precision(&self, precision: Option<EnginePrecision>) {
        let mut chosen = self.chosen.lock();
        chosen.precision = precision;
        self.engine.want(chosen.over(self.wanted_by(&self.get())));
    }

    /// Tells every window what is chosen now, if it is not what they were told last.
    pub(crate) fn report_changes(&self) {
        // Held to the end, so that windows hear of changes in their order.
        let mut reported = self.reported.lock();
        let now = self.get();
        if *reported != now {
            self.host.emit(Event::SettingsChanged(Box::new(now.clone())));
            *reported = now;
        }
    }

    /// Keeps what was chosen anew, and answers with all that is chosen now. It holds even where it cannot be written.
    pub(crate) fn change(&self, change: SettingsChange) -> Result<Settings, ApiError> {
        // Held to the end: of two who change settings at once, the second changes what the first has made of them.
        let mut writing = self.file.begin();
        let before = self.get();
        let now = change.over(before.clone())?;
        let wanted = {
            let mut chosen = self.chosen.lock();
            chosen.yield_to(&before, &now);
            chosen.over(self.wanted_by(&now))
        };
        self.engine.want(wanted);
        self.engine.want_other(&now.analysis_engine);
        self.evaluations.set_limit(now.evaluations_mib);
        let written = writing.set(now.clone(), |path, bytes| self.host.write(path, bytes));
        written.map_err(|error| ApiError::from_write(self.file.path(), &error))?;
        Ok(now)
    }
}

pub(crate) fn wanted_by(settings: &Settings, inference: Option<&RemoteOptions>) -> Wanted {
    Wanted {
        network: settings.network.clone(),
        device: settings.device.clone(),
        threads: settings.threads,
        memory_mib: settings.memory_mib,
        precision: settings.precision,
        inference: inference.cloned(),
    }
}
