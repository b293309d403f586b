//! Any damage to a library file ends in a refusal that says what is wrong, or in a library that answers.
#![cfg_attr(fuzzing, no_main)]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use honinbo_library::{GameFilter, GameQuery, ImportOptions, Library, LibraryError};
use honinbo_testkit::damaged;

/// Milliseconds since 1970.
const NOW: i64 = 1_790_000_000_000;

/// A file with a few games, long and short notes, a folder, a tag and a game in the bin.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("library.sqlite");
        let library = Library::open(&path).expect("a new library");
        let mut ids = Vec::new();
        for game in 0..12_u8 {
            let letter = char::from(b'a' + game);
            let note = "a word ".repeat(usize::from(game) * 3);
            let sgf =
                format!("(;GM[1]SZ[9]PB[{letter}]PW[w]C[{note}];B[{letter}a];W[cc];B[d{letter}](;W[ee])(;W[ff]))");
            ids.push(library.save_record(&sgf.replace('j', "i"), NOW).expect("room for it").id);
        }
        library.set_folder(&ids[..4], "one/two").expect("a folder");
        library.add_tag(&ids[2..6], "tag").expect("a tag");
        library.delete(&ids[7..8], NOW).expect("a bin");
        let whole = folder.path().join("whole.sqlite");
        library.backup(&whole).expect("a copy");
        std::fs::read(whole).expect("the copy")
    })
}

/// Uses every part of the file.
fn use_all(path: &Path) -> Result<(), LibraryError> {
    let library = Library::open(path)?;
    let problems = library.check().map(|report| report.problems);
    library.stats()?;
    let ids = library.ids(&GameFilter::default())?;
    library.list(&GameQuery { limit: 100, ..GameQuery::default() })?;
    library.list(&GameQuery {
        filter: GameFilter { text: "word".into(), ..GameFilter::default() },
        limit: 100,
        ..GameQuery::default()
    })?;
    for id in &ids {
        // One game that cannot be read leaves the others.
        let _ = (library.game(id), library.copies(id), library.tags_of(id), library.folder_of(id));
    }
    library.players("", 100)?;
    let _ = (library.folders(), library.tags(), library.saved_searches(), library.history());
    let game = path.with_file_name("game.sgf");
    std::fs::write(&game, "(;SZ[9];B[aa];W[ii];B[bb])").expect("room for it");
    library.import(&[game], &ImportOptions::default(), NOW, &mut |_| ControlFlow::Continue(()))?;
    library.save_record("(;SZ[9];B[hh];W[aa];B[cc])", NOW)?;
    library.repair()?;
    problems.map(drop)
}

pub(crate) fn run(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.sqlite");
    std::fs::write(&path, damaged(sound(), data)).expect("room for it");
    if let Err(error) = use_all(&path) {
        assert!(!error.to_string().is_empty() && !error.hint().is_empty());
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
