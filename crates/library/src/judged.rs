//! What reviews found of players' moves, by class of move: where somebody is weak, and whether practice changed that.

use honinbo_record::{GameInfo, GameTree, replay};
use honinbo_rules::{Board, Color, canonical_hash};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use std::collections::BTreeSet;

use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::person::person_of;
use crate::text::{TextCodec, text_of, tree_of};
use crate::time::Timestamp;
use crate::track::Track;

macro_rules! move_classes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal;)*) => {
        /// What a move can be counted under. A move is in one class of each group: all moves, phase, region, standing,
        /// time; a mistake is also of one kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MoveClass { $($(#[$doc])* $variant = $code,)* }

        impl MoveClass {
            /// All of them.
            pub const ALL: &'static [MoveClass] = &[$(MoveClass::$variant),*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(MoveClass::$variant => $name,)* }
            }
        }
    };
}

move_classes! {
    /// All moves.
    All = 0, "all";
    /// Of the opening.
    Opening = 1, "opening";
    /// Of the middle game.
    MiddleGame = 2, "middleGame";
    /// Of the last part of the game.
    LatePhase = 3, "late";
    /// In a corner.
    Corner = 4, "corner";
    /// At a side.
    SideRegion = 5, "side";
    /// In the centre.
    Centre = 6, "centre";
    /// Clearly ahead.
    Ahead = 7, "ahead";
    /// In an open game.
    Even = 8, "even";
    /// Clearly behind.
    Behind = 9, "behind";
    /// With little time left.
    Hurried = 10, "hurried";
    /// With time enough.
    Unhurried = 11, "unhurried";
    /// A corner sequence of the opening.
    Joseki = 20, "joseki";
    /// The wrong part of the board.
    Direction = 21, "direction";
    /// Life and death.
    LifeAndDeath = 22, "lifeAndDeath";
    /// A capturing race.
    Race = 23, "race";
    /// A ko.
    Ko = 24, "ko";
    /// The endgame.
    Endgame = 25, "endgame";
    /// An invasion, made or left out.
    Invasion = 26, "invasion";
    /// Stones in atari or in a ladder.
    Reading = 27, "reading";
    /// Two chains joined or cut, or not.
    Cut = 29, "cut";
    /// Empty points that change hands.
    Territory = 30, "territory";
    /// Stones in contact.
    Fight = 31, "fight";
    /// None of these.
    Other = 28, "other";
}

impl MoveClass {
    /// The class of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.name() == name)
    }

    fn of_code(code: i64) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| *class as i64 == code)
    }

    /// A kind of mistake, of which the rate is over all moves.
    #[must_use]
    pub fn is_kind(self) -> bool {
        self as i64 >= MoveClass::Joseki as i64
    }

    fn bit(self) -> i64 {
        1 << self as i64
    }
}

/// A move of a game that was judged.
#[derive(Debug, Clone)]
pub struct JudgedMove {
    /// As the record counts, from 1.
    pub number: u32,
    /// Who played it.
    pub color: Color,
    /// Points that it lost.
    pub lost: f64,
    /// The position before it.
    pub before: Board,
    /// Classes of it besides [`MoveClass::All`], for a mistake with its kind.
    pub classes: Vec<MoveClass>,
    /// It is a mistake.
    pub mistake: bool,
}

/// An opening as a player played it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedOpening {
    /// Who.
    pub color: Color,
    /// Of a corner, not of the whole board.
    pub corner: bool,
    /// Its moves, turned so that equal ones are written alike.
    pub line: String,
    /// The number of its last move.
    pub number: u32,
    /// Points that the player's own moves in it lost.
    pub lost: f64,
}

/// What a review found of a game.
#[derive(Debug, Clone, Copy)]
pub struct Judgement<'a> {
    /// The record whose main line was reviewed.
    pub tree: &'a GameTree,
    /// How deep the review was.
    pub depth: &'a JudgedDepth,
    /// Every move of it.
    pub moves: &'a [JudgedMove],
    /// Its openings.
    pub openings: &'a [JudgedOpening],
}

/// How deep the review was that judged a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedDepth {
    /// Fewest visits of a position.
    pub visits: u32,
    /// The network's own name; empty where an older version did not write it down.
    pub network: String,
}

impl JudgedDepth {
    /// Whether nothing is gained by a review of the other depth. Visits of two networks cannot be compared.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.network == other.network && self.visits >= other.visits
    }
}

