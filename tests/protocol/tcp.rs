//! The JSON lines of `honinbo serve --tcp`.

use crate::support::{Honinbo, engine};
use serde_json::{Value, json};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// An empty board of this size as JSON, with some points replaced.
fn board(width: usize, height: usize, stones: &[(usize, usize, i64)]) -> Value {
    let mut rows = vec![vec![0; width]; height];
    for &(x, y, color) in stones {
        rows[y - 1][x - 1] = color;
    }
    json!(rows)
}

/// With what a fresh install has: the default network cannot see across joined edges, and of those that can one has learnt
/// small tori.
#[test]
fn every_level_searches_on_a_torus_with_a_network_that_sees_across_its_edges() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    let mut ask = |side: usize, more: Value| -> Value {
        let mut request = json!({ "operator": "run", "board": board(side, side, &[(4, 4, -1)]), "color": "white" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_str(&client.ask(&request.to_string())).unwrap()
    };
    let (level, rank) = (json!({ "level": "hard" }), json!({ "level": "rank_3k" }));
    for (side, more, network) in [
        (9, json!({ "visits": 20 }), "honinbo-torus9"),
        (7, level, "honinbo-torus9"),
        (7, rank, "honinbo-torus9"),
        (10, json!({ "visits": 20 }), "g170-b6c96"),
    ] {
        let mut torus = more.clone();
        torus["topology"] = json!("torus");
        let reply = ask(side, torus);
        assert_eq!((&reply["ok"], reply.get("note")), (&json!(true), None), "{more}: {reply}");
        assert!(reply["visits"].as_u64().unwrap() > 0, "{more}: {reply}");
        assert!(reply["network"].as_str().unwrap().starts_with(network), "{side}, {more}: {reply}");
    }
    let plane = ask(7, json!({ "visits": 5 }));
    assert!(plane["network"].as_str().unwrap().contains("b10c384h6nbttflrs"), "{plane}");
}

#[test]
fn a_run_tells_what_is_best_so_far_until_it_is_cancelled() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    let request = json!({
        "operator": "run", "id": "slow", "progress": 0.1, "board": board(9, 9, &[(3, 3, 1)]), "color": "white",
        "visits": 1_000_000, "seconds": 600,
    });
    client.send(&request.to_string());
    let mut told: Vec<Value> = Vec::new();
    while told.len() < 3 || told[told.len() - 1].get("move").is_none() {
        let line: Value = serde_json::from_str(&client.receive()).unwrap();
        assert_eq!((&line["kind"], &line["id"], line.get("ok")), (&json!("progress"), &json!("slow"), None), "{line}");
        told.push(line);
    }
    let last = &told[told.len() - 1];
    assert_eq!(last["allowedSeconds"], 600.0);
    let (winrate, x) = (last["winrate"].as_f64().unwrap(), &last["move"]["x"]);
    assert!((0.0..=1.0).contains(&winrate) && last["scoreLead"].is_f64(), "{last}");
    assert!(x.is_null() || (1..=9).contains(&x.as_u64().unwrap()), "{last}");
    assert!(told.is_sorted_by_key(|line| line["visits"].as_u64().unwrap()), "{told:?}");
    client.send(r#"{"operator":"cancel"}"#);
    let answer = loop {
        let line: Value = serde_json::from_str(&client.receive()).unwrap();
        if line["operator"] == "run" && line.get("ok").is_some() {
            break line;
        }
    };
    assert_eq!((&answer["ok"], &answer["id"]), (&json!(true), &json!("slow")), "{answer}");
    assert!(answer["visits"].as_u64() >= last["visits"].as_u64(), "{answer}");
}

#[test]
fn requests_that_cannot_be_done_are_explained_and_leave_the_connection_open() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    let run = |board: Value, more: Value| {
        let mut request = json!({ "operator": "run", "board": board, "color": "black" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request.to_string()
    };
    let requests = [
        "this is not JSON".to_string(),
        "{\"operator\":\"run\"".into(),
        "null".into(),
        json!({ "operator": "dance" }).to_string(),
        json!({ "operator": "run", "color": "black" }).to_string(),
        run(board(2, 2, &[]), json!({ "color": "green" })),
        run(json!("board"), json!({})),
        run(json!([]), json!({})),
        run(json!([0, 0, 0]), json!({})),
        run(json!([[0, 0], [0]]), json!({})),
        run(json!([[0, 0, 0], 0]), json!({})),
        run(board(53, 53, &[]), json!({})),
        run(board(1, 1, &[]), json!({})),
        run(board(3, 3, &[(3, 2, 7)]), json!({})),
        run(json!([[0, 0.5], [0, 0]]), json!({})),
        run(board(3, 3, &[(1, 1, 1), (2, 1, -1), (1, 2, -1)]), json!({})),
        run(board(2, 2, &[]), json!({ "visits": -1 })),
        run(board(2, 2, &[]), json!({ "visits": 0 })),
        run(board(2, 2, &[]), json!({ "seconds": -1 })),
        run(board(2, 2, &[]), json!({ "seconds": 1e9 })),
        run(board(2, 2, &[]), json!({ "rules": "monopoly" })),
        run(board(2, 2, &[]), json!({ "komi": 1e9 })),
        run(board(2, 2, &[]), json!({ "level": "god" })),
        run(board(2, 2, &[]), json!({ "topology": "cube" })),
        run(board(2, 2, &[]), json!({ "moves": [["black", [3, 1]]] })),
        run(board(2, 2, &[]), json!({ "moves": [["black", [0, 1]]] })),
        run(board(2, 2, &[]), json!({ "moves": [["black", [1, 1]]] })),
        run(board(2, 2, &[]), json!({ "moves": "none" })),
        json!({ "operator": "saveGoban" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "no record" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "(;)" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "a smile (;-) and a word" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "(;GM[2]SZ[8]B[aa])" }).to_string(),
        json!({ "operator": "saveGoban", "goban": "(;SZ[9];B[ee])\n(;NOTE[not a game])" }).to_string(),
        "[".repeat(200_000),
    ];
    let mut answers = String::new();
    for request in requests {
        let answer = client.ask(&request);
        let parsed: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(parsed["ok"], false, "{request}: {answer}");
        let error = &parsed["error"];
        let shown: String = request.chars().take(120).collect();
        answers += &format!("{shown}\n  {}: {}\n", error["kind"].as_str().unwrap(), error["message"].as_str().unwrap());
    }
    insta::assert_snapshot!(answers, @r#"
    this is not JSON
      invalidRequest: the line is not JSON: expected ident at line 1 column 2
    {"operator":"run"
      invalidRequest: the line is not JSON: EOF while parsing an object at line 1 column 17
    null
      invalidRequest: a request is a JSON object, this is null
    {"operator":"dance"}
      invalidRequest: there is no operator "dance"; use run, saveGoban or cancel
    {"color":"black","operator":"run"}
      invalidRequest: missing field `board`
    {"board":[[0,0],[0,0]],"color":"green","operator":"run"}
      invalidRequest: unknown variant `green`, expected `black` or `white`
    {"board":"board","color":"black","operator":"run"}
      invalidBoard: `board` is no list
    {"board":[],"color":"black","operator":"run"}
      invalidBoard: board size 0x0 is not between 2x2 and 52x52
    {"board":[0,0,0],"color":"black","operator":"run"}
      invalidBoard: `board` has 3 points, which is no square; give its rows instead
    {"board":[[0,0],[0]],"color":"black","operator":"run"}
      invalidBoard: row 2 of `board` has 1 points, the first has 2
    {"board":[[0,0,0],0],"color":"black","operator":"run"}
      invalidBoard: some rows of `board` are no lists
    {"board":[[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],[0
      invalidBoard: board size 53x53 is not between 2x2 and 52x52
    {"board":[[0]],"color":"black","operator":"run"}
      invalidBoard: board size 1x1 is not between 2x2 and 52x52
    {"board":[[0,0,0],[0,0,7],[0,0,0]],"color":"black","operator":"run"}
      invalidBoard: x 3, y 2 of `board` is 7, expected 0, 1 or -1
    {"board":[[0,0.5],[0,0]],"color":"black","operator":"run"}
      invalidBoard: x 2, y 1 of `board` is 0.5, expected 0, 1 or -1
    {"board":[[1,-1,0],[-1,0,0],[0,0,0]],"color":"black","operator":"run"}
      invalidBoard: the chain at A3 has no liberty
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","visits":-1}
      invalidRequest: invalid value: integer `-1`, expected u32
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","visits":0}
      invalidRequest: visits must be at least 1
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","seconds":-1}
      invalidRequest: seconds must be above 0 and at most 86400, not -1
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","seconds":1000000000.0}
      invalidRequest: seconds must be above 0 and at most 86400, not 1000000000
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","rules":"monopoly"}
      invalidRequest: `monopoly` is no known ruleset; use one of chinese, chinese-ogs, chinese-kgs, japanese, korean, aga, bga, french, aga-button, new-zealand, ing, tromp-taylor, stone-scoring, ancient-territory, daoqi, honinbo
    {"board":[[0,0],[0,0]],"color":"black","komi":1000000000.0,"operator":"run"}
      invalidRequest: komi 1000000000 is not a multiple of 0.5 between -400 and 400
    {"board":[[0,0],[0,0]],"color":"black","level":"god","operator":"run"}
      invalidRequest: there is no level "god"; choose one of easy, medium, hard, expert, custom, rank_20k to rank_9d (with a style: rank_5k+local), preaz_20k to preaz_9d, proyear_1800 to proyear_2023, or pupil_1 to pupil_5
    {"board":[[0,0],[0,0]],"color":"black","operator":"run","topology":"cube"}
      invalidRequest: unknown variant `cube`, expected one of `plane`, `cylinder`, `torus`
    {"board":[[0,0],[0,0]],"color":"black","moves":[["black",[3,1]]],"operator":"run"}
      invalidRequest: move 1 of `moves` is outside the board
    {"board":[[0,0],[0,0]],"color":"black","moves":[["black",[0,1]]],"operator":"run"}
      invalidRequest: move 1 of `moves` is outside the board
    {"board":[[0,0],[0,0]],"color":"black","moves":[["black",[1,1]]],"operator":"run"}
      invalidBoard: `moves` do not lead to `board`
    {"board":[[0,0],[0,0]],"color":"black","moves":"none","operator":"run"}
      invalidRequest: `moves` is no list
    {"operator":"saveGoban"}
      invalidRequest: missing field `goban`
    {"goban":"","operator":"saveGoban"}
      unreadableFile: nothing to save: no game record found; nothing was read
    {"goban":"no record","operator":"saveGoban"}
      unreadableFile: nothing to save: no game record found; nothing was read
    {"goban":"(;)","operator":"saveGoban"}
      unreadableFile: nothing to save: what begins in line 1 is no record of a game of Go
    {"goban":"a smile (;-) and a word","operator":"saveGoban"}
      unreadableFile: nothing to save: what begins in line 1 is no record of a game of Go
    {"goban":"(;GM[2]SZ[8]B[aa])","operator":"saveGoban"}
      unreadableFile: nothing to save: what begins in line 1 is no record of a game of Go
    {"goban":"(;SZ[9];B[ee])\n(;NOTE[not a game])","operator":"saveGoban"}
      unreadableFile: nothing to save: what begins in line 2 is no record of a game of Go
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
      invalidRequest: the line is not JSON: recursion limit exceeded at line 1 column 128
    "#);
    assert!(client.ask(r#"{"operator":"cancel"}"#).contains(r#""ok":true"#));
    assert_eq!(service.end(), 0);
}

#[test]
fn a_line_of_10_mib_is_skipped_without_being_kept() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..10 {
        client.stream.write_all(&piece).unwrap();
    }
    let answer = client.ask("");
    assert!(answer.contains(r#""kind":"lineTooLong""#), "{answer}");
    assert!(client.ask(r#"{"operator":"cancel"}"#).contains(r#""ok":true"#));
}

#[test]
fn a_record_is_kept_once() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    let request =
        json!({ "operator": "saveGoban", "goban": "(;GM[1]SZ[9]PB[甲]PW[乙];B[ee];W[gg];B[cc])" }).to_string();
    let first: Value = serde_json::from_str(&client.ask(&request)).unwrap();
    assert_eq!(
        (&first["operator"], &first["ok"], &first["duplicateOf"]),
        (&json!("saveGoban"), &json!(true), &Value::Null)
    );
    let again: Value = serde_json::from_str(&client.ask(&request)).unwrap();
    assert_eq!(again["duplicateOf"], first["id"]);
    drop(service);
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 1);
    let found = honinbo.run(&["library", "search", "甲", "--json"]).json();
    assert_eq!((&found["total"], &found["games"][0]["id"]), (&json!(1), &first["id"]));
}

#[test]
fn the_best_move_on_a_board_for_the_side_that_asks() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--net", &network]);
    let mut client = service.client();
    // Black has the left half; White has one stone to live with.
    let stones: Vec<(usize, usize, i64)> = (1..=9).map(|y| (5, y, 1)).chain([(8, 5, -1)]).collect();
    let ask = |client: &mut crate::support::Client, color: &str| -> Value {
        let request = json!({
            "operator": "run", "board": board(9, 9, &stones), "color": color,
            "visits": 30, "rules": "tromp-taylor", "komi": 7.5, "ownership": true,
        });
        serde_json::from_str(&client.ask(&request.to_string())).unwrap()
    };
    let black = ask(&mut client, "black");
    assert_eq!((&black["ok"], &black["device"]), (&json!(true), &json!("cpu")), "{black}");
    assert!(black["winrate"].as_f64().unwrap() > 0.8 && black["scoreLead"].as_f64().unwrap() > 10.0, "{black}");
    assert!(black["ownership"][0].as_f64().unwrap() > 0.8, "{black}");
    let white = ask(&mut client, "white");
    assert!(white["winrate"].as_f64().unwrap() < 0.3 && white["scoreLead"].as_f64().unwrap() < -5.0, "{white}");
    assert!(white["ownership"][0].as_f64().unwrap() < -0.8, "{white}");
    let candidates = white["candidates"].as_array().unwrap();
    let visits = |answer: &Value| answer["visits"].as_u64().unwrap();
    assert!(candidates.iter().all(|candidate| visits(candidate) < visits(&white)), "{white}");
    assert_eq!(candidates[0]["move"], white["move"]);

    // The same board reached by moves, flat and with history.
    let flat =
        json!({ "operator": "run", "board": vec![0; 25], "color": "white", "visits": 2, "moves": [["black", "pass"]] });
    assert!(client.ask(&flat.to_string()).contains(r#""ok":true"#));
}

#[test]
fn a_long_run_is_ended_by_cancel_and_by_the_end_of_the_service() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--net", &network]);
    let mut client = service.client();
    let long =
        json!({ "operator": "run", "board": board(19, 19, &[]), "color": "black", "visits": 1_000_000 }).to_string();
    // The first answer waits for the network to be read.
    let short = json!({ "operator": "run", "board": board(19, 19, &[]), "color": "black", "visits": 2 }).to_string();
    assert!(client.ask(&short).contains(r#""ok":true"#));

    client.send(&long);
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    assert_eq!(client.ask(r#"{"operator":"cancel"}"#), r#"{"operator":"cancel","ok":true}"#);
    let reply: Value = serde_json::from_str(&client.receive()).unwrap();
    assert!(reply["ok"] == true && reply["visits"].as_u64().unwrap() < 1_000_000, "{reply}");
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());

    client.send(&long);
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    assert_eq!(service.end(), 0);
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
}

#[test]
fn without_a_network_a_run_says_what_to_do() {
    let honinbo = Honinbo::new();
    let settings = "network = \"no-such-network.bin.gz\"\n";
    std::fs::write(honinbo.data.path().join("settings.toml"), settings).unwrap();
    let service = honinbo.serve(&[]);
    let request = json!({ "operator": "run", "board": board(9, 9, &[]), "color": "black" }).to_string();
    let answer: Value = serde_json::from_str(&service.client().ask(&request)).unwrap();
    assert_eq!(answer["error"]["kind"], "engineUnavailable");
    assert!(answer["error"]["message"].as_str().unwrap().contains("no-such-network.bin.gz"));
    assert!(!answer["error"]["hint"].as_str().unwrap().is_empty());
}
