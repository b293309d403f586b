//! From 0.1 to 0.2 by servers that do what servers do.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod web;

use honinbo_evaluator::StopFlag;
use honinbo_shelf::{DownloadError, ListKey, ListSource, Package, PackageKind, Release, UpdateError, Updates};
use minisign::KeyPair;
use semver::Version;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use web::{Answer, Server};

const FILE: &str = "honinbo_0.2.0_amd64.deb";

fn package_bytes() -> Vec<u8> {
    (0..900_000_u32).flat_map(|number| number.to_le_bytes()).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn release(serial: u32, version: &str, addresses: &[String]) -> Release {
    let bytes = package_bytes();
    Release {
        serial,
        version: Version::parse(version).unwrap(),
        date: "2026-12-24".into(),
        page: "https://example.org/releases".into(),
        notes: [("en".to_owned(), "- Boards are *round*.".to_owned())].into(),
        packages: vec![Package {
            kind: PackageKind::Deb,
            processor: "x86_64".into(),
            file: FILE.into(),
            bytes: bytes.len() as u64,
            sha256: sha256(&bytes),
            addresses: addresses.to_vec(),
        }],
    }
}

fn signed(release: &Release, keys: &KeyPair) -> (Vec<u8>, Vec<u8>) {
    let text = serde_json::to_vec(release).unwrap();
    let signature = minisign::sign(None, &keys.sk, Cursor::new(&text), None, None).unwrap();
    (text, signature.to_string().into_bytes())
}

/// A program of version 0.1 that looks for newer ones.
struct Place {
    data: TempDir,
    keys: KeyPair,
}

impl Place {
    fn new() -> Self {
        Self { data: tempfile::tempdir().unwrap(), keys: KeyPair::generate_unencrypted_keypair().unwrap() }
    }

    fn updates(&self, address: String) -> Updates {
        let key = ListKey::from_base64(&self.keys.pk.to_base64()).unwrap();
        Updates::new(self.data.path(), Some(ListSource { address, key }), Version::new(0, 1, 0))
            .with_silence(Duration::from_millis(600))
    }

    /// A server that offers these releases one after the other, each with its signature.
    fn server(&self, releases: &[Release]) -> Server {
        let files: Vec<_> = releases.iter().map(|release| signed(release, &self.keys)).collect();
        Server::start(move |request, path| {
            let (text, signature) = &files[(request / 2).min(files.len() - 1)];
            Answer::file(if path.ends_with(".minisig") { signature.clone() } else { text.clone() })
        })
    }

    /// What is in the folder of updates.
    fn left(&self) -> Vec<String> {
        names(&self.data.path().join("updates"))
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_newer_version_is_offered_fetched_and_remembered() {
    let place = Place::new();
    let packages = Server::start(|_, _| Answer::file(package_bytes()));
    let newest = release(3, "0.2.0", &[packages.address(FILE)]);
    let server = place.server(std::slice::from_ref(&newest));
    let updates = place.updates(server.address("release.json"));
    assert_eq!(updates.known().unwrap(), None, "nobody has looked");
    assert_eq!(updates.look(&StopFlag::new()).unwrap().as_ref(), Some(&newest));
    assert_eq!(updates.known().unwrap().as_ref(), Some(&newest));

    let package = newest.package(PackageKind::Deb, "x86_64").unwrap();
    assert_eq!(newest.package(PackageKind::Rpm, "x86_64"), None);
    assert_eq!(newest.package(PackageKind::Deb, "aarch64"), None);
    assert_eq!(updates.here(package), None);
    fs::write(place.data.path().join("updates/honinbo_0.1.5_amd64.deb"), "of another version").unwrap();
    let path = updates.fetch(package, &|_| {}, &StopFlag::new()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), package_bytes());
    assert_eq!(updates.here(package), Some(path.clone()));
    assert_eq!(place.left(), [FILE, "release.json", "release.minisig"]);
    // It is not fetched twice, but again when it was changed on the disk.
    updates.fetch(package, &|_| {}, &StopFlag::new()).unwrap();
    assert_eq!(packages.ranges().len(), 1);
    fs::write(&path, "something else").unwrap();
    assert_eq!(updates.here(package), None);
    updates.fetch(package, &|_| {}, &StopFlag::new()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), package_bytes());
}

#[test]
fn an_older_or_the_same_version_is_not_offered() {
    let place = Place::new();
    for (serial, version) in [(1, "0.0.9"), (2, "0.1.0"), (3, "0.1.0-beta.1")] {
        let server = place.server(&[release(serial, version, &["https://example.org/a".into()])]);
        assert_eq!(place.updates(server.address("release.json")).look(&StopFlag::new()).unwrap(), None, "{version}");
    }
    let server = place.server(&[release(4, "0.10.0", &["https://example.org/a".into()])]);
    assert!(
        place.updates(server.address("release.json")).look(&StopFlag::new()).unwrap().is_some(),
        "numbers, no text"
    );
}

#[test]
fn an_old_answer_cannot_be_put_in_the_place_of_a_new_one() {
    let place = Place::new();
    let address = ["https://example.org/a".to_owned()];
    let server = place.server(&[release(7, "0.3.0", &address), release(6, "0.2.0", &address)]);
    let updates = place.updates(server.address("release.json"));
    assert_eq!(updates.look(&StopFlag::new()).unwrap().unwrap().version, Version::new(0, 3, 0));
    assert!(matches!(updates.look(&StopFlag::new()), Err(UpdateError::Older { found: 6, current: 7 })));
    assert_eq!(updates.known().unwrap().unwrap().version, Version::new(0, 3, 0));
}

#[test]
fn what_is_forged_or_cut_offers_nothing() {
    let others = KeyPair::generate_unencrypted_keypair().unwrap();
    let place = Place::new();
    let newest = release(9, "0.2.0", &["https://example.org/a".into()]);
    let (text, signature) = signed(&newest, &place.keys);
    let (_, foreign) = signed(&newest, &others);
    let changed = String::from_utf8(text.clone()).unwrap().replace("example", "exampel").into_bytes();
    let page = b"<html>sign in</html>".to_vec();
    for (what, text, signature) in [
        ("somebody else's signature", &text, &foreign),
        ("a changed release", &changed, &signature),
        ("half a release", &text[..text.len() / 2].to_vec(), &signature),
        ("half a signature", &text, &signature[..signature.len() / 2].to_vec()),
        ("a page for a release", &page, &signature),
    ] {
        let (text, signature) = (text.clone(), signature.clone());
        let server = Server::start(move |_, path| {
            Answer::file(if path.ends_with(".minisig") { signature.clone() } else { text.clone() })
        });
        let updates = place.updates(server.address("release.json"));
        assert!(matches!(updates.look(&StopFlag::new()), Err(UpdateError::Signature(_))), "{what}");
        assert_eq!(updates.known().unwrap(), None, "{what}");
        assert_eq!(place.left(), [""; 0], "{what}");
    }
    // Signed all right, but by hands that slipped.
    for spoil in [
        |release: &mut Release| release.packages[0].file = "../../bin/honinbo".into(),
        |release: &mut Release| release.packages[0].sha256 = "F".repeat(64),
        |release: &mut Release| release.packages[0].bytes = 1 << 40,
        |release: &mut Release| release.packages[0].addresses.clear(),
        |release: &mut Release| release.page = "javascript:alert(1)".into(),
        |release: &mut Release| release.notes.clear(),
    ] {
        let mut spoilt = newest.clone();
        spoil(&mut spoilt);
        let server = place.server(&[spoilt]);
        let error = place.updates(server.address("release.json")).look(&StopFlag::new()).unwrap_err();
        assert!(matches!(error, UpdateError::Entry { .. }), "{error}");
        assert_eq!(place.updates(server.address("release.json")).known().unwrap(), None);
    }
}

#[test]
fn an_answer_that_was_changed_on_the_disk_does_not_count() {
    let place = Place::new();
    let server = place.server(&[release(3, "0.2.0", &["https://example.org/a".into()])]);
    let updates = place.updates(server.address("release.json"));
    updates.look(&StopFlag::new()).unwrap();
    let path = place.data.path().join("updates/release.json");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("0.2.0", "9.9.9")).unwrap();
    assert!(matches!(updates.known(), Err(UpdateError::Signature(_))));
}

