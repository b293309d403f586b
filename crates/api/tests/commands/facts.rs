//! What is said of turning points is true: every claim about many positions is checked by another search, or by playing
//! it, with a real network.

use crate::host::Desk;
use honinbo_evaluator::{EvalParams, EvalRequest, Evaluator, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Limits, NetworkFile, OrtEvaluator, Runtime};
use honinbo_rules::{
    Board, BoardSize, Color, Game, Komi, Move, Point, PositionHash, Preset, Setup, Symmetry, canonical_hash, splitmix,
};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams, SearchReport};
use honinbo_testkit::fixtures;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Visits and random choices of the search that checks a claim.
const VISITS: u64 = 400;
const SEED: u64 = 4711;

fn network(path: &Path) -> Option<Arc<dyn Evaluator>> {
    let runtime = match Runtime::load(&LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")])) {
        Ok(runtime) => runtime,
        Err(error) => {
            fixtures::skip(&error.to_string());
            return None;
        }
    };
    let file = NetworkFile::open(path, &Limits::default()).unwrap();
    Some(Arc::new(OrtEvaluator::new(runtime, Arc::new(file), EvaluatorOptions::cpu(1))))
}

/// A move of a beginner of some promise: one of the network's first few thoughts, or of the next ones where it errs.
fn thought(network: &dyn Evaluator, game: &Game, ranks: std::ops::Range<usize>, random: u64) -> Move {
    let request = EvalRequest { game, params: EvalParams::default() };
    let answer = network.evaluate(&[request], &StopFlag::default()).unwrap().remove(0);
    let size = game.board().size();
    let mut points: Vec<Point> = game.legal_points().collect();
    points.sort_by(|a, b| answer.policy[b.index(size)].total_cmp(&answer.policy[a.index(size)]));
    let place = ranks.start + (random % ranks.len() as u64) as usize;
    points.get(place.min(points.len().saturating_sub(1))).map_or(Move::Pass, |&point| Move::Place(point))
}

/// A position and a doubtful move there.
struct Question {
    game: Game,
    played: Move,
}

/// A game of the library, and who won it.
struct Kept {
    game: Game,
    winner: Color,
}

impl Kept {
    /// What the position became after the next move, where the game had it.
    fn after(&self, asked: PositionHash) -> Option<PositionHash> {
        let mut game = Game::new(self.game.setup().clone()).unwrap();
        for turn in self.game.turns() {
            let had = position(game.board(), game.to_play()) == asked;
            game.play(turn.color, turn.played).unwrap();
            if had {
                return Some(position(game.board(), game.to_play()));
            }
        }
        None
    }
}

/// A position without its ko, however it lies.
fn position(board: &Board, to_play: Color) -> PositionHash {
    let mut board = board.clone();
    board.clear_ko();
    canonical_hash(&board, to_play)
}

/// Three games that went on from a position: two alike, and one in another way.
fn games_on(network: &dyn Evaluator, from: &Game) -> Vec<Kept> {
    let on = |ways: [usize; 2], winner| {
        let mut game = from.clone();
        for way in ways {
            let played = thought(network, &game, way..way + 1, 0);
            game.play(game.to_play(), played).unwrap();
        }
        Kept { game, winner }
    };
    vec![on([0, 0], Color::Black), on([0, 1], Color::White), on([1, 0], Color::Black)]
}

fn questions(network: &dyn Evaluator, games: Range<u64>, sides: &[usize]) -> Vec<Question> {
    let mut found = Vec::new();
    for number in games {
        let side = sides[number as usize % sides.len()];
        let setup = Setup {
            size: BoardSize::new(side, side).unwrap(),
            komi: Komi::from_points(6.5).unwrap(),
            ..Setup::preset(Preset::Chinese)
        };
        let mut game = Game::new(setup).unwrap();
        let moves = side * side / 2;
        for step in 0..moves {
            let random = splitmix(number << 32 | step as u64);
            if step >= side && step % 5 == 0 {
                let played = thought(network, &game, 4..20, random >> 8);
                found.push(Question { game: game.clone(), played });
            }
            let played = thought(network, &game, 0..3, random);
            game.play(game.to_play(), played).unwrap();
        }
    }
    found
}

fn sgf(question: &Question) -> String {
    let mut game = question.game.clone();
    game.play(game.to_play(), question.played).unwrap();
    record(&game, "BR[5k]WR[2d]")
}

fn record(game: &Game, facts: &str) -> String {
    let mut text = format!("(;SZ[{}]KM[6.5]RU[Chinese]{facts}", game.board().size().width());
    for (color, played) in game.turns().iter().map(|turn| (turn.color, turn.played)) {
        let point = played.point().map(Point::to_sgf).unwrap_or_default();
        text.push_str(&format!(";{}[{point}]", color.letter()));
    }
    text + ")"
}

