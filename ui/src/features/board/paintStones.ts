import { centreOf, type BoardGeometry } from './geometry'
import type { Arrangement } from './model'
import { stoneOffset, stoneSprite, type StoneSprites } from './stoneSprites'
import type { BoardTheme } from './themes'

/** A stone that is being put down. */
export interface SettlingStone {
  readonly point: number
  /** 0 in the hand, 1 at rest. */
  readonly progress: number
}

/** Shadows first, stones over them, so that no stone is darkened by its neighbour. */
export function paintStones(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, sprites: StoneSprites,
  arrangement: Arrangement, settling?: SettlingStone,
): void {
  context.clearRect(0, 0, geometry.width, geometry.height)
  const { cells } = arrangement
  const half = sprites.size / 2
  const lift = geometry.cell * 0.055
  const count = arrangement.columns * arrangement.rows
  for (let pass = sprites.shadow ? 0 : 1; pass < 2; pass++) {
    for (let point = 0; point < count; point++) {
      const cell = cells[point]
      if (!cell) continue
      const image = pass === 0 ? sprites.shadow : stoneSprite(sprites, cell === 1 ? 'black' : 'white', point)
      if (!image) continue
      const centre = centreOf(geometry, point)
      const offset = stoneOffset(point, theme, geometry.cell)
      const height = settling?.point === point ? 1 - settling.progress : 0
      const drop = pass === 0 ? lift * (1 + height * 3) : 0
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
