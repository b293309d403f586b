//! Evaluations from servers, and what becomes of them when servers misbehave.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{MadeUp, either_server, grpc_server, header, options, search, server};
use honinbo_evaluator::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluator, StopFlag};
use honinbo_remote::{
    ConnectError, EndpointError, EndpointPhase, FallbackToLocal, Patience, Refusal, RemoteEvaluator, RemoteOptions,
    TensorForm, Token,
};
use honinbo_rules::{BoardSize, Game, Preset, Setup, Topology};
use honinbo_testkit::inference_servers::{Behaviour, InferenceServer, free_port};

fn connect(options: &RemoteOptions) -> Result<RemoteEvaluator, ConnectError> {
    RemoteEvaluator::connect(options, header(), &MadeUp::default(), &StopFlag::new())
}

fn with_fallback(options: &RemoteOptions) -> (Arc<FallbackToLocal>, Arc<MadeUp>) {
    let local = Arc::new(MadeUp::default());
    let remote = connect(options).unwrap();
    (Arc::new(FallbackToLocal::new(remote, Arc::clone(&local) as Arc<dyn Evaluator>)), local)
}

fn game(size: usize) -> Game {
    let preset = Preset::Chinese;
    let size = BoardSize::new(size, size).unwrap();
    Game::new(Setup::new(size, Topology::Plane, preset.ruleset(), preset.komi())).unwrap()
}

fn wait_until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it never happened: {what}");
}

#[test]
fn a_search_finds_the_same_elsewhere_as_here_in_every_form() {
    let here = search(Arc::new(MadeUp::default()), 300);
    let cases = [(server(), TensorForm::Auto), (server(), TensorForm::Json), (grpc_server(), TensorForm::Auto)];
    for (server, form) in cases {
        let (evaluator, local) = with_fallback(&RemoteOptions { form, ..options(&[&server]) });
        assert_eq!(search(evaluator.clone(), 300), here, "{} {form:?}", server.address());
        assert_eq!((local.positions(), evaluator.note().as_str()), (0, ""));
        assert!(server.positions() > 100);
    }
}

#[test]
fn boards_of_several_sizes_are_answered_in_their_order() {
    let games = [game(9), game(13), game(9), game(19), game(13)];
    let requests: Vec<_> = games.iter().map(|game| EvalRequest { game, params: EvalParams::default() }).collect();
    let here = MadeUp::default().evaluate(&requests, &StopFlag::new()).unwrap();
    for server in either_server() {
        let (evaluator, _) = with_fallback(&options(&[&server]));
        assert_eq!(evaluator.evaluate(&requests, &StopFlag::new()).unwrap(), here, "{}", server.address());
    }
}

#[test]
fn many_positions_come_in_batches() {
    let server = server();
    let (evaluator, _) = with_fallback(&options(&[&server]));
    let before = server.batches();
    let game = game(9);
    let requests = vec![EvalRequest { game: &game, params: EvalParams::default() }; 40];
    assert_eq!(evaluator.evaluate(&requests, &StopFlag::new()).unwrap().len(), 40);
    assert_eq!(server.batches() - before, 3, "16, 16 and 8");
}

#[test]
fn joined_edges_are_computed_here() {
    let server = server();
    let (evaluator, local) = with_fallback(&options(&[&server]));
    let preset = Preset::Chinese;
    let game = Game::new(Setup::new(BoardSize::NINE, Topology::Torus, preset.ruleset(), preset.komi())).unwrap();
    let requests = [EvalRequest { game: &game, params: EvalParams::default() }];
    assert_eq!(evaluator.evaluate(&requests, &StopFlag::new()).unwrap().len(), 1);
    assert_eq!((local.positions(), evaluator.note().as_str()), (1, ""), "which is no server's fault");
}

