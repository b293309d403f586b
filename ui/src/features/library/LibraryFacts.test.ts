import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { recordsOf, someRecords, startApp } from '@/testing'
import LibraryFacts from './LibraryFacts.vue'
import { useLibrary } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

async function shown() {
  const { backend } = await startApp({ records: someRecords(3) })
  const library = useLibrary()
  await library.refresh()
  const ids = (await recordsOf(backend)).slice(0, 2).map(({ id }) => id)
  const wrapper = mount(LibraryFacts, {
    props: { ids, 'open': true, 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await backend.settled()
  const write = (name: string, text: string): void => {
    const field = document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
    field.value = text
    field.dispatchEvent(new Event('input'))
  }
  const keep = async (): Promise<void> => { document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true })); await backend.settled() }
  return { backend, library, wrapper, write, keep, events: async () => (await recordsOf(backend)).map(({ event }) => event) }
}

test('facts that are filled in are written into each of the games, as one change', async () => {
  const { backend, library, wrapper, write, keep, events } = await shown()
  const before = await events()
  write('event', 'Castle games')
  write('komi', '6,5')
  await keep()
  expect(wrapper.props('open')).toBe(false)
  expect((await recordsOf(backend)).map(({ event, komi }) => event === 'Castle games' && komi === 6.5)).toEqual([true, true, false])
  await library.undo()
  expect(await events()).toEqual(before)
})

test('what cannot be read stays on the screen, and nothing filled in changes nothing', async () => {
  const { backend, wrapper, write, keep, events } = await shown()
  const before = await events()
  write('date', 'soon')
  await keep()
  expect(wrapper.props('open')).toBe(true)
  expect(await events()).toEqual(before)
  write('date', '')
  const asked = backend.asked('edit_records').length
  await keep()
  expect([wrapper.props('open'), backend.asked('edit_records').length]).toEqual([false, asked])
})
