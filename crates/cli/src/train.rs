//! `honinbo train`: networks that learn from games against themselves.

use crate::app::data_dir;
use crate::args::InferenceOption;
use crate::failure::Failure;
use crate::interrupt::{stop_on_interrupt, stop_when_asked};
use crate::net::{cores, engine_files};
use crate::new_file::{OutFile, write_whole};
use crate::output::Output;
use crate::tables::{HistoryArgs, RowsArgs, write_history, write_rows};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use honinbo_evaluator::StopFlag;
use honinbo_net::to_bin_gz;
use honinbo_rules::BoardSize;
use honinbo_train::{
    Machine, Run, RunConfig, Store, StoreOptions, TrainError, Worker, WorkerEvent, WorkerOptions, calm_framework,
    network_of, store_status,
};
use honinbo_training::{Event, Gated, RunReport, report};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    part: Option<TrainPart>,
    /// The folder of the run; it is begun where there is none, and goes on where it was
    #[arg(value_name = "FOLDER", required = true)]
    folder: Option<PathBuf>,
    /// Whole generations to make: games, shuffle, fit, gate [default: until it is stopped]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    #[command(flatten)]
    begin: BeginArgs,
    /// Have the games played by workers that share this store: file:///FOLDER, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or
    /// az://CONTAINER/PREFIX; credentials come from the environment
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    #[command(flatten)]
    access: AccessOptions,
    #[command(flatten)]
    step: StepOptions,
}

/// How a store is reached.
#[derive(Debug, ClapArgs)]
struct AccessOptions {
    /// The server of an s3 or az store that is not the maker's own
    #[arg(long, value_name = "URL")]
    store_endpoint: Option<String>,
    /// Ask a server on another machine without encryption
    #[arg(long)]
    store_plain_http: bool,
}

#[derive(Debug, ClapArgs)]
struct WorkerArgs {
    /// The store of the run
    #[arg(long, value_name = "URL", required = true)]
    store: String,
    #[command(flatten)]
    access: AccessOptions,
    /// The worker's name, for people [default: one of its own]
    #[arg(long, value_name = "NAME", value_parser = network_name)]
    name: Option<String>,
    /// End after so many units; a unit is the games of one file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    units: Option<u32>,
    /// End after so many seconds without anything to do [default: wait until it is stopped]
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// Seconds after which a unit whose worker says nothing more is played by another
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,
    /// Exit status after it was asked to end, by which a scheduler knows that another has to take its place
    #[arg(long, value_name = "N", default_value_t = 0)]
    stopped_status: u8,
    #[command(flatten)]
    inference: InferenceOption,
    #[command(flatten)]
    step: StepOptions,
}

/// What a run begins with.
#[derive(Debug, ClapArgs)]
struct BeginArgs {
    /// The configuration of a new run: a file such as a run.toml
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "torus"])]
    config: Option<PathBuf>,
    /// The board of a new run: a side, or WxH [default: 7]
    #[arg(long, value_name = "S")]
    size: Option<BoardSize>,
    /// Join the edges of the board of a new run
    #[arg(long)]
    torus: bool,
    /// The network that a new run begins with [default: a small one that knows nothing]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
struct StepOptions {
    /// Cores that evaluate positions [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// As JSON: a line for each step
    #[arg(long)]
    json: bool,
}

#[derive(Debug, ClapArgs)]
struct StepArgs {
    /// The folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    step: StepOptions,
}

