import type { AnalysisUpdate, CandidateView, GraphValue } from '../bindings'
import { neighbours } from '../points'
import type { FakeGame } from './game'

/** A number in 0..1 that belongs to its seeds. */
export function chance(...seeds: number[]): number {
  let mixed = 0x811c9dc5
  for (const seed of seeds) {
    mixed = Math.imul(mixed ^ seed, 0x01000193)
    mixed ^= mixed >>> 13
    mixed = Math.imul(mixed, 0x5bd1e995)
  }
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}

/** A smooth story of the game: the lead wanders with the move number and settles towards the end. */
export function pretendedValue(game: FakeGame, nodeId: number, visits: number): GraphValue & { blackScoreLead: number } {
  let depth = 0
  for (let node = game.node(nodeId); node.id !== 0; node = game.node(node.parent)) depth++
  const off = game.node(nodeId).id > 400 ? chance(nodeId) * 6 - 3 : 0
  // Now and then somebody errs, and the other gives part of it back later.
  let slips = 0
  for (let move = Math.max(1, depth - 40); move <= depth; move++) {
    if (chance(move, 5) > 0.94) slips += (move % 2 === 0 ? 1 : -1) * (2 + 9 * chance(move, 6)) * (1 - (depth - move) / 41)
  }
  const lead = slips + 6 * Math.sin(depth / 29) + 3.4 * Math.sin(depth / 11 + 1) + 1.8 * Math.sin(depth / 4.3) + off + Math.min(4, depth / 70)
  return { nodeId, blackWinProb: 1 / (1 + Math.exp(-lead / 4.2)), blackScoreLead: lead, visits }
}

/** What a search would look like after so many visits. */
export function pretendedAnalysis(game: FakeGame, visits: number, sequence: number, running: boolean): AnalysisUpdate {
  const view = game.view()
  const { width, height } = game
  const value = pretendedValue(game, view.nodeId, visits)
  const mover = view.toMove === 'black' ? 1 : -1
  const legal = view.legal.flatMap((may, point) => may ? [point] : [])
  const liking = (point: number): number => {
    const x = point % width
    const y = Math.floor(point / width)
    const edge = Math.min(x, y, width - 1 - x, height - 1 - y)
    const near = view.lastMove === null ? 0 : Math.max(0, 6 - Math.hypot(x - view.lastMove % width, y - Math.floor(view.lastMove / width)))
    const touching = neighbours(point, { width, height }).filter(other => view.stones[other]).length
    return chance(point, view.nodeId) * 5 + near * 0.7 + (edge === 2 || edge === 3 ? 2.4 : edge === 0 ? -3 : 0) + (touching === 1 ? 0.8 : touching > 2 ? -2 : 0)
  }
  const ranked = legal.map(point => ({ point, score: liking(point) })).sort((a, b) => b.score - a.score)
  const shown = ranked.slice(0, Math.min(12, 2 + Math.floor(Math.log2(visits + 1) * 1.4)))
  const candidates = shown.map(({ point }, order): CandidateView => {
    const pointsLost = order === 0 ? 0 : (order * 0.45 + chance(point, 7) * order * 0.55) * (order > 6 ? 1.9 : 1)
    const line = [point, ...ranked.filter(other => other.point !== point).slice(0, 11).map(other => other.point)
      .sort((a, b) => chance(a, point) - chance(b, point))]
    const lead = value.blackScoreLead - mover * pointsLost + chance(point, sequence) * 0.04
    return {
      vertex: point, visits: Math.max(1, Math.round(visits * 0.55 / (1 + order * order * 0.55))),
      blackWinProb: 1 / (1 + Math.exp(-lead / 4.2)), blackScoreLead: lead, scoreStdev: 9, prior: 0.42 / (1 + order),
      lcbForMover: 0.5, pointsLost, order, pv: line,
      blackOwnership: order < 6 ? pretendedOwnership(view.stones.map((stone, at) => at === point ? mover : stone), width, height) : [],
    }
  })
  return {
    gameId: game.gameId, nodeId: view.nodeId, sequence, focus: 0, visits, visitsPerSecond: 412 + 6 * chance(sequence),
    blackWinProb: value.blackWinProb, blackScoreLead: value.blackScoreLead, scoreStdev: 9.4,
    candidates, blackOwnership: pretendedOwnership(view.stones, width, height),
    policy: pretendedPolicy(view.legal, ranked.map(({ point }) => point)), running,
  }
}

/** The best thoughts share most of the chance. */
function pretendedPolicy(legal: readonly number[], ranked: readonly number[]): number[] {
  const policy: number[] = legal.map(may => may ? 0 : -1)
  ranked.forEach((point, order) => { policy[point] = Math.round(320 * 0.72 ** order) })
  return policy
}

// Reports come ten times a second on one position: pretending must not take the time of the window that is looked at.
const ownerships = new Map<string, number[]>()

/** Stones shine on their surroundings. */
function pretendedOwnership(stones: readonly number[], width: number, height: number): number[] {
  const key = `${width} ${stones.join('')}`
  const known = ownerships.get(key)
  if (known) return known
  const beside = stones.map((_, point) => neighbours(point, { width, height }))
  let field: number[] = stones.map(stone => stone * 100)
  for (let round = 0; round < 14; round++) {
    field = field.map((own, point) => {
      const around = beside[point] ?? []
      const mean = around.reduce((sum, other) => sum + (field[other] ?? 0), 0) / around.length
      const stone = stones[point] ?? 0
      return stone ? 0.75 * stone * 100 + 0.25 * mean : own * 0.25 + mean * 0.8
    })
  }
  const made = field.map(value => Math.round(Math.max(-100, Math.min(100, value))))
  if (ownerships.size > 400) ownerships.clear()
  ownerships.set(key, made)
  return made
}
