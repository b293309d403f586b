//! How long a move's save takes: `store_latency PLACE`, a file to be made, or the address of a PostgreSQL database.
//!
//! Prints the median, the 99th percentile and the longest of saves of one room, and the rooms a second where 64 are saved
//! in one transaction, as a server does where many wait.
#![expect(clippy::print_stdout, reason = "a program")]

use honinbo_library::{RoomChange, ServerStore, StoreError, StorePlace, StoredRoom};
use std::time::{Duration, Instant};

/// Saves that are measured, after a tenth as many that are not.
const SAVES: usize = 2000;
/// What a room in the middle of a game on 19x19 says of itself, in bytes.
const STATE: usize = 3000;
/// Rooms in one transaction.
const BATCH: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = std::env::args().nth(1).ok_or("name a file or the address of a database")?;
    let place =
        if place.contains("://") { StorePlace::Postgres(place.parse()?) } else { StorePlace::File(place.into()) };
    let store = ServerStore::open_at(&place)?;
    for nth in 0..SAVES / 10 {
        save(&store, nth, 1)?;
    }
    let mut times: Vec<Duration> = (0..SAVES).map(|nth| save(&store, nth, 1)).collect::<Result<_, _>>()?;
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let [median, late, longest] = [SAVES / 2, SAVES * 99 / 100, SAVES - 1].map(|nth| ms(times[nth]));
    let batches: Vec<Duration> = (0..SAVES / BATCH).map(|nth| save(&store, nth, BATCH)).collect::<Result<_, _>>()?;
    let rate = (batches.len() * BATCH) as f64 / batches.iter().sum::<Duration>().as_secs_f64();
    println!(
        "median {median:.2} ms, p99 {late:.2} ms, longest {longest:.1} ms; {rate:.0} rooms/s in batches of {BATCH}"
    );
    Ok(())
}

/// Saves so many rooms in one transaction.
fn save(store: &ServerStore, nth: usize, rooms: usize) -> Result<Duration, StoreError> {
    let state = format!("{nth:0>STATE$}");
    let room = |id: usize| StoredRoom { id: id.to_string(), state: state.clone(), saved_ms: nth as i64 };
    let changes: Vec<_> = (0..rooms).map(|id| RoomChange::Save { room: room(id), finished: None }).collect();
    let begun = Instant::now();
    store.change_rooms(&changes)?;
    Ok(begun.elapsed())
}
