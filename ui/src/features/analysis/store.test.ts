import { describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'
import { FAMOUS, startApp, type AppOptions, type TestBackend } from '@/testing'
import { figuredShares, graphPoints, labelRoom, scoreRange } from './graphScale'
import { useAnalysis, usePreview } from './index'

/** A window on a game of 325 moves. The engine evaluates what a test lets it. */
async function opened(options: AppOptions = {}) {
  const { backend } = await startApp({ game: FAMOUS, at: 127, settings: { threads: 1 }, ...options })
  const games = useGames()
  const analysis = useAnalysis()
  await backend.allow(0)
  backend.listen((event) => {
    if (event.event === 'analysis') analysis.receive(event.payload)
    else if (event.event === 'graph') analysis.receiveGraph(event.payload)
    else if (event.event === 'positionsChanged') analysis.receivePositions(event.payload)
    else if (event.event === 'engine') analysis.receiveEngine(event.payload)
  })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  /** Lets the engine look at so many positions more, and waits until it is reported. */
  const think = async (positions = 24): Promise<void> => {
    const before = analysis.shown?.visits ?? 0
    await backend.allow(positions)
    await backend.until(() => (analysis.shown?.visits ?? 0) >= before + positions / 2)
    // What is left of it is not spent on what the test does next.
    await backend.allow(0)
  }
  return { backend, games, analysis, think }
}

async function thinking(options: AppOptions = {}) {
  const { analysis, think, ...rest } = await opened(options)
  await analysis.turn(true)
  await think()
  return { analysis, think, ...rest }
}

describe('live analysis', () => {
  test('shows what belongs to the position on the board, and nothing else', async () => {
    const { games, analysis, think } = await thinking()
    expect(analysis.shown?.nodeId).toBe(games.position?.nodeId)
    const stale = analysis.shown
    await games.navigate('first')
    await nextTick()
    expect(analysis.shown).toBeUndefined()
    if (stale) analysis.receive({ ...stale, sequence: stale.sequence + 50 })
    expect(analysis.shown).toBeUndefined()
    await think()
    expect(analysis.shown?.nodeId).toBe(games.position?.nodeId)
  })

  test('going back shows at once what was found before, and a search that begins anew does not wipe it', async () => {
    const { backend, games, analysis, think } = await thinking()
    await think(100)
    const node = games.position?.nodeId ?? 0
    const visits = analysis.shown?.visits ?? 0
    await games.navigate('first')
    await think()
    let updates = 0
    backend.listen((event) => { if (event.event === 'analysis' && event.payload.nodeId === node) updates++ })
    await games.goTo(node)
    await nextTick()
    expect(analysis.shown?.visits).toBeGreaterThanOrEqual(visits)
    await backend.allow(4)
    await backend.until(() => updates >= 2)
    expect(analysis.shown?.visits).toBeGreaterThanOrEqual(visits)
  })

  test('the whole game is evaluated for its graph, once, after the first candidates', async () => {
    const { backend, games, analysis, think } = await opened()
    vi.useFakeTimers()
    await analysis.turn(true)
    await think()
    expect(backend.asked('sweep_game')).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    await backend.allow(null)
    await backend.until(() => games.position?.line.every(node => analysis.graph?.has(node)))
    await vi.advanceTimersByTimeAsync(9000)
    await backend.settled()
    expect(backend.asked('sweep_game')).toEqual([{ gameId: games.activeId, passes: [1], worst: null, seconds: null, byNeed: false, unasked: true }])
    vi.useRealTimers()
  })

  test('another network begins anew instead of showing the old one\'s opinion as its own', async () => {
    const { analysis } = await thinking()
    const { serial } = analysis.engine
    // The new one has no name before it is read.
    analysis.receiveEngine({ ...analysis.engine, state: { kind: 'idle' }, serial: serial + 1, network: '' })
    expect(analysis.shown).toBeUndefined()
    expect(analysis.graphs.size).toBe(0)
  })

  test('the network that is chosen is not told what the one before thought', async () => {
    const { backend, analysis, think } = await thinking({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee])', at: 0 })
    await think(300)
    const before = analysis.shown?.visits ?? 0
    useSettings().change({ network: 'another.bin.gz' })
    await backend.until(() => analysis.shown === undefined)
    expect(analysis.graph).toBeUndefined()
    await think(60)
    expect(analysis.engine.network).toBe('another.bin.gz')
    expect(analysis.shown?.visits).toBeLessThan(before)
    await backend.until(() => analysis.graph?.get(0))
    expect(analysis.graph?.get(0)?.visits).toBeLessThan(before)
  })

  test('a position that becomes another one is looked at anew', async () => {
    const { backend, games, analysis, think } = await thinking({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee])', at: 0 })
    await think(300)
    const before = analysis.shown?.visits ?? 0
    await games.setStones([0], 'black')
    expect([analysis.shown, analysis.graph?.get(0)]).toEqual([undefined, undefined])
    await think(60)
    expect(analysis.shown?.visits).toBeLessThan(before)
    expect(analysis.shown?.candidates.every(candidate => candidate.vertex !== 0)).toBe(true)
    // The position of before comes back, and what is known of it with it.
    await games.undo()
    await backend.allow(60)
    await backend.until(() => (analysis.shown?.visits ?? 0) >= before)
  })

  test('a game on which another network answers takes nothing from the other games', async () => {
    const { backend, analysis } = await thinking()
    await backend.until(() => analysis.graphs.size === 1)
    const { shown } = analysis
    analysis.receiveEngine({ ...analysis.engine, network: 'the one for joined edges' })
    analysis.receiveEngine({ ...analysis.engine, network: 'influence' })
    expect(analysis.shown).toBe(shown)
    expect(analysis.graphs.size).toBe(1)
  })

  test('a better value of the graph replaces a worse one, never the other way round', async () => {
    await startApp()
    const analysis = useAnalysis()
    const value = (visits: number, lead: number) => ({ gameId: 'g', values: [{ nodeId: 1, blackWinProb: 0.5, blackScoreLead: lead, visits, judged: null }], sweep: null })
    analysis.receiveGraph(value(100, 3))
    analysis.receiveGraph(value(1, -9))
    expect(analysis.graphs.get('g')?.get(1)?.blackScoreLead).toBe(3)
    analysis.receiveGraph(value(500, 4))
    expect(analysis.graphs.get('g')?.get(1)?.blackScoreLead).toBe(4)
  })

  test('an engine that cannot answer is said in place, with what to do', async () => {
    const { backend, analysis } = await opened({ network: false })
    await analysis.turn(true)
    await backend.until(() => analysis.failed)
    expect(analysis.failed?.message).toBe('the network missing.bin.gz is not there')
    expect(analysis.failed?.hint).toContain('networks')
    // Another choice is tried at once: the analysis is still wanted.
    useSettings().change({ network: 'other.bin.gz' })
    await backend.until(() => analysis.failed?.message.includes('other.bin.gz'))
  })

  test('an answer that an event of the engine overtook does not undo them', async () => {
    const { analysis } = await thinking()
    const turning = analysis.turn(true)
    analysis.receiveEngine({ ...analysis.engine, network: 'the newest' })
    await turning
    expect(analysis.engine.network).toBe('the newest')
  })

  test('the line under the pointer stands still while the analysis goes on', async () => {
    const { analysis, think } = await thinking()
    const preview = usePreview()
    const first = analysis.shown?.candidates[0]?.vertex ?? null
    preview.show(first)
    const line = [...preview.line]
    for (let report = 0; report < 5; report++) await think()
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
  const value = (nodeId: number, blackScoreLead: number) => [nodeId, { nodeId, blackWinProb: 0.5, blackScoreLead, visits: 1, judged: null }] as const

  test('its range is a round number that holds the largest lead', () => {
    expect(scoreRange(graphPoints([0], new Map([value(0, 3)])))).toBe(5)
    expect(scoreRange(graphPoints([0], new Map([value(0, -33)])))).toBe(40)
  })

  test('the figures of a large lead have more room beside it', () => {
    expect([5, 40, 160, 1600].map(labelRoom)).toEqual([30, 30, 37, 44])
  })

  test('its figures never stand over each other', () => {
    for (const pixels of [10, 24, 30, 36, 70, 300]) {
      const shares = figuredShares(pixels)
      expect(shares.length).toBeGreaterThan(0)
      expect(pixels / shares.length).toBeGreaterThanOrEqual(pixels < 12 ? pixels : 12)
    }
    expect(figuredShares(62)).toEqual([1, 0.5, 0])
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

test('what was found of a game goes with it when it is closed', async () => {
  const { games, analysis } = await opened()
  const first = games.activeId ?? ''
  await games.openText('(;SZ[9];B[ee])')
  const second = games.activeId ?? ''
  await nextTick()
  const progress = { state: { kind: 'finished' as const }, visits: 50, pass: 1, passes: 1, done: 1, total: 1, unsettled: false }
  for (const [index, gameId] of [first, second].entries()) {
    analysis.receiveGraph({ gameId, values: [{ nodeId: 0, blackWinProb: 0.5, blackScoreLead: 1, visits: 50, judged: null }], sweep: { serial: index + 1, ...progress } })
  }
  expect([[...analysis.graphs.keys()], [...analysis.reviewed.keys()]]).toEqual([[first, second], [first, second]])
  await games.close(second, 'leave')
  await nextTick()
  expect([...analysis.graphs.keys()]).toEqual([first])
  expect([...analysis.reviewed.keys()]).toEqual([first])
})

test('off is off, whichever game is on the board by then', async () => {
  const { backend, games, analysis } = await thinking()
  const first = games.activeId
  await games.openText('(;SZ[9];B[ee])')
  await backend.until(() => games.activeId !== first && analysis.engine.analysing === games.activeId)
  await analysis.turn(false, first)
  await backend.until(() => analysis.engine.analysing === null)
  expect(analysis.wanted).toBe(false)
})

describe('what the search looks at', () => {
  test('a region stays with the game, a move that was left out does not', async () => {
    const { backend, games, analysis } = await thinking()
    const asked = () => backend.asked('set_analysis').at(-1)
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
})

describe('moves on equal terms', () => {
  const asked = (backend: Pick<TestBackend, 'asked'>) => backend.asked('set_analysis').at(-1)

  test('all candidates get the visits of the most visited one, until another position is shown', async () => {
    const { backend, games, analysis, think } = await thinking()
    await think(240)
    const candidates = analysis.shown?.candidates.filter(({ visits }) => visits > 0) ?? []
    // Fifty at least.
    const most = Math.max(50, ...candidates.map(({ visits }) => visits))
    await analysis.equalise()
    expect(asked(backend)).toMatchObject({ equal: { nodeId: games.position?.nodeId, visits: most, moves: candidates.map(({ vertex }) => vertex) } })
    // Fewer visits than before are shown all the same: they answer another question.
    await backend.allow(null)
    await backend.until(() => analysis.shown?.focus !== 0 && !analysis.shown?.running)
    const compared = analysis.shown?.candidates.filter(({ vertex }) => asked(backend)?.equal?.moves?.includes(vertex)) ?? []
    expect(compared.length).toBeGreaterThan(3)
    expect(compared.map(({ visits }) => visits).filter(visits => visits < most)).toEqual([])
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

  test('another engine is asked for it too, but not for a closer look, and the person is told', async () => {
    const { backend, analysis } = await thinking()
    await useSettings().change({ analysisEngine: 'Kata' })
    await analysis.sweepMoves()
    expect(asked(backend)).toMatchObject({ equal: { moves: [], visits: 10 } })
    const before = backend.asked('set_analysis').length
    await analysis.lookCloser(0)
    expect(backend.asked('set_analysis')).toHaveLength(before)
    expect(analysis.closer).toBeUndefined()
    expect(useNotices().notices.map(notice => notice.title)).toContain(say('notice.onlyNetworkCloser'))
  })

  test('a move is looked at more closely in the same search, until another position is shown', async () => {
    const { backend, games, analysis, think } = await thinking()
    await think(100)
    const shown = analysis.shown?.visits ?? 0
    const free = analysis.shown?.candidates.at(-1)?.vertex ?? -1
    await analysis.lookCloser(free)
    expect(asked(backend)).toMatchObject({ closer: { nodeId: games.position?.nodeId, points: [free] }, equal: null })
    expect(analysis.restricted).toBe(false)
    await backend.allow(null)
    await backend.until(() => (analysis.shown?.visits ?? 0) > shown)
    // The tree was kept, and what is found is the opinion of the whole position.
    expect(analysis.shown?.focus).toBe(0)
    expect(analysis.shown?.visits).toBeGreaterThanOrEqual(shown)
    await analysis.lookCloser(free)
    expect(asked(backend)).toMatchObject({ closer: null })
    await analysis.lookCloser(free)
    await games.navigate('next')
    await nextTick()
    expect(analysis.closer).toBeUndefined()
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
