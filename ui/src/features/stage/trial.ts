import { defineStore } from 'pinia'
import { computed, watch } from 'vue'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Moves are tried out that the record is not to have. The back end ends it where the person goes to another move. */
export const useTrial = defineStore('trial', () => {
  const games = useGames()
  const notices = useNotices()
  /** The node at which it began. */
  const origin = computed(() => games.active?.trial ?? undefined)
  const active = computed(() => origin.value !== undefined)
  /** Moves from there to the position. */
  const count = computed(() => {
    const { position } = games
    return position && origin.value !== undefined ? position.lineIndex - position.line.indexOf(origin.value) : 0
  })

  /** There is something to keep, also before the moves that were tried. */
  const tried = computed(() => active.value && games.active?.canUndo === true)

  const begin = () => games.tryOut('begin')
  const leave = () => games.tryOut('drop')
  const toggle = () => active.value ? leave() : begin()

  async function keep(): Promise<void> {
    const gameId = games.activeId
    if (await games.tryOut('keep')) notices.show({ tone: 'success', title: say('trial.kept'), action: { label: say('action.undo'), run: () => { if (gameId !== undefined) void games.undoIn(gameId) } } })
  }

  // However it began and ended, unless the person turned to another game.
  watch([() => games.activeId, active], ([id, now], [before]) => {
    if (id === before && id !== undefined) notices.announce(say(now ? 'trial.help' : 'trial.left'))
  })

  return { active, count, tried, begin, leave, keep, toggle }
})
