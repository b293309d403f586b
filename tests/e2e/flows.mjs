// What a person does, once; run in a browser and in the real window.
// Each takes the screen of a window that shows the famous game, and leaves a window that still works.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The move number that is shown and how many moves there are: `{ at: 127, of: 325 }`. */
export async function place(screen) {
  const text = await screen.text('[data-test=place]')
  const [at, of] = (text.match(/\d+/g) ?? []).map(Number)
  return { at, of }
}

export async function atMove(screen, wanted, options) {
  await screen.until(`move ${wanted}`, async () => (await place(screen)).at === wanted, options)
}

/** The board is there with the famous game in it. */
export async function gameIsShown(screen) {
  await screen.find('board', '', { timeoutMs: 90_000 })
  await screen.until('the 325 moves of the game', async () => (await place(screen)).of === 325)
}

/** To the empty board. The click takes the focus away from fields and lists, as a person would. */
export async function toStart(screen) {
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('Home')
  await atMove(screen, 0)
}

/** The candidates as the list shows them. */
export function candidates(screen) {
  return screen.evaluate(() => [...document.querySelectorAll('.move-row[data-point]')].map((row) => ({
    point: row.dataset.point, label: row.getAttribute('aria-label'), figures: row.innerText.replace(/\s+/g, ' '),
  })))
}

const numberOf = (text) => {
  const [, figure, unit] = /([\d.]+)(k|K|万|M)?$/.exec(text.replace(/[\s,]/g, ' ').trim()) ?? [, '0']
  return Number(figure) * ({ k: 1e3, K: 1e3, 万: 1e4, M: 1e6 }[unit] ?? 1)
}

/** Visits of the position: as the bar says, or where it has no room for them (on a phone) as the rows of the list do. */
const visits = async (screen) => {
  const text = await screen.text('[data-test=visits]')
  if (text !== '') return numberOf(text.replaceAll(' ', ''))
  return (await candidates(screen)).reduce((sum, { figures }) => sum + numberOf(figures), 0)
}

/** The real network speaks: several candidates with figures, visits that grow, the network's name. */
export async function engineAnalyses(screen, { timeoutMs = 90_000 } = {}) {
  const list = await screen.until('candidates', async () => {
    const found = await candidates(screen)
    return found.length >= 2 ? found : null
  }, { timeoutMs })
  for (const { figures } of list) assert.match(figures, /\d/)
  const before = await visits(screen)
  await screen.until('more visits', async () => (await visits(screen)) > before, { timeoutMs })
  await screen.waitForText(/b10c384/, { selector: '[data-test=engine]' })
}

/** To the move that the famous game is named for, until the engine has looked at it so many times. */
export async function waitsForVisits(screen, wanted, options) {
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('Home')
  for (let step = 0; step < 12; step++) await screen.press('PageDown')
  for (let step = 0; step < 7; step++) await screen.press('ArrowRight')
  await atMove(screen, 127)
  await screen.until(`${wanted} visits`, async () => (await visits(screen)) >= wanted, { everyMs: 500, ...options })
}

/** Turns live analysis on or off: "Analyse" is there while it is off, and "Stop" while the engine does anything. */
export async function analyses(screen, wanted) {
  const isOn = async () => !(await screen.evaluate(() => document.querySelector('[data-action=analyse]') !== null))
  if (await isOn() !== wanted) await screen.click(wanted ? '[data-action=analyse]' : '[data-action=stop]')
  await screen.until(wanted ? 'analysis to be on' : 'analysis to stop', async () => await isOn() === wanted)
}

/** Stops and starts live analysis. */
export async function analysisStopsAndStarts(screen) {
  await analyses(screen, true)
  await analyses(screen, false)
  await analyses(screen, true)
}

/** Plays on an empty point with the mouse: the stone is drawn and a variation begins. */
export async function playsWithTheMouse(screen) {
  await toStart(screen)
  await screen.until('the empty board', async () => (await screen.stones()).join('').replaceAll('.', '') === '')
  await screen.clickPoint(3, 15)
  await screen.waitForStone(3, 15, 'X')
  await screen.clickPoint(15, 3)
  await screen.waitForStone(15, 3, 'O')
  await atMove(screen, 2)
  assert.equal((await screen.stones()).join('').replaceAll('.', '').length, 2, 'two stones and no more')
}

