import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'
import { tableRows } from './table.mjs'

const FAMILIES = ['Aoki', 'Baek', 'Chen', 'Dürr', 'Endo', 'Fonseca', 'Gao', 'Hahn']
const COLUMNS = 'abcdefghijklmnopqrs'

/** Forty games of a club: game 1 has one move, game 40 has forty. */
export const FORTY = Array.from({ length: 40 }, (_, index) => {
  const number = index + 1
  const day = `2026-${String(1 + index % 12).padStart(2, '0')}-${String(1 + index % 28).padStart(2, '0')}`
  const moves = Array.from({ length: number }, (_move, at) => `;${at % 2 === 0 ? 'B' : 'W'}[${COLUMNS[at % 19]}${COLUMNS[(at * 7 + 3 * Math.floor(at / 19) + number) % 19]}]`).join('')
  const black = number === 17 ? 'Ito Haruka' : `${FAMILIES[index % 8]} ${number}`
  const white = FAMILIES[(index * 3 + 1) % 8]
  return { name: `club-${String(number).padStart(2, '0')}.sgf`, text: `(;GM[1]FF[4]SZ[19]KM[6.5]PB[${black}]PW[${white}]DT[${day}]EV[Club league]RE[${number % 2 ? 'B+R' : 'W+2.5'}]${moves})` }
})

const tabs = (screen) => screen.evaluate(() => [...document.querySelectorAll('.tabs .tab')].map((tab) => ({ name: tab.innerText.trim(), preview: tab.classList.contains('preview') })))
const report = (screen, wanted) => screen.waitForText(wanted, { selector: '[data-test=import]', timeoutMs: 120_000 })
const firstRow = (screen, wanted) => screen.until(`${wanted} first`, async () => wanted.test((await tableRows(screen))[0] ?? ''))

export const importing = {
  name: 'import',
  title: 'forty files imported, found, sorted, looked at and opened',
  options: { network: SMALL_NETWORK, settings: { analyseAtStart: false } },
  async tell(place) {
    const screen = await place.open()
    await screen.click('[data-action=library]')
    await screen.waitForText(/The library is empty/)
    await place.chooses(FORTY, () => screen.click('[data-action=import]'))
    await report(screen, /40 games imported/)
    await screen.waitForText(/^40 games/, { selector: '[data-test=library-count]' })

    // The same again: nothing comes twice.
    await place.chooses(FORTY, () => screen.click('[data-action=import]'))
    await report(screen, /No game imported\s*40 were there already/)
    assert.match(await screen.text('[data-test=library-count]'), /^40 games/)
    assert.equal(await screen.count('button', 'note', { scope: '[data-test=import]' }), 0, 'nothing was wrong with them')
    await place.moment('imported')
    await screen.click('button', 'Dismiss')

    // Found by a name, whatever the accents and the case.
    await screen.write('[data-action=library-search]', 'haruka')
    await screen.until('the one game', async () => (await tableRows(screen)).length === 1)
    assert.match((await tableRows(screen))[0], /^Ito Haruka .* B\+R 2026-05-17 Club league 17/)
    await screen.write('[data-action=library-search]', '')
    await screen.waitForText(/^40 games/, { selector: '[data-test=library-count]' })

    // Sorted by a head, and the other way round.
    await screen.click('[role=columnheader][data-column=moves]')
    await firstRow(screen, /Club league 40\b/)
    await screen.click('[role=columnheader][data-column=moves]')
    await firstRow(screen, /Club league 1\b/)

    // One click looks at a game on a board of its own; from there through its moves and to the next game.
    await screen.click('[data-test=library-table] [data-index="4"] .black')
    await screen.waitForText(/Endo 5 – /, { selector: '[data-test=preview-title]' })
    await screen.waitForText(/^5$/, { selector: '[data-test=preview-move]' })
    await screen.click('[data-action=preview-previous]')
    await screen.waitForText(/^4$/, { selector: '[data-test=preview-move]' })
    await screen.press('ArrowDown')
    await screen.waitForText(/Fonseca 6 – /, { selector: '[data-test=preview-title]' })
    await place.moment('library')
    assert.equal((await tabs(screen)).length, 0, 'looking opens nothing')

    // A double click opens it; beside the board a click takes the next one into the same tab until it is changed.
    await screen.doubleClick('[data-test=library-table] [data-index="6"] .black')
    await screen.until('the game on the board', async () => (await placeOf(screen)).of === 7)
    assert.deepEqual(await tabs(screen), [{ name: 'Gao 7 – Dürr', preview: false }])
    const beside = async (black) => {
      await screen.click('[data-record] .open', `${black} –`)
      await screen.until(`${black} on the board`, async () => (await tabs(screen)).some(({ name }) => name.startsWith(`${black} –`)))
    }
    await beside('Aoki 1')
    await beside('Baek 2')
    assert.deepEqual((await tabs(screen)).map(({ name, preview }) => `${name.split(' – ')[0]}${preview ? ' (preview)' : ''}`), ['Gao 7', 'Baek 2 (preview)'])
    await screen.until('its two moves', async () => (await placeOf(screen)).of === 2)
    await screen.clickPoint(10, 10)
    await screen.waitForStone(10, 10, 'X')
    await screen.until('the tab stays', async () => (await tabs(screen)).every(({ preview }) => !preview))
    await beside('Chen 3')
    assert.deepEqual((await tabs(screen)).map(({ name }) => name.split(' – ')[0]), ['Gao 7', 'Baek 2', 'Chen 3'])
    await place.moment('beside-the-library')
  },
}
