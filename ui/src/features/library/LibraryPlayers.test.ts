import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { recordOf, startApp, type AppOptions } from '@/testing'
import LibraryPlayers from './LibraryPlayers.vue'
import { usePlayers } from './players'
import { useLibrary } from './store'

let mounted: VueWrapper | undefined
afterEach(() => {
  mounted?.unmount()
  document.body.innerHTML = ''
})

const OPENING = ['pd', 'dp', 'pp', 'dc']
const GAMES = [
  recordOf({ PB: '柯洁', PW: 'Shusaku', DT: '2016-03-01', RE: 'B+R' }, [...OPENING, 'ce']),
  recordOf({ PB: 'Shusaku', PW: '古力', DT: '2017-04-02', RE: 'B+2.5' }, [...OPENING, 'qf']),
  recordOf({ PB: '古力九段', PW: 'Shusaku', DT: '2018-05-03', RE: 'W+R' }, [...OPENING, 'cf']),
  recordOf({ PB: '聂卫平', PW: '柯洁', DT: '2019-05-03', RE: 'W+R' }, [...OPENING, 'cj']),
].join('\n')

async function shown(options: AppOptions = {}) {
  const { backend } = await startApp({ records: GAMES, ...options })
  const wrapper = mount(LibraryPlayers, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  mounted = wrapper
  await backend.settled()
  const button = (name: string): HTMLElement | undefined => [...document.querySelectorAll<HTMLElement>('button')].find(one => one.textContent?.includes(name))
  const press = async (name: string): Promise<void> => {
    const found = button(name)
    if (!found) throw new Error(`there is no button "${name}"`)
    found.click()
    await backend.settled()
  }
  return { backend, wrapper, press, text: () => document.querySelector('[role=dialog]')?.textContent ?? '' }
}

test('a player is found, has a page, and the list shows their games', async () => {
  const { backend, wrapper, press, text } = await shown()
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  if (!field) throw new Error('there is no field for a name')
  field.value = '柯'
  field.dispatchEvent(new Event('input'))
  await backend.until(() => document.querySelectorAll('.one').length === 1)
  await press('柯洁')
  expect(text()).toContain('4-4 + 4-4')
  expect(document.querySelector('[role=img][aria-label*="15"]'), 'the curve of the ratings').not.toBeNull()

  await press('Show their games')
  expect(wrapper.emitted('listed')).toHaveLength(1)
  expect(wrapper.emitted('update:open')).toEqual([[false]])
  expect(useLibrary().narrowed).toEqual({ player: '柯洁' })
  expect(backend.calls.at(-1)?.name).toBe('search_records')
})

test('an opponent leads to their page, and another name is made the same person', async () => {
  const { backend, press } = await shown()
  await press('Shusaku')
  await press('古力')
  expect(document.querySelector('.player h2')?.textContent?.trim()).toBe('古力')
  const other = document.querySelector<HTMLInputElement>('.join input')
  if (!other) throw new Error('there is no field for another name')
  other.value = 'Gu Li'
  other.dispatchEvent(new Event('input'))
  await flushPromises()
  document.querySelector<HTMLElement>('.join button')?.click()
  await backend.settled()
  expect(backend.asked('join_players')).toEqual([{ names: ['古力', 'Gu Li'] }])
})

test('a name that is alike is proposed, and joined with one button', async () => {
  const { backend, press, text } = await shown()
  await press('Shusaku')
  expect(text()).not.toContain('Possibly the same player')
  await press('古力')
  expect(text()).toContain('Possibly the same player')
  document.querySelector<HTMLElement>('[data-action=join-alike]')?.click()
  await backend.settled()
  expect(backend.asked('join_players')).toEqual([{ names: ['古力', '古力九段'] }])
  expect(text()).not.toContain('Possibly the same player')
})

test('the figures of the library are none that say nothing', async () => {
  const { text } = await shown({ records: recordOf({ PB: 'Shusaku', PW: '古力' }, OPENING) })
  document.querySelectorAll<HTMLElement>('[role=tab]')[1]?.dispatchEvent(new MouseEvent('mousedown', { button: 0, bubbles: true }))
  await flushPromises()
  expect(text()).toContain('19 × 19')
  expect(text()).not.toContain('19x19')
})

test('the library is backed up, and where to is said', async () => {
  const { backend } = await shown()
  document.querySelectorAll<HTMLElement>('[role=tab]')[1]?.dispatchEvent(new MouseEvent('mousedown', { button: 0, bubbles: true }))
  await flushPromises()
  const button = document.querySelector<HTMLElement>('[data-action=backup-library]')
  if (!button) throw new Error('there is no button for a backup')
  button.click()
  await backend.settled()
  expect(backend.asked('backup_library')).toEqual([{ path: '' }])
  const notice = useNotices().notices.at(-1)
  expect(notice?.tone).toBe('success')
  expect(notice?.detail).toContain(join(backend.dataDir, 'backups'))
  expect(existsSync(notice?.detail ?? '')).toBe(true)
})

test('the figures of a library are in words, whatever its results are', async () => {
  const records = ['B+2.5', 'W+', 'Void', ''].map((RE, at) => recordOf({ PB: `A${at}`, PW: `B${at}`, RE }, [...OPENING, 'ce'].slice(at))).join('\n')
  const { backend } = await shown({ records })
  const tab = [...document.querySelectorAll('[role=tab]')].find(one => one.textContent?.includes('Library statistics'))
  tab?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }))
  await backend.settled()
  const named = (title: string): string[] => [...document.querySelectorAll('.tally')].filter(one => one.querySelector('h3')?.textContent?.includes(title)).flatMap(one => [...one.querySelectorAll('tbody th')].map(name => name.textContent?.trim() ?? ''))
  expect(named('By board')).toEqual(['19 × 19'])
  expect(named('Rules')).toEqual(['Not said'])
  expect(named('Result by').sort()).toEqual(['No result', 'Score', 'Unknown', 'Won, not said how'])
})

test('a damaged library is rescued at the next start, and that is said', async () => {
  const { app, backend } = await startApp()
  await app.runWithContext(() => usePlayers()).rescue()
  const notice = useNotices().notices.at(-1)
  expect([notice?.tone, notice?.title]).toEqual(['success', 'The library will be rescued at the next start'])
  expect(existsSync(join(backend.dataDir, 'library.sqlite.rescue'))).toBe(true)
})

test('a library that cannot be asked says so in its place', async () => {
  const { text } = await shown({ records: '', files: { 'library.sqlite': 'no library' } })
  expect(text()).toContain('library.sqlite')
})
