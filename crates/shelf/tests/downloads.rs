//! Fetching from servers that do what servers do.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod web;

use honinbo_evaluator::StopFlag;
use honinbo_shelf::{
    DownloadError, FetchError, FetchStage, ListError, ListKey, ListSource, ListedNetwork, NetworkKind, NetworkList,
    Part, Shelf,
};
use honinbo_testkit::fixtures;
use minisign::KeyPair;
use std::cell::RefCell;
use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use web::{Answer, Server};

const FILE: &str = "g170-b6c96-s175395328-d26788732.bin.gz";
const SHA256: &str = "f5d32604e3675c480c7c8f6aa579a1ea857135628a0afccc8fa56330fbacd38d";

fn network() -> Vec<u8> {
    fs::read(fixtures::fixture(&format!("networks/{FILE}"))).unwrap()
}

fn listed(addresses: &[&Server], sha256: Option<&str>) -> ListedNetwork {
    ListedNetwork {
        file: FILE.into(),
        kind: NetworkKind::Quick,
        bytes: 3_827_339,
        billion_multiply_adds: 0.36,
        licence: "MIT".into(),
        licence_page: "https://example.org/licence".into(),
        addresses: addresses.iter().map(|server| server.address(FILE)).collect(),
        sha256: sha256.map(str::to_owned),
        history: String::new(),
    }
}

struct Place {
    data: TempDir,
    shelf: Shelf,
}

impl Place {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let shelf =
            Shelf::new(data.path(), &data.path().join("networks"), None).with_silence(Duration::from_millis(600));
        Self { data, shelf }
    }

    fn fetch(&self, network: &ListedNetwork) -> Result<PathBuf, FetchError> {
        self.shelf.fetch(network, &|_| {}, &StopFlag::new())
    }

    /// What is in the folder of networks.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.data.path().join("networks")).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_network_is_fetched_checked_and_taken_away_again() {
    let server = Server::start(|_, _| Answer::file(network()));
    let place = Place::new();
    let stages = RefCell::new(Vec::new());
    let path = place
        .shelf
        .fetch(&listed(&[&server], Some(SHA256)), &|stage| stages.borrow_mut().push(stage), &StopFlag::new())
        .unwrap();
    assert_eq!(fs::read(path).unwrap(), network());
    assert_eq!(place.left(), [FILE]);
    let stages = stages.into_inner();
    assert_eq!(stages.first(), Some(&FetchStage::Downloading(0, Some(3_827_339))));
    assert_eq!(stages.last(), Some(&FetchStage::Checking));
    assert!(place.shelf.remove(FILE).unwrap());
    assert!(!place.shelf.remove(FILE).unwrap());
    assert!(matches!(place.shelf.remove("../settings.bin.gz"), Err(FetchError::BadName(_))));
}

#[test]
fn a_download_is_paused_and_goes_on_where_it_was() {
    let server = Server::start(|_, _| Answer::file(network()));
    let place = Place::new();
    let wanted = listed(&[&server], Some(SHA256));
    let stop = StopFlag::new();
    let paused = place.shelf.fetch(
        &wanted,
        &|stage| {
            if matches!(stage, FetchStage::Downloading(bytes, _) if bytes > 500_000) {
                stop.set();
            }
        },
        &stop,
    );
    assert!(paused.unwrap_err().is_stopped());
    let begun = place.shelf.begun(FILE);
    assert!(begun > 500_000 && begun < 3_000_000, "{begun}");
    assert!(!place.shelf.folder().join(FILE).exists());

    place.fetch(&wanted).unwrap();
    assert_eq!(place.left(), [FILE]);
    assert_eq!(server.ranges(), [None, Some(begun)]);
    // What was begun can be thrown away as well.
    assert_eq!(place.shelf.begun(FILE), 0);
}

#[test]
fn a_server_that_is_busy_costs_nothing_of_what_came() {
    const BROKEN_AT: usize = 1_000_000;
    let server = Server::start(|request, _| match request {
        0 => Answer { breaks_after: Some(BROKEN_AT), ..Answer::file(network()) },
        1 => Answer { status: "503 Service Unavailable", ignores_range: true, ..Answer::file(Vec::new()) },
        _ => Answer::file(network()),
    });
    let place = Place::new();
    let wanted = listed(&[&server], Some(SHA256));
    place.fetch(&wanted).unwrap_err();
    let begun = place.shelf.begun(FILE);
    assert!(begun > 0, "{begun}");
    let error = place.fetch(&wanted).unwrap_err();
    assert!(error.to_string().contains("503"), "{error}");
    assert_eq!(place.shelf.begun(FILE), begun);
    place.fetch(&wanted).unwrap();
    assert_eq!(server.ranges(), [None, Some(begun), Some(begun)]);
}

