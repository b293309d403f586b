import type { BoardTopology } from './bindings'
import { reopening } from './reopening'

/** The other side of a server with rooms: people, rooms and what is sent in them. Names and fields are the server's own. */

/** Why something was refused: a stable name, and a sentence in English for those without words of their own. */
export interface ClubFailure {
  readonly kind: string
  readonly message: string
  /** Seconds to wait before it may be tried again. */
  readonly retryAfter?: number | undefined
  /** How HTTP has it; undefined where no answer came. */
  readonly status?: number | undefined
}

export type ClubAnswer<T> = { status: 'ok', data: T } | { status: 'error', error: ClubFailure }

export interface ClubFacts {
  readonly guests: boolean
  readonly registration: 'open' | 'invitation'
  /** Everybody with an account has a window of their own, with a library. */
  readonly boards: boolean
  /** The OpenID Connect provider by which people log in, as it stands on the button. */
  readonly provider?: string
}
/** Who may come in. */
export type ServerPolicy = Pick<ClubFacts, 'guests' | 'registration'>
/** What one person, or one address within five minutes, may do. */
export interface ServerLimits {
  readonly rooms_of_one: number
  readonly log_ins_of_name: number
  readonly log_ins_of_address: number
  readonly new_of_address: number
}
/** How a server stands, for whoever runs it. */
export interface ServerOverview extends ServerPolicy {
  readonly limits: ServerLimits
  readonly version: string
  readonly people_online: number
  readonly connections: number
  readonly max_connections: number
  readonly waiting: number
  readonly playing: number
  readonly counting: number
  readonly adjourned: number
  readonly lessons: number
  readonly engines_thinking: number
  readonly engines_at_a_time: number
  /** Moves that a substitute made for an engine that failed. */
  readonly engine_stand_ins: number
  readonly engines: readonly string[]
}
/** A room as the operator sees it; closed by its key, as rooms against one engine have one name. */
export interface ServerRoom extends ListedRoom { readonly key: string }
/** Somebody with an account, or a guest. */
export interface ServerPerson extends ClubPerson {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly created: number
  readonly games: number
  readonly online: boolean
}
export interface ClubPerson { readonly username: string, readonly guest: boolean }
/** Whose token this is, and whether it is an operator's, too. */
export interface ClubMe extends ClubPerson { readonly operator?: boolean }
export interface ClubEntered extends ClubMe { readonly token: string }
/** How somebody can log in. */
export interface ClubLinks {
  readonly password: boolean
  readonly linked: boolean
  /** This person came in by the provider, and can log out there, too. */
  readonly log_out_there: boolean
}
export interface ClubUser extends ClubPerson { readonly rooms: number, readonly ratings: readonly ClubRating[] }
/** A rating on boards of one size. */
export interface ClubRating {
  readonly width: number
  readonly height: number
  readonly rating: number
  /** The strength is within twice this much, with 95 %. */
  readonly deviation: number
  readonly games: number
  /** It says little yet. */
  readonly provisional: boolean
}

export type RoomTime =
  | { readonly kind: 'absolute', readonly main_seconds: number }
  | { readonly kind: 'fischer', readonly main_seconds: number, readonly increment_seconds: number }
  | { readonly kind: 'byo_yomi', readonly main_seconds: number, readonly period_seconds: number, readonly periods: number }
  | { readonly kind: 'canadian', readonly main_seconds: number, readonly period_seconds: number, readonly stones: number }

export interface RoomTerms {
  readonly width: number
  readonly height: number
  readonly topology: BoardTopology
  readonly rules: string
  readonly komi: number | null
  readonly handicap: number
  readonly time: RoomTime | null
  /** The result counts for ratings. */
  readonly rated?: boolean
  /** Those who watch see everything so much later. */
  readonly delay_seconds?: number
}

/** What somebody wants of a new room. */
export interface WantedRoom {
  readonly terms: RoomTerms
  readonly color: 'black' | 'white' | null
  readonly opponent: string | null
  readonly listed: boolean
}

/** What a new room can be. */
export interface RoomOffer {
  readonly sizes: readonly number[]
  readonly smallest_side: number
  readonly largest_side: number
  readonly rulesets: readonly string[]
  readonly komi: number
  readonly handicaps: readonly number[]
  readonly engines: readonly string[]
}

