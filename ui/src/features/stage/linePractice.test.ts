import { expect, test } from 'vitest'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { startApp } from '@/testing'
import { useLinePractice } from './linePractice'
import { askedBelow } from './lineTree'

/** A joseki: Black answers both of White's moves, in two ways after C3, of which one is said to be bad. */
const JOSEKI = '(;SZ[9];B[ee](;W[cg](;B[gg])(;B[gc];W[cc])(;B[aa]BM[1];W[bb];B[ab]))(;W[cc];B[cg]))'

async function opened(sgf = JOSEKI) {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(sgf)
  await games.navigate('first')
  const practice = useLinePractice()
  /** Plays as soon as the record waits for it, after so many moves. */
  const answer = async (after: number, point: number): Promise<void> => {
    await backend.until(() => practice.waitsAt !== undefined)
    expect(games.position?.moveNumber).toBe(after)
    await practice.play(point)
  }
  return { backend, games, practice, answer }
}

test('what a side is asked is what the record has for it, but for its bad moves and what follows them', async () => {
  const { games } = await opened()
  const { tree } = games.active!
  const asked = (side: 'black' | 'white', top = 0) => [...askedBelow(tree, top, side)].map(([node, moves]) => [tree.ids.indexOf(node), moves.map(({ vertex }) => vertex)])
  expect(asked('black')).toEqual([[0, [40]], [2, [60, 24]], [9, [56]]])
  expect(asked('white')).toEqual([[1, [56, 20]], [4, [20]], [6, [10]]])
  expect(asked('black', tree.ids[9])).toEqual([[9, [56]]])
})

test('the record answers, goes on with the next variation by itself, and ends when all is known', async () => {
  const { games, practice, answer } = await opened()
  practice.start()
  expect([practice.active, practice.side, practice.all]).toEqual([true, 'black', 3])
  await answer(0, 40)
  await answer(2, 24)
  expect(practice.known.size).toBe(2)
  await answer(2, 56)
  expect([practice.active, useNotices().notices.at(-1)?.title]).toEqual([false, 'All 3 positions known'])
  expect(useNotices().notices.at(-1)?.detail).toBe('Every one at the first try.')
  expect(games.active?.tree.ids).toHaveLength(11)
})

test('what is missed is shown and asked again after the others', async () => {
  const { backend, games, practice, answer } = await opened()
  practice.start()
  await answer(0, 0)
  expect([practice.missed, practice.known.size]).toEqual([0, 0])
  await backend.until(() => games.position?.stones[40] === 1)
  await answer(2, 60)
  await answer(2, 56)
  expect([practice.active, practice.known.size]).toEqual([true, 2])
  await answer(0, 40)
  expect([practice.active, useNotices().notices.at(-1)?.detail]).toEqual([false, 'One of them was missed at first.'])
})

test('what was practised is offered as cards, with what was missed, until another tree is practised', async () => {
  const { backend, games, practice, answer } = await opened('(;SZ[9];B[ee];W[cg](;B[gg])(;B[gc]))')
  const notices = useNotices()
  practice.start()
  await answer(0, 0)
  await answer(2, 60)
  await answer(0, 40)
  const { ids } = games.active!.tree
  const offer = notices.notices.at(-1)
  expect([offer?.action?.label, offer?.lasting, backend.asked('keep_lines')]).toEqual(['Add these 2 positions to practice', true, []])
  offer?.action?.run()
  await backend.until(() => notices.notices.at(-1)?.title === '2 positions added to practice')
  expect(backend.asked('keep_lines')).toEqual([{ gameId: games.activeId, positions: [{ nodeId: ids[0], missed: true }, { nodeId: ids[2], missed: false }] }])
  practice.start()
  expect(notices.notices.some(({ id }) => id === offer?.id)).toBe(false)
})

test('the other side is practised from the same position, and a position without moves is said to have none', async () => {
  const { games, practice, answer } = await opened()
  practice.start()
  practice.start('white')
  expect([practice.side, practice.all]).toEqual(['white', 3])
  await answer(1, 56)
  practice.stop()
  await games.openText('(;SZ[9];B[ee])')
  await games.navigate('last')
  practice.start()
  expect([practice.active, useNotices().notices.at(-1)?.title]).toEqual([false, 'The record has no moves after this position'])
})
