import { afterEach, describe, expect, test, vi } from 'vitest'
import { startApp } from '@/testing'
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
  async function started() {
    const { backend } = await startApp()
    vi.useFakeTimers()
    return { backend, settings: useSettings() }
  }
  afterEach(() => { vi.useRealTimers() })

  test('changes made close together are kept once, the last ones', async () => {
    const { backend, settings } = await started()
    settings.change({ theme: 'dark' })
    settings.change({ theme: 'light' })
    settings.preferences.moveNumbers = 'all'
    await settings.kept()
    const kept = backend.asked('set_settings')
    expect(kept).toHaveLength(1)
    expect(kept[0]).toMatchObject({ theme: 'light' })
    expect(JSON.parse(kept[0]?.window ?? '')).toMatchObject({ moveNumbers: 'all' })
    expect(await backend.call('startup', {})).toMatchObject({ data: { settings: { theme: 'light' } } })
  })

  test('a change is kept at once, and those made meanwhile together after it', async () => {
    const { backend, settings } = await started()
    const slow = backend.hold('set_settings')
    const kept = (): unknown[] => backend.asked('set_settings').map(({ theme }) => theme)
    settings.change({ theme: 'dark' })
    await vi.advanceTimersByTimeAsync(0)
    expect(kept()).toEqual(['dark'])
    settings.change({ theme: 'contrast' })
    settings.change({ theme: 'light' })
    await vi.advanceTimersByTimeAsync(100)
    expect(kept()).toEqual(['dark'])
    await backend.until(() => slow.waiting === 1)
    slow.release()
    await vi.advanceTimersByTimeAsync(2000)
    await backend.settled()
    expect(kept()).toEqual(['dark', 'light'])
  })

  test('what the back end gives at the start is not sent back to it', async () => {
    const { backend, settings } = await started()
    settings.adopt({ ...settings.settings, window: '{"moveNumbers":true}' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(settings.preferences.moveNumbers).toBe('all')
    expect(backend.calls).toHaveLength(0)
  })

  test('a theme of another version means the system', async () => {
    const { settings } = await started()
    settings.change({ theme: 'sepia' })
    expect(['light', 'dark']).toContain(settings.theme)
  })
})
