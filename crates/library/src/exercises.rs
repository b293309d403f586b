//! Positions of games that are asked as exercises, and how well somebody answers them over time.
//!
//! What is asked and what is right is the caller's to say: the library finds games to ask from, keeps which positions were
//! asked, when one comes back, and the figures.

use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};

use crate::cards::{CardAnswered, CardMemory};
use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::time::Timestamp;

/// What is asked about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExerciseKind {
    /// Who leads by how much, as far as one can see.
    Score = 0,
    /// The same at the end of a game, by counting.
    Count = 1,
    /// Whether a ladder works.
    Ladder = 2,
    /// Which move is worth most.
    Biggest = 3,
}

impl ExerciseKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Score, Self::Count, Self::Ladder, Self::Biggest];
}

/// A position that is asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExercisePlace {
    /// What is asked.
    pub kind: ExerciseKind,
    /// The game.
    pub game: GameId,
    /// Moves of its main line before the position.
    pub number: u32,
    /// What is asked about: a point row by row from the top, for a ladder a stone of the chain.
    pub point: Option<u16>,
}

/// A position that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredExercise {
    /// Which.
    pub place: ExercisePlace,
    /// When it is asked again; `None`: never.
    pub due: Option<Timestamp>,
    /// How well it is remembered, of one that is asked again.
    pub memory: Option<CardMemory>,
    /// When it was answered last.
    pub answered: Timestamp,
    /// Answers that counted.
    pub answers: u32,
    /// Wrong ones among them.
    pub lapses: u32,
}

/// Answers of one kind in one month, to positions that were not asked before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExerciseSum {
    /// The kind.
    pub kind: ExerciseKind,
    /// Year and month as `yyyymm`.
    pub month: u32,
    /// Answers.
    pub asked: u32,
    /// Right ones among them.
    pub right: u32,
    /// Sum of their errors in points,
    pub error: f64,
    /// and of the squares.
    pub squares: f64,
}

impl Library {
    /// Games to ask from, at random by `seed`, each once: those of which a review judged every move first where that is
    /// wished for, those with a counted result alone for [`ExerciseKind::Count`]. Boards with joined sides are left out.
    ///
    /// # Errors
    /// What the database says.
    pub fn exercise_games(
        &self,
        kind: ExerciseKind,
        reviewed_first: bool,
        seed: u64,
        limit: u32,
    ) -> Result<Vec<GameId>, LibraryError> {
        self.read(|connection| {
            let usable = match kind {
                ExerciseKind::Count => "g.deleted IS NULL AND g.topology = 0 AND g.result IN (1, 6)",
                _ => "g.deleted IS NULL AND g.topology = 0 AND g.moves >= 20",
            };
            let highest: i64 =
                connection.prepare_cached("SELECT coalesce(max(id), 0) FROM games")?.query_row([], |row| row.get(0))?;
            let from = (seed % (highest.max(0) as u64 + 1)) as i64;
            let mut found: Vec<i64> = Vec::new();
            let judged = "games g JOIN judged_games j ON j.game = g.id";
            let tables = [judged, "games g"];
            for table in if reviewed_first { &tables[..] } else { &tables[1..] } {
                // Round from a random one on.
                for part in ["g.id >= ?1", "g.id < ?1"] {
                    let wanted = limit as usize - found.len().min(limit as usize);
                    let sql = format!("SELECT g.id FROM {table} WHERE {usable} AND {part} ORDER BY g.id LIMIT ?2");
                    let mut statement = connection.prepare_cached(&sql)?;
                    let rows = statement.query_map(params![from, limit], |row| row.get(0))?;
                    let rows: Vec<i64> = rows.collect::<Result<_, _>>()?;
                    let known = found.clone();
                    found.extend(rows.into_iter().filter(|row| !known.contains(row)).take(wanted));
                }
            }
            Ok(found.into_iter().map(GameId::from_row).collect())
        })
    }

