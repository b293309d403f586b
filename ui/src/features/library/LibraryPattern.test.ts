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

test('says where a part may lie, looks for it, and opens a game at the move', async () => {
  const { backend, click, asked, search, games } = await shown()
  search.select(0, 6 * 19 + 6)
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
