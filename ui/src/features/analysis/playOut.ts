import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useBackend, type PlayOutProgress } from '@/api'
import { resultWords, useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Visits on each move: a glance, so that a whole game takes less than a minute on a slow machine. */
const VISITS = 16

/** A position that the engine plays out to the end, as a variation. */
export const usePlayOut = defineStore('playOut', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  /** How far it is; undefined when nothing is played out. */
  const progress = shallowRef<PlayOutProgress>()

  function receive(update: PlayOutProgress): void {
    // Another window's, or one that has answered already.
    if (progress.value?.gameId === update.gameId) progress.value = update
  }

  async function start(): Promise<void> {
    const { activeId: gameId, position } = games
    if (gameId === undefined || !position || progress.value) return
    progress.value = { gameId, moves: 0, blackScoreLead: 0 }
    const answer = await backend.call('play_out', { gameId, nodeId: position.nodeId, visits: VISITS })
    progress.value = undefined
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.notPlayedOut')
      return
    }
    await games.refresh(gameId)
    const { moves, score } = answer.data
    notices.show({
      tone: 'success',
      title: score ? say('analysis.playOut.done', { result: resultWords(score.result) }) : say('analysis.playOut.ended'),
      detail: say('analysis.playOut.moves', { count: moves }, moves),
      action: { label: say('action.undo'), run: () => void games.undoIn(gameId) },
    })
  }

  /** Ends it; what was played so far stays. */
  async function stop(): Promise<void> {
    const answer = await backend.call('cancel', {})
    if (answer.status === 'error') notices.failed(answer.error)
  }

  const toggle = (): Promise<void> => progress.value ? stop() : start()

  return { progress, receive, start, stop, toggle, $reset: () => { progress.value = undefined } }
})
