import assert from 'node:assert/strict'
import * as flows from '../flows.mjs'
import { FINGER, misfits } from '../support/fit.mjs'
import { Screen } from '../support/screen.mjs'

/** The tabs under the board of a narrow window are found by their words. */
const tab = (screen, words) => screen.click('tab', words, { scope: '.under', exact: true })
const onBoard = (name) => {
  const { column, row } = Screen.pointOf(name, 19)
  return [column, row]
}

/** A point of the large board where nothing stands and that no disc marks. */
async function emptyPoint(screen) {
  const board = await screen.stones()
  const marked = (await flows.candidates(screen)).map(({ point }) => onBoard(point).join())
  for (let row = 8; row < 14; row++) {
    for (let column = 3; column < 8; column++) if (board[row][column] === '.' && !marked.includes([column, row].join())) return [column, row]
  }
  return null
}

export const phone = {
  name: 'phone',
  title: 'a phone: a famous game, a game against the computer, the library and the settings, with one finger',
  options: { browser: { width: 390, height: 844, phone: true, taps: true } },
  async tell(place) {
    const screen = await place.open()
    /** Nothing is clipped, covered or too small for a finger. */
    const fits = async (name) => {
      await screen.settled()
      await place.moment(`phone-${name}`)
      assert.deepEqual(await screen.evaluate(misfits, FINGER), [], name)
    }
    await screen.find('[data-test=new-game]')
    await screen.until('the empty board', async () => (await screen.stones()).length === 9 && await screen.stoneCount() === 0)
    await fits('empty')

    await screen.click('[data-action=start-famous]')
    await flows.gameIsShown(screen)
    await flows.atMove(screen, 127)
    await screen.until('candidates', async () => (await flows.candidates(screen)).length >= 3, { timeoutMs: 120_000 })
    await flows.analyses(screen, false)
    await fits('analysis')

    // A tap on the disc shows the line and plays nothing.
    const before = await screen.stones()
    const [{ point: best }] = await flows.candidates(screen)
    await screen.clickPoint(...onBoard(best))
    await screen.waitForText(new RegExp(`%.*Play ${best}`, 's'), { selector: '[data-test=preview]' })
    assert.deepEqual(await screen.stones(), before, 'the tap on the disc played nothing')
    await fits('line')
    await screen.click('[data-action=preview-close]')
    await screen.gone('[data-test=preview]')
    await flows.atMove(screen, 127)
    // Nor does one in the list.
    await screen.click(`.move-row[data-point="${best}"]`)
    await screen.find('[data-test=preview]')
    assert.deepEqual(await screen.stones(), before, 'the tap in the list played nothing')
    await screen.click('[data-action=preview-play]')
    await screen.waitForStone(...onBoard(best), 'O')
    await flows.atMove(screen, 128)
    // A tap on an empty point that is no candidate plays there.
    const [column, row] = await screen.until('an empty point', () => emptyPoint(screen))
    await screen.clickPoint(column, row)
    await screen.waitForStone(column, row, 'X')
    await flows.atMove(screen, 129)
    await tab(screen, 'Comment')
    await fits('comment')
    await tab(screen, 'Variations')
    await screen.waitForText(/Variations/, { selector: '.under' })
    await fits('variations')

    // A new game against the computer, by the plus.
    await screen.click('[data-action=new-game]')
    await screen.find('[role=dialog] [data-action=begin]')
    await fits('new-game')
    await screen.click('[role=dialog] label:has([data-against=engine])')
    await screen.until('the opponents', () => screen.evaluate(() => document.querySelectorAll('[data-field=engine] option').length > 3))
    await screen.choose('[data-field=engine]', 'easy')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.until('the empty board', async () => (await screen.stones()).length === 9 && await screen.stoneCount() === 0)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.clickPoint(4, 4)
    await screen.waitForStone(4, 4, 'X')
    await screen.until('the answer', async () => await screen.stoneCount() === 2)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.waitForText(/Black E5/, { selector: '[data-test=last-moves]' })
    await fits('playing')
    // A tap on a stone is no move.
    await screen.clickPoint(4, 4)
    assert.equal(await screen.stoneCount(), 2)
    await screen.click('[data-action=resign]')
    await screen.find('[data-action=resign-surely]')
    await fits('resigning')
    await screen.click('[data-action=resign-surely]')
    await screen.waitForText(/You lost/, { selector: '[data-test=ending-title]' })
    await screen.waitForText(/White wins by resignation/, { selector: '[data-test=ending-result]' })
    await fits('ended')

    // The game that was played is in the library, under its players; opening it shows the one that is open.
    await tab(screen, 'Library')
    await screen.waitForText(/Black – Easy/, { selector: '[data-record]' })
    await fits('library')
    const games = await screen.count('.tabs .tab')
    await screen.click('[data-action=library]')
    await screen.click('[data-record] .open')
    await screen.waitForText(/Black – Easy/, { selector: '[data-test=preview-title]' })
    await fits('library-room')
    await screen.click('[data-action=preview-open]')
    await screen.gone('[data-test=library-room]')
    await screen.until('the game on the board', async () => await screen.stoneCount() === 2)
    await screen.waitForText(/You lost/)
    assert.equal(await screen.count('.tabs .tab'), games, 'it was not opened a second time')

    // The settings, from the menu.
    await screen.click('header .brand')
    await fits('menu')
    await screen.click('menuitem', 'Settings')
    await screen.find('[role=dialog] [data-action=settings-search]')
    for (const name of ['Board', 'Analysis', 'Engines', 'Window']) {
      await screen.click('tab', name, { scope: '[role=dialog]', exact: true })
      await fits(`settings-${name.toLowerCase()}`)
    }
    await screen.choose('[role=dialog] select:has(option[value=dark])', 'dark')
    await screen.until('the dark theme', () => screen.evaluate(() => document.documentElement.dataset.theme === 'dark'))
    await fits('dark')
    await screen.click('[role=dialog] button', 'Close')
    await screen.gone('[role=dialog]')
    await fits('dark-board')
  },
}
