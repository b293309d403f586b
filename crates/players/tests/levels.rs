//! The levels: only legal moves, and a game that goes on whatever happens to the network.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_players::{
    Ending, GameTerms, HeuristicPlayer, LEVELS, LevelSpec, Limited, NetworkPlayer, NetworkSource, Openings,
    OtherNetwork, Player, PlayerError, RandomPlayer, ReadyNetwork, Style, WithFallback, play_game,
};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Point, Preset, Ruleset, Setup, Topology};
use honinbo_testkit::{FailingEvaluator, UniformEvaluator};

const WITHIN: Duration = Duration::from_secs(60);

fn source(evaluator: Arc<dyn Evaluator>) -> NetworkSource {
    Arc::new(move || {
        Ok(ReadyNetwork { evaluator: Arc::clone(&evaluator), threads: 1, human_style: false, others: None })
    })
}

fn setup(side: usize, topology: Topology) -> Setup {
    Setup::new(BoardSize::square(side).unwrap(), topology, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15))
}

/// A thousand games of each on each board, in the slow tests; a few otherwise.
#[test]
fn the_simple_levels_never_play_an_illegal_move() {
    let games = if honinbo_testkit::fixtures::are_slow_tests_on() { 1000 } else { 12 };
    for (side, topology) in [
        (9, Topology::Plane),
        (9, Topology::Torus),
        (13, Topology::Plane),
        (19, Topology::Plane),
        (16, Topology::Torus),
    ] {
        // Large boards take long; on them fewer games make as many moves.
        let games = (games * 81 / (side * side)).max(2);
        for number in 0..games as u64 {
            let mut one = RandomPlayer::new("easy", number);
            let mut other = HeuristicPlayer::medium("medium", number);
            let setup = Setup {
                ruleset: if number % 2 == 0 { Ruleset::TROMP_TAYLOR } else { Preset::Chinese.ruleset() },
                ..setup(side, topology)
            };
            let opening = Openings::Random { moves: 2 }.moves(&Game::new(setup.clone()).unwrap(), number, 1);
            let terms = GameTerms { setup, opening, move_limit: 4 * side * side, within: WITHIN, clock: None };
            let seats: [&mut dyn Player; 2] =
                if number % 2 == 0 { [&mut one, &mut other] } else { [&mut other, &mut one] };
            let played = play_game(seats, &terms, &StopFlag::new()).unwrap();
            let fair = matches!(played.ending, Ending::Passes { .. } | Ending::MoveLimit | Ending::Repetition);
            assert!(fair, "{side} {topology} game {number}: {:?}", played.ending);
        }
    }
}

/// The levels in their order, but the network ones with a few visits instead of seconds.
fn level(name: &str, evaluator: &Arc<dyn Evaluator>, seed: u64) -> Box<dyn Player> {
    let spec = match LevelSpec::usual(name).unwrap() {
        LevelSpec::Network { timeout, .. } => LevelSpec::Network { seconds: None, visits: Some(6), timeout },
        other => other,
    };
    spec.player(name, &source(Arc::clone(evaluator)), seed)
}

/// Every level against every other one, each with either colour, on both kinds of board.
#[test]
fn all_levels_play_whole_games_against_each_other() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(UniformEvaluator::default());
    let mut games = 0;
    for (number, one) in LEVELS.into_iter().enumerate() {
        for other in LEVELS.into_iter().filter(|other| *other != one) {
            let topology = if games % 2 == 0 { Topology::Plane } else { Topology::Torus };
            let terms = GameTerms {
                setup: setup(7, topology),
                opening: Vec::new(),
                move_limit: 4 * 49,
                within: WITHIN,
                clock: None,
            };
            let mut players = [level(one, &evaluator, number as u64), level(other, &evaluator, 99)];
            let [first, second] = &mut players;
            let played = play_game([first.as_mut(), second.as_mut()], &terms, &StopFlag::new()).unwrap();
            let fair = matches!(
                played.ending,
                Ending::Passes { .. } | Ending::MoveLimit | Ending::Repetition | Ending::Resignation(_)
            );
            assert!(fair, "{one} against {other} on a {topology}: {:?}", played.ending);
            assert!(played.game.turns().len() > 10, "{one} against {other}: {} moves", played.game.turns().len());
            assert_eq!(played.stood_in, [0, 0], "{one} against {other}: somebody else moved");
            games += 1;
        }
    }
    assert_eq!(games, LEVELS.len() * (LEVELS.len() - 1));
}

