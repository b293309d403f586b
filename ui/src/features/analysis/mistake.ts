import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { indexOf, useGames } from '@/features/game'
import { betterMoves } from './review'
import { useAnalysis } from './store'

/** A mistake that is looked at: the board shows the position before it. */
export const useMistake = defineStore('mistake', () => {
  const games = useGames()
  const analysis = useAnalysis()
  const chosen = shallowRef<{ readonly gameId: string, readonly nodeId: number, readonly before: number }>()

  /** The mistake whose position is on the board. */
  const shown = computed(() => {
    const game = games.active
    if (!game || chosen.value?.gameId !== game.gameId || chosen.value.before !== game.position.nodeId) return undefined
    const { nodeId } = chosen.value
    const move = game.tree.moves[indexOf(game.tree).entryOf(nodeId) ?? -1] ?? -2
    const judged = analysis.graph?.get(nodeId)?.judged
    if (move === -2 || !judged) return undefined
    return { nodeId, played: move < 0 ? null : move, loss: judged.pointsLost, best: judged.best }
  })

  /** Moves that lose less than the one that was played, the best first. */
  const better = computed(() => {
    const mistake = shown.value
    if (!mistake) return []
    return betterMoves(analysis.shown?.candidates ?? [], mistake.played, mistake.loss)
  })

  /** Goes to the position before a move. */
  async function show(nodeId: number): Promise<void> {
    const game = games.active
    const entry = game && indexOf(game.tree).entryOf(nodeId)
    const before = entry === undefined || entry === 0 ? undefined : game?.tree.ids[game.tree.parents[entry] ?? 0]
    if (!game || before === undefined) return
    chosen.value = { gameId: game.gameId, nodeId, before }
    await games.goTo(before)
    await analysis.recall(game.gameId, before)
  }

  return { shown, better, show, $reset: () => { chosen.value = undefined } }
})
