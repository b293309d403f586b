//! The events of the back end.

use crate::{
    AnalysisUpdate, ApiError, ClosedGame, EngineStatus, FilePath, GameChanged, GameKept, GameView, GraphUpdate,
    ImportProgress, MenuChosen, NetworkFetch, NotKept, PatternProgress, PlayNews, PlayOutProgress, PositionsChanged,
    ReviewQueue, RuntimeFetch, Settings, SourceSync, UpdateFetch,
};
use serde::Serialize;
use specta::Type;

/// The events of the back end, for every window.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "event", content = "payload", rename_all = "camelCase")]
pub enum Event {
    /// The search on a game's current position.
    Analysis(AnalysisUpdate),
    /// New values for a game's graph.
    Graph(GraphUpdate),
    /// Positions of a game are others now: what was found of them before does not hold any more.
    PositionsChanged(PositionsChanged),
    /// The engine's state or speed changed.
    Engine(EngineStatus),
    /// A network is fetched.
    Network(NetworkFetch),
    /// A runtime is fetched.
    Runtime(RuntimeFetch),
    /// The package of a newer version is fetched.
    Update(UpdateFetch),
    /// An import goes on.
    Import(ImportProgress),
    /// A look for new games at a game server or in a folder goes on.
    Source(SourceSync),
    /// A search for a pattern goes on.
    Pattern(PatternProgress),
    /// A game was opened from outside the window: a file given to the program by the system.
    GameOpened(Box<GameView>),
    /// A command changed an open game, opened one or closed one: whichever window gave it, the others ask for the game.
    GameChanged(GameChanged),
    /// The person chose something else, in whichever window: what is chosen now.
    SettingsChanged(Box<Settings>),
    /// A game was closed or opened again: those that can be opened again now, the last closed first.
    ClosedGames(Vec<ClosedGame>),
    /// The system gave the program a file that was not opened: the window asks about it, or says what is wrong.
    FileGiven(FilePath),
    /// An item of the system's menu bar was chosen: the window does it.
    MenuChosen(MenuChosen),
    /// A game is played out.
    PlayOut(PlayOutProgress),
    /// News of a game that is played.
    Play(Box<PlayNews>),
    /// The list of games that are reviewed in the background goes on.
    Reviews(ReviewQueue),
    /// A game that is played is in the library as it stands.
    GameKept(GameKept),
    /// Open games are not kept any more, or (null) they are again.
    GamesNotKept(Option<NotKept>),
    /// The library was to be backed up by itself, and was not. Emitted once.
    LibraryNotBackedUp(ApiError),
    /// Records were added, changed or deleted: lists should be asked for again.
    LibraryChanged,
}
