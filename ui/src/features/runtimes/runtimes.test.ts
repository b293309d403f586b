import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test } from 'vitest'
import { provideBackend, type Answer, type Backend, type CommandName, type Commands, type Devices, type Runtimes, type RuntimeView } from '@/api'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import SettingsDevices from '../settings/SettingsDevices.vue'
import { useRuntimes } from './index'

const undo: (() => void)[] = []
afterEach(() => { for (const one of undo.splice(0)) one() })

const CUDA: RuntimeView = { name: 'cuda', kind: 'cuda', version: '1.31.1', state: 'absent', sizeKib: 249_580, fetchedKib: 0, licence: 'MIT', source: 'files.pythonhosted.org', inUse: false }
const HERE: RuntimeView = { ...CUDA, state: 'here', fetchedKib: CUDA.sizeKib, inUse: true }
const OWN: RuntimeView = { name: 'own', kind: null, version: '1.33.0', state: 'here', sizeKib: 0, fetchedKib: 0, licence: '', source: '/tmp/mine.whl', inUse: true }
const of = (runtimes: RuntimeView[], more: Partial<Runtimes> = {}): Runtimes => ({ runtimes, afterRestart: false, mayAddFiles: true, ...more })
const DEVICES: Devices = { runtime: '1.32.0', cores: 2, devices: [] }

/** The devices of the settings, with a back end that has runtimes for every system to offer; what it is asked is kept. */
async function shown(first: Runtimes | undefined, { nativeDialogs = true, chosen = undefined as string | undefined } = {}) {
  const { backend } = await startApp({ paths: true })
  const asked: [string, unknown][] = []
  const state = { now: first, refusal: undefined as string | undefined }
  const answers = (name: string): unknown => {
    if (name === 'list_devices') return DEVICES
    return name === 'fetch_runtime' || name === 'pause_runtime' ? null : state.now
  }
  const scripted: Backend = {
    ...backend,
    chooseRuntime: () => Promise.resolve(chosen),
    call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      if (!name.includes('runtime') && name !== 'list_devices') return backend.call(name, args)
      asked.push([name, args])
      const message = name === 'list_devices' ? undefined : first === undefined ? 'up to whoever runs it' : name === 'add_runtime' ? state.refusal : undefined
      return Promise.resolve(message === undefined ? { status: 'ok', data: answers(name) as Commands[Name][1] } : { status: 'error', error: { kind: 'notPossibleHere', message } })
    },
  }
  const pinia = createPinia()
  const wrapper = mount(SettingsDevices, { props: { shows: () => true, nativeDialogs }, global: { plugins: [pinia, i18n, app => provideBackend(app, scripted)] }, attachTo: document.body })
  undo.push(() => wrapper.unmount())
  setActivePinia(pinia)
  await backend.settled()
  const store = useRuntimes()
  const entry = (name: string): HTMLElement => document.querySelector<HTMLElement>(`[data-runtime=${name}]`)!
  const press = async (action: string): Promise<void> => {
    document.querySelector<HTMLElement>(`.runtimes [data-action=${action}]`)!.click()
    await backend.settled()
  }
  const said = (): string => [...document.querySelectorAll('.runtimes [role=status]')].map(one => one.textContent.trim()).join()
  return { backend, store, state, asked, entry, press, said }
}

