//! Rows out of a table: what was written here, and what other programs made of it.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Type};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::{DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE, Unbelievable, check_footer, page_head};
use super::rows::checksum;
use super::{CURRENT_VERSION, KIND, ROWS, SIDE, VERSION};
use crate::error::{RowDefect, TrainError};
use crate::npz::{MAX_BYTES, MAX_ROWS};
use crate::rows::Rows;
use honinbo_rules::BoardSize;

/// Is given some values of a column at a time.
type Take<'a, T> = dyn FnMut(&[T]) -> Result<(), TableDefect> + 'a;

/// Bytes of a file's description of itself; a group of rows needs about 4 KB.
const MAX_FOOTER: u64 = 32 << 20;
/// Bytes of a page, unpacked. Writers aim at 1 MB, some at 100.
const MAX_PAGE: i32 = 256 << 20;
/// Bytes of a dictionary, unpacked: it is kept, and each of its values takes several times its place in memory.
const MAX_DICTIONARY: i32 = 64 << 20;
/// Bytes of the head of a page; statistics in it may hold a few planes.
const MAX_HEAD: u64 = 64 << 10;
/// Rows that are unpacked together.
const BATCH: usize = 512;

/// The end of a Parquet file: length of the footer, and these letters.
const MAGIC: &[u8; 4] = b"PAR1";
/// Plain values, the two names of indices into a dictionary, and split streams of bytes, by their numbers.
const PLAIN: i32 = 0;
const DICTIONARIES: [i32; 2] = [2, 8];
const SPLIT: i32 = 9;

/// What is wrong with a table of rows.
#[derive(Debug, thiserror::Error)]
pub enum TableDefect {
    /// It is none, or breaks off.
    #[error("it is no Parquet file, or not a whole one: {0}")]
    NotParquet(String),
    /// Its parts do not fit together.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It is a table of something else.
    #[error("it is a table of {0}, not of rows")]
    OtherTable(String),
    /// The columns are those of another version.
    #[error("the table is of version {0}; {CURRENT_VERSION} is known")]
    Version(String),
    /// A column is not there.
    #[error("the column {0} is missing")]
    Missing(&'static str),
    /// A column is of another kind.
    #[error("the column {column} is {found}; expected {expected}")]
    Column {
        /// Its name.
        column: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// It was compressed in a way that is not known here.
    #[error("the column {column} is compressed with {codec}; zstd and none are known")]
    Codec {
        /// The column's name.
        column: &'static str,
        /// The name of the compression.
        codec: String,
    },
    /// A row is not what was written.
    #[error("row {0} does not fit its checksum")]
    Checksum(usize),
    /// There is no row.
    #[error("it has no rows")]
    Empty,
    /// The rows make no sense.
    #[error(transparent)]
    Rows(#[from] RowDefect),
}

impl TableDefect {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotParquet(_) | Self::Damaged(_) => "write it again with `honinbo train rows`",
            Self::OtherTable(_) => "name a file that `honinbo train rows` wrote",
            Self::Version(_) => "take a version of Honinbo that knows it",
            Self::Missing(_) | Self::Column { .. } => "docs/training.md lists the columns and their types",
            Self::Codec { .. } => "write it with zstd, as in pyarrow by compression=\"zstd\"",
            Self::Checksum(_) => "write it again, or leave out the column checksum where rows were changed on purpose",
            Self::Empty => "look at what was selected",
            Self::Rows(_) => "leave out those rows, or write the table again",
        }
    }
}

impl From<Unbelievable> for TableDefect {
    fn from(found: Unbelievable) -> Self {
        Self::NotParquet(found.0.to_owned())
    }
}

impl From<std::io::Error> for TableDefect {
    fn from(error: std::io::Error) -> Self {
        Self::NotParquet(error.to_string())
    }
}

/// Reads the rows of a table that [`RowTable`](super::RowTable) wrote, or another program out of such a one. Columns that
/// are not learnt from may be missing, and are not looked at, but for the checksums.
///
/// # Errors
/// When the file cannot be read, or is not what it should be: nothing of it is trusted.
pub fn read_row_table(path: &Path) -> Result<Rows, TrainError> {
    let file = File::open(path).map_err(TrainError::reading(path))?;
    read(file).map_err(|defect| TrainError::Table { path: path.to_path_buf(), defect })
}

fn read(file: File) -> Result<Rows, TableDefect> {
    let length = file.metadata()?.len();
    let metadata = metadata(&file, length)?;
    let side = side(&metadata)?;
    let mut rows = Rows::new(side);
    let expected = check_size(&metadata, &rows)?;
    let table = Table { file: Arc::new(file), length, metadata: &metadata };
    let mut checksums: Vec<i64> = Vec::new();
    let has_checksums = table.leaf("checksum").is_ok();
    for group in metadata.row_groups().iter().filter(|group| group.num_rows() > 0) {
        table.read_group(group, &mut rows)?;
        if has_checksums {
            table.scalars(group, "checksum", &mut checksums)?;
        }
    }
    if rows.len() != expected {
        return Err(TableDefect::Damaged(format!("it has {} rows of {expected}", rows.len())));
    }
    if let Some(row) = (0..checksums.len()).find(|row| checksums[*row] != i64::from(checksum(&rows, *row))) {
        return Err(TableDefect::Checksum(row));
    }
    rows.check()?;
    Ok(rows)
}

/// The file's description of itself.
fn metadata(file: &File, length: u64) -> Result<ParquetMetaData, TableDefect> {
    let not = |why: &str| TableDefect::NotParquet(why.to_owned());
    let end = length.checked_sub(12).ok_or_else(|| not("it is too short"))?;
    let tail = bytes_at(file, length - 8, 8)?;
    let (size, magic) = tail.split_at(4);
    if magic != MAGIC || bytes_at(file, 0, 4)? != MAGIC {
        return Err(not("it does not begin and end as one"));
    }
    let size = size.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    if size > end || size > MAX_FOOTER {
        return Err(not("its own description is longer than it can be"));
    }
    let footer = bytes_at(file, length - 8 - size, size)?;
    check_footer(&footer)?;
    guarded(|| ParquetMetaDataReader::decode_metadata(&footer))
}

fn bytes_at(file: &File, start: u64, length: u64) -> Result<Vec<u8>, TableDefect> {
    let mut reader = file;
    reader.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    reader.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(TableDefect::NotParquet("it breaks off".to_owned())) }
}

