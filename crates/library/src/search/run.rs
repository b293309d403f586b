//! Running a search over all games on several threads, with answers while it runs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use honinbo_rules::{Color, Symmetry};

use super::pattern::{Found, Matcher, NextPoint, Scratch, Step};
use super::position::PositionMatcher;
use super::tally::{Continuation, Line, Tally};
use super::tree::{TreeMove, tree};
use super::variant::turn;
use crate::error::{LibraryError, PatternError};
use crate::facts::RowSet;
use crate::id::GameId;
use crate::index::{Entry, GONE, Group, Segment};
use crate::open::Library;
use crate::pattern_query::PatternQuery;
use crate::query::GameFilter;

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

/// A game that was found, as threads hand it on.
#[derive(Clone, Copy)]
struct Hit {
    row: i64,
    time: u16,
    swapped: bool,
}

/// What one thread found, added up as it goes: of a million games found, few are ever reported one by one.
struct Harvest {
    found: u32,
    wins: [u32; 2],
    /// One for each colour and point of the pattern, the pass behind them.
    tallies: Vec<Tally>,
    /// The games that were added first, `max_hits` of them and some more.
    first: Vec<Hit>,
    max_hits: usize,
    /// Games added later than this one are not among the first.
    last_row: i64,
    /// Every game, for a query that asks for a tree.
    lines: Vec<Line>,
}

impl Harvest {
    fn new(query: &PatternQuery) -> Self {
        Self {
            found: 0,
            wins: [0; 2],
            tallies: vec![Tally::default(); 2 * (query.cells.len() + 1)],
            first: Vec::new(),
            max_hits: query.max_hits,
            last_row: i64::MAX,
            lines: Vec::new(),
        }
    }

    fn add(&mut self, query: &PatternQuery, entry: &Entry, found: Found) -> Hit {
        let hit = Hit { row: entry.row, time: found.time, swapped: found.swapped };
        let tally = Tally::of_game(entry, found.swapped);
        self.found += 1;
        self.wins = [self.wins[0] + tally.wins[0], self.wins[1] + tally.wins[1]];
        if let Some((color, next)) = found.next {
            let n_points = query.cells.len() + 1;
            let at = match next {
                NextPoint::At(x, y) => usize::from(y) * query.width + usize::from(x),
                NextPoint::Pass => n_points - 1,
            };
            self.tallies[color.index() * n_points + at].add(&tally);
        }
        if hit.row <= self.last_row {
            self.first.push(hit);
            if self.first.len() >= self.max_hits.saturating_mul(2).saturating_add(FIRST_PART) {
                self.keep_first();
            }
        }
        if query.tree_depth > 0 {
            let steps = found.next.into_iter().chain(found.more).collect();
            self.lines.push(Line { row: entry.row, tally, steps });
        }
        hit
    }

    fn keep_first(&mut self) {
        self.first.sort_unstable_by_key(|hit| hit.row);
        self.first.truncate(self.max_hits);
        if self.first.len() == self.max_hits {
            self.last_row = self.first.last().map_or(i64::MIN, |hit| hit.row);
        }
    }

    fn join(&mut self, other: Self) {
        self.found += other.found;
        self.wins = [self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]];
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(tally, other)| tally.add(other));
        self.first.extend(other.first);
        self.keep_first();
        self.lines.extend(other.lines);
    }
}

/// What threads report while they search.
enum Update {
    /// So many games were looked at, so many found; of those some, as long as the caller wants more.
    Part { searched: u32, found: u32, hits: Vec<Hit> },
    /// All that one thread found.
    End(Box<Harvest>),
}

impl Library {
    /// Finds a pattern or position in the main lines of all games.
    ///
    /// The first search after opening reads the games into memory, 380 bytes each. `progress` is given new hits while
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
            Some(RowSet::new(self.rows_matching(&query.filter)?))
        };
        let matcher = if query.is_position() {
            AnyMatcher::Position(PositionMatcher::new(query))
        } else {
            AnyMatcher::Pattern(Matcher::new(query))
        };
        let mut outcome = Outcome { harvest: Harvest::new(query), searched: 0, complete: true };
        if let Some(group) = index.group(query.size, query.topology) {
            outcome = Search { group, query, matcher: &matcher, allowed: allowed.as_ref() }.run(progress);
        }
        Ok(summarise(query, &matcher, outcome))
    }
}

struct Search<'s> {
    group: &'s Group,
    query: &'s PatternQuery,
    matcher: &'s AnyMatcher,
    allowed: Option<&'s RowSet>,
}

struct Outcome {
    harvest: Harvest,
    searched: u32,
    complete: bool,
}

