import { describe, expect, test } from 'vitest'
import { chartOf, ratingsAround } from './progress'

const game = (rating: number, deviation: number) => ({ played: 0, opponent: 'rank_10k', score: 1, rating, deviation, record: null })

describe('the chart of a rating', () => {
  test('spans the uncertainty between round numbers', () => {
    const chart = chartOf([game(1500, 150), game(1600, 100)], 300, 100)
    expect(chart.marks.map(mark => mark.rating)).toEqual([1200, 1400, 1600, 1800])
    expect(chart.line).toBe('0.0,50.0 300.0,33.3')
    expect(chart.band.split(' ')).toHaveLength(4)
  })

  test('one game is a point in the middle, and a wide range has few marks', () => {
    const one = chartOf([game(1500, 350)], 300, 100)
    expect(one.line.startsWith('150.0,')).toBe(true)
    expect(chartOf([game(0, 10), game(4000, 10)], 300, 100).marks.length).toBeLessThanOrEqual(8)
  })
})

test('the rating before and after a game is found by its record', () => {
  const games = [{ ...game(1400, 300), record: 'a' }, { ...game(1450, 250), record: 'b' }]
  expect(ratingsAround(games, 'b')).toEqual({ before: 1400, after: 1450 })
  expect(ratingsAround(games, 'a')).toEqual({ before: 1500, after: 1400 })
  expect(ratingsAround(games, null)).toBeUndefined()
})
