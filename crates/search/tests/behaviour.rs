//! What holds for every search, whatever the network says.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use common::{Hashed, empty};
use honinbo_evaluator::{BatchLimits, CachingEvaluator, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Setup, Topology};
use honinbo_search::bench::Scrambled;
use honinbo_search::{
    Candidate, Convergence, HumanEvaluator, HumanParams, HumanShare, MoveLists, Perspective, ReportOptions,
    RootTargets, Search, SearchError, SearchLimits, SearchParams, SearchReport, StopReason, TimeLimit,
};
use proptest::prelude::*;

fn everything() -> ReportOptions {
    ReportOptions { ownership: true, candidate_ownership: true, symmetric_images: false, ..ReportOptions::default() }
}

fn visits(max_visits: u64) -> SearchLimits {
    SearchLimits { max_visits, ..SearchLimits::default() }
}

fn started(game: Game, params: SearchParams, limits: &SearchLimits) -> Search {
    let search = Search::new(Hashed::new(), game, params, 7).unwrap();
    search.run(limits, &StopFlag::new()).unwrap();
    search
}

/// Checks what must hold of any report on this game.
fn check(report: &SearchReport, game: &Game) {
    let area = game.board().size().area();
    let in_range = |value: f64, low: f64, high: f64, name: &str| {
        assert!((low..=high).contains(&value), "{name} is {value}");
    };
    in_range(report.root.win_rate, 0.0, 1.0, "win rate");
    in_range(report.root.mean_win_rate, 0.0, 1.0, "mean win rate");
    in_range(report.root.utility, -1.4, 1.4, "utility");
    assert!(report.root.score_stdev >= 0.0 && report.root.weight > 0.0);
    for (order, candidate) in report.candidates.iter().enumerate() {
        assert_eq!(candidate.order, order);
        in_range(candidate.win_rate, 0.0, 1.0, "win rate");
        in_range(candidate.prior, 0.0, 1.0, "prior");
        in_range(candidate.utility, -1.4, 1.4, "utility");
        assert_eq!(candidate.pv.first(), Some(&candidate.mv));
        assert_eq!(candidate.pv.len(), candidate.pv_visits.len());
        assert_eq!(candidate.pv.len(), candidate.pv_edge_visits.len());
        let mut line = game.clone();
        line.set_prevent_clean_up(false);
        for mv in &candidate.pv {
            if let Move::Place(point) = mv {
                assert!(line.is_legal_point(*point), "{mv} of {:?} cannot be played", candidate.pv);
            }
            line.play_tolerant(line.to_play(), *mv).unwrap();
        }
    }
    if let Some(ownership) = &report.ownership {
        assert_eq!(ownership.len(), area);
        assert!(ownership.iter().all(|point| (-1.0001..=1.0001).contains(point)));
    }
}

