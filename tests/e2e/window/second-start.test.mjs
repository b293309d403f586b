// A file that is opened while the app runs goes to the window that is there. Needs a session bus, as a desktop has.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
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
