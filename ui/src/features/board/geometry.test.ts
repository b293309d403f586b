import { describe, expect, test } from 'vitest'
import { centreOf, fitBoard, joinedView, pointAt, pointSeenAt, seenFrom, shiftOf, starPoints, turnedRight } from './geometry'
import type { Orientation } from './model'

const ORIENTATIONS: readonly Orientation[] = [0, 1, 2, 3, 4, 5, 6, 7]
const fit = (columns: number, rows: number, orientation: Orientation, width = 700, height = 500, ratio = 1) =>
  fitBoard({ columns, rows, orientation, availableWidth: width, availableHeight: height, ratio, coordinates: true })

describe('the board fitted into its room', () => {
  test.each([[19, 19], [9, 13], [2, 52], [52, 2], [52, 52]])('%i by %i never leaves the room, on whole pixels', (columns, rows) => {
    for (const orientation of ORIENTATIONS) {
      for (const ratio of [1, 1.5, 2]) {
        const geometry = fit(columns, rows, orientation, 713, 507, ratio)
        expect(geometry.width).toBeLessThanOrEqual(Math.ceil(713 * ratio))
        expect(geometry.height).toBeLessThanOrEqual(Math.ceil(507 * ratio))
        expect(Number.isInteger(geometry.cell) && Number.isInteger(geometry.left) && Number.isInteger(geometry.top)).toBe(true)
      }
    }
  })

  test('a square board fills the smaller side', () => {
    const geometry = fit(19, 19, 0, 900, 700)
    expect(geometry.height).toBeGreaterThan(690)
  })
})

describe('the eight ways to look at a board', () => {
  test.each(ORIENTATIONS)('way %i shows each point once, and clicks find it again', (orientation) => {
    const geometry = fit(5, 3, orientation)
    const seen = new Set<string>()
    for (let point = 0; point < 15; point++) {
      const place = seenFrom(geometry, point)
      seen.add(`${place.column} ${place.row}`)
      expect(pointSeenAt(geometry, place)).toBe(point)
      const { x, y } = centreOf(geometry, point)
      expect(pointAt(geometry, x, y)).toBe(point)
    }
    expect(seen.size).toBe(15)
  })

  test('a quarter turn takes the upper left corner to the upper right, four of them bring it back', () => {
    for (const start of ORIENTATIONS) {
      const before = fit(5, 3, start)
      const after = fit(5, 3, turnedRight(start))
      for (let point = 0; point < 15; point++) {
        const from = seenFrom(before, point)
        const to = seenFrom(after, point)
        // Clockwise: a row from the top becomes a column from the right.
        expect(to).toEqual({ column: before.rows - 1 - from.row, row: from.column })
      }
      expect(turnedRight(turnedRight(turnedRight(turnedRight(start))))).toBe(start)
    }
  })

  test('outside the board there is no point', () => {
    const geometry = fit(5, 3, 0)
    expect(pointAt(geometry, 0, 0)).toBeUndefined()
    expect(pointSeenAt(geometry, { column: 5, row: 0 })).toBeUndefined()
  })
})

test('star points are where they are on real boards', () => {
  expect(starPoints(19, 19)).toHaveLength(9)
  expect(starPoints(13, 13)).toHaveLength(5)
  expect(starPoints(9, 9).sort((a, b) => a - b)).toEqual([20, 24, 40, 56, 60])
  expect(starPoints(8, 8)).toHaveLength(4)
  expect(starPoints(5, 5)).toHaveLength(0)
})

describe('a board whose edges meet', () => {
  const torus = (panX: number, panY: number, orientation: Orientation = 0) =>
    fitBoard({ columns: 9, rows: 7, orientation, availableWidth: 700, availableHeight: 700, ratio: 1, coordinates: true, joined: { aroundX: 2, aroundY: 2, panX, panY } })

  test.each(ORIENTATIONS)('way %i shows each point once in the middle, however far it was pushed, and clicks find it', (orientation) => {
    for (const [panX, panY] of [[0, 0], [3, -2], [-40, 33]] as const) {
      const geometry = torus(panX, panY, orientation)
      const seen = new Set<string>()
      for (let point = 0; point < 63; point++) {
        const { x, y } = centreOf(geometry, point)
        seen.add(`${x} ${y}`)
        expect(pointAt(geometry, x, y)).toBe(point)
        // The copy beside the board is the same point.
        const beyond = x + geometry.columns * geometry.cell
        const copy = pointAt(geometry, beyond, y)
        expect(copy === undefined || copy === point).toBe(true)
      }
      expect(seen.size).toBe(63)
    }
  })

  test('the repeated world lies around the board and ends', () => {
    const geometry = torus(0, 0)
    expect(pointSeenAt(geometry, { column: -1, row: 0 })).toBe(8)
    expect(pointSeenAt(geometry, { column: 9, row: 8 })).toBe(9)
    expect(pointSeenAt(geometry, { column: -3, row: 0 })).toBeUndefined()
  })

  test.each(ORIENTATIONS)('way %i shows what was pushed as a board whose points are shifted', (orientation) => {
    const pushed = torus(3, -2, orientation)
    const { x, y } = shiftOf(pushed.joined!, orientation)
    for (let point = 0; point < 63; point++) {
      const shifted = (Math.floor(point / 9) + y + 14) % 7 * 9 + (point % 9 + x + 18) % 9
      expect(seenFrom(torus(0, 0, orientation), shifted)).toEqual(seenFrom(pushed, point))
    }
  })

  test('a cylinder goes on to the left and right alone, whichever way it is turned', () => {
    const cylinder = (orientation: Orientation) => fitBoard({
      columns: 9, rows: 7, orientation, availableWidth: 700, availableHeight: 700, ratio: 1, coordinates: true,
      joined: joinedView({ columns: 9, rows: 7 }, 'cylinder', orientation, { x: 3, y: 3 }),
    })
    const upright = cylinder(0)
    expect(upright.joined).toEqual({ aroundX: 2, aroundY: 0, panX: 3, panY: 0 })
    expect(seenFrom(upright, 8)).toEqual({ column: 2, row: 0 })
    expect(pointSeenAt(upright, { column: -1, row: 0 })).toBe(5)
    expect(pointSeenAt(upright, { column: 0, row: -1 })).toBeUndefined()
    expect(upright.left - upright.top).toBe(2 * upright.cell)
    expect(cylinder(4).joined).toEqual({ aroundX: 0, aroundY: 2, panX: 0, panY: 3 })
    expect(joinedView({ columns: 9, rows: 7 }, 'plane', 0)).toBeUndefined()
  })
})
