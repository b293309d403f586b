//! Rooms of several servers on one store: each lives in one of them at a time.
//!
//! A server that is asked for a room which is nobody's takes it; one that is another's and in which nobody is, it is given;
//! and with any other the client is connected through to where it is. The server that leads takes what is nobody's without
//! being asked, so that clocks run and engines play on, and knows the lobby: what the others tell it is at most about a
//! second old.

use super::actor::Input;
use super::error::{OpenError, RoomsError};
use super::lesson::LessonSummary;
use super::lobby::OnlineUser;
use super::name::RoomName;
use super::registry::{GAME, Handle};
use super::service::{Inner, Rooms};
use super::summary::RoomSummary;
use crate::accounts::Account;
use crate::metrics::Standing;
use crate::peers::{GameEnd, Identity, Order, Peers, Reservation};
use crate::serve::listen;
use futures_util::future::join_all;
use honinbo_library::{AccountId, Neighbour, Neighbours, RoomPlace, ServerStore, StoreError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Mutex as AsyncMutex, MutexGuard, mpsc, oneshot};

/// How often a room that moves just now is looked for.
pub(super) const LOOKING: u32 = 3;
/// Where other servers come unless something else is said.
const USUAL_DOOR: &str = "127.0.0.1:0";
/// How long a room that was given away waits for whoever wanted it.
const GIVEN_MS: i64 = 5000;
/// Rooms that are taken at a time.
const TAKEN_AT_ONCE: u32 = 500;
/// How often, and how long apart, the server that leads is told that a game has ended. What it does not hear it finds in the
/// store when another one takes the lead.
const REPORTS: u32 = 15;
const REPORT_AGAIN: Duration = Duration::from_secs(2);

/// Who takes rooms just now.
pub(super) struct Taking {
    /// A room is taken for one after the other.
    turns: [AsyncMutex<()>; 64],
    /// One at a time looks around, and takes what is nobody's.
    around: AsyncMutex<()>,
}

impl Default for Taking {
    fn default() -> Self {
        Self { turns: std::array::from_fn(|_| AsyncMutex::default()), around: AsyncMutex::default() }
    }
}

impl Taking {
    async fn turn(&self, key: &str) -> MutexGuard<'_, ()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
        self.turns[(hash % self.turns.len() as u64) as usize].lock().await
    }
}

/// Somebody who has been let in and is not in the room or the lesson yet: until then no other server is given it.
#[derive(Default)]
pub(crate) struct Arriving(Option<(Arc<Inner>, String)>);

impl Drop for Arriving {
    fn drop(&mut self) {
        let Some((inner, key)) = self.0.take() else { return };
        let mut rooms = inner.rooms.lock();
        if let Entry::Occupied(mut arriving) = rooms.arriving.entry(key) {
            *arriving.get_mut() -= 1;
            if *arriving.get() == 0 {
                arriving.remove();
            }
        }
    }
}

/// Where somebody finds a room.
pub(crate) enum Whereabouts {
    /// Here, or nowhere.
    Here(Arriving),
    Elsewhere(Neighbour),
}

/// Who and what is at one server.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct View {
    people: Vec<Seen>,
    /// By what they are called in the store.
    rooms: HashMap<String, RoomSummary>,
    lessons: Vec<LessonSummary>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    id: i64,
    name: String,
    guest: bool,
    rooms: u32,
}

/// Finds the other servers of a store, and a place where they can come.
pub(super) async fn meet(store: &Arc<ServerStore>, address: Option<&str>, now_ms: i64) -> Result<Peers, RoomsError> {
    if !store.is_shared() {
        return Ok(Peers::nobody());
    }
    let (door, address): (TcpListener, _) = listen(address.unwrap_or(USUAL_DOOR)).await?;
    if address.ip().is_unspecified() {
        return Err(RoomsError::PeersAddress(address));
    }
    let store = Arc::clone(store);
    let Identity { acceptor, certificate } = Identity::new().map_err(RoomsError::System)?;
    let met = tokio::task::spawn_blocking(move || {
        let secret = store.announce(&address.to_string(), &certificate)?;
        store.set_alive(now_ms)?;
        Ok::<_, StoreError>((secret.unwrap_or_default(), store.neighbours()?))
    });
    let (secret, there) = met.await.map_err(|error| RoomsError::System(error.to_string()))??;
    Ok(Peers::new(secret, Some((door, acceptor)), there))
}

