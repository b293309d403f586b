import type { CutBranch, GrownBranch, PositionView, TreeView } from '@/api'

/** Look-ups into a tree by node. Made once for each tree: a step through a game leaves its tree as it is. */
export interface TreeIndex {
  /** Where a node stands in the tree's lists. */
  entryOf(nodeId: number): number | undefined
  /** Who moved to a node: 1 black, -1 white, 0 nobody. */
  colorOf(nodeId: number): number
}

/** The node of the main line after which so many moves have been played; its last one if there are fewer. */
export function nodeAfter(tree: TreeView, moves: number): number {
  // Parents stand before their children and the main line before its siblings: the first child is the next of the line.
  const next = new Map<number, number>()
  for (let entry = 1; entry < tree.ids.length; entry++) {
    const parent = tree.parents[entry] ?? 0
    if (!next.has(parent)) next.set(parent, entry)
  }
  let entry = 0
  for (let played = 0; played < moves;) {
    const following = next.get(entry)
    if (following === undefined) break
    entry = following
    if ((tree.moves[entry] ?? -2) !== -2) played++
  }
  return tree.ids[entry] ?? 0
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

/** A tree with a branch that was added to it; undefined where it is not the tree that the branch was added to. */
export function grown(tree: TreeView, { parent, branch }: GrownBranch): TreeView | undefined {
  const at = indexOf(tree).entryOf(parent)
  if (branch.revision !== tree.revision + 1 || at === undefined) return undefined
  // At the end of the lists it stands behind its parent and its siblings, as it has to.
  const start = tree.ids.length
  return {
    revision: branch.revision,
    ids: [...tree.ids, ...branch.ids],
    parents: [...tree.parents, ...branch.parents.map((place, entry) => entry === 0 ? at : place + start)],
    moves: [...tree.moves, ...branch.moves],
    colors: [...tree.colors, ...branch.colors],
    comments: [...tree.comments, ...branch.comments],
    annotated: [...tree.annotated, ...branch.annotated],
  }
}

/** A tree without a branch that was cut off; undefined where it is not the tree that the branch was cut off. */
export function withoutBranch(tree: TreeView, { nodeId, revision }: CutBranch): TreeView | undefined {
  const at = indexOf(tree).entryOf(nodeId)
  if (revision !== tree.revision + 1 || !at) return undefined
  // Parents stand before their children. Where each node that stays will stand; -1 for those that went.
  const places = new Int32Array(tree.ids.length)
  let left = 0
  tree.parents.forEach((parent, entry) => { places[entry] = entry === at || places[parent] === -1 ? -1 : left++ })
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, entry) => places[entry] !== -1)
  const ids = kept(tree.ids)
  const stay = new Set(ids)
  return {
    revision,
    ids,
    parents: kept(tree.parents).map(parent => places[parent] ?? 0),
    moves: kept(tree.moves),
    colors: kept(tree.colors),
    comments: kept(tree.comments),
    annotated: tree.annotated.filter(node => stay.has(node.nodeId)),
  }
}

/** A position and the tree that it is in. */
export interface Placed {
  readonly tree: TreeView
  readonly position: Pick<PositionView, 'line' | 'lineIndex'>
}

/** The node of the move of this number on the line of the position; its root for 0, undefined beyond its end. */
export function nodeOfMove({ tree, position: { line } }: Placed, number: number): number | undefined {
  if (number === 0) return line[0]
  const { colorOf } = indexOf(tree)
  return line.filter(node => colorOf(node) !== 0)[number - 1]
}

/** A move of the tree: its node, its number there and who made it. */
export interface NumberedMove { readonly nodeId: number, readonly number: number, readonly color: number }

/** The moves at a point in all variations, in the order of the tree. */
export function movesAt(tree: TreeView, point: number): NumberedMove[] {
  // Parents stand before their children.
  const numbers = new Uint32Array(tree.ids.length)
  return tree.ids.flatMap((nodeId, entry) => {
    const color = tree.colors[entry] ?? 0
    numbers[entry] = (entry === 0 ? 0 : numbers[tree.parents[entry] ?? 0] ?? 0) + (color === 0 ? 0 : 1)
    return color !== 0 && tree.moves[entry] === point ? [{ nodeId, number: numbers[entry], color }] : []
  })
}

/** The nearest node of the line, from the position on or back, at which the tree forks or that has a comment. */
export function nearest(sought: 'fork' | 'comment', { tree, position: { line, lineIndex } }: Placed, by: 1 | -1): number | undefined {
  const { entryOf } = indexOf(tree)
  const children = new Uint32Array(tree.ids.length)
  tree.parents.forEach((parent, entry) => { if (entry > 0) children[parent] = (children[parent] ?? 0) + 1 })
  for (let index = lineIndex + by; index >= 0 && index < line.length; index += by) {
    const entry = entryOf(line[index] ?? -1) ?? -1
    if (sought === 'fork' ? (children[entry] ?? 0) > 1 : Boolean(tree.comments[entry])) return line[index]
  }
  return undefined
}

/** A move of a line: `point` is null for a pass; `nodeId` is where it leads to, `before` where it was played. */
export interface LineMove { readonly number: number, readonly point: number | null, readonly color: number, readonly nodeId: number, readonly before: number }

/** The moves of the line that the position is in, also those that follow it. */
export function movesOfLine({ tree, position: { line } }: Placed): LineMove[] {
  const { entryOf } = indexOf(tree)
  let number = 0
  return line.flatMap((nodeId, index) => {
    const entry = entryOf(nodeId)
    const color = entry === undefined ? 0 : tree.colors[entry] ?? 0
    if (entry === undefined || color === 0) return []
    const move = tree.moves[entry] ?? -1
    return [{ number: ++number, point: move >= 0 ? move : null, color, nodeId, before: line[index - 1] ?? nodeId }]
  })
}

/** The nodes of the moves that led to the position, the first move's first. Nodes that only set up stones or comment are none. */
export function moveNodes({ tree, position }: Placed): number[] {
  const { colorOf } = indexOf(tree)
  return position.line.slice(0, position.lineIndex + 1).filter(node => colorOf(node) !== 0)
}
