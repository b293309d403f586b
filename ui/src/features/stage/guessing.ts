import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { lossOnScale, useAnalysis } from '@/features/analysis'
import { pointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Points lost up to which another move counts as one that is as good. */
const AS_GOOD = 0.5

/** Guess the move: what the record goes on with is hidden, and the person says what it will be. */
export const useGuessing = defineStore('guessing', () => {
  const games = useGames()
  const analysis = useAnalysis()
  const notices = useNotices()
  const active = shallowRef(false)
  const tries = shallowRef(0)
  const hits = shallowRef(0)
  /** Other moves that the engine holds to be as good. */
  const asGood = shallowRef(0)
  /** What was guessed wrongly last, to be seen beside the move of the game. */
  const missed = shallowRef<number>()

  function start(): void {
    $reset()
    active.value = true
    notices.announce(say('guess.begin'))
  }
  function stop(): void {
    active.value = false
    missed.value = undefined
  }
  const toggle = (): void => active.value ? stop() : start()

  async function guess(point: number): Promise<void> {
    const { position, active: game } = games
    if (!position || !game || position.stones[point]) return
    const wanted = position.children[0]
    if (!wanted) {
      notices.show({ tone: 'info', title: say('guess.end', { hits: hits.value, tries: tries.value }) })
      stop()
      return
    }
    const name = (vertex: number | null): string => vertex === null ? say('game.pass') : pointName(vertex, game.width, game.height)
    const candidates = analysis.shown?.candidates ?? []
    const guessed = candidates.find(candidate => candidate.vertex === point)
    const lost = guessed && lossOnScale(guessed, candidates[0])
    tries.value++
    if (wanted.vertex === point) {
      hits.value++
      missed.value = undefined
      notices.announce(say('guess.right', { point: name(point) }))
    } else {
      if (lost !== undefined && lost <= AS_GOOD) asGood.value++
      missed.value = point
      notices.announce(say(lost !== undefined && lost <= AS_GOOD ? 'guess.asGood' : 'guess.wrong', { point: name(wanted.vertex) }))
    }
    await games.goTo(wanted.nodeId)
  }

  watch(() => games.activeId, stop)

  function $reset(): void {
    stop()
    tries.value = 0
    hits.value = 0
    asGood.value = 0
  }

  return { active, tries, hits, asGood, missed, start, stop, toggle, guess, $reset }
})
