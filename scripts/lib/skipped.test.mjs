import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { didNotRun } from './skipped.mjs'

function results(files) {
  const folder = mkdtempSync(join(tmpdir(), 'results-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('names what every source says, each once', () => {
  const folder = results({
    'skipped.txt': 'golden all\tslow\ngolden all\tslow\n',
    'left-out.txt': 'the package\tHONINBO_PACKAGE=0\n',
    'browser.log': 'ok 1 - opens\nok 2 - paints # SKIP no display\n',
  })
  assert.deepEqual(didNotRun(folder), ['golden all: slow', 'the package: HONINBO_PACKAGE=0', 'paints # SKIP no display'])
  rmSync(folder, { recursive: true })
})

// With one of the two lists alone the whole run ended as a failure once, after its last test had passed.
for (const files of [{ 'skipped.txt': 'golden all\tslow\n' }, { 'left-out.txt': 'the package\twhy\n' }, {}]) {
  test(`ends well with ${Object.keys(files)[0] ?? 'no list'} alone`, () => {
    const folder = results(files)
    const program = fileURLToPath(new URL('skipped.mjs', import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' })
    assert.equal(status, 0)
    assert.equal(stdout.split('\n').filter(Boolean).length, Object.keys(files).length)
    rmSync(folder, { recursive: true })
  })
}
