//! KataGo's analysis engine as an opponent: a question in JSON, the best move of the answer.

use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, Game, Move, Scoring, Topology, clean_up_move};
use serde_json::{Value, json};

use super::client::quoted;
use super::lines::Next;
use super::player::{end_aside, rules_of};
use super::process::Process;
use super::{CommandLine, EngineError, EngineLimits};
use crate::{Player, PlayerError};

/// Lines and bytes that are no JSON and are passed over: greetings, logs.
const MAX_NOISE: (usize, usize) = (1000, 256 << 10);
/// How often somebody's wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// A program that speaks the JSON protocol of KataGo's analysis engine (`katago analysis`), started when it is first
/// needed and again after it failed.
///
/// Each question holds the whole game, so that take-backs need no word. Source of the format: KataGo's
/// `docs/Analysis_Engine.md`.
pub struct AnalysisPlayer {
    line: CommandLine,
    limits: EngineLimits,
    /// Visits of a move; `None` leaves them to its configuration.
    visits: Option<u64>,
    process: Option<Process>,
    /// Questions so far; their numbers are their names.
    asked: u64,
    /// It has answered since it was started.
    answered: bool,
    name: String,
    /// Set by whoever does not want it any more, whatever it is at.
    abandoned: StopFlag,
}

impl AnalysisPlayer {
    /// An engine that is not started yet.
    #[must_use]
    pub fn new(line: CommandLine, limits: EngineLimits, visits: Option<u64>) -> AnalysisPlayer {
        let name = line.short_name();
        let abandoned = StopFlag::new();
        AnalysisPlayer { line, limits, visits, process: None, asked: 0, answered: false, name, abandoned }
    }

    /// The same engine, given up once `abandoned` is set, whatever is waited for.
    #[must_use]
    pub fn unless(self, abandoned: StopFlag) -> AnalysisPlayer {
        AnalysisPlayer { abandoned, ..self }
    }

    /// Whether it was started and not given up since.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// What it calls itself: `KataGo 1.17.2`. Starts it if it is not running.
    ///
    /// # Errors
    /// When it does not start, or does not speak the protocol.
    pub fn introduction(&mut self) -> Result<String, EngineError> {
        let query = json!({ "action": "query_version" });
        let answer = self.converse(query, Some(self.limits.start), &StopFlag::new(), &mut |_| true)?;
        // Other engines of this protocol say who they are beside the version of KataGo that they speak as.
        let named = answer["engine"].as_str().map(|name| quoted(name.as_bytes()));
        let version = quoted(answer["version"].as_str().unwrap_or_default().as_bytes());
        Ok(named.unwrap_or_else(|| format!("KataGo {version}").trim().to_owned()))
    }

    /// Asks, and gives the last answer; reports during the search go to `on_report`, which ends the search with false.
    /// Without a limit of time it waits for as long as the search goes on.
    pub(super) fn converse(
        &mut self,
        mut question: Value,
        within: Option<Duration>,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(&Value) -> bool,
    ) -> Result<Value, EngineError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                self.answered = false;
                Process::start(&self.line)?
            }
        };
        self.asked += 1;
        question["id"] = self.asked.to_string().into();
        process.send(question.to_string());
        // Reading a large network takes long, and is no fault of the move.
        let within = within.map(|within| if self.answered { within } else { within.max(self.limits.start) });
        let first = if self.answered { None } else { Some(self.limits.start) };
        // To be told to stop is no question that makes it think.
        let to_end = self.limits.answer;
        let mut conversation =
            Conversation { process, number: self.asked, within, first, to_end, stop, abandoned: &self.abandoned };
        let answer = conversation.answer(on_report);
        if answer.as_ref().err().is_none_or(EngineError::leaves_it_running) {
            self.answered = true;
            self.process = Some(conversation.process);
        }
        answer
    }

    /// Whether the board is one that the protocol has.
    pub(super) fn check_board(&self, game: &Game) -> Result<(), EngineError> {
        match game.setup().topology {
            Topology::Plane => Ok(()),
            other => {
                Err(EngineError::Topology { program: self.line.program().to_owned(), topology: other.to_string() })
            }
        }
    }

    fn ask(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, EngineError> {
        self.check_board(game)?;
        let answer = self.converse(question(game, self.visits), Some(within), stop, &mut |_| true)?;
        let size = game.board().size();
        if let Some(played) = passing(game, &answer) {
            return Ok(played);
        }
        let best = best_of(&answer).and_then(|info| info["move"].as_str());
        let no_move = |said: &str| EngineError::NoMove {
            program: self.line.program().to_owned(),
            command: "query".into(),
            answer: quoted(said.as_bytes()),
            board: size.to_string(),
        };
        let word = best.ok_or_else(|| no_move(&answer.to_string()))?;
        match Move::from_gtp(word, size) {
            Some(played) if played != Move::Resign => Ok(played),
            _ => Err(no_move(word)),
        }
    }
}

