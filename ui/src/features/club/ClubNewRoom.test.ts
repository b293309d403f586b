import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import type { NewRoom, RoomOffer } from '@/api'
import { i18n } from '@/i18n'
import ClubNewRoom from './ClubNewRoom.vue'
import { useLobby } from './lobby'

beforeEach(() => localStorage.clear())

test('a torus takes the rules and komi of its own unless others were chosen', async () => {
  setActivePinia(createPinia())
  const asked: { topology: string, rules: string }[] = []
  vi.spyOn(useLobby(), 'offer').mockImplementation(({ topology, rules }) => {
    asked.push({ topology, rules })
    const rulesets = [...(topology === 'torus' ? ['daoqi'] : []), 'chinese', 'japanese']
    const offer: RoomOffer = { sizes: [9, 13, 19], smallest_side: 2, largest_side: 52, rulesets, komi: (rules || rulesets[0]) === 'daoqi' ? 4 : 7.5, handicaps: [], engines: [] }
    return Promise.resolve(offer)
  })
  // What was kept before the usual rules had no name.
  localStorage.setItem('honinbo.club.room', JSON.stringify({ rules: 'chinese' }))
  const wrapper = mount(ClubNewRoom, { global: { plugins: [i18n] } })
  await flushPromises()
  const shown = (): unknown[] => {
    // The value of a select stays behind where its options change.
    const rules = wrapper.get<HTMLSelectElement>('[data-field=rules]').element
    return [rules.options[rules.selectedIndex]?.value, wrapper.get<HTMLInputElement>('[data-field=komi]').element.value]
  }
  expect(shown()).toEqual(['chinese', '7.5'])
  await wrapper.get('[data-field=torus]').setValue(true)
  await flushPromises()
  expect(shown()).toEqual(['daoqi', '4'])
  expect(asked.at(-1)).toEqual({ topology: 'torus', rules: '' })
  await wrapper.get('form').trigger('submit')
  expect(wrapper.emitted<[NewRoom]>('create')?.[0]?.[0].terms).toMatchObject({ topology: 'torus', rules: 'daoqi' })
  await wrapper.get('[data-field=rules]').setValue('japanese')
  await wrapper.get('[data-field=torus]').setValue(false)
  await flushPromises()
  expect(shown()[0]).toBe('japanese')
})
