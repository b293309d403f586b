//! Measuring cards in a large library: what the example `cards` reports.

use std::path::{Path, PathBuf};
use std::time::Instant;

use honinbo_record::{GameTree, ReplayOptions, read_sgf_text, replay_each};
use honinbo_rules::{Color, Game, Random};

use super::{Timing, cpu_seconds, import_rounds, peak_memory_mib, time};
use crate::cards::{CardAnswered, CardMemory, NewCard};
use crate::error::LibraryError;
use crate::open::Library;
use crate::query::GameFilter;
use crate::time::Timestamp;

/// What a benchmark of cards measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardsBench {
    /// Games in the library.
    pub games: u32,
    /// Cards in it.
    pub cards: u32,
    /// Cards that are due in the session.
    pub due: u32,
    /// Size of the file in MiB.
    pub file_mib: u32,
    /// Seconds by the clock, and of processor time where the system reports it, that adding the cards took; `None` when they
    /// were there already.
    pub added_s: Option<[Option<f64>; 2]>,
    /// The same for answering each of them once.
    pub answered_s: Option<[Option<f64>; 2]>,
    /// What a session and a look at the library consist of, in their order.
    pub timings: Vec<Timing>,
    /// Processor time of one run of each of them in milliseconds, where the system reports it; it counts in hundredths of a
    /// second over all runs.
    pub cpu_ms: Vec<Option<f64>>,
    /// Largest memory of the process after each of them in MiB, where the system reports it; what is mapped of the file is
    /// part of it.
    pub peak_memory_mib: Vec<Option<u32>>,
}

/// Answers of a session, and look-ups of each kind.
const RUNS: usize = 1000;
/// Runs of what reads a whole table.
const FEW: usize = 10;
/// Cards that are added in one transaction.
const BATCH: usize = 5000;
/// Answers that a schedule is fitted to.
const FITTED: u32 = 50_000;
/// Days over which the cards are due.
const DAYS: usize = 180;
const DAY_MS: i64 = 86_400_000;

/// Fills a library, unless no files are named, and measures a session with its cards: the files are imported `times`
/// times, varied but for the first, and so many positions of their games made cards and answered once. The figures of
/// memory are those of the library as it is where no files are named.
///
/// # Errors
/// What the library says.
pub fn bench_cards(
    path: &Path,
    files: &[PathBuf],
    times: u32,
    cards: u32,
    now: Timestamp,
) -> Result<CardsBench, LibraryError> {
    let filled = if files.is_empty() {
        None
    } else {
        import_rounds(path, files, times, now)?;
        let library = Library::open(path)?;
        Some([timed(|| add(&library, cards as usize, now))?, timed(|| answer_all(&library, now))?])
    };
    let [added_s, answered_s] = filled.map_or([None; 2], |both| both.map(Some));

    // A day later, when those are due that come back after one.
    let later = now + DAY_MS;
    let mut bench = Steps::default();
    bench.step("library opened, first card and counts", 1, |_| {
        let library = Library::open(path)?;
        library.due_card(later)?;
        library.card_counts(later).map(drop)
    })?;
    let library = Library::open(path)?;
    let counts = library.card_counts(later)?;
    bench.step("card that is due", RUNS, |_| library.due_card(later).map(drop))?;
    bench.step("counts of cards", RUNS / FEW, |_| library.card_counts(later).map(drop))?;
    bench.step("answer saved", RUNS, |n| {
        let Some(card) = library.due_card(later)? else { return Ok(()) };
        let answered = answer(n, later);
        library.answer_card(&card.id, later, |_| Some(answered)).map(drop)
    })?;
    bench.step("answers read for the schedule", FEW, |_| library.card_answers(FITTED).map(drop))?;
    bench.step("figures about the library", FEW, |_| library.stats().map(drop))?;
    bench.step("results by year, size, rules and kind", FEW, |_| library.figures().map(drop))?;
    bench.step("all cards, for a deck", 1, |_| library.cards().map(drop))?;
    let stats = library.stats()?;
    Ok(CardsBench {
        games: stats.games,
        cards: counts.total,
        due: counts.due,
        file_mib: stats.file_kib / 1024,
        added_s,
        answered_s,
        timings: bench.timings,
        cpu_ms: bench.cpu_ms,
        peak_memory_mib: bench.peak_memory_mib,
    })
}

