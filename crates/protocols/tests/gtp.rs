//! Whole conversations with the engine.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::io::{BufReader, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use honinbo_evaluator::{CachingEvaluator, EvalRequest, Evaluator};
use honinbo_protocols::ModelInfo;
use honinbo_protocols::gtp::{GtpEngine, GtpOptions, serve};
use honinbo_rules::{BoardSize, Color, Game, Point};
use honinbo_search::SearchLimits;
use honinbo_search::bench::Scrambled;
use honinbo_testkit::{AlteredEvaluator, CountingEvaluator, NotingEvaluator};

fn options() -> GtpOptions {
    GtpOptions { max_visits: 30, size: BoardSize::NINE, resign_below: None, ..GtpOptions::new("scrambled") }
}

/// Sends everything at once and returns the replies, taken apart at the empty lines.
fn talk(input: &str) -> Vec<String> {
    talk_with(options(), input.as_bytes())
}

fn talk_with(options: GtpOptions, input: &[u8]) -> Vec<String> {
    talk_about(Arc::new(Scrambled), options, input)
}

fn talk_about(evaluator: Arc<dyn Evaluator>, options: GtpOptions, input: &[u8]) -> Vec<String> {
    let mut engine = GtpEngine::new(evaluator, options).unwrap();
    replies_of(&mut engine, input)
}

