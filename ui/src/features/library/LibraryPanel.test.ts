import { flushPromises, mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { testApp } from '@/testing/app'
import LibraryPanel from './LibraryPanel.vue'
import { useLibrary } from './store'

async function shown() {
  const { backend } = testApp({ records: 20 })
  const wrapper = mount(LibraryPanel, { global: { plugins: [i18n, app => provideBackend(app, backend)], stubs: { AppIconButton: true } } })
  await flushPromises()
  const place = wrapper.get<HTMLSelectElement>('[data-field=place]')
  const choose = async (label: string): Promise<void> => {
    const index = [...place.element.options].findIndex(option => option.text === label)
    place.element.selectedIndex = index
    await place.trigger('change')
    await flushPromises()
  }
  return { wrapper, place, choose, library: useLibrary() }
}

test('the parts of the library are chosen by name, and say how many games they hold', async () => {
  const { place, choose, library } = await shown()
  expect([...place.element.options].map(option => option.text)).toEqual(['All games', 'openings (2)', 'openings/sanrensei (1)', 'study (2)', 'Deleted games'])
  await choose('openings/sanrensei (1)')
  expect(library.place).toEqual({ kind: 'folder', name: 'openings/sanrensei' })
  expect(library.total).toBe(1)
  expect(place.element.selectedOptions[0]?.text).toBe('openings/sanrensei (1)')
})

test('an empty part is not an empty library', async () => {
  const { wrapper, choose, library } = await shown()
  await choose('Deleted games')
  expect(wrapper.text()).toContain('There is no game here')
  await wrapper.get('.empty button').trigger('click')
  await flushPromises()
  expect(library.total).toBe(20)
})

test('the filter form narrows the list, and a saved search keeps what it asks for', async () => {
  const { backend } = testApp({ records: 20 })
  const wrapper = mount(LibraryPanel, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)], stubs: { AppIconButton: true } } })
  await flushPromises()
  const library = useLibrary()
  await wrapper.get('[data-action=filter]').trigger('click')
  await flushPromises()
  const field = (name: string) => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
  const fill = (name: string, value: string): void => {
    field(name).value = value
    field(name).dispatchEvent(new Event(name === 'color' ? 'change' : 'input'))
  }
  fill('player', 'Ke Jie')
  fill('color', 'white')
  fill('dateFrom', 'long ago')
  await flushPromises()
  expect(field('dateFrom').getAttribute('aria-invalid')).toBe('true')
  const searches = () => backend.calls.filter(call => call.name === 'search_records')
  const before = searches().length
  field('player').form!.requestSubmit()
  await flushPromises()
  expect(searches(), 'nothing is asked that cannot be read').toHaveLength(before)
  fill('dateFrom', '2015')
  await flushPromises()
  field('player').form!.requestSubmit()
  await flushPromises()
  expect(searches().at(-1)?.args).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  await library.saveSearch('his games')
  expect(backend.calls.find(call => call.name === 'save_search')?.args).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  expect(library.narrowed, 'the search has them now').toEqual({})
  expect(searches().at(-1)?.args).toMatchObject({ filter: { white: 'Ke Jie', dateFrom: '2015' } })
  wrapper.unmount()
})
