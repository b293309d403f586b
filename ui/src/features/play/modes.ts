import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useGames } from '@/features/game'
import { usePlay } from './store'

/** What the window is for at the moment; each has panels of its own. */
export const MODES = ['play', 'analyse', 'review'] as const
export type Mode = (typeof MODES)[number]

/** The mode of each open game: one that is played begins in `play`, a record in `analyse`. */
export const useModes = defineStore('modes', () => {
  const games = useGames()
  const play = usePlay()
  const entered = shallowRef<ReadonlyMap<string, Mode>>(new Map())

  const mode = computed<Mode>(() => {
    if (games.activeId === undefined) return 'analyse'
    // Nothing helps in a rated game.
    if (play.guarded) return 'play'
    return entered.value.get(games.activeId) ?? (play.view ? 'play' : 'analyse')
  })
  const playing = computed(() => mode.value === 'play')

  function enter(wanted: Mode): void {
    if (games.activeId !== undefined) entered.value = new Map(entered.value).set(games.activeId, wanted)
  }

  function $reset(): void {
    entered.value = new Map()
  }

  return { mode, playing, enter, $reset }
})
