//! Networks: those that are here, those that can be fetched, and fetching them.

pub(crate) mod handlers;
mod list;
mod speeds;
pub(crate) mod types;

use crate::analysis::engine::Engine;
use crate::analysis::resources::{DEFAULT_NETWORK, network_folder, networks, resource_dirs};
use crate::fetches::{FetchEnd, FetchNews, Fetches, kib, server_of};
use crate::quick::waits_for_disk;
use crate::settings::SettingsRoom;
use crate::{ApiError, Event, Host, NetworkFetch, NetworkShelf, ShelfNetwork, ShelfState};
use honinbo_evaluator::StopFlag;
use honinbo_shelf::{
    DownloadError, FetchError, ListSource, ListedNetwork, NetworkKind, NetworkList, Shelf, is_network_file,
};
use speeds::{Candidate, Speeds, estimate, proposal};
use std::sync::Arc;

/// The shelf of networks, and the fetches under way.
pub(crate) struct NetworksRoom {
    host: Arc<dyn Host>,
    engine: Engine,
    settings: Arc<SettingsRoom>,
    /// By file.
    fetches: Fetches,
}

impl NetworksRoom {
    pub(crate) fn new(host: Arc<dyn Host>, engine: Engine, settings: Arc<SettingsRoom>) -> Self {
        let fetches = Fetches::new(Arc::clone(&host), event_of);
        Self { host, engine, settings, fetches }
    }

    /// The shelf of this data folder, with the folder that the person chose for networks.
    pub(crate) fn shelf(&self) -> Shelf {
        let data_dir = self.host.data_dir();
        let folder = network_folder(&data_dir);
        match self.host.network_list() {
            Some(list) => Shelf::with_list_file(&data_dir, &folder, list),
            None => Shelf::new(&data_dir, &folder, ListSource::built_in()),
        }
    }

    /// What is here and what can be fetched.
    pub(crate) fn shelf_view(&self) -> NetworkShelf {
        let shelf = self.shelf();
        let (list, problem) = match shelf.list() {
            Ok(list) => (list, String::new()),
            Err(error) => (NetworkList { serial: 0, networks: Vec::new() }, format!("{error}; {}", error.hint())),
        };
        let data_dir = self.host.data_dir();
        let here = networks(&data_dir, &resource_dirs(&self.host.resource_dirs()));
        let chosen = self.settings.get().network;
        let in_use = if chosen.is_empty() { DEFAULT_NETWORK } else { &chosen };
        self.remember_speed();
        let measured = Speeds::in_folder(&data_dir).get();
        let cost = |file: &str| list.find(file).map_or(0.0, |listed| listed.billion_multiply_adds);
        // What was measured with the network in use says most about this machine as it is now.
        let reference = measured.get_key_value(in_use).filter(|(file, _)| cost(file) > 0.0);
        let reference = reference.or_else(|| measured.iter().find(|(file, _)| cost(file) > 0.0));
        let speed = |file: &str| match (measured.get(file), reference) {
            (Some(&speed), _) => (speed, false),
            (None, Some((known, &speed))) => (estimate(speed, cost(known), cost(file)), true),
            (None, None) => (0.0, false),
        };

        let view = |file: &str, listed: Option<&ListedNetwork>| {
            let at_hand = here.iter().find(|network| network.file_name == file);
            let begun_kib = kib(shelf.begun(file));
            let listed_kib = listed.map_or(0, |listed| kib(listed.bytes));
            let (state, fetched_kib) = match (self.fetches.state(file), at_hand) {
                (Some(under_way), _) => under_way,
                (None, Some(network)) => (ShelfState::Here, network.size_kib),
                (None, None) if begun_kib > 0 => (ShelfState::Paused, begun_kib),
                (None, None) => (ShelfState::Absent, 0),
            };
            let (evaluations_per_second, is_estimate) = speed(file);
            ShelfNetwork {
                file: file.to_owned(),
                kind: listed.map(|listed| listed.kind.into()),
                state,
                size_kib: at_hand.map_or(listed_kib, |network| network.size_kib),
                fetched_kib,
                licence: listed.map(|listed| listed.licence.clone()).unwrap_or_default(),
                licence_page: listed.map(|listed| listed.licence_page.clone()).unwrap_or_default(),
                history: listed.map(|listed| listed.history.clone()).unwrap_or_default(),
                source: listed.and_then(|listed| listed.addresses.first()).map(|it| server_of(it)).unwrap_or_default(),
                evaluations_per_second: evaluations_per_second.into(),
                is_estimate,
                bundled: at_hand.is_some_and(|network| network.bundled),
                in_use: file == in_use,
            }
        };
        let listed = list.networks.iter().map(|listed| view(&listed.file, Some(listed)));
        let others = here.iter().filter(|network| list.find(&network.file_name).is_none());
        let networks: Vec<ShelfNetwork> =
            listed.chain(others.map(|network| view(&network.file_name, None))).filter(is_of_use).collect();

        let candidates: Vec<Candidate<'_>> = list
            .networks
            .iter()
            // The one in use is compared with, wherever it lies.
            .filter(|listed| listed.file == in_use || networks.iter().any(|network| network.file == listed.file))
            .filter(|listed| {
                use NetworkKind::{Quick, Standard, Strong, Strongest};
                matches!(listed.kind, Standard | Quick | Strong | Strongest)
            })
            .map(|listed| Candidate {
                file: &listed.file,
                billion_multiply_adds: listed.billion_multiply_adds,
                is_quick: listed.kind == NetworkKind::Quick,
            })
            .collect();
        let proposed = proposal(&candidates, in_use, |file| speed(file).0).map(str::to_owned);
        let shows_paths = self.host.capabilities().paths;
        let folder = if shows_paths { shelf.folder().display().to_string() } else { String::new() };
        NetworkShelf { networks, folder, can_renew: shelf.can_renew(), proposed, problem }
    }

