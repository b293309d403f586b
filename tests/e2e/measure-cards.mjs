// Measures how long after a game was opened its first turning point stands beside the board as a card, and its last one.
// Usage: node tests/e2e/measure-cards.mjs [RUNS]
// With the default network, reviews by themselves on and live analysis as at a first start; each run has an empty folder,
// and its network is read before the game is opened, as it is at the end of a game that was played.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
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

async function measure(count) {
  const test = scope()
  try {
    const data = dataFolder(test)
    const settings = join(data, 'settings.toml')
    writeFileSync(settings, `analyseAtStart = true\nreviewByItself = true\n${readFileSync(settings, 'utf8').replaceAll(/^(analyseAtStart|reviewByItself).*\n/gm, '')}`)
    const { url } = await serve(test, { data })
    const { screen, page } = await openBrowser(test, url, { width: 1280, height: 720 })
    await screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
    // Too short to be reviewed: it has the network read.
    await dropFiles(page, [{ name: 'first.sgf', text: record(1) }])
    await screen.until('candidates', async () => (await flows.candidates(screen)).length > 0, { timeoutMs: 90_000 })
    const began = performance.now()
    await dropFiles(page, [{ name: 'game.sgf', text: record(count) }])
    const card = (number) => screen.until(`card ${number}`, () => screen.evaluate((wanted) => document.querySelectorAll('[data-test=turning-points] .card').length >= wanted, number), { timeoutMs: 900_000, everyMs: 50 })
    await card(1)
    const first = performance.now() - began
    // The list is whole when the sweep has ended.
    await screen.gone('[data-action=stop]', '', { timeoutMs: 900_000 }).catch(() => undefined)
    return { first, cards: await screen.count('[data-test=turning-points] .card'), all: performance.now() - began }
  } finally {
    await test.end()
  }
}

const runs = Number(process.argv[2] ?? 1)
for (let run = 0; run < runs; run++) {
  for (const count of [150, moves.length]) {
    const load = loadavg()[0]
    const { first, cards, all } = await measure(count)
    console.log(JSON.stringify({ moves: count, firstCardSeconds: Math.round(first / 100) / 10, cards, allSeconds: Math.round(all / 100) / 10, processor: cpus()[0].model, cores: cpus().length, loadBefore: load }))
  }
}
