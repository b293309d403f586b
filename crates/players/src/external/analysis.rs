//! KataGo's analysis engine as an opponent: a question in JSON, the best move of the answer.

use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, Game, Move, Topology};
use serde_json::{Value, json};

use super::client::quoted;
use super::lines::Next;
use super::player::rules_of;
use super::process::Process;
use super::{CommandLine, EngineError, EngineLimits};
use crate::{Player, PlayerError};

/// Lines and bytes that are no JSON and are passed over: greetings, logs.
const MAX_NOISE: (usize, usize) = (1000, 256 << 10);
/// How often somebody's wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// What an engine that was told to stop may still take to give its best move so far.
const LAST_WORDS: Duration = Duration::from_secs(2);

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
}

impl AnalysisPlayer {
    /// An engine that is not started yet.
    #[must_use]
    pub fn new(line: CommandLine, limits: EngineLimits, visits: Option<u64>) -> AnalysisPlayer {
        let name = line.short_name();
        AnalysisPlayer { line, limits, visits, process: None, asked: 0, answered: false, name }
    }

    fn ask(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, EngineError> {
        let program = || self.line.program().to_owned();
        if game.setup().topology != Topology::Plane {
            return Err(EngineError::Topology { program: program(), topology: game.setup().topology.to_string() });
        }
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                self.answered = false;
                Process::start(&self.line)?
            }
        };
        self.asked += 1;
        process.send(question(game, self.asked, self.visits).to_string());
        // Reading a large network takes long, and is no fault of the move.
        let within = if self.answered { within } else { within.max(self.limits.start) };
        let mut conversation = Conversation { process, number: self.asked, within, stop };
        let answer = conversation.answer();
        if answer.as_ref().err().is_none_or(EngineError::leaves_it_running) {
            self.answered = true;
            self.process = Some(conversation.process);
        }
        let answer = answer?;
        let size = game.board().size();
        let best = answer["moveInfos"].as_array().and_then(|infos| {
            let place = |info: &&Value| info["order"].as_u64().unwrap_or(u64::MAX);
            infos.iter().min_by_key(place)?["move"].as_str()
        });
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
    within: Duration,
    stop: &'a StopFlag,
}

impl Conversation<'_> {
    fn answer(&mut self) -> Result<Value, EngineError> {
        let mut deadline = Instant::now() + self.within;
        let mut stopped = false;
        let mut noise = (0, 0);
        let mut last_noise = Vec::new();
        loop {
            if self.stop.is_set() && !stopped {
                stopped = true;
                self.process.send(json!({"id": "stop", "action": "terminate", "terminateId": self.name()}).to_string());
                deadline = deadline.min(Instant::now() + LAST_WORDS);
            }
            let now = Instant::now();
            // A program that always has another line would never let the queue run dry.
            let next = if now >= deadline { Next::TimeOver } else { self.process.lines.next(deadline.min(now + LOOK)) };
            let line = match next {
                Next::Line(line) => line,
                Next::TimeOver if Instant::now() < deadline => continue,
                Next::TimeOver if last_noise.is_empty() => {
                    let (program, command, seconds) = (self.program(), "query".into(), self.within.as_secs_f64());
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
            if said.get("warning").is_some() || said["isDuringSearch"] == true {
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
fn question(game: &Game, number: u64, visits: Option<u64>) -> Value {
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
        "id": number.to_string(), "initialStones": stones, "moves": moves,
        "initialPlayer": letter(game.turns().first().map_or(game.to_play(), |turn| turn.color)),
        "rules": rules_of(game.ruleset()), "komi": game.komi().points(),
        "boardXSize": size.width(), "boardYSize": size.height(),
    });
    if let Some(visits) = visits {
        question["maxVisits"] = visits.into();
    }
    question
}

impl Player for AnalysisPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.ask(game, within, stop)?)
    }
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Point, Ruleset, Setup};

    use super::*;

    #[test]
    fn a_question_holds_the_whole_game() {
        let mut setup = Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(13));
        setup.stones = vec![(Point::new(2, 2), Color::Black), (Point::new(6, 6), Color::Black)];
        let mut game = Game::new(setup).unwrap();
        let first = game.to_play();
        game.play(first, Move::Place(Point::new(4, 4))).unwrap();
        game.play(first.opponent(), Move::Pass).unwrap();
        let asked = question(&game, 7, Some(50));
        assert_eq!((&asked["id"], &asked["maxVisits"], &asked["komi"]), (&json!("7"), &json!(50), &json!(6.5)));
        assert_eq!(asked["initialStones"], json!([["B", "C7"], ["B", "G3"]]));
        let (own, other) = if first == Color::Black { ("B", "W") } else { ("W", "B") };
        assert_eq!(asked["moves"], json!([[own, "E5"], [other, "pass"]]));
        assert_eq!((&asked["boardXSize"], &asked["rules"]), (&json!(9), &json!("tromp-taylor")));
        assert_eq!(question(&game, 1, None).get("maxVisits"), None);
    }
}
