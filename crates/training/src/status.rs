//! Where a run stands, from the files in its folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::Serialize;
use specta::Type;
use specta_typescript::Number;

use crate::error::FolderError;
use crate::event::{Event, Gated, Losses};
use crate::folder::{Outline, file_number, files_in, is_under_way, last_number, numbered, read_within, status_file};
use crate::games::{GameSummary, last_games};
use crate::progress::{Cost, Strength, cost, seconds_left, strengths};

/// A status that is larger is not read: a line has about 5 KB on 19x19.
const MAX_STATUS: u64 = 512 << 20;
/// A longer line is none of a run's, and a longer verdict neither.
const MAX_LINE: u64 = 1 << 20;
/// Games that are listed.
const MAX_GAMES: usize = 24;
/// Letters of a sentence about what went wrong.
const MAX_TROUBLE: usize = 500;

/// The step of a generation that is under way, or comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RunStep {
    /// Its games are played.
    Selfplay,
    /// Rows are mixed.
    Shuffle,
    /// The network is fitted.
    Fit,
    /// It plays against the one before it.
    Gate,
}

/// The losses of a generation's fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GenerationLosses {
    /// The generation.
    pub generation: u32,
    /// Steps of the run up to its end.
    #[specta(type = Number)]
    pub steps: u64,
    /// Means over the last half of its steps.
    pub losses: Losses,
}

/// What a generation's network thinks of the empty board, in short; [`empty_board_policy`] has the whole policy.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GenerationProbe {
    /// The generation.
    pub generation: u32,
    /// The komi that it takes to be fair.
    #[specta(type = Number)]
    pub fair_komi: f64,
    /// The move that its search plays first, as GTP writes it.
    pub first_move: String,
    /// The policy's own first choice.
    pub policy_move: String,
    /// The policy's share for that, 0 to 1.
    #[specta(type = Number)]
    pub policy_share: f64,
    /// How the game without chance ended: Black's points less White's, without komi.
    #[specta(type = Number)]
    pub black_margin: f64,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunStatus {
    /// Generations that are finished.
    pub generations: u32,
    /// The generation of the network that plays.
    pub network: u32,
    /// Whether a program works on it; `None` where that cannot be told, as for a run in a store.
    pub under_way: Option<bool>,
    /// The step under way, of the generation after the finished ones.
    pub step: RunStep,
    /// Files of games for the generation under way.
    pub files_under_way: u32,
    /// Files that it will have.
    pub files_wanted: u32,
    /// Seconds until it is finished, if it goes as the one before it did; `None` in the first.
    #[specta(type = Option<Number>)]
    pub seconds_left: Option<f64>,
    /// The board that networks are asked about while it is empty: columns, rows, and whether its edges are joined.
    pub board: (u8, u8, bool),
    /// How strong each generation is.
    pub strengths: Vec<Strength>,
    /// How far off each generation was from what it was to learn.
    pub losses: Vec<GenerationLosses>,
    /// What each generation thinks of the empty board.
    pub probes: Vec<GenerationProbe>,
    /// What it has cost so far.
    pub cost: Cost,
    /// The newest games, the newest first.
    pub games: Vec<GameSummary>,
    /// What went wrong last in the generation under way; empty where nothing did.
    pub trouble: String,
    /// Lines of the status that could not be read: damaged, or of another version.
    pub unread: u32,
}

/// A status with everything that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunReport {
    /// Where the run stands.
    #[serde(flatten)]
    pub status: RunStatus,
    /// Everything that happened.
    pub events: Vec<Event>,
}

/// Where a run stands; it may be under way.
///
/// # Errors
/// When there is none, or its folder cannot be read.
pub fn status(folder: &Path) -> Result<RunStatus, FolderError> {
    Ok(report(folder)?.status)
}

/// As [`status`], with everything that happened.
///
/// # Errors
/// As [`status`].
pub fn report(folder: &Path) -> Result<RunReport, FolderError> {
    let outline = Outline::read(folder)?;
    let generations = last_number(&folder.join("gates"), ".json")?;
    let network = last_number(&folder.join("networks"), ".bin.gz")?;
    let under_way = generations.saturating_add(1);
    let Noted { events, unread } = read_events(folder)?;
    let files_under_way = files_in(&numbered(folder, "rows", under_way), ".npz")?.len() as u32;
    let files_wanted = outline.selfplay.games.div_ceil(outline.selfplay.games_per_file.max(1));
    let played = f64::from(files_under_way) / f64::from(files_wanted.max(1));
    let gated = || events.iter().filter_map(|event| if let Event::Gate(gated) = event { Some(gated) } else { None });
    let board = outline.boards.first().map_or((0, 0, false), |board| (board.width, board.height, board.torus));
    let status = RunStatus {
        generations,
        network,
        under_way: is_under_way(folder),
        step: step(&events, under_way, files_under_way >= files_wanted),
        files_under_way,
        files_wanted,
        seconds_left: seconds_left(&events, under_way, played),
        board,
        strengths: strengths(gated()),
        losses: losses(&events),
        probes: probes(gated()),
        cost: cost(&events),
        games: last_games(folder, under_way, MAX_GAMES),
        trouble: trouble(&events, under_way),
        unread,
    };
    Ok(RunReport { status, events })
}

/// The policy of the empty board of a generation's network: area + 1 shares, row by row from the top left, the pass last,
/// below 0 where illegal.
///
/// # Errors
/// When it is not known, or the folder cannot be read.
pub fn empty_board_policy(folder: &Path, generation: u32) -> Result<Vec<f32>, FolderError> {
    let events = read_events(folder)?.events;
    let found = events.into_iter().rev().find_map(|event| match event {
        Event::Gate(Gated { generation: of, probe: Some(probe), .. }) if of == generation => Some(probe.policy),
        _ => None,
    });
    found.ok_or_else(|| FolderError::Missing(format!("the policy of generation {generation}")))
}

