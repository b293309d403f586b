//! A whole game evaluated: what windows are told of it, how it ends, and what it says of the moves.

use crate::host::Desk;
use honinbo_api::{Event, GraphValue, ReviewOptions, ReviewProgress, SweepProgress, SweepState};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Color, Point};
use honinbo_testkit::{FailingEvaluator, InfluenceEvaluator, UniformEvaluator};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const GAME: &str = "(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg](;W[gc])(;W[cg];B[aa]))";

/// Everything that was told of sweeps so far.
fn told(desk: &Desk) -> Vec<SweepProgress> {
    let mut told = Vec::new();
    desk.each_event(|event| {
        if let Event::Graph(graph) = event {
            told.extend(graph.sweep.clone());
        }
    });
    told
}

/// The last value of each node.
fn values(desk: &Desk) -> BTreeMap<u32, GraphValue> {
    let mut values = BTreeMap::new();
    desk.each_event(|event| {
        if let Event::Graph(graph) = event {
            values.extend(graph.values.iter().map(|value| (value.node_id, value.clone())));
        }
    });
    values
}

#[test]
fn a_review_gives_every_position_the_visits_of_each_pass_and_says_that_it_is_finished() {
    let desk = Desk::new();
    let id = desk.open(GAME);
    let started = desk.must("sweep_game", json!({"gameId": id, "passes": [1, 20]}));
    let end = desk.end_of_sweep();
    assert_eq!(started["serial"], end.serial);
    let last = SweepProgress {
        serial: end.serial,
        state: SweepState::Finished,
        visits: 20,
        pass: 2,
        passes: 2,
        done: 5,
        total: 5,
        unsettled: false,
    };
    assert_eq!(end, last);
    let values = values(&desk);
    assert_eq!(values.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4], "the variation on the board");
    assert!(values.values().all(|value| value.visits >= 20), "{values:#?}");
    let mut passes: Vec<_> = told(&desk).iter().map(|sweep| (sweep.pass, sweep.visits)).collect();
    passes.dedup();
    assert_eq!(passes, [(1, 1), (2, 20)]);
}

#[test]
fn a_deeper_review_of_a_known_game_asks_for_more_visits() {
    let desk = Desk::new();
    let id = desk.open(GAME);
    for visits in [4, 16] {
        desk.forget_events();
        desk.must("sweep_game", json!({"gameId": id, "passes": [1, visits]}));
        assert_eq!(desk.end_of_sweep().state, SweepState::Finished);
    }
    let values = values(&desk);
    assert!(values.len() == 5 && values.values().all(|value| value.visits >= 16), "{values:#?}");
}

#[test]
fn a_review_by_need_gives_every_position_half_and_the_rest_where_a_verdict_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // A pass loses so much that nobody doubts it.
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[];B[ge];W[gc];B[ia];W[ce])");
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 100], "byNeed": true}));
    let end = desk.end_of_sweep();
    assert_eq!((end.state, end.visits, end.done, end.total), (SweepState::Finished, 100, 9, 9));
    let values = values(&desk);
    let visits: Vec<u32> = (0..=8).map(|node| values[&node].visits).collect();
    assert!(visits.iter().all(|&visits| (50..=400).contains(&visits)), "{visits:?}");
    let mut halves = 0;
    desk.each_event(|event| {
        if let Event::Graph(graph) = event {
            halves += graph.values.iter().filter(|value| (50..100).contains(&value.visits)).count();
        }
    });
    assert!(halves >= 9, "each was looked at with half of them first: {halves}");
    // A search may end with as many visits more as it had under way.
    let sum: u32 = visits.iter().sum();
    assert!((800..=950).contains(&sum), "{visits:?}");
    assert!(values.values().filter(|value| value.judged.is_some()).count() == 8);

    desk.forget_events();
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 20], "byNeed": true}));
    assert_eq!(desk.end_of_sweep().state, SweepState::Finished, "with few there is nothing to divide");
}

