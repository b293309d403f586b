import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { watchTournament, type Attendance, type ClubAnswer, type PairingChange, type PairingResult, type RestPoints, type Tournament, type TournamentGame, type TournamentRow, type TournamentRowRound, type TournamentSystem } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { failureWords } from './failure'
import { useClub } from './session'

const SYSTEMS = { swiss: 'club.tournament.system.swiss', mc_mahon: 'club.tournament.system.mcMahon', round_robin: 'club.tournament.system.roundRobin' } as const
export const systemWords = (system: TournamentSystem): string => say(SYSTEMS[system])

/** Points as tables of tournaments write them: halves as ½, quarters as decimals. */
export function tablePoints(points: number): string {
  const whole = Math.floor(points)
  return points - whole === 0.5 ? `${whole === 0 ? '' : whole}½` : String(points)
}

const SIGNS = { open: '?', won: '+', lost: '−', drawn: '=', bye: '+', half: '=', absent: '−' } as const

/** A round as crosstables write it: the number of the opponent's row, 0 for nobody, how it ended, and the colour. */
export function cellText({ opponent, color, result }: TournamentRowRound, rows: ReadonlyMap<number, number>): string {
  const stone = color === null ? '' : color === 1 ? ' ●' : ' ○'
  return `${opponent === null ? 0 : rows.get(opponent) ?? 0}${SIGNS[result]}${stone}`
}

const ALONE = { bye: 'club.tournament.bye', half: 'club.tournament.rest.half', absent: 'club.tournament.absent' } as const
const CELLS = { open: 'club.tournament.cell.open', won: 'club.tournament.cell.won', lost: 'club.tournament.cell.lost', drawn: 'club.tournament.cell.drawn' } as const

/** The same in words. */
export function cellWords({ opponent, color, result }: TournamentRowRound, rows: readonly TournamentRow[]): string {
  if (result === 'bye' || result === 'half' || result === 'absent') return say(ALONE[result])
  const name = rows.find(({ player }) => player === opponent)?.name ?? ''
  return say(CELLS[result], { name, color: say(color === 1 ? 'game.player.black' : 'game.player.white') })
}

const RESTS = { bye: 'club.tournament.rest.bye', half: 'club.tournament.rest.half', nothing: 'club.tournament.rest.nothing' } as const
export const REST_POINTS: readonly RestPoints[] = ['half', 'nothing', 'bye']
/** What a round without a game is worth. */
export const restWords = (points: RestPoints): string => say(RESTS[points])

/** Somebody without a game in a round. */
export interface Idle { readonly player: number, readonly name: string, readonly points: RestPoints, readonly free: boolean }

/** Who has no game in a round: those with a bye or the organiser's word on it, and, where it says so, all others who have not left. */
export function idleIn({ table, rounds, rests }: Tournament, round: number, everybody: boolean): Idle[] {
  const paired = rounds[round]
  if (!paired) return []
  const playing = new Set(paired.games.flatMap(({ black, white }) => [black, white]))
  return table.filter(({ player }) => !playing.has(player)).flatMap(({ player, name, attendance }): Idle[] => {
    const said = rests.find(rest => rest.round === round && rest.player === player)?.points ?? (paired.bye === player ? 'bye' : undefined)
    if (said === undefined && !(everybody && attendance !== 'gone')) return []
    return [{ player, name, points: said ?? 'nothing', free: said === undefined }]
  })
}

