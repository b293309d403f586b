import { shallowRef } from 'vue'
import { asFailure, type Answer, type Backend, type CommandName, type Commands, type Connection, type FilesRead, type UnreadFile } from './backend'
import type { Event } from './bindings'
import { chooseInBrowser, dropInBrowser, type FileReading } from './browserFiles'
import { browserFullScreen } from './fullScreen'
import { leaveInBrowser } from './leaving'
import { browserNotifier } from './notifier'
import { reopening } from './reopening'
import { TOKEN_KEY } from './token'

/** What the server sends: first which run of the back end this is, then answers to numbered calls and events. */
type Incoming = { run: string } | { id: number, ok: unknown } | { id: number, error: unknown } | Event

export interface WebBackendOptions {
  /** Asked for each time: another password brings another token. */
  readonly url: () => string
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
  const run = shallowRef('')
  const listeners = new Set<(event: Event) => void>()
  const unreadListeners = new Set<(files: readonly UnreadFile[]) => void>()
  const unread = (files: readonly UnreadFile[]): void => { for (const listener of unreadListeners) listener(files) }
  const readingListeners = new Set<(reading: FilesRead | undefined) => void>()
  const reader: FileReading = {
    unread,
    progress: (reading) => { for (const listener of readingListeners) listener(reading) },
  }
  const waiting = new Map<number, { name: string, resolve: (answer: Answer<never>) => void }>()
  let socket: WebSocket | undefined
  let unsent: { id: number, text: string }[] = []
  let lastId = 0
  let everConnected = false
  let failuresBeforeFirst = 0

  function disconnected(isMeant: (id: number) => boolean): void {
    for (const [id, call] of waiting) {
      if (!isMeant(id)) continue
      waiting.delete(id)
      call.resolve({ status: 'error', error: { kind: 'disconnected' } })
    }
  }

  const again = reopening({
    // Nothing is asked before the server has said which run of the back end it is.
    socket: () => connection.value === 'connected' ? socket : undefined,
    open,
    ask(asked) { asked.send(JSON.stringify({ id: ++lastId, command: 'engine_status', args: {} })) },
    lost() {
      drop()
      connection.value = 'lost'
    },
  })

  /** Leaves a connection. What was sent may or may not have been done: saying so beats doing it twice. */
  function drop(): void {
    socket = undefined
    const held = new Set(unsent.map(message => message.id))
    disconnected(id => !held.has(id))
  }

  function open(): void {
    const mine = connect(url())
    socket = mine
    mine.addEventListener('open', () => {
      everConnected = true
      again.settled()
    })
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      again.heard()
      receive(event.data)
    })
    mine.addEventListener('close', () => {
      if (socket !== mine) return
      drop()
      if (!everConnected && ++failuresBeforeFirst >= 3) {
        again.stop()
        connection.value = 'closed'
        disconnected(() => true)
        unsent = []
        return
      }
      connection.value = everConnected ? 'lost' : 'connecting'
      again.later()
    })
  }

  /** The server says which run of the back end this is: calls may be sent. */
  function greeted(name: string): void {
    if (run.value !== '' && run.value !== name) {
      // They are about games that have other names now.
      unsent = []
      disconnected(() => true)
    }
    run.value = name
    connection.value = 'connected'
    for (const message of unsent) socket?.send(message.text)
    unsent = []
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
    if ('run' in message) {
      greeted(message.run)
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
    run,
    call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      return new Promise((resolve) => {
        if (connection.value === 'closed') {
          resolve({ status: 'error', error: { kind: 'disconnected' } })
          return
        }
        const id = ++lastId
        const text = JSON.stringify({ id, command: name, args })
        waiting.set(id, { name, resolve: resolve as (answer: Answer<never>) => void })
        if (socket?.readyState === 1 && connection.value === 'connected') socket.send(text)
        else unsent.push({ id, text })
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    chooseRecords: options => chooseInBrowser(options, reader),
    chooseRuntime: () => Promise.resolve(undefined),
    chooseSavePath: () => Promise.resolve(undefined),
    chooseBackup: () => Promise.resolve(undefined),
    onDrop: handler => dropInBrowser(handler, reader),
    onUnread(listener) {
      unreadListeners.add(listener)
      return () => unreadListeners.delete(listener)
    },
    onReading(listener) {
      readingListeners.add(listener)
      return () => readingListeners.delete(listener)
    },
    onLeave: leaveInBrowser,
    setTitle(title) { document.title = title },
    fullScreen: browserFullScreen(),
    notifier: browserNotifier(),
  }
}
