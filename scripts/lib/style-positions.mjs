// Which positions a style brings about: what one player met in games against it, beside games against the same level
// without a style (docs/experiments/ladder.md). `scripts/style-positions PLAYER GAMES PLAIN STYLED...`; folders are those of
// `honinbo match --sgf`, games on square boards.

import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BLACK, Board, WHITE, other } from './problem-set/board.mjs'

/** Lines within which stones are near, and from which a move is another part of the board, as in `lessons/weak/kinds.rs`. */
const [CLOSE, AMONG, FAR] = [2, 4, 6]

/** What is counted of each position in which the player is to move, with the move that the player made. */
const COUNTED = {
  'moves': () => true,
  'corner': ({ board, at }) => region(board, at) === 0,
  'side': ({ board, at }) => region(board, at) === 1,
  'centre': ({ board, at }) => region(board, at) === 2,
  'late part of the game': ({ board, number }) => 361 * number / board.area > 150,
  'contact': ({ board, own, last }) => last !== undefined && board.near[last].some((to) => board.cells[to] === own),
  'two stones or more in atari': ({ board }) => [BLACK, WHITE].some((color) => board.chains(color).some(({ stones, liberties }) => stones.length > 1 && liberties.length === 1)),
  'a ko to take or to leave': ({ board, own }) => board.ko >= 0 || board.legal(own).some((at) => board.play(own, at).board.ko >= 0),
  'a point that alone joins two own chains': ({ board, own }) => isParted(board, own),
  'invasion': ({ board, own, at }) => invades(board, own, at),
  'move six lines away': ({ board, at, last }) => at !== undefined && last !== undefined && distance(board, at, last) >= FAR,
}

/** Columns and rows in the middle third: none is a corner, one a side, two the centre. */
function region(board, at) {
  if (at === undefined) return 2
  const isMiddle = (place) => Math.floor(place * 3 / board.width) === 1
  return Number(isMiddle(at % board.width)) + Number(isMiddle(Math.floor(at / board.width)))
}

const distance = ({ width }, one, two) => Math.max(Math.abs(one % width - two % width), Math.abs(Math.floor(one / width) - Math.floor(two / width)))

/** Two own chains have one common liberty, and a stone of the other side stands beside it. */
function isParted(board, own) {
  const all = board.chains(own).map(({ liberties }) => liberties)
  return all.some((one, index) => all.slice(0, index).some((two) => {
    const common = one.filter((at) => two.includes(at))
    return common.length === 1 && board.near[common[0]].some((to) => board.cells[to] === other(own))
  }))
}

function invades(board, own, at) {
  if (at === undefined) return false
  const near = (color, reach) => Array.from(board.cells.keys()).filter((to) => board.cells[to] === color && distance(board, to, at) <= reach).length
  return near(own, CLOSE) === 0 && near(other(own), AMONG) >= 2 && near(own, AMONG) < near(other(own), AMONG)
}

/** The counts of a game; of two players of that name the one who has Black in every other game. */
function counted(text, player, number) {
  const name = (ident) => new RegExp(`${ident}\\[(?:level:)?([^\\]]*)`).exec(text)?.[1]
  const [black, white] = [name('PB'), name('PW')]
  const own = black === white ? (number % 2 === 0 ? BLACK : WHITE) : black === player ? BLACK : WHITE
  let board = new Board(Number(/SZ\[(\d+)/.exec(text)?.[1] ?? 19))
  const sums = Object.fromEntries(Object.keys(COUNTED).map((key) => [key, 0]))
  let last
  for (const [index, [, color, point]] of [...text.matchAll(/;([BW])\[([a-s]{2})?\]/g)].entries()) {
    const mover = color === 'B' ? BLACK : WHITE
    const at = point && point !== 'tt' ? point.charCodeAt(0) - 97 + (point.charCodeAt(1) - 97) * board.width : undefined
    if (mover === own) for (const [key, isIt] of Object.entries(COUNTED)) if (isIt({ board, own, at, last, number: index + 1 })) sums[key]++
    board = at === undefined ? board.pass() : board.play(mover, at)?.board ?? board
    last = at
  }
  return { ...sums, won: Number(new RegExp(`RE\\[${own === BLACK ? 'B' : 'W'}`).test(text)) }
}

function games(folder, player, limit) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sgf')).sort().slice(0, limit)
  return names.map((name, number) => counted(readFileSync(join(folder, name), 'utf8'), player, number))
}

function mean(values) {
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  return { middle, error: Math.sqrt(spread / values.length) }
}

const [player, most, plain, ...styled] = process.argv.slice(2)
const before = games(plain, player, Number(most))
for (const folder of styled) {
  const found = games(folder, player, Number(most))
  console.log(`${basename(folder)}: ${found.length} games against ${before.length}, the difference for each game with its 99 % interval`)
  for (const key of [...Object.keys(COUNTED), 'won']) {
    const [one, two] = [before, found].map((list) => mean(list.map((game) => game[key])))
    const [difference, error] = [two.middle - one.middle, 2.58 * Math.hypot(one.error, two.error)]
    console.log([key.padEnd(42), one.middle.toFixed(2), two.middle.toFixed(2), difference.toFixed(2), `${(difference - error).toFixed(2)} to ${(difference + error).toFixed(2)}`].join('  '))
  }
}
