import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useBackend, type AnalysisUpdate, type EngineStatus, type EqualVisits, type GraphUpdate, type GraphValue } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'

/** Positions whose last analysis is kept, so that going back shows it at once. */
const KEPT_POSITIONS = 400

/** Milliseconds between the first candidates of a game and the evaluation of all its moves. */
const GRAPH_AFTER_MS = 2500
/** Games of fewer positions are drawn as they are played. */
const SHORT_GAME = 12

/** Visits of each move in a sweep of all moves, and the least where candidates are compared. */
const SWEEP_VISITS = 10
const LEAST_EQUAL_VISITS = 50

const NO_ENGINE: EngineStatus = { state: { kind: 'idle' }, network: '', device: '', evaluationsPerSecond: 0, analysing: null }

/** Live analysis and the values of the graph. */
export const useAnalysis = defineStore('analysis', () => {
  const backend = useBackend()
  const games = useGames()
  const settings = useSettings()
  const notices = useNotices()

  const engine = shallowRef<EngineStatus>(NO_ENGINE)
  /** Counts what the engine told of itself: an answer that was under way meanwhile is older. */
  let engineNews = 0
  /** The person wants the engine to think; it follows whichever game is shown. */
  const wanted = shallowRef(false)
  const latest = shallowRef<AnalysisUpdate>()
  const graphs = shallowRef<ReadonlyMap<string, ReadonlyMap<number, GraphValue>>>(new Map())
  const sweep = shallowRef<{ gameId: string, done: number, total: number }>()
  /** Moves that alone are looked at, and moves that are left out; both empty: all of them. */
  const region = shallowRef<readonly number[]>([])
  const avoided = shallowRef<readonly number[]>([])
  /** Moves of this position that get the same number of visits. */
  const equal = shallowRef<EqualVisits>()
  const restricted = computed(() => region.value.length > 0 || avoided.value.length > 0 || equal.value !== undefined)
  /** A review goes on: the quick look at every position, or the deep one after it. */
  const reviewing = shallowRef<'quick' | 'deep'>()
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
    if (kept.size > KEPT_POSITIONS) {
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
      const busy = sweep.value !== undefined || reviewing.value !== undefined
      const done = line.every(node => graphs.value.get(gameId)?.has(node))
      if (wanted.value && games.activeId === gameId && !busy && !done) void sweepGame(1)
    }, GRAPH_AFTER_MS))
  }

  function receiveGraph(update: GraphUpdate): void {
    const values = new Map(graphs.value.get(update.gameId))
    for (const value of update.values) {
      const before = values.get(value.nodeId)
      if (!before || value.visits >= before.visits) values.set(value.nodeId, value)
    }
    graphs.value = new Map(graphs.value).set(update.gameId, values)
    if (update.total > 0 && update.done < update.total) sweep.value = { gameId: update.gameId, done: update.done, total: update.total }
    else if (sweep.value?.gameId === update.gameId && (update.total > 0 || update.done > 0)) {
      sweep.value = undefined
      if (update.total === 0) afterSweep(update.gameId)
    }
  }

  /** After the quick look at the whole game the deep one begins, if a review was asked for. */
  function afterSweep(gameId: string): void {
    if (reviewing.value === 'quick' && games.activeId === gameId) {
      reviewing.value = 'deep'
      void sweepGame(settings.preferences.reviewVisits)
    } else reviewing.value = undefined
  }

  const engineNewsNow = (): number => engineNews

  /** Takes the status of an answer, unless something newer was told since the question. */
  function adoptEngine(status: EngineStatus, since: number): void {
    if (engineNews === since) receiveEngine(status)
  }

  function receiveEngine(status: EngineStatus): void {
    engineNews++
    // What another network thought is not shown as this one's opinion.
    if (engine.value.network && status.network && status.network !== engine.value.network) {
      kept.clear()
      latest.value = undefined
      graphs.value = new Map()
      swept.clear()
    }
    engine.value = status
  }

  /** Looks at other moves from now on; what was found before stays on the screen until something new is there. */
  async function restrict(only: readonly number[], without: readonly number[]): Promise<void> {
    region.value = only
    avoided.value = without
    equal.value = undefined
    if (wanted.value) await turn(true)
  }

  /** Gives moves of this position the same number of visits, or goes back to the usual search. */
  async function compareMoves(moves: EqualVisits | undefined): Promise<void> {
    if (moves && settings.settings.analysisEngine !== '') {
      notices.show({ tone: 'info', title: say('notice.onlyNetworkEqual') })
      return
    }
    equal.value = moves
    await turn(true)
  }
  /** Brings all candidates to the visits of the most visited one. */
  async function equalise(): Promise<void> {
    const candidates = shown.value?.candidates.filter(candidate => candidate.visits > 0) ?? []
    const nodeId = games.position?.nodeId
    if (candidates.length === 0) notices.show({ tone: 'info', title: say('notice.noCandidates') })
    else if (nodeId !== undefined) await compareMoves({ nodeId, moves: candidates.map(candidate => candidate.vertex), visits: Math.max(LEAST_EQUAL_VISITS, ...candidates.map(candidate => candidate.visits)) })
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
    // The back end forgets it by itself.
    equal.value = undefined
    if (avoided.value.length > 0) void restrict(region.value, [])
  })
  watch(() => games.activeId, () => {
    region.value = []
    reviewing.value = undefined
  }, { flush: 'sync' })
  watch(() => settings.preferences.candidateOwnership && settings.preferences.ownership !== 'off', () => { if (wanted.value) void turn(true) })

  // Whoever goes back to a position sees at once what was found there.
  watch([() => games.activeId, () => games.position?.nodeId], ([gameId, nodeId]) => {
    latest.value = gameId === undefined || nodeId === undefined ? undefined : kept.get(keyOf(gameId, nodeId))
  })
  watch(() => games.activeId, (gameId, before) => {
    if (wanted.value && gameId !== undefined && gameId !== before) void turn(true)
  })

  async function turn(running: boolean): Promise<void> {
    wanted.value = running
    const gameId = games.activeId
    if (gameId === undefined) return
    const since = engineNewsNow()
    const answer = await backend.call('set_analysis', {
      gameId, running, visits: settings.settings.visits, allow: [...region.value], avoid: [...avoided.value],
      candidateOwnership: settings.preferences.candidateOwnership && settings.preferences.ownership !== 'off',
      equal: equal.value ?? null,
    })
    if (answer.status === 'ok') {
      adoptEngine(answer.data, since)
      return
    }
    if (answer.error.kind === 'engineUnavailable') {
      engine.value = { ...engine.value, state: { kind: 'failed', message: answer.error.message, hint: answer.error.hint } }
    } else notices.failed(answer.error, 'notice.noAnalysis')
    wanted.value = false
  }

  const toggle = (): Promise<void> => turn(!wanted.value)

  /** Evaluates every move of the line on the board. */
  async function sweepGame(visits: number): Promise<void> {
    const gameId = games.activeId
    if (gameId === undefined) return
    const answer = await backend.call('sweep_game', { gameId, visits })
    if (answer.status === 'error') {
      reviewing.value = undefined
      notices.failed(answer.error, 'notice.noAnalysis')
    }
  }

  /** Looks quickly at every position of the line, then again with more visits on each. */
  async function review(): Promise<void> {
    reviewing.value = 'quick'
    await sweepGame(1)
  }

  /** Ends the evaluation of the whole game; what it found stays. */
  async function stopSweep(): Promise<void> {
    reviewing.value = undefined
    // Nor does it begin again by itself.
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    const answer = await backend.call('stop_sweep', {})
    if (answer.status === 'error') notices.failed(answer.error)
  }

  function $reset(): void {
    engine.value = NO_ENGINE
    wanted.value = false
    latest.value = undefined
    graphs.value = new Map()
    sweep.value = undefined
    region.value = []
    avoided.value = []
    equal.value = undefined
    reviewing.value = undefined
    kept.clear()
    swept.clear()
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  return { engine, wanted, latest, shown, graphs, graph, sweep, failed, region, avoided, equal, restricted, reviewing, compareMoves, equalise, sweepMoves, lookAt, avoid, lookAtAll, review, stopSweep, receive, receiveGraph, receiveEngine, adoptEngine, engineNewsNow, turn, toggle, sweepGame, $reset }
})
