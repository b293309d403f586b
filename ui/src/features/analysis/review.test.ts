import { expect, test } from 'vitest'
import { choiceFigures, inOrderOf } from './review'

test('rows that are held keep their places, whatever was found since', () => {
  const rows = (...nodes: number[]): { nodeId: number, lost: number }[] => nodes.map(nodeId => ({ nodeId, lost: nodeId * 2 }))
  const before = rows(7, 3, 9).map(row => ({ ...row, lost: 1 }))
  // 5 is new, 3 is no mistake any more, and 9 is worse than 7 now.
  expect(inOrderOf(before, rows(9, 5, 7, 4))).toEqual(rows(7, 9, 5, 4))
  expect(inOrderOf([], rows(9, 7))).toEqual(rows(9, 7))
})

test('moves of the engine\'s choice are shares, mistakes of each size are counted', () => {
  const player = { moves: 8, lost: 20, mean: 2.5, accuracy: 60, phases: { opening: 20, middle: 0, endgame: 0 }, mistakes: 3, best: 2, amongTop: 6 }
  const percent = (share: number): string => `${Math.round(share * 100)}%`
  expect(choiceFigures({ ...player, sizes: [2, 0, 1] }, percent)).toEqual(['25%', '75%', '2', '0', '1'])
  expect(choiceFigures({ ...player, moves: 0, best: 0, amongTop: 0, sizes: [0, 0, 0] }, percent)).toEqual(['–', '–', '0', '0', '0'])
})