/// Moves of one class in one month, or in one period of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassSum {
    /// The class.
    pub class: MoveClass,
    /// Year and month as `yyyymm`, 0 where it is not known; for a training 0 before, 1 during, 2 after it.
    pub when: u32,
    /// Games.
    pub games: u32,
    /// Moves.
    pub moves: f64,
    /// Mistakes among them.
    pub mistakes: f64,
    /// Points lost.
    pub lost: f64,
    /// Over the games: sums of squares of the mistakes, of mistakes by moves, and of squares of the moves, for intervals
    /// that know that moves of a game are alike.
    pub squares: [f64; 3],
}

/// What is known of a player.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayerSums {
    /// Games of the player.
    pub games: u32,
    /// Games among them that were judged.
    pub judged: u32,
    /// Judged games among these in which the record tells the clock of one of the player's moves.
    pub timed: u32,
    /// Moves by class and month.
    pub sums: Vec<ClassSum>,
}

/// A mistake, to be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct MistakeAt {
    /// The game.
    pub game: GameId,
    /// Which move, from 1.
    pub number: u32,
    /// Points that it lost.
    pub lost: f64,
}

/// How often somebody played an opening, and how it went.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningSum {
    /// Of a corner, not of the whole board.
    pub corner: bool,
    /// Games with it.
    pub games: u32,
    /// Won by the player.
    pub wins: u32,
    /// Lost by the player.
    pub losses: u32,
    /// Points that the player's own moves in it lost in a game, on average.
    pub lost: f64,
    /// The last game with it, and the number of its last move there.
    pub game: GameId,
    /// As `game`.
    pub number: u32,
    /// Its moves, as [`JudgedOpening`] has them.
    pub line: String,
}

/// A class that is practised, or was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Training {
    /// The class.
    pub class: MoveClass,
    /// Since when.
    pub began: Timestamp,
    /// Until when.
    pub ended: Option<Timestamp>,
}

/// Own games, with the colour `1` or `2`: the parts of a union, so that each goes by an index.
const OWN: &str = "SELECT g.id, 1 AS color, g.date, g.added, g.winner FROM players p JOIN games g ON g.black = p.id
     WHERE p.person = ?1 AND g.deleted IS NULL
     UNION ALL SELECT g.id, 2, g.date, g.added, g.winner FROM players p JOIN games g ON g.white = p.id
     WHERE p.person = ?1 AND g.deleted IS NULL";
/// The day of a game as `yyyymmdd`; the one on which it came in, by a clock that is `?6` minutes ahead of UTC, where the
/// record does not say it.
const DAY: &str = "CASE WHEN date % 100 > 0 THEN date
     ELSE CAST(strftime('%Y%m%d', added / 1000 + ?6 * 60, 'unixepoch') AS INTEGER) END";
const SUMS: &str = "count(*), sum(moves), sum(mistakes), sum(lost), sum(mistakes * mistakes), sum(mistakes * moves), sum(moves * moves)";
/// Openings that are listed of each kind.
const MAX_OPENINGS: u32 = 30;
/// Games, the last ones, in which positions are looked for.
const MAX_GAMES: u32 = 3000;