#[test]
fn visits_add_up_and_values_stay_in_range() {
    for (side, topology, preset) in [
        (9, Topology::Plane, Preset::TrompTaylor),
        (7, Topology::Plane, Preset::Japanese),
        (9, Topology::Torus, Preset::Daoqi),
        (5, Topology::Plane, Preset::Aga),
        (6, Topology::Cylinder, Preset::Chinese),
    ] {
        let game = empty(side, topology, preset);
        for max_visits in [1, 2, 37, 400] {
            let search = started(game.clone(), SearchParams::analysis(), &visits(max_visits));
            let report = search.report(&everything()).unwrap();
            assert_eq!(report.root.visits, max_visits);
            let edges: u64 = report.candidates.iter().map(|candidate| candidate.edge_visits).sum();
            assert_eq!(edges + 1, max_visits, "{side} {topology} {preset:?}");
            check(&report, &game);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let limits = SearchLimits { leaves_per_thread: Some(4), ..visits(300) };
    let report = |seed| {
        let search = Search::new(Hashed::new(), game.clone(), SearchParams::analysis(), seed).unwrap();
        search.run(&limits, &StopFlag::new()).unwrap();
        search.report(&everything()).unwrap()
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}

#[test]
fn several_threads_keep_the_books() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    for (threads, leaves) in [(2, 1), (4, 1), (4, 8), (8, 3)] {
        let limits = SearchLimits { threads, leaves_per_thread: Some(leaves), ..visits(3000) };
        let search = started(game.clone(), SearchParams::analysis(), &limits);
        let report = search.report(&everything()).unwrap();
        assert_eq!(report.root.visits, 3000, "{threads} threads of {leaves}");
        let edges: u64 = report.candidates.iter().map(|candidate| candidate.edge_visits).sum();
        assert_eq!(edges + 1, 3000, "{threads} threads of {leaves}");
        check(&report, &game);
    }
}

#[test]
fn small_boards_are_searched_past_their_end() {
    for preset in [Preset::TrompTaylor, Preset::Japanese, Preset::Chinese, Preset::AgaButton, Preset::StoneScoring] {
        for (threads, leaves) in [(1, 1), (3, 4)] {
            let game = empty(2, Topology::Plane, preset);
            let limits = SearchLimits { threads, leaves_per_thread: Some(leaves), ..visits(2000) };
            let search = started(game.clone(), SearchParams::play(), &limits);
            check(&search.report(&everything()).unwrap(), &game);
        }
    }
}

#[test]
fn a_finished_game_can_still_be_analysed() {
    let mut game = empty(5, Topology::Plane, Preset::TrompTaylor);
    game.play(Color::Black, Move::Pass).unwrap();
    game.play(Color::White, Move::Pass).unwrap();
    assert!(game.is_finished());
    let search = started(game.clone(), SearchParams::analysis(), &visits(50));
    check(&search.report(&everything()).unwrap(), &game);
}

#[test]
fn a_stop_is_answered_at_once() {
    let evaluator = Hashed::with(Duration::from_secs(600), usize::MAX);
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(evaluator, game, SearchParams::analysis(), 1).unwrap();
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let limits = SearchLimits { threads: 3, leaves_per_thread: Some(4), ..SearchLimits::default() };
        let (search, stop) = (&search, &stop);
        let run = scope.spawn(move || (search.run(&limits, stop), Instant::now()));
        std::thread::sleep(Duration::from_millis(50));
        let asked = Instant::now();
        stop.set();
        let (outcome, ended) = run.join().unwrap();
        let outcome = outcome.unwrap();
        assert_eq!((outcome.reason, outcome.root_visits), (StopReason::Stopped, 0), "the root itself was cut off");
        assert_eq!(search.report(&everything()), None);
        // The evaluation that was under way would have taken ten minutes.
        assert!(ended - asked < Duration::from_secs(60), "{:?}", ended - asked);
    });
}

