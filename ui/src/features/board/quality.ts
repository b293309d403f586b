import type { QualityStep } from './model'

/** Points lost at which the next step of the scale begins. */
export const QUALITY_THRESHOLDS = [0, 1, 3, 6, 12] as const

/** Which colours the scale uses. */
export type QualityPalette = 'standard' | 'colourBlind'

export type Rgb = readonly [red: number, green: number, blue: number]

// Even steps in lightness on wood as well as on dark grounds; the second set keeps apart under every common colour blindness.
const PALETTES: Record<QualityPalette, readonly [Rgb, Rgb, Rgb, Rgb, Rgb]> = {
  standard: [[23, 155, 152], [122, 178, 66], [236, 190, 44], [228, 108, 52], [140, 46, 150]],
  colourBlind: [[0, 114, 178], [86, 180, 233], [240, 228, 66], [230, 122, 0], [110, 30, 90]],
}

/** The step for a number of points lost: 0 below one point, 4 from twelve. */
export function qualityStep(loss: number): QualityStep {
  if (loss >= QUALITY_THRESHOLDS[4]) return 4
  if (loss >= QUALITY_THRESHOLDS[3]) return 3
  if (loss >= QUALITY_THRESHOLDS[2]) return 2
  if (loss >= QUALITY_THRESHOLDS[1]) return 1
  return 0
}

/** Colour for a number of points lost, blended between the steps. */
export function qualityRgb(loss: number, palette: QualityPalette = 'standard'): Rgb {
  const colors = PALETTES[palette]
  const step = qualityStep(Math.max(0, loss))
  if (step === 4) return colors[4]
  const from = QUALITY_THRESHOLDS[step]
  const share = (Math.max(0, loss) - from) / (QUALITY_THRESHOLDS[step + 1 as QualityStep] - from)
  const low = colors[step]
  const high = colors[step + 1 as QualityStep]
  return [0, 1, 2].map(part => Math.round(low[part as 0 | 1 | 2] + (high[part as 0 | 1 | 2] - low[part as 0 | 1 | 2]) * share)) as unknown as Rgb
}

/** The same as a CSS colour. */
export function qualityColor(loss: number, palette: QualityPalette = 'standard', alpha = 1): string {
  const [red, green, blue] = qualityRgb(loss, palette)
  return `rgb(${red} ${green} ${blue} / ${alpha})`
}

/** A colour laid over another with an opacity, as it is seen. */
export function laidOver(color: Rgb, ground: Rgb, alpha: number): Rgb {
  const part = (index: 0 | 1 | 2): number => Math.round(color[index] * alpha + ground[index] * (1 - alpha))
  return [part(0), part(1), part(2)]
}

/** Black or white, whichever reads better on the colour (relative luminance after WCAG 2). */
export function readableOn([red, green, blue]: Rgb): '#000' | '#fff' {
  const linear = (value: number): number => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  return luminance > 0.179 ? '#000' : '#fff'
}
