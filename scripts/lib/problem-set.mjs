// Makes the problems that come with the program: crates/api/problems/THEME.sgf. `scripts/problem-set` runs it.
//
// Taking and saving stones is read here; life and death is the referee's to say. Every answer is proved once more, by
// other code, in crates/api/tests/shipped_problems.rs.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BLACK, WHITE } from './problem-set/board.mjs'
import { branch, record, shownAs, tacticalAnswers } from './problem-set/answers.mjs'
import { ENDGAME, drawn } from './problem-set/drawn.mjs'
import { PASS, readThrough } from './problem-set/endgame.mjs'
import { firstSteps } from './problem-set/first-steps.mjs'
import { lifeAndDeath } from './problem-set/life.mjs'
import { sekis } from './problem-set/seki.mjs'
import { randomOf, tactics } from './problem-set/tactics.mjs'

const SOURCE = 'CP[The contributors to Honinbo, MIT OR Apache-2.0]SO[Made by scripts/problem-set: positions of our own and shapes that every player knows, each proved. Nothing is taken from a collection.]'
/** How many problems of a theme are looked for, from which kyu to which, and how many moves of the solver are asked. */
const TACTICS = {
  capture: { count: 12, from: 30, to: 26, turns: 1, attempts: 2_000 },
  atari: { count: 12, from: 27, to: 23, turns: 2, attempts: 4_000 },
  escape: { count: 12, from: 28, to: 23, turns: 1, attempts: 6_000 },
  connect: { count: 10, from: 25, to: 20, turns: 1, attempts: 20_000 },
  cut: { count: 10, from: 24, to: 19, turns: 2, attempts: 4_000 },
  ladder: { count: 12, from: 23, to: 17, turns: 3, attempts: 4_000 },
  net: { count: 10, from: 20, to: 14, turns: 2, attempts: 1_500 },
  snapback: { count: 10, from: 20, to: 14, turns: 2, attempts: 4_000 },
  race: { count: 10, from: 18, to: 11, turns: 1, attempts: 40_000 },
}
/** Life and death is asked for in two rounds: what ends in a ko takes longer to prove. */
const LIFE = [
  { positions: 4_000, attempts: 400, themes: { live: { count: 18, from: 22, to: 8 }, kill: { count: 18, from: 21, to: 7 } } },
  { positions: 15_000, attempts: 900, themes: { ko: { count: 10, from: 12, to: 3 } } },
]

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../crates/api/problems')

/** Easy ones first: few stones, and few empty points among which the answer lies. */
function graded(problems, { from, to }) {
  const costOf = ({ board, cost = 0 }) => cost || board.cells.filter(Boolean).length
  const sorted = [...problems].sort((a, b) => costOf(a) - costOf(b))
  return sorted.map((problem, index) => ({ ...problem, level: `${Math.round(from - (from - to) * index / Math.max(1, sorted.length - 1))}k` }))
}

function write(theme, records) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${theme}.sgf`), records.map((text, index) => index === 0 ? text.replace('GE[', `${SOURCE}\nGE[`) : text).join(''))
  console.log(`${theme}: ${records.length}`)
}

const pointsOf = (board, targets) => [...new Set(targets.flatMap((at) => board.chain(at).stones))].sort((a, b) => a - b)

function writeTactics(theme, seed) {
  const { count, turns, attempts, ...levels } = TACTICS[theme]
  const random = randomOf(seed)
  const records = graded(tactics(theme, count, seed, attempts), levels).map((problem, index) => {
    const { board, question } = shownAs(problem, Math.floor(random() * 8), index % 3 === 2)
    const { solver, targets, goal } = question
    const marked = goal === 'now' ? [] : pointsOf(board, targets)
    return record({ board, solver, theme, level: problem.level, marked, answers: tacticalAnswers(board, question, turns) })
  })
  write(theme, records)
}

/** Problems whose first move alone is asked for, some of them turned and most of them for Black. */
function writeAnswered(theme, problems, levels, random) {
  const records = graded(problems, levels).map((problem) => {
    const swap = problem.question.solver === WHITE ? random() < 0.7 : random() < 0.3
    const turn = Math.floor(random() * 8)
    const { board, question } = shownAs(problem, turn, swap)
    const moved = (at) => shownAs({ board: problem.board, question: { targets: [at] } }, turn, false).question.targets[0]
    const { solver, targets } = question
    const opponent = solver === WHITE ? 'B' : 'W'
    const replyAt = (reply) => reply === PASS ? '' : board.point(moved(reply))
    const answers = problem.answers.map(({ at, right, reply }) => {
      const rest = right || reply === undefined ? '' : `;${opponent}[${replyAt(reply)}]`
      return branch(board, solver, at === PASS ? PASS : moved(at), right, rest)
    })
    return record({ board, solver, theme, level: problem.level, marked: targets.sort((a, b) => a - b), answers })
  })
  write(theme, records)
}

function writeLife(honinbo, { themes, positions, attempts }, seed) {
  const wanted = Object.fromEntries(Object.entries(themes).map(([theme, { count }]) => [theme, count]))
  const found = lifeAndDeath(honinbo, wanted, { seed, attempts, positions })
  const random = randomOf(seed)
  for (const [theme, levels] of Object.entries(themes)) {
    writeAnswered(theme, found.filter(({ question }) => question.theme === theme), levels, random)
  }
}

function endgames() {
  return ENDGAME.map((rows) => {
    const board = drawn(rows)
    return { board, question: { solver: BLACK, targets: [] }, ...readThrough(board, BLACK) }
  })
}

const [honinbo, ...wanted] = process.argv.slice(2)
const isWanted = (theme) => wanted.length === 0 || wanted.includes(theme)
if (isWanted('firstSteps')) write('firstSteps', firstSteps())
Object.keys(TACTICS).forEach((theme, index) => { if (isWanted(theme)) writeTactics(theme, 7 + index) })
for (const round of LIFE) if (Object.keys(round.themes).some(isWanted)) writeLife(honinbo, round, 11)
if (isWanted('seki')) writeAnswered('seki', sekis(honinbo), { from: 16, to: 5 }, randomOf(13))
if (isWanted('endgame')) writeAnswered('endgame', endgames(), { from: 22, to: 9 }, randomOf(17))