/// One question and its answer.
struct Conversation<'a> {
    process: Process,
    number: u64,
    /// How long it may take; `None` as long as the search goes on.
    within: Option<Duration>,
    /// How long the first sign may take where it was just started.
    first: Option<Duration>,
    /// How long it may take to give its best move so far once it was told to stop.
    to_end: Duration,
    stop: &'a StopFlag,
    abandoned: &'a StopFlag,
}

impl Conversation<'_> {
    fn answer(&mut self, on_report: &mut dyn FnMut(&Value) -> bool) -> Result<Value, EngineError> {
        let endless = Duration::from_secs(366 * 24 * 3600);
        let began = Instant::now();
        let mut deadline = began + self.within.or(self.first).unwrap_or(endless);
        let (mut stopped, mut enough) = (false, false);
        let mut noise = (0, 0);
        let mut last_noise = Vec::new();
        loop {
            if self.abandoned.is_set() {
                return Err(EngineError::Gone { program: self.program() });
            }
            if (self.stop.is_set() || enough) && !stopped {
                stopped = true;
                self.process.send(json!({"id": "stop", "action": "terminate", "terminateId": self.name()}).to_string());
                deadline = deadline.min(Instant::now() + self.to_end);
            }
            let now = Instant::now();
            // A program that always has another line would never let the queue run dry.
            let next = if now >= deadline { Next::TimeOver } else { self.process.lines.next(deadline.min(now + LOOK)) };
            let line = match next {
                Next::Line(line) => line,
                Next::TimeOver if Instant::now() < deadline => continue,
                Next::TimeOver if last_noise.is_empty() => {
                    let seconds = deadline.duration_since(began).as_secs_f64();
                    let (program, command) = (self.program(), "query".into());
                    return Err(EngineError::Late { program, command, seconds });
                }
                Next::TimeOver => return Err(self.nonsense(&last_noise)),
                Next::Ended => return Err(self.ended()),
            };
            let said: Value = match serde_json::from_slice(&line) {
                Ok(said @ Value::Object(_)) => said,
                _ => {
                    noise = (noise.0 + 1, noise.1 + line.len());
                    if noise.0 > MAX_NOISE.0 || noise.1 > MAX_NOISE.1 {
                        return Err(self.nonsense(&line));
                    }
                    if !line.iter().all(u8::is_ascii_whitespace) {
                        last_noise = line;
                    }
                    continue;
                }
            };
            let about = said["id"].as_str().unwrap_or_default();
            if about != self.name() {
                let is_old = about.parse().is_ok_and(|number: u64| number < self.number) || about == "stop";
                if is_old {
                    continue;
                }
                if let Some(message) = said["error"].as_str() {
                    return Err(self.refused(message));
                }
                return Err(EngineError::OutOfTurn { program: self.program(), line: quoted(&line) });
            }
            if let Some(message) = said["error"].as_str() {
                return Err(self.refused(message));
            }
            // Warnings and reports during the search come before the answer.
            if said["isDuringSearch"] == true {
                if self.within.is_none() && !stopped {
                    deadline = began + endless;
                }
                enough |= !on_report(&said);
                continue;
            }
            if said.get("warning").is_some() {
                noise = (noise.0 + 1, noise.1 + line.len());
                if noise.0 > MAX_NOISE.0 {
                    return Err(self.nonsense(&line));
                }
                continue;
            }
            return Ok(said);
        }
    }

    fn name(&self) -> String {
        self.number.to_string()
    }

    fn program(&self) -> String {
        self.process.program().to_owned()
    }

    fn refused(&self, message: &str) -> EngineError {
        EngineError::Refused { program: self.program(), command: "query".into(), message: quoted(message.as_bytes()) }
    }

    fn nonsense(&self, line: &[u8]) -> EngineError {
        EngineError::NoJson { program: self.program(), line: quoted(line) }
    }

    fn ended(&mut self) -> EngineError {
        let (how, complaint) = self.process.end();
        let said = if complaint.is_empty() { String::new() } else { format!(": {}", quoted(complaint.as_bytes())) };
        EngineError::Ended { program: self.program(), how, command: "query".into(), said }
    }
}

