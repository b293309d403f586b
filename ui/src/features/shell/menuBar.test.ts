import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend, type BarItem, type MenuBar } from '@/api'
import { useGames } from '@/features/game'
import { i18n, say, switchLanguage } from '@/i18n'
import { startApp } from '@/testing'
import { ACTION_NAMES, ACTIONS, keysInUse, type ActionName } from './actions'
import { KEYS_OF_SYSTEM, menuBar, MENUS, nameOf, type MenuEntry } from './menuBar'
import { useShell } from './store'
import { useMenuBar } from './useMenuBar'

beforeEach(() => { vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel') })

const LOCALES = join(import.meta.dirname, '../../i18n/locales')
const ENTRIES = MENUS.flatMap(({ items }) => items).filter((entry): entry is Exclude<MenuEntry, '-'> => entry !== '-')
const IN_MENU = ENTRIES.filter((entry): entry is ActionName => !entry.startsWith('system.'))

const all = (): MenuBar => menuBar(say, keysInUse({}), () => true)
const actionsOf = (bar: MenuBar): Extract<BarItem, { kind: 'action' }>[] => bar.menus.flatMap(({ items }) => items).filter(item => item.kind === 'action')

test('every item is something that the window does or the system, once, and lines stand between', () => {
  expect(IN_MENU.filter(name => !ACTION_NAMES.includes(name))).toEqual([])
  expect(ENTRIES.length).toBe(new Set(ENTRIES).size)
  for (const { title, items } of MENUS) {
    const text = items.map(entry => entry === '-' ? '-' : 'x').join('')
    expect({ title, text }).toEqual({ title, text: expect.stringMatching(/^x+(-x+)*$/) as string })
  }
})

test('what a Mac has menus for is in them', () => {
  for (const name of ['settings', 'newGame', 'openFile', 'save', 'saveAs', 'closeGame', 'undo', 'redo', 'fullScreen', 'help'] as const) expect(IN_MENU).toContain(name)
  for (const name of ['about', 'services', 'hide', 'hideOthers', 'showAll', 'quit', 'cut', 'copy', 'paste', 'selectAll', 'minimize', 'zoom'] as const) expect(ENTRIES).toContain(`system.${name}`)
})

test('every item and every menu has a name in each language', () => {
  const keys = [...ENTRIES.map(nameOf), ...MENUS.map(({ title }) => title)]
  for (const file of readdirSync(LOCALES)) {
    const words = JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as unknown
    const wordsAt = (key: string): unknown => key.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], words)
    expect({ file, missing: keys.filter(key => typeof wordsAt(key) !== 'string') }).toEqual({ file, missing: [] })
  }
})

test('the keys are those of the table of keys, each once, and none of the system', () => {
  const shown = actionsOf(all()).filter(item => item.keys !== null)
  for (const { id, keys } of shown) {
    expect(ACTIONS[id as ActionName].keys).toContain(keys)
    // Without Command it would be taken from whoever types.
    expect(keys).toMatch(/^Mod\+|^F\d/)
    expect(KEYS_OF_SYSTEM.has(keys ?? '')).toBe(false)
  }
  expect(new Set(shown.map(item => item.keys)).size).toBe(shown.length)
  const keysOf = (name: ActionName): string | null | undefined => shown.find(({ id }) => id === name)?.keys
  expect((['settings', 'newGame', 'openFile', 'save', 'saveAs', 'closeGame', 'undo', 'redo', 'fullScreen', 'help'] as const).map(keysOf)).toEqual(
    ['Mod+,', 'Mod+n', 'Mod+o', 'Mod+s', 'Mod+Shift+s', 'Mod+w', 'Mod+z', 'Mod+Shift+z', 'Mod+Other+f', 'F1'])
  // A person's own keys are shown in their place.
  const own = actionsOf(menuBar(say, keysInUse({ newGame: ['F9'], save: ['Mod+q'], pass: ['Mod+p'] }), () => true))
  expect(own.filter(({ id }) => ['newGame', 'save', 'pass'].includes(id)).map(({ keys }) => keys)).toEqual(['F9', null, 'Mod+p'])
})

test('the menus in English are what the program for a Mac is tested with', async () => {
  await expect(`${JSON.stringify(all(), null, 2)}\n`).toMatchFileSnapshot('../../../../tests/fixtures/menu-bar.json')
})

let leave: (() => unknown) | undefined
afterEach(async () => {
  leave?.()
  leave = undefined
  document.body.innerHTML = ''
  await switchLanguage('en')
})

async function shown() {
  const { backend } = await startApp()
  const shell = useShell()
  const games = useGames()
  leave = (() => {
    const wrapper = mount(defineComponent(() => { useMenuBar(); return () => h('i') }), { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
    return () => wrapper.unmount()
  })()
  const handed = (): MenuBar[] => backend.asked('set_menu_bar')
  const can = (name: ActionName): boolean | undefined => actionsOf(handed().at(-1)!).find(({ id }) => id === name)?.enabled
  return { backend, shell, games, handed, can }
}

test('the system has the menus in the language of the window, and hears what can be done', async () => {
  const { backend, shell, games, handed, can } = await shown()
  expect(handed()).toEqual([])
  shell.hasMenuBar = true
  await nextTick()
  expect(handed().map(({ menus }) => menus[1]?.label)).toEqual(['File'])
  expect([can('newGame'), can('closeGame'), can('undo')]).toEqual([true, false, true])

  await games.openText('(;SZ[9];B[ee];W[cc])')
  await backend.settled()
  expect([can('closeGame'), can('next')]).toEqual([true, true])
  shell.open('settings')
  await nextTick()
  expect([can('newGame'), can('closeGame')]).toEqual([false, false])
  shell.dialog = undefined
  await nextTick()
  const before = handed().length
  // A step from the middle to the middle changes nothing of it.
  shell.tab = 'comment'
  await nextTick()
  expect(handed()).toHaveLength(before)

  await switchLanguage('ja')
  await nextTick()
  expect(handed().at(-1)?.menus[1]?.label).toBe('ファイル')
  await backend.settled()
})

test('an item does what its keys do, and nothing behind a dialog', async () => {
  const { backend, shell, games } = await shown()
  const choose = async (id: string): Promise<void> => {
    shell.receive({ event: 'menuChosen', payload: { id } })
    await backend.settled()
  }
  await games.openText('(;SZ[9];B[ee])')
  await choose('last')
  expect(backend.asked('navigate').map(({ step }) => step)).toEqual(['last'])
  await choose('nothing of this name')
  await choose('settings')
  expect(shell.dialog).toBe('settings')
  shell.dialog = undefined

  document.body.innerHTML = '<div role="dialog"><button></button></div><input>'
  document.querySelector('button')!.focus()
  await choose('closeGame')
  expect(games.games).toHaveLength(1)

  // What is being typed has a history of its own.
  const ofField = vi.fn()
  Object.assign(document, { execCommand: ofField })
  document.querySelector('input')!.focus()
  await choose('undo')
  expect([ofField.mock.calls, backend.asked('undo_edit').length]).toEqual([[['undo']], 0])
  document.querySelector('input')!.blur()
  await choose('undo')
  expect([ofField.mock.calls.length, backend.asked('undo_edit').length]).toEqual([1, 1])

  await choose('closeGame')
  expect(games.games).toHaveLength(0)
})