#[test]
fn a_reviewed_record_has_its_visits_on_average() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let sgf = b"(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[];B[ge];W[gc];B[ia];W[ce])";
    let tree = honinbo_record::read_sgf(sgf).games.remove(0).tree;
    let options = ReviewOptions { visits: 100, replay: honinbo_record::ReplayOptions::default() };
    let progress = std::sync::Mutex::new(Vec::new());
    let tell = |progress_now: ReviewProgress| progress.lock().unwrap().push(progress_now.done);
    let review = desk.app.review_record(&tree, &options, &StopFlag::new(), &tell).unwrap();
    let visits: Vec<u32> = review.moves.iter().map(|made| made.visits).collect();
    assert!(visits.iter().all(|&visits| (50..=400).contains(&visits)), "{visits:?}");
    assert!((700..=850).contains(&visits.iter().sum::<u32>()), "{visits:?}");
    let told = progress.into_inner().unwrap();
    assert!(told.is_sorted() && told.last() == Some(&9), "{told:?}");
    let again =
        desk.app.review_record(&tree, &ReviewOptions { visits: 50, ..options }, &StopFlag::new(), &|_| ()).unwrap();
    assert_eq!(again.known, 8, "what is known is not asked for again, but after a pass");
}

#[test]
fn a_quick_review_looks_closely_at_the_moves_that_seem_to_have_lost_most() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // White's second move is in the corner.
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[aa];B[ge];W[gc])");
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 60], "worst": 1}));
    let end = desk.end_of_sweep();
    assert_eq!((end.state, end.pass, end.done, end.total), (SweepState::Finished, 2, 2, 2));
    let values = values(&desk);
    let visits: Vec<u32> = (0..=6).map(|node| values[&node].visits).collect();
    assert_eq!(visits, [1, 1, 1, 60, 60, 1, 1], "the positions before and after it");
    let judged: Vec<u32> = values.values().filter(|value| value.judged.is_some()).map(|value| value.node_id).collect();
    assert_eq!(judged.first(), Some(&4), "{values:#?}");
    assert!(values[&4].judged.as_ref().unwrap().points_lost.get() > 1.0);
}

#[test]
fn a_quick_review_ends_when_it_is_settled_which_move_of_each_player_lost_most() {
    // A pass loses so much that no search, however its threads meet, doubts it.
    let game = "(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[];B[ge];W[gc];B[ia];W[ce])";
    let judged = |passes: &[u32], worst: Option<u32>| {
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
        let id = desk.open(game);
        desk.must("sweep_game", json!({"gameId": id, "passes": passes, "worst": worst}));
        let end = desk.end_of_sweep();
        assert_eq!((&end.state, end.done), (&SweepState::Finished, end.total));
        let review = desk.must("review_line", json!({"gameId": id}));
        let worst = |side: &str| {
            let all = review["mistakes"].as_array().unwrap().clone();
            all.into_iter().find(|mistake| mistake["side"] == side).map(|mistake| mistake["number"].clone())
        };
        (end.done, worst("black"), worst("white"))
    };
    let (all, _, white) = judged(&[1, 60], None);
    assert_eq!((all, &white), (9, &Some(json!(4))), "the pass");
    let (_, _, quick) = judged(&[1, 60], Some(20));
    assert_eq!(quick, white);
    assert!(judged(&[1, 60], Some(1)).0 <= 2, "never more than two positions for each move");
}

/// Nobody is ahead until Black threatens at C3: then 20 points hang on D4.
struct Threat;

