//! Running a search over all games on several threads, with answers while it runs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use honinbo_rules::{Color, Symmetry};

use super::index::{GONE, Group, Segment};
use super::pattern::{Found, Matcher, NextPoint, Scratch, turn};
use super::position::PositionMatcher;
use super::query::{PatternError, PatternQuery};
use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::query::{GameFilter, rows_matching};

/// A game in which the pattern stands.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The game.
    pub id: GameId,
    /// Moves played when the pattern first stands.
    pub move_number: u32,
    /// It stands with colours exchanged.
    pub swapped: bool,
}

/// How games went on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Continuation {
    /// `black` or `white`, in the colours of the pattern.
    pub color: &'static str,
    /// Column and row in the pattern from 0 at its top left; `None` is a pass. Of equivalent points, one.
    pub point: Option<(u32, u32)>,
    /// Games that went on here.
    pub games: u32,
    /// Won by the pattern's Black.
    pub black_wins: u32,
    /// Won by the pattern's White.
    pub white_wins: u32,
    /// Year of the earliest such game; 0 when none is dated.
    pub first_year: u32,
    /// Year of the latest.
    pub last_year: u32,
    /// Rank of the strongest player who was in such a game, as [`honinbo_record::Rank::strength`]; 0 unknown.
    pub strongest: u32,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Games looked at.
    pub searched: u32,
    /// Games found.
    pub found: u32,
    /// Of these, won by the pattern's Black.
    pub black_wins: u32,
    /// Of these, won by the pattern's White.
    pub white_wins: u32,
    /// The first ones, in the order they were added.
    pub hits: Vec<SearchHit>,
    /// How they went on, most frequent first.
    pub continuations: Vec<Continuation>,
    /// The ways on as a tree, most frequent first at each place, each move behind the one it follows; empty unless the
    /// query asks for it.
    pub tree: Vec<TreeMove>,
    /// False when the caller stopped the search.
    pub complete: bool,
}

/// A move of the tree of continuations.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeMove {
    /// Place in the list of the move that it follows; `None`: it follows the pattern itself.
    pub parent: Option<u32>,
    /// The move, and what became of the games.
    #[serde(flatten)]
    pub continuation: Continuation,
}

/// How far a search has come, and what it found since the last report.
#[derive(Debug)]
pub struct SearchProgress<'a> {
    /// Games looked at.
    pub searched: u32,
    /// Games to look at.
    pub total: u32,
    /// Games found so far.
    pub found: u32,
    /// Hits that are new, in no order, until there are as many as the query asks for.
    pub new_hits: &'a [SearchHit],
}

enum AnyMatcher {
    Position(PositionMatcher),
    Pattern(Matcher),
}

pub(super) struct Hit {
    row: i64,
    pub(super) found: Found,
    winner: u8,
    date: u32,
    rank: u8,
}

impl Hit {
    /// One game, in the colours of the pattern.
    pub(super) fn tally(&self) -> Tally {
        let winner = match (self.winner, self.found.swapped) {
            (0, _) => 0,
            (winner, false) => winner,
            (winner, true) => 3 - winner,
        };
        let wins = [u32::from(winner == 1), u32::from(winner == 2)];
        Tally { games: 1, wins, years: (self.date / 10_000, self.date / 10_000), strongest: self.rank }
    }
}

