//! What the REST routes do.

use super::answers::{
    Code, Copied, Entered, Games, Invitations, Known, LessonRecords, Lessons, Lobby, Online, OnlineUsers, PlayerPage,
    RoomId, RoomList, RoomOffer, Server, Status,
};
use super::failure::Failure;
use super::guard::{Club, Given, Peer, address};
use super::{asyncapi, openapi, tournaments};
use crate::accounts::{Account, AccountError};
use crate::rooms::socket::{self, Entrance};
use crate::rooms::{Arriving, Asker, NewLesson, NewRoom};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use honinbo_players::plays_on;
use honinbo_rooms::{MAX_CLIENT_MESSAGE_BYTES, MAX_HANDICAP, Positions, Terms, positions_of};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;
use std::hash::{DefaultHasher, Hasher as _};
use std::marker::PhantomData;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

pub(super) type Shared = State<Arc<Club>>;
pub(super) type Source = Option<Extension<Peer>>;
/// An answer and its status.
pub(super) type Answer<T> = Result<(StatusCode, Json<T>), Failure>;

/// Games in a page, when nothing is said and at most.
const USUAL_PAGE: u32 = 50;
const MAX_PAGE: u32 = 200;
/// Larger numbers are not exact everywhere that JSON is read.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// A body as JSON; an empty one is an empty object.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let bytes = axum::body::Bytes::from_request(request, state).await.map_err(|rejection| {
            let status = rejection.status();
            let kind = if status == StatusCode::PAYLOAD_TOO_LARGE { "too_large" } else { "malformed" };
            Failure::new(status, kind, rejection.body_text())
        })?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        // A list would be taken for the fields in their order.
        let malformed = |error: serde_json::Error| Failure::malformed(error.to_string());
        let object: serde_json::Map<String, Value> = serde_json::from_slice(text).map_err(malformed)?;
        serde_json::from_value(object.into()).map(Self).map_err(malformed)
    }
}

pub(super) fn ok<T>(answer: T) -> Answer<T> {
    Ok((StatusCode::OK, Json(answer)))
}

pub(super) fn created<T>(answer: T) -> Answer<T> {
    Ok((StatusCode::CREATED, Json(answer)))
}

#[derive(Deserialize, Type)]
pub(super) struct NewAccount {
    username: String,
    password: String,
    #[serde(default)]
    code: Option<String>,
}

pub(super) async fn register(State(club): Shared, from: Source, Body(new): Body<NewAccount>) -> Answer<Entered> {
    let accounts = club.rooms.accounts();
    let from = address(from.as_deref());
    created(accounts.register(&new.username, new.password, new.code.as_deref(), from).await?.into())
}

#[derive(Deserialize, Type)]
pub(super) struct Credentials {
    username: String,
    password: String,
}

pub(super) async fn log_in(State(club): Shared, from: Source, Body(given): Body<Credentials>) -> Answer<Entered> {
    let from = address(from.as_deref());
    ok(club.rooms.accounts().log_in(&given.username, given.password, from).await?.into())
}

pub(super) async fn enter_as_guest(State(club): Shared, from: Source) -> Answer<Entered> {
    created(club.rooms.accounts().enter_as_guest(address(from.as_deref())).await?.into())
}

pub(super) async fn log_out(
    State(club): Shared,
    Extension(Given(token)): Extension<Given>,
) -> Result<StatusCode, Failure> {
    club.rooms.accounts().log_out(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, Type)]
pub(super) struct PasswordChange {
    old_password: String,
    new_password: String,
}

pub(super) async fn change_password(
    State(club): Shared,
    from: Source,
    Extension(account): Extension<Account>,
    Body(change): Body<PasswordChange>,
) -> Answer<Entered> {
    let from = address(from.as_deref());
    let changed = club.rooms.accounts().change_password(&account, change.old_password, change.new_password, from).await;
    ok(changed.map_err(own_password)?.into())
}

#[derive(Deserialize, Type)]
pub(super) struct PasswordReset {
    code: String,
    new_password: String,
}

pub(super) async fn reset_password(
    State(club): Shared,
    from: Source,
    Body(reset): Body<PasswordReset>,
) -> Answer<Entered> {
    let from = address(from.as_deref());
    ok(club.rooms.accounts().reset_password(&reset.code, reset.new_password, from).await?.into())
}

#[derive(Deserialize, Type)]
pub(super) struct Deletion {
    #[serde(default)]
    password: Option<String>,
}

