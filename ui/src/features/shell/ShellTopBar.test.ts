import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { TooltipProvider } from 'reka-ui'
import { h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import ShellTopBar from './ShellTopBar.vue'

test('what somebody learns from comes second in the menu, under its own heading', async () => {
  const { backend } = await startApp()
  const wrapper = mount(() => h(TooltipProvider, () => h(ShellTopBar)), { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  await wrapper.get('.brand').trigger('click')
  await nextTick()
  const groups = [...document.querySelectorAll('[role=menu] [data-group]')]
  const learn = groups[1]
  expect(learn?.querySelector('.menu-label')?.textContent?.trim()).toBe('Learn')
  const items = [...learn?.querySelectorAll('[role=menuitem]') ?? []].map(item => [...item.childNodes].find(node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())?.textContent?.trim())
  expect(items.slice(0, 2)).toEqual(['Learn the rules', 'Solve problems'])
  expect(items).toEqual(expect.arrayContaining(['My play and weaknesses', 'Manual']))
  wrapper.unmount()
})
