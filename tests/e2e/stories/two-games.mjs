import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as flows from '../flows.mjs'
import { game } from '../support/machine.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

/** How far the review of the game on the board is: positions looked at in both of its passes, of how many in each. */
async function reviewed(screen) {
  const [, done, total, quick] = /Reviewing (\d+) of (\d+), (quick)?/.exec(await screen.text('[data-test=activity]')) ?? []
  return done === undefined ? null : { done: Number(done) + (quick ? 0 : Number(total)), total: Number(total) }
}

export const twoGames = {
  name: 'two-games',
  title: 'two games at once: one is played while the other is reviewed, and each is stopped by itself',
  // So many visits that no machine is through before the story's end.
  options: { network: SMALL_NETWORK, preferences: { reviewVisits: 2000 }, browser: { width: 1280, height: 720 } },
  async tell(place) {
    const screen = await place.open({ files: [{ name: basename(game), text: readFileSync(game, 'utf8') }] })
    await flows.gameIsShown(screen)
    await screen.click('button', 'Review', { scope: '.panels', exact: true })
    const first = await screen.until('the review to begin', () => reviewed(screen), { timeoutMs: 90_000 })
    assert.equal(first.total, 326)

    // While it goes on, a game is played.
    await screen.click('[data-action=new-game]')
    await screen.click('[role=dialog] label:has([data-against=engine])')
    await screen.until('the opponents', () => screen.evaluate(() => document.querySelectorAll('[data-field=engine] option').length > 3))
    await screen.choose('[data-field=engine]', 'easy')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.clickPoint(4, 4)
    await screen.waitForStone(4, 4, 'X')
    await screen.until('the answer', async () => await screen.stoneCount() === 2)
    await place.moment('two-games-playing')

    // The review has gone on meanwhile.
    await screen.click('.tab .title', 'Shusaku')
    const later = await screen.until('the review to have gone on', async () => {
      const now = await reviewed(screen)
      return now && now.done > first.done ? now : null
    })
    // A quick machine is at the second pass by now, which is about fewer positions.
    assert.ok(later.total <= 326, `${later.total} positions`)
    await place.moment('two-games-review')

    // Stop ends the review, and the game is played on.
    await screen.click('[data-action=stop]')
    await screen.gone('[data-action=stop]')
    await screen.click('.tab:not(.active) .title')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    const row = (await screen.stones()).findIndex((line) => line[2] === '.')
    await screen.clickPoint(2, row)
    await screen.waitForStone(2, row, 'X')
    await screen.until('the answer', async () => await screen.stoneCount() === 4)

    // The review goes on where it was stopped; the end of the game does not end it.
    await screen.click('.tab .title', 'Shusaku')
    await screen.click('[data-action=review]')
    const resumed = await screen.until('the review to go on', () => reviewed(screen))
    await screen.click('.tab:not(.active) .title')
    await screen.click('[data-action=resign]')
    await screen.click('[data-action=resign-surely]')
    await screen.waitForText(/White wins by resignation/, { selector: '[data-test=ending-result]' })
    await place.moment('two-games-ended')
    await screen.click('.tab .title', 'Shusaku')
    await screen.until('the review to have gone on', async () => {
      const now = await reviewed(screen)
      return now && now.done > resumed.done ? now : null
    }, { timeoutMs: 120_000 })
    await screen.click('[data-action=stop]')
    await screen.gone('[data-action=stop]')
  },
}