fn replies_of(engine: &mut GtpEngine, input: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    serve(Cursor::new(input.to_vec()), &mut output, engine).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_protocol_is_spoken() {
    let replies = talk("1 protocol_version\n2 known_command genmove\nknown_command fly\nfly\n5 quit\nname\n");
    assert_eq!(replies, ["=1 2", "=2 true", "= false", "? unknown command", "=5"]);
}

#[test]
fn every_listed_command_is_known() {
    let replies = talk("list_commands\n");
    let names: Vec<&str> = replies[0].trim_start_matches("= ").lines().collect();
    assert_eq!(names.len(), 80);
    for name in names {
        if ["quit", "kata-benchmark", "benchmark"].contains(&name) {
            continue;
        }
        let reply = &talk(&format!("{name}\n\n"))[0];
        assert_ne!(reply, "? unknown command", "{name}");
    }
}

#[test]
fn boards_are_set_up_and_taken_back() {
    let replies = talk(
        "boardsize 5\nplay b C3\nplay w c3\nplay w D3\nlist_stones b\nundo\nlist_stones w\nundo\nundo\n\
         boardsize 1\nboardsize 7:5\nplay b G5\nrectangular_boardsize 9 9\nkomi 6.5\nget_komi\nkomi 6.3\n\
         set_position b A1 w B1 b B2\nlist_stones b\nset_position b A1 w A2 w B1\nlist_stones b\n",
    );
    assert_eq!(
        replies,
        [
            "=",
            "=",
            "? illegal move",
            "=",
            "= C3",
            "=",
            "=",
            "=",
            "? cannot undo",
            "? unacceptable size",
            "=",
            "=",
            "=",
            "=",
            "= 6.5",
            "? komi 6.3 is not a multiple of 0.5 between -400 and 400",
            "=",
            "= B2 A1",
            "? the chain at A1 has no liberty",
            "= B2 A1",
        ]
    );
}

#[test]
fn edges_are_joined_on_request() {
    // A stone in the corner of a torus has four neighbours, and is taken across the edges.
    let replies = talk(
        "boardsize 5\nhoninbo-topology\nhoninbo-topology torus\nhoninbo-topology\nplay b A1\ncountlib A1\nplay w A2\n\
         play w B1\nplay w E1\nlist_stones b\nplay w A5\nlist_stones b\nboardsize 7\nhoninbo-topology\n\
         honinbo-topology knot\nhoninbo-topology plane\nplay b A1\ncountlib A1\n",
    );
    assert_eq!(replies[1..4], ["= plane", "=", "= torus"]);
    assert_eq!((replies[5].as_str(), replies[9].as_str(), replies[11].as_str()), ("= 4", "= A1", "="));
    assert_eq!(replies[13], "= torus", "another size is the same kind of board");
    assert!(replies[14].starts_with("? expected plane, cylinder or torus"), "{replies:?}");
    assert_eq!((replies[15].as_str(), replies[17].as_str()), ("=", "= 2"));
}

#[test]
fn a_torus_has_no_fixed_handicap() {
    for command in ["fixed_handicap", "place_free_handicap"] {
        let replies = talk(&format!("boardsize 9\nhoninbo-topology torus\n{command} 3\nlist_stones b\n"));
        assert_eq!(replies[2..], ["? a torus has no star points; place the stones by hand", "="], "{command}");
        let free = talk("boardsize 9\nhoninbo-topology torus\nset_free_handicap C3 G7\n");
        assert_eq!(free[2], "=");
    }
}

/// An engine for which the name of a record is its text.
fn reading() -> GtpOptions {
    GtpOptions { read_file: |path| Ok(path.to_string_lossy().into_owned().into_bytes()), ..options() }
}

#[test]
fn every_listed_command_is_documented() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let pages: String = ["protocol.md", "katago.md"]
        .iter()
        .map(|page| std::fs::read_to_string(format!("{docs}{page}")).unwrap())
        .collect();
    let is_named = |command: &str| [" ", "`"].iter().any(|end| pages.contains(&format!("`{command}{end}")));
    let listed = talk("list_commands\n").remove(0);
    let missing: Vec<&str> = listed.trim_start_matches("= ").lines().filter(|command| !is_named(command)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_printed_torus_is_one_when_it_is_loaded_again() {
    for (topology, liberties, rules) in [("plane", "= 1", "RU[tromp-taylor]"), ("torus", "= 3", "RU[daoqi]")] {
        let asked =
            format!("boardsize 5\nkata-set-rules daoqi\nhoninbo-topology {topology}\nplay b A1\nplay w A2\nprintsgf\n");
        let printed = talk(&asked).remove(5);
        let record: String = printed.trim_start_matches('=').split_whitespace().collect();
        assert!(record.contains(rules), "{record}");
        let asked = format!("loadsgf {record}\nhoninbo-topology\ncountlib A1\n");
        let replies = talk_with(reading(), asked.as_bytes());
        assert_eq!(replies[1..], [format!("= {topology}"), liberties.to_owned()], "{record}: {replies:?}");
    }
}

#[test]
fn a_printed_handicap_is_one_when_it_is_loaded_again() {
    let printed = |asked: &str| -> String {
        let replies = talk(&format!("boardsize 9\n{asked}\nprintsgf\n"));
        replies[2].trim_start_matches('=').split_whitespace().collect()
    };
    for handicap in ["fixed_handicap 3", "place_free_handicap 3", "set_free_handicap C3 G7 G3"] {
        let record = printed(handicap);
        assert!(record.contains("HA[3]") && record.contains("AB["), "{handicap}: {record}");
        let again = talk_with(reading(), format!("loadsgf {record}\nprintsgf\n").as_bytes());
        let again: String = again[1].trim_start_matches('=').split_whitespace().collect();
        assert!(again.contains("HA[3]"), "{handicap}: {again}");
    }
    let position = printed("set_position B C3 B G7");
    assert!(position.contains("AB[") && !position.contains("HA["), "{position}");
}

#[test]
fn a_printed_komi_of_a_hundred_points_and_more_is_the_same_when_it_is_loaded_again() {
    let printed = talk("komi 150\nprintsgf\n").remove(1);
    let record: String = printed.trim_start_matches('=').split_whitespace().collect();
    let replies = talk_with(reading(), format!("loadsgf {record}\nget_komi\n").as_bytes());
    assert_eq!(replies[1], "= 150", "{record}");
}

#[test]
fn a_loaded_record_changes_only_the_rules_and_the_komi_that_it_names() {
    let loaded = |record: &str| {
        let asked = format!("kata-set-rules japanese\nkomi 3.5\nloadsgf {record}\nkata-get-rules\nget_komi\n");
        let replies = talk_with(reading(), asked.as_bytes());
        assert_eq!(replies[2], "= black", "{record}");
        let word = |key: &str| {
            replies[3].split_once(&format!("\"{key}\":\"")).unwrap().1.split('"').next().unwrap().to_owned()
        };
        (word("scoring"), word("ko"), replies[4].clone())
    };
    let told = |scoring: &str, ko: &str, komi: &str| (scoring.to_owned(), ko.to_owned(), format!("= {komi}"));
    assert_eq!(loaded("(;SZ[9];B[ee];W[cc])"), told("TERRITORY", "SIMPLE", "3.5"));
    assert_eq!(loaded("(;SZ[9]KM[6];B[ee];W[cc])"), told("TERRITORY", "SIMPLE", "6"));
    assert_eq!(loaded("(;SZ[9]RU[house];B[ee];W[cc])"), told("TERRITORY", "SIMPLE", "3.5"));
    assert_eq!(loaded("(;SZ[9]RU[AGA];B[ee];W[cc])"), told("AREA", "SITUATIONAL", "7.5"));
    let compact = "(;SZ[9]RU[koPOSITIONALscoreAREAtaxNONEsui1]KM[5];B[ee];W[cc])";
    assert_eq!(loaded(compact), told("AREA", "POSITIONAL", "5"));
    // Rules without a komi bring their own, as in KataGo, whatever the handicap and the age of the game.
    let handicap = "(;SZ[9]RU[Chinese]HA[2]AB[gc][cg];W[ee])";
    assert_eq!(loaded(handicap), told("AREA", "SIMPLE", "7.5"));
    assert_eq!(loaded("(;SZ[9]RU[Japanese]DT[1846-09-11];B[ee];W[cc])"), told("TERRITORY", "SIMPLE", "6.5"));
    let button = "(;SZ[9]RU[koSITUATIONALscoreAREAtaxNONEsui0button1];B[ee];W[cc])";
    assert_eq!(loaded(button), told("AREA", "SITUATIONAL", "7"));
}

#[test]
fn a_record_with_an_illegal_move_is_loaded_up_to_it_and_refused_beyond() {
    let record = "(;SZ[9];B[ee];W[cc];B[cc];W[gg];B[zz])";
    let asked = format!(
        "play b A1\nloadsgf {record} 3\nmove_history\nloadsgf {record} 4\nloadsgf {record}\nmove_history\n\
         loadsgf (;SZ[9];B[ee];W[zz])\nloadsgf (;SZ[9]B[ee];W[cc]) 1\nlist_stones b\n\
         loadsgf (;SZ[9];B[ee];AB[gg]AW[gc];W[cc];B[dd]) 3\nlist_stones w\n"
    );
    let replies = talk_with(reading(), asked.as_bytes());
    assert_eq!((replies[1].as_str(), replies[2].as_str()), ("= black", "= white C7\nblack E5"));
    for refused in [&replies[3], &replies[4]] {
        assert_eq!(refused, "? cannot load file: move 3 is not legal: C7 is already occupied");
    }
    assert_eq!(replies[5], replies[2], "what is refused changes nothing");
    assert!(replies[6].starts_with("? cannot load file: W[zz]"), "{replies:?}");
    assert_eq!(replies[8], "=", "the move of the root is taken back");
    assert_eq!(replies[10], "= C7 G7", "stones that were set up on the way stand");
}

#[test]
fn handicap_rules_and_clocks_are_set() {
    let replies = talk(
        "boardsize 19\nfixed_handicap 4\nfixed_handicap 2\nclear_board\nset_free_handicap D4 Q16 K10\nget_handicap\n\
         kata-set-rules japanese\nkata-get-rules\nkata-set-rule ko POSITIONAL\nkata-set-rule ko NONSENSE\n\
         kgs-rules chinese\nkata-get-rules\ntime_settings 300 30 1\ntime_left b 100 0\nkata-time_settings fischer 60 5\n\
         kata-time_settings hourglass 3\nkata-time_settings fischer-capped 60 5 -1\n",
    );
    assert_eq!(replies[1], "= D4 Q16 D16 Q4");
    assert_eq!(replies[2], "? board is not empty");
    assert_eq!(replies[5], "= 3");
    assert!(replies[7].contains("\"scoring\":\"TERRITORY\""), "{}", replies[7]);
    assert!(replies[8] == "=" && replies[9].starts_with('?'));
    assert!(replies[11].contains("\"ko\":\"POSITIONAL\""), "{}", replies[11]);
    assert!(replies[12..15].iter().all(|reply| reply == "="), "{replies:?}");
    assert!(replies[15].starts_with('?') && replies[16].starts_with('?'));
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut input = String::from("boardsize 5\nkomi 6.5\n");
    for _ in 0..40 {
        input.push_str("genmove b\ngenmove w\n");
    }
    input.push_str("final_score\nfinal_status_list alive\nprintsgf\nshowboard\ncputime\n");
    let replies = talk_with(GtpOptions { max_visits: 8, ..options() }, input.as_bytes());
    assert_eq!(replies.len(), 2 + 80 + 5);
    for reply in &replies[2..82] {
        let vertex = reply.trim_start_matches("= ");
        assert!(vertex == "pass" || ("A".."F").contains(&&vertex[..1]), "{reply}");
    }
    let score = replies[82].trim_start_matches("= ");
    assert!(score == "0" || score.starts_with("B+") || score.starts_with("W+"), "{score}");
    assert!(replies[84].starts_with("= (;") && replies[84].contains("SZ[5]"), "{}", replies[84]);
}

#[test]
fn who_gives_a_handicap_plays_as_the_stronger_side() {
    let believed = |commands: &str| {
        let doublings = |request: &EvalRequest<'_>| match request.game.to_play() {
            Color::White => request.params.playout_doubling_advantage,
            Color::Black => -request.params.playout_doubling_advantage,
        };
        let evaluator = Arc::new(NotingEvaluator::new(Scrambled, doublings));
        let options = GtpOptions { max_visits: 5, ..options() };
        talk_about(evaluator.clone(), options, commands.as_bytes());
        *evaluator.noted().last().unwrap()
    };
    assert_eq!(believed("genmove b\n"), 0.0);
    assert_eq!(believed("komi 0.5\nfixed_handicap 2\ngenmove w\n"), 2.75);
    // The other side believes the same, and plays safely; an open game makes it an eighth less.
    assert_eq!(believed("komi 0.5\nfixed_handicap 2\nplay w C5\ngenmove b\n"), 2.75);
    assert_eq!(believed("komi 0.5\nfixed_handicap 2\ngenmove w\ngenmove b\n"), 2.625);
    assert_eq!(believed("komi 0.5\nfixed_handicap 2\ngenmove w\nclear_board\nfixed_handicap 2\ngenmove w\n"), 2.75);
    let never = "kata-set-param dynamicPlayoutDoublingAdvantageCapPerOppLead 0\n";
    assert_eq!(believed(&format!("{never}komi 0.5\nfixed_handicap 2\ngenmove w\n")), 0.0);
    // What somebody fixed stays, and an analysis believes nothing.
    let fixed = "kata-set-params {\"playoutDoublingAdvantage\":1.5,\"playoutDoublingAdvantagePla\":\"BLACK\"}\n";
    assert_eq!(believed(&format!("{fixed}komi 0.5\nfixed_handicap 2\ngenmove w\n")), -1.5);
    assert_eq!(
        believed("komi 0.5\nfixed_handicap 2\nkata-search_analyze w 1\nplay w C5\nkata-analyze b 1\nname\n"),
        0.0
    );
}

/// Sees only two thirds of what the komi is away from 12, and two columns at the left as Black's, the others as White's;
/// `sure` is how sure it is of that, 0 to 1.
fn judge(sure: f32) -> impl Evaluator {
    AlteredEvaluator::new(Scrambled, move |request, answer| {
        let width = request.game.board().size().width();
        answer.white_lead = (request.game.komi().points() as f32 - 12.0) * 2.0 / 3.0;
        for (at, white) in answer.white_ownership.iter_mut().flat_map(|ownership| ownership.iter_mut()).enumerate() {
            *white = if at % width < 2 { -sure } else { sure };
        }
    })
}

/// Sees one colour lose for sure, and by so many points.
fn lost(color: Color, by: f32) -> impl Evaluator {
    AlteredEvaluator::new(Scrambled, move |_, answer| {
        (answer.white_win, answer.white_loss, answer.white_lead) =
            if color == Color::White { (0.01, 0.99, -by) } else { (0.99, 0.01, by) };
    })
}

/// Both colours in turn, twenty times.
fn turns_from(first: Color) -> String {
    let turns = if first == Color::White { "genmove w\ngenmove b\n" } else { "genmove b\ngenmove w\n" };
    turns.repeat(20)
}

/// The turn, counted from 0, at which the loser resigns; the winner never does.
fn resigns_at<'a>(mut replies: impl Iterator<Item = &'a str>, first: Color, loser: Color) -> Option<usize> {
    let mut resigned = None;
    for turn in 0.. {
        let pair = [replies.next(), replies.next()];
        let own = usize::from(loser != first);
        assert_ne!(pair[1 - own], Some("= resign"), "the winner resigns");
        match pair[own] {
            Some("= resign") => resigned = resigned.or(Some(turn)),
            Some(_) => {}
            None => break,
        }
    }
    resigned
}

