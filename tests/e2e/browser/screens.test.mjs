// Every screen and dialog at three sizes, in both themes and all languages: axe finds nothing, and everything fits.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as flows from '../flows.mjs'
import { dropFiles, openBrowser } from '../support/browser.mjs'
import { FINGER, misfits } from '../support/fit.mjs'
import { cli, dataFolder, game, ownFolder, runToEnd, serve } from '../support/machine.mjs'

const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko']
const THEMES = ['light', 'dark']
const SIZES = [
  { name: 'a desktop', width: 1280, height: 720 },
  { name: 'a tablet', width: 820, height: 1180, phone: true },
  { name: 'a phone', width: 390, height: 844, phone: true },
]
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const settled = (screen) => screen.evaluate(() => new Promise((resolve) => {
  window.requestAnimationFrame(() => void Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))).then(resolve))
}))
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
const click = (selector) => ({ screen }) => screen.click(selector)

/** A tap on the best candidate shows its line and plays nothing. */
async function tapCandidate({ screen, page }) {
  const before = await screen.stones()
  const [best] = await flows.candidates(screen)
  const at = await screen.pointOnPage('ABCDEFGHJKLMNOPQRST'.indexOf(best.point[0]), 19 - Number(best.point.slice(1)))
  await page.touchscreen.tap(at.x, at.y)
  await screen.find('[data-test=preview]')
  assert.deepEqual(await screen.stones(), before, 'nothing was played')
}

/** Each is opened, looked at and closed with Escape, unless it says how; `narrow` ones are only there beside no board. */
const SCREENS = [
  { name: 'the candidates', open: async (on) => {
    await list('candidates')(on)
    await flows.analyses(on.screen, true)
    await on.screen.until('candidates', async () => (await flows.candidates(on.screen)).length >= 3, { timeoutMs: 120_000 })
    await flows.analyses(on.screen, false)
  }, close: () => undefined },
  { name: 'the line of a candidate', touch: true, open: tapCandidate, close: click('[data-action=preview-close]') },
  { name: 'the mistakes', open: list('mistakes'), close: () => undefined },
  { name: 'the explorer', open: list('explorer'), close: () => undefined },
  { name: 'the networks', open: list('networks'), close: list('candidates') },
  { name: 'the variations', narrow: true, open: choose('tree'), close: () => undefined },
  { name: 'the comment', narrow: true, open: choose('comment'), close: () => undefined },
  { name: 'the library', narrow: true, open: choose('library'), close: choose('analysis') },
  { name: 'the menu', open: click('header .brand') },
  { name: 'what the board shows', open: click('.candidates-panel .tool') },
  { name: 'the tools', open: press('Control', 'e'), close: press('Control', 'e') },
  { name: 'the score', open: press('e'), close: press('e') },
  { name: 'guessing', open: press('g'), close: press('g') },
  { name: 'inserting', open: press('i'), close: ({ screen }) => screen.click('button', 'Cancel', { scope: '[data-test=insert]' }) },
  { name: 'a new game', open: press('Control', 'n') },
  { name: 'the game', open: press('Control', 'i') },
  { name: 'the settings of the window', open: settings(0) },
  { name: 'the settings of the board', open: settings(1) },
  { name: 'the settings of the analysis', open: settings(2) },
  { name: 'the settings of engines', open: settings(3) },
  { name: 'the palette', open: press('Control', 'k') },
  { name: 'the shortcuts', keys: true, open: press('F1') },
  { name: 'the board as text', open: press('t') },
  { name: 'pasting', open: act('Paste') },
  { name: 'a diagram', open: press('Control', 'Shift', 'E') },
  { name: 'a pattern', open: press('Control', 'Shift', 'F') },
  { name: 'the players', open: act('Players') },
  { name: 'a player', open: async (on) => {
    await act('Players')(on)
    await on.screen.click('.dialog .one')
    await on.screen.find('article.player')
  } },
]

async function opened(t, { width, height, phone }) {
  const records = ownFolder(t)
  const data = dataFolder(t)
  // Nothing moves while it is looked at.
  writeFileSync(join(data, 'settings.toml'), 'analyseAtStart = false\nlanguage = "en"\ntheme = "light"\nwindow = \'{"welcomed":true,"autoGraph":false}\'\n')
  for (const { name, text } of flows.TWINS) writeFileSync(join(records, name), text)
  await runToEnd(cli, ['library', 'import', records, game, '--data', data])
  const { url } = await serve(t, { data })
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
  await settled(screen)
}

async function violations(page) {
  // Behind an open menu everything is hidden from screen readers, so that the menu is the whole page to them.
  const result = await page.evaluate('axe.run(document.querySelector("[role=menu]") ?? document, { resultTypes: ["violations"] })')
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 4).join(', ')}`)
}

for (const size of SIZES) {
  test(`on ${size.name} axe finds nothing and everything fits`, { timeout: 900_000 }, async (t) => {
    const { screen, page, faults } = await opened(t, size)
    await page.evaluate(axe)
    const wrong = []
    // One screen alone while it is mended, with its picture beside the report.
    const only = process.env.HONINBO_SCREEN
    const look = async (name, index) => {
      for (const [turn, language] of LANGUAGES.entries()) {
        const theme = THEMES[(index + turn) % 2]
        await speak(screen, language, theme)
        const found = await screen.evaluate(misfits, size.phone ? FINGER : 0)
        // In each screen axe looks at both themes; over all screens at each language in each of them.
        if (turn === index % 4 || turn === index % 4 + 1) found.push(...await violations(page))
        wrong.push(...found.map((what) => `${name}, ${language}, ${theme}: ${what}`))
      }
      await speak(screen, 'en', 'light')
    }
    for (const [index, one] of SCREENS.entries()) {
      if ((one.narrow && size.width > 832) || (one.touch && !size.phone) || (one.keys && size.phone) || (only && only !== one.name)) continue
      await screen.evaluate(() => document.activeElement?.blur())
      await one.open({ screen, page, size })
      await settled(screen)
      await look(one.name, index)
      if (process.env.HONINBO_SCREEN_PICTURES) writeFileSync(join(process.env.HONINBO_SCREEN_PICTURES, `${size.width}-${one.name}.png`), await screen.picture())
      await (one.close ?? press('Escape'))({ screen, page, size })
      await settled(screen)
    }
    assert.deepEqual(wrong, [], wrong.join('\n'))
    assert.deepEqual(faults, [])
  })
}
