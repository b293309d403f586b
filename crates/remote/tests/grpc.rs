//! Servers that are asked by gRPC: what is said of each thing that goes wrong, and connections that hang.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use common::{MadeUp, grpc_server, header, options, search, server};
use honinbo_evaluator::{EvalError, Evaluator, StopFlag};
use honinbo_remote::{
    ConnectError, EndpointError, FallbackToLocal, Fingerprint, Patience, Refusal, RemoteEvaluator, RemoteOptions,
};
use honinbo_testkit::inference_servers::Behaviour;

fn connect(options: &RemoteOptions) -> Result<RemoteEvaluator, ConnectError> {
    RemoteEvaluator::connect(options, header(), &MadeUp::default(), &StopFlag::new())
}

/// What is found to be wrong when a server is looked at.
fn error_of(options: &RemoteOptions) -> EndpointError {
    match connect(options) {
        Err(ConnectError::Refused { error, .. }) => error,
        Err(error) => panic!("{error:?}"),
        Ok(remote) => remote.status()[0].error.clone().unwrap(),
    }
}

#[test]
fn each_thing_that_goes_wrong_has_its_error() {
    let sentence = |behaviour: Behaviour| {
        let server = grpc_server();
        server.set(behaviour);
        error_of(&options(&[&server])).to_string()
    };
    for (behaviour, said) in [
        (Behaviour::HangsUp, "it cannot be reached: "),
        (Behaviour::Breaks, "it cannot be reached: "),
        (Behaviour::Garbage, "its answer cannot be used: it is \"text/html\", not gRPC"),
        (Behaviour::NotANumber, "its value is not a finite number"),
        (Behaviour::TooMuch, "its answer cannot be used: Error, decoded message length too large: found 67108864"),
        (Behaviour::OtherShape, "its answer cannot be used: policy is FP32 [2, 4, 9, 9], expected FP32 [4, 2, 9, 9]"),
        (Behaviour::OtherNetwork, "its model honinbo is another network: "),
        (Behaviour::Busy(60), "it is busy: the queue is full"),
        (Behaviour::Status("500 Internal Server Error", "out of memory"), "it failed: INTERNAL out of memory"),
        (
            Behaviour::Status("401 Unauthorized", "who are you"),
            "it refuses the token, or wants one: UNAUTHENTICATED who are you",
        ),
        (Behaviour::Status("302 Found", "elsewhere"), "it refuses: 302 Found"),
        (Behaviour::Status("503 Service Unavailable", "later"), "it is busy: Service Unavailable"),
    ] {
        let found = sentence(behaviour.clone());
        assert!(found.starts_with(said), "{behaviour:?}: {found}");
    }
}

#[test]
fn a_server_that_is_slower_than_the_deadline_is_said_to_be() {
    let server = grpc_server();
    server.set(Behaviour::Silent);
    let deadline = Duration::from_millis(200);
    let patience = Patience { deadline, ..Patience::default() };
    let error = error_of(&RemoteOptions { patience, ..options(&[&server]) });
    assert_eq!(error, EndpointError::Deadline { after: deadline });
}

#[test]
fn an_unknown_model_is_refused_with_the_servers_words() {
    let server = grpc_server();
    let error = error_of(&RemoteOptions { model: "other".into(), ..options(&[&server]) });
    let message = "Request for unknown model: 'other' is not found".to_owned();
    assert_eq!(error, EndpointError::Refused { status: Refusal::Grpc(5), message });
    assert!(error.hint().contains("--inference-model"));
}

#[test]
fn the_port_of_the_other_protocol_is_said_not_to_answer() {
    let rest = server().address().replace("http:", "grpc:");
    let grpc = grpc_server().address().replace("grpc:", "http:");
    for address in [rest, grpc] {
        let patience = Patience { deadline: Duration::from_secs(2), ..Patience::default() };
        let options = RemoteOptions { patience, ..RemoteOptions::new(vec![address.parse().unwrap()]) };
        let error = error_of(&options);
        assert!(
            matches!(
                error,
                EndpointError::Unreachable { .. } | EndpointError::Malformed { .. } | EndpointError::Deadline { .. }
            ),
            "{address}: {error:?}"
        );
    }
}

