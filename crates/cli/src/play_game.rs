//! `honinbo play`: a game in the terminal.

use crate::app;
use crate::board::{Marks, draw};
use crate::failure::Failure;
use crate::match_games::board_size;
use crate::output::Output;
use crate::style::wants_color;
use clap::Args as ClapArgs;
use honinbo_api::{
    ApiError, App, BoardTopology, Caller, Event, Finite, GameRef, GameUpdate, HintDegree, HintRequest, NewGame,
    PlayAnswer, PlayTurn, PlayView, PositionView, Side, StartPlay, handlers,
};
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Preset, Topology};
use std::io::BufRead as _;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;

#[derive(Debug, ClapArgs)]
pub(crate) struct PlayArgs {
    /// The board: a side, or WxH [default: 9, on a torus 16]
    #[arg(long, value_name = "S", value_parser = board_size)]
    pub(crate) size: Option<BoardSize>,
    /// Join the edges of the board, as in Daoqi
    #[arg(long)]
    pub(crate) torus: bool,
    /// The opponent: easy, medium, hard, expert, custom, rank_20k to rank_9d (with a style: rank_5k+local),
    /// or an engine of engines.yaml
    #[arg(long, value_name = "L", default_value = "medium")]
    pub(crate) level: String,
    /// Your colour
    #[arg(long, value_name = "black|white", default_value = "black", value_parser = own_color)]
    pub(crate) color: Color,
    /// The rules [default: honinbo, on a torus daoqi]
    #[arg(long, value_name = "R")]
    pub(crate) rules: Option<String>,
    /// Points for White [default: what goes with the rules]
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
const HELP_TORUS: &str = "L, R, U, D and a number after a blank (L 3) move the view";

/// Plays until the game is over, `quit`, or the end of the input. The game is in the library from its first move.
pub(crate) fn play_game(args: &PlayArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, told) = app::open(data);
    if args.net.is_some() {
        app.override_engine(args.net.clone(), None, None);
    }
    let rules = args.rules.clone().unwrap_or_else(|| if args.torus { "daoqi" } else { "honinbo" }.to_owned());
    let preset =
        Preset::parse(&rules).ok_or_else(|| Failure::Usage(format!("--rules: there is no ruleset {rules:?}")))?;
    let usual = BoardSize::square(if args.torus { 16 } else { 9 }).unwrap_or(BoardSize::NINE);
    let size = args.size.unwrap_or(usual);
    let side = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
    let names = match args.color {
        Color::Black => ("", args.level.as_str()),
        Color::White => (args.level.as_str(), ""),
    };
    let wanted = StartPlay {
        game: NewGame {
            width: side(size.width()),
            height: side(size.height()),
            topology: if args.torus { BoardTopology::Torus } else { BoardTopology::Plane },
            rules: preset.name().to_owned(),
            komi: Finite::new(args.komi.unwrap_or_else(|| preset.komi().points())),
            handicap: args.handicap,
            black: names.0.to_owned(),
            white: names.1.to_owned(),
        },
        person: Some(if args.color == Color::Black { Side::Black } else { Side::White }),
        opponent: Some(args.level.clone()),
        clock: None,
        teaching: None,
    };
    let caller = Caller::new();
    let started = handlers::start_play(&app, &caller, wanted)?;
    let mut terminal = Terminal {
        app: &app,
        caller,
        told,
        size,
        topology: if args.torus { Topology::Torus } else { Topology::Plane },
        view: (0, 0),
        color: wants_color(output.is_terminal),
        position: started.game.position,
        play: started.play,
        output,
    };
    let ended = terminal.play();
    app.shut_down();
    ended
}

struct Terminal<'a> {
    app: &'a App,
    caller: Caller,
    told: Receiver<Event>,
    size: BoardSize,
    topology: Topology,
    /// Columns and rows by which the drawn board is moved to the right and down.
    view: (usize, usize),
    color: bool,
    position: PositionView,
    play: PlayView,
    output: &'a mut Output,
}

impl Terminal<'_> {
    fn play(&mut self) -> Result<(), Failure> {
        let torus = self.topology == Topology::Torus;
        self.output.line(if torus { format!("{HELP}; {HELP_TORUS}") } else { HELP.to_owned() })?;
        let mut lines = std::io::stdin().lock().lines();
        loop {
            self.hear()?;
            self.draw()?;
            if let Some(result) = &self.play.result {
                self.output.line(format!("result: {result}"))?;
                return Ok(self.output.flush()?);
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line.map_err(|error| Failure::new(format!("standard input cannot be read: {error}"), ""))?;
            if matches!(line.trim(), "quit" | "exit" | "q") {
                return Ok(());
            }
            // What the rules or the moment do not allow is said, and the game goes on.
            match self.obey(line.trim()) {
                Ok(()) => {}
                Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
                Err(failure) => self.output.line(failure.line())?,
            }
        }
    }

    /// Waits while the opponent thinks.
    fn hear(&mut self) -> Result<(), Failure> {
        while self.play.thinking {
            self.output.flush()?;
            let Ok(event) = self.told.recv() else { return Ok(()) };
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
        let game = GameRef { game_id: self.play.game_id.clone() };
        match line.to_ascii_lowercase().as_str() {
            "" => return Ok(()),
            "help" | "?" => return Ok(self.output.line(format!("{HELP}; {HELP_TORUS}"))?),
            "undo" => return self.answered(handlers::take_back(self.app, &self.caller, game)),
            "resign" => return self.answered(handlers::resign_play(self.app, &self.caller, game)),
            "hint" => {
                let wanted = HintRequest { game_id: game.game_id, degree: HintDegree::Move };
                let hint = handlers::hint(self.app, &self.caller, wanted)?;
                let shown = hint.points.first().copied().flatten().map_or_else(
                    || "pass".to_owned(),
                    |index| self.shown(Point::from_index(index.into(), self.size)).to_gtp(self.size),
                );
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
        let answer = handlers::play_turn(self.app, &self.caller, turn);
        self.answered(answer)
    }

    /// `L`, `R`, `U` or `D`, alone or with a number after a blank.
    fn pan(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let (Some(direction), steps, None) = (words.next(), words.next(), words.next()) else { return false };
        let Some(steps) = steps.map_or(Some(1), |steps| steps.parse::<usize>().ok()) else { return false };
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
        if self.position.last_was_pass {
            let who = if self.position.to_move == Side::White { "black" } else { "white" };
            self.output.line(format!("{who} passes"))?;
        }
        Ok(self.output.flush()?)
    }
}