#[test]
fn two_programs_that_want_the_same_network_do_not_write_into_one_file() {
    let server = Server::start(|_, _| Answer::file(network()));
    let place = Place::new();
    let wanted = listed(&[&server], Some(SHA256));
    let second = RefCell::new(Vec::new());
    let stop = StopFlag::new();
    let path = place
        .shelf
        .fetch(
            &wanted,
            &|_| {
                second.borrow_mut().push(place.fetch(&wanted).unwrap_err());
                assert!(matches!(place.shelf.remove(FILE), Err(FetchError::Download(DownloadError::Busy { .. }))));
            },
            &stop,
        )
        .unwrap();
    assert_eq!(fs::read(path).unwrap(), network());
    // From the first byte until the file has its name.
    let second = second.into_inner();
    assert!(second.len() > 1, "while it downloads and while it is checked");
    for refused in second {
        assert_eq!(refused.to_string(), format!("{FILE} is being fetched by another program"));
    }
    assert_eq!((place.left(), server.ranges()), (vec![FILE.to_owned()], vec![None]));
}

#[test]
fn a_program_that_ended_badly_holds_nothing_up() {
    let server = Server::start(|_, _| Answer::file(network()));
    let place = Place::new();
    fs::create_dir_all(place.shelf.folder()).unwrap();
    fs::write(format!("{}.lock", Part::path_in(place.shelf.folder(), FILE).display()), "").unwrap();
    place.fetch(&listed(&[&server], Some(SHA256))).unwrap();
    assert_eq!(place.left(), [FILE]);
}

#[test]
fn a_server_that_has_another_file_by_now_begins_anew() {
    // It answers a range with the whole file, as servers do whose file changed.
    let server = Server::start(|request, _| match request {
        0 => Answer { breaks_after: Some(900_000), ..Answer::file(network()) },
        _ => Answer { ignores_range: true, etag: "\"v2\"", ..Answer::file(network()) },
    });
    let place = Place::new();
    let wanted = listed(&[&server], Some(SHA256));
    assert!(matches!(place.fetch(&wanted), Err(FetchError::Download(DownloadError::BrokenOff { .. }))));
    assert_eq!(place.shelf.begun(FILE), 900_000);
    place.fetch(&wanted).unwrap();
    assert_eq!(server.ranges(), [None, Some(900_000)]);
}

#[test]
fn a_server_that_stalls_is_given_up_and_what_came_is_kept() {
    let server = Server::start(|_, _| Answer { stalls_after: Some(700_000), ..Answer::file(network()) });
    let place = Place::new();
    let error = place.fetch(&listed(&[&server], None)).unwrap_err();
    assert!(error.to_string().contains("nothing came for 0.6 s"), "{error}");
    assert_eq!(place.shelf.begun(FILE), 700_000);
}

