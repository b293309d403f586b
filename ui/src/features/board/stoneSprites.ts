import { context2d } from '@/components/canvas2d'
import type { StoneColor } from './model'
import type { BoardTheme } from './themes'

/** Shells differ; slates hardly. A board draws each stone from one of these. */
const SHELL_VARIANTS = 6

/** Room around the stone in a sprite, in radii, so that its shadow fits. */
const PADDING = 1.45

/** Stones of one size in one theme, drawn once. */
export interface StoneSprites {
  readonly radius: number
  readonly size: number
  readonly black: readonly HTMLCanvasElement[]
  readonly white: readonly HTMLCanvasElement[]
  /** Drawn under every stone; absent in plain themes. */
  readonly shadow: HTMLCanvasElement | undefined
}

function sprite(size: number): [HTMLCanvasElement, CanvasRenderingContext2D | null] {
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  return [canvas, context2d(canvas)]
}

function paintPlain(context: CanvasRenderingContext2D, middle: number, radius: number, fill: string, edge: string, ratio: number): void {
  const width = Math.max(ratio, radius * 0.075)
  context.beginPath()
  context.arc(middle, middle, radius - width / 2, 0, 2 * Math.PI)
  context.fillStyle = fill
  context.fill()
  context.lineWidth = width
  context.strokeStyle = edge
  context.stroke()
}

function paintSlate(context: CanvasRenderingContext2D, middle: number, radius: number): void {
  const body = context.createRadialGradient(middle - radius * 0.3, middle - radius * 0.38, radius * 0.05, middle, middle, radius)
  body.addColorStop(0, '#6d6a66')
  body.addColorStop(0.22, '#494743')
  body.addColorStop(0.6, '#262422')
  body.addColorStop(0.92, '#141312')
  body.addColorStop(1, '#1d1b1a')
  context.beginPath()
  context.arc(middle, middle, radius, 0, 2 * Math.PI)
  context.fillStyle = body
  context.fill()
}

function paintShell(context: CanvasRenderingContext2D, middle: number, radius: number, variant: number): void {
  const body = context.createRadialGradient(middle - radius * 0.32, middle - radius * 0.4, radius * 0.05, middle, middle, radius)
  body.addColorStop(0, '#ffffff')
  body.addColorStop(0.5, '#faf8f3')
  body.addColorStop(0.8, '#eeeae0')
  body.addColorStop(0.95, '#d8d1c2')
  body.addColorStop(1, '#bfb7a6')
  context.beginPath()
  context.arc(middle, middle, radius, 0, 2 * Math.PI)
  context.fillStyle = body
  context.fill()
  if (radius < 9) return
  // Growth lines of the shell: slightly bent, fading towards the light.
  context.save()
  context.clip()
  context.translate(middle, middle)
  context.rotate(variant * 1.13 + 0.4)
  const gap = radius / (4.5 + variant % 3)
  context.lineWidth = Math.max(0.7, radius * 0.035)
  for (let offset = -radius * 1.1; offset < radius * 1.1; offset += gap) {
    const strength = 0.035 + 0.05 * Math.abs(offset) / radius
    context.strokeStyle = `rgb(120 105 75 / ${strength})`
    context.beginPath()
    context.moveTo(-radius, offset)
    context.quadraticCurveTo(0, offset + radius * 0.28, radius, offset)
    context.stroke()
  }
  context.restore()
}

/** Draws the stones of a size. `radius` is in device pixels. */
export function makeStoneSprites(theme: BoardTheme, radius: number, ratio: number): StoneSprites {
  const size = Math.ceil(radius * 2 * PADDING)
  const middle = size / 2
  const draw = (color: StoneColor, variant: number): HTMLCanvasElement => {
    const [canvas, context] = sprite(size)
    if (!context) return canvas
    if (theme.stones === 'plain') {
      paintPlain(context, middle, radius, color === 'black' ? theme.black : theme.white, color === 'black' ? theme.blackEdge : theme.whiteEdge, ratio)
    } else if (color === 'black') paintSlate(context, middle, radius)
    else paintShell(context, middle, radius, variant)
    return canvas
  }
  let shadow: HTMLCanvasElement | undefined
  if (theme.stones === 'round') {
    const [canvas, context] = sprite(size)
    if (context) {
      const soft = context.createRadialGradient(middle, middle, radius * 0.72, middle, middle, radius * 1.2)
      soft.addColorStop(0, 'rgb(35 18 0 / 62%)')
      soft.addColorStop(0.45, 'rgb(35 18 0 / 30%)')
      soft.addColorStop(1, 'rgb(35 18 0 / 0%)')
      context.fillStyle = soft
      context.fillRect(0, 0, size, size)
    }
    shadow = canvas
  }
  const variants = theme.stones === 'plain' ? 1 : SHELL_VARIANTS
  return {
    radius, size, shadow,
    black: [draw('black', 0)],
    white: Array.from({ length: variants }, (_, variant) => draw('white', variant)),
  }
}

/** A whole number that belongs to a point for good; decides its variant and its disorder. */
export function pointHash(point: number): number {
  let mixed = Math.imul(point + 1, 0x9e3779b1)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

/** How far the stone on a point lies off it, in device pixels. */
export function stoneOffset(point: number, theme: BoardTheme, cell: number): { x: number, y: number } {
  if (theme.disorder === 0) return { x: 0, y: 0 }
  const hash = pointHash(point)
  const angle = (hash & 0xffff) / 0x10000 * 2 * Math.PI
  const distance = (hash >>> 16) / 0x10000 * theme.disorder * cell
  return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance }
}

/** The sprite of the stone on a point. */
export function stoneSprite(sprites: StoneSprites, color: StoneColor, point: number): HTMLCanvasElement | undefined {
  const variants = sprites[color]
  return variants[pointHash(point) % variants.length]
}
