import { expect, test } from 'vitest'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { startApp } from '@/testing'
import { useTrial } from './trial'

/** A white stone in atari; the record goes on elsewhere. */
async function opened(sgf = '(;SZ[5];B[ba];W[aa];B[ee];W[dd])') {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(sgf)
  await games.goTo(2)
  const trial = useTrial()
  const record = async (): Promise<string | undefined> => (await games.fileOf(games.activeId ?? ''))?.sgf
  return { backend, games, notices: useNotices(), trial, record }
}

test('moves are tried with what they capture, and the record is as it was', async () => {
  const { games, notices, trial, record } = await opened()
  const [before, start] = [await record(), games.active]
  await trial.begin()
  expect([trial.active, trial.count, trial.tried]).toEqual([true, 0, false])
  expect(notices.spoken).toContain('do not go into the record')
  await games.play(5)
  await games.play(null)
  expect([trial.count, games.position?.stones[0], games.position?.capturedByBlack]).toEqual([2, 0, 1])
  expect([games.active?.modified, games.active?.canUndo, await record()]).toEqual([false, true, before])
  // One step back takes the last of them back.
  await games.undo()
  expect(trial.count).toBe(1)
  await trial.leave()
  expect([trial.active, notices.spoken]).toEqual([false, 'Back in the record'])
  expect(games.active?.tree).toEqual({ ...start?.tree, revision: games.active?.tree.revision })
  expect([games.position, games.active?.modified, games.active?.canUndo, games.active?.canRedo]).toEqual([start?.position, false, false, false])
  expect(await record()).toBe(before)
  await games.close(games.activeId ?? '')
  expect([games.asked, games.games.length]).toEqual([undefined, 0])
})

test('one goes back and forth in what is tried, and anywhere else ends it', async () => {
  const { games, trial } = await opened()
  const nodes = games.active?.tree.ids.length
  await trial.begin()
  await games.play(5)
  await games.play(12)
  await games.navigate('previous')
  await games.navigate('previous')
  expect([trial.active, trial.count, trial.tried]).toEqual([true, 0, true])
  await games.navigate('last')
  expect([trial.active, trial.count]).toEqual([true, 2])
  await games.navigate('first')
  expect([trial.active, games.position?.lineIndex, games.active?.tree.ids.length]).toEqual([false, 0, nodes])
})

test('what is kept is a variation, and one step takes all of it back', async () => {
  const { games, notices, trial, record } = await opened()
  const before = await record()
  await trial.begin()
  await games.play(5)
  await games.play(12)
  await trial.keep()
  expect([trial.active, games.active?.modified, games.position?.moveNumber]).toEqual([false, true, 4])
  expect(await record()).toContain('(;B[ab];W[cc])')
  notices.notices.at(-1)?.action?.run()
  await games.settled()
  expect([games.active?.modified, await record()]).toEqual([false, before])
})

test('on a torus a stone is captured over the edge', async () => {
  const { games, trial } = await opened('(;SZ[5]TOPO[torus];B[ba];W[aa];B[ab];W[cc];B[ae];W[cd])')
  await games.navigate('last')
  await trial.begin()
  await games.play(4)
  expect(games.position?.stones[0]).toBe(0)
  await trial.leave()
  expect(games.position?.stones[0]).toBe(-1)
})

test('each game has its own trial, and a game that was only looked at is one still', async () => {
  const { games, trial } = await opened()
  const first = games.activeId ?? ''
  await trial.begin()
  await games.play(5)
  await games.openText('(;SZ[9])')
  expect(trial.active).toBe(false)
  games.activate(first)
  expect([trial.active, trial.count]).toEqual([true, 1])
})
