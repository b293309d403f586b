import { expect, test } from 'vitest'
import { useGames } from '@/features/game'
import { startApp } from '@/testing'
import { useGuessing } from './guessing'

async function opened(sgf: string) {
  await startApp()
  const games = useGames()
  await games.openText(sgf)
  return { games, guessing: useGuessing() }
}

test('a right guess and a wrong one both go on with the move of the game', async () => {
  const { games, guessing } = await opened('(;SZ[9];B[ee];W[cc];B[gg])')
  guessing.start()
  await guessing.guess(40)
  expect(games.position?.moveNumber).toBe(1)
  expect([guessing.hits, guessing.tries, guessing.missed]).toEqual([1, 1, undefined])
  await guessing.guess(0)
  expect(games.position?.moveNumber).toBe(2)
  expect(games.position?.stones[0]).toBe(0)
  expect([guessing.hits, guessing.tries, guessing.missed]).toEqual([1, 2, 0])
})

test('at the end of the game guessing ends', async () => {
  const { guessing } = await opened('(;SZ[9];B[ee])')
  guessing.start()
  await guessing.guess(40)
  await guessing.guess(0)
  expect(guessing.active).toBe(false)
  expect(guessing.tries).toBe(1)
})
