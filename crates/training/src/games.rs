//! The games of a run: the newest ones for a list, and each as a record.

use std::path::{Path, PathBuf};

use honinbo_record::{GameInfo, GameResult, GameTree, read_sgf};
use serde::Serialize;
use specta::Type;
use specta_typescript::Number;

use crate::error::FolderError;
use crate::folder::{file_number, files_in, numbered, part_file, read_within};

/// A file of games that is larger is not looked into.
const MAX_FILE: u64 = 64 << 20;
/// Generations that are looked through for games, from the newest.
const MAX_GENERATIONS: u32 = 3;

/// A game that was played for a run.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    /// The generation that learns from it.
    pub generation: u32,
    /// The number of its file.
    pub file: u32,
    /// Its place in that file, from 0.
    pub index: u32,
    /// Columns of its board.
    pub width: u8,
    /// Rows of its board.
    pub height: u8,
    /// Moves.
    pub moves: u32,
    /// White's komi.
    #[specta(type = Number)]
    pub komi: f64,
    /// The result as records write it, such as `B+3.5`; empty where there is none.
    pub result: String,
}

/// The newest games up to the generation under way, the newest first. Files that cannot be read are passed over.
#[must_use]
pub fn last_games(folder: &Path, generation: u32, most: usize) -> Vec<GameSummary> {
    let mut found = Vec::new();
    for of in (1..=generation).rev().take(MAX_GENERATIONS as usize) {
        for (file, path) in files_of(folder, of).into_iter().rev() {
            let Ok(bytes) = read_within(&path, MAX_FILE) else { continue };
            let games = split(&bytes);
            for (index, text) in games.iter().enumerate().rev() {
                if found.len() >= most {
                    return found;
                }
                if let Some(game) = read_sgf(text).games.into_iter().next() {
                    found.push(summary(&game.tree, of, file, index as u32));
                }
            }
        }
        if found.len() >= most {
            break;
        }
    }
    found
}

/// The games of a generation, in their order; those of a file under way are not among them.
///
/// # Errors
/// When a file cannot be read.
pub fn games_of(folder: &Path, generation: u32) -> Result<Vec<GameSummary>, FolderError> {
    let mut found = Vec::new();
    for path in files_in(&numbered(folder, "games", generation), ".sgf")? {
        let Some(file) = file_number(&path) else { continue };
        let bytes = read_within(&path, MAX_FILE)?;
        for (index, text) in split(&bytes).into_iter().enumerate() {
            if let Some(game) = read_sgf(text).games.into_iter().next() {
                found.push(summary(&game.tree, generation, file, index as u32));
            }
        }
    }
    Ok(found)
}

/// One game as SGF.
///
/// # Errors
/// When it is not there, or its file cannot be read.
pub fn game_text(folder: &Path, generation: u32, file: u32, index: u32) -> Result<Vec<u8>, FolderError> {
    let missing = || FolderError::Missing(format!("game {index} of file {file} of generation {generation}"));
    let (_, path) = files_of(folder, generation).into_iter().find(|(number, _)| *number == file).ok_or_else(missing)?;
    let bytes = read_within(&path, MAX_FILE)?;
    split(&bytes).get(index as usize).map(|text| text.to_vec()).ok_or_else(missing)
}

/// Number and path of a generation's files of games; one under way only until it is there whole.
fn files_of(folder: &Path, generation: u32) -> Vec<(u32, PathBuf)> {
    let games = numbered(folder, "games", generation);
    let of = |ending| files_in(&games, ending).unwrap_or_default();
    let mut found: Vec<(u32, PathBuf)> =
        of(".sgf").into_iter().filter_map(|path| Some((file_number(&path)?, path))).collect();
    for part in of(".part") {
        match file_number(&part) {
            Some(number) if found.iter().all(|(whole, _)| *whole != number) => {
                found.push((number, part_file(&games, number)));
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// The texts of the games of a collection that are whole: the last one of a file under way may not be.
fn split(bytes: &[u8]) -> Vec<&[u8]> {
    let mut games = Vec::new();
    let (mut depth, mut begins, mut in_value, mut escaped) = (0_u32, 0, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = true,
            b'(' => {
                if depth == 0 {
                    begins = at;
                }
                depth += 1;
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    games.push(&bytes[begins..=at]);
                }
            }
            _ => {}
        }
    }
    games
}

fn summary(tree: &GameTree, generation: u32, file: u32, index: u32) -> GameSummary {
    let info = GameInfo::of(tree);
    let moves = tree.line_from(tree.root()).filter(|node| tree.move_at(*node, info.size).is_some()).count();
    GameSummary {
        generation,
        file,
        index,
        width: info.size.width() as u8,
        height: info.size.height() as u8,
        moves: moves as u32,
        komi: info.komi_or_guess().points(),
        result: if info.result == GameResult::Unknown { String::new() } else { info.result.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_games_are_told_from_one_that_is_being_written() {
        let text = b"(;GM[1]C[a \\] ) b];B[aa](;W[bb])(;W[cc]))\n(;GM[1];B[aa])\n(;GM[1];B[a";
        let games = split(text);
        assert_eq!(games.len(), 2);
        assert!(games[0].ends_with(b"(;W[cc]))"));
        assert_eq!(games[1], b"(;GM[1];B[aa])");
        assert!(split(b")))]](").is_empty());
    }
    #[test]
    fn the_games_of_a_generation_are_those_of_its_whole_files() {
        let folder = tempfile::tempdir().unwrap();
        let games = numbered(folder.path(), "games", 3);
        assert_eq!(games_of(folder.path(), 3).unwrap(), []);
        std::fs::create_dir_all(&games).unwrap();
        let record = "(;GM[1]SZ[5:4]KM[1.5]RE[W+2.5];B[aa];W[bb])\n";
        std::fs::write(games.join("000001.sgf"), record).unwrap();
        std::fs::write(games.join("000000.sgf"), record.repeat(2)).unwrap();
        std::fs::write(games.join("000002.part"), record).unwrap();
        let found = games_of(folder.path(), 3).unwrap();
        let places: Vec<(u32, u32)> = found.iter().map(|game| (game.file, game.index)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0)]);
        assert_eq!((found[2].generation, found[2].width, found[2].height, found[2].moves), (3, 5, 4, 2));
        assert_eq!((found[2].komi, found[2].result.as_str()), (1.5, "W+2.5"));
    }
}
