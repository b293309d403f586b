//! The first twelve visits of a search by KataGo, whose network answers are written down to eight digits.
//!
//! Network b7c96h3tfrs-test5-cnorm, 9x9, Tromp-Taylor, komi 7, after B E5, W C6, B G4; KataGo v1.17.2 with the defaults
//! of its analysis engine, without randomness.

#![allow(clippy::unwrap_used, reason = "a test may")]
#![allow(clippy::excessive_precision, reason = "the digits are those of the record")]

use std::collections::HashMap;
use std::sync::Arc;

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Game, Komi, Move, Point, Preset, Setup, Topology};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};

/// Path below the root; win minus loss, score mean, second moment, lead, win-loss error, score error; policy.
type Line = (&'static str, [f64; 6], &'static [(&'static str, f32)]);

#[rustfmt::skip]
const ANSWERS: [Line; 12] = [
    ("", [0.260582328, 0.663861156, 32.774383492, 0.071063638, 0.261586816, 0.979672909],
        &[("D4", 0.446_182_13), ("D7", 0.157_388_31), ("E7", 0.129_464_6)]),
    ("D4", [0.378424406, 0.329883993, 24.675481753, 0.401599854, 0.257525742, 0.908939600],
        &[("D7", 0.821_109), ("E7", 0.090_608_984), ("D6", 0.044_357_762)]),
    ("D4 D7", [0.639695882, 1.581403610, 33.222305241, 0.816330612, 0.234398306, 1.091468570],
        &[("C7", 0.514_276_56), ("E4", 0.221_990_79), ("F3", 0.058_463_179)]),
    ("D4 D7 C7", [0.446644664, 0.561182559, 27.518257183, 0.472723097, 0.255959750, 0.981610179],
        &[("D5", 0.620_888_65), ("E4", 0.165_804_36)]),
    ("D4 D7 C7 D5", [0.117564648, 0.423213989, 35.447410537, 0.320419133, 0.325940668, 1.154677150],
        &[("C5", 0.965_191_84), ("C4", 0.030_042_933)]),
    ("D4 D7 E4", [0.340984672, 0.541791379, 32.652053862, 0.530897081, 0.269652098, 1.046249270],
        &[("F4", 0.528_759_3), ("C7", 0.169_673_19), ("D5", 0.169_416_76)]),
    ("D4 D7 E4 F4", [0.291676908, 0.853982687, 33.096202852, 0.140129924, 0.305519312, 1.145546670],
        &[("C7", 0.306_213_65), ("D5", 0.279_605_93)]),
    ("D7", [0.310420632, 0.363873065, 24.535352717, 0.643133998, 0.256738574, 0.877402365],
        &[("C5", 0.408_959_6), ("C4", 0.358_303_67)]),
    ("D4 D7 C7 D5 C5", [0.330916762, 0.351455271, 24.992008220, 0.399336070, 0.301935524, 1.059848670],
        &[("D3", 0.358_535_2), ("C4", 0.354_059_43)]),
    ("D4 D7 C7 D5 C5 D3", [0.238595008, 0.575391054, 32.861892723, 0.253994703, 0.360692948, 1.179501650],
        &[("E4", 0.789_123_48), ("D6", 0.105_313_12)]),
    ("D7 C5", [0.051959782, 0.375212669, 30.377290702, -0.036487430, 0.310807764, 1.039999370],
        &[("B5", 0.679_830_25), ("F6", 0.187_297_31)]),
    ("D4 D7 C7 D5 C5 D3 E4", [0.431184650, 0.776877403, 31.572423924, 0.581998706, 0.328919262, 1.388919230],
        &[("E3", 0.558_759_57), ("C4", 0.417_418_18)]),
];

const MOVES: [&str; 3] = ["E5", "C6", "G4"];

struct Scripted(HashMap<&'static str, Evaluation>);

impl Evaluator for Scripted {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 1 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let answer = |request: &EvalRequest<'_>| {
            let size = request.game.board().size();
            let path: Vec<String> =
                request.game.turns()[MOVES.len()..].iter().map(|turn| turn.played.to_gtp(size)).collect();
            let mut answer = self.0[path.join(" ").as_str()].clone();
            for point in Point::all(size) {
                if !request.game.is_legal_point(point) {
                    answer.policy[point.index(size)] = -1.0;
                }
            }
            answer
        };
        Ok(requests.iter().map(answer).collect())
    }
}

fn scripted() -> Scripted {
    let size = BoardSize::NINE;
    let answers = ANSWERS.map(|(path, [win_loss, mean, mean_sq, lead, value_error, score_error], policy)| {
        let mut all = vec![0.0f32; size.area() + 1];
        for (point, p) in policy {
            all[Point::from_gtp(point, size).unwrap().index(size)] = *p;
        }
        let evaluation = Evaluation {
            white_win: (0.5 + win_loss / 2.0) as f32,
            white_loss: (0.5 - win_loss / 2.0) as f32,
            no_result: 0.0,
            white_score_mean: mean as f32,
            white_score_mean_sq: mean_sq as f32,
            white_lead: lead as f32,
            var_time_left: 0.0,
            shortterm_winloss_error: value_error as f32,
            shortterm_score_error: score_error as f32,
            policy: all.into(),
            white_ownership: Some(vec![0.0; size.area()].into()),
        };
        (path, evaluation)
    });
    Scripted(answers.into_iter().collect())
}

fn game() -> Game {
    let ruleset = Preset::TrompTaylor.ruleset();
    let mut game =
        Game::new(Setup::new(BoardSize::NINE, Topology::Plane, ruleset, Komi::from_points(7.0).unwrap())).unwrap();
    for mv in MOVES {
        game.play(game.to_play(), Move::from_gtp(mv, BoardSize::NINE).unwrap()).unwrap();
    }
    game
}

fn close(name: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{name}: {found}, expected {expected}");
}

#[test]
fn the_first_twelve_visits_are_those_of_katago() {
    let search = Search::new(Arc::new(scripted()), game(), SearchParams::deterministic_analysis(), 0).unwrap();
    let weights = [
        0.771592207,
        1.558537036,
        2.392896031,
        3.177945057,
        3.812568189,
        4.560619166,
        5.230590855,
        6.021978868,
        6.703365477,
        7.285462110,
        7.951871648,
        8.570195660,
    ];
    let options = ReportOptions { perspective: Perspective::White, ..ReportOptions::default() };
    for (playouts, weight) in (1..).zip(weights) {
        let limits = SearchLimits { max_visits: playouts, ..SearchLimits::default() };
        search.run(&limits, &StopFlag::new()).unwrap();
        // Each run begins anew around a moved centre, so only the weight of single steps is compared loosely.
        let report = search.report(&options).unwrap();
        assert_eq!(report.root.visits, playouts);
        assert!((report.root.weight - weight).abs() < 0.01, "{playouts}: {}", report.root.weight);
    }
}

#[test]
fn the_state_after_twelve_visits_is_that_of_katago() {
    let search = Search::new(Arc::new(scripted()), game(), SearchParams::deterministic_analysis(), 0).unwrap();
    let limits = SearchLimits { max_visits: 12, ..SearchLimits::default() };
    search.run(&limits, &StopFlag::new()).unwrap();
    let options = ReportOptions { perspective: Perspective::White, ..ReportOptions::default() };
    let report = search.report(&options).unwrap();
    close("root utility", report.root.utility, 0.357397742);
    close("root win rate", report.root.win_rate, 0.678514877);
    close("root lead", report.root.score_lead, 0.407449946);
    close("root weight", report.root.weight, 8.570195660);
    let [first, second] = &report.candidates[..] else { panic!("{} candidates", report.candidates.len()) };
    assert_eq!((first.visits, first.edge_visits, second.visits), (9, 9, 2));
    close("weight", first.weight, 6.340805902);
    close("utility", first.utility, 0.368592388);
    close("win rate", first.win_rate, 0.684383066);
    close("lcb", first.lcb, 0.627205109);
    close("utility lcb", first.utility_lcb, 0.208494110);
    close("second utility lcb", second.utility_lcb, -1.396368245);
    close("play selection value", first.play_selection_value, 6.340805902);
    let pv: Vec<String> = first.pv.iter().map(|mv| mv.to_gtp(BoardSize::NINE)).collect();
    assert_eq!(pv.join(" "), "D4 D7 C7 D5 C5 D3 E4");
    assert_eq!(first.pv_visits, [9, 8, 5, 4, 3, 2, 1]);
}
