//! OpenID Connect providers: a made-up one that does what a real one never does, and the certified one of npm.

use crate::fixtures::{repository, skip};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What this server is called at both providers, and how it proves that.
pub const CLIENT_ID: &str = "honinbo";
/// See [`CLIENT_ID`]. It has what a form writes otherwise.
pub const CLIENT_SECRET: &str = "a secret: of the tests";

/// The addresses of the made-up provider.
pub const DESCRIPTION: &str = "/.well-known/openid-configuration";
/// See [`DESCRIPTION`].
pub const KEYS: &str = "/keys";
/// See [`DESCRIPTION`].
pub const TOKEN: &str = "/token";
/// See [`DESCRIPTION`].
pub const USERINFO: &str = "/userinfo";

/// What is answered at an address in the place of what belongs there.
#[derive(Debug, Clone)]
pub enum Instead {
    /// This status line, these headers and this body.
    Say(&'static str, String, String),
    /// More than anybody wants to read.
    Huge,
    /// Nothing, and no end.
    Nothing,
}

/// How the made-up provider answers. Whatever is not changed is right.
pub struct Manner {
    /// Instead of what belongs at an address.
    pub instead: HashMap<&'static str, Instead>,
    /// Fields of the description.
    pub description: Map<String, Value>,
    /// Claims of ID tokens; `null` takes one out.
    pub claims: Map<String, Value>,
    /// The header of ID tokens.
    pub header: Map<String, Value>,
    /// ID tokens without a signature.
    pub unsigned: bool,
    /// What is said at [`USERINFO`].
    pub userinfo: Value,
    /// Sign with this key of those that were made.
    pub key: usize,
    /// Show these keys.
    pub shown: Vec<usize>,
    keys: Vec<EcdsaKeyPair>,
    codes: HashMap<String, Asked>,
    codes_made: usize,
    tokens_made: usize,
    paths: Vec<String>,
}

/// What a browser was sent here with.
#[derive(Debug, Clone)]
struct Asked {
    subject: String,
    nonce: String,
    challenge: String,
    redirect: String,
}

/// What a browser brings back.
#[derive(Debug, Clone)]
pub struct Returned {
    /// The code.
    pub code: String,
    /// The state that it was sent away with.
    pub state: String,
}

impl Manner {
    fn new() -> Self {
        let mut manner = Self {
            instead: HashMap::new(),
            description: Map::new(),
            claims: Map::new(),
            header: Map::new(),
            unsigned: false,
            userinfo: Value::Null,
            key: 0,
            shown: vec![0],
            keys: Vec::new(),
            codes: HashMap::new(),
            codes_made: 0,
            tokens_made: 0,
            paths: Vec::new(),
        };
        manner.make_key();
        manner
    }

    /// Makes another key; answers its number. It is neither used nor shown by itself.
    ///
    /// # Panics
    /// Without random numbers.
    pub fn make_key(&mut self) -> usize {
        let random = SystemRandom::new();
        let way = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(way, &random).expect("random numbers");
        self.keys.push(EcdsaKeyPair::from_pkcs8(way, document.as_ref(), &random).expect("a key"));
        self.keys.len() - 1
    }

    /// How often an address was asked.
    #[must_use]
    pub fn asked(&self, path: &str) -> usize {
        self.paths.iter().filter(|one| *one == path).count()
    }

    fn shown_key(&self, number: usize) -> Value {
        let point = self.keys[number].public_key().as_ref();
        let (x, y) = (encoded(&point[1..33]), encoded(&point[33..]));
        json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": format!("key {number}"), "x": x, "y": y })
    }

    fn id_token(&self, issuer: &str, asked: &Asked) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut claims = json!({
            "iss": issuer, "aud": CLIENT_ID, "sub": asked.subject, "nonce": asked.nonce, "iat": now, "exp": now + 300,
        });
        for (name, value) in &self.claims {
            claims[name.as_str()] = value.clone();
        }
        self.signed(claims)
    }

