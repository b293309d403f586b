// The app in a browser: Chromium on `honinbo serve --http`. Where it is the engine that counts it has the network of the
// package, elsewhere a small one, so that a flow has the processors to itself.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import * as flows from '../flows.mjs'
import { dropFiles, dropFromDisk, openBrowser } from '../support/browser.mjs'
import { FORMATS } from '../support/formats.mjs'
import { cli, dataFolder, game, ownFolder, serve, SMALL_NETWORK } from '../support/machine.mjs'
import { runToEnd, stop } from '../support/programs.mjs'
import { keepPicture } from '../support/pictures.mjs'

/** A server of its own, with the network that thinks in milliseconds. */
const withSmallNetwork = (t) => serve(t, { data: dataFolder(t, { network: SMALL_NETWORK }) })

/** A browser on a server of its own, and the famous game dropped on the page. */
async function opened(t, { on = withSmallNetwork, ...options } = {}) {
  const { url, data } = await on(t)
  const browser = await openBrowser(t, url, options)
  // A browser begins without a game.
  await browser.screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
  await dropFiles(browser.page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
  await flows.gameIsShown(browser.screen)
  return { ...browser, url, data }
}

test('a dropped game is shown and the real network analyses it', { timeout: 300_000 }, async (t) => {
  const { screen, faults } = await opened(t, { on: serve })
  await flows.engineAnalyses(screen)
  await flows.analysisStopsAndStarts(screen)
  assert.deepEqual(faults, [], 'the page complains of nothing')
})

test('plays with the mouse', { timeout: 300_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.playsWithTheMouse(screen)
})

test('plays with the keyboard alone, and refuses what the rules refuse', { timeout: 300_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.playsWithTheKeyboard(screen)
  await flows.refusesAnIllegalMove(screen)
})

test('goes through the game, keeps variations and takes them back', { timeout: 300_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.navigates(screen)
  await flows.keepsVariations(screen)
})

test('sets stones up, marks, draws, and takes it all back', { timeout: 300_000 }, async (t) => {
  const { screen, faults } = await opened(t)
  await flows.editsTheBoard(screen)
  assert.deepEqual(faults, [])
})

test('plays a game against a level', { timeout: 400_000 }, async (t) => {
  const { screen, faults } = await opened(t, { on: serve })
  await flows.playsAgainstALevel(screen)
  assert.deepEqual(faults, [])
})

test('plays on a torus and pushes the world', { timeout: 300_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.playsOnATorus(screen)
})

test('a move is annotated beside its comment, and that is undone', { timeout: 300_000 }, async (t) => {
  const { screen, page, faults } = await opened(t)
  await dropFiles(page, [{ name: 'words.sgf', text: '(;GM[1]FF[4]SZ[9]N[The start];B[ee]BM[1]GW[2];W[cc])' }])
  await screen.waitForText(/The start/, { selector: '[data-test=annotations] h3' })
  await screen.press('ArrowRight')
  await screen.waitForText(/Bad move\s*Very good for White/, { selector: '[data-test=annotations]' })
  await screen.click('[data-action=annotate]')
  await screen.find('[data-field=move-annotation]')
  await screen.choose('[data-field=move-annotation]', 'veryGood')
  await screen.waitForText(/Very good move/, { selector: '[data-test=annotations]' })
  await screen.press('Escape')
  await screen.gone('[data-field=move-annotation]')
  await screen.press('z', ['Control'])
  await screen.waitForText(/Bad move/, { selector: '[data-test=annotations]' })
  assert.deepEqual(faults, [])
})

test('a comment is shown as Markdown, and its markup as text', { timeout: 300_000 }, async (t) => {
  const { screen, page, faults } = await opened(t)
  await dropFiles(page, [{ name: 'words.sgf', text: '(;GM[1]FF[4]SZ[9]C[A **strong** move <img src=x onerror="document.title=1">];B[ee])' }])
  await screen.until('the comment', () => screen.evaluate(() => document.querySelector('.comment strong')?.textContent === 'strong'))
  assert.match(await screen.text('.comment'), /<img src=x/)
  assert.deepEqual(faults, [])
})

test('saves a diagram as SVG and as PNG, and moves as an animation', { timeout: 300_000 }, async (t) => {
  const { screen, page, faults } = await opened(t)
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('End')
  await flows.atMove(screen, 325)
  await screen.press('E', ['Control', 'Shift'])
  await screen.find('[data-field=what]')
  await flows.choose(screen, '[data-field=what]', 'moves')
  const saved = async (action) => {
    const coming = page.waitForEvent('download', { timeout: 240_000 })
    await screen.click(`[data-action=${action}]`)
    const download = await coming
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }
  const svg = await saved('save-svg')
  assert.equal(svg.name, 'ear-reddening-1846.svg')
  assert.match(svg.bytes.toString(), />276<.*>325</s)
  assert.match(svg.bytes.toString(), /\d+ at (\d+|[A-T]\d+)/, 'the kos at the end are told under the board')
  const png = await saved('save-png')
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
  assert.ok(png.bytes.readUInt32BE(16) === 1200, 'as wide as was asked for')
  const gif = await saved('save-gif')
  assert.equal(gif.name, 'ear-reddening-1846.gif')
  assert.equal(gif.bytes.subarray(0, 6).toString(), 'GIF89a')
  assert.equal(gif.bytes.readUInt16LE(6), 1200)
  assert.deepEqual(faults, [])
})

test('what was not saved is there again after a crash', { timeout: 400_000 }, async (t) => {
  const data = dataFolder(t, { network: SMALL_NETWORK })
  const first = await serve(t, { data })
  const before = await openBrowser(t, first.url)
  await before.screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
  await dropFiles(before.page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
  await flows.gameIsShown(before.screen)
  await flows.playsWithTheMouse(before.screen)
  await before.screen.until('the game to be kept', () => readdirSync(join(data, 'open'))
    .some((name) => name.endsWith('.json') && JSON.parse(readFileSync(join(data, 'open', name), 'utf8')).node > 326))
  const gone = new Promise((resolve) => { first.child.on('exit', resolve) })
  first.child.kill('SIGKILL')
  await gone

  const second = await serve(t, { data })
  const { screen } = await openBrowser(t, second.url)
  await flows.atMove(screen, 2, { timeoutMs: 60_000 })
  await screen.waitForStone(3, 15, 'X')
  await screen.waitForStone(15, 3, 'O')
  await screen.waitForText(/unsaved changes/)
})

test('draws the graph of the game and goes where it is clicked', { timeout: 1_000_000 }, async (t) => {
  const { screen } = await opened(t)
  await flows.graphIsDrawn(screen)
  await flows.graphGoesToAMove(screen)
})

test('looks at every move, compares two networks, inserts moves and plays out', { timeout: 1_200_000 }, async (t) => {
  const { screen, faults } = await opened(t, { on: serve })
  await flows.engineAnalyses(screen)
  await flows.looksAtEveryMove(screen)
  await flows.comparesNetworks(screen)
  await flows.insertsMoves(screen)
  await flows.playsOut(screen)
  assert.deepEqual(faults, [])
})

test('keeps games in the library: save, find, rename, delete, undo, open', { timeout: 400_000 }, async (t) => {
  const { screen, page } = await opened(t)
  await flows.keepsTheGameInTheLibrary(screen)
  await page.reload()
  await flows.opensFromTheLibrary(screen)
})

test('the empty window is played on at once, and the next game takes two clicks and is like the last', { timeout: 600_000 }, async (t) => {
  const { url } = await withSmallNetwork(t)
  const { screen, page, faults } = await openBrowser(t, url)
  await flows.beginsWithAStone(screen)
  await screen.click('[data-action=new-game]')
  await screen.click('[role=dialog] label:has([data-size-choice="13"])')
  await screen.click('[role=dialog] [data-action=begin]')
  await screen.until('the larger board', async () => (await screen.stones()).length === 13)
  await page.reload()
  await screen.find('[data-test=play]', '', { timeoutMs: 60_000 })
  await flows.beginsInTwoClicks(screen, 13)
  assert.deepEqual(faults, [])
})

test('the first start leads to an analysed game with one choice', { timeout: 600_000 }, async (t) => {
  const { url } = await serve(t, { data: dataFolder(t, { firstStart: true }) })
  const { screen, faults } = await openBrowser(t, url)
  await screen.find('[data-test=welcome]', '', { timeoutMs: 120_000 })
  await flows.choose(screen, '[data-field=welcome-language]', 'zh-Hans')
  await screen.waitForText(/欢迎/)
  await flows.choose(screen, '[data-field=welcome-language]', 'en')
  await screen.waitForText(/Welcome/)
  await screen.click('[data-action=welcome-famous]')
  await screen.gone('[data-test=welcome]')
  await flows.gameIsShown(screen)
  // The move that reddened an ear.
  await flows.atMove(screen, 127)
  await flows.engineAnalyses(screen)
  assert.deepEqual(faults, [])
})

test('finds a corner that is drawn on a small board, and files several games at once', { timeout: 400_000 }, async (t) => {
  const { url } = await withSmallNetwork(t)
  const { screen, page, faults } = await openBrowser(t, url)
  await screen.find('[data-action=theme]', '', { timeoutMs: 120_000 })
  for (const [twin, black] of [[flows.TWINS[0], 'Lefty'], [flows.TWINS[1], 'Righty']]) {
    await dropFiles(page, [twin])
    await flows.savesTheGameOf(screen, black)
  }
  await flows.findsAPattern(screen)
  await flows.filesSeveralGames(screen)
  assert.deepEqual(faults, [])
})

test('speaks Chinese, goes dark, and remembers both', { timeout: 300_000 }, async (t) => {
  const { screen, page, data } = await opened(t)
  await flows.changesTheLanguage(screen)
  await flows.changesTheTheme(screen)
  await flows.choose(screen, '[data-action=language]', 'zh-Hans')
  await screen.waitForText(/胜率/)
  await flows.settingsAreKept(screen, data, /^language = "zh-Hans"$/m)
  await page.reload()
  await screen.find('board')
  await screen.waitForText(/胜率/)
})

test('a broken file gives a sentence and harms nothing', { timeout: 300_000 }, async (t) => {
  const { screen, page } = await opened(t)
  await dropFiles(page, [{ name: 'noise.sgf', text: 'this is no record at all' }])
  await screen.waitForText(/noise\.sgf/)
  assert.equal((await flows.place(screen)).of, 325, 'the open game is still there')
  await dropFiles(page, [{ name: 'torn.sgf', text: '(;GM[1]FF[4]SZ[19]PB[A]PW[B];B[dd];W[dd];B[pp' }])
  await screen.until('what could be read of the torn file', async () => (await flows.place(screen)).of <= 3)
  await screen.evaluate(() => document.activeElement?.blur())
  await screen.press('End')
  await screen.waitForStone(3, 3, 'X')
})

test('a notice covers no button of a dialog, and a press on it closes none', { timeout: 300_000 }, async (t) => {
  for (const [width, height, phone] of [[1280, 800, false], [1024, 700, false], [390, 844, true]]) {
    const { url } = await withSmallNetwork(t)
    const { screen, page, close } = await openBrowser(t, url, { width, height, phone })
    await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
    await dropFiles(page, [{ name: 'noise.sgf', text: 'this is no record at all' }])
    await screen.waitForText(/noise\.sgf/, { selector: '.notice' })
    await screen.click('[data-action=new-game]')
    await screen.find('[role=dialog] [data-action=begin]')
    const covered = await screen.evaluate(() => [...document.querySelectorAll('[role=dialog] :is(button, label, select, summary)')].filter((button) => {
      const box = button.getBoundingClientRect()
      const frame = button.closest('[role=dialog]').getBoundingClientRect()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      return box.width > 1 && y < frame.bottom && document.elementFromPoint(x, y)?.closest('.notice')
    }).map((button) => button.getAttribute('aria-label') ?? button.innerText))
    assert.deepEqual(covered, [], `${width}x${height}`)
    await screen.click('.notice .close')
    await screen.gone('.notice')
    assert.equal(await screen.count('[role=dialog]'), 1, `the dialog stays at ${width}x${height}`)
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.find('[data-test=play]')
    await close()
  }
})

test('reads what other programs write, and what is packed', { timeout: 300_000 }, async (t) => {
  const { screen, page, faults } = await opened(t)
  const folder = ownFolder(t)
  for (const { name, bytes, player, moves } of FORMATS) {
    writeFileSync(join(folder, name), bytes)
    await dropFromDisk(page, [join(folder, name)])
    await screen.waitForText(new RegExp(player), { selector: '.players' })
    await screen.until(`the moves of ${name}`, async () => (await flows.place(screen)).of === moves)
  }
  assert.deepEqual(faults, [])
})

test('two tabs hear of each other: a move, and what is chosen', { timeout: 300_000 }, async (t) => {
  const { screen: one, tab, faults } = await opened(t)
  const { screen: other } = await tab()
  await flows.gameIsShown(other)
  for (const screen of [one, other]) await screen.evaluate(() => document.activeElement?.blur())
  await flows.analyses(one, false)
  await other.find('[data-action=analyse]')
  await one.press('Home')
  await flows.atMove(other, 0)
  await one.clickPoint(2, 2)
  await one.waitForStone(2, 2, 'X')
  await other.waitForStone(2, 2, 'X')
  await other.clickPoint(16, 16)
  await other.waitForStone(16, 16, 'O')
  await one.waitForStone(16, 16, 'O')

  // What is chosen over there holds here at once; how this tab is divided is its own business.
  const panels = (screen) => screen.evaluate(() => document.querySelectorAll('.panel.folded').length)
  await one.click('.graph-panel .fold')
  await one.until('the folded graph', async () => await panels(one) === 1)
  await flows.choose(other, '[data-action=language]', 'zh-Hans')
  await one.until('Chinese', () => one.evaluate(() => document.documentElement.lang === 'zh-Hans'))
  await one.waitForText(/候选/)
  await one.click('[data-action=theme]')
  await other.until('the dark theme', () => other.evaluate(() => document.documentElement.dataset.theme === 'dark'))
  await flows.choose(one, '[data-action=language]', 'en')
  await other.until('English again', () => other.evaluate(() => document.documentElement.lang === 'en'))
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), 'dark')
  assert.deepEqual([await panels(one), await panels(other)], [1, 0])
  assert.deepEqual(faults, [])
})

