import { describe, expect, test } from 'vitest'
import { accuracyOf, phaseOf, reviewOf } from './review'

const point = (nodeId: number, loss: number | undefined) => ({ nodeId, loss, value: undefined })
const colorOf = (nodeId: number): number => nodeId === 0 ? 0 : nodeId % 2 === 1 ? 1 : -1

describe('the review of a game', () => {
  const review = reviewOf([point(0, undefined), point(1, 0.5), point(2, 7), point(3, 13), point(4, undefined), point(5, 2), point(6, 2)], colorOf)

  test('lists mistakes worst first, the earlier one of equals first', () => {
    expect(review.mistakes.map(mistake => [mistake.number, mistake.side, mistake.loss])).toEqual([[3, 'black', 13], [2, 'white', 7], [5, 'black', 2], [6, 'white', 2]])
  })

  test('adds up for each player what was evaluated, and nothing else', () => {
    expect(review.black).toMatchObject({ moves: 3, lost: 15.5, mean: 15.5 / 3, steps: [1, 1, 0, 0, 1] })
    expect(review.white).toMatchObject({ moves: 2, lost: 9, mean: 4.5, steps: [0, 1, 0, 1, 0], phases: { opening: 9, middle: 0, endgame: 0 } })
  })

  test('of a game that nobody looked at says nothing', () => {
    const nothing = reviewOf([point(0, undefined), point(1, undefined)], colorOf)
    expect(nothing.mistakes).toEqual([])
    expect(nothing.black.mean).toBe(0)
  })
})

test('accuracy is 100 for faultless play and falls with the points lost', () => {
  expect(accuracyOf([])).toBeUndefined()
  expect(accuracyOf([0, 0])).toBe(100)
  expect(accuracyOf([1])).toBe(75)
  expect(accuracyOf([0, 40])).toBeCloseTo(50, 2)
})

test('the parts of a game follow the size of the board', () => {
  expect([50, 51, 150, 151].map(number => phaseOf(number, 361))).toEqual(['opening', 'middle', 'middle', 'endgame'])
  expect([11, 12, 33, 34].map(number => phaseOf(number, 81))).toEqual(['opening', 'middle', 'middle', 'endgame'])
})
