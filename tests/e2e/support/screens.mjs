// Every screen and dialog at three sizes, and some at three lower ones, in each language in each theme: axe finds nothing, and everything fits.
// Without HONINBO_SLOW_TESTS=1 each is looked at in one language and theme at each size, in turn.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as flows from '../flows.mjs'
import { dropFiles, openBrowser } from './browser.mjs'
import { FINGER, misfits } from './fit.mjs'
import { cli, dataFolder, game, ownFolder, serve, SMALL_NETWORK } from './machine.mjs'
import { runToEnd } from './programs.mjs'

const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko']
const THEMES = ['light', 'dark']
const LOOKS = LANGUAGES.flatMap((language) => THEMES.map((theme) => ({ language, theme })))
const IS_SLOW = process.env.HONINBO_SLOW_TESTS === '1'
/** How the screen of this number is looked at; at each size in another way. */
const looksOf = (at, size) => IS_SLOW ? LOOKS : [LOOKS[(at + 3 * SIZES.indexOf(size)) % LOOKS.length]]
/** What is looked at where a window is so low that dialogs and rooms are scrolled. */
const SOME = ['the variations', 'the comment', 'the library', 'the tools', 'the score', 'guessing', 'inserting', 'the library’s room', 'a game of the library', 'nothing found', 'a game against a level', 'resigning', 'a game that was resigned']
const SIZES = [
  { name: 'a desktop', width: 1280, height: 720 },
  { name: 'a tablet', width: 820, height: 1180, phone: true },
  { name: 'a phone', width: 390, height: 844, phone: true },
  { name: 'a phone on its side', width: 740, height: 360, phone: true, some: SOME },
  { name: 'a longer phone on its side', width: 844, height: 390, phone: true, some: SOME },
  { name: 'a desktop at 200 %', width: 640, height: 400, some: SOME },
]
/** A run of six generations on 5x5, without its networks and rows. */
const TRAINING = fileURLToPath(new URL('../../fixtures/training/five', import.meta.url))
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const press = (...keys) => ({ screen }) => screen.press(keys.at(-1), keys.slice(0, -1))
const TABS = ['analysis', 'tree', 'comment', 'library']
/** The panels of a narrow window are tabs; elsewhere they are there already. */
const choose = (tab) => async ({ screen, size }) => {
  if (size.width <= 832) await screen.click(`.under .tab-list [role=tab]:nth-child(${TABS.indexOf(tab) + 1})`)
}
/** What has no key of its own is found by its English name; the language is English whenever a screen is opened. */
const act = (name) => async ({ screen }) => {
  await screen.press('k', ['Control'])
  await screen.find('.palette')
  await screen.type(name)
  await screen.press('Enter')
  await screen.gone('.palette')
}
const list = (name) => async ({ screen, size }) => {
  await choose('analysis')({ screen, size })
  await screen.evaluate((wanted) => document.querySelector(`[data-list=${wanted}]`)?.click(), name)
}
const settings = (index) => async ({ screen }) => {
  await screen.press(',', ['Control'])
  await screen.click(`.dialog [role=tab]:nth-child(${index + 1})`)
}
const click = (selector, name = '') => ({ screen }) => screen.click(selector, name)

/** The engine's corner of the window in a state that passes too fast to be looked at, with the most words that a language has for one. */
const engineSays = (state) => async ({ screen }) => {
  await screen.evaluate((wanted) => {
    const corner = document.querySelector('[data-test=engine]')
    const words = corner.querySelector('.words')
    corner.classList.remove('ready', 'loading', 'failed')
    corner.classList.add(wanted)
    if (wanted === 'ready') words.textContent = words.dataset.before
    else {
      words.dataset.before ??= words.textContent
      words.textContent = '長'.repeat(20)
    }
  }, state)
}

