import assert from 'node:assert/strict'
import * as flows from '../flows.mjs'
import { zipOf } from '../support/zip.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

const PLAYERS = [['Anna Novak', '4d'], ['Ben Okafor', '3d'], ['Chen Lian', '5d'], ['Dora Weiss', '2k']]
const ROUNDS = [[[0, 1], [2, 3]], [[0, 2], [3, 1]], [[3, 0], [1, 2]]]
const MOVES = ['gc', 'cg', 'cc', 'gg', 'ee', 'ge', 'ec', 'eg']

/** Six games of four players in a folder a round, a torn record, and a list of results that is none. */
function archive() {
  const games = ROUNDS.flatMap((pairs, round) => pairs.map(([black, white], table) => {
    const moves = [...MOVES.slice(round), ...MOVES.slice(0, round)].slice(0, 5 + table)
    const names = `PB[${PLAYERS[black][0]}]BR[${PLAYERS[black][1]}]PW[${PLAYERS[white][0]}]WR[${PLAYERS[white][1]}]`
    return {
      name: `Spring Open/round ${round + 1}/table ${table + 1}.sgf`,
      text: `(;GM[1]FF[4]SZ[9]KM[6.5]EV[Spring Open 2024]RO[${round + 1}]DT[2024-03-0${round + 1}]RE[${table === 0 ? 'B' : 'W'}+R]${names}${moves.map((at, turn) => `;${turn % 2 === 0 ? 'B' : 'W'}[${at}]`).join('')})`,
    }
  }))
  return zipOf([...games, { name: 'Spring Open/round 3/table 3.sgf', text: 'the disk was full' }, { name: 'Spring Open/results.txt', text: 'Anna 2, Chen 2, Ben 1, Dora 1' }])
}

const rows = (screen) => screen.evaluate(() => [...document.querySelectorAll('[data-test=library-table] [data-index]')].map((row) => row.innerText.replace(/\s+/g, ' ').trim()).filter(Boolean))

export const tournament = {
  name: 'tournament',
  title: 'a zip of a club’s tournament: brought into the library, found by player and event, opened, and the players’ pages',
  options: { network: SMALL_NETWORK, browser: { width: 1280, height: 720 } },
  async tell(place) {
    const screen = await place.open()
    await screen.find('[data-test=new-game]')
    await place.drop([{ name: 'spring-open.zip', bytes: archive() }])

    // The window asks which of them; all are brought into the library.
    await screen.waitForText(/Games in spring-open\.zip/, { selector: '[role=dialog]' })
    await screen.waitForText(/6 games: which do you want to open\?/, { selector: '[role=dialog]' })
    await screen.waitForText(/Anna Novak 4 dan – Ben Okafor 3 dan/, { selector: '[role=dialog]' })
    await screen.waitForText(/round 3\/table 3\.sgf/, { selector: '[role=dialog] .problems' })
    await place.moment('tournament-choose')
    await screen.click('[role=dialog] button', 'Import all into the library')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/6 games imported/, { selector: '[data-test=import]' })
    await screen.waitForText(/One file has no game/, { selector: '[data-test=import]' })
    await place.moment('tournament-imported')
    await screen.click('.import button', 'note')
    await screen.waitForText(/table 3\.sgf/, { selector: '[role=dialog]' })
    await screen.waitForText(/refused/, { selector: '[role=dialog]' })
    assert.equal(await screen.evaluate(() => document.querySelectorAll('[role=dialog] .problems li').length), 1, 'the list of results is no game and no fault')
    await place.moment('tournament-report')
    await screen.press('Escape')
    await screen.gone('[role=dialog]')
    await screen.click('.import button', 'Dismiss')
    await screen.gone('[data-test=import]')

    // The table: by a player's name, and by the event.
    await screen.click('[data-action=library-room]')
    await screen.waitForText(/6 games/, { selector: '[data-test=library-count]' })
    await screen.write('[data-action=library-search]', 'anna')
    await screen.waitForText(/3 games/, { selector: '[data-test=library-count]' })
    for (const row of await rows(screen)) assert.match(row, /Anna Novak/)
    await screen.write('[data-action=library-search]', 'spring open')
    await screen.waitForText(/6 games/, { selector: '[data-test=library-count]' })
    await screen.write('[data-action=library-search]', '')
    await screen.write('.filter [data-field=opponent]', 'weiss')
    await screen.write('.filter [data-field=player]', 'chen')
    await screen.waitForText(/One game/, { selector: '[data-test=library-count]' })
    await place.moment('tournament-filtered')
    await screen.click('[data-test=library-table] [data-index="0"]')
    await screen.waitForText(/Chen Lian – Dora Weiss/, { selector: '[data-test=preview-title]' })
    await screen.doubleClick('[data-test=library-table] [data-index="0"]')
    await screen.gone('[data-test=library-room]')
    await screen.waitForText(/Chen Lian – Dora Weiss/, { selector: '.tab.active' })
    await screen.waitForText(/Spring Open 2024/, { selector: '.end-room .players' })
    await screen.press('End')
    await flows.atMove(screen, 6)
    await screen.waitForStone(6, 2, 'X')
    await screen.waitForStone(2, 6, 'O')
    await screen.until('six stones', async () => await screen.stoneCount() === 6)
    await place.moment('tournament-opened')

    // The players, each with a page.
    await screen.click('[data-action=library]')
    await screen.click('[data-action=clear-filter-pane]')
    await screen.waitForText(/6 games/, { selector: '[data-test=library-count]' })
    await screen.click('[data-test=library-room] button', 'Players and statistics')
    await screen.waitForText(/Anna Novak/, { selector: '[role=dialog]' })
    await place.moment('tournament-players')
    await screen.click('[role=dialog] .one', 'Chen Lian')
    await screen.waitForText(/3 games, 1 won, 2 lost|3 games, 2 won, 1 lost/, { selector: 'article.player' })
    await screen.waitForText(/Ben Okafor/, { selector: 'article.player' })
    await place.moment('tournament-player')
    await screen.click('[role=dialog] button', 'Show their games')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/3 games/, { selector: '[data-test=library-count]' })
    for (const row of await rows(screen)) assert.match(row, /Chen Lian/)
  },
}