impl Inner {
    /// A game or a lesson has ended: it is counted, entered in its tournament and put into libraries by the server that leads.
    pub(super) fn report(self: &Arc<Self>, end: GameEnd) {
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            for _ in 0..REPORTS {
                if inner.peers.leads() {
                    return inner.game_ended(end).await;
                }
                if let Some(leader) = inner.peers.leader() {
                    match inner.peers.order::<bool>(&leader, &Order::Ended(end.clone())).await {
                        Ok(true) => return,
                        Ok(false) => {}
                        Err(error) => tracing::warn!(%error, "the end of a game could not be told"),
                    }
                }
                tokio::time::sleep(REPORT_AGAIN).await;
            }
            tracing::error!(room = end.room, "nobody leads who could be told that a game has ended");
        });
    }

    async fn game_ended(self: &Arc<Self>, end: GameEnd) {
        if end.rated {
            self.count_games().await;
        }
        if let Some(result) = end.result {
            self.tournament_game_ended(&end.room, result).await;
        }
        if let Some(people) = &self.people {
            for account in end.people {
                people.game_ended(AccountId(account)).await;
            }
        }
    }
}

impl Rooms {
    /// Takes the lead: everything that is nobody's is this server's from now on.
    pub(super) async fn lead(&self) -> Result<(), OpenError> {
        self.0.count_games().await;
        self.find_settings().await?;
        while self.take_free().await? > 0 {}
        self.resume_tournaments().await?;
        if let Some(people) = &self.0.people {
            people.settle_all_leaving().await;
        }
        Ok(())
    }

    /// Ends what accounts that are gone have left in rooms which came here: whoever had these may have ended, or have stood
    /// still, between the end of an account and that of its games.
    async fn forfeit_of_gone(&self, people: HashSet<AccountId>) {
        // Where the store does not answer, nobody is gone.
        for person in self.gone_of(people).await.unwrap_or_default() {
            self.forfeit_here(person).await;
        }
    }

    /// Which of these accounts are gone.
    pub(super) async fn gone_of(&self, people: HashSet<AccountId>) -> Result<Vec<AccountId>, OpenError> {
        if people.is_empty() {
            return Ok(Vec::new());
        }
        self.read(move |store| {
            let mut gone = Vec::new();
            for person in people {
                if store.account_created(person)?.is_none() {
                    gone.push(person);
                }
            }
            Ok(gone)
        })
        .await
    }

    /// Takes rooms that are nobody's; how many there were. In a file, that is every room, once.
    async fn take_free(&self) -> Result<usize, OpenError> {
        let given_before_ms = self.0.clock.unix_ms() - GIVEN_MS;
        let taken = self.read(move |store| store.take_free_rooms(TAKEN_AT_ONCE, given_before_ms)).await?;
        let count = taken.len();
        let people = taken.into_iter().filter_map(|taken| self.bring_back(taken)).flatten().collect();
        self.forfeit_of_gone(people).await;
        Ok(if self.0.store.is_shared() { count } else { 0 })
    }

    /// Notes which other servers are there, and does what the one that leads does.
    pub(super) async fn look_around(&self) {
        if !self.0.store.is_shared() {
            return;
        }
        if self.take_what_is_nobodys().await {
            self.ask_for_views().await;
        }
    }

    /// Notes who is there, and takes what is nobody's where this server leads; whether it does.
    async fn take_what_is_nobodys(&self) -> bool {
        let _one = self.0.taking.around.lock().await;
        let Ok(there) = self.read(ServerStore::neighbours).await else { return false };
        if there.leads && !self.0.peers.leads() {
            if self.lead().await.is_err() {
                // It is tried again.
                self.0.peers.note(Neighbours { leads: false, ..there });
                return false;
            }
            tracing::info!("this server leads now");
        }
        let leads = there.leads;
        self.0.peers.note(there);
        if leads {
            // What could not be done is in the log, and tried again.
            let _ = self.take_free().await;
        }
        leads
    }

