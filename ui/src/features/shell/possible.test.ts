import { expect, test } from 'vitest'
import type { GameView, PlayView } from '@/api'
import { useGames } from '@/features/game'
import { useLibrary } from '@/features/library'
import { useNewGame } from '@/features/start'
import { startApp } from '@/testing'
import { ACTION_NAMES } from './actions'
import { possible, type WindowState } from './possible'
import { useShell } from './store'

const EMPTY: WindowState = { game: undefined, games: 0, closed: 0, play: undefined, mayMove: false, covered: false, narrow: false, rooms: false, fullScreen: false, training: false }
const game = (lineIndex: number, moves: number): GameView =>
  ({ canUndo: moves > 0, canRedo: false, position: { lineIndex, line: Array.from({ length: moves + 1 }, (_, index) => index), gameOver: false, stones: [Math.sign(moves)] } }) as GameView
const PLAYED = { rated: false, seats: { black: null, white: 'easy' } } as PlayView
const offered = (state: Partial<WindowState>): string[] => ACTION_NAMES.filter(name => possible(name, { ...EMPTY, ...state }))

test('the empty window offers nothing that is about a game', () => {
  expect(offered({})).toEqual([
    'newGame', 'openFile', 'paste', 'booklet', 'candidates', 'ownership', 'policy', 'moveNumbers', 'swapColors', 'coordinates', 'rotate', 'mirror', 'focusBoard',
    'library', 'toggleLibrary', 'searchLibrary', 'findPattern', 'players', 'practice', 'exercises', 'problems', 'firstSteps', 'myPlay', 'import', 'sources', 'theme', 'settings', 'palette', 'help', 'shortcuts', 'larger', 'smaller',
  ])
})

test('rooms are offered where the server has some', () => {
  expect(offered({})).not.toContain('rooms')
  expect(offered({ rooms: true })).toContain('rooms')
})

test('the whole screen is offered where a window can have it', () => {
  expect(offered({})).not.toContain('fullScreen')
  expect(offered({ fullScreen: true })).toContain('fullScreen')
})

test('training is offered where the folder of a run can be watched', () => {
  expect(offered({})).not.toContain('training')
  expect(offered({ training: true })).toContain('training')
})

test('a closed game is offered again as soon as there is one', () => {
  expect(offered({ closed: 1 })).toEqual(expect.arrayContaining(['reopenGame', 'closedGames']))
  expect(offered({ closed: 1, game: game(0, 0), games: 1 })).toContain('reopenGame')
})

test('there is no way back from the beginning, and none on from the end', () => {
  const atStart = offered({ game: game(0, 3), games: 1 })
  expect(atStart).toContain('next')
  expect(atStart).not.toContain('previous')
  for (const name of ['deleteNode', 'keepVariation', 'openFrom']) expect(atStart).not.toContain(name)
  expect(atStart).toContain('find')
  expect(atStart).not.toContain('nextGame')
  const atEnd = offered({ game: game(3, 3), games: 2 })
  expect(atEnd).toContain('previous')
  expect(atEnd).not.toContain('last')
  expect(atEnd).toContain('nextGame')
})

test('a position is played on where there is one, and not out of a rated game', () => {
  expect(offered({ game: game(2, 2), games: 1 })).toContain('playFrom')
  expect(offered({ game: game(0, 0), games: 1 })).not.toContain('playFrom')
  expect(offered({ game: game(2, 2), games: 1, play: PLAYED })).toContain('playFrom')
  expect(offered({ game: game(2, 2), games: 1, play: { ...PLAYED, rated: true } })).not.toContain('playFrom')
})

test('whoever plays is not offered to edit, and in a rated game no help', () => {
  const playing = offered({ game: game(2, 2), games: 1, play: PLAYED, mayMove: true })
  for (const name of ['pass', 'undo', 'hint']) expect(playing).toContain(name)
  for (const name of ['edit', 'tryOut', 'insertMoves', 'practiseLines', 'deleteNode', 'keepVariation', 'openFrom', 'playOut', 'playBest']) expect(playing).not.toContain(name)
  const rated = offered({ game: game(2, 2), games: 1, play: { ...PLAYED, rated: true }, mayMove: false })
  for (const name of ['pass', 'undo', 'hint', 'analyse', 'review']) expect(rated).not.toContain(name)
})

test('who watches two opponents may analyse, and has no move to take back or to be hinted at', () => {
  const watched = offered({ game: game(2, 2), games: 1, play: { ...PLAYED, seats: { black: 'easy', white: 'easy' } } })
  for (const name of ['analyse', 'playFrom', 'previous']) expect(watched).toContain(name)
  for (const name of ['undo', 'hint', 'pass', 'edit']) expect(watched).not.toContain(name)
})

test('to play goes on from the position on the board, and a new game begins without it', async () => {
  await startApp()
  const [games, shell, start] = [useGames(), useShell(), useNewGame()]
  await games.openText('(;SZ[9];B[cc];W[dd])')
  await games.navigate('next')
  const asked = (): unknown => [shell.dialog, start.from?.at]
  const here = { gameId: games.activeId, nodeId: 1 }
  shell.act('newGame')
  expect(asked()).toEqual(['newGame', undefined])
  shell.act('playFrom')
  expect(asked()).toEqual(['newGame', here])
  shell.act('newGame')
  shell.enter('play')
  expect(asked()).toEqual(['newGame', here])
  shell.act('newGame')
  expect(asked()).toEqual(['newGame', undefined])
})

test('a game that the library covers is not changed, and can still be saved and closed', async () => {
  const covered = offered({ game: game(2, 3), games: 1, covered: true })
  for (const name of ['pass', 'undo', 'deleteNode', 'keepVariation', 'playBest', 'pasteVariation']) expect(covered).not.toContain(name)
  for (const name of ['next', 'save', 'closeGame', 'library']) expect(covered).toContain(name)

  const { backend } = await startApp()
  const [games, shell] = [useGames(), useShell()]
  await games.openText('(;SZ[9];B[cc];W[dd])')
  await games.navigate('last')
  shell.act('library')
  shell.act('deleteNode')
  shell.act('pass')
  await backend.settled()
  expect([shell.room, games.active?.tree.ids.length]).toEqual(['library', 3])
  shell.act('library')
  shell.act('deleteNode')
  await backend.settled()
  expect([shell.room, games.active?.tree.ids.length]).toEqual(['board', 2])
})

test('in the library its own last change is taken back and done again, and the game behind it stays', async () => {
  const { backend } = await startApp({ records: '(;SZ[9]PB[a]PW[b];B[ee];W[cc])' })
  const [games, library, shell] = [useGames(), useLibrary(), useShell()]
  await games.openText('(;SZ[9];B[cc];W[dd])')
  await games.navigate('last')
  await games.play(0)
  await library.refresh()
  await library.remove([library.recordAt(0)!.id])
  await library.fetchGroups()
  shell.act('library')
  expect([library.total, shell.can('undo'), shell.can('redo')]).toEqual([0, true, false])
  shell.act('undo')
  await backend.until(() => library.total === 1)
  expect(shell.can('redo')).toBe(true)
  shell.act('redo')
  await backend.until(() => library.total === 0)
  expect(games.active?.tree.ids).toHaveLength(4)
  shell.act('library')
  shell.act('undo')
  await backend.until(() => games.active?.tree.ids.length === 3)
  expect(library.total).toBe(0)
})
