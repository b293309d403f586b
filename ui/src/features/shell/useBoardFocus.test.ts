import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { useGames } from '@/features/game'
import { startApp } from '@/testing'
import { useShell } from './store'
import { useBoardFocus } from './useBoardFocus'

let leave: (() => void) | undefined
afterEach(() => leave?.())

const EMPTY = '(;SZ[9])'

/** A window with a board, where there is a game, and a field beside it. */
async function shown() {
  const { backend } = await startApp()
  const games = useGames()
  const shell = useShell()
  await shell.start()
  // The welcome of a first start.
  shell.dialog = undefined
  const Window = defineComponent(() => {
    useBoardFocus()
    return () => h('div', [h('input'), h('div', { class: 'stage' }, games.active ? [h('div', { class: 'board', tabindex: 0 })] : [])])
  })
  const wrapper = mount(Window, { attachTo: document.body })
  leave = () => wrapper.unmount()
  const settled = async (): Promise<string | undefined> => {
    await backend.settled()
    await nextTick()
    return document.activeElement?.className || document.activeElement?.localName
  }
  return { games, shell, wrapper, settled }
}

test('a game that comes while nothing has the focus gives it to its board', async () => {
  const { games, settled } = await shown()
  expect(await settled()).toBe('body')
  await games.openText(EMPTY)
  expect(await settled()).toBe('board')
})

test('the board waits for the dialog that a game was begun in', async () => {
  const { games, shell, settled } = await shown()
  shell.open('newGame')
  await games.openText(EMPTY)
  expect(await settled()).toBe('body')
  shell.dialog = undefined
  expect(await settled()).toBe('board')
})

test('who opens a game that is open already from the library comes back to its board', async () => {
  const { games, shell, settled } = await shown()
  await games.openText(EMPTY)
  shell.act('library')
  ;(document.activeElement as HTMLElement | null)?.blur()
  expect(await settled()).toBe('body')
  games.activate(games.activeId!)
  expect(shell.room).toBe('board')
  expect(await settled()).toBe('board')
})

test('a game takes the focus from nothing else', async () => {
  const { games, wrapper, settled } = await shown()
  wrapper.get('input').element.focus()
  await games.openText(EMPTY)
  expect(await settled()).toBe('input')
})
