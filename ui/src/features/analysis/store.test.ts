import { describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'
import { testApp } from '@/testing/app'
import { graphPoints, indexAt, scoreRange } from './graphScale'
import { useAnalysis, usePreview } from './index'

async function thinking(options = {}) {
  const { backend } = testApp(options)
  const games = useGames()
  const analysis = useAnalysis()
  backend.listen((event) => {
    if (event.event === 'analysis') analysis.receive(event.payload)
    else if (event.event === 'graph') analysis.receiveGraph(event.payload)
    else if (event.event === 'engine') analysis.receiveEngine(event.payload)
  })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  await analysis.turn(true)
  backend.report()
  return { backend, games, analysis }
}

describe('live analysis', () => {
  test('shows what belongs to the position on the board, and nothing else', async () => {
    const { backend, games, analysis } = await thinking()
    expect(analysis.shown?.nodeId).toBe(games.position?.nodeId)
    const stale = analysis.shown
    await games.navigate('next')
    await nextTick()
    expect(analysis.shown).toBeUndefined()
    if (stale) analysis.receive({ ...stale, sequence: stale.sequence + 50 })
    expect(analysis.shown).toBeUndefined()
    backend.report()
    expect(analysis.shown?.nodeId).toBe(games.position?.nodeId)
  })

  test('going back shows at once what was found before, and a search that begins anew does not wipe it', async () => {
    const { backend, games, analysis } = await thinking()
    for (let report = 0; report < 10; report++) backend.report()
    const visits = analysis.shown?.visits ?? 0
    await games.navigate('next')
    backend.report()
    await games.navigate('previous')
    await nextTick()
    expect(analysis.shown?.visits).toBe(visits)
    backend.report()
    expect(analysis.shown?.visits).toBe(visits)
  })

  test('the whole game is evaluated for its graph, once, after the first candidates', async () => {
    vi.useFakeTimers()
    const { backend } = await thinking()
    const sweeps = (): number => backend.calls.filter(call => call.name === 'sweep_game').length
    expect(sweeps()).toBe(0)
    await vi.advanceTimersByTimeAsync(3000)
    backend.report()
    await vi.advanceTimersByTimeAsync(9000)
    expect(sweeps()).toBe(1)
    vi.useRealTimers()
  })

  test('another network begins anew instead of showing the old one\'s opinion as its own', async () => {
    const { analysis } = await thinking()
    analysis.receiveEngine({ ...analysis.engine, network: 'another' })
    expect(analysis.shown).toBeUndefined()
  })

  test('a better value of the graph replaces a worse one, never the other way round', () => {
    testApp()
    const analysis = useAnalysis()
    const value = (visits: number, lead: number) => ({ gameId: 'g', values: [{ nodeId: 1, blackWinProb: 0.5, blackScoreLead: lead, visits }], done: 0, total: 0 })
    analysis.receiveGraph(value(100, 3))
    analysis.receiveGraph(value(1, -9))
    expect(analysis.graphs.get('g')?.get(1)?.blackScoreLead).toBe(3)
    analysis.receiveGraph(value(500, 4))
    expect(analysis.graphs.get('g')?.get(1)?.blackScoreLead).toBe(4)
  })

  test('an engine that cannot answer is said in place, with what to do', async () => {
    const { analysis } = await thinking({ failures: { set_analysis: { kind: 'engineUnavailable', message: 'no network', hint: 'fetch one' } } })
    expect(analysis.failed).toEqual({ kind: 'failed', message: 'no network', hint: 'fetch one' })
    expect(analysis.wanted).toBe(false)
  })

  test('an answer that news of the engine overtook does not undo them', async () => {
    const { analysis } = await thinking()
    const turning = analysis.turn(true)
    analysis.receiveEngine({ ...analysis.engine, network: 'the newest' })
    await turning
    expect(analysis.engine.network).toBe('the newest')
  })

  test('the line under the pointer stands still while the analysis goes on', async () => {
    const { backend, analysis } = await thinking()
    const preview = usePreview()
    const first = analysis.shown?.candidates[0]?.vertex ?? null
    preview.show(first)
    const line = [...preview.line]
    for (let report = 0; report < 5; report++) backend.report()
    expect(preview.line).toEqual(line)
    preview.step(1)
    expect(preview.line).toHaveLength(1)
    preview.step(1)
    expect(preview.line).toHaveLength(2)
    preview.step(-1)
    preview.step(-1)
    expect(preview.line).toHaveLength(1)
  })
})

describe('the graph', () => {
  const value = (nodeId: number, blackScoreLead: number) => [nodeId, { nodeId, blackWinProb: 0.5, blackScoreLead, visits: 1 }] as const

  test('a loss is what the mover lost, for either colour', () => {
    const values = new Map([value(0, 0), value(1, -5), value(2, -1)])
    const points = graphPoints([0, 1, 2, 3], values, node => [0, 1, -1, 1][node] ?? 0)
    expect(points.map(point => point.loss)).toEqual([undefined, 5, 4, undefined])
  })

  test('its range is a round number that holds the largest lead', () => {
    expect(scoreRange(graphPoints([0], new Map([value(0, 3)]), () => 0))).toBe(5)
    expect(scoreRange(graphPoints([0], new Map([value(0, -33)]), () => 0))).toBe(40)
  })

  test('a place outside its ends is an end', () => {
    expect([indexAt(-1, 10), indexAt(0.5, 11), indexAt(3, 10)]).toEqual([0, 5, 9])
  })
})

describe('a part of the graph', () => {
  test('zooms around a place and never leaves the game', async () => {
    const { movedTo, zoomed } = await import('./graphScale')
    const whole = { from: 0, to: 200 }
    const half = zoomed(whole, 201, 0.5, 0.5)
    expect(half).toEqual({ from: 50, to: 150 })
    expect(zoomed(half, 201, 10, 0.5)).toEqual(whole)
    expect(zoomed(half, 201, 0.0001, 0).to - 50).toBe(10)
    expect(movedTo(half, 201, 160)).toEqual({ from: 80, to: 180 })
    expect(movedTo(half, 201, 200)).toEqual({ from: 100, to: 200 })
    expect(movedTo(half, 201, 60)).toEqual(half)
  })
})

describe('what the search looks at', () => {
  test('a region stays with the game, a move that was left out does not', async () => {
    const { backend, games, analysis } = await thinking()
    const asked = (): unknown => backend.calls.filter(call => call.name === 'set_analysis').at(-1)?.args
    await analysis.lookAt([3, 4])
    await analysis.avoid(60)
    expect(asked()).toMatchObject({ allow: [3, 4], avoid: [60] })
    await games.navigate('next')
    await nextTick()
    expect(analysis.avoided).toEqual([])
    expect(asked()).toMatchObject({ allow: [3, 4], avoid: [] })
    await analysis.lookAtAll()
    expect(asked()).toMatchObject({ allow: [], avoid: [] })
  })

  test('a review looks quickly at all positions and then again, and can be ended', async () => {
    vi.useFakeTimers()
    const { backend, analysis } = await thinking()
    await analysis.review()
    await vi.advanceTimersByTimeAsync(4000)
    const visits = backend.calls.filter(call => call.name === 'sweep_game').map(call => (call.args as { visits: number }).visits)
    expect(visits.slice(0, 2)).toEqual([1, 100])
    expect(analysis.reviewing).toBeUndefined()
    await analysis.review()
    await analysis.stopSweep()
    expect(analysis.reviewing).toBeUndefined()
    expect(analysis.sweep).toBeUndefined()
    await vi.advanceTimersByTimeAsync(4000)
    expect(backend.calls.filter(call => call.name === 'sweep_game')).toHaveLength(3)
    vi.useRealTimers()
  })
})

describe('moves on equal terms', () => {
  const asked = (backend: { calls: { name: string, args: unknown }[] }): unknown => backend.calls.filter(call => call.name === 'set_analysis').at(-1)?.args

  test('all candidates get the visits of the most visited one, until another position is shown', async () => {
    const { backend, games, analysis } = await thinking()
    for (let report = 0; report < 4; report++) backend.report()
    const most = Math.max(...analysis.shown?.candidates.map(candidate => candidate.visits) ?? [])
    await analysis.equalise()
    expect(asked(backend)).toMatchObject({ equal: { nodeId: games.position?.nodeId, visits: most, moves: analysis.shown?.candidates.map(candidate => candidate.vertex) } })
    // Fewer visits than before are shown all the same: they answer another question.
    backend.report()
    expect(new Set(analysis.shown?.candidates.map(candidate => candidate.visits))).toEqual(new Set([most]))
    await games.navigate('next')
    await nextTick()
    expect(analysis.equal).toBeUndefined()
  })

  test('a sweep asks for every move, and once more goes back to the usual search', async () => {
    const { backend, games, analysis } = await thinking()
    await analysis.sweepMoves()
    expect(asked(backend)).toMatchObject({ equal: { nodeId: games.position?.nodeId, moves: [], visits: 10 } })
    expect(analysis.restricted).toBe(true)
    await analysis.sweepMoves()
    expect(asked(backend)).toMatchObject({ equal: null })
    expect(analysis.restricted).toBe(false)
  })

  test('another engine than the network is not asked for it, and the person is told', async () => {
    const { backend, analysis } = await thinking()
    await useSettings().change({ analysisEngine: 'Kata' })
    const before = backend.calls.filter(call => call.name === 'set_analysis').length
    await analysis.equalise()
    await analysis.sweepMoves()
    expect(backend.calls.filter(call => call.name === 'set_analysis')).toHaveLength(before)
    expect(analysis.equal).toBeUndefined()
    expect(useNotices().notices.map(notice => notice.title)).toContain(say('notice.onlyNetworkEqual'))
  })

  test('what was found about other moves is no measure for fewer visits, but the same question is', async () => {
    const { analysis } = await thinking()
    const shown = analysis.shown
    if (!shown) throw new Error('nothing is shown')
    analysis.receive({ ...shown, visits: 500, sequence: 90 })
    analysis.receive({ ...shown, visits: 20, sequence: 91, focus: 5 })
    expect(analysis.shown?.visits).toBe(20)
    analysis.receive({ ...shown, visits: 10, sequence: 92, focus: 5 })
    expect(analysis.shown?.visits).toBe(20)
  })
})
