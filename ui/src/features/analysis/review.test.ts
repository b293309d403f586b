import { expect, test } from 'vitest'
import { inOrderOf } from './review'

test('rows that are held keep their places, whatever was found since', () => {
  const rows = (...nodes: number[]): { nodeId: number, lost: number }[] => nodes.map(nodeId => ({ nodeId, lost: nodeId * 2 }))
  const before = rows(7, 3, 9).map(row => ({ ...row, lost: 1 }))
  // 5 is new, 3 is no mistake any more, and 9 is worse than 7 now.
  expect(inOrderOf(before, rows(9, 5, 7, 4))).toEqual(rows(7, 9, 5, 4))
  expect(inOrderOf([], rows(9, 7))).toEqual(rows(9, 7))
})
