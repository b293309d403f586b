import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

/** The colours of a theme, the light ones under those it changes. */
function tokens(selector: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const part of [':root {', selector]) {
    const start = css.indexOf(part)
    const body = css.slice(start, css.indexOf('}', start))
    for (const [, name, value] of body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)) found.set(name ?? '', value ?? '')
  }
  return found
}
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

describe.each([[':root {'], [":root[data-theme='dark']"], [":root[data-theme='contrast']"]])('theme %s', (selector) => {
  const theme = tokens(selector)
  const color = (name: string): string => theme.get(name) ?? '#ffffff'

  test('text reads on every ground (AA: 4.5)', () => {
    for (const ground of ['ground', 'surface', 'raised', 'sunken', 'accent-wash']) {
      for (const ink of ['ink', 'ink-soft', 'accent', 'danger']) {
        expect({ ink, ground, enough: contrast(color(ink), color(ground)) >= 4.5 }).toEqual({ ink, ground, enough: true })
      }
    }
    for (const [ink, ground] of [['accent-ink', 'accent'], ['danger', 'danger-wash'], ['warning', 'warning-wash'], ['ink', 'accent-wash'], ['graph-score', 'surface']]) {
      expect({ ink, ground, enough: contrast(color(ink ?? ''), color(ground ?? '')) >= 4.5 }).toEqual({ ink, ground, enough: true })
    }
  })

  test('edges of fields are seen (AA: 3)', () => {
    for (const ground of ['surface', 'raised']) expect(contrast(color('line-strong'), color(ground))).toBeGreaterThanOrEqual(3)
  })

  test('stones read as black and white', () => {
    expect(contrast(color('stone-black'), color('stone-white'))).toBeGreaterThan(12)
  })
})

test('what is drawn takes the colours of a contrast theme of the system', () => {
  const start = css.indexOf('@media (forced-colors: active)')
  expect(start).toBeGreaterThan(css.lastIndexOf(":root[data-theme='"))
  const block = css.slice(start, css.indexOf('\n}', start))
  // As strong as a theme that was chosen.
  expect(block).toContain(':root:root {')
  for (const name of ['surface', 'sunken', 'accent', 'ink', 'ink-soft', 'line-strong', 'graph-score']) {
    expect(block, name).toMatch(new RegExp(`--${name}: (Canvas|CanvasText|Highlight);`))
  }
})
