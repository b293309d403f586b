import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { effectScope, nextTick, shallowRef } from 'vue'
import { offsetAt, scrolledHeight, scrollTopAt, MAX_HEIGHT, useLongList } from './longList'

describe('a list taller than a browser can scroll', () => {
  const stretch = { whole: 1_500_000 * 46, view: 700 }

  test('is as tall as can be, and its ends are its ends', () => {
    expect(scrolledHeight(stretch)).toBe(MAX_HEIGHT)
    expect(offsetAt(stretch, 0)).toBe(0)
    expect(offsetAt(stretch, MAX_HEIGHT - 700)).toBeCloseTo(stretch.whole - 700, 3)
  })

  test('every place is found again', () => {
    for (let offset = 0; offset <= stretch.whole - 700; offset += 1_234_567) expect(offsetAt(stretch, scrollTopAt(stretch, offset))).toBeCloseTo(offset, 3)
  })

  test('a shorter list is scrolled as it is', () => {
    expect(offsetAt({ whole: 46_000, view: 700 }, 1234)).toBe(1234)
    expect(scrollTopAt({ whole: 46_000, view: 700 }, 1234)).toBe(1234)
  })
})

describe('the rows in sight', () => {
  let element: HTMLElement
  beforeEach(() => {
    element = document.createElement('div')
    vi.spyOn(element, 'clientHeight', 'get').mockReturnValue(460)
  })
  afterEach(() => { vi.restoreAllMocks() })

  async function list(count: number) {
    const scope = effectScope()
    const scroller = shallowRef<HTMLElement | null>(element)
    const made = scope.run(() => useLongList({ scroller, count, rowHeight: 46 }))
    await nextTick()
    if (!made) throw new Error('the scope has ended')
    return made
  }

  test('are few, however long the list', async () => {
    const { rows, height } = await list(1_500_000)
    expect(rows.value.length).toBeLessThan(40)
    expect(rows.value[0]).toEqual({ index: 0, top: 0 })
    expect(height.value).toBe(MAX_HEIGHT)
  })

  test('go row by row with the wheel, and to the last with the scroll bar', async () => {
    const { rows } = await list(1_500_000)
    element.dispatchEvent(new WheelEvent('wheel', { deltaY: 46, cancelable: true }))
    const first = rows.value.find(row => row.top >= element.scrollTop - 1)
    expect(first?.index).toBe(1)
    element.scrollTop = MAX_HEIGHT - 460
    element.dispatchEvent(new Event('scroll'))
    expect(rows.value.at(-1)?.index).toBe(1_499_999)
  })

  test('one that is asked for comes into sight', async () => {
    const { rows, reveal } = await list(1000)
    reveal(500)
    const row = rows.value.find(one => one.index === 500)
    expect(row && row.top + 46 <= element.scrollTop + 460 && row.top >= element.scrollTop).toBe(true)
  })

  test('an empty list has none', async () => {
    expect((await list(0)).rows.value).toEqual([])
  })
})
