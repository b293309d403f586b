// Sabaki's own window, in a browser instead of Electron, with an engine of ours: opens a record, attaches the engine as a
// person does, says what the board shows of its analysis, and lets it play a move.
//
// Usage: sabaki_window.mjs SABAKI RECORD PICTURE ENGINE [ARGUMENT…]; SABAKI is its folder with what is built of it.
// Prints one JSON object.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [sabaki, record, picture, path, ...args] = process.argv.slice(2)
const quote = text => `"${text.replace(/(["\\])/g, '\\$1')}"`

/** Its usual settings, from its own file. */
function usualSettings() {
  const electron = { app: { name: 'Sabaki', getPath: () => mkdtempSync(join(tmpdir(), 'sabaki-')) }, BrowserWindow: { getAllWindows: () => [] } }
  const load = Module._load
  Module._load = (name, ...rest) => (name === 'electron' ? electron : load(name, ...rest))
  const settings = createRequire(import.meta.url)(join(sabaki, 'src/setting.js')).getAll()
  Module._load = load
  return settings
}

async function main() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--allow-file-access-from-files'] })
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  const failures = []
  page.on('pageerror', error => failures.push(error.message))
  const programs = new Map()
  // What the engines have said and the page is not told yet; `null` while it is told at once.
  let unheard = null
  const tell = said => page.evaluate(all => window.fromProgram(...all), said).catch(() => {})
  await page.exposeFunction('startProgram', (id, file, words) => {
    const program = spawn(file, words)
    programs.set(id, program)
    const say = (stream, text) => unheard ? unheard.push([id, stream, text]) : tell([id, stream, text])
    for (const stream of ['stdout', 'stderr']) program[stream].on('data', data => say(stream, data.toString()))
    program.on('exit', code => say('exit', code))
  })
  await page.exposeFunction('writeToProgram', (id, text) => {
    if (text === null) programs.get(id).kill()
    else programs.get(id).stdin.write(text)
  })
  const settings = {
    ...usualSettings(), 'app.startup_check_updates': false, 'sound.enable': false, 'view.show_leftsidebar': true,
    'view.show_winrategraph': true, 'game.goto_end_after_loading': false,
  }
  await page.addInitScript((all) => { window.settings = all }, settings)
  await page.goto(pathToFileURL(join(sabaki, 'index.html')).href)
  await page.waitForSelector('#goban')
  await page.evaluate(text => window.__sabaki.loadContent(text, 'sgf'), readFileSync(record, 'utf8'))
  await page.evaluate(() => window.__sabaki.goToMoveNumber(51))

  const id = await page.evaluate(engine => window.__sabaki.attachEngines([engine])[0].id,
    { name: 'Honinbo', path, args: args.map(quote).join(' '), commands: '' })
  await page.waitForFunction(() => window.__sabaki.state.attachedEngineSyncers[0]?.commands.length > 0, null, { timeout: 120_000 })
  await page.evaluate(engine => window.__sabaki.startAnalysis(engine), id)
  // As many visits as its board writes with three digits.
  await page.waitForFunction(() => {
    const visits = window.__sabaki.state.analysis?.variations.map(one => one.visits) ?? []
    return visits.reduce((sum, one) => sum + one, 0) >= 100 && document.querySelector('.shudan-heatlabel')
  }, null, { timeout: 300_000 })
  // What the engine says from now on would be in the numbers before it is on the board.
  unheard = []
  await page.evaluate(() => window.__sabaki.waitForRender())
  const found = await page.evaluate(() => {
    const { analysis, gameTrees, gameIndex, treePosition } = window.__sabaki.state
    const labels = [...document.querySelectorAll('.shudan-vertex')].flatMap((vertex) => {
      const label = vertex.querySelector('.shudan-heatlabel')?.textContent
      return label ? [{ at: [Number(vertex.dataset.x), Number(vertex.dataset.y)], label }] : []
    })
    const best = analysis.variations.map(({ vertex, winrate, scoreLead, visits, moves }) => ({ at: vertex, winrate, scoreLead, visits, line: moves.length }))
    return { labels, best, sign: analysis.sign, winrate: analysis.winrate, scoreLead: analysis.scoreLead, kept: gameTrees[gameIndex].get(treePosition).data.SBKV }
  })
  if (picture) await page.screenshot({ path: picture })
  for (const said of unheard.splice(0)) await tell(said)
  unheard = null
  const played = await page.evaluate(async (engine) => {
    const { state } = window.__sabaki
    window.__sabaki.stopAnalysis()
    await window.__sabaki.generateMove(engine, state.treePosition)
    return state.gameTrees[state.gameIndex].get(state.treePosition).data
  }, id)
  await browser.close()
  for (const program of programs.values()) program.kill()
  console.log(JSON.stringify({ ...found, played, failures }))
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