#[test]
fn a_lost_game_is_resigned_and_a_handicap_is_not_a_lost_game() {
    let turns_of = |color: Color, by: f32, begin: &str| {
        let options = GtpOptions { max_visits: 3, resign_below: Some(0.05), ..options() };
        let first = if begin.contains("handicap") { Color::White } else { color };
        let input = format!("{begin}\n{}", turns_from(first));
        let replies = talk_about(Arc::new(lost(color, by)), options, input.as_bytes());
        resigns_at(replies.iter().skip(begin.lines().count()).map(String::as_str), first, color)
    };
    for color in Color::ALL {
        // Its own two searches and the opponent's between them.
        assert_eq!(turns_of(color, 20.0, "komi 7.5"), Some(1), "{color:?}");
        assert_eq!(turns_of(color, 20.0, "komi 7.5\nkata-set-param allowResignation false"), None, "{color:?}");
    }
    // Black has no reason to be behind in a handicap game.
    assert_eq!(turns_of(Color::Black, 20.0, "komi 0.5\nfixed_handicap 3"), Some(1));
    let turns_until_resigning = |by: f32, begin: &str| turns_of(Color::White, by, begin);
    // Three stones and half a point are worth 36.5: nobody resigns before the 17th move, nor while behind by less than
    // is left of that.
    let handicap = "komi 0.5\nfixed_handicap 3";
    assert_eq!(turns_until_resigning(80.0, handicap), Some(9));
    let patient = turns_until_resigning(30.0, handicap).unwrap();
    assert!((10..20).contains(&patient), "{patient}");
    assert_eq!(turns_until_resigning(5.0, handicap), None);
}

#[test]
fn an_open_position_is_estimated_and_a_closed_one_counted() {
    let ask = |sure: f32, input: &str| talk_about(Arc::new(judge(sure)), options(), input.as_bytes()).pop().unwrap();
    // Every stone on the board is Black's, and yet Black leads by no more than the fair komi says.
    assert_eq!(ask(0.5, "komi 6.5\nplay b E5\nfinal_score\n"), "= B+5.5");
    assert_eq!(ask(0.5, "komi 7\nplay b E5\nfinal_score\n"), "= B+5.0");
    assert_eq!(ask(0.5, "komi 40\nfinal_score\n"), "= W+28.0");
    assert_eq!(ask(0.5, "komi 12\nfinal_score\n"), "= 0");
    // Ten points for Black, in whose area a stone of White's is dead, fifteen for White.
    let wall = "boardsize 5\nkomi 0.5\nset_position b B1 b B2 b B3 b B4 b B5 w C1 w C2 w C3 w C4 w C5 w A3\n";
    assert_eq!(ask(0.9, &format!("{wall}final_score\n")), "= W+5.5");
    assert_eq!(ask(0.5, &format!("{wall}final_score\n")), "= B+11.5");
    // Over: dead stones are agreed on by Chinese rules, and stand as they are by those of Tromp and Taylor.
    let over = format!("{wall}play b pass\nplay w pass\nfinal_score\n");
    assert_eq!(ask(0.5, &format!("kata-set-rules chinese\n{over}")), "= W+5.5");
    assert_eq!(ask(0.9, &format!("kata-set-rules tromp-taylor\n{over}")), "= W+11.5");
    // Territory: five points and a prisoner against ten.
    assert_eq!(ask(0.9, &format!("kata-set-rules japanese\n{over}")), "= W+4.5");
}

/// The commands in the order in which GoGui's `GtpSynchronizer` sends them.
#[test]
fn gogui_sets_a_position_up_in_one_command() {
    let position = "boardsize 5\nkomi 5.5\nclear_board\ngogui-setup B C3 B B2 W D3\n";
    let replies = talk(&format!(
        "{position}gogui-setup_player W\nget_komi\nlist_stones b\nprintsgf\ngogui-setup W A1\nplay w C2\n\
         gogui-setup_player b\nundo\nlist_stones w\nclear_board\ngogui-setup_player w\nprintsgf\n"
    ));
    let (before, after) = (&replies[4..], &replies[7..]);
    assert_eq!(before[..2], ["=", "= 5.5"], "{replies:?}");
    let mut black: Vec<&str> = before[2].trim_start_matches("= ").split(' ').collect();
    black.sort_unstable();
    assert_eq!(black, ["B2", "C3"]);
    assert!(after[0].contains("PL[W]") && after[0].contains("KM[5.5]"), "{}", after[0]);
    assert_eq!(after[1..6], ["? board is not empty", "=", "? the game has begun", "=", "= D3"], "{replies:?}");
    assert!(after[8].contains("PL[W]") && !after[8].contains("AB["), "{}", after[8]);
    for (wrong, why) in [
        ("gogui-setup b", "? expected pairs of color and vertex"),
        ("gogui-setup b A1 w A1", "? vertex 'A1' is given more than once"),
        ("gogui-setup b A1 w A2 w B1", "? the chain at A1 has no liberty"),
        ("gogui-setup_player green", "? could not parse color 'green'"),
        ("gogui-setup_player", "? expected a color"),
    ] {
        assert_eq!(talk(&format!("{wrong}\n")), [why], "{wrong}");
    }
}

#[test]
fn gogui_goes_through_a_game_by_many_moves_at_once() {
    let replies = talk(
        "boardsize 5\ngogui-play_sequence B C3 W D3 B pass\nmove_history\ngogui-play_sequence W C2 B C3\n\
         gogui-play_sequence W\nmove_history\ngg-undo 4\ngg-undo 2\nmove_history\ngg-undo\ngg-undo\ngg-undo x\n",
    );
    assert_eq!(replies[1..3], ["=", "= black pass\nwhite D3\nblack C3"], "{replies:?}");
    assert_eq!(replies[3..5], ["? illegal move", "? expected color and vertex"]);
    assert_eq!(replies[5], replies[2], "none of the moves is played where one cannot be");
    assert_eq!(replies[6..9], ["? cannot undo", "=", "= black C3"]);
    assert_eq!(replies[9..], ["=", "? cannot undo", "? could not parse number of moves 'x'"]);
}

#[test]
fn legality_is_strict_where_play_is_tolerant() {
    // White retakes a ko at once.
    let position = "boardsize 5\nkata-set-rules chinese\nset_position b B3 b A2 b B1 w C3 w D2 w C1 w B2\nplay b C2\n";
    let replies = talk(&format!("{position}is_legal w B2\nis_legal w A5\nall_legal w\nplay w B2\n"));
    assert_eq!(replies[replies.len() - 4..replies.len() - 2], ["= 0", "= 1"]);
    assert!(!replies[replies.len() - 2].split(' ').any(|vertex| vertex == "B2"), "{replies:?}");
    assert_eq!(replies[replies.len() - 1], "=");
}

#[test]
fn parameters_can_be_read_and_set() {
    let replies = talk(
        "kata-set-param maxVisits 5\nkata-get-param maxVisits\nkata-set-param cpuctExploration -1\n\
         kata-set-param nnRandomize false\nkata-get-param nnRandomize\nkata-get-param speed\nkata-get-params\n\
         kata-set-params {\"fpuReductionMax\":0.3,\"useGraphSearch\":false}\nkata-get-param fpuReductionMax\n",
    );
    assert_eq!(replies[..2], ["=", "= 5"]);
    assert_eq!(replies[2], "? cpuct_exploration is -1, expected 0 to 10");
    assert_eq!(replies[3..6], ["=", "= false", "? unknown parameter 'speed'"]);
    assert!(replies[6].contains("\"useGraphSearch\":true"));
    assert_eq!(replies[7..], ["=", "= 0.3"]);
}

#[test]
fn a_parameter_that_was_not_set_follows_the_one_that_it_hangs_on() {
    let early = "kata-get-param rootPolicyTemperatureEarly\n";
    let replies = talk(&format!(
        "kata-set-param rootPolicyTemperature 1.2\n{early}kata-set-param rootPolicyTemperatureEarly 1.4\n\
         kata-set-param rootPolicyTemperature 1.3\n{early}"
    ));
    assert_eq!((replies[1].as_str(), replies[4].as_str()), ("= 1.2", "= 1.4"));
}

