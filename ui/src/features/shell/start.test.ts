import { expect, test } from 'vitest'
import { toBase64 } from '@/api'
import { useGames } from '@/features/game'
import { FAMOUS, startApp } from '@/testing'
import { useShell } from './store'

test('a game dropped before the start is answered is still there after it', async () => {
  const { backend } = await startApp()
  const slow = backend.hold('startup')

  const shell = useShell()
  const started = shell.start()
  const dropped = shell.dropped([{ kind: 'content', name: 'small.sgf', base64: toBase64(new TextEncoder().encode('(;SZ[9];B[ee])')) }])
  await backend.until(() => slow.waiting === 1)
  await backend.settled()
  slow.release()
  await Promise.all([started, dropped])

  expect(useGames().active?.width).toBe(9)
})

test('the engine is told what to think about before the window draws', async () => {
  const { backend } = await startApp({ game: FAMOUS })
  const shell = useShell()
  const drawnWhenAsked: boolean[] = []
  backend.onCall((name) => { if (name === 'set_analysis') drawnWhenAsked.push(shell.started) })
  await shell.start()
  expect(drawnWhenAsked[0]).toBe(false)
  expect(shell.started).toBe(true)
})
