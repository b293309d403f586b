//! What the REST routes answer with.

use super::tournaments::TournamentList;
use crate::accounts::{Account, LoggedIn, Registration};
use crate::rooms::{Invitation, LessonSummary, OnlineUser, Rating, RoomSummary};
use honinbo_library::{KeptLesson, PlayedGame};
use honinbo_rooms::{Offer, Stage, Terms};
use serde::Serialize;
use specta::Type;

#[derive(Serialize, Type)]
#[serde(rename = "ClubPerson")]
pub(super) struct Me {
    pub(super) username: String,
    pub(super) guest: bool,
}

impl From<Account> for Me {
    fn from(account: Account) -> Self {
        Self { username: account.name, guest: account.guest }
    }
}

/// Whose token it is, and whether it is an operator's.
#[derive(Serialize, Type)]
#[serde(rename = "ClubMe")]
pub(super) struct Known {
    #[serde(flatten)]
    pub(super) me: Me,
    pub(super) operator: bool,
}

#[derive(Serialize, Type)]
#[serde(rename = "ClubEntered")]
pub(super) struct Entered {
    token: String,
    #[serde(flatten)]
    known: Known,
}

/// Where the browser is to go.
#[derive(Serialize, Type)]
#[serde(rename = "SentAway")]
pub(super) struct Sent {
    pub(super) url: String,
}

#[derive(Serialize, Type)]
pub(super) struct SignedIn {
    #[serde(flatten)]
    pub(super) entered: Entered,
    pub(super) return_to: String,
}

#[derive(Serialize, Type)]
#[serde(rename = "LinkEnded")]
pub(super) struct Ended {
    pub(super) return_to: String,
}

/// How somebody can log in.
#[derive(Serialize, Type)]
#[serde(rename = "ClubLinks")]
pub(super) struct Linkable {
    pub(super) password: bool,
    pub(super) linked: bool,
    /// Logging out at the provider is possible, too.
    pub(super) log_out_there: bool,
}

/// Somebody is logged out here; where the browser may go to log out at the provider.
#[derive(Serialize, Type)]
#[serde(rename = "LoggedOut")]
pub(super) struct Left {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
}

impl From<LoggedIn> for Entered {
    fn from(logged_in: LoggedIn) -> Self {
        let known = Known { me: logged_in.account.into(), operator: logged_in.operator };
        Self { token: logged_in.token.as_str().to_owned(), known }
    }
}

#[derive(Serialize, Type)]
pub(super) struct OnlineUsers {
    pub(super) users: Vec<Online>,
}

#[derive(Serialize, Type)]
#[serde(rename = "ClubUser")]
pub(super) struct Online {
    username: String,
    guest: bool,
    /// Rooms that the person is connected to.
    rooms: u32,
    ratings: Vec<ShownRating>,
}

impl Online {
    pub(super) fn new(user: OnlineUser, ratings: Vec<Rating>) -> Self {
        let ratings = ratings.into_iter().map(Into::into).collect();
        Self { username: user.account.name, guest: user.account.guest, rooms: user.rooms, ratings }
    }
}

/// A rating on boards of one size.
#[derive(Serialize, Type)]
#[serde(rename = "ClubRating")]
pub(super) struct ShownRating {
    width: u32,
    height: u32,
    rating: i32,
    /// The strength is within twice this much, with 95 %.
    deviation: i32,
    games: u32,
    provisional: bool,
}

impl From<Rating> for ShownRating {
    fn from(rating: Rating) -> Self {
        Self {
            width: rating.size.0,
            height: rating.size.1,
            rating: rating.rating.round() as i32,
            deviation: rating.deviation.round() as i32,
            games: rating.games,
            provisional: rating.provisional,
        }
    }
}

#[derive(Serialize, Type)]
#[serde(rename = "ClubPlayer")]
pub(super) struct PlayerPage {
    #[serde(flatten)]
    pub(super) me: Me,
    pub(super) ratings: Vec<ShownRating>,
}

#[derive(Serialize, Type)]
pub(super) struct RoomId {
    pub(super) room_id: String,
}

#[derive(Serialize, Type)]
pub(super) struct RoomList {
    pub(super) rooms: Vec<ListedRoom>,
}

#[derive(Serialize, Type)]
pub(super) struct ListedRoom {
    room_id: String,
    stage: Stage,
    terms: Terms,
    black: Option<String>,
    white: Option<String>,
    black_online: bool,
    white_online: bool,
    black_engine: bool,
    white_engine: bool,
    moves: usize,
    spectators: u32,
    open_seat: bool,
}

