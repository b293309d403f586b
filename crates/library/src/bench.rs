//! Measuring the library: what `honinbo bench library` reports.

mod cards;
mod vary;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Random, Topology};

use crate::error::LibraryError;
use crate::evaluations::EvaluationContext;
use crate::import::ImportOptions;
use crate::open::Library;
use crate::pattern_query::{Anchor, Cell, PatternQuery};
use crate::query::{GameQuery, SortBy};
use crate::track::TrackReader;

pub use cards::{CardsBench, bench_cards};

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
    /// Processor time of it on all cores, in seconds, where the system reports it; unlike the clock it does not count what
    /// other programs do.
    pub import_cpu_s: Option<f64>,
    /// The same for each round of the import, when there was more than one: whether the rate falls as the library grows.
    pub import_rounds: Vec<ImportRound>,
    /// Games found to be there already while importing.
    pub duplicates: u32,
    /// Largest memory of the process during the import in MiB, where the system reports it; `None` without one.
    pub import_memory_mib: Option<u32>,
    /// Size of the file in bytes for each game, text, indexes and all.
    pub bytes_per_game: f64,
    /// Seconds from opening the file to the first page of its list.
    pub first_page_s: f64,
    /// Seconds to read the games into memory for searching positions.
    pub index_s: f64,
    /// Seconds to read what lists are filtered and sorted by into memory.
    pub lists_s: f64,
    /// Searches and lists.
    pub timings: Vec<Timing>,
    /// Largest memory of the process until then in MiB, where the system reports it.
    pub peak_memory_mib: Option<u32>,
    /// Cores the searches could use.
    pub cores: u32,
}

/// One round of an import that takes the same games, varied, many times.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRound {
    /// Games stored in it.
    pub games: u32,
    /// By the clock.
    pub seconds: f64,
    /// Processor time on all cores, where the system reports it.
    pub cpu_s: Option<f64>,
}

/// Searches of each kind.
const RUNS: usize = 100;

/// Games above which a search that reads them all is not made so often.
const MAX_GAMES_FOR_ALL_RUNS: u32 = 200_000;

/// Imports files into a library, or takes the library as it is when there are none, and measures it. With `times` above
/// one the files are imported that often, each time but the first with their games varied.
///
/// # Errors
/// What importing and searching say.
pub fn bench_library(
    path: &std::path::Path,
    files: &[PathBuf],
    times: u32,
    now: crate::time::Timestamp,
) -> Result<LibraryBench, LibraryError> {
    let (rounds, duplicates) = import_rounds(path, files, times, now)?;
    let import_memory_mib = peak_memory_mib().filter(|_| !rounds.is_empty());
    let start = Instant::now();
    let library = Library::open(path)?;
    let newest = GameQuery { descending: true, limit: 100, ..GameQuery::default() };
    let page = library.list(&newest)?;
    let first_page_s = start.elapsed().as_secs_f64();
    let start = Instant::now();
    drop(library.search_index()?);
    let index_s = start.elapsed().as_secs_f64();
    let start = Instant::now();
    library.prepare_lists()?;
    let lists_s = start.elapsed().as_secs_f64();
    let stats = library.stats()?;
    let mut random = Random::new(0x5EED);
    let samples = sample_positions(&library, &mut random)?;
    let runs = if stats.games > MAX_GAMES_FOR_ALL_RUNS { RUNS / 2 } else { RUNS };
    let mut timings = Vec::new();
    for (work, range) in [
        ("whole board, 0 to 6 moves", 0..7),
        ("whole board, 7 to 30 moves", 7..31),
        ("whole board, 31 to 300 moves", 31..300),
    ] {
        timings.push(time(work, runs, |n| {
            let board = &samples[n % samples.len()];
            let length = range.start + (n * 7) % (range.end - range.start);
            let query = PatternQuery::position(&board.after(length));
            library.search(&query, &mut |_| ControlFlow::Continue(())).map(drop)
        })?);
    }
    let runs = if stats.games > MAX_GAMES_FOR_ALL_RUNS { RUNS / 5 } else { RUNS };
    timings.extend(time_patterns(&library, &samples, &mut random, runs)?);
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
    timings.push(time("text, a name in pinyin", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Date, descending: true, limit: 100, ..GameQuery::default() };
        query.filter.text = ["kejie", "guli", "zhang wei", "lsh"][n % 4].into();
        library.list(&query).map(drop)
    })?);
    timings.push(time("text, one character", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Date, descending: true, limit: 100, ..GameQuery::default() };
        let name = names.get(n % names.len().max(1)).cloned().unwrap_or_default();
        query.filter.text = name.chars().next().map(String::from).unwrap_or_default();
        library.list(&query).map(drop)
    })?);
    timings.push(time("filter: a player as Black, ten years, by resignation", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Date, descending: true, limit: 100, ..GameQuery::default() };
        query.filter.black = names.get(n % names.len().max(1)).cloned();
        query.filter.date_from = Some((1990 + n % 20).to_string());
        query.filter.date_to = Some((2000 + n % 20).to_string());
        query.filter.result = Some("resignation".into());
        library.list(&query).map(drop)
    })?);
    timings.push(time("filter: margin and length", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Added, descending: true, limit: 100, ..GameQuery::default() };
        query.filter.min_margin = Some((n % 20) as f64);
        query.filter.max_margin = Some((n % 20 + 3) as f64);
        query.filter.min_moves = Some(180 + (n % 7) as u32 * 10);
        library.list(&query).map(drop)
    })?);
    timings.push(time("filter: board, komi and winner, by length", RUNS, |n| {
        let mut query = GameQuery { sort: SortBy::Moves, descending: true, limit: 100, ..GameQuery::default() };
        query.filter.width = Some([19, 13, 9][n % 3]);
        query.filter.komi = Some([0.0, 3.75, 6.5, 7.5][n % 4]);
        query.filter.winner = Some(["black", "white"][n % 2].into());
        library.list(&query).map(drop)
    })?);
    timings.push(time_evaluations(path, &samples)?);
    let sum = |of: fn(&ImportRound) -> Option<f64>| rounds.iter().map(of).sum::<Option<f64>>();
    Ok(LibraryBench {
        games: stats.games,
        import_s: sum(|round| Some(round.seconds)).filter(|_| !rounds.is_empty()),
        import_cpu_s: sum(|round| round.cpu_s).filter(|_| !rounds.is_empty()),
        import_rounds: if rounds.len() > 1 { rounds } else { Vec::new() },
        import_memory_mib,
        duplicates,
        bytes_per_game: f64::from(stats.file_kib) * 1024.0 / f64::from(stats.games.max(1)),
        first_page_s,
        index_s,
        lists_s,
        timings,
        peak_memory_mib: peak_memory_mib(),
        cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
    })
}

