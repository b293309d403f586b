import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { Pan } from '@/features/board'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'

/** How the board of the open game is looked at, for as long as the window is open. */
export const useBoardView = defineStore('boardView', () => {
  const games = useGames()
  const settings = useSettings()
  /** Numbers are counted from the move after this one. */
  const numbersFrom = shallowRef<number>()
  /** The point that a comment names where the pointer or the focus is. */
  const pointed = shallowRef<number>()
  /** How far the world of each game is pushed, where edges meet. */
  const pans = shallowRef<Readonly<Record<string, Pan>>>({})
  const panOf = (gameId: string): Pan | undefined => pans.value[gameId]
  function push(gameId: string, pan: Pan): void {
    pans.value = { ...pans.value, [gameId]: pan }
  }
  const counting = computed(() => numbersFrom.value !== undefined)

  /** Numbers the moves from here on as 1, 2, 3; once more numbers none. */
  function countFromHere(): void {
    const turnedOn = numbersFrom.value === undefined
    numbersFrom.value = turnedOn ? games.position?.moveNumber ?? 0 : undefined
    settings.preferences.moveNumbers = turnedOn ? 'here' : 'off'
  }

  watch(() => settings.preferences.moveNumbers, (style) => { if (style !== 'here') numbersFrom.value = undefined })
  watch(() => games.activeId, () => { if (counting.value) countFromHere() })

  // The words that were pointed at go with their position.
  watch([() => games.activeId, () => games.position?.nodeId], () => { pointed.value = undefined })

  return { numbersFrom, pointed, panOf, push, countFromHere, $reset: () => { numbersFrom.value = undefined; pointed.value = undefined; pans.value = {} } }
})
