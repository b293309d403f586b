import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend, type PlayView, type StartPlay } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { usePlay } from './index'
import PlayClock from './PlayClock.vue'
import PlayClockFace from './PlayClockFace.vue'
import PlayPanel from './PlayPanel.vue'

let leave: (() => void) | undefined
afterEach(() => leave?.())

const CLOCK: StartPlay['clock'] = { kind: 'absolute', mainSeconds: 60, periodSeconds: 0, stones: 0, periods: 0 }

async function shown(clock: StartPlay['clock'], seats: StartPlay['seats'] = { black: null, white: 'easy' }) {
  const { backend } = await startApp()
  const play = usePlay()
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  await play.start({ game, seats, pace: 60, clock, teaching: null })
  const { active } = useGames()
  if (!active || !play.view) throw new Error('no game')
  const wrapper = mount(PlayPanel, { props: { game: active }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  let { view } = play
  const hear = async (patch: Partial<PlayView>): Promise<void> => {
    view = { ...view, ...patch, generation: view.generation + 1 }
    play.receive({ update: null, play: view, notice: null })
    await flushPromises()
  }
  return { wrapper, hear, clocks: view.clocks }
}

test('a clock can be stopped on one\'s own turn, and runs on by the same button', async () => {
  const { wrapper, hear, clocks } = await shown(CLOCK)
  if (!clocks) throw new Error('no clocks')
  const button = () => wrapper.get<HTMLButtonElement>('[data-action=play-pause]')
  expect([button().text(), button().element.disabled]).toEqual(['Pause', false])
  await hear({ clocks: { ...clocks, running: null } })
  expect(button().text()).toBe('Resume')
  await hear({ clocks, thinking: true, toMove: 'white' })
  expect([button().text(), button().element.disabled]).toEqual(['Pause', true])
})

test('a pause is offered neither in a rated game nor without a clock', async () => {
  const { wrapper, hear } = await shown(CLOCK)
  await hear({ rated: true })
  expect(wrapper.find('[data-action=play-pause]').exists()).toBe(false)
  leave?.()
  const without = await shown(null)
  expect(without.wrapper.find('[data-action=play-pause]').exists()).toBe(false)
})

test('who watches pauses, steps, takes over and ends, and has no moves of their own', async () => {
  const { wrapper, hear } = await shown(null, { black: 'easy', white: 'medium' })
  expect(wrapper.get('[data-test=play-against]').text()).toBe('Black: Easy. White: Medium.')
  for (const deed of ['play-pass', 'play-hint', 'take-back', 'resign', 'play-count']) expect(wrapper.find(`[data-action=${deed}]`).exists(), deed).toBe(false)
  const step = () => wrapper.get<HTMLButtonElement>('[data-action=play-step]').element
  await hear({ thinking: true, toMove: 'white' })
  expect(wrapper.get('[data-test=play-state]').text()).toBe('Thinking for White')
  expect([wrapper.get('[data-action=play-pause]').text(), step().disabled]).toEqual(['Pause', true])
  await hear({ thinking: false })
  expect(wrapper.get('[data-test=play-state]').text()).toBe('Paused')
  expect([wrapper.get('[data-action=play-pause]').text(), step().disabled]).toEqual(['Resume', false])
  await hear({ thinking: true, toMove: null })
  expect(wrapper.get<HTMLButtonElement>('[data-action=take-seat]').element.disabled, 'nothing is left to play').toBe(true)
})

test.each([
  ['against an opponent', { black: null, white: 'easy' }, [true, false]],
  ['of two people at one board', { black: null, white: null }, [true, true]],
  ['of two opponents', { black: 'easy', white: 'easy' }, [false, false]],
] as const)('the seconds are counted aloud for whom they are: %s', async (_, seats, wanted) => {
  await shown(CLOCK, seats)
  const aloud = (['black', 'white'] as const).map((side) => {
    const wrapper = mount(PlayClock, { props: { side }, global: { plugins: [i18n] } })
    const isAloud = wrapper.getComponent(PlayClockFace).props('aloud')
    wrapper.unmount()
    return isAloud
  })
  expect(aloud).toEqual(wanted)
})
