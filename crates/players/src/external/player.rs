//! A GTP engine as an opponent.

use std::time::Duration;

use honinbo_net::StopFlag;
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Ruleset, Setup, Topology, Turn};

use super::{CommandLine, EngineError, EngineLimits, GtpClient};
use crate::{Player, PlayerError};

/// A program that speaks GTP, started when it is first needed and again after it failed.
///
/// It is told what happened since it was asked last: moves, take-backs, a new game. Rules are told to engines that
/// know `kata-set-rules`; others play by what their command line says.
pub struct GtpPlayer {
    line: CommandLine,
    limits: EngineLimits,
    /// Commands that are given after every start.
    opening_commands: Vec<String>,
    client: Option<GtpClient>,
    told: Option<Told>,
    name: String,
}

/// What the engine knows of the game.
struct Told {
    setup: Setup,
    ruleset: Ruleset,
    komi: honinbo_rules::Komi,
    turns: Vec<(Color, Move)>,
}

impl GtpPlayer {
    /// An engine that is not started yet. `opening_commands` are given after every start; one that is refused is a
    /// failure to start.
    #[must_use]
    pub fn new(line: CommandLine, limits: EngineLimits, opening_commands: Vec<String>) -> GtpPlayer {
        let name = std::path::Path::new(line.program())
            .file_stem()
            .map_or_else(|| line.program().to_owned(), |stem| stem.to_string_lossy().into_owned());
        GtpPlayer { line, limits, opening_commands, client: None, told: None, name }
    }

    /// Starts it if it is not running, and gives the controller.
    ///
    /// # Errors
    /// When it does not start, or refuses an opening command.
    pub fn client(&mut self) -> Result<&mut GtpClient, EngineError> {
        if self.client.as_ref().is_none_or(GtpClient::is_gone) {
            self.client = None;
            self.told = None;
            let mut client = GtpClient::start(&self.line, self.limits)?;
            for command in &self.opening_commands {
                client.ask(command)?;
            }
            self.name = format!("{} {}", client.name(), client.version()).trim().to_owned();
            self.client = Some(client);
        }
        self.client.as_mut().ok_or_else(|| EngineError::Gone { program: self.line.program().to_owned() })
    }

    /// Ends the program; it is started again when it is next needed.
    pub fn end(&mut self) {
        self.client = None;
        self.told = None;
    }

    /// Brings its board to this game.
    fn follow(&mut self, game: &Game) -> Result<(), EngineError> {
        self.client()?;
        let turns: Vec<(Color, Move)> =
            game.turns().iter().map(|&Turn { color, played, .. }| (color, played)).collect();
        let mut told = self.told.take();
        let Some(client) = &mut self.client else { return Ok(()) };
        if let Some(known) = &mut told {
            let shared = known.turns.iter().zip(&turns).take_while(|(a, b)| a == b).count();
            let extra = known.turns.len() - shared;
            let same_start =
                known.setup == *game.setup() && known.ruleset == *game.ruleset() && known.komi == game.komi();
            if !same_start || (extra > 0 && !client.knows("undo")) {
                told = None;
            } else {
                for _ in 0..extra {
                    if client.ask("undo").map_err(keep_fatal).is_err_and(|error| error.is_none()) {
                        // Not every engine can take back everything: it is told the game from its start instead.
                        told = None;
                        break;
                    }
                    known.turns.pop();
                }
            }
        }
        if client.is_gone() {
            return Err(EngineError::Gone { program: client.program() });
        }
        let mut known = match told {
            Some(known) => known,
            None => set_up(client, game)?,
        };
        let size = game.board().size();
        for &(color, played) in &turns[known.turns.len()..] {
            if played != Move::Resign {
                client.ask(&format!("play {color} {}", played.to_gtp(size)))?;
            }
            known.turns.push((color, played));
        }
        self.told = Some(known);
        Ok(())
    }

