import { beforeEach, expect, test, vi } from 'vitest'
import { createLocalBackend, localSettings } from './local'

beforeEach(() => { localStorage.clear() })

test('a browser without a back end keeps what was chosen, entry by entry', async () => {
  const { call } = createLocalBackend()
  await call('set_settings', { theme: 'dark', window: '{"sound":false}' })
  await call('set_settings', { boardTheme: 'flat', window: '{"coordinates":"none"}' })
  await call('set_settings', { theme: 'light' })
  expect(localSettings()).toMatchObject({ theme: 'light', boardTheme: 'flat' })
  expect(JSON.parse(localSettings().window ?? '')).toEqual({ sound: false, coordinates: 'none' })
})

test('what is damaged is nothing', async () => {
  localStorage.setItem('honinbo.settings', '{"window":"[","theme":"dark"}')
  await createLocalBackend().call('set_settings', { window: '{"sound":true}' })
  expect(localSettings()).toEqual({ theme: 'dark', window: '{"sound":true}' })
  localStorage.setItem('honinbo.settings', '[')
  expect(localSettings()).toEqual({})
})

test('a page without a back end is told before it goes', () => {
  const leave = vi.fn(() => Promise.resolve())
  const stop = createLocalBackend().onLeave(leave)
  window.dispatchEvent(new Event('pagehide'))
  expect(leave).toHaveBeenCalledOnce()
  stop()
  window.dispatchEvent(new Event('pagehide'))
  expect(leave).toHaveBeenCalledOnce()
})
