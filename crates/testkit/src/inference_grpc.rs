//! The made-up inference server by gRPC: HTTP/2 frames and messages of its own, so that it can break off anywhere.
//!
//! Source: the Open Inference Protocol, `specification/protocol/open_inference_grpc.proto`, and gRPC over HTTP/2,
//! <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.

use crate::inference_servers::{Behaviour, Shared};
use bytes::Bytes;
use h2::server::SendResponse;
use http::{HeaderMap, Request, Response, StatusCode};
use prost::Message;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Notify;

#[derive(Clone, PartialEq, Message)]
struct Tensor {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    datatype: String,
    #[prost(int64, repeated, tag = "3")]
    shape: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct ModelRequest {
    #[prost(string, tag = "1")]
    name: String,
}

#[derive(Clone, PartialEq, Message)]
struct ModelReady {
    #[prost(bool, tag = "1")]
    ready: bool,
}

#[derive(Clone, PartialEq, Message)]
struct ModelMetadata {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, repeated, tag = "2")]
    versions: Vec<String>,
    #[prost(string, tag = "3")]
    platform: String,
    #[prost(message, repeated, tag = "4")]
    inputs: Vec<Tensor>,
    #[prost(message, repeated, tag = "5")]
    outputs: Vec<Tensor>,
}

#[derive(Clone, PartialEq, Message)]
struct ModelInfer {
    #[prost(string, tag = "1")]
    model: String,
    #[prost(message, repeated, tag = "5")]
    inputs: Vec<Tensor>,
    #[prost(bytes = "vec", repeated, tag = "7")]
    raw_inputs: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
struct ModelInferred {
    #[prost(string, tag = "1")]
    model: String,
    #[prost(string, tag = "2")]
    version: String,
    #[prost(message, repeated, tag = "5")]
    outputs: Vec<Tensor>,
    #[prost(bytes = "vec", repeated, tag = "6")]
    raw_outputs: Vec<Vec<u8>>,
}

/// Codes of gRPC.
const INVALID_ARGUMENT: u8 = 3;
const NOT_FOUND: u8 = 5;
const UNIMPLEMENTED: u8 = 12;
const INTERNAL: u8 = 13;
const UNAVAILABLE: u8 = 14;
const UNAUTHENTICATED: u8 = 16;

/// A message, or a code with a sentence.
type Reply = Result<Vec<u8>, (u8, String)>;

/// Answers whoever connects, on threads of its own.
pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            listener.set_nonblocking(true).expect("a socket");
            let listener = tokio::net::TcpListener::from_std(listener).expect("a socket");
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connection(stream, Arc::clone(&shared)));
            }
        });
    });
}

/// Answers on one connection until either side hangs up.
async fn connection(stream: TcpStream, shared: Arc<Shared>) -> Option<()> {
    let mut builder = h2::server::Builder::new();
    builder.initial_window_size(1 << 20).initial_connection_window_size(8 << 20);
    let mut connection = builder.handshake::<_, Bytes>(stream).await.ok()?;
    let hang_up = Arc::new(Notify::new());
    loop {
        tokio::select! {
            accepted = connection.accept() => {
                let (request, respond) = accepted?.ok()?;
                let (shared, hang_up) = (Arc::clone(&shared), Arc::clone(&hang_up));
                tokio::spawn(async move { answer(&shared, request, respond, &hang_up).await });
            }
            () = hang_up.notified() => return None,
        }
    }
}

