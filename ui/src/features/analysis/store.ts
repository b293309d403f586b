import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { type AnalysisUpdate, type CloserLook, type EngineStatus, type EqualVisits, type GraphUpdate, type GraphValue, type PositionsChanged, type SweepProgress, useBackend } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useModes, usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'

/** Positions whose last analysis is kept, so that going back shows it at once. */
const MAX_KEPT_POSITIONS = 400

/** Milliseconds between the first candidates of a game and the evaluation of all its moves. */
const GRAPH_AFTER_MS = 2500
/** Games of fewer positions are drawn as they are played. */
const SHORT_GAME = 12

/** How many times the visits of a review the next deeper one gives each position. */
const DEEPER = 4

/** A quick review, as the back end does it by itself, where the person asks for it. */
const QUICK_PASSES = [1, 50] as const
/** Share of the visits that were asked for from which a review has given them. */
const ENOUGH_OF_MEAN = 0.8
const QUICK_LIMITS = { worst: 24, seconds: 30 } as const

/** Visits of each move in a sweep of all moves, and the least where candidates are compared. */
const SWEEP_VISITS = 10
const MIN_EQUAL_VISITS = 50

const NO_ENGINE: EngineStatus = { state: { kind: 'idle' }, serial: 0, network: '', device: '', deviceName: '', deviceNote: '', evaluationsPerSecond: 0, analysing: null }