/** The tournament that is on the screen: what the server said last. */
export const useTournament = defineStore('tournament', () => {
  const club = useClub()
  const notices = useNotices()
  const shown = shallowRef<Tournament>()
  const connected = shallowRef(true)
  /** Why it cannot be looked at. */
  const closed = shallowRef('')
  const busy = shallowRef(false)
  let id = 0
  let watching: { close(): void } | undefined

  const names = computed(() => new Map(shown.value?.table.map(({ player, name }) => [player, name]) ?? []))
  /** The room in which this person is to play now. */
  const ownRoom = computed(() => {
    const you = shown.value?.you ?? null
    if (you === null) return undefined
    const game = shown.value?.rounds.at(-1)?.games.find(({ black, white, result }) => result === null && (black === you || white === you))
    return game?.room
  })

  /** Every game of a round that is paired otherwise gets another room. */
  const roomsOf = ({ rounds }: Tournament): string => rounds.at(-1)?.games.map(({ room }) => room).sort().join() ?? ''

  function hear(tournament: Tournament): void {
    const before = shown.value
    shown.value = tournament
    closed.value = ''
    if (!before) return
    if (tournament.rounds.length > before.rounds.length) notices.announce(say('club.tournament.paired', { round: tournament.rounds.length }))
    else if (tournament.rounds.length === before.rounds.length && roomsOf(tournament) !== roomsOf(before)) notices.announce(say('club.tournament.changed'))
  }

  async function enter(tournament: number): Promise<void> {
    leave()
    id = tournament
    const answer = await club.ask('GET /api/tournaments/{id}', { params: { id: tournament } })
    if (id !== tournament) return
    if (answer.status === 'ok') hear(answer.data)
    else {
      closed.value = failureWords(answer.error)
      // It is told as soon as there is a connection.
      if (answer.error.kind !== 'disconnected') return
    }
    watching = watchTournament(tournament, { token: () => club.token, hear, link: (now) => { connected.value = now } })
  }

  function leave(): void {
    watching?.close()
    watching = undefined
    id = 0
    shown.value = undefined
    connected.value = true
    closed.value = ''
  }

  /** Asks for something of this tournament; the kind of a refusal, which is shown unless the caller `expects` it. */
  async function tryTo(deed: (params: { id: number }) => Promise<ClubAnswer<Tournament>>, expects?: string): Promise<string> {
    if (busy.value) return 'busy'
    busy.value = true
    const asked = id
    const answer = await deed({ id: asked })
    busy.value = false
    if (answer.status === 'ok') {
      if (asked === id) hear(answer.data)
      return 'done'
    }
    if (answer.error.kind !== expects) notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.error.kind
  }

  /** The same; whether that was done. */
  const ask = async (deed: (params: { id: number }) => Promise<ClubAnswer<Tournament>>): Promise<boolean> => await tryTo(deed) === 'done'

  const join = (rank: string): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/join', { params, body: { rank } }))
  const add = (username: string, rank: string, missed: RestPoints): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/players', { params, body: { username, rank, missed } }))
  /** Of this person, or of another one, whose number is another's by now if the name is. */
  const attend = (attendance: Attendance, other?: Pick<TournamentRow, 'player' | 'name'>): Promise<boolean> =>
    ask(params => club.ask('POST /api/tournaments/{id}/attendance', { params, body: { attendance, ...other } }))
  const pair = (): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/rounds', { params }))
  const takeBack = (): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/take-back', { params }))
  /** Says how a game ended; null takes it back. */
  const settle = (round: number, game: number, { black, white }: Pick<TournamentGame, 'black' | 'white'>, result: PairingResult | null): Promise<boolean> =>
    ask(params => club.ask('POST /api/tournaments/{id}/results', { params, body: { round, game, black, white, result } }))
  /** Changes the pairings of a round by hand: `rematch` where people would meet again, which is done once it is `surely` wanted. */
  const rearrange = async (round: number, change: PairingChange, [one, other]: readonly [number, number], surely = false): Promise<'done' | 'rematch' | 'refused'> => {
    const answer = await tryTo(params => club.ask('POST /api/tournaments/{id}/pairings', { params, body: { round, one, other, change, rematch: surely } }), 'rematch')
    return answer === 'done' || answer === 'rematch' ? answer : 'refused'
  }
  /** Says what a round without a game is worth to somebody; null takes it back. */
  const rest = (round: number, { player, name }: Pick<TournamentRow, 'player' | 'name'>, points: RestPoints | null): Promise<boolean> =>
    ask(params => club.ask('POST /api/tournaments/{id}/rests', { params, body: { round, player, name, points } }))
  const finish = (): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/finish', { params }))
  const reopen = (): Promise<boolean> => ask(params => club.ask('POST /api/tournaments/{id}/reopen', { params }))

  return { shown, connected, closed, busy, names, ownRoom, enter, leave, join, add, attend, pair, takeBack, settle, rearrange, rest, finish, reopen }
})
