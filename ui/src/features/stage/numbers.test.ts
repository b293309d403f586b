import { expect, test } from 'vitest'
import { hiddenMoves, shownNumbers } from './numbers'

const numbers = [0, 1, 2, 3, 4]

test('numbers on all stones, on the last ones, and counted from a move on', () => {
  expect(shownNumbers(numbers, 'off', 4, 2, undefined)).toBeUndefined()
  expect(shownNumbers(numbers, 'all', 4, 2, undefined)).toEqual([0, 1, 2, 3, 4])
  expect(shownNumbers(numbers, 'last', 4, 2, undefined)).toEqual([0, 0, 0, 3, 4])
  expect(shownNumbers(numbers, 'here', 4, 2, 2)).toEqual([0, 0, 0, 1, 2])
  expect(shownNumbers(numbers, 'here', 4, 2, undefined)).toBeUndefined()
})

test('moves that were taken, covered or passed are listed with what stands there now', () => {
  const moves = [{ point: 0 }, { point: 1 }, { point: null }, { point: 0 }, { point: 2 }]
  expect(hiddenMoves(moves, [1, 2, 3, 4, 5], [4, 0, 5])).toEqual([
    { number: 1, point: 0, by: 4 }, { number: 2, point: 1, by: 0 }, { number: 3, point: null, by: 0 },
  ])
  // Those that carry no number in this view are not missing.
  expect(hiddenMoves(moves, [0, 0, 0, 1, 2], [1, 0, 2])).toEqual([])
})