/// Answers one request; `None` where the other side is gone.
async fn answer(
    shared: &Shared,
    request: Request<h2::RecvStream>,
    mut respond: SendResponse<Bytes>,
    hang_up: &Notify,
) -> Option<()> {
    let path = request.uri().path().to_owned();
    let authorization = request.headers().get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = request.into_body();
    let mut sent = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece.ok()?;
        body.flow_control().release_capacity(piece.len()).ok()?;
        sent.extend_from_slice(&piece);
    }
    let behaviour = shared.behaviour();
    let mut reply = if shared.lets_in(authorization.as_deref()) {
        reply(shared, &path, sent.get(5..)?, &behaviour)
    } else {
        Err((UNAUTHENTICATED, "no such token".into()))
    };
    let mut pushback = None;
    match &behaviour {
        Behaviour::Slow(time) => tokio::time::sleep(*time).await,
        Behaviour::Silent => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            return None;
        }
        Behaviour::HangsUp => {
            hang_up.notify_one();
            return None;
        }
        Behaviour::Garbage => return page(&mut respond, StatusCode::OK, "<html>Welcome!</html>"),
        Behaviour::Status(status, words) => match status.get(..3)? {
            "500" => reply = Err((INTERNAL, (*words).to_owned())),
            "401" => reply = Err((UNAUTHENTICATED, (*words).to_owned())),
            other => return page(&mut respond, other.parse().ok()?, words),
        },
        Behaviour::Busy(seconds) => {
            reply = Err((UNAVAILABLE, "the queue is full".into()));
            pushback = Some(u64::from(*seconds) * 1000);
        }
        Behaviour::TooMuch => reply = Ok(vec![0; 64 << 20]),
        _ => {}
    }
    let head = Response::builder().header("content-type", "application/grpc");
    match reply {
        Ok(message) => {
            let mut stream = respond.send_response(head.body(()).ok()?, false).ok()?;
            let length = u32::try_from(message.len()).ok()?.to_be_bytes();
            let framed = [&[0][..], &length, &message].concat();
            if behaviour == Behaviour::Breaks {
                stream.send_data(Bytes::copy_from_slice(&framed[..framed.len() / 2]), false).ok()?;
                // So that the half of it is on its way.
                tokio::time::sleep(Duration::from_millis(5)).await;
                hang_up.notify_one();
                return None;
            }
            stream.send_data(framed.into(), false).ok()?;
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", 0.into());
            stream.send_trailers(trailers).ok()
        }
        Err((code, sentence)) => {
            let mut head = head.header("grpc-status", code.to_string()).header("grpc-message", sentence);
            if let Some(time) = pushback {
                head = head.header("grpc-retry-pushback-ms", time);
            }
            respond.send_response(head.body(()).ok()?, true).ok().map(drop)
        }
    }
}

/// What no server of gRPC says.
fn page(respond: &mut SendResponse<Bytes>, status: StatusCode, words: &str) -> Option<()> {
    let head = Response::builder().status(status).header("content-type", "text/html").body(()).ok()?;
    respond.send_response(head, false).ok()?.send_data(Bytes::copy_from_slice(words.as_bytes()), true).ok()
}

fn reply(shared: &Shared, path: &str, message: &[u8], behaviour: &Behaviour) -> Reply {
    let no_message = |_| (INTERNAL, "failed to parse the request".to_owned());
    let known = |name: &str| {
        let unknown = || (NOT_FOUND, format!("Request for unknown model: '{name}' is not found"));
        (name == shared.model()).then_some(()).ok_or_else(unknown)
    };
    match path.strip_prefix("/inference.GRPCInferenceService/") {
        Some("ModelReady") => {
            let asked = ModelRequest::decode(message).map_err(no_message)?;
            Ok(ModelReady { ready: asked.name == shared.model() }.encode_to_vec())
        }
        Some("ModelMetadata") => {
            known(&ModelRequest::decode(message).map_err(no_message)?.name)?;
            let tensor = |(name, shape): (&str, Vec<i64>)| Tensor { name: name.into(), datatype: "FP32".into(), shape };
            let (inputs, outputs) = shared.described();
            let metadata = ModelMetadata {
                name: shared.model().to_owned(),
                versions: vec![shared.version()],
                platform: "onnxruntime_onnx".into(),
                inputs: inputs.into_iter().map(tensor).collect(),
                outputs: outputs.into_iter().map(tensor).collect(),
            };
            Ok(metadata.encode_to_vec())
        }
        Some("ModelInfer") => {
            let asked = ModelInfer::decode(message).map_err(no_message)?;
            known(&asked.model)?;
            shared.count_batch();
            infer(shared, &asked, behaviour).ok_or_else(|| (INVALID_ARGUMENT, "unexpected inputs".into()))
        }
        _ => Err((UNIMPLEMENTED, String::new())),
    }
}

/// `None` for what is no question.
fn infer(shared: &Shared, asked: &ModelInfer, behaviour: &Behaviour) -> Option<Vec<u8>> {
    let at = asked.inputs.iter().position(|input| input.name == "spatial")?;
    let shape: Vec<usize> = asked.inputs[at].shape.iter().filter_map(|&n| usize::try_from(n).ok()).collect();
    let raw = asked.raw_inputs.get(at)?;
    let numbers: Vec<f32> = raw.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let arrays = shared.compute(&shape, &numbers, behaviour)?;
    let mut answer =
        ModelInferred { model: shared.model().to_owned(), version: shared.version(), ..ModelInferred::default() };
    for (name, shape, data) in arrays {
        let shape = shape.iter().map(|&length| length as i64).collect();
        answer.outputs.push(Tensor { name: name.into(), datatype: "FP32".into(), shape });
        answer.raw_outputs.push(data.iter().flat_map(|number| number.to_le_bytes()).collect());
    }
    Some(answer.encode_to_vec())
}
