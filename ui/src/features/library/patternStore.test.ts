import { expect, test } from 'vitest'
import type { PatternSearch } from '@/api'
import { useGames } from '@/features/game'
import { useBoardView } from '@/features/stage'
import { FAMOUS, recordOf, startApp, type AppOptions } from '@/testing'
import { usePatternSearch } from './patternStore'

/** Forty games, of which twenty-five begin on the 4-4 point and the others on 3-4. */
const GAMES = Array.from({ length: 40 }, (_, index) => recordOf({ PB: `Black ${index}`, PW: `White ${index}`, RE: index % 2 ? 'B+R' : 'W+R' }, [
  index < 25 ? 'dd' : 'cd', 'pp', `${'jklm'[index % 4]}${'jklmnopqrs'[Math.floor(index / 4)]}`,
])).join('\n')

async function started(options: AppOptions = {}) {
  const { backend } = await startApp({ records: GAMES, ...options })
  const search = usePatternSearch()
  backend.listen((event) => { if (event.event === 'pattern') search.receive(event.payload) })
  const asked = (): PatternSearch | undefined => backend.asked('search_pattern').at(-1)
  return { backend, search, asked }
}

test('begins with the position on the board, and never replaces what was drawn', async () => {
  const { backend, search } = await started({ records: '', game: FAMOUS, at: 127 })
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  search.begin(games.active)
  expect(search.pattern.cells.filter(cell => cell === 'black').length).toBeGreaterThan(30)
  search.clear()
  search.begin(games.active)
  expect(search.pattern.cells.every(cell => cell === 'empty')).toBe(true)
})

test('takes a torus as it was pushed, and joins the edges of a board', async () => {
  const { search } = await started({ records: '' })
  const games = useGames()
  await games.openText('(;SZ[9]TOPO[torus]AB[aa]AW[ia])')
  useBoardView().push(games.activeId!, { x: 1, y: -1 })
  search.take(games.active!)
  // The two are beside each other over the edge.
  expect([search.pattern.cells.indexOf('black'), search.pattern.cells.indexOf('white')]).toEqual([73, 72])
  search.join('plane')
  expect([search.pattern.topology, search.pattern.shift]).toEqual(['plane', undefined])
  search.join('torus')
  search.resize(13, 13)
  expect(search.pattern).toMatchObject({ columns: 13, topology: 'torus' })
})

test('asks for the chosen part and its wishes', async () => {
  const { search, asked } = await started()
  search.paint([0], 'black')
  search.paint([20], 'white', true)
  search.select({ left: 0, top: 0, width: 3, height: 2 })
  search.anyColor = true
  search.firstMove = 3
  await search.run()
  expect(asked()).toMatchObject({
    width: 3, height: 2, cells: ['black', 'empty', 'empty', 'empty', 'white', 'empty'], anchor: { kind: 'at', x: 0, y: 0 }, anySymmetry: true, anyColor: true, firstMove: 3, lastMove: null,
  })
})

test('a stroke is one step to take back', async () => {
  const { search } = await started()
  search.paint([0], 'black')
  search.paint([1], 'black', true)
  search.paint([2], 'black', true)
  search.select({ left: 0, top: 0, width: 3, height: 3 })
  search.undo()
  expect(search.pattern.region.width).toBe(19)
  search.undo()
  expect(search.pattern.cells.slice(0, 3)).toEqual(['empty', 'empty', 'empty'])
  expect(search.past).toHaveLength(0)
})

test('games are listed while they are being found, and the answer has them all', async () => {
  const { backend, search } = await started()
  const slow = backend.hold('search_pattern')
  const running = search.run()
  await backend.until(() => search.progress)
  expect(search.running).toBe(true)
  expect(search.progress).toEqual({ searched: 32, total: 40, found: 32 })
  expect(search.hits).toHaveLength(32)
  slow.release()
  await running
  expect(search.running).toBe(false)
  expect(search.hits).toHaveLength(40)
  expect(search.continuations.map(({ letter, continuation }) => [letter, continuation.games])).toEqual([['A', 25], ['B', 15]])
})

test('an update of an older search, or of another window\'s, is not listed', async () => {
  const { search } = await started()
  await search.run()
  const before = search.hits
  search.receive({ searchId: 1, searched: 1, total: 2, found: 1, hits: [{ id: 'r99', moveNumber: 1, swapped: false }] })
  expect(search.hits).toBe(before)
})

test('what was found stays listed while the pattern changes, but its letters are gone', async () => {
  const { search } = await started()
  await search.run()
  expect(search.fresh).toBe(true)
  search.paint([5], 'white')
  expect(search.fresh).toBe(false)
  expect(search.hits).toHaveLength(40)
})

test('a continuation is put into the pattern and looked for', async () => {
  const { search, asked } = await started()
  await search.run()
  const first = search.continuations[0]!
  await search.follow(first.continuation, first.point)
  expect(asked()?.cells[first.point!]).toBe('black')
  expect(search.hits).toHaveLength(25)
})

test('a library that cannot be searched is said in its place', async () => {
  const { search } = await started({ records: '', files: { 'library.sqlite': 'no library' } })
  await search.run()
  expect(search.failure?.kind).toBe('library')
  expect(search.running).toBe(false)
})

test('a point that both colours play has one letter, in the colour that plays there most often', async () => {
  // The first move in the corner: 3-3 by Black twice and by White once, 4-4 by Black once.
  const records = [['cc', 'pp'], ['cc', 'pd'], ['pp', 'cc'], ['dd', 'qq']].map((moves, index) => recordOf({ PB: `Black ${index}`, PW: `White ${index}` }, moves)).join('\n')
  const { search } = await started({ records })
  search.select({ left: 0, top: 0, width: 5, height: 5 })
  await search.run()
  const three = 2 * 19 + 2
  expect(search.continuations.map(({ point, letter, continuation }) => [point, letter, continuation.black])).toEqual([[three, 'A', true], [3 * 19 + 3, 'B', true], [three, 'A', false]])
  expect(search.letters).toEqual([{ point: three, letter: 'A', black: true }, { point: 3 * 19 + 3, letter: 'B', black: true }])
})
