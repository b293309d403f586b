import { context2d } from '@/components/canvas2d'
import type { BoardGeometry } from './geometry'

let spare: HTMLCanvasElement | undefined

/** Repeats what was drawn on the board around it, paler: on a torus the world goes on there. */
export function repeatAround(context: CanvasRenderingContext2D, geometry: BoardGeometry, alpha = 0.5): void {
  if (!geometry.torus) return
  const { columns, rows, cell, left, top } = geometry
  const x = left - Math.floor(cell / 2)
  const y = top - Math.floor(cell / 2)
  const width = columns * cell
  const height = rows * cell
  spare ??= document.createElement('canvas')
  if (spare.width !== width) spare.width = width
  if (spare.height !== height) spare.height = height
  const copy = context2d(spare)
  if (!copy) return
  copy.clearRect(0, 0, width, height)
  copy.drawImage(context.canvas, x, y, width, height, 0, 0, width, height)
  // What stuck out over the edge of the board belongs to the other side of it.
  context.save()
  context.beginPath()
  context.rect(0, 0, geometry.width, geometry.height)
  context.rect(x, y, width, height)
  context.clip('evenodd')
  context.clearRect(0, 0, geometry.width, geometry.height)
  context.globalAlpha = alpha
  const { around } = geometry.torus
  context.beginPath()
  context.rect(x - around * cell, y - around * cell, width + 2 * around * cell, height + 2 * around * cell)
  context.clip()
  for (let across = -1; across <= 1; across++) {
    for (let down = -1; down <= 1; down++) {
      if (across !== 0 || down !== 0) context.drawImage(spare, x + across * width, y + down * height)
    }
  }
  context.restore()
}
