//! Requests to the provider.

use crate::error::{OidcError, first_line};
use crate::settings::Settings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use ureq::http::{Response, StatusCode, header};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body, Error};

/// The largest answer that is read, in bytes: descriptions and sets of keys have a few thousand.
const MAX_ANSWER: u64 = 256 << 10;
/// What is read of an error.
const MAX_COMPLAINT: u64 = 4 << 10;

/// Asks, and reads JSON.
pub(crate) struct Web {
    agent: Agent,
    patience: Duration,
}

/// How OAuth 2.0 says that something was refused (RFC 6749, 5.2).
#[derive(Deserialize)]
struct Complaint {
    error: String,
    #[serde(default)]
    error_description: String,
}

impl Web {
    pub(crate) fn new(settings: &Settings) -> Self {
        let roots = match settings.authorities.as_slice() {
            [] => RootCerts::PlatformVerifier,
            known => RootCerts::new_with_certs(known),
        };
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots)
            .build();
        let plain = settings.issuer.is_plain();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(!plain)
            // A redirect would take codes and secrets to somebody who was not named.
            .max_redirects(0)
            .user_agent(concat!("honinbo/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls);
        let config = if plain { config.proxy(None) } else { config };
        Self { agent: config.build().into(), patience: settings.patience }
    }

    /// Reads a document; with a token where one is given.
    pub(crate) fn get<T: DeserializeOwned>(&self, address: &str, token: Option<&str>) -> Result<T, OidcError> {
        let mut request = self.agent.get(address).header(header::ACCEPT, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = request.config().timeout_global(Some(self.patience)).build().call();
        self.read(response)
    }

    /// Sends a form.
    pub(crate) fn post<T: DeserializeOwned>(
        &self,
        address: &str,
        basic: Option<&str>,
        form: &str,
    ) -> Result<T, OidcError> {
        let mut request = self
            .agent
            .post(address)
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(basic) = basic {
            request = request.header(header::AUTHORIZATION, format!("Basic {basic}"));
        }
        let response = request.config().timeout_global(Some(self.patience)).build().send(form);
        self.read(response)
    }

    fn read<T: DeserializeOwned>(&self, response: Result<Response<Body>, Error>) -> Result<T, OidcError> {
        let response = response.map_err(|error| self.failure(&error))?;
        let status = response.status();
        if status != StatusCode::OK {
            return Err(refusal(status, response));
        }
        let body = match response.into_body().into_with_config().limit(MAX_ANSWER).read_to_vec() {
            Ok(body) => body,
            Err(Error::BodyExceedsLimit(_)) => {
                return Err(OidcError::Malformed { reason: format!("it is longer than {MAX_ANSWER} bytes") });
            }
            Err(error) => return Err(self.failure(&error)),
        };
        // Where in it, and never what: a token stands in some of them.
        serde_json::from_slice(&body).map_err(|error| OidcError::Malformed {
            reason: format!("no such JSON as is described (line {}, column {})", error.line(), error.column()),
        })
    }

    fn failure(&self, error: &Error) -> OidcError {
        match error {
            Error::Timeout(_) => OidcError::Deadline { after: self.patience },
            Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => OidcError::Deadline { after: self.patience },
            Error::Protocol(error) => OidcError::Malformed { reason: first_line(&error.to_string()) },
            other => OidcError::Unreachable { reason: first_line(&other.to_string()) },
        }
    }
}

fn refusal(status: StatusCode, response: Response<Body>) -> OidcError {
    if status.is_redirection() {
        return OidcError::Refused { reason: format!("it sends somewhere else ({status}), which is not followed") };
    }
    let text = response.into_body().into_with_config().limit(MAX_COMPLAINT).lossy_utf8(true).read_to_string();
    let said = serde_json::from_str(&text.unwrap_or_default());
    let reason = said.map_or_else(
        |_| status.to_string(),
        |Complaint { error, error_description: more }| {
            first_line(&if more.is_empty() { error } else { format!("{error}: {more}") })
        },
    );
    OidcError::Refused { reason }
}
