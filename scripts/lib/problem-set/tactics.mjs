// Positions about taking and saving stones: random ones that ask for one move, without the stones that nobody needs.

import { BLACK, Board, WHITE, turned } from './board.mjs'
import { Capture, TooLong } from './capture.mjs'
import { SHAPES } from './shapes.mjs'

/** Moves without atari that the attacker is granted in all; a position that is kept has the same answers with one more. */
export const SPARE = 1

/** A first move is right: the stones are taken, or stay. */
export function isRight(board, { goal, targets, solver }, at, capture, spare = SPARE) {
  const made = board.play(solver, at)
  if (!made) return false
  if (goal === 'now') return made.taken.length > 0
  if (goal === 'take') {
    if (made.taken.some((stone) => targets.includes(stone))) return made.board.ko < 0
    return !capture.defend(made.board, spare - 1)
  }
  return !capture.attack(made.board, spare)
}

export const searchOf = ({ goal, targets, solver }, limit) => new Capture(targets, goal === 'save' ? 3 - solver : solver, limit)

/** The right first moves; more than `most` are not counted. */
export function rightMoves(board, question, most = Infinity) {
  const capture = searchOf(question)
  const found = []
  for (const at of board.legal(question.solver)) {
    if (isRight(board, question, at, capture)) found.push(at)
    if (found.length > most) break
  }
  return found
}

/** What the stones come to where the solver passes: a problem asks for a move. */
function isOpen(board, question) {
  if (question.goal === 'now') return true
  const capture = searchOf(question)
  return question.goal === 'take' ? capture.defend(board, SPARE - 1) : capture.attack(board, SPARE)
}

/** With one move more for the attacker, the same moves are right. */
function isSure(board, question) {
  if (question.goal === 'now') return true
  const capture = searchOf(question, 400_000)
  const less = searchOf(question)
  return board.legal(question.solver).every((at) => isRight(board, question, at, less) === isRight(board, question, at, capture, SPARE + 1))
}

/** The right moves, where a move is asked for and no more than `most` are right. */
export function theMoves(board, question, most) {
  if (!board.isSound() || !isOpen(board, question)) return []
  const found = rightMoves(board, question, most)
  return found.length > most ? [] : found
}

const chainsBeside = (board, at, color) => new Set(board.near[at].filter((side) => board.cells[side] === color).map((side) => Math.min(...board.chain(side).stones)))

/** How long the stones hold out after the first move, counted in the attacker's moves, where each of these is an atari. */
export function ladderLength(board, question, at) {
  const capture = searchOf(question)
  let { board: now } = board.play(question.solver, at)
  let length = 1
  for (; length < 30; length++) {
    const [chain] = capture.chains(now)
    if (!chain || chain.liberties.length !== 1) return chain ? 0 : length
    const reply = now.play(3 - question.solver, chain.liberties[0])
    if (!reply) return length + 1
    now = reply.board
    const next = now.chain(chain.stones[0])
    const way = next.liberties.length === 1
      ? next.liberties
      : next.liberties.length === 2 ? next.liberties.filter((to) => { const made = now.play(question.solver, to); return made && !capture.defend(made.board, SPARE - 1) }) : []
    if (way.length === 0) return 0
    now = now.play(question.solver, way[0]).board
  }
  return length
}

/** One of the two ataris takes the stones, each move after it an atari too. */
function hasAtari(board, question) {
  const capture = searchOf(question)
  return board.chain(question.targets[0]).liberties.filter((at) => {
    const made = board.play(question.solver, at)
    return made && !capture.defend(made.board, 0)
  }).length === 1
}

/** The stone that is played is taken, and what took it is taken back. */
function isSnapback(board, { solver, targets: [target] }, at) {
  const made = board.play(solver, at)
  if (!made || made.taken.length > 0) return false
  const thrown = made.board.chain(at)
  if (thrown.stones.length > 1 || thrown.liberties.length !== 1 || made.board.chain(target).liberties.length !== 1) return false
  const reply = made.board.play(3 - solver, thrown.liberties[0])
  if (!reply || reply.taken.length !== 1) return false
  const { liberties, stones } = reply.board.chain(target)
  return liberties.length === 1 && stones.length >= 3
}