/** A new game, with these choices made in its form. */
const begin = (...choices) => async ({ screen }) => {
  await screen.press('n', ['Control'])
  for (const choice of choices) await screen.click(`[role=dialog] label:has(${choice})`)
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.gone('[role=dialog]')
  await screen.find('[data-test=play]')
  await screen.until('the empty board', async () => (await screen.stones()).length === 9)
}
/** Two persons have passed, and the dead stones are proposed. */
async function count(on) {
  const { screen } = on
  await begin('[data-against=person]')(on)
  for (const [at, [column, row]] of [[4, 4], [2, 6], [6, 2]].entries()) {
    await screen.clickPoint(column, row)
    await screen.waitForStone(column, row, at % 2 === 0 ? 'X' : 'O')
  }
  for (const words of [/White passed|Black passed/, /Both passed|Mark the dead stones/]) {
    await screen.click('[data-action=play-pass]')
    await screen.waitForText(words)
  }
  await screen.find('.score table', '', { timeoutMs: 120_000 })
}
async function endCounted({ screen }) {
  await screen.click('[data-action=play-count]')
  // Reviews by themselves are off here.
  await screen.click('[data-action=ending-look]')
  await screen.until('the game in sentences', async () => await screen.count('[data-test=ending-story] p') === 3, { timeoutMs: 120_000 })
}
/** The game of the library is changed and about to be closed. */
async function askToClose(on) {
  const { screen, size } = on
  await screen.click('[data-action=library]')
  await screen.write('[data-action=library-search]', 'Someone')
  await screen.until('the one match', () => screen.evaluate(() => document.querySelectorAll('[data-index]').length === 1))
  if (size.phone) {
    // A tap shows the game, the button beside its board opens it.
    await screen.click('[data-test=library-room] [data-index="0"] .open, [data-test=library-room] [data-index="0"]')
    await screen.waitForText(/Lefty/, { selector: '[data-test=preview-title]' })
    await screen.click('[data-action=preview-open]')
  } else {
    await screen.press('ArrowDown')
    await screen.press('ArrowDown')
    await screen.press('Enter')
  }
  await screen.gone('[data-test=library-room]')
  await screen.press('p')
  await screen.press('w', ['Alt'])
  await screen.find('[role=dialog]', 'Save the changes')
}
const COLLECTION = '(;GM[1]FF[4]SZ[9]PB[First]PW[Second];B[ee])(;GM[1]FF[4]SZ[9]PB[Third]PW[Fourth];B[ee];W[ce])'
const PROBLEMS = '(;GM[1]FF[4]SZ[9]DI[15k]AB[ab][bb][cb]AW[aa][ba][ca]C[Take the three stones.](;B[da]C[RIGHT])(;B[ea]C[WRONG];W[da]))'
  + '(;GM[1]FF[4]SZ[9]AB[bb]AW[ab]C[Black to play](;B[aa];W[ba];B[ac]C[RIGHT]))'
/** A game that was counted: Black has the left five lines of nine. */
const COUNTED = '(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Odd]PW[Even]RE[B+2.5]AB[ea][eb][ec][ed][ee][ef][eg][eh][ei]AW[fa][fb][fc][fd][fe][ff][fg][fh][fi];B[];W[])'
const dropped = (files, selector) => async ({ screen, page }) => {
  await dropFiles(page, files)
  await screen.find(selector)
}
/** The library's own room, with what is wanted in its field. */
const libraryRoom = (words) => async ({ screen }) => {
  await screen.click('[data-action=library]')
  await screen.find('[data-test=library-room]')
  await screen.write('[data-action=library-search]', words)
}
async function leaveLibrary({ screen }) {
  await screen.write('[data-action=library-search]', '')
  await screen.click('[data-action=leave-library]')
  await screen.gone('[data-test=library-room]')
}
/** Closes a menu or dialog over the library's room, then the room. */
const leavingLibrary = (over) => async (on) => {
  await on.screen.press('Escape')
  await on.screen.gone(over)
  await leaveLibrary(on)
}

/** More own games at once than are reviewed without a question. */
const OWN_GAMES = Array.from({ length: 51 }, (_, at) => `(;GM[1]FF[4]SZ[9]PB[Lefty]PW[Righty]RE[B+R];B[${'abcdefghi'[at % 9]}${'abcdefghi'[Math.floor(at / 9)]}];W[ii])`).join('')

/** The library's room with all its games chosen. */
async function chooseAll(on) {
  await libraryRoom('')(on)
  await on.screen.click('[data-test=library-room] [data-action=library-searches]')
  await on.screen.click('menuitem', 'Select all games in the list')
  await on.screen.gone('[role=menu]')
  await on.screen.find('[data-test=chosen]')
}
/** What the second button of the mouse opens. */
const contextMenu = (selector) => async ({ screen, page }) => {
  const box = await screen.find(selector)
  await page.mouse.click(box.x, box.y, { button: 'right' })
  await screen.find('[role=menu]')
}

