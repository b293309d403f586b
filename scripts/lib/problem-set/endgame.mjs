// The endgame on small boards with few open points.
//
// Every line is read until both pass and counted by area with all stones standing, so that dead ones have to be taken.
// Who repeats a position is taken to lose by it, or to win: a move is best only if it is so both ways, so no ko decides.

import { BLACK, WHITE, other } from './board.mjs'

export const PASS = -1
/** What a repetition counts for the solver. */
const [LOST, WON] = [-1000, 1000]

/** Whose each point is for good: chains that live by themselves, and what they surround. After David B. Benson (1976). */
function settled(cells, near) {
  const owner = new Uint8Array(cells.length)
  for (const color of [BLACK, WHITE]) {
    const { chainOf, count, regions } = parts(cells, near, color)
    let alive = new Array(count).fill(true)
    let left = regions
    for (;;) {
      const eyes = new Array(count).fill(0)
      for (const { vital } of left) for (const chain of vital) eyes[chain]++
      const next = alive.map((lives, chain) => lives && eyes[chain] >= 2)
      const kept = left.filter(({ border }) => border.every((chain) => next[chain]))
      if (kept.length === left.length && next.every((lives, chain) => lives === alive[chain])) break
      alive = next
      left = kept
    }
    for (let at = 0; at < cells.length; at++) if (cells[at] === color && alive[chainOf[at]]) owner[at] = color
    for (const { points, vital } of left) if (vital.some((chain) => alive[chain])) for (const at of points) owner[at] = color
  }
  return owner
}

/** The chains of a colour, and the connected points without it: `border` are the chains around, `vital` those that reach every empty point. */
function parts(cells, near, color) {
  const chainOf = new Int8Array(cells.length).fill(-1)
  const flood = (from, isIn, mark) => {
    const points = [from]
    mark(from)
    for (let index = 0; index < points.length; index++) for (const next of near[points[index]]) if (isIn(next)) {
      mark(next)
      points.push(next)
    }
    return points
  }
  let count = 0
  for (let at = 0; at < cells.length; at++) if (cells[at] === color && chainOf[at] < 0) {
    flood(at, (to) => cells[to] === color && chainOf[to] < 0, (to) => { chainOf[to] = count })
    count++
  }
  const seen = new Uint8Array(cells.length)
  const regions = []
  for (let at = 0; at < cells.length; at++) if (cells[at] !== color && !seen[at]) {
    const points = flood(at, (to) => cells[to] !== color && !seen[to], (to) => { seen[to] = 1 })
    const border = new Set()
    let vital
    for (const point of points) {
      const beside = near[point].map((to) => chainOf[to]).filter((chain) => chain >= 0)
      beside.forEach((chain) => border.add(chain))
      if (cells[point] === 0) vital = vital ? vital.filter((chain) => beside.includes(chain)) : [...new Set(beside)]
    }
    regions.push({ points, border: [...border], vital: vital ?? [] })
  }
  return { chainOf, count, regions }
}

/** The stones of the chain on a point; none where it has a liberty. */
function captured(cells, near, at) {
  const color = cells[at]
  const stones = [at]
  const seen = new Uint8Array(cells.length)
  seen[at] = 1
  for (let index = 0; index < stones.length; index++) {
    for (const next of near[stones[index]]) {
      if (cells[next] === 0) return []
      if (cells[next] === color && !seen[next]) {
        seen[next] = 1
        stones.push(next)
      }
    }
  }
  return stones
}

function played(cells, near, color, at) {
  const made = cells.slice()
  made[at] = color
  for (const next of near[at]) if (made[next] === other(color)) for (const stone of captured(made, near, next)) made[stone] = 0
  return captured(made, near, at).length > 0 ? undefined : made
}

/** The solver's points minus the other side's. */
function lead(cells, near, solver) {
  let sum = 0
  const seen = new Uint8Array(cells.length)
  for (let from = 0; from < cells.length; from++) {
    if (cells[from] !== 0) sum += cells[from] === solver ? 1 : -1
    if (cells[from] !== 0 || seen[from]) continue
    const points = [from]
    let colors = 0
    seen[from] = 1
    for (let index = 0; index < points.length; index++) {
      for (const next of near[points[index]]) {
        colors |= cells[next]
        if (cells[next] === 0 && !seen[next]) {
          seen[next] = 1
          points.push(next)
        }
      }
    }
    if (colors === BLACK || colors === WHITE) sum += colors === solver ? points.length : -points.length
  }
  return sum
}

