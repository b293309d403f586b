import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { h } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { someRecords, startApp } from '@/testing'
import LibraryRoom from './LibraryRoom.vue'
import { useLibrary } from './store'

test.each([false, true])('who deletes the last game of the list goes on with what is offered (narrow: %s)', async (narrow) => {
  const { backend } = await startApp({ records: someRecords(1) })
  const wrapper = mount({ render: () => h(TooltipProvider, () => h(LibraryRoom, { narrow })) }, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  const library = useLibrary()
  await backend.until(() => library.total === 1)
  await backend.settled()
  const list = wrapper.get<HTMLElement>(narrow ? '[data-index="0"] .open' : '[role=grid]')
  list.element.focus()
  await list.trigger('keydown', { key: 'ArrowDown' })
  await list.trigger('keydown', { key: 'Delete' })
  await backend.until(() => library.total === 0)
  await backend.settled()
  expect(document.activeElement?.closest('.empty')?.textContent).toContain('Import')
})
