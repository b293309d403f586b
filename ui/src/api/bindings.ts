// Written after crates/api/src/types; the back end's own export replaces this file.

/** Turns live analysis of a game on or off. While it is on, the engine follows the game's current node. */
export type SetAnalysis = {
  /** The game. */
  gameId: string
  /** On or off. */
  running: boolean
  /** Where to stop on one position; 0 goes on until the next command. */
  visits: number
}

/** Evaluates every move of the current variation, for the graph. */
export type SweepGame = {
  /** The game. */
  gameId: string
  /** Visits on each position; 1 asks the network alone. */
  visits: number
}

/** The state of the search on one position. Sent about ten times a second while it changes, and once when it ends. */
export type AnalysisUpdate = {
  /** The game. */
  gameId: string
  /** The node whose position it is. */
  nodeId: number
  /** Grows with every update of the same game. */
  sequence: number
  /** Visits of the root. */
  visits: number
  /** Visits a second since this position was taken up. */
  visitsPerSecond: number
  /** Black's chance to win, 0 to 1. */
  blackWinProb: number
  /** Points that Black leads by. */
  blackScoreLead: number
  /** Its spread in points. */
  scoreStdev: number
  /** Best first. */
  candidates: CandidateView[]
  /** Whose each point will be, row by row: 1 black's, -1 white's, in hundredths (-100 to 100). */
  blackOwnership: number[]
  /** More will come. */
  running: boolean
}

/** A move that the engine looks at. */
export type CandidateView = {
  /** The point, or null for a pass. */
  vertex: number | null
  /** Its visits. */
  visits: number
  /** Black's chance to win after it, 0 to 1. */
  blackWinProb: number
  /** Points that Black leads by after it. */
  blackScoreLead: number
  /** Its spread in points. */
  scoreStdev: number
  /** The network's first thought, 0 to 1. */
  prior: number
  /** Lower bound of the mover's chance to win, 0 to 1. */
  lcbForMover: number
  /** Points that the mover loses against the best move, 0 or more. */
  pointsLost: number
  /** Where it stands, 0 the best. */
  order: number
  /** The line that the engine expects, this move first. */
  pv: (number | null)[]
}

/** Values for the graph of a game. */
export type GraphUpdate = {
  /** The game. */
  gameId: string
  /** New or better values only. */
  values: GraphValue[]
  /** Positions evaluated so far by a sweep that is under way. */
  done: number
  /** Positions that the sweep will evaluate; 0 when none is under way. */
  total: number
}

/** The engine's opinion of one node. */
export type GraphValue = {
  /** The node. */
  nodeId: number
  /** Black's chance to win, 0 to 1. */
  blackWinProb: number
  /** Points that Black leads by. */
  blackScoreLead: number
  /** Visits behind it. */
  visits: number
}

/** What the engine is and how it does. */
export type EngineStatus = {
  /** Loading, ready, or why not. */
  state: EngineState
  /** The network's own name, empty until one is read. */
  network: string
  /** The device that really computes, such as `cpu`; empty until it does. */
  device: string
  /** Evaluations a second, measured while working; 0 before. */
  evaluationsPerSecond: number
  /** The game under analysis, if any. */
  analysing: string | null
}

/** Whether the engine can answer. */
export type EngineState =
  | { kind: 'idle' }
  | { kind: 'loading' }
  | { kind: 'ready' }
  | { kind: 'failed', message: string, hint: string }

/** A network that is at hand. */
export type NetworkFile = {
  /** The file's name: what `Settings::network` holds. */
  fileName: string
  /** Its size in bytes, in KiB. */
  sizeKib: number
  /** It came with the program. */
  bundled: boolean
}

