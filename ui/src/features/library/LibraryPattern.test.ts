import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { afterEach, expect, test } from 'vitest'
import { h } from 'vue'
import { provideBackend, type PatternSearch } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { recordOf, startApp } from '@/testing'
import LibraryPattern from './LibraryPattern.vue'
import { usePatternSearch } from './patternStore'
import { useLibrary } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

/** Two ways to go on from the corner of the game on the board. */
const GAMES = [['fc', 12], ['dc', 8]].flatMap(([move, count]) => Array.from({ length: Number(count) }, (_, index) => recordOf({ PB: `${move} ${index}`, PW: 'White' }, [
  'dd', String(move), `${'jklm'[index % 4]}${'pqrs'[Math.floor(index / 4)]}`,
]))).join('\n')

async function shown() {
  const { backend } = await startApp({ records: GAMES, game: recordOf({}, ['dd']), at: 1 })
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  const wrapper = mount({ render: () => h(TooltipProvider, () => h(LibraryPattern, { open: true, game: games.active })) }, {
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await backend.settled()
  const board = document.querySelector<SVGElement>('[data-test=pattern-board]')!
  const press = async (key: string, shiftKey = false): Promise<void> => { board.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true })); await backend.settled() }
  const click = async (selector: string): Promise<void> => { document.querySelector<HTMLElement>(selector)!.click(); await backend.settled() }
  const asked = (): PatternSearch => backend.asked('search_pattern').at(-1)!
  return { backend, press, click, asked, search: usePatternSearch(), games }
}

test('is drawn with the keyboard alone', async () => {
  const { press, click, search } = await shown()
  await click('[data-action=pattern-clear]')
  await click('[data-tool=pattern-white]')
  await press('ArrowRight')
  await press('Enter')
  expect(search.pattern.cells[9 * 19 + 10]).toBe('white')
  expect(document.querySelector('[data-cell=white]')?.getAttribute('data-point')).toBe('L10')
  await press('Enter')
  expect(search.pattern.cells[9 * 19 + 10]).toBe('empty')
  await click('[data-tool=pattern-region]')
  await press('Enter')
  await press('ArrowRight', true)
  await press('ArrowDown')
  await press('Enter')
  expect(search.pattern.region).toEqual({ left: 10, top: 9, width: 4, height: 2 })
})

/** Strokes on a board of ten pixels a point; the hand may leave it. */
function hand(columns: number, rows: number): (type: string, x: number, y: number, pointerId?: number) => void {
  const board = document.querySelector<SVGElement>('[data-test=pattern-board]')!
  board.getBoundingClientRect = () => new DOMRect(100, 100, columns * 10, rows * 10)
  board.setPointerCapture = () => undefined
  return (type, x, y, pointerId = 1) => {
    const event = new MouseEvent(type, { clientX: 105 + x * 10, clientY: 105 + y * 10, button: 0, bubbles: true })
    board.dispatchEvent(Object.assign(event, { pointerId }))
  }
}

test('a stroke of stones that leaves the board puts none along its rim', async () => {
  const { click, search } = await shown()
  await click('[data-action=pattern-clear]')
  await click('[data-tool=pattern-white]')
  const point = hand(19, 19)
  point('pointerdown', 17, 3)
  point('pointerdown', 3, 3, 2)
  for (const [x, y] of [[18, 3], [19, 3], [20, 5], [19, 6], [18, 6]] as const) point('pointermove', x, y)
  point('pointerup', 18, 6)
  point('pointermove', 18, 7)
  const white = search.pattern.cells.flatMap((cell, at) => cell === 'white' ? [[at % 19, Math.floor(at / 19)]] : [])
  expect(white).toEqual([[17, 3], [18, 3], [18, 6]])
})

test('a part that is drawn over the rim ends there, or goes on where edges meet', async () => {
  const { backend, click, press, search } = await shown()
  await click('[data-tool=pattern-region]')
  const point = hand(19, 19)
  const stroke = async (): Promise<void> => {
    point('pointerdown', 17, 2)
    point('pointermove', 20, -2)
    point('pointerup', 20, -2)
    await backend.settled()
  }
  await stroke()
  expect(search.pattern.region).toEqual({ left: 17, top: 0, width: 2, height: 3 })
  expect(document.querySelectorAll('rect.region')).toHaveLength(1)
  search.join('torus')
  await backend.settled()
  await stroke()
  expect(search.pattern.region).toEqual({ left: 17, top: 17, width: 4, height: 5 })
  expect(document.querySelectorAll('rect.region')).toHaveLength(4)
  // By keys, from where the hand was.
  await press('Enter')
  await press('ArrowLeft', true)
  for (let n = 0; n < 5; n++) await press('ArrowLeft', true)
  await press('Enter')
  expect(search.pattern.region).toEqual({ left: 0, top: 2, width: 19, height: 1 })
  await stroke()
  search.join('plane')
  expect(search.pattern.region).toEqual({ left: 0, top: 0, width: 19, height: 19 })
})

test('says where a part may lie, looks for it, and opens a game at the move', async () => {
  const { backend, click, asked, search, games } = await shown()
  search.select({ left: 0, top: 0, width: 7, height: 7 })
  await backend.settled()
  const place = document.querySelector<HTMLSelectElement>('[data-field=pattern-place]')!
  expect([...place.options].map(option => option.text)).toEqual(['In any corner', 'Along any side', 'Anywhere'])
  document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
  await backend.settled()
  expect(asked()).toMatchObject({ width: 7, height: 7, anchor: { kind: 'at', x: 0, y: 0 } })
  expect(document.querySelector('[data-test=pattern-found]')?.textContent?.trim()).toBe('Found in 20 games')
  expect([...document.querySelectorAll('[data-letter]')].map(letter => letter.getAttribute('data-letter'))).toEqual(['A', 'B'])
  const hit = search.hits[2]!
  await click(`[data-hit=${hit.id}]`)
  expect(games.active?.recordId).toBe(hit.id)
  expect(games.position?.moveNumber).toBe(hit.moveNumber)
})

test('what was found becomes the list of the library', async () => {
  const { backend, click, search } = await shown()
  await search.run()
  await click('[data-action=pattern-show]')
  const library = useLibrary()
  await backend.until(() => library.total !== undefined)
  expect(library.found).toEqual(search.hits.map(({ id }) => id))
  expect(backend.calls.filter(({ name }) => name === 'search_records').at(-1)?.args).toMatchObject({ filter: { ids: library.found } })
})
