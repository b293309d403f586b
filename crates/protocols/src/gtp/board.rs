//! The game that a controller builds up: size, rules, komi, moves, handicap, set positions.

use honinbo_record::{
    GameInfo, GameTree, Problem, Replay, ReplayOptions, komi_to_write, move_value, read_sgf, replay_with,
    topology_to_write,
};
use honinbo_rules::{
    BoardSize, Color, Game, HandicapCount, Komi, Move, Point, Preset, Ruleset, Setup, SetupError, Topology,
    fixed_handicap,
};

use super::Reply;

/// The position and everything that it came from.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    game: Game,
    /// How the handicap of new games is counted.
    handicap: HandicapCount,
    /// Whether games with territory end with two passes: KataGo's `preventCleanupPhase`.
    prevents_clean_up: bool,
}

impl Table {
    pub(crate) fn new(size: BoardSize, topology: Topology, ruleset: Ruleset, komi: Komi) -> Result<Self, String> {
        Game::new(Setup::new(size, topology, ruleset, komi))
            .map(|game| Self { game, handicap: HandicapCount::default(), prevents_clean_up: true })
            .map_err(|error| error.to_string())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn size(&self) -> BoardSize {
        self.game.board().size()
    }

    pub(crate) fn topology(&self) -> Topology {
        self.game.board().topology()
    }

    /// The game as it is for this player to move: the position without its history where it is the other's turn.
    pub(crate) fn game_for(&self, color: Color) -> Result<Game, String> {
        self.game.for_player(color).map_err(|error| error.to_string())
    }

    /// The same where dead stones are taken off the board: they count until then, whatever the rules say of friendly
    /// passes, and the passes that ended the game are forgotten.
    pub(crate) fn game_to_clean_up(&self, color: Color) -> Result<Game, String> {
        let mut game = self.game_for(color)?;
        let (ruleset, komi) = (Ruleset { friendly_pass: false, ..*game.ruleset() }, game.komi());
        game.set_ruleset_and_komi(ruleset, komi);
        game.resume(color);
        Ok(game)
    }

    fn restart(&mut self, setup: Setup) -> Result<(), String> {
        let game = Game::new(setup).map_err(|error| error.to_string())?;
        self.take(game);
        Ok(())
    }

    /// Puts another game on the table.
    fn take(&mut self, mut game: Game) {
        game.set_prevent_clean_up(self.prevents_clean_up);
        self.game = game;
    }

    /// Whether disputes of games with territory are played out after two passes, from the next move on.
    pub(crate) fn prevent_clean_up(&mut self, prevented: bool) {
        self.prevents_clean_up = prevented;
        self.game.set_prevent_clean_up(prevented);
    }

    /// The set-up without stones, for a new game under the same conditions.
    fn bare(&self) -> Setup {
        let now = self.game.setup();
        let setup = Setup::new(now.size, now.topology, *self.game.ruleset(), self.game.komi());
        Setup { handicap: self.handicap, ..setup }
    }

    /// Whether Black's moves before White's first are handicap stones. Begins a new game.
    pub(crate) fn count_opening_moves(&mut self, counted: bool) -> Result<(), String> {
        self.handicap = if counted { HandicapCount::StonesAndOpeningMoves } else { HandicapCount::Stones };
        self.restart(self.bare())
    }

    pub(crate) fn resize(&mut self, size: BoardSize) -> Reply {
        let setup = Setup { size, ..self.bare() };
        self.restart(setup)?;
        Ok(String::new())
    }

    /// How the edges of new games meet. Begins one.
    pub(crate) fn join_edges(&mut self, topology: Topology) -> Reply {
        let setup = Setup { topology, ..self.bare() };
        self.restart(setup)?;
        Ok(String::new())
    }

    pub(crate) fn clear(&mut self) -> Reply {
        self.restart(self.bare())?;
        Ok(String::new())
    }

    pub(crate) fn set_rules(&mut self, ruleset: Ruleset, komi: Komi) {
        self.game.set_ruleset_and_komi(ruleset, komi);
    }

    pub(crate) fn play(&mut self, color: Color, mv: Move) -> Reply {
        if mv == Move::Resign {
            return Ok(String::new());
        }
        self.game.play_tolerant(color, mv).map_err(|_| "illegal move".to_owned())?;
        Ok(String::new())
    }

    pub(crate) fn undo(&mut self) -> Reply {
        self.game.undo().map(|_| String::new()).ok_or_else(|| "cannot undo".to_owned())
    }

    /// Plays all of these moves, or none.
    pub(crate) fn play_sequence(&mut self, moves: &[(Color, Move)]) -> Reply {
        let mut after = self.clone();
        for &(color, mv) in moves {
            after.play(color, mv)?;
        }
        *self = after;
        Ok(String::new())
    }

    /// Takes back so many moves, or none.
    pub(crate) fn undo_moves(&mut self, moves: usize) -> Reply {
        let left = self.game.turns().len().checked_sub(moves).ok_or("cannot undo")?;
        self.game.rewind(left);
        Ok(String::new())
    }

    /// Stones on an empty board, before the first move.
    ///
    /// Source: GoGui's manual, "Setup Commands".
    pub(crate) fn set_up(&mut self, arguments: &[String]) -> Reply {
        if !self.game.board().is_empty() || !self.game.turns().is_empty() {
            return Err("board is not empty".into());
        }
        self.set_position(arguments)
    }

    /// Who moves first in the position that was set up.
    pub(crate) fn set_first_player(&mut self, color: Color) -> Reply {
        if !self.game.turns().is_empty() {
            return Err("the game has begun".into());
        }
        let (ruleset, komi) = (*self.game.ruleset(), self.game.komi());
        self.restart(Setup { ruleset, komi, first_player: color, ..self.game.setup().clone() })?;
        Ok(String::new())
    }

    pub(crate) fn set_position(&mut self, arguments: &[String]) -> Reply {
        if arguments.is_empty() {
            return self.clear();
        }
        let size = self.size();
        let mut stones: Vec<(Point, Color)> = Vec::new();
        for pair in arguments.chunks(2) {
            let [color, vertex] = pair else { return Err("expected pairs of color and vertex".into()) };
            let color = Color::parse(color).ok_or_else(|| format!("could not parse color '{color}'"))?;
            let point = Point::from_gtp(vertex, size).ok_or_else(|| format!("could not parse vertex '{vertex}'"))?;
            if stones.iter().any(|(there, _)| *there == point) {
                return Err(format!("vertex '{vertex}' is given more than once"));
            }
            stones.push((point, color));
        }
        let setup = Setup { stones, handicap: HandicapCount::Exactly(0), ..self.bare() };
        let game = Game::new(setup).map_err(|error| error.on_board(size))?;
        self.take(game);
        Ok(String::new())
    }

    /// `fixed_handicap` and `place_free_handicap`: stones on the star points.
    pub(crate) fn place_handicap(&mut self, stones: usize, free: bool) -> Reply {
        if !self.game.board().is_empty() {
            return Err("board is not empty".into());
        }
        let mut count = stones;
        let points = loop {
            match fixed_handicap(self.size(), self.topology(), count) {
                Ok(points) => break points,
                Err(error @ SetupError::NoStarPoints(_)) => return Err(format!("{error}; {}", error.hint())),
                Err(_) if free && count > 2 => count -= 1,
                Err(error) => return Err(error.to_string()),
            }
        };
        self.set_handicap(&points)?;
        let names: Vec<String> = points.iter().map(|point| point.to_gtp(self.size())).collect();
        Ok(names.join(" "))
    }

    pub(crate) fn set_free_handicap(&mut self, vertices: &[String]) -> Reply {
        if !self.game.board().is_empty() {
            return Err("board is not empty".into());
        }
        let size = self.size();
        let mut points = Vec::new();
        for vertex in vertices {
            let point = Point::from_gtp(vertex, size).ok_or_else(|| format!("could not parse vertex '{vertex}'"))?;
            if points.contains(&point) {
                return Err(format!("vertex '{vertex}' is given more than once"));
            }
            points.push(point);
        }
        if points.len() < 2 {
            return Err("a handicap has at least two stones".into());
        }
        self.set_handicap(&points)?;
        Ok(String::new())
    }

    fn set_handicap(&mut self, points: &[Point]) -> Result<(), String> {
        let stones = points.iter().map(|point| (*point, Color::Black)).collect();
        self.restart(Setup { stones, first_player: Color::White, ..self.bare() })
    }

    /// Takes the game of an SGF file, up to before move `number`; the main line only. Rules and komi that it does not name
    /// stay as they are, but where rules are named without a komi, it is the one that goes with them; a move that cannot be
    /// played refuses the file.
    ///
    /// Source: KataGo v1.17.2, `gtp.cpp`, `loadsgf`; `sgf.cpp`, `getRulesOrWarn`.
    pub(crate) fn load_sgf(&mut self, bytes: &[u8], number: Option<usize>) -> Reply {
        let collection = read_sgf(bytes);
        let Some(read) = collection.games.first() else { return Err("cannot load file".into()) };
        let (tree, root) = (&read.tree, read.tree.root());
        let info = GameInfo::of(tree);
        let (ruleset, komi) = match Ruleset::from_sgf(&info.rules_text) {
            // Also in an old game and with a handicap, for which a record that is shown counts none.
            Some(named) => (named.ruleset, info.komi.unwrap_or(named.komi)),
            None => (*self.game.ruleset(), info.komi.unwrap_or(self.game.komi())),
        };
        let mut moves = tree.line_from(root).filter(|&node| tree.move_at(node, info.size).is_some());
        let left_out = number.and_then(|number| moves.nth(number.saturating_sub(1)));
        let last = match left_out {
            Some(node) => tree.parent(node).unwrap_or(root),
            None => tree.line_from(root).last().unwrap_or(root),
        };
        let options = ReplayOptions { ruleset: Some(ruleset), komi: Some(komi) };
        let Replay { mut game, problems, .. } = replay_with(tree, last, options);
        if left_out == Some(root) {
            // Not where moves belong, but some stand there.
            game.rewind(0);
        }
        let lost = |problem: &&Problem| match problem {
            Problem::IllegalMove { .. } => true,
            Problem::BadPoint { ident, .. } => matches!(ident.as_str(), "B" | "W"),
            _ => false,
        };
        if let Some(problem) = problems.iter().map(|(_, problem)| problem).find(lost) {
            return Err(format!("cannot load file: {problem}"));
        }
        if self.handicap != HandicapCount::default() && game.setup().handicap == HandicapCount::default() {
            game = recounted(&game, self.handicap)?;
        }
        let to_play = game.to_play();
        self.take(game);
        Ok(to_play.to_string())
    }

    /// The game as SGF.
    pub(crate) fn to_sgf(&self) -> String {
        let size = self.size();
        let mut tree = GameTree::with_board(size);
        let root = tree.root();
        tree.set_text(root, "KM", &komi_to_write(self.game.komi()));
        tree.set_text(root, "RU", &self.game.ruleset().to_sgf(self.game.komi(), self.topology()));
        if let Some(topology) =
            topology_to_write(self.topology(), Preset::of_board(self.game.ruleset(), self.topology()))
        {
            tree.set_text(root, "TOPO", topology);
        }
        let setup = self.game.setup();
        for (ident, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let points: Vec<Point> =
                setup.stones.iter().filter(|(_, owner)| *owner == color).map(|(point, _)| *point).collect();
            // A position that was set has stones and no handicap.
            if color == Color::Black && points.len() == self.game.handicap_stones() && points.len() > 1 {
                tree.set_text(root, "HA", &points.len().to_string());
            }
            if !points.is_empty() {
                tree.set_points(root, ident, &points);
            }
        }
        if setup.first_player == Color::White {
            tree.set_raw(root, "PL", ["W"]);
        }
        if let Some(outcome) = self.game.outcome() {
            tree.set_text(root, "RE", &outcome.to_sgf());
        }
        let mut at = root;
        for turn in self.game.turns() {
            at = tree.add_child(at);
            tree.set_raw(at, &turn.color.letter().to_string(), [move_value(turn.played)]);
        }
        tree.to_sgf()
    }

    /// The board with coordinates, and whose turn it is.
    pub(crate) fn drawn(&self) -> String {
        let board = self.game.board();
        let size = self.size();
        let last = self.game.turns().last().and_then(|turn| turn.played.point());
        let columns: String = (0..size.width())
            .map(|x| {
                let name = Point::new(x, 0).to_gtp(size);
                format!(" {}", name.trim_end_matches(|c: char| c.is_ascii_digit()))
            })
            .collect();
        let mut text = format!("MoveNum: {}\n   {columns}\n", self.game.turns().len());
        for y in 0..size.height() {
            text.push_str(&format!("{:>3}", size.height() - y));
            for x in 0..size.width() {
                let point = Point::new(x, y);
                let stone = match board.get(point) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                };
                text.push(if last == Some(point) { '(' } else { ' ' });
                text.push(stone);
            }
            text.push('\n');
        }
        text.push_str(&format!("Next player: {}\nRules: {}\n", self.game.to_play(), self.game.ruleset().to_json()));
        text.push_str(&format!(
            "B stones captured: {}\nW stones captured: {}",
            board.captured_by(Color::White),
            board.captured_by(Color::Black)
        ));
        text
    }
}

/// A game of a record, with its handicap counted another way.
fn recounted(game: &Game, handicap: HandicapCount) -> Result<Game, String> {
    let setup = Setup { handicap, ..game.setup().clone() };
    let mut again = Game::new(setup).map_err(|error| error.to_string())?;
    for turn in game.turns() {
        again.play_tolerant(turn.color, turn.played).map_err(|error| error.to_string())?;
    }
    Ok(again)
}
