// Groups around eye spaces. What becomes of them is the referee's to say.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BLACK, Board, WHITE } from './board.mjs'
import { branch, record } from './answers.mjs'
import { randomOf } from './tactics.mjs'

/** Positions that the referee is asked about at once. */
const BATCH = 24

/** Eye spaces: `*` is empty, `X` a stone of the attacker, `O` one of the owner. */
const SPACES = ['***', '**/*.', '****', '***/.*.', '***/*..', '**./.**', '**/**', '.*./***/.*.', '**./***', '***/*../*..', '****/*...', '****/.*..', '***/***', '**./***/.*.', '****/**..', '*****', '*X*', 'X**', '**X*', '*X**', '***/*X.', '***/.X.', '*X*/.*.', '**/*X', 'X*/**', '*X*/***', 'X**/***', '***/X**', '**X/***', '*X./***', '**./*X*', '**./**X', '***X/**..', 'XX**', '*XX*', '**XX/....', 'X*X*', '*O**', '***/*O.', '**O*/*...', '***/***/*..', '***/*X*/*..', '****/***.', '****/*X*.', 'X***/***.', '***/X*./*..', '**/**/**', '*X/**/**', '**/*X/**', 'XXX*', '*XXX', 'XX*/X**', '*XX/*X*', 'XX*/*X.', 'XXX/.*.', 'X*./*X*', 'XX/X*']

function surrounded(side, rows, [left, top], holes, gap) {
  const board = new Board(side)
  const inside = new Map()
  rows.forEach((row, y) => [...row].forEach((cell, x) => { if (cell !== '.') inside.set((top + y) * side + left + x, cell) }))
  const near = (at, all) => all.some((to) => Math.abs(at % side - to % side) <= 1 && Math.abs(Math.floor(at / side) - Math.floor(to / side)) <= 1)
  const all = Array.from(board.cells.keys())
  const eye = [...inside.keys()]
  if (eye.some((at) => at >= board.area)) return undefined
  const wall = all.filter((at) => !inside.has(at) && near(at, eye))
  const ring = all.filter((at) => !inside.has(at) && !wall.includes(at) && near(at, wall))
  const beside = ring.filter((at) => board.near[at].some((to) => wall.includes(to)))
  const open = beside.filter((_, index) => index % 3 === 0).slice(0, holes)
  for (const at of wall) board.cells[at] = WHITE
  for (const at of ring) if (!open.includes(at)) board.cells[at] = BLACK
  for (const at of all) if (board.cells[at] === 0 && !inside.has(at) && !open.includes(at) && open.some((to) => board.near[to].includes(at))) board.cells[at] = BLACK
  for (const [at, cell] of inside) board.cells[at] = cell === 'X' ? BLACK : cell === 'O' ? WHITE : 0
  // One stone of the wall is missing: the fight is about the way out, too.
  if (gap !== undefined) {
    const orthogonal = wall.filter((at) => board.near[at].some((to) => inside.has(to)) && board.near[at].some((to) => board.cells[to] === BLACK))
    if (orthogonal.length === 0) return undefined
    board.cells[orthogonal[gap % orthogonal.length]] = 0
  }
  return board.isSound() ? board : undefined
}

function* candidates() {
  const side = 9
  for (const [number, space] of SPACES.entries()) {
    const rows = space.split('/')
    for (const place of [[0, 0], [3, 0], [3, 3]]) {
      const board = surrounded(side, rows, place, 0)
      if (board) yield board
    }
    for (const holes of [1, 2]) {
      const board = surrounded(side, rows, number % 2 ? [0, 0] : [2, 0], holes)
      if (board) yield board
    }
    for (const gap of [0, 2, 5]) {
      const board = surrounded(side, rows, gap === 2 ? [2, 0] : [0, 0], 0, gap)
      if (board) yield board
    }
  }
}

