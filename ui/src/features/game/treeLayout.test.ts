import { describe, expect, test } from 'vitest'
import { entryAt, layoutTree, type TreeLayout } from './treeLayout'

function randomTree(count: number, seed: number, branching: number): { parents: number[] } {
  let state = seed
  const random = (): number => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return state / 4294967296 }
  const parents = [0]
  for (let entry = 1; entry < count; entry++) parents.push(random() < branching ? Math.floor(random() * entry) : entry - 1)
  return { parents }
}

/** What must hold of every drawing of a tree. */
function check(tree: { parents: number[] }, layout: TreeLayout): void {
  const places = new Map<string, number>()
  const firstChildSeen = new Set<number>()
  tree.parents.forEach((parent, entry) => {
    const place = `${layout.columns[entry]} ${layout.rows[entry]}`
    expect(places.has(place)).toBe(false)
    places.set(place, entry)
    if (entry === 0) return
    expect(layout.columns[entry]).toBe((layout.columns[parent] ?? 0) + 1)
    if (firstChildSeen.has(parent)) expect(layout.rows[entry]).toBeGreaterThan(layout.rows[parent] ?? 0)
    else expect(layout.rows[entry]).toBe(layout.rows[parent])
    firstChildSeen.add(parent)
  })
  // The line from a parent down to a variation passes no other node.
  tree.parents.forEach((parent, entry) => {
    for (let row = (layout.rows[parent] ?? 0) + 1; row <= (layout.rows[entry] ?? 0); row++) {
      expect(places.has(`${layout.columns[parent]} ${row}`)).toBe(false)
    }
  })
}

describe('the drawing of a tree', () => {
  test('a game without variations is one row', () => {
    const layout = layoutTree({ parents: [0, 0, 1, 2] })
    expect([...layout.rows]).toEqual([0, 0, 0, 0])
    expect(layout.columnCount).toBe(4)
  })

  test('variations stand below in their order', () => {
    // 0 - 1 - 2, and 3 and 4 beside 1.
    const layout = layoutTree({ parents: [0, 0, 1, 0, 0] })
    expect([...layout.rows]).toEqual([0, 0, 0, 1, 2])
  })

  test('random trees never overlap', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const tree = randomTree(150, seed, 0.25)
      check(tree, layoutTree(tree))
    }
  })

  test('a click finds the node that is drawn there, and nothing between', () => {
    const tree = randomTree(300, 7, 0.2)
    const layout = layoutTree(tree)
    tree.parents.forEach((_, entry) => expect(entryAt(layout, layout.columns[entry] ?? 0, layout.rows[entry] ?? 0)).toBe(entry))
    expect(entryAt(layout, 0, 1)).toBeUndefined()
    expect(entryAt(layout, -1, 0)).toBeUndefined()
  })

  test('ten thousand variations of one move, and sixty thousand nodes, are laid out at once', () => {
    const wide = layoutTree({ parents: Array.from({ length: 10_001 }, () => 0) })
    expect(wide.rowCount).toBe(10_000)
    const deep = layoutTree({ parents: Array.from({ length: 60_000 }, (_, entry) => Math.max(0, entry - 1)) })
    expect(deep.columnCount).toBe(60_000)
    const began = performance.now()
    layoutTree(randomTree(60_000, 3, 0.05))
    // Generous: a busy machine takes ten times as long as a quiet one.
    expect(performance.now() - began).toBeLessThan(1500)
  })
})
