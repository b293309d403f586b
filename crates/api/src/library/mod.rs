//! The library as the commands use it: opened once, asked by everybody, one import at a time.

use crate::changes::Changes;
use crate::quick::waits_for_disk;
use crate::{
    ApiError, Event, Finite, Host, LibraryRescue, LibraryStats, RecordFilter, RecordPage, RecordQuery, RecordSort,
    RecordSummary, RestoredLibrary, SavedGoban,
};
use honinbo_library::{FreedSpace, GameFilter, GameId, GameQuery, GameSummary, Library, LibraryError, SortBy};
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) mod backups;
mod cards;
mod exercises;
pub(crate) mod handlers;
pub(crate) mod import;
mod judged;
mod keep;
mod list;
mod people;
mod problems;
mod reviews;
mod search;
pub(crate) mod types;

pub(crate) use keep::rules_to_write;

/// The library, or why there is none.
pub(crate) struct LibraryRoom {
    host: Arc<dyn Host>,
    library: Result<Arc<Library>, ApiError>,
    /// The backup that took its place at this start.
    pub(crate) restored: Option<RestoredLibrary>,
    /// What became of a rescue at this start, before that.
    pub(crate) rescued: Option<LibraryRescue>,
    importing: Arc<import::Importing>,
    changes: Arc<Changes>,
    /// A thread makes lists ready, or did.
    preparing: std::sync::atomic::AtomicBool,
}

/// What became of the text of a game that was saved where the library had the same game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptAs {
    /// The record says what the game says, and nothing else.
    Record,
    /// The record says that and more, or a copy beside it does.
    Copy,
    /// Neither does.
    Nothing,
}

/// How the library gives a record another text.
type WriteText = fn(&Library, &GameId, &honinbo_record::GameTree, i64) -> Result<(), LibraryError>;

/// How the library takes in a text that has no record yet.
type SaveText = fn(&Library, &str, i64) -> Result<honinbo_library::Saved, LibraryError>;

/// Games from which what lists are filtered by is read ahead: with fewer nobody notices when it is read.
const MANY_GAMES: u32 = 100_000;

impl LibraryRoom {
    /// Opens the library of the host's data folder, rescued or restored first where somebody asked for that and hears of
    /// it in a window. One that cannot be opened is left untouched and gives a sentence; every command that needs it says
    /// the same.
    pub(crate) fn open(host: Arc<dyn Host>) -> (Self, Vec<String>) {
        let path = library_file(&*host);
        let rescued = if host.has_windows() { keep::rescue_if_wanted(&*host, &path) } else { None };
        let restored = if host.has_windows() { backups::restore_if_ready(&*host, &path) } else { Ok(None) };
        let mut notices: Vec<String> = restored.as_ref().err().cloned().into_iter().collect();
        let library = Library::open(path).map(Arc::new).map_err(|error| ApiError::from_library(&error));
        let refused = match &library {
            Ok(library) if library.is_read_only() => Some(ApiError::from_library(&LibraryError::ReadOnly)),
            Ok(_) => None,
            Err(error) => Some(error.clone()),
        };
        notices.extend(refused.map(|error| match error {
            ApiError::Library { message, hint } | ApiError::DamagedLibrary { message, hint } => {
                format!("{message}: {hint}")
            }
            other => other.to_string(),
        }));
        let preparing = std::sync::atomic::AtomicBool::new(false);
        let restored = restored.unwrap_or_default();
        (
            Self { host, library, restored, rescued, importing: Arc::default(), changes: Arc::default(), preparing },
            notices,
        )
    }

    /// The library, for who writes into it in the background.
    pub(crate) fn shared(&self) -> Option<Arc<Library>> {
        self.library.as_ref().ok().cloned()
    }

    pub(crate) fn library(&self) -> Result<&Arc<Library>, ApiError> {
        waits_for_disk();
        self.library.as_ref().map_err(Clone::clone)
    }

