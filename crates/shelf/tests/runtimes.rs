//! Runtimes from a server and from files, with libraries that only a test takes for some.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod web;

use honinbo_evaluator::StopFlag;
use honinbo_net::sha256_of;
use honinbo_shelf::{AddedRuntime, FetchStage, RuntimeShelf, RuntimeShelfError, RuntimeSource};
use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use web::{Answer, Server};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

const LIBRARY: &str = "libonnxruntime.so.1.99.0";

struct Place {
    data: TempDir,
    shelf: RuntimeShelf,
}

impl Place {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let shelf = RuntimeShelf::new(data.path());
        Self { data, shelf }
    }

    /// A wheel whose library begins so, of about a megabyte.
    fn wheel(&self, library: &str) -> PathBuf {
        let path = self.data.path().join("made.whl");
        let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive.start_file(format!("onnxruntime/capi/{LIBRARY}"), stored).unwrap();
        archive.write_all(library.as_bytes()).unwrap();
        archive.write_all(&vec![b' '; 1 << 20]).unwrap();
        archive.finish().unwrap();
        path
    }

    fn add(&self, name: &str, source: &RuntimeSource) -> Result<AddedRuntime, RuntimeShelfError> {
        self.shelf.add(name, source, &tried, &|_| {}, &StopFlag::new())
    }

    /// What is in the folder of runtimes.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.data.path().join("runtimes")).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn tried(folder: &Path) -> Result<String, String> {
    let text = fs::read_to_string(folder.join(LIBRARY)).unwrap();
    if text.starts_with("good") { Ok("1.99.0".into()) } else { Err("it is another library".into()) }
}

fn fetched(server: &Server, wheel: &Path) -> RuntimeSource {
    let bytes = Some(fs::metadata(wheel).unwrap().len());
    RuntimeSource::Address { address: server.address("r.whl"), sha256: sha256_of(wheel).unwrap(), bytes }
}

#[test]
fn a_runtime_is_fetched_by_its_checksum_used_and_removed() {
    let place = Place::new();
    let wheel = place.wheel("good");
    let content = fs::read(&wheel).unwrap();
    let server = Server::start(move |_, _| Answer::file(content.clone()));
    let source = fetched(&server, &wheel);
    let stages = RefCell::new(Vec::new());
    let tell = |stage| stages.borrow_mut().push(stage);
    let added = place.shelf.add("cuda", &source, &tried, &tell, &StopFlag::new()).unwrap();
    assert_eq!((added.name.as_str(), added.version.as_str()), ("cuda", "1.99.0"));
    assert_eq!(stages.into_inner().last(), Some(&FetchStage::Checking));
    assert_eq!((place.shelf.in_use().as_deref(), place.shelf.added()), (Some("cuda"), vec![added]));
    assert_eq!(place.left(), ["cuda", "in-use"]);
    assert!(matches!(place.add("cuda", &source), Err(RuntimeShelfError::Taken(_))));
    assert!(place.shelf.remove("cuda").unwrap(), "it was in use");
    assert_eq!((place.shelf.in_use(), place.left()), (None, Vec::new()));
    assert!(matches!(place.shelf.remove("cuda"), Err(RuntimeShelfError::Missing(_))));
}

#[test]
fn a_fetch_is_stopped_and_goes_on_where_it_was() {
    let place = Place::new();
    let wheel = place.wheel("good");
    let content = fs::read(&wheel).unwrap();
    let server = Server::start(move |_, _| Answer::file(content.clone()));
    let source = fetched(&server, &wheel);
    let stop = StopFlag::new();
    let tell = |stage| {
        if matches!(stage, FetchStage::Downloading(bytes, _) if bytes > 200_000) {
            stop.set();
        }
    };
    assert!(place.shelf.add("cuda", &source, &tried, &tell, &stop).unwrap_err().is_stopped());
    let begun = place.shelf.begun("cuda");
    assert!(begun > 200_000 && place.shelf.added().is_empty(), "{begun}");
    place.add("cuda", &source).unwrap();
    assert_eq!(server.ranges(), [None, Some(begun)]);
    // What was begun can be thrown away as well.
    assert!(place.shelf.add("other", &source, &tried, &tell, &stop).unwrap_err().is_stopped());
    assert!(!place.shelf.remove("other").unwrap(), "another one is in use");
    assert_eq!(place.left(), ["cuda", "in-use"]);
}

