import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from './bindings'
import { createWebBackend, socketUrl, takeToken } from './web'

class FakeSocket extends EventTarget {
  static last: FakeSocket
  static count = 0
  readyState = 0
  bufferedAmount = 0
  sent: { id: number, command: string, args: unknown }[] = []
  constructor(readonly url: string) {
    super()
    FakeSocket.last = this
    FakeSocket.count++
  }

  send(text: string): void { this.sent.push(JSON.parse(text) as never) }
  open(run = 'first'): void {
    this.readyState = 1
    this.dispatchEvent(new globalThis.Event('open'))
    this.say({ run })
  }
  close(): void { this.readyState = 3; this.dispatchEvent(new globalThis.Event('close')) }
  say(message: unknown): void { this.dispatchEvent(new MessageEvent('message', { data: typeof message === 'string' ? message : JSON.stringify(message) })) }
}

const connected = (url = () => 'ws://x/api/ws?token=t') => createWebBackend({ url, connect: url => new FakeSocket(url) as unknown as WebSocket })

beforeEach(() => { vi.useFakeTimers(); FakeSocket.count = 0 })
afterEach(() => { vi.useRealTimers() })

describe('the server as back end', () => {
  test('answers find their calls in any order', async () => {
    const backend = connected()
    FakeSocket.last.open()
    const one = backend.call('engine_status', {})
    const two = backend.call('library_stats', {})
    const [first, second] = FakeSocket.last.sent
    FakeSocket.last.say({ id: second?.id, ok: 'second' })
    FakeSocket.last.say({ id: first?.id, error: { kind: 'cancelled' } })
    expect(await one).toEqual({ status: 'error', error: { kind: 'cancelled' } })
    expect(await two).toEqual({ status: 'ok', data: 'second' })
  })

  test('calls made before the connection wait for it', async () => {
    const backend = connected()
    const answer = backend.call('startup', {})
    expect(FakeSocket.last.sent).toHaveLength(0)
    FakeSocket.last.open()
    expect(FakeSocket.last.sent[0]).toMatchObject({ command: 'startup', args: {} })
    FakeSocket.last.say({ id: FakeSocket.last.sent[0]?.id, ok: null })
    expect(await answer).toEqual({ status: 'ok', data: null })
  })

  test('a lost connection comes back with the token of then', async () => {
    let token = 'old'
    connected(() => `ws://x/api/ws?token=${token}`)
    FakeSocket.last.open()
    token = 'new'
    FakeSocket.last.close()
    await vi.advanceTimersByTimeAsync(8000)
    expect(FakeSocket.last.url).toBe('ws://x/api/ws?token=new')
  })

  test('a lost connection answers what was under way, and comes back by itself', async () => {
    const backend = connected()
    FakeSocket.last.open()
    const answer = backend.call('startup', {})
    FakeSocket.last.close()
    expect(await answer).toEqual({ status: 'error', error: { kind: 'disconnected' } })
    expect(backend.connection.value).toBe('lost')
    vi.advanceTimersByTime(1000)
    expect(FakeSocket.count).toBe(2)
    FakeSocket.last.open()
    expect(backend.connection.value).toBe('connected')
  })

  test('a connection that does not answer any more is left for another one', async () => {
    const backend = connected()
    const silent = FakeSocket.last
    silent.open()
    vi.advanceTimersByTime(15_000)
    expect(silent.sent.map(({ command }) => command)).toEqual(['engine_status'])
    silent.say({ id: silent.sent[0]?.id, ok: {} })
    vi.advanceTimersByTime(15_000)
    const answer = backend.call('startup', {})
    vi.advanceTimersByTime(15_000)
    expect(await answer).toEqual({ status: 'error', error: { kind: 'disconnected' } })
    expect([FakeSocket.count, backend.connection.value]).toEqual([2, 'lost'])
    silent.say({ run: 'first' })
    expect(backend.connection.value, 'what it still says comes too late').toBe('lost')
    FakeSocket.last.open()
    expect(backend.connection.value).toBe('connected')
  })

  test('a connection is asked at once when the network comes back, and once only', () => {
    connected()
    const socket = FakeSocket.last
    socket.open()
    for (let time = 0; time < 2; time++) window.dispatchEvent(new globalThis.Event('online'))
    expect(socket.sent.map(({ command }) => command)).toEqual(['engine_status'])
  })

  test('a connection over which a large message still goes out is not left', () => {
    const backend = connected()
    const socket = FakeSocket.last
    socket.open()
    socket.bufferedAmount = 3
    vi.advanceTimersByTime(15_000)
    socket.bufferedAmount = 2
    vi.advanceTimersByTime(15_000)
    expect(backend.connection.value).toBe('connected')
    vi.advanceTimersByTime(15_000)
    expect(backend.connection.value).toBe('lost')
  })

  test('calls that waited for the connection are sent to the back end that they were meant for, and to no other run of it', async () => {
    const backend = connected()
    const runs: string[] = []
    backend.listen(() => runs.push(backend.run.value))
    FakeSocket.last.open()
    for (const [run, sent] of [['first', 1], ['second', 0]] as const) {
      FakeSocket.last.close()
      const answer = backend.call('redo_edit', { gameId: 'g2' })
      vi.advanceTimersByTime(1000)
      FakeSocket.last.open(run)
      expect(FakeSocket.last.sent).toHaveLength(sent)
      if (sent === 0) expect(await answer).toEqual({ status: 'error', error: { kind: 'disconnected' } })
      FakeSocket.last.say({ event: 'libraryChanged' })
    }
    expect(runs).toEqual(['first', 'second'])
    void backend.call('startup', {})
    expect(FakeSocket.last.sent).toHaveLength(1)
  })

  test('nothing is sent before the server has said which run of the back end it is', () => {
    const backend = connected()
    const socket = FakeSocket.last
    socket.readyState = 1
    socket.dispatchEvent(new globalThis.Event('open'))
    void backend.call('startup', {})
    expect([socket.sent.length, backend.connection.value]).toEqual([0, 'connecting'])
    socket.say({ run: 'first' })
    expect([socket.sent.length, backend.connection.value]).toEqual([1, 'connected'])
  })

  test('a server that never lets the page in is not asked for ever', async () => {
    const backend = connected()
    const answer = backend.call('startup', {})
    for (let attempt = 0; attempt < 3; attempt++) {
      FakeSocket.last.close()
      vi.advanceTimersByTime(20_000)
    }
    expect(backend.connection.value).toBe('closed')
    expect(await answer).toMatchObject({ status: 'error' })
    expect(FakeSocket.count).toBe(3)
  })

  test('events reach those who listen; nonsense is left aside', () => {
    const backend = connected()
    FakeSocket.last.open()
    const heard: Event[] = []
    const stop = backend.listen(event => heard.push(event))
    FakeSocket.last.say('not JSON')
    FakeSocket.last.say({ id: 99, ok: 1 })
    FakeSocket.last.say({ event: 'libraryChanged' })
    stop()
    FakeSocket.last.say({ event: 'libraryChanged' })
    expect(heard).toEqual([{ event: 'libraryChanged' }])
  })
})

test('the token leaves the address and outlives a reload', () => {
  window.history.replaceState(null, '', '/?token=secret&x=1')
  expect(takeToken()).toBe('secret')
  expect(window.location.search).toBe('?x=1')
  expect(takeToken()).toBe('secret')
  expect(socketUrl('a b')).toMatch(/^ws:.*\/api\/ws\?token=a\+b$/)
})