/** At the top of the panels, without scrolling; under a board also who is ahead. */
async function candidatesAreSeen({ screen, size }) {
  const seen = await screen.evaluate(() => {
    const side = [...document.querySelectorAll('.side')].find((element) => element.getBoundingClientRect().width > 0)
    // Whatever was looked for before was scrolled to.
    for (let outer = side; outer; outer = outer.parentElement) outer.scrollTop = 0
    const start = side.getBoundingClientRect().top
    const end = Math.min(...['footer', '.candidates .list'].map((part, at) => document.querySelector(part).getBoundingClientRect()[at === 0 ? 'top' : 'bottom']))
    const isSeen = (element) => element.getBoundingClientRect().top >= start && element.getBoundingClientRect().bottom <= end
    const figures = document.querySelector('[data-test=position-figures]')
    return { rows: [...document.querySelectorAll('.move-row')].filter(isSeen).length, figures: figures !== null && isSeen(figures) && /\d%/.test(figures.innerText) }
  })
  assert.ok(seen.rows >= 2, `${seen.rows} candidates are seen without scrolling`)
  if (size.width <= 832) assert.ok(seen.figures, 'win rate and lead are seen without scrolling')
}

/** A tap on the best candidate shows its line and plays nothing. */
async function tapCandidate({ screen, page }) {
  const before = await screen.stones()
  const [best] = await flows.candidates(screen)
  const at = await screen.pointOnPage('ABCDEFGHJKLMNOPQRST'.indexOf(best.point[0]), 19 - Number(best.point.slice(1)))
  await page.touchscreen.tap(at.x, at.y)
  await screen.find('[data-test=preview]')
  assert.deepEqual(await screen.stones(), before, 'nothing was played')
}

/**
 * Each is opened, looked at and closed with Escape, unless it says how; `narrow` ones are only there beside no board,
 * `wide` ones only on a desktop.
 */
