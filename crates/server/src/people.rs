//! A window for everybody with an account: a library, settings and open games of one's own, on the engine that all share.

use crate::quota::{Quota, text_bytes};
use crate::rooms::Opponents;
use crate::socket::Windows;
use crate::{Backend, EventHub, Limits, ServerHost};
use futures_util::future::join_all;
use honinbo_api::{ApiError, App, Caller, EngineSource, IMPORT_PREFIX, Permission, Settings, dispatch};
use honinbo_library::{Account, AccountId, ServerStore, StoreError};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};
use std::{fs, io};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::task::JoinHandle;

/// Back ends of people that are in memory at a time.
const MAX_OPEN: usize = 64;
/// How long one stays after its last window.
const LINGER: Duration = Duration::from_secs(300);
/// What somebody's folder may take.
const MAX_FOLDER_BYTES: u64 = 512 << 20;
/// What it may take beyond that for games that are opened from it and for words about them: whose library is full can
/// still look at it, tidy it up and close its games.
const MAX_BEYOND_BYTES: u64 = 64 << 20;
/// What the engine's findings may take of that, in MiB.
const MAX_EVALUATIONS_MIB: u32 = 64;
/// Seconds' worth of thinking that somebody may ask for at once after a rest.
const BURST_SECONDS: u32 = 60;
/// Finished games, or lessons, whose numbers are read at a time for a library.
const PAGE: u32 = 500;
/// The last finished game that somebody's library has been given.
const GIVEN_FILE: &str = "games-given";
/// The last lesson that it has been given.
const GIVEN_LESSONS_FILE: &str = "lessons-given";

/// Whose a folder is, in that folder.
const OWNER_FILE: &str = "owner";
/// Says in a folder that its account is being deleted: what is left of it when the server ends before it is removed goes
/// when it is started next. Folders of accounts that the store does not know stay without it: the store may be another one.
const LEAVING_FILE: &str = "leaving";
/// What follows the name of a folder that is being removed. The files that say whose it was may be gone before the others,
/// so the name alone says that it is nobody's.
const REMOVED_SUFFIX: &str = ".removed";
/// Folders of others that are put aside for each number.
const MAX_ASIDE: u32 = 99;
/// By how much a folder without such a file has to be older than an account to be none of its.
const OLDER_MS: i64 = 3600 * 1000;

/// Who a folder belongs to. Numbers alone do not say it: they begin again in another store, and go on from an earlier one
/// where a copy of the store was put back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) account: AccountId,
    /// When the account was made.
    pub(crate) created_ms: i64,
}

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

/// A finished game, or a lesson, in the store. Numbers alone do not name one: they go on from an earlier one where a backup
/// was put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ended {
    id: i64,
    ended_ms: i64,
}

/// The one that was given last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastGiven {
    id: i64,
    /// `None` in a note of an older version.
    ended_ms: Option<i64>,
}

impl LastGiven {
    fn read(noted: &Path) -> Option<Self> {
        let text = fs::read_to_string(noted).ok()?;
        let mut words = text.split_whitespace();
        let id: i64 = words.next()?.parse().ok()?;
        Some(Self { id, ended_ms: words.next().and_then(|word| word.parse().ok()) })
    }

    fn is(self, other: Ended) -> bool {
        self.id == other.id && self.ended_ms.is_none_or(|ended_ms| ended_ms == other.ended_ms)
    }
}

/// Puts records into a library: those after the last one that is noted in a file, the oldest first. What cannot be read or
/// put there is tried again the next time, and so is everything that is newer.
fn give(
    app: &App,
    noted: &Path,
    page_below: impl Fn(Option<i64>) -> Result<Vec<Ended>, StoreError>,
    record: impl Fn(i64) -> Result<Option<String>, StoreError>,
) {
    let new = match new_since(LastGiven::read(noted), page_below) {
        Ok(new) => new,
        Err(error) => return tracing::error!(%error, "what a library is to be given could not be read"),
    };
    for Ended { id, ended_ms } in new.into_iter().rev() {
        let sgf = match record(id) {
            Ok(Some(sgf)) => sgf,
            // It is this person's no more.
            Ok(None) => continue,
            Err(error) => return tracing::error!(%error, "the record of a finished game could not be read"),
        };
        if let Err(error) = dispatch(app, &Caller::new(), "save_goban", json!({ "goban": sgf })) {
            return tracing::error!(%error, "a finished game could not be put into a library");
        }
        if let Err(error) = fs::write(noted, format!("{id} {ended_ms}")) {
            return tracing::error!(%error, "what a library was given could not be noted");
        }
    }
}

