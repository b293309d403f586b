import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend, type Startup } from '@/api'
import { useNotices } from '@/features/notices'
import SettingsDialog from '@/features/settings/SettingsDialog.vue'
import SettingsUpdates from '@/features/settings/SettingsUpdates.vue'
import { useSettings } from '@/features/settings'
import { i18n, switchLanguage } from '@/i18n'
import { startApp, type TestBackend } from '@/testing'
import { useUpdates } from './index'

const FILE = 'honinbo_99.0.0_amd64.deb'
const PACKAGE = Buffer.alloc(3_000_000, 'Go')
const undo: (() => unknown)[] = []
afterEach(async () => { for (const one of undo.splice(0)) await one() })

/** A key of minisign, in its form: `Ed`, eight bytes of a number, and the key. */
function keys(): { key: KeyObject, text: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { key: privateKey, text: Buffer.concat([Buffer.from('Ed12345678'), raw]).toString('base64') }
}

/** A signature as minisign makes it: of the BLAKE2b of the file, and of that signature with its comment. */
function minisig(file: Buffer, key: KeyObject): string {
  const own = sign(null, createHash('blake2b512').update(file).digest(), key)
  const comment = 'a test'
  const whole = sign(null, Buffer.concat([own, Buffer.from(comment)]), key)
  return `untrusted comment: x\n${Buffer.concat([Buffer.from('ED12345678'), own]).toString('base64')}\ntrusted comment: ${comment}\n${whole.toString('base64')}\n`
}

