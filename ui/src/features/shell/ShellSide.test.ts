import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useGuessing } from '@/features/stage'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellSide from './ShellSide.vue'

test('while a move is guessed no list beside the board names it', async () => {
  const { backend } = await startApp({ network: undefined })
  const [games, guessing] = [useGames(), useGuessing()]
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  const Window = defineComponent(() => () => h(TooltipProvider, () => games.active ? h(ShellSide, { game: games.active }) : h('p')))
  const wrapper = mount(Window, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
  await nextTick()
  const panel = (): string => wrapper.get('.candidates-panel').text()
  expect(panel()).not.toContain('hidden')
  guessing.start()
  await nextTick()
  expect(panel()).toContain('hidden while you guess')
  // Nothing was guessed yet: there is no sum.
  expect(wrapper.get('[data-test=guess]').text()).not.toContain('of 0')
  await guessing.guess(40)
  await nextTick()
  expect(wrapper.get('[data-test=guess]').text()).toContain('1 of 1 right')
  guessing.stop()
  await nextTick()
  expect(panel()).not.toContain('hidden')
})
