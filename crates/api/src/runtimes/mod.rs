//! ONNX Runtime libraries beside the program's own: those that are here, those that can be fetched, and fetching them.

pub(crate) mod handlers;
mod list;
pub(crate) mod types;

use crate::analysis::resources::{library_dirs, resource_dirs};
use crate::fetches::{FetchEnd, FetchNews, Fetches, kib, server_of};
use crate::quick::waits_for_disk;
use crate::{ApiError, Event, Host, RuntimeFetch, RuntimeView, Runtimes, ShelfState};
use honinbo_evaluator::StopFlag;
use honinbo_net::LibrarySearch;
use honinbo_shelf::{RuntimeShelf, RuntimeShelfError, RuntimeSource};
use std::path::PathBuf;
use std::sync::Arc;

/// The runtimes of the data folder, and the fetches under way.
pub(crate) struct RuntimesRoom {
    host: Arc<dyn Host>,
    shelf: RuntimeShelf,
    fetches: Fetches,
}

impl RuntimesRoom {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        let shelf = RuntimeShelf::new(&host.data_dir());
        shelf.sweep();
        let fetches = Fetches::new(Arc::clone(&host), event_of);
        Self { host, shelf, fetches }
    }

    /// What is here and what can be fetched.
    pub(crate) fn view(&self) -> Runtimes {
        let known = self.host.known_runtimes();
        let added = self.shelf.added();
        let in_use = self.shelf.in_use();
        let listed = known.iter().map(|known| {
            let here = added.iter().find(|added| added.name == known.name);
            let (size_kib, begun_kib) = (kib(known.bytes), kib(self.shelf.begun(known.name)));
            let (state, fetched_kib) = match self.fetches.state(known.name) {
                Some(under_way) => under_way,
                None if here.is_some() => (ShelfState::Here, size_kib),
                None if begun_kib > 0 => (ShelfState::Paused, begun_kib),
                None => (ShelfState::Absent, 0),
            };
            RuntimeView {
                name: known.name.to_owned(),
                kind: Some(known.kind.into()),
                version: here.map_or(known.version, |here| &here.version).to_owned(),
                state,
                size_kib,
                fetched_kib,
                licence: known.licence.to_owned(),
                source: server_of(known.address),
                in_use: in_use.as_deref() == Some(known.name),
            }
        });
        let others = added.iter().filter(|added| known.iter().all(|known| known.name != added.name));
        let others = others.map(|added| RuntimeView {
            name: added.name.clone(),
            kind: None,
            version: added.version.clone(),
            state: ShelfState::Here,
            size_kib: 0,
            fetched_kib: 0,
            licence: String::new(),
            source: added.source.clone(),
            in_use: in_use.as_ref() == Some(&added.name),
        });
        let folders = library_dirs(&self.host.data_dir(), &resource_dirs(&self.host.resource_dirs()));
        Runtimes {
            runtimes: listed.chain(others).collect(),
            after_restart: LibrarySearch::new(None, folders).differs_from_loaded(),
            may_add_files: self.host.capabilities().paths,
        }
    }

    /// Fetches a known runtime in the background, or goes on with it. One that is under way goes on as it is.
    pub(crate) fn fetch(&self, name: &str) -> Result<(), ApiError> {
        waits_for_disk();
        let known = self.host.known_runtimes().into_iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| ApiError::NotFound {
            message: format!("{name} is not among the runtimes that can be fetched for this machine"),
        })?;
        let (host, shelf) = (Arc::clone(&self.host), self.shelf.clone());
        self.fetches.begin(name, shelf.begun(name), move |report, stop| {
            let try_library = |folder: &std::path::Path| host.try_runtime(folder);
            match shelf.add(known.name, &RuntimeSource::from(&known), &try_library, report, stop) {
                Ok(_) => FetchEnd::Here(known.bytes),
                Err(error) if error.is_stopped() => FetchEnd::Stopped(shelf.begun(known.name)),
                Err(error) => {
                    let (message, hint) = (error.to_string(), error.hint());
                    FetchEnd::Failed { begun: shelf.begun(known.name), message, hint }
                }
            }
        })
    }

    /// Pauses a fetch, if it is under way.
    pub(crate) fn pause(&self, name: &str) {
        self.fetches.pause(name);
    }

    /// Pauses all fetches, as the program ends.
    pub(crate) fn shut_down(&self) {
        self.fetches.pause_all();
    }

    /// Adds a runtime from a file.
    pub(crate) fn add(&self, path: PathBuf, stop: &StopFlag) -> Result<(), ApiError> {
        let source = RuntimeSource::File(path, None);
        let try_library = |folder: &std::path::Path| self.host.try_runtime(folder);
        let added = self.shelf.add(&self.shelf.free_name(), &source, &try_library, &|_| {}, stop);
        added.map(drop).map_err(|error| refused(&error))
    }

    /// Takes a runtime, or what was begun of one, off the disk.
    pub(crate) fn remove(&self, name: &str) -> Result<(), ApiError> {
        if self.fetches.state(name).is_some() {
            return Err(ApiError::InvalidRequest { message: format!("{name} is being fetched; pause it first") });
        }
        self.shelf.remove(name).map(drop).map_err(|error| refused(&error))
    }
}

fn event_of(news: FetchNews) -> Event {
    let FetchNews { name, state, fetched_kib, size_kib, message, hint } = news;
    Event::Runtime(RuntimeFetch { name, state, fetched_kib, size_kib, message, hint })
}

fn refused(error: &RuntimeShelfError) -> ApiError {
    let message = error.to_string();
    match error {
        RuntimeShelfError::BadName(_) => ApiError::InvalidRequest { message },
        RuntimeShelfError::Missing(_) => ApiError::NotFound { message },
        _ => ApiError::EngineUnavailable { message, hint: error.hint().to_owned() },
    }
}
