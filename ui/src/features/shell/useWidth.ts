import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import { useSettings } from '@/features/settings'

/** Widths below which the window changes its form, in units of its own text: larger text makes a window narrower. */
const STEPS = [['small', 34], ['narrow', 52], ['tight', 66], ['middle', 74]] as const

/** The height, in the same units, of a window whose rows leave no board: a phone that lies on its side. */
const LOW = 30

export type WidthName = (typeof STEPS)[number][0] | 'low'

/** The names that hold for a window of so many CSS pixels at a scale of all text. */
export function widthNames(width: number, height: number, scale: number): WidthName[] {
  const names: WidthName[] = STEPS.filter(([, rem]) => width <= rem * 16 * scale).map(([name]) => name)
  return height <= LOW * 16 * scale ? [...names, 'low'] : names
}

/** Keeps `data-width` of the page, which styles ask, and says which names hold. Media queries know nothing of the size of the text. */
export function useWidth(): ComputedRef<readonly WidthName[]> {
  const settings = useSettings()
  const width = shallowRef(window.innerWidth)
  const height = shallowRef(window.innerHeight)
  const measure = (): void => {
    width.value = window.innerWidth
    height.value = window.innerHeight
  }
  window.addEventListener('resize', measure)
  onScopeDispose(() => window.removeEventListener('resize', measure))
  const names = computed(() => widthNames(width.value, height.value, settings.scale))
  watch(names, (now) => { document.documentElement.dataset.width = now.join(' ') }, { immediate: true })
  return names
}