    async fn ask_for_views(&self) {
        let peers = &self.0.peers;
        let others = peers.others();
        join_all(others.iter().filter(|other| !other.address.is_empty()).map(|other| async move {
            match peers.order(other, &Order::View).await {
                Ok(view) => peers.note_view(other.id, view),
                Err(error) => tracing::debug!(%error, "what is at another server is not known"),
            }
        }))
        .await;
    }

    /// Others have the rooms from now on.
    pub(super) async fn leave(&self) {
        let _ = self.read(ServerStore::leave).await; // It is in the log.
    }

    /// Waits until what a room has heard is kept, so that other servers find it.
    pub(super) async fn settled(&self, inputs: &mpsc::Sender<Input>) {
        if !self.0.store.is_shared() {
            return;
        }
        let (settled, done) = oneshot::channel();
        if inputs.send(Input::Settled { settled }).await.is_ok() {
            let _ = done.await; // A room that is closed has nothing to keep.
        }
    }

    fn is_at_work(&self, key: &str) -> bool {
        let rooms = self.0.rooms.lock();
        rooms.by_key.contains_key(key) || rooms.lessons.contains_key(key)
    }

    /// Where a room is by its name in the store: at another server, or here, where it is taken first if it is nobody's.
    pub(super) async fn locate(&self, key: &str) -> Result<Option<Neighbour>, OpenError> {
        if self.is_at_work(key) {
            return Ok(None);
        }
        if !self.0.store.is_shared() {
            return Err(OpenError::UnknownRoom);
        }
        let _one = self.0.taking.turn(key).await;
        if self.is_at_work(key) {
            return Ok(None);
        }
        let wanted = key.to_owned();
        match self.read(move |store| store.take_room(&wanted)).await? {
            RoomPlace::Elsewhere(other) => Ok(Some(other)),
            RoomPlace::Taken(taken) => {
                let people = self.bring_back(taken).ok_or(OpenError::UnknownRoom)?;
                self.forfeit_of_gone(people.into_iter().collect()).await;
                Ok(None)
            }
            RoomPlace::Own => {
                // It was taken a moment ago, with others, and is about to come back.
                let _taken = self.0.taking.around.lock().await;
                if self.is_at_work(key) { Ok(None) } else { Err(OpenError::UnknownRoom) }
            }
            RoomPlace::Nowhere => Err(OpenError::UnknownRoom),
        }
    }

    /// What a room is called in the store, by the name that somebody opens it by; `None` where it is still to be made, or
    /// there is no such name.
    async fn key_of(&self, name: &str, account: &Account) -> Result<Option<String>, OpenError> {
        match RoomName::parse(name, account.id) {
            None => Ok(None),
            Some(RoomName::Number(id)) => Ok(Some(id)),
            Some(RoomName::Engine { own, .. }) => {
                if let Some(here) = self.0.rooms.lock().of_engine_at_play(&own) {
                    return Ok(Some(here));
                }
                self.read(move |store| store.newest_room(&format!("{own}{GAME}"))).await
            }
        }
    }

    /// Has a room stay here until somebody has come in; `None` where it is not here.
    async fn arrive(&self, key: &str) -> Option<Arriving> {
        *self.0.rooms.lock().arriving.entry(key.to_owned()).or_default() += 1;
        let arriving = Arriving(Some((Arc::clone(&self.0), key.to_owned())));
        // It may just be on its way to another server.
        let inputs = self.inputs_of(key)?;
        let (settled, done) = oneshot::channel();
        inputs.send(Input::Settled { settled }).await.ok()?;
        done.await.ok().map(|()| arriving)
    }

    /// Has the room stay that somebody was sent here for; `None` where it is not here.
    pub(crate) async fn arrive_as_sent(&self, name: &str, account: &Account) -> Option<Arriving> {
        let key = match RoomName::parse(name, account.id) {
            None => return Some(Arriving::default()), // They are told that there is none.
            Some(RoomName::Number(id)) => id,
            Some(RoomName::Engine { own, .. }) => self.0.rooms.lock().key_of_engine(&own)?.clone(),
        };
        self.arrive(&key).await
    }