export type RoomStage = 'waiting' | 'playing' | 'counting' | 'adjourned' | 'over'

export interface ListedRoom {
  readonly room_id: string
  readonly stage: RoomStage
  readonly terms: RoomTerms
  readonly black: string | null
  readonly white: string | null
  readonly black_online: boolean
  readonly white_online: boolean
  readonly black_engine: boolean
  readonly white_engine: boolean
  readonly moves: number
  readonly spectators: number
  readonly open_seat: boolean
}

export interface ClubInvitation {
  readonly room_id: string
  readonly from: string
  readonly lesson: boolean
  /** What is played; nothing in a lesson. */
  readonly terms: RoomTerms | null
}

export interface ListedLesson { readonly room_id: string, readonly title: string, readonly teacher: string, readonly online: number }

/** A lesson that has ended. */
export interface LessonRecord {
  readonly id: number
  readonly title: string
  readonly teacher: string
  readonly moves: number
  /** Milliseconds since 1970. */
  readonly ended: number
}

/** What somebody wants of a new lesson: an empty board, a finished game or a record. */
export interface WantedLesson {
  readonly title: string
  readonly terms?: Partial<RoomTerms>
  readonly game?: number
  readonly sgf?: string
  /** The bytes of a file: the server finds its character set. */
  readonly sgf_base64?: string
  readonly listed: boolean
  readonly audience: boolean
}

export interface ClubGame {
  readonly id: number
  readonly black: string
  readonly white: string
  readonly width: number
  readonly height: number
  readonly moves: number
  readonly result: string
  /** Milliseconds since 1970. */
  readonly ended: number
}

export interface GamePositions {
  readonly width: number
  readonly height: number
  readonly topology: BoardTopology
  readonly rules: string
  readonly komi: number
  readonly positions: readonly { readonly stones: string, readonly last_move: readonly [number, number] | null, readonly moved: RoomColor | null }[]
}

/** 1 is Black, 2 is White. */
export type RoomColor = 1 | 2

export interface RoomTimeLeft {
  readonly main_seconds: number
  readonly period_seconds: number | null
  readonly periods: number
  readonly stones: number
}

export interface RoomState {
  /** Rows from the top: 0 empty, 1 black, 2 white. */
  readonly board: readonly (readonly number[])[]
  readonly turn: RoomColor
  readonly winner: RoomColor | null
  readonly final_score: { readonly black: number, readonly white: number } | null
  readonly black_captured: number
  readonly white_captured: number
  readonly current_move_number: number
  readonly ai_enabled: boolean
  readonly ai_color: RoomColor | null
  readonly ai_difficulty: string | null
  readonly stage: RoomStage
  /** As SGF writes it. */
  readonly result: string | null
  readonly topology: BoardTopology
  readonly rules: string
  readonly komi: number
  readonly handicap: number
  readonly time: RoomTime | null
  readonly rated: boolean
  readonly delay_seconds: number
  readonly last_move: readonly [number, number] | null
  readonly players: readonly [RoomPlayer | null, RoomPlayer | null]
  readonly clock: { readonly black: RoomTimeLeft, readonly white: RoomTimeLeft, readonly running: RoomColor | null } | null
  /** Either player may still end the game without a result. */
  readonly may_cancel: boolean
  readonly undo_asked: RoomColor | null
  readonly adjourn_asked: RoomColor | null
  readonly ready: readonly RoomColor[]
  /** Seconds until the player who is here may claim an adjourned game without clocks, as the other one is away. */
  readonly claimable_in_seconds: number | null
  readonly counting: {
    readonly dead: readonly (readonly [number, number])[]
    readonly revision: number
    /** It is as the engine proposes it. */
    readonly proposed: boolean
    readonly agreed: readonly RoomColor[]
    /** Seconds until the game is settled by it, as one player agrees and the other is away. */
    readonly settled_in_seconds: number | null
    readonly score: { readonly black: number, readonly white: number }
  } | null
  readonly chat_on: boolean
  readonly spectators: number
}

export interface RoomPlayer { readonly name: string, readonly engine: boolean, readonly online: boolean }
export interface ChatLine { readonly name: string, readonly text: string }

