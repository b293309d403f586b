import type { Side } from '@/api'
import { say, type MessageKey, type Say } from '@/i18n'
import { plainPoints } from '@/i18n/formats'

/** A result as records write it, taken apart. */
export interface Result {
  /** Undefined for a draw and for a game without a result. */
  readonly winner: Side | undefined
  readonly how: 'score' | 'resignation' | 'time' | 'forfeit' | 'win' | 'draw' | 'void'
  /** Points of a win by score. */
  readonly points: number
}

const HOW: Record<string, Result['how']> = { '': 'win', 'r': 'resignation', 'resign': 'resignation', 't': 'time', 'time': 'time', 'f': 'forfeit', 'forfeit': 'forfeit' }

/** Reads `B+3.5`, `W+R`, `0`, `Void` ...; undefined for what is no result. */
export function readResult(text: string): Result | undefined {
  const written = text.trim().toLowerCase()
  if (written === '0' || written === 'draw' || written === 'jigo') return { winner: undefined, how: 'draw', points: 0 }
  if (written === 'void') return { winner: undefined, how: 'void', points: 0 }
  const [, color, how = ''] = /^([bw])\+(.*)$/.exec(written) ?? []
  if (color === undefined) return undefined
  const winner = color === 'b' ? 'black' : 'white'
  const known = HOW[how]
  if (known) return { winner, how: known, points: 0 }
  const points = Number(how)
  return Number.isFinite(points) ? { winner, how: 'score', points } : undefined
}

/** The sentence that says it. */
export function resultKey({ winner, how }: Result): MessageKey {
  return winner === undefined ? `game.result.${how as 'draw'}` : `game.result.${winner}.${how as 'score'}`
}

/** A result as short as a list has it: `B+3.5` in English, in few signs elsewhere; what is no result stays as it is written. */
export function resultShort(text: string, t: Say = say): string {
  const result = readResult(text)
  if (!result) return text
  const { winner, how } = result
  return t(winner === undefined ? `game.resultShort.${how as 'draw'}` : `game.resultShort.${winner}.${how as 'score'}`, { points: plainPoints(result.points) })
}

/** A result in words; what is no result stays as it is written. */
export function resultWords(text: string, t: Say = say): string {
  const result = readResult(text)
  return result ? t(resultKey(result), { points: plainPoints(result.points) }) : text
}