#[test]
fn every_level_has_an_answer_without_a_network() {
    let none: NetworkSource = Arc::new(|| Err("there is no network".into()));
    let game = Game::new(setup(9, Topology::Torus)).unwrap();
    for level in LEVELS {
        let spec = LevelSpec::usual(level).unwrap();
        let mut player = spec.player(level, &none, 1);
        let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        assert!(game.legality(Color::Black, played).is_ok(), "{level}");
        assert_eq!(player.take_notice().is_some(), spec.needs_network(), "{level}");
        assert!(player.take_notice().is_none(), "it is said once");
    }
}

/// Hangs while it is told to.
struct Stalling(Arc<AtomicBool>);

impl Evaluator for Stalling {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 1 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        while self.0.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(5));
        }
        UniformEvaluator::default().evaluate(requests, stop)
    }
}

#[test]
fn a_network_that_stalls_costs_the_turn_and_is_asked_again() {
    let stalls = Arc::new(AtomicBool::new(true));
    let network = NetworkPlayer::new("hard", source(Arc::new(Stalling(Arc::clone(&stalls)))), None, Some(10), 1);
    let mut player = WithFallback::new(network, Duration::from_millis(200), 1);
    let mut game = Game::new(setup(9, Topology::Plane)).unwrap();
    // However often it hangs, no more searches are begun than a few, and every turn has its move.
    for _ in 0..5 {
        let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        assert!(matches!(player.take_notice(), Some(PlayerError::Unanswered { .. })));
        game.play(game.to_play(), played).unwrap();
    }
    stalls.store(false, Ordering::Release);
    let mut recovered = false;
    for _ in 0..200 {
        player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        recovered = player.take_notice().is_none();
        if recovered {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(recovered, "it recovers by itself");
}

#[test]
fn a_network_that_fails_is_answered_for() {
    let error = EvalError::Device { device: "cpu".into(), reason: "it burns".into() };
    let network = NetworkPlayer::new("hard", source(Arc::new(FailingEvaluator::after(3, error))), None, Some(50), 1);
    let mut player = WithFallback::new(network, WITHIN, 1);
    let game = Game::new(setup(9, Topology::Plane)).unwrap();
    assert!(player.choose(&game, WITHIN, &StopFlag::new()).is_ok());
    let notice = player.take_notice().unwrap().to_string();
    assert!(notice.contains("it burns") || notice.contains("failed"), "{notice}");
}

/// On an empty board it wants to pass, and thinks of E5 too, which is worth so many points more to White.
struct WantsToPass {
    gain: f32,
}

impl Evaluator for WantsToPass {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let evaluation = |request: &EvalRequest<'_>| {
            let (game, size) = (request.game, request.game.board().size());
            let is_empty = game.board().stones().next().is_none();
            let lead = if is_empty { 7.5 } else { 7.5 + self.gain };
            let mut policy = vec![-1.0; size.area() + 1];
            for point in game.legal_points() {
                policy[point.index(size)] = if is_empty { 0.0 } else { 1.0 / size.area() as f32 };
            }
            policy[size.area()] = 0.0;
            if is_empty {
                policy[Point::new(4, 4).index(size)] = 0.25;
                policy[size.area()] = 0.75;
            }
            Evaluation {
                white_win: 0.97,
                white_loss: 0.03,
                white_score_mean: lead,
                white_score_mean_sq: lead * lead + 1.0,
                white_lead: lead,
                policy: policy.into(),
                ..Evaluation::even(size.area() + 1)
            }
        };
        Ok(requests.iter().map(evaluation).collect())
    }
}

