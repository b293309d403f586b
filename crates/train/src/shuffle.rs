//! The window of rows that a generation learns from.

use std::path::PathBuf;

use honinbo_rules::Random;

use crate::config::ShuffleConfig;
use crate::error::TrainError;
use crate::npz::read_rows;
use crate::rows::Rows;

/// What was taken, and what could not be.
#[derive(Debug, Default)]
pub struct Shuffled {
    /// Rows in an order that says nothing.
    pub rows: Rows,
    /// Rows of all files, seen or not.
    pub window: usize,
    /// Files that were left out, each with a sentence that says why.
    pub left_out: Vec<String>,
}

/// How many of the newest rows are learnt from when so many were played: all up to `least_rows`, then ever fewer of
/// them.
///
/// Source: KataGo's paper (Wu 2019), appendix C: `c (1 + b ((n/c)^a - 1) / a)` with a = 0.75 and b = 0.4.
#[must_use]
pub fn window(config: &ShuffleConfig, played: usize) -> usize {
    let least = config.least_rows as f64;
    if played <= config.least_rows {
        return played;
    }
    let grown = least * (1.0 + 0.4 * ((played as f64 / least).powf(0.75) - 1.0) / 0.75);
    (grown as usize).min(config.most_rows)
}

/// Reads the newest rows of `files` (oldest first) up to the window, and mixes them. A file that is damaged, of another
/// version or of another board is left out with a sentence.
///
/// # Errors
/// When the disk fails.
pub fn shuffle(
    config: &ShuffleConfig,
    files: &[PathBuf],
    side: usize,
    played: usize,
    seed: u64,
) -> Result<Shuffled, TrainError> {
    let wanted = window(config, played);
    let mut taken: Vec<Rows> = Vec::new();
    let mut shuffled = Shuffled { rows: Rows::new(side), ..Shuffled::default() };
    let mut count = 0;
    for path in files.iter().rev() {
        if count >= wanted {
            break;
        }
        match read_rows(path, Some(side)) {
            Ok(rows) => {
                count += rows.len();
                taken.push(rows);
            }
            Err(error @ TrainError::Rows { .. }) => shuffled.left_out.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    let mut order: Vec<(usize, usize)> =
        taken.iter().enumerate().flat_map(|(file, rows)| (0..rows.len()).map(move |row| (file, row))).collect();
    let mut random = Random::new(seed);
    for index in (1..order.len()).rev() {
        order.swap(index, random.below(index + 1));
    }
    order.iter().for_each(|&(file, row)| shuffled.rows.push_from(&taken[file], row));
    shuffled.window = count;
    Ok(shuffled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_more_slowly_than_the_games() {
        let config = ShuffleConfig { least_rows: 1000, most_rows: 50_000 };
        assert_eq!(window(&config, 10), 10);
        assert_eq!(window(&config, 1000), 1000);
        // c (1 + 0.4 (4^0.75 - 1) / 0.75) = 1000 (1 + 0.4 * 1.828427 / 0.75)
        assert_eq!(window(&config, 4000), 1975);
        assert_eq!(window(&config, usize::MAX >> 12), 50_000);
    }
}
