//! Whatever a client sends to the JSON service (`run`, `saveGoban`, `cancel`), each line gets one answer that says how it
//! went, and the next client is served.
#![cfg_attr(fuzzing, no_main)]

#[path = "../quiet.rs"]
mod quiet;

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, OnceLock};

use honinbo_api::{App, EngineSource};
use honinbo_server::{Backend, EventHub, ServeOptions, Server};
use honinbo_testkit::UniformEvaluator;
use quiet::Quiet;

/// The one server, which stays until the process ends.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (address, is_bound) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let host = Arc::new(Quiet::new());
                let source =
                    EngineSource::Given { evaluator: Arc::new(UniformEvaluator::default()), network: "uniform".into() };
                let app = App::with_engine(host, source);
                let options = ServeOptions { tcp: Some("0".into()), ..ServeOptions::default() };
                let server =
                    Server::bind(app as Arc<dyn Backend>, Arc::new(EventHub::new()), options).await.expect("a port");
                address.send(server.tcp_address().expect("an address")).expect("somebody waits");
                server.run_until(std::future::pending()).await;
            });
        });
        is_bound.recv().expect("the server's address")
    })
}

/// Says everything, and gives all the answers.
fn talk(said: &[u8]) -> String {
    let mut stream = TcpStream::connect(server()).expect("a connection");
    // Who speaks HTTP is cut off while it speaks.
    let _ = stream.write_all(said).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut answers = Vec::new();
    let _ = stream.read_to_end(&mut answers);
    String::from_utf8(answers).expect("answers are text")
}

pub(crate) fn run(data: &[u8]) {
    // Ends what the lines before it began: a `run` may ask for any number of visits.
    let said = [data, b"\n{\"operator\":\"cancel\"}\n"].concat();
    for line in talk(&said).lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("an answer is JSON");
        let is_done = answer["ok"].as_bool().expect("an answer says how it went");
        let error = &answer["error"];
        assert!(is_done || (error["kind"].is_string() && error["message"].is_string()), "{line}");
        assert_ne!(error["kind"], "internal", "{line}");
    }
    assert_eq!(talk(b"{\"operator\":\"cancel\"}\n"), "{\"operator\":\"cancel\",\"ok\":true}\n");
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
