//! NVIDIA's Triton, where `scripts/clients` installed it.

use crate::fixtures::{repository, skip};
use crate::inference_servers::free_port;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// NVIDIA's Triton, as the wheel of `nvidia-pytriton` carries it: the real server with its Python backend, which runs
/// ONNX files by the package `onnxruntime`. Ended when it is dropped.
pub struct Triton {
    child: Child,
    port: u16,
    grpc_port: u16,
    log: PathBuf,
}

/// What the Python backend runs in the place of Triton's ONNX backend, which no wheel carries: the same file.
const ONNX_MODEL: &str = r#"
import os, sys
sys.path.insert(0, os.environ["HONINBO_TRITON_PACKAGES"])
import numpy, onnxruntime
import triton_python_backend_utils as backend

class TritonPythonModel:
    def initialize(self, args):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        path = os.path.join(args["model_repository"], args["model_version"], "model.onnx")
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = [tensor.name for tensor in self.session.get_inputs()]
        self.outputs = [tensor.name for tensor in self.session.get_outputs()]

    def execute(self, requests):
        answers = []
        for request in requests:
            arrays = {name: backend.get_input_tensor_by_name(request, name).as_numpy() for name in self.inputs}
            results = self.session.run(self.outputs, arrays)
            tensors = [backend.Tensor(*pair) for pair in zip(self.outputs, results)]
            answers.append(backend.InferenceResponse(output_tensors=tensors))
        return answers
"#;

/// The made-up network in Triton, to compare the made-up server with.
const MADE_UP_MODEL: &str = r#"
import os, sys
sys.path.insert(0, os.environ["HONINBO_TRITON_PACKAGES"])
import json, numpy
import triton_python_backend_utils as backend

class TritonPythonModel:
    def initialize(self, args):
        outputs = {one["name"]: one["dims"] for one in json.loads(args["model_config"])["output"]}
        self.policy, self.score = int(outputs["policy"][0]), int(outputs["score"][0])

    def execute(self, requests):
        answers = []
        for request in requests:
            spatial = backend.get_input_tensor_by_name(request, "spatial").as_numpy()
            n, _, h, w = spatial.shape
            ones = spatial.sum(axis=(1, 2, 3)).astype(numpy.int64)
            number = lambda value, modulus: ((value % modulus) / 8).astype(numpy.float32)
            at = numpy.arange(h * w).reshape(1, 1, h, w)
            q = numpy.arange(self.policy).reshape(1, -1, 1, 1)
            row = ones.reshape(-1, 1)
            arrays = {
                "policy": number(at * 7 + q * 3 + ones.reshape(-1, 1, 1, 1), 17),
                "pass": number(row + numpy.arange(self.policy), 5),
                "value": number(row * (numpy.arange(3) + 3), 11),
                "score": number(row * (numpy.arange(self.score) + 5), 23),
                "ownership": (spatial[:, 1:2] - spatial[:, 2:3]) / 2,
            }
            tensors = [backend.Tensor(name, numpy.ascontiguousarray(array)) for name, array in arrays.items()]
            answers.append(backend.InferenceResponse(output_tensors=tensors))
        return answers
"#;

impl Triton {
    /// Serves a folder as `honinbo net export --for triton` wrote it. `None`, and the test counts as skipped, where
    /// Triton is not installed.
    ///
    /// # Panics
    /// When it does not begin to serve.
    #[must_use]
    pub fn serve(models: &Path) -> Option<Self> {
        Self::start(models, ONNX_MODEL)
    }

    /// Serves the made-up network under the configurations in a folder.
    ///
    /// # Panics
    /// As [`Triton::serve`].
    #[must_use]
    pub fn serve_made_up(models: &Path) -> Option<Self> {
        Self::start(models, MADE_UP_MODEL)
    }

    fn start(models: &Path, program: &str) -> Option<Self> {
        let packages = repository().join(".cache/clients/triton");
        if !repository().join(".cache/clients/triton/installed").is_file() {
            skip("Triton is not there; scripts/clients gets it for Linux on x86-64");
            return None;
        }
        // The configuration is the one that was written, but for the backend.
        for model in std::fs::read_dir(models).expect("a folder of models").flatten() {
            let config = model.path().join("config.pbtxt");
            let text = std::fs::read_to_string(&config).expect("a configuration");
            assert!(text.contains("backend: \"onnxruntime\""), "{text}");
            std::fs::write(&config, text.replace("backend: \"onnxruntime\"", "backend: \"python\"")).expect("a disk");
            std::fs::create_dir_all(model.path().join("1")).expect("a disk");
            std::fs::write(model.path().join("1/model.py"), program).expect("a disk");
        }
        let server = packages.join("pytriton/tritonserver");
        let log = models.join("triton.log");
        let (port, grpc_port) = (free_port(), free_port());
        let child = Command::new(server.join("bin/tritonserver"))
            .arg(format!("--model-repository={}", models.display()))
            .arg(format!("--backend-directory={}", server.join("backends").display()))
            .args(["--http-address=127.0.0.1", "--http-thread-count=8", "--allow-metrics=false"])
            .arg(format!("--http-port={port}"))
            .arg("--grpc-address=127.0.0.1")
            .arg(format!("--grpc-port={grpc_port}"))
            .arg("--disable-auto-complete-config")
            .arg(format!("--backend-config=python,shm-region-prefix-name={}", shared_memory(port)))
            .env("LD_LIBRARY_PATH", packages.join("nvidia_pytriton.libs"))
            .env("HONINBO_TRITON_PACKAGES", &packages)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).expect("a disk"))
            .process_group(0)
            .spawn()
            .expect("Triton starts");
        let mut triton = Self { child, port, grpc_port, log };
        let began = Instant::now();
        while !triton.is_ready() {
            let ended = triton.child.try_wait().expect("a child").is_some();
            assert!(!ended && began.elapsed() < Duration::from_secs(120), "{}", triton.log());
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(triton)
    }

    fn is_ready(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let asked = stream.write_all(b"GET /v2/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its address by gRPC.
    #[must_use]
    pub fn grpc_address(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.grpc_port)
    }

    /// What it wrote about itself.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Ends it at once, as a power cut does.
    pub fn kill(&mut self) {
        // With the program that runs the model.
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.wait();
        // What it would have taken away itself.
        for file in std::fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(&shared_memory(self.port)) {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}

/// What its files of shared memory begin with.
fn shared_memory(port: u16) -> String {
    format!("honinbo_test_triton_{port}_")
}

impl Drop for Triton {
    fn drop(&mut self) {
        self.kill();
    }
}
