import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import { useSettings } from '@/features/settings'

/** Widths below which the window changes its form, in units of its own text: larger text makes a window narrower. */
const STEPS = [['small', 34], ['narrow', 52], ['tight', 66], ['middle', 74]] as const

export type WidthName = (typeof STEPS)[number][0]

/** The names that hold for a width in CSS pixels at a scale of all text. */
export function widthNames(pixels: number, scale: number): WidthName[] {
  return STEPS.filter(([, rem]) => pixels <= rem * 16 * scale).map(([name]) => name)
}

/** Keeps `data-width` of the page, which styles ask, and says which names hold. Media queries know nothing of the size of the text. */
export function useWidth(): ComputedRef<readonly WidthName[]> {
  const settings = useSettings()
  const pixels = shallowRef(window.innerWidth)
  const measure = (): void => { pixels.value = window.innerWidth }
  window.addEventListener('resize', measure)
  onScopeDispose(() => window.removeEventListener('resize', measure))
  const names = computed(() => widthNames(pixels.value, settings.scale))
  watch(names, (now) => { document.documentElement.dataset.width = now.join(' ') }, { immediate: true })
  return names
}