/// All that came after the last one, the newest first, of which pages below a number are read; all there are where the store
/// does not have the last one.
fn new_since(
    last: Option<LastGiven>,
    page_below: impl Fn(Option<i64>) -> Result<Vec<Ended>, StoreError>,
) -> Result<Vec<Ended>, StoreError> {
    let mut new: Vec<Ended> = Vec::new();
    loop {
        let page = page_below(new.last().map(|ended| ended.id))?;
        if page.is_empty() {
            return Ok(new);
        }
        for ended in page {
            if last.is_some_and(|last| last.is(ended)) {
                return Ok(new);
            }
            new.push(ended);
        }
    }
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

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.account, self.created_ms)
    }
}

impl Owner {
    /// Makes the folder this account's: what is another's there is put aside, and what is its own and was put aside comes
    /// back. Nothing is lost.
    fn claim(self, folder: &Path) -> io::Result<()> {
        if folder.exists() && !self.owns(folder)? {
            let aside = aside_of(folder).find(|aside| !aside.exists());
            let aside = aside.ok_or_else(|| io::Error::other("too many folders of others are put aside"))?;
            fs::rename(folder, &aside)?;
            tracing::warn!(
                account = self.account.0,
                aside = %aside.display(),
                "the folder of this account's number is another account's, of another store or of before a copy was put \
                 back; it is put aside"
            );
        }
        if !folder.exists() {
            for aside in aside_of(folder).filter(|aside| aside.exists()) {
                if self.owns(&aside)? {
                    fs::rename(aside, folder)?;
                    break;
                }
            }
        }
        private_folder(folder)?;
        let noted = folder.join(OWNER_FILE);
        if noted_owner(&noted)?.is_some() { Ok(()) } else { fs::write(noted, self.to_string()) }
    }

    /// What [`Owner`]'s `Display` has written.
    fn parse(text: &[u8]) -> Option<Self> {
        let (account, created_ms) = std::str::from_utf8(text).ok()?.split_once(' ')?;
        Some(Self { account: AccountId(account.parse().ok()?), created_ms: created_ms.parse().ok()? })
    }

    fn mark_leaving(self, folder: &Path) -> io::Result<()> {
        let is_own = noted_owner(&folder.join(OWNER_FILE))?.is_some_and(|noted| noted == self.to_string().as_bytes());
        if is_own { fs::write(folder.join(LEAVING_FILE), "") } else { Ok(()) }
    }

    /// Removes what is this account's, also where it was put aside, and nothing of another's.
    fn remove_own(self, folder: &Path) -> io::Result<()> {
        let mut removed = Ok(());
        for place in std::iter::once(folder.to_owned()).chain(aside_of(folder)).filter(|place| place.exists()) {
            let gone = self.owns(&place).and_then(|own| if own { remove_folder(&place) } else { Ok(()) });
            // One that stays keeps none of the others.
            removed = removed.and(gone);
        }
        removed
    }

    /// Whether a folder is this account's. One that does not say is of an older version: it is, unless it was there long
    /// before the account.
    fn owns(self, folder: &Path) -> io::Result<bool> {
        if let Some(noted) = noted_owner(&folder.join(OWNER_FILE))? {
            return Ok(noted == self.to_string().as_bytes());
        }
        // Not every file system knows when a folder was made.
        let made = fs::metadata(folder)?.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        let made_ms = made.and_then(|made| i64::try_from(made.as_millis()).ok());
        Ok(made_ms.is_none_or(|made_ms| made_ms.saturating_add(OLDER_MS) >= self.created_ms))
    }
}

/// When an account was made, as the store has it.
type Created = dyn Fn(AccountId) -> Result<Option<i64>, StoreError>;