impl Library {
    /// Keeps what a review found of a game, in place of what was known, unless a deeper one by the same network is
    /// there. Returns false, and keeps nothing, where the game has other moves, rules or komi by now than the record that
    /// was reviewed.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn keep_judgement(
        &self,
        game: &GameId,
        judgement: &Judgement<'_>,
        now: Timestamp,
    ) -> Result<bool, LibraryError> {
        let Judgement { tree, depth, moves, openings } = *judgement;
        let row = game.row()?;
        let mut codec = TextCodec::new()?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let is_there: u32 = transaction
            .prepare_cached("SELECT count(*) FROM records WHERE game = ?1")?
            .query_row([row], |row| row.get(0))?;
        if is_there == 0 {
            return Err(game.unknown());
        }
        let now_there = tree_of(&text_of(&transaction, row, &mut codec)?);
        if !now_there.is_some_and(|now_there| is_judged_alike(&now_there, tree)) {
            return Ok(false);
        }
        if depth_of(&transaction, row)?.is_some_and(|kept| kept.covers(depth) && kept.visits > depth.visits) {
            return Ok(true);
        }
        transaction.execute("DELETE FROM judged_games WHERE game = ?1", [row])?;
        transaction.execute(
            "INSERT INTO judged_games (game, judged, visits, network) VALUES (?1, ?2, ?3, ?4)",
            params![row, now, depth.visits, depth.network],
        )?;
        for color in [Color::Black, Color::White] {
            let own = || moves.iter().filter(|made| made.color == color);
            for &class in MoveClass::ALL {
                let within =
                    |made: &&JudgedMove| class == MoveClass::All || class.is_kind() || made.classes.contains(&class);
                let counts = own().filter(within).count();
                let wrong =
                    own().filter(|made| made.mistake && (class == MoveClass::All || made.classes.contains(&class)));
                let lost: f64 = own()
                    .filter(|made| class == MoveClass::All || made.classes.contains(&class))
                    .map(|made| made.lost)
                    .sum();
                if counts > 0 {
                    transaction
                        .prepare_cached("INSERT INTO judged_sums VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                        .execute(params![row, code(color), class as i64, counts as i64, wrong.count() as i64, lost])?;
                }
            }
        }
        for made in moves.iter().filter(|made| made.mistake) {
            let classes = made.classes.iter().fold(MoveClass::All.bit(), |bits, class| bits | class.bit());
            let position = canonical_hash(&made.before, made.color).0.to_le_bytes();
            transaction
                .prepare_cached("INSERT OR REPLACE INTO judged_mistakes VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![row, made.number, code(made.color), classes, made.lost, position])?;
        }
        for opening in openings {
            transaction
                .prepare_cached("INSERT OR REPLACE INTO judged_openings VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![
                    row,
                    code(opening.color),
                    opening.corner,
                    opening.line,
                    opening.number,
                    opening.lost
                ])?;
        }
        transaction.commit()?;
        Ok(true)
    }

    /// A player's games that no review has judged yet, the last first.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn unjudged_games(&self, name: &str, limit: u32) -> Result<Vec<GameId>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let sql = format!(
                "SELECT DISTINCT id FROM ({OWN}) WHERE id NOT IN (SELECT game FROM judged_games) ORDER BY id DESC LIMIT ?2"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let ids = statement.query_map(params![person, limit], |row| row.get(0))?;
            Ok(ids.map(|id| id.map(GameId::from_row)).collect::<Result<_, _>>()?)
        })
    }

    /// Whether a game has a result and is one of this person's; nobody of an unknown name has any.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`] for a text that is no id, and what the database says.
    pub fn is_finished_game_of(&self, game: &GameId, name: &str) -> Result<bool, LibraryError> {
        let row = game.row()?;
        self.read(|connection| {
            let sql = "SELECT count(*) FROM games g JOIN players p ON p.id IN (g.black, g.white)
                 WHERE g.id = ?1 AND g.deleted IS NULL AND g.result NOT IN (0, 7)
                     AND p.person = (SELECT person FROM players WHERE name = ?2)";
            Ok(connection.prepare_cached(sql)?.query_row(params![row, name], |row| row.get::<_, u32>(0))? > 0)
        })
    }

    /// Finished games that came in or were changed since then, neither judged nor on the list of reviews, the last played
    /// first: those of a person, and of whoever has the accounts that games are taken from.
    ///
    /// # Errors
    /// What the database says.
    pub fn new_own_games(&self, name: &str, since: Timestamp) -> Result<Vec<GameId>, LibraryError> {
        self.read(|connection| {
            // Games without names have a player without one, who is nobody.
            let mut people = connection.prepare_cached(
                "SELECT DISTINCT person FROM players WHERE name = ?1 AND name <> ''
                 UNION SELECT p.person FROM sources s JOIN players p ON p.name IN (s.name, s.person)
                 WHERE s.kind <> 'folder' AND p.name <> ''",
            )?;
            let people = people.query_map([name], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
            let sql = format!(
                "SELECT g.date, g.id FROM (SELECT DISTINCT id FROM ({OWN})) own JOIN games g ON g.id = own.id
                 WHERE g.changed >= ?2 AND g.result NOT IN (0, 7) AND g.id NOT IN (SELECT game FROM judged_games)
                     AND g.id NOT IN (SELECT game FROM reviews WHERE done IS NULL)"
            );
            let mut found = BTreeSet::<(u32, i64)>::new();
            for person in people {
                let mut statement = connection.prepare_cached(&sql)?;
                for row in statement.query_map(params![person, since], |row| Ok((row.get(0)?, row.get(1)?)))? {
                    found.insert(row?);
                }
            }
            Ok(found.into_iter().rev().map(|(_, row)| GameId::from_row(row)).collect())
        })
    }

    /// A player's moves by class and month.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_sums(&self, name: &str) -> Result<PlayerSums, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let sql = format!(
                "SELECT class, CASE WHEN date > 10000 THEN date / 100 ELSE 0 END, {SUMS}
                 FROM ({OWN}) own JOIN judged_sums s ON s.game = own.id AND s.color = own.color GROUP BY 1, 2"
            );
            let sums = sums_of(connection, &sql, params![person])?;
            let count = format!(
                "SELECT count(DISTINCT own.id), count(DISTINCT j.game) FROM ({OWN}) own LEFT JOIN judged_games j ON j.game = own.id"
            );
            let (games, judged) =
                connection.prepare_cached(&count)?.query_row([person], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let timed = format!(
                "SELECT count(DISTINCT own.id) FROM ({OWN}) own
                 JOIN judged_sums s ON s.game = own.id AND s.color = own.color AND s.class IN (?2, ?3)"
            );
            let [hurried, unhurried] = [MoveClass::Hurried, MoveClass::Unhurried].map(|class| class as i64);
            let timed = connection
                .prepare_cached(&timed)?
                .query_row(params![person, hurried, unhurried], |row| row.get(0))?;
            Ok(PlayerSums { games, judged, timed, sums })
        })
    }

    /// A player's moves of a class before, during and after its training, and of all classes beside it, without positions
    /// that are among the cards. Days are those of a clock that is so many minutes ahead of UTC.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn training_sums(
        &self,
        name: &str,
        training: Training,
        minutes_ahead: i16,
    ) -> Result<Vec<ClassSum>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let class = training.class as i64;
            // Whoever met a trained position and erred there is left out with that move, in each class it is in.
            let sql = format!(
                "WITH own AS (SELECT id, color, {DAY} AS day FROM ({OWN})),
                 trained AS (SELECT m.game, m.color, count(*) AS moves FROM cards c
                     JOIN judged_mistakes m ON m.position = c.position WHERE m.classes & ?2 GROUP BY m.game, m.color),
                 kept AS (SELECT own.day, s.class, s.moves - coalesce(t.moves, 0) AS moves,
                     s.mistakes - coalesce(t.moves, 0) AS mistakes, s.lost
                     FROM own JOIN judged_sums s ON s.game = own.id AND s.color = own.color AND s.class = ?3
                     LEFT JOIN trained t ON t.game = own.id AND t.color = own.color),
                 days AS (SELECT CAST(strftime('%Y%m%d', ?4 / 1000 + ?6 * 60, 'unixepoch') AS INTEGER) AS began,
                     CAST(strftime('%Y%m%d', ?5 / 1000 + ?6 * 60, 'unixepoch') AS INTEGER) AS ended)
                 SELECT class, CASE WHEN day < began THEN 0 WHEN ended IS NULL OR day <= ended THEN 1 ELSE 2 END, {SUMS}
                 FROM kept, days WHERE moves > 0 GROUP BY 1, 2"
            );
            let bit = training.class.bit();
            sums_of(connection, &sql, params![person, bit, class, training.began, training.ended, minutes_ahead])
        })
    }

    /// A player's mistakes of a class, the worst of the last games first.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_mistakes_of(&self, name: &str, class: MoveClass, limit: u32) -> Result<Vec<MistakeAt>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let sql = format!(
                "SELECT m.game, m.number, m.lost FROM
                     (SELECT id, color FROM ({OWN}) ORDER BY date DESC, id DESC LIMIT {MAX_GAMES}) own
                 JOIN judged_mistakes m ON m.game = own.id AND m.color = own.color
                 WHERE m.classes & ?2 ORDER BY m.lost DESC, m.game DESC, m.number LIMIT ?3"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![person, class.bit(), limit], |row| {
                Ok(MistakeAt { game: GameId::from_row(row.get(0)?), number: row.get(1)?, lost: row.get(2)? })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// What a player opens with: whole boards and corners, the most frequent first.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_openings(&self, name: &str) -> Result<Vec<OpeningSum>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let sql = format!(
                "SELECT count(*), sum(winner = o.color), sum(winner = 3 - o.color), avg(lost), max(o.game), number, line
                 FROM ({OWN}) own JOIN judged_openings o ON o.game = own.id AND o.color = own.color AND o.kind = ?2
                 GROUP BY line ORDER BY count(*) DESC, max(o.game) DESC LIMIT {MAX_OPENINGS}"
            );
            let mut found = Vec::new();
            for corner in [false, true] {
                let mut statement = connection.prepare_cached(&sql)?;
                let rows = statement.query_map(params![person, corner], |row| {
                    Ok(OpeningSum {
                        corner,
                        games: row.get(0)?,
                        wins: row.get(1)?,
                        losses: row.get(2)?,
                        lost: row.get(3)?,
                        game: GameId::from_row(row.get(4)?),
                        number: row.get(5)?,
                        line: row.get(6)?,
                    })
                })?;
                for one in rows {
                    found.push(one?);
                }
            }
            Ok(found)
        })
    }

    /// A player's mistakes within an opening, in all games with it, the worst first: of a corner those in joseki alone.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_opening_mistakes(
        &self,
        name: &str,
        corner: bool,
        line: &str,
        limit: u32,
    ) -> Result<Vec<MistakeAt>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let sql = format!(
                "SELECT m.game, m.number, m.lost FROM ({OWN}) own
                 JOIN judged_openings o ON o.game = own.id AND o.color = own.color AND o.kind = ?2 AND o.line = ?3
                 JOIN judged_mistakes m ON m.game = own.id AND m.color = own.color
                 WHERE m.number <= o.number AND (NOT ?2 OR m.classes & ?4)
                 ORDER BY m.lost DESC, m.game DESC, m.number LIMIT ?5"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![person, corner, line, MoveClass::Joseki.bit(), limit], |row| {
                Ok(MistakeAt { game: GameId::from_row(row.get(0)?), number: row.get(1)?, lost: row.get(2)? })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Begins the training of a class; one that was over begins anew, one that goes on goes on.
    ///
    /// # Errors
    /// What the database says.
    pub fn begin_training(&self, class: MoveClass, now: Timestamp) -> Result<(), LibraryError> {
        self.writer()?.execute(
            "INSERT INTO trainings (class, began) VALUES (?1, ?2) ON CONFLICT (class) DO UPDATE
             SET began = excluded.began, ended = NULL WHERE ended IS NOT NULL",
            params![class as i64, now],
        )?;
        Ok(())
    }

    /// Ends the training of a class.
    ///
    /// # Errors
    /// What the database says.
    pub fn end_training(&self, class: MoveClass, now: Timestamp) -> Result<(), LibraryError> {
        self.writer()?.execute(
            "UPDATE trainings SET ended = ?2 WHERE class = ?1 AND ended IS NULL",
            params![class as i64, now],
        )?;
        Ok(())
    }

    /// The trainings, the last begun first.
    ///
    /// # Errors
    /// What the database says.
    pub fn trainings(&self) -> Result<Vec<Training>, LibraryError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT class, began, ended FROM trainings ORDER BY began DESC, class")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let mut found = Vec::new();
            for row in rows {
                let (class, began, ended) = row?;
                found.extend(MoveClass::of_code(class).map(|class| Training { class, began, ended }));
            }
            Ok(found)
        })
    }

    /// How deep the review was that judged every move of a game as it is now; `None` where there was none.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`].
    pub fn judged_depth(&self, game: &GameId) -> Result<Option<JudgedDepth>, LibraryError> {
        let row = game.row()?;
        self.read(|connection| depth_of(connection, row))
    }
}

