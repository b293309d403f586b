import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameChooseDialog from './GameChooseDialog.vue'
import { useGames } from './store'

test('the field says which game its keys have come to, and that none matches', async () => {
  const { backend } = await startApp()
  const wrapper = mount(defineComponent(() => () => h(TooltipProvider, () => h(GameChooseDialog))), { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  await useGames().openText('(;SZ[9]PB[Anna];B[ee])(;SZ[9]PB[Ben];B[dd])')
  await nextTick()
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)!
  const field = dialog.querySelector<HTMLInputElement>('[role=combobox]')!
  const current = (): string | undefined => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  expect(field.getAttribute('aria-controls')).toBe(dialog.querySelector('[role=listbox]')?.id)
  expect(current()).toContain('Anna')
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
  await nextTick()
  expect(current()).toContain('Ben')
  const status = dialog.querySelector('[data-test=choose-nothing]')
  expect(status?.textContent?.trim()).toBe('')
  field.value = 'nobody'
  field.dispatchEvent(new Event('input'))
  await nextTick()
  expect([status?.textContent?.trim(), field.getAttribute('aria-expanded'), field.getAttribute('aria-activedescendant')]).toEqual(['No game matches', 'false', null])
})
