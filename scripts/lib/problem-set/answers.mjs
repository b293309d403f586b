// A problem as a record: every first move is marked right or wrong, and wrong ones are answered where the answer matters.

import { BLACK, WHITE, other, turned } from './board.mjs'
import { SPARE, isRight, searchOf } from './tactics.mjs'

/** The position turned, and with the colours exchanged. */
export function shownAs({ board, question }, turn, swap) {
  const points = (list) => list.map((at) => Array.from(board.cells.keys()).find((point) => turned(point, board.width, turn) === at))
  return {
    board: board.mapped(turn, swap),
    question: { ...question, solver: swap ? other(question.solver) : question.solver, targets: points(question.targets) },
  }
}

const letter = (color) => color === BLACK ? 'B' : 'W'

/** The record of a problem; `answers` are its branches. */
export function record({ board, solver, theme, level, marked, answers, head = '' }) {
  const list = (ident, points) => points.length > 0 ? ident + points.map((at) => `[${board.point(at)}]`).join('') : ''
  const of = (color) => Array.from(board.cells.keys()).filter((at) => board.cells[at] === color)
  return `(;GM[1]FF[4]SZ[${board.width}]${head}GE[${theme}]DI[${level}]PL[${letter(solver)}]${list('AB', of(BLACK))}${list('AW', of(WHITE))}${list('TR', marked)}\n${answers.join('')})\n`
}

/** The branch of a move; a negative one is a pass. */
export const branch = (board, solver, at, right, rest = '') => `(;${letter(solver)}[${at < 0 ? '' : board.point(at)}]${right ? 'C[RIGHT]' : ''}${rest})`

/** The branches of a problem about taking and saving stones; `turns` of the solver are asked at most. */
export function tacticalAnswers(board, question, turns) {
  const { solver, goal } = question
  const capture = searchOf(question, 400_000)
  const opponent = letter(other(solver))
  const legal = goal === 'now' ? board.legal(solver) : capture.nearest(board, solver)
  return legal.map((at) => {
    const { board: next, taken } = board.play(solver, at)
    if (!isRight(board, question, at, capture)) {
      const reply = goal === 'now' ? undefined : refutation(next, question, capture)
      return branch(board, solver, at, false, reply === undefined ? '' : `;${opponent}[${board.point(reply)}]`)
    }
    const isOver = goal !== 'take' || taken.some((stone) => question.targets.includes(stone)) || turns <= 1
    const reply = isOver ? undefined : resistance(next, question, capture)
    if (reply === undefined) return branch(board, solver, at, true)
    const after = next.play(other(solver), reply).board
    const deeper = tacticalAnswers(after, question, turns - 1)
    return branch(board, solver, at, false, `;${opponent}[${board.point(reply)}]${deeper.join('')}`)
  })
}

/** Why a move is wrong: the opponent's answer, where one is needed. */
function refutation(board, { goal, solver }, capture) {
  const opponent = other(solver)
  const [chain] = capture.chains(board)
  const near = capture.nearest(board, opponent)
  const first = [...near.filter((at) => chain?.liberties.includes(at)), ...near]
  return first.find((at) => {
    const made = board.play(opponent, at)
    if (goal === 'take') return !capture.attack(made.board, SPARE - 1)
    return made.taken.some((stone) => capture.targets.includes(stone)) || !capture.defend(made.board, SPARE - 1)
  })
}

/** The reply that holds out: the one after which the stones have the most liberties. */
function resistance(board, { solver, targets }, capture) {
  const opponent = other(solver)
  let best
  for (const at of capture.nearest(board, opponent)) {
    const { board: next, taken } = board.play(opponent, at)
    const chain = next.chain(targets[0])
    const worth = chain.liberties.length * 4 + (chain.stones.length > board.chain(targets[0]).stones.length ? 2 : 0) + taken.length
    if (best === undefined || worth > best.worth) best = { at, worth }
  }
  return best?.at
}