/** Why a command failed. Variants exist where a window does something different with them; everything else is `internal` with a number that also stands in the log. */
export type ApiError =
  | { kind: 'illegalMove', reason: IllegalReason, message: string }
  | { kind: 'invalidBoard', message: string }
  | { kind: 'invalidRequest', message: string }
  | { kind: 'unreadableFile', file: string, message: string }
  | { kind: 'notFound', message: string }
  | { kind: 'engineUnavailable', message: string, hint: string }
  | { kind: 'library', message: string, hint: string }
  | { kind: 'cancelled' }
  | { kind: 'notPossibleHere', message: string }
  | { kind: 'internal', report: string }

/** The rule that refused a move. */
export type IllegalReason = 'outside' | 'occupied' | 'ko' | 'superko' | 'suicide' | 'gameOver' | 'wrongTurn'

/** What the back end tells every window without being asked. */
export type Event =
  | { event: 'analysis', payload: AnalysisUpdate }
  | { event: 'graph', payload: GraphUpdate }
  | { event: 'engine', payload: EngineStatus }
  | { event: 'import', payload: ImportProgress }
  | { event: 'gameOpened', payload: GameView }
  | { event: 'libraryChanged' }

/** A colour. */
export type Side = 'black' | 'white'

/** How the edges of the board meet. */
export type BoardTopology = 'plane' | 'torus'

/** A new, empty game. */
export type NewGame = {
  /** Columns, 2 to 19. */
  width: number
  /** Rows, 2 to 19. */
  height: number
  /** A ruleset's name, such as `chinese` or `japanese`. */
  rules: string
  /** Points for White. */
  komi: number
  /** Handicap stones, 0 or 2 to 9, on the usual points. */
  handicap: number
  /** Black's name, may be empty. */
  black: string
  /** White's name, may be empty. */
  white: string
}

/** A record given as its content, as when a file is dropped on a browser or pasted. */
export type OpenContent = {
  /** The file's name, for messages; may be empty. */
  name: string
  /** The file's bytes in base64: the back end finds out the character set. */
  base64: string
}

/** A file on the disk of the machine where the back end runs. */
export type FilePath = {
  /** The path. */
  path: string
}

/** Which open game. */
export type GameRef = {
  /** The game. */
  gameId: string
}

/** A node of an open game. */
export type NodeRef = {
  /** The game. */
  gameId: string
  /** The node. */
  nodeId: number
}

/** A move at the current node: follows the variation that has it, or begins one. */
export type PlayMove = {
  /** The game. */
  gameId: string
  /** The point, or null for a pass. The colour is the one to move. */
  vertex: number | null
}

/** A step through the tree. */
export type Step = 'first' | 'last' | 'next' | 'previous' | 'tenNext' | 'tenPrevious' | 'nextVariation' | 'previousVariation' | 'mainLine'

/** A step from the current node. */
export type Navigate = {
  /** The game. */
  gameId: string
  /** Where to. */
  step: Step
}

/** A node's comment. */
export type SetComment = {
  /** The game. */
  gameId: string
  /** The node. */
  nodeId: number
  /** The new text; empty removes it. */
  text: string
}

/** What a game says about itself. */
export type GameInfo = {
  /** Black's name. */
  black: string
  /** Black's rank, as written in the record. */
  blackRank: string
  /** White's name. */
  white: string
  /** White's rank, as written in the record. */
  whiteRank: string
  /** The game's own name. */
  title: string
  /** The event. */
  event: string
  /** The place. */
  place: string
  /** The date, as written in the record. */
  date: string
  /** The result, as written in the record (`B+R`, `W+3.5` ...). */
  result: string
  /** The ruleset's name, as understood. */
  rules: string
  /** Points for White. */
  komi: number
  /** Handicap stones. */
  handicap: number
}

/** A change of what a game says about itself. */
export type SetGameInfo = {
  /** The game. */
  gameId: string
  /** The new values, all of them. */
  info: GameInfo
}

