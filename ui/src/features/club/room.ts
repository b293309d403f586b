import { defineStore } from 'pinia'
import { computed, shallowRef, watch as follow } from 'vue'
import type { RoomColor, RoomEvent, RoomMessage, RoomState } from '@/api'
import { resultWords } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { hashOf } from './address'
import { failureWords } from './failure'
import { useClub } from './session'
import { useTalk } from './talk'

/** The room that is on the screen: what the server said last, and what the person is about to do. */
export const useRoom = defineStore('room', () => {
  const club = useClub()
  const notices = useNotices()
  const room = shallowRef('')
  const { link, talk, closed, open, close, send, add, take, refuse, hush } = useTalk()
  const state = shallowRef<RoomState>()
  /** `performance.now()` when the state came: its running clock is counted from there. */
  const since = shallowRef(0)
  /** The number of the move that is on its way. */
  const pending = shallowRef<number>()
  /** The room whose terms this person has seen and agreed to: into any other one goes to look first. */
  let chosen = ''
  const sits = shallowRef(false)
  let lastSeq = 0

  const mine = computed<RoomColor | undefined>(() => {
    const name = club.person?.username
    const index = state.value?.players.findIndex(player => player && !player.engine && player.name === name) ?? -1
    return index < 0 ? undefined : index === 0 ? 1 : 2
  })
  // What was on its way when the connection broke may not have come.
  follow(link, (now) => { if (now !== 'connected') pending.value = undefined }, { flush: 'sync' })
  const nextNumber = computed(() => (state.value?.current_move_number ?? 0) + 1)
  const online = computed(() => link.value === 'connected')
  const mayMove = computed(() => online.value && state.value?.stage === 'playing' && state.value.turn === mine.value && pending.value !== nextNumber.value)
  const other = computed<RoomColor | undefined>(() => mine.value && (mine.value === 1 ? 2 : 1))

  function nameOf(color: RoomColor): string {
    return state.value?.players[color - 1]?.name ?? say(color === 1 ? 'game.player.black' : 'game.player.white')
  }

  function enter(name: string, watch: boolean): void {
    leave()
    room.value = name
    sits.value = !watch && chosen === name
    chosen = ''
    open(name, !sits.value, hear)
  }

  /** The next time that this room is entered a seat is taken in it, if there is one. */
  function choose(name: string): void {
    chosen = name
  }
  /** Takes a seat in the room that one looks at. */
  function sit(): void {
    choose(room.value)
    enter(room.value, false)
  }

  /** Goes out of the room; the game goes on. */
  function leave(): void {
    close()
    room.value = ''
    state.value = undefined
    pending.value = undefined
  }

  function hear(message: RoomMessage): void {
    if (message.type === 'lesson_state') {
      // A number says nothing of what it is; going back leads to where one was before.
      window.location.replace(hashOf({ name: 'lesson', lesson: room.value }))
      return
    }
    if (message.type === 'lesson_pointer' || message.type === 'own_board') return
    if (message.type === 'ack') return
    if (message.type === 'error') {
      pending.value = undefined
      return refuse(message)
    }
    if (message.type !== 'chat') {
      const first = state.value === undefined
      // Those who watch later are told the same state again, with the clock as it was when it came first.
      if (message.seq !== lastSeq || JSON.stringify(message.state.clock) !== JSON.stringify(state.value?.clock)) since.value = performance.now()
      lastSeq = message.seq
      state.value = message.state
      if (pending.value !== undefined && pending.value <= message.state.current_move_number) pending.value = undefined
      take(message.chat)
      if (first && sits.value && mine.value === undefined) notices.show({ tone: 'warning', title: failureWords({ kind: 'no_seat', message: '' }) })
      // What happened before one came is told by the state.
      if (first) return
    }
    for (const event of message.events) {
      if (event.kind === 'chat') add(event.name, event.text)
      else add('', eventWords(event), true)
    }
  }

  /** What happened, in words; moves are spoken elsewhere, with their points. */
  function eventWords(event: RoomEvent): string {
    switch (event.kind) {
      case 'seated': return say('club.event.seated', { name: event.name })
      case 'presence': return event.color === mine.value ? '' : say(event.online ? 'club.event.here' : 'club.event.away', { name: nameOf(event.color) })
      case 'left': return say('club.event.left')
      case 'declined': return say('club.event.declined', { name: event.name })
      case 'started': return say('club.event.started')
      case 'pass': return say('club.event.passed', { name: nameOf(event.color) })
      case 'undo_asked': return say('club.event.undoAsked', { name: nameOf(event.color) })
      case 'undo_refused': return say('club.event.undoRefused', { name: nameOf(event.color) })
      case 'undone': return say('club.event.undone', { count: event.moves })
      case 'counting': return say('club.event.counting')
      case 'agreed': return say('club.event.agreed', { name: nameOf(event.color) })
      case 'play_resumed': return say('club.event.resumed')
      case 'adjourn_asked': return say('club.event.adjournAsked', { name: nameOf(event.color) })
      case 'adjourn_refused': return say('club.event.adjournRefused', { name: nameOf(event.color) })
      case 'adjourned': return say(event.away ? 'club.event.adjournedAway' : 'club.event.adjourned')
      case 'ready': return say('club.event.ready', { name: nameOf(event.color) })
      case 'continued': return say('club.event.continued')
      case 'over': return resultWords(event.result)
      case 'chat_switched': return say(event.on ? 'club.event.chatOn' : 'club.event.chatOff')
      case 'engine_busy': return say('club.event.engineBusy')
      case 'engine_stood_in': return say('club.event.engineStoodIn')
      default: return ''
    }
  }

  function play(x: number, y: number): void {
    if (!mayMove.value) return
    const number = nextNumber.value
    if (send({ type: 'move', x, y, number })) pending.value = number
  }
  function pass(): void {
    if (!mayMove.value) return
    const number = nextNumber.value
    if (send({ type: 'pass', number })) pending.value = number
  }

  return { room, link, state, since, talk, closed, pending, sits, choose, sit, mine, other, nextNumber, online, mayMove, nameOf, enter, leave, send, play, pass, hush }
})