/// Searches while the first of two servers misbehaves in every way.
fn search_beside(misbehaving: fn() -> InferenceServer) {
    let here = search(Arc::new(MadeUp::default()), 200);
    for behaviour in [
        Behaviour::HangsUp,
        Behaviour::Breaks,
        Behaviour::Garbage,
        Behaviour::NotANumber,
        Behaviour::TooMuch,
        Behaviour::OtherShape,
        Behaviour::Silent,
        Behaviour::Slow(Duration::from_millis(300)),
        Behaviour::Busy(60),
        Behaviour::Status("500 Internal Server Error", "out of memory"),
        Behaviour::Status("401 Unauthorized", "who are you"),
        Behaviour::Status("302 Found", "elsewhere"),
    ] {
        let (good, bad) = (server(), misbehaving());
        // So that the other one is asked first: much slower than a busy machine makes its first answer.
        good.set(Behaviour::Slow(Duration::from_millis(400)));
        let (evaluator, local) = with_fallback(&options(&[&bad, &good]));
        wait_until("both are ready", || evaluator.ready() == (2, 2));
        good.set(Behaviour::Proper);
        bad.set(behaviour.clone());
        assert_eq!(search(evaluator.clone(), 200), here, "{behaviour:?}");
        assert_eq!(local.positions(), 0, "{behaviour:?}");
        let status = evaluator.remote().status();
        if !matches!(behaviour, Behaviour::Slow(_) | Behaviour::Silent) {
            assert!(status[0].failed > 0 && status[0].error.is_some(), "{behaviour:?}: {status:?}");
        }
        assert_eq!((status[1].failed, status[1].phase), (0, EndpointPhase::Ready), "{behaviour:?}");
    }
}

#[test]
fn whatever_one_of_two_servers_does_the_search_is_the_same_and_computed_elsewhere() {
    search_beside(server);
}

#[test]
fn whatever_a_server_does_by_grpc_the_search_is_the_same_and_computed_elsewhere() {
    search_beside(grpc_server);
}

#[test]
fn an_address_where_nobody_is_costs_nothing() {
    let server = server();
    for scheme in ["http", "grpc"] {
        let mut options = options(&[&server]);
        options.endpoints.insert(0, format!("{scheme}://127.0.0.1:{}", free_port()).parse().unwrap());
        let (evaluator, local) = with_fallback(&options);
        assert_eq!(search(evaluator.clone(), 200), search(Arc::new(MadeUp::default()), 200));
        assert_eq!(local.positions(), 0);
        wait_until("it is noticed", || evaluator.note().contains("cannot be reached"));
    }
}

#[test]
fn when_the_only_server_dies_in_the_middle_this_machine_goes_on_and_no_visit_is_lost() {
    for server in either_server() {
        let (evaluator, local) = with_fallback(&options(&[&server]));
        let (finished, dying) = (Arc::new(AtomicBool::new(false)), server.clone());
        let done = Arc::clone(&finished);
        let before = server.positions();
        let killer = std::thread::spawn(move || {
            while dying.positions() < before + 40 && !done.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            dying.set(Behaviour::HangsUp);
        });
        let found = search(evaluator.clone(), 2_000);
        finished.store(true, Ordering::SeqCst);
        killer.join().unwrap();
        assert_eq!(found, search(Arc::new(MadeUp::default()), 2_000));
        assert!(local.positions() > 0 && server.positions() > before);
        assert!(
            evaluator.note().ends_with("no inference server answers; the network is computed here"),
            "{}",
            evaluator.note()
        );

        server.set(Behaviour::Proper);
        wait_until("it is asked again", || evaluator.ready() == (1, 1));
        let (here, there) = (local.positions(), server.positions());
        search(evaluator.clone(), 100);
        assert_eq!((local.positions(), evaluator.note().as_str()), (here, ""));
        assert!(server.positions() > there);
    }
}

#[test]
fn a_server_that_is_busy_is_left_alone_for_as_long_as_it_says() {
    for server in either_server() {
        let (evaluator, _) = with_fallback(&options(&[&server]));
        server.set(Behaviour::Busy(120));
        search(evaluator.clone(), 20);
        let asked = server.batches();
        server.set(Behaviour::Proper);
        search(evaluator.clone(), 200);
        assert_eq!(server.batches(), asked, "it said two minutes");
        let status = evaluator.remote().status();
        let busy =
            EndpointError::Busy { message: "the queue is full".into(), retry_after: Some(Duration::from_secs(120)) };
        assert_eq!(status[0].error, Some(busy));
    }
}

