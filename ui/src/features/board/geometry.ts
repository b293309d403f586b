import type { BoardTopology } from '@/api'
import type { Orientation } from './model'

/** Where everything of a board lies on its canvases. All lengths are device pixels. */
export interface BoardGeometry {
  /** Size of the board in points, as seen (after rotation). */
  readonly columns: number
  readonly rows: number
  readonly orientation: Orientation
  /** Distance of two neighbouring lines; a whole number, so that each line is equally crisp. */
  readonly cell: number
  /** Centre of the upper left intersection. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Device pixels per CSS pixel. */
  readonly ratio: number
  /** Where edges meet: the world repeated around the board, and how far the view was pushed. */
  readonly joined?: JoinedView | undefined
}

/** How far a world without edges was pushed to the right and downwards, in columns and rows as seen. */
export interface Pan {
  readonly x: number
  readonly y: number
}

/** How a board whose edges meet is looked at, in columns and rows as seen. */
export interface JoinedView {
  /** Columns that are repeated to the left and right, and rows above and below; 0 where the board ends. */
  readonly aroundX: number
  readonly aroundY: number
  /** Columns by which the world was pushed to the right, and rows downwards; whole numbers of any size. */
  readonly panX: number
  readonly panY: number
}

export interface GeometryRequest {
  /** Size of the board in points, before rotation. */
  readonly columns: number
  readonly rows: number
  readonly orientation: Orientation
  /** Room there is, in CSS pixels. */
  readonly availableWidth: number
  readonly availableHeight: number
  readonly ratio: number
  readonly coordinates: boolean
  readonly joined?: JoinedView | undefined
}

/** The repeated world is shown this far, where the board is wide enough. */
const MAX_AROUND = 4

/** How the edges of a board meet in a view that was pushed so far; a cylinder goes on along one axis alone. */
export function joinedView(
  { columns, rows }: { readonly columns: number, readonly rows: number }, topology: BoardTopology, orientation: Orientation, pan: Pan = { x: 0, y: 0 },
): JoinedView | undefined {
  if (topology === 'plane') return undefined
  const around = Math.max(1, Math.min(MAX_AROUND, Math.floor(Math.min(columns, rows) / 3)))
  const swapped = (orientation & 4) !== 0
  const joinsX = topology === 'torus' || !swapped
  const joinsY = topology === 'torus' || swapped
  return { aroundX: joinsX ? around : 0, aroundY: joinsY ? around : 0, panX: joinsX ? pan.x : 0, panY: joinsY ? pan.y : 0 }
}

/** Wood beyond the outermost line, in cells. */
const MARGIN_WITH_COORDINATES = 1.15
const MARGIN_PLAIN = 0.75
/** CSS pixels that the names of lines need beyond the outermost points, whose half cells reach there. */
const NAMES = 14

/** Fits a board into the room there is, on whole device pixels. */
export function fitBoard(request: GeometryRequest): BoardGeometry {
  const swapped = (request.orientation & 4) !== 0
  const columns = swapped ? request.rows : request.columns
  const rows = swapped ? request.columns : request.rows
  const margin = request.coordinates ? MARGIN_WITH_COORDINATES : MARGIN_PLAIN
  const { aroundX = 0, aroundY = 0 } = request.joined ?? {}
  const across = columns - 1 + 2 * (margin + aroundX)
  const down = rows - 1 + 2 * (margin + aroundY)
  const names = request.coordinates ? NAMES * request.ratio : 0
  const fitting = (available: number, cells: number, side: number): number =>
    Math.min(available * request.ratio / cells, (available * request.ratio - 2 * names) / side)
  const room = Math.min(fitting(request.availableWidth, across, columns + 2 * aroundX), fitting(request.availableHeight, down, rows + 2 * aroundY))
  const cell = Math.max(4, Math.floor(room))
  // The pixels lost by rounding the cell down go into the margin, so that the board still fills its room.
  const slack = Math.max(0, Math.min(cell * 0.6, (room - cell) * Math.min(across, down)))
  const edge = Math.floor(Math.max(cell * margin + slack / 2, cell / 2 + names))
  const left = edge + cell * aroundX
  const top = edge + cell * aroundY
  return {
    columns, rows, orientation: request.orientation, cell,
    left, top,
    width: cell * (columns - 1) + 2 * left, height: cell * (rows - 1) + 2 * top,
    ratio: request.ratio, joined: request.joined,
  }
}

/** The rest of a division that is never negative. */
export function wrapped(value: number, side: number): number {
  return ((value % side) + side) % side
}

/** A position in the grid as seen: `column` from the left, `row` from the top. */
export interface SeenPoint {
  readonly column: number
  readonly row: number
}

