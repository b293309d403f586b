import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { countTests } from './count-tests.mjs'

const program = fileURLToPath(new URL('./flows.mjs', import.meta.url))

/** Runs flows with the given bodies, each in a file of its own, in a folder of their own. */
function flows(t, bodies, more = {}, atOnce = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'honinbo-flows-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = [bodies].flat().map((body, at) => {
    const file = join(folder, `some${at}.test.mjs`)
    writeFileSync(file, `import { test } from 'node:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n${body}`)
    return file
  })
  // A runner inside a runner must not report to the outer one.
  const env = { ...process.env, ...more }
  delete env.NODE_TEST_CONTEXT
  const { status, stdout } = spawnSync(process.execPath, [program, '--at-once', String(atOnce), ...files], { cwd: folder, encoding: 'utf8', env })
  return { status, stdout, ...countTests(stdout) }
}

test('each flow runs once: one that would pass a second time has failed', (t) => {
  const { status, passed, failed, skipped } = flows(
    t,
    `test('steady', () => {})
    test('not here', { skip: 'no card' }, () => {})
    test('shy (1)', () => { if (!existsSync('seen')) { writeFileSync('seen', ''); throw new Error('not yet') } })`,
  )
  assert.deepEqual({ status, passed, failed, skipped }, { status: 1, passed: 1, failed: 1, skipped: 1 })
})

/** Passes once the flow beside it has begun. */
const meets = (own, other) => `test('${own} meets ${other}', async () => {
  writeFileSync('${own}', '')
  for (let waited = 0; !existsSync('${other}'); waited += 20) {
    if (waited > 60_000) throw new Error('nobody came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})`

test('two files run at once where that is wanted, and both are counted', (t) => {
  const { status, passed, failed } = flows(t, [meets('first', 'second'), meets('second', 'first')], {}, 2)
  assert.deepEqual({ status, passed, failed }, { status: 0, passed: 2, failed: 0 })
})

test('files begin in the order they are given in, and what one of them tells is not mixed with the other', (t) => {
  const slow = (name) => `test('${name} begins', async () => { await new Promise((resolve) => setTimeout(resolve, 200)) })\ntest('${name} ends', () => {})`
  const { stdout, passed } = flows(t, [slow('second'), slow('first'), slow('third')], {}, 2)
  assert.equal(passed, 6)
  const told = [...stdout.matchAll(/^ok \d+ - (\w+) (\w+)$/gm)].map(([, name, what]) => ({ name, what }))
  for (let at = 0; at < told.length; at += 2) assert.deepEqual(told.slice(at, at + 2), [{ name: told[at].name, what: 'begins' }, { name: told[at].name, what: 'ends' }])
  assert.equal(told.at(-1).name, 'third')
})

test('flows that cannot be read have failed', (t) => {
  const { status } = flows(t, 'this is no program')
  assert.notEqual(status, 0)
})

/** Whether a process is there, and not only its entry that waits to be read. */
function lives(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('a program that a flow left running does not hold up the end, and ends with it', async (t) => {
  const { status, stdout, failed } = flows(
    t,
    `import { spawn } from 'node:child_process'
    test('leaves something behind', (t) => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'pipe'] })
      process.stderr.write('left ' + child.pid + '\\n')
      t.after(() => { throw new Error('cannot clear away') })
      t.after(() => child.kill())
    })`,
  )
  assert.equal(status, 1)
  assert.equal(failed, 1)
  const left = [...stdout.matchAll(/left (\d+)/g)].map(([, pid]) => pid)
  assert.ok(left.length > 0, stdout)
  // What was killed is gone a moment later.
  for (let waited = 0; left.some(lives) && waited < 30_000; waited += 50) await sleep(50)
  assert.deepEqual(left.filter(lives), [])
})

test('flows that come to no end are ended and have failed', (t) => {
  const { status, stdout, failed } = flows(t, `test('waits for ever', () => new Promise((resolve) => setTimeout(resolve, 1e9)))`, { HONINBO_FLOWS_MINUTES: '0.05' })
  assert.notEqual(status, 0)
  assert.equal(failed, 1)
  assert.match(stdout, /came to no end/)
})