impl Evaluator for Threat {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let answer = |request: &EvalRequest<'_>| {
            let board = request.game.board();
            let stone = |name| board.get(Point::from_gtp(name, board.size()).unwrap());
            let (threatened, taken) = (stone("C3") == Some(Color::Black), stone("D4"));
            let hangs = threatened && taken.is_none();
            let lost = threatened && (taken == Some(Color::Black) || hangs && request.game.to_play() == Color::Black);
            let mut answer = UniformEvaluator::default().evaluate(&[*request], &StopFlag::default())?.remove(0);
            let (win, lead) = if lost { (0.1, -20.0) } else { (0.5, 0.0) };
            (answer.white_win, answer.white_loss) = (win, 1.0 - win);
            (answer.white_score_mean, answer.white_lead, answer.white_score_mean_sq) = (lead, lead, lead * lead + 25.0);
            if hangs {
                let mut policy = answer.policy.to_vec();
                policy.iter_mut().for_each(|share| *share *= 0.5);
                policy[Point::from_gtp("D4", board.size()).unwrap().index(board.size())] = 0.5;
                answer.policy = policy.into();
            }
            Ok(answer)
        };
        requests.iter().map(answer).collect()
    }
}

#[test]
fn the_first_mistake_is_certain_before_every_position_was_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(Threat));
    // Black threatens with the 27th move, White plays elsewhere.
    let elsewhere = "cegikm".chars().flat_map(|x| "cegikm".chars().map(move |y| format!("{x}{y}")));
    let elsewhere = elsewhere.filter(|point| point != "cm").take(34);
    let mut played: Vec<String> = elsewhere.collect();
    played.insert(26, "cm".into());
    played.insert(28, "dl".into());
    let side = |at: usize| ['B', 'W'][at % 2];
    let moves: String = played.iter().enumerate().map(|(at, point)| format!(";{}[{point}]", side(at))).collect();
    let id = desk.open(&format!("(;SZ[15]KM[7.5]RU[Chinese]{moves})"));
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 60], "worst": 20}));
    assert_eq!(desk.end_of_sweep().state, SweepState::Finished);
    let mut first = None;
    desk.each_event(|event| {
        if let (Event::Graph(graph), None) = (event, &first) {
            let judged = |value: &&GraphValue| value.judged.as_ref().is_some_and(|judged| judged.mistake);
            first = graph.values.iter().find(judged).map(|value| (value.node_id, graph.sweep.clone().unwrap()));
        }
    });
    let (node, then) = first.unwrap();
    assert_eq!((node, then.pass, then.total), (28, 1, 37), "White's move elsewhere");
    assert!(then.done < 25, "{then:?}");
    let quick: Vec<u32> = told(&desk).iter().filter(|sweep| sweep.pass == 1).map(|sweep| sweep.done).collect();
    assert!(quick.is_sorted() && quick.last() == Some(&37), "{quick:?}");
}

#[test]
fn a_quick_review_on_a_slow_machine_ends_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[aa];B[ge];W[gc])");
    let look = |seconds: Option<u32>| {
        desk.forget_events();
        desk.must("sweep_game", json!({"gameId": id, "passes": [1, 60], "worst": 1, "seconds": seconds}));
        let end = desk.end_of_sweep();
        assert_eq!((&end.state, end.pass, end.total), (&SweepState::Finished, 2, end.done));
        (end.done, end.unsettled)
    };
    assert_eq!(look(Some(0)), (0, true), "the first thoughts are all there is time for");
    assert_eq!(values(&desk).len(), 7, "which are there in any case");
    assert_eq!(look(None), (2, false));
}

#[test]
fn a_sweep_that_is_stopped_or_replaced_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::slow(Duration::from_millis(20))));
    let (one, other) = (desk.open(GAME), desk.open("(;SZ[9];B[ef];W[cd])"));
    let begin = |id: &str| desk.must("sweep_game", json!({"gameId": id, "passes": [100_000]}))["serial"].clone();
    let first = begin(&one);
    let second = begin(&other);
    let end = desk.end_of_sweep();
    assert_eq!((json!(end.serial), end.state), (first, SweepState::Stopped), "another took its place");
    desk.forget_events();
    desk.must("stop_sweep", json!({}));
    let end = desk.end_of_sweep();
    assert_eq!((json!(end.serial), end.state), (second, SweepState::Stopped));
}

