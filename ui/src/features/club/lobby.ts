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
    if (answer.status === 'error') return
    games.value = [...games.value, ...answer.data.games]
    moreGames.value = answer.data.games.length === PAGE
  }

  /** What a new room can be on a board and by its rules. */
  async function offer({ width, height, topology, rules, handicap }: Pick<RoomTerms, 'width' | 'height' | 'topology' | 'rules' | 'handicap'>): Promise<RoomOffer | undefined> {
    const answer = await club.ask('GET /api/offer', { query: { width, height, topology, ...(rules && { rules }), handicap } })
    return answer.status === 'ok' ? answer.data : undefined
  }

  /** Makes a room, or invites somebody into a new one; answers its number. */
  async function create(wanted: NewRoom, guest?: string): Promise<string | undefined> {
    const answer = guest === undefined
      ? await club.ask('POST /api/generate-room', { body: wanted })
      : await club.ask('POST /api/invite', { body: { username: guest, room: { ...wanted, opponent: null } } })
    if (answer.status === 'ok') return answer.data.room_id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Makes a lesson; answers its number. */
  async function createLesson(wanted: NewLesson): Promise<string | undefined> {
    const answer = await club.ask('POST /api/lessons', { body: wanted })
    if (answer.status === 'ok') return answer.data.room_id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Makes a tournament; answers its number. */
  async function createTournament(wanted: TournamentTerms): Promise<number | undefined> {
    const answer = await club.ask('POST /api/tournaments', { body: wanted })
    if (answer.status === 'ok') return answer.data.id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

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

  return { rooms, users, lessons, records, loadRecords, createLesson, tournaments, createTournament, invitations, games, moreGames, loaded, lost, look, watch, stop, loadGames, loadMoreGames, offer, create, invite, answerInvitation }
})