/// The game as the protocol writes it.
pub(super) fn question(game: &Game, visits: Option<u64>) -> Value {
    let (setup, size) = (game.setup(), game.board().size());
    let letter = |color: Color| if color == Color::Black { "B" } else { "W" };
    let stones: Vec<[String; 2]> =
        setup.stones.iter().map(|(point, color)| [letter(*color).to_owned(), point.to_gtp(size)]).collect();
    let moves: Vec<[String; 2]> = game
        .turns()
        .iter()
        .filter(|turn| turn.played != Move::Resign)
        .map(|turn| [letter(turn.color).to_owned(), turn.played.to_gtp(size)])
        .collect();
    let mut question = json!({
        "initialStones": stones, "moves": moves,
        "initialPlayer": letter(game.turns().first().map_or(game.to_play(), |turn| turn.color)),
        "rules": rules_of(game.ruleset()), "komi": game.komi().points(),
        "boardXSize": size.width(), "boardYSize": size.height(),
        // Whatever its configuration says.
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
    });
    if let Some(visits) = visits {
        question["maxVisits"] = visits.into();
    }
    question
}

/// The candidate that the engine would play.
fn best_of(answer: &Value) -> Option<&Value> {
    let place = |info: &&Value| info["order"].as_u64().unwrap_or(u64::MAX);
    answer["moveInfos"].as_array()?.iter().min_by_key(place)
}

/// Points that a pass may cost in return for the opponent's.
const PASS_COSTS: f64 = 0.25;
/// What it may cost of the chance to win.
const PASS_RISKS: f64 = 0.05;

/// What its rules make of passing, where that is another move than the best: the analysis protocol says what is best on
/// the board, and only its GTP engine knows how games end. Where dead stones are agreed on, a pass answers a pass that
/// costs nothing; where they are not, they are taken before the last pass.
///
/// Source: KataGo v1.17.2, `playutils.cpp`, `maybeFriendlyPass` and `maybeCleanupBeforePass`.
fn passing(game: &Game, answer: &Value) -> Option<Move> {
    let (mover, ruleset, size) = (game.to_play(), game.ruleset(), game.board().size());
    let best = best_of(answer)?;
    let played = Move::from_gtp(best["move"].as_str()?, size)?;
    if ruleset.scoring == Scoring::Area && !ruleset.friendly_pass {
        return if played == Move::Pass { clean_up_move(game) } else { None };
    }
    let passed = game.turns().last().is_some_and(|turn| turn.color != mover && turn.played == Move::Pass);
    if !passed || !ruleset.friendly_pass || played == Move::Pass {
        return None;
    }
    let infos = answer["moveInfos"].as_array()?;
    let pass = infos.iter().find(|info| info["move"].as_str().is_some_and(|word| word.eq_ignore_ascii_case("pass")))?;
    // For the player to move: the question asks for Black's side.
    let sign = if mover == Color::Black { 1.0 } else { -1.0 };
    let loses = |field: &str| Some(sign * (best[field].as_f64()? - pass[field].as_f64()?));
    let harmless = loses("scoreLead")? <= PASS_COSTS && loses("winrate")? <= PASS_RISKS;
    harmless.then_some(Move::Pass)
}