    /// Keeps the speed that the engine has now, if it worked long enough to know it.
    pub(crate) fn remember_speed(&self) {
        // A command line may name a network by a path; such a one is none of the shelf.
        if let Some((file, device, speed)) = self.engine.measured_speed()
            && is_network_file(&file)
        {
            Speeds::in_folder(&self.host.data_dir()).keep(&file, &device, speed);
        }
    }

    /// Fetches a listed network in the background, or goes on with it. One that is under way goes on as it is.
    pub(crate) fn fetch(&self, file: &str) -> Result<(), ApiError> {
        waits_for_disk();
        let shelf = self.shelf();
        let list = shelf.list().map_err(|error| not_fetched(&error, error.hint()))?;
        let network = list.find(file).filter(|network| !network.addresses.is_empty()).cloned().ok_or_else(|| {
            ApiError::NotFound { message: format!("{file} is not among the networks that can be fetched") }
        })?;
        let begun = shelf.begun(file);
        self.fetches.begin(file, begun, move |report, stop| match shelf.fetch(&network, report, stop) {
            Ok(path) => FetchEnd::Here(std::fs::metadata(path).map_or(0, |metadata| metadata.len())),
            Err(error) if error.is_stopped() => FetchEnd::Stopped(shelf.begun(&network.file)),
            Err(error) => {
                let (message, hint) = (error.to_string(), error.hint());
                FetchEnd::Failed { begun: shelf.begun(&network.file), message, hint }
            }
        })
    }

    /// Pauses a fetch, if it is under way.
    pub(crate) fn pause(&self, file: &str) {
        self.fetches.pause(file);
    }

    /// Pauses all fetches, as the program ends.
    pub(crate) fn shut_down(&self) {
        self.remember_speed();
        self.fetches.pause_all();
    }

    /// Takes a network, or what was begun of one, off the disk.
    pub(crate) fn remove(&self, file: &str) -> Result<(), ApiError> {
        let refused = |message: String| Err(ApiError::InvalidRequest { message });
        if self.fetches.state(file).is_some() {
            return refused(format!("{file} is being fetched; pause it first"));
        }
        let is_here = self.shelf().folder().join(file).is_file();
        if is_here && self.settings.get().network == file {
            return refused(format!("{file} is in use; choose another network first"));
        }
        match self.shelf().remove(file) {
            Ok(true) => Ok(()),
            Ok(false) if self.is_bundled(file) => refused(format!("{file} comes with the program and stays")),
            Ok(false) => {
                Err(ApiError::NotFound { message: format!("{file} is not in {}", self.shelf().folder().display()) })
            }
            Err(error @ (FetchError::BadName(_) | FetchError::Download(DownloadError::Busy { .. }))) => {
                refused(error.to_string())
            }
            Err(error) => Err(not_fetched(&error, error.hint())),
        }
    }

    fn is_bundled(&self, file: &str) -> bool {
        let here = networks(&self.host.data_dir(), &resource_dirs(&self.host.resource_dirs()));
        here.iter().any(|network| network.bundled && network.file_name == file)
    }

    /// Fetches the list that the maintainers have now.
    pub(crate) fn renew(&self, stop: &StopFlag) -> Result<(), ApiError> {
        let shelf = self.shelf();
        if !shelf.can_renew() {
            return Err(ApiError::NotPossibleHere {
                message: "this program was built without a key for lists of networks".into(),
            });
        }
        shelf.renew(stop).map(drop).map_err(|error| not_fetched(&error, error.hint()))
    }
}

/// Whether there is something to say of a network: it is here, or it can be.
fn is_of_use(network: &ShelfNetwork) -> bool {
    network.state != ShelfState::Absent || !network.source.is_empty()
}

fn event_of(news: FetchNews) -> Event {
    let FetchNews { name: file, state, fetched_kib, size_kib, message, hint } = news;
    Event::Network(NetworkFetch { file, state, fetched_kib, size_kib, message, hint })
}

fn not_fetched(error: &dyn std::fmt::Display, hint: &str) -> ApiError {
    ApiError::EngineUnavailable { message: error.to_string(), hint: hint.to_owned() }
}
