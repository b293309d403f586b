//! `honinbo train rows` and `history`: rows and runs as Parquet tables for other programs, and rows out of such tables.

use crate::failure::Failure;
use crate::new_file::{OutFile, not_written, write_in_pieces, write_whole};
use crate::output::Output;
use crate::train::failed;
use clap::{Args as ClapArgs, ValueHint};
use honinbo_evaluator::StopFlag;
use honinbo_train::{
    GameTable, RowSource, RowTable, Rows, TrainError, config_of, read_row_table, read_rows, row_sources, rows_to_bytes,
    write_generations,
};
use honinbo_training::{games_of, numbered_folders, report};
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Exit status after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

#[derive(Debug, ClapArgs)]
pub(crate) struct RowsArgs {
    /// The folder of a run, or files of rows (.npz); to go back, tables (.parquet)
    #[arg(value_name = "FROM", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// The file to write: .parquet, or .npz out of tables
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    file: OutFile,
    /// The rows of this generation of the run alone [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Say as JSON what was written
    #[arg(long)]
    json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HistoryArgs {
    /// The folder of the run; it may be under way
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The file to write, which ends in .parquet
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: OutFile,
    /// A row for each game instead of each generation
    #[arg(long)]
    games: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Say as JSON what was written
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Debug, Default)]
struct Written {
    rows: u64,
    files: usize,
    /// Files that could not be read, each with a sentence.
    left_out: Vec<String>,
}

/// Writes rows in the other format.
pub(crate) fn write_rows(args: &RowsArgs, stop: &StopFlag, output: &mut Output) -> Result<(), Failure> {
    let path = args.file.unless_taken(args.force)?;
    let is_run = args.from.len() == 1 && args.from[0].is_dir();
    let written = if has_ending(path, "parquet") {
        let sources = sources(args, is_run)?;
        write_in_pieces(path, |file| write_table(args, &sources, is_run, file, path, stop))?
    } else if has_ending(path, "npz") {
        let is_table = |path: &PathBuf| has_ending(path, "parquet");
        if !args.from.iter().all(is_table) || args.generation.is_some() {
            return Err(Failure::Usage(
                "rows are written as .npz out of .parquet files alone, and all of them".to_owned(),
            ));
        }
        write_archive(&args.from, path)?
    } else {
        let name = path.display();
        return Err(Failure::Usage(format!("{name} ends neither in .parquet nor in .npz, by which programs know it")));
    };
    if args.json {
        let Written { rows, files, left_out } = written;
        output.json(&json!({ "file": path, "rows": rows, "files": files, "leftOut": left_out }))?;
    } else {
        for why in &written.left_out {
            output.line(format!("left out: {why}"))?;
        }
        output.line(format!("{} rows of {} files: {}", written.rows, written.files, path.display()))?;
    }
    Ok(())
}

/// The files to take rows from.
fn sources(args: &RowsArgs, is_run: bool) -> Result<Vec<RowSource>, Failure> {
    if is_run {
        return row_sources(&args.from[0], args.generation).map_err(failed);
    }
    if let Some(other) = args.from.iter().find(|path| !has_ending(path, "npz")) {
        return Err(Failure::Usage(format!(
            "{} is neither one run's folder nor a file of rows (.npz)",
            other.display()
        )));
    }
    if args.generation.is_some() {
        return Err(Failure::Usage("generations are those of a run: name its folder".to_owned()));
    }
    let numbered = args.from.iter().zip(0..);
    Ok(numbered.map(|(path, file)| RowSource { path: path.clone(), generation: None, file }).collect())
}

/// Writes a table. What is damaged in a run is left out, as where it learns; a file that somebody named is not.
fn write_table(
    args: &RowsArgs,
    sources: &[RowSource],
    is_run: bool,
    file: &File,
    path: &Path,
    stop: &StopFlag,
) -> Result<Written, Failure> {
    let unwritten = |error| not_written(path, &error);
    let mut written = Written::default();
    let mut table: Option<(RowTable<&File>, usize)> = None;
    for source in sources {
        if stop.is_set() {
            return Err(Failure::Stopped(INTERRUPTED));
        }
        let rows = match read_rows(&source.path, table.as_ref().map(|(_, side)| *side)) {
            Ok(rows) => rows,
            Err(error @ TrainError::Rows { .. }) if is_run => {
                written.left_out.push(error.to_string());
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        let (table, _) = match &mut table {
            Some(begun) => begun,
            none => none.insert((RowTable::new(file, rows.side).map_err(unwritten)?, rows.side)),
        };
        table.push(&rows, source).map_err(unwritten)?;
        written.files += 1;
    }
    if let Some((table, _)) = table {
        written.rows = table.finish().map_err(unwritten)?;
    }
    if written.rows == 0 {
        let why = written.left_out.first().map_or_else(String::new, |why| format!(": {why}"));
        return Err(Failure::new(
            format!("there are no rows in {}{why}", args.from[0].display()),
            "play games first with `honinbo train selfplay`",
        ));
    }
    Ok(written)
}

/// Writes an archive.
fn write_archive(from: &[PathBuf], path: &Path) -> Result<Written, Failure> {
    let mut all: Option<Rows> = None;
    for table in from {
        let rows = read_row_table(table).map_err(failed)?;
        match &mut all {
            None => all = Some(rows),
            Some(all) if all.side == rows.side => all.append(&rows),
            Some(all) => {
                return Err(Failure::new(
                    format!(
                        "{}: the rows are of boards in a square of {}, not of {}",
                        table.display(),
                        rows.side,
                        all.side
                    ),
                    "write a file for each size",
                ));
            }
        }
    }
    let all = all.unwrap_or_default();
    let bytes = rows_to_bytes(&all).map_err(|error| not_written(path, &error))?;
    write_whole(path, &bytes)?;
    Ok(Written { rows: all.len() as u64, files: from.len(), left_out: Vec::new() })
}

/// Writes generations or games of a run.
pub(crate) fn write_history(args: &HistoryArgs, output: &mut Output) -> Result<(), Failure> {
    let path = args.file.unless_taken(args.force)?;
    if !has_ending(path, "parquet") {
        return Err(Failure::Usage(format!("{} does not end in .parquet, by which programs know it", path.display())));
    }
    let unwritten = |error| not_written(path, &error);
    let (rows, what) = if args.games {
        let config = config_of(&args.folder).map_err(failed)?;
        let generations = numbered_folders(&args.folder, "games").map_err(|error| failed(error.into()))?;
        let rows = write_in_pieces(path, |file| {
            let mut table = GameTable::new(file, &config).map_err(unwritten)?;
            for generation in generations {
                let games = games_of(&args.folder, generation).map_err(|error| failed(error.into()))?;
                table.push(games).map_err(unwritten)?;
            }
            table.finish().map_err(unwritten)
        })?;
        (rows, "games")
    } else {
        let report = report(&args.folder).map_err(|error| failed(error.into()))?;
        let rows = write_in_pieces(path, |file| write_generations(file, &report).map_err(unwritten))?;
        (rows, "generations")
    };
    if args.json {
        output.json(&json!({ "file": path, what: rows }))?;
    } else {
        output.line(format!("{rows} {what}: {}", path.display()))?;
    }
    Ok(())
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
