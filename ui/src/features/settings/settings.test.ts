import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testApp } from '@/testing/app'
import { DEFAULT_PREFERENCES, readPreferences } from './preferences'
import { useSettings } from './store'

describe('what the window kept', () => {
  test('comes back as it was', () => {
    const kept = { ...DEFAULT_PREFERENCES, figures: ['score', 'prior'] as const, orientation: 5 as const, textScale: 1.4, keys: { pass: ['Shift+p'] } }
    expect(readPreferences(JSON.stringify(kept))).toEqual(kept)
  })

  test.each(['', 'not JSON', '[]', 'null', '7', '{"figures":7,"ownership":"loud","orientation":9,"textScale":99,"sideWidth":-4,"keys":{"pass":7},"folded":{}}'])(
    'falls back where it does not fit: %s', (text) => {
      const read = readPreferences(text)
      expect(read.ownership).toBe(DEFAULT_PREFERENCES.ownership)
      expect(read.orientation).toBe(0)
      expect(read.textScale).toBeLessThanOrEqual(2)
      expect(read.sideWidth).toBeGreaterThanOrEqual(280)
      expect(read.figures).toEqual(DEFAULT_PREFERENCES.figures)
    })
})

describe('settings', () => {
  beforeEach(() => { vi.useFakeTimers() })
  afterEach(() => { vi.useRealTimers() })

  test('changes made close together are kept once, the last ones', async () => {
    const { backend } = testApp()
    const settings = useSettings()
    settings.change({ theme: 'dark' })
    settings.change({ theme: 'light' })
    settings.preferences.moveNumbers = 'all'
    await vi.advanceTimersByTimeAsync(1000)
    const kept = backend.calls.filter(call => call.name === 'set_settings')
    expect(kept).toHaveLength(1)
    expect(kept[0]?.args).toMatchObject({ theme: 'light' })
    expect(JSON.parse((kept[0]?.args as { window: string }).window)).toMatchObject({ moveNumbers: 'all' })
  })

  test('a change is kept at once, and those made meanwhile together after it', async () => {
    const { backend } = testApp({ delayMs: 500 })
    const settings = useSettings()
    const kept = (): unknown[] => backend.calls.filter(call => call.name === 'set_settings').map(call => (call.args as { theme: string }).theme)
    settings.change({ theme: 'dark' })
    await vi.advanceTimersByTimeAsync(0)
    expect(kept()).toEqual(['dark'])
    settings.change({ theme: 'contrast' })
    settings.change({ theme: 'light' })
    await vi.advanceTimersByTimeAsync(100)
    expect(kept()).toEqual(['dark'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(kept()).toEqual(['dark', 'light'])
  })

  test('what the back end gives at the start is not sent back to it', async () => {
    const { backend } = testApp()
    const settings = useSettings()
    settings.adopt({ ...settings.settings, window: '{"moveNumbers":true}' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(settings.preferences.moveNumbers).toBe('all')
    expect(backend.calls).toHaveLength(0)
  })

  test('a theme of another version means the system', () => {
    testApp()
    const settings = useSettings()
    settings.change({ theme: 'sepia' })
    expect(['light', 'dark']).toContain(settings.theme)
  })
})
