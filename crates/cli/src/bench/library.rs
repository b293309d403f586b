//! Speed of the library, in a folder of its own that is removed afterwards.

use super::{Figure, measure};
use crate::failure::Failure;
use crate::positions::scattered_games;
use honinbo_library::{GameFilter, GameQuery, Library, LibraryBench, LibraryError, SortBy};
use honinbo_rules::{BoardSize, Color, Game, Topology};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Games that are kept before anything is looked for.
const GAMES: usize = 2000;

/// Imports real records into a library of its own, again and again with their games varied if that is asked for, and
/// measures it with all kinds of searches.
pub(crate) fn of_records(files: &[PathBuf], times: u32) -> Result<LibraryBench, Failure> {
    if let Some(missing) = files.iter().find(|path| !path.exists()) {
        return Err(Failure::new(
            format!("{}: it is not there", missing.display()),
            "name records, or folders of them",
        ));
    }
    let folder =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary folder: {error}"), "set TMPDIR"))?;
    honinbo_library::bench_library(&folder.path().join("library.sqlite"), files, times, 0)
        .map_err(|error| Failure::new(error.to_string(), error.hint()))
}

pub(crate) fn figures(time: Duration) -> Result<Vec<Figure>, Failure> {
    let folder =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary folder: {error}"), "set TMPDIR"))?;
    let path = folder.path().join("library.sqlite");
    let failed = |error: LibraryError| Failure::new(error.to_string(), error.hint());
    let library = Library::open(&path).map_err(failed)?;
    let records: Vec<String> = scattered_games(BoardSize::NINETEEN, Topology::Plane, GAMES)
        .iter()
        .enumerate()
        .map(|(number, game)| record(game, number))
        .collect();
    let begun = Instant::now();
    for (number, sgf) in records.iter().enumerate() {
        library.save_record(sgf, number as i64).map_err(failed)?;
    }
    let mut figures = vec![Figure::new("record saved on its own", records.len() as u64, begun.elapsed().as_secs_f64())];

    let mut failure = None;
    let mut each = |name: &str, work: &mut dyn FnMut() -> Result<(), LibraryError>| {
        let figure = measure(name, time, || {
            if let Err(error) = work() {
                failure.get_or_insert(error);
            }
            1
        });
        figures.push(figure);
    };
    let query = |text: &str| GameQuery {
        filter: GameFilter { text: text.into(), ..GameFilter::default() },
        sort: SortBy::Added,
        descending: true,
        offset: 0,
        limit: 50,
    };
    each("page of 50 of all games", &mut || library.list(&query("")).map(|page| drop(black_box(page))));
    each("page of 50 by a player's name", &mut || library.list(&query("player 17")).map(|page| drop(black_box(page))));
    each("duplicate recognised", &mut || {
        library.save_record(&records[GAMES / 2], 0).map(|saved| drop(black_box(saved)))
    });
    each("figures about the library", &mut || library.stats().map(|stats| drop(black_box(stats))));
    match failure {
        Some(error) => Err(failed(error)),
        None => Ok(figures),
    }
}

fn record(game: &Game, number: usize) -> String {
    let mut sgf = format!(
        "(;GM[1]FF[4]SZ[19]KM[7.5]PB[player {}]PW[opponent {}]DT[{}-01-{:02}]RE[B+R]",
        number % 100,
        number % 37,
        1900 + number % 120,
        1 + number % 28
    );
    for turn in game.turns() {
        let letter = if turn.color == Color::Black { 'B' } else { 'W' };
        let point = turn.played.point().map(|point| point.to_sgf()).unwrap_or_default();
        sgf.push_str(&format!(";{letter}[{point}]"));
    }
    sgf.push(')');
    sgf
}
