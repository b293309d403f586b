//! `honinbo mcp`: tools for assistants, spoken to by hand and by the official SDKs for TypeScript and Python.

use crate::clients::{answer_of, clients};
use crate::support::{Honinbo, engine, famous_game, repository};
use serde_json::{Value, json};
use std::process::Command;

/// What the server answers to these requests, by their ids; nothing is asked that needs a network.
fn talk(honinbo: &Honinbo, requests: &[Value]) -> Vec<Value> {
    let mut input = format!(
        "{}\n{}\n",
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    );
    for request in requests {
        input.push_str(&format!("{request}\n"));
    }
    let ended = honinbo.run_with_input(&["mcp"], input.as_bytes());
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let mut answers: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

#[test]
fn tools_are_listed_and_answer_without_a_network() {
    let honinbo = Honinbo::new();
    let sgf = std::fs::read_to_string(famous_game()).unwrap();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let answers = talk(
        &honinbo,
        &[
            list,
            call(2, "show_position", &json!({ "sgf": sgf, "after": 3 })),
            call(3, "show_position", &json!({ "moves": ["K10"], "size": 19, "komi": 6.5, "rules": "japanese" })),
            call(4, "show_position", &json!({ "moves": ["Z99"] })),
            call(5, "search_library", &json!({ "limit": 5 })),
        ],
    );
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "honinbo");
    let names: Vec<&str> =
        answers[1]["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    // The page about other programs has a row for each of them, in their order.
    let page = std::fs::read_to_string(repository().join("docs/programs.md")).unwrap();
    let table = page.split("| tool | does |").nth(1).unwrap();
    let rows: Vec<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name)).collect();
    assert_eq!(names, rows);
    let told = |number: usize| &answers[number]["result"]["structuredContent"];
    assert_eq!((&told(2)["moves"], &told(2)["toPlay"]), (&json!(3), &json!("white")), "{}", told(2));
    assert_eq!(
        (&told(3)["rules"], &told(3)["komi"], &told(3)["lastMove"]),
        (&json!("japanese"), &json!(6.5), &json!("K10"))
    );
    assert_eq!(told(3)["legalPoints"].as_array().unwrap().len(), 360);
    assert_eq!(answers[4]["result"]["isError"], true);
    assert!(answers[4]["result"]["content"][0]["text"].as_str().unwrap().contains("Z99"), "{}", answers[4]);
    assert_eq!(told(5)["total"], 0, "{}", told(5));
}

#[test]
fn how_the_edges_meet_is_told_and_can_be_asked_for() {
    let answers = talk(
        &Honinbo::new(),
        &[
            call(1, "show_position", &json!({ "moves": ["A1"], "size": 9 })),
            call(2, "show_position", &json!({ "moves": ["A1"], "size": 9, "topology": "torus" })),
            call(3, "show_position", &json!({ "sgf": "(;SZ[9]TOPO[cylinder];B[ee])" })),
            call(4, "show_position", &json!({ "moves": [], "width": 5, "height": 7 })),
            call(5, "show_position", &json!({ "moves": [], "topology": "sphere" })),
            // The stone in the corner is taken across the edges.
            call(
                6,
                "show_position",
                &json!({
                "moves": ["A1", "B1", "pass", "A2", "pass", "E1", "pass", "A5"], "size": 5, "topology": "torus" }),
            ),
        ],
    );
    let told = |number: usize| &answers[number]["result"]["structuredContent"];
    assert_eq!((&told(1)["topology"], told(1).get("edges")), (&json!("plane"), None));
    assert!(told(1)["board"].as_str().unwrap().contains('+'));
    assert_eq!((&told(2)["topology"], &told(2)["rules"]), (&json!("torus"), &json!("daoqi")), "{}", told(2));
    assert!(told(2)["edges"].as_str().unwrap().contains("All edges meet"));
    assert!(!told(2)["board"].as_str().unwrap().contains('+'), "{}", told(2));
    assert_eq!(told(3)["topology"], "cylinder");
    assert!(told(3)["edges"].as_str().unwrap().contains("left and right"));
    assert_eq!(told(4)["legalPoints"].as_array().unwrap().len(), 35, "{}", told(4));
    assert_eq!(answers[5]["result"]["isError"], true, "{}", answers[5]);
    assert_eq!(told(6)["capturedByWhite"], 1, "{}", told(6));
}

