//! `honinbo match`: many games between two engines, and the difference in strength that they show.

use crate::app::open;
use crate::args::seconds;
use crate::device_watch::DeviceWatch;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::new_file::new_files;
use crate::notes;
use crate::output::Output;
use crate::run::as_path_if_file;
use clap::Args as ClapArgs;
use honinbo_players::{
    CommandLine, Contest, ContestError, ContestGame, Ending, EngineLimits, GtpPlayer, Openings, Player, PlayerError,
    Tally, TimeControl, record_of,
};
use honinbo_record::{read_sgf, replay};
use honinbo_rules::{BoardSize, Color, Komi, Move, Ruleset, Setup, Topology};
use honinbo_search::TimeSystem;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Games that one command plays at most.
const MAX_GAMES: i64 = 1_000_000;
/// The largest file of openings.
const MAX_OPENINGS_BYTES: u64 = 64 << 20;

#[derive(Debug, ClapArgs)]
pub(crate) struct MatchArgs {
    /// The first player: the command line of a GTP engine, in quotation marks, with `honinbo` for this program; or a
    /// level, such as level:medium or level:rank_5k
    #[arg(value_name = "A")]
    pub(crate) first: String,
    /// The second player
    #[arg(value_name = "B")]
    pub(crate) second: String,
    /// Games; colours alternate
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    pub(crate) games: u32,
    /// The board: a side, or WxH
    #[arg(long, value_name = "S", default_value = "19")]
    pub(crate) size: BoardSize,
    /// Join the edges of the board
    #[arg(long)]
    pub(crate) torus: bool,
    /// The rules
    #[arg(long, value_name = "R", default_value = "tromp-taylor")]
    pub(crate) rules: String,
    /// Points for White [default: what goes with the rules]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) komi: Option<f64>,
    /// Visits of each move, for engines that know kata-set-param
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visits: Option<u32>,
    /// First moves: none, random, random:N moves, or an SGF file with an opening in each game. Each is played twice,
    /// with colours exchanged
    #[arg(long, value_name = "none|random[:N]|FILE", default_value = "random")]
    pub(crate) openings: String,
    /// Fixes the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Moves after which a game is counted as it stands [default: three for each point]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) move_limit: Option<u32>,
    /// Seconds after which a player that has not moved loses
    #[arg(long, value_name = "S", default_value = "120", value_parser = seconds)]
    pub(crate) timeout: f64,
    /// Seconds of each player for a game: 600; 600+5 with 5 more for each move; 600+5x30 with five periods of 30 s; 600+25/300
    /// with 25 stones in 300 s [default: no clock]
    #[arg(long, value_name = "TIME", value_parser = time_control)]
    pub(crate) clock: Option<TimeControl>,
    /// Games at a time, each with its own engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) concurrency: u32,
    /// The network of the levels: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// Keep every game as an SGF file in this folder, never over another
    #[arg(long, value_name = "DIR")]
    pub(crate) sgf: Option<PathBuf>,
    /// As JSON: a line for each game, then one for the result
    #[arg(long)]
    pub(crate) json: bool,
}

/// The longest time of a clock, in seconds.
const MAX_SECONDS: f64 = 360_000.0;

pub(crate) fn time_control(text: &str) -> Result<TimeControl, String> {
    const EXPECTED: &str = "expected 600, 600+5, 600+5x30 or 600+25/300";
    let time = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds))
            .ok_or_else(|| EXPECTED.to_owned())
    };
    let count = |text: &str| {
        text.trim().parse().ok().filter(|count| (1..=1000).contains(count)).ok_or_else(|| EXPECTED.to_owned())
    };
    let (main, more) = text.split_once('+').unwrap_or((text, "0"));
    let main = time(main)?;
    let system = if let Some((periods, period)) = more.split_once('x') {
        TimeSystem::Overtime { period: time(period)?, stones: 1, periods: count(periods)? }
    } else if let Some((stones, period)) = more.split_once('/') {
        TimeSystem::Overtime { period: time(period)?, stones: count(stones)?, periods: 1 }
    } else {
        TimeSystem::Fischer { increment: time(more)?, stored_at_most: None }
    };
    let gives_time = match system {
        TimeSystem::Fischer { .. } => main > 0.0,
        TimeSystem::Overtime { period, .. } => period > 0.0,
    };
    if gives_time { Ok(TimeControl { main, system }) } else { Err("the clock gives no time at all".to_owned()) }
}

