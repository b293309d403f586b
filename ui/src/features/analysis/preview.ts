import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useGames } from '@/features/game'
import { useAnalysis } from './store'

/** The line of a candidate that is played out on the board while the pointer or the focus rests on it. */
export const usePreview = defineStore('preview', () => {
  const games = useGames()
  const analysis = useAnalysis()
  const vertex = shallowRef<number | null>()
  /** How many stones of the line are shown; undefined shows all. */
  const length = shallowRef<number>()
  // The line that was there when the pointer came: it does not change under the eyes of the reader.
  const held = shallowRef<readonly (number | null)[]>([])

  const line = computed(() => length.value === undefined ? held.value : held.value.slice(0, length.value))
  const active = computed(() => held.value.length > 0)
  /** The territory that is expected after the candidate, where the engine told it. */
  const ownership = computed(() => {
    const found = active.value ? analysis.shown?.candidates.find(known => known.vertex === vertex.value) : undefined
    return found && found.blackOwnership.length > 0 ? found.blackOwnership : undefined
  })

  function show(candidate: number | null): boolean {
    if (vertex.value === candidate && active.value) return true
    const found = analysis.shown?.candidates.find(known => known.vertex === candidate)
    if (!found) {
      hide()
      return false
    }
    vertex.value = candidate
    held.value = found.pv
    length.value = undefined
    return true
  }

  function hide(): void {
    vertex.value = undefined
    held.value = []
    length.value = undefined
  }

  function step(by: 1 | -1): void {
    const whole = held.value.length
    length.value = Math.max(1, Math.min(whole, (length.value ?? (by > 0 ? 0 : whole)) + by))
  }

  watch([() => games.activeId, () => games.position?.nodeId], hide)

  return { vertex, line, active, length, ownership, show, hide, step, $reset: hide }
})
