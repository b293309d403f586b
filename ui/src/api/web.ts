import { shallowRef } from 'vue'
import { asFailure, type Answer, type Backend, type CommandName, type Commands, type Connection } from './backend'
import type { Event } from './bindings'
import { chooseInBrowser, dropInBrowser } from './browserFiles'
import { browserNotifier } from './notifier'
import { TOKEN_KEY } from './token'

const MIN_WAIT_MS = 400
const MAX_WAIT_MS = 8000

/** What the server sends: an answer to a numbered call, or an event. */
type Incoming = { id: number, ok: unknown } | { id: number, error: unknown } | Event

export interface WebBackendOptions {
  readonly url: string
  /** Replaced in tests. */
  readonly connect?: (url: string) => WebSocket
}

/** The token in the page's address. It is taken out of the address, so that it is neither bookmarked nor sent on; what is on the home screen opens without it. */
export function takeToken(): string {
  const address = new URL(window.location.href)
  const given = address.searchParams.get('token')
  if (given !== null) {
    address.searchParams.delete('token')
    window.history.replaceState(window.history.state, '', address)
    localStorage.setItem(TOKEN_KEY, given)
    return given
  }
  return localStorage.getItem(TOKEN_KEY) ?? ''
}

/** Where the server that sent this page listens. */
export function socketUrl(token: string): string {
  const address = new URL('/api/ws', window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('token', token)
  return address.href
}

/** The back end behind `honinbo serve`. Connects again by itself; calls made meanwhile wait. */
export function createWebBackend({ url, connect = address => new WebSocket(address) }: WebBackendOptions): Backend {
  const connection = shallowRef<Connection>('connecting')
  const listeners = new Set<(event: Event) => void>()
  const waiting = new Map<number, { name: string, resolve: (answer: Answer<never>) => void }>()
  let socket: WebSocket | undefined
  let unsent: { id: number, text: string }[] = []
  let lastId = 0
  let wait = MIN_WAIT_MS
  let everConnected = false
  let failuresBeforeFirst = 0

  function open(): void {
    const mine = connect(url)
    socket = mine
    mine.addEventListener('open', () => {
      everConnected = true
      wait = MIN_WAIT_MS
      connection.value = 'connected'
      for (const message of unsent) mine.send(message.text)
      unsent = []
    })
    mine.addEventListener('message', event => receive(event.data))
    mine.addEventListener('close', () => {
      socket = undefined
      // What was sent may or may not have been done: saying so beats doing it twice.
      const held = new Set(unsent.map(message => message.id))
      for (const [id, call] of waiting) {
        if (held.has(id)) continue
        waiting.delete(id)
        call.resolve({ status: 'error', error: { kind: 'disconnected' } })
      }
      if (!everConnected && ++failuresBeforeFirst >= 3) {
        connection.value = 'closed'
        for (const [id, call] of waiting) {
          waiting.delete(id)
          call.resolve({ status: 'error', error: { kind: 'disconnected' } })
        }
        unsent = []
        return
      }
      connection.value = everConnected ? 'lost' : 'connecting'
      setTimeout(open, wait)
      wait = Math.min(MAX_WAIT_MS, wait * 2)
    })
  }

  function receive(data: unknown): void {
    let message: Incoming
    try {
      message = JSON.parse(String(data)) as Incoming
    } catch {
      return
    }
    if ('event' in message) {
      for (const listener of listeners) listener(message)
      return
    }
    const call = waiting.get(message.id)
    if (!call) return
    waiting.delete(message.id)
    call.resolve('ok' in message
      ? { status: 'ok', data: message.ok as never }
      : { status: 'error', error: asFailure(call.name, message.error) })
  }

  open()
  return {
    connection,
    call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      return new Promise((resolve) => {
        if (connection.value === 'closed') {
          resolve({ status: 'error', error: { kind: 'disconnected' } })
          return
        }
        const id = ++lastId
        const text = JSON.stringify({ id, command: name, args })
        waiting.set(id, { name, resolve: resolve as (answer: Answer<never>) => void })
        if (socket?.readyState === 1) socket.send(text)
        else unsent.push({ id, text })
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    chooseRecords: chooseInBrowser,
    chooseSavePath: () => Promise.resolve(undefined),
    onDrop: dropInBrowser,
    setTitle(title) { document.title = title },
    notifier: browserNotifier(),
  }
}
