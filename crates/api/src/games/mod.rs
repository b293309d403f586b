//! The open games, each behind a lock of its own.
//!
//! No lock of a game is held while a disk, the library or the engine works: what is to be written is taken from the
//! game ([`Snapshot`]), written, and noted as saved by its revision, whatever was played meanwhile.
//!
//! Locks, in the order in which they are taken: the state of a game that is played, a game's turn to be saved, the
//! game, what the engine looks at. The list is locked for itself only.

pub(crate) mod closed_games;
mod closing;
pub(crate) mod famous;
pub(crate) mod handlers;
pub(crate) mod open_games;
mod opening;
pub(crate) mod session;
pub(crate) mod types;

use crate::analysis::engine::RecallWork;
use crate::analysis::target_of;
use crate::{ApiError, App, GameId, GameView};
use famous::famous_game;
use open_games::OpenGamesFolder;
use parking_lot::{Mutex, MutexGuard};
use session::{Session, Snapshot};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often changed games are written to the data folder.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Open games at once; opening one more is refused.
const MOST_GAMES: usize = 200;

/// The open games.
#[derive(Default)]
pub(crate) struct Games {
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    /// The one opened last at the front.
    open: Vec<Arc<OpenGame>>,
    opened_so_far: u64,
}

/// A game that is open.
pub(crate) struct OpenGame {
    pub(crate) id: GameId,
    /// `None` once it is closed.
    session: Mutex<Option<Session>>,
    /// Saves of a game take turns, so that it is known to be what was written last.
    saving: Mutex<()>,
}

impl Games {
    /// Puts the games of an earlier run back, called `g1` and so on, the last one in front.
    pub(crate) fn restore(&self, sessions: Vec<Session>) {
        let mut list = self.list.lock();
        list.opened_so_far = sessions.len() as u64;
        for session in sessions {
            list.open.insert(0, Arc::new(OpenGame::new(session)));
        }
    }

    /// Makes a game and puts it in front; `make` may read a disk.
    pub(crate) fn open<T>(
        &self,
        make: impl FnOnce(GameId) -> Result<Session, ApiError>,
        look: impl FnOnce(&Session) -> T,
    ) -> Result<T, ApiError> {
        let id = {
            let mut list = self.list.lock();
            if list.open.len() >= MOST_GAMES {
                return Err(ApiError::InvalidRequest {
                    message: format!("{MOST_GAMES} games are open; close one first"),
                });
            }
            list.opened_so_far += 1;
            format!("g{}", list.opened_so_far)
        };
        let session = make(id)?;
        let seen = look(&session);
        self.list.lock().open.insert(0, Arc::new(OpenGame::new(session)));
        Ok(seen)
    }

    /// All of them, the one opened last in front.
    pub(crate) fn all(&self) -> Vec<Arc<OpenGame>> {
        self.list.lock().open.clone()
    }

    pub(crate) fn are_there(&self) -> bool {
        !self.list.lock().open.is_empty()
    }

    pub(crate) fn find(&self, id: &str) -> Result<Arc<OpenGame>, ApiError> {
        self.list.lock().open.iter().find(|game| game.id == id).cloned().ok_or_else(gone)
    }

    /// Takes a game that was closed from the list.
    pub(crate) fn remove(&self, id: &str) {
        self.list.lock().open.retain(|game| game.id != id);
    }
}

impl OpenGame {
    fn new(session: Session) -> Self {
        Self { id: session.id.clone(), session: Mutex::new(Some(session)), saving: Mutex::default() }
    }

    /// Does something with the game; nothing that takes long.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Session) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.session.lock().as_mut().map_or_else(|| Err(gone()), act)
    }

    /// Waits for the saves of this game that are under way. Nobody else saves it while the answer is held.
    pub(crate) fn turn_to_save(&self) -> MutexGuard<'_, ()> {
        self.saving.lock()
    }

    /// Saves the game: `write` puts what it says now where it belongs, and `note` says so in the game, which may have
    /// gone on meanwhile.
    pub(crate) fn save<W, T>(
        &self,
        write: impl FnOnce(&Snapshot) -> Result<W, ApiError>,
        note: impl FnOnce(&mut Session, &Snapshot, W) -> T,
    ) -> Result<T, ApiError> {
        let _turn = self.turn_to_save();
        let snapshot = self.with(|session| Ok(session.snapshot()))?;
        let written = write(&snapshot)?;
        self.with(|session| Ok(note(session, &snapshot, written)))
    }

    /// Closes the game if it is still as it was at `touched`.
    pub(crate) fn close_unless_touched(&self, touched: u64) -> bool {
        let mut session = self.session.lock();
        let unchanged = session.as_ref().is_none_or(|session| session.touched() == touched);
        if unchanged {
            *session = None;
        }
        unchanged
    }
}

