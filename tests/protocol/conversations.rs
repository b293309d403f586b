//! What other programs say to an engine, as it was read in their sources or recorded while they ran, said to ours.
//!
//! The programs themselves are in `clients.rs` where they can be installed.

use crate::support::{Honinbo, engine};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

/// The replies to these lines, and standard error.
fn said(honinbo: &Honinbo, args: &[&str], lines: &[&str]) -> (Vec<String>, String) {
    let ended = honinbo.run_with_input(args, format!("{}\n", lines.join("\n")).as_bytes());
    assert_eq!(ended.status, 0, "{ended:?}");
    let replies = ended.stdout.split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_owned).collect();
    (replies, ended.stderr)
}

/// gtp2ogs 9.0.1 (`src/Bot.ts`, `src/PvOutputParser.ts`): it knows the engine by its name on standard error, chooses the
/// clock's commands by what is listed, and passes on lines of one form only.
#[test]
fn gtp2ogs_plays_a_game_by_its_own_words() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let config = honinbo.data.path().join("ogs.cfg");
    std::fs::create_dir_all(honinbo.data.path()).unwrap();
    std::fs::write(&config, "ogsChatToStderr = true\nmaxVisits = 8\nnumSearchThreads = 1\n").unwrap();
    let args = ["gtp", "--as-katago", "--net", &network, "--config", config.to_str().unwrap()];
    let lines = [
        "list_commands",
        "kata-list_time_settings",
        "boardsize 9",
        "clear_board",
        "komi 7.5",
        "play black E5",
        "kata-time_settings fischer-capped 120 30 300 -1",
        "time_left black 118 0",
        "time_left white 120 0",
        "genmove white",
        "kgs-time_settings byoyomi 600 30 5",
        "time_left black 25 3",
        "time_left white 600 0",
        "play black C3",
        "genmove white",
        "kgs-time_settings canadian 300 60 15",
        "time_settings 0 10 1",
        "set_free_handicap C3 G7",
        "boardsize 9 7",
        "clear_board",
        "set_free_handicap C3 G5",
        "showboard",
        "quit",
    ];
    let (replies, stderr) = said(&honinbo, &args, &lines);
    for (line, reply) in lines.iter().zip(&replies) {
        let refused = *line == "set_free_handicap C3 G7";
        assert_eq!(reply.starts_with('?'), refused, "{line}: {reply}");
    }
    let listed: Vec<&str> = replies[0].trim_start_matches("= ").lines().collect();
    for wanted in ["kgs-time_settings", "kata-list_time_settings", "genmove", "time_left"] {
        assert!(listed.contains(&wanted), "{wanted}");
    }
    assert!(replies[1].contains("fischer-capped"), "{}", replies[1]);
    let name = stderr.lines().position(|line| line.contains("KataGo")).unwrap();
    let chat: Vec<&str> = stderr.lines().skip(name).filter(|line| line.starts_with("MALKOVICH:")).collect();
    assert_eq!(chat.len(), 2, "{stderr}");
    for line in chat {
        // Visits, Winrate with two decimals and a sign, ScoreLead and ScoreStdev with one, and the line of moves.
        let words: Vec<&str> = line.trim_start_matches("MALKOVICH:").split(' ').collect();
        let decimals = |word: &str| word.trim_end_matches('%').split_once('.').map_or(0, |(_, rest)| rest.len());
        assert_eq!(
            [words[0], words[2], words[4], words[6], words[8]],
            ["Visits", "Winrate", "ScoreLead", "ScoreStdev", "PV"]
        );
        assert!(words[1].parse::<u32>().is_ok() && words[3].ends_with('%'), "{line}");
        assert_eq!([decimals(words[3]), decimals(words[5]), decimals(words[7])], [2, 1, 1], "{line}");
        assert!(words.len() > 9, "{line}");
    }
}

