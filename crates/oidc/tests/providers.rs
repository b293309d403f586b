//! Log-ins through a provider that behaves, and through one that does what a real one never does.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_oidc::{Identity, Now, OidcError, Provider, Secret, Settings, TokenFault};
use honinbo_testkit::oidc_providers::{
    CLIENT_ID, CLIENT_SECRET, DESCRIPTION, Instead, KEYS, MadeUpProvider, Manner, TOKEN, USERINFO, fields,
};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const CALLBACK: &str = "http://localhost:8090/api/oidc/callback";

fn now(seconds: u64) -> Now {
    let unix_seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
    Now { unix_seconds, monotonic: Duration::from_secs(seconds) }
}

fn settings(made_up: &MadeUpProvider) -> Settings {
    let mut settings = Settings::new(made_up.issuer().parse().unwrap(), CLIENT_ID.into());
    settings.client_secret = Secret::new(CLIENT_SECRET);
    // A busy machine is not to look like a silent provider.
    settings.patience = Duration::from_secs(60);
    settings
}

fn provider(made_up: &MadeUpProvider) -> Provider {
    Provider::new(settings(made_up)).unwrap()
}

fn log_in(provider: &Provider, made_up: &MadeUpProvider, at: Now) -> Result<Identity, OidcError> {
    let begun = provider.begin(CALLBACK, at)?;
    let returned = made_up.log_in(&begun.address, "7");
    assert!(begun.secrets.is_state(&returned.state));
    provider.finish(&begun.secrets, &returned.code, at)
}

/// What becomes of a log-in where a provider behaves so.
fn tried(change: impl FnOnce(&mut Manner)) -> Result<Identity, OidcError> {
    let made_up = MadeUpProvider::start();
    change(&mut made_up.manner());
    log_in(&provider(&made_up), &made_up, now(0))
}

fn fault(change: impl FnOnce(&mut Manner)) -> OidcError {
    tried(change).unwrap_err()
}

fn claim(name: &'static str, value: Value) -> impl FnOnce(&mut Manner) {
    move |manner| drop(manner.claims.insert(name.to_owned(), value))
}

#[test]
fn somebody_is_who_the_provider_says() {
    let person = tried(|manner| {
        manner.claims.insert("preferred_username".into(), json!("anna"));
        manner.userinfo =
            json!({ "sub": "7", "email": "a@school.example", "email_verified": true, "preferred_username": "x" });
    })
    .unwrap();
    assert_eq!(person.subject, "7");
    assert_eq!(person.names().collect::<Vec<_>>(), ["anna"], "the token says it before userinfo");
    assert_eq!(person.email_domain().as_deref(), Some("school.example"));
}

#[test]
fn a_token_for_another_log_in_program_or_time_lets_nobody_in() {
    let seconds = now(0).unix_seconds;
    for (name, value, expected) in [
        ("nonce", json!("another"), TokenFault::Nonce),
        ("aud", json!("another"), TokenFault::Audience),
        ("aud", json!([CLIENT_ID, "another"]), TokenFault::Audience),
        ("iss", json!("https://evil.example"), TokenFault::Issuer),
        ("exp", json!(seconds - 3600), TokenFault::Expired),
        ("iat", json!(seconds + 3600), TokenFault::Future),
        ("sub", json!(null), TokenFault::Subject),
        ("at_hash", json!("of another token"), TokenFault::AccessToken),
    ] {
        assert_eq!(fault(claim(name, value.clone())), OidcError::Token(expected), "{name}: {value}");
    }
}

#[test]
fn a_token_that_the_provider_did_not_sign_lets_nobody_in() {
    let none = fault(|manner| {
        manner.unsigned = true;
        manner.header.insert("alg".into(), json!("none"));
    });
    assert_eq!(none, OidcError::Token(TokenFault::Algorithm));
    let bare = fault(|manner| manner.unsigned = true);
    assert!(matches!(bare, OidcError::Token(TokenFault::Signature | TokenFault::Algorithm)), "{bare:?}");
    let shared = fault(|manner| drop(manner.header.insert("alg".into(), json!("HS256"))));
    assert_eq!(shared, OidcError::Token(TokenFault::Algorithm));
    let another = fault(|manner| {
        manner.key = manner.make_key();
        manner.header.insert("kid".into(), json!("key 0"));
    });
    assert_eq!(another, OidcError::Token(TokenFault::Signature));
    let hidden = fault(|manner| manner.key = manner.make_key());
    assert_eq!(hidden, OidcError::Token(TokenFault::UnknownKey));
}