#[test]
fn a_second_pass_waits_for_what_a_move_would_gain() {
    for (gain, expected) in [(5.0, "E5"), (0.0, "pass")] {
        let mut game = Game::new(setup(9, Topology::Plane)).unwrap();
        game.play(Color::Black, Move::Pass).unwrap();
        let mut player = NetworkPlayer::new("hard", source(Arc::new(WantsToPass { gain })), None, Some(100), 1);
        let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        assert_eq!(played.to_gtp(BoardSize::NINE), expected, "{gain} points");
    }
}

/// Wants what it is told to.
struct Stubborn(Move);

impl Player for Stubborn {
    fn name(&self) -> String {
        "stubborn".into()
    }

    fn choose(&mut self, _: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.0)
    }
}

#[test]
fn what_the_rules_refuse_is_never_played() {
    let mut game = Game::new(setup(9, Topology::Plane)).unwrap();
    let taken = Move::from_gtp("E5", BoardSize::NINE).unwrap();
    game.play(Color::Black, taken).unwrap();
    let mut player = WithFallback::new(Stubborn(taken), WITHIN, 1);
    let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
    assert!(game.legality(Color::White, played).is_ok());
    assert!(matches!(player.take_notice(), Some(PlayerError::Illegal { .. })));
}

#[test]
fn a_search_follows_the_game_and_ends_with_its_visits() {
    let mut player = NetworkPlayer::new("hard", source(Arc::new(UniformEvaluator::default())), None, Some(30), 1);
    let mut game = Game::new(setup(9, Topology::Plane)).unwrap();
    for _ in 0..10 {
        let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        assert!(player.last_report(&Default::default()).unwrap().root.visits >= 30);
        game.play(game.to_play(), played).unwrap();
    }
    game.rewind(3);
    assert!(player.choose(&game, WITHIN, &StopFlag::new()).is_ok());
}

/// Takes White to be far ahead.
struct WhiteLeads;

impl Evaluator for WhiteLeads {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 8 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let mut answers = UniformEvaluator::default().evaluate(requests, stop)?;
        answers.iter_mut().for_each(|answer| answer.white_lead = 30.0);
        Ok(answers)
    }
}

#[test]
fn who_adapts_begins_each_game_at_its_own_rank() {
    let limited = Limited::parse("rank_5k+adaptive").unwrap();
    let mut player = NetworkPlayer::limited("5k", source(Arc::new(WhiteLeads)), limited, 1);
    let turn = |player: &mut NetworkPlayer, game: &mut Game| {
        let played = player.choose(game, WITHIN, &StopFlag::new()).unwrap();
        game.play(game.to_play(), played).unwrap();
        player.shift()
    };
    let black = |game: &mut Game| {
        let point = game.legal_points().next().unwrap();
        game.play(Color::Black, Move::Place(point)).unwrap();
    };
    // As White it is ahead in every turn.
    let new_game = || Game::new(setup(9, Topology::Plane)).unwrap();
    let mut game = new_game();
    for turns in 1..=3 {
        black(&mut game);
        assert_eq!(turn(&mut player, &mut game), -turns);
    }
    game.rewind(2);
    game.play(Color::Black, Move::Pass).unwrap();
    assert_eq!(turn(&mut player, &mut game), -4, "moves were taken back in the same game");
    let mut other = new_game();
    black(&mut other);
    assert_eq!(turn(&mut player, &mut other), -1, "the next game begins like this one");
    black(&mut other);
    assert_eq!(turn(&mut player, &mut other), -2);
    assert_eq!(turn(&mut player, &mut new_game()), 1, "with the other colour it is behind");
}

/// Ranks from weakest to strongest, every style, and the profiles of human-style networks.
fn limited_names() -> Vec<String> {
    let ranks = ["20k", "12k", "4k", "1d", "5d", "9d"].map(|rank| format!("rank_{rank}"));
    let styles = Style::ALL.into_iter().map(|style| format!("rank_3k+{style}+adaptive"));
    let others = ["preaz_8k", "proyear_1900", "rank_20k+jigo-seeking"].map(str::to_owned);
    ranks.into_iter().chain(styles).chain(others).collect()
}

