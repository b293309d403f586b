// The certified OpenID Connect provider of npm, where `scripts/clients` installed it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd } from './endings.mjs'
import { root } from './machine.mjs'

const folder = join(root, '.cache/clients/oidc')
export const hasProvider = existsSync(join(folder, 'installed'))
export const CLIENT_ID = 'honinbo'
export const CLIENT_SECRET = 'a secret of the tests'

/** Starts it: its name, what lets it send browsers back to an address, and what says where it tells of log-outs. */
export async function startProvider(test) {
  const child = spawn(process.execPath, [join(root, 'tests/protocol/clients/oidc_provider.mjs'), folder, CLIENT_ID, CLIENT_SECRET, 'RS256'], { stdio: ['pipe', 'pipe', 'ignore'] })
  atEnd(test, () => { child.stdin.end() })
  const lines = createInterface({ input: child.stdout })
  const issuer = await new Promise((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', (status) => { reject(new Error(`the provider ended with ${status}`)) })
  })
  const say = (line) => { child.stdin.write(`${line}\n`) }
  return { issuer, allow: say, tell: (address) => { say(`tell ${address}`) } }
}
