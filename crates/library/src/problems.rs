//! Collections of problems, and the tries that were made at them.
//!
//! How ratings move is the caller's to say: the library keeps them.

use honinbo_rules::{Board, Color, canonical_hash};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params, params_from_iter};

use crate::error::LibraryError;
use crate::open::Library;
use crate::time::Timestamp;

/// A rating, in Glicko-2's terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptRating {
    /// The rating.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

/// A problem to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewProblem<'a> {
    /// The position that is asked.
    pub board: &'a Board,
    /// Who solves it.
    pub to_play: Color,
    /// The problem with its answers.
    pub sgf: &'a str,
    /// How hard it is before anybody tried.
    pub rating: KeptRating,
}

/// A problem of the library.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredProblem {
    /// Its id.
    pub id: i64,
    /// Its collection.
    pub collection: i64,
    /// Counts the problems of the collection from 0.
    pub number: u32,
    /// The problem with its answers.
    pub sgf: String,
    /// How hard it is.
    pub rating: KeptRating,
    /// Tries that counted.
    pub tries: u32,
    /// How many of these solved it.
    pub solved: u32,
    /// The last try that counted.
    pub answered: Option<Timestamp>,
}

/// A collection of problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemCollection {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What tells it apart, as it was given when it was added.
    pub content: Vec<u8>,
    /// Its problems.
    pub problems: u32,
    /// Problems that were tried.
    pub tried: u32,
    /// Problems whose last try solved them.
    pub solved: u32,
}

/// Which problem comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NextProblem {
    /// The first one after this number, or the first of all.
    After(Option<u32>),
    /// The first one after this number, then from the beginning, that was not solved at the last try.
    Open(Option<u32>),
    /// The one that is nearest to a rating among those that were not solved at the last try.
    Near {
        /// The rating.
        rating: f64,
        /// Those that were tried since then rest.
        rested: Timestamp,
        /// This number comes last: it is the one that was asked before.
        after: Option<u32>,
    },
}

impl Library {
    /// Keeps a collection; one with the same problems stays as it is, or comes back with what was tried. Returns its
    /// row, and whether it is new.
    ///
    /// # Errors
    /// What the database says.
    pub fn add_problems(
        &self,
        name: &str,
        content: &[u8],
        problems: &[NewProblem<'_>],
        now: Timestamp,
    ) -> Result<(i64, bool), LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let known: Option<i64> = transaction
            .query_row("SELECT id FROM problem_collections WHERE content = ?1", [content], |row| row.get(0))
            .optional()?;
        if let Some(known) = known {
            transaction.execute("UPDATE problem_collections SET removed = NULL WHERE id = ?1", [known])?;
            transaction.commit()?;
            return Ok((known, false));
        }
        transaction.execute(
            "INSERT INTO problem_collections (name, content, added) VALUES (?1, ?2, ?3)",
            params![name, content, now],
        )?;
        let collection = transaction.last_insert_rowid();
        {
            let mut add = transaction.prepare_cached(
                "INSERT INTO problems (collection, number, position, sgf, rating, deviation, volatility)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for (number, NewProblem { board, to_play, sgf, rating }) in problems.iter().enumerate() {
                let position = canonical_hash(board, *to_play).0.to_le_bytes();
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let KeptRating { rating, deviation, volatility } = rating;
                add.execute(params![collection, number, &position[..], sgf, rating, deviation, volatility])?;
            }
        }
        transaction.commit()?;
        Ok((collection, true))
    }