#[test]
fn what_is_not_the_pinned_file_or_does_not_load_is_not_kept() {
    let place = Place::new();
    let wheel = place.wheel("good");
    let page = b"<html>404, but with status 200</html>".to_vec();
    let server = Server::start(move |_, _| Answer::file(page.clone()));
    let wrong = place.add("cuda", &fetched(&server, &wheel)).unwrap_err();
    assert!(matches!(wrong, RuntimeShelfError::Checksum { .. }), "{wrong}");
    let broken = place.add("cuda", &RuntimeSource::File(place.wheel("bad"), None)).unwrap_err();
    assert!(broken.to_string().ends_with("cannot be used: it is another library"), "{broken}");
    assert_eq!((place.shelf.in_use(), place.left()), (None, Vec::new()));
    assert!(matches!(place.add("../out", &RuntimeSource::File(wheel, None)), Err(RuntimeShelfError::BadName(_))));
}

#[test]
fn files_of_ones_own_have_names_of_their_own() {
    let place = Place::new();
    let source = RuntimeSource::File(place.wheel("good"), None);
    for name in ["own", "own-2"] {
        assert_eq!(place.shelf.free_name(), name);
        place.add(name, &source).unwrap();
    }
    assert_eq!(place.shelf.in_use().as_deref(), Some("own-2"));
}

#[test]
fn a_library_that_the_system_does_not_let_go_of_counts_for_nothing_once_it_is_removed() {
    let place = Place::new();
    let source = RuntimeSource::File(place.wheel("good"), None);
    place.add("cuda", &source).unwrap();
    // As it is left where a program has the library loaded.
    let folder = place.shelf.folder_of("cuda");
    fs::remove_file(folder.join("runtime.json")).unwrap();
    fs::write(folder.join("removed"), "").unwrap();
    assert_eq!((place.shelf.in_use(), place.shelf.added()), (None, Vec::new()));
    place.add("cuda", &source).unwrap();
    assert_eq!(place.shelf.in_use().as_deref(), Some("cuda"));
}

#[test]
fn a_runtime_whose_name_was_taken_meanwhile_leaves_nothing() {
    let place = Place::new();
    let source = RuntimeSource::File(place.wheel("good"), None);
    let taken_meanwhile = |folder: &Path| {
        fs::create_dir(place.shelf.folder_of("own")).unwrap();
        fs::write(place.shelf.folder_of("own").join("other"), "").unwrap();
        tried(folder)
    };
    let refused = place.shelf.add("own", &source, &taken_meanwhile, &|_| {}, &StopFlag::new()).unwrap_err();
    assert!(matches!(refused, RuntimeShelfError::Folder { .. }), "{refused}");
    assert_eq!((place.left(), place.shelf.in_use()), (vec!["own".to_owned()], None));
}

#[test]
fn what_a_program_left_that_ended_while_it_added_a_runtime_is_none_and_is_deleted() {
    let place = Place::new();
    let source = RuntimeSource::File(place.wheel("good"), None);
    for left in [".adding-own", ".adding-7hX2aB"] {
        let added = place.add("own", &source).unwrap();
        let folder = place.shelf.folder_of("own");
        fs::rename(&folder, folder.with_file_name(left)).unwrap();
        assert_eq!((place.shelf.added(), place.shelf.in_use()), (Vec::new(), None));
        place.shelf.sweep();
        assert_eq!(place.left(), ["in-use"]);
        fs::create_dir(folder.with_file_name(left)).unwrap();
        assert_eq!(place.add("own", &source).unwrap(), added);
        assert_eq!(place.left(), ["in-use", "own"]);
        place.shelf.remove("own").unwrap();
    }
}

#[test]
fn a_runtime_that_is_being_added_is_left_alone() {
    let place = Place::new();
    let source = RuntimeSource::File(place.wheel("good"), None);
    let another_program = |folder: &Path| {
        let shelf = RuntimeShelf::new(place.data.path());
        shelf.sweep();
        let busy = shelf.add("own", &source, &tried, &|_| {}, &StopFlag::new()).unwrap_err();
        assert!(matches!(busy, RuntimeShelfError::Download(_)), "{busy}");
        shelf.add("other", &source, &tried, &|_| {}, &StopFlag::new()).unwrap();
        tried(folder)
    };
    place.shelf.add("own", &source, &another_program, &|_| {}, &StopFlag::new()).unwrap();
    assert_eq!(place.left(), ["in-use", "other", "own"]);
}
