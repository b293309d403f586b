import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { CandidateView } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { useComparison } from './comparison'
import { useAnalysis } from './store'

/**
 * The line of a candidate that is played out on the board while the pointer or the focus rests on it, or, kept by a finger,
 * until it is put away.
 */
export const usePreview = defineStore('preview', () => {
  const games = useGames()
  const analysis = useAnalysis()
  const comparing = useComparison()
  const notices = useNotices()
  const vertex = shallowRef<number | null>()
  /** How many stones of the line are shown; undefined shows all. */
  const length = shallowRef<number>()
  const kept = shallowRef(false)
  // The line that was there when the pointer came: it does not change under the eyes of the reader.
  const held = shallowRef<readonly (number | null)[]>([])

  const line = computed(() => length.value === undefined ? held.value : held.value.slice(0, length.value))
  const active = computed(() => held.value.length > 0)
  const whole = computed(() => line.value.length === held.value.length)
  /** The territory that is expected after the candidate, where the engine reported it. */
  const ownership = computed(() => {
    const found = active.value ? analysis.shown?.candidates.find(known => known.vertex === vertex.value) : undefined
    return found && found.blackOwnership.length > 0 ? found.blackOwnership : undefined
  })

  /** A move of the list that is shown. */
  function candidateAt(move: number | null): CandidateView | undefined {
    return comparing.open && comparing.fresh ? comparing.candidate(move) : analysis.shown?.candidates.find(known => known.vertex === move)
  }

  /** A network's first thought has no line: then it is the move alone. */
  const wholeLine = (candidate: CandidateView): readonly (number | null)[] => candidate.pv.length > 0 ? candidate.pv : [candidate.vertex]

  /** The line of a candidate, as far as it is shown where it is on the board; empty for what is none. */
  function lineOf(move: number | null): readonly (number | null)[] {
    if (active.value && vertex.value === move) return line.value
    const found = candidateAt(move)
    return found ? wholeLine(found) : []
  }

  /** Adds the line of a candidate to the game as a variation; of the one that is shown, or else of the best, if none is named. */
  async function addLine(move = active.value ? vertex.value : analysis.shown?.candidates[0]?.vertex): Promise<void> {
    const { active: game, position } = games
    const moves = move === undefined ? [] : lineOf(move)
    if (!game || !position || moves.length === 0) return
    const update = await games.addLine(position.nodeId, moves)
    if (!update) return
    const added = update.grown?.branch.ids.length ?? 0
    if (added > 0) notices.show({ tone: 'success', title: say('analysis.line.added', { count: added }, added), action: { label: say('action.undo'), run: () => void games.undoIn(game.gameId) } })
    else notices.show({ tone: 'info', title: say('analysis.line.known') })
  }

  function show(candidate: number | null): boolean {
    if (vertex.value === candidate && active.value) return true
    const found = candidateAt(candidate)
    if (!found) {
      hide()
      return false
    }
    vertex.value = candidate
    held.value = wholeLine(found)
    kept.value = false
    length.value = undefined
    return true
  }

  /** Keeps the line on the board after the finger is lifted; once more puts it away. */
  function keep(candidate: number | null): void {
    if (kept.value && vertex.value === candidate) hide()
    else if (show(candidate)) kept.value = true
  }

  /** The pointer went away: what is kept stays. */
  function leave(): void {
    if (!kept.value) hide()
  }

  function hide(): void {
    kept.value = false
    vertex.value = undefined
    held.value = []
    length.value = undefined
  }

  function step(by: 1 | -1): void {
    const end = held.value.length
    // The wheel begins with the first stone; a finger that sees the whole line takes the last one away first.
    length.value = Math.max(1, Math.min(end, (length.value ?? (by > 0 ? 0 : end)) + by))
  }

  watch([() => games.activeId, () => games.position?.nodeId], hide)

  return { vertex, line, active, whole, kept, length, ownership, candidateAt, lineOf, addLine, show, keep, leave, hide, step, $reset: hide }
})
