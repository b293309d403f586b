import { afterEach, expect, test, vi } from 'vitest'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { startApp } from '@/testing'
import { useAutoplay } from './autoplay'

afterEach(() => { vi.useRealTimers() })

async function opened() {
  const { backend } = await startApp()
  const games = useGames()
  useSettings().preferences.autoplaySeconds = 2
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tick = async (milliseconds: number): Promise<void> => {
    vi.advanceTimersByTime(milliseconds)
    await backend.settled()
  }
  const at = (): number | undefined => games.position?.lineIndex
  return { games, autoplay: useAutoplay(), tick, at }
}

test('a record plays by itself to its end', async () => {
  const { autoplay, tick, at } = await opened()
  autoplay.toggle()
  await tick(1900)
  expect(at()).toBe(0)
  await tick(100)
  expect(at()).toBe(1)
  await tick(2000)
  expect([at(), autoplay.active]).toEqual([2, true])
  await tick(2000)
  expect([at(), autoplay.active]).toEqual([3, false])
  autoplay.toggle()
  expect(autoplay.active, 'nothing follows').toBe(false)
})

test('it ends where somebody goes or plays', async () => {
  const { games, autoplay, tick, at } = await opened()
  autoplay.start()
  await games.navigate('next')
  expect(autoplay.active).toBe(false)
  await tick(5000)
  expect(at()).toBe(1)
  autoplay.start()
  await games.play(0)
  expect(autoplay.active).toBe(false)
  await games.navigate('first')
  autoplay.start()
  await games.openText('(;SZ[9];B[ee])')
  expect(autoplay.active, 'another game').toBe(false)
})

test('another speed holds for the move that is waited for', async () => {
  const { autoplay, tick, at } = await opened()
  autoplay.start()
  useSettings().preferences.autoplaySeconds = 0.5
  await tick(0)
  await tick(500)
  expect(at()).toBe(1)
})
