import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { provideBackend } from '@/api'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { ENGINE, startApp } from '@/testing'
import { searchFor } from './search'
import SettingsDialog from './SettingsDialog.vue'

let leave: (() => void) | undefined
afterEach(() => leave?.())

async function shown(paths = true) {
  const { backend } = await startApp({ paths })
  const wrapper = mount(SettingsDialog, {
    props: { 'open': true, 'networks': [], 'version': '1', 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await backend.settled()
  const field = document.querySelector<HTMLInputElement>('[data-action=settings-search]')!
  const search = async (words: string): Promise<void> => {
    field.value = words
    field.dispatchEvent(new Event('input'))
    await backend.settled()
  }
  const labels = (): string[] => [...document.querySelectorAll('.part > :not(h3)')].map(item => item.textContent.trim().split(/\s{2,}|(?<=%)/)[0] ?? '')
  return { backend, wrapper, field, search, labels }
}

test('the field is where the keyboard begins, and finds settings of every part', async () => {
  const { field, search, labels } = await shown()
  expect(document.activeElement).toBe(field)
  await search('stones')
  expect(labels().join('|')).toMatch(/Sound of stones.*Numbers on stones.*Swap the colours/)
  expect(document.querySelector('.tab-list')).toBeNull()
  expect(document.querySelector('[role=status]')?.textContent).toBe('4 settings found')
})

test('a setting is found by what it offers too, and works where it is found', async () => {
  const { backend, search } = await shown()
  await search('colour-blind')
  const select = document.querySelector<HTMLSelectElement>('.part select')!
  select.value = 'colourBlind'
  select.dispatchEvent(new Event('change'))
  await backend.settled()
  expect(select.selectedOptions[0]?.text).toBe('Colour-blind friendly')
})

test('whether the library is backed up by itself is asked where that can be', async () => {
  const { backend, wrapper, search } = await shown()
  await search('back up')
  expect(document.querySelector('[data-field=back-up-by-itself]')).toBeNull()
  await wrapper.setProps({ canBackUp: true })
  const box = document.querySelector<HTMLInputElement>('[data-field=back-up-by-itself]')!
  expect(box.checked).toBe(true)
  box.click()
  await backend.settled()
  expect(backend.asked('set_settings')).toEqual([{ backUpByItself: false }])
})

test('what the engine found is forgotten only when one is sure', async () => {
  const { backend, search } = await shown()
  await search('stored analysis')
  const button = document.querySelector<HTMLElement>('[data-action=clear-evaluations]')!
  const cleared = () => backend.asked('clear_evaluations').length
  const press = async (): Promise<void> => { button.click(); await backend.settled() }
  await press()
  expect(cleared()).toBe(0)
  button.dispatchEvent(new FocusEvent('blur'))
  await backend.settled()
  await press()
  expect(cleared()).toBe(0)
  await press()
  expect(cleared()).toBe(1)
})

test('an engine is tried out, added, and can do the analysis', async () => {
  const { backend, search } = await shown()
  await search('engine')
  const field = (name: string): HTMLInputElement => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
  const write = (name: string, value: string): void => { field(name).value = value; field(name).dispatchEvent(new Event('input')) }
  const add = document.querySelector<HTMLButtonElement>('[data-action=add-engine]')!
  expect(add.disabled).toBe(true)
  write('engine-name', 'Kata')
  write('engine-command', ENGINE)
  await backend.settled()
  add.click()
  await backend.settled()
  expect(backend.asked('add_engine')).toEqual([{ name: 'Kata', command: ENGINE }])
  expect(document.querySelector('.engines [role=status]')?.textContent).toContain('its first move was E5')
  expect(field('engine-name').value).toBe('')
  const select = document.querySelector<HTMLSelectElement>('[data-field=analysis-engine]')!
  expect([...select.options].map(option => option.text)).toEqual(['The network', 'Kata'])
  select.value = 'Kata'
  select.dispatchEvent(new Event('change'))
  await backend.settled()
  expect(backend.asked('set_settings').at(-1)).toMatchObject({ analysisEngine: 'Kata' })
})

test('an engine is changed under another name, and removed once one is sure', async () => {
  const { backend, search } = await shown()
  await backend.call('add_engine', { name: 'Kata', command: ENGINE })
  await search('engine')
  const named = (name: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-action=${name}]`)]
  const press = async (name: string): Promise<void> => { named(name)[0]?.click(); await backend.settled() }
  const field = (name: string): HTMLInputElement => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
  const write = async (name: string, value: string): Promise<void> => { field(name).value = value; field(name).dispatchEvent(new Event('input')); await backend.settled() }
  const analyst = (): HTMLSelectElement => document.querySelector<HTMLSelectElement>('[data-field=analysis-engine]')!
  analyst().value = 'Kata'
  analyst().dispatchEvent(new Event('change'))
  // Whatever can be played against has its name already.
  await write('engine-command', ENGINE)
  for (const taken of ['Kata', ' rank_5k ']) {
    await write('engine-name', taken)
    expect([document.querySelector('#engine-taken')?.textContent.trim(), field('engine-name').getAttribute('aria-invalid')]).toEqual([`There is an opponent named ${taken.trim()} already`, 'true'])
    expect(document.querySelector<HTMLButtonElement>('[data-action=add-engine]')?.disabled).toBe(true)
  }
  await press('change-engine')
  expect([field('engine-name').value, document.activeElement, document.querySelector('#engine-taken')]).toEqual(['Kata', field('engine-name'), null])
  await write('engine-name', 'Kata 2')
  await press('add-engine')
  expect(backend.asked('change_engine')).toEqual([{ engine: 'Kata', name: 'Kata 2', command: expect.any(String) as string }])
  expect(document.querySelector('.engines li')?.textContent).toContain('Kata 2')
  expect(backend.asked('set_settings').at(-1)).toMatchObject({ analysisEngine: 'Kata 2' })

  await press('remove-engine')
  expect(backend.asked('remove_engine')).toEqual([])
  named('remove-engine')[0]?.dispatchEvent(new FocusEvent('blur'))
  await backend.settled()
  await press('remove-engine')
  expect(backend.asked('remove_engine')).toEqual([])
  await press('remove-engine')
  expect(backend.asked('remove_engine')).toEqual([{ name: 'Kata 2' }])
  expect(document.querySelector('.engines [role=status]')?.textContent.trim()).toBe('Kata 2 was removed')
  expect(backend.asked('set_settings').at(-1)).toMatchObject({ analysisEngine: '' })
  expect(document.querySelector('.engines .file')?.textContent).toContain('engines.yaml')
})

test('the trial of a program that says nothing is called off', async () => {
  const { backend, search } = await shown()
  await search('engine')
  const button = (name: string): HTMLButtonElement | null => document.querySelector(`[data-action=${name}]`)
  const write = (name: string, value: string): void => { const field = document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!; field.value = value; field.dispatchEvent(new Event('input')) }
  const status = (): string | undefined => document.querySelector('.engines [role=status]')?.textContent.trim()
  write('engine-name', 'Silent')
  write('engine-command', `"${process.execPath}" -e "setInterval(() => {}, 1000)"`)
  await backend.until(() => button('add-engine')?.disabled === false)
  expect(button('cancel-trial')).toBeNull()
  button('add-engine')!.click()
  await backend.until(() => button('cancel-trial'))
  expect([status(), button('add-engine')?.disabled]).toEqual(['Waiting for its first move…', true])
  button('cancel-trial')!.click()
  await backend.settled()
  expect([status(), button('cancel-trial'), button('add-engine')?.disabled]).toEqual(['', null, false])
  expect((document.activeElement as HTMLElement | null)?.dataset.field).toBe('engine-command')
  expect(useNotices().notices).toEqual([])
  expect(document.querySelector<HTMLInputElement>('[data-field=engine-name]')?.value).toBe('Silent')
  expect(document.querySelector('.engines')?.textContent).toContain('No other engine has been added yet')
})

test('an engine that was found without a configuration is completed before it is tried', async () => {
  const { backend, search } = await shown()
  const call = backend.call
  const found = [{ name: 'KataGo', command: '/opt/katago gtp', lacksConfig: true }, { name: 'GNU Go', command: 'gnugo --mode gtp', lacksConfig: false }]
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => name === 'find_engines'
    ? { status: 'ok', data: found } as never
    : call(name, args))
  await search('engine')
  const row = (name: string): Element => document.querySelector(`[data-engine="${name}"]`)!.closest('li')!
  expect(row('KataGo').textContent).toContain('add -config FILE')
  expect(row('GNU Go').querySelector('[data-test=no-config]')).toBeNull()
  row('KataGo').querySelector('button')!.click()
  await backend.settled()
  const field = document.querySelector<HTMLInputElement>('[data-field=engine-command]')
  expect([field?.value, document.activeElement]).toEqual(['/opt/katago gtp', field])
  expect(backend.asked('add_engine')).toEqual([])
})

test('a browser is told where engines are added', async () => {
  const { search } = await shown(false)
  await search('engine')
  expect(document.querySelector('[data-field=engine-name]')).toBeNull()
  expect(document.querySelector('[data-test=engines-elsewhere]')?.textContent).toMatch(/cannot be started from a browser.*engines\.yaml/)
})

test('what nobody offers is said, and Escape takes the words first and the dialog then', async () => {
  const { backend, wrapper, field, search } = await shown()
  await search('gramophone')
  expect(document.body.textContent).toContain('No setting matches')
  const escape = async (more: KeyboardEventInit = {}): Promise<void> => { field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...more })); await backend.settled() }
  // An input method takes back what it composes with it.
  await escape({ isComposing: true })
  expect([field.value, wrapper.props('open')]).toEqual(['gramophone', true])
  await escape()
  expect(wrapper.props('open')).toBe(true)
  expect(document.querySelectorAll('[role=tab]')).toHaveLength(6)
  await escape({ isComposing: true })
  expect(wrapper.props('open')).toBe(true)
  await escape()
  expect(wrapper.props('open')).toBe(false)
})

test('every word has to be known, in any order, of the setting or of its part', () => {
  expect(searchFor('analysis visits', 'settings.tab.analysis')('settings.visits')).toBe(true)
  expect(searchFor('board visits', 'settings.tab.analysis')('settings.visits')).toBe(false)
  expect(searchFor('', 'settings.tab.board')('settings.nextMoves')).toBe(true)
})

test('devices are shown, measured at the press of a button, and chosen', async () => {
  const { backend, search } = await shown()
  await search('devices')
  const devices = (): string[] => [...document.querySelectorAll('.devices li')].map(item => item.textContent.replace(/\s+/g, ' ').trim())
  expect(devices()).toEqual(['CPU not measured yet'])
  const button = document.querySelector<HTMLElement>('[data-action=measure-devices]')!
  expect(button.textContent.trim()).toBe('Measure')
  button.click()
  await backend.settled()
  expect(backend.asked('measure_devices')).toHaveLength(1)
  // The tests' engine has no figures.
  expect([devices(), button.textContent.trim()]).toEqual([['CPU not measured yet'], 'Measure'])
  const listed = await backend.call('list_devices', {})
  if (listed.status === 'error') throw new Error('there are no devices')
  const measured = { ...listed.data, devices: listed.data.devices.map(device => ({ ...device, evaluationsPerSecond: 120 })) }
  const call = vi.spyOn(backend, 'call').mockResolvedValue({ status: 'ok', data: measured } as never)
  button.click()
  await backend.settled()
  call.mockRestore()
  expect([devices(), button.textContent.trim()]).toEqual([['CPU 120 evaluations/s'], 'Measure again'])

  const change = (field: string, value: string): void => {
    const element = document.querySelector<HTMLInputElement>(`[data-field=${field}]`)!
    element.value = value
    element.dispatchEvent(new Event('change'))
  }
  change('device', 'cpu')
  change('threads', '2')
  change('memory', '0')
  await backend.settled()
  expect(backend.asked('set_settings').at(-1)).toMatchObject({ device: 'cpu', threads: 2, memoryMib: 1 })
})