#[test]
fn a_sweep_that_fails_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let lost = EvalError::Device { device: "this device".into(), reason: "it went away".into() };
    let desk = Desk::asking(folder.path(), Arc::new(FailingEvaluator::after(0, lost)));
    let id = desk.open(GAME);
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 20]}));
    let end = desk.end_of_sweep();
    let SweepState::Failed { error } = end.state else { panic!("{end:?}") };
    assert!(error.to_string().contains("it went away"), "{error}");
    assert_eq!(end.pass, 1);
}

#[test]
fn a_quick_look_judges_no_move_and_a_deep_one_names_the_blunder_and_what_was_better() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // White's second move is in the corner, where it is worth several points less than in the middle.
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[aa];B[ge])");
    desk.must("sweep_game", json!({"gameId": id, "passes": [1]}));
    desk.end_of_sweep();
    assert!(values(&desk).values().all(|value| value.judged.is_none()), "one visit is no ground for a verdict");

    desk.forget_events();
    desk.must("sweep_game", json!({"gameId": id, "passes": [1, 100]}));
    desk.end_of_sweep();
    let values = values(&desk);
    let judged = |node: u32| values[&node].judged.clone();
    assert_eq!(judged(0), None, "no move leads to the root");
    assert!(judged(5).is_some(), "the last move too");
    let lost: Vec<f64> = (1..=4).map(|node| judged(node).unwrap().points_lost.get()).collect();
    let worst = (0..4).max_by(|&a, &b| lost[a].total_cmp(&lost[b])).unwrap();
    assert_eq!(worst, 3, "{lost:?}");
    assert!(lost[3] > 1.0, "{lost:?}");
    assert_ne!(judged(4).unwrap().best, Some(0), "something else was better");
    for node in 1..=5 {
        let judged = judged(node).unwrap();
        assert_eq!(judged.mistake, judged.points_lost.get() >= 2.0, "{judged:?}");
    }
}

#[test]
fn what_the_players_lost_is_added_up_over_the_variation_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // White passes where a move would have been worth many points; another variation has a move more.
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[];C[a word];B[gg](;W[cc])(;W[ce];B[ec]))");
    let review = || desk.must("review_line", json!({"gameId": id}));
    let before = review();
    assert_eq!(before["moves"], 4, "the remark is no move");
    assert_eq!((&before["black"]["moves"], &before["mistakes"]), (&json!(0), &json!([])));
    assert_eq!(before["white"]["accuracy"], json!(null));

    desk.must("sweep_game", json!({"gameId": id, "passes": [100]}));
    desk.end_of_sweep();
    let after = review();
    assert_eq!((&after["black"]["moves"], &after["white"]["moves"]), (&json!(2), &json!(2)));
    let worst = &after["mistakes"][0];
    assert_eq!((&worst["nodeId"], &worst["before"], &worst["number"]), (&json!(2), &json!(1), &json!(2)));
    assert_eq!(worst["side"], "white");
    let lost = |player: &str| after[player]["lost"].as_f64().unwrap();
    assert!(lost("white") >= worst["pointsLost"].as_f64().unwrap() && lost("white") > lost("black"), "{after}");
    assert!(after["white"]["accuracy"].as_f64() < after["black"]["accuracy"].as_f64(), "{after}");

    desk.must("go_to", json!({"gameId": id, "nodeId": 7}));
    let other = review();
    assert_eq!(other["moves"], 5, "the other variation");
    assert_eq!(other["white"]["moves"], 1, "its second move is not judged yet");
}