#[derive(Debug, Subcommand)]
enum TrainPart {
    /// Play what is missing of a generation's games
    Selfplay(StepArgs),
    /// Mix the rows that the generation learns from
    Shuffle(StepArgs),
    /// Make the generation's network
    Fit(StepArgs),
    /// Let it play against the one before it, and end the generation
    Gate(StepArgs),
    /// Write a network of the run for other programs
    Export {
        /// The folder of the run
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The file to write, which ends in .bin.gz
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: OutFile,
        /// Its generation [default: the newest that was taken]
        #[arg(long, value_name = "N")]
        generation: Option<u32>,
        /// The name inside the file [default: its own]
        #[arg(long, value_name = "NAME", value_parser = network_name)]
        name: Option<String>,
        /// Write over a file that is there
        #[arg(long)]
        force: bool,
    },
    /// Write rows as a Parquet table for other programs, or such a table as .npz
    Rows(RowsArgs),
    /// Write what became of a run as a Parquet table: a row for each generation, or for each game
    History(HistoryArgs),
    /// Play games for a run in a store; any number of workers come and go
    Worker(WorkerArgs),
    /// Say where a run stands; it may be under way
    Status {
        /// The folder of the run
        #[arg(value_name = "FOLDER", required_unless_present = "store")]
        folder: Option<PathBuf>,
        /// The store of the run, instead of its folder
        #[arg(long, value_name = "URL", conflicts_with = "folder")]
        store: Option<String>,
        #[command(flatten)]
        access: AccessOptions,
        /// Go on telling whenever something changed, until it is stopped
        #[arg(long)]
        follow: bool,
        /// As JSON: a line each time
        #[arg(long)]
        json: bool,
    },
}

fn network_name(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if (1..=96).contains(&text.len()) && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("expected at most 96 letters, digits, hyphens and underscores".to_owned())
    }
}

/// Does one of the commands about training.
pub(crate) fn train(args: TrainArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    calm_framework();
    let stop = StopFlag::new();
    let one = |folder: &Path| Run::open_begun(folder).map_err(failed);
    match args.part {
        Some(TrainPart::Export { folder, file, generation, name, force }) => {
            export(&folder, &file, generation, name, force, output)
        }
        Some(TrainPart::Status { folder, store, access, follow, json }) => {
            let store = store.map(|store| open_store(&store, access, true)).transpose()?;
            if follow {
                stop_on_interrupt(&stop)?;
            }
            let mut told = Told::default();
            loop {
                match (&store, &folder) {
                    (Some(store), _) => show_store(store, json, &mut told, output)?,
                    (None, Some(folder)) => show(folder, json, &mut told, output)?,
                    (None, None) => return Err(Failure::Usage("the folder is missing".to_owned())),
                }
                output.flush()?;
                if !follow || !pause(FOLLOW, &stop) {
                    return Ok(());
                }
            }
        }
        Some(TrainPart::Rows(args)) => {
            stop_on_interrupt(&stop)?;
            write_rows(&args, &stop, output)
        }
        Some(TrainPart::History(args)) => write_history(&args, output),
        Some(TrainPart::Worker(args)) => work(args, data, &stop, output),
        Some(TrainPart::Selfplay(StepArgs { folder, step })) => {
            let (run, machine) = (one(&folder)?, machine(data, &step)?);
            stop_when_asked(&stop)?;
            let played = reporting(step.json, &stop, output, |on_event| run.selfplay(&machine, &stop, on_event))?;
            if played.map_err(failed)? {
                return Ok(());
            }
            nothing(step.json, "the games of this generation are played", output)
        }
        Some(TrainPart::Shuffle(StepArgs { folder, step })) => match one(&folder)?.shuffle().map_err(failed)? {
            Some(event) => report_event(&event, step.json, output),
            None => nothing(step.json, "the rows of this generation are mixed", output),
        },
        Some(TrainPart::Fit(StepArgs { folder, step })) => {
            let run = one(&folder)?;
            stop_when_asked(&stop)?;
            match run.fit(&stop).map_err(failed)? {
                Some(event) => report_event(&event, step.json, output),
                None => nothing(step.json, "the network of this generation is made", output),
            }
        }
        Some(TrainPart::Gate(StepArgs { folder, step })) => {
            let (run, machine) = (one(&folder)?, machine(data, &step)?);
            stop_when_asked(&stop)?;
            let event = run.gate(&machine, &stop).map_err(failed)?;
            report_event(&event, step.json, output)
        }
        None => {
            let Some(folder) = &args.folder else { return Err(Failure::Usage("the folder is missing".to_owned())) };
            let wanted = wanted(&args.begin)?;
            // Before the run begins: what is refused leaves no folder.
            let store = args.store.map(|store| open_store(&store, args.access, false)).transpose()?;
            if let Some(store) = &store {
                Run::check_store(folder, store).map_err(failed)?;
            }
            let run = Run::open(folder, wanted, args.begin.from.as_deref()).map_err(failed)?;
            let machine = machine(data, &args.step)?;
            stop_when_asked(&stop)?;
            for _ in 0..args.generations.unwrap_or(u32::MAX) {
                let made = reporting(args.step.json, &stop, output, |on_event| match &store {
                    Some(store) => run.generations_from(store, 1, &machine, &stop, on_event),
                    None => run.generations(1, &machine, &stop, on_event),
                })?;
                match made {
                    // What was asked for is no failure.
                    Err(TrainError::Stopped) => return Ok(()),
                    other => other.map_err(failed)?,
                }
            }
            Ok(())
        }
    }
}

