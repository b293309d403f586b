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
  if (geometry.torus) paintEndlessGrid(context, geometry, theme)
  const right = left + cell * (columns - 1)
  const bottom = top + cell * (rows - 1)
  for (let column = 0; column < (geometry.torus ? 0 : columns); column++) {
    const thickness = column === 0 || column === columns - 1 ? border : line
    context.fillRect(snap(left + column * cell, thickness), snap(top, border), thickness, bottom - top + border)
  }
  for (let row = 0; row < (geometry.torus ? 0 : rows); row++) {
    const thickness = row === 0 || row === rows - 1 ? border : line
    context.fillRect(snap(left, border), snap(top + row * cell, thickness), right - left + border, thickness)
  }

  const star = Math.max(1.5 * ratio, Math.min(cell * 0.1, 4.2 * ratio))
  const swapped = (geometry.orientation & 4) !== 0
  // A world without edges has no handicap points; the middle of its map is marked, so that one finds one's way.
  const stars = starPoints(swapped ? rows : columns, swapped ? columns : rows)
  for (const point of geometry.torus ? stars.slice(4, 5) : stars) {
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
  const around = geometry.torus?.around ?? 0
  const gap = left - cell * (0.5 + around)
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
  for (let column = -around; column < columns + around; column += columnStep) {
    context.globalAlpha = column < 0 || column >= columns ? 0.55 : 1
    const text = ofColumn(column)
    const x = left + column * cell
    context.fillText(text, x, gap * 0.52 + cell * 0.02)
    context.fillText(text, x, height - gap * 0.5)
  }
  for (let row = -around; row < rows + around; row += rowStep) {
    context.globalAlpha = row < 0 || row >= rows ? 0.55 : 1
    const text = name(pointSeenAt(geometry, { column: 0, row }), true)
    const y = top + row * cell + size * 0.04
    context.fillText(text, gap * 0.52, y)
    context.fillText(text, width - gap * 0.52, y)
  }
  context.globalAlpha = 1
}

/** Lines that go on over the edge of the board; a pale veil lies over what is repeated. */
function paintEndlessGrid(context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme): void {
  const { cell, left, top, columns, rows, ratio } = geometry
  const around = geometry.torus?.around ?? 0
  const line = Math.max(1, Math.round(theme.lineWidth * ratio))
  const half = Math.floor(line / 2)
  const x = left - cell * (around + 0.5)
  const y = top - cell * (around + 0.5)
  const width = cell * (columns + 2 * around)
  const height = cell * (rows + 2 * around)
  for (let column = -around; column < columns + around; column++) context.fillRect(left + column * cell - half, y, line, height)
  for (let row = -around; row < rows + around; row++) context.fillRect(x, top + row * cell - half, width, line)
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
  context.strokeRect(left - cell / 2, top - cell / 2, cell * columns, cell * rows)
  context.setLineDash([])
  context.fillStyle = theme.line
}
