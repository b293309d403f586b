import { expect, test } from 'vitest'
import { widthNames } from './useWidth'

test('a phone, a tablet and a desk each have their form', () => {
  expect(widthNames(390, 844, 1)).toEqual(['small', 'narrow', 'tight', 'middle'])
  expect(widthNames(1024, 768, 1)).toEqual(['tight', 'middle'])
  expect(widthNames(1280, 720, 1)).toEqual([])
})

test('with text twice as large a desk has room as a tablet has', () => {
  expect(widthNames(1280, 1000, 2)).toEqual(['narrow', 'tight', 'middle'])
  expect(widthNames(1280, 720, 0.8)).toEqual([])
})

test('a phone on its side is low, and so is a desk whose text is twice as large', () => {
  expect(widthNames(844, 390, 1)).toEqual(['tight', 'middle', 'low'])
  expect(widthNames(1280, 720, 2)).toContain('low')
})
