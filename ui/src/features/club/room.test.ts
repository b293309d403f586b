import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ChatLine } from '@/api'
import { useNotices } from '@/features/notices'
import { useLesson } from './lesson'
import { useRoom } from './room'
import { useClub } from './session'
import { hasAllOf } from './talk'

class FakeSocket extends EventTarget {
  static last: FakeSocket
  readyState = 1
  readonly sent: string[] = []
  constructor(readonly url: string) {
    super()
    FakeSocket.last = this
  }

  send(text: string): void { this.sent.push(text) }
  close(): void { this.readyState = 3 }
  say(message: object): void { this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ version: 1, room: '7', ...message }) })) }
}

beforeEach(() => {
  vi.stubGlobal('WebSocket', FakeSocket)
  setActivePinia(createPinia())
})
afterEach(() => { vi.restoreAllMocks(); vi.unstubAllGlobals() })

const line = (text: string): ChatLine => ({ name: 'Anna', text })

test('a clock that is told once more runs on, and one that was read anew is taken over', () => {
  const time = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const room = useRoom()
  room.enter('7', true)
  const tell = (seq: number, main_seconds: number): void => {
    const left = { main_seconds, period_seconds: null, periods: 0, stones: 0 }
    FakeSocket.last.say({ seq, type: 'state_update', events: [], state: { players: [null, null], current_move_number: seq, clock: { black: left, white: left, running: 1 } } })
  }
  tell(4, 60)
  time.mockReturnValue(16_000)
  tell(4, 60)
  expect(room.since).toBe(1000)
  tell(4, 45)
  expect(room.since).toBe(16_000)
  time.mockReturnValue(20_000)
  tell(5, 45)
  expect(room.since).toBe(20_000)
  room.leave()
})

test('a link leads to the door, and a seat is taken by whoever has seen the terms', () => {
  const room = useRoom()
  const watches = (): boolean => new URL(FakeSocket.last.url).searchParams.has('watch')
  const empty = { players: [null, null], current_move_number: 0, clock: null, stage: 'waiting' }
  room.enter('7', false)
  expect(watches()).toBe(true)
  FakeSocket.last.say({ seq: 1, type: 'state_update', events: [], state: empty })
  expect(useNotices().notices).toEqual([])
  room.sit()
  expect(watches()).toBe(false)
  FakeSocket.last.say({ seq: 2, type: 'state_update', events: [], state: empty })
  expect(useNotices().notices.map(({ title }) => title)).toEqual(['No seat is free in that room.'])
  room.choose('8')
  room.enter('7', false)
  expect(watches(), 'it is another room').toBe(true)
  room.choose('7')
  room.enter('7', true)
  expect(watches(), 'whoever wants to watch watches').toBe(true)
  room.leave()
})

test('what happened in a lesson stays in its talk when the server tells everything again', () => {
  const lesson = useLesson()
  lesson.enter('7')
  const tell = (chat: ChatLine[], events: object[] = []): void => {
    FakeSocket.last.say({ seq: 4, type: 'lesson_state', events, chat, state: { people: [], offers: [], over: false } })
  }
  tell([line('Hello')])
  FakeSocket.last.say({ seq: 4, type: 'lesson_state', events: [{ kind: 'went', name: 'Ben' }], state: { people: [], offers: [], over: false } })
  const before = lesson.talk
  expect(before.map(({ happened }) => happened)).toEqual([false, true])
  tell([line('Hello')])
  expect(lesson.talk).toBe(before)
  tell([line('Hello'), line('Where is Ben?')])
  expect(lesson.talk.map(({ text }) => text)).toEqual(['Hello', 'Where is Ben?'])
  lesson.leave()
})

test('a teacher points in the next lesson as in the first, wherever the pointer was when that was left', () => {
  vi.useFakeTimers()
  onTestFinished(() => { vi.useRealTimers() })
  useClub().person = { username: 'Anna', guest: false, operator: false }
  const lesson = useLesson()
  const points = (): unknown[] => FakeSocket.last.sent.map(text => JSON.parse(text) as { type: string }).filter(({ type }) => type === 'point')
  for (const room of ['7', '8']) {
    lesson.enter(room)
    FakeSocket.last.say({ seq: 4, type: 'lesson_state', events: [], chat: [], state: { people: [{ name: 'Anna', role: 'teacher' }], offers: [], over: false } })
    lesson.pointAt([3, 3])
    expect(points(), room).toEqual([{ type: 'point', x: 3, y: 3 }])
    lesson.leave()
    vi.advanceTimersByTime(1000)
  }
})

test('of a long talk the server knows the end', () => {
  const said = ['1', '2', '3'].map((text, id) => ({ ...line(text), id, happened: false }))
  expect(hasAllOf(said, ['2', '3'].map(line))).toBe(true)
  expect(hasAllOf(said, ['1', '2'].map(line))).toBe(false)
  expect(hasAllOf(said.slice(1), ['1', '2', '3'].map(line))).toBe(false)
  expect(hasAllOf([], [])).toBe(true)
})