/** What positions are worth for the solver. */
class Reading {
  constructor(board, solver, repetition) {
    this.near = board.near
    this.solver = solver
    this.repetition = repetition
    this.known = new Map()
    this.path = new Set([board.cells.join('')])
    this.positions = 0
  }

  /** The worth between two bounds, or a bound of it. */
  read(cells, mover, passes, low, high) {
    if (passes === 2) return lead(cells, this.near, this.solver)
    const name = cells.join('')
    if (passes === 0 && this.path.has(name)) return this.repetition
    const key = `${name}${mover}${passes}`
    let known = this.known.get(key)
    if (!known) {
      this.positions++
      known = this.bounds(cells)
    }
    if (known.low >= high || known.low === known.high) return known.low
    if (known.high <= low) return known.high
    const isNew = !this.path.has(name)
    if (isNew) this.path.add(name)
    const isMax = mover === this.solver
    let [best, a, b, first] = [isMax ? -Infinity : Infinity, low, high]
    for (const at of this.moves(cells, mover, known)) {
      const next = at === PASS ? cells : played(cells, this.near, mover, at)
      if (!next) continue
      const worth = this.read(next, other(mover), at === PASS ? passes + 1 : 0, a, b)
      if (isMax ? worth > best : worth < best) [best, first] = [worth, at]
      if (isMax) a = Math.max(a, best)
      else b = Math.min(b, best)
      if (a >= b) break
    }
    if (isNew) this.path.delete(name)
    this.known.set(key, { open: known.open, low: best > low ? Math.max(best, known.low) : known.low, high: best < high ? Math.min(best, known.high) : known.high, first })
    return best
  }

  /** What is settled counts; where nothing is open that is all. A move on settled ground is a pass. */
  bounds(cells) {
    const owner = settled(cells, this.near)
    const open = []
    let sum = 0
    for (let at = 0; at < cells.length; at++) {
      if (owner[at] === 0) open.push(at)
      else sum += owner[at] === this.solver ? 1 : -1
    }
    return { open, low: sum - open.length, high: sum + open.length, first: undefined }
  }

  /** The points at stake, likely ones first, and a pass. */
  moves(cells, mover, { open, first }) {
    const weight = (at) => (at === first ? 10 : 0) + this.near[at].filter((to) => cells[to] === other(mover)).length
    const points = open.filter((at) => cells[at] === 0).map((at) => [at, weight(at)]).sort((one, two) => two[1] - one[1]).map(([at]) => at)
    return first === PASS ? [PASS, ...points] : [...points, PASS]
  }

  /** Whether a first move is worth so many points at least. */
  isWorth(board, at, points) {
    const next = at === PASS ? board.cells : played(board.cells, this.near, this.solver, at)
    return this.read(next, other(this.solver), at === PASS ? 1 : 0, points - 1, points) >= points
  }

  /** The reply that keeps a first move below so many points. */
  reply(board, at, points) {
    const next = at === PASS ? board.cells : played(board.cells, this.near, this.solver, at)
    if (this.isWorth(board, at, points)) return undefined
    return this.known.get(`${next.join('')}${other(this.solver)}${at === PASS ? 1 : 0}`)?.first
  }
}

/**
 * The answers of a position in which one move alone is worth the most, a pass included, whatever is repeated. The reply to
 * a wrong one is what keeps it below the best; `cost` is how much was read.
 */
export function readThrough(board, solver) {
  const [low, high] = [LOST, WON].map((repetition) => new Reading(board, solver, repetition))
  const moves = [...board.legal(solver), PASS]
  const { low: least, open } = low.bounds(board.cells)
  // On settled ground no move gains anything, and filling an eye takes long to read unless it only has to be refuted.
  let [worth, best] = [least, moves.filter((at) => open.includes(at) || at === PASS)]
  for (;;) {
    const better = best.filter((at) => low.isWorth(board, at, worth + 1))
    if (better.length === 0) break
    best = better
    worth++
  }
  const others = moves.filter((at) => at !== best[0])
  if (best.length !== 1 || others.some((at) => high.isWorth(board, at, worth))) throw new Error('no move is better than all others')
  const answers = [{ at: best[0], right: true }, ...others.map((at) => ({ at, right: false, reply: high.reply(board, at, worth) }))]
  return { answers: answers.sort((one, two) => one.at - two.at), cost: low.positions + high.positions }
}