#[test]
fn a_stopped_search_keeps_what_it_found_and_goes_on() {
    let evaluator = Hashed::with(Duration::from_millis(2), usize::MAX);
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(evaluator, game.clone(), SearchParams::analysis(), 1).unwrap();
    let stop = StopFlag::new();
    let limits = SearchLimits { threads: 2, leaves_per_thread: Some(4), ..SearchLimits::default() };
    let found = std::thread::scope(|scope| {
        let run = scope.spawn(|| search.run(&limits, &stop));
        let mut reports = 0;
        while search.root_visits() < 200 {
            if let Some(report) = search.report(&everything()) {
                check(&report, &game);
                reports += 1;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(reports > 2, "{reports} reports while it ran");
        stop.set();
        run.join().unwrap().unwrap()
    });
    assert_eq!(found.reason, StopReason::Stopped);
    let kept = search.root_visits();
    assert!(kept >= 200);
    let more = search.run(&visits(kept + 100), &StopFlag::new()).unwrap();
    assert_eq!((more.reason, more.root_visits, more.playouts), (StopReason::Visits, kept + 100, 100));
    let report = search.report(&everything()).unwrap();
    let edges: u64 = report.candidates.iter().map(|candidate| candidate.edge_visits).sum();
    assert_eq!(edges + 1, kept + 100, "leaves that were given up count nowhere");
}

/// Ends the search with its first answer.
struct LastAnswer(StopFlag);

impl Evaluator for LastAnswer {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 8 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.0.set();
        Scrambled.evaluate(requests, &StopFlag::new())
    }
}

#[test]
fn an_answer_that_no_visit_counts_is_no_report() {
    let stop = StopFlag::new();
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(Arc::new(LastAnswer(stop.clone())), game, SearchParams::analysis(), 1).unwrap();
    assert_eq!(search.run(&visits(50), &stop).unwrap().reason, StopReason::Stopped);
    assert_eq!(search.root_visits(), 0);
    assert!(search.report(&everything()).is_none());
}

#[test]
fn a_failing_evaluator_ends_the_search_with_its_error() {
    for fails_after in [0, 1, 5, 40] {
        let evaluator = Hashed::with(Duration::ZERO, fails_after);
        let game = empty(9, Topology::Plane, Preset::TrompTaylor);
        let search = Search::new(evaluator.clone(), game, SearchParams::analysis(), 1).unwrap();
        let limits = SearchLimits { threads: 4, leaves_per_thread: Some(2), ..visits(10_000) };
        let error = search.run(&limits, &StopFlag::new()).unwrap_err();
        assert!(matches!(error, SearchError::Evaluation(EvalError::Device { .. })), "{error}");
        assert!(error.hint().is_some());
        assert_eq!(search.report(&everything()).is_some(), fails_after > 0);
    }
}

#[test]
fn a_root_seen_eight_times_is_seen_under_each_symmetry() {
    let cache = Arc::new(CachingEvaluator::new(Scrambled, 1 << 24));
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let params = SearchParams { randomize_symmetry: false, root_policy_optimism: 1.0, ..SearchParams::play() };
    let search = Search::new(cache.clone(), game, params.clone(), 1).unwrap();
    let run = |params: &SearchParams| {
        search.set_params(params.clone()).unwrap();
        search.clear().unwrap();
        search.run(&visits(1), &StopFlag::new()).unwrap();
        cache.memory().stats().misses
    };
    assert_eq!([run(&params), run(&params)], [1, 1], "one look is remembered");
    let eight = SearchParams { root_num_symmetries_to_sample: 8, ..params };
    assert_eq!([run(&eight), run(&eight)], [8, 8], "and stands for itself, not for the others");
}

#[test]
fn what_was_searched_for_one_player_is_remembered_for_the_other() {
    let cache = Arc::new(CachingEvaluator::new(Scrambled, 1 << 24));
    let asked_for = |player| {
        let (game, params) = (empty(9, Topology::Plane, Preset::TrompTaylor), SearchParams::deterministic_analysis());
        let search = Search::new(cache.clone(), game, params, 1).unwrap();
        let before = cache.memory().stats().misses;
        search.run(&SearchLimits { searched_for: Some(player), ..visits(50) }, &StopFlag::new()).unwrap();
        cache.memory().stats().misses - before
    };
    assert!(asked_for(Color::Black) >= 40);
    assert_eq!(asked_for(Color::White), 0);
}

#[test]
fn limits_end_a_search() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(Hashed::new(), game, SearchParams::analysis(), 1).unwrap();
    let run = |limits: SearchLimits| search.run(&limits, &StopFlag::new()).unwrap();
    assert_eq!(run(SearchLimits { max_playouts: 30, ..SearchLimits::default() }).reason, StopReason::Playouts);
    assert_eq!(search.root_visits(), 30);
    assert_eq!(run(visits(50)).playouts, 20);
    assert_eq!(run(visits(50)).playouts, 0);
    assert_eq!(run(visits(50)).told_full(), None);
    let outcome = run(SearchLimits { max_nodes: 200, ..SearchLimits::default() });
    assert_eq!(outcome.reason, StopReason::Nodes);
    assert!(search.nodes() <= 200, "{} nodes", search.nodes());
    let told = format!("ended after {} visits: its tree holds 200 positions, the most it may", outcome.root_visits);
    assert_eq!(outcome.told_full(), Some(told));
    let clock = std::sync::atomic::AtomicU64::new(0);
    let stopwatch = Arc::new(move || Duration::from_millis(clock.fetch_add(1, Ordering::Relaxed)));
    search.clear().unwrap();
    let time = Some(TimeLimit { stopwatch, max: Duration::from_millis(40) });
    let outcome = run(SearchLimits { time, ..SearchLimits::default() });
    assert_eq!(outcome.reason, StopReason::Time);
    assert!((2..=45).contains(&outcome.playouts), "{}", outcome.playouts);
}

