import { describe, expect, test, vi } from 'vitest'
import { watch } from 'vue'
import { useNotices } from '@/features/notices'
import { FAMOUS, someRecords, startApp, type AppOptions } from '@/testing'
import { titleOf, useGames } from './index'

async function opened(options: AppOptions = {}) {
  const { backend } = await startApp({ game: FAMOUS, ...options })
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

  test('a comment of a game that is not open any more goes to no other', async () => {
    const { backend, games } = await opened()
    const { gameId, position } = games.active!
    games.forget()
    expect(await games.setComment(gameId, position.nodeId, 'typed before')).toBeUndefined()
    expect(backend.asked('set_comment')).toEqual([])
  })

  test('of several files the last is shown, unless the person turns to another meanwhile', async () => {
    const { games } = await opened()
    const file = (name: string) => ({ kind: 'content' as const, name: `${name}.sgf`, base64: btoa(`(;SZ[9]PB[${name}];B[ee])`) })
    await games.openFiles(['one', 'two'].map(file))
    expect(games.active?.info.black).toBe('two')
    const first = games.games[0]
    const end = watch(() => games.active?.info.black, (black) => { if (black === 'three' && first) games.activate(first.gameId) }, { flush: 'sync' })
    await games.openFiles(['three', 'four'].map(file))
    end()
    expect(games.active?.gameId).toBe(first?.gameId)
    expect(games.games.map(game => game.info.black).slice(-4)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('tabs stand in the order of opening, also when the back end is asked again', async () => {
    const { backend, games } = await opened()
    for (const black of ['one', 'two']) await games.openText(`(;SZ[9]PB[${black}];B[ee])`)
    const before = games.games.map(game => game.gameId)
    const startup = await backend.call('startup', {})
    if (startup.status === 'ok') games.adopt(startup.data.games)
    expect(games.games.map(game => game.gameId)).toEqual(before)
    expect(games.active?.info.black).toBe('two')
    games.$reset()
    if (startup.status === 'ok') games.adopt(startup.data.games)
    expect([games.games.map(game => game.gameId), games.active?.info.black]).toEqual([before, 'two'])
  })

  test('a text that is no record opens nothing and says why', async () => {
    const { games, notices } = await opened()
    expect(await games.openText('hello')).toBe(false)
    expect(games.games).toHaveLength(1)
    expect(notices.notices[0]?.tone).toBe('danger')
    expect(notices.notices[0]?.detail).toContain('cannot be read')
    expect(games.opening).toBe(0)
  })

  test('an address is no record, and what to do with it is said', async () => {
    const { backend, games, notices } = await opened()
    const calls = backend.calls.length
    expect(await games.openText(' https://online-go.com/game/1234 \n')).toBe(false)
    expect(notices.notices.map(({ tone, title }) => [tone, title])).toEqual([['info', 'That is an address, not a game record']])
    expect(backend.calls).toHaveLength(calls)
  })

  test('a broken record opens as far as it goes, with its diagnostics', async () => {
    const { games } = await opened()
    await games.openText('(;SZ[9];B[ee];W[cc')
    expect(games.active?.diagnostics.length).toBeGreaterThan(0)
    expect(games.active?.tree.ids).toHaveLength(3)
  })

  test('a new game is of the day where the person is, and a record says what it said', async () => {
    const { backend, games } = await opened()
    // The test's clock stands at midnight in Greenwich, and this window five hours behind it.
    const ahead = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(300)
    const begin = () => games.startNew({ width: 9, height: 9, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' })
    await begin()
    expect(games.active?.info.date).toBe('2025-12-31')
    await backend.advance(5 * 3_600_000)
    await begin()
    expect(games.active?.info.date).toBe('2026-01-01')
    await games.openText('(;SZ[9];B[ee])')
    expect(games.active?.info.date).toBe('')
    await games.openText('(;SZ[9]DT[1846-09-11];B[ee])')
    expect(games.active?.info.date).toBe('1846-09-11')
    ahead.mockRestore()
  })

  test('a move the rules refuse leaves the board as it is and names the rule', async () => {
    const { games, notices } = await opened()
    await games.openText('(;SZ[9];B[ee])')
    await games.navigate('last')
    const before = games.position
    await games.play(40)
    expect(games.position).toBe(before)
    expect(notices.notices[0]?.title).toBe('There is already a stone here')
  })

  test('steps taken quickly arrive in their order', async () => {
    const { games } = await opened()
    await games.navigate('first')
    await Promise.all([games.navigate('next'), games.navigate('next'), games.navigate('next'), games.navigate('previous')])
    expect(games.position?.moveNumber).toBe(2)
  })

  test('a deleted variation comes back by undo', async () => {
    const { backend, games, notices } = await opened()
    await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
    await games.navigate('next')
    await games.removeVariation(games.position?.nodeId ?? 0)
    expect(games.active?.tree.ids).toHaveLength(1)
    notices.notices.at(-1)?.action?.run()
    await backend.until(() => games.active?.tree.ids.length === 4)
  })

  test('the other variations go at once and come back by undo, and where there is none that is said', async () => {
    const { backend, games, notices } = await opened()
    await games.openText('(;SZ[9];B[ee](;W[cc];B[gg])(;W[gc])(;W[cg]))')
    const [root, first, second] = games.active!.tree.ids
    await games.keepVariation(second!)
    expect(games.active?.tree.ids).toEqual([root, first, second, second! + 1])
    const notice = notices.notices[0]
    expect(notice?.title).toBe('The other variations were deleted')
    notice?.action?.run()
    await backend.until(() => games.active?.tree.ids.length === 6)
    await games.keepVariation(first!)
    expect(notices.notices.at(-1)?.title).toBe('There are no other variations')
    expect(games.active?.tree.ids).toHaveLength(6)
  })

  test('a new record begins with the position at a move, in a tab of its own', async () => {
    const { games, notices } = await opened()
    await games.openText('(;SZ[9]PB[柯洁];B[ee];W[cc](;B[gg]C[here])(;B[gc]))')
    const before = games.active!
    await games.openFrom(before.tree.ids[2]!)
    expect(games.active?.gameId).not.toBe(before.gameId)
    expect([games.active?.info.black, games.position?.moveNumber, games.position?.toMove]).toEqual(['柯洁', 0, 'black'])
    expect([games.position?.stones[40], games.position?.stones[20], games.active?.tree.ids.length]).toEqual([1, -1, 3])
    expect(notices.notices.at(-1)?.title).toBe('A new record that begins with this position')
    expect(games.games.find(game => game.gameId === before.gameId)?.tree.ids).toHaveLength(5)
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
    const { games, notices } = await opened({ files: { 'library.sqlite': 'no library' } })
    await games.openText('(;SZ[9];B[ee])')
    await games.play(0)
    await games.save()
    expect(games.active?.modified).toBe(true)
    const notice = notices.notices.at(-1)
    expect(notice?.title).toBe('The game could not be saved; it is still open')
    expect(notice?.quoted).toContain('library.sqlite')
    expect(notice?.quoted).toContain('Choose another')
  })

  test('opening a record twice shows the one that is open', async () => {
    const { backend, games } = await opened({ records: someRecords(3) })
    const found = await backend.call('search_records', { text: '', sort: 'added', descending: true, offset: 0, limit: 1 })
    const record = found.status === 'ok' ? found.data.records[0]?.id ?? '' : ''
    await games.openRecord(record)
    const id = games.activeId
    await games.openText('(;SZ[9])')
    await games.openRecord(record)
    expect(games.activeId).toBe(id)
    expect(games.games).toHaveLength(3)
  })
})

test('what another window added is in the tree, though the own command after it is answered before that is told', async () => {
  const { backend, games } = await opened({ game: '(;SZ[9];B[ee];W[cc])', at: 2 })
  const { gameId, position } = games.active!
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  await other.call('play', { gameId, vertex: 0 })
  await games.navigate('previous')
  expect(games.position?.nodeId).toBe(position.nodeId)
  await backend.settled()
  expect(games.active?.tree.ids).toHaveLength(4)
})

test('a branch is cut from, and pasted into, the game where that was asked for', async () => {
  const { backend, games } = await opened({ game: '(;SZ[9];B[ee];W[cc];B[gg])', at: 1 })
  const mine = games.active!
  await games.openText('(;SZ[9];B[aa];W[bb];B[ii])')
  const other = games.active!
  const nodes = (gameId: string): number | undefined => games.games.find(game => game.gameId === gameId)?.tree.ids.length
  let allow = (): void => undefined
  const asks = new Promise<void>((resolve) => { allow = resolve })
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: () => asks, readText: () => asks.then(() => '(;SZ[9];B[hh])') } } }))

  games.activate(mine.gameId)
  const cutting = games.cutVariation(mine.tree.ids[2]!)
  const pasting = games.pasteVariation(mine.tree.ids[1]!)
  await backend.settled()
  games.activate(other.gameId)
  allow()
  await Promise.all([cutting, pasting])
  vi.unstubAllGlobals()
  expect([nodes(mine.gameId), nodes(other.gameId)]).toEqual([3, 4])
  expect(backend.asked('paste_variation')).toMatchObject([{ gameId: mine.gameId }])
})

