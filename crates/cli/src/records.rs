//! Records named on a command line.

use crate::notes::note;
use honinbo_api::ApiError;
use honinbo_record::{Diagnostic, GameInfo, ReplayOptions, Severity};
use honinbo_rules::{Color, Komi, Preset};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest record that is read.
const LARGEST_FILE: u64 = 256 << 20;
/// Remarks about a record that are shown.
const MOST_NOTES: usize = 5;

/// What a person reads instead of `-`.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path, name: &str) -> Result<Vec<u8>, ApiError> {
    let unreadable = |message: String| ApiError::UnreadableFile { file: name.to_string(), message };
    let broken = |error: std::io::Error| unreadable(format!("{name} cannot be read: {error}"));
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        if path.is_dir() {
            return Err(unreadable(format!("{name} is a folder; name a record in it")));
        }
        Box::new(File::open(path).map_err(broken)?)
    };
    source.by_ref().take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(broken)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(unreadable(format!("{name} is larger than 256 MiB; give a record of one game")));
    }
    Ok(bytes)
}

/// Rules and komi that were asked for in place of the record's.
pub(crate) fn replay_options(rules: Option<&str>, komi: Option<f64>) -> Result<ReplayOptions, ApiError> {
    let invalid = |message: String| ApiError::InvalidRequest { message };
    let ruleset = match rules {
        None => None,
        Some(rules) => {
            let preset = Preset::parse(rules).ok_or_else(|| invalid(format!("there is no ruleset {rules:?}")))?;
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
pub(crate) fn remark(said: &[Diagnostic], name: &str) {
    let worth: Vec<&Diagnostic> = said.iter().filter(|diagnostic| diagnostic.severity() != Severity::Info).collect();
    for diagnostic in worth.iter().take(MOST_NOTES) {
        note(&format!("{name}: {diagnostic}; {}", diagnostic.problem.action()));
    }
    if worth.len() > MOST_NOTES {
        note(&format!("{name}: and {} more remarks", worth.len() - MOST_NOTES));
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

/// What a record says is shown, never obeyed: no escape sequences.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
