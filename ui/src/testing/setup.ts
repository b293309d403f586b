import { afterEach, beforeEach, vi } from 'vitest'
import { i18n } from '@/i18n'
import { endApps } from './index'

beforeEach(() => {
  i18n.global.locale.value = 'en'
  localStorage.clear()
})
afterEach(() => {
  endApps()
  // The next file shares this window.
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