#[test]
fn new_keys_are_fetched_and_not_at_every_strangers_word() {
    let made_up = MadeUpProvider::start();
    let provider = provider(&made_up);
    log_in(&provider, &made_up, now(0)).unwrap();
    log_in(&provider, &made_up, now(30)).unwrap();
    let asked = |path: &str| made_up.manner().asked(path);
    assert_eq!((asked(KEYS), asked(DESCRIPTION)), (1, 1));
    let change = |change: fn(&mut Manner)| change(&mut made_up.manner());
    change(|manner| {
        manner.key = manner.make_key();
        manner.shown = vec![manner.key];
    });
    log_in(&provider, &made_up, now(90)).unwrap();
    assert_eq!(asked(KEYS), 2);
    // Keys that nobody shows: the provider is asked once a minute at most.
    change(|manner| manner.key = manner.make_key());
    for second in 91..120 {
        let error = log_in(&provider, &made_up, now(second)).unwrap_err();
        assert_eq!(error, OidcError::Token(TokenFault::UnknownKey));
    }
    assert_eq!(asked(KEYS), 2);
    log_in(&provider, &made_up, now(200)).unwrap_err();
    assert_eq!(asked(KEYS), 3);
    // Keys that were taken back are not believed for ever.
    change(|manner| manner.shown = vec![manner.make_key()]);
    log_in(&provider, &made_up, now(200 + 3600)).unwrap_err();
    assert_eq!(asked(KEYS), 4, "once, however the token fails");
}

#[test]
fn a_code_is_good_once_and_only_with_the_verifier_of_its_log_in() {
    let made_up = MadeUpProvider::start();
    let provider = provider(&made_up);
    let [first, second] = [0, 1].map(|_| provider.begin(CALLBACK, now(0)).unwrap());
    let returned = made_up.log_in(&first.address, "7");
    assert!(!second.secrets.is_state(&returned.state));
    let other = provider.finish(&second.secrets, &returned.code, now(0)).unwrap_err();
    assert!(matches!(&other, OidcError::Refused { reason } if reason.starts_with("invalid_grant")), "{other:?}");
    let returned = made_up.log_in(&first.address, "7");
    provider.finish(&first.secrets, &returned.code, now(0)).unwrap();
    assert!(matches!(provider.finish(&first.secrets, &returned.code, now(0)), Err(OidcError::Refused { .. })));
    for code in ["", &"x".repeat(5000)] {
        assert!(matches!(provider.finish(&first.secrets, code, now(0)), Err(OidcError::Malformed { .. })));
    }
}

#[test]
fn the_secret_goes_where_the_provider_wants_it() {
    let methods = |methods: Value| {
        tried(move |manner| drop(manner.description.insert("token_endpoint_auth_methods_supported".into(), methods)))
    };
    for known in [
        json!(["client_secret_basic"]),
        json!(["client_secret_post"]),
        json!(["private_key_jwt", "client_secret_post"]),
    ] {
        assert!(methods(known.clone()).is_ok(), "{known}");
    }
    let made_up = MadeUpProvider::start();
    let mut wrong = settings(&made_up);
    wrong.client_secret = Secret::new("another");
    let error = log_in(&Provider::new(wrong).unwrap(), &made_up, now(0)).unwrap_err();
    assert!(matches!(&error, OidcError::Refused { reason } if reason.starts_with("invalid_client")), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("another"));
}

#[test]
fn what_the_provider_says_of_itself_is_checked() {
    let described =
        |name: &'static str, value: Value| fault(move |manner| drop(manner.description.insert(name.to_owned(), value)));
    let other = described("issuer", json!("https://evil.example"));
    assert!(matches!(&other, OidcError::Description { reason } if reason.contains("evil.example")), "{other:?}");
    for endpoint in
        ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint"]
    {
        for address in ["http://evil.example/x", "ftp://127.0.0.1/x", "", "x"] {
            let error = described(endpoint, json!(address));
            assert!(matches!(&error, OidcError::Description { reason } if reason.contains(endpoint)), "{error:?}");
        }
    }
    assert!(matches!(described("jwks_uri", json!(null)), OidcError::Malformed { .. }));
}

