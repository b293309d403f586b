//! What whoever runs the server asks: who and what is there, and what is to go.

use super::answers::{Code, ListedLesson, ListedRoom};
use super::failure::Failure;
use super::guard::Club;
use super::handlers::{Answer, Body, Shared, created, ok, page_size, safe};
use crate::accounts::{AccountPolicy, AttemptLimits};
use crate::rooms::PeopleLimits;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use honinbo_library::AccountId;
use honinbo_rooms::whole;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::sync::Arc;

/// Longest part of a name that is looked for.
const MAX_PART: usize = 100;

#[derive(Serialize, Type)]
#[serde(rename = "ServerOverview")]
pub(super) struct Overview {
    version: &'static str,
    #[serde(flatten)]
    policy: AccountPolicy,
    limits: WireLimits,
    people_online: usize,
    /// Connections to rooms, and how many there may be.
    connections: usize,
    max_connections: usize,
    waiting: usize,
    playing: usize,
    counting: usize,
    adjourned: usize,
    lessons: usize,
    /// Engines that think, and how many may at a time.
    engines_thinking: usize,
    engines_at_a_time: usize,
    /// Moves that a substitute made for an engine that failed, since this server began.
    engine_stand_ins: u64,
    engines: Vec<String>,
}

pub(super) async fn overview(State(club): Shared) -> Answer<Overview> {
    let standing = club.rooms.standing_everywhere(club.open_connections());
    let [waiting, playing, counting, adjourned, _] = standing.rooms;
    ok(Overview {
        version: env!("CARGO_PKG_VERSION"),
        policy: club.rooms.accounts().policy(),
        limits: WireLimits::of(&club),
        people_online: standing.people,
        connections: standing.connections,
        max_connections: club.limits.room_connections,
        waiting,
        playing,
        counting,
        adjourned,
        lessons: standing.lessons,
        engines_thinking: standing.engines,
        engines_at_a_time: club.rooms.engines_at_a_time(),
        engine_stand_ins: club.rooms.engine_stand_ins(),
        engines: club.rooms.engine_names().await,
    })
}

pub(super) async fn set_policy(State(club): Shared, Body(policy): Body<AccountPolicy>) -> Answer<AccountPolicy> {
    club.rooms.set_policy(policy).await?;
    ok(policy)
}

/// The largest limit that can be asked for.
pub(super) const MAX_LIMIT: u32 = 100_000;

/// What one person, or one address, may do.
#[derive(Serialize, Deserialize, Type)]
#[serde(rename = "ServerLimits", deny_unknown_fields)]
pub(super) struct WireLimits {
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    rooms_of_one: u32,
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    log_ins_of_name: u32,
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    log_ins_of_address: u32,
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    new_of_address: u32,
}

impl WireLimits {
    fn of(club: &Club) -> Self {
        let AttemptLimits { log_ins_of_name, log_ins_of_address, new_of_address } =
            club.rooms.accounts().attempt_limits();
        Self { rooms_of_one: club.rooms.rooms_of_one(), log_ins_of_name, log_ins_of_address, new_of_address }
    }
}

pub(super) async fn set_limits(State(club): Shared, Body(wanted): Body<WireLimits>) -> Answer<WireLimits> {
    let WireLimits { rooms_of_one, log_ins_of_name, log_ins_of_address, new_of_address } = wanted;
    let all = [rooms_of_one, log_ins_of_name, log_ins_of_address, new_of_address];
    if !all.iter().all(|limit| (1..=MAX_LIMIT).contains(limit)) {
        return Err(Failure::malformed(format!("a limit is a number from 1 to {MAX_LIMIT}")));
    }
    let attempts = AttemptLimits { log_ins_of_name, log_ins_of_address, new_of_address };
    club.rooms.set_limits(PeopleLimits { rooms_of_one, attempts }).await?;
    ok(WireLimits::of(&club))
}

