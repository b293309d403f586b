//! The encrypted address of `honinbo serve`, spoken to by a client that trusts one certificate alone.

use crate::support::Honinbo;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{Message, client};

type Encrypted = StreamOwned<ClientConnection, TcpStream>;

/// Writes a certificate for this machine that somebody made for themselves, and its key.
fn make_certificate(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    made.cert.der().clone()
}

/// A connection of somebody who trusts this certificate and no other; `None` where another one is shown.
fn connect(address: &str, trusted: &CertificateDer<'static>) -> Option<Encrypted> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).ok()?;
    }
    Some(StreamOwned::new(connection, stream))
}

fn ask(mut stream: Encrypted, method: &str, path: &str) -> String {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // Who closes without a last word of TLS has said everything all the same.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn an_encrypted_server_is_spoken_to_by_who_trusts_it_and_takes_a_renewed_certificate() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let first = make_certificate(folder.path());
    let [certificate, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name).display().to_string());
    let service = honinbo.serve(&["--rooms", "--guests", "--tls-cert", &certificate, "--tls-key", &key]);
    let address = service.url.strip_prefix("https://").expect("an encrypted address").split('/').next().unwrap();

    assert!(ask(connect(address, &first).unwrap(), "GET", "/api/health").contains(r#"{"status":"ok"}"#));
    let answer = ask(connect(address, &first).unwrap(), "POST", "/api/guest");
    let guest: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let token = guest["token"].as_str().unwrap();
    // Nothing is said to who speaks unencrypted, and another certificate is not taken for this one.
    let mut plain = TcpStream::connect(address).unwrap();
    plain.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    plain.write_all(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut said = Vec::new();
    let _ = plain.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains("ok"), "{said:?}");
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(connect(address, &make_certificate(elsewhere.path())).is_none());

    // A room over the encrypted address.
    let open = connect(address, &first).unwrap();
    let (mut room, _) = client(format!("wss://localhost/ws/ai_easy?token={token}"), open).unwrap();
    let mut heard = || loop {
        if let Message::Text(text) = room.read().unwrap() {
            return serde_json::from_str::<Value>(&text).unwrap();
        }
    };
    assert_eq!(heard()["type"], "game_start");

    // The certificate is renewed: the next connection sees the new one, and who was there stays.
    let second = make_certificate(folder.path());
    let begun = Instant::now();
    while connect(address, &second).is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the renewed certificate is not used");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(connect(address, &first).is_none());
    room.send(Message::text(json!({ "type": "sync", "id": 1 }).to_string())).unwrap();
    let still = loop {
        if let Message::Text(text) = room.read().unwrap() {
            break serde_json::from_str::<Value>(&text).unwrap();
        }
    };
    assert_eq!(still["type"], "game_start");
    assert_eq!(service.end(), 0);
}