pub(super) async fn delete_account(
    State(club): Shared,
    from: Source,
    Extension(account): Extension<Account>,
    Body(deletion): Body<Deletion>,
) -> Result<StatusCode, Failure> {
    let (from, person, accounts) = (address(from.as_deref()), account.id, Arc::clone(club.rooms.accounts()));
    let deletion = async move { accounts.delete(&account, deletion.password, from).await };
    club.rooms.delete_account(person, deletion).await.map_err(own_password)?;
    Ok(StatusCode::NO_CONTENT)
}

fn own_password(error: AccountError) -> Failure {
    Failure::from(error).for_the_known()
}

pub(super) async fn me(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Extension(Given(token)): Extension<Given>,
) -> Answer<Known> {
    let operator = club.rooms.accounts().may_operate(&token).await?;
    ok(Known { me: account.into(), operator })
}

pub(super) async fn online_users(State(club): Shared) -> Answer<OnlineUsers> {
    ok(people_online(&club))
}

fn people_online(club: &Club) -> OnlineUsers {
    let online = club.rooms.online().into_iter();
    let users = online.map(|user| {
        let ratings = club.rooms.ratings(user.account.id);
        Online::new(user, ratings)
    });
    OnlineUsers { users: users.collect() }
}

/// All that the lobby shows, for windows that ask again every few seconds.
pub(super) async fn lobby(
    State(club): Shared,
    Extension(account): Extension<Account>,
    headers: HeaderMap,
) -> Result<Tagged<Lobby>, Failure> {
    let lobby = Lobby {
        rooms: rooms_for(&club, &account),
        lessons: lessons_for(&club, &account),
        invitations: invitations_of(&club, &account),
        tournaments: tournaments::listed(&club, &Asker::Person(account)),
        users: people_online(&club),
    };
    unless_known(&lobby, &headers)
}

/// An answer under a tag that says what is in it; whoever has that one is told only that it still holds.
pub(super) struct Tagged<T> {
    response: Response,
    answer: PhantomData<T>,
}

impl<T> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

fn unless_known<T: Serialize>(answer: &T, headers: &HeaderMap) -> Result<Tagged<T>, Failure> {
    let failed = |error: serde_json::Error| {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", format!("an answer cannot be written: {error}"))
    };
    let body = serde_json::to_vec(answer).map_err(failed)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&body);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    // A browser keeps it and asks with its tag by itself; for somebody else's token it is another answer.
    let common = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "private, no-cache".into()),
        (header::VARY, "authorization".into()),
    ];
    let response = if is_known {
        (StatusCode::NOT_MODIFIED, common).into_response()
    } else {
        (common, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    };
    Ok(Tagged { response, answer: PhantomData })
}

pub(super) async fn player(
    State(club): Shared,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Answer<PlayerPage> {
    let Path(name) = name.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "unknown_player", "nobody here has that name");
    let (account, ratings) = club.rooms.player(&name).await?.ok_or_else(unknown)?;
    ok(PlayerPage { me: account.into(), ratings: ratings.into_iter().map(Into::into).collect() })
}

pub(super) async fn generate_room(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(wanted): Body<NewRoom>,
) -> Answer<RoomId> {
    created(RoomId { room_id: club.rooms.create(&account, wanted).await? })
}

pub(super) async fn rooms(State(club): Shared, Extension(account): Extension<Account>) -> Answer<RoomList> {
    ok(rooms_for(&club, &account))
}

fn rooms_for(club: &Club, account: &Account) -> RoomList {
    RoomList { rooms: club.rooms.list(account).into_iter().map(Into::into).collect() }
}

#[derive(Deserialize, Type)]
pub(super) struct Invite {
    username: String,
    #[serde(default)]
    room_id: Option<String>,
    /// Of the room that is made where none is named.
    #[serde(default)]
    room: NewRoom,
}

pub(super) async fn invite(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(invite): Body<Invite>,
) -> Answer<RoomId> {
    let room_id = club.rooms.invite(&account, &invite.username, invite.room_id, invite.room).await?;
    ok(RoomId { room_id })
}

pub(super) async fn invitations(State(club): Shared, Extension(account): Extension<Account>) -> Answer<Invitations> {
    ok(invitations_of(&club, &account))
}

fn invitations_of(club: &Club, account: &Account) -> Invitations {
    Invitations { invitations: club.rooms.invitations(account).into_iter().map(Into::into).collect() }
}

#[derive(Deserialize, Type)]
#[serde(rename = "InvitationAnswer")]
pub(super) struct Acceptance {
    room_id: String,
}