/// The library has assertions about files: one that does not hold is a damaged file, and no reason to end the program.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, TableDefect> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(done) => done.map_err(|error| TableDefect::Damaged(error.to_string())),
        Err(_) => Err(TableDefect::Damaged("its parts contradict each other".to_owned())),
    }
}

/// Points of a side: what the metadata say, which other programs may have dropped, has to be what the policies have.
fn side(metadata: &ParquetMetaData) -> Result<usize, TableDefect> {
    let facts = metadata.file_metadata().key_value_metadata();
    let fact = |key: &str| facts?.iter().find(|fact| fact.key == key)?.value.clone();
    match (fact(KIND), fact(VERSION)) {
        (Some(kind), _) if kind != ROWS => return Err(TableDefect::OtherTable(kind)),
        (_, Some(version)) if version != CURRENT_VERSION => return Err(TableDefect::Version(version)),
        _ => {}
    }
    let leaf = leaf(metadata, "policy")?;
    let group = metadata.row_groups().iter().find(|group| group.num_rows() > 0).ok_or(TableDefect::Empty)?;
    let (numbers, rows) = (chunk(group, leaf)?.num_values(), group.num_rows());
    let side = (BoardSize::MIN..=BoardSize::MAX)
        .find(|side| rows.checked_mul(2 * (side * side + 1) as i64) == Some(numbers))
        .ok_or_else(|| TableDefect::Column {
            column: "policy",
            found: format!("of {numbers} numbers in {rows} rows"),
            expected: "twice the points of a square and a pass in each".to_owned(),
        })?;
    match fact(SIDE).map(|side| side.parse()) {
        Some(Ok(noted)) if noted != side => Err(RowDefect::OtherBoard { found: side, expected: noted }.into()),
        Some(Err(_)) => Err(TableDefect::Damaged(format!("its {SIDE} is no number"))),
        _ => Ok(side),
    }
}

/// The place of a column among all.
fn leaf(metadata: &ParquetMetaData, name: &'static str) -> Result<usize, TableDefect> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let mut found =
        columns.iter().enumerate().filter(|(_, column)| column.path().parts().first().is_some_and(|part| part == name));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => Err(TableDefect::Missing(name)),
        _ => Err(TableDefect::Column { column: name, found: "several".to_owned(), expected: "one".to_owned() }),
    }
}

fn chunk(group: &RowGroupMetaData, leaf: usize) -> Result<&ColumnChunkMetaData, TableDefect> {
    group
        .columns()
        .get(leaf)
        .ok_or_else(|| TableDefect::Damaged("a group has fewer columns than the schema".to_owned()))
}

