import type { TreeView } from '@/api'

/** Look-ups into a tree by node. Made once for each tree: a step through a game leaves its tree as it is. */
export interface TreeIndex {
  /** Where a node stands in the tree's lists. */
  entryOf(nodeId: number): number | undefined
  /** Who moved to a node: 1 black, -1 white, 0 nobody. */
  colorOf(nodeId: number): number
}

const kept = new WeakMap<TreeView, TreeIndex>()

/** The look-ups of a tree. */
export function indexOf(tree: TreeView): TreeIndex {
  const known = kept.get(tree)
  if (known) return known
  const entries = new Map<number, number>()
  tree.ids.forEach((id, entry) => entries.set(id, entry))
  const made: TreeIndex = {
    entryOf: nodeId => entries.get(nodeId),
    colorOf: nodeId => tree.colors[entries.get(nodeId) ?? -1] ?? 0,
  }
  kept.set(tree, made)
  return made
}