    /// Changes the library; windows are to hear of it.
    fn change<T>(&self, make: impl FnOnce(&Library) -> Result<T, LibraryError>) -> Result<T, ApiError> {
        let made = make(self.library()?).map_err(failed)?;
        self.changes.note();
        Ok(made)
    }

    /// Emits that the library changed, if it did since the last time.
    pub(crate) fn report_changes(&self) {
        if self.changes.take() {
            self.host.emit(Event::LibraryChanged);
        }
    }

    /// Emits that the library changed where another program changed its games: a command of the terminal, say.
    pub(crate) fn look_elsewhere(&self) {
        let Ok(library) = &self.library else { return };
        match library.changed_elsewhere() {
            Ok(true) => {
                self.changes.note();
                self.report_changes();
            }
            Ok(false) => {}
            Err(error) => tracing::debug!(%error, "the library was not looked at"),
        }
    }

    /// The record as SGF.
    pub(crate) fn sgf_of(&self, id: &str) -> Result<String, ApiError> {
        Ok(self.library()?.game(&GameId::new(id)).map_err(failed)?.sgf)
    }

    /// Keeps a record: with a new text where it has one of its own, otherwise as a new one. The one way by which games
    /// get here, whether a window or a socket brings them.
    pub(crate) fn keep_record(&self, own: Option<&str>, sgf: &str) -> Result<SavedGoban, ApiError> {
        match own {
            Some(id) => self.update(id, sgf, Library::update_record, Library::save_record),
            None => self.save(sgf, Library::save_record),
        }
    }

    /// As [`LibraryRoom::keep_record`], for a game that is being played: what the undo of the library takes back is never
    /// its moves, and it never takes the place of another game that began alike.
    pub(crate) fn keep_played(&self, own: Option<&str>, sgf: &str) -> Result<SavedGoban, ApiError> {
        match own {
            Some(id) => self.update(id, sgf, Library::continue_record, Library::save_played),
            None => self.save(sgf, Library::save_played),
        }
    }

    /// What a text was kept as that turned out to be a version of this record.
    pub(crate) fn kept_as(&self, id: &str, sgf: &str) -> Result<KeptAs, ApiError> {
        let tree_of = |sgf: &str| honinbo_record::read_sgf_text(sgf).games.into_iter().next().map(|game| game.tree);
        let (Some(wanted), Some(record)) = (tree_of(sgf), tree_of(&self.sgf_of(id)?)) else {
            return Ok(KeptAs::Nothing);
        };
        if record.content_hash() == wanted.content_hash() {
            return Ok(KeptAs::Record);
        }
        let copies = self.library()?.copies(&GameId::new(id)).map_err(failed)?;
        let mut kept = std::iter::once(record).chain(copies.iter().filter_map(|copy| tree_of(copy)));
        Ok(if kept.any(|kept| kept.contains(&wanted)) { KeptAs::Copy } else { KeptAs::Nothing })
    }

    /// Keeps a new record.
    fn save(&self, sgf: &str, save: SaveText) -> Result<SavedGoban, ApiError> {
        let saved = self.change(|library| save(library, sgf, self.host.unix_ms()))?;
        Ok(SavedGoban { id: saved.id.to_string(), duplicate_of: saved.duplicate_of.map(|id| id.to_string()) })
    }

    /// Gives a record another text. If it has been deleted meanwhile, the text is kept as a new record.
    fn update(&self, id: &str, sgf: &str, write: WriteText, save: SaveText) -> Result<SavedGoban, ApiError> {
        let tree = honinbo_record::read_sgf_text(sgf).games.into_iter().next().map(|game| game.tree);
        let Some(tree) = tree else {
            return Err(ApiError::InvalidRequest { message: "there is no game to save".into() });
        };
        match write(self.library()?, &GameId::new(id), &tree, self.host.unix_ms()) {
            Ok(()) => {
                self.changes.note();
                Ok(SavedGoban { id: id.to_owned(), duplicate_of: None })
            }
            Err(LibraryError::UnknownGame { .. }) => self.save(sgf, save),
            Err(error) => Err(failed(error)),
        }
    }

