import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { recordOf, startApp } from '@/testing'
import LibrarySources from './LibrarySources.vue'
import { useSources } from './sources'

afterEach(() => { document.body.innerHTML = '' })

let leave: (() => void) | undefined
afterEach(() => leave?.())

async function shown(options: Parameters<typeof startApp>[0] = {}) {
  const { backend } = await startApp(options)
  const wrapper = mount(LibrarySources, { props: { open: true }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  await backend.settled()
  const write = async (field: string, text: string): Promise<void> => {
    const found = document.querySelector<HTMLInputElement | HTMLSelectElement>(`[data-field=${field}]`)
    if (!found) throw new Error(`there is no field "${field}"`)
    found.value = text
    found.dispatchEvent(new Event(found.tagName === 'SELECT' ? 'change' : 'input'))
    await backend.settled()
  }
  const submit = async (): Promise<void> => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await backend.settled()
  }
  return { backend, write, submit, text: () => document.querySelector('[role=dialog]')?.textContent ?? '' }
}

test('an account is added without asking its server, and removed', async () => {
  const { backend, write, submit, text } = await shown()
  expect(text()).toContain('No account and no folder yet.')
  expect([...document.querySelectorAll('option')].map(option => option.textContent)).toEqual(['OGS', 'KGS'])
  await write('source-name', 'StoneGarden')
  await write('source-person', 'Anna Kurz')
  await submit()
  await backend.until(() => text().includes('StoneGarden · Anna Kurz'))
  expect(text()).toContain('Not checked yet')
  expect(document.querySelector<HTMLInputElement>('[data-field=source-name]')?.value).toBe('')
  expect(backend.calls.map(call => call.name)).not.toContain('sync_sources')
  document.querySelector<HTMLElement>('[data-action=remove-source]')?.click()
  await backend.until(() => text().includes('No account and no folder yet.'))
})

test('a folder is looked into at the press of a button, and what came is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'honinbo-'))
  writeFileSync(join(folder, 'game.sgf'), recordOf({ PB: 'a', PW: 'b' }, ['pd', 'dp', 'pp', 'dc']))
  // A file that was written a moment ago may still be written.
  utimesSync(join(folder, 'game.sgf'), 1_700_000_000, 1_700_000_000)
  const { backend, write, submit, text } = await shown({ paths: true })
  useGames().nativeDialogs = true
  await backend.settled()
  await write('source-kind', 'folder')
  await write('source-name', folder)
  await submit()
  backend.listen((event) => { if (event.event === 'source') useSources().receive(event.payload) })
  await backend.until(() => text().includes(folder))
  document.querySelector<HTMLElement>('[data-action=sync-sources]')?.click()
  await backend.until(() => text().includes('One new game'))
  await backend.until(() => text().includes('One game'))
})

test('that new games are reviewed is turned off beside the accounts', async () => {
  const { backend, text } = await shown()
  expect(text()).toContain('Review my new games in the background')
  const box = document.querySelector<HTMLInputElement>('[data-field=review-new]')
  expect(box?.checked).toBe(true)
  box?.click()
  await backend.until(() => !useSettings().settings.reviewNew)
  expect(backend.calls.filter(call => call.name === 'set_settings').at(-1)?.args).toMatchObject({ reviewNew: false })
})
