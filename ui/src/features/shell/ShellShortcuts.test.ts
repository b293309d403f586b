import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellShortcuts from './ShellShortcuts.vue'

test('a key is bound when it is pressed anew; Tab leads on instead', async () => {
  const { backend } = await startApp()
  const settings = useSettings()
  const wrapper = mount(ShellShortcuts, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await backend.settled()
  // The last one: other files of this worker may have left dialogs open.
  const button = [...document.querySelectorAll('[role=dialog]')].at(-1)!.querySelector<HTMLButtonElement>('.keys')!
  const chosen = (): unknown => JSON.parse(JSON.stringify(settings.preferences.keys))
  const catching = (): boolean => button.classList.contains('catching')
  const begin = async (): Promise<void> => {
    button.click()
    await nextTick()
    expect(catching()).toBe(true)
  }
  /** Whether the key was taken. */
  const press = async (key: string, more: KeyboardEventInit = {}): Promise<boolean> => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more })
    button.dispatchEvent(event)
    await nextTick()
    return event.defaultPrevented
  }

  await begin()
  expect(await press('Enter', { repeat: true })).toBe(true)
  expect([catching(), chosen()]).toEqual([true, {}])
  for (const shiftKey of [false, true]) {
    expect(await press('Tab', { shiftKey })).toBe(false)
    expect([catching(), chosen()]).toEqual([false, {}])
    await begin()
  }
  expect(await press('F9')).toBe(true)
  expect([catching(), chosen()]).toEqual([false, { newGame: ['F9'] }])
  await settings.kept()
  wrapper.unmount()
})
