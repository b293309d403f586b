import type { TreeView } from '@/api'

/** Where the nodes of a tree stand: moves run along the columns, variations go down the rows. */
export interface TreeLayout {
  /** For each entry of the tree's lists. */
  readonly columns: Uint32Array
  readonly rows: Uint32Array
  readonly columnCount: number
  readonly rowCount: number
  /** Entries column by column, each sorted by row: what a window onto the tree has to draw is found quickly. */
  readonly byColumn: Uint32Array
  /** Where each column begins in `byColumn`; one more entry than there are columns. */
  readonly columnStarts: Uint32Array
}

const NONE = 0xffffffff

/**
 * Lays a tree out. The first child goes on in its parent's row; every other one opens the first row below that is free
 * along its whole length. Takes time in proportion to the nodes and uses no recursion: trees may be deep.
 */
export function layoutTree(tree: Pick<TreeView, 'parents'>): TreeLayout {
  const count = tree.parents.length
  const columns = new Uint32Array(count)
  const rows = new Uint32Array(count)
  const firstChild = new Uint32Array(count).fill(NONE)
  const lastChild = new Uint32Array(count).fill(NONE)
  const nextSibling = new Uint32Array(count).fill(NONE)
  let columnCount = count > 0 ? 1 : 0
  for (let entry = 1; entry < count; entry++) {
    const parent = tree.parents[entry] ?? 0
    columns[entry] = (columns[parent] ?? 0) + 1
    columnCount = Math.max(columnCount, (columns[entry] ?? 0) + 1)
    if (firstChild[parent] === NONE) firstChild[parent] = entry
    else nextSibling[lastChild[parent] ?? 0] = entry
    lastChild[parent] = entry
  }

  const nextFree = new Uint32Array(columnCount)
  let rowCount = count > 0 ? 1 : 0
  const waiting: number[] = count > 0 ? [0] : []
  for (let head = waiting.pop(); head !== undefined; head = waiting.pop()) {
    const start = Math.max(0, (columns[head] ?? 0) - 1)
    let row = nextFree[start] ?? 0
    for (let entry = head; entry !== NONE; entry = firstChild[entry] ?? NONE) row = Math.max(row, nextFree[columns[entry] ?? 0] ?? 0)
    nextFree[start] = row + 1
    for (let entry = head; entry !== NONE; entry = firstChild[entry] ?? NONE) {
      rows[entry] = row
      nextFree[columns[entry] ?? 0] = row + 1
      // The deepest branch is taken up next, so that the lines of the shallower ones pass beside it. Siblings keep their order.
      const branches: number[] = []
      const first = firstChild[entry] ?? NONE
      for (let branch = first === NONE ? NONE : nextSibling[first] ?? NONE; branch !== NONE; branch = nextSibling[branch] ?? NONE) branches.push(branch)
      for (let index = branches.length - 1; index >= 0; index--) waiting.push(branches[index] ?? 0)
    }
    rowCount = Math.max(rowCount, row + 1)
  }

  const columnStarts = new Uint32Array(columnCount + 1)
  for (let entry = 0; entry < count; entry++) columnStarts[(columns[entry] ?? 0) + 1]!++
  for (let column = 0; column < columnCount; column++) columnStarts[column + 1]! += columnStarts[column] ?? 0
  const byColumn = new Uint32Array(count)
  const filled = columnStarts.slice()
  for (let entry = 0; entry < count; entry++) byColumn[filled[columns[entry] ?? 0]!++] = entry
  for (let column = 0; column < columnCount; column++) {
    byColumn.subarray(columnStarts[column], columnStarts[column + 1]).sort((a, b) => (rows[a] ?? 0) - (rows[b] ?? 0))
  }
  return { columns, rows, columnCount, rowCount, byColumn, columnStarts }
}

/** The entry at a place of the layout, if there is one. */
export function entryAt(layout: TreeLayout, column: number, row: number): number | undefined {
  if (column < 0 || column >= layout.columnCount) return undefined
  const index = firstFrom(layout, column, row)
  const entry = layout.byColumn[index]
  return index < (layout.columnStarts[column + 1] ?? 0) && entry !== undefined && layout.rows[entry] === row ? entry : undefined
}

/** Where in `byColumn` the first entry of a column stands that is in the given row or below. */
export function firstFrom(layout: TreeLayout, column: number, row: number): number {
  let low = layout.columnStarts[column] ?? 0
  let high = layout.columnStarts[column + 1] ?? 0
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((layout.rows[layout.byColumn[middle] ?? 0] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}