/** Plays with the keyboard alone: to the board, the cursor to a point, Enter. */
export async function playsWithTheKeyboard(screen) {
  await toStart(screen)
  await screen.press('b')
  await screen.until('the focus on the board', () => screen.evaluate(() => document.activeElement?.matches('[role=application][data-size]') ?? false))
  // The cursor begins in the middle of an empty board.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await screen.press(key)
  await screen.press('Enter')
  await screen.waitForStone(11, 10, 'X')
  await screen.press('ArrowLeft')
  await screen.press('Enter')
  await screen.waitForStone(10, 10, 'O')
  await screen.press('Escape')
  await atMove(screen, 2)
}

/** A move that the rules refuse is refused with its reason, and nothing changes. */
export async function refusesAnIllegalMove(screen) {
  await toStart(screen)
  await screen.press('b')
  await screen.press('Enter')
  const drawn = async () => (await screen.stones()).join('').replaceAll('.', '')
  await screen.until('a stone where the cursor is', async () => (await drawn()) === 'X')
  await atMove(screen, 1)
  const before = await place(screen)
  await screen.press('Enter')
  await screen.press('Escape')
  assert.deepEqual(await place(screen), before, 'nothing was played on the stone')
  assert.equal(await drawn(), 'X')
}

/** By keys and by buttons through the game, and the stones with it. */
export async function navigates(screen) {
  await toStart(screen)
  await screen.press('m')
  await screen.press('ArrowRight')
  await atMove(screen, 1)
  await screen.waitForStone(16, 3, 'X')
  await screen.press('ArrowRight')
  await atMove(screen, 2)
  await screen.waitForStone(3, 2, 'O')
  await screen.press('ArrowLeft')
  await atMove(screen, 1)
  await screen.waitForStone(3, 2, '.')
  await screen.press('PageDown')
  await atMove(screen, 11)
  await screen.press('End')
  await atMove(screen, 325)
  await screen.click('[data-action=previous]')
  await atMove(screen, 324)
  await screen.click('[data-action=next]')
  await atMove(screen, 325)
}

/** Another first move beside the record's, back to the main line, and undone. */
export async function keepsVariations(screen) {
  const nodes = () => screen.evaluate(() => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0))
  await toStart(screen)
  const before = await nodes()
  assert.ok(before > 325, 'the tree is shown')
  await screen.clickPoint(2, 4)
  await screen.waitForStone(2, 4, 'X')
  await screen.until('the new branch in the tree', async () => (await nodes()) === before + 1)
  await screen.press('ArrowUp')
  await screen.waitForStone(16, 3, 'X')
  await screen.until('the main line again', async () => (await place(screen)).of === 325)
  await screen.press('z', ['Control'])
  await screen.until('the variation to go', async () => (await nodes()) === before)
}

/** The whole game on the graph, or so many of its positions. */
export async function graphIsDrawn(screen, { positions = 100, timeoutMs = 800_000 } = {}) {
  // The window evaluates a game by itself soon after its first candidates, and the key would end that: the button is
  // only there to be pressed while nothing is being evaluated.
  let pressedAt = -Infinity
  await screen.until(`the graph of ${positions} positions`, async () => {
    const again = Date.now() - pressedAt > 30_000
    const { known, pressed } = await screen.evaluate((mayPress) => {
      const button = document.querySelector('[data-action=sweep]')
      const press = mayPress && button && !button.disabled
      if (press) button.click()
      return { known: Number(document.querySelector('.plot[data-known]')?.dataset.known ?? 0), pressed: Boolean(press) }
    }, again)
    if (pressed) pressedAt = Date.now()
    return known >= positions
  }, { timeoutMs, everyMs: 500 })
}

/** A click on the graph goes to that move. */
export async function graphGoesToAMove(screen) {
  const box = await screen.find('.plot[data-known]')
  await screen.hands.click(box.left + box.width * 0.5, box.y)
  const { at } = await screen.until('the middle of the game', async () => {
    const now = await place(screen)
    return now.at > 130 && now.at < 195 ? now : null
  })
  await screen.hands.click(box.left + box.width * 0.25, box.y)
  await screen.until('an earlier move', async () => (await place(screen)).at < at - 40)
}