/** A whole open game: sent when it is opened and when its tree changed in more than one place. */
export type GameView = {
  /** The game. */
  gameId: string
  /** Columns. */
  width: number
  /** Rows. */
  height: number
  /** How the edges meet. */
  topology: BoardTopology
  /** What the game says about itself. */
  info: GameInfo
  /** The whole tree. */
  tree: TreeView
  /** The current node. */
  position: PositionView
  /** What was found wrong, or mended, while reading the record. */
  diagnostics: RecordDiagnostic[]
  /** The library's record of this game, if it has been saved there or was opened from it. */
  recordId: string | null
  /** Something was changed since it was opened or saved. */
  modified: boolean
  /** The file that it came from, if any: its name, not its path. */
  fileName: string | null
}

/** What changed in an open game. */
export type GameUpdate = {
  /** The game. */
  gameId: string
  /** The current node. */
  position: PositionView
  /** The tree, if its shape changed. */
  tree: TreeView | null
  /** Something was changed since it was opened or saved. */
  modified: boolean
}

/** A tree of moves as parallel lists, so that tens of thousands of nodes stay light. Entry `i` of each list belongs to the same node; parents stand before their children, siblings in their order, the main line first. */
export type TreeView = {
  /** Counts changes of shape. */
  revision: number
  /** The nodes' names. */
  ids: number[]
  /** Position of the parent in these lists; the root's is its own, 0. */
  parents: number[]
  /** The moves: a point's index, -1 for a pass, -2 for a node without a move. */
  moves: number[]
  /** Who moved: 1 black, -1 white, 0 for a node without a move. */
  colors: number[]
  /** 1 where the node has a comment. */
  comments: number[]
}

/** The position at a game's current node. */
export type PositionView = {
  /** The node. */
  nodeId: number
  /** Moves played to get here, passes included. */
  moveNumber: number
  /** Nodes from the root to here and on along the variation last visited, root first. */
  line: number[]
  /** Where in `line` the node stands. */
  lineIndex: number
  /** Stones row by row from the top left: 1 black, -1 white, 0 empty. */
  stones: number[]
  /** For each point the number of the move that put the stone there, 0 if none did. */
  moveNumbers: number[]
  /** Who is to move. */
  toMove: Side
  /** The move that led here; null for a pass and where there is none (see `last_was_pass`). */
  lastMove: number | null
  /** The move that led here was a pass. */
  lastWasPass: boolean
  /** The point that ko forbids now. */
  ko: number | null
  /** Points where the player to move may play: 1, and 0 where not. */
  legal: number[]
  /** White stones taken by Black. */
  capturedByBlack: number
  /** Black stones taken by White. */
  capturedByWhite: number
  /** The moves of the variations that start here, in their order. */
  children: ChildView[]
  /** The comment. */
  comment: string
  /** Triangles, squares, labels ... at this node. */
  marks: MarkView[]
  /** Two passes or a resignation ended the game here. */
  gameOver: boolean
}

/** A variation that starts at a node. */
export type ChildView = {
  /** The node. */
  nodeId: number
  /** Its move; null for a pass or none. */
  vertex: number | null
}

/** A mark on a point. */
export type MarkView = {
  /** The point. */
  point: number
  /** Its shape. */
  shape: MarkShape
  /** The text of a label, otherwise empty. */
  label: string
}

/** The shape of a mark. */
export type MarkShape = 'triangle' | 'square' | 'circle' | 'cross' | 'label'

/** Something found wrong, or mended, while reading a record. */
export type RecordDiagnostic = {
  /** Counted from 1; 0 where it belongs to no line. */
  line: number
  /** Counted from 1; 0 where it belongs to no column. */
  column: number
  /** Something was lost or refused, not only mended. */
  serious: boolean
  /** The sentence. */
  message: string
}

/** Asks for the score of the current position. */
export type ScoreRequest = {
  /** The game. */
  gameId: string
  /** Points of dead chains, any one stone of each; null lets the engine propose them. */
  dead: number[] | null
}

