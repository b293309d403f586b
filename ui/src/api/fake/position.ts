/** Just enough of the rules for the back end in memory: captures, simple ko, no suicide. */

import { neighbours } from '../points'

export interface FakePosition {
  stones: Int8Array
  numbers: Uint16Array
  ko: number | null
  capturedByBlack: number
  capturedByWhite: number
}

export function emptyPosition(area: number): FakePosition {
  return { stones: new Int8Array(area), numbers: new Uint16Array(area), ko: null, capturedByBlack: 0, capturedByWhite: 0 }
}

/** The stones of a chain and the number of its liberties. */
export function chainAt(stones: ArrayLike<number>, start: number, width: number, height: number): { chain: number[], liberties: number } {
  const color = stones[start]
  const chain = [start]
  const seen = new Set(chain)
  const liberties = new Set<number>()
  for (let next = 0; next < chain.length; next++) {
    for (const other of neighbours(chain[next] ?? 0, { width, height })) {
      if (stones[other] === 0) liberties.add(other)
      else if (stones[other] === color && !seen.has(other)) { seen.add(other); chain.push(other) }
    }
  }
  return { chain, liberties: liberties.size }
}

/** Whether a stone may be put on a point; the same as `placed`, without making the position. */
export function mayBePlaced(before: FakePosition, point: number, color: number, width: number, height: number): boolean {
  if (before.stones[point] || before.ko === point) return false
  const around = neighbours(point, { width, height })
  if (around.some(other => before.stones[other] === 0)) return true
  // It needs a liberty of a chain that it joins, or to take the last one of a chain that it touches.
  return around.some(other => (chainAt(before.stones, other, width, height).liberties > 1) === (before.stones[other] === color))
}

/** The position after a stone, or why it may not be put there. */
export function placed(
  before: FakePosition, point: number, color: number, number: number, width: number, height: number,
): FakePosition | 'occupied' | 'ko' | 'suicide' | 'outside' {
  if (point < 0 || point >= width * height) return 'outside'
  if (before.stones[point]) return 'occupied'
  if (before.ko === point) return 'ko'
  const after: FakePosition = { ...before, stones: before.stones.slice(), numbers: before.numbers.slice(), ko: null }
  after.stones[point] = color
  after.numbers[point] = number
  let taken: number[] = []
  for (const other of neighbours(point, { width, height })) {
    if (after.stones[other] !== -color) continue
    const { chain, liberties } = chainAt(after.stones, other, width, height)
    if (liberties > 0) continue
    for (const stone of chain) { after.stones[stone] = 0; after.numbers[stone] = 0 }
    taken = taken.concat(chain)
  }
  const own = chainAt(after.stones, point, width, height)
  if (own.liberties === 0) return 'suicide'
  if (taken.length === 1 && own.chain.length === 1 && own.liberties === 1) after.ko = taken[0] ?? null
  if (color === 1) after.capturedByBlack += taken.length
  else after.capturedByWhite += taken.length
  return after
}
