//! `honinbo play`: a game in the terminal.

use crate::app;
use crate::board::{Marks, draw};
use crate::failure::Failure;
use crate::output::Output;
use crate::run::as_path_if_file;
use crate::style::wants_color;
use clap::Args as ClapArgs;
use honinbo_api::{
    ApiError, App, BoardTopology, Caller, Event, Finite, GameRef, GameTerms, GameUpdate, NewGame, PlayAnswer, PlayTurn,
    PlayView, PositionView, RunRequest, ScoreRequest, Seats, SettlePlay, Side, StartPlay, WireMove, commands,
};
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Preset, Topology};
use std::io::BufRead as _;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;

/// What the search for a hint may take.
const HINT_VISITS: u32 = 100;
const HINT_SECONDS: f64 = 3.0;

#[derive(Debug, ClapArgs)]
pub(crate) struct PlayArgs {
    /// The board: a side, or WxH [default: 9, on a torus 16]
    #[arg(long, value_name = "S")]
    pub(crate) size: Option<BoardSize>,
    /// Join the edges of the board, as in Daoqi
    #[arg(long)]
    pub(crate) torus: bool,
    /// The opponent: easy, medium, hard, expert, custom, rank_20k to rank_9d (with a style: rank_5k+local), preaz_20k to
    /// preaz_9d, proyear_1800 to proyear_2023, pupil_1 to pupil_5 on small boards, or an engine of engines.yaml
    #[arg(long, value_name = "L", default_value = "medium")]
    pub(crate) level: String,
    /// Two people at this screen, who move in turn
    #[arg(long, conflicts_with_all = ["level", "color"])]
    pub(crate) two: bool,
    /// Your colour
    #[arg(long, value_name = "black|white", default_value = "black", value_parser = own_color)]
    pub(crate) color: Color,
    /// The rules [default: honinbo, on a torus daoqi]
    #[arg(long, value_name = "R")]
    pub(crate) rules: Option<String>,
    /// Points for White [default: what goes with the rules, with handicap 0.5]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) komi: Option<f64>,
    /// Handicap stones, 2 to 9
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub(crate) handicap: u8,
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
}

fn own_color(text: &str) -> Result<Color, String> {
    Color::parse(text).ok_or_else(|| "expected black or white".to_owned())
}

const HELP: &str = "a point such as D4, pass, undo, hint, resign, quit";
const HELP_TORUS: &str = "L, R, U, D and a number (u6) move the view; with a blank (L 3) where L3 is a point";
const HELP_COUNTING: &str = "dead D4 E5 marks dead stones (once more: alive), accept, undo, quit";

/// Plays until the game is over, `quit`, or the end of the input. The game is in the library from its first move.
pub(crate) fn play_game(args: &PlayArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, events) = app::open(data);
    if args.net.is_some() {
        app.override_engine(args.net.as_deref().map(as_path_if_file), None, None);
    }
    let rules = args.rules.clone().unwrap_or_else(|| if args.torus { "daoqi" } else { "honinbo" }.to_owned());
    let preset =
        Preset::named(&rules).map_err(|error| Failure::Usage(format!("--rules: {error}; {}", error.hint())))?;
    let usual = BoardSize::square(if args.torus { 16 } else { 9 }).unwrap_or(BoardSize::NINE);
    let size = args.size.unwrap_or(usual);
    let side = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
    let topology = if args.torus { BoardTopology::Torus } else { BoardTopology::Plane };
    let terms = GameTerms {
        width: side(size.width()),
        height: side(size.height()),
        topology,
        rules: preset.name().to_owned(),
        handicap: args.handicap,
    };
    let caller = Caller::new();
    let komi = match args.komi {
        Some(points) => Finite::new(points),
        None => commands::offer_game(&app, &caller, terms.clone())?.komi,
    };
    let names = match args.color {
        _ if args.two => ("", ""),
        Color::Black => ("", args.level.as_str()),
        Color::White => (args.level.as_str(), ""),
    };
    let opponent = |color: Color| (!args.two && args.color != color).then(|| args.level.clone());
    let wanted = StartPlay {
        game: NewGame {
            width: terms.width,
            height: terms.height,
            topology,
            rules: terms.rules,
            komi,
            handicap: terms.handicap,
            black: names.0.to_owned(),
            white: names.1.to_owned(),
            minutes_ahead: None,
        },
        from: None,
        seats: Seats { black: opponent(Color::Black), white: opponent(Color::White) },
        pace: None,
        clock: None,
        teaching: None,
    };
    let started = commands::start_play(&app, &caller, wanted)?;
    let mut terminal = Terminal {
        app: &app,
        caller,
        events,
        size,
        topology: started.game.topology.into(),
        view: (0, 0),
        color: wants_color(output.is_terminal),
        position: started.game.position,
        play: started.play,
        two: args.two,
        dead: None,
        output,
    };
    let ended = terminal.play();
    app.shut_down();
    ended
}