impl Library {
    /// Finds a pattern or position in the main lines of all games.
    ///
    /// The first search after opening reads the games into memory, 380 bytes each. `progress` is told new hits while
    /// the search runs, first after a few thousand games, and may stop it.
    ///
    /// # Errors
    /// A pattern that cannot be, and what the database says.
    pub fn search(
        &self,
        query: &PatternQuery,
        progress: &mut dyn FnMut(SearchProgress<'_>) -> ControlFlow<()>,
    ) -> Result<SearchResult, LibraryError> {
        query.check()?;
        let index = self.search_index()?;
        let allowed = if query.filter == GameFilter::default() {
            None
        } else {
            Some(RowSet::new(self.read(|connection| rows_matching(connection, &query.filter))?))
        };
        let matcher = if query.is_position() {
            AnyMatcher::Position(PositionMatcher::new(query))
        } else {
            AnyMatcher::Pattern(Matcher::new(query))
        };
        let mut hits = Vec::new();
        let (mut searched, mut complete) = (0, true);
        if let Some(group) = index.group(query.size, query.topology) {
            (searched, complete) = run(group, &matcher, allowed.as_ref(), query.max_hits, &mut hits, progress);
        }
        hits.sort_unstable_by_key(|hit: &Hit| hit.row);
        Ok(summarise(query, &matcher, &hits, searched, complete))
    }
}

fn run(
    group: &Group,
    matcher: &AnyMatcher,
    allowed: Option<&RowSet>,
    max_hits: usize,
    hits: &mut Vec<Hit>,
    progress: &mut dyn FnMut(SearchProgress<'_>) -> ControlFlow<()>,
) -> (u32, bool) {
    let total = group.segments.iter().map(|segment| segment.games.len()).sum::<usize>() as u32;
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(group.segments.len()).max(1);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel::<(u32, Vec<Hit>)>();
    let (mut searched, mut complete) = (0, true);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                loop {
                    let Some(segment) = group.segments.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    // In parts, so that the first results are soon there.
                    for first in (0..segment.games.len()).step_by(PART) {
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let games = first..(first + PART).min(segment.games.len());
                        let n_games = games.len() as u32;
                        let found = search_part(group, segment, games, matcher, allowed, &mut scratch);
                        if sender.send((n_games, found)).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        for (games, found) in receiver {
            searched += games;
            let wanted = max_hits.saturating_sub(hits.len());
            let new_hits: Vec<SearchHit> = found.iter().take(wanted).map(SearchHit::from).collect();
            hits.extend(found);
            let found = u32::try_from(hits.len()).unwrap_or(u32::MAX);
            if complete && progress(SearchProgress { searched, total, found, new_hits: &new_hits }).is_break() {
                complete = false;
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    (searched, complete || searched == total)
}

/// Games that a thread searches before it tells what it found.
const PART: usize = 512;

fn search_part(
    group: &Group,
    segment: &Segment,
    games: std::ops::Range<usize>,
    matcher: &AnyMatcher,
    allowed: Option<&RowSet>,
    scratch: &mut Scratch,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    for game in games {
        let entry = &segment.games[game];
        if entry.row == GONE || allowed.is_some_and(|allowed| !allowed.contains(entry.row)) {
            continue;
        }
        let found = match matcher {
            AnyMatcher::Position(matcher) => matcher.find(group, segment, game, &mut scratch.board),
            AnyMatcher::Pattern(matcher) => matcher.find(group, segment, game, scratch),
        };
        if let Some(found) = found {
            hits.push(Hit { row: entry.row, found, winner: entry.winner, date: entry.date, rank: entry.rank });
        }
    }
    hits
}

impl From<&Hit> for SearchHit {
    fn from(hit: &Hit) -> Self {
        Self { id: GameId::from_row(hit.row), move_number: hit.found.time.into(), swapped: hit.found.swapped }
    }
}

fn summarise(query: &PatternQuery, matcher: &AnyMatcher, hits: &[Hit], searched: u32, complete: bool) -> SearchResult {
    let own_symmetries = match matcher {
        AnyMatcher::Position(matcher) => &matcher.own_symmetries,
        AnyMatcher::Pattern(matcher) => &matcher.own_symmetries,
    };
    let mut result = SearchResult { searched, found: hits.len() as u32, complete, ..SearchResult::default() };
    // One tally for each colour and point, the pass behind them: there can be millions of hits.
    let n_points = query.cells.len() + 1;
    let mut tallies = vec![Tally::default(); 2 * n_points];
    for hit in hits {
        let own = hit.tally();
        let wins = own.wins;
        result.black_wins += wins[0];
        result.white_wins += wins[1];
        let Some(&(color, next)) = hit.found.next.first() else { continue };
        let at = match next {
            NextPoint::At(x, y) => usize::from(y) * query.width + usize::from(x),
            NextPoint::Pass => n_points - 1,
        };
        let tally = &mut tallies[color.index() * n_points + at];
        tally.add(&own);
    }
    let mut continuations: HashMap<(Color, NextPoint), Tally> = HashMap::new();
    for (number, tally) in tallies.iter().enumerate().filter(|(_, tally)| tally.games > 0) {
        let (color, at) = (Color::ALL[number / n_points], number % n_points);
        let next = match at + 1 == n_points {
            true => NextPoint::Pass,
            false => NextPoint::At((at % query.width) as u16, (at / query.width) as u16),
        };
        let next = representative(next, own_symmetries, query.width, query.height);
        continuations.entry((color, next)).or_default().add(tally);
    }
    if query.tree_depth > 0 {
        result.tree = super::tree::tree(query, own_symmetries, hits);
    }
    result.hits = hits.iter().take(query.max_hits).map(SearchHit::from).collect();
    result.continuations = continuations.into_iter().map(|((color, next), tally)| tally.of(color, next)).collect();
    result.continuations.sort_by_key(|c| (std::cmp::Reverse(c.games), c.color, c.point.map(|(x, y)| (y, x))));
    result
}

#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) games: u32,
    wins: [u32; 2],
    /// First and last, 0 unknown.
    years: (u32, u32),
    strongest: u8,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.wins = [self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]];
        self.years.0 = match (self.years.0, other.years.0) {
            (0, year) | (year, 0) => year,
            (a, b) => a.min(b),
        };
        self.years.1 = self.years.1.max(other.years.1);
        self.strongest = self.strongest.max(other.strongest);
    }

    pub(super) fn of(self, color: Color, next: NextPoint) -> Continuation {
        Continuation {
            color: if color == Color::Black { "black" } else { "white" },
            point: match next {
                NextPoint::At(x, y) => Some((x.into(), y.into())),
                NextPoint::Pass => None,
            },
            games: self.games,
            black_wins: self.wins[0],
            white_wins: self.wins[1],
            first_year: self.years.0,
            last_year: self.years.1,
            strongest: self.strongest.into(),
        }
    }
}

/// Of the points that the pattern's own symmetries make equal, the first one.
fn representative(next: NextPoint, symmetries: &[Symmetry], width: usize, height: usize) -> NextPoint {
    let NextPoint::At(x, y) = next else { return next };
    let images = symmetries.iter().map(|&symmetry| turn(symmetry, x.into(), y.into(), width, height));
    let first = images.map(|(x, y)| (y, x)).min();
    first.map_or(next, |(y, x)| NextPoint::At(x as u16, y as u16))
}

/// Rows of a filter, a bit each.
struct RowSet(Vec<u64>);

impl RowSet {
    fn new(rows: Vec<i64>) -> Self {
        let last = rows.iter().copied().max().unwrap_or(0);
        let mut bits = vec![0u64; usize::try_from(last / 64 + 1).unwrap_or(0)];
        for row in rows {
            if let Some(word) = usize::try_from(row / 64).ok().and_then(|word| bits.get_mut(word)) {
                *word |= 1 << (row % 64);
            }
        }
        Self(bits)
    }

    fn contains(&self, row: i64) -> bool {
        usize::try_from(row / 64)
            .ok()
            .and_then(|word| self.0.get(word))
            .is_some_and(|word| word & (1 << (row % 64)) != 0)
    }
}

impl From<PatternError> for LibraryError {
    fn from(error: PatternError) -> Self {
        Self::BadPattern(error)
    }
}
