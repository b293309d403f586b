import { expect, test, vi } from 'vitest'
import { toBase64 } from '@/api'
import { useGames } from '@/features/game'
import { testApp } from '@/testing/app'
import { useShell } from './store'

test('a game dropped before the start is answered is still there after it', async () => {
  const { backend } = testApp({ withGame: false })
  const call = backend.call.bind(backend)
  // The answer to the start is held back until whatever else is asked for has been answered.
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => { release = resolve })
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => {
    const answer = await call(name, args)
    if (name === 'startup') await held
    return answer
  })

  const shell = useShell()
  const started = shell.start()
  const dropped = shell.dropped([{ kind: 'content', name: 'small.sgf', base64: toBase64(new TextEncoder().encode('(;SZ[9];B[ee])')) }])
  await new Promise(resolve => setTimeout(resolve, 20))
  release()
  await Promise.all([started, dropped])

  expect(useGames().active?.width).toBe(9)
})

test('the engine is told what to think about before the window draws', async () => {
  const { backend } = testApp()
  const shell = useShell()
  const call = backend.call.bind(backend)
  const drawnWhenAsked: boolean[] = []
  vi.spyOn(backend, 'call').mockImplementation((name, args) => {
    if (name === 'set_analysis') drawnWhenAsked.push(shell.started)
    return call(name, args)
  })
  await shell.start()
  expect(drawnWhenAsked[0]).toBe(false)
  expect(shell.started).toBe(true)
})