#[derive(Default)]
struct Steps {
    timings: Vec<Timing>,
    cpu_ms: Vec<Option<f64>>,
    peak_memory_mib: Vec<Option<u32>>,
}

impl Steps {
    fn step(
        &mut self,
        work: &'static str,
        runs: usize,
        run: impl FnMut(usize) -> Result<(), LibraryError>,
    ) -> Result<(), LibraryError> {
        let cpu = cpu_seconds();
        self.timings.push(time(work, runs, run)?);
        self.cpu_ms.push(cpu.zip(cpu_seconds()).map(|(before, after)| (after - before) * 1000.0 / runs as f64));
        self.peak_memory_mib.push(peak_memory_mib());
        Ok(())
    }
}

fn timed(work: impl FnOnce() -> Result<(), LibraryError>) -> Result<[Option<f64>; 2], LibraryError> {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    work()?;
    let cpu_s = cpu.zip(cpu_seconds()).map(|(before, after)| after - before);
    Ok([Some(start.elapsed().as_secs_f64()), cpu_s])
}

/// Makes cards of positions of all games, equally many of each.
fn add(library: &Library, cards: usize, now: Timestamp) -> Result<(), LibraryError> {
    let ids = library.ids(&GameFilter::default())?;
    let each = cards.div_ceil(ids.len().max(1));
    let (mut batch, mut left) = (Vec::new(), cards);
    for id in &ids {
        let found = read_sgf_text(&library.game(id)?.sgf).games.into_iter().next();
        let mut of_game = found.map(|game| positions(&game.tree, each)).unwrap_or_default();
        of_game.truncate(left);
        left -= of_game.len();
        batch.extend(of_game);
        if batch.len() >= BATCH {
            keep(library, &batch, now)?;
            batch.clear();
        }
    }
    keep(library, &batch, now)
}

fn keep(library: &Library, batch: &[(Game, NewCard)], now: Timestamp) -> Result<(), LibraryError> {
    let rows: Vec<_> = batch.iter().map(|(game, card)| (game.board(), game.to_play(), card)).collect();
    library.add_cards(&rows, now).map(drop)
}

/// Positions of the main line, spread over the game, as cards.
fn positions(tree: &GameTree, wanted: usize) -> Vec<(Game, NewCard)> {
    let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
    let moves = tree.path(end).len().saturating_sub(1);
    let mut sgf = String::from("(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[19]KM[6.5]PB[Black]PW[White]");
    let (mut found, mut at) = (Vec::new(), 0);
    replay_each(tree, end, ReplayOptions::default(), &mut |_, game| {
        if let Some(turn) = game.turns().last().filter(|_| at > 0) {
            let letter = if turn.color == Color::Black { 'B' } else { 'W' };
            let point = turn.played.point().map(|point| point.to_sgf()).unwrap_or_default();
            sgf.push_str(&format!(";{letter}[{point}]"));
        }
        // The first moves are the same in many games, and a position is one card.
        let due = moves > 20 && at >= 20 + found.len() * (moves - 20) / wanted.max(1);
        if due && found.len() < wanted {
            found.push((
                game.clone(),
                NewCard {
                    sgf: format!("{sgf})"),
                    played: i32::try_from(at % 361).ok(),
                    lost: 4.5,
                    recorded: Vec::new(),
                },
            ));
        }
        at += 1;
    });
    found
}

fn answer_all(library: &Library, now: Timestamp) -> Result<(), LibraryError> {
    let mut random = Random::new(0xCA4D);
    while let Some(card) = library.due_card(now)? {
        let answered = answer(random.below(DAYS * 4), now);
        library.answer_card(&card.id, now, |_| Some(answered))?;
    }
    Ok(())
}

fn answer(n: usize, now: Timestamp) -> CardAnswered {
    let days = 1 + n % DAYS;
    let grade = if n.is_multiple_of(4) { 1 } else { 3 };
    let memory = CardMemory { stability: days as f64, difficulty: 5.0 };
    CardAnswered { grade, days: days as u32, memory, due: now + days as i64 * DAY_MS }
}
