import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import StageHidden from './StageHidden.vue'

test('a stone that was taken and one that was covered are listed beside the board where numbers are shown', async () => {
  const { backend } = await startApp()
  const [games, { preferences }] = [useGames(), useSettings()]
  await games.openText('(;SZ[5];B[ba];W[aa];B[ab];W[];B[aa];W[cc])')
  await games.navigate('last')
  const wrapper = mount({ render: () => games.active && h(StageHidden, { game: games.active }) }, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  expect(wrapper.text()).toBe('')
  preferences.moveNumbers = 'all'
  await nextTick()
  expect(wrapper.text()).toBe('2 at 5, 4 pass')
  await games.goTo(3)
  expect(wrapper.text()).toBe('2 at A5')
  preferences.moveNumbers = 'last'
  preferences.lastNumbers = 1
  await nextTick()
  expect(wrapper.text()).toBe('')
})
