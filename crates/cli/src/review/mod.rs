//! `honinbo review`: whole games analysed, and what each player did well and badly.

mod diagram;
mod facts;
mod page;
mod text;

use crate::app;
use crate::args::{PrecisionOption, readable_kinds};
use crate::device_watch::DeviceWatch;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::new_file::new_files;
use crate::notes::{failed, note};
use crate::output::Output;
use crate::progress;
use crate::records::{check_is_go, files_of, games, name_of, remark, remarks, replay_options, title};
use crate::run::as_path_if_file;
use clap::Args as ClapArgs;
use honinbo_api::{ApiError, App, GameReview, ReviewOptions, ReviewProgress};
use honinbo_evaluator::StopFlag;
use honinbo_record::FoundGame;
use indicatif::ProgressBar;
use page::Section;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, ClapArgs)]
pub(crate) struct ReviewArgs {
    #[arg(value_name = "PATH", required = true, help = format!(
        "Records ({}), and folders with all that are in them; of several games in a file every one is reviewed; `-` reads \
         standard input",
        readable_kinds()
    ))]
    files: Vec<PathBuf>,
    /// Visits on each position, at least 2; from 100 on half of them, and as many where the verdict on a move is open
    #[arg(long, value_name = "V", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    visits: u32,
    /// Write each game here as SGF with the evaluations that KaTrain, Kaya, Lizzie and Sabaki read; with --html also its
    /// report. Files that are there stay: the new ones get a number
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The report as a page with diagrams, for a browser and for paper
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// The report as one JSON value
    #[arg(long)]
    json: bool,
    /// Mistakes that a report shows of each game, the worst first
    #[arg(long, value_name = "N", default_value_t = 10)]
    mistakes: usize,
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    net: Option<String>,
    /// A ruleset such as chinese or japanese [default: the record's]
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Points for White [default: the record's]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    komi: Option<f64>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    device: Option<String>,
    #[command(flatten)]
    precision: PrecisionOption,
}

/// A game that was reviewed, and where it came from.
struct Reviewed {
    /// The file, with the number of the game where it holds several.
    source: String,
    review: GameReview,
    visits: u32,
    /// Mistakes that are shown.
    shown: usize,
    /// Files that were written.
    written: Vec<PathBuf>,
}

impl Reviewed {
    /// The worst moves, as far as they are shown.
    fn mistakes(&self) -> impl Iterator<Item = &honinbo_api::ReviewedMove> {
        self.review.mistakes.iter().take(self.shown).map(|&place| &self.review.moves[place])
    }
}

/// What a review found, as JSON, with so many mistakes.
pub(crate) fn facts_of(review: GameReview, visits: u32, shown: usize) -> Value {
    facts::of_game(&Reviewed { source: String::new(), review, visits, shown, written: Vec::new() })
}

/// What is kept of a game until all are done: of thousands there may be no room for more.
struct Report {
    facts: Value,
    section: Option<Section>,
}

/// Reviews every game of every file. What cannot be reviewed is said, and the others go on.
pub(crate) fn review(args: &ReviewArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let options = ReviewOptions { visits: args.visits, replay: replay_options(args.rules.as_deref(), args.komi)? };
    let files = files_of(&args.files)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("the folder {} cannot be made: {error}", folder.display()), "name another one")
        })?;
    }
    let (app, events) = app::open(data);
    drop(events);
    app.override_precision(args.precision.get());
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), None);
    let stop = until_interrupted();
    let mut work =
        Work { args, files: files.len(), app: &app, options, stop, bar: progress_bar(), failures: Vec::new() };
    let bar = work.bar.clone();
    let watch = DeviceWatch::of(&app, move |text| bar.suspend(|| note(text)));
    let mut reports = Vec::new();
    // Without an engine, or after Ctrl-C, no file is better than another.
    let mut broken_off = Ok(());
    for (place, path) in files.iter().enumerate() {
        work.bar.set_message(format!("file {} of {}", place + 1, files.len()));
        broken_off = work.file(path, &mut reports, output);
        if broken_off.is_err() {
            break;
        }
    }
    drop(watch);
    work.bar.finish_and_clear();
    app.shut_down();
    let failures = work.failures;
    if args.json && (broken_off.is_ok() || !reports.is_empty()) {
        let games: Vec<Value> = reports.into_iter().map(|report: Report| report.facts).collect();
        let failures = failures.iter().map(|(file, failure)| json!({ "file": file, "message": failure.message() }));
        output.json(&json!({ "games": games, "failures": failures.collect::<Vec<_>>() }))?;
    } else if args.html && args.out.is_none() && !reports.is_empty() {
        let sections: Vec<Section> = reports.into_iter().filter_map(|report| report.section).collect();
        output.line(page::page(&sections))?;
    }
    broken_off.and_then(|()| end(failures, files.len()))
}

/// Success, the one failure of the one file, or how many there were.
fn end(mut failures: Vec<(String, Failure)>, files: usize) -> Result<(), Failure> {
    match failures.len() {
        0 => Ok(()),
        1 if files == 1 => Err(failures.swap_remove(0).1),
        failed => Err(Failure::new(
            format!("{failed} of {files} files could not be reviewed"),
            "the lines above say why; the others are done",
        )),
    }
}

