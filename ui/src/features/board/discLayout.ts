import type { DiscText } from './model'

/** Where the sign and the figures of a candidate lie on its disc. All lengths are CSS pixels, offsets are from its centre. */

/** Figures smaller than this are left out: nobody could read them. */
export const MIN_FIGURE = 11

/** On smaller discs a figure would fill the disc from edge to edge: the list beside the board has it. */
const MIN_RADIUS = 11.5

/** Beyond this cell a disc grows slower than the board, so that it does not cover it. */
const LARGE_CELL = 48
/** Height of a digit, and the gap between two lines, in the size of the type. */
const DIGIT_HEIGHT = 0.73
const LINE_GAP = 0.36

/** The radius of a disc on a board of such cells. */
export function discRadius(cell: number): number {
  return cell <= LARGE_CELL ? cell * 0.475 : LARGE_CELL * 0.475 + (cell - LARGE_CELL) * 0.22
}

export interface PlacedFigure {
  readonly text: string
  readonly size: number
  readonly bold: boolean
  /** Its middle, below the centre of the disc. */
  readonly y: number
}

export interface DiscLayout {
  readonly figures: readonly PlacedFigure[]
  /** The sign of the step: its reach from its own middle, and that middle. */
  readonly sign: { readonly size: number, readonly y: number }
}

/** How wide a text is at a size of 1. */
export type TextWidth = (text: string, bold: boolean) => number

/** Sizes of the first line and of the others for each number of lines, in radii of the disc. */
const SIZES = [[0.76, 0.6], [0.66, 0.52], [0.56, 0.44]] as const
const MAX_SIZES = [17, 14] as const
/** Long figures are written smaller, before they are left out. */
const SCALES = [1, 0.9, 0.8] as const

/**
 * As many of the figures as can be read inside the disc, always the first ones, so that all discs tell the same; where none
 * can, the sign stands alone in the middle. Without a sign they have the whole disc.
 */
export function layOutDisc(radius: number, figures: readonly DiscText[], signed: boolean, width: TextWidth): DiscLayout {
  const size = Math.max(2.2, Math.min(4.5, radius * 0.15))
  const top = size - Math.sqrt((radius * 0.94) ** 2 - size ** 2)
  for (let count = radius < MIN_RADIUS ? 0 : Math.min(figures.length, SIZES.length); count > 0; count--) {
    const chosen = figures.slice(0, count)
    for (const texts of [chosen.map(figure => figure.text), chosen.map(figure => figure.short)]) {
      for (const scale of SCALES) {
        const placed = stack(radius, texts, scale, signed ? top + size * 1.8 : -radius, width)
        if (placed) return { figures: placed, sign: { size, y: top } }
      }
    }
  }
  return { figures: [], sign: { size: Math.max(2.5, radius * 0.3), y: 0 } }
}

/** The lines under each other between the sign and the lower edge, or nothing where one of them would reach over the edge. */
function stack(radius: number, texts: readonly string[], scale: number, from: number, width: TextWidth): PlacedFigure[] | undefined {
  const [first, others] = SIZES[Math.min(texts.length, SIZES.length) - 1] ?? SIZES[0]
  const lines = texts.map((text, index) => {
    const bold = index === 0
    const size = Math.max(MIN_FIGURE, Math.min(MAX_SIZES[bold ? 0 : 1], radius * (bold ? first : others) * scale))
    return { text, bold, size, height: size * DIGIT_HEIGHT }
  })
  const gap = LINE_GAP * MIN_FIGURE
  const whole = lines.reduce((sum, line) => sum + line.height, 0) + gap * (lines.length - 1)
  // In the middle of the disc where there is room for it, else right under the sign.
  let y = Math.max(from, Math.min(-whole / 2 + radius * 0.1, radius - whole))
  const placed: PlacedFigure[] = []
  for (const { text, bold, size, height } of lines) {
    const reach = Math.max(Math.abs(y), Math.abs(y + height))
    if (Math.hypot(width(text, bold) * size / 2, reach) > radius * 0.98) return undefined
    placed.push({ text, bold, size, y: y + height / 2 })
    y += height + gap
  }
  return placed
}

/** The size for figures on a stone or a point: the usual one, or the least that can be read, or nothing where that is too wide. */
export function fittingSize(usual: number, room: number, text: string, width: TextWidth): number | undefined {
  const size = Math.max(MIN_FIGURE, usual)
  return width(text, true) * size <= room ? size : undefined
}

const known = new Map<string, number>()

/** Widths as the canvas draws them; each letter is measured once. */
export function measuredBy(context: CanvasRenderingContext2D, font: string): TextWidth {
  return (text, bold) => {
    let sum = 0
    for (const letter of text) {
      const key = `${bold} ${letter} ${font}`
      let width = known.get(key)
      if (width === undefined) {
        context.font = `${bold ? 700 : 500} 100px ${font}`
        width = context.measureText(letter).width / 100
        known.set(key, width)
      }
      sum += width
    }
    return sum
  }
}