#[test]
fn a_look_that_was_cut_off_between_its_two_files_does_not_stop_the_next_one() {
    let place = Place::new();
    let address = ["https://example.org/a".to_owned()];
    let (first, second) = (release(3, "0.2.0", &address), release(4, "0.3.0", &address));
    let server = place.server(&[first, second.clone()]);
    let updates = place.updates(server.address("release.json"));
    updates.look(&StopFlag::new()).unwrap();
    // The new signature lies beside the old release.
    fs::write(place.data.path().join("updates/release.minisig"), signed(&second, &place.keys).1).unwrap();
    assert!(matches!(updates.known(), Err(UpdateError::Signature(_))));
    assert_eq!(updates.look(&StopFlag::new()).unwrap().as_ref(), Some(&second));
    assert_eq!(updates.known().unwrap(), Some(second));
}

#[test]
fn a_package_that_is_forged_cut_or_too_long_is_not_kept() {
    let place = Place::new();
    let mut forged = package_bytes();
    forged[1000] ^= 1;
    let fetch = |server: &Server| {
        let release = release(3, "0.2.0", &[server.address(FILE)]);
        place.updates(String::new()).fetch(&release.packages[0], &|_| {}, &StopFlag::new())
    };
    let error = fetch(&Server::start(move |_, _| Answer::file(forged.clone()))).unwrap_err();
    assert!(matches!(error, UpdateError::Checksum { .. }), "{error}");
    let error = fetch(&Server::start(|_, _| Answer::file(b"<html>sign in</html>".to_vec()))).unwrap_err();
    assert!(matches!(error, UpdateError::Checksum { .. }), "{error}");
    let long = [package_bytes(), vec![0]].concat();
    let error = fetch(&Server::start(move |_, _| Answer::file(long.clone()))).unwrap_err();
    assert!(matches!(error, UpdateError::Download(DownloadError::TooLarge { .. })), "{error}");
    assert_eq!(place.left(), [""; 0]);
    // What was cut or stalls stays as a beginning, and is gone on from.
    let cut = Server::start(|request, _| Answer {
        breaks_after: (request == 0).then_some(700_000),
        stalls_after: (request == 1).then_some(500_000),
        ..Answer::file(package_bytes())
    });
    for _ in 0..2 {
        assert!(matches!(fetch(&cut), Err(UpdateError::Download(DownloadError::BrokenOff { .. }))));
    }
    assert_eq!(fs::read(fetch(&cut).unwrap()).unwrap(), package_bytes());
    assert_eq!(cut.ranges(), [None, Some(700_000), Some(1_200_000)]);
}

