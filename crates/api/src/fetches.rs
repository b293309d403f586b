//! Fetches in the background: of networks, of runtimes, of a newer version.

use crate::{ApiError, Event, Host, ShelfState};
use honinbo_evaluator::StopFlag;
use honinbo_shelf::FetchStage;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How often windows are told how far a fetch is.
const INTERVAL: Duration = Duration::from_millis(100);

/// What windows hear of a fetch.
pub(crate) struct FetchNews {
    /// What is fetched.
    pub(crate) name: String,
    pub(crate) state: ShelfState,
    pub(crate) fetched_kib: u32,
    /// 0 where that is not known.
    pub(crate) size_kib: u32,
    /// Why it failed; empty where it did not.
    pub(crate) message: String,
    pub(crate) hint: String,
}

/// How a fetch ended.
pub(crate) enum FetchEnd {
    /// It is here, with so many bytes.
    Here(u64),
    /// Somebody asked for the end; so many bytes are kept.
    Stopped(u64),
    /// It failed; so many bytes are kept.
    Failed { begun: u64, message: String, hint: &'static str },
}

/// The fetches of one kind that are under way.
pub(crate) struct Fetches {
    host: Arc<dyn Host>,
    /// By name; a fetch takes itself out when it ends.
    under_way: Arc<Mutex<BTreeMap<String, UnderWay>>>,
    event: fn(FetchNews) -> Event,
}

/// A fetch, as windows see it that ask meanwhile.
struct UnderWay {
    stop: StopFlag,
    state: ShelfState,
    fetched_kib: u32,
}

impl Fetches {
    /// Windows hear of them by `event`.
    pub(crate) fn new(host: Arc<dyn Host>, event: fn(FetchNews) -> Event) -> Self {
        Self { host, under_way: Arc::default(), event }
    }

    /// How one stands, and the KiB that are here; `None` where it is not under way.
    pub(crate) fn state(&self, name: &str) -> Option<(ShelfState, u32)> {
        self.under_way.lock().get(name).map(|fetch| (fetch.state, fetch.fetched_kib))
    }

    /// Fetches on a thread of its own. One that is under way goes on as it is.
    pub(crate) fn begin(
        &self,
        name: &str,
        begun: u64,
        fetch: impl FnOnce(&dyn Fn(FetchStage), &StopFlag) -> FetchEnd + Send + 'static,
    ) -> Result<(), ApiError> {
        let stop = StopFlag::new();
        let mut under_way = self.under_way.lock();
        if under_way.contains_key(name) {
            return Ok(());
        }
        let begun = UnderWay { stop: stop.clone(), state: ShelfState::Fetching, fetched_kib: kib(begun) };
        under_way.insert(name.to_owned(), begun);
        drop(under_way);
        let reporter = Reporter {
            host: Arc::clone(&self.host),
            under_way: Arc::clone(&self.under_way),
            event: self.event,
            name: name.to_owned(),
        };
        let thread = std::thread::Builder::new().name("fetch".into());
        thread.spawn(move || reporter.run(&stop, fetch)).map(drop).map_err(|error| {
            self.under_way.lock().remove(name);
            let hint = "try again when the machine has less to do".to_owned();
            ApiError::EngineUnavailable { message: error.to_string(), hint }
        })
    }

    /// Pauses one, if it is under way.
    pub(crate) fn pause(&self, name: &str) {
        if let Some(fetch) = self.under_way.lock().get(name) {
            fetch.stop.set();
        }
    }

    /// Pauses all, as the program ends.
    pub(crate) fn pause_all(&self) {
        for fetch in self.under_way.lock().values() {
            fetch.stop.set();
        }
    }
}

/// The thread of a fetch.
struct Reporter {
    host: Arc<dyn Host>,
    under_way: Arc<Mutex<BTreeMap<String, UnderWay>>>,
    event: fn(FetchNews) -> Event,
    name: String,
}

impl Reporter {
    fn run(self, stop: &StopFlag, fetch: impl FnOnce(&dyn Fn(FetchStage), &StopFlag) -> FetchEnd) {
        let reported = Mutex::new(None::<Duration>);
        let report = |stage: FetchStage| {
            let mut under_way = self.under_way.lock();
            let Some(fetch) = under_way.get_mut(&self.name) else { return };
            let total = match stage {
                FetchStage::Downloading(bytes, total) => {
                    (fetch.state, fetch.fetched_kib) = (ShelfState::Fetching, kib(bytes));
                    total.map_or(0, kib)
                }
                FetchStage::Checking => {
                    fetch.state = ShelfState::Checking;
                    fetch.fetched_kib
                }
            };
            let (state, fetched_kib) = (fetch.state, fetch.fetched_kib);
            drop(under_way);
            let now = self.host.monotonic();
            let mut reported = reported.lock();
            if state == ShelfState::Checking || reported.is_none_or(|before| now.saturating_sub(before) >= INTERVAL) {
                *reported = Some(now);
                self.emit(state, fetched_kib, total, None);
            }
        };
        let end = fetch(&report, stop);
        self.under_way.lock().remove(&self.name);
        let left = |begun| if begun > 0 { ShelfState::Paused } else { ShelfState::Absent };
        match end {
            FetchEnd::Here(bytes) => self.emit(ShelfState::Here, kib(bytes), kib(bytes), None),
            FetchEnd::Stopped(begun) => self.emit(left(begun), kib(begun), 0, None),
            FetchEnd::Failed { begun, message, hint } => {
                tracing::warn!(name = self.name, message, "a file was not fetched");
                self.emit(left(begun), kib(begun), 0, Some((message, hint)));
            }
        }
    }

    fn emit(&self, state: ShelfState, fetched_kib: u32, size_kib: u32, failure: Option<(String, &str)>) {
        let (message, hint) = failure.unwrap_or_default();
        let name = self.name.clone();
        self.host.emit((self.event)(FetchNews { name, state, fetched_kib, size_kib, message, hint: hint.to_owned() }));
    }
}

pub(crate) fn kib(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

/// The server of an address.
pub(crate) fn server_of(address: &str) -> String {
    let after = address.split_once("://").map_or(address, |(_, after)| after);
    after.split('/').next().unwrap_or_default().to_owned()
}