export const pointOf = (name, side) => 'ABCDEFGHJKLMNOPQRST'.indexOf(name[0]) + (side - Number(name.slice(1))) * side
const isLife = (fate) => ['alive', 'seki', 'lives', 'lives in part'].includes(fate)
/** How good a fate is for the attacker, as the referee ranks them; nothing where it is not proved. */
function rank(fate) {
  if (fate === 'dead') return 100
  const ko = /^ko, the (attacker|owner)'s unless the other has (\d+) threats? more/.exec(fate)
  if (ko) {
    const threats = Math.min(9, Number(ko[2]))
    return ko[1] === 'attacker' ? 70 + threats : 50 - threats
  }
  return { seki: 20, lives: 15, 'lives in part': 15, alive: 10 }[fate]
}

/** What the referee says of boards with a player to move. */
export function judged(honinbo, asked, positions) {
  const folder = mkdtempSync(join(tmpdir(), 'problem-set-'))
  try {
    const file = join(folder, 'asked.sgf')
    writeFileSync(file, asked.map(({ board, solver }, index) => record({ board, solver, theme: 'asked', level: '1k', marked: [], head: `GN[${index}]`, answers: [branch(board, solver, board.legal(solver)[0], true)] })).join(''))
    const said = execFileSync(honinbo, ['referee', '--json', '--moves', '--seconds', '600', '--positions', String(positions), file], { encoding: 'utf8', maxBuffer: 1 << 28 })
    return said.trim().split('\n').map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function themeOf(solver, first, second) {
  if (solver === BLACK) return first === 'dead' && isLife(second) ? 'kill' : first.startsWith('ko') && isLife(second) ? 'ko' : undefined
  if (second !== 'dead') return undefined
  return isLife(first) ? 'live' : first.startsWith('ko') ? 'ko' : undefined
}

/**
 * Positions about life and death with one or two right moves: so many of each theme at most. `attempts` are asked
 * about, and each question may take so many `positions`.
 */
export function lifeAndDeath(honinbo, wanted, { seed, attempts, positions }) {
  const random = randomOf(seed)
  const asked = [...candidates()].flatMap((board) => [{ board, solver: BLACK }, { board, solver: WHITE }])
    .map((question) => ({ question, place: random() })).sort((a, b) => a.place - b.place).map(({ question }) => question)
  const found = Object.fromEntries(Object.keys(wanted).map((theme) => [theme, new Map()]))
  const isEnough = () => Object.entries(wanted).every(([theme, count]) => found[theme].size >= count)
  for (let from = 0; from < Math.min(attempts, asked.length) && !isEnough(); from += BATCH) {
    const batch = asked.slice(from, from + BATCH)
    for (const told of judged(honinbo, batch, positions)) {
      const problem = problemOf(batch[Number(told.problem)], told)
      if (!problem || !found[problem.question.theme]) continue
      const { theme, solver } = problem.question
      const name = problem.board.canonical(solver)
      if (found[theme].size < wanted[theme] && !found[theme].has(name)) found[theme].set(name, problem)
    }
  }
  return Object.values(found).flatMap((problems) => [...problems.values()])
}

/** The stones of the group that the referee speaks of: all of a colour, or one chain. */
export function stonesOf(board, { at, stones }) {
  const chain = board.chain(pointOf(at, board.width))
  const all = Array.from(board.cells.keys()).filter((point) => board.cells[point] === chain.color)
  return [all, chain.stones].find((found) => found.length === stones)
}

function problemOf({ board, solver }, told) {
  if (told.group?.color !== 'white') return undefined
  const [own, others] = solver === BLACK ? [told.attackerFirst, told.ownerFirst] : [told.ownerFirst, told.attackerFirst]
  const theme = themeOf(solver, own, others)
  const moves = told.moves.filter(({ move }) => move !== 'pass')
  if (!theme || moves.some(({ fate }) => rank(fate) === undefined)) return undefined
  const isRight = (fate) => isLife(fate) && isLife(own) || (solver === BLACK ? rank(fate) >= rank(own) : rank(fate) <= rank(own))
  const right = moves.filter(({ fate }) => isRight(fate)).length
  if (right === 0 || right > 2) return undefined
  const targets = stonesOf(board, told.group)
  if (!targets) return undefined
  const answers = moves.map(({ move, fate, line }) => ({ at: pointOf(move, board.width), right: isRight(fate), reply: line[0] === undefined || line[0] === 'pass' ? undefined : pointOf(line[0], board.width) }))
  return { board, question: { theme, goal: 'fate', solver, targets }, answers, cost: told.positions }
}
