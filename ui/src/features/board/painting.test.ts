import { describe, expect, test } from 'vitest'
import { discRadius, layOutDisc, MIN_FIGURE, type TextWidth } from './discLayout'
import { centreOf, fitBoard, type BoardGeometry } from './geometry'
import type { Arrangement, CandidateDisc, DiscText } from './model'
import { paintAnalysis, type AnalysisPicture } from './paintAnalysis'
import { paintGround } from './paintGround'
import { paintMarks, type MarksPicture } from './paintMarks'
import type { StoneSprites } from './stoneSprites'
import { BOARD_THEMES } from './themes'

/** Something that was drawn: the furthest it reaches from a place, or the text and its size. */
interface Drawn { readonly kind: 'shape' | 'text', readonly x: number, readonly y: number, readonly reach: number, readonly text: string, readonly size: number }

/** A context that keeps where everything was drawn. A letter is 0.6 of its size wide. */
function recorder(): { context: CanvasRenderingContext2D, drawn: Drawn[] } {
  const drawn: Drawn[] = []
  const state: Record<string, unknown> = { font: '10px x', lineWidth: 1 }
  let path: { x: number, y: number, reach: number }[] = []
  const at = (x: number, y: number, reach = 0): void => { path.push({ x, y, reach }) }
  const finish = (line: number): void => {
    for (const { x, y, reach } of path) drawn.push({ kind: 'shape', x, y, reach: reach + line / 2, text: '', size: 0 })
  }
  const calls: Record<string, (...given: never[]) => unknown> = {
    beginPath: () => { path = [] },
    moveTo: (x: number, y: number) => at(x, y),
    lineTo: (x: number, y: number) => at(x, y),
    rect: (x: number, y: number, width: number, height: number) => { at(x, y); at(x + width, y + height) },
    arc: (x: number, y: number, radius: number) => at(x, y, radius),
    fill: () => finish(0),
    stroke: () => finish(Number(state.lineWidth)),
    measureText: (text: string) => ({ width: text.length * 0.6 * sizeOf(state.font) }),
    fillText: (text: string, x: number, y: number) => { drawn.push({ kind: 'text', x, y, reach: 0, text, size: sizeOf(state.font) }) },
  }
  const context = new Proxy(state, { get: (_, name) => name in state ? state[String(name)] : calls[String(name)] ?? (() => ({ addColorStop() { /* A gradient. */ } })) })
  return { context: context as unknown as CanvasRenderingContext2D, drawn }
}
const sizeOf = (font: unknown): number => Number(/([\d.]+)px/.exec(String(font))?.[1])

const sprites = { size: 10, black: [], white: [{}] } as unknown as StoneSprites
/** A board whose cells are as in a window: a phone, 1280x720, a large screen, and a small board. */
const BOARDS = [[19, 390], [19, 606], [19, 1100], [13, 390], [13, 606], [9, 390], [9, 606]] as const
function seen(side: number, room: number, ratio: number): { geometry: BoardGeometry, arrangement: Arrangement } {
  const geometry = fitBoard({ columns: side, rows: side, orientation: 0, availableWidth: room, availableHeight: room, ratio, coordinates: true })
  return { geometry, arrangement: { columns: side, rows: side, cells: new Uint8Array(side * side) } }
}
const figure = (text: string, short = text): DiscText => ({ text, short })
const FIGURES = [figure('52.1', '52'), figure('+12.5', '+13'), figure('1.2k', '1k')]
const LOSSES = [0, 1.5, 4, 8, 20]
const discs: CandidateDisc[] = LOSSES.map((loss, index) => ({ point: 20 + index * 2, loss, best: index === 0, weight: 1 - index * 0.2, figures: FIGURES }))
const picture = (more: Partial<AnalysisPicture> = {}): AnalysisPicture =>
  ({ candidates: discs, line: [], ownership: undefined, ownershipStyle: 'off', palette: 'standard', ...more })
const marks = (more: Partial<MarksPicture> = {}): MarksPicture =>
  ({ lastMove: undefined, ko: undefined, marks: [], links: [], numbers: undefined, verdicts: [], variations: [], ...more })