/** What a theme asks for beside one right move; `mayBe` is quick, and leaves out most that do not. */
const KINDS = {
  capture: { side: 5, goal: 'now', fits: (board, { solver }, at) => board.play(solver, at).taken.length > 0 },
  atari: { side: 7, scattered: true, goal: 'take', liberties: [2], most: 3, mayBe: hasAtari, fits: (board, question, at) => { const length = ladderLength(board, question, at); return length > 0 && length <= 3 } },
  escape: { side: 7, goal: 'save', liberties: [1], fits: () => true },
  ladder: { side: 7, goal: 'take', liberties: [2], most: 3, mayBe: hasAtari, fits: (board, question, at) => ladderLength(board, question, at) >= 5 },
  net: { side: 7, goal: 'take', liberties: [2], mayBe: (board, question) => board.chain(question.targets[0]).stones.length <= 3 && !hasAtari(board, question), fits: (board, question, at) => board.play(question.solver, at).board.chain(question.targets[0]).liberties.length >= 2 && board.chain(question.targets[0]).stones.length <= 3 },
  snapback: { side: 7, dense: 0.5, goal: 'take', liberties: [2], mayBe: (board, question) => board.chain(question.targets[0]).liberties.some((at) => isSnapback(board, question, at)), fits: isSnapback },
  connect: { side: 7, goal: 'save', liberties: [1, 2, 3], fits: (board, { solver }, at) => chainsBeside(board, at, solver).size >= 2 },
  cut: { side: 7, dense: 0.4, scattered: true, goal: 'take', liberties: [2, 3], most: 2, mayBe: (board, { solver }) => board.legal(solver).some((at) => chainsBeside(board, at, 3 - solver).size >= 2), fits: (board, { solver }, at) => chainsBeside(board, at, 3 - solver).size >= 2 && board.play(solver, at).taken.length === 0 },
  race: {
    side: 6, dense: 0.6, goal: 'take', liberties: [3], least: 3,
    mayBe: isRace,
    fits: isRace,
  },
}

/** The stones beside the target have three liberties at most, and are taken if the solver does not move. */
function isRace(board, { solver, targets }) {
  const target = board.chain(targets[0])
  const own = new Set(target.stones.flatMap((stone) => board.near[stone]).filter((at) => board.cells[at] === solver))
  return [...own].some((at) => {
    const chain = board.chain(at)
    return chain.stones.length >= 3 && chain.liberties.length <= 3 && new Capture([at], 3 - solver).attack(board, SPARE)
  })
}

/** A generator of numbers from 0 up to 1, the same for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function scattered(random, { side, dense = 0.25 }) {
  const board = new Board(side)
  const window = Math.min(side, 4 + Math.floor(random() * 2))
  const start = () => random() < 0.5 ? 0 : Math.floor(random() * (side - window + 1))
  const [left, top] = [start(), start()]
  const share = dense + random() * 0.3
  for (let y = top; y < top + window; y++) {
    for (let x = left; x < left + window; x++) if (random() < share) board.cells[y * side + x] = random() < 0.55 ? BLACK : WHITE
  }
  return board
}

/** Leaves the stones out without which the same move is still the only right one. */
function reduced(board, question, at, kind, random, fixed) {
  const order = Array.from(board.cells.keys()).filter((point) => board.cells[point] !== 0 && !fixed.has(point) && !question.targets.includes(point))
  order.sort(() => random() - 0.5)
  let now = board
  for (const point of order) {
    const less = now.copy()
    less.cells[point] = 0
    if (holds(less, question, at, kind)) now = less
  }
  return now
}

