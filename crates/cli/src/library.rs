//! `honinbo library`: the games of the data folder.

mod filter;
mod organise;
mod pattern;
mod review;
mod sources;

pub(crate) use filter::{FilterArgs, SortArg, date};

use crate::app;
use crate::args::LibraryCommand;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::new_file::OutFile;
use crate::notes::note;
use crate::output::Output;
use crate::progress;
use crate::records::as_text;
use crate::words::counted;
use honinbo_api::{Caller, Event, ExportRecords, ImportProgress, RecordFilter, RecordFormat, commands};
use honinbo_library::{ExportFormat, GameFilter, GameQuery, GameSummary, Library, LibraryError};
use honinbo_record::{Charset, read_sgf_text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// The library's file in a data folder.
const FILE: &str = "library.sqlite";
/// Refused or mended files that are listed for a person.
const MAX_PROBLEMS: usize = 20;
/// What is left to do about a file that cannot be mended.
const RESCUE: &str =
    "rescue what can be read with `honinbo library rescue`, or restore a backup with `honinbo library restore`";

/// Does one of the commands about the library.
pub(crate) fn library(command: LibraryCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    match command {
        LibraryCommand::Import { paths, charset, json } => import(paths, charset, json, data, output),
        LibraryCommand::Search { words, filter, sort, ascending, offset, limit, json } => {
            let filter = filter.with_words(&words);
            let query = GameQuery { filter, sort: sort.into(), descending: !ascending, offset, limit };
            search(&query, json, data, output)
        }
        LibraryCommand::Pattern(args) => pattern::pattern(&args, data, output),
        LibraryCommand::Review { words, filter, go_on, json } => {
            review::review(&filter.with_words(&words), go_on, json, data, output)
        }
        LibraryCommand::Sources { command, json } => sources::sources(command, json, data, output),
        LibraryCommand::Stats { json } => stats(json, data, output),
        LibraryCommand::Check { repair, json } => check(repair, json, data, output),
        LibraryCommand::Rescue { file, json } => rescue(&file, json, data, output),
        LibraryCommand::Export { out, words, filter, evaluations, force, json } => {
            let filter = filter.with_words(&words);
            let out = out.as_ref().map(|out| out.unless_taken(force)).transpose()?;
            match out {
                Some(out) if evaluations => export_evaluated(&filter, out, json, data, output),
                out => export(&filter, out, json, data, output),
            }
        }
        other => organise::organise(other, data, output),
    }
}

/// A failure of the library; a person reads where it lies.
fn failed(path: &Path) -> impl Fn(LibraryError) -> Failure {
    let path = path.display().to_string();
    move |error| {
        let message = error.to_string();
        let says_where = matches!(
            error,
            LibraryError::NotALibrary { .. }
                | LibraryError::Replaced { .. }
                | LibraryError::CannotOpen { .. }
                | LibraryError::File { .. }
        );
        let message = if says_where { message } else { format!("{path}: {message}") };
        let hint = match error {
            LibraryError::UnknownGame { .. } => "`honinbo library search` lists the games",
            _ => error.hint(),
        };
        Failure::new(message, hint)
    }
}

/// What the end of a file's name asks for.
fn form_of(path: &Path) -> RecordFormat {
    match path.extension().map(|end| end.to_string_lossy().to_lowercase()).as_deref() {
        Some("zip") => RecordFormat::Zip,
        Some("csv") => RecordFormat::Csv,
        _ => RecordFormat::Sgf,
    }
}

fn no_library(path: &Path) -> Failure {
    Failure::new(format!("there is no library at {}", path.display()), "choose the right folder with --data")
}

/// The library, if there is one. Looking makes none.
fn existing(data: Option<PathBuf>) -> Result<(PathBuf, Option<Library>), Failure> {
    let path = app::data_dir(data).join(FILE);
    let library = if path.exists() { Some(Library::open(&path).map_err(failed(&path))?) } else { None };
    Ok((path, library))
}

fn import(
    paths: Vec<PathBuf>,
    charset: Option<Charset>,
    json: bool,
    data: Option<PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (app, events) = app::open(data);
    app.import_files(paths, charset)?;
    let stop = until_interrupted();
    let bar = progress::bar(Some(0), "{bar:30} {pos} of {len} files, {msg}");
    let progress = loop {
        match events.recv_timeout(Duration::from_millis(100)) {
            Ok(Event::Import(progress)) => {
                bar.set_length(progress.total_files.into());
                bar.set_position(progress.files.into());
                bar.set_message(format!("{}, {} new", counted(progress.games, "game"), progress.added));
                if progress.finished {
                    break progress;
                }
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new("the import ended without a word", "run it again"));
            }
        }
        if stop.is_set() {
            app_cancel(&app);
        }
    };
    bar.finish_and_clear();
    app.shut_down();
    report(&progress, json, output)
}

