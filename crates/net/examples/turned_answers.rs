//! What it would bring to know a position again when it comes up turned or mirrored.
//!
//! `cargo run --release -p honinbo-net --example turned_answers -- NETWORK [RECORDED_SEARCHES.jsonl.gz]`
//!
//! Without recorded searches: searches as analysis makes them, over opening positions, and how many of their questions
//! an exact memory answers and how many more one that knows turned positions. With them: whether the searches are still
//! KataGo's. ONNX Runtime is taken from `HONINBO_ONNXRUNTIME` or the resources.

#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use std::collections::HashMap;
use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, PositionKey, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_rules::{BoardSize, Game, Komi, Move, Point, Preset, Setup, Symmetry, Topology};
use honinbo_search::check::check_recorded_searches;
use honinbo_search::{Search, SearchLimits, SearchParams};
use honinbo_testkit::fixtures;

/// What counts as the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Same {
    Nothing,
    Exactly,
    Turned,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    asked: u64,
    exact: u64,
    turned: u64,
}

/// Remembers all answers.
struct Remembering {
    inner: Arc<dyn Evaluator>,
    same: Same,
    state: Mutex<(HashMap<PositionKey, Evaluation>, Counts)>,
}

impl Remembering {
    fn known(&self, request: &EvalRequest<'_>) -> Option<Evaluation> {
        let mut state = self.state.lock().expect("nobody panics with it");
        let (answers, counts) = &mut *state;
        counts.asked += 1;
        if self.same == Same::Nothing {
            return None;
        }
        if let Some(answer) = answers.get(&PositionKey::of(request)) {
            counts.exact += 1;
            return Some(answer.clone());
        }
        if self.same == Same::Exactly {
            return None;
        }
        Symmetry::ALL.into_iter().skip(1).find_map(|symmetry| {
            let game = turned(request.game, symmetry)?;
            let answer = answers.get(&PositionKey::of(&EvalRequest { game: &game, params: request.params }))?;
            counts.turned += 1;
            Some(turned_back(answer, symmetry, game.board().size()))
        })
    }
}

impl Evaluator for Remembering {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        requests
            .iter()
            .map(|request| {
                if let Some(known) = self.known(request) {
                    return Ok(known);
                }
                let answer = self.inner.evaluate(&[*request], stop)?.remove(0);
                let mut state = self.state.lock().expect("nobody panics with it");
                state.0.insert(PositionKey::of(request), answer.clone());
                Ok(answer)
            })
            .collect()
    }
}

/// The game with all its moves turned, where it began on an empty board.
fn turned(game: &Game, symmetry: Symmetry) -> Option<Game> {
    let size = game.board().size();
    let mut image = Game::new(game.setup().clone()).ok().filter(|_| game.setup().stones.is_empty())?;
    for turn in game.turns() {
        let played = match turn.played {
            Move::Place(point) => Move::Place(symmetry.apply(point, size)),
            other => other,
        };
        image.play(turn.color, played).ok()?;
    }
    Some(image)
}

fn turned_back(answer: &Evaluation, symmetry: Symmetry, size: BoardSize) -> Evaluation {
    let image = |values: &[f32]| -> Vec<f32> {
        Point::all(size).map(|point| values[symmetry.apply(point, size).index(size)]).collect()
    };
    let mut policy = image(&answer.policy);
    policy.extend(answer.policy.get(size.area()));
    let white_ownership = answer.white_ownership.as_ref().map(|ownership| image(ownership).into());
    Evaluation { policy: policy.into(), white_ownership, ..answer.clone() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let network = arguments.get(1).ok_or("name a network file")?;
    let runtime = Runtime::load(&LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]))?;
    let inner: Arc<dyn Evaluator> =
        Arc::new(open_network(Path::new(network), &runtime, EvaluatorOptions::cpu(1), (19, 19))?);
    let of = |same| Arc::new(Remembering { inner: Arc::clone(&inner), same, state: Mutex::default() });
    let counts = |remembering: &Remembering| remembering.state.lock().expect("nobody panics with it").1;
    if let Some(recorded) = arguments.get(2) {
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(recorded)?).read_to_string(&mut text)?;
        for same in [Same::Nothing, Same::Exactly, Same::Turned] {
            let mut searches = (0, 0);
            let mut sums = Counts::default();
            // Each search has a memory of its own, as when it was recorded.
            for line in text.lines().filter(|line| !line.contains("\"max_visits\":500,")) {
                let remembering = of(same);
                let evaluator: Arc<dyn Evaluator> = Arc::clone(&remembering) as _;
                let report = check_recorded_searches(&evaluator, std::iter::once(line), &StopFlag::new(), |_| {})?;
                searches = (searches.0 + report.same_visits, searches.1 + report.searches);
                let seen = counts(&remembering);
                sums.asked += seen.asked;
                sums.exact += seen.exact;
                sums.turned += seen.turned;
            }
            println!("{same:?}: {} of {} searches have KataGo's visits, {sums:?}", searches.0, searches.1);
        }
        return Ok(());
    }
    for (side, opening, visits) in [
        (9, "", 800),
        (19, "", 800),
        (19, "Q16", 400),
        (19, "Q16 D4", 400),
        (19, "Q16 D4 Q4 D16", 400),
        (19, "Q16 D4 Q4 D16 O3", 400),
        (19, "R16 D4 Q3 D16 F17 C14 C12", 400),
        (9, "E5 C6 G4", 400),
    ] {
        let size = BoardSize::square(side)?;
        let mut game =
            Game::new(Setup::new(size, Topology::Plane, Preset::Japanese.ruleset(), Komi::from_points(6.5)?))?;
        for vertex in opening.split_whitespace() {
            let played = Move::from_gtp(vertex, size).ok_or("a point of an opening")?;
            game.play(game.to_play(), played)?;
        }
        let remembering = of(Same::Turned);
        // Twice with other random numbers: a person comes back to a position, or a sweep meets what live analysis saw.
        for seed in [1, 2] {
            let search = Search::new(Arc::clone(&remembering) as _, game.clone(), SearchParams::analysis(), seed)?;
            search.run(&SearchLimits { max_visits: visits, ..SearchLimits::default() }, &StopFlag::new())?;
        }
        println!("{side}x{side} after [{opening}], twice {visits} visits: {:?}", counts(&remembering));
    }
    Ok(())
}
