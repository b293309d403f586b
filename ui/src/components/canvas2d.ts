/**
 * Whether the window is WebKitGTK's. Without a graphics card it draws canvases by an emulated one and sends every one of
 * them to the screen in each frame: a board that was analysed came to 1.3 frames a second and took a core from the engine
 * (docs/experiments/ui-speed.md). Drawn by the processor outright, with no blurred shadow behind them, it is thirty.
 */
export const DRAWS_IN_SOFTWARE = /Linux/.test(navigator.userAgent) && /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent)

/** What to draw on a canvas with. */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  return canvas.getContext('2d', { willReadFrequently: DRAWS_IN_SOFTWARE })
}
