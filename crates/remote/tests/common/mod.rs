//! The made-up network here and on servers.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_net::{Codec, Family, NetworkHeader, NetworkOutputs, model::OutputScales};
use honinbo_remote::{Patience, RemoteOptions};
use honinbo_rules::{BoardSize, Game, Move, Preset, Setup, Topology};
use honinbo_search::{ReportOptions, Search, SearchLimits, SearchParams};
use honinbo_testkit::inference_servers::{Arrays, InferenceServer, made_up};

pub const ARRAYS: Arrays = Arrays { policy_outputs: 2, score_outputs: 6 };

pub fn header() -> NetworkHeader {
    NetworkHeader {
        name: "made up".into(),
        version: 14,
        sha256: String::new(),
        family: Family::Convolutional,
        human_style: false,
        policy_outputs: ARRAYS.policy_outputs,
        score_outputs: ARRAYS.score_outputs,
        scales: OutputScales::default(),
        pass_alive_under_suicide: false,
        exclude_beside_atari: false,
    }
}

/// The made-up network, computed here.
#[derive(Default)]
pub struct MadeUp(AtomicUsize);

impl MadeUp {
    /// Positions that it answered, but for those of the fingerprint.
    pub fn positions(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Evaluator for MadeUp {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 8 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.0.fetch_add(requests.len(), Ordering::SeqCst);
        let codec = Codec::new(header());
        let answer = |request: &EvalRequest<'_>| {
            let size = request.game.board().size();
            let buffer = (size.width(), size.height());
            let inputs = codec.encode(std::slice::from_ref(request), buffer);
            let [policy, pass, value, score, ownership] =
                made_up(&inputs.spatial, size.area(), ARRAYS.policy_outputs, ARRAYS.score_outputs);
            codec.decode(request, &NetworkOutputs { policy, pass, value, score, ownership }, 0, buffer)
        };
        requests.iter().map(answer).collect()
    }
}

pub fn server() -> InferenceServer {
    InferenceServer::start("honinbo", ARRAYS, None)
}

pub fn grpc_server() -> InferenceServer {
    InferenceServer::start_grpc("honinbo", ARRAYS, None)
}

/// One by REST, one by gRPC.
pub fn either_server() -> [InferenceServer; 2] {
    [server(), grpc_server()]
}

pub fn options(servers: &[&InferenceServer]) -> RemoteOptions {
    let endpoints = servers.iter().map(|server| server.address().parse().unwrap()).collect();
    // A busy machine is not to look like a slow server.
    let patience =
        Patience { deadline: Duration::from_secs(60), start: Duration::from_secs(60), ..Patience::default() };
    RemoteOptions { patience, ..RemoteOptions::new(endpoints) }
}

/// Candidates with their visits after a search that is the same each time.
pub fn search(evaluator: Arc<dyn Evaluator>, visits: u64) -> Vec<(Move, u64)> {
    let preset = Preset::Chinese;
    let setup = Setup::new(BoardSize::NINE, Topology::Plane, preset.ruleset(), preset.komi());
    let search = Search::new(evaluator, Game::new(setup).unwrap(), SearchParams::default(), 7).unwrap();
    let limits = SearchLimits { max_visits: visits, threads: 1, leaves_per_thread: Some(1), ..SearchLimits::default() };
    search.run(&limits, &StopFlag::new()).unwrap();
    let report = search.report(&ReportOptions::default()).unwrap();
    assert_eq!(report.root.visits, visits);
    report.candidates.iter().map(|candidate| (candidate.mv, candidate.visits)).collect()
}
