import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { useGames } from '@/features/game'
import { testApp } from '@/testing/app'
import { comparedDiscs, comparedMoves, useComparison } from './comparison'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

async function comparing(options = {}) {
  const { backend } = testApp(options)
  const games = useGames()
  const comparison = useComparison()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  const asked = (): string[] => backend.calls.map(call => call.name).filter(name => name.endsWith('_networks') || name.endsWith('_comparison'))
  return { backend, games, comparison, asked }
}
const pause = (): Promise<unknown> => vi.advanceTimersByTimeAsync(400)

test('nothing is read before a network is chosen, and it is let go of at the end', async () => {
  const { comparison, asked } = await comparing()
  comparison.show()
  await pause()
  expect(asked()).toEqual([])
  comparison.network = 'b18c384nbt-humanv0.bin.gz'
  await pause()
  expect(asked()).toEqual(['compare_networks'])
  expect(comparison.comparison?.second.humanStyle).toBe(true)
  await comparison.close()
  expect(asked()).toEqual(['compare_networks', 'end_comparison', 'end_comparison'])
  expect(comparison.comparison).toBeUndefined()
})

test('the question follows the board, and an old answer is known as such', async () => {
  const { backend, games, comparison, asked } = await comparing()
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

test('the moves of both are listed once, those of the first network before the others', async () => {
  const { comparison } = await comparing()
  comparison.network = 'another.bin.gz'
  comparison.show()
  await pause()
  const whole = comparison.comparison
  if (!whole) throw new Error('nothing is compared')
  const moves = comparedMoves(whole)
  expect(new Set(moves.map(move => move.vertex)).size).toBe(moves.length)
  expect(moves.slice(0, 8).map(move => move.vertex)).toEqual(whole.first.candidates.slice(0, 8).map(candidate => candidate.vertex))
  expect(moves.every(move => move.first ?? move.second)).toBe(true)
})

test('a network that cannot be read is said', async () => {
  const { comparison } = await comparing({ failures: { compare_networks: { kind: 'engineUnavailable', message: 'torn', hint: 'fetch it again' } } })
  comparison.network = 'torn.bin.gz'
  comparison.show()
  await pause()
  expect(comparison.failure).toMatchObject({ kind: 'engineUnavailable' })
})

test('the board carries the figures of both, that of the network in use first', async () => {
  const { comparison } = await comparing()
  comparison.visits = 200
  comparison.network = 'another.bin.gz'
  comparison.show()
  await pause()
  if (!comparison.comparison) throw new Error('there is no comparison')
  const discs = comparedDiscs(comparison.comparison, 'black')
  const { first, second } = comparison.comparison
  const best = discs.find(disc => disc.best)
  expect(best?.point).toBe(first.candidates[0]?.vertex)
  // The pretended second network does not think of the first one's best move.
  expect(best?.figures).toEqual([((first.candidates[0]?.blackWinProb ?? 0) * 100).toFixed(1), '–'])
  const both = discs.find(disc => disc.point === second.candidates[0]?.vertex)
  expect(both?.figures[1]).toBe(((second.candidates[0]?.blackWinProb ?? 0) * 100).toFixed(1))
  expect(Math.max(...discs.map(disc => disc.weight))).toBe(1)
})