const SCREENS = [
  { name: 'the candidates', open: async (on) => {
    await list('candidates')(on)
    await flows.analyses(on.screen, true)
    await on.screen.until('candidates', async () => (await flows.candidates(on.screen)).length >= 3, { timeoutMs: 120_000 })
    await flows.analyses(on.screen, false)
    await candidatesAreSeen(on)
  }, close: () => undefined },
  { name: 'what a figure means', open: async ({ screen }) => {
    await screen.click('.candidates .head [data-term=winRate]')
    await screen.find('[data-test=term-card]')
  } },
  { name: 'the manual about a figure', open: async ({ screen }) => {
    await screen.click('.candidates .head [data-term=visits]')
    await screen.click('[data-action=read-term]')
    await screen.until('the heading about it', () => screen.evaluate(() => document.activeElement?.localName === 'h5'))
  } },
  { name: 'the line of a candidate', touch: true, open: tapCandidate, close: click('[data-action=preview-close]') },
  { name: 'the mistakes', open: list('mistakes'), close: () => undefined },
  { name: 'the explorer', open: list('explorer'), close: () => undefined },
  { name: 'the networks', open: list('networks'), close: list('candidates') },
  { name: 'the variations', narrow: true, open: choose('tree'), close: () => undefined },
  { name: 'the comment', narrow: true, open: choose('comment'), close: () => undefined },
  { name: 'the annotations', open: click('[data-action=annotate]') },
  { name: 'the library', narrow: true, open: choose('library'), close: choose('analysis') },
  { name: 'an engine in trouble', open: engineSays('failed'), close: engineSays('ready') },
  { name: 'an engine that loads', open: engineSays('loading'), close: engineSays('ready') },
  { name: 'the menu', open: click('header .brand') },
  { name: 'what the board shows', open: click('.candidates-panel .tool') },
  // What the tool in use is called stands over the bar as long as it has the focus.
  { name: 'the tools', open: async (on) => {
    await press('Control', 'e')(on)
    await on.screen.find('[data-tool=play]')
    await on.screen.evaluate(() => document.activeElement.blur())
  }, close: press('Control', 'e') },
  { name: 'the score', open: press('e'), close: press('e') },
  { name: 'guessing', open: press('g'), close: press('g') },
  { name: 'inserting', open: press('i'), close: ({ screen }) => screen.click('button', 'Cancel', { scope: '[data-test=insert]' }) },
  { name: 'a new game', open: press('Control', 'n') },
  { name: 'the game', open: press('Control', 'i') },
  { name: 'the settings of the window', open: settings(0) },
  { name: 'the settings of the board', open: settings(1) },
  { name: 'the settings of the analysis', open: settings(2) },
  { name: 'the settings of networks', open: settings(3) },
  { name: 'the settings of devices', open: settings(4) },
  { name: 'the settings of engines', open: settings(5) },
  { name: 'the palette', open: press('Control', 'k') },
  { name: 'the manual', keys: true, open: press('F1') },
  { name: 'the shortcuts', keys: true, open: press('?') },
  { name: 'the board as text', open: press('t') },
  { name: 'a question', open: async (on) => {
    await act('Add this position to practice')(on)
    await on.screen.press('d')
    await on.screen.find('[data-test=lesson-question]')
  }, close: () => undefined },
  { name: 'its answer', open: async ({ screen }) => {
    await screen.click('[data-action=reveal]')
    await screen.find('[data-test=lesson-better]', '', { timeoutMs: 120_000 })
    await screen.click('[data-line=better]')
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-test=lesson-room]')
  } },
  { name: 'an exercise with a number', open: async (on) => {
    await act('Exercises')(on)
    await on.screen.choose('[data-field=practice-kind]', 'count')
    await on.screen.find('[data-field=points-slider]')
  }, close: () => undefined },
  { name: 'a counted game', open: async ({ screen }) => {
    await screen.click('[data-action=answer-exercise]')
    await screen.find('[data-test=exercise-verdict]')
    await screen.find('[data-test=exercise-figures]')
  }, close: () => undefined },
  { name: 'a ladder', open: async ({ screen }) => {
    await screen.choose('[data-field=practice-kind]', 'ladder')
    await screen.find('[data-action=ladder-works]')
  }, close: () => undefined },
  { name: 'a ladder to its end', open: async ({ screen }) => {
    await screen.click('[data-action=ladder-works]')
    await screen.click('[data-action=line-last]')
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-test=lesson-room]')
  } },
  { name: 'the turning points', open: async (on) => {
    await allowReviews(on)
    await on.screen.find('[data-test=turning-points] .card', '', { timeoutMs: 240_000 })
    await on.screen.until('the end of the review', () => on.screen.evaluate(() => !document.querySelector('[data-test=points-looking]')), { timeoutMs: 240_000 })
    await candidatesAreSeen(on)
  }, close: async (on) => {
    await allowReviews(on)
    await on.screen.press('Escape')
  } },
  { name: 'a problem', open: async (on) => {
    await dropFiles(on.page, [{ name: 'problems.sgf', text: PROBLEMS }])
    await on.screen.click('[data-action=solve-problems]')
    await on.screen.find('[data-test=problem-question]')
  }, close: () => undefined },
  { name: 'the solution of a problem', open: async ({ screen }) => {
    await screen.click('[data-action=reveal]')
    await screen.find('[data-test=problem-counted]')
  }, close: () => undefined },
  { name: 'the ruling of the referee', open: async ({ screen }) => {
    await screen.click('[data-action=ask-referee]')
    await screen.find('[data-test=ruling]')
  }, close: () => undefined },
  { name: 'the collections of problems', open: async ({ screen }) => {
    await screen.press('Escape')
    await screen.click('[data-action=timed-set]')
    await screen.find('[data-field=set-count]')
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-test=problem-room]')
  } },
  { name: 'own play', open: async (on) => {
    await act('My play and weaknesses')(on)
    // Nobody is taken for the person unasked; once a name is chosen, others are offered.
    await on.screen.click('[data-action=choose-name]')
    await on.screen.find('[data-test=mine-judged]')
    await on.screen.choose('[data-field=own-name]', 'Lefty')
    await on.screen.waitForText(/of 1 game/, { selector: '[data-test=mine-judged]' })
    await on.screen.click('[data-action=review-mine]')
    await on.screen.find('[data-group=all] .row', '', { timeoutMs: 120_000 })
    await on.screen.click('[data-group=all] .row')
    await on.screen.find('[data-action=practise-weakness]')
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-test=mine-room]')
  } },
  { name: 'a training run', open: async (on) => {
    await act('Training of networks')(on)
    await on.screen.find('[data-test=training-room] [data-test=policy-words]')
    await on.screen.find('[data-test=training-game]')
    await on.screen.evaluate(() => { document.querySelector('[data-test=training-table]').open = true })
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-test=training-room]')
  } },
  { name: 'pasting', open: act('Paste') },
  { name: 'a diagram', open: press('Control', 'Shift', 'E') },
  { name: 'a pattern', open: press('Control', 'Shift', 'F') },
  { name: 'the players', open: act('Players') },
  { name: 'a booklet', open: act('A booklet') },
  { name: 'accounts and folders', open: act('My accounts') },
  { name: 'a player', open: async (on) => {
    await act('Players')(on)
    await on.screen.click('.dialog .one')
    await on.screen.find('article.player')
  } },
  { name: 'the figures of the library', open: async (on) => {
    await act('Players')(on)
    await on.screen.click('.dialog [role=tab]:nth-child(2)')
    await on.screen.find('[data-action=restore-library]')
  }, close: () => undefined },
  { name: 'the backups', open: async ({ screen }) => {
    await screen.click('[data-action=restore-library]')
    await screen.click('[role=dialog] .backups input')
    await screen.until('the question', () => screen.evaluate(() => !document.querySelector('[data-action=surely]')?.disabled))
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.gone('[data-action=surely]')
    await screen.press('Escape')
  } },
  { name: 'found settings', open: async ({ screen }) => {
    await screen.press(',', ['Control'])
    await screen.write('[role=dialog] [data-action=settings-search]', 'e')
  }, close: async ({ screen }) => {
    await screen.press('Escape')
    await screen.press('Escape')
  } },
  { name: 'the library’s room', open: libraryRoom(''), close: () => undefined },
  { name: 'a game of the library', open: async ({ screen }) => {
    await screen.click('[data-test=library-room] [data-index="0"] .open, [data-test=library-room] [data-index="0"]')
    await screen.find('[data-test=preview-title]')
  }, close: leaveLibrary },
  { name: 'several games chosen', open: chooseAll, close: () => undefined },
  { name: 'games under review', open: async (on) => {
    const { screen } = on
    if (await screen.count('[data-test=chosen]') === 0) await chooseAll(on)
    await screen.click('[data-action=review-chosen]')
    await screen.find('[data-test=reviews]')
  }, close: async ({ screen }) => {
    await screen.click('[data-action=clear-reviews], [data-action=dismiss-reviews]')
    await screen.gone('[data-test=reviews]')
  } },
  { name: 'the forms of an export', open: click('[data-action=export-chosen]') },
  { name: 'filing several games', open: click('[data-action=file-chosen]'), close: async (on) => {
    await on.screen.press('Escape')
    await on.screen.gone('[role=dialog]')
    await on.screen.click('[data-action=choose-none]')
    await leaveLibrary(on)
  } },
  { name: 'the searches', open: async (on) => {
    await libraryRoom('Lefty')(on)
    await on.screen.click('[data-test=library-room] [data-action=library-searches]')
    await on.screen.find('[role=menu]')
  } },
  { name: 'saving a search', open: async ({ screen }) => {
    await screen.click('[data-test=library-room] [data-action=library-searches]')
    await screen.click('[data-action=save-search]')
    await screen.find('[role=dialog]')
  }, close: leavingLibrary('[role=dialog]') },
  { name: 'the columns of the library', wide: true, open: async (on) => {
    await libraryRoom('')(on)
    await on.screen.click('[data-action=columns]')
    await on.screen.find('[role=menu]')
  }, close: leavingLibrary('[role=menu]') },
  { name: 'the menu of a game', open: async (on) => {
    await libraryRoom('')(on)
    if (on.size.phone) await on.screen.click('[data-test=library-room] [data-record] .more')
    else await contextMenu('[data-test=library-table] [data-index="0"]')(on)
    await on.screen.find('[role=menu]')
  }, close: leavingLibrary('[role=menu]') },
  { name: 'filing a game', open: async (on) => {
    await libraryRoom('')(on)
    if (on.size.phone) await on.screen.click('[data-test=library-room] [data-record] .more')
    else await contextMenu('[data-test=library-table] [data-index="0"]')(on)
    await on.screen.click('menuitem', 'Folder and tags')
    await on.screen.find('[role=dialog]')
  }, close: leavingLibrary('[role=dialog]') },
  { name: 'the filter of the library', phone: true, open: async (on) => {
    await libraryRoom('')(on)
    await on.screen.click('[data-test=library-room] [data-action=filter]')
    await on.screen.find('[role=dialog] [data-field=player]')
  }, close: async (on) => {
    await on.screen.press('Escape')
    await leaveLibrary(on)
  } },
  { name: 'nothing found', open: async (on) => {
    await libraryRoom('nobody of this name')(on)
    await on.screen.waitForText(/No games found/)
  }, close: leaveLibrary },
  { name: 'the choice of a game', open: dropped([{ name: 'two.sgf', text: COLLECTION }], '[role=dialog] [role=listbox]') },
  { name: 'an error', open: dropped([{ name: 'noise.sgf', text: 'this is no record at all' }], '.stack [role=alert], .stack .notice'), close: ({ screen }) => screen.click('.stack button', 'Dismiss') },
  { name: 'the report of an import', open: async (on) => {
    await dropFiles(on.page, [{ name: 'noise.sgf', text: 'no record' }, ...['a', 'b', 'c'].map((name) => ({ name: `${name}.sgf`, text: `(;GM[1]FF[4]SZ[9]PB[${name}]PW[x];B[ee])` }))])
    await choose('library')(on)
    await on.screen.find('.import')
    await on.screen.click('.import button', 'note')
    await on.screen.find('[role=dialog] .problems')
  }, close: async (on) => {
    await on.screen.press('Escape')
    await on.screen.gone('[role=dialog]')
  } },
  { name: 'an import', open: () => undefined, close: async (on) => {
    await on.screen.click('.import button', 'Dismiss')
    await choose('analysis')(on)
  } },
  { name: 'a damaged record', open: async (on) => {
    await dropFiles(on.page, [{ name: 'torn.sgf', text: '(;GM[1]FF[4]SZ[9]PB[Torn]PW[Page];B[ee];W[ee];B[zz];W[ce' }])
    await choose('analysis')(on)
    await on.screen.waitForText(/could not be read|repaired/)
  }, close: async ({ screen }) => {
    const tabs = await screen.count('.tabs .tab')
    await screen.press('w', ['Alt'])
    await screen.until('one game fewer', async () => (await screen.count('.tabs .tab')) === tabs - 1)
  } },
  { name: 'the menu of a point', open: contextMenu('[role=application][data-size]') },
  { name: 'the games with a pattern', open: async ({ screen }) => {
    await screen.press('F', ['Control', 'Shift'])
    await screen.click('[data-action=pattern-search]')
    await screen.find('[data-test=pattern-found]', 'game')
  } },
  { name: 'the opponents', open: async ({ screen }) => {
    await screen.press('n', ['Control'])
    await screen.click('[role=dialog] label:has([data-against=engine])')
    await screen.find('[data-field=engine]')
    await screen.click('[role=dialog] [data-action=more]')
    await screen.choose('[role=dialog] [data-field=clock]', 'byoYomi')
    await screen.click('[role=dialog] [data-action=other-boards]')
  }, close: async ({ screen }) => {
    await screen.choose('[role=dialog] [data-field=clock]', 'none')
    await screen.press('Escape')
  } },
  { name: 'a game against a level', open: async (on) => {
    await begin('[data-against=engine]')(on)
    await on.screen.clickPoint(4, 4)
    await on.screen.until('the answer', async () => await on.screen.stoneCount() === 2)
  }, close: () => undefined },
  { name: 'resigning', open: click('[data-action=resign]'), close: async ({ screen }) => {
    await screen.click('[data-action=resign-surely]')
    await screen.find('[data-test=ending]')
  } },
  { name: 'a game that was resigned', open: () => undefined, close: () => undefined },
  { name: 'a rated game', open: async (on) => {
    await on.screen.press('n', ['Control'])
    await on.screen.click('[role=dialog] label:has([data-against=rank])')
    await on.screen.click('[role=dialog] [data-action=more]')
    await on.screen.click('[role=dialog] [data-field=rated]')
    await on.screen.click('[role=dialog] [data-action=begin]')
    await on.screen.gone('[role=dialog]')
    await on.screen.waitForText(/Rated game against/, { selector: '[data-test=play]' })
    await on.screen.clickPoint(4, 4)
    await on.screen.until('the answer', async () => await on.screen.stoneCount() === 2, { timeoutMs: 120_000 })
  }, close: () => undefined },
  { name: 'leaving a rated game', open: async ({ screen }) => {
    await screen.press('w', ['Alt'])
    await screen.find('[role=dialog]')
  } },
  { name: 'a rated game that was resigned', open: async ({ screen }) => {
    await screen.click('[data-action=resign]')
    await screen.click('[data-action=resign-surely]')
    await screen.find('[data-test=ending-rating]')
  }, close: () => undefined },
  { name: 'a question before a mistake', open: async (on) => {
    await on.screen.press('n', ['Control'])
    await on.screen.click('[role=dialog] label:has([data-against=rank])')
    await on.screen.click('[role=dialog] [data-action=more]')
    await on.screen.evaluate(() => {
      const [rated, teaching] = ['rated', 'teaching'].map((name) => document.querySelector(`[role=dialog] [data-field=${name}]`))
      if (rated?.checked) rated.click()
      if (teaching && !teaching.checked) teaching.click()
    })
    await on.screen.evaluate(() => { const teaching = document.querySelector('[role=dialog] [data-field=teaching]'); if (!teaching.checked) teaching.click() })
    await on.screen.click('[role=dialog] [data-action=begin]')
    await on.screen.gone('[role=dialog]')
    await on.screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await on.screen.clickPoint(0, 0)
    await on.screen.find('[role=dialog], [role=alertdialog]', '', { timeoutMs: 120_000 })
  }, close: async ({ screen }) => {
    await screen.click('button', 'Choose another move')
    await screen.gone('[role=dialog], [role=alertdialog]')
  } },
  { name: 'the count', open: count, close: () => undefined },
  { name: 'the end of a game', open: endCounted, close: () => undefined },
  { name: 'closing', open: askToClose, close: async ({ screen }) => {
    await screen.click('[role=dialog] button', 'Don’t save')
    await screen.gone('[role=dialog]')
  } },
  { name: 'closed games', open: act('Closed games') },
  { name: 'many own games that came', open: async (on) => {
    const { screen, page } = on
    await act('My play and weaknesses')(on)
    await screen.choose('[data-field=own-name]', 'Lefty')
    await screen.press('Escape')
    await screen.gone('[data-test=mine-room]')
    await libraryRoom('')(on)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser', { timeout: 120_000 }), screen.click('[data-action=import]')])
    await chooser.setFiles({ name: 'lefty.sgf', mimeType: 'application/x-go-sgf', buffer: Buffer.from(OWN_GAMES) })
    await screen.find('[data-test=review-offer]', '', { timeoutMs: 120_000 })
  }, close: async (on) => {
    await on.screen.click('[data-action=decline-reviews]')
    await on.screen.gone('[data-test=review-offer]')
    await leaveLibrary(on)
  } },
]