/// Plays the games and prints each as it ends, then the table.
pub(crate) fn match_games(args: &MatchArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let contest = contest_of(args)?;
    let seats = [seat(&args.first)?, seat(&args.second)?];
    let app = if seats.iter().any(|seat| matches!(seat, Seat::Level(_))) {
        let (app, _told) = open(data);
        if args.net.is_some() {
            app.override_engine(args.net.as_deref().map(as_path_if_file), None, None);
        }
        for seat in &seats {
            if let Seat::Level(level) = seat {
                app.opponent(level)?; // So that a name that means nothing is said before the first game.
            }
        }
        Some(app)
    } else {
        None
    };
    if let Some(folder) = &args.sgf {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("{} cannot be made: {error}", folder.display()), "choose another folder for --sgf")
        })?;
    }
    let stop = until_interrupted();
    let _watch = app.as_ref().map(|app| DeviceWatch::of(app, notes::note));
    let settings: Vec<String> =
        args.visits.map(|visits| format!("kata-set-param maxVisits {visits}")).into_iter().collect();
    let players = || -> Result<[Box<dyn Player>; 2], PlayerError> {
        let player = |seat: &Seat| -> Result<Box<dyn Player>, PlayerError> {
            let no_level = |message| PlayerError::NoNetwork { message };
            match seat {
                Seat::Engine(line) => {
                    let mut player = GtpPlayer::new(line.clone(), EngineLimits::default(), settings.clone());
                    player.client()?;
                    Ok(Box::new(player))
                }
                Seat::Level(level) => {
                    let app = app.as_ref().ok_or_else(|| no_level("the levels are closed".to_owned()))?;
                    app.opponent(level).map_err(|error| no_level(error.to_string()))
                }
            }
        };
        Ok([player(&seats[0])?, player(&seats[1])?])
    };
    let began = Instant::now();
    let mut report = Report::new(args, contest.player_pairs());
    let result = std::thread::scope(|scope| {
        let (sender, news) = channel::<News>();
        let (contest, stop, players) = (&contest, &stop, &players);
        let run = scope.spawn(move || {
            let tell = |news: News| {
                let _ = sender.send(news); // Nobody listens once the output is closed.
            };
            let players = || {
                players().inspect_err(|error| {
                    tell(News::Missing { message: error.to_string(), hint: error.hint() });
                })
            };
            contest.run(&players, stop, &|game| tell(News::Game(Box::new(game))))
        });
        let mut printed = Ok(());
        for news in news {
            match news {
                News::Game(game) => printed = report.game(&game, output),
                News::Missing { message, hint } => report.missing(message, hint),
            }
            if printed.is_err() {
                stop.set();
                break;
            }
        }
        let result = run.join().map_err(|_| Failure::new("a player ended unexpectedly", ""))?;
        printed?;
        result.map_err(failed)
    });
    let tally = result?;
    let failure = report.failure();
    if tally.games() > 0 || failure.is_none() {
        report.result(tally, began.elapsed(), stop.is_set(), output)?;
    }
    failure.map_or(Ok(()), Err)
}

/// What is told while games are played.
enum News {
    /// A game has ended.
    Game(Box<ContestGame>),
    /// A pair of players could not be started: why, and what to do about it.
    Missing { message: String, hint: String },
}

fn failed(error: ContestError) -> Failure {
    let hint = match &error {
        ContestError::Setup(error) => error.hint().to_owned(),
        ContestError::Player(error) => error.hint(),
    };
    Failure::new(error.to_string(), hint)
}

/// Who plays.
enum Seat {
    Engine(CommandLine),
    Level(String),
}

fn seat(text: &str) -> Result<Seat, Failure> {
    match text.strip_prefix("level:") {
        Some(level) => Ok(Seat::Level(level.to_owned())),
        None => command_line(text).map(Seat::Engine),
    }
}

