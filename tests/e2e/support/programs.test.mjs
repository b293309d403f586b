import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runToEnd } from './programs.mjs'

test('a program that ends before it has read what it is given is no failure of the test', async () => {
  const { status, stdout } = await runToEnd('/bin/sh', ['-c', 'echo done; exit 3'], { input: 'x'.repeat(4 << 20) })
  assert.deepEqual({ status, stdout }, { status: 3, stdout: 'done\n' })
})

test('a program that is given nothing meets the end of its input', async () => {
  assert.equal((await runToEnd('/bin/cat', [])).stdout, '')
  assert.equal((await runToEnd('/bin/cat', [], { input: 'words' })).stdout, 'words')
})
