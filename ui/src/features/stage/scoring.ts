import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { neighbours, useBackend, type ScoreView } from '@/api'
import { resultWords, useGames } from '@/features/game'
import { ended, explain, useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Counting of the position on the board: dead stones are proposed, and toggled by the person. */
export const useScoring = defineStore('scoring', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const score = shallowRef<ScoreView>()
  /** The engine is asked which stones are dead; nothing is counted yet. */
  const waiting = shallowRef(false)
  const open = computed(() => waiting.value || score.value !== undefined)
  let latest = 0
  /** The end of the last toggle: each one begins with what the one before it answered. */
  let toggles: Promise<void> = Promise.resolve()

  async function count(dead: number[] | null): Promise<void> {
    const gameId = games.activeId
    if (gameId === undefined) return
    const ticket = ++latest
    const isFirst = score.value === undefined
    waiting.value = isFirst
    // The panel comes with its words, which is not read out; what changes in it is.
    if (dead === null && isFirst) notices.announce(say('score.waiting'))
    const answer = await backend.call('score', { gameId, dead })
    if (ticket !== latest) return
    if (answer.status === 'ok') {
      waiting.value = false
      score.value = answer.data
      if (isFirst) notices.announce(resultWords(answer.data.result))
    } else if (dead === null) {
      // Without an engine people still count, and mark the dead stones themselves.
      const { title, detail, quoted } = explain(answer.error)
      notices.show({ tone: 'warning', title: say('score.notProposed'), detail: [ended(title), detail].filter(Boolean).join(' '), quoted })
      await count([])
    } else {
      waiting.value = false
      notices.failed(answer.error, 'notice.notScored')
    }
  }

  const enter = (): Promise<void> => count(null)
  /** Counts all stones as alive, without waiting for the engine. */
  const byHand = (): Promise<void> => count([])

  function leave(): void {
    latest++
    waiting.value = false
    score.value = undefined
  }

  // Here, as without a game there is no board that would leave the count; at once, as the next game may begin with a count.
  watch(() => games.activeId, leave, { flush: 'sync' })

  // Other stones, komi or rules in the same place are another count, with the dead stones that are still there.
  watch([() => games.active?.position.nodeId, () => games.active?.position.stones, () => games.active?.info.komi, () => games.active?.info.rules], ([node, stones], [nodeBefore, before]) => {
    if (!open.value || !stones || node !== nodeBefore) return
    void count(score.value ? score.value.dead.filter(point => stones[point] === before?.[point]) : null)
  })

  /** Declares the chain on a point dead or alive again. */
  function toggle(point: number): Promise<void> {
    toggles = toggles.then(() => toggleNow(point))
    return toggles
  }

  async function toggleNow(point: number): Promise<void> {
    const game = games.active
    const stones = game?.position.stones
    if (!score.value || !game || !stones?.[point]) return
    const dead = new Set(score.value.dead)
    if (dead.has(point)) {
      // The whole chain comes back; which stones belong to it, the back end knows, so all of one colour that touch go.
      const waitingPoints = [point]
      for (let next = waitingPoints.pop(); next !== undefined; next = waitingPoints.pop()) {
        if (!dead.delete(next)) continue
        waitingPoints.push(...neighbours(next, game).filter(other => stones[other] === stones[point]))
      }
    } else dead.add(point)
    await count([...dead])
  }

  return { score, waiting, open, enter, byHand, leave, toggle, $reset: leave }
})
