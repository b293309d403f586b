//! `honinbo train`: networks that learn from games against themselves.

use crate::app::data_dir;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::match_games::board_size;
use crate::net::{cores, engine_files};
use crate::output::Output;
use clap::{Args as ClapArgs, Subcommand};
use honinbo_evaluator::StopFlag;
use honinbo_net::to_bin_gz;
use honinbo_rules::BoardSize;
use honinbo_train::{Event, Gated, Machine, Run, RunConfig, TrainError, network_of, status};
use std::path::{Path, PathBuf};

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
    #[arg(long, value_name = "S", value_parser = board_size)]
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
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Its generation [default: the newest that was taken]
        #[arg(long, value_name = "N")]
        generation: Option<u32>,
        /// The name inside the file [default: its own]
        #[arg(long, value_name = "NAME", value_parser = network_name)]
        name: Option<String>,
    },
    /// Say where a run stands; it may be under way
    Status {
        /// The folder of the run
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// As JSON
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
    let stop = StopFlag::new();
    let one = |folder: &Path| Run::open_begun(folder).map_err(failed);
    match args.part {
        Some(TrainPart::Export { folder, file, generation, name }) => export(&folder, &file, generation, name, output),
        Some(TrainPart::Status { folder, json }) => show(&folder, json, output),
        Some(TrainPart::Selfplay(StepArgs { folder, step })) => {
            let (run, machine) = (one(&folder)?, machine(data, &step)?);
            stop_on_interrupt(&stop)?;
            match run.selfplay(&machine, &stop).map_err(failed)? {
                Some(event) => tell(&event, step.json, output),
                None => nothing(step.json, "the games of this generation are played", output),
            }
        }
        Some(TrainPart::Shuffle(StepArgs { folder, step })) => match one(&folder)?.shuffle().map_err(failed)? {
            Some(event) => tell(&event, step.json, output),
            None => nothing(step.json, "the rows of this generation are mixed", output),
        },
        Some(TrainPart::Fit(StepArgs { folder, step })) => {
            let run = one(&folder)?;
            stop_on_interrupt(&stop)?;
            match run.fit(&stop).map_err(failed)? {
                Some(event) => tell(&event, step.json, output),
                None => nothing(step.json, "the network of this generation is made", output),
            }
        }
        Some(TrainPart::Gate(StepArgs { folder, step })) => {
            let (run, machine) = (one(&folder)?, machine(data, &step)?);
            stop_on_interrupt(&stop)?;
            let event = run.gate(&machine, &stop).map_err(failed)?;
            tell(&event, step.json, output)
        }
        None => {
            let Some(folder) = &args.folder else { return Err(Failure::Usage("the folder is missing".to_owned())) };
            let run = Run::open(folder, wanted(&args.begin)?, args.begin.from.as_deref()).map_err(failed)?;
            let machine = machine(data, &args.step)?;
            stop_on_interrupt(&stop)?;
            for _ in 0..args.generations.unwrap_or(u32::MAX) {
                let mut told = Ok(());
                let made = run.generations(1, &machine, &stop, &mut |event| {
                    if told.is_ok() {
                        told = tell(event, args.step.json, output);
                    }
                    // Nobody reads any more: the generation ends at its next step.
                    if told.is_err() {
                        stop.set();
                    }
                });
                told?;
                match made {
                    // What was asked for with Ctrl-C is no failure.
                    Err(TrainError::Stopped) => return Ok(()),
                    other => other.map_err(failed)?,
                }
            }
            Ok(())
        }
    }
}

fn machine(data: Option<PathBuf>, step: &StepOptions) -> Result<Machine, Failure> {
    let files = engine_files(&data_dir(data), None)?;
    // Graphs of networks that live for one generation are not worth keeping.
    Ok(Machine { runtime: files.runtime, cache: None, cores: step.threads.map_or_else(cores, |n| n as usize) })
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

fn failed(error: TrainError) -> Failure {
    let hint = error.hint();
    Failure::new(error.to_string(), hint)
}

fn nothing(json: bool, what: &str, output: &mut Output) -> Result<(), Failure> {
    if !json {
        output.line(format!("nothing to do: {what}"))?;
    }
    Ok(())
}

fn tell(event: &Event, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(event)?;
    } else {
        output.line(line(event))?;
    }
    Ok(output.flush()?)
}

fn line(event: &Event) -> String {
    match event {
        Event::Selfplay { generation, games, rows, visits, black_wins, seconds, .. } => format!(
            "{generation:>5}  games    {games}, {black_wins} won by black, {rows} rows, {visits} visits, {seconds:.0} s"
        ),
        Event::Shuffle { generation, rows, played, left_out, seconds } => {
            let left_out: String = left_out.iter().map(|why| format!("\n       left out: {why}")).collect();
            format!("{generation:>5}  shuffle  {rows} of {played} rows, {seconds:.0} s{left_out}")
        }
        Event::Fit { generation, steps, losses, seconds } => format!(
            "{generation:>5}  fit      {steps} steps, loss {:.3} (policy {:.3}, value {:.3}, ownership {:.3}), {seconds:.0} s",
            losses.total, losses.policy, losses.value, losses.ownership
        ),
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
    elo.map_or_else(|| unbounded.to_owned(), |elo| format!("{elo:+.0}"))
}

fn export(
    folder: &Path,
    file: &Path,
    generation: Option<u32>,
    name: Option<String>,
    output: &mut Output,
) -> Result<(), Failure> {
    if !file.to_string_lossy().to_lowercase().ends_with(".bin.gz") {
        return Err(Failure::Usage(format!("{} does not end in .bin.gz, by which programs know it", file.display())));
    }
    let (_, mut network) = network_of(folder, generation).map_err(failed)?;
    if let Some(name) = name {
        network.model.name = name;
    }
    std::fs::write(file, to_bin_gz(&network.model)).map_err(|error| {
        Failure::new(format!("{} cannot be written: {error}", file.display()), "choose another place")
    })?;
    Ok(output.line(format!("{}: {}", network.model.name, file.display()))?)
}

fn show(folder: &Path, json: bool, output: &mut Output) -> Result<(), Failure> {
    let status = status(folder).map_err(failed)?;
    if json {
        return Ok(output.json(&status)?);
    }
    for event in &status.events {
        output.line(line(event))?;
    }
    Ok(output.line(format!(
        "{} generations are finished, network {} plays, {} files of games lie ready for the next",
        status.generations, status.network, status.files_under_way
    ))?)
}
