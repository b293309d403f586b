import { expect, test } from 'vitest'
import type { GraphValue } from '@/api'
import { stoneVerdicts } from './verdicts'

/** Six moves on a line of points; Black's second and White's first and third lost points. */
const position = { stones: [1, -1, 1, -1, 1, -1, 0], moveNumbers: [1, 2, 3, 4, 5, 6, 0], moveNumber: 6, line: [10, 11, 12, 13, 14, 15, 16], lineIndex: 6 }
/** Points that the move to each node lost; null where it was not judged. */
const graphOf = (losses: readonly (number | null)[]): Map<number, GraphValue> => new Map(losses.map((loss, index) => {
  const judged = loss === null ? null : { pointsLost: loss, best: null, mistake: loss >= 2 }
  return [10 + index, { nodeId: 10 + index, blackWinProb: 0.5, blackScoreLead: 0, visits: 100, judged }]
}))
const losses = [null, 0, 3, 5, 0.2, 0, 7.2]

test('stones of moves that lost a point or more say so, whoever played them', () => {
  expect(stoneVerdicts(position, graphOf(losses), 'all').map(({ point, loss }) => [point, loss]))
    .toEqual([[1, 3], [2, 5], [5, 7.2]])
})

test('only the last four moves are recent', () => {
  expect(stoneVerdicts(position, graphOf(losses), 'recent').map(({ point }) => point)).toEqual([2, 5])
  expect(stoneVerdicts(position, graphOf(losses), 'off')).toEqual([])
})

test('a move that nobody judged says nothing', () => {
  expect(stoneVerdicts(position, graphOf(losses.map(() => null)), 'all')).toEqual([])
  expect(stoneVerdicts(position, undefined, 'all')).toEqual([])
})
