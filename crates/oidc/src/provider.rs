//! One provider: what it says of itself, and the way of a log-in through it.

use crate::error::{OidcError, TokenFault, first_line};
use crate::identity::Identity;
use crate::random::{challenge, random};
use crate::settings::{Secret, Settings, SettingsError};
use crate::signature::install;
use crate::token::{Expected, LogOutToken, LoggedOut, verify, verify_log_out};
use crate::web::Web;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::{Serializer, byte_serialize};
use jsonwebtoken::jwk::Jwk;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long what the provider says of itself is believed, and how long its keys are.
const FRESH: Duration = Duration::from_secs(3600);
/// Keys are not fetched more often than this, whatever tokens say.
const KEYS_EVERY: Duration = Duration::from_secs(60);
/// A provider that failed is left alone for so long.
const REST: Duration = Duration::from_secs(3);
/// Keys that are looked at.
const MAX_KEYS: usize = 100;
/// A code has at most so many bytes.
const MAX_CODE: usize = 4096;
/// A token that tells of a log-out has at most so many bytes.
const MAX_TOKEN: usize = 12 << 10;
/// Such tokens that are known again.
const MAX_USED: usize = 10_000;

/// What time it is.
#[derive(Debug, Clone, Copy)]
pub struct Now {
    /// Seconds since 1970.
    pub unix_seconds: i64,
    /// A clock that never goes back.
    pub monotonic: Duration,
}

/// What only the server knows of a log-in that has begun. Never shown.
#[derive(Clone)]
pub struct Secrets {
    state: String,
    nonce: String,
    verifier: String,
    redirect: String,
}

impl Secrets {
    /// Whether this is the state that the browser was sent away with. Takes as long for a wrong one as for the right one.
    #[must_use]
    pub fn is_state(&self, given: &str) -> bool {
        let (own, given) = (self.state.as_bytes(), given.as_bytes());
        own.len() == given.len() && own.iter().zip(given).fold(0, |found, (a, b)| found | (a ^ b)) == 0
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// A log-in that has begun.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Where the browser is to be sent.
    pub address: String,
    /// What is to be kept until it comes back.
    pub secrets: Secrets,
}

/// A log-out at the provider.
#[derive(Debug, Clone)]
pub struct LogOut {
    /// Where the browser is to be sent.
    pub address: String,
    /// What it brings back.
    pub state: String,
}

/// What a provider says of itself (OpenID Connect Discovery 1.0, 3), as far as it is used.
#[derive(Debug, Clone, Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    userinfo_endpoint: Option<String>,
    #[serde(default)]
    end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: Option<String>,
    access_token: Option<String>,
}

#[derive(Default)]
struct Known {
    description: Option<(Duration, Arc<Description>)>,
    keys: Option<(Duration, Arc<Vec<Jwk>>)>,
    /// It failed then, in this way.
    failed: Option<(Duration, OidcError)>,
}

/// A provider. Its calls wait for it, and belong on threads that may wait.
pub struct Provider {
    settings: Settings,
    web: Web,
    /// Held while the provider is asked about itself, so that it is asked once however many log in.
    known: Mutex<Known>,
    /// The numbers of tokens that have told of a log-out, and when each would be too old anyway, in seconds since 1970.
    used: Mutex<HashMap<String, i64>>,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Provider {
    /// A provider that has not been asked anything yet.
    ///
    /// # Errors
    /// Settings that could not be used.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        install();
        let web = Web::new(&settings);
        Ok(Self { settings, web, known: Mutex::default(), used: Mutex::default() })
    }

