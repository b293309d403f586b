import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import type { TournamentTerms } from '@/api'
import { i18n } from '@/i18n'
import ClubNewTournament from './ClubNewTournament.vue'

test('where no rounds are said the server decides how many there are', async () => {
  const wrapper = mount(ClubNewTournament, { global: { plugins: [i18n, createPinia()] } })
  await wrapper.get('[data-field=title]').setValue('Spring cup')
  await wrapper.get('form').trigger('submit')
  expect(wrapper.emitted<[TournamentTerms]>('create')?.[0]?.[0].rounds).toBeNull()
  const other = mount(ClubNewTournament, { global: { plugins: [i18n, createPinia()] } })
  await other.get('[data-field=title]').setValue('Spring cup')
  await other.get('[data-field=rounds]').setValue('3')
  await other.get('form').trigger('submit')
  expect(other.emitted<[TournamentTerms]>('create')?.[0]?.[0].rounds).toBe(3)
})
