import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellPalette from './ShellPalette.vue'
import { useShell } from './store'

test('a number goes to that move, also one of an input method, and beyond the last move there is none', async () => {
  const { backend } = await startApp()
  const games = useGames()
  useSettings()
  useShell()
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  const wrapper = mount(ShellPalette, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await backend.settled()
  // The last one: other files of this worker may have left dialogs open.
  const palette = [...document.querySelectorAll('.palette')].at(-1)!
  const field = palette.querySelector('input')!
  const offered = async (words: string): Promise<(string | undefined)[]> => {
    field.value = words
    field.dispatchEvent(new Event('input'))
    await nextTick()
    return [...palette.querySelectorAll('[role=option] .label')].map(label => label.textContent?.trim())
  }
  expect(await offered('4')).toEqual([])
  expect(await offered('２')).toEqual(['Go to move 2'])
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }))
  await backend.until(() => games.position?.moveNumber === 2)
  expect(wrapper.emitted('update:open')).toEqual([[false]])
  wrapper.unmount()
})