    /// The provider's name, which identities have.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.settings.issuer.as_str()
    }

    /// Begins a log-in after which the browser is sent to `redirect`.
    ///
    /// # Errors
    /// When the provider cannot be asked about itself.
    pub fn begin(&self, redirect: &str, now: Now) -> Result<Begun, OidcError> {
        let description = self.description(now)?;
        let secrets =
            Secrets { state: random()?, nonce: random()?, verifier: random()?, redirect: redirect.to_owned() };
        let scopes = std::iter::once("openid").chain(self.settings.scopes.iter().map(String::as_str));
        let mut scopes: Vec<&str> = scopes.collect();
        scopes.dedup();
        let mut query = Serializer::new(String::new());
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", &scopes.join(" "))
            .append_pair("state", &secrets.state)
            .append_pair("nonce", &secrets.nonce)
            .append_pair("code_challenge", &challenge(&secrets.verifier))
            .append_pair("code_challenge_method", "S256");
        Ok(Begun { address: with_query(&description.authorization_endpoint, &query.finish()), secrets })
    }

    /// Whether a browser can be sent to the provider to log out there.
    ///
    /// # Errors
    /// When the provider cannot be asked about itself.
    pub fn can_log_out(&self, now: Now) -> Result<bool, OidcError> {
        Ok(self.description(now)?.end_session_endpoint.is_some())
    }

    /// Where to send a browser to log out at the provider, which sends it back to `back`; `None` where the provider has no
    /// such place. This server is named by its client id: ID tokens, which would say whose session it is, are not kept.
    ///
    /// # Errors
    /// When the provider cannot be asked about itself.
    pub fn log_out(&self, back: &str, now: Now) -> Result<Option<LogOut>, OidcError> {
        let description = self.description(now)?;
        let Some(endpoint) = &description.end_session_endpoint else { return Ok(None) };
        let state = random()?;
        let mut query = Serializer::new(String::new());
        query
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("post_logout_redirect_uri", back)
            .append_pair("state", &state);
        Ok(Some(LogOut { address: with_query(endpoint, &query.finish()), state }))
    }

    /// Whose session has ended, as the provider says in this token. Each token is good once.
    ///
    /// # Errors
    /// See [`OidcError`].
    pub fn logged_out(&self, token: &str, now: Now) -> Result<LoggedOut, OidcError> {
        if token.len() > MAX_TOKEN {
            return Err(OidcError::Malformed { reason: "the token has another length".into() });
        }
        let description = self.description(now)?;
        let client = &self.settings.client_id;
        let LogOutToken { of, id, ends } = self.with_keys(&description, now, |keys| {
            verify_log_out(token, keys, self.issuer(), client, now.unix_seconds)
        })?;
        let mut used = self.used.lock();
        used.retain(|_, ends| *ends > now.unix_seconds);
        if used.contains_key(&id) {
            return Err(TokenFault::Repeated.into());
        }
        // Only the provider itself can make so many; the first ones are the oldest by then.
        if used.len() >= MAX_USED
            && let Some(oldest) = used.iter().min_by_key(|(_, ends)| **ends).map(|(id, _)| id.clone())
        {
            used.remove(&oldest);
        }
        used.insert(id, ends);
        Ok(of)
    }

    /// Refuses an answer that says to be another provider's (RFC 9207), and one that does not say whose it is though this
    /// provider always does.
    ///
    /// # Errors
    /// [`TokenFault::Issuer`], and when the provider cannot be asked about itself.
    pub fn check_answer(&self, issuer: Option<&str>, now: Now) -> Result<(), OidcError> {
        match issuer {
            Some(issuer) if issuer == self.issuer() => Ok(()),
            None if !self.description(now)?.authorization_response_iss_parameter_supported => Ok(()),
            _ => Err(TokenFault::Issuer.into()),
        }
    }

    /// Who somebody is whose browser came back with this code.
    ///
    /// # Errors
    /// See [`OidcError`].
    pub fn finish(&self, secrets: &Secrets, code: &str, now: Now) -> Result<Identity, OidcError> {
        if code.is_empty() || code.len() > MAX_CODE {
            return Err(OidcError::Malformed { reason: "the code has another length".into() });
        }
        let description = self.description(now)?;
        let answer = self.exchange(&description, secrets, code)?;
        let no_token = || OidcError::Malformed { reason: "there is no ID token in it".into() };
        let token = answer.id_token.ok_or_else(no_token)?;
        let mut claims = self.claims(&description, &token, answer.access_token.as_deref(), secrets, now)?;
        let said = |name: &str| claims.get(name).and_then(Value::as_str).map(str::to_owned);
        let (subject, session) = (said("sub").unwrap_or_default(), said("sid"));
        if let (Some(endpoint), Some(access)) = (&description.userinfo_endpoint, &answer.access_token) {
            // The token says who it is; without the rest, the name here is another one.
            let more: Map<String, Value> = self.web.get(endpoint, Some(access)).unwrap_or_default();
            // OpenID Connect Core 1.0, 5.3.2: what is said of somebody else is not believed.
            if more.get("sub").is_some_and(|other| other.as_str() != Some(&subject)) {
                return Err(TokenFault::Subject.into());
            }
            for (name, value) in more {
                claims.entry(name).or_insert(value);
            }
        }
        Ok(Identity { issuer: self.issuer().to_owned(), subject, session, claims })
    }

    fn exchange(&self, description: &Description, secrets: &Secrets, code: &str) -> Result<TokenAnswer, OidcError> {
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &secrets.redirect)
            .append_pair("code_verifier", &secrets.verifier);
        let client = &self.settings.client_id;
        // Where nothing is said it is `client_secret_basic`.
        let methods = description.token_endpoint_auth_methods_supported.as_deref();
        let takes = |method: &str| methods.is_none_or(|methods| methods.iter().any(|one| one == method));
        let basic = match &self.settings.client_secret {
            None => {
                form.append_pair("client_id", client);
                None
            }
            Some(secret) if takes("client_secret_basic") => Some(basic(client, secret)),
            Some(secret) => {
                form.append_pair("client_id", client).append_pair("client_secret", secret.reveal());
                None
            }
        };
        self.web.post(&description.token_endpoint, basic.as_deref(), &form.finish())
    }

    /// What an ID token says.
    fn claims(
        &self,
        description: &Description,
        token: &str,
        access_token: Option<&str>,
        secrets: &Secrets,
        now: Now,
    ) -> Result<Map<String, Value>, OidcError> {
        let expected = Expected {
            issuer: self.issuer(),
            client_id: &self.settings.client_id,
            nonce: &secrets.nonce,
            now: now.unix_seconds,
            access_token,
        };
        self.with_keys(description, now, |keys| verify(token, keys, &expected))
    }

    /// Looks at a token. Where its key is not known, or does not fit, the provider may have changed its keys.
    fn with_keys<T>(
        &self,
        description: &Description,
        now: Now,
        verify: impl Fn(&[Jwk]) -> Result<T, TokenFault>,
    ) -> Result<T, OidcError> {
        match verify(&self.keys(description, now, FRESH)?) {
            Err(TokenFault::UnknownKey | TokenFault::Signature) => {
                Ok(verify(&self.keys(description, now, KEYS_EVERY)?)?)
            }
            known => Ok(known?),
        }
    }

    fn description(&self, now: Now) -> Result<Arc<Description>, OidcError> {
        let mut known = self.known.lock();
        if let Some((fetched, description)) = &known.description
            && now.monotonic.saturating_sub(*fetched) < FRESH
        {
            return Ok(Arc::clone(description));
        }
        if let Some((failed, error)) = &known.failed
            && now.monotonic.saturating_sub(*failed) < REST
        {
            return Err(error.clone());
        }
        match self.describe() {
            Ok(description) => {
                let description = Arc::new(description);
                known.description = Some((now.monotonic, Arc::clone(&description)));
                known.failed = None;
                Ok(description)
            }
            Err(error) => {
                known.failed = Some((now.monotonic, error.clone()));
                Err(error)
            }
        }
    }

    fn describe(&self) -> Result<Description, OidcError> {
        let issuer = &self.settings.issuer;
        let description: Description = self.web.get(&issuer.description(), None)?;
        if description.issuer != issuer.as_str() {
            let reason = format!("it says that its issuer is {:?}", first_line(&description.issuer));
            return Err(OidcError::Description { reason });
        }
        issuer.check_endpoint("authorization_endpoint", &description.authorization_endpoint)?;
        issuer.check_endpoint("token_endpoint", &description.token_endpoint)?;
        issuer.check_endpoint("jwks_uri", &description.jwks_uri)?;
        if let Some(userinfo) = &description.userinfo_endpoint {
            issuer.check_endpoint("userinfo_endpoint", userinfo)?;
        }
        if let Some(end_session) = &description.end_session_endpoint {
            issuer.check_endpoint("end_session_endpoint", end_session)?;
        }
        Ok(description)
    }

    /// The provider's keys, no older than this.
    fn keys(&self, description: &Description, now: Now, age: Duration) -> Result<Arc<Vec<Jwk>>, OidcError> {
        let mut known = self.known.lock();
        if let Some((fetched, keys)) = &known.keys
            && now.monotonic.saturating_sub(*fetched) < age
        {
            return Ok(Arc::clone(keys));
        }
        if let Some((failed, error)) = &known.failed
            && now.monotonic.saturating_sub(*failed) < REST
        {
            return Err(error.clone());
        }
        let set: KeySet = match self.web.get(&description.jwks_uri, None) {
            Ok(set) => set,
            Err(error) => {
                known.failed = Some((now.monotonic, OidcError::clone(&error)));
                return Err(error);
            }
        };
        // A kind of key that is not known here does not make the others useless.
        let readable = set.keys.into_iter().take(MAX_KEYS).filter_map(|key| serde_json::from_value(key).ok());
        let keys = Arc::new(readable.collect::<Vec<Jwk>>());
        known.keys = Some((now.monotonic, Arc::clone(&keys)));
        Ok(keys)
    }
}

/// An address with these fields behind those that it has.
fn with_query(endpoint: &str, query: &str) -> String {
    let joint = if endpoint.contains('?') { '&' } else { '?' };
    format!("{endpoint}{joint}{query}")
}

/// Name and secret as RFC 6749, 2.3.1 has them: each is written as in a form first.
fn basic(client: &str, secret: &Secret) -> String {
    let form = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    STANDARD.encode(format!("{}:{}", form(client), form(secret.reveal())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_secret_are_written_as_in_a_form_first() {
        let secret = Secret::new("a:b c%").unwrap();
        assert_eq!(STANDARD.decode(basic("go club", &secret)).unwrap(), b"go+club:a%3Ab+c%25");
    }

    #[test]
    fn only_the_very_state_is_the_state() {
        let state = |text: &str| Secrets {
            state: text.into(),
            nonce: String::new(),
            verifier: String::new(),
            redirect: String::new(),
        };
        assert!(state("abc").is_state("abc"));
        for wrong in ["", "ab", "abd", "abcd"] {
            assert!(!state("abc").is_state(wrong), "{wrong}");
        }
        assert!(!format!("{:?}", state("hidden")).contains("hidden"));
    }
}