export type RoomEvent =
  | { readonly kind: 'move', readonly color: RoomColor, readonly x: number, readonly y: number, readonly number: number }
  | { readonly kind: 'pass', readonly color: RoomColor, readonly number: number }
  | { readonly kind: 'seated', readonly color: RoomColor, readonly name: string }
  | { readonly kind: 'presence', readonly color: RoomColor, readonly online: boolean }
  | { readonly kind: 'left' | 'undo_asked' | 'undo_refused' | 'agreed' | 'adjourn_asked' | 'adjourn_refused' | 'ready', readonly color: RoomColor }
  | { readonly kind: 'declined', readonly name: string }
  | { readonly kind: 'undone', readonly moves: number }
  | { readonly kind: 'adjourned', readonly away: boolean }
  | { readonly kind: 'over', readonly result: string }
  | ({ readonly kind: 'chat' } & ChatLine)
  | { readonly kind: 'chat_switched', readonly on: boolean }
  | { readonly kind: 'started' | 'counting' | 'marked' | 'play_resumed' | 'continued' | 'engine_busy' | 'engine_stood_in' }

interface MessageHead { readonly version: number, readonly room: string, readonly seq: number }
export type RoomMessage = MessageHead & (
  | { readonly type: 'game_start' | 'state_update' | 'game_over', readonly events: readonly RoomEvent[], readonly state: RoomState, readonly chat?: readonly ChatLine[] }
  | { readonly type: 'chat', readonly events: readonly RoomEvent[] }
  | { readonly type: 'ack', readonly id: number }
  | { readonly type: 'error', readonly kind: string, readonly message: string, readonly id?: number }
)

/** What is sent to a room. */
export type RoomRequest =
  | { readonly type: 'move', readonly x: number, readonly y: number, readonly number: number }
  | { readonly type: 'pass', readonly number: number }
  | { readonly type: 'resign' | 'undo' | 'resume_play' | 'adjourn' | 'continue' | 'leave' | 'cancel' | 'claim' }
  | { readonly type: 'undo_answer' | 'adjourn_answer', readonly granted: boolean }
  | { readonly type: 'mark', readonly x: number, readonly y: number }
  | { readonly type: 'agree', readonly revision: number }
  | { readonly type: 'chat', readonly text: string }
  | { readonly type: 'chat_switch', readonly on: boolean }
  | { readonly type: 'sync', readonly after: number | null }

export type LessonRole = 'teacher' | 'student' | 'audience'
export type LessonShape = 'triangle' | 'square' | 'circle' | 'cross'

export interface LessonState {
  readonly title: string
  readonly teacher: string
  readonly players: readonly [string, string]
  /** Rows from the top: 0 empty, 1 black, 2 white. */
  readonly board: readonly (readonly number[])[]
  readonly turn: RoomColor
  readonly topology: BoardTopology
  readonly rules: string
  readonly komi: number
  readonly move_number: number
  /** Moves that follow along the first continuations. */
  readonly moves_ahead: number
  readonly last_move: readonly [number, number] | null
  readonly continuations: readonly { readonly x?: number, readonly y?: number }[]
  /** Which of the moves in this place the last one is, from 0, and how many there are. */
  readonly variation: readonly [number, number]
  /** Which node of the record this is. */
  readonly node: number
  readonly comment: string
  readonly marks: readonly { readonly x: number, readonly y: number, readonly shape?: LessonShape, readonly label?: string }[]
  readonly pointer: readonly [number, number] | null
  readonly engine: boolean
  readonly opinion: LessonOpinion | null
  readonly people: readonly { readonly name: string, readonly role: LessonRole, readonly online: boolean }[]
  readonly offers: readonly { readonly name: string, readonly after_move: number, readonly moves: number }[]
  readonly newcomers: LessonRole
  readonly chat_on: boolean
  readonly over: boolean
}

/** The engine's opinion, from Black's side. */
export interface LessonOpinion {
  readonly black_win_prob: number
  readonly black_lead: number
  readonly visits: number
  readonly candidates: readonly { readonly x?: number, readonly y?: number, readonly black_win_prob: number, readonly black_lead: number, readonly visits: number }[]
}

