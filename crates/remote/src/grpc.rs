//! One server, asked by gRPC.
//!
//! Callers are threads that wait; connections are kept by a small runtime that all servers of a fleet share. A connection
//! carries any number of requests at a time, is made with the first, and made anew after one that it failed.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf as _, BufMut as _, Bytes};
use honinbo_net::NetworkHeader;
use http::uri::PathAndQuery;
use http::{Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use prost::Message;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{self, Channel};
use tonic::{Code, Request, Status, TimeoutExpired};
use tower::ServiceExt as _;

use crate::endpoint::{Authorities, Endpoint, Token};
use crate::error::{EndpointError, MAX_RETRY_AFTER, Refusal, first_line, refused_by_http};
use crate::message::{Inferred, Question};
use crate::metadata::ModelMetadata;
use crate::proto::{ModelMetadataResponse, ModelReadyResponse, ModelRequest, read_answer};
use crate::trust::{distrust, http2_config};

/// The largest description of a model that is read, in bytes.
const MAX_DESCRIPTION: usize = 1 << 20;
/// The longest headers and trailers, in bytes.
const MAX_HEADERS: u32 = 16 << 10;
/// What a server may send ahead of what was read: of one answer, and of all on a connection.
const WINDOWS: (u32, u32) = (1 << 20, 8 << 20);
/// Threads that keep the connections of all servers.
const THREADS: usize = 2;
/// When a server that refuses wants to be asked again, in milliseconds.
const RETRY_PUSHBACK: &str = "grpc-retry-pushback-ms";

/// The threads on which connections are kept. They end with the last client, which may be dropped anywhere: nothing is
/// waited for.
pub(crate) struct Connections(Option<Runtime>);

impl Connections {
    pub(crate) fn new() -> io::Result<Self> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(THREADS).thread_name("inference-grpc").enable_io().enable_time();
        Ok(Self(Some(builder.build()?)))
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("it is taken when this is dropped, and not before")
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connections")
    }
}

/// A server and how it is asked.
#[derive(Debug)]
pub(crate) struct Client {
    connections: Arc<Connections>,
    connector: Connector,
    authorization: Option<MetadataValue<Ascii>>,
    channel: Mutex<Channel>,
}

impl Client {
    /// Nothing is opened before the first request.
    pub(crate) fn new(
        connections: Arc<Connections>,
        endpoint: &Endpoint,
        token: Option<&Token>,
        authorities: &Authorities,
        connect: Duration,
    ) -> Result<Self, EndpointError> {
        let tls = if endpoint.is_encrypted() {
            let config = http2_config(authorities)
                .map_err(|error| EndpointError::Certificate { reason: first_line(&error.to_string()) })?;
            Some(TlsConnector::from(Arc::new(config)))
        } else {
            None
        };
        let connector = Connector { endpoint: endpoint.clone(), tls, timeout: connect };
        let channel = connector.channel(&connections)?;
        let authorization = token.and_then(|token| {
            let mut value: MetadataValue<Ascii> = token.header().parse().ok()?;
            value.set_sensitive(true);
            Some(value)
        });
        Ok(Self { connections, connector, authorization, channel: Mutex::new(channel) })
    }

    /// What a model takes and gives, where it is ready.
    pub(crate) fn describe(&self, model: &str, deadline: Duration) -> Result<ModelMetadata, EndpointError> {
        let asked = || ModelRequest { name: model.to_owned(), version: String::new() }.encode_to_vec().into();
        let described: ModelMetadataResponse = self.described("ModelMetadata", asked(), deadline)?;
        let ModelReadyResponse { ready } = self.described("ModelReady", asked(), deadline)?;
        if !ready {
            return Err(EndpointError::Busy { message: "its model is not ready".into(), retry_after: None });
        }
        Ok(described.into_metadata())
    }

    fn described<T: Message + Default>(
        &self,
        method: &'static str,
        body: Bytes,
        deadline: Duration,
    ) -> Result<T, EndpointError> {
        let answer = self.exchange(method, &body, deadline, MAX_DESCRIPTION)?;
        T::decode(answer)
            .map_err(|error| EndpointError::Malformed { reason: first_line(&format!("no description: {error}")) })
    }

    /// Has a batch computed.
    pub(crate) fn infer(
        &self,
        header: &NetworkHeader,
        question: &Question,
        deadline: Duration,
    ) -> Result<Inferred, EndpointError> {
        let answer = self.exchange("ModelInfer", &question.body, deadline, question.max_answer(header))?;
        read_answer(header, question, answer)
    }

    /// Asks once. A connection that failed, or kept silent for too long, is left for another one: what hangs on it would
    /// hang the next request as well.
    fn exchange(
        &self,
        method: &'static str,
        body: &Bytes,
        deadline: Duration,
        limit: usize,
    ) -> Result<Bytes, EndpointError> {
        let channel = self.channel.lock().clone();
        let answer = self.on_runtime(async {
            let call = self.call(channel, method, body.clone(), deadline, limit);
            timeout(deadline, call).await.unwrap_or(Err(EndpointError::Deadline { after: deadline }))
        });
        if let Err(EndpointError::Deadline { .. } | EndpointError::Unreachable { .. }) = answer {
            *self.channel.lock() = self.connector.channel(&self.connections)?;
        }
        answer
    }

    fn on_runtime<T>(&self, future: impl Future<Output = T>) -> T {
        self.connections.runtime().block_on(future)
    }

