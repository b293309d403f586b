import { defineStore } from 'pinia'
import { computed } from 'vue'
import { useAnalysis, useComparison, usePlayOut } from '@/features/analysis'
import { usePlay } from '@/features/play'
import { say } from '@/i18n'
import { wholeNumber } from '@/i18n/formats'

/** What the engine does at the moment, in words. */
export const useActivity = defineStore('activity', () => {
  const analysis = useAnalysis()
  const comparison = useComparison()
  const playOut = usePlayOut()
  const play = usePlay()

  /** What was asked for and can be stopped; the work that takes longest is named. Undefined when nothing is under way. */
  const now = computed(() => {
    const { sweep, reviewing, engine } = analysis
    if (sweep) {
      const numbers = { done: wholeNumber(sweep.done), total: wholeNumber(sweep.total), visits: wholeNumber(sweep.visits) }
      return say(`shell.activity.${reviewing ?? 'graph'}`, numbers)
    }
    if (playOut.progress) return say('shell.activity.playOut', { count: wholeNumber(playOut.progress.moves) })
    if (comparison.asking) return say('shell.activity.comparison')
    if (play.hinting) return say('shell.activity.hint')
    // A search that has its visits rests; it goes on at the next position.
    if (engine.analysing !== null && analysis.wanted) return say(analysis.shown?.running === false ? 'shell.activity.rests' : 'shell.activity.analysing')
    return undefined
  })

  /** The opponent's thinking, which is no work of the window's. */
  const thinking = computed(() => {
    if (!play.view?.thinking) return undefined
    if (play.view.starting) return say('play.starting')
    return say(play.view.toMove === 'white' ? 'shell.activity.thinkingWhite' : 'shell.activity.thinkingBlack')
  })

  return { now, thinking }
})
