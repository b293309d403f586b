import type { NumberStyle } from '@/features/settings'

/**
 * The numbers to write on the stones, 0 for none; undefined where no stone carries one.
 * `numbers` are those of the moves that put the stones there, `now` is the number of the last move.
 */
export function shownNumbers(
  numbers: readonly number[], style: NumberStyle, now: number, last: number, from: number | undefined,
): readonly number[] | undefined {
  switch (style) {
    case 'off': return undefined
    case 'all': return numbers
    case 'last': return numbers.map(number => number > now - last ? number : 0)
    // Counted anew from 1, as in a diagram of a variation.
    case 'here': return from === undefined ? undefined : numbers.map(number => Math.max(0, number - from))
  }
}

/** A move whose number is on no stone: its stone was taken, and at `point` stands this number now, 0 for none; a pass has no point. */
export interface HiddenMove { readonly number: number, readonly point: number | null, readonly by: number }

/** The moves that would carry a number, given move by move like those on the stones, and have no stone of their own. */
export function hiddenMoves(moves: readonly { readonly point: number | null }[], numbers: readonly number[], onStones: readonly number[]): HiddenMove[] {
  return moves.flatMap(({ point }, index) => {
    const number = numbers[index] ?? 0
    const by = point === null ? 0 : onStones[point] ?? 0
    return number === 0 || by === number ? [] : [{ number, point, by }]
  })
}
