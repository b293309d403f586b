// A file that is opened while the app runs goes to the window that is there. Needs a session bus, as a desktop has.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as flows from '../flows.mjs'
import { startBus } from '../support/bus.mjs'
import { FORMATS } from '../support/formats.mjs'
import { app, dataFolder, game, ownFolder } from '../support/machine.mjs'
import { runToEnd } from '../support/programs.mjs'
import { openWindow } from '../support/window.mjs'

test('a second start gives its file to the first and ends', { timeout: 300_000 }, async (t) => {
  const env = { DBUS_SESSION_BUS_ADDRESS: await startBus(t) }
  const data = dataFolder(t)
  const { screen } = await openWindow(t, { args: [game], data, env })
  await flows.gameIsShown(screen)

  const other = join(ownFolder(t), 'small.sgf')
  writeFileSync(other, '(;GM[1]FF[4]SZ[9]PB[Ada]PW[Grace];B[ee];W[ge])')
  const second = await runToEnd(app, [other], { env: { ...env, HONINBO_DATA: data } })
  assert.equal(second.status, 0, second.stderr)
  await screen.until('the small game in the first window', async () => (await flows.place(screen)).of === 2)
  await screen.waitForText(/Ada/)

  // As a file manager does with whatever form of record it is told to open.
  for (const { name, bytes, player, moves } of FORMATS) {
    const path = join(ownFolder(t), name)
    writeFileSync(path, bytes)
    const given = await runToEnd(app, [path], { env: { ...env, HONINBO_DATA: data } })
    assert.equal(given.status, 0, given.stderr)
    await screen.waitForText(new RegExp(player), { selector: '.players' })
    await screen.until(`the moves of ${name}`, async () => (await flows.place(screen)).of === moves)
  }
})

test('files whose names are no Unicode are opened, at the first start and the second', { timeout: 300_000 }, async (t) => {
  const env = { DBUS_SESSION_BUS_ADDRESS: await startBus(t) }
  const [data, folder] = [dataFolder(t), ownFolder(t)]
  const write = (name, text) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]), text)
  write('\xbe\xd6.sgf', '(;GM[1]FF[4]SZ[9]PB[Ada]PW[Grace];B[ee];W[ge])')
  write('\xc6\xd7.sgf', '(;GM[1]FF[4]SZ[9]PB[Emmy]PW[Sofja];B[ee])')
  // Bytes that are no text are put together by the shell alone: a process is given words by this one.
  const program = join(folder, 'start.sh')
  writeFileSync(program, `#!/bin/sh\nexec "${app}" "$@" "${folder}/$(printf '\\276\\326').sgf"\n`)
  chmodSync(program, 0o755)
  const { screen } = await openWindow(t, { program, data, env })
  await screen.waitForText(/Ada/, { selector: '.players' })

  const named = 'cd "$2" && exec "$1" "$(printf "$3").sgf"'
  const start = (name) => runToEnd('/bin/sh', ['-c', named, 'sh', app, folder, name], { env: { ...env, HONINBO_DATA: data } })
  const second = await start('\\306\\327')
  assert.equal(second.status, 0, second.stderr)
  await screen.waitForText(/Emmy/, { selector: '.players' })
  // One that is not there is named as well as it can be.
  await start('\\377gone')
  await screen.waitForText(/\ufffdgone\.sgf/)
})
