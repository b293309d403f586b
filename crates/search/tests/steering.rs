//! Where somebody tells the search what to look at, or the opponent asks for it.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Hashed, empty};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Topology};
use honinbo_search::bench::Scrambled;
use honinbo_search::{
    Candidate, MoveLists, ReportOptions, RootFocus, Search, SearchLimits, SearchParams, SearchReport,
};
use std::sync::Arc;

fn visits(max_visits: u64) -> SearchLimits {
    SearchLimits { max_visits, ..SearchLimits::default() }
}

fn report(search: &Search) -> SearchReport {
    search.report(&ReportOptions { symmetric_images: false, ..ReportOptions::default() }).unwrap()
}

fn of(report: &SearchReport, mv: Move) -> Option<Candidate> {
    report.candidates.iter().find(|candidate| candidate.mv == mv).cloned()
}

/// Searches on for so many playouts of its own, with some moves looked at more closely.
fn focus(search: &Search, moves: &[(Move, f64)], share: f64, playouts: u64) {
    search.set_root_focus(Some(RootFocus { moves: moves.to_vec(), share }));
    let limits = SearchLimits { max_playouts: playouts, ..SearchLimits::default() };
    search.run(&limits, &StopFlag::new()).unwrap();
    search.set_root_focus(None);
}

#[test]
fn a_focused_move_is_deepened_in_the_running_search_and_kept() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let search = Search::new(Hashed::new(), game.clone(), SearchParams::deterministic_analysis(), 7).unwrap();
    search.run(&visits(200), &StopFlag::new()).unwrap();
    let before = report(&search);
    let mut legal = game.legal_moves().into_iter().filter(|mv| mv.point().is_some());
    let unseen = legal.find(|mv| of(&before, *mv).is_none()).unwrap();

    focus(&search, &[(unseen, 1.0)], 0.5, 200);
    let during = report(&search);
    let deepened = of(&during, unseen).unwrap();
    // As many as the search had of its own, beside them.
    assert!((150..=260).contains(&deepened.visits), "{}", deepened.visits);
    let counted = deepened.edge_visits;
    assert!(5 * counted < deepened.visits, "the root does not count what it was led to: {counted}");
    let edges: u64 = during.candidates.iter().map(|candidate| candidate.edge_visits).sum();
    assert_eq!(edges + 1, during.root.visits);
    assert_eq!(during.root.visits, 400, "no limit counts what it was led to");
    for candidate in &before.candidates {
        assert!(of(&during, candidate.mv).unwrap().visits >= candidate.visits, "nothing is forgotten");
    }

    search.run(&visits(400), &StopFlag::new()).unwrap();
    assert!(of(&report(&search), unseen).unwrap().visits >= deepened.visits, "it stays when the focus ends");
}

#[test]
fn several_moves_share_a_focus_and_none_changes_nothing() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let at = |x, y| Move::Place(Point::new(x, y));
    let after = |moves: &[(Move, f64)], share| {
        // Corners alike are not searched twice.
        let params = SearchParams { root_symmetry_pruning: false, ..SearchParams::deterministic_analysis() };
        let search = Search::new(Hashed::new(), game.clone(), params, 7).unwrap();
        focus(&search, moves, share, 100);
        report(&search)
    };
    let visits = |report: &SearchReport, mv| of(report, mv).unwrap().visits;
    let shared = after(&[(at(0, 0), 1.0), (at(8, 0), 1.0)], 0.75);
    for mv in [at(0, 0), at(8, 0)] {
        assert!((100..=200).contains(&visits(&shared, mv)), "{}", visits(&shared, mv));
    }
    let weighted = after(&[(at(0, 0), 3.0), (at(8, 0), 1.0)], 0.75);
    let (more, less) = (visits(&weighted, at(0, 0)), visits(&weighted, at(8, 0)));
    assert!((2 * less..=4 * less).contains(&more), "{more} {less}");
    // Even a focus on everything leaves the search its share, so that limits are reached.
    let all = after(&[(at(0, 0), 1.0)], 1.0);
    assert_eq!(all.root.visits, 100);
    assert!(visits(&all, at(0, 0)) > 2_000, "{}", visits(&all, at(0, 0)));
    let plain = after(&[], 0.5);
    assert_eq!(after(&[(at(0, 0), 1.0)], 0.0), plain);
    // What nobody may play is passed over, what is no weight, too.
    assert_eq!(after(&[(at(20, 0), 1.0), (at(1, 1), 0.0), (Move::Resign, 1.0)], 0.5), plain);
}