/** Live analysis and the values of the graph. */
export const useAnalysis = defineStore('analysis', () => {
  const backend = useBackend()
  const games = useGames()
  const settings = useSettings()
  const notices = useNotices()
  const play = usePlay()
  const modes = useModes()

  const engine = shallowRef<EngineStatus>(NO_ENGINE)
  /** Counts what the engine reported of itself: an answer that was under way meanwhile is older. */
  let engineNews = 0
  /** Which network or program the findings are of; undefined before anything was heard of the engine. */
  let serial: number | undefined
  /** The person wants the engine to think; it follows whichever game is shown. */
  const wanted = shallowRef(false)
  const latest = shallowRef<AnalysisUpdate>()
  const graphs = shallowRef<ReadonlyMap<string, ReadonlyMap<number, GraphValue>>>(new Map())
  /** The last sweep through a game: how far it is, or how it ended. */
  const lastSweep = shallowRef<SweepProgress & { readonly gameId: string }>()
  /** The one that is under way. */
  const sweep = computed(() => lastSweep.value?.state.kind === 'running' ? lastSweep.value : undefined)
  /** Games that were looked at with more than the first thought on each position, and whether that settled which moves lost most. */
  const reviewed = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  /** Moves that alone are looked at, and moves that are left out; both empty: all of them. */
  const region = shallowRef<readonly number[]>([])
  const avoided = shallowRef<readonly number[]>([])
  /** Moves of this position that get the same number of visits. */
  const equal = shallowRef<EqualVisits>()
  /** Moves of this position that the running search looks at more closely. */
  const closer = shallowRef<CloserLook>()
  const restricted = computed(() => region.value.length > 0 || avoided.value.length > 0 || equal.value !== undefined)
  /** A review goes on: the quick look at every position, or the deep one after it. A look for the graph alone is none. */
  const reviewing = computed(() => {
    if (!sweep.value || (sweep.value.passes === 1 && sweep.value.visits === 1)) return undefined
    return sweep.value.visits === 1 ? 'quick' : 'deep'
  })
  /** The last review that nobody asked for: whoever asks for one does not wait for that. */
  const unasked = shallowRef<number>()
  const askedSweep = computed(() => sweep.value?.serial === unasked.value ? undefined : sweep.value)
  const askedReview = computed(() => askedSweep.value && reviewing.value)
  const kept = new Map<string, AnalysisUpdate>()
  const swept = new Set<string>()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  /** The analysis of the position on the board, if there is any yet. */
  const shown = computed(() => {
    const position = games.position
    return latest.value && games.activeId === latest.value.gameId && position?.nodeId === latest.value.nodeId ? latest.value : undefined
  })
  const graph = computed(() => games.activeId === undefined ? undefined : graphs.value.get(games.activeId))
  const failed = computed(() => engine.value.state.kind === 'failed' ? engine.value.state : undefined)

  const keyOf = (gameId: string, nodeId: number): string => `${gameId} ${nodeId}`

  function receive(update: AnalysisUpdate): void {
    const key = keyOf(update.gameId, update.nodeId)
    const before = kept.get(key)
    // A search that begins again on a known position must not wipe what is on the screen with its first ten visits.
    // What was found while other moves were looked at is no measure.
    const better = !before || update.focus !== before.focus || update.visits >= before.visits
    kept.delete(key)
    kept.set(key, better ? update : { ...before, running: update.running, sequence: update.sequence, visitsPerSecond: update.visitsPerSecond })
    if (kept.size > MAX_KEPT_POSITIONS) {
      const oldest = kept.keys().next().value
      if (oldest !== undefined) kept.delete(oldest)
    }
    if (update.gameId !== games.activeId || update.nodeId !== games.position?.nodeId) return
    latest.value = kept.get(key)
    if (update.visits > 0) evaluateOnce(update.gameId)
  }

  /** The first candidates are on the board: the machine has time for the graph of the whole game. */
  function evaluateOnce(gameId: string): void {
    if (!settings.preferences.autoGraph || swept.has(gameId)) return
    swept.add(gameId)
    const line = games.active?.position.line ?? []
    const known = graphs.value.get(gameId)
    if (line.length < SHORT_GAME || line.every(node => known?.has(node))) return
    timers.add(setTimeout(() => {
      const done = line.every(node => graphs.value.get(gameId)?.has(node))
      if (wanted.value && games.activeId === gameId && !sweep.value && !done) void sweepGame([1], { unasked: true })
    }, GRAPH_AFTER_MS))
  }

  function receiveGraph(update: GraphUpdate): void {
    const values = new Map(graphs.value.get(update.gameId))
    for (const value of update.values) {
      const before = values.get(value.nodeId)
      if (!before || value.visits >= before.visits) values.set(value.nodeId, value)
    }
    graphs.value = new Map(graphs.value).set(update.gameId, values)
    if (update.sweep) receiveSweep(update.gameId, update.sweep)
  }

  function receiveSweep(gameId: string, progress: SweepProgress): void {
    // What a sweep that was replaced still reports is of the past.
    if (lastSweep.value && progress.serial < lastSweep.value.serial) return
    const known = lastSweep.value?.serial === progress.serial ? lastSweep.value.state.kind : undefined
    lastSweep.value = { gameId, ...progress }
    if (progress.state.kind === 'failed' && known !== 'failed') notices.failed(progress.state.error, 'notice.noAnalysis')
    if (progress.state.kind === 'finished' && known !== 'finished' && progress.visits > 1) {
      reviewed.value = new Map(reviewed.value).set(gameId, !progress.unsettled)
      notices.announce(say('analysis.review.finished'))
    }
  }

  /** Stones were set up, somebody else is to move, or komi or rules were changed: what was found there is of other positions. */
  function receivePositions({ gameId, nodes }: PositionsChanged): void {
    forgettings++
    const values = new Map(graphs.value.get(gameId))
    for (const node of nodes) {
      kept.delete(keyOf(gameId, node))
      values.delete(node)
      if (latest.value?.gameId === gameId && latest.value.nodeId === node) latest.value = undefined
    }
    graphs.value = new Map(graphs.value).set(gameId, values)
    const judged = new Map(reviewed.value)
    if (judged.delete(gameId)) reviewed.value = judged
    swept.delete(gameId)
  }

  /** Other windows changed these games while this one heard nothing: what it knows of them may be of other positions. */
  function forgetChanged(gameIds: readonly string[]): void {
    for (const gameId of gameIds) {
      const looked = [...kept.values()].filter(update => update.gameId === gameId).map(update => update.nodeId)
      receivePositions({ gameId, nodes: [...graphs.value.get(gameId)?.keys() ?? [], ...looked] })
    }
  }

  const engineNewsNow = (): number => engineNews

  /** Takes the status of an answer, unless something newer was reported since the question. */
  function adoptEngine(status: EngineStatus, since: number): void {
    if (engineNews === since) receiveEngine(status)
  }

  function receiveEngine(status: EngineStatus): void {
    engineNews++
    // What another network thought is not shown as this one's opinion. The name does not tell: it is empty until the network
    // is read, and on a board with joined edges it may be another one's than on the next game's.
    if (serial !== undefined && status.serial !== serial) forgetFindings()
    serial = status.serial
    engine.value = status
  }

  /** Counts what was forgotten: an answer that was under way meanwhile may be of the past. */
  let forgettings = 0

  function forgetFindings(): void {
    forgettings++
    kept.clear()
    latest.value = undefined
    graphs.value = new Map()
    reviewed.value = new Map()
    swept.clear()
  }

  /** Forgets what was found of games that are closed: a graph of hundreds of positions would stay for each. */
  function forgetClosed(gone: ReadonlySet<string>): void {
    const others = <T>(known: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map([...known].filter(([gameId]) => !gone.has(gameId)))
    graphs.value = others(graphs.value)
    reviewed.value = others(reviewed.value)
    for (const gameId of gone) swept.delete(gameId)
    for (const [key, update] of kept) if (gone.has(update.gameId)) kept.delete(key)
  }
  watch(() => games.games, (now, before) => {
    const open = new Set(now.map(game => game.gameId))
    const gone = before.map(game => game.gameId).filter(gameId => !open.has(gameId))
    if (gone.length > 0) forgetClosed(new Set(gone))
  })

  /** Looks at other moves from now on; what was found before stays on the screen until something new is there. */
  async function restrict(only: readonly number[], without: readonly number[]): Promise<void> {
    region.value = only
    avoided.value = without
    equal.value = undefined
    if (wanted.value) await turn(true)
  }

  /** Gives moves of this position the same number of visits, or goes back to the usual search. */
  async function compareMoves(moves: EqualVisits | undefined): Promise<void> {
    equal.value = moves
    closer.value = undefined
    await turn(true)
  }
  /** Lets the running search look more closely at a move, or no longer. What it found so far stays. */
  async function lookCloser(point: number): Promise<void> {
    const nodeId = games.position?.nodeId
    if (nodeId === undefined) return
    if (settings.settings.analysisEngine !== '') {
      notices.show({ tone: 'info', title: say('notice.onlyNetworkCloser') })
      return
    }
    const points = closer.value?.nodeId === nodeId ? closer.value.points : []
    const now = points.includes(point) ? points.filter(other => other !== point) : [...points, point]
    closer.value = now.length > 0 ? { nodeId, points: now } : undefined
    await turn(true)
  }
  /** Goes back to a search that looks at all moves as it likes. */
  async function lookAsUsual(): Promise<void> {
    closer.value = undefined
    await compareMoves(undefined)
  }
  /** Brings all candidates to the visits of the most visited one. */
  async function equalise(): Promise<void> {
    const candidates = shown.value?.candidates.filter(candidate => candidate.visits > 0) ?? []
    const nodeId = games.position?.nodeId
    if (candidates.length === 0) notices.show({ tone: 'info', title: say('notice.noCandidates') })
    else if (nodeId !== undefined) await compareMoves({ nodeId, moves: candidates.map(candidate => candidate.vertex), visits: Math.max(MIN_EQUAL_VISITS, ...candidates.map(candidate => candidate.visits)) })
  }
  /** Looks at every move of the position, or of the region; once more goes back to the usual search. */
  async function sweepMoves(): Promise<void> {
    const nodeId = games.position?.nodeId
    if (nodeId !== undefined) await compareMoves(equal.value?.moves.length === 0 ? undefined : { nodeId, moves: [], visits: SWEEP_VISITS })
  }
  /** Looks at these points alone; none means all. */
  const lookAt = (points: readonly number[]): Promise<void> => restrict(points, avoided.value)
  /** Leaves a move out, or takes it in again. */
  const avoid = (point: number): Promise<void> =>
    restrict(region.value, avoided.value.includes(point) ? avoided.value.filter(other => other !== point) : [...avoided.value, point])
  const lookAtAll = (): Promise<void> => restrict([], [])

  // A move that was left out of one position has no meaning in the next one; a region stays.
  watch([() => games.activeId, () => games.position?.nodeId], () => {
    // The back end forgets them by itself.
    equal.value = undefined
    closer.value = undefined
    if (avoided.value.length > 0) void restrict(region.value, [])
  })
  watch(() => games.activeId, () => {
    region.value = []
  }, { flush: 'sync' })
  watch(() => settings.preferences.candidateOwnership && settings.preferences.ownership !== 'off', () => { if (wanted.value) void turn(true) })

  // Whoever goes back to a position sees at once what was found there.
  watch([() => games.activeId, () => games.position?.nodeId], ([gameId, nodeId]) => {
    latest.value = gameId === undefined || nodeId === undefined ? undefined : kept.get(keyOf(gameId, nodeId))
  })
  watch(() => games.activeId, (gameId, before) => {
    if (!wanted.value || gameId === undefined || gameId === before) return
    // A game that is played is not analysed unasked: the engine stops at the one before it.
    if (!modes.playing) void turn(true)
    else if (before !== undefined) void turn(false, before)
  })

  /** Nobody is helped in a rated game; says so. */
  function mayHelp(): boolean {
    if (play.guarded) notices.show({ tone: 'info', title: say('play.noHelp') })
    return !play.guarded
  }

  /** The game that was last asked about. */
  let analysed: string | undefined

  async function turn(running: boolean, of = games.activeId): Promise<void> {
    if (running && !mayHelp()) return
    wanted.value = running
    // What ends is what goes on, whichever game is on the board by now.
    const gameId = running ? of : [analysed, engine.value.analysing].find(id => games.games.some(game => game.gameId === id)) ?? of
    if (!gameId) return
    analysed = running ? gameId : undefined
    const since = engineNewsNow()
    const answer = await backend.call('set_analysis', {
      gameId, running, visits: settings.settings.visits, allow: [...region.value], avoid: [...avoided.value],
      candidateOwnership: settings.preferences.candidateOwnership && settings.preferences.ownership !== 'off',
      equal: equal.value ?? null, closer: closer.value ?? null,
    })
    if (answer.status === 'ok') {
      adoptEngine(answer.data, since)
      return
    }
    // That there is no engine is told by its status.
    notices.failed(answer.error, 'notice.noAnalysis')
    wanted.value = false
  }

  // Another window may have ended what was wanted here.
  const toggle = (): Promise<void> => turn(!wanted.value || engine.value.analysing === null)

  /**
   * Evaluates every move of the line on the board, with so many visits on each position in each pass; passes after the
   * first look at the `worst` moves alone where that is given, for so many `seconds` at most. `byNeed` shares the visits of
   * the last one out. What nobody asked for (`unasked`) leaves a sweep of another window alone.
   */
  async function sweepGame(passes: readonly number[], { worst, seconds, byNeed = false, unasked = false }: { readonly worst?: number, readonly seconds?: number, readonly byNeed?: boolean, readonly unasked?: boolean } = {}): Promise<void> {
    const gameId = games.activeId
    if (gameId === undefined || !mayHelp()) return
    const total = games.position?.line.length ?? 0
    const answer = await backend.call('sweep_game', { gameId, passes: [...passes], worst: worst ?? null, seconds: seconds ?? null, byNeed, unasked })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.noAnalysis')
      return
    }
    const { serial } = answer.data
    // Another number than the last one's: a back end that was started again counts anew. Another window's tells itself.
    if (!unasked && lastSweep.value?.serial !== serial) {
      lastSweep.value = { gameId, serial, state: { kind: 'running' }, visits: passes[0] ?? 1, pass: 1, passes: passes.length, done: 0, total, unsettled: false }
    }
  }

  /** Visits on a position, on average, that the next review of the game on the board gives. */
  const reviewVisits = computed(() => {
    const usual = settings.preferences.reviewVisits
    const known = (games.position?.line ?? []).map(node => graph.value?.get(node)?.visits ?? 0)
    const least = Math.min(...known)
    if (known.length === 0 || least < usual / 2) return usual
    // A review gives half of its visits to all alike, and what is left at its end is too little for another position.
    const mean = known.reduce((sum, visits) => sum + visits, 0) / known.length
    return least >= usual ? least * DEEPER : mean >= usual * ENOUGH_OF_MEAN ? usual * DEEPER : usual
  })

  /** Looks quickly at every position of the line, then again with more visits than are known. */
  const review = (): Promise<void> => sweepGame([1, reviewVisits.value], { byNeed: true })

  /** Lets the back end review the game on the board, if it holds that to be right; whether it does. */
  async function reviewByItself(): Promise<boolean> {
    const gameId = games.activeId
    if (gameId === undefined) return false
    const total = games.position?.line.length ?? 0
    // Whether it may is a setting, which may have been changed just now.
    await settings.kept()
    const answer = await backend.call('review_by_itself', { gameId })
    // Nobody asked: nobody is told that it cannot be done.
    if (answer.status === 'error' || !answer.data) return false
    const { serial } = answer.data
    unasked.value = serial
    if (lastSweep.value?.serial !== serial) {
      lastSweep.value = { gameId, serial, state: { kind: 'running' }, visits: 1, pass: 1, passes: QUICK_PASSES.length, done: 0, total, unsettled: false }
    }
    return true
  }

  /** Looks for the moves that lost most, and no further. */
  const findWorst = (): Promise<void> => sweepGame(QUICK_PASSES, QUICK_LIMITS)

  /** Ends everything that the engine does for this window; what it found stays. */
  async function stop(): Promise<void> {
    wanted.value = false
    equal.value = undefined
    closer.value = undefined
    // Nor does it begin again by itself.
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    const since = engineNewsNow()
    const answer = await backend.call('stop_engine', {})
    if (answer.status === 'ok') adoptEngine(answer.data, since)
    else notices.failed(answer.error)
  }

  /** Fetches what is known of a position that was looked at in a review, so that its moves are shown. */
  async function recall(gameId: string, nodeId: number): Promise<AnalysisUpdate | undefined> {
    const visits = graphs.value.get(gameId)?.get(nodeId)?.visits ?? 0
    const known = kept.get(keyOf(gameId, nodeId))
    return visits <= Math.max(1, known?.visits ?? 0) ? known : lookUp(gameId, nodeId)
  }
  async function lookUp(gameId: string, nodeId: number): Promise<AnalysisUpdate | undefined> {
    const since = forgettings
    const answer = await backend.call('known_analysis', { gameId, nodeId })
    if (answer.status === 'ok' && answer.data && forgettings === since) receive(answer.data)
    return kept.get(keyOf(gameId, nodeId))
  }
  watch([() => games.activeId, () => games.position?.nodeId], ([gameId, nodeId]) => {
    if (gameId !== undefined && nodeId !== undefined && !wanted.value) void recall(gameId, nodeId)
  })

  /** The back end was started again: it counts anew, and the names of games mean others. Analysis is wanted as before. */
  function forgetGames(): void {
    engine.value = NO_ENGINE
    serial = undefined
    analysed = undefined
    lastSweep.value = undefined
    unasked.value = undefined
    region.value = []
    avoided.value = []
    equal.value = undefined
    closer.value = undefined
    forgetFindings()
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  function $reset(): void {
    forgetGames()
    wanted.value = false
  }

  return { engine, wanted, latest, shown, graphs, graph, sweep, lastSweep, failed, region, avoided, equal, closer, restricted, reviewed, reviewing, askedSweep, askedReview, reviewVisits, lookCloser, lookAsUsual, equalise, sweepMoves, lookAt, avoid, lookAtAll, review, reviewByItself, findWorst, stop, recall, lookUp, receive, receiveGraph, receivePositions, forgetChanged, receiveEngine, adoptEngine, engineNewsNow, turn, toggle, sweepGame, forgetGames, $reset }
})
