import { expect, test } from 'vitest'
import { widthNames } from './useWidth'

test('a phone, a tablet and a desk each have their form', () => {
  expect(widthNames(390, 1)).toEqual(['small', 'narrow', 'tight', 'middle'])
  expect(widthNames(1024, 1)).toEqual(['tight', 'middle'])
  expect(widthNames(1280, 1)).toEqual([])
})

test('with text twice as large a desk has room as a tablet has', () => {
  expect(widthNames(1280, 2)).toEqual(['narrow', 'tight', 'middle'])
  expect(widthNames(1280, 0.8)).toEqual([])
})
