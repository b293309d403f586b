import { watch } from 'vue'
import { useBackend } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { titleOf, useGames } from '@/features/game'
import { useReviews } from '@/features/library'
import { useSettings } from '@/features/settings'
import { useText } from '@/i18n'
import { wholeNumber } from '@/i18n/formats'

/** A review that takes so many milliseconds is a long one. */
export const LONG_MS = 15_000

/** Tells through the system that a long review is done, where that is wanted and the window is not in front. */
export function useLongReviews(): void {
  const { notifier } = useBackend()
  const analysis = useAnalysis()
  const games = useGames()
  const reviews = useReviews()
  const { preferences } = useSettings()
  const { t } = useText()

  function tell(began: number | undefined, title: string, body: string): void {
    if (began === undefined || performance.now() - began < LONG_MS || !preferences.notify || document.hasFocus()) return
    notifier?.show(title, body)
  }

  let sweepBegan: number | undefined
  watch(() => analysis.lastSweep && `${analysis.lastSweep.serial} ${analysis.lastSweep.state.kind}`, () => {
    const sweep = analysis.lastSweep
    if (sweep?.state.kind === 'running') {
      sweepBegan = performance.now()
      return
    }
    const game = games.games.find(one => one.gameId === sweep?.gameId)
    // A quick look draws the graph and is no review.
    if (sweep?.state.kind === 'finished' && sweep.visits > 1 && game) tell(sweepBegan, t('analysis.review.finished'), titleOf(game))
    sweepBegan = undefined
  })

  let queueBegan: number | undefined
  watch(() => reviews.queue.waiting > 0, (waiting) => {
    const { done, failed, asked } = reviews.queue
    if (waiting) queueBegan = performance.now()
    else {
      const numbers = { done: wholeNumber(done), failed: wholeNumber(failed) }
      // A list that was cleared ends with nothing done; of one that nobody asked for nobody waits to hear.
      if (done > 0 && asked) tell(queueBegan, t('analysis.review.finished'), failed > 0 ? t('library.reviews.failed', numbers, failed) : t('library.reviews.finished', numbers, done))
      queueBegan = undefined
    }
  })
}