/** A score with its arithmetic. */
export type ScoreView = {
  /** All stones counted as dead. */
  dead: number[]
  /** Whose each point is: 1 black, -1 white, 0 nobody's. */
  owner: number[]
  /** Black's parts. */
  black: ScoreParts
  /** White's parts. */
  white: ScoreParts
  /** Black's total minus White's. */
  blackLead: number
  /** The result as records write it: `B+3.5`, `W+0.5`, `0`. */
  result: string
}

/** One player's part of a score, in points. */
export type ScoreParts = {
  /** Empty points surrounded. */
  territory: number
  /** Stones on the board, where they count. */
  stones: number
  /** Prisoners and dead stones, where they count. */
  prisoners: number
  /** Komi, handicap compensation, button. */
  bonus: number
  /** The sum. */
  total: number
}

/** A record as text. */
export type SgfText = {
  /** A name to save it under. */
  fileName: string
  /** The record. */
  sgf: string
}

/** Where to write an open game. */
export type SaveFile = {
  /** The game. */
  gameId: string
  /** The path. */
  path: string
}

/** Asks for a page of the library. */
export type RecordQuery = {
  /** Words that must occur in players, title, event, place or date; empty for all. */
  text: string
  /** What to sort by. */
  sort: RecordSort
  /** Largest, or last, first. */
  descending: boolean
  /** How many to skip. */
  offset: number
  /** How many to give, 1 to 1000. */
  limit: number
}

/** What to sort the library by. */
export type RecordSort = 'added' | 'date' | 'black' | 'white' | 'moves'

/** A page of the library. */
export type RecordPage = {
  /** How many match. */
  total: number
  /** Those asked for. */
  records: RecordSummary[]
}

/** A record as the list shows it. */
export type RecordSummary = {
  /** The record. */
  id: string
  /** The name given by the person or the record; may be empty. */
  title: string
  /** Black's name. */
  black: string
  /** Black's rank. */
  blackRank: string
  /** White's name. */
  white: string
  /** White's rank. */
  whiteRank: string
  /** The event. */
  event: string
  /** The date, as written in the record. */
  date: string
  /** The result, as written in the record. */
  result: string
  /** The ruleset, as written in the record. */
  rules: string
  /** Columns. */
  width: number
  /** Rows. */
  height: number
  /** Points for White. */
  komi: number
  /** Handicap stones. */
  handicap: number
  /** Moves of the main line. */
  moves: number
  /** Seconds since 1970 when it was added. */
  addedAt: number
}

/** Names a record. */
export type RecordRef = {
  /** The record. */
  id: string
}

/** Names several records. */
export type RecordRefs = {
  /** The records. */
  ids: string[]
}

/** Gives a record a name. */
export type RenameRecord = {
  /** The record. */
  id: string
  /** Its new name; empty takes it away. */
  title: string
}

/** Files and folders on the disk of the machine where the back end runs. */
export type ImportPaths = {
  /** The paths. */
  paths: string[]
}

/** How an import goes on. Sent about ten times a second, and once when it ends. */
export type ImportProgress = {
  /** Games read. */
  games: number
  /** Of those, new in the library. */
  added: number
  /** Of those, already there. */
  duplicates: number
  /** Files looked at. */
  files: number
  /** Files in all, as far as known. */
  totalFiles: number
  /** What was refused or mended, the first thousand. */
  problems: ImportProblem[]
  /** It has ended. */
  finished: boolean
  /** It ended because somebody asked for that. */
  cancelled: boolean
}

/** A file that was refused or mended. */
export type ImportProblem = {
  /** The file, and the game in it. */
  file: string
  /** Counted from 1; 0 where it belongs to no line. */
  line: number
  /** Nothing of it was taken. */
  refused: boolean
  /** The sentence. */
  message: string
}

/** What the library holds. */
export type LibraryStats = {
  /** Records. */
  games: number
  /** Different names of players. */
  players: number
  /** Size of the file in KiB. */
  sizeKib: number
}

