// Measures the window in Chromium on the test server: `npm run bench --workspace ui`.
// Its evaluator is made up and its library small, so that what is measured is the interface and the way to the back end.
// Beside each time stands its floor: the same of an almost empty page, in the same browser and the same run.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { WebSocket } from 'ws'
import { openControl, startTestServer } from '../src/testing/program.mjs'
import { keepsFrames, median, measureInputs, p95 } from './frames.mjs'

const ui = fileURLToPath(new URL('..', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'honinbo-ui-'))
const PORT = 4317
// Vite itself and not through npx, which would leave it running when it is ended.
const program = fileURLToPath(new URL('../bin/vite.js', import.meta.resolve('vite/package.json').replace('package.json', 'bin/')))
const vite = (args, env = {}) => spawn(process.execPath, [program, ...args], { cwd: ui, stdio: 'ignore', env: { ...process.env, ...env } })
const ended = child => new Promise((resolve) => { child.on('exit', resolve) })

const built = await ended(vite(['build', '--outDir', out, '--emptyOutDir']))
if (built !== 0) throw new Error(`vite build ended with ${built}`)
const testServer = await startTestServer()
const previews = []
process.on('exit', () => {
  for (const preview of previews) preview.kill()
  rmSync(out, { recursive: true, force: true })
})

/** An app of the test server behind the built page: a game and a library that a welcomed person has, and the page's address. */
async function appWith(game, records) {
  const { url } = await openControl(testServer.port, {})
  const { origin, search } = new URL(url)
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/ws${search}`)
  await new Promise((resolve) => { socket.once('open', resolve) })
  let lastId = 0
  const waiting = new Map()
  const imported = new Promise((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(data)
      if (message.event === 'import' && message.payload.finished) resolve()
      else waiting.get(message.id)?.(message)
    })
  })
  const call = async (command, args = {}) => {
    const id = ++lastId
    const answer = new Promise(resolve => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, command, args }))
    const { ok, error } = await answer
    if (error) throw new Error(`${command}: ${JSON.stringify(error)}`)
    return ok
  }
  const base64 = text => Buffer.from(text).toString('base64')
  // One thread, so that the search leaves the processor to the page.
  await call('set_settings', { ...(await call('startup')).settings, threads: 1, window: '{"welcomed":true}' })
  if (records) {
    await call('import_content', { name: 'records.sgf', base64: base64(records), batch: 0, remaining: 0 })
    await imported
  }
  const { gameId, position } = await call('open_content', { name: 'game.sgf', base64: base64(game) })
  await call('go_to', { gameId, nodeId: position.line[Math.min(127, position.line.length - 1)] })
  socket.close()
  const port = PORT + previews.length
  previews.push(vite(['preview', '--outDir', out, '--port', String(port), '--strictPort'], { HONINBO_SERVER: origin }))
  const base = `http://localhost:${port}`
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(base).then(() => true, () => false)) break
    await new Promise((resolve) => { setTimeout(resolve, 100) })
  }
  return `${base}/${search}`
}

const SGF_LETTERS = 'abcdefghijklmnopqrs'
const sgfPoint = index => `${SGF_LETTERS[index % 19]}${SGF_LETTERS[Math.floor(index / 19) % 19]}`

/** A record with about so many nodes: a game of 300 moves with a long variation at each of them. */
function bushyRecord(nodes) {
  const length = Math.max(1, Math.round(nodes / 300) - 1)
  const branch = start => `(${Array.from({ length }, (_, step) => `;${(start + step) % 2 === 0 ? 'B' : 'W'}[]`).join('')})`
  let text = ''
  for (let move = 299; move >= 0; move--) text = `(;${move % 2 === 0 ? 'B' : 'W'}[${sgfPoint(move * 7 % 361)}]${text})${branch(move)}`
  return `(;SZ[19]PB[Many]PW[Branches]${text})`
}