#[test]
fn a_seed_fixes_the_game_and_another_seed_plays_another() {
    let game = |seed: &str| {
        let mut engine = GtpEngine::new(Arc::new(Scrambled), options()).unwrap();
        assert_eq!(engine.configure(&format!("searchRandSeed = {seed}\n")).unwrap(), [""; 0]);
        let mut output = Vec::new();
        let moves = "genmove b\ngenmove w\n".repeat(6);
        serve(Cursor::new(moves.into_bytes()), &mut output, &mut engine).unwrap();
        String::from_utf8(output).unwrap()
    };
    for seed in ["7", "a word"] {
        assert_eq!(game(seed), game(seed));
    }
    assert_ne!(game("7"), game("8"));
    assert_ne!(game("a word"), game("another"));
}

#[test]
fn the_score_of_an_open_game_is_the_same_whatever_the_seed() {
    // Says that Black leads by as many points as the number of the symmetry under which it is asked.
    let turned = || {
        AlteredEvaluator::new(Scrambled, |request, answer| {
            answer.white_lead = -(request.params.symmetry.number() as f32);
            answer.white_score_mean = answer.white_lead;
        })
    };
    let scores: Vec<String> = (0..6)
        .map(|seed| {
            let input = "play b C3\nplay w G6\nplay b C6\ngenmove w\nundo\nfinal_score\n";
            talk_about(
                Arc::new(CachingEvaluator::new(turned(), 1 << 20)),
                GtpOptions { seed, ..options() },
                input.as_bytes(),
            )
            .remove(5)
        })
        .collect();
    assert!(scores[0].starts_with("= "), "{scores:?}");
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
}

#[test]
fn analysis_lines_have_katagos_form() {
    let reply = &talk("kata-genmove_analyze b 1 rootInfo true ownership true pvVisits true minmoves 3 maxmoves 5\n")[0];
    let lines: Vec<&str> = reply.lines().collect();
    assert_eq!(lines[0], "=");
    assert!(lines.last().unwrap().starts_with("play "), "{reply}");
    let line = lines[lines.len() - 2];
    let words: Vec<&str> = line.split(' ').collect();
    let at = |key: &str| words.iter().position(|word| *word == key).unwrap_or_else(|| panic!("no {key} in {line}"));
    let order = [
        "info",
        "move",
        "visits",
        "edgeVisits",
        "utility",
        "winrate",
        "scoreMean",
        "scoreStdev",
        "scoreLead",
        "scoreSelfplay",
        "prior",
        "lcb",
        "utilityLcb",
        "weight",
        "order",
        "pv",
        "pvVisits",
    ];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{line}");
    assert!(at("pvVisits") < at("rootInfo") && at("rootInfo") < at("ownership"));
    assert_eq!(words.len() - at("ownership") - 1, 81);
    assert_eq!(words.iter().filter(|word| **word == "info").count(), 5);

    let leela = &talk("lz-genmove_analyze w\n")[0];
    let line = leela.lines().nth(1).unwrap();
    assert!(line.starts_with("info move ") && line.contains(" order 0 pv "), "{line}");
    let refused = talk("kata-analyze b avoid b C3 0\nkata-analyze speed 3\nkata-analyze allow b C3 1 avoid b D4 1\n\n");
    assert!(refused.iter().all(|reply| reply.starts_with('?')), "{refused:?}");
}

#[test]
fn raw_answers_are_printed() {
    let replies = talk("boardsize 5\nplay b C3\nkata-raw-nn 0\nkata-raw-nn w all\nkata-raw-nn 8\n");
    assert!(replies[2].starts_with("= symmetry 0\nwhiteWin 0."), "{}", replies[2]);
    assert!(replies[2].contains("NAN"), "the stone's point is illegal");
    assert!(replies[3].contains("symmetry 7\n"));
    assert!(replies[4].starts_with('?'));
}

/// An engine with a network of human style beside its own.
fn with_human(settings: &str, input: &str) -> (Vec<String>, Vec<String>) {
    let model =
        ModelInfo { name: "people".into(), internal_name: "people".into(), version: Some(15), uses_profile: true };
    let options = GtpOptions { human: Some((model, Arc::new(Scrambled))), ..options() };
    let mut engine = GtpEngine::new(Arc::new(Scrambled), options).unwrap();
    let unused = engine.configure(settings).unwrap();
    (replies_of(&mut engine, input.as_bytes()), unused)
}

#[test]
fn a_network_of_human_style_is_asked_beside_the_search() {
    let input = "boardsize 5\nplay b C3\nkata-raw-human-nn 0\nkata-set-param humanSLProfile rank_5k\n\
                 kata-raw-human-nn 0\nkata-raw-human-nn w all\nkata-raw-human-nn 0 0.5\nkata-get-models\n";
    let (replies, _) = with_human("", input);
    assert!(replies[2].starts_with("? ") && replies[2].contains("humanSLProfile"), "{}", replies[2]);
    let raw = &replies[4];
    assert!(raw.starts_with("= symmetry 0\nwhiteWin 0.") && raw.contains("\nwhiteScore "), "{raw}");
    assert!(!raw.contains("whiteLead") && !raw.contains("varTimeLeft"), "{raw}");
    assert!(replies[5].contains("symmetry 7\n"));
    assert!(replies[6].starts_with('?'), "such a network knows no optimism");
    assert_eq!(replies[7].matches("\"usesHumanSLProfile\"").count(), 2, "{}", replies[7]);
    assert!(talk("kata-raw-human-nn 0\n")[0].contains("--human-net"));
}

#[test]
fn raw_answers_resemble_whom_they_are_told_to() {
    let profile = |request: &EvalRequest<'_>| request.params.profile.map(|profile| profile.to_string());
    let evaluator = Arc::new(NotingEvaluator::new(Scrambled, profile));
    let options = GtpOptions { uses_profile: true, ..options() };
    talk_about(evaluator.clone(), options, b"kata-raw-nn 0\nkata-set-param humanSLProfile preaz_5k\nkata-raw-nn 0\n");
    assert_eq!(evaluator.noted(), [Some("rank_9d".to_owned()), Some("preaz_5k".to_owned())]);
}

#[test]
fn settings_for_a_network_of_human_style_need_one() {
    let set = "kata-set-param humanSLChosenMoveProp 1.0\nkata-get-param humanSLChosenMoveProp\n";
    assert_eq!(with_human("", set).0, ["=", "= 1.0"]);
    let refused = talk(set);
    assert!(refused[0].starts_with("? ") && refused[0].contains("--human-net"), "{}", refused[0]);
    assert_eq!(refused[1], "= 0.0", "what was refused is not set");
    assert_eq!(talk("kata-set-param humanSLCpuctPermanent 0\n"), ["="], "the usual value asks for nothing");
    let profile = talk("kata-set-param humanSLProfile rank_9d\nkata-get-param humanSLProfile\n");
    assert!(profile[0].starts_with("? ") && profile[0].contains("--human-net"), "{}", profile[0]);
    assert_eq!(profile[1], "= \"\"");
}

#[test]
fn a_profile_in_a_configuration_that_no_network_uses_is_dropped_with_a_note() {
    let mut engine = GtpEngine::new(Arc::new(Scrambled), options()).unwrap();
    let unused = engine.configure("humanSLProfile = rank_5k\nmaxVisits = 9\n").unwrap();
    assert!(unused.len() == 1 && unused[0].contains("humanSLProfile is not used"), "{unused:?}");
    assert_eq!(
        replies_of(&mut engine, b"kata-get-param humanSLProfile\nkata-get-param maxVisits\n"),
        ["= \"\"", "= 9"]
    );
    assert!(engine.configure("humanSLProfile = rank_99k\n").is_err(), "a slip of the pen is told as before");
    let options = GtpOptions { uses_profile: true, ..options() };
    let mut people = GtpEngine::new(Arc::new(Scrambled), options).unwrap();
    assert_eq!(people.configure("humanSLProfile = rank_5k\n").unwrap(), [""; 0]);
}

/// What KataGo's example configuration for playing like a 5 kyu sets, beside what is not about the engine.
const LIKE_PEOPLE: &str = "
    rules = japanese
    allowResignation = true
    resignThreshold = -0.99
    resignConsecTurns = 20
    resignMinScoreDifference = 40
    resignMinMovesPerBoardArea = 0.4
    maxVisits = 40
    numSearchThreads = 1
    lagBuffer = 1.0
    delayMoveScale = 0.001
    delayMoveMax = 10.0
    humanSLProfile = preaz_5k
    humanSLChosenMoveProp = 1.0
    humanSLChosenMoveIgnorePass = true
    humanSLChosenMovePiklLambda = 100000000
    humanSLRootExploreProbWeightless = 0.0
    humanSLRootExploreProbWeightful = 0.0
    humanSLPlaExploreProbWeightless = 0.0
    humanSLPlaExploreProbWeightful = 0.0
    humanSLOppExploreProbWeightless = 0.0
    humanSLOppExploreProbWeightful = 0.0
    humanSLCpuctExploration = 0.50
    humanSLCpuctPermanent = 0.2
    chosenMoveTemperatureEarly = 0.85
    chosenMoveTemperature = 0.70
    chosenMoveTemperatureHalflife = 80
    chosenMoveTemperatureOnlyBelowProb = 0.01
    chosenMoveSubtract = 0
    chosenMovePrune = 0
    ignorePreRootHistory = false
    analysisIgnorePreRootHistory = false
    rootNumSymmetriesToSample = 2
    useLcbForSelection = false
    winLossUtilityFactor = 1.0
    staticScoreUtilityFactor = 0.30
    dynamicScoreUtilityFactor = 0.00
    useUncertainty = false
    subtreeValueBiasFactor = 0.0
    useNoisePruning = false
