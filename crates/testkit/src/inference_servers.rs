//! An inference server on this machine that speaks the Open Inference Protocol, or misbehaves as it is told.

use crate::inference_grpc;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How a made-up server behaves from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// As it should.
    Proper,
    /// As it should, after so long.
    Slow(Duration),
    /// It takes questions and answers none.
    Silent,
    /// It hangs up instead of answering.
    HangsUp,
    /// It hangs up in the middle of an answer.
    Breaks,
    /// It answers with something else than the protocol's.
    Garbage,
    /// Its numbers are none.
    NotANumber,
    /// Its answers are far too long.
    TooMuch,
    /// Its arrays have other lengths.
    OtherShape,
    /// It computes another network.
    OtherNetwork,
    /// It has this status and these words for everybody.
    Status(&'static str, &'static str),
    /// It is busy for so many seconds.
    Busy(u32),
}

/// The made-up network: arithmetic on whole numbers, which every language does alike.
///
/// `spatial` is one position's `[22][height][width]`.
#[must_use]
pub fn made_up(spatial: &[f32], area: usize, policy_outputs: usize, score_outputs: usize) -> [Vec<f32>; 5] {
    let ones = spatial.iter().sum::<f32>() as usize;
    let number = |value: usize, modulus: usize| (value % modulus) as f32 / 8.0;
    let policy = (0..policy_outputs).flat_map(|q| (0..area).map(move |at| number(at * 7 + q * 3 + ones, 17))).collect();
    let pass = (0..policy_outputs).map(|q| number(ones + q, 5)).collect();
    let value = (0..3).map(|i| number(ones * (i + 3), 11)).collect();
    let score = (0..score_outputs).map(|i| number(ones * (i + 5), 23)).collect();
    let ownership = (0..area).map(|at| (spatial[area + at] - spatial[2 * area + at]) / 2.0).collect();
    [policy, pass, value, score, ownership]
}

/// The arrays of a made-up model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrays {
    /// Policy logits a point.
    pub policy_outputs: usize,
    /// Numbers of the output `score`.
    pub score_outputs: usize,
}

/// What a server is and does, whichever way it is asked.
pub(crate) struct Shared {
    arrays: Arrays,
    model: String,
    token: Option<String>,
    behaviour: Mutex<Behaviour>,
    version: AtomicUsize,
    batches: AtomicUsize,
    positions: AtomicUsize,
}

/// A made-up server; it ends with the test's process.
#[derive(Clone)]
pub struct InferenceServer {
    scheme: &'static str,
    socket: SocketAddr,
    shared: Arc<Shared>,
}

impl InferenceServer {
    /// Serves the made-up network under that name by REST, to whoever has the token if there is one.
    ///
    /// # Panics
    /// When this machine gives it no port.
    #[must_use]
    pub fn start(model: &str, arrays: Arrays, token: Option<&str>) -> Self {
        let (listener, server) = Self::listen("http", model, arrays, token);
        let shared = Arc::clone(&server.shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || while shared.serve(&stream).is_some() {});
            }
        });
        server
    }

    /// Serves it by gRPC.
    ///
    /// # Panics
    /// As [`InferenceServer::start`].
    #[must_use]
    pub fn start_grpc(model: &str, arrays: Arrays, token: Option<&str>) -> Self {
        let (listener, server) = Self::listen("grpc", model, arrays, token);
        inference_grpc::serve(listener, Arc::clone(&server.shared));
        server
    }

    fn listen(scheme: &'static str, model: &str, arrays: Arrays, token: Option<&str>) -> (TcpListener, Self) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        let socket = listener.local_addr().expect("it has an address");
        let shared = Arc::new(Shared {
            arrays,
            model: model.to_owned(),
            token: token.map(|token| format!("Bearer {token}")),
            behaviour: Mutex::new(Behaviour::Proper),
            version: AtomicUsize::new(1),
            batches: AtomicUsize::new(0),
            positions: AtomicUsize::new(0),
        });
        (listener, Self { scheme, socket, shared })
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}://{}", self.scheme, self.socket)
    }

    /// Behaves so from now on.
    pub fn set(&self, behaviour: Behaviour) {
        *self.shared.behaviour.lock().unwrap_or_else(PoisonError::into_inner) = behaviour;
    }

    /// Says from now on that its model has this version; 1 at first.
    pub fn set_version(&self, version: usize) {
        self.shared.version.store(version, Ordering::SeqCst);
    }

    /// Batches that it was asked for so far.
    #[must_use]
    pub fn batches(&self) -> usize {
        self.shared.batches.load(Ordering::SeqCst)
    }

    /// Positions that it answered so far.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.shared.positions.load(Ordering::SeqCst)
    }
}

