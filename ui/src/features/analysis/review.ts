import { shallowRef, watch, type ShallowRef } from 'vue'
import { useBackend, type CandidateView, type GameView, type GraphValue, type LineReview, type PhasesLost, type PlayerReview, type Vertex } from '@/api'
import { wholeNumber } from '@/i18n/formats'

/** Better moves that are named beside a mistake. */
const NAMED = 3
/** Share of the most visited move's visits from which another one is advice. */
const ENOUGH_SHARE = 0.05

/** Moves of the position before a mistake that lose less than half as much, the best first. */
export function betterMoves(candidates: readonly CandidateView[], played: Vertex, loss: number): CandidateView[] {
  const most = Math.max(1, ...candidates.map(candidate => candidate.visits))
  return candidates
    .filter(candidate => candidate.vertex !== played && candidate.visits >= most * ENOUGH_SHARE && (candidate.pointsLost ?? 0) < loss / 2)
    .slice(0, NAMED)
}

/** Rows in the order of `before`, those that are new behind them: for a list that somebody is about to press. */
export function inOrderOf<Row extends { readonly nodeId: number }>(before: readonly Row[], rows: readonly Row[]): Row[] {
  const places = new Map(before.map(({ nodeId }, at) => [nodeId, at]))
  const placeOf = ({ nodeId }: Row): number => places.get(nodeId) ?? before.length
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Parts of a game, in their order. */
export const PHASES = ['opening', 'middle', 'endgame'] as const satisfies readonly (keyof PhasesLost)[]

/** What is told of a player's moves beside the points: those of the engine's choice, and mistakes by size. */
export const CHOICES = ['first', 'five', 'small', 'large', 'largest'] as const

/** The figures of {@link CHOICES}: shares of the moves, and counts. */
export function choiceFigures({ moves, best, amongTop, sizes }: PlayerReview, percent: (share: number) => string): string[] {
  const share = (count: number): string => moves === 0 ? '–' : percent(count / moves)
  return [share(best), share(amongTop), ...sizes.map(wholeNumber)]
}

/** How the players of the variation on the board did; asked again whenever more is known, or another one is on the board. */
export function useLineReview(game: () => GameView, values: () => ReadonlyMap<number, GraphValue> | undefined): Readonly<ShallowRef<LineReview | undefined>> {
  const backend = useBackend()
  const review = shallowRef<LineReview>()
  let asking = false
  let outdated = false

  async function ask(): Promise<void> {
    outdated = true
    if (asking) return
    asking = true
    while (outdated) {
      outdated = false
      const { gameId } = game()
      const answer = await backend.call('review_line', { gameId })
      if (answer.status === 'ok' && gameId === game().gameId) review.value = answer.data
    }
    asking = false
  }

  watch(() => game().gameId, () => { review.value = undefined })
  watch([() => game().gameId, () => game().position.line, values], () => void ask(), { immediate: true })
  return review
}