fn gone() -> ApiError {
    ApiError::NotFound { message: "that game is not open any more".into() }
}

impl App {
    /// Opens again what was open when the program last ended, and from now on keeps the open games in the data
    /// folder, about once a second, so that neither a crash nor a power cut takes more than that.
    ///
    /// For hosts with a window; call it once, before the first game is opened. While another program keeps its games
    /// in the same folder nothing is opened and nothing is kept.
    pub fn keep_open_games(self: &Arc<Self>) {
        let Some(folder) = OpenGamesFolder::claim(&self.host.data_dir()) else { return };
        let (opened, recovered) = folder.read();
        self.recovered.store(recovered, Ordering::Relaxed);
        let mut played = Vec::new();
        let mut sessions = Vec::new();
        for (session, play) in opened {
            played.extend(play.map(|(tip, play)| (session.id.clone(), tip, play)));
            sessions.push(session);
        }
        self.games.restore(sessions);
        for (id, tip, play) in played {
            self.resume_play(&id, tip, play);
        }
        *self.kept.lock() = Some(folder);
        let app = Arc::downgrade(self);
        let _ = std::thread::Builder::new().name("keep-games".into()).spawn(move || {
            loop {
                std::thread::sleep(KEEP_EVERY);
                let Some(app) = app.upgrade() else { return };
                app.write_open_games();
            }
        });
    }

    /// Writes the open games that changed since they were last written.
    pub(crate) fn write_open_games(&self) {
        let mut kept = self.kept.lock();
        let Some(folder) = kept.as_mut() else { return };
        // Asked before the games, as locks are taken in that order: at worst a move is kept in the record that is not
        // played yet.
        let played = self.played_now();
        let open = self.games.all();
        let present: Vec<GameId> = open.iter().map(|game| game.id.clone()).collect();
        let changed = folder.changed(&open, &played);
        folder.write(&*self.host, &present, changed);
    }

    /// Games with unsaved changes that came back after an end that was not said.
    pub(crate) fn recovered(&self) -> u32 {
        self.recovered.load(Ordering::Relaxed)
    }

    /// Opens the famous game, which nobody asked for, so that a first start has something to show.
    ///
    /// # Errors
    /// As for a file that a person opens.
    pub fn open_first_game(&self) -> Result<GameView, ApiError> {
        self.open_read(|id| {
            let mut session = famous_game(id)?;
            session.first = true;
            Ok(session)
        })
    }

    /// The game of the first start, as long as it is open and unchanged.
    pub(crate) fn first_game(&self) -> Option<GameId> {
        let is_first = |session: &mut Session| Ok(session.first && !session.is_modified());
        let first = self.games.all().into_iter().find(|game| game.with(is_first).unwrap_or(false))?;
        Some(first.id.clone())
    }

    /// Whether a person is here for the first time: no window has kept anything of its own yet, and no game is open.
    pub fn is_first_start(&self) -> bool {
        self.settings.get().window.is_empty() && !self.games.are_there()
    }

    /// As [`App::open_session`], for games that were played before: what is known of them is told in the background.
    pub(crate) fn open_read(
        &self,
        make: impl FnOnce(GameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        let view = self.open_session(make)?;
        self.recall(&view.game_id);
        Ok(view)
    }

    /// Tells windows, in the background, what is known of the positions of an open game.
    fn recall(&self, id: &str) {
        let shown = self.games.find(id).and_then(|game| {
            game.with(|session| {
                let (tree, current) = session.tree_and_current();
                Ok(RecallWork { game_id: id.to_owned(), tree: tree.clone(), current })
            })
        });
        if let Ok(work) = shown {
            self.engine.recall(work);
        }
    }

    /// As [`App::recall`], for all open games.
    pub(crate) fn recall_open_games(&self) {
        self.games.all().iter().for_each(|game| self.recall(&game.id));
    }

    /// Makes a session and puts it in front.
    pub(crate) fn open_session(
        &self,
        make: impl FnOnce(GameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        self.games.open(make, Session::view)
    }

    /// Does something with an open game. If analysis follows it, the engine is told where it stands afterwards.
    pub(crate) fn with_game<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut Session) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.games.find(id)?.with(|session| {
            let result = act(session)?;
            self.engine.follow(id, session.current_id(), |focus| target_of(session, focus));
            Ok(result)
        })
    }

