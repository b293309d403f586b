//! Networks on inference servers: `honinbo net export`, and the commands that ask such servers.

use crate::support::{Honinbo, engine, famous_game};
use honinbo_testkit::inference_servers::free_port;
use serde_json::Value;
use std::path::Path;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_network_for_triton_and_for_openvino_model_server() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("models");
    let export = |more: &[&str]| {
        honinbo
            .run(&[&["net", "export", folder.to_str().unwrap(), "--net", &network, "--json"] as &[&str], more].concat())
    };
    let done = export(&["--for", "triton"]).json();
    assert_eq!((&done["model"], &done["size"]), (&"honinbo".into(), &"any".into()));
    let config = text(&folder.join("honinbo/config.pbtxt"));
    assert!(config.contains("backend: \"onnxruntime\"") && config.contains("dims: [ 22, -1, -1 ]"), "{config}");
    assert_eq!(std::fs::metadata(folder.join("honinbo/1/model.onnx")).unwrap().len(), done["bytes"].as_u64().unwrap());
    let description: Value = serde_json::from_str(&text(&folder.join("honinbo/network.json"))).unwrap();
    assert_eq!(description["network"]["sha256"], done["sha256"]);
    assert_eq!(description["fingerprint"].as_array().unwrap().len(), 4);
    assert!(export(&["--for", "triton"]).failure().contains("is there already"));

    let done = export(&["--for", "ovms", "--model", "go", "--size", "19x19", "--precision", "fp16"]).json();
    let config: Value = serde_json::from_str(&text(&folder.join("config.json"))).unwrap();
    assert_eq!(config["model_config_list"][0]["config"]["base_path"], "go");
    assert_eq!((&done["precision"], folder.join("go/1/model.onnx").is_file()), (&"fp16".into(), true));

    assert_eq!(export(&["--for", "triton", "--model", "../x"]).status, 2);
    assert_eq!(export(&["--for", "triton", "--size", "99x99"]).status, 2);
}

#[cfg(unix)]
#[test]
fn triton_computes_for_run_gtp_analysis_and_a_server() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("models");
    let exported = honinbo.run(&["net", "export", "--for", "triton", folder.to_str().unwrap(), "--net", &network]);
    assert_eq!(exported.status, 0, "{exported:?}");
    let Some(triton) = honinbo_testkit::Triton::serve(&folder) else { return };
    let address = triton.address();
    let game = famous_game();
    let run = |more: &[&str]| {
        // What is in the library is not computed twice, so each has a data folder of its own.
        let args = [&["run", &game, "--net", &network, "--visits", "40", "--json"] as &[&str], more].concat();
        Honinbo::new().run(&args).json()
    };
    let here = run(&["--precision", "exact"]);
    for address in [&address, &triton.grpc_address()] {
        let there = run(&["--inference", address]);
        assert_eq!(there["ok"], true, "{there}");
        assert_eq!((&there["device"], &there["visits"]), (&"inference".into(), &here["visits"]), "{there}");
    }

    let raw = |more: &[&str]| {
        let honinbo = Honinbo::new();
        let args = [&["gtp", "--net", &network, "--visits", "20"] as &[&str], more].concat();
        let answer = honinbo.run_with_input(&args, b"boardsize 9\nplay b e5\nkata-raw-nn 0\ngenmove w\nquit\n");
        assert_eq!(answer.status, 0, "{answer:?}");
        answer.stdout
    };
    let number = |answer: &str, name: &str| -> f64 {
        let line = answer.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name} in {answer}"));
        line.split_whitespace().last().unwrap().parse().unwrap()
    };
    let (there, here) = (raw(&["--inference", &address]), raw(&["--precision", "exact"]));
    for name in ["whiteWin", "whiteLead"] {
        assert!((number(&there, name) - number(&here, name)).abs() < 1e-3, "{there} {here}");
    }

    let question =
        r#"{"id":"a","moves":[["B","E5"]],"rules":"chinese","komi":7,"boardXSize":9,"boardYSize":9,"maxVisits":20}"#;
    let args = ["analysis", "--net", &network, "--inference", &address];
    let answer = Honinbo::new().run_with_input(&args, format!("{question}\n").as_bytes()).json();
    assert_eq!(answer["rootInfo"]["visits"], 20, "{answer}");

    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--net", &network, "--inference", &address]);
    let rows = vec![vec![0; 9]; 9];
    let request = serde_json::json!({ "operator": "run", "board": rows, "color": "black", "visits": 20 });
    let reply: Value = serde_json::from_str(&service.client().ask(&request.to_string())).unwrap();
    assert_eq!((&reply["ok"], &reply["device"]), (&true.into(), &"inference".into()), "{reply}");
}

