//! A GTP engine as an opponent.

use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Ruleset, Scoring, Setup, Topology, Turn};

use honinbo_search::TimeSystem;
use serde_json::Value;

use super::{CommandLine, EngineError, EngineLimits, GtpClient};
use crate::{GameClock, Player, PlayerError, TimeControl, TimeLeft};

/// A program that speaks GTP, started when it is first needed and again after it failed.
///
/// It is told what happened since it was asked last: moves, take-backs, a new game. Rules are told to engines that
/// know `kata-set-rules`, or by the nearest that `kgs-rules` has; others play by what their command line says.
pub struct GtpPlayer {
    line: CommandLine,
    limits: EngineLimits,
    /// Commands that are given after every start.
    opening_commands: Vec<String>,
    client: Option<GtpClient>,
    sent: Option<Sent>,
    /// The clock of the game, and what it shows; `None` plays without.
    clock: Option<(TimeControl, [TimeLeft; 2])>,
    /// The time control that the running program was told.
    sent_control: Option<TimeControl>,
    name: String,
    /// Set by whoever does not want it any more, whatever it is at.
    abandoned: StopFlag,
}

/// What the engine knows of the game.
struct Sent {
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
        let name = line.short_name();
        GtpPlayer {
            line,
            limits,
            opening_commands,
            client: None,
            sent: None,
            clock: None,
            sent_control: None,
            name,
            abandoned: StopFlag::new(),
        }
    }

    /// The same engine, given up once `abandoned` is set, whatever is waited for: see [`GtpClient::start_unless`].
    #[must_use]
    pub fn unless(self, abandoned: StopFlag) -> GtpPlayer {
        GtpPlayer { abandoned, ..self }
    }

    /// Whether it was started and not given up since.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.client.as_ref().is_some_and(|client| !client.is_gone())
    }

    /// Starts it if it is not running, and gives the controller.
    ///
    /// # Errors
    /// When it does not start, or refuses an opening command.
    pub fn client(&mut self) -> Result<&mut GtpClient, EngineError> {
        if !self.is_running() {
            self.client = None;
            self.sent = None;
            self.sent_control = None;
            let mut client = GtpClient::start_unless(self.abandoned.clone(), &self.line, self.limits)?;
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
        self.sent = None;
        self.sent_control = None;
    }

    /// Brings its board to this game.
    pub(super) fn follow(&mut self, game: &Game) -> Result<(), EngineError> {
        self.client()?;
        let turns: Vec<(Color, Move)> =
            game.turns().iter().map(|&Turn { color, played, .. }| (color, played)).collect();
        let mut sent = self.sent.take();
        let Some(client) = &mut self.client else { return Ok(()) };
        if let Some(known) = &mut sent {
            let shared = known.turns.iter().zip(&turns).take_while(|(a, b)| a == b).count();
            let extra = known.turns.len() - shared;
            let same_start =
                known.setup == *game.setup() && known.ruleset == *game.ruleset() && known.komi == game.komi();
            if !same_start || (extra > 0 && !client.knows("undo")) {
                sent = None;
            } else {
                for _ in 0..extra {
                    if client.ask("undo").map_err(keep_fatal).is_err_and(|error| error.is_none()) {
                        // Not every engine can take back everything: it is told the game from its start instead.
                        sent = None;
                        break;
                    }
                    known.turns.pop();
                }
            }
        }
        if client.is_gone() {
            return Err(EngineError::Gone { program: client.program() });
        }
        let mut known = match sent {
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
        self.sent = Some(known);
        Ok(())
    }

    /// What the clock shows, for engines that share their time out themselves. One that knows no clocks, or refuses
    /// this one, is none the worse for it.
    fn send_clock(&mut self) -> Result<(), EngineError> {
        let Some((control, left)) = self.clock else { return Ok(()) };
        let sent = self.sent_control.replace(control);
        let client = self.client()?;
        let mut commands = Vec::new();
        if sent != Some(control) {
            commands.extend(settings_of(control, &|command| client.knows(command)));
        }
        if client.knows("time_left") {
            let counts_periods = client.knows(BY_PERIODS);
            commands.extend(Color::ALL.map(|color| left_of(control, color, left[color.index()], counts_periods)));
        }
        for command in commands {
            match client.ask(&command) {
                Err(error) if !error.leaves_it_running() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    fn generate(&mut self, game: &Game, command: &str, within: Duration) -> Result<Move, EngineError> {
        self.follow(game)?;
        self.send_clock()?;
        let size = game.board().size();
        let color = game.to_play();
        let command = format!("{command} {color}");
        let client = self.client()?;
        let answer = client.ask_within(&command, within)?;
        let program = client.program();
        let refused = || EngineError::NoMove { program, command, answer: answer.clone(), board: size.to_string() };
        let word = answer.split_whitespace().next().unwrap_or_default();
        let played = Move::from_gtp(word, size).ok_or_else(refused);
        match (&played, &mut self.sent) {
            (Ok(Move::Resign), _) => {}
            (&Ok(played), Some(sent)) => sent.turns.push((color, played)),
            // Its board is not known any more.
            _ => self.sent = None,
        }
        played
    }
}

/// Lets go of a program on another thread, as its end may take a moment.
pub(super) fn end_aside<P: Send + 'static>(program: Option<P>) {
    let Some(program) = program else { return };
    let ending = std::thread::Builder::new().name("engine-end".into()).spawn(move || drop(program));
    // Without a thread it has ended by now all the same: what was not started was dropped.
    if let Err(error) = ending {
        tracing::warn!(%error, "no thread for the end of an engine");
    }
}

/// `None` for what leaves the program running.
fn keep_fatal(error: EngineError) -> Option<EngineError> {
    (!error.leaves_it_running()).then_some(error)
}

/// The command that knows of periods of byo-yomi.
const BY_PERIODS: &str = "kgs-time_settings";

/// How the time is given, in the words that an engine knows best. GTP 2 has main time and Canadian overtime alone;
/// `kgs-time_settings` has byo-yomi too, and KataGo's own command Fischer's system.
fn settings_of(control: TimeControl, knows: &dyn Fn(&str) -> bool) -> Option<String> {
    let main = whole(control.main);
    let plain = |period: f64, stones: u32| {
        knows("time_settings").then(|| format!("time_settings {main} {} {stones}", whole(period)))
    };
    match control.system {
        TimeSystem::Fischer { increment, .. } if increment > 0.0 && knows("kata-time_settings") => {
            Some(format!("kata-time_settings fischer {} {increment}", control.main))
        }
        TimeSystem::Fischer { .. } if knows("time_settings") => plain(0.0, 0),
        TimeSystem::Fischer { .. } => knows(BY_PERIODS).then(|| format!("{BY_PERIODS} absolute {main}")),
        TimeSystem::Overtime { period, stones: 1, periods } if knows(BY_PERIODS) => {
            Some(format!("{BY_PERIODS} byoyomi {main} {} {periods}", whole(period)))
        }
        TimeSystem::Overtime { period, stones, .. } => plain(period, stones.max(1)),
    }
}

/// `time_left`: seconds and stones of the period; 0 in main time. Under byo-yomi, which GTP 2 knows as one stone for each
/// period, the periods where the engine was told of them, as KGS sends them.
fn left_of(control: TimeControl, color: Color, left: TimeLeft, counts_periods: bool) -> String {
    let (seconds, stones) = match (left.period, control.system) {
        (None, _) | (_, TimeSystem::Fischer { .. }) => (left.main, 0),
        (Some(period), TimeSystem::Overtime { stones: 1, .. }) if counts_periods => (period, left.periods),
        (Some(period), TimeSystem::Overtime { .. }) => (period, left.stones.max(1)),
    };
    format!("time_left {color} {} {stones}", whole(seconds))
}

/// Whole seconds, never more than there are.
fn whole(seconds: f64) -> u64 {
    seconds.clamp(0.0, 1e9).floor() as u64
}

/// Board, rules, komi and stones of a game's start.
fn set_up(client: &mut GtpClient, game: &Game) -> Result<Sent, EngineError> {
    let setup = game.setup();
    let size = setup.size;
    // GTP has no word for joined edges; another Honinbo has one.
    let joins_edges = client.knows("honinbo-topology");
    if setup.topology != Topology::Plane && !joins_edges {
        return Err(EngineError::Topology { program: client.program(), topology: setup.topology.to_string() });
    }
    if size.is_square() {
        client.ask(&format!("boardsize {}", size.width()))?;
    } else {
        client.ask(&format!("rectangular_boardsize {} {}", size.width(), size.height()))?;
    }
    client.ask("clear_board")?;
    if joins_edges {
        client.ask(&format!("honinbo-topology {}", setup.topology))?;
    }
    if client.knows("kata-set-rules") {
        let rules = match rules_of(game.ruleset()) {
            Value::String(name) => name,
            parts => parts.to_string(),
        };
        client.ask(&format!("kata-set-rules {rules}"))?;
    } else if client.knows("kgs-rules") {
        match client.ask(&format!("kgs-rules {}", kgs_name(game.ruleset()))) {
            Err(error) if !error.leaves_it_running() => return Err(error),
            // One that refuses plays by what its command line says, as those do that know no such command.
            _ => {}
        }
    }
    client.ask(&format!("komi {}", game.komi().points()))?;
    place_stones(client, setup, size)?;
    Ok(Sent { setup: setup.clone(), ruleset: *game.ruleset(), komi: game.komi(), turns: Vec::new() })
}

/// Presets whose names KataGo knows (`cpp/game/rules.cpp`, v1.17.2). Any other is sent in parts.
const KNOWN_BY_NAME: [Preset; 14] = [
    Preset::Chinese,
    Preset::ChineseOgs,
    Preset::ChineseKgs,
    Preset::Japanese,
    Preset::Korean,
    Preset::Aga,
    Preset::Bga,
    Preset::French,
    Preset::AgaButton,
    Preset::NewZealand,
    Preset::Ing,
    Preset::TrompTaylor,
    Preset::StoneScoring,
    Preset::AncientTerritory,
];

/// Rules for KataGo: a name that it knows, or their parts.
pub(super) fn rules_of(ruleset: &Ruleset) -> Value {
    let name = Preset::of(ruleset).filter(|preset| KNOWN_BY_NAME.contains(preset));
    if let Some(preset) = name {
        return preset.name().into();
    }
    let mut json = ruleset.to_json();
    if let Some(parts) = json.as_object_mut() {
        parts.remove("komi");
    }
    json
}

/// What KGS calls the nearest of its four rulesets, for `kgs-rules` of engines that play there.
fn kgs_name(ruleset: &Ruleset) -> &'static str {
    match (Preset::of(ruleset), ruleset.scoring) {
        (Some(Preset::Aga | Preset::Bga | Preset::French | Preset::AgaButton), _) => "aga",
        (_, Scoring::Territory) => "japanese",
        (_, Scoring::Area) if ruleset.multi_stone_suicide => "new_zealand",
        (_, Scoring::Area) => "chinese",
    }
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

    fn is_ready(&self) -> bool {
        self.is_running()
    }

    fn prepare(&mut self) -> Result<(), PlayerError> {
        self.client()?;
        Ok(())
    }

    fn abandon_when(&mut self, abandoned: StopFlag) {
        if let Some(client) = &mut self.client {
            client.abandon_when(abandoned.clone());
        }
        self.abandoned = abandoned;
    }

    fn see_clock(&mut self, clock: &GameClock, now: Duration) {
        self.clock = Some((clock.control(), Color::ALL.map(|color| clock.left(color, now))));
    }

    fn rest(&mut self) {
        let client = self.client.take();
        self.end();
        end_aside(client);
    }

    fn clean_up(&mut self, game: &Game, within: Duration, _stop: &StopFlag) -> Result<Move, PlayerError> {
        let knows = self.client()?.knows("kgs-genmove_cleanup");
        Ok(self.generate(game, if knows { "kgs-genmove_cleanup" } else { "genmove" }, within)?)
    }

    fn black_lead(&mut self, game: &Game, within: Duration) -> Option<f64> {
        self.follow(game).ok()?;
        let answer = self.client().ok()?.ask_within("final_score", within).ok()?;
        black_lead_of(&answer)
    }

    fn dead_stones(&mut self, game: &Game, within: Duration) -> Option<Vec<Point>> {
        self.follow(game).ok()?;
        let answer = self.client().ok()?.ask_within("final_status_list dead", within).ok()?;
        let size = game.board().size();
        answer.split_whitespace().map(|word| Point::from_gtp(word, size)).collect()
    }
}

/// The lead in an answer to `final_score`: "B+3.5", "W+0.5", "0"; GNU Go adds its upper and lower bound.
fn black_lead_of(answer: &str) -> Option<f64> {
    let word = answer.split_whitespace().next()?;
    let points = |text: &str| text.parse::<f64>().ok().filter(|points| points.is_finite());
    match word.split_at_checked(2) {
        Some(("B+" | "b+", margin)) => points(margin),
        Some(("W+" | "w+", margin)) => points(margin).map(|points| -points),
        _ => points(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_read_as_engines_write_it() {
        for (answer, lead) in [
            ("B+3.5", Some(3.5)),
            ("w+12", Some(-12.0)),
            ("0", Some(0.0)),
            ("0.0", Some(0.0)),
            ("W+2.5 (upper bound: -2.5, lower: -2.5)", Some(-2.5)),
            ("B+R", None),
            ("B+inf", None),
            ("?", None),
            ("局", None),
            ("", None),
        ] {
            assert_eq!(black_lead_of(answer), lead, "{answer:?}");
        }
    }

    fn settings(main: f64, system: TimeSystem, known: &[&str]) -> Option<String> {
        settings_of(TimeControl { main, system }, &|command| known.contains(&command))
    }

    #[test]
    fn time_is_told_in_the_words_that_an_engine_knows() {
        let absolute = TimeSystem::Fischer { increment: 0.0, stored_at_most: None };
        let fischer = TimeSystem::Fischer { increment: 5.0, stored_at_most: None };
        let byo_yomi = TimeSystem::Overtime { period: 30.0, stones: 1, periods: 5 };
        let canadian = TimeSystem::Overtime { period: 300.0, stones: 25, periods: 1 };
        let all = ["time_settings", "kgs-time_settings", "kata-time_settings"];
        let sent = |system, known: &[&str]| settings(600.9, system, known);
        assert_eq!(sent(absolute, &all).unwrap(), "time_settings 600 0 0");
        assert_eq!(sent(absolute, &all[1..2]).unwrap(), "kgs-time_settings absolute 600");
        assert_eq!(sent(fischer, &all).unwrap(), "kata-time_settings fischer 600.9 5");
        assert_eq!(sent(fischer, &all[..2]).unwrap(), "time_settings 600 0 0");
        assert_eq!(sent(byo_yomi, &all).unwrap(), "kgs-time_settings byoyomi 600 30 5");
        assert_eq!(sent(byo_yomi, &all[..1]).unwrap(), "time_settings 600 30 1");
        assert_eq!(sent(canadian, &all).unwrap(), "time_settings 600 300 25");
        assert_eq!(sent(canadian, &[]), None);
        let left = |system, left, counts_periods| {
            left_of(TimeControl { main: 600.0, system }, Color::White, left, counts_periods)
        };
        let in_main = TimeLeft { main: 12.7, period: None, periods: 1, stones: 25 };
        let of_canadian = TimeLeft { main: 0.0, period: Some(200.0), periods: 1, stones: 17 };
        let of_byo_yomi = TimeLeft { main: 0.0, period: Some(29.0), periods: 3, stones: 1 };
        for counts_periods in [false, true] {
            assert_eq!(left(canadian, in_main, counts_periods), "time_left white 12 0");
            assert_eq!(left(canadian, of_canadian, counts_periods), "time_left white 200 17");
        }
        assert_eq!(left(byo_yomi, of_byo_yomi, true), "time_left white 29 3");
        assert_eq!(left(byo_yomi, of_byo_yomi, false), "time_left white 29 1", "not three stones in 29 seconds");
    }
}
