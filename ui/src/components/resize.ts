import { onScopeDispose, watch, type ShallowRef } from 'vue'

/** Says when an element is there and when it has another size, with the size where the browser knows it. */
export function onResize(element: Readonly<ShallowRef<Element | null>>, resized: (box: DOMRectReadOnly | undefined) => void): void {
  const observer = new ResizeObserver(entries => resized(entries[0]?.contentRect))
  watch(element, (now, before) => {
    if (before) observer.unobserve(before)
    if (now) observer.observe(now)
  }, { immediate: true, flush: 'post' })
  onScopeDispose(() => observer.disconnect())
}
