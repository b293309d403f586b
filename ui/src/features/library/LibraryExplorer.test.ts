import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { recordOf, startApp, type AppOptions } from '@/testing'
import { i18n } from '@/i18n'
import LibraryExplorer from './LibraryExplorer.vue'
import { useLibrary } from './store'

afterEach(() => { vi.useRealTimers() })

const OPENING = ['pd', 'dc']
const GAMES = [
  recordOf({ PB: 'A', PW: 'B', DT: '1998-01-01', RE: 'B+R' }, [...OPENING, 'qn', 'cn']),
  recordOf({ PB: 'A', PW: 'C', DT: '2019-01-01', RE: 'W+R' }, [...OPENING, 'qn', 'cn', 'pp']),
  recordOf({ PB: 'B', PW: 'C', DT: '2001-01-01', RE: 'W+R' }, [...OPENING, 'cn', 'df']),
].join('\n')

/** A game on the board that stands where the games of the library part. */
async function atFork(options: AppOptions = {}) {
  const { backend } = await startApp({ records: GAMES, game: recordOf({}, OPENING), at: 2, ...options })
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  if (!games.active) throw new Error('there is no game')
  vi.useFakeTimers()
  const wrapper = mount(LibraryExplorer, { props: { game: games.active }, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  const asked = (): number => backend.asked('explore_position').length
  const pause = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(200)
    await backend.settled()
  }
  return { backend, games, wrapper, asked, pause }
}

test('shows how games went on, asks again where the board goes, and reports what is chosen', async () => {
  const { games, wrapper, asked, pause } = await atFork()
  await pause()
  const rows = wrapper.findAll('[data-point]')
  expect(rows.map(row => row.attributes('data-point'))).toEqual(['R6', 'C6'])
  for (const part of ['2', '1998–2019']) expect(rows[0]?.text()).toContain(part)
  await rows[0]?.trigger('click')
  expect(wrapper.emitted('play')).toEqual([[13 * 19 + 16]])

  await games.play(13 * 19 + 16)
  await wrapper.setProps({ game: games.active! })
  // Until the new answer is there, the old moves are not played on the new position.
  await wrapper.find('[data-point]').trigger('click')
  expect(wrapper.emitted('play')).toHaveLength(1)
  await pause()
  expect(asked()).toBe(2)
  expect(wrapper.findAll('[data-point]').map(row => row.attributes('data-point'))).toEqual(['C6'])
})

test('a comment asks nothing, a library that is changed in another window asks again', async () => {
  const { backend, games, wrapper, asked, pause } = await atFork()
  await pause()
  await games.setComment(games.active!.gameId, games.active!.position.nodeId, 'quiet')
  await wrapper.setProps({ game: games.active! })
  await pause()
  expect(asked()).toBe(1)
  let changes = 0
  backend.listen((event) => { if (event.event === 'libraryChanged') changes++ })
  const other = backend.another()
  const change = async (): Promise<void> => {
    const before = changes
    await other.call('save_search', { name: `search ${before}`, filter: {}, sort: 'date', descending: false })
    await backend.until(() => changes > before)
    await pause()
  }
  await change()
  expect(asked()).toBe(2)
  wrapper.unmount()
  await change()
  expect(asked()).toBe(2)
})

test('a slow library is asked one question at a time, and the last one counts', async () => {
  const { backend, games, wrapper, asked, pause } = await atFork()
  const slow = backend.hold('explore_position')
  await pause()
  for (const point of [13 * 19 + 16, 13 * 19 + 2]) {
    await games.play(point)
    await wrapper.setProps({ game: games.active! })
    await pause()
  }
  expect(asked()).toBe(1)
  await backend.until(() => slow.waiting === 1)
  slow.releaseOne()
  await backend.until(() => slow.waiting === 1)
  expect(asked()).toBe(2)
  expect(wrapper.find('[data-point]').exists()).toBe(false)
  slow.releaseOne()
  await backend.settled()
  expect(wrapper.findAll('[data-point]').map(row => row.attributes('data-point'))).toEqual(['Q4'])
})

test('what the engine found is beside the games', async () => {
  const { backend, games, wrapper } = await atFork()
  const gameId = games.activeId ?? ''
  for (const vertex of [13 * 19 + 16, 13 * 19 + 2]) {
    const end = new Promise<void>((resolve) => {
      backend.listen((event) => { if (event.event === 'graph' && event.payload.sweep?.state.kind === 'finished') resolve() })
    })
    const played = await backend.call('play', { gameId, vertex })
    await backend.call('sweep_game', { gameId, passes: [50] }) // With fewer visits nothing is judged.
    await end
    if (played.status === 'ok') await backend.call('navigate', { gameId, step: 'previous' })
  }
  // What was found is written beside the commands.
  for (;;) {
    const answer = await backend.call('explore_position', { gameId, filter: {} })
    if (answer.status === 'ok' && answer.data.lines.every(line => line.pointsLost !== null)) break
  }
  await vi.advanceTimersByTimeAsync(200)
  await backend.settled()
  const losses = wrapper.findAll('[data-point] .loss').map(loss => loss.text())
  expect(losses).toHaveLength(2)
  expect(losses.every(loss => /\d\.\d/.test(loss))).toBe(true)
})

test('what the engine thinks at this moment stands for what the store does not know', async () => {
  const { wrapper, pause } = await atFork()
  const candidate = (vertex: number, visits: number, pointsLost: number) => ({ vertex, visits, pointsLost, blackWinProb: 0.5, blackScoreLead: 0, scoreStdev: 1, prior: 0, lcbForMover: 0, order: 0, pv: [], blackOwnership: [] })
  await wrapper.setProps({ candidates: [candidate(13 * 19 + 16, 50, 1.5), candidate(13 * 19 + 2, 49, 4)] })
  await pause()
  expect(wrapper.findAll('[data-point] .loss').map(loss => loss.text())).toEqual(['Loss−1.5', ''])
})

test('a failure is said in its place, and trying again helps', async () => {
  const { backend, wrapper, pause } = await atFork()
  backend.refuse('explore_position', { kind: 'disconnected' })
  await pause()
  expect(wrapper.find('[role=alert]').text()).not.toBe('')
  backend.refuse('explore_position')
  await wrapper.find('button').trigger('click')
  await backend.settled()
  expect(wrapper.findAll('[data-point]')).toHaveLength(2)
})

test('only the games that the library lists are asked about, where that is wished', async () => {
  const { wrapper, backend, asked, pause } = await atFork()
  await pause()
  expect(wrapper.find('[data-field=explorer-listed]').exists(), 'all of them are listed').toBe(false)
  await useLibrary().search('1998')
  expect(asked()).toBe(1)
  await wrapper.get('[data-field=explorer-listed]').setValue(true)
  await pause()
  expect(backend.asked('explore_position').at(-1)).toMatchObject({ filter: { text: '1998' } })
  expect(wrapper.findAll('[data-point]').map(row => row.attributes('data-point'))).toEqual(['R6'])
})

test('the games that reached the position are listed below, and open where they did', async () => {
  const { wrapper, backend, games, pause } = await atFork()
  await pause()
  await backend.until(() => wrapper.findAll('[data-hit]').length === 3)
  const hit = wrapper.get('[data-hit]')
  await hit.trigger('click')
  await backend.until(() => backend.asked('open_record').length === 1)
  await backend.settled()
  expect(games.active?.position.moveNumber).toBe(2)
})