/** Moves that somebody tries alone. */
export interface OwnBoard {
  readonly board: readonly (readonly number[])[]
  readonly turn: RoomColor
  readonly last_move: readonly [number, number] | null
  readonly after_move: number
  readonly moves: number
}

export type LessonEvent =
  | { readonly kind: 'came', readonly name: string, readonly role: LessonRole }
  | { readonly kind: 'went' | 'offer_shown', readonly name: string }
  | { readonly kind: 'role_given', readonly name: string, readonly role: LessonRole }
  | { readonly kind: 'offered', readonly name: string, readonly moves: number }
  | { readonly kind: 'engine_shown' | 'chat_switched', readonly on: boolean }
  | { readonly kind: 'finished' }

export type LessonMessage = MessageHead & (
  | { readonly type: 'lesson_state', readonly events: readonly LessonEvent[], readonly state: LessonState, readonly chat?: readonly ChatLine[] }
  | { readonly type: 'lesson_pointer', readonly point: readonly [number, number] | null }
  | { readonly type: 'own_board', readonly own: OwnBoard | null }
)

/** What is sent to a lesson. */
export type LessonRequest =
  | { readonly type: 'play', readonly x: number, readonly y: number }
  | { readonly type: 'pass' | 'remove' | 'try_back' | 'follow' | 'offer' | 'withdraw' | 'finish' }
  | { readonly type: 'step' | 'sibling', readonly by: number }
  | { readonly type: 'enter', readonly index: number }
  | { readonly type: 'point' | 'try', readonly x?: number, readonly y?: number }
  | { readonly type: 'mark', readonly x: number, readonly y: number, readonly shape: LessonShape }
  | { readonly type: 'comment', readonly text: string, readonly node?: number | undefined }
  | { readonly type: 'chat', readonly text: string }
  | { readonly type: 'engine' | 'chat_switch', readonly on: boolean }
  | { readonly type: 'role', readonly name: string, readonly role: LessonRole }
  | { readonly type: 'newcomers', readonly role: LessonRole }
  | { readonly type: 'show_offer' | 'dismiss_offer', readonly name: string }

export type TournamentSystem = 'swiss' | 'mc_mahon' | 'round_robin'
export type TournamentStage = 'open' | 'running' | 'over'
export type PairingResult = 'black' | 'white' | 'draw' | 'both_lost'
export type Attendance = 'here' | 'absent' | 'gone'

/** What somebody wants of a new tournament. */
export interface WantedTournament {
  readonly title: string
  readonly system: TournamentSystem
  /** Five, or as many as there can be without a rematch, where it is not said. */
  readonly rounds: number | null
  readonly bar: string | null
  /** Stones fewer than points apart; all games are even without it. */
  readonly handicap_less: number | null
  readonly terms: Partial<RoomTerms>
}

export interface ListedTournament {
  readonly id: number
  readonly title: string
  readonly system: TournamentSystem
  readonly stage: TournamentStage
  readonly organiser: string
  readonly players: number
  /** Rounds that have been paired. */
  readonly round: number
  readonly planned: number
  readonly joined: boolean
}

export interface TournamentRowRound {
  readonly opponent: number | null
  readonly color: RoomColor | null
  readonly result: 'open' | 'won' | 'lost' | 'drawn' | 'bye' | 'absent'
}

export interface TournamentRow {
  readonly player: number
  readonly name: string
  readonly rank: string
  readonly attendance: Attendance
  readonly place: number
  readonly start: number
  readonly score: number
  readonly sos: number
  readonly sodos: number
  readonly rounds: readonly TournamentRowRound[]
}

export interface TournamentGame {
  readonly black: number
  readonly white: number
  /** Empty where nobody plays. */
  readonly room: string
  readonly result: PairingResult | null
  /** Stones; 1 is the first move without komi. */
  readonly handicap: number
  /** The two have met before. */
  readonly rematch: boolean
}

