import { expect, test } from 'vitest'
import { laidOver, QUALITY_THRESHOLDS, qualityRgb, qualityStep, readableOn } from './quality'
import { BOARD_THEMES, groundRgb } from './themes'

const luminance = (rgb: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map(value => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

test('each step begins at its threshold', () => {
  expect([0, 0.99, 1, 2.9, 3, 5.9, 6, 11.9, 12, 80].map(qualityStep)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
})

test.each(['standard', 'colourBlind'] as const)('figures on every disc of the %s palette are readable', (palette) => {
  for (let loss = 0; loss < 15; loss += 0.1) {
    const color = qualityRgb(loss, palette)
    expect(contrast(luminance(color), readableOn(color) === '#fff' ? 1 : 0)).toBeGreaterThanOrEqual(4.5)
  }
})

test('figures stay readable on a disc that lets the ground of any theme through', () => {
  for (const theme of Object.values(BOARD_THEMES)) {
    for (let loss = 0; loss < 15; loss += 0.5) {
      for (const alpha of [0.62, 0.8, 0.97]) {
        const seen = laidOver(qualityRgb(loss), groundRgb(theme), alpha)
        expect(contrast(luminance(seen), readableOn(seen) === '#fff' ? 1 : 0)).toBeGreaterThanOrEqual(4.5)
      }
    }
  }
})

test('neighbouring steps differ in lightness, so that they part without colour too', () => {
  const lights = QUALITY_THRESHOLDS.map(loss => luminance(qualityRgb(loss, 'colourBlind')))
  lights.slice(1).forEach((light, index) => expect(contrast(light, lights[index] ?? 0)).toBeGreaterThan(1.3))
})

test('a loss that is not a number of points yet counts as none', () => {
  expect(qualityStep(-3)).toBe(0)
  expect(qualityRgb(-3)).toEqual(qualityRgb(0))
})
