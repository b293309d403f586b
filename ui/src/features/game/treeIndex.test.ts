import { expect, test } from 'vitest'
import { startApp } from '@/testing'
import { nearest, nodeOfMove, useGames } from './index'

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
