import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { afterEach, expect, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellSide from './ShellSide.vue'
import { useShell } from './store'
import { useLeaving } from './useLeaving'
import { useShortcuts } from './useShortcuts'

let leave: (() => void) | undefined
afterEach(() => leave?.())

/** A window on two games, the second one before the eyes, with the panel of the comment and the keys. */
async function shown() {
  const { backend } = await startApp()
  const games = useGames()
  useSettings()
  useShell()
  await games.openText('(;SZ[9]C[of the other];B[ee])')
  await games.openText('(;SZ[9];B[cc])')
  const Window = defineComponent(() => {
    useShortcuts()
    useLeaving()
    return () => games.active && h(ShellSide, { game: games.active, only: 'comment' })
  })
  const wrapper = mount(Window, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  await backend.settled()
  const [other, mine] = games.games.map(({ gameId }) => gameId) as [string, string]
  const comment = (gameId: string): string | undefined => games.games.find(game => game.gameId === gameId)?.position.comment
  const field = wrapper.get<HTMLTextAreaElement>('textarea')
  field.element.focus()
  await field.setValue('my thoughts')
  const key = async (name: string): Promise<void> => {
    await field.trigger('keydown', { key: name, ctrlKey: true })
    await backend.settled()
  }
  return { backend, games, wrapper, other, mine, comment, field, key }
}

test('a comment that is being typed stays in its game when a key turns to another one', async () => {
  const { games, wrapper, other, mine, comment, key } = await shown()
  await key('PageDown')
  expect(games.activeId).toBe(other)
  expect([comment(mine), comment(other)]).toEqual(['my thoughts', 'of the other'])
  // The key went on from the field: the focus stays where the comment is.
  expect(document.activeElement).toBe(wrapper.get('.comment').element)
})

test('a game whose comment is being typed is asked about before a key closes it', async () => {
  const { games, mine, comment, field, key } = await shown()
  // It has a record, which lacks what is typed now.
  await games.save()
  await field.setValue('second thoughts')
  await key('w')
  expect(games.asked?.game.gameId).toBe(mine)
  expect(comment(mine)).toBe('second thoughts')
})

test('a key saves what is being typed, and the typing goes on', async () => {
  const { backend, games, field, key } = await shown()
  const saved = key('s')
  await field.setValue('my thoughts, and more')
  await saved
  expect(backend.asked('set_comment').map(({ text }) => text)).toEqual(['my thoughts'])
  expect(games.active?.modified).toBe(false)
  expect(field.element.value).toBe('my thoughts, and more')
  await field.trigger('blur')
  await backend.settled()
  expect(games.position?.comment).toBe('my thoughts, and more')
})

test('a window that is closed or loaded anew hands in what is being typed', async () => {
  const { backend, mine, comment, field } = await shown()
  window.dispatchEvent(new Event('pagehide'))
  await backend.settled()
  expect(comment(mine)).toBe('my thoughts')
  // On a phone a page may never be seen again.
  await field.setValue('second thoughts')
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  vi.restoreAllMocks()
  await backend.settled()
  expect(comment(mine)).toBe('second thoughts')
})

test('a page that goes does not wait for an answer before it hands in what is being typed', async () => {
  const { backend, games, mine, comment } = await shown()
  const nodeId = games.position?.nodeId ?? 0
  const line = backend.hold('navigate')
  void games.navigate(nodeId === 0 ? 'last' : 'first')
  await backend.until(() => line.waiting === 1)
  window.dispatchEvent(new Event('pagehide'))
  expect(backend.asked('set_comment')).toEqual([{ gameId: mine, nodeId, text: 'my thoughts' }])
  line.release()
  await games.settled()
  await games.goTo(nodeId)
  expect(comment(mine)).toBe('my thoughts')
})

test('a panel that is closed hands in what was typed', async () => {
  const { backend, games, mine, comment } = await shown()
  leave?.()
  leave = undefined
  await backend.settled()
  expect(games.activeId).toBe(mine)
  expect(comment(mine)).toBe('my thoughts')
})

test('a game without comments has one line for them until something is written and the focus is elsewhere', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const games = useGames()
  await games.openText('(;SZ[9];B[ee]C[good];W[cc])')
  await games.openText('(;SZ[9];B[cc];W[ee])')
  const wrapper = mount(() => games.active && h(TooltipProvider, () => h(ShellSide, { game: games.active as NonNullable<typeof games.active> })), { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const isSlim = (): boolean => wrapper.get('.comment-panel').classes('slim')
  const [other, mine] = games.games.map(({ gameId }) => gameId) as [string, string]
  expect(isSlim()).toBe(true)
  const field = wrapper.get<HTMLTextAreaElement>('.comment-panel textarea')
  field.element.focus()
  await field.setValue('my thoughts')
  await field.trigger('keydown', { key: 'Escape' })
  await backend.until(() => games.active?.tree.comments.some(Boolean) === true)
  expect(isSlim()).toBe(true)
  ;(document.activeElement as HTMLElement).blur()
  await backend.until(() => !isSlim())
  // It is the same at every move of a game.
  games.activate(other)
  await backend.until(() => games.activeId === other && games.active?.position.comment === '')
  expect(isSlim()).toBe(false)
  games.activate(mine)
})