/// A third opinion.
struct Checker {
    network: Arc<dyn Evaluator>,
}

impl Checker {
    fn look(&self, game: &Game) -> SearchReport {
        let search = Search::new(Arc::clone(&self.network), game.clone(), SearchParams::analysis(), SEED).unwrap();
        let limits =
            SearchLimits { max_visits: VISITS, threads: 1, include_ownership: true, ..SearchLimits::default() };
        search.run(&limits, &StopFlag::default()).unwrap();
        let options = ReportOptions { perspective: Perspective::Black, ownership: true, ..ReportOptions::default() };
        search.report(&options).unwrap()
    }
}

struct Case<'a> {
    checker: &'a Checker,
    kept: &'a [Kept],
    human: &'a dyn Evaluator,
    asked: &'a Game,
    after_played: Game,
    after_best: Game,
    seen_played: SearchReport,
    seen_best: SearchReport,
    best: Point,
    played: Point,
}

fn after(game: &Game, played: Move) -> Option<Game> {
    let mut next = game.clone();
    next.play(game.to_play(), played).ok().map(|()| next)
}

fn point_of(value: &Value, game: &Game) -> Point {
    Point::from_index(value.as_u64().unwrap() as usize, game.board().size())
}

fn color_of(value: &Value) -> Color {
    if value == "black" { Color::Black } else { Color::White }
}

fn mean(seen: &SearchReport, points: &[Point], color: Color, game: &Game) -> f64 {
    let owners = seen.ownership.as_ref().unwrap();
    let black: f64 = points.iter().map(|point| f64::from(owners[point.index(game.board().size())])).sum();
    black / points.len() as f64 * if color == Color::Black { 1.0 } else { -1.0 }
}

/// Whether a chain is caught, read anew: who is to move, and nothing but liberties and captures.
fn is_caught(game: &Game, stone: Point, depth: usize) -> bool {
    let Some(chain) = game.board().chain_at(stone) else { return true };
    let owner = chain.color();
    let liberties: Vec<Point> = chain.liberties().collect();
    if depth == 0 || liberties.len() > 2 {
        return false;
    }
    if game.to_play() != owner {
        return liberties
            .iter()
            .any(|&by| after(game, Move::Place(by)).is_some_and(|next| is_caught(&next, stone, depth - 1)));
    }
    if liberties.len() == 2 {
        return false;
    }
    let captures = game.board().chains().filter(|other| other.color() != owner && other.is_in_atari());
    let ways: Vec<Point> = captures.filter_map(|other| other.liberties().next()).chain(liberties).collect();
    ways.into_iter().all(|way| after(game, Move::Place(way)).is_none_or(|next| is_caught(&next, stone, depth - 1)))
}

