import { context2d } from '@/components/canvas2d'
import { discRadius, layOutDisc, MIN_FIGURE, measuredBy, fittingSize, type TextWidth } from './discLayout'
import { centreOf, seenFrom, type BoardGeometry } from './geometry'
import type { Arrangement, CandidateDisc, GhostStone, OwnershipStyle, QualityStep } from './model'
import { laidOver, qualityColor, qualityRgb, qualityStep, readableOn, type QualityPalette } from './quality'
import { stoneSprite, type StoneSprites } from './stoneSprites'
import { groundRgb, type BoardTheme } from './themes'

export interface AnalysisPicture {
  readonly candidates: readonly CandidateDisc[]
  /** The line that is played out, instead of the candidates. */
  readonly line: readonly GhostStone[]
  /** -100 white's, 100 black's, row by row; absent when there is none. */
  readonly ownership: ArrayLike<number> | undefined
  readonly ownershipStyle: OwnershipStyle
  readonly palette: QualityPalette
  /** The network's first thought of each point in thousandths, instead of the candidates. */
  readonly policy?: ArrayLike<number> | undefined
  /** Points that alone are looked at; the others are veiled. */
  readonly region?: readonly number[]
  /** Points that are left out. */
  readonly avoided?: readonly number[]
  /** Points with a mark of the record, which the analysis leaves free. */
  readonly marked?: ReadonlySet<number>
}

/** Whether there is nothing to be drawn at all. */
export function analysisIsEmpty({ candidates, line, ownership, ownershipStyle, policy, region, avoided }: AnalysisPicture): boolean {
  return candidates.length === 0 && line.length === 0 && (!ownership || ownershipStyle === 'off') && !policy
    && !region?.length && !avoided?.length
}

/** What the engine thinks, over the stones. Drawn about ten times a second. */
export function paintAnalysis(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, sprites: StoneSprites,
  arrangement: Arrangement, picture: AnalysisPicture, font: string,
): void {
  context.clearRect(0, 0, geometry.width, geometry.height)
  if (picture.ownership && picture.ownershipStyle !== 'off') {
    paintOwnership(context, geometry, arrangement, picture.ownership, picture.ownershipStyle)
  }
  if (picture.region && picture.region.length > 0) paintRegion(context, geometry, theme, picture.region)
  for (const point of picture.avoided ?? []) paintAvoided(context, geometry, point)
  if (picture.line.length > 0) paintLine(context, geometry, sprites, picture.line, font)
  else if (picture.policy) paintPolicy(context, geometry, theme, picture.policy, font)
  else paintDiscs(context, geometry, theme, picture, font)
}

/** Veils what the search does not look at, and draws the border of what it does. */
function paintRegion(context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, region: readonly number[]): void {
  const { cell, columns, rows, left, top, ratio } = geometry
  const inside = new Set(region.map((point) => {
    const { column, row } = seenFrom(geometry, point)
    return row * columns + column
  }))
  context.fillStyle = theme.ground.kind === 'flat' && theme.ground.color === '#000000' ? 'rgb(255 255 255 / 22%)' : 'rgb(40 26 6 / 20%)'
  context.strokeStyle = theme.cursor
  context.lineWidth = Math.max(2 * ratio, cell * 0.06)
  context.beginPath()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = left + (column - 0.5) * cell
      const y = top + (row - 0.5) * cell
      if (!inside.has(row * columns + column)) {
        context.fillRect(x, y, cell, cell)
        continue
      }
      const open = (otherColumn: number, otherRow: number): boolean =>
        otherColumn < 0 || otherRow < 0 || otherColumn >= columns || otherRow >= rows || !inside.has(otherRow * columns + otherColumn)
      if (open(column - 1, row)) { context.moveTo(x, y); context.lineTo(x, y + cell) }
      if (open(column + 1, row)) { context.moveTo(x + cell, y); context.lineTo(x + cell, y + cell) }
      if (open(column, row - 1)) { context.moveTo(x, y); context.lineTo(x + cell, y) }
      if (open(column, row + 1)) { context.moveTo(x, y + cell); context.lineTo(x + cell, y + cell) }
    }
  }
  context.stroke()
}

function paintAvoided(context: CanvasRenderingContext2D, geometry: BoardGeometry, point: number): void {
  const { cell, ratio } = geometry
  const { x, y } = centreOf(geometry, point)
  const radius = cell * 0.3
  context.lineWidth = Math.max(2 * ratio, cell * 0.08)
  context.strokeStyle = 'rgb(170 30 20 / 90%)'
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.moveTo(x - radius * 0.7, y + radius * 0.7)
  context.lineTo(x + radius * 0.7, y - radius * 0.7)
  context.stroke()
}

