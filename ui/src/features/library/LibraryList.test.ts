import { mount } from '@vue/test-utils'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { someRecords, startApp } from '@/testing'
import LibraryList from './LibraryList.vue'
import { useLibrary } from './store'

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
})

async function shown(records: number) {
  const { backend } = await startApp({ records: someRecords(records) })
  const library = useLibrary()
  await library.refresh()
  const wrapper = mount(LibraryList, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  await backend.settled()
  const place = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset.index
  const press = (name: string): void => { document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })) }
  const key = async (name: string): Promise<void> => {
    press(name)
    await backend.settled()
    await nextTick()
  }
  wrapper.get<HTMLElement>('[data-index="0"] .open').element.focus()
  return { backend, library, wrapper, place, press, key }
}

test('the focus stays in the list when its last game is deleted', async () => {
  const { library, place, key } = await shown(3)
  await key('End')
  await key('Delete')
  expect([library.total, place()]).toEqual([2, '1'])
  await key('Delete')
  expect([library.total, place()]).toEqual([1, '0'])
})

test('the focus is on the row again when its menu is closed, and when a key ends a rename', async () => {
  const { wrapper, place, key } = await shown(3)
  const onRow = (): boolean => Boolean(document.activeElement?.matches('.open'))
  await key('ArrowDown')
  await key('ContextMenu')
  await vi.waitUntil(() => document.activeElement?.closest('[role=menu]'))
  await key('Escape')
  await vi.waitUntil(onRow)
  const ends = [() => wrapper.get('.rename input').trigger('keydown', { key: 'Escape' }), () => wrapper.get('.rename').trigger('submit')]
  for (const end of ends) {
    await key('F2')
    await vi.waitUntil(() => document.activeElement?.matches('.rename input'))
    await end()
    await vi.waitUntil(onRow)
    expect(place()).toBe('1')
  }
})

test('a game that is fetched again has the focus again, and no key of its reaches the window', async () => {
  const { backend, library, wrapper, place, press, key } = await shown(400)
  const heard: string[] = []
  const listener = ({ key }: KeyboardEvent): void => { heard.push(key) }
  window.addEventListener('keydown', listener)
  onTestFinished(() => window.removeEventListener('keydown', listener))
  await key('End')
  await backend.until(() => library.recordAt(399))
  await nextTick()
  expect(place()).toBe('399')
  const refreshed = library.refresh()
  const pages = backend.hold('search_records')
  await backend.until(() => pages.waiting === 1)
  pages.releaseOne()
  await refreshed
  await nextTick()
  expect(library.recordAt(399)).toBeUndefined()
  expect(document.activeElement).toBe(wrapper.element)
  for (const name of ['Delete', 'Enter', ' ', 'F2']) press(name)
  pages.release()
  await backend.until(() => library.recordAt(399))
  await backend.settled()
  await nextTick()
  expect([heard, place(), library.total]).toEqual([[], '399', 400])
})

test('a press beside the rows leaves all keys to the window', async () => {
  const { wrapper, press } = await shown(3)
  const heard: string[] = []
  const listener = ({ key }: KeyboardEvent): void => { heard.push(key) }
  window.addEventListener('keydown', listener)
  onTestFinished(() => window.removeEventListener('keydown', listener))
  const list = wrapper.element as HTMLElement
  // Dialogs that other files of this worker left open would hear it, did it bubble.
  list.dispatchEvent(new PointerEvent('pointerdown'))
  list.focus()
  const keys = ['Delete', 'Enter', ' ', 'PageDown', 'Home', 'ArrowUp']
  keys.forEach(press)
  expect(heard).toEqual(keys)
})
