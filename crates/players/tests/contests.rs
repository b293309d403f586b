//! Contests between players whose strength is known.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_players::{
    Contest, ContestError, ContestGame, Ending, Openings, PlayedGame, Player, PlayerError, TimeControl, record_of,
};
use honinbo_record::{read_sgf, replay};
use honinbo_rules::{
    BoardSize, Color, Game, KoRule, Komi, Move, Outcome, Preset, Random, Ruleset, Setup, Tax, Topology,
};
use honinbo_search::TimeSystem;
use parking_lot::Mutex;

/// Plays anywhere that is no eye of its own, then passes.
struct AtRandom(Random);

impl Player for AtRandom {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&mut self, game: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        let point = (0..20).find_map(|_| {
            game.board().random_move(game.to_play(), &mut self.0).filter(|point| game.is_legal_point(*point))
        });
        Ok(point.map_or(Move::Pass, Move::Place))
    }
}

/// Gives up at once with one colour.
struct Quitter(Color);

impl Player for Quitter {
    fn name(&self) -> String {
        "quitter".into()
    }

    fn choose(&mut self, game: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        Ok(if game.to_play() == self.0 { Move::Resign } else { Move::Pass })
    }
}

fn contest(games: u32, at_a_time: usize) -> Contest {
    let size = BoardSize::square(7).unwrap();
    Contest {
        games,
        setup: Setup::new(size, Topology::Plane, Preset::TrompTaylor.ruleset(), Komi::from_half_points(15)),
        openings: Openings::Random { moves: 2 },
        seed: 3,
        move_limit: 300,
        within: Duration::from_secs(10),
        clock: None,
        at_a_time,
    }
}

#[test]
fn colours_alternate_and_openings_come_in_pairs() {
    let games = Mutex::new(HashMap::new());
    let players = || Ok([Box::new(AtRandom(Random::new(1))) as Box<dyn Player>, Box::new(AtRandom(Random::new(2)))]);
    let tally = contest(20, 3)
        .run(&players, &StopFlag::new(), &|game: ContestGame| {
            games.lock().insert(game.number, game);
        })
        .unwrap();
    let games = games.into_inner();
    assert_eq!((tally.games(), games.len()), (20, 20));
    for number in (1..=20).step_by(2) {
        let (one, other) = (&games[&number], &games[&(number + 1)]);
        assert_eq!((one.first_has, other.first_has), (Color::Black, Color::White));
        assert_eq!(one.played.opening, 2);
        let opening = |game: &ContestGame| game.played.game.turns()[..2].to_vec();
        assert_eq!(opening(one), opening(other));
        assert_ne!(opening(one), opening(&games[&((number + 2) % 20)]), "the next pair has another opening");
    }
    for game in games.values() {
        assert!(matches!(game.played.ending, Ending::Passes { .. } | Ending::MoveLimit), "{:?}", game.played.ending);
        // The record gives the same game back.
        let sgf = record_of(&game.played, ["b", "w"], "test").to_sgf();
        let read = read_sgf(sgf.as_bytes());
        let tree = &read.games[0].tree;
        let replayed = replay(tree, tree.line_from(tree.root()).last().unwrap()).game;
        assert_eq!(replayed.board(), game.played.game.board());
        assert_eq!(replayed.turns().len(), game.played.game.turns().len());
    }
}

#[test]
fn a_record_has_the_rules_the_komi_and_the_board_of_its_game() {
    let unnamed = Ruleset { ko: KoRule::Situational, tax: Tax::All, ..Preset::Chinese.ruleset() };
    let size = BoardSize::square(7).unwrap();
    for ruleset in [unnamed, Preset::Daoqi.ruleset(), Preset::Japanese.ruleset()] {
        for (topology, half_points) in [(Topology::Plane, 9), (Topology::Torus, 300)] {
            let komi = Komi::from_half_points(half_points);
            let game = Game::new(Setup::new(size, topology, ruleset, komi)).unwrap();
            let (outcome, ending) = (Outcome::NoResult, Ending::Stopped);
            let (clock, time_left) = (None, Vec::new());
            let played = PlayedGame { game, outcome, ending, opening: 0, stood_in: [0, 0], clock, time_left };
            let sgf = record_of(&played, ["b", "w"], "test").to_sgf();
            assert!(!sgf.contains('{'), "other programs read KataGo's compact form: {sgf}");
            let tree = &read_sgf(sgf.as_bytes()).games[0].tree;
            let read = replay(tree, tree.root()).game;
            assert_eq!(read.setup(), played.game.setup(), "{sgf}");
        }
    }
}

