// Seki: groups that stay without two eyes. What becomes of them is the referee's to say.

import { BLACK, WHITE } from './board.mjs'
import { SEKI, drawn } from './drawn.mjs'
import { PASS } from './endgame.mjs'
import { judged, pointOf, stonesOf } from './life.mjs'

/** Positions that each question may take. */
const POSITIONS = 20_000

/** Problems with their answers. */
export function sekis(honinbo) {
  const asked = [...SEKI.keep, ...SEKI.kill].map((rows) => ({ board: drawn(rows), solver: BLACK }))
  const told = judged(honinbo, asked, POSITIONS).map((one) => problemOf(asked[Number(one.problem)], one))
  return [...told, ...SEKI.left.map((rows) => leftAlone(drawn(rows)))]
}

function problemOf({ board, solver }, { problem, group, moves, positions }) {
  const targets = group && stonesOf(board, group)
  if (!targets) throw new Error(`the referee sees no group in position ${problem}`)
  const best = board.cells[targets[0]] === solver ? 'seki' : 'dead'
  const at = (name) => name === undefined || name === 'pass' ? undefined : pointOf(name, board.width)
  const answers = moves.filter(({ move }) => move !== 'pass').map(({ move, fate, line }) => ({ at: at(move), right: fate === best, reply: at(line[0]) }))
  return { board, question: { solver, targets }, answers, cost: positions }
}

/** Whoever plays in the seki is taken at once. */
function leftAlone(board) {
  const targets = board.chains(BLACK).flatMap(({ stones }) => stones)
  const answers = board.legal(BLACK).map((at) => {
    const next = board.play(BLACK, at).board
    const reply = next.legal(WHITE).find((to) => targets.every((stone) => next.play(WHITE, to).taken.includes(stone)))
    if (reply === undefined) throw new Error('a move in a seki is not taken')
    return { at, right: false, reply }
  })
  return { board, question: { solver: BLACK, targets }, answers: [{ at: PASS, right: true }, ...answers], cost: 0 }
}
