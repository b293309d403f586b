import { context2d } from '@/components/canvas2d'

/**
 * Wood, drawn. Straight grain of a quarter-sawn plank: dark and light year rings run down the board, bent a little by
 * slow noise, with short pores between them.
 */

/** Side of the texture in pixels; boards scale it, so that the grain keeps its place when a window changes. */
const TEXTURE_SIDE = 1024

const kept = new Map<string, HTMLCanvasElement>()

/** A small generator of numbers (mulberry32): the same seed grows the same tree. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One line of smooth noise in -1..1 with the given distance between its knots. */
function smoothLine(length: number, knot: number, random: () => number): Float32Array {
  const knots = Float32Array.from({ length: Math.ceil(length / knot) + 2 }, () => random() * 2 - 1)
  const line = new Float32Array(length)
  for (let index = 0; index < length; index++) {
    const at = index / knot
    const left = Math.floor(at)
    const share = at - left
    const eased = share * share * (3 - 2 * share)
    line[index] = (knots[left] ?? 0) * (1 - eased) + (knots[left + 1] ?? 0) * eased
  }
  return line
}

/** Lightness of the grain across the plank, from rings of uneven width and fine fibres. */
function grainProfile(length: number, random: () => number): Float32Array {
  const broad = smoothLine(length, 150, random)
  const middle = smoothLine(length, 34, random)
  const fine = smoothLine(length, 3.1, random)
  const profile = new Float32Array(length)
  let ring = 0
  for (let index = 0; index < length; index++) {
    ring += 0.16 + 0.05 * (broad[index] ?? 0)
    // A year ring darkens slowly and ends at once.
    const phase = ring - Math.floor(ring)
    profile[index] = (broad[index] ?? 0) * 0.4 + (middle[index] ?? 0) * 0.34 + (fine[index] ?? 0) * 0.2 - phase * phase * 0.55 + 0.18
  }
  return profile
}

/** Lightness runs from minus this to this, with so many shades for each step of it. */
const MAX_LIGHTNESS = 32
const SHADES_EACH = 8

/** A tone of wood in every lightness, as pixels. */
function shadesOf(tone: readonly [number, number, number]): Uint32Array {
  const shades = new Uint32Array(2 * MAX_LIGHTNESS * SHADES_EACH)
  const parts = new Uint8ClampedArray(shades.buffer)
  shades.forEach((_, index) => {
    const light = index / SHADES_EACH - MAX_LIGHTNESS
    // Dark grain is also redder: blue falls fastest.
    parts.set([tone[0] + light * 0.85, tone[1] + light, tone[2] + light * 1.12, 255], index * 4)
  })
  return shades
}

/** The texture for a tone of wood. Drawn once, then kept. */
export function woodTexture(tone: readonly [number, number, number]): HTMLCanvasElement {
  const key = tone.join()
  const known = kept.get(key)
  if (known) return known

  const side = TEXTURE_SIDE
  const random = seeded(20 * 1000 + tone[0])
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = context2d(canvas)
  if (!context) return canvas

  const profile = grainProfile(side * 2, random)
  const bend = smoothLine(side, 420, random)
  const lean = smoothLine(side, 190, random)
  const patch = smoothLine(side, 260, random)
  const image = context.createImageData(side, side)
  // Every shade once as one whole pixel, and a short row of specks walked through anew in each line: a start waits for this.
  const shades = shadesOf(tone)
  const specks = Float32Array.from({ length: 4096 }, () => (random() - 0.5) * 3)
  const pixels = new Uint32Array(image.data.buffer)
  let at = 0
  for (let y = 0; y < side; y++) {
    const shift = side / 2 + (bend[y] ?? 0) * 22
    const slope = (lean[y] ?? 0) * 7
    const from = Math.floor(random() * 4096)
    for (let x = 0; x < side; x++) {
      const where = x + shift + slope * (patch[x] ?? 0)
      const left = where | 0
      const grain = (profile[left] ?? 0) + ((profile[left + 1] ?? 0) - (profile[left] ?? 0)) * (where - left)
      const light = grain * 13 + (specks[(from + x) & 4095] ?? 0)
      pixels[at++] = shades[(light + MAX_LIGHTNESS) * SHADES_EACH | 0] ?? 0
    }
  }
  context.putImageData(image, 0, 0)

  // Pores: short strokes along the grain.
  for (let stroke = 0; stroke < 2600; stroke++) {
    const x = random() * side
    const y = random() * side
    const length = 6 + random() * 26
    context.strokeStyle = `rgb(70 38 8 / ${0.03 + random() * 0.06})`
    context.lineWidth = 0.6 + random() * 0.7
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + (random() - 0.5) * 1.6, y + length)
    context.stroke()
  }
  kept.set(key, canvas)
  return canvas
}
