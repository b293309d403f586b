import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { useShell } from './store'
import { useShortcuts } from './useShortcuts'

let leave: (() => void) | undefined
afterEach(() => leave?.())

/** The keys of a window on a game of two moves at its start, with a slider, a choice, a checkbox and a text beside it. */
async function shown() {
  const { backend } = await startApp()
  const games = useGames()
  useSettings()
  useShell()
  await games.openText('(;SZ[9];B[ee];W[cc])')
  await games.navigate('first')
  const Window = defineComponent(() => {
    useShortcuts()
    return () => h('div', ['range', 'radio', 'checkbox', 'text'].map(type => h('input', { type })))
  })
  const wrapper = mount(Window, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  await backend.settled()
  const steps = (): unknown[] => backend.asked('navigate').map(({ step }) => step)
  const before = steps().length
  /** Whether the window took the key for itself. */
  const press = (selector: string, key: string, more: KeyboardEventInit = {}): boolean => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
    wrapper.get(selector).element.dispatchEvent(event)
    return event.defaultPrevented
  }
  return { backend, games, press, stepped: () => steps().slice(before) }
}

test('the keys of a slider, a choice and a checkbox do not act on the game', async () => {
  const { backend, press, stepped } = await shown()
  for (const type of ['range', 'radio']) for (const key of ['ArrowRight', 'ArrowDown', ' ']) expect(press(`[type=${type}]`, key), `${type} ${key}`).toBe(false)
  expect(press('[type=checkbox]', ' ')).toBe(false)
  await backend.settled()
  expect(stepped()).toEqual([])
  expect(backend.asked('set_analysis')).toEqual([])
  // A checkbox has no use for the arrows.
  expect(press('[type=checkbox]', 'ArrowRight')).toBe(true)
  await backend.settled()
  expect(stepped()).toEqual(['next'])
})

test('a key that can do nothing is left to the page', async () => {
  const { backend, games, press } = await shown()
  expect(press('div', 'PageUp')).toBe(false)
  expect(press('div', 'PageDown')).toBe(true)
  await backend.settled()
  await games.navigate('last')
  expect(press('div', 'PageDown')).toBe(false)
  expect(press('div', 'PageUp')).toBe(true)
  await backend.settled()
})

test('a text keeps the keys of its own, and gives those that mean nothing in it to nobody', async () => {
  const { backend, press } = await shown()
  const shell = useShell()
  const withMod = (key: string): boolean => press('[type=text]', key, { ctrlKey: true })
  expect(['z', 'c', 'v', 'x', 'a', 'ArrowLeft'].map(withMod)).toEqual([false, false, false, false, false, false])
  // A Mac's menu bar would open the game's information and the library.
  expect(['b', 'i'].map(withMod)).toEqual([true, true])
  expect(shell.dialog).toBeUndefined()
  expect(press('div', 'i', { ctrlKey: true })).toBe(true)
  expect(shell.dialog).toBe('info')
  shell.dialog = undefined
  await backend.settled()
})

test('a record is opened where it is pasted, but not behind a dialog', async () => {
  const { backend, games } = await shown()
  const paste = (place: Element): boolean => {
    const clipboardData = { getData: () => '(;SZ[9];B[aa])' }
    const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData })
    place.dispatchEvent(event)
    return event.defaultPrevented
  }
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  expect(paste(dialog)).toBe(false)
  dialog.remove()
  expect(paste(document.body)).toBe(true)
  await backend.until(() => games.games.length === 2)
})
