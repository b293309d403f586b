//! ID tokens: whose they are, for whom, for which log-in, and until when.

use crate::error::TokenFault;
use crate::signature::ACCEPTED;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use ring::digest::{SHA256, SHA384, SHA512, digest};
use serde_json::{Map, Value};

/// Seconds that clocks may differ by.
pub(crate) const LEEWAY: i64 = 120;
/// OpenID Connect Core 1.0, 2: a subject has at most 255 characters.
const MAX_SUBJECT: usize = 255;
/// How long ago a session may have ended of which a provider tells, in seconds. As long, tokens are known again.
const MAX_AGE: i64 = 600;
/// What makes a token one that tells of a log-out (OpenID Connect Back-Channel Logout 1.0, 2.4).
const LOG_OUT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// What a token must say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) issuer: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) nonce: &'a str,
    /// Seconds since 1970.
    pub(crate) now: i64,
    /// What came with it.
    pub(crate) access_token: Option<&'a str>,
}

/// The claims of a token that one of these keys has signed and that says what it must (OpenID Connect Core 1.0, 3.1.3.7).
pub(crate) fn verify(token: &str, keys: &[Jwk], expected: &Expected<'_>) -> Result<Map<String, Value>, TokenFault> {
    let (algorithm, claims) = signed(token, keys)?;
    check(&claims, expected)?;
    // Where a code is exchanged it may be left out (OpenID Connect Core 1.0, 3.1.3.8).
    if let (Some(hash), Some(access)) = (claims.get("at_hash"), expected.access_token)
        && hash.as_str() != Some(&access_hash(algorithm, access))
    {
        return Err(TokenFault::AccessToken);
    }
    Ok(claims)
}

/// A session that has ended at the provider, or all those of a person where none is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedOut {
    /// The person's name there. Said where no session is named, and often where one is.
    pub subject: Option<String>,
    /// What the provider calls the session.
    pub session: Option<String>,
}

/// A token that tells of a log-out.
#[derive(Debug)]
pub(crate) struct LogOutToken {
    pub(crate) of: LoggedOut,
    /// No other token of the provider has it.
    pub(crate) id: String,
    /// When it would not be accepted any more, in seconds since 1970.
    pub(crate) ends: i64,
}

/// Who has logged out, as a token says that one of these keys has signed (OpenID Connect Back-Channel Logout 1.0, 2.6).
/// Whether it was used before is the caller's to know; `now` is in seconds since 1970.
pub(crate) fn verify_log_out(
    token: &str,
    keys: &[Jwk],
    issuer: &str,
    client_id: &str,
    now: i64,
) -> Result<LogOutToken, TokenFault> {
    let (_, claims) = signed(token, keys)?;
    check_source(&claims, issuer, client_id)?;
    check_times(&claims, now)?;
    // An ID token is none, whoever brings it: it has a nonce, and tells of no event.
    let event = claims.get("events").and_then(|events| events.get(LOG_OUT));
    if !event.is_some_and(Value::is_object) || claims.contains_key("nonce") {
        return Err(TokenFault::NoLogOut);
    }
    let made = claims.get("iat").and_then(Value::as_f64).ok_or(TokenFault::Expired)?;
    let ends = made as i64 + MAX_AGE + LEEWAY;
    if now >= ends {
        return Err(TokenFault::Expired);
    }
    let text = |name: &str| match claims.get(name) {
        None => Ok(None),
        Some(Value::String(text)) if !text.is_empty() && text.len() <= MAX_SUBJECT => Ok(Some(text.clone())),
        Some(_) => Err(TokenFault::Subject),
    };
    let of = LoggedOut { subject: text("sub")?, session: text("sid")? };
    if of.subject.is_none() && of.session.is_none() {
        return Err(TokenFault::Subject);
    }
    let id = text("jti").ok().flatten().ok_or(TokenFault::Unnumbered)?;
    Ok(LogOutToken { of, id, ends })
}

