import { expect, test } from 'vitest'
import { neighbours } from './points'

test('a point has its neighbours beside it, and edges meet where the board joins them', () => {
  const sorted = (point: number, topology?: string): number[] => neighbours(point, { width: 9, height: 5, topology }).toSorted((a, b) => a - b)
  expect(sorted(0)).toEqual([1, 9])
  expect(sorted(20)).toEqual([11, 19, 21, 29])
  expect(sorted(44, 'plane')).toEqual([35, 43])
  expect(sorted(0, 'torus')).toEqual([1, 8, 9, 36])
  expect(sorted(44, 'torus')).toEqual([8, 35, 36, 43])
  expect(sorted(0, 'cylinder')).toEqual([1, 8, 9])
  expect(sorted(44, 'cylinder')).toEqual([35, 36, 43])
})
