//! Any bytes behind the beginning of a zip archive, or named as a record, are imported or refused with a sentence; the
//! library is whole afterwards.
#![cfg_attr(fuzzing, no_main)]

use std::cell::RefCell;
use std::ops::ControlFlow;

use honinbo_library::{ImportOptions, Library};

thread_local! {
    static HOME: RefCell<Option<(tempfile::TempDir, Library, u32)>> = const { RefCell::new(None) };
}

/// Inputs after which the library is checked and begun anew: one that grows makes every input slower than the last.
const FRESH_AFTER: u32 = 500;

pub(crate) fn run(data: &[u8]) {
    HOME.with_borrow_mut(|home| {
        let (folder, library, uses) = home.get_or_insert_with(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let library = Library::open(folder.path().join("library.sqlite")).expect("a new library");
            (folder, library, 0)
        });
        let Some((&kind, rest)) = data.split_first() else { return };
        let name = ["a.zip", "a.sgf.gz", "a.gib", "a.sgf"][usize::from(kind) % 4];
        let path = folder.path().join(name);
        std::fs::write(&path, rest).expect("room for it");
        let report = library
            .import(std::slice::from_ref(&path), &ImportOptions::default(), 0, &mut |_| ControlFlow::Continue(()))
            .expect("an import tells in its report what is wrong with a file");
        assert!(report.files + report.refused_files > 0 || !report.notes.is_empty() || name == "a.zip", "{report:?}");
        assert!(report.notes.iter().all(|note| !note.message.is_empty()));
        *uses += 1;
        if *uses == FRESH_AFTER {
            let checked = library.check().expect("a check");
            assert!(checked.problems.is_empty(), "{checked:?}");
            *home = None;
        }
    });
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
