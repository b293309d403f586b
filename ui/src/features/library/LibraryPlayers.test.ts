import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { provideBackend } from '@/api'
import type { FakeOptions } from '@/api/fake'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { testApp } from '@/testing/app'
import LibraryPlayers from './LibraryPlayers.vue'
import { useLibrary } from './store'

afterEach(() => { document.body.innerHTML = '' })

async function shown(options: FakeOptions = {}) {
  const { backend } = testApp({ records: 40, ...options })
  const wrapper = mount(LibraryPlayers, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await flushPromises()
  const button = (name: string): HTMLElement | undefined => [...document.querySelectorAll<HTMLElement>('button')].find(one => one.textContent?.includes(name))
  const press = async (name: string): Promise<void> => {
    const found = button(name)
    if (!found) throw new Error(`there is no button "${name}"`)
    found.click()
    await flushPromises()
  }
  return { backend, wrapper, press, text: () => document.querySelector('[role=dialog]')?.textContent ?? '' }
}

test('a player is found, has a page, and the list shows their games', async () => {
  const { backend, wrapper, press, text } = await shown()
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  if (!field) throw new Error('there is no field for a name')
  field.value = '柯'
  field.dispatchEvent(new Event('input'))
  await vi.waitFor(() => { expect(document.querySelectorAll('.one')).toHaveLength(1) }, { timeout: 30_000 })
  await press('柯洁')
  expect(text()).toContain('4-4 + 3-4')
  expect(document.querySelector('[role=img][aria-label*="1500"]')).not.toBeNull()

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
  document.querySelector('.join')?.dispatchEvent(new Event('submit'))
  await flushPromises()
  expect(backend.calls.find(call => call.name === 'join_players')?.args).toEqual({ names: ['古力', 'Gu Li'] })
})

test('a name that is alike is proposed, and joined with one button', async () => {
  const { backend, press, text } = await shown()
  await press('Shusaku')
  expect(text()).not.toContain('Perhaps the same person')
  await press('古力')
  expect(text()).toContain('Perhaps the same person')
  document.querySelector<HTMLElement>('[data-action=join-alike]')?.click()
  await flushPromises()
  expect(backend.calls.find(call => call.name === 'join_players')?.args).toEqual({ names: ['古力', '古力九段'] })
})

test('the library is backed up, and where to is said', async () => {
  const { backend, wrapper } = await shown()
  document.querySelectorAll<HTMLElement>('[role=tab]')[1]?.dispatchEvent(new MouseEvent('mousedown', { button: 0, bubbles: true }))
  await flushPromises()
  const button = document.querySelector<HTMLElement>('[data-action=backup-library]')
  if (!button) throw new Error('there is no button for a backup')
  button.click()
  await flushPromises()
  expect(backend.calls.find(call => call.name === 'backup_library')?.args).toEqual({ path: '' })
  expect(useNotices().notices.at(-1)).toMatchObject({ tone: 'success', detail: '/data/backups/library-1.sqlite' })
  wrapper.unmount()
})

test('a library that cannot be asked says so in its place', async () => {
  const { text } = await shown({ failures: { list_players: { kind: 'library', message: 'the file is locked', hint: 'close the other program' } } })
  expect(text()).toContain('The file is locked')
})
