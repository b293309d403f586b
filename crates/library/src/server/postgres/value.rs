//! Values on their way between SQLite's types, in which queries give and take them, and PostgreSQL's.

use std::error::Error;

use bytes::{BufMut as _, BytesMut};
use rusqlite::types::{FromSql, ToSqlOutput, Type as SqliteType, ValueRef};
use tokio_postgres::types::{FromSql as PostgresFromSql, IsNull, ToSql as PostgresToSql, Type, to_sql_checked};

use super::super::StoreError;

/// A column of a row.
pub(in super::super) fn column<T: FromSql>(row: &tokio_postgres::Row, index: usize) -> Result<T, StoreError> {
    let Cell(value) = row.try_get(index)?;
    T::column_result(value)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(index, SqliteType::Null, Box::new(error)).into())
}

/// A value that was read.
struct Cell<'a>(ValueRef<'a>);

impl<'a> PostgresFromSql<'a> for Cell<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => ValueRef::Integer(i32::from_be_bytes(raw.try_into()?).into()),
            Type::BOOL => ValueRef::Integer(i64::from(raw.first().is_some_and(|byte| *byte != 0))),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => ValueRef::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::INT4 | Type::BOOL | Type::BYTEA | Type::TEXT | Type::VARCHAR)
    }
}

/// A parameter.
#[derive(Debug)]
pub(super) struct Bound<'a>(pub(super) ToSqlOutput<'a>);

impl PostgresToSql for Bound<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let value = match &self.0 {
            ToSqlOutput::Borrowed(value) => *value,
            ToSqlOutput::Owned(value) => value.into(),
            _ => return Err("this kind of parameter is SQLite's alone".into()),
        };
        match (value, kind) {
            (ValueRef::Null, _) => return Ok(IsNull::Yes),
            (ValueRef::Integer(number), &Type::INT8) => out.put_i64(number),
            (ValueRef::Integer(number), &Type::INT4) => out.put_i32(number.try_into()?),
            // PostgreSQL's texts hold every character but U+0000, which would have the whole transaction refused.
            (ValueRef::Text(text), &Type::TEXT | &Type::VARCHAR) if text.contains(&0) => {
                out.put_slice(std::str::from_utf8(text)?.replace('\0', "\u{FFFD}").as_bytes());
            }
            (ValueRef::Text(text), &Type::TEXT | &Type::VARCHAR) => out.put_slice(text),
            (ValueRef::Blob(bytes), &Type::BYTEA) => out.put_slice(bytes),
            (value, kind) => return Err(format!("{:?} is no {kind}", value.data_type()).into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
