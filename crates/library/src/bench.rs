//! Measuring the library: what `honinbo bench library` reports.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use honinbo_rules::{Board, BoardSize, Color, Move, Point, Topology};

use crate::error::LibraryError;
use crate::evaluations::{EvaluationContext, StoredCandidate, StoredEvaluation};
use crate::import::ImportOptions;
use crate::open::Library;
use crate::query::{GameQuery, SortBy};
use crate::search::{Anchor, Cell, PatternQuery};
use crate::track::TrackReader;

/// Times of one kind of work.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Timing {
    /// What was done.
    pub work: &'static str,
    /// How often.
    pub runs: u32,
    /// Half of the runs were quicker, in milliseconds.
    pub median_ms: f64,
    /// All but one in twenty were quicker.
    pub p95_ms: f64,
    /// The slowest.
    pub max_ms: f64,
}

/// What a benchmark of the library measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryBench {
    /// Games in the library that was measured.
    pub games: u32,
    /// Seconds that importing them took; `None` when they were there already.
    pub import_s: Option<f64>,
    /// Games found to be there already while importing.
    pub duplicates: u32,
    /// Size of the file in bytes for each game, text, indexes and all.
    pub bytes_per_game: f64,
    /// Seconds from opening the file to the first page of its list.
    pub first_page_s: f64,
    /// Seconds to read the games into memory for searching positions.
    pub index_s: f64,
    /// Searches and lists.
    pub timings: Vec<Timing>,
    /// Largest memory of the process until then in MiB, where the system tells.
    pub peak_memory_mib: Option<u32>,
    /// Cores the searches could use.
    pub cores: u32,
}

/// Searches of each kind.
const RUNS: usize = 100;

/// Imports files into a library, or takes the library as it is when there are none, and measures it.
///
/// # Errors
/// What importing and searching say.
pub fn bench_library(
    path: &std::path::Path,
    files: &[PathBuf],
    now: crate::save::Timestamp,
) -> Result<LibraryBench, LibraryError> {
    let mut import_s = None;
    let mut duplicates = 0;
    if !files.is_empty() {
        let library = Library::open(path)?;
        let start = Instant::now();
        let report = library.import(files, &ImportOptions::default(), now, &mut |_| ControlFlow::Continue(()))?;
        import_s = Some(start.elapsed().as_secs_f64());
        duplicates = report.duplicates;
    }
    let start = Instant::now();
    let library = Library::open(path)?;
    let newest = GameQuery { descending: true, limit: 100, ..GameQuery::default() };
    let page = library.list(&newest)?;
    let first_page_s = start.elapsed().as_secs_f64();
    let start = Instant::now();
    drop(library.search_index()?);
    let index_s = start.elapsed().as_secs_f64();
    let stats = library.stats()?;
    let mut random = Random(0x5EED);
    let samples = sample_positions(&library, &mut random)?;
    let mut timings = Vec::new();
    for (work, range) in [
        ("whole board, 0 to 6 moves", 0..7),
        ("whole board, 7 to 30 moves", 7..31),
        ("whole board, 31 to 300 moves", 31..300),
    ] {
        timings.push(time(work, RUNS, |n| {
            let board = &samples[n % samples.len()];
            let length = range.start + (n * 7) % (range.end - range.start);
            let query = PatternQuery::position(&board.after(length));
            library.search(&query, &mut |_| ControlFlow::Continue(())).map(drop)
        })?);
    }
    timings.extend(time_patterns(&library, &samples, &mut random)?);
    for (work, sort) in [("list by date", SortBy::Date), ("list by Black's name", SortBy::Black)] {
        timings.push(time(work, RUNS, |n| {
            let query = GameQuery { sort, descending: n % 2 == 0, limit: 100, ..GameQuery::default() };
            library.list(&query).map(drop)
        })?);
    }
    let names: Vec<String> = page.games.iter().map(|game| game.black.clone()).collect();
    timings.push(time("text, a player's name", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Date, descending: true, limit: 100, ..GameQuery::default() };
        query.filter.text = names.get(n % names.len().max(1)).cloned().unwrap_or_default();
        library.list(&query).map(drop)
    })?);
    timings.push(time("text, one character", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Date, descending: true, limit: 100, ..GameQuery::default() };
        let name = names.get(n % names.len().max(1)).cloned().unwrap_or_default();
        query.filter.text = name.chars().next().map(String::from).unwrap_or_default();
        library.list(&query).map(drop)
    })?);
    timings.push(time_evaluations(path, &samples)?);
    Ok(LibraryBench {
        games: stats.games,
        import_s,
        duplicates,
        bytes_per_game: f64::from(stats.file_kib) * 1024.0 / f64::from(stats.games.max(1)),
        first_page_s,
        index_s,
        timings,
        peak_memory_mib: peak_memory_mib(),
        cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
    })
}