/// Whether what a review found of the main line of one record holds for that of the other: the same moves after the same
/// start, under the same rules, komi and count of handicap stones.
pub(crate) fn is_judged_alike(one: &GameTree, other: &GameTree) -> bool {
    // Stones that are set up in mid-game start the game anew: what went before is in the track.
    let track = |tree: &GameTree| Track::of(tree, &GameInfo::of(tree)).0;
    let end = |tree: &GameTree| replay(tree, tree.line_from(tree.root()).last().unwrap_or(tree.root())).game;
    let (ended, other_ended) = (end(one), end(other));
    ended.setup() == other_ended.setup() && ended.turns() == other_ended.turns() && track(one) == track(other)
}

pub(crate) fn is_judged(connection: &Connection, row: i64) -> Result<bool, LibraryError> {
    Ok(depth_of(connection, row)?.is_some())
}

fn depth_of(connection: &Connection, row: i64) -> Result<Option<JudgedDepth>, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT visits, network FROM judged_games WHERE game = ?1")?;
    let depth =
        statement.query_row([row], |row| Ok(JudgedDepth { visits: row.get(0)?, network: row.get(1)? })).optional()?;
    Ok(depth)
}

fn code(color: Color) -> i64 {
    if color == Color::Black { 1 } else { 2 }
}

fn sums_of(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<Vec<ClassSum>, LibraryError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(class) = MoveClass::of_code(row.get(0)?) else { continue };
        found.push(ClassSum {
            class,
            when: row.get(1)?,
            games: row.get(2)?,
            moves: row.get(3)?,
            mistakes: row.get(4)?,
            lost: row.get(5)?,
            squares: [row.get(6)?, row.get(7)?, row.get(8)?],
        });
    }
    Ok(found)
}
