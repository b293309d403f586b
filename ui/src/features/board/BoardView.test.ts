import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import BoardView from './BoardView.vue'

const empty = { columns: 9, rows: 9, cells: new Uint8Array(81) }

function board(props: Record<string, unknown> = {}) {
  return mount(BoardView, { props: { arrangement: empty, label: 'Board', toMove: 'black', ...props }, attachTo: document.body })
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
afterEach(() => {
  vi.restoreAllMocks()
  document.body.innerHTML = ''
})

describe('the board by keyboard alone', () => {
  async function focused(props: Record<string, unknown> = {}) {
    const wrapper = board(props)
    await nextTick()
    const element = wrapper.get('.board')
    await element.trigger('keydown', { key: 'Enter' })
    return { wrapper, element }
  }

  test('the cursor begins in the middle, arrows move it, Enter plays', async () => {
    const { wrapper, element } = await focused()
    expect(wrapper.emitted('visit')).toEqual([[40]])
    await element.trigger('keydown', { key: 'ArrowRight' })
    await element.trigger('keydown', { key: 'ArrowUp' })
    await element.trigger('keydown', { key: 'Enter' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([32])
    expect(wrapper.emitted('play')).toEqual([[32]])
  })

  test('the cursor stays on the board and goes the way the board is seen', async () => {
    const { wrapper, element } = await focused({ lastMove: 0, orientation: 1 })
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([0])
    await element.trigger('keydown', { key: 'ArrowLeft' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([1])
  })

  test('without the cursor the arrows are left to the moves of the game', async () => {
    const wrapper = board()
    await nextTick()
    const event = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })
    wrapper.get('.board').element.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
    expect(wrapper.emitted('visit')).toBeUndefined()
  })

  test('Escape leaves the cursor', async () => {
    const { wrapper, element } = await focused()
    await element.trigger('keydown', { key: 'Escape' })
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(wrapper.emitted('visit')).toHaveLength(1)
  })
})

test('a wheel notch is one step, small turns of a touch pad add up', async () => {
  const wrapper = board()
  await nextTick()
  const element = wrapper.get('.board')
  await element.trigger('wheel', { deltaY: 100, deltaMode: 0 })
  expect(wrapper.emitted('wheelStep')).toEqual([[1]])
  for (let turn = 0; turn < 5; turn++) await element.trigger('wheel', { deltaY: -11, deltaMode: 0 })
  expect(wrapper.emitted('wheelStep')).toEqual([[1], [-1]])
})

describe('a torus', () => {
  test('the cursor goes over the edge and the world comes along', async () => {
    const wrapper = board({ torus: true, lastMove: 8 })
    await nextTick()
    const element = wrapper.get('.board')
    await element.trigger('keydown', { key: 'Enter' })
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([0])
    expect(element.attributes('data-pan')).toBe('-1,0')
    await element.trigger('keydown', { key: 'ArrowUp' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([72])
    expect(element.attributes('data-pan')).toBe('-1,1')
  })

  test('arrow keys with Alt and the wheel with Shift push the world', async () => {
    const wrapper = board({ torus: true })
    await nextTick()
    const element = wrapper.get('.board')
    await element.trigger('keydown', { key: 'ArrowRight', altKey: true })
    expect(element.attributes('data-pan')).toBe('-1,0')
    await element.trigger('wheel', { deltaY: 100, deltaMode: 0, shiftKey: true })
    expect(element.attributes('data-pan')).toBe('-3,0')
    expect(wrapper.emitted('wheelStep')).toBeUndefined()
  })
})