test('a runtime is downloaded with its progress in sight, paused, gone on with and removed', async () => {
  const { backend, store, state, asked, entry, press, said } = await shown(of([CUDA]))
  expect(entry('cuda').textContent).toMatch(/cuda · ONNX Runtime 1\.31\.1.*NVIDIA graphics cards.*Needs an NVIDIA driver.*244 MB.*Licence: MIT.*Download from files\.pythonhosted\.org/s)
  // Every runtime has a button of these words.
  expect(entry('cuda').querySelector('[data-action=download]')?.closest('[role=group]')?.getAttribute('aria-label')).toBe('cuda')
  await press('download')
  store.receive({ name: 'cuda', state: 'fetching', fetchedKib: 102_400, sizeKib: 249_580, message: '', hint: '' })
  await backend.settled()
  expect(entry('cuda').querySelector('progress')?.getAttribute('aria-label')).toBe('Download of cuda')
  expect(entry('cuda').textContent).toContain('100 of 244 MB')
  await press('pause')
  state.now = of([{ ...CUDA, state: 'paused', fetchedKib: 102_400 }])
  store.receive({ name: 'cuda', state: 'paused', fetchedKib: 102_400, sizeKib: 0, message: '', hint: '' })
  await backend.settled()
  await press('resume')
  expect(asked.filter(([name]) => /fetch|pause/.test(name))).toEqual([['fetch_runtime', { name: 'cuda' }], ['pause_runtime', { name: 'cuda' }], ['fetch_runtime', { name: 'cuda' }]])

  const devicesAsked = (): number => asked.filter(([name]) => name === 'list_devices').length
  expect(devicesAsked()).toBe(1)
  state.now = of([HERE], { afterRestart: true })
  store.receive({ name: 'cuda', state: 'here', fetchedKib: 249_580, sizeKib: 249_580, message: '', hint: '' })
  await backend.settled()
  expect(entry('cuda').textContent).toMatch(/installed · in use/)
  // It is seen where the dialog has been closed meanwhile.
  expect(useNotices().notices.at(-1)).toMatchObject({ tone: 'info', title: 'cuda was downloaded' })
  expect(said()).toMatch(/next time Honinbo starts/)
  expect(devicesAsked()).toBe(2)

  state.now = of([CUDA])
  await press('remove')
  expect(asked.some(([name]) => name === 'remove_runtime')).toBe(false)
  await press('remove')
  expect(asked.at(-2)).toEqual(['remove_runtime', { name: 'cuda' }])
  expect(devicesAsked()).toBe(3)
  expect(said()).toBe('')
})

test('a download that fails says why, and leaves no wrong size', async () => {
  const { backend, store, entry } = await shown(of([CUDA]))
  // A page that a server sent in its place has another size.
  store.receive({ name: 'cuda', state: 'fetching', fetchedKib: 1, sizeKib: 2, message: '', hint: '' })
  store.receive({ name: 'cuda', state: 'absent', fetchedKib: 0, sizeKib: 0, message: 'it cannot be used', hint: 'it was not kept' })
  await backend.settled()
  expect(entry('cuda').textContent).toContain('244 MB')
  expect(useNotices().notices.at(-1)).toMatchObject({ title: 'cuda could not be downloaded' })
  expect(entry('cuda').querySelector('[data-action=download]')).not.toBeNull()
})

test('a file is added where there are dialogs for files, and one that does not work is refused with the reason', async () => {
  const { backend, state, asked, entry, press } = await shown(of([CUDA]), { chosen: '/tmp/mine.whl' })
  state.refusal = 'it is another library'
  await press('add-runtime')
  expect(useNotices().notices.at(-1)?.title).toBe('The runtime could not be changed')
  state.refusal = undefined
  state.now = of([CUDA, OWN])
  await press('add-runtime')
  await backend.settled()
  expect(asked.filter(([name]) => name === 'add_runtime')).toEqual(Array.from({ length: 2 }, () => ['add_runtime', { path: '/tmp/mine.whl' }]))
  expect(entry('own').textContent).toMatch(/own · ONNX Runtime 1\.33\.0.*From the file \/tmp\/mine\.whl.*installed · in use/s)
})

test('in a browser the way to add a file is said, and whoever may not change the machine sees none of it', async () => {
  await shown(of([CUDA], { mayAddFiles: false }), { nativeDialogs: false })
  expect(document.querySelector('[data-action=add-runtime]')).toBeNull()
  expect(document.querySelector('[data-test=runtimes-elsewhere]')?.textContent).toContain('honinbo net runtime add')
  for (const one of undo.splice(0)) one()
  await shown(undefined)
  expect(document.querySelector('.runtimes')).toBeNull()
  expect(document.querySelector('[data-action=measure-devices]')).not.toBeNull()
})