pub(super) async fn accept_invitation(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(acceptance): Body<Acceptance>,
) -> Answer<RoomId> {
    club.rooms.accept_invitation(&account, &acceptance.room_id).await?;
    ok(RoomId { room_id: acceptance.room_id })
}

pub(super) async fn decline_invitation(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(refusal): Body<Acceptance>,
) -> Result<StatusCode, Failure> {
    club.rooms.decline_invitation(&account, &refusal.room_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(default)]
pub(super) struct Board {
    width: u32,
    height: u32,
    topology: String,
    rules: String,
    handicap: u32,
}

impl Default for Board {
    fn default() -> Self {
        let Terms { width, height, topology, rules, handicap, .. } = Terms::default();
        Self { width, height, topology, rules, handicap }
    }
}

pub(super) async fn offer(
    State(club): Shared,
    board: Result<Query<Board>, axum::extract::rejection::QueryRejection>,
) -> Answer<RoomOffer> {
    let Query(board) = board.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let Board { width, height, topology, rules, handicap } = board;
    if handicap > MAX_HANDICAP {
        let message = format!("a handicap has at most {MAX_HANDICAP} stones");
        return Err(Failure::new(StatusCode::BAD_REQUEST, "bad_terms", message));
    }
    let terms = Terms { width, height, topology, rules, handicap, ..Terms::default() };
    let offer = terms.offer().map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_terms", error.to_string()))?;
    let mut engines = club.rooms.engine_names().await;
    if let Ok(setup) = terms.setup() {
        engines.retain(|name| plays_on(name, setup.size, setup.topology));
    }
    ok(RoomOffer { offer, engines })
}

#[derive(Deserialize)]
pub(super) struct Page {
    before: Option<u64>,
    limit: Option<u64>,
}

pub(super) async fn games(
    State(club): Shared,
    Extension(account): Extension<Account>,
    page: Result<Query<Page>, axum::extract::rejection::QueryRejection>,
) -> Answer<Games> {
    let (before, limit) = page_of(page)?;
    let games = club.rooms.games(account.id, before, limit).await?;
    ok(Games { games: games.into_iter().map(Into::into).collect() })
}

/// The number before which a page ends, and how long it is.
fn page_of(page: Result<Query<Page>, axum::extract::rejection::QueryRejection>) -> Result<(Option<i64>, u32), Failure> {
    let Query(page) = page.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let before = page.before.map(safe).transpose()?;
    Ok((before.map(|before| i64::try_from(before).unwrap_or(i64::MAX)), page_size(page.limit)?))
}

/// How long a page is, as somebody wishes or as usual.
pub(super) fn page_size(wanted: Option<u64>) -> Result<u32, Failure> {
    let wanted = wanted.map(safe).transpose()?;
    Ok(wanted.map_or(USUAL_PAGE, |wanted| u32::try_from(wanted).unwrap_or(MAX_PAGE).min(MAX_PAGE)))
}

/// A number, unless it is not exact everywhere that JSON is read.
pub(super) fn safe(number: u64) -> Result<u64, Failure> {
    if number <= MAX_SAFE { Ok(number) } else { Err(Failure::malformed(format!("a number is at most {MAX_SAFE}"))) }
}

pub(super) async fn make_lesson(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Body(wanted): Body<NewLesson>,
) -> Answer<RoomId> {
    created(RoomId { room_id: club.rooms.create_lesson(&account, wanted).await? })
}

pub(super) async fn lessons(State(club): Shared, Extension(account): Extension<Account>) -> Answer<Lessons> {
    ok(lessons_for(&club, &account))
}

fn lessons_for(club: &Club, account: &Account) -> Lessons {
    Lessons { lessons: club.rooms.lessons(account).into_iter().map(Into::into).collect() }
}

pub(super) async fn lesson_records(
    State(club): Shared,
    Extension(account): Extension<Account>,
    page: Result<Query<Page>, axum::extract::rejection::QueryRejection>,
) -> Answer<LessonRecords> {
    let (before, limit) = page_of(page)?;
    let records = club.rooms.lesson_records(account.id, before, limit).await?;
    ok(LessonRecords { records: records.into_iter().map(Into::into).collect() })
}

pub(super) async fn lesson_record(
    State(club): Shared,
    Extension(account): Extension<Account>,
    id: Result<Path<i64>, axum::extract::rejection::PathRejection>,
) -> Result<Text, Failure> {
    let Path(id) = id.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "unknown_lesson", "you have taken part in no such lesson");
    Ok(Text(SGF, club.rooms.lesson_record(account.id, id).await?.ok_or_else(unknown)?))
}

