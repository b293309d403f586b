//! The Online-Go Server's REST interface.
//!
//! * `GET /api/v1/players?username=NAME`: `{"results":[{"id":…,"username":…},…]}`.
//! * `GET /api/v1/players/ID/games/?page_size=50&ordering=-ended&ended__isnull=false&page=N`:
//!   `{"count":…,"next":…,"results":[{"id":…,"ended":…,"outcome":…},…]}`, the last ended first. At most 5000 are counted.
//! * `GET /api/v1/games/ID/sgf`: the record.
//!
//! Source: pages of the interface itself as they were stored publicly (`/api/v1/players/308797/games?format=api&page=8`
//! and others, read in November 2026).

use super::asking::{Asker, Question, Reply, encoded};
use super::{Delivery, Receiver, Visit, VisitError, VisitProgress};
use serde::Deserialize;
use std::collections::HashSet;
use ureq::http::StatusCode;

const PAGE_SIZE: u32 = 50;
/// The server counts 5000 games, which are a hundred pages; beyond ten times that it goes in circles.
const MAX_PAGES: u32 = 1_000;
const MAX_PAGE_BYTES: u64 = 8 << 20;
/// A game with all that was said in it.
const MAX_RECORD_BYTES: u64 = 8 << 20;
/// Private games one after the other; a server that refuses more than these fends everybody off. Whoever plays among friends
/// has some in a row.
const MAX_REFUSED: usize = 20;
/// The mark of the receiver that says that nothing older is left.
const WHOLE: &str = "all games";

#[derive(Deserialize)]
struct Players {
    results: Vec<Player>,
}

#[derive(Deserialize)]
struct Player {
    id: u64,
    username: String,
}

#[derive(Deserialize)]
struct Games {
    next: Option<String>,
    results: Vec<ListedGame>,
}

#[derive(Deserialize)]
struct ListedGame {
    id: u64,
    ended: Option<String>,
    #[serde(default)]
    outcome: Option<String>,
}

/// What the server refused, which is private where it gives other games.
#[derive(Default)]
struct Refused {
    /// Since a record came.
    games: Vec<u64>,
    /// A record has come in this visit.
    has_come: bool,
}

impl Refused {
    /// They are private, and not asked for again.
    fn are_private(&mut self, receiver: &mut dyn Receiver) -> Result<(), VisitError> {
        for id in self.games.drain(..) {
            receiver.take(Delivery::Game { key: id.to_string(), bytes: None }).map_err(VisitError::NotKept)?;
        }
        Ok(())
    }
}

pub(super) fn visit(
    visit: &Visit<'_>,
    asker: &mut Asker<'_>,
    receiver: &mut dyn Receiver,
) -> Result<String, VisitError> {
    let player = player(visit, asker, receiver)?;
    // Games are fetched as their pages come, newest first. A visit that is broken off leaves older ones behind those
    // that are known, so that the first known page is the end only after one that was not.
    let whole = !receiver.mark(WHOLE).map_err(VisitError::NotKept)?.is_empty();
    let mut progress = VisitProgress::default();
    let (mut seen, mut refused) = (HashSet::new(), Refused::default());
    for page in 1..=MAX_PAGES {
        let path = format!(
            "/api/v1/players/{}/games/?page_size={PAGE_SIZE}&ordering=-ended&ended__isnull=false&page={page}",
            player.id
        );
        let Some(games) = ask_json::<Games>(asker, &path, &mut progress, receiver)? else {
            // Whoever has no games has a first page all the same.
            if page == 1 {
                let reason = "there is no list of games".to_owned();
                return Err(VisitError::Unexpected { address: asker.address(&path), reason });
            }
            break;
        };
        // A game that ends meanwhile moves the others on, so that some come twice; a page without any other is the end.
        let listed = games.results.iter().filter(|game| seen.insert(game.id)).count();
        let is_wanted = |game: &&ListedGame| {
            // A game that was cancelled before it began has no moves.
            game.ended.is_some() && game.outcome.as_deref() != Some("Cancellation")
        };
        let new: Vec<u64> = games
            .results
            .iter()
            .filter(is_wanted)
            .map(|game| game.id)
            .filter(|id| !receiver.has(&id.to_string()) && !refused.games.contains(id))
            .collect();
        if !new.is_empty() && whole {
            receiver.keep_mark(WHOLE, "").map_err(VisitError::NotKept)?;
        }
        progress.found += u32::try_from(new.len()).unwrap_or(u32::MAX);
        receiver.hear(progress);
        for id in &new {
            fetch(asker, *id, &mut refused, &mut progress, receiver)?;
        }
        if listed == 0 || games.next.is_none() || whole && new.is_empty() {
            break;
        }
    }
    if refused.has_come {
        refused.are_private(receiver)?;
    }
    receiver.keep_mark(WHOLE, "whole").map_err(VisitError::NotKept)?;
    Ok(player.username)
}