    /// A page of the list.
    pub(crate) fn search(&self, query: &RecordQuery) -> Result<RecordPage, ApiError> {
        let page = self
            .library()?
            .list(&GameQuery {
                filter: {
                    let mut filter = filter_of(&query.filter);
                    filter.text = format!("{} {}", query.text, filter.text);
                    filter
                },
                sort: sort_of(query.sort),
                descending: query.descending,
                offset: query.offset,
                limit: query.limit.clamp(1, 1000),
            })
            .map_err(failed)?;
        self.prepare(page.total);
        let records = page.games.into_iter().map(summary_view).collect();
        Ok(RecordPage { total: page.total, records })
    }

    /// Who sees the list of a large library may soon type a word: what that needs is read meanwhile, once.
    fn prepare(&self, games: u32) {
        use std::sync::atomic::Ordering;
        if let Ok(library) = &self.library
            && games >= MANY_GAMES
            && !self.preparing.swap(true, Ordering::Relaxed)
        {
            let library = Arc::clone(library);
            // One that fails says so when a list is asked for.
            std::thread::spawn(move || drop(library.prepare_lists()));
        }
    }

    /// Gives a record a name.
    pub(crate) fn rename(&self, id: &str, title: &str) -> Result<(), ApiError> {
        self.change(|library| library.rename(&GameId::new(id), title, self.host.unix_ms()))
    }

    /// Puts records into the bin.
    pub(crate) fn delete(&self, ids: &[String]) -> Result<(), ApiError> {
        self.change(|library| library.delete(&game_ids(ids), self.host.unix_ms()).map(drop))
    }

    /// Takes records out of the bin.
    pub(crate) fn restore(&self, ids: &[String]) -> Result<(), ApiError> {
        self.change(|library| library.restore(&game_ids(ids)).map(drop))
    }

    /// Deletes for good what is in the bin.
    pub(crate) fn empty_bin(&self) -> Result<(), ApiError> {
        self.change(|library| library.empty_bin(FreedSpace::ForGames).map(drop))
    }

    /// Figures.
    pub(crate) fn stats(&self) -> Result<LibraryStats, ApiError> {
        let stats = self.library()?.stats().map_err(failed)?;
        Ok(LibraryStats { games: stats.games, players: stats.players, size_kib: stats.file_kib })
    }
}

fn library_file(host: &dyn Host) -> PathBuf {
    host.data_dir().join("library.sqlite")
}

#[allow(clippy::needless_pass_by_value, reason = "used as a function of `map_err`")]
fn failed(error: LibraryError) -> ApiError {
    ApiError::from_library(&error)
}

impl ApiError {
    pub(crate) fn from_library(error: &LibraryError) -> Self {
        match error {
            LibraryError::UnknownGame { .. }
            | LibraryError::UnknownCard { .. }
            | LibraryError::UnknownSource { .. } => Self::NotFound { message: error.to_string() },
            LibraryError::NotARecord { .. } => {
                Self::UnreadableFile { file: "the record".into(), message: error.to_string(), problem: None }
            }
            LibraryError::Damaged { .. } => {
                Self::DamagedLibrary { message: error.to_string(), hint: error.hint().to_owned() }
            }
            other => Self::Library { message: other.to_string(), hint: other.hint().to_owned() },
        }
    }
}

fn game_ids(ids: &[String]) -> Vec<GameId> {
    ids.iter().map(GameId::new).collect()
}