    /// Lets go of an open game.
    pub(crate) fn remove_game(&self, id: &str) {
        self.games.remove(id);
        self.engine.forget(id);
        self.play.close(id);
    }

    pub(crate) fn open_games(&self) -> Vec<GameView> {
        self.games.all().iter().filter_map(|game| game.with(|session| Ok(session.view())).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::types::{GameRef, NewGame, PlayTurn, StartPlay};
    use crate::{App, Caller, Capabilities, EngineSource, Event, Finite, Host, commands};
    use honinbo_testkit::UniformEvaluator;
    use std::path::PathBuf;
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    struct Folder(tempfile::TempDir);

    impl Host for Folder {
        fn data_dir(&self) -> PathBuf {
            self.0.path().to_owned()
        }

        fn resource_dirs(&self) -> Vec<PathBuf> {
            Vec::new()
        }

        fn monotonic(&self) -> Duration {
            Duration::ZERO
        }

        fn unix_seconds(&self) -> u64 {
            1_700_000_000
        }

        fn capabilities(&self) -> Capabilities {
            Capabilities { paths: true, native_dialogs: false }
        }

        fn emit(&self, _: Event) {}
    }

    fn terms() -> NewGame {
        NewGame {
            width: 9,
            height: 9,
            topology: crate::BoardTopology::Plane,
            rules: "chinese".into(),
            komi: Finite::new(7.5),
            handicap: 0,
            black: String::new(),
            white: String::new(),
            minutes_ahead: None,
        }
    }

    #[test]
    fn games_go_on_while_the_library_is_held_by_somebody_else() {
        let host = Arc::new(Folder(tempfile::tempdir().unwrap()));
        let evaluator = Arc::new(UniformEvaluator::default());
        let app = App::with_engine(host, EngineSource::Given { evaluator, network: "uniform".into() });
        let caller = Caller::new();
        let start = StartPlay { game: terms(), person: None, opponent: None, clock: None, teaching: None };
        let played = commands::start_play(&app, &caller, start).unwrap().game.game_id;
        let saved = commands::new_game(&app, &caller, terms()).unwrap().game_id;
        let other = commands::new_game(&app, &caller, terms()).unwrap().game_id;
        let game = |id: &String| GameRef { game_id: id.clone() };
        let library = app.library.shared().unwrap();
        let (held, is_held) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // Nothing is written until this answers.
                let _ = library.add_rated_game(9, |last| {
                    held.send(()).unwrap();
                    released.recv().unwrap();
                    last.cloned().unwrap_or_else(|| honinbo_library::RatedGame {
                        board: 9,
                        played: 0,
                        opponent: "rank_1d".into(),
                        opponent_rating: 0.0,
                        opponent_deviation: 1.0,
                        score: 1.0,
                        rating: 0.0,
                        deviation: 1.0,
                        volatility: 0.06,
                        record: None,
                    })
                });
            });
            is_held.recv().unwrap();
            let turn = PlayTurn { game_id: played.clone(), vertex: Some(40), insist: false };
            let writers = [
                scope.spawn({
                    let (app, caller) = (&app, &caller);
                    move || commands::play_turn(app, caller, turn).map(drop)
                }),
                scope.spawn({
                    let (app, caller, game) = (&app, &caller, game(&saved));
                    move || commands::save_game(app, caller, game).map(drop)
                }),
            ];
            // The move is there before the library has it.
            while commands::get_play(&app, &caller, game(&played)).unwrap().generation == 0 {
                std::thread::yield_now();
            }
            for id in [&saved, &other] {
                let update = app.with_game(id, |session| session.play(Some(0)));
                assert_eq!(update, Ok(true));
            }
            assert_eq!(commands::get_game(&app, &caller, game(&played)).unwrap().position.move_number, 1);
            assert!(writers.iter().all(|writer| !writer.is_finished()), "the library was not held");
            release.send(()).unwrap();
            for writer in writers {
                writer.join().unwrap().unwrap();
            }
        });
        let record = app.with_game(&played, |session| Ok(session.record_id.clone())).unwrap();
        assert!(record.is_some(), "it was kept in the end");
    }
}
