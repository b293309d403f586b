import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { i18n } from '@/i18n'
import ClubChat from './ClubChat.vue'

test('the box of the talk shows what the server says, not what was asked for', async () => {
  const wrapper = mount(ClubChat, { props: { lines: [], on: true, online: true, maySwitch: true }, global: { plugins: [i18n] } })
  const box = wrapper.get<HTMLInputElement>('[data-action=chat-switch]')
  await box.setValue(false)
  expect([wrapper.emitted('switch'), box.element.checked]).toEqual([[[false]], true])
  await wrapper.setProps({ on: false })
  expect(box.element.checked).toBe(false)
})