    async fn call(
        &self,
        channel: Channel,
        method: &'static str,
        body: Bytes,
        deadline: Duration,
        limit: usize,
    ) -> Result<Bytes, EndpointError> {
        let mut request = Request::new(body);
        // So that the server can leave off, too.
        request.set_timeout(deadline);
        if let Some(authorization) = &self.authorization {
            request.metadata_mut().insert(header::AUTHORIZATION.as_str(), authorization.clone());
        }
        let path = format!("/inference.GRPCInferenceService/{method}");
        let path = PathAndQuery::try_from(path)
            .map_err(|error| EndpointError::Malformed { reason: first_line(&error.to_string()) })?;
        let mut grpc = Grpc::new(channel.map_result(is_grpc)).max_decoding_message_size(limit);
        let failed = |status: &Status| failure(status, deadline);
        grpc.ready().await.map_err(|error| failed(&Status::from_error(error)))?;
        let answer = grpc.unary(request, path, Plain).await.map_err(|status| failed(&status))?;
        Ok(answer.into_inner())
    }
}

/// Opens connections to one server.
#[derive(Clone)]
struct Connector {
    endpoint: Endpoint,
    tls: Option<TlsConnector>,
    timeout: Duration,
}

/// What HTTP/2 is spoken over.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Connector {
    fn channel(&self, connections: &Connections) -> Result<Channel, EndpointError> {
        let unusable = |error: transport::Error| EndpointError::Unreachable { reason: first_line(&error.to_string()) };
        let target = transport::Endpoint::from_shared(self.endpoint.http_url()).map_err(unusable)?;
        let target = target
            .initial_stream_window_size(WINDOWS.0)
            .initial_connection_window_size(WINDOWS.1)
            .http2_max_header_list_size(MAX_HEADERS);
        let connector = self.clone();
        let open = move |_| {
            let connector = connector.clone();
            async move { connector.open().await }
        };
        // The channel is kept by a task of the runtime.
        let _guard = connections.runtime().enter();
        Ok(target.connect_with_connector_lazy(tower::service_fn(open)))
    }

    async fn open(self) -> Result<TokioIo<Box<dyn Stream>>, EndpointError> {
        let opened = timeout(self.timeout, self.connect()).await;
        opened.unwrap_or(Err(EndpointError::Deadline { after: self.timeout })).map(TokioIo::new)
    }

    async fn connect(&self) -> Result<Box<dyn Stream>, EndpointError> {
        let unreachable = |error: io::Error| EndpointError::Unreachable { reason: first_line(&error.to_string()) };
        let (host, port) = self.endpoint.host_and_port();
        let stream = TcpStream::connect((host, port)).await.map_err(unreachable)?;
        // Requests are written whole; the last packet of one is not to wait for more.
        stream.set_nodelay(true).map_err(unreachable)?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(host.to_owned())
            .map_err(|error| EndpointError::Certificate { reason: first_line(&error.to_string()) })?;
        let stream = tls.connect(name, stream).await.map_err(|error| {
            let tls = error.get_ref().and_then(|error| error.downcast_ref());
            tls.and_then(distrust).unwrap_or_else(|| unreachable(error))
        })?;
        Ok(Box::new(stream))
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

/// Messages as they are: they are written and read by the threads that wait for them.
struct Plain;

impl Codec for Plain {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Plain {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        into.put(item);
        Ok(())
    }
}

impl Decoder for Plain {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}

/// Whether an answer is one of gRPC at all: what stands before a server, or is none, answers otherwise.
fn is_grpc(answer: Result<Response<Body>, transport::Error>) -> Result<Response<Body>, Box<dyn Error + Send + Sync>> {
    let answer = answer?;
    if answer.status() != StatusCode::OK {
        let seconds = answer.headers().get(header::RETRY_AFTER);
        let seconds = seconds.and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        let message = answer.status().canonical_reason().unwrap_or("no reason given");
        return Err(refused_by_http(answer.status(), message.to_owned(), seconds.map(Duration::from_secs)).into());
    }
    let content = answer.headers().get(header::CONTENT_TYPE).map_or(&b""[..], |content| content.as_bytes());
    if content.starts_with(b"application/grpc") {
        return Ok(answer);
    }
    let content = first_line(&String::from_utf8_lossy(content));
    Err(EndpointError::Malformed { reason: format!("it is {content:?}, not gRPC") }.into())
}

/// What went wrong: here and on the way, or what the server said.
fn failure(status: &Status, deadline: Duration) -> EndpointError {
    let mut innermost: Option<&(dyn Error + 'static)> = None;
    let mut next = status.source();
    while let Some(error) = next {
        if let Some(known) = error.downcast_ref::<EndpointError>() {
            return known.clone();
        }
        if error.is::<TimeoutExpired>() {
            return EndpointError::Deadline { after: deadline };
        }
        (innermost, next) = (Some(error), error.source());
    }
    if let Some(error) = innermost {
        return EndpointError::Unreachable { reason: first_line(&error.to_string()) };
    }
    let (code, message) = (status.code(), first_line(status.message()));
    let refusal = Refusal::Grpc(code as u8);
    match code {
        Code::DeadlineExceeded => EndpointError::Deadline { after: deadline },
        Code::Unavailable | Code::ResourceExhausted => {
            let wanted = status.metadata().get(RETRY_PUSHBACK).and_then(|time| time.to_str().ok()?.parse().ok());
            let retry_after = wanted.map(|time| Duration::from_millis(time).min(MAX_RETRY_AFTER));
            EndpointError::Busy { message, retry_after }
        }
        Code::Unauthenticated | Code::PermissionDenied => EndpointError::Unauthorised { status: refusal, message },
        // Which is what is said here of an answer that is too long.
        Code::OutOfRange => EndpointError::Malformed { reason: message },
        Code::Ok | Code::Cancelled | Code::Unknown | Code::Aborted | Code::Internal | Code::DataLoss => {
            EndpointError::Failed { status: refusal, message }
        }
        Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::FailedPrecondition
        | Code::Unimplemented => EndpointError::Refused { status: refusal, message },
    }
}