#[test]
fn large_boards_have_as_much_memory_as_19x19_not_as_many_nodes() {
    for (side, expected) in [(9, 400), (19, 400), (26, 213), (52, 53)] {
        let game = empty(side, Topology::Plane, Preset::TrompTaylor);
        let search = Search::new(Hashed::new(), game, SearchParams::analysis(), 1).unwrap();
        let limits = SearchLimits { max_nodes: 400, ..SearchLimits::default() };
        let outcome = search.run(&limits, &StopFlag::new()).unwrap();
        assert_eq!((outcome.reason, outcome.max_nodes), (StopReason::Nodes, expected), "{side}");
        assert!(outcome.told_full().unwrap().contains(&format!("holds {expected} positions")), "{side}");
        assert_eq!(search.nodes(), expected, "{side}");
        let size = BoardSize::new(side, side).unwrap();
        let limits = SearchLimits { max_nodes: SearchLimits::max_nodes_for(400, size), ..limits };
        assert_eq!(search.run(&limits, &StopFlag::new()).unwrap().max_nodes, 400, "{side}");
    }
}

#[test]
fn a_search_that_has_settled_ends() {
    let game = empty(5, Topology::Plane, Preset::TrompTaylor);
    let run = |convergence| {
        let search = Search::new(Hashed::new(), game.clone(), SearchParams::analysis(), 7).unwrap();
        let limits = SearchLimits { max_visits: 5000, convergence: Some(convergence), ..SearchLimits::default() };
        search.run(&limits, &StopFlag::new()).unwrap()
    };
    let generous = run(Convergence { visits: 100, win_rate: 1.0, score: 1000.0 });
    assert_eq!(generous.reason, StopReason::Converged);
    assert!((100..=5000).contains(&generous.root_visits), "{generous:?}");
    // Nothing ever changes by less than nothing.
    let strict = run(Convergence { visits: 100, win_rate: -1.0, score: 0.0 });
    assert_eq!((strict.reason, strict.root_visits), (StopReason::Visits, 5000));
}

#[test]
fn the_tree_follows_the_game() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = started(game.clone(), SearchParams::play(), &visits(500));
    let nodes = search.nodes();
    let best = search.report(&everything()).unwrap().candidates[0].clone();
    search.advance(best.mv).unwrap();
    assert_eq!(search.root_visits(), best.visits, "the visits of the move stay");
    assert!(search.nodes() < nodes && search.nodes() as u64 >= best.visits / 2, "{} nodes", search.nodes());
    search.run(&visits(best.visits + 100), &StopFlag::new()).unwrap();
    let mut after = game.clone();
    after.play(Color::Black, best.mv).unwrap();
    check(&search.report(&everything()).unwrap(), &after);

    // The same way by the whole game, two moves at once.
    let reply = search.report(&everything()).unwrap().candidates[0].clone();
    let other = started(game.clone(), SearchParams::play(), &visits(500));
    let mut two_on = after.clone();
    two_on.play(Color::White, reply.mv).unwrap();
    other.set_root(two_on.clone()).unwrap();
    assert_eq!(other.game(), two_on);
    assert!(other.root_visits() < 500);
    // Another game altogether keeps nothing.
    other.set_root(empty(9, Topology::Torus, Preset::TrompTaylor)).unwrap();
    assert_eq!((other.root_visits(), other.nodes()), (0, 0));
}