/// Opens a store; only whoever trains makes its folder.
fn open_store(address: &str, access: AccessOptions, must_exist: bool) -> Result<Store, Failure> {
    let AccessOptions { store_endpoint: endpoint, store_plain_http: allow_plain_http } = access;
    let options = StoreOptions { endpoint, allow_plain_http, must_exist };
    Store::open(address, &options).map_err(|error| failed(error.into()))
}

fn work(args: WorkerArgs, data: Option<PathBuf>, stop: &StopFlag, output: &mut Output) -> Result<(), Failure> {
    let store = open_store(&args.store, args.access, true)?;
    let machine = Machine { inference: args.inference.get()?, ..machine(data, &args.step)? };
    stop_when_asked(stop)?;
    let usual = WorkerOptions::default();
    let patience = Duration::from_secs(args.lease);
    let options = WorkerOptions {
        name: args.name.unwrap_or(usual.name),
        patience,
        poll: usual.poll.min(patience / 2),
        idle: args.idle.map(Duration::from_secs),
        units: args.units,
        ..usual
    };
    let worker = Worker::new(&store, &machine, options).map_err(failed)?;
    let mut told = Ok(());
    let done = worker.run(stop, &mut |event| {
        if told.is_ok() {
            told = report_work(event, args.step.json, output);
        }
        if told.is_err() {
            stop.set();
        }
    });
    told?;
    match done {
        Ok(_) | Err(TrainError::Stopped) if stop.is_set() => Err(Failure::Stopped(args.stopped_status)),
        Err(TrainError::Stopped) => Ok(()),
        other => other.map(|_| ()).map_err(failed),
    }
}

fn report_work(event: &WorkerEvent, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(event)?;
    } else {
        output.line(match event {
            WorkerEvent::Waiting => "       waits    no run has begun in this store".to_owned(),
            WorkerEvent::Network { generation, sha256 } => format!("{generation:>5}  network  {sha256:.12}"),
            WorkerEvent::Inference { generation, ready, servers, note } => {
                let colon = if note.is_empty() { "" } else { ": " };
                format!("{generation:>5}  asks     {ready} of {servers} inference servers{colon}{note}")
            }
            WorkerEvent::Begun { generation, unit } => format!("{generation:>5}  begins   unit {unit}"),
            WorkerEvent::Played { generation, unit, games, rows, visits, seconds, counts } => {
                let counts = if *counts { "" } else { ", not used: another was faster" };
                format!(
                    "{generation:>5}  played   unit {unit}: {games} games, {rows} rows, {visits} visits, \
                     {seconds:.0} s{counts}"
                )
            }
            WorkerEvent::Lost { generation, unit } => {
                format!("{generation:>5}  lost     unit {unit} to another worker")
            }
            WorkerEvent::Trouble { reason } => format!("       store    {reason}; trying again"),
        })?;
    }
    Ok(output.flush()?)
}

fn machine(data: Option<PathBuf>, step: &StepOptions) -> Result<Machine, Failure> {
    let files = engine_files(&data_dir(data), None)?;
    // Graphs of networks that live for one generation are not worth keeping.
    let cores = step.threads.map_or_else(cores, |n| n as usize);
    Ok(Machine { runtime: files.runtime, cache: None, cores, inference: None })
}