/** Turns the reviews of games that nobody asked about on, or off again. */
async function allowReviews({ screen }) {
  await screen.press(',', ['Control'])
  await screen.write('[role=dialog] [data-action=settings-search]', 'automatically')
  await screen.click('[role=dialog] [data-field=review-by-itself]')
  await screen.press('Escape')
  await screen.press('Escape')
  await screen.gone('[role=dialog]')
}

async function opened(t, { width, height, phone }) {
  const records = ownFolder(t)
  // Nothing moves while it is looked at; a small network says as much as a large one, in a tenth of the time.
  const data = dataFolder(t, { network: SMALL_NETWORK, preferences: { autoGraph: false }, settings: { analyseAtStart: false, reviewByItself: false, language: 'en', theme: 'light' } })
  for (const { name, text } of flows.TWINS) writeFileSync(join(records, name), text)
  writeFileSync(join(records, 'counted.sgf'), COUNTED)
  await runToEnd(cli, ['library', 'import', records, game, '--data', data])
  mkdirSync(join(data, 'backups'))
  await runToEnd(cli, ['library', 'backup', join(data, 'backups', 'library-1.sqlite'), '--data', data])
  const { url } = await serve(t, { data, args: ['--training', TRAINING] })
  const browser = await openBrowser(t, url, { width, height, phone })
  await browser.screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
  await dropFiles(browser.page, [{ name: 'game.sgf', text: readFileSync(game, 'utf8') }])
  await flows.gameIsShown(browser.screen)
  return browser
}

