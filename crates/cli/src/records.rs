//! Records named on a command line.

use crate::failure::Failure;
use crate::notes::note;
use honinbo_api::ApiError;
use honinbo_library::records_in;
use honinbo_record::{
    Collection, Diagnostic, FileProblem, Found, FoundGame, GameInfo, Problem, ReadLimits, ReplayOptions, Severity,
    each_game,
};
use honinbo_rules::{Color, Komi, Preset};
use std::fs::File;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The largest record that is read.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Remarks about a record that are shown.
const MAX_NOTES: usize = 5;

/// What a person reads instead of `-`.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// The files that are meant: a folder stands for the records in it, as it does for an import.
pub(crate) fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        records_in(path, &mut |path, found| match found {
            Ok(_) => files.push(path),
            Err(error) => note(&format!("{} cannot be read: {error}", path.display())),
        });
        if files.len() == before {
            return Err(Failure::new(format!("there is no record in {}", path.display()), "name another folder"));
        }
    }
    Ok(files)
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path, name: &str) -> Result<Vec<u8>, ApiError> {
    let unreadable = |message: String| ApiError::UnreadableFile { file: name.to_string(), message, problem: None };
    let broken = |error: std::io::Error| unreadable(format!("cannot be read: {error}"));
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        if path.is_dir() {
            return Err(unreadable("is a folder; name a record in it".into()));
        }
        Box::new(File::open(path).map_err(broken)?)
    };
    source.by_ref().take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(broken)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(unreadable("is larger than 256 MiB; give a record of one game".into()));
    }
    Ok(bytes)
}

/// The games of a file of any kind: a record, a compressed one, or an archive of them. What a part of the file lacks is
/// said, sentence by sentence; a file without any game is refused.
pub(crate) fn games(path: &Path, name: &str, say: &mut dyn FnMut(&str)) -> Result<Vec<FoundGame>, ApiError> {
    games_of(read(path, name)?, name, ReadLimits::default(), say)
}

/// As [`games`], of bytes that were read already.
pub(crate) fn games_of(
    bytes: Vec<u8>,
    name: &str,
    limits: ReadLimits,
    say: &mut dyn FnMut(&str),
) -> Result<Vec<FoundGame>, ApiError> {
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    let size = bytes.len() as u64;
    let _to_the_end = each_game(Path::new(name), Cursor::new(bytes), size, limits, &mut |found| {
        match found {
            Found::Game(game) => games.push(*game),
            Found::Refused { path, problem: FileProblem::NoGame(why) } => {
                refused.push((path, format!("is no record of a game: {why}")));
            }
            Found::Refused { path, problem } => refused.push((path, problem.to_string())),
        }
        ControlFlow::Continue(())
    });
    if games.is_empty() {
        let none = || (name.into(), "is an archive without any record".into());
        let (path, message) = refused.into_iter().next().unwrap_or_else(none);
        return Err(ApiError::UnreadableFile { file: path.display().to_string(), message, problem: None });
    }
    refused.iter().for_each(|(path, problem)| say(&format!("{}: {problem}", path.display())));
    Ok(games)
}

/// What was wrong with a game, and with the record that it came from where it is the first of that.
pub(crate) fn remarks<'a>(found: &'a FoundGame, before: Option<&FoundGame>) -> Vec<&'a Diagnostic> {
    let whole = if before.is_some_and(|before| before.path == found.path) { &[][..] } else { &found.diagnostics };
    whole.iter().chain(&found.game.diagnostics).collect()
}

/// Refuses a game that has no position to look at: a record of another game than Go.
pub(crate) fn check_is_go(found: &FoundGame) -> Result<(), ApiError> {
    let info = GameInfo::of(&found.game.tree);
    let Some(problem) = info.problems.iter().find(|problem| matches!(problem, Problem::NotGo { .. })) else {
        return Ok(());
    };
    let (file, message) = (found.path.display().to_string(), format!("is no record of a game of Go: {problem}"));
    Err(ApiError::UnreadableFile { file, message, problem: Some(problem.into()) })
}

/// Rules and komi that were asked for in place of the record's.
pub(crate) fn replay_options(rules: Option<&str>, komi: Option<f64>) -> Result<ReplayOptions, ApiError> {
    let invalid = |message: String| ApiError::InvalidRequest { message };
    let ruleset = match rules {
        None => None,
        Some(rules) => {
            let preset = Preset::named(rules).map_err(|error| invalid(format!("{error}; {}", error.hint())))?;
            Some(preset.ruleset())
        }
    };
    let komi = match komi {
        None => None,
        Some(points) => Some(Komi::from_points(points).map_err(|e| invalid(format!("{e}; {}", e.hint())))?),
    };
    Ok(ReplayOptions { ruleset, komi })
}

/// Says what was wrong with a record, on standard error.
pub(crate) fn remark<'a>(said: impl IntoIterator<Item = &'a Diagnostic>, name: &str) {
    let worth: Vec<_> = said.into_iter().filter(|diagnostic| diagnostic.severity() != Severity::Info).collect();
    for diagnostic in worth.iter().take(MAX_NOTES) {
        note(&format!("{name}: {diagnostic}"));
    }
    if worth.len() > MAX_NOTES {
        note(&format!("{name}: and {} more remarks", worth.len() - MAX_NOTES));
    }
}

/// How the stones of both players are drawn in text.
pub(crate) const MARKS: [&str; 2] = [" (X)", " (O)"];

/// Players, each with a mark behind the name, date and result in a line.
pub(crate) fn title(info: &GameInfo, [black_mark, white_mark]: [&str; 2]) -> String {
    let player = |color| {
        let player = info.player(color);
        [player.name.as_str(), player.rank.as_str()]
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (black, white) = (player(Color::Black), player(Color::White));
    let players = match (black.is_empty(), white.is_empty()) {
        (true, true) => String::new(),
        _ => format!("{}{black_mark} – {}{white_mark}", or_unknown(&black), or_unknown(&white)),
    };
    let parts = [info.name.as_str(), &players, &info.date_text, &info.result_text];
    let text = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(", ");
    harmless(&text)
}

/// Records as text for a terminal or another program: UTF-8, which they say of themselves, and U+FFFD for each byte that
/// was no character in their file.
pub(crate) fn as_text(records: Collection) -> String {
    String::from_utf8_lossy(&records.in_utf8().to_bytes()).into_owned()
}

/// What a record says is shown, never obeyed: no escape sequences.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
