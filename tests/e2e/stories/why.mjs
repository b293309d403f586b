import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'

/** Black plays in a far corner at move 15 (A9) and loses the game by it; White gives it back at move 16. */
const GAME = {
  name: 'wednesday.sgf',
  text: '(;GM[1]FF[4]SZ[9]RU[Chinese]KM[0.5]PB[Aya]PW[Ben]'
    + ';B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])',
}

export const why = {
  name: 'why',
  title: 'a game that is dropped is reviewed by itself, and sentences say why a move was bad',
  async tell(place) {
    const screen = await place.open({ files: [GAME] })
    await screen.until('the eighteen moves', async () => (await placeOf(screen)).of === 18)
    // Nobody asks for a review.
    await screen.find('[data-test=turning-points] .card', '', { timeoutMs: 300_000 })
    const cards = await screen.text('[data-test=turning-points]')
    assert.match(cards, /\b15\b/)
    await place.moment('turning-points')
    await screen.click('[data-test=turning-points] .card[aria-label^="Move 15,"]')
    await screen.until('the position before the move', async () => (await screen.stoneCount()) === 14)
    await screen.click('[data-action=reveal]')
    await screen.find('[data-line=fact0]', '', { timeoutMs: 300_000 })
    const told = await screen.text('[data-test=lesson-facts]')
    assert.match(told, /Black was ahead by about \d+ points? \(\d+%\); after A9, White is ahead by about \d+/)
    // A press plays it.
    await screen.click('[data-line=fact0]')
    await screen.waitForStone(0, 0, 'X')
    await screen.press('ArrowRight')
    await screen.until('the reply', async () => /Move 2 of/.test(await screen.text('[data-test=lesson-step]')))
    await place.moment('why')
    await screen.press('Escape')
    await screen.gone('[data-test=lesson-room]')
  },
}
