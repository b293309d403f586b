import type { SplitterPanel } from 'reka-ui'
import { computed, shallowRef, useTemplateRef, watch } from 'vue'
import { useSettings } from '@/features/settings'

type Room = 'library' | 'side'
/** Widths in pixels where a letter has its usual size; order in the window. */
const ROOMS = { library: { least: 200, most: 480, order: 0 }, side: { least: 280, most: 640, order: 2 } } as const

/** The rooms beside the board: as wide as the person made them, and wider with larger letters. */
export function useRooms() {
  const settings = useSettings()
  const libraryPanel = useTemplateRef<InstanceType<typeof SplitterPanel>>('libraryPanel')
  const sidePanel = useTemplateRef<InstanceType<typeof SplitterPanel>>('sidePanel')
  /** How much larger letters are than usual. */
  const scale = shallowRef(1)
  const measure = (): void => { scale.value = (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16 }
  measure()
  watch(() => settings.scale, measure, { flush: 'post' })
  watch(scale, () => {
    libraryPanel.value?.resize(settings.preferences.libraryWidth * scale.value)
    sidePanel.value?.resize(settings.preferences.sideWidth * scale.value)
  }, { flush: 'post' })

  const rooms = computed(() => {
    const of = (name: Room, width: number, keep: (width: number) => void) => ({
      order: ROOMS[name].order, sizeUnit: 'px' as const, defaultSize: width * scale.value, minSize: ROOMS[name].least * scale.value, maxSize: ROOMS[name].most * scale.value,
      onResize: (size: number) => { if (size > 0) keep(Math.round(size / scale.value)) },
    })
    return {
      library: of('library', settings.preferences.libraryWidth, (width) => { settings.preferences.libraryWidth = width }),
      side: of('side', settings.preferences.sideWidth, (width) => { settings.preferences.sideWidth = width }),
    }
  })
  const room = (name: Room) => rooms.value[name]

  return { room }
}
