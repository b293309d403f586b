// Measures what live analysis costs a review: the first hundred moves of the famous game, from the press of "Review" to the
// last verdict, in turn with live analysis off and on.
// Usage: node tests/e2e/measure-review.mjs [RUNS]
// Live analysis is on the last position all the while, as it is when somebody presses "Review" in the window.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import * as flows from './flows.mjs'
import { dropFiles, openBrowser } from './support/browser.mjs'
import { dataFolder, game, serve, SMALL_NETWORK } from './support/machine.mjs'

const MOVES = 100

/** Collects what a test would run at its end. */
function scope() {
  const last = []
  return { after: (work) => last.push(work), end: async () => { for (const work of last.reverse()) await work() } }
}

const moves = [...readFileSync(game, 'utf8').matchAll(/;[BW]\[[a-s]{2}\]/g)].slice(0, MOVES).map(([move]) => move)
if (moves.length !== MOVES) throw new Error(`${game} has ${moves.length} moves`)
const record = `(;GM[1]FF[4]SZ[19]KM[0]RU[Japanese]PB[Shusaku]PW[Gennan]${moves.join('')})`

async function reviewed(live) {
  const test = scope()
  try {
    const data = dataFolder(test, { network: SMALL_NETWORK, preferences: { autoGraph: false }, settings: { analyseAtStart: live } })
    const { url } = await serve(test, { data })
    const { screen, page } = await openBrowser(test, url, { width: 1280, height: 720 })
    await screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
    await dropFiles(page, [{ name: 'hundred.sgf', text: record }])
    await screen.until('the game', async () => (await flows.place(screen)).of === MOVES)
    await screen.evaluate(() => document.activeElement?.blur())
    await screen.press('End')
    await flows.atMove(screen, MOVES)
    if (live) await screen.until('candidates', async () => (await flows.candidates(screen)).length > 0, { timeoutMs: 90_000 })
    const began = performance.now()
    await screen.click('[data-mode=review]')
    await screen.find('.sums', '', { timeoutMs: 900_000, everyMs: 100 })
    return (performance.now() - began) / 1000
  } finally {
    await test.end()
  }
}

const runs = Number(process.argv[2] ?? 2)
for (let run = 0; run < runs; run++) {
  for (const live of [false, true]) {
    const load = loadavg()[0]
    console.log(JSON.stringify({ live, seconds: Math.round(await reviewed(live) * 10) / 10, loadBefore: load }))
  }
}
