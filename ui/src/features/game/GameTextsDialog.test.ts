import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameTextsDialog from './GameTextsDialog.vue'
import { useGames } from './index'

/** The dialog about an open game. */
async function shown(sgf: string) {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(sgf)
  const wrapper = mount(GameTextsDialog, { props: { open: true, game: games.active! }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  const form = () => [...document.querySelectorAll('[role=dialog] form')].at(-1)!
  await backend.until(() => document.querySelector('[role=dialog] form input') !== null)
  return { backend, games, wrapper, form }
}

test('names that were read in a wrong character set are put right and can be undone', async () => {
  const { backend, games, wrapper, form } = await shown('(;CA[UTF-8]SZ[9]PB[령질놔베]PW[령질];B[ee])')
  const rows = [...form().querySelectorAll('label')]
  expect(rows[0]?.textContent).toContain('령질놔베')
  expect(rows[1]?.textContent).toContain('飞龙出海')
  rows[1]?.querySelector('input')?.click()
  await nextTick()
  form().dispatchEvent(new Event('submit'))
  await backend.until(() => games.active?.info.black === '飞龙出海')
  await backend.until(() => wrapper.emitted('update:open')?.at(-1)?.[0] === false)
  await games.undo()
  await backend.until(() => games.active?.info.black === '령질놔베')
  wrapper.unmount()
})

test('a text that can be read in one way alone says so', async () => {
  const { form, wrapper } = await shown('(;SZ[9]PB[Anna];B[ee])')
  expect(form().querySelectorAll('input')).toHaveLength(1)
  expect(form().querySelector('[data-test=no-reading]')).not.toBeNull()
  wrapper.unmount()
})
