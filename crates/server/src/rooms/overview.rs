//! What is told of rooms and people: lists, figures, ratings, finished games.

use super::error::OpenError;
use super::lesson::LessonSummary;
use super::listed::Listed;
use super::lobby::OnlineUser;
use super::ratings::Rating;
use super::service::Rooms;
use super::summary::RoomSummary;
use crate::accounts::{Account, name_key};
use crate::metrics::Standing;
use honinbo_library::{AccountId, PlayedGame};
use honinbo_rooms::Stage;

impl Rooms {
    /// Rooms that everybody sees, those with an open seat first, and the person's own.
    pub(crate) fn list(&self, account: &Account) -> Vec<RoomSummary> {
        let person = account.id.to_string();
        let mut listed = Listed::new();
        self.for_each_room(|key, room| {
            let own = room.is_played_by(&person);
            if room.stage != Stage::Over && (own || room.listed && room.has_people()) {
                listed.put((!own, !room.has_open_seat, key), room);
            }
        });
        listed.items()
    }

    /// Every room, with what it is called in the store, and every lesson that is not over, by number, and how many there
    /// are; no more than a list holds.
    pub(crate) fn all(&self) -> (Vec<(String, RoomSummary)>, Vec<LessonSummary>, usize) {
        let (mut rooms, mut lessons, mut total) = (Listed::new(), Listed::new(), 0);
        self.for_each_room(|key, room| {
            if room.stage != Stage::Over && room.has_people() {
                total += 1;
                rooms.put((false, false, key), room);
            }
        });
        self.for_each_lesson(|lesson| {
            if !lesson.over {
                total += 1;
                lessons.put((false, false, &lesson.id), lesson);
            }
        });
        (rooms.named(), lessons.items(), total)
    }

    /// How things stand. `connections` is how many to rooms are open.
    pub(crate) fn standing(&self, connections: usize) -> Standing {
        let mut standing = Standing { connections, people: self.online().len(), ..Standing::default() };
        for handle in self.0.rooms.lock().by_key.values() {
            standing.rooms[handle.summary.lock().stage as usize] += 1;
        }
        standing.lessons = self.0.rooms.lock().lessons.len();
        standing.engines = self.0.engines.thinking();
        standing
    }

    /// Figures for whoever runs the server, as Prometheus reads them.
    pub(crate) fn metrics(&self, connections: usize) -> String {
        self.0.metrics.text(&self.standing(connections))
    }

    /// Moves that a substitute made for an engine, since this server began.
    pub(crate) fn engine_stand_ins(&self) -> u64 {
        self.0.metrics.stand_ins.get()
    }

    /// Engines that think at a time.
    pub(crate) fn engines_at_a_time(&self) -> usize {
        self.0.engines.at_a_time()
    }

    /// Somebody asked for something.
    pub(crate) fn saw(&self, account: &Account) {
        self.0.lobby.saw(account, self.0.clock.monotonic());
    }

    pub(crate) fn online(&self) -> Vec<OnlineUser> {
        self.with_those_elsewhere(self.0.lobby.online(self.0.clock.monotonic()))
    }

    /// Somebody who is online or has ratings, with these; who else has an account is nobody's business.
    pub(crate) async fn player(&self, name: &str) -> Result<Option<(Account, Vec<Rating>)>, OpenError> {
        let key = name_key(name);
        let account = self.read(move |store| store.account_named(&key)).await?;
        let online = self.online();
        Ok(account.map(|account| (account.clone(), self.0.ratings.of(account.id))).filter(|(account, ratings)| {
            !ratings.is_empty() || online.iter().any(|user| user.account.id == account.id)
        }))
    }

    /// Somebody's ratings.
    pub(crate) fn ratings(&self, account: AccountId) -> Vec<Rating> {
        self.0.ratings.of(account)
    }

    /// A page of somebody's finished games, newest first.
    pub(crate) async fn games(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<PlayedGame>, OpenError> {
        self.read(move |store| store.games_of(account, before, limit)).await
    }

    /// The record of a game that this account played.
    pub(crate) async fn record(&self, account: AccountId, game: i64) -> Result<Option<String>, OpenError> {
        self.read(move |store| store.record_of(account, game)).await
    }
}