    /// Where somebody finds the room that they open. One at another server in which nobody is comes here.
    pub(crate) async fn whereabouts(&self, name: &str, account: &Account) -> Result<Whereabouts, OpenError> {
        if !self.0.store.is_shared() {
            return Ok(Whereabouts::Here(Arriving::default()));
        }
        let Some(key) = self.key_of(name, account).await? else { return Ok(Whereabouts::Here(Arriving::default())) };
        for _ in 0..LOOKING {
            let owner = match self.locate(&key).await {
                Ok(None) => match self.arrive(&key).await {
                    Some(arriving) => return Ok(Whereabouts::Here(arriving)),
                    None => continue,
                },
                Err(OpenError::UnknownRoom) => return Ok(Whereabouts::Here(Arriving::default())),
                Ok(Some(owner)) => owner,
                Err(error) => return Err(error),
            };
            match self.0.peers.order(&owner, &Order::GiveAway { room: key.clone() }).await {
                Ok(true) => {}
                Ok(false) => return Ok(Whereabouts::Elsewhere(owner)),
                Err(error) => {
                    tracing::warn!(%error, room = key, "the server that has a room does not answer");
                    // It may be over.
                    self.look_around().await;
                    if self.0.peers.is_there(owner.id) {
                        return Err(OpenError::Unavailable);
                    }
                }
            }
        }
        Err(OpenError::Unavailable)
    }

    /// Whether there is such a room or lesson.
    pub(super) async fn has_room(&self, key: &str) -> Result<bool, OpenError> {
        if self.is_at_work(key) {
            return Ok(true);
        }
        let wanted = key.to_owned();
        Ok(self.0.store.is_shared() && self.read(move |store| store.has_room(&wanted)).await?)
    }

    /// Whether a room still has a seat for somebody who is invited, or a lesson goes on.
    pub(super) fn still_awaits(&self, key: &str, person: &str) -> bool {
        {
            let here = self.0.rooms.lock();
            if let Some(room) = here.by_key.get(key) {
                return room.summary.lock().awaits(person);
            }
            if let Some(lesson) = here.lessons.get(key) {
                return !lesson.summary.lock().over;
            }
        }
        let told = self.0.peers.through_views(|(_, view)| {
            let lesson = || view.lessons.iter().find(|lesson| lesson.id == key).map(|lesson| !lesson.over);
            view.rooms.get(key).map(|room| room.awaits(person)).or_else(lesson)
        });
        // One that is on its way from one server to another nobody tells of.
        told.into_iter().flatten().next().unwrap_or_else(|| self.0.store.is_shared())
    }

    /// Looks at every room, wherever it is, with what it is called in the store. Must not block.
    pub(super) fn for_each_room(&self, mut look: impl FnMut(&str, &RoomSummary)) {
        let here = self.0.rooms.lock();
        for (key, handle) in &here.by_key {
            look(key, &handle.summary.lock());
        }
        // One that has just come here is still in what another told.
        self.0.peers.through_views(|(_, view)| {
            for (key, summary) in view.rooms.iter().filter(|(key, _)| !here.by_key.contains_key(*key)) {
                look(key, summary);
            }
        });
    }

    /// Looks at every lesson, wherever it is. Must not block.
    pub(super) fn for_each_lesson(&self, mut look: impl FnMut(&LessonSummary)) {
        let here = self.0.rooms.lock();
        for handle in here.lessons.values() {
            look(&handle.summary.lock());
        }
        self.0.peers.through_views(|(_, view)| {
            view.lessons.iter().filter(|lesson| !here.lessons.contains_key(&lesson.id)).for_each(&mut look);
        });
    }

    /// How many rooms and lessons the others have.
    pub(super) fn rooms_elsewhere(&self) -> usize {
        self.0.peers.through_views(|(_, view)| view.rooms.len() + view.lessons.len()).into_iter().sum()
    }

    /// Whether a number is another server's room or lesson.
    pub(super) fn is_elsewhere(&self, id: &str) -> bool {
        let is_there = |view: &View| view.rooms.contains_key(id) || view.lessons.iter().any(|lesson| lesson.id == id);
        self.0.peers.through_views(|(_, view)| is_there(view)).into_iter().any(|is_there| is_there)
    }