#[test]
fn a_record_has_the_clocks_of_all_moves_but_those_of_the_opening() {
    let mut contest = contest(2, 1);
    let system = TimeSystem::Overtime { period: 60.0, stones: 1, periods: 3 };
    contest.clock = Some(TimeControl { main: 0.0, system });
    let players = || Ok([Box::new(AtRandom(Random::new(1))) as Box<dyn Player>, Box::new(AtRandom(Random::new(2)))]);
    let games = Mutex::new(Vec::new());
    contest.run(&players, &StopFlag::new(), &|game| games.lock().push(game)).unwrap();
    let games = games.into_inner();
    let sgf = record_of(&games[0].played, ["b", "w"], "test").to_sgf();
    assert!(sgf.contains("TM[0]") && sgf.contains("OT[3x60 byo-yomi]"), "{sgf}");
    // A period begins anew with each move, however long the machine took for it.
    let told = sgf.matches("BL[60]OB[3]").count() + sgf.matches("WL[60]OW[3]").count();
    assert_eq!((told, games[0].played.opening), (games[0].played.game.turns().len() - 2, 2), "{sgf}");
}

#[test]
fn the_tally_is_from_the_first_players_side() {
    // Whoever the quitter is with black, the other wins.
    let players = || Ok([Box::new(Quitter(Color::Black)) as Box<dyn Player>, Box::new(Quitter(Color::White))]);
    let told = Mutex::new(Vec::new());
    let tally =
        contest(10, 1).run(&players, &StopFlag::new(), &|game| told.lock().push(game.played.outcome.to_sgf())).unwrap();
    // With black the first player gives up itself; with white both play on: its opponent never gives up with black.
    assert_eq!(tally.losses, 5);
    assert_eq!(told.lock().iter().filter(|result| *result == "W+R").count(), 5);
    assert_eq!(tally.wins + tally.draws, 5);
}

#[test]
fn a_contest_that_is_stopped_gives_what_it_has() {
    let stop = StopFlag::new();
    let players = || Ok([Box::new(AtRandom(Random::new(1))) as Box<dyn Player>, Box::new(AtRandom(Random::new(2)))]);
    let tally = contest(1000, 2)
        .run(&players, &stop, &|game| {
            if game.tally.games() == 5 {
                stop.set();
            }
        })
        .unwrap();
    assert!((5..=7).contains(&tally.games()), "{tally:?}");
}

#[test]
fn a_pair_that_cannot_be_made_leaves_its_games_to_the_others() {
    let missing = || PlayerError::NoNetwork { message: "there is none".into() };
    let asked = AtomicU32::new(0);
    let players = || -> Result<[Box<dyn Player>; 2], PlayerError> {
        if asked.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(missing());
        }
        Ok([Box::new(Quitter(Color::Black)), Box::new(Quitter(Color::White))])
    };
    let tally = contest(10, 3).run(&players, &StopFlag::new(), &|_| {}).unwrap();
    assert_eq!((tally.games(), asked.into_inner()), (10, 3));
    let nobody = || -> Result<[Box<dyn Player>; 2], PlayerError> { Err(missing()) };
    let error = contest(10, 3).run(&nobody, &StopFlag::new(), &|_| {}).unwrap_err();
    assert!(matches!(error, ContestError::Player(PlayerError::NoNetwork { .. })), "{error}");
}

#[test]
fn under_territory_rules_dead_stones_are_guessed_where_nobody_names_them() {
    let mut contest = contest(4, 1);
    contest.setup.ruleset = Preset::Japanese.ruleset();
    let players = || Ok([Box::new(AtRandom(Random::new(5))) as Box<dyn Player>, Box::new(AtRandom(Random::new(6)))]);
    let endings = Mutex::new(Vec::new());
    contest
        .run(&players, &StopFlag::new(), &|game| endings.lock().push((game.played.ending, game.played.outcome)))
        .unwrap();
    for (ending, outcome) in endings.into_inner() {
        assert!(matches!(ending, Ending::Passes { .. } | Ending::MoveLimit | Ending::Repetition), "{ending:?}");
        assert!(outcome.winner().is_some() || matches!(ending, Ending::Repetition), "{outcome}");
    }
}
