import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { useAnalysis, useMistake } from '@/features/analysis'
import { useGames } from '@/features/game'
import { usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp, type TestBackend } from '@/testing'
import EndingPanel from './EndingPanel.vue'

test('whoever has no name yet is asked for it at the end of a game, and it is given to that game', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const [play, games, settings] = [usePlay(), useGames(), useSettings()]
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  await play.start({ game, seats: { black: null, white: 'medium' }, clock: null, teaching: null })
  await play.turn(40)
  await backend.until(() => play.view?.thinking === false)
  await play.resign()
  const panel = defineComponent(() => () => games.active ? h(EndingPanel, { game: games.active }) : h('p'))
  const wrapper = mount(panel, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.until(() => wrapper.find('[data-field=say-name]').exists())
  await wrapper.find('[data-action=decline-name]').trigger('click')
  expect(wrapper.find('[data-test=own-name]').exists()).toBe(false)
  settings.preferences.nameDeclined = false
  await backend.until(() => wrapper.find('[data-field=say-name]').exists())
  await wrapper.find('[data-field=say-name]').setValue(' Aya ')
  await wrapper.find('[data-test=own-name]').trigger('submit')
  expect([settings.settings.ownName, backend.asked('name_person')]).toEqual(['Aya', [{ name: 'Aya' }]])
  expect(wrapper.find('[data-test=own-name]').exists()).toBe(false)
})

/** Two persons played this on 9x9; the one with the white stones passed in the middle of it and gave up later. */
async function over(before: (backend: TestBackend) => Promise<void> = async () => {}) {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const [play, analysis, games] = [usePlay(), useAnalysis(), useGames()]
  backend.listen((event) => {
    if (event.event === 'play') play.receive(event.payload)
    else if (event.event === 'analysis') analysis.receive(event.payload)
    else if (event.event === 'graph') analysis.receiveGraph(event.payload)
  })
  await before(backend)
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 0, handicap: 0, black: '', white: '' }
  await play.start({ game, seats: { black: null, white: null }, clock: null, teaching: null })
  for (const vertex of [40, 20, 24, null, 56, 60, 38]) await play.turn(vertex)
  await play.resign()
  const panel = defineComponent(() => () => games.active ? h(EndingPanel, { game: games.active }) : h('p'))
  const wrapper = mount(panel, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  return { analysis, backend, games, play, wrapper, story: () => wrapper.findAll('[data-test=ending-story] p').map(sentence => sentence.text()) }
}

test('a game that is over is looked at closely, says so meanwhile, and then says what decided it', async () => {
  const { analysis, backend, games, wrapper, story } = await over()
  await backend.until(() => wrapper.find('[data-test=ending-looking]').exists())
  expect(story().at(-1)).toBe('White resigned after move 7.')

  // Who was ahead is known before it is known which moves made it so.
  await backend.until(() => analysis.sweep?.pass === 2)
  await backend.allow(0)
  await backend.until(() => story().length === 2)
  expect(wrapper.find('[data-test=ending-looking]').text()).toMatch(/^Looking closer/)
  expect(wrapper.find('[data-test=ending-turns]').exists()).toBe(false)
  expect(story()[0]).toMatch(/ahead|lead|even/)
  await backend.allow(null)

  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await backend.until(() => story().length === 3)
  expect(analysis.lastSweep?.visits).toBe(50)
  expect(story()[1]).toMatch(/^The biggest swing was move 4: White passed and lost about \d+ points\.$/)
  expect(story()[2]).toBe('White resigned after move 7.')

  const turn = wrapper.findAll('[data-test=ending-turns] button').find(row => row.text().includes('Pass'))
  await turn?.trigger('click')
  await backend.until(() => useMistake().better.length > 0)
  expect(games.position?.moveNumber).toBe(3)
  // Its words open within its row, below the others, which stay where they are.
  const row = wrapper.find('[data-test=ending-turns] [aria-expanded=true]')
  expect([row.text(), row.element.nextElementSibling?.querySelector('[data-test=ending-shown]')]).toEqual([turn?.text(), wrapper.find('[data-test=ending-shown]').element])
  expect(wrapper.findAll('[data-test=ending-shown]')).toHaveLength(1)
  expect(wrapper.find('[data-test=ending-shown]').text()).toMatch(/was a pass; [A-J][1-9] was better by about \d+ points\.$/)
})

test('a game that was counted ended after the moves before the passes', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const [play, games] = [usePlay(), useGames()]
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  await play.start({ game, seats: { black: null, white: null }, clock: null, teaching: null })
  for (const vertex of [40, 20, 24, null, null]) await play.turn(vertex)
  await play.settle([])
  const wrapper = mount(defineComponent(() => () => games.active ? h(EndingPanel, { game: games.active }) : h('p')), { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  await backend.until(() => play.over)
  expect(wrapper.find('[data-test=ending-story]').text()).toContain('Both players passed after 3 moves, and the board was counted.')
})

test('whoever begins the next game has the engine to themselves', async () => {
  const { analysis, backend, games, wrapper } = await over()
  await backend.until(() => analysis.sweep?.pass === 2)
  await backend.allow(0)
  const first = games.activeId
  await wrapper.find('[data-action=rematch]').trigger('click')
  await backend.allow(null)
  await backend.until(() => games.activeId !== first && analysis.lastSweep?.state.kind === 'stopped')
  expect(backend.asked('stop_engine')).toHaveLength(1)
})

test('the story of a game that has ended does not wait for the review of a game that was opened', async () => {
  let opened: string | undefined
  const { analysis, backend, games, wrapper, story } = await over(async (backend) => {
    const [analysis, games] = [useAnalysis(), useGames()]
    await games.openFiles([{ kind: 'content', name: 'opened.sgf', base64: btoa('(;GM[1]SZ[9];B[ee];W[ec];B[ge];W[gc];B[ce];W[cc])') }])
    opened = games.activeId
    await backend.allow(0)
    expect(await analysis.reviewByItself()).toBe(true)
    expect(analysis.sweep?.gameId).toBe(opened)
  })
  await backend.until(() => analysis.sweep?.gameId === games.activeId)
  expect(games.activeId).not.toBe(opened)
  await backend.allow(null)
  await backend.until(() => story().length === 3)
  wrapper.unmount()
})