impl Case<'_> {
    fn stones_gone(&self, from: &Game, by: Point, side: Color) -> Vec<Point> {
        let Some(next) = after(from, Move::Place(by)) else { return Vec::new() };
        from.board()
            .stones()
            .filter(|&(at, stone)| stone == side && next.board().get(at).is_none())
            .map(|(at, _)| at)
            .collect()
    }

    /// Points that a pass costs.
    fn pass_costs(&self, game: &Game, lead: f64) -> f64 {
        let passed = after(game, Move::Pass).unwrap();
        (self.checker.look(&passed).root.score_lead - lead).abs()
    }

    fn holds(&self, view: &Value) -> bool {
        let fact = &view["fact"];
        let points: Vec<Point> =
            view["points"].as_array().unwrap().iter().map(|point| point_of(point, self.asked)).collect();
        let (mover, asked) = (self.asked.to_play(), self.asked);
        match fact["kind"].as_str().unwrap() {
            "taken" => {
                let (by, side) = (point_of(&fact["by"], asked), color_of(&fact["side"]));
                let gone = self.stones_gone(&self.after_played, by, side);
                gone.len() as u64 == fact["stones"].as_u64().unwrap()
                    && gone.contains(&point_of(&fact["at"], asked))
                    && self.stones_gone(&self.after_best, by, side).is_empty()
            }
            "ladder" => {
                let (by, at) = (point_of(&fact["by"], asked), point_of(&fact["at"], asked));
                let attacked = after(&self.after_played, Move::Place(by)).unwrap();
                let escapes = self.after_best.board().chain_at(at).is_some() && !is_caught(&self.after_best, at, 80);
                is_caught(&attacked, at, 80) && escapes
            }
            "lost" => {
                let side = color_of(&fact["side"]);
                side == mover
                    && mean(&self.seen_best, &points, side, asked) > 0.0
                    && mean(&self.seen_played, &points, side, asked) < 0.0
            }
            "spared" => {
                let side = color_of(&fact["side"]);
                side != mover
                    && mean(&self.seen_best, &points, side, asked) < 0.0
                    && mean(&self.seen_played, &points, side, asked) > 0.0
            }
            "cut" => {
                let by = point_of(&fact["by"], asked);
                let parted = after(&self.after_played, Move::Place(by)).unwrap();
                let [one, other] = ["one", "other"].map(|name| point_of(&fact[name], asked));
                let head = |game: &Game, at| game.board().chain_at(at).map(|chain| chain.head_point());
                let mut joined = self.after_played.clone();
                let would_join = joined.play(joined.to_play(), Move::Pass).is_ok()
                    && after(&joined, Move::Place(by)).is_some_and(|joined| head(&joined, one) == head(&joined, other));
                let no_way_back = parted.legal_points().all(|way| {
                    after(&parted, Move::Place(way)).is_none_or(|next| head(&next, one) != head(&next, other))
                });
                would_join && no_way_back && head(&parted, one).is_some() && head(&parted, other).is_some()
            }
            "area" => {
                let to = color_of(&fact["to"]);
                to != mover
                    && points.len() as u64 == fact["points"].as_u64().unwrap()
                    && mean(&self.seen_played, &points, to, asked) > 0.2
                    && mean(&self.seen_best, &points, to, asked) < -0.2
            }
            "sente" => {
                let lead = self.seen_best.root.score_lead;
                let (before, threat) = (self.pass_costs(asked, lead), self.pass_costs(&self.after_best, lead));
                points == [self.best] && threat > before + 2.0 && threat > 0.6 * fact["threat"].as_f64().unwrap()
            }
            "elsewhere" => {
                let reply = point_of(&fact["reply"], asked);
                let own = if mover == Color::Black { -1.0 } else { 1.0 };
                let lead = |at: Point| {
                    self.seen_played
                        .candidates
                        .iter()
                        .find(|one| one.mv == Move::Place(at))
                        .map(|one| own * one.score_lead)
                };
                let best = self.seen_played.candidates[0].mv.point();
                let far = |at: Point| at.x().abs_diff(self.played.x()).max(at.y().abs_diff(self.played.y())) >= 5;
                far(reply)
                    && (best.is_some_and(far)
                        || lead(reply).zip(best.and_then(lead)).is_some_and(|(reply, best)| best - reply < 1.0))
            }
            "lead" => [("before", &self.seen_best), ("after", &self.seen_played)].into_iter().all(|(name, seen)| {
                let (told, lead) = (&fact[name], seen.root.score_lead);
                let chance = told["chance"].as_f64().unwrap();
                match told["side"].as_str() {
                    Some(side) => {
                        let black = side == "black";
                        let seen_chance = if black { seen.root.win_rate } else { 1.0 - seen.root.win_rate };
                        (lead > 0.0) == black && (seen_chance - chance).abs() < 0.2
                    }
                    None => lead.abs() < 3.0 && (seen.root.win_rate - chance).abs() < 0.2,
                }
            }),
            "byRank" => {
                let rank = fact["rank"].as_str().unwrap();
                let profile = format!("rank_{rank}").parse().ok();
                let views = Symmetry::ALL.map(|symmetry| EvalParams { profile, symmetry, ..EvalParams::default() });
                let requests = views.map(|params| EvalRequest { game: asked, params });
                let answers = self.human.evaluate(&requests, &StopFlag::default()).unwrap();
                let size = asked.board().size();
                rank == if mover == Color::Black { "5k" } else { "2d" }
                    && [("played", self.played), ("better", self.best)].into_iter().all(|(name, at)| {
                        let shares = answers.iter().map(|answer| f64::from(answer.policy[at.index(size)]).max(0.0));
                        (fact[name].as_f64().unwrap() - shares.sum::<f64>() / 8.0).abs() < 0.01
                    })
            }
            "inLibrary" => {
                let here = position(asked.board(), mover);
                let ways: Vec<(PositionHash, Color)> =
                    self.kept.iter().filter_map(|kept| Some((kept.after(here)?, kept.winner))).collect();
                let after_move = |at: Point| {
                    let next = after(asked, Move::Place(at)).unwrap();
                    position(next.board(), next.to_play())
                };
                let games = |way: PositionHash| ways.iter().filter(move |(on, _)| *on == way);
                let most = after_move(point_of(&fact["most"], asked));
                let won = |color: Color| games(most).filter(|(_, winner)| *winner == color).count();
                let told = |name: &str| fact[name].as_u64().unwrap() as usize;
                ways.iter().all(|(on, _)| games(*on).count() <= games(most).count())
                    && [told("games"), told("count"), told("blackWins"), told("whiteWins"), told("played")]
                        == [
                            ways.len(),
                            games(most).count(),
                            won(Color::Black),
                            won(Color::White),
                            games(after_move(self.played)).count(),
                        ]
            }
            other => panic!("nobody checks {other}"),
        }
    }
}

