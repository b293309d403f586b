// What is in the AppImage, on a system whose own web view and toolkit it cannot see.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as flows from '../flows.mjs'
import { appImage, dataFolder, game, ownFolder } from '../support/machine.mjs'
import { runToEnd } from '../support/programs.mjs'
import { keepPicture } from '../support/pictures.mjs'
import { openWindow } from '../support/window.mjs'

test('it is the image that is tested', () => {
  assert.ok(appImage, 'HONINBO_APPIMAGE names what starts it')
})

test('nothing of the system’s web view and toolkit is in sight', { skip: !process.env.HONINBO_HIDDEN && 'needs root: they cannot be hidden' }, () => {
  for (const file of process.env.HONINBO_HIDDEN.split('\n')) assert.ok(!existsSync(file) || readFileSync(file).length === 0, `${file} is there`)
})

test('shows a game that is named from where it is started, and analyses it', { timeout: 300_000 }, async (t) => {
  const folder = ownFolder(t)
  copyFileSync(game, join(folder, 'a game.sgf'))
  const { screen } = await openWindow(t, { args: ['a game.sgf'], env: { OWD: folder } })
  await flows.gameIsShown(screen)
  await flows.engineAnalyses(screen)
  await keepPicture(screen, 'appimage')
})

test('engines of others begin where the window was started, and hear nothing of the image’s libraries', { timeout: 300_000 }, async (t) => {
  const folder = ownFolder(t)
  const script = join(folder, 'engine.sh')
  writeFileSync(script, 'pwd > engine-folder\nenv > engine-environment\n')
  const { session } = await openWindow(t, { args: [game], env: { OWD: folder } })
  const answer = await session.executeAsyncScript(`
    const done = arguments[arguments.length - 1]
    window.__TAURI_INTERNALS__.invoke('test_engine', { args: { command: arguments[0] } }).then(() => done('an engine'), () => done('no engine'))
  `, `/bin/sh "${script}"`)
  assert.equal(answer, 'no engine')
  assert.equal(readFileSync(join(folder, 'engine-folder'), 'utf8').trim(), folder)
  const environment = readFileSync(join(folder, 'engine-environment'), 'utf8')
  for (const name of ['LD_LIBRARY_PATH', 'LD_PRELOAD', 'GTK_PATH', 'GDK_PIXBUF_MODULE_FILE', 'GIO_MODULE_DIR', 'GTK_IM_MODULE_FILE']) {
    assert.ok(!environment.split('\n').some((line) => line.startsWith(`${name}=`) && line !== `${name}=${process.env[name]}`), environment)
  }
})

test('is the terminal program, too', { timeout: 120_000 }, async (t) => {
  const env = { HONINBO_DATA: dataFolder(t), HONINBO_RESOURCES: '' }
  const asked = await runToEnd(appImage, ['terminal', 'run', game, '--move', '10', '--visits', '10', '--json'], { env, timeoutMs: 100_000 })
  assert.equal(asked.status, 0, asked.stderr)
  assert.equal(JSON.parse(asked.stdout).ok, true)
  const named = await runToEnd(appImage, ['gtp'], { env: { ...env, ARGV0: '/home/somebody/bin/honinbo' }, input: 'name\nquit\n' })
  assert.match(named.stdout, /= Honinbo/)
})
