//! The library of game records in SQLite: saving, finding, importing, searching positions.
//!
//! [`Library`] is one file and is shared between threads by reference. Ids are texts ([`GameId`]), times are given by
//! the caller, every change is one transaction.
//!
//! ```
//! use honinbo_library::{GameQuery, Library};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let library = Library::open(folder.path().join("library.sqlite")).unwrap();
//! let sgf = "(;GM[1]SZ[19]PB[柯洁]PW[AlphaGo]DT[2017-05-23]RE[W+0.5];B[qd];W[pp])";
//! let saved = library.save_record(sgf, 1_700_000_000_000).unwrap();
//! assert_eq!(library.save_record(sgf, 1_700_000_000_001).unwrap().duplicate_of, Some(saved.id.clone()));
//!
//! let mut query = GameQuery { limit: 50, ..GameQuery::default() };
//! query.filter.text = "柯".into();
//! let page = library.list(&query).unwrap();
//! assert_eq!((page.total, page.games[0].white.as_str()), (1, "AlphaGo"));
//! assert_eq!(library.game(&saved.id).unwrap().sgf, sgf);
//! ```

mod anki;
mod archive;
mod backups;
mod bench;
mod caches;
mod cards;
mod change;
mod edit;
mod elsewhere;
mod error;
mod evaluations;
mod exercises;
mod explorer;
mod export;
mod facts;
mod follow;
mod history;
mod id;
mod import;
mod index;
mod joined;
mod judged;
mod last_date;
mod list;
mod mistakes;
mod names;
mod namesakes;
mod open;
mod organise;
mod pattern_query;
mod person;
mod players;
mod prepare;
mod problems;
mod query;
mod rated;
mod ratings;
mod readable;
mod recorded;
mod rescue;
mod restore;
mod reviews;
mod save;
mod saver;
mod search;
mod server;
mod sources;
mod sqlite_file;
mod stats;
mod store_size;
mod text;
mod time;
mod track;
mod verdict;
mod versions;

pub use anki::{AnkiNote, read_anki, write_anki};
pub use backups::{Backup, BackupKind, Pace};
pub use bench::{CardsBench, ImportRound, LibraryBench, Timing, bench_cards, bench_library};
pub use cards::{AddedCards, Card, CardAnswered, CardCounts, CardId, CardMemory, NewCard};
pub use edit::{FreedSpace, StoredGame};
pub use error::{LibraryError, PatternError};
pub use evaluations::EvaluationContext;
pub use exercises::{ExerciseKind, ExercisePlace, ExerciseSum, StoredExercise};
pub use explorer::{Explorer, ExplorerEvaluation, ExplorerMove};
pub use export::{ExportFormat, ExportOptions};
pub use facts::fold;
pub use history::{History, HistoryStep};
pub use id::GameId;
pub use import::{ImportNote, ImportOptions, ImportProgress, ImportReport, records_in};
pub use judged::{
    ClassSum, JudgedDepth, JudgedMove, JudgedOpening, Judgement, MistakeAt, MoveClass, OpeningSum, PlayerSums, Training,
};
pub use list::{GamePage, GameSummary};
pub use mistakes::PhaseLoss;
pub use open::{LIBRARY_VERSION, Library, LibraryOptions};
pub use organise::{GameEdit, Group, SavedSearch};
pub use pattern_query::{Anchor, Cell, PatternQuery};
pub use players::{PlayerRecord, PlayerSummary, RecordLine};
pub use problems::{KeptRating, NewProblem, NextProblem, ProblemCollection, StoredProblem};
pub use query::{GameFilter, GameQuery, SortBy};
pub use rated::RatedGame;
pub use ratings::RatingAt;
pub use recorded::{position_after, recorded_moves};
pub use rescue::RescueReport;
pub use restore::Restored;
pub use reviews::{ReviewCounts, ReviewOrder};
pub use saver::Saved;
pub use search::{Continuation, SearchHit, SearchProgress, SearchResult, TreeMove};
pub use server::{
    Account, AccountFacts, AccountId, CopiedTable, CountedGame, DatabaseError, FinishedGame, FinishedLesson,
    KeptLesson, Linked, Neighbour, Neighbours, PlayedGame, PostgresAddress, RoomChange, RoomPlace, ServerStore,
    StoreError, StorePlace, StoredRoom, StoredTournament, TakenRoom, TokenHash,
};
pub use sources::{FoundRecord, Source, SourceId, SourceKind, Taken, Taking};
pub use stats::{CheckReport, LibraryFigures, LibraryStats};
pub use time::Timestamp;
pub use verdict::{BLUNDER_FROM, ENOUGH_VISITS, MISTAKE_FROM, Searched, change_of_mind, part_of_game, points_lost};