fn settle_all_leaving(people: &Path, created: &Created) -> io::Result<()> {
    let entries = match fs::read_dir(people) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut settled = Ok(());
    for entry in entries {
        let folder = entry?.path();
        // One that stays as it is keeps none of the others.
        settled = settled.and(if was_removed(&folder) {
            fs::remove_dir_all(&folder)
        } else {
            settle_leaving(&folder, created)
        });
    }
    settled
}

/// Removes a folder under another name, by which [`settle_all_leaving`] knows what is left of it when the server ends
/// meanwhile.
fn remove_folder(folder: &Path) -> io::Result<()> {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(REMOVED_SUFFIX);
    let removed = folder.with_file_name(name);
    if removed.exists() {
        fs::remove_dir_all(&removed)?;
    }
    fs::rename(folder, &removed)?;
    fs::remove_dir_all(&removed)
}

/// Whether a folder was an account's and [`remove_folder`] has not come to its end.
fn was_removed(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_suffix(REMOVED_SUFFIX).and_then(|of| of.split('.').next());
    number.is_some_and(|number| number.parse::<i64>().is_ok())
}

/// Removes a folder whose account is being deleted, where it is gone, and takes the mark away where it is still there. Without
/// an answer of the store everything stays as it is.
fn settle_leaving(folder: &Path, created: &Created) -> io::Result<()> {
    let mark = folder.join(LEAVING_FILE);
    if !mark.exists() {
        return Ok(());
    }
    let noted = noted_owner(&folder.join(OWNER_FILE))?;
    let Some(owner) = noted.and_then(|noted| Owner::parse(&noted)) else { return Ok(()) };
    match created(owner.account).map_err(|error| io::Error::other(error.to_string()))? {
        Some(created_ms) if created_ms == owner.created_ms => fs::remove_file(mark),
        _ => owner.remove_own(folder),
    }
}

/// Whom a folder's file names; `None` where it is missing, or empty as after a loss of power.
fn noted_owner(noted: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(noted) {
        Ok(text) => Ok(Some(text.trim_ascii().to_vec()).filter(|text| !text.is_empty())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where what is another account's is put aside.
fn aside_of(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let number = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder.to_owned();
    (1..=MAX_ASIDE).map(move |nth| folder.with_file_name(format!("{number}.of-another-{nth}")))
}

/// A folder that its owner alone may read, as what is in it is somebody's own.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Removes files that were put aside for an import when the server ended: nobody would, and they count.
fn remove_put_aside(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder.join("cache")) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(IMPORT_PREFIX)) {
        if let Err(error) = fs::remove_dir_all(entry.path()) {
            tracing::warn!(%error, "files of an import that was broken off are not removed");
        }
    }
}

/// The commands as a person gives them who does not own the machine.
struct OfPerson {
    app: Arc<App>,
    quota: Arc<Quota>,
    closed: Arc<AtomicBool>,
}

impl OfPerson {
    /// Gives a command for which there has to be room, so far beyond the limit.
    fn call_within(&self, beyond: u64, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        if !self.quota.has_room_for(text_bytes(&args), beyond) {
            let most = self.quota.max_mib();
            let message = format!("your library has no more room for this: {most} MiB is the most on this server");
            return Err(ApiError::NotPossibleHere { message });
        }
        dispatch(&self.app, caller, name, args)
    }
}

impl Backend for OfPerson {
    fn call(&self, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(ApiError::NotPossibleHere { message: "this board is closed; log in again".into() });
        }
        match Permission::of(name) {
            Permission::Free => dispatch(&self.app, caller, name, args),
            Permission::Stores => self.call_within(0, caller, name, args),
            Permission::Opens => self.call_within(MAX_BEYOND_BYTES, caller, name, args),
            Permission::Settings => dispatch(&self.app, caller, name, own_settings(&self.app.settings(), args)),
            Permission::Nothing => Ok(json!([])),
            Permission::Refused => {
                Err(ApiError::NotPossibleHere { message: "on this server that is up to whoever runs it".into() })
            }
        }
    }
}

