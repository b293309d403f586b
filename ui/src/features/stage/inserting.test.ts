import { expect, test } from 'vitest'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { usePlayOut } from '@/features/analysis'
import { FAMOUS, startApp } from '@/testing'
import { useInserting } from './inserting'

async function opened(game = FAMOUS) {
  const { backend } = await startApp({ game })
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  return { backend, games, notices: useNotices() }
}

test('moves are played, the game goes on after them, and what is lost is named', async () => {
  const { backend, games, notices } = await opened()
  const inserting = useInserting()
  await games.goTo(1)
  const following = games.position?.line[2]
  inserting.begin()
  expect([inserting.active, inserting.count]).toEqual([true, 0])
  await games.play(180)
  await games.play(181)
  expect(inserting.count).toBe(2)
  const last = games.position?.nodeId
  await inserting.finish()
  expect(backend.calls.at(-1)).toMatchObject({ name: 'continue_game', args: { nodeId: last, following } })
  expect(inserting.active).toBe(false)
  expect(games.position?.nodeId).toBe(last)
  expect(games.position?.line.length).toBeGreaterThan(300)
  expect(notices.notices.at(-1)).toMatchObject({ tone: 'warning' })
  expect(notices.notices.at(-1)?.detail).toBe('No longer possible: K10 L10')
})

test('nothing is inserted where nothing was played or nothing follows', async () => {
  const { backend, games, notices } = await opened()
  const inserting = useInserting()
  await games.navigate('last')
  inserting.begin()
  expect(inserting.active).toBe(false)
  expect(notices.notices).toHaveLength(1)
  await games.goTo(1)
  inserting.begin()
  // Following the game itself is no insertion.
  await games.navigate('next')
  expect(inserting.count).toBe(0)
  await inserting.finish()
  expect(inserting.active).toBe(false)
  expect(backend.calls.some(call => call.name === 'continue_game')).toBe(false)
})

test('a position is played out, its score is shown, and one step takes it back', async () => {
  const { backend, games, notices } = await opened('(;SZ[5]KM[0.5];B[cc];W[cd])')
  const playOut = usePlayOut()
  backend.listen((event) => { if (event.event === 'playOut') playOut.receive(event.payload) })
  await games.navigate('last')
  const nodes = games.active?.tree.ids.length ?? 0
  const going = playOut.start()
  expect(playOut.progress).toBeDefined()
  await going
  expect(playOut.progress).toBeUndefined()
  // Two passes at least.
  expect(games.active?.tree.ids.length).toBeGreaterThanOrEqual(nodes + 2)
  expect(notices.notices.at(-1)?.title).toMatch(/^Played out: (Black|White) wins by [\d.]+ points$/)
  // Updates that come late belong to nothing.
  playOut.receive({ gameId: games.activeId ?? '', moves: 9, blackScoreLead: 0 })
  expect(playOut.progress).toBeUndefined()
  notices.notices.at(-1)?.action?.run()
  await games.refresh(games.activeId ?? '')
  expect(games.active?.tree.ids.length).toBe(nodes)
})
