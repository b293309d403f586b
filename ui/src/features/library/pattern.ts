import { pointName, wrapped, type Pan } from '@/features/board'
import type { BoardTopology, ContinuationView, PatternCell, PatternSearch, RecordFilter, Side } from '@/api'

/** What a point of a pattern may be, in the order of the tools. */
export const PATTERN_CELLS: readonly PatternCell[] = ['black', 'white', 'empty', 'any', 'blackOrEmpty', 'whiteOrEmpty', 'stone']

/** A rectangle of a board, its corner counted from 0 at the top left. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** What is looked for: a board on which every point says what may stand there, and the part of it that counts. */
export interface DrawnPattern {
  readonly columns: number
  readonly rows: number
  readonly topology: BoardTopology
  /** Row by row from the top. */
  readonly cells: readonly PatternCell[]
  readonly region: Region
  /** How far the points of the game that it was taken from are shifted, where edges meet. */
  readonly shift?: Pan
}

/** Where in a game's board the region may lie: in its place, along an edge as it does here, or anywhere. */
export type PatternPlace = 'here' | 'side' | 'anywhere'

/** What is asked beside the pattern itself. */
export interface PatternWishes {
  readonly place: PatternPlace
  /** Also turned and mirrored. */
  readonly anySymmetry: boolean
  /** Also with the colours exchanged. */
  readonly anyColor: boolean
  /** Who makes the next move; empty for either. */
  readonly nextPlayer: Side | ''
  readonly firstMove: number | null
  readonly lastMove: number | null
  readonly filter: RecordFilter
}

const NO_SHIFT: Pan = { x: 0, y: 0 }

export type Edge = 'top' | 'bottom' | 'left' | 'right'

export const wholeBoard = (columns: number, rows: number): Region => ({ left: 0, top: 0, width: columns, height: rows })
export const isWhole = ({ region, columns, rows }: DrawnPattern): boolean => region.width === columns && region.height === rows

/** A column and a row, also beside the board. */
export interface Spot {
  readonly x: number
  readonly y: number
}

type Board = Pick<DrawnPattern, 'columns' | 'rows' | 'topology'>

/** The point of the board at a spot: the nearest one, or the one that lies there once edges meet. */
export function pointOfSpot({ x, y }: Spot, { columns, rows, topology }: Board): number {
  return onAxis(y, rows, topology === 'torus') * columns + onAxis(x, columns, topology !== 'plane')
}
const onAxis = (value: number, side: number, joined: boolean): number => joined ? wrapped(value, side) : Math.max(0, Math.min(side - 1, value))

/** The rectangle between two spots: it ends with the board, or goes on over edges that meet. */
export function regionBetween(from: Spot, to: Spot, { columns, rows, topology }: Board): Region {
  const [left, width] = spanBetween(from.x, to.x, columns, topology !== 'plane')
  const [top, height] = spanBetween(from.y, to.y, rows, topology === 'torus')
  return { left, top, width, height }
}
function spanBetween(from: number, to: number, side: number, joined: boolean): [number, number] {
  const [one, other] = joined ? [from, to] : [onAxis(from, side, false), onAxis(to, side, false)]
  const length = Math.abs(one - other) + 1
  return length >= side ? [0, side] : [wrapped(Math.min(one, other), side), length]
}

/** The part that counts, on another board or one whose edges do not meet any more: all of it where it does not lie there. */
export function regionOn({ columns, rows, topology }: Board, region: Region): Region {
  const fitsAcross = region.width <= columns && (topology !== 'plane' || region.left + region.width <= columns)
  const fitsDown = region.height <= rows && (topology === 'torus' || region.top + region.height <= rows)
  return fitsAcross && fitsDown ? region : wholeBoard(columns, rows)
}

/** Where a region is drawn: once more on the other side where it goes on over the rim. */
export function regionParts({ columns, rows, region: { left, top, width, height } }: DrawnPattern): Region[] {
  const lefts = left + width > columns ? [left, left - columns] : [left]
  const tops = top + height > rows ? [top, top - rows] : [top]
  return tops.flatMap(y => lefts.map(x => ({ left: x, top: y, width, height })))
}

/** The edges of the board that the region lies along; a board without edges has none. */
export function edgesOf({ region: { left, top, width, height }, columns, rows, topology }: DrawnPattern): Edge[] {
  if (topology === 'torus') return []
  const edges: Edge[] = []
  if (top === 0) edges.push('top')
  if (top + height === rows) edges.push('bottom')
  if (topology === 'plane' && left === 0) edges.push('left')
  if (topology === 'plane' && left + width === columns) edges.push('right')
  return edges
}

/** The region lies in a corner, so that its place and its turns are the corners. */
export function inCorner(pattern: DrawnPattern): boolean {
  const edges = edgesOf(pattern)
  return (edges.includes('top') || edges.includes('bottom')) && (edges.includes('left') || edges.includes('right'))
}