/** A tournament. Players are numbers, in the order they came. */
export interface Tournament {
  readonly id: number
  readonly title: string
  readonly system: TournamentSystem
  readonly stage: TournamentStage
  readonly organiser: string
  /** Whether this person may do what the organiser may. */
  readonly organises: boolean
  /** This person's number. */
  readonly you: number | null
  readonly planned: number
  /** Rounds altogether in which nobody has to meet anybody again. */
  readonly without_rematch: number
  readonly bar: string | null
  readonly handicap_less: number | null
  readonly terms: RoomTerms
  readonly can_pair: boolean
  /** The last pairing can be taken back, as far as results go. */
  readonly can_take_back: boolean
  /** Best first. */
  readonly table: readonly TournamentRow[]
  readonly rounds: readonly { readonly games: readonly TournamentGame[], readonly bye: number | null }[]
}

export type RoomLink = 'connecting' | 'connected' | 'lost' | 'closed'

export interface RoomListener {
  /** The first one says whether it is a room or a lesson. */
  message(message: RoomMessage | LessonMessage): void
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

/** Opens a room by its number, or one's own against an engine. */
export function openRoom(room: string, options: { token: string, watch: boolean, listener: RoomListener, connect?: (url: string) => WebSocket }): RoomConnection {
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
    url.searchParams.set('token', token)
    if (watch) url.searchParams.set('watch', 'true')
    if (seq !== undefined) url.searchParams.set('after', String(seq))
    return url.href
  }

  function open(): void {
    const mine = connect(address())
    let opened = false
    socket = mine
    mine.addEventListener('open', () => { opened = true })
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      again.heard()
      const message = parsed(event.data)
      if (!message) return
      if (message.type === 'error' && message.seq === 0) {
        // The door stays closed; the server closes the connection after it.
        finish()
        listener.message(message)
        return
      }
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
      if (failures >= MAX_REFUSALS && seq === undefined) void askWhy()
      else openLater()
    })
  }

  function openLater(): void {
    listener.link(seq === undefined ? 'connecting' : 'lost')
    again.later()
  }

  /** A browser does not tell a page why its socket was refused. A token that is void is for good, a server that starts is not. */
  async function askWhy(): Promise<void> {
    const answer = await askClub<ClubMe>('GET', '/api/me', { token })
    if (ended) return
    if (answer.status === 'error' && answer.error.kind === 'unauthorized') return finish()
    failures = 0
    openLater()
  }

  function finish(): void {
    ended = true
    again.stop()
    listener.link('closed')
  }

  function parsed(data: unknown): RoomMessage | LessonMessage | undefined {
    try {
      return JSON.parse(String(data)) as RoomMessage | LessonMessage
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
export function watchTournament(id: number, options: { token: string, hear: (tournament: Tournament) => void, link: (connected: boolean) => void, connect?: (url: string) => WebSocket }): { close(): void } {
  const { token, hear, link, connect = url => new WebSocket(url) } = options
  const url = new URL(`/ws/tournaments/${id}`, window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = ''
  url.hash = ''
  url.searchParams.set('token', token)
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

  function open(): void {
    const mine = connect(url.href)
    socket = mine
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      again.heard()
      again.settled()
      try {
        const news = JSON.parse(String(event.data)) as { type: string, tournament: Tournament }
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
export async function askClub<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, { token, body }: { token?: string | undefined, body?: unknown } = {}): Promise<ClubAnswer<T>> {
  const headers: Record<string, string> = {}
  if (token) headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response: Response
  let text: string
  try {
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    text = await response.text()
  } catch {
    return { status: 'error', error: { kind: 'disconnected', message: '' } }
  }
  let answer: unknown = null
  try {
    answer = text === '' ? null : JSON.parse(text)
  } catch {
    if (response.ok) return { status: 'ok', data: text as T }
  }
  if (response.ok) return { status: 'ok', data: answer as T }
  const { kind = 'refused', message = '' } = (answer as { error?: Partial<ClubFailure> } | null)?.error ?? {}
  const after = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return { status: 'error', error: { kind, message, status: response.status, retryAfter: Number.isFinite(after) ? after : undefined } }
}

/** Whether the server that sent this page has rooms; undefined where it has none. */
export async function clubFacts(): Promise<ClubFacts | undefined> {
  if ('__TAURI_INTERNALS__' in window) return undefined
  const answer = await askClub<ClubFacts | { readonly rooms: false } | string>('GET', '/api/server')
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
