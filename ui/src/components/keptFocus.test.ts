import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, shallowRef } from 'vue'
import { isGivenBack, useKeptFocus } from './keptFocus'

/** A field, a board, and a strip with two buttons that may go. */
function shown() {
  const strip = shallowRef(true)
  const Window = defineComponent(() => {
    useKeptFocus(() => document.querySelector<HTMLElement>('.board'))
    return () => h('div', [
      h('input', { class: 'field' }), h('div', { class: 'board', tabindex: 0 }),
      strip.value ? h('p', [h('button', { class: 'act' }), h('button', { class: 'close', onClick: () => { strip.value = false } })]) : undefined,
    ])
  })
  const wrapper = mount(Window, { attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
  const focus = (place: string): void => wrapper.get<HTMLElement>(place).element.focus()
  const settled = async (): Promise<string | undefined> => {
    await new Promise(resolve => setTimeout(resolve, 5))
    return document.activeElement?.className || document.activeElement?.localName
  }
  return { wrapper, focus, settled, press: (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key })) }
}

test('what a key removes gives the focus back to where it was before', async () => {
  const { wrapper, focus, settled, press } = shown()
  for (const place of ['.field', '.act', '.close']) focus(place)
  press('Enter')
  await wrapper.get('.close').trigger('click')
  expect(await settled()).toBe('field')
})

test('without a place from before it goes to the board', async () => {
  const { wrapper, focus, settled, press } = shown()
  const given: boolean[] = []
  wrapper.get('.board').element.addEventListener('focus', () => given.push(isGivenBack()))
  focus('.close')
  press('Enter')
  await wrapper.get('.close').trigger('click')
  expect(await settled()).toBe('board')
  // Whoever goes there is told apart.
  focus('.field')
  focus('.board')
  expect(given).toEqual([true, false])
})

test('a place that is hidden is passed over', async () => {
  const { wrapper, focus, settled, press } = shown()
  for (const place of ['.field', '.close']) focus(place)
  wrapper.get('.field').element.setAttribute('disabled', '')
  press('Enter')
  await wrapper.get('.close').trigger('click')
  expect(await settled()).toBe('board')
})

test('a pointer that removes something brings no keyboard up, and who has the focus keeps it', async () => {
  const { wrapper, focus, settled, press } = shown()
  for (const place of ['.field', '.close']) focus(place)
  press('Enter')
  window.dispatchEvent(new PointerEvent('pointerdown'))
  await wrapper.get('.close').trigger('click')
  expect(await settled()).toBe('body')
})
