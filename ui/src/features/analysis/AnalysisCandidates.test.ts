import { mount } from '@vue/test-utils'
import { describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import type { CandidateView, GameView } from '@/api'
import { i18n } from '@/i18n'
import { FAMOUS, startApp } from '@/testing'
import AnalysisCandidates from './AnalysisCandidates.vue'
import AnalysisSign from './AnalysisSign.vue'

async function someGame(): Promise<GameView> {
  const { backend } = await startApp({ game: FAMOUS, at: 127 })
  const answer = await backend.call('startup', {})
  if (answer.status === 'error' || !answer.data.games[0]) throw new Error('there is no game')
  return answer.data.games[0]
}
const candidate = (vertex: number | null, order: number, visits: number): CandidateView => ({
  vertex, order, visits, blackWinProb: 0.25, blackScoreLead: -4, scoreStdev: 9, prior: 0.1, lcbForMover: 0.5, pointsLost: order * 2, pv: [vertex], blackOwnership: [],
})
const names = (wrapper: ReturnType<typeof mount>): string[] => wrapper.findAll('[data-point]').map(row => row.attributes('data-point') ?? '')

describe('the table of candidates', () => {
  test('speaks from the side of the player to move', async () => {
    const game = await someGame()
    const wrapper = mount(AnalysisCandidates, { props: { game: { ...game, position: { ...game.position, toMove: 'white' } }, candidates: [candidate(60, 0, 50)] }, global: { plugins: [i18n] } })
    expect(wrapper.text()).toContain('75.0')
    expect(wrapper.text()).toContain('+4.0')
  })

  test('shows no points where a program counts none, and judges by the chances to win', async () => {
    const uncounted = (order: number, blackWinProb: number): CandidateView =>
      ({ ...candidate(60 + order, order, 50), blackWinProb, blackScoreLead: null, pointsLost: null })
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates: [uncounted(0, 0.6), uncounted(1, 0.59), uncounted(2, 0.2)] }, global: { plugins: [i18n] } })
    expect(wrapper.text()).not.toMatch(/[+−]\d/)
    expect(wrapper.text()).toContain('–')
    const steps = wrapper.findAllComponents(AnalysisSign).map(sign => sign.props('step'))
    expect(steps).toEqual([0, 0, 4])
  })

  test('is one stop of the Tab key, from which the arrow keys, Home and End go on', async () => {
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates: [0, 1, 2, 3].map(order => candidate(60 + order, order, 50 - order)) }, global: { plugins: [i18n] }, attachTo: document.body })
    const stops = (): number[] => wrapper.findAll('.move-row').flatMap((row, index) => row.attributes('tabindex') === '0' ? [index] : [])
    expect(stops()).toEqual([0])
    const row = (index: number) => wrapper.findAll<HTMLElement>('.move-row')[index]!
    row(0).element.focus()
    for (const [from, key, to] of [[0, 'ArrowDown', 1], [1, 'End', 3], [3, 'ArrowDown', 3], [3, 'Home', 0]] as const) {
      await row(from).trigger('keydown', { key })
      await nextTick()
      expect([document.activeElement === row(to).element, stops()], key).toEqual([true, [to]])
    }
    await row(0).trigger('keydown', { key: 'End' })
    // A shorter list still has a stop.
    await wrapper.setProps({ candidates: [candidate(60, 0, 50), candidate(61, 1, 40)] })
    expect(stops()).toEqual([0])
    wrapper.unmount()
  })

  test('its order stands still while the pointer is on it', async () => {
    const game = await someGame()
    const wrapper = mount(AnalysisCandidates, { props: { game, candidates: [candidate(60, 0, 50), candidate(61, 1, 40)] }, global: { plugins: [i18n] } })
    const before = names(wrapper)
    await wrapper.get('ol').trigger('pointerenter')
    await wrapper.setProps({ candidates: [candidate(61, 0, 90), candidate(60, 1, 50), candidate(62, 2, 1)] })
    expect(names(wrapper).slice(0, 2)).toEqual(before)
    await wrapper.get('ol').trigger('pointerleave')
    expect(names(wrapper)[0]).toBe(before[1])
  })

  test('of a look at every move only the rows in sight exist, each at its place', async () => {
    const game = await someGame()
    const all = Array.from({ length: 361 }, (_, point) => candidate(point, point, 10))
    const wrapper = mount(AnalysisCandidates, { props: { game, candidates: all, textScale: 2 }, global: { plugins: [i18n] } })
    await nextTick()
    expect(names(wrapper).length).toBeLessThan(40)
    expect(wrapper.get('[aria-posinset="3"]').attributes('aria-setsize')).toBe('361')
    expect(wrapper.get('[aria-posinset="3"]').attributes('style')).toContain(`${2 * 2 * 26}px`)
    await wrapper.setProps({ candidates: all.slice(0, 40) })
    expect(names(wrapper), 'an ordinary search is there as a whole').toHaveLength(40)
  })

  test('a finger sees the line of a move and does not play it', async () => {
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates: [candidate(60, 0, 50)] }, global: { plugins: [i18n] } })
    wrapper.get('[data-point]').element.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }))
    expect(wrapper.emitted('keep')).toEqual([[60]])
    expect(wrapper.emitted('play')).toBeUndefined()
  })

  test('the second button offers to add the line of a move', async () => {
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates: [candidate(60, 0, 50)] }, global: { plugins: [i18n] }, attachTo: document.body })
    await wrapper.get('[data-point]').trigger('contextmenu', { clientX: 5, clientY: 5 })
    await vi.waitUntil(() => document.querySelector('[role=menu] [data-action=add-line]'))
    document.querySelector<HTMLElement>('[role=menu] [data-action=add-line]')?.click()
    await nextTick()
    expect(wrapper.emitted('add')).toEqual([[60]])
    wrapper.unmount()
  })

  test('what is looked at more closely is marked, wherever it stands', async () => {
    const candidates = [...Array.from({ length: 40 }, (_, point) => candidate(point, point, 9)), candidate(300, 112, 500)]
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates, closer: [300] }, global: { plugins: [i18n] } })
    const marked = wrapper.findAll('.closer')
    expect(marked.map(row => row.attributes('data-point'))).toEqual(['Q4'])
    expect(marked[0]?.text()).toContain('500')
    expect(marked[0]?.text()).toContain('A closer look at Q4')
  })

  test('a pass can be played too', async () => {
    const wrapper = mount(AnalysisCandidates, { props: { game: await someGame(), candidates: [candidate(null, 0, 5)] }, global: { plugins: [i18n] } })
    await wrapper.get('[data-point]').trigger('click')
    expect(wrapper.emitted('play')).toEqual([[null]])
  })
})
