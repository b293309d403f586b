// The test server as a program: how it is built and started, and how an app is asked of it. For Vitest and the bench.
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '../../..')
// The same features as in scripts/test, so that nothing is compiled twice.
const BUILD = ['build', '--workspace', '--locked', '--features', 'honinbo-app/custom-protocol', '--example', 'test_server']

/** Builds what has changed, and gives the program. */
function built() {
  const cargo = spawnSync('cargo', [...BUILD, '--message-format=json-render-diagnostics'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'inherit'] })
  if (cargo.error) throw new Error(`the test server needs Rust: ${cargo.error.message}`)
  const artifacts = cargo.stdout.split('\n').filter(Boolean).map(line => JSON.parse(line))
  const program = artifacts.find(({ reason, target, executable }) => reason === 'compiler-artifact' && target?.name === 'test_server' && executable)?.executable
  if (cargo.status !== 0 || !program) throw new Error(`the test server was not built: cargo ${BUILD.join(' ')}`)
  return program
}

export async function startTestServer() {
  const server = spawn(built(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => server.once('exit', () => resolve()))
  const address = await new Promise((resolve, reject) => {
    createInterface(server.stdout).once('line', resolve)
    server.once('error', reject)
    server.once('exit', status => reject(new Error(`the test server ended with status ${status}`)))
  })
  return {
    port: Number(address.split(':').at(-1)),
    end() {
      server.stdin.end()
      return ended
    },
  }
}

export async function openControl(port, wishes) {
  const socket = connect(port, '127.0.0.1')
  const waiting = []
  createInterface(socket).on('line', line => waiting.shift()?.(line))
  const ask = async (request) => {
    const line = new Promise(resolve => waiting.push(resolve))
    socket.write(`${JSON.stringify(request)}\n`)
    const answer = JSON.parse(await line)
    if (answer?.error) throw new Error(`the test server: ${answer.error}`)
    return answer
  }
  const { url, dataDir } = await ask(wishes)
  return { url, dataDir, ask, end: () => socket.destroy() }
}
