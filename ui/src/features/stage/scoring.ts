import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useBackend, type ScoreView } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'

/** Counting of the position on the board: dead stones are proposed, and toggled by the person. */
export const useScoring = defineStore('scoring', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const score = shallowRef<ScoreView>()
  const counting = shallowRef(false)
  let latest = 0

  async function count(dead: number[] | null): Promise<void> {
    const gameId = games.activeId
    if (gameId === undefined) return
    const ticket = ++latest
    counting.value = true
    const answer = await backend.call('score', { gameId, dead })
    if (ticket !== latest) return
    counting.value = false
    if (answer.status === 'ok') score.value = answer.data
    else notices.failed(answer.error, 'notice.notScored')
  }

  const enter = (): Promise<void> => count(null)

  function leave(): void {
    latest++
    counting.value = false
    score.value = undefined
  }

  /** Declares the chain on a point dead or alive again. */
  async function toggle(point: number): Promise<void> {
    const stones = games.position?.stones
    if (!score.value || !stones?.[point]) return
    const dead = new Set(score.value.dead)
    if (dead.has(point)) {
      // The whole chain comes back; which stones belong to it, the back end knows, so all of one colour that touch go.
      const color = stones[point]
      const width = games.active?.width ?? 0
      const waiting = [point]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (!dead.delete(next)) continue
        for (const other of [next - 1, next + 1, next - width, next + width]) {
          const besides = Math.abs((other % width) - (next % width)) <= 1
          if (besides && stones[other] === color) waiting.push(other)
        }
      }
    } else dead.add(point)
    await count([...dead])
  }

  return { score, counting, enter, leave, toggle, $reset: leave }
})
