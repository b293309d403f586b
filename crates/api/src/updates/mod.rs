//! Newer versions of the program: looked for when the person asks or allowed it, fetched, and handed to the system.

pub(crate) mod handlers;
mod list;
pub(crate) mod types;

use crate::fetches::{FetchEnd, FetchNews, Fetches, kib};
use crate::quick::waits_for_disk;
use crate::settings::SettingsRoom;
use crate::{ApiError, Event, Host, OfferedUpdate, ShelfState, UpdateFetch, UpdatePackage, UpdateView};
use honinbo_evaluator::StopFlag;
use honinbo_shelf::{FetchStage, Package, Release, UpdateError, Updates};
use std::path::PathBuf;
use std::sync::Arc;

/// By itself the program does not ask more often than once in so many seconds.
const PATIENCE: u64 = 24 * 60 * 60;

/// The name of the one fetch: a newer release waits until that of an older one has ended.
const PACKAGE: &str = "update";

/// What is known of newer versions, and a fetch under way.
pub(crate) struct UpdatesRoom {
    host: Arc<dyn Host>,
    settings: Arc<SettingsRoom>,
    updates: Updates,
    fetches: Fetches,
}

impl UpdatesRoom {
    pub(crate) fn new(host: Arc<dyn Host>, settings: Arc<SettingsRoom>) -> Self {
        let updates = Updates::new(&host.data_dir(), host.releases(), host.version());
        let fetches = Fetches::new(Arc::clone(&host), event_of);
        Self { host, settings, updates, fetches }
    }

    /// Whether newer versions can be looked for.
    pub(crate) fn can_look(&self) -> bool {
        self.updates.can_look()
    }

    /// What an earlier look found.
    pub(crate) fn view(&self) -> Result<UpdateView, ApiError> {
        let offered = match self.updates.known() {
            Ok(release) => release.map(|release| self.offer(release)),
            // What lies there says nothing any more; a look finds out anew.
            Err(error) => {
                tracing::warn!(%error, "what was known of a newer version is not used");
                None
            }
        };
        Ok(UpdateView { version: self.host.version().to_string(), can_look: self.updates.can_look(), offered })
    }

    /// Asks the maintainers' server. By itself the program asks only where the person allowed it, once a day.
    pub(crate) fn look(&self, by_itself: bool, stop: &StopFlag) -> Result<UpdateView, ApiError> {
        if by_itself && !(self.settings.get().look_for_updates && self.is_time()) {
            return self.view();
        }
        if !self.updates.can_look() {
            return Err(ApiError::NotPossibleHere {
                message: "this program was built without an address of newer versions".into(),
            });
        }
        let found = self.updates.look(stop);
        // A server that does not answer is not asked again and again either.
        self.remember_look();
        found.map_err(|error| not_updated(&error))?;
        self.view()
    }

    fn is_time(&self) -> bool {
        let looked = std::fs::read_to_string(self.looked()).ok().and_then(|text| text.trim().parse::<u64>().ok());
        // A clock that was set back does not put it off for ever.
        looked.is_none_or(|looked| self.host.unix_seconds().abs_diff(looked) >= PATIENCE)
    }

    fn remember_look(&self) {
        if let Err(error) = self.host.write(&self.looked(), self.host.unix_seconds().to_string().as_bytes()) {
            tracing::warn!(%error, "when newer versions were looked for is not remembered");
        }
    }

    fn looked(&self) -> PathBuf {
        self.host.data_dir().join("updates-looked")
    }

    fn offer(&self, release: Release) -> OfferedUpdate {
        let language = self.settings.get().language;
        let package = self.package(&release).map(|package| {
            let begun_kib = kib(self.updates.begun(package));
            let size_kib = kib(package.bytes);
            let (state, fetched_kib) = match self.fetches.state(PACKAGE) {
                Some(under_way) => under_way,
                None if self.updates.here(package).is_some() => (ShelfState::Here, size_kib),
                None if begun_kib > 0 => (ShelfState::Paused, begun_kib),
                None => (ShelfState::Absent, 0),
            };
            UpdatePackage { file: package.file.clone(), size_kib, fetched_kib, state }
        });
        let notes = release.notes.get(&language).or_else(|| release.notes.get("en")).cloned().unwrap_or_default();
        OfferedUpdate { version: release.version.to_string(), date: release.date, notes, page: release.page, package }
    }

    fn package<'a>(&self, release: &'a Release) -> Option<&'a Package> {
        release.package(self.host.installed_by()?, std::env::consts::ARCH)
    }

    /// The newer version's package for this machine.
    fn offered_package(&self) -> Result<Package, ApiError> {
        waits_for_disk();
        let release = self.updates.known().map_err(|error| not_updated(&error))?;
        release.as_ref().and_then(|release| self.package(release)).cloned().ok_or_else(|| ApiError::NotFound {
            message: "there is no package of a newer version for this machine".into(),
        })
    }

    /// Fetches the package in the background, or goes on with it. One that is under way goes on as it is.
    pub(crate) fn fetch(&self) -> Result<(), ApiError> {
        let package = self.offered_package()?;
        let updates = self.updates.clone();
        self.fetches.begin(PACKAGE, updates.begun(&package), move |report, stop| {
            let progress = |bytes: u64| {
                report(FetchStage::Downloading(bytes, Some(package.bytes)));
                if bytes == package.bytes {
                    report(FetchStage::Checking);
                }
            };
            match updates.fetch(&package, &progress, stop) {
                Ok(_) => FetchEnd::Here(package.bytes),
                Err(error) if error.is_stopped() => FetchEnd::Stopped(updates.begun(&package)),
                Err(error) => {
                    let (message, hint) = (error.to_string(), error.hint());
                    FetchEnd::Failed { begun: updates.begun(&package), message, hint }
                }
            }
        })
    }

    /// Pauses a fetch, if one is under way.
    pub(crate) fn pause(&self) {
        self.fetches.pause(PACKAGE);
    }

    /// Hands the package to the system. It is read once more before: what was changed since is not handed on.
    pub(crate) fn install(&self) -> Result<(), ApiError> {
        let package = self.offered_package()?;
        let path = self.updates.here(&package).ok_or_else(|| ApiError::NotFound {
            message: format!("{} is not here, or is not what was signed; fetch it again", package.file),
        })?;
        self.host.install(&path).map_err(|error| ApiError::NotPossibleHere {
            message: format!("{} is not opened: {error}", path.display()),
        })
    }
}

fn event_of(news: FetchNews) -> Event {
    let FetchNews { state, fetched_kib, message, hint, .. } = news;
    Event::Update(UpdateFetch { state, fetched_kib, message, hint })
}

fn not_updated(error: &UpdateError) -> ApiError {
    ApiError::EngineUnavailable { message: error.to_string(), hint: error.hint().to_owned() }
}
