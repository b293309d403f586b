//! `honinbo update`, from this version to the next, by a server on this machine.

use crate::support::Honinbo;
use crate::web::{Answer, Server};
use minisign::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::Cursor;

const FILE: &str = "honinbo_9.0.0.deb";

fn package() -> Vec<u8> {
    (0..200_000_u32).flat_map(u32::to_le_bytes).collect()
}

fn release(serial: u32, version: &str, packages: &Server) -> Value {
    let sha256: String = Sha256::digest(package()).iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "serial": serial, "version": version, "date": "2027-01-02", "page": "https://example.org/releases",
        "notes": { "en": "- Boards are *round*.\u{1b}[31m", "ja": "- 盤は丸い。" },
        "packages": [{
            "kind": "deb", "processor": "universal", "file": FILE, "bytes": package().len(), "sha256": sha256,
            "addresses": [packages.address(FILE)],
        }],
    })
}

/// The maintainers, who sign releases; and a program that knows them.
struct Maintainers(KeyPair);

impl Maintainers {
    fn new() -> Self {
        Self(KeyPair::generate_unencrypted_keypair().unwrap())
    }

    fn publish(&self, release: &Value) -> Server {
        let text = serde_json::to_vec(release).unwrap();
        let signature = minisign::sign(None, &self.0.sk, Cursor::new(&text), None, None).unwrap().to_string();
        serve(text, signature.into_bytes())
    }

    fn honinbo(&self, server: &Server) -> Honinbo {
        let honinbo = Honinbo::new().with("HONINBO_RELEASE_ADDRESS", server.address("release.json"));
        honinbo.with("HONINBO_LIST_KEY", self.0.pk.to_base64())
    }
}

fn serve(text: Vec<u8>, signature: Vec<u8>) -> Server {
    Server::start(move |_, path| {
        Answer::file(if path.ends_with(".minisig") { signature.clone() } else { text.clone() })
    })
}

fn left(honinbo: &Honinbo) -> Vec<String> {
    let entries = fs::read_dir(honinbo.data.path().join("updates")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A program that is built for a release asks its own address.
fn knows_its_own_maintainers() -> bool {
    let built_in = honinbo_shelf::ListSource::releases().is_some();
    if built_in {
        honinbo_testkit::fixtures::skip("this program was built with an address of newer versions");
    }
    built_in
}

#[test]
fn a_newer_version_is_told_and_fetched() {
    if knows_its_own_maintainers() {
        return;
    }
    let maintainers = Maintainers::new();
    let packages = Server::start(|_, _| Answer::file(package()));
    let honinbo = maintainers.honinbo(&maintainers.publish(&release(3, "9.0.0", &packages)));
    let look = honinbo.run(&["update", "--check"]);
    assert_eq!(look.status, 0, "{look:?}");
    assert!(look.stdout.starts_with("Honinbo 9.0.0 of 2027-01-02 is out\n- Boards are *round*.[31m\n"), "{look:?}");
    assert!(look.stdout.contains("https://example.org/releases"), "{look:?}");
    assert!(packages.ranges().is_empty(), "a look fetches nothing");

    let done = honinbo.run(&["update", "--package", "deb"]);
    let path = honinbo.data.path().join("updates").join(FILE);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains(&format!("sudo apt install \"{}\"", path.display())), "{done:?}");
    assert_eq!(fs::read(&path).unwrap(), package());
    // What is here is checked and not fetched again.
    let again = honinbo.run(&["update", "--package", "deb", "--json"]).json();
    assert_eq!(again["newest"]["version"], "9.0.0");
    assert_eq!(again["package"]["path"], path.display().to_string());
    assert_eq!(packages.ranges().len(), 1);

    assert!(honinbo.run(&["update", "--package", "dmg"]).failure().contains("no such package"));
    assert_eq!(honinbo.run(&["update", "--check", "--package", "deb"]).status, 2);
}

#[test]
fn the_newest_version_says_so() {
    if knows_its_own_maintainers() {
        return;
    }
    let maintainers = Maintainers::new();
    let packages = Server::start(|_, _| Answer::file(package()));
    let honinbo = maintainers.honinbo(&maintainers.publish(&release(3, env!("CARGO_PKG_VERSION"), &packages)));
    let look = honinbo.run(&["update"]);
    assert_eq!((look.status, look.stdout.contains("is the newest version")), (0, true), "{look:?}");
    assert_eq!(honinbo.run(&["update", "--json"]).json()["newest"], Value::Null);
}

#[test]
fn what_is_forged_or_broken_is_refused() {
    if knows_its_own_maintainers() {
        return;
    }
    let maintainers = Maintainers::new();
    let others = Maintainers::new();
    let mut forged = package();
    forged[1000] ^= 1;
    let packages = Server::start(move |_, _| Answer::file(forged.clone()));
    let newest = release(3, "9.0.0", &packages);

    let foreign = maintainers.honinbo(&others.publish(&newest)).run(&["update", "--check"]);
    assert!(foreign.failure().contains("not signed by its maintainers") && foreign.stdout.is_empty(), "{foreign:?}");
    let page = maintainers.honinbo(&serve(b"<html>sign in</html>".to_vec(), b"<html>".to_vec())).run(&["update"]);
    assert!(page.failure().contains("not signed by its maintainers"), "{page:?}");

    let honinbo = maintainers.honinbo(&maintainers.publish(&newest));
    let fetched = honinbo.run(&["update", "--package", "deb"]);
    assert!(fetched.failure().contains("SHA-256"), "{fetched:?}");
    assert_eq!(left(&honinbo), ["release.json", "release.minisig"], "nothing that was not signed");
}

#[test]
fn without_address_and_key_nobody_is_asked() {
    if knows_its_own_maintainers() {
        return;
    }
    let maintainers = Maintainers::new();
    let server = Server::start(|_, _| Answer::file(Vec::new()));
    let address = server.address("release.json");
    for honinbo in [
        Honinbo::new(),
        Honinbo::new().with("HONINBO_RELEASE_ADDRESS", &address),
        Honinbo::new().with("HONINBO_LIST_KEY", maintainers.0.pk.to_base64()),
    ] {
        assert!(honinbo.run(&["update"]).failure().contains("without an address"));
    }
    let wrong = Honinbo::new().with("HONINBO_RELEASE_ADDRESS", &address).with("HONINBO_LIST_KEY", "no key");
    assert_eq!(wrong.run(&["update", "--check"]).status, 1);
    assert!(server.ranges().is_empty());
}
