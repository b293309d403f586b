import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import type { PatternSearch } from '@/api'
import { useGames } from '@/features/game'
import { testApp } from '@/testing/app'
import { usePatternSearch } from './patternStore'

function started(options: Parameters<typeof testApp>[0] = {}) {
  const { backend } = testApp({ records: 100, ...options })
  const search = usePatternSearch()
  backend.listen((event) => { if (event.event === 'pattern') search.receive(event.payload) })
  const asked = (): PatternSearch | undefined => backend.calls.filter(call => call.name === 'search_pattern').at(-1)?.args as PatternSearch | undefined
  return { backend, search, asked }
}

test('begins with the position on the board, and never replaces what was drawn', async () => {
  const { backend, search } = started()
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  search.begin(games.active)
  expect(search.pattern.cells.filter(cell => cell === 'black').length).toBeGreaterThan(30)
  search.clear()
  search.begin(games.active)
  expect(search.pattern.cells.every(cell => cell === 'empty')).toBe(true)
})

test('asks for the chosen part and its wishes', async () => {
  const { search, asked } = started()
  search.paint([0], 'black')
  search.paint([20], 'white', true)
  search.select(0, 21)
  search.anyColor = true
  search.firstMove = 3
  await search.run()
  expect(asked()).toMatchObject({
    width: 3, height: 2, cells: ['black', 'empty', 'empty', 'empty', 'white', 'empty'], anchor: { kind: 'at', x: 0, y: 0 }, anySymmetry: true, anyColor: true, firstMove: 3, lastMove: null,
  })
})

test('a stroke is one step to take back', () => {
  const { search } = started()
  search.paint([0], 'black')
  search.paint([1], 'black', true)
  search.paint([2], 'black', true)
  search.select(0, 40)
  search.undo()
  expect(search.pattern.region.width).toBe(19)
  search.undo()
  expect(search.pattern.cells.slice(0, 3)).toEqual(['empty', 'empty', 'empty'])
  expect(search.past).toHaveLength(0)
})

test('games are listed while they are being found, and the answer has them all', async () => {
  const { backend, search } = started()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => { release = resolve })
  const real = backend.call.bind(backend)
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => {
    const answer = await real(name, args)
    if (name === 'search_pattern') await held
    return answer
  })
  const running = search.run()
  await flushPromises()
  expect(search.running).toBe(true)
  expect(search.progress).toEqual({ searched: 50, total: 100, found: 3 })
  expect(search.hits).toHaveLength(3)
  await search.ensure(0, 2)
  expect(search.records.size).toBe(3)
  release()
  await running
  expect(search.running).toBe(false)
  expect(search.hits).toHaveLength(40)
  expect(search.continuations[0]).toMatchObject({ letter: 'A', point: 19 })
})

test('news of an older search, or of another window\'s, is not listed', async () => {
  const { search } = started()
  await search.run()
  const before = search.hits
  search.receive({ searchId: 1, searched: 1, total: 2, found: 1, hits: [{ id: 'r99', moveNumber: 1, swapped: false }] })
  expect(search.hits).toBe(before)
})

test('what was found stays listed while the pattern changes, but its letters are gone', async () => {
  const { search } = started()
  await search.run()
  expect(search.fresh).toBe(true)
  search.paint([5], 'white')
  expect(search.fresh).toBe(false)
  expect(search.hits).toHaveLength(40)
})

test('a continuation is put into the pattern and looked for', async () => {
  const { search, asked } = started()
  await search.run()
  const first = search.continuations[0]!
  await search.follow(first.continuation, first.point)
  expect(asked()?.cells[19]).toBe('black')
  expect(search.result).toBeDefined()
})

test('a library that cannot be searched is said in its place', async () => {
  const { search } = started({ failures: { search_pattern: { kind: 'library', message: 'the file is damaged', hint: '' } } })
  await search.run()
  expect(search.failure?.kind).toBe('library')
  expect(search.running).toBe(false)
})
