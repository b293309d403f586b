import assert from 'node:assert/strict'
import { countedScore, playsToTwoPasses } from './play.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

/** The new game's dialog with the rated game chosen; answers with the rating as it is shown. */
async function choosesRated(screen, wanted) {
  await screen.click('[data-action=new-game]')
  await screen.find('[role=dialog] [data-action=begin]')
  if (wanted) {
    await screen.click('[role=dialog] [data-action=more]')
    await screen.click('[role=dialog] [data-field=rated]')
  }
  const words = await screen.waitForText(/(\d+) points ± (\d+)\s*Next opponent: (\d+ (?:kyu|dan))/, { selector: '[role=dialog] [data-test=rating]' })
  return { rating: Number(words[1]), deviation: Number(words[2]), opponent: words[3] }
}
const begin = async (screen) => {
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.gone('[role=dialog]')
  await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
}

/** Nothing on the screen helps, and no key does. */
async function nothingHelps(screen) {
  for (const what of ['[data-action=play-hint]', '[data-action=take-back]', '[data-action=analyse]', '[data-action=sweep]', '.graph-panel', '.candidates-panel']) assert.equal(await screen.count(what), 0, `${what} is not there`)
  for (const mode of ['analyse', 'review']) assert.ok((await screen.box(`[data-mode=${mode}]`)).disabled, `${mode} is closed`)
  await screen.press('h')
  await screen.waitForText(/No hints or analysis in a rated game until it is over/)
  assert.equal(await screen.count('[data-test=play-hint]'), 0)
}

export const rated = {
  name: 'rated',
  title: 'a rated game to its end, and one that is left',
  options: { network: SMALL_NETWORK, settings: { analyseAtStart: false } },
  async tell(place) {
    const screen = await place.open()
    const before = await choosesRated(screen, true)
    assert.deepEqual(before, { rating: 1500, deviation: 700, opponent: '10 kyu' })
    await screen.waitForText(/No rated game on this board yet/)
    await place.moment('rated-new')
    await begin(screen)
    assert.match(await screen.text('[data-test=play-against]'), /Rated game against 10 kyu; you play Black/)
    await nothingHelps(screen)

    const moves = await playsToTwoPasses(screen, { stones: 4 })
    const { words } = await countedScore(screen)
    await screen.click('button', 'Accept the count')
    await screen.waitForText(new RegExp(words.replace('.', '\\.')), { selector: '[data-test=ending-result]' })
    await screen.waitForText(new RegExp(`Both players passed after ${moves - 2} moves`), { selector: '[data-test=ending-story]' })
    // What the game changed is said where it ended.
    const won = words.startsWith('Black')
    const [, from, to] = await screen.waitForText(/Rating (\d+) → (\d+)/, { selector: '[data-test=ending-rating]' })
    assert.equal(Number(from), 1500)
    assert.equal(Number(to) > 1500, won, `${from} to ${to} after ${words}`)
    await screen.gone('[data-test=ending-looking]', '', { timeoutMs: 120_000 })
    await place.moment('rated-end')

    // The next one is against somebody nearer; it is remembered that games are rated.
    const after = await choosesRated(screen, false)
    assert.equal(after.rating, Number(to))
    assert.ok(after.deviation < before.deviation)
    await screen.waitForText(won ? /One game: 1 won/ : /One game: 0 won/)
    await begin(screen)
    await screen.clickPoint(4, 4)
    await screen.waitForStone(4, 4, 'X')
    await screen.until('the answer', async () => (await screen.stoneCount()) === 2, { timeoutMs: 60_000 })

    // Who leaves a rated game has lost it, and is asked first.
    await screen.click('.tabs .active .close')
    await screen.waitForText(/Leave the rated game\?/, { selector: '[role=dialog]' })
    await screen.click('button', 'Keep playing', { scope: '[role=dialog]' })
    await screen.gone('[role=dialog]')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.click('.tabs .active .close')
    await screen.click('button', 'Leave and lose', { scope: '[role=dialog]' })
    await screen.until('one game fewer', async () => (await screen.count('.tabs .tab')) === 1)
    await screen.waitForText(/W\+F/, { selector: '.library' })
    const last = await choosesRated(screen, false)
    assert.ok(last.rating < after.rating, `${last.rating} after ${after.rating}`)
    await place.moment('rated-left')
  },
}
