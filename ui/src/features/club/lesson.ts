import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { LessonEvent, LessonRole, LessonState, OwnBoard, RoomMessage } from '@/api'
import { say } from '@/i18n'
import { useClub } from './session'
import { useTalk } from './talk'

/** How often at most others are told where the teacher points. */
const POINT_MS = 80

const ROLES = { teacher: 'club.lesson.role.teacher', student: 'club.lesson.role.student', audience: 'club.lesson.role.audience' } as const
export const roleWords = (role: LessonRole): string => say(ROLES[role])

/** The lesson that is on the screen: what the server said last. */
export const useLesson = defineStore('lesson', () => {
  const club = useClub()
  const { link, talk, closed, open, close, send, add, take, refuse, hush } = useTalk()
  const state = shallowRef<LessonState>()
  const own = shallowRef<OwnBoard | null>(null)

  const role = computed(() => state.value?.people.find(({ name }) => name === club.person?.username)?.role)
  const teaches = computed(() => role.value === 'teacher')
  const online = computed(() => link.value === 'connected' && state.value?.over === false)
  const offered = computed(() => state.value?.offers.some(({ name }) => name === club.person?.username) ?? false)

  function enter(lesson: string): void {
    leave()
    hush(1500)
    open(lesson, false, hear)
  }

  function leave(): void {
    close()
    clearTimeout(waiting)
    waiting = undefined
    pointed = undefined
    state.value = undefined
    own.value = null
  }

  function hear(message: RoomMessage): void {
    switch (message.type) {
      case 'lesson_state':
        state.value = message.state
        take(message.chat)
        for (const event of message.events) add('', eventWords(event), true)
        break
      case 'lesson_pointer':
        if (state.value) state.value = { ...state.value, pointer: message.point }
        break
      case 'own_board':
        own.value = message.own
        break
      case 'chat':
        for (const event of message.events) if (event.kind === 'chat') add(event.name, event.text)
        break
      case 'error':
        refuse(message)
        break
    }
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
    send(wanted ? { type: 'point', x: wanted[0], y: wanted[1] } : { type: 'point' })
  }

  return { link, state, own, talk, closed, role, teaches, online, offered, enter, leave, send, pointAt }
})