test('columns and panels are as wide as they were pulled, also after a restart', { timeout: 300_000 }, async (t) => {
  // Without the turning points, which take room beside the board as they come.
  const data = dataFolder(t, { network: SMALL_NETWORK, settings: { reviewByItself: false } })
  const records = ownFolder(t)
  for (const { name, text } of flows.TWINS) writeFileSync(join(records, name), text)
  await runToEnd(cli, ['library', 'import', records, game, '--data', data])
  const openedAgain = async () => {
    const server = await serve(t, { data })
    const client = await openBrowser(t, server.url, { width: 1600, height: 900 })
    await client.screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
    return { ...client, child: server.child }
  }
  /** Pulls the border that is found so, and waits until what lies beside it is no longer as wide as it was. */
  const pulls = async (screen, border, dx, dy, sizes) => {
    const before = await sizes(screen)
    const { x, y } = await screen.find(border)
    await screen.hands.drag({ x, y }, { x: x + dx, y: y + dy })
    return screen.until(`${border} to be moved`, async () => {
      const after = await sizes(screen)
      return JSON.stringify(after) === JSON.stringify(before) ? null : { before, after }
    })
  }
  const widthsOf = (selector) => (screen) => screen.evaluate((css) => [...document.querySelectorAll(css)].map((element) => Math.round(element.getBoundingClientRect().width)), selector)
  const heightsOf = (selector) => (screen) => screen.evaluate((css) => [...document.querySelectorAll(css)].map((element) => Math.round(element.getBoundingClientRect().height)), selector)
  const names = (screen) => screen.evaluate(() => [...document.querySelectorAll('.head-cell')].map((head) => head.dataset.column))
  const isNear = (found, wanted) => found.length === wanted.length && found.every((size, at) => Math.abs(size - wanted[at]) <= 4)
  const near = (found, wanted, what) => assert.ok(isNear(found, wanted), `${what}: ${found} is not ${wanted}`)
  /** The parts of a window arrive one after the other: waits until these are there, as wide as they were. */
  const nearAgain = async (screen, sizes, wanted, what) => {
    let found
    const arrived = async () => isNear(found = await sizes(screen), wanted)
    await screen.until(`${what} again`, arrived).catch((error) => assert.fail(`${error.message}: ${found} is not ${wanted}`))
  }
  const heads = widthsOf('.head-cell')
  const panes = widthsOf('.panes > [data-panel]')
  const rooms = widthsOf('.middle > [data-panel]')
  const panels = heightsOf('.split > [data-panel]')

  const first = await openedAgain()
  const { screen } = first
  await dropFiles(first.page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
  await flows.gameIsShown(screen)
  await flows.analyses(screen, false)
  const side = await pulls(screen, '.end-room > .edge', -80, 0, rooms)
  near([side.after.at(-1)], [side.before.at(-1) + 80], 'the panels beside the board')
  const graph = await pulls(screen, '.split .handle', 0, 60, panels)
  near(graph.after.slice(0, 1), [graph.before[0] + 60], 'the graph')

  await screen.click('[data-action=library]')
  await screen.find('[data-test=library-table] [data-index="2"]')
  const column = await pulls(screen, '.head-cell[data-column=black] .grip', 70, 0, heads)
  near(column.after, [column.before[0] + 70, column.before[1] - 70, ...column.before.slice(2)], 'the columns')
  const before = await names(screen)
  const [from, to] = [await screen.find('.head-cell[data-column=date]'), await screen.find('.head-cell[data-column=black]')]
  await screen.hands.drag({ x: from.x, y: from.y }, { x: to.x, y: to.y })
  await screen.until('the date in front', async () => (await names(screen))[0] === 'date')
  assert.deepEqual(await names(screen), ['date', ...before.filter((name) => name !== 'date')])
  const library = await pulls(screen, '.panes > .handle', 90, 0, panes)
  near(library.after.slice(0, 1), [library.before[0] + 90], 'the places of the library')
  const [wide, shares] = [await heads(screen), await panes(screen)]
  await flows.settingsAreKept(screen, data, /libraryPanes":\[\d/)
  await first.close()
  await stop(first.child)

  const second = await openedAgain()
  await flows.gameIsShown(second.screen)
  await nearAgain(second.screen, rooms, side.after, 'the rooms')
  await nearAgain(second.screen, async (there) => (await panels(there)).slice(0, 1), graph.after.slice(0, 1), 'the graph')
  await second.screen.click('[data-action=library]')
  await second.screen.find('[data-test=library-table] [data-index="2"]')
  assert.equal((await names(second.screen))[0], 'date')
  await nearAgain(second.screen, panes, shares, 'the panes')
  await nearAgain(second.screen, heads, wide, 'the columns')
  assert.deepEqual([...first.faults, ...second.faults], [])
})

test('a file that carries markup is shown as text', { timeout: 300_000 }, async (t) => {
  const { screen, page, faults } = await opened(t)
  const name = '<img src=x onerror="document.title=1">'
  await dropFiles(page, [{ name: 'markup.sgf', text: `(;GM[1]FF[4]SZ[9]PB[${name}]PW[B]C[<script>document.title=2</script>];B[ee])` }])
  await screen.until('the small board', async () => (await flows.place(screen)).of === 1)
  await screen.waitForText(/<img src=x/)
  assert.doesNotMatch(await page.title(), /^[12]$/)
  assert.deepEqual(faults, [])
})

test('without the token there is nothing to see', { timeout: 120_000 }, async (t) => {
  const { url } = await withSmallNetwork(t)
  const address = new URL(url)
  const refused = await fetch(`http://${address.host}/api/ws?token=wrong`)
  assert.equal(refused.status, 403)
})

test('axe finds nothing', { timeout: 300_000 }, async (t) => {
  const { screen, page } = await opened(t)
  const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  for (const dark of [false, true]) {
    await flows.posesForAPicture(screen, { language: 'en', dark })
    await page.evaluate(source)
    const result = await page.evaluate('axe.run({ resultTypes: ["violations"] })')
    const found = result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 4).join(', ')}`)
    assert.deepEqual(found, [], dark ? 'dark' : 'light')
  }
})

test('in a contrast theme of the system stones, turns and what is chosen are told apart', { timeout: 300_000 }, async (t) => {
  const { screen, page } = await opened(t)
  await screen.find('.players .stone')
  await screen.press('e', ['Control'])
  // The ring of the focus is another one.
  await screen.find('[data-tool=play]')
  await screen.evaluate(() => document.activeElement.blur())
  const seen = () => screen.evaluate(() => {
    const style = (css) => getComputedStyle(document.querySelector(css))
    return {
      stones: new Set(['black', 'white'].map((side) => style(`.players .stone.${side}`).backgroundImage)).size,
      outlined: ['.player.turn', '[data-tool=play]', '[data-mode=analyse]', '.tabs .active .title'].filter((css) => style(css).outlineStyle === 'solid'),
      plain: ['.player:not(.turn)', '[data-tool=black]', '[data-mode=review]'].filter((css) => style(css).outlineStyle === 'solid'),
    }
  })
  assert.deepEqual((await seen()).outlined, [], 'elsewhere backgrounds tell it')
  await page.emulateMedia({ forcedColors: 'active' })
  assert.deepEqual(await seen(), { stones: 2, outlined: ['.player.turn', '[data-tool=play]', '[data-mode=analyse]', '.tabs .active .title'], plain: [] })
})

test('the empty window and the new game are sound in every size, and grow with a large screen', { timeout: 300_000 }, async (t) => {
  // The games that were opened last have long names.
  const data = dataFolder(t, { network: SMALL_NETWORK })
  const records = ownFolder(t)
  writeFileSync(join(records, 'long.sgf'), '(;GM[1]FF[4]SZ[19]PB[Hon’inbō Shūsaku of the Yasunaga school]PW[Inoue Gennan Inseki the eleventh]DT[1846-09-11]RE[B+2];B[pd])')
  await runToEnd(cli, ['library', 'import', records, '--data', data])
  const { url } = await serve(t, { data })
  const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const measured = []
  for (const [width, height, colorScheme] of [[390, 844, 'light'], [1280, 720, 'dark'], [2560, 1440, 'light'], [3840, 2160, 'light']]) {
    const { screen, page, faults } = await openBrowser(t, url, { width, height, colorScheme })
    await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
    const name = `${width}x${height}`
    await page.evaluate(source)
    for (const dialog of [false, true]) {
      if (dialog) {
        await screen.click('[data-action=new-game]')
        await screen.find('[role=dialog] [data-action=begin]')
      }
      const result = await page.evaluate('axe.run({ resultTypes: ["violations"] })')
      assert.deepEqual(result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 4).join(', ')}`), [], `${name}${dialog ? ', dialog' : ''}`)
    }
    measured.push(await screen.evaluate(() => ({
      text: parseFloat(getComputedStyle(document.body).fontSize), panel: document.querySelector('.end-room')?.getBoundingClientRect().width ?? 0,
      board: document.querySelector('[role=application][data-size]').getBoundingClientRect().width, over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    })))
    assert.equal(measured.at(-1).over, 0, `nothing sticks out at ${name}`)
    assert.deepEqual(await screen.evaluate(() => [...document.querySelectorAll('.start-panel, .start-panel > *')].filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > window.innerWidth).map((part) => part.className || part.localName)), [], `the new game is as wide as its room at ${name}`)
    assert.deepEqual(faults, [])
  }
  const [, small, large, largest] = measured
  for (const what of ['text', 'panel', 'board']) {
    assert.ok(large[what] >= 1.25 * small[what], `${what} at 2560x1440: ${JSON.stringify(measured)}`)
    assert.ok(largest[what] > large[what], `${what} at 3840x2160: ${JSON.stringify(measured)}`)
  }
  assert.ok(large.board > 2 * large.panel, 'the board stays the largest thing')
  t.diagnostic(JSON.stringify(measured))
})

test('looks as it should in each language, theme and size', { timeout: 1_500_000 }, async (t) => {
  const { screen, page } = await opened(t, { on: serve, width: 1280, height: 800 })
  await flows.engineAnalyses(screen)
  await flows.graphIsDrawn(screen, { positions: 30 })
  for (const language of ['en', 'zh-Hans']) {
    for (const dark of [false, true]) {
      await flows.posesForAPicture(screen, { language, dark })
      await screen.until('candidates', async () => (await flows.candidates(screen)).length >= 3, { timeoutMs: 60_000 })
      const picture = await keepPicture(screen, `${dark ? 'dark' : 'light'}-${language}`)
      assert.ok(picture.length > 40_000, 'the picture shows more than an empty page')
    }
  }
  await flows.posesForAPicture(screen, { language: 'en', dark: false })
  for (const [width, height] of [[1920, 1080], [390, 844], [820, 1180]]) {
    await page.setViewportSize({ width, height })
    await screen.find('board')
    await keepPicture(screen, `${width}x${height}`)
    const overflow = await screen.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.ok(overflow <= 0, `nothing sticks out at ${width}x${height}`)
  }
})