/// The CGOS client (`cgosGtp.tcl`): it sets board and clock, plays the moves that were made, tells the time left in
/// seconds with no stones, and asks for analysis with the move where the engine offers it.
#[test]
fn cgos_plays_a_game_by_its_own_words() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let args = ["gtp", "--net", &network, "--visits", "6", "--threads", "1"];
    let lines = [
        "protocol_version",
        "list_commands",
        "kgs-rules chinese",
        "boardsize 9",
        "clear_board",
        "komi 7.0",
        "time_settings 300 0 0",
        "time_left b 300 0",
        "kata-genmove_analyze b rootInfo true",
        "play w C3",
        "time_left b 297 0",
        "genmove b",
        "time_left w 0 0",
        "kgs-game_over",
        "quit",
    ];
    let (replies, _) = said(&honinbo, &args, &lines);
    assert_eq!(replies.len(), lines.len(), "{replies:?}");
    for (line, reply) in lines.iter().zip(&replies) {
        assert!(reply.starts_with('='), "{line}: {reply}");
    }
    assert!(replies[8].contains("info move") && replies[8].contains("rootInfo") && replies[8].contains("\nplay "));
}

/// GoGui 1.6 (`gogui-twogtp`, `gogui-regress`): the commands that its tools send, in their order.
#[test]
fn goguis_tools_are_answered() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let args = ["gtp", "--net", &network, "--visits", "6", "--threads", "1"];
    let lines = [
        "protocol_version",
        "list_commands",
        "name",
        "version",
        "boardsize 7",
        "clear_board",
        "komi 7.5",
        "time_settings 60 0 0",
        "genmove b",
        "play w C3",
        "list_stones w",
        "reg_genmove b",
        "color C3",
        "cputime",
        "final_score",
        "gogui-interrupt",
        "undo",
        "quit",
    ];
    let (replies, _) = said(&honinbo, &args, &lines);
    for (line, reply) in lines.iter().zip(&replies) {
        assert!(reply.starts_with('='), "{line}: {reply}");
    }
    assert_eq!((replies[10].as_str(), replies[12].as_str()), ("= C3", "= white"));
}

/// What KataGo answered to the lines of a protocol; see `tests/fixtures/conversations/record.mjs`.
fn recorded(name: &str) -> Vec<Value> {
    let path = honinbo_testkit::fixtures::fixture("conversations").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone()
}

/// The network that KataGo had, and where the runtime is, that ours can read it.
fn katagos_network() -> Option<String> {
    engine()?;
    let name = "networks/g170-b6c96-s175395328-d26788732.bin.gz";
    Some(honinbo_testkit::fixtures::fixture(name).display().to_string())
}