#[test]
fn a_game_in_another_character_set_is_given_as_text() {
    let honinbo = Honinbo::new();
    let path = honinbo.data.path().join("game.sgf");
    std::fs::write(&path, b"(;SZ[9]CA[GB2312]PB[\xBF\xC2\xBD\xE0];B[ee];W[cc])").unwrap();
    assert_eq!(honinbo.run(&["library", "import", path.to_str().unwrap()]).status, 0);
    let id = honinbo.run(&["library", "search", "--json"]).json()["games"][0]["id"].clone();
    let answers = talk(&honinbo, &[call(1, "get_game", &json!({ "id": id }))]);
    let told = &answers[1]["result"]["structuredContent"];
    assert_eq!(told["sgf"].as_str().unwrap().trim_end(), "(;SZ[9]CA[UTF-8]PB[柯洁];B[ee];W[cc])", "{told}");
}

#[test]
fn wrong_arguments_are_refused_and_not_passed_over() {
    let honinbo = Honinbo::new();
    let path = honinbo.data.path().join("game.sgf");
    std::fs::write(&path, "(;SZ[9]PB[Ke Jie]PW[Master]DT[2017-05-23]RE[W+0.5];B[ee];W[cc])").unwrap();
    assert_eq!(honinbo.run(&["library", "import", path.to_str().unwrap()]).status, 0);
    let id = honinbo.run(&["library", "search", "--json"]).json()["games"][0]["id"].as_str().unwrap().to_owned();
    let calls = [
        ("search_library", json!({ "winner": "Black" }), r#""black" or "white""#),
        ("search_library", json!({ "players": "Ke Jie" }), "search_library takes"),
        ("search_library", json!({ "from": "foo" }), "2003-09-25"),
        ("search_library", json!({ "to": "2017-13-45" }), "2003-09-25"),
        ("analyze_position", json!({ "moves": [], "visits": 0 }), "from 1 to 100000"),
        ("get_game", json!({}), "id is missing"),
        ("show_position", json!({}), "sgf"),
        ("show_position", json!({ "sgf": "(;SZ[9])", "moves": ["D4"] }), "give one of them"),
        ("show_position", json!({ "sgf": "(;GM[2]SZ[8];B[aa])" }), "is no record of a game of Go"),
    ];
    let requests: Vec<Value> =
        (1..).zip(&calls).map(|(number, (tool, arguments, _))| call(number, tool, arguments)).collect();
    let answers = talk(&honinbo, &requests);
    for ((tool, arguments, part), answer) in calls.iter().zip(&answers[1..]) {
        assert_eq!(answer["result"]["isError"], true, "{tool} {arguments}: {answer}");
        assert!(
            answer["result"]["content"][0]["text"].as_str().unwrap().contains(part),
            "{tool} {arguments}: {answer}"
        );
    }
    let answers = talk(
        &honinbo,
        &[
            call(1, "search_library", &json!({ "winner": "white", "from": "2017", "to": "", "text": null })),
            call(2, "get_game", &json!({ "id": id.parse::<u64>().unwrap() })),
            call(3, "show_position", &json!({ "sgf": "(;SZ[9];B[ee])", "moves": [] })),
        ],
    );
    assert_eq!(answers[1]["result"]["structuredContent"]["total"], 1, "{}", answers[1]);
    assert_eq!(answers[2]["result"]["structuredContent"]["game"]["black"], "Ke Jie", "{}", answers[2]);
    assert_eq!(answers[3]["result"]["structuredContent"]["lastMove"], "E5", "{}", answers[3]);
}

#[test]
fn lines_that_are_no_requests_end_nothing() {
    let honinbo = Honinbo::new();
    let input = concat!(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",",
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\nnot json\n{\"jsonrpc\":\"2.0\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}\n",
    );
    let ended = honinbo.run_with_input(&["mcp"], input.as_bytes());
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.lines().any(|line| line.contains("\"id\":7") && line.contains("show_position")), "{ended:?}");
}

#[test]
fn an_assistant_in_python_uses_every_tool_through_the_official_sdk() {
    let (Some(clients), Some(network)) = (clients(), engine()) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("python3");
    command
        .arg(repository().join("tests/protocol/clients/mcp_assistant.py"))
        .args([&famous_game(), env!("CARGO_BIN_EXE_honinbo"), "mcp", "--net", &network])
        .env("PYTHONPATH", clients.join("assistant"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["server"], "honinbo", "{found}");
    let tools = found["tools"].as_object().unwrap();
    assert_eq!(tools.len(), 8, "{found}");
    assert!(tools.values().all(|tool| tool[0] == true && tool[1] == "object"), "{found}");
    assert_eq!(
        (&found["shown"]["moves"], &found["shown"]["toPlay"]),
        (&json!(2), &json!("black")),
        "{}",
        found["shown"]
    );
    assert_eq!(found["analysed"]["visits"], 20, "{}", found["analysed"]);
    assert_eq!((&found["listed"]["total"], &found["figures"]["games"]), (&json!(1), &json!(1)), "{}", found["listed"]);
    assert!(found["game"]["sgf"].as_str().unwrap().starts_with("(;"), "{}", found["game"]);
    assert_eq!(found["position"]["games"], 1, "{}", found["position"]);
    assert_eq!(found["reviewed"]["moves"].as_array().unwrap().len(), 3, "{}", found["reviewed"]);
    for odd in found["odd"].as_array().unwrap() {
        assert!(odd["failure"].as_str().unwrap().len() > 10, "{odd}");
    }
}

#[test]
fn an_assistant_uses_every_tool_through_the_official_sdk() {
    let (Some(clients), Some(network)) = (clients(), engine()) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/protocol/clients/mcp_assistant.cjs"))
        .args([&famous_game(), env!("CARGO_BIN_EXE_honinbo"), "mcp", "--net", &network])
        .env("NODE_PATH", clients.join("node/node_modules"));
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["server"]["name"], "honinbo", "{found}");
    assert_eq!(found["tools"].as_array().unwrap().len(), 8);
    for tool in found["tools"].as_array().unwrap() {
        let writes = tool["name"] == "save_game";
        assert_eq!((&tool["type"], &tool["readOnly"]), (&json!("object"), &json!(!writes)), "{tool}");
    }
    assert!(found["shown"]["board"].as_str().unwrap().lines().count() >= 9, "{}", found["shown"]);
    let analysed = &found["analysed"];
    assert_eq!(analysed["visits"], 20, "{analysed}");
    assert_eq!(analysed["candidates"][0]["move"], analysed["bestMove"], "{analysed}");
    assert_eq!(analysed["blackOwnership"].as_array().unwrap().len(), 9);
    assert_eq!((&found["saved"]["id"], &found["saved"]["duplicateOf"]), (&found["again"]["duplicateOf"], &Value::Null));
    assert_eq!((&found["figures"]["games"], &found["listed"]["total"]), (&json!(1), &json!(1)), "{}", found["listed"]);
    assert!(found["game"]["sgf"].as_str().unwrap().starts_with("(;"), "{}", found["game"]);
    assert_eq!(found["position"]["games"], 1, "{}", found["position"]);
    assert_eq!(found["reviewed"]["moves"].as_array().unwrap().len(), 3, "{}", found["reviewed"]);
    for refused in found["refused"].as_array().unwrap() {
        assert!(refused["failure"].as_str().unwrap().len() > 10, "{refused}");
    }
    assert!(found["unknown"].as_str().unwrap().contains("launch_rocket"), "{}", found["unknown"]);
    assert_eq!((&found["ended"], &found["after"]["games"]), (&json!("ended"), &json!(1)), "{found}");
}
