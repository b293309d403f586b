import type { BoardMark } from '@/features/board'
import { say } from '@/i18n'

/** The marks of a point in words, for whoever does not see them. */
export function markWords(marks: readonly BoardMark[], point: number): string[] {
  return marks.filter(mark => mark.point === point).map(({ kind, text = '' }) => {
    switch (kind) {
      case 'label': return say('board.mark.label', { text })
      case 'dimmed': return say('board.mark.dimmed')
      case 'territoryBlack': return say('board.mark.blackTerritory')
      case 'territoryWhite': return say('board.mark.whiteTerritory')
      default: return say(`edit.tool.${kind}`)
    }
  })
}

/** How many stones a move took from the board. */
export function stonesTaken(before: ArrayLike<number>, now: ArrayLike<number>): number {
  let taken = 0
  for (let point = 0; point < before.length; point++) if (before[point] && !now[point]) taken++
  return taken
}

/** A move in words, with what it took. */
export const withCaptured = (what: string, taken: number): string => taken > 0 ? say('board.spoken.captured', { what }, taken) : what
