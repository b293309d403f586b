import { mount } from '@vue/test-utils'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { someRecords, startApp } from '@/testing'
import LibraryTable from './LibraryTable.vue'
import { useLibrary } from './store'

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
})

async function shown(records = 400) {
  const { backend } = await startApp({ records: someRecords(records) })
  const library = useLibrary()
  await library.refresh()
  const wrapper = mount(LibraryTable, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.settled()
  const grid = wrapper.get('[role=grid]')
  const key = async (name: string, wishes: KeyboardEventInit = {}): Promise<void> => {
    await grid.trigger('keydown', { key: name, ...wishes })
    await backend.settled()
  }
  const active = (): HTMLElement | null => document.getElementById(grid.attributes('aria-activedescendant') ?? '')
  const asked = () => backend.asked('search_records').at(-1)
  return { backend, wrapper, grid, key, active, asked, library }
}

test('the whole table is one stop of the Tab key, and says how many games it has', async () => {
  const { wrapper, grid } = await shown()
  expect(grid.attributes('aria-rowcount')).toBe('401')
  expect(wrapper.element.querySelectorAll('[tabindex="0"], button, input, a')).toHaveLength(0)
  expect((wrapper.element as HTMLElement).tabIndex).toBe(0)
  // A browser may stop by itself at what scrolls.
  expect(wrapper.get('.scroller').attributes('tabindex')).toBe('-1')
  wrapper.unmount()
})

test('arrow keys go through the games and report which is looked at; what was not fetched comes later', async () => {
  const { backend, wrapper, key, active, library } = await shown()
  await key('ArrowDown')
  expect(active()?.dataset.index).toBe('0')
  await key('ArrowDown')
  expect(wrapper.emitted('look')?.map(([record]) => (record as { id: string }).id)).toEqual([library.recordAt(0)?.id, library.recordAt(1)?.id])
  await key('End')
  await backend.until(() => library.recordAt(399))
  await backend.settled()
  expect(wrapper.emitted('look')?.at(-1)).toEqual([library.recordAt(399)])
  await key('ArrowRight')
  await key('ArrowLeft', { shiftKey: true })
  expect(wrapper.emitted('step')).toEqual([[1], [-10]])
  await key('Enter')
  expect(wrapper.emitted('open')).toEqual([[library.recordAt(399)]])
  wrapper.unmount()
})

test('the heads are above the first game: they sort, and their columns are moved and made wider', async () => {
  const { wrapper, key, active, asked } = await shown()
  const settings = useSettings()
  await key('ArrowDown')
  await key('ArrowUp')
  expect(active()?.dataset.column).toBe('black')
  await key('ArrowRight')
  await key('ArrowRight')
  await key('ArrowRight')
  expect(active()?.dataset.column).toBe('date')
  await key('Enter')
  expect(asked()).toMatchObject({ sort: 'date', descending: true })
  expect(active()?.getAttribute('aria-sort')).toBe('descending')
  await key(' ')
  expect(asked()).toMatchObject({ sort: 'date', descending: false })
  await key('ArrowLeft', { altKey: true })
  expect(settings.preferences.columns.filter(({ shown }) => shown).map(({ name }) => name).slice(0, 4)).toEqual(['black', 'white', 'date', 'result'])
  expect(active()?.dataset.column).toBe('date')
  await key('ArrowDown')
  expect(active()?.dataset.index).toBe('0')
  wrapper.unmount()
})

test('games are chosen as in every list of files', async () => {
  const { backend, wrapper, key, library } = await shown()
  const row = (index: number) => wrapper.get(`[data-index="${index}"]`)
  await row(2).trigger('click')
  expect(library.chosen.size).toBe(0)
  await row(5).trigger('click', { shiftKey: true })
  await backend.settled()
  expect([...library.chosen]).toEqual([2, 3, 4, 5].map(index => library.recordAt(index)?.id))
  await row(4).trigger('click', { ctrlKey: true })
  expect(library.chosen.size).toBe(3)
  await row(8).get('.box').trigger('click')
  expect(library.chosen.has(library.recordAt(8)?.id ?? ''), 'a finger has no Ctrl key').toBe(true)
  expect(row(8).attributes('aria-selected')).toBe('true')
  await key('Delete')
  expect(wrapper.emitted('remove')?.[0]).toEqual([[...library.chosen]])
  await key('Escape')
  expect(library.chosen.size).toBe(0)
  await key('a', { ctrlKey: true })
  expect(library.chosen.size).toBe(400)
  wrapper.unmount()
})

/** Keys that the table left to the window, where they are about the open game. */
function heardByWindow(): string[] {
  const heard: string[] = []
  const listener = ({ key }: KeyboardEvent): void => { heard.push(key) }
  window.addEventListener('keydown', listener)
  onTestFinished(() => window.removeEventListener('keydown', listener))
  return heard
}
const GAME_KEYS = ['Delete', 'Enter', ' ', 'ArrowLeft', 'ArrowRight', 'F2']

test('who deletes from the end of the list deletes nothing else once it is empty', async () => {
  const { wrapper, key, active, library } = await shown(3)
  const heard = heardByWindow()
  const remove = async (): Promise<void> => {
    await key('Delete')
    await library.remove(wrapper.emitted<[string[]]>('remove')!.at(-1)![0])
  }
  await key('End')
  await remove()
  expect([library.total, active()?.dataset.index]).toEqual([2, '1'])
  expect(wrapper.emitted('look')?.at(-1)).toEqual([library.recordAt(1)])
  await remove()
  await remove()
  expect([library.total, active()]).toEqual([0, null])
  for (const name of GAME_KEYS) await key(name)
  expect(heard).toEqual([])
  wrapper.unmount()
})

test('on a head, and on a game that is not there yet, the keys for a game do nothing', async () => {
  const { backend, grid, wrapper, key, active, library } = await shown()
  const heard = heardByWindow()
  const pages = backend.hold('search_records')
  await grid.trigger('keydown', { key: 'End' })
  expect([library.recordAt(399), active()?.dataset.index]).toEqual([undefined, '399'])
  for (const name of GAME_KEYS) await grid.trigger('keydown', { key: name })
  pages.release()
  await backend.until(() => library.recordAt(399))
  await key('Home')
  await key('ArrowUp')
  expect(active()?.dataset.column).toBe('black')
  await key('Delete')
  await key('F2')
  expect(heard).toEqual([])
  expect(['open', 'remove', 'step', 'rename'].map(name => wrapper.emitted(name))).toEqual([undefined, undefined, undefined, undefined])
  wrapper.unmount()
})

test('what is before the eyes is fetched again when the list is', async () => {
  const { backend, wrapper, key, library } = await shown()
  await key('End')
  await backend.until(() => library.recordAt(399))
  await library.refresh()
  await backend.until(() => library.recordAt(399))
  expect(wrapper.findAll('.place .ghost')).toHaveLength(0)
  wrapper.unmount()
})

test('a column that is empty in every game leaves its room to the others, until the person divides it', async () => {
  const { backend } = await startApp({ records: '(;SZ[9]PB[Aya]PW[Ben]DT[2026-11-25]RE[B+R];B[ee])' })
  const [library, settings] = [useLibrary(), useSettings()]
  await library.refresh()
  const wrapper = mount(LibraryTable, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.settled()
  const tracks = (): string => wrapper.get<HTMLElement>('.heads').element.style.gridTemplateColumns
  expect(tracks().match(/minmax\(2\.75rem, 5rem\)/g), 'event and ranks').toHaveLength(2)
  settings.preferences.columns = [{ name: 'black', width: 130, shown: true }]
  await nextTick()
  expect(tracks()).not.toContain('2.75rem')
  wrapper.unmount()
})