describe.each(BOARDS)('a board of %i lines in a room of %i pixels', (side, room) => {
  describe.each([1, 2, 3])('with %i device pixels to one', (ratio) => {
    const { geometry, arrangement } = seen(side, room, ratio)
    const radius = discRadius(geometry.cell / ratio) * ratio

    test('nothing of a candidate reaches over its disc, and figures can be read', () => {
      const { context, drawn } = recorder()
      paintAnalysis(context, geometry, BOARD_THEMES.wood, sprites, arrangement, picture(), 'x')
      for (const one of drawn) {
        const distance = Math.min(...discs.map((disc) => {
          const { x, y } = centreOf(geometry, disc.point)
          const wide = one.text.length * 0.6 * one.size / 2
          return Math.max(Math.hypot(one.x - x, one.y - y), Math.hypot(wide, one.y - y)) + one.reach
        }))
        expect(distance, JSON.stringify(one)).toBeLessThanOrEqual(radius * 1.001)
        if (one.kind === 'text') expect(one.size).toBeGreaterThanOrEqual(MIN_FIGURE * ratio)
      }
      expect(drawn.filter(one => one.kind === 'shape').length).toBeGreaterThanOrEqual(discs.length * 3 - 1)
    })

    test('names of lines, numbers, labels and lines played out can be read, and verdicts stay on their stones', () => {
      const { context, drawn } = recorder()
      ;(arrangement.cells as Uint8Array).fill(1, 30, 34)
      paintGround(context, geometry, BOARD_THEMES.flat, 'letters', side, 'x')
      const numbers = new Uint16Array(side * side)
      numbers.set([7, 42, 118, 250], 30)
      paintMarks(context, geometry, BOARD_THEMES.flat, arrangement, marks({ numbers, lastMove: 33, marks: [{ point: 40, kind: 'label', text: 'A' }] }), 'standard', 'x')
      paintAnalysis(context, geometry, BOARD_THEMES.flat, sprites, arrangement, picture({ candidates: [], line: [{ point: 50, color: 'white', number: 12 }] }), 'x')
      const texts = drawn.filter(one => one.kind === 'text')
      expect(texts.map(one => one.text)).toEqual(expect.arrayContaining(['A', '7', '42', '12']))
      for (const one of texts) expect(one.size, one.text).toBeGreaterThanOrEqual(MIN_FIGURE * ratio)

      drawn.length = 0
      paintMarks(context, geometry, BOARD_THEMES.flat, arrangement, marks({ verdicts: LOSSES.slice(1).map((loss, index) => ({ point: 30 + index, loss })) }), 'standard', 'x')
      expect(drawn.length).toBeGreaterThanOrEqual(LOSSES.length - 1)
      for (const one of drawn) {
        const distance = Math.min(...[30, 31, 32, 33].map((point) => {
          const { x, y } = centreOf(geometry, point)
          return Math.hypot(one.x - x, one.y - y) + one.reach
        }))
        expect(distance).toBeLessThanOrEqual(geometry.cell * BOARD_THEMES.wood.radius)
      }
    })
  })
})

test('on a phone a whole board has discs without figures, a small one has them', () => {
  const written = (side: number): string[] => {
    const { geometry, arrangement } = seen(side, 390, 3)
    const { context, drawn } = recorder()
    paintAnalysis(context, geometry, BOARD_THEMES.wood, sprites, arrangement, picture(), 'x')
    return drawn.filter(one => one.kind === 'text').map(one => one.text)
  }
  expect(written(19)).toEqual([])
  expect(written(9)).toContain('52')
})

test('under a mark of the record a candidate is a ring without figures', () => {
  const { geometry, arrangement } = seen(9, 606, 1)
  const drawnFor = (marked?: ReadonlySet<number>): Drawn[] => {
    const { context, drawn } = recorder()
    paintAnalysis(context, geometry, BOARD_THEMES.wood, sprites, arrangement, picture({ candidates: discs.slice(0, 1), ...(marked && { marked }) }), 'x')
    return drawn
  }
  expect(drawnFor().some(one => one.kind === 'text')).toBe(true)
  expect(drawnFor(new Set([20])).map(one => one.kind)).toEqual(['shape', 'shape'])
})

test('the mark of a variation follows the edge of a disc, so that it crosses no figures', () => {
  const { geometry, arrangement } = seen(19, 606, 1)
  const radiusOf = (of: ReadonlySet<number>): number => {
    const { context, drawn } = recorder()
    paintMarks(context, geometry, BOARD_THEMES.wood, arrangement, marks({ variations: [20], discs: of }), 'standard', 'x')
    return drawn[0]?.reach ?? 0
  }
  expect(radiusOf(new Set([20]))).toBeCloseTo(discRadius(geometry.cell))
  expect(radiusOf(new Set())).toBeLessThan(geometry.cell * 0.35)
})

describe('the figures of a disc', () => {
  const width: TextWidth = text => text.length * 0.6
  const texts = (radius: number, figures: readonly DiscText[]): string[] => layOutDisc(radius, figures, true, width).figures.map(placed => placed.text)

  test('are as many as there is room for, shortened before they are left out', () => {
    expect(texts(9, FIGURES)).toEqual([])
    expect(texts(13.8, FIGURES)).toEqual(['52'])
    expect(texts(17, FIGURES)).toEqual(['52', '+13'])
    expect(texts(33, FIGURES)).toEqual(['52.1', '+12.5', '1.2k'])
  })
  test('are always the first ones: another figure in its place would be read as the same', () => {
    expect(texts(13.8, [figure('+112.5', '+113'), figure('52')])).toEqual([])
  })
  test('the sign stands alone in the middle where none can be read', () => {
    expect(layOutDisc(9, FIGURES, true, width).sign.y).toBe(0)
    expect(layOutDisc(9, [], true, width).sign.y).toBe(0)
  })
})

test.each([['letters', 52, 606], ['letters', 52, 390], ['chinese', 52, 606], ['chinese', 37, 390], ['numbers', 30, 606], ['letters', 19, 390]] as const)('names in %s of %i columns in a room of %i pixels do not run into each other', (style, side, room) => {
  const { geometry } = seen(side, room, 2)
  const { context, drawn } = recorder()
  paintGround(context, geometry, BOARD_THEMES.flat, style, side, 'x')
  const first = drawn.find(one => one.kind === 'text')
  const above = drawn.filter(one => one.kind === 'text' && one.y === first?.y)
  expect(above.length).toBeGreaterThan(5)
  above.slice(1).forEach((one, index) => {
    const before = above[index] as Drawn
    const half = (text: Drawn): number => text.text.length * 0.6 * text.size / 2
    expect(one.x - half(one), `${before.text} ${one.text}`).toBeGreaterThan(before.x + half(before))
  })
})
