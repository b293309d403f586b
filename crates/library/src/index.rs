//! What position searches run over: the main lines of all games, in memory.
//!
//! A game takes its packed track (about 270 bytes), two sets of points that ever held a black and a white stone, and
//! 16 bytes. The packed form is read on the fly, which costs less than the memory traffic of an unpacked one.

use std::collections::HashSet;
use std::sync::Arc;

use honinbo_rules::{BoardSize, Color, Topology};
use rusqlite::Connection;

use crate::error::LibraryError;
use crate::follow::FollowsGames;
use crate::track::TrackReader;

/// Games of one segment: the unit that threads take.
pub(crate) const SEGMENT: usize = 2_048;

/// All games of a library, for searching.
#[derive(Default, Clone)]
pub(crate) struct SearchIndex {
    pub(crate) groups: Vec<Group>,
    pub(crate) last_row: i64,
    /// Number of the last change that it knows.
    last_touch: i64,
}

/// Games on one kind of board.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) size: BoardSize,
    pub(crate) topology: Topology,
    /// Full ones are shared between an index and its successor.
    pub(crate) segments: Vec<Arc<Segment>>,
}

/// Some games of a group.
#[derive(Clone, Default)]
pub(crate) struct Segment {
    pub(crate) games: Vec<Entry>,
    /// Packed tracks, one after the other, and eight bytes that reads may run into.
    pub(crate) tracks: Vec<u8>,
    /// For each game the points that ever held a black stone, then those that ever held a white one.
    pub(crate) ever: Vec<u64>,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) row: i64,
    pub(crate) track: u32,
    /// 0 unknown.
    pub(crate) year: u16,
    /// 0 nobody, 1 Black, 2 White.
    pub(crate) winner: u8,
    /// Rank of the stronger player, 0 unknown.
    pub(crate) rank: u8,
}

/// In place of the row of a game that was changed or deleted since.
pub(crate) const GONE: i64 = 0;

/// What the index keeps of games, with the condition that they are not in the bin.
const GAMES: &str = "SELECT g.id, g.winner, g.date, max(g.black_rank, g.white_rank), r.track
    FROM games g JOIN records r ON r.game = g.id WHERE g.deleted IS NULL";

/// Numbers of the first and the last change that the library remembers.
fn touches(connection: &Connection) -> Result<(i64, i64), LibraryError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM touched")?;
    Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

pub(crate) const PADDING: usize = 8;

pub(crate) fn words(size: BoardSize) -> usize {
    size.area().div_ceil(64)
}

impl Segment {
    /// The points that ever held a stone of this colour.
    pub(crate) fn ever(&self, game: usize, color: Color, words: usize) -> &[u64] {
        let start = (game * 2 + color.index()) * words;
        &self.ever[start..start + words]
    }

    pub(crate) fn track(&self, game: usize) -> Option<TrackReader<'_>> {
        TrackReader::new(self.tracks.get(self.games[game].track as usize..)?)
    }

    /// Adds a game; a damaged one is left out.
    fn push(&mut self, mut entry: Entry, packed: &[u8], words: usize) {
        let Some(mut reader) = TrackReader::new(packed) else { return };
        let start = self.ever.len();
        self.ever.resize(start + 2 * words, 0);
        let area = reader.size.area();
        let (n_setup, n_moves) = (reader.n_setup, reader.n_moves);
        for n in 0..n_setup + n_moves {
            let stone = if n < n_setup { reader.next_setup() } else { reader.next_move() };
            let Some((color, at)) = stone.filter(|(_, at)| usize::from(*at) <= area) else {
                self.ever.truncate(start);
                return;
            };
            if usize::from(at) < area {
                self.ever[start + color.index() * words + usize::from(at) / 64] |= 1 << (at % 64);
            }
        }
        self.tracks.truncate(self.tracks.len().saturating_sub(PADDING));
        entry.track = u32::try_from(self.tracks.len()).unwrap_or(u32::MAX);
        self.tracks.extend_from_slice(packed);
        self.tracks.extend_from_slice(&[0; PADDING]);
        self.games.push(entry);
    }
}