fn summary_view(game: GameSummary) -> RecordSummary {
    let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    RecordSummary {
        id: game.id.to_string(),
        title: game.title.unwrap_or_default(),
        black: game.black,
        black_rank: game.black_rank,
        white: game.white,
        white_rank: game.white_rank,
        event: game.event,
        place: game.place,
        source: game.source,
        topology: game.topology.to_owned(),
        date: game.date,
        last_date: game.last_date,
        result: game.result,
        rules: game.rules,
        width: small(game.width),
        height: small(game.height),
        komi: game.komi.map(Finite::new),
        handicap: small(game.handicap),
        moves: game.moves,
        added_at: u32::try_from(game.added / 1000).unwrap_or(u32::MAX),
    }
}

fn sort_of(sort: RecordSort) -> SortBy {
    match sort {
        RecordSort::Added => SortBy::Added,
        RecordSort::Date => SortBy::Date,
        RecordSort::Black => SortBy::Black,
        RecordSort::White => SortBy::White,
        RecordSort::Moves => SortBy::Moves,
        RecordSort::Changed => SortBy::Changed,
        RecordSort::Result => SortBy::Result,
        RecordSort::Event => SortBy::Event,
        RecordSort::Komi => SortBy::Komi,
        RecordSort::Size => SortBy::Size,
        RecordSort::Rank => SortBy::Rank,
    }
}

fn filter_of(filter: &RecordFilter) -> GameFilter {
    let said = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    GameFilter {
        text: filter.text.clone(),
        player: said(&filter.player),
        black: said(&filter.black),
        white: said(&filter.white),
        opponent: said(&filter.opponent),
        min_rank: said(&filter.min_rank),
        date_from: said(&filter.date_from),
        date_to: said(&filter.date_to),
        winner: said(&filter.winner),
        result: said(&filter.result),
        min_margin: filter.min_margin.map(Finite::get),
        max_margin: filter.max_margin.map(Finite::get),
        width: filter.width.map(u32::from),
        height: filter.height.map(u32::from),
        event: said(&filter.event),
        place: said(&filter.place),
        rules: said(&filter.rules),
        komi: filter.komi.map(Finite::get),
        min_handicap: filter.min_handicap,
        max_handicap: filter.max_handicap,
        min_moves: filter.min_moves,
        max_moves: filter.max_moves,
        source: said(&filter.source),
        folder: said(&filter.folder),
        tag: said(&filter.tag),
        ids: game_ids(&filter.ids),
        except: Vec::new(),
        deleted: filter.deleted,
    }
}

/// [`filter_of`] the other way round.
fn filter_view(filter: GameFilter) -> RecordFilter {
    RecordFilter {
        text: filter.text,
        player: filter.player.unwrap_or_default(),
        black: filter.black.unwrap_or_default(),
        white: filter.white.unwrap_or_default(),
        opponent: filter.opponent.unwrap_or_default(),
        min_rank: filter.min_rank.unwrap_or_default(),
        date_from: filter.date_from.unwrap_or_default(),
        date_to: filter.date_to.unwrap_or_default(),
        winner: filter.winner.unwrap_or_default(),
        result: filter.result.unwrap_or_default(),
        min_margin: filter.min_margin.map(Finite::new),
        max_margin: filter.max_margin.map(Finite::new),
        width: filter.width.and_then(|width| u8::try_from(width).ok()),
        height: filter.height.and_then(|height| u8::try_from(height).ok()),
        event: filter.event.unwrap_or_default(),
        place: filter.place.unwrap_or_default(),
        rules: filter.rules.unwrap_or_default(),
        komi: filter.komi.map(Finite::new),
        min_handicap: filter.min_handicap,
        max_handicap: filter.max_handicap,
        min_moves: filter.min_moves,
        max_moves: filter.max_moves,
        source: filter.source.unwrap_or_default(),
        folder: filter.folder.unwrap_or_default(),
        tag: filter.tag.unwrap_or_default(),
        ids: filter.ids.into_iter().map(|id| id.to_string()).collect(),
        deleted: filter.deleted,
    }
}
