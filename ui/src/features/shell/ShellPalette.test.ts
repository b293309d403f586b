import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp, type TestBackend } from '@/testing'
import ShellPalette from './ShellPalette.vue'
import { useShell } from './store'

/** The open palette, and what it offers for some words. */
async function shown(backend: TestBackend) {
  const wrapper = mount(ShellPalette, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
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
  return { wrapper, field, offered }
}

test('a command is found by what people call it, not by its name alone', async () => {
  const { backend } = await startApp()
  useSettings()
  useShell()
  await useGames().openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await useGames().navigate('last')
  const { offered } = await shown(backend)
  for (const words of ['prin', 'png', 'gif']) expect(await offered(words), words).toContain('Picture or diagram…')
  expect(await offered('find')).toContain('Search the library')
  expect(await offered('match')).toContain('Search for a pattern')
  expect(await offered('remove')).toContain('Delete from this move on')
  expect(await offered('tsumego')).toContain('Solve problems')
  expect((await offered('play'))[0], 'names come first').toBe('Play on from here…')
})

test('a number goes to that move, also one of an input method, and beyond the last move there is none', async () => {
  const { backend } = await startApp()
  const games = useGames()
  useSettings()
  useShell()
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  const { wrapper, field, offered } = await shown(backend)
  expect(await offered('4')).toEqual([])
  expect(await offered('２')).toEqual(['Go to move 2'])
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }))
  await backend.until(() => games.position?.moveNumber === 2)
  expect(wrapper.emitted('update:open')).toEqual([[false]])
})

test('a screen reader hears that no command is found, and the field points at no entry then', async () => {
  const { backend } = await startApp()
  useSettings()
  useShell()
  const { field, offered } = await shown(backend)
  const status = field.closest('.palette')!.querySelector('[role=status]')
  expect(status?.textContent?.trim(), 'the region is there before').toBe('')
  expect(field.getAttribute('aria-expanded')).toBe('true')
  expect(document.getElementById(field.getAttribute('aria-activedescendant')!)).not.toBeNull()
  expect(await offered('no such thing')).toEqual([])
  expect(status?.textContent?.trim()).toBe('No such command')
  expect([field.getAttribute('aria-expanded'), field.getAttribute('aria-activedescendant')]).toEqual(['false', null])
})