/// Another root's noise is no matter of the tree below it.
#[test]
fn the_tree_follows_the_game_under_other_rules_for_roots() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let noisy = SearchParams { root_noise_enabled: true, ..SearchParams::play() };
    let search = started(game.clone(), noisy, &visits(300));
    let best = search.report(&everything()).unwrap().candidates[0].clone();
    search.advance_with(best.mv, SearchParams::play()).unwrap();
    assert_eq!((search.root_visits(), search.params()), (best.visits, SearchParams::play()));
    search.run(&visits(best.visits + 50), &StopFlag::new()).unwrap();
    let mut after = game;
    after.play(Color::Black, best.mv).unwrap();
    check(&search.report(&everything()).unwrap(), &after);
    let wrong = SearchParams { root_dirichlet_noise_weight: -1.0, ..SearchParams::play() };
    assert!(search.advance_with(Move::Pass, wrong).is_err());
    assert_eq!(search.game(), after, "nothing was played");
}

#[test]
fn memory_is_given_back_over_a_whole_game() {
    let game = empty(5, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(Hashed::new(), game, SearchParams::play(), 5).unwrap();
    let mut most = 0;
    for _ in 0..60 {
        search.run(&SearchLimits { max_playouts: 150, ..SearchLimits::default() }, &StopFlag::new()).unwrap();
        most = most.max(search.nodes());
        let Some(mv) = search.choose_move() else { break };
        search.advance(mv).unwrap();
        if search.game().is_over() {
            break;
        }
    }
    assert!(most < 4000, "{most} nodes at a time");
}

#[test]
fn moves_can_be_avoided_and_regions_kept() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let size = game.board().size();
    let search = Search::new(Hashed::new(), game, SearchParams::analysis(), 1).unwrap();
    let corner: Vec<Move> = (0..9).map(|i| Move::Place(Point::new(6 + i % 3, i / 3))).collect();
    let mut lists = MoveLists::new(size);
    lists.allow_only(Color::Black, &corner, 1);
    lists.avoid(Color::Black, &corner[..1], 1);
    search.set_move_lists(Some(lists)).unwrap();
    search.run(&visits(200), &StopFlag::new()).unwrap();
    let report = search.report(&everything()).unwrap();
    assert!(report.candidates.len() > 1);
    assert!(report.candidates.iter().all(|candidate| corner[1..].contains(&candidate.mv)));
    assert!(corner[1..].contains(&search.choose_move().unwrap()));
    let other = MoveLists::new(BoardSize::NINETEEN);
    let mut wrong = other.clone();
    wrong.avoid(Color::Black, &[Move::Pass], 1);
    assert!(search.set_move_lists(Some(other)).is_ok(), "an empty list forbids nothing");
    assert!(matches!(search.set_move_lists(Some(wrong)), Err(SearchError::Parameter { .. })));
}

#[test]
fn candidates_are_compared_on_equal_terms() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    for (threads, leaves) in [(1, 1), (2, 4)] {
        let params = SearchParams { root_symmetry_pruning: false, ..SearchParams::analysis() };
        let search = Search::new(Hashed::new(), game.clone(), params, 1).unwrap();
        let run = |moves: Option<Vec<Move>>, visits| {
            let root_targets = Some(RootTargets { moves, visits });
            let limits =
                SearchLimits { threads, leaves_per_thread: Some(leaves), root_targets, ..SearchLimits::default() };
            search.run(&limits, &StopFlag::new()).unwrap().reason
        };
        // A sweep looks at every move, the pass included.
        assert_eq!(run(None, 2), StopReason::Targets);
        let report = search.report(&everything()).unwrap();
        assert_eq!(report.candidates.len(), 82);
        assert!(report.candidates.iter().all(|candidate| candidate.edge_visits >= 2));
        check(&report, &game);
        // Then two of them get as many visits as each other.
        let pair = [Move::Place(Point::new(4, 4)), Move::Place(Point::new(0, 0)), Move::Place(Point::new(13, 3))];
        assert_eq!(run(Some(pair[..2].to_vec()), 40), StopReason::Targets);
        let report = search.report(&everything()).unwrap();
        let of = |mv: Move| report.candidates.iter().find(|candidate| candidate.mv == mv).unwrap().edge_visits;
        assert!((40..48).contains(&of(pair[0])) && (40..48).contains(&of(pair[1])), "{} {}", of(pair[0]), of(pair[1]));
        let edges: u64 = report.candidates.iter().map(|candidate| candidate.edge_visits).sum();
        assert_eq!(edges + 1, report.root.visits);
        assert_eq!(run(Some(pair[2..].to_vec()), 5), StopReason::Targets, "a point off the board is no move");
    }
}

