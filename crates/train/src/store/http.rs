//! Requests to stores by the client and the TLS that the rest of the program has.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use ureq::http::{Request, Response, Uri, request::Parts};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body};

/// Longest time to a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Longest time to the head of an answer.
const ANSWER: Duration = Duration::from_secs(60);
/// Longest time for a request as a whole.
const WHOLE: Duration = Duration::from_secs(600);
/// Most bytes of an answer.
const MAX_ANSWER: u64 = 4 << 30;
/// Where machines in a cloud ask for the credentials of their role; none of them has TLS.
const METADATA: [&str; 5] =
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "metadata.google.internal", "metadata"];

/// Opens connections to a store.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    encrypted: Agent,
    plain: Agent,
    /// Whether other machines may be asked without encryption.
    allow_plain: bool,
}

#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("{0} would be asked without encryption")]
    Plain(String),
    #[error("the request came to no end")]
    Ended,
}

impl Connector {
    pub(super) fn new(allow_plain: bool) -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let config = || {
            Agent::config_builder()
                .http_status_as_error(false)
                // A redirect would take signed requests to somebody who was not named.
                .max_redirects(0)
                .timeout_connect(Some(CONNECT))
                .timeout_recv_response(Some(ANSWER))
                .timeout_global(Some(WHOLE))
                .user_agent("honinbo")
        };
        Self {
            encrypted: config().https_only(true).tls_config(tls).build().into(),
            plain: config().proxy(None).build().into(),
            allow_plain,
        }
    }

    fn agent(&self, uri: &Uri) -> Result<&Agent, HttpError> {
        if uri.scheme_str() == Some("https") {
            return Ok(&self.encrypted);
        }
        let host = uri.host().unwrap_or_default();
        if self.allow_plain || is_loopback(host) || METADATA.contains(&host) {
            return Ok(&self.plain);
        }
        Err(HttpError::new(HttpErrorKind::Unknown, Refusal::Plain(host.to_owned())))
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Connector {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let agent = self.agent(&parts.uri)?.clone();
        let body = body.collect().await?.to_bytes();
        let asked = tokio::task::spawn_blocking(move || exchange(&agent, parts, &body).map_err(failed));
        asked.await.unwrap_or_else(|_| Err(HttpError::new(HttpErrorKind::Unknown, Refusal::Ended)))
    }
}

fn exchange(agent: &Agent, parts: Parts, body: &[u8]) -> Result<HttpResponse, ureq::Error> {
    let is_read = parts.method == "GET" || parts.method == "HEAD" || parts.method == "DELETE";
    let answer: Response<Body> = if is_read && body.is_empty() {
        agent.run(Request::from_parts(parts, ()))?
    } else {
        agent.run(Request::from_parts(parts, body))?
    };
    let (parts, mut body) = answer.into_parts();
    let bytes = body.with_config().limit(MAX_ANSWER).read_to_vec()?;
    Ok(HttpResponse::from_parts(parts, HttpResponseBody::from(bytes)))
}

fn failed(error: ureq::Error) -> HttpError {
    use std::io::ErrorKind;
    let kind = match &error {
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => HttpErrorKind::Connect,
        ureq::Error::Io(io) => match io.kind() {
            ErrorKind::ConnectionRefused => HttpErrorKind::Connect,
            ErrorKind::TimedOut => HttpErrorKind::Timeout,
            _ => HttpErrorKind::Interrupted,
        },
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_without_encryption() {
        let asked = |plain: bool, uri: &str| Connector::new(plain).agent(&uri.parse().unwrap()).is_ok();
        for allowed in ["https://s3.example/x", "http://127.0.0.1:9/x", "http://[::1]/x", "http://localhost:8333/"] {
            assert!(asked(false, allowed), "{allowed}");
        }
        for refused in ["http://s3.example/x", "http://10.0.0.7/x", "http://127.0.0.1.example/x"] {
            assert!(!asked(false, refused) && asked(true, refused), "{refused}");
        }
    }
}
