import { expect, test } from 'vitest'
import type { GraphValue, TreeView } from '@/api'
import { moveNodes, useGames } from '@/features/game'
import { startApp } from '@/testing'
import { stoneVerdicts } from './verdicts'

/** Six moves on a line of points; Black's second and White's first and third lost points. */
const line = [10, 11, 12, 13, 14, 15, 16]
const tree: TreeView = { revision: 1, ids: line, parents: [0, 0, 1, 2, 3, 4, 5], moves: [-2, 0, 1, 2, 3, 4, 5], colors: [0, 1, -1, 1, -1, 1, -1], comments: line.map(() => 0), annotated: [] }
const game = { tree, position: { stones: [1, -1, 1, -1, 1, -1, 0], moveNumbers: [1, 2, 3, 4, 5, 6, 0], moveNumber: 6, line, lineIndex: 6 } }
/** Points that the move to each node lost; null where it was not judged. */
const graphOf = (losses: readonly (number | null)[]): Map<number, GraphValue> => new Map(losses.map((loss, index) => {
  const judged = loss === null ? null : { pointsLost: loss, best: null, mistake: loss >= 2 }
  return [10 + index, { nodeId: 10 + index, blackWinProb: 0.5, blackScoreLead: 0, visits: 100, judged }]
}))
const losses = [null, 0, 3, 5, 0.2, 0, 7.2]

test('stones of moves that lost a point or more say so, whoever played them', () => {
  expect(stoneVerdicts(game, graphOf(losses), 'all').map(({ point, loss }) => [point, loss]))
    .toEqual([[1, 3], [2, 5], [5, 7.2]])
})

test('only the last four moves are recent', () => {
  expect(stoneVerdicts(game, graphOf(losses), 'recent').map(({ point }) => point)).toEqual([2, 5])
  expect(stoneVerdicts(game, graphOf(losses), 'off')).toEqual([])
})

test('a move that nobody judged says nothing', () => {
  expect(stoneVerdicts(game, graphOf(losses.map(() => null)), 'all')).toEqual([])
  expect(stoneVerdicts(game, undefined, 'all')).toEqual([])
})

test('points lost stand on the stone of their own move, also behind a node that only has a comment', async () => {
  const { backend } = await startApp({ game: '(;SZ[9];B[aa];W[bb];C[a word];B[cc];W[dd])', at: 5 })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') useGames().adopt(startup.data.games)
  const opened = useGames().active!
  // The first move lost nine points, the others none.
  const graph = new Map(opened.position.line.map((nodeId, index): [number, GraphValue] => [nodeId, {
    nodeId, blackWinProb: 0.5, blackScoreLead: 0, visits: 100, judged: { pointsLost: index === 1 ? 9 : 0, best: null, mistake: index === 1 },
  }]))
  expect(stoneVerdicts(opened, graph, 'all')).toEqual([{ point: 0, loss: 9 }])
  const moved = (point: number): number | undefined => moveNodes(opened)[(opened.position.moveNumbers[point] ?? 0) - 1]
  expect([0, 10, 20, 30, 40].map(moved)).toEqual([1, 2, 4, 5].map(index => opened.position.line[index]).concat(undefined))
})
