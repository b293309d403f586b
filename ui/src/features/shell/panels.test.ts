import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { useGuessing, useInserting, useScoring } from '@/features/stage'
import { startApp } from '@/testing'
import { useShell } from './store'

async function withGame() {
  const { backend } = await startApp({ network: undefined })
  const games = useGames()
  const shell = useShell()
  await games.openText('(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  return { backend, shell, settings: useSettings() }
}

test('on a phone what is begun on the board is seen, whichever panel was before', async () => {
  const { backend, shell } = await withGame()
  const [scoring, guessing, inserting] = [useScoring(), useGuessing(), useInserting()]
  shell.narrow = true
  for (const [name, begun] of [['score', () => scoring.open], ['guess', () => guessing.active], ['insertMoves', () => inserting.active]] as const) {
    shell.tab = 'comment'
    shell.act(name)
    await backend.until(begun)
    await nextTick()
    expect([name, shell.tab]).toEqual([name, 'analysis'])
    // Whoever turns to another panel meanwhile stays there when it ends.
    shell.tab = 'comment'
    shell.act(name)
    await backend.until(() => !begun())
    await nextTick()
    expect([name, shell.tab]).toEqual([name, 'comment'])
  }
})

test('on a desktop the panels come back beside the board for a count', async () => {
  const { backend, shell, settings } = await withGame()
  settings.preferences.sideOpen = false
  shell.act('score')
  await backend.until(() => useScoring().open)
  await nextTick()
  expect(settings.preferences.sideOpen).toBe(true)
})
