import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerOverview } from '@/api'
import { i18n } from '@/i18n'
import { readPlace } from './address'
import ClubServer from './ClubServer.vue'

beforeEach(() => { setActivePinia(createPinia()) })

const OVERVIEW: ServerOverview = {
  version: '1.0.0', guests: true, registration: 'invitation',
  limits: { rooms_of_one: 20, log_ins_of_name: 10, log_ins_of_address: 100, new_of_address: 200 },
  people_online: 1, connections: 2, max_connections: 100, waiting: 0, playing: 0, counting: 0, adjourned: 0, lessons: 0,
  engines_thinking: 0, engines_at_a_time: 2, engine_stand_ins: 37, engines: ['hard'],
}

/** The page of a server that answers these, by path. */
async function shown(answers: Readonly<Record<string, () => unknown>> = {}) {
  vi.stubGlobal('fetch', async (path: string) => {
    await Promise.resolve()
    const [route = ''] = path.split('?')
    const answer = answers[route]?.() ?? {
      '/api/operator': OVERVIEW, '/api/operator/rooms': { rooms: [], lessons: [], total: 0 }, '/api/operator/people': { people: [], next: null },
    }[route]
    return { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(answer)) } as Response
  })
  const wrapper = mount(ClubServer, { global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => { wrapper.unmount() })
  await vi.waitFor(() => expect(wrapper.find('[data-field=guests]').exists()).toBe(true))
  return wrapper
}

test('moves that substitutes made for engines are counted', async () => {
  const wrapper = await shown()
  expect(wrapper.get('.facts').text()).toContain('Moves by substitute engines37')
})

test('codes are made for a whole class, each with a link to give away', async () => {
  let made = 0
  const wrapper = await shown({ '/api/sign-up-codes': () => ({ code: `${made++}`.padStart(64, 'c') }) })
  const copied: string[] = []
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: (text: string) => { copied.push(text); return Promise.resolve() } } })
  await wrapper.get('[data-field=code-count]').setValue(3)
  await wrapper.get('.codes').trigger('submit')
  await vi.waitFor(() => expect(wrapper.findAll('[data-test=code]').map(code => code.text().slice(-1))).toEqual(['0', '1', '2']))
  const links = wrapper.findAll('[data-test=invitation]').map(link => link.attributes('href') ?? '')
  expect(readPlace(new URL(links[1] ?? '').hash)).toEqual({ name: 'invitation', code: '1'.padStart(64, 'c') })
  await wrapper.findAll('[data-action=copy-invitation]')[1]?.trigger('click')
  await wrapper.get('[data-action=copy-invitations]').trigger('click')
  expect(copied).toEqual([links[1], links.join('\n')])
})

test('where the server makes no more codes, those that were made are shown with the reason', async () => {
  let made = 0
  const wrapper = await shown({
    '/api/sign-up-codes': () => {
      if (made === 1) throw new TypeError('no network')
      return { code: `${made++}`.padStart(64, 'c') }
    },
  })
  await wrapper.get('[data-field=code-count]').setValue(3)
  await wrapper.get('.codes').trigger('submit')
  await vi.waitFor(() => expect(wrapper.findAll('[data-test=code]').length).toBe(1))
  expect(wrapper.get('[role=alert]').text()).not.toBe('')
})

test('a box shows what holds where the server refuses the change', async () => {
  const wrapper = await shown({ '/api/operator/policy': () => { throw new TypeError('no network') } })
  for (const [field, holds] of [['guests', true], ['by-invitation', true]] as const) {
    const box = wrapper.get<HTMLInputElement>(`[data-field=${field}]`)
    expect(box.element.checked).toBe(holds)
    await box.setValue(!holds)
    await vi.waitFor(() => expect(wrapper.find('[role=alert]').exists()).toBe(true))
    await vi.waitFor(() => expect(box.element.checked).toBe(holds))
    expect(wrapper.find('[role=alert]').exists(), 'the reason stays').toBe(true)
  }
})
