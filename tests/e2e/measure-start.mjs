// Measures the real window: from the start of its process to a board that answers and to the first candidate, and its memory.
// Usage: xvfb-run -a -s "-screen 0 1600x1000x24" node tests/e2e/measure-start.mjs [RUNS]
// The first start of each run has an empty data folder (the network is converted), the second that of the first.
// Times count from the start of the app's own process, so that the driver's does not count; the page says when the board
// stood there. Memory is the proportional set size: what several processes share is shared out among them. It is taken
// once without a network, and once after the network has thought: the difference is the network's.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as flows from './flows.mjs'
import { app, dataFolder, game, installed } from './support/machine.mjs'
import { openWindow } from './support/window.mjs'

/** The processes below one, as lists of `{ pid, name }`. */
function below(root) {
  const known = new Map()
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const field = (key) => new RegExp(`^${key}:\\s+(.+)$`, 'm').exec(status)?.[1]
      known.set(Number(pid), { pid: Number(pid), parent: Number(field('PPid')), name: field('Name') })
    } catch {
      continue // It ended while it was being looked at.
    }
  }
  const found = new Set([root])
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of known.values()) if (found.has(parent)) found.add(pid)
  }
  found.delete(root)
  return [...found].map((pid) => known.get(pid))
}

/** Memory of the app and all that it started in MiB, by program; `whole` is their sum. */
function memoryOf(root) {
  const parts = {}
  let whole = 0
  for (const { pid, name } of below(root)) {
    const kib = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
    parts[name] = (parts[name] ?? 0) + kib / 1024
    whole += kib / 1024
  }
  return Object.fromEntries([['whole', whole], ...Object.entries(parts)].map(([name, mib]) => [name, Math.round(mib)]))
}

/** When a process was started, in milliseconds since 1970; exact to a hundredth of a second. */
function startOf(pid) {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  const sinceBoot = Number(afterName[19]) * 10
  return Date.now() - Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000 + sinceBoot
}

/** Collects what a test would run at its end. */
function scope() {
  const last = []
  return { after: (work) => last.push(work), end: async () => { for (const work of last.reverse()) await work() } }
}

/** Opens the window on the game and answers with it and with when it was started. */
async function started(test, data) {
  const window = await openWindow(test, { args: [game], data })
  const program = below(window.driverPid).find(({ name }) => basename(app).startsWith(name))
  if (!program) throw new Error(`the driver started no ${basename(app)}`)
  await flows.gameIsShown(window.screen)
  return { ...window, startedAt: startOf(program.pid) }
}

const runs = Number(process.argv[2] ?? 3)
const figures = []
const show = (figure) => { figures.push(figure); console.log(JSON.stringify(figure)) }
for (let run = 0; run < runs; run++) {
  const folder = scope()
  const data = dataFolder(folder)
  for (const start of ['cold', 'warm']) {
    const test = scope()
    const { screen, startedAt, driverPid } = await started(test, data)
    // The game's name may be there before its board.
    const drawn = () => screen.evaluate(() => {
      const mark = performance.getEntriesByName('board')[0]
      return mark ? performance.timeOrigin + mark.startTime : 0
    })
    const board = await screen.until('a drawn board', drawn, { timeoutMs: 60_000, everyMs: 20 })
    const page = await screen.evaluate(() => performance.timeOrigin)
    const candidate = await screen.until('a candidate', async () => (await flows.candidates(screen)).length > 0 && Date.now(), { timeoutMs: 180_000, everyMs: 20 })
    await flows.engineAnalyses(screen)
    show({
      start, pageMs: Math.round(page - startedAt), boardMs: Math.round(board - startedAt), firstCandidateMs: Math.round(candidate - startedAt),
      memoryMib: memoryOf(driverPid), load: loadavg()[0],
    })
    await test.end()
  }
  await folder.end()
}
{
  const test = scope()
  const data = dataFolder(test)
  writeFileSync(join(data, 'settings.toml'), 'analyseAtStart = false\nnetwork = "none.bin.gz"\nwindow = \'{"welcomed":true}\'\n')
  const { driverPid } = await started(test, data)
  await sleep(5000)
  show({ start: 'without a network', memoryMib: memoryOf(driverPid), load: loadavg()[0] })
  await test.end()
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
for (const start of ['cold', 'warm']) {
  const mine = figures.filter((figure) => figure.start === start)
  console.log(`${installed ? 'installed' : 'debug build'} ${app}, ${start}: board ${median(mine.map((f) => f.boardMs))} ms, first candidate ${median(mine.map((f) => f.firstCandidateMs))} ms (median of ${mine.length})`)
}