/** Asks for the best move on a board. The one type of the desktop command and of the TCP line. */
export type RunRequest = {
  /** Rows from the top, or one flat list: 0 empty, 1 black, -1 white. */
  board: unknown
  /** Who is to move. */
  color: Side
  /** When to stop; the default is the setting. */
  visits?: number | null
  /** When to stop, in seconds. */
  seconds?: number | null
  /** A ruleset's name. */
  rules?: string | null
  /** Points for White. */
  komi?: number | null
  /** The moves that led to the board, `[["black",[x,y]],...]`, `"pass"` for a pass. */
  moves?: unknown | null
  /** How the edges meet. */
  topology?: BoardTopology
  /** Asks for the ownership of every point. */
  ownership?: boolean
  /** Who answers; see the levels. */
  level?: string | null
}

/** The answer to a `run`. */
export type RunReply = {
  /** The best move. */
  move: WireMove
  /** Chance of `color` to win, 0 to 1. */
  winrate: number
  /** Points that `color` leads by. */
  scoreLead: number
  /** Visits of the root. */
  visits: number
  /** Best first. */
  candidates: RunCandidate[]
  /** Whose each point will be, row by row from the top: 1 for `color`'s, -1 for the other's. Only if asked for. */
  ownership?: number[] | null
  /** The device that computed it. */
  device: string
  /** The network's name. */
  network: string
}

/** A move as the original protocol writes it: `{"x":17,"y":4}`, both from 1, or `{"pass":true}`. */
export type WireMove =
  | { x: number, y: number }
  | { pass: boolean }

/** A candidate of a `run`. */
export type RunCandidate = {
  /** The move. */
  move: WireMove
  /** Its visits. */
  visits: number
  /** Chance of `color` to win after it. */
  winrate: number
  /** Points that `color` leads by after it. */
  scoreLead: number
  /** The network's first thought. */
  prior: number
  /** The line that the engine expects, this move first. */
  pv: WireMove[]
}

/** Keeps a record in the library. */
export type SaveGoban = {
  /** The record as SGF. */
  goban: string
}

/** Where a record was kept. */
export type SavedGoban = {
  /** The record. */
  id: string
  /** The record that already held the same game. */
  duplicateOf: string | null
}

/** What a person chose. Kept in `settings.toml`; what a file lacks has its default, what it holds beside is kept. */
export type Settings = {
  /** A language tag such as `en` or `zh-Hans`; empty follows the system. */
  language: string
  /** `light`, `dark`, or empty to follow the system. */
  theme: string
  /** The look of the board: a name that the window knows. */
  boardTheme: string
  /** A network's file name; empty takes the one that came with the program. */
  network: string
  /** Visits at which live analysis rests on one position; 0 goes on. */
  visits: number
  /** Search threads; 0 chooses by the machine. */
  threads: number
  /** Live analysis starts with the game. */
  analyseAtStart: boolean
  /** What the window keeps for itself (folded panels, figures on the candidates ...), as JSON. */
  window: string
}

/** What this host can do; a window asks instead of testing for the platform. */
export type Capabilities = {
  /** Paths on this disk may be opened, saved and imported. */
  paths: boolean
  /** There are native dialogs for files. */
  nativeDialogs: boolean
}

/** All that a window needs to draw itself for the first time. */
export type Startup = {
  /** The program's version. */
  version: string
  /** What the host can do. */
  capabilities: Capabilities
  /** What the person chose. */
  settings: Settings
  /** The engine. */
  engine: EngineStatus
  /** Networks at hand. */
  networks: NetworkFile[]
  /** Games that are open, the one to show first at the front. */
  games: GameView[]
  /** What went wrong while starting and still matters, a sentence each (a damaged library, say). */
  notices: string[]
}

/** A command that takes nothing. */
export type NoArgs = Record<string, never>
