/** The parts of gifenc 1.0.3 that are used here; it comes without types. */
declare module 'gifenc' {
  /** Red, green and blue, 0 to 255. */
  type Color = [number, number, number]
  interface FrameOptions {
    /** Needed for the first frame, where it holds for all. */
    palette?: Color[]
    /** Milliseconds until the next frame. */
    delay?: number
    transparent?: boolean
    transparentIndex?: number
    /** 1: the next frame is drawn over this one. */
    dispose?: number
    /** 0: for ever. */
    repeat?: number
  }
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void
    finish(): void
    bytes(): Uint8Array<ArrayBuffer>
  }
  export function quantize(rgba: Uint8ClampedArray, most: number): Color[]
  export function applyPalette(rgba: Uint8ClampedArray, palette: Color[]): Uint8Array
}
