import assert from 'node:assert/strict'
import { atMove, place as placeOf } from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'
import { tableRows } from './table.mjs'

const GAME = { name: 'league.sgf', text: '(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ada]PW[Grace];B[ee];W[ge];B[eg];W[ec])' }

const tabs = (screen) => screen.evaluate(() => [...document.querySelectorAll('.tabs .tab')].map((tab) => tab.innerText.trim()))
const changed = (screen) => screen.evaluate(() => document.querySelector('.tabs .active .dot') !== null)
/** The closed games as their list shows them: `{ name, words, stones }`, the stones as the small board draws them. */
const closedGames = (screen) => screen.evaluate(() => [...document.querySelectorAll('[role=dialog] .games .game')].map((game) => ({
  name: game.querySelector('.name').innerText, words: game.innerText.replace(/\s+/g, ' '), stones: [...game.querySelectorAll('.board .black, .board .white')].reduce((sum, path) => sum + path.getAttribute('d').split('M').length - 1, 0),
})))
async function menu(screen, item) {
  await screen.click('header .brand')
  await screen.click('menuitem', item)
  await screen.gone('[role=menu]')
}
const close = (screen) => screen.click('.tabs .active .close')

export const closing = {
  name: 'closing',
  title: 'closing games and getting them back, also after a restart',
  options: { network: SMALL_NETWORK, settings: { analyseAtStart: false } },
  async tell(place) {
    let screen = await place.open({ files: [GAME] })
    await screen.until('the four moves', async () => (await placeOf(screen)).of === 4)
    await screen.press('s', ['Control'])
    await screen.waitForText(/Saved to the library/)

    // A changed game asks; Cancel keeps it as it is.
    await screen.press('End')
    await atMove(screen, 4)
    await screen.clickPoint(2, 2)
    await screen.waitForStone(2, 2, 'X')
    await screen.until('the sign of a change', () => changed(screen))
    await close(screen)
    await screen.waitForText(/Save the changes to “Ada – Grace”\?/, { selector: '[role=dialog]' })
    await place.moment('save-changes')
    await screen.click('button', 'Cancel', { scope: '[role=dialog]' })
    await screen.gone('[role=dialog]')
    assert.deepEqual(await tabs(screen), ['Ada – Grace'])
    await screen.waitForStone(2, 2, 'X')

    // Don’t save: the record stays as it was, and what was played is not lost.
    await screen.press('w', ['Alt'])
    await screen.click('button', 'Don’t save', { scope: '[role=dialog]' })
    await screen.until('the empty window', async () => (await tabs(screen)).length === 0)
    await screen.find('[data-test=new-game]')
    await screen.press('T', ['Control', 'Shift'])
    await screen.until('the game with what was not saved', async () => (await placeOf(screen)).of === 5)
    await screen.waitForStone(2, 2, 'X')
    assert.ok(await changed(screen), 'it still differs from the library')

    // Save: the library has it now.
    await close(screen)
    await screen.click('button', 'Save', { scope: '[role=dialog]', exact: true })
    await screen.until('the empty window', async () => (await tabs(screen)).length === 0)
    await screen.click('[data-action=library]')
    await screen.until('the five moves in the library', async () => /Ada Grace .*\b5\b/.test((await tableRows(screen))[0] ?? ''))
    await screen.press('l')

    // A second game, closed unchanged: nobody is asked.
    await screen.click('[data-action=start-famous]')
    await atMove(screen, 127)
    await close(screen)
    await screen.until('the empty window', async () => (await tabs(screen)).length === 0)

    // The list of closed games, with their boards, the last one first.
    await menu(screen, 'Closed games')
    const listed = await screen.until('the closed games', async () => {
      const games = await closedGames(screen)
      return games.length === 2 ? games : null
    })
    await place.moment('closed-games')
    assert.match(listed[0].words, /325 moves/)
    assert.match(listed[1].words, /Ada – Grace.*5 moves/)
    assert.ok(listed[0].stones > 100, `a board of move 127: ${listed[0].stones} stones`)
    assert.equal(listed[1].stones, 5)
    await screen.press('Escape')
    await screen.gone('[role=dialog]')

    // After a restart it is all there again.
    await place.leave()
    screen = await place.open()
    await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
    await menu(screen, 'Closed games')
    await screen.until('the closed games after the restart', async () => (await closedGames(screen)).length === 2)
    await screen.click('button', 'Ada – Grace', { scope: '[role=dialog]' })
    await screen.gone('[role=dialog]')
    await screen.until('the game at its end', async () => {
      const { at, of } = await placeOf(screen)
      return at === 5 && of === 5
    })
    await screen.waitForStone(2, 2, 'X')
    await screen.until('five stones', async () => await screen.stoneCount() === 5)
    // The one that is left comes back by its key, where one stood in it.
    await screen.press('t', ['Alt'])
    await atMove(screen, 127)
    assert.equal((await tabs(screen)).length, 2)
  },
}
