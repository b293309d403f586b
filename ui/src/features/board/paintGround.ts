import { centreOf, pointSeenAt, starPoints, type BoardGeometry } from './geometry'
import { columnLabel, rowLabel } from './coordinates'
import { MIN_FIGURE } from './discLayout'
import type { CoordinateStyle } from './model'
import type { BoardTheme } from './themes'
import { woodTexture } from './wood'

/** The board itself: ground, lines, star points, coordinates. Changes only with size and theme. */
export function paintGround(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme,
  coordinates: CoordinateStyle, boardColumns: number, font: string,
): void {
  const { width, height, cell, left, top, columns, rows, ratio } = geometry
  context.clearRect(0, 0, width, height)
  if (theme.ground.kind === 'wood') {
    context.imageSmoothingQuality = 'high'
    context.drawImage(woodTexture(theme.ground.tone), 0, 0, width, height)
    // One light from the upper left.
    const light = context.createLinearGradient(0, 0, width, height)
    light.addColorStop(0, 'rgb(255 240 205 / 16%)')
    light.addColorStop(0.5, 'rgb(255 240 205 / 0%)')
    light.addColorStop(1, 'rgb(50 25 0 / 14%)')
    context.fillStyle = light
    context.fillRect(0, 0, width, height)
    const bevel = Math.max(1, Math.round(ratio))
    context.fillStyle = 'rgb(255 245 220 / 35%)'
    context.fillRect(0, 0, width, bevel)
    context.fillStyle = 'rgb(60 32 4 / 32%)'
    context.fillRect(0, height - bevel, width, bevel)
  } else {
    context.fillStyle = theme.ground.color
    context.fillRect(0, 0, width, height)
  }

  const line = Math.max(1, Math.round(theme.lineWidth * ratio))
  const border = Math.max(line, Math.round(theme.lineWidth * ratio * 1.6))
  // An odd width lies on the middle of a pixel, an even one between two.
  const snap = (value: number, thickness: number): number => Math.round(value) - Math.floor(thickness / 2)
  context.fillStyle = theme.line
  const { aroundX = 0, aroundY = 0 } = geometry.joined ?? {}
  // Where edges meet, lines go on over them and none is an edge.
  const thicknessAt = (at: number, side: number, around: number): number => around === 0 && (at === 0 || at === side - 1) ? border : line
  const span = (first: number, side: number, around: number): readonly [number, number] => around > 0
    ? [first - cell * (around + 0.5), cell * (side + 2 * around)]
    : [snap(first, border), cell * (side - 1) + border]
  const [x, across] = span(left, columns, aroundX)
  const [y, down] = span(top, rows, aroundY)
  for (let column = -aroundX; column < columns + aroundX; column++) {
    const thickness = thicknessAt(column, columns, aroundX)
    context.fillRect(snap(left + column * cell, thickness), y, thickness, down)
  }
  for (let row = -aroundY; row < rows + aroundY; row++) {
    const thickness = thicknessAt(row, rows, aroundY)
    context.fillRect(x, snap(top + row * cell, thickness), across, thickness)
  }
  if (geometry.joined) veilRepeats(context, geometry, theme)

  const star = Math.max(1.5 * ratio, Math.min(cell * 0.1, 4.2 * ratio))
  const swapped = (geometry.orientation & 4) !== 0
  // Where edges meet there are no handicap points; the middle of the map is marked, so that one finds one's way.
  const stars = starPoints(swapped ? rows : columns, swapped ? columns : rows)
  for (const point of geometry.joined ? stars.slice(4, 5) : stars) {
    const { x, y } = centreOf(geometry, point)
    context.beginPath()
    context.arc(x + (line % 2) / 2, y + (line % 2) / 2, star, 0, 2 * Math.PI)
    context.fill()
  }

  if (coordinates === 'none') return
  const size = Math.max(MIN_FIGURE * ratio, Math.min(cell * 0.36, Math.max(15 * ratio, cell * 0.24)))
  context.font = `500 ${size}px ${font}`
  context.fillStyle = theme.label
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const gap = left - cell * (0.5 + aroundX)
  const boardRows = (swapped ? columns : rows)
  // Names belong to the points, so they turn with the board.
  const name = (point: number | undefined, vertical: boolean): string => {
    if (point === undefined) return ''
    const x = point % boardColumns
    const y = Math.floor(point / boardColumns)
    return vertical !== swapped ? rowLabel(coordinates, y, boardRows) : columnLabel(coordinates, x)
  }
  const ofColumn = (column: number): string => name(pointSeenAt(geometry, { column, row: 0 }), false)
  const widest = Math.max(...Array.from({ length: columns }, (_, column) => context.measureText(ofColumn(column)).width))
  // Every second or third line is named where the names of all would run into each other.
  const step = (length: number): number => Math.ceil(length / cell)
  const [columnStep, rowStep] = [step(widest + size * 0.15), step(size * 1.05)]
  for (let column = -aroundX; column < columns + aroundX; column += columnStep) {
    context.globalAlpha = column < 0 || column >= columns ? 0.55 : 1
    const text = ofColumn(column)
    const x = left + column * cell
    context.fillText(text, x, gap * 0.52 + cell * 0.02)
    context.fillText(text, x, height - gap * 0.5)
  }
  for (let row = -aroundY; row < rows + aroundY; row += rowStep) {
    context.globalAlpha = row < 0 || row >= rows ? 0.55 : 1
    const text = name(pointSeenAt(geometry, { column: 0, row }), true)
    const y = top + row * cell + size * 0.04
    context.fillText(text, gap * 0.52, y)
    context.fillText(text, width - gap * 0.52, y)
  }
  context.globalAlpha = 1
}

/** A pale veil over what is repeated, and a broken line where the board meets it. */
function veilRepeats(context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme): void {
  const { cell, left, top, columns, rows, ratio } = geometry
  const { aroundX = 0, aroundY = 0 } = geometry.joined ?? {}
  const x = left - cell * (aroundX + 0.5)
  const y = top - cell * (aroundY + 0.5)
  const width = cell * (columns + 2 * aroundX)
  const height = cell * (rows + 2 * aroundY)
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.rect(left - cell / 2, top - cell / 2, cell * columns, cell * rows)
  context.clip('evenodd')
  context.fillStyle = theme.ground.kind === 'flat' ? theme.ground.color : 'rgb(255 246 226)'
  context.globalAlpha = theme.ground.kind === 'flat' ? 0.6 : 0.32
  context.fillRect(x, y, width, height)
  context.restore()
  context.strokeStyle = theme.line
  context.lineWidth = Math.max(1, ratio)
  context.setLineDash([cell * 0.2, cell * 0.2])
  context.beginPath()
  for (const column of aroundX > 0 ? [0, columns] : []) {
    context.moveTo(left + cell * (column - 0.5), top - cell / 2)
    context.lineTo(left + cell * (column - 0.5), top + cell * (rows - 0.5))
  }
  for (const row of aroundY > 0 ? [0, rows] : []) {
    context.moveTo(left - cell / 2, top + cell * (row - 0.5))
    context.lineTo(left + cell * (columns - 0.5), top + cell * (row - 0.5))
  }
  context.stroke()
  context.setLineDash([])
  context.fillStyle = theme.line
}
