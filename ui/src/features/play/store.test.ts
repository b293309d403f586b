import { describe, expect, test } from 'vitest'
import { nextTick } from 'vue'
import type { StartPlay } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { startApp } from '@/testing'
import { usePlay } from './index'

async function begun(patch: Partial<StartPlay> = {}) {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const play = usePlay()
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  await play.start({ game, seats: { black: null, white: 'easy' }, clock: null, teaching: null, ...patch })
  return { backend, games: useGames(), play }
}

describe('a game against an opponent', () => {
  test('the person moves, the opponent answers, and both can be taken back', async () => {
    const { backend, games, play } = await begun()
    expect(play.mayMove).toBe(true)
    await play.turn(0)
    expect(games.position?.stones[0]).toBe(1)
    await backend.until(() => play.mayMove)
    expect(games.position?.moveNumber).toBe(2)
    await play.takeBack()
    expect(games.position?.moveNumber).toBe(0)
  })

  test('a game that belongs to a file has its record in the library, and its last moves are unsaved', async () => {
    const { games, play } = await begun({ seats: { black: null, white: null } })
    await play.turn(0)
    const gameId = games.activeId ?? ''
    const generation = play.view?.generation ?? 0
    play.receiveKept({ gameId, recordId: '7', generation, saved: false })
    expect(games.active).toMatchObject({ recordId: '7', modified: true })
    play.receiveKept({ gameId, recordId: '7', generation, saved: true })
    expect(games.active).toMatchObject({ recordId: '7', modified: false })
  })

  test('what is known of a game goes with it', async () => {
    const { games, play } = await begun({ seats: { black: null, white: null } })
    const gameId = games.activeId ?? ''
    await play.turn(0)
    expect(play.plays.has(gameId)).toBe(true)
    await games.close(gameId, 'leave')
    await nextTick()
    expect([games.games.length, play.plays.size]).toEqual([0, 0])
  })

  test('an opponent with the black stones begins', async () => {
    const { backend, games, play } = await begun({ seats: { black: 'easy', white: null } })
    await backend.until(() => play.mayMove)
    expect(games.position?.moveNumber).toBe(1)
  })

  test('an answer that comes after the event of the next move is old', async () => {
    const { games, play } = await begun()
    const view = play.view
    if (!view) throw new Error('no game')
    await games.goTo(view.tip)
    play.receive({ update: null, play: { ...view, generation: 9, tip: 2 }, notice: null })
    await play.turn(0)
    expect([play.view?.generation, play.view?.tip, games.position?.moveNumber]).toEqual([9, 2, 0])
  })

  test('a rated game in which somebody else moved says once that it does not count', async () => {
    const { play } = await begun()
    const view = play.view
    if (!view) throw new Error('no game')
    const told = (generation: number): string | undefined => {
      play.receive({ update: null, play: { ...view, generation, rated: true, uncounted: true }, notice: 'it burns' })
      return useNotices().notices.at(-1)?.title
    }
    expect(told(2)).toBe('A substitute opponent made this move: the game will not count for your rating')
    expect(told(4)).toBe('A substitute opponent made this move')
  })

  test('a game that was interrupted says that its clocks stand, until somebody moves', async () => {
    const { play } = await begun({ clock: { kind: 'absolute', mainSeconds: 60, periodSeconds: 0, stones: 0, periods: 0 } })
    const view = play.view
    if (!view?.clocks) throw new Error('no clocks')
    expect(play.interrupted).toBe(false)
    play.receive({ update: null, play: { ...view, generation: 5, clocks: { ...view.clocks, running: null } }, notice: null })
    expect(play.interrupted).toBe(true)
    play.receive({ update: null, play: { ...view, generation: 5, thinking: true, clocks: { ...view.clocks, running: null } }, notice: null })
    expect(play.interrupted, 'the opponent is being started').toBe(false)
    play.receive({ update: null, play: { ...view, generation: 6 }, notice: null })
    expect(play.interrupted).toBe(false)
  })

  test('one may look back without disturbing the game', async () => {
    const { backend, games, play } = await begun()
    await play.turn(0)
    await backend.until(() => play.mayMove)
    await games.navigate('first')
    expect([play.atTip, play.mayMove]).toEqual([false, false])
    await games.goTo(play.view?.tip ?? -1)
    expect(play.mayMove).toBe(true)
  })

  test('a move that loses is asked about before it stands', async () => {
    const { games, play } = await begun({ teaching: 0.5 })
    // The corner itself is worth the least of all points.
    expect(await play.turn(0)).toBe(false)
    expect(play.warning?.vertex).toBe(0)
    expect(play.warning?.points).toBeGreaterThan(0.5)
    expect(games.position?.moveNumber).toBe(0)
    await play.insist()
    expect(play.warning).toBeUndefined()
    expect(games.position?.stones[0]).toBe(1)
  })

  test('giving up ends it', async () => {
    const { play } = await begun()
    await play.resign()
    expect(play.view?.result).toBe('W+R')
    expect([play.over, play.live, play.mayMove]).toEqual([true, false, false])
  })
})