#[test]
fn a_server_that_failed_many_requests_at_once_is_soon_asked_again() {
    const REQUESTS: usize = 16;
    for server in either_server() {
        // Doubled for each of them, the rest would be most of an hour.
        let patience = Patience {
            deadline: Duration::from_secs(4),
            first_rest: Duration::from_millis(100),
            longest_rest: Duration::from_secs(3600),
            ..options(&[&server]).patience
        };
        let remote = connect(&RemoteOptions { patience, ..options(&[&server]) }).unwrap();
        wait_until("it is ready", || remote.is_answering());
        server.set(Behaviour::Silent);
        let before = server.batches();
        let game = game(9);
        let requests = [EvalRequest { game: &game, params: EvalParams::default() }];
        std::thread::scope(|scope| {
            for _ in 0..REQUESTS {
                scope.spawn(|| remote.evaluate(&requests, &StopFlag::new()).unwrap_err());
            }
            wait_until("all are asked", || server.batches() - before == REQUESTS);
            // For those that come from now on.
            server.set(Behaviour::Proper);
        });
        assert_eq!(remote.status()[0].failed, REQUESTS as u64);
        wait_until("it is asked again", || remote.is_answering());
    }
}

#[test]
fn a_stopped_search_does_not_wait_for_a_silent_server() {
    for server in either_server() {
        let remote = connect(&RemoteOptions {
            patience: Patience { deadline: Duration::from_secs(600), ..Patience::default() },
            ..options(&[&server])
        });
        let remote = Arc::new(remote.unwrap());
        server.set(Behaviour::Silent);
        let (stop, asked) = (StopFlag::new(), Arc::clone(&remote));
        let stopped = stop.clone();
        let waiting = std::thread::spawn(move || {
            let game = game(9);
            asked.evaluate(&[EvalRequest { game: &game, params: EvalParams::default() }], &stopped)
        });
        let before = server.batches();
        wait_until("it is asked", || server.batches() >= before);
        stop.set();
        assert_eq!(waiting.join().unwrap(), Err(EvalError::Cancelled));
    }
}

#[test]
fn another_network_is_refused_with_a_sentence() {
    for server in either_server() {
        server.set(Behaviour::OtherNetwork);
        let error = connect(&options(&[&server])).unwrap_err();
        let sentence = error.to_string();
        assert!(
            sentence.contains("its model honinbo is another network: the probability of a move differs"),
            "{sentence}"
        );
        assert_eq!(error.hint(), "serve what `honinbo net export` writes of the same network");
    }
}

#[test]
fn a_model_that_is_replaced_while_its_server_runs_is_compared_again_before_its_answers_count() {
    let here = search(Arc::new(MadeUp::default()), 200);
    for server in either_server() {
        let (evaluator, local) = with_fallback(&options(&[&server]));
        assert_eq!(search(evaluator.clone(), 200), here);
        assert_eq!(local.positions(), 0);
        // The same network in another version is soon asked again.
        server.set_version(2);
        assert_eq!(search(evaluator.clone(), 200), here);
        wait_until("it is asked again", || evaluator.ready() == (1, 1));
        let before = local.positions();
        assert_eq!(search(evaluator.clone(), 200), here);
        assert_eq!((local.positions(), evaluator.note().as_str()), (before, ""));
        // Another network is asked no more.
        server.set(Behaviour::OtherNetwork);
        server.set_version(3);
        assert_eq!(search(evaluator.clone(), 200), here, "{}", server.address());
        wait_until("it is refused", || evaluator.remote().status()[0].phase == EndpointPhase::Refused);
        assert!(local.positions() > before);
    }
}

