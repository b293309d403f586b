import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useBackend, type Answer, type GameKept, type GameUpdate, type MoveWarning, type Opponent, type PlayAnswer, type PlayNews, type PlayStarted, type PlayView, type Side, type StartPlay, type Vertex } from '@/api'
import { pointName } from '@/features/board'
import { minutesAhead, resultWords, useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'
import { listed } from '@/i18n/formats'
import { hintedPoints, HINTS } from './hint'
import { isWatched, personOf } from './seats'

/** What the search for a hint may take. */
const HINT_VISITS = 100
const HINT_SECONDS = 3

/** A game as it stands after its last move. */
interface Standing { readonly gameId: string, readonly tip: number }

/** Games that are played: by persons, by opponents, or by one of each. */
export const usePlay = defineStore('play', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const settings = useSettings()

  const plays = shallowRef<ReadonlyMap<string, { view: PlayView, since: number }>>(new Map())
  const opponents = shallowRef<readonly Opponent[]>([])
  const styles = shallowRef<readonly string[]>([])
  const problem = shallowRef<string>()
  /** The move that the person was asked about last, and where. */
  const question = shallowRef<Standing & { readonly warning: MoveWarning }>()
  /** The last hint, and how many there were for its position: each shows more than the one before it. */
  const lastHint = shallowRef<Standing & { readonly given: number, readonly points: readonly number[], readonly words: string }>()
  /** How many answers each game waits for. */
  const awaited = shallowRef<ReadonlyMap<string, number>>(new Map())
  /** The game on the board waits for an answer. */
  const waiting = computed(() => games.activeId !== undefined && (awaited.value.get(games.activeId) ?? 0) > 0)
  const hints = shallowRef(0)
  /** A hint is being looked for, in whichever game. */
  const hinting = computed(() => hints.value > 0)
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
  /** The colour of the person who plays an opponent. */
  const person = computed(() => view.value ? personOf(view.value.seats) : null)
  /** Two opponents play. */
  const watched = computed(() => view.value !== undefined && isWatched(view.value.seats))
  /** Their game goes on when somebody says so. */
  const stands = computed(() => watched.value && live.value && !view.value?.thinking)
  /** The board shows the end of the game as it was played, where moves are made. */
  const atTip = computed(() => view.value !== undefined && games.position?.nodeId === view.value.tip)
  const mayMove = computed(() => {
    const play = view.value
    return play !== undefined && !play.thinking && play.toMove !== null && atTip.value && play.seats[play.toMove] === null
  })

  /** A question or a hint is for its own position: it says nothing of another game, nor of this one after a move. */
  const ofCurrent = <T extends Standing>(known: T | undefined): T | undefined =>
    known && known.gameId === games.activeId && known.tip === view.value?.tip ? known : undefined
  /** The move that the person is asked about. */
  const warning = computed(() => ofCurrent(question.value)?.warning)
  const shownHint = computed(() => ofCurrent(lastHint.value))
  /** What a hint points at. */
  const hinted = computed(() => shownHint.value?.points ?? [])
  const hintWords = computed(() => shownHint.value?.words ?? '')

  /** The game goes on after the program was closed: its clocks stand until somebody moves. They also stand while an opponent is started. */
  const interrupted = computed(() => view.value !== undefined && !watched.value && view.value.toMove !== null && !view.value.thinking && view.value.clocks?.running === null)

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
    if (lastHint.value?.gameId === play.gameId) lastHint.value = undefined
    // What the library has already is not unsaved, though the change was made before it was written.
    if (update) games.receive(play.generation <= (kept.get(play.gameId) ?? -1) ? { ...update, modified: false } : update)
    adopt(play)
  }

  /** The count of changes up to which nothing of a game is unsaved. */
  const kept = new Map<string, number>()
  function receiveKept({ gameId, recordId, generation, saved }: GameKept): void {
    if (saved) kept.set(gameId, generation)
    games.kept(gameId, recordId, saved && generation >= known(gameId))
  }

  /** Something happened in a game: the opponent moved, a clock ran out. */
  function receive(event: PlayNews): void {
    const counted = plays.value.get(event.play.gameId)?.view.uncounted !== true
    // A clock that went into its next period says nothing new of the position: a hint for it stays.
    if (!event.update && event.play.generation === known(event.play.gameId)) adopt(event.play)
    else show(event.update, event.play)
    if (event.update) heard.value++
    if (event.notice !== null) {
      const moved = counted && event.play.uncounted ? 'play.uncounted' : 'play.other'
      notices.show({ tone: 'warning', title: say(isWatched(event.play.seats) ? 'play.halted' : moved), detail: event.notice })
    }
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

  /** Keeps the person's own name. The first one is also given to the games that were played here without any. */
  async function sayOwnName(name: string): Promise<void> {
    const isFirst = settings.settings.ownName === ''
    settings.change({ ownName: name })
    if (!isFirst || name === '') return
    const answer = await backend.call('name_person', { name })
    if (answer.status === 'error') notices.failed(answer.error)
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

  async function waitFor<T>(gameId: string, work: Promise<T>): Promise<T> {
    const count = (by: number): void => {
      const left = (awaited.value.get(gameId) ?? 0) + by
      const others = [...awaited.value].filter(([known]) => known !== gameId)
      awaited.value = new Map(left > 0 ? [...others, [gameId, left]] : others)
    }
    count(1)
    const answer = await work
    count(-1)
    return answer
  }

  async function done(gameId: string, work: Promise<Answer<PlayAnswer>>): Promise<boolean> {
    const answer = await waitFor(gameId, work)
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    const { play, update, warning } = answer.data
    if (warning) question.value = { gameId: play.gameId, tip: play.tip, warning }
    else if (question.value?.gameId === play.gameId) question.value = undefined
    show(update, play)
    return warning === null
  }

  const withGame = (work: (gameId: string) => Promise<boolean>): Promise<boolean> =>
    games.activeId === undefined || !view.value ? Promise.resolve(false) : work(games.activeId)

  /** The person's move. */
  const turn = (vertex: Vertex): Promise<boolean> => withGame(gameId => done(gameId, backend.call('play_turn', { gameId, vertex, insist: false })))
  /** The move that was asked about is not made. */
  function reconsider(): void {
    question.value = undefined
  }
  /** It is made after all, in the game that it is for. */
  async function insist(): Promise<boolean> {
    const asked = question.value
    reconsider()
    return asked ? done(asked.gameId, backend.call('play_turn', { gameId: asked.gameId, vertex: asked.warning.vertex, insist: true })) : false
  }
  const takeBack = (): Promise<boolean> => withGame(gameId => done(gameId, backend.call('take_back', { gameId })))
  const resign = (): Promise<boolean> => withGame(gameId => done(gameId, backend.call('resign_play', { gameId })))
  async function changed(gameId: string, work: Promise<Answer<PlayView>>): Promise<boolean> {
    const answer = await waitFor(gameId, work)
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    if (answer.data.generation >= known(gameId)) adopt(answer.data)
    return true
  }
  /** The clocks stand until the next move, or run on. A hint for the position stays. A game of two opponents stands as a whole. */
  const pause = (paused: boolean): Promise<boolean> => withGame(async (gameId) => {
    const done = await changed(gameId, backend.call('pause_play', { gameId, paused }))
    if (done && paused) notices.announce(say(watched.value ? 'play.stands' : 'play.clockStands'))
    return done
  })
  /** One move of a game of two opponents. */
  const step = (): Promise<boolean> => withGame(gameId => changed(gameId, backend.call('step_play', { gameId })))
  /** The person plays on in the place of one of two opponents. */
  const takeSeat = (side: Side): Promise<boolean> => withGame(gameId => changed(gameId, backend.call('take_seat', { gameId, side })))
  /** Nobody plays any more; the game stays open as a record. */
  const stop = (): Promise<boolean> => withGame(async (gameId) => {
    const answer = await waitFor(gameId, backend.call('stop_play', { gameId }))
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    const left = new Map(plays.value)
    left.delete(gameId)
    plays.value = left
    return true
  })
  const settle = (dead: number[]): Promise<boolean> => withGame(gameId => done(gameId, backend.call('settle_play', { game: { gameId }, dead })))

  /** The count is not agreed on: the game goes on. */
  const playOn = (): Promise<boolean> => withGame(gameId => done(gameId, backend.call('continue_play', { gameId })))

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
    const { gameId } = game
    const { tip } = view.value
    const given = shownHint.value?.given ?? 0
    const degree = HINTS[Math.min(given, HINTS.length - 1)] ?? 'move'
    hints.value++
    const answer = await waitFor(gameId, backend.call('run', { gameId, visits: HINT_VISITS, seconds: HINT_SECONDS }))
    hints.value--
    if (answer.status === 'error') {
      if (answer.error.kind !== 'cancelled') notices.failed(answer.error)
      return
    }
    // Somebody moved meanwhile.
    if (plays.value.get(gameId)?.view.tip !== tip) return
    const points = hintedPoints(answer.data, degree, game)
    const names = points.map(point => point === null ? say('game.pass') : pointName(point, game.width, game.height))
    const words = degree === 'region' ? say('play.hintRegion') : say('play.hintSays', { points: listed(names.slice(0, 8)) })
    lastHint.value = { gameId, tip, given: given + 1, points: points.filter(point => point !== null), words }
    if (shownHint.value) notices.announce(words)
  }

  watch(() => games.games, (now, before) => {
    const open = new Set(now.map(({ gameId }) => gameId))
    const gone = before.map(({ gameId }) => gameId).filter(gameId => !open.has(gameId))
    if (gone.length === 0) return
    plays.value = new Map([...plays.value].filter(([gameId]) => !gone.includes(gameId)))
    for (const gameId of gone) {
      looked.delete(gameId)
      kept.delete(gameId)
    }
  })

  /** Games that are played go on over a reload of the window and over a restart of the program. */
  async function recall(gameIds: readonly string[]): Promise<void> {
    const answers = await Promise.all(gameIds.map(gameId => backend.call('get_play', { gameId })))
    for (const answer of answers) if (answer.status === 'ok' && answer.data.generation >= known(answer.data.gameId)) adopt(answer.data)
  }

  function $reset(): void {
    plays.value = new Map()
    question.value = undefined
    lastHint.value = undefined
    looked.clear()
    kept.clear()
  }

  return {
    plays, current, view, over, live, guarded, counting, person, watched, stands, atTip, mayMove, interrupted, opponents, styles, problem, warning, hinted, hintWords, waiting, hinting, heard, receive, receiveKept, fetchOpponents, sayOwnName, start, rematch,
    turn, reconsider, insist, takeBack, pause, step, takeSeat, stop, resign, settle, playOn, toTip, sayLookingBack, lookOnce, lookAgain, hint, recall, $reset,
  }
})
