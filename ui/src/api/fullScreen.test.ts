import { expect, onTestFinished, test, vi } from 'vitest'
import { browserFullScreen } from './fullScreen'

const page = document as { fullscreenEnabled: boolean, fullscreenElement: Element | null, exitFullscreen: () => Promise<void> }

test('a page takes the whole screen and gives it back, and offers nothing where it cannot', async () => {
  expect(browserFullScreen()).toBeUndefined()
  const root = document.documentElement
  const asked = vi.fn(() => Promise.resolve())
  const left = vi.fn(() => Promise.resolve())
  Object.assign(root, { requestFullscreen: asked })
  for (const [name, value] of Object.entries({ fullscreenEnabled: true, fullscreenElement: null, exitFullscreen: left })) Object.defineProperty(document, name, { value, configurable: true, writable: true })
  onTestFinished(() => { for (const name of ['fullscreenEnabled', 'fullscreenElement', 'exitFullscreen']) Reflect.deleteProperty(document, name) })
  const toggle = browserFullScreen()
  await toggle?.()
  expect([asked.mock.calls.length, left.mock.calls.length]).toEqual([1, 0])
  page.fullscreenElement = root
  await toggle?.()
  expect([asked.mock.calls.length, left.mock.calls.length]).toEqual([1, 1])
})
