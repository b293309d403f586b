import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type Answer, type GameKept, type GameUpdate, type MoveWarning, type Opponent, type PlayAnswer, type PlayNews, type PlayStarted, type PlayView, type StartPlay, type Vertex } from '@/api'
import { pointName } from '@/features/board'
import { minutesAhead, resultWords, useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { hintedPoints, HINTS } from './hint'

/** What the search for a hint may take. */
const HINT_VISITS = 100
const HINT_SECONDS = 3

/** Games that are played: against an opponent, or between two persons at one window. */
export const usePlay = defineStore('play', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()

  const plays = shallowRef<ReadonlyMap<string, { view: PlayView, since: number }>>(new Map())
  const opponents = shallowRef<readonly Opponent[]>([])
  const styles = shallowRef<readonly string[]>([])
  const problem = shallowRef<string>()
  /** The move that the person is asked about. */
  const warning = shallowRef<MoveWarning>()
  /** What a hint points at. */
  const hinted = shallowRef<readonly number[]>([])
  /** Hints for the position on the board: each shows more than the one before it. */
  let hintsGiven = 0
  const hintWords = shallowRef('')
  const waiting = shallowRef(false)
  /** A hint is being looked for. */
  const hinting = shallowRef(false)
  /** Counts moves of the other player, for whoever makes their sound. */
  const heard = shallowRef(0)

  const current = computed(() => games.activeId === undefined ? undefined : plays.value.get(games.activeId))
  const view = computed(() => current.value?.view)
  /** It has its result. */
  const over = computed(() => view.value !== undefined && view.value.result !== null)
  /** It is played or counted. */
  const live = computed(() => view.value !== undefined && view.value.result === null)
  /** Nothing helps the person now: a rated game is not over. */
  const guarded = computed(() => live.value && Boolean(view.value?.rated))
  const counting = computed(() => Boolean(view.value?.counting))
  /** The board shows the end of the game as it was played, where moves are made. */
  const atTip = computed(() => view.value !== undefined && games.position?.nodeId === view.value.tip)
  const mayMove = computed(() => {
    const play = view.value
    return play !== undefined && !play.thinking && play.toMove !== null && atTip.value && (play.person === null || play.person === play.toMove)
  })

  /** The game goes on after the program was closed: its clocks stand until somebody moves. */
  const interrupted = computed(() => view.value !== undefined && view.value.toMove !== null && view.value.clocks?.running === null)

  function adopt(play: PlayView): void {
    const before = plays.value.get(play.gameId)?.view
    plays.value = new Map(plays.value).set(play.gameId, { view: play, since: performance.now() })
    if (play.result !== null && before?.result !== play.result) notices.announce(resultWords(play.result))
    if (play.counting && !before?.counting) notices.announce(say('play.counting'))
  }

  const known = (gameId: string): number => plays.value.get(gameId)?.view.generation ?? -1

  function show(update: GameUpdate | null, play: PlayView): void {
    // A quick opponent's move arrives before the answer to the person's own; that answer is old then.
    if (play.generation < known(play.gameId)) return
    hinted.value = []
    hintWords.value = ''
    hintsGiven = 0
    // What the library has already is not unsaved, though the change was made before it was written.
    if (update) games.receive(play.generation <= (kept.get(play.gameId) ?? -1) ? { ...update, modified: false } : update)
    adopt(play)
  }

  /** The count of changes that the library has of a game. */
  const kept = new Map<string, number>()
  function receiveKept({ gameId, recordId, generation }: GameKept): void {
    kept.set(gameId, generation)
    games.kept(gameId, recordId, generation >= known(gameId))
  }

  /** Something happened in a game: the opponent moved, a clock ran out. */
  function receive(event: PlayNews): void {
    show(event.update, event.play)
    if (event.update) heard.value++
    if (event.notice !== null) notices.show({ tone: 'warning', title: say('play.other'), detail: event.notice })
  }

  async function fetchOpponents(): Promise<void> {
    const answer = await backend.call('list_opponents', {})
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return
    }
    opponents.value = answer.data.opponents
    styles.value = answer.data.styles
    problem.value = answer.data.problem ?? undefined
  }

  async function begin(work: Promise<Answer<PlayStarted>>): Promise<boolean> {
    games.beginning++
    const answer = await work
    games.beginning--
    if (answer.status === 'error') {
      notices.failed(answer.error, 'play.notStarted')
      return false
    }
    const { game, play } = answer.data
    const known = plays.value.get(game.gameId)?.view.generation ?? -1
    // Adopted before the game is shown, so that it is shown as one that is played.
    if (play.generation >= known) adopt(play)
    games.show(game)
    if (play.generation >= known) return true
    // The opponent has moved meanwhile.
    const later = await backend.call('get_game', { gameId: game.gameId })
    if (later.status === 'ok') games.show(later.data)
    return true
  }

  const start = (wanted: StartPlay): Promise<boolean> => begin(backend.call('start_play', { ...wanted, game: { ...wanted.game, minutesAhead: minutesAhead() } }))
  /** The same game once more. */
  const rematch = (otherColor: boolean): Promise<boolean> => withGame(gameId => begin(backend.call('rematch', { gameId, otherColor, minutesAhead: minutesAhead() })))

  async function done(work: Promise<Answer<PlayAnswer>>): Promise<boolean> {
    waiting.value = true
    const answer = await work
    waiting.value = false
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    warning.value = answer.data.warning ?? undefined
    show(answer.data.update, answer.data.play)
    return answer.data.warning === null
  }

  const withGame = (work: (gameId: string) => Promise<boolean>): Promise<boolean> =>
    games.activeId === undefined || !view.value ? Promise.resolve(false) : work(games.activeId)

  /** The person's move; `insist` after the question whether it should stand. */
  const turn = (vertex: Vertex, insist = false): Promise<boolean> => withGame(gameId => done(backend.call('play_turn', { gameId, vertex, insist })))
  const takeBack = (): Promise<boolean> => withGame(gameId => done(backend.call('take_back', { gameId })))
  const resign = (): Promise<boolean> => withGame(gameId => done(backend.call('resign_play', { gameId })))
  const settle = (dead: number[]): Promise<boolean> => withGame(gameId => done(backend.call('settle_play', { game: { gameId }, dead })))

  /** The count is not agreed on: the game goes on. */
  const playOn = (): Promise<boolean> => withGame(gameId => done(backend.call('continue_play', { gameId })))

  /** The board shows the game where it stands. */
  async function toTip(): Promise<void> {
    if (view.value) await games.goTo(view.value.tip)
  }

  /** Says that moves are made at the end of the game, where somebody looks back in it. */
  function sayLookingBack(): void {
    notices.show({ tone: 'info', title: say('play.lookingBack'), action: { label: say('play.toTip'), run: () => void toTip() } })
  }

  const looked = new Set<string>()
  /** Whether the end of a game has not been looked at yet; it is from now on. */
  function lookOnce(gameId: string): boolean {
    const first = !looked.has(gameId)
    looked.add(gameId)
    return first
  }
  /** It could not be looked at: the next chance is taken. */
  const lookAgain = (gameId: string): void => void looked.delete(gameId)

  /** Each hint for a position shows more than the last one. */
  async function hint(): Promise<void> {
    const game = games.active
    if (!game || !view.value) return
    if (guarded.value) {
      notices.show({ tone: 'info', title: say('play.noHelp') })
      return
    }
    if (!mayMove.value || waiting.value) return
    const degree = HINTS[Math.min(hintsGiven, HINTS.length - 1)] ?? 'move'
    waiting.value = true
    hinting.value = true
    const answer = await backend.call('run', { gameId: game.gameId, visits: HINT_VISITS, seconds: HINT_SECONDS })
    waiting.value = false
    hinting.value = false
    if (answer.status === 'error') {
      if (answer.error.kind !== 'cancelled') notices.failed(answer.error)
      return
    }
    hintsGiven++
    const points = hintedPoints(answer.data, degree, game)
    hinted.value = points.filter(point => point !== null)
    const names = points.map(point => point === null ? say('game.pass') : pointName(point, game.width, game.height))
    hintWords.value = degree === 'region' ? say('play.hintRegion') : say('play.hintSays', { points: names.slice(0, 8).join(', ') })
    notices.announce(hintWords.value)
  }

  /** Games that are played go on over a reload of the window and over a restart of the program. */
  async function recall(gameIds: readonly string[]): Promise<void> {
    const answers = await Promise.all(gameIds.map(gameId => backend.call('get_play', { gameId })))
    for (const answer of answers) if (answer.status === 'ok' && answer.data.generation >= known(answer.data.gameId)) adopt(answer.data)
  }

  function $reset(): void {
    plays.value = new Map()
    warning.value = undefined
    hinted.value = []
    hintWords.value = ''
    looked.clear()
    kept.clear()
  }

  return {
    plays, current, view, over, live, guarded, counting, atTip, mayMove, interrupted, opponents, styles, problem, warning, hinted, hintWords, waiting, hinting, heard, receive, receiveKept, fetchOpponents, start, rematch,
    turn, takeBack, resign, settle, playOn, toTip, sayLookingBack, lookOnce, lookAgain, hint, recall, $reset,
  }
})
