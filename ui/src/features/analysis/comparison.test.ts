import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import type { NetworkComparison } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { FAMOUS, startApp, type AppOptions } from '@/testing'
import AnalysisCompare from './AnalysisCompare.vue'
import { comparedDiscs, comparedMoves, useComparison } from './comparison'
import { usePreview } from './preview'

afterEach(() => { vi.useRealTimers() })

async function comparing(options: AppOptions = {}) {
  const { backend } = await startApp({ game: FAMOUS, at: 127, ...options })
  const games = useGames()
  const comparison = useComparison()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  const asked = (): string[] => backend.calls.map(call => call.name).filter(name => name.endsWith('_networks') || name.endsWith('_comparison'))
  vi.useFakeTimers()
  const pause = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(400)
    await backend.settled()
  }
  return { backend, games, comparison, asked, pause }
}

test('nothing is read before a network is chosen, and it is let go of at the end', async () => {
  const { comparison, asked, pause } = await comparing()
  comparison.show()
  await pause()
  expect(asked()).toEqual([])
  comparison.network = 'b18c384nbt-humanv0.bin.gz'
  await pause()
  expect(asked()).toEqual(['compare_networks'])
  expect(comparison.comparison?.second.candidates.length).toBeGreaterThan(5)
  await comparison.close()
  expect(asked()).toEqual(['compare_networks', 'end_comparison', 'end_comparison'])
  expect(comparison.comparison).toBeUndefined()
})

test('the question follows the board, and an old answer is known as such', async () => {
  const { backend, games, comparison, asked, pause } = await comparing()
  comparison.network = 'another.bin.gz'
  comparison.show()
  await pause()
  expect(comparison.fresh).toBe(true)
  const first = comparison.comparison?.nodeId
  await games.navigate('next')
  await nextTick()
  expect(comparison.fresh).toBe(false)
  expect(comparison.comparison?.nodeId).toBe(first)
  await pause()
  expect(comparison.fresh).toBe(true)
  expect(comparison.comparison?.nodeId).toBe(games.position?.nodeId)
  expect(asked()).toHaveLength(2)
  comparison.visits = 200
  await pause()
  expect(backend.calls.at(-1)).toMatchObject({ name: 'compare_networks', args: { network: 'another.bin.gz', visits: 200 } })
})

/** The made-up network answers in the place of all: a second one that does not think of the first one's best move. */
function apart(whole: NetworkComparison): NetworkComparison {
  const { first, second } = whole
  return { ...whole, second: { ...second, candidates: second.candidates.filter(candidate => candidate.vertex !== first.candidates[0]?.vertex) } }
}

test('the moves of both are listed once, those of the first network before the others', async () => {
  const { comparison, pause } = await comparing()
  comparison.network = 'another.bin.gz'
  comparison.show()
  await pause()
  if (!comparison.comparison) throw new Error('nothing is compared')
  const whole = apart(comparison.comparison)
  const moves = comparedMoves(whole)
  expect(new Set(moves.map(move => move.vertex)).size).toBe(moves.length)
  expect(moves.slice(0, 8).map(move => move.vertex)).toEqual(whole.first.candidates.slice(0, 8).map(candidate => candidate.vertex))
  expect(moves.every(move => move.first ?? move.second)).toBe(true)
})

test('a network that cannot be read is said', async () => {
  const { comparison, pause } = await comparing({ network: false })
  comparison.network = 'torn.bin.gz'
  comparison.show()
  await pause()
  expect(comparison.failure).toMatchObject({ kind: 'notFound', message: expect.stringContaining('torn.bin.gz') as string })
})

test('the board carries the figures of both, that of the network in use first', async () => {
  const { comparison, pause } = await comparing()
  comparison.visits = 200
  comparison.network = 'another.bin.gz'
  comparison.show()
  await pause()
  if (!comparison.comparison) throw new Error('there is no comparison')
  const compared = apart(comparison.comparison)
  const discs = comparedDiscs(compared, 'black')
  const { first, second } = compared
  const best = discs.find(disc => disc.best)
  expect(best?.point).toBe(first.candidates[0]?.vertex)
  expect(best?.figures.map(figure => figure.text)).toEqual([((first.candidates[0]?.blackWinProb ?? 0) * 100).toFixed(1), '–'])
  const both = discs.find(disc => disc.point === second.candidates[0]?.vertex)
  expect(both?.figures[1]?.text).toBe(((second.candidates[0]?.blackWinProb ?? 0) * 100).toFixed(1))
  expect(Math.max(...discs.map(disc => disc.weight))).toBe(1)
})

test('a finger that taps a move of the list sees it on the board and plays nothing', async () => {
  const { games, comparison, pause } = await comparing()
  comparison.network = 'another.bin.gz'
  const game = games.active
  if (!game) throw new Error('no game is open')
  const wrapper = mount(AnalysisCompare, { props: { game, networks: [] }, global: { plugins: [i18n] } })
  await pause()
  const preview = usePreview()
  const move = wrapper.get('[data-point]')
  move.element.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }))
  expect(wrapper.emitted('play')).toBeUndefined()
  const [[vertex] = []] = wrapper.emitted<[number | null]>('keep') ?? []
  preview.keep(vertex ?? null)
  expect(preview.kept).toBe(true)
  expect(preview.line[0]).toBe(vertex)
  await move.trigger('click')
  expect(wrapper.emitted('play')).toEqual([[vertex]])
  wrapper.unmount()
})