#[test]
fn perspectives_are_mirror_images() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = started(game, SearchParams::analysis(), &visits(100));
    let told = |perspective| search.report(&ReportOptions { perspective, ..everything() }).unwrap();
    let (black, white, mover) = (told(Perspective::Black), told(Perspective::White), told(Perspective::Mover));
    assert_eq!(black.candidates, mover.candidates, "Black is to move");
    assert!((black.root.win_rate + white.root.win_rate - 1.0).abs() < 1e-12);
    assert_eq!(black.root.score_lead, -white.root.score_lead);
    assert_eq!(black.root.score_stdev, white.root.score_stdev);
    for (b, w) in black.candidates.iter().zip(&white.candidates) {
        assert_eq!((b.mv, b.utility, b.utility_lcb), (w.mv, -w.utility, -w.utility_lcb));
        assert!((b.lcb + w.lcb - 1.0).abs() < 1e-12);
    }
    let (b, w) = (black.ownership.unwrap(), white.ownership.unwrap());
    assert!(b.iter().zip(&w).all(|(b, w)| *b == -*w));
}

#[test]
fn symmetric_moves_are_searched_once_and_listed_all() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = started(game, SearchParams::analysis(), &visits(60));
    let searched = search.report(&everything()).unwrap().candidates;
    let all = search.report(&ReportOptions { symmetric_images: true, ..everything() }).unwrap().candidates;
    assert!(all.len() > 3 * searched.len(), "{} of {}", all.len(), searched.len());
    for image in all.iter().filter(|candidate| candidate.symmetry_of.is_some()) {
        let original = searched.iter().find(|candidate| Some(candidate.mv) == image.symmetry_of).unwrap();
        assert_eq!((image.visits, image.win_rate), (original.visits, original.win_rate));
        assert_ne!(image.mv, original.mv);
    }
}

#[test]
fn wrong_requests_are_refused() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let params = SearchParams { wide_root_noise: f64::NAN, ..SearchParams::analysis() };
    let error = Search::new(Hashed::new(), game.clone(), params, 0).unwrap_err();
    assert_eq!(error.to_string(), "wide_root_noise is NaN, expected 0 to 5");
    let search = started(game, SearchParams::analysis(), &visits(5));
    let error = search.advance(Move::Place(Point::new(12, 3))).unwrap_err();
    assert!(matches!(error, SearchError::IllegalMove { .. }), "{error}");
    assert!(search.advance(Move::Resign).is_err());
}

