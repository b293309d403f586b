//! Everything that KataGo knows is answered as the tables say, and the document says what the tables say.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;

use honinbo_protocols::analysis::{AnalysisEngine, AnalysisOptions};
use honinbo_protocols::gtp::{GtpEngine, GtpOptions};
use honinbo_protocols::katago::{
    ACTIONS, ANALYZE_KEYS, Entry, GTP_COMMANDS, KEYS, OPTIONS, PROGRAMS, QUERY_FIELDS, Stance, explained,
};
use honinbo_protocols::{ModelInfo, analysis, gtp};
use honinbo_rules::BoardSize;
use honinbo_search::bench::Scrambled;
use serde_json::{Value, json};

fn model() -> ModelInfo {
    ModelInfo { name: "scrambled".into(), internal_name: "scrambled".into(), version: Some(15), uses_profile: false }
}

fn gtp_engine() -> GtpEngine {
    let options = GtpOptions {
        max_visits: 5,
        size: BoardSize::NINE,
        human: Some((model(), Arc::new(Scrambled))),
        read_file: |_| Ok(b"(;SZ[9];B[cc])".to_vec()),
        ..GtpOptions::new("scrambled")
    };
    GtpEngine::new(Arc::new(Scrambled), options).unwrap()
}

fn analysis_engine() -> AnalysisEngine {
    let human = Some((model(), Arc::new(Scrambled) as Arc<_>));
    AnalysisEngine::new(Arc::new(Scrambled), AnalysisOptions { threads: 1, human, ..AnalysisOptions::new(model()) })
}

