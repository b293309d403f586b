//! Cards as a package for Anki, and records out of such packages.

use super::{LessonsRoom, deck, position_of};
use crate::disk::decoded;
use crate::{ApiError, DeckPackage, GameSource};
use base64::Engine as _;
use honinbo_library::{AnkiNote, read_anki, write_anki};
use honinbo_record::{GameTree, read_sgf_text};
use std::io::Cursor;
use std::path::Path;

/// A package that is read.
const MAX_BYTES: u64 = 256 << 20;

impl LessonsRoom {
    /// All cards with drawings of their questions and answers, and each as a record, by which it is read again.
    pub(crate) fn export_anki(&self, name: &str) -> Result<DeckPackage, ApiError> {
        let mut notes = Vec::new();
        for card in self.library.cards()? {
            let Some(exercise) = self.card_exercise(&card) else { continue };
            let good = position_of(&card.asks.sgf).map(|game| self.known_good(&game)).unwrap_or_default();
            let Some(sgf) = deck::written(&card, &good) else { continue };
            let (front, back) = (exercise.question_svg(), exercise.solution_svg());
            notes.push(AnkiNote { sgf, front, back, text: exercise.heading });
        }
        let mut bytes = Cursor::new(Vec::new());
        let seconds = i64::try_from(self.host.unix_seconds()).unwrap_or_default();
        let name: String = name.chars().filter(|letter| !letter.is_control()).take(100).collect();
        write_anki(&name, &notes, seconds, &mut bytes).map_err(|error| ApiError::from_library(&error))?;
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes.into_inner());
        Ok(DeckPackage { base64, cards: u32::try_from(notes.len()).unwrap_or(u32::MAX) })
    }
}

/// The records in a package of Anki; `None` for a file of another name.
pub(super) fn records_of(source: &GameSource) -> Result<Option<Vec<GameTree>>, ApiError> {
    let (GameSource::Path { path: name } | GameSource::Content { name, .. }) = source;
    if !Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("apkg")) {
        return Ok(None);
    }
    let unreadable = |message: String| ApiError::UnreadableFile { file: name.clone(), message, problem: None };
    let bytes = match source {
        GameSource::Content { base64, .. } => decoded(base64)?,
        GameSource::Path { path } => {
            let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
            if size > MAX_BYTES {
                return Err(unreadable("it is larger than 256 MiB".to_owned()));
            }
            std::fs::read(path).map_err(|error| unreadable(error.to_string()))?
        }
    };
    let texts = read_anki(Cursor::new(bytes)).map_err(|error| unreadable(error.to_string()))?;
    Ok(Some(texts.into_iter().flat_map(|text| read_sgf_text(&text).games).map(|game| game.tree).collect()))
}