/** The network's first thought: a disc whose area is the chance, with the chance in per cent where it is one or more. */
function paintPolicy(context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, policy: ArrayLike<number>, font: string): void {
  const { cell, ratio } = geometry
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const width = measuredBy(context, font)
  let most = 1
  for (let point = 0; point < policy.length; point++) most = Math.max(most, policy[point] ?? 0)
  for (let point = 0; point < policy.length; point++) {
    const chance = policy[point] ?? -1
    if (chance < 2) continue
    const { x, y } = centreOf(geometry, point)
    const share = Math.sqrt(chance / most)
    const alpha = 0.35 + 0.55 * share
    context.fillStyle = `rgb(38 98 160 / ${alpha})`
    const radius = cell * (0.16 + 0.31 * share)
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fill()
    const text = String(Math.round(chance / 10))
    const size = chance < 10 ? undefined : fittingSize(cell * 0.33 / ratio, radius * 1.75 / ratio, text, width)
    if (size === undefined) continue
    context.font = `700 ${size * ratio}px ${font}`
    context.fillStyle = readableOn(laidOver([38, 98, 160], groundRgb(theme), alpha))
    context.fillText(text, x, y + cell * 0.03)
  }
}

let field: HTMLCanvasElement | undefined

/** Ownership as one soft cloud: one pixel a point, drawn large. */
function paintCloud(context: CanvasRenderingContext2D, geometry: BoardGeometry, ownership: ArrayLike<number>): void {
  const { cell, columns, rows, left, top } = geometry
  field ??= document.createElement('canvas')
  if (field.width !== columns) field.width = columns
  if (field.height !== rows) field.height = rows
  const small = context2d(field)
  if (!small) return
  const image = small.createImageData(columns, rows)
  for (let point = 0; point < ownership.length; point++) {
    const value = ownership[point] ?? 0
    const { column, row } = seenFrom(geometry, point)
    const at = (row * columns + column) * 4
    const tone = value > 0 ? 8 : 255
    image.data[at] = image.data[at + 1] = image.data[at + 2] = tone
    image.data[at + 3] = Math.round(Math.abs(value) / 100 * (value > 0 ? 150 : 165))
  }
  small.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  context.drawImage(field, left - cell / 2, top - cell / 2, columns * cell, rows * cell)
}

function paintOwnership(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, arrangement: Arrangement,
  ownership: ArrayLike<number>, style: OwnershipStyle,
): void {
  const { cell } = geometry
  if (style === 'smooth') {
    paintCloud(context, geometry, ownership)
    return
  }
  for (let point = 0; point < ownership.length; point++) {
    const value = (ownership[point] ?? 0) / 100
    const strength = Math.abs(value)
    if (strength < 0.08) continue
    const stone = arrangement.cells[point]
    const owner = value > 0 ? 1 : 2
    const { x, y } = centreOf(geometry, point)
    if (style === 'tint') {
      context.fillStyle = owner === 1 ? `rgb(10 8 6 / ${strength * 0.5})` : `rgb(255 255 255 / ${strength * 0.55})`
      context.fillRect(x - cell / 2, y - cell / 2, cell, cell)
      continue
    }
    // A stone that stands on its own ground says so by itself.
    if (stone === owner) continue
    const side = cell * (0.1 + 0.36 * strength)
    context.fillStyle = owner === 1 ? `rgb(16 14 12 / ${0.5 + strength * 0.35})` : `rgb(255 255 255 / ${0.55 + strength * 0.4})`
    context.beginPath()
    context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.2)
    context.fill()
    if (owner === 2) {
      context.strokeStyle = 'rgb(60 40 10 / 35%)'
      context.lineWidth = Math.max(1, geometry.ratio * 0.75)
      context.stroke()
    }
  }
}

/** The outline of a step's sign: ring, dot, triangle, square, cross, so that colour is never alone. `size` is its reach. */
function traceSign(context: CanvasRenderingContext2D, x: number, y: number, size: number, step: QualityStep): void {
  context.beginPath()
  switch (step) {
    case 0: case 1:
      context.arc(x, y, size * 0.8, 0, 2 * Math.PI)
      break
    case 2:
      context.moveTo(x, y - size)
      context.lineTo(x + size, y + size * 0.75)
      context.lineTo(x - size, y + size * 0.75)
      context.closePath()
      break
    case 3:
      context.rect(x - size * 0.78, y - size * 0.78, size * 1.56, size * 1.56)
      break
    case 4:
      context.moveTo(x - size * 0.75, y - size * 0.75)
      context.lineTo(x + size * 0.75, y + size * 0.75)
      context.moveTo(x + size * 0.75, y - size * 0.75)
      context.lineTo(x - size * 0.75, y + size * 0.75)
      break
  }
}

/** The sign alone, in the ink of the disc that it lies on. */
function paintSign(context: CanvasRenderingContext2D, x: number, y: number, size: number, step: QualityStep, ink: string): void {
  traceSign(context, x, y, size, step)
  context.strokeStyle = ink
  context.fillStyle = ink
  context.lineWidth = size * 0.4
  if (step === 0 || step === 4) context.stroke()
  else context.fill()
}