    fn generate(&mut self, game: &Game, command: &str, within: Duration) -> Result<Move, EngineError> {
        self.follow(game)?;
        let size = game.board().size();
        let color = game.to_play();
        let command = format!("{command} {color}");
        let client = self.client()?;
        let answer = client.ask_within(&command, within)?;
        let program = client.program();
        let refused = || EngineError::NoMove { program, command, answer: answer.clone(), board: size.to_string() };
        let word = answer.split_whitespace().next().unwrap_or_default();
        let played = Move::from_gtp(word, size).ok_or_else(refused);
        match (&played, &mut self.told) {
            (Ok(Move::Resign), _) => {}
            (&Ok(played), Some(told)) => told.turns.push((color, played)),
            // Its board is not known any more.
            _ => self.told = None,
        }
        played
    }
}

/// `None` for what leaves the program running.
fn keep_fatal(error: EngineError) -> Option<EngineError> {
    (!error.leaves_it_running()).then_some(error)
}

/// Board, rules, komi and stones of a game's start.
fn set_up(client: &mut GtpClient, game: &Game) -> Result<Told, EngineError> {
    let setup = game.setup();
    let size = setup.size;
    if setup.topology != Topology::Plane {
        return Err(EngineError::Topology { program: client.program(), topology: setup.topology.to_string() });
    }
    if size.is_square() {
        client.ask(&format!("boardsize {}", size.width()))?;
    } else {
        client.ask(&format!("rectangular_boardsize {} {}", size.width(), size.height()))?;
    }
    client.ask("clear_board")?;
    if client.knows("kata-set-rules") {
        let name = Preset::of(game.ruleset()).filter(|preset| !matches!(preset, Preset::Honinbo | Preset::Daoqi));
        let rules = name.map_or_else(|| json_of(game.ruleset()), |preset| preset.name().to_owned());
        client.ask(&format!("kata-set-rules {rules}"))?;
    }
    client.ask(&format!("komi {}", game.komi().points()))?;
    place_stones(client, setup, size)?;
    Ok(Told { setup: setup.clone(), ruleset: *game.ruleset(), komi: game.komi(), turns: Vec::new() })
}

fn json_of(ruleset: &Ruleset) -> String {
    let mut json = ruleset.to_json();
    if let Some(parts) = json.as_object_mut() {
        parts.remove("komi");
    }
    json.to_string()
}

fn place_stones(client: &mut GtpClient, setup: &Setup, size: BoardSize) -> Result<(), EngineError> {
    let only_black = setup.stones.iter().all(|&(_, color)| color == Color::Black);
    if only_black && setup.stones.len() >= 2 && client.knows("set_free_handicap") {
        let points: Vec<String> = setup.stones.iter().map(|(point, _)| point.to_gtp(size)).collect();
        client.ask(&format!("set_free_handicap {}", points.join(" ")))?;
        return Ok(());
    }
    for (point, color) in &setup.stones {
        client.ask(&format!("play {color} {}", point.to_gtp(size)))?;
    }
    Ok(())
}

impl Player for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, within: Duration, _stop: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.generate(game, "genmove", within)?)
    }

    fn clean_up(&mut self, game: &Game, within: Duration, _stop: &StopFlag) -> Result<Move, PlayerError> {
        let knows = self.client()?.knows("kgs-genmove_cleanup");
        Ok(self.generate(game, if knows { "kgs-genmove_cleanup" } else { "genmove" }, within)?)
    }

    fn black_lead(&mut self, game: &Game, within: Duration) -> Option<f64> {
        self.follow(game).ok()?;
        let answer = self.client().ok()?.ask_within("final_score", within).ok()?;
        // "B+3.5", "W+0.5", "0"; GNU Go adds its upper and lower bound.
        let word = answer.split_whitespace().next()?;
        let points = |text: &str| text.parse::<f64>().ok().filter(|points| points.is_finite());
        match word.split_at_checked(2)? {
            ("B+" | "b+", margin) => points(margin),
            ("W+" | "w+", margin) => points(margin).map(|points| -points),
            _ => points(word),
        }
    }

    fn dead_stones(&mut self, game: &Game, within: Duration) -> Option<Vec<Point>> {
        self.follow(game).ok()?;
        let answer = self.client().ok()?.ask_within("final_status_list dead", within).ok()?;
        let size = game.board().size();
        answer.split_whitespace().map(|word| Point::from_gtp(word, size)).collect()
    }
}
