import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test, vi } from 'vitest'
import { h } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { someRecords, startApp } from '@/testing'
import LibraryRoom from './LibraryRoom.vue'
import { useRecordPreview } from './previewStore'
import { useLibrary } from './store'

async function shown(narrow: boolean, records: number) {
  const { backend } = await startApp({ records: someRecords(records) })
  const wrapper = mount({ render: () => h(TooltipProvider, () => h(LibraryRoom, { narrow })) }, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  const library = useLibrary()
  await backend.until(() => library.total === records)
  await backend.settled()
  return { backend, wrapper, library }
}

test.each([false, true])('who deletes the last game of the list goes on with what is offered (narrow: %s)', async (narrow) => {
  const { backend, wrapper, library } = await shown(narrow, 1)
  const list = wrapper.get<HTMLElement>(narrow ? '[data-index="0"] .open' : '[role=grid]')
  list.element.focus()
  await list.trigger('keydown', { key: 'ArrowDown' })
  await list.trigger('keydown', { key: 'Delete' })
  await backend.until(() => library.total === 0)
  await backend.settled()
  expect(document.activeElement?.closest('.empty')?.textContent).toContain('Import')
})

test('the focus is in the table again when its menu is closed, and when a key ends a rename', async () => {
  const { backend, wrapper } = await shown(false, 2)
  const grid = wrapper.get<HTMLElement>('[role=grid]')
  const inTable = (): boolean => document.activeElement === grid.element
  const openMenu = async (): Promise<void> => {
    await grid.trigger('keydown', { key: 'ContextMenu' })
    await vi.waitUntil(() => document.activeElement?.closest('[role=menu]'))
  }
  const press = (key: string): void => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  const renaming = (): boolean => Boolean(document.activeElement?.matches('.rename input'))
  grid.element.focus()
  await grid.trigger('keydown', { key: 'ArrowDown' })
  await backend.until(() => useRecordPreview().record)
  await openMenu()
  press('Escape')
  await vi.waitUntil(inTable)

  await openMenu()
  const entries = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  entries.find(entry => entry.textContent?.includes('Rename'))?.click()
  await vi.waitUntil(renaming)
  // What the menu does at its end comes to nothing here.
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(renaming()).toBe(true)
  press('Escape')
  expect(inTable()).toBe(true)

  await grid.trigger('keydown', { key: 'F2' })
  await vi.waitUntil(renaming)
  await wrapper.get('.rename').trigger('submit')
  expect(inTable()).toBe(true)
})

test.each([false, true])('the bin is emptied only after it was asked once more (narrow: %s)', async (narrow) => {
  const { backend, library } = await shown(narrow, 3)
  await library.remove([library.recordAt(0)!.id])
  await library.goTo({ kind: 'bin', name: '' })
  await backend.settled()
  const press = async (action: string): Promise<void> => {
    document.querySelector<HTMLElement>(`[data-action=${action}]`)!.click()
    await backend.settled()
  }
  await press('empty-bin')
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('cannot be undone')
  await press('cancel')
  expect([library.total, backend.asked('empty_bin').length]).toEqual([1, 0])
  await press('empty-bin')
  await press('surely')
  await backend.until(() => library.total === 0)
  expect(document.querySelector('[data-action=empty-bin]')).toBeNull()
})

test('games are put in order where no heads of columns are, too', async () => {
  const { backend, wrapper, library } = await shown(true, 2)
  const order = wrapper.get<HTMLSelectElement>('[data-field=order]')
  order.element.selectedIndex = 2
  await order.trigger('change')
  await backend.settled()
  expect([library.sort, library.descending]).toEqual(['date', false])
  expect(backend.asked('search_records').at(-1)).toMatchObject({ sort: 'date', descending: false })
})

test('a field of the filter that is wrong is described by what is wrong with it', async () => {
  const { wrapper } = await shown(false, 2)
  const field = wrapper.get('.fields [data-field=dateFrom]')
  const words = (): string => document.getElementById(field.attributes('aria-describedby') ?? '')?.textContent?.trim() ?? ''
  expect(wrapper.find('.fields [role=status]').exists(), 'the region is there before').toBe(true)
  expect(words()).toBe('')
  await field.setValue('soon')
  expect(field.attributes('aria-invalid')).toBe('true')
  expect(words()).not.toBe('')
  await field.setValue('1846')
  expect([field.attributes('aria-invalid'), words()]).toEqual(['false', ''])
})
