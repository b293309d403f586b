import type { Side, TreeView } from '@/api'
import { indexOf } from '@/features/game'

/** A move as it was played. */
export interface MadeMove {
  readonly nodeId: number
  /** From 1. */
  readonly number: number
  readonly side: Side
  /** The point's index; null for a pass. */
  readonly point: number | null
}

/** The nodes from the root to a node. */
export function pathTo(tree: TreeView, nodeId: number): number[] {
  const path: number[] = []
  for (let entry = indexOf(tree).entryOf(nodeId); entry !== undefined;) {
    path.push(tree.ids[entry] ?? 0)
    entry = entry === 0 ? undefined : tree.parents[entry]
  }
  return path.reverse()
}

/** The moves that led to a node, first to last. */
export function movesTo(tree: TreeView, nodeId: number): MadeMove[] {
  const { entryOf } = indexOf(tree)
  const moves: MadeMove[] = []
  for (const node of pathTo(tree, nodeId)) {
    const entry = entryOf(node) ?? -1
    const [move = -2, color = 0] = [tree.moves[entry], tree.colors[entry]]
    if (color !== 0) moves.push({ nodeId: node, number: moves.length + 1, side: color === 1 ? 'black' : 'white', point: move >= 0 ? move : null })
  }
  return moves
}