    /// Whether a position was asked before, and what is known of it.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn exercise(&self, place: &ExercisePlace) -> Result<Option<StoredExercise>, LibraryError> {
        let row = place.game.row()?;
        self.read(|connection| find(connection, place, row))
    }

    /// The exercise of a kind that has been due for longest.
    ///
    /// # Errors
    /// What the database says.
    pub fn due_exercise(&self, kind: ExerciseKind, by: Timestamp) -> Result<Option<StoredExercise>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "{COLUMNS} WHERE e.kind = ?1 AND e.due <= ?2 AND g.deleted IS NULL ORDER BY e.due, e.id LIMIT 1"
            );
            Ok(connection.prepare_cached(&sql)?.query_row(params![kind as i64, by], stored).optional()?)
        })
    }

    /// Exercises of each kind that are due.
    ///
    /// # Errors
    /// What the database says.
    pub fn due_exercises(&self, by: Timestamp) -> Result<[u32; 4], LibraryError> {
        self.read(|connection| {
            let sql = "SELECT e.kind, count(*) FROM exercises e JOIN games g ON g.id = e.game
                       WHERE e.due <= ?1 AND g.deleted IS NULL GROUP BY e.kind";
            let mut statement = connection.prepare_cached(sql)?;
            let mut counts = [0; 4];
            let mut rows = statement.query([by])?;
            while let Some(row) = rows.next()? {
                counts[kind_of(row, 0)? as usize] = row.get(1)?;
            }
            Ok(counts)
        })
    }

    /// Writes an answer down. `next` is given what is known of a position that was asked before, and says when it comes
    /// back: `None` where it does not, or where the answer changes nothing. One that was asked before counts only where it is
    /// due. Returns whether it counted.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn answer_exercise(
        &self,
        place: &ExercisePlace,
        now: Timestamp,
        right: bool,
        error: f64,
        next: impl FnOnce(Option<&StoredExercise>) -> Option<CardAnswered>,
    ) -> Result<bool, LibraryError> {
        let row = place.game.row()?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let known = find(&transaction, place, row)?;
        if known.as_ref().is_some_and(|known| known.due.is_none_or(|due| due > now)) {
            return Ok(false);
        }
        let next = next(known.as_ref());
        let (stability, difficulty) = (next.map(|next| next.memory.stability), next.map(|next| next.memory.difficulty));
        let written = transaction.execute(
            "INSERT INTO exercises (kind, game, number, point, due, stability, difficulty, answered, answers, lapses)
             SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9 FROM games WHERE id = ?2
             ON CONFLICT (kind, game, number, point) DO UPDATE SET due = ?5, stability = ?6, difficulty = ?7,
                 answered = ?8, answers = answers + 1, lapses = lapses + ?9",
            params![
                place.kind as i64,
                row,
                place.number,
                point_of(place),
                next.map(|next| next.due),
                stability,
                difficulty,
                now,
                !right
            ],
        )?;
        if written == 0 {
            return Err(place.game.unknown());
        }
        transaction.execute(
            "INSERT INTO exercise_answers (kind, answered, again, correct, error) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![place.kind as i64, now, known.is_some(), right, error],
        )?;
        transaction.commit()?;
        Ok(true)
    }

    /// Has a position that waits come later, without an answer.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn postpone_exercise(&self, place: &ExercisePlace, until: Timestamp) -> Result<(), LibraryError> {
        let row = place.game.row()?;
        self.writer()?.execute(
            "UPDATE exercises SET due = ?5 WHERE kind = ?1 AND game = ?2 AND number = ?3 AND point = ?4 AND due < ?5",
            params![place.kind as i64, row, place.number, point_of(place), until],
        )?;
        Ok(())
    }

    /// Answers by kind and month, the first month first, on a clock that is so many minutes ahead of UTC.
    ///
    /// # Errors
    /// What the database says.
    pub fn exercise_sums(&self, minutes_ahead: i16) -> Result<Vec<ExerciseSum>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT kind, CAST(strftime('%Y%m', answered / 1000 + ?1 * 60, 'unixepoch') AS INTEGER),
                           count(*), sum(correct), sum(error), sum(error * error)
                       FROM exercise_answers WHERE again = 0 GROUP BY 1, 2 ORDER BY 1, 2";
            let mut statement = connection.prepare_cached(sql)?;
            let sums = statement.query_map([minutes_ahead], |row| {
                Ok(ExerciseSum {
                    kind: kind_of(row, 0)?,
                    month: row.get(1)?,
                    asked: row.get(2)?,
                    right: row.get(3)?,
                    error: row.get(4)?,
                    squares: row.get(5)?,
                })
            })?;
            Ok(sums.collect::<Result<_, _>>()?)
        })
    }
}

const COLUMNS: &str =
    "SELECT e.kind, e.game, e.number, e.point, e.due, e.stability, e.difficulty, e.answered, e.answers,
    e.lapses FROM exercises e JOIN games g ON g.id = e.game";

fn point_of(place: &ExercisePlace) -> i64 {
    place.point.map_or(-1, i64::from)
}

fn find(
    connection: &rusqlite::Connection,
    place: &ExercisePlace,
    row: i64,
) -> Result<Option<StoredExercise>, LibraryError> {
    let sql = format!("{COLUMNS} WHERE e.kind = ?1 AND e.game = ?2 AND e.number = ?3 AND e.point = ?4");
    let key = params![place.kind as i64, row, place.number, point_of(place)];
    Ok(connection.prepare_cached(&sql)?.query_row(key, stored).optional()?)
}

fn kind_of(row: &Row<'_>, at: usize) -> rusqlite::Result<ExerciseKind> {
    let kind: i64 = row.get(at)?;
    let known = usize::try_from(kind).ok().and_then(|kind| ExerciseKind::ALL.get(kind).copied());
    known.ok_or(rusqlite::Error::IntegralValueOutOfRange(at, kind))
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredExercise> {
    let (stability, difficulty): (Option<f64>, Option<f64>) = (row.get(5)?, row.get(6)?);
    let point: i64 = row.get(3)?;
    Ok(StoredExercise {
        place: ExercisePlace {
            kind: kind_of(row, 0)?,
            game: GameId::from_row(row.get(1)?),
            number: row.get(2)?,
            point: u16::try_from(point).ok(),
        },
        due: row.get(4)?,
        memory: stability.zip(difficulty).map(|(stability, difficulty)| CardMemory { stability, difficulty }),
        answered: row.get(7)?,
        answers: row.get(8)?,
        lapses: row.get(9)?,
    })
}