fn app_cancel(app: &honinbo_api::App) {
    let _ = commands::cancel_import(app, &Caller::new(), honinbo_api::NoArgs {});
}

fn report(progress: &ImportProgress, json: bool, output: &mut Output) -> Result<(), Failure> {
    // What ended the whole import belongs to no file.
    let (ended, problems): (Vec<_>, Vec<_>) =
        progress.problems.iter().partition(|problem| problem.refused && problem.file.is_empty());
    let refused = problems.iter().filter(|problem| problem.refused).count();
    if json {
        output.json(progress)?;
    } else {
        for problem in problems.iter().take(MAX_PROBLEMS) {
            let line = if problem.line == 0 { String::new() } else { format!(", line {}", problem.line) };
            let kind = if problem.refused { "refused: " } else { "" };
            note(&format!("{}{line}: {kind}{}", problem.file, problem.message));
        }
        if problems.len() > MAX_PROBLEMS {
            note(&format!("and {} more remarks; --json has them all", problems.len() - MAX_PROBLEMS));
        }
        output.line(summary(progress, refused, progress.cancelled || !ended.is_empty()))?;
    }
    if let Some(why) = ended.first() {
        let (files, total) = (progress.files, counted(progress.total_files, "file"));
        return Err(Failure::new(
            format!("the import ended early, after {files} of {total}: {}", why.message),
            "what it brought so far is kept; run it again to go on",
        ));
    }
    if progress.cancelled {
        return Err(Failure::new("the import was stopped; what it brought so far is kept", "run it again to go on"));
    }
    if progress.games == 0 && refused > 0 {
        return Err(Failure::new("no game was imported", "see the remarks above"));
    }
    Ok(())
}

/// What an import brought. Where it was broken off, a file that was not read to its end is not among its files.
fn summary(progress: &ImportProgress, refused: usize, broken_off: bool) -> String {
    let games = counted(progress.games, "game");
    let of = if broken_off {
        format!("{games}, after {} of {}", progress.files, counted(progress.total_files, "file"))
    } else {
        format!("{games} in {}", counted(progress.files, "file"))
    };
    format!("{of}: {} new, {} there already, {refused} refused", progress.added, progress.duplicates)
}

fn search(query: &GameQuery, json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (path, library) = existing(data)?;
    let Some(library) = library else {
        if json {
            output.json(&json!({ "total": 0, "games": [] }))?;
        } else {
            output.line(format!("no games: there is no library in {} yet", path.display()))?;
        }
        return Ok(());
    };
    let page = library.list(query).map_err(failed(&path))?;
    if json {
        let games: Vec<Value> = page.games.iter().map(as_json).collect();
        output.json(&json!({ "total": page.total, "games": games }))?;
        return Ok(());
    }
    for game in &page.games {
        output.line(as_line(game))?;
    }
    output.line(format!("{} of {}", page.games.len(), counted(page.total, "game")))?;
    Ok(())
}

fn as_json(game: &GameSummary) -> Value {
    json!({
        "id": game.id.as_str(),
        "title": game.title,
        "black": game.black,
        "blackRank": game.black_rank,
        "white": game.white,
        "whiteRank": game.white_rank,
        "event": game.event,
        "place": game.place,
        "date": game.date,
        "lastDate": game.last_date,
        "result": game.result,
        "width": game.width,
        "height": game.height,
        "topology": game.topology,
        "rules": game.rules,
        "komi": game.komi,
        "handicap": game.handicap,
        "moves": game.moves,
        "source": game.source,
        "addedMs": game.added,
    })
}