#[test]
fn what_is_too_much_nothing_or_elsewhere_is_refused_everywhere() {
    for path in [DESCRIPTION, TOKEN, KEYS] {
        let instead = |what: Instead| fault(move |manner| drop(manner.instead.insert(path, what)));
        let huge = instead(Instead::Huge);
        assert!(matches!(&huge, OidcError::Malformed { reason } if reason.contains("longer")), "{path}: {huge:?}");
        // A place that would answer, and is not asked.
        let trap = MadeUpProvider::start();
        let location = format!("Location: {}{DESCRIPTION}\r\n", trap.issuer());
        let elsewhere = instead(Instead::Say("302 Found", location, String::new()));
        assert!(matches!(&elsewhere, OidcError::Refused { reason } if reason.contains("302")), "{path}: {elsewhere:?}");
        assert_eq!(trap.manner().asked(DESCRIPTION), 0);
        let page = instead(Instead::Say("200 OK", String::new(), "<html>secret</html>".into()));
        assert!(matches!(&page, OidcError::Malformed { reason } if !reason.contains("secret")), "{path}: {page:?}");
        let broken = instead(Instead::Say("500 Internal Server Error", String::new(), "x".repeat(100_000)));
        assert!(matches!(&broken, OidcError::Refused { reason } if reason.len() < 300), "{path}: {broken:?}");
    }
    let none = fault(|manner| drop(manner.instead.insert(TOKEN, Instead::Say("200 OK", String::new(), "{}".into()))));
    assert!(matches!(&none, OidcError::Malformed { reason } if reason.contains("ID token")), "{none:?}");
}

#[test]
fn a_provider_that_hangs_or_is_gone_is_said_to_be_and_left_alone_for_a_moment() {
    let made_up = MadeUpProvider::start();
    made_up.manner().instead.insert(DESCRIPTION, Instead::Nothing);
    let mut hasty = settings(&made_up);
    hasty.patience = Duration::from_millis(200);
    let provider = Provider::new(hasty).unwrap();
    for second in [0, 1, 2] {
        assert!(matches!(provider.begin(CALLBACK, now(second)), Err(OidcError::Deadline { .. })));
    }
    assert_eq!(made_up.manner().asked(DESCRIPTION), 1);
    made_up.manner().instead.clear();
    let mut patient = settings(&made_up);
    patient.patience = Duration::from_secs(60);
    assert!(Provider::new(patient).unwrap().begin(CALLBACK, now(0)).is_ok());
    let gone = Settings::new("http://127.0.0.1:1".parse().unwrap(), CLIENT_ID.into());
    let error = Provider::new(gone).unwrap().begin(CALLBACK, now(0)).unwrap_err();
    assert!(matches!(error, OidcError::Unreachable { .. }) && !error.hint().is_empty(), "{error:?}");
}

#[test]
fn more_about_a_person_is_of_that_person_or_not_believed() {
    let other = fault(|manner| manner.userinfo = json!({ "sub": "8", "name": "somebody else" }));
    assert_eq!(other, OidcError::Token(TokenFault::Subject));
    // Without it the person is known all the same.
    for instead in [Instead::Huge, Instead::Say("401 Unauthorized", String::new(), "{}".into())] {
        let person = tried(move |manner| drop(manner.instead.insert(USERINFO, instead))).unwrap();
        assert_eq!((person.subject.as_str(), person.names().count()), ("7", 0));
    }
}

#[test]
fn an_answer_of_another_provider_is_refused() {
    let made_up = MadeUpProvider::start();
    let plain = provider(&made_up);
    assert_eq!(plain.check_answer(None, now(0)), Ok(()));
    assert_eq!(plain.check_answer(Some(made_up.issuer()), now(0)), Ok(()));
    let other = Err(OidcError::Token(TokenFault::Issuer));
    assert_eq!(plain.check_answer(Some("https://evil.example"), now(0)), other);
    let says = json!(true);
    made_up.manner().description.insert("authorization_response_iss_parameter_supported".into(), says);
    assert_eq!(provider(&made_up).check_answer(None, now(0)), other);
}

