import { centreOf, type BoardGeometry } from './geometry'
import type { StoneColor } from './model'
import { stoneSprite, type StoneSprites } from './stoneSprites'
import type { BoardTheme } from './themes'

export interface HoverPicture {
  /** The stone that a click would play. */
  readonly ghost: { readonly point: number, readonly color: StoneColor } | undefined
  /** The keyboard's cursor. */
  readonly cursor: number | undefined
}

/** What follows the pointer and the arrow keys. */
export function paintHover(
  context: CanvasRenderingContext2D, geometry: BoardGeometry, theme: BoardTheme, sprites: StoneSprites, picture: HoverPicture,
): void {
  context.clearRect(0, 0, geometry.width, geometry.height)
  if (picture.ghost) {
    const { x, y } = centreOf(geometry, picture.ghost.point)
    const image = stoneSprite(sprites, picture.ghost.color, picture.ghost.point)
    if (image) {
      context.globalAlpha = 0.55
      context.drawImage(image, x - sprites.size / 2, y - sprites.size / 2)
      context.globalAlpha = 1
    }
  }
  if (picture.cursor !== undefined) {
    const { x, y } = centreOf(geometry, picture.cursor)
    const side = geometry.cell * 1.04
    const draw = (color: string, width: number): void => {
      context.strokeStyle = color
      context.lineWidth = width
      context.beginPath()
      context.roundRect(x - side / 2, y - side / 2, side, side, geometry.cell * 0.18)
      context.stroke()
    }
    // Two tones, so that it is seen on wood and on both stones.
    draw(theme.ground.kind === 'flat' ? theme.ground.color : '#fff6e2', Math.max(4 * geometry.ratio, geometry.cell * 0.13))
    draw(theme.cursor, Math.max(2 * geometry.ratio, geometry.cell * 0.07))
  }
}