fn player(visit: &Visit<'_>, asker: &mut Asker<'_>, receiver: &mut dyn Receiver) -> Result<Player, VisitError> {
    let path = format!("/api/v1/players?username={}", encoded(visit.name));
    let mut progress = VisitProgress::default();
    let found = ask_json::<Players>(asker, &path, &mut progress, receiver)?;
    let mut results = found.map(|players| players.results).unwrap_or_default();
    let exactly = results.iter().position(|player| player.username == visit.name);
    let nearly = || results.iter().position(|player| player.username.to_lowercase() == visit.name.to_lowercase());
    match exactly.or_else(nearly) {
        Some(at) => Ok(results.swap_remove(at)),
        None => Err(VisitError::NoSuchPlayer { server: visit.server.label(), name: visit.name.to_owned() }),
    }
}

fn fetch(
    asker: &mut Asker<'_>,
    id: u64,
    refused: &mut Refused,
    progress: &mut VisitProgress,
    receiver: &mut dyn Receiver,
) -> Result<(), VisitError> {
    let path = format!("/api/v1/games/{id}/sgf");
    let question = Question { path: &path, limit: MAX_RECORD_BYTES, accept: "application/x-go-sgf", mark: "" };
    let reply = asker.ask(&question, &mut |pause| receiver.hear(VisitProgress { pause, ..*progress }))?;
    let bytes = match reply {
        Reply::Page { bytes, .. } if is_record(&bytes) => Some(bytes),
        Reply::Page { .. } => {
            let reason = "it is no SGF".to_owned();
            return Err(VisitError::Unexpected { address: asker.address(&path), reason });
        }
        // Somebody's private game, or any that is asked for: what comes next says which.
        Reply::Refused(status) if status != StatusCode::GONE => {
            if status == StatusCode::UNAUTHORIZED || refused.games.len() == MAX_REFUSED {
                let reason = format!("the server answers {status}");
                return Err(VisitError::Unreachable { address: asker.address(&path), reason });
            }
            refused.games.push(id);
            progress.fetched += 1;
            receiver.hear(*progress);
            return Ok(());
        }
        Reply::Nothing | Reply::Refused(_) | Reply::Unchanged => None,
    };
    if bytes.is_some() {
        refused.has_come = true;
        refused.are_private(receiver)?;
    }
    receiver.take(Delivery::Game { key: id.to_string(), bytes }).map_err(VisitError::NotKept)?;
    progress.fetched += 1;
    receiver.hear(*progress);
    Ok(())
}

/// `None`: there is no such page.
fn ask_json<T: for<'de> Deserialize<'de>>(
    asker: &mut Asker<'_>,
    path: &str,
    progress: &mut VisitProgress,
    receiver: &mut dyn Receiver,
) -> Result<Option<T>, VisitError> {
    let question = Question { path, limit: MAX_PAGE_BYTES, accept: "application/json", mark: "" };
    let reply = asker.ask(&question, &mut |pause| receiver.hear(VisitProgress { pause, ..*progress }))?;
    let bytes = match reply {
        Reply::Page { bytes, .. } => bytes,
        Reply::Nothing => return Ok(None),
        Reply::Refused(status) => {
            let reason = format!("the server answers {status}");
            return Err(VisitError::Unreachable { address: asker.address(path), reason });
        }
        Reply::Unchanged => {
            let reason = "it is said to be known already".to_owned();
            return Err(VisitError::Unexpected { address: asker.address(path), reason });
        }
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        let is_page = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<');
        let reason = if is_page { "it is a web page".to_owned() } else { error.to_string() };
        VisitError::Unexpected { address: asker.address(path), reason }
    })
}

/// It begins as SGF does, behind blanks and a mark of its bytes' order.
fn is_record(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"(")
}