#[test]
fn a_server_that_lies_about_the_length_is_found_out() {
    let place = Place::new();
    let more = Server::start(|_, _| Answer { promised: Some(5_000_000), ..Answer::file(network()) });
    let error = place.fetch(&listed(&[&more], None)).unwrap_err();
    assert!(error.to_string().contains("broken off"), "{error}");
    place.shelf.remove(FILE).unwrap();
    // Fewer bytes than there are: the file is cut, and a cut file is no network.
    let less = Server::start(|_, _| Answer { promised: Some(2_000_000), ..Answer::file(network()) });
    let error = place.fetch(&listed(&[&less], None)).unwrap_err();
    assert!(matches!(error, FetchError::Unreadable { .. }), "{error}");
    let endless = Server::start(|_, _| Answer { promised: Some(1 << 60), ..Answer::file(network()) });
    let error = place.fetch(&listed(&[&endless], None)).unwrap_err();
    assert!(matches!(error, FetchError::Download(DownloadError::TooLarge { .. })), "{error}");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_page_in_the_place_of_the_file_is_no_network() {
    let server = Server::start(|_, _| Answer::file(b"<!doctype html><title>Sign in</title>".to_vec()));
    let place = Place::new();
    for sha256 in [None, Some(SHA256)] {
        let error = place.fetch(&listed(&[&server], sha256)).unwrap_err();
        assert!(matches!(error, FetchError::Unreadable { .. }), "{error}");
        assert!(error.hint().contains("a page"), "{}", error.hint());
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn where_one_address_fails_its_mirror_is_asked() {
    let gone = Server::start(|_, _| Answer { status: "404 Not Found", ..Answer::file(Vec::new()) });
    let page = Server::start(|_, _| Answer::file(b"<html></html>".to_vec()));
    let good = Server::start(|_, _| Answer::file(network()));
    let place = Place::new();
    place.fetch(&listed(&[&gone, &page, &good], Some(SHA256))).unwrap();
    assert_eq!(place.left(), [FILE]);
    assert_eq!((gone.ranges().len(), page.ranges().len(), good.ranges().len()), (1, 1, 1));
    let error = Place::new().fetch(&listed(&[&page, &gone], None)).unwrap_err();
    assert!(error.to_string().contains("404"), "{error}");
}

#[test]
fn the_first_fetch_is_remembered_and_a_later_difference_refused() {
    // The same network packed anew: a network all the same, with another checksum.
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(network().as_slice()).read_to_end(&mut plain).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&plain).unwrap();
    let other = packed.finish().unwrap();
    let server = Server::start(move |request, _| match request {
        0 => Answer::file(network()),
        _ => Answer { etag: "\"v2\"", ..Answer::file(other.clone()) },
    });
    let place = Place::new();
    let wanted = listed(&[&server], None);
    place.fetch(&wanted).unwrap();
    assert_eq!(place.left(), ["checksums.json", FILE]);
    place.shelf.remove(FILE).unwrap();
    match place.fetch(&wanted).unwrap_err() {
        FetchError::Checksum { expected, .. } => assert_eq!(expected, SHA256),
        error => panic!("{error}"),
    }
    assert_eq!(place.left(), ["checksums.json"]);
}

/// A list with this number, and its signature by `keys`.
fn signed_list(serial: u32, keys: &KeyPair) -> (Vec<u8>, Vec<u8>) {
    let list = serde_json::to_vec(&NetworkList { serial, ..NetworkList::own() }).unwrap();
    let signature = minisign::sign(None, &keys.sk, Cursor::new(&list), None, None).unwrap();
    (list, signature.to_string().into_bytes())
}

fn source(server: &Server, keys: &KeyPair) -> ListSource {
    let key = ListKey::from_base64(&keys.pk.to_base64()).unwrap();
    ListSource { address: server.address("list.json"), key }
}

#[test]
fn a_signed_list_replaces_the_one_in_the_program_and_an_older_one_does_not() {
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let lists = [signed_list(7, &keys), signed_list(7, &keys), signed_list(6, &keys)];
    // Each renewal asks for the list and for its signature.
    let server = Server::start(move |request, path| {
        let (list, signature) = &lists[(request / 2).min(2)];
        Answer::file(if path.ends_with(".minisig") { signature.clone() } else { list.clone() })
    });
    let data = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(data.path(), &data.path().join("networks"), Some(source(&server, &keys)));
    let stop = StopFlag::new();
    assert_eq!(shelf.list().unwrap().serial, NetworkList::own().serial);
    assert_eq!(shelf.renew(&stop).unwrap().map(|list| list.serial), Some(7));
    assert_eq!(shelf.list().unwrap().serial, 7);
    assert_eq!(shelf.renew(&stop).unwrap(), None, "there is no newer one");
    assert!(matches!(shelf.renew(&stop), Err(ListError::Older { found: 6, current: 7 })));
    assert_eq!(shelf.list().unwrap().serial, 7);
}

#[test]
fn a_forged_list_changes_nothing() {
    let (keys, others) =
        (KeyPair::generate_unencrypted_keypair().unwrap(), KeyPair::generate_unencrypted_keypair().unwrap());
    let (list, signature) = signed_list(9, &keys);
    let (_, foreign) = signed_list(9, &others);
    let changed =
        String::from_utf8(list.clone()).unwrap().replace("example", "exampel").replace("MIT", "TIM").into_bytes();
    let page = b"<html>sign in</html>".to_vec();
    let cut = signature[..signature.len() / 2].to_vec();
    for (what, list, signature) in [
        ("somebody else's signature", &list, &foreign),
        ("a changed list", &changed, &signature),
        ("a page for a signature", &list, &page),
        ("a cut signature", &list, &cut),
        ("a page for a list", &page, &signature),
    ] {
        let (list, signature) = (list.clone(), signature.clone());
        let server = Server::start(move |_, path| {
            Answer::file(if path.ends_with(".minisig") { signature.clone() } else { list.clone() })
        });
        let data = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(data.path(), &data.path().join("networks"), Some(source(&server, &keys)));
        assert!(matches!(shelf.renew(&StopFlag::new()), Err(ListError::Signature(_))), "{what}");
        assert_eq!(shelf.list().unwrap(), NetworkList::own(), "{what}");
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0, "{what}");
    }
}

#[test]
fn a_list_that_was_changed_on_the_disk_does_not_count() {
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let (list, signature) = signed_list(9, &keys);
    let server = Server::start(move |_, path| {
        Answer::file(if path.ends_with(".minisig") { signature.clone() } else { list.clone() })
    });
    let data = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(data.path(), &data.path().join("networks"), Some(source(&server, &keys)));
    shelf.renew(&StopFlag::new()).unwrap();
    let kept = data.path().join("network-list.json");
    fs::write(&kept, fs::read_to_string(&kept).unwrap().replace("https://katago", "https://evil")).unwrap();
    assert_eq!(shelf.list().unwrap(), NetworkList::own());
}

#[test]
fn without_a_key_nothing_is_renewed() {
    let place = Place::new();
    assert!(!place.shelf.can_renew());
    assert_eq!(place.shelf.renew(&StopFlag::new()).unwrap(), None);
}