/// The number of rows, if they are not too many to hold.
fn check_size(metadata: &ParquetMetaData, rows: &Rows) -> Result<usize, TableDefect> {
    let mut sum = 0_u64;
    for group in metadata.row_groups() {
        let rows = u64::try_from(group.num_rows())
            .map_err(|_| TableDefect::Damaged("a group has less than no rows".into()))?;
        sum = sum.saturating_add(rows);
    }
    let bytes = sum.saturating_mul(rows.row_bytes() as u64);
    if sum > MAX_ROWS as u64 || bytes > MAX_BYTES {
        return Err(RowDefect::TooLarge(bytes).into());
    }
    Ok(sum as usize)
}

struct Table<'a> {
    file: Arc<File>,
    length: u64,
    metadata: &'a ParquetMetaData,
}

impl Table<'_> {
    fn leaf(&self, name: &'static str) -> Result<usize, TableDefect> {
        leaf(self.metadata, name)
    }

    fn read_group(&self, group: &RowGroupMetaData, rows: &mut Rows) -> Result<(), TableDefect> {
        let [planes, globals, policy, targets, scores, spatial, q_values, _] = rows.widths();
        self.scalars(group, "edges", &mut rows.edges)?;
        self.planes(group, planes, &mut rows.planes)?;
        self.floats(group, "globals", globals, &mut rows.globals)?;
        self.integers(group, "policy", policy, &mut rows.policy)?;
        self.floats(group, "targets", targets, &mut rows.targets)?;
        self.integers(group, "scores", scores, &mut rows.scores)?;
        self.integers(group, "spatial", spatial, &mut rows.spatial)?;
        self.integers(group, "q_values", q_values, &mut rows.q_values)
    }

    fn scalars<T: TryFrom<i64>>(
        &self,
        group: &RowGroupMetaData,
        name: &'static str,
        into: &mut Vec<T>,
    ) -> Result<(), TableDefect> {
        self.column::<Int64Type>(group, name, None, &mut |values| converted(name, values, into))
    }

    fn integers<T: TryFrom<i32>>(
        &self,
        group: &RowGroupMetaData,
        name: &'static str,
        width: usize,
        into: &mut Vec<T>,
    ) -> Result<(), TableDefect> {
        self.column::<Int32Type>(group, name, Some(width), &mut |values| converted(name, values, into))
    }

    fn floats(
        &self,
        group: &RowGroupMetaData,
        name: &'static str,
        width: usize,
        into: &mut Vec<f32>,
    ) -> Result<(), TableDefect> {
        self.column::<FloatType>(group, name, Some(width), &mut |values| {
            into.extend_from_slice(values);
            Ok(())
        })
    }

    /// Most programs know bytes of any length alone.
    fn planes(&self, group: &RowGroupMetaData, width: usize, into: &mut Vec<u8>) -> Result<(), TableDefect> {
        let name = "planes";
        let mut take = |bytes: &[u8]| {
            if bytes.len() != width {
                let (found, expected) = (format!("of {} bytes in a row", bytes.len()), format!("{width} in each"));
                return Err(TableDefect::Column { column: name, found, expected });
            }
            into.extend_from_slice(bytes);
            Ok(())
        };
        match chunk(group, self.leaf(name)?)?.column_descr().physical_type() {
            Type::BYTE_ARRAY => self.column::<ByteArrayType>(group, name, None, &mut |values| {
                values.iter().try_for_each(|bytes| take(bytes.data()))
            }),
            _ => self.column::<FixedLenByteArrayType>(group, name, None, &mut |values| {
                values.iter().try_for_each(|bytes| take(bytes.data()))
            }),
        }
    }

    /// Gives the values of a column of a group, some rows at a time: one in each row, or a list of `width`.
    fn column<T: DataType>(
        &self,
        group: &RowGroupMetaData,
        name: &'static str,
        width: Option<usize>,
        take: &mut Take<'_, T::T>,
    ) -> Result<(), TableDefect> {
        let chunk = chunk(group, self.leaf(name)?)?;
        let descriptor = chunk.column_descr_ptr();
        let lists = i16::from(width.is_some());
        if descriptor.physical_type() != T::get_physical_type() || descriptor.max_rep_level() != lists {
            let nested = |of: Type, lists: i16| if lists > 0 { format!("a list of {of}") } else { of.to_string() };
            let found = nested(descriptor.physical_type(), descriptor.max_rep_level());
            let expected = nested(T::get_physical_type(), lists);
            return Err(TableDefect::Column { column: name, found, expected });
        }
        // `check_size` has seen that there are not too many.
        let rows = group.num_rows() as usize;
        let each = width.unwrap_or(1);
        let uneven = || TableDefect::Column {
            column: name,
            found: "absent or of another length in some rows".to_owned(),
            expected: if width.is_some() { format!("{each} numbers in each") } else { "a value in each".to_owned() },
        };
        if usize::try_from(chunk.num_values()).ok() != Some(rows * each) {
            return Err(uneven());
        }
        self.check_pages(chunk, name)?;
        let pages = guarded(|| SerializedPageReader::new(Arc::clone(&self.file), chunk, rows, None))?;
        let mut reader = guarded(|| Ok(ColumnReaderImpl::<T>::new(descriptor, Box::new(pages))))?;
        let (mut values, mut present, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let mut left = rows;
        while left > 0 {
            values.clear();
            present.clear();
            repeated.clear();
            let (read, found, _) =
                guarded(|| reader.read_records(left.min(BATCH), Some(&mut present), Some(&mut repeated), &mut values))?;
            let begins = |(index, level): (usize, &i16)| (*level == 0) == (index % each == 0);
            if read == 0 || read > left || found != read * each || !repeated.iter().enumerate().all(begins) {
                return Err(uneven());
            }
            take(&values)?;
            left -= read;
        }
        Ok(())
    }

    /// Walks from page to page before any is unpacked: none may be larger, or hold more, than it can.
    fn check_pages(&self, chunk: &ColumnChunkMetaData, name: &'static str) -> Result<(), TableDefect> {
        if !matches!(chunk.compression(), Compression::ZSTD(_) | Compression::UNCOMPRESSED) {
            // The level of a compression is not in a file.
            let codec = chunk.compression().to_string();
            let codec = codec.split('(').next().unwrap_or_default().to_lowercase();
            return Err(TableDefect::Codec { column: name, codec });
        }
        let damaged = |why: &str| TableDefect::Damaged(format!("the column {name} {why}"));
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let place = |number: i64| u64::try_from(number).ok();
        let (mut at, end) = place(start)
            .zip(place(chunk.compressed_size()))
            .and_then(|(start, size)| Some((start, start.checked_add(size).filter(|end| *end <= self.length)?)))
            .ok_or_else(|| damaged("lies outside the file"))?;
        let (mut values, mut has_dictionary) = (0_i64, false);
        while at < end {
            let bytes = bytes_at(&self.file, at, MAX_HEAD.min(end - at))?;
            let head = page_head(&bytes).map_err(|_| damaged("has a page without a head"))?;
            let after = at + head.length as u64;
            at = u64::try_from(head.packed)
                .ok()
                .and_then(|packed| after.checked_add(packed).filter(|next| *next <= end))
                .ok_or_else(|| damaged("has a page that goes on after its end"))?;
            let most = if head.kind == DICTIONARY_PAGE { MAX_DICTIONARY } else { MAX_PAGE };
            if !(0..=most).contains(&head.unpacked)
                || head.values < 0
                || head.level_bytes > head.unpacked.min(head.packed)
            {
                return Err(damaged("has a page of an impossible size"));
            }
            match head.kind {
                DICTIONARY_PAGE if !has_dictionary && head.values <= head.unpacked / 4 => has_dictionary = true,
                DATA_PAGE | DATA_PAGE_V2 => {
                    let is_known = match head.encoding {
                        PLAIN | SPLIT => true,
                        other => DICTIONARIES.contains(&other) && has_dictionary,
                    };
                    if !is_known {
                        return Err(TableDefect::Column {
                            column: name,
                            found: "in an encoding that is not known here".to_owned(),
                            expected: "plain, dictionary or split bytes".to_owned(),
                        });
                    }
                    values += i64::from(head.values);
                }
                _ => return Err(damaged("has a page that belongs elsewhere")),
            }
        }
        if values == chunk.num_values() { Ok(()) } else { Err(damaged("has another number of values than it says")) }
    }
}

fn converted<F: Copy + std::fmt::Display, T: TryFrom<F>>(
    name: &'static str,
    values: &[F],
    into: &mut Vec<T>,
) -> Result<(), TableDefect> {
    for value in values {
        let converted = T::try_from(*value).map_err(|_| TableDefect::Column {
            column: name,
            found: format!("{value} in some row"),
            expected: format!("numbers of {} bits", 8 * size_of::<T>()),
        })?;
        into.push(converted);
    }
    Ok(())
}