#[test]
fn a_network_of_human_style_keeps_the_laws() {
    let share = |weightless, weightful| HumanShare { weightless, weightful };
    let everywhere = HumanParams {
        at_root: share(0.3, 0.3),
        for_player: share(0.2, 0.5),
        for_opponent: share(0.5, 0.2),
        chosen_move_prop: 0.5,
        chosen_move_pikl_lambda: 0.1,
        ..HumanParams::default()
    };
    for (threads, preset, topology) in [
        (1, Preset::TrompTaylor, Topology::Plane),
        (3, Preset::Japanese, Topology::Plane),
        (2, Preset::Daoqi, Topology::Torus),
    ] {
        let game = empty(7, topology, preset);
        let params = SearchParams { human: everywhere, ..SearchParams::play() };
        let human = Hashed::new();
        let beside = HumanEvaluator { evaluator: human.clone(), needs_profile: false };
        let search = Search::new(Hashed::new(), game.clone(), params.clone(), 7).unwrap().with_human(Some(beside));
        let limits = SearchLimits { threads, leaves_per_thread: Some(2), ..visits(200) };
        let outcome = search.run(&limits, &StopFlag::new()).unwrap();
        let report = search.report(&everything()).unwrap();
        check(&report, &game);
        // Playouts that count for limits need not count for the root.
        assert_eq!(outcome.playouts, 200);
        let edges: u64 = report.candidates.iter().map(|candidate| candidate.edge_visits).sum();
        assert_eq!(report.root.visits, 1 + edges);
        assert!(report.root.visits < 200, "{}", report.root.visits);
        assert_eq!(report.human.as_ref().unwrap().policy.len(), 50);
        let mv = search.choose_move().unwrap();
        assert!(mv == Move::Pass || game.is_legal_point(mv.point().unwrap()));
        assert!(search.human_pause(mv, 2.0).unwrap() > Duration::ZERO);

        // Whoever is searched for is searched differently: nothing is kept for the other player.
        let kept = |candidate: &&Candidate| candidate.symmetry_of.is_none() && candidate.mv != Move::Pass;
        let most = report.candidates.iter().filter(kept).max_by_key(|candidate| candidate.visits).unwrap();
        search.advance(most.mv).unwrap();
        assert!(search.root_visits() > 2);
        search.run(&SearchLimits { max_playouts: 1, ..visits(400) }, &StopFlag::new()).unwrap();
        assert!(search.root_visits() <= 2);

        // Without a profile a network that wants one is not asked.
        let (asked, wants) = (human.positions.load(Ordering::Relaxed), Hashed::new());
        let beside = HumanEvaluator { evaluator: wants.clone(), needs_profile: true };
        let search = Search::new(Hashed::new(), game, params, 7).unwrap().with_human(Some(beside));
        search.run(&limits, &StopFlag::new()).unwrap();
        assert!(search.report(&everything()).unwrap().human.is_none());
        assert!(asked > 20, "{asked}");
        assert_eq!(wants.positions.load(Ordering::Relaxed), 0);
    }
}

const PRESETS: [Preset; 9] = [
    Preset::TrompTaylor,
    Preset::Chinese,
    Preset::Japanese,
    Preset::Aga,
    Preset::AgaButton,
    Preset::NewZealand,
    Preset::StoneScoring,
    Preset::AncientTerritory,
    Preset::Daoqi,
];

/// A game of random legal moves, now and then a pass, which may end it or bring it into a clean-up phase.
fn random_game(width: usize, height: usize, topology: Topology, preset: Preset, choices: &[u16]) -> Game {
    let size = BoardSize::new(width, height).unwrap();
    let mut game = Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap();
    game.set_prevent_clean_up(false);
    for choice in choices {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = if choice % 7 == 0 { Move::Pass } else { legal[usize::from(*choice) % legal.len()] };
        game.play(game.to_play(), mv).unwrap();
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_position_is_searched_by_the_rules(
        width in 2usize..10, height in 2usize..10, topology in 0usize..3, preset in 0usize..PRESETS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..80), threads in 1usize..4, leaves in 1usize..6,
        max_visits in 1u64..250, advance in 0usize..4,
    ) {
        let mut game = random_game(width, height, Topology::ALL[topology], PRESETS[preset], &choices);
        let search = Search::new(Hashed::new(), game.clone(), SearchParams::play(), 3).unwrap();
        let limits = SearchLimits { threads, leaves_per_thread: Some(leaves), ..visits(max_visits) };
        for _ in 0..=advance {
            let before = search.root_visits();
            let stop = StopFlag::new();
            let outcome = search.run(&limits, &stop).unwrap();
            prop_assert_eq!(outcome.root_visits, max_visits.max(before));
            let report = search.report(&everything()).unwrap();
            check(&report, &game);
            let mv = search.choose_move().unwrap();
            if let Move::Place(point) = mv {
                prop_assert!(game.is_legal_point(point), "{} is chosen but cannot be played", mv);
            }
            game.play_tolerant(game.to_play(), mv).unwrap();
            search.advance(mv).unwrap();
            let followed = search.game();
            prop_assert_eq!(followed.turns(), game.turns());
        }
    }
}
