import { expect, test } from 'vitest'
import { scaleOfWindow } from './scale'

test.each([
  [390, 844, 1], [1280, 720, 1], [1920, 1080, 1], [2560, 1440, 1.25], [3840, 2160, 1.875], [7680, 4320, 2.5],
  // A wide, low window has no room for larger text, and neither has a narrow, high one.
  [3440, 1080, 1], [1080, 1920, 1],
])('a window of %i × %i has its text %f times as large', (width, height, scale) => {
  expect(scaleOfWindow(width, height)).toBe(scale)
})