#[expect(clippy::print_stderr, reason = "figures for docs/experiments")]
/// Claims by kind: how many there were, and how many did not hold.
fn check(games: Range<u64>, sides: &[usize]) -> Option<BTreeMap<String, (u32, Vec<String>)>> {
    let folder = tempfile::tempdir().unwrap();
    let networks = folder.path().join("networks");
    std::fs::create_dir_all(&networks).unwrap();
    let (usual, human) = (networks.join("usual.bin.gz"), networks.join("human.bin.gz"));
    std::fs::copy(fixtures::network("g170-b6c96")?, &usual).unwrap();
    std::fs::write(&human, fixtures::human_style()).unwrap();
    let (usual, human) = (network(&usual)?, network(&human)?);
    let asked = questions(&*usual, games, sides);
    let checker = Checker { network: Arc::clone(&usual) };
    let desk = Desk::with_networks(folder.path());
    desk.must("set_settings", json!({"threads": 1, "network": "usual.bin.gz", "precision": "exact"}));
    // Later games pass through the positions of earlier ones, so that other numbers than three occur.
    let kept: Vec<Kept> = asked.iter().step_by(3).flat_map(|question| games_on(&*usual, &question.game)).collect();
    for (number, one) in kept.iter().enumerate() {
        // Other people each: a game that goes on from another one is that game otherwise.
        let sgf = record(&one.game, &format!("PB[black{number:03}]PW[white{number:03}]RE[{}+R]", one.winner.letter()));
        desk.must("save_goban", json!({"goban": sgf}));
    }
    let mut claims: BTreeMap<String, (u32, Vec<String>)> = BTreeMap::new();
    for question in &asked {
        let text = sgf(question);
        let id = desk.open(&text);
        let last = desk.must("get_game", json!({"gameId": id}))["position"]["line"]
            .as_array()
            .unwrap()
            .last()
            .cloned()
            .unwrap();
        let card = json!({"kind": "turn", "gameId": id, "nodeId": last});
        let facts = desk.must("card_facts", json!({"card": card}));
        let best = desk.must("card_solution", json!({"card": card, "givenUp": false}))["best"].clone();
        let (Some(_), Some(played)) = (best.as_u64(), question.played.point()) else { continue };
        let best = point_of(&best, &question.game);
        let (after_played, after_best) =
            (after(&question.game, question.played).unwrap(), after(&question.game, Move::Place(best)).unwrap());
        claims.entry("positions".into()).or_default().0 += 1;
        let (seen_played, seen_best) = (checker.look(&after_played), checker.look(&after_best));
        let case = Case {
            checker: &checker,
            kept: &kept,
            human: &*human,
            asked: &question.game,
            after_played,
            after_best,
            seen_played,
            seen_best,
            best,
            played,
        };
        for view in facts["facts"].as_array().unwrap() {
            let kind = view["fact"]["kind"].as_str().unwrap();
            let (told, wrong) = claims.entry(kind.to_owned()).or_default();
            *told += 1;
            if !case.holds(view) {
                wrong.push(format!("{} in {text}", view["fact"]));
            }
        }
        desk.must("close_game", json!({"gameId": id}));
    }
    for (kind, (told, wrong)) in &claims {
        eprintln!("{kind}: {told}, wrong {}", wrong.len());
        wrong.iter().for_each(|wrong| eprintln!("  {wrong}"));
    }
    Some(claims)
}

#[test]
fn what_is_said_of_a_move_holds_when_another_search_looks() {
    let Some(claims) = check(0..2, &[9]) else { return };
    let wrong: Vec<&String> = claims.values().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(claims.len() > 3, "too few kinds of claims: {:?}", claims.keys());
    assert!(claims.contains_key("inLibrary") && claims.contains_key("byRank"), "{:?}", claims.keys());
}

#[test]
fn what_is_said_of_many_moves_holds_when_another_search_looks() {
    if !fixtures::slow_tests() {
        return;
    }
    // More of them by hand: docs/experiments/sentences.md.
    let games = std::env::var("HONINBO_CLAIM_GAMES").map_or(0..4, |games| {
        let (from, to) = games.split_once("..").expect("such as 0..26");
        from.parse().unwrap()..to.parse().unwrap()
    });
    let Some(claims) = check(games, &[9, 9, 13]) else { return };
    // What is only counted is never wrong, and would hide what is.
    let of_searches = |kind: &str| !["positions", "byRank", "inLibrary"].contains(&kind);
    let told: u32 = claims.iter().filter(|(kind, _)| of_searches(kind)).map(|(_, (told, _))| told).sum();
    let wrong: usize = claims.values().map(|(_, wrong)| wrong.len()).sum();
    assert!(claims["positions"].0 >= 30 && told >= 45, "{told} claims of {} positions", claims["positions"].0);
    assert!(wrong * 50 <= told as usize, "{wrong} of {told} claims did not hold");
}