    /// Who is here, and who is at other servers.
    pub(super) fn with_those_elsewhere(&self, here: Vec<OnlineUser>) -> Vec<OnlineUser> {
        let there = self.0.peers.through_views(|(_, view)| view.people.clone());
        let mut all: HashMap<AccountId, OnlineUser> = here.into_iter().map(|user| (user.account.id, user)).collect();
        for seen in there.into_iter().flatten() {
            let account = Account { id: AccountId(seen.id), name: seen.name, guest: seen.guest };
            all.entry(account.id).or_insert(OnlineUser { account, rooms: 0 }).rooms += seen.rooms;
        }
        let mut all: Vec<OnlineUser> = all.into_values().collect();
        all.sort_by(|a, b| a.account.name.cmp(&b.account.name));
        all
    }

    /// How things stand at all servers together; the connections are this one's.
    pub(crate) fn standing_everywhere(&self, connections: usize) -> Standing {
        let mut standing = self.standing(connections);
        standing.rooms = [0; 5];
        standing.lessons = 0;
        self.for_each_room(|_, room| standing.rooms[room.stage as usize] += 1);
        self.for_each_lesson(|_| standing.lessons += 1);
        standing
    }

    fn view(&self) -> View {
        let online = self.0.lobby.online(self.0.clock.monotonic());
        let people = online.into_iter().map(|OnlineUser { account, rooms }| Seen {
            id: account.id.0,
            name: account.name,
            guest: account.guest,
            rooms,
        });
        let here = self.0.rooms.lock();
        let rooms = here.by_key.iter().map(|(key, handle)| (key.clone(), handle.summary.lock().clone()));
        let lessons = here.lessons.values().map(|handle| handle.summary.lock().clone());
        View { people: people.collect(), rooms: rooms.collect(), lessons: lessons.collect() }
    }

    /// Has an order for a room carried out where the room is.
    pub(super) async fn order<T: DeserializeOwned>(&self, key: &str, order: Order) -> Result<T, OpenError> {
        match self.locate(key).await? {
            None => serde_json::from_value(self.carry_out(order).await).map_err(|_| OpenError::Unavailable),
            Some(owner) => self.0.peers.order(&owner, &order).await.map_err(|error| {
                tracing::warn!(%error, "a room could not be told something");
                OpenError::Unavailable
            }),
        }
    }

    /// Has an order carried out by every other server.
    pub(super) async fn order_all(&self, order: &Order) -> bool {
        let others = self.0.peers.others();
        let told = join_all(others.iter().map(|other| self.0.peers.order::<bool>(other, order))).await;
        told.into_iter().fold(false, |any, told| match told {
            Ok(done) => any || done,
            Err(error) => {
                tracing::warn!(%error, "another server could not be told something");
                any
            }
        })
    }

    /// Has every other server end what an account that is gone has left there. One that does not answer is told again; the
    /// rooms of one that is over by then are looked at where they go.
    pub(super) async fn forfeit_elsewhere(&self, person: AccountId) {
        let order = Order::Forfeit { person: person.0 };
        let mut silent = self.order_each(self.0.peers.others(), &order).await;
        if silent.is_empty() {
            return;
        }
        let rooms = self.clone();
        tokio::spawn(async move {
            for _ in 0..REPORTS {
                tokio::time::sleep(REPORT_AGAIN).await;
                silent.retain(|other| rooms.0.peers.is_there(other.id));
                silent = rooms.order_each(silent, &order).await;
                if silent.is_empty() {
                    return;
                }
            }
            tracing::error!(account = person.0, "a server could not be told that an account is gone");
        });
    }

    /// Has these servers carry an order out; those that have not.
    async fn order_each(&self, others: Vec<Neighbour>, order: &Order) -> Vec<Neighbour> {
        let told = join_all(others.iter().map(|other| self.0.peers.order::<bool>(other, order))).await;
        let silent = others.into_iter().zip(told).filter_map(|(other, told)| {
            let error = told.err()?;
            tracing::warn!(%error, "another server could not be told something");
            Some(other)
        });
        silent.collect()
    }

    /// Ends a game without a result, or a lesson as its teacher would, wherever it is; false where there is no such room.
    /// By what it is called in the store: rooms of several people against one engine have one name.
    pub(crate) async fn close(&self, key: &str) -> bool {
        self.close_here(key).await || self.order_all(&Order::Close { room: key.to_owned() }).await
    }

    async fn close_here(&self, key: &str) -> bool {
        let Some(inputs) = self.inputs_of(key) else { return false };
        inputs.send(Input::Close).await.is_ok()
    }

