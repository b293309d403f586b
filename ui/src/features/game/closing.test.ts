import { describe, expect, test } from 'vitest'
import { startApp } from '@/testing'
import { useGames } from './index'

describe('closing a game', () => {
  test('a game of a file is asked about when it differs from the file, and only then', async () => {
    await startApp({})
    const games = useGames()
    await games.openText('(;SZ[9];B[ee])', 'club.sgf')
    const same = games.activeId ?? ''
    await games.close(same)
    expect(games.asked).toBeUndefined()
    expect(games.games.some(game => game.gameId === same)).toBe(false)

    await games.openText('(;SZ[9];B[ee])', 'club.sgf')
    await games.play(0)
    const changed = games.activeId ?? ''
    await games.close(changed)
    expect(games.asked?.question).toEqual({ kind: 'changes', place: { kind: 'library' } })
    games.keepOpen()
    expect(games.games.some(game => game.gameId === changed)).toBe(true)
    await games.close(changed, 'leave')
    expect(games.games.some(game => game.gameId === changed)).toBe(false)
  })

  test('a closed game is opened again with what was changed', async () => {
    const { backend } = await startApp({})
    const games = useGames()
    await games.openText('(;SZ[9]PB[甲];B[ee])')
    await games.play(0)
    await games.close(games.activeId ?? '')
    const closed = await backend.call('closed_games', {})
    if (closed.status === 'ok') games.adoptClosed(closed.data)
    expect(games.closed[0]?.info.black).toBe('甲')
    expect(await games.reopen()).toBeDefined()
    expect(games.active?.tree.ids).toHaveLength(3)
  })
})

test('of a file with several games the person chooses', async () => {
  await startApp({})
  const games = useGames()
  const before = games.games.length
  await games.openText('(;SZ[9]PB[a];B[ee])(;SZ[9]PB[b];B[aa])', 'two.sgf')
  expect(games.choosing?.list.games.map(game => game.black)).toEqual(['a', 'b'])
  expect(games.games).toHaveLength(before)
  await games.openChosen([1])
  expect(games.active?.info.black).toBe('b')
  expect(games.choosing).toBeUndefined()
})