/// Looks evaluations up in a file of their own beside the library, which is removed: nothing made up gets into it.
fn time_evaluations(path: &std::path::Path, samples: &[Sample]) -> Result<Timing, LibraryError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".bench");
    let path = PathBuf::from(name);
    let remove = || {
        for end in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            drop(std::fs::remove_file(name));
        }
    };
    remove();
    let timing = (|| {
        let library = Library::open(&path)?;
        let komi = honinbo_rules::Komi::from_half_points(13);
        let context = EvaluationContext { network: "bench".into(), rules: "japanese".into(), komi };
        let boards: Vec<Board> = (0..5_000).map(|n| samples[n % samples.len()].after(n / samples.len() * 4)).collect();
        let candidates = (0..12u16).map(|n| StoredCandidate {
            played: Move::Place(Point::new(usize::from(n), 3)),
            visits: 40,
            black_win_prob: 0.5,
            black_lead: 0.5,
            prior: 0.1,
            line: vec![Move::Pass; 10],
        });
        let evaluation = StoredEvaluation {
            visits: 500,
            black_win_prob: 0.5,
            black_lead: 0.5,
            candidates: candidates.collect(),
            black_ownership: vec![0.5; 361],
        };
        let all: Vec<_> = boards.iter().map(|board| (board, Color::Black, &evaluation)).collect();
        library.store_evaluations(&context, &all, 0)?;
        time("evaluation looked up, with ownership", boards.len(), |n| {
            library.evaluation(&boards[n], Color::Black, &context).map(drop)
        })
    })();
    remove();
    timing
}

/// Patterns of stones cut out of real positions, with wildcards, anywhere and in corners, in any symmetry and colour.
fn time_patterns(library: &Library, samples: &[Sample], random: &mut Random) -> Result<[Timing; 2], LibraryError> {
    let queries: Vec<PatternQuery> =
        (0..RUNS).map(|n| sample_pattern(&samples[n % samples.len()], random, n)).collect();
    let mut first = Vec::with_capacity(RUNS);
    let all = time("pattern with wildcards, all results", RUNS, |n| {
        let start = Instant::now();
        let mut at_first = None;
        let found = library.search(&queries[n], &mut |progress| {
            if !progress.new_hits.is_empty() {
                at_first.get_or_insert_with(|| start.elapsed());
            }
            ControlFlow::Continue(())
        });
        first.push(at_first.unwrap_or_else(|| start.elapsed()).as_secs_f64() * 1000.0);
        found.map(drop)
    })?;
    Ok([Timing::of("pattern with wildcards, first results", first), all])
}

fn sample_pattern(sample: &Sample, random: &mut Random, n: usize) -> PatternQuery {
    let board = sample.after(20 + random.below(150));
    let size = board.size();
    let (width, height) = (3 + random.below(5), 3 + random.below(5));
    let corner = n.is_multiple_of(2);
    let (left, top) = if corner { (0, 0) } else { (random.below(19 - width), random.below(19 - height)) };
    let cells = (0..width * height).map(|at| {
        let content = board.get(Point::new(left + at % width, top + at / width));
        match (content, random.below(10)) {
            (_, 0 | 1) => Cell::Any,
            (None, 2) => Cell::BlackOrEmpty,
            (None, _) => Cell::Empty,
            (Some(Color::Black), _) => Cell::Black,
            (Some(Color::White), _) => Cell::White,
        }
    });
    PatternQuery {
        width,
        height,
        cells: cells.collect(),
        anchor: if corner { Anchor::Corner } else { Anchor::Anywhere },
        any_color: true,
        ..PatternQuery::position(&Board::new(size, Topology::Plane))
    }
}

/// The moves of a game of the library, to take positions from.
struct Sample {
    size: BoardSize,
    moves: Vec<(Color, Point)>,
}

impl Sample {
    fn after(&self, n_moves: usize) -> Board {
        let mut board = Board::new(self.size, Topology::Plane);
        for &(color, point) in self.moves.iter().take(n_moves) {
            board.clear_ko();
            // Tracks hold only moves that were played on a board: none is refused.
            let _ = board.play(color, point);
        }
        board
    }
}

fn sample_positions(library: &Library, random: &mut Random) -> Result<Vec<Sample>, LibraryError> {
    let index = library.search_index()?;
    let mut samples = Vec::new();
    if let Some(group) = index.group(BoardSize::NINETEEN, Topology::Plane) {
        for _ in 0..RUNS {
            let segment = &group.segments[random.below(group.segments.len())];
            let Some(mut reader): Option<TrackReader<'_>> = segment.track(random.below(segment.games.len())) else {
                continue;
            };
            if reader.n_setup > 0 {
                continue;
            }
            let area = group.size.area();
            let moves = (0..reader.n_moves).filter_map(|_| reader.next_move());
            let placed = moves.filter(|(_, at)| usize::from(*at) < area);
            let moves = placed.map(|(color, at)| (color, Point::from_index(at.into(), group.size))).collect();
            samples.push(Sample { size: group.size, moves });
        }
    }
    if samples.is_empty() {
        samples.push(Sample { size: BoardSize::NINETEEN, moves: Vec::new() });
    }
    Ok(samples)
}

impl Timing {
    fn of(work: &'static str, mut times_ms: Vec<f64>) -> Self {
        times_ms.sort_by(f64::total_cmp);
        let at = |part: usize| times_ms.get((times_ms.len() * part / 100).min(times_ms.len().saturating_sub(1)));
        let at = |part: usize| at(part).copied().unwrap_or(0.0);
        Self { work, runs: times_ms.len() as u32, median_ms: at(50), p95_ms: at(95), max_ms: at(100) }
    }
}

fn time(
    work: &'static str,
    runs: usize,
    mut run: impl FnMut(usize) -> Result<(), LibraryError>,
) -> Result<Timing, LibraryError> {
    let mut times = Vec::with_capacity(runs);
    for n in 0..runs {
        let start = Instant::now();
        run(n)?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(Timing::of(work, times))
}

fn peak_memory_mib() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kib: u32 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// xorshift64*: the same samples on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}
