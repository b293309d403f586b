//! A game made ready for the library: everything that needs no database, so that importers do it on other threads.

use honinbo_record::{GameInfo, GameResult, GameTree};
use honinbo_rules::Color;

use crate::error::LibraryError;
use crate::text::TextCodec;
use crate::track::Track;

/// Longest text of notes that is searched.
const MAX_NOTES: usize = 1 << 20;

/// Longest name or event that is kept as such; longer ones stand in the record only.
const MAX_NAME_CHARS: usize = 200;

pub(crate) struct PreparedGame {
    pub(crate) info: GameInfo,
    pub(crate) track: Track,
    pub(crate) packed_track: Vec<u8>,
    pub(crate) packed_text: Vec<u8>,
    pub(crate) key: i64,
    pub(crate) notes: String,
    /// Moves of the main line that could not be played, or come after stones set up in mid-game.
    pub(crate) left_out_moves: u32,
    /// The track is the whole main line.
    pub(crate) whole_line: bool,
}

impl PreparedGame {
    pub(crate) fn new(tree: &GameTree, codec: &mut TextCodec) -> Result<Self, LibraryError> {
        let mut info = GameInfo::of(tree);
        for name in [&mut info.black.name, &mut info.white.name, &mut info.event, &mut info.place] {
            *name = tidy(name);
        }
        let (track, cut) = Track::of(tree, &info);
        let key = track.key(&names_key(&info.black.name, &info.white.name));
        let text = tree.to_sgf();
        let packed_text = codec.pack(&text, Some(&track))?;
        let played = tree.line_from(tree.root()).filter(|&node| tree.move_at(node, info.size).is_some()).count();
        let left_out_moves = u32::try_from(played.saturating_sub(track.len())).unwrap_or(u32::MAX);
        let notes = notes_of(tree, &info);
        Ok(Self { packed_track: track.pack(), packed_text, key, notes, left_out_moves, whole_line: !cut, info, track })
    }
}

/// One line, at most 200 characters, nothing that cannot be shown.
fn tidy(name: &str) -> String {
    if name.len() <= MAX_NAME_CHARS && !name.contains(|c: char| c.is_control()) {
        return name.to_owned();
    }
    let words: Vec<_> = name.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    words.join(" ").chars().take(MAX_NAME_CHARS).collect()
}

pub(crate) fn names_key(black: &str, white: &str) -> String {
    format!("{}\n{}", black.to_lowercase(), white.to_lowercase())
}

/// The texts people look for: name of the game, its comment, annotator, comments and names of nodes.
fn notes_of(tree: &GameTree, info: &GameInfo) -> String {
    let mut notes = String::new();
    let mut add = |text: &str| {
        if !text.is_empty() && notes.len() + text.len() < MAX_NOTES {
            if !notes.is_empty() {
                notes.push('\n');
            }
            notes.push_str(text);
        }
    };
    for text in [&info.name, &info.comment, &info.annotator, &info.round] {
        add(text);
    }
    // Two players side by side are found by their names already.
    for node in tree.subtree(tree.root()) {
        for property in tree.properties(node) {
            if matches!(property.raw_ident(), "C" | "N" | "Comment") {
                property.texts().for_each(|text| add(text.trim()));
            }
        }
    }
    notes
}

pub(crate) fn result_code(result: GameResult) -> i64 {
    match result {
        GameResult::Unknown => 0,
        GameResult::Score { .. } => 1,
        GameResult::Resignation(_) => 2,
        GameResult::Time(_) => 3,
        GameResult::Forfeit(_) => 4,
        GameResult::Win(_) => 5,
        GameResult::Draw => 6,
        GameResult::Void => 7,
    }
}

pub(crate) fn winner_code(winner: Option<Color>) -> i64 {
    winner.map_or(0, |color| color.index() as i64 + 1)
}

pub(crate) fn result_of(code: i64, winner: i64, margin: Option<i64>) -> GameResult {
    let winner = if winner == 2 { Color::White } else { Color::Black };
    match code {
        1 => GameResult::Score { winner, margin: margin.unwrap_or(0) as f32 / 100.0 },
        2 => GameResult::Resignation(winner),
        3 => GameResult::Time(winner),
        4 => GameResult::Forfeit(winner),
        5 => GameResult::Win(winner),
        6 => GameResult::Draw,
        7 => GameResult::Void,
        _ => GameResult::Unknown,
    }
}