/** Changes the language and the theme while whatever is open stays open. */
async function speak(screen, language, theme) {
  await flows.choose(screen, '[data-action=language]', language)
  await screen.evaluate((dark) => { if ((document.documentElement.dataset.theme === 'dark') !== dark) document.querySelector('[data-action=theme]').click() }, theme === 'dark')
  await screen.until(`${language} and ${theme}`, () => screen.evaluate((wanted, dark) => document.documentElement.lang === wanted && (document.documentElement.dataset.theme === 'dark') === dark, language, theme === 'dark'))
  await screen.settled()
}

/** What axe finds; of a page that it has seen in the other theme only the colours are another. */
async function violations(page, colors = false) {
  // Behind an open menu everything is hidden from screen readers, so that the menu is the whole page to them. What scrolls
  // within a grid that has the focus and names its active row moves with that row, which axe does not see.
  return page.evaluate(async (only) => {
    const report = await axe.run(document.querySelector('[role=menu]') ?? document, { resultTypes: ['violations'], elementRef: true, ...only })
    return report.violations.flatMap(({ id, nodes }) => {
      const wrong = nodes.filter(({ element }) => id !== 'scrollable-region-focusable' || !element.closest('[role=grid][tabindex="0"]'))
      return wrong.length === 0 ? [] : [`${id}: ${wrong.slice(0, 4).map(({ target }) => target.join(' ')).join(', ')}`]
    })
  }, colors ? { runOnly: ['color-contrast'] } : {})
}