impl From<RoomSummary> for ListedRoom {
    fn from(summary: RoomSummary) -> Self {
        let [black, white] = summary.names;
        let [black_online, white_online] = summary.online;
        let [black_engine, white_engine] = summary.engines;
        Self {
            room_id: summary.id,
            stage: summary.stage,
            terms: summary.terms,
            black,
            white,
            black_online,
            white_online,
            black_engine,
            white_engine,
            moves: summary.moves,
            spectators: summary.spectators,
            open_seat: summary.has_open_seat,
        }
    }
}

#[derive(Serialize, Type)]
pub(super) struct Invitations {
    pub(super) invitations: Vec<Invited>,
}

#[derive(Serialize, Type)]
#[serde(rename = "ClubInvitation")]
pub(super) struct Invited {
    room_id: String,
    from: String,
    /// Into a lesson.
    lesson: bool,
    /// What is played; `None` in a lesson.
    terms: Option<Terms>,
}

impl From<Invitation> for Invited {
    fn from(invitation: Invitation) -> Self {
        let Invitation { room, name, terms, .. } = invitation;
        Self { room_id: room, from: name, lesson: terms.is_none(), terms }
    }
}

#[derive(Serialize, Type)]
#[serde(rename = "FinishedGames")]
pub(super) struct Games {
    pub(super) games: Vec<FinishedGame>,
}

#[derive(Serialize, Type)]
pub(super) struct FinishedGame {
    id: i64,
    black: String,
    white: String,
    width: u32,
    height: u32,
    moves: u32,
    result: String,
    /// Milliseconds since 1970.
    ended: i64,
}

impl From<PlayedGame> for FinishedGame {
    fn from(game: PlayedGame) -> Self {
        let ([black, white], (width, height)) = (game.names, game.size);
        Self { id: game.id, black, white, width, height, moves: game.moves, result: game.result, ended: game.ended_ms }
    }
}

#[derive(Serialize, Type)]
#[serde(rename = "ListedLessons")]
pub(super) struct Lessons {
    pub(super) lessons: Vec<ListedLesson>,
}

#[derive(Serialize, Type)]
pub(super) struct ListedLesson {
    room_id: String,
    title: String,
    teacher: String,
    /// People who are there.
    online: usize,
}

impl From<LessonSummary> for ListedLesson {
    fn from(summary: LessonSummary) -> Self {
        let LessonSummary { id, title, teacher, online, .. } = summary;
        Self { room_id: id, title, teacher, online }
    }
}

#[derive(Serialize, Type)]
pub(super) struct LessonRecords {
    pub(super) records: Vec<LessonRecord>,
}

#[derive(Serialize, Type)]
pub(super) struct LessonRecord {
    id: i64,
    title: String,
    teacher: String,
    moves: u32,
    /// Milliseconds since 1970.
    ended: i64,
}

impl From<KeptLesson> for LessonRecord {
    fn from(lesson: KeptLesson) -> Self {
        let KeptLesson { id, title, teacher, moves, ended_ms } = lesson;
        Self { id, title, teacher, moves, ended: ended_ms }
    }
}

/// All that the lobby shows.
#[derive(Serialize, Type)]
pub(super) struct Lobby {
    #[serde(flatten)]
    pub(super) rooms: RoomList,
    #[serde(flatten)]
    pub(super) lessons: Lessons,
    #[serde(flatten)]
    pub(super) tournaments: TournamentList,
    #[serde(flatten)]
    pub(super) users: OnlineUsers,
    #[serde(flatten)]
    pub(super) invitations: Invitations,
}

#[derive(Serialize, Type)]
pub(super) struct RoomOffer {
    #[serde(flatten)]
    pub(super) offer: Offer,
    /// Levels, ranks and engines that can be played against.
    pub(super) engines: Vec<String>,
}

#[derive(Serialize, Type)]
#[serde(rename = "BackedUp")]
pub(super) struct Copied {
    /// The name of the copy, in the folder `backups` beside the server's file.
    pub(super) file: String,
    pub(super) bytes: u64,
}

#[derive(Serialize, Type)]
#[serde(rename = "MadeCode")]
pub(super) struct Code {
    pub(super) code: String,
}

#[derive(Serialize, Type)]
#[serde(rename = "ClubFacts")]
pub(super) struct Server {
    pub(super) guests: bool,
    pub(super) registration: Registration,
    /// Whether everybody with an account has a window of their own.
    pub(super) boards: bool,
    /// The provider by which people log in, as it stands on the button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider: Option<String>,
}

#[derive(Serialize, Type)]
#[serde(rename = "ServerStatus")]
pub(super) struct Status {
    pub(super) status: &'static str,
}
