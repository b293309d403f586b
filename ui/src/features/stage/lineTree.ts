import type { Side, TreeView } from '@/api'
import { indexOf } from '@/features/game'

/** A move that the record has at a position. */
export interface RecordedMove { readonly nodeId: number, readonly vertex: number }

/** Moves that the record itself calls these are not to be learnt. */
const NOT_TO_LEARN: ReadonlySet<string> = new Set(['doubtful', 'bad', 'veryBad'])

/** From a node on, the nodes at which a side has moves in the record, with those moves. What follows its bad moves is left out. */
export function askedBelow(tree: TreeView, top: number, side: Side): Map<number, RecordedMove[]> {
  const color = side === 'black' ? 1 : -1
  const first = indexOf(tree).entryOf(top)
  const bad = new Set(tree.annotated.filter(({ annotations }) => NOT_TO_LEARN.has(annotations.onMove ?? '')).map(({ nodeId }) => nodeId))
  const within = new Uint8Array(tree.ids.length)
  const asked = new Map<number, RecordedMove[]>()
  // Parents stand before their children.
  tree.ids.forEach((nodeId, entry) => {
    const parent = tree.parents[entry] ?? 0
    const own = tree.colors[entry] === color
    if (entry === first) within[entry] = 1
    if (entry === first || entry === 0 || !within[parent] || (own && bad.has(nodeId))) return
    within[entry] = 1
    const vertex = tree.moves[entry] ?? -1
    // A pass is not shown on the board: it is played by itself.
    if (!own || vertex < 0) return
    const before = tree.ids[parent] ?? 0
    asked.set(before, [...asked.get(before) ?? [], { nodeId, vertex }])
  })
  return asked
}

/** The nodes at which, or below which, one of these is. */
export function leadingTo(tree: TreeView, wanted: ReadonlySet<number>): ReadonlySet<number> {
  const leads = new Uint8Array(tree.ids.length)
  for (let entry = tree.ids.length - 1; entry >= 0; entry--) {
    if (wanted.has(tree.ids[entry] ?? -1)) leads[entry] = 1
    if (leads[entry]) leads[tree.parents[entry] ?? 0] = 1
  }
  return new Set(tree.ids.filter((_, entry) => leads[entry]))
}

/** The first child of a node that is one of these. */
export function childAmong(tree: TreeView, node: number, among: ReadonlySet<number>): number | undefined {
  const at = indexOf(tree).entryOf(node)
  return tree.ids.find((nodeId, entry) => entry > 0 && tree.parents[entry] === at && among.has(nodeId))
}

/** The node before a node; the root's is itself. */
export function parentOf(tree: TreeView, node: number): number {
  return tree.ids[tree.parents[indexOf(tree).entryOf(node) ?? 0] ?? 0] ?? 0
}
