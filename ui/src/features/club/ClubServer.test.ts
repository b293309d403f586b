import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerOverview } from '@/api'
import { i18n } from '@/i18n'
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
  vi.stubGlobal('fetch', (path: string) => {
    const [route = ''] = path.split('?')
    const answer = answers[route]?.() ?? {
      '/api/operator': OVERVIEW, '/api/operator/rooms': { rooms: [], lessons: [], total: 0 }, '/api/operator/people': { people: [], next: null },
    }[route]
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(answer)) } as Response)
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