    /// A token that tells that a person's session, or all of them, have ended; `changes` are its claims that are not right,
    /// and `null` takes one out.
    ///
    /// # Panics
    /// Without random numbers.
    #[must_use]
    pub fn logout_token(&mut self, issuer: &str, subject: &str, changes: &Value) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.tokens_made += 1;
        let mut claims = json!({
            "iss": issuer, "aud": CLIENT_ID, "sub": subject, "iat": now, "exp": now + 120,
            "jti": format!("token {}", self.tokens_made),
            "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
        });
        for (name, value) in changes.as_object().into_iter().flatten() {
            claims[name.as_str()] = value.clone();
        }
        self.signed(claims)
    }

    /// A token with these claims, but those that are `null`.
    fn signed(&self, mut claims: Value) -> String {
        if let Value::Object(claims) = &mut claims {
            claims.retain(|_, value| !value.is_null());
        }
        let mut header = json!({ "alg": "ES256", "kid": format!("key {}", self.key) });
        for (name, value) in &self.header {
            header[name.as_str()] = value.clone();
        }
        let message = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
        if self.unsigned {
            return format!("{message}.");
        }
        let signature = self.keys[self.key].sign(&SystemRandom::new(), message.as_bytes()).expect("random numbers");
        format!("{message}.{}", encoded(signature))
    }
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The fields of a query or of a form.
#[must_use]
pub fn fields(text: &str) -> HashMap<String, String> {
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A provider made for the tests: it checks what it is asked with as a real one does, and answers as it is told to.
pub struct MadeUpProvider {
    issuer: String,
    manner: Arc<Mutex<Manner>>,
    ended: Arc<AtomicBool>,
}

impl MadeUpProvider {
    /// One on a free port of this machine.
    ///
    /// # Panics
    /// When this machine has none.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        let issuer = format!("http://{}", listener.local_addr().expect("it has an address"));
        let manner = Arc::new(Mutex::new(Manner::new()));
        let ended = Arc::new(AtomicBool::new(false));
        let (of_all, name, over) = (Arc::clone(&manner), issuer.clone(), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let (manner, issuer, over) = (Arc::clone(&of_all), name.clone(), Arc::clone(&over));
                std::thread::spawn(move || serve(&stream, &manner, &issuer, &over));
            }
        });
        Self { issuer, manner, ended }
    }

    /// Its name, which is its address.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// How it answers from now on.
    pub fn manner(&self) -> MutexGuard<'_, Manner> {
        lock(&self.manner)
    }

    /// Somebody logs in here whose browser was sent to this address, and goes back with what this answers.
    ///
    /// # Panics
    /// When the address does not ask as it should.
    #[must_use]
    pub fn log_in(&self, address: &str, subject: &str) -> Returned {
        let query = address.strip_prefix(&format!("{}/authorize?", self.issuer)).expect("its own address");
        let asked = fields(query);
        let field = |name: &str| asked.get(name).unwrap_or_else(|| panic!("no {name} in {address}")).clone();
        assert_eq!((field("response_type"), field("client_id")), ("code".to_owned(), CLIENT_ID.to_owned()));
        assert_eq!(field("code_challenge_method"), "S256");
        assert!(field("scope").split(' ').any(|scope| scope == "openid"), "{address}");
        let mut manner = self.manner();
        manner.codes_made += 1;
        let code = format!("code {}", manner.codes_made);
        let asked = Asked {
            subject: subject.to_owned(),
            nonce: field("nonce"),
            challenge: field("code_challenge"),
            redirect: field("redirect_uri"),
        };
        manner.codes.insert(code.clone(), asked);
        Returned { code, state: field("state") }
    }
}

impl Drop for MadeUpProvider {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.issuer.trim_start_matches("http://")); // Wakes the thread that listens.
    }
}

fn lock(manner: &Mutex<Manner>) -> MutexGuard<'_, Manner> {
    manner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(mut stream: &TcpStream, manner: &Mutex<Manner>, issuer: &str, ended: &AtomicBool) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut said = {
        let mut manner = lock(manner);
        manner.paths.push(path.clone());
        manner.instead.get(path.as_str()).cloned()
    };
    let instead = said.take().unwrap_or_else(|| belongs(&mut lock(manner), issuer, &path, &head, &body));
    let (status, headers, body) = match instead {
        Instead::Say(status, headers, body) => (status, headers, body),
        Instead::Huge => ("200 OK", String::new(), format!("{{\"keys\":\"{}\"}}", "x".repeat(2 << 20))),
        Instead::Nothing => {
            while !ended.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
            }
            return;
        }
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()); // Whoever asked may have seen enough.
}

