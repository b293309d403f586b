//! The ways to read the texts of a game whose character set was guessed wrongly.

use crate::{ApiError, TextReading};
use honinbo_record::{Charset, GameInfo, GameTree};

/// Characters of a line that is shown as a sample.
const MAX_SAMPLE: usize = 80;

/// The ways to read a game's texts, the one in force first.
pub(super) fn offered(tree: &GameTree) -> Vec<TextReading> {
    let readings = tree.text_readings();
    // One at a time: a game may be large.
    let shown = readings.into_iter().filter_map(|reading| {
        let again = tree.read_again(reading)?;
        let info = GameInfo::of(&again);
        Some(TextReading {
            taken: reading.taken.name().to_owned(),
            meant: reading.meant.name().to_owned(),
            black: info.black.name,
            white: info.white.name,
            event: info.event,
            comment: sample(&again),
        })
    });
    shown.collect()
}

/// A reading by the names that windows know.
pub(super) fn named(taken: &str, meant: &str) -> Result<honinbo_record::TextReading, ApiError> {
    let set = |name: &str| {
        let unknown = || ApiError::InvalidRequest { message: format!("there is no character set {name:?}") };
        Charset::for_label(name).ok_or_else(unknown)
    };
    Ok(honinbo_record::TextReading { taken: set(taken)?, meant: set(meant)? })
}

fn sample(tree: &GameTree) -> String {
    let mut comments = tree
        .subtree(tree.root())
        .flat_map(|node| ["GC", "C"].into_iter().filter_map(move |ident| tree.text_value(node, ident)));
    let line = comments.find_map(|comment| comment.lines().find(|line| !line.is_ascii()).map(str::to_owned));
    line.unwrap_or_default().trim().chars().take(MAX_SAMPLE).collect()
}
