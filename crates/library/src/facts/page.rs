//! Going through all games: those that meet a filter, and a page of them in some order.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::filter::{Chosen, Filter};
use super::{Facts, FactsIndex, Segment};
use crate::query::SortBy;

/// Threads that look through the games, at most.
const MAX_THREADS: usize = 8;
/// Segments below which one thread is quicker than several.
const MIN_SHARED_SEGMENTS: usize = 24;

/// A page of the games that meet a filter.
pub(crate) struct PageOf {
    /// Rows of the games, in order.
    pub(crate) rows: Vec<i64>,
    /// Games that meet the filter, in all.
    pub(crate) total: usize,
}

/// Which games of a list are wanted, and in which order.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub(crate) sort: SortBy,
    pub(crate) descending: bool,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

impl FactsIndex {
    /// A page of the games that meet a filter.
    pub(crate) fn page(&self, filter: &Filter, order: Order) -> PageOf {
        let places = match order.sort {
            SortBy::Black | SortBy::White => self.names.places(),
            SortBy::Event => self.labels.places(),
            _ => &[],
        };
        let harvests = self.on_threads(|segments| {
            let mut harvest = Harvest::new(order.offset.saturating_add(order.limit));
            for segment in segments {
                harvest.add_all(segment, &filter.choose(segment), |game| key(game, order, places));
            }
            harvest
        });
        let mut all = Harvest::new(order.offset.saturating_add(order.limit));
        for harvest in harvests {
            all.total += harvest.total;
            harvest.kept.into_iter().for_each(|(key, row)| all.add(key, row));
        }
        let mut kept = all.kept;
        kept.sort_unstable();
        let rows = kept.into_iter().skip(order.offset).take(order.limit).map(|(_, row)| row).collect();
        PageOf { rows, total: all.total }
    }

    /// The rows of all games that meet a filter, in order.
    pub(crate) fn rows(&self, filter: &Filter) -> Vec<i64> {
        let parts = self.on_threads(|segments| {
            let mut found = Vec::new();
            for segment in segments {
                each(&filter.choose(segment), |at| found.push(segment.games[at].row));
            }
            found
        });
        let mut rows = parts.concat();
        // Which thread looked through what is left to chance.
        rows.sort_unstable();
        rows
    }

