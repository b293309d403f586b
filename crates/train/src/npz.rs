//! Rows in files: NumPy's `.npz`, with the arrays of KataGo's self-play under their names.
//!
//! An array is `.npy` of version 1 in row order, little-endian, as NumPy's documents describe it; nothing else is read.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::error::{RowDefect, TrainError};
use crate::files::write_bytes;
use crate::rows::{EXTRA_SCORES, Q_TARGETS, Rows, SPATIAL_TARGETS, TARGETS};
use honinbo_net::model::{GLOBAL_CHANNELS, SPATIAL_CHANNELS};
use honinbo_rules::BoardSize;

/// Bytes that a file of rows may hold unpacked.
pub(crate) const MAX_BYTES: u64 = 4 << 30;
/// Rows that a file may hold.
pub(crate) const MAX_ROWS: usize = 4_000_000;
/// The largest header of an array.
const MAX_HEADER: usize = 4096;

const PLANES: &str = "binaryInputNCHWPacked";
const GLOBALS: &str = "globalInputNC";
const POLICY: &str = "policyTargetsNCMove";
const TARGETS_NAME: &str = "globalTargetsNC";
const SCORES: &str = "scoreDistrN";
const SPATIAL: &str = "valueTargetsNCHW";
const Q_VALUES: &str = "qValueTargetsNCMove";
const EDGES: &str = "boardEdgesN";

/// Writes rows whole, or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write_rows(path: &Path, rows: &Rows) -> Result<(), TrainError> {
    // In memory first: an archive that breaks off on a full disk has its end written again when it is dropped, and its
    // crate says on the error output that this failed too.
    let bytes = rows_to_bytes(rows).map_err(TrainError::writing(path))?;
    write_bytes(path, &bytes)
}

/// The bytes of a file of rows.
///
/// # Errors
/// When they are more than an archive can hold.
pub fn rows_to_bytes(rows: &Rows) -> std::io::Result<Vec<u8>> {
    let mut out = std::io::Cursor::new(Vec::new());
    write_archive(&mut out, rows)?;
    Ok(out.into_inner())
}

fn write_archive<W: Write + std::io::Seek>(out: W, rows: &Rows) -> std::io::Result<()> {
    let mut zip = ZipWriter::new(out);
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let (n, side, square) = (rows.len(), rows.side, rows.square());
    let moves = square + 1;
    let mut array = |name: &str, kind: &str, shape: &[usize], bytes: &mut dyn Iterator<Item = u8>| {
        zip.start_file(format!("{name}.npy"), options).map_err(std::io::Error::other)?;
        zip.write_all(&header(kind, shape))?;
        let mut buffer = Vec::with_capacity(1 << 16);
        for byte in bytes {
            buffer.push(byte);
            if buffer.len() == 1 << 16 {
                zip.write_all(&buffer)?;
                buffer.clear();
            }
        }
        zip.write_all(&buffer)
    };
    array(PLANES, "|u1", &[n, SPATIAL_CHANNELS, rows.plane_bytes()], &mut rows.planes.iter().copied())?;
    array(GLOBALS, "<f4", &[n, GLOBAL_CHANNELS], &mut rows.globals.iter().copied().flat_map(f32::to_le_bytes))?;
    array(POLICY, "<i2", &[n, 2, moves], &mut rows.policy.iter().copied().flat_map(i16::to_le_bytes))?;
    array(TARGETS_NAME, "<f4", &[n, TARGETS], &mut rows.targets.iter().copied().flat_map(f32::to_le_bytes))?;
    array(SCORES, "|i1", &[n, 2 * square + 2 * EXTRA_SCORES], &mut rows.scores.iter().copied().map(i8::cast_unsigned))?;
    array(SPATIAL, "|i1", &[n, SPATIAL_TARGETS, side, side], &mut rows.spatial.iter().copied().map(i8::cast_unsigned))?;
    array(Q_VALUES, "<i2", &[n, Q_TARGETS, moves], &mut rows.q_values.iter().copied().flat_map(i16::to_le_bytes))?;
    array(EDGES, "|u1", &[n], &mut rows.edges.iter().copied())?;
    zip.finish().map_err(std::io::Error::other)?;
    Ok(())
}

fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes = shape.iter().map(|size| format!("{size},")).collect::<Vec<_>>().join(" ");
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // The header ends on a multiple of 64, magic and length included.
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// Reads rows, ours or KataGo's, of boards in a square of `side` points; any square where none is given.
///
/// # Errors
/// When the file cannot be read, or is not what it should be: nothing of it is trusted.
pub fn read_rows(path: &Path, side: Option<usize>) -> Result<Rows, TrainError> {
    let file = File::open(path).map_err(TrainError::reading(path))?;
    read(BufReader::new(file), side).map_err(|defect| TrainError::Rows { path: path.to_path_buf(), defect })
}

/// Reads rows as [`read_rows`] does, from bytes that came from elsewhere.
pub(crate) fn rows_from_bytes(bytes: &[u8], side: Option<usize>) -> Result<Rows, RowDefect> {
    read(std::io::Cursor::new(bytes), side)
}

/// How many rows a file has, from the head of one array.
///
/// # Errors
/// As [`read_rows`].
pub fn count_rows(path: &Path) -> Result<usize, TrainError> {
    let file = File::open(path).map_err(TrainError::reading(path))?;
    let count = || -> Result<usize, RowDefect> {
        let mut archive =
            ZipArchive::new(BufReader::new(file)).map_err(|error| RowDefect::Archive(error.to_string()))?;
        let mut entry = entry(&mut archive, GLOBALS)?.ok_or(RowDefect::Missing(GLOBALS))?;
        let (_, shape) = read_header(&mut entry, GLOBALS)?;
        Ok(shape.first().copied().unwrap_or(0))
    };
    count().map_err(|defect| TrainError::Rows { path: path.to_path_buf(), defect })
}

/// Shape and bytes.
type Array = (Vec<usize>, Vec<u8>);

fn entry<'a, R: Read + std::io::Seek>(
    archive: &'a mut ZipArchive<R>,
    name: &str,
) -> Result<Option<impl Read + 'a>, RowDefect> {
    match archive.by_name(&format!("{name}.npy")) {
        Ok(entry) => Ok(Some(entry)),
        Err(zip::result::ZipError::FileNotFound) => Ok(None),
        Err(error) => Err(RowDefect::Archive(error.to_string())),
    }
}

