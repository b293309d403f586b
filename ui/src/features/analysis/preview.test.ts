import { expect, test } from 'vitest'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { startApp } from '@/testing'
import { usePreview } from './preview'
import { useAnalysis } from './store'

test('the line of a candidate becomes a variation in one step, as far as it is shown, and one stays in the game', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  useSettings()
  const [games, analysis, preview, notices] = [useGames(), useAnalysis(), usePreview(), useNotices()]
  backend.listen((event) => { if (event.event === 'analysis') analysis.receive(event.payload) })
  await games.openText('(;SZ[9];B[aa];W[cc])')
  await games.navigate('first')
  await analysis.turn(true)
  await backend.until(() => (analysis.shown?.candidates[0]?.pv.length ?? 0) > 2)
  await analysis.stop()
  const best = analysis.shown?.candidates[0]
  preview.show(best?.vertex ?? null)
  preview.step(1)
  preview.step(1)
  await preview.addLine()
  expect(backend.asked('add_line')).toEqual([{ gameId: games.activeId, nodeId: games.position?.nodeId, moves: best?.pv.slice(0, 2) }])
  expect([games.position?.lineIndex, games.position?.line.length]).toEqual([0, 3])
  expect(notices.notices.at(-1)?.title).toBe('2 moves added as a variation')
  await preview.addLine()
  expect(notices.notices.at(-1)?.title).toBe('This line is in the game already')
  await games.undo()
  expect(games.active?.tree.ids).toHaveLength(3)
})