#[test]
fn a_focus_is_changed_while_the_search_runs() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let params = SearchParams { root_symmetry_pruning: false, ..SearchParams::deterministic_analysis() };
    let search = Search::new(Hashed::new(), game, params, 7).unwrap();
    let corner = Move::Place(Point::new(0, 0));
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| search.run(&SearchLimits::default(), &stop).unwrap());
        while search.root_visits() == 0 {
            std::thread::yield_now();
        }
        search.set_root_focus(Some(RootFocus::even(&[corner], 0.5)));
        let options = ReportOptions { symmetric_images: false, ..ReportOptions::default() };
        let seen = || search.report(&options).and_then(|report| of(&report, corner)).map_or(0, |found| found.visits);
        while seen() < 50 && !run.is_finished() {
            std::thread::yield_now();
        }
        assert!(seen() >= 50, "the run ended before");
        stop.set();
    });
}

#[test]
fn a_region_stays_closed_as_the_game_goes_on() {
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let corner: Vec<Move> = (0..9).map(|i| Move::Place(Point::new(6 + i % 3, i / 3))).collect();
    let mut lists = MoveLists::new(BoardSize::NINE);
    lists.allow_only(Color::Black, &corner, 1);
    let begun = || {
        let search = Search::new(Hashed::new(), game.clone(), SearchParams::analysis(), 7).unwrap();
        search.set_move_lists(Some(lists.clone())).unwrap();
        search.run(&visits(400), &StopFlag::new()).unwrap();
        let line = report(&search).candidates[0].pv[..2].to_vec();
        (search, line)
    };
    // Black's second move was looked for on the whole board; now it is the one at the root.
    let stays_closed = |search: &Search| {
        search.set_move_lists(Some(lists.clone())).unwrap();
        search.run(&visits(400), &StopFlag::new()).unwrap();
        let found = report(search);
        assert_eq!((found.to_play, found.root.visits), (Color::Black, 400));
        assert!(found.candidates.iter().all(|candidate| corner.contains(&candidate.mv)));
        assert!(corner.contains(&search.choose_move().unwrap()));
    };
    let (search, line) = begun();
    line.iter().for_each(|mv| search.advance(*mv).unwrap());
    stays_closed(&search);
    let (search, line) = begun();
    let mut after = game.clone();
    line.iter().for_each(|mv| after.play(after.to_play(), *mv).unwrap());
    search.set_root(after).unwrap();
    stays_closed(&search);
}

#[test]
fn what_is_searched_for_one_player_stays_through_the_others_turn() {
    let shapes = SearchParams { avoid_repeated_pattern_utility: 0.02, ..SearchParams::deterministic_analysis() };
    let stronger = SearchParams { playout_doubling_advantage: 1.0, ..SearchParams::deterministic_analysis() };
    for params in [shapes, stronger] {
        let search = Search::new(Hashed::new(), empty(9, Topology::Plane, Preset::TrompTaylor), params, 7).unwrap();
        search.run(&visits(200), &StopFlag::new()).unwrap();
        let next = || {
            let best = report(&search).candidates[0].clone();
            search.advance(best.mv).unwrap();
            best.visits
        };
        let visits_after = |searched_for| {
            let limits = SearchLimits { max_playouts: 100, searched_for, ..SearchLimits::default() };
            search.run(&limits, &StopFlag::new()).unwrap().root_visits
        };
        let kept = next();
        assert!(kept > 1, "{kept}");
        assert_eq!(visits_after(Some(Color::Black)), kept + 100, "on White's time for Black");
        let kept = next();
        assert_eq!(visits_after(None), kept + 100, "at Black's next move");
        next();
        assert_eq!(visits_after(None), 100, "for White");
    }
}

/// A move that the policy hides and that wins.
struct Hidden(Point);

impl Evaluator for Hidden {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 1 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let mut answers = Scrambled.evaluate(requests, stop)?;
        for (request, answer) in requests.iter().zip(&mut answers) {
            let board = request.game.board();
            answer.policy[self.0.index(board.size())] = answer.policy[self.0.index(board.size())].min(1e-6);
            let found = board.get(self.0) == Some(Color::Black);
            (answer.white_win, answer.white_loss) = if found { (0.02, 0.98) } else { (0.5, 0.5) };
            (answer.white_score_mean, answer.white_lead) = (0.0, 0.0);
        }
        Ok(answers)
    }
}

#[test]
fn what_a_focus_finds_good_is_played() {
    let hidden = Point::new(1, 5);
    let game = empty(9, Topology::Plane, Preset::TrompTaylor);
    let params =
        SearchParams { root_symmetry_pruning: false, chosen_move_temperature_early: 0.0, ..SearchParams::play() };
    let search = Search::new(Arc::new(Hidden(hidden)), game, params, 7).unwrap();
    search.run(&visits(300), &StopFlag::new()).unwrap();
    assert_eq!(of(&report(&search), Move::Place(hidden)), None, "nobody looks there unasked");
    focus(&search, &[(Move::Place(hidden), 1.0)], 0.5, 100);
    search.run(&visits(800), &StopFlag::new()).unwrap();
    assert_eq!(report(&search).candidates[0].mv, Move::Place(hidden));
    assert!(report(&search).root.win_rate > 0.7, "{}", report(&search).root.win_rate);
}

