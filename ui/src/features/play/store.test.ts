import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StartPlay } from '@/api'
import { useGames } from '@/features/game'
import { testApp } from '@/testing/app'
import { toStart, usePlay, USUAL_WISH } from './index'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

async function begun(patch: Partial<StartPlay> = {}) {
  const { backend } = testApp({ withGame: false })
  const play = usePlay()
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  await play.start({ ...toStart({ ...USUAL_WISH, opponent: 'easy' }, game, 0), ...patch })
  return { games: useGames(), play }
}

describe('an opponent of a rank', () => {
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  test('is named with its style and whether it adapts', () => {
    const named = (patch: Partial<typeof USUAL_WISH>) => toStart({ ...USUAL_WISH, ...patch }, game, 0).opponent
    expect(named({ opponent: 'rank_5k' })).toBe('rank_5k')
    expect(named({ opponent: 'rank_1d', style: 'local', adaptive: true })).toBe('rank_1d+local+adaptive')
    expect(toStart({ ...USUAL_WISH, opponent: 'rated', teaching: true }, game, 0)).toMatchObject({ opponent: 'rated', teaching: null })
    expect(named({ opponent: 'hard', style: 'local', adaptive: true })).toBe('hard')
  })
})

describe('a game against an opponent', () => {
  test('the person moves, the opponent answers, and both can be taken back', async () => {
    const { games, play } = await begun()
    expect(play.mayMove).toBe(true)
    await play.turn(0)
    expect(play.mayMove).toBe(false)
    await vi.advanceTimersByTimeAsync(50)
    expect(games.position?.moveNumber).toBe(2)
    expect(play.mayMove).toBe(true)
    await play.takeBack()
    expect(games.position?.moveNumber).toBe(0)
  })

  test('an opponent with the black stones begins', async () => {
    const { games } = await begun({ person: 'white' })
    await vi.advanceTimersByTimeAsync(50)
    expect(games.position?.moveNumber).toBe(1)
  })

  test('an answer that comes after the news of the next move is old', async () => {
    const { games, play } = await begun()
    const view = play.view
    if (!view) throw new Error('no game')
    await games.goTo(view.tip)
    play.receive({ update: null, play: { ...view, generation: 9, tip: 2 }, notice: null })
    await play.turn(0)
    expect([play.view?.generation, play.view?.tip, games.position?.moveNumber]).toEqual([9, 2, 0])
  })

  test('a game that was interrupted says that its clocks stand, until somebody moves', async () => {
    const { play } = await begun({ clock: { kind: 'absolute', mainSeconds: 60, periodSeconds: 0, stones: 0, periods: 0 } })
    const view = play.view
    if (!view?.clocks) throw new Error('no clocks')
    expect(play.interrupted).toBe(false)
    play.receive({ update: null, play: { ...view, generation: 5, clocks: { ...view.clocks, running: null } }, notice: null })
    expect(play.interrupted).toBe(true)
    play.receive({ update: null, play: { ...view, generation: 6 }, notice: null })
    expect(play.interrupted).toBe(false)
  })

  test('one may look back without disturbing the game', async () => {
    const { games, play } = await begun()
    await play.turn(0)
    await vi.advanceTimersByTimeAsync(50)
    await games.navigate('first')
    expect([play.atTip, play.mayMove]).toEqual([false, false])
    await games.goTo(play.view?.tip ?? -1)
    expect(play.mayMove).toBe(true)
  })

  test('a move that loses is asked about before it stands', async () => {
    const { games, play } = await begun({ teaching: 5 })
    expect(await play.turn(3)).toBe(false)
    expect(play.warning).toMatchObject({ vertex: 3, points: 12 })
    expect(games.position?.moveNumber).toBe(0)
    await play.turn(3, true)
    expect(play.warning).toBeUndefined()
    expect(games.position?.stones[3]).toBe(1)
  })

  test('giving up ends it', async () => {
    const { play } = await begun()
    await play.resign()
    expect(play.view?.result).toBe('W+R')
    expect([play.over, play.mayMove]).toEqual([true, false])
    await play.leave()
    expect(play.view).toBeUndefined()
  })
})

test('two persons move in turn, and two passes lead to the count', async () => {
  const { play } = await begun({ person: null, opponent: null })
  await play.turn(40)
  expect(play.mayMove).toBe(true)
  await play.turn(null)
  await play.turn(null)
  expect(play.view?.counting).toBe(true)
  await play.settle([40])
  expect(play.view).toMatchObject({ counting: false, result: 'B+3.5' })
})

test('what is chosen in the dialog is what is asked for', () => {
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  expect(toStart({ ...USUAL_WISH, opponent: 'person', clock: 'byoYomi', teaching: true }, game, 0.9))
    .toMatchObject({ person: null, opponent: null, teaching: 5, clock: { kind: 'byoYomi', mainSeconds: 600, periods: 3 } })
  expect(toStart({ ...USUAL_WISH, color: 'random' }, game, 0.9)).toMatchObject({ person: 'white', opponent: 'medium', clock: null })
})