impl FollowsGames for SearchIndex {
    fn load(connection: &Connection) -> Result<Self, LibraryError> {
        let mut index = Self { last_touch: touches(connection)?.1, ..Self::default() };
        index.load_new(connection)?;
        Ok(index)
    }

    fn is_current(&self, connection: &Connection) -> Result<bool, LibraryError> {
        let newest: Option<i64> =
            connection.prepare_cached("SELECT max(id) FROM games")?.query_row([], |row| row.get(0))?;
        Ok(newest.unwrap_or(0) <= self.last_row && touches(connection)?.1 == self.last_touch)
    }

    fn follow(&mut self, connection: &Connection) -> Result<bool, LibraryError> {
        let (first, last) = touches(connection)?;
        if last != self.last_touch {
            if last < self.last_touch || first > self.last_touch + 1 {
                return Ok(false);
            }
            let mut statement = connection.prepare_cached("SELECT DISTINCT game FROM touched WHERE id > ?1")?;
            let rows: HashSet<i64> =
                statement.query_map([self.last_touch], |row| row.get(0))?.collect::<Result<_, _>>()?;
            self.forget(&rows);
            let mut again: Vec<i64> = rows.into_iter().filter(|row| *row <= self.last_row).collect();
            again.sort_unstable();
            let mut one = connection.prepare_cached(&format!("{GAMES} AND g.id = ?1"))?;
            for row in again {
                self.add_all(one.query([row])?)?;
            }
            self.last_touch = last;
        }
        self.load_new(connection)?;
        Ok(true)
    }
}

impl SearchIndex {
    /// Takes games out; their places stay empty.
    fn forget(&mut self, rows: &HashSet<i64>) {
        for segment in self.groups.iter_mut().flat_map(|group| &mut group.segments) {
            if segment.games.iter().any(|entry| rows.contains(&entry.row)) {
                let games = &mut Arc::make_mut(segment).games;
                games.iter_mut().filter(|entry| rows.contains(&entry.row)).for_each(|entry| entry.row = GONE);
            }
        }
    }

    /// Adds the games that came after the last one this index has.
    fn load_new(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let mut statement = connection.prepare_cached(&format!("{GAMES} AND g.id > ?1 ORDER BY g.id"))?;
        self.add_all(statement.query([self.last_row])?)?;
        for group in &mut self.groups {
            if let Some(last) = group.segments.last_mut().and_then(Arc::get_mut) {
                last.games.shrink_to_fit();
                last.tracks.shrink_to_fit();
                last.ever.shrink_to_fit();
            }
        }
        Ok(())
    }

    fn add_all(&mut self, mut rows: rusqlite::Rows<'_>) -> Result<(), LibraryError> {
        while let Some(row) = rows.next()? {
            let year = u16::try_from(row.get::<_, u32>(2)? / 10_000).unwrap_or(0);
            let entry = Entry { row: row.get(0)?, track: 0, year, winner: row.get(1)?, rank: row.get(3)? };
            self.last_row = self.last_row.max(entry.row);
            let packed = row.get_ref(4)?.as_blob().unwrap_or_default();
            // A damaged track is the check's business, not the search's.
            let Some(reader) = TrackReader::new(packed) else { continue };
            let (size, topology) = (reader.size, reader.topology);
            let found = self.groups.iter().position(|group| group.size == size && group.topology == topology);
            let group = found.unwrap_or_else(|| {
                self.groups.push(Group { size, topology, segments: Vec::new() });
                self.groups.len() - 1
            });
            let segments = &mut self.groups[group].segments;
            if segments.last().is_none_or(|segment| segment.games.len() >= SEGMENT) {
                segments.push(Arc::default());
            }
            let last = segments.len() - 1;
            Arc::make_mut(&mut segments[last]).push(entry, packed, words(size));
        }
        Ok(())
    }

    pub(crate) fn group(&self, size: BoardSize, topology: Topology) -> Option<&Group> {
        self.groups.iter().find(|group| group.size == size && group.topology == topology)
    }
}