/// A conversation line by line.
struct Talk {
    child: std::process::Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Talk {
    fn start(honinbo: &Honinbo, args: &[&str]) -> Self {
        let mut command = honinbo.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    /// The answer to a GTP command; an analysis without end is ended after its first line.
    fn gtp(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        let endless = line.split(' ').next().is_some_and(|name| name.ends_with("-analyze"));
        let mut answer: Vec<String> = Vec::new();
        loop {
            let said = self.line();
            if said.trim().is_empty() {
                return answer;
            }
            if endless && answer.len() == 1 {
                self.send("");
            }
            if !endless || answer.len() < 2 {
                answer.push(said);
            }
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.child.stdin = None;
        let _ = self.child.wait();
    }
}

/// The names of the fields of an analysis, each once: words without digits that are no value.
fn fields(line: &str) -> Vec<&str> {
    let is_name =
        |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && *word != "pass";
    let mut names: Vec<&str> = line.split_whitespace().filter(is_name).filter(|word| *word != "isSymmetryOf").collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn what_the_programs_ask_by_gtp_is_answered_as_katago_answers_it() {
    let Some(network) = katagos_network() else { return };
    let honinbo = Honinbo::new();
    let settings = "maxVisits=12,numSearchThreads=1,nnRandomize=false,rules=chinese";
    let args = ["gtp", "--as-katago", "--net", &network, "--precision", "exact", "--override-config", settings];
    let mut talk = Talk::start(&honinbo, &args);
    for entry in recorded("katago-gtp.json") {
        let asked = entry["asked"].as_str().unwrap();
        let katago: Vec<&str> = entry["answer"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        let ours = talk.gtp(asked);
        let context = format!("{}: {asked}: {ours:?}", entry["program"]);
        assert_eq!(ours[0].as_bytes()[0], katago[0].as_bytes()[0], "{context}");
        let told = |lines: &str| lines.trim_start_matches('=').trim().to_owned();
        let (mine, theirs) = (told(&ours[0]), told(katago[0]));
        match asked.split(' ').next().unwrap() {
            _ if katago[0].starts_with('?') => {}
            "version" | "genmove" | "cputime" | "gomill-cpu_time" => assert!(!mine.is_empty(), "{context}"),
            "kata-get-rules" => {
                let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                assert_eq!(json(&mine), json(&theirs), "{context}");
            }
            "kata-get-models" => {
                let keys = |text: &str| shape(&serde_json::from_str::<Value>(text).unwrap()[0]);
                assert_eq!(keys(&mine), keys(&theirs), "{context}");
            }
            "kata-get-param" => assert_eq!(numbers(&mine), numbers(&theirs), "{context}"),
            "list_commands" => {
                let names = |lines: &[&str]| -> BTreeSet<String> {
                    lines.iter().map(|line| line.trim_start_matches('=').trim().to_owned()).collect()
                };
                let mine = names(&ours.iter().map(String::as_str).collect::<Vec<_>>());
                let missing: Vec<_> = names(&katago).difference(&mine).cloned().collect();
                assert!(missing.is_empty(), "{missing:?}: {context}");
            }
            "kata-list_time_settings" => {
                let kinds = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
                assert!(kinds(&mine).is_superset(&kinds(&theirs)), "{context}");
            }
            "kata-raw-nn" => {
                let (mine, theirs) = (ours.join(" "), katago.join(" "));
                assert_eq!(fields(&mine), fields(&theirs), "{context}");
                let (mine, theirs) = (numbers(&mine), numbers(&theirs));
                assert_eq!(mine.len(), theirs.len());
                for (ours, katagos) in mine.iter().zip(&theirs) {
                    let close = (ours - katagos).abs() <= 2e-3 * katagos.abs().max(1.0);
                    assert!(close || (ours.is_nan() && katagos.is_nan()), "{ours} and {katagos}: {context}");
                }
            }
            name if name.contains("analyze") => {
                assert_eq!(fields(&ours[1]), fields(katago[1]), "{context}");
                let owners = |line: &str| line.split(" ownership ").nth(1).map(|points| numbers(points).len());
                assert_eq!(owners(&ours[1]), owners(katago[1]), "{context}");
            }
            _ => assert_eq!(mine, theirs, "{context}"),
        }
    }
}

/// The names and kinds of everything in an answer; of a list those of its first element, and its length where it has one
/// number a point.
fn shape(value: &Value) -> BTreeSet<String> {
    fn walk(value: &Value, path: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| walk(value, &format!("{path}.{name}"), found))
            }
            Value::Array(items) if items.first().is_some_and(Value::is_number) && items.len() > 80 => {
                found.insert(format!("{path}: {} numbers", items.len()));
            }
            Value::Array(items) => items.first().iter().for_each(|item| walk(item, &format!("{path}[]"), found)),
            Value::Number(_) => drop(found.insert(format!("{path}: number"))),
            Value::String(_) => drop(found.insert(format!("{path}: text"))),
            Value::Bool(_) => drop(found.insert(format!("{path}: switch"))),
            Value::Null => drop(found.insert(format!("{path}: nothing"))),
        }
    }
    let mut found = BTreeSet::new();
    walk(value, "", &mut found);
    found
}

#[test]
fn what_the_programs_ask_in_json_is_answered_as_katago_answers_it() {
    let Some(network) = katagos_network() else { return };
    let honinbo = Honinbo::new();
    let settings = "numSearchThreadsPerAnalysisThread=1,nnRandomize=false,numAnalysisThreads=1";
    let args = ["analysis", "--net", &network, "--precision", "exact", "--override-config", settings];
    let mut talk = Talk::start(&honinbo, &args);
    for entry in recorded("katago-analysis.json") {
        talk.send(&entry["asked"].to_string());
        for katago in entry["answer"].as_array().unwrap() {
            // How often a running search reports is a matter of its speed, and was not recorded.
            let ours = loop {
                let said: Value = serde_json::from_str(&talk.line()).unwrap();
                if said["isDuringSearch"] != Value::Bool(true) {
                    break said;
                }
            };
            let context = format!("{}: {}: {ours}", entry["program"], entry["asked"]);
            let (mut mine, theirs) = (shape(&ours), shape(katago));
            // Who answers, beside the version of KataGo whose protocol it is.
            mine.remove(".engine: text");
            // An image of another move is told where there is one.
            mine.retain(|field| !field.contains("isSymmetryOf"));
            assert_eq!(mine, theirs, "{context}");
            for field in ["id", "field", "turnNumber", "isDuringSearch", "action"] {
                assert_eq!(ours.get(field), katago.get(field), "{field}: {context}");
            }
            let priors = |answer: &Value| -> Vec<(String, f64)> {
                let infos = answer["moveInfos"].as_array().cloned().unwrap_or_default();
                infos
                    .iter()
                    .map(|info| (info["move"].as_str().unwrap().to_owned(), info["prior"].as_f64().unwrap()))
                    .collect()
            };
            let mine = priors(&ours);
            for (played, prior) in priors(katago) {
                // Noise leads the two searches to other moves; what the network thinks of the same move is the same.
                if let Some((_, ours)) = mine.iter().find(|(other, _)| *other == played) {
                    assert!(
                        (ours - prior).abs() < 2e-3_f64.max(prior * 0.01),
                        "{played}: {ours} and {prior}: {context}"
                    );
                }
            }
        }
    }
}

/// The move's visits and edge visits in a line of `kata-analyze`, and its place.
fn visits_of(line: &str, played: &str) -> Option<(f64, f64, f64)> {
    let info = line.split("info move ").find(|info| info.starts_with(&format!("{played} ")))?;
    let number = |name: &str| info.split(&format!(" {name} ")).nth(1).map(|rest| numbers(rest)[0]);
    Some((number("visits")?, number("edgeVisits")?, number("order")?))
}

/// What KataGo 1.18.2 recorded of its own focus (commit 47aadc0, `cpp/tests/results/gtp/focus.txt.stdout`, the same
/// network, 9x9, 100 visits): with `focus C3,G7 0.9` the root has its 100 visits and nothing of the two in them, which
/// come last with 368 and 381 visits of their own; with `focus C3:3,G7:1,C7 0.9` they have 490, 131 and 173; where the
/// best move is looked at, `focus F6 0.9` after D4, the root takes 94 of its 801 visits.
#[test]
fn a_focus_finds_what_katagos_own_focus_found() {
    let Some(network) = katagos_network() else { return };
    let honinbo = Honinbo::new();
    let settings = "maxVisits=100,numSearchThreads=1,nnRandomize=false,rules=tromp-taylor,rootSymmetryPruning=false";
    let mut talk = Talk::start(
        &honinbo,
        &["gtp", "--as-katago", "--net", &network, "--precision", "exact", "--override-config", settings],
    );
    let mut ask = |line: &str| talk.gtp(line).join("\n");
    assert_eq!((ask("name").as_str(), ask("version").as_str()), ("= KataGo", "= 1.18.2"));
    ask("boardsize 9");
    let within = |found: f64, katagos: f64| (0.5..=2.0).contains(&(found / katagos));
    let two = ask("kata-search_analyze b rootInfo true focus C3,G7 0.9");
    assert!(two.contains("rootInfo visits 100 "), "{two}");
    let (c3, g7) = (visits_of(&two, "C3").unwrap(), visits_of(&two, "G7").unwrap());
    assert_eq!((c3.1, g7.1), (0.0, 0.0), "{two}");
    assert!(within(c3.0, 368.0) && within(g7.0, 381.0), "{c3:?} {g7:?}");
    let last = two.matches("info move ").count() as f64 - 1.0;
    assert_eq!(c3.2.max(g7.2), last, "{two}");
    // Another focus, then none: what was found stays.
    ask("kata-search_analyze b rootInfo true focus C3 0.5");
    let none = ask("kata-search_analyze b rootInfo true");
    assert!(none.contains("rootInfo visits 100 "), "{none}");
    assert!(visits_of(&none, "G7").unwrap().0 >= g7.0 && visits_of(&none, "C3").unwrap().0 >= c3.0, "{none}");
    ask("clear_board");
    let three = ask("kata-search_analyze b rootInfo true focus C3:3,G7:1,C7 0.9");
    for (played, katagos) in [("C3", 490.0), ("G7", 131.0), ("C7", 173.0)] {
        let (visits, edges, _) = visits_of(&three, played).unwrap();
        assert!(within(visits, katagos) && edges == 0.0, "{played}: {visits} {edges}");
    }
    ask("clear_board");
    ask("play b D4");
    let best = ask("kata-search_analyze w rootInfo true focus F6 0.9");
    let (visits, edges, order) = visits_of(&best, "F6").unwrap();
    assert!(within(visits, 801.0) && edges >= 60.0 && order == 0.0 && best.ends_with("play F6"), "{best}");
}