impl Player for AnalysisPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.ask(game, within, stop)?)
    }

    fn is_ready(&self) -> bool {
        self.is_running()
    }

    fn prepare(&mut self) -> Result<(), PlayerError> {
        if self.is_running() {
            return Ok(());
        }
        let introduced = self.introduction();
        // Some say who they are before they have read their network: the first turn may still take long.
        self.answered = false;
        match introduced {
            Err(error) if !error.leaves_it_running() => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn abandon_when(&mut self, abandoned: StopFlag) {
        self.abandoned = abandoned;
    }

    fn rest(&mut self) {
        end_aside(self.process.take());
    }
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Point, Ruleset, Setup};

    use super::*;

    /// A 9x9 game under these rules in which Black has passed, and White is to move.
    fn passed(ruleset: Ruleset) -> Game {
        let mut game =
            Game::new(Setup::new(BoardSize::NINE, Topology::Plane, ruleset, Komi::from_half_points(13))).unwrap();
        game.play(Color::Black, Move::Pass).unwrap();
        game
    }

    fn answer(best: &str, best_lead: f64, pass_lead: f64) -> Value {
        let info = |word: &str, order: u64, lead: f64| json!({ "move": word, "order": order, "scoreLead": lead, "winrate": 0.5 });
        json!({ "moveInfos": [info(best, 0, best_lead), info("pass", 1, pass_lead)] })
    }

    #[test]
    fn a_pass_that_costs_nothing_answers_a_pass_where_the_rules_let_it() {
        let chinese = passed(honinbo_rules::Preset::Chinese.ruleset());
        // White gains what Black's lead loses.
        assert_eq!(passing(&chinese, &answer("D4", -6.0, -5.9)), Some(Move::Pass));
        assert_eq!(passing(&chinese, &answer("D4", -6.0, -5.0)), None, "a point is a point");
        assert_eq!(passing(&chinese, &answer("D4", -5.0, -6.0)), Some(Move::Pass), "it even gains");
        let mut early = chinese.clone();
        early.undo().unwrap();
        assert_eq!(passing(&early, &answer("D4", 6.0, 6.0)), None, "nobody has passed");
        let tromp_taylor = passed(Ruleset::TROMP_TAYLOR);
        assert_eq!(passing(&tromp_taylor, &answer("D4", -6.0, -6.0)), None, "every stone counts");
    }

    #[test]
    fn dead_stones_are_taken_before_a_pass_where_all_stones_count() {
        // White has two eyes above and all of the left; Black has one stone below.
        let size = BoardSize::square(5).unwrap();
        let mut setup = Setup::new(size, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15));
        let wall = (1..4).flat_map(|y| (0..5).map(move |x| (x, y)));
        let white = wall.chain([(1, 0), (3, 0)]).map(|(x, y)| (Point::new(x, y), Color::White));
        setup.stones = white.chain([(Point::new(2, 4), Color::Black)]).collect();
        setup.first_player = Color::White;
        let game = Game::new(setup).unwrap();
        let played = passing(&game, &answer("pass", 0.0, 0.0)).and_then(Move::point).unwrap();
        assert!([(1, 4), (3, 4)].contains(&(played.x(), played.y())), "{played:?}");
        assert_eq!(passing(&game, &answer("A5", 0.0, 0.0)), None, "only in place of a pass");
    }

    #[test]
    fn a_question_holds_the_whole_game() {
        let mut setup = Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(13));
        setup.stones = vec![(Point::new(2, 2), Color::Black), (Point::new(6, 6), Color::Black)];
        let mut game = Game::new(setup).unwrap();
        let first = game.to_play();
        game.play(first, Move::Place(Point::new(4, 4))).unwrap();
        game.play(first.opponent(), Move::Pass).unwrap();
        let asked = question(&game, Some(50));
        assert_eq!((&asked["maxVisits"], &asked["komi"]), (&json!(50), &json!(6.5)));
        assert_eq!(asked["initialStones"], json!([["B", "C7"], ["B", "G3"]]));
        let (own, other) = if first == Color::Black { ("B", "W") } else { ("W", "B") };
        assert_eq!(asked["moves"], json!([[own, "E5"], [other, "pass"]]));
        assert_eq!((&asked["boardXSize"], &asked["rules"]), (&json!(9), &json!("tromp-taylor")));
        assert_eq!(question(&game, None).get("maxVisits"), None);
    }
}