const SGF: &str = "application/x-go-sgf; charset=utf-8";
const FIGURES: &str = "text/plain; version=0.0.4; charset=utf-8";

/// An answer that is no JSON, after its media type.
pub(super) struct Text(&'static str, String);

impl IntoResponse for Text {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, self.0)], self.1).into_response()
    }
}

pub(super) async fn game(
    State(club): Shared,
    Extension(account): Extension<Account>,
    id: Result<Path<i64>, axum::extract::rejection::PathRejection>,
) -> Result<Text, Failure> {
    let Path(id) = id.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let sgf = club.rooms.record(account.id, id).await?;
    let sgf = sgf.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "unknown_game", "you have played no such game"))?;
    Ok(Text(SGF, sgf))
}

pub(super) async fn game_positions(
    State(club): Shared,
    Extension(account): Extension<Account>,
    id: Result<Path<i64>, axum::extract::rejection::PathRejection>,
) -> Answer<Positions> {
    let Path(id) = id.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let sgf = club.rooms.record(account.id, id).await?;
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "unknown_game", "you have played no such game");
    let sgf = sgf.ok_or_else(unknown)?;
    // Reading and replaying takes milliseconds: none of the others waits for it.
    let positions = tokio::task::spawn_blocking(move || positions_of(&sgf)).await.ok().flatten();
    ok(positions.ok_or_else(unknown)?)
}

pub(super) async fn make_sign_up_code(State(club): Shared) -> Answer<Code> {
    let code = club.rooms.accounts().make_sign_up_code().await?;
    created(Code { code: code.as_str().to_owned() })
}

pub(super) async fn back_up(State(club): Shared) -> Answer<Copied> {
    let (file, bytes) = club.rooms.back_up().await?;
    created(Copied { file, bytes })
}

pub(super) async fn server(State(club): Shared) -> Answer<Server> {
    let policy = club.rooms.accounts().policy();
    let boards = club.rooms.has_windows();
    let provider = club.rooms.sign_in().map(|sign_in| sign_in.name().to_owned());
    ok(Server { guests: policy.guests, registration: policy.registration, boards, provider })
}

pub(super) async fn metrics(State(club): Shared) -> Text {
    Text(FIGURES, club.rooms.metrics(club.open_connections()))
}

pub(super) async fn health() -> Answer<Status> {
    ok(Status { status: "ok" })
}

pub(super) async fn ready(State(club): Shared) -> Answer<Status> {
    if club.rooms.is_ready().await {
        return ok(Status { status: "ok" });
    }
    Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the server's store cannot be read"))
}

pub(super) async fn openapi() -> Response {
    Json(openapi::document()).into_response()
}

pub(super) async fn asyncapi() -> Response {
    Json(asyncapi::document()).into_response()
}

/// A WebSocket, and its place among the connections to rooms.
pub(super) fn admit(
    club: &Club,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<(WebSocketUpgrade, OwnedSemaphorePermit), Failure> {
    let upgrade = upgrade.map_err(|rejection| {
        let message = format!("this is a WebSocket: {}", rejection.body_text());
        Failure::new(StatusCode::NOT_FOUND, "no_websocket", message)
    })?;
    let Ok(place) = Arc::clone(&club.places).try_acquire_owned() else {
        let message = "the server has too many connections; try again later";
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", message));
    };
    let upgrade = upgrade
        .max_message_size(2 * MAX_CLIENT_MESSAGE_BYTES)
        .max_frame_size(2 * MAX_CLIENT_MESSAGE_BYTES)
        // Kept for each socket, idle ones too, and 128 KiB unless told otherwise.
        .read_buffer_size(MAX_CLIENT_MESSAGE_BYTES / 2);
    Ok((upgrade, place))
}

#[derive(Deserialize)]
pub(super) struct Wishes {
    #[serde(default)]
    watch: bool,
    after: Option<u64>,
}

pub(super) async fn open_room(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Extension(Given(token)): Extension<Given>,
    Extension(arriving): Extension<Arc<Arriving>>,
    Path(room): Path<String>,
    wishes: Result<Query<Wishes>, axum::extract::rejection::QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let Query(wishes) = wishes.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let (upgrade, place) = admit(&club, upgrade)?;
    let entrance = Entrance { token, watch: wishes.watch, after: wishes.after, arriving };
    Ok(upgrade.on_upgrade(async move |socket| {
        socket::serve(socket, club.rooms.clone(), room, account, entrance, club.limits, club.stop()).await;
        drop(place);
    }))
}