#[test]
fn ranks_and_styles_play_legal_moves_to_the_end_on_every_board() {
    let uniform: Arc<dyn Evaluator> = Arc::new(UniformEvaluator::default());
    let boards =
        [(5, Topology::Plane, 40), (9, Topology::Torus, 24), (19, Topology::Plane, 6), (16, Topology::Torus, 6)];
    for (number, name) in limited_names().iter().enumerate() {
        let (side, topology, moves) = boards[number % boards.len()];
        let spec = LevelSpec::usual(name).unwrap();
        let mut player = spec.player(name, &source(Arc::clone(&uniform)), number as u64);
        let mut game = Game::new(setup(side, topology)).unwrap();
        for _ in 0..moves {
            let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
            let notice = player.take_notice();
            assert!(notice.is_none(), "{name} did not answer itself: {notice:?}");
            game.play(game.to_play(), played).unwrap();
            if game.is_over() || game.is_past_end() {
                break;
            }
        }
    }
}

#[test]
fn ranks_and_styles_have_an_answer_without_a_network() {
    let none: NetworkSource = Arc::new(|| Err("there is no network".into()));
    let game = Game::new(setup(9, Topology::Plane)).unwrap();
    for name in limited_names() {
        let mut player = LevelSpec::usual(&name).unwrap().player(&name, &none, 1);
        let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        assert!(game.legality(Color::Black, played).is_ok(), "{name}");
        assert!(matches!(player.take_notice(), Some(PlayerError::NoNetwork { .. })), "{name}");
    }
}

#[test]
fn the_same_seed_plays_the_same_move_again() {
    let uniform: Arc<dyn Evaluator> = Arc::new(UniformEvaluator::default());
    let game = Game::new(setup(9, Topology::Plane)).unwrap();
    let moves = |seed| {
        let mut player = LevelSpec::usual("rank_10k").unwrap().player("10k", &source(Arc::clone(&uniform)), seed);
        let mut game = game.clone();
        for _ in 0..12 {
            let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
            game.play(game.to_play(), played).unwrap();
        }
        game.turns().iter().map(|turn| turn.played).collect::<Vec<_>>()
    };
    assert_eq!(moves(7), moves(7));
    assert_ne!(moves(7), moves(8));
}

#[test]
fn a_pupil_asks_its_own_network_and_spares_its_eyes() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let network: NetworkSource = {
        let asked = Arc::clone(&asked);
        Arc::new(move || {
            let asked = Arc::clone(&asked);
            Ok(ReadyNetwork {
                evaluator: Arc::new(FailingEvaluator::after(
                    0,
                    EvalError::Device { device: "cpu".into(), reason: "it burns".into() },
                )),
                threads: 1,
                human_style: false,
                others: Some(Arc::new(move |wanted| {
                    asked.lock().unwrap().push(wanted);
                    Some(Arc::new(UniformEvaluator::default()))
                })),
            })
        })
    };
    let mut game = Game::new(setup(5, Topology::Plane)).unwrap();
    let mut pupil = LevelSpec::usual("pupil_3").unwrap().player("pupil_3", &network, 1);
    let mut other = RandomPlayer::new("easy", 2);
    for _ in 0..400 {
        if game.is_over() || game.is_past_end() {
            break;
        }
        let played = if game.to_play() == Color::Black {
            let played = pupil.choose(&game, WITHIN, &StopFlag::new()).unwrap();
            assert!(pupil.take_notice().is_none());
            let fills = played.point().is_some_and(|point| game.board().is_simple_eye(Color::Black, point));
            assert!(!fills, "{}", game.board());
            played
        } else {
            other.choose(&game, WITHIN, &StopFlag::new()).unwrap()
        };
        game.play(game.to_play(), played).unwrap();
    }
    let asked = asked.lock().unwrap();
    assert!(!asked.is_empty() && asked.iter().all(|wanted| *wanted == OtherNetwork::Pupil(3)));
}