impl Search<'_> {
    fn run(&self, progress: &mut dyn FnMut(SearchProgress<'_>) -> ControlFlow<()>) -> Outcome {
        let segments = &self.group.segments;
        let total = segments.iter().map(|segment| segment.games.len()).sum::<usize>() as u32;
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(segments.len()).max(1);
        let (next, stop, n_told) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
        let (sender, receiver) = channel::<Update>();
        let mut outcome = Outcome { harvest: Harvest::new(self.query), searched: 0, complete: true };
        let mut found_so_far = 0;
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                let (sender, next, stop, n_told) = (sender.clone(), &next, &stop, &n_told);
                scope.spawn(move || {
                    let harvest = self.search_segments(next, stop, n_told, &sender);
                    // A failure means that nobody listens any more.
                    drop(sender.send(Update::End(Box::new(harvest))));
                });
            }
            drop(sender);
            for update in receiver {
                let (searched, found, hits) = match update {
                    Update::Part { searched, found, hits } => (searched, found, hits),
                    Update::End(harvest) => {
                        outcome.harvest.join(*harvest);
                        continue;
                    }
                };
                outcome.searched += searched;
                found_so_far += found;
                if !outcome.complete {
                    continue;
                }
                let new_hits: Vec<SearchHit> = hits.iter().map(SearchHit::from).collect();
                let update =
                    SearchProgress { searched: outcome.searched, total, found: found_so_far, new_hits: &new_hits };
                if progress(update).is_break() {
                    outcome.complete = false;
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        outcome.complete |= outcome.searched == total;
        outcome
    }

    fn search_segments(
        &self,
        next: &AtomicUsize,
        stop: &AtomicBool,
        n_told: &AtomicUsize,
        sender: &Sender<Update>,
    ) -> Harvest {
        let mut scratch = Scratch::default();
        let mut harvest = Harvest::new(self.query);
        // In parts, small ones at first, so that the first results are soon there.
        let mut part = FIRST_PART;
        while let Some(segment) = self.group.segments.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut first = 0;
            while first < segment.games.len() {
                if stop.load(Ordering::Relaxed) {
                    return harvest;
                }
                let games = first..(first + part).min(segment.games.len());
                first = games.end;
                part = (part * 2).min(MAX_PART);
                let searched = games.len() as u32;
                let before = harvest.found;
                let mut hits = Vec::new();
                for game in games {
                    let Some(hit) = self.search_game(segment, game, &mut harvest, &mut scratch) else { continue };
                    if n_told.load(Ordering::Relaxed) < self.query.max_hits
                        && n_told.fetch_add(1, Ordering::Relaxed) < self.query.max_hits
                    {
                        hits.push(hit);
                    }
                }
                let found = harvest.found - before;
                if sender.send(Update::Part { searched, found, hits }).is_err() {
                    return harvest;
                }
            }
        }
        harvest
    }

    fn search_game(&self, segment: &Segment, game: usize, harvest: &mut Harvest, scratch: &mut Scratch) -> Option<Hit> {
        let entry = &segment.games[game];
        if entry.row == GONE || self.allowed.is_some_and(|allowed| !allowed.contains(entry.row)) {
            return None;
        }
        let found = match self.matcher {
            AnyMatcher::Position(matcher) => matcher.find(self.group, segment, game, &mut scratch.board),
            AnyMatcher::Pattern(matcher) => matcher.find(self.group, segment, game, scratch),
        };
        Some(harvest.add(self.query, entry, found?))
    }
}

/// Games that a thread searches before it first reports what it found; twice as many before the next time.
const FIRST_PART: usize = 32;

/// Games that a thread searches at most before it reports what it found.
const MAX_PART: usize = 512;

impl From<&Hit> for SearchHit {
    fn from(hit: &Hit) -> Self {
        Self { id: GameId::from_row(hit.row), move_number: hit.time.into(), swapped: hit.swapped }
    }
}

fn summarise(query: &PatternQuery, matcher: &AnyMatcher, outcome: Outcome) -> SearchResult {
    let own_symmetries = match matcher {
        AnyMatcher::Position(matcher) => &matcher.own_symmetries,
        AnyMatcher::Pattern(matcher) => &matcher.own_symmetries,
    };
    let Outcome { mut harvest, searched, complete } = outcome;
    let [black_wins, white_wins] = harvest.wins;
    let found = harvest.found;
    let mut result = SearchResult { searched, found, black_wins, white_wins, complete, ..SearchResult::default() };
    let n_points = query.cells.len() + 1;
    let mut continuations: HashMap<Step, Tally> = HashMap::new();
    for (number, tally) in harvest.tallies.iter().enumerate().filter(|(_, tally)| tally.games > 0) {
        let (color, at) = (Color::ALL[number / n_points], number % n_points);
        let next = match at + 1 == n_points {
            true => NextPoint::Pass,
            false => NextPoint::At((at % query.width) as u16, (at / query.width) as u16),
        };
        let next = representative(next, own_symmetries, query.width, query.height);
        continuations.entry((color, next)).or_default().add(tally);
    }
    if query.tree_depth > 0 {
        harvest.lines.sort_unstable_by_key(|line| line.row);
        result.tree = tree(query, own_symmetries, &harvest.lines);
    }
    result.hits = harvest.first.iter().map(SearchHit::from).collect();
    result.continuations = continuations.into_iter().map(|((color, next), tally)| tally.of(color, next)).collect();
    result.continuations.sort_by_key(|c| (std::cmp::Reverse(c.games), c.color, c.point.map(|(x, y)| (y, x))));
    result
}

/// Of the points that the pattern's own symmetries make equal, the first one.
fn representative(next: NextPoint, symmetries: &[Symmetry], width: usize, height: usize) -> NextPoint {
    let NextPoint::At(x, y) = next else { return next };
    let images = symmetries.iter().map(|&symmetry| turn(symmetry, x.into(), y.into(), width, height));
    let first = images.map(|(x, y)| (y, x)).min();
    first.map_or(next, |(y, x)| NextPoint::At(x as u16, y as u16))
}

impl From<PatternError> for LibraryError {
    fn from(error: PatternError) -> Self {
        Self::BadPattern(error)
    }
}
