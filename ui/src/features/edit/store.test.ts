import { expect, test } from 'vitest'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { startApp } from '@/testing'
import { useEditing } from './store'

/** An empty board of 9x9 that is being edited. */
async function editing(topology: 'plane' | 'torus' = 'plane') {
  const { backend } = await startApp()
  const games = useGames()
  await games.startNew({ width: 9, height: 9, topology, rules: 'chinese', komi: 7.5, handicap: 0, black: '', white: '', minutesAhead: 0 })
  const edit = useEditing()
  edit.show(true)
  return { backend, games, edit }
}

test('quick clicks each begin with the marks that the one before left', async () => {
  const { games, edit } = await editing()
  edit.take('letter')
  const clicks = [edit.apply(40), edit.apply(41)]
  edit.take('arrow')
  await Promise.all([...clicks, edit.drag(40, 41, true)])
  expect(games.position?.marks.map(({ point, label }) => [point, label])).toEqual([[40, 'A'], [41, 'B']])
  expect(games.position?.links).toEqual([{ from: 40, to: 41, arrow: true }])
})

test('a click that waits for the one before it puts nothing on a game that comes to the board meanwhile', async () => {
  const { backend, games, edit } = await editing()
  const mine = games.activeId
  const slow = backend.hold('set_marks')
  edit.take('triangle')
  const clicks = [edit.apply(40), edit.apply(41)]
  await backend.until(() => slow.waiting === 1)
  await games.openText('(;SZ[9];B[ee])')
  slow.release()
  await Promise.all(clicks)
  expect(backend.asked('set_marks').map(({ gameId }) => gameId)).toEqual([mine])
  expect(games.position?.marks).toEqual([])
})

test('what is being drawn goes with its tool', async () => {
  const { edit } = await editing()
  edit.take('region')
  await edit.drag(0, 20, false)
  expect(edit.outlined).toHaveLength(9)
  edit.drop()
  expect(edit.outlined).toEqual([])
  await edit.drag(0, 20, false)
  edit.show(false)
  expect(edit.outlined).toEqual([])
})

test('a label without words is not put down in silence', async () => {
  const { games, edit } = await editing()
  const notices = useNotices()
  edit.take('text')
  edit.text = ' '
  await edit.apply(40)
  expect(notices.notices.map(({ title }) => title)).toEqual(['Type the label’s text first'])
  edit.text = 'ko'
  await edit.apply(40)
  expect(notices.notices).toHaveLength(1)
  expect(games.position?.marks.map(({ label }) => label)).toEqual(['ko'])
})

test('a frame that cannot be put is refused with the reason', async () => {
  for (const [topology, title] of [['plane', 'There is no room for a frame here'], ['torus', 'A board whose edges meet has no side to frame.']] as const) {
    const { edit } = await editing(topology)
    await edit.frame()
    expect(useNotices().notices.at(-1)?.title).toBe(title)
  }
})

test('lines, arrows and regions are drawn without dragging as well: one end, then the other', async () => {
  const { games, edit } = await editing()
  const [analysis, notices] = [useAnalysis(), useNotices()]
  edit.take('arrow')
  await edit.apply(40)
  expect([edit.begun, notices.spoken, games.position?.links]).toEqual([40, 'From E5: choose the other end', []])
  await edit.apply(42)
  expect([edit.begun, games.position?.links]).toEqual([undefined, [{ from: 40, to: 42, arrow: true }]])
  // The same point once more leaves it.
  await edit.apply(0)
  await edit.apply(0)
  expect([edit.begun, games.position?.links.length, notices.spoken]).toEqual([undefined, 1, 'Nothing drawn'])
  // So does another tool.
  await edit.apply(0)
  edit.take('region')
  expect(edit.begun).toBeUndefined()
  await edit.apply(0)
  await edit.apply(10)
  expect([...analysis.region].sort((a, b) => a - b)).toEqual([0, 1, 9, 10])
  await edit.apply(40)
  expect([analysis.region, edit.begun]).toEqual([[], undefined])
})