";

#[test]
fn an_engine_plays_like_people() {
    let (replies, unused) = with_human(LIKE_PEOPLE, "genmove b\ngenmove w\nkata-get-param delayMoveScale\n");
    assert_eq!(unused, [""; 0], "every setting means something");
    assert!(replies[..2].iter().all(|reply| reply.starts_with("= ") && *reply != "= resign"), "{replies:?}");
    assert_eq!(replies[2], "= 0.001");
    // With nothing but people's choice, and no chance, the move is the one that they play most.
    let fixed = "humanSLProfile = rank_5k\nhumanSLChosenMoveProp = 1\nchosenMoveTemperature = 0\n\
                 chosenMoveTemperatureEarly = 0\nnnRandomize = false\nrootSymmetryPruning = false\n";
    let (replies, _) = with_human(fixed, "boardsize 5\nkata-raw-human-nn 0\ngenmove b\n");
    let policy: Vec<f32> = replies[1]
        .lines()
        .skip_while(|line| *line != "policy")
        .skip(1)
        .take(5)
        .flat_map(str::split_whitespace)
        .map(|number| number.parse().unwrap())
        .collect();
    let best = (0..25).max_by(|&a, &b| policy[a].total_cmp(&policy[b])).unwrap();
    let vertex = format!("{}{}", ["A", "B", "C", "D", "E"][best % 5], 5 - best / 5);
    assert_eq!(replies[2], format!("= {vertex}"));
}

#[test]
fn resigning_waits_as_long_as_it_is_told_to() {
    for color in Color::ALL {
        let waits = |settings: &str| {
            let options = GtpOptions { max_visits: 3, resign_below: Some(0.05), ..options() };
            let mut engine = GtpEngine::new(Arc::new(lost(color, 20.0)), options).unwrap();
            engine.configure(settings).unwrap();
            let replies = replies_of(&mut engine, turns_from(color).as_bytes());
            resigns_at(replies.iter().map(String::as_str), color, color)
        };
        assert_eq!(waits(""), Some(1), "{color:?}");
        assert_eq!(waits("resignConsecTurns = 7"), Some(3), "{color:?}");
        assert_eq!(waits("resignMinScoreDifference = 19"), Some(1), "{color:?}");
        assert_eq!(waits("resignMinScoreDifference = 25"), None, "{color:?}");
        // A quarter of 81 points is 20 moves.
        assert_eq!(waits("resignMinMovesPerBoardArea = 0.25"), Some(10), "{color:?}");
    }
}

#[test]
fn nonsense_is_answered_and_forgotten() {
    let mut input = b"\x00\x01\xff play\n\n\n# nothing\nplay\nplay green D4\nplay b Z99\ngenmove\nkomi x\n".to_vec();
    input.extend(std::iter::repeat_n(b'a', 3 << 20));
    input.extend(
        b"\n3 name\nfinal_status_list\nloadsgf /nowhere.sgf\nkata-set-rules {\"ko\":7}\nset_position b\n9 quit",
    );
    let replies = talk_with(options(), &input);
    let good: Vec<&String> = replies.iter().filter(|reply| reply.starts_with('=')).collect();
    assert_eq!(good, ["=3 Honinbo", "=9"], "{replies:?}");
    assert_eq!(replies.len(), 13, "{replies:?}");
}

/// Those that KataGo 1.17.2 refuses, and those of other engines with as many arguments.
#[test]
fn arguments_too_many_are_refused_and_nothing_is_done() {
    static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let write_file = |path: &std::path::Path, _: &str| {
        WRITTEN.lock().unwrap().push(path.display().to_string());
        Ok(())
    };
    let asked = "printsgf a b.sgf\nprintsgf - x\nkomi 5.5 x\nknown_command play x\nkata-get-param maxVisits x\n\
                 fixed_handicap 2 x\nplace_free_handicap 2 x\nfinal_status_list alive x\ngenmove b x\nkata-search b x\n\
                 genmove_debug b x\nlist_stones b x\nall_legal b x\ncolor C3 x\ncaptures b x\ngg-undo 1 x\n\
                 honinbo-topology torus x\ngogui-setup_player w x\n";
    let options = GtpOptions { write_file, ..options() };
    let replies = talk_with(options, format!("{asked}get_komi\nlist_stones b\nprintsgf a\n").as_bytes());
    let (refused, rest) = replies.split_at(asked.lines().count());
    for (line, reply) in asked.lines().zip(refused) {
        assert!(reply.starts_with("? expected "), "{line}: {reply}");
    }
    assert_eq!(rest, ["= 7.5", "=", "="]);
    assert_eq!(*WRITTEN.lock().unwrap(), ["a"]);
}

