import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import { onResize } from './resize'

/** Tallest element that every browser scrolls exactly; a million rows are taller. */
export const MAX_HEIGHT = 8_000_000
/** Rows drawn beyond each edge, so that quick scrolling never shows an empty frame. */
const BEYOND = 8

export interface LongListOptions {
  readonly scroller: Readonly<ShallowRef<HTMLElement | null>>
  readonly count: MaybeRefOrGetter<number>
  /** Height of every row in pixels. */
  readonly rowHeight: MaybeRefOrGetter<number>
}

/** Where a list stands: `offset` is the place in the whole list, in pixels, however tall that is. */
export interface Stretch {
  readonly whole: number
  readonly view: number
}

/** Height of the element that is really scrolled. */
export const scrolledHeight = ({ whole }: Stretch): number => Math.min(whole, MAX_HEIGHT)

/** The place in the whole list for a place of the scroll bar. */
export function offsetAt(stretch: Stretch, scrollTop: number): number {
  const height = scrolledHeight(stretch)
  if (height === stretch.whole || height <= stretch.view) return scrollTop
  return scrollTop / (height - stretch.view) * (stretch.whole - stretch.view)
}

/** The place of the scroll bar for a place in the whole list; the inverse of `offsetAt`. */
export function scrollTopAt(stretch: Stretch, offset: number): number {
  const height = scrolledHeight(stretch)
  if (height === stretch.whole || stretch.whole <= stretch.view) return offset
  return offset / (stretch.whole - stretch.view) * (height - stretch.view)
}

/** A list of equal rows of which only those in sight exist; also where it is taller than a browser can scroll. */
export function useLongList(options: LongListOptions): {
  height: ComputedRef<number>
  rows: ComputedRef<{ index: number, top: number }[]>
  reveal: (index: number) => void
} {
  const offset = shallowRef(0)
  const top = shallowRef(0)
  const view = shallowRef(0)
  const stretch = computed<Stretch>(() => ({ whole: toValue(options.count) * toValue(options.rowHeight), view: view.value }))
  const height = computed(() => scrolledHeight(stretch.value))
  const rows = computed(() => {
    const row = toValue(options.rowHeight)
    const first = Math.max(0, Math.floor(offset.value / row) - BEYOND)
    const last = Math.min(toValue(options.count) - 1, Math.ceil((offset.value + view.value) / row) + BEYOND)
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => {
      const index = first + place
      return { index, top: top.value + index * row - offset.value }
    })
  })

  function place(wanted: number): void {
    const most = Math.max(0, stretch.value.whole - view.value)
    offset.value = Math.max(0, Math.min(most, wanted))
    const element = options.scroller.value
    if (!element) return
    element.scrollTop = scrollTopAt(stretch.value, offset.value)
    top.value = element.scrollTop
  }

  function onScroll(): void {
    const element = options.scroller.value
    if (!element) return
    // What was set here comes back rounded: it must not move the list.
    if (Math.abs(element.scrollTop - scrollTopAt(stretch.value, offset.value)) >= 1.5) offset.value = offsetAt(stretch.value, element.scrollTop)
    top.value = element.scrollTop
  }

  function onWheel(event: WheelEvent): void {
    // Where the scroll bar is too short for the list, the wheel still goes row by row.
    if (stretch.value.whole <= MAX_HEIGHT || event.ctrlKey) return
    event.preventDefault()
    place(offset.value + (event.deltaMode === 0 ? event.deltaY : event.deltaY * toValue(options.rowHeight)))
  }

  function reveal(index: number): void {
    const row = toValue(options.rowHeight)
    if (index * row < offset.value) place(index * row)
    else if ((index + 1) * row > offset.value + view.value) place((index + 1) * row - view.value)
  }

  watch(options.scroller, (element, before) => {
    if (before) {
      before.removeEventListener('scroll', onScroll)
      before.removeEventListener('wheel', onWheel)
    }
    if (!element) return
    view.value = element.clientHeight
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
  }, { immediate: true, flush: 'post' })
  onResize(options.scroller, () => { view.value = options.scroller.value?.clientHeight ?? 0 })
  watch(() => toValue(options.count), () => { if (offset.value > Math.max(0, stretch.value.whole - view.value)) place(offset.value) })

  return { height, rows, reveal }
}
