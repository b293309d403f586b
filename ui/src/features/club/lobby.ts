import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ClubAnswer, ClubInvitation, ClubUser, FinishedGame, Invitations, LessonRecord, ListedLesson, ListedRoom, ListedTournament, Lobby, NewLesson, NewRoom, RoomOffer, RoomTerms, TournamentTerms } from '@/api'
import { useNotices } from '@/features/notices'
import { failureWords } from './failure'
import { useClub } from './session'
import { invitationWords } from './terms'

/** How often the lobby is looked at: often where it is seen, now and then so that one stays online where it is not. */
const LOOK_MS = 3000
const ASIDE_MS = 15_000

/** What the server says of the lobby: all of it where it is on the screen, otherwise the invitations. */
type SeenLobby = Partial<Lobby> & Invitations

/** Who is here, which rooms there are, and what one is invited to. */
export const useLobby = defineStore('lobby', () => {
  const club = useClub()
  const notices = useNotices()
  const rooms = shallowRef<readonly ListedRoom[]>([])
  const users = shallowRef<readonly ClubUser[]>([])
  const invitations = shallowRef<readonly ClubInvitation[]>([])
  const games = shallowRef<readonly FinishedGame[]>([])
  const lessons = shallowRef<readonly ListedLesson[]>([])
  const tournaments = shallowRef<readonly ListedTournament[]>([])
  /** Lessons that one took part in, the newest. */
  const records = shallowRef<readonly LessonRecord[]>([])
  const moreGames = shallowRef(false)
  const loaded = shallowRef(false)
  const lost = shallowRef(false)
  /** A room, a lesson or a tournament is being made. */
  const making = shallowRef(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let watched = false
  let looking = 0
  const PAGE = 50

  async function look(): Promise<void> {
    const ticket = ++looking
    clearTimeout(timer)
    const whole = watched
    const answer: ClubAnswer<SeenLobby> = await club.ask(whole ? 'GET /api/lobby' : 'GET /api/invitations')
    if (ticket !== looking) return
    lost.value = answer.status === 'error' && answer.error.kind === 'disconnected'
    if (answer.status === 'ok') {
      const seen = answer.data
      if (seen.rooms) rooms.value = seen.rooms
      if (seen.lessons) lessons.value = seen.lessons
      if (seen.tournaments) tournaments.value = seen.tournaments
      if (seen.users) users.value = seen.users
      for (const one of seen.invitations) {
        if (!invitations.value.some(({ room_id }) => room_id === one.room_id)) notices.announce(invitationWords(one))
      }
      invitations.value = seen.invitations
    }
    if (whole) loaded.value = true
    if (club.known) timer = setTimeout(() => void look(), watched && document.visibilityState === 'visible' ? LOOK_MS : ASIDE_MS)
  }

  /** The lobby is on the screen, or it is not: then only invitations are looked for. */
  function watch(seen: boolean): void {
    watched = seen
    if (!seen) loaded.value = false
    void look()
  }

  function stop(): void {
    looking++
    clearTimeout(timer)
    rooms.value = []
    users.value = []
    invitations.value = []
    games.value = []
    lessons.value = []
    tournaments.value = []
    records.value = []
    loaded.value = false
  }

  async function loadRecords(): Promise<void> {
    const answer = await club.ask('GET /api/lesson-records', { query: { limit: PAGE } })
    if (answer.status === 'ok') records.value = answer.data.records
  }
  async function loadGames(): Promise<void> {
    const answer = await club.ask('GET /api/games', { query: { limit: PAGE } })
    if (answer.status === 'error') return
    games.value = answer.data.games
    moreGames.value = answer.data.games.length === PAGE
  }
  async function loadMoreGames(): Promise<void> {
    const last = games.value.at(-1)
    if (!last) return
    const answer = await club.ask('GET /api/games', { query: { limit: PAGE, before: last.id } })
    // The list may have been asked for anew, or gone on by an earlier press.
    if (answer.status === 'error' || games.value.at(-1) !== last) return
    games.value = [...games.value, ...answer.data.games]
    moreGames.value = answer.data.games.length === PAGE
  }

  /** What a new room can be on a board and by its rules. */
  async function offer({ width, height, topology, rules, handicap }: Pick<RoomTerms, 'width' | 'height' | 'topology' | 'rules' | 'handicap'>): Promise<RoomOffer | undefined> {
    const answer = await club.ask('GET /api/offer', { query: { width, height, topology, ...(rules && { rules }), handicap } })
    return answer.status === 'ok' ? answer.data : undefined
  }

  /** Makes something unless something is being made: pressing once more is not asking for another one. */
  async function make<T>(ask: () => Promise<ClubAnswer<T>>): Promise<T | undefined> {
    if (making.value) return undefined
    making.value = true
    const answer = await ask()
    making.value = false
    if (answer.status === 'ok') return answer.data
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Makes a room, or invites somebody into a new one; answers its number. */
  async function create(wanted: NewRoom, guest?: string): Promise<string | undefined> {
    const made = await make<{ room_id: string }>(() => guest === undefined
      ? club.ask('POST /api/generate-room', { body: wanted })
      : club.ask('POST /api/invite', { body: { username: guest, room: { ...wanted, opponent: null } } }))
    return made?.room_id
  }

  /** Makes a lesson; answers its number. */
  const createLesson = async (wanted: NewLesson): Promise<string | undefined> => (await make(() => club.ask('POST /api/lessons', { body: wanted })))?.room_id

  /** Makes a tournament; answers its number. */
  const createTournament = async (wanted: TournamentTerms): Promise<number | undefined> => (await make(() => club.ask('POST /api/tournaments', { body: wanted })))?.id

  /** Invites somebody into a room of one's own. */
  async function invite(room: string, username: string): Promise<boolean> {
    const answer = await club.ask('POST /api/invite', { body: { username, room_id: room } })
    if (answer.status === 'error') notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.status === 'ok'
  }

  async function answerInvitation(room: string, accepted: boolean): Promise<boolean> {
    const answer = await club.ask(accepted ? 'POST /api/accept-invitation' : 'POST /api/decline-invitation', { body: { room_id: room } })
    invitations.value = invitations.value.filter(one => one.room_id !== room)
    if (answer.status === 'error') notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.status === 'ok'
  }

  return { rooms, users, lessons, records, loadRecords, createLesson, tournaments, createTournament, invitations, games, moreGames, loaded, lost, making, look, watch, stop, loadGames, loadMoreGames, offer, create, invite, answerInvitation }
})
