// The app in its real window, under WebKitWebDriver on whatever display there is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as flows from '../flows.mjs'
import { FORMATS } from '../support/formats.mjs'
import { app, dataFolder, game, installed, ownFolder } from '../support/machine.mjs'
import { runToEnd } from '../support/programs.mjs'
import { keepPicture } from '../support/pictures.mjs'
import { openWindow } from '../support/window.mjs'

const which = installed ? 'installed' : 'window'

async function opened(t, options = {}) {
  const window = await openWindow(t, { args: [game], ...options })
  await flows.gameIsShown(window.screen)
  return window
}

test('the game of the command line is shown and the real network analyses it', { timeout: 300_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.engineAnalyses(screen)
  await flows.analysisStopsAndStarts(screen)
  await keepPicture(screen, `${which}-analysis`)
})

test('opens what other programs write, and what is packed', { timeout: 300_000 }, async (t) => {
  const folder = ownFolder(t)
  for (const { name, bytes } of FORMATS) writeFileSync(join(folder, name), bytes)
  const { screen } = await openWindow(t, { args: FORMATS.map(({ name }) => join(folder, name)) })
  await screen.until('the games', () => screen.evaluate(many => document.querySelectorAll('.tab').length === many, FORMATS.length), { timeoutMs: 120_000 })
  for (const { player, moves } of FORMATS) {
    await screen.click('.tab .title', player)
    await screen.waitForText(new RegExp(player), { selector: '.players' })
    await screen.until(`the moves of ${player}`, async () => (await flows.place(screen)).of === moves)
  }
  await screen.waitForText(/\d/, { selector: '[data-test=engine] .speed', timeoutMs: 120_000 })
  const [silent, whole] = await screen.evaluate(() => [false, true].map((speaks) => {
    for (const word of document.querySelector('[data-test=engine]').children) word.style.display = speaks ? '' : 'none'
    return document.querySelector('.strip').getBoundingClientRect().width
  }))
  assert.equal(whole, silent, 'what the engine says takes no room from the tabs, where the next click would meet another one')
  // Whoever scrolls away from the active tab stays there, whatever takes room beside the tabs.
  await screen.click('.tab .title', FORMATS[0].player)
  await screen.waitForText(new RegExp(FORMATS[0].player), { selector: '.players' })
  const left = await screen.evaluate(async () => {
    const frames = () => new Promise((resolve) => { window.requestAnimationFrame(() => window.requestAnimationFrame(resolve)) })
    const strip = document.querySelector('.strip')
    // Narrower than its tabs, which shrink before they scroll.
    strip.style.maxInlineSize = '400px'
    await frames()
    strip.scrollLeft = strip.scrollWidth
    await frames()
    strip.style.maxInlineSize = '300px'
    await frames()
    return strip.scrollLeft
  })
  assert.ok(left > 100, `the tabs went back to the active one: ${left}`)
})

test('the first start asks what to see, and Escape leads to a famous game', { timeout: 300_000 }, async (t) => {
  const { screen } = await openWindow(t, { data: dataFolder(t, { firstStart: true }) })
  await screen.find('[data-test=welcome]', '', { timeoutMs: 120_000 })
  await screen.press('Escape')
  await screen.gone('[data-test=welcome]')
  await flows.gameIsShown(screen)
})

test('plays with the mouse and with the keyboard alone', { timeout: 400_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.playsWithTheMouse(screen)
  await flows.playsWithTheKeyboard(screen)
  await flows.refusesAnIllegalMove(screen)
})

test('goes through the game, keeps variations and takes them back', { timeout: 400_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.navigates(screen)
  await flows.keepsVariations(screen)
})

test('keeps games in the library, also over a restart', { timeout: 400_000 }, async (t) => {
  const data = dataFolder(t)
  const first = await opened(t, { data })
  await flows.keepsTheGameInTheLibrary(first.screen)
  await first.leave()
  const second = await openWindow(t, { data, args: [] })
  await flows.gameIsShown(second.screen)
  await flows.opensFromTheLibrary(second.screen)
})

test('the window comes back where it was and as large as it was', { timeout: 300_000 }, async (t) => {
  const data = dataFolder(t)
  const first = await opened(t, { data })
  const wanted = { x: 120, y: 70, width: 1040, height: 720 }
  await first.session.manage().window().setRect(wanted)
  await first.screen.until('the smaller window', async () => (await first.session.executeScript('return innerWidth')) === wanted.width)
  execFileSync('/usr/bin/python3', [fileURLToPath(new URL('../support/close_window.py', import.meta.url)), 'honinbo-app'])
  // The program ends with its last window.
  await first.ended()
  assert.ok(existsSync(join(data, 'window-place.json')), 'where the window was is remembered')
  const second = await openWindow(t, { data, args: [] })
  await flows.gameIsShown(second.screen)
  await second.screen.until('the same size', async () => (await second.session.executeScript('return innerWidth')) === wanted.width)
  assert.deepEqual(await second.session.manage().window().getRect(), wanted)
})

test('speaks Chinese, goes dark, and remembers the language', { timeout: 400_000 }, async (t) => {
  const data = dataFolder(t)
  const { screen, leave } = await opened(t, { data })
  await flows.changesTheLanguage(screen)
  await flows.changesTheTheme(screen)
  await flows.posesForAPicture(screen, { language: 'zh-Hans', dark: true })
  await keepPicture(screen, `${which}-dark-zh-Hans`)
  await flows.settingsAreKept(screen, data, /^language = "zh-Hans"$/m)
  await leave()
  const again = await opened(t, { data })
  await again.screen.waitForText(/胜率/)
})

test('files that are no records give a sentence, and the window works', { timeout: 300_000 }, async (t) => {
  const folder = ownFolder(t)
  const noise = join(folder, 'noise.sgf')
  writeFileSync(noise, 'this is no record at all')
  const { screen } = await openWindow(t, { args: [noise, join(folder, 'missing.sgf'), game] })
  await screen.waitForText(/missing\.sgf cannot be read/)
  await flows.gameIsShown(screen)
})

test('only the commands of the list may be given', { timeout: 300_000 }, async (t) => {
  const { session } = await opened(t)
  const refused = await session.executeAsyncScript(`
    const done = arguments[arguments.length - 1]
    const ask = (name, args) => window.__TAURI_INTERNALS__.invoke(name, args).then(() => 'done', (error) => String(error))
    Promise.all([ask('plugin:event|emit', { event: 'x', payload: 1 }), ask('plugin:window|close', { label: 'main' }), ask('no_such_command', {})]).then(done)
  `)
  assert.equal(refused.length, 3)
  for (const answer of refused) assert.match(answer, /not allowed|not found/i)
})

test('without a display it says so and ends', { timeout: 120_000 }, async (t) => {
  const env = { DISPLAY: '', WAYLAND_DISPLAY: '', HONINBO_DATA: dataFolder(t) }
  const { status, stderr } = await runToEnd(app, [game], { env })
  assert.equal(status, 1)
  assert.match(stderr, /no display/)
})
