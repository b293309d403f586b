import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { h } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { useScoring } from './scoring'
import StageScore from './StageScore.vue'

test('players who agree about a count are told once what to do', async () => {
  const { backend } = await startApp()
  await useGames().openText('(;SZ[9];B[aa];W[ee];B[ba])')
  await useScoring().byHand()
  const text = (agreeing: boolean): string => {
    const wrapper = mount({ render: () => h(TooltipProvider, () => h(StageScore, { agreeing })) }, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
    onTestFinished(() => wrapper.unmount())
    return wrapper.text()
  }
  expect(text(false)).toContain('Choose a group to mark it dead or alive.')
  // The words above the buttons of the game say it already.
  expect(text(true)).not.toContain('dead or alive')
})
