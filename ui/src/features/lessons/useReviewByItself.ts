import { onScopeDispose, watch } from 'vue'
import { useBackend } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { useModes, usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { useLessons } from './store'

/** Milliseconds that a game that was opened has for its board and its first candidates. */
const AFTER_MS = 700

/** A game that is opened is reviewed by itself, where the back end holds that to be right, and its turning points are fetched. */
export function useReviewByItself(): void {
  const backend = useBackend()
  const analysis = useAnalysis()
  const games = useGames()
  const settings = useSettings()
  const lessons = useLessons()
  const modes = useModes()
  const play = usePlay()
  const begun = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  // The names of games mean others once it is started again.
  watch(backend.run, () => begun.clear())

  const cancel = (): void => { clearTimeout(timer); timer = undefined }
  // The end of a game that was played looks at it by itself.
  const waiting = (): string | undefined => {
    const id = games.activeId
    return id === undefined || modes.playing || analysis.sweep || begun.has(id) || analysis.reviewed.has(id) ? undefined : id
  }
  watch([waiting, () => settings.settings.reviewByItself, () => play.over], ([id]) => {
    cancel()
    if (id === undefined) return
    timer = setTimeout(() => void (async () => {
      if (waiting() === id && await analysis.reviewByItself()) begun.add(id)
    })(), AFTER_MS)
  }, { immediate: true })

  // A game whose review gave way to one that has just ended is taken up again when somebody comes back to it.
  watch(() => analysis.sweep, (now, before) => { if (now && before && now.gameId !== before.gameId) begun.delete(before.gameId) })

  // The first cards are there long before the last move is judged; each look at them waits for the one before.
  const judged = (): number => [...analysis.graph?.values() ?? []].filter(value => value.judged).length
  let looking = false
  let again = false
  async function choose(): Promise<void> {
    again = true
    if (looking) return
    looking = true
    while (again) {
      again = false
      await lessons.chooseAgain()
    }
    looking = false
  }
  watch(() => analysis.sweep?.gameId === games.activeId && analysis.reviewing ? judged() : undefined, (found) => { if (found) void choose() })
  const settled = (): string | undefined => games.activeId !== undefined && analysis.reviewed.has(games.activeId) ? games.activeId : undefined
  watch([settled, () => analysis.lastSweep?.state.kind], ([id]) => { if (id !== undefined) void choose() }, { immediate: true })
  onScopeDispose(cancel)
}
