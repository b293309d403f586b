//! `honinbo library review`, killed again and again: no game is lost, none is done twice, and nothing of a finished one is
//! computed again.
//!
//! What the program does is read from its log, line by line, and it is killed with SIGKILL at any of these lines.
//! Whether that hit a game under review, the library says afterwards: the game that was begun last still waits.
//! Seen failing: where a game is taken off the list before what was found of it is written, it ends with "a position of a
//! finished game was searched again".
//! `HONINBO_QUEUE_GAMES=N` takes so many games instead of the usual number.

use crate::support::{Honinbo, engine, finish};
use honinbo_library::{ENOUGH_VISITS, EvaluationContext, GameFilter, GameId, Library, MoveClass};
use honinbo_record::{ReplayOptions, read_sgf, replay_each};
use honinbo_rules::{Game, Random, canonical};
use honinbo_testkit::{TinyBlock, TinyNetwork, fixtures};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr};
use std::time::Duration;

/// Moves of a game; it has a position more.
const MOVES: usize = 5;
/// Black in every game, so that one page sums them all up.
const PLAYER: &str = "Aya";

/// What tells positions apart here: the canonical hash, and whether colours are exchanged.
type Key = (String, bool);

/// A line of the program's log.
#[derive(Debug)]
enum Line {
    Begun(GameId),
    Searched(Key),
    Reviewed(GameId),
}

impl Line {
    fn of(text: &str) -> Self {
        let line: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let fields = &line["fields"];
        let text_of = |name: &str| fields[name].as_str().unwrap_or_else(|| panic!("no {name}: {text}")).to_owned();
        match fields["message"].as_str() {
            Some("a game is being reviewed") => Self::Begun(GameId::new(text_of("game"))),
            Some("searched") => Self::Searched((text_of("position"), fields["swapped"].as_bool().unwrap())),
            Some("a game was reviewed") => Self::Reviewed(GameId::new(text_of("game"))),
            _ => panic!("an unexpected line: {text}"),
        }
    }
}

/// A game of random moves, no two of them side by side, so that nothing is ever captured.
fn record(number: u64) -> String {
    let mut random = Random::fork(2026, number);
    let mut free: Vec<usize> = (0..25).collect();
    let moves: String = (0..MOVES)
        .map(|at| {
            let point = free.swap_remove(random.below(free.len()));
            let [x, y] = [point % 5, point / 5].map(|at| char::from(b"acegi"[at]));
            format!(";{}[{x}{y}]", if at % 2 == 0 { 'B' } else { 'W' })
        })
        .collect();
    format!("(;GM[1]SZ[9]RU[Chinese]KM[7.5]PB[{PLAYER}]PW[White {number}]{moves})")
}

fn positions(sgf: &str) -> Vec<Game> {
    let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
    let end = tree.line_from(tree.root()).last().unwrap();
    let mut positions = Vec::new();
    replay_each(&tree, end, ReplayOptions::default(), &mut |_, game| positions.push(game.clone()));
    assert_eq!(positions.len(), MOVES + 1);
    positions
}

fn key(game: &Game) -> Key {
    let form = canonical(game.board(), game.to_play());
    (form.hash.to_string(), form.colors_swapped)
}

/// What all programs together did so far, held against the laws at each line.
struct Account {
    /// The games in the order of the list.
    order: Vec<GameId>,
    /// Each position, with the games that it is in.
    games_with: HashMap<Key, Vec<GameId>>,
    finished: HashSet<GameId>,
    /// The game that was begun last, with what was searched for it, until it is finished.
    open: Option<(GameId, Vec<Key>)>,
    begun: usize,
    searched: HashMap<Key, u32>,
    lines: usize,
}

impl Account {
    fn new(library: &Library) -> Self {
        let mut order = library.ids(&GameFilter::default()).unwrap();
        order.sort_by_key(|id| id.as_str().parse::<u32>().unwrap());
        let mut games_with: HashMap<Key, Vec<GameId>> = HashMap::new();
        for id in &order {
            for position in positions(&library.game(id).unwrap().sgf) {
                games_with.entry(key(&position)).or_default().push(id.clone());
            }
        }
        let (finished, searched) = (HashSet::new(), HashMap::new());
        Self { order, games_with, finished, open: None, begun: 0, searched, lines: 0 }
    }

    fn take(&mut self, line: Line) {
        self.lines += 1;
        match line {
            Line::Begun(id) => {
                // After a kill the game that was open is begun again; everything else is begun once, in its order.
                match &self.open {
                    Some((open, _)) => assert_eq!(&id, open, "another game was begun before that one was finished"),
                    None => {
                        assert_eq!(Some(&id), self.order.get(self.begun), "a game was passed over or begun again");
                        self.begun += 1;
                    }
                }
                self.open = Some((id, Vec::new()));
            }
            Line::Searched(key) => {
                let games = self.games_with.get(&key).expect("a position of one of the games");
                let done = games.iter().find(|id| self.finished.contains(*id));
                assert_eq!(done, None, "a position of a finished game was searched again");
                *self.searched.entry(key.clone()).or_default() += 1;
                self.open.as_mut().expect("a search is for a game").1.push(key);
            }
            Line::Reviewed(id) => self.finish(&id),
        }
    }

    fn finish(&mut self, id: &GameId) {
        let open = self.open.take();
        assert_eq!(open.map(|(open, _)| open).as_ref(), Some(id), "a game was finished that was not begun");
        assert!(self.finished.insert(id.clone()), "game {id} was finished twice");
    }

