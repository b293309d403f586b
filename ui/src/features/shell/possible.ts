import type { GameView, PlayView } from '@/api'
import { hasStones } from '@/features/game'
import { isWatched } from '@/features/play'
import { ACTIONS, type ActionName } from './actions'

/** What decides which actions can do anything. */
export interface WindowState {
  readonly game: GameView | undefined
  /** Games that are open. */
  readonly games: number
  /** Games that can be opened again. */
  readonly closed: number
  /** The active game, while it is being played. */
  readonly play: PlayView | undefined
  /** It is the person's turn. */
  readonly mayMove: boolean
  /** The library has the window, and the game lies behind it. */
  readonly covered: boolean
  /** The panels are tabs under the board. */
  readonly narrow: boolean
  /** The server has rooms. */
  readonly rooms: boolean
  /** The window can have the whole screen. */
  readonly fullScreen: boolean
  /** The folder of a training run can be watched. */
  readonly training: boolean
}

/** Actions of groups that are about the open game, and need none. */
const WITHOUT_GAME: ReadonlySet<ActionName> = new Set(['newGame', 'openFile', 'paste', 'booklet', 'coordinates', 'rotate', 'mirror', 'swapColors', 'focusBoard', 'candidates', 'ownership', 'policy', 'moveNumbers'])
/** What changes the moves of a game, or thinks them out for the person. */
const NOT_WHILE_PLAYING: ReadonlySet<ActionName> = new Set([
  'texts', 'edit', 'tryOut', 'framePosition', 'autoplay', 'guess', 'practiseLines', 'addPractice', 'addProblems', 'turningPoints', 'booklet', 'insertMoves', 'playOut', 'deleteNode', 'keepVariation', 'openFrom', 'promote', 'cutVariation', 'pasteVariation', 'variationUp', 'variationDown', 'playBest', 'addLine', 'redo', 'score', 'comment',
])
/** What would change a game that nobody sees. */
const NOT_WHILE_COVERED: ReadonlySet<ActionName> = new Set([
  'pass', 'undo', 'redo', 'deleteNode', 'keepVariation', 'cutVariation', 'pasteVariation', 'promote', 'variationUp', 'variationDown', 'tryOut', 'framePosition', 'autoplay', 'insertMoves', 'playOut', 'playBest', 'addLine',
])
/** A rated game has no help. */
const NOT_WHILE_RATED: ReadonlySet<ActionName> = new Set([
  'playFrom', 'undo', 'hint', 'analyse', 'sweep', 'review', 'equalise', 'sweepMoves', 'compareNetworks', 'nextMistake', 'previousMistake',
])
const BACK: ReadonlySet<ActionName> = new Set(['previous', 'tenPrevious', 'first', 'previousFork', 'previousComment', 'deleteNode', 'keepVariation', 'openFrom', 'cutVariation', 'promote', 'variationUp', 'variationDown'])
const FORWARD: ReadonlySet<ActionName> = new Set(['next', 'tenNext', 'autoplay', 'last', 'nextFork', 'nextComment'])

/** Whether an action can do anything as the window is. */
export function possible(name: ActionName, { game, games, closed, play, mayMove, covered, narrow, rooms, fullScreen, training }: WindowState): boolean {
  const { group } = ACTIONS[name]
  const ofGame = group === 'game' || group === 'navigate' || group === 'analysis' || group === 'view'
  if (name === 'reopenGame' || name === 'closedGames') return closed > 0
  if (name === 'nextGame' || name === 'previousGame') return games > 1
  if (name === 'rooms') return rooms
  if (name === 'fullScreen') return fullScreen
  if (name === 'training') return training
  if (name === 'toggleSide') return game !== undefined && !narrow
  if (!game) return !ofGame || WITHOUT_GAME.has(name)
  if (covered && NOT_WHILE_COVERED.has(name)) return false
  if (play && (NOT_WHILE_PLAYING.has(name) || (play.rated && NOT_WHILE_RATED.has(name)))) return false
  // Who only watches has no move to think about or to take back.
  if (play && isWatched(play.seats) && (name === 'hint' || name === 'undo')) return false
  const { lineIndex, line, gameOver } = game.position
  if (BACK.has(name)) return lineIndex > 0
  if (FORWARD.has(name)) return lineIndex < line.length - 1
  switch (name) {
    case 'pass': return play ? mayMove : !gameOver
    case 'undo': return play !== undefined || game.canUndo
    case 'redo': return game.canRedo
    case 'playFrom': return hasStones(game.position)
    default: return true
  }
}
