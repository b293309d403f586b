import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { recordOf, startApp } from '@/testing'
import LibraryRestore from './LibraryRestore.vue'

let mounted: VueWrapper | undefined
afterEach(() => {
  mounted?.unmount()
  document.body.innerHTML = ''
})

const GAMES = [recordOf({ PB: 'Aya', PW: 'Ben' }, ['pd', 'dp', 'pp']), recordOf({ PB: 'Ben', PW: 'Aya' }, ['dd', 'qq', 'dq'])].join('\n')

/** The dialog over a library of two games, with a backup of them, and another game since. */
async function shown(files: Record<string, string> = {}) {
  const { backend } = await startApp({ records: GAMES, paths: true })
  const made = await backend.call('backup_library', { path: '' })
  if (made.status === 'error') throw new Error('there is no backup')
  await backend.call('save_goban', { goban: recordOf({ PB: 'Cho', PW: 'Dan' }, ['cc', 'gg']) })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(backend.dataDir, name), text)
  const wrapper = mount(LibraryRestore, {
    props: { 'open': true, 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  mounted = wrapper
  await backend.settled()
  const dialog = (): string => document.querySelector('[role=dialog]')?.textContent ?? ''
  const press = async (action: string): Promise<void> => {
    document.querySelector<HTMLElement>(`[data-action=${action}]`)?.click()
    await backend.settled()
  }
  return { backend, wrapper, dialog, press, backup: made.data.path }
}

test('a backup at hand says its games and those of the library, and waits for the next start', async () => {
  const { backend, wrapper, dialog, press } = await shown()
  expect(dialog()).toMatch(/Made by hand, 2 games, [\d.]+ MB/)
  expect(document.querySelector<HTMLButtonElement>('[data-action=surely]')?.disabled).toBe(true)
  document.querySelector<HTMLElement>('input[type=radio]')?.click()
  await backend.settled()
  expect(document.querySelector('[role=dialog] [role=status]')?.textContent?.trim()).toBe('In the backup: 2 games. In the library now: 3 games. What is in the library now is kept as a backup of its own.')
  await press('surely')
  expect(backend.asked('restore_library')).toEqual([{ name: 'library-1.sqlite' }])
  expect(wrapper.props('open')).toBe(false)
  const notice = useNotices().notices.at(-1)
  expect([notice?.tone, notice?.title]).toEqual(['success', 'The backup will be restored at the next start'])
  expect(existsSync(join(backend.dataDir, 'library.sqlite.restore'))).toBe(true)
})

test('a file can be chosen, and one that is no backup is refused with its reason', async () => {
  const { backend, dialog, press, backup } = await shown({ 'wrong.sqlite': 'no library '.repeat(20) })
  expect(document.querySelector('[data-action=choose-backup]')).toBeNull()
  useGames().nativeDialogs = true
  await backend.settled()
  backend.chooseBackup = () => Promise.resolve(join(backend.dataDir, 'wrong.sqlite'))
  await press('choose-backup')
  expect(useNotices().notices.at(-1)).toMatchObject({ tone: 'danger', title: 'The backup cannot be restored', quoted: expect.stringContaining('wrong.sqlite is not a game library') as string })
  expect(document.querySelector<HTMLButtonElement>('[data-action=surely]')?.disabled).toBe(true)
  backend.chooseBackup = () => Promise.resolve(backup)
  await press('choose-backup')
  expect(document.querySelectorAll('input[type=radio]')).toHaveLength(2)
  expect(dialog()).toContain('In the backup: 2 games.')
  await press('surely')
  expect(backend.asked('restore_library')).toEqual([{ path: backup }])
})

test('a backup that cannot be read is listed and cannot be chosen', async () => {
  const { backend, wrapper, dialog } = await shown()
  await wrapper.setProps({ open: false })
  mkdirSync(join(backend.dataDir, 'backups'), { recursive: true })
  writeFileSync(join(backend.dataDir, 'backups', 'library-2.sqlite'), '')
  await wrapper.setProps({ open: true })
  await backend.settled()
  expect(dialog()).toContain('cannot be read')
  expect([...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].map(radio => radio.disabled).sort()).toEqual([false, true])
})

test('a file that is chosen before the others are listed stays', async () => {
  const { backend, wrapper, dialog, backup } = await shown()
  useGames().nativeDialogs = true
  backend.chooseBackup = () => Promise.resolve(backup)
  await wrapper.setProps({ open: false })
  const list = backend.hold('list_backups')
  await wrapper.setProps({ open: true })
  await backend.until(() => list.waiting === 1)
  document.querySelector<HTMLElement>('[data-action=choose-backup]')?.click()
  await backend.until(() => dialog().includes('In the backup: 2 games.'))
  list.release()
  await backend.until(() => document.querySelectorAll('input[type=radio]').length === 2)
  expect(dialog()).toContain('In the backup: 2 games.')
  expect(document.querySelector<HTMLInputElement>('input[type=radio]')?.checked).toBe(true)
})

test('without a backup the dialog says so', async () => {
  const { backend } = await startApp()
  mounted = mount(LibraryRestore, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await backend.settled()
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('There are no backups here yet')
})