fn belongs(manner: &mut Manner, issuer: &str, path: &str, head: &str, body: &[u8]) -> Instead {
    let ok = |body: Value| Instead::Say("200 OK", String::new(), body.to_string());
    match path {
        DESCRIPTION => {
            let mut description = json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}{TOKEN}"),
                "jwks_uri": format!("{issuer}{KEYS}"),
                "userinfo_endpoint": format!("{issuer}{USERINFO}"),
            });
            for (name, value) in &manner.description {
                description[name.as_str()] = value.clone();
            }
            ok(description)
        }
        KEYS => {
            let mut keys: Vec<Value> = manner.shown.iter().map(|&number| manner.shown_key(number)).collect();
            keys.push(json!({ "kty": "of the future", "kid": "x" }));
            ok(json!({ "keys": keys }))
        }
        TOKEN => match token(manner, issuer, head, &String::from_utf8_lossy(body)) {
            Ok(answer) => ok(answer),
            Err(error) => {
                let body = json!({ "error": error, "error_description": "as the test wants it" }).to_string();
                Instead::Say("400 Bad Request", String::new(), body)
            }
        },
        USERINFO if manner.userinfo.is_object() => ok(manner.userinfo.clone()),
        _ => Instead::Say("404 Not Found", String::new(), "{}".into()),
    }
}

/// As RFC 6749 and RFC 7636 have it: a code is good once, for who asked for it.
fn token(manner: &mut Manner, issuer: &str, head: &str, body: &str) -> Result<Value, &'static str> {
    let form = fields(body);
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    let basic = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": Basic ")?;
        let both = base64::engine::general_purpose::STANDARD.decode(value.trim()).ok()?;
        name.eq_ignore_ascii_case("authorization").then(|| String::from_utf8_lossy(&both).into_owned())
    });
    let known = match basic {
        Some(both) => both.split_once(':').is_some_and(|(client, secret)| {
            (decoded(client), decoded(secret)) == (CLIENT_ID.to_owned(), CLIENT_SECRET.to_owned())
        }),
        None => (field("client_id"), field("client_secret")) == (CLIENT_ID, CLIENT_SECRET),
    };
    if !known {
        return Err("invalid_client");
    }
    let asked = manner.codes.remove(field("code")).ok_or("invalid_grant")?;
    let challenge = encoded(digest::digest(&digest::SHA256, field("code_verifier").as_bytes()));
    if field("grant_type") != "authorization_code"
        || field("redirect_uri") != asked.redirect
        || challenge != asked.challenge
    {
        return Err("invalid_grant");
    }
    Ok(json!({
        "token_type": "Bearer", "access_token": "for userinfo", "id_token": manner.id_token(issuer, &asked),
    }))
}

/// The provider `oidc-provider` of npm, which is certified by the OpenID Foundation. Ended when it is dropped.
pub struct CertifiedProvider {
    child: Child,
    input: Option<ChildStdin>,
    /// Kept open: it ends where nobody could read what it says.
    _output: BufReader<ChildStdout>,
    issuer: String,
}

impl CertifiedProvider {
    /// One on a free port of this machine, where anybody logs in with any name and password, and that signs as `RS256`,
    /// `PS256` or `EdDSA` says. `None`, and the test counts as skipped, where it is not installed.
    ///
    /// # Panics
    /// When it does not begin to serve.
    #[must_use]
    pub fn start(algorithm: &str) -> Option<Self> {
        let folder = repository().join(".cache/clients/oidc");
        if !folder.join("installed").is_file() {
            skip("the OpenID Connect provider is not there; scripts/clients gets it");
            return None;
        }
        let mut child = Command::new("node")
            .arg(repository().join("tests/protocol/clients/oidc_provider.mjs"))
            .args([folder.as_os_str(), CLIENT_ID.as_ref(), CLIENT_SECRET.as_ref(), algorithm.as_ref()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node");
        let mut issuer = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut issuer).expect("its address");
        assert!(issuer.starts_with("http://"), "it did not begin: {issuer}");
        let input = child.stdin.take();
        Some(Self { child, input, _output: output, issuer: issuer.trim().to_owned() })
    }

    /// Its name, which is its address.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Lets it send browsers back to this address.
    ///
    /// # Panics
    /// When it has ended.
    pub fn allow(&mut self, redirect: &str) {
        let input = self.input.as_mut().expect("its input");
        writeln!(input, "{redirect}").expect("it runs");
    }

    /// Has it report there sessions that have ended.
    ///
    /// # Panics
    /// When it has ended.
    pub fn report_to(&mut self, address: &str) {
        self.allow(&format!("tell {address}"));
    }
}

impl Drop for CertifiedProvider {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
