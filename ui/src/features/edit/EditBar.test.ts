import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import EditBar from './EditBar.vue'
import { useEditing } from './store'

async function shown() {
  const { backend } = await startApp()
  const editing = useEditing()
  editing.show(true)
  const Stage = defineComponent(() => () => h(TooltipProvider, () => h('div', { class: 'stage' }, [editing.open ? h(EditBar) : undefined, h('div', { class: 'board', tabindex: 0 })])))
  const wrapper = mount(Stage, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  const tool = (name: string) => wrapper.get<HTMLElement>(`[data-tool=${name}]`)
  return { editing, wrapper, tool }
}

test('an arrow takes the next tool and Enter keeps it; a click on it puts it away', async () => {
  const { editing, tool } = await shown()
  tool('play').element.focus()
  await tool('play').trigger('keydown', { key: 'ArrowRight' })
  expect([editing.tool, document.activeElement]).toEqual(['black', tool('black').element])
  // Enter and Space click without a pointer.
  await tool('black').trigger('click', { detail: 0 })
  expect(editing.tool).toBe('black')
  await tool('black').trigger('click', { detail: 1 })
  expect(editing.tool).toBe('play')
})

test('the focus goes on to the board when the bar that has it is put away', async () => {
  const { editing, wrapper, tool } = await shown()
  tool('play').element.focus()
  editing.show(false)
  await nextTick()
  expect(document.activeElement).toBe(wrapper.get('.board').element)
})

test('whoever takes the text tool types at once, and the keys that go through the tools stay on them', async () => {
  const { wrapper, tool } = await shown()
  await tool('text').trigger('click')
  await nextTick()
  const field = wrapper.get('input')
  expect(document.activeElement).toBe(field.element)
  // In the words the arrow keys go from letter to letter.
  await field.trigger('keydown', { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(field.element)

  await tool('text').trigger('keydown', { key: 'ArrowLeft' })
  expect(wrapper.find('input').exists()).toBe(false)
  await tool('number').trigger('keydown', { key: 'ArrowRight' })
  expect(document.activeElement).toBe(tool('text').element)
})
