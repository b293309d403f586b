import type { Side } from '@/api'
import { qualityStep } from '@/features/board'
import type { GraphPoint } from './graphScale'

/** A move that lost points. */
export interface Mistake {
  readonly nodeId: number
  /** Its place in the line, from 1. */
  readonly number: number
  readonly side: Side
  readonly loss: number
}

/** How a player did, over the moves that were evaluated. */
export interface PlayerReview {
  readonly moves: number
  readonly lost: number
  /** Points lost by a move on average; 0 without moves. */
  readonly mean: number
  /** Moves on each step of the scale, from the best. */
  readonly steps: readonly number[]
}

export interface Review {
  readonly black: PlayerReview
  readonly white: PlayerReview
  /** Worst first; of equal ones the earlier. */
  readonly mistakes: readonly Mistake[]
}

/** Points lost from which a move is listed. */
export const MISTAKE_FROM = 2

/** What the graph says of the players. `colorOf` says who moved to a node: 1 black, -1 white. */
export function reviewOf(points: readonly GraphPoint[], colorOf: (nodeId: number) => number): Review {
  const sums = { black: { moves: 0, lost: 0, steps: [0, 0, 0, 0, 0] }, white: { moves: 0, lost: 0, steps: [0, 0, 0, 0, 0] } }
  const mistakes: Mistake[] = []
  points.forEach(({ nodeId, loss }, number) => {
    const color = colorOf(nodeId)
    if (loss === undefined || color === 0) return
    const side = color === 1 ? 'black' : 'white'
    const sum = sums[side]
    sum.moves++
    sum.lost += loss
    const step = qualityStep(loss)
    sum.steps[step] = (sum.steps[step] ?? 0) + 1
    if (loss >= MISTAKE_FROM) mistakes.push({ nodeId, number, side, loss })
  })
  mistakes.sort((a, b) => b.loss - a.loss || a.number - b.number)
  const player = (side: Side): PlayerReview => ({ ...sums[side], mean: sums[side].moves > 0 ? sums[side].lost / sums[side].moves : 0 })
  return { black: player('black'), white: player('white'), mistakes }
}
