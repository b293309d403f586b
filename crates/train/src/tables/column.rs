//! Columns of a table, and writing them.

use std::io::{Error, Result as IoResult, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::{CURRENT_VERSION, KIND, VERSION};

/// zstd's own usual level.
const LEVEL: i32 = 3;

/// Values of a column.
pub(super) enum Values {
    /// Whole numbers, each of which may be absent.
    Ints(Vec<Option<i64>>),
    /// Whole numbers of 64 bits without a sign, each of which may be absent.
    Hashes(Vec<Option<u64>>),
    /// Numbers, each of which may be absent.
    Reals(Vec<Option<f64>>),
    /// Truths, each of which may be absent.
    Flags(Vec<Option<bool>>),
    /// Texts, each of which may be absent.
    Texts(Vec<Option<String>>),
    /// So many bytes in each row.
    Bytes(usize, Vec<u8>),
    /// So many numbers of 32 bits in each row.
    Floats(usize, Vec<f32>),
    /// So many whole numbers of 16 bits in each row.
    Shorts(usize, Vec<i32>),
    /// So many whole numbers of 8 bits in each row.
    Tinies(usize, Vec<i32>),
}

/// A column with its name.
pub(super) type Column = (&'static str, Values);

impl Values {
    /// The column in Parquet's own language for schemas.
    fn schema(&self, name: &str) -> String {
        let list =
            |element: &str| format!("required group {name} (LIST) {{ repeated group list {{ required {element}; }} }}");
        match self {
            Self::Ints(_) => format!("optional int64 {name};"),
            Self::Hashes(_) => format!("optional int64 {name} (INTEGER(64,false));"),
            Self::Reals(_) => format!("optional double {name};"),
            Self::Flags(_) => format!("optional boolean {name};"),
            Self::Texts(_) => format!("optional binary {name} (STRING);"),
            Self::Bytes(width, _) => format!("required fixed_len_byte_array({width}) {name};"),
            Self::Floats(..) => list("float element"),
            Self::Shorts(..) => list("int32 element (INTEGER(16,true))"),
            Self::Tinies(..) => list("int32 element (INTEGER(8,true))"),
        }
    }

    fn write(&self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self {
            Self::Ints(values) => optional::<Int64Type>(column, values.iter().copied()),
            Self::Hashes(values) => optional::<Int64Type>(column, values.iter().map(|hash| hash.map(u64::cast_signed))),
            Self::Reals(values) => optional::<DoubleType>(column, values.iter().copied()),
            Self::Flags(values) => optional::<BoolType>(column, values.iter().copied()),
            Self::Texts(values) => {
                let bytes = |text: &String| ByteArray::from(text.clone().into_bytes());
                optional::<ByteArrayType>(column, values.iter().map(|text| text.as_ref().map(bytes)))
            }
            Self::Bytes(width, values) => {
                let values: Vec<FixedLenByteArray> =
                    values.chunks_exact(*width).map(|row| FixedLenByteArray::from(row.to_vec())).collect();
                column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None).map(drop)
            }
            Self::Floats(width, values) => list::<FloatType>(column, *width, values),
            Self::Shorts(width, values) | Self::Tinies(width, values) => list::<Int32Type>(column, *width, values),
        }
    }
}

fn optional<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let mut levels = Vec::new();
    let present: Vec<T::T> = values.inspect(|value| levels.push(i16::from(value.is_some()))).flatten().collect();
    column.typed::<T>().write_batch(&present, Some(&levels), None).map(drop)
}

fn list<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    width: usize,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let present = vec![1; values.len()];
    let repeated: Vec<i16> = (0..values.len()).map(|index| i16::from(index % width != 0)).collect();
    column.typed::<T>().write_batch(values, Some(&present), Some(&repeated)).map(drop)
}

/// Writes a table, group by group.
pub(super) struct TableWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> TableWriter<W> {
    /// `columns` give names and types alone.
    pub(super) fn new(out: W, kind: &str, facts: &[(&str, String)], columns: &[Column]) -> IoResult<Self> {
        let lines: Vec<String> = columns.iter().map(|(name, values)| values.schema(name)).collect();
        let schema = parse_message_type(&format!("message {kind} {{ {} }}", lines.join(" "))).map_err(io_error)?;
        let own = [(KIND, kind.to_owned()), (VERSION, CURRENT_VERSION.to_owned())];
        let facts = own.iter().chain(facts).map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("honinbo version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL).map_err(io_error)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata(Some(facts.collect()));
        for (name, values) in columns {
            if matches!(values, Values::Bytes(..)) {
                // Hardly ever twice the same, and nobody looks for the least of them.
                let path = || ColumnPath::from(*name);
                properties = properties
                    .set_column_dictionary_enabled(path(), false)
                    .set_column_statistics_enabled(path(), EnabledStatistics::None);
            }
        }
        let writer =
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build())).map_err(io_error)?;
        Ok(Self { writer })
    }

    /// Writes a group of rows; the columns are those of [`TableWriter::new`].
    pub(super) fn write(&mut self, columns: &[Column]) -> IoResult<()> {
        let mut write = || {
            let mut group = self.writer.next_row_group()?;
            for (_, values) in columns {
                let missing = || ParquetError::General("a column more than the schema has".to_owned());
                let mut column = group.next_column()?.ok_or_else(missing)?;
                values.write(&mut column)?;
                column.close()?;
            }
            group.close().map(drop)
        };
        write().map_err(io_error)
    }

    pub(super) fn finish(self) -> IoResult<()> {
        self.writer.close().map(drop).map_err(io_error)
    }
}

/// What the disk said, where it was the disk.
fn io_error(error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<Error>() {
            Ok(error) => *error,
            Err(inner) => Error::other(inner),
        },
        other => Error::other(other.to_string()),
    }
}
