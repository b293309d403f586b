import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { defineComponent, h, nextTick, useTemplateRef, type ShallowRef } from 'vue'
import type { BoardGeometry } from './geometry'
import { useBoardGeometry } from './useBoardCanvas'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('the first size is the one that the observer then reports, so that nothing is drawn twice', async () => {
  const box = new DOMRect(253.1, 74.1, 669.77, 669.77)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(box)
  // A browser rounds these.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(670)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(670)
  let report = (): void => undefined
  vi.stubGlobal('ResizeObserver', class {
    constructor(onResize: (entries: { contentRect: DOMRect }[]) => void) { report = () => onResize([{ contentRect: box }]) }
    observe(): void { /* reported by hand */ }
    unobserve(): void { /* nothing is kept */ }
    disconnect(): void { /* nothing is kept */ }
  })
  let geometry: Readonly<ShallowRef<BoardGeometry | undefined>> | undefined
  mount(defineComponent({
    setup() {
      const room = useTemplateRef<HTMLElement>('room');
      ({ geometry } = useBoardGeometry({ room, columns: 19, rows: 19, orientation: 0, coordinates: true, joined: undefined }))
      return () => h('div', { ref: 'room' })
    },
  }))
  await nextTick()
  const first = geometry?.value
  expect(first).toBeDefined()
  report()
  expect(geometry?.value).toBe(first)
})
