//! Whole conversations in the analysis protocol.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeSet;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_protocols::ModelInfo;
use honinbo_protocols::analysis::{AnalysisEngine, AnalysisOptions, serve};
use honinbo_search::bench::Scrambled;
use honinbo_testkit::{AlteredEvaluator, FailingEvaluator, NotingEvaluator};
use serde_json::{Value, json};

fn model() -> ModelInfo {
    ModelInfo {
        name: "scrambled.bin.gz".into(),
        internal_name: "scrambled".into(),
        version: Some(15),
        uses_profile: false,
    }
}

fn options() -> AnalysisOptions {
    AnalysisOptions { threads: 1, ..AnalysisOptions::new(model()) }
}

fn engine() -> AnalysisEngine {
    AnalysisEngine::new(Arc::new(Scrambled), options())
}

/// Sends everything at once and returns all answers.
fn talk_to(engine: &AnalysisEngine, input: &str) -> Vec<Value> {
    let mut output = Vec::new();
    serve(Cursor::new(input.as_bytes().to_vec()), &mut output, engine).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn talk(input: &str) -> Vec<Value> {
    talk_to(&engine(), input)
}

/// A query about an empty board with these fields changed or added; null takes one away.
fn query(changes: Value) -> String {
    let mut query = json!({
        "id": "q", "moves": [], "rules": "tromp-taylor", "komi": 7.5, "boardXSize": 9, "boardYSize": 9, "maxVisits": 20,
    });
    for (name, value) in changes.as_object().unwrap() {
        query[name] = value.clone();
    }
    query.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    format!("{query}\n")
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn set<'a>(names: &'a [&'a str]) -> BTreeSet<&'a str> {
    names.iter().copied().collect()
}

/// The example at the beginning of KataGo's document.
const DOCUMENTED: &str = r#"{"id":"foo","initialStones":[["B","Q4"],["B","C4"]],"moves":[["W","P5"],["B","P6"]],"rules":"tromp-taylor","komi":7.5,"boardXSize":19,"boardYSize":19,"analyzeTurns":[0,1,2],"maxVisits":30}"#;

#[test]
fn the_documented_example_is_answered_in_its_form() {
    let answers = talk(&format!("{DOCUMENTED}\n"));
    assert_eq!(answers.len(), 3);
    let turns: BTreeSet<u64> = answers.iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    assert_eq!(turns, BTreeSet::from([0, 1, 2]));
    for answer in &answers {
        assert_eq!(keys(answer), set(&["id", "isDuringSearch", "moveInfos", "rootInfo", "turnNumber"]));
        assert_eq!((&answer["id"], &answer["isDuringSearch"]), (&json!("foo"), &json!(false)));
        let root = &answer["rootInfo"];
        // Everything that the document lists, and what KataGo 1.17.2 sends beside it.
        for name in [
            "winrate",
            "scoreLead",
            "scoreSelfplay",
            "scoreStdev",
            "utility",
            "visits",
            "weight",
            "thisHash",
            "symHash",
            "currentPlayer",
            "rawWinrate",
            "rawLead",
            "rawScoreSelfplay",
            "rawScoreSelfplayStdev",
            "rawNoResultProb",
            "rawStWrError",
            "rawStScoreError",
            "rawVarTimeLeft",
        ] {
            assert!(!root[name].is_null(), "{name} is missing: {root}");
        }
        let turn = answer["turnNumber"].as_u64().unwrap();
        assert_eq!(root["currentPlayer"], json!(if turn % 2 == 0 { "W" } else { "B" }));
        assert_eq!(root["visits"], json!(30));
        assert_eq!(root["thisHash"].as_str().unwrap().len(), 32);
        let infos = answer["moveInfos"].as_array().unwrap();
        for (order, info) in infos.iter().enumerate() {
            let mut expected = set(&[
                "move",
                "visits",
                "edgeVisits",
                "winrate",
                "scoreMean",
                "scoreStdev",
                "scoreLead",
                "scoreSelfplay",
                "prior",
                "utility",
                "lcb",
                "utilityLcb",
                "weight",
                "edgeWeight",
                "order",
                "playSelectionValue",
                "pv",
            ]);
            if info.get("isSymmetryOf").is_some() {
                expected.insert("isSymmetryOf");
            }
            assert_eq!(keys(info), expected);
            assert_eq!(info["order"], json!(order));
            assert_eq!(info["pv"][0], info["move"]);
        }
    }
}

#[test]
fn everything_that_is_asked_for_is_included() {
    let wanted = json!({
        "includeOwnership": true, "includeOwnershipStdev": true, "includeMovesOwnership": true,
        "includeMovesOwnershipStdev": true, "includePolicy": true, "includePVVisits": true,
        "includeNoResultValue": true, "boardXSize": 7, "boardYSize": 5, "analysisPVLen": 1,
    });
    let answer = &talk(&query(wanted))[0];
    assert_eq!(answer["policy"].as_array().unwrap().len(), 36);
    for name in ["ownership", "ownershipStdev"] {
        assert_eq!(answer[name].as_array().unwrap().len(), 35);
        for info in answer["moveInfos"].as_array().unwrap() {
            assert_eq!(info[name].as_array().unwrap().len(), 35);
        }
    }
    for info in answer["moveInfos"].as_array().unwrap() {
        let pv = info["pv"].as_array().unwrap().len();
        assert!(pv <= 2 && info["pvVisits"].as_array().unwrap().len() == pv, "{info}");
        assert_eq!(info["pvEdgeVisits"].as_array().unwrap().len(), pv);
        assert!(info["noResultValue"].is_number());
    }
}

#[test]
fn perspectives_follow_the_settings() {
    let asked = |side: &str| {
        let change = json!({ "overrideSettings": { "reportAnalysisWinratesAs": side }, "moves": [["b", "E5"]] });
        talk(&query(change))[0]["rootInfo"]["scoreLead"].as_f64().unwrap()
    };
    let (black, white, mover) = (asked("BLACK"), asked("WHITE"), asked("SIDETOMOVE"));
    assert!((black + white).abs() < 1e-9 && (white - mover).abs() < 1e-9 && black != 0.0);
}

#[test]
fn the_same_query_is_answered_the_same() {
    let text = query(json!({ "id": "one" })) + &query(json!({ "id": "two" }));
    let mut answers = talk(&text);
    answers.iter_mut().for_each(|answer| answer["id"] = json!(""));
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn moves_are_avoided_and_allowed() {
    let searched = |change: Value| -> BTreeSet<String> {
        let answer = &talk(&query(change))[0];
        let infos = answer["moveInfos"].as_array().unwrap_or_else(|| panic!("{answer}"));
        infos.iter().map(|info| info["move"].as_str().unwrap().to_owned()).collect()
    };
    let allowed = json!({ "targetVisits": 1, "allowMoves": [{ "player": "B", "moves": ["A1", "(3,0)", "pass"], "untilDepth": 1 }] });
    assert_eq!(searched(allowed), BTreeSet::from(["A1".into(), "D9".into(), "pass".into()]));
    let everything = searched(json!({ "maxVisits": 200 }));
    let first = everything.iter().next().unwrap().clone();
    let avoided = json!({
        "maxVisits": 200,
        "avoidMoves": [{ "player": "b", "moves": [first], "untilDepth": 3 }],
    });
    assert!(!searched(avoided).contains(&first));
}

#[test]
fn root_moves_can_be_given_equal_visits() {
    let change = json!({ "targetMoves": ["C3", "G7", "E5"], "targetVisits": 6, "maxVisits": 1000 });
    let answer = &talk(&query(change))[0];
    for info in answer["moveInfos"].as_array().unwrap() {
        if ["C3", "G7", "E5"].contains(&info["move"].as_str().unwrap()) {
            assert!(info["visits"].as_u64().unwrap() >= 6, "{info}");
        }
    }
}

#[test]
fn rules_are_read_in_every_form() {
    for rules in [
        json!("chinese"),
        json!("japanese"),
        json!("Chinese-OGS"),
        json!("korean"),
        json!("aga"),
        json!("stone_scoring"),
        json!("new zealand"),
        json!("aga-button"),
        json!("bga"),
        json!("koPOSITIONALscoreAREAtaxNONEsui1"),
        json!({ "ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": false }),
        json!("{\"ko\":\"SITUATIONAL\",\"scoring\":\"AREA\",\"suicide\":true,\"whiteHandicapBonus\":\"N-1\"}"),
    ] {
        let answers = talk(&query(json!({ "rules": rules, "komi": null, "maxVisits": 2 })));
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(answers[0].get("moveInfos").is_some(), "{rules}: {answers:?}");
    }
    let bonus = talk(&query(json!({ "rules": "chinese", "whiteHandicapBonus": "N-1", "maxVisits": 2 })));
    assert!(bonus[0].get("moveInfos").is_some());
}

#[test]
fn wrong_fields_are_named() {
    for (change, field) in [
        (json!({ "boardXSize": null }), "boardXSize"),
        (json!({ "boardYSize": 1 }), "boardYSize"),
        (json!({ "boardYSize": 9.5 }), "boardYSize"),
        (json!({ "boardXSize": "19" }), "boardXSize"),
        (json!({ "moves": null }), "moves"),
        (json!({ "moves": "D4" }), "moves"),
        (json!({ "moves": [["b"]] }), "moves"),
        (json!({ "moves": [["x", "D4"]] }), "moves"),
        (json!({ "moves": [["b", "Z99"]] }), "moves"),
        (json!({ "moves": [["b", "resign"]] }), "moves"),
        (json!({ "moves": [["b", "D4"], ["w", "D4"]] }), "moves"),
        (json!({ "initialStones": [["b", "pass"]] }), "initialStones"),
        (json!({ "initialStones": [["b", "A1"], ["w", "A2"], ["w", "B1"]] }), "initialStones"),
        (json!({ "initialPlayer": "green" }), "initialPlayer"),
        (json!({ "rules": null }), "rules"),
        (json!({ "rules": "checkers" }), "rules"),
        (json!({ "rules": 7 }), "rules"),
        (json!({ "rules": { "speed": 1 } }), "rules"),
        (json!({ "komi": 7.25 }), "komi"),
        (json!({ "komi": 1000 }), "komi"),
        (json!({ "whiteHandicapBonus": "M" }), "whiteHandicapBonus"),
        (json!({ "analyzeTurns": [1] }), "analyzeTurns"),
        (json!({ "analyzeTurns": [-1] }), "analyzeTurns"),
        (json!({ "analyzeTurns": 0 }), "analyzeTurns"),
        (json!({ "priority": 0.5 }), "priority"),
        (json!({ "priority": 1, "priorities": [1], "analyzeTurns": [0] }), "priority"),
        (json!({ "priorities": [1] }), "priorities"),
        (json!({ "priorities": [1, 2], "analyzeTurns": [0] }), "priorities"),
        (json!({ "maxVisits": 0 }), "maxVisits"),
        (json!({ "maxVisits": "many" }), "maxVisits"),
        (json!({ "includePolicy": 1 }), "includePolicy"),
        (json!({ "reportDuringSearchEvery": 0 }), "reportDuringSearchEvery"),
        (json!({ "rootPolicyTemperature": 0 }), "rootPolicyTemperature"),
        (json!({ "overrideSettings": [] }), "overrideSettings"),
        (json!({ "overrideSettings": { "cpuctExploration": -1 } }), "overrideSettings"),
        (json!({ "overrideSettings": { "wideRootNoise": "loud" } }), "overrideSettings"),
        (json!({ "overrideSettings": { "humanSLProfile": "rank_5k" } }), "overrideSettings"),
        (json!({ "allowMoves": [], "avoidMoves": [] }), "allowMoves"),
        (json!({ "avoidMoves": [{ "player": "b", "moves": ["D4"] }] }), "avoidMoves"),
        (json!({ "avoidMoves": [{ "player": "b", "moves": ["D4"], "untilDepth": 0 }] }), "avoidMoves"),
        (
            json!({ "allowMoves": [{ "player": "b", "moves": [], "untilDepth": 1 },
                                { "player": "b", "moves": [], "untilDepth": 1 }] }),
            "allowMoves",
        ),
        (json!({ "topology": "sphere" }), "topology"),
        (json!({ "action": "dance" }), "action"),
        (json!({ "action": "terminate" }), "terminateId"),
        (json!({ "action": "terminate_all", "turnNumbers": "all" }), "turnNumbers"),
    ] {
        let answers = talk(&query(change.clone()));
        assert_eq!(answers.len(), 1, "{change}: {answers:?}");
        assert_eq!(keys(&answers[0]), set(&["error", "field", "id"]), "{change}");
        assert_eq!(answers[0]["field"], json!(field), "{change}: {answers:?}");
    }
}

#[test]
fn lines_that_are_no_queries_are_refused_and_the_engine_goes_on() {
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(5 << 20));
    let text = format!(
        "hello\n[1,2]\n{{}}\n{{\"id\":7}}\n\n   \n{long}\n\u{fffd}\n{{\"id\":\"half\n{}{}",
        "[".repeat(100_000) + "\n",
        query(json!({ "id": "last" })).trim_end()
    );
    let answers = talk(&text);
    let (errors, others): (Vec<&Value>, Vec<&Value>) = answers.iter().partition(|answer| answer.get("error").is_some());
    assert_eq!(errors.len(), 8, "{errors:?}");
    for error in errors {
        assert_eq!(keys(error), set(&["error"]));
        assert!(error["error"].as_str().unwrap().len() < 400, "{error}");
    }
    assert_eq!(others.len(), 1);
    assert_eq!(others[0]["id"], json!("last"));
}

#[test]
fn what_means_nothing_is_told_and_the_query_answered() {
    let answers = talk(&query(json!({ "maxVisit": 3, "overrideSettings": { "cpuctExplosion": 1, "maxTime": 5 } })));
    let warnings: Vec<&Value> = answers.iter().filter(|answer| answer.get("warning").is_some()).collect();
    assert_eq!(warnings.len(), 2);
    for warning in warnings {
        assert_eq!(keys(warning), set(&["field", "id", "warning"]));
    }
    assert!(answers.last().unwrap().get("moveInfos").is_some());
}

#[test]
fn the_special_actions_echo() {
    let models = &talk("{\"id\":\"foo\",\"action\":\"query_models\",\"tag\":[1]}\n")[0];
    assert_eq!(models["tag"], json!([1]));
    assert_eq!(
        keys(&models["models"][0]),
        set(&["internalName", "maxBatchSize", "name", "usesHumanSLProfile", "usingFP16", "version"])
    );
    let version = &talk("{\"id\":\"foo\",\"action\":\"query_version\"}\n")[0];
    assert_eq!((&version["action"], &version["version"]), (&json!("query_version"), &json!("1.18.2")));
    assert!(version["git_hash"].is_string() && version["engine"].as_str().unwrap().starts_with("Honinbo"));
    let cleared = talk("{\"id\":\"foo\",\"action\":\"clear_cache\"}\n");
    assert_eq!(cleared, [json!({ "id": "foo", "action": "clear_cache" })]);
}

#[test]
fn illegal_moves_and_turns_out_of_order() {
    let illegal = &talk(&query(json!({ "moves": [["b", "D4"], ["w", "D4"]], "analyzeTurns": [0, 1] })))[0];
    assert_eq!(illegal["error"], json!("Illegal move 1: D4"));
    // Black twice in a row, then a ko taken back at once: both are records that exist.
    let twice = json!({ "moves": [["b", "D4"], ["b", "E5"], ["w", "F6"]] });
    assert_eq!(talk(&query(twice))[0]["rootInfo"]["currentPlayer"], json!("B"));
    let handicap = json!({ "initialStones": [["b", "C3"], ["b", "G7"]] });
    assert_eq!(talk(&query(handicap))[0]["rootInfo"]["currentPlayer"], json!("W"));
    let asked = json!({ "initialStones": [["b", "C3"], ["b", "G7"]], "initialPlayer": "B" });
    assert_eq!(talk(&query(asked))[0]["rootInfo"]["currentPlayer"], json!("B"));
}

#[test]
fn blacks_first_moves_are_a_handicap_unless_the_settings_say_otherwise() {
    let paid = |moves: Value, settings: Value| {
        let bonus = |request: &EvalRequest<'_>| request.game.white_handicap_bonus();
        let evaluator = Arc::new(NotingEvaluator::new(Scrambled, bonus));
        let engine = AnalysisEngine::new(evaluator.clone(), options());
        let change = json!({ "rules": "chinese", "moves": moves, "maxVisits": 1, "overrideSettings": settings });
        let answers = talk_to(&engine, &query(change));
        assert!(answers.last().unwrap().get("moveInfos").is_some(), "{answers:?}");
        *evaluator.noted().last().unwrap()
    };
    let stones = json!([["b", "C3"], ["b", "G7"], ["b", "C7"], ["b", "G3"]]);
    assert_eq!(paid(stones, json!({})), 4);
    let played = json!([["b", "C3"], ["b", "G7"], ["b", "C7"], ["b", "G3"], ["w", "E5"], ["b", "E3"], ["b", "E7"]]);
    assert_eq!(paid(played.clone(), json!({})), 4, "what follows White's first stone is none");
    assert_eq!(paid(played, json!({ "assumeMultipleStartingBlackMovesAreHandicap": false })), 0);
    assert_eq!(paid(json!([["b", "C3"], ["w", "G7"]]), json!({})), 0);
}

#[test]
fn configuration_files_set_the_defaults() {
    let mut engine = engine();
    let unused =
        engine.configure("# comment\nmaxVisits = 7\nlogDir = logs # gone\nreportAnalysisWinratesAs = SIDETOMOVE\n");
    let unused = unused.unwrap();
    assert!(unused.len() == 1 && unused[0].starts_with("logDir means nothing here"), "{unused:?}");
    assert!(engine.configure("maxVisits = none").is_err() && engine.configure("lcbStdevs = 99").is_err());
    let answer = &talk_to(&engine, &query(json!({ "maxVisits": null })))[0];
    assert_eq!(answer["rootInfo"]["visits"], json!(7));
}

/// Answers only while the gate is open.
struct Gate {
    open: Mutex<bool>,
    /// Whether anybody came.
    reached: AtomicBool,
}

impl Gate {
    fn new(open: bool) -> Arc<Self> {
        Arc::new(Self { open: Mutex::new(open), reached: AtomicBool::new(false) })
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
    }

    fn wait_until_reached(&self) {
        let begun = Instant::now();
        while !self.reached.load(Ordering::SeqCst) {
            assert!(begun.elapsed() < Duration::from_secs(120), "nobody comes");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

struct Gated(Arc<Gate>);

impl Evaluator for Gated {
    fn limits(&self) -> BatchLimits {
        Scrambled.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.0.reached.store(true, Ordering::SeqCst);
        while !*self.0.open.lock().unwrap() {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Scrambled.evaluate(requests, stop)
    }
}

/// A pipe end that blocks until something comes.
struct Pipe {
    bytes: Receiver<Vec<u8>>,
    rest: Cursor<Vec<u8>>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.rest.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.bytes.recv() {
                Ok(bytes) => self.rest = Cursor::new(bytes),
                Err(_) => return Ok(0),
            }
        }
    }
}

struct Lines(Sender<Value>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let value = serde_json::from_slice(&line).unwrap();
            self.0.send(value).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A running engine, and both ends of its pipes.
struct Running {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Value>,
    thread: Option<std::thread::JoinHandle<io::Result<()>>>,
}

impl Running {
    fn start(engine: AnalysisEngine) -> Self {
        let (input, bytes) = channel();
        let (lines, output) = channel();
        let pipe = Pipe { bytes, rest: Cursor::default() };
        let thread = std::thread::spawn(move || serve(BufReader::new(pipe), &mut Lines(lines, Vec::new()), &engine));
        Self { input: Some(input), output, thread: Some(thread) }
    }

    fn send(&self, text: &str) {
        self.input.as_ref().unwrap().send(text.as_bytes().to_vec()).unwrap();
    }

    fn receive(&self) -> Value {
        self.output.recv_timeout(Duration::from_secs(120)).expect("no answer came")
    }

    fn end(mut self) -> (io::Result<()>, Vec<Value>) {
        drop(self.input.take());
        let result = self.thread.take().unwrap().join().unwrap();
        (result, self.output.try_iter().collect())
    }
}

#[test]
fn the_most_urgent_position_is_searched_first() {
    let gate = Gate::new(false);
    let options = AnalysisOptions { positions: 1, ..options() };
    let running = Running::start(AnalysisEngine::new(Arc::new(Gated(gate.clone())), options));
    running.send(&query(json!({ "id": "first" })));
    // The first is taken at once, whatever its priority; its search waits at the gate.
    gate.wait_until_reached();
    running.send(&query(json!({ "id": "later" })));
    running.send(&query(json!({
        "id": "many", "moves": [["b", "A1"], ["w", "B2"]], "analyzeTurns": [0, 1, 2], "priorities": [-5, 9, 3],
    })));
    running.send("{\"id\":\"echo\",\"action\":\"clear_cache\"}\n");
    assert_eq!(running.receive()["id"], json!("echo"));
    gate.open();
    let order: Vec<String> = (0..5)
        .map(|_| running.receive())
        .map(|answer| format!("{} {}", answer["id"].as_str().unwrap(), answer["turnNumber"]))
        .collect();
    assert_eq!(order, ["first 0", "many 1", "many 2", "later 0", "many 0"]);
    running.end().0.unwrap();
}

#[test]
fn a_variation_ends_before_the_pass_that_ends_the_phase() {
    let asked =
        json!({ "rules": "japanese", "boardXSize": 5, "boardYSize": 5, "maxVisits": 80, "includePVVisits": true });
    let lines = |moves: Value| {
        let mut change = asked.clone();
        change["moves"] = moves;
        let answer = talk(&query(change)).remove(0);
        let infos = answer["moveInfos"].as_array().unwrap().clone();
        let pass = infos.iter().find(|info| info["move"] == "pass").unwrap_or_else(|| panic!("{answer}")).clone();
        (infos, pass)
    };
    let (_, pass) = lines(json!([["b", "C3"]]));
    assert_eq!(pass["pv"][0], "pass", "the first pass ends nothing: {pass}");
    // As KataGo has it, whose variation of such a pass is empty.
    let (infos, pass) = lines(json!([["b", "C3"], ["w", "pass"]]));
    assert_eq!((&pass["pv"], &pass["pvVisits"]), (&json!([]), &json!([])), "{pass}");
    for info in infos {
        let line: Vec<&str> = info["pv"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(!line.windows(2).any(|pair| pair == ["pass", "pass"]), "{info}");
    }
}

#[test]
fn terminated_queries_have_one_last_answer_each() {
    let gate = Gate::new(false);
    let options = AnalysisOptions { positions: 1, ..options() };
    let running = Running::start(AnalysisEngine::new(Arc::new(Gated(gate.clone())), options));
    let game = json!({
        "id": "game", "moves": [["b", "A1"], ["w", "B2"], ["b", "C3"]], "analyzeTurns": [0, 1, 2, 3],
        "maxVisits": 1_000_000, "overrideSettings": { "maxPlayouts": 1_000_000 },
    });
    running.send(&query(game));
    running.send(&query(json!({ "id": "other" })));
    running.send("{\"id\":\"t1\",\"action\":\"terminate\",\"terminateId\":\"game\",\"turnNumbers\":[1,2]}\n");
    for turn in [1, 2] {
        let answer = running.receive();
        assert_eq!(answer, json!({ "id": "game", "turnNumber": turn, "isDuringSearch": false, "noResults": true }));
    }
    assert_eq!(running.receive()["terminateId"], json!("game"));
    running.send("{\"id\":\"t2\",\"action\":\"terminate\",\"terminateId\":\"game\"}\n");
    // Turn 3 has not begun; turn 0 stands before the gate and has nothing to tell either.
    let mut last: Vec<Value> = (0..3).map(|_| running.receive()).collect();
    last.retain(|answer| answer.get("action").is_none());
    assert!(last.iter().all(|answer| answer["noResults"] == json!(true)), "{last:?}");
    gate.open();
    assert_eq!(running.receive()["id"], json!("other"));
    let (result, rest) = running.end();
    result.unwrap();
    assert_eq!(rest, Vec::<Value>::new());
}

#[test]
fn a_terminated_search_tells_what_it_has() {
    let running = Running::start(engine());
    let endless = json!({ "id": "endless", "maxVisits": 1u64 << 50, "reportDuringSearchEvery": 0.01 });
    running.send(&query(endless));
    let news = running.receive();
    assert_eq!(news["isDuringSearch"], json!(true));
    assert!(!news["moveInfos"].as_array().unwrap().is_empty());
    running.send("{\"id\":\"end\",\"action\":\"terminate_all\"}\n");
    let (mut finals, mut echoes) = (0, 0);
    while finals + echoes < 2 {
        let answer = running.receive();
        finals += usize::from(answer["isDuringSearch"] == json!(false));
        echoes += usize::from(answer["action"] == json!("terminate_all"));
    }
    assert_eq!((finals, echoes), (1, 1));
    running.end().0.unwrap();
}

#[test]
fn the_end_of_the_input_waits_for_answers_unless_told_otherwise() {
    let game = json!({ "moves": [["b", "A1"], ["w", "B2"], ["b", "C3"]], "analyzeTurns": [0, 1, 2, 3] });
    assert_eq!(talk(&query(game)).len(), 4);
    let options = AnalysisOptions { quit_without_waiting: true, ..options() };
    let hasty = AnalysisEngine::new(Arc::new(Gated(Gate::new(false))), options);
    let endless = query(json!({ "maxVisits": 1u64 << 50 }));
    // Would wait for ever.
    assert!(talk_to(&hasty, &endless).len() <= 1);
}

#[test]
fn a_client_that_is_gone_ends_the_engine() {
    let running = Running::start(engine());
    let Running { input, output, mut thread } = running;
    drop(output);
    let endless = query(json!({ "maxVisits": 1u64 << 50, "reportDuringSearchEvery": 0.01 }));
    let input = input.unwrap();
    input.send(endless.into_bytes()).unwrap();
    // The input stays open all the while.
    let result = thread.take().unwrap().join().unwrap();
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    drop(input);
}

#[test]
fn a_client_that_never_reads_costs_bounded_memory() {
    /// Takes nothing before it is told to; then counts.
    struct Stalled(Receiver<()>, Arc<Mutex<usize>>);
    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            *self.1.lock().unwrap() += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (input, bytes) = channel();
    let (go, stalled) = channel();
    let written = Arc::new(Mutex::new(0));
    let mut output = Stalled(stalled, Arc::clone(&written));
    let pipe = Pipe { bytes, rest: Cursor::default() };
    let options = AnalysisOptions { unread_bytes: 100_000, ..options() };
    let engine = AnalysisEngine::new(Arc::new(Scrambled), options);
    let thread = std::thread::spawn(move || serve(BufReader::new(pipe), &mut output, &engine));
    // Echoes of ten times as much as may be left unread: the engine stops reading until they are read.
    let large = format!("{{\"id\":\"{}\",\"action\":\"clear_cache\"}}\n", "x".repeat(2500));
    let news = query(json!({ "maxVisits": 500, "reportDuringSearchEvery": 0.001, "includeMovesOwnership": true }));
    input.send(news.into_bytes()).unwrap();
    for _ in 0..400 {
        input.send(large.clone().into_bytes()).unwrap();
    }
    std::thread::sleep(Duration::from_millis(500));
    drop(input);
    drop(go);
    thread.join().unwrap().unwrap();
    assert!(*written.lock().unwrap() >= 400 * 2500);
}

#[test]
fn a_failing_network_is_told_with_every_position() {
    let burns = EvalError::Device { device: "cpu".into(), reason: "it is on fire".into() };
    let broken = AnalysisEngine::new(Arc::new(FailingEvaluator::after(0, burns)), options());
    let answers = talk_to(&broken, &(query(json!({})) + &query(json!({ "id": "again" }))));
    assert_eq!(answers.len(), 2);
    for answer in answers {
        assert!(answer["error"].as_str().unwrap().contains("on fire"), "{answer}");
        assert_eq!(answer["isDuringSearch"], json!(false));
    }
}

#[test]
fn a_network_of_human_style_is_asked_beside_the_search() {
    let mut model = model();
    model.uses_profile = true;
    let options = AnalysisOptions { human: Some((model, Arc::new(Scrambled))), ..options() };
    let engine = AnalysisEngine::new(Arc::new(Scrambled), options);
    let change = json!({ "includePolicy": true, "overrideSettings": { "humanSLProfile": "rank_5k" } });
    let answer = &talk_to(&engine, &query(change))[0];
    assert_eq!(answer["humanPolicy"].as_array().unwrap().len(), 82);
    assert!(answer["rootInfo"]["humanWinrate"].is_number());
    assert!(answer["moveInfos"][0]["humanPrior"].is_number());
    let plain = &talk_to(&engine, &query(json!({ "includePolicy": true })))[0];
    assert!(plain.get("humanPolicy").is_none());
    // It leads playouts only where there is one.
    let led = json!({ "overrideSettings": { "humanSLProfile": "rank_5k", "humanSLRootExploreProbWeightless": 1.0 } });
    let answer = &talk_to(&engine, &query(led.clone()))[0];
    assert_eq!(answer["rootInfo"]["visits"], json!(1), "the root learns nothing of such playouts");
    let refused = &talk(&query(led))[0];
    assert!(refused["error"].as_str().unwrap().contains("human style"), "{refused}");
}

#[test]
fn a_default_profile_that_no_network_uses_is_dropped_with_a_note() {
    let named = query(json!({ "id": "named", "overrideSettings": { "humanSLProfile": "rank_5k" } }));
    let mut engine = engine();
    let unused = engine.configure("humanSLProfile = rank_5k\nmaxVisits = 7\n").unwrap();
    assert!(unused.len() == 1 && unused[0].contains("humanSLProfile is not used"), "{unused:?}");
    let plain = &talk_to(&engine, &query(json!({ "maxVisits": null })))[0];
    assert_eq!(plain["rootInfo"]["visits"], json!(7), "{plain}");
    assert_eq!(talk_to(&engine, &named)[0]["field"], "overrideSettings", "who names it hears why not");
    // What leads a search needs the network, as in KataGo.
    let refusal = engine.configure("humanSLProfile = rank_5k\nhumanSLCpuctPermanent = 0.2\n").unwrap_err();
    assert!(refusal.to_string().contains("human style"), "{refusal}");

    let people = ModelInfo { uses_profile: true, ..model() };
    let human = Some((people.clone(), Arc::new(Scrambled) as Arc<_>));
    for options in [AnalysisOptions { human, ..options() }, AnalysisOptions { model: people, ..options() }] {
        let mut engine = AnalysisEngine::new(Arc::new(Scrambled), options);
        assert_eq!(engine.configure("humanSLProfile = rank_5k\n").unwrap(), [""; 0]);
    }
}

#[test]
fn an_advantage_is_given_to_the_player_that_is_named() {
    // Believes that a doubling of playouts is worth a tenth of the games.
    let believing = AlteredEvaluator::new(Scrambled, |request, answer| {
        let sign = if request.game.to_play() == honinbo_rules::Color::White { 0.1 } else { -0.1 };
        answer.white_win = 0.5 + sign * request.params.playout_doubling_advantage as f32;
        answer.white_loss = 1.0 - answer.white_win;
    });
    let engine = AnalysisEngine::new(Arc::new(believing), options());
    let black_wins = |mut settings: Value| {
        settings["reportAnalysisWinratesAs"] = json!("BLACK");
        let change = json!({ "moves": [["b", "E5"]], "maxVisits": 1, "overrideSettings": settings });
        let answer = &talk_to(&engine, &query(change))[0];
        assert!(answer.get("warning").is_none(), "{answer}");
        answer["rootInfo"]["winrate"].as_f64().unwrap()
    };
    let even = black_wins(json!({}));
    let black = black_wins(json!({ "playoutDoublingAdvantage": 2, "playoutDoublingAdvantagePla": "BLACK" }));
    let white = black_wins(json!({ "playoutDoublingAdvantage": 2, "playoutDoublingAdvantagePla": "WHITE" }));
    let mover = black_wins(json!({ "playoutDoublingAdvantage": 2 }));
    assert!(black > even + 0.1 && white < even - 0.1, "{black} {even} {white}");
    assert_eq!(mover, white, "whose turn it is, where nobody is named");
}

#[test]
fn answers_on_a_torus_and_on_large_boards() {
    let torus = json!({ "topology": "torus", "boardXSize": 13, "boardYSize": 13, "maxVisits": 5 });
    assert_eq!(talk(&query(torus))[0]["rootInfo"]["visits"], json!(5));
    let large = json!({ "boardXSize": 52, "boardYSize": 30, "maxVisits": 3, "moves": [["b", "BB1"]] });
    assert_eq!(talk(&query(large))[0]["rootInfo"]["visits"], json!(3));
}

/// The queries of KataGo 1.18.2's own test of the focus (commit 47aadc0, `cpp/tests/analysis/focus.txt`), and which of
/// them it answers with an error, at which field.
#[test]
fn a_focus_is_taken_and_refused_as_katago_does() {
    let position = json!({
        "moves": [["B", "D4"], ["W", "D5"]], "komi": 9, "boardXSize": 7, "boardYSize": 7, "maxVisits": 100,
        "overrideSettings": { "rootSymmetryPruning": false },
    });
    let with = |changes: Value| {
        let mut fields = position.clone();
        fields.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        talk(&query(fields)).remove(0)
    };
    let of = |answer: &Value, played: &str| -> (u64, u64) {
        let infos = answer["moveInfos"].as_array().unwrap();
        let info = infos.iter().find(|info| info["move"] == played);
        info.map_or((0, 0), |info| (info["visits"].as_u64().unwrap(), info["edgeVisits"].as_u64().unwrap()))
    };
    let plain = with(json!({}));
    let even = with(json!({ "focusMoves": ["A1", "G1"], "focusProb": 0.5 }));
    let half = with(json!({ "focusMoves": ["A1"] }));
    let weighted = with(json!({ "focusMoves": ["A1", "G1"], "focusWeights": [3, 1], "focusProb": 0.9 }));
    for answer in [&plain, &even, &half, &weighted] {
        assert_eq!(answer["rootInfo"]["visits"], 100, "no limit counts what comes on top: {answer}");
    }
    for (answer, moves) in [(&even, ["A1", "G1"]), (&weighted, ["A1", "G1"])] {
        for played in moves {
            let (visits, edges) = of(answer, played);
            assert!(visits > 20 && edges * 4 < visits, "{played}: {visits} {edges}");
        }
    }
    assert!(of(&half, "A1").0 > of(&plain, "A1").0 + 50, "{half}");
    let (more, less) = (of(&weighted, "A1").0, of(&weighted, "G1").0);
    assert!(more > 2 * less && less > 100, "{more} {less}");
    assert_eq!(with(json!({ "focusProb": 0.9 })), plain, "a share of nothing is nothing");

    for (changes, field) in [
        (json!({ "focusMoves": ["C5", "E5"], "focusWeights": [1] }), "focusWeights"),
        (json!({ "focusMoves": ["C5", "E5"], "focusWeights": [1, 0] }), "focusWeights"),
        (json!({ "focusWeights": [1] }), "focusWeights"),
        (json!({ "focusMoves": ["Z9"] }), "focusMoves"),
        (json!({ "focusMoves": "C5" }), "focusMoves"),
        (json!({ "focusMoves": ["C5"], "focusProb": 1.5 }), "focusProb"),
    ] {
        let answer = with(changes);
        assert_eq!((&answer["field"], answer["error"].is_string()), (&json!(field), true), "{answer}");
    }
    let avoid = json!([{ "player": "B", "moves": ["C5"], "untilDepth": 1 }]);
    let avoided = with(json!({ "focusMoves": ["C5"], "focusProb": 1.0, "avoidMoves": avoid }));
    assert_eq!((of(&avoided, "C5"), &avoided["rootInfo"]["visits"]), ((0, 0), &json!(100)), "{avoided}");
}

#[test]
fn the_focus_of_a_query_is_changed_while_it_waits_and_while_it_is_searched() {
    let waits = query(json!({ "id": "queued", "maxVisits": 40, "overrideSettings": { "rootSymmetryPruning": false } }));
    let engine = AnalysisEngine::new(Arc::new(Scrambled), AnalysisOptions { positions: 1, ..options() });
    let first = query(json!({ "id": "first", "maxVisits": 60 }));
    let actions = [
        json!({ "id": "1", "action": "set_focus", "targetId": "queued", "focusMoves": ["A1"], "focusProb": 0.9 }),
        json!({ "id": "2", "action": "set_focus" }),
        json!({ "id": "3", "action": "set_focus", "targetId": "queued", "focusProb": 2 }),
        json!({ "id": "4", "action": "set_focus", "targetId": "queued", "focusMoves": ["Z9"] }),
        json!({ "id": "5", "action": "set_focus", "targetId": "nobody", "focusMoves": ["C5"] }),
        json!({ "id": "6", "action": "set_focus", "targetId": "queued", "focusMoves": ["C5"], "focusWeights": [1, 2] }),
        json!({ "id": "7", "action": "set_focus", "targetId": "queued", "turnNumbers": [9], "focusMoves": ["C5"] }),
    ];
    let actions: Vec<String> = actions.iter().map(|action| format!("{action}\n")).collect();
    let answers = talk_to(&engine, &format!("{first}{waits}{}", actions.concat()));
    let answer = |id: &str| answers.iter().find(|answer| answer["id"] == id).unwrap();
    for (id, field) in [("2", "targetId"), ("3", "focusProb"), ("4", "focusMoves"), ("6", "focusWeights")] {
        assert_eq!(answer(id)["field"], field, "{}", answer(id));
    }
    for id in ["1", "5", "7"] {
        assert_eq!((&answer(id)["action"], answer(id).get("error")), (&json!("set_focus"), None), "{}", answer(id));
    }
    assert_eq!(answer("1")["focusProb"], 0.9, "{}", answer("1"));
    let infos = answer("queued")["moveInfos"].as_array().unwrap();
    let corner = infos.iter().find(|info| info["move"] == "A1").unwrap();
    assert!(corner["visits"].as_u64().unwrap() > 100, "{corner}");
    assert_eq!(answer("queued")["rootInfo"]["visits"], 40);
}

#[test]
fn a_position_has_the_visits_that_were_asked_for_or_a_warning_that_says_how_many() {
    let many =
        json!({ "moves": [["b", "C5"], ["w", "G5"], ["b", "E5"]], "analyzeTurns": [0, 1, 2, 3], "maxVisits": 300 });
    let engine =
        |max_nodes| AnalysisEngine::new(Arc::new(Scrambled), AnalysisOptions { positions: 4, max_nodes, ..options() });
    let answers = talk_to(&engine(300), &query(many));
    let visits: Vec<&Value> = answers.iter().map(|answer| &answer["rootInfo"]["visits"]).collect();
    assert_eq!(visits, [300; 4], "the others take nothing away: {answers:?}");

    let answers = talk_to(&engine(50), &query(json!({ "maxVisits": 300 })));
    let [warning, answer] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(keys(warning), set(&["field", "id", "warning"]));
    let visits = answer["rootInfo"]["visits"].as_u64().unwrap();
    assert!((1..300).contains(&visits), "{answer}");
    let told = format!("turn 0 ended after {visits} visits: its tree holds 50 positions, the most it may");
    assert_eq!((warning["warning"].as_str(), &warning["field"]), (Some(told.as_str()), &json!("maxVisits")));
}
