//! What the person chose, and what a command line asks for instead.

pub(crate) mod file;
pub(crate) mod handlers;
pub(crate) mod types;

use crate::analysis::engine::Wanted;
use crate::{ApiError, App, Settings};

/// What a command line asks of the engine instead of the settings; not kept.
#[derive(Debug, Default)]
pub(crate) struct EngineOverride {
    network: Option<String>,
    device: Option<String>,
    threads: Option<u32>,
}

impl EngineOverride {
    /// What is computed with where the settings ask for `usual`.
    fn over(&self, usual: Wanted) -> Wanted {
        Wanted {
            network: self.network.clone().unwrap_or(usual.network),
            device: self.device.clone().unwrap_or(usual.device),
            threads: self.threads.unwrap_or(usual.threads),
        }
    }

    /// Gives way where the person chose something else.
    fn yield_to(&mut self, before: &Settings, now: &Settings) {
        if before.network != now.network {
            self.network = None;
        }
        if before.threads != now.threads {
            self.threads = None;
        }
    }
}

impl App {
    /// What the person chose.
    pub fn settings(&self) -> Settings {
        self.settings.get()
    }

    /// Computes with this network (a name or a path), device and number of threads from now on, without keeping that
    /// as the person's choice: for options of a command line. `None` leaves it to the settings. It holds until the
    /// person chooses another network or number of threads.
    pub fn override_engine(&self, network: Option<String>, device: Option<String>, threads: Option<u32>) {
        let settings = self.settings();
        let chosen = EngineOverride { network, device, threads };
        self.engine.want(chosen.over(wanted_by(&settings)));
        *self.engine_override.lock() = chosen;
    }

    pub(crate) fn set_settings(&self, settings: Settings) -> Result<(), ApiError> {
        let wanted = {
            let mut chosen = self.engine_override.lock();
            chosen.yield_to(&self.settings.get(), &settings);
            chosen.over(wanted_by(&settings))
        };
        self.engine.want(wanted);
        self.engine.want_other(&settings.analysis_engine);
        self.evaluations.set_limit(settings.evaluations_mib);
        let written = self.settings.set(settings, |path, bytes| self.host.write(path, bytes));
        written.map_err(|error| self.internal("the settings could not be written", &error))
    }
}

pub(crate) fn wanted_by(settings: &Settings) -> Wanted {
    Wanted { network: settings.network.clone(), device: String::new(), threads: settings.threads }
}
