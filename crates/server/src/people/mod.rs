//! A window for everybody with an account: a library, settings and open games of one's own, on the engine that all share.

mod commands;
mod folder;
mod giving;
#[cfg(test)]
mod testing;

pub(crate) use folder::Owner;

use crate::quota::Quota;
use crate::rooms::Opponents;
use crate::socket::Windows;
use crate::{Backend, EventHub, Limits, ServerHost};
use commands::OfPerson;
use folder::{remove_put_aside, settle_all_leaving, settle_leaving};
use futures_util::future::join_all;
use giving::{Ended, GIVEN_FILE, GIVEN_LESSONS_FILE, PAGE, give};
use honinbo_api::{App, EngineSource};
use honinbo_library::{Account, AccountId, ServerStore, StoreError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::task::JoinHandle;

/// Back ends of people that are in memory at a time.
const MAX_OPEN: usize = 64;
/// How long one stays after its last window.
const LINGER: Duration = Duration::from_secs(300);
/// What somebody's folder may take.
const MAX_FOLDER_BYTES: u64 = 512 << 20;
/// What the engine's findings may take of that, in MiB.
const MAX_EVALUATIONS_MIB: u32 = 64;
/// Seconds' worth of thinking that somebody may ask for at once after a rest.
const BURST_SECONDS: u32 = 60;

/// Why somebody has no window.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoWindow {
    #[error("a guest has no board of their own; register for one")]
    Guest,
    #[error("too many boards are open; try again later")]
    TooMany,
    #[error("your board cannot be opened now; try again later")]
    Failed,
}

/// One person's back end.
struct Home {
    app: Arc<App>,
    backend: Arc<dyn Backend>,
    windows: Windows,
    /// It is closed: a window that is still open on it is told so.
    closed: Arc<AtomicBool>,
    /// Ends live analysis when no window is left.
    resting: JoinHandle<()>,
    folder: PathBuf,
    /// Since when nobody has a window, as far as that was noticed.
    deserted: Mutex<Option<Instant>>,
    /// One at a time gives finished games to the library.
    giving: Arc<AsyncMutex<()>>,
}

impl Home {
    /// Since when nobody has a window; `None` while somebody has one.
    fn deserted_since(&self) -> Option<Instant> {
        let mut deserted = self.deserted.lock();
        // Every window holds the back end, beside the two here.
        let is_open = Arc::strong_count(&self.backend) > 2;
        *deserted = if is_open { None } else { deserted.or_else(|| Some(Instant::now())) };
        *deserted
    }
}

/// The place of one person's back end, locked while that is opened or closed: there is never a second one on its folder.
type Place = Arc<AsyncMutex<Option<Arc<Home>>>>;
type HeldPlace = OwnedMutexGuard<Option<Arc<Home>>>;

/// The back ends of people who have a window open, or had one a moment ago.
pub(crate) struct People {
    folder: PathBuf,
    /// Positions a second that each person may have computed; 0 does not limit.
    thinking: u32,
    opponents: Arc<dyn Opponents>,
    store: Arc<ServerStore>,
    max_open: usize,
    /// Places are cloned under this lock alone, and nothing is awaited under it.
    places: Mutex<HashMap<AccountId, Place>>,
}

impl People {
    /// For people whose folders are in this one, and who may have so many positions a second computed.
    pub(crate) fn new(folder: PathBuf, thinking: u32, opponents: Arc<dyn Opponents>, store: Arc<ServerStore>) -> Self {
        Self { folder, thinking, opponents, store, max_open: MAX_OPEN, places: Mutex::default() }
    }

    fn folder_of(&self, account: AccountId) -> PathBuf {
        self.folder.join(account.0.to_string())
    }

    /// What a window of this person needs.
    pub(crate) async fn window_of(self: &Arc<Self>, account: &Account, limits: Limits) -> Result<Windows, NoWindow> {
        if account.guest {
            return Err(NoWindow::Guest);
        }
        let (people, account) = (Arc::clone(self), account.clone());
        // It is done to its end, also where whoever asked for it has hung up.
        let opened = tokio::spawn(async move { people.open(&account, limits).await });
        opened.await.unwrap_or_else(|error| {
            tracing::error!(%error, "opening a person's window panicked");
            Err(NoWindow::Failed)
        })
    }

