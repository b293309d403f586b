import { computed } from 'vue'
import type { GameView } from '@/api'
import { movesOfLine } from '@/features/game'
import { useSettings } from '@/features/settings'
import { hiddenMoves, shownNumbers } from './numbers'
import { useTrial } from './trial'
import { useBoardView } from './view'

/** The numbers on the stones of a game, and the moves whose numbers would be there and are not. */
export function useNumbers(game: () => GameView) {
  const { preferences } = useSettings()
  const view = useBoardView()
  const trial = useTrial()

  function numbered(numbers: readonly number[]): readonly number[] | undefined {
    const { moveNumber } = game().position
    return trial.active
      ? shownNumbers(numbers, 'here', moveNumber, 0, moveNumber - trial.count)
      : shownNumbers(numbers, preferences.moveNumbers, moveNumber, preferences.lastNumbers, view.numbersFrom)
  }

  const numbers = computed(() => numbered(game().position.moveNumbers))
  const hidden = computed(() => {
    if (!numbers.value) return []
    const moves = movesOfLine(game()).slice(0, game().position.moveNumber)
    return hiddenMoves(moves, numbered(moves.map(({ number }) => number)) ?? [], numbers.value)
  })

  return { numbers, hidden }
}
