// The programs under test and the folders they get.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { atEnd, removeFolder } from './endings.mjs'
import { stop } from './programs.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const target = process.env.HONINBO_TARGET ?? join(root, 'target')

/** Where the package is installed or unpacked (`/usr`), when its programs are to be tested and not those of the debug build. */
export const installed = process.env.HONINBO_INSTALLED
/** What starts the AppImage, or the folder that goes into one, when that is what is to be tested. */
export const appImage = process.env.HONINBO_APPIMAGE
export const app = appImage ?? (installed ? join(installed, 'bin/honinbo-app') : join(target, 'debug/honinbo-app'))
export const cli = installed ? join(installed, 'bin/honinbo') : join(target, 'debug/honinbo')
export const game = join(root, 'tests/fixtures/games/ear-reddening-1846.sgf')

for (const program of appImage ? [app] : [app, cli]) {
  if (!existsSync(program)) throw new Error(`there is no ${program}: run scripts/test, which builds it`)
}

/** A folder of its own, removed when the test ends. */
export function ownFolder(test) {
  const folder = mkdtempSync(join(tmpdir(), 'honinbo-e2e-'))
  atEnd(test, () => removeFolder(folder))
  return folder
}

/** A network that thinks in milliseconds: six blocks. */
export const SMALL_NETWORK = 'g170-b6c96-s175395328-d26788732.bin.gz'

/**
 * A data folder of its own; of somebody who was here before and has such preferences and settings, unless it is the first
 * start. A `network` of the fixtures lies in it and is chosen; without one it is the network that the program brings.
 */
export function dataFolder(test, { firstStart = false, preferences = {}, settings = {}, network = undefined } = {}) {
  const folder = ownFolder(test)
  const kept = { ...(network === undefined ? {} : { network }), ...settings, ...(firstStart ? {} : { window: JSON.stringify({ welcomed: true, ...preferences }) }) }
  if (network !== undefined) {
    mkdirSync(join(folder, 'networks'))
    copyFileSync(join(root, 'tests/fixtures/networks', network), join(folder, 'networks', network))
  }
  const lines = Object.entries(kept).map(([name, value]) => `${name} = ${typeof value === 'string' ? `'${value}'` : value}\n`)
  if (lines.length > 0) writeFileSync(join(folder, 'settings.toml'), lines.join(''))
  return folder
}

/** Starts `honinbo serve --http` on a free port, or on the one given, and answers with the address that it prints. */
export async function serve(test, { data = dataFolder(test), at = '127.0.0.1:0', args = [], env = {} } = {}) {
  const child = spawn(cli, ['serve', '--http', at, '--data', data, ...args], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  })
  let noise = ''
  child.stderr.on('data', (chunk) => { noise += chunk })
  atEnd(test, () => stop(child))
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`honinbo serve printed no address within 60 s: ${noise}`)), 60_000)
    child.on('exit', (status) => reject(new Error(`honinbo serve ended with ${status}: ${noise}`)))
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        const found = /https?:\/\/\S+token=\S+/.exec(line)
        if (found) {
          clearTimeout(timer)
          resolve(found[0])
        }
      })
    }
  })
  return { url, data, child }
}