/// Imports the files, then as often as wanted their games varied. Answers with the rounds and the duplicates.
fn import_rounds(
    path: &std::path::Path,
    files: &[PathBuf],
    times: u32,
    now: crate::time::Timestamp,
) -> Result<(Vec<ImportRound>, u32), LibraryError> {
    let (mut rounds, mut duplicates) = (Vec::new(), 0);
    if files.is_empty() {
        return Ok((rounds, duplicates));
    }
    let library = Library::open(path)?;
    for round in 0..times.max(1) {
        let mut varied = Vec::new();
        if round > 0 {
            for (number, file) in files.iter().enumerate() {
                let to = path.with_extension(format!("varied-{round}-{number}.sgf"));
                varied.push(to.clone());
                vary::write_varied(file, round, &to)?;
            }
        }
        let of_round = if round > 0 { &varied } else { files };
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let report = library.import(of_round, &ImportOptions::default(), now, &mut |_| ControlFlow::Continue(()))?;
        let cpu_s = cpu.zip(cpu_seconds()).map(|(before, after)| after - before);
        rounds.push(ImportRound { games: report.added, seconds: start.elapsed().as_secs_f64(), cpu_s });
        duplicates += report.duplicates;
        for file in varied {
            drop(std::fs::remove_file(file));
        }
    }
    Ok((rounds, duplicates))
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
        let candidates = (0..12u16).map(|n| CandidateEvaluation {
            played: Move::Place(Point::new(usize::from(n), 3)),
            visits: 40,
            black_win_prob: 0.5,
            black_lead: Some(0.5),
            prior: 0.1,
            line: vec![Move::Pass; 10],
        });
        let evaluation = PositionEvaluation {
            visits: 500,
            black_win_prob: 0.5,
            black_lead: Some(0.5),
            candidates: candidates.collect(),
            black_ownership: vec![0.5; 361],
            engine: None,
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
fn time_patterns(
    library: &Library,
    samples: &[Sample],
    random: &mut Random,
    runs: usize,
) -> Result<[Timing; 2], LibraryError> {
    let queries: Vec<PatternQuery> =
        (0..runs).map(|n| sample_pattern(&samples[n % samples.len()], random, n)).collect();
    let mut first = Vec::with_capacity(runs);
    let all = time("pattern with wildcards, all results", runs, |n| {
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

/// Processor time of this process so far; Linux counts it in hundredths of a second.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name of the program, which may contain anything; the 14th and 15th field of all.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks: f64 = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

fn peak_memory_mib() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kib: u32 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}
