// A game that is played with the mouse, as the panel and the board show it.
import assert from 'node:assert/strict'
import { Screen } from '../support/screen.mjs'

/** Points of a 9x9 board that a beginner fills: a wall through the middle, another one beside it, and a link that makes two eyes. */
const WALLS = [[4, 4], [4, 2], [4, 6], [4, 3], [4, 5], [6, 4], [6, 2], [6, 6], [4, 1], [4, 7], [4, 0], [4, 8], [6, 3], [6, 5], [5, 4], [6, 1], [6, 7], [6, 0], [6, 8]]

const state = (screen) => screen.text('[data-test=play-state]')
/** The moves in words, the last first: `{ number, words }`. */
export const toldMoves = (screen) => screen.evaluate(() => [...document.querySelectorAll('[data-test=last-moves] li')].map((row) => {
  const [number, words] = row.innerText.trim().split(/\s*\n\s*|(?<=^\d+)\s+/)
  return { number: Number(number), words }
}))

/** Waits for the person's turn after so many moves, or for the count. */
async function turnAfter(screen, moves) {
  await screen.until(`the turn after move ${moves}`, async () => {
    const [last] = await toldMoves(screen)
    const words = await state(screen)
    return /Both passed/.test(words) || ((last?.number ?? 0) >= moves && /Your move|opponent passed/.test(words))
  }, { timeoutMs: 120_000 })
}

/** The last move of the opponent is on the board where the words say it is. */
async function wordsAreStones(screen) {
  const [last] = await toldMoves(screen)
  const [, color, point] = /^(Black|White) ([A-T]\d+)$/.exec(last.words) ?? []
  if (point === undefined) return assert.match(last.words, /passed$/)
  const { column, row } = Screen.pointOf(point, 9)
  await screen.waitForStone(column, row, color === 'Black' ? 'X' : 'O')
}

/** Clicks on a point; false where the rules refuse it, which the window says. */
async function triesToPlay(screen, column, row) {
  await screen.clickPoint(column, row)
  return screen.until('the stone, or why it is refused', async () => {
    if ((await screen.stones())[row][column] === 'X') return { played: true }
    return /Suicide|Ko:|earlier position/.test(await screen.text()) ? { played: false } : null
  }).then(({ played }) => played)
}

/** Plays a few stones as Black and then passes, until the opponent passes as well; answers with the number of moves. */
export async function playsToTwoPasses(screen, { stones = WALLS.length } = {}) {
  let moves = (await toldMoves(screen))[0]?.number ?? 0
  const wanted = WALLS.slice(0, stones)
  while (!/Both passed/.test(await state(screen))) {
    const board = await screen.stones()
    while (wanted.length > 0 && board[wanted[0][1]][wanted[0][0]] !== '.') wanted.shift()
    const point = wanted.shift()
    if (!point) await screen.click('[data-action=play-pass]')
    else if (!await triesToPlay(screen, ...point)) continue
    await turnAfter(screen, moves + 2)
    moves = (await toldMoves(screen))[0].number
    await wordsAreStones(screen)
    assert.ok(moves < 200, 'the game comes to its end')
  }
  return moves
}

/** The count as its table has it: `{ black: 45, white: 43.5, parts: '…', words: 'Black wins by 1.5 points' }`. */
export async function countedScore(screen) {
  return screen.until('the count', () => screen.evaluate(() => {
    const section = document.querySelector('section.score:not([aria-busy])')
    if (!section) return null
    const [black, white] = [...section.querySelectorAll('tfoot td')].map((cell) => Number(cell.innerText.replace('½', '.5')))
    return { black, white, parts: section.querySelector('tbody').innerText.replace(/\s+/g, ' '), words: section.querySelector('.result').innerText }
  }), { timeoutMs: 120_000 })
}
