//! What the routes of tournaments do.

use super::failure::Failure;
use super::guard::{Club, Given};
use super::handlers::{Answer, Body, Shared, admit, created, ok};
use crate::accounts::Account;
use crate::rooms::{Asker, ListedTournament, TournamentView, tournament_socket};
use axum::extract::rejection::PathRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use honinbo_rooms::{Attendance, PairingChange, PairingResult, Rearrangement, RestPoints, TournamentTerms};
use serde::{Deserialize, Serialize};
use specta::Type;

type Number = Result<Path<i64>, PathRejection>;

fn number(id: Number) -> Result<i64, Failure> {
    id.map(|Path(id)| id).map_err(|rejection| Failure::malformed(rejection.body_text()))
}

/// The number of a player, a round or a game.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
struct Whole(#[serde(deserialize_with = "honinbo_rooms::whole")] u32);

impl Whole {
    fn get(self) -> usize {
        self.0 as usize
    }
}

/// How a tournament stands, as the answer to whatever was asked of it.
fn shown(club: &Club, id: i64, asker: &Asker) -> Answer<TournamentView> {
    ok(TournamentView::new(id, &*club.rooms.tournament(id)?, asker))
}

#[derive(Serialize, Type)]
pub(super) struct TournamentId {
    id: i64,
}

pub(super) async fn create(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(wanted): Body<TournamentTerms>,
) -> Answer<TournamentId> {
    created(TournamentId { id: club.rooms.create_tournament(&account, wanted).await? })
}

#[derive(Serialize, Type)]
pub(super) struct TournamentList {
    tournaments: Vec<ListedTournament>,
}

pub(super) async fn list(State(club): Shared, Extension(asker): Extension<Asker>) -> Json<TournamentList> {
    Json(listed(&club, &asker))
}

/// Tournaments as somebody sees them in a list.
pub(super) fn listed(club: &Club, asker: &Asker) -> TournamentList {
    let found = club.rooms.tournaments().into_iter();
    TournamentList {
        tournaments: found.map(|(id, tournament)| ListedTournament::new(id, &tournament, asker)).collect(),
    }
}

pub(super) async fn look(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
) -> Answer<TournamentView> {
    shown(&club, number(id)?, &asker)
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct Joining {
    #[serde(default)]
    rank: Option<String>,
}

pub(super) async fn join(
    State(club): Shared,
    Extension(account): Extension<Account>,
    id: Number,
    Body(joining): Body<Joining>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    club.rooms.join_tournament(id, &account, joining.rank.as_deref().unwrap_or_default()).await?;
    shown(&club, id, &Asker::Person(account))
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPlayer {
    username: String,
    #[serde(default)]
    rank: Option<String>,
    /// What the rounds are worth that this player has missed; no points where it is not said.
    #[serde(default)]
    missed: Option<RestPoints>,
}

pub(super) async fn add(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
    Body(player): Body<NewPlayer>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    let NewPlayer { username, rank, missed } = player;
    club.rooms.add_to_tournament(id, &asker, [&username, rank.as_deref().unwrap_or_default()], missed).await?;
    shown(&club, id, &asker)
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct Attending {
    #[serde(default)]
    #[specta(type = Option<u32>)]
    player: Option<Whole>,
    #[serde(default)]
    name: Option<String>,
    attendance: Attendance,
}

pub(super) async fn attend(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
    Body(attending): Body<Attending>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    let Attending { player, name, attendance } = attending;
    club.rooms.attend_tournament(id, &asker, player.map(Whole::get), name.as_deref(), attendance).await?;
    shown(&club, id, &asker)
}

pub(super) async fn next_round(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
) -> Answer<TournamentView> {
    let id = number(id)?;
    club.rooms.next_round(id, &asker).await?;
    shown(&club, id, &asker)
}

pub(super) async fn take_back(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
) -> Answer<TournamentView> {
    let id = number(id)?;
    club.rooms.take_round_back(id, &asker).await?;
    shown(&club, id, &asker)
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangedPairing {
    #[specta(type = u32)]
    round: Whole,
    #[specta(type = u32)]
    one: Whole,
    #[specta(type = u32)]
    other: Whole,
    change: PairingChange,
    /// Whether people who have met may meet again.
    #[serde(default)]
    rematch: bool,
}

pub(super) async fn rearrange(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
    Body(wanted): Body<ChangedPairing>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    let ChangedPairing { round, one, other, change, rematch } = wanted;
    let players = [one.get(), other.get()];
    let wanted = Rearrangement { round: round.get(), players, change, may_be_rematch: rematch };
    club.rooms.rearrange_tournament(id, &asker, &wanted).await?;
    shown(&club, id, &asker)
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct Resting {
    #[specta(type = u32)]
    round: Whole,
    #[specta(type = u32)]
    player: Whole,
    #[serde(default)]
    name: Option<String>,
    /// `None` takes back what was said before.
    #[serde(default)]
    points: Option<RestPoints>,
}

pub(super) async fn rest(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
    Body(resting): Body<Resting>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    let Resting { round, player, name, points } = resting;
    club.rooms.rest_in_tournament(id, &asker, (round.get(), player.get()), name.as_deref(), points).await?;
    shown(&club, id, &asker)
}

#[derive(Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub(super) struct EnteredResult {
    #[specta(type = u32)]
    round: Whole,
    #[specta(type = u32)]
    game: Whole,
    /// Whom the game is taken to be of.
    #[serde(default)]
    #[specta(type = Option<u32>)]
    black: Option<Whole>,
    #[serde(default)]
    #[specta(type = Option<u32>)]
    white: Option<Whole>,
    /// `None` takes back what was said before, of a game that is still to be played. It has to be said.
    #[serde(deserialize_with = "Option::deserialize")]
    #[specta(type = Option<PairingResult>)]
    result: Option<PairingResult>,
}

pub(super) async fn enter_result(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
    Body(entered): Body<EnteredResult>,
) -> Answer<TournamentView> {
    let id = number(id)?;
    let EnteredResult { round, game, black, white, result } = entered;
    let players = [black, white].map(|player| player.map(Whole::get));
    let game = (round.get(), game.get());
    match result {
        Some(result) => club.rooms.enter_result(id, &asker, game, players, result).await?,
        None => club.rooms.take_result_back(id, &asker, game, players).await?,
    }
    shown(&club, id, &asker)
}

pub(super) async fn finish(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
) -> Answer<TournamentView> {
    let id = number(id)?;
    club.rooms.finish_tournament(id, &asker).await?;
    shown(&club, id, &asker)
}

pub(super) async fn reopen(
    State(club): Shared,
    Extension(asker): Extension<Asker>,
    id: Number,
) -> Answer<TournamentView> {
    let id = number(id)?;
    club.rooms.reopen_tournament(id, &asker).await?;
    shown(&club, id, &asker)
}

pub(super) async fn open(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Extension(Given(token)): Extension<Given>,
    id: Number,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let id = number(id)?;
    let (upgrade, place) = admit(&club, upgrade)?;
    club.rooms.tournament(id)?;
    Ok(upgrade.on_upgrade(async move |socket| {
        tournament_socket::serve(socket, club.rooms.clone(), id, (account, token), club.limits, club.stop()).await;
        drop(place);
    }))
}