    /// Lines that are still to come, about.
    fn left(&self) -> usize {
        (self.games_with.len() + 2 * self.order.len()).saturating_sub(self.lines)
    }

    fn repeated(&self) -> u32 {
        self.searched.values().map(|times| times - 1).sum()
    }
}

/// The program at work, and what it says.
struct Working {
    child: Child,
    log: Lines<BufReader<ChildStderr>>,
}

impl Working {
    fn start(honinbo: &Honinbo, args: &[&str]) -> Self {
        let mut command = honinbo.command(args);
        command.env("HONINBO_LOG", "honinbo_api::reviews=debug,honinbo_api::analysis::review=trace");
        command.env("HONINBO_LOG_FORMAT", "json");
        let mut child = command.spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, log }
    }

    fn line(&mut self) -> Option<Line> {
        self.log.next().map(|text| Line::of(&text.unwrap()))
    }
}

/// A data folder with a small network, and its games, imported.
fn library_of(games: u64, network: &Path) -> (Honinbo, Library) {
    let honinbo = Honinbo::new();
    let settings = format!("network = {:?}\ndevice = \"cpu\"\n", network.display().to_string());
    std::fs::write(honinbo.data.path().join("settings.toml"), settings).unwrap();
    let file = honinbo.data.path().join("games.sgf");
    std::fs::write(&file, (0..games).map(record).collect::<String>()).unwrap();
    assert_eq!(honinbo.run(&["library", "import", file.to_str().unwrap(), "--json"]).json()["added"], games);
    let library = Library::open(honinbo.data.path().join("library.sqlite")).unwrap();
    (honinbo, library)
}

#[test]
fn games_that_wait_for_a_review_outlive_sudden_ends_and_none_is_lost_or_done_twice() {
    if engine().is_none() {
        return;
    }
    let (mut games, wanted) = if fixtures::are_slow_tests_on() { (10_000, 10) } else { (60, 3) };
    if let Ok(text) = std::env::var("HONINBO_QUEUE_GAMES") {
        games = text.parse().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("tiny.txt");
    let tiny = TinyNetwork { blocks: vec![TinyBlock::Ordinary], ..TinyNetwork::convolutional(15) }.to_text();
    std::fs::write(&network, &tiny).unwrap();
    let (honinbo, library) = library_of(games, &network);
    let mut account = Account::new(&library);
    let mut random = Random::new(games);

    // Killed until so many kills hit a game under review; `hits` says how many of its positions had been searched.
    let (mut kills, mut hits, mut lost) = (0, Vec::new(), 0);
    while hits.len() < wanted {
        let args: &[&str] = if kills == 0 { &["library", "review"] } else { &["library", "review", "--go-on"] };
        let mut working = Working::start(&honinbo, args);
        let most = account.left() / (wanted - hits.len() + 1);
        for _ in 0..1 + random.below(most) {
            account.take(working.line().expect("it came to its end before it could be killed"));
        }
        std::thread::sleep(Duration::from_micros(random.below(2000) as u64));
        working.child.kill().unwrap();
        while let Some(line) = working.line() {
            account.take(line);
        }
        working.child.wait().unwrap();
        kills += 1;
        let next = library.next_review().unwrap();
        if let Some((open, searched)) = account.open.clone() {
            if next.as_ref() == Some(&open) {
                hits.push(searched.len());
                lost += searched.len();
            } else {
                // It was taken off the list, and the program killed before it said so.
                account.finish(&open);
            }
        }
        let counts = library.review_counts().unwrap();
        assert_eq!(counts.done as usize, account.finished.len(), "kill {kills}: {counts:?}");
        assert_eq!((u64::from(counts.waiting + counts.done), counts.failed), (games, 0), "kill {kills}: {counts:?}");
        assert!(counts.waiting > 0, "nothing is left to be killed at: {hits:?}");
    }

    let mut working = Working::start(&honinbo, &["library", "review", "--go-on", "--json"]);
    while let Some(line) = working.line() {
        account.take(line);
    }
    let end = finish(working.child);
    assert_eq!(end.status, 0, "{end:?}");
    let end = end.json();
    assert_eq!((&end["waiting"], &end["done"], &end["failed"]), (&0.into(), &games.into(), &0.into()), "{end}");
    assert_eq!((account.finished.len() as u64, account.open.take()), (games, None));
    assert_eq!(account.searched.len(), account.games_with.len(), "positions that were never searched");
    assert!(account.repeated() as usize <= lost, "{} searched again, {lost} lost by kills", account.repeated());

    let name = tiny.lines().next().unwrap();
    for id in &account.order {
        for position in positions(&library.game(id).unwrap().sgf) {
            let context = EvaluationContext::of(&position, name).unwrap();
            let found = library.evaluation(position.board(), position.to_play(), &context).unwrap();
            assert!(found.is_some_and(|found| found.visits >= ENOUGH_VISITS), "game {id}");
        }
    }
    let own = library.player_sums(PLAYER).unwrap();
    let moves: f64 = own.sums.iter().filter(|sum| sum.class == MoveClass::All).map(|sum| sum.moves).sum();
    let all = games * MOVES.div_ceil(2) as u64;
    assert_eq!((u64::from(own.judged), moves as u64), (games, all), "each game has one judgement, of all its moves");
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
    println!(
        "{games} games, {} positions; {kills} kills, {} of them in a game under review after {hits:?} of its searches; \
         {} searches done again",
        account.games_with.len(),
        hits.len(),
        account.repeated()
    );
}
