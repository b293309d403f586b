/** One picture of an animation, all of the same size. */
export interface Frame {
  /** Red, green, blue and opacity of each pixel. */
  readonly pixels: Uint8ClampedArray
  /** Milliseconds until the next one. */
  readonly milliseconds: number
}

/** Colours of an animation; one more is kept for "as before". */
const COLORS = 255

/**
 * Writes frames as an animated GIF that runs for ever. The colours are chosen from `sample`, a frame that has them all;
 * of every other frame only what changed is written, which keeps a game of 200 moves below a few hundred kilobytes.
 */
export async function encodeGif(width: number, height: number, sample: Uint8ClampedArray, frames: AsyncIterable<Frame>): Promise<Uint8Array<ArrayBuffer>> {
  const { GIFEncoder, applyPalette, quantize } = await import('gifenc')
  const palette = quantize(sample, COLORS)
  const unchanged = palette.length
  // A place in the table that no pixel is drawn with.
  const table = [...palette, palette[0] ?? [0, 0, 0]] satisfies [number, number, number][]
  const encoder = GIFEncoder()
  let before: Uint8Array | undefined
  for await (const { pixels, milliseconds } of frames) {
    const now = applyPalette(pixels, palette)
    const index = before ? now.map((color, pixel) => color === before?.[pixel] ? unchanged : color) : now
    encoder.writeFrame(index, width, height, { ...(before ? { transparent: true, transparentIndex: unchanged } : { palette: table, repeat: 0 }), delay: milliseconds, dispose: 1 })
    before = now
  }
  encoder.finish()
  return encoder.bytes()
}