/** A server with a release, whose package comes in halves: the second when it is told. */
async function publisher({ version = '99.0.0', file = PACKAGE } = {}) {
  const { key, text } = keys()
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let open = false
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    asked.push(request.url ?? '')
    const release = Buffer.from(JSON.stringify({
      serial: 1, version, date: '2026-12-24', page: 'https://example.org/releases', notes: { 'en': 'Boards are **round**.', 'zh-Hans': '棋盘是**圆**的。' },
      packages: [{ kind: 'deb', processor: 'universal', file: FILE, bytes: PACKAGE.length, sha256: createHash('sha256').update(PACKAGE).digest('hex'), addresses: [`http://127.0.0.1:${port}/${FILE}`] }],
    }))
    if (request.url === '/release.json') return void response.end(release)
    if (request.url === '/release.json.minisig') return void response.end(minisig(release, key))
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = file.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': rest.length, 'ETag': '"v1"', ...from > 0 ? { 'Content-Range': `bytes ${from}-${file.length - 1}/${file.length}` } : {} })
    response.write(rest.subarray(0, rest.length / 2))
    const finish = (): void => { response.end(rest.subarray(rest.length / 2)) }
    if (open) finish()
    else waiting.push(finish)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => { server.closeAllConnections(); server.close() })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.json`
  return { source: `${address}\n${text}`, asked, goOn: () => { open = true; for (const finish of waiting.splice(0)) finish() } }
}

async function started(backend: TestBackend): Promise<Startup> {
  const answer = await backend.call('startup', {})
  if (answer.status === 'error') throw new Error(JSON.stringify(answer.error))
  return answer.data
}

async function shown(source: string) {
  const { backend } = await startApp({ files: { 'releases-for-tests.txt': source } })
  const startup = await started(backend)
  const pinia = createPinia()
  setActivePinia(pinia)
  const plugins = [pinia, i18n, (app: Parameters<typeof provideBackend>[0]) => provideBackend(app, backend)]
  const wrapper = mount(SettingsUpdates, { props: { shows: () => true }, global: { plugins }, attachTo: document.body })
  undo.push(() => wrapper.unmount())
  const [updates, settings, notices] = [useUpdates(), useSettings(), useNotices()]
  settings.adopt(startup.settings)
  undo.push(backend.listen((event) => { if (event.event === 'update') updates.receive(event.payload) }))
  await backend.until(() => updates.view)
  const press = async (action: string): Promise<void> => {
    await backend.until(() => wrapper.find(`[data-action=${action}]`).exists())
    await wrapper.get(`[data-action=${action}]`).trigger('click')
  }
  return { backend, startup, wrapper, updates, settings, notices, press }
}

test('a newer version is found when it is asked for, says what is new, is downloaded and handed to the system', async () => {
  const server = await publisher()
  const { backend, startup, wrapper, updates, press } = await shown(server.source)
  expect(startup.canUpdate).toBe(true)
  expect(server.asked).toEqual([])
  expect(wrapper.find('[data-test=update]').exists()).toBe(false)

  await press('look-for-update')
  await backend.until(() => wrapper.find('[data-test=update]').exists())
  expect(wrapper.get('[data-test=update]').text()).toMatch(/Version 99\.0\.0 is out.*Boards are round\..*3 MB/s)
  expect(wrapper.get('.notes strong').text()).toBe('round')
  expect(server.asked).toEqual(['/release.json', '/release.json.minisig'])

  await press('fetch-update')
  // Progress is told as time goes by, and the clock of the tests stands still.
  while (updates.offered!.package!.fetchedKib <= 100) await backend.advance(200)
  expect(wrapper.find('progress').exists()).toBe(true)
  await press('pause-update')
  await backend.until(() => updates.offered!.package!.state === 'paused')
  server.goOn()
  await press('fetch-update')
  await backend.until(() => updates.offered!.package!.state === 'here')
  const installed = join(backend.dataDir, 'installed-for-tests')
  expect(existsSync(installed)).toBe(false)
  await press('install-update')
  // It is there before it is whole.
  await backend.until(() => existsSync(installed) && statSync(installed).size >= PACKAGE.length)
  expect(readFileSync(installed).equals(PACKAGE)).toBe(true)
  expect(server.asked.length).toBe(4)
})

test('what is new is said in the chosen language', async () => {
  const server = await publisher()
  const { backend, wrapper, settings, press } = await shown(server.source)
  undo.push(() => switchLanguage('en'))
  await switchLanguage('zh-Hans')
  settings.change({ language: 'zh-Hans' })
  await settings.kept()
  await press('look-for-update')
  await backend.until(() => wrapper.find('[data-test=update]').exists())
  expect(wrapper.get('[data-test=update]').text()).toMatch(/新版本 99\.0\.0 已发布.*棋盘是圆的。/s)
})

test('the newest version says that it is the newest', async () => {
  const server = await publisher({ version: '0.0.1' })
  const { backend, wrapper, press } = await shown(server.source)
  await press('look-for-update')
  await backend.until(() => wrapper.get('[role=status]').text() === 'This is the newest version.')
})

test('by itself the program asks where the person allowed it, once a day', async () => {
  const server = await publisher()
  const { backend, settings, updates, notices } = await shown(server.source)
  let seen = 0
  const look = (): Promise<void> => updates.lookByItself(() => { seen++ })
  await look()
  expect(server.asked).toEqual([])

  settings.change({ lookForUpdates: true })
  await settings.kept()
  await look()
  expect(server.asked.length).toBe(2)
  const notice = notices.notices.find(one => one.title === 'Version 99.0.0 is out')
  notice!.action!.run()
  expect(seen).toBe(1)
  await backend.advance(23 * 3600_000)
  await look()
  expect(server.asked.length).toBe(2)
  await backend.advance(2 * 3600_000)
  await look()
  expect(server.asked.length).toBe(4)
})

test('a forged package is not kept, and the person hears why', async () => {
  const forged = Buffer.from(PACKAGE)
  forged[7] = 0
  const server = await publisher({ file: forged })
  server.goOn()
  const { backend, updates, notices, press } = await shown(server.source)
  await press('look-for-update')
  await press('fetch-update')
  await backend.until(() => updates.offered!.package!.state === 'absent')
  expect(notices.notices.map(({ title, quoted }) => `${title}: ${quoted}`).join()).toMatch(/could not be downloaded: .*SHA-256.*not kept/)
})

test('without an address of newer versions the settings do not speak of them', async () => {
  const { backend } = await startApp({})
  expect((await started(backend)).canUpdate).toBe(false)
  const pinia = createPinia()
  const dialog = async (canUpdate: boolean): Promise<string> => {
    const wrapper = mount(SettingsDialog, { props: { open: true, networks: [], version: '0.1.0', canUpdate }, global: { plugins: [pinia, i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
    await nextTick()
    await nextTick()
    const tabs = [...document.querySelectorAll('[role=tab]')].map(tab => tab.textContent?.trim()).join()
    wrapper.unmount()
    return tabs
  }
  expect(await dialog(true)).toMatch(/Updates/)
  expect(await dialog(false)).not.toMatch(/Updates/)
})