const libraryRows = (screen) => screen.evaluate(() => [...document.querySelectorAll('[data-record]')].map((row) => row.innerText.replace(/\s+/g, ' ')))

/** Saves to the library, finds, renames, deletes and brings back. */
export async function keepsTheGameInTheLibrary(screen) {
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('s', ['Control'])
  await screen.until('the game in the library', async () => (await libraryRows(screen)).some((row) => row.includes('ear-reddening') || row.includes('Shusaku')))
  const search = '[data-action=library-search]'
  await screen.write(search, 'nobody of this name')
  await screen.until('no match', async () => (await libraryRows(screen)).length === 0)
  await screen.write(search, 'gennan')
  await screen.until('the one match', async () => (await libraryRows(screen)).length === 1)

  await screen.evaluate(() => document.querySelector('[data-record] .open').focus())
  await screen.press('F2')
  await screen.until('the field for the name', () => screen.evaluate(() => document.activeElement?.matches('[data-record] input') ?? false))
  await screen.press('a', ['Control'])
  await screen.type('Red ears')
  await screen.press('Enter')
  await screen.until('the new name', async () => (await libraryRows(screen)).some((row) => row.includes('Red ears')))

  await screen.evaluate(() => document.querySelector('[data-record] .open').focus())
  await screen.press('Delete')
  await screen.until('the record to go', async () => (await libraryRows(screen)).length === 0)
  await screen.click('button', 'undo', { scope: '.stack' })
  await screen.until('the record again', async () => (await libraryRows(screen)).some((row) => row.includes('Red ears')))
  await screen.write(search, '')
}

/** Two games with the same corner, one of them mirrored and with another move elsewhere. */
export const TWINS = [
  { name: 'left.sgf', text: '(;GM[1]FF[4]SZ[19]PB[Lefty]PW[Someone];B[pd];W[dp];B[pp];W[dd];B[cf])' },
  { name: 'right.sgf', text: '(;GM[1]FF[4]SZ[19]PB[Righty]PW[Another];B[dd];W[pp];B[dp];W[pd];B[qf];W[cn])' },
]

/** Keeps the game on the board, whose Black is named so, in the library. */
export async function savesTheGameOf(screen, black) {
  await screen.waitForText(new RegExp(black))
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('s', ['Control'])
  await screen.until(`the game of ${black} in the library`, async () => (await libraryRows(screen)).some((row) => row.includes(black)))
}

/** With the twins in the library and the second one on the board: draws their corner, looks for it, and opens what is found. */
export async function findsAPattern(screen) {
  const found = (pattern) => screen.waitForText(pattern, { selector: '[data-test=pattern-found]' })
  const hits = () => screen.evaluate(() => document.querySelectorAll('[data-hit]').length)
  const cells = () => screen.evaluate(() => [...document.querySelectorAll('[data-test=pattern-board] [data-cell]')].map((cell) => `${cell.dataset.cell} ${cell.dataset.point}`))
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('End')
  await atMove(screen, 6)
  await screen.press('F', ['Control', 'Shift'])
  // Where a point is, asked anew each time: what was found may have moved the board.
  const at = async (column, row) => {
    const box = await screen.find('[data-test=pattern-board]')
    return { x: box.left + (column + 0.5) / 19 * box.width, y: box.top + (row + 0.5) / 19 * box.height }
  }
  const clickAt = async (column, row) => {
    const { x, y } = await at(column, row)
    await screen.hands.click(x, y)
  }
  await screen.until('the position of the game', async () => (await cells()).includes('black R14') && (await cells()).length === 6)
  await screen.hands.drag(await at(12, 0), await at(18, 6))
  await screen.until('the corner to be meant', () => screen.evaluate(() => document.querySelector('[data-field=pattern-place]').options.length === 3))
  await screen.click('[data-action=pattern-search]')
  await found(/2 games/)
  await screen.until('both games in the list', async () => (await hits()) === 2)

  await screen.click('[data-tool=pattern-white]')
  await clickAt(13, 2)
  await screen.until('the stone that was drawn', async () => (await cells()).includes('white O17'))
  await screen.click('[data-action=pattern-search]')
  await found(/no game/)
  await clickAt(13, 2)
  await screen.until('the stone to go', async () => !(await cells()).includes('white O17'))

  await screen.click('[data-field=pattern-symmetry]')
  await screen.click('[data-action=pattern-search]')
  await found(/one game/)
  await screen.until('the one game in the list', async () => (await hits()) === 1)
  await screen.click('[data-hit]')
  await screen.gone('[data-test=pattern-board]')
  await atMove(screen, 5)
}