/// A command line in which `honinbo` stands for this program, wherever it is.
fn command_line(text: &str) -> Result<CommandLine, Failure> {
    let line = CommandLine::parse(text).map_err(|error| Failure::Usage(format!("{error}; {}", error.hint())))?;
    if line.program() != "honinbo" {
        return Ok(line);
    }
    let this = std::env::current_exe().map_or_else(|_| line.program().to_owned(), |path| path.display().to_string());
    Ok(CommandLine::new(this, line.arguments()))
}

fn contest_of(args: &MatchArgs) -> Result<Contest, Failure> {
    let rules =
        Ruleset::parse(&args.rules).map_err(|error| Failure::Usage(format!("--rules: {error}; {}", error.hint())))?;
    let komi = match args.komi {
        None => rules.komi,
        Some(points) => {
            Komi::from_points(points).map_err(|error| Failure::Usage(format!("--komi: {error}; {}", error.hint())))?
        }
    };
    let topology = if args.torus { Topology::Torus } else { Topology::Plane };
    let area = args.size.area();
    Ok(Contest {
        games: args.games,
        setup: Setup::new(args.size, topology, rules.ruleset, komi),
        openings: openings_of(&args.openings, args.size)?,
        seed: args.seed,
        move_limit: args.move_limit.map_or(3 * area, |limit| limit as usize),
        within: Duration::from_secs_f64(args.timeout),
        clock: args.clock,
        at_a_time: args.concurrency as usize,
    })
}

fn openings_of(text: &str, size: BoardSize) -> Result<Openings, Failure> {
    match text {
        "none" => return Ok(Openings::None),
        "random" => return Ok(Openings::usual(size.area())),
        _ => {}
    }
    if let Some(count) = text.strip_prefix("random:") {
        let moves = count.parse().ok().filter(|moves| (1..=200).contains(moves));
        let wrong = || Failure::Usage(format!("--openings is {text:?}, expected random:N with 1 to 200 moves"));
        return Ok(Openings::Random { moves: moves.ok_or_else(wrong)? });
    }
    let path = Path::new(text);
    let unreadable = |error: std::io::Error| {
        Failure::new(format!("{text} cannot be read: {error}"), "give --openings an SGF file, none or random")
    };
    if std::fs::metadata(path).map_err(unreadable)?.len() > MAX_OPENINGS_BYTES {
        return Err(Failure::new(format!("{text} is larger than 64 MiB"), "keep fewer openings in one file"));
    }
    let collection = read_sgf(&std::fs::read(path).map_err(unreadable)?);
    let openings: Vec<Vec<Move>> = collection
        .games
        .iter()
        .filter_map(|game| {
            let last = game.tree.line_from(game.tree.root()).last()?;
            let replayed = replay(&game.tree, last).game;
            (replayed.board().size() == size && replayed.setup().stones.is_empty())
                .then(|| replayed.turns().iter().map(|turn| turn.played).collect())
        })
        .collect();
    if openings.is_empty() {
        return Err(Failure::new(
            format!("{text} has no opening for a {size} board"),
            "each game of the file is an opening",
        ));
    }
    Ok(Openings::Given(openings.into()))
}

/// What is reported about the games.
struct Report<'a> {
    args: &'a MatchArgs,
    /// Pairs of players that were to play, those of them that could not be started, and why the first could not: message
    /// and hint.
    pairs: usize,
    missing: usize,
    why_missing: Option<(String, String)>,
    names: [String; 2],
    problems: [Problems; 2],
    /// The first player's games with Black and with White.
    by_color: [Tally; 2],
    played_on: u32,
    counted_at_limit: u32,
    moves: usize,
}

/// Games that a player lost otherwise than by playing worse.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Problems {
    /// By a move that the rules refuse.
    illegal: u32,
    /// By ending, or by saying what is no answer.
    failed: u32,
    /// By not answering in time.
    late: u32,
    /// No game, but turns that another player took because this one could not answer.
    turns_of_stand_in: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameLine<'a> {
    game: u32,
    black: &'a str,
    white: &'a str,
    result: String,
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultLine<'a> {
    first: &'a str,
    second: &'a str,
    games: u32,
    wins: u32,
    losses: u32,
    draws: u32,
    wins_with_black: u32,
    wins_with_white: u32,
    pairs: [u32; 5],
    independent_games: f64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    first_lost_by: Problems,
    second_lost_by: Problems,
    played_on: u32,
    counted_at_limit: u32,
    mean_moves: Option<f64>,
    seconds: f64,
    stopped: bool,
}

