import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { openRoom, type LessonEvent, type LessonRequest, type LessonRole, type LessonState, type OwnBoard, type RoomConnection, type RoomLink, type RoomMessage } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { failureWords } from './failure'
import { useClub } from './session'
import { hasAllOf, MAX_LINES, type TalkLine } from './talk'

/** How often at most others are told where the teacher points. */
const POINT_MS = 80

const ROLES = { teacher: 'club.lesson.role.teacher', student: 'club.lesson.role.student', audience: 'club.lesson.role.audience' } as const
export const roleWords = (role: LessonRole): string => say(ROLES[role])

/** The lesson that is on the screen: what the server said last. */
export const useLesson = defineStore('lesson', () => {
  const club = useClub()
  const notices = useNotices()
  const link = shallowRef<RoomLink>('connecting')
  const state = shallowRef<LessonState>()
  const own = shallowRef<OwnBoard | null>(null)
  const talk = shallowRef<readonly TalkLine[]>([])
  /** Why the door stayed closed. */
  const closed = shallowRef('')
  let connection: RoomConnection | undefined
  let lastLine = 0
  let quietUntil = 0

  const role = computed(() => state.value?.people.find(({ name }) => name === club.person?.username)?.role)
  const teaches = computed(() => role.value === 'teacher')
  const online = computed(() => link.value === 'connected' && state.value?.over === false)
  const offered = computed(() => state.value?.offers.some(({ name }) => name === club.person?.username) ?? false)

  function enter(lesson: string): void {
    leave()
    quietUntil = performance.now() + 1500
    connection = openRoom(lesson, { token: club.token, watch: false, listener: { message: hear, link: (now) => { link.value = now } } })
  }

  function leave(): void {
    connection?.close()
    connection = undefined
    clearTimeout(waiting)
    waiting = undefined
    pointed = undefined
    state.value = undefined
    own.value = null
    talk.value = []
    closed.value = ''
    link.value = 'connecting'
  }

  function hear(message: RoomMessage): void {
    switch (message.type) {
      case 'lesson_state':
        state.value = message.state
        if (message.chat && !hasAllOf(talk.value, message.chat)) talk.value = message.chat.map(line => ({ ...line, id: ++lastLine, happened: false }))
        for (const event of message.events) {
          const words = eventWords(event)
          if (words !== '') add('', words, true)
        }
        break
      case 'lesson_pointer':
        if (state.value) state.value = { ...state.value, pointer: message.point }
        break
      case 'own_board':
        own.value = message.own
        break
      case 'chat':
        for (const event of message.events) if (event.kind === 'chat') add(event.name, event.text, false)
        break
      case 'error':
        if (message.seq === 0 && message.id === undefined) closed.value = failureWords(message)
        else notices.show({ tone: 'warning', title: failureWords(message) })
        break
    }
  }

  function add(name: string, text: string, happened: boolean): void {
    talk.value = [...talk.value, { name, text, id: ++lastLine, happened }].slice(-MAX_LINES)
    if (performance.now() > quietUntil) notices.announce(happened ? text : say('club.room.said', { name, text }))
  }

  function eventWords(event: LessonEvent): string {
    const isMe = 'name' in event && event.name === club.person?.username
    switch (event.kind) {
      case 'came': return isMe ? '' : say('club.event.here', { name: event.name })
      case 'went': return say('club.lesson.event.went', { name: event.name })
      case 'role_given': return say('club.lesson.event.role', { name: event.name, role: roleWords(event.role) })
      case 'offered': return say('club.lesson.event.offered', { name: event.name })
      case 'offer_shown': return say('club.lesson.event.shown', { name: event.name })
      case 'engine_shown': return say(event.on ? 'club.lesson.event.engineOn' : 'club.lesson.event.engineOff')
      case 'chat_switched': return say(event.on ? 'club.event.chatOn' : 'club.event.chatOff')
      case 'finished': return say('club.lesson.event.finished')
    }
  }

  function send(request: LessonRequest): boolean {
    if (connection?.send(request)) return true
    notices.show({ tone: 'warning', title: say('club.failure.disconnected') })
    return false
  }

  let pointed: string | undefined
  let wanted: readonly [number, number] | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  /** Points somewhere, or nowhere; the last place counts. */
  function pointAt(point: readonly [number, number] | undefined): void {
    wanted = point
    if (waiting !== undefined) return
    tellPoint()
    waiting = setTimeout(() => {
      waiting = undefined
      tellPoint()
    }, POINT_MS)
  }
  function tellPoint(): void {
    const place = wanted?.join(',')
    if (place === pointed || !teaches.value || !online.value) return
    pointed = place
    connection?.send(wanted ? { type: 'point', x: wanted[0], y: wanted[1] } : { type: 'point' })
  }

  return { link, state, own, talk, closed, role, teaches, online, offered, enter, leave, send, pointAt }
})
