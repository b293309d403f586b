import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { pointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Points of moves that were left out which a notice names; the rest are counted. */
const MAX_NAMED = 8

/** Moves are put into the game before the one that follows: they are played as a variation, and then the game goes on after them. */
export const useInserting = defineStore('inserting', () => {
  const games = useGames()
  const notices = useNotices()
  /** Where the moves are inserted, and the node that follows there. */
  const place = shallowRef<{ nodeId: number, following: number }>()
  const active = computed(() => place.value !== undefined)
  /** Moves that were played since. */
  const count = computed(() => {
    const { position } = games
    if (!place.value || !position) return 0
    const from = position.line.indexOf(place.value.nodeId)
    const into = position.line.indexOf(place.value.following)
    return from < 0 || (into >= 0 && into <= position.lineIndex) ? 0 : Math.max(0, position.lineIndex - from)
  })

  function begin(): void {
    const { position } = games
    const following = position?.line[position.lineIndex + 1]
    if (!position || following === undefined) {
      notices.show({ tone: 'info', title: say('insert.nothingFollows') })
      return
    }
    place.value = { nodeId: position.nodeId, following }
    notices.announce(say('insert.help'))
  }

  function cancel(): void {
    place.value = undefined
  }

  async function finish(): Promise<void> {
    const { position, active: game } = games
    if (!place.value || !position || !game) return
    if (count.value === 0) {
      notices.show({ tone: 'info', title: say('insert.nothing') })
      cancel()
      return
    }
    const answer = await games.continueGame(position.nodeId, place.value.following)
    if (!answer) return
    cancel()
    const names = answer.leftOut.map(({ vertex }) => vertex === null ? say('game.pass') : pointName(vertex, game.width, game.height))
    const rest = names.length - MAX_NAMED
    const leftOut = names.slice(0, MAX_NAMED).join(' ') + (rest > 0 ? ` +${rest}` : '')
    notices.show({
      tone: names.length > 0 ? 'warning' : 'success',
      title: say('insert.done', { count: answer.moves }, answer.moves),
      detail: names.length > 0 ? say('insert.leftOut', { moves: leftOut }) : undefined,
    })
  }

  const toggle = (): Promise<void> | void => active.value ? finish() : begin()

  watch(() => games.activeId, cancel)

  return { active, count, begin, finish, cancel, toggle, $reset: cancel }
})
