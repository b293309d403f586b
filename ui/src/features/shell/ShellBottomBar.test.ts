import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { afterEach, expect, test } from 'vitest'
import { h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { usePlay } from '@/features/play'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellBottomBar from './ShellBottomBar.vue'
import ShellSide from './ShellSide.vue'
import { useShell } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

/** A game of two persons, with the bar below the board and the panel of the first tab or beside the board. */
async function playing(narrow: boolean) {
  const { backend } = await startApp({ network: undefined })
  const play = usePlay()
  const shell = useShell()
  const games = useGames()
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  shell.narrow = narrow
  await play.start({ game: { width: 9, height: 9, topology: 'plane', rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }, seats: { black: null, white: null }, clock: null, teaching: null })
  const only = narrow ? 'analysis' as const : undefined
  const wrapper = mount(() => h(TooltipProvider, () => [games.active && h(ShellSide, { game: games.active, only }), h(ShellBottomBar)]), { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const inBar = (name: string): [number, number] => [wrapper.findAll(`footer ${name}`).length, wrapper.findAll(name).length]
  await backend.until(() => wrapper.find('[data-action=play-pass]').exists())
  return { backend, games, play, wrapper, inBar }
}

test('on a phone whose turn it is and what can be done stands below the board, and nowhere else', async () => {
  const { backend, games, wrapper, inBar } = await playing(true)
  for (const name of ['[data-test=play-state]', '[data-action=play-pass]', '[data-action=take-back]', '[data-action=resign]']) expect([name, ...inBar(name)]).toEqual([name, 1, 1])
  expect(wrapper.get('footer [data-test=play-state]').text()).toBe('Black to play')
  await wrapper.get('[data-action=play-pass]').trigger('click')
  await backend.until(() => games.position?.moveNumber === 1)
  await nextTick()
  expect(wrapper.get('footer [data-test=play-state]').text()).toBe('White to play')
  // While an earlier position is looked at nothing can be played: the way back takes that place.
  await games.navigate('previous')
  await nextTick()
  expect([inBar('[data-action=play-tip]'), inBar('[data-action=play-pass]')]).toEqual([[1, 1], [0, 0]])
})

test('beside a wide board it stands in the panel', async () => {
  const { inBar } = await playing(false)
  for (const name of ['[data-test=play-state]', '[data-action=play-pass]', '[data-action=resign]']) expect([name, ...inBar(name)]).toEqual([name, 0, 1])
})