    /// Lets threads share the segments.
    fn on_threads<T: Send>(&self, work: impl Fn(&mut dyn Iterator<Item = &Segment>) -> T + Sync) -> Vec<T> {
        let segments = &self.segments;
        if segments.len() < MIN_SHARED_SEGMENTS {
            return vec![work(&mut segments.iter().map(AsRef::as_ref))];
        }
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let next = AtomicUsize::new(0);
        let work =
            || work(&mut std::iter::from_fn(|| Some(segments.get(next.fetch_add(1, Ordering::Relaxed))?.as_ref())));
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
            let mut parts = vec![work()];
            for other in others {
                match other.join() {
                    Ok(part) => parts.push(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            parts
        })
    }
}

/// What a game is sorted by, smallest first; its row decides between equal ones.
type Key = (i64, i64);

fn key(game: &Facts, order: Order, places: &[u32]) -> Key {
    let place = |text: u32| i64::from(places.get(text as usize).copied().unwrap_or(u32::MAX));
    let first = match order.sort {
        SortBy::Added => 0,
        SortBy::Changed => game.changed,
        SortBy::Date => game.date.into(),
        SortBy::Black => place(game.black),
        SortBy::White => place(game.white),
        SortBy::Moves => game.moves.into(),
        // Kind, then winner, then margin, an unknown one first.
        SortBy::Result => {
            let margin = i64::from(game.margin) - i64::from(i32::MIN);
            ((i64::from(game.result) * 256 + i64::from(game.winner)) << 32) + margin
        }
        SortBy::Event if game.event == 0 => -1,
        SortBy::Event => place(game.event),
        SortBy::Komi => game.komi.into(),
        // Boards of as many points by their columns.
        SortBy::Size => (i64::from(game.width) * i64::from(game.height)) * 256 + i64::from(game.width),
        SortBy::Rank => {
            let (black, white) = (i64::from(game.black_rank), i64::from(game.white_rank));
            black.min(white) * 256 + black.max(white)
        }
    };
    // All bits the other way round turn the order round, of the smallest number too.
    if order.descending { (!first, !game.row) } else { (first, game.row) }
}

fn each(chosen: &Chosen, mut found: impl FnMut(usize)) {
    for (at, &word) in chosen.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            found(at * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// The first games of an order, without keeping the others.
struct Harvest {
    /// Games that are wanted.
    wanted: usize,
    kept: Vec<(Key, i64)>,
    /// Games behind this one are not among the wanted.
    last: Key,
    total: usize,
}

impl Harvest {
    fn new(wanted: usize) -> Self {
        Self { wanted, kept: Vec::new(), last: (i64::MAX, i64::MAX), total: 0 }
    }

    fn add_all(&mut self, segment: &Segment, chosen: &Chosen, key: impl Fn(&Facts) -> Key) {
        each(chosen, |at| {
            let game = &segment.games[at];
            self.total += 1;
            self.add(key(game), game.row);
        });
    }

    fn add(&mut self, key: Key, row: i64) {
        if self.wanted == 0 || key > self.last {
            return;
        }
        self.kept.push((key, row));
        // Thinned out now and then, so that each game costs little and memory stays small.
        if self.kept.len() >= self.wanted.saturating_mul(2).saturating_add(1_000) {
            let (_, last, _) = self.kept.select_nth_unstable(self.wanted - 1);
            self.last = last.0;
            self.kept.truncate(self.wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{State, UNKNOWN};
    use crate::open::Library;
    use crate::query::GameFilter;

    /// More games than one thread looks through: every page is a piece of the whole sorted list.
    #[test]
    fn pages_of_many_games_are_pieces_of_the_whole_list() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let mut index = FactsIndex::default();
        let mut games = Vec::new();
        for row in 1..60_000i64 {
            let spread = row.wrapping_mul(0x9E37_79B9) as u64 % 65_537;
            let game = Facts {
                row,
                changed: (spread % 1_000) as i64,
                black: 0,
                white: 0,
                event: 0,
                place: 0,
                source: 0,
                rules: 0,
                date: (spread % 400) as u32,
                last_date: 0,
                margin: if spread.is_multiple_of(3) { UNKNOWN } else { (spread % 50) as i32 },
                komi: UNKNOWN,
                moves: (spread % 300) as u16,
                handicap: 0,
                width: 19,
                height: 19,
                result: (spread % 8) as u8,
                winner: (spread % 3) as u8,
                black_rank: 0,
                white_rank: 0,
                state: if spread.is_multiple_of(7) { State::InBin } else { State::Kept },
            };
            index.push(game, if spread.is_multiple_of(5) { "fifth" } else { "" });
            games.push(game);
        }
        assert!(index.segments.len() > MIN_SHARED_SEGMENTS);
        let asked = GameFilter { min_moves: Some(100), text: "IF".into(), ..GameFilter::default() };
        let filter = library.read(|connection| Filter::new(connection, &index, &asked)).unwrap();
        games.retain(|game| {
            let fifth = (game.row.wrapping_mul(0x9E37_79B9) as u64 % 65_537).is_multiple_of(5);
            game.state == State::Kept && game.moves >= 100 && fifth
        });
        assert_eq!(index.rows(&filter), games.iter().map(|game| game.row).collect::<Vec<_>>());
        for (sort, descending) in [(SortBy::Date, true), (SortBy::Moves, false), (SortBy::Result, true)] {
            games.sort_by_key(|game| match sort {
                SortBy::Date => (i64::from(game.date), 0, 0, game.row),
                SortBy::Moves => (i64::from(game.moves), 0, 0, game.row),
                _ => (i64::from(game.result), game.winner, game.margin, game.row),
            });
            if descending {
                games.reverse();
            }
            for (offset, limit) in
                [(0, 0), (0, 1), (0, 100), (90, 7), (3_000, 1_000), (games.len() - 5, 100), (99_999, 5)]
            {
                let page = index.page(&filter, Order { sort, descending, offset, limit });
                assert_eq!(page.total, games.len());
                let expected: Vec<i64> = games.iter().skip(offset).take(limit).map(|game| game.row).collect();
                assert_eq!(page.rows, expected, "{sort:?} {offset} {limit}");
            }
        }
    }
}
