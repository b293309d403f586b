import { describe, expect, test, vi } from 'vitest'
import { useNotices } from '@/features/notices'
import { testApp } from '@/testing/app'
import { useGames } from './index'

async function opened(options = {}) {
  const { backend } = testApp(options)
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  return { backend, games, notices: useNotices() }
}

describe('open games', () => {
  test('a record given as text is opened in a tab of its own and shown', async () => {
    const { games } = await opened()
    expect(await games.openText('(;SZ[9]PB[柯洁]PW[AlphaGo];B[ee];W[cc])')).toBe(true)
    expect(games.games).toHaveLength(2)
    expect(games.active?.info.black).toBe('柯洁')
    expect(games.active?.width).toBe(9)
  })

  test('a text that is no record opens nothing and says why', async () => {
    const { games, notices } = await opened()
    expect(await games.openText('hello')).toBe(false)
    expect(games.games).toHaveLength(1)
    expect(notices.notices[0]?.tone).toBe('danger')
    expect(notices.notices[0]?.detail).toContain('cannot be read')
    expect(games.opening).toBe(0)
  })

  test('a broken record opens as far as it goes, with its diagnostics', async () => {
    const { games } = await opened()
    await games.openText('(;SZ[9];B[ee];W[cc')
    expect(games.active?.diagnostics.length).toBeGreaterThan(0)
    expect(games.active?.tree.ids).toHaveLength(3)
  })

  test('a move the rules refuse leaves the board as it is and names the rule', async () => {
    const { games, notices } = await opened()
    await games.openText('(;SZ[9];B[ee])')
    await games.navigate('last')
    const before = games.position
    await games.play(40)
    expect(games.position).toBe(before)
    expect(notices.notices[0]?.title).toBe('There is a stone already')
  })

  test('steps taken quickly arrive in their order', async () => {
    const { games } = await opened({ delayMs: 1 })
    await games.navigate('first')
    await Promise.all([games.navigate('next'), games.navigate('next'), games.navigate('next'), games.navigate('previous')])
    expect(games.position?.moveNumber).toBe(2)
  })

  test('a deleted variation comes back by undo', async () => {
    const { games, notices } = await opened()
    await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
    await games.navigate('next')
    await games.removeVariation(games.position?.nodeId ?? 0)
    expect(games.active?.tree.ids).toHaveLength(1)
    notices.notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(games.active?.tree.ids).toHaveLength(4))
  })

  test('closing the shown game shows its neighbour, closing the last leaves none', async () => {
    const { games } = await opened()
    await games.startNew({ width: 9, height: 9, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' })
    const [first, second] = games.games
    await games.close(second?.gameId ?? '')
    expect(games.activeId).toBe(first?.gameId)
    await games.close(first?.gameId ?? '')
    expect(games.active).toBeUndefined()
  })

  test('a game that cannot be saved stays open and modified', async () => {
    const { games, notices } = await opened({ failures: { save_game: { kind: 'library', message: 'the disk is full', hint: 'make room and save again' } } })
    await games.openText('(;SZ[9];B[ee])')
    await games.play(0)
    await games.save()
    expect(games.active?.modified).toBe(true)
    expect(notices.notices.at(-1)).toMatchObject({ title: 'The game was not saved; it is still open', hint: 'Make room and save again.' })
  })

  test('opening a record twice shows the one that is open', async () => {
    const { games } = await opened()
    await games.openRecord('r3')
    const id = games.activeId
    await games.openText('(;SZ[9])')
    await games.openRecord('r3')
    expect(games.activeId).toBe(id)
    expect(games.games).toHaveLength(3)
  })
})