/// Status, headers, body.
type Reply = (String, Vec<(&'static str, String)>, Vec<u8>);

fn json_reply(status: &str, body: &Value) -> Reply {
    (status.to_owned(), vec![("Content-Type", "application/json".to_owned())], body.to_string().into_bytes())
}

fn complaint(status: &str, error: &str) -> Reply {
    json_reply(status, &json!({ "error": error }))
}

/// Name, shape and numbers of an output.
type Computed = (&'static str, Vec<usize>, Vec<f32>);

/// Names and shapes of inputs, and of outputs; -1 for any length.
type Described = (Vec<(&'static str, Vec<i64>)>, Vec<(&'static str, Vec<i64>)>);

impl Shared {
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    pub(crate) fn version(&self) -> String {
        self.version.load(Ordering::SeqCst).to_string()
    }

    pub(crate) fn behaviour(&self) -> Behaviour {
        self.behaviour.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn lets_in(&self, authorization: Option<&str>) -> bool {
        self.token.is_none() || authorization == self.token.as_deref()
    }

    pub(crate) fn count_batch(&self) {
        self.batches.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn described(&self) -> Described {
        let (policy, score) = (self.arrays.policy_outputs as i64, self.arrays.score_outputs as i64);
        let outputs = vec![
            ("policy", vec![-1, policy, -1, -1]),
            ("pass", vec![-1, policy]),
            ("value", vec![-1, 3]),
            ("score", vec![-1, score]),
            ("ownership", vec![-1, 1, -1, -1]),
        ];
        (vec![("spatial", vec![-1, 22, -1, -1]), ("global", vec![-1, 19])], outputs)
    }

    /// The arrays of an answer to `spatial`; `None` for what is none.
    pub(crate) fn compute(&self, shape: &[usize], spatial: &[f32], behaviour: &Behaviour) -> Option<Vec<Computed>> {
        let [count, 22, height, width] = *shape else { return None };
        let area = height * width;
        if spatial.len() != count * 22 * area {
            return None;
        }
        let Arrays { policy_outputs, score_outputs } = self.arrays;
        let mut arrays: [Vec<f32>; 5] = Default::default();
        for position in spatial.chunks_exact(22 * area) {
            for (all, own) in arrays.iter_mut().zip(made_up(position, area, policy_outputs, score_outputs)) {
                all.extend(own);
            }
        }
        let mut shapes = [
            ("policy", vec![count, policy_outputs, height, width]),
            ("pass", vec![count, policy_outputs]),
            ("value", vec![count, 3]),
            ("score", vec![count, score_outputs]),
            ("ownership", vec![count, 1, height, width]),
        ];
        match behaviour {
            Behaviour::NotANumber => arrays[2][0] = f32::NAN,
            Behaviour::OtherShape => shapes[0].1.swap(0, 1),
            Behaviour::OtherNetwork => arrays[0].reverse(),
            _ => {}
        }
        self.positions.fetch_add(count, Ordering::SeqCst);
        Some(shapes.into_iter().zip(arrays).map(|((name, shape), data)| (name, shape, data)).collect())
    }

    /// Answers one request; `None` ends the connection.
    fn serve(&self, stream: &TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
        let path = line.split(' ').nth(1)?.to_owned();
        let (mut length, mut json_length, mut authorization) = (0, None, None);
        loop {
            line.clear();
            reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().ok()?,
                "inference-header-content-length" => json_length = Some(value.parse().ok()?),
                "authorization" => authorization = Some(value.to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let behaviour = self.behaviour();
        let mut reply = if self.lets_in(authorization.as_deref()) {
            self.reply(&path, &body, json_length, &behaviour)
        } else {
            complaint("401 Unauthorized", "no such token")
        };
        match behaviour {
            Behaviour::Slow(time) => std::thread::sleep(time),
            Behaviour::Silent => {
                let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
                let _ = reader.read(&mut [0]); // Until the other side gives up.
                return None;
            }
            Behaviour::HangsUp => return None,
            Behaviour::Garbage => reply = ("200 OK".into(), Vec::new(), b"<html>Welcome!</html>".to_vec()),
            Behaviour::Status(status, words) => reply = complaint(status, words),
            Behaviour::Busy(seconds) => {
                reply = complaint("503 Service Unavailable", "the queue is full");
                reply.1.push(("Retry-After", seconds.to_string()));
            }
            Behaviour::TooMuch => reply.2.resize(64 << 20, b' '),
            _ => {}
        }
        let (status, headers, body) = reply;
        let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        head.push_str("\r\n");
        let sent = if behaviour == Behaviour::Breaks { body.len() / 2 } else { body.len() };
        let mut stream = stream;
        stream.write_all(&[head.as_bytes(), &body[..sent]].concat()).ok()?;
        (sent == body.len()).then_some(())
    }

    fn reply(&self, path: &str, body: &[u8], json_length: Option<usize>, behaviour: &Behaviour) -> Reply {
        let model = format!("/v2/models/{}", self.model);
        match path {
            "/v2" => json_reply(
                "200 OK",
                &json!({ "name": "triton", "version": "0", "extensions": ["binary_tensor_data", "parameters"] }),
            ),
            _ if path == model => json_reply("200 OK", &self.metadata()),
            _ if path == format!("{model}/infer") => {
                self.count_batch();
                self.infer(body, json_length, behaviour)
                    .unwrap_or_else(|| complaint("500 Internal Server Error", "failed to parse the request"))
            }
            _ => complaint("404 Not Found", "Request for unknown model: it is not found"),
        }
    }

    fn metadata(&self) -> Value {
        let tensor = |(name, shape): &(&str, Vec<i64>)| json!({ "name": name, "datatype": "FP32", "shape": shape });
        let (inputs, outputs) = self.described();
        json!({
            "name": self.model, "versions": [self.version()], "platform": "onnxruntime_onnx",
            "inputs": inputs.iter().map(tensor).collect::<Vec<_>>(),
            "outputs": outputs.iter().map(tensor).collect::<Vec<_>>(),
        })
    }

    /// `None` for what is no question.
    fn infer(&self, body: &[u8], json_length: Option<usize>, behaviour: &Behaviour) -> Option<Reply> {
        let frame_length = json_length.unwrap_or(body.len());
        let frame: Value = serde_json::from_slice(body.get(..frame_length)?).ok()?;
        let spatial = frame["inputs"].as_array()?.iter().find(|input| input["name"] == "spatial")?;
        let shape: Vec<usize> =
            spatial["shape"].as_array()?.iter().filter_map(|n| Some(n.as_u64()? as usize)).collect();
        let numbers: Vec<f32> = match spatial["parameters"]["binary_data_size"].as_u64() {
            // It is the first of the arrays.
            Some(bytes) => {
                let bytes = body.get(frame_length..frame_length + bytes as usize)?;
                bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
            }
            None => spatial["data"].as_array()?.iter().map(|number| number.as_f64().unwrap_or(0.0) as f32).collect(),
        };
        let binary = frame["outputs"][0]["parameters"]["binary_data"] == true;
        let mut tail = Vec::new();
        let outputs: Vec<Value> = self
            .compute(&shape, &numbers, behaviour)?
            .iter()
            .map(|(name, shape, data)| {
                let mut tensor = json!({ "name": name, "datatype": "FP32", "shape": shape });
                if binary {
                    tensor["parameters"] = json!({ "binary_data_size": data.len() * 4 });
                    tail.extend(data.iter().flat_map(|number| number.to_le_bytes()));
                } else {
                    tensor["data"] = json!(data);
                }
                tensor
            })
            .collect();
        let frame = json!({ "model_name": self.model, "model_version": self.version(), "outputs": outputs });
        let frame = frame.to_string();
        if !binary {
            return Some(("200 OK".into(), vec![("Content-Type", "application/json".into())], frame.into_bytes()));
        }
        let headers = vec![
            ("Content-Type", "application/octet-stream".to_owned()),
            ("Inference-Header-Content-Length", frame.len().to_string()),
        ];
        Some(("200 OK".into(), headers, [frame.into_bytes(), tail].concat()))
    }
}

/// A port that nobody listens on now.
///
/// # Panics
/// When this machine has none.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
    listener.local_addr().expect("it has an address").port()
}
