//! The program around the back end when there is no window of its own: a server or a terminal.

use crate::EventHub;
use crate::quota::Quota;
use honinbo_api::{Capabilities, Event, Host};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A [`Host`] with given folders, the system's clocks and windows that come and go over the network.
#[derive(Debug)]
pub struct ServerHost {
    data_dir: PathBuf,
    resource_dirs: Vec<PathBuf>,
    capabilities: Capabilities,
    training: Option<PathBuf>,
    events: Arc<EventHub>,
    started: Instant,
    /// What the data folder may take.
    quota: Option<Arc<Quota>>,
}

impl ServerHost {
    /// A host for browsers: paths of this disk are none of their business.
    pub fn new(data_dir: PathBuf, resource_dirs: Vec<PathBuf>, events: Arc<EventHub>) -> Self {
        let capabilities = Capabilities { paths: false, native_dialogs: false, menu_bar: false };
        Self { data_dir, resource_dirs, capabilities, training: None, events, started: Instant::now(), quota: None }
    }

    /// Lets windows watch the training run in this folder.
    #[must_use]
    pub fn with_training(mut self, folder: Option<PathBuf>) -> Self {
        self.training = folder;
        self
    }

    /// A host whose data folder may take no more than this.
    #[must_use]
    pub(crate) fn within(mut self, quota: Arc<Quota>) -> Self {
        self.quota = Some(quota);
        self
    }
}

impl Host for ServerHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        self.resource_dirs.clone()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn training_folder(&self) -> Option<PathBuf> {
        self.training.clone()
    }

    fn watches_folders(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    /// The disk that is lent to a person with an account is not filled with copies.
    fn backs_up_after(&self) -> Option<Duration> {
        self.quota.is_none().then_some(Duration::from_mins(1))
    }

    fn is_full(&self) -> bool {
        self.quota.as_ref().is_some_and(|quota| !quota.has_room_for(0, 0))
    }

    fn emit(&self, event: Event) {
        self.events.emit(&event);
    }
}
