import { discRadius, fittingSize, MIN_FIGURE, measuredBy } from './discLayout'
import { centreOf, type BoardGeometry } from './geometry'
import type { Arrangement, BoardLink, BoardMark, StoneVerdict } from './model'
import { paintQualityShape } from './paintAnalysis'
import { qualityStep, type QualityPalette } from './quality'
import type { BoardTheme } from './themes'

export interface MarksPicture {
  readonly lastMove: number | undefined
  readonly ko: number | undefined
  readonly marks: readonly BoardMark[]
  readonly links: readonly BoardLink[]
  /** For each point the number to write on its stone, 0 for none. */
  readonly numbers: ArrayLike<number> | undefined
  readonly verdicts: readonly StoneVerdict[]
  /** Points where variations go on. */
  readonly variations: readonly number[]
  /** Points under the discs of candidates. */
  readonly discs?: ReadonlySet<number>
}

/** Whether there is nothing to be written at all. */
export function marksAreEmpty({ lastMove, ko, marks, links, numbers, verdicts, variations }: MarksPicture): boolean {
  return lastMove === undefined && ko === undefined && numbers === undefined
    && marks.length === 0 && links.length === 0 && verdicts.length === 0 && variations.length === 0
}

/** Points lost on played stones lie so far from the middle of a stone to the right and up, inside its edge; in cells. */
const VERDICT_OFFSET = 0.22
const VERDICT_SIZE = 0.1

/** What is written on stones and points: the last move, numbers, points lost, and above all that the marks of the record. */
export function paintMarks(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, arrangement: Arrangement,
  picture: MarksPicture, palette: QualityPalette, font: string,
): void {
  const { cell, ratio } = geometry
  context.clearRect(0, 0, geometry.width, geometry.height)
  const width = measuredBy(context, font)
  context.lineJoin = 'round'
  const inkOn = (point: number): string => {
    const stone = arrangement.cells[point]
    return stone === 1 ? '#ffffff' : stone === 2 ? '#191817' : theme.mark
  }
  const marked = new Set(picture.marks.filter(mark => mark.kind !== 'dimmed').map(mark => mark.point))

  context.strokeStyle = theme.mark
  for (const point of picture.variations) {
    if (arrangement.cells[point] || marked.has(point)) continue
    const { x, y } = centreOf(geometry, point)
    const line = Math.max(ratio, cell * 0.045)
    context.globalAlpha = 0.75
    context.lineWidth = line
    context.setLineDash([cell * 0.09, cell * 0.075])
    context.beginPath()
    // Along the edge of a candidate's disc, where it crosses no figures.
    context.arc(x, y, picture.discs?.has(point) ? discRadius(cell / ratio) * ratio - line / 2 : cell * 0.3, 0, 2 * Math.PI)
    context.stroke()
    context.setLineDash([])
    context.globalAlpha = 1
  }

  if (picture.ko !== undefined && !marked.has(picture.ko)) {
    const { x, y } = centreOf(geometry, picture.ko)
    const side = cell * 0.36
    context.lineWidth = Math.max(geometry.ratio, cell * 0.06)
    context.strokeStyle = theme.mark
    context.strokeRect(x - side / 2, y - side / 2, side, side)
  }

  context.textAlign = 'center'
  context.textBaseline = 'middle'
  let numbered = false
  if (picture.numbers) {
    for (let point = 0; point < arrangement.columns * arrangement.rows; point++) {
      const number = picture.numbers[point]
      if (!number || !arrangement.cells[point] || marked.has(point)) continue
      const { x, y } = centreOf(geometry, point)
      const digits = String(number)
      const size = fittingSize(cell * (digits.length > 2 ? 0.36 : 0.43) / ratio, cell * 0.9 / ratio, digits, width)
      if (size === undefined) continue
      if (point === picture.lastMove) numbered = true
      context.font = `500 ${size * ratio}px ${font}`
      context.fillStyle = point === picture.lastMove ? (arrangement.cells[point] === 1 ? '#ff9d8a' : '#b3200b') : inkOn(point)
      context.fillText(digits, x, y + cell * 0.03)
    }
  }
  if (!numbered && picture.lastMove !== undefined && !marked.has(picture.lastMove)) {
    const { x, y } = centreOf(geometry, picture.lastMove)
    context.beginPath()
    context.arc(x, y, cell * 0.21, 0, 2 * Math.PI)
    context.strokeStyle = inkOn(picture.lastMove)
    context.lineWidth = Math.max(1.25 * geometry.ratio, cell * 0.062)
    context.stroke()
  }

  for (const verdict of picture.verdicts) {
    const { x, y } = centreOf(geometry, verdict.point)
    paintQualityShape(context, x + cell * VERDICT_OFFSET, y - cell * VERDICT_OFFSET, cell * VERDICT_SIZE, verdict.loss, qualityStep(verdict.loss), palette)
  }

  for (const mark of picture.marks) paintMark(context, geometry, theme, arrangement, mark, inkOn(mark.point), font)
  for (const link of picture.links) paintLink(context, geometry, link, theme.cursor)
}