struct Terminal<'a> {
    app: &'a App,
    caller: Caller,
    events: Receiver<Event>,
    size: BoardSize,
    topology: Topology,
    /// Columns and rows by which the drawn board is moved to the right and down.
    view: (usize, usize),
    color: bool,
    position: PositionView,
    play: PlayView,
    /// Two persons play.
    two: bool,
    /// While the game is counted: the stones that are taken for dead.
    dead: Option<Vec<u16>>,
    output: &'a mut Output,
}

impl Terminal<'_> {
    fn play(&mut self) -> Result<(), Failure> {
        let help = self.help();
        self.output.line(help)?;
        let mut lines = std::io::stdin().lock().lines();
        let mut settled = false;
        loop {
            self.hear()?;
            self.draw()?;
            let counting = self.play.counting && !settled;
            if let Some(result) = &self.play.result
                && !counting
            {
                self.output.line(format!("result: {result}"))?;
                return Ok(self.output.flush()?);
            }
            if counting {
                self.count()?;
            }
            let line = lines.next().transpose();
            let line = line.map_err(|error| Failure::new(format!("standard input cannot be read: {error}"), ""))?;
            let Some(line) = line.as_deref().map(str::trim) else {
                // Nobody is there to disagree with the count.
                if counting {
                    self.settle()?;
                    let result = self.play.result.clone().unwrap_or_default();
                    self.output.line(format!("result: {result}"))?;
                }
                return Ok(());
            };
            if matches!(line, "quit" | "exit" | "q") {
                return Ok(());
            }
            if counting && line == "accept" {
                self.settle()?;
                settled = true;
                continue;
            }
            // What the rules or the moment do not allow is said, and the game goes on.
            let obeyed = if counting { self.obey_counting(line) } else { self.obey(line) };
            match obeyed {
                Ok(()) => {}
                Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
                Err(failure) => self.output.line(failure.line())?,
            }
        }
    }

    fn help(&self) -> String {
        if self.topology == Topology::Torus { format!("{HELP}; {HELP_TORUS}") } else { HELP.to_owned() }
    }

    fn game(&self) -> GameRef {
        GameRef { game_id: self.play.game_id.clone() }
    }

    /// Says what the count is, with the dead stones as the engine sees them until somebody says otherwise.
    fn count(&mut self) -> Result<(), Failure> {
        let ask = |dead| commands::score(self.app, &self.caller, ScoreRequest { game_id: self.game().game_id, dead });
        // Without an engine every stone stands until somebody says otherwise.
        let score = ask(self.dead.clone()).or_else(|_| ask(Some(Vec::new())))?;
        let names: Vec<String> = score.dead.iter().map(|&index| self.name_of(index)).collect();
        let dead = if names.is_empty() { "no dead stones".to_owned() } else { format!("dead: {}", names.join(" ")) };
        let (black, white) = (score.black.total.get(), score.white.total.get());
        self.output.line(format!("counted: Black {black}, White {white}: {}; {dead}", score.result))?;
        self.output.line(HELP_COUNTING)?;
        self.dead = Some(score.dead);
        Ok(self.output.flush()?)
    }

    fn obey_counting(&mut self, line: &str) -> Result<(), Failure> {
        let mut words = line.split_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            None => Ok(()),
            Some("undo") => {
                self.dead = None;
                let answer = commands::take_back(self.app, &self.caller, self.game());
                self.answered(answer)
            }
            Some("dead" | "alive") => {
                let mut marked = Vec::new();
                for word in words {
                    match Move::from_gtp(word, self.size).and_then(|played| played.point()) {
                        Some(shown) => marked.push(self.real(shown)),
                        None => return Err(Failure::new(format!("{word:?} is no point"), HELP_COUNTING)),
                    }
                }
                let mut dead = self.dead.take().unwrap_or_default();
                for stone in marked {
                    let chain = self.chain_of(stone);
                    if chain.is_empty() {
                        self.output.line(format!("there is no stone at {}", self.shown(stone).to_gtp(self.size)))?;
                    } else if chain.iter().all(|stone| dead.contains(stone)) {
                        dead.retain(|stone| !chain.contains(stone));
                    } else {
                        dead.extend(chain);
                    }
                }
                self.dead = Some(dead);
                Ok(())
            }
            Some(_) => Err(Failure::new(format!("{line:?}: the game is being counted"), HELP_COUNTING)),
        }
    }

    /// The stones that hang together with the one at a point.
    fn chain_of(&self, point: Point) -> Vec<u16> {
        let index = |point: Point| point.index(self.size);
        let color = self.position.stones.get(index(point)).copied().unwrap_or(0);
        let empty = Board::new(self.size, self.topology);
        let mut chain = if color == 0 { Vec::new() } else { vec![point] };
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            next += 1;
            let same = |near: &Point| self.position.stones.get(index(*near)) == Some(&color);
            for near in empty.neighbors(stone).filter(same) {
                if !chain.contains(&near) {
                    chain.push(near);
                }
            }
        }
        chain.into_iter().filter_map(|stone| u16::try_from(index(stone)).ok()).collect()
    }

    /// The count stands.
    fn settle(&mut self) -> Result<(), Failure> {
        let wanted = SettlePlay { game: self.game(), dead: self.dead.clone().unwrap_or_default() };
        let answer = commands::settle_play(self.app, &self.caller, wanted);
        self.answered(answer)
    }

    fn name_of(&self, index: u16) -> String {
        self.shown(Point::from_index(index.into(), self.size)).to_gtp(self.size)
    }

    /// Waits while the opponent thinks.
    fn hear(&mut self) -> Result<(), Failure> {
        while self.play.thinking {
            self.output.flush()?;
            let Ok(event) = self.events.recv() else { return Ok(()) };
            if let Event::Play(news) = event
                && news.play.game_id == self.play.game_id
            {
                if let Some(notice) = &news.notice {
                    self.output.line(format!("{}: {notice}", "medium plays this turn"))?;
                }
                self.take(news.update, news.play);
            }
        }
        Ok(())
    }

    fn take(&mut self, update: Option<GameUpdate>, play: PlayView) {
        if let Some(update) = update {
            self.position = update.position;
        }
        self.play = play;
    }

    fn answered(&mut self, answer: Result<PlayAnswer, ApiError>) -> Result<(), Failure> {
        let PlayAnswer { update, play, .. } = answer?;
        self.take(update, play);
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<(), Failure> {
        let game = self.game();
        match line.to_ascii_lowercase().as_str() {
            "" => return Ok(()),
            "help" | "?" => {
                let help = self.help();
                return Ok(self.output.line(help)?);
            }
            "undo" => return self.answered(commands::take_back(self.app, &self.caller, game)),
            "resign" => return self.answered(commands::resign_play(self.app, &self.caller, game)),
            "hint" => {
                let (game_id, visits, seconds) =
                    (Some(game.game_id), Some(HINT_VISITS), Some(Finite::new(HINT_SECONDS)));
                let wanted = RunRequest { game_id, visits, seconds, ..RunRequest::default() };
                let shown = match commands::run(self.app, &self.caller, wanted)?.best {
                    WireMove::Place { x, y } => {
                        self.shown(Point::new(usize::from(x) - 1, usize::from(y) - 1)).to_gtp(self.size)
                    }
                    WireMove::Pass { .. } => "pass".to_owned(),
                };
                return Ok(self.output.line(format!("hint: {shown}"))?);
            }
            _ => {}
        }
        if self.topology == Topology::Torus && self.pan(line) {
            return Ok(());
        }
        let vertex = match Move::from_gtp(line, self.size) {
            Some(Move::Pass) => None,
            Some(Move::Place(point)) => Some(u16::try_from(self.real(point).index(self.size)).unwrap_or(u16::MAX)),
            _ => return Err(Failure::new(format!("{line:?} is no move"), HELP)),
        };
        let turn = PlayTurn { game_id: game.game_id, vertex, insist: true };
        let answer = commands::play_turn(self.app, &self.caller, turn);
        self.answered(answer)
    }

    /// `L`, `R`, `U` or `D`, alone or with a number: `u6`, or `U 6`. Without a blank a point of the board comes first.
    fn pan(&mut self, line: &str) -> bool {
        let Some(direction) = line.get(..1) else { return false };
        let steps = &line[1..];
        let is_point = !steps.starts_with(char::is_whitespace) && Move::from_gtp(line, self.size).is_some();
        let steps = if steps.trim().is_empty() { Some(1) } else { steps.trim().parse::<usize>().ok() };
        let (Some(steps), false) = (steps, is_point) else { return false };
        let (width, height) = (self.size.width(), self.size.height());
        let (x, y) = self.view;
        self.view = match direction.to_ascii_uppercase().as_str() {
            "L" => ((x + width - steps % width) % width, y),
            "R" => ((x + steps) % width, y),
            "U" => (x, (y + height - steps % height) % height),
            "D" => (x, (y + steps) % height),
            _ => return false,
        };
        true
    }

    /// Where a point of the game is drawn.
    fn shown(&self, point: Point) -> Point {
        Point::new((point.x() + self.view.0) % self.size.width(), (point.y() + self.view.1) % self.size.height())
    }

    /// The point of the game that is drawn at a point.
    fn real(&self, shown: Point) -> Point {
        let (width, height) = (self.size.width(), self.size.height());
        Point::new((shown.x() + width - self.view.0) % width, (shown.y() + height - self.view.1) % height)
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let stones = self.position.stones.iter().enumerate().filter_map(|(index, &stone)| {
            let color = match stone {
                1 => Color::Black,
                -1 => Color::White,
                _ => return None,
            };
            Some((self.shown(Point::from_index(index, self.size)), color))
        });
        let board = Board::with_stones(self.size, self.topology, stones.collect::<Vec<_>>())
            .map_err(|error| Failure::new(error.to_string(), error.hint()))?;
        let last = self.position.last_move.map(|index| self.shown(Point::from_index(index.into(), self.size)));
        self.output.line("")?;
        for line in draw(&board, &Marks { last, candidates: Vec::new() }, self.color) {
            self.output.line(line)?;
        }
        if let (true, Some(to_move)) = (self.two, self.play.to_move) {
            self.output.line(if to_move == Side::Black { "Black (X) to move" } else { "White (O) to move" })?;
        }
        if self.position.last_was_pass {
            let who = if self.position.to_move == Side::White { "black" } else { "white" };
            self.output.line(format!("{who} passes"))?;
        }
        Ok(self.output.flush()?)
    }
}