describe('of two games that are played', () => {
  const other: StartPlay = { game: { width: 9, height: 9, topology: 'plane', rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }, seats: { black: null, white: 'easy' }, clock: null, teaching: null }

  test('a hint is for the one in which it was asked for', async () => {
    const { games, play } = await begun()
    const first = games.activeId!
    await play.hint()
    await play.hint()
    const [points, words] = [play.hinted, play.hintWords]
    expect(points).toHaveLength(3)
    await play.start(other)
    expect([play.hinted, play.hintWords]).toEqual([[], ''])
    games.activate(first)
    expect([play.hinted, play.hintWords]).toEqual([points, words])
    games.activate(games.games.at(-1)!.gameId)
    await play.hint()
    expect(play.hinted.length, 'the first hint of this game shows a part of the board').toBeGreaterThan(3)
  })

  test('a hint that is found while the other game is looked at waits in its own', async () => {
    const { backend, games, play } = await begun()
    const first = games.activeId!
    const found = backend.hold('run')
    const hinting = play.hint()
    await backend.until(() => found.waiting)
    await play.start(other)
    found.release()
    await hinting
    expect([play.hinted, play.hintWords]).toEqual([[], ''])
    games.activate(first)
    expect(play.hinted).not.toEqual([])
  })

  test('the other one gives a hint while this one waits for its own', async () => {
    const { backend, games, play } = await begun()
    const first = games.activeId!
    const found = backend.hold('run')
    const early = play.hint()
    await backend.until(() => found.waiting)
    expect(play.waiting).toBe(true)
    await play.start(other)
    expect(play.waiting).toBe(false)
    const late = play.hint()
    await backend.until(() => found.waiting === 2)
    found.releaseLast()
    await late
    expect(play.hinted).not.toEqual([])
    expect([play.waiting, play.hinting]).toEqual([false, true])
    games.activate(first)
    expect(play.waiting).toBe(true)
    found.release()
    await early
    expect([play.waiting, play.hinting]).toEqual([false, false])
  })

  test('a move that loses is asked about in its own game, and made there', async () => {
    const { backend, games, play } = await begun({ teaching: 0.5 })
    const first = games.activeId!
    const judged = backend.hold('play_turn')
    const turn = play.turn(0)
    await backend.until(() => judged.waiting)
    await play.start(other)
    judged.release()
    expect(await turn).toBe(false)
    expect(play.warning).toBeUndefined()
    games.activate(first)
    expect(play.warning?.vertex).toBe(0)
    await play.insist()
    expect(play.warning).toBeUndefined()
    expect(games.games.map(({ gameId, position }) => [gameId === first, position.stones[0]])).toEqual([[true, 1], [false, 0]])
  })
})

test('a hint that comes after the move is for no position on the board', async () => {
  const { backend, play } = await begun()
  const found = backend.hold('run')
  const hinting = play.hint()
  await backend.until(() => found.waiting)
  await play.turn(0)
  await backend.until(() => play.mayMove)
  found.release()
  await hinting
  expect([play.hinted, play.hintWords]).toEqual([[], ''])
})

test('the clocks stand from a press to the next one or the next move, and a hint for the position stays', async () => {
  const { backend, play } = await begun({ clock: { kind: 'absolute', mainSeconds: 60, periodSeconds: 0, stones: 0, periods: 0 } })
  await play.hint()
  expect(play.hintWords).not.toBe('')
  expect(await play.pause(true)).toBe(true)
  expect(play.interrupted).toBe(true)
  expect(play.hintWords).not.toBe('')
  await backend.advance(5000)
  await play.pause(false)
  expect(play.view?.clocks?.running).toBe('black')
  expect(play.view?.clocks?.black.mainSeconds).toBeGreaterThan(55)
  await play.pause(true)
  await play.turn(0)
  expect(play.interrupted).toBe(false)
})

test('a clock goes on into its next period while nobody moves, and a hint for the position stays', async () => {
  const { backend, play } = await begun({ clock: { kind: 'byoYomi', mainSeconds: 1, periodSeconds: 5, stones: 0, periods: 3 } })
  await play.hint()
  const points = play.hinted
  expect(points).not.toEqual([])
  await backend.advance(1000)
  await backend.until(() => play.view?.clocks?.black.periodSeconds === 5)
  await backend.advance(6000)
  await backend.until(() => play.view?.clocks?.black.periods === 2)
  expect(play.view?.clocks?.black).toMatchObject({ mainSeconds: 0, periodSeconds: 4 })
  expect(play.hinted).toEqual(points)
})

test('two persons move in turn, and two passes lead to the count', async () => {
  const { play } = await begun({ seats: { black: null, white: null } })
  await play.turn(40)
  expect(play.mayMove).toBe(true)
  await play.turn(null)
  await play.turn(null)
  expect(play.view?.counting).toBe(true)
  await play.settle([40])
  expect(play.view).toMatchObject({ counting: false, result: 'W+7' })
})

test('a game of two opponents stands, goes on by one move, is taken over, and is left as a record', async () => {
  const { backend, games, play } = await begun({ seats: { black: 'easy', white: 'easy' }, pace: 60 })
  await backend.until(() => games.position?.moveNumber === 1)
  expect([play.watched, play.stands, play.mayMove, play.interrupted]).toEqual([true, false, false, false])
  await play.pause(true)
  expect(play.stands).toBe(true)
  await play.step()
  await backend.until(() => games.position?.moveNumber === 2 && play.stands)
  await play.takeSeat('black')
  expect([play.watched, play.person, play.mayMove]).toEqual([false, 'black', true])

  const { backend: other, play: second } = await begun({ seats: { black: 'easy', white: 'easy' }, pace: 60 })
  await other.until(() => second.view?.tip !== second.view?.begin)
  await second.stop()
  expect(second.view).toBeUndefined()
  expect(useGames().active?.position.moveNumber).toBe(1)
})

test('why a game of two opponents stands is said in a sentence', async () => {
  const { play } = await begun({ seats: { black: 'easy', white: 'easy' }, pace: 60 })
  if (!play.view) throw new Error('no game')
  play.receive({ update: null, play: { ...play.view, thinking: false, generation: play.view.generation + 1 }, notice: 'the engine ended with status 7' })
  expect(play.stands).toBe(true)
  expect(useNotices().notices.at(-1)).toMatchObject({ title: 'The game is paused: an engine could not move', detail: 'the engine ended with status 7' })
})
