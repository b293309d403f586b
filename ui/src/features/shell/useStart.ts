import { nextTick, onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'
import { fetchTheRest } from '@/components/lazily'
import { useGames } from '@/features/game'
import { useShell } from './store'

/** Milliseconds that a window without frames (one that is not seen) is given for its board. */
const WITHOUT_FRAMES_MS = 300
/** Milliseconds after the board in which nothing is fetched beside what the person does. */
const REST_MS = 800

/** The order of a start: the board, then what stands beside it, then what nobody asked for yet. */
export function useStart(): { boardIsDrawn: Readonly<ShallowRef<boolean>>, dialogsMade: Readonly<ShallowRef<boolean>> } {
  const shell = useShell()
  const games = useGames()
  const boardIsDrawn = shallowRef(false)
  const dialogsMade = shallowRef(false)
  const timers: ReturnType<typeof setTimeout>[] = []

  function showTheRest(): void {
    if (boardIsDrawn.value) return
    boardIsDrawn.value = true
    timers.push(setTimeout(() => {
      dialogsMade.value = true
      void fetchTheRest()
    }, REST_MS))
  }
  const stop = watch(() => shell.started || shell.startFailure !== undefined, async (answered) => {
    if (!answered) return
    await nextTick()
    stop()
    requestAnimationFrame(() => timers.push(setTimeout(showTheRest)))
    timers.push(setTimeout(showTheRest, WITHOUT_FRAMES_MS))
  }, { flush: 'post' })
  // A dialog that is asked for earlier is made at once.
  watch(() => shell.dialog !== undefined || games.choosing !== undefined || games.asked !== undefined, (wanted) => { if (wanted) dialogsMade.value = true }, { immediate: true })
  onScopeDispose(() => { for (const timer of timers) clearTimeout(timer) })
  return { boardIsDrawn, dialogsMade }
}
