import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellFind from './ShellFind.vue'

async function shown(record: string) {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(record)
  await games.navigate('first')
  const wrapper = mount(ShellFind, { props: { open: false, game: games.active! }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
  await wrapper.setProps({ open: true })
  await backend.settled()
  const palette = [...document.querySelectorAll('.palette')].at(-1)!
  const field = palette.querySelector('input')!
  const words = (element: Element): string => element.textContent?.replace(/\s+/g, ' ').trim() ?? ''
  const listed = () => [...palette.querySelectorAll('[role=option]')].map(words)
  const offered = async (text: string): Promise<string[]> => {
    field.value = text
    field.dispatchEvent(new Event('input'))
    await nextTick()
    await backend.settled()
    return listed()
  }
  const count = (): string => words(palette.querySelector('[data-test=find-count]')!)
  return { backend, games, wrapper, field, offered, listed, count }
}

test('a point leads to the moves at it, a number to that move', async () => {
  const { backend, games, wrapper, field, offered } = await shown('(;SZ[9];B[ee](;W[cc];B[gg])(;W[gg]))')
  expect(await offered('ｇ3')).toEqual(['Moves Move 3, Black G3', 'Moves Move 2, White G3'])
  expect(await offered('3')).toEqual(['Moves Go to move 3'])
  await offered('g3')
  for (const key of ['ArrowDown', 'Enter']) field.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))
  await backend.until(() => games.position?.moveNumber === 2)
  expect(games.position?.lastMove).toBe(60)
  expect(wrapper.emitted('update:open')).toEqual([[false]])
})

test('words lead to the comments and names that have them, and without words all are listed', async () => {
  const { backend, games, field, offered, listed, count } = await shown('(;SZ[9]C[Joseki];B[ee]N[Tengen](;W[cc]C[a calm\nmove])(;W[gg]C[too calm?]))')
  expect(listed()).toEqual(['Start of the game Joseki', 'Move 1 Tengen', 'Move 2 a calm move', 'Move 2 too calm?'])
  expect(count()).toBe('4 places found')
  expect(await offered('CALM too')).toEqual(['Move 2 too calm?'])
  expect(count()).toBe('One place found')
  expect([await offered('slack'), count()]).toEqual([[], 'Nothing found'])
  await offered('too')
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }))
  await backend.until(() => games.position?.comment === 'too calm?')
})