/// Which engines take a key: GTP's, the analysis protocol's.
fn takes(name: &str, value: &str) -> [bool; 2] {
    let name = name.trim_end_matches('*');
    let line = format!("{name} = {value}\n");
    let gtp = gtp_engine().configure(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let analysis = analysis_engine().configure(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
    [gtp.is_empty(), analysis.is_empty()]
}

#[test]
fn every_key_is_answered_or_said_to_be_none() {
    for entry in KEYS {
        match entry.stance {
            Stance::Answered(example) => {
                assert!(takes(entry.name, example).contains(&true), "{} is answered by neither", entry.name);
            }
            Stance::Refused(why) | Stance::Meaningless(why) => {
                // One of the names that an entry with `*` or a number stands for.
                let name =
                    entry.name.strip_suffix(['*', 'N']).map_or_else(|| entry.name.into(), |start| format!("{start}0"));
                assert_eq!(takes(&name, "1"), [false, false], "{name} is answered after all");
                assert!(explained(&name).contains(why), "{name}");
            }
        }
    }
}

#[test]
fn every_value_that_a_key_takes_is_a_new_one_or_the_usual() {
    // A key that is read and forgotten would take any value.
    for entry in KEYS.iter().filter(|entry| matches!(entry.stance, Stance::Answered(_))) {
        if ["searchRandSeed", "humanSLProfile", "forDeterministicTesting"].contains(&entry.name) {
            continue;
        }
        let line = format!("{} = nonsense\n", entry.name);
        let refuses = gtp_engine().configure(&line).is_err() || analysis_engine().configure(&line).is_err();
        assert!(refuses, "{} takes nonsense", entry.name);
    }
}

fn replies(input: &str) -> Vec<String> {
    let mut output = Vec::new();
    gtp::serve(Cursor::new(input.as_bytes().to_vec()), &mut output, &mut gtp_engine()).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_command_is_answered() {
    for entry in GTP_COMMANDS {
        let Stance::Answered(arguments) = entry.stance else { continue };
        let before = match entry.name {
            "undo" => "play black A1\n",
            "debug_moves" => "kata-search black\n",
            _ => "name\n",
        };
        let replies = replies(&format!("{before}{} {arguments}\n\n", entry.name));
        assert!(replies[1].starts_with('='), "{} {arguments}: {}", entry.name, replies[1]);
    }
}

#[test]
fn every_word_of_an_analysis_is_understood() {
    for entry in ANALYZE_KEYS {
        let Stance::Answered(words) = entry.stance else { continue };
        let replies = replies(&format!("kata-genmove_analyze black {words}\n"));
        assert!(replies[0].starts_with('=') && replies[0].contains("play "), "{words}: {}", replies[0]);
    }
}

fn answers(engine: &AnalysisEngine, query: &Value) -> Vec<Value> {
    let mut output = Vec::new();
    analysis::serve(Cursor::new(format!("{query}\n").into_bytes()), &mut output, engine).unwrap();
    String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_field_of_a_query_is_answered() {
    let query = |changes: &[(&str, Value)]| {
        let mut query = json!({
            "id": "q", "moves": [], "rules": "chinese", "komi": 7, "boardXSize": 9, "boardYSize": 9, "maxVisits": 4,
        });
        for (name, value) in changes {
            query[*name] = value.clone();
        }
        query
    };
    for entry in QUERY_FIELDS {
        let Stance::Answered(example) = entry.stance else { continue };
        let value: Value = serde_json::from_str(example).unwrap();
        let beside = match entry.name {
            "priorities" => ("analyzeTurns", json!([0])),
            "focusWeights" | "focusProb" => ("focusMoves", json!(["E5"])),
            _ => ("komi", json!(7)),
        };
        let answers = answers(&analysis_engine(), &query(&[beside, (entry.name, value)]));
        assert_eq!(answers.len(), 1, "{}: {answers:?}", entry.name);
        assert!(answers[0]["moveInfos"].is_array(), "{}: {}", entry.name, answers[0]);
    }
    for entry in ACTIONS {
        let action = json!({"id": "a", "action": entry.name, "terminateId": "none", "targetId": "none"});
        let answers = answers(&analysis_engine(), &action);
        assert_eq!(answers[0]["action"], entry.name, "{}", answers[0]);
        assert!(answers[0].get("error").is_none());
    }
}

/// What the documentation says.
fn page() -> String {
    let mut page = String::from(
        "# KataGo's settings and commands\n\n\
         Honinbo stands in KataGo's place: this page lists everything that KataGo's command line, configuration files and protocols know, and what becomes of it here.\n\
         It is made from the tables in `crates/protocols/src/katago`, which tests hold against the engines; `scripts/bindings` writes it.\n\
         `--as-katago` and `query_version` answer 1.18.2.\n\
         The programs were read in the source of v1.18.2 (commit fd0723f, `main.cpp`), the fields, the actions and the focus of moves in the commit after it that still reports v1.18.2 (47aadc0: `analysis.cpp`, the document of GTP, its tests with their recorded answers).\n\
         The keys and GTP commands were read in the source of v1.17.2 (6a1fc5d) and compared with all that the program 1.18.1 lists by itself and holds as text; the sources in which 1.18.2 could have added one since were not at hand.\n\
         What is refused or means nothing is said by name: on standard error at the start, as an error of `kata-set-param`, as a warning of a query.\n\
         A search keeps a million positions at most: one that ends for that before it has its `maxVisits` sends a warning before its answer in the analysis protocol, and says so on standard error in GTP.\n",
    );
    let mut section = |title: &str, told: &str, entries: &[Entry], answered: &dyn Fn(&Entry, &str) -> String| {
        let _ = write!(page, "\n## {title}\n\n{told}\n\n| name | here |\n| --- | --- |\n");
        for entry in entries {
            let here = match entry.stance {
                Stance::Answered(example) => answered(entry, example),
                Stance::Refused(why) => format!("refused: {why}"),
                Stance::Meaningless(why) => format!("means nothing: {why}"),
            };
            let _ = writeln!(page, "| `{}` | {} |", entry.name, here.replace('|', "\\|"));
        }
    };
    let code = |_: &Entry, example: &str| format!("`{example}`");
    section("Programs", "The first word after `katago`.", PROGRAMS, &code);
    section("Options", "Of `gtp` and `analysis`.", OPTIONS, &|_, told| told.to_owned());
    section("GTP commands", "With arguments as the tests give them.", GTP_COMMANDS, &|entry, arguments| {
        format!("answered: `{}`", format!("{} {arguments}", entry.name).trim())
    });
    section("Words of `kata-analyze`", "And of the other commands that analyse.", ANALYZE_KEYS, &code);
    section("Fields of a query", "Of the analysis protocol, with a value.", QUERY_FIELDS, &code);
    section("Actions", "Of the analysis protocol.", ACTIONS, &|_, _| "answered".to_owned());
    section(
        "Keys of configuration files",
        "Also of `-override-config`; those of a search also of `kata-set-param` and `overrideSettings`.",
        KEYS,
        &|entry, example| {
            let place = match takes(entry.name, example) {
                [true, true] => "gtp, analysis",
                [true, false] => "gtp",
                _ => "analysis",
            };
            if example.is_empty() { format!("answered: {place}") } else { format!("answered: {place}; `{example}`") }
        },
    );
    page
}

#[test]
fn the_document_says_what_the_tables_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/katago.md");
    let page = page();
    if std::env::var_os("HONINBO_WRITE_KATAGO_PAGE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(there == page, "docs/katago.md is not what the tables say: run scripts/bindings");
}
