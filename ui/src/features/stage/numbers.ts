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
