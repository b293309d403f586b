import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import StartPanel from './StartPanel.vue'

test('below the new game the empty window leads to problems, exercises and the own games', async () => {
  const { backend } = await startApp()
  const wrapper = mount(StartPanel, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  for (const name of ['problems', 'exercises', 'mine']) await wrapper.get(`[data-action=start-${name}]`).trigger('click')
  expect(wrapper.emitted('learn')).toEqual([['problems'], ['exercises'], ['myPlay']])
})
