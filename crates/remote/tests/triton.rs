//! NVIDIA's Triton: the same searches as here, what becomes of them when it dies, and whether the made-up server of the
//! other tests speaks as it does.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{ARRAYS, MadeUp, header, search};
use honinbo_evaluator::{EvalParams, EvalRequest, Evaluator, StopFlag};
use honinbo_net::onnx::{BoardShape, GraphOptions, Precision, to_onnx};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Limits, NetworkFile, NetworkHeader, OrtEvaluator, Runtime};
use honinbo_remote::{
    ConnectError, EndpointError, FallbackToLocal, Fingerprint, Refusal, RemoteEvaluator, RemoteOptions, TensorForm,
    triton_config,
};
use honinbo_testkit::inference_servers::InferenceServer;
use honinbo_testkit::{Triton, fixtures};
use serde_json::{Value, json};

const NETWORK: &str = "networks/g170-b6c96-s175395328-d26788732.bin.gz";

fn network() -> Option<(Arc<NetworkFile>, Arc<OrtEvaluator>)> {
    let search = LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
    if search.find().is_err() {
        fixtures::skip("ONNX Runtime is not there; scripts/resources fetches it");
        return None;
    }
    let file = Arc::new(NetworkFile::open(&fixtures::fixture(NETWORK), &Limits::default()).unwrap());
    // What Triton computes with, too.
    let options = EvaluatorOptions { own_kernels: false, ..EvaluatorOptions::cpu(1) };
    let here = OrtEvaluator::new(Runtime::load(&search).unwrap(), Arc::clone(&file), options);
    Some((file, Arc::new(here)))
}

/// A model repository as `honinbo net export --for triton` writes it.
fn export(folder: &Path, file: &NetworkFile, buffer: Option<(usize, usize)>, precision: Precision) {
    let model = folder.join("honinbo");
    std::fs::create_dir_all(model.join("1")).unwrap();
    let shape = buffer.map_or(BoardShape::Any, |(width, height)| BoardShape::Masked { width, height });
    let graph = to_onnx(&file.model, &GraphOptions::of(shape, precision)).unwrap();
    std::fs::write(model.join("1/model.onnx"), graph).unwrap();
    std::fs::write(model.join("config.pbtxt"), triton_config("honinbo", &NetworkHeader::of(file), buffer)).unwrap();
}

fn options(triton: &Triton) -> RemoteOptions {
    RemoteOptions::new(vec![triton.address().parse().unwrap()])
}

/// By REST with numbers in binary and in JSON, and by gRPC.
fn ways(rest: &str, grpc: &str) -> [RemoteOptions; 3] {
    [(rest, TensorForm::Auto), (rest, TensorForm::Json), (grpc, TensorForm::Auto)]
        .map(|(address, form)| RemoteOptions { form, ..RemoteOptions::new(vec![address.parse().unwrap()]) })
}

#[test]
fn the_numbers_by_grpc_are_those_by_rest_bit_for_bit() {
    let Some((file, here)) = network() else { return };
    let folder = tempfile::tempdir().unwrap();
    export(folder.path(), &file, None, Precision::Fp32);
    let Some(triton) = Triton::serve(folder.path()) else { return };
    let [rest, _, grpc] = ways(&triton.address(), &triton.grpc_address())
        .map(|options| RemoteEvaluator::connect(&options, NetworkHeader::of(&file), &here, &StopFlag::new()).unwrap());
    for (size, count) in [(9, 16), (13, 3), (19, 16)] {
        let games = honinbo_net::bench::positions(size, size, count).unwrap();
        let params = EvalParams { include_ownership: true, ..EvalParams::default() };
        let requests: Vec<_> = games.iter().map(|game| EvalRequest { game, params }).collect();
        let [by_rest, by_grpc] = [&rest, &grpc].map(|remote| remote.evaluate(&requests, &StopFlag::new()).unwrap());
        assert!(by_rest == by_grpc, "{size}x{size}");
        assert_eq!(by_rest.len(), count);
    }
}

#[test]
fn triton_finds_what_is_found_here_and_its_death_in_the_middle_costs_no_visit() {
    let Some((file, here)) = network() else { return };
    let folder = tempfile::tempdir().unwrap();
    export(folder.path(), &file, None, Precision::Fp32);
    let Some(mut triton) = Triton::serve(folder.path()) else { return };
    let expected = search(here.clone(), 400);
    for options in ways(&triton.address(), &triton.grpc_address()) {
        let remote = RemoteEvaluator::connect(&options, NetworkHeader::of(&file), &here, &StopFlag::new()).unwrap();
        assert_eq!(search(Arc::new(remote), 400), expected, "{:?} {:?}", options.endpoints, options.form);
    }
    let remote =
        RemoteEvaluator::connect(&options(&triton), NetworkHeader::of(&file), &here, &StopFlag::new()).unwrap();
    let both = Arc::new(FallbackToLocal::new(remote, here.clone()));
    let asked = Arc::clone(&both);
    let searching = std::thread::spawn(move || search(asked, 400));
    while both.remote().status()[0].answered < 100 {
        std::thread::yield_now();
    }
    triton.kill();
    assert_eq!(searching.join().unwrap(), expected);
    assert_eq!(both.ready(), (0, 1));
}

