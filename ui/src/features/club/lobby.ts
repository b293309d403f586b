import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ClubGame, ClubInvitation, ClubUser, LessonRecord, ListedLesson, ListedRoom, ListedTournament, RoomOffer, RoomTerms, WantedLesson, WantedRoom, WantedTournament } from '@/api'
import { useNotices } from '@/features/notices'
import { failureWords } from './failure'
import { useClub } from './session'
import { invitationWords } from './terms'

/** How often the lobby is looked at: often where it is seen, now and then so that one stays online where it is not. */
const LOOK_MS = 3000
const ASIDE_MS = 15_000

/** What the server says of the lobby: all of it where it is on the screen, otherwise the invitations. */
interface SeenLobby {
  readonly rooms?: readonly ListedRoom[]
  readonly lessons?: readonly ListedLesson[]
  readonly tournaments?: readonly ListedTournament[]
  readonly users?: readonly ClubUser[]
  readonly invitations: readonly ClubInvitation[]
}

/** Who is here, which rooms there are, and what one is invited to. */
export const useLobby = defineStore('lobby', () => {
  const club = useClub()
  const notices = useNotices()
  const rooms = shallowRef<readonly ListedRoom[]>([])
  const users = shallowRef<readonly ClubUser[]>([])
  const invitations = shallowRef<readonly ClubInvitation[]>([])
  const games = shallowRef<readonly ClubGame[]>([])
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
    const answer = await club.ask<SeenLobby>('GET', whole ? '/api/lobby' : '/api/invitations')
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
    const answer = await club.ask<{ records: LessonRecord[] }>('GET', `/api/lesson-records?limit=${PAGE}`)
    if (answer.status === 'ok') records.value = answer.data.records
  }
  async function loadGames(): Promise<void> {
    const answer = await club.ask<{ games: ClubGame[] }>('GET', `/api/games?limit=${PAGE}`)
    if (answer.status === 'error') return
    games.value = answer.data.games
    moreGames.value = answer.data.games.length === PAGE
  }
  async function loadMoreGames(): Promise<void> {
    const last = games.value.at(-1)
    if (!last) return
    const answer = await club.ask<{ games: ClubGame[] }>('GET', `/api/games?limit=${PAGE}&before=${last.id}`)
    if (answer.status === 'error') return
    games.value = [...games.value, ...answer.data.games]
    moreGames.value = answer.data.games.length === PAGE
  }

  /** What a new room can be on a board and by its rules. */
  async function offer(terms: RoomTerms): Promise<RoomOffer | undefined> {
    const { width, height, topology, rules, handicap } = terms
    const query = new URLSearchParams({ width: String(width), height: String(height), topology, ...(rules && { rules }), handicap: String(handicap) })
    const answer = await club.ask<RoomOffer>('GET', `/api/offer?${query.toString()}`)
    return answer.status === 'ok' ? answer.data : undefined
  }

  /** Makes a room, or invites somebody into a new one; answers its number. */
  async function create(wanted: WantedRoom, guest?: string): Promise<string | undefined> {
    const answer = guest === undefined
      ? await club.ask<{ room_id: string }>('POST', '/api/generate-room', wanted)
      : await club.ask<{ room_id: string }>('POST', '/api/invite', { username: guest, room: { ...wanted, opponent: null } })
    if (answer.status === 'ok') return answer.data.room_id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Makes a lesson; answers its number. */
  async function createLesson(wanted: WantedLesson): Promise<string | undefined> {
    const answer = await club.ask<{ room_id: string }>('POST', '/api/lessons', wanted)
    if (answer.status === 'ok') return answer.data.room_id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Makes a tournament; answers its number. */
  async function createTournament(wanted: WantedTournament): Promise<number | undefined> {
    const answer = await club.ask<{ id: number }>('POST', '/api/tournaments', wanted)
    if (answer.status === 'ok') return answer.data.id
    notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return undefined
  }

  /** Invites somebody into a room of one's own. */
  async function invite(room: string, username: string): Promise<boolean> {
    const answer = await club.ask('POST', '/api/invite', { username, room_id: room })
    if (answer.status === 'error') notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.status === 'ok'
  }

  async function answerInvitation(room: string, accepted: boolean): Promise<boolean> {
    const answer = await club.ask('POST', accepted ? '/api/accept-invitation' : '/api/decline-invitation', { room_id: room })
    invitations.value = invitations.value.filter(one => one.room_id !== room)
    if (answer.status === 'error') notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.status === 'ok'
  }

  return { rooms, users, lessons, records, loadRecords, createLesson, tournaments, createTournament, invitations, games, moreGames, loaded, lost, look, watch, stop, loadGames, loadMoreGames, offer, create, invite, answerInvitation }
})
