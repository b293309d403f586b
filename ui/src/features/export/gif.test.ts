import { expect, test } from 'vitest'
import { encodeGif, type Frame } from './gif'

const SIDE = 8

/** A red square with blue pixels at the places named. */
function picture(...blue: number[]): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4)
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) pixels.set(blue.includes(pixel) ? [0, 0, 255, 255] : [255, 0, 0, 255], pixel * 4)
  return pixels
}

async function* shown(...frames: Frame[]): AsyncGenerator<Frame> {
  yield* frames
}

/** The delays of the frames, read block by block as the GIF89a specification has them, and whether it ends as it should. */
function read(bytes: Uint8Array): { delays: number[], transparent: boolean[], whole: boolean } {
  const delays: number[] = []
  const transparent: boolean[] = []
  const tableOf = (flags: number): number => (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
  let at = 13 + tableOf(bytes[10] ?? 0)
  const skipBlocks = (): void => {
    while ((bytes[at] ?? 0) > 0) at += (bytes[at] ?? 0) + 1
    at++
  }
  while (at < bytes.length && bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) {
        transparent.push(((bytes[at + 3] ?? 0) & 1) === 1)
        delays.push((bytes[at + 4] ?? 0) + 256 * (bytes[at + 5] ?? 0))
      }
      at += 2
      skipBlocks()
    } else if (bytes[at] === 0x2c) {
      at += 10 + tableOf(bytes[at + 9] ?? 0) + 1
      skipBlocks()
    } else break
  }
  return { delays, transparent, whole: bytes[at] === 0x3b && at === bytes.length - 1 }
}

test('frames follow each other at their pace, and only the first is whole', async () => {
  const frames = [{ pixels: picture(), milliseconds: 800 }, { pixels: picture(5), milliseconds: 800 }, { pixels: picture(5, 9), milliseconds: 3000 }]
  const bytes = await encodeGif(SIDE, SIDE, picture(5, 9), shown(...frames))
  expect(new TextDecoder().decode(bytes.slice(0, 6))).toBe('GIF89a')
  expect(read(bytes)).toEqual({ delays: [80, 80, 300], transparent: [false, true, true], whole: true })
})

test('what does not change costs next to nothing', async () => {
  const still = (count: number): Frame[] => Array.from({ length: count }, () => ({ pixels: picture(3), milliseconds: 100 }))
  const few = await encodeGif(SIDE, SIDE, picture(3), shown(...still(2)))
  const many = await encodeGif(SIDE, SIDE, picture(3), shown(...still(102)))
  expect((many.length - few.length) / 100).toBeLessThan(40)
})