/** Chooses two games of the library with the keyboard, deletes them together, and takes that back. */
export async function filesSeveralGames(screen) {
  const count = async () => (await libraryRows(screen)).length
  await screen.until('the two games', async () => (await count()) === 2)
  await screen.evaluate(() => document.querySelector('[data-index="0"] .open').focus())
  await screen.press(' ')
  await screen.until('one chosen', () => screen.evaluate(() => document.querySelectorAll('[data-chosen]').length === 1))
  await screen.press('ArrowDown', ['Shift'])
  await screen.until('both chosen', () => screen.evaluate(() => document.querySelectorAll('[data-chosen]').length === 2))
  await screen.click('[data-action=delete-chosen]')
  await screen.until('both gone', async () => (await count()) === 0)
  await screen.click('[data-action=library-undo]')
  await screen.until('both back', async () => (await count()) === 2)
}

/** Opens the record that the library holds. */
export async function opensFromTheLibrary(screen) {
  await screen.click('[data-record] .open')
  await gameIsShown(screen)
}

export const choose = (screen, selector, value) => screen.choose(selector, value)

export async function changesTheLanguage(screen) {
  await choose(screen, '[data-action=language]', 'zh-Hans')
  await screen.waitForText(/胜率/)
  await screen.until('the language of the page', () => screen.evaluate(() => document.documentElement.lang === 'zh-Hans'))
  await choose(screen, '[data-action=language]', 'en')
  await screen.waitForText(/Analyse|Stop/)
}

/** The settings in a data folder are these. */
export function settingsAreKept(screen, data, wanted) {
  return screen.until(`${wanted} in the settings`, () => wanted.test(readFileSync(join(data, 'settings.toml'), 'utf8')))
}

export async function changesTheTheme(screen) {
  const paper = () => screen.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number)
    return (r + g + b) / 3
  })
  const before = await paper()
  await screen.click('[data-action=theme]')
  await screen.until('the other theme', async () => Math.abs((await paper()) - before) > 100)
  await screen.click('[data-action=theme]')
  await screen.until('the first theme again', async () => Math.abs((await paper()) - before) < 5)
}

/** How many things of a kind the tree's current node shows on the board, as the record has them. */
const record = async (screen) => {
  await screen.evaluate(() => { window.copiedForTest = undefined })
  await screen.evaluate(() => {
    window.navigator.clipboard.writeText = (text) => { window.copiedForTest = text; return Promise.resolve() }
  })
  await screen.press('C', ['Control', 'Shift'])
  return screen.until('the record', () => screen.evaluate(() => window.copiedForTest ?? null))
}

