// Measures a start of the real window: to the board, to the first candidate, and the memory of all its processes.
// Usage: xvfb-run -a -s "-screen 0 1600x1000x24" node tests/e2e/measure-start.mjs [RUNS]
// The first run of each begins with an empty data folder (the network is converted), the second with that of the first.
import { readdirSync, readFileSync } from 'node:fs'
import * as flows from './flows.mjs'
import { app, dataFolder, game, installed } from './support/machine.mjs'
import { openWindow } from './support/window.mjs'

/** Resident memory in MiB of a process and all below it; shared pages are counted once for each, as `top` does. */
function memoryBelow(root) {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const field = (key) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1]
      parents.set(Number(name), { parent: Number(field('PPid')), kib: Number(field('VmRSS') ?? 0), name: field('Name') })
    } catch {
      continue // It ended while it was being looked at.
    }
  }
  const below = new Set([root])
  for (let before = -1; before !== below.size;) {
    before = below.size
    for (const [pid, { parent }] of parents) if (below.has(parent)) below.add(pid)
  }
  below.delete(root)
  return Object.fromEntries([...below].map((pid) => [parents.get(pid).name, Math.round(parents.get(pid).kib / 1024)]))
}

/** Collects what a test would run at its end. */
function scope() {
  const last = []
  return { after: (work) => last.push(work), end: async () => { for (const work of last.reverse()) await work() } }
}

const runs = Number(process.argv[2] ?? 3)
const figures = []
for (let run = 0; run < runs; run++) {
  const folder = scope()
  const data = dataFolder(folder)
  for (const start of ['cold', 'warm']) {
    const test = scope()
    const began = performance.now()
    const since = () => Math.round(performance.now() - began)
    const { screen, driverPid } = await openWindow(test, { args: [game], data })
    await flows.gameIsShown(screen)
    const boardMs = since()
    await screen.until('a candidate', async () => (await flows.candidates(screen)).length > 0, { timeoutMs: 180_000, everyMs: 20 })
    const firstCandidateMs = since()
    await flows.engineAnalyses(screen)
    const figure = { start, boardMs, firstCandidateMs, memoryMib: memoryBelow(driverPid) }
    figures.push(figure)
    console.log(JSON.stringify(figure))
    await test.end()
  }
  await folder.end()
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
for (const start of ['cold', 'warm']) {
  const mine = figures.filter((figure) => figure.start === start)
  console.log(`${installed ? 'installed' : 'debug build'} ${app}, ${start}: board ${median(mine.map((f) => f.boardMs))} ms, first candidate ${median(mine.map((f) => f.firstCandidateMs))} ms (median of ${mine.length})`)
}