    /// What an order wants of this server alone, done; the answer.
    pub(crate) async fn carry_out(&self, order: Order) -> Value {
        match order {
            Order::View => serde_json::to_value(self.view()).unwrap_or(Value::Null),
            Order::GiveAway { room } => {
                let Some(inputs) = self.inputs_of(&room) else { return json!(true) };
                let (given, answer) = oneshot::channel();
                let _ = inputs.send(Input::GiveAway { given }).await;
                // One that was closed meanwhile is not here any more.
                json!(answer.await.unwrap_or(true))
            }
            Order::Reserve { room, by, person, guest } => {
                let done = self.reserve_here(&room, &by.to_string(), AccountId(person), guest).await;
                serde_json::to_value(done).unwrap_or(Value::Null)
            }
            Order::Decline { room, person, name } => {
                self.hear(&room, Input::Decline { person: AccountId(person), name }).await
            }
            Order::Progress { room } => {
                let rooms = self.0.rooms.lock();
                let summary = rooms.by_key.get(&room).map(|handle| handle.summary.lock());
                json!(summary.map(|summary| (summary.stage, summary.moves)))
            }
            Order::CallOff { room } => self.hear(&room, Input::CallOff).await,
            Order::TakeAway { room } => self.hear(&room, Input::TakeAway).await,
            Order::Close { room } => json!(self.close_here(&room).await),
            Order::Forfeit { person } => {
                self.forfeit_here(AccountId(person)).await;
                json!(true)
            }
            Order::Ended(end) => {
                let leads = self.0.peers.leads();
                if leads {
                    self.0.report(end);
                }
                json!(leads)
            }
        }
    }

    /// Where a room or a lesson here hears things.
    fn inputs_of(&self, key: &str) -> Option<mpsc::Sender<Input>> {
        let rooms = self.0.rooms.lock();
        let room = rooms.by_key.get(key).map(|handle| handle.inputs.clone());
        room.or_else(|| rooms.lessons.get(key).map(|handle| handle.inputs.clone()))
    }

    async fn hear(&self, key: &str, input: Input) -> Value {
        let Some(inputs) = self.inputs_of(key) else { return json!(false) };
        json!(inputs.send(input).await.is_ok())
    }

    async fn reserve_here(&self, id: &str, by: &str, person: AccountId, guest: bool) -> Reservation {
        let (room, lesson) = {
            let rooms = self.0.rooms.lock();
            (rooms.by_key.get(id).cloned(), rooms.lessons.get(id).cloned())
        };
        if let Some(lesson) = lesson {
            return if lesson.summary.lock().is_taught_by(by) { Reservation::Lesson } else { Reservation::NotYours };
        }
        let Some(room) = room else { return Reservation::Unknown };
        let terms = {
            let summary = room.summary.lock();
            if !summary.is_played_by(by) {
                return Reservation::NotYours;
            }
            if guest && summary.terms.rated {
                return Reservation::NotRated;
            }
            summary.terms.clone()
        };
        let (reserved, answer) = oneshot::channel();
        let sent = room.inputs.send(Input::Reserve { person, reserved }).await.is_ok();
        if sent && answer.await.unwrap_or(false) { Reservation::Seat { terms } } else { Reservation::NoSeat }
    }

    /// An account is gone: its games here are lost, its seats free, its connections closed, also where it only watches.
    pub(super) async fn forfeit_here(&self, person: AccountId) {
        let entered = self.0.lobby.forget(person);
        // Nobody may look at a tournament here.
        let _ = self.0.gone.send(person);
        let id = person.to_string();
        let own: Vec<_> = {
            let rooms = self.0.rooms.lock();
            let is_in =
                |key: &String, handle: &Handle| entered.contains(key) || handle.summary.lock().is_played_by(&id);
            let played = rooms.by_key.iter().filter(|(key, handle)| is_in(key, handle));
            let joined = rooms.lessons.values().filter(|handle| handle.summary.lock().has(&id));
            let played = played.map(|(_, handle)| handle.inputs.clone());
            played.chain(joined.map(|handle| handle.inputs.clone())).collect()
        };
        for inputs in own {
            let _ = inputs.send(Input::Forfeit { person }).await; // A room that is closed needs no telling.
        }
    }
}
