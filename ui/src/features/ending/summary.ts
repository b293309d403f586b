import type { GraphValue, LineReview, Side, Vertex } from '@/api'
import type { MadeMove } from '@/features/play'

/** A chance to win from which a side is ahead. */
const AHEAD = 0.65
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

/** A move that the back end has judged. */
export interface Turn extends MadeMove {
  /** Points that it lost. */
  readonly lost: number
  /** What the engine would have played. */
  readonly best: Vertex
}

export interface Summary {
  readonly course: Course
  /** The mistake that lost most: of the side that lost the game, where one did. */
  readonly swing: Turn | undefined
  /** The moves that cost most of the chance to win, in the order of the game. */
  readonly turns: readonly Turn[]
}

/** How many moves were played before the passes at the end. */
export function movesBeforePasses(moves: readonly MadeMove[]): number {
  let played = moves.length
  while (played > 0 && moves[played - 1]?.point === null) played--
  return played
}

/** The nodes that must be evaluated: all but those after the passes at the end. */
export function nodesToKnow(root: number, moves: readonly MadeMove[]): number[] {
  return [root, ...moves.slice(0, movesBeforePasses(moves)).map(move => move.nodeId)]
}

/**
 * What happened in a game; undefined until every position of it is known. Which moves are mistakes, and which of them decided
 * the game, is the back end's review.
 */
export function summaryOf(
  root: number, moves: readonly MadeMove[], values: ReadonlyMap<number, GraphValue> | undefined, review: LineReview | undefined, loser?: Side,
): Summary | undefined {
  const nodes = nodesToKnow(root, moves)
  const known = nodes.flatMap(node => values?.get(node) ?? [])
  if (nodes.length < 2 || known.length < nodes.length) return undefined
  const made = new Map(moves.map(move => [move.nodeId, move]))
  const mistakes = (review?.mistakes ?? []).flatMap(({ nodeId, pointsLost: lost, best }): Turn[] => {
    const move = made.get(nodeId)
    return move ? [{ ...move, lost, best }] : []
  })
  const decided = new Set(review?.turningPoints)
  const turns = mistakes.filter(({ nodeId }) => decided.has(nodeId)).sort((a, b) => a.number - b.number)
  // A pass that was a mistake is part of the story: who it gave the game, the result says.
  const passes = moves.slice(movesBeforePasses(moves))
  const lastWord = loser !== undefined && passes.some(({ nodeId }) => mistakes.some(mistake => mistake.nodeId === nodeId))
    ? [...passes.slice(0, -1).flatMap(({ nodeId }) => values?.get(nodeId)?.blackWinProb ?? []), loser === 'black' ? 0 : 1]
    : []
  return { course: courseOf([...known.map(value => value.blackWinProb), ...lastWord]), swing: mistakes.find(({ side }) => loser === undefined || side === loser), turns }
}

/** Who was ahead, from Black's chance to win after each number of moves. A lead that lasted for one move was none. */
export function courseOf(chances: readonly number[]): Course {
  const seeming = chances.map((chance): Side | undefined => chance >= AHEAD ? 'black' : chance <= 1 - AHEAD ? 'white' : undefined)
  const leaders = seeming.map((leader, index) => index === seeming.length - 1 || leader === seeming[index - 1] || leader === seeming[index + 1] ? leader : undefined)
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
