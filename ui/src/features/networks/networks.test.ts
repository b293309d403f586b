import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test } from 'vitest'
import { provideBackend, type ShelfNetwork } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import SettingsNetworks from '../settings/SettingsNetworks.vue'
import { NetworkHumanOffer, useNetworks } from './index'

const NETWORK = readFileSync(join(import.meta.dirname, '../../../../tests/fixtures/networks/g170-b6c96-s175395328-d26788732.bin.gz'))
const FILE = 'human-for-tests.bin.gz'
const undo: (() => void)[] = []
afterEach(() => { for (const one of undo.splice(0)) one() })

/** A server that sends the first half at once and the rest when it is told. */
async function webServer(): Promise<{ port: number, asked: string[], goOn: () => void }> {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let open = false
  const server: Server = createServer((request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    asked.push(request.headers.range ?? 'all')
    const rest = NETWORK.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': rest.length, 'ETag': '"v1"', ...from > 0 ? { 'Content-Range': `bytes ${from}-${NETWORK.length - 1}/${NETWORK.length}` } : {} })
    response.write(rest.subarray(0, rest.length / 2))
    const finish = (): void => { response.end(rest.subarray(rest.length / 2)) }
    if (open) finish()
    else waiting.push(finish)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => { server.closeAllConnections(); server.close() })
  return { port: (server.address() as AddressInfo).port, asked, goOn: () => { open = true; for (const finish of waiting.splice(0)) finish() } }
}

async function shown(component: typeof SettingsNetworks | typeof NetworkHumanOffer, port: number, props = {}) {
  const list = { serial: 1, networks: [{
    file: FILE, kind: 'human', bytes: NETWORK.length, billionMultiplyAdds: 0.36, licence: 'MIT', licencePage: 'https://example.org/licence', addresses: [`http://127.0.0.1:${port}/${FILE}`], history: 'three generations of games against itself',
  }] }
  const { backend } = await startApp({ paths: true, files: { 'list-for-tests.json': JSON.stringify(list) } })
  const pinia = createPinia()
  const wrapper = mount(component as typeof NetworkHumanOffer, { props, global: { plugins: [pinia, i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  setActivePinia(pinia)
  undo.push(() => wrapper.unmount())
  const networks = useNetworks()
  undo.push(backend.listen((event) => { if (event.event === 'network') networks.receive(event.payload) }))
  await backend.until(() => networks.shelf)
  const entry = (): Element => document.querySelector(`[data-network="${FILE}"]`)!
  const press = async (action: string): Promise<void> => {
    await backend.until(() => entry().querySelector(`[data-action=${action}]`))
    entry().querySelector<HTMLElement>(`[data-action=${action}]`)!.click()
    await backend.settled()
  }
  return { backend, networks, entry, press }
}

test('a network is downloaded, paused, gone on with and removed, with licence and size in sight', async () => {
  const server = await webServer()
  const { backend, networks, entry, press } = await shown(SettingsNetworks, server.port, { shows: () => true, nativeDialogs: true })
  expect(entry().textContent).toMatch(/Human style.*4 MB.*Licence: MIT, example\.org\/licence.*Download from 127\.0\.0\.1/s)
  expect(entry().querySelector('[lang=en].history')?.textContent).toBe('three generations of games against itself')
  expect(server.asked).toEqual([])

  await press('download')
  // Progress is told as time goes by, and the clock of the tests stands still.
  while (networks.human!.fetchedKib <= 100) await backend.advance(200)
  expect(entry().querySelector('progress')).not.toBeNull()
  await press('pause')
  await backend.until(() => networks.human?.state === 'paused')
  server.goOn()
  await press('resume')
  await backend.until(() => networks.human?.state === 'here')
  expect(server.asked[1]).toMatch(/^bytes=\d+-$/)
  await backend.until(() => networks.files.some(file => file.fileName === FILE))
  // It is seen where the dialog has been closed meanwhile.
  const { useNotices } = await import('@/features/notices')
  expect(useNotices().notices.at(-1)).toMatchObject({ tone: 'info', title: `${FILE} was downloaded` })

  await press('remove')
  expect(networks.human?.state).toBe('here')
  await press('remove')
  expect(networks.human?.state).toBe('absent')
  expect(networks.files.some(file => file.fileName === FILE)).toBe(false)
})

test('networks that answer without being chosen are not offered to be used', async () => {
  const server = await webServer()
  const { networks, backend } = await shown(SettingsNetworks, server.port, { shows: () => true, nativeDialogs: true })
  const [first] = networks.shelf!.networks
  const offered = async (kind: ShelfNetwork['kind']): Promise<boolean> => {
    networks.shelf = { ...networks.shelf!, networks: [{ ...first!, kind, state: 'here', inUse: false }] }
    await backend.settled()
    return document.querySelector('[data-action=use]') !== null
  }
  expect([await offered('strong'), await offered('smallBoards'), await offered('human'), await offered('torus')]).toEqual([true, true, false, false])
})

test('where a rank is chosen, the network of human style is one click away until it is here', async () => {
  const server = await webServer()
  server.goOn()
  const { backend, networks, press } = await shown(NetworkHumanOffer, server.port)
  expect(document.querySelector('[data-test=human-offer] summary')?.textContent).toContain('human-style network')
  await press('download')
  await backend.until(() => networks.human?.state === 'here')
  await backend.settled()
  expect(document.querySelector('[data-test=human-offer]')).toBeNull()
})

test('a download that fails says why, and can be tried again', async () => {
  const server = await webServer()
  const { backend, networks, entry, press } = await shown(NetworkHumanOffer, server.port)
  const size = networks.human!.sizeKib
  for (const one of undo.splice(0, 1)) one()
  await press('download')
  await backend.until(() => networks.human?.state === 'absent')
  const { useNotices } = await import('@/features/notices')
  expect(useNotices().notices.at(-1)).toMatchObject({ title: `${FILE} could not be downloaded` })
  expect(entry().querySelector('[data-action=download]')).not.toBeNull()

  // A page that a server sent in its place has another size than the network.
  networks.receive({ file: FILE, state: 'fetching', fetchedKib: 1, sizeKib: 2, message: '', hint: '' })
  networks.receive({ file: FILE, state: 'absent', fetchedKib: 0, sizeKib: 0, message: 'it is no network', hint: 'try later' })
  await backend.until(() => networks.human?.sizeKib === size)
})

test('once the speed of the computer is known, a network that suits it better is named, and only once', async () => {
  const speeds = { device: 'cpu', evaluationsPerSecond: { 'b10c384h6nbttflrs.bin.gz': 900 } }
  const { backend } = await startApp({ paths: true, files: { 'cache/speeds.json': JSON.stringify(speeds) } })
  const { useShell } = await import('@/features/shell/store')
  const { useNotices } = await import('@/features/notices')
  const shell = useShell()
  await shell.start()
  await backend.settled()
  const said = () => useNotices().notices.filter(notice => notice.title === 'Another network suits this computer better')
  expect(said()).toHaveLength(1)
  expect(said()[0]?.detail).toBe('kata1-zhizi-b40c768nbt-s11272M-d5935M.bin.gz')
  said()[0]?.action?.run()
  expect([shell.dialog, shell.settingsPart]).toEqual(['settings', 'networks'])

  useNotices().$reset()
  shell.$reset()
  await shell.start()
  expect(said()).toHaveLength(0)
})
