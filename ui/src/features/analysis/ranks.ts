import { shallowRef, watch, type ShallowRef } from 'vue'
import { useBackend, type GameView, type LineReview, type RankReview } from '@/api'

/** Ranks that can be asked about, the weakest first. */
export const RANKS: readonly string[] = [...Array.from({ length: 20 }, (_, at) => `${20 - at}k`), ...Array.from({ length: 9 }, (_, at) => `${at + 1}d`)]
/** How likely somebody of the rank has to find something better. */
export const SHARES = [0.05, 0.15, 0.3, 0.5] as const

/** How strong the players were and who avoids which mistake; asked again when more is judged or another rank is chosen. */
export function useRankReview(game: () => GameView, review: () => LineReview | undefined, rank: () => string, resting: () => boolean): Readonly<ShallowRef<RankReview | undefined>> {
  const backend = useBackend()
  const found = shallowRef<RankReview>()
  let latest = 0

  async function ask(): Promise<void> {
    const ticket = ++latest
    const told = review()
    if (!resting() || !told || told.black.moves + told.white.moves === 0) return
    const answer = await backend.call('rank_review', { gameId: game().gameId, rank: rank() || null })
    if (ticket === latest) found.value = answer.status === 'ok' ? answer.data : undefined
  }
  watch(() => game().gameId, () => { found.value = undefined })
  watch([review, rank, resting], () => void ask(), { immediate: true })
  return found
}
