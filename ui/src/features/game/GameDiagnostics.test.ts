import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, test } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameDiagnostics from './GameDiagnostics.vue'
import { useGames } from './store'

test('the notice of repairs is closed for this game alone', async () => {
  const { backend } = await startApp()
  const games = useGames()
  const [first, second] = ['(;SZ[9];B[ee];W[cc', '(;SZ[9];B[cc];W[ee']
  await games.openText(first ?? '')
  const beside = defineComponent(() => () => games.active && !games.repairsRead.has(games.active.gameId)
    ? h(TooltipProvider, () => h(GameDiagnostics, { diagnostics: games.active?.diagnostics ?? [], onClose: () => { games.readRepairs(games.activeId ?? '') } }))
    : undefined)
  const wrapper = mount(beside, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect(wrapper.get('[data-action=repairs]').attributes('aria-haspopup')).toBe('dialog')
  const read = games.activeId ?? ''
  await wrapper.get('[data-action=dismiss-repairs]').trigger('click')
  expect(wrapper.find('[data-action=repairs]').exists()).toBe(false)
  await games.openText(second ?? '')
  expect(wrapper.find('[data-action=repairs]').exists()).toBe(true)
  await games.activate(read)
  await backend.until(() => games.activeId === read)
  expect(wrapper.find('[data-action=repairs]').exists()).toBe(false)
})

test('a guess of the character set leads to where it is put right', async () => {
  const { backend } = await startApp()
  const guessed = { line: 0, column: 0, serious: false, problem: { kind: 'guessedCharset' as const, values: ['EUC-KR'] } }
  const repaired = { ...guessed, problem: { kind: 'junk' as const, values: ['x'] } }
  for (const [diagnostics, offered] of [[[repaired], false], [[repaired, guessed], true]] as const) {
    const asked: string[] = []
    const beside = defineComponent(() => () => h(TooltipProvider, () => h(GameDiagnostics, { diagnostics, onTexts: () => { asked.push('texts') } })))
    const wrapper = mount(beside, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
    await wrapper.get('[data-action=repairs]').trigger('click')
    const link = [...document.querySelectorAll<HTMLElement>('[role=dialog] [data-action=texts]')].at(-1)
    expect(link !== undefined).toBe(offered)
    link?.click()
    expect(asked).toEqual(offered ? ['texts'] : [])
    wrapper.unmount()
  }
})