struct Work<'a> {
    args: &'a ReviewArgs,
    /// How many there are.
    files: usize,
    app: &'a App,
    options: ReviewOptions,
    stop: StopFlag,
    bar: ProgressBar,
    failures: Vec<(String, Failure)>,
}

impl Work<'_> {
    /// Reviews the games of a file. Fails where going on makes no sense: without an engine, when it is interrupted, or
    /// when nobody reads the output.
    fn file(&mut self, path: &Path, reports: &mut Vec<Report>, output: &mut Output) -> Result<(), Failure> {
        let name = name_of(path);
        let games = match self.games_of(path, &name) {
            Ok(games) => games,
            Err(error) => return self.failed(name, error.into()),
        };
        let count = games.len();
        for (place, found) in games.into_iter().enumerate() {
            let source = if count > 1 { format!("{name}, game {}", place + 1) } else { name.clone() };
            let message = self.bar.message();
            let show = |progress: ReviewProgress| {
                self.bar.set_length(progress.total as u64);
                self.bar.set_position(progress.done as u64);
            };
            let review = self.app.review_record(&found.game.tree, &self.options, &self.stop, &show);
            self.bar.set_message(message);
            let review = review.map_err(|error| match error {
                ApiError::Cancelled => Failure::new("the review was stopped", "what was found is kept in the library"),
                other => other.into(),
            })?;
            let mut done =
                Reviewed { source, review, visits: self.args.visits, shown: self.args.mistakes, written: Vec::new() };
            let stem = match path.file_stem() {
                Some(stem) if path.as_os_str() != "-" => stem.to_string_lossy().into_owned(),
                _ => "game".into(),
            };
            let stem = if count > 1 { format!("{stem}-{}", place + 1) } else { stem };
            if let Err(failure) = self.write(&mut done, path, &stem) {
                return self.failed(name, failure);
            }
            self.print(&done, reports.len(), output)?;
            reports.push(Report {
                facts: if self.args.json { facts::of_game(&done) } else { Value::Null },
                section: self.is_page().then(|| Section::of(&done)),
            });
        }
        Ok(())
    }

    fn games_of(&self, path: &Path, name: &str) -> Result<Vec<FoundGame>, ApiError> {
        let mut games = games(path, name, &mut |problem| self.bar.suspend(|| note(problem)))?;
        let mut refused = Vec::new();
        games.retain(|found| check_is_go(found).map_err(|error| refused.push(error)).is_ok());
        if games.is_empty()
            && let Some(error) = refused.pop()
        {
            return Err(error);
        }
        self.bar.suspend(|| {
            refused.iter().for_each(|error| note(&error.to_string()));
            for (place, found) in games.iter().enumerate() {
                let before = place.checked_sub(1).map(|before| &games[before]);
                remark(remarks(found, before), &found.path.display().to_string());
            }
        });
        Ok(games)
    }

    /// Notes that a file could not be done; said at once where others follow.
    fn failed(&mut self, name: String, failure: Failure) -> Result<(), Failure> {
        if matches!(failure, Failure::ClosedPipe) {
            return Err(failure);
        }
        if self.files > 1 {
            self.bar.suspend(|| failed(&failure));
        }
        self.failures.push((name, failure));
        Ok(())
    }

    /// Writes a game, and its page where that is asked for, into the folder. What is there already, another record perhaps
    /// that is still to be reviewed, stays as it is.
    fn write(&self, done: &mut Reviewed, from: &Path, stem: &str) -> Result<(), Failure> {
        let Some(folder) = &self.args.out else { return Ok(()) };
        let usual = folder.join(format!("{stem}.sgf"));
        if usual.exists() && usual.canonicalize().ok() == from.canonicalize().ok() {
            let message = format!("{} would be written over itself", usual.display());
            return Err(Failure::new(message, "name another folder with --out"));
        }
        let record = done.review.tree.to_bytes();
        let page = self.args.html.then(|| page::page(&[Section::of(done)]));
        let mut contents = vec![("sgf", &*record)];
        contents.extend(page.as_ref().map(|page| ("html", page.as_bytes())));
        done.written = new_files(folder, stem, &contents).map_err(|error| {
            let message = format!("{stem} cannot be written into {}: {error}", folder.display());
            Failure::new(message, "name another folder with --out")
        })?;
        Ok(())
    }

    /// Whether standard output gets one page with all games.
    fn is_page(&self) -> bool {
        self.args.html && self.args.out.is_none()
    }

    fn print(&self, done: &Reviewed, before: usize, output: &mut Output) -> Result<(), Failure> {
        if self.args.json || self.is_page() {
            return Ok(());
        }
        self.bar.suspend(|| {
            if before > 0 {
                output.line("")?;
            }
            text::lines(done).into_iter().try_for_each(|line| output.line(line))?;
            output.flush()
        })?;
        Ok(())
    }
}

fn progress_bar() -> ProgressBar {
    let bar = progress::bar(Some(0), "{bar:30} {pos} of {len} positions, {eta} left, {msg}");
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Players, date and result of a game, or its file; `marks` stand behind the players' names.
fn heading(done: &Reviewed, marks: [&str; 2]) -> String {
    let title = title(&done.review.info, marks);
    if title.is_empty() { done.source.clone() } else { title }
}
