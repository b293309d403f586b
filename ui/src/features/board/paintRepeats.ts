import { context2d } from '@/components/canvas2d'
import type { BoardGeometry } from './geometry'

let spare: HTMLCanvasElement | undefined

/** Repeats what was drawn on the board around it, paler, on the sides where the world goes on. */
export function repeatAround(context: CanvasRenderingContext2D, geometry: BoardGeometry, alpha = 0.5): void {
  if (!geometry.joined) return
  const { columns, rows, cell, left, top } = geometry
  const { aroundX, aroundY } = geometry.joined
  // Along an axis that ends, all that was drawn is the board's own.
  const x = aroundX > 0 ? left - Math.floor(cell / 2) : 0
  const y = aroundY > 0 ? top - Math.floor(cell / 2) : 0
  const width = aroundX > 0 ? columns * cell : geometry.width
  const height = aroundY > 0 ? rows * cell : geometry.height
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
  context.beginPath()
  context.rect(x - aroundX * cell, y - aroundY * cell, width + 2 * aroundX * cell, height + 2 * aroundY * cell)
  context.clip()
  const beside = (around: number): readonly number[] => around > 0 ? [-1, 0, 1] : [0]
  for (const across of beside(aroundX)) {
    for (const down of beside(aroundY)) {
      if (across !== 0 || down !== 0) context.drawImage(spare, x + across * width, y + down * height)
    }
  }
  context.restore()
}
