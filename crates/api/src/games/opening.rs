//! Opening files: the one way by which records come from a dialog, a drop, a command line or the system.

use crate::games::GamesRoom;
use crate::games::game_file::GameFile;
use crate::games::session::Session;
use crate::path_text::{path_from_text, path_to_text};
use crate::{ApiError, Event, FilePath, GameList, GameSource, GameView, ImportProblem, ListedGame, OpenGames};
use base64::Engine as _;
use honinbo_record::{
    Collection, FileProblem, Found, FoundGame, GameInfo, GameTree, Problem, ReadLimits, RecordFormat, Severity,
    Tsumego, each_game, read_sgf_text,
};
use std::io::{Cursor, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The largest file that is opened; the library reads larger ones too.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Games of a file that are listed.
const MAX_LISTED: usize = 5_000;
/// Games of a file that are opened together.
const MAX_AT_ONCE: usize = 20;
/// What cannot be read of a file that is listed.
const MAX_PROBLEMS: usize = 100;

/// A file that is being opened.
struct Source<R> {
    /// Its path, or the name that it was given with.
    path: PathBuf,
    size: u64,
    content: R,
    /// It lies on this disk.
    on_disk: bool,
}

trait Content: Read + Seek {}
impl<T: Read + Seek> Content for T {}

impl Source<Box<dyn Content>> {
    fn new(wanted: &GameSource) -> Result<Self, ApiError> {
        match wanted {
            GameSource::Path { path } => Self::on_disk(&path_from_text(path)),
            GameSource::Content { name, base64 } => {
                let bytes = base64::engine::general_purpose::STANDARD.decode(base64).map_err(|error| {
                    ApiError::InvalidRequest { message: format!("the content is not base64: {error}") }
                })?;
                Self::in_memory(name, bytes)
            }
        }
    }

    fn in_memory(name: &str, bytes: Vec<u8>) -> Result<Self, ApiError> {
        let size = bytes.len() as u64;
        Ok(Self { path: name.into(), size, content: Box::new(Cursor::new(bytes)), on_disk: false })
    }

    fn on_disk(path: &Path) -> Result<Self, ApiError> {
        let file = path.display().to_string();
        let unreadable = |message: String| ApiError::UnreadableFile { file: file.clone(), message, problem: None };
        let metadata = std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?;
        if metadata.is_dir() {
            return Err(unreadable("it is a folder; import it into the library instead".into()));
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(unreadable("it is larger than 256 MiB; import it into the library instead".into()));
        }
        let open = std::fs::File::open(path).map_err(|e| unreadable(e.to_string()))?;
        let content = Box::new(std::io::BufReader::new(open));
        Ok(Self { path: path.to_owned(), size: metadata.len(), content, on_disk: true })
    }

    fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn each(self, visit: &mut dyn FnMut(Found) -> ControlFlow<()>) {
        let limits = ReadLimits { max_bytes: MAX_FILE_BYTES as usize, ..ReadLimits::default() };
        // Whoever ends it early knows.
        let _ = each_game(&self.path, self.content, self.size, limits, visit);
    }

    /// The only game of the file.
    fn only_game(self, id: crate::OpenGameId) -> Result<Session, ApiError> {
        let (name, file, on_disk, path) =
            (self.name(), self.path.display().to_string(), self.on_disk, self.path.clone());
        // Before its games are read: what is written to it from then on is a change.
        let before = on_disk.then(|| GameFile::as_it_is(path.clone()));
        let mut games: Vec<FoundGame> = Vec::new();
        let mut refused = None;
        self.each(&mut |found| {
            match found {
                Found::Game(game) => games.push(*game),
                Found::Refused { path, problem } => {
                    refused.get_or_insert((path, problem));
                }
            }
            if games.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if games.len() > 1 {
            let message = "it holds several games; choose one of them, or import it into the library".into();
            return Err(ApiError::SeveralGames { file, message });
        }
        let Some(game) = games.pop() else {
            let (message, problem) = match refused {
                Some((_, FileProblem::NoGame(problem))) => (problem.to_string(), Some((&problem).into())),
                Some((part, problem)) if part != path => (format!("{}: {problem}", inside(&part, &path)), None),
                Some((_, problem)) => (problem.to_string(), None),
                None => ("it holds no record of a game".into(), Some((&Problem::NoGame).into())),
            };
            return Err(ApiError::UnreadableFile { file, message, problem });
        };
        let is_plain = on_disk && game.path == path && game.format == RecordFormat::Sgf;
        let mut session = Session::of_found(id, &name, game);
        // Another format would be lost by writing a record over it, and so would what else is in an archive.
        session.file = before.filter(|_| is_plain && !is_packed(&path));
        Ok(session)
    }
}

/// A compressed file has the path of its record.
fn is_packed(path: &Path) -> bool {
    let mut head = [0; 2];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"\x1f\x8b"
}

/// Reads the games of a file one after the other; `None` for what cannot be read of it.
pub(crate) fn each_tree(
    wanted: &GameSource,
    visit: &mut dyn FnMut(Option<GameTree>) -> ControlFlow<()>,
) -> Result<(), ApiError> {
    Source::new(wanted)?.each(&mut |found| match found {
        Found::Game(found) => visit(Some(found.game.tree)),
        Found::Refused { .. } => visit(None),
    });
    Ok(())
}

impl Session {
    /// The game of a file.
    pub(crate) fn read(id: crate::OpenGameId, name: &str, bytes: &[u8]) -> Result<Self, ApiError> {
        Source::in_memory(name, bytes.to_owned())?.only_game(id)
    }

    /// The game of a record as the library and the data folder keep it: it was decoded when it came in, whatever character
    /// set it names, and decoding it again would change it.
    pub(crate) fn read_text(id: crate::OpenGameId, name: &str, sgf: &str) -> Result<Self, ApiError> {
        let Collection { games, diagnostics, .. } = read_sgf_text(sgf);
        let Some(game) = games.into_iter().next() else {
            let serious = diagnostics.into_iter().find(|said| said.severity() == Severity::Error);
            let problem = &serious.map_or(Problem::NoGame, |said| said.problem);
            let file = name.to_owned();
            return Err(ApiError::UnreadableFile { file, message: problem.to_string(), problem: Some(problem.into()) });
        };
        let found = FoundGame { path: name.into(), format: RecordFormat::Sgf, game, diagnostics: Vec::new() };
        Ok(Self::of_found(id, name, found))
    }
}

impl GamesRoom {
    /// Opens the game of a file, and asks which where there are several.
    pub(crate) fn open_source(&self, wanted: &GameSource) -> Result<GameView, ApiError> {
        let source = Source::new(wanted)?;
        self.open_read(|id| source.only_game(id))
    }

    fn open_on_disk(&self, path: &Path) -> Result<GameView, ApiError> {
        let source = Source::on_disk(path)?;
        self.open_read(|id| source.only_game(id))
    }

    /// Opens a file that the system hands to the program and reports it to every window. One with several games, or with
    /// none, is left to the window, which asks or says what is wrong in its own language.
    ///
    /// # Errors
    /// [`ApiError::UnreadableFile`] when there is no record in it.
    pub(crate) fn open_path(&self, path: &Path) -> Result<(), ApiError> {
        let opened = self.open_on_disk(path);
        let outcome = unless_asked(&opened);
        self.host.emit(match opened {
            Ok(view) => Event::GameOpened(Box::new(view)),
            Err(_) => Event::FileGiven(FilePath { path: path_to_text(path) }),
        });
        outcome
    }

    /// As [`GamesRoom::open_path`], before there is a window: it hears of it when it asks for what is open.
    ///
    /// # Errors
    /// As for [`GamesRoom::open_path`].
    pub(crate) fn open_before_window(&self, path: &Path) -> Result<(), ApiError> {
        let opened = self.open_on_disk(path);
        if opened.is_err() {
            self.given.lock().push(FilePath { path: path_to_text(path) });
        }
        unless_asked(&opened)
    }

    /// The games of a file, as far as a list can show them.
    pub(crate) fn list_games(wanted: &GameSource) -> Result<GameList, ApiError> {
        let source = Source::new(wanted)?;
        let top = source.path.clone();
        let mut list =
            GameList { name: source.name(), games: Vec::new(), complete: true, asks: 0, problems: Vec::new() };
        source.each(&mut |found| {
            match found {
                Found::Game(_) if list.games.len() == MAX_LISTED => {
                    list.complete = false;
                    return ControlFlow::Break(());
                }
                Found::Game(game) => {
                    list.games.push(listed(list.games.len(), &game, &top));
                    list.asks += u32::from(Tsumego::read(game.game.tree).is_some());
                }
                Found::Refused { path, problem } if list.problems.len() < MAX_PROBLEMS => {
                    let (file, message) = (inside(&path, &top), problem.to_string());
                    list.problems.push(ImportProblem {
                        file,
                        line: 0,
                        refused: true,
                        joined: false,
                        problem: None,
                        message,
                    });
                }
                Found::Refused { .. } => {}
            }
            ControlFlow::Continue(())
        });
        Ok(list)
    }

    /// Opens some games of a file, in its order.
    pub(crate) fn open_chosen(&self, wanted: &OpenGames) -> Result<Vec<GameView>, ApiError> {
        let mut numbers: Vec<usize> = wanted.games.iter().map(|&number| number as usize).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() || numbers.len() > MAX_AT_ONCE {
            return Err(ApiError::InvalidRequest { message: format!("1 to {MAX_AT_ONCE} games are opened together") });
        }
        let source = Source::new(&wanted.source)?;
        let (name, file) = (source.name(), source.path.display().to_string());
        let mut found = Vec::new();
        let mut number = 0;
        source.each(&mut |part| {
            if let Found::Game(game) = part {
                if numbers.binary_search(&number).is_ok() {
                    found.push(*game);
                }
                number += 1;
            }
            if found.len() < numbers.len() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if found.len() < numbers.len() {
            return Err(ApiError::UnreadableFile {
                file,
                message: "it has changed and does not hold these games any more".into(),
                problem: None,
            });
        }
        found
            .into_iter()
            .map(|game| {
                let inner = game.path.file_name().map(|name| name.to_string_lossy().into_owned());
                self.open_read(|id| Ok(Session::of_found(id, inner.as_deref().unwrap_or(&name), game)))
            })
            .collect()
    }

    /// Files that were given to the program and are left to the window.
    pub(crate) fn take_given(&self) -> Vec<FilePath> {
        std::mem::take(&mut *self.given.lock())
    }
}

/// A file with several games is no failure: the person is asked.
fn unless_asked<T>(opened: &Result<T, ApiError>) -> Result<(), ApiError> {
    match opened {
        Ok(_) | Err(ApiError::SeveralGames { .. }) => Ok(()),
        Err(error) => Err(error.clone()),
    }
}

/// A path as it is called within its file; empty for the file itself.
fn inside(path: &Path, file: &Path) -> String {
    path.strip_prefix(file).unwrap_or(path).display().to_string()
}

fn listed(number: usize, found: &FoundGame, file: &Path) -> ListedGame {
    let tree = &found.game.tree;
    let info = GameInfo::of(tree);
    let moves = tree.line_from(tree.root()).filter(|&node| tree.move_at(node, info.size).is_some()).count();
    let small = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
    ListedGame {
        number: u32::try_from(number).unwrap_or(u32::MAX),
        file: inside(&found.path, file),
        title: info.name,
        black: info.black.name,
        black_rank: info.black.rank,
        white: info.white.name,
        white_rank: info.white.rank,
        event: info.event,
        date: info.date_text,
        result: info.result_text,
        moves: u32::try_from(moves).unwrap_or(u32::MAX),
        width: small(info.size.width()),
        height: small(info.size.height()),
    }
}
