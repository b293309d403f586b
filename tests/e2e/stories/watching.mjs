import assert from 'node:assert/strict'

const state = (screen) => screen.text('[data-test=play-state]')

export const watching = {
  name: 'watching',
  title: 'two engines play while somebody watches, pauses, steps, takes a side over, and watches another game to its end',
  options: { settings: { analyseAtStart: false } },
  async tell(place) {
    const screen = await place.open()
    const begins = async (white, pace) => {
      await screen.click('[data-action=new-game]')
      await screen.click('[role=dialog] label:has([data-against=watch])')
      await screen.until('the opponents', () => screen.evaluate(() => document.querySelectorAll('[data-field=seat-black] option').length > 3))
      await screen.choose('[data-field=seat-black]', 'easy')
      await screen.choose('[data-field=seat-white]', white)
      await screen.choose('[data-field=pace]', pace)
    }
    await begins('medium', '10')
    await place.moment('watching-new')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/Black: Easy\. White: Medium\./, { selector: '[data-test=play-against]' })
    await screen.until('the first move', async () => await screen.stoneCount() === 1)

    await screen.click('[data-action=play-pause]')
    await screen.waitForText(/Paused/, { selector: '[data-test=play-state]' })
    await screen.click('[data-action=play-step]')
    await screen.until('the second move', async () => await screen.stoneCount() === 2)
    assert.equal(await state(screen), 'Paused')
    await place.moment('watching-paused')

    // The person plays on as Black.
    await screen.click('[data-action=take-seat]')
    await screen.click('[role=dialog] [data-action=take-black]')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    const row = (await screen.stones()).findIndex((line) => line[0] === '.')
    await screen.clickPoint(0, row)
    await screen.until('the answer', async () => await screen.stoneCount() >= 3 && /Your move/.test(await state(screen)))

    // Nobody has to accept the count of a game that nobody plays.
    await begins('easy', '0')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/wins|Draw/, { selector: '[data-test=ending-result]', timeoutMs: 120_000 })
    await place.moment('watching-ended')
  },
}
