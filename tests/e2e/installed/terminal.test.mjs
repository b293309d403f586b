// The package's terminal program, with nothing of the development tree around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cli, dataFolder, game, installed } from '../support/machine.mjs'
import { runToEnd } from '../support/programs.mjs'

const bare = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HONINBO_RESOURCES: '' }

test('it is the package that is tested', () => {
  assert.ok(installed, 'HONINBO_INSTALLED names where the package is')
})

test('analyses a position with what the package brings', { timeout: 300_000 }, async (t) => {
  const { status, stdout, stderr } = await runToEnd(cli, ['run', game, '--move', '126', '--visits', '40', '--json', '--data', dataFolder(t)], { env: bare })
  assert.equal(status, 0, stderr)
  const reply = JSON.parse(stdout)
  assert.equal(reply.operator, 'run')
  assert.equal(reply.ok, true)
  assert.match(reply.network, /b10c384h6nbttflrs/)
  assert.ok(reply.candidates.length >= 2 && reply.visits >= 40)
})

test('keeps a game and finds it again', { timeout: 120_000 }, async (t) => {
  const data = dataFolder(t)
  const imported = await runToEnd(cli, ['library', 'import', game, '--data', data, '--json'], { env: bare })
  assert.equal(imported.status, 0, imported.stderr)
  const stats = await runToEnd(cli, ['library', 'stats', '--data', data, '--json'], { env: bare })
  assert.equal(JSON.parse(stats.stdout).games, 1)
})