#[derive(Deserialize)]
pub(super) struct PeoplePage {
    #[serde(default)]
    part: String,
    #[serde(default)]
    after: String,
    limit: Option<u64>,
}

#[derive(Serialize, Type)]
#[serde(rename = "ServerPeople")]
pub(super) struct People {
    people: Vec<Person>,
    /// What `after` is for the next page.
    next: Option<String>,
}

#[derive(Serialize, Type)]
#[serde(rename = "ServerPerson")]
pub(super) struct Person {
    id: i64,
    username: String,
    guest: bool,
    /// Milliseconds since 1970.
    created: i64,
    /// Finished games.
    games: u32,
    online: bool,
}

pub(super) async fn people(State(club): Shared, page: Result<Query<PeoplePage>, QueryRejection>) -> Answer<People> {
    let Query(page) = page.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    if page.part.len() > MAX_PART || page.after.len() > MAX_PART {
        return Err(Failure::malformed(format!("a part of a name has at most {MAX_PART} bytes")));
    }
    // A page of nobody would have no next one.
    let limit = page_size(page.limit)?.max(1);
    let found = club.rooms.accounts().page(&page.part, &page.after, limit).await?;
    let next = found.last().filter(|_| found.len() >= limit as usize).map(|last| last.key.clone());
    let online: Vec<AccountId> = club.rooms.online().into_iter().map(|user| user.account.id).collect();
    let people = found.into_iter().map(|facts| Person {
        id: facts.account.id.0,
        online: online.contains(&facts.account.id),
        username: facts.account.name,
        guest: facts.account.guest,
        created: facts.created_ms,
        games: facts.games,
    });
    ok(People { people: people.collect(), next })
}

fn account(id: Result<Path<u64>, PathRejection>) -> Result<AccountId, Failure> {
    let Path(id) = id.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    Ok(AccountId(i64::try_from(safe(id)?).unwrap_or(i64::MAX)))
}

pub(super) async fn reset_person(State(club): Shared, id: Result<Path<u64>, PathRejection>) -> Answer<Code> {
    let code = club.rooms.accounts().make_reset_code(account(id)?).await?;
    let code = code.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, "unknown_player", "nobody has that account, or a guest without a password")
    })?;
    created(Code { code: code.as_str().to_owned() })
}

pub(super) async fn remove_person(
    State(club): Shared,
    id: Result<Path<u64>, PathRejection>,
) -> Result<StatusCode, Failure> {
    let id = account(id)?;
    let accounts = Arc::clone(club.rooms.accounts());
    club.rooms.delete_account(id, async move { accounts.remove(id).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A room as it is closed.
#[derive(Serialize, Type)]
#[serde(rename = "ServerRoom")]
pub(super) struct KeyedRoom {
    /// Rooms of several people against one engine have one name, and keys of their own; any other's is its number.
    key: String,
    #[serde(flatten)]
    room: ListedRoom,
}

#[derive(Serialize, Type)]
#[serde(rename = "ServerRooms")]
pub(super) struct AllRooms {
    rooms: Vec<KeyedRoom>,
    lessons: Vec<ListedLesson>,
    /// How many there are; the lists end at 200.
    total: usize,
}

pub(super) async fn rooms(State(club): Shared) -> Answer<AllRooms> {
    let (rooms, lessons, total) = club.rooms.all();
    let rooms = rooms.into_iter().map(|(key, room)| KeyedRoom { key, room: room.into() });
    ok(AllRooms { rooms: rooms.collect(), lessons: lessons.into_iter().map(Into::into).collect(), total })
}

pub(super) async fn close_room(
    State(club): Shared,
    key: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Failure> {
    let Path(key) = key.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    if club.rooms.close(&key).await {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Failure::new(StatusCode::NOT_FOUND, "unknown_room", "there is no such room"))
}

impl Club {
    /// Connections to rooms that are open.
    pub(super) fn open_connections(&self) -> usize {
        self.limits.room_connections.saturating_sub(self.places.available_permits())
    }
}