fn read<R: Read + std::io::Seek>(reader: R, wanted: Option<usize>) -> Result<Rows, RowDefect> {
    let mut archive = ZipArchive::new(reader).map_err(|error| RowDefect::Archive(error.to_string()))?;
    let mut budget = MAX_BYTES;
    let mut array = |name: &'static str, kind: &'static str| -> Result<Option<Array>, RowDefect> {
        let Some(mut entry) = entry(&mut archive, name)? else { return Ok(None) };
        let (found, shape) = read_header(&mut entry, name)?;
        if found != kind {
            return Err(RowDefect::Array { array: name, found: format!("of type {found}"), expected: kind.to_owned() });
        }
        let each = kind[2..].parse::<u64>().unwrap_or(1);
        let bytes = shape
            .iter()
            .try_fold(each, |product, &size| product.checked_mul(size as u64))
            .ok_or(RowDefect::TooLarge(u64::MAX))?;
        budget = budget.checked_sub(bytes).ok_or(RowDefect::TooLarge(bytes))?;
        let mut data = Vec::new();
        // One byte more, to see whether there is more than was announced. The memory grows with what is really there.
        entry.take(bytes + 1).read_to_end(&mut data).map_err(|error| RowDefect::Archive(error.to_string()))?;
        if data.len() as u64 != bytes {
            let found = format!("of {} bytes", data.len());
            return Err(RowDefect::Array { array: name, found, expected: format!("{bytes} bytes") });
        }
        Ok(Some((shape, data)))
    };
    let mut needed = |name: &'static str, kind: &'static str| array(name, kind)?.ok_or(RowDefect::Missing(name));
    let (global_shape, globals) = needed(GLOBALS, "<f4")?;
    let (policy_shape, policy) = needed(POLICY, "<i2")?;
    let n = global_shape.first().copied().unwrap_or(0);
    let moves = policy_shape.get(2).copied().unwrap_or(0);
    let side =
        (BoardSize::MIN..=BoardSize::MAX).find(|side| side * side + 1 == moves).ok_or_else(|| RowDefect::Array {
            array: POLICY,
            found: format!("{policy_shape:?}"),
            expected: "the points of a square and a pass".to_owned(),
        })?;
    if wanted.is_some_and(|wanted| wanted != side) {
        return Err(RowDefect::OtherBoard { found: side, expected: wanted.unwrap_or(side) });
    }
    if n > MAX_ROWS {
        return Err(RowDefect::TooLarge(n as u64));
    }
    let mut rows = Rows::new(side);
    let square = rows.square();
    let shaped = |array: &'static str, found: &[usize], expected: &[usize]| {
        if found == expected {
            Ok(())
        } else {
            Err(RowDefect::Array { array, found: format!("{found:?}"), expected: format!("{expected:?}") })
        }
    };
    shaped(GLOBALS, &global_shape, &[n, GLOBAL_CHANNELS])?;
    shaped(POLICY, &policy_shape, &[n, 2, moves])?;
    rows.globals = floats(&globals);
    rows.policy = shorts(&policy);
    let (shape, planes) = needed(PLANES, "|u1")?;
    shaped(PLANES, &shape, &[n, SPATIAL_CHANNELS, rows.plane_bytes()])?;
    rows.planes = planes;
    let (shape, targets) = needed(TARGETS_NAME, "<f4")?;
    let targets = floats(&targets);
    // Version 2 had 64.
    if shape == [n, 64] {
        for row in targets.chunks_exact(64) {
            rows.targets.extend_from_slice(row);
            rows.targets.extend_from_slice(&[0.0; TARGETS - 64]);
        }
    } else {
        shaped(TARGETS_NAME, &shape, &[n, TARGETS])?;
        rows.targets = targets;
    }
    let (shape, scores) = needed(SCORES, "|i1")?;
    shaped(SCORES, &shape, &[n, 2 * square + 2 * EXTRA_SCORES])?;
    rows.scores = scores.into_iter().map(u8::cast_signed).collect();
    let (shape, spatial) = needed(SPATIAL, "|i1")?;
    shaped(SPATIAL, &shape, &[n, SPATIAL_TARGETS, side, side])?;
    rows.spatial = spatial.into_iter().map(u8::cast_signed).collect();
    rows.q_values = match array(Q_VALUES, "<i2")? {
        Some((shape, values)) => {
            shaped(Q_VALUES, &shape, &[n, Q_TARGETS, moves])?;
            shorts(&values)
        }
        None => vec![0; n * Q_TARGETS * moves],
    };
    rows.edges = match array(EDGES, "|u1")? {
        Some((shape, values)) => {
            shaped(EDGES, &shape, &[n])?;
            values
        }
        None => vec![0; n],
    };
    rows.check()?;
    Ok(rows)
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn shorts(bytes: &[u8]) -> Vec<i16> {
    bytes.as_chunks::<2>().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()
}