    async fn open(self: &Arc<Self>, account: &Account, limits: Limits) -> Result<Windows, NoWindow> {
        let mut place = self.place_of(account.id).await?.lock_owned().await;
        if let Some(home) = &*place {
            *home.deserted.lock() = None;
            return Ok(home.windows.clone());
        }
        let began = Instant::now();
        // Whoever closes the window and opens it again begins with a full share, and no more than that.
        let burst = self.thinking.saturating_mul(BURST_SECONDS);
        let engine = self.opponents.engine().rationed(self.thinking, burst, Arc::new(move || began.elapsed()));
        let (folder, store) = (self.folder_of(account.id), Arc::clone(&self.store));
        let home = match open(folder, account, store, engine, limits).await {
            Ok(home) => Arc::new(home),
            Err(error) => {
                self.leave(account.id, &place);
                return Err(error);
            }
        };
        *place = Some(Arc::clone(&home));
        // Nobody closes it from here on.
        let windows = home.windows.clone();
        drop(place);
        self.give_games(account.id, &home).await;
        Ok(windows)
    }

    /// Somebody's place, for which another one's is closed where there are too many.
    async fn place_of(self: &Arc<Self>, account: AccountId) -> Result<Place, NoWindow> {
        loop {
            let closing = {
                let mut places = self.places.lock();
                if places.len() < self.max_open || places.contains_key(&account) {
                    return Ok(Arc::clone(places.entry(account).or_default()));
                }
                let longest = deserted(&places).min_by_key(|(_, _, since)| *since);
                let (other, place, _) = longest.ok_or(NoWindow::TooMany)?;
                self.close(other, place)
            };
            let _ = closing.await; // Whether there is room now is asked again.
        }
    }

    /// Closes what is in a place and leaves it, whether or not somebody waits for that.
    fn close(self: &Arc<Self>, account: AccountId, mut place: HeldPlace) -> JoinHandle<()> {
        let people = Arc::clone(self);
        tokio::spawn(async move {
            if let Some(home) = place.take() {
                close(&home).await;
            }
            people.leave(account, &place);
        })
    }

    /// Takes an empty place out, unless somebody waits for it.
    fn leave(&self, account: AccountId, place: &HeldPlace) {
        let mut places = self.places.lock();
        // One is in the map and one is held here.
        if Arc::strong_count(OwnedMutexGuard::mutex(place)) == 2 {
            places.remove(&account);
        }
    }

    /// Somebody's place where it is there, once it is neither opened nor closed.
    async fn place_at_rest(&self, account: AccountId) -> Option<HeldPlace> {
        let place = self.places.lock().get(&account).cloned()?;
        Some(place.lock_owned().await)
    }

    /// Somebody's game or lesson has ended: their library is given it, now if it is open, and otherwise when it is opened next.
    pub(crate) async fn game_ended(&self, account: AccountId) {
        let Some(place) = self.place_at_rest(account).await else { return };
        let Some(home) = place.clone() else { return self.leave(account, &place) };
        drop(place);
        self.give_games(account, &home).await;
    }

    /// Puts finished games and lessons that are new into the library. One that is there already is recognised.
    async fn give_games(&self, account: AccountId, home: &Arc<Home>) {
        let one = Arc::clone(&home.giving).lock_owned().await;
        if home.closed.load(Ordering::Relaxed) {
            return;
        }
        let (store, giver) = (Arc::clone(&self.store), Arc::clone(home));
        let given = tokio::task::spawn_blocking(move || {
            // It goes on where whoever waits for it gives up.
            let _one = one;
            let games = |before| -> Result<Vec<Ended>, StoreError> {
                let games = store.games_of(account, before, PAGE)?;
                Ok(games.iter().map(|game| Ended { id: game.id, ended_ms: game.ended_ms }).collect())
            };
            give(&giver.app, &giver.folder.join(GIVEN_FILE), games, |id| store.record_of(account, id));
            let lessons = |before| -> Result<Vec<Ended>, StoreError> {
                let lessons = store.lessons_of(account, before, PAGE)?;
                Ok(lessons.iter().map(|lesson| Ended { id: lesson.id, ended_ms: lesson.ended_ms }).collect())
            };
            let record = |id| store.lesson_record_of(account, id);
            give(&giver.app, &giver.folder.join(GIVEN_LESSONS_FILE), lessons, record);
        });
        if let Err(error) = given.await {
            tracing::error!(%error, "giving finished games to a library panicked");
        }
    }

    /// Lets go of back ends that nobody has had a window on for a while. Does not wait until they are closed.
    pub(crate) fn tidy(self: &Arc<Self>) {
        for (account, place, since) in deserted(&self.places.lock()) {
            if since.elapsed() >= LINGER {
                self.close(account, place);
            }
        }
    }