/** The places that a region can be looked for in. */
export function possiblePlaces(pattern: DrawnPattern): PatternPlace[] {
  if (isWhole(pattern)) return ['here']
  return edgesOf(pattern).length > 0 ? ['here', 'side', 'anywhere'] : ['here', 'anywhere']
}

/** What a region most likely means: a corner is looked for in corners, a side along sides, the rest anywhere. */
export function usualPlace(pattern: DrawnPattern): PatternPlace {
  if (isWhole(pattern) || inCorner(pattern)) return 'here'
  return edgesOf(pattern).length > 0 ? 'side' : 'anywhere'
}

/** How a region is turned so that the edge that it lies along is the top. Each is written down with its way back. */
interface Turn {
  readonly swapsAxes: boolean
  /** Column and row of a point after the turn. */
  readonly to: (x: number, y: number, region: Region) => readonly [number, number]
  readonly back: (x: number, y: number, region: Region) => readonly [number, number]
}

const TURNS: Record<Edge, Turn> = {
  top: { swapsAxes: false, to: (x, y) => [x, y], back: (x, y) => [x, y] },
  bottom: { swapsAxes: false, to: (x, y, { height }) => [x, height - 1 - y], back: (x, y, { height }) => [x, height - 1 - y] },
  left: { swapsAxes: true, to: (x, y) => [y, x], back: (x, y) => [y, x] },
  right: { swapsAxes: true, to: (x, y, { width }) => [y, width - 1 - x], back: (x, y, { width }) => [width - 1 - y, x] },
}

/** The library knows a side as the top one: along which edge the region is laid there. */
const turnFor = (pattern: DrawnPattern, place: PatternPlace): Turn =>
  TURNS[place === 'side' ? edgesOf(pattern)[0] ?? 'top' : 'top']

/** The question to the library. */
export function questionFor(pattern: DrawnPattern, wishes: PatternWishes, searchId: number, limit: number): PatternSearch {
  const { columns, rows, topology, cells, shift = NO_SHIFT } = pattern
  const region = askedRegion(pattern)
  const turn = turnFor(pattern, wishes.place)
  const width = turn.swapsAxes ? region.height : region.width
  const height = turn.swapsAxes ? region.width : region.height
  const turned = Array.from({ length: width * height }, (_, at) => {
    const [x, y] = turn.back(at % width, Math.floor(at / width), region)
    return cells[wrapped(region.top + y, rows) * columns + wrapped(region.left + x, columns)] ?? 'any'
  })
  return {
    searchId, boardWidth: columns, boardHeight: rows, topology, width, height, cells: turned,
    anchor: wishes.place === 'here' ? { kind: 'at', x: wrapped(region.left - shift.x, columns), y: wrapped(region.top - shift.y, rows) } : { kind: wishes.place },
    // Along a side means along any: the one that was drawn is not a special one.
    anySymmetry: wishes.anySymmetry || wishes.place === 'side', anyColor: wishes.anyColor, nextPlayer: wishes.nextPlayer,
    firstMove: wishes.firstMove, lastMove: wishes.lastMove, filter: wishes.filter, limit,
  }
}

/** The name of a point in the game that the board was taken from. */
export const nameOf = ({ columns, rows, shift = NO_SHIFT }: DrawnPattern, point: number): string =>
  pointName(wrapped(Math.floor(point / columns) - shift.y, rows) * columns + wrapped(point % columns - shift.x, columns), columns, rows)

/** A position that is shifted around a board whose edges meet. */
export function shifted(cells: readonly PatternCell[], columns: number, rows: number, { x, y }: Pan): PatternCell[] {
  return cells.map((_, point) => cells[wrapped(Math.floor(point / columns) - y, rows) * columns + wrapped(point % columns - x, columns)] ?? 'any')
}

/** The part that counts; a whole board is one from the corner of the game. */
const askedRegion = (pattern: DrawnPattern): Region =>
  isWhole(pattern) ? { ...pattern.region, left: pattern.shift?.x ?? 0, top: pattern.shift?.y ?? 0 } : pattern.region

/** The point of the drawn board that a continuation was played on; undefined for a pass. */
export function pointOfContinuation(pattern: DrawnPattern, place: PatternPlace, { x, y }: ContinuationView): number | undefined {
  if (x === null || y === null) return undefined
  const region = askedRegion(pattern)
  const [column, row] = turnFor(pattern, place).back(x, y, region)
  return wrapped(region.top + row, pattern.rows) * pattern.columns + wrapped(region.left + column, pattern.columns)
}

/** A position as a pattern: its stones, and nothing beside them. */
export const cellsOf = (stones: readonly number[]): PatternCell[] =>
  stones.map(stone => stone === 1 ? 'black' : stone === -1 ? 'white' : 'empty')