/** So many games, each with two moves that no other has. */
function manyRecords(count) {
  return Array.from({ length: count }, (_, index) =>
    `(;SZ[19]PB[Black ${index}]PW[White ${index}]DT[${1950 + index % 70}];B[${sgfPoint(index % 361)}];W[${sgfPoint((index + 1 + Math.floor(index / 361)) % 361)}];B[${sgfPoint((index * 5 + 180) % 361)}])`).join('\n')
}

const famous = await appWith(readFileSync(new URL('../../tests/fixtures/games/ear-reddening-1846.sgf', import.meta.url), 'utf8'))

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const viewport = { width: 1440, height: 900 }
const figures = { loadBefore: loadavg()[0] }

/** What is there and counted on; a measurement of nothing is a fault and not a figure. */
async function present(page, selector) {
  if (await page.locator(selector).count() === 0) throw new Error(`the bench looks for ${selector}, which the page does not have`)
}

/** Opens the window and waits for its board. The answer holds the milliseconds from the navigation to the board. */
async function open(address = famous, context = browser) {
  const page = await context.newPage({ viewport })
  // Chromium starts pages of its own beside a new one (for its address bar): they are not what is measured.
  await page.waitForTimeout(1500)
  await page.goto(address)
  await page.waitForFunction(() => performance.getEntriesByName('board').length > 0)
  if (await page.locator('[data-test=welcome]').count() > 0) throw new Error('the welcome lies over what is measured')
  return { page, ms: await page.evaluate(() => performance.getEntriesByName('board')[0].startTime) }
}

// From the navigation to a drawn board that answers: with nothing in the cache, and then with everything (scripts that were
// run before are kept compiled from the third visit on).
{
  const cold = []
  for (let round = 0; round < 3; round++) {
    const { page, ms } = await open()
    cold.push(ms)
    await page.close()
  }
  const context = await browser.newContext({ viewport })
  const warm = []
  for (let round = 0; round < 8; round++) {
    const { page, ms } = await open(famous, { newPage: () => context.newPage() })
    warm.push(ms)
    await page.close()
  }
  figures.startColdMs = median(cold)
  figures.startWarmMs = median(warm.slice(3))
  const empty = await browser.newPage({ viewport })
  await empty.waitForTimeout(1500)
  await empty.goto(new URL('/icon.svg', famous).href)
  figures.startFloorMs = await empty.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(performance.now())) }))
  await empty.close()
  await context.close()
}

// The floor: a page that changes one word when a key or a button is pressed.
{
  const page = await browser.newPage({ viewport })
  await page.setContent('<p data-test="place">0</p><script>let n = 0; for (const kind of ["keydown", "pointerup"]) addEventListener(kind, () => { document.querySelector("p").textContent = ++n })</script>')
  Object.assign(figures, named('floorKey', await measureInputs(browser, page, 40, () => page.keyboard.press('ArrowLeft'))))
  await page.close()
}

/** The figures of a kind of input: until the end of the main thread's frame, until the picture, and the processor's time. */
function named(name, { frame, shown, work }) {
  return {
    [`${name}FrameMs`]: median(frame), [`${name}FrameP95Ms`]: p95(frame), [`${name}ShownMs`]: median(shown),
    [`${name}WorkMs`]: median(work), [`${name}WorkP95Ms`]: p95(work),
  }
}

