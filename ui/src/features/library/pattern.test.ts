import { describe, expect, test } from 'vitest'
import type { ContinuationView, PatternCell } from '@/api'
import { cellsOf, edgesOf, inCorner, nameOf, pointOfContinuation, possiblePlaces, questionFor, regionBetween, regionOn, regionParts, shifted, usualPlace, wholeBoard, type DrawnPattern, type Region } from './pattern'

const WISHES = { anySymmetry: false, anyColor: false, nextPlayer: '', firstMove: null, lastMove: null, filter: {} } as const
/** Five columns and four rows of which each point is told apart by its own content as far as seven kinds go. */
const KINDS: readonly PatternCell[] = ['black', 'white', 'empty', 'any', 'blackOrEmpty', 'whiteOrEmpty', 'stone']
const drawn = (region: Region, topology: DrawnPattern['topology'] = 'plane'): DrawnPattern =>
  ({ columns: 5, rows: 4, topology, cells: Array.from({ length: 20 }, (_, point) => KINDS[point % 7]!), region })
const continuation = (x: number | null, y: number | null): ContinuationView =>
  ({ black: true, x, y, games: 1, blackWins: 0, whiteWins: 0, firstYear: 0, lastYear: 0, strongest: '' })

describe('a region', () => {
  const on = (topology: DrawnPattern['topology'], [fromX, fromY]: [number, number], [toX, toY]: [number, number]): number[] => {
    const { left, top, width, height } = regionBetween({ x: fromX, y: fromY }, { x: toX, y: toY }, { columns: 5, rows: 4, topology })
    return [left, top, width, height]
  }

  test('is the same from any of its corners', () => {
    expect(on('plane', [0, 0], [1, 2])).toEqual([0, 0, 2, 3])
    expect(on('plane', [0, 2], [1, 0])).toEqual([0, 0, 2, 3])
    expect(on('torus', [1, 2], [0, 0])).toEqual([0, 0, 2, 3])
  })

  test('ends with the board where that has an edge', () => {
    expect(on('plane', [3, 2], [7, -9])).toEqual([3, 0, 2, 3])
    expect(on('cylinder', [3, 2], [3, 9])).toEqual([3, 2, 1, 2])
  })

  test('goes on over edges that meet, and around the board once at most', () => {
    expect(on('torus', [3, 3], [6, 4])).toEqual([3, 3, 4, 2])
    expect(on('torus', [1, 0], [-1, -1])).toEqual([4, 3, 3, 2])
    expect(on('cylinder', [1, 0], [-1, -1])).toEqual([4, 0, 3, 1])
    expect(on('torus', [1, 1], [9, -7])).toEqual([0, 0, 5, 4])
    const over = drawn({ left: 3, top: 3, width: 4, height: 2 }, 'torus')
    expect(regionParts(over).map(({ left, top }) => [left, top])).toEqual([[3, 3], [-2, 3], [3, -1], [-2, -1]])
    expect(questionFor(over, { ...WISHES, place: 'here' }, 1, 10)).toMatchObject({
      anchor: { kind: 'at', x: 3, y: 3 }, cells: [18, 19, 15, 16, 3, 4, 0, 1].map(point => over.cells[point]),
    })
  })

  test('that goes over the rim is the whole board once the edges do not meet any more', () => {
    const over = { left: 3, top: 1, width: 4, height: 2 }
    expect(regionOn({ columns: 5, rows: 4, topology: 'cylinder' }, over)).toBe(over)
    expect(regionOn({ columns: 5, rows: 4, topology: 'plane' }, over)).toEqual(wholeBoard(5, 4))
    const inside = { left: 3, top: 2, width: 2, height: 2 }
    expect(regionOn({ columns: 5, rows: 4, topology: 'plane' }, inside)).toBe(inside)
    expect(regionOn({ columns: 4, rows: 4, topology: 'plane' }, inside)).toEqual(wholeBoard(4, 4))
  })
})

test('the whole board is looked for in its place and nowhere else', () => {
  const pattern = drawn(wholeBoard(5, 4))
  expect(possiblePlaces(pattern)).toEqual(['here'])
  expect(questionFor(pattern, { ...WISHES, place: 'here' }, 7, 100)).toMatchObject({
    searchId: 7, boardWidth: 5, boardHeight: 4, width: 5, height: 4, cells: [...pattern.cells], anchor: { kind: 'at', x: 0, y: 0 }, limit: 100,
  })
})