/// What an ID token that was signed in that way says of an access token: the left half of its hash (OpenID Connect Core
/// 1.0, 3.1.3.6).
fn access_hash(algorithm: Algorithm, access_token: &str) -> String {
    let hash = match algorithm {
        Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 | Algorithm::HS384 => &SHA384,
        // Ed25519 hashes with SHA-512 itself.
        Algorithm::RS512 | Algorithm::PS512 | Algorithm::HS512 | Algorithm::EdDSA => &SHA512,
        _ => &SHA256,
    };
    let hash = digest(hash, access_token.as_bytes());
    URL_SAFE_NO_PAD.encode(&hash.as_ref()[..hash.as_ref().len() / 2])
}

fn signed(token: &str, keys: &[Jwk]) -> Result<(Algorithm, Map<String, Value>), TokenFault> {
    // A header with a way to sign that is not known, such as `none`, is no header.
    let header = decode_header(token).map_err(|_| TokenFault::Algorithm)?;
    if !ACCEPTED.contains(&header.alg) || header.crit.is_some() {
        return Err(TokenFault::Algorithm);
    }
    let mut fault = TokenFault::UnknownKey;
    for key in keys.iter().filter(|key| may_have_signed(key, header.alg, header.kid.as_deref())) {
        fault = TokenFault::Signature;
        let Ok(key) = DecodingKey::from_jwk(key) else { continue };
        // What it says is looked at afterwards, with the caller's clock.
        let mut signature_alone = Validation::new(header.alg);
        signature_alone.required_spec_claims.clear();
        signature_alone.validate_exp = false;
        signature_alone.validate_aud = false;
        if let Ok(token) = decode::<Map<String, Value>>(token, &key, &signature_alone) {
            return Ok((header.alg, token.claims));
        }
    }
    Err(fault)
}

fn may_have_signed(key: &Jwk, algorithm: Algorithm, id: Option<&str>) -> bool {
    let for_signing = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let in_this_way = key.common.key_algorithm.is_none_or(|own| own == algorithm.into());
    let named = id.is_none_or(|id| key.common.key_id.as_deref() == Some(id));
    let family = DecodingKey::from_jwk(key).is_ok_and(|key| key.family() == algorithm.family());
    for_signing && in_this_way && named && family
}

fn check(claims: &Map<String, Value>, expected: &Expected<'_>) -> Result<(), TokenFault> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    check_source(claims, expected.issuer, expected.client_id)?;
    check_times(claims, expected.now)?;
    if text("nonce") != Some(expected.nonce) {
        return Err(TokenFault::Nonce);
    }
    match text("sub") {
        Some(subject) if !subject.is_empty() && subject.len() <= MAX_SUBJECT => Ok(()),
        _ => Err(TokenFault::Subject),
    }
}

/// Who made a token, and for whom.
fn check_source(claims: &Map<String, Value>, issuer: &str, client_id: &str) -> Result<(), TokenFault> {
    if claims.get("iss").and_then(Value::as_str) != Some(issuer) {
        return Err(TokenFault::Issuer);
    }
    let (for_us, for_others) = match claims.get("aud") {
        Some(Value::String(one)) => (one == client_id, false),
        Some(Value::Array(several)) => (several.iter().any(|one| one.as_str() == Some(client_id)), several.len() > 1),
        _ => (false, false),
    };
    // Where several may have it, it must have been made for us.
    let party = claims.get("azp").map(|party| party.as_str() == Some(client_id));
    if !for_us || party == Some(false) || (for_others && party.is_none()) {
        return Err(TokenFault::Audience);
    }
    Ok(())
}

