import { WebSocket as Socket } from 'ws'
import { nextTick } from 'vue'
import type { Answer, Backend, CommandName, Commands, Failure } from '@/api'
import { createWebBackend } from '@/api/web'

// Taken before any test replaces them: the server's answers come in real time.
const realSetTimeout = globalThis.setTimeout
const realSetImmediate = globalThis.setImmediate
const realNow = Date.now.bind(Date)

/** How long a test waits for what must come. */
const PATIENCE_MS = 50_000

/** Lets everything run that is due, timers left out. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise<void>(resolve => realSetImmediate(resolve))
}

/** The browser's way to the back end, with faults that a test asks for. */
export interface Transport extends Backend {
  /** What was called, in order. */
  readonly calls: { name: CommandName, args: unknown }[]
  /** The arguments of the calls of one command. */
  asked<Name extends CommandName>(name: Name): Commands[Name][0][]
  /** Hears of each call before it is made. */
  onCall(listener: (name: CommandName) => void): void
  /** Waits until every call is answered and what was sent before it is heard. */
  settled(): Promise<void>
  /** Waits until something is so. */
  until(check: () => unknown): Promise<void>
  /** A command does not reach the back end from now on; without a failure it does again. */
  refuse(name: CommandName, failure?: Failure): void
  /** Answers of a command are slow: they wait until they are let go, the oldest, the newest or all from now on. */
  hold(name: CommandName): { release(): void, releaseOne(): void, releaseLast(): void, readonly waiting: number }
  /** Breaks the connection; the window connects again by itself. */
  drop(): void
  /** The window is gone for good. */
  end(): void
}

/** Opens a window's connection to an app of the test server. */
export function openTransport(appUrl: () => string): Transport {
  let ended = false
  let socket: Socket | undefined
  const backend = createWebBackend({
    url: () => '',
    connect() {
      // Nothing ever happens to a socket of a window that is gone.
      if (ended) return new EventTarget() as WebSocket
      const address = new URL('/api/ws', appUrl())
      address.protocol = 'ws:'
      address.search = new URL(appUrl()).search
      socket = new Socket(address, { perMessageDeflate: false })
      // A broken connection is known by its end.
      socket.on('error', () => undefined)
      return socket as unknown as WebSocket
    },
  })
  const calls: Transport['calls'] = []
  const refused = new Map<CommandName, Failure>()
  const held = new Map<CommandName, { asked: number, go(): void }[]>()
  const pending = new Set<Promise<unknown>>()
  const lookers = new Set<() => void>()
  const callListeners: ((name: CommandName) => void)[] = []
  const look = (): void => { for (const looker of lookers) looker() }
  backend.listen(() => look())

  async function call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
    const asked = calls.push({ name, args })
    for (const listener of callListeners) listener(name)
    const failure = refused.get(name)
    if (failure) return { status: 'error', error: failure }
    const asking = backend.call(name, args)
    pending.add(asking)
    const answer = await asking
    pending.delete(asking)
    const line = held.get(name)
    // Long commands are answered in any order; "the newest" is the one that was asked last.
    if (line) await new Promise<void>((resolve) => { line.push({ asked, go: resolve }); line.sort((a, b) => a.asked - b.asked); look() })
    look()
    return answer
  }

  async function settled(): Promise<void> {
    do {
      await turn()
      await Promise.all(pending)
      // Commands are answered in their order and events come between: what was sent before this question is heard now.
      await backend.call('library_history', {})
      await turn()
    } while (pending.size > 0)
  }

  async function until(check: () => unknown): Promise<void> {
    const deadline = realNow() + PATIENCE_MS
    while (!check()) {
      if (realNow() > deadline) throw new Error(`it never was so: ${check}`)
      await new Promise<void>((resolve) => {
        const seen = (): void => { lookers.delete(seen); resolve() }
        lookers.add(seen)
        // What a timer of the window does is not reported by the back end.
        realSetTimeout(seen, 20)
      })
      await turn()
    }
    // What is so has not been drawn yet where a report made it so just now.
    await nextTick()
  }

  return {
    ...backend,
    calls,
    asked: <Name extends CommandName>(name: Name) => calls.filter(made => made.name === name).map(made => made.args as Commands[Name][0]),
    call,
    onCall(listener) { callListeners.push(listener) },
    settled,
    until,
    refuse(name, failure) {
      if (failure) refused.set(name, failure)
      else refused.delete(name)
    },
    hold(name) {
      const line: { asked: number, go(): void }[] = []
      held.set(name, line)
      return {
        get waiting() { return line.length },
        releaseOne() { line.shift()?.go() },
        releaseLast() { line.pop()?.go() },
        release() {
          held.delete(name)
          for (const { go } of line.splice(0)) go()
        },
      }
    },
    drop: () => socket?.terminate(),
    end() {
      ended = true
      socket?.terminate()
    },
  }
}