/// Settings as a person may have them: how things look, and nothing about the machine.
fn own_settings(kept: &Settings, mut args: Value) -> Value {
    let machine = ["network", "networkFolder", "analysisEngine", "device", "threads", "memoryMib", "precision"];
    if let Value::Object(fields) = &mut args {
        for name in machine {
            fields.remove(name);
        }
        let wanted = fields.get("evaluationsMib").and_then(Value::as_u64);
        let wanted = wanted.unwrap_or(kept.evaluations_mib.into());
        fields.insert("evaluationsMib".to_owned(), wanted.min(MAX_EVALUATIONS_MIB.into()).into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_api::COMMANDS;
    use honinbo_testkit::UniformEvaluator;

    /// The window of somebody whose folder may take so much.
    fn person(folder: &Path, max_bytes: u64) -> OfPerson {
        let quota = Arc::new(Quota::new(folder.to_owned(), max_bytes));
        let host = ServerHost::new(folder.to_owned(), Vec::new(), Arc::new(EventHub::new())).within(Arc::clone(&quota));
        let source =
            EngineSource::Given { evaluator: Arc::new(UniformEvaluator::default()), network: "uniform".into() };
        OfPerson { app: App::with_engine(Arc::new(host), source), quota, closed: Arc::default() }
    }

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

    #[test]
    fn neither_files_of_an_import_that_never_ends_nor_games_that_are_open_go_beyond_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        // An empty library takes some of it.
        let person = person(folder.path(), 4 << 20);
        let give = |name: &str, args: Value| person.call(&Caller::new(), name, args);
        // A game with a long comment.
        let base64 = format!("KDtTWls5XUNb{}XSk=", "eHh4".repeat(60_000));
        let refused = |name: &str, args: &dyn Fn() -> Value| {
            let refused = (0..100).find_map(|_| give(name, args()).err());
            assert!(matches!(refused, Some(ApiError::NotPossibleHere { .. })), "{name}: {refused:?}");
        };
        refused("import_content", &|| json!({ "batch": 1, "name": "a.sgf", "base64": base64, "remaining": 1 }));
        refused("open_content", &|| json!({ "name": "a.sgf", "base64": base64 }));
        for name in ["open_games", "paste_variation"] {
            assert_eq!(Permission::of(name), Permission::Stores, "{name}");
        }
        // What is there can still be looked at.
        let game = give(
            "new_game",
            json!({
                "width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
            }),
        );
        let game = game.unwrap()["gameId"].clone();
        give("set_comment", json!({ "gameId": game, "nodeId": 0, "text": "x".repeat(300_000) })).unwrap();
    }

    #[test]
    fn what_is_in_the_folder_of_an_account_is_given_to_no_other_of_the_same_number() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        let first = Owner { account: AccountId(5), created_ms: 1_000 };
        let second = Owner { created_ms: 2_000, ..first };
        first.claim(&folder).unwrap();
        fs::write(folder.join("library"), "the first one's").unwrap();
        second.claim(&folder).unwrap();
        assert!(!folder.join("library").exists());
        // It comes back with its account, and goes with no other.
        first.claim(&folder).unwrap();
        assert_eq!(fs::read_to_string(folder.join("library")).unwrap(), "the first one's");
        second.remove_own(&folder).unwrap();
        assert!(folder.join("library").exists());
        first.remove_own(&folder).unwrap();
        assert_eq!(fs::read_dir(people.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_deletion_that_was_broken_off_is_ended_when_the_server_is_started_next() {
        let people = tempfile::tempdir().unwrap();
        let owner = |account: i64| Owner { account: AccountId(account), created_ms: 1_000 };
        let folder = |account: i64| people.path().join(account.to_string());
        // Of these 7 has asked for nothing.
        for account in [5, 6, 7] {
            owner(account).claim(&folder(account)).unwrap();
        }
        for account in [5, 6, 8] {
            owner(account).mark_leaving(&folder(account)).unwrap();
        }
        settle_all_leaving(people.path(), &|_| Err(StoreError::InUse)).unwrap_err();
        assert!([5, 6, 7].into_iter().all(|account| folder(account).exists()), "the store did not answer");
        // 6 was refused in the end; the number 5 has been given to another account, as in another store.
        let created = |account: AccountId| Ok(if account.0 == 6 { Some(1_000) } else { Some(9_000) });
        settle_all_leaving(people.path(), &created).unwrap();
        let left = [5, 6, 7, 8].map(|account| folder(account).exists());
        assert_eq!((left, folder(6).join(LEAVING_FILE).exists()), ([false, true, true, false], false));
        settle_all_leaving(&people.path().join("none"), &created).unwrap();
    }

    #[test]
    fn what_is_left_of_a_folder_that_was_being_removed_goes_whatever_else_cannot_be_looked_at() {
        let people = tempfile::tempdir().unwrap();
        let put = |folder: &str| {
            fs::create_dir(people.path().join(folder)).unwrap();
            fs::write(people.path().join(folder).join("library"), "").unwrap();
        };
        for folder in ["5", "6", "7.removed", "8.of-another-1.removed", "copies.removed"] {
            put(folder);
        }
        // Nobody can read whose the first one is.
        fs::create_dir(people.path().join("5").join(OWNER_FILE)).unwrap();
        fs::write(people.path().join("5").join(LEAVING_FILE), "").unwrap();
        settle_all_leaving(people.path(), &|_| Ok(None)).unwrap_err();
        let mut left: Vec<_> = fs::read_dir(people.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["5", "6", "copies.removed"]);
        // Nor does what was left keep the next one of that number.
        put("6.removed");
        let owner = Owner { account: AccountId(6), created_ms: 1_000 };
        owner.claim(&people.path().join("6")).unwrap();
        owner.remove_own(&people.path().join("6")).unwrap();
        assert_eq!(fs::read_dir(people.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_removed_keeps_no_other_of_the_account() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        let owner = Owner { account: AccountId(5), created_ms: 1_000 };
        // Nobody can read whose the first one is.
        fs::create_dir_all(folder.join(OWNER_FILE)).unwrap();
        let aside = aside_of(&folder).nth(1).unwrap();
        fs::create_dir(&aside).unwrap();
        fs::write(aside.join(OWNER_FILE), owner.to_string()).unwrap();
        owner.remove_own(&folder).unwrap_err();
        assert_eq!((folder.exists(), aside.exists()), (true, false));
    }

    #[test]
    fn a_folder_of_an_older_version_is_the_accounts_unless_it_was_there_long_before() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("library"), "").unwrap();
        if fs::metadata(&folder).unwrap().created().is_ok() {
            let later = Owner { account: AccountId(5), created_ms: i64::MAX };
            later.claim(&folder).unwrap();
            assert!(!folder.join("library").exists());
        }
        let owner = Owner { account: AccountId(5), created_ms: 1_000 };
        owner.claim(&folder).unwrap();
        assert!(folder.join("library").exists());
        assert_eq!(fs::read_to_string(folder.join(OWNER_FILE)).unwrap(), "5 1000");
    }

    #[test]
    fn a_library_is_given_every_game_and_what_cannot_be_read_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let person = person(folder.path(), MAX_FOLDER_BYTES);
        let noted = folder.path().join(GIVEN_FILE);
        // Pages of two.
        let games = |newest: i64, began_ms: i64| {
            move |before: Option<i64>| -> Result<Vec<Ended>, StoreError> {
                let ids = (1..before.unwrap_or(newest + 1)).rev().take(2);
                Ok(ids.map(|id| Ended { id, ended_ms: began_ms + id }).collect())
            }
        };
        let last_given = || LastGiven::read(&noted).map(|last| last.id);
        let sgf = |id: i64| format!("(;GM[1]FF[4]SZ[9]KM[7]PB[Anna]PW[Ben{id}];B[cc];W[gg])");
        let given = || {
            let query = json!({ "text": "", "sort": "date", "descending": false, "offset": 0, "limit": 100 });
            let page = person.call(&Caller::new(), "search_records", query).unwrap();
            page["records"].as_array().unwrap().len()
        };
        give(&person.app, &noted, |_| Err(StoreError::InUse), |id| Ok(Some(sgf(id))));
        assert_eq!((given(), last_given()), (0, None));
        give(&person.app, &noted, games(7, 0), |id| if id == 4 { Err(StoreError::InUse) } else { Ok(Some(sgf(id))) });
        assert_eq!((given(), last_given()), (3, Some(3)), "the oldest come first, up to the one that cannot be read");
        give(&person.app, &noted, games(7, 0), |id| Ok((id != 6).then(|| sgf(id))));
        assert_eq!((given(), last_given()), (6, Some(7)), "one that is nobody's any more is passed over");
        give(&person.app, &noted, games(7, 0), |_| panic!("all of them were given"));
        // A backup is put back: the numbers go on from an earlier one, and are those of other games.
        give(&person.app, &noted, games(5, 0), |id| Ok(Some(sgf(if id < 5 { id } else { 105 }))));
        assert_eq!((given(), last_given()), (7, Some(5)));
        give(&person.app, &noted, games(5, 1_000), |id| Ok(Some(sgf(if id < 5 { id } else { 205 }))));
        assert_eq!((given(), last_given()), (8, Some(5)), "the same number, and another time");
        // A note of an older version has the number alone.
        fs::write(&noted, "5").unwrap();
        give(&person.app, &noted, games(6, 1_000), |id| Ok(Some(sgf(if id == 6 { 206 } else { 305 }))));
        assert_eq!((given(), last_given()), (9, Some(6)));
    }

    #[test]
    fn files_that_were_put_aside_for_an_import_go_when_the_folder_is_opened_next() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        fs::create_dir_all(cache.join(format!("{IMPORT_PREFIX}1")).join("0")).unwrap();
        fs::write(cache.join("speeds.json"), "{}").unwrap();
        remove_put_aside(folder.path());
        let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["speeds.json"]);
    }

    #[test]
    fn what_is_about_the_machine_is_refused_and_so_is_what_nobody_has_allowed() {
        let is_command = |name: &str| COMMANDS.iter().any(|command| command.name == name);
        for name in [
            "measure_devices",
            "fetch_network",
            "pause_network",
            "remove_network",
            "renew_shelf",
            "list_runtimes",
            "fetch_runtime",
            "pause_runtime",
            "add_runtime",
            "remove_runtime",
            "open_file",
            "save_file",
            "save_content",
            "drag_file",
            "compare_networks",
            "test_engine",
            "add_engine",
            "change_engine",
            "remove_engine",
            "import_paths",
            "backup_library",
            "list_backups",
            "look_at_backup",
            "restore_library",
            "rescue_library",
            "add_source",
            "remove_source",
            "sync_sources",
            "training_status",
            "training_policy",
            "training_game",
            "open_training_game",
        ] {
            assert!(is_command(name), "{name}");
            assert_eq!(Permission::of(name), Permission::Refused, "{name}");
        }
        assert_eq!(Permission::of("a_command_of_tomorrow"), Permission::Refused);
    }

    #[test]
    fn what_a_person_may_do_is_this() {
        let mut table: Vec<String> =
            COMMANDS.iter().map(|command| format!("{:?} {}", command.people, command.name)).collect();
        table.sort();
        insta::assert_snapshot!(table.join("\n"), @r"
        Free add_line
        Free answer_card
        Free answer_exercise
        Free cancel
        Free cancel_import
        Free cancel_pattern
        Free cancel_trial
        Free card_facts
        Free card_solution
        Free check_library
        Free clear_evaluations
        Free clear_review_queue
        Free closed_games
        Free continue_game
        Free continue_play
        Free copy_variation
        Free delete_records
        Free delete_variation
        Free drill_state
        Free empty_bin
        Free end_comparison
        Free end_problem_set
        Free end_training
        Free engine_status
        Free exercise_figures
        Free explore_position
        Free export_anki_deck
        Free export_deck
        Free export_evaluated
        Free export_records
        Free export_sgf
        Free frame_position
        Free get_game
        Free get_play
        Free get_records
        Free go_to
        Free judge_problem
        Free known_analysis
        Free library_history
        Free library_report
        Free library_stats
        Free list_devices
        Free list_folders
        Free list_games
        Free list_opponents
        Free list_players
        Free list_searches
        Free list_shelf
        Free list_sources
        Free list_tags
        Free make_booklet
        Free move_variation
        Free navigate
        Free new_game
        Free next_drill
        Free next_exercise
        Free next_in_set
        Free next_problem
        Free offer_game
        Free open_famous
        Free part_player
        Free pause_play
        Free play
        Free play_out
        Free play_turn
        Free player_page
        Free position_at
        Free prepare_card
        Free prepare_exercise
        Free preview_record
        Free problem_solution
        Free problem_state
        Free promote_variation
        Free queue_reviews
        Free rank_review
        Free rated_progress
        Free record_details
        Free redo_edit
        Free redo_library
        Free remove_card
        Free remove_folder
        Free remove_problems
        Free remove_search
        Free repertoire
        Free resign_play
        Free restore_records
        Free review_by_itself
        Free review_line
        Free review_player
        Free review_queue
        Free run
        Free score
        Free search_pattern
        Free search_records
        Free set_analysis
        Free set_annotations
        Free set_marks
        Free set_stones
        Free set_to_move
        Free settle_play
        Free start_problem_set
        Free startup
        Free step_play
        Free stop_engine
        Free stop_measuring
        Free stop_play
        Free stop_sweep
        Free stop_sync
        Free sweep_game
        Free take_back
        Free take_review_offer
        Free take_seat
        Free text_readings
        Free try_problem
        Free turning_points
        Free undo_edit
        Free undo_library
        Free weak_positions
        Free weaknesses
        Nothing find_engines
        Opens close_game
        Opens edit_records
        Opens join_players
        Opens make_folder
        Opens name_person
        Opens open_record
        Opens rename_folder
        Opens rename_record
        Opens rename_search
        Opens reopen_game
        Opens save_search
        Opens set_comment
        Opens set_game_info
        Opens set_node_name
        Refused add_engine
        Refused add_runtime
        Refused add_source
        Refused backup_library
        Refused change_engine
        Refused compare_networks
        Refused drag_file
        Refused fetch_network
        Refused fetch_runtime
        Refused fetch_update
        Refused import_paths
        Refused install_update
        Refused list_backups
        Refused list_runtimes
        Refused look_at_backup
        Refused look_for_update
        Refused measure_devices
        Refused open_file
        Refused open_training_game
        Refused pause_network
        Refused pause_runtime
        Refused pause_update
        Refused remove_engine
        Refused remove_network
        Refused remove_runtime
        Refused remove_source
        Refused renew_shelf
        Refused rescue_library
        Refused restore_library
        Refused save_content
        Refused save_file
        Refused sync_sources
        Refused test_engine
        Refused training_game
        Refused training_policy
        Refused training_status
        Refused update_state
        Settings set_settings
        Stores import_content
        Stores import_deck
        Stores keep_card
        Stores keep_position
        Stores open_content
        Stores open_games
        Stores open_problems
        Stores open_shipped_problems
        Stores part_version
        Stores paste_variation
        Stores practise_opening
        Stores practise_weakness
        Stores read_texts
        Stores rematch
        Stores save_goban
        Stores start_play
        ");
    }

    #[test]
    fn settings_of_the_machine_stay_as_they_are() {
        let kept = Settings::default();
        let machine = json!({
            "network": "evil.bin.gz",
            "networkFolder": "/etc",
            "analysisEngine": "evil",
            "device": "evil",
            "threads": 99,
            "memoryMib": 99_999,
            "precision": "exact",
        });
        let usual = serde_json::to_value(&kept).unwrap();
        for (name, value) in machine.as_object().unwrap() {
            assert!(usual.get(name).is_some_and(|usual| usual != value), "{name}");
        }
        let mut wanted = machine.clone();
        wanted["theme"] = "dark".into();
        wanted["evaluationsMib"] = 1_000_000.into();
        let own = own_settings(&kept, wanted.clone());
        assert_eq!(own["theme"], "dark");
        for name in machine.as_object().unwrap().keys() {
            assert_eq!(own.get(name), None, "{name}");
        }
        assert_eq!(own["evaluationsMib"], MAX_EVALUATIONS_MIB);
        // What the new file of a person says is more than a server gives.
        assert_eq!(own_settings(&kept, json!({}))["evaluationsMib"], MAX_EVALUATIONS_MIB);

        let folder = tempfile::tempdir().unwrap();
        let person = person(folder.path(), MAX_FOLDER_BYTES);
        let settings = || serde_json::to_value(person.app.settings()).unwrap();
        let before = settings();
        person.call(&Caller::new(), "set_settings", wanted).unwrap();
        let after = settings();
        assert_eq!((&after["theme"], &after["evaluationsMib"]), (&json!("dark"), &json!(MAX_EVALUATIONS_MIB)));
        for name in machine.as_object().unwrap().keys() {
            assert_eq!(after[name], before[name], "{name}");
        }
    }
}