/** Sets stones up, marks points and draws an arrow with the tools, and takes all of it back. */
export async function editsTheBoard(screen) {
  await toStart(screen)
  await screen.press('e', ['Control'])
  await screen.click('[data-tool=black]')
  await screen.clickPoint(4, 4)
  await screen.waitForStone(4, 4, 'X')
  await screen.click('[data-tool=white]')
  await screen.clickPoint(5, 4)
  await screen.waitForStone(5, 4, 'O')
  await screen.click('[data-tool=letter]')
  await screen.clickPoint(9, 9)
  await screen.clickPoint(10, 10)
  await screen.click('[data-tool=arrow]')
  await screen.dragPoint([9, 9], [10, 10])
  await screen.click('[data-action=turn]')
  const sgf = await screen.until('all of it in the record', async () => {
    const text = await record(screen)
    return ['AB[ee]', 'AW[fe]', 'LB[jj:A][kk:B]', 'AR[jj:kk]', 'PL[W]'].every((part) => text.includes(part)) ? text : null
  })
  assert.ok(sgf.includes('(;GM[1]') || sgf.startsWith('(;'), 'it is a record')
  await screen.evaluate(() => document.activeElement?.blur())
  for (let change = 0; change < 6; change++) await screen.press('z', ['Control'])
  await screen.waitForStone(4, 4, '.')
  await screen.until('the record as it was', async () => !/AB\[|LB\[|AR\[|PL\[/.test(await record(screen)))
  await screen.press('e', ['Control'])
  await screen.gone('[data-tool=letter]')
}

/** A game against somebody who has just learnt the rules: it answers, a turn is taken back, and giving up ends it. */
export async function playsAgainstALevel(screen) {
  const drawn = async () => (await screen.stones()).join('').replaceAll('.', '')
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('n', ['Control'])
  await screen.click('[role=dialog] label:has([data-against=rank])')
  // Its network lies apart from the others in the package.
  await screen.click('[role=dialog] label:has([data-size-choice="9"])')
  await screen.find('[role=dialog] [data-field=rank]')
  await screen.evaluate(() => {
    const slider = document.querySelector('[role=dialog] [data-field=rank]')
    slider.value = '0'
    slider.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await screen.waitForText(/First steps 1/, { selector: '[role=dialog] [data-test=rank]' })
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.find('[data-test=play]')
  await screen.until('the empty board', async () => (await screen.stones()).length === 9 && (await drawn()) === '')
  await screen.clickPoint(4, 4)
  await screen.waitForStone(4, 4, 'X')
  await screen.until('the answer', async () => (await drawn()).length === 2, { timeoutMs: 60_000 })
  await screen.click('[data-action=take-back]')
  await screen.until('the empty board again', async () => (await drawn()) === '')
  await screen.clickPoint(4, 4)
  await screen.until('the answer', async () => (await drawn()).length === 2, { timeoutMs: 60_000 })
  await screen.click('[data-action=resign]')
  await screen.click('[data-action=resign-surely]')
  await screen.waitForText(/White wins by resignation/, { selector: '[data-test=ending-result]' })
  await screen.gone('[data-test=play]')
}

/** The empty window is a board: one click puts a stone, and the opponent answers. */
export async function beginsWithAStone(screen) {
  await screen.find('[data-test=new-game]')
  await screen.until('the empty board', async () => (await screen.stones()).length === 9)
  assert.equal(await screen.evaluate(() => document.querySelectorAll('footer').length), 0, 'there is nothing to step through')
  await screen.clickPoint(4, 4)
  await screen.waitForStone(4, 4, 'X')
  await screen.until('the answer', async () => (await screen.stones()).join('').replaceAll('.', '').length === 2, { timeoutMs: 120_000 })
  await screen.find('[data-test=play]')
}

/** A new game takes two clicks, and is like the last one. */
export async function beginsInTwoClicks(screen, size) {
  await screen.click('[data-action=new-game]')
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.gone('[role=dialog]')
  await screen.until('the same board', async () => (await screen.stones()).length === size)
  await screen.find('[data-test=play]')
}

/** A new board whose edges meet: a stone at the edge is seen on both sides, and the world is pushed. */
export async function playsOnATorus(screen) {
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('n', ['Control'])
  // Nobody to play against: the board is only written on.
  await screen.click('[role=dialog] label:has([data-against=nobody])')
  await screen.click('[role=dialog] label:has([data-size-choice="9"])')
  await screen.click('[data-action=other-boards]')
  await screen.click('[data-field=torus]')
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.until('the torus', () => screen.evaluate(() => document.querySelector('[role=application][data-size]')?.dataset.around === '3'))
  await screen.clickPoint(0, 4)
  await screen.waitForStone(0, 4, 'X')
  // A click on the world beside the board plays on the point that it repeats.
  await screen.clickPoint(9, 5)
  await screen.waitForStone(0, 5, 'O')
  const before = await screen.stones()
  await screen.dragPoint([4, 1], [6, 1])
  await screen.until('the world two columns on', async () => {
    const now = await screen.stones()
    return now[4][2] === 'X' && now[5][2] === 'O' && now[4][0] === '.' && before[4][0] === 'X'
  })
  await screen.press('w', ['Control'])
}

/** Every move of the position is looked at, and then the usual search goes on. */
export async function looksAtEveryMove(screen) {
  await toStart(screen)
  await screen.until('candidates', async () => (await candidates(screen)).length >= 2, { timeoutMs: 120_000 })
  await screen.press('s')
  await screen.find('[data-test=equal]')
  // The usual search tells forty at most.
  const listed = () => screen.evaluate(() => Number(document.querySelector('[data-row]')?.getAttribute('aria-setsize') ?? 0))
  await screen.until('more moves than the usual search tells', async () => await listed() > 60, { timeoutMs: 240_000, everyMs: 250 })
  await screen.click('[data-action=usual-search]')
  await screen.gone('[data-test=equal]')
  await screen.until('the usual candidates', async () => {
    const moves = await listed()
    return moves >= 2 && moves <= 40
  }, { timeoutMs: 120_000 })
}

/** Two moves are put in after the first one, and the game goes on after them. Leaves the window at the end of those two. */
export async function insertsMoves(screen) {
  await toStart(screen)
  await screen.press('ArrowRight')
  await atMove(screen, 1)
  await screen.press('i')
  await screen.find('[data-test=insert]')
  await screen.clickPoint(9, 9)
  await screen.waitForStone(9, 9, 'O')
  await screen.clickPoint(9, 11)
  await screen.waitForStone(9, 11, 'X')
  await atMove(screen, 3)
  await screen.click('[data-action=insert-done]')
  await screen.gone('[data-test=insert]')
  await screen.until('the game after the inserted moves', async () => (await place(screen)).of > 300)
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('ArrowRight')
  await screen.waitForStone(3, 2, 'O')
  await screen.press('z', ['Control'])
  await screen.until('what followed to go', async () => {
    const { at, of } = await place(screen)
    return at === 3 && of === 3
  })
}

/** From the end of a variation the engine plays on for both sides until it is told to stop. */
export async function playsOut(screen) {
  const before = await place(screen)
  assert.equal(before.at, before.of)
  await screen.press('f')
  await screen.until('a few moves', async () => Number(/\d+/.exec(await screen.text('[data-test=play-out]'))?.[0] ?? 0) >= 2, { timeoutMs: 240_000 })
  await screen.click('[data-action=stop-play-out]')
  await screen.gone('[data-test=play-out]', '', { timeoutMs: 120_000 })
  await screen.until('the end of what was played', async () => {
    const { at, of } = await place(screen)
    return at >= before.at + 2 && at === of
  })
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('z', ['Control'])
  await screen.until('all of it to go in one step', async () => {
    const { at, of } = await place(screen)
    return at === before.at && of === before.of
  })
}

/** The network in use beside itself: both columns say the same. */
export async function comparesNetworks(screen) {
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('C', ['Shift'])
  await screen.find('[data-test=compare]')
  await choose(screen, '[data-field=second-network]', 'b10c384h6nbttflrs.bin.gz')
  const rows = await screen.until('what both think', () => screen.evaluate(() => {
    const found = [...document.querySelectorAll('[data-test=compare] tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim()))
    const both = found.filter(([first, second]) => first && second)
    return both.length >= 5 ? both : null
  }), { timeoutMs: 240_000 })
  // What else is asked at the same time may move the last figure by one.
  for (const [first, second] of rows) assert.ok(Math.abs(Number(first) - Number(second)) < 0.15, `${first} and ${second}`)
  await screen.press('C', ['Shift'])
  await screen.gone('[data-test=compare]')
}

/** Puts the window into a state worth a picture: the move the game is named for, candidates and graph. */
export async function posesForAPicture(screen, { language, dark }) {
  await choose(screen, '[data-action=language]', language)
  const isDark = await screen.evaluate(() => {
    const [r] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number)
    return r < 128
  })
  if (isDark !== dark) await screen.click('[data-action=theme]')
  await screen.hands.move(2, 2)
}
