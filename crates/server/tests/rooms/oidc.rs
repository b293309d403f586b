//! Logging in by an OpenID Connect provider: a certified one, and one that is made for what a real one never does.

use crate::club::{Club, OPEN, Quick};
use honinbo_oidc::{Secret, Settings};
use honinbo_server::{AccountPolicy, OidcOptions, Registration};
use honinbo_testkit::oidc_providers::{
    CLIENT_ID, CLIENT_SECRET, CertifiedProvider, DESCRIPTION, Instead, MadeUpProvider, Returned, TOKEN, fields,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

fn options(issuer: &str) -> OidcOptions {
    let mut provider = Settings::new(issuer.parse().unwrap(), CLIENT_ID.into());
    provider.client_secret = Secret::new(CLIENT_SECRET);
    provider.patience = Duration::from_secs(60);
    let name = "School".to_owned();
    OidcOptions { provider, name, address: None, new_people: None, domains: Vec::new(), operator: None }
}

async fn open(folder: &Path, accounts: AccountPolicy, provider: OidcOptions) -> Club {
    Club::open_all(folder, accounts, Arc::new(Quick), None, Some(provider)).await
}

/// Somebody's browser: it keeps cookies, and shows pages of this server and of the provider's.
#[derive(Default)]
struct Browser {
    cookies: HashMap<String, HashMap<String, String>>,
}

struct Page {
    status: u16,
    location: Option<String>,
    head: String,
    body: String,
}

impl Page {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    fn error(&self) -> Value {
        self.json()["error"]["kind"].clone()
    }
}

impl Browser {
    async fn ask(&mut self, method: &str, address: &str, token: Option<&str>, form: bool, body: &str) -> Page {
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let jar = self.cookies.entry(host.to_owned()).or_default();
        let cookies = jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
        let cookies = if cookies.is_empty() { cookies } else { format!("Cookie: {cookies}\r\n") };
        let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let kind = if form { "application/x-www-form-urlencoded" } else { "application/json" };
        let request = format!(
            "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{cookies}{token}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        tokio::time::timeout(crate::club::PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let headers: Vec<(String, &str)> = head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value))
            .collect();
        for (_, value) in headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (name, value) = value.split(';').next().unwrap().split_once('=').unwrap();
            jar.insert(name.to_owned(), value.to_owned());
        }
        let location = headers.iter().find(|(name, _)| name == "location").map(|(_, value)| (*value).to_owned());
        Page {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            location,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    async fn post(&mut self, club: &Club, path: &str, token: Option<&str>, body: Value) -> Page {
        self.ask("POST", &format!("http://{}{path}", club.address), token, false, &body.to_string()).await
    }

    /// Presses the button; answers where the browser is sent.
    async fn begin(&mut self, club: &Club) -> String {
        let page = self.post(club, "/api/oidc/begin", None, json!({})).await;
        assert_eq!(page.status, 200, "{}", page.body);
        page.json()["url"].as_str().unwrap().to_owned()
    }

    /// Comes back with what the provider gave.
    async fn come_back(&mut self, club: &Club, returned: &Returned) -> Page {
        let code = returned.code.replace(' ', "+");
        let address = format!("http://{}/api/oidc/callback?code={code}&state={}", club.address, returned.state);
        self.ask("GET", &address, None, false, "").await
    }

    async fn enter(&mut self, club: &Club, body: Value) -> Page {
        self.post(club, "/api/oidc/enter", None, body).await
    }

    /// What the provider itself sends.
    async fn report(&mut self, club: &Club, token: &str) -> Page {
        let address = format!("http://{}/api/oidc/backchannel-logout", club.address);
        self.ask("POST", &address, None, true, &format!("logout_token={token}")).await
    }

    /// The whole way through the made-up provider.
    async fn log_in(&mut self, club: &Club, provider: &MadeUpProvider, subject: &str) -> Page {
        let address = self.begin(club).await;
        let back = self.come_back(club, &provider.log_in(&address, subject)).await;
        assert_eq!((back.status, back.location.as_deref()), (303, Some("/#/rooms/sign-in")), "{}", back.body);
        self.enter(club, json!({})).await
    }

    /// The whole way from the address of the certified provider to where it sends the browser back to.
    async fn through(&mut self, mut address: String, login: &str) -> String {
        let provider = address.split('/').take(3).collect::<Vec<_>>().join("/");
        for _ in 0..20 {
            let mut page = self.ask("GET", &address, None, false, "").await;
            if page.status == 200 {
                let action = page.body.split("action=\"").nth(1).and_then(|rest| rest.split('"').next());
                let action = action.unwrap_or_else(|| panic!("no form: {}", page.body)).to_owned();
                let asks_for_name = page.body.contains("name=\"login\"");
                let form = if asks_for_name {
                    format!("prompt=login&login={login}&password=x")
                } else {
                    "prompt=consent".to_owned()
                };
                page = self.ask("POST", &absolute(&provider, &action), None, true, &form).await;
            }
            let location = page.location.unwrap_or_else(|| panic!("{}: {}", page.status, page.body));
            address = absolute(&provider, &location);
            if !address.starts_with(&provider) {
                return address;
            }
        }
        panic!("the provider goes in circles: {address}");
    }
}

fn absolute(provider: &str, address: &str) -> String {
    if address.starts_with('/') { format!("{provider}{address}") } else { address.to_owned() }
}

fn token(page: &Page) -> String {
    assert_eq!(page.status, 200, "{}", page.body);
    page.json()["token"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_logs_in_by_a_certified_provider() {
    let Some(mut provider) = CertifiedProvider::start("RS256") else { return };
    let folder = tempfile::tempdir().unwrap();
    let domains = vec!["school.example".to_owned()];
    let operator = Some(("groups".to_owned(), "go-operators".to_owned()));
    let club = open(folder.path(), OPEN, OidcOptions { domains, operator, ..options(provider.issuer()) }).await;
    provider.allow(&format!("http://{}/api/oidc/callback", club.address));
    assert_eq!(club.get("/api/server", None).await.1["provider"], "School");
    for (login, operates) in [("anna", false), ("teacher", true)] {
        let mut browser = Browser::default();
        let address = browser.begin(&club).await;
        let back = browser.through(address, login).await;
        assert!(back.contains("&iss=") || back.contains("?iss="), "it says whose answer it is: {back}");
        let page = browser.ask("GET", &back, None, false, "").await;
        assert_eq!(page.location.as_deref(), Some("/#/rooms/sign-in"), "{}", page.body);
        let entered = browser.enter(&club, json!({})).await;
        let token = token(&entered);
        assert_eq!(entered.json()["username"], login);
        let (_, me) = club.get("/api/me", Some(&token)).await;
        assert_eq!(me, json!({ "username": login, "guest": false, "operator": operates }));
        let status = club.get("/api/operator", Some(&token)).await.0;
        assert_eq!(status, if operates { 200 } else { 401 });
        // The answer cannot be used again.
        browser.ask("GET", &back, None, false, "").await;
        assert_eq!(browser.enter(&club, json!({})).await.error(), "sign_in_gone");
        // The provider still knows the browser, and it is the same person.
        let address = browser.begin(&club).await;
        let back = browser.through(address, "nobody").await;
        browser.ask("GET", &back, None, false, "").await;
        assert_eq!(browser.enter(&club, json!({})).await.json()["username"], login);
        assert_eq!(club.post("/api/logout", Some(&token), json!({})).await.0, 204);
        assert_eq!(club.get("/api/me", Some(&token)).await.0, 401);
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certified_provider_may_sign_in_other_ways() {
    for algorithm in ["PS256", "EdDSA"] {
        let Some(mut provider) = CertifiedProvider::start(algorithm) else { return };
        let folder = tempfile::tempdir().unwrap();
        let club = open(folder.path(), OPEN, options(provider.issuer())).await;
        provider.allow(&format!("http://{}/api/oidc/callback", club.address));
        let mut browser = Browser::default();
        let address = browser.begin(&club).await;
        let back = browser.through(address, "anna").await;
        browser.ask("GET", &back, None, false, "").await;
        assert_eq!(browser.enter(&club, json!({})).await.json()["username"], "anna", "{algorithm}");
        club.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_issuer_and_subject_and_nothing_else() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    club.register("anna").await;
    provider.manner().claims.insert("preferred_username".into(), json!("Anna"));
    let first = Browser::default().log_in(&club, &provider, "7").await;
    assert_eq!(first.json()["username"], "Anna 2", "the name is taken, and the account is not hers: {}", first.body);
    let second = Browser::default().log_in(&club, &provider, "8").await;
    assert_eq!(second.json()["username"], "Anna 3");
    provider.manner().claims.insert("preferred_username".into(), json!("Beatrice"));
    let again = Browser::default().log_in(&club, &provider, "7").await;
    assert_eq!(again.json()["username"], "Anna 2", "whatever the provider calls her now");
    // It has no password that anybody could guess, and is deleted without one.
    let wrong = json!({ "username": "Anna 2", "password": "" });
    assert_eq!(club.post("/api/login", None, wrong).await.0, 401);
    assert_eq!(club.post("/api/delete-account", Some(&token(&again)), json!({})).await.0, 204);
    let new = Browser::default().log_in(&club, &provider, "7").await;
    assert_eq!(new.json()["username"], "Beatrice");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_belongs_to_its_browser_and_is_good_once() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    let (mut anna, mut evil) = (Browser::default(), Browser::default());
    let begun = anna.post(&club, "/api/oidc/begin", None, json!({})).await;
    let head = begun.head.to_ascii_lowercase();
    for wanted in ["httponly", "samesite=lax", "path=/api/oidc", "max-age=600", "cache-control: no-store"] {
        assert!(head.contains(wanted), "{wanted}: {head}");
    }
    let address = begun.json()["url"].as_str().unwrap().to_owned();
    let asked = fields(address.split_once('?').unwrap().1);
    assert_eq!(asked["redirect_uri"], format!("http://{}/api/oidc/callback", club.address));
    let returned = provider.log_in(&address, "7");
    // Another browser, without a log-in and with one of its own, brings what Anna's should.
    assert_eq!(evil.come_back(&club, &returned).await.status, 303);
    assert_eq!(evil.enter(&club, json!({})).await.error(), "sign_in_gone");
    evil.begin(&club).await;
    evil.come_back(&club, &returned).await;
    assert_eq!(evil.enter(&club, json!({})).await.error(), "sign_in_gone");
    // Another state changes nothing.
    let other = Returned { state: "x".repeat(returned.state.len()), ..returned.clone() };
    anna.come_back(&club, &other).await;
    assert_eq!(anna.enter(&club, json!({})).await.error(), "sign_in_gone");
    anna.come_back(&club, &returned).await;
    // Twice, as when somebody goes back in the browser.
    anna.come_back(&club, &returned).await;
    token(&anna.enter(&club, json!({})).await);
    assert_eq!(anna.enter(&club, json!({})).await.error(), "sign_in_gone");
    anna.come_back(&club, &returned).await;
    assert_eq!(anna.enter(&club, json!({})).await.error(), "sign_in_gone");
    // A code that was used elsewhere is refused by the provider, and said to be.
    let address = evil.begin(&club).await;
    let state = fields(address.split_once('?').unwrap().1)["state"].clone();
    evil.come_back(&club, &Returned { state, ..returned }).await;
    let refused = evil.enter(&club, json!({})).await;
    assert_eq!((refused.status, refused.error()), (502, json!("provider_refused")));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_anywhere_else() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    for page in ["https://evil.example", "//evil.example", "/\\evil.example", "#/roomsx", "javascript:alert(1)", "/"] {
        let asked = Browser::default().post(&club, "/api/oidc/begin", None, json!({ "return_to": page })).await;
        assert_eq!((asked.status, asked.error()), (400, json!("malformed")), "{page}");
    }
    let mut browser = Browser::default();
    let wanted = json!({ "return_to": "#/rooms/room/12345678" });
    let address = browser.post(&club, "/api/oidc/begin", None, wanted).await.json()["url"].as_str().unwrap().to_owned();
    browser.come_back(&club, &provider.log_in(&address, "7")).await;
    assert_eq!(browser.enter(&club, json!({})).await.json()["return_to"], "#/rooms/room/12345678");
    // Whatever a stranger puts into the address.
    for query in
        ["", "?error=access_denied", "?state=x&code=y&iss=https://evil.example", "?redirect=https://evil.example"]
    {
        let back =
            browser.ask("GET", &format!("http://{}/api/oidc/callback{query}", club.address), None, false, "").await;
        assert_eq!(back.location.as_deref(), Some("/#/rooms/sign-in"), "{query}");
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_said_in_words_of_ours() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    provider.manner().claims.insert("nonce".into(), json!("another"));
    let refused = Browser::default().log_in(&club, &provider, "7").await;
    assert_eq!((refused.status, refused.error()), (502, json!("provider_refused")));
    let secret = r#"{"error":"invalid_client","error_description":"internal words"}"#.to_owned();
    provider.manner().instead.insert(TOKEN, Instead::Say("401 Unauthorized", String::new(), secret));
    let refused = Browser::default().log_in(&club, &provider, "7").await;
    assert_eq!(refused.error(), "provider_refused");
    assert!(!refused.body.contains("internal words"), "{}", refused.body);
    let mut browser = Browser::default();
    let address = browser.begin(&club).await;
    let state = fields(address.split_once('?').unwrap().1)["state"].clone();
    let denied = format!("http://{}/api/oidc/callback?error=access_denied&state={state}", club.address);
    browser.ask("GET", &denied, None, false, "").await;
    let denied = browser.enter(&club, json!({})).await;
    assert_eq!((denied.status, denied.error()), (403, json!("provider_denied")));
    club.close().await;

    let silent = MadeUpProvider::start();
    silent.manner().instead.insert(DESCRIPTION, Instead::Nothing);
    let mut hasty = options(silent.issuer());
    hasty.provider.patience = Duration::from_millis(200);
    let other = tempfile::tempdir().unwrap();
    let club = open(other.path(), OPEN, hasty).await;
    let page = Browser::default().post(&club, "/api/oidc/begin", None, json!({})).await;
    assert_eq!((page.status, page.error()), (502, json!("provider_unreachable")));
    // Everything else goes on.
    club.register("ben").await;
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_takes_an_invitation_and_an_address_of_the_school() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let policy = AccountPolicy { registration: Registration::Invitation, guests: false };
    let domains = vec!["school.example".to_owned()];
    let club = open(folder.path(), policy, OidcOptions { domains, ..options(provider.issuer()) }).await;
    for (email, verified) in
        [("a@evil.example", true), ("a@school.example", false), ("a@school.example.evil.example", true)]
    {
        provider.manner().userinfo = json!({ "sub": "7", "email": email, "email_verified": verified });
        let refused = Browser::default().log_in(&club, &provider, "7").await;
        assert_eq!((refused.status, refused.error()), (403, json!("not_allowed_here")), "{email}");
    }
    provider.manner().userinfo = json!({ "sub": "7", "email": "a@school.example", "email_verified": true });
    let mut browser = Browser::default();
    let without = browser.log_in(&club, &provider, "7").await;
    assert_eq!((without.status, without.error()), (403, json!("needs_code")));
    assert_eq!(browser.enter(&club, json!({ "code": "wrong" })).await.error(), "needs_code");
    let (_, code) = club.post("/api/sign-up-codes", Some(&club.operator), json!({})).await;
    let entered = browser.enter(&club, json!({ "code": code["code"] })).await;
    token(&entered);
    // The next time it takes none, and the code is used up.
    token(&Browser::default().log_in(&club, &provider, "7").await);
    provider.manner().userinfo = json!({ "sub": "8", "email": "b@school.example", "email_verified": true });
    let mut other = Browser::default();
    other.log_in(&club, &provider, "8").await;
    assert_eq!(other.enter(&club, json!({ "code": code["code"] })).await.error(), "needs_code");
    club.close().await;
    // A school whose people all may come in, on a server that takes invitations otherwise.
    let second = tempfile::tempdir().unwrap();
    let all = OidcOptions { new_people: Some(Registration::Open), ..options(provider.issuer()) };
    let club = open(second.path(), policy, all).await;
    token(&Browser::default().log_in(&club, &provider, "8").await);
    let new = json!({ "username": "Carl", "password": "long enough" });
    assert_eq!(club.post("/api/register", None, new).await.0, 403);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_linked_by_who_is_logged_in_and_unlinked_by_who_has_a_password() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    let (anna, ben) = (club.register("anna").await, club.register("ben").await);
    let links = async |token: &str| club.get("/api/oidc/link", Some(token)).await.1;
    assert_eq!(links(&anna).await, json!({ "password": true, "linked": false, "log_out_there": false }));
    let link = async |browser: &mut Browser, token: &str, subject: &str| {
        let begun = browser.post(&club, "/api/oidc/link", Some(token), json!({})).await;
        let back = browser.come_back(&club, &provider.log_in(begun.json()["url"].as_str().unwrap(), subject)).await;
        assert_eq!(back.location.as_deref(), Some("/#/rooms/link"));
        browser.post(&club, "/api/oidc/finish-link", Some(token), json!({})).await
    };
    let mut browser = Browser::default();
    let linked = link(&mut browser, &anna, "7").await;
    assert_eq!(linked.status, 200, "{}", linked.body);
    assert_eq!(links(&anna).await, json!({ "password": true, "linked": true, "log_out_there": false }));
    assert_eq!(Browser::default().log_in(&club, &provider, "7").await.json()["username"], "anna");
    // Nobody takes somebody else's person, and nobody has two.
    for (token, subject) in [(&ben, "7"), (&anna, "8")] {
        let refused = link(&mut Browser::default(), token, subject).await;
        assert_eq!((refused.status, refused.error()), (409, json!("linked_already")));
    }
    // What began as a link is no log-in, and is the one's who began it.
    let begun = browser.post(&club, "/api/oidc/link", Some(&ben), json!({})).await;
    browser.come_back(&club, &provider.log_in(begun.json()["url"].as_str().unwrap(), "9")).await;
    assert_eq!(browser.enter(&club, json!({})).await.error(), "sign_in_gone");
    let others = browser.post(&club, "/api/oidc/finish-link", Some(&anna), json!({})).await;
    assert_eq!(others.error(), "sign_in_gone");
    assert_eq!(browser.post(&club, "/api/oidc/finish-link", Some(&ben), json!({})).await.status, 200);
    assert_eq!(club.ask("DELETE", "/api/oidc/link", Some(&anna), "").await.0, 204);
    assert_eq!(Browser::default().log_in(&club, &provider, "7").await.json()["username"], "player 2");
    // Who came by the provider could not come any more.
    let only = token(&Browser::default().log_in(&club, &provider, "7").await);
    assert_eq!(links(&only).await, json!({ "password": false, "linked": true, "log_out_there": false }));
    let (status, _, body) = club.ask("DELETE", "/api/oidc/link", Some(&only), "").await;
    assert!(status == 409 && body.contains("last_way_in"), "{status} {body}");
    let (_, guest) = club.post("/api/guest", None, json!({})).await;
    let refused = club.post("/api/oidc/link", guest["token"].as_str(), json!({})).await;
    assert_eq!((refused.0, &refused.1["error"]["kind"]), (403, &json!("guest_link")));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_provider_nobody_logs_in_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let told = Browser::default().report(&club, "a.b.c").await;
    assert_eq!((told.status, told.error()), (404, json!("no_provider")));
    let anna = club.register("anna").await;
    assert_eq!(club.post("/api/oidc/logout", Some(&anna), json!({})).await.0, 404);
    assert_eq!(club.get("/api/me", Some(&anna)).await.0, 200);
    for path in ["/api/oidc/begin", "/api/oidc/enter"] {
        let (status, answer) = club.post(path, None, json!({})).await;
        assert_eq!((status, &answer["error"]["kind"]), (404, &json!("no_provider")), "{path}");
    }
    for path in ["/api/oidc/callback?code=a&state=b", "/api/oidc/logged-out?state=a"] {
        assert_eq!(club.get(path, None).await.0, 404, "{path}");
    }
    assert_eq!(club.get("/api/server", None).await.1["provider"], Value::Null);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn log_ins_that_nobody_ends_take_no_room_from_others() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    let mut first = Browser::default();
    let early = first.begin(&club).await;
    for _ in 0..2_000 {
        Browser::default().begin(&club).await;
    }
    // The oldest has taken too long; the newest is there.
    first.come_back(&club, &provider.log_in(&early, "7")).await;
    assert_eq!(first.enter(&club, json!({})).await.error(), "sign_in_gone");
    token(&Browser::default().log_in(&club, &provider, "7").await);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_logs_out_there_is_logged_out_here_first_whatever_the_provider_does() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    let is_in = async |token: &str| club.get("/api/me", Some(token)).await.0 == 200;
    let offered = async |token: &str| club.get("/api/oidc/link", Some(token)).await.1["log_out_there"].clone();
    // A provider without a place for it.
    let mut browser = Browser::default();
    let anna = token(&browser.log_in(&club, &provider, "7").await);
    assert_eq!(offered(&anna).await, json!(false));
    let left = browser.post(&club, "/api/oidc/logout", Some(&anna), json!({})).await;
    assert_eq!((left.status, left.json()), (200, json!({})));
    assert!(!is_in(&anna).await);
    club.close().await;

    provider.manner().description.insert("end_session_endpoint".into(), json!(format!("{}/leave", provider.issuer())));
    let address = Some("https://go.example.org/".to_owned());
    let club = open(folder.path(), OPEN, OidcOptions { address, ..options(provider.issuer()) }).await;
    let is_in = async |token: &str| club.get("/api/me", Some(token)).await.0 == 200;
    let offered = async |token: &str| club.get("/api/oidc/link", Some(token)).await.1["log_out_there"].clone();
    let anna = token(&browser.log_in(&club, &provider, "7").await);
    assert_eq!(offered(&anna).await, json!(true));
    let left = browser.post(&club, "/api/oidc/logout", Some(&anna), json!({})).await;
    let head = left.head.to_ascii_lowercase();
    for wanted in ["httponly", "samesite=lax", "path=/api/oidc", "max-age=600", "cache-control: no-store", "; secure"] {
        assert!(head.contains(wanted), "{wanted}: {head}");
    }
    let asked = left.json()["url"].as_str().unwrap().to_owned();
    let asked = fields(asked.strip_prefix(&format!("{}/leave?", provider.issuer())).unwrap());
    assert_eq!(asked["post_logout_redirect_uri"], "https://go.example.org/api/oidc/logged-out");
    assert_eq!((asked["client_id"].as_str(), asked.contains_key("id_token_hint")), (CLIENT_ID, false));
    assert!(!is_in(&anna).await, "before the provider has heard of it");
    // Only a browser that left is told that it has, once; nobody is sent anywhere else.
    let back = async |browser: &mut Browser, query: &str| {
        let address = format!("http://{}/api/oidc/logged-out{query}", club.address);
        browser.ask("GET", &address, None, false, "").await.location.unwrap()
    };
    let state = format!("?state={}", asked["state"]);
    for query in ["", "?state=", "?state=x&post_logout_redirect_uri=https://evil.example"] {
        assert_eq!(back(&mut browser, query).await, "/#/rooms", "{query}");
    }
    assert_eq!(back(&mut Browser::default(), &state).await, "/#/rooms");
    assert_eq!(back(&mut browser, &state).await, "/#/rooms/logged-out");
    assert_eq!(back(&mut browser, &state).await, "/#/rooms");
    // Who came in by a password has nothing to end there.
    let ben = club.register("ben").await;
    assert_eq!(offered(&ben).await, json!(false));
    let left = browser.post(&club, "/api/oidc/logout", Some(&ben), json!({})).await;
    assert_eq!((left.status, left.json(), is_in(&ben).await), (200, json!({}), false));
    let carl = token(&browser.log_in(&club, &provider, "9").await);
    club.close().await;

    // One that says nothing holds nobody in.
    provider.manner().instead.insert(DESCRIPTION, Instead::Nothing);
    let mut hasty = options(provider.issuer());
    hasty.provider.patience = Duration::from_millis(200);
    let club = open(folder.path(), OPEN, hasty).await;
    assert_eq!(club.get("/api/oidc/link", Some(&carl)).await.1["log_out_there"], json!(false));
    let left = browser.post(&club, "/api/oidc/logout", Some(&carl), json!({})).await;
    assert_eq!((left.status, left.json()), (200, json!({})));
    assert_eq!(club.get("/api/me", Some(&carl)).await.0, 401);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_ends_the_sessions_that_began_with_it() {
    let provider = MadeUpProvider::start();
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    let is_in = async |token: &str| club.get("/api/me", Some(token)).await.0 == 200;
    let mut sessions = Vec::new();
    for (subject, session) in [("7", json!("first")), ("7", json!("second")), ("8", json!("third")), ("8", json!(null))]
    {
        provider.manner().claims.insert("sid".into(), session);
        sessions.push(token(&Browser::default().log_in(&club, &provider, subject).await));
    }
    let told = |subject: &str, changes: Value| provider.manner().logout_token(provider.issuer(), subject, &changes);
    let mut server = Browser::default();
    // What the provider did not say, or said to others, or of something else, ends nothing.
    let id_token_like = json!({ "nonce": "n", "events": null });
    for changes in [json!({ "aud": "another" }), json!({ "iss": "https://evil.example" }), id_token_like] {
        let refused = server.report(&club, &told("7", changes.clone())).await;
        assert_eq!((refused.status, refused.error()), (400, json!("provider_refused")), "{changes}");
    }
    for token in ["", "a.b.c", &"x".repeat(15_000)] {
        assert_eq!(server.report(&club, token).await.status, 400);
    }
    let as_json = server.post(&club, "/api/oidc/backchannel-logout", None, json!({ "logout_token": "a.b.c" })).await;
    assert_eq!((as_json.status, as_json.error()), (400, json!("malformed")));
    for session in &sessions {
        assert!(is_in(session).await);
    }
    // One session of a person, and nothing a second time.
    let first = told("7", json!({ "sid": "first" }));
    let page = server.report(&club, &first).await;
    assert_eq!((page.status, page.body.as_str()), (200, ""));
    assert!(page.head.to_ascii_lowercase().contains("cache-control: no-store"), "{}", page.head);
    assert!(!is_in(&sessions[0]).await && is_in(&sessions[1]).await && is_in(&sessions[2]).await);
    assert_eq!(server.report(&club, &first).await.status, 400);
    // All of a person's.
    assert_eq!(server.report(&club, &told("8", json!({}))).await.status, 200);
    assert!(is_in(&sessions[1]).await && !is_in(&sessions[2]).await && !is_in(&sessions[3]).await);
    // A session alone names nobody, and is enough.
    assert_eq!(server.report(&club, &told("7", json!({ "sub": null, "sid": "second" }))).await.status, 200);
    assert!(!is_in(&sessions[1]).await);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_logs_out_at_a_certified_provider_and_it_ends_the_other_sessions() {
    let Some(mut provider) = CertifiedProvider::start("RS256") else { return };
    let folder = tempfile::tempdir().unwrap();
    let club = open(folder.path(), OPEN, options(provider.issuer())).await;
    for path in ["callback", "logged-out"] {
        provider.allow(&format!("http://{}/api/oidc/{path}", club.address));
    }
    provider.report_to(&format!("http://{}/api/oidc/backchannel-logout", club.address));
    let mut browser = Browser::default();
    let mut tokens = Vec::new();
    // Twice in one browser, whose session with the provider is one.
    for login in ["anna", "nobody"] {
        let address = browser.begin(&club).await;
        let back = browser.through(address, login).await;
        browser.ask("GET", &back, None, false, "").await;
        tokens.push(token(&browser.enter(&club, json!({})).await));
    }
    let mut elsewhere = Browser::default();
    let address = elsewhere.begin(&club).await;
    let back = elsewhere.through(address, "anna").await;
    elsewhere.ask("GET", &back, None, false, "").await;
    let other = token(&elsewhere.enter(&club, json!({})).await);
    let is_in = async |token: &str| club.get("/api/me", Some(token)).await.0 == 200;
    let left = browser.post(&club, "/api/oidc/logout", Some(&tokens[0]), json!({})).await;
    assert!(!is_in(&tokens[0]).await && is_in(&tokens[1]).await);
    let asked = browser.ask("GET", left.json()["url"].as_str().unwrap(), None, false, "").await;
    assert_eq!(asked.status, 200, "{}", asked.body);
    let part = |mark: &str| asked.body.split(mark).nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let form = format!("xsrf={}&logout=yes", part("name=\"xsrf\" value=\""));
    let done = browser.ask("POST", &absolute(provider.issuer(), &part("action=\"")), None, true, &form).await;
    let back = done.location.unwrap_or_else(|| panic!("{}: {}", done.status, done.body));
    assert!(back.starts_with(&format!("http://{}/api/oidc/logged-out?state=", club.address)), "{back}");
    let page = browser.ask("GET", &back, None, false, "").await;
    assert_eq!(page.location.as_deref(), Some("/#/rooms/logged-out"));
    assert!(!is_in(&tokens[1]).await, "the provider has told of the end of its session");
    assert!(is_in(&other).await, "and of no other");
    // It does not know the browser any more.
    let address = browser.begin(&club).await;
    let back = browser.through(address, "ben").await;
    browser.ask("GET", &back, None, false, "").await;
    assert_eq!(browser.enter(&club, json!({})).await.json()["username"], "ben");
    club.close().await;
}
