import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { recordsOf, someRecords, startApp } from '@/testing'
import LibraryFilterFields from './LibraryFilterFields.vue'
import LibraryPanel from './LibraryPanel.vue'
import { EMPTY_FORM } from './filterForm'
import { useLibrary } from './store'

async function shown() {
  const { backend } = await startApp({ records: someRecords(20) })
  const [first = '', second = '', third = ''] = (await recordsOf(backend)).map(({ id }) => id)
  await backend.call('edit_records', { ids: [first], folder: 'openings', addTags: ['study'], removeTags: [] })
  await backend.call('edit_records', { ids: [second], folder: 'openings/sanrensei', addTags: [], removeTags: [] })
  await backend.call('edit_records', { ids: [third], folder: null, addTags: ['study'], removeTags: [] })
  const wrapper = mount(LibraryPanel, { global: { plugins: [i18n, app => provideBackend(app, backend)], stubs: { AppIconButton: true } } })
  await backend.settled()
  const place = wrapper.get<HTMLSelectElement>('[data-field=place]')
  const choose = async (label: string): Promise<void> => {
    const index = [...place.element.options].findIndex(option => option.text === label)
    place.element.selectedIndex = index
    await place.trigger('change')
    await backend.settled()
  }
  return { backend, wrapper, place, choose, library: useLibrary() }
}

test('the parts of the library are chosen by name, and say how many games they hold', async () => {
  const { place, choose, library } = await shown()
  expect([...place.element.options].map(option => option.text)).toEqual(['All games', 'openings (2)', 'openings/sanrensei (1)', 'study (2)', 'Deleted games'])
  await choose('openings/sanrensei (1)')
  expect(library.place).toEqual({ kind: 'folder', name: 'openings/sanrensei' })
  expect(library.total).toBe(1)
  expect(place.element.selectedOptions[0]?.text).toBe('openings/sanrensei (1)')
})

test('the bin can be emptied beside the board, too', async () => {
  const { backend, wrapper, choose, library } = await shown()
  const button = () => wrapper.find('[data-action=empty-bin]')
  await choose('Deleted games')
  expect(button().exists(), 'an empty one').toBe(false)
  await library.remove([(await recordsOf(backend))[0]!.id])
  await backend.settled()
  expect(library.total).toBe(1)
  expect(button().exists()).toBe(true)
})

test('a click on a game says that the arrow keys are for it now, and a key does not', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
  const { backend } = await startApp({ records: someRecords(3) })
  const wrapper = mount(LibraryPanel, { global: { plugins: [i18n, app => provideBackend(app, backend)], stubs: { AppIconButton: true } }, attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
  await backend.until(() => wrapper.find('[data-index="1"] .open').exists())
  const row = wrapper.get('[data-index="1"] .open')
  const happens: [string, object][] = [['click', { detail: 1 }], ['dblclick', { detail: 2 }], ['click', { detail: 0 }], ['keydown', { key: 'Enter' }]]
  for (const [index, [event, more]] of happens.entries()) {
    await row.trigger(event, more)
    await backend.until(() => wrapper.emitted('opened')?.length === index + 1)
  }
  expect(wrapper.emitted('opened')).toEqual([[true], [true], [false], [false]])
})

test('words that were typed last count, also for who leaves the list at once', async () => {
  const { backend, wrapper, library } = await shown()
  await wrapper.get('[data-action=library-search]').setValue('nobody at all')
  wrapper.unmount()
  await backend.settled()
  expect([library.text, library.total]).toEqual(['nobody at all', 0])
})

test('the key that ends a composition does not wipe the words of the search', async () => {
  const { backend, wrapper } = await shown()
  const field = wrapper.get<HTMLInputElement>('[data-action=library-search]')
  await field.setValue('吴')
  const escape = async (isComposing: boolean): Promise<void> => {
    field.element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing }))
    await nextTick()
  }
  await escape(true)
  expect(field.element.value).toBe('吴')
  await escape(false)
  expect(field.element.value).toBe('')
  wrapper.unmount()
  await backend.settled()
})

test('a name is taken into the filter when it is composed, and rules are chosen from a list', async () => {
  const { backend } = await startApp({})
  const wrapper = mount(LibraryFilterFields, { props: { form: EMPTY_FORM }, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  const field = wrapper.get<HTMLInputElement>('[data-field=player]').element
  field.value = 'wu'
  field.dispatchEvent(new InputEvent('input', { isComposing: true }))
  expect(wrapper.emitted('set')).toBeUndefined()
  field.value = '吴'
  field.dispatchEvent(new InputEvent('input', { isComposing: true }))
  field.dispatchEvent(new Event('compositionend'))
  expect(wrapper.emitted('set')).toEqual([['player', '吴']])
  await backend.until(() => wrapper.find('[data-field=rules] [value=japanese]').exists())
  await wrapper.get('[data-field=rules]').setValue('japanese')
  expect(wrapper.emitted('set')?.at(-1)).toEqual(['rules', 'japanese'])
})

test('an empty part is not an empty library', async () => {
  const { backend, wrapper, choose, library } = await shown()
  await choose('Deleted games')
  expect(wrapper.text()).toContain('There are no games here')
  await wrapper.get('.empty button').trigger('click')
  await backend.settled()
  expect(library.total).toBe(20)
})

test('the filter form narrows the list, and a saved search keeps what it asks for', async () => {
  const { backend } = await startApp({ records: someRecords(20) })
  const wrapper = mount(LibraryPanel, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)], stubs: { AppIconButton: true } } })
  await backend.settled()
  const library = useLibrary()
  await wrapper.get('[data-action=filter]').trigger('click')
  await backend.settled()
  const field = (name: string) => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
  const fill = (name: string, value: string): void => {
    field(name).value = value
    field(name).dispatchEvent(new Event(name === 'color' ? 'change' : 'input'))
  }
  fill('player', 'Ke Jie')
  fill('color', 'white')
  fill('dateFrom', 'long ago')
  await backend.settled()
  expect(field('dateFrom').getAttribute('aria-invalid')).toBe('true')
  const searches = () => backend.asked('search_records')
  const before = searches().length
  field('player').form!.requestSubmit()
  await backend.settled()
  expect(searches(), 'nothing is asked that cannot be read').toHaveLength(before)
  fill('dateFrom', '2015')
  await backend.settled()
  field('player').form!.requestSubmit()
  await backend.settled()
  expect(searches().at(-1)).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  await library.saveSearch('his games')
  expect(backend.asked('save_search')[0]).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  expect(library.narrowed, 'the search has them now').toEqual({})
  expect(searches().at(-1)).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  wrapper.unmount()
})