/** The tests of all screens at one size. Each size is a file, so that they run beside one another. */
export function looksAtEveryScreen(which) {
  const size = SIZES.find(({ name }) => name === which)
  const { name, width, height, phone } = size

  test(`on ${name} axe finds nothing and everything fits`, { timeout: 1_200_000 }, async (t) => {
    const { screen, page, faults } = await opened(t, size)
    await page.evaluate(axe)
    if (!IS_SLOW) t.diagnostic(`each in one of ${LOOKS.length} languages and themes; all with HONINBO_SLOW_TESTS=1`)
    const wrong = []
    let seen = 0
    // One screen alone while it is mended, with its picture beside the report.
    const only = process.env.HONINBO_SCREEN
    const pictures = process.env.HONINBO_SCREEN_PICTURES
    const look = async (shown) => {
      for (const { language, theme } of looksOf(seen++, size)) {
        await speak(screen, language, theme)
        const found = await screen.evaluate(misfits, size.phone ? FINGER : 0)
        found.push(...await violations(page, IS_SLOW && theme === 'dark'))
        wrong.push(...found.map((what) => `${shown}, ${language}, ${theme}: ${what}`))
      }
      await speak(screen, 'en', 'light')
    }
    for (const one of SCREENS) {
      if ((one.narrow && size.width > 832) || (one.touch && !size.phone) || (one.wide && size.phone) || (one.phone && size.width > 640) || (one.keys && size.phone) || (only && !only.split('|').includes(one.name)) || (size.some && !size.some.includes(one.name))) continue
      try {
        await screen.evaluate(() => document.activeElement?.blur())
        await one.open({ screen, page, size })
        await screen.settled()
        await look(one.name)
        if (pictures) writeFileSync(join(pictures, `${size.width}-${one.name}.png`), await screen.picture())
        await (one.close ?? press('Escape'))({ screen, page, size })
        await screen.settled()
      } catch (fault) {
        if (pictures) writeFileSync(join(pictures, `failed-${size.width}-${one.name}.png`), await screen.picture())
        throw fault
      }
    }
    assert.deepEqual(wrong, [], wrong.join('\n'))
    assert.deepEqual(faults, [])
  })

  if (size.some) return
  test(`the first start is sound on ${name}`, { timeout: 300_000 }, async (t) => {
    const { url } = await serve(t, { data: dataFolder(t, { firstStart: true, network: SMALL_NETWORK }) })
    const { screen, page, faults } = await openBrowser(t, url, { width, height, phone })
    await screen.find('[data-test=welcome]', '', { timeoutMs: 120_000 })
    await page.evaluate(axe)
    const wrong = []
    const look = async (what) => {
      for (const language of LANGUAGES) for (const theme of THEMES) {
        await speak(screen, language, theme)
        const found = [...await screen.evaluate(misfits, phone ? FINGER : 0), ...await violations(page, theme === 'dark')]
        wrong.push(...found.map((one) => `${what}, ${language}, ${theme}: ${one}`))
      }
      await speak(screen, 'en', 'light')
    }
    await look('the welcome')
    await screen.press('Escape')
    await screen.gone('[data-test=welcome]')
    await look('what is behind it')
    assert.deepEqual(wrong, [], wrong.join('\n'))
    assert.deepEqual(faults, [])
  })

  test(`what is said without the back end, and without its token, is sound on ${name}`, { timeout: 600_000 }, async (t) => {
    const server = await serve(t, { data: dataFolder(t, { network: SMALL_NETWORK }) })
    const wrong = []
    // The languages are those of the browser, since nothing can be kept any more.
    for (const locale of ['en-US', 'zh-CN', 'zh-TW', 'ja-JP', 'ko-KR']) {
      const open = async (url, colorScheme) => openBrowser(t, url, { width, height, phone, locale, colorScheme })
      const looked = async ({ screen, page }, what) => {
        await page.evaluate(axe)
        wrong.push(...[...await screen.evaluate(misfits, phone ? FINGER : 0), ...await violations(page)].map((one) => `${what}, ${locale}: ${one}`))
      }
      const stranger = await open(new URL('/', server.url).href, 'light')
      await stranger.screen.waitForText(/honinbo serve/)
      await looked(stranger, 'no access')
      await stranger.close()
      const { url, child } = await serve(t, { data: dataFolder(t, { network: SMALL_NETWORK }) })
      const lost = await open(url, 'dark')
      await lost.screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
      // A server that is asked to end waits two seconds for its pages.
      child.kill('SIGKILL')
      await lost.screen.find('.lost')
      await looked(lost, 'a lost connection')
      await lost.close()
    }
    assert.deepEqual(wrong, [], wrong.join('\n'))
  })
}
