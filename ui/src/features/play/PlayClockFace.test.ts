import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { expect, onTestFinished, test } from 'vitest'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import PlayClockFace from './PlayClockFace.vue'

test('whoever does not look at the clock hears that the main time is over, and each period that is; of another clock nothing', async () => {
  setActivePinia(createPinia())
  const notices = useNotices()
  const main = { mainSeconds: 20, periodSeconds: null, periods: 3, stones: 0 }
  const wrapper = mount(PlayClockFace, { props: { left: main, running: false, since: 0, aloud: true }, global: { plugins: [i18n] } })
  onTestFinished(() => wrapper.unmount())
  expect(notices.spoken).toBe('')
  const period = (periods: number) => ({ left: { ...main, mainSeconds: 0, periodSeconds: 30, periods } })
  await wrapper.setProps(period(3))
  expect(notices.spoken).toBe('3 periods left')
  await wrapper.setProps(period(1))
  expect(notices.spoken).toBe('One period left')
  await wrapper.setProps({ aloud: false, ...period(3) })
  await wrapper.setProps(period(2))
  expect(notices.spoken).toBe('One period left')
})