/// A pipe: what is sent can be read once.
struct Pipe(Receiver<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn wait_for(&self, what: &str, count: usize) {
        let began = Instant::now();
        loop {
            let text = String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned();
            if text.matches(what).count() >= count {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(120), "no {count} times {what:?} in {text:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn an_interrupt_ends_what_is_under_way_at_once() {
    let (sender, receiver): (Sender<Vec<u8>>, _) = channel();
    let heard = Heard::default();
    let mut output = heard.clone();
    let server = std::thread::spawn(move || {
        let endless = GtpOptions { max_visits: u64::MAX, max_nodes: usize::MAX, ..options() };
        let mut engine = GtpEngine::new(Arc::new(Scrambled), endless).unwrap();
        serve(BufReader::new(Pipe(receiver)), &mut output, &mut engine).unwrap();
    });
    let say = |line: &str| sender.send(format!("{line}\n").into_bytes()).unwrap();
    // A move that would never be found: the best one so far is played.
    say("1 kata-genmove_analyze b 1");
    heard.wait_for("info move", 2);
    say("# interrupt");
    heard.wait_for("play ", 1);
    say("2 kata-analyze w 1");
    heard.wait_for("=2\ninfo move", 1);
    say("# interrupt");
    heard.wait_for("\n\n", 2);
    // One that is read before its command has begun counts for it, and for nothing after it.
    sender.send(b"3 genmove w\n# interrupt\n4 name\n".to_vec()).unwrap();
    heard.wait_for("=4 Honinbo", 1);
    say("5 quit");
    server.join().unwrap();
}

#[test]
fn sabaki_takes_an_analysis_whose_numbers_it_reads_right() {
    // Sabaki 0.60.1: the first that is listed of its settings `engines.analyze_commands` and
    // `engines.gemove_analyze_commands`; `enginesyncer.js` reads a win rate by the name's beginning.
    let listed = talk("list_commands\n").remove(0);
    let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
    let first = |names: [&'static str; 3]| names.into_iter().find(|name| listed.contains(name)).unwrap();
    assert_eq!(first(["analyze", "kata-analyze", "lz-analyze"]), "kata-analyze");
    let chosen = first(["genmove_analyze", "kata-genmove_analyze", "lz-genmove_analyze"]);
    let percent = |command: &str| {
        let reply = talk(&format!("play b C3\n{command} w 1 maxmoves 1\n")).remove(1);
        // The last report is that of the whole search; how many come before depends on the machine.
        let (_, last) = reply.rsplit_once("winrate ").unwrap();
        let win_rate = last.split_whitespace().next().unwrap();
        if command.starts_with("kata") {
            100.0 * win_rate.parse::<f64>().unwrap()
        } else {
            f64::from(win_rate.parse::<i32>().unwrap()) / 100.0
        }
    };
    let (read, leela) = (percent(chosen), percent("lz-genmove_analyze"));
    assert!((20.0..80.0).contains(&read) && (read - leela).abs() < 0.01, "{read} % and {leela} %");
}

#[test]
fn an_analysis_lasts_until_the_next_line() {
    let (sender, receiver): (Sender<Vec<u8>>, _) = channel();
    let heard = Heard::default();
    let mut output = heard.clone();
    let server = std::thread::spawn(move || {
        let mut engine = GtpEngine::new(Arc::new(Scrambled), GtpOptions { max_nodes: 3000, ..options() }).unwrap();
        serve(BufReader::new(Pipe(receiver)), &mut output, &mut engine).unwrap();
    });
    let say = |line: &str| sender.send(format!("{line}\n").into_bytes()).unwrap();
    say("1 kata-analyze b 2");
    heard.wait_for("info move", 3);
    say("");
    heard.wait_for("\n\n", 1);
    say("2 lz-analyze 1");
    heard.wait_for("winrate", 5);
    say("3 name");
    heard.wait_for("=3 Honinbo\n\n", 1);
    say("4 kata-search_analyze_cancellable b");
    say("5 quit");
    server.join().unwrap();
    let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    assert!(text.ends_with("=5\n\n"), "{text}");
}

#[test]
fn an_analysis_whose_tree_is_full_says_what_it_found() {
    let (sender, receiver): (Sender<Vec<u8>>, _) = channel();
    let heard = Heard::default();
    let mut output = heard.clone();
    let server = std::thread::spawn(move || {
        let mut engine = GtpEngine::new(Arc::new(Scrambled), GtpOptions { max_nodes: 20, ..options() }).unwrap();
        serve(BufReader::new(Pipe(receiver)), &mut output, &mut engine).unwrap();
    });
    let say = |line: &str| sender.send(format!("{line}\n").into_bytes()).unwrap();
    // Long before its first interval is over.
    say("1 kata-analyze b 100000");
    heard.wait_for("=1\ninfo move", 1);
    // And again while it waits.
    say("2 lz-analyze b 1");
    heard.wait_for("=2\ninfo move", 1);
    heard.wait_for("\ninfo move", 8);
    // Whoever names no interval hears nothing.
    say("3 kata-analyze b");
    heard.wait_for("=3\n", 1);
    say("4 quit");
    server.join().unwrap();
    let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    assert!(text.ends_with("=3\n\n=4\n\n"), "{text}");
}

/// What was said of full trees.
static FULL: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn a_move_has_the_visits_that_were_asked_for_or_a_line_that_says_how_many() {
    assert_eq!(GtpOptions::new("net").max_nodes, SearchLimits::MAX_NODES);
    let log: fn(&str) = |line| FULL.lock().unwrap().push(line.to_owned());
    let moved = |max_nodes, max_visits| {
        let options = GtpOptions { log, max_nodes, max_visits, ..options() };
        assert!(talk_with(options, b"genmove b\n")[0].starts_with("= "));
        std::mem::take(&mut *FULL.lock().unwrap())
    };
    assert!(moved(300, 60).is_empty());
    let told = moved(40, 1000);
    let [line] = &told[..] else { panic!("{told:?}") };
    let visits: u64 = line.split(' ').find_map(|word| word.parse().ok()).unwrap();
    let expected = format!("the search ended after {visits} visits: its tree holds 40 positions, the most it may");
    assert_eq!(*line, expected);
    assert!((1..1000).contains(&visits), "{line}");
}

#[test]
fn configuration_files_set_what_they_can() {
    let mut engine = GtpEngine::new(Arc::new(Scrambled), options()).unwrap();
    let text = "# comment\nrules = japanese\nmaxVisits = 9 # few\nlogDir = logs\nallowResignation = false\nponderingEnabled = true\n";
    let unused = engine.configure(text).unwrap();
    assert!(unused.len() == 1 && unused[0].starts_with("logDir means nothing here"), "{unused:?}");
    assert!(engine.configure("maxVisits = none\n").is_err() && engine.configure("rules = checkers\n").is_err());
    let mut output = Vec::new();
    let input = "kata-get-rules\nkata-get-param maxVisits\nkata-get-param ponderingEnabled\n";
    serve(Cursor::new(input.as_bytes().to_vec()), &mut output, &mut engine).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("TERRITORY") && text.contains("= 9\n") && text.contains("= true\n"), "{text}");
}

fn talk_configured(settings: &str, input: &str) -> Vec<String> {
    let mut engine = GtpEngine::new(Arc::new(Scrambled), options()).unwrap();
    assert_eq!(engine.configure(settings).unwrap(), [""; 0]);
    replies_of(&mut engine, input.as_bytes())
}

#[test]
fn a_configuration_file_names_board_rules_and_whose_figures_are_shown() {
    let settings = "defaultBoardSize = 7\nkoRule = SIMPLE\nscoringRule = TERRITORY\ntaxRule = SEKI\nhasButton = false\n\
                    multiStoneSuicideLegal = true\nfriendlyPassOk = true\nwhiteHandicapBonus = N-1\n";
    let replies = talk_configured(settings, "query_boardsize\nkata-get-rules\n");
    assert_eq!(replies[0], "= 7");
    let rules: serde_json::Value = serde_json::from_str(&replies[1][2..]).unwrap();
    let expected = serde_json::json!({
        "ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": true, "hasButton": false,
        "friendlyPassOk": true, "whiteHandicapBonus": "N-1",
    });
    assert_eq!(rules, expected);
    let figures = |settings: &str, player: &str| {
        let settings = format!("searchRandSeed = 5\nrootSymmetryPruning = false\n{settings}");
        let reply = talk_configured(&settings, &format!("kata-search_analyze {player} 10000\n")).remove(0);
        let first = reply.lines().find(|line| line.starts_with("info")).unwrap().split("info").nth(1).unwrap();
        let words: Vec<&str> = first.split_whitespace().collect();
        let after = |key: &str| words.iter().position(|word| *word == key).unwrap() + 1;
        (words[after("winrate")].parse::<f64>().unwrap(), words.len() - after("pv"))
    };
    for (player, other) in [("b", "WHITE"), ("w", "BLACK")] {
        let ((own, long), (theirs, short)) = (
            figures("reportAnalysisWinratesAs = SIDETOMOVE\n", player),
            figures(&format!("reportAnalysisWinratesAs = {other}\nanalysisPVLen = 1\n"), player),
        );
        assert!((own - 0.5).abs() > 5e-5 && (own + theirs - 1.0).abs() < 1e-5, "{own} {theirs}");
        assert!(long > 2 && short == 2, "{long} {short}");
    }
    for wrong in ["defaultBoardSize = 99", "koRule = NONE", "analysisPVLen = 0", "reportAnalysisWinratesAs = ME"] {
        let mut engine = GtpEngine::new(Arc::new(Scrambled), options()).unwrap();
        let refusal = engine.configure(wrong).unwrap_err();
        let (name, _) = wrong.split_once(" = ").unwrap();
        assert!(refusal.contains(name), "{refusal}");
    }
}

/// Lines that an engine logged.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn what_katago_logs_for_chats_and_for_debugging_is_logged() {
    let log: fn(&str) = |line| LOGGED.lock().unwrap().push(line.to_owned());
    let mut engine = GtpEngine::new(Arc::new(Scrambled), GtpOptions { log, ..options() }).unwrap();
    engine.configure("ogsChatToStderr = true\n").unwrap();
    let replies = replies_of(&mut engine, b"genmove b\ndebug_moves\ndebug_moves C3\nkata-debug-print-tc\n");
    let mv = replies[0].trim_start_matches("= ").to_owned();
    let chat = std::mem::take(&mut *LOGGED.lock().unwrap());
    assert_eq!(chat.len(), 1);
    let form = ["MALKOVICH:Visits ", " Winrate ", "% ScoreLead ", " ScoreStdev ", &format!(" PV {mv}")];
    assert!(form.iter().all(|part| chat[0].contains(part)), "{chat:?}");
    assert!(replies[1].contains(&format!("{mv} visits ")) && replies[2].starts_with('?'), "{replies:?}");
    assert_eq!(replies[3], "= Black no limit of time\nWhite no limit of time");
    engine.configure("ogsChatToStderr = false\n").unwrap();
    let replies = replies_of(&mut engine, b"kata-search_debug w\nshowboard\n");
    let debug = LOGGED.lock().unwrap();
    assert!(debug.iter().any(|line| line.starts_with(replies[0].trim_start_matches("= "))), "{debug:?}");
    assert!(replies[1].contains("MoveNum: 1\n"), "{}", replies[1]);
}

#[test]
fn a_forced_komi_holds_against_whatever_the_controller_says() {
    let replies = talk_configured(
        "ignoreGTPAndForceKomi = 5.5\n",
        "get_komi\nkomi 7.5\nget_komi\nkata-set-rules japanese\nget_komi\nboardsize 13\nget_komi\n",
    );
    let komi: Vec<&str> = replies.iter().map(String::as_str).filter(|reply| reply.contains('.')).collect();
    assert_eq!(komi, ["= 5.5"; 4]);
}

#[test]
fn blacks_first_moves_are_a_handicap_unless_the_configuration_says_otherwise() {
    let input = "boardsize 9\nplay b C3\nplay b G7\nget_handicap\n";
    assert_eq!(talk(input)[3], "= 2");
    let configured = talk_configured("assumeMultipleStartingBlackMovesAreHandicap = false\n", input);
    assert_eq!(configured[3], "= 0");
}

#[test]
fn a_loaded_record_counts_its_handicap_as_the_configuration_says() {
    let counted = |settings: &str| {
        let mut engine = GtpEngine::new(Arc::new(Scrambled), reading()).unwrap();
        engine.configure(settings).unwrap();
        let asked = b"loadsgf (;SZ[9]RU[Chinese];B[cc];B[gg];W[ee])\nget_handicap\nmove_history\n";
        replies_of(&mut engine, asked)[1..].to_vec()
    };
    let moves = "= white E5\nblack G3\nblack C7";
    assert_eq!(counted(""), ["= 2", moves]);
    assert_eq!(counted("assumeMultipleStartingBlackMovesAreHandicap = false\n"), ["= 0", moves]);
}

#[test]
fn less_is_thought_where_the_configuration_says_so() {
    let visits = |settings: &str, moves: &str| {
        let reply = talk_configured(settings, &format!("{moves}kata-search_analyze b 10000 rootInfo true\n"));
        let line = reply.last().unwrap().lines().rfind(|line| line.starts_with("info")).unwrap().to_owned();
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|word| *word == "rootInfo").unwrap();
        words[at + 2].parse::<u64>().unwrap()
    };
    let factors = "searchFactorAfterOnePass = 0.5\nsearchFactorAfterTwoPass = 0.2\n";
    assert_eq!(visits("", ""), 30);
    assert_eq!(visits("maxPlayouts = 12\n", ""), 12);
    assert_eq!(visits(factors, "play b C3\n"), 30);
    assert_eq!(visits(factors, "play b C3\nplay w pass\n"), 15);
    assert_eq!(visits(factors, "play b C3\nplay w pass\nplay b G7\nplay w pass\n"), 6);
    assert_eq!(visits("maxPlayouts = 8\nsearchFactorAfterOnePass = 0.5\n", "play w pass\n"), 4);
    let moves = talk_configured("searchFactorAfterOnePass = 0\n", "play w pass\ngenmove b\n");
    assert!(moves[1].starts_with("= "), "{moves:?}");
    let replies = talk_configured(
        "maxVisitsPondering = 7\nsearchFactorWhenWinning = 0.25\nsearchFactorWhenWinningThreshold = 0.9\n",
        "kata-get-param maxVisitsPondering\nkata-get-param maxPlayoutsPondering\n\
         kata-get-param searchFactorWhenWinning\nkata-set-param searchFactorWhenWinningThreshold 2\n\
         kata-set-param maxPlayouts 0\n",
    );
    assert_eq!(replies[..3], ["= 7", "= 1125899906842624", "= 0.25"]);
    assert!(replies[3].starts_with('?') && replies[4].starts_with('?'), "{replies:?}");
}

#[test]
fn time_management_is_set_by_katagos_names_and_as_measured_until_then() {
    let names = "kata-get-param futileVisitsThreshold\nkata-get-param openMoveTimeFactor\n\
                 kata-get-param overallocateTimeFactor\n";
    assert_eq!(talk(names), ["= 0.0", "= \"auto\"", "= 1.0"]);
    let replies = talk(&format!(
        "kata-set-param futileVisitsThreshold 0.5\n{names}kata-set-param openMoveTimeFactor 1\n{names}\
         kata-set-param openMoveTimeFactor auto\n{names}"
    ));
    assert_eq!(replies[1..4], ["= 0.5", "= \"auto\"", "= 1.0"], "the one says nothing about the other");
    assert_eq!(replies[5..8], ["= 0.5", "= 1.0", "= 1.0"]);
    assert_eq!(replies[9..12], ["= 0.5", "= \"auto\"", "= 1.0"]);
    let replies = talk(&format!(
        "kata-set-param futileVisitsThreshold 1\nkata-set-param openMoveTimeFactor 1.5\n\
         kata-set-param overallocateTimeFactor 1.2\n{names}kata-set-param openMoveTimeFactor 0.5\n\
         boardsize 7\nkata-time_settings absolute 2\ngenmove b\n"
    ));
    assert_eq!(replies[3..6], ["= 1.0", "= 1.5", "= 1.2"]);
    assert!(replies[6].starts_with('?') && replies[9].starts_with("= "), "{replies:?}");
}

#[test]
fn pass_alive_areas_and_territory_beside_atari_are_left_to_the_network_until_somebody_says() {
    for name in ["alwaysComputePassAliveUnderSuicideRules", "excludeTerritoryAdjacentToAtari"] {
        let replies = talk(&format!(
            "kata-get-param {name}\nkata-set-param {name} true\nkata-get-param {name}\nkata-set-param {name} auto\n\
             kata-get-param {name}\nkata-set-param {name} maybe\n"
        ));
        assert_eq!(
            replies[..5],
            ["= \"auto\"", "= ", "= true", "= ", "= \"auto\""].map(|reply| reply.trim_end()),
            "{name}"
        );
        assert!(replies[5].starts_with('?'), "{name}");
    }
}

#[test]
fn the_opponents_time_is_thought_through_and_any_command_answered_at_once() {
    let counting = Arc::new(CountingEvaluator::new(Scrambled));
    let options = GtpOptions { ponders: true, max_nodes: 20_000, ..options() };
    let mut engine = GtpEngine::new(counting.clone(), options).unwrap();
    let (sender, receiver): (Sender<Vec<u8>>, _) = channel();
    let heard = Heard::default();
    let mut output = heard.clone();
    let server = std::thread::spawn(move || serve(BufReader::new(Pipe(receiver)), &mut output, &mut engine).unwrap());
    let mut replies = 0;
    let mut ask = |command: &str| {
        sender.send(format!("{command}\n").into_bytes()).unwrap();
        replies += 1;
        heard.wait_for("\n\n", replies);
        let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
        text.trim_end().rsplit("\n\n").next().unwrap().to_owned()
    };
    assert!(ask("genmove b").starts_with("= "));
    let after_move = counting.asked();
    let begun = Instant::now();
    while counting.asked() < after_move + 500 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is thought about");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(ask("name"), "= Honinbo");
    // After a move of the opponent's nothing is thought about until a move is asked for.
    assert_eq!(ask("play w A1"), "=");
    let before = counting.asked();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(counting.asked(), before);
    assert!(ask("genmove b").starts_with("= "));
    drop(sender);
    server.join().unwrap();
}

/// Answers calmly: an even game, the first empty point before all others, and each point its owner's, from Black's side,
/// -1 ..= 1.
fn calm(owner: fn(&Game, Point) -> f32) -> impl Evaluator {
    AlteredEvaluator::new(Scrambled, move |request, answer| {
        let size = request.game.board().size();
        (answer.white_win, answer.white_loss) = (0.5, 0.5);
        (answer.white_score_mean, answer.white_score_mean_sq, answer.white_lead) = (0.0, 1.0, 0.0);
        let first = answer.policy.iter().position(|prior| *prior >= 0.0);
        for (index, prior) in answer.policy.iter_mut().enumerate().filter(|(_, prior)| **prior >= 0.0) {
            *prior = if Some(index) == first { 0.9 } else { 0.1 / size.area() as f32 };
        }
        answer.white_ownership =
            Some((0..size.area()).map(|index| -owner(request.game, Point::from_index(index, size))).collect());
    })
}

/// `set_position` for rows of `X`, `O` and `.`, the uppermost first.
fn set_position(rows: &[&str]) -> String {
    let mut command = format!("boardsize {}\nset_position", rows.len());
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.split(' ').enumerate().filter(|(_, cell)| *cell != ".") {
            let color = if cell == "X" { "b" } else { "w" };
            command.push_str(&format!(" {color} {}{}", (b'A' + x as u8) as char, rows.len() - y));
        }
    }
    command.push('\n');
    command
}