#[test]
fn a_wrong_token_and_a_wrong_name_are_refused_and_the_right_ones_are_taken() {
    let (token, arrays) = (Some("secret-token"), common::ARRAYS);
    let rest = (InferenceServer::start("honinbo", arrays, token), "401", Refusal::Http(404));
    let grpc = (InferenceServer::start_grpc("honinbo", arrays, token), "UNAUTHENTICATED", Refusal::Grpc(5));
    for (server, unauthorised, unknown) in [rest, grpc] {
        let with = |token: Option<&str>| RemoteOptions { token: token.and_then(Token::new), ..options(&[&server]) };
        for token in [None, Some("wrong")] {
            let error = connect(&with(token)).unwrap_err();
            let expected = format!("it refuses the token, or wants one: {unauthorised} no such token");
            assert!(error.to_string().contains(&expected), "{error}");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
        assert!(connect(&with(Some("secret-token"))).unwrap().is_answering());
        let other = RemoteOptions { model: "other".into(), ..with(Some("secret-token")) };
        let error = connect(&other).unwrap_err();
        let ConnectError::Refused { error: EndpointError::Refused { status, message }, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(status, unknown);
        assert!(message.contains("unknown model"), "{message}");
        assert!(!format!("{other:?}").contains("secret"));
    }
}

#[test]
fn a_token_travels_encrypted_or_not_at_all() {
    let token = Token::new("secret-token");
    let to =
        |address: &str| RemoteOptions { token: token.clone(), ..RemoteOptions::new(vec![address.parse().unwrap()]) };
    for safe in [
        "https://gpu.example",
        "http://127.0.0.1:8000",
        "http://[::1]",
        "http://localhost",
        "grpcs://gpu.example",
        "grpc://[::1]",
    ] {
        assert_eq!(to(safe).check(), Ok(()), "{safe}");
    }
    for open in ["http://gpu.example", "http://10.0.0.7:8000", "http://127.0.0.1.example", "grpc://gpu.example"] {
        assert!(matches!(to(open).check(), Err(ConnectError::TokenInTheClear { .. })), "{open}");
    }
    assert_eq!(RemoteOptions { token: None, ..to("http://gpu.example") }.check(), Ok(()));
    let name = RemoteOptions { model: "../x".into(), ..to("https://gpu.example") };
    assert!(matches!(name.check(), Err(ConnectError::ModelName { .. })));
}

#[test]
fn where_nobody_answers_yet_this_machine_computes_until_somebody_does() {
    for server in either_server() {
        server.set(Behaviour::HangsUp);
        let (evaluator, local) = with_fallback(&options(&[&server]));
        assert_eq!(search(evaluator.clone(), 50), search(Arc::new(MadeUp::default()), 50));
        assert!(local.positions() > 0);
        assert_eq!(evaluator.limits(), BatchLimits { preferred: 1, max: 1 }, "batches are made for this machine");
        server.set(Behaviour::Proper);
        wait_until("it is asked", || evaluator.ready() == (1, 1));
        search(evaluator.clone(), 50);
        assert_eq!(evaluator.limits(), evaluator.remote().limits(), "and for the server again");
    }
}

#[test]
fn a_hundred_servers_share_the_work_and_a_third_of_them_dying_loses_nothing() {
    let servers: Vec<InferenceServer> =
        (0..100).map(|index| if index % 4 == 0 { grpc_server() } else { server() }).collect();
    let (evaluator, local) = with_fallback(&options(&servers.iter().collect::<Vec<_>>()));
    wait_until("all are ready", || evaluator.ready() == (100, 100));
    let here = search(Arc::new(MadeUp::default()), 400);
    let ask = |evaluator: &Arc<FallbackToLocal>| {
        let searches: Vec<_> = (0..16)
            .map(|_| {
                let evaluator = Arc::clone(evaluator);
                std::thread::spawn(move || search(evaluator, 400))
            })
            .collect();
        searches.into_iter().map(|search| search.join().unwrap()).collect::<Vec<_>>()
    };
    assert!(ask(&evaluator).iter().all(|found| *found == here));
    let idle = evaluator.remote().status().into_iter().filter(|server| server.answered == 0).count();
    assert_eq!(idle, 0, "each is asked at least once");
    for (index, server) in servers.iter().enumerate().filter(|(index, _)| index % 3 == 0) {
        server.set(if index % 2 == 0 { Behaviour::HangsUp } else { Behaviour::NotANumber });
    }
    assert!(ask(&evaluator).iter().all(|found| *found == here));
    // Three dead ones in a row, and this machine steps in.
    let (here, all) = (local.positions(), servers.iter().map(InferenceServer::positions).sum::<usize>());
    assert!(here * 20 < all, "{here} of {all} were computed here");
}
