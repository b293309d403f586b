import { describe, expect, test } from 'vitest'
import type { GraphValue } from '@/api'
import type { MadeMove } from '@/features/play'
import { courseOf, nodesToKnow, summaryOf } from './summary'

/** Moves of both sides in turn, a pass where the point is null; node 0 is the root. */
const moves = (...points: (number | null)[]): MadeMove[] =>
  points.map((point, index) => ({ nodeId: index + 1, number: index + 1, side: index % 2 === 0 ? 'black' : 'white', point }))
const values = (rows: readonly (readonly [chance: number, lead: number])[], visits = 4): Map<number, GraphValue> =>
  new Map(rows.map(([blackWinProb, blackScoreLead], nodeId) => [nodeId, { nodeId, blackWinProb, blackScoreLead, visits, judged: null }]))

describe('the course of a game', () => {
  test.each([
    [[0.5, 0.55, 0.45], { kind: 'even' }],
    [[0.5, 0.7, 0.9, 0.99], { kind: 'allAlong', leader: 'black' }],
    [[0.5, 0.5, 0.5, 0.5, 0.2, 0.1], { kind: 'from', leader: 'white', move: 4 }],
    [[0.5, 0.8, 0.5, 0.2, 0.8, 0.9], { kind: 'changed', leader: 'black', move: 4, changes: 2 }],
    [[0.5, 0.8, 0.8, 0.5], { kind: 'evened', leader: 'black' }],
    [[0.5, 0.8, 0.2, 0.5], { kind: 'open', changes: 1 }],
    // A lead that was lost for a moment is one from when it came back.
    [[0.5, 0.8, 0.8, 0.5, 0.8], { kind: 'from', leader: 'black', move: 4 }],
  ])('%j', (chances, course) => { expect(courseOf(chances)).toEqual(course) })
})

test('the passes at the end need not be known', () => {
  expect(nodesToKnow(0, moves(1, null, 2, null, null))).toEqual([0, 1, 2, 3])
})

test('a game is summed up once every position is known well enough', () => {
  const played = moves(1, 2, null, null)
  expect(summaryOf(0, played, undefined)).toBeUndefined()
  expect(summaryOf(0, played, values([[0.5, 0], [0.5, 0]]))).toBeUndefined()
  expect(summaryOf(0, played, values([[0.5, 0], [0.5, 0], [0.5, 0]], 1))).toBeUndefined()
  expect(summaryOf(0, played, values([[0.5, 0], [0.5, 0], [0.5, 0]]))).toEqual({ course: { kind: 'even' }, swing: undefined, turns: [] })
})

test('the dearest moves are turning points, and the largest loss is the swing', () => {
  const summary = summaryOf(0, moves(10, 11, 12, 13), values([[0.5, 0], [0.5, 0], [0.9, 9], [0.4, 1], [0.39, 0.5]]))
  expect(summary?.swing).toMatchObject({ number: 2, side: 'white', point: 11, lost: 9, before: 1 })
  expect(summary?.turns.map(turn => [turn.number, turn.lost])).toEqual([[2, 9], [3, 8]])
})

test('a game that is decided has no turning points where points are thrown away', () => {
  const summary = summaryOf(0, moves(1, 2), values([[0.99, 40], [0.98, 30], [0.99, 30]]))
  expect([summary?.swing?.lost, summary?.turns]).toEqual([10, []])
})