test('what a region touches decides what it usually means', () => {
  expect(usualPlace(drawn({ left: 3, top: 2, width: 2, height: 2 }))).toBe('here')
  expect(usualPlace(drawn({ left: 1, top: 2, width: 2, height: 2 }))).toBe('side')
  expect(usualPlace(drawn({ left: 1, top: 1, width: 2, height: 2 }))).toBe('anywhere')
  expect(inCorner(drawn({ left: 1, top: 0, width: 3, height: 4 }))).toBe(false)
  expect(possiblePlaces(drawn({ left: 1, top: 1, width: 2, height: 2 }))).toEqual(['here', 'anywhere'])
})

test('a board without edges has no sides', () => {
  const pattern = drawn({ left: 0, top: 0, width: 2, height: 2 }, 'torus')
  expect(edgesOf(pattern)).toEqual([])
  expect(possiblePlaces(pattern)).toEqual(['here', 'anywhere'])
  expect(edgesOf(drawn({ left: 0, top: 0, width: 2, height: 2 }, 'cylinder'))).toEqual(['top'])
})

test('a board that was pushed is asked for as it lies in the game', () => {
  const own = drawn(wholeBoard(5, 4), 'torus')
  const shift = { x: 2, y: 1 }
  const pushed: DrawnPattern = { ...own, cells: shifted(own.cells, 5, 4, shift), shift }
  expect(pushed.cells[7]).toBe(own.cells[0])
  expect(questionFor(pushed, { ...WISHES, place: 'here' }, 1, 10)).toEqual(questionFor(own, { ...WISHES, place: 'here' }, 1, 10))
  expect(pointOfContinuation(pushed, 'here', continuation(0, 0))).toBe(7)
  expect([nameOf(pushed, 7), nameOf(own, 0)]).toEqual(['A4', 'A4'])
  // A part over the edge of the game: its last two columns and its first.
  const over = questionFor({ ...pushed, region: { left: 0, top: 1, width: 3, height: 1 } }, { ...WISHES, place: 'here' }, 1, 10)
  expect(over.cells).toEqual([own.cells[3], own.cells[4], own.cells[0]])
  expect(over.anchor).toEqual({ kind: 'at', x: 3, y: 0 })
})

describe.each([
  ['top', { left: 1, top: 0, width: 3, height: 2 }], ['bottom', { left: 1, top: 2, width: 3, height: 2 }],
  ['left', { left: 0, top: 1, width: 2, height: 2 }], ['right', { left: 3, top: 1, width: 2, height: 2 }], ['right, uneven', { left: 2, top: 1, width: 3, height: 2 }],
] as const)('a region at the %s, laid along the top', (_, region) => {
  const pattern = drawn(region)
  const asked = questionFor(pattern, { ...WISHES, place: 'side' }, 1, 10)

  test('is looked for along any side', () => {
    expect(asked.anchor).toEqual({ kind: 'side' })
    expect(asked.anySymmetry).toBe(true)
  })

  test('has its edge in the first row, and every continuation comes back to the point it was asked about', () => {
    const points = asked.cells.map((cell, at) => {
      const point = pointOfContinuation(pattern, 'side', continuation(at % asked.width, Math.floor(at / asked.width)))!
      expect(pattern.cells[point]).toBe(cell)
      return point
    })
    expect(new Set(points).size).toBe(region.width * region.height)
    const edge = edgesOf(pattern)[0]
    for (const point of points.slice(0, asked.width)) {
      const [x, y] = [point % 5, Math.floor(point / 5)]
      expect({ top: y === 0, bottom: y === 3, left: x === 0, right: x === 4 }[edge!]).toBe(true)
    }
  })
})

test('a pass has no point', () => {
  expect(pointOfContinuation(drawn(wholeBoard(5, 4)), 'here', continuation(null, null))).toBeUndefined()
})

test('a position is its stones and nothing beside them', () => {
  expect(cellsOf([1, 0, -1])).toEqual(['black', 'empty', 'white'])
})
