//! `honinbo net list`, `fetch NAME` and `remove`: the shelf of networks.

use super::fetch::{say, with_progress};
use crate::app::open;
use crate::args::FetchArgs;
use crate::failure::Failure;
use crate::output::Output;
use honinbo_api::{
    ApiError, Caller, NetworkKind, NetworkName, NetworkShelf, NoArgs, ShelfNetwork, ShelfState, commands,
};
use honinbo_net::sha256_of;
use honinbo_shelf::{FetchStage, check_name};
use serde_json::json;
use std::path::{Path, PathBuf};

/// What to do where a network is not there.
const LISTED: &str = "`honinbo net list` names those that are here";

pub(super) fn list(as_json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, _) = open(data);
    let shelf = commands::list_shelf(&app, &Caller::new(), NoArgs {})?;
    if !shelf.problem.is_empty() {
        return Err(Failure::new(shelf.problem, ""));
    }
    if as_json {
        return Ok(output.json(&shelf)?);
    }
    for network in &shelf.networks {
        output.line(format!("{:<9} {}", state_of(network), network.file))?;
        let speed = speed_of(network);
        let facts = [purpose(network), size_of(network), network.licence.clone(), speed, proposed(&shelf, network)];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        output.line(format!("          {}", facts.join("; ")))?;
        if !network.history.is_empty() {
            output.line(format!("          {}", network.history))?;
        }
    }
    output.line(format!("fetched ones are put into {}", shelf.folder))?;
    Ok(())
}

fn state_of(network: &ShelfNetwork) -> &'static str {
    match network.state {
        ShelfState::Here if network.in_use => "in use",
        ShelfState::Here => "here",
        ShelfState::Paused => "begun",
        ShelfState::Fetching | ShelfState::Checking => "fetching",
        ShelfState::Absent => "available",
    }
}

fn purpose(network: &ShelfNetwork) -> String {
    let words = match network.kind {
        Some(NetworkKind::Standard) => "comes with the program, strong for its size",
        Some(NetworkKind::Quick) => "small and quick, for processors",
        Some(NetworkKind::Strong) => "strong, for graphics cards",
        Some(NetworkKind::Strongest) => "the strongest, for fast graphics cards",
        Some(NetworkKind::Human) => "human style, for opponents of a rank",
        Some(NetworkKind::LargeBoards) => "for boards beyond 19x19",
        Some(NetworkKind::SmallBoards) => "for 9x9 alone",
        Some(NetworkKind::Torus) => "for the torus up to 9x9",
        None => "",
    };
    words.into()
}

fn size_of(network: &ShelfNetwork) -> String {
    let mib = |kib: u32| f64::from(kib) / 1024.0;
    match network.state {
        ShelfState::Paused => format!("{:.0} of {:.0} MiB", mib(network.fetched_kib), mib(network.size_kib)),
        _ => format!("{:.0} MiB", mib(network.size_kib)),
    }
}

fn speed_of(network: &ShelfNetwork) -> String {
    let speed = network.evaluations_per_second.get();
    match (speed > 0.0, network.is_estimate) {
        (false, _) => String::new(),
        (true, true) => format!("about {speed:.1} evaluations/s here"),
        (true, false) => format!("{speed:.1} evaluations/s here, measured"),
    }
}

fn proposed(shelf: &NetworkShelf, network: &ShelfNetwork) -> String {
    let suits = shelf.proposed.as_ref() == Some(&network.file);
    if suits { "suits this machine best".into() } else { String::new() }
}

/// Fetches a network by its name on the list, or goes on with it.
pub(super) fn fetch_listed(args: &FetchArgs, data: &Path, output: &mut Output) -> Result<(), Failure> {
    let (app, _) = open(Some(data.to_owned()));
    let shelf = app.shelf();
    let list = shelf.list()?;
    let Some(listed) = list.find(&args.source).filter(|listed| !listed.addresses.is_empty()) else {
        return Err(Failure::new(
            format!("{:?} is neither a file nor a network of the list", args.source),
            "`honinbo net list` names those that can be fetched; an address begins with https://",
        ));
    };
    let mut listed = listed.clone();
    if let Some(name) = &args.name {
        return Err(Failure::Usage(format!("a network of the list keeps its name: leave --name {name} out")));
    }
    listed.sha256 = args.sha256.clone().or(listed.sha256);
    let target = shelf.folder().join(&listed.file);
    if target.exists() && !args.force {
        let sha256 = sha256_of(&target).map_err(|error| super::fetch::unwritable(&target, &error))?;
        return say(args, &target, &sha256, "was there already", output);
    }
    let path = with_progress(|progress, stop| {
        let tell = |stage: FetchStage| {
            if let FetchStage::Downloading(bytes, total) = stage {
                progress(bytes, total);
            }
        };
        shelf.fetch(&listed, &tell, stop)
    })?;
    let sha256 = sha256_of(&path).map_err(|error| super::fetch::unwritable(&path, &error))?;
    say(args, &path, &sha256, "fetched", output)?;
    if !args.json && !listed.licence.is_empty() {
        output.line(format!("licence: {}, {}", listed.licence, listed.licence_page))?;
    }
    Ok(())
}

pub(super) fn remove(network: &str, as_json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, _) = open(data);
    commands::remove_network(&app, &Caller::new(), NetworkName { file: network.to_owned() }).map_err(|error| {
        match error {
            ApiError::NotFound { message } => Failure::new(message, LISTED),
            ApiError::InvalidRequest { message } if check_name(network).is_err() => Failure::new(message, LISTED),
            other => other.into(),
        }
    })?;
    if as_json {
        return Ok(output.json(&json!({ "removed": network }))?);
    }
    Ok(output.line(format!("{network} removed"))?)
}