#[test]
fn where_no_server_answers_the_processor_does_and_says_so() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let nobody = format!("http://127.0.0.1:{}", free_port());
    let args = ["run", &famous_game(), "--net", &network, "--visits", "10", "--json", "--inference", &nobody];
    let ended = honinbo.run(&args);
    let reply = ended.json();
    assert_eq!(
        (&reply["ok"], &reply["device"], &reply["visits"]),
        (&true.into(), &"cpu".into(), &10.into()),
        "{reply}"
    );
    let said: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(said.len(), 1, "{ended:?}");
    assert!(said[0].starts_with(&format!("note: {nobody}: ")) && said[0].contains("computed here"), "{ended:?}");
}

#[test]
fn the_protocols_say_once_what_becomes_of_the_device() {
    let Some(network) = engine() else { return };
    let nobody = format!("http://127.0.0.1:{}", free_port());
    let question = r#"{"id":"a","moves":[],"rules":"chinese","komi":7,"boardXSize":9,"boardYSize":9,"maxVisits":5}"#;
    let gtp = "boardsize 9\ngenmove b\ngenmove w\nquit\n".to_owned();
    for (command, input) in [("gtp", gtp), ("analysis", format!("{question}\n"))] {
        let honinbo = Honinbo::new();
        let args = [command, "--net", &network, "--visits", "5", "--inference", &nobody];
        let ended = honinbo.run_with_input(&args, input.as_bytes());
        let notes: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
        assert!(notes.iter().any(|line| line.contains("computed here")), "{command}: {ended:?}");
        let different: std::collections::BTreeSet<_> = notes.iter().collect();
        assert_eq!(different.len(), notes.len(), "{command}: {ended:?}");
    }
}

#[test]
fn a_measurement_names_the_server_that_does_not_answer_and_not_the_network() {
    let Some(network) = engine() else { return };
    let nobody = format!("http://127.0.0.1:{}", free_port());
    let ended = Honinbo::new().run(&["net", "bench", &network, "--batch", "1", "--inference", &nobody]);
    let said = ended.failure();
    assert!(said.starts_with(&format!("error: the inference server {nobody} cannot be used: ")), "{ended:?}");
    assert!(!said.contains(&network), "{ended:?}");
}

#[test]
fn servers_that_cannot_be_used_are_refused_with_what_to_do() {
    let Some(network) = engine() else { return };
    let game = famous_game();
    let token = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(token.path(), "very-secret\n").unwrap();
    let with = |more: &[&str]| {
        let honinbo = Honinbo::new().with("HONINBO_INFERENCE_TOKEN", "very-secret");
        honinbo.run(&[&["run", &game, "--net", &network, "--visits", "5"] as &[&str], more].concat())
    };
    let refused = with(&["--inference", "http://gpu.example"]);
    assert!(refused.failure().contains("the token would travel unencrypted to http://gpu.example:8000"), "{refused:?}");
    let file = token.path().to_str().unwrap();
    let refused = with(&["--inference", "http://10.0.0.7", "--inference-token-file", file]);
    assert!(refused.failure().contains("use https") && !refused.stderr.contains("secret"), "{refused:?}");
    let refused = with(&["--inference", "grpc://gpu.example"]);
    assert!(refused.failure().contains("the token would travel unencrypted to grpc://gpu.example:8001"), "{refused:?}");
    assert_eq!(with(&["--inference", "grpc://127.0.0.1:8001/v2"]).status, 2);
    assert_eq!(with(&["--inference", "gpu"]).status, 2);
    let missing = with(&["--inference", "https://gpu.example", "--inference-token-file", "/nowhere/token"]);
    assert!(missing.failure().contains("/nowhere/token"), "{missing:?}");

    // Another network than the one here.
    let other = honinbo_testkit::inference_servers::InferenceServer::start(
        "honinbo",
        honinbo_testkit::inference_servers::Arrays { policy_outputs: 1, score_outputs: 4 },
        None,
    );
    let honinbo = Honinbo::new();
    let refused = honinbo.run(&["run", &game, "--net", &network, "--visits", "5", "--inference", &other.address()]);
    assert!(refused.failure().contains("net export"), "{refused:?}");
}

#[test]
fn servers_can_stand_in_the_settings() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let nobody = format!("http://127.0.0.1:{}", free_port());
    let settings = format!("[inference]\nservers = [\"{nobody}\"]\n");
    std::fs::write(honinbo.data.path().join("settings.toml"), settings).unwrap();
    let args = ["run", &famous_game(), "--net", &network, "--visits", "10", "--json"];
    let ended = honinbo.command(&args).env("HONINBO_LOG", "warn").output().unwrap();
    let reply: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!((&reply["ok"], &reply["device"]), (&true.into(), &"cpu".into()), "{reply}");
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains(&nobody) && said.contains("no inference server answers"), "{said}");
}