/// The configuration that the command line asks for; `None` where it asks for nothing.
fn wanted(begin: &BeginArgs) -> Result<Option<RunConfig>, Failure> {
    if let Some(path) = &begin.config {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!("{} cannot be read: {error}", path.display()), "give the path of a configuration")
        })?;
        return RunConfig::parse(path, &text).map(Some).map_err(failed);
    }
    if begin.size.is_none() && !begin.torus {
        return Ok(None);
    }
    let (width, height) = begin.size.map_or((7, 7), |size| (size.width(), size.height()));
    let mut config = RunConfig::on(width.max(height), begin.torus);
    for board in &mut config.boards {
        (board.width, board.height) = (width, height);
    }
    Ok(Some(config))
}

pub(crate) fn failed(error: TrainError) -> Failure {
    let hint = error.hint();
    Failure::new(error.to_string(), hint)
}

fn nothing(json: bool, what: &str, output: &mut Output) -> Result<(), Failure> {
    if !json {
        output.line(format!("nothing to do: {what}"))?;
    }
    Ok(())
}

fn report_event(event: &Event, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(event)?;
    } else {
        output.line(line(event))?;
    }
    Ok(output.flush()?)
}

/// Does something and tells what happens.
fn reporting<T>(
    json: bool,
    stop: &StopFlag,
    output: &mut Output,
    work: impl FnOnce(&mut dyn FnMut(&Event)) -> Result<T, TrainError>,
) -> Result<Result<T, TrainError>, Failure> {
    let mut told = Ok(());
    let done = work(&mut |event| {
        if told.is_ok() {
            told = report_event(event, json, output);
        }
        // Nobody reads any more: it ends as soon as it can.
        if told.is_err() {
            stop.set();
        }
    });
    told?;
    Ok(done)
}

fn line(event: &Event) -> String {
    match event {
        Event::Selfplay { generation, games, rows, visits, black_wins, seconds, .. } => format!(
            "{generation:>5}  games    {games}, {black_wins} won by black, {rows} rows, {visits} visits, {seconds:.0} s"
        ),
        Event::Shuffle { generation, rows, played, left_out, seconds, .. } => {
            let left_out: String = left_out.iter().map(|why| format!("\n       left out: {why}")).collect();
            format!("{generation:>5}  shuffle  {rows} of {played} rows, {seconds:.0} s{left_out}")
        }
        Event::Fit { generation, steps, losses, seconds, .. } => format!(
            "{generation:>5}  fit      {steps} steps, loss {:.3} (policy {:.3}, value {:.3}, ownership {:.3}), {seconds:.0} s",
            losses.total, losses.policy, losses.value, losses.ownership
        ),
        Event::Waiting { generation, done, units } => {
            format!("{generation:>5}  waits    for workers: {done} of {units} units are played")
        }
        Event::Trouble { generation, reason } => format!("{generation:>5}  trouble  {reason}"),
        Event::Gate(gated) => {
            let Gated { generation, against, wins, losses, draws, taken, seconds, probe, .. } = gated;
            let elo = match (gated.elo_low, gated.elo_high) {
                (None, None) => String::new(),
                (low, high) => format!(" ({} to {} Elo)", signed(low, "-∞"), signed(high, "+∞")),
            };
            let taken = if *taken { "taken" } else { "not taken" };
            let probe = probe.as_ref().map_or_else(String::new, |probe| {
                format!(
                    "\n       begins at {}, fair komi {:.1}, black's margin against itself {}",
                    probe.first_move, probe.fair_komi, probe.black_margin
                )
            });
            format!(
                "{generation:>5}  gate     {wins}-{losses}-{draws} against {against}{elo}, {taken}, {seconds:.0} s{probe}"
            )
        }
    }
}

fn signed(elo: Option<f64>, unbounded: &str) -> String {
    elo.map_or_else(|| unbounded.to_owned(), signed_elo)
}

/// Rounded before it gets its sign: there is no -0.
fn signed_elo(elo: f64) -> String {
    let rounded = elo.round();
    if rounded == 0.0 { "0".to_owned() } else { format!("{rounded:+}") }
}

