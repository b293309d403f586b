import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { i18n } from '@/i18n'
import { recordsOf, startApp } from '@/testing'
import LibraryVersions from './LibraryVersions.vue'
import { useLibrary } from './store'

const MOVES = Array.from({ length: 60 }, (_, at) => `;${at % 2 === 0 ? 'B' : 'W'}[${'abcdefgh'[at % 8]!}${'abcdefgh'[Math.floor(at / 8)]!}]`).join('')
const GAME = `(;SZ[9]PB[Aya]PW[Ben]C[a long remark on the game]${MOVES})`
const OTHER = `(;SZ[9]PB[A.]PW[B.]C[short]${MOVES})`

async function shown() {
  const { backend } = await startApp({ records: GAME + OTHER })
  const library = useLibrary()
  await library.refresh()
  await library.fetchGroups()
  const record = library.recordAt(0)!
  const wrapper = mount(LibraryVersions, { props: { record }, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.settled()
  return { backend, wrapper, library }
}

test('another version of a game is named, and opened as it is', async () => {
  const { backend, wrapper } = await shown()
  expect(wrapper.get('summary').text()).toBe('Other versions (1)')
  expect(wrapper.get('li p').text()).toContain('A. – B.')
  expect(wrapper.get('.contents').text()).toBe('60 moves · One comment')
  await wrapper.get('[data-action=version-open]').trigger('click')
  await backend.settled()
  expect(wrapper.emitted('opened')).toHaveLength(1)
  const { active } = useGames()
  expect([active?.info.black, active?.recordId]).toEqual(['A.', null])
})

test('a version becomes a game of its own, which can be taken back', async () => {
  const { backend, wrapper, library } = await shown()
  await wrapper.get('[data-action=version-own]').trigger('click')
  await backend.settled()
  expect((await recordsOf(backend)).map(({ black }) => black).sort()).toEqual(['A.', 'Aya'])
  expect(wrapper.find('[data-test=versions]').exists()).toBe(false)
  await library.undo()
  await library.fetchGroups()
  await backend.settled()
  expect(wrapper.find('[data-test=versions]').exists()).toBe(true)
  expect(await recordsOf(backend)).toHaveLength(1)
})
