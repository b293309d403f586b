import type { GraphValue, Side } from '@/api'
import type { MadeMove } from '@/features/play'

/** Visits of each position from which a game is summed up: one alone is too noisy to blame a move. */
export const SUMMARY_VISITS = 4

/** A chance to win from which a side is ahead. */
const AHEAD = 0.65
/** Points that a move must lose to be called the largest swing. */
const SWING_FROM = 2
/** The chance to win and the points that a turning point costs at least. */
const TURN_FROM = 0.08
const TURN_POINTS = 1
const MAX_TURNS = 5
/** Positions at the start in which a lead is one from the start. */
const START = 2

/** Who was ahead, when. */
export type Course =
  | { readonly kind: 'even' }
  | { readonly kind: 'allAlong', readonly leader: Side }
  /** The side took the lead at a move and kept it. */
  | { readonly kind: 'from', readonly leader: Side, readonly move: number }
  /** The lead went from one side to the other so many times. */
  | { readonly kind: 'changed', readonly leader: Side, readonly move: number, readonly changes: number }
  /** The side was ahead before, and nobody was at the end. */
  | { readonly kind: 'evened', readonly leader: Side }
  | { readonly kind: 'open', readonly changes: number }

/** A move that cost its player much. */
export interface Turn extends MadeMove {
  /** The node before the move. */
  readonly before: number
  /** Points. */
  readonly lost: number
}

export interface Summary {
  readonly course: Course
  /** The move that lost most, if any lost enough. */
  readonly swing: Turn | undefined
  /** The moves that cost most of the chance to win, in the order of the game. */
  readonly turns: readonly Turn[]
}

/** The nodes that must be evaluated: all but those after the passes at the end. */
export function nodesToKnow(root: number, moves: readonly MadeMove[]): number[] {
  let played = moves.length
  while (played > 0 && moves[played - 1]?.point === null) played--
  return [root, ...moves.slice(0, played).map(move => move.nodeId)]
}

/** How many of the nodes are known well enough. */
export function knownOf(nodes: readonly number[], values: ReadonlyMap<number, GraphValue> | undefined): number {
  return nodes.filter(node => (values?.get(node)?.visits ?? 0) >= SUMMARY_VISITS).length
}

/** What happened in a game; undefined until every position of it is known. */
export function summaryOf(root: number, moves: readonly MadeMove[], values: ReadonlyMap<number, GraphValue> | undefined): Summary | undefined {
  const nodes = nodesToKnow(root, moves)
  if (nodes.length < 2 || !values || knownOf(nodes, values) < nodes.length) return undefined
  const chances = nodes.map(node => values.get(node)?.blackWinProb ?? 0.5)
  const turns: (Turn & { cost: number })[] = []
  moves.slice(0, nodes.length - 1).forEach((move, index) => {
    const before = nodes[index] ?? root
    const color = move.side === 'black' ? 1 : -1
    const [leadBefore, leadAfter] = [values.get(before)?.blackScoreLead, values.get(move.nodeId)?.blackScoreLead]
    if (typeof leadBefore !== 'number' || typeof leadAfter !== 'number') return
    // A story needs the great swings alone: the difference of the leads is near enough for them, without a verdict.
    const lost = (leadBefore - leadAfter) * color
    turns.push({ ...move, before, lost, cost: ((chances[index] ?? 0.5) - (chances[index + 1] ?? 0.5)) * color })
  })
  const swing = turns.reduce<Turn | undefined>((most, turn) => turn.lost >= SWING_FROM && turn.lost > (most?.lost ?? 0) ? turn : most, undefined)
  const dearest = turns.filter(turn => turn.cost >= TURN_FROM && turn.lost >= TURN_POINTS).sort((a, b) => b.cost - a.cost).slice(0, MAX_TURNS)
  return { course: courseOf(chances), swing, turns: dearest.sort((a, b) => a.number - b.number) }
}

/** Who was ahead, from Black's chance to win after each number of moves. */
export function courseOf(chances: readonly number[]): Course {
  const leaders = chances.map((chance): Side | undefined => chance >= AHEAD ? 'black' : chance <= 1 - AHEAD ? 'white' : undefined)
  const led = leaders.filter(leader => leader !== undefined)
  const changes = led.filter((leader, index) => index > 0 && leader !== led[index - 1]).length
  const last = leaders.at(-1)
  const before = led.at(-1)
  if (before === undefined) return { kind: 'even' }
  if (last === undefined) return changes > 0 ? { kind: 'open', changes } : { kind: 'evened', leader: before }
  let move = leaders.length - 1
  while (move > 0 && leaders[move - 1] === last) move--
  if (changes > 0) return { kind: 'changed', leader: last, move, changes }
  return move <= START ? { kind: 'allAlong', leader: last } : { kind: 'from', leader: last, move }
}