    /// The account is gone, and everything of it with it.
    pub(crate) async fn forget(self: &Arc<Self>, owner: Owner) {
        if let Some(place) = self.place_at_rest(owner.account).await {
            let _ = self.close(owner.account, place).await; // What it says is logged there.
        }
        let folder = self.folder_of(owner.account);
        let removed = tokio::task::spawn_blocking(move || owner.remove_own(&folder)).await;
        if let Ok(Err(error)) = removed {
            tracing::error!(%error, "the folder of a deleted account could not be removed");
        }
    }

    /// Notes in its folder that an account is about to be deleted.
    pub(crate) async fn mark_leaving(&self, owner: Owner) {
        let folder = self.folder_of(owner.account);
        let marked = tokio::task::spawn_blocking(move || owner.mark_leaving(&folder)).await;
        if let Ok(Err(error)) = marked {
            tracing::warn!(%error, "it could not be noted that an account is being deleted");
        }
    }

    /// The deletion of an account has ended, well or not.
    pub(crate) async fn settle_leaving(&self, owner: Owner) {
        let (folder, store) = (self.folder_of(owner.account), Arc::clone(&self.store));
        let created = move |account| store.account_created(account);
        let settled = tokio::task::spawn_blocking(move || settle_leaving(&folder, &created)).await;
        if let Ok(Err(error)) = settled {
            tracing::error!(%error, "the folder of an account that was to be deleted could not be looked at");
        }
    }

    /// Ends every deletion of an account that was broken off.
    pub(crate) async fn settle_all_leaving(&self) {
        let (people, store) = (self.folder.clone(), Arc::clone(&self.store));
        let created = move |account| store.account_created(account);
        let settled = tokio::task::spawn_blocking(move || settle_all_leaving(&people, &created)).await;
        if let Ok(Err(error)) = settled {
            tracing::error!(%error, "the folders of accounts that were to be deleted could not be looked at");
        }
    }

    /// Ends all of them, once no window is open any more.
    pub(crate) async fn stop(self: &Arc<Self>) {
        let places = std::mem::take(&mut *self.places.lock());
        let closed = places.into_iter().map(async |(account, place)| {
            let place = place.lock_owned().await;
            self.close(account, place).await
        });
        join_all(closed).await;
    }
}

/// Places with a back end that nobody has a window on, and since when. None of them changes while it is held.
fn deserted(places: &HashMap<AccountId, Place>) -> impl Iterator<Item = (AccountId, HeldPlace, Instant)> {
    places.iter().filter_map(|(account, place)| {
        // What is opened or closed just now is not deserted.
        let place = Arc::clone(place).try_lock_owned().ok()?;
        let since = place.as_ref()?.deserted_since()?;
        Some((*account, place, since))
    })
}

async fn open(
    folder: PathBuf,
    account: &Account,
    store: Arc<ServerStore>,
    engine: EngineSource,
    limits: Limits,
) -> Result<Home, NoWindow> {
    let events = Arc::new(EventHub::new());
    let (own, hub, id, name) = (folder.clone(), Arc::clone(&events), account.id, account.name.clone());
    let quota = Arc::new(Quota::new(folder.clone(), MAX_FOLDER_BYTES));
    let (bound, full) = (Arc::clone(&quota), Arc::clone(&quota));
    let app = tokio::task::spawn_blocking(move || {
        let created_ms = store.account_created(id).map_err(|error| io::Error::other(error.to_string()))?;
        let created_ms = created_ms.ok_or_else(|| io::Error::other("the account is gone"))?;
        Owner { account: id, created_ms }.claim(&own)?;
        remove_put_aside(&own);
        let app = App::with_engine(Arc::new(ServerHost::new(own, Vec::new(), hub).within(bound)), engine);
        app.keep_open_games();
        if let Err(error) = app.limit_evaluations(MAX_EVALUATIONS_MIB) {
            tracing::warn!(%error, "what the engine's findings may take is not written down");
        }
        if !full.has_room_for(1, 0)
            && let Err(error) = app.make_room()
        {
            tracing::warn!(%error, "a full library does not give its space back");
        }
        // Games of the rooms bear the account's name.
        if let Err(error) = app.know_own_name(&name) {
            tracing::warn!(%error, "a person's own name is not written down");
        }
        Ok::<_, io::Error>(app)
    })
    .await;
    let app = match app {
        Ok(Ok(app)) => app,
        Ok(Err(error)) => {
            tracing::error!(%error, "a person's folder cannot be made");
            return Err(NoWindow::Failed);
        }
        Err(error) => {
            tracing::error!(%error, "opening a person's back end panicked");
            return Err(NoWindow::Failed);
        }
    };
    let closed = Arc::new(AtomicBool::new(false));
    let backend: Arc<dyn Backend> = Arc::new(OfPerson { app: Arc::clone(&app), quota, closed: Arc::clone(&closed) });
    let presence = crate::rest::Presence::new();
    let resting = tokio::spawn(crate::rest::rest_when_alone(
        Arc::clone(&app) as Arc<dyn Backend>,
        Arc::clone(&presence),
        limits.rest_after,
    ));
    let windows = Windows { backend: Arc::clone(&backend), events, presence, limits };
    Ok(Home { app, backend, windows, closed, resting, folder, deserted: Mutex::default(), giving: Arc::default() })
}