/// A network that prefers no move, for pupils too, and a game with one stone, at (6, 6).
fn before_a_pupil() -> (NetworkSource, Game) {
    let network: NetworkSource = Arc::new(|| {
        Ok(ReadyNetwork {
            evaluator: Arc::new(UniformEvaluator::default()),
            threads: 1,
            human_style: false,
            others: Some(Arc::new(|_| Some(Arc::new(UniformEvaluator::default())))),
        })
    });
    let mut game = Game::new(setup(9, Topology::Plane)).expect("it can be played");
    game.play(Color::Black, Move::Place(Point::new(6, 6))).expect("the board is empty");
    (network, game)
}

#[test]
fn a_pupil_answers_where_the_last_stone_was_put() {
    let (network, game) = before_a_pupil();
    let near = |seed| {
        let mut pupil = LevelSpec::usual("pupil_1").unwrap().player("pupil_1", &network, seed);
        let point = pupil.choose(&game, WITHIN, &StopFlag::new()).unwrap().point().expect("the game has just begun");
        point.x().abs_diff(6).max(point.y().abs_diff(6)) <= 2
    };
    // 24 of 80 points are so near: people choose one of them two times of three.
    let found = (0..200).filter(|&seed| near(seed)).count();
    assert!((100..170).contains(&found), "{found} of 200");
}

#[test]
fn a_pupil_lets_a_game_end_that_the_other_player_is_done_with() {
    let (network, mut game) = before_a_pupil();
    let mut pupil = LevelSpec::usual("pupil_1").unwrap().player("pupil_1", &network, 1);
    let mut answers = Vec::new();
    for _ in 0..3 {
        let answer = pupil.choose(&game, WITHIN, &StopFlag::new()).unwrap();
        game.play(Color::White, answer).unwrap();
        answers.push(answer);
        if game.is_over() {
            break;
        }
        game.play(Color::Black, Move::Pass).unwrap();
    }
    assert!(answers[..2].iter().all(|answer| answer.point().is_some()), "one pass may be a tired one: {answers:?}");
    assert_eq!(answers[2], Move::Pass);
}

/// Wants to know who plays, and puts what it was told into its answer: the first legal point for 20 kyu, the last for
/// everybody else.
struct Profiled;

impl Evaluator for Profiled {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 1 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let weakest = "rank_20k".parse().ok();
        let mut answers = UniformEvaluator::default().evaluate(requests, stop)?;
        for (answer, request) in answers.iter_mut().zip(requests) {
            assert!(request.params.profile.is_some(), "a network of human style must be told who plays");
            let points = answer.policy.len() - 1;
            let wanted = if request.params.profile == weakest { 0 } else { points - 1 };
            for (index, share) in answer.policy.iter_mut().enumerate() {
                *share = if index == wanted { 1.0 } else { 0.0 };
            }
        }
        Ok(answers)
    }
}

#[test]
fn a_network_of_human_style_is_told_who_plays() {
    let human: Arc<dyn Evaluator> = Arc::new(Profiled);
    let beside: NetworkSource = {
        let human = Arc::clone(&human);
        Arc::new(move || {
            let human = Arc::clone(&human);
            Ok(ReadyNetwork {
                evaluator: Arc::new(UniformEvaluator::default()),
                threads: 1,
                human_style: false,
                others: Some(Arc::new(move |wanted| (wanted == OtherNetwork::Human).then(|| Arc::clone(&human)))),
            })
        })
    };
    let in_use: NetworkSource = Arc::new(move || {
        Ok(ReadyNetwork { evaluator: Arc::clone(&human), threads: 1, human_style: true, others: None })
    });
    let game = Game::new(setup(9, Topology::Plane)).unwrap();
    for network in [beside, in_use.clone()] {
        for (name, expected) in [("rank_20k", "A9"), ("proyear_1990", "J1")] {
            let mut player = LevelSpec::usual(name).unwrap().player(name, &network, 1);
            let played = player.choose(&game, WITHIN, &StopFlag::new()).unwrap();
            assert_eq!(played.to_gtp(BoardSize::NINE), expected, "{name}");
            assert!(player.take_notice().is_none());
        }
    }
    let mut strongest = NetworkPlayer::new("hard", in_use, None, Some(4), 1);
    assert!(strongest.choose(&game, WITHIN, &StopFlag::new()).is_ok());
}
