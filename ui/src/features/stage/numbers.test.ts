import { expect, test } from 'vitest'
import { shownNumbers } from './numbers'

const numbers = [0, 1, 2, 3, 4]

test('numbers on all stones, on the last ones, and counted from a move on', () => {
  expect(shownNumbers(numbers, 'off', 4, 2, undefined)).toBeUndefined()
  expect(shownNumbers(numbers, 'all', 4, 2, undefined)).toEqual([0, 1, 2, 3, 4])
  expect(shownNumbers(numbers, 'last', 4, 2, undefined)).toEqual([0, 0, 0, 3, 4])
  expect(shownNumbers(numbers, 'here', 4, 2, 2)).toEqual([0, 0, 0, 1, 2])
  expect(shownNumbers(numbers, 'here', 4, 2, undefined)).toBeUndefined()
})
