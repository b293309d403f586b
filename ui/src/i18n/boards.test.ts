import { expect, test } from 'vitest'
import { boardWords } from './boards'

test('a board is called by its size, and by its edges where they meet', () => {
  expect(boardWords({ width: 9, height: 9, topology: 'plane' })).toBe('9 × 9')
  expect(boardWords({ width: 9, height: 13, topology: 'torus' })).toBe('9 × 13 · torus')
  expect(boardWords({ width: 9, height: 9, topology: 'cylinder' })).toBe('9 × 9 · cylinder')
})
