import type { ClubFacts, LessonRequest, RoomMessage, RoomRequest, RouteFailed, RouteRefusal, Routes, Tournament, TournamentNews } from './clubBindings'
import { reopening } from './reopening'

/** The other side of a server with rooms. What is asked, answered and sent is in `clubBindings.ts`, which is made from the server's own types. */

/** Why something was refused, or that nobody answered. */
export interface ClubFailure extends Readonly<RouteRefusal> {
  /** Seconds to wait before it may be tried again. */
  readonly retryAfter?: number | undefined
  /** How HTTP has it; undefined where no answer came. */
  readonly status?: number | undefined
}

export type ClubAnswer<T> = { status: 'ok', data: T } | { status: 'error', error: ClubFailure }

/** A method and a path of the server. */
export type Route = keyof Routes
type Parts<R extends Route> = Omit<Routes[R], 'answer'>
/** What is asked with a route: the parameters of its path, its query and its body, as far as it has them. */
export type Asked<R extends Route> = Partial<Parts<R>> extends Parts<R> ? [asked?: Parts<R>] : [asked: Parts<R>]
export type Answered<R extends Route> = ClubAnswer<Routes[R]['answer']>

export type RoomLink = 'connecting' | 'connected' | 'lost' | 'closed'

export interface RoomListener {
  /** The first one says whether it is a room or a lesson. */
  message(message: RoomMessage): void
  /** `closed` is for good: the room is not there, or the person may not come in. */
  link(link: RoomLink): void
}

/** An open connection to a room, which is opened again by itself. */
export interface RoomConnection {
  /** Sends something; false while there is no connection: then it is not sent later either. */
  send(request: RoomRequest | LessonRequest): boolean
  close(): void
}

/** Sockets of a room that are refused one after the other before the server is asked whether the token is good. */
const MAX_REFUSALS = 5

/** Opens a room by its number, or one's own against an engine. `token` is asked for each time: another password brings another one. */
export function openRoom(room: string, options: { token: () => string, watch: boolean, listener: RoomListener, connect?: (url: string) => WebSocket }): RoomConnection {
  const { token, watch, listener, connect = url => new WebSocket(url) } = options
  let socket: WebSocket | undefined
  let seq: number | undefined
  let ended = false
  let failures = 0

  const again = reopening({
    socket: () => socket,
    open,
    ask(asked) { asked.send(JSON.stringify({ type: 'sync', after: seq ?? null })) },
    lost() {
      socket = undefined
      listener.link('lost')
    },
  })

  function address(): string {
    const url = new URL(`/ws/${encodeURIComponent(room)}`, window.location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    url.search = ''
    url.hash = ''
    url.searchParams.set('token', token())
    if (watch) url.searchParams.set('watch', 'true')
    if (seq !== undefined) url.searchParams.set('after', String(seq))
    return url.href
  }

  function open(): void {
    const mine = connect(address())
    let opened = false
    let entered = false
    socket = mine
    mine.addEventListener('open', () => { opened = true })
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      again.heard()
      const message = parsed(event.data)
      if (!message) return
      if (message.type === 'error' && message.seq === 0 && !entered) {
        // The door stays closed; the server closes the connection after it.
        finish()
        listener.message(message)
        return
      }
      entered = true
      failures = 0
      again.settled()
      if (message.type !== 'error' && message.type !== 'ack') seq = message.seq
      listener.message(message)
      listener.link('connected')
    })
    mine.addEventListener('close', () => {
      if (socket !== mine) return
      socket = undefined
      if (ended) return
      if (!opened) failures++
      if (failures >= MAX_REFUSALS) void askWhy()
      else openLater()
    })
  }

  function openLater(): void {
    listener.link(seq === undefined ? 'connecting' : 'lost')
    again.later()
  }

  /** A browser does not tell a page why its socket was refused. A token that is void is for good, a server that starts is not. */
  async function askWhy(): Promise<void> {
    const used = token()
    const answer = await askClub('GET /api/me', used)
    if (ended) return
    if (answer.status === 'error' && answer.error.kind === 'unauthorized' && used === token()) return finish()
    failures = 0
    openLater()
  }

  function finish(): void {
    ended = true
    again.stop()
    listener.link('closed')
  }

  function parsed(data: unknown): RoomMessage | undefined {
    try {
      return JSON.parse(String(data)) as RoomMessage
    } catch {
      return undefined
    }
  }

  listener.link('connecting')
  open()
  return {
    send(request) {
      if (socket?.readyState !== 1) return false
      socket.send(JSON.stringify(request))
      return true
    },
    close() {
      ended = true
      again.stop()
      socket?.close()
    },
  }
}