fn as_line(game: &GameSummary) -> String {
    let player = |name: &str, rank: &str| {
        let name = if name.is_empty() { "?" } else { name };
        if rank.is_empty() { name.to_string() } else { format!("{name} {rank}") }
    };
    let date =
        if game.last_date.is_empty() { game.date.clone() } else { format!("{} – {}", game.date, game.last_date) };
    let text = format!(
        "{:>6}  {:<10}  {} – {}  {}  {}x{}, {} moves{}",
        game.id.as_str(),
        date,
        player(&game.black, &game.black_rank),
        player(&game.white, &game.white_rank),
        game.result,
        game.width,
        game.height,
        game.moves,
        if game.event.is_empty() { String::new() } else { format!("  {}", game.event) },
    );
    // Names come from files of strangers: no escape sequences.
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn stats(json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (path, library) = existing(data)?;
    let Some(library) = library else {
        if json {
            output.json(&json!({ "games": 0 }))?;
        } else {
            output.line(format!("no games: there is no library in {} yet", path.display()))?;
        }
        return Ok(());
    };
    let stats = library.stats().map_err(failed(&path))?;
    if json {
        output.json(&json!({
            "games": stats.games,
            "deleted": stats.deleted,
            "players": stats.players,
            "copies": stats.copies,
            "blackWins": stats.black_wins,
            "whiteWins": stats.white_wins,
            "firstDate": stats.first_date,
            "lastDate": stats.last_date,
            "fileKib": stats.file_kib,
            "version": stats.version,
            "path": path.display().to_string(),
        }))?;
        return Ok(());
    }
    output.line(format!(
        "{} of {} in {}",
        counted(stats.games, "game"),
        counted(stats.players, "player"),
        path.display()
    ))?;
    output.line(format!("won by Black {}, by White {}", stats.black_wins, stats.white_wins))?;
    if !stats.first_date.is_empty() {
        output.line(format!("played from {} to {}", stats.first_date, stats.last_date))?;
    }
    output.line(format!("{} deleted, {} other versions, {} KiB", stats.deleted, stats.copies, stats.file_kib))?;
    Ok(())
}

fn check(repair: bool, json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let path = app::data_dir(data).join(FILE);
    let failed = |error| match error {
        // It is what `check` is for.
        LibraryError::Damaged { .. } => Failure::new(format!("{}: {error}", path.display()), RESCUE),
        other => failed(&path)(other),
    };
    let library = if path.exists() { Some(Library::open(&path).map_err(failed)?) } else { None };
    let library = library.ok_or_else(|| {
        let folder = path.parent().unwrap_or(&path).display().to_string();
        Failure::new(
            format!("there is no library in {folder}"),
            "choose the right folder with --data, or import games first",
        )
    })?;
    let report = if repair { library.repair() } else { library.check() }.map_err(failed)?;
    if json {
        output.json(&json!({ "games": report.games, "problems": report.problems, "repaired": report.repaired }))?;
    } else {
        for problem in &report.problems {
            output.line(format!("problem: {problem}"))?;
        }
        for repaired in &report.repaired {
            output.line(format!("repaired: {repaired}"))?;
        }
        output.line(format!(
            "{} read, {}",
            counted(report.games, "game"),
            counted(report.problems.len() as u64, "problem")
        ))?;
    }
    if report.problems.is_empty() {
        return Ok(());
    }
    let hint = if repair { RESCUE } else { "run it with --repair, or restore a backup" };
    Err(Failure::new(format!("{}: {} problems", path.display(), report.problems.len()), hint))
}

/// Takes what can be read into a new file.
fn rescue(to: &OutFile, json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let to = to.new_only()?;
    let path = app::data_dir(data).join(FILE);
    if !path.exists() {
        return Err(no_library(&path));
    }
    let report = Library::rescue(&path, to, organise::now_ms()).map_err(|error| match error {
        LibraryError::Damaged { .. } => Failure::new(
            format!("{}: nothing of it can be read: {error}", path.display()),
            "restore a backup with `honinbo library restore`",
        ),
        other => failed(&path)(other),
    })?;
    if json {
        let mut value = json!(report);
        value["path"] = json!(to.display().to_string());
        output.json(&value)?;
        return Ok(());
    }
    output.line(format!("{} in {}", counted(report.games, "game"), to.display()))?;
    if report.from_record > 0 {
        output.line(format!("{} of them from the record alone, in no folder", report.from_record))?;
    }
    if report.lost > 0 {
        output.line(format!("{} could not be read", counted(report.lost, "game")))?;
    }
    if !report.incomplete.is_empty() {
        output.line(format!("not taken over as a whole: {}", report.incomplete.join(", ")))?;
    }
    note(&format!("`honinbo library restore {}` puts it in the library's place", to.display()));
    Ok(())
}

fn export(
    filter: &GameFilter,
    out: Option<&Path>,
    json: bool,
    data: Option<PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (path, library) = existing(data)?;
    let library = library.ok_or_else(|| no_library(&path))?;
    let ids = library.ids(filter).map_err(failed(&path))?;
    if ids.is_empty() {
        note(&nothing_found(&filter.text));
    }
    let Some(out) = out else {
        for id in &ids {
            let game = library.game(id).map_err(failed(&path))?;
            output.line(as_text(read_sgf_text(&game.sgf)).trim_end())?;
        }
        return Ok(());
    };
    let format = match form_of(out) {
        RecordFormat::Sgf => ExportFormat::Sgf,
        RecordFormat::Zip => ExportFormat::Zip,
        RecordFormat::Csv => ExportFormat::Csv,
    };
    let games = library.export_file(&ids, format, out).map_err(|error| match error {
        LibraryError::File { source, .. } => Failure::new(
            format!("{} cannot be written: {source}", out.display()),
            "check the folder and the room on the disk",
        ),
        other => failed(&path)(other),
    })?;
    exported(games, out, json, output)
}

/// Says that no game has these words; one of them may be meant as the file.
fn nothing_found(words: &str) -> String {
    let names_file = |word: &&str| {
        Path::new(word)
            .extension()
            .is_some_and(|end| ["sgf", "zip", "csv"].iter().any(|form| end.eq_ignore_ascii_case(form)))
    };
    match words.split_whitespace().find(names_file) {
        Some(word) => format!("no games found; `--out {word}` writes to a file of that name"),
        None => "no games found".to_owned(),
    }
}

/// The same with what is known of each position, which is the back end's to say.
fn export_evaluated(
    filter: &GameFilter,
    out: &Path,
    json: bool,
    data: Option<PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (path, library) = existing(data.clone())?;
    let library = library.ok_or_else(|| no_library(&path))?;
    let ids = library.ids(filter).map_err(failed(&path))?;
    drop(library);
    if ids.is_empty() {
        return Err(Failure::new("no game meets the conditions", "ask for fewer of them"));
    }
    let (app, _events) = app::open(data);
    let asked = ExportRecords {
        ids: ids.iter().map(ToString::to_string).collect(),
        filter: RecordFilter::default(),
        format: form_of(out),
        path: out.display().to_string(),
        evaluations: true,
    };
    let games = commands::export_records(&app, &Caller::new(), asked)?.games;
    app.shut_down();
    exported(games, out, json, output)
}

fn exported(games: u32, out: &Path, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(&json!({ "games": games, "path": out.display().to_string() }))?;
    } else {
        output.line(format!("{} in {}", counted(games, "game"), out.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;
    use honinbo_api::ImportProblem;

    #[test]
    fn an_import_that_ended_early_is_a_failure() {
        let problem = |file: &str, message: &str| ImportProblem {
            file: file.to_owned(),
            line: 0,
            refused: true,
            joined: false,
            problem: None,
            message: message.to_owned(),
        };
        let progress = ImportProgress {
            games: 40,
            files: 3,
            total_files: 9,
            problems: vec![problem("notes.txt", "no record"), problem("", "the disk is full: free some space")],
            ..ImportProgress::default()
        };
        let said = report(&progress, true, &mut Output::stdout()).unwrap_err();
        assert_eq!(said.status(), 1);
        let line = said.line();
        assert!(line.starts_with("error: the import ended early, after 3 of 9 files: the disk is full"), "{line}");
        assert_eq!(summary(&progress, 1, true), "40 games, after 3 of 9 files: 0 new, 0 there already, 1 refused");
        let large = ImportProgress { games: 4064, files: 0, total_files: 1, added: 4000, duplicates: 64, ..progress };
        assert_eq!(summary(&large, 0, true), "4064 games, after 0 of 1 file: 4000 new, 64 there already, 0 refused");
        let done = ImportProgress { files: 1, ..large };
        assert_eq!(summary(&done, 0, false), "4064 games in 1 file: 4000 new, 64 there already, 0 refused");
        let whole = ImportProgress { problems: vec![problem("notes.txt", "no record")], ..done };
        report(&whole, true, &mut Output::stdout()).unwrap();
    }
}