fn export(
    folder: &Path,
    file: &OutFile,
    generation: Option<u32>,
    name: Option<String>,
    force: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let file = file.unless_taken(force)?;
    if !file.to_string_lossy().to_lowercase().ends_with(".bin.gz") {
        return Err(Failure::Usage(format!("{} does not end in .bin.gz, by which programs know it", file.display())));
    }
    let (_, mut network) = network_of(folder, generation).map_err(failed)?;
    if let Some(name) = name {
        network.model.name = name;
    }
    write_whole(file, &to_bin_gz(&network.model))?;
    Ok(output.line(format!("{}: {}", network.model.name, file.display()))?)
}

/// How often a run that is followed is looked at.
const FOLLOW: Duration = Duration::from_secs(2);

/// What was told of a run so far.
#[derive(Debug, Default)]
struct Told {
    events: usize,
    last: Option<String>,
}

impl Told {
    /// Tells a line unless it was the last one.
    fn report(&mut self, line: String, output: &mut Output) -> Result<(), Failure> {
        if self.last.as_ref() != Some(&line) {
            output.line(&line)?;
            self.last = Some(line);
        }
        Ok(())
    }
}

/// Waits: `false` where somebody asked for an end.
fn pause(time: Duration, stop: &StopFlag) -> bool {
    let began = std::time::Instant::now();
    while !stop.is_set() && began.elapsed() < time {
        std::thread::sleep(Duration::from_millis(50));
    }
    !stop.is_set()
}

fn show(folder: &Path, json: bool, told: &mut Told, output: &mut Output) -> Result<(), Failure> {
    let report = report(folder).map_err(|error| failed(error.into()))?;
    if json {
        return told.report(serde_json::to_string(&report).unwrap_or_default(), output);
    }
    let RunReport { status, events } = report;
    for event in events.get(told.events..).unwrap_or_default() {
        output.line(line(event))?;
    }
    told.events = events.len();
    let strength = status.strengths.iter().rfind(|strength| strength.generation == status.network);
    let strength = strength.map_or_else(String::new, |strength| {
        format!(
            ", {} Elo above the beginning ({} to {})",
            signed_elo(strength.elo),
            signed_elo(strength.elo_low),
            signed_elo(strength.elo_high)
        )
    });
    let left = match status.seconds_left {
        _ if status.under_way == Some(false) => {
            format!("; stopped: `honinbo train {}` goes on", folder.display())
        }
        Some(left) => format!(", about {} to go", duration(left)),
        None => String::new(),
    };
    let cost = status.cost;
    told.report(
        format!(
            "{} generations are finished, network {} plays{strength}\n\
             {} of {} files of games lie ready for the next{left}\n\
             so far {} games, {} rows, {} visits, {} steps, {}",
            status.generations,
            status.network,
            status.files_under_way,
            status.files_wanted,
            cost.games,
            cost.rows,
            cost.visits,
            cost.steps,
            cost.processor_seconds.map_or_else(
                || duration(cost.seconds),
                |processors| format!("{}, {} of processors", duration(cost.seconds), duration(processors))
            )
        ),
        output,
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn show_store(store: &Store, json: bool, told: &mut Told, output: &mut Output) -> Result<(), Failure> {
    let status = store_status(store).map_err(|error| failed(error.into()))?;
    if json {
        return told.report(serde_json::to_string(&status).unwrap_or_default(), output);
    }
    let results = status.results.len();
    for gated in status.results.into_iter().skip(told.events) {
        output.line(line(&Event::Gate(gated)))?;
    }
    told.events = results;
    let text = match status.generation {
        None => "no run has begun in this store".to_owned(),
        Some(generation) => format!(
            "generation {generation}: {} of {} units are played, {} are under way, {} were left out",
            status.done, status.units, status.under_way, status.left_out
        ),
    };
    told.report(text, output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_rounded_before_it_gets_its_sign() {
        let said = [-0.3, 0.0, 0.49, 0.5, -185.24, 1e6].map(signed_elo);
        assert_eq!(said, ["0", "0", "0", "+1", "-185", "+1000000"]);
    }
}