#[test]
fn arrays_of_one_size_and_of_sixteen_bits_are_the_same_network_and_another_file_is_not() {
    let Some((file, here)) = network() else { return };
    for (buffer, precision) in [(Some((19, 19)), Precision::Fp32), (None, Precision::Fp16)] {
        let folder = tempfile::tempdir().unwrap();
        export(folder.path(), &file, buffer, precision);
        let Some(triton) = Triton::serve(folder.path()) else { return };
        let remote = RemoteEvaluator::connect(&options(&triton), NetworkHeader::of(&file), &here, &StopFlag::new());
        let remote = remote.unwrap_or_else(|error| panic!("{error}: {}", triton.log()));
        let fingerprint = Fingerprint::of(&here, &StopFlag::new()).unwrap();
        let answers = remote.evaluate(&fingerprint.requests(), &StopFlag::new()).unwrap();
        assert_eq!(fingerprint.difference(&answers), None);
        if precision == Precision::Fp32 {
            let exact = search(here.clone(), 100);
            assert_eq!(search(Arc::new(remote), 100), exact, "{buffer:?}");
        }
        // Whoever has another network is told so.
        let error =
            RemoteEvaluator::connect(&options(&triton), header(), &MadeUp::default(), &StopFlag::new()).unwrap_err();
        assert!(
            matches!(
                &error,
                ConnectError::Refused { error: EndpointError::Model { .. } | EndpointError::OtherNetwork { .. }, .. }
            ),
            "{error}"
        );
    }
}

/// Status, whether it names the length of its JSON, and the JSON.
fn exchange(address: &str, path: &str, body: Option<(&[u8], Option<usize>)>) -> (u16, bool, Value, Vec<u8>) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
    let url = format!("{address}{path}");
    let response = match body {
        None => agent.get(url).call(),
        Some((body, length)) => match length {
            Some(length) => agent.post(url).header("Inference-Header-Content-Length", length.to_string()).send(body),
            None => agent.post(url).send(body),
        },
    };
    let mut response = response.unwrap();
    let length = response
        .headers()
        .get("Inference-Header-Content-Length")
        .map(|length| length.to_str().unwrap().parse().unwrap());
    let bytes = response.body_mut().read_to_vec().unwrap();
    let (frame, rest) = bytes.split_at(length.unwrap_or(bytes.len()));
    (response.status().as_u16(), length.is_some(), serde_json::from_slice(frame).unwrap_or_default(), rest.to_vec())
}

#[test]
fn the_made_up_server_speaks_as_triton_does() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("honinbo")).unwrap();
    std::fs::write(folder.path().join("honinbo/config.pbtxt"), triton_config("honinbo", &header(), None)).unwrap();
    let Some(triton) = Triton::serve_made_up(folder.path()) else { return };
    let made_up = InferenceServer::start("honinbo", ARRAYS, None);
    let both = |path: &str, body: Option<(&[u8], Option<usize>)>| {
        [triton.address(), made_up.address()].map(|address| exchange(&address, path, body))
    };

    let [real, made] = both("/v2", None);
    let extensions = |answer: &Value| answer["extensions"].as_array().unwrap().contains(&json!("binary_tensor_data"));
    assert!(real.0 == 200 && made.0 == 200 && extensions(&real.2) && extensions(&made.2), "{real:?}");
    assert_eq!(real.2["name"], made.2["name"]);
    let [real, made] = both("/v2/models/honinbo", None);
    for part in ["name", "versions", "inputs", "outputs"] {
        assert_eq!(real.2[part], made.2[part], "{part}");
    }
    let [real, made] = both("/v2/models/other", None);
    assert_eq!(real.0, made.0, "{real:?}");
    assert!(real.2["error"].is_string() && made.2["error"].is_string());
    let [real, made] = both("/v2/models/honinbo/infer", Some((b"{", None)));
    assert_eq!(real.0, made.0, "{real:?}");
    assert!(real.2["error"].is_string() && made.2["error"].is_string());

    // The same questions, as they are really sent, by searches.
    let made_up_grpc = InferenceServer::start_grpc("honinbo", ARRAYS, None);
    let real = ways(&triton.address(), &triton.grpc_address());
    let made = ways(&made_up.address(), &made_up_grpc.address());
    for both in real.iter().zip(&made) {
        let found = [both.0, both.1].map(|options| {
            let remote = RemoteEvaluator::connect(options, header(), &MadeUp::default(), &StopFlag::new()).unwrap();
            search(Arc::new(remote), 200)
        });
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], search(Arc::new(MadeUp::default()), 200));
    }
    for options in [&real[2], &made[2]] {
        let options = RemoteOptions { model: "other".into(), ..options.clone() };
        let error = RemoteEvaluator::connect(&options, header(), &MadeUp::default(), &StopFlag::new()).unwrap_err();
        let ConnectError::Refused { error: EndpointError::Refused { status, message }, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(status, Refusal::Grpc(5));
        assert!(message.contains("unknown model"), "{message}");
    }

    // One answer, byte for byte behind its JSON.
    let binary = json!({ "binary_data": true });
    let outputs: Vec<Value> = ["policy", "pass", "value", "score", "ownership"]
        .iter()
        .map(|name| json!({ "name": name, "parameters": binary }))
        .collect();
    let spatial: Vec<u8> = (0..22 * 25).flat_map(|at| f32::from(u8::from(at % 3 == 0)).to_le_bytes()).collect();
    let global = [0u8; 19 * 4];
    let tensor = |name: &str, shape: Value, bytes: usize| json!({ "name": name, "shape": shape, "datatype": "FP32", "parameters": { "binary_data_size": bytes } });
    let frame = json!({
        "inputs": [tensor("spatial", json!([1, 22, 5, 5]), spatial.len()), tensor("global", json!([1, 19]), global.len())],
        "outputs": outputs,
    });
    let frame = frame.to_string();
    let body = [frame.as_bytes(), &spatial, &global].concat();
    let [real, made] = both("/v2/models/honinbo/infer", Some((&body, Some(frame.len()))));
    assert_eq!((real.0, real.1, &real.2["outputs"], &real.3), (made.0, made.1, &made.2["outputs"], &made.3));
    assert_eq!(real.0, 200);
}