/** The sign in the colour of the points lost, with an edge that is seen on both stones. */
export function paintQualityShape(
  context: CanvasRenderingContext2D, x: number, y: number, size: number, loss: number, step: QualityStep, palette: QualityPalette,
): void {
  context.save()
  context.lineJoin = 'round'
  traceSign(context, x, y, size, step)
  const color = qualityColor(loss, palette)
  const open = step === 0 || step === 4
  context.strokeStyle = 'rgb(20 14 4 / 70%)'
  context.lineWidth = open ? size * 0.95 : size * 0.45
  context.stroke()
  context.strokeStyle = color
  context.fillStyle = color
  context.lineWidth = size * 0.5
  if (!open) context.fill()
  else context.stroke()
  context.restore()
}

/** The discs, then their figures, one kind of letters after the other: choosing a font is what writing on a canvas costs. */
function paintDiscs(context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, picture: AnalysisPicture, font: string): void {
  const figures = new Map<string, Figure[]>()
  const written = (style: string, figure: Figure): void => {
    const alike = figures.get(style)
    if (alike) alike.push(figure)
    else figures.set(style, [figure])
  }
  const width = measuredBy(context, font)
  for (const disc of [...picture.candidates].reverse()) {
    if (picture.marked?.has(disc.point)) paintRing(context, geometry, disc, picture.palette)
    else paintDisc(context, geometry, theme, disc, picture.palette, font, width, written)
  }
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const [style, alike] of figures) {
    context.font = style
    for (const { text, x, y, ink } of alike) {
      context.fillStyle = ink
      context.fillText(text, x, y)
    }
  }
}

interface Figure { readonly text: string, readonly x: number, readonly y: number, readonly ink: string }

function paintDisc(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, disc: CandidateDisc, palette: QualityPalette, font: string,
  width: TextWidth, written: (style: string, figure: Figure) => void,
): void {
  const { cell, ratio } = geometry
  const { x, y } = centreOf(geometry, disc.point)
  const radius = discRadius(cell / ratio) * ratio
  const alpha = disc.best ? 0.97 : 0.62 + 0.35 * Math.sqrt(disc.weight)
  context.fillStyle = qualityColor(disc.loss, palette, alpha)
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  paintEdge(context, x, y, radius, disc.best ? Math.max(2 * ratio, radius * 0.13) : Math.max(1, ratio), disc.best ? theme.cursor : 'rgb(20 14 4 / 45%)')

  const ink = readableOn(laidOver(qualityRgb(disc.loss, palette), groundRgb(theme), alpha))
  const step = qualityStep(disc.loss)
  // A good move needs no sign.
  const layout = layOutDisc(radius / ratio, disc.figures, step > 0, width)
  for (const { text, size, bold, y: below } of layout.figures) {
    written(`${bold ? 700 : 500} ${size * ratio}px ${font}`, { text, x, y: y + (below + size * 0.04) * ratio, ink })
  }
  if (step > 0) paintSign(context, x, y + layout.sign.y * ratio, layout.sign.size * ratio, step, ink)
}

/** A candidate under a mark of the record: the mark is read, and the ring says how good the move is. */
function paintRing(context: CanvasRenderingContext2D, geometry: BoardGeometry, disc: CandidateDisc, palette: QualityPalette): void {
  const { cell, ratio } = geometry
  const { x, y } = centreOf(geometry, disc.point)
  const radius = discRadius(cell / ratio) * ratio
  paintEdge(context, x, y, radius, Math.max(3.5 * ratio, radius * 0.2), 'rgb(20 14 4 / 70%)')
  paintEdge(context, x, y, radius - ratio, Math.max(1.5 * ratio, radius * 0.2 - 2 * ratio), qualityColor(disc.loss, palette))
}

/** A ring that does not reach over the radius. */
function paintEdge(context: CanvasRenderingContext2D, x: number, y: number, radius: number, width: number, color: string): void {
  context.lineWidth = width
  context.strokeStyle = color
  context.beginPath()
  context.arc(x, y, radius - width / 2, 0, 2 * Math.PI)
  context.stroke()
}

function paintLine(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, sprites: StoneSprites, line: readonly GhostStone[], font: string,
): void {
  const { cell, ratio } = geometry
  const half = sprites.size / 2
  const width = measuredBy(context, font)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const ghost of line) {
    const { x, y } = centreOf(geometry, ghost.point)
    const image = stoneSprite(sprites, ghost.color, ghost.point)
    if (image) {
      context.globalAlpha = 0.88
      context.drawImage(image, x - half, y - half)
      context.globalAlpha = 1
    }
    const text = String(ghost.number)
    const size = fittingSize(cell * 0.46 / ratio, cell * 0.84 / ratio, text, width) ?? MIN_FIGURE
    context.font = `700 ${size * ratio}px ${font}`
    context.fillStyle = ghost.color === 'black' ? '#fff' : '#141312'
    context.fillText(text, x, y + cell * 0.035)
  }
}
