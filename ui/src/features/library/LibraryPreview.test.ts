import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import LibraryPreview from './LibraryPreview.vue'

afterEach(() => { vi.restoreAllMocks() })

test('who uses fingers is told to tap, not to click twice', async () => {
  const { backend } = await startApp()
  const words = (coarse: boolean): string => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: coarse, addEventListener: () => undefined, removeEventListener: () => undefined } as unknown as MediaQueryList)
    const wrapper = mount(LibraryPreview, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
    const text = wrapper.text()
    wrapper.unmount()
    return text
  }
  expect(words(false)).toContain('double-click')
  expect(words(true)).toMatch(/Tap a game/)
  expect(words(true)).not.toMatch(/click/)
})