/** How far the points of the record are shifted along its own axes in a view that was pushed so far. */
export function shiftOf(joined: JoinedView, orientation: Orientation): Pan {
  const x = joined.panX * (orientation & 1 ? -1 : 1)
  const y = joined.panY * (orientation & 2 ? -1 : 1)
  return orientation & 4 ? { x: y, y: x } : { x, y }
}

/** Where a point of the board is seen. */
export function seenFrom(geometry: BoardGeometry, point: number): SeenPoint {
  const { orientation } = geometry
  const swapped = (orientation & 4) !== 0
  const columns = swapped ? geometry.rows : geometry.columns
  const x = point % columns
  const y = Math.floor(point / columns)
  let column = swapped ? y : x
  let row = swapped ? x : y
  if (orientation & 1) column = geometry.columns - 1 - column
  if (orientation & 2) row = geometry.rows - 1 - row
  if (geometry.joined) {
    column = wrapped(column + geometry.joined.panX, geometry.columns)
    row = wrapped(row + geometry.joined.panY, geometry.rows)
  }
  return { column, row }
}

/** The point that is seen at a place; the inverse of `seenFrom`. */
export function pointSeenAt(geometry: BoardGeometry, seen: SeenPoint): number | undefined {
  let { column, row } = seen
  if (geometry.joined) {
    const { aroundX, aroundY, panX, panY } = geometry.joined
    if (column < -aroundX || row < -aroundY || column >= geometry.columns + aroundX || row >= geometry.rows + aroundY) return undefined
    column = wrapped(column - panX, geometry.columns)
    row = wrapped(row - panY, geometry.rows)
  }
  if (column < 0 || row < 0 || column >= geometry.columns || row >= geometry.rows) return undefined
  const { orientation } = geometry
  if (orientation & 1) column = geometry.columns - 1 - column
  if (orientation & 2) row = geometry.rows - 1 - row
  const swapped = (orientation & 4) !== 0
  return swapped ? column * geometry.rows + row : row * geometry.columns + column
}

/** Centre of a point in device pixels. */
export function centreOf(geometry: BoardGeometry, point: number): { x: number, y: number } {
  const { column, row } = seenFrom(geometry, point)
  return { x: geometry.left + column * geometry.cell, y: geometry.top + row * geometry.cell }
}

/** The place in the grid that is nearest to one given in CSS pixels from the board's corner. */
function placeAt(geometry: BoardGeometry, cssX: number, cssY: number): SeenPoint {
  return {
    column: Math.round((cssX * geometry.ratio - geometry.left) / geometry.cell),
    row: Math.round((cssY * geometry.ratio - geometry.top) / geometry.cell),
  }
}

/** The point under a place given in CSS pixels from the board's corner, if one is near enough. */
export function pointAt(geometry: BoardGeometry, cssX: number, cssY: number): number | undefined {
  return pointSeenAt(geometry, placeAt(geometry, cssX, cssY))
}

/** The point that is nearest to such a place: beyond the board one of its edge. */
export function pointNear(geometry: BoardGeometry, cssX: number, cssY: number): number | undefined {
  const { column, row } = placeAt(geometry, cssX, cssY)
  const { aroundX = 0, aroundY = 0 } = geometry.joined ?? {}
  const clamped = (value: number, side: number, around: number): number => Math.max(-around, Math.min(side - 1 + around, value))
  return pointSeenAt(geometry, { column: clamped(column, geometry.columns, aroundX), row: clamped(row, geometry.rows, aroundY) })
}

/** Star points of a board, as indices. Boards under 7 in a direction have none; small even ones have no middle. */
export function starPoints(columns: number, rows: number): number[] {
  const lines = (side: number): { corner: number[], middle: number | undefined } => {
    if (side < 7) return { corner: [], middle: undefined }
    const edge = side < 13 ? 2 : 3
    return { corner: [edge, side - 1 - edge], middle: side % 2 === 1 ? (side - 1) / 2 : undefined }
  }
  const across = lines(columns)
  const down = lines(rows)
  const found: number[] = []
  for (const y of down.corner) for (const x of across.corner) found.push(y * columns + x)
  if (across.middle !== undefined && down.middle !== undefined) {
    found.push(down.middle * columns + across.middle)
    if (columns >= 15 && rows >= 15) {
      for (const y of down.corner) found.push(y * columns + across.middle)
      for (const x of across.corner) found.push(down.middle * columns + x)
    }
  }
  return found
}

/** Turns the view a quarter clockwise. */
export function turnedRight(orientation: Orientation): Orientation {
  // A quarter turn is a swap of the axes followed by a mirror; worked out for each of the eight in turn.
  const turned = { 0: 5, 5: 3, 3: 6, 6: 0, 1: 7, 7: 2, 2: 4, 4: 1 } as const
  return turned[orientation]
}