function holds(board, question, at, kind) {
  const least = kind.least ?? 1
  return board.isSound() && question.targets.every((target) => kind.goal === 'now' || kind.liberties.includes(board.chain(target).liberties.length) && board.chain(target).stones.length >= least)
    && theMoves(board, question, kind.most ?? 1).includes(at) && kind.fits(board, question, at)
}

/** A shape somewhere on the board, with some stones more. */
function placed(random, theme, side) {
  const rows = SHAPES[theme][Math.floor(random() * SHAPES[theme].length)].split('\n').map((row) => row.trim().split(' '))
  const among = (count) => Math.floor(random() * count)
  const edge = (room) => random() < 0.4 ? 0 : random() < 0.3 ? room : among(room + 1)
  const [left, top] = [edge(side - rows[0].length), edge(side - rows.length)]
  const plain = new Board(side)
  let target = -1
  rows.forEach((row, y) => row.forEach((cell, x) => {
    const at = (top + y) * side + left + x
    plain.cells[at] = cell === '.' ? 0 : cell === 'X' ? BLACK : WHITE
    if (cell === 'o' && target < 0) target = at
  }))
  const turn = among(8)
  const board = plain.mapped(turn, false)
  const at = Array.from(board.cells.keys()).find((point) => turned(point, side, turn) === target)
  const fixed = new Set(Array.from(board.cells.keys()).filter((point) => board.cells[point] !== 0))
  for (let count = among(4); count > 0; count--) {
    const point = among(board.area)
    if (board.cells[point] === 0) board.cells[point] = random() < 0.5 ? BLACK : WHITE
  }
  return { board, at, fixed }
}

/** A position in which a theme may be found, the target, and the stones that belong to it. */
function candidate(random, theme, kind) {
  if (SHAPES[theme] && (!kind.scattered || random() < 0.7)) return placed(random, theme, kind.side)
  const board = scattered(random, kind)
  const color = kind.goal === 'save' ? BLACK : WHITE
  const chains = board.chains(color)
  const chain = chains[Math.floor(random() * chains.length)]
  return { board, at: chain?.stones[0], fixed: new Set() }
}

/** Positions of a theme, each with its question and one of its right moves. */
export function tactics(theme, wanted, seed, attempts) {
  const kind = KINDS[theme]
  const random = randomOf(seed)
  const found = new Map()
  for (let attempt = 0; found.size < wanted && attempt < attempts; attempt++) {
    const { board, at: target, fixed } = candidate(random, theme, kind)
    if (target === undefined || !board.isSound()) continue
    const { liberties, stones } = board.chain(target)
    if (!(kind.goal === 'now' ? [1] : kind.liberties).includes(liberties.length) || stones.length < (kind.least ?? 1)) continue
    const question = { theme, goal: kind.goal, solver: BLACK, targets: [Math.min(...stones)] }
    try {
      if (kind.mayBe && !kind.mayBe(board, question)) continue
      const at = theMoves(board, question, kind.most ?? 1).find((move) => kind.fits(board, question, move))
      if (at === undefined) continue
      const clean = reduced(board, question, at, kind, random, fixed)
      // Taking stones wants some beside them that cannot be taken.
      const shown = kind.goal === 'now' ? withOthers(clean, question, at, kind, random) : clean
      const name = shown.canonical(BLACK)
      if (!found.has(name) && isSure(shown, question)) found.set(name, { board: shown, question, at })
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
    }
  }
  return [...found.values()]
}

function withOthers(board, question, at, kind, random) {
  let now = board
  for (let count = 0; count < 40 && now.cells.filter(Boolean).length < board.cells.filter(Boolean).length + 4; count++) {
    const more = now.copy()
    const point = Math.floor(random() * board.area)
    if (more.cells[point] !== 0 || point === at) continue
    more.cells[point] = random() < 0.5 ? BLACK : WHITE
    if (more.near[point].some((side) => more.cells[side] === more.cells[point]) && holds(more, question, at, kind)) now = more
  }
  return now
}
