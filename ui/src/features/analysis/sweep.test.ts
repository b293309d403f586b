import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { startApp, type AppOptions, type TestBackend } from '@/testing'
import AnalysisReview from './AnalysisReview.vue'
import { useAnalysis, useMistake } from './index'

/** White's first move is in the corner, where nothing is to be gained. */
const GAME = '(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[aa];B[gg];W[cc];B[ce])'

async function reviewing(options: AppOptions = {}) {
  const { backend } = await startApp({ game: GAME, ...options })
  const games = useGames()
  const analysis = useAnalysis()
  backend.listen((event) => {
    if (event.event === 'analysis') analysis.receive(event.payload)
    else if (event.event === 'graph') analysis.receiveGraph(event.payload)
    else if (event.event === 'engine') analysis.receiveEngine(event.payload)
  })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  return { backend, games, analysis }
}

const ended = (backend: TestBackend, kind: string): Promise<unknown> => backend.until(() => useAnalysis().lastSweep?.state.kind === kind)
const visits = (): number[] => (useGames().position?.line ?? []).map(node => useAnalysis().graph?.get(node)?.visits ?? 0)

describe('a review of the whole game', () => {
  test('gives every position half of its visits and the rest where they tell most, says that it is finished, and the next one goes deeper', async () => {
    const { backend, analysis } = await reviewing()
    await analysis.review()
    await ended(backend, 'finished')
    expect(analysis.sweep).toBeUndefined()
    const mean = (): number => visits().reduce((sum, one) => sum + one, 0) / visits().length
    expect(Math.min(...visits())).toBeGreaterThanOrEqual(50)
    expect(mean()).toBeGreaterThanOrEqual(80)
    expect(analysis.reviewVisits).toBe(400)
    await analysis.review()
    await ended(backend, 'finished')
    expect(Math.min(...visits())).toBeGreaterThanOrEqual(200)
    expect(mean()).toBeGreaterThanOrEqual(320)
  })

  test('judges no move after the quick look', async () => {
    const { backend, analysis } = await reviewing()
    await analysis.sweepGame([1])
    await ended(backend, 'finished')
    expect(visits()).toEqual([1, 1, 1, 1, 1, 1])
    expect([...analysis.graph?.values() ?? []].filter(value => value.judged)).toEqual([])
    expect(analysis.reviewVisits).toBe(100)
  })

  test('is stopped with everything else, and says so', async () => {
    const { backend, analysis } = await reviewing()
    await backend.allow(20)
    await analysis.review()
    await backend.until(() => analysis.reviewing === 'deep')
    await analysis.turn(true)
    const stopping = analysis.stop()
    await backend.allow(null)
    await stopping
    await ended(backend, 'stopped')
    expect(analysis.wanted).toBe(false)
    expect(analysis.engine.analysing).toBeNull()
    expect(analysis.reviewing).toBeUndefined()
  })

  test('that cannot go on says so', async () => {
    const { backend, analysis } = await reviewing({ network: false })
    await analysis.review()
    await ended(backend, 'failed')
    expect(analysis.sweep).toBeUndefined()
  })
})

test('a mistake shows the position before it, with what was played and what was better', async () => {
  const { backend, games, analysis } = await reviewing()
  await analysis.review()
  await ended(backend, 'finished')
  const mistake = useMistake()
  const line = games.position?.line ?? []
  await mistake.show(line[2] ?? 0)
  await nextTick()
  expect(games.position?.nodeId).toBe(line[1])
  expect(mistake.shown).toMatchObject({ nodeId: line[2], played: 0 })
  expect(mistake.shown?.best).not.toBe(0)
  expect(analysis.shown?.visits).toBeGreaterThanOrEqual(50)
  expect(mistake.better.map(candidate => candidate.vertex)).not.toContain(0)
  expect(mistake.better.length).toBeGreaterThan(0)
  await games.navigate('next')
  await nextTick()
  expect(mistake.shown).toBeUndefined()
})

test('the list adds up losses once every move is judged, and a row leads to its position', async () => {
  // White passes where a move would have been worth many points.
  const { backend, games, analysis } = await reviewing({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[];B[gg];W[cc];B[ce])' })
  await analysis.sweepGame([1])
  await ended(backend, 'finished')
  if (!games.active) throw new Error('there is no game')
  const props = () => ({ game: games.active!, values: analysis.graph, deeper: analysis.reviewVisits, sweep: analysis.lastSweep })
  const wrapper = mount(AnalysisReview, { props: props(), global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect(wrapper.find('table').exists()).toBe(false)
  expect(wrapper.text()).toContain('Not reviewed yet')
  await analysis.review()
  await backend.until(() => analysis.reviewing === undefined && analysis.lastSweep?.visits === 100)
  await wrapper.setProps(props())
  await backend.until(() => wrapper.find('table').exists())
  expect(wrapper.findAll('tbody tr')).toHaveLength(2)
  const worst = wrapper.find('.mistake')
  expect(worst.text()).toContain('Pass')
  await worst.trigger('click')
  await backend.until(() => useMistake().better.length > 0)
  await wrapper.setProps(props())
  expect(games.position?.moveNumber).toBe(1)
  expect(wrapper.find('[data-test=better]').text()).toContain('Pass')
  expect(wrapper.findAll('.move').length).toBeGreaterThan(0)
})