    /// All collections but those that were put away, the newest first.
    ///
    /// # Errors
    /// What the database says.
    pub fn problem_collections(&self) -> Result<Vec<ProblemCollection>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT problem_collections.id, name, content, count(*), sum(tries > 0), coalesce(sum(last), 0)
                 FROM problem_collections JOIN problems ON collection = problem_collections.id
                 WHERE removed IS NULL GROUP BY problem_collections.id ORDER BY problem_collections.id DESC",
            )?;
            let collection = |row: &Row<'_>| {
                let (id, name, content) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let (problems, tried, solved) = (row.get(3)?, row.get(4)?, row.get(5)?);
                Ok(ProblemCollection { id, name, content, problems, tried, solved })
            };
            Ok(statement.query_map([], collection)?.collect::<Result<_, _>>()?)
        })
    }

    /// Puts a collection away; reading its file again brings it back with what was tried.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_problems(&self, collection: i64, now: Timestamp) -> Result<(), LibraryError> {
        self.writer()?
            .execute("UPDATE problem_collections SET removed = ?2 WHERE id = ?1", params![collection, now])?;
        Ok(())
    }

    /// A problem; `None` where there is none.
    ///
    /// # Errors
    /// What the database says.
    pub fn problem(&self, id: i64) -> Result<Option<StoredProblem>, LibraryError> {
        self.read(|connection| find(connection, "id = ?1", id))
    }

    /// A problem that asks this position, however it is turned.
    ///
    /// # Errors
    /// What the database says.
    pub fn problem_of(&self, board: &Board, to_play: Color) -> Result<Option<StoredProblem>, LibraryError> {
        let position = canonical_hash(board, to_play).0.to_le_bytes();
        self.read(|connection| find(connection, "position = ?1 ORDER BY id LIMIT 1", &position[..]))
    }

    /// The problems of a collection that come next, `limit` at most.
    ///
    /// # Errors
    /// What the database says.
    pub fn next_problems(
        &self,
        collection: i64,
        next: NextProblem,
        limit: u32,
    ) -> Result<Vec<StoredProblem>, LibraryError> {
        let after = |number: Option<u32>| Value::from(number.map_or(-1, i64::from));
        let (wanted, values) = match next {
            NextProblem::After(number) => ("number > ?3 ORDER BY number", vec![after(number)]),
            NextProblem::Open(number) => ("last IS NOT 1 ORDER BY number <= ?3, number", vec![after(number)]),
            NextProblem::Near { rating, rested, after: number } => (
                "last IS NOT 1 AND (answered IS NULL OR answered < ?4) ORDER BY number = ?5, abs(rating - ?3), number",
                vec![Value::from(rating), Value::from(rested), after(number)],
            ),
        };
        let values = [Value::from(collection), Value::from(limit)].into_iter().chain(values);
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached(&format!("{COLUMNS} WHERE collection = ?1 AND {wanted} LIMIT ?2"))?;
            Ok(statement.query_map(params_from_iter(values), problem_of)?.collect::<Result<_, _>>()?)
        })
    }

    /// The person's rating at problems; `None` before the first try.
    ///
    /// # Errors
    /// What the database says.
    pub fn solver_rating(&self) -> Result<Option<KeptRating>, LibraryError> {
        self.read(last_rating)
    }

    /// Writes a try down. `rate` is given the problem and the person's rating and says what both become, or `None` where
    /// the try does not count; nobody else can answer in between. Returns whether it counted.
    ///
    /// # Errors
    /// What the database says.
    pub fn answer_problem(
        &self,
        id: i64,
        solved: bool,
        now: Timestamp,
        rate: impl FnOnce(&StoredProblem, Option<KeptRating>) -> Option<(KeptRating, KeptRating)>,
    ) -> Result<bool, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(problem) = find(&transaction, "id = ?1", id)? else { return Ok(false) };
        let Some((own, person)) = rate(&problem, last_rating(&transaction)?) else { return Ok(false) };
        transaction.execute(
            "UPDATE problems SET tries = tries + 1, solved = solved + ?2, last = ?2, answered = ?3, rating = ?4,
                 deviation = ?5, volatility = ?6 WHERE id = ?1",
            params![id, solved, now, own.rating, own.deviation, own.volatility],
        )?;
        transaction.execute(
            "INSERT INTO problem_answers (problem, answered, solved, rating, deviation, volatility)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, now, solved, person.rating, person.deviation, person.volatility],
        )?;
        transaction.commit()?;
        Ok(true)
    }
}

const COLUMNS: &str =
    "SELECT id, collection, number, sgf, rating, deviation, volatility, tries, solved, answered FROM problems";

fn find(
    connection: &Connection,
    wanted: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<StoredProblem>, LibraryError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE {wanted}"))?;
    Ok(statement.query_row([value], problem_of).optional()?)
}

