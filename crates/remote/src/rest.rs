//! One server, asked by HTTP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use honinbo_net::NetworkHeader;
use serde::Deserialize;
use ureq::http::{Response, StatusCode, header};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body, Error};

use crate::endpoint::{Endpoint, Token};
use crate::error::{EndpointError, first_line, refused_by_http};
use crate::message::{Inferred, Question, TensorForm, Wire, read_answer};
use crate::metadata::ModelMetadata;
use crate::trust::distrust;

/// The largest description of a server or model that is read, in bytes.
const MAX_DESCRIPTION: usize = 1 << 20;
/// What is read of a server's words about a failure, in bytes.
const MAX_COMPLAINT: u64 = 4 << 10;
/// Unused connections that are kept.
const KEPT_CONNECTIONS: usize = 16;
/// Length of the JSON in front of binary tensors.
const JSON_LENGTH: &str = "Inference-Header-Content-Length";
/// The extension by which a server says that it takes binary tensors.
const BINARY_EXTENSION: &str = "binary_tensor_data";
/// OpenVINO Model Server takes them and lists no extensions.
const OVMS_NAME: &str = "OpenVINO Model Server";

/// A server and how it is asked.
#[derive(Debug)]
pub(crate) struct Client {
    endpoint: Endpoint,
    authorization: Option<String>,
    form: TensorForm,
    agent: Agent,
}

#[derive(Deserialize)]
struct ServerMetadata {
    #[serde(default)]
    name: String,
    #[serde(default)]
    extensions: Vec<String>,
}

#[derive(Deserialize)]
struct Complaint {
    error: String,
}

impl Client {
    pub(crate) fn new(
        endpoint: Endpoint,
        token: Option<&Token>,
        roots: RootCerts,
        form: TensorForm,
        connect: Duration,
    ) -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots)
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(endpoint.is_encrypted())
            // A redirect would take positions, and the token, to somebody who was not named.
            .max_redirects(0)
            .timeout_connect(Some(connect))
            .max_idle_connections(KEPT_CONNECTIONS)
            .max_idle_connections_per_host(KEPT_CONNECTIONS)
            .user_agent("")
            .tls_config(tls);
        // Servers of one's own network are not behind a proxy.
        let config = if endpoint.is_encrypted() { config } else { config.proxy(None) };
        let (agent, authorization) = (config.build().into(), token.map(Token::header));
        Self { endpoint, authorization, form, agent }
    }

    /// What a model takes and gives, and the form of questions that the server takes.
    pub(crate) fn describe(&self, model: &str, deadline: Duration) -> Result<(ModelMetadata, Wire), EndpointError> {
        let binary = self.form == TensorForm::Auto && {
            let server: ServerMetadata = self.described("", deadline)?;
            server.name == OVMS_NAME || server.extensions.iter().any(|extension| extension == BINARY_EXTENSION)
        };
        let metadata: ModelMetadata = self.described(&format!("/models/{model}"), deadline)?;
        Ok((metadata, if binary { Wire::Binary } else { Wire::Json }))
    }

    fn described<T: for<'de> Deserialize<'de>>(&self, path: &str, deadline: Duration) -> Result<T, EndpointError> {
        let (_, body) = self.exchange(path, None, deadline, MAX_DESCRIPTION)?;
        serde_json::from_slice(&body)
            .map_err(|error| EndpointError::Malformed { reason: first_line(&format!("no description: {error}")) })
    }

    /// Has a batch computed.
    pub(crate) fn infer(
        &self,
        model: &str,
        header: &NetworkHeader,
        question: &Question,
        deadline: Duration,
    ) -> Result<Inferred, EndpointError> {
        let path = format!("/models/{model}/infer");
        let (json_length, body) = self.exchange(&path, Some(question), deadline, question.max_answer(header))?;
        read_answer(header, question, &body, json_length)
    }

    /// Asks once, and once more where a connection that was kept turned out to be closed. Answers with the length of the
    /// JSON where that is said, and with the whole body.
    fn exchange(
        &self,
        path: &str,
        question: Option<&Question>,
        deadline: Duration,
        limit: usize,
    ) -> Result<(Option<usize>, Vec<u8>), EndpointError> {
        let failed = |error| self.failure(&error, deadline);
        let response = match self.send(path, question, deadline) {
            Err(Error::Io(error)) if is_closed(&error) => self.send(path, question, deadline).map_err(failed)?,
            other => other.map_err(failed)?,
        };
        if response.status() != StatusCode::OK {
            return Err(refusal(response));
        }
        let json_length = response.headers().get(JSON_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        match response.into_body().into_with_config().limit(limit as u64).read_to_vec() {
            Ok(body) => Ok((json_length, body)),
            Err(Error::BodyExceedsLimit(_)) => {
                Err(EndpointError::Malformed { reason: format!("it is longer than {limit} bytes") })
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn send(&self, path: &str, question: Option<&Question>, deadline: Duration) -> Result<Response<Body>, Error> {
        let url = format!("{}/v2{path}", self.endpoint);
        let Some(question) = question else {
            let mut request = self.agent.get(url);
            if let Some(authorization) = &self.authorization {
                request = request.header(header::AUTHORIZATION, authorization);
            }
            return request.config().timeout_global(Some(deadline)).build().call();
        };
        let mut request = self.agent.post(url);
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let request = match question.json_length {
            Some(length) => {
                request.header(header::CONTENT_TYPE, "application/octet-stream").header(JSON_LENGTH, length.to_string())
            }
            None => request.header(header::CONTENT_TYPE, "application/json"),
        };
        request.config().timeout_global(Some(deadline)).build().send(&question.body[..])
    }

    fn failure(&self, error: &Error, deadline: Duration) -> EndpointError {
        let tls = match error {
            Error::Rustls(error) => Some(error),
            Error::Io(error) => error.get_ref().and_then(|error| error.downcast_ref()),
            _ => None,
        };
        if let Some(distrusted) = tls.and_then(distrust) {
            return distrusted;
        }
        match error {
            Error::Timeout(_) => EndpointError::Deadline { after: deadline },
            Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => EndpointError::Deadline { after: deadline },
            Error::Protocol(error) => EndpointError::Malformed { reason: first_line(&error.to_string()) },
            other => EndpointError::Unreachable { reason: first_line(&other.to_string()) },
        }
    }
}

/// Whether the other side ended a connection that was kept for the next request.
fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

fn refusal(response: Response<Body>) -> EndpointError {
    let status = response.status();
    let retry_after =
        response.headers().get(header::RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
    let retry_after = retry_after.map(Duration::from_secs);
    let text = response.into_body().into_with_config().limit(MAX_COMPLAINT).lossy_utf8(true).read_to_string();
    let text = text.unwrap_or_default();
    let text = serde_json::from_str(&text).map_or(text, |Complaint { error }| error);
    refused_by_http(status, first_line(&text), retry_after)
}