#[test]
fn where_one_address_fails_its_mirror_is_asked_and_a_fetch_can_be_paused() {
    let place = Place::new();
    let gone = Server::start(|_, _| Answer { status: "404 Not Found", ..Answer::file(Vec::new()) });
    let mirror = Server::start(|_, _| Answer::file(package_bytes()));
    let package = release(3, "0.2.0", &[gone.address(FILE), mirror.address(FILE)]).packages.remove(0);
    let updates = place.updates(String::new());
    let stop = StopFlag::new();
    let pause = |bytes: u64| {
        if bytes > 300_000 {
            stop.set();
        }
    };
    assert!(updates.fetch(&package, &pause, &stop).unwrap_err().is_stopped());
    assert!((300_000..3_600_000).contains(&updates.begun(&package)));
    updates.fetch(&package, &|_| {}, &StopFlag::new()).unwrap();
    assert_eq!(updates.begun(&package), 0);
}

#[test]
fn what_the_release_script_writes_is_read() {
    let release = Release::parse(include_bytes!("release.json")).unwrap();
    assert_eq!(release.version, Version::new(0, 2, 0));
    assert_eq!(release.notes["en"], "### Added\n\n- Boards of glass.");
    let file = |kind, processor| release.package(kind, processor).map(|package| package.file.as_str());
    assert_eq!(file(PackageKind::Deb, "x86_64"), Some("honinbo_0.2.0_amd64.deb"));
    assert_eq!(file(PackageKind::Deb, "aarch64"), Some("honinbo_0.2.0_arm64.deb"));
    assert_eq!(file(PackageKind::Rpm, "x86_64"), Some("honinbo-0.2.0-1.x86_64.rpm"));
    assert_eq!(file(PackageKind::Rpm, "aarch64"), Some("honinbo-0.2.0-1.aarch64.rpm"));
    assert_eq!(file(PackageKind::Setup, "x86_64"), Some("honinbo-0.2.0-windows-x86_64-setup.exe"));
    assert_eq!(file(PackageKind::Dmg, "aarch64"), Some("Honinbo_0.2.0_aarch64.dmg"));
    assert_eq!(file(PackageKind::Dmg, "x86_64"), None);
    assert_eq!(release.packages.len(), 6, "archives and bills replace nothing");
}

#[test]
fn without_a_key_nobody_is_asked() {
    let data = tempfile::tempdir().unwrap();
    let updates = Updates::new(data.path(), None, Version::new(0, 1, 0));
    assert!(!updates.can_look());
    assert_eq!(updates.look(&StopFlag::new()).unwrap(), None);
    assert_eq!(names(data.path()), [""; 0]);
}
