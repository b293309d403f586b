//! The open games, each behind a lock of its own.
//!
//! No lock of a game is held while a disk, the library or the engine works: what is to be written is taken from the
//! game ([`Snapshot`]), written, and noted as saved by its revision, whatever was played meanwhile.
//!
//! Locks, in the order in which they are taken: the state of a game that is played, a game's turn to be saved, the
//! game, what the engine looks at. The list is locked for itself only. What windows were told of is locked before the games,
//! by a thread that holds none of these.

pub(crate) mod closed_games;
mod closing;
mod dragging;
pub(crate) mod famous;
pub(crate) mod game_file;
pub(crate) mod handlers;
pub(crate) mod keeping;
pub(crate) mod line;
mod list;
pub(crate) mod open_games;
pub(crate) mod opening;
pub(crate) mod played;
pub(crate) mod session;
mod text_readings;
pub(crate) mod types;

use crate::analysis::engine::{AnalysisFocus, AnalysisTarget, Engine, RecallWork};
use crate::library::LibraryRoom;
use crate::{ApiError, Event, FilePath, GameChanged, GameView, Host, NotKept, OpenGameId};
use closed_games::ClosedGames;
use famous::famous_game;
use open_games::OpenGamesFolder;
use parking_lot::{Mutex, MutexGuard};
use session::{Session, Snapshot};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Open games at once; opening one more is refused.
const MAX_GAMES: usize = 200;

/// The open games, and those that were closed.
pub(crate) struct GamesRoom {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) engine: Engine,
    pub(crate) library: Arc<LibraryRoom>,
    list: Mutex<List>,
    /// Where open games are kept, once [`crate::App::keep_open_games`] was called and no other program keeps its own there.
    kept: Mutex<Option<OpenGamesFolder>>,
    /// Why open games are not kept at present, as windows were told.
    not_kept: Mutex<Option<NotKept>>,
    recovered: AtomicU32,
    /// Where open games of the last run are that cannot be opened again.
    set_aside: Mutex<Vec<PathBuf>>,
    pub(crate) closed: ClosedGames,
    /// Files with several games that were given to the program before there was a window to ask in.
    given: Mutex<Vec<FilePath>>,
    /// The version of each open game that windows were told of last.
    reported: Mutex<HashMap<OpenGameId, u32>>,
}

#[derive(Default)]
struct List {
    /// The one opened last at the front.
    open: Vec<Arc<OpenGame>>,
    opened_so_far: u64,
}

/// A game that is open.
pub(crate) struct OpenGame {
    pub(crate) id: OpenGameId,
    /// `None` once it is closed.
    session: Mutex<Option<Session>>,
    /// Saves of a game take turns, so that it is known to be what was written last.
    saving: Mutex<()>,
}