{
  const { page } = await open()
  await page.waitForTimeout(1500)
  Object.assign(figures, named('step', await measureInputs(browser, page, 60, () => page.keyboard.press('ArrowLeft'))))

  // Real clicks on free points of the board: each plays a stone.
  await page.keyboard.press('Home')
  await page.waitForTimeout(500)
  const board = await page.locator('.board').boundingBox()
  const cell = board.width / 20.6
  let played = 0
  Object.assign(figures, named('click', await measureInputs(browser, page, 40, () => {
    const column = played % 8 * 2 + 2
    const row = Math.floor(played / 8) * 3 + 2
    played++
    return page.mouse.click(board.x + board.width / 2 + (column - 9) * cell, board.y + board.height / 2 + (row - 9) * cell)
  })))

  // Frames while analysis reports ten times a second with ownership on.
  await page.keyboard.press('o')
  await page.waitForTimeout(300)
  const { perSecond, longest } = await keepsFrames(page, 5000)
  figures.framesPerSecond = perSecond
  figures.longestFrameMs = longest
  figures.heapMb = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6)
  await page.close()
}
{
  const { page } = await open(await appWith(bushyRecord(60_000)))
  await page.waitForTimeout(2500)
  await present(page, '[data-nodes]')
  figures.treeNodes = await page.evaluate(() => Number(document.querySelector('[data-nodes]').dataset.nodes))
  if (figures.treeNodes < 60_000) throw new Error(`a tree of ${figures.treeNodes} nodes is not the one to be measured`)
  Object.assign(figures, named('treeStep', await measureInputs(browser, page, 40, () => page.keyboard.press('ArrowRight'))))
  const before = await page.evaluate(() => document.querySelector('[data-nodes]').scrollTop)
  figures.treePaintMs = await page.evaluate(() => new Promise((resolve) => {
    const scroller = document.querySelector('[data-nodes]')
    const gaps = []
    let last = performance.now()
    let count = 0
    const tick = (now) => {
      gaps.push(now - last)
      last = now
      scroller.scrollTop += 60
      if (count++ < 60) requestAnimationFrame(tick)
      else resolve(gaps.slice(1).sort((a, b) => a - b)[Math.floor(gaps.length / 2)])
    }
    requestAnimationFrame(tick)
  }))
  if (await page.evaluate(() => document.querySelector('[data-nodes]').scrollTop) - before < 3000) throw new Error('the tree was not scrolled')
  await page.close()
}
{
  const { page } = await open(await appWith(bushyRecord(300), manyRecords(20_000)))
  await page.waitForTimeout(1500)
  await present(page, '.scroller[role=list] [data-index]')
  const seen = await page.evaluate(() => new Promise((resolve) => {
    const list = document.querySelector('.scroller[role=list]')
    const box = list.getBoundingClientRect()
    const rowAt = share => document.elementFromPoint(box.left + 60, box.top + box.height * share)?.closest('[data-index]')
    const first = Number(rowAt(0.5)?.dataset.index)
    const drawn = { empty: 0, ghosts: 0, from: first, to: first, frames: 0 }
    const tick = () => {
      // Looked at before the next step: this is what the last frame showed.
      const rows = [0.05, 0.35, 0.65, 0.95].map(rowAt)
      if (rows.some(row => !row)) drawn.empty++
      else if (rows.some(row => row.querySelector('.ghost'))) drawn.ghosts++
      drawn.to = Number(rows[1]?.dataset.index ?? drawn.to)
      list.scrollTop += 400
      if (drawn.frames++ < 240) requestAnimationFrame(tick)
      else resolve(drawn)
    }
    requestAnimationFrame(tick)
  }))
  // 240 times 400 pixels of rows of 46 pixels: a list that stands still shows no empty frame either.
  if (!(seen.to - seen.from > 1500)) throw new Error(`the list of records was not scrolled: from row ${seen.from} to ${seen.to}`)
  figures.libraryEmptyFrames = seen.empty
  figures.libraryFramesWithoutText = seen.ghosts
  await page.close()
}
const assets = join(out, 'assets')
const product = readdirSync(assets).filter(name => name.endsWith('.js') && !name.startsWith('ear'))
figures.scriptGzipKb = product.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0) / 1000
figures.loadAfter = loadavg()[0]

await browser.close()
await testServer.end()
console.log(JSON.stringify(figures, (_, value) => typeof value === 'number' ? Math.round(value * 10) / 10 : value, 2))
process.exit(0)
