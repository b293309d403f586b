import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameInfoDialog from './GameInfoDialog.vue'
import { useGames } from './index'

/** The dialog about a game that is open, and its fields by what stands before them. */
async function shown(sgf = '(;SZ[9]PB[Anna]PW[Ben];B[ee])') {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(sgf)
  const game = games.active!
  const wrapper = mount(GameInfoDialog, { props: { open: true, game }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await backend.settled()
  // The last one: other files of this worker may have left dialogs open.
  const form = [...document.querySelectorAll('[role=dialog] form')].at(-1)!
  const field = (name: string): HTMLInputElement => {
    const label = [...form.querySelectorAll('label')].find(one => one.textContent?.trim().startsWith(name))
    const found = label?.querySelector('input')
    if (!found) throw new Error(`there is no field "${name}"`)
    return found
  }
  const type = async (name: string, words: string): Promise<void> => {
    field(name).value = words
    field(name).dispatchEvent(new Event('input'))
    await nextTick()
  }
  return { wrapper, game, form, field, type }
}

test('words that are being typed stay when a move is played and when the game ends', async () => {
  const { wrapper, game, form, field, type } = await shown()
  await type('Event', 'Club evening')
  await wrapper.setProps({ game: { ...game, info: { ...game.info } } })
  expect(field('Event').value).toBe('Club evening')
  await wrapper.setProps({ game: { ...game, info: { ...game.info, result: 'W+T' } } })
  expect([field('Event').value, field('Result').value]).toEqual(['Club evening', 'W+T'])
  form.dispatchEvent(new Event('submit'))
  expect(wrapper.emitted('change')).toEqual([[{ ...game.info, event: 'Club evening', result: 'W+T' }]])
  wrapper.unmount()
})

test('words that are being typed are not those of another game', async () => {
  const { wrapper, game, field, type } = await shown()
  await type('Event', 'Club evening')
  await wrapper.setProps({ game: { ...game, gameId: 'another', info: { ...game.info, black: 'Cho', event: '' } } })
  expect([field('Black').value, field('Event').value]).toEqual(['Cho', ''])
  wrapper.unmount()
})

test('a board whose edges meet is called so', async () => {
  const { wrapper, form } = await shown('(;SZ[9]TOPO[torus];B[ee])')
  expect(form.querySelector('[data-field="board"]')?.textContent?.trim()).toBe('9 × 9 · torus')
  wrapper.unmount()
})
