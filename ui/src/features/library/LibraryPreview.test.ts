import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { h } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { recordOf, startApp } from '@/testing'
import LibraryPreview from './LibraryPreview.vue'
import { useRecordPreview } from './previewStore'
import { useLibrary } from './store'

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

test('a game is told with what its record says, each under its own name', async () => {
  const { backend } = await startApp({ records: recordOf({ PB: 'Shusaku', PC: 'Osaka', HA: '2', AB: 'pd][dp' }, []) })
  const library = useLibrary()
  await library.refresh()
  const wrapper = mount({ render: () => h(TooltipProvider, () => h(LibraryPreview)) }, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  const facts = async (komi: number | null): Promise<Record<string, string>> => {
    await useRecordPreview().show({ ...library.recordAt(0)!, komi })
    await backend.settled()
    return Object.fromEntries(wrapper.findAll('dl dt').map(name => [name.text(), name.element.nextElementSibling?.textContent?.trim() ?? '']))
  }
  expect(await facts(null)).toMatchObject({ Black: 'Shusaku', Place: 'Osaka', Handicap: '2 handicap stones' })
  expect(Object.keys(await facts(null))).not.toContain('Event')
  expect(Object.keys(await facts(null))).not.toContain('Komi')
  expect(await facts(0)).toMatchObject({ Komi: '0' })
})