impl<'a> Report<'a> {
    fn new(args: &'a MatchArgs, pairs: usize) -> Self {
        Self {
            args,
            pairs,
            missing: 0,
            why_missing: None,
            names: [args.first.clone(), args.second.clone()],
            problems: <[Problems; 2]>::default(),
            by_color: <[Tally; 2]>::default(),
            played_on: 0,
            counted_at_limit: 0,
            moves: 0,
        }
    }

    /// Notes that a pair of players could not be started. That of the first is said at once, where others may play on: a
    /// match can take days.
    fn missing(&mut self, message: String, hint: String) {
        if self.missing == 0 && self.pairs > 1 {
            let message = format!("one of {} pairs of players could not be started: {message}", self.pairs);
            notes::failed(&Failure::new(message, hint.as_str()));
        }
        self.missing += 1;
        self.why_missing.get_or_insert((message, hint));
    }

    /// What went wrong beside the games.
    fn failure(&self) -> Option<Failure> {
        let (message, hint) = self.why_missing.as_ref()?;
        let message = format!("{} of {} pairs of players could not be started: {message}", self.missing, self.pairs);
        Some(Failure::new(message, hint.as_str()))
    }

    fn game(&mut self, game: &ContestGame, output: &mut Output) -> Result<(), Failure> {
        let played = &game.played;
        self.names = if game.names[0] == game.names[1] {
            // The same program twice: what tells them apart is how they were started.
            [self.args.first.clone(), self.args.second.clone()]
        } else {
            game.names.clone()
        };
        let black_is_first = game.first_has == Color::Black;
        let seat = |color: Color| usize::from((color == Color::Black) != black_is_first);
        let names = [seat(Color::Black), seat(Color::White)].map(|seat| self.names[seat].clone());
        let problem = match &played.ending {
            Ending::Illegal { color, played, why } => {
                self.problems[seat(*color)].illegal += 1;
                let (size, name) = (self.args.size, &names[color.index()]);
                Some(format!("{name}: illegal move {}: {}", played.to_gtp(size), why.on_board(size)))
            }
            Ending::Failed { color, error } => {
                let problems = &mut self.problems[seat(*color)];
                if matches!(error, PlayerError::Engine(honinbo_players::EngineError::Late { .. })) {
                    problems.late += 1;
                } else {
                    problems.failed += 1;
                }
                Some(error.to_string())
            }
            Ending::Time(color) => {
                self.problems[seat(*color)].late += 1;
                Some(format!("{} lost on time", names[color.index()]))
            }
            _ => None,
        };
        for color in [Color::Black, Color::White] {
            self.problems[seat(color)].turns_of_stand_in += played.stood_in[color.index()];
        }
        self.played_on += u32::from(matches!(played.ending, Ending::Passes { played_on: true }));
        self.counted_at_limit += u32::from(matches!(played.ending, Ending::MoveLimit));
        let moves = played.game.turns().len();
        self.moves += moves;
        let tally = &mut self.by_color[game.first_has.index()];
        match played.outcome.winner() {
            Some(winner) if winner == game.first_has => tally.wins += 1,
            Some(_) => tally.losses += 1,
            None => tally.draws += 1,
        }
        let line = GameLine {
            game: game.number,
            black: &names[0],
            white: &names[1],
            result: played.outcome.to_sgf(),
            moves,
            problem,
        };
        if self.args.json {
            output.json(&line)?;
        } else {
            let GameLine { game: number, black, white, result, .. } = &line;
            let problem = line.problem.as_ref().map(|problem| format!("  ({problem})")).unwrap_or_default();
            let Tally { wins, losses, draws, .. } = game.tally;
            output.line(format!(
                "{number:>5}  {black} (black) - {white} (white)  {result}, {moves} moves{problem}  [{wins}-{losses}-{draws}]"
            ))?;
        }
        if let Some(folder) = &self.args.sgf {
            let event = format!("match {} - {}", self.names[0], self.names[1]);
            let tree = record_of(played, [&names[0], &names[1]], &event);
            let (stem, record) = (format!("{:06}", game.number), tree.to_bytes());
            // An earlier match's games of the same numbers stay.
            new_files(folder, &stem, &[("sgf", &*record)]).map_err(|error| {
                let message = format!("{stem}.sgf cannot be written into {}: {error}", folder.display());
                Failure::new(message, "choose another folder for --sgf")
            })?;
        }
        Ok(output.flush()?)
    }

