// Measures what a person feels in the real window and prints it as JSON: how long from the start of the program to the
// first candidate on the screen, with and without the caches of an earlier start, and the memory it takes by then.
// Usage: [HONINBO_TARGET=DIR | HONINBO_INSTALLED=/usr] xvfb-run -a node tests/e2e/figures.mjs [RUNS]
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { candidates } from './flows.mjs'
import { app, dataFolder, game } from './support/machine.mjs'
import { openWindow } from './support/window.mjs'

const runs = Number(process.argv[2] ?? 3)

/** What `test` is to a test: a place for what must be done at the end. */
function stage() {
  const endings = []
  return {
    after: (ending) => endings.push(ending),
    end: async () => { for (const ending of endings.toReversed()) await ending() },
  }
}

/** Proportional set size of the app's processes in MiB, by name. */
function memory() {
  const sizes = {}
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      if (!/^(honinbo-app|WebKitWebProces|WebKitNetworkPr)/.test(name)) continue
      const [, kib] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
      sizes[name] = Math.round((sizes[name] ?? 0) + Number(kib) / 1024)
    } catch { /* It has just ended. */ }
  }
  return sizes
}

async function start(data) {
  const one = stage()
  const began = performance.now()
  const window = await openWindow(one, { args: [game], data })
  const { screen } = window
  await screen.until('the board', async () => (await screen.box('board')) !== null, { everyMs: 10 })
  const boardMs = performance.now() - began
  await screen.until('a candidate', async () => (await candidates(screen)).length > 0, { timeoutMs: 180_000, everyMs: 10 })
  const firstCandidateMs = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const memoryMib = memory()
  await window.session.quit().catch(() => undefined)
  await one.end()
  return { boardMs: Math.round(boardMs), firstCandidateMs: Math.round(firstCandidateMs), memoryMib }
}

const folders = stage()
const report = { machine: `${availableParallelism()} cores, ${cpus()[0].model}`, app, cold: [], warm: [] }
for (let run = 0; run < runs; run++) {
  const data = dataFolder(folders)
  report.cold.push(await start(data))
  report.warm.push(await start(data))
}
await folders.end()
console.log(JSON.stringify(report, null, 2))
