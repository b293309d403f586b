import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellTabs from './ShellTabs.vue'

let leave: (() => void) | undefined
afterEach(() => leave?.())

async function shown() {
  const { backend } = await startApp({ game: '(;SZ[9]PB[Alice]PW[Bob: the elder];B[ee])' })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') useGames().adopt(startup.data.games)
  const wrapper = mount(ShellTabs, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const tab = wrapper.get('.title')
  const drag = (): { data: Map<string, string>, event: DragEvent } => {
    const data = new Map<string, string>()
    const event = Object.assign(new Event('dragstart', { bubbles: true, cancelable: true }), { dataTransfer: { effectAllowed: '', setData: (kind: string, value: string) => void data.set(kind, value) } }) as unknown as DragEvent
    tab.element.dispatchEvent(event)
    return { data, event }
  }
  return { backend, tab, drag }
}

test('a game is dragged out of the window as a file and as text', async () => {
  const created = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:here/1')
  const { backend, tab, drag } = await shown()
  expect(tab.attributes('draggable')).toBe('true')
  // Dialogs that other files of this worker left open would hear it, did it bubble.
  tab.element.dispatchEvent(new Event('pointerdown'))
  await backend.settled()
  const { data, event } = drag()
  expect(event.defaultPrevented).toBe(false)
  expect(data.get('text/plain')).toContain('PB[Alice]')
  expect(data.get('text/plain')).toContain(';B[ee]')
  expect(data.get('DownloadURL')).toBe('application/x-go-sgf:game.sgf:blob:here/1')
  expect(await (created.mock.calls[0]![0] as Blob).text()).toBe(data.get('text/plain'))
})

test('what is not ready is not dragged', async () => {
  const { drag } = await shown()
  const { data, event } = drag()
  expect([event.defaultPrevented, data.size]).toEqual([true, 0])
})

test('from a window of the desktop the system drags the file', async () => {
  const { backend, drag } = await shown()
  useGames().nativeDialogs = true
  const { data, event } = drag()
  expect([event.defaultPrevented, data.size]).toEqual([true, 0])
  await backend.settled()
  // The server of these tests has no window of its own.
  expect(useNotices().notices.map(notice => `${notice.title} ${notice.quoted}`).join()).toMatch(/dragging/)
})

test('the tabs move for another game or its title, and stay where they are for a move', async () => {
  const revealed = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  await shown()
  await nextTick()
  revealed.mockClear()
  const games = useGames()
  const before = games.position?.moveNumber ?? 0
  await games.play(20)
  await nextTick()
  expect([games.position?.moveNumber, revealed.mock.calls.length]).toEqual([before + 1, 0])
  await games.openText('(;SZ[9]PB[Carol];B[ee])')
  await nextTick()
  expect([games.games.length, revealed.mock.calls.length]).toEqual([2, 1])
})
