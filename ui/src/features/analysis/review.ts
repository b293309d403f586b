import type { CandidateView, Side, Vertex } from '@/api'
import { qualityStep } from '@/features/board'
import type { GraphPoint } from './graphScale'

/** A move that lost points. */
export interface Mistake {
  readonly nodeId: number
  /** Its place in the line, from 1. */
  readonly number: number
  readonly side: Side
  readonly loss: number
  /** What the engine would have played. */
  readonly best: Vertex
}

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

/** Parts of a game, by the number of moves: on 19x19 the opening ends after move 50 and the middle game after move 150. */
export const PHASES = ['opening', 'middle', 'endgame'] as const
export type Phase = (typeof PHASES)[number]

/** The part of the game that a move belongs to; `area` is the number of points of the board. */
export function phaseOf(number: number, area: number): Phase {
  const share = number / area
  return share <= 50 / 361 ? 'opening' : share <= 150 / 361 ? 'middle' : 'endgame'
}

/**
 * How near to the engine's choice somebody played, 0 to 100: each move counts 0.75 to the power of the points it lost, so
 * that one lost point is three quarters of a good move and one great blunder does not drown all others.
 */
export function accuracyOf(losses: readonly number[]): number | undefined {
  if (losses.length === 0) return undefined
  return 100 * losses.reduce((sum, loss) => sum + 0.75 ** loss, 0) / losses.length
}

/** How a player did, over the moves that were judged. */
export interface PlayerReview {
  readonly moves: number
  readonly lost: number
  /** Points lost by a move on average; 0 without moves. */
  readonly mean: number
  /** Moves on each step of the scale, from the best. */
  readonly steps: readonly number[]
  /** 0 to 100; undefined without moves. */
  readonly accuracy: number | undefined
  /** Points lost in each part of the game. */
  readonly phases: Readonly<Record<Phase, number>>
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
export function reviewOf(points: readonly GraphPoint[], colorOf: (nodeId: number) => number, area = 361): Review {
  const nothing = () => ({ moves: 0, lost: 0, steps: [0, 0, 0, 0, 0], losses: [] as number[], phases: { opening: 0, middle: 0, endgame: 0 } })
  const sums = { black: nothing(), white: nothing() }
  const mistakes: Mistake[] = []
  points.forEach(({ nodeId, value, loss }, number) => {
    const color = colorOf(nodeId)
    if (loss === undefined || color === 0) return
    const side = color === 1 ? 'black' : 'white'
    const sum = sums[side]
    sum.moves++
    sum.lost += loss
    sum.losses.push(loss)
    sum.phases[phaseOf(number, area)] += loss
    const step = qualityStep(loss)
    sum.steps[step] = (sum.steps[step] ?? 0) + 1
    if (loss >= MISTAKE_FROM) mistakes.push({ nodeId, number, side, loss, best: value?.judged?.best ?? null })
  })
  mistakes.sort((a, b) => b.loss - a.loss || a.number - b.number)
  const player = (side: Side): PlayerReview => {
    const { losses, ...sum } = sums[side]
    return { ...sum, mean: sum.moves > 0 ? sum.lost / sum.moves : 0, accuracy: accuracyOf(losses) }
  }
  return { black: player('black'), white: player('white'), mistakes }
}
