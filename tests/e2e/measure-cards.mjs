// Measures how long after a game was opened its first turning point stands beside the board as a card.
// Usage: node tests/e2e/measure-cards.mjs [RUNS]
// With the default network and reviews by themselves on, without live analysis, as at the end of a game that was played, and
// with it, as for a game that is opened; each run has an empty folder, and its network is read before.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as flows from './flows.mjs'
import { dropFiles, openBrowser } from './support/browser.mjs'
import { dataFolder, game, serve } from './support/machine.mjs'

/** Collects what a test would run at its end. */
function scope() {
  const last = []
  return { after: (work) => last.push(work), end: async () => { for (const work of last.reverse()) await work() } }
}

const moves = [...readFileSync(game, 'utf8').matchAll(/;[BW]\[[a-s]{2}\]/g)].map(([move]) => move)
const record = (count) => `(;GM[1]FF[4]SZ[19]KM[0]RU[Japanese]PB[Shusaku]PW[Gennan]${moves.slice(0, count).join('')})`

async function measure(count, live) {
  const test = scope()
  try {
    const data = dataFolder(test)
    const settings = join(data, 'settings.toml')
    writeFileSync(settings, `analyseAtStart = ${live}\nreviewByItself = true\n${readFileSync(settings, 'utf8').replaceAll(/^(analyseAtStart|reviewByItself).*\n/gm, '')}`)
    const { url } = await serve(test, { data })
    const { screen, page } = await openBrowser(test, url, { width: 1280, height: 720 })
    await screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
    // Too short to be reviewed: it has the network read.
    await dropFiles(page, [{ name: 'first.sgf', text: record(1) }])
    if (live) await screen.until('candidates', async () => (await flows.candidates(screen)).length > 0, { timeoutMs: 90_000 })
    else await sleep(5000)
    const began = performance.now()
    await dropFiles(page, [{ name: 'game.sgf', text: record(count) }])
    await screen.until('a card', () => screen.evaluate(() => document.querySelectorAll('[data-test=turning-points] .card').length > 0), { timeoutMs: 300_000, everyMs: 50 })
    return performance.now() - began
  } finally {
    await test.end()
  }
}

const runs = Number(process.argv[2] ?? 1)
for (let run = 0; run < runs; run++) {
  for (const [count, live] of [[150, false], [150, true], [moves.length, false], [moves.length, true]]) {
    const load = loadavg()[0]
    const first = await measure(count, live)
    console.log(JSON.stringify({ moves: count, live, firstCardSeconds: Math.round(first / 100) / 10, processor: cpus()[0].model, cores: cpus().length, loadBefore: load }))
  }
}