/** Looks at a tournament, which is told whole with every change, until that is closed. A lost connection is opened again. */
export function watchTournament(id: number, options: { token: () => string, hear: (tournament: Tournament) => void, link: (connected: boolean) => void, connect?: (url: string) => WebSocket }): { close(): void } {
  const { token, hear, link, connect = url => new WebSocket(url) } = options
  let socket: WebSocket | undefined
  let ended = false

  const again = reopening({
    socket: () => socket,
    open,
    // Whatever is sent is answered by the tournament.
    ask(asked) { asked.send(JSON.stringify({ type: 'sync' })) },
    lost() {
      socket = undefined
      link(false)
    },
  })

  function address(): string {
    const url = new URL(`/ws/tournaments/${id}`, window.location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    url.search = ''
    url.hash = ''
    url.searchParams.set('token', token())
    return url.href
  }

  function open(): void {
    const mine = connect(address())
    socket = mine
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      again.heard()
      again.settled()
      try {
        const news = JSON.parse(String(event.data)) as TournamentNews
        if (news.type !== 'tournament') return
        hear(news.tournament)
        link(true)
      } catch {
        // What is no news of a tournament is passed over.
      }
    })
    mine.addEventListener('close', () => {
      if (socket !== mine) return
      socket = undefined
      if (ended) return
      link(false)
      again.later()
    })
  }

  open()
  return {
    close() {
      ended = true
      again.stop()
      socket?.close()
    },
  }
}

/** Asks the server that sent this page. */
export async function askClub<R extends Route>(route: R, token: string | undefined, ...[asked]: Asked<R>): Promise<Answered<R>> {
  const { params = {}, query = {}, body } = (asked ?? {}) as { params?: Record<string, string | number>, query?: Record<string, unknown>, body?: unknown }
  const [method = '', path = ''] = route.split(' ')
  const headers: Record<string, string> = {}
  if (token) headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response: Response
  let text: string
  try {
    response = await fetch(addressOf(path, params, query), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    text = await response.text()
  } catch {
    return { status: 'error', error: { kind: 'disconnected', message: '' } }
  }
  let answer: unknown = null
  try {
    answer = text === '' ? null : JSON.parse(text)
  } catch {
    if (response.ok) return { status: 'ok', data: text as Routes[R]['answer'] }
  }
  if (response.ok) return { status: 'ok', data: answer as Routes[R]['answer'] }
  // A proxy on the way answers otherwise.
  const { kind = 'refused', message = '' } = (answer as Partial<RouteFailed> | null)?.error ?? {} as Partial<RouteRefusal>
  const after = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return { status: 'error', error: { kind, message, status: response.status, retryAfter: Number.isFinite(after) ? after : undefined } }
}

function addressOf(path: string, params: Readonly<Record<string, string | number>>, query: Readonly<Record<string, unknown>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const said = Object.entries(query).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)])
  return said.length === 0 ? filled : `${filled}?${new URLSearchParams(said)}`
}

/** Whether the server that sent this page has rooms; undefined where it has none. */
export async function clubFacts(): Promise<ClubFacts | undefined> {
  if ('__TAURI_INTERNALS__' in window) return undefined
  const answer = await askClub('GET /api/server', undefined)
  // A server without rooms has another answer there, or a page.
  return answer.status === 'ok' && typeof answer.data === 'object' && 'registration' in answer.data ? answer.data : undefined
}

/** Where the rooms are in this page's address. */
export const CLUB_HASH = '#/rooms'
/** Where somebody with an account has a window of their own. */
export const BOARD_HASH = '#/board'

/** What a page of this address is. Pages of different kinds have nothing in common. */
export function pageKind(hash: string): 'rooms' | 'board' | 'window' {
  if (hash.startsWith(CLUB_HASH)) return 'rooms'
  return hash.startsWith(BOARD_HASH) ? 'board' : 'window'
}

/**
 * Whether this page is the club's: it was asked for, or nobody here has the token of the window.
 */
export async function isClubPage(hasToken: () => boolean): Promise<ClubFacts | undefined> {
  if ('__TAURI_INTERNALS__' in window) return undefined
  return pageKind(window.location.hash) === 'rooms' || !hasToken() ? await clubFacts() : undefined
}
