import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useBackend, type CandidateView, type Failure, type NetworkComparison, type Side } from '@/api'
import type { CandidateDisc, DiscText } from '@/features/board'
import { useGames } from '@/features/game'
import { discFigure } from './figures'
import { useAnalysis } from './store'

/** Milliseconds that the board has to stand still before two networks are asked about it. */
const PAUSE_MS = 150
/** Moves of each network that are listed. */
const MAX_MOVES = 8

/** One thought each, or a search of so many visits. */
export const COMPARISON_VISITS = [1, 50, 200, 1000] as const

/** A move with what both networks think of it. */
export interface ComparedMove {
  readonly vertex: number | null
  readonly first: CandidateView | undefined
  readonly second: CandidateView | undefined
}

/** The moves of both networks, those of the first one before those that the second alone thinks of. */
export function comparedMoves({ first, second }: NetworkComparison): ComparedMove[] {
  const of = (candidates: readonly CandidateView[], vertex: number | null): CandidateView | undefined => candidates.find(candidate => candidate.vertex === vertex)
  const vertices = new Set([...first.candidates.slice(0, MAX_MOVES), ...second.candidates.slice(0, MAX_MOVES)].map(candidate => candidate.vertex))
  return [...vertices].map(vertex => ({ vertex, first: of(first.candidates, vertex), second: of(second.candidates, vertex) }))
}

/**
 * The moves of both networks as discs for the board: the figure of the one in use above that of the other. Colour and
 * ring are those of the network in use; where it does not think of a move, the other's.
 */
export function comparedDiscs(comparison: NetworkComparison, toMove: Side): CandidateDisc[] {
  const { first, second } = comparison
  const searched = first.candidates.some(candidate => candidate.visits > 0)
  const figure = (candidate: CandidateView | undefined): DiscText => candidate ? discFigure(searched ? 'winRate' : 'prior', candidate, toMove) : { text: '–', short: '–' }
  const weigh = (candidate: CandidateView | undefined): number => candidate ? searched ? candidate.visits : candidate.prior : 0
  const most = Math.max(...[...first.candidates, ...second.candidates].map(weigh), Number.MIN_VALUE)
  return comparedMoves(comparison).flatMap(({ vertex, first: mine, second: others }) => vertex === null
    ? []
    : [{
        point: vertex, loss: (mine ?? others)?.pointsLost ?? 0, best: mine?.order === 0, weight: Math.max(weigh(mine), weigh(others)) / most,
        figures: [figure(mine), figure(others)],
      }])
}

/** A second network beside the one in use, asked about the position on the board as long as somebody looks. */
export const useComparison = defineStore('comparison', () => {
  const backend = useBackend()
  const games = useGames()
  const analysis = useAnalysis()

  /** The file of the second network; empty until one is chosen. */
  const network = shallowRef('')
  const visits = shallowRef<number>(COMPARISON_VISITS[0])
  /** Whose moves a network of human style is asked for; empty for the strongest. */
  const profile = shallowRef('')
  const open = shallowRef(false)
  const asking = shallowRef(false)
  const failure = shallowRef<Failure>()
  const answer = shallowRef<{ position: string, comparison: NetworkComparison }>()

  // Stones and not nodes: a position that is set up changes within one node.
  const position = computed(() => games.activeId === undefined || !games.position
    ? ''
    : `${games.activeId} ${games.position.nodeId} ${games.position.toMove} ${games.position.stones.join()}`)
  /** What was found belongs to the position on the board. */
  const fresh = computed(() => answer.value?.position === position.value)
  const comparison = computed(() => answer.value?.comparison)
  /** A move as the network in use sees it, or else the other one. */
  function candidate(vertex: number | null): CandidateView | undefined {
    const found = comparison.value && comparedMoves(comparison.value).find(move => move.vertex === vertex)
    return found?.first ?? found?.second
  }

  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: Promise<unknown> = Promise.resolve()

  async function ask(): Promise<void> {
    const gameId = games.activeId
    if (!open.value || network.value === '' || gameId === undefined) return
    const ticket = ++latest
    const asked = position.value
    asking.value = true
    const question = backend.call('compare_networks', { gameId, network: network.value, visits: visits.value, profile: profile.value })
    pending = question
    const found = await question
    if (ticket !== latest) return
    asking.value = false
    if (found.status === 'ok') {
      failure.value = undefined
      // A step that was under way may have been taken before the question or after it.
      if (found.data.nodeId === games.position?.nodeId && asked === position.value) answer.value = { position: asked, comparison: found.data }
      else askSoon()
    } else if (found.error.kind !== 'cancelled') failure.value = found.error
  }

  function askSoon(): void {
    clearTimeout(timer)
    if (open.value) timer = setTimeout(() => void ask(), PAUSE_MS)
  }
  watch([position, visits, profile, () => analysis.engine.network], askSoon)
  watch(network, () => {
    answer.value = undefined
    failure.value = undefined
    askSoon()
  })

  function show(): void {
    open.value = true
    askSoon()
  }

  /** Nobody looks any more: the second network is let go of. */
  async function close(): Promise<void> {
    clearTimeout(timer)
    open.value = false
    latest++
    asking.value = false
    answer.value = undefined
    failure.value = undefined
    if (network.value === '') return
    const unanswered = pending
    await backend.call('end_comparison', {})
    // A question that was under way may have been taken up after that.
    await unanswered
    if (!open.value) await backend.call('end_comparison', {})
  }

  function $reset(): void {
    clearTimeout(timer)
    open.value = false
    network.value = ''
    answer.value = undefined
    failure.value = undefined
  }

  return { network, visits, profile, open, asking, failure, fresh, comparison, candidate, ask, show, close, $reset }
})