describe('a game of the library that is only looked at', () => {
  async function listed() {
    const { backend, games } = await opened({ records: someRecords(4) })
    const answer = await backend.call('search_records', { text: '', filter: {}, sort: 'added', descending: false, offset: 0, limit: 10 })
    if (answer.status === 'error') throw new Error('the library has no list')
    const [first = '', second = '', third = ''] = answer.data.records.map(({ id }) => id)
    return { backend, games, first, second, third, open: () => games.games.map(({ recordId }) => recordId) }
  }

  test('gives its place to the next one, without a word', async () => {
    const { games, first, second, open } = await listed()
    await games.openRecord(first, { preview: true })
    expect(games.previewId).toBe(games.activeId)
    const shown: (string | null)[][] = []
    const end = watch(open, now => shown.push(now), { flush: 'sync' })
    await games.openRecord(second, { preview: true })
    end()
    expect(open()).toEqual([null, second])
    expect(games.active?.recordId).toBe(second)
    expect(shown.at(-1), 'both are never shown for as long as one is being closed').toEqual([null, second])
    expect(shown.filter(now => now.at(-1) === first && now.includes(second))).toEqual([])
  })

  test('is the one that was asked for last, in whatever order the answers come', async () => {
    const { backend, games, first, second, third, open } = await listed()
    await games.openRecord(first, { preview: true })
    const answers = backend.hold('open_record')
    const earlier = games.openRecord(second, { preview: true })
    const later = games.openRecord(third, { preview: true })
    await backend.until(() => answers.waiting === 2)
    answers.releaseLast()
    expect(await later).toBe(true)
    answers.release()
    expect(await earlier).toBe(false)
    expect([open(), games.active?.recordId, games.previewId]).toEqual([[null, third], third, games.activeId])
    const startup = await backend.call('startup', {})
    expect(startup.status === 'ok' && startup.data.games, 'the back end has no game more than there are tabs').toHaveLength(2)
  })

  test('comes back where another window changed it', async () => {
    const { backend, games, first, second, open } = await listed()
    await games.openRecord(first, { preview: true })
    const gameId = games.activeId ?? ''
    await backend.call('play', { gameId, vertex: 180 })
    await games.openRecord(second, { preview: true })
    expect(open()).toContain(first)
    expect(open()).toContain(second)
  })

  test('stays as soon as it is changed', async () => {
    const { games, first, second, open } = await listed()
    await games.openRecord(first, { preview: true })
    await games.play(180)
    expect(games.previewId).toBeUndefined()
    await games.openRecord(second, { preview: true })
    expect(open()).toEqual([null, first, second])
  })

  test('stays when it is opened for good, or kept', async () => {
    const { games, first, second, third, open } = await listed()
    await games.openRecord(first, { preview: true })
    await games.openRecord(first)
    await games.openRecord(second, { preview: true })
    games.keep(games.activeId ?? '')
    await games.openRecord(third, { preview: true })
    expect(open()).toEqual([null, first, second, third])
  })

  test('is the game that is open already, where there is one', async () => {
    const { games, first, open } = await listed()
    await games.openRecord(first)
    await games.openRecord(first, { preview: true })
    expect([open(), games.previewId]).toEqual([[null, first], undefined])
  })
})

test('a game is called after its players, and after its file only where nothing else is known', async () => {
  const { games } = await opened()
  const titled = async (root: string, name = '0173.sgf'): Promise<string> => {
    await games.openText(`(;SZ[9]${root};B[ee])`, name)
    return titleOf(games.active!)
  }
  expect(await titled('GN[Tom 354460]PB[楚阳春]PW[忧郁的孤影]')).toBe('楚阳春 – 忧郁的孤影')
  expect(await titled('GN[Ladders, lesson 2]')).toBe('Ladders, lesson 2')
  expect(await titled('EV[Meijin]DT[1984-03-02]')).toBe('Meijin, 1984-03-02')
  expect(await titled('')).toBe('0173.sgf')
})
