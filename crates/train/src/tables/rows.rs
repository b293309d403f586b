//! Rows as a table: what they are learnt from, and columns to ask by.

use std::io::{Result as IoResult, Write};
use std::path::{Path, PathBuf};

use honinbo_training::{FolderError, file_number, files_in, numbered, numbered_folders};

use super::column::{Column, TableWriter, Values};
use super::{ROWS, SIDE};
use crate::error::TrainError;
use crate::rows::{Rows, TARGETS, at};

/// Rows of a group: of those of 19x19 some 18 million numbers, which a reader has in memory together.
const GROUP: usize = 4096;

/// A file of rows, and what it is called in the table.
#[derive(Debug, Clone)]
pub struct RowSource {
    /// Where it lies.
    pub path: PathBuf,
    /// The generation of the run that learns from it; `None` for a file that belongs to no run.
    pub generation: Option<u32>,
    /// Its number in the generation, or its place among the files that were named.
    pub file: u32,
}

/// The files of rows of a run, of one generation or of all, in the order in which they were played.
///
/// # Errors
/// When there is no run, or its folder cannot be read.
pub fn row_sources(folder: &Path, generation: Option<u32>) -> Result<Vec<RowSource>, TrainError> {
    if !folder.join("run.toml").exists() {
        return Err(FolderError::NoRun(folder.to_path_buf()).into());
    }
    let mut sources = Vec::new();
    for of in numbered_folders(folder, "rows")? {
        if generation.is_some_and(|only| only != of) {
            continue;
        }
        for path in files_in(&numbered(folder, "rows", of), ".npz")? {
            let Some(file) = file_number(&path) else { continue };
            sources.push(RowSource { path, generation: Some(of), file });
        }
    }
    Ok(sources)
}

/// Writes rows as a Parquet table, file after file; the memory it needs is that of a group.
pub struct RowTable<W: Write + Send> {
    table: TableWriter<W>,
    group: usize,
    pending: Rows,
    origins: Vec<(Option<u32>, u32)>,
    written: u64,
}

impl<W: Write + Send> std::fmt::Debug for RowTable<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowTable").field("pending", &self.origins.len()).field("written", &self.written).finish()
    }
}

impl<W: Write + Send> RowTable<W> {
    /// A table of rows of boards in a square of `side` points.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn new(out: W, side: usize) -> IoResult<Self> {
        Self::with_groups_of(out, side, GROUP)
    }

    pub(super) fn with_groups_of(out: W, side: usize, group: usize) -> IoResult<Self> {
        let pending = Rows::new(side);
        let table = TableWriter::new(out, ROWS, &[(SIDE, side.to_string())], &columns(&pending, &[]))?;
        Ok(Self { table, group, pending, origins: Vec::new(), written: 0 })
    }

    /// Adds rows of the square that the table is for.
    ///
    /// # Errors
    /// When nothing can be written.
    ///
    /// # Panics
    /// When the squares differ.
    pub fn push(&mut self, rows: &Rows, source: &RowSource) -> IoResult<()> {
        for row in 0..rows.len() {
            self.pending.push_from(rows, row);
            self.origins.push((source.generation, source.file));
            if self.origins.len() == self.group {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is pending and ends the file; gives the rows that it has.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn finish(mut self) -> IoResult<u64> {
        if !self.origins.is_empty() {
            self.flush()?;
        }
        self.table.finish()?;
        Ok(self.written)
    }

    fn flush(&mut self) -> IoResult<()> {
        self.table.write(&columns(&self.pending, &self.origins))?;
        self.written += self.origins.len() as u64;
        self.pending = Rows::new(self.pending.side);
        self.origins.clear();
        Ok(())
    }
}

/// The columns of rows, in their order. Those up to the checksum follow from the others, and are never read back.
pub(super) fn columns(rows: &Rows, origins: &[(Option<u32>, u32)]) -> Vec<Column> {
    let ints = |of: &dyn Fn(usize) -> Option<i64>| Values::Ints((0..rows.len()).map(of).collect());
    let target =
        |place: usize| Values::Reals((0..rows.len()).map(|row| Some(f64::from(rows.target(row, place)))).collect());
    let [planes, globals, policy, targets, scores, spatial, q_values, _] = rows.widths();
    let shorts = |values: &[i16]| values.iter().copied().map(i32::from).collect();
    let tinies = |values: &[i8]| values.iter().copied().map(i32::from).collect();
    vec![
        ("generation", ints(&|row| origins[row].0.map(i64::from))),
        ("file", ints(&|row| Some(i64::from(origins[row].1)))),
        ("game", Values::Hashes(rows.targets.chunks_exact(TARGETS).map(|row| Some(hash_in(row))).collect())),
        ("turn", ints(&|row| Some(rows.target(row, at::TURN) as i64))),
        ("width", ints(&|row| Some(rows.board(row).width as i64))),
        ("height", ints(&|row| Some(rows.board(row).height as i64))),
        ("self_komi", target(at::KOMI)),
        ("visits", target(at::VISITS)),
        ("win", target(at::RESULT)),
        ("score", target(at::SCORE)),
        ("policy_surprise", target(at::POLICY_SURPRISE)),
        ("checksum", ints(&|row| Some(i64::from(checksum(rows, row))))),
        ("edges", ints(&|row| Some(i64::from(rows.edges[row])))),
        ("planes", Values::Bytes(planes, rows.planes.clone())),
        ("globals", Values::Floats(globals, rows.globals.clone())),
        ("policy", Values::Shorts(policy, shorts(&rows.policy))),
        ("targets", Values::Floats(targets, rows.targets.clone())),
        ("scores", Values::Tinies(scores, tinies(&rows.scores))),
        ("spatial", Values::Tinies(spatial, tinies(&rows.spatial))),
        ("q_values", Values::Shorts(q_values, shorts(&rows.q_values))),
    ]
}

/// The first 64 bits of the game's hash, which rows hold in three numbers of 22, 22 and 20 bits.
fn hash_in(targets: &[f32]) -> u64 {
    let part = |index: usize, bits: u32| targets[at::GAME + index] as u64 & ((1 << bits) - 1);
    part(0, 22) | part(1, 22) << 22 | part(2, 20) << 44
}

/// CRC-32 of what a row is learnt from: edges, planes and the numbers in the order of their columns, as in `.npz`.
pub(super) fn checksum(rows: &Rows, row: usize) -> u32 {
    fn part<T>(values: &[T], row: usize, width: usize) -> &[T] {
        &values[row * width..][..width]
    }
    let [planes, globals, policy, targets, scores, spatial, q_values, _] = rows.widths();
    let mut sum = crc32fast::Hasher::new();
    sum.update(&[rows.edges[row]]);
    sum.update(part(&rows.planes, row, planes));
    part(&rows.globals, row, globals).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    part(&rows.policy, row, policy).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    part(&rows.targets, row, targets).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    part(&rows.scores, row, scores).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    part(&rows.spatial, row, spatial).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    part(&rows.q_values, row, q_values).iter().for_each(|value| sum.update(&value.to_le_bytes()));
    sum.finalize()
}
