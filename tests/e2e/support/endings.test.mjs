import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { clearInterval, setInterval } from 'node:timers'
import { atEnd, removeFolder } from './endings.mjs'

/** Stands for a test; `end` does what its runner does. */
function aTest() {
  const afters = []
  return { after: (work) => afters.push(work), async end() { for (const work of afters) await work() } }
}

test('what came last is ended first', async () => {
  const one = aTest()
  const done = []
  for (const name of ['folder', 'server', 'browser']) atEnd(one, async () => { done.push(name) })
  await one.end()
  assert.deepEqual(done, ['browser', 'server', 'folder'])
})

test('one that fails keeps none of the others from being ended, and is told', async () => {
  const one = aTest()
  const done = []
  atEnd(one, () => { done.push('folder') })
  atEnd(one, () => { throw new Error('does not close') })
  atEnd(one, () => { done.push('browser') })
  await assert.rejects(one.end(), /does not close/)
  assert.deepEqual(done, ['browser', 'folder'])
})

test('a folder that something still writes to is removed once it has stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'honinbo-endings-'))
  const writer = setInterval(() => {
    mkdirSync(join(folder, 'cache'), { recursive: true })
    writeFileSync(join(folder, 'cache', String(Date.now())), '')
  }, 1)
  setTimeout(() => clearInterval(writer), 60)
  await removeFolder(folder, { pauseMs: 200 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await removeFolder(folder)
  assert.equal(existsSync(folder), false)
})
