import { describe, expect, test } from 'vitest'
import type { GraphValue, LineReview, PlayerReview } from '@/api'
import type { MadeMove } from '@/features/play'
import { courseOf, movesBeforePasses, nodesToKnow, summaryOf } from './summary'

/** Moves of both sides in turn, a pass where the point is null; node 0 is the root. */
const moves = (...points: (number | null)[]): MadeMove[] =>
  points.map((point, index) => ({ nodeId: index + 1, number: index + 1, side: index % 2 === 0 ? 'black' : 'white', point }))
/** What is known of each node: Black's chance to win, and the points that the move to it lost, where it was judged. */
const values = (rows: readonly (readonly [chance: number, lost?: number])[]): Map<number, GraphValue> =>
  new Map(rows.map(([blackWinProb, lost], nodeId) => [nodeId, {
    nodeId, blackWinProb, blackScoreLead: 0, visits: 1, judged: lost === undefined ? null : { pointsLost: lost, best: 40 + nodeId, mistake: lost >= 2 },
  }]))

describe('the course of a game', () => {
  test.each([
    [[0.5, 0.55, 0.45], { kind: 'even' }],
    [[0.5, 0.7, 0.9, 0.99], { kind: 'allAlong', leader: 'black' }],
    [[0.5, 0.5, 0.5, 0.5, 0.2, 0.1], { kind: 'from', leader: 'white', move: 4 }],
    [[0.5, 0.8, 0.8, 0.2, 0.2, 0.8, 0.9], { kind: 'changed', leader: 'black', move: 5, changes: 2 }],
    [[0.5, 0.8, 0.8, 0.5], { kind: 'evened', leader: 'black' }],
    [[0.5, 0.8, 0.8, 0.2, 0.2, 0.5], { kind: 'open', changes: 1 }],
    // A lead that was lost for a moment is one from when it came back.
    [[0.5, 0.8, 0.8, 0.5, 0.8], { kind: 'from', leader: 'black', move: 4 }],
    // One position alone is what a first thought may be wrong about.
    [[0.5, 0.5, 0.8, 0.5, 0.2, 0.5], { kind: 'even' }],
  ])('%j', (chances, course) => { expect(courseOf(chances)).toEqual(course) })
})

test('the passes at the end need not be known, and are not among the moves before them', () => {
  expect([moves(1, null, 2, null, null), moves(null, null), moves(1, 2)].map(movesBeforePasses)).toEqual([3, 0, 2])
  expect(nodesToKnow(0, moves(1, null, 2, null, null))).toEqual([0, 1, 2, 3])
})

/** A review with these mistakes, the worst first, of which those of the nodes `decided` are turning points. */
function reviewOf(moves: readonly MadeMove[], mistakes: readonly (readonly [nodeId: number, lost: number])[], decided: readonly number[]): LineReview {
  const player: PlayerReview = { moves: 0, accuracy: null, lost: 0, mean: 0, phases: { opening: 0, middle: 0, endgame: 0 }, mistakes: 0, sizes: [0, 0, 0], best: 0, amongTop: 0 }
  return {
    moves: moves.length, black: player, white: player, turningPoints: [...decided], changes: [],
    mistakes: mistakes.map(([nodeId, pointsLost]) => ({
      nodeId, before: nodeId - 1, number: nodeId, side: moves[nodeId - 1]?.side ?? 'black', pointsLost, chanceLost: 0, best: 40 + nodeId,
    })),
  }
}

test('a game is summed up once every position is known', () => {
  const played = moves(1, 2, null, null)
  expect(summaryOf(0, played, undefined, undefined)).toBeUndefined()
  expect(summaryOf(0, played, values([[0.5], [0.5]]), undefined)).toBeUndefined()
  expect(summaryOf(0, played, values([[0.5], [0.5], [0.5]]), undefined)).toEqual({ course: { kind: 'even' }, swing: undefined, turns: [] })
})

test('what the review names is told in the order of the game, and the worst mistake of the side that lost with what was better', () => {
  const known = values([[0.5], [0.5, 0], [0.9, 9], [0.4, 8], [0.39, 0.5]])
  const played = moves(10, 11, 12, 13)
  const review = reviewOf(played, [[2, 9], [3, 8], [4, 2]], [3, 2])
  const summary = summaryOf(0, played, known, review)
  expect(summary?.swing).toMatchObject({ number: 2, side: 'white', point: 11, lost: 9, best: 42 })
  expect(summary?.turns.map(turn => [turn.number, turn.lost, turn.best])).toEqual([[2, 9, 42], [3, 8, 43]])
  expect(summaryOf(0, played, known, review, 'black')?.swing).toMatchObject({ number: 3, lost: 8 })
})

test('nobody is blamed for what the back end has not judged', () => {
  const played = moves(10, 11, 12)
  const summary = summaryOf(0, played, values([[0.5], [0.1], [0.9], [0.1]]), reviewOf(played, [], []))
  expect([summary?.swing, summary?.turns]).toEqual([undefined, []])
})

test('who lost by passing too early is not told that nobody was ahead', () => {
  const played = moves(10, 11, 12, null, null)
  const known = values([[0.5], [0.5, 0], [0.5, 0], [0.5, 0], [0.9, 10], [0.1, 10.6]])
  const review = reviewOf(played, [[5, 10.6], [4, 10]], [4, 5])
  expect(summaryOf(0, played, known, review, 'black')?.course).toEqual({ kind: 'from', leader: 'white', move: 5 })
  // Passes that lost nothing change nothing: a close game stays one.
  expect(summaryOf(0, played, known, reviewOf(played, [], []), 'black')?.course).toEqual({ kind: 'even' })
})