#[test]
fn a_browser_is_sent_to_log_out_where_the_provider_has_a_place_for_it() {
    let back = "http://localhost:8090/api/oidc/logged-out";
    let made_up = MadeUpProvider::start();
    let without = provider(&made_up);
    assert_eq!(without.can_log_out(now(0)), Ok(false));
    assert!(without.log_out(back, now(0)).unwrap().is_none());
    let place = format!("{}/leave?kind=1", made_up.issuer());
    made_up.manner().description.insert("end_session_endpoint".into(), json!(place));
    let with = provider(&made_up);
    assert_eq!(with.can_log_out(now(0)), Ok(true));
    let [first, second] = [0, 1].map(|_| with.log_out(back, now(0)).unwrap().unwrap());
    let asked = fields(first.address.strip_prefix(&format!("{}/leave?", made_up.issuer())).unwrap());
    assert_eq!((asked["kind"].as_str(), asked["client_id"].as_str()), ("1", CLIENT_ID));
    assert_eq!((asked["post_logout_redirect_uri"].as_str(), asked["state"].as_str()), (back, first.state.as_str()));
    assert!(first.state.len() >= 40 && first.state != second.state, "{}", first.state);
    let gone = Settings::new("http://127.0.0.1:1".parse().unwrap(), CLIENT_ID.into());
    assert!(matches!(Provider::new(gone).unwrap().log_out(back, now(0)), Err(OidcError::Unreachable { .. })));
}

#[test]
fn the_provider_tells_once_that_somebody_has_logged_out() {
    let made_up = MadeUpProvider::start();
    let provider = provider(&made_up);
    let told = |changes: Value| made_up.manner().logout_token(made_up.issuer(), "7", &changes);
    let first = told(json!({ "sid": "a session" }));
    let ended = provider.logged_out(&first, now(0)).unwrap();
    assert_eq!((ended.subject.as_deref(), ended.session.as_deref()), (Some("7"), Some("a session")));
    assert_eq!(provider.logged_out(&first, now(1)), Err(OidcError::Token(TokenFault::Repeated)));
    assert_eq!(provider.logged_out(&told(json!({})), now(1)).unwrap().session, None, "all of them");
    for (changes, fault) in [
        (json!({ "nonce": "n" }), TokenFault::NoLogOut),
        (json!({ "events": {} }), TokenFault::NoLogOut),
        (json!({ "aud": "another" }), TokenFault::Audience),
        (json!({ "jti": null }), TokenFault::Unnumbered),
        (json!({ "sub": null }), TokenFault::Subject),
    ] {
        assert_eq!(provider.logged_out(&told(changes.clone()), now(1)), Err(OidcError::Token(fault)), "{changes}");
    }
    // What nobody signed, and what is no token, asks the provider for its keys once a minute at most.
    let unsigned = {
        let mut manner = made_up.manner();
        manner.unsigned = true;
        manner.logout_token(made_up.issuer(), "7", &Value::Null)
    };
    for token in [unsigned.as_str(), "a.b.c", "", &"x".repeat(20_000)] {
        assert!(provider.logged_out(token, now(2)).is_err(), "{token}");
    }
    assert_eq!(made_up.manner().asked(KEYS), 1);
}

#[test]
fn keys_that_cannot_be_had_are_not_asked_for_at_every_strangers_word() {
    let made_up = MadeUpProvider::start();
    made_up.manner().instead.insert(KEYS, Instead::Say("500 Internal Server Error", String::new(), String::new()));
    let provider = provider(&made_up);
    for second in [0, 1, 2] {
        assert!(matches!(provider.logged_out("a.b.c", now(second)), Err(OidcError::Refused { .. })));
    }
    assert_eq!(made_up.manner().asked(KEYS), 1);
    made_up.manner().instead.clear();
    log_in(&provider, &made_up, now(3)).unwrap();
}
