//! The last day of games that were played on several, found in stored texts: migration 15 asks for it.

use std::cell::RefCell;

use honinbo_record::GameDate;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::error::LibraryError;
use crate::text::TextCodec;

/// Gives a connection the SQL function `last_date(date, text)`, of the first date of a game and its stored text.
pub(crate) fn offer_last_date(connection: &Connection) -> Result<(), LibraryError> {
    let codec: RefCell<Option<TextCodec>> = RefCell::default();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("last_date", 2, flags, move |context| {
        // What cannot be read has no such day; a check says what is wrong with it.
        let date = context.get_raw(0).as_i64().ok().and_then(|date| u32::try_from(date).ok());
        let text = context.get_raw(1).as_blob().unwrap_or_default();
        let mut codec = codec.borrow_mut();
        if codec.is_none() {
            *codec = TextCodec::new().ok();
        }
        let header = codec.as_mut().and_then(|codec| codec.unpack_without_moves(text));
        Ok(date.zip(header).map_or(0, |(date, header)| last_date(date, &header)))
    })?;
    Ok(())
}

/// The key of the last date of the list that begins with `date`; 0 where none lists more than that.
fn last_date(date: u32, header: &[u8]) -> u32 {
    let header = String::from_utf8_lossy(header);
    let lists = header.split("DT[").skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
    let last = lists.map(GameDate::parse_all).find_map(|dates| {
        let last = dates.iter().max()?.sort_key();
        (dates.first()?.sort_key() == date && last > date).then_some(last)
    });
    last.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_the_game_counts_and_no_other() {
        let header = b"(;GM[1]C[not DT[1996-05-06] either]DT[1846-09-11,14,15]PB[a]";
        assert_eq!(last_date(18_460_911, header), 18_460_915);
        assert_eq!(last_date(19_960_506, header), 0);
        assert_eq!(last_date(18_460_911, b"(;DT[1846-09-11]"), 0);
        assert_eq!(last_date(18_460_911, b"(;DT[1846-09-11,1"), 0);
        assert_eq!(last_date(18_460_911, b"\xff"), 0);
    }
}