async fn close(home: &Arc<Home>) {
    home.closed.store(true, Ordering::Relaxed);
    home.resting.abort();
    let _given = home.giving.lock().await;
    let app = Arc::clone(&home.app);
    if let Err(error) = tokio::task::spawn_blocking(move || app.shut_down()).await {
        tracing::error!(%error, "closing a person's back end panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_api::Caller;
    use honinbo_testkit::UniformEvaluator;
    use serde_json::json;
    use std::path::Path;

    /// Boards of these people, so many of which may be open at a time.
    fn boards<const N: usize>(folder: &Path, names: [&str; N], max_open: usize) -> (Arc<People>, [Account; N]) {
        let store = Arc::new(ServerStore::open(&folder.join("rooms.db")).unwrap());
        let accounts = names.map(|name| store.add_account(name, name, Some("secret"), 0).unwrap());
        let host = ServerHost::new(folder.join("operator"), Vec::new(), Arc::new(EventHub::new()));
        let source =
            EngineSource::Given { evaluator: Arc::new(UniformEvaluator::default()), network: "uniform".into() };
        let opponents = App::with_engine(Arc::new(host), source);
        let people = People { max_open, ..People::new(folder.join("people"), 0, opponents, store) };
        (Arc::new(people), accounts)
    }

    async fn window(people: &Arc<People>, account: &Account) -> Result<Windows, NoWindow> {
        people.window_of(account, Limits::default()).await
    }

    fn answers(window: &Windows) -> bool {
        window.backend.call(&Caller::new(), "closed_games", json!({})).is_ok()
    }

    #[tokio::test]
    async fn the_board_that_was_left_first_makes_room_for_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let (people, [anna, ben, cleo, dora]) = boards(folder.path(), ["anna", "ben", "cleo", "dora"], 2);
        let annas = window(&people, &anna).await.unwrap();
        drop(window(&people, &ben).await.unwrap());
        people.tidy();
        drop(annas);
        let cleos = window(&people, &cleo).await.unwrap();
        let open = |people: &People| {
            let mut open: Vec<AccountId> = people.places.lock().keys().copied().collect();
            open.sort();
            open
        };
        assert_eq!(open(&people), [anna.id, cleo.id]);
        let doras = window(&people, &dora).await.unwrap();
        assert_eq!(open(&people), [cleo.id, dora.id]);
        assert!(matches!(window(&people, &ben).await, Err(NoWindow::TooMany)));
        assert!(answers(&cleos) && answers(&doras));
        people.stop().await;
        assert_eq!(open(&people), []);
    }

    #[tokio::test]
    async fn nobody_waits_for_a_board_of_another_and_none_is_opened_twice() {
        let folder = tempfile::tempdir().unwrap();
        let (people, [anna, ben]) = boards(folder.path(), ["anna", "ben"], 2);
        drop(window(&people, &anna).await.unwrap());
        // It is opened or closed just now.
        let held = people.place_at_rest(anna.id).await.unwrap();
        let (all, who) = (Arc::clone(&people), anna.clone());
        let opening = tokio::spawn(async move { window(&all, &who).await });
        people.tidy();
        assert!(answers(&window(&people, &ben).await.unwrap()));
        assert!(!opening.is_finished());
        // Who comes while it is closed is given the next one, once that is done.
        let first = Arc::clone(&held.as_ref().unwrap().app);
        let closing = people.close(anna.id, held);
        let again = opening.await.unwrap().unwrap();
        assert!(closing.is_finished() && answers(&again));
        let place = people.place_at_rest(anna.id).await.unwrap();
        assert!(!Arc::ptr_eq(&first, &place.as_ref().unwrap().app));
        drop(place);
        people.stop().await;
        assert!(!answers(&again));
    }
}
