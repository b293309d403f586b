import { expect, test } from 'vitest'
import { startApp } from '@/testing'
import type { TreeView } from '@/api'
import { movesAt, nearest, nodeOfMove, useGames } from './index'
import { grown, withoutBranch } from './treeIndex'

test('forks, comments and numbers of moves lead to nodes of the line on the board', async () => {
  await startApp()
  const games = useGames()
  await games.openText('(;SZ[9]C[a game];B[ee](;W[cc];B[gg];AB[aa]C[why](;W[cg];B[])(;W[gc]))(;W[cg]C[beside it]))')
  await games.navigate('first')
  const game = games.active!
  const { line } = game.position
  expect(line).toHaveLength(7)
  const at = (lineIndex: number) => ({ tree: game.tree, position: { line, lineIndex } })
  const places = (sought: 'fork' | 'comment', by: 1 | -1): number[] => line.map((_, index) => line.indexOf(nearest(sought, at(index), by) ?? -1))
  expect(places('fork', 1)).toEqual([1, 4, 4, 4, -1, -1, -1])
  expect(places('fork', -1)).toEqual([-1, -1, 1, 1, 1, 4, 4])
  expect(places('comment', 1)).toEqual([4, 4, 4, 4, -1, -1, -1])
  expect(places('comment', -1)).toEqual([-1, 0, 0, 0, 0, 4, 4])
  // The node that sets up a stone is no move, and a pass is one.
  expect([0, 3, 4, 5, 6].map(number => line.indexOf(nodeOfMove(at(0), number) ?? -1))).toEqual([0, 3, 5, 6, -1])
})

test('the moves at a point are those of all variations, with their numbers', async () => {
  await startApp()
  const games = useGames()
  await games.openText('(;SZ[9]AB[cc];B[ee](;W[cg];AW[aa];B[])(;W[gc];B[cg]))')
  const { tree } = games.active!
  const at = (point: number): unknown => movesAt(tree, point).map(({ nodeId, number, color }) => [tree.ids.indexOf(nodeId), number, color])
  expect(at(56)).toEqual([[2, 2, -1], [6, 3, 1]])
  // A stone that was set up is no move.
  expect([at(20), at(0), at(40)]).toEqual([[], [], [[1, 1, 1]]])
})

/** What a tree says, whatever order its lists have. */
function told(tree: TreeView): { revision: number, nodes: unknown, annotated: unknown } {
  const nodes = tree.ids.map((id, entry) => ({ id, parent: tree.ids[tree.parents[entry] ?? 0], move: tree.moves[entry], color: tree.colors[entry], comment: tree.comments[entry] }))
  return { revision: tree.revision, nodes: nodes.toSorted((a, b) => a.id - b.id), annotated: tree.annotated }
}

test('a branch is hung where it grew, and what does not fit is asked for whole', async () => {
  await startApp()
  const games = useGames()
  await games.openText('(;SZ[9];B[ee](;W[cc];B[gg]TE[1])(;W[cg]C[beside it]))')
  const { gameId, tree: before, position: { line } } = games.active!
  await games.goTo(line[1] ?? 0)
  const update = await games.addLine(line[1] ?? 0, [10, 20])
  expect(update).toMatchObject({ tree: null, grown: { parent: line[1] } })
  await games.play(30)
  const followed = games.active!.tree
  expect(followed.ids).toHaveLength(before.ids.length + 3)
  await games.refresh(gameId)
  expect(told(followed)).toEqual(told(games.active!.tree))

  await games.undo()
  await games.undo()
  const undone = games.active!.tree
  expect({ ...undone, revision: 0 }).toEqual({ ...before, revision: 0 })
  await games.redo()
  await games.redo()
  expect(told(games.active!.tree)).toEqual({ ...told(followed), revision: followed.revision + 4 })

  expect(withoutBranch(before, { nodeId: 99, revision: before.revision + 1 })).toBeUndefined()
  expect(withoutBranch(before, { nodeId: line[1] ?? 0, revision: before.revision + 2 })).toBeUndefined()
  const root = before.ids[0] ?? 0
  expect(withoutBranch(before, { nodeId: root, revision: before.revision + 1 }), 'the start stays').toBeUndefined()
  const bare = withoutBranch(before, { nodeId: line[1] ?? 0, revision: before.revision + 1 })!
  expect([bare.ids, bare.parents, bare.annotated]).toEqual([[root], [0], []])
  // From the middle of the lists: what stood behind it stands before.
  const rest = withoutBranch(followed, { nodeId: line[2] ?? 0, revision: followed.revision + 1 })!
  expect(rest.ids).toEqual(followed.ids.filter(id => id !== line[2] && id !== line[3]))
  const parentOf = ({ ids, parents }: TreeView, id: number): number | undefined => ids[parents[ids.indexOf(id)] ?? 0]
  for (const id of rest.ids) expect(parentOf(rest, id)).toBe(parentOf(followed, id))

  const branch = update!.grown!
  expect(grown(before, { ...branch, parent: 99 })).toBeUndefined()
  expect(grown(followed, branch)).toBeUndefined()
  games.receive({ ...update!, version: games.active!.version })
  await games.settled()
  expect(told(games.active!.tree)).toEqual({ ...told(followed), revision: followed.revision + 4 })
})

test('a step that overtakes steps of another window keeps the tree, and one that overtakes a change of it asks for all', async () => {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  const step = (await games.goTo(games.position?.line[1] ?? 0))!
  await backend.settled()
  const { tree, version } = games.active!
  const before = backend.asked('get_game').length
  // Others went to and fro in between, of which this window hears later.
  games.receive({ ...step, treeRevision: tree.revision, version: version + 4 })
  await games.settled()
  expect(games.active!.tree).toBe(tree)
  expect(backend.asked('get_game')).toHaveLength(before)
  games.receive({ ...step, treeRevision: tree.revision + 1, version: version + 5 })
  await games.settled()
  expect(backend.asked('get_game')).toHaveLength(before + 1)
})
