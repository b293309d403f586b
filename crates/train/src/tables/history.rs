//! What became of a run as tables: a row for each generation, and a row for each game.

use std::collections::BTreeMap;
use std::io::{Result as IoResult, Write};

use honinbo_training::{Event, GameSummary, Gated, Losses, Probe, RunReport, Strength};

use super::column::{Column, TableWriter, Values};
use crate::config::RunConfig;
use crate::selfplay::game_hashes;

/// Games of a group.
const GROUP: usize = 1 << 16;

/// What happened in a generation.
#[derive(Default)]
struct Generation<'a> {
    games: u64,
    rows: u64,
    visits: u64,
    moves: u64,
    black_wins: u64,
    window: Option<u64>,
    fit: Option<(u64, &'a Losses)>,
    gate: Option<&'a Gated>,
    strength: Option<&'a Strength>,
    seconds: f64,
    processor_seconds: Option<f64>,
}

/// Writes the generations of a run as a Parquet table; gives how many.
///
/// # Errors
/// When nothing can be written.
pub fn write_generations<W: Write + Send>(out: W, report: &RunReport) -> IoResult<u64> {
    let generations = generations(report);
    let columns = generation_columns(&generations);
    let mut table = TableWriter::new(out, "generations", &[], &columns)?;
    if !generations.is_empty() {
        table.write(&columns)?;
    }
    table.finish()?;
    Ok(generations.len() as u64)
}

/// A step that was done twice, after a stop, counts once, but for the time that it took.
fn generations(report: &RunReport) -> BTreeMap<u32, Generation<'_>> {
    let mut found = BTreeMap::<u32, Generation<'_>>::new();
    for event in &report.events {
        let new = || Generation { processor_seconds: Some(0.0), ..Generation::default() };
        let one = found.entry(event.generation()).or_insert_with(new);
        one.seconds += event.seconds();
        one.processor_seconds = one.processor_seconds.zip(event.processor_seconds()).map(|(sum, more)| sum + more);
        match event {
            Event::Selfplay { games, rows, visits, moves, black_wins, .. } => {
                one.games += u64::from(*games);
                one.rows += rows;
                one.visits += visits;
                one.moves += moves;
                one.black_wins += u64::from(*black_wins);
            }
            Event::Shuffle { rows, .. } => one.window = Some(*rows as u64),
            Event::Fit { steps, losses, .. } => one.fit = Some((*steps as u64, losses)),
            Event::Gate(gated) => one.gate = Some(gated),
            Event::Waiting { .. } | Event::Trouble { .. } => {}
        }
    }
    for strength in &report.status.strengths {
        if let Some(one) = found.get_mut(&strength.generation) {
            one.strength = Some(strength);
        }
    }
    found
}