    fn result(&self, tally: Tally, took: Duration, stopped: bool, output: &mut Output) -> Result<(), Failure> {
        let (elo_low, elo_high) = tally.elo_interval();
        let games = tally.games();
        let line = ResultLine {
            first: &self.names[0],
            second: &self.names[1],
            games,
            wins: tally.wins,
            losses: tally.losses,
            draws: tally.draws,
            wins_with_black: self.by_color[0].wins,
            wins_with_white: self.by_color[1].wins,
            pairs: tally.pairs,
            independent_games: tally.independent_games(),
            score: tally.score(),
            elo: tally.elo(),
            elo_low,
            elo_high,
            first_lost_by: self.problems[0],
            second_lost_by: self.problems[1],
            played_on: self.played_on,
            counted_at_limit: self.counted_at_limit,
            mean_moves: (games > 0).then(|| self.moves as f64 / f64::from(games)),
            seconds: took.as_secs_f64(),
            stopped,
        };
        if self.args.json {
            return Ok(output.json(&line)?);
        }
        if stopped {
            output.line(format!("stopped after {games} of {} games", self.args.games))?;
        }
        let Some(score) = tally.score() else { return Ok(()) };
        let signed =
            |elo: Option<f64>, unbounded: &str| elo.map_or_else(|| unbounded.to_owned(), |elo| format!("{elo:+.0}"));
        let elo = signed(tally.elo(), if score > 0.5 { "+∞" } else { "-∞" });
        output.line("")?;
        output.line(format!("{} against {}, {} board", self.names[0], self.names[1], self.args.size))?;
        output.line(format!("  games   {games}: {} won, {} lost, {} drawn", tally.wins, tally.losses, tally.draws))?;
        output.line(format!(
            "  colours {} won with black, {} with white",
            self.by_color[0].wins, self.by_color[1].wins
        ))?;
        let [lost_both, three_halves, level, half_more, won_both] = tally.pairs;
        output.line(format!(
            "  pairs   {} openings with each colour once: {won_both} won twice, {half_more} won and drawn, {level} even, {three_halves} lost and drawn, {lost_both} lost twice",
            tally.pairs.iter().sum::<u32>()
        ))?;
        output.line(format!("  score   {:.1} %", 100.0 * score))?;
        output.line(format!(
            "  Elo     {elo}, 95 % between {} and {}",
            signed(elo_low, "-∞"),
            signed(elo_high, "+∞")
        ))?;
        for (name, problems) in self.names.iter().zip(self.problems) {
            let Problems { illegal, failed, late, turns_of_stand_in } = problems;
            if illegal + failed + late > 0 {
                output.line(format!(
                    "  {name} lost {illegal} games by illegal moves, {failed} by failing, {late} by being late"
                ))?;
            }
            if turns_of_stand_in > 0 {
                output.line(format!(
                    "  {name} could not answer in {turns_of_stand_in} turns, and another player moved: the result says nothing of it"
                ))?;
            }
        }
        if self.played_on > 0 {
            output
                .line(format!("  {} games went on after both passed, until dead stones were taken", self.played_on))?;
        }
        if self.counted_at_limit > 0 {
            output.line(format!("  {} games were counted at the limit of moves", self.counted_at_limit))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_in_one_word() {
        let read = |text: &str| time_control(text).map(|control| (control.main, control.system));
        let fischer = |increment| TimeSystem::Fischer { increment, stored_at_most: None };
        assert_eq!(read("600"), Ok((600.0, fischer(0.0))));
        assert_eq!(read("600+5"), Ok((600.0, fischer(5.0))));
        assert_eq!(read("0+5x30"), Ok((0.0, TimeSystem::Overtime { period: 30.0, stones: 1, periods: 5 })));
        assert_eq!(read("60+25/300"), Ok((60.0, TimeSystem::Overtime { period: 300.0, stones: 25, periods: 1 })));
        for wrong in ["", "0", "-1", "nan", "600+", "600+0x30", "600+5x0", "0+5x-1", "1e99", "600+25/300/2", "ten"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