fn talk_calmly(owner: fn(&Game, Point) -> f32, input: &str) -> Vec<String> {
    let mut engine = GtpEngine::new(Arc::new(calm(owner)), options()).unwrap();
    let mut output = Vec::new();
    serve(Cursor::new(input.as_bytes().to_vec()), &mut output, &mut engine).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.trim_end().split("\n\n").map(str::to_owned).collect()
}

#[test]
fn stones_in_seki_are_listed_and_alive() {
    // The chains on the left share their only liberties, A7 and A3; the others have their eyes.
    const ROWS: [&str; 7] = [
        ". O X . X O .",
        "X O X X X O O",
        "X O X . X O .",
        "X O X X X O O",
        ". O X X X O .",
        "O O X X X O O",
        "X X X X X O .",
    ];
    let position = set_position(&ROWS);
    let all_live = |_: &Game, point: Point| match (ROWS[point.y()].as_bytes()[2 * point.x()], point.x()) {
        (b'X', _) | (b'.', 3) => 1.0,
        (b'O', _) | (b'.', 6) => -1.0,
        _ => 0.0,
    };
    let replies = talk_calmly(
        all_live,
        &format!("{position}final_status_list seki\nfinal_status_list alive\nfinal_status_list dead\n"),
    );
    assert_eq!(replies[1], "=", "{replies:?}");
    let holds = |reply: &str, vertex: &str| reply.split([' ', '\n']).any(|word| word == vertex);
    for (vertex, in_seki) in [("A5", true), ("B7", true), ("C7", false), ("A1", false), ("F1", false)] {
        assert_eq!((holds(&replies[2], vertex), holds(&replies[3], vertex)), (in_seki, true), "{vertex}: {replies:?}");
    }
    assert_eq!(replies[4].trim_end(), "=");

    // In a game that has just begun nothing is in seki.
    let replies = talk_calmly(
        |_, _| 0.0,
        "boardsize 9\nplay b C3\nplay w G7\nfinal_status_list seki\nfinal_status_list alive\nfinal_status_list dead\n",
    );
    assert_eq!(replies[3], "=");
    assert!(replies[4].contains("C3") && replies[4].contains("G7"), "{replies:?}");
    assert_eq!(replies[5], "=");
}