#[test]
fn a_players_page_judges_moves_as_the_review_does() {
    const GAME: &str = "(;SZ[9]KM[7.5]RU[Chinese]PB[Aya]PW[Ben];B[ee];W[ba];B[gg];W[aa];B[ge];W[gc];B[ia];W[cc])";
    let folder = tempfile::tempdir().unwrap();
    let ask = || Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let sweep = |passes: &[u32]| {
        let desk = ask();
        let id = desk.open(GAME);
        desk.must("sweep_game", json!({"gameId": id, "passes": passes}));
        desk.end_of_sweep();
        let review = desk.must("review_line", json!({"gameId": id}));
        // What was found is written by then.
        desk.app.shut_down();
        review
    };
    let sums = |name: &str| {
        let page = ask().must("player_page", json!({"name": name}));
        let sum = |of: &str| page["mistakes"].as_array().unwrap().iter().map(|part| part[of].as_f64().unwrap()).sum();
        let lost = |part: &serde_json::Value| part["meanLoss"].as_f64().unwrap() * part["moves"].as_f64().unwrap();
        let parts: Vec<f64> = page["mistakes"].as_array().unwrap().iter().map(lost).collect();
        (sum("moves"), sum("mistakes"), parts)
    };
    ask().must("save_goban", json!({"goban": GAME}));

    let quick = sweep(&[1]);
    for (side, name) in [("black", "Aya"), ("white", "Ben")] {
        assert_eq!((&quick[side]["moves"], sums(name).0), (&json!(0), 0.0), "one visit is no ground for a verdict");
    }

    let review = sweep(&[60]);
    for (side, name) in [("black", "Aya"), ("white", "Ben")] {
        let (moves, mistakes, parts) = sums(name);
        assert_eq!(
            (json!(moves as u32), json!(mistakes as u32)),
            (review[side]["moves"].clone(), review[side]["mistakes"].clone())
        );
        for (part, lost) in ["opening", "middle", "endgame"].iter().zip(parts) {
            let told = review[side]["phases"][part].as_f64().unwrap();
            assert!((told - lost).abs() < 1e-6, "{name}, {part}: {told} in the review, {lost} on the page");
        }
    }
    assert!(review["white"]["lost"].as_f64() > Some(3.0), "two moves in the corner: {review}");
}

#[test]
fn what_a_review_found_is_there_for_every_position_without_asking_again() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = desk.open(GAME);
    let known = |node: u32| desk.must("known_analysis", json!({"gameId": id, "nodeId": node}));
    assert_eq!(known(2), json!(null));
    desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep();
    let found = known(2);
    assert_eq!((&found["nodeId"], &found["visits"], &found["running"]), (&json!(2), &json!(60), &json!(false)));
    assert!(found["candidates"].as_array().unwrap().len() > 1, "{found}");
}

#[test]
fn one_command_stops_all_that_the_engine_does_for_a_window() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::slow(Duration::from_millis(5))));
    let id = desk.open(GAME);
    desk.must("sweep_game", json!({"gameId": id, "passes": [100_000]}));
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    std::thread::scope(|scope| {
        let ask = |name: &'static str, args| {
            let desk = &desk;
            scope.spawn(move || desk.give(name, args))
        };
        let compared = ask("compare_networks", json!({"gameId": id, "network": "another.bin.gz", "visits": 100_000}));
        let played_out = ask("play_out", json!({"gameId": id, "nodeId": 0, "visits": 100_000}));
        desk.wait_for(|event| matches!(event, Event::Analysis(update) if update.visits > 20).then_some(()));
        // Questions that had not begun when it was said are ended by the next one.
        while !compared.is_finished() || !played_out.is_finished() {
            assert_eq!(desk.must("stop_engine", json!({}))["analysing"], json!(null));
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    assert_eq!(desk.end_of_sweep().state, SweepState::Stopped);
    desk.wait_for(|event| matches!(event, Event::Analysis(update) if !update.running).then_some(()));
}

#[test]
fn closing_a_game_ends_its_own_review() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    let (id, other) = (desk.open(GAME), desk.open("(;SZ[9];B[ee])"));
    let serial = desk.must("sweep_game", json!({"gameId": id, "passes": [50]}))["serial"].as_u64().unwrap();
    gate.allow(Some(10));
    gate.wait_until_empty();
    desk.must("close_game", json!({"gameId": other, "changes": "leave"}));
    // It goes on after another game was closed.
    gate.allow(Some(10));
    gate.wait_until_empty();
    desk.must("close_game", json!({"gameId": id, "changes": "leave"}));
    assert_eq!(desk.end_of_sweep_of(serial).state, SweepState::Stopped);
}