/// Black's moves along the edge, each answered by its reflection through the centre.
fn mirrored(pairs: usize) -> Game {
    let mut game = empty(19, Topology::Plane, Preset::TrompTaylor);
    for i in 0..pairs {
        let (x, y) = (1 + 2 * (i % 8), 1 + 2 * (i / 8));
        game.play(Color::Black, Move::Place(Point::new(x, y))).unwrap();
        game.play(Color::White, Move::Place(Point::new(18 - x, 18 - y))).unwrap();
    }
    game
}

#[test]
fn an_opponent_who_mirrors_is_met_at_the_centre() {
    let game = mirrored(16);
    let center = Move::from_gtp("K10", BoardSize::NINETEEN).unwrap();
    let visits_at_center = |game: &Game, anti_mirror| {
        let params = SearchParams { anti_mirror, ..SearchParams::deterministic_analysis() };
        let search = Search::new(Hashed::new(), game.clone(), params, 7).unwrap();
        search.run(&visits(200), &StopFlag::new()).unwrap();
        of(&report(&search), center).map_or(0, |candidate| candidate.visits)
    };
    assert!(visits_at_center(&game, true) > 2 * visits_at_center(&game, false) + 5);
    let mut other = game;
    other.undo().unwrap();
    other.play(Color::White, Move::from_gtp("A10", BoardSize::NINETEEN).unwrap()).unwrap();
    assert_eq!(visits_at_center(&other, true), visits_at_center(&other, false), "the last move was no image");
}

#[test]
fn a_search_against_a_mirror_is_one_of_its_own() {
    let game = mirrored(16);
    let searched = |anti_mirror, value_weight_exponent| {
        let params = SearchParams { anti_mirror, value_weight_exponent, ..SearchParams::deterministic_analysis() };
        let search = Search::new(Hashed::new(), game.clone(), params, 7).unwrap();
        search.run(&visits(200), &StopFlag::new()).unwrap();
        search
    };
    // Good children weigh no more than bad ones that playouts are led to.
    assert_eq!(report(&searched(true, 0.25)), report(&searched(true, 0.0)));
    assert_ne!(report(&searched(false, 0.25)), report(&searched(false, 0.0)));
    for anti_mirror in [true, false] {
        let search = searched(anti_mirror, 0.25);
        let best = report(&search).candidates[0].clone();
        search.advance(best.mv).unwrap();
        // White is to move now, and Black does not mirror.
        let limits = SearchLimits { max_playouts: 1, ..SearchLimits::default() };
        let outcome = search.run(&limits, &StopFlag::new()).unwrap();
        assert_eq!(outcome.root_visits, if anti_mirror { 1 } else { best.visits + 1 });
    }
}

#[test]
fn a_shape_that_was_made_costs_when_it_is_made_again() {
    // Black has played D4 beside an empty corner; the three like it cost, and nothing else does.
    let mut game = empty(19, Topology::Plane, Preset::TrompTaylor);
    for (color, vertex) in [(Color::Black, "D4"), (Color::White, "K10")] {
        game.play(color, Move::from_gtp(vertex, BoardSize::NINETEEN).unwrap()).unwrap();
    }
    let looked_at = |cost: f64, vertex: &str, max_visits: u64| {
        let mv = Move::from_gtp(vertex, BoardSize::NINETEEN).unwrap();
        let params = SearchParams { avoid_repeated_pattern_utility: cost, ..SearchParams::deterministic_analysis() };
        let search = Search::new(Hashed::new(), game.clone(), params, 7).unwrap();
        // Visits of this move and of no other.
        let mut lists = MoveLists::new(BoardSize::NINETEEN);
        lists.allow_only(Color::Black, &[mv], 1);
        search.set_move_lists(Some(lists)).unwrap();
        search.run(&visits(max_visits), &StopFlag::new()).unwrap();
        of(&report(&search), mv).unwrap()
    };
    for (vertex, cost) in [("Q16", 0.25), ("D16", 0.25), ("C4", 0.0)] {
        for max_visits in [2, 3] {
            let (free, costly) = (looked_at(0.0, vertex, max_visits), looked_at(0.25, vertex, max_visits));
            let lost = (free.utility - costly.utility).abs();
            assert!((lost - cost).abs() < 1e-6, "{vertex}: {lost}");
            // What it costs says nothing of how sure the search is.
            let doubt = |candidate: &Candidate| candidate.utility - candidate.utility_lcb;
            assert!((doubt(&free) - doubt(&costly)).abs() < 1e-6, "{vertex} after {max_visits} visits");
        }
    }
}
