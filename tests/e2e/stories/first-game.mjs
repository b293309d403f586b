import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'
import { Screen } from '../support/screen.mjs'
import { countedScore, playsToTwoPasses } from './play.mjs'
import { tableRows } from './table.mjs'

export const firstGame = {
  name: 'first-game',
  title: 'the first game against a level, from the first start to its counted end',
  options: { firstStart: true },
  async tell(place) {
    const screen = await place.open()
    await screen.find('[data-test=welcome]', '', { timeoutMs: 90_000 })
    await screen.waitForText(/Welcome to Honinbo/)
    await place.moment('welcome')
    await screen.click('[data-action=welcome-play]')

    // What is offered suits a beginner. The empty window of a browser is the new game already, and the first stone starts
    // it; the desktop's first start has the famous game on its board, so the new one comes as a dialog.
    await screen.gone('[data-test=welcome]')
    const overGame = place.kind === 'window'
    const form = overGame ? '[role=dialog]' : '.start-panel'
    const chosen = await screen.until('the new game', () => screen.evaluate((within) => ['size-choice', 'against', 'color'].map((what) => document.querySelector(`${within} [data-${what}]:checked`).getAttribute(`data-${what}`)), form))
    assert.deepEqual(chosen, ['9', 'rank', 'black'])
    const [rank] = await screen.waitForText(/\d+ (kyu|dan)/, { selector: `${form} [data-test=rank]` })
    await place.moment('new-game')
    if (overGame) {
      await screen.click(`${form} [data-action=begin]`)
      await screen.gone(form)
      await screen.find('[data-test=play]')
      await screen.until('the empty board', async () => (await screen.stones()).length === 9)
    } else await screen.waitForText(/Place the first stone to start the game/)
    await screen.clickPoint(4, 4)
    await screen.waitForStone(4, 4, 'X')

    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    assert.match(await screen.text('[data-test=play-against]'), new RegExp(rank))
    await screen.until('the answer', async () => (await screen.stoneCount()) === 2)
    assert.equal(await screen.count('.graph-panel'), 0, 'no graph stands beside a game')

    const moves = await playsToTwoPasses(screen)
    assert.match(await screen.text('[data-test=play-state]'), /Both passed/)

    // The dead stones are proposed; a group that is clicked is dead, and alive again with the next click.
    const proposed = await countedScore(screen)
    await place.moment('counting')
    const margin = proposed.black - proposed.white
    assert.equal(proposed.words, `${margin > 0 ? 'Black' : 'White'} wins by ${String(Math.abs(margin))} points`)
    const board = await screen.stones()
    const winner = margin > 0 ? 'X' : 'O'
    const row = board.findIndex((line) => line.includes(winner))
    const column = board[row].indexOf(winner)
    await screen.clickPoint(column, row)
    await screen.until('another count', async () => (await countedScore(screen)).parts !== proposed.parts)
    await screen.clickPoint(column, row)
    await screen.until('the count as it was proposed', async () => (await countedScore(screen)).parts === proposed.parts)
    assert.deepEqual(await screen.stones(), board, 'the stones stay where they are')
    await screen.click('button', 'Accept the count')

    // The end: who won, by how much, the game in three sentences, its turning points.
    await screen.waitForText(margin > 0 ? /You won/ : /You lost/, { selector: '[data-test=ending-title]' })
    assert.equal(await screen.text('[data-test=ending-result]'), proposed.words)
    const sentences = await screen.until('the game in three sentences', () => screen.evaluate(() => {
      const told = [...document.querySelectorAll('[data-test=ending-story] p')].map((sentence) => sentence.innerText)
      return told.length === 3 ? told : null
    }), { timeoutMs: 180_000 })
    assert.match(sentences[0], /ahead|lead/)
    assert.match(sentences[1], /biggest swing|lost most with move|No single move/)
    assert.equal(sentences[2], `Both players passed after ${moves - 2} moves, and the board was counted.`)
    await place.moment('end-of-game')

    // What is told can be gone to: the biggest swing, and each turning point.
    const goesBefore = async (what) => {
      const number = Number(/\d+/.exec(await screen.text(what))[0])
      await screen.click(what)
      await screen.until(`the position before move ${number}`, async () => (await placeOf(screen)).at === number - 1)
      assert.match(await screen.text('[data-test=ending-title]'), /You (won|lost)/, 'the end is still told')
      // What was better is on the board, and how it would have gone on.
      const [, better] = /; ([A-J]\d) was better/.exec(await screen.text('[data-test=ending-shown]')) ?? []
      if (!better || await screen.count('[data-action=ending-line]') === 0) return
      const on = Screen.pointOf(better, 9)
      await screen.until('the better move on the board', async () => (await screen.drawnAt('analysis', on.column, on.row)) > 0.2)
      await screen.click('[data-action=ending-line]')
      await screen.until('the line on the board', async () => (await screen.drawnAt('analysis', on.column, on.row)) > 0.6)
      await place.moment('end-line')
      await screen.click('[data-action=preview-close]')
      await screen.gone('[data-test=preview]')
    }
    for (const what of ['[data-action=swing]', '[data-test=ending-turns] button']) if (await screen.count(what) > 0) await goesBefore(what)

    // It lies in the library with its result.
    await screen.click('[data-action=library]')
    const rows = await screen.until('the game in the library', async () => {
      const found = await tableRows(screen)
      return found.length > 0 ? found : null
    })
    assert.equal(rows.length, 1)
    assert.ok(rows[0].includes(rank), rows[0])
    assert.ok(rows[0].includes(`${margin > 0 ? 'B' : 'W'}+${Math.abs(margin)}`), rows[0])
    await place.moment('first-game-in-the-library')
    await screen.click('[data-action=leave-library]')

    await screen.click('[data-action=rematch]')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.until('the empty board', async () => (await screen.stoneCount()) === 0)
    assert.equal(await screen.count('.tabs .tab'), overGame ? 3 : 2, 'the first game stays open beside it')
  },
}
