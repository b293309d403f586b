import type { GraphValue, PositionView } from '@/api'
import type { StoneVerdict } from '@/features/board'
import { moveNodes, type Placed } from '@/features/game'
import type { LossStyle } from '@/features/settings'

/** Moves that are recent: two of each player. */
const RECENT_MOVES = 4
/** Points lost from which a stone says so. */
const MIN_LOSS = 1

/** The stones on the board whose moves lost points, where they were judged. */
export function stoneVerdicts(
  game: Placed & { readonly position: Pick<PositionView, 'stones' | 'moveNumbers' | 'moveNumber'> },
  graph: ReadonlyMap<number, GraphValue> | undefined, style: LossStyle,
): StoneVerdict[] {
  if (style === 'off' || !graph) return []
  const { stones, moveNumbers, moveNumber } = game.position
  const nodes = moveNodes(game)
  return stones.flatMap((stone, point) => {
    const number = moveNumbers[point] ?? 0
    if (stone === 0 || number === 0 || (style === 'recent' && moveNumber - number >= RECENT_MOVES)) return []
    const loss = graph.get(nodes[number - 1] ?? -1)?.judged?.pointsLost
    return loss !== undefined && loss >= MIN_LOSS ? [{ point, loss }] : []
  })
}