fn generation_columns(generations: &BTreeMap<u32, Generation<'_>>) -> Vec<Column> {
    let all = || generations.values();
    let count = |of: &dyn Fn(&Generation<'_>) -> u64| Values::Ints(all().map(|one| Some(of(one) as i64)).collect());
    let maybe = |of: &dyn Fn(&Generation<'_>) -> Option<u64>| {
        Values::Ints(all().map(|one| of(one).map(|number| number as i64)).collect())
    };
    let real = |of: &dyn Fn(&Generation<'_>) -> Option<f64>| Values::Reals(all().map(of).collect());
    let loss = |of: fn(&Losses) -> f64| Values::Reals(all().map(|one| one.fit.map(|(_, losses)| of(losses))).collect());
    let gate =
        |of: fn(&Gated) -> u32| Values::Ints(all().map(|one| one.gate.map(|gated| i64::from(of(gated)))).collect());
    let strength = |of: fn(&Strength) -> f64| Values::Reals(all().map(|one| one.strength.map(of)).collect());
    let probe = |one: &Generation<'_>| one.gate.and_then(|gated| gated.probe.clone());
    let probed = |of: fn(Probe) -> f64| Values::Reals(all().map(|one| probe(one).map(of)).collect());
    let moved = |of: fn(Probe) -> String| Values::Texts(all().map(|one| probe(one).map(of)).collect());
    vec![
        ("generation", Values::Ints(generations.keys().map(|number| Some(i64::from(*number))).collect())),
        ("games", count(&|one| one.games)),
        ("rows", count(&|one| one.rows)),
        ("visits", count(&|one| one.visits)),
        ("moves", count(&|one| one.moves)),
        ("black_wins", count(&|one| one.black_wins)),
        ("window_rows", maybe(&|one| one.window)),
        ("steps", maybe(&|one| one.fit.map(|(steps, _)| steps))),
        ("loss", loss(|losses| losses.total)),
        ("loss_policy", loss(|losses| losses.policy)),
        ("loss_reply", loss(|losses| losses.reply)),
        ("loss_value", loss(|losses| losses.value)),
        ("loss_score", loss(|losses| losses.score)),
        ("loss_ownership", loss(|losses| losses.ownership)),
        ("loss_soon", loss(|losses| losses.soon)),
        ("against", gate(|gated| gated.against)),
        ("wins", gate(|gated| gated.wins)),
        ("losses", gate(|gated| gated.losses)),
        ("draws", gate(|gated| gated.draws)),
        ("taken", Values::Flags(all().map(|one| one.gate.map(|gated| gated.taken)).collect())),
        ("elo", strength(|strength| strength.elo)),
        ("elo_low", strength(|strength| strength.elo_low)),
        ("elo_high", strength(|strength| strength.elo_high)),
        ("fair_komi", probed(|probe| probe.fair_komi)),
        ("first_move", moved(|probe| probe.first_move)),
        ("policy_move", moved(|probe| probe.policy_move)),
        ("policy_share", probed(|probe| probe.policy_share)),
        ("black_margin", probed(|probe| probe.black_margin)),
        ("seconds", real(&|one| Some(one.seconds))),
        ("processor_seconds", real(&|one| one.processor_seconds)),
    ]
}

/// Writes the games of a run as a Parquet table.
pub struct GameTable<'a, W: Write + Send> {
    table: TableWriter<W>,
    config: &'a RunConfig,
    pending: Vec<GameSummary>,
    written: u64,
}

impl<W: Write + Send> std::fmt::Debug for GameTable<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameTable").field("pending", &self.pending.len()).field("written", &self.written).finish()
    }
}

impl<'a, W: Write + Send> GameTable<'a, W> {
    /// A table of the games of the run with this configuration.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn new(out: W, config: &'a RunConfig) -> IoResult<Self> {
        let table = TableWriter::new(out, "games", &[], &game_columns(config, &[]))?;
        Ok(Self { table, config, pending: Vec::new(), written: 0 })
    }

    /// Adds games.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn push(&mut self, games: Vec<GameSummary>) -> IoResult<()> {
        self.pending.extend(games);
        if self.pending.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes what is pending and ends the file; gives the games that it has.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn finish(mut self) -> IoResult<u64> {
        if !self.pending.is_empty() {
            self.flush()?;
        }
        self.table.finish()?;
        Ok(self.written)
    }

    fn flush(&mut self) -> IoResult<()> {
        self.table.write(&game_columns(self.config, &self.pending))?;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

fn game_columns(config: &RunConfig, games: &[GameSummary]) -> Vec<Column> {
    let ints = |of: fn(&GameSummary) -> u32| Values::Ints(games.iter().map(|game| Some(i64::from(of(game)))).collect());
    let hash = |game: &GameSummary| game_hashes(config, game.generation, game.file).nth(game.index as usize);
    vec![
        ("generation", ints(|game| game.generation)),
        ("file", ints(|game| game.file)),
        ("index", ints(|game| game.index)),
        ("game", Values::Hashes(games.iter().map(hash).collect())),
        ("width", ints(|game| game.width.into())),
        ("height", ints(|game| game.height.into())),
        ("moves", ints(|game| game.moves)),
        ("komi", Values::Reals(games.iter().map(|game| Some(game.komi)).collect())),
        ("result", Values::Texts(games.iter().map(|game| Some(game.result.clone())).collect())),
        ("black_margin", Values::Reals(games.iter().map(|game| black_margin(&game.result)).collect())),
    ]
}

/// Points by which Black won, below zero where White did; `None` where a game was not counted.
fn black_margin(result: &str) -> Option<f64> {
    if matches!(result, "0" | "Draw") {
        return Some(0.0);
    }
    let (winner, margin) = result.split_once('+')?;
    let margin = margin.parse::<f64>().ok().filter(|margin| margin.is_finite())?;
    match winner {
        "B" => Some(margin),
        "W" => Some(-margin),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_black_s() {
        let margins = ["B+3.5", "W+12", "0", "Draw", "Void", "", "B+R", "B+T", "W+inf", "X+1"].map(black_margin);
        let counted = [Some(3.5), Some(-12.0), Some(0.0), Some(0.0)];
        assert_eq!(margins[..4], counted);
        assert_eq!(margins[4..], [None; 6]);
    }
}
