import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import BoardView from './BoardView.vue'
import { centreOf, fitBoard } from './geometry'

const empty = { columns: 9, rows: 9, cells: new Uint8Array(81) }

function board(props: Record<string, unknown> = {}) {
  return mount(BoardView, { props: { arrangement: empty, label: 'Board', toMove: 'black', ...props }, attachTo: document.body })
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 600))
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
    expect(wrapper.emitted('play')).toEqual([[32, false]])
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

  test('the menu key asks about the point of the cursor, whichever event tells of it', async () => {
    const { wrapper, element } = await focused()
    await element.trigger('keydown', { key: 'ArrowRight' })
    const { x, y } = centreOf(geometry, 41)
    const asked = [41, { clientX: x, clientY: y }]
    await element.trigger('keydown', { key: 'ContextMenu' })
    await element.trigger('keydown', { key: 'F10', shiftKey: true })
    await element.trigger('contextmenu', { clientX: 300, clientY: 300 })
    expect(wrapper.emitted('context')).toEqual([asked, asked, asked])
  })

  test('a dialog that gives the focus back leaves the cursor as it was, Tab brings it', async () => {
    const wrapper = board({ subject: 'g1' })
    await nextTick()
    const element = wrapper.get('.board')
    vi.spyOn(element.element, 'matches').mockReturnValue(true)
    const visits = (): number => wrapper.emitted('visit')?.length ?? 0
    const away = async (back: string): Promise<void> => {
      await element.trigger('blur')
      window.dispatchEvent(new KeyboardEvent('keydown', { key: back }))
      await element.trigger('focus')
    }
    await away('Escape')
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(visits()).toBe(0)
    await away('Tab')
    expect(visits()).toBe(1)
    await away('Escape')
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([41])
    await element.trigger('keydown', { key: 'Escape' })
    const known = visits()
    await away('Enter')
    expect(visits()).toBe(known)
    // Whoever begins another game by keyboard moves the cursor.
    await element.trigger('blur')
    await wrapper.setProps({ subject: 'g2' })
    await element.trigger('focus')
    expect(visits()).toBe(known + 1)
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

describe('a cylinder', () => {
  test('goes over the left and right edge, and ends at the top', async () => {
    const wrapper = board({ topology: 'cylinder', lastMove: 8 })
    await nextTick()
    const element = wrapper.get('.board')
    await element.trigger('keydown', { key: 'Enter' })
    await element.trigger('keydown', { key: 'ArrowRight' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([0])
    await element.trigger('keydown', { key: 'ArrowUp' })
    expect(wrapper.emitted('visit')?.at(-1)).toEqual([0])
    await element.trigger('keydown', { key: 'ArrowUp', altKey: true })
    expect(element.attributes('data-pan')).toBe('-1,0')
  })
})

describe('a torus', () => {
  test('the cursor goes over the edge and the world comes along', async () => {
    const wrapper = board({ topology: 'torus', lastMove: 8 })
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

  test('another game is shown as it was pushed before', async () => {
    const wrapper = board({ topology: 'torus', subject: 'one', pan: { x: 2, y: 1 } })
    await nextTick()
    const element = wrapper.get('.board')
    expect(element.attributes('data-pan')).toBe('2,1')
    await element.trigger('keydown', { key: 'ArrowLeft', altKey: true })
    expect(wrapper.emitted('pushed')).toEqual([[{ x: 3, y: 1 }]])
    await wrapper.setProps({ subject: 'other', pan: undefined })
    expect(element.attributes('data-pan')).toBe('0,0')
    await wrapper.setProps({ subject: 'one', pan: { x: 3, y: 1 } })
    expect(element.attributes('data-pan')).toBe('3,1')
  })

  test('arrow keys with Alt and the wheel with Shift push the world', async () => {
    const wrapper = board({ topology: 'torus' })
    await nextTick()
    const element = wrapper.get('.board')
    await element.trigger('keydown', { key: 'ArrowRight', altKey: true })
    expect(element.attributes('data-pan')).toBe('-1,0')
    await element.trigger('wheel', { deltaY: 100, deltaMode: 0, shiftKey: true })
    expect(element.attributes('data-pan')).toBe('-3,0')
    expect(wrapper.emitted('wheelStep')).toBeUndefined()
  })
})

const geometry = fitBoard({ columns: 9, rows: 9, orientation: 0, availableWidth: 600, availableHeight: 600, ratio: 1, coordinates: true })
async function underPointer(props: Record<string, unknown> = {}) {
  const wrapper = board(props)
  await nextTick()
  const element = wrapper.get('.board').element
  const captured = vi.spyOn(element, 'setPointerCapture')
  /** What a pointer does at a point, or so many cells beside it. */
  const point = (type: string, at: number, { right = 0, down = 0, ...wishes }: PointerEventInit & { right?: number, down?: number } = {}): void => {
    const { x, y } = centreOf(geometry, at)
    // Dialogs that other files of this worker left open would hear it, did it bubble.
    element.dispatchEvent(new PointerEvent(type, { pointerId: 1, buttons: type === 'pointerup' ? 0 : 1, clientX: x + right * geometry.cell, clientY: y + down * geometry.cell, ...wishes }))
  }
  return { wrapper, captured, point }
}

describe('a press', () => {
  test('a release whose press was elsewhere plays nothing', async () => {
    const { wrapper, point } = await underPointer()
    point('pointermove', 40)
    point('pointerup', 40)
    expect(wrapper.emitted('play')).toBeUndefined()
    point('pointerdown', 40)
    point('pointerup', 40, { pointerId: 2 })
    expect(wrapper.emitted('play')).toBeUndefined()
    point('pointerup', 40)
    expect(wrapper.emitted('play')).toEqual([[40, false]])
  })

  test('a finger slides to the right point before it is lifted', async () => {
    const { wrapper, point } = await underPointer()
    point('pointerdown', 40, { pointerType: 'touch' })
    point('pointermove', 41, { pointerType: 'touch' })
    point('pointerup', 41, { pointerType: 'touch' })
    expect(wrapper.emitted('play')).toEqual([[41, true]])
  })

  test('a second finger on the board makes no move of either, and one that comes after both does', async () => {
    const { wrapper, point } = await underPointer()
    const finger = (type: string, at: number, pointerId: number): void => point(type, at, { pointerId, pointerType: 'touch' })
    finger('pointerdown', 40, 1)
    finger('pointerdown', 20, 2)
    expect(wrapper.emitted('hover')?.at(-1)).toEqual([undefined])
    finger('pointerup', 20, 2)
    finger('pointerdown', 30, 3)
    finger('pointermove', 41, 1)
    finger('pointercancel', 30, 3)
    finger('pointerup', 41, 1)
    expect(wrapper.emitted('play')).toBeUndefined()
    finger('pointerdown', 50, 4)
    finger('pointerup', 50, 4)
    expect(wrapper.emitted('play')).toEqual([[50, true]])
  })

  test('a press that is let go beside the board is over', async () => {
    const { wrapper, captured, point } = await underPointer()
    point('pointerdown', 40)
    // Its release comes here wherever it is.
    expect(captured).toHaveBeenCalledWith(1)
    point('pointerup', 40, { right: 20 })
    point('pointermove', 40)
    point('pointerup', 40)
    expect(wrapper.emitted('play')).toBeUndefined()
  })
})

describe('a pair of points', () => {
  test('a drag that leaves the board goes on along its edge, and ends there', async () => {
    const { wrapper, captured, point } = await underPointer({ drag: 'pair' })
    point('pointerdown', 40)
    expect(captured).toHaveBeenCalledWith(1)
    point('pointermove', 44)
    point('pointermove', 44, { right: 3 })
    point('pointermove', 53, { right: 3 })
    point('pointerup', 53, { right: 3, down: 20 })
    expect(wrapper.emitted('drag')).toEqual([[40, 44, false], [40, 53, false], [40, 80, true]])
    expect(wrapper.emitted('play')).toBeUndefined()
  })

  test('a drag that the system breaks off is for nothing, and the next one begins anew', async () => {
    const { wrapper, point } = await underPointer({ drag: 'pair' })
    point('pointerdown', 40)
    point('pointermove', 41)
    point('pointercancel', 41)
    expect(wrapper.emitted('dragCancel')).toHaveLength(1)
    point('pointermove', 42)
    point('pointerup', 42)
    expect(wrapper.emitted('drag')).toEqual([[40, 41, false]])
    point('pointerdown', 0)
    point('pointercancel', 0)
    expect(wrapper.emitted('dragCancel'), 'nothing was drawn').toHaveLength(1)
  })

  test('a second finger or another button does not end what is drawn', async () => {
    const { wrapper, point } = await underPointer({ drag: 'pair' })
    point('pointerdown', 40)
    point('pointermove', 41)
    point('pointerdown', 0, { pointerId: 2 })
    point('pointermove', 1, { pointerId: 2 })
    point('pointerup', 1, { pointerId: 2 })
    point('pointerup', 42, { button: 2 })
    expect(wrapper.emitted('drag')).toEqual([[40, 41, false], [40, 42, true]])
    expect(wrapper.emitted('play')).toBeUndefined()
  })

  test('a press without a drag is a click', async () => {
    const { wrapper, point } = await underPointer({ drag: 'pair' })
    point('pointerdown', 40)
    point('pointerup', 40)
    expect([wrapper.emitted('play'), wrapper.emitted('drag')]).toEqual([[[40, false]], undefined])
  })
})

describe('what is drawn again', () => {
  /** A context that keeps what was asked of it, under the number of its canvas: ground, stones, analysis, marks, hover. */
  function recorded(): { canvas: number, name: string, args: unknown[] }[] {
    const calls: { canvas: number, name: string, args: unknown[] }[] = []
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
      const canvas = [...document.querySelectorAll('.board canvas')].indexOf(this)
      return new Proxy({}, {
        get: (_, name) => (...args: unknown[]) => {
          calls.push({ canvas, name: String(name), args })
          return { addColorStop() { /* A gradient. */ }, data: new Uint8ClampedArray(4) }
        },
        set: () => true,
      }) as never
    })
    return calls
  }
  const drawn = (): Promise<void> => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(() => resolve())) })

  test('a move draws around its point alone, and neither the wood nor the other stones', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(query => ({ matches: query.includes('reduced-motion'), addEventListener() { /* Never. */ }, removeEventListener() { /* Never. */ } }) as never)
    const calls = recorded()
    const cells = new Uint8Array(81)
    cells[0] = 1
    cells[80] = 2
    const wrapper = board({ theme: 'flat', arrangement: { columns: 9, rows: 9, cells } })
    await nextTick()
    await drawn()
    expect(calls.some(call => call.canvas === 0)).toBe(true)
    const stones = (): unknown[] => calls.filter(call => call.canvas === 1 && call.name === 'drawImage')
    expect(stones()).toHaveLength(2)

    calls.length = 0
    const after = cells.slice()
    after[79] = 1
    await wrapper.setProps({ arrangement: { columns: 9, rows: 9, cells: after } })
    await drawn()
    expect(calls.filter(call => call.canvas === 0)).toEqual([])
    // The new stone and the one beside it.
    expect(stones()).toHaveLength(2)
    expect(calls.filter(call => call.canvas === 1 && call.name === 'clip')).toHaveLength(1)
  })

  test('a layer without anything on it is taken out of the picture, and comes back', async () => {
    recorded()
    const wrapper = board()
    await nextTick()
    await drawn()
    const marks = (): string => (wrapper.findAll('canvas')[3]?.element as HTMLCanvasElement).style.visibility
    expect(marks()).toBe('hidden')
    await wrapper.setProps({ lastMove: 40 })
    await drawn()
    expect(marks()).toBe('')
  })
})
