import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellEngine from './ShellEngine.vue'

let leave: (() => void) | undefined
afterEach(() => leave?.())

test('a screen reader hears whether the engine works, and not its speed', async () => {
  const { backend } = await startApp()
  const analysis = useAnalysis()
  const wrapper = mount(ShellEngine, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  leave = () => wrapper.unmount()
  await backend.until(() => backend.connection.value === 'connected')
  analysis.receiveEngine({ ...analysis.engine, state: { kind: 'ready' }, device: 'cpu', network: 'small', evaluationsPerSecond: 321 })
  await backend.settled()
  expect(wrapper.text()).toContain('321')
  expect(wrapper.findAll('[role=status]').map(spoken => spoken.text())).toEqual(['CPU'])
  expect(wrapper.find('[role=status] .speed').exists()).toBe(false)
})