impl GamesRoom {
    pub(crate) fn new(host: Arc<dyn Host>, engine: Engine, library: Arc<LibraryRoom>) -> Self {
        let closed = ClosedGames::new(&host.data_dir());
        Self {
            host,
            engine,
            library,
            list: Mutex::default(),
            kept: Mutex::default(),
            not_kept: Mutex::default(),
            recovered: AtomicU32::new(0),
            set_aside: Mutex::default(),
            closed,
            given: Mutex::default(),
            reported: Mutex::default(),
        }
    }

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
        make: impl FnOnce(OpenGameId) -> Result<Session, ApiError>,
        look: impl FnOnce(&Session) -> T,
    ) -> Result<T, ApiError> {
        let id = {
            let mut list = self.list.lock();
            if list.open.len() >= MAX_GAMES {
                return Err(ApiError::InvalidRequest {
                    message: format!("{MAX_GAMES} games are open; close one first"),
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

    /// Tells every window which games changed, were opened or were closed since they were last told.
    pub(crate) fn report_changes(&self) {
        // Held to the end, so that windows hear of versions in their order.
        let mut reported = self.reported.lock();
        let version_of = |game: &Arc<OpenGame>| game.with(|session| Ok((game.id.clone(), session.version()))).ok();
        let now: HashMap<OpenGameId, u32> = self.all().iter().filter_map(version_of).collect();
        let tell = |game_id: &OpenGameId, version| {
            self.host.emit(Event::GameChanged(GameChanged { game_id: game_id.clone(), version }));
        };
        for (id, &version) in now.iter().filter(|&(id, version)| reported.get(id) != Some(version)) {
            tell(id, Some(version));
        }
        reported.keys().filter(|&id| !now.contains_key(id)).for_each(|id| tell(id, None));
        *reported = now;
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

impl GamesRoom {
    /// Games with unsaved changes that came back after an end that was not said.
    pub(crate) fn recovered(&self) -> u32 {
        self.recovered.load(Ordering::Relaxed)
    }

    /// Where kept games are that this run could not read, open ones and closed ones.
    pub(crate) fn set_aside(&self) -> Vec<String> {
        let open = self.set_aside.lock().clone();
        open.into_iter().chain(self.closed.set_aside()).map(|path| path.display().to_string()).collect()
    }

    /// Why open games are not kept at present; `None` where they are, or nobody asked for it.
    pub(crate) fn not_kept(&self) -> Option<NotKept> {
        self.not_kept.lock().clone()
    }

    /// Tells every window whether open games are kept, if that is new.
    fn report_keeping(&self, now: Option<NotKept>) {
        let mut told = self.not_kept.lock();
        if *told != now {
            told.clone_from(&now);
            self.host.emit(Event::GamesNotKept(now));
        }
    }

    /// Opens the famous game, which nobody asked for, so that a first start has something to show.
    ///
    /// # Errors
    /// As for a file that a person opens.
    pub(crate) fn open_first_game(&self) -> Result<GameView, ApiError> {
        self.open_read(|id| {
            let mut session = famous_game(id)?;
            session.first = true;
            Ok(session)
        })
    }

    /// The game of the first start, as long as it is open and unchanged.
    pub(crate) fn first_game(&self) -> Option<OpenGameId> {
        let is_first = |session: &mut Session| Ok(session.first && !session.is_modified());
        let first = self.all().into_iter().find(|game| game.with(is_first).unwrap_or(false))?;
        Some(first.id.clone())
    }

    /// As [`GamesRoom::open_session`], for games that were played before: what is known of them is reported in the background.
    pub(crate) fn open_read(
        &self,
        make: impl FnOnce(OpenGameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        let view = self.open_session(make)?;
        self.recall(&view.game_id);
        Ok(view)
    }

    /// Emits, in the background, what is known of the positions of an open game.
    fn recall(&self, id: &str) {
        let shown = self.find(id).and_then(|game| {
            game.with(|session| {
                let (tree, current) = session.tree_and_current();
                Ok(RecallWork { game_id: id.to_owned(), begun: self.engine.era_of(id), tree: tree.clone(), current })
            })
        });
        if let Ok(work) = shown {
            self.engine.recall(work);
        }
    }

    /// As [`GamesRoom::recall`], for all open games.
    pub(crate) fn recall_open_games(&self) {
        self.all().iter().for_each(|game| self.recall(&game.id));
    }

    /// Makes a session and puts it in front.
    pub(crate) fn open_session(
        &self,
        make: impl FnOnce(OpenGameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        self.open(make, Session::view)
    }

    /// Does something with an open game. The engine is told which positions are others afterwards and, if analysis follows it,
    /// where it stands.
    pub(crate) fn with_game<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut Session) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.find(id)?.with(|session| {
            let result = act(session)?;
            let changed = session.take_changed_positions();
            self.engine.follow(id, session.current_id(), changed, |focus| target_of(session, focus));
            Ok(result)
        })
    }

    pub(crate) fn open_games(&self) -> Vec<GameView> {
        self.all().iter().filter_map(|game| game.with(|session| Ok(session.view())).ok()).collect()
    }
}

/// What the engine looks at where a game stands.
pub(crate) fn target_of(session: &Session, focus: AnalysisFocus) -> AnalysisTarget {
    AnalysisTarget {
        game_id: session.id.clone(),
        node_id: session.current_id(),
        game: session.game().clone(),
        last_move: session.last_move(),
        focus,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::answered_by;
    use crate::types::{GameRef, NewGame, PlayTurn, SaveGoban, Seats, StartPlay};
    use crate::{Caller, Finite, commands};
    use honinbo_testkit::UniformEvaluator;
    use std::sync::{Arc, mpsc};

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
        let app = answered_by(Arc::new(UniformEvaluator::default()));
        let caller = Caller::new();
        let seats = Seats { black: None, white: None };
        let start = StartPlay { game: terms(), from: None, seats, pace: None, clock: None, teaching: None };
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
                    let (app, caller) = (&app, &caller);
                    let game = SaveGoban { game_id: Some(saved.clone()), goban: None };
                    move || commands::save_goban(app, caller, game).map(drop)
                }),
            ];
            // The move is there before the library has it.
            while commands::get_play(&app, &caller, game(&played)).unwrap().generation == 0 {
                std::thread::yield_now();
            }
            for id in [&saved, &other] {
                let update = app.games.with_game(id, |session| session.play(Some(0)));
                assert_eq!(update, Ok(()));
            }
            assert_eq!(commands::get_game(&app, &caller, game(&played)).unwrap().position.move_number, 1);
            assert!(writers.iter().all(|writer| !writer.is_finished()), "the library was not held");
            release.send(()).unwrap();
            for writer in writers {
                writer.join().unwrap().unwrap();
            }
        });
        let record = app.games.with_game(&played, |session| Ok(session.record_id.clone())).unwrap();
        assert!(record.is_some(), "it was kept in the end");
    }
}
