import { expect, test } from 'vitest'
import { nextTick, watch } from 'vue'
import { toBase64, type Event } from '@/api'
import { useAnalysis } from '@/features/analysis'
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

test('the review begins where only the graph was drawn, and not again once every move is judged', async () => {
  const { backend } = await startApp({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[aa];B[gg])' })
  const shell = useShell()
  const analysis = useAnalysis()
  backend.listen(shell.receive)
  await shell.start()
  const finished = (): Promise<unknown> => backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await analysis.sweepGame([1])
  await finished()
  const sweeps = (): unknown[] => backend.asked('sweep_game').map(asked => (asked as { passes: unknown }).passes)
  const before = sweeps().length
  shell.enter('review')
  await backend.until(() => sweeps().length === before + 1)
  expect(sweeps().at(-1)).toEqual([1, 100])
  await finished()
  await backend.until(() => useGames().position?.line.slice(1).every(node => analysis.graph?.get(node)?.judged))
  shell.enter('review')
  await backend.settled()
  expect(sweeps()).toHaveLength(before + 1)
})

test('what the engine finds is taken in once a frame, and in the order of its news', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const analysis = useAnalysis()
  await shell.start()
  let drawn = 0
  watch(() => analysis.graphs, () => { drawn++ }, { flush: 'post' })
  const found = (nodeId: number): Event => ({ event: 'graph', payload: { gameId: 'g', values: [{ nodeId, blackWinProb: 0.5, blackScoreLead: 1, visits: 1, judged: null }], sweep: null } })
  for (const node of [1, 2, 3]) {
    shell.receive(found(node))
    await nextTick()
  }
  expect(drawn).toBe(0)
  await backend.until(() => analysis.graphs.get('g')?.size === 3)
  await nextTick()
  expect(drawn).toBe(1)

  // What the network before still found is not shown as the new one's opinion.
  shell.receive({ event: 'engine', payload: { ...analysis.engine, network: 'one' } })
  shell.receive(found(4))
  shell.receive({ event: 'engine', payload: { ...analysis.engine, network: 'another' } })
  await new Promise((resolve) => { setTimeout(resolve, 50) })
  expect(analysis.graphs.get('g')).toBeUndefined()
})
