import { expect, test } from 'vitest'
import type { TreeView } from '@/api'
import { movesTo } from './lastMoves'

test('the moves to a node are those of its own variation, passes included', () => {
  // 0 - 1 - 2 - 3 and a variation 0 - 1 - 4.
  const tree: TreeView = { revision: 1, ids: [0, 1, 2, 3, 4], parents: [0, 0, 1, 2, 1], moves: [-2, 40, 41, -1, -1], colors: [0, 1, -1, 1, -1], comments: [0, 0, 0, 0, 0], annotated: [] }
  expect(movesTo(tree, 3).map(move => [move.number, move.side, move.point])).toEqual([[1, 'black', 40], [2, 'white', 41], [3, 'black', null]])
  expect(movesTo(tree, 4).map(move => move.nodeId)).toEqual([1, 4])
  expect(movesTo(tree, 0)).toEqual([])
})