/// What a status depends on, in a few letters: while it stays the same, nothing has changed. Costs a few looks at the
/// folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn stamp(folder: &Path) -> Result<String, FolderError> {
    if !folder.join("run.toml").exists() {
        return Err(FolderError::NoRun(folder.to_path_buf()));
    }
    let under_way = last_number(&folder.join("gates"), ".json")?.saturating_add(1);
    let games = numbered(folder, "games", under_way);
    let mut looked_at = vec![
        folder.join("run.toml"),
        status_file(folder),
        folder.join("networks"),
        numbered(folder, "rows", under_way),
    ];
    looked_at.extend(files_in(&games, ".part")?);
    looked_at.push(games);
    let mut stamp = format!("{under_way}-{:?}", is_under_way(folder));
    for path in looked_at {
        let facts = std::fs::metadata(&path).ok();
        let changed = facts.as_ref().and_then(|facts| facts.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let length = facts.map_or(0, |facts| facts.len());
        stamp.push_str(&format!("-{length:x}.{:x}", changed.unwrap_or_default().as_nanos()));
    }
    Ok(stamp)
}

/// What was noted, and how many lines could not be read.
struct Noted {
    events: Vec<Event>,
    unread: u32,
}

/// What was noted, and the verdicts of gates that were stopped before they noted them.
fn read_events(folder: &Path) -> Result<Noted, FolderError> {
    let mut noted = read_lines(folder)?;
    let gate_of = |event: &Event| if let Event::Gate(gated) = event { Some(gated.generation) } else { None };
    let known: BTreeSet<u32> = noted.events.iter().filter_map(gate_of).collect();
    for path in files_in(&folder.join("gates"), ".json")? {
        let Some(generation) = file_number(&path).filter(|generation| !known.contains(generation)) else { continue };
        let verdict = read_within(&path, MAX_LINE).ok().and_then(|text| serde_json::from_slice::<Gated>(&text).ok());
        let verdict = verdict.filter(|gated| gated.generation == generation).map(Event::Gate);
        let Some(event) = verdict.filter(Event::is_sane) else { continue };
        let later = noted.events.iter().position(|event| event.generation() > generation);
        noted.events.insert(later.unwrap_or(noted.events.len()), event);
    }
    Ok(noted)
}

fn read_lines(folder: &Path) -> Result<Noted, FolderError> {
    let path = status_file(folder);
    let mut noted = Noted { events: Vec::new(), unread: 0 };
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(noted),
        Err(error) => return Err(FolderError::reading(&path)(error)),
    };
    if file.metadata().is_ok_and(|facts| facts.len() > MAX_STATUS) {
        return Err(FolderError::TooLarge { path, limit: MAX_STATUS });
    }
    let mut reader = BufReader::new(file.take(MAX_STATUS));
    let (mut line, mut is_rest) = (Vec::new(), false);
    loop {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(FolderError::reading(&path))?;
        if read == 0 {
            return Ok(noted);
        }
        let is_whole = line.ends_with(b"\n");
        // The rest of a line that was too long belongs to what was counted already.
        let skip = std::mem::replace(&mut is_rest, !is_whole);
        if skip || line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Event>(&line) {
            Ok(event) if event.is_sane() => noted.events.push(event),
            // One that is being written, or that a stopped program left half at the end.
            Err(_) if !is_whole && (line.len() as u64) < MAX_LINE => {}
            _ => noted.unread += 1,
        }
    }
}

/// A step that was done twice, after a stop, counts once.
fn step(events: &[Event], under_way: u32, games_are_played: bool) -> RunStep {
    if !games_are_played {
        return RunStep::Selfplay;
    }
    let of_this = events.iter().rev().filter(|event| event.generation() == under_way);
    for event in of_this {
        match event {
            Event::Fit { .. } => return RunStep::Gate,
            Event::Shuffle { .. } => return RunStep::Fit,
            _ => {}
        }
    }
    RunStep::Shuffle
}

fn losses(events: &[Event]) -> Vec<GenerationLosses> {
    let mut found: Vec<GenerationLosses> = Vec::new();
    let mut so_far = 0;
    for event in events {
        let Event::Fit { generation, steps, losses, .. } = event else { continue };
        so_far += *steps as u64;
        // Made anew after a stop: the later one counts.
        found.pop_if(|last| last.generation == *generation);
        found.push(GenerationLosses { generation: *generation, steps: so_far, losses: *losses });
    }
    found
}

fn probes<'a>(gated: impl Iterator<Item = &'a Gated>) -> Vec<GenerationProbe> {
    let mut found = std::collections::BTreeMap::new();
    for Gated { generation, probe, .. } in gated {
        let Some(probe) = probe else { continue };
        found.insert(
            *generation,
            GenerationProbe {
                generation: *generation,
                fair_komi: probe.fair_komi,
                first_move: probe.first_move.chars().take(8).collect(),
                policy_move: probe.policy_move.chars().take(8).collect(),
                policy_share: probe.policy_share,
                black_margin: probe.black_margin,
            },
        );
    }
    found.into_values().collect()
}

fn trouble(events: &[Event], under_way: u32) -> String {
    let last = events.iter().rev().find_map(|event| match event {
        Event::Trouble { generation, reason } if *generation == under_way => Some(reason),
        _ => None,
    });
    last.map_or_else(String::new, |reason| reason.chars().take(MAX_TROUBLE).collect())
}
