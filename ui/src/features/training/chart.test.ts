import { expect, test } from 'vitest'
import { places, scaleOf } from './chart'

test('scales have round ends around what they hold', () => {
  expect(scaleOf([-35, 410])).toEqual({ low: -200, high: 600, ticks: [-200, 0, 200, 400, 600] })
  expect(scaleOf([0, 100]).ticks).toEqual([0, 50, 100])
  expect(scaleOf([0.12, 0.31]).ticks).toEqual([0.1, 0.15, 0.2, 0.25, 0.3, 0.35])
  expect(scaleOf([5]).ticks.length).toBeGreaterThan(1)
  expect(scaleOf([]).ticks).toEqual([0, 0.5, 1])
  expect(scaleOf([0, 0]).ticks.length).toBeGreaterThan(1)
  expect(scaleOf([NaN, 1, 2])).toMatchObject({ low: 1, high: 2 })
})

test('places are round whole numbers', () => {
  expect(places(1, 3)).toEqual([1, 2, 3])
  expect(places(0, 6)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(places(34, 292)).toEqual([50, 100, 150, 200, 250])
  expect(places(0, 120)).toEqual([0, 20, 40, 60, 80, 100, 120])
  expect(places(4, 4)).toEqual([4])
})
