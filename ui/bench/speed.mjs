// Measures the window in Chromium on the back end in memory: `npm run bench --workspace ui`.
// What is measured is the window alone: answers come at once, so every figure is the interface's own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'

const ui = fileURLToPath(new URL('..', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'honinbo-ui-'))
const PORT = 4317
// Vite itself and not through npx, which would leave it running when it is ended.
const program = fileURLToPath(new URL('../bin/vite.js', import.meta.resolve('vite/package.json').replace('package.json', 'bin/')))
const vite = (...args) => spawn(process.execPath, [program, ...args], { cwd: ui, stdio: 'ignore' })
const ended = child => new Promise((resolve) => { child.on('exit', resolve) })

const built = await ended(vite('build', '--mode', 'demo', '--outDir', out, '--emptyOutDir'))
if (built !== 0) throw new Error(`vite build ended with ${built}`)
const server = vite('preview', '--outDir', out, '--port', String(PORT), '--strictPort')
process.on('exit', () => server.kill())
const base = `http://localhost:${PORT}`
for (let attempt = 0; attempt < 100; attempt++) {
  if (await fetch(base).then(() => true, () => false)) break
  await new Promise((resolve) => { setTimeout(resolve, 100) })
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const p95 = list => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)]
const figures = {}

async function open(query = '') {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const began = Date.now()
  await page.goto(base + query)
  await page.waitForFunction(() => document.querySelector('.board canvas')?.width > 300)
  return { page, ms: Date.now() - began }
}

// A board that answers, with nothing in the cache and then with everything.
const starts = []
for (let round = 0; round < 6; round++) {
  const { page, ms } = await open()
  starts.push(ms)
  await page.close()
}
figures.startColdMs = starts[0]
figures.startWarmMs = median(starts.slice(1))

// From the press of a key to the picture with the move: until the end of the frame that painted it.
const frameAfter = `(work) => new Promise((resolve) => {
  const board = document.querySelector('.board')
  const place = () => document.querySelector('[data-test=place]').textContent
  const before = place()
  const began = performance.now()
  work()
  const look = () => place() === before ? requestAnimationFrame(look) : requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => resolve(performance.now() - began); c.port2.postMessage(0) })
  look()
})`
async function steps(page, count, key) {
  const times = []
  for (let step = 0; step < count; step++) {
    times.push(await page.evaluate(`(${frameAfter})(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}' })))`))
  }
  return times
}
{
  const { page } = await open()
  await page.waitForTimeout(1500)
  const times = await steps(page, 60, 'ArrowLeft')
  figures.moveDrawnMedianMs = median(times)
  figures.moveDrawnP95Ms = p95(times)

  // Frames while analysis reports ten times a second with ownership on.
  await page.keyboard.press('o')
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const gaps = []
    let last = performance.now()
    const end = last + 5000
    const tick = (now) => {
      gaps.push(now - last)
      last = now
      if (now < end) requestAnimationFrame(tick)
      else resolve(gaps)
    }
    requestAnimationFrame(tick)
  }))
  figures.framesPerSecond = 1000 * frames.length / frames.reduce((sum, gap) => sum + gap, 0)
  figures.longestFrameMs = Math.max(...frames)
  figures.heapMb = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6)
  await page.close()
}
{
  const { page } = await open('/?tree=60000')
  await page.waitForTimeout(2500)
  figures.treeNodes = await page.evaluate(() => Number(document.querySelector('[data-nodes]').dataset.nodes))
  const times = await steps(page, 40, 'ArrowRight')
  figures.treeStepMedianMs = median(times)
  figures.treeStepP95Ms = p95(times)
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
  await page.close()
}
{
  const { page } = await open('/?records=1500000')
  await page.waitForTimeout(1500)
  figures.libraryEmptyFrames = await page.evaluate(() => new Promise((resolve) => {
    const list = document.querySelector('.scroller[role=list]')
    let empty = 0
    let count = 0
    const tick = () => {
      const box = list.getBoundingClientRect()
      const row = document.elementFromPoint(box.left + 60, box.top + box.height / 2)?.closest('[data-index]')
      if (!row) empty++
      list.dispatchEvent(new WheelEvent('wheel', { deltaY: 400, cancelable: true }))
      if (count++ < 240) requestAnimationFrame(tick)
      else resolve(empty)
    }
    requestAnimationFrame(tick)
  }))
  await page.close()
}
const assets = join(out, 'assets')
const product = readdirSync(assets).filter(name => name.endsWith('.js') && !/^(fake|fromAddress|ear)/.test(name))
figures.scriptGzipKb = product.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0) / 1000

await browser.close()
server.kill()
rmSync(out, { recursive: true, force: true })
console.log(JSON.stringify(figures, (_, value) => typeof value === 'number' ? Math.round(value * 10) / 10 : value, 2))
process.exit(0)
