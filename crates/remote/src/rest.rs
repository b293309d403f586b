//! One server, asked by HTTP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use honinbo_net::{NetworkHeader, NetworkOutputs};
use serde::Deserialize;
use ureq::http::{Response, StatusCode, header};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body, Error};

use crate::endpoint::{Endpoint, Token};
use crate::error::{EndpointError, first_line};
use crate::message::{Question, TensorForm, read_answer};
use crate::metadata::{Graph, ModelMetadata};

/// The largest description of a server or model that is read, in bytes.
const MAX_DESCRIPTION: usize = 1 << 20;
/// What is read of a server's words about a failure, in bytes.
const MAX_COMPLAINT: u64 = 4 << 10;
/// The longest rest that a server may ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);
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
    model: String,
    authorization: Option<String>,
    form: TensorForm,
    agent: Agent,
}

/// What a server said of its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Served {
    pub(crate) graph: Graph,
    /// Whether it takes binary tensors.
    pub(crate) binary: bool,
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
        model: String,
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
        Self { endpoint, model, authorization, form, agent }
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// What it serves, or why that is not the network.
    pub(crate) fn describe(&self, header: &NetworkHeader, deadline: Duration) -> Result<Served, EndpointError> {
        let binary = self.form == TensorForm::Auto && {
            let server: ServerMetadata = self.described("", deadline)?;
            server.name == OVMS_NAME || server.extensions.iter().any(|extension| extension == BINARY_EXTENSION)
        };
        let metadata: ModelMetadata = self.described(&format!("/models/{}", self.model), deadline)?;
        Ok(Served { graph: metadata.graph(header, &self.model)?, binary })
    }

    fn described<T: for<'de> Deserialize<'de>>(&self, path: &str, deadline: Duration) -> Result<T, EndpointError> {
        let (_, body) = self.exchange(path, None, deadline, MAX_DESCRIPTION)?;
        serde_json::from_slice(&body)
            .map_err(|error| EndpointError::Malformed { reason: first_line(&format!("no description: {error}")) })
    }

    /// Has a batch computed.
    pub(crate) fn infer(
        &self,
        header: &NetworkHeader,
        question: &Question,
        deadline: Duration,
    ) -> Result<NetworkOutputs, EndpointError> {
        let path = format!("/models/{}/infer", self.model);
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
        if let Some(reason) = distrust(error) {
            return EndpointError::Certificate { reason };
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

/// What is wrong with a certificate, where that is what ended the handshake.
fn distrust(error: &Error) -> Option<String> {
    use rustls::CertificateError as Wrong;
    let error = match error {
        Error::Rustls(error) => error,
        Error::Io(error) => error.get_ref()?.downcast_ref()?,
        _ => return None,
    };
    let rustls::Error::InvalidCertificate(wrong) = error else { return None };
    Some(match wrong {
        Wrong::UnknownIssuer | Wrong::BadSignature => "no authority that is trusted here has signed it".into(),
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "it is for another name".into(),
        Wrong::Expired | Wrong::ExpiredContext { .. } => "it has expired".into(),
        other => first_line(&other.to_string()),
    })
}

fn refusal(response: Response<Body>) -> EndpointError {
    let status = response.status();
    let retry_after =
        response.headers().get(header::RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
    let retry_after = retry_after.map(|seconds| Duration::from_secs(seconds).min(MAX_RETRY_AFTER));
    let text = response.into_body().into_with_config().limit(MAX_COMPLAINT).lossy_utf8(true).read_to_string();
    let text = text.unwrap_or_default();
    let text = serde_json::from_str(&text).map_or(text, |Complaint { error }| error);
    let (message, status) = (first_line(&text), status.as_u16());
    match status {
        429 | 503 => EndpointError::Busy { message, retry_after },
        401 | 403 => EndpointError::Unauthorised { status, message },
        500.. => EndpointError::Failed { status, message },
        _ => EndpointError::Refused { status, message },
    }
}
