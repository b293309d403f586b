import { centreOf, type BoardGeometry } from './geometry'
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
  if (picture.line.length > 0) paintLine(context, geometry, sprites, picture.line, font)
  else for (const disc of [...picture.candidates].reverse()) paintDisc(context, geometry, theme, disc, picture.palette, font)
}

function paintOwnership(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, arrangement: Arrangement,
  ownership: ArrayLike<number>, style: OwnershipStyle,
): void {
  const { cell } = geometry
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

/** The sign of a step: ring, dot, triangle, square, cross, so that colour is never alone. */
export function paintQualityShape(
  context: CanvasRenderingContext2D, x: number, y: number, size: number, loss: number, step: QualityStep, palette: QualityPalette,
): void {
  context.save()
  context.lineJoin = 'round'
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

function paintDisc(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, disc: CandidateDisc, palette: QualityPalette, font: string,
): void {
  const { cell, ratio } = geometry
  const { x, y } = centreOf(geometry, disc.point)
  const radius = cell * 0.475
  const detailed = disc.best || disc.weight >= 0.02
  const alpha = disc.best ? 0.97 : detailed ? 0.62 + 0.35 * Math.sqrt(disc.weight) : 0.45
  context.fillStyle = qualityColor(disc.loss, palette, alpha)
  context.beginPath()
  context.arc(x, y, detailed ? radius : cell * 0.3, 0, 2 * Math.PI)
  context.fill()
  context.lineWidth = disc.best ? Math.max(2 * ratio, cell * 0.075) : Math.max(1, ratio)
  context.strokeStyle = disc.best ? theme.cursor : 'rgb(20 14 4 / 45%)'
  context.stroke()

  const step = qualityStep(disc.loss)
  if (detailed) paintFigures(context, geometry, disc, x, y, readableOn(laidOver(qualityRgb(disc.loss, palette), groundRgb(theme), alpha)), font)
  paintQualityShape(context, x + cell * 0.39, y - cell * 0.39, cell * 0.11, disc.loss, step, palette)
}

function paintFigures(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, disc: CandidateDisc, x: number, y: number, ink: string, font: string,
): void {
  const { cell, ratio } = geometry
  // Figures that nobody could read are left out rather than smeared.
  const lines = cell < 24 * ratio ? disc.figures.slice(0, 1) : cell < 35 * ratio ? disc.figures.slice(0, 2) : disc.figures
  if (lines.length === 0 || cell < 13 * ratio) return
  context.fillStyle = ink
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const sizes = lines.length === 1 ? [0.36] : lines.length === 2 ? [0.34, 0.25] : [0.3, 0.225, 0.225]
  const centres = lines.length === 1 ? [0.02] : lines.length === 2 ? [-0.12, 0.19] : [-0.2, 0.05, 0.27]
  lines.forEach((text, index) => {
    const size = cell * (sizes[index] ?? 0.22) * (text.length > 4 ? 0.86 : 1)
    context.font = `${index === 0 ? 700 : 500} ${size}px ${font}`
    context.fillText(text, x, y + cell * (centres[index] ?? 0))
  })
}

function paintLine(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, sprites: StoneSprites, line: readonly GhostStone[], font: string,
): void {
  const { cell } = geometry
  const half = sprites.size / 2
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
    context.font = `600 ${cell * (text.length > 2 ? 0.38 : 0.46)}px ${font}`
    context.fillStyle = ghost.color === 'black' ? '#fff' : '#141312'
    context.fillText(text, x, y + cell * 0.035)
  }
}