fn problem_of(row: &Row<'_>) -> rusqlite::Result<StoredProblem> {
    Ok(StoredProblem {
        id: row.get(0)?,
        collection: row.get(1)?,
        number: row.get(2)?,
        sgf: row.get(3)?,
        rating: KeptRating { rating: row.get(4)?, deviation: row.get(5)?, volatility: row.get(6)? },
        tries: row.get(7)?,
        solved: row.get(8)?,
        answered: row.get(9)?,
    })
}

fn last_rating(connection: &Connection) -> Result<Option<KeptRating>, LibraryError> {
    let sql = "SELECT rating, deviation, volatility FROM problem_answers ORDER BY id DESC LIMIT 1";
    let rating =
        |row: &Row<'_>| Ok(KeptRating { rating: row.get(0)?, deviation: row.get(1)?, volatility: row.get(2)? });
    Ok(connection.prepare_cached(sql)?.query_row([], rating).optional()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{BoardSize, Point, Topology};

    const FIRST: KeptRating = KeptRating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };

    #[test]
    fn a_collection_keeps_its_tries_also_while_it_is_put_away() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let size = BoardSize::square(9).unwrap();
        let board = |x| Board::with_stones(size, Topology::Plane, [(Point::new(x, 1), Color::Black)]).unwrap();
        let boards = [board(0), board(1), board(2)];
        let problem = |at: usize, rating: f64| NewProblem {
            board: &boards[at],
            to_play: Color::Black,
            sgf: ["(;A)", "(;B)", "(;C)"][at],
            rating: KeptRating { rating, ..FIRST },
        };
        let problems = [problem(0, 1000.0), problem(1, 1500.0), problem(2, 2000.0)];
        let (id, new) = library.add_problems("Book", b"hash", &problems, 5).unwrap();
        assert!(new);
        assert_eq!(library.add_problems("Other name", b"hash", &problems, 6).unwrap(), (id, false));

        let all = |next, limit| -> Vec<u32> {
            library.next_problems(id, next, limit).unwrap().iter().map(|problem| problem.number).collect()
        };
        let next = |next| all(next, 1).first().copied();
        let near = |rested, after| NextProblem::Near { rating: 1800.0, rested, after };
        assert_eq!([next(NextProblem::After(None)), next(NextProblem::After(Some(2)))], [Some(0), None]);
        assert_eq!(all(near(0, None), 9), [2, 1, 0]);
        assert_eq!(all(near(0, Some(2)), 2), [1, 0], "another one than before");
        let second = library.problem_of(&boards[1].colors_swapped(), Color::White).unwrap().unwrap();
        assert_eq!((second.number, second.tries), (1, 0), "turned and exchanged it is the same");
        let better = KeptRating { rating: 1600.0, ..FIRST };
        let counted = library.answer_problem(second.id, true, 7, |problem, person| {
            assert_eq!((problem.rating, person), (FIRST, None));
            Some((KeptRating { rating: 1400.0, ..FIRST }, better))
        });
        assert!(counted.unwrap());
        assert!(
            !library
                .answer_problem(second.id, false, 8, |problem, _| {
                    assert_eq!(problem.answered, Some(7));
                    None
                })
                .unwrap()
        );
        assert_eq!(library.solver_rating().unwrap(), Some(better));
        let third = library.next_problems(id, near(0, None), 1).unwrap().remove(0);
        library.answer_problem(third.id, false, 9, |problem, _| Some((problem.rating, better))).unwrap();
        assert_eq!((all(near(9, None), 9), all(near(10, None), 9)), (vec![0], vec![2, 0]), "what was tried rests");
        assert_eq!([next(NextProblem::Open(Some(0))), next(NextProblem::Open(Some(2)))], [Some(2), Some(0)]);
        let shelf = library.problem_collections().unwrap();
        assert_eq!(shelf[0].content, b"hash");
        assert_eq!((shelf[0].name.as_str(), shelf[0].problems, shelf[0].tried, shelf[0].solved), ("Book", 3, 2, 1));
        library.remove_problems(id, 9).unwrap();
        assert!(library.problem_collections().unwrap().is_empty());
        library.add_problems("Book", b"hash", &problems, 10).unwrap();
        assert_eq!(library.problem_collections().unwrap(), shelf);
    }
}