function paintMark(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, arrangement: Arrangement,
  mark: BoardMark, ink: string, font: string,
): void {
  const { cell } = geometry
  const { x, y } = centreOf(geometry, mark.point)
  context.strokeStyle = ink
  context.fillStyle = ink
  context.lineWidth = Math.max(1.2 * geometry.ratio, cell * 0.066)
  const size = cell * 0.26
  context.beginPath()
  switch (mark.kind) {
    case 'circle':
      context.arc(x, y, size, 0, 2 * Math.PI)
      context.stroke()
      break
    case 'square':
      context.strokeRect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7)
      break
    case 'triangle':
      context.moveTo(x, y - size * 1.15)
      context.lineTo(x + size, y + size * 0.62)
      context.lineTo(x - size, y + size * 0.62)
      context.closePath()
      context.stroke()
      break
    case 'cross':
      context.moveTo(x - size * 0.8, y - size * 0.8)
      context.lineTo(x + size * 0.8, y + size * 0.8)
      context.moveTo(x + size * 0.8, y - size * 0.8)
      context.lineTo(x - size * 0.8, y + size * 0.8)
      context.stroke()
      break
    case 'label': {
      const text = [...(mark.text ?? '')].slice(0, 3).join('')
      if (!arrangement.cells[mark.point]) {
        // The lines under a letter are covered, or it could not be read.
        context.fillStyle = theme.ground.kind === 'flat' ? theme.ground.color : `rgb(${theme.ground.tone.join(' ')} / 88%)`
        context.arc(x, y, cell * 0.33, 0, 2 * Math.PI)
        context.fill()
        context.fillStyle = ink
      }
      context.font = `600 ${Math.max(MIN_FIGURE * geometry.ratio, cell * (text.length > 1 ? 0.42 : 0.54))}px ${font}`
      context.fillText(text, x, y + cell * 0.035)
      break
    }
    case 'selected':
      context.globalAlpha = 0.35
      context.fillRect(x - cell / 2, y - cell / 2, cell, cell)
      context.globalAlpha = 1
      break
    case 'dimmed':
      context.fillStyle = 'rgb(0 0 0 / 40%)'
      context.fillRect(x - cell / 2, y - cell / 2, cell, cell)
      break
    case 'territoryBlack': case 'territoryWhite':
      context.fillStyle = mark.kind === 'territoryBlack' ? theme.black : theme.white
      context.fillRect(x - cell * 0.16, y - cell * 0.16, cell * 0.32, cell * 0.32)
      context.strokeStyle = mark.kind === 'territoryBlack' ? theme.blackEdge : theme.whiteEdge
      context.lineWidth = geometry.ratio
      context.strokeRect(x - cell * 0.16, y - cell * 0.16, cell * 0.32, cell * 0.32)
      break
  }
}

function paintLink(context: CanvasRenderingContext2D, geometry: BoardGeometry, link: BoardLink, color: string): void {
  const from = centreOf(geometry, link.from)
  const to = centreOf(geometry, link.to)
  const angle = Math.atan2(to.y - from.y, to.x - from.x)
  context.strokeStyle = color
  context.lineWidth = Math.max(1.5 * geometry.ratio, geometry.cell * 0.085)
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.lineTo(to.x, to.y)
  if (link.arrow) {
    const head = geometry.cell * 0.32
    for (const side of [-1, 1]) {
      context.moveTo(to.x, to.y)
      context.lineTo(to.x - head * Math.cos(angle + side * 0.5), to.y - head * Math.sin(angle + side * 0.5))
    }
  }
  context.stroke()
  context.lineCap = 'butt'
}