/// Type and shape of an array.
fn read_header(reader: &mut impl Read, array: &'static str) -> Result<(String, Vec<usize>), RowDefect> {
    let broken = |what: &str| RowDefect::Archive(format!("{array}: {what}"));
    let mut start = [0; 8];
    reader.read_exact(&mut start).map_err(|error| broken(&error.to_string()))?;
    if &start[..6] != b"\x93NUMPY" {
        return Err(broken("no array of NumPy"));
    }
    let length = match start[6] {
        1 => {
            let mut bytes = [0; 2];
            reader.read_exact(&mut bytes).map_err(|error| broken(&error.to_string()))?;
            usize::from(u16::from_le_bytes(bytes))
        }
        2 | 3 => {
            let mut bytes = [0; 4];
            reader.read_exact(&mut bytes).map_err(|error| broken(&error.to_string()))?;
            u32::from_le_bytes(bytes) as usize
        }
        _ => return Err(broken("an array of an unknown version")),
    };
    if length > MAX_HEADER {
        return Err(broken("a header without end"));
    }
    let mut text = vec![0; length];
    reader.read_exact(&mut text).map_err(|error| broken(&error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| broken("a header that is no text"))?;
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let kind = after("'descr'")
        .and_then(|rest| rest.strip_prefix('\'')?.split_once('\''))
        .map(|(kind, _)| kind.to_owned())
        .ok_or_else(|| broken("a header without a type"))?;
    if !after("'fortran_order'").is_some_and(|rest| rest.starts_with("False")) {
        return Err(broken("an array in columns"));
    }
    let shape = after("'shape'")
        .and_then(|rest| rest.strip_prefix('(')?.split_once(')'))
        .map(|(sizes, _)| sizes)
        .ok_or_else(|| broken("a header without a shape"))?;
    let shape = shape
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(|size| size.parse::<u32>().map(|size| size as usize))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| broken("a shape that is no list of sizes"))?;
    Ok((kind, shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::at;
    use honinbo_testkit::fixtures;
    use std::process::Command;

    /// Two rows on a board of 3x2 in a square of 3.
    fn rows() -> Rows {
        let mut rows = Rows::new(3);
        let [planes, globals, policy, targets, scores, spatial, q_values, _] = rows.widths();
        for row in 0..2u8 {
            let mut one = vec![0; planes];
            one[0] = 0b1111_1100;
            one[2] = 0b1000_0000 >> row;
            rows.planes.extend(one);
            rows.globals.extend((0..globals).map(|i| i as f32 * 0.25 - 1.0));
            rows.policy.extend((0..policy).map(|i| if i % 10 == 3 { 300 + i16::from(row) } else { 0 }));
            let mut values = vec![0.0; targets];
            values[at::WEIGHT] = 1.0;
            values[at::POLICY_WEIGHT] = 1.0;
            values[at::FORMAT] = 3.0;
            rows.targets.extend(values);
            rows.scores.extend((0..scores).map(|i| if i == 7 { 100 } else { 0 }));
            rows.spatial.extend((0..spatial).map(|i| [-1i8, 0, 1][i % 3]));
            rows.q_values.extend((0..q_values).map(|i| i as i16 * 100 - 900));
            rows.edges.push(3 * row);
        }
        rows
    }

    fn written(rows: &Rows) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows/a.npz");
        write_rows(&path, rows).unwrap();
        (folder, path)
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let (_folder, path) = written(&rows());
        assert_eq!(read_rows(&path, None).unwrap(), rows());
        assert_eq!(count_rows(&path).unwrap(), 2);
        let error = read_rows(&path, Some(5)).unwrap_err().to_string();
        assert!(error.ends_with("the rows are of boards in a square of 3, not of 5"), "{error}");
    }

    #[test]
    fn every_byte_that_is_missing_or_wrong_is_noticed_or_harmless() {
        let (_folder, path) = written(&rows());
        let whole = std::fs::read(&path).unwrap();
        for length in (0..whole.len()).step_by(97) {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(matches!(read_rows(&path, Some(3)), Err(TrainError::Rows { .. })), "{length}");
        }
        for place in (0..whole.len()).step_by(13) {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            // The archive's checksums hold its contents. What its directory calls otherwise is missing, and these two may be.
            if let Ok(mut found) = read_rows(&path, Some(3)) {
                let whole = rows();
                if found.edges == [0, 0] {
                    found.edges.clone_from(&whole.edges);
                }
                if found.q_values.iter().all(|value| *value == 0) {
                    found.q_values.clone_from(&whole.q_values);
                }
                assert_eq!(found, whole, "{place}");
            }
        }
    }

    #[test]
    fn rows_that_make_no_sense_are_refused_with_a_reason() {
        let refused = |change: &dyn Fn(&mut Rows)| {
            let mut rows = rows();
            change(&mut rows);
            let (_folder, path) = written(&rows);
            read_rows(&path, Some(3)).unwrap_err().to_string()
        };
        assert!(refused(&|rows| rows.targets[at::FORMAT] = 1.0).contains("of version 1; 2 and 3 are known"));
        assert!(refused(&|rows| rows.targets[at::FORMAT] = f32::NAN).contains("of version NaN"));
        assert!(refused(&|rows| rows.targets[80 + at::SCORE] = f32::NAN).contains("row 1 is damaged"));
        assert!(refused(&|rows| rows.globals[3] = f32::INFINITY).contains("row 0 is damaged"));
        assert!(refused(&|rows| rows.planes[0] = 0).contains("it has no board"));
        assert!(refused(&|rows| rows.planes[0] = 0b1110_1100).contains("board"));
        assert!(refused(&|rows| rows.policy[0] = -4).contains("off the board"));
        assert!(refused(&|rows| rows.policy[8] = 4).contains("off the board"));
        assert!(refused(&|rows| rows.policy[..10].fill(0)).contains("no move to learn"));
        assert!(refused(&|rows| rows.targets[at::WEIGHT] = -1.0).contains("below zero"));
    }

    /// NumPy reads what we write, and we read what NumPy writes, of KataGo's second version and without our own array.
    #[test]
    fn numpy_and_we_understand_each_other() {
        let has_numpy = Command::new("python3").args(["-c", "import numpy"]).output();
        if !has_numpy.is_ok_and(|output| output.status.success()) {
            return fixtures::skip("there is no NumPy for python3");
        }
        let (folder, path) = written(&rows());
        let back = folder.path().join("back.npz");
        let script = "
import sys, numpy as np
f = np.load(sys.argv[1])
assert f['binaryInputNCHWPacked'].shape == (2, 22, 2) and f['binaryInputNCHWPacked'].dtype == np.uint8
bits = np.unpackbits(f['binaryInputNCHWPacked'], axis=2)[:, :, :9].reshape(2, 22, 3, 3)
assert (bits[0, 0] == [[1, 1, 1], [1, 1, 1], [0, 0, 0]]).all() and bits[1, 1, 0, 1] == 1 and bits[:, 1].sum() == 2
assert f['globalInputNC'].dtype == np.float32 and f['globalInputNC'][1, 5] == 0.25
assert f['policyTargetsNCMove'].shape == (2, 2, 10) and f['policyTargetsNCMove'][1, 1, 3] == 301 + 0
assert f['globalTargetsNC'].shape == (2, 80) and f['globalTargetsNC'][0, 63] == 3
assert f['scoreDistrN'].shape == (2, 138) and f['scoreDistrN'].dtype == np.int8 and f['scoreDistrN'][0, 7] == 100
assert f['valueTargetsNCHW'].shape == (2, 5, 3, 3) and f['valueTargetsNCHW'][0, 0, 0, 0] == -1
assert f['qValueTargetsNCMove'].shape == (2, 3, 10) and f['qValueTargetsNCMove'].dtype == np.int16
assert (f['boardEdgesN'] == [0, 3]).all()
old = {name: f[name] for name in f.files if name not in ('boardEdgesN', 'qValueTargetsNCMove')}
old['globalTargetsNC'] = old['globalTargetsNC'][:, :64].copy()
old['globalTargetsNC'][:, 63] = 2
np.savez_compressed(sys.argv[2], **old)
";
        let run = Command::new("python3").arg("-c").arg(script).args([&path, &back]).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let mut expected = rows();
        expected.edges.fill(0);
        expected.q_values.fill(0);
        expected.targets.chunks_mut(80).for_each(|row| row[at::FORMAT] = 2.0);
        assert_eq!(read_rows(&back, Some(3)).unwrap(), expected);
    }
}