/// From when and until when a token is good.
fn check_times(claims: &Map<String, Value>, now: i64) -> Result<(), TokenFault> {
    let seconds = |name: &str| claims.get(name).and_then(Value::as_f64).filter(|seconds| seconds.is_finite());
    let (now, leeway) = (now as f64, LEEWAY as f64);
    match seconds("exp") {
        Some(end) if now < end + leeway => {}
        _ => return Err(TokenFault::Expired),
    }
    let begun = |name: &str| claims.get(name).is_none_or(|_| seconds(name).is_some_and(|start| start <= now + leeway));
    if !begun("iat") || !begun("nbf") {
        return Err(TokenFault::Future);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::install;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
    use serde_json::json;

    const NOW: i64 = 1_800_000_000;

    fn encoded(bytes: impl AsRef<[u8]>) -> String {
        URL_SAFE_NO_PAD.encode(bytes)
    }

    struct Signer {
        pair: EcdsaKeyPair,
        random: SystemRandom,
    }

    impl Signer {
        fn new() -> Self {
            let random = SystemRandom::new();
            let way = &ECDSA_P256_SHA256_FIXED_SIGNING;
            let document = EcdsaKeyPair::generate_pkcs8(way, &random).unwrap();
            Self { pair: EcdsaKeyPair::from_pkcs8(way, document.as_ref(), &random).unwrap(), random }
        }

        fn key(&self, id: &str) -> Jwk {
            let point = self.pair.public_key().as_ref();
            let (x, y) = (encoded(&point[1..33]), encoded(&point[33..]));
            serde_json::from_value(json!({ "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": x, "y": y }))
                .unwrap()
        }

        fn sign(&self, header: &Value, claims: &Value) -> String {
            let message = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
            let signature = self.pair.sign(&self.random, message.as_bytes()).unwrap();
            format!("{message}.{}", encoded(signature))
        }
    }

    fn claims() -> Value {
        json!({ "iss": "https://id.example", "aud": "go", "sub": "7", "nonce": "n", "iat": NOW, "exp": NOW + 300 })
    }

    fn header() -> Value {
        json!({ "alg": "ES256", "kid": "a" })
    }

    const EXPECTED: Expected<'_> =
        Expected { issuer: "https://id.example", client_id: "go", nonce: "n", now: NOW, access_token: None };

    /// The example of OpenID Connect Core 1.0, appendix A.3, and the other lengths.
    #[test]
    fn an_access_token_is_the_one_that_the_id_token_names() {
        let access = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert_eq!(access_hash(Algorithm::RS256, access), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_eq!(access_hash(Algorithm::PS384, access).len(), 32);
        assert_eq!(access_hash(Algorithm::EdDSA, access), access_hash(Algorithm::RS512, access));
        install();
        let signer = Signer::new();
        let keys = [signer.key("a")];
        let tried = |hash: Value, access_token| {
            let mut changed = claims();
            changed["at_hash"] = hash;
            let expected = Expected { access_token, ..EXPECTED };
            verify(&signer.sign(&header(), &changed), &keys, &expected).map(|_| ())
        };
        assert_eq!(tried(json!("77QmUPtjPfzWtF2AnpK9RQ"), Some(access)), Ok(()));
        assert_eq!(tried(json!("77QmUPtjPfzWtF2AnpK9RQ"), None), Ok(()), "there is none");
        for wrong in [json!("77QmUPtjPfzWtF2AnpK9RR"), json!(""), json!(null), json!(7)] {
            assert_eq!(tried(wrong.clone(), Some(access)), Err(TokenFault::AccessToken), "{wrong}");
        }
        let without = Expected { access_token: Some(access), ..EXPECTED };
        assert!(verify(&signer.sign(&header(), &claims()), &keys, &without).is_ok());
    }

    #[test]
    fn a_token_says_what_it_must_or_is_none() {
        install();
        let signer = Signer::new();
        let keys = [signer.key("a")];
        let tried = |field: &str, value: Value| {
            let mut changed = claims();
            changed[field] = value;
            verify(&signer.sign(&header(), &changed), &keys, &EXPECTED).map(|_| ())
        };
        assert_eq!(tried("more", json!(1)), Ok(()));
        assert_eq!(tried("aud", json!(["go"])), Ok(()));
        assert_eq!(tried("exp", json!(NOW - LEEWAY + 1)), Ok(()), "clocks differ a little");
        assert_eq!(tried("iat", json!(NOW + LEEWAY)), Ok(()));
        for (field, value, fault) in [
            ("iss", json!("https://evil.example"), TokenFault::Issuer),
            ("iss", json!("https://id.example/"), TokenFault::Issuer),
            ("iss", json!(null), TokenFault::Issuer),
            ("aud", json!("other"), TokenFault::Audience),
            ("aud", json!(["other"]), TokenFault::Audience),
            ("aud", json!(["go", "other"]), TokenFault::Audience),
            ("aud", json!({ "go": true }), TokenFault::Audience),
            ("azp", json!("other"), TokenFault::Audience),
            ("exp", json!(NOW - LEEWAY), TokenFault::Expired),
            ("exp", json!("never"), TokenFault::Expired),
            ("exp", json!(null), TokenFault::Expired),
            ("iat", json!(NOW + LEEWAY + 1), TokenFault::Future),
            ("nbf", json!(NOW + LEEWAY + 1), TokenFault::Future),
            ("nonce", json!("m"), TokenFault::Nonce),
            ("nonce", json!(null), TokenFault::Nonce),
            ("sub", json!(""), TokenFault::Subject),
            ("sub", json!(7), TokenFault::Subject),
            ("sub", json!("x".repeat(256)), TokenFault::Subject),
        ] {
            assert_eq!(tried(field, value.clone()), Err(fault), "{field}: {value}");
        }
        let mut shared = claims();
        shared["aud"] = json!(["go", "other"]);
        shared["azp"] = json!("go");
        assert!(verify(&signer.sign(&header(), &shared), &keys, &EXPECTED).is_ok());
    }

    #[test]
    fn a_log_out_is_told_by_a_token_of_its_own_kind() {
        install();
        let signer = Signer::new();
        let keys = [signer.key("a")];
        let told = json!({
            "iss": "https://id.example", "aud": "go", "iat": NOW, "exp": NOW + 120, "jti": "one", "sub": "7", "sid": "s",
            "events": { LOG_OUT: {} },
        });
        let verify =
            |claims: &Value| verify_log_out(&signer.sign(&header(), claims), &keys, "https://id.example", "go", NOW);
        let good = verify(&told).unwrap();
        assert_eq!(good.of, LoggedOut { subject: Some("7".into()), session: Some("s".into()) });
        assert_eq!((good.id.as_str(), good.ends), ("one", NOW + MAX_AGE + LEEWAY));
        let tried = |changes: &[(&str, Value)]| {
            let mut changed = told.clone();
            for (field, value) in changes {
                match value {
                    Value::Null => drop(changed.as_object_mut().unwrap().remove(*field)),
                    value => changed[*field] = value.clone(),
                }
            }
            verify(&changed).map(|token| token.of)
        };
        assert_eq!(tried(&[("sid", json!(null))]).unwrap().session, None);
        assert_eq!(tried(&[("sub", json!(null))]).unwrap().subject, None);
        for (field, value, fault) in [
            ("iss", json!("https://evil.example"), TokenFault::Issuer),
            ("aud", json!("other"), TokenFault::Audience),
            ("exp", json!(NOW - LEEWAY), TokenFault::Expired),
            ("exp", json!(null), TokenFault::Expired),
            ("iat", json!(null), TokenFault::Expired),
            ("iat", json!(NOW - MAX_AGE - LEEWAY), TokenFault::Expired),
            ("iat", json!(NOW + LEEWAY + 1), TokenFault::Future),
            ("nonce", json!("n"), TokenFault::NoLogOut),
            ("events", json!(null), TokenFault::NoLogOut),
            ("events", json!({ "other": {} }), TokenFault::NoLogOut),
            ("events", json!({ LOG_OUT: true }), TokenFault::NoLogOut),
            ("events", json!([LOG_OUT]), TokenFault::NoLogOut),
            ("jti", json!(null), TokenFault::Unnumbered),
            ("jti", json!(""), TokenFault::Unnumbered),
            ("sid", json!(7), TokenFault::Subject),
            ("sub", json!(""), TokenFault::Subject),
        ] {
            assert_eq!(tried(&[(field, value.clone())]), Err(fault), "{field}: {value}");
        }
        assert_eq!(tried(&[("sub", json!(null)), ("sid", json!(null))]), Err(TokenFault::Subject));
        // Neither kind of token passes for the other.
        assert_eq!(verify(&claims()).map(|token| token.of), Err(TokenFault::NoLogOut));
        let as_id_token = super::verify(&signer.sign(&header(), &told), &keys, &EXPECTED);
        assert_eq!(as_id_token.map(|_| ()), Err(TokenFault::Nonce));
        let stranger = Signer::new().sign(&header(), &told);
        let refused = verify_log_out(&stranger, &keys, "https://id.example", "go", NOW);
        assert_eq!(refused.map(|token| token.of), Err(TokenFault::Signature));
    }

    #[test]
    fn only_a_key_of_the_provider_signs() {
        install();
        let (signer, stranger) = (Signer::new(), Signer::new());
        let keys = [stranger.key("b"), signer.key("a")];
        let verify = |token: &str| verify(token, &keys, &EXPECTED).map(|_| ());
        let good = signer.sign(&header(), &claims());
        assert_eq!(verify(&good), Ok(()));
        assert_eq!(verify(&signer.sign(&json!({ "alg": "ES256" }), &claims())), Ok(()), "without a name all are tried");
        assert_eq!(verify(&stranger.sign(&header(), &claims())), Err(TokenFault::Signature));
        assert_eq!(
            verify(&signer.sign(&json!({ "alg": "ES256", "kid": "c" }), &claims())),
            Err(TokenFault::UnknownKey)
        );
        assert_eq!(
            verify(&signer.sign(&json!({ "alg": "RS256", "kid": "a" }), &claims())),
            Err(TokenFault::UnknownKey)
        );
        // Other words under the same signature.
        let parts: Vec<&str> = good.split('.').collect();
        let mut other = claims();
        other["sub"] = json!("8");
        let changed = format!("{}.{}.{}", parts[0], encoded(other.to_string()), parts[2]);
        assert_eq!(verify(&changed), Err(TokenFault::Signature));
        for way in ["none", "None", "HS256", "ES512", ""] {
            let unsigned = format!("{}.{}.", encoded(json!({ "alg": way }).to_string()), parts[1]);
            assert_eq!(verify(&unsigned), Err(TokenFault::Algorithm), "{way}");
        }
        // The public key as a shared secret.
        let secret = encoded(serde_json::to_vec(&keys[1]).unwrap());
        let known = format!("{}.{}.{secret}", encoded(json!({ "alg": "HS256", "kid": "a" }).to_string()), parts[1]);
        assert_eq!(verify(&known), Err(TokenFault::Algorithm));
        let critical = json!({ "alg": "ES256", "kid": "a", "crit": ["exp"] });
        assert_eq!(verify(&signer.sign(&critical, &claims())), Err(TokenFault::Algorithm));
        for nonsense in ["", "..", "a.b.c", "a.b", &format!("{}.{}", parts[0], parts[1])] {
            assert_eq!(verify(nonsense), Err(TokenFault::Algorithm), "{nonsense}");
        }
        let encryption: Jwk = {
            let mut key = serde_json::to_value(&keys[1]).unwrap();
            key["use"] = json!("enc");
            serde_json::from_value(key).unwrap()
        };
        assert_eq!(super::verify(&good, &[encryption], &EXPECTED).map(|_| ()), Err(TokenFault::UnknownKey));
    }
}
