import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askClub, openRoom, type RoomLink } from './club'
import type { RoomMessage } from './clubBindings'

class FakeSocket extends EventTarget {
  static all: FakeSocket[] = []
  readyState = 0
  bufferedAmount = 0
  sent: unknown[] = []
  constructor(readonly url: string) {
    super()
    FakeSocket.all.push(this)
  }

  send(text: string): void { this.sent.push(JSON.parse(text)) }
  open(): void { this.readyState = 1; this.dispatchEvent(new Event('open')) }
  close(): void { this.readyState = 3; this.dispatchEvent(new Event('close')) }
  say(message: unknown): void { this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })) }
}

const news = (seq: number) => ({ version: 1, room: '7', seq, type: 'state_update', events: [], state: {} })

function opened(token = () => 't') {
  const messages: RoomMessage[] = []
  const links: RoomLink[] = []
  const room = openRoom('7', {
    token, watch: false, connect: url => new FakeSocket(url) as unknown as WebSocket,
    listener: { message: message => messages.push(message), link: link => links.push(link) },
  })
  return { room, messages, links }
}

beforeEach(() => { vi.useFakeTimers(); FakeSocket.all = [] })
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals() })

describe('a room', () => {
  test('that does not answer any more is opened again from where it was', () => {
    const { room, messages, links } = opened()
    const [first] = FakeSocket.all
    first?.open()
    first?.say(news(3))
    vi.advanceTimersByTime(15_000)
    expect(first?.sent).toEqual([{ type: 'sync', after: 3 }])
    first?.say(news(4))
    vi.advanceTimersByTime(30_000)
    expect(FakeSocket.all).toHaveLength(2)
    expect(links.at(-1)).toBe('lost')
    const second = FakeSocket.all[1]
    expect(new URL(second?.url ?? '').searchParams.get('after')).toBe('4')
    first?.say(news(9))
    expect(messages.map(({ seq }) => seq), 'what the one before still says is passed over').toEqual([3, 4])
    second?.open()
    second?.say(news(5))
    expect([links.at(-1), messages.at(-1)?.seq]).toEqual(['connected', 5])
    room.close()
  })

  test('is tried again while the server starts, and given up only where the token is void', async () => {
    const answer = vi.fn<() => Promise<Response>>()
    vi.stubGlobal('fetch', answer)
    const { links } = opened()
    const refuse = async (): Promise<void> => {
      for (let time = 0; time < 5; time++) {
        FakeSocket.all.at(-1)?.close()
        await vi.advanceTimersByTimeAsync(8000)
      }
    }
    const failure = (status: number, kind: string) =>
      ({ ok: false, status, headers: new Headers(), text: () => Promise.resolve(JSON.stringify({ error: { kind, message: '' } })) }) as Response
    answer.mockResolvedValueOnce(failure(503, 'unavailable'))
    await refuse()
    expect([answer.mock.calls.length, links.at(-1), FakeSocket.all.length]).toEqual([1, 'connecting', 6])
    answer.mockResolvedValueOnce(failure(401, 'unauthorized'))
    await refuse()
    expect([answer.mock.calls.length, links.at(-1), FakeSocket.all.length]).toEqual([2, 'closed', 10])
  })

  test('in which nothing has happened yet refuses a message without closing its door', () => {
    const { messages, links } = opened()
    const [first] = FakeSocket.all
    const refusal = { version: 1, room: '7', seq: 0, type: 'error', kind: 'chat_length', message: '' }
    first?.open()
    first?.say(news(0))
    first?.say(refusal)
    expect([links.at(-1), messages.length]).toEqual(['connected', 2])
    // Before anything else it is the door.
    first?.close()
    vi.advanceTimersByTime(8000)
    FakeSocket.all[1]?.open()
    FakeSocket.all[1]?.say({ ...refusal, kind: 'unknown_room' })
    expect([links.at(-1), messages.length]).toEqual(['closed', 3])
  })

  test('is opened again with the token of now, and given up where that has ended while it was open', async () => {
    let token = 'old'
    const { links } = opened(() => token)
    const asked: unknown[] = []
    vi.stubGlobal('fetch', (_: unknown, { headers }: { headers: unknown }) => {
      asked.push(headers)
      return Promise.resolve({ ok: false, status: 401, headers: new Headers(), text: () => Promise.resolve('{"error":{"kind":"unauthorized","message":""}}') } as Response)
    })
    FakeSocket.all[0]?.open()
    FakeSocket.all[0]?.say(news(3))
    token = 'new'
    FakeSocket.all[0]?.close()
    await vi.advanceTimersByTimeAsync(8000)
    expect(new URL(FakeSocket.all[1]?.url ?? '').searchParams.get('token')).toBe('new')
    for (let time = 0; time < 5; time++) {
      FakeSocket.all.at(-1)?.close()
      await vi.advanceTimersByTimeAsync(8000)
    }
    expect([asked, links.at(-1), FakeSocket.all.length]).toEqual([[{ Authorization: 'Bearer new' }], 'closed', 6])
  })
})

test('what a route takes stands in its address and its body', async () => {
  const asked: unknown[][] = []
  vi.stubGlobal('fetch', (...request: unknown[]) => {
    asked.push(request)
    return Promise.resolve({ ok: true, status: 204, headers: new Headers(), text: () => Promise.resolve('') } as Response)
  })
  await askClub('DELETE /api/operator/rooms/{room_id}', 't', { params: { room_id: 'ai_5k/Anna' } })
  await askClub('GET /api/games', 't', { query: { limit: 50, before: undefined } })
  await askClub('POST /api/login', undefined, { body: { username: 'Anna', password: 'long enough' } })
  await askClub('POST /api/guest', '')
  expect(asked).toEqual([
    ['/api/operator/rooms/ai_5k%2FAnna', { method: 'DELETE', headers: { Authorization: 'Bearer t' } }],
    ['/api/games?limit=50', { method: 'GET', headers: { Authorization: 'Bearer t' } }],
    ['/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"username":"Anna","password":"long enough"}' }],
    ['/api/guest', { method: 'POST', headers: {} }],
  ])
})