/// Something between that forgets connections, as a firewall does: nothing arrives on them any more, and nobody is told.
struct Forgetful {
    address: SocketAddr,
    /// Connections before this one are forgotten.
    first: Arc<AtomicUsize>,
    opened: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
}

impl Forgetful {
    fn before(behind: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (first, opened, done) = (Arc::default(), Arc::default(), Arc::default());
        let forgetful = Self { address, first, opened, done };
        let (first, opened) = (Arc::clone(&forgetful.first), Arc::clone(&forgetful.opened));
        let done = Arc::clone(&forgetful.done);
        std::thread::spawn(move || {
            for here in listener.incoming().map(Result::unwrap) {
                let number = opened.fetch_add(1, Ordering::SeqCst);
                let there = TcpStream::connect(&behind).unwrap();
                for (mut from, mut to) in [(here.try_clone().unwrap(), there.try_clone().unwrap()), (there, here)] {
                    let (first, done) = (Arc::clone(&first), Arc::clone(&done));
                    std::thread::spawn(move || {
                        let mut buffer = [0; 64 << 10];
                        while let Ok(length @ 1..) = from.read(&mut buffer) {
                            while number < first.load(Ordering::SeqCst) && !done.load(Ordering::SeqCst) {
                                std::thread::sleep(Duration::from_millis(5));
                            }
                            if to.write_all(&buffer[..length]).is_err() {
                                return;
                            }
                        }
                    });
                }
            }
        });
        forgetful
    }

    fn forget(&self) {
        self.first.store(self.opened.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

impl Drop for Forgetful {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_connection_that_hangs_is_left_for_a_new_one() {
    let server = grpc_server();
    let between = Forgetful::before(server.address().trim_start_matches("grpc://").to_owned());
    let patience = Patience {
        deadline: Duration::from_secs(1),
        first_rest: Duration::from_millis(20),
        start: Duration::from_secs(60),
        ..Patience::default()
    };
    let address = format!("grpc://{}", between.address).parse().unwrap();
    let remote = connect(&RemoteOptions { patience, ..RemoteOptions::new(vec![address]) }).unwrap();
    let local = Arc::new(MadeUp::default());
    let evaluator = Arc::new(FallbackToLocal::new(remote, Arc::clone(&local) as Arc<dyn Evaluator>));
    let here = search(Arc::new(MadeUp::default()), 60);
    assert_eq!(search(evaluator.clone(), 60), here);
    assert_eq!((between.opened.load(Ordering::SeqCst), local.positions()), (1, 0), "one connection carries it all");

    between.forget();
    assert_eq!(search(evaluator.clone(), 60), here);
    assert!(local.positions() > 0);
    while evaluator.ready() != (1, 1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(between.opened.load(Ordering::SeqCst) > 1);
}

#[test]
fn many_requests_share_a_connection_and_a_program_that_is_asynchronous_may_let_go_of_it() {
    let server = grpc_server();
    let between = Forgetful::before(server.address().trim_start_matches("grpc://").to_owned());
    let address = format!("grpc://{}", between.address).parse().unwrap();
    let remote = Arc::new(connect(&RemoteOptions::new(vec![address])).unwrap());
    let fingerprint = Arc::new(Fingerprint::of(&MadeUp::default(), &StopFlag::new()).unwrap());
    let asking: Vec<_> = (0..16)
        .map(|_| {
            let (remote, fingerprint) = (Arc::clone(&remote), Arc::clone(&fingerprint));
            std::thread::spawn(move || remote.evaluate(&fingerprint.requests(), &StopFlag::new()))
        })
        .collect();
    for answer in asking {
        assert_eq!(answer.join().unwrap().unwrap(), fingerprint.answers());
    }
    assert_eq!(between.opened.load(Ordering::SeqCst), 1);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async move { drop(remote) });
}

#[test]
fn what_nobody_answers_is_an_error_of_the_device() {
    let server = grpc_server();
    let remote = connect(&options(&[&server])).unwrap();
    server.set(Behaviour::HangsUp);
    let fingerprint = Fingerprint::of(&MadeUp::default(), &StopFlag::new()).unwrap();
    let error = remote.evaluate(&fingerprint.requests(), &StopFlag::new()).unwrap_err();
    assert!(matches!(&error, EvalError::Device { reason, .. } if reason.contains("cannot be reached")), "{error:?}");
}
