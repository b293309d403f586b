import { shallowRef } from 'vue'
import { openRoom, type ChatLine, type LessonRequest, type RoomConnection, type RoomLink, type RoomMessage, type RoomRequest } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { failureWords } from './failure'
import { useClub } from './session'

/** Lines of talk that are kept on the screen. */
const MAX_LINES = 200

/** A line of the talk: what somebody said, or what happened. */
export interface TalkLine extends ChatLine { readonly id: number, readonly happened: boolean }

/** Whether the talk ends with what the server still knows of it: then nothing was missed, and the lines of this page stay. */
export function hasAllOf(talk: readonly TalkLine[], chat: readonly ChatLine[]): boolean {
  const said = talk.filter(line => !line.happened)
  // Of a full talk the first lines have gone.
  if (said.length < chat.length && talk.length < MAX_LINES) return false
  const both = Math.min(said.length, chat.length)
  const last = chat.slice(chat.length - both)
  return said.slice(said.length - both).every(({ name, text }, at) => {
    const known = last[at]
    return known?.name === name && known.text === text
  })
}

/** What a room and a lesson have in common: the connection, what is said there, and why the door stayed closed. */
export function useTalk() {
  const club = useClub()
  const notices = useNotices()
  const link = shallowRef<RoomLink>('connecting')
  const talk = shallowRef<readonly TalkLine[]>([])
  /** Why the door stayed closed. */
  const closed = shallowRef('')
  let connection: RoomConnection | undefined
  let lastLine = 0
  let quietUntil = 0

  function open(room: string, watch: boolean, message: (message: RoomMessage) => void): void {
    connection = openRoom(room, { token: () => club.token, watch, listener: { message, link: (now) => { link.value = now } } })
  }

  function close(): void {
    connection?.close()
    connection = undefined
    talk.value = []
    closed.value = ''
    link.value = 'connecting'
  }

  function send(request: RoomRequest | LessonRequest): boolean {
    if (connection?.send(request)) return true
    notices.show({ tone: 'warning', title: say('club.failure.disconnected') })
    return false
  }

  /** Adds what somebody said, or what happened, if there are words for that. */
  function add(name: string, text: string, happened = false): void {
    if (text === '') return
    talk.value = [...talk.value, { name, text, id: ++lastLine, happened }].slice(-MAX_LINES)
    if (performance.now() > quietUntil) notices.announce(happened || name === '' ? text : say('club.room.said', { name, text }))
  }

  /** Takes what the server knows of the talk, where lines of it were missed here. */
  function take(chat: readonly ChatLine[] | undefined): void {
    if (chat && !hasAllOf(talk.value, chat)) talk.value = chat.map(line => ({ ...line, id: ++lastLine, happened: false }))
  }

  /** The server refused a message, or the door. */
  function refuse(error: RoomMessage & { type: 'error' }): void {
    if (link.value === 'closed') closed.value = failureWords(error)
    else notices.show({ tone: 'warning', title: failureWords(error) })
  }

  /** Nothing is spoken for a moment, as when a room is entered. */
  function hush(milliseconds: number): void {
    quietUntil = performance.now() + milliseconds
  }

  return { link, talk, closed, open, close, send, add, take, refuse, hush }
}
