import { centreOf, seenFrom, type BoardGeometry } from './geometry'
import type { Arrangement } from './model'
import { stoneOffset, stoneSprite, type StoneSprites } from './stoneSprites'
import type { BoardTheme } from './themes'

/** A stone that is being put down. */
export interface SettlingStone {
  readonly point: number
  /** 0 in the hand, 1 at rest. */
  readonly progress: number
}

/** Changes beyond which drawing the whole board is cheaper. */
const MAX_PLACES = 40
/** How far a stone that is being put down reaches with its shadow, in cells from its point. */
const REACH = 1.2

/**
 * Shadows first, stones over them, so that no stone is darkened by its neighbour.
 * With `only`, nothing but the surroundings of these points is drawn: without a graphics card the pixels that are touched
 * are what a move costs. Sprites are put on whole pixels, where copying needs no filter.
 */
export function paintStones(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, sprites: StoneSprites,
  arrangement: Arrangement, settling?: SettlingStone, only?: readonly number[],
): void {
  const points = Array.from({ length: arrangement.columns * arrangement.rows }, (_, point) => point).filter(point => arrangement.cells[point])
  if (!only || only.length > MAX_PLACES || geometry.joined) {
    context.clearRect(0, 0, geometry.width, geometry.height)
    put(context, geometry, theme, sprites, arrangement, points, settling)
    return
  }
  for (const middle of only) {
    const { x, y } = centreOf(geometry, middle)
    const reach = Math.ceil(geometry.cell * REACH)
    const place = seenFrom(geometry, middle)
    const near = points.filter((point) => {
      const { column, row } = seenFrom(geometry, point)
      return Math.abs(column - place.column) <= 2 && Math.abs(row - place.row) <= 2
    })
    context.save()
    context.beginPath()
    context.rect(x - reach, y - reach, 2 * reach, 2 * reach)
    context.clip()
    context.clearRect(x - reach, y - reach, 2 * reach, 2 * reach)
    put(context, geometry, theme, sprites, arrangement, near, settling)
    context.restore()
  }
}

function put(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, sprites: StoneSprites,
  arrangement: Arrangement, points: readonly number[], settling: SettlingStone | undefined,
): void {
  const half = sprites.size / 2
  const lift = geometry.cell * 0.055
  for (let pass = sprites.shadow ? 0 : 1; pass < 2; pass++) {
    for (const point of points) {
      const image = pass === 0 ? sprites.shadow : stoneSprite(sprites, arrangement.cells[point] === 1 ? 'black' : 'white', point)
      if (!image) continue
      const centre = centreOf(geometry, point)
      const offset = stoneOffset(point, theme, geometry.cell)
      const height = settling?.point === point ? 1 - settling.progress : 0
      const drop = pass === 0 ? lift * (1 + height * 3) : 0
      if (height === 0) {
        context.globalAlpha = 1
        context.drawImage(image, Math.round(centre.x + offset.x + drop - half), Math.round(centre.y + offset.y + drop * 1.5 - half))
        continue
      }
      const scale = 1 + height * 0.09
      context.globalAlpha = pass === 0 ? 1 - height * 0.5 : Math.min(1, 1.25 - height)
      const size = sprites.size * scale
      context.drawImage(
        image, centre.x + offset.x + drop - half * scale, centre.y + offset.y + drop * 1.5 - half * scale, size, size,
      )
    }
  }
  context.globalAlpha = 1
}