#[test]
fn a_pass_among_friends_is_answered_with_a_pass() {
    // White's stone at B4 is dead, which counts only where dead stones are agreed on.
    let position = set_position(&[
        ". . . X O . .",
        ". . . X O . .",
        ". . . X O . .",
        ". O . X O . .",
        ". . . X O . .",
        ". . . X O . .",
        ". . . X O . .",
    ]);
    let left_is_black = |game: &Game, point: Point| {
        if point.index(game.board().size()) % 7 < 4 { 1.0 } else { -1.0 }
    };
    let answer = |rules, command| {
        let replies = talk_calmly(
            left_is_black,
            &format!("kata-set-rules {rules}\n{position}komi -10\nplay w pass\n{command} b\n"),
        );
        replies.last().unwrap().trim_start_matches("= ").trim_end().to_owned()
    };
    assert_eq!(answer("chinese", "genmove"), "pass");
    assert_ne!(answer("chinese", "kgs-genmove_cleanup"), "pass", "it is to be taken");
    assert_ne!(answer("tromp-taylor", "genmove"), "pass", "there the dead stone must be taken");
}

/// Would rather pass than do anything else.
fn tired() -> impl Evaluator {
    AlteredEvaluator::new(calm(|_, _| 0.0), |_, answer| {
        let pass = answer.policy.len() - 1;
        for (index, prior) in answer.policy.iter_mut().enumerate().filter(|(_, prior)| **prior >= 0.0) {
            *prior = if index == pass { 0.99 } else { 0.01 / pass as f32 };
        }
    })
}

#[test]
fn dead_stones_are_taken_before_a_pass_where_that_is_asked_for() {
    // Black's stone at C1 is dead, and by these rules would be left there.
    let position = set_position(&[". O . O .", "O O O O O", "O O O O O", "O O O O O", ". . X . ."]);
    let asked = format!(
        "kata-set-rules chinese\n{position}play w pass\nplay b pass\nkgs-genmove_cleanup w\nplay b pass\n\
         kgs-genmove_cleanup w\nlist_stones b\nplay b pass\nkgs-genmove_cleanup w\n"
    );
    for settings in ["", "friendlyPass = true\n"] {
        let mut engine = GtpEngine::new(Arc::new(tired()), options()).unwrap();
        engine.configure(settings).unwrap();
        let replies = replies_of(&mut engine, asked.as_bytes());
        let mut played = [replies[5].as_str(), replies[7].as_str()];
        played.sort_unstable();
        assert_eq!(played, ["= B1", "= D1"], "{replies:?}");
        assert_eq!((replies[8].trim_end(), replies[10].trim_end()), ("=", "= pass"), "{replies:?}");
    }
}

/// The lines of KataGo 1.18.2's own test of the focus (commit 47aadc0, `cpp/tests/gtp/focus.txt`), and which of them it
/// refuses.
#[test]
fn a_focus_is_taken_and_refused_as_katago_does() {
    let lines = [
        ("", true),
        ("focus C3,G7 0.9", true),
        ("focus C3 0.5", true),
        ("focus C3 1.5", false),
        ("focus Z9 0.5", false),
        ("focus C3", false),
        ("focus C3:0,G7 0.5", false),
        ("focus C3:abc 0.5", false),
        ("focus C3 0.5 focus G7 0.5", false),
        ("focus C3:3,G7:1,C7 0.9", true),
        ("focus E5 1.0 avoid b E5 1", true),
        ("focus pass 0.5", true),
        ("focus C3 0.0", true),
    ];
    let input: Vec<String> =
        lines.iter().map(|(words, _)| format!("kata-search_analyze b rootInfo true {words}\n")).collect();
    let replies = talk(&input.concat());
    assert_eq!(replies.len(), lines.len());
    for ((words, taken), reply) in lines.iter().zip(&replies) {
        assert_eq!(reply.starts_with('='), *taken, "{words}: {reply}");
        assert!(!taken || reply.contains("rootInfo visits 30 "), "no limit counts what comes on top: {words}: {reply}");
    }
    // Leela Zero's form knows the word, too.
    assert!(talk("lz-genmove_analyze b focus C3 0.5\n")[0].starts_with('='));
}

/// Lizzie asks every engine that is not called KataGo as it asks Leela Zero.
#[test]
fn leela_zeros_heatmap_and_options_are_answered() {
    let replies = talk("boardsize 5:4\nplay b A1\nheatmap\nheatmap average\nheatmap 9\nlz-setoption\n");
    for reply in &replies[2..4] {
        let lines: Vec<&str> = reply.lines().collect();
        // Nothing but the rows begins with a blank or a digit: four of five numbers.
        assert!(lines[0].trim() == "=" && lines.len() == 7, "{reply}");
        let row = |line: &str| -> Vec<u32> { line.split_whitespace().map(|word| word.parse().unwrap()).collect() };
        let rows: Vec<Vec<u32>> = lines[1..5].iter().map(|line| row(line)).collect();
        assert!(rows.iter().all(|row| row.len() == 5), "{reply}");
        assert_eq!(rows[3][0], 0, "a stone stands there");
        let pass: u32 = lines[5].strip_prefix("pass: ").unwrap().parse().unwrap();
        let all: u32 = rows.iter().flatten().sum::<u32>() + pass;
        assert!((985..=1015).contains(&all), "{reply}");
        let chance: f64 = lines[6].strip_prefix("winrate: ").unwrap().parse().unwrap();
        assert!((0.0..=1.0).contains(&chance), "{reply}");
    }
    assert!(replies[4].starts_with('?') && replies[5].contains("option name Visits type spin"), "{replies:?}");
    let options = [
        ("name Visits value 25", true),
        ("name visits value 1000000000", true),
        ("name Playouts value 0", true),
        ("name Lagbuffer value 150", true),
        ("name Resign Percentage value 5", true),
        ("name Resign Percentage value 40", false),
        ("name Pondering value true", true),
        ("name Maximum Memory Use (MiB) value 4096", true),
        ("name Komi value 5", false),
        ("Visits 5", false),
        ("name Visits value", false),
    ];
    let input: Vec<String> = options.iter().map(|(words, _)| format!("lz-setoption {words}\n")).collect();
    let replies = talk(&input.concat());
    for ((words, taken), reply) in options.iter().zip(&replies) {
        assert_eq!(reply.starts_with('='), *taken, "{words}: {reply}");
    }
    let set = talk(
        "lz-setoption name Visits value 25\nkata-get-param maxVisits\nlz-setoption name Lagbuffer value 150\nkata-get-param lagBuffer\n",
    );
    assert_eq!((set[1].as_str(), set[3].as_str()), ("= 25", "= 1.5"));
}
